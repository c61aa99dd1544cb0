
/* Teams and collectives. A handle is the team's slot plus 1. */
enum { @NUMBERS@ };
struct members { u64 pes, numbers; u32 slot; };
#define SHMEM_IMPL_MEMBERS m.pes, m.numbers, m.slot
SHMEM_IMPL_INLINE members members_of(shmem_team_t team) {
    told();
    u32 slot = (u32)(u64)team - 1;
    looked words = team_of(slot);
    members m = {words.word, words.found, slot};
    return m;
}
SHMEM_IMPL_INLINE int team_my_pe(shmem_team_t team) { return team == SHMEM_TEAM_INVALID ? -1 : (int)(members_of(team).numbers >> 32); }
SHMEM_IMPL_INLINE int team_n_pes(shmem_team_t team) { return team == SHMEM_TEAM_INVALID ? -1 : (int)(u32)members_of(team).numbers; }
SHMEM_IMPL_INLINE int team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team) {
    if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID) return -1;
    members from = members_of(src_team), m = members_of(dest_team);
    return (int)team_translate(from.pes, from.numbers, from.slot, (u32)src_pe, SHMEM_IMPL_MEMBERS);
}
/* In a job in which not all PEs are mapped, both end the kernel at a PE that is not, as shmem_barrier_all does. */
SHMEM_IMPL_INLINE int team_sync(u32 scope, shmem_team_t team) {
    members m = members_of(team);
    sync_team(scope, SHMEM_IMPL_MEMBERS);
    return 0;
}
SHMEM_IMPL_INLINE int team_barrier(u32 scope, shmem_team_t team) {
    members m = members_of(team);
    barrier_team(scope, SHMEM_IMPL_MEMBERS);
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
        collective_cpu(scope, SHMEM_IMPL_BROADCAST, 0, 1, m.slot, (u32)root, 0, 0, address(dest), address(source), bytes);
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
    u64 step = kind == SHMEM_IMPL_ALLTOALL ? bytes : 0;
    if (way == NOTHING) return 0;
    if (context.far) {
        collective_cpu(scope, kind, 0, 1, m.slot, 0, 0, 0, address(dest), address(source), bytes);
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
    return exchange(scope, SHMEM_IMPL_FCOLLECT, team, dest, source, bytes);
}
SHMEM_IMPL_INLINE int alltoall(u32 scope, shmem_team_t team, void *dest, const void *source, size_t bytes) {
    return exchange(scope, SHMEM_IMPL_ALLTOALL, team, dest, source, bytes);
}
/* No collective with as many bytes has a short form. */
static const u64 no_short_form = ~(u64)0;
SHMEM_IMPL_INLINE u32 stride_of(ptrdiff_t stride) { return (u64)stride > 0xffffffffu ? 0 : (u32)stride; }
SHMEM_IMPL_CALLED int alltoalls(u32 scope, shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, size_t size) {
    members m = members_of(team);
    if (collective_way(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), nelems ? no_short_form : 0) == NOTHING) return 0;
    if (context.far) {
        collective_cpu(scope, SHMEM_IMPL_ALLTOALLS, 0, (u32)size, m.slot, 0, stride_of(dst), stride_of(sst), address(dest), address(source), nelems);
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
        collective_cpu_rows(scope, m.slot, address(dest), address(source), address(dest_splits), address(source_splits), nrows, size);
        return 0;
    }
    collective_unequal(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), address(dest_splits), address(source_splits), nrows, size);
    sync_team(scope, SHMEM_IMPL_MEMBERS);
    return 0;
}

/* Reductions and scans: an operation on numbers. Bitwise ones are those on 64-bit words; sums and products of integers
   are the same with or without a sign. */
