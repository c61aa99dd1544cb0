//! Remote memory access.

use crate::routine::{Family, routine};
use crate::types::{BITS, NONE, RMA};

const TYPE_COPY: &str = "TYPE *dest, const TYPE *source, size_t nelems, int pe";
const TYPE_STRIDED: &str = "TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe";
const TYPE_BLOCKS: &str =
    "TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe";
const VOID_STRIDED: &str = "void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe";
const VOID_BLOCKS: &str =
    "void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe";
const VOID_COPY: &str = "void *dest, const void *source, size_t nelems, int pe";

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Remote memory access in bytes (9.6)",
        types: NONE,
        routines: &[
            routine("void", "shmem_putmem", VOID_COPY).device("put_SCOPE(dest, source, nelems, pe)").context(),
            routine("void", "shmem_getmem", VOID_COPY).device("get_SCOPE(dest, source, nelems, pe)").context(),
            routine("void", "shmem_putmem_nbi", VOID_COPY).device("put_nbi_SCOPE(dest, source, nelems, pe)").context(),
            routine("void", "shmem_getmem_nbi", VOID_COPY).device("get_nbi_SCOPE(dest, source, nelems, pe)").context(),
        ],
    },
    Family {
        title: "The same for elements of a given number of bits, including strided elements (i) and strided blocks (ib)",
        types: BITS,
        routines: &[
            routine("void", "shmem_putNAME", VOID_COPY)
                .device("put_SCOPE(dest, source, nelems * (NAME / 8), pe)")
                .context(),
            routine("void", "shmem_getNAME", VOID_COPY)
                .device("get_SCOPE(dest, source, nelems * (NAME / 8), pe)")
                .context(),
            routine("void", "shmem_putNAME_nbi", VOID_COPY)
                .device("put_nbi_SCOPE(dest, source, nelems * (NAME / 8), pe)")
                .context(),
            routine("void", "shmem_getNAME_nbi", VOID_COPY)
                .device("get_nbi_SCOPE(dest, source, nelems * (NAME / 8), pe)")
                .context(),
            routine("void", "shmem_iputNAME", VOID_STRIDED)
                .device("iput<NAME / 8>(@scope_SCOPE(), dest, source, dst, sst, nelems, pe)")
                .context(),
            routine("void", "shmem_igetNAME", VOID_STRIDED)
                .device("iget<NAME / 8>(@scope_SCOPE(), dest, source, dst, sst, nelems, pe)")
                .context(),
            routine("void", "shmem_ibputNAME", VOID_BLOCKS).context(),
            routine("void", "shmem_ibgetNAME", VOID_BLOCKS).context(),
        ],
    },
    Family {
        title: "The same for elements of a type",
        types: RMA,
        routines: &[
            routine("void", "shmem_NAME_put", TYPE_COPY)
                .device("put_SCOPE(dest, source, nelems * sizeof(TYPE), pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_get", TYPE_COPY)
                .device("get_SCOPE(dest, source, nelems * sizeof(TYPE), pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_put_nbi", TYPE_COPY)
                .device("put_nbi_SCOPE(dest, source, nelems * sizeof(TYPE), pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_get_nbi", TYPE_COPY)
                .device("get_nbi_SCOPE(dest, source, nelems * sizeof(TYPE), pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_iput", TYPE_STRIDED)
                .device("iput<sizeof(TYPE)>(@scope_SCOPE(), dest, source, dst, sst, nelems, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_iget", TYPE_STRIDED)
                .device("iget<sizeof(TYPE)>(@scope_SCOPE(), dest, source, dst, sst, nelems, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_ibput", TYPE_BLOCKS).context().generic(),
            routine("void", "shmem_NAME_ibget", TYPE_BLOCKS).context().generic(),
            routine("void", "shmem_NAME_p", "TYPE *dest, TYPE value, int pe")
                .device("put_word(dest, value, pe)")
                .context()
                .generic(),
            routine("TYPE", "shmem_NAME_g", "const TYPE *source, int pe")
                .device("get_word(source, pe)")
                .context()
                .generic(),
        ],
    },
];
