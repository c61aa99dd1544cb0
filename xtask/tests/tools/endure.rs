//! `cargo xtask endure` on a bundle whose only suite is a script.

use crate::{Folder, expect};
use std::path::Path;

/// One step with a suite that does this, of whose tests one is drawn.
fn step(test: &str, script: &str) -> (xtask::process::Ended, String) {
    step_within("540", test, script)
}

fn step_within(seconds: &str, test: &str, script: &str) -> (xtask::process::Ended, String) {
    let folder = Folder::new(test);
    folder.script(
        "bin/deps/suite",
        &format!("case \"$*\" in *--ignored*) ;; *--list) echo 'a: test' ;; *)\n{script}\n;; esac"),
    );
    // Logs of what fails stay.
    let temporary = format!("TMPDIR={}", folder.0.display());
    let words = "endure --bin-dir bin --seed 5 --step 0 --seconds".split(' ');
    let words: Vec<_> = [&*temporary, env!("CARGO_BIN_EXE_xtask")].into_iter().chain(words).chain([seconds]).collect();
    folder.run(Path::new("env"), &words)
}

#[test]
fn a_step_that_leaves_nothing_passes() {
    let ended = step("endure-passes", "echo \"test result: ok. 1 passed; $*\"");
    expect(ended, true, &["seed 5\n1 suites, ", "[  0] ok ", "suite: 1 tests", "1 steps passed, 0 failed"]);
}

/// Catches a failure of a test, or a leftover, that does not show in the end.
#[test]
fn what_fails_and_what_is_left_shows() {
    let script = "(sleep 100 >/dev/null 2>&1 &)\n: >\"$TMPDIR/core\"\necho 'test a ... FAILED'\nexit 3";
    let ended = step("endure-fails", script);
    let texts = [
        "[  0] FAILED ",
        "failed: a\n        exit status: 3\n",
        "left behind: process ",
        "(sleep 100)\n        left behind: temporary file core\n",
        "to repeat it: bin/xtask endure --bin-dir bin --seed 5 --step 0\n",
        "0 steps passed, 1 failed",
    ];
    expect(ended, false, &texts);
}

/// Catches tests that were renamed, or that the suite does not know any more.
#[test]
fn a_suite_that_runs_nothing_fails() {
    expect(step("endure-idle", "echo 'test result: ok. 0 passed;'"), false, &["not all of its tests ran"]);
}

/// Catches a success of nothing at all.
#[test]
fn time_for_no_step_is_an_error() {
    expect(step_within("0", "endure-no-time", "true"), false, &["0 steps passed, 0 failed", "no step was completed"]);
    let soak = Folder::new("soak-no-time").xtask(&["soak", "--seconds", "0"]);
    expect(soak, false, &["invalid value '0' for '--seconds <S>'"]);
}
