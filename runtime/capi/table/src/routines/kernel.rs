//! Routines that only kernels in CUDA C++ have. The header of kernels declares them.

use crate::routine::{Family, Routine, routine};
use crate::types::{FLOATS, HALF, NONE, REDUCE_BITWISE, STANDARD_AMO, WORD};

const MOVE: &str = "shmem_team_t team, TYPE *dest, const TYPE *source, size_t nelems";
const COPY: &str = "TYPE *dest, const TYPE *source, size_t nelems, int pe";
const SIGNAL: &str =
    "TYPE *dest, const TYPE *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe";
const VALUE: &str = "TYPE *dest, TYPE value, int pe";
const REDUCE: &str = "shmem_team_t team, TYPE *dest, const TYPE *source, size_t nreduce";

const fn reduction(name: &'static str, device: &'static str) -> Routine {
    routine("int", name, REDUCE).device(device)
}

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Minimum and maximum",
        types: STANDARD_AMO,
        routines: &[
            routine("void", "shmemx_NAME_atomic_min", VALUE).device("atomic_min(dest, value, pe)"),
            routine("void", "shmemx_NAME_atomic_max", VALUE).device("atomic_max(dest, value, pe)"),
            routine("TYPE", "shmemx_NAME_atomic_fetch_min", VALUE).device("atomic_fetch_min(dest, value, pe)"),
            routine("TYPE", "shmemx_NAME_atomic_fetch_max", VALUE).device("atomic_fetch_max(dest, value, pe)"),
        ],
    },
    Family {
        title: "Sums of floating-point numbers",
        types: FLOATS,
        routines: &[
            routine("void", "shmemx_NAME_atomic_add", VALUE).device("atomic_add_float(dest, value, pe)"),
            routine("TYPE", "shmemx_NAME_atomic_fetch_add", VALUE).device("atomic_fetch_add_float(dest, value, pe)"),
        ],
    },
    Family {
        title: "Copies of CUDA's `__half` and `__nv_bfloat16`",
        types: HALF,
        routines: &[
            routine("void", "shmemx_NAME_put", COPY).device("put_SCOPE(dest, source, nelems * 2, pe)"),
            routine("void", "shmemx_NAME_get", COPY).device("get_SCOPE(dest, source, nelems * 2, pe)"),
            routine("void", "shmemx_NAME_put_nbi", COPY).device("put_nbi_SCOPE(dest, source, nelems * 2, pe)"),
            routine("void", "shmemx_NAME_get_nbi", COPY).device("get_nbi_SCOPE(dest, source, nelems * 2, pe)"),
            routine("void", "shmemx_NAME_put_signal", SIGNAL)
                .device("put_signal_SCOPE(dest, source, nelems * 2, sig_addr, signal, sig_op, pe)"),
            routine("void", "shmemx_NAME_put_signal_nbi", SIGNAL)
                .device("put_signal_nbi_SCOPE(dest, source, nelems * 2, sig_addr, signal, sig_op, pe)"),
        ],
    },
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
                "reduce_NUMBER(@scope_SCOPE(), @kind_reducescatter, @op_min, sizeof(TYPE), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_max_reducescatter",
                "reduce_NUMBER(@scope_SCOPE(), @kind_reducescatter, @op_max, sizeof(TYPE), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_sum_reducescatter",
                "reduce_UNSIGNED(@scope_SCOPE(), @kind_reducescatter, @op_sum, sizeof(TYPE), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_prod_reducescatter",
                "reduce_UNSIGNED(@scope_SCOPE(), @kind_reducescatter, @op_prod, sizeof(TYPE), team, dest, source, nreduce)",
            ),
        ],
    },
    Family {
        title: "The same with bitwise operations",
        types: REDUCE_BITWISE,
        routines: &[
            reduction(
                "shmemx_NAME_and_reducescatter",
                "reduce_u64(@scope_SCOPE(), @kind_reducescatter, @op_and, sizeof(TYPE), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_or_reducescatter",
                "reduce_u64(@scope_SCOPE(), @kind_reducescatter, @op_or, sizeof(TYPE), team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_xor_reducescatter",
                "reduce_u64(@scope_SCOPE(), @kind_reducescatter, @op_xor, sizeof(TYPE), team, dest, source, nreduce)",
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
                "reduce_NUMBER(@scope_SCOPE(), @kind_reduce, @op_min, 2, team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_max_reduce",
                "reduce_NUMBER(@scope_SCOPE(), @kind_reduce, @op_max, 2, team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_sum_reduce",
                "reduce_UNSIGNED(@scope_SCOPE(), @kind_reduce, @op_sum, 2, team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_prod_reduce",
                "reduce_UNSIGNED(@scope_SCOPE(), @kind_reduce, @op_prod, 2, team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_min_reducescatter",
                "reduce_NUMBER(@scope_SCOPE(), @kind_reducescatter, @op_min, 2, team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_max_reducescatter",
                "reduce_NUMBER(@scope_SCOPE(), @kind_reducescatter, @op_max, 2, team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_sum_reducescatter",
                "reduce_UNSIGNED(@scope_SCOPE(), @kind_reducescatter, @op_sum, 2, team, dest, source, nreduce)",
            ),
            reduction(
                "shmemx_NAME_prod_reducescatter",
                "reduce_UNSIGNED(@scope_SCOPE(), @kind_reducescatter, @op_prod, 2, team, dest, source, nreduce)",
            ),
            routine("int", "shmemx_NAME_sum_inscan", MOVE)
                .device("reduce_UNSIGNED(@scope_SCOPE(), @kind_inscan, @op_sum, 2, team, dest, source, nelems)"),
            routine("int", "shmemx_NAME_sum_exscan", MOVE)
                .device("reduce_UNSIGNED(@scope_SCOPE(), @kind_exscan, @op_sum, 2, team, dest, source, nelems)"),
        ],
    },
];
