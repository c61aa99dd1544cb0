
/* Teams and collectives. A handle is the team's slot plus 1, except SHMEM_TEAM_SHARED. */
enum { @NUMBERS@ };
struct members { u64 pes, numbers; u32 slot; };
#define SHMEM_IMPL_MEMBERS m.pes, m.numbers, m.slot
SHMEM_IMPL_INLINE members members_of(shmem_team_t team) {
    told();
    u32 slot = team == SHMEM_TEAM_SHARED ? slot_of_shared : (u32)(u64)team - 1;
    looked words = team_of(slot);
    members m = {words.word, words.found, slot};
    return m;
}
/* The number in the job of a PE of a context's team. A handle has the slot of the team above the context's number. */
SHMEM_IMPL_INLINE int context_pe(shmem_ctx_t ctx, int pe) {
    u32 slot = (u32)((u64)ctx >> SHMEM_IMPL_CTX_BITS);
    if (slot == 0) return pe;
    looked words = team_of(slot);
    if ((u32)pe >= (u32)words.found) refuse_member((u32)pe, slot, (u32)words.found);
    return (int)((u32)words.word + (u32)pe * (u32)(words.word >> 32));
}
SHMEM_IMPL_INLINE int team_my_pe(shmem_team_t team) { return team == SHMEM_TEAM_INVALID ? -1 : (int)(members_of(team).numbers >> 32); }
SHMEM_IMPL_INLINE int team_n_pes(shmem_team_t team) { return team == SHMEM_TEAM_INVALID ? -1 : (int)(u32)members_of(team).numbers; }
SHMEM_IMPL_INLINE int team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) {
    if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID) return -1;
    members from = members_of(src_team), m = members_of(dest_team);
    if ((u32)src_pe >= (u32)from.numbers) return -1;
    return (int)team_translate(from.pes, from.numbers, from.slot, (u32)src_pe, SHMEM_IMPL_MEMBERS);
}
SHMEM_IMPL_INLINE int team_sync(u32 scope, shmem_team_t team) {
    members m = members_of(team);
    if (context.far) far_sync_team(scope, SHMEM_IMPL_MEMBERS); else sync_team(scope, SHMEM_IMPL_MEMBERS);
    return 0;
}
SHMEM_IMPL_INLINE int team_barrier(u32 scope, shmem_team_t team) {
    members m = members_of(team);
    if (context.far) far_barrier_team(scope, SHMEM_IMPL_MEMBERS); else barrier_team(scope, SHMEM_IMPL_MEMBERS);
    return 0;
}

/* Collectives. In a job in which not all PEs are mapped, the CPU carries them out; otherwise what is left for this GPU
   has no meeting (SHORT), or is between two. */
