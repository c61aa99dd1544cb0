//! Symmetric memory.

use crate::routine::{Family, routine};
use crate::types::NONE;

pub(super) const FAMILIES: &[Family] = &[Family {
    title: "Symmetric memory (9.3)",
    types: NONE,
    routines: &[
        routine("void *", "shmem_malloc", "size_t size"),
        routine("void *", "shmem_calloc", "size_t count, size_t size"),
        routine("void *", "shmem_align", "size_t alignment, size_t size"),
        routine("void *", "shmem_malloc_with_hints", "size_t size, long hints"),
        routine("void", "shmem_free", "void *ptr"),
        routine("void *", "shmem_realloc", "void *ptr, size_t size"),
    ],
}];
