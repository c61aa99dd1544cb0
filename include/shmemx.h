/* Extensions of cushmem to OpenSHMEM. `cargo xtask headers` writes this file. */
#ifndef SHMEMX_H
#define SHMEMX_H

#include <shmem.h>

/* For shmem_malloc_with_hints: GPU memory, as from shmemx_malloc_gpu. It is ignored beside bits that are no hints. */
#define SHMEMX_MALLOC_GPU (1L << 16)

/* Identifies a job whose processes join without a launcher. The bytes are opaque to programs. */
typedef struct { unsigned char bytes[128]; } shmemx_uniqueid_t;

/* An operation that starts later. Members that its kind does not name are ignored, except `by_proxy`: if it is not 0,
   the CPU carries the operation out even where a kernel could. */
#define SHMEMX_OP_PUT 1        /* dest on PE pe, source, nbytes */
#define SHMEMX_OP_PUT_SIGNAL 2 /* like SHMEMX_OP_PUT, and sig_addr, value, sig_op */
#define SHMEMX_OP_SIGNAL 3     /* sig_addr on PE pe, value, sig_op */
#define SHMEMX_OP_GET 4        /* dest, source on PE pe, nbytes */
#define SHMEMX_OP_SET 5        /* dest on PE pe, a word of 4 or 8 nbytes, value; the next four are alike */
#define SHMEMX_OP_ADD 6
#define SHMEMX_OP_AND 7
#define SHMEMX_OP_OR 8
#define SHMEMX_OP_XOR 9
#define SHMEMX_OP_TRIGGER 10   /* next, which nothing else may bump; for shmemx_trigger_create only */
typedef struct shmemx_impl_prepared *shmemx_prepared_t;
typedef struct shmemx_impl_trigger *shmemx_trigger_t;
typedef struct {
    int kind;
    int pe;
    void *dest;
    const void *source;
    size_t nbytes;
    uint64_t *sig_addr;
    uint64_t value;
    int sig_op;
    int by_proxy;
    shmemx_trigger_t next;
} shmemx_op_t;
/* Their forms as parameters of kernels. */
typedef struct { uint32_t index, generation; } shmemx_device_prepared_t;
typedef struct { uint64_t record; } shmemx_device_trigger_t;

/* Puts with a task. A member of the options that is 0 has its usual value: 64 slots, 1 block of 128 threads. */
typedef struct shmemx_impl_task_queue *shmemx_task_queue_t;
typedef struct {
    size_t slots;     /* how many tasks of a PE's kernels, and as many of its CPU, can wait at each PE */
    unsigned blocks;  /* blocks of the executor, each of which runs a task at a time: at most 32 */
    unsigned threads; /* of a block: a multiple of 32 */
    int launched;     /* not 0: the executor does not stay on the GPU, but is launched when tasks have come */
} shmemx_task_options_t;
typedef struct {
    int function;          /* its place in `functions` of shmemx_task_queue_create */
    int buffer;            /* where the data go: a result of shmemx_task_buffer, or -1 without data */
    size_t offset;         /* the first byte of the data in the buffer */
    uint64_t arguments[6]; /* each holds the bits of a number of up to 8 bytes; those of a signed one are extended */
    uint64_t *done;        /* a symmetric signal of this PE, updated when the function has returned, or NULL */
    uint64_t value;        /* its value, and */
    int sig_op;            /* SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD */
} shmemx_task_t;
/* The form as a parameter of kernels. */
typedef struct { uint64_t address; } shmemx_device_task_queue_t;

/* Arrays larger than a GPU. A member of the options that is 0 or NULL has its usual value. */
#define SHMEMX_ARRAY_READ_WRITE 0 /* kernels read elements and write them */
#define SHMEMX_ARRAY_READ_ONLY 1
#define SHMEMX_ARRAY_ACCUMULATE 2 /* kernels add to elements, and read them without a cache; not in a file */
typedef struct shmemx_impl_array *shmemx_array_t;
typedef struct {
    const char *file;  /* where the elements are: in the file that each PE opens by this path, or, if that is NULL, */
    int on_host;       /* in the host memory of all PEs, or, if this is 0, in their GPU memory */
    int mode;          /* what kernels do: SHMEMX_ARRAY_READ_WRITE and so on */
    size_t line_bytes; /* what a miss fetches, a power of two from 512 to 65,536: usually 4,096 */
    size_t slots;      /* for how many lines each GPU's cache has room: usually 1,024, or none where that is faster */
    int in_place;      /* not 0: there is no cache; all GPUs reach the elements, and slots is 0 */
} shmemx_array_options_t;
/* The form as a parameter of kernels. */
typedef struct { uint64_t words[9]; size_t elem_bytes; } shmemx_device_array_t;

/* The team of the PEs on this node */
#define SHMEMX_TEAM_NODE SHMEM_TEAM_SHARED

/* A stream: on a real GPU a CUstream or cudaStream_t */
typedef void *shmemx_stream_t;

#ifndef __CUDACC_RTC__
#if defined __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Initialisation without shmemrun. One process creates an id and sends its bytes to all others, which must keep it
   secret. Each process then joins as PE `pe` of `n_pes`, instead of calling `shmem_init`. The process that created the
   id must run until the job ends. Both routines return 0; an error ends the process with a message, because OpenSHMEM
   has no error returns. */
int shmemx_get_uniqueid(shmemx_uniqueid_t *id);
int shmemx_init_attr(int pe, int n_pes, const shmemx_uniqueid_t *id);

/* Allocates symmetric GPU memory, which is not cleared. Collective, like `shmem_malloc`. The address is for kernels and
   for the routines of this library; the CPU cannot access it. Returns NULL without a GPU. The first call starts the
   GPUs. `shmemx_align_gpu` allocates at an address that is a multiple of `alignment`, a power of two. */
void *shmemx_malloc_gpu(size_t size);
void *shmemx_align_gpu(size_t alignment, size_t size);

/* What this PE has done so far, if `shmemrun --stats` or `--trace` has started it, or CUSHMEM_STATS is 1. `operation`
   and `path` are names as `shmemrun --stats` prints them: "put" and "nic", for example; a NULL `path` stands for all
   paths. `counts` gets three numbers: how many operations, their bytes, and the nanoseconds that they took. With the
   operation "wait", `path` is what was waited for, such as "peers", and there are no bytes. With "count", it is one of the
   other counts, such as "staged copies", and there is only the first number. `shmemx_counters_get_pe` is for the
   operations on one PE, so collectives and waits are not among them. Return 0, or 1 if this PE counts nothing, or nothing
   of these names, or if there is no such PE */
int shmemx_counters_get(const char *operation, const char *path, uint64_t *counts);
int shmemx_counters_get_pe(int pe, const char *operation, const char *path, uint64_t *counts);

/* Copies rows of `size` bytes: to each member of the team as many as this one wants. `source_splits` has two numbers for
   each member, in their order: how many rows it gets from this PE, and then, for all members, where these start in
   `source`, in rows. `dest_splits` is as long and is written: how many rows each member has sent, and then where they
   start in `dest`, in which they follow each other in the members' order. `dest` has room for `nrows` rows, on every
   member; if the rows for a member do not fit, the job ends with a message. On a stream of GPUs that reach each other,
   the streams of all members fail instead. All members pass the same `nrows` and `size`, which is at least 1. All four
   objects are symmetric, in host or GPU memory. On a stream, the numbers in `source_splits` are read when the stream
   reaches the exchange; see collectives on streams. Returns 0 */
SHMEM_IMPL_DEVICE int shmemx_alltoallmemv(shmem_team_t team, void *dest, const void *source, uint64_t *dest_splits, const uint64_t *source_splits, size_t nrows, size_t size);
int shmemx_alltoallmemv_on_stream(shmem_team_t team, void *dest, const void *source, uint64_t *dest_splits, const uint64_t *source_splits, size_t nrows, size_t size, void *stream);

/* Registers memory that the program allocated itself, on the host or on a GPU. `shmemx_buffer_register` is for this PE
   alone: copies between GPUs and registered host memory need no thread, and a network with GPUDirect RDMA reads and
   writes registered GPU memory itself. The `symmetric` forms are collective: all PEs
   pass ranges of the same length and kind, at any address. Each PE then names the range of any PE by its own address,
   in puts and gets and, for GPU memory, also in atomic operations and signals. `flags` is 0. Returns `addr`, or NULL on
   all PEs with a message that says why. The other routines return 0, or 1 with a message. */
int shmemx_buffer_register(void *addr, size_t bytes);
int shmemx_buffer_unregister(void *addr);
void *shmemx_buffer_register_symmetric(void *addr, size_t bytes, int flags);
int shmemx_buffer_unregister_symmetric(void *addr, size_t bytes);

/* Kernels that the program loads with the CUDA driver: in PTX from Rust, or in CUDA C++ compiled by NVRTC, or by nvcc
   with -DSHMEMX_MODULE. `module` is a CUmodule, `library` a CUlibrary of CUDA 12. `init` tells them about the job; call it
   before their first launch. It is collective if the job has neither allocated with `shmemx_malloc_gpu` nor called it
   yet, because the GPUs then start. `finalize` makes them forget the job: those that are launched later end
   at the first operation that needs it.
   Return 0, or 1 with a message */
