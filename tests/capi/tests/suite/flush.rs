//! Standard output at host barriers (`CUSHMEM_FLUSH`).

use cushmem_capi_tests::{Library, Rig};
use std::path::Path;
use std::process::Stdio;
use xtask::launch;

const PROGRAM: &str = include_str!("flush.c");
const N: u32 = 3;
const ROUNDS: u32 = 5;

/// The lines that the job writes to a pipe, in their order.
fn lines(rig: &Rig, program: &Path, setting: &str) -> Vec<String> {
    let mut job = launch::shmemrun(&rig.tool("shmemrun"), N);
    job.args(["--timeout", "120"]).arg(program).env("CUSHMEM_GPU", "none").env("CUSHMEM_FLUSH", setting);
    let ended = job.stdin(Stdio::null()).output().expect("the job starts");
    assert!(ended.status.success(), "{ended:?}");
    String::from_utf8_lossy(&ended.stdout).lines().map(str::to_owned).collect()
}

/// Catches a kind of barrier that does not flush, or that flushes after the others may go on: what a PE printed before
/// a barrier would be behind what another one printed after it. C's standard output is fully buffered in a pipe.
#[test]
fn lines_come_in_the_order_of_the_barriers() {
    let Some(rig) = Rig::find("capi::lines_come_in_the_order_of_the_barriers") else { return };
    let program = rig.compile("flush.c", PROGRAM, Library::Shared, &["-std=gnu11", "-Wno-deprecated-declarations"]);
    let line = |round: u32, pe: u32| format!("round {round}, PE {pe}");
    let in_order: Vec<String> = (0..ROUNDS).flat_map(|round| (0..N).map(move |pe| line(round, pe))).collect();
    assert_eq!(lines(&rig, &program, "barrier"), in_order);
    // By default, all lines of a PE are written at its end, and the library writes none before.
    for setting in ["never", ""] {
        let lines = lines(&rig, &program, setting);
        let of_first: Vec<String> = lines.iter().take(ROUNDS as usize).cloned().collect();
        let pe = of_first[0].rsplit(' ').next().and_then(|pe| pe.parse().ok()).expect("a PE");
        assert_eq!(of_first, (0..ROUNDS).map(|round| line(round, pe)).collect::<Vec<_>>(), "{lines:?}");
    }
}
