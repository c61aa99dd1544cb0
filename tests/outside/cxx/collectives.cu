// Calls the routines for teams and the collectives of kernels in CUDA C++ on GPUs, for each type, by a thread, a warp
// and a block, and checks each element. Every PE runs every row.
#include "elements.cuh"

// Fills source and dest, calls a collective, and checks the first `count` elements and the one behind them.
template <Scope S, class T, class Call, class Expected>
__device__ __noinline__ void one(const Area &area, const Members &m, size_t source, size_t count, Call call, Expected expected) {
    T *from = (T *)area.from, *to = (T *)area.to, none = value<T>(0, 4);
    for (size_t i = threadIdx.x; i < source; i += lanes<S>()) from[i] = value<T>(m.pe(m.me), i);
    for (size_t i = threadIdx.x; i <= count; i += lanes<S>()) to[i] = none;
    KERNEL_CALL(S, barrier, m.team);
    expect(area, call(to, from) == 0);
    for (size_t i = threadIdx.x; i <= count; i += lanes<S>()) expect(area, equal(to[i], i < count ? expected(i) : none));
    KERNEL_CALL(S, barrier, m.team);
}

template <Scope S> __device__ size_t size_of_round(int round) {
    const size_t sizes[] = {1, 5, 100, S == THREAD ? 203 : 3000, S == THREAD ? 300 : S == WARP ? 3500 : 9001};
    return sizes[round];
}
enum { ROUNDS = 5 };

#define ONE(source, count, call, expected) \
    one<S, T>(area, m, source, count, [&](T *to, T *from) { return call; }, [&](size_t i) { return expected; })
