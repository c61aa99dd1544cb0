//! Joining, leaving, and information about the job.

use crate::routine::{Family, routine};
use crate::types::NONE;

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Initialisation and finalisation (9.1, 9.2). If the program exits with status 0 without calling `shmem_finalize`, the\n   library calls it. After the last `shmem_finalize`, all PEs together may initialise the library again.",
        types: NONE,
        routines: &[
            routine("void", "shmem_init", "void"),
            routine("int", "shmem_init_thread", "int requested, int *provided"),
            routine("void", "shmem_query_thread", "int *provided"),
            routine("void", "shmem_query_initialized", "int *initialized"),
            routine("void", "shmem_finalize", "void"),
            routine("SHMEM_IMPL_NORETURN void", "shmem_global_exit", "int status").device("global_exit((@u32)status)"),
            routine("int", "shmem_my_pe", "void").device("my_pe()"),
            routine("int", "shmem_n_pes", "void").device("n_pes()"),
            routine("int", "shmem_pe_accessible", "int pe"),
            routine("int", "shmem_addr_accessible", "const void *addr, int pe"),
            routine("void *", "shmem_ptr", "const void *dest, int pe").device("pointer(dest, pe)"),
            routine("void", "shmem_info_get_version", "int *major, int *minor"),
            routine("void", "shmem_info_get_name", "char *name"),
        ],
    },
    Family {
        title: "For profiling libraries (10). It does nothing unless one of them defines it. Each routine has a twin in `pshmem.h`",
        types: NONE,
        routines: &[routine("void", "shmem_pcontrol", "int level, ...")],
    },
];
