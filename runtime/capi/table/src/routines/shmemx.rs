//! What this library has beyond the specification; the header is `shmemx.h`.

use crate::routine::{Family, routine};
use crate::types::NONE;

/// The families of `shmemx.h`.
pub const SHMEMX: &[Family] = &[
    Family {
        title: "Joining without shmemrun. One process makes an id and gives its bytes to all others, which have to keep it secret; each then joins as PE\n   `pe` of `n_pes`, instead of `shmem_init`. The process that made the id runs until the end of the job. Both return 0; what goes\n   wrong ends the process with a line, as OpenSHMEM has no error returns.",
        types: NONE,
        routines: &[
            routine("int", "shmemx_get_uniqueid", "shmemx_uniqueid_t *id"),
            routine("int", "shmemx_init_attr", "int pe, int n_pes, const shmemx_uniqueid_t *id"),
        ],
    },
    Family {
        title: "Symmetric memory of the GPUs; collective, as `shmem_malloc`. The address is for kernels and for the routines of this\n   library; the CPU cannot access it. NULL without a GPU. It is not cleared. The first\n   call starts the GPUs.",
        types: NONE,
        routines: &[routine("void *", "shmemx_malloc_gpu", "size_t size")],
    },
    Family {
        title: "Tells the kernels of a module that the program itself loaded with the CUDA driver about the job. `module` is a CUmodule.\n   Before the first launch. Collective in a job that has not allocated with `shmemx_malloc_gpu` or called this routine yet: GPUs start then.",
        types: NONE,
        routines: &[routine("void", "shmemx_module_init", "void *module")],
    },
];
