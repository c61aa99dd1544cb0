// Calls each kind of routine that kernels in CUDA C++ have, for some types, on GPUs, and checks what it did. `routines`
// alone checks all where GPUs reach each other, `routines no-p2p` where they do not (CUSHMEM_P2P=0), and `routines nodes`
// where nothing of another PE is mapped (`shmemrun --nodes N` with a PE on each). `routines wrong-pe`, `wrong-address`,
// `wrong-signal`, `wrong-member`, `late` and `untold` are expected to fail with a message. `routines times` measures words that two PEs send to and
// fro, and a put by a block. Every PE runs every row.
#include "other.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <shmem.h>
#include <shmemx.h>

typedef unsigned long long ull;
enum { WORDS = 4096, BYTES = 1 << 20 };

// Symmetric memory, and what went wrong on this PE.
struct Area {
    ull *words;
    unsigned char *from, *to;
    uint64_t *signals;
    unsigned *bad;
    bool reached; // by loads and stores of other PEs
};

__device__ int next_pe() { return (shmem_my_pe() + 1) % shmem_n_pes(); }
__device__ int previous_pe() { return (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes(); }
__device__ void expect(const Area &area, bool holds) {
    if (!holds) atomicAdd(area.bad, 1u);
}
__device__ bool is_first() { return threadIdx.x == 0; }

// p and g, by a thread for each type.
#define EACH_RMA(F) F(float, float) F(double, double) F(char, char) F(schar, signed char) F(short, short) F(int, int) F(long, long) \
    F(longlong, long long) F(uchar, unsigned char) F(ushort, unsigned short) F(uint, unsigned) F(ulong, unsigned long) \
    F(ulonglong, ull) F(int8, int8_t) F(int16, int16_t) F(int32, int32_t) F(int64, int64_t) F(uint8, uint8_t) \
    F(uint16, uint16_t) F(uint32, uint32_t) F(uint64, uint64_t) F(size, size_t) F(ptrdiff, ptrdiff_t)
__global__ void words(Area area) {
    if (is_first()) {
        int i = 0;
#define F(name, type) shmem_##name##_p((type *)(area.words + i), (type)(10 * shmem_my_pe() + i), next_pe()); i++;
        EACH_RMA(F)
#undef F
        shmem_barrier_all();
        i = 0;
#define F(name, type) \
    expect(area, *(volatile type *)(area.words + i) == (type)(10 * previous_pe() + i)); \
    expect(area, shmem_##name##_g((type *)(area.words + i), next_pe()) == (type)(10 * shmem_my_pe() + i)); \
    expect(area, shmem_g((type *)(area.words + i), next_pe()) == (type)(10 * shmem_my_pe() + i)); i++;
        EACH_RMA(F)
#undef F
        shmem_barrier_all();
    }
}

// Copies of many lengths and alignments, by a thread, a warp or a block.
enum Scope { THREAD, WARP, BLOCK };
template <Scope S> __device__ bool takes_part() { return S == BLOCK || threadIdx.x < (S == WARP ? 32 : 1); }
template <Scope S> __device__ void meet() {
    if (S == BLOCK) shmemx_barrier_all_block();
    if (S == WARP) shmemx_barrier_all_warp();
    if (S == THREAD) shmem_barrier_all();
}
__device__ unsigned char pattern(size_t i, int pe, int round) { return (unsigned char)(i * 7 + pe * 31 + round * 3 + 1); }

#define CALL(S, name, ...) \
    do { \
        if (S == THREAD) shmem_##name(__VA_ARGS__); \
        if (S == WARP) shmemx_##name##_warp(__VA_ARGS__); \
        if (S == BLOCK) shmemx_##name##_block(__VA_ARGS__); \
    } while (0)
template <Scope S> __device__ void copy(int how, const Area &area, unsigned char *to, unsigned char *from, size_t n, ull round) {
    switch (how) {
    case 0: CALL(S, putmem, to, from, n, next_pe()); break;
    case 1: CALL(S, getmem, to, from, n, previous_pe()); break;
    case 2: CALL(S, putmem_nbi, to, from, n, next_pe()); CALL(S, quiet, ); break;
    case 3: CALL(S, getmem_nbi, to, from, n, previous_pe()); CALL(S, quiet, ); break;
    case 4: CALL(S, putmem_signal, to, from, n, area.signals, round, SHMEM_SIGNAL_SET, next_pe()); break;
    case 5: CALL(S, putmem_signal_nbi, to, from, n, area.signals + 1, 1, SHMEM_SIGNAL_ADD, next_pe()); CALL(S, quiet, ); break;
    }
}
template <Scope S> __global__ void __launch_bounds__(512) copies(Area area, int how) {
    if (!takes_part<S>()) return;
    const size_t lengths[] = {0, 1, 2, 3, 8, 15, 16, 31, 100, 512, 4097, S == THREAD ? 5000 : 65539};
    size_t lane = threadIdx.x, lanes = S == THREAD ? 1 : S == WARP ? 32 : blockDim.x;
    int round = 0;
    ull before = area.signals[how == 4 ? 0 : 1];
    meet<S>();
    for (size_t n : lengths)
        for (size_t offset = 0; offset < 4; offset++) {
            round++;
            unsigned char *from = area.from + (offset & 1) * 3 + 64, *to = area.to + (offset >> 1) * 5 + 64;
            for (size_t i = lane; i < n; i += lanes) from[i] = pattern(i, shmem_my_pe(), round);
            for (size_t i = lane; i < n + 2; i += lanes) to[i - 1] = 0xee;
            meet<S>();
            copy<S>(how, area, to, from, n, 1000 + round);
            if (how >= 4) {
                ull value = how == 4 ? 1000 + round : before + round;
                expect(area, shmem_signal_wait_until(area.signals + how - 4, SHMEM_CMP_GE, value) >= value);
            } else {
                meet<S>();
            }
            for (size_t i = lane; i < n; i += lanes) expect(area, to[i] == pattern(i, previous_pe(), round));
            expect(area, to[-1] == 0xee && to[n] == 0xee);
            meet<S>();
        }
}

// Atomics of each type, one after the other around the ring.
#define EACH_AMO(F) F(int, int) F(long, long) F(longlong, long long) F(uint, unsigned) F(ulong, unsigned long) F(ulonglong, ull) \
    F(int32, int32_t) F(int64, int64_t) F(uint32, uint32_t) F(uint64, uint64_t) F(size, size_t) F(ptrdiff, ptrdiff_t)
#define EACH_BITWISE(F) F(uint, unsigned) F(ulong, unsigned long) F(ulonglong, ull) F(int32, int32_t) F(int64, int64_t) \
    F(uint32, uint32_t) F(uint64, uint64_t)
__global__ void atomics(Area area) {
    if (!is_first()) return;
    int pe = next_pe();
#define F(name, type) { \
        type *word = (type *)(area.words + 100), fetched = 0; \
        shmem_##name##_atomic_set(word, (type)5, pe); \
        shmem_quiet(); \
        expect(area, shmem_##name##_atomic_fetch(word, pe) == (type)5); \
        expect(area, shmem_##name##_atomic_fetch_add(word, (type)7, pe) == (type)5); \
        shmem_##name##_atomic_add(word, (type)1, pe); \
        shmem_##name##_atomic_inc(word, pe); \
        shmem_quiet(); \
        expect(area, shmem_##name##_atomic_fetch_inc(word, pe) == (type)14); \
        expect(area, shmem_##name##_atomic_swap(word, (type)-3, pe) == (type)15); \
        expect(area, shmem_##name##_atomic_compare_swap(word, (type)4, (type)9, pe) == (type)-3); \
        expect(area, shmem_##name##_atomic_compare_swap(word, (type)-3, (type)9, pe) == (type)-3); \
        shmem_##name##_atomic_fetch_nbi(&fetched, word, pe); \
        shmem_quiet(); \
        expect(area, fetched == (type)9); \
    }
    EACH_AMO(F)
#undef F
#define F(name, type) { \
        type *word = (type *)(area.words + 101); \
        shmem_##name##_atomic_set(word, (type)0x0f, pe); \
        shmem_quiet(); \
        expect(area, shmem_##name##_atomic_fetch_and(word, (type)0x3c, pe) == (type)0x0f); \
        expect(area, shmem_##name##_atomic_fetch_or(word, (type)0x30, pe) == (type)0x0c); \
        expect(area, shmem_##name##_atomic_fetch_xor(word, (type)0xff, pe) == (type)0x3c); \
        shmem_##name##_atomic_and(word, (type)0xf0, pe); \
        shmem_quiet(); \
        shmem_##name##_atomic_or(word, (type)0x01, pe); \
        shmem_quiet(); \
        shmem_##name##_atomic_xor(word, (type)0x11, pe); \
        shmem_quiet(); \
        expect(area, shmem_##name##_atomic_fetch(word, pe) == (type)0xd0); \
    }
    EACH_BITWISE(F)
#undef F
    shmem_float_atomic_set((float *)(area.words + 102), 1.5f, pe);
    shmem_quiet();
    expect(area, shmem_float_atomic_swap((float *)(area.words + 102), -2.5f, pe) == 1.5f);
    expect(area, shmem_float_atomic_fetch((float *)(area.words + 102), pe) == -2.5f);
    shmem_double_atomic_set((double *)(area.words + 103), 1.5, pe);
    shmem_quiet();
    expect(area, shmem_double_atomic_swap((double *)(area.words + 103), -2.5, pe) == 1.5);
    expect(area, shmem_double_atomic_fetch((double *)(area.words + 103), pe) == -2.5);
    shmem_barrier_all();
}

// All lanes of all PEs add to one word of PE 0.
__global__ void additions(Area area) {
    shmem_ulonglong_atomic_add(area.words + 110, 1, 0);
    shmemx_barrier_all_block();
    if (is_first()) {
        expect(area, shmem_ulonglong_atomic_fetch(area.words + 110, 0) == (ull)blockDim.x * shmem_n_pes());
        shmem_barrier_all();
        if (shmem_my_pe() == 0) shmem_ulonglong_atomic_set(area.words + 110, 0, 0);
        shmem_barrier_all();
    }
}

// All forms with a context, for which the neighbours have the numbers `next` and `previous`.
__global__ void contexts(Area area, shmem_ctx_t ctx, int next, int previous) {
    if (!is_first()) return;
    ull added = area.words[250];
    uint64_t signalled = area.signals[2];
    shmem_barrier_all();
#define F(name, type) { \
        type *word = (type *)(area.words + 240), *copy = (type *)area.to, *from = (type *)area.from, fetched[2]; \
        for (int i = 0; i < 24; i++) from[i] = (type)(3 * shmem_my_pe() + i), copy[i] = (type)1; \
        shmem_barrier_all(); \
        shmem_ctx_##name##_p(ctx, word, (type)(20 + shmem_my_pe()), next); \
        shmem_ctx_fence(ctx); \
        shmem_put(ctx, copy, from, 4, next); \
        shmem_ctx_##name##_put_nbi(ctx, copy + 4, from + 4, 4, next); \
        shmem_ctx_##name##_iput(ctx, copy + 8, from + 8, 2, 1, 3, next); \
        shmem_ctx_quiet(ctx); \
        shmem_barrier_all(); \
        expect(area, *(volatile type *)word == (type)(20 + previous_pe())); \
        expect(area, shmem_ctx_##name##_g(ctx, word, next) == (type)(20 + shmem_my_pe())); \
        for (int i = 0; i < 8; i++) expect(area, copy[i] == (type)(3 * previous_pe() + i)); \
        for (int i = 0; i < 6; i++) expect(area, copy[8 + i] == (i % 2 ? (type)1 : (type)(3 * previous_pe() + 8 + i / 2))); \
        shmem_ctx_##name##_get(ctx, copy + 16, from + 16, 4, previous); \
        shmem_ctx_##name##_get_nbi(ctx, fetched, from + 2, 2, previous); \
        shmem_ctx_##name##_iget(ctx, copy + 20, from, 1, 3, 3, previous); \
        shmem_ctx_quiet(ctx); \
        for (int i = 0; i < 4; i++) expect(area, copy[16 + i] == (type)(3 * previous_pe() + 16 + i)); \
        for (int i = 0; i < 2; i++) expect(area, fetched[i] == (type)(3 * previous_pe() + 2 + i)); \
        for (int i = 0; i < 3; i++) expect(area, copy[20 + i] == (type)(3 * previous_pe() + 3 * i)); \
        shmem_barrier_all(); \
    }
    EACH_RMA(F)
#undef F
#define F(name, type) { \
        type *word = (type *)(area.words + 251), fetched = 0; \
        shmem_ctx_##name##_atomic_set(ctx, word, (type)5, next); \
        shmem_ctx_quiet(ctx); \
        expect(area, shmem_ctx_##name##_atomic_fetch_add(ctx, word, (type)7, next) == (type)5); \
        shmem_ctx_##name##_atomic_add(ctx, word, (type)1, next); \
        shmem_ctx_##name##_atomic_inc(ctx, word, next); \
        shmem_ctx_quiet(ctx); \
        expect(area, shmem_ctx_##name##_atomic_fetch_inc(ctx, word, next) == (type)14); \
        expect(area, shmem_ctx_##name##_atomic_swap(ctx, word, (type)-3, next) == (type)15); \
        expect(area, shmem_ctx_##name##_atomic_compare_swap(ctx, word, (type)-3, (type)9, next) == (type)-3); \
        shmem_ctx_##name##_atomic_fetch_nbi(ctx, &fetched, word, next); \
        shmem_ctx_quiet(ctx); \
        expect(area, fetched == (type)9 && shmem_ctx_##name##_atomic_fetch(ctx, word, next) == (type)9); \
        shmem_barrier_all(); \
    }
    EACH_AMO(F)
#undef F
#define F(name, type) { \
        type *word = (type *)(area.words + 252); \
        shmem_ctx_##name##_atomic_set(ctx, word, (type)0x0f, next); \
        shmem_ctx_quiet(ctx); \
        expect(area, shmem_ctx_##name##_atomic_fetch_or(ctx, word, (type)0x30, next) == (type)0x0f); \
        shmem_ctx_##name##_atomic_and(ctx, word, (type)0x3c, next); \
        shmem_ctx_quiet(ctx); \
        expect(area, shmem_ctx_##name##_atomic_fetch_xor(ctx, word, (type)0xff, next) == (type)0x3c); \
        shmem_barrier_all(); \
    }
    EACH_BITWISE(F)
#undef F
    // Signals, bytes and numbers of bits.
    for (int i = 0; i < 64; i++) area.from[i] = pattern(i, shmem_my_pe(), 9);
    shmem_barrier_all();
    shmem_ctx_ulonglong_atomic_add(ctx, area.words + 250, 1, next);
    shmem_ctx_putmem_signal(ctx, area.to, area.from, 32, area.signals + 2, 1, SHMEM_SIGNAL_ADD, next);
    shmem_ctx_put64_signal_nbi(ctx, area.to + 32, area.from + 32, 4, area.signals + 2, 1, SHMEM_SIGNAL_ADD, next);
    shmem_ctx_signal_add(ctx, area.signals + 2, 1, next);
    shmem_signal_wait_until(area.signals + 2, SHMEM_CMP_GE, signalled + 3);
    for (int i = 0; i < 64; i++) expect(area, ((volatile unsigned char *)area.to)[i] == pattern(i, previous_pe(), 9));
    shmem_ctx_quiet(ctx);
    int pes[] = {next, previous};
    shmem_ctx_pe_quiet(ctx, pes, 2);
    shmem_barrier_all();
    expect(area, *(volatile ull *)(area.words + 250) == added + 1);
    shmem_barrier_all();
}

// Long copies of a single thread on a context that the kernel creates: where there is a command processor, it carries
// them out.
__global__ void long_copies(Area area) {
    if (!is_first()) return;
    const size_t half = 16384, bytes = 2 * half;
    uint64_t signalled = area.signals[3];
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    expect(area, shmem_ctx_create(0, &ctx) == 0 && ctx != SHMEM_CTX_INVALID && ctx != SHMEM_CTX_DEFAULT);
    for (int round = 0; round < 20; round++) {
        for (size_t i = 0; i < bytes; i++) area.from[i] = pattern(i, shmem_my_pe(), round), area.to[i] = 0;
        shmem_barrier_all();
        shmem_ctx_putmem_nbi(ctx, area.to, area.from, half, next_pe());
        shmem_ctx_putmem_signal_nbi(ctx, area.to + half, area.from + half, half, area.signals + 3, 1, SHMEM_SIGNAL_ADD, next_pe());
        shmem_signal_wait_until(area.signals + 3, SHMEM_CMP_GE, signalled + round + 1);
        for (size_t i = half; i < bytes; i++) expect(area, area.to[i] == pattern(i, previous_pe(), round));
        shmem_ctx_quiet(ctx);
        shmem_barrier_all();
        for (size_t i = 0; i < half; i++) expect(area, area.to[i] == pattern(i, previous_pe(), round));
        shmem_ctx_getmem_nbi(ctx, area.to + bytes, area.from, bytes, previous_pe());
        shmem_ctx_fence(ctx);
        int pe = previous_pe();
        shmem_ctx_pe_quiet(ctx, &pe, 1);
        for (size_t i = 0; i < bytes; i++) expect(area, area.to[bytes + i] == pattern(i, previous_pe(), round));
        shmem_barrier_all();
    }
    shmem_ctx_destroy(ctx);
}

// Waits with each comparison.
__global__ void waits(Area area) {
    if (!is_first()) return;
    int pe = next_pe();
#define F(name, type) { \
        type *word = (type *)(area.words + 120); \
        shmem_##name##_p(word, (type)5, shmem_my_pe()); \
        shmem_barrier_all(); \
        expect(area, shmem_##name##_test(word, SHMEM_CMP_EQ, (type)5) && !shmem_##name##_test(word, SHMEM_CMP_GT, (type)5)); \
        shmem_##name##_wait_until(word, SHMEM_CMP_LE, (type)5); \
        shmem_##name##_wait_until(word, SHMEM_CMP_NE, (type)6); \
        shmem_barrier_all(); \
        shmem_##name##_p(word, (type)7, pe); \
        shmem_##name##_wait_until(word, SHMEM_CMP_GT, (type)5); \
        shmem_##name##_wait_until(word, SHMEM_CMP_GE, (type)7); \
        shmem_barrier_all(); \
        shmem_##name##_p(word, (type)-1, pe); \
        if ((type)-1 < (type)0) shmem_##name##_wait_until(word, SHMEM_CMP_LT, (type)0); \
        shmem_##name##_wait_until(word, SHMEM_CMP_EQ, (type)-1); \
        shmem_barrier_all(); \
    }
    EACH_AMO(F)
#undef F
}

// Long waits: PE 0 answers late, so that the others take the way of waits that are reported.
__global__ void long_waits(Area area) {
    if (!is_first()) return;
    uint64_t *signal = area.signals + 8;
    shmem_signal_set(signal, 0, shmem_my_pe());
    shmem_barrier_all();
    for (int pe = 0; pe < shmem_n_pes(); pe++) {
        if (pe == shmem_my_pe()) {
            for (int i = 0; i < 50; i++) __nanosleep(1000000);
            for (int to = 0; to < shmem_n_pes(); to++) shmem_signal_add(signal, 1, to);
        }
        expect(area, shmem_signal_wait_until(signal, SHMEM_CMP_GE, pe + 1) >= (uint64_t)pe + 1);
    }
    expect(area, shmem_signal_fetch(signal) == (uint64_t)shmem_n_pes());
    shmem_barrier_all();
}

// Many barriers, between which a word goes around.
template <Scope S> __global__ void barriers(Area area) {
    if (!takes_part<S>()) return;
    for (int round = 0; round < 300; round++) {
        if (is_first()) shmem_ulonglong_p(area.words + 130 + (round & 1), shmem_my_pe() * 1000ull + round, next_pe());
        meet<S>();
        expect(area, *(volatile ull *)(area.words + 130 + (round & 1)) == previous_pe() * 1000ull + round);
        if (S == BLOCK) shmemx_sync_all_block();
        if (S == WARP) shmemx_sync_all_warp();
        if (S == THREAD) shmem_sync_all();
    }
}

// Data, a fence, a flag; and objects by their addresses.
__global__ void order(Area area) {
    if (!is_first()) return;
    ull *there = (ull *)shmem_ptr(area.words + 140, next_pe());
    expect(area, (there != 0) == area.reached && shmem_ptr(&area, next_pe()) == 0);
    expect(area, shmem_ptr(area.words + 140, shmem_my_pe()) == area.words + 140);
    for (ull round = 1; round <= 1000; round++) {
        shmem_ulonglong_p(area.words + 140, round, next_pe());
        shmem_fence();
        shmem_ulonglong_p(area.words + 141, round, next_pe());
        shmem_ulonglong_wait_until(area.words + 141, SHMEM_CMP_GE, round);
        expect(area, *(volatile ull *)(area.words + 140) >= round);
        shmem_barrier_all();
    }
    if (there) *there = 99;
    else shmem_ulonglong_p(area.words + 140, 99, next_pe());
    shmem_barrier_all();
    expect(area, *(volatile ull *)(area.words + 140) == 99);
    shmem_ulonglong_p(area.words + 141, 0, next_pe());
    shmem_barrier_all();
}

// Words by all lanes, one quiet for all, and a flag behind them by another lane than the one that fences.
template <Scope S> __global__ void floods(Area area) {
    if (!takes_part<S>()) return;
    ull *words = area.words + 1000, *flag = area.words + 2100;
    ull lanes = S == BLOCK ? blockDim.x : S == WARP ? 32 : 1;
    meet<S>();
    for (ull round = 1; round <= 50; round++) {
        shmem_ulonglong_p(words + threadIdx.x, round * 1000 + threadIdx.x, next_pe());
        shmem_ulonglong_atomic_add(words + 1024, 1, next_pe());
        if (round & 1) CALL(S, quiet, );
        else CALL(S, fence, );
        if (threadIdx.x + 1 == lanes) shmem_ulonglong_p(flag, round, next_pe());
        shmem_ulonglong_wait_until(flag, SHMEM_CMP_GE, round);
        expect(area, *(volatile ull *)(words + threadIdx.x) == round * 1000 + threadIdx.x);
        if (round & 1) expect(area, *(volatile ull *)(words + 1024) >= round * lanes);
        meet<S>();
    }
    expect(area, shmem_ulonglong_g(words + 1024, shmem_my_pe()) == 50 * lanes);
    meet<S>();
    if (is_first()) shmem_ulonglong_p(words + 1024, 0, shmem_my_pe()), shmem_ulonglong_p(flag, 0, shmem_my_pe());
    meet<S>();
}

// Sources and targets on the stack and in shared memory.
__global__ void local_ends(Area area) {
    __shared__ ull shared[64];
    shared[threadIdx.x & 63] = 7;
    __syncthreads();
    shmemx_ulonglong_put_block(area.words + 200, shared, 64, next_pe());
    shmemx_barrier_all_block();
    expect(area, *(volatile ull *)(area.words + 200 + (threadIdx.x & 63)) == 7);
    shmemx_barrier_all_block();
    // Bytes that begin anywhere, and more than a command carries.
    __shared__ unsigned char bytes[3000], found[3000];
    for (int n = 1; n < 2900; n = n * 3 + 1) {
        for (int i = threadIdx.x; i < 3000; i += blockDim.x) bytes[i] = pattern(i, shmem_my_pe(), n), found[i] = 0xee;
        __syncthreads();
        shmemx_putmem_block(area.to + 67, bytes + 5, n, next_pe());
        shmemx_barrier_all_block();
        for (int i = threadIdx.x; i < n; i += blockDim.x) expect(area, area.to[67 + i] == pattern(i + 5, previous_pe(), n));
        shmemx_getmem_block(found + 3, area.to + 67, n, next_pe());
        for (int i = threadIdx.x; i < n; i += blockDim.x) expect(area, found[3 + i] == pattern(i + 5, shmem_my_pe(), n));
        expect(area, found[2] == 0xee && found[n + 3] == 0xee);
        shmemx_barrier_all_block();
        if (threadIdx.x < 32) shmemx_putmem_nbi_warp(area.to + 64, bytes + 1, n, next_pe()), shmemx_quiet_warp();
        shmemx_barrier_all_block();
        if (threadIdx.x < 32) shmemx_getmem_nbi_warp(found + 8, area.to + 64, n, next_pe()), shmemx_quiet_warp();
        __syncthreads();
        for (int i = threadIdx.x; i < n; i += blockDim.x) expect(area, found[8 + i] == pattern(i + 1, shmem_my_pe(), n));
        shmemx_barrier_all_block();
    }
    if (is_first()) {
        ull own[8], back[8];
        for (int i = 0; i < 8; i++) own[i] = 50 + i + shmem_my_pe();
        shmem_put(area.words + 200, own, 8, next_pe());
        shmem_barrier_all();
        shmem_get(back, area.words + 200, 8, next_pe());
        for (int i = 0; i < 8; i++) expect(area, back[i] == 50ull + i + shmem_my_pe());
        shmem_barrier_all();
    }
}

// Many blocks, each with a part.
__global__ void grid(Area area) {
    size_t part = BYTES / gridDim.x, first = part * blockIdx.x;
    shmemx_putmem_signal_block(area.to + first, area.from + first, part, area.signals + 16 + blockIdx.x, 1, SHMEM_SIGNAL_SET, next_pe());
    shmem_signal_wait_until(area.signals + 16 + blockIdx.x, SHMEM_CMP_EQ, 1);
    for (size_t i = first + threadIdx.x; i < first + part; i += blockDim.x) expect(area, area.to[i] == pattern(i, previous_pe(), 5));
}
__global__ void fill(Area area) {
    for (size_t i = threadIdx.x + blockIdx.x * blockDim.x; i < BYTES; i += blockDim.x * gridDim.x) area.from[i] = pattern(i, shmem_my_pe(), 5);
    if (blockIdx.x == 0 && threadIdx.x < 64) area.signals[16 + threadIdx.x] = 0;
}

__global__ void wrong_pe(Area area) { shmem_ulonglong_p(area.words, 1, shmem_n_pes()); }
__global__ void wrong_address(Area area) { shmemx_putmem_block(area.bad, area.words, 64, next_pe()); }
__global__ void wrong_signal(Area area, int op) { shmem_putmem_signal(area.to, area.from, 8, area.signals, 1, op, next_pe()); }
__global__ void wrong_member(Area area, shmem_ctx_t ctx) { shmem_ctx_ulonglong_p(ctx, area.words, 1, 1); }
__global__ void late(Area area) {
    if (shmem_my_pe() != 0) shmemx_barrier_all_block();
}
__global__ void number(int *pe) { *pe = shmem_my_pe(); }

enum { ROUNDS = 2000 };
__global__ void ping_pong(ull *word, int me, uint64_t first) {
    for (uint64_t round = first + 1; round <= first + ROUNDS; round++) {
        if (me == 0) shmem_ulonglong_p(word, round, 1);
        shmem_ulonglong_wait_until(word, SHMEM_CMP_GE, round);
        if (me == 1) shmem_ulonglong_p(word, round, 0);
    }
}
__global__ void many_puts(unsigned char *to, const unsigned char *from, size_t n) {
    for (int i = 0; i < 100; i++) shmemx_putmem_block(to, from, n, 1);
    shmemx_quiet_block();
}
static float milliseconds(void (*launch)(const Area &), const Area &area) {
    cudaEvent_t start, end;
    float time = 0;
    cudaEventCreate(&start), cudaEventCreate(&end);
    cudaEventRecord(start);
    launch(area);
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&time, start, end);
    return time;
}
static uint64_t rounds = 0;
static void times(const Area &area) {
    for (int i = 0; i < 3; i++) {
        shmem_barrier_all();
        float there_and_back = milliseconds([](const Area &a) { ping_pong<<<1, 1>>>(a.words + 400, shmem_my_pe(), rounds); }, area);
        rounds += ROUNDS;
        shmem_barrier_all();
        float put = 0;
        if (shmem_my_pe() == 0) put = milliseconds([](const Area &a) { many_puts<<<1, 1024>>>(a.to, a.from, BYTES); }, area);
        if (shmem_my_pe() == 0) printf("p, one way: %.2f us; put by a block of 1024: %.1f GB/s\n", there_and_back * 1000 / ROUNDS / 2, 100.0 * BYTES / put / 1e6);
    }
    shmem_barrier_all();
}

static int failures = 0;
static void check(const char *what, const char *where, const Area &area) {
    cudaError_t ended = cudaDeviceSynchronize();
    unsigned bad = 0;
    if (ended == cudaSuccess) {
        cudaMemcpy(&bad, area.bad, sizeof(bad), cudaMemcpyDeviceToHost);
        cudaMemset(area.bad, 0, sizeof(bad));
        cudaDeviceSynchronize();
    }
    bool right = ended == cudaSuccess && bad == 0;
    failures += !right;
    if (!right || shmem_my_pe() == 0) printf("PE %d %-28s %-5s %s %u %s\n", shmem_my_pe(), what, where, right ? "ok" : "WRONG", bad, right ? "" : cudaGetErrorString(ended));
    fflush(stdout);
    if (ended != cudaSuccess) exit(1);
    shmem_barrier_all();
}

static void all(const char *where, const Area &area) {
#define ROW(what, launch) launch; check(what, where, area)
    ROW("p, g", (words<<<1, 32>>>(area)));
    const char *names[] = {"put", "get", "put_nbi, quiet", "get_nbi, quiet", "put_signal SET", "put_signal_nbi ADD"};
    for (int how = 0; how < 6; how++) {
        char what[64];
        snprintf(what, sizeof(what), "%s thread", names[how]);
        ROW(what, (copies<THREAD><<<1, 32>>>(area, how)));
        snprintf(what, sizeof(what), "%s warp", names[how]);
        ROW(what, (copies<WARP><<<1, 64>>>(area, how)));
        snprintf(what, sizeof(what), "%s block", names[how]);
        ROW(what, (copies<BLOCK><<<1, 256>>>(area, how)));
        snprintf(what, sizeof(what), "%s block of 512", names[how]);
        ROW(what, (copies<BLOCK><<<1, 512>>>(area, how)));
    }
    ROW("atomics", (atomics<<<1, 32>>>(area)));
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, previous = (me + n - 1) % n;
    shmem_team_t reversed;
    shmem_ctx_t whole, other;
    shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &reversed);
    failures += shmem_ctx_create(0, &whole) != 0 || shmem_team_create_ctx(reversed, SHMEM_CTX_SERIALIZED, &other) != 0;
    ROW("the default context", (contexts<<<1, 32>>>(area, SHMEM_CTX_DEFAULT, next, previous)));
    ROW("a context", (contexts<<<1, 32>>>(area, whole, next, previous)));
    ROW("a context of a team", (contexts<<<1, 32>>>(area, other, n - 1 - next, n - 1 - previous)));
    shmem_ctx_destroy(other), shmem_ctx_destroy(whole), shmem_team_destroy(reversed);
    ROW("long copies", (long_copies<<<1, 32>>>(area)));
    ROW("additions of all lanes", (additions<<<1, 256>>>(area)));
    ROW("waits", (waits<<<1, 32>>>(area)));
    ROW("long waits", (long_waits<<<1, 32>>>(area)));
    ROW("barriers thread", (barriers<THREAD><<<1, 32>>>(area)));
    ROW("barriers warp", (barriers<WARP><<<1, 64>>>(area)));
    ROW("barriers block", (barriers<BLOCK><<<1, 1024>>>(area)));
    ROW("fence, ptr", (order<<<1, 32>>>(area)));
    ROW("words by a thread", (floods<THREAD><<<1, 1>>>(area)));
    ROW("words by a warp", (floods<WARP><<<1, 32>>>(area)));
    ROW("words by a block", (floods<BLOCK><<<1, 512>>>(area)));
    ROW("stack, shared memory", (local_ends<<<1, 256>>>(area)));
    ROW("fill", (fill<<<32, 256>>>(area)));
    ROW("put_signal by a grid", (grid<<<32, 512>>>(area)));
    cudaError_t launched = cudaGetLastError();
    if (launched != cudaSuccess) failures++, printf("a launch failed: %s\n", cudaGetErrorString(launched));
}

static Area area_of(bool gpu) {
    Area area;
    size_t sizes[] = {WORDS * sizeof(ull), BYTES + 256, BYTES + 256, WORDS * sizeof(ull)};
    void *at[4];
    for (int i = 0; i < 4; i++) {
        at[i] = gpu ? shmemx_malloc_gpu(sizes[i]) : shmem_malloc(sizes[i]);
        if (gpu) cudaMemset(at[i], 0, sizes[i]);
        else memset(at[i], 0, sizes[i]);
    }
    area.words = (ull *)at[0], area.from = (unsigned char *)at[1], area.to = (unsigned char *)at[2], area.signals = (uint64_t *)at[3];
    cudaMalloc(&area.bad, sizeof(unsigned));
    cudaMemset(area.bad, 0, sizeof(unsigned));
    cudaDeviceSynchronize();
    shmem_barrier_all();
    return area;
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    shmem_init();
    if (!strcmp(mode, "untold")) {
        int *pe;
        cudaMalloc(&pe, sizeof(int));
        number<<<1, 1>>>(pe);
        printf("PE %d: %s\n", shmem_my_pe(), cudaGetErrorString(cudaDeviceSynchronize()));
        return 1;
    }
    Area gpu = area_of(true);
    if (!strcmp(mode, "wrong-pe") || !strcmp(mode, "wrong-address") || !strcmp(mode, "wrong-signal") || !strcmp(mode, "wrong-member") || !strcmp(mode, "late")) {
        shmem_team_t alone, all;
        shmem_ctx_t ctx;
        shmem_team_split_2d(SHMEM_TEAM_WORLD, 1, NULL, 0, &alone, NULL, 0, &all);
        shmem_team_create_ctx(alone, 0, &ctx);
        if (!strcmp(mode, "late")) late<<<1, 32>>>(gpu);
        else if (!strcmp(mode, "wrong-signal")) wrong_signal<<<1, 1>>>(gpu, 7);
        else if (!strcmp(mode, "wrong-member")) wrong_member<<<1, 32>>>(gpu, ctx);
        else (!strcmp(mode, "wrong-pe") ? wrong_pe : wrong_address)<<<1, 32>>>(gpu);
        cudaError_t ended = cudaDeviceSynchronize();
        // The PE that does not come must not end the job before the other one has given up.
        if (ended == cudaSuccess && !strcmp(mode, "late")) shmem_barrier_all();
        printf("PE %d: %s\n", shmem_my_pe(), cudaGetErrorString(ended));
        return 1;
    }
    if (!strcmp(mode, "times")) {
        times(gpu);
        shmem_finalize();
        return 0;
    }
    // Where GPUs do not reach each other, they still reach host memory of their node.
    gpu.reached = strcmp(mode, "no-p2p") && strcmp(mode, "nodes");
    all("gpu", gpu);
    Area host = area_of(false);
    host.reached = strcmp(mode, "nodes");
    all("host", host);
    other_unit(gpu.words, gpu.bad);
    check("another unit", "gpu", gpu);
    if (void *library = dlopen(argc > 2 ? argv[2] : "./libother.so", RTLD_NOW)) {
        // It was not there when the GPUs were started.
        ((void (*)(unsigned long long *, unsigned *))dlsym(library, "other_library"))(gpu.words, gpu.bad);
        check("a library opened later", "gpu", gpu);
        dlclose(library);
    } else if (shmem_my_pe() == 0) {
        printf("no library: %s\n", dlerror());
    }
    int all_failures = failures;
    printf("PE %d: %d rows failed\n", shmem_my_pe(), all_failures);
    shmem_finalize();
    return all_failures != 0;
}
