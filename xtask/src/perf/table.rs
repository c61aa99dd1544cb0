//! `cargo xtask perf table`: the page that shows the newest run of each machine, and the README's figure.

use super::rows::{Case, Rows};
use super::targets::Targets;
use super::verdict::{Filter, Line, judge, number, sum};
use super::{figure, load_targets};
use crate::report::shown;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const HEAD: &str = "\
# Performance

<!-- Written by `cargo xtask perf table`; do not edit. Remarks belong in notes.md. -->

The newest run of each machine in this folder, compared with the targets in [targets.toml](targets.toml), which defines the references.
Ping-pong latencies are one way, and 1 GB is 1e9 bytes. Each run is one file of JSON lines, for which `cargo xtask perf check FILE`
prints the same verdicts. `cargo xtask perf peers` measures the host part on your machine, and `cargo xtask perf net` the
operations between virtual nodes (`--only nodes`: beside Open MPI). `modes/` has the tables that `cargo xtask compare` writes about the applications.
";

/// Writes the page and the figure, or compares them with the committed ones.
pub fn table(folder: &Path, check: bool) -> Result<()> {
    let runs = runs(folder)?;
    let figure = runs.iter().rev().find_map(|run| figure::plot(&run.rows));
    let figure = figure.with_context(|| format!("no file in {} has the figure's rows", folder.display()))?;
    let figure = figure.encode(Path::new(figure::FILE))?;
    for (name, content) in [("README.md", page(folder, &runs)?.into_bytes()), (figure::FILE, figure)] {
        let path = folder.join(name);
        if check {
            let there = fs::read(&path).with_context(|| format!("read {}", path.display()))?;
            if there != content {
                bail!("{} does not match the files: run cargo xtask perf table", path.display());
            }
        } else {
            fs::write(&path, content).with_context(|| format!("write {}", path.display()))?;
            println!("{}", shown(&path));
        }
    }
    Ok(())
}

/// The rows of a file.
struct Run {
    /// `<year>-<month>-<day>-<machine>.jsonl`
    name: String,
    rows: Rows,
}

/// All files of the folder, the oldest first.
fn runs(folder: &Path) -> Result<Vec<Run>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("read {}", folder.display()))? {
        names.extend(entry?.file_name().into_string().ok().filter(|n| n.ends_with(".jsonl")));
    }
    names.sort_unstable();
    let read = |name: String| {
        let mut rows = Rows::default();
        let text = fs::read_to_string(folder.join(&name)).with_context(|| format!("read {name}"))?;
        rows.read(&text).with_context(|| format!("read {name}"))?;
        if rows.cases().next().is_none() {
            bail!("{name} has no row of a metric; output of `cargo xtask compare` belongs in the folder modes");
        }
        Ok(Run { name, rows })
    };
    names.into_iter().map(read).collect()
}

/// The page for the runs in the folder.
fn page(folder: &Path, runs: &[Run]) -> Result<String> {
    let targets = load_targets(folder)?;
    let mut page = HEAD.to_owned();
    if folder.join("notes.md").exists() {
        page += "\nThe [notes](notes.md) explain the figures and record what was tried.\n";
    }
    let names: Vec<_> = runs.iter().map(|run| run.name.clone()).collect();
    for (machine, name) in newest(&names) {
        for run in runs.iter().filter(|run| run.name == name) {
            section(&mut page, machine, name, &run.rows, &targets)?;
        }
    }
    Ok(page)
}

/// For each machine, the file with the latest date: names are `<year>-<month>-<day>-<machine>.jsonl`.
fn newest(names: &[String]) -> BTreeMap<&str, &str> {
    let mut newest = BTreeMap::new();
    for name in names {
        let stem = name.trim_end_matches(".jsonl");
        let machine = stem.splitn(4, '-').nth(3).unwrap_or(stem);
        let of_machine = newest.entry(machine).or_insert(name.as_str());
        *of_machine = name.as_str().max(of_machine);
    }
    newest
}

