//! Routines that the specification keeps only for old programs, unless they are forms of current routines, and names
//! from before 1.2.

use crate::routine::{Family, Routine, routine};
use crate::types::{NONE, OLD_EXTENDED, OLD_STANDARD};

const VALUE: &str = "TYPE *dest, TYPE value, int pe";

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Initialisation before 1.2",
        types: NONE,
        routines: &[routine("void", "start_pes", "int npes").deprecated()],
    },
    Family {
        title: "Standard atomics before 1.4",
        types: OLD_STANDARD,
        routines: &[
            routine("TYPE", "shmem_NAME_cswap", "TYPE *dest, TYPE cond, TYPE value, int pe").generic().deprecated(),
            routine("TYPE", "shmem_NAME_fadd", VALUE).generic().deprecated(),
            routine("void", "shmem_NAME_add", VALUE).generic().deprecated(),
            routine("TYPE", "shmem_NAME_finc", "TYPE *dest, int pe").generic().deprecated(),
            routine("void", "shmem_NAME_inc", "TYPE *dest, int pe").generic().deprecated(),
        ],
    },
    Family {
        title: "Extended atomics before 1.4",
        types: OLD_EXTENDED,
        routines: &[
            routine("TYPE", "shmem_NAME_fetch", "const TYPE *source, int pe").generic().deprecated(),
            routine("void", "shmem_NAME_set", VALUE).generic().deprecated(),
            routine("TYPE", "shmem_NAME_swap", VALUE).generic().deprecated(),
        ],
    },
];

/// Names from before 1.2, each a second name of the routine beside it.
pub const ALIASES: &[(Routine, &str)] = &[
    (routine("int", "_my_pe", "void").deprecated(), "shmem_my_pe"),
    (routine("int", "_num_pes", "void").deprecated(), "shmem_n_pes"),
    (routine("void *", "shmalloc", "size_t size").deprecated(), "shmem_malloc"),
    (routine("void", "shfree", "void *ptr").deprecated(), "shmem_free"),
    (routine("void *", "shrealloc", "void *ptr, size_t size").deprecated(), "shmem_realloc"),
    (routine("void *", "shmemalign", "size_t alignment, size_t size").deprecated(), "shmem_align"),
];
