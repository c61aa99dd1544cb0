//! Operations on streams; the header is `shmemx.h`.

use crate::routine::{Family, routine};
use crate::types::{BITS, NONE, RMA, STREAM_WAIT, WORD};

const TYPE_COPY: &str = "TYPE *dest, const TYPE *source, size_t nelems, int pe, void *stream";
const VOID_COPY: &str = "void *dest, const void *source, size_t nelems, int pe, void *stream";
const TYPE_STRIDED: &str =
    "TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream";
const VOID_STRIDED: &str =
    "void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe, void *stream";
const TYPE_SIGNAL: &str = "TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream";
const VOID_SIGNAL: &str = "void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream";

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Streams for programs that do not use CUDA. `shmemx_stream_create` creates a stream on this PE's GPU, which does not\n   wait for the default stream. On a real GPU it is a stream of the driver, which the calls of CUDA take too; on the\n   emulated GPU only this library knows it. Returns 0, or 1 with a message if there is no GPU; `*stream` is NULL then.\n   It is not collective. `shmemx_stream_synchronize` waits until everything on the stream has finished, and takes any\n   stream that the routines below take. `shmemx_stream_destroy` does so too before it destroys the stream, and\n   `shmem_finalize` destroys what is left. Barriers, fence and quiet of the CPU do not wait for streams: synchronize\n   them first. A destroyed stream must not be used; the emulated GPU ends the job then, with a message",
        types: NONE,
        routines: &[
            routine("int", "shmemx_stream_create", "shmemx_stream_t *stream"),
            routine("void", "shmemx_stream_synchronize", "shmemx_stream_t stream"),
            routine("void", "shmemx_stream_destroy", "shmemx_stream_t stream"),
        ],
    },
    Family {
        title: "Operations on streams. `stream` is a CUstream or cudaStream_t of the GPU's primary context, one of\n   `shmemx_stream_create`, or NULL for the default stream. It carries the operations out once everything before them on\n   it has finished; no call waits. A put has finished when its source may be reused, a get when its data has arrived;\n   `quiet` completes everything before it on the stream. A signal is updated after everything before it on the stream. A\n   stream that is being captured into a graph records the operations, and each replay performs them again. Memory that\n   is neither in the symmetric heaps nor on the GPU is copied by a thread of the library when the stream reaches the\n   operation, which cannot be captured. A signal that a stream waits for must be in one of the heaps. Only one stream or\n   kernel of a PE may be in a barrier, or in the sync of a given team, at a time. Destroy a team only after the stream\n   has passed the call. `signal_exchange` tells the `nto` PEs in `to_pes` that the stream is here, and holds it until\n   each of the `nfrom` PEs in `from_pes` has told this one; later work on the stream sees what those PEs' streams did\n   before. `sigs`, from `shmemx_malloc_gpu`, has a word for each PE of the job, 0 before the first exchange: 1 is added\n   to this PE's word on the PEs in `to_pes`, and taken from the words of those in `from_pes` here, once they are above\n   0. A PE that a list names twice counts once. One stream of a PE at a time waits for words of the same array. The first\n   call is collective if the job's GPUs have not started yet, as for `shmemx_module_init`",
        types: NONE,
        routines: &[
            routine("void", "shmemx_putmem_on_stream", VOID_COPY),
            routine("void", "shmemx_putmem_nbi_on_stream", VOID_COPY),
            routine("void", "shmemx_getmem_on_stream", VOID_COPY),
            routine("void", "shmemx_getmem_nbi_on_stream", VOID_COPY),
            routine("void", "shmemx_putmem_signal_on_stream", VOID_SIGNAL),
            routine("void", "shmemx_putmem_signal_nbi_on_stream", VOID_SIGNAL),
            routine(
                "void",
                "shmemx_signal_op_on_stream",
                "uint64_t *sig_addr, uint64_t signal, int sig_op, int pe, void *stream",
            ),
            routine(
                "void",
                "shmemx_signal_wait_until_on_stream",
                "uint64_t *sig_addr, int cmp, uint64_t cmp_value, void *stream",
            ),
            routine(
                "void",
                "shmemx_signal_exchange_on_stream",
                "uint64_t *sigs, const int *to_pes, size_t nto, const int *from_pes, size_t nfrom, void *stream",
            ),
            routine("void", "shmemx_quiet_on_stream", "void *stream"),
            routine("void", "shmemx_barrier_all_on_stream", "void *stream"),
            routine("void", "shmemx_sync_all_on_stream", "void *stream"),
            routine("int", "shmemx_team_sync_on_stream", "shmem_team_t team, void *stream"),
            routine("int", "shmemx_barrier_on_stream", "shmem_team_t team, void *stream"),
        ],
    },
    Family {
        title: "The same for elements of a given number of bits",
        types: BITS,
        routines: &[
            routine("void", "shmemx_putNAME_on_stream", VOID_COPY),
            routine("void", "shmemx_putNAME_nbi_on_stream", VOID_COPY),
            routine("void", "shmemx_getNAME_on_stream", VOID_COPY),
            routine("void", "shmemx_getNAME_nbi_on_stream", VOID_COPY),
            routine("void", "shmemx_iputNAME_on_stream", VOID_STRIDED),
            routine("void", "shmemx_igetNAME_on_stream", VOID_STRIDED),
            routine("void", "shmemx_putNAME_signal_on_stream", VOID_SIGNAL),
            routine("void", "shmemx_putNAME_signal_nbi_on_stream", VOID_SIGNAL),
        ],
    },
    Family {
        title: "The same for elements of a type",
        types: RMA,
        routines: &[
            routine("void", "shmemx_NAME_put_on_stream", TYPE_COPY),
            routine("void", "shmemx_NAME_put_nbi_on_stream", TYPE_COPY),
            routine("void", "shmemx_NAME_get_on_stream", TYPE_COPY),
            routine("void", "shmemx_NAME_get_nbi_on_stream", TYPE_COPY),
            routine("void", "shmemx_NAME_iput_on_stream", TYPE_STRIDED),
            routine("void", "shmemx_NAME_iget_on_stream", TYPE_STRIDED),
            routine("void", "shmemx_NAME_put_signal_on_stream", TYPE_SIGNAL),
            routine("void", "shmemx_NAME_put_signal_nbi_on_stream", TYPE_SIGNAL),
        ],
    },
    Family {
        title: "Storing one element on a stream",
        types: WORD,
        routines: &[routine("void", "shmemx_NAME_p_on_stream", "TYPE *dest, TYPE value, int pe, void *stream")],
    },
    Family {
        title: "Waiting for a word on a stream",
        types: STREAM_WAIT,
        routines: &[routine(
            "void",
            "shmemx_NAME_wait_until_on_stream",
            "TYPE *ivar, int cmp, TYPE cmp_value, void *stream",
        )],
    },
];
