// Calls the collectives of kernels in CUDA C++ by all blocks of a cooperative launch, and checks each element.
#include "elements.cuh"
#include <cooperative_groups.h>

typedef cooperative_groups::grid_group Grid;

// Fills source and dest, calls a collective, and checks the first `count` elements and the one behind them. Lanes of
// other blocks fill, and check, than those that copy.
template <class T, class Call, class Expected>
__device__ __noinline__ void one(const Area &area, Grid grid, const Members &m, size_t source, size_t count, Call call, Expected expected) {
    T *from = (T *)area.from, *to = (T *)area.to, none = value<T>(0, 4);
    size_t lane = grid.size() - 1 - grid.thread_rank();
    for (size_t i = lane; i < source; i += grid.size()) from[i] = value<T>(m.pe(m.me), i);
    for (size_t i = lane; i <= count; i += grid.size()) to[i] = none;
    shmemx_barrier_grid(grid, m.team);
    expect(area, call(to, from) == 0);
    for (size_t i = lane; i <= count; i += grid.size()) expect(area, equal(to[i], i < count ? expected(i) : none));
    shmemx_barrier_grid(grid, m.team);
}

__constant__ const size_t sizes[] = {0, 1, 100, 3001, 40000};
enum { ROUNDS = sizeof(sizes) / sizeof(sizes[0]) };

#define ONE(source, count, call, expected) \
    one<T>(area, grid, m, source, count, [&](T *to, T *from) { return call; }, [&](size_t i) { return expected; })
