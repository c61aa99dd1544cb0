//! `run.sh` of the bundle, with scripts for programs.

use crate::{Folder, expect};
use std::path::Path;

/// A bundle with these suites, run on a machine whose GPUs are all too few.
fn run(test: &str, suites: &[(&str, &str)]) -> (xtask::process::Ended, String) {
    let folder = Folder::new(test);
    folder.script("bin/shmem-info", "");
    folder.script("bin/cushmem-matrix", "echo '1 passed, 0 failed, 0 skipped'");
    folder.script("bin/xtask", "echo \"xtask $*\"");
    for (name, script) in suites {
        folder.script(&format!("bin/deps/{name}"), script);
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bundle/run.sh");
    std::fs::copy(script, folder.0.join("run.sh")).expect("room for the script");
    folder.run(Path::new("bash"), &["run.sh", "--gpus", "99999", "--no-bench"])
}

#[test]
fn suites_that_pass_make_a_run_that_passes() {
    let ended = run("run-passes", &[("one", "echo 'test result: ok'"), ("two", "echo \"$* passed\"")]);
    expect(ended, true, &["5 passed, 0 failed", "--test-threads=1 passed", "xtask left-out --all "]);
}

/// Catches a failure that is lost among the suites that pass, or that the table does not show.
#[test]
fn a_suite_that_fails_fails_the_run() {
    let ended = run("run-fails", &[("one", "echo 'test x ... FAILED'; exit 3"), ("two", "echo passed")]);
    let Some(row) = ended.1.lines().find(|line| line.starts_with("test-0gpu-one ")) else {
        panic!("the table lacks the suite:\n{}", ended.1)
    };
    let words: Vec<_> = row.split_whitespace().collect();
    assert_eq!((words[1], words[3..].join(" ").as_str()), ("3", "test x ... FAILED"), "{row}");
    expect(ended, false, &["4 passed, 1 failed"]);
}
