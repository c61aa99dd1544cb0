//! Extensions of this library to the specification; the header is `shmemx.h`.

use crate::routine::{Family, routine};
use crate::types::NONE;

const ROWS: &str = "shmem_team_t team, void *dest, const void *source, uint64_t *dest_splits, const uint64_t *source_splits, size_t nrows, size_t size";
const ROWS_ON_STREAM: &str = "shmem_team_t team, void *dest, const void *source, uint64_t *dest_splits, const uint64_t *source_splits, size_t nrows, size_t size, void *stream";

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Initialisation without shmemrun. One process creates an id and sends its bytes to all others, which must keep it\n   secret. Each process then joins as PE `pe` of `n_pes`, instead of calling `shmem_init`. The process that created the\n   id must run until the job ends. Both routines return 0; an error ends the process with a message, because OpenSHMEM\n   has no error returns.",
        types: NONE,
        routines: &[
            routine("int", "shmemx_get_uniqueid", "shmemx_uniqueid_t *id"),
            routine("int", "shmemx_init_attr", "int pe, int n_pes, const shmemx_uniqueid_t *id"),
        ],
    },
    Family {
        title: "Allocates symmetric GPU memory, which is not cleared. Collective, like `shmem_malloc`. The address is for kernels and\n   for the routines of this library; the CPU cannot access it. Returns NULL without a GPU. The first call starts the\n   GPUs. `shmemx_align_gpu` allocates at an address that is a multiple of `alignment`, a power of two.",
        types: NONE,
        routines: &[
            routine("void *", "shmemx_malloc_gpu", "size_t size"),
            routine("void *", "shmemx_align_gpu", "size_t alignment, size_t size"),
        ],
    },
    Family {
        title: "What this PE has done so far, if `shmemrun --stats` or `--trace` has started it, or CUSHMEM_STATS is 1. `operation`\n   and `path` are names as `shmemrun --stats` prints them: \"put\" and \"nic\", for example; a NULL `path` stands for all\n   paths. `counts` gets three numbers: how many operations, their bytes, and the nanoseconds that they took. With the\n   operation \"wait\", `path` is what was waited for, such as \"peers\", and there are no bytes. With \"count\", it is one of the\n   other counts, such as \"staged copies\", and there is only the first number. `shmemx_counters_get_pe` is for the\n   operations on one PE, so collectives and waits are not among them. Return 0, or 1 if this PE counts nothing, or nothing\n   of these names, or if there is no such PE",
        types: NONE,
        routines: &[
            routine("int", "shmemx_counters_get", "const char *operation, const char *path, uint64_t *counts"),
            routine(
                "int",
                "shmemx_counters_get_pe",
                "int pe, const char *operation, const char *path, uint64_t *counts",
            ),
        ],
    },
    Family {
        title: "Copies rows of `size` bytes: to each member of the team as many as this one wants. `source_splits` has two numbers for\n   each member, in their order: how many rows it gets from this PE, and then, for all members, where these start in\n   `source`, in rows. `dest_splits` is as long and is written: how many rows each member has sent, and then where they\n   start in `dest`, in which they follow each other in the members' order. `dest` has room for `nrows` rows, on every\n   member; if the rows for a member do not fit, the job ends with a message. On a stream of GPUs that reach each other,\n   the streams of all members fail instead. All members pass the same `nrows` and `size`, which is at least 1. All four\n   objects are symmetric, in host or GPU memory. On a stream, the numbers in `source_splits` are read when the stream\n   reaches the exchange; see collectives on streams. Returns 0",
        types: NONE,
        routines: &[
            routine("int", "shmemx_alltoallmemv", ROWS)
                .device("alltoallv(@scope_SCOPE(), team, dest, source, dest_splits, source_splits, nrows, size)"),
            routine("int", "shmemx_alltoallmemv_on_stream", ROWS_ON_STREAM),
        ],
    },
    Family {
        title: "Registers memory that the program allocated itself, on the host or on a GPU. `shmemx_buffer_register` is for this PE\n   alone: copies between GPUs and registered host memory need no thread, and a network with GPUDirect RDMA reads and\n   writes registered GPU memory itself. The `symmetric` forms are collective: all PEs\n   pass ranges of the same length and kind, at any address. Each PE then names the range of any PE by its own address,\n   in puts and gets and, for GPU memory, also in atomic operations and signals. `flags` is 0. Returns `addr`, or NULL on\n   all PEs with a message that says why. The other routines return 0, or 1 with a message.",
        types: NONE,
        routines: &[
            routine("int", "shmemx_buffer_register", "void *addr, size_t bytes"),
            routine("int", "shmemx_buffer_unregister", "void *addr"),
            routine("void *", "shmemx_buffer_register_symmetric", "void *addr, size_t bytes, int flags"),
            routine("int", "shmemx_buffer_unregister_symmetric", "void *addr, size_t bytes"),
        ],
    },
    Family {
        title: "Kernels that the program loads with the CUDA driver: in PTX from Rust, or in CUDA C++ compiled by NVRTC, or by nvcc\n   with -DSHMEMX_MODULE. `module` is a CUmodule, `library` a CUlibrary of CUDA 12. `init` tells them about the job; call it\n   before their first launch. It is collective if the job has neither allocated with `shmemx_malloc_gpu` nor called it\n   yet, because the GPUs then start. `finalize` makes them forget the job: those that are launched later end\n   at the first operation that needs it.\n   Return 0, or 1 with a message",
        types: NONE,
        routines: &[
            routine("int", "shmemx_module_init", "void *module"),
            routine("int", "shmemx_module_finalize", "void *module"),
            routine("int", "shmemx_library_init", "void *library"),
            routine("int", "shmemx_library_finalize", "void *library"),
        ],
    },
    Family {
        title: "Operations that kernels and streams start later. `shmemx_prepare` describes one. Whatever `op` names must stay valid\n   until `shmemx_prepared_destroy`, which waits for what streams have posted. A kernel takes the result of\n   `shmemx_prepared_device` as a parameter and posts it, and the CPU carries the operation out. `shmemx_prepared_post`\n   does the same once everything before it on `stream`, a CUstream, has finished. Only one stream may post a given\n   operation. It must not be capturing, and must reach the call before the operation is destroyed. An operation is\n   complete after `shmem_quiet`, once the kernel or stream has been synchronised. Changes of words in a peer's GPU\n   memory are refused where this GPU's atomic operations are not atomic with the peer's.\n   Collective if the job's GPUs have not started yet, as for `shmemx_module_init`.",
        types: NONE,
        routines: &[
            routine("shmemx_prepared_t", "shmemx_prepare", "const shmemx_op_t *op"),
            routine("shmemx_device_prepared_t", "shmemx_prepared_device", "shmemx_prepared_t prepared"),
            routine("void", "shmemx_prepared_post", "shmemx_prepared_t prepared, void *stream"),
            routine("void", "shmemx_prepared_destroy", "shmemx_prepared_t prepared"),
        ],
    },
    Family {
        title: "Triggers. A trigger's operation runs once kernels have bumped its counter by `threshold` and the trigger is armed,\n   whichever happens last. Bumps also count before it is armed. Kernels take the result of `shmemx_trigger_device` as a\n   parameter. `arm` lets the operation run once, and `wait` waits until it is complete. `rearm` then lets it run again,\n   after as many further bumps. `cancel` undoes `arm`, and returns 1 if it was in time, else 0. `firm`, called before\n   `arm`, promises not to cancel, which makes kernels faster. `arm_always`, called before the first bump, lets the\n   operation run whenever it is due: do not arm the trigger again, wait for it or cancel it; after the kernel\n   `shmem_quiet` completes what is left. `destroy` cancels the operation or waits for it; a trigger that another one\n   bumps remains in use as long as that one does.\n   `arm_on_stream` leaves a put, or a signal that is set, to a copy engine, on a stream that is held until the operation\n   is due. This is dangerous: anything that waits for the whole GPU waits for that stream, streams that share a hardware\n   queue with it are held as well, and it cannot be cancelled. `destroy` then runs the operation, and must be called\n   before `shmem_finalize`.\n   Collective if the job's GPUs have not started yet, as for `shmemx_module_init`.",
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
    Family {
        title: "Puts with a task: `shmemx_put_task` copies `nbytes` bytes to a buffer of PE `pe`, and then has a function of the\n   program run on them there, on the GPU. `shmemx_task_queue_create` is collective: it makes a queue on each PE and\n   starts a kernel there that takes tasks. `module` is a CUmodule with functions that `tasks!` declares in a crate of\n   kernels in Rust, or SHMEMX_TASKS of shmemx_tasks.cuh in CUDA C++; it stays loaded as long as the queue. On the\n   emulated GPU, it is the address of the crate's `IMAGE`. `functions` are the functions' names in their order there.\n   `options` may be NULL. If it fails, it says why and returns NULL. `shmemx_task_buffer` is collective too: it gives\n   symmetric memory, which stays as long as the queue, a number that is the same on all PEs, from 0 on.\n   `shmemx_put_task` returns when `source` may be reused. It waits if all slots are in use, up to\n   CUSHMEM_KERNEL_LIMIT_S. The task's signal says when the function has returned. On a stream, the put is made once\n   everything before it on the stream has finished, and the stream passes it when `source` may be reused; the slots\n   are those of kernels. A kernel takes the result of `shmemx_task_queue_device`. `shmemx_task_queue_destroy` is\n   collective, and runs what has come; no kernel and no stream may put tasks any more. `shmem_finalize` ends queues\n   that were not destroyed: it waits for this PE's kernels, then for all PEs, and runs what has come. A mistake, or a\n   limit that has passed, ends the job with a message",
        types: NONE,
        routines: &[
            routine(
                "shmemx_task_queue_t",
                "shmemx_task_queue_create",
                "void *module, const char *const *functions, size_t nfunctions, const shmemx_task_options_t *options",
            ),
            routine("shmemx_device_task_queue_t", "shmemx_task_queue_device", "shmemx_task_queue_t queue"),
            routine("void", "shmemx_task_queue_destroy", "shmemx_task_queue_t queue"),
            routine("int", "shmemx_task_buffer", "shmemx_task_queue_t queue, void *addr, size_t bytes"),
            routine(
                "void",
                "shmemx_put_task",
                "shmemx_task_queue_t queue, const shmemx_task_t *task, const void *source, size_t nbytes, int pe",
            ),
            routine(
                "void",
                "shmemx_put_task_on_stream",
                "shmemx_task_queue_t queue, const shmemx_task_t *task, const void *source, size_t nbytes, int pe, void *stream",
            ),
        ],
    },
    Family {
        title: "Arrays larger than a GPU: each GPU has a cache, through which its kernels read and write elements by index.\n   `shmemx_array_create` is collective: all PEs describe the same array of `nelems` elements of `elem_bytes` bytes,\n   which are 1, 2, 4 or 8. `options` may be NULL. Elements in memory have arbitrary values at first. If it fails, or\n   an argument has a wrong value, it says why and returns NULL. Elements in memory are divided into a part for each\n   PE, in the order of PEs. `shmemx_array_range` returns how many elements PE `pe` has, and the index of the first one\n   in `first`, unless that is NULL. `shmemx_array_part` returns this PE's part, which is symmetric; both find nothing\n   in a file, 0 and NULL. A kernel takes the result of `shmemx_array_device`, until the array is freed. While no\n   kernel of this PE uses the array, `shmemx_array_flush` writes back what kernels of this PE have written, to a file\n   down to the device; `shmemx_array_invalidate` has them fetch again what was not written to. What one PE wrote is\n   seen by another one after a flush there, a barrier, and `shmemx_array_invalidate` here. `shmemx_array_free` is\n   collective; it writes back what kernels have written. `shmem_finalize` does so too for arrays that were not freed,\n   when all kernels and tasks of this PE have ended. These three return 0, or 1 with a message",
        types: NONE,
        routines: &[
            routine(
                "shmemx_array_t",
                "shmemx_array_create",
                "size_t nelems, size_t elem_bytes, const shmemx_array_options_t *options",
            ),
            routine("size_t", "shmemx_array_range", "shmemx_array_t array, int pe, size_t *first"),
            routine("void *", "shmemx_array_part", "shmemx_array_t array"),
            routine("shmemx_device_array_t", "shmemx_array_device", "shmemx_array_t array"),
            routine("int", "shmemx_array_flush", "shmemx_array_t array"),
            routine("int", "shmemx_array_invalidate", "shmemx_array_t array"),
            routine("int", "shmemx_array_free", "shmemx_array_t array"),
        ],
    },
];
