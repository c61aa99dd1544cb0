//! What a test run could not do on this machine. A test that cannot run something here appends `name: reason` to the
//! file that `CUSHMEM_TEST_LEFT_OUT` names, and passes; `cargo xtask test` prints the list at its end. Nothing is
//! left out silently.

use anyhow::{Context, Result};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Names the file.
pub const VARIABLE: &str = "CUSHMEM_TEST_LEFT_OUT";

/// For a test: says that `name` was left out, and why.
pub fn record(name: &str, reason: &str) {
    eprintln!("left out: {name}: {reason}");
    let Some(path) = std::env::var_os(VARIABLE) else { return };
    let file = OpenOptions::new().create(true).append(true).open(path);
    // One write, so that lines of tests that run at the same time do not mix.
    let written = file.and_then(|mut f| f.write_all(format!("{name}: {reason}\n").as_bytes()));
    if let Err(error) = written {
        eprintln!("left out: {name}: cannot write to ${VARIABLE}: {error}");
    }
}

/// The list of one run of the tests.
pub struct List {
    path: PathBuf,
}

impl List {
    /// An empty list in the folder.
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

    /// Prints what was left out: the tests' lines, each once, and `more`.
    pub fn print(&self, more: &[String]) -> Result<()> {
        let text = fs::read_to_string(&self.path).with_context(|| format!("read {}", self.path.display()))?;
        let mut lines: Vec<&str> = text.lines().chain(more.iter().map(String::as_str)).collect();
        lines.sort_unstable();
        lines.dedup();
        for line in &lines {
            println!("left out: {line}");
        }
        if lines.is_empty() {
            println!("left out: nothing");
        }
        Ok(())
    }
}
