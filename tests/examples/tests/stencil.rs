//! stencil2d computes what its serial reference does, in short runs in which each PE has another place in the grid.

use cushmem_examples_tests::built;
use std::time::Duration;
use xtask::launch;
use xtask::process::run_limited;

/// Runs it verified on emulated GPUs.
fn verify(n: u32, pe_grid: &str, mode: &str, element: &str) {
    let mut job = launch::shmemrun(&built("shmemrun"), n);
    job.env("CUSHMEM_GPU", "soft").args(["--timeout", "60"]).arg(built("stencil2d"));
    job.args(["--rows", "37", "--cols", "41", "--iters", "7", "--pe-grid", pe_grid, "--verify", "--json"]);
    job.args(["--mode", mode, "--type", element, "--share-gpu"]);
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    let verified = said.contains("\"verified\":true");
    assert!(ended.failure().is_none() && verified, "{pe_grid} PEs, {mode}, {element}: {ended:?}\n{said}");
}

/// Catches halos of the wrong side, or that do not come: rows alone, columns alone, and both with corners. The PE in the middle of three
/// exchanges both.
#[test]
fn each_mode_with_each_shape_on_soft() {
    for (n, pe_grid) in [(2, "1x2"), (3, "1x3"), (3, "3x1"), (4, "2x2"), (6, "2x3")] {
        for (mode, element) in [("host", "f32"), ("host", "f64"), ("device", "f32"), ("device", "f64")] {
            verify(n, pe_grid, mode, element);
        }
    }
}
