//! Whether the programs of all PEs have chosen their GPUs, so that these can be started before the first call that
//! needs one. A program chooses by a CUDA context that is current in the thread that calls the library.
//!
//! A program may have used CUDA on the first GPU before it knew its place on the node, and choose another one later. So
//! PEs have not chosen if they share a GPU although one that they might use is left. This decision needs no care beyond
//! being the same on all PEs: GPUs that are not started here are started by the first call that needs them.

use super::Memory;
use crate::error::Result;
use std::collections::BTreeMap;

/// Identifies a GPU across processes.
type Uuid = [u8; 16];

impl Memory {
    /// Collective, with the same result on all PEs.
    pub(crate) fn all_have_chosen_gpus(&self) -> Result<bool> {
        let all = self.job.bootstrap().allgather("chosen GPUs", &self.own_gpu.chosen_now().concat())?;
        let all: Vec<_> = all.iter().map(|part| part.as_chunks().0).collect();
        Ok(are_chosen(&all))
    }
}

/// Of each PE its chosen GPU, and then those that it may use. Nothing if it has chosen none.
fn are_chosen(all: &[&[Uuid]]) -> bool {
    let mut users = BTreeMap::<Uuid, u32>::new();
    for chosen in all.iter().filter_map(|pe| pe.first()) {
        *users.entry(*chosen).or_default() += 1;
    }
    all.iter().all(|pe| match pe {
        [] => false,
        [chosen, others @ ..] => users[chosen] == 1 || others.iter().all(|gpu| users.contains_key(gpu)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(all: &[&[u8]]) -> bool {
        let all: Vec<Vec<Uuid>> = all.iter().map(|pe| pe.iter().map(|gpu| [*gpu; 16]).collect()).collect();
        are_chosen(&all.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }

    /// Catches GPUs that are started although a program has chosen none, or is about to choose another one, and GPUs
    /// that are not started although all have chosen.
    #[test]
    fn gpus_are_chosen_when_each_pe_has_one_or_none_is_left() {
        // Each its own of two, in any order, or the only one that it sees.
        assert!(chosen(&[&[1, 1, 2], &[2, 1, 2]]));
        assert!(chosen(&[&[2, 1, 2], &[1, 1, 2]]));
        assert!(chosen(&[&[1, 1], &[2, 2]]));
        // Fewer PEs than GPUs.
        assert!(chosen(&[&[2, 1, 2, 3]]));
        // One has none.
        assert!(!chosen(&[&[1, 1, 2], &[]]));
        assert!(!chosen(&[&[], &[]]));
        // Both use the first one, as programs do that do not know their place yet.
        assert!(!chosen(&[&[1, 1, 2], &[1, 1, 2]]));
        // There is no other, or all are shared.
        assert!(chosen(&[&[1, 1], &[1, 1]]));
        assert!(chosen(&[&[1, 1, 2], &[2, 1, 2], &[1, 1, 2], &[2, 1, 2]]));
        // One GPU is left, but only PEs that share one might use it.
        assert!(!chosen(&[&[1, 1, 3], &[1, 1], &[2, 2]]));
        assert!(chosen(&[&[1, 1], &[1, 1], &[2, 2, 3]]));
        // Two nodes.
        assert!(chosen(&[&[1, 1, 2], &[2, 1, 2], &[3, 3, 4], &[4, 3, 4]]));
        assert!(!chosen(&[&[1, 1, 2], &[1, 1, 2], &[3, 3, 4], &[4, 3, 4]]));
    }
}
