//! C programs that are started without `shmemrun`.

use cushmem_capi_tests::{Finished, Library, Rig};
use std::path::Path;
use std::process::Command;
use xtask::launch::word;
use xtask::left_out::record;

const RING: &str = include_str!("../../../../apps/examples/c/ring.c");
const BY_ID: &str = include_str!("../../../../apps/examples/c/by-id.c");
const STARTS: &str = include_str!("starts.c");

fn expect(job: &Finished, n: u32, line: impl Fn(u32) -> String) {
    let mut lines: Vec<String> = (0..n).map(line).collect();
    lines.sort();
    assert_eq!((job.status, &job.lines), (Some(0), &lines), "{job:#?}");
}

/// Catches an id that a C program cannot pass on, and heaps, barriers and globals that need the launcher.
#[test]
fn a_shell_loop_starts_pes_with_a_unique_id() {
    let Some(rig) = Rig::find("capi::a_shell_loop_starts_pes_with_a_unique_id") else { return };
    for library in [Library::Shared, Library::Static] {
        let program = rig.compile("by-id.c", BY_ID, library, &["-std=gnu11"]);
        for (n, gpu) in [(1, "none"), (3, "soft"), (4, "none")] {
            let file = rig.path(&format!("id-{library:?}-{n}"));
            let script = format!(
                "for pe in $(seq 0 {}); do timeout 60 {} $pe {n} {} & done; wait",
                n - 1,
                word(&program),
                word(&file)
            );
            let job = Rig::finish(Command::new("sh").args(["-c", &script]).env("CUSHMEM_GPU", gpu));
            expect(&job, n, |me| {
                let p = (me + n - 1) % n;
                format!("PE {me} of {n}: PE {p} sent {}", 10 * p)
            });
            assert!(!file.exists(), "PE 0 has not removed {}", file.display());
        }
    }
}

/// Catches globals that only `shmemrun` makes reachable for counters, locks and signals.
#[test]
fn globals_are_shared_however_the_job_started() {
    const N: u32 = 3;
    let Some(rig) = Rig::find("capi::globals_are_shared_however_the_job_started") else { return };
    for library in [Library::Shared, Library::Static] {
        let program = rig.compile("starts.c", STARTS, library, &["-std=gnu11"]);
        let path = word(&program);
        let mark = format!("{library:?}-{}", std::process::id());
        let file = rig.path(&format!("starts-{mark}"));
        let loops = format!("for pe in 0 1 2; do timeout 60 {path} $pe {N} {} & done; wait", word(&file));
        let torch = format!("for rank in 0 1 2; do RANK=$rank timeout 60 {path} & done; wait");
        let mut by_torch = Command::new("sh");
        by_torch.args(["-c", &torch]).envs([("WORLD_SIZE", "3"), ("LOCAL_WORLD_SIZE", "3"), ("MASTER_PORT", "29517")]);
        by_torch.envs([("TORCHELASTIC_RUN_ID", &*mark), ("TORCHELASTIC_RESTART_COUNT", "0")]);
        for job in [
            rig.run(&program, N, &[], &[("CUSHMEM_GPU", "none")]),
            Rig::finish(Command::new("sh").args(["-c", &loops]).env("CUSHMEM_GPU", "none")),
            Rig::finish(by_torch.env("CUSHMEM_GPU", "none")),
        ] {
            expect(&job, N, |me| format!("PE {me} of {N}: counted 300, guarded 60"));
        }
        std::fs::remove_file(&file).expect("PE 0 has made it");
        // A child of a program that runs already has private globals again, and a message says what to do.
        let job = Rig::finish(Command::new("timeout").arg("60").arg(&program).arg("2").env("CUSHMEM_GPU", "none"));
        let remedy = "only put and get reach it; its process was forked: start the program with exec";
        let is_told = job.lines.iter().any(|line| line.contains("PE 1 does not share") && line.ends_with(remedy));
        assert!(job.status != Some(0) && is_told, "{job:#?}");
    }
}

#[test]
fn wrong_ids_are_explained() {
    let Some(rig) = Rig::find("capi::wrong_ids_are_explained") else { return };
    let source = "#include <shmem.h>\n#include <shmemx.h>\n#include <stdlib.h>\n\
        int main(int argc, char **argv) {\n    shmemx_uniqueid_t id = {{0}};\n\
        if (argc > 3) shmemx_get_uniqueid(&id);\n\
        return shmemx_init_attr(atoi(argv[1]), atoi(argv[2]), argc > 4 ? NULL : &id);\n}\n";
    let program = rig.compile("wrong.c", source, Library::Shared, &[]);
    for (arguments, text) in [
        (&["0", "1"][..], "argument id: its first bytes are not those of an id"),
        (&["-1", "1"], "argument pe: -1 is negative"),
        (&["0", "1", "x", "x"], "argument id: NULL is not a valid address"),
        (&["2", "2", "x"], "PE 2 of 2 PEs: the valid range is 0 to 1"),
        (&["0", "0", "x"], "0 PEs: the valid range is 1 to 65536"),
    ] {
        let job = Rig::finish(Command::new(&program).args(arguments));
        let is_one_line = job.lines.len() == 1 && job.lines[0].starts_with("cushmem: shmemx_init_attr: ");
        assert!(job.status != Some(0) && is_one_line && job.lines[0].contains(text), "{arguments:?}: {job:#?}");
    }
}

/// Runs the ring under a launcher that has started two processes of it.
fn under(launcher: &str, arguments: &[&str], program: &Path) -> Finished {
    let mut command = Command::new("timeout");
    command.args(["60", launcher]).args(arguments).arg(program).env("CUSHMEM_GPU", "none");
    Rig::finish(&mut command)
}

/// Catches two jobs of one PE each, which would look like a success.
#[test]
fn launchers_that_connect_nobody_are_refused() {
    let Some(rig) = Rig::find("capi::launchers_that_connect_nobody_are_refused") else { return };
    let program = rig.compile("ring.c", RING, Library::Shared, &["-std=c99"]);
    for (variable, who) in [
        ("OMPI_COMM_WORLD_SIZE", "Open MPI's mpirun or oshrun has started 2 processes (OMPI_COMM_WORLD_SIZE=2)"),
        ("SLURM_STEP_NUM_TASKS", "srun has started 2 processes (SLURM_STEP_NUM_TASKS=2)"),
        ("PMI_SIZE", "a launcher with PMI has started 2 processes (PMI_SIZE=2)"),
    ] {
        let job = Rig::finish(Command::new(&program).env(variable, "2"));
        let is_one_line = job.lines.len() == 1 && job.lines[0].contains(who);
        assert!(job.status != Some(0) && is_one_line && job.lines[0].contains("shmemrun -n N"), "{job:#?}");
    }
}

#[test]
fn torchrun_joins() {
    let Some(rig) = Rig::find("capi::torchrun_joins") else { return };
    let program = rig.compile("ring.c", RING, Library::Shared, &["-std=c99"]);
    if Command::new("torchrun").arg("--help").output().is_err() {
        record("capi::torchrun_joins with a real one", "there is no torchrun");
        return;
    }
    let job = under("torchrun", &["--no_python", "--nproc_per_node", "3", "--master_port", "29511"], &program);
    let sent = job.lines.iter().filter(|line| line.contains("of 3: PE") && line.contains("sent")).count();
    assert!(job.status == Some(0) && sent == 3, "{job:#?}");
}
