//! Cooperative launches.

use crate::rig::Rig;
use cushmem::{Grid, Shmem};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels as kernels;

conformance! { soft, cuda => {
    blocks_meet: 1;
    blocks_of_all_pes_meet: 1, 2, 3, 4;
    too_many_blocks: 1, 2;
} }

fn shapes(most: impl Fn(u32) -> u32) -> Vec<Grid> {
    vec![
        Grid::linear(1, 1),
        Grid::linear(2, 32),
        Grid { blocks: [3, 2, 2], threads: [8, 4, 2], shared_bytes: 0 },
        Grid { blocks: [1, 5, 1], threads: [33, 1, 1], shared_bytes: 0 },
        Grid::linear(most(128), 128),
        Grid::linear(most(1024), 1024),
    ]
}

/// Catches a block that runs ahead or does not see what another block wrote, and a counter that is not ready for the
/// next round or the next kernel.
fn blocks_meet(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let wrong = rig.symmetric(&[0u64]);
    let most = |threads| rig.module.max_resident_blocks(kernels::grid_rounds, threads).expect("occupancy");
    for grid in shapes(most) {
        let words = rig.private(&vec![0u64; 2 * grid.block_count() as usize]);
        // Odd and even numbers of rounds, so that the counter starts in both phases.
        for rounds in [rig.times(7, 501), rig.times(8, 500)] {
            let args = (rig.stream.grid_counter(), words.device_ptr(), rounds, wrong.device_ptr());
            rig.start_cooperative(kernels::grid_rounds, grid, args);
        }
        rig.wait();
        assert_eq!(wrong.to_vec().expect("read"), [0], "words of another round in {grid:?}");
    }
}

/// Catches stores of one block that are not covered by another block's barrier with the other PEs.
fn blocks_of_all_pes_meet(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let wrong = rig.symmetric(&[0u64]);
    let most = |threads| rig.module.max_resident_blocks(kernels::grid_and_pes, threads).expect("occupancy");
    for grid in shapes(|threads| most(threads).min(rig.times(16, u32::MAX))) {
        let words = rig.symmetric(&vec![0u64; 2 * grid.block_count() as usize]);
        rig.barrier();
        let args = (rig.stream.grid_counter(), words.device_ptr(), rig.times(6, 500), wrong.device_ptr());
        rig.start_cooperative(kernels::grid_and_pes, grid, args);
        rig.wait();
        assert_eq!(wrong.to_vec().expect("read"), [0], "words of another round in {grid:?}");
        rig.barrier();
        shmem.free(words).expect("free");
    }
}

/// Catches a launch that is accepted and then waits for ever, and a refusal that breaks the stream.
fn too_many_blocks(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (words, wrong) = (rig.private(&vec![0u64; 1 << 16]), rig.symmetric(&[0u64]));
    for threads in [32, 256, 1024] {
        let most = rig.module.max_resident_blocks(kernels::grid_rounds, threads).expect("occupancy");
        let args = (rig.stream.grid_counter(), words.device_ptr(), 3, wrong.device_ptr());
        let grid = Grid::linear(most + 1, threads);
        // SAFETY: the launch is refused, and the arguments are valid anyway.
        let refused = unsafe { rig.stream.launch_cooperative(&rig.module, kernels::grid_rounds, grid, args) };
        let text = refused.expect_err("more blocks than fit were accepted").to_string();
        assert!(text.contains(&most.to_string()) && text.contains("resident"), "'{text}' lacks {most}");
        rig.start_cooperative(kernels::grid_rounds, Grid::linear(most, threads), args);
        rig.wait();
    }
    assert_eq!(wrong.to_vec().expect("read"), [0]);
}
