//! Visibility of atomic operations.

use crate::kernels;
use crate::rig::{HEAPS, Heap, Rig, Trial};

/// The CPU carries out atomic operations on host memory, by commands.
fn trial((data, flag): (Heap, Heap)) -> Trial {
    Trial { is_slow: data == Heap::Host || flag == Heap::Host, ..Trial::on((data, flag)) }
}

/// Catches an addition that overtakes one before the fence.
pub fn visibility(rig: &mut Rig<'_>) {
    for heaps in HEAPS {
        rig.gpus(kernels::atomics_fence, trial(heaps));
        rig.gpus(kernels::atomics_unordered, Trial { is_unordered: true, ..trial(heaps) });
    }
}

/// Catches a load of a word that returns less than the load before it.
pub fn coherence(rig: &mut Rig<'_>) {
    for heap in [Heap::Gpu, Heap::Host] {
        rig.gpus(kernels::atomics_coherence, trial((heap, heap)));
    }
}
