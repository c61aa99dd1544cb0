// Kernels whose copies and collectives are made by a thread, a warp or a block. Two units have them: device_bench.cu for
// blocks of any size, and device_wide.cu for few lanes, with copies that keep more bytes in flight: at most 256 lanes that
// put and get, and 512 in collectives.
#pragma once
#include <cooperative_groups.h>
#include <shmem.h>
#include <shmemx.h>

struct Shape {
    int blocks, threads;
    cudaStream_t stream;
};
enum Kind { REDUCE, FCOLLECT, ALLTOALL, BROADCAST };

#define LAUNCHES(lanes) \
    namespace lanes { \
    void put_signal_pingpong(Shape shape, char *to, const char *from, size_t bytes, uint64_t *word, uint64_t n); \
    void put_quiet_thread(Shape shape, char *to, const char *from, size_t bytes, int n); \
    void put_quiet_warp(Shape shape, char *to, const char *from, size_t bytes, int n); \
    void put_quiet_block(Shape shape, char *to, const char *from, size_t bytes, int n); \
    void put_bw(Shape shape, char *to, const char *from, size_t bytes); \
    void get_bw(Shape shape, char *to, const char *from, size_t bytes); \
    void collective(Shape shape, Kind kind, float *to, const float *from, size_t elems, int n); \
    void collective_of_grid(Shape shape, Kind kind, float *to, const float *from, size_t elems, int n); \
    }
LAUNCHES(any_lanes)
LAUNCHES(few_lanes)

