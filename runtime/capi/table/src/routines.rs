//! The routines, each once. `NAME` and `TYPE` in a family stand for each of its types.

use crate::types::{AMO, BITWISE, EXTENDED, RMA, SIZES, Type};

/// One routine, or one per type or size.
#[derive(Clone, Copy, Debug)]
pub struct Routine {
    /// What it returns.
    pub returns: &'static str,
    /// Its name.
    pub name: &'static str,
    /// Its parameters.
    pub parameters: &'static str,
}

/// Routines that many types have.
pub struct Family {
    /// Its heading in the header.
    pub title: &'static str,
    /// Which types.
    pub types: fn() -> Vec<Type>,
    /// The routines.
    pub routines: &'static [Routine],
}

const fn routine(returns: &'static str, name: &'static str, parameters: &'static str) -> Routine {
    Routine { returns, name, parameters }
}

const TYPE_COPY: &str = "TYPE *dest, const TYPE *source, size_t nelems, int pe";
const VOID_COPY: &str = "void *dest, const void *source, size_t nelems, int pe";
const TYPE_SIGNAL: &str =
    "TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe";
const VOID_SIGNAL: &str =
    "void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe";

/// Families of typed routines, and of those called after a size.
pub const FAMILIES: &[Family] = &[
    Family {
        title: "Remote memory access (9.5, 9.6) and put with signal (9.8)",
        types: RMA,
        routines: &[
            routine("void", "shmem_NAME_put", TYPE_COPY),
            routine("void", "shmem_NAME_get", TYPE_COPY),
            routine("void", "shmem_NAME_put_nbi", TYPE_COPY),
            routine("void", "shmem_NAME_get_nbi", TYPE_COPY),
            routine("void", "shmem_NAME_p", "TYPE *dest, TYPE value, int pe"),
            routine("TYPE", "shmem_NAME_g", "const TYPE *source, int pe"),
            routine("void", "shmem_NAME_put_signal", TYPE_SIGNAL),
            routine("void", "shmem_NAME_put_signal_nbi", TYPE_SIGNAL),
        ],
    },
    Family {
        title: "The same for elements of so many bits",
        types: sizes,
        routines: &[
            routine("void", "shmem_putNAME", VOID_COPY),
            routine("void", "shmem_getNAME", VOID_COPY),
            routine("void", "shmem_putNAME_nbi", VOID_COPY),
            routine("void", "shmem_getNAME_nbi", VOID_COPY),
            routine("void", "shmem_putNAME_signal", VOID_SIGNAL),
            routine("void", "shmem_putNAME_signal_nbi", VOID_SIGNAL),
        ],
    },
    Family {
        title: "Atomics (9.7), standard; on host memory, as all of them",
        types: || AMO.to_vec(),
        routines: &[
            routine("TYPE", "shmem_NAME_atomic_compare_swap", "TYPE *dest, TYPE cond, TYPE value, int pe"),
            routine("TYPE", "shmem_NAME_atomic_fetch_add", "TYPE *dest, TYPE value, int pe"),
            routine("void", "shmem_NAME_atomic_add", "TYPE *dest, TYPE value, int pe"),
            routine("TYPE", "shmem_NAME_atomic_fetch_inc", "TYPE *dest, int pe"),
            routine("void", "shmem_NAME_atomic_inc", "TYPE *dest, int pe"),
        ],
    },
    Family {
        title: "Atomics, extended",
        types: || AMO.iter().chain(EXTENDED).copied().collect(),
        routines: &[
            routine("TYPE", "shmem_NAME_atomic_fetch", "const TYPE *source, int pe"),
            routine("void", "shmem_NAME_atomic_set", "TYPE *dest, TYPE value, int pe"),
            routine("TYPE", "shmem_NAME_atomic_swap", "TYPE *dest, TYPE value, int pe"),
        ],
    },
    Family {
        title: "Atomics, bitwise",
        types: || BITWISE.to_vec(),
        routines: &[
            routine("TYPE", "shmem_NAME_atomic_fetch_and", "TYPE *dest, TYPE value, int pe"),
            routine("void", "shmem_NAME_atomic_and", "TYPE *dest, TYPE value, int pe"),
            routine("TYPE", "shmem_NAME_atomic_fetch_or", "TYPE *dest, TYPE value, int pe"),
            routine("void", "shmem_NAME_atomic_or", "TYPE *dest, TYPE value, int pe"),
            routine("TYPE", "shmem_NAME_atomic_fetch_xor", "TYPE *dest, TYPE value, int pe"),
            routine("void", "shmem_NAME_atomic_xor", "TYPE *dest, TYPE value, int pe"),
        ],
    },
    Family {
        title: "Waiting for this PE's memory (9.9); host memory only",
        types: || AMO.to_vec(),
        routines: &[
            routine("void", "shmem_NAME_wait_until", "TYPE *ivar, int cmp, TYPE cmp_value"),
            routine("int", "shmem_NAME_test", "TYPE *ivar, int cmp, TYPE cmp_value"),
        ],
    },
];

