//! Locks.

use crate::routine::{Family, routine};
use crate::types::NONE;

pub(super) const FAMILIES: &[Family] = &[Family {
    title: "Locks (9.13): 0 on all PEs before their first use, first come, first served; a PE holds one, not a thread",
    types: NONE,
    routines: &[
        routine("void", "shmem_set_lock", "long *lock"),
        routine("void", "shmem_clear_lock", "long *lock"),
        routine("int", "shmem_test_lock", "long *lock"),
    ],
}];
