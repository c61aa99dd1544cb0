//! Times of perftest in a virtual machine, beside those of the provider.

use super::executable;
use super::image::which;
use crate::launch;
use crate::report::write_file;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use cushmem_numbers::median;
use std::path::{Path, PathBuf};

/// Measures the same as perftest.
const EXAMPLE: &str = "verbs";
/// How often each side measures, in turn. The medians count.
const ROUNDS: usize = 3;

/// What both sides measure.
struct Row {
    /// As the example calls it.
    name: &'static str,
    tool: &'static str,
    arguments: &'static str,
    /// The column of the tool's table that counts: its median, or its mean rate.
    column: usize,
    unit: &'static str,
    /// How much of what perftest says is asked: at most that much time, or at least that much of its rate.
    limit: f64,
}

const ROWS: [Row; 5] = [
    latency("8-byte put, seen by its target", "ib_write_lat", "-s 8 -n 1000"),
    latency("8-byte get", "ib_read_lat", "-s 8 -n 1000"),
    latency("fetch-add", "ib_atomic_lat", "-A FETCH_AND_ADD -n 1000"),
    // As many are under way at a time as in the example.
    rate("puts of 64 KiB", "-s 65536 -n 500 -t 16"),
    rate("puts of 1024 KiB", "-s 1048576 -n 50 -t 16"),
];

const fn latency(name: &'static str, tool: &'static str, arguments: &'static str) -> Row {
    Row { name, tool, arguments, column: 4, unit: "us", limit: 1.15 }
}

const fn rate(name: &'static str, arguments: &'static str) -> Row {
    Row { name, tool: "ib_write_bw", arguments, column: 3, unit: "MiB/s", limit: 0.95 }
}

impl Row {
    fn is_met(&self, ratio: f64) -> bool {
        if self.unit == "us" { ratio <= self.limit } else { ratio >= self.limit }
    }
}

/// The example.
pub(super) fn probe(workspace: &Workspace) -> Result<PathBuf> {
    executable(workspace, &["build", "--release", "-p", "cushmem-net", "--example", EXAMPLE], EXAMPLE)
}

/// The programs of perftest, if all are here. Without them, there are only the provider's own times.
pub(super) fn tools() -> Vec<PathBuf> {
    ROWS.iter().map(|row| which(row.tool)).collect::<Result<_>>().unwrap_or_default()
}

/// Measures all rows in each round, if perftest is here, and then those of the example.
pub(super) fn script(probe: &Path, has_tools: bool) -> String {
    let mut round = String::new();
    for (number, Row { tool, arguments, .. }) in ROWS.iter().enumerate().filter(|_| has_tools) {
        round += &format!(
            "timeout 30 {tool} -d rxe0 -x 1 {arguments} >/dev/null 2>&1 & sleep 1\n\
             timeout 30 {tool} -d rxe0 -x 1 {arguments} 10.77.0.1 | grep '^ *[0-9]' | sed 's/^ */perftest {number}: /'\n\
             wait\n"
        );
    }
    format!("for round in $(seq {ROUNDS}); do\n{round}timeout 60 {} || exit 1\ndone\n", launch::word(probe))
}

/// A row's medians, and what the provider's is of perftest's.
struct Pair {
    perftest: f64,
    ours: f64,
    ratio: f64,
}

/// The pairs, from what the machine said. Fails if one side lacks a time.
fn pairs(said: &str) -> Result<Vec<Pair>> {
    let of = |number: usize, row: &Row| {
        let ours =
            said.lines().filter_map(|line| line.strip_prefix(&format!("verbs: {}: ", row.name))?.split(' ').next());
        let of_tool = said.lines().filter_map(|line| line.strip_prefix(&format!("perftest {number}: ")));
        let of_tool = of_tool.filter_map(|line| line.split_whitespace().nth(row.column));
        let middle = |mut values: Vec<f64>, whose: &str| {
            ensure!(values.len() == ROUNDS, "{}: {} times of {whose} instead of {ROUNDS}", row.name, values.len());
            median(&mut values).context("there are some")
        };
        let ours = middle(ours.filter_map(|value| value.parse().ok()).collect(), "the provider")?;
        let perftest = middle(of_tool.filter_map(|value| value.parse().ok()).collect(), row.tool)?;
        Ok(Pair { perftest, ours, ratio: ours / perftest })
    };
    ROWS.iter().enumerate().map(|(number, row)| of(number, row)).collect()
}

