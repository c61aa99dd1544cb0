//! What a slow check depends on, as one number, and the committed list of the numbers with which each check has passed.
//!
//! The number covers the contents of files, the lock file and the compiler, never a file's time. A check whose number
//! is on the list would do the same again, so `ci` leaves it out and says since when; `ci --all` runs it anyway.

use crate::process::output_of;
use crate::workspace::{Package, Workspace};
use anyhow::{Context, Result, ensure};
use cargo_metadata::DependencyKind;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The committed list.
const LIST: &str = "tests/passed.toml";
const HEAD: &str = "\
# The inputs with which slow checks have passed. `cargo xtask ci` adds what passes, to be committed with the change, and
# leaves out a check whose inputs are here; `cargo xtask ci --all` leaves out nothing. xtask/src/ci/inputs.rs says what
# the inputs are.

";

/// What every check depends on: how crates are built.
const ALWAYS: [&str; 3] = ["Cargo.toml", "Cargo.lock", ".cargo"];

/// What a check depends on, in addition to the compiler: files and folders, relative to the top-level folder.
#[derive(Debug)]
pub struct Inputs {
    paths: BTreeSet<PathBuf>,
}

impl Inputs {
    /// The members whose tests are run, with all that they and their tests use; the members that are used otherwise,
    /// with all that they use; and these paths.
    pub fn new(workspace: &Workspace, tested: &[&str], used: &[&str], paths: &[&str]) -> Result<Self> {
        let member = |name: &str| workspace.package(name).with_context(|| format!("no member is called {name}"));
        let mut all: BTreeSet<PathBuf> = ALWAYS.iter().chain(paths).map(PathBuf::from).collect();
        let mut reached = BTreeSet::new();
        for name in tested {
            let member = member(name)?;
            all.insert(workspace.relative(member.dir()).into());
            for next in member.cargo.dependencies.iter().filter_map(|d| workspace.package(&d.name)) {
                reach(workspace, next, &mut reached);
            }
        }
        for name in used {
            reach(workspace, member(name)?, &mut reached);
        }
        for member in reached.iter().filter_map(|name| workspace.package(name)) {
            all.extend(parts(workspace, member)?);
        }
        // git lists nothing for a path that does not exist, so that a file that was moved would no longer count.
        for path in &all {
            ensure!(
                workspace.root.join(path).exists(),
                "{} is not here, but a slow check depends on it",
                path.display()
            );
        }
        Ok(Self { paths: all })
    }

    /// The number, in hexadecimal.
    pub fn number(&self, root: &Path) -> Result<String> {
        // Files that git ignores, such as what builds leave, are no inputs; new files that git does not know yet are.
        let mut list = Command::new("git");
        list.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]);
        let listed = output_of(list.args(&self.paths)).context("list the files that a check depends on")?;
        let files: BTreeSet<&str> = listed.split('\0').filter(|file| !file.is_empty()).collect();
        ensure!(!files.is_empty(), "a check depends on no file");
        // A file that was removed, but is still known to git, counts as that.
        let files: Vec<&str> = files.into_iter().filter(|file| root.join(file).exists()).collect();
        // git hashes as well as any crate, and that one would have to be compiled before anything else.
        let hash = || {
            let mut git = Command::new("git");
            git.current_dir(root).args(["hash-object", "--no-filters"]);
            git
        };
        let contents = output_of(hash().arg("--").args(&files)).context("hash the files that a check depends on")?;
        let compiler = output_of(Command::new("rustc").current_dir(root).arg("-vV"))?;
        let mut git =
            hash().arg("--stdin").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().context("start git")?;
        let all = [&*files.join("\n"), &*contents, &compiler].join("\n");
        git.stdin.take().context("git's input")?.write_all(all.as_bytes()).context("hand git what to hash")?;
        let out = git.wait_with_output().context("wait for git")?;
        ensure!(out.status.success(), "git hash-object --stdin: {}", out.status);
        Ok(String::from_utf8_lossy(&out.stdout).trim_end().to_owned())
    }
}

/// What lies in a member's folder, except its tests and other members: sources may include any file.
fn parts(workspace: &Workspace, member: &Package) -> Result<Vec<PathBuf>> {
    let mut parts = Vec::new();
    for entry in fs::read_dir(member.dir()).with_context(|| format!("read {}", member.dir().display()))? {
        let path = entry?.path();
        let holds_others = workspace.packages.iter().any(|p| p.name != member.name && p.dir().starts_with(&path));
        let is_test = path.ends_with("tests") || path.ends_with("target");
        if !holds_others && !is_test {
            parts.push(workspace.relative(&path).to_owned());
        }
    }
    Ok(parts)
}

/// Adds the member and all members that it uses, except by its tests.
fn reach(workspace: &Workspace, member: &Package, reached: &mut BTreeSet<String>) {
    if !reached.insert(member.name.clone()) {
        return;
    }
    let used = member.cargo.dependencies.iter().filter(|d| d.kind != DependencyKind::Development);
    for next in used.filter_map(|d| workspace.package(&d.name)) {
        reach(workspace, next, reached);
    }
}

/// When a check passed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passed {
    inputs: String,
    /// A date, such as `2026-11-25`.
    on: String,
    /// The commit on which the check ran.
    commit: String,
}

impl Passed {
    /// A check with these inputs, today, on this commit.
    pub fn today(inputs: String, commit: String) -> Result<Self> {
        let on = output_of(Command::new("date").args(["-u", "+%F"]))?.trim().to_owned();
        Ok(Self { inputs, on, commit })
    }

