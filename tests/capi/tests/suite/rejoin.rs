//! A process may join a job again after its last finalize (OpenSHMEM 1.6, 9.1.1 and 9.2.1).

use cushmem_capi_tests::{Finished, Library, Rig};
use std::path::PathBuf;
use std::process::Command;
use xtask::launch::word;

const PROGRAM: &str = include_str!("rejoin.c");

fn compile(test: &str, library: Library) -> Option<(Rig, PathBuf)> {
    let rig = Rig::find(&format!("capi::{test}"))?;
    let program =
        rig.compile("rejoin.c", PROGRAM, library, &["-std=gnu11", "-D_GNU_SOURCE", "-Wno-deprecated-declarations"]);
    Some((rig, program))
}

fn is_quiet(job: &Finished) {
    assert_eq!((job.status, &job.lines), (Some(0), &vec![]), "{job:#?}");
}

/// Catches a library that can be initialised once only, or whose second job finds something of the first one.
#[test]
fn a_job_follows_another() {
    for library in [Library::Shared, Library::Static] {
        let Some((rig, program)) = compile("a_job_follows_another", library) else { return };
        for gpu in ["none", "soft"] {
            is_quiet(&rig.run(&program, 2, &["rounds", "4"], &[("CUSHMEM_GPU", gpu)]));
        }
        let job = rig.run(&program, 3, &["rounds", "4"], &[("CUSHMEM_CHECK", "1"), ("CUSHMEM_GPU", "none")]);
        let is_leak = |line: &String| line.contains("not freed: 8 bytes");
        assert!(job.status == Some(0) && job.lines.iter().all(is_leak) && job.lines.len() == 8, "{job:#?}");
        is_quiet(&rig.run_on_nodes(2, &program, 3, &["rounds", "4"], &[("CUSHMEM_GPU", "soft")]));
        is_quiet(&Rig::finish(Command::new(&program).args(["rounds", "4"]).env("CUSHMEM_GPU", "soft")));
    }
}

/// Catches names and counters of a job that its successor finds taken, when no launcher of ours is there.
#[test]
fn a_job_of_torchrun_follows_another() {
    let Some((_rig, program)) = compile("a_job_of_torchrun_follows_another", Library::Shared) else { return };
    let port = 20_000 + std::process::id() % 10_000;
    let script = format!(
        "for pe in 0 1 2; do RANK=$pe timeout 60 {} rounds 6 & all=\"$all $!\"; done; for p in $all; do wait $p || exit; done",
        word(&program)
    );
    let mut command = Command::new("sh");
    command.args(["-c", &script]).env("CUSHMEM_GPU", "soft").env("TORCHELASTIC_RUN_ID", "rejoin");
    command.env("WORLD_SIZE", "3").env("LOCAL_WORLD_SIZE", "3").env("MASTER_PORT", port.to_string());
    is_quiet(&Rig::finish(&mut command));
}

/// Catches an id that only the first job of a process can use, or only once, or only with one number of PEs.
#[test]
fn a_job_of_a_unique_id_follows_another() {
    let Some((rig, program)) = compile("a_job_of_a_unique_id_follows_another", Library::Shared) else { return };
    let file = rig.path("rejoin-id");
    let script = format!(
        "for pe in 0 1 2; do timeout 60 {} ids $pe 3 {} & all=\"$all $!\"; done; for p in $all; do wait $p || exit; done",
        word(&program),
        word(&file)
    );
    is_quiet(&Rig::finish(Command::new("sh").args(["-c", &script]).env("CUSHMEM_GPU", "soft")));
}

/// Runs this many jobs in each process, with each kind of GPU. The program compares what it holds after 50 jobs and
/// after the last.
fn nothing_is_left(test: &str, rounds: [(&str, &str); 2]) {
    let Some((rig, program)) = compile(test, Library::Shared) else { return };
    for (gpu, rounds) in rounds {
        // Each thread of a job would take what libfabric allocates from another arena, and not give all of it back.
        let (arguments, gpu) = (["rounds", rounds], [("CUSHMEM_GPU", gpu), ("MALLOC_ARENA_MAX", "1")]);
        is_quiet(&rig.run(&program, 2, &arguments, &gpu));
        is_quiet(&rig.run_on_nodes(2, &program, 2, &arguments, &gpu));
        is_quiet(&Rig::finish(Command::new(&program).args(arguments).envs(gpu)));
    }
}

/// Catches memory, descriptors, threads, mappings and device addresses that a job leaves behind in its process. 80 jobs
/// of two PEs with GPUs would need more device addresses than there are.
#[test]
fn nothing_is_left_of_a_job() {
    nothing_is_left("nothing_is_left_of_a_job", [("none", "150"), ("soft", "80")]);
}

/// Catches leaks of a job in its process that are too small for the test of 80 jobs.
#[test]
#[ignore = "takes minutes"]
fn nothing_is_left_of_a_thousand_jobs() {
    nothing_is_left("nothing_is_left_of_a_thousand_jobs", [("none", "1000"), ("soft", "300")]);
}

/// Catches a wrong message between two jobs, a wait for a PE that has exited, and an exit without finalize that the
/// launcher does not notice after the first job.
#[test]
fn wrong_calls_after_the_first_job_are_explained() {
    let Some((rig, program)) = compile("wrong_calls_after_the_first_job_are_explained", Library::Shared) else {
        return;
    };
    let run = |name, n| rig.run(&program, n, &[name], &[("CUSHMEM_GPU", "none")]);
    let expect = |job: &Finished, status, line: &str| {
        assert!(job.status == Some(status) && job.lines.iter().any(|l| l.contains(line)), "'{line}': {job:#?}");
    };
    expect(&run("between", 1), 134, "shmem_n_pes: called after shmem_finalize");
    expect(&run("alone", 3), 1, "has ended without joining the job again");
    expect(&run("without", 2), 1, "PE 1 exited with status 0 without finalize");
}
