//! Teams and contexts.

use crate::routine::{Family, routine};
use crate::types::NONE;

pub(super) const FAMILIES: &[Family] = &[
    Family {
        title: "Teams (9.4)",
        types: NONE,
        routines: &[
            routine("int", "shmem_team_my_pe", "shmem_team_t team").device("team_my_pe(team)"),
            routine("int", "shmem_team_n_pes", "shmem_team_t team").device("team_n_pes(team)"),
            routine("int", "shmem_team_get_config", "shmem_team_t team, long config_mask, shmem_team_config_t *config"),
            routine("int", "shmem_team_translate_pe", "shmem_team_t src_team, int src_pe, shmem_team_t dest_team")
                .device("team_translate_pe(src_team, src_pe, dest_team)"),
            routine(
                "int",
                "shmem_team_split_strided",
                "shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team",
            ),
            routine(
                "int",
                "shmem_team_split_2d",
                "shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team",
            ),
            routine("void", "shmem_team_destroy", "shmem_team_t team"),
            routine("void *", "shmem_team_ptr", "shmem_team_t team, const void *dest, int pe"),
        ],
    },
    Family {
        title: "Contexts (9.5) and sessions (9.9). Fence and quiet cover the operations of one context; shmem_fence and shmem_quiet\n   cover those of the default context",
        types: NONE,
        routines: &[
            routine("int", "shmem_ctx_create", "long options, shmem_ctx_t *ctx").device("context_create(options, ctx)"),
            routine("int", "shmem_team_create_ctx", "shmem_team_t team, long options, shmem_ctx_t *ctx"),
            routine("void", "shmem_ctx_destroy", "shmem_ctx_t ctx").device("context_quiet_thread(ctx)"),
            routine("int", "shmem_ctx_get_team", "shmem_ctx_t ctx, shmem_team_t *team"),
            routine(
                "void",
                "shmem_ctx_session_start",
                "shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask",
            ),
            routine("void", "shmem_ctx_session_stop", "shmem_ctx_t ctx"),
        ],
    },
];
