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

/// Catches a sweep that leaves out a mode or a size, or whose runs without exchange spoil the signals of those with: all are verified.
#[test]
fn a_sweep_has_a_verified_row_for_each_mode_and_size_on_soft() {
    let mut job = launch::shmemrun(&built("shmemrun"), 2);
    job.env("CUSHMEM_GPU", "soft").args(["--timeout", "60"]).arg(built("stencil2d"));
    job.args(["--sweep=5,33", "--iters", "4", "--pe-grid", "1x2", "--json"]);
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{ended:?}\n{said}");
    let rows: Vec<_> = said.lines().filter(|line| line.starts_with('{')).collect();
    assert_eq!(rows.len(), 6, "{said}");
    for side in [5, 33] {
        for mode in ["host", "device", "fused"] {
            let key = format!("\"mode\":\"{mode}\",\"side\":{side},\"rows\":{side},\"cols\":{}", 2 * side);
            let row = rows.iter().find(|row| row.contains(&key)).unwrap_or_else(|| panic!("{key} is not in\n{said}"));
            assert!(row.contains("\"verified\":true") && row.contains("\"exchange_share\":"), "{row}");
        }
    }
}

/// Catches halos of the wrong side, or that do not come: rows alone, columns alone, and both with corners. The PE in the middle of three
/// exchanges both.
#[test]
fn each_mode_with_each_shape_on_soft() {
    for (n, pe_grid) in [(2, "1x2"), (3, "1x3"), (3, "3x1"), (4, "2x2"), (6, "2x3")] {
        for (mode, element) in
            [("host", "f32"), ("host", "f64"), ("device", "f32"), ("device", "f64"), ("fused", "f32"), ("fused", "f64")]
        {
            verify(n, pe_grid, mode, element);
        }
    }
}
