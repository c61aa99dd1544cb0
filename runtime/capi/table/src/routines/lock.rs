//! Locks.

use crate::routine::{Family, routine};
use crate::types::NONE;

pub(super) const FAMILIES: &[Family] = &[Family {
    title: "Locks (9.13). A lock must be 0 on all PEs before its first use. PEs acquire it in the order in which they asked for\n   it. A PE holds the lock, not a thread",
    types: NONE,
    routines: &[
        routine("void", "shmem_set_lock", "long *lock"),
        routine("void", "shmem_clear_lock", "long *lock"),
        routine("int", "shmem_test_lock", "long *lock"),
    ],
}];
