// Collectives of tiles with NVSHMEM's names, and of teams in kernels, for two PEs or more. It checks every value.

#include <device_host/nvshmem_tensor.h>
#include "nvshmem_rig.cuh"
#include <nvshmem.h>
#include <nvshmemx.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int WIDE = 8, ROWS = 37;
using nvshmemx::tile_coll_algo_t;

struct empty {};

enum Scope { THREAD, WARP, WARPGROUP, BLOCK };

// Rows of 8 elements, at a distance of `step`.
template <class T> __device__ auto tile(T *at, int rows, int step) {
    auto shape = nvshmemx::make_shape<ConstInt<WIDE>, int>(ConstInt<WIDE>{}, rows);
    auto stride = nvshmemx::make_stride<ConstInt<1>, int>(ConstInt<1>{}, step);
    return nvshmemx::Tensor(at, nvshmemx::make_layout(shape, stride));
}

template <Scope scope, class T> __global__ void sum(nvshmem_team_t team, T *from, T *to, T *at_root, T *all, int root) {
    constexpr auto push = tile_coll_algo_t::NVLS_TWO_SHOT_PUSH_NBI, pull = tile_coll_algo_t::NVLS_ONE_SHOT_PULL_NBI;
    auto src = tile(from, ROWS, WIDE), dst = tile(to, ROWS, WIDE), rooted = tile(at_root, ROWS, WIDE + 3);
    auto gathered = tile(all, ROWS * nvshmem_team_n_pes(team), WIDE);
    using Src = decltype(src);
    auto start = nvshmemx::make_shape(0, 0), boundary = nvshmemx::make_shape(WIDE - 1, ROWS);
    auto [columns, rows] = boundary;
    if (columns != WIDE - 1 || rows != ROWS) __trap();
#define CALLS(group)                                                                                             \
    nvshmemx::tile_sum_reduce##group<Src, Src, empty, push>(team, src, dst, {}, {}, 0, 0);                       \
    nvshmemx::tile_collective_wait##group<push>(team, 0);                                                        \
    nvshmemx::tile_sum_reduce##group<Src, decltype(rooted), decltype(boundary), pull>(team, src, rooted, start,  \
                                                                                      boundary, root, 0);        \
    nvshmemx::tile_allgather##group<Src, Src, empty, push>(team, src, gathered, {}, {}, 0);
    if constexpr (scope == THREAD) {
        if (threadIdx.x == 0) { CALLS() }
    } else if constexpr (scope == WARP) {
        if (threadIdx.x < 32) { CALLS(_warp) }
    } else if constexpr (scope == WARPGROUP) {
        if (threadIdx.x < 128) { CALLS(_warpgroup) }
    } else {
        CALLS(_block)
    }
}

// Collectives of a team whose handle lies in memory of the GPU.
__global__ void team_calls(const nvshmem_team_t *teams, int *words, double2 *places, half *halves) {
    nvshmem_team_t team = teams[blockIdx.x];
    nvshmemx_int_sum_reduce_block(team, words, words + 1, 1);
    nvshmemx_int_fcollect_block(team, words + 16, words + 1, 1);
    nvshmemx_broadcastmem_block(team, words + 2, words + 1, sizeof(int), 1);
    nvshmemx_double2_maxloc_reduce_block(team, places, places, 2);
    nvshmemx_half_sum_reduce_block(team, halves, halves + 1, 1);
    if (threadIdx.x == 0) {
        words[3] = nvshmem_team_my_pe(team);
        words[4] = nvshmem_team_n_pes(team);
        words[5] = nvshmem_team_translate_pe(team, 1, NVSHMEM_TEAM_WORLD);
        nvshmem_barrier(team);
        nvshmem_int_max_reduce(team, words + 6, words + 1, 1);
    }
}

