//! A program for each clause of the specification, and the number of checks that it makes, run with 1, 2, 3, 4, 5 and 8
//! PEs.
//!
//! A program ends at the first failed check, with a line that says which one failed. Otherwise, each PE says how many
//! checks it made.

use cushmem_capi_tests::{Library, Rig};
use cushmem_spec_tests::rig;
use std::path::{Path, PathBuf};

/// A program, from which the macro below makes a test.
struct Clause {
    name: &'static str,
    source: &'static str,
    /// The standard of C that the program needs.
    standard: &'static str,
    /// Whether the program passes check mode. In check mode, even calls that do nothing wait for each other.
    checked: bool,
    /// Text in the lines that the library prints when it is asked for something that it refuses.
    refusals: &'static [&'static str],
}

impl Clause {
    /// Runs the program as C, with each number of PEs; with the static library and an emulated GPU; in check mode; and
    /// as C++.
    fn verify(&self) {
        let Some(rig) = rig(self.name) else { return };
        let program = self.compile(&rig, "c", self.standard, Library::Shared, &[]);
        let count = |n| self.checks(&rig, &program, n, &[("CUSHMEM_GPU", "none")]);
        let table: Vec<_> = [1, 2, 3, 4, 5, 8].map(|n| format!("{} by {n}", count(n))).into();
        self.checks(&rig, &self.compile(&rig, "c", self.standard, Library::Static, &[]), 3, &[("CUSHMEM_GPU", "soft")]);
        if self.checked {
            self.checks(&rig, &program, 3, &[("CUSHMEM_GPU", "none"), ("CUSHMEM_CHECK", "1")]);
        }
        self.checks(&rig, &self.compile(&rig, "cpp", "c++11", Library::Shared, &[]), 2, &[("CUSHMEM_GPU", "none")]);
        println!("{}: checks: {} PEs", self.name, table.join(", "));
    }

    /// Runs the program as C with two PEs, on a machine that is slow.
    fn verify_with_two(&self) {
        let Some(rig) = rig(&format!("{}-with-two", self.name)) else { return };
        let count = self.checks(&rig, &self.compile_for_slow(&rig), 2, &[("CUSHMEM_GPU", "none")]);
        println!("{}: checks: {count} by 2 PEs", self.name);
    }

    fn compile_for_slow(&self, rig: &Rig) -> PathBuf {
        self.compile(rig, "c", self.standard, Library::Shared, &["-DSLOW"])
    }

    fn compile(&self, rig: &Rig, suffix: &str, standard: &str, library: Library, more: &[&str]) -> PathBuf {
        let standard = format!("-std={standard}");
        let options = [&[&*standard, "-Wno-deprecated-declarations"], more].concat();
        rig.compile(&format!("{}.{suffix}", self.name), self.source, library, &options)
    }

    /// Runs the program and adds up how many checks the PEs made.
    fn checks(&self, rig: &Rig, program: &Path, n: u32, variables: &[(&str, &str)]) -> u64 {
        let mut job = rig.run(program, n, &[], variables);
        let refused =
            |line: &str| line.starts_with("cushmem: PE 0: ") && self.refusals.iter().any(|r| line.contains(r));
        job.lines.retain(|line| !refused(line));
        let counts: Vec<u64> =
            job.lines.iter().filter_map(|l| l.strip_suffix(" checks")?.parse().ok()).filter(|&c| c > 0).collect();
        let complete = counts.len() == n as usize && job.lines.len() == counts.len();
        assert!(job.status == Some(0) && complete, "{} with {n} PEs: {job:#?}", program.display());
        counts.iter().sum()
    }
}

/// Makes one test for each program, from its file, the standard of C, whether it passes check mode, and what it makes
/// the library say.
macro_rules! clauses {
    ($($test:ident: $file:literal, $standard:literal, $checked:literal, $refusals:expr;)*) => {
        mod of {
            use super::Clause;
            $(pub(super) fn $test() -> Clause {
                let source = include_str!(concat!("../../c/", $file, ".c"));
                Clause { name: $file, source, standard: $standard, checked: $checked, refusals: &$refusals }
            })*
        }

        $(#[test]
        fn $test() {
            of::$test().verify();
        })*

        /// What `cargo xtask vm` runs in an emulated machine, which has no compiler and is slow.
        mod with_two_pes {
            $(#[test]
            #[ignore = "for cargo xtask vm"]
            fn $test() {
                super::of::$test().verify_with_two();
            })*
        }

        /// Compiles the programs of all clauses for that machine, into the folder `CUSHMEM_TEST_PROGRAMS`.
        #[test]
        #[ignore = "for cargo xtask vm"]
        fn compile_all() {
            let rig = rig("compile_all").expect("a compiler");
            $(of::$test().compile_for_slow(&rig);)*
        }
    };
}

clauses! {
    memory_model: "3-memory-model", "c99", true, [];
    generics: "5-generics", "c11", true, [];
    setup: "9.01-setup", "c99", true, [];
    threads: "9.02-threads", "c99", true, [];
    memory: "9.03-memory", "c99", false, ["do not fit into the heap", "argument alignment: "];
    teams: "9.04-teams", "c99", true, ["are not distinct PEs of the parent team"];
    contexts: "9.05-contexts", "c99", true, ["the limit of 1024 contexts is reached"];
    rma: "9.06-rma", "c99", true, [];
    blocks: "9.06-blocks", "c99", true, [];
    atomics: "9.07-atomics", "c99", true, [];
    nonblocking_atomics: "9.07-nonblocking", "c99", true, [];
    signals: "9.08-signals", "c99", true, [];
    sync: "9.10-sync", "c99", true, [];
    moves: "9.10-moves", "c99", true, [];
    reductions: "9.10-reductions", "c99", true, [];
    active_sets: "9.10-active-sets", "c99", true, [];
    wait: "9.11-wait", "c99", true, [];
    order: "9.12-order", "c99", true, [];
    locks: "9.13-locks", "c99", true, [];
    profiling: "10-profiling", "c99", true, [];
    deprecated: "F-deprecated", "c99", true, [];
}

/// Catches a job that one PE cannot end while the others wait, an exit status that is lost, and output that is lost.
#[test]
fn global_exit() {
    let Some(rig) = rig("global_exit") else { return };
    let program = rig.compile("9.01-exit.c", include_str!("../../c/9.01-exit.c"), Library::Shared, &["-std=c99"]);
    for (n, status) in [(1, 3), (2, 0), (3, 77), (8, 1)] {
        let job = rig.run(&program, n, &[&status.to_string()], &[("CUSHMEM_GPU", "none")]);
        let all_said = (0..n).all(|pe| job.lines.contains(&format!("PE {pe} was here")));
        assert!(job.status == Some(status) && all_said, "{n} PEs: {job:#?}");
    }
}
