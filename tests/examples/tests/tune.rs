//! `shmem-tune` measures without a GPU, and jobs follow what it wrote. These tests are a program of their own, because
//! no other test should run while they measure.

use cushmem_examples_tests::built;
use cushmem_scratch::Folder;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use xtask::process::run_limited;
use xtask::{executable, launch};

/// The time limit for six short jobs.
const LIMIT: Duration = Duration::from_secs(200);

/// Returns whether it succeeds, and what it prints.
fn tune(gpu: &str, output: &Path, more: &[&str]) -> (bool, String) {
    let mut tune = Command::new(built("shmem-tune"));
    tune.args(["--quick", "-o"]).arg(output).args(more).env("CUSHMEM_GPU", gpu);
    tune.env("CUSHMEM_COMMAND_PROCESSOR", if gpu == "none" { "0" } else { "1" });
    let (ended, said) = run_limited(&mut tune, LIMIT).expect("shmem-tune starts");
    (ended.failure().is_none(), said)
}

/// Catches a path that is skipped silently, a file that the library does not read, and a job that decides by other
/// figures than those it names.
#[test]
fn jobs_follow_what_was_measured() {
    let folder = Folder::new("tuned-soft").expect("room for a folder");
    let file = folder.join("soft.costs");
    let (ended_well, said) = tune("soft", &file, &["--nodes", "2"]);
    assert!(ended_well && !said.contains("not measured"), "{said}");
    let text = std::fs::read_to_string(&file).expect("a file");
    for path in [
        "mapped",
        "cross-memory",
        "copy-engine",
        "gpu-agent",
        "launch",
        "gpu-direct",
        "thread-put",
        "thread-get",
        "processor-put",
        "processor-get",
        "staged-here",
        "nic",
        "staged",
        "gdr",
        "cross-memory-staged",
    ] {
        assert!(text.lines().any(|line| line.split(' ').next() == Some(path)), "{path} is missing in\n{text}");
    }
    assert!(text.contains("GPU: emulated; jobs of 2 PEs\n"), "{text}");
    let mut job = launch::mapped(&built("shmemrun"), 2);
    job.args(["--explain=all", "--timeout", "60"]).arg(built("kernel-ring"));
    job.env("CUSHMEM_GPU", "soft").env("CUSHMEM_COSTS", &file).env("CUSHMEM_COMMAND_PROCESSOR", "1");
    let (ended, said) = run_limited(&mut job, LIMIT).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    let lines = text.lines().skip(2).filter(|line| !line.starts_with('#')).count();
    assert_eq!(text.lines().nth(1), Some(&*format!("lines {lines}")), "{text}");
    assert!(
        said.contains(&format!("\ncosts: {} (CUSHMEM_COSTS), {lines} lines; else those of H200", file.display())),
        "{said}"
    );
    let engine = text.lines().find(|line| line.starts_with("copy-engine         gpu      gpu")).expect("a line");
    let words: Vec<&str> = engine.split_whitespace().collect();
    let number = |at: usize| words[at].parse::<f64>().expect("a number");
    let figures = format!("; {:.0} ns and {:.1} GB/s ({})", number(3) + number(4), number(5), words[6..].join(" "));
    assert!(said.contains(&figures), "{figures} is missing in\n{said}");
    let processor =
        said.lines().find(|line| line.contains("the command processor of this GPU copies")).expect("a line");
    for what in ["thread-put", "thread-get", "processor-put", "processor-get"] {
        let line = text.lines().find(|line| line.starts_with(what)).expect("a line");
        let words: Vec<&str> = line.split_whitespace().collect();
        let number = |at: usize| words[at].parse::<f64>().expect("a number");
        let figures = format!("{:.0} ns and {:.2} GB/s, {}", number(3) + number(4), number(5), words[6..].join(" "));
        assert!(processor.contains(&figures), "{figures} is missing in\n{processor}");
    }
}