/// Prints a table with what was asked, and keeps it in a file, if perftest is here. Times in an emulated processor
/// scatter, so a verdict does not make the step fail; a time that is not there does.
pub(super) fn judge(said: &str, has_tools: bool, json: Option<&Path>) -> Result<()> {
    if !has_tools {
        println!("vm: perftest is not here, so nothing is compared");
        return Ok(());
    }
    let pairs = pairs(said)?;
    println!("{:<32} {:>14} {:>10} {:>10} {:>7} {:>7}", "row", "perftest", "", "verbs", "ratio", "asked");
    let mut lines = String::new();
    for (row, Pair { perftest, ours, ratio }) in ROWS.iter().zip(&pairs) {
        let asked = if row.unit == "us" { "<=" } else { ">=" };
        let verdict = if row.is_met(*ratio) { "met" } else { "MISSED" };
        println!(
            "{:<32} {:>14} {perftest:>10.2} {ours:>10.2} {ratio:>7.3} {asked} {:.2} {verdict} ({})",
            row.name, row.tool, row.limit, row.unit
        );
        for (who, value) in [("perftest", perftest), ("cushmem", ours)] {
            let (name, tool, unit) = (row.name, row.tool, row.unit);
            lines += &format!(
                "{{\"impl\": \"{who}\", \"backend\": \"verbs\", \"metric\": \"{name}\", \"tool\": \"{tool}\", \"unit\": \
                 \"{unit}\", \"value\": {value:.3}, \"runs\": {ROUNDS}}}\n"
            );
        }
    }
    json.map_or(Ok(()), |file| write_file(file, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a machine says in which all rounds of the provider take this many times as long as those of perftest.
    fn said(times: f64) -> String {
        let mut said = String::new();
        for round in [2.0, 1.0, 30.0] {
            for (number, row) in ROWS.iter().enumerate() {
                let cells = match row.unit {
                    "us" => format!("8 1000 1.0 99.0 {round:.2} 5.0"),
                    _ => format!("65536 500 99.0 {round:.2} 0.1"),
                };
                said +=
                    &format!("perftest {number}: {cells}\nverbs: {}: {:.2} {}\n", row.name, round * times, row.unit);
            }
        }
        said
    }

    /// Catches a wrong column of perftest, a mean where the median is asked, and a verdict the wrong way round.
    #[test]
    fn medians_are_compared() {
        let all = pairs(&said(1.5)).expect("all are there");
        assert!(all.iter().all(|pair| (pair.perftest, pair.ours, pair.ratio) == (2.0, 3.0, 1.5)));
        let met = |ratio| ROWS.iter().map(|row| row.is_met(ratio)).collect::<Vec<_>>();
        assert_eq!(met(1.5), [false, false, false, true, true]);
        assert_eq!(met(0.5), [true, true, true, false, false]);
        assert!(met(1.0).iter().all(|met| *met));
    }

    /// Catches a comparison without one of the sides.
    #[test]
    fn all_times_must_be_there() {
        let why = |said: &str| pairs(said).err().map(|why| why.to_string());
        let without = |text: &str| said(1.0).lines().filter(|line| !line.contains(text)).collect::<Vec<_>>().join("\n");
        assert_eq!(why(&without("fetch-add")).as_deref(), Some("fetch-add: 0 times of the provider instead of 3"));
        let lacks_one = said(1.0).replacen("perftest 1: 8 ", "perftest 1: ", 1).replacen("perftest 1: 1000 ", "", 1);
        assert_eq!(why(&lacks_one).as_deref(), Some("8-byte get: 2 times of ib_read_lat instead of 3"));
        let none = without("perftest");
        assert!(judge(&none, true, None).is_err(), "all runs of perftest have failed");
        assert!(judge(&none, false, None).is_ok(), "there is no perftest");
    }
}
