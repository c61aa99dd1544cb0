//! Barriers and collectives.

use crate::routine::{Family, Routine, routine};
use crate::types::{NONE, REDUCE_ARITHMETIC, REDUCE_BITWISE, RMA, TO_ALL_ARITHMETIC, TO_ALL_BITWISE, TO_ALL_ORDERED};

const MOVE: &str = "shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems";
const REDUCE: &str = "shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce";
const MOVE_BYTES: &str = "shmem_team_t team, void *dest, const void *source, size_t nelems";

const TO_ALL: &str =
    "TYPE *dest, const TYPE *source, int nreduce, int PE_start, int logPE_stride, int PE_size, TYPE *pWrk, long *pSync";
const ACTIVE: &str = "int PE_start, int logPE_stride, int PE_size, long *pSync";
const ACTIVE_MOVE: &str =
    "void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync";
const ACTIVE_STRIDED: &str = "void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync";
const ACTIVE_ROOTED: &str = "void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync";

const fn reduction(name: &'static str, device: &'static str) -> Routine {
    routine("int", name, REDUCE).device(device).generic()
}

const fn old(name: &'static str, parameters: &'static str) -> Routine {
    routine("void", name, parameters).deprecated()
}

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Barriers and collectives (9.10), on host or GPU memory. All members pass the same arguments",
        types: NONE,
        routines: &[
            routine("void", "shmem_barrier_all", "void").device("barrier_all_SCOPE()"),
            routine("void", "shmem_sync_all", "void").device("sync_all_SCOPE()"),
            routine("int", "shmem_team_sync", "shmem_team_t team").device("team_sync(@scope_SCOPE(), team)"),
            routine(
                "int",
                "shmem_broadcastmem",
                "shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root",
            )
            .device("broadcast(@scope_SCOPE(), team, dest, source, nelems, PE_root)"),
            routine("int", "shmem_collectmem", MOVE_BYTES),
            routine("int", "shmem_fcollectmem", MOVE_BYTES)
                .device("fcollect(@scope_SCOPE(), team, dest, source, nelems)"),
            routine("int", "shmem_alltoallmem", MOVE_BYTES)
                .device("alltoall(@scope_SCOPE(), team, dest, source, nelems)"),
            routine(
                "int",
                "shmem_alltoallsmem",
                "shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems",
            )
            .device("alltoalls(@scope_SCOPE(), team, dest, source, dst, sst, nelems, 1)"),
        ],
    },
    Family {
        title: "The same by type",
        types: RMA,
        routines: &[
            routine(
                "int",
                "shmem_NAME_broadcast",
                "shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, int PE_root",
            )
            .device("broadcast(@scope_SCOPE(), team, dest, source, nelems * sizeof(TYPE), PE_root)")
            .generic(),
            routine("int", "shmem_NAME_collect", MOVE).generic(),
            routine("int", "shmem_NAME_fcollect", MOVE)
                .device("fcollect(@scope_SCOPE(), team, dest, source, nelems * sizeof(TYPE))")
                .generic(),
            routine("int", "shmem_NAME_alltoall", MOVE)
                .device("alltoall(@scope_SCOPE(), team, dest, source, nelems * sizeof(TYPE))")
                .generic(),
            routine(
                "int",
                "shmem_NAME_alltoalls",
                "shmem_team_t team, TYPE *dest, const TYPE *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems",
            )
            .device("alltoalls(@scope_SCOPE(), team, dest, source, dst, sst, nelems, sizeof(TYPE))")
            .generic(),
            reduction(
                "shmem_NAME_min_reduce",
                "reduce_NUMBER(@scope_SCOPE(), @kind_reduce, @op_min, sizeof(TYPE), team, dest, source, nreduce)",
            ),
            reduction(
                "shmem_NAME_max_reduce",
                "reduce_NUMBER(@scope_SCOPE(), @kind_reduce, @op_max, sizeof(TYPE), team, dest, source, nreduce)",
            ),
        ],
    },
    Family {
        title: "Bitwise reductions",
        types: REDUCE_BITWISE,
        routines: &[
            reduction(
                "shmem_NAME_and_reduce",
                "reduce_u64(@scope_SCOPE(), @kind_reduce, @op_and, sizeof(TYPE), team, dest, source, nreduce)",
            ),
            reduction(
                "shmem_NAME_or_reduce",
                "reduce_u64(@scope_SCOPE(), @kind_reduce, @op_or, sizeof(TYPE), team, dest, source, nreduce)",
            ),
            reduction(
                "shmem_NAME_xor_reduce",
                "reduce_u64(@scope_SCOPE(), @kind_reduce, @op_xor, sizeof(TYPE), team, dest, source, nreduce)",
            ),
        ],
    },
    Family {
        title: "Sums, products and scans",
        types: REDUCE_ARITHMETIC,
        routines: &[
            reduction(
                "shmem_NAME_sum_reduce",
                "reduce_UNSIGNED(@scope_SCOPE(), @kind_reduce, @op_sum, sizeof(TYPE), team, dest, source, nreduce)",
            ),
            reduction(
                "shmem_NAME_prod_reduce",
                "reduce_UNSIGNED(@scope_SCOPE(), @kind_reduce, @op_prod, sizeof(TYPE), team, dest, source, nreduce)",
            ),
            routine("int", "shmem_NAME_sum_inscan", MOVE)
                .device(
                    "reduce_UNSIGNED(@scope_SCOPE(), @kind_inscan, @op_sum, sizeof(TYPE), team, dest, source, nelems)",
                )
                .generic(),
            routine("int", "shmem_NAME_sum_exscan", MOVE)
                .device(
                    "reduce_UNSIGNED(@scope_SCOPE(), @kind_exscan, @op_sum, sizeof(TYPE), team, dest, source, nelems)",
                )
                .generic(),
        ],
    },
    Family {
        title: "Collectives of active sets. `pSync` and `pWrk` are not used",
        types: NONE,
        routines: &[
            old("shmem_barrier", ACTIVE),
            old("shmem_sync", ACTIVE),
            old("shmem_broadcast32", ACTIVE_ROOTED),
            old("shmem_broadcast64", ACTIVE_ROOTED),
            old("shmem_collect32", ACTIVE_MOVE),
            old("shmem_collect64", ACTIVE_MOVE),
            old("shmem_fcollect32", ACTIVE_MOVE),
            old("shmem_fcollect64", ACTIVE_MOVE),
            old("shmem_alltoall32", ACTIVE_MOVE),
            old("shmem_alltoall64", ACTIVE_MOVE),
            old("shmem_alltoalls32", ACTIVE_STRIDED),
            old("shmem_alltoalls64", ACTIVE_STRIDED),
        ],
    },
    Family {
        title: "Bitwise reductions of active sets",
        types: TO_ALL_BITWISE,
        routines: &[
            old("shmem_NAME_and_to_all", TO_ALL),
            old("shmem_NAME_or_to_all", TO_ALL),
            old("shmem_NAME_xor_to_all", TO_ALL),
        ],
    },
    Family {
        title: "Minima and maxima of active sets",
        types: TO_ALL_ORDERED,
        routines: &[old("shmem_NAME_min_to_all", TO_ALL), old("shmem_NAME_max_to_all", TO_ALL)],
    },
    Family {
        title: "Sums and products of active sets",
        types: TO_ALL_ARITHMETIC,
        routines: &[old("shmem_NAME_sum_to_all", TO_ALL), old("shmem_NAME_prod_to_all", TO_ALL)],
    },
];