/// Catches files that are overwritten unasked, and made-up figures for a GPU that does not exist.
#[test]
fn what_cannot_be_measured_is_named_and_no_file_is_lost() {
    let folder = Folder::new("tuned-none").expect("room for a folder");
    let file = folder.join("none.costs");
    let (ended_well, said) = tune("none", &file, &[]);
    assert!(ended_well, "{said}");
    for absent in ["copy-engine", "gpu-agent", "launch, gpu-direct", "staged-here"] {
        assert!(said.contains(&format!("\nnot measured: {absent}: this job runs without GPUs")), "{absent}: {said}");
    }
    for absent in ["nic", "staged", "gdr"] {
        assert!(said.contains(&format!("\nnot measured: {absent}: --nodes 2 measures it\n")), "{absent}: {said}");
    }
    let text = std::fs::read_to_string(&file).expect("a file");
    assert!(text.contains("\nmapped ") && !text.contains("\ncopy-engine "), "{text}");
    std::fs::write(&file, "mine").expect("the file is there");
    let (ended_well, said) = tune("none", &file, &[]);
    let refusal = format!("shmem-tune: {} already exists; --force replaces it\n", file.display());
    assert_eq!((ended_well, said), (false, refusal));
    assert_eq!(std::fs::read_to_string(&file).expect("a file"), "mine");
    let (ended_well, said) = tune("none", &file, &["--force"]);
    assert!(ended_well, "{said}");
    assert!(std::fs::read_to_string(&file).expect("a file").starts_with("cushmem costs 1\n"));
}

/// What `shmem-tune` makes of jobs that print these lines and end with this status; whether it succeeds, what it says,
/// and the file.
fn tune_with(name: &str, lines: &str, status: u32) -> (bool, String, Option<String>) {
    // The programs may be in a folder that nobody may write to.
    let folder = Folder::new(name).expect("room for a folder");
    // It starts the launcher that is beside it.
    let program = folder.join("shmem-tune");
    executable::copy(&built("shmem-tune"), &program).expect("room for a program");
    let script = format!("#!/bin/sh\necho '{lines}'\necho 'the GPU is gone' >&2\nexit {status}\n");
    executable::write(&folder.join("shmemrun"), &script).expect("room for a file");
    let file = folder.join("a.costs");
    let (ended, said) = run_limited(Command::new(program).arg("-o").arg(&file), LIMIT).expect("shmem-tune starts");
    let left = std::fs::read_dir(&folder).expect("the folder").count();
    assert_eq!(left, 2 + usize::from(file.exists()), "{said}");
    (ended.failure().is_none(), said, std::fs::read_to_string(file).ok())
}

/// Catches a success without a figure, and a failed job of which only a line tells.
#[test]
fn jobs_that_fail_fail_the_whole() {
    const LINE: &str = r#"{"Line":{"what":"mapped","from":"any","to":"any","overhead_ns":1,"latency_ns":2,"gb_s":3,"spread":0.1,"off":0.1,"shipped":[1,2]}}"#;
    let (ended_well, said, file) = tune_with("none-runs", r#"{"Gpu":{"Err":"no GPU"}}"#, 3);
    assert!(!ended_well && file.is_none(), "{said}");
    assert!(said.contains("shmem-tune: nothing was measured: mapped, cross-memory: the job failed: the GPU"), "{said}");
    let gpu = r#"{"Gpu":{"Err":"no GPU"}}"#;
    let (ended_well, said, file) = tune_with("one-fails", &format!("{gpu}\n{LINE}"), 3);
    assert!(!ended_well && said.contains("shmem-tune: jobs that failed: 1; "), "{said}");
    assert!(file.is_some_and(|text| text.contains("\nlines 1\n") && text.contains("\nmapped ")), "{said}");
    let (ended_well, said, file) = tune_with("none-fails", &format!("{gpu}\n{LINE}"), 0);
    assert!(ended_well && file.is_some(), "{said}");
}