#define MOVES(NAME, type) \
    for (int root = 0; root < m.n; root++) ONE(n, n, CALL(S, NAME##_broadcast, m.team, to, from, n, root), value<T>(m.pe(root), i)); \
    ONE(n, n * m.n, CALL(S, NAME##_fcollect, m.team, to, from, n), value<T>(m.pe(i / n), i % n)); \
    ONE(n * m.n, n * m.n, CALL(S, NAME##_alltoall, m.team, to, from, n), value<T>(m.pe(i / n), m.me * n + i % n)); \
    ONE(2 * n * m.n, 3 * n * m.n, CALL(S, NAME##_alltoalls, m.team, to, from, 3, 2, n), \
        i % 3 ? value<T>(0, 4) : value<T>(m.pe(i / 3 / n), 2 * (m.me * n + i / 3 % n)));
#define REDUCTION(NAME, op, Op) \
    ONE(n, n, CALL(S, NAME##_##op##_reduce, m.team, to, from, n), (m.template fold<Op, T>(i, m.n)));
#define SCATTER(NAME, op, Op) \
    ONE(n * m.n, n, KERNEL_CALL(S, NAME##_##op##_reducescatter, m.team, to, from, n), (m.template fold<Op, T>(m.me * n + i, m.n)));
#define ARITHMETIC(NAME) \
    REDUCTION(NAME, sum, Sum) REDUCTION(NAME, prod, Prod) REDUCTION(NAME, min, Min) REDUCTION(NAME, max, Max) \
    SCATTER(NAME, sum, Sum) SCATTER(NAME, prod, Prod) SCATTER(NAME, min, Min) SCATTER(NAME, max, Max) \
    ONE(n, n, CALL(S, NAME##_sum_inscan, m.team, to, from, n), (m.template fold<Sum, T>(i, m.me + 1))); \
    ONE(n, n, CALL(S, NAME##_sum_exscan, m.team, to, from, n), m.me == 0 ? (T)0 : (m.template fold<Sum, T>(i, m.me)));
#define BITWISE(NAME) \
    REDUCTION(NAME, and, And) REDUCTION(NAME, or, Or) REDUCTION(NAME, xor, Xor) \
    SCATTER(NAME, and, And) SCATTER(NAME, or, Or) SCATTER(NAME, xor, Xor)

// A kernel for each type that kernels combine in a way of its own, whose last argument is the collectives that it calls.
#define KERNEL(NAME, type, ...) \
    template <Scope S> __global__ void __launch_bounds__(1024) of_##NAME(Area area, shmem_team_t team) { \
        typedef type T; \
        if (!takes_part<S>()) return; \
        Members m(team); \
        for (int round = 0; round < ROUNDS; round++) { \
            size_t n = size_of_round<S>(round); \
            __VA_ARGS__ \
        } \
    }
KERNEL(float, float, MOVES(float, float) ARITHMETIC(float))
KERNEL(uint8, uint8_t, MOVES(uint8, uint8_t) ARITHMETIC(uint8) BITWISE(uint8))
KERNEL(double, double, ARITHMETIC(double))
#define INTEGERS(F) F(int8, int8_t) F(int16, int16_t) F(int32, int32_t) F(int64, int64_t) F(uint16, uint16_t) F(uint32, uint32_t) F(uint64, uint64_t)
#define F(NAME, type) KERNEL(NAME, type, ARITHMETIC(NAME) BITWISE(NAME))
INTEGERS(F)
#undef F

// 16-bit numbers, whose routines only kernels have.
#define HALF_ONE(NAME, op, Op) \
    ONE(n, n, KERNEL_CALL(S, NAME##_##op##_reduce, m.team, to, from, n), (m.template fold<Op, T>(i, m.n))); \
    SCATTER(NAME, op, Op)
#define F(NAME, type) KERNEL(NAME, type, \
    ONE(n, n, KERNEL_CALL(S, NAME##_broadcast, m.team, to, from, n, m.n - 1), value<T>(m.pe(m.n - 1), i)); \
    ONE(n, n * m.n, KERNEL_CALL(S, NAME##_fcollect, m.team, to, from, n), value<T>(m.pe(i / n), i % n)); \
    ONE(n * m.n, n * m.n, KERNEL_CALL(S, NAME##_alltoall, m.team, to, from, n), value<T>(m.pe(i / n), m.me * n + i % n)); \
    HALF_ONE(NAME, sum, Sum) HALF_ONE(NAME, prod, Prod) HALF_ONE(NAME, min, Min) HALF_ONE(NAME, max, Max) \
    ONE(n, n, KERNEL_CALL(S, NAME##_sum_inscan, m.team, to, from, n), (m.template fold<Sum, T>(i, m.me + 1))); \
    ONE(n, n, KERNEL_CALL(S, NAME##_sum_exscan, m.team, to, from, n), m.me == 0 ? value<T>(0, 0) - value<T>(0, 0) : (m.template fold<Sum, T>(i, m.me)));)
F(half, __half) F(bfloat16, __nv_bfloat16)
#undef F

// In bytes, and rows of unequal numbers.
template <Scope S> __global__ void __launch_bounds__(1024) of_bytes(Area area, shmem_team_t team) {
    typedef unsigned char T;
    if (!takes_part<S>()) return;
    Members m(team);
    for (int round = 0; round < ROUNDS; round++) {
        size_t n = size_of_round<S>(round);
        ONE(n, n, CALL(S, broadcastmem, m.team, to, from, n, 0), value<T>(m.pe(0), i));
        ONE(n, n * m.n, CALL(S, fcollectmem, m.team, to, from, n), value<T>(m.pe(i / n), i % n));
        ONE(n * m.n, n * m.n, CALL(S, alltoallmem, m.team, to, from, n), value<T>(m.pe(i / n), m.me * n + i % n));
        ONE(2 * n * m.n, 3 * n * m.n, CALL(S, alltoallsmem, m.team, to, from, 3, 2, n), i % 3 ? value<T>(0, 4) : value<T>(m.pe(i / 3 / n), 2 * (m.me * n + i / 3 % n)));
        // Member i sends rows(i, j) rows of 12 bytes to member j, which start one after the other.
        auto rows = [&](int i, int j) { return (size_t)((i + 2 * j + round) % 3 * (S == THREAD ? 2 : 40)); };
        uint64_t *got = area.words, *sent = area.words + 2 * m.n;
        size_t start = 0, all = 0;
        for (int j = 0; j < m.n; j++) {
            if (threadIdx.x == 0) sent[j] = rows(m.me, j), sent[m.n + j] = start;
            start += rows(m.me, j), all += rows(j, m.me);
        }
        auto row = [&](size_t i) {
            int j = 0;
            size_t before = 0, first = 0;
            for (; i / 12 >= before + rows(j, m.me); j++) before += rows(j, m.me);
            for (int k = 0; k < m.me; k++) first += rows(j, k);
            return value<T>(m.pe(j), i + 12 * (first - before));
        };
        ONE(12 * start, 12 * all, KERNEL_CALL(S, alltoallmemv, m.team, to, from, got, sent, 4096, 12), row(i));
        for (int j = 0; j < m.n; j++) expect(area, got[j] == rows(j, m.me));
        CALL(S, team_sync, m.team);
    }
}

// What kernels know of a team, and many barriers of it between which a number goes around.
template <Scope S> __global__ void teams(Area area, shmem_team_t team, int me, int n, int next) {
    if (!takes_part<S>()) return;
    expect(area, shmem_team_my_pe(team) == me && shmem_team_n_pes(team) == n);
    expect(area, shmem_team_my_pe(SHMEM_TEAM_WORLD) == shmem_my_pe() && shmem_team_n_pes(SHMEM_TEAM_WORLD) == shmem_n_pes());
    expect(area, shmem_team_translate_pe(team, (me + 1) % n, SHMEM_TEAM_WORLD) == next);
    expect(area, shmem_team_translate_pe(SHMEM_TEAM_WORLD, shmem_my_pe(), team) == me);
    expect(area, shmem_team_translate_pe(SHMEM_TEAM_WORLD, 0, SHMEM_TEAM_INVALID) == -1);
    // The source team has no such member.
    expect(area, shmem_team_translate_pe(team, n, SHMEM_TEAM_WORLD) == -1 && shmem_team_translate_pe(team, -1, SHMEM_TEAM_WORLD) == -1);
    expect(area, shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1 && shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1);
    for (int round = 0; round < 300; round++) {
        if (threadIdx.x == 0) shmem_uint64_p(area.words + 512 + (round & 1), 1000 * me + round, next);
        KERNEL_CALL(S, barrier, team);
        expect(area, *(volatile uint64_t *)(area.words + 512 + (round & 1)) == 1000ull * ((me + n - 1) % n) + round);
        CALL(S, team_sync, team);
    }
}

// Rows of a kernel. All types are for blocks only, because each kernel takes a second to compile.
#define ROW(kernel, ...) \
    snprintf(what, sizeof(what), "%s %s %d", #kernel, S == THREAD ? "thread" : S == WARP ? "warp" : "block", threads); \
    kernel<S><<<1, threads>>>(area, team, ##__VA_ARGS__); \
    check(what, name, area)
template <Scope S> static void for_blocks(const Area &, shmem_team_t, const char *, int) {}
template <> void for_blocks<BLOCK>(const Area &area, shmem_team_t team, const char *name, int threads) {
    const Scope S = BLOCK;
    char what[64];
#define F(NAME, type) ROW(of_##NAME);
    F(double, double) F(bfloat16, __nv_bfloat16) INTEGERS(F)
#undef F
}

template <Scope S> static void all(const char *name, const Area &area, shmem_team_t team, int threads) {
    char what[64];
    int me = shmem_team_my_pe(team), n = shmem_team_n_pes(team);
    ROW(teams, me, n, shmem_team_translate_pe(team, (me + 1) % n, SHMEM_TEAM_WORLD));
    ROW(of_bytes);
    ROW(of_float);
    ROW(of_uint8);
    ROW(of_half);
    for_blocks<S>(area, team, name, threads);
}

int main() {
    shmem_init();
    shmem_team_t even = SHMEM_TEAM_INVALID, again = SHMEM_TEAM_INVALID;
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &again);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, me % 2, 2, (n + 1 - me % 2) / 2, NULL, 0, &even);
    Area gpu = area_of(true), host = area_of(false);
    struct { const char *name; shmem_team_t team; } teams[] = {{"world", SHMEM_TEAM_WORLD}, {"shared", SHMEM_TEAM_SHARED}, {"again", again}, {"every second", even}};
    for (auto &one : teams) {
        if (one.team == SHMEM_TEAM_INVALID) continue;
        all<THREAD>(one.name, gpu, one.team, 32);
        all<WARP>(one.name, gpu, one.team, 64);
        all<BLOCK>(one.name, gpu, one.team, 256);
        if (one.team == again) all<BLOCK>(one.name, gpu, one.team, 1024);
    }
    all<BLOCK>("world, host", host, SHMEM_TEAM_WORLD, 256);
    int all_failures = failures;
    printf("PE %d: %d rows failed\n", me, all_failures);
    shmem_finalize();
    return all_failures != 0;
}