template <class T> static std::vector<T> read(const T *from, size_t elements) {
    std::vector<T> to(elements);
    CUDA(cudaMemcpy(to.data(), from, elements * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
}
template <class T> static void write(T *to, const std::vector<T> &from) {
    CUDA(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
}

template <Scope scope, class T> static void tiles(nvshmem_team_t team, int root) {
    T *from = (T *)nvshmem_malloc(ROWS * WIDE * sizeof(T)), *to = (T *)nvshmem_malloc(ROWS * WIDE * sizeof(T));
    T *at_root = (T *)nvshmem_malloc(ROWS * (WIDE + 3) * sizeof(T)), *all = (T *)nvshmem_malloc(n * ROWS * WIDE * sizeof(T));
    // Small numbers, which all types can hold.
    std::vector<T> own(ROWS * WIDE);
    for (int i = 0; i < ROWS * WIDE; i++) own[i] = (T)(float)(i % 60 + me);
    write(from, own);
    write(at_root, std::vector<T>(ROWS * (WIDE + 3), (T)-1.0f));
    nvshmem_barrier_all();
    void *args[] = {&team, &from, &to, &at_root, &all, &root};
    CHECK(nvshmemx_collective_launch((const void *)sum<scope, T>, 1, 256, args, 0, 0) == 0);
    CUDA(cudaDeviceSynchronize());
    auto sums = read(to, ROWS * WIDE), rooted = read(at_root, ROWS * (WIDE + 3)), gathered = read(all, n * ROWS * WIDE);
    int wrong = 0;
    for (int i = 0; i < ROWS * WIDE; i++) {
        float expected = (float)(n * (i % 60) + n * (n - 1) / 2);
        wrong += (float)sums[i] != expected;
        float kept = me == root && i % WIDE < WIDE - 1 ? expected : -1;
        wrong += (float)rooted[i / WIDE * (WIDE + 3) + i % WIDE] != kept;
    }
    for (int i = 0; i < n * ROWS * WIDE; i++) wrong += (float)gathered[i] != (float)(i % (ROWS * WIDE) % 60 + i / (ROWS * WIDE));
    if (wrong) fprintf(stderr, "PE %d: scope %d, %zu bytes: %d values are wrong\n", me, (int)scope, sizeof(T), wrong);
    CHECK(wrong == 0);
    for (void *object : {(void *)from, (void *)to, (void *)at_root, (void *)all}) nvshmem_free(object);
}

int main() {
    nvshmem_init();
    me = nvshmem_my_pe();
    n = nvshmem_n_pes();
    int gpus = 0;
    CUDA(cudaGetDeviceCount(&gpus));
    CUDA(cudaSetDevice(nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE) % gpus));
    nvshmem_team_t team;
    CHECK(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team) == 0);
    tiles<BLOCK, float>(NVSHMEM_TEAM_WORLD, n - 1);
    tiles<BLOCK, half>(team, 0);
    tiles<WARPGROUP, __nv_bfloat16>(team, 1 % n);
    tiles<WARP, float>(team, 0);
    tiles<THREAD, double>(team, n - 1);

    nvshmem_team_t *teams;
    CUDA(cudaMalloc(&teams, sizeof team));
    CUDA(cudaMemcpy(teams, &team, sizeof team, cudaMemcpyHostToDevice));
    int *words = (int *)nvshmem_calloc(16 + n, sizeof(int));
    double2 *places = (double2 *)nvshmem_malloc(2 * sizeof(double2));
    half *halves = (half *)nvshmem_malloc(2 * sizeof(half));
    std::vector<int> own(16 + n);
    own[1] = 100 + me;
    write(words, own);
    write(places, std::vector<double2>{{(double)me, (double)(10 + me)}, {5.0, (double)(20 + me)}});
    write(halves, std::vector<half>(2, __float2half(me + 0.25f)));
    nvshmem_barrier_all();
    void *args[] = {&teams, &words, &places, &halves};
    CHECK(nvshmemx_collective_launch((const void *)team_calls, 1, 128, args, 0, 0) == 0);
    CUDA(cudaDeviceSynchronize());
    auto word = read(words, 16 + n);
    CHECK(word[0] == 100 * n + n * (n - 1) / 2 && word[2] == 101 && word[3] == me && word[4] == n && word[5] == 1 && word[6] == 99 + n);
    for (int i = 0; i < n; i++) CHECK(word[16 + i] == 100 + i);
    auto place = read(places, 2);
    CHECK(place[0].x == n - 1 && place[0].y == 9 + n && place[1].x == 5 && place[1].y == 20);
    CHECK(__half2float(read(halves, 1)[0]) == n * 0.25f + n * (n - 1) / 2);
    CUDA(cudaFree(teams));
    for (void *object : {(void *)words, (void *)places, (void *)halves}) nvshmem_free(object);
    nvshmem_team_destroy(team);
    nvshmem_finalize();
    if (failures == 0 && me == 0) printf("nvshmem_tile: all values are right (%d PEs)\n", n);
    return failures != 0;
}
