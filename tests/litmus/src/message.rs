//! Message passing by single words: who sees the flag sees the word.

use crate::kernels;
use crate::rig::{HEAPS, Heap, Rig, Trial};

/// Catches a flag that overtakes the word stored before the fence, and a load that is satisfied before the wait ends.
pub fn fence(rig: &mut Rig<'_>) {
    for heaps in HEAPS {
        rig.gpus(kernels::message_fence, Trial::on(heaps));
    }
}

/// Catches a flag that overtakes the word stored before the quiet.
pub fn quiet(rig: &mut Rig<'_>) {
    for heaps in HEAPS {
        rig.gpus(kernels::message_quiet, Trial::on(heaps));
    }
}

/// Shows how often the machine reorders what no fence or wait orders.
pub fn without_an_order(rig: &mut Rig<'_>) {
    for heaps in HEAPS {
        let trial = Trial { is_unordered: true, ..Trial::on(heaps) };
        rig.gpus(kernels::message_unordered, trial);
        rig.gpus(kernels::message_polled, trial);
    }
}

/// Catches a signal of the CPU that overtakes the data before it, and a fence of a kernel that lets the GPU's own store
/// overtake what the CPU was asked for.
pub fn commands(rig: &mut Rig<'_>) {
    let trial = |heaps| Trial { is_slow: true, ..Trial::on(heaps) };
    for data in [Heap::Gpu, Heap::Host] {
        rig.gpus(kernels::command_signal, trial((data, Heap::Host)));
    }
    rig.gpus(kernels::command_data, trial((Heap::Host, Heap::Gpu)));
}
