//! Routines that only kernels in CUDA C++ have. The header of kernels declares them.

use crate::routine::{Family, Routine, routine};
use crate::types::{HALF, NONE, REDUCE_BITWISE, WORD};

const MOVE: &str = "shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems";
const REDUCE: &str = "shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce";

const fn reduction(name: &'static str, device: &'static str) -> Routine {
    routine("int", name, REDUCE).device(device)
}

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "The barrier of a team, which also completes all operations of the calling threads",
        types: NONE,
        routines: &[routine("int", "shmemx_barrier", "shmem_team_t team").device("team_barrier(@scope_SCOPE(), team)")],
    },
    Family {
        title: "Reductions of which each member gets `nreduce` elements; source has as many for each member",
        types: WORD,
        routines: &[
            reduction(
                "shmemx_NAME_min_reducescatter",
                "reducescatter<@SHMEM_IMPL_COMBINE_MIN, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_max_reducescatter",
                "reducescatter<@SHMEM_IMPL_COMBINE_MAX, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_sum_reducescatter",
                "reducescatter<@SHMEM_IMPL_COMBINE_SUM, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_prod_reducescatter",
                "reducescatter<@SHMEM_IMPL_COMBINE_PROD, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
        ],
    },
    Family {
        title: "The same with bitwise operations",
        types: REDUCE_BITWISE,
        routines: &[
            reduction(
                "shmemx_NAME_and_reducescatter",
                "reducescatter<@SHMEM_IMPL_COMBINE_AND, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_or_reducescatter",
                "reducescatter<@SHMEM_IMPL_COMBINE_OR, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_xor_reducescatter",
                "reducescatter<@SHMEM_IMPL_COMBINE_XOR, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
        ],
    },
    Family {
        title: "Collectives of CUDA's `__half` and `__nv_bfloat16`. Each step of a reduction is rounded",
        types: HALF,
        routines: &[
            routine(
                "int",
                "shmemx_NAME_broadcast",
                "shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems, int PE_root",
            )
            .device("broadcast(@scope_SCOPE(), team, dest, source, nelems * 2, PE_root)"),
            routine("int", "shmemx_NAME_fcollect", MOVE)
                .device("fcollect(@scope_SCOPE(), team, dest, source, nelems * 2)"),
            routine("int", "shmemx_NAME_alltoall", MOVE)
                .device("alltoall(@scope_SCOPE(), team, dest, source, nelems * 2)"),
            reduction(
                "shmemx_NAME_min_reduce",
                "reduce<@SHMEM_IMPL_COMBINE_MIN, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_max_reduce",
                "reduce<@SHMEM_IMPL_COMBINE_MAX, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_sum_reduce",
                "reduce<@SHMEM_IMPL_COMBINE_SUM, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_prod_reduce",
                "reduce<@SHMEM_IMPL_COMBINE_PROD, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_min_reducescatter",
                "reducescatter<@SHMEM_IMPL_COMBINE_MIN, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_max_reducescatter",
                "reducescatter<@SHMEM_IMPL_COMBINE_MAX, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_sum_reducescatter",
                "reducescatter<@SHMEM_IMPL_COMBINE_SUM, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_prod_reducescatter",
                "reducescatter<@SHMEM_IMPL_COMBINE_PROD, @of_NAME>(@scope_SCOPE(), team, dest, source, nreduce)",
            ),
            routine("int", "shmemx_NAME_sum_inscan", MOVE)
                .device("inscan<@of_NAME>(@scope_SCOPE(), team, dest, source, nelems)"),
            routine("int", "shmemx_NAME_sum_exscan", MOVE)
                .device("exscan<@of_NAME>(@scope_SCOPE(), team, dest, source, nelems)"),
        ],
    },
];
