//! Ranges that the lanes of a scope put together, and that one lane announces.

use crate::kernels;
use crate::rig::{HEAPS, Heap, Rig, Trial};

/// Catches a signal that overtakes its put, or the part of another lane.
pub fn put_with_signal(rig: &mut Rig<'_>) {
    for heaps in HEAPS {
        rig.gpus(kernels::signal_thread, Trial::on(heaps));
        rig.gpus(kernels::signal_warp, Trial::on(heaps));
        rig.gpus(kernels::signal_block, Trial::on(heaps));
        let is_slow = heaps.1 == Heap::Host;
        rig.gpus(kernels::signal_add_block, Trial { is_slow, ..Trial::on(heaps) });
    }
}

/// Catches a fence of a scope that covers only the lane that executes it, and a signal by another lane that overtakes
/// what the fence covers.
pub fn fence_then_signal(rig: &mut Rig<'_>) {
    for heaps in HEAPS {
        for way in [0, 1] {
            rig.gpus(kernels::fence_warp, Trial { way, ..Trial::on(heaps) });
            rig.gpus(kernels::fence_block, Trial { way, ..Trial::on(heaps) });
        }
    }
}

/// Catches a put that overtakes one before the fence.
pub fn fence_between_puts(rig: &mut Rig<'_>) {
    for heaps in HEAPS {
        rig.gpus(kernels::puts_thread, Trial::on(heaps));
        rig.gpus(kernels::puts_block, Trial::on(heaps));
    }
}

/// Shows how often a signal overtakes a put if there is no fence.
pub fn without_an_order(rig: &mut Rig<'_>) {
    for heaps in HEAPS {
        rig.gpus(kernels::fence_unordered, Trial { is_unordered: true, ..Trial::on(heaps) });
    }
}
