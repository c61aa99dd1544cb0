// Calls, on GPUs, the routines of kernels in CUDA C++ for arrays of words and strided elements, and what they have
// beyond OpenSHMEM, and checks what each did. `arrays` alone checks all; `arrays exit` ends the job from a kernel with
// status 7. Every PE runs every row.
#include "rig.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ int next_pe() { return (shmem_my_pe() + 1) % shmem_n_pes(); }
__device__ int previous_pe() { return (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes(); }

// Waits and tests of each type: the previous PE stores numbers into all words but those that the status leaves out.
#define EACH_WAIT(F) F(int, int) F(long, long) F(longlong, long long) F(uint, unsigned) F(ulong, unsigned long) F(ulonglong, unsigned long long) \
    F(int32, int32_t) F(int64, int64_t) F(uint32, uint32_t) F(uint64, uint64_t) F(size, size_t) F(ptrdiff, ptrdiff_t)
enum { N = 9 };
#define F(NAME, type) \
    __global__ void waits_##NAME(Area area) { \
        if (threadIdx.x > 0) return; \
        type *words = (type *)area.words, values[N]; \
        int status[N] = {0, 0, 1, 0, 0, 0, 0, 1, 0}; \
        size_t places[N]; \
        for (int i = 0; i < N; i++) words[i] = 0, values[i] = (type)(10 + i); \
        shmem_barrier_all(); \
        expect(area, shmem_##NAME##_test_all(words, N, NULL, SHMEM_CMP_EQ, 0) && !shmem_##NAME##_test_all(words, N, status, SHMEM_CMP_NE, 0)); \
        expect(area, shmem_##NAME##_test_any(words, N, status, SHMEM_CMP_NE, 0) == (size_t)-1 && shmem_##NAME##_test_any(words, N, status, SHMEM_CMP_EQ, 0) == 0); \
        expect(area, shmem_##NAME##_test_some(words, N, places, status, SHMEM_CMP_GE, 0) == N - 2 && places[2] == 3 && places[N - 3] == 8); \
        expect(area, shmem_##NAME##_test_all_vector(words, N, NULL, SHMEM_CMP_LT, values) && !shmem_##NAME##_test_all_vector(words, N, NULL, SHMEM_CMP_EQ, values)); \
        expect(area, shmem_##NAME##_test_any_vector(words, N, NULL, SHMEM_CMP_EQ, values) == (size_t)-1); \
        expect(area, shmem_##NAME##_test_some_vector(words, N, places, NULL, SHMEM_CMP_LE, values) == N); \
        expect(area, shmem_##NAME##_wait_until_any(words, 0, NULL, SHMEM_CMP_EQ, 1) == (size_t)-1 && shmem_##NAME##_wait_until_some(words, 0, places, NULL, SHMEM_CMP_EQ, 1) == 0); \
        shmem_barrier_all(); \
        shmem_##NAME##_p(words + 4, (type)14, next_pe()); \
        expect(area, shmem_##NAME##_wait_until_any(words, N, status, SHMEM_CMP_NE, 0) == 4); \
        expect(area, shmem_##NAME##_wait_until_any_vector(words, N, status, SHMEM_CMP_EQ, values) == 4); \
        expect(area, shmem_##NAME##_wait_until_some(words, N, places, status, SHMEM_CMP_GT, 13) == 1 && places[0] == 4); \
        expect(area, shmem_##NAME##_wait_until_some_vector(words, N, places, status, SHMEM_CMP_GE, values) == 1 && places[0] == 4); \
        shmem_barrier_all(); \
        for (int i = 0; i < N; i++) if (status[i] == 0) shmem_##NAME##_p(words + i, (type)(10 + i), next_pe()); \
        shmem_##NAME##_wait_until_all(words, N, status, SHMEM_CMP_GE, 10); \
        shmem_##NAME##_wait_until_all_vector(words, N, status, SHMEM_CMP_EQ, values); \
        for (int i = 0; i < N; i++) expect(area, words[i] == (status[i] ? (type)0 : (type)(10 + i))); \
        shmem_barrier_all(); \
    }
EACH_WAIT(F)
#undef F

// Strided elements by a thread, a warp and a block.
template <class T> __device__ T element(int pe, size_t i) { return (T)(pe * 31 + i * 7 + 1); }
template <Scope S, class T, class Call> __device__ void strided(const Area &area, bool is_put, Call call) {
    T *from = (T *)area.from, *to = (T *)area.to;
    for (size_t n : {0, 1, 5, 33, 700}) {
        size_t dst = 3, sst = 2;
        for (size_t i = threadIdx.x; i < sst * n; i += lanes<S>()) from[i] = element<T>(shmem_my_pe(), i);
        for (size_t i = threadIdx.x; i < dst * n; i += lanes<S>()) to[i] = 99;
        KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD);
        call(to, from, dst, sst, n, is_put ? next_pe() : previous_pe());
        KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD);
        for (size_t i = threadIdx.x; i < dst * n; i += lanes<S>()) expect(area, to[i] == (i % dst ? (T)99 : element<T>(previous_pe(), i / dst * sst)));
        KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD);
    }
}
#define VOID_CALL(S, name, ...) \
    do { \
        if (S == THREAD) shmem_##name(__VA_ARGS__); \
        if (S == WARP) shmemx_##name##_warp(__VA_ARGS__); \
        if (S == BLOCK) shmemx_##name##_block(__VA_ARGS__); \
    } while (0)
template <Scope S> __global__ void strides(Area area) {
    if (!takes_part<S>()) return;
#define F(NAME, type) \
    strided<S, type>(area, true, [](type *to, type *from, size_t dst, size_t sst, size_t n, int pe) { VOID_CALL(S, NAME##_iput, to, from, dst, sst, n, pe); }); \
    strided<S, type>(area, false, [](type *to, type *from, size_t dst, size_t sst, size_t n, int pe) { VOID_CALL(S, NAME##_iget, to, from, dst, sst, n, pe); });
    F(schar, signed char) F(short, short) F(float, float) F(double, double)
#undef F
#define F(bits, type) \
    strided<S, type>(area, true, [](type *to, type *from, size_t dst, size_t sst, size_t n, int pe) { VOID_CALL(S, iput##bits, to, from, dst, sst, n, pe); }); \
    strided<S, type>(area, false, [](type *to, type *from, size_t dst, size_t sst, size_t n, int pe) { VOID_CALL(S, iget##bits, to, from, dst, sst, n, pe); });
    F(8, unsigned char) F(16, unsigned short) F(32, unsigned) F(64, unsigned long)
#undef F
    // Elements of 16 bytes, each of two words.
    ulong2 *from = (ulong2 *)area.from, *to = (ulong2 *)area.to;
    for (size_t i = threadIdx.x; i < 100; i += lanes<S>()) from[i] = make_ulong2(i, 1000 * shmem_my_pe() + i), to[i] = make_ulong2(99, 99);
    KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD);
    VOID_CALL(S, iput128, to, from, 3, 2, 20, next_pe());
    KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD);
    for (size_t i = threadIdx.x; i < 60; i += lanes<S>()) expect(area, i % 3 ? to[i].x == 99 : to[i].x == i / 3 * 2 && to[i].y == 1000 * previous_pe() + i / 3 * 2);
    KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD);
    VOID_CALL(S, iget128, to, from, 3, 1, 20, next_pe());
    KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD);
    for (size_t i = threadIdx.x; i < 60; i += lanes<S>()) expect(area, i % 3 ? to[i].x == 99 : to[i].x == i / 3 && to[i].y == 1000 * next_pe() + i / 3);
    KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD);
}

// Strided elements from and to stacks and shared memory, which the CPU does not reach.
template <class T, class Put, class Get> __device__ void strided_here(const Area &area, Put put, Get get) {
    T own[40], back[40], *there = (T *)area.to;
    for (size_t i = 0; i < 40; i++) own[i] = element<T>(shmem_my_pe(), i), back[i] = i % 2 ? own[i] : (T)0, there[i] = own[i];
    shmem_barrier_all();
    put(there, own, 3, 2, 13, next_pe());
    shmem_barrier_all();
    for (size_t i = 0; i < 39; i++) expect(area, there[i] == (i % 3 ? element<T>(shmem_my_pe(), i) : element<T>(previous_pe(), i / 3 * 2)));
    get(back, there, 2, 3, 13, next_pe());
    for (size_t i = 0; i < 26; i++) expect(area, back[i] == element<T>(shmem_my_pe(), i));
    shmem_barrier_all();
}
__global__ void strides_here(Area area) {
    __shared__ unsigned own[512];
    unsigned *there = (unsigned *)area.to;
    for (size_t i = threadIdx.x; i < 512; i += blockDim.x) own[i] = element<unsigned>(shmem_my_pe(), i);
    shmemx_barrier_all_block();
    shmemx_uint_iput_block(there, own, 1, 2, 256, next_pe());
    shmemx_barrier_all_block();
    for (size_t i = threadIdx.x; i < 256; i += blockDim.x) expect(area, there[i] == element<unsigned>(previous_pe(), 2 * i));
    __syncthreads();
    for (size_t i = threadIdx.x; i < 256; i += blockDim.x) own[2 * i] = 0;
    shmemx_uint_iget_block(own, there, 2, 1, 256, next_pe());
    for (size_t i = threadIdx.x; i < 512; i += blockDim.x) expect(area, own[i] == element<unsigned>(shmem_my_pe(), i));
    shmemx_barrier_all_block();
    if (threadIdx.x > 0) return;
#define F(NAME, type) \
    strided_here<type>(area, [](type *to, type *from, size_t dst, size_t sst, size_t n, int pe) { shmem_##NAME##_iput(to, from, dst, sst, n, pe); }, \
        [](type *to, type *from, size_t dst, size_t sst, size_t n, int pe) { shmem_##NAME##_iget(to, from, dst, sst, n, pe); });
    F(schar, signed char) F(short, short) F(int, int) F(long, long)
#undef F
}

// Numbers of 16 bits.
__global__ void words_of_16(Area area) {
    if (threadIdx.x > 0) return;
    __half *half = (__half *)area.words;
    __nv_bfloat16 *other = (__nv_bfloat16 *)(area.words + 1);
    shmemx_half_p(half, __float2half(1.5f + shmem_my_pe()), next_pe());
    shmemx_bfloat16_p(other, __float2bfloat16(-2.5f - shmem_my_pe()), next_pe());
    shmemx_half_p((unsigned short *)(area.words + 2), 0x3c00, next_pe());
    shmem_barrier_all();
    expect(area, __half2float(*half) == 1.5f + previous_pe() && __bfloat162float(*other) == -2.5f - previous_pe());
    expect(area, __half2float(*(__half *)(area.words + 2)) == 1.0f);
    expect(area, __half2float(shmemx_half_g(half, next_pe())) == 1.5f + shmem_my_pe());
    expect(area, __bfloat162float(shmemx_bfloat16_g(other, next_pe())) == -2.5f - shmem_my_pe());
    shmem_barrier_all();
}

// Atomics that OpenSHMEM does not have, and completion for some PEs.
#define EACH_SIGN(F) F(int, int) F(long, long) F(uint, unsigned) F(ulong, unsigned long)
__global__ void more_atomics(Area area) {
    if (threadIdx.x > 0) return;
    int pes[] = {next_pe(), shmem_my_pe()};
#define F(NAME, type) { \
        type *word = (type *)(area.words + 20); \
        bool is_signed = (type)-1 < (type)0; \
        shmem_##NAME##_atomic_set(word, 50, pes[0]); \
        expect(area, shmemx_##NAME##_atomic_fetch_min(word, (type)-1, pes[0]) == 50); \
        expect(area, shmemx_##NAME##_atomic_fetch_max(word, (type)7, pes[0]) == (is_signed ? (type)-1 : (type)50)); \
        expect(area, shmem_##NAME##_atomic_fetch(word, pes[0]) == (is_signed ? (type)7 : (type)50)); \
        shmemx_##NAME##_atomic_max(word, 60, pes[0]); \
        shmem_pe_quiet(pes, 2); \
        expect(area, shmem_##NAME##_atomic_fetch(word, pes[0]) == 60); \
        shmemx_##NAME##_atomic_min(word, 4, pes[0]); \
        shmem_pe_quiet(pes, 1); \
        expect(area, shmem_##NAME##_atomic_fetch(word, pes[0]) == 4); \
    }
    EACH_SIGN(F)
#undef F
#define F(NAME, type) { \
        type *word = (type *)(area.words + 21); \
        shmem_##NAME##_atomic_set(word, (type)1.5, pes[0]); \
        expect(area, shmemx_##NAME##_atomic_fetch_add(word, (type)2.25, pes[0]) == (type)1.5); \
        shmemx_##NAME##_atomic_add(word, (type)-8, pes[0]); \
        shmem_quiet(); \
        expect(area, shmem_##NAME##_atomic_fetch(word, pes[0]) == (type)-4.25); \
    }
    F(float, float) F(double, double)
#undef F
    shmem_pe_quiet(pes, 0);
    shmem_barrier_all();
}

// Copies of 16-bit floating-point numbers.
template <Scope S> __global__ void halves(Area area) {
    if (!takes_part<S>()) return;
    unsigned short *from = (unsigned short *)area.from, *to = (unsigned short *)area.to;
    uint64_t before = *area.words, round = 0;
    KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD);
#define ONE(bytes, ...) \
    for (size_t i = threadIdx.x; i < 600; i += lanes<S>()) from[i] = element<unsigned short>(shmem_my_pe(), i + round), to[i] = 7; \
    KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD); \
    __VA_ARGS__; \
    KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD); \
    for (size_t i = threadIdx.x; i < 600; i += lanes<S>()) expect(area, to[i] == (i < 500 ? element<unsigned short>(previous_pe(), i + round) : 7)); \
    round++; \
    KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD);
#define EACH(NAME) \
    ONE(500, KERNEL_CALL(S, NAME##_put, to, from, 500, next_pe())) \
    ONE(500, KERNEL_CALL(S, NAME##_get, to, from, 500, previous_pe())) \
    ONE(500, KERNEL_CALL(S, NAME##_put_nbi, to, from, 500, next_pe())) \
    ONE(500, KERNEL_CALL(S, NAME##_get_nbi, to, from, 500, previous_pe())) \
    ONE(500, KERNEL_CALL(S, NAME##_put_signal, to, from, 500, area.words, 1, SHMEM_SIGNAL_ADD, next_pe()))
    EACH(half)
    EACH(bfloat16)
    expect(area, *(volatile uint64_t *)area.words == before + 2);
    KERNEL_CALL(S, barrier, SHMEM_TEAM_WORLD);
}

__global__ void end_the_job() { shmem_global_exit(7); }

static void all(const char *where, const Area &area) {
#define ROW(what, ...) __VA_ARGS__; check(what, where, area)
#define F(NAME, type) ROW("waits " #NAME, waits_##NAME<<<1, 32>>>(area));
    EACH_WAIT(F)
#undef F
    ROW("strides thread", strides<THREAD><<<1, 32>>>(area));
    ROW("strides warp", strides<WARP><<<1, 64>>>(area));
    ROW("strides block", strides<BLOCK><<<1, 256>>>(area));
    ROW("strides here", strides_here<<<1, 256>>>(area));
    ROW("words of 16 bits", words_of_16<<<1, 32>>>(area));
    ROW("more atomics", more_atomics<<<1, 32>>>(area));
    ROW("halves thread", halves<THREAD><<<1, 32>>>(area));
    ROW("halves warp", halves<WARP><<<1, 64>>>(area));
    ROW("halves block", halves<BLOCK><<<1, 256>>>(area));
}

int main(int argc, char **argv) {
    shmem_init();
    Area gpu = area_of(true);
    if (argc > 1 && !strcmp(argv[1], "exit")) {
        if (shmem_my_pe() == shmem_n_pes() - 1) end_the_job<<<1, 1>>>();
        cudaDeviceSynchronize();
        shmem_barrier_all();
        return 1;
    }
    all("gpu", gpu);
    all("host", area_of(false));
    int all_failures = failures;
    printf("PE %d: %d rows failed\n", shmem_my_pe(), all_failures);
    shmem_finalize();
    return all_failures != 0;
}