SHMEM_IMPL_INLINE constexpr size_t bytes_of(int number) {
    return number < SHMEM_IMPL_F32 ? (size_t)1 << number / 2 : number == SHMEM_IMPL_F32 ? 4 : number == SHMEM_IMPL_F64 ? 8 : 2;
}
template <int OP, int NUMBER> struct same_as {
    static const int number = OP == SHMEM_IMPL_COMBINE_AND || OP == SHMEM_IMPL_COMBINE_OR || OP == SHMEM_IMPL_COMBINE_XOR ? SHMEM_IMPL_U64
        : OP == SHMEM_IMPL_COMBINE_MIN || OP == SHMEM_IMPL_COMBINE_MAX || NUMBER >= SHMEM_IMPL_F32 ? NUMBER : NUMBER & ~1;
};
template <int NUMBER> struct numbers_of;
#define SHMEM_IMPL_REDUCTION(number, name) \
    template <> struct numbers_of<number> { \
        static __device__ __forceinline__ void short_one(u32 scope, const members &m, u64 dest, u64 source, u64 bytes, u32 op) { reduce_short_##name(scope, SHMEM_IMPL_MEMBERS, dest, source, bytes, op); } \
        static __device__ __forceinline__ void long_one(u32 scope, const members &m, u64 dest, u64 source, u64 bytes, u32 width, u32 op, u32 folding) { fold_##name(scope, SHMEM_IMPL_MEMBERS, dest, source, bytes, width, op, folding); } \
    };
@REDUCTIONS@
#undef SHMEM_IMPL_REDUCTION
template <int BODY> SHMEM_IMPL_CALLED int reduce(u32 scope, u32 kind, u32 folding, u32 op, u32 width, shmem_team_t team, void *dest, const void *source, size_t n) {
    typedef numbers_of<BODY> body;
    members m = members_of(team);
    bool has_short_form = kind == SHMEM_IMPL_REDUCE;
    u32 way = collective_way(scope, SHMEM_IMPL_MEMBERS, address(dest), address(source), has_short_form || n == 0 ? n * width : no_short_form);
    if (way == NOTHING) return 0;
    if (context.far) {
        collective_cpu(scope, kind, op << 4 | BODY, width, m.slot, 0, 0, 0, address(dest), address(source), n);
    } else if (has_short_form && way == SHORT_ONE) {
        body::short_one(scope, m, address(dest), address(source), n * width, op);
    } else {
        sync_team(scope, SHMEM_IMPL_MEMBERS);
        body::long_one(scope, m, address(dest), address(source), n * width, width, op, folding);
        sync_team(scope, SHMEM_IMPL_MEMBERS);
    }
    return 0;
}
template <int OP, int NUMBER> SHMEM_IMPL_INLINE int reduce(u32 scope, shmem_team_t team, void *dest, const void *source, size_t n) {
    return reduce<same_as<OP, NUMBER>::number>(scope, SHMEM_IMPL_REDUCE, SHMEM_IMPL_FOLD_REDUCE, OP, (u32)bytes_of(NUMBER), team, dest, source, n);
}
template <int OP, int NUMBER> SHMEM_IMPL_INLINE int reducescatter(u32 scope, shmem_team_t team, void *dest, const void *source, size_t n) {
    return reduce<same_as<OP, NUMBER>::number>(scope, SHMEM_IMPL_REDUCESCATTER, SHMEM_IMPL_FOLD_SCATTER, OP, (u32)bytes_of(NUMBER), team, dest, source, n);
}
template <int NUMBER> SHMEM_IMPL_INLINE int inscan(u32 scope, shmem_team_t team, void *dest, const void *source, size_t n) {
    return reduce<same_as<SHMEM_IMPL_COMBINE_SUM, NUMBER>::number>(scope, SHMEM_IMPL_INSCAN, SHMEM_IMPL_FOLD_INSCAN, SHMEM_IMPL_COMBINE_SUM, (u32)bytes_of(NUMBER), team, dest, source, n);
}
template <int NUMBER> SHMEM_IMPL_INLINE int exscan(u32 scope, shmem_team_t team, void *dest, const void *source, size_t n) {
    return reduce<same_as<SHMEM_IMPL_COMBINE_SUM, NUMBER>::number>(scope, SHMEM_IMPL_EXSCAN, SHMEM_IMPL_FOLD_EXSCAN, SHMEM_IMPL_COMBINE_SUM, (u32)bytes_of(NUMBER), team, dest, source, n);
}
#undef SHMEM_IMPL_MEMBERS
