//! What cargo-deny checks of all dependencies. The list of advisories comes from the network; without it, the check of
//! advisories is left out.

use crate::process::{run, run_limited};
use crate::ptx::Outcome;
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Where cargo-deny gets the list of advisories from.
const ADVISORIES: &str = "https://github.com/RustSec/advisory-db";

/// The list is 10 MB.
const FETCHED_IN: Duration = Duration::from_secs(120);
const ANSWERED_IN: Duration = Duration::from_secs(20);

/// Checks the licences and the sources of all dependencies, and that none is banned.
pub fn deny(root: &Path, target: &Path) -> Result<Outcome> {
    let Some(deny) = CargoDeny::find(root, target) else { return Ok(not_installed()) };
    run(deny.command().args(["check", "licenses", "bans", "sources"]))?;
    Ok(Outcome::Done)
}

/// Checks that there is no advisory about a dependency, if the list of advisories can be fetched.
pub fn advisories(root: &Path, target: &Path) -> Result<Outcome> {
    let Some(deny) = CargoDeny::find(root, target) else { return Ok(not_installed()) };
    deny.advisories(|command| command)
}

/// Whether the list of advisories can be reached.
pub fn has_advisories() -> bool {
    let mut git = Command::new("git");
    git.env("GIT_TERMINAL_PROMPT", "0").args(["ls-remote", "--quiet", ADVISORIES, "HEAD"]);
    run_limited(&mut git, ANSWERED_IN).is_ok_and(|(ended, _)| ended.failure().is_none())
}

fn not_installed() -> Outcome {
    Outcome::LeftOut("cargo-deny is not installed: cargo install cargo-deny --locked".into())
}

struct CargoDeny {
    program: PathBuf,
    root: PathBuf,
}

impl CargoDeny {
    fn find(root: &Path, target: &Path) -> Option<Self> {
        let candidates = [PathBuf::from("cargo-deny"), target.join("tools/bin/cargo-deny")];
        let works = |p: &PathBuf| Command::new(p).arg("--version").output().is_ok_and(|o| o.status.success());
        candidates.into_iter().find(works).map(|program| Self { program, root: root.into() })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.root).args(["--log-level", "error"]);
        command
    }

    /// `adapt` changes the commands. What goes wrong before there is a list says nothing about the dependencies; what
    /// goes wrong afterwards is an error.
    fn advisories(&self, adapt: impl Fn(&mut Command) -> &mut Command) -> Result<Outcome> {
        let mut fetch = self.command();
        let (ended, said) =
            run_limited(adapt(&mut fetch).env("GIT_TERMINAL_PROMPT", "0").args(["fetch", "db"]), FETCHED_IN)?;
        if let Some(how) = ended.failure() {
            // git's last words are advice.
            let why = said.lines().find_map(|line| line.strip_prefix("fatal: ")).unwrap_or(&how);
            return Ok(Outcome::LeftOut(format!("the list of advisories cannot be fetched: {why}")));
        }
        // The check reads the manifests of all crates, also of those for other systems, which no build has fetched.
        let mut fetch = Command::new("cargo");
        let (ended, said) =
            run_limited(fetch.current_dir(&self.root).args(["fetch", "--quiet", "--locked"]), FETCHED_IN)?;
        if let Some(how) = ended.failure() {
            bail!("cargo fetch: {how}\n{}", said.trim_end());
        }
        let mut check = self.command();
        // Offline, it takes the list that was just fetched.
        let (ended, said) = run_limited(adapt(&mut check).args(["--offline", "check", "advisories"]), FETCHED_IN)?;
        match ended.failure() {
            None => Ok(Outcome::Done),
            Some(how) => bail!("cargo deny check advisories: {how}\n{}", said.trim_end()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::left_out;
    use crate::workspace::Workspace;
    use cushmem_scratch::Folder;
    use std::fs;

    /// A git repository for a list of advisories, in a folder of its own.
    struct List(Folder);

    impl List {
        fn new() -> Self {
            let folder = Folder::new("deny").expect("room for a folder");
            fs::create_dir_all(folder.join("list")).expect("room for a folder");
            // cargo-deny keeps what it fetched away from the user's.
            let settings = format!("[advisories]\ndb-path = {:?}\n", folder.join("fetched"));
            fs::write(folder.join("deny.toml"), settings).expect("room for a file");
            let list = Self(folder);
            list.git(&["init", "--quiet", "--initial-branch", "main"]);
            list
        }

        fn git(&self, arguments: &[&str]) {
            let mut git = Command::new("git");
            git.current_dir(self.0.join("list")).args([
                "-c",
                "user.name=a",
                "-c",
                "user.email=a@example.org",
                "-c",
                "commit.gpgsign=false",
            ]);
            run(git.args(arguments)).expect("git");
        }

        /// Replaces the list by one made-up advisory.
        fn is_about(&self, package: &str) {
            let crates = self.0.join("list/crates");
            let _ = fs::remove_dir_all(&crates);
            fs::create_dir_all(crates.join(package)).expect("room for a folder");
            let text = format!(
                "```toml\n[advisory]\nid = \"RUSTSEC-2026-9999\"\npackage = \"{package}\"\ndate = \"2026-11-01\"\n\n\
                 [versions]\npatched = []\n```\n\n# Made up\n\nNothing is wrong.\n"
            );
            fs::write(crates.join(package).join("RUSTSEC-2026-9999.md"), text).expect("room for a file");
            self.git(&["add", "--all"]);
            self.git(&["commit", "--quiet", "--message", package]);
        }

        /// Checks our dependencies, with this list instead of the real one.
        fn check(&self, deny: &CargoDeny) -> Result<Outcome> {
            let instead = format!("url.file://{}.insteadOf", self.0.join("list").display());
            deny.advisories(|command| {
                let command = command.arg("--config").arg(self.0.join("deny.toml"));
                command
                    .env("GIT_CONFIG_COUNT", "1")
                    .env("GIT_CONFIG_KEY_0", &instead)
                    .env("GIT_CONFIG_VALUE_0", ADVISORIES)
            })
        }
    }

    /// Catches an advisory that passes as a list that cannot be fetched, and the reverse.
    #[test]
    fn an_advisory_fails_and_a_missing_list_is_left_out() {
        let workspace = Workspace::load().expect("this workspace");
        let Some(deny) = CargoDeny::find(&workspace.root, &workspace.target) else {
            return left_out::record("advisories", "cargo-deny is not installed");
        };
        let list = List::new();
        let Ok(Outcome::LeftOut(why)) = list.check(&deny) else { panic!("the list has no branch") };
        assert!(why.starts_with("the list of advisories cannot be fetched: ") && !why.contains('\n'), "{why}");
        list.is_about("anyhow");
        let error = list.check(&deny).expect_err("an advisory").to_string();
        assert!(error.contains("RUSTSEC-2026-9999") && error.contains("Made up"), "{error}");
        list.is_about("a-crate-that-nobody-uses");
        assert_eq!(list.check(&deny).expect("nothing is wrong"), Outcome::Done);
    }
}