    /// Why the check need not run.
    pub fn reason(&self) -> String {
        format!("its inputs have not changed since {} ({}); `cargo xtask ci --all` runs it", self.on, self.commit)
    }
}

/// The committed list.
pub struct List {
    path: PathBuf,
    passed: BTreeMap<String, Passed>,
}

impl List {
    /// Reads the list.
    pub fn load(root: &Path) -> Result<Self> {
        let path = root.join(LIST);
        let text = fs::read_to_string(&path).with_context(|| format!("read {}", path.display()))?;
        let passed = toml::from_str(&text).with_context(|| format!("read {}", path.display()))?;
        Ok(Self { path, passed })
    }

    /// When the check passed with these inputs, if it did.
    pub fn passed(&self, check: &str, inputs: &str) -> Option<&Passed> {
        self.passed.get(check).filter(|passed| passed.inputs == inputs)
    }

    /// Adds a check that has passed, in place of its entry with other inputs.
    pub fn add(&mut self, check: &str, passed: Passed) -> Result<()> {
        if self.passed(check, &passed.inputs).is_some() {
            return Ok(());
        }
        self.passed.insert(check.to_owned(), passed);
        let text = format!("{HEAD}{}", toml::to_string(&self.passed)?);
        fs::write(&self.path, text).with_context(|| format!("write {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cushmem_scratch::Folder;

    fn git(root: &Path, words: &[&str]) {
        output_of(Command::new("git").current_dir(root).args(words)).expect("git");
    }

    /// Catches a check that is left out although something has changed, and one that runs because of a file's time.
    #[test]
    fn contents_and_names_count_and_times_do_not() {
        let root = Folder::new("inputs").expect("room for a folder");
        fs::create_dir_all(root.join("a/b")).expect("room for a folder");
        let write = |file: &str, text: &str| fs::write(root.join(file), text).expect("room for a file");
        git(&root, &["init", "-q"]);
        write("a/one", "1");
        write(".gitignore", "ignored\n");
        git(&root, &["add", "."]);
        let inputs = Inputs { paths: ["a".into()].into() };
        let mut seen = vec![inputs.number(&root).expect("a number")];
        let unchanged = |inputs: &Inputs, seen: &[String]| {
            assert_eq!(inputs.number(&root).as_ref().ok(), seen.last());
        };
        // The same contents at another time, an ignored file, a file elsewhere.
        write("a/one", "1");
        write("a/ignored", "x");
        write("elsewhere", "x");
        unchanged(&inputs, &seen);
        let mut changed = |inputs: &Inputs, how: &str| {
            let number = inputs.number(&root).expect("a number");
            assert!(!seen.contains(&number), "{how} does not count");
            seen.push(number);
        };
        write("a/one", "2");
        changed(&inputs, "a content");
        write("a/b/new", "");
        changed(&inputs, "a new file");
        fs::rename(root.join("a/b/new"), root.join("a/b/newer")).expect("a file");
        changed(&inputs, "a name");
        fs::remove_file(root.join("a/one")).expect("a file");
        changed(&inputs, "a file that is gone");
    }

    #[test]
    fn a_member_depends_on_what_it_and_its_tests_use() {
        let workspace = Workspace::load().expect("this workspace");
        let inputs = Inputs::new(&workspace, &["cushmem-net"], &["cushmem-gpu"], &["docs/tutorial.md"]);
        let inputs = inputs.expect("these are members");
        let has = |path: &str| inputs.paths.contains(Path::new(path));
        assert!(has("runtime/net") && has("runtime/thread/src") && has("Cargo.lock") && has("docs/tutorial.md"));
        assert!(has("runtime/gpu/src") && has("device/abi/src") && !has("runtime/gpu"));
        assert!(!has("runtime/thread") && !has("runtime/src"));
        let inputs = Inputs::new(&workspace, &[], &["cushmem"], &[]).expect("cushmem is a member");
        // Sources include these costs.
        assert!(inputs.paths.contains(Path::new("runtime/path/costs")), "{inputs:?}");
        assert!(!inputs.paths.contains(Path::new("runtime/path/tests")), "{inputs:?}");
        let moved = Inputs::new(&workspace, &[], &["cushmem"], &["docs/moved.md"]).expect_err("there is no such file");
        assert!(moved.to_string().starts_with("docs/moved.md is not here"), "{moved}");
        assert!(Inputs::new(&workspace, &["cushmem-nothing"], &[], &[]).is_err());
    }

    #[test]
    fn only_the_same_inputs_have_passed() {
        let root = Folder::new("passed").expect("room for a folder");
        fs::create_dir_all(root.join("tests")).expect("room for a folder");
        fs::write(root.join(LIST), HEAD).expect("room for a file");
        let mut list = List::load(&root).expect("an empty list");
        let on = |inputs: &str| Passed { inputs: inputs.into(), on: "2026-11-25".into(), commit: "c0ffee".into() };
        list.add("models", on("aa")).expect("room for a file");
        list.add("ptx", on("bb")).expect("room for a file");
        list.add("models", on("cc")).expect("room for a file");
        let list = List::load(&root).expect("the list that was written");
        assert_eq!(list.passed("models", "cc"), Some(&on("cc")));
        assert!(list.passed("models", "aa").is_none() && list.passed("ptx", "cc").is_none());
        assert!(on("cc").reason().contains("2026-11-25 (c0ffee)"));
    }
}
