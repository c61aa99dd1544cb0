//! `cargo xtask perf recording`: what it costs that the library could record, and does not. It compares `shmem-bench`
//! with one whose library was built so that it cannot, first what is the same in both ([`identical`]), then in turn,
//! row by row. Both are built in one codegen unit: with several, the compiler divides the programs in different ways,
//! and inlines different functions in what has nothing to do with recording.
//!
//! Each turn has a run of both, so a row has a ratio for each turn. The median of these is the row's, and a range says
//! how far it may be off ([`Ratios`]). Ratios of runs of the same program in successive turns are the control.

use super::identical::{Identical, identical};
use super::rows::{Case, Rows};
use crate::build::{Profile, bin_dir};
use crate::machine::cuda_gpus;
use crate::process::{cargo, run, run_limited, show};
use crate::report::{say, shown, write_file};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use cushmem_environment as environment;
use cushmem_numbers::median;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// What `cargo xtask perf recording` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Measure nothing, and compare the runs in these files: each run begins with a line {"build":"with","turn":1}, or
    /// "without"
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Number of turns; an even one. With 0, only what is the same in both programs is printed
    #[arg(long, default_value_t = 6)]
    pub turns: usize,
    /// Measure only this part of shmem-bench, with its options, such as 'device --only proxy'; may be repeated
    #[arg(long, value_name = "WORDS")]
    pub part: Vec<String>,
    /// Print only rows that have this in their name, such as proxy; may be repeated
    #[arg(long, value_name = "WORD")]
    pub rows: Vec<String>,
    /// Print only rows that are not within the limit
    #[arg(long)]
    pub missed: bool,
}

/// The ratio may differ from 1 by so much.
const LIMIT: f64 = 0.005;
const LONGEST: Duration = Duration::from_secs(300);
const BUILDS: [&str; 2] = ["with", "without"];

/// Measures, or reads what was measured, and prints a line for each row.
pub fn recording(options: &Options) -> Result<()> {
    let mut text = String::new();
    for path in &options.files {
        let file = cushmem_environment::text_of(path).with_context(|| format!("read {}", shown(path)))?;
        text += &file;
        text.push('\n');
    }
    if options.files.is_empty() {
        ensure!(options.turns.is_multiple_of(2), "--turns {}: an even number", options.turns);
        let workspace = &Workspace::load()?;
        let folders = both(workspace)?;
        say(same(workspace, &folders)?)?;
        if options.turns == 0 {
            return Ok(());
        }
        text = measure(workspace, &folders, options)?;
    }
    let is_asked = |row: &Row| {
        let name = row.case.to_string();
        options.rows.is_empty() || options.rows.iter().any(|word| name.contains(word.as_str()))
    };
    let rows: Vec<Row> = compare(&Runs::of(&text)?).into_iter().filter(is_asked).collect();
    for row in rows.iter().filter(|row| !(options.missed && row.verdict() == Verdict::Within)) {
        say(row)?;
    }
    say(Sum(&rows))
}

/// Builds both programs.
fn both(workspace: &Workspace) -> Result<[PathBuf; 2]> {
    let folders = BUILDS.map(|build| workspace.target.join(format!("{build}-recording")));
    for (build, folder) in BUILDS.iter().zip(&folders) {
        let mut command = cargo();
        command.current_dir(&workspace.root).args(["build", "--quiet", "--release", "-p", "cushmem-launcher"]);
        command.args(["-p", "shmem-bench"]).env("CARGO_TARGET_DIR", folder);
        command.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
        match *build {
            "without" => command.env("CUSHMEM_WITHOUT_RECORDING", "1"),
            _ => command.env_remove("CUSHMEM_WITHOUT_RECORDING"),
        };
        run(&mut command)?;
    }
    Ok(folders.map(|folder| bin_dir(&folder, Profile::Release)))
}

