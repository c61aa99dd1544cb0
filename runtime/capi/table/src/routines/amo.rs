//! Atomics.

use crate::routine::{Family, routine};
use crate::types::{BITWISE_AMO, EXTENDED_AMO, STANDARD_AMO};

const VALUE: &str = "TYPE *dest, TYPE value, int pe";

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Atomics (9.7), standard; on host memory, as all of them",
        types: STANDARD_AMO,
        routines: &[
            routine("TYPE", "shmem_NAME_atomic_compare_swap", "TYPE *dest, TYPE cond, TYPE value, int pe"),
            routine("TYPE", "shmem_NAME_atomic_fetch_add", VALUE),
            routine("void", "shmem_NAME_atomic_add", VALUE),
            routine("TYPE", "shmem_NAME_atomic_fetch_inc", "TYPE *dest, int pe"),
            routine("void", "shmem_NAME_atomic_inc", "TYPE *dest, int pe"),
        ],
    },
    Family {
        title: "Atomics, extended",
        types: EXTENDED_AMO,
        routines: &[
            routine("TYPE", "shmem_NAME_atomic_fetch", "const TYPE *source, int pe"),
            routine("void", "shmem_NAME_atomic_set", VALUE),
            routine("TYPE", "shmem_NAME_atomic_swap", VALUE),
        ],
    },
    Family {
        title: "Atomics, bitwise",
        types: BITWISE_AMO,
        routines: &[
            routine("TYPE", "shmem_NAME_atomic_fetch_and", VALUE),
            routine("void", "shmem_NAME_atomic_and", VALUE),
            routine("TYPE", "shmem_NAME_atomic_fetch_or", VALUE),
            routine("void", "shmem_NAME_atomic_or", VALUE),
            routine("TYPE", "shmem_NAME_atomic_fetch_xor", VALUE),
            routine("void", "shmem_NAME_atomic_xor", VALUE),
        ],
    },
];
