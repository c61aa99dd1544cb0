//! lbm agrees with its serial reference to the last bit, in short runs in which each PE has a different position in the
//! box.

use cushmem_examples_tests::built;
use std::time::Duration;
use xtask::kernels::gpus_for;
use xtask::launch;
use xtask::left_out::record;
use xtask::process::run_limited;

const MODES: [&str; 6] = ["staged", "host", "stream", "device", "fused", "triggered"];

/// The number of warm-up steps, with and without messages, after which each mode has to start again. A graph carries
/// out some of them, but not all.
const WARMUP: &str = "13";

/// A job: PEs, nodes, cells, PEs along x, y, z, type, steps.
type Case = (u32, u32, &'static str, &'static str, &'static str, u32);

/// Runs the case verified on emulated GPUs. Returns the hash of the result's bits.
fn verify(case: Case, mode: &str) -> String {
    verify_on("soft", case, mode, "0")
}

fn verify_on(gpu: &str, (n, nodes, cells, pes, element, steps): Case, mode: &str, warmup: &str) -> String {
    let mut job = launch::placed_on_nodes(&built("shmemrun"), n, nodes);
    job.env("CUSHMEM_GPU", gpu).args(["--timeout", "60"]).arg(built("lbm"));
    job.args(["--grid", cells, "--pe-grid", pes, "--type", element, "--iters", &steps.to_string(), "--relax", "3"]);
    // A drop and an interface that fit in the box.
    let shortest = cells.split('x').map(|n| n.parse().expect("a number")).fold(f64::INFINITY, f64::min);
    let radius = (0.45 * shortest).min(2.5);
    job.args(["--radius", &radius.to_string(), "--width", &(1.6 * radius).to_string(), "--eo", "5", "--mode", mode]);
    job.args(["--verify", "--hash", "--json", "--share-gpu"]);
    job.args(["--warmup", warmup]);
    if element == "f64" {
        // In blocks of several warps, as on a GPU.
        job.env("LANES_OF_GPUS", "1");
    }
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    let is_right = ended.failure().is_none() && said.contains("\"verified\":true");
    assert!(is_right, "{pes} PEs on {nodes} nodes, {cells} cells, {mode}, {element}: {ended:?}\n{said}");
    let hash = said.split("\"hash\":\"").nth(1).and_then(|rest| rest.split('"').next());
    hash.unwrap_or_else(|| panic!("no hash in {said}")).to_owned()
}

/// Catches messages of the wrong side, ghost cells that nobody fills (they are NaN), and bits that depend on the
/// decomposition. The shapes divide each dimension alone or several dimensions, with edges, and in some two PEs are
/// neighbours on both sides.
#[test]
fn each_mode_with_each_shape_on_soft() {
    for mode in MODES {
        let shapes = [(1, "1x1x1"), (2, "1x1x2"), (2, "2x1x1"), (3, "1x3x1"), (4, "1x2x2"), (6, "3x1x2"), (8, "2x2x2")];
        let hashes = shapes.map(|(n, pes)| verify((n, 1, "7x9x11", pes, "f32", 7), mode));
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{mode}: {hashes:?}");
        verify((4, 1, "9x6x7", "2x1x2", "f64", 6), mode);
    }
}

/// Catches a hash that does not see the state, with which all comparisons of hashes would succeed.
#[test]
fn a_hash_changes_with_the_state_only_on_soft() {
    for element in ["f32", "f64"] {
        let of = |n, pes, steps| verify((n, 1, "7x9x11", pes, element, steps), "host");
        let after_six = of(1, "1x1x1", 6);
        assert_eq!(of(4, "2x1x2", 6), after_six, "{element}");
        assert_ne!(of(1, "1x1x1", 7), after_six, "{element}");
    }
}

/// Catches messages, signals and step counts that one run leaves behind for the next, with and without messages.
#[test]
fn each_mode_begins_again_on_soft() {
    for mode in MODES {
        verify_on("soft", (3, 1, "7x9x11", "1x1x3", "f32", 25), mode, WARMUP);
        verify_on("soft", (4, 1, "7x9x11", "2x1x2", "f64", 7), mode, WARMUP);
    }
}

/// Catches inner tiles that a kernel deals twice or not at all. Each turn of a phase has some, enough that the first
/// shares have two tiles. The last shares have one tile, and there is one more if the number is odd.
#[test]
fn kernels_with_many_tiles_on_soft() {
    for mode in ["device", "fused", "triggered"] {
        verify((2, 1, "40x12x24", "1x1x2", "f32", 5), mode);
        verify((2, 1, "64x33x26", "1x1x2", "f64", 2), mode);
        verify((2, 1, "31x11x25", "1x1x2", "f32", 3), mode);
    }
}

/// Catches cells that are skipped, or updated twice, where rows start in the middle of a warp.
#[test]
fn each_mode_with_long_divided_rows_on_soft() {
    for mode in MODES {
        verify((2, 1, "82x5x6", "2x1x1", "f32", 3), mode);
        verify((2, 1, "131x4x3", "2x1x1", "f64", 3), mode);
    }
}

/// Catches bits that depend on the GPU, such as those of contracted products.
#[test]
fn each_mode_on_cuda() {
    if let Err(reason) = gpus_for(&["lbm-kernels"]) {
        return record("lbm::each_mode_on_cuda", &reason);
    }
    for mode in MODES {
        verify_on("cuda", (1, 1, "40x41x24", "1x1x1", "f32", 25), mode, WARMUP);
        verify_on("cuda", (2, 1, "40x41x24", "1x1x2", "f64", 25), mode, WARMUP);
        verify_on("cuda", (2, 1, "40x41x24", "2x1x1", "f32", 25), mode, WARMUP);
    }
}

/// Catches errors of a PE whose cells all lie next to a neighbour's, in one dimension or in all.
#[test]
fn each_mode_with_single_cells_on_soft() {
    for mode in MODES {
        verify((8, 1, "2x2x2", "2x2x2", "f64", 7), mode);
        verify((4, 1, "1x5x7", "1x2x2", "f32", 7), mode);
        verify((3, 1, "40x5x3", "1x1x3", "f32", 7), mode);
    }
}

/// Catches messages of several pieces that are not put together, and graphs that start at the wrong step or are not
/// replayed.
#[test]
fn each_mode_with_messages_of_several_pieces_on_soft() {
    for mode in MODES {
        verify((2, 1, "40x41x4", "1x1x2", "f32", 25), mode);
    }
}

/// Catches kernels that do not pass on messages for another node, and data and signals that overtake each other there.
#[test]
fn each_mode_between_nodes_on_soft() {
    for mode in MODES {
        verify((2, 2, "7x9x11", "1x1x2", "f32", 7), mode);
        verify((4, 2, "7x9x11", "2x1x2", "f64", 7), mode);
        verify((2, 2, "40x41x4", "1x1x2", "f32", 14), mode);
    }
}

/// Catches a run that continues with NaN values, and a reported cell that depends on which PE looks for it.
#[test]
fn what_is_not_sound_ends_the_job_with_the_same_step_and_cell_on_soft() {
    let mut places = vec![];
    for mode in MODES {
        for n in [1, 2, 4] {
            let mut job = launch::shmemrun(&built("shmemrun"), n);
            job.env("CUSHMEM_GPU", "soft").args(["--timeout", "60"]).arg(built("lbm"));
            job.args(["--grid", "12x10x9", "--radius", "3", "--iters", "40", "--relax", "0", "--mobility", "3"]);
            let (ended, said) = run_limited(job.args(["--mode", mode, "--no-verify"]), Duration::from_secs(70))
                .expect("shmemrun starts");
            assert!(ended.failure().is_some(), "{mode}, {n} PEs: {said}");
            let place = said.split(": step ").nth(1).and_then(|rest| rest.lines().next());
            places.push(place.unwrap_or_else(|| panic!("{mode}, {n} PEs: no step in {said}")).to_owned());
        }
    }
    assert!(places.iter().all(|place| *place == places[0]), "{places:?}");
    for part in [": cell ", "density is not between 0.5 and 1.5, or φ not between -2 and 2; at the end of step "] {
        assert!(places[0].contains(part), "{places:?}");
    }
}
