//! What this library has beyond the specification; the header is `shmemx.h`.

use crate::routine::{Family, routine};
use crate::types::NONE;

pub(super) const FAMILIES: &[Family] = &[
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
        title: "Memory that the program allocated otherwise, of the host or of a GPU. `shmemx_buffer_register` is for this PE alone: copies between GPUs and host memory\n   that is registered need no thread. The `symmetric` forms are collective: all PEs give ranges of the same length and kind, at any address, and each then\n   names the range of any PE by its own address, in puts and gets, and of a GPU's also in atomic operations and signals. `flags` is 0. The result is `addr`, or NULL\n   on all PEs with a line that says why. The others return 0, or 1 with a line.",
        types: NONE,
        routines: &[
            routine("int", "shmemx_buffer_register", "void *addr, size_t bytes"),
            routine("int", "shmemx_buffer_unregister", "void *addr"),
            routine("void *", "shmemx_buffer_register_symmetric", "void *addr, size_t bytes, int flags"),
            routine("int", "shmemx_buffer_unregister_symmetric", "void *addr, size_t bytes"),
        ],
    },
    Family {
        title: "Tells the kernels of a module that the program itself loaded with the CUDA driver about the job. `module` is a CUmodule.\n   Before the first launch. Collective in a job that has not allocated with `shmemx_malloc_gpu` or called this routine yet: GPUs start then.",
        types: NONE,
        routines: &[routine("void", "shmemx_module_init", "void *module")],
    },
    Family {
        title: "Operations that kernels and streams begin later. `shmemx_prepare` describes one; what `op` names stays valid until\n   `shmemx_prepared_destroy`, which waits for what streams have posted. A kernel posts `shmemx_prepared_device`, which it gets as a parameter, and the CPU\n   carries the operation out. `shmemx_prepared_post` does the same when all before it on `stream`, a CUstream, has finished; one stream posts an operation,\n   which is not destroyed before, and is not being captured. It is complete after `shmem_quiet`, once kernel or stream have been synchronised. Additions to memory of the GPUs are refused, as\n   the CPU cannot do them.\n   Collective in a job whose GPUs have not started, as `shmemx_module_init` is.",
        types: NONE,
        routines: &[
            routine("shmemx_prepared_t", "shmemx_prepare", "const shmemx_op_t *op"),
            routine("shmemx_device_prepared_t", "shmemx_prepared_device", "shmemx_prepared_t prepared"),
            routine("void", "shmemx_prepared_post", "shmemx_prepared_t prepared, void *stream"),
            routine("void", "shmemx_prepared_destroy", "shmemx_prepared_t prepared"),
        ],
    },
    Family {
        title: "Triggers: an operation that runs when kernels have bumped its counter by `threshold` and it is armed, whichever comes last. Bumps count before it is\n   armed too. Kernels get `shmemx_trigger_device` as a parameter. `arm` lets the operation run once; `wait` waits until it is complete; then `rearm` lets it\n   run again, after as many bumps more. `cancel` takes `arm` back, and returns 1 if that was in time, else 0. `firm`, before `arm`, promises that nobody does, so that\n   kernels are quicker. `arm_always`, before the first bump, lets the operation run whenever it is due: nobody arms the trigger again, waits for it or cancels it, and after\n   the kernel `shmem_quiet` completes what is left. `destroy` cancels the operation, or waits for it; a trigger that another one bumps goes on as long as that one.\n   `arm_on_stream` arms by a stream that is held until the operation is due, and a copy engine, for puts and signals that are set. It is dangerous: what waits for\n   the whole GPU waits for that stream, streams that share a queue of the hardware with it are held as well, and it cannot be cancelled: `destroy` then runs\n   the operation, and has to be called before `shmem_finalize`.\n   Collective in a job whose GPUs have not started, as `shmemx_module_init` is.",
        types: NONE,
        routines: &[
            routine("shmemx_trigger_t", "shmemx_trigger_create", "const shmemx_op_t *op, uint64_t threshold"),
            routine("shmemx_device_trigger_t", "shmemx_trigger_device", "shmemx_trigger_t trigger"),
            routine("void", "shmemx_trigger_firm", "shmemx_trigger_t trigger"),
            routine("void", "shmemx_trigger_arm", "shmemx_trigger_t trigger"),
            routine("void", "shmemx_trigger_arm_always", "shmemx_trigger_t trigger"),
            routine("void", "shmemx_trigger_arm_on_stream", "shmemx_trigger_t trigger"),
            routine("void", "shmemx_trigger_rearm", "shmemx_trigger_t trigger"),
            routine("int", "shmemx_trigger_cancel", "shmemx_trigger_t trigger"),
            routine("void", "shmemx_trigger_wait", "shmemx_trigger_t trigger"),
            routine("void", "shmemx_trigger_destroy", "shmemx_trigger_t trigger"),
        ],
    },
];
