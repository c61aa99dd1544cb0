//! The bundle's `run.sh`, with scripts in place of the programs.

use crate::{Folder, expect};
use std::path::Path;

/// Runs a bundle with these suites, asking for more GPUs than any machine has.
fn run(test: &str, suites: &[(&str, &str)]) -> (xtask::process::Ended, String) {
    run_in(&Folder::new(test), suites, "99999", &[])
}

/// Runs a bundle in a folder, with these GPU counts and variables.
fn run_in(folder: &Folder, suites: &[(&str, &str)], gpus: &str, variables: &[&str]) -> (xtask::process::Ended, String) {
    folder.script("bin/shmem-info", "");
    folder.script("bin/cushmem-matrix", "echo \"1 passed, sees ${CUDA_VISIBLE_DEVICES-all}\"");
    folder.script("bin/xtask", "echo \"xtask $*\"");
    for (name, script) in suites {
        folder.script(&format!("bin/deps/{name}"), script);
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bundle/run.sh");
    std::fs::copy(script, folder.0.join("run.sh")).expect("room for the script");
    let words = variables.iter().copied().chain(["bash", "run.sh", "--gpus", gpus, "--no-bench"]);
    folder.run(Path::new("env"), &words.collect::<Vec<_>>())
}

/// Catches jobs on GPUs that the user has hidden.
#[test]
fn the_users_gpus_are_used_and_no_others() {
    for (variable, expected, unexpected) in [
        ("CUDA_VISIBLE_DEVICES=7,GPU-5,6", ["passed, sees 7,GPU-5.", "passed, sees 7,GPU-5,6"], "4gpu"),
        ("CUDA_VISIBLE_DEVICES=3,1,-1,2", ["passed, sees 3,1.", "passed, sees 3,1,-1,2"], "4gpu"),
        ("A=b", ["passed, sees 0,1.", "passed, sees all"], "8gpu"),
        ("CUDA_VISIBLE_DEVICES=-1", ["passed, sees .", "passed, sees -1"], "2gpu"),
    ] {
        let folder = Folder::new("run-visible");
        // The machine has four GPUs.
        folder.script("bin/find", "printf '/dev/nvidia%s\\n' 0 1 2 3");
        let suites = [("one", "echo \"passed, sees $CUDA_VISIBLE_DEVICES.\"")];
        let (ended, said) = run_in(&folder, &suites, "2 4 8", &["-u", "CUDA_VISIBLE_DEVICES", variable]);
        assert!(!said.contains(unexpected), "{variable}: {said}");
        expect((ended, said), true, &expected);
    }
}

#[test]
fn suites_that_pass_make_a_run_that_passes() {
    let ended = run("run-passes", &[("one", "echo 'test result: ok'"), ("two", "echo \"$* passed\"")]);
    expect(ended, true, &["5 passed, 0 failed", "--test-threads=1 passed", "xtask left-out --all "]);
}

/// Catches a failure that is lost among suites that pass, or that is missing from the table.
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