fn section(page: &mut String, machine: &str, name: &str, rows: &Rows, targets: &Targets) -> Result<()> {
    writeln!(page, "\n## {machine}\n\n[{name}]({name})")?;
    for (key, value) in &rows.header {
        writeln!(page, "· {key} {value}")?;
    }
    // In the order of the file, in which the targets of a group need not be adjacent.
    let mut groups: Vec<&str> = vec![];
    for target in &targets.target {
        if !groups.contains(&&*target.group) {
            groups.push(&target.group);
        }
    }
    let mut elsewhere = Vec::new();
    for group in groups {
        let lines: Vec<Line> = judge(targets, rows, &Filter::groups(&[group]));
        if lines.iter().all(|l| l.value.is_none()) {
            elsewhere.push(format!("{group} ({} targets)", lines.len()));
            continue;
        }
        let (passed, failed) = sum(&lines);
        writeln!(page, "\n### {group}: {passed} passed, {failed} failed\n")?;
        writeln!(page, "| metric | case | PEs | by | value | reference | ratio | target | |")?;
        writeln!(page, "|---|---|--:|---|--:|--:|--:|---|---|")?;
        for l in &lines {
            let ratio = l.ratio().map_or("–".into(), |r| format!("{r:.2}"));
            let verdict = if l.is_met() { "ok".into() } else { format!("**{}**", l.verdict()) };
            let (value, reference) = (number(l.value), number(l.reference));
            let (metric, case) = (&l.case.metric, keys(&l.case));
            writeln!(
                page,
                "| {metric} | {case} | {} | {} | {value} {} | {reference} | {ratio} | {} | {verdict} |",
                l.case.pes,
                l.implementation,
                l.unit,
                l.demand()
            )?;
        }
    }
    if !elsewhere.is_empty() {
        writeln!(page, "\nNot measured here, so not met: {}.", elsewhere.join(", "))?;
    }
    writeln!(page, "\n### All measured rows\n")?;
    page.push_str(&pivot(rows, "|"));
    Ok(())
}

/// One row per case and one column per implementation; `edge` is `|` for Markdown.
pub fn pivot(rows: &Rows, edge: &str) -> String {
    let names = rows.implementations();
    let mut text = String::new();
    let mut line = |first: String, cells: Vec<String>| {
        let cells: String = cells.iter().map(|c| format!(" {edge} {c:>10}")).collect();
        text += format!("{edge} {first}{cells} {edge}").trim();
        text.push('\n');
    };
    line(format!("{:<62} {edge} PEs {edge} unit ", "case"), names.clone());
    if edge == "|" {
        line(format!("{:-<62} | --: | ---- ", ""), names.iter().map(|_| "--:".into()).collect());
    }
    for case in rows.cases() {
        let cells = names.iter().map(|name| number(rows.get(name, case))).collect();
        let head = format!("{} {}", case.metric, keys(case));
        line(format!("{head:<62} {edge} {:>3} {edge} {:<5}", case.pes, rows.unit(case)), cells);
    }
    text
}

fn keys(case: &Case) -> String {
    case.keys.iter().map(|(key, value)| format!("{key} {value}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_file_of_each_machine_counts() {
        let names = ["2026-01-02-h200x4.jsonl", "2026-02-01-h200x4.jsonl", "2026-01-09-a-b.jsonl"].map(String::from);
        assert_eq!(newest(&names), [("a-b", "2026-01-09-a-b.jsonl"), ("h200x4", "2026-02-01-h200x4.jsonl")].into());
    }

    #[test]
    fn missed_targets_stay_visible() {
        let targets = "[[target]]\ngroup='host'\nmetric='m'\npes=[2,3]\nbetter='lower'\nbounds={absolute=1}\n\
                       [[target]]\ngroup='device'\nmetric='d'\npes=[2]\nbetter='lower'\nbounds={absolute=1}\n\
                       [[target]]\ngroup='host'\nmetric='m'\npes=[4]\nbetter='lower'\nbounds={absolute=1}\n";
        let mut rows = Rows::default();
        rows.read(
            "{\"commit\":\"c0ffee\"}\n{\"impl\":\"cushmem\",\"pes\":2,\"metric\":\"m\",\"value\":2,\"unit\":\"ns\"}",
        )
        .unwrap();
        let mut page = String::new();
        section(&mut page, "box", "f.jsonl", &rows, &Targets::parse(targets).unwrap()).unwrap();
        assert!(page.contains("· commit c0ffee\n") && page.contains("### host: 0 passed, 3 failed"), "{page}");
        assert_eq!(page.matches("### host").count(), 1, "{page}");
        assert!(page.contains("| m |  | 2 | cushmem | 2.000 ns | – | – | ≤ 1 ns | **MISSED** |"), "{page}");
        assert!(page.contains("**MISSING**") && page.contains("so not met: device (1 targets)"), "{page}");
    }

    #[test]
    fn a_file_without_a_metric_is_refused() {
        let folder = cushmem_scratch::Folder::new("table").unwrap();
        fs::write(folder.join("2026-01-02-box.jsonl"), "{\"app\":\"lbm\",\"iteration_us\":1.5}\n").unwrap();
        let refused = runs(&folder).err().map(|error| error.to_string());
        assert!(refused.is_some_and(|r| r.contains("2026-01-02-box.jsonl has no row of a metric")));
    }

    /// Catches a run that was added, or a target that was changed, without writing the page and the figure again.
    #[test]
    fn the_committed_page_and_figure_are_what_the_files_say() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/perf");
        if folder.exists() {
            table(&folder, true).unwrap();
        }
    }
}