enum { NOTHING, SHORT_ONE, LONG_ONE };
SHMEM_IMPL_CALLED int broadcast(u32 scope, shmem_team_t team, void *dest, const void *source, size_t bytes, int root) {
    members m = members_of(team);
    if ((u32)root >= (u32)m.numbers) refuse_member((u32)root, m.slot, (u32)m.numbers);
    u32 way = collective_way(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), bytes);
    if (way == NOTHING) return 0;
    if (context.far) {
        far_collective(scope, kind_broadcast, 0, 1, m.slot, (u32)root, 0, 0, address(dest), address(source), bytes);
    } else if (way == SHORT_ONE) {
        collective_broadcast_short(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), bytes, (u32)root);
    } else {
        sync_team(scope, SHMEM_IMPL_MEMBERS);
        collective_copy(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), bytes, 0, 0, (u32)root);
        sync_team(scope, SHMEM_IMPL_MEMBERS);
    }
    return 0;
}
/* Members get the same bytes (fcollect), or each its own (alltoall). */
SHMEM_IMPL_CALLED int exchange(u32 scope, u32 kind, shmem_team_t team, void *dest, const void *source, size_t bytes) {
    members m = members_of(team);
    u32 way = collective_way(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), bytes);
    u64 step = kind == kind_alltoall ? bytes : 0;
    if (way == NOTHING) return 0;
    if (context.far) {
        far_collective(scope, kind, 0, 1, m.slot, 0, 0, 0, address(dest), address(source), bytes);
    } else if (way == SHORT_ONE) {
        collective_copy_short(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), bytes, step);
    } else {
        sync_team(scope, SHMEM_IMPL_MEMBERS);
        collective_copy(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), bytes, step, (m.numbers >> 32) * bytes, 0xffffffffu);
        sync_team(scope, SHMEM_IMPL_MEMBERS);
    }
    return 0;
}
SHMEM_IMPL_INLINE int fcollect(u32 scope, shmem_team_t team, void *dest, const void *source, size_t bytes) {
    return exchange(scope, kind_fcollect, team, dest, source, bytes);
}
SHMEM_IMPL_INLINE int alltoall(u32 scope, shmem_team_t team, void *dest, const void *source, size_t bytes) {
    return exchange(scope, kind_alltoall, team, dest, source, bytes);
}
/* No collective with as many bytes has a short form. */
static const u64 no_short_form = ~(u64)0;
SHMEM_IMPL_INLINE u32 stride_of(ptrdiff_t stride) { return (u64)stride > 0xffffffffu ? 0 : (u32)stride; }
SHMEM_IMPL_CALLED int alltoalls(u32 scope, shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, size_t size) {
    members m = members_of(team);
    if (nelems && (dst < 1 || sst < 1)) refuse_strides(context.my_pe, (u64)dst, (u64)sst);
    if (collective_way(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), nelems ? no_short_form : 0) == NOTHING) return 0;
    if (context.far) {
        far_collective(scope, kind_alltoalls, 0, (u32)size, m.slot, 0, stride_of(dst), stride_of(sst), address(dest), address(source), nelems);
        return 0;
    }
    sync_team(scope, SHMEM_IMPL_MEMBERS);
    collective_strided(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), nelems, size, (u64)dst, (u64)sst);
    sync_team(scope, SHMEM_IMPL_MEMBERS);
    return 0;
}
SHMEM_IMPL_CALLED int alltoallv(u32 scope, shmem_team_t team, void *dest, const void *source, uint64_t *dest_splits, const uint64_t *source_splits, size_t nrows, size_t size) {
    members m = members_of(team);
    collective_way(scope, SHMEM_IMPL_MEMBERS, address(dest_splits), address(source_splits), no_short_form);
    collective_way(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), no_short_form);
    if (context.far) {
        far_collective_rows(scope, m.slot, address(dest), address(source), address(dest_splits), address(source_splits), nrows, size);
        return 0;
    }
    collective_unequal(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), address(dest_splits), address(source_splits), nrows, size);
    sync_team(scope, SHMEM_IMPL_MEMBERS);
    return 0;
}

SHMEM_IMPL_INLINE u32 folding_of(u32 kind) {
    return kind == kind_reducescatter ? fold_scatter : kind == kind_inscan ? fold_inscan : kind == kind_exscan ? fold_exscan : fold_reduce;
}
/* Reductions and scans. There is a function for each type of numbers: templates would take long to compile. */
#define SHMEM_IMPL_REDUCTION(name) \
    SHMEM_IMPL_CALLED int reduce_##name(u32 scope, u32 kind, u32 op, size_t width, shmem_team_t team, void *dest, const void *source, size_t n) { \
        members m = members_of(team); \
        bool has_short_form = kind == kind_reduce; \
        u32 way = collective_way(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), has_short_form || n == 0 ? n * width : no_short_form); \
        if (way == NOTHING) return 0; \
        if (context.far) { \
            far_collective(scope, kind, op << 4 | number_##name, (u32)width, m.slot, 0, 0, 0, address(dest), address(source), n); \
        } else if (has_short_form && way == SHORT_ONE) { \
            reduce_short_##name(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), n * width, op); \
        } else { \
            sync_team(scope, SHMEM_IMPL_MEMBERS); \
            fold_##name(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), n * width, (u32)width, op, folding_of(kind)); \
            sync_team(scope, SHMEM_IMPL_MEMBERS); \
        } \
        return 0; \
    }
@REDUCTIONS@
#undef SHMEM_IMPL_REDUCTION
@GRID@
#undef SHMEM_IMPL_MEMBERS
