//! Order.

use crate::routine::{Family, routine};
use crate::types::NONE;

pub(super) const FAMILIES: &[Family] = &[Family {
    title: "Order (9.11)",
    types: NONE,
    routines: &[routine("void", "shmem_fence", "void"), routine("void", "shmem_quiet", "void")],
}];
