//! `cargo xtask perf count`: uses valgrind's callgrind to count the instructions of a put to a mapped peer and of
//! similar calls, including the loop around them, for the Rust interface and the C interface. Unlike times, the figures
//! are the same in each run.

use super::peers::compile;
use super::rows::Rows;
use super::table::pivot;
use super::verdict::Filter;
use crate::build::{Profile, bin_dir, build};
use crate::library::library;
use crate::process::{run_limited, show};
use crate::ptx::Outcome;
use crate::report::{shown, try_file, write_file};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use cushmem_environment as environment;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// What `cargo xtask perf count` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Append the rows to this file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// The number of calls in the short and in the long run. Their difference excludes the program's start and end.
const CALLS: [u64; 2] = [10_000, 110_000];
const OPERATIONS: [&str; 5] = ["put", "p", "get", "g", "fetch_add"];

/// Counts the instructions, and prints and saves the rows.
pub fn count(options: &Options) -> Result<()> {
    options.json.as_ref().map_or(Ok(()), try_file)?;
    let workspace = &Workspace::load()?;
    let bench = build(workspace, Profile::Release, &["cushmem-launcher", "shmem-bench"])?.join("shmem-bench");
    let mut lines = rows_of("cushmem", |operation, calls| {
        let mut words = vec![bench.clone().into_os_string()];
        words.extend(["count", operation, "--calls", calls].map(OsString::from));
        words
    })?;
    match in_c(workspace) {
        Ok(program) => {
            lines += &rows_of("cushmem-c", |operation, calls| {
                vec![program.clone().into_os_string(), operation.into(), calls.into()]
            })?;
        }
        Err(reason) => println!("left out: cushmem-c: {reason:#}"),
    }
    if let Some(path) = &options.json {
        let before =
            if path.is_file() { fs::read(path).with_context(|| format!("read {}", shown(path)))? } else { vec![] };
        write_file(path, [&before, lines.as_bytes()].concat())?;
    }
    let mut rows = Rows::default();
    rows.read(&lines)?;
    print!("{}", pivot(&rows, " "));
    super::check(workspace, &rows, &Filter::groups(&["count"]), false)
}

/// Compiles the C program, if there is a C compiler.
fn in_c(workspace: &Workspace) -> Result<PathBuf> {
    if let Outcome::LeftOut(reason) = library(Profile::Release)? {
        bail!("{reason}");
    }
    let folder = workspace.target.join("perf");
    fs::create_dir_all(&folder).with_context(|| format!("make {}", folder.display()))?;
    let mut compiler = Command::new(bin_dir(&workspace.target, Profile::Release).join("shmemcc"));
    compile(&mut compiler, workspace, &folder, "count", "cushmem-c")
}

/// Returns a row for each operation; `program` makes the command for an operation and a number of calls.
fn rows_of(who: &str, program: impl Fn(&str, &str) -> Vec<OsString>) -> Result<String> {
    let mut lines = String::new();
    for operation in OPERATIONS {
        let [few, many] = CALLS.map(|calls| instructions(&program(operation, &calls.to_string())));
        let each = each(few?, many?).with_context(|| format!("{who}, {operation}"))?;
        let row = serde_json::json!({
            "impl": who, "pes": 1, "metric": format!("host_{operation}_instructions"), "bytes": 8,
            "value": (each * 100.0).round() / 100.0, "unit": "instructions"
        });
        lines += &format!("{row}\n");
    }
    Ok(lines)
}

/// The instructions of a call, computed from those of the short and the long run.
fn each(few: u64, many: u64) -> Result<f64> {
    let (calls, more) = (CALLS[1] - CALLS[0], many.saturating_sub(few));
    ensure!(more >= calls, "{calls} more calls take only {more} more instructions: the compiler removed the calls");
    Ok(more as f64 / calls as f64)
}

/// The instructions of the whole program. It runs as a job of one PE, which is its own mapped peer. valgrind has too
/// little address space for a large heap or an emulated GPU.
fn instructions(program: &[OsString]) -> Result<u64> {
    let mut command = Command::new("valgrind");
    command.env(environment::GPU.name, "none").env(environment::SYMMETRIC_SIZE.name, "1M");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).args(program);
    let (ended, said) = run_limited(&mut command, Duration::from_secs(120)).context("is valgrind installed?")?;
    if let Some(how) = ended.failure() {
        bail!("{}: {how}\n{}", show(&command), said.trim_end());
    }
    collected(&said).with_context(|| format!("{}: no count in its output:\n{said}", show(&command)))
}

/// The number in `==123== Collected : 4567`.
fn collected(said: &str) -> Option<u64> {
    let line = said.lines().find(|l| l.contains("Collected"))?;
    line.rsplit(':').next()?.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_count() {
        assert_eq!(collected("==7== Events    : Ir\n==7== Collected : 345678\n"), Some(345_678));
        assert_eq!(collected("==7== nothing"), None);
    }

    /// Catches 0 instructions per call, which would meet every target.
    #[test]
    fn calls_that_are_not_there_are_an_error() {
        assert_eq!(each(7, 7 + 1_250_000).unwrap(), 12.5);
        for many in [0, 7, 100_006] {
            assert!(each(7, many).is_err_and(|e| e.to_string().contains("removed the calls")), "{many}");
        }
    }
}
