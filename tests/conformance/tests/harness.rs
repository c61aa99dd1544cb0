//! The harness itself: checks that the bodies of its tests run.

use cushmem::Shmem;
use cushmem_conformance::{Backend, run};
use std::path::PathBuf;
use xtask::machine::cuda_gpus;

/// The folder in which PEs leave their marks.
const FOLDER: &str = "HARNESS_FOLDER";

fn leave_a_mark(shmem: &Shmem) {
    let folder = PathBuf::from(std::env::var_os(FOLDER).expect("the job's variables"));
    let mark = format!("{} of {}", shmem.my_pe(), shmem.n_pes());
    std::fs::write(folder.join(mark), "").expect("room for a mark");
}

/// Runs the test with this name as jobs with these numbers of PEs, and returns their marks.
fn marks_of(test: &str, backend: Backend, n_pes: &[u32]) -> Vec<String> {
    let name = format!("harness::{test}");
    if std::env::var_os(FOLDER).is_some() {
        run(&name, backend, n_pes, &[], leave_a_mark);
        // What follows is for the process that starts jobs.
        std::process::exit(0);
    }
    let folder = cushmem_scratch::Folder::new(test).expect("room for marks");
    run(&name, backend, n_pes, &[(FOLDER, &folder.to_string_lossy())], leave_a_mark);
    let entries = std::fs::read_dir(&folder).expect("the folder is ours");
    let mut marks: Vec<String> = entries.map(|e| e.expect("an entry").file_name().into_string().unwrap()).collect();
    marks.sort_unstable();
    marks
}

/// Catches a harness that does not start all jobs, or none: every test of the suite would then pass.
#[test]
fn every_pe_runs_without_a_gpu() {
    let marks = marks_of("every_pe_runs_without_a_gpu", Backend::Host, &[1, 3]);
    assert_eq!(marks, ["0 of 1", "0 of 3", "1 of 3", "2 of 3"]);
}

/// Catches a harness that does not start all jobs on emulated GPUs, or none.
#[test]
fn every_pe_runs_on_emulated_gpus() {
    let marks = marks_of("every_pe_runs_on_emulated_gpus", Backend::Soft, &[1, 3]);
    assert_eq!(marks, ["0 of 1", "0 of 3", "1 of 3", "2 of 3"]);
}

/// Catches a harness that does not start all jobs on a GPU, if there is one and there are kernels for it.
#[test]
fn a_pe_runs_on_cuda() {
    let marks = marks_of("a_pe_runs_on_cuda", Backend::Cuda, &[1]);
    let can = cuda_gpus().is_ok() && !cushmem_conformance_kernels::IMAGE.ptx.is_empty();
    assert_eq!(marks, if can { vec!["0 of 1"] } else { vec![] });
}

/// Catches a harness that ignores how a job ended.
#[test]
fn a_pe_that_fails_fails_the_test() {
    let name = "harness::a_pe_that_fails_fails_the_test";
    let fail = || run(name, Backend::Host, &[2], &[(FOLDER, "")], |shmem| assert_ne!(shmem.my_pe(), 1, "PE 1 fails"));
    if std::env::var_os(FOLDER).is_some() {
        return fail();
    }
    let panicked = std::panic::catch_unwind(fail).expect_err("a PE has failed");
    let message = panicked.downcast_ref::<String>().expect("a text");
    assert!(message.contains("with 2 PEs failed") && message.contains("PE 1 fails"), "{message}");
}
