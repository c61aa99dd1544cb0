//! Store buffering: of two sides that each store, call quiet and load, at least one sees the other's store.

use crate::kernels;
use crate::rig::{Heap, Rig, Trial};

fn trials() -> impl Iterator<Item = Trial> {
    [Heap::Gpu, Heap::Host].into_iter().flat_map(|heap| [0, 1].map(|way| Trial { way, ..Trial::on((heap, heap)) }))
}

/// Catches a get that overtakes an earlier put in spite of quiet.
pub fn quiet(rig: &mut Rig<'_>) {
    trials().for_each(|trial| rig.gpus(kernels::buffering_quiet, trial));
}

/// Catches a quiet of a block that lets a get of one lane overtake the put of another.
pub fn quiet_of_a_block(rig: &mut Rig<'_>) {
    trials().for_each(|trial| rig.gpus(kernels::buffering_block, trial));
}

/// Shows how often both sides miss the other's store if there is no quiet.
pub fn without_an_order(rig: &mut Rig<'_>) {
    trials().for_each(|trial| rig.gpus(kernels::buffering_unordered, Trial { is_unordered: true, ..trial }));
}