fn sizes() -> Vec<Type> {
    const NAMES: [&str; SIZES.len()] = ["8", "16", "32", "64", "128"];
    NAMES.iter().map(|name| Type { name, c: "void" }).collect()
}

/// Routines without types, under their headings.
pub const PLAIN: &[(&str, &[Routine])] = &[
    (
        "Joining and leaving (9.1, 9.2). `shmem_finalize` happens at exit with status 0 if the program does not call it.",
        &[
            routine("void", "shmem_init", "void"),
            routine("int", "shmem_init_thread", "int requested, int *provided"),
            routine("void", "shmem_query_thread", "int *provided"),
            routine("void", "shmem_query_initialized", "int *initialized"),
            routine("void", "shmem_finalize", "void"),
            routine("void", "shmem_global_exit", "int status"),
            routine("int", "shmem_my_pe", "void"),
            routine("int", "shmem_n_pes", "void"),
            routine("int", "shmem_pe_accessible", "int pe"),
            routine("int", "shmem_addr_accessible", "const void *addr, int pe"),
            routine("void *", "shmem_ptr", "const void *dest, int pe"),
            routine("void", "shmem_info_get_version", "int *major, int *minor"),
            routine("void", "shmem_info_get_name", "char *name"),
        ],
    ),
    (
        "Symmetric memory (9.3)",
        &[
            routine("void *", "shmem_malloc", "size_t size"),
            routine("void *", "shmem_calloc", "size_t count, size_t size"),
            routine("void *", "shmem_align", "size_t alignment, size_t size"),
            routine("void *", "shmem_malloc_with_hints", "size_t size, long hints"),
            routine("void", "shmem_free", "void *ptr"),
        ],
    ),
    (
        "Remote memory access in bytes (9.5, 9.6) and put with signal (9.8)",
        &[
            routine("void", "shmem_putmem", VOID_COPY),
            routine("void", "shmem_getmem", VOID_COPY),
            routine("void", "shmem_putmem_nbi", VOID_COPY),
            routine("void", "shmem_getmem_nbi", VOID_COPY),
            routine("void", "shmem_putmem_signal", VOID_SIGNAL),
            routine("void", "shmem_putmem_signal_nbi", VOID_SIGNAL),
            routine("void", "shmem_signal_set", "uint64_t *sig_addr, uint64_t signal, int pe"),
            routine("void", "shmem_signal_add", "uint64_t *sig_addr, uint64_t signal, int pe"),
            routine("uint64_t", "shmem_signal_fetch", "const uint64_t *sig_addr"),
            routine("uint64_t", "shmem_signal_wait_until", "uint64_t *sig_addr, int cmp, uint64_t cmp_value"),
        ],
    ),
    (
        "Order (9.11) and barriers (9.10)",
        &[
            routine("void", "shmem_fence", "void"),
            routine("void", "shmem_quiet", "void"),
            routine("void", "shmem_barrier_all", "void"),
            routine("void", "shmem_sync_all", "void"),
        ],
    ),
];

/// What this library has beyond the specification.
pub const SHMEMX: &[(&str, Routine)] = &[
    (
        "Symmetric memory of the GPUs; collective, as `shmem_malloc`. The address is for kernels and for the routines of this\n   library; the CPU cannot access it. NULL without a GPU. It is not cleared.",
        routine("void *", "shmemx_malloc_gpu", "size_t size"),
    ),
    (
        "Tells the kernels of a module that the program itself loaded with the CUDA driver about the job. `module` is a CUmodule.\n   Not collective; before the first launch.",
        routine("void", "shmemx_module_init", "void *module"),
    ),
];

impl Routine {
    /// The routine of one type.
    pub fn of(&self, t: &Type) -> (String, String, String) {
        let put = |text: &str| text.replace("NAME", t.name).replace("TYPE", t.c);
        (put(self.returns), put(self.name), put(self.parameters))
    }
}

/// The names of all routines, in alphabetical order.
pub fn names() -> Vec<String> {
    let plain = PLAIN.iter().flat_map(|(_, routines)| *routines).chain(SHMEMX.iter().map(|(_, r)| r));
    let mut names: Vec<String> = plain.map(|r| r.name.to_owned()).collect();
    for family in FAMILIES {
        for t in (family.types)() {
            names.extend(family.routines.iter().map(|r| r.of(&t).1));
        }
    }
    names.sort();
    names
}
