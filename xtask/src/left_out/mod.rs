//! What a test run could not do on this machine. A test that cannot run something here appends `name: reason` to the
//! file that `CUSHMEM_TEST_LEFT_OUT` names, and passes; `cargo xtask test` prints the list at its end, and fails if something is on it
//! that this machine could have done. Nothing is left out silently.

pub mod expected;

use anyhow::{Context, Result, bail};
use expected::Expected;
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

/// What `cargo xtask left-out` is asked to do.
#[derive(Clone, Debug, clap::Args)]
pub struct Options {
    /// Lines `name: reason`, as tests write them
    pub file: PathBuf,
}

/// Prints the list of tests that were started by hand; an error if it has lines that this machine does not explain.
pub fn left_out(options: &Options) -> Result<()> {
    List { path: options.file.clone() }.close(&[])
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

    /// Prints what was left out, the tests' lines, each once, and `more`; an error if this machine does not explain a line.
    pub fn close(&self, more: &[String]) -> Result<()> {
        let text = fs::read_to_string(&self.path).with_context(|| format!("read {}", self.path.display()))?;
        let mut lines: Vec<&str> = text.lines().chain(more.iter().map(String::as_str)).collect();
        lines.sort_unstable();
        lines.dedup();
        // The target folder, or one that somebody named, which has no tools.
        let tools = self.path.with_file_name("tools");
        let expected = Expected::of_this_machine(&tools)?;
        let (explained, strange): (Vec<&str>, Vec<&str>) = lines.iter().partition(|line| expected.explains(line));
        for line in &explained {
            println!("left out: {line}");
        }
        for line in &strange {
            println!("left out, but this machine has what it needs: {line}");
        }
        match (explained.len(), strange.len()) {
            (0, 0) => println!("left out: nothing"),
            (_, 0) => {}
            (_, n) => bail!("{n} left out that this machine should run; tests/left-out.toml says what may be"),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run that leaves out what nobody listed must not end well.
    #[test]
    fn a_line_that_nothing_explains_is_an_error() {
        let folder = std::env::temp_dir().join(format!("cushmem-left-out-{}", std::process::id()));
        let list = List::new(&folder).expect("room for a list");
        assert!(list.close(&[]).is_ok());
        let error = list.close(&["a test: it is Monday".into()]).expect_err("no machine lacks other days").to_string();
        assert!(error.starts_with("1 left out"), "{error}");
        fs::write(list.path(), "a test: it is Monday\nanother: too\n").expect("room for lines");
        assert!(list.close(&["a test: it is Monday".into()]).is_err_and(|e| e.to_string().starts_with("2 left out")));
        fs::remove_dir_all(folder).expect("the folder is ours");
    }
}
