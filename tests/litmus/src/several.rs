//! Shapes of more than two parties, and of barriers.

use crate::kernels;
use crate::rig::{Heap, Rig, Trial};

const HEAPS: [Heap; 2] = [Heap::Gpu, Heap::Host];

/// Catches a word that has not arrived when a third PE announces it: fences that order only what their own PE stored.
pub fn news_through_a_third_pe(rig: &mut Rig<'_>) {
    for heap in HEAPS {
        rig.gpus(kernels::chain_fence, Trial::on((heap, heap)));
        rig.gpus(kernels::chain_unordered, Trial { is_unordered: true, ..Trial::on((heap, heap)) });
    }
}

/// Catches two readers that see two writers' words in different orders in spite of quiet.
pub fn independent_writes(rig: &mut Rig<'_>) {
    for heap in HEAPS {
        let trial = Trial { blocks: Some(1), ..Trial::on((heap, heap)) };
        rig.gpus(kernels::writes_quiet, trial);
        rig.gpus(kernels::writes_unordered, Trial { is_unordered: true, ..trial });
    }
}

/// Catches a store from before a barrier that is not visible after it, to another lane of another PE.
pub fn barrier_of_pes(rig: &mut Rig<'_>) {
    for heap in HEAPS {
        rig.gpus(kernels::barrier_block, Trial { blocks: Some(1), ..Trial::on((heap, heap)) });
    }
}

/// Catches a write from before a barrier of the blocks that a lane of another block does not see after it.
pub fn barrier_of_blocks(rig: &mut Rig<'_>) {
    rig.gpus(kernels::grid_barrier, Trial { is_cooperative: true, ..Trial::on((Heap::Gpu, Heap::Gpu)) });
}
