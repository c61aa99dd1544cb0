//! Barriers and collectives.

use crate::routine::{Family, routine};
use crate::types::NONE;

pub(super) const FAMILIES: &[Family] = &[Family {
    title: "Barriers (9.10)",
    types: NONE,
    routines: &[routine("void", "shmem_barrier_all", "void"), routine("void", "shmem_sync_all", "void")],
}];
