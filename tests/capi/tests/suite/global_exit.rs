//! `shmem_global_exit` ends all PEs, and what any of them has printed is not lost, whatever they are doing.

use cushmem_capi_tests::{Finished, Library, Rig};
use std::process::Command;
use xtask::launch::word;

const PROGRAM: &str = include_str!("global-exit.c");
const N: u32 = 3;
/// What the other PEs are doing.
const STATES: [&str; 6] = ["computing", "barrier", "finalize", "wait", "read", "input"];

/// Both streams of every PE are complete, except for standard output where its lock is held for ever.
fn expect(job: &Finished, last: u32, state: &str) {
    for pe in 0..N {
        // The last line on stdout has no end, so one from stderr may follow.
        let has = |what: &str| job.lines.iter().any(|line| line.starts_with(&format!("{what} of PE {pe}")));
        let is_locked = state == "locked" && pe != last;
        assert!(has("note") && has("result") != is_locked, "{state}, PE {pe}: {job:#?}");
    }
}

fn compile(rig: &Rig) -> std::path::PathBuf {
    rig.compile("global-exit.c", PROGRAM, Library::Shared, &["-std=gnu11"])
}

/// Catches output of other PEs that is lost, and PEs that go on. The job would then end at its time limit, with the
/// status of that.
#[test]
fn shmemrun_ends_all_pes_with_their_output() {
    let Some(rig) = Rig::find("capi::shmemrun_ends_all_pes_with_their_output") else { return };
    let program = compile(&rig);
    for nodes in [1, 2] {
        for state in STATES.into_iter().chain(["locked"]) {
            let job = rig.run_on_nodes(nodes, &program, N, &[state, "1"], &[("CUSHMEM_GPU", "none")]);
            assert_eq!(job.status, Some(5), "{state} on {nodes} nodes: {job:#?}");
            let says = |line: &String| line.ends_with("shmemrun: PE 1 ended the job with status 5");
            assert!(job.lines.iter().any(says), "{job:#?}");
            expect(&job, 1, state);
        }
    }
    let job = rig.run(&program, N, &["stopped", "1"], &[("CUSHMEM_GPU", "none")]);
    assert_eq!(job.status, Some(5), "stopped PEs cannot flush, but they end: {job:#?}");
}

/// Catches output that is lost, and PEs that go on, in jobs without `shmemrun`, where a thread of PE 0 keeps the job
/// together, whoever ends it.
#[test]
fn pes_end_with_their_output_without_shmemrun() {
    let Some(rig) = Rig::find("capi::pes_end_with_their_output_without_shmemrun") else { return };
    let program = compile(&rig);
    for (number, state) in STATES.into_iter().chain(["locked"]).enumerate() {
        for last in [0, 2] {
            // Its name is also the job's among all of this machine.
            let file = rig.path(&format!("global-exit-{number}-{last}-{}", std::process::id()));
            let by_id = format!("{state} {last} {} $pe {N}", word(&file));
            let by_torchrun = format!("{state} {last}");
            for arguments in [by_id, by_torchrun] {
                let script = format!(
                    "for pe in 0 1 2; do (RANK=$pe timeout 60 {} {arguments}; printf '\nstatus %s\n' $?) & done; wait",
                    word(&program)
                );
                let mut shell = Command::new("sh");
                shell.args(["-c", &script]).env("CUSHMEM_GPU", "none").env("WORLD_SIZE", "3");
                shell.env("TORCHELASTIC_RUN_ID", file.file_name().expect("a name")).env("LOCAL_WORLD_SIZE", "3");
                let job = Rig::finish(shell.envs([("MASTER_PORT", "29518"), ("TORCHELASTIC_RESTART_COUNT", "0")]));
                let ended = job.lines.iter().filter(|line| *line == "status 5").count();
                assert_eq!(ended, N as usize, "{arguments}: {job:#?}");
                expect(&job, last, state);
            }
            std::fs::remove_file(&file).expect("PE 0 has made it");
        }
    }
}
