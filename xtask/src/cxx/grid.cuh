/* All blocks of a cooperative launch, as a scope. One block carries out what is short, what the CPU does, and exchanges
   of strided elements and of unequal size. Of anything else each block takes a part of the bytes, between two meetings
   of the members, which one block attends for all. So all members need the same number of blocks. */
template <class SHMEM_IMPL_GRID> struct all_blocks { SHMEM_IMPL_GRID grid; };
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE all_blocks<SHMEM_IMPL_GRID> scope_grid(SHMEM_IMPL_GRID grid) {
    all_blocks<SHMEM_IMPL_GRID> all = {grid};
    return all;
}
/* What any lane did before is visible to the block, and what the block did to all lanes afterwards. The lanes of a warp
   may return from a fold one after the other. A barrier of the groups, which is compiled for lanes that are together,
   would then count their warp twice; ours brings them together first. */
template <class SHMEM_IMPL_GRID, class SHMEM_IMPL_F> SHMEM_IMPL_INLINE void by_one_block(SHMEM_IMPL_GRID grid, SHMEM_IMPL_F call) {
    meet_scope(scope_block());
    grid.sync();
    if (block_number() == 0) call();
    grid.sync();
}
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE void barrier_all_grid(SHMEM_IMPL_GRID grid) {
    by_one_block(grid, [] { barrier_all_block(); });
}
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE void sync_all_grid(SHMEM_IMPL_GRID grid) {
    by_one_block(grid, [] { sync_all_block(); });
}
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE int team_sync(all_blocks<SHMEM_IMPL_GRID> all, shmem_team_t team) {
    by_one_block(all.grid, [=] { team_sync(scope_block(), team); });
    return 0;
}
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE int team_barrier(all_blocks<SHMEM_IMPL_GRID> all, shmem_team_t team) {
    by_one_block(all.grid, [=] { team_barrier(scope_block(), team); });
    return 0;
}

/* Whether the blocks share the work. They all find the same. */
SHMEM_IMPL_INLINE bool is_shared(const members &m, const void *dest, const void *source, u64 bytes) {
    return !context.far && collective_way(scope_block(), SHMEM_IMPL_MEMBERS, address(dest), address(source), bytes) == LONG_ONE;
}
/* The bytes of this block: whole vectors, and in the last block also what is left of them. */
struct block_part { u64 first, bytes; };
SHMEM_IMPL_INLINE block_part part_of_block(u64 bytes) {
    u64 block = block_number(), blocks = block_count(), vectors = bytes / 16;
    u64 first = vectors * block / blocks * 16, end = block + 1 == blocks ? bytes : vectors * (block + 1) / blocks * 16;
    block_part part = {first, end - first};
    return part;
}
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE void meet_members(SHMEM_IMPL_GRID grid, const members &m) {
    by_one_block(grid, [&] { sync_team(scope_block(), SHMEM_IMPL_MEMBERS); });
}
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE int broadcast(all_blocks<SHMEM_IMPL_GRID> all, shmem_team_t team, void *dest, const void *source, size_t bytes, int root) {
    members m = members_of(team);
    if ((u32)root >= (u32)m.numbers || !is_shared(m, dest, source, bytes)) {
        by_one_block(all.grid, [=] { broadcast(scope_block(), team, dest, source, bytes, root); });
        return 0;
    }
    block_part part = part_of_block(bytes);
    meet_members(all.grid, m);
    collective_copy(scope_block(), SHMEM_IMPL_MEMBERS, address(dest) + part.first, address(source) + part.first, part.bytes, 0, 0, (u32)root);
    meet_members(all.grid, m);
    return 0;
}
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE int exchange(all_blocks<SHMEM_IMPL_GRID> all, u32 kind, shmem_team_t team, void *dest, const void *source, size_t bytes) {
    members m = members_of(team);
    if (!is_shared(m, dest, source, bytes)) {
        by_one_block(all.grid, [=] { exchange(scope_block(), kind, team, dest, source, bytes); });
        return 0;
    }
    block_part part = part_of_block(bytes);
    meet_members(all.grid, m);
    collective_copy(scope_block(), SHMEM_IMPL_MEMBERS, address(dest) + part.first, address(source) + part.first, part.bytes, kind == kind_alltoall ? bytes : 0, (m.numbers >> 32) * bytes, 0xffffffffu);
    meet_members(all.grid, m);
    return 0;
}
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE int fcollect(all_blocks<SHMEM_IMPL_GRID> all, shmem_team_t team, void *dest, const void *source, size_t bytes) {
    return exchange(all, kind_fcollect, team, dest, source, bytes);
}
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE int alltoall(all_blocks<SHMEM_IMPL_GRID> all, shmem_team_t team, void *dest, const void *source, size_t bytes) {
    return exchange(all, kind_alltoall, team, dest, source, bytes);
}
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE int alltoalls(all_blocks<SHMEM_IMPL_GRID> all, shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, size_t size) {
    by_one_block(all.grid, [=] { alltoalls(scope_block(), team, dest, source, dst, sst, nelems, size); });
    return 0;
}
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE int alltoallv(all_blocks<SHMEM_IMPL_GRID> all, shmem_team_t team, void *dest, const void *source, uint64_t *dest_splits, const uint64_t *source_splits, size_t nrows, size_t size) {
    by_one_block(all.grid, [=] { alltoallv(scope_block(), team, dest, source, dest_splits, source_splits, nrows, size); });
    return 0;
}
/* A member's block in a scatter starts at a multiple of the bytes that are combined, which are those of a part. */
#define SHMEM_IMPL_REDUCTION(name) \
    template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE int reduce_##name(all_blocks<SHMEM_IMPL_GRID> all, u32 kind, u32 op, size_t width, shmem_team_t team, void *dest, const void *source, size_t n) { \
        members m = members_of(team); \
        u64 bytes = n * width; \
        if (!is_shared(m, dest, source, kind == kind_reduce || n == 0 ? bytes : no_short_form)) { \
            by_one_block(all.grid, [=] { reduce_##name(scope_block(), kind, op, width, team, dest, source, n); }); \
            return 0; \
        } \
        block_part part = part_of_block(bytes); \
        u64 from = address(source) + part.first + (kind == kind_reducescatter ? (m.numbers >> 32) * (bytes - part.bytes) : 0); \
        meet_members(all.grid, m); \
        fold_##name(scope_block(), SHMEM_IMPL_MEMBERS, address(dest) + part.first, from, part.bytes, (u32)width, op, folding_of(kind)); \
        meet_members(all.grid, m); \
        return 0; \
    }
@REDUCTIONS@
#undef SHMEM_IMPL_REDUCTION
