//! The subcommands, run as processes, as people and CI start them. A fault that one finds has to show in its exit
//! status.

mod bundle;
mod compare;
mod endure;
mod left_out;
mod perf;
mod ptx;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use xtask::executable;
use xtask::process::{Ended, run_limited};

/// Time limit of a subcommand. Each takes a fraction of it here.
const LIMIT: Duration = Duration::from_secs(60);

/// A folder for one test.
struct Folder(cushmem_scratch::Folder);

impl Folder {
    fn new(test: &str) -> Self {
        Self(cushmem_scratch::Folder::new(test).expect("room for a folder"))
    }

    /// A folder that cargo takes to be a workspace of one crate.
    fn workspace(test: &str, more: &str) -> Self {
        let folder = Self::new(test);
        let manifest = format!("[package]\nname = \"kernels\"\nedition = \"2024\"\n{more}\n[workspace]\n");
        folder.write("Cargo.toml", &manifest);
        folder.write("src/lib.rs", "");
        folder
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("room for a folder");
        fs::write(&path, text).expect("room for a file");
        path
    }

    fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it is in the folder")).expect("room for a folder");
        executable::write(&path, &format!("#!/bin/sh\n{text}")).expect("room for a file");
        path
    }

    /// Runs a subcommand in the folder.
    fn xtask(&self, words: &[&str]) -> (Ended, String) {
        self.run(Path::new(env!("CARGO_BIN_EXE_xtask")), words)
    }

    /// Runs a subcommand in the folder with these variables.
    fn run_with(&self, variables: &[(&str, &str)], words: &[&str]) -> (Ended, String) {
        self.start(Path::new(env!("CARGO_BIN_EXE_xtask")), variables, words)
    }

    /// Runs a program in the folder; programs in its `bin` hide those of the machine.
    fn run(&self, program: &Path, words: &[&str]) -> (Ended, String) {
        self.start(program, &[], words)
    }

    fn start(&self, program: &Path, variables: &[(&str, &str)], words: &[&str]) -> (Ended, String) {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(program);
        command.args(words).current_dir(&self.0).env_remove("CARGO_TARGET_DIR").env_remove("OUT");
        command.env("PATH", format!("{}:{path}", self.0.join("bin").display())).envs(variables.iter().copied());
        run_limited(&mut command, LIMIT).expect("the program starts")
    }
}

/// Fails unless a program ended well or not, as `well` says, and its output contains all of `texts`.
#[track_caller]
fn expect((ended, said): (Ended, String), well: bool, texts: &[&str]) {
    assert_eq!(ended == Ended::Well, well, "{ended:?}: {said}");
    for text in texts {
        assert!(said.contains(text), "`{text}` is not in:\n{said}");
    }
}
