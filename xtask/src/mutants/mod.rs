//! `cargo xtask mutants`: changes the pure crates in small ways, one change at a time, and runs the tests of the
//! changed crate, which should fail. The mutants that may survive are on a committed list, `tests/mutants.toml`, with
//! the reason why they make no difference; any other survivor is an error. This is not part of `ci`, because running
//! all mutants takes hours.

pub mod list;
pub mod outcome;
mod ptx;

use crate::commit;
use crate::process::{run, show, without_build_settings};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail, ensure};
use list::{List, Part};
use outcome::{Mutant, Summary, read, score};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The version of cargo-mutants; other versions make other changes.
const VERSION: &str = "27.1.0";
/// The mutants are divided into this many shares, so that a run takes about 20 minutes on two cores.
const SHARES: u32 = 8;

/// Options of `cargo xtask mutants`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// Run all mutants instead of one share; this takes hours
    #[arg(long)]
    pub all: bool,
    /// Run this share, of eight, instead of the one that the commit chooses
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(0..i64::from(SHARES)), conflicts_with = "all")]
    pub share: Option<u32>,
    /// Run all mutants of these crates
    #[arg(short, long, value_name = "CRATE", conflicts_with = "share")]
    pub package: Vec<String>,
    /// Instead, make kernels of the litmus tests that lack a fence, an acquire or a release, in this folder, for
    /// `cushmem-litmus --mutants` on a machine with GPUs
    #[arg(long, value_name = "DIR", conflicts_with_all = ["all", "share", "package"])]
    pub ptx: Option<PathBuf>,
}

/// Runs the tests with each mutant. Fails if a mutant survives that is not on the list.
pub fn mutants(options: &Options) -> Result<()> {
    if let Some(folder) = &options.ptx {
        return ptx::write(folder);
    }
    let workspace = Workspace::load()?;
    let list = List::load(&workspace.root)?;
    let parts = list.parts(&options.package)?;
    let tool = Tool::get(&workspace)?;
    let whole = options.all || !options.package.is_empty();
    let share = (!whole).then(|| options.share.unwrap_or(commit::number(&workspace) % SHARES));
    if let Some(share) = share {
        println!("share {share} of {SHARES}: `cargo xtask mutants --share {share}` repeats it");
    }
    let mut found = tool.tests(&parts, share)?;
    for part in parts.iter().filter(|p| p.model) {
        tool.model(part, &mut found)?;
    }
    let survivors: Vec<&Mutant> = found.iter().filter(|m| m.summary == Summary::MissedMutant).collect();
    let (excused, surprises): (Vec<&Mutant>, Vec<&Mutant>) = survivors.iter().partition(|m| list.excuses(m));
    // A share may lack the mutants that an entry is about.
    let stale = if whole { list.stale(&found) } else { vec![] };
    for line in score(&found, &excused) {
        println!("{line}");
    }
    for mutant in &surprises {
        println!("survives: {}\n    at: {}", mutant.name, mutant.at);
    }
    for equivalent in &stale {
        println!("no such survivor: {}: {}\n    at: {}", equivalent.file, equivalent.change, equivalent.at);
    }
    ensure!(surprises.is_empty(), "{} mutants survive that tests/mutants.toml does not list", surprises.len());
    ensure!(stale.is_empty(), "tests/mutants.toml lists {} mutants that do not survive", stale.len());
    Ok(())
}

/// The program `cargo-mutants`.
struct Tool<'a> {
    workspace: &'a Workspace,
    program: PathBuf,
}

impl<'a> Tool<'a> {
    /// Installs it, unless it is installed already.
    fn get(workspace: &'a Workspace) -> Result<Self> {
        let tools = workspace.target.join("tools");
        let program = tools.join("bin/cargo-mutants");
        let answer = Command::new(&program).args(["mutants", "--version"]).output();
        if !answer.is_ok_and(|a| String::from_utf8_lossy(&a.stdout).trim() == format!("cargo-mutants {VERSION}")) {
            let mut install = without_build_settings("cargo");
            install.args(["install", "cargo-mutants", "--version", VERSION, "--locked", "--debug", "--root"]);
            run(install.arg(&tools))?;
        }
        Ok(Self { workspace, program })
    }

    /// Runs each crate's tests, without the examples in its documentation.
    fn tests(&self, parts: &[&Part], share: Option<u32>) -> Result<Vec<Mutant>> {
        let (mut command, out) = self.command(parts, "tests")?;
        command.args(share.map(|share| format!("--shard={share}/{SHARES}")));
        self.outcome(command.args(["--", "--tests"]), &out)
    }

    /// Tries the survivors in this crate again with its model, which explores memory orders that this machine does not
    /// show.
    fn model(&self, part: &Part, found: &mut [Mutant]) -> Result<()> {
        let (mut command, out) = self.command(&[part], "model")?;
        let survives = |m: &&mut Mutant| m.package == part.package && m.summary == Summary::MissedMutant;
        let mut survivors: Vec<&mut Mutant> = found.iter_mut().filter(survives).collect();
        if survivors.is_empty() {
            return Ok(());
        }
        command.args(survivors.iter().map(|m| format!("--re=^{}$", escaped(&m.name))));
        command.env("RUSTFLAGS", "--cfg loom").args(["--profile", "release", "--", "--test", "model"]);
        for again in self.outcome(&mut command, &out)? {
            if let Some(mutant) = survivors.iter_mut().find(|m| m.name == again.name) {
                mutant.summary = again.summary;
            }
        }
        Ok(())
    }

    /// The command that mutates these parts, and the folder for its results.
    fn command(&self, parts: &[&Part], folder: &str) -> Result<(Command, PathBuf)> {
        let out = self.workspace.target.join("mutants").join(folder);
        std::fs::create_dir_all(&out).with_context(|| format!("make {}", out.display()))?;
        let mut command = without_build_settings(&self.program.to_string_lossy());
        command.current_dir(&self.workspace.root).args(["mutants", "--no-times", "--jobs=1"]);
        // By default it waits at least 20 s, even if the tests take one second.
        command.args(["--minimum-test-timeout=10", "--output"]).arg(&out);
        for part in parts {
            command.arg(format!("--package={}", part.package));
            command.args(part.files(self.workspace)?.map(|file| format!("--file={file}")));
        }
        Ok((command, out))
    }

    fn outcome(&self, command: &mut Command, out: &Path) -> Result<Vec<Mutant>> {
        let status = command.status().with_context(|| format!("start {}", show(command)))?;
        match status.code() {
            // 0: all mutants were caught; 2: some were not; 3: some timed out.
            Some(0 | 2 | 3) => read(&out.join("mutants.out/outcomes.json"), &self.workspace.root),
            _ => bail!("{}: {status}", show(command)),
        }
    }
}

/// A regular expression that matches exactly this text.
fn escaped(text: &str) -> String {
    text.chars().flat_map(|c| r"\.+*?()|[]{}^$".contains(c).then_some('\\').into_iter().chain([c])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_expressions() {
        assert_eq!(escaped("a.rs:1:2: replace f -> u32 with (1 + 1)"), r"a\.rs:1:2: replace f -> u32 with \(1 \+ 1\)");
    }
}