#define KERNEL(NAME, type, ...) \
    __global__ void __launch_bounds__(1024) of_##NAME(Area area, shmem_team_t team) { \
        typedef type T; \
        Grid grid = cooperative_groups::this_grid(); \
        Members m(team); \
        for (int round = 0; round < ROUNDS; round++) { \
            size_t n = sizes[round]; \
            for (int root = 0; root < m.n; root++) ONE(n, n, shmemx_##NAME##_broadcast_grid(grid, m.team, to, from, n, root), value<T>(m.pe(root), i)); \
            ONE(n, n * m.n, shmemx_##NAME##_fcollect_grid(grid, m.team, to, from, n), value<T>(m.pe(i / n), i % n)); \
            ONE(n * m.n, n * m.n, shmemx_##NAME##_alltoall_grid(grid, m.team, to, from, n), value<T>(m.pe(i / n), m.me * n + i % n)); \
            ONE(n, n, shmemx_##NAME##_sum_reduce_grid(grid, m.team, to, from, n), (m.template fold<Sum, T>(i, m.n))); \
            ONE(n, n, shmemx_##NAME##_max_reduce_grid(grid, m.team, to, from, n), (m.template fold<Max, T>(i, m.n))); \
            ONE(n * m.n, n, shmemx_##NAME##_sum_reducescatter_grid(grid, m.team, to, from, n), (m.template fold<Sum, T>(m.me * n + i, m.n))); \
            ONE(n, n, shmemx_##NAME##_sum_inscan_grid(grid, m.team, to, from, n), (m.template fold<Sum, T>(i, m.me + 1))); \
            __VA_ARGS__ \
        } \
    }
KERNEL(float, float, \
    ONE(2 * n * m.n, 3 * n * m.n, shmemx_float_alltoalls_grid(grid, m.team, to, from, 3, 2, n), \
        i % 3 ? value<T>(0, 4) : value<T>(m.pe(i / 3 / n), 2 * (m.me * n + i / 3 % n))); \
    ONE(n, n, shmemx_float_sum_exscan_grid(grid, m.team, to, from, n), m.me == 0 ? 0 : (m.template fold<Sum, T>(i, m.me)));)
KERNEL(uint8, uint8_t, ONE(n, n, shmemx_broadcastmem_grid(grid, m.team, to, from, n, m.n - 1), value<T>(m.pe(m.n - 1), i));)
KERNEL(int64, int64_t, )
KERNEL(half, __half, )

// Rows of unequal numbers, and a number that goes around between barriers. What any lane has put comes before one.
__global__ void __launch_bounds__(1024) others(Area area, shmem_team_t team) {
    Grid grid = cooperative_groups::this_grid();
    Members m(team);
    size_t last = grid.size() - 1, me = grid.thread_rank();
    int next = m.pe((m.me + 1) % m.n), before = m.pe((m.me + m.n - 1) % m.n), job = shmem_my_pe(), jobs = shmem_n_pes();
    for (int round = 0; round < 100; round++) {
        // Another PE may be done with its team's barriers before, so that those of the job have a word of their own.
        uint64_t *word = area.words + 512 + (round & 1), *of_job = word + 2;
        if (me == last) shmem_uint64_p(word, 1000 * m.pe(m.me) + round, next);
        shmemx_barrier_grid(grid, team);
        expect(area, *(volatile uint64_t *)word == 1000ull * before + round);
        shmemx_team_sync_grid(grid, team);
        if (me == last) shmem_uint64_p(of_job, 2000 * job + round, (job + 1) % jobs);
        shmemx_barrier_all_grid(grid);
        expect(area, *(volatile uint64_t *)of_job == 2000ull * ((job + jobs - 1) % jobs) + round);
        shmemx_sync_all_grid(grid);
    }
    uint64_t *got = area.words, *sent = area.words + 2 * m.n;
    uint32_t *from = (uint32_t *)area.from, *to = (uint32_t *)area.to;
    if (me == last) {
        for (int j = 0, start = 0; j < m.n; start += 10 + j, j++) sent[j] = 10 + j, sent[m.n + j] = start;
    }
    for (size_t i = me; i < 3 * (10 + m.n) * m.n; i += grid.size()) from[i] = 100000 * m.pe(m.me) + i;
    shmemx_barrier_grid(grid, team);
    expect(area, shmemx_alltoallmemv_grid(grid, team, to, from, got, sent, 4096, 12) == 0);
    int rows = 10 + m.me, first = 0;
    for (int j = 0; j < m.me; j++) first += 10 + j;
    for (size_t i = me; i < 3 * rows * m.n; i += grid.size())
        expect(area, to[i] == 100000 * m.pe(i / 3 / rows) + 3 * first + i % (3 * rows));
    for (int j = 0; j < m.n; j++) expect(area, got[j] == rows);
    shmemx_barrier_grid(grid, team);
}

template <class Kernel> static void row(const char *what, const char *name, Kernel kernel, Area area, shmem_team_t team, dim3 blocks, int threads) {
    void *arguments[] = {&area, &team};
    cudaLaunchCooperativeKernel((const void *)kernel, blocks, dim3(threads), arguments, 0, 0);
    check(what, name, area);
}

int main() {
    shmem_init();
    shmem_team_t again = SHMEM_TEAM_INVALID;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), NULL, 0, &again);
    Area gpu = area_of(true), host = area_of(false);
    struct { const char *name; Area area; shmem_team_t team; dim3 blocks; int threads; } runs[] = {
        {"1 block", gpu, SHMEM_TEAM_WORLD, dim3(1), 256}, {"2 x 3 x 2", gpu, again, dim3(2, 3, 2), 128},
        {"16 blocks", gpu, SHMEM_TEAM_WORLD, dim3(16), 1024}, {"shared", gpu, SHMEM_TEAM_SHARED, dim3(5), 64}, {"host", host, SHMEM_TEAM_WORLD, dim3(4), 256},
    };
    for (auto &run : runs) {
        row("others", run.name, others, run.area, run.team, run.blocks, run.threads);
        row("float", run.name, of_float, run.area, run.team, run.blocks, run.threads);
        row("uint8", run.name, of_uint8, run.area, run.team, run.blocks, run.threads);
        row("int64", run.name, of_int64, run.area, run.team, run.blocks, run.threads);
        row("half", run.name, of_half, run.area, run.team, run.blocks, run.threads);
    }
    int all_failures = failures;
    printf("PE %d: %d rows failed\n", shmem_my_pe(), all_failures);
    shmem_finalize();
    return all_failures != 0;
}
