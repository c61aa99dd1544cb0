namespace nvshmem_impl {
/* The threads that call a routine together. */
struct by_thread {
    static __device__ unsigned size() { return 1; }
    static __device__ unsigned rank() { return 0; }
    static __device__ void barrier(nvshmem_team_t team) { nvshmem_barrier(team); }
};
struct by_block {
    static __device__ unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static __device__ unsigned rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
    static __device__ void barrier(nvshmem_team_t team) { nvshmemx_barrier_block(team); }
};
struct by_warp {
    static __device__ unsigned size() { return 32; }
    static __device__ unsigned rank() { return by_block::rank() % 32; }
    static __device__ void barrier(nvshmem_team_t team) { nvshmemx_barrier_warp(team); }
};
/* Four warps. They meet at one of the block's last eight named barriers. */
struct by_warpgroup {
    static __device__ unsigned size() { return 128; }
    static __device__ unsigned rank() { return by_block::rank() % 128; }
    static __device__ void meet() { asm volatile("bar.sync %0, 128;" :: "r"(8 + by_block::rank() / 128) : "memory"); }
    static __device__ void barrier(nvshmem_team_t team) {
        meet();
        if (rank() == 0) nvshmem_barrier(team);
        meet();
    }
};

/* The largest of each element with its place, as in `double2`: each member finds a share and gives it to all. */
template <class Group> static __device__ int max_with_place(nvshmem_team_t team, double2 *dest, const double2 *source, size_t elements) {
    int me = nvshmem_team_my_pe(team), members = nvshmem_team_n_pes(team);
    size_t share = (elements + members - 1) / members, end = (me + 1) * share;
    Group::barrier(team);
    for (size_t i = me * share + Group::rank(); i < (end < elements ? end : elements); i += Group::size()) {
        double2 most = source[i];
        for (int member = 0; member < members; member++) {
            int pe = nvshmem_team_translate_pe(team, member, NVSHMEM_TEAM_WORLD);
            double2 other = {shmem_double_g(&source[i].x, pe), shmem_double_g(&source[i].y, pe)};
            /* Of equal ones the first place, so that all members agree. */
            if (other.x > most.x || (other.x == most.x && other.y < most.y)) most = other;
        }
        for (int member = 0; member < members; member++) {
            int pe = nvshmem_team_translate_pe(team, member, NVSHMEM_TEAM_WORLD);
            shmem_double_p(&dest[i].x, most.x, pe);
            shmem_double_p(&dest[i].y, most.y, pe);
        }
    }
    Group::barrier(team);
    return 0;
}
} // namespace nvshmem_impl

extern "C" {
static __device__ inline int nvshmemx_barrier_warpgroup(nvshmem_team_t team) {
    nvshmem_impl::by_warpgroup::barrier(team);
    return 0;
}
static __device__ inline void nvshmemx_barrier_all_warpgroup() { nvshmem_impl::by_warpgroup::barrier(NVSHMEM_TEAM_WORLD); }
static __device__ inline int nvshmem_double2_maxloc_reduce(nvshmem_team_t team, double2 *dest, const double2 *source, size_t nreduce) {
    return nvshmem_impl::max_with_place<nvshmem_impl::by_thread>(team, dest, source, nreduce);
}
static __device__ inline int nvshmemx_double2_maxloc_reduce_warp(nvshmem_team_t team, double2 *dest, const double2 *source, size_t nreduce) {
    return nvshmem_impl::max_with_place<nvshmem_impl::by_warp>(team, dest, source, nreduce);
}
static __device__ inline int nvshmemx_double2_maxloc_reduce_block(nvshmem_team_t team, double2 *dest, const double2 *source, size_t nreduce) {
    return nvshmem_impl::max_with_place<nvshmem_impl::by_block>(team, dest, source, nreduce);
}
}
