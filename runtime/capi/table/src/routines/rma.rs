//! Remote memory access.

use crate::routine::{Family, routine};
use crate::types::{BITS, NONE, RMA};

const TYPE_COPY: &str = "TYPE *dest, const TYPE *source, size_t nelems, int pe";
const VOID_COPY: &str = "void *dest, const void *source, size_t nelems, int pe";

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Remote memory access in bytes (9.5, 9.6)",
        types: NONE,
        routines: &[
            routine("void", "shmem_putmem", VOID_COPY),
            routine("void", "shmem_getmem", VOID_COPY),
            routine("void", "shmem_putmem_nbi", VOID_COPY),
            routine("void", "shmem_getmem_nbi", VOID_COPY),
        ],
    },
    Family {
        title: "The same for elements of so many bits",
        types: BITS,
        routines: &[
            routine("void", "shmem_putNAME", VOID_COPY),
            routine("void", "shmem_getNAME", VOID_COPY),
            routine("void", "shmem_putNAME_nbi", VOID_COPY),
            routine("void", "shmem_getNAME_nbi", VOID_COPY),
        ],
    },
    Family {
        title: "The same for elements of a type",
        types: RMA,
        routines: &[
            routine("void", "shmem_NAME_put", TYPE_COPY),
            routine("void", "shmem_NAME_get", TYPE_COPY),
            routine("void", "shmem_NAME_put_nbi", TYPE_COPY),
            routine("void", "shmem_NAME_get_nbi", TYPE_COPY),
            routine("void", "shmem_NAME_p", "TYPE *dest, TYPE value, int pe"),
            routine("TYPE", "shmem_NAME_g", "const TYPE *source, int pe"),
        ],
    },
];
