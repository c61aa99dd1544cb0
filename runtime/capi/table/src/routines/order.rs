//! Memory ordering.

use crate::routine::{Family, routine};
use crate::types::NONE;

pub(super) const FAMILIES: &[Family] = &[Family {
    title: "Memory ordering (9.12)",
    types: NONE,
    routines: &[
        routine("void", "shmem_fence", "void").device("fence_SCOPE()").context(),
        routine("void", "shmem_quiet", "void").device("quiet_SCOPE()").context(),
        routine("void", "shmem_pe_quiet", "const int *target_pes, size_t npes")
            .device("quiet_pes(target_pes, npes)")
            .context(),
    ],
}];
