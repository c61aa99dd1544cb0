//! What a test run could not do on this machine. A test that cannot run something here appends `name: reason` to the
//! file that `CUSHMEM_TEST_LEFT_OUT` names, and passes. At its end, `cargo xtask test` prints the list, and fails if it
//! contains something that this machine could have run. Nothing is left out silently.
//!
//! Suites append `ran: name` for each job that succeeded. A run of all suites fails if the committed list names a kind
//! of job and no such job ran. So a suite that does nothing cannot pass, and neither can a suite whose lines are lost.

pub mod expected;

use anyhow::{Context, Result, bail};
use expected::Expected;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The variable that names the file.
pub const VARIABLE: &str = "CUSHMEM_TEST_LEFT_OUT";

/// The start of lines about jobs that ran.
pub(crate) const RAN: &str = "ran: ";

/// Called by a test: records that `name` was left out, and why.
pub fn record(name: &str, reason: &str) {
    eprintln!("left out: {name}: {reason}");
    append(&format!("{name}: {reason}\n"));
}

/// Called by a suite: records that a job of this kind succeeded.
pub fn ran(kind: &str) {
    append(&format!("{RAN}{kind}\n"));
}

fn append(line: &str) {
    let Some(path) = std::env::var_os(VARIABLE) else { return };
    let file = OpenOptions::new().create(true).append(true).open(path);
    // One write, so that lines of tests that run at the same time do not mix.
    if let Err(error) = file.and_then(|mut f| f.write_all(line.as_bytes())) {
        panic!("cannot write to ${VARIABLE}: {error}: {line}");
    }
}

/// Options of `cargo xtask left-out`.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// File with lines `name: reason` and `ran: name`, as tests write them
    pub file: PathBuf,
    /// The file is from all suites: also fail if a suite ran no job that this machine can run
    #[arg(long)]
    pub all: bool,
}

/// Prints the list of tests that were started by hand; fails if nothing about this machine explains one of its lines.
pub fn left_out(options: &Options) -> Result<()> {
    let suites = if options.all { Suites::All } else { Suites::Some };
    List { path: options.file.clone() }.close(&[], suites)
}

/// The suites whose lines a list contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suites {
    /// Every suite.
    All,
    /// The suites that somebody chose.
    Some,
}

/// The list of one run of the tests.
pub struct List {
    path: PathBuf,
}

impl List {
    /// Makes an empty list in the folder.
    pub fn new(folder: &Path) -> Result<Self> {
        let path = folder.join("left-out.txt");
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, ""))
            .with_context(|| format!("write {}", path.display()))?;
        Ok(Self { path })
    }

    /// The file, for the environment of tests.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether a test whose name starts like this was left out.
    pub fn has(&self, start: &str) -> Result<bool> {
        let text = fs::read_to_string(&self.path).with_context(|| format!("read {}", self.path.display()))?;
        Ok(text.lines().any(|line| line.starts_with(start)))
    }

    /// Prints each thing that was left out, from the tests' lines and `more`, and the number of jobs that ran. Fails if
    /// nothing about this machine explains a line, or if `suites` is `All` and this machine can run a kind of job that
    /// did not run.
    pub fn close(&self, more: &[String], suites: Suites) -> Result<()> {
        let text = fs::read_to_string(&self.path).with_context(|| format!("read {}", self.path.display()))?;
        let (ran, mut lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with(RAN));
        lines.extend(more.iter().map(String::as_str));
        lines.sort_unstable();
        lines.dedup();
        let mut jobs = BTreeMap::new();
        for kind in ran.iter().filter_map(|line| line.strip_prefix(RAN)) {
            *jobs.entry(kind).or_insert(0) += 1;
        }
        for (kind, n) in &jobs {
            println!("ran: {n} {kind}");
        }
        // Next to the file: in the target folder, or in a folder that somebody named, which has no tools.
        let tools = self.path.with_file_name("tools");
        let expected = Expected::of_this_machine(&tools)?;
        let (explained, strange): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| expected.explains(line));
        for line in &explained {
            println!("left out: {line}");
        }
        for line in &strange {
            println!("left out, but this machine has what it needs: {line}");
        }
        if lines.is_empty() {
            println!("left out: nothing");
        }
        let idle = expected.demanded.iter().filter(|kind| suites == Suites::All && !jobs.contains_key(kind.as_str()));
        let idle: Vec<&str> = idle.map(String::as_str).collect();
        if !idle.is_empty() {
            bail!("not one of these ran, and this machine can run them: {}", idle.join(", "));
        }
        if !strange.is_empty() {
            bail!("{} left out that this machine should run; tests/left-out.toml lists what may be", strange.len());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run that leaves out something that nobody listed must fail.
    #[test]
    fn a_line_that_nothing_explains_is_an_error() {
        let folder = cushmem_scratch::Folder::new("left-out").expect("a folder");
        let list = List::new(&folder).expect("room for a list");
        let close = |more: &[String]| list.close(more, Suites::Some).map_err(|e| e.to_string());
        assert_eq!(close(&[]), Ok(()));
        let error = close(&["a test: it is Monday".into()]).expect_err("no machine lacks other days");
        assert!(error.starts_with("1 left out"), "{error}");
        fs::write(list.path(), "a test: it is Monday\nran: jobs\nanother: too\n").expect("room for lines");
        assert!(close(&["a test: it is Monday".into()]).is_err_and(|e| e.starts_with("2 left out")));
    }
}
