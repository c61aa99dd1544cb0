//! Barriers and synchronisations between kernels of all PEs.

use crate::rig::Rig;
use cushmem::{DevPtr, Grid, Kernel, Shmem};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels as kernels;

conformance! { soft, cuda => {
    nobody_runs_ahead: 1, 2, 3, 4, 5, 8;
    more_pes_than_meet_in_one_step: 18;
} }

mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => { nobody_runs_ahead: 2, 3; } }
}

type Args = (DevPtr<u64>, u64, u64, DevPtr<u64>);

fn rounds<K: Kernel<Args = Args>>(rig: &Rig<'_>, kernel: K, lanes: u32, rounds: u64) {
    let slots = rig.symmetric(&vec![0u64; 2 * rig.shmem.n_pes() as usize]);
    let wrong = rig.symmetric(&[0u64]);
    rig.barrier();
    // In several launches, because the barrier's state outlives a kernel.
    for part in 0..3 {
        let args = (slots.device_ptr(), 1 + part * rounds, rounds, wrong.device_ptr());
        rig.start(kernel, Grid::linear(1, lanes), args);
    }
    rig.wait();
    assert_eq!(wrong.to_vec().expect("read"), [0], "{}: words of another round", K::NAME);
    rig.barrier();
    rig.shmem.free(slots).expect("free");
    rig.shmem.free(wrong).expect("free");
}

/// Catches a PE that leaves before all have entered, or a store that is not visible afterwards. Scopes of all sizes
/// follow each other.
fn nobody_runs_ahead(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let few = if shmem.n_pes() <= 2 && rig.reaches_all() { 800 } else { 100 };
    let times = rig.times(few, 3000);
    rounds(&rig, kernels::barrier_thread, 1, times);
    rounds(&rig, kernels::barrier_warp, 32, times);
    rounds(&rig, kernels::barrier_block, rig.times(64, 256), times);
    rounds(&rig, kernels::sync_thread, 1, times);
    rounds(&rig, kernels::sync_warp, 32, times);
    // Not a multiple of a warp.
    rounds(&rig, kernels::sync_block, 50, times);
    rounds(&rig, kernels::barrier_thread, 1, times);
}

/// The barrier in several steps that is used for more than 16 PEs.
fn more_pes_than_meet_in_one_step(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    rounds(&rig, kernels::barrier_thread, 1, 3);
    rounds(&rig, kernels::sync_block, 32, 3);
}
