//! Atomics.

use crate::routine::{Family, routine};
use crate::types::{BITWISE_AMO, EXTENDED_AMO, STANDARD_AMO};

const VALUE: &str = "TYPE *dest, TYPE value, int pe";
const FETCH_VALUE: &str = "TYPE *fetch, TYPE *dest, TYPE value, int pe";

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Standard atomics (9.7). All atomics work on host and GPU memory",
        types: STANDARD_AMO,
        routines: &[
            routine("TYPE", "shmem_NAME_atomic_compare_swap", "TYPE *dest, TYPE cond, TYPE value, int pe")
                .device("atomic_compare_swap(dest, cond, value, pe)")
                .context()
                .generic(),
            routine(
                "void",
                "shmem_NAME_atomic_compare_swap_nbi",
                "TYPE *fetch, TYPE *dest, TYPE cond, TYPE value, int pe",
            )
            .device("*fetch = atomic_compare_swap(dest, cond, value, pe)")
            .context()
            .generic(),
            routine("TYPE", "shmem_NAME_atomic_fetch_add", VALUE)
                .device("atomic_fetch_add(dest, value, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_fetch_add_nbi", FETCH_VALUE)
                .device("*fetch = atomic_fetch_add(dest, value, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_add", VALUE).device("atomic_add(dest, value, pe)").context().generic(),
            routine("TYPE", "shmem_NAME_atomic_fetch_inc", "TYPE *dest, int pe")
                .device("atomic_fetch_add(dest, (TYPE)1, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_fetch_inc_nbi", "TYPE *fetch, TYPE *dest, int pe")
                .device("*fetch = atomic_fetch_add(dest, (TYPE)1, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_inc", "TYPE *dest, int pe")
                .device("atomic_add(dest, (TYPE)1, pe)")
                .context()
                .generic(),
        ],
    },
    Family {
        title: "Extended atomics",
        types: EXTENDED_AMO,
        routines: &[
            routine("TYPE", "shmem_NAME_atomic_fetch", "const TYPE *source, int pe")
                .device("atomic_fetch(source, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_fetch_nbi", "TYPE *fetch, const TYPE *source, int pe")
                .device("*fetch = atomic_fetch(source, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_set", VALUE).device("atomic_set(dest, value, pe)").context().generic(),
            routine("TYPE", "shmem_NAME_atomic_swap", VALUE).device("atomic_swap(dest, value, pe)").context().generic(),
            routine("void", "shmem_NAME_atomic_swap_nbi", FETCH_VALUE)
                .device("*fetch = atomic_swap(dest, value, pe)")
                .context()
                .generic(),
        ],
    },
    Family {
        title: "Bitwise atomics",
        types: BITWISE_AMO,
        routines: &[
            routine("TYPE", "shmem_NAME_atomic_fetch_and", VALUE)
                .device("atomic_fetch_and(dest, value, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_fetch_and_nbi", FETCH_VALUE)
                .device("*fetch = atomic_fetch_and(dest, value, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_and", VALUE).device("atomic_and(dest, value, pe)").context().generic(),
            routine("TYPE", "shmem_NAME_atomic_fetch_or", VALUE)
                .device("atomic_fetch_or(dest, value, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_fetch_or_nbi", FETCH_VALUE)
                .device("*fetch = atomic_fetch_or(dest, value, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_or", VALUE).device("atomic_or(dest, value, pe)").context().generic(),
            routine("TYPE", "shmem_NAME_atomic_fetch_xor", VALUE)
                .device("atomic_fetch_xor(dest, value, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_fetch_xor_nbi", FETCH_VALUE)
                .device("*fetch = atomic_fetch_xor(dest, value, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_atomic_xor", VALUE).device("atomic_xor(dest, value, pe)").context().generic(),
        ],
    },
];