int shmemx_module_init(void *module);
int shmemx_module_finalize(void *module);
int shmemx_library_init(void *library);
int shmemx_library_finalize(void *library);

/* Operations that kernels and streams start later. `shmemx_prepare` describes one. Whatever `op` names must stay valid
   until `shmemx_prepared_destroy`, which waits for what streams have posted. A kernel takes the result of
   `shmemx_prepared_device` as a parameter and posts it, and the CPU carries the operation out. `shmemx_prepared_post`
   does the same once everything before it on `stream`, a CUstream, has finished. Only one stream may post a given
   operation. It must not be capturing, and must reach the call before the operation is destroyed. An operation is
   complete after `shmem_quiet`, once the kernel or stream has been synchronised. Changes of words in a peer's GPU
   memory are refused where this GPU's atomic operations are not atomic with the peer's.
   Collective if the job's GPUs have not started yet, as for `shmemx_module_init`. */
shmemx_prepared_t shmemx_prepare(const shmemx_op_t *op);
shmemx_device_prepared_t shmemx_prepared_device(shmemx_prepared_t prepared);
void shmemx_prepared_post(shmemx_prepared_t prepared, void *stream);
void shmemx_prepared_destroy(shmemx_prepared_t prepared);

/* Triggers. A trigger's operation runs once kernels have bumped its counter by `threshold` and the trigger is armed,
   whichever happens last. Bumps also count before it is armed. Kernels take the result of `shmemx_trigger_device` as a
   parameter. `arm` lets the operation run once, and `wait` waits until it is complete. `rearm` then lets it run again,
   after as many further bumps. `cancel` undoes `arm`, and returns 1 if it was in time, else 0. `firm`, called before
   `arm`, promises not to cancel, which makes kernels faster. `arm_always`, called before the first bump, lets the
   operation run whenever it is due: do not arm the trigger again, wait for it or cancel it; after the kernel
   `shmem_quiet` completes what is left. `destroy` cancels the operation or waits for it; a trigger that another one
   bumps remains in use as long as that one does.
   `arm_on_stream` leaves a put, or a signal that is set, to a copy engine, on a stream that is held until the operation
   is due. This is dangerous: anything that waits for the whole GPU waits for that stream, streams that share a hardware
   queue with it are held as well, and it cannot be cancelled. `destroy` then runs the operation, and must be called
   before `shmem_finalize`.
   Collective if the job's GPUs have not started yet, as for `shmemx_module_init`. */
shmemx_trigger_t shmemx_trigger_create(const shmemx_op_t *op, uint64_t threshold);
shmemx_device_trigger_t shmemx_trigger_device(shmemx_trigger_t trigger);
void shmemx_trigger_firm(shmemx_trigger_t trigger);
void shmemx_trigger_arm(shmemx_trigger_t trigger);
void shmemx_trigger_arm_always(shmemx_trigger_t trigger);
void shmemx_trigger_arm_on_stream(shmemx_trigger_t trigger);
void shmemx_trigger_rearm(shmemx_trigger_t trigger);
int shmemx_trigger_cancel(shmemx_trigger_t trigger);
void shmemx_trigger_wait(shmemx_trigger_t trigger);
void shmemx_trigger_destroy(shmemx_trigger_t trigger);

/* Puts with a task: `shmemx_put_task` copies `nbytes` bytes to a buffer of PE `pe`, and then has a function of the
   program run on them there, on the GPU. `shmemx_task_queue_create` is collective: it makes a queue on each PE and
   starts a kernel there that takes tasks. `module` is a CUmodule with functions that `tasks!` declares in a crate of
   kernels in Rust, or SHMEMX_TASKS of shmemx_tasks.cuh in CUDA C++; it stays loaded as long as the queue. On the
   emulated GPU, it is the address of the crate's `IMAGE`. `functions` are the functions' names in their order there.
   `options` may be NULL. If it fails, it says why and returns NULL. `shmemx_task_buffer` is collective too: it gives
   symmetric memory, which stays as long as the queue, a number that is the same on all PEs, from 0 on.
   `shmemx_put_task` returns when `source` may be reused. It waits if all slots are in use, up to
   CUSHMEM_KERNEL_LIMIT_S. The task's signal says when the function has returned. On a stream, the put is made once
   everything before it on the stream has finished, and the stream passes it when `source` may be reused; the slots
   are those of kernels. A kernel takes the result of `shmemx_task_queue_device`. `shmemx_task_queue_destroy` is
   collective, and runs what has come; no kernel and no stream may put tasks any more. `shmem_finalize` ends queues
   that were not destroyed: it waits for this PE's kernels, then for all PEs, and runs what has come. A mistake, or a
   limit that has passed, ends the job with a message */
shmemx_task_queue_t shmemx_task_queue_create(void *module, const char *const *functions, size_t nfunctions, const shmemx_task_options_t *options);
shmemx_device_task_queue_t shmemx_task_queue_device(shmemx_task_queue_t queue);
void shmemx_task_queue_destroy(shmemx_task_queue_t queue);
int shmemx_task_buffer(shmemx_task_queue_t queue, void *addr, size_t bytes);
void shmemx_put_task(shmemx_task_queue_t queue, const shmemx_task_t *task, const void *source, size_t nbytes, int pe);
void shmemx_put_task_on_stream(shmemx_task_queue_t queue, const shmemx_task_t *task, const void *source, size_t nbytes, int pe, void *stream);

/* Arrays larger than a GPU: each GPU has a cache, through which its kernels read and write elements by index.
   `shmemx_array_create` is collective: all PEs describe the same array of `nelems` elements of `elem_bytes` bytes,
   which are 1, 2, 4 or 8. `options` may be NULL. Elements in memory have arbitrary values at first. If it fails, or
   an argument has a wrong value, it says why and returns NULL. Elements in memory are divided into a part for each
   PE, in the order of PEs. `shmemx_array_range` returns how many elements PE `pe` has, and the index of the first one
   in `first`, unless that is NULL. `shmemx_array_part` returns this PE's part, which is symmetric; both find nothing
   in a file, 0 and NULL. A kernel takes the result of `shmemx_array_device`, until the array is freed. While no
   kernel of this PE uses the array, `shmemx_array_flush` writes back what kernels of this PE have written, to a file
   down to the device; `shmemx_array_invalidate` has them fetch again what was not written to. What one PE wrote is
   seen by another one after a flush there, a barrier, and `shmemx_array_invalidate` here. `shmemx_array_free` is
   collective; it writes back what kernels have written. `shmem_finalize` does so too for arrays that were not freed,
   when all kernels and tasks of this PE have ended. These three return 0, or 1 with a message */
shmemx_array_t shmemx_array_create(size_t nelems, size_t elem_bytes, const shmemx_array_options_t *options);
size_t shmemx_array_range(shmemx_array_t array, int pe, size_t *first);
void *shmemx_array_part(shmemx_array_t array);
shmemx_device_array_t shmemx_array_device(shmemx_array_t array);
int shmemx_array_flush(shmemx_array_t array);
int shmemx_array_invalidate(shmemx_array_t array);
int shmemx_array_free(shmemx_array_t array);

/* Streams for programs that do not use CUDA. `shmemx_stream_create` creates a stream on this PE's GPU, which does not
   wait for the default stream. On a real GPU it is a stream of the driver, which the calls of CUDA take too; on the
   emulated GPU only this library knows it. Returns 0, or 1 with a message if there is no GPU; `*stream` is NULL then.
   It is not collective. `shmemx_stream_synchronize` waits until everything on the stream has finished, and takes any
   stream that the routines below take. `shmemx_stream_destroy` does so too before it destroys the stream, and
   `shmem_finalize` destroys what is left. Barriers, fence and quiet of the CPU do not wait for streams: synchronize
   them first. A destroyed stream must not be used; the emulated GPU ends the job then, with a message */
int shmemx_stream_create(shmemx_stream_t *stream);
void shmemx_stream_synchronize(shmemx_stream_t stream);
void shmemx_stream_destroy(shmemx_stream_t stream);

/* Operations on streams. `stream` is a CUstream or cudaStream_t of the GPU's primary context, one of
   `shmemx_stream_create`, or NULL for the default stream. It carries the operations out once everything before them on
   it has finished; no call waits. A put has finished when its source may be reused, a get when its data has arrived;
   `quiet` completes everything before it on the stream. A signal is updated after everything before it on the stream. A
   stream that is being captured into a graph records the operations, and each replay performs them again. Memory that
   is neither in the symmetric heaps nor on the GPU is copied by a thread of the library when the stream reaches the
   operation, which cannot be captured. A signal that a stream waits for must be in one of the heaps. Only one stream or
   kernel of a PE may be in a barrier, or in the sync of a given team, at a time. Destroy a team only after the stream
   has passed the call. `signal_exchange` tells the `nto` PEs in `to_pes` that the stream is here, and holds it until
   each of the `nfrom` PEs in `from_pes` has told this one; later work on the stream sees what those PEs' streams did
   before. `sigs`, from `shmemx_malloc_gpu`, has a word for each PE of the job, 0 before the first exchange: 1 is added
   to this PE's word on the PEs in `to_pes`, and taken from the words of those in `from_pes` here, once they are above
   0. A PE that a list names twice counts once. One stream of a PE at a time waits for words of the same array. The first
   call is collective if the job's GPUs have not started yet, as for `shmemx_module_init` */
