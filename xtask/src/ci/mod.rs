//! `cargo xtask ci`: everything that has to hold before a change is merged.
//!
//! What cargo builds in the target folder comes first: programs and tests, clippy, documentation, packages. While the
//! suites run, a second thread does what needs none of it: licences and models. Slow checks whose [inputs] have not
//! changed since they passed are left out. What takes turns draws its share from the commit. The test runner's own last
//! lines end the output.

mod board;
mod inputs;

use crate::build::Profile;
use crate::commit;
use crate::cxx::cxx;
use crate::cxx::library::device_library;
use crate::demo::{Size, demo};
use crate::deny;
use crate::fuzz::fuzz;
use crate::kernels::Kernels;
use crate::left_out::{List, Suites, VARIABLE};
use crate::matrix::matrix;
use crate::process::{cargo, run};
use crate::ptx::{Outcome, ptx};
use crate::registers::registers;
use crate::report::shown;
use crate::runner::{Ran, Runner, Without, doctests, leaving_nothing};
use crate::test::{Prepared, explore, modelled, prepare};
use crate::tidy::tidy;
use crate::workspace::{Package, Workspace};
use anyhow::{Result, bail};
use board::{Board, low, output};
use cargo_metadata::DependencyKind;
use cushmem_environment::TEST_SEED;
use inputs::{Inputs, Passed};
use std::fs::{File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Options of `cargo xtask ci`.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Options {
    /// Also run the slow checks whose inputs have not changed since they passed
    #[arg(long)]
    pub all: bool,
}

/// A slow check, which runs only if what it depends on has changed.
struct Slow {
    /// Its name in `tests/passed.toml`.
    name: &'static str,
    /// The start of the names with which its tests record what they leave out. Such a check has not passed.
    records: &'static str,
    inputs: Inputs,
    /// What it depends on, as a number; `None` where git does not know the files.
    number: Option<String>,
    /// Why it need not run.
    unchanged: Option<String>,
}

/// How many damaged inputs each parser gets, if everything is to run.
const INPUTS: u64 = 1_000_000;
/// How many seconds each step in the virtual machine may take.
const VM_LIMIT_S: u64 = 900;

/// Builds crates beside candle's.
const CANDLE: &str = "candle";
/// Follows the tutorial.
const TUTORIAL: &str = "tutorial";
/// Compiles and links kernels in CUDA C++.
const CXX: &str = "cxx-builds";
/// Compares committed PTX, and the digest of the device library, with the sources, and examines all PTX.
const PTX: &str = "ptx";
/// Explores the protocols.
const MODELS: &str = "models";

/// All slow checks.
struct AllSlow {
    checks: Vec<Slow>,
    /// Whether everything is to run.
    all: bool,
    list: Mutex<inputs::List>,
    root: PathBuf,
    commit: String,
}

impl AllSlow {
    fn find(workspace: &Workspace, all: bool) -> Result<Self> {
        let kernels: Vec<&str> = workspace.kernel_crates().iter().map(|package| package.name.as_str()).collect();
        let ptx = [&kernels[..], &["cushmem-ptx", DEVICE_LIBRARY]].concat();
        let library = ["cushmem", "cushmem-launcher", "cushmem-ptx", "cushmem-build"];
        let known = [
            (CANDLE, "outside::builds_beside_candle", Inputs::new(workspace, &[], &["cushmem"], &CANDLE_FILES)?),
            (TUTORIAL, "outside::follows_the_tutorial", Inputs::new(workspace, &[], &library, &TUTORIAL_FILES)?),
            (CXX, "outside::compiles_kernels_in_cxx", Inputs::new(workspace, &[], &[DEVICE_LIBRARY], &CXX_FILES)?),
            (PTX, "ptx", Inputs::new(workspace, &[PTX_TESTS], &ptx, &["xtask/src/cxx"])?),
            (
                MODELS,
                "model",
                Inputs::new(workspace, &modelled(workspace), &[], &["xtask/src/test.rs", "ptx/src/process.rs"])?,
            ),
        ];
        let list = inputs::List::load(&workspace.root)?;
        let mut checks = Vec::new();
        for (name, records, inputs) in known {
            let is_known = workspace.root.join(".git").exists();
            let number = is_known.then(|| inputs.number(&workspace.root)).transpose()?;
            let passed = number.as_ref().filter(|_| !all).and_then(|number| list.passed(name, number));
            let unchanged = passed.map(Passed::reason);
            checks.push(Slow { name, records, inputs, number, unchanged });
        }
        Ok(Self {
            checks,
            all,
            list: Mutex::new(list),
            root: workspace.root.clone(),
            commit: commit::of_sources(workspace),
        })
    }

    fn of(&self, name: &str) -> &Slow {
        self.checks.iter().find(|slow| slow.name == name).expect("a slow check")
    }

    /// Runs the check, unless nothing has changed. Returns whether it passed.
    fn check(&self, board: &Board, name: &'static str, body: impl FnOnce() -> (Result<Outcome>, String)) -> bool {
        match &self.of(name).unchanged {
            Some(reason) => {
                board.unchanged(name, reason.clone());
                false
            }
            None => board.quiet(name, body),
        }
    }

    /// Adds a check that has passed to the list, if its tests left out nothing and its inputs are still those with
    /// which it began. An error fails the run, but no other check.
    fn passed(&self, board: &Board, name: &str, left_out: &List) {
        if let Err(error) = self.record(name, left_out) {
            board.quiet("record", || (Err(error), String::new()));
        }
    }

    fn record(&self, name: &str, left_out: &List) -> Result<()> {
        let slow = self.of(name);
        let Some(number) = slow.number.as_ref().filter(|_| slow.unchanged.is_none()) else { return Ok(()) };
        if left_out.has(slow.records)? || slow.inputs.number(&self.root)? != *number {
            return Ok(());
        }
        let passed = Passed::today(number.clone(), self.commit.clone())?;
        self.list.lock().unwrap_or_else(PoisonError::into_inner).add(name, passed)
    }
}

/// The member whose tests examine PTX.
const PTX_TESTS: &str = "cushmem-ptx-tests";
/// The slow tests among the suites.
const SLOW_TESTS: [(&str, &str); 4] = [
    (CANDLE, "candle::builds_beside_candle"),
    (CXX, "cxx::compiles_kernels_in_cxx"),
    (CXX, "cxx_linked::compiles_kernels_in_cxx_by_nvrtc"),
    (TUTORIAL, "tutorial::follows_the_tutorial"),
];
const CANDLE_FILES: [&str; 4] = ["runtime/cudarc", "tests/outside", "xtask/src/outside.rs", "ptx/src/process.rs"];
/// What compilers of Python link.
const DEVICE_LIBRARY: &str = "cushmem-device-library";
/// The library, which is linked, needs no more than its names. `.ci/run` has the version of nvcc.
const CXX_FILES: [&str; 12] = [
    "include",
    "python/cushmem",
    "python/tests",
    "apps/examples/python",
    "tests/triton.toml",
    "device/triton-registers.toml",
    "apps/examples/cxx",
    "apps/bench/cxx",
    "tests/outside",
    "xtask/src/cxx",
    "runtime/capi",
    ".ci/run",
];
const TUTORIAL_FILES: [&str; 2] = ["docs/tutorial.md", "tests/outside"];

/// All targets, except libraries as tests that have none, which `--all-targets` would check twice.
const CLIPPY: [&str; 10] =
    ["clippy", "--quiet", "--workspace", "--lib", "--bins", "--tests", "--examples", "--", "-D", "warnings"];
const DOC: [&str; 9] = [
    "--config",
    r#"build.rustdocflags=["-Dwarnings"]"#,
    "doc",
    "--quiet",
    "--no-deps",
    "-p",
    "cushmem",
    "-p",
    "cushmem-device",
];

/// The lock that `.ci/run` holds while it gets what only tests need, in the folder of what cargo builds.
const FOR_TESTS: &str = "tools/for-tests.lock";
/// More than the limits of all that it gets.
const FOR_TESTS_LIMIT: Duration = Duration::from_secs(600);

/// Waits until nobody holds this lock. Tests that find half of a package installed would fail.
fn when_free(lock: &Path, limit: Duration) -> Result<()> {
    let file = match File::open(lock) {
        Ok(file) => file,
        // Nobody gets anything.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let deadline = Instant::now() + limit;
    loop {
        match file.try_lock_shared() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => sleep(Duration::from_millis(100)),
            Err(TryLockError::WouldBlock) => {
                let (path, limit) = (lock.display(), limit.as_secs());
                bail!("what tests need is still being installed after {limit} s: a process holds the lock {path}")
            }
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
    }
}

/// Runs every check, even after one has failed.
pub fn ci(options: &Options) -> Result<()> {
    let workspace = Workspace::load()?;
    let slow = AllSlow::find(&workspace, options.all)?;
    let seed = commit::number(&workspace);
    let board = Board::default();
    println!("this commit's seed is {seed}: {}={seed} cargo xtask test repeats its tests", TEST_SEED.name);
    board.check("fmt", || cargo_step(&workspace, &["fmt", "--all", "--check"]));
    board.check("tidy", || tidy(&crate::tidy::Options::default()).map(|()| Outcome::Done));
    let check_ptx = || {
        let compared = ptx(&crate::ptx::Options { check: true, ..Default::default() });
        let library = || device_library(&crate::cxx::library::Options { check: true, ..Default::default() });
        let both = compared.and_then(|found| if matches!(found, Outcome::Done) { library() } else { Ok(found) });
        (both, String::new())
    };
    let ptx_passed = slow.check(&board, PTX, check_ptx);
    board.check("registers", || registers(&crate::registers::Options { check: true }));
    board.check("cxx", || cxx(&crate::cxx::Options { check: true }));
    let list = List::new(&workspace.target)?;
    let mut prepared = None;
    board.check("build", || {
        prepared = Some(prepare(&workspace)?);
        Ok(Outcome::Done)
    });
    board.check("clippy", || cargo_step(&workspace, &CLIPPY));
    board.check("doc", || cargo_step(&workspace, &DOC));
    board.check("package", || package(&workspace));
    let ran = std::thread::scope(|scope| {
        scope.spawn(|| aside(&workspace, &board, &slow, &list));
        board.check("packages", || {
            when_free(&workspace.target.join(FOR_TESTS), FOR_TESTS_LIMIT).map(|()| Outcome::Done)
        });
        let Some(Prepared { kernels, .. }) = &prepared else { return Ran::default() };
        suites(&workspace, &board, &slow, &list, seed, kernels, ptx_passed)
    });
    board.print();
    let seconds = workspace.target.join("ci.jsonl");
    board.write(&seconds, &slow.commit, &ran.times)?;
    println!("the seconds of each check and suite are in {}", shown(workspace.relative(&seconds)));
    let mut failed: Vec<String> = board.failed().iter().map(|name| (*name).to_owned()).collect();
    if let Some(Prepared { mut left_out, .. }) = prepared {
        left_out.extend(board.left_out());
        failed.extend(list.close(&left_out, Suites::All).err().map(|error| format!("{error:#}")));
    }
    if !failed.is_empty() {
        println!("FAILED: {}", failed.join(", "));
    }
    ran.closing.iter().for_each(|line| println!("{line}"));
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

/// The suites, and what else runs the programs that were built.
fn suites(
    workspace: &Workspace,
    board: &Board,
    slow: &AllSlow,
    list: &List,
    seed: u32,
    kernels: &Kernels,
    ptx_passed: bool,
) -> Ran {
    let mut without = Without::default();
    for (check, test) in SLOW_TESTS {
        if let Some(reason) = &slow.of(check).unchanged {
            board.unchanged(check, reason.clone());
            without.tests.push(test);
        }
    }
    if slow.of(PTX).unchanged.is_some() {
        without.packages.push(PTX_TESTS);
    }
    let runner = Runner::find(workspace);
    let mut ran = Ran::default();
    let passed = board.check("test", || {
        let mut command = runner.all(workspace, &without);
        command.env(VARIABLE, list.path()).env(TEST_SEED.name, seed.to_string());
        kernels.limit(&mut command);
        let run = |command| {
            let result;
            (result, ran) = runner.run_holding_back(command);
            result
        };
        leaving_nothing(command, run).map(|()| Outcome::Done)
    });
    if passed {
        for name in [CANDLE, CXX, TUTORIAL] {
            slow.passed(board, name, list);
        }
        if ptx_passed {
            slow.passed(board, PTX, list);
        }
    }
    board.check("doctests", || doctests(workspace, kernels).map(|()| Outcome::Done));
    let brief = crate::matrix::Options { arguments: vec!["--brief".into()] };
    board.check("matrix", || matrix(&brief).map(|()| Outcome::Done));
    board.check("nodes", || crate::soak::share(seed, list));
    board.check("ofi", || crate::soak::share_over_libfabric(seed, slow.all, list));
    if slow.all {
        let parsers = || fuzz(workspace, INPUTS, seed.into()).map(|()| Outcome::Done);
        board.check("fuzz", parsers);
        let options = crate::vm::Options { limit_s: VM_LIMIT_S, only: None, json: None, with: vec![], program: vec![] };
        board.check("vm", || crate::vm::vm(&options));
    }
    board.check("demo", || demo(Profile::Dev, &Size::SHORT).map(|()| Outcome::Done));
    ran
}

/// What needs no program that was built. Each step prints what it says when it has ended.
fn aside(workspace: &Workspace, board: &Board, slow: &AllSlow, list: &List) {
    board.quiet("deny", || (deny::deny(&workspace.root, &workspace.target), String::new()));
    board.quiet("advisories", || (deny::advisories(&workspace.root, &workspace.target), String::new()));
    let models = || output(&mut low(explore(workspace, &workspace.target.join("loom"))));
    if slow.check(board, MODELS, models) {
        slow.passed(board, MODELS, list);
    }
}

fn cargo_step(workspace: &Workspace, arguments: &[&str]) -> Result<Outcome> {
    run(cargo().current_dir(&workspace.root).args(arguments))?;
    Ok(Outcome::Done)
}

/// Packs the crates that may be published. Crates that depend on no other crate of the workspace are also built from
/// their packages; building all of them again would take minutes.
fn package(workspace: &Workspace) -> Result<Outcome> {
    let stands_alone = |package: &Package| {
        let mut needed = package.cargo.dependencies.iter().filter(|d| d.kind != DependencyKind::Development);
        needed.all(|d| workspace.package(&d.name).is_none())
    };
    let pack = |more: &[&str], chosen: &dyn Fn(&Package) -> bool| {
        let chosen = workspace.packages.iter().filter(|p| p.is_published() && chosen(p));
        let named = chosen.flat_map(|p| ["-p", &p.name]);
        let arguments = ["package", "--quiet", "--offline", "--allow-dirty"].iter().chain(more).copied();
        cargo_step(workspace, &arguments.chain(named).collect::<Vec<_>>())
    };
    pack(&["--no-verify"], &|_| true)?;
    pack(&[], &stands_alone)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches tests that start while packages are half installed, a run without `.ci/run` that waits for them, and one
    /// that waits for ever.
    #[test]
    fn tests_start_when_packages_are_there() {
        let folder = cushmem_scratch::Folder::new("for-tests").expect("a folder");
        let path = folder.join("lock");
        when_free(&path, Duration::ZERO).expect("nothing is to be waited for");
        let held = File::create(&path).expect("a file");
        held.lock().expect("nobody has it");
        let late = when_free(&path, Duration::ZERO).expect_err("the lock is held").to_string();
        assert!(late.contains("still being installed after 0 s"), "{late}");
        std::thread::scope(|scope| {
            let waiter = scope.spawn(|| when_free(&path, FOR_TESTS_LIMIT));
            held.unlock().expect("it is held");
            waiter.join().expect("no panic").expect("a lock");
        });
    }
}