#ifdef SHMEMX_WIDE
namespace few_lanes {
enum { MOST = 256, MOST_IN_COLLECTIVES = 512 };
#else
namespace any_lanes {
enum { MOST = 1024, MOST_IN_COLLECTIVES = 1024 };
#endif
namespace kernels {

static __global__ void __launch_bounds__(MOST) put_signal_pingpong(char *to, const char *from, size_t bytes, uint64_t *word, uint64_t n) {
    const bool first = shmem_my_pe() == 0;
    for (uint64_t i = 1; i <= n; i++) {
        if (first) shmemx_putmem_signal_block(to, from, bytes, word, i, SHMEM_SIGNAL_SET, 1);
        if (threadIdx.x == 0) shmem_signal_wait_until(word, SHMEM_CMP_EQ, i);
        __syncthreads();
        if (!first) shmemx_putmem_signal_block(to, from, bytes, word, i, SHMEM_SIGNAL_SET, 0);
    }
}

static __global__ void __launch_bounds__(32) put_quiet_thread(char *to, const char *from, size_t bytes, int n) {
    for (int i = 0; i < n; i++) {
        shmem_putmem_nbi(to, from, bytes, 1);
        shmem_quiet();
    }
}

static __global__ void __launch_bounds__(32) put_quiet_warp(char *to, const char *from, size_t bytes, int n) {
    for (int i = 0; i < n; i++) {
        shmemx_putmem_nbi_warp(to, from, bytes, 1);
        __syncwarp();
        if (threadIdx.x == 0) shmem_quiet();
        __syncwarp();
    }
}

static __global__ void __launch_bounds__(MOST) put_quiet_block(char *to, const char *from, size_t bytes, int n) {
    for (int i = 0; i < n; i++) {
        shmemx_putmem_nbi_block(to, from, bytes, 1);
        __syncthreads();
        if (threadIdx.x == 0) shmem_quiet();
        __syncthreads();
    }
}

static __global__ void __launch_bounds__(MOST) put_bw(char *to, const char *from, size_t bytes) {
    const size_t offset = bytes * blockIdx.x;
    shmemx_putmem_nbi_block(to + offset, from + offset, bytes, 1);
    __syncthreads();
    if (threadIdx.x == 0) shmem_quiet();
}

static __global__ void __launch_bounds__(MOST) get_bw(char *to, const char *from, size_t bytes) {
    const size_t offset = bytes * blockIdx.x;
    shmemx_getmem_nbi_block(to + offset, from + offset, bytes, 1);
    __syncthreads();
    if (threadIdx.x == 0) shmem_quiet();
}

template <Kind KIND> static __global__ void __launch_bounds__(MOST_IN_COLLECTIVES) collective(float *to, const float *from, size_t elems, int n) {
    for (int i = 0; i < n; i++) {
        if (KIND == REDUCE) shmemx_float_sum_reduce_block(SHMEM_TEAM_WORLD, to, from, elems);
        if (KIND == FCOLLECT) shmemx_float_fcollect_block(SHMEM_TEAM_WORLD, to, from, elems);
        if (KIND == ALLTOALL) shmemx_float_alltoall_block(SHMEM_TEAM_WORLD, to, from, elems);
        if (KIND == BROADCAST) shmemx_float_broadcast_block(SHMEM_TEAM_WORLD, to, from, elems, 0);
    }
}

template <Kind KIND> static __global__ void __launch_bounds__(MOST_IN_COLLECTIVES) collective_of_grid(float *to, const float *from, size_t elems, int n) {
    const auto grid = cooperative_groups::this_grid();
    for (int i = 0; i < n; i++) {
        if (KIND == REDUCE) shmemx_float_sum_reduce_grid(grid, SHMEM_TEAM_WORLD, to, from, elems);
        if (KIND == FCOLLECT) shmemx_float_fcollect_grid(grid, SHMEM_TEAM_WORLD, to, from, elems);
        if (KIND == ALLTOALL) shmemx_float_alltoall_grid(grid, SHMEM_TEAM_WORLD, to, from, elems);
        if (KIND == BROADCAST) shmemx_float_broadcast_grid(grid, SHMEM_TEAM_WORLD, to, from, elems, 0);
    }
}
} // namespace kernels

#define ON(shape) <<<shape.blocks, shape.threads, 0, shape.stream>>>
void put_signal_pingpong(Shape shape, char *to, const char *from, size_t bytes, uint64_t *word, uint64_t n) {
    kernels::put_signal_pingpong ON(shape)(to, from, bytes, word, n);
}
void put_quiet_thread(Shape shape, char *to, const char *from, size_t bytes, int n) {
    kernels::put_quiet_thread ON(shape)(to, from, bytes, n);
}
void put_quiet_warp(Shape shape, char *to, const char *from, size_t bytes, int n) {
    kernels::put_quiet_warp ON(shape)(to, from, bytes, n);
}
void put_quiet_block(Shape shape, char *to, const char *from, size_t bytes, int n) {
    kernels::put_quiet_block ON(shape)(to, from, bytes, n);
}
void put_bw(Shape shape, char *to, const char *from, size_t bytes) { kernels::put_bw ON(shape)(to, from, bytes); }
void get_bw(Shape shape, char *to, const char *from, size_t bytes) { kernels::get_bw ON(shape)(to, from, bytes); }
void collective(Shape shape, Kind kind, float *to, const float *from, size_t elems, int n) {
    switch (kind) {
    case REDUCE: kernels::collective<REDUCE> ON(shape)(to, from, elems, n); break;
    case FCOLLECT: kernels::collective<FCOLLECT> ON(shape)(to, from, elems, n); break;
    case ALLTOALL: kernels::collective<ALLTOALL> ON(shape)(to, from, elems, n); break;
    case BROADCAST: kernels::collective<BROADCAST> ON(shape)(to, from, elems, n); break;
    }
}
#undef ON
void collective_of_grid(Shape shape, Kind kind, float *to, const float *from, size_t elems, int n) {
    const void *of_kind[] = {(const void *)kernels::collective_of_grid<REDUCE>, (const void *)kernels::collective_of_grid<FCOLLECT>,
                             (const void *)kernels::collective_of_grid<ALLTOALL>, (const void *)kernels::collective_of_grid<BROADCAST>};
    void *arguments[] = {&to, &from, &elems, &n};
    cudaLaunchCooperativeKernel(of_kind[kind], dim3(shape.blocks), dim3(shape.threads), arguments, 0, shape.stream);
}
} // namespace few_lanes or any_lanes
