//! Collectives on streams; the header is `shmemx.h`.

use crate::routine::{Family, Routine, routine};
use crate::types::{HALF, NONE, REDUCE_BITWISE, WORD};

const ROOTED: &str = "shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, int PE_root, void *stream";
const MOVE: &str = "shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, void *stream";
const ROOTED_BYTES: &str =
    "shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root, void *stream";
const MOVE_BYTES: &str = "shmem_team_t team, void *dest, const void *source, size_t nelems, void *stream";
const REDUCE: &str = "shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce, void *stream";

const fn reduction(name: &'static str) -> Routine {
    routine("int", name, REDUCE)
}

const BY_TYPE: &[Routine] = &[
    routine("int", "shmemx_NAME_broadcast_on_stream", ROOTED),
    routine("int", "shmemx_NAME_fcollect_on_stream", MOVE),
    routine("int", "shmemx_NAME_alltoall_on_stream", MOVE),
    reduction("shmemx_NAME_min_reduce_on_stream"),
    reduction("shmemx_NAME_max_reduce_on_stream"),
    reduction("shmemx_NAME_sum_reduce_on_stream"),
    reduction("shmemx_NAME_prod_reduce_on_stream"),
    reduction("shmemx_NAME_min_reducescatter_on_stream"),
    reduction("shmemx_NAME_max_reducescatter_on_stream"),
    reduction("shmemx_NAME_sum_reducescatter_on_stream"),
    reduction("shmemx_NAME_prod_reducescatter_on_stream"),
];

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Collectives on streams. All members enqueue a team's collectives in the same order, with the same arguments, on one\n   stream at a time. The stream must have passed them before the CPU starts a collective of the same team. A collective\n   starts when the streams of all members have reached it. `dest` and `source` are symmetric. All members get bitwise\n   the same result of a reduction. In a reducescatter each member gets `nreduce` elements, and `source` has that many\n   for each member; `dest` may be this member's own part of `source`. Destroy a team only after the stream has passed\n   its collectives",
        types: NONE,
        routines: &[
            routine("int", "shmemx_broadcastmem_on_stream", ROOTED_BYTES),
            routine("int", "shmemx_fcollectmem_on_stream", MOVE_BYTES),
            routine("int", "shmemx_alltoallmem_on_stream", MOVE_BYTES),
        ],
    },
    Family { title: "The same by type", types: WORD, routines: BY_TYPE },
    Family {
        title: "Bitwise reductions on streams",
        types: REDUCE_BITWISE,
        routines: &[
            reduction("shmemx_NAME_and_reduce_on_stream"),
            reduction("shmemx_NAME_or_reduce_on_stream"),
            reduction("shmemx_NAME_xor_reduce_on_stream"),
            reduction("shmemx_NAME_and_reducescatter_on_stream"),
            reduction("shmemx_NAME_or_reducescatter_on_stream"),
            reduction("shmemx_NAME_xor_reducescatter_on_stream"),
        ],
    },
    Family {
        title: "The same for CUDA's `__half` and `__nv_bfloat16`. Each step of a reduction is rounded",
        types: HALF,
        routines: BY_TYPE,
    },
];
