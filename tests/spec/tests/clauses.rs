//! A program for each clause of the specification, and how many checks it made: run with 1, 2, 3, 4, 5 and 8 PEs.
//!
//! A program ends at the first wrong thing, with a line that says what; else each PE says how many checks it made.

use cushmem_capi_tests::{Link, Rig};
use std::path::Path;

const CHECK: &str = include_str!("../c/check.h");

/// Runs it and adds up what the PEs checked.
fn checks(rig: &Rig, program: &Path, n: u32, variables: &[(&str, &str)]) -> u64 {
    let job = rig.run(program, n, &[], variables);
    let counts: Vec<u64> =
        job.lines.iter().filter_map(|l| l.strip_suffix(" checks")?.parse().ok()).filter(|&c| c > 0).collect();
    let complete = counts.len() == n as usize && job.lines.len() == counts.len();
    assert!(job.status == Some(0) && complete, "{} with {n} PEs: {job:#?}", program.display());
    counts.iter().sum()
}

/// As C, with each number of PEs; with the static library and an emulated GPU; and, where the source is both, as C++.
fn clause(name: &str, source: &str, standard: &str, cpp: Option<&str>) {
    let Some(rig) = Rig::find(&format!("spec::{name}")) else { return };
    rig.file("check.h", CHECK);
    let standard = format!("-std={standard}");
    let options = [standard.as_str(), "-Wno-deprecated-declarations"];
    let program = rig.compile(&format!("{name}.c"), source, Link::Shared, &options);
    let mut table = format!("{name}:");
    for n in [1, 2, 3, 4, 5, 8] {
        table += &format!(" {n} PEs {} checks,", checks(&rig, &program, n, &[("CUSHMEM_GPU", "none")]));
    }
    let program = rig.compile(&format!("{name}.c"), source, Link::Static, &options);
    checks(&rig, &program, 3, &[("CUSHMEM_GPU", "soft")]);
    if let Some(standard) = cpp {
        let standard = format!("-std={standard}");
        let options = [standard.as_str(), "-Wno-deprecated-declarations"];
        let program = rig.compile(&format!("{name}.cpp"), source, Link::Shared, &options);
        checks(&rig, &program, 2, &[("CUSHMEM_GPU", "none")]);
    }
    println!("{}", table.trim_end_matches(','));
}

/// One test for each program, as `test name: file, standard of C, standard of C++`.
macro_rules! clauses {
    ($($test:ident: $file:literal, $c:literal, $cpp:expr;)*) => {
        $(#[test]
        fn $test() {
            clause($file, include_str!(concat!("../c/", $file, ".c")), $c, $cpp);
        })*
    };
}

clauses! {
    rma: "9.06-rma", "c99", Some("c++11");
    blocks: "9.06-blocks", "c99", Some("c++11");
    atomics: "9.07-atomics", "c99", Some("c++11");
    nonblocking_atomics: "9.07-nonblocking", "c99", Some("c++11");
    signals: "9.08-signals", "c99", Some("c++11");
    wait: "9.10-wait", "c99", Some("c++11");
    order: "9.11-order", "c99", Some("c++11");
}
