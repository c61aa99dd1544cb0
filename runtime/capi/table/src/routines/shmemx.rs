//! What this library has beyond the specification; the header is `shmemx.h`.

use crate::routine::{Family, routine};
use crate::types::NONE;

/// The families of `shmemx.h`.
pub const SHMEMX: &[Family] = &[
    Family {
        title: "Symmetric memory of the GPUs; collective, as `shmem_malloc`. The address is for kernels and for the routines of this\n   library; the CPU cannot access it. NULL without a GPU. It is not cleared.",
        types: NONE,
        routines: &[routine("void *", "shmemx_malloc_gpu", "size_t size")],
    },
    Family {
        title: "Tells the kernels of a module that the program itself loaded with the CUDA driver about the job. `module` is a CUmodule.\n   Not collective; before the first launch.",
        types: NONE,
        routines: &[routine("void", "shmemx_module_init", "void *module")],
    },
];