void shmemx_putmem_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_putmem_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_getmem_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_getmem_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_putmem_signal_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_putmem_signal_nbi_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_signal_op_on_stream(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_signal_wait_until_on_stream(uint64_t *sig_addr, int cmp, uint64_t cmp_value, void *stream);
void shmemx_signal_exchange_on_stream(uint64_t *sigs, const int *to_pes, size_t nto, const int *from_pes, size_t nfrom, void *stream);
void shmemx_quiet_on_stream(void *stream);
void shmemx_barrier_all_on_stream(void *stream);
void shmemx_sync_all_on_stream(void *stream);
int shmemx_team_sync_on_stream(shmem_team_t team, void *stream);
int shmemx_barrier_on_stream(shmem_team_t team, void *stream);

/* The same for elements of a given number of bits */
void shmemx_put8_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_put8_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_get8_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_get8_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_iput8_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_iget8_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_put8_signal_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_put8_signal_nbi_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_put16_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_put16_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_get16_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_get16_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_iput16_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_iget16_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_put16_signal_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_put16_signal_nbi_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_put32_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_put32_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_get32_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_get32_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_iput32_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_iget32_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_put32_signal_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_put32_signal_nbi_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_put64_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_put64_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_get64_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_get64_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_iput64_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_iget64_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_put64_signal_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_put64_signal_nbi_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_put128_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_put128_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_get128_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_get128_nbi_on_stream(void *dest, const void *source, size_t nelems, int pe, void *stream);
void shmemx_iput128_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_iget128_on_stream(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_put128_signal_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_put128_signal_nbi_on_stream(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);

/* The same for elements of a type */
void shmemx_float_put_on_stream(float *dest, const float *source, size_t nelems, int pe, void *stream);
void shmemx_float_put_nbi_on_stream(float *dest, const float *source, size_t nelems, int pe, void *stream);
void shmemx_float_get_on_stream(float *dest, const float *source, size_t nelems, int pe, void *stream);
void shmemx_float_get_nbi_on_stream(float *dest, const float *source, size_t nelems, int pe, void *stream);
void shmemx_float_iput_on_stream(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_float_iget_on_stream(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_float_put_signal_on_stream(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_float_put_signal_nbi_on_stream(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_double_put_on_stream(double *dest, const double *source, size_t nelems, int pe, void *stream);
void shmemx_double_put_nbi_on_stream(double *dest, const double *source, size_t nelems, int pe, void *stream);
void shmemx_double_get_on_stream(double *dest, const double *source, size_t nelems, int pe, void *stream);
void shmemx_double_get_nbi_on_stream(double *dest, const double *source, size_t nelems, int pe, void *stream);
void shmemx_double_iput_on_stream(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_double_iget_on_stream(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_double_put_signal_on_stream(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_double_put_signal_nbi_on_stream(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_char_put_on_stream(char *dest, const char *source, size_t nelems, int pe, void *stream);
void shmemx_char_put_nbi_on_stream(char *dest, const char *source, size_t nelems, int pe, void *stream);
void shmemx_char_get_on_stream(char *dest, const char *source, size_t nelems, int pe, void *stream);
void shmemx_char_get_nbi_on_stream(char *dest, const char *source, size_t nelems, int pe, void *stream);
void shmemx_char_iput_on_stream(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_char_iget_on_stream(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_char_put_signal_on_stream(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_char_put_signal_nbi_on_stream(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_schar_put_on_stream(signed char *dest, const signed char *source, size_t nelems, int pe, void *stream);
void shmemx_schar_put_nbi_on_stream(signed char *dest, const signed char *source, size_t nelems, int pe, void *stream);
void shmemx_schar_get_on_stream(signed char *dest, const signed char *source, size_t nelems, int pe, void *stream);
void shmemx_schar_get_nbi_on_stream(signed char *dest, const signed char *source, size_t nelems, int pe, void *stream);
void shmemx_schar_iput_on_stream(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_schar_iget_on_stream(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_schar_put_signal_on_stream(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_schar_put_signal_nbi_on_stream(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_short_put_on_stream(short *dest, const short *source, size_t nelems, int pe, void *stream);
void shmemx_short_put_nbi_on_stream(short *dest, const short *source, size_t nelems, int pe, void *stream);
void shmemx_short_get_on_stream(short *dest, const short *source, size_t nelems, int pe, void *stream);
void shmemx_short_get_nbi_on_stream(short *dest, const short *source, size_t nelems, int pe, void *stream);
void shmemx_short_iput_on_stream(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_short_iget_on_stream(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_short_put_signal_on_stream(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_short_put_signal_nbi_on_stream(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_int_put_on_stream(int *dest, const int *source, size_t nelems, int pe, void *stream);
void shmemx_int_put_nbi_on_stream(int *dest, const int *source, size_t nelems, int pe, void *stream);
void shmemx_int_get_on_stream(int *dest, const int *source, size_t nelems, int pe, void *stream);
void shmemx_int_get_nbi_on_stream(int *dest, const int *source, size_t nelems, int pe, void *stream);
void shmemx_int_iput_on_stream(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_int_iget_on_stream(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_int_put_signal_on_stream(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_int_put_signal_nbi_on_stream(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_long_put_on_stream(long *dest, const long *source, size_t nelems, int pe, void *stream);
void shmemx_long_put_nbi_on_stream(long *dest, const long *source, size_t nelems, int pe, void *stream);
void shmemx_long_get_on_stream(long *dest, const long *source, size_t nelems, int pe, void *stream);
void shmemx_long_get_nbi_on_stream(long *dest, const long *source, size_t nelems, int pe, void *stream);
void shmemx_long_iput_on_stream(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_long_iget_on_stream(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_long_put_signal_on_stream(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_long_put_signal_nbi_on_stream(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_longlong_put_on_stream(long long *dest, const long long *source, size_t nelems, int pe, void *stream);
void shmemx_longlong_put_nbi_on_stream(long long *dest, const long long *source, size_t nelems, int pe, void *stream);
void shmemx_longlong_get_on_stream(long long *dest, const long long *source, size_t nelems, int pe, void *stream);
void shmemx_longlong_get_nbi_on_stream(long long *dest, const long long *source, size_t nelems, int pe, void *stream);
void shmemx_longlong_iput_on_stream(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_longlong_iget_on_stream(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_longlong_put_signal_on_stream(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_longlong_put_signal_nbi_on_stream(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uchar_put_on_stream(unsigned char *dest, const unsigned char *source, size_t nelems, int pe, void *stream);
void shmemx_uchar_put_nbi_on_stream(unsigned char *dest, const unsigned char *source, size_t nelems, int pe, void *stream);
void shmemx_uchar_get_on_stream(unsigned char *dest, const unsigned char *source, size_t nelems, int pe, void *stream);
void shmemx_uchar_get_nbi_on_stream(unsigned char *dest, const unsigned char *source, size_t nelems, int pe, void *stream);
void shmemx_uchar_iput_on_stream(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uchar_iget_on_stream(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uchar_put_signal_on_stream(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uchar_put_signal_nbi_on_stream(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_ushort_put_on_stream(unsigned short *dest, const unsigned short *source, size_t nelems, int pe, void *stream);
void shmemx_ushort_put_nbi_on_stream(unsigned short *dest, const unsigned short *source, size_t nelems, int pe, void *stream);
void shmemx_ushort_get_on_stream(unsigned short *dest, const unsigned short *source, size_t nelems, int pe, void *stream);
void shmemx_ushort_get_nbi_on_stream(unsigned short *dest, const unsigned short *source, size_t nelems, int pe, void *stream);
void shmemx_ushort_iput_on_stream(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_ushort_iget_on_stream(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_ushort_put_signal_on_stream(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_ushort_put_signal_nbi_on_stream(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uint_put_on_stream(unsigned int *dest, const unsigned int *source, size_t nelems, int pe, void *stream);
void shmemx_uint_put_nbi_on_stream(unsigned int *dest, const unsigned int *source, size_t nelems, int pe, void *stream);
void shmemx_uint_get_on_stream(unsigned int *dest, const unsigned int *source, size_t nelems, int pe, void *stream);
void shmemx_uint_get_nbi_on_stream(unsigned int *dest, const unsigned int *source, size_t nelems, int pe, void *stream);
void shmemx_uint_iput_on_stream(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uint_iget_on_stream(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uint_put_signal_on_stream(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uint_put_signal_nbi_on_stream(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_ulong_put_on_stream(unsigned long *dest, const unsigned long *source, size_t nelems, int pe, void *stream);
void shmemx_ulong_put_nbi_on_stream(unsigned long *dest, const unsigned long *source, size_t nelems, int pe, void *stream);
void shmemx_ulong_get_on_stream(unsigned long *dest, const unsigned long *source, size_t nelems, int pe, void *stream);
void shmemx_ulong_get_nbi_on_stream(unsigned long *dest, const unsigned long *source, size_t nelems, int pe, void *stream);
void shmemx_ulong_iput_on_stream(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_ulong_iget_on_stream(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_ulong_put_signal_on_stream(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_ulong_put_signal_nbi_on_stream(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_ulonglong_put_on_stream(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe, void *stream);
void shmemx_ulonglong_put_nbi_on_stream(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe, void *stream);
void shmemx_ulonglong_get_on_stream(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe, void *stream);
void shmemx_ulonglong_get_nbi_on_stream(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe, void *stream);
void shmemx_ulonglong_iput_on_stream(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_ulonglong_iget_on_stream(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_ulonglong_put_signal_on_stream(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_ulonglong_put_signal_nbi_on_stream(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_int8_put_on_stream(int8_t *dest, const int8_t *source, size_t nelems, int pe, void *stream);
void shmemx_int8_put_nbi_on_stream(int8_t *dest, const int8_t *source, size_t nelems, int pe, void *stream);
void shmemx_int8_get_on_stream(int8_t *dest, const int8_t *source, size_t nelems, int pe, void *stream);
void shmemx_int8_get_nbi_on_stream(int8_t *dest, const int8_t *source, size_t nelems, int pe, void *stream);
void shmemx_int8_iput_on_stream(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_int8_iget_on_stream(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_int8_put_signal_on_stream(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_int8_put_signal_nbi_on_stream(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_int16_put_on_stream(int16_t *dest, const int16_t *source, size_t nelems, int pe, void *stream);
void shmemx_int16_put_nbi_on_stream(int16_t *dest, const int16_t *source, size_t nelems, int pe, void *stream);
void shmemx_int16_get_on_stream(int16_t *dest, const int16_t *source, size_t nelems, int pe, void *stream);
void shmemx_int16_get_nbi_on_stream(int16_t *dest, const int16_t *source, size_t nelems, int pe, void *stream);
void shmemx_int16_iput_on_stream(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_int16_iget_on_stream(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_int16_put_signal_on_stream(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_int16_put_signal_nbi_on_stream(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_int32_put_on_stream(int32_t *dest, const int32_t *source, size_t nelems, int pe, void *stream);
void shmemx_int32_put_nbi_on_stream(int32_t *dest, const int32_t *source, size_t nelems, int pe, void *stream);
void shmemx_int32_get_on_stream(int32_t *dest, const int32_t *source, size_t nelems, int pe, void *stream);
void shmemx_int32_get_nbi_on_stream(int32_t *dest, const int32_t *source, size_t nelems, int pe, void *stream);
void shmemx_int32_iput_on_stream(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_int32_iget_on_stream(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_int32_put_signal_on_stream(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_int32_put_signal_nbi_on_stream(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_int64_put_on_stream(int64_t *dest, const int64_t *source, size_t nelems, int pe, void *stream);
void shmemx_int64_put_nbi_on_stream(int64_t *dest, const int64_t *source, size_t nelems, int pe, void *stream);
void shmemx_int64_get_on_stream(int64_t *dest, const int64_t *source, size_t nelems, int pe, void *stream);
void shmemx_int64_get_nbi_on_stream(int64_t *dest, const int64_t *source, size_t nelems, int pe, void *stream);
void shmemx_int64_iput_on_stream(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_int64_iget_on_stream(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_int64_put_signal_on_stream(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_int64_put_signal_nbi_on_stream(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uint8_put_on_stream(uint8_t *dest, const uint8_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint8_put_nbi_on_stream(uint8_t *dest, const uint8_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint8_get_on_stream(uint8_t *dest, const uint8_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint8_get_nbi_on_stream(uint8_t *dest, const uint8_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint8_iput_on_stream(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uint8_iget_on_stream(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uint8_put_signal_on_stream(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uint8_put_signal_nbi_on_stream(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uint16_put_on_stream(uint16_t *dest, const uint16_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint16_put_nbi_on_stream(uint16_t *dest, const uint16_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint16_get_on_stream(uint16_t *dest, const uint16_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint16_get_nbi_on_stream(uint16_t *dest, const uint16_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint16_iput_on_stream(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uint16_iget_on_stream(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uint16_put_signal_on_stream(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uint16_put_signal_nbi_on_stream(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uint32_put_on_stream(uint32_t *dest, const uint32_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint32_put_nbi_on_stream(uint32_t *dest, const uint32_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint32_get_on_stream(uint32_t *dest, const uint32_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint32_get_nbi_on_stream(uint32_t *dest, const uint32_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint32_iput_on_stream(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uint32_iget_on_stream(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uint32_put_signal_on_stream(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uint32_put_signal_nbi_on_stream(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uint64_put_on_stream(uint64_t *dest, const uint64_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint64_put_nbi_on_stream(uint64_t *dest, const uint64_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint64_get_on_stream(uint64_t *dest, const uint64_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint64_get_nbi_on_stream(uint64_t *dest, const uint64_t *source, size_t nelems, int pe, void *stream);
void shmemx_uint64_iput_on_stream(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uint64_iget_on_stream(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_uint64_put_signal_on_stream(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_uint64_put_signal_nbi_on_stream(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_size_put_on_stream(size_t *dest, const size_t *source, size_t nelems, int pe, void *stream);
void shmemx_size_put_nbi_on_stream(size_t *dest, const size_t *source, size_t nelems, int pe, void *stream);
void shmemx_size_get_on_stream(size_t *dest, const size_t *source, size_t nelems, int pe, void *stream);
void shmemx_size_get_nbi_on_stream(size_t *dest, const size_t *source, size_t nelems, int pe, void *stream);
void shmemx_size_iput_on_stream(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_size_iget_on_stream(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_size_put_signal_on_stream(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_size_put_signal_nbi_on_stream(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_ptrdiff_put_on_stream(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe, void *stream);
void shmemx_ptrdiff_put_nbi_on_stream(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe, void *stream);
void shmemx_ptrdiff_get_on_stream(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe, void *stream);
void shmemx_ptrdiff_get_nbi_on_stream(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe, void *stream);
void shmemx_ptrdiff_iput_on_stream(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_ptrdiff_iget_on_stream(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_ptrdiff_put_signal_on_stream(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_ptrdiff_put_signal_nbi_on_stream(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_longdouble_put_on_stream(long double *dest, const long double *source, size_t nelems, int pe, void *stream);
void shmemx_longdouble_put_nbi_on_stream(long double *dest, const long double *source, size_t nelems, int pe, void *stream);
void shmemx_longdouble_get_on_stream(long double *dest, const long double *source, size_t nelems, int pe, void *stream);
void shmemx_longdouble_get_nbi_on_stream(long double *dest, const long double *source, size_t nelems, int pe, void *stream);
void shmemx_longdouble_iput_on_stream(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_longdouble_iget_on_stream(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream);
void shmemx_longdouble_put_signal_on_stream(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);
void shmemx_longdouble_put_signal_nbi_on_stream(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream);

/* Storing one element on a stream */
void shmemx_float_p_on_stream(float *dest, float value, int pe, void *stream);
void shmemx_double_p_on_stream(double *dest, double value, int pe, void *stream);
void shmemx_char_p_on_stream(char *dest, char value, int pe, void *stream);
void shmemx_schar_p_on_stream(signed char *dest, signed char value, int pe, void *stream);
void shmemx_short_p_on_stream(short *dest, short value, int pe, void *stream);
void shmemx_int_p_on_stream(int *dest, int value, int pe, void *stream);
void shmemx_long_p_on_stream(long *dest, long value, int pe, void *stream);
void shmemx_longlong_p_on_stream(long long *dest, long long value, int pe, void *stream);
void shmemx_uchar_p_on_stream(unsigned char *dest, unsigned char value, int pe, void *stream);
void shmemx_ushort_p_on_stream(unsigned short *dest, unsigned short value, int pe, void *stream);
void shmemx_uint_p_on_stream(unsigned int *dest, unsigned int value, int pe, void *stream);
void shmemx_ulong_p_on_stream(unsigned long *dest, unsigned long value, int pe, void *stream);
void shmemx_ulonglong_p_on_stream(unsigned long long *dest, unsigned long long value, int pe, void *stream);
void shmemx_int8_p_on_stream(int8_t *dest, int8_t value, int pe, void *stream);
void shmemx_int16_p_on_stream(int16_t *dest, int16_t value, int pe, void *stream);
void shmemx_int32_p_on_stream(int32_t *dest, int32_t value, int pe, void *stream);
void shmemx_int64_p_on_stream(int64_t *dest, int64_t value, int pe, void *stream);
void shmemx_uint8_p_on_stream(uint8_t *dest, uint8_t value, int pe, void *stream);
void shmemx_uint16_p_on_stream(uint16_t *dest, uint16_t value, int pe, void *stream);
void shmemx_uint32_p_on_stream(uint32_t *dest, uint32_t value, int pe, void *stream);
void shmemx_uint64_p_on_stream(uint64_t *dest, uint64_t value, int pe, void *stream);
void shmemx_size_p_on_stream(size_t *dest, size_t value, int pe, void *stream);
void shmemx_ptrdiff_p_on_stream(ptrdiff_t *dest, ptrdiff_t value, int pe, void *stream);

/* Waiting for a word on a stream */
void shmemx_int_wait_until_on_stream(int *ivar, int cmp, int cmp_value, void *stream);
void shmemx_long_wait_until_on_stream(long *ivar, int cmp, long cmp_value, void *stream);
void shmemx_longlong_wait_until_on_stream(long long *ivar, int cmp, long long cmp_value, void *stream);
void shmemx_uint_wait_until_on_stream(unsigned int *ivar, int cmp, unsigned int cmp_value, void *stream);
void shmemx_ulong_wait_until_on_stream(unsigned long *ivar, int cmp, unsigned long cmp_value, void *stream);
void shmemx_ulonglong_wait_until_on_stream(unsigned long long *ivar, int cmp, unsigned long long cmp_value, void *stream);
void shmemx_int32_wait_until_on_stream(int32_t *ivar, int cmp, int32_t cmp_value, void *stream);
void shmemx_int64_wait_until_on_stream(int64_t *ivar, int cmp, int64_t cmp_value, void *stream);
void shmemx_uint32_wait_until_on_stream(uint32_t *ivar, int cmp, uint32_t cmp_value, void *stream);
void shmemx_uint64_wait_until_on_stream(uint64_t *ivar, int cmp, uint64_t cmp_value, void *stream);
void shmemx_size_wait_until_on_stream(size_t *ivar, int cmp, size_t cmp_value, void *stream);
void shmemx_ptrdiff_wait_until_on_stream(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value, void *stream);
void shmemx_short_wait_until_on_stream(short *ivar, int cmp, short cmp_value, void *stream);
void shmemx_ushort_wait_until_on_stream(unsigned short *ivar, int cmp, unsigned short cmp_value, void *stream);

/* Collectives on streams. All members enqueue a team's collectives in the same order, with the same arguments, on one
   stream at a time. The stream must have passed them before the CPU starts a collective of the same team. A collective
   starts when the streams of all members have reached it. `dest` and `source` are symmetric. All members get bitwise
   the same result of a reduction. In a reducescatter each member gets `nreduce` elements, and `source` has that many
   for each member; `dest` may be this member's own part of `source`. Destroy a team only after the stream has passed
   its collectives */
int shmemx_broadcastmem_on_stream(shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root, void *stream);
int shmemx_fcollectmem_on_stream(shmem_team_t team, void *dest, const void *source, size_t nelems, void *stream);
int shmemx_alltoallmem_on_stream(shmem_team_t team, void *dest, const void *source, size_t nelems, void *stream);

/* The same by type */
int shmemx_float_broadcast_on_stream(shmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root, void *stream);
int shmemx_float_fcollect_on_stream(shmem_team_t team, float *dest, const float *source, size_t nelems, void *stream);
int shmemx_float_alltoall_on_stream(shmem_team_t team, float *dest, const float *source, size_t nelems, void *stream);
int shmemx_float_min_reduce_on_stream(shmem_team_t team, float *dest, const float *source, size_t nreduce, void *stream);
int shmemx_float_max_reduce_on_stream(shmem_team_t team, float *dest, const float *source, size_t nreduce, void *stream);
int shmemx_float_sum_reduce_on_stream(shmem_team_t team, float *dest, const float *source, size_t nreduce, void *stream);
int shmemx_float_prod_reduce_on_stream(shmem_team_t team, float *dest, const float *source, size_t nreduce, void *stream);
int shmemx_float_min_reducescatter_on_stream(shmem_team_t team, float *dest, const float *source, size_t nreduce, void *stream);
int shmemx_float_max_reducescatter_on_stream(shmem_team_t team, float *dest, const float *source, size_t nreduce, void *stream);
int shmemx_float_sum_reducescatter_on_stream(shmem_team_t team, float *dest, const float *source, size_t nreduce, void *stream);
int shmemx_float_prod_reducescatter_on_stream(shmem_team_t team, float *dest, const float *source, size_t nreduce, void *stream);
int shmemx_double_broadcast_on_stream(shmem_team_t team, double *dest, const double *source, size_t nelems, int PE_root, void *stream);
int shmemx_double_fcollect_on_stream(shmem_team_t team, double *dest, const double *source, size_t nelems, void *stream);
int shmemx_double_alltoall_on_stream(shmem_team_t team, double *dest, const double *source, size_t nelems, void *stream);
int shmemx_double_min_reduce_on_stream(shmem_team_t team, double *dest, const double *source, size_t nreduce, void *stream);
int shmemx_double_max_reduce_on_stream(shmem_team_t team, double *dest, const double *source, size_t nreduce, void *stream);
int shmemx_double_sum_reduce_on_stream(shmem_team_t team, double *dest, const double *source, size_t nreduce, void *stream);
int shmemx_double_prod_reduce_on_stream(shmem_team_t team, double *dest, const double *source, size_t nreduce, void *stream);
int shmemx_double_min_reducescatter_on_stream(shmem_team_t team, double *dest, const double *source, size_t nreduce, void *stream);
int shmemx_double_max_reducescatter_on_stream(shmem_team_t team, double *dest, const double *source, size_t nreduce, void *stream);
int shmemx_double_sum_reducescatter_on_stream(shmem_team_t team, double *dest, const double *source, size_t nreduce, void *stream);
int shmemx_double_prod_reducescatter_on_stream(shmem_team_t team, double *dest, const double *source, size_t nreduce, void *stream);
int shmemx_char_broadcast_on_stream(shmem_team_t team, char *dest, const char *source, size_t nelems, int PE_root, void *stream);
int shmemx_char_fcollect_on_stream(shmem_team_t team, char *dest, const char *source, size_t nelems, void *stream);
int shmemx_char_alltoall_on_stream(shmem_team_t team, char *dest, const char *source, size_t nelems, void *stream);
int shmemx_char_min_reduce_on_stream(shmem_team_t team, char *dest, const char *source, size_t nreduce, void *stream);
int shmemx_char_max_reduce_on_stream(shmem_team_t team, char *dest, const char *source, size_t nreduce, void *stream);
int shmemx_char_sum_reduce_on_stream(shmem_team_t team, char *dest, const char *source, size_t nreduce, void *stream);
int shmemx_char_prod_reduce_on_stream(shmem_team_t team, char *dest, const char *source, size_t nreduce, void *stream);
int shmemx_char_min_reducescatter_on_stream(shmem_team_t team, char *dest, const char *source, size_t nreduce, void *stream);
int shmemx_char_max_reducescatter_on_stream(shmem_team_t team, char *dest, const char *source, size_t nreduce, void *stream);
int shmemx_char_sum_reducescatter_on_stream(shmem_team_t team, char *dest, const char *source, size_t nreduce, void *stream);
int shmemx_char_prod_reducescatter_on_stream(shmem_team_t team, char *dest, const char *source, size_t nreduce, void *stream);
int shmemx_schar_broadcast_on_stream(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems, int PE_root, void *stream);
int shmemx_schar_fcollect_on_stream(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems, void *stream);
int shmemx_schar_alltoall_on_stream(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems, void *stream);
int shmemx_schar_min_reduce_on_stream(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce, void *stream);
int shmemx_schar_max_reduce_on_stream(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce, void *stream);
int shmemx_schar_sum_reduce_on_stream(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce, void *stream);
int shmemx_schar_prod_reduce_on_stream(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce, void *stream);
int shmemx_schar_min_reducescatter_on_stream(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce, void *stream);
int shmemx_schar_max_reducescatter_on_stream(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce, void *stream);
int shmemx_schar_sum_reducescatter_on_stream(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce, void *stream);
int shmemx_schar_prod_reducescatter_on_stream(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce, void *stream);
int shmemx_short_broadcast_on_stream(shmem_team_t team, short *dest, const short *source, size_t nelems, int PE_root, void *stream);
int shmemx_short_fcollect_on_stream(shmem_team_t team, short *dest, const short *source, size_t nelems, void *stream);
int shmemx_short_alltoall_on_stream(shmem_team_t team, short *dest, const short *source, size_t nelems, void *stream);
int shmemx_short_min_reduce_on_stream(shmem_team_t team, short *dest, const short *source, size_t nreduce, void *stream);
int shmemx_short_max_reduce_on_stream(shmem_team_t team, short *dest, const short *source, size_t nreduce, void *stream);
int shmemx_short_sum_reduce_on_stream(shmem_team_t team, short *dest, const short *source, size_t nreduce, void *stream);
int shmemx_short_prod_reduce_on_stream(shmem_team_t team, short *dest, const short *source, size_t nreduce, void *stream);
int shmemx_short_min_reducescatter_on_stream(shmem_team_t team, short *dest, const short *source, size_t nreduce, void *stream);
int shmemx_short_max_reducescatter_on_stream(shmem_team_t team, short *dest, const short *source, size_t nreduce, void *stream);
int shmemx_short_sum_reducescatter_on_stream(shmem_team_t team, short *dest, const short *source, size_t nreduce, void *stream);
int shmemx_short_prod_reducescatter_on_stream(shmem_team_t team, short *dest, const short *source, size_t nreduce, void *stream);
int shmemx_int_broadcast_on_stream(shmem_team_t team, int *dest, const int *source, size_t nelems, int PE_root, void *stream);
int shmemx_int_fcollect_on_stream(shmem_team_t team, int *dest, const int *source, size_t nelems, void *stream);
int shmemx_int_alltoall_on_stream(shmem_team_t team, int *dest, const int *source, size_t nelems, void *stream);
int shmemx_int_min_reduce_on_stream(shmem_team_t team, int *dest, const int *source, size_t nreduce, void *stream);
int shmemx_int_max_reduce_on_stream(shmem_team_t team, int *dest, const int *source, size_t nreduce, void *stream);
int shmemx_int_sum_reduce_on_stream(shmem_team_t team, int *dest, const int *source, size_t nreduce, void *stream);
int shmemx_int_prod_reduce_on_stream(shmem_team_t team, int *dest, const int *source, size_t nreduce, void *stream);
int shmemx_int_min_reducescatter_on_stream(shmem_team_t team, int *dest, const int *source, size_t nreduce, void *stream);
int shmemx_int_max_reducescatter_on_stream(shmem_team_t team, int *dest, const int *source, size_t nreduce, void *stream);
int shmemx_int_sum_reducescatter_on_stream(shmem_team_t team, int *dest, const int *source, size_t nreduce, void *stream);
int shmemx_int_prod_reducescatter_on_stream(shmem_team_t team, int *dest, const int *source, size_t nreduce, void *stream);
int shmemx_long_broadcast_on_stream(shmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root, void *stream);
int shmemx_long_fcollect_on_stream(shmem_team_t team, long *dest, const long *source, size_t nelems, void *stream);
int shmemx_long_alltoall_on_stream(shmem_team_t team, long *dest, const long *source, size_t nelems, void *stream);
int shmemx_long_min_reduce_on_stream(shmem_team_t team, long *dest, const long *source, size_t nreduce, void *stream);
int shmemx_long_max_reduce_on_stream(shmem_team_t team, long *dest, const long *source, size_t nreduce, void *stream);
int shmemx_long_sum_reduce_on_stream(shmem_team_t team, long *dest, const long *source, size_t nreduce, void *stream);
int shmemx_long_prod_reduce_on_stream(shmem_team_t team, long *dest, const long *source, size_t nreduce, void *stream);
int shmemx_long_min_reducescatter_on_stream(shmem_team_t team, long *dest, const long *source, size_t nreduce, void *stream);
int shmemx_long_max_reducescatter_on_stream(shmem_team_t team, long *dest, const long *source, size_t nreduce, void *stream);
int shmemx_long_sum_reducescatter_on_stream(shmem_team_t team, long *dest, const long *source, size_t nreduce, void *stream);
int shmemx_long_prod_reducescatter_on_stream(shmem_team_t team, long *dest, const long *source, size_t nreduce, void *stream);
int shmemx_longlong_broadcast_on_stream(shmem_team_t team, long long *dest, const long long *source, size_t nelems, int PE_root, void *stream);
int shmemx_longlong_fcollect_on_stream(shmem_team_t team, long long *dest, const long long *source, size_t nelems, void *stream);
int shmemx_longlong_alltoall_on_stream(shmem_team_t team, long long *dest, const long long *source, size_t nelems, void *stream);
int shmemx_longlong_min_reduce_on_stream(shmem_team_t team, long long *dest, const long long *source, size_t nreduce, void *stream);
int shmemx_longlong_max_reduce_on_stream(shmem_team_t team, long long *dest, const long long *source, size_t nreduce, void *stream);
int shmemx_longlong_sum_reduce_on_stream(shmem_team_t team, long long *dest, const long long *source, size_t nreduce, void *stream);
int shmemx_longlong_prod_reduce_on_stream(shmem_team_t team, long long *dest, const long long *source, size_t nreduce, void *stream);
int shmemx_longlong_min_reducescatter_on_stream(shmem_team_t team, long long *dest, const long long *source, size_t nreduce, void *stream);
int shmemx_longlong_max_reducescatter_on_stream(shmem_team_t team, long long *dest, const long long *source, size_t nreduce, void *stream);
int shmemx_longlong_sum_reducescatter_on_stream(shmem_team_t team, long long *dest, const long long *source, size_t nreduce, void *stream);
int shmemx_longlong_prod_reducescatter_on_stream(shmem_team_t team, long long *dest, const long long *source, size_t nreduce, void *stream);
int shmemx_uchar_broadcast_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, int PE_root, void *stream);
int shmemx_uchar_fcollect_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, void *stream);
int shmemx_uchar_alltoall_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, void *stream);
int shmemx_uchar_min_reduce_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_max_reduce_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_sum_reduce_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_prod_reduce_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_min_reducescatter_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_max_reducescatter_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_sum_reducescatter_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_prod_reducescatter_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_ushort_broadcast_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, int PE_root, void *stream);
int shmemx_ushort_fcollect_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, void *stream);
int shmemx_ushort_alltoall_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, void *stream);
int shmemx_ushort_min_reduce_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_max_reduce_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_sum_reduce_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_prod_reduce_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_min_reducescatter_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_max_reducescatter_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_sum_reducescatter_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_prod_reducescatter_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_uint_broadcast_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, int PE_root, void *stream);
int shmemx_uint_fcollect_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, void *stream);
int shmemx_uint_alltoall_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, void *stream);
int shmemx_uint_min_reduce_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_max_reduce_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_sum_reduce_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_prod_reduce_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_min_reducescatter_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_max_reducescatter_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_sum_reducescatter_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_prod_reducescatter_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_ulong_broadcast_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, int PE_root, void *stream);
int shmemx_ulong_fcollect_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, void *stream);
int shmemx_ulong_alltoall_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, void *stream);
int shmemx_ulong_min_reduce_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_max_reduce_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_sum_reduce_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_prod_reduce_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_min_reducescatter_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_max_reducescatter_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_sum_reducescatter_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_prod_reducescatter_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_broadcast_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, int PE_root, void *stream);
int shmemx_ulonglong_fcollect_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, void *stream);
int shmemx_ulonglong_alltoall_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, void *stream);
int shmemx_ulonglong_min_reduce_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_max_reduce_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_sum_reduce_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_prod_reduce_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_min_reducescatter_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_max_reducescatter_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_sum_reducescatter_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_prod_reducescatter_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_int8_broadcast_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, int PE_root, void *stream);
int shmemx_int8_fcollect_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, void *stream);
int shmemx_int8_alltoall_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, void *stream);
int shmemx_int8_min_reduce_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_max_reduce_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_sum_reduce_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_prod_reduce_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_min_reducescatter_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_max_reducescatter_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_sum_reducescatter_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_prod_reducescatter_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int16_broadcast_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, int PE_root, void *stream);
int shmemx_int16_fcollect_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, void *stream);
int shmemx_int16_alltoall_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, void *stream);
int shmemx_int16_min_reduce_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_max_reduce_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_sum_reduce_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_prod_reduce_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_min_reducescatter_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_max_reducescatter_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_sum_reducescatter_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_prod_reducescatter_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int32_broadcast_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, int PE_root, void *stream);
int shmemx_int32_fcollect_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, void *stream);
int shmemx_int32_alltoall_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, void *stream);
int shmemx_int32_min_reduce_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_max_reduce_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_sum_reduce_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_prod_reduce_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_min_reducescatter_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_max_reducescatter_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_sum_reducescatter_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_prod_reducescatter_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int64_broadcast_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, int PE_root, void *stream);
int shmemx_int64_fcollect_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, void *stream);
int shmemx_int64_alltoall_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, void *stream);
int shmemx_int64_min_reduce_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_max_reduce_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_sum_reduce_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_prod_reduce_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_min_reducescatter_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_max_reducescatter_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_sum_reducescatter_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_prod_reducescatter_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_uint8_broadcast_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, int PE_root, void *stream);
int shmemx_uint8_fcollect_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, void *stream);
int shmemx_uint8_alltoall_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, void *stream);
int shmemx_uint8_min_reduce_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_max_reduce_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_sum_reduce_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_prod_reduce_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_min_reducescatter_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_max_reducescatter_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_sum_reducescatter_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_prod_reducescatter_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint16_broadcast_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, int PE_root, void *stream);
int shmemx_uint16_fcollect_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, void *stream);
int shmemx_uint16_alltoall_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, void *stream);
int shmemx_uint16_min_reduce_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_max_reduce_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_sum_reduce_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_prod_reduce_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_min_reducescatter_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_max_reducescatter_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_sum_reducescatter_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_prod_reducescatter_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint32_broadcast_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, int PE_root, void *stream);
int shmemx_uint32_fcollect_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, void *stream);
int shmemx_uint32_alltoall_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, void *stream);
int shmemx_uint32_min_reduce_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_max_reduce_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_sum_reduce_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_prod_reduce_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_min_reducescatter_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_max_reducescatter_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_sum_reducescatter_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_prod_reducescatter_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint64_broadcast_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, int PE_root, void *stream);
int shmemx_uint64_fcollect_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, void *stream);
int shmemx_uint64_alltoall_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, void *stream);
int shmemx_uint64_min_reduce_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_max_reduce_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_sum_reduce_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_prod_reduce_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_min_reducescatter_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_max_reducescatter_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_sum_reducescatter_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_prod_reducescatter_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_size_broadcast_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems, int PE_root, void *stream);
int shmemx_size_fcollect_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems, void *stream);
int shmemx_size_alltoall_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems, void *stream);
int shmemx_size_min_reduce_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_max_reduce_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_sum_reduce_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_prod_reduce_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_min_reducescatter_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_max_reducescatter_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_sum_reducescatter_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_prod_reducescatter_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_ptrdiff_broadcast_on_stream(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int PE_root, void *stream);
int shmemx_ptrdiff_fcollect_on_stream(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, void *stream);
int shmemx_ptrdiff_alltoall_on_stream(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, void *stream);
int shmemx_ptrdiff_min_reduce_on_stream(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce, void *stream);
int shmemx_ptrdiff_max_reduce_on_stream(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce, void *stream);
int shmemx_ptrdiff_sum_reduce_on_stream(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce, void *stream);
int shmemx_ptrdiff_prod_reduce_on_stream(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce, void *stream);
int shmemx_ptrdiff_min_reducescatter_on_stream(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce, void *stream);
int shmemx_ptrdiff_max_reducescatter_on_stream(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce, void *stream);
int shmemx_ptrdiff_sum_reducescatter_on_stream(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce, void *stream);
int shmemx_ptrdiff_prod_reducescatter_on_stream(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce, void *stream);

/* Bitwise reductions on streams */
int shmemx_uchar_and_reduce_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_or_reduce_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_xor_reduce_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_and_reducescatter_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_or_reducescatter_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_uchar_xor_reducescatter_on_stream(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce, void *stream);
int shmemx_ushort_and_reduce_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_or_reduce_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_xor_reduce_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_and_reducescatter_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_or_reducescatter_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_ushort_xor_reducescatter_on_stream(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce, void *stream);
int shmemx_uint_and_reduce_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_or_reduce_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_xor_reduce_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_and_reducescatter_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_or_reducescatter_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_uint_xor_reducescatter_on_stream(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce, void *stream);
int shmemx_ulong_and_reduce_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_or_reduce_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_xor_reduce_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_and_reducescatter_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_or_reducescatter_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulong_xor_reducescatter_on_stream(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_and_reduce_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_or_reduce_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_xor_reduce_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_and_reducescatter_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_or_reducescatter_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_ulonglong_xor_reducescatter_on_stream(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce, void *stream);
int shmemx_int8_and_reduce_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_or_reduce_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_xor_reduce_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_and_reducescatter_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_or_reducescatter_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int8_xor_reducescatter_on_stream(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce, void *stream);
int shmemx_int16_and_reduce_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_or_reduce_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_xor_reduce_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_and_reducescatter_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_or_reducescatter_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int16_xor_reducescatter_on_stream(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce, void *stream);
int shmemx_int32_and_reduce_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_or_reduce_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_xor_reduce_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_and_reducescatter_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_or_reducescatter_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int32_xor_reducescatter_on_stream(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce, void *stream);
int shmemx_int64_and_reduce_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_or_reduce_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_xor_reduce_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_and_reducescatter_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_or_reducescatter_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_int64_xor_reducescatter_on_stream(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce, void *stream);
int shmemx_uint8_and_reduce_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_or_reduce_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_xor_reduce_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_and_reducescatter_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_or_reducescatter_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint8_xor_reducescatter_on_stream(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce, void *stream);
int shmemx_uint16_and_reduce_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_or_reduce_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_xor_reduce_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_and_reducescatter_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_or_reducescatter_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint16_xor_reducescatter_on_stream(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce, void *stream);
int shmemx_uint32_and_reduce_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_or_reduce_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_xor_reduce_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_and_reducescatter_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_or_reducescatter_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint32_xor_reducescatter_on_stream(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce, void *stream);
int shmemx_uint64_and_reduce_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_or_reduce_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_xor_reduce_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_and_reducescatter_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_or_reducescatter_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_uint64_xor_reducescatter_on_stream(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce, void *stream);
int shmemx_size_and_reduce_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_or_reduce_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_xor_reduce_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_and_reducescatter_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_or_reducescatter_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);
int shmemx_size_xor_reducescatter_on_stream(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce, void *stream);

/* The same for CUDA's `__half` and `__nv_bfloat16`. Each step of a reduction is rounded */
int shmemx_half_broadcast_on_stream(shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root, void *stream);
int shmemx_half_fcollect_on_stream(shmem_team_t team, void *dest, const void *source, size_t nelems, void *stream);
int shmemx_half_alltoall_on_stream(shmem_team_t team, void *dest, const void *source, size_t nelems, void *stream);
int shmemx_half_min_reduce_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_half_max_reduce_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_half_sum_reduce_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_half_prod_reduce_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_half_min_reducescatter_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_half_max_reducescatter_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_half_sum_reducescatter_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_half_prod_reducescatter_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_bfloat16_broadcast_on_stream(shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root, void *stream);
int shmemx_bfloat16_fcollect_on_stream(shmem_team_t team, void *dest, const void *source, size_t nelems, void *stream);
int shmemx_bfloat16_alltoall_on_stream(shmem_team_t team, void *dest, const void *source, size_t nelems, void *stream);
int shmemx_bfloat16_min_reduce_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_bfloat16_max_reduce_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_bfloat16_sum_reduce_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_bfloat16_prod_reduce_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_bfloat16_min_reducescatter_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_bfloat16_max_reducescatter_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_bfloat16_sum_reducescatter_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);
int shmemx_bfloat16_prod_reducescatter_on_stream(shmem_team_t team, void *dest, const void *source, size_t nreduce, void *stream);

#ifdef __cplusplus
}
#endif

#if defined __GNUC__
#pragma GCC diagnostic pop
#endif
#endif

/* Names of extensions that became standard in 1.6 */
#define shmemx_ibput8 shmem_ibput8
#define shmemx_ctx_ibput8 shmem_ctx_ibput8
#define shmemx_ibput16 shmem_ibput16
#define shmemx_ctx_ibput16 shmem_ctx_ibput16
#define shmemx_ibput32 shmem_ibput32
#define shmemx_ctx_ibput32 shmem_ctx_ibput32
#define shmemx_ibput64 shmem_ibput64
#define shmemx_ctx_ibput64 shmem_ctx_ibput64
#define shmemx_ibput128 shmem_ibput128
#define shmemx_ctx_ibput128 shmem_ctx_ibput128
#define shmemx_ibget8 shmem_ibget8
#define shmemx_ctx_ibget8 shmem_ctx_ibget8
#define shmemx_ibget16 shmem_ibget16
#define shmemx_ctx_ibget16 shmem_ctx_ibget16
#define shmemx_ibget32 shmem_ibget32
#define shmemx_ctx_ibget32 shmem_ctx_ibget32
#define shmemx_ibget64 shmem_ibget64
#define shmemx_ctx_ibget64 shmem_ctx_ibget64
#define shmemx_ibget128 shmem_ibget128
#define shmemx_ctx_ibget128 shmem_ctx_ibget128
#define shmemx_ibput shmem_ibput
#define shmemx_float_ibput shmem_float_ibput
#define shmemx_ctx_float_ibput shmem_ctx_float_ibput
#define shmemx_double_ibput shmem_double_ibput
#define shmemx_ctx_double_ibput shmem_ctx_double_ibput
#define shmemx_char_ibput shmem_char_ibput
#define shmemx_ctx_char_ibput shmem_ctx_char_ibput
#define shmemx_schar_ibput shmem_schar_ibput
#define shmemx_ctx_schar_ibput shmem_ctx_schar_ibput
#define shmemx_short_ibput shmem_short_ibput
#define shmemx_ctx_short_ibput shmem_ctx_short_ibput
#define shmemx_int_ibput shmem_int_ibput
#define shmemx_ctx_int_ibput shmem_ctx_int_ibput
#define shmemx_long_ibput shmem_long_ibput
#define shmemx_ctx_long_ibput shmem_ctx_long_ibput
#define shmemx_longlong_ibput shmem_longlong_ibput
#define shmemx_ctx_longlong_ibput shmem_ctx_longlong_ibput
#define shmemx_uchar_ibput shmem_uchar_ibput
#define shmemx_ctx_uchar_ibput shmem_ctx_uchar_ibput
#define shmemx_ushort_ibput shmem_ushort_ibput
#define shmemx_ctx_ushort_ibput shmem_ctx_ushort_ibput
#define shmemx_uint_ibput shmem_uint_ibput
#define shmemx_ctx_uint_ibput shmem_ctx_uint_ibput
#define shmemx_ulong_ibput shmem_ulong_ibput
#define shmemx_ctx_ulong_ibput shmem_ctx_ulong_ibput
#define shmemx_ulonglong_ibput shmem_ulonglong_ibput
#define shmemx_ctx_ulonglong_ibput shmem_ctx_ulonglong_ibput
#define shmemx_int8_ibput shmem_int8_ibput
#define shmemx_ctx_int8_ibput shmem_ctx_int8_ibput
#define shmemx_int16_ibput shmem_int16_ibput
#define shmemx_ctx_int16_ibput shmem_ctx_int16_ibput
#define shmemx_int32_ibput shmem_int32_ibput
#define shmemx_ctx_int32_ibput shmem_ctx_int32_ibput
#define shmemx_int64_ibput shmem_int64_ibput
#define shmemx_ctx_int64_ibput shmem_ctx_int64_ibput
#define shmemx_uint8_ibput shmem_uint8_ibput
#define shmemx_ctx_uint8_ibput shmem_ctx_uint8_ibput
#define shmemx_uint16_ibput shmem_uint16_ibput
#define shmemx_ctx_uint16_ibput shmem_ctx_uint16_ibput
#define shmemx_uint32_ibput shmem_uint32_ibput
#define shmemx_ctx_uint32_ibput shmem_ctx_uint32_ibput
#define shmemx_uint64_ibput shmem_uint64_ibput
#define shmemx_ctx_uint64_ibput shmem_ctx_uint64_ibput
#define shmemx_size_ibput shmem_size_ibput
#define shmemx_ctx_size_ibput shmem_ctx_size_ibput
#define shmemx_ptrdiff_ibput shmem_ptrdiff_ibput
#define shmemx_ctx_ptrdiff_ibput shmem_ctx_ptrdiff_ibput
#define shmemx_longdouble_ibput shmem_longdouble_ibput
#define shmemx_ctx_longdouble_ibput shmem_ctx_longdouble_ibput
#define shmemx_ibget shmem_ibget
#define shmemx_float_ibget shmem_float_ibget
#define shmemx_ctx_float_ibget shmem_ctx_float_ibget
#define shmemx_double_ibget shmem_double_ibget
#define shmemx_ctx_double_ibget shmem_ctx_double_ibget
#define shmemx_char_ibget shmem_char_ibget
#define shmemx_ctx_char_ibget shmem_ctx_char_ibget
#define shmemx_schar_ibget shmem_schar_ibget
#define shmemx_ctx_schar_ibget shmem_ctx_schar_ibget
#define shmemx_short_ibget shmem_short_ibget
#define shmemx_ctx_short_ibget shmem_ctx_short_ibget
#define shmemx_int_ibget shmem_int_ibget
#define shmemx_ctx_int_ibget shmem_ctx_int_ibget
#define shmemx_long_ibget shmem_long_ibget
#define shmemx_ctx_long_ibget shmem_ctx_long_ibget
#define shmemx_longlong_ibget shmem_longlong_ibget
#define shmemx_ctx_longlong_ibget shmem_ctx_longlong_ibget
#define shmemx_uchar_ibget shmem_uchar_ibget
#define shmemx_ctx_uchar_ibget shmem_ctx_uchar_ibget
#define shmemx_ushort_ibget shmem_ushort_ibget
#define shmemx_ctx_ushort_ibget shmem_ctx_ushort_ibget
#define shmemx_uint_ibget shmem_uint_ibget
#define shmemx_ctx_uint_ibget shmem_ctx_uint_ibget
#define shmemx_ulong_ibget shmem_ulong_ibget
#define shmemx_ctx_ulong_ibget shmem_ctx_ulong_ibget
#define shmemx_ulonglong_ibget shmem_ulonglong_ibget
#define shmemx_ctx_ulonglong_ibget shmem_ctx_ulonglong_ibget
#define shmemx_int8_ibget shmem_int8_ibget
#define shmemx_ctx_int8_ibget shmem_ctx_int8_ibget
#define shmemx_int16_ibget shmem_int16_ibget
#define shmemx_ctx_int16_ibget shmem_ctx_int16_ibget
#define shmemx_int32_ibget shmem_int32_ibget
#define shmemx_ctx_int32_ibget shmem_ctx_int32_ibget
#define shmemx_int64_ibget shmem_int64_ibget
#define shmemx_ctx_int64_ibget shmem_ctx_int64_ibget
#define shmemx_uint8_ibget shmem_uint8_ibget
#define shmemx_ctx_uint8_ibget shmem_ctx_uint8_ibget
#define shmemx_uint16_ibget shmem_uint16_ibget
#define shmemx_ctx_uint16_ibget shmem_ctx_uint16_ibget
#define shmemx_uint32_ibget shmem_uint32_ibget
#define shmemx_ctx_uint32_ibget shmem_ctx_uint32_ibget
#define shmemx_uint64_ibget shmem_uint64_ibget
#define shmemx_ctx_uint64_ibget shmem_ctx_uint64_ibget
#define shmemx_size_ibget shmem_size_ibget
#define shmemx_ctx_size_ibget shmem_ctx_size_ibget
#define shmemx_ptrdiff_ibget shmem_ptrdiff_ibget
#define shmemx_ctx_ptrdiff_ibget shmem_ctx_ptrdiff_ibget
#define shmemx_longdouble_ibget shmem_longdouble_ibget
#define shmemx_ctx_longdouble_ibget shmem_ctx_longdouble_ibget
#define shmemx_signal_set shmem_signal_set
#define shmemx_ctx_signal_set shmem_ctx_signal_set
#define shmemx_signal_add shmem_signal_add
#define shmemx_ctx_signal_add shmem_ctx_signal_add
#define shmemx_sum_inscan shmem_sum_inscan
#define shmemx_float_sum_inscan shmem_float_sum_inscan
#define shmemx_double_sum_inscan shmem_double_sum_inscan
#define shmemx_char_sum_inscan shmem_char_sum_inscan
#define shmemx_schar_sum_inscan shmem_schar_sum_inscan
#define shmemx_short_sum_inscan shmem_short_sum_inscan
#define shmemx_int_sum_inscan shmem_int_sum_inscan
#define shmemx_long_sum_inscan shmem_long_sum_inscan
#define shmemx_longlong_sum_inscan shmem_longlong_sum_inscan
#define shmemx_uchar_sum_inscan shmem_uchar_sum_inscan
#define shmemx_ushort_sum_inscan shmem_ushort_sum_inscan
#define shmemx_uint_sum_inscan shmem_uint_sum_inscan
#define shmemx_ulong_sum_inscan shmem_ulong_sum_inscan
#define shmemx_ulonglong_sum_inscan shmem_ulonglong_sum_inscan
#define shmemx_int8_sum_inscan shmem_int8_sum_inscan
#define shmemx_int16_sum_inscan shmem_int16_sum_inscan
#define shmemx_int32_sum_inscan shmem_int32_sum_inscan
#define shmemx_int64_sum_inscan shmem_int64_sum_inscan
#define shmemx_uint8_sum_inscan shmem_uint8_sum_inscan
#define shmemx_uint16_sum_inscan shmem_uint16_sum_inscan
#define shmemx_uint32_sum_inscan shmem_uint32_sum_inscan
#define shmemx_uint64_sum_inscan shmem_uint64_sum_inscan
#define shmemx_size_sum_inscan shmem_size_sum_inscan
#define shmemx_ptrdiff_sum_inscan shmem_ptrdiff_sum_inscan
#define shmemx_longdouble_sum_inscan shmem_longdouble_sum_inscan
#define shmemx_complexf_sum_inscan shmem_complexf_sum_inscan
#define shmemx_complexd_sum_inscan shmem_complexd_sum_inscan
#define shmemx_sum_exscan shmem_sum_exscan
#define shmemx_float_sum_exscan shmem_float_sum_exscan
#define shmemx_double_sum_exscan shmem_double_sum_exscan
#define shmemx_char_sum_exscan shmem_char_sum_exscan
#define shmemx_schar_sum_exscan shmem_schar_sum_exscan
#define shmemx_short_sum_exscan shmem_short_sum_exscan
#define shmemx_int_sum_exscan shmem_int_sum_exscan
#define shmemx_long_sum_exscan shmem_long_sum_exscan
#define shmemx_longlong_sum_exscan shmem_longlong_sum_exscan
#define shmemx_uchar_sum_exscan shmem_uchar_sum_exscan
#define shmemx_ushort_sum_exscan shmem_ushort_sum_exscan
#define shmemx_uint_sum_exscan shmem_uint_sum_exscan
#define shmemx_ulong_sum_exscan shmem_ulong_sum_exscan
#define shmemx_ulonglong_sum_exscan shmem_ulonglong_sum_exscan
#define shmemx_int8_sum_exscan shmem_int8_sum_exscan
#define shmemx_int16_sum_exscan shmem_int16_sum_exscan
#define shmemx_int32_sum_exscan shmem_int32_sum_exscan
#define shmemx_int64_sum_exscan shmem_int64_sum_exscan
#define shmemx_uint8_sum_exscan shmem_uint8_sum_exscan
#define shmemx_uint16_sum_exscan shmem_uint16_sum_exscan
#define shmemx_uint32_sum_exscan shmem_uint32_sum_exscan
#define shmemx_uint64_sum_exscan shmem_uint64_sum_exscan
#define shmemx_size_sum_exscan shmem_size_sum_exscan
#define shmemx_ptrdiff_sum_exscan shmem_ptrdiff_sum_exscan
#define shmemx_longdouble_sum_exscan shmem_longdouble_sum_exscan
#define shmemx_complexf_sum_exscan shmem_complexf_sum_exscan
#define shmemx_complexd_sum_exscan shmem_complexd_sum_exscan

#ifdef __CUDACC__
#include <shmemx_tasks.cuh>
#include <shmemx_arrays.cuh>
#endif

#endif
