//! Waiting.

use crate::routine::{Family, routine};
use crate::types::STANDARD_AMO;

pub(super) const FAMILIES: &[Family] = &[Family {
    title: "Waiting for this PE's memory (9.9); host memory only",
    types: STANDARD_AMO,
    routines: &[
        routine("void", "shmem_NAME_wait_until", "TYPE *ivar, int cmp, TYPE cmp_value"),
        routine("int", "shmem_NAME_test", "TYPE *ivar, int cmp, TYPE cmp_value"),
    ],
}];
