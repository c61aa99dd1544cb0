//! `cargo xtask endure` on a bundle whose only suite is a script.

use crate::{Folder, expect};
use std::path::Path;

/// Runs one step of a suite with a single test, which this script carries out.
fn step(test: &str, script: &str) -> (xtask::process::Ended, String) {
    let folder = Folder::new(test);
    folder.script(
        "bin/deps/suite",
        &format!("case \"$*\" in *--ignored*) ;; *--list) echo 'a: test' ;; *)\n{script}\n;; esac"),
    );
    // The logs of failed steps stay in the temporary folder, which is the test's own.
    let temporary = format!("TMPDIR={}", folder.0.display());
    let words = "endure --bin-dir bin --seed 5 --step 0".split(' ');
    let words: Vec<_> = [&*temporary, env!("CARGO_BIN_EXE_xtask")].into_iter().chain(words).collect();
    folder.run(Path::new("env"), &words)
}

#[test]
fn a_step_that_leaves_nothing_passes() {
    let ended = step("endure-passes", "echo \"test result: ok. 1 passed; $*\"");
    expect(ended, true, &["seed 5\n1 suites, ", "[  0] ok ", "suite: 1 tests", "1 steps passed, 0 failed"]);
}

/// Catches a failed test or a leftover that is not reported at the end.
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

/// Catches tests that were renamed or that the suite no longer contains.
#[test]
fn a_suite_that_runs_nothing_fails() {
    expect(step("endure-idle", "echo 'test result: ok. 0 passed;'"), false, &["not all of its tests ran"]);
}

/// Catches a run that succeeds without a step, and a time limit that never ends.
#[test]
fn time_for_no_step_is_an_error() {
    for (chore, seconds) in [("endure", "0"), ("endure", "18446744073709551615"), ("soak", "0")] {
        let ended = Folder::new("no-time").xtask(&[chore, "--seconds", seconds]);
        expect(ended, false, &[&format!("invalid value '{seconds}' for '--seconds <S>'")]);
    }
}

/// Runs one round of `--kills` on a launcher that this script replaces.
fn kill(test: &str, script: &str, number: &str) -> (xtask::process::Ended, String) {
    let folder = Folder::new(test);
    folder.script("bin/shmemrun", script);
    let temporary = format!("TMPDIR={}", folder.0.display());
    let words = "endure --bin-dir bin --seed 5 --kills 18 --step".split(' ').chain([number]);
    let words: Vec<_> = [&*temporary, env!("CARGO_BIN_EXE_xtask")].into_iter().chain(words).collect();
    folder.run(Path::new("env"), &words)
}

/// Round 0 kills the front, round 5 a process in its own session before it asks the front to end. Only in the second
/// is it certain what the script has started by then, however loaded the machine is.
#[test]
fn kills_count_and_tell_what_is_left() {
    let good = kill("endure-kills", "exec sleep 100", "0");
    expect(good, true, &["seed 5\n", "SIGKILL  the front", "1 rounds passed, 0 failed"]);
    let session = "sh -c 'sleep 101; :' pe session";
    let script = format!(r#"sh -c "sh -c \"{session}; :\" supervisor; sleep 101; :" keeper; :"#);
    let texts = [
        "SIGKILL to a process in its own session",
        "left behind: process ",
        " keeper)\n",
        "to repeat it: cargo xtask endure --kills 6 --seed 5 --step 5",
        "0 rounds passed, 1 failed",
    ];
    expect(kill("endure-kill-leaves", &script, "5"), false, &texts);
}

/// A bundle in which the first job of lbm is killed, after saving a state if `saves` is set. The next job restores the
/// state by running `restores`.
fn kill_of_lbm(test: &str, saves: bool, restores: &str) -> (xtask::process::Ended, String) {
    let folder = Folder::new(test);
    folder.script("bin/deps/suite", "case \"$*\" in *--ignored*) ;; *) echo 'a: test' ;; esac");
    let save = if saves {
        "for word; do case $word in */state.lbm) printf 'head\\nsteps 7\\n' >\"$word\" ;; esac; done"
    } else {
        ""
    };
    let script = format!("case \"$*\" in *--restore*) {restores} ;; *) {save}\nexec sleep 100 ;; esac");
    folder.script("bin/shmemrun", &script);
    let temporary = format!("TMPDIR={}", folder.0.display());
    let words: Vec<_> = [&*temporary, env!("CARGO_BIN_EXE_xtask"), "endure", "--bin-dir", "bin"]
        .into_iter()
        .chain(["--seed", LBM.0, "--step", LBM.1])
        .collect();
    folder.run(Path::new("env"), &words)
}

/// The seed and number of a step in which SIGKILL to shmemrun ends a job of lbm after two seconds.
const LBM: (&str, &str) = ("41", "1");

/// Catches a state that cannot be restored after a kill, and one that is not tested.
#[test]
fn what_a_killed_job_has_saved_is_restored() {
    let restored = "echo \"$*\" | grep -q 'lbm --restore .*/state.lbm --iters 7 ' || exit 9";
    expect(kill_of_lbm("endure-restores", true, restored), true, &["lbm --size", "1 steps passed, 0 failed"]);
    expect(kill_of_lbm("endure-nothing-saved", false, "exit 9"), true, &["1 steps passed, 0 failed"]);
    let lost = kill_of_lbm("endure-lost", true, "echo 'its head is damaged'; exit 3");
    expect(lost, false, &["the saved state cannot be restored: exit status: 3: its head is damaged", "0 steps passed"]);
}