/// What is the same in both.
fn same(workspace: &Workspace, folders: &[PathBuf; 2]) -> Result<Identical> {
    let mut kernels = vec![];
    for folder in ["runtime/kernels/prebuilt", "apps/bench/kernels/prebuilt"] {
        for file in fs::read_dir(workspace.root.join(folder)).with_context(|| format!("read {folder}"))? {
            kernels.push(file?.path());
        }
    }
    identical(&folders.each_ref().map(|folder| folder.join("shmem-bench")), &kernels)
}

/// Runs both programs in turn.
fn measure(workspace: &Workspace, folders: &[PathBuf; 2], options: &Options) -> Result<String> {
    let turns = options.turns;
    let has_gpus = cuda_gpus().is_ok_and(|n| n > 1);
    let all: &[&str] = if has_gpus { &["host", "device"] } else { &["host"] };
    let asked: Vec<&str> = options.part.iter().map(String::as_str).collect();
    let parts = if asked.is_empty() { all } else { &asked };
    let file = workspace.target.join("perf/recording.jsonl");
    fs::create_dir_all(workspace.target.join("perf"))?;
    let mut text = String::new();
    for (turn, part) in (1..=turns).flat_map(|turn| parts.iter().map(move |part| (turn, part))) {
        for index in in_turn(turn) {
            say(format_args!("turn {turn} of {turns}: {part}, {} recording", BUILDS[index]))?;
            let rows = run_one(&folders[index], part, has_gpus, &file)?;
            text += &format!("{{\"build\":\"{}\",\"turn\":{turn}}}\n{rows}", BUILDS[index]);
        }
    }
    write_file(&file, &text)?;
    say(format_args!("{}", shown(&file)))?;
    Ok(text)
}

/// The order in which both run: neither is always the first.
fn in_turn(turn: usize) -> [usize; 2] {
    if turn.is_multiple_of(2) { [1, 0] } else { [0, 1] }
}

fn run_one(folder: &Path, part: &str, has_gpus: bool, json: &Path) -> Result<String> {
    let mut command = Command::new(folder.join("shmemrun"));
    command.args(["-n", "2"]).arg(folder.join("shmem-bench")).args(part.split_whitespace()).arg("--json").arg(json);
    if !has_gpus {
        command.env(environment::GPU.name, "none");
    }
    let (ended, said) = run_limited(&mut command, LONGEST)?;
    if let Some(how) = ended.failure() {
        bail!("{}: {how}\n{}", show(&command), said.trim_end());
    }
    fs::read_to_string(json).with_context(|| format!("read {}", shown(json)))
}

/// The rows of each turn, of both programs.
struct Runs(Vec<[Rows; 2]>);

impl Runs {
    fn of(text: &str) -> Result<Self> {
        let mut runs: Vec<[Rows; 2]> = vec![];
        let mut at = None;
        for line in text.lines().filter(|line| line.starts_with('{')) {
            let object: serde_json::Value = serde_json::from_str(line).with_context(|| format!("read {line}"))?;
            if let Some(which) = object.get("build") {
                let build = BUILDS.into_iter().position(|build| which == build);
                let build = build.with_context(|| format!("{line}: the builds are {}", BUILDS.join(" and ")))?;
                let turn =
                    object.get("turn").and_then(serde_json::Value::as_u64).filter(|turn| (1..=1000).contains(turn));
                let turn = turn.with_context(|| format!("{line}: turns are numbers from 1 to 1000"))? as usize;
                runs.resize_with(runs.len().max(turn), Default::default);
                at = Some((turn - 1, build));
            } else {
                let (turn, build) = at.context("there are rows before a line {\"build\":…,\"turn\":…}")?;
                runs[turn][build].read(line)?;
            }
        }
        ensure!(runs.len() > 1, "there are fewer than two turns");
        Ok(Self(runs))
    }

    fn value(&self, turn: usize, build: usize, case: &Case) -> Option<f64> {
        self.0.get(turn)?[build].get("cushmem", case).filter(|value| *value > 0.0)
    }
}

