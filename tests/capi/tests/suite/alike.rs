//! Mistakes that all PEs make at the same time: each is printed once, not once by each PE.

use cushmem_capi_tests::{Finished, Library, Rig};
use std::path::Path;
use std::process::Command;

const PROGRAM: &str = include_str!("alike.c");
const WITHOUT_GPU: (&str, &str) = ("CUSHMEM_GPU", "none");

fn said(job: &Finished) -> Vec<&String> {
    job.lines.iter().filter(|line| line.starts_with("cushmem: ")).collect()
}

/// Catches a line for each PE, which hides the one that matters in a large job.
#[test]
fn a_mistake_of_all_pes_is_printed_once() {
    let Some(rig) = Rig::find("capi::a_mistake_of_all_pes_is_printed_once") else { return };
    let program = rig.compile("alike.c", PROGRAM, Library::Shared, &["-std=gnu11"]);
    let mut wrong = vec![];
    for (mistake, status, text) in [
        ("pe", 134, "shmem_long_p: argument pe: -1 is out of range (0 to 4)"),
        // Each PE finds another address.
        ("private", 134, "shmem_long_put: argument dest: 0x"),
        ("early", 134, "shmem_barrier_all: called before shmem_init"),
        ("late", 134, "shmem_quiet: called after shmem_finalize"),
        ("heap", 0, "shmem_malloc: argument size: 1125899906842624 bytes do not fit into the heap"),
    ] {
        let job = rig.run_on_nodes(1, &program, 5, &[mistake], &[WITHOUT_GPU]);
        let lines = said(&job);
        if job.status != Some(status) || lines.len() != 1 || !lines[0].contains(text) {
            wrong.push(format!("{mistake}: {job:#?}"));
        }
    }
    // PEs of different nodes share no memory in which they could note what they have printed.
    let job = rig.run_on_nodes(2, &program, 6, &["pe"], &[WITHOUT_GPU]);
    if job.status != Some(134) || !(1..=2).contains(&said(&job).len()) {
        wrong.push(format!("on two nodes: {job:#?}"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Catches a line about a mistake that does not end the job, and which is lost because another PE, or the same one
/// before, has printed one like it.
#[test]
fn a_mistake_that_does_not_end_the_job_is_printed_each_time() {
    let Some(rig) = Rig::find("capi::a_mistake_that_does_not_end_the_job_is_printed_each_time") else { return };
    let program = rig.compile("alike.c", PROGRAM, Library::Shared, &["-std=gnu11"]);
    let job = rig.run_on_nodes(1, &program, 3, &["contexts"], &[WITHOUT_GPU]);
    let mut all: Vec<String> = (0..3)
        .map(|pe| format!("cushmem: PE {pe}: shmem_ctx_create: the limit of 1024 contexts is reached"))
        .flat_map(|line| [line.clone(), line])
        .collect();
    all.sort();
    assert_eq!((job.status, job.lines), (Some(0), all));
}

/// Runs a program on three PEs that a shell starts, each with these redirections, and prints their statuses.
fn by_shell(rig: &Rig, program: &Path, mistake: &str, redirections: &str) -> Finished {
    let file = rig.path(&format!("id-{mistake}-{}", redirections.len()));
    let script = "for pe in 0 1 2; do (timeout 60 \"$1\" $pe 3 \"$2\" $3 REDIRECTIONS; echo status $?) & done; wait";
    let script = script.replace("REDIRECTIONS", redirections);
    let mut shell = Command::new("sh");
    shell.args(["-c", &script, "sh"]).arg(program).arg(&file).arg(mistake).env(WITHOUT_GPU.0, WITHOUT_GPU.1);
    Rig::finish(&mut shell)
}

/// Catches the PEs of a job without `shmemrun` that each print the mistake, or that another one has ended the job
/// because of it.
#[test]
fn a_mistake_of_all_pes_is_printed_once_without_a_launcher() {
    let Some(rig) = Rig::find("capi::a_mistake_of_all_pes_is_printed_once_without_a_launcher") else { return };
    let program = rig.compile("alike.c", PROGRAM, Library::Shared, &["-std=gnu11"]);
    for (mistake, text) in [("pe", "shmem_long_p: argument pe: -1"), ("private", "shmem_long_put: argument dest: 0x")] {
        let job = by_shell(&rig, &program, mistake, "");
        let [line, statuses @ ..] = &job.lines[..] else { panic!("{job:#?}") };
        assert!(line.starts_with("cushmem: PE ") && line.contains(text), "{job:#?}");
        assert_eq!(statuses, ["status 134"; 3], "{job:#?}");
    }
}

/// Catches a PE whose own file for stderr does not say why it ended, because the file of another PE does.
#[test]
fn each_file_says_why_its_pe_ended() {
    let Some(rig) = Rig::find("capi::each_file_says_why_its_pe_ended") else { return };
    let program = rig.compile("alike.c", PROGRAM, Library::Shared, &["-std=gnu11"]);
    let job = by_shell(&rig, &program, "pe", "2> \"$2.$pe\"");
    assert_eq!(job.lines, ["status 134"; 3], "{job:#?}");
    for pe in 0..3 {
        let folder = rig.path("");
        let ending = format!(".{pe}");
        let of_pe = |path: &Path| path.to_string_lossy().ends_with(&ending);
        let mut files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let file = files.find(|path| of_pe(path)).expect("the shell has made it");
        let text = std::fs::read_to_string(file).unwrap();
        let own = format!("cushmem: PE {pe}: ");
        let is_told = text.lines().any(|line| line.contains("argument pe: -1") || line.contains("the job has ended: "));
        assert!(is_told && text.lines().all(|line| line.starts_with(&own)), "PE {pe}: {text}");
    }
}
