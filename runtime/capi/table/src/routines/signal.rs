//! Put with signal, and signals.

use crate::routine::{Family, routine};
use crate::types::{BITS, NONE, RMA};

const TYPE_SIGNAL: &str =
    "TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe";
const VOID_SIGNAL: &str =
    "void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe";
const SIGNAL: &str = "uint64_t *sig_addr, uint64_t signal, int pe";

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Signals (9.8)",
        types: NONE,
        routines: &[
            routine("void", "shmem_signal_set", SIGNAL).device("SHMEM_IMPL_SIGNAL_SET(sig_addr, signal, pe)").context(),
            routine("void", "shmem_signal_add", SIGNAL).device("SHMEM_IMPL_SIGNAL_ADD(sig_addr, signal, pe)").context(),
            routine("uint64_t", "shmem_signal_fetch", "const uint64_t *sig_addr").device("signal_fetch(sig_addr)"),
            routine("uint64_t", "shmem_signal_wait_until", "uint64_t *sig_addr, int cmp, uint64_t cmp_value")
                .device("wait_until(sig_addr, cmp, cmp_value)"),
        ],
    },
    Family {
        title: "Put with signal, in bytes",
        types: NONE,
        routines: &[
            routine("void", "shmem_putmem_signal", VOID_SIGNAL)
                .device("put_signal_SCOPE(dest, source, nelems, sig_addr, signal, sig_op, pe)")
                .context(),
            routine("void", "shmem_putmem_signal_nbi", VOID_SIGNAL)
                .device("put_signal_nbi_SCOPE(dest, source, nelems, sig_addr, signal, sig_op, pe)")
                .context(),
        ],
    },
    Family {
        title: "The same for elements of a given number of bits",
        types: BITS,
        routines: &[
            routine("void", "shmem_putNAME_signal", VOID_SIGNAL)
                .device("put_signal_SCOPE(dest, source, nelems * (NAME / 8), sig_addr, signal, sig_op, pe)")
                .context(),
            routine("void", "shmem_putNAME_signal_nbi", VOID_SIGNAL)
                .device("put_signal_nbi_SCOPE(dest, source, nelems * (NAME / 8), sig_addr, signal, sig_op, pe)")
                .context(),
        ],
    },
    Family {
        title: "The same for elements of a type",
        types: RMA,
        routines: &[
            routine("void", "shmem_NAME_put_signal", TYPE_SIGNAL)
                .device("put_signal_SCOPE(dest, source, nelems * sizeof(TYPE), sig_addr, signal, sig_op, pe)")
                .context()
                .generic(),
            routine("void", "shmem_NAME_put_signal_nbi", TYPE_SIGNAL)
                .device("put_signal_nbi_SCOPE(dest, source, nelems * sizeof(TYPE), sig_addr, signal, sig_op, pe)")
                .context()
                .generic(),
        ],
    },
];
