// What tests of kernels in CUDA C++ share: symmetric memory, the scopes, and how a row of the report is checked.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <shmem.h>
#include <shmemx.h>

enum Scope { THREAD, WARP, BLOCK };
template <Scope S> __device__ bool takes_part() { return S == BLOCK || threadIdx.x < (S == WARP ? 32 : 1); }
template <Scope S> __device__ size_t lanes() { return S == THREAD ? 1 : S == WARP ? 32 : blockDim.x; }

// Calls a routine that threads, warps and blocks have; KERNEL_CALL one that only kernels have.
#define CALL(S, name, ...) \
    (S == THREAD ? shmem_##name(__VA_ARGS__) : S == WARP ? shmemx_##name##_warp(__VA_ARGS__) : shmemx_##name##_block(__VA_ARGS__))
#define KERNEL_CALL(S, name, ...) \
    (S == THREAD ? shmemx_##name(__VA_ARGS__) : S == WARP ? shmemx_##name##_warp(__VA_ARGS__) : shmemx_##name##_block(__VA_ARGS__))

// Symmetric memory, and what went wrong on this PE.
struct Area {
    unsigned char *from, *to;
    uint64_t *words;
    unsigned *bad;
};
enum { BYTES = 1 << 20, WORDS = 1024 };

__device__ inline void expect(const Area &area, bool holds) {
    if (!holds) atomicAdd(area.bad, 1u);
}

static Area area_of(bool gpu) {
    Area area;
    size_t sizes[] = {BYTES, BYTES, WORDS * sizeof(uint64_t)};
    void *at[3];
    for (int i = 0; i < 3; i++) {
        at[i] = gpu ? shmemx_malloc_gpu(sizes[i]) : shmem_malloc(sizes[i]);
        if (gpu) cudaMemset(at[i], 0, sizes[i]);
        else memset(at[i], 0, sizes[i]);
    }
    area.from = (unsigned char *)at[0], area.to = (unsigned char *)at[1], area.words = (uint64_t *)at[2];
    cudaMalloc(&area.bad, sizeof(unsigned));
    cudaMemset(area.bad, 0, sizeof(unsigned));
    cudaDeviceSynchronize();
    shmem_barrier_all();
    return area;
}

// Waits for a kernel, and prints a row. Every PE calls it.
static int failures = 0;
static void check(const char *what, const char *where, const Area &area) {
    cudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
    if (launched != cudaSuccess) ended = launched;
    unsigned bad = 0;
    if (ended == cudaSuccess) {
        cudaMemcpy(&bad, area.bad, sizeof(bad), cudaMemcpyDeviceToHost);
        cudaMemset(area.bad, 0, sizeof(bad));
        cudaDeviceSynchronize();
    }
    bool right = ended == cudaSuccess && bad == 0;
    failures += !right;
    if (!right || shmem_my_pe() == 0) printf("PE %d %-32s %-12s %s %u %s\n", shmem_my_pe(), what, where, right ? "ok" : "WRONG", bad, right ? "" : cudaGetErrorString(ended));
    fflush(stdout);
    if (ended != cudaSuccess) exit(1);
    shmem_barrier_all();
}