/// Ratios: the median, and the range in which the true one lies at 19 of 20 times, because each ratio is above or below
/// that one by the toss of a coin. With fewer than six ratios it is the range of all, and holds less often.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Ratios {
    median: f64,
    low: f64,
    high: f64,
}

impl Ratios {
    fn of(mut all: Vec<f64>) -> Option<Self> {
        all.sort_unstable_by(f64::total_cmp);
        let outside = outside(all.len());
        let (low, high) = (*all.get(outside)?, *all.get(all.len() - 1 - outside)?);
        Some(Self { median: median(&mut all)?, low, high })
    }
}

/// How many of so many ratios may be left out on each side: the most of which it happens at 1 of 40 times at most that
/// only these, or fewer, are on one side of the true median.
fn outside(number: usize) -> usize {
    let (mut chance, mut sum) = (0.5_f64.powi(number as i32), 0.0);
    for below in 0..number {
        sum += chance;
        if sum > 0.025 {
            return below.saturating_sub(1);
        }
        chance *= (number - below) as f64 / (below + 1) as f64;
    }
    0
}

impl fmt::Display for Ratios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let percent = |ratio: f64| (ratio - 1.0) * 100.0;
        write!(f, "{:+7.2} % ({:+.2} to {:+.2})", percent(self.median), percent(self.low), percent(self.high))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// The range is within the limit.
    Within,
    /// The range is beyond it.
    Beyond,
    /// The range is too wide to tell.
    Noise,
}

/// What was measured in a case.
struct Row {
    case: Case,
    value: f64,
    unit: String,
    /// With recording to without, in each turn.
    ratios: Ratios,
    /// The same build in successive turns.
    again: Option<Ratios>,
}

impl Row {
    fn verdict(&self) -> Verdict {
        let Ratios { low, high, .. } = self.ratios;
        if low >= 1.0 - LIMIT && high <= 1.0 + LIMIT {
            Verdict::Within
        } else if low > 1.0 + LIMIT || high < 1.0 - LIMIT {
            Verdict::Beyond
        } else {
            Verdict::Noise
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.verdict() {
            Verdict::Within => "within",
            Verdict::Beyond => "beyond",
            Verdict::Noise => "noise",
        };
        let again = self.again.map_or("-".into(), |again| again.to_string());
        write!(
            f,
            "{verdict:7} {:<62} {:10.4} {:5} {}   same build {again}",
            self.case, self.value, self.unit, self.ratios
        )
    }
}

/// The rows that both builds have in at least two turns.
fn compare(runs: &Runs) -> Vec<Row> {
    let mut cases: Vec<&Case> = runs.0.iter().flatten().flat_map(Rows::cases).collect();
    cases.sort();
    cases.dedup();
    let turns = 0..runs.0.len();
    let of = |case: &Case| {
        let value = |turn, build| runs.value(turn, build, case);
        let with: Vec<f64> = turns.clone().filter_map(|turn| value(turn, 0)).collect();
        let ratios: Vec<f64> = turns.clone().filter_map(|turn| Some(value(turn, 0)? / value(turn, 1)?)).collect();
        // Pairs that share no run, so that there are as many of them as turns.
        let pairs = turns.clone().step_by(2).flat_map(|turn| [(turn, 0), (turn, 1)]);
        let again = pairs.filter_map(|(turn, build)| Some(value(turn, build)? / value(turn + 1, build)?)).collect();
        let unit = runs.0.iter().flatten().map(|rows| rows.unit(case)).find(|unit| !unit.is_empty()).unwrap_or("");
        let row = |ratios| Row {
            case: case.clone(),
            value: median(&mut with.clone()).unwrap_or(0.0),
            unit: unit.into(),
            ratios,
            again: Ratios::of(again),
        };
        (ratios.len() > 1).then_some(ratios).and_then(Ratios::of).map(row)
    };
    cases.into_iter().filter_map(of).collect()
}

/// What all rows say together.
struct Sum<'a>(&'a [Row]);

impl fmt::Display for Sum<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = |verdict| self.0.iter().filter(|row| row.verdict() == verdict).count();
        let is_near = |ratios: &Ratios| (ratios.median - 1.0).abs() <= LIMIT;
        let again: Vec<Ratios> = self.0.iter().filter_map(|row| row.again).collect();
        let near =
            [self.0.iter().filter(|row| is_near(&row.ratios)).count(), again.iter().filter(|r| is_near(r)).count()];
        let all = Ratios::of(self.0.iter().map(|row| row.ratios.median).collect());
        let all_again = Ratios::of(again.iter().map(|ratios| ratios.median).collect());
        let shown = |ratios: Option<Ratios>| ratios.map_or("-".into(), |ratios| ratios.to_string());
        writeln!(
            f,
            "{} rows: {} within {} %, {} beyond it, {} with too much noise to tell",
            self.0.len(),
            of(Verdict::Within),
            LIMIT * 100.0,
            of(Verdict::Beyond),
            of(Verdict::Noise)
        )?;
        writeln!(f, "medians within it: {}; of the same build twice: {} of {}", near[0], near[1], again.len())?;
        write!(f, "median of the rows' medians: {}; of the same build twice: {}", shown(all), shown(all_again))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(rows: impl Fn(usize, usize) -> Vec<(&'static str, f64)>) -> String {
        let mut text = String::new();
        for turn in 1..=4 {
            for build in in_turn(turn) {
                text += &format!("{{\"build\":\"{}\",\"turn\":{turn}}}\n{{\"commit\":\"abc\"}}\n", BUILDS[build]);
                for (metric, value) in rows(turn, build) {
                    let row = serde_json::json!({"impl": "cushmem", "pes": 2, "metric": metric, "value": value, "unit": "us"});
                    text += &format!("{row}\n");
                }
            }
        }
        text
    }

    /// Catches builds that are swapped, a difference that is taken for noise, and noise for a difference.
    #[test]
    fn differences_are_told_from_noise() {
        let rows = |turn: usize, build: usize| {
            let is_with = build == 0;
            let jump = if turn.is_multiple_of(2) { 1.1 } else { 1.0 };
            vec![
                ("host_a", if is_with { 2.006 } else { 2.0 }),
                ("host_b", if is_with { 2.1 * jump } else { 2.0 * jump }),
                ("host_c", if is_with { 2.0 } else { 2.0 * jump }),
            ]
        };
        let rows = compare(&Runs::of(&text(rows)).unwrap());
        let verdicts: Vec<Verdict> = rows.iter().map(Row::verdict).collect();
        assert_eq!(verdicts, [Verdict::Within, Verdict::Beyond, Verdict::Noise]);
        assert!((rows[1].ratios.median - 1.05).abs() < 1e-9, "{:?}", rows[1].ratios);
        let again = rows[1].again.unwrap();
        assert!((again.median - 1.0 / 1.1).abs() < 1e-9, "{again:?}");
        let said = Sum(&rows).to_string();
        assert!(said.starts_with("3 rows: 1 within 0.5 %, 1 beyond it, 1 with too much noise to tell\nmedians within it: 1; of the same build twice: 1 of 3\n"), "{said}");
    }

    /// The ranks of a sign test's interval for the median, from a table.
    #[test]
    fn the_range_has_the_median() {
        let found = [1, 5, 6, 8, 9, 12, 17, 20, 40].map(outside);
        assert_eq!(found, [0, 0, 0, 0, 1, 2, 4, 5, 13]);
    }

    #[test]
    fn files_that_say_nothing_are_refused() {
        for text in [
            "",
            "{\"build\":\"with\",\"turn\":1}",
            "{\"build\":\"other\",\"turn\":1}",
            "{\"build\":\"with\",\"turn\":0}",
            "{\"metric\":\"x\"}",
        ] {
            assert!(Runs::of(text).is_err(), "{text}");
        }
    }
}
