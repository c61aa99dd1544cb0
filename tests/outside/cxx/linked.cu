// Kernels that are linked with libcushmem_device instead of including shmem.h. As a program with -rdc=true and
// libcushmem_device.a, `linked` runs its own kernel, `linked MODULE` that of a module which nvJitLink linked.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" {
__device__ int shmem_my_pe();
__device__ int shmem_n_pes();
__device__ void shmem_int32_p(int32_t *dest, int32_t value, int pe);
__device__ int32_t shmem_int32_g(const int32_t *source, int pe);
__device__ int32_t shmem_int32_atomic_fetch_add(int32_t *dest, int32_t value, int pe);
__device__ void shmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe);
__device__ uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value);
__device__ void shmemx_putmem_block(void *dest, const void *source, size_t nelems, int pe);
__device__ void shmemx_float_put_signal_block(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
__device__ void shmemx_barrier_all_block();
__device__ int shmem_team_n_pes(void *team);
__device__ int shmem_team_translate_pe(void *src_team, int src_pe, void *dest_team);
__device__ int shmemx_barrier_block(void *team);
__device__ void shmemx_int32_iput_block(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
__device__ void shmem_int32_wait_until_all(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value);
__device__ int shmemx_int32_fcollect_block(void *team, int32_t *dest, const int32_t *source, size_t nelems);
__device__ void shmemx_int32_atomic_max(int32_t *dest, int32_t value, int pe);
__device__ void shmemx_half_put_block(void *dest, const void *source, size_t nelems, int pe);
}
enum { N = 1000 };

// Two blocks of 1,024 threads fit on each multiprocessor.
extern "C" __global__ void __launch_bounds__(1024, 2) linked(float *inbox, float *outbox, int32_t *words, uint64_t *sig, unsigned *bad) {
    int me = shmem_my_pe(), n_pes = shmem_n_pes(), next = (me + 1) % n_pes, previous = (me + n_pes - 1) % n_pes;
    for (int i = threadIdx.x; i < 2 * N; i += blockDim.x) outbox[i] = 10 * me + i;
    shmemx_barrier_all_block();
    shmemx_float_put_signal_block(inbox, outbox, N, sig, 1, 10 /* SHMEM_SIGNAL_ADD */, next);
    shmemx_putmem_block(inbox + N, outbox + N, N * sizeof(float), next);
    if (threadIdx.x == 0) {
        shmem_int32_p(words, 7 + me, next);
        shmem_int32_atomic_fetch_add(words + 1, me + 1, 0);
        shmem_signal_wait_until(sig, 5 /* SHMEM_CMP_GE */, 1);
    }
    shmemx_barrier_all_block();
    for (int i = threadIdx.x; i < 2 * N; i += blockDim.x)
        if (((volatile float *)inbox)[i] != 10 * previous + i) atomicAdd(bad, 1u);
    if (threadIdx.x == 0) {
        if (*(volatile int32_t *)words != 7 + previous || shmem_int32_g(words, next) != 7 + me) atomicAdd(bad, 1u);
        if (shmem_int32_g(words + 1, 0) != n_pes * (n_pes + 1) / 2) atomicAdd(bad, 1u);
    }
    shmemx_barrier_all_block();

    // Teams, strided copies, waits for arrays, collectives, and atomic operations beyond OpenSHMEM.
    void *world = (void *)1; /* SHMEM_TEAM_WORLD */
    int32_t *source = words + 40;
    if (threadIdx.x < 8) source[threadIdx.x] = 100 * me + threadIdx.x + 1;
    shmemx_barrier_block(world);
    shmemx_int32_iput_block(words + 8, source, 2, 1, 4, next);
    shmemx_int32_fcollect_block(world, words + 16, source, 1);
    shmemx_half_put_block(words + 48, source, 4, next);
    if (threadIdx.x == 0) {
        const int status[8] = {0, 1, 0, 1, 0, 1, 0, 1};
        shmem_int32_wait_until_all(words + 8, 8, status, 1 /* SHMEM_CMP_NE */, 0);
        shmemx_int32_atomic_max(words + 32, me + 5, 0);
        if (shmem_team_n_pes(world) != n_pes || shmem_team_translate_pe(world, next, world) != next) atomicAdd(bad, 1u);
    }
    shmemx_barrier_block(world);
    if (threadIdx.x == 0) {
        volatile int32_t *now = words;
        for (int i = 0; i < 8; i++)
            if (now[8 + i] != (i % 2 ? 0 : 100 * previous + i / 2 + 1)) atomicAdd(bad, 1u);
        for (int i = 0; i < n_pes && i < 8; i++)
            if (now[16 + i] != 100 * i + 1) atomicAdd(bad, 1u);
        if (now[48] != 100 * previous + 1 || now[49] != 100 * previous + 2) atomicAdd(bad, 1u);
        if (shmem_int32_g(words + 32, 0) != n_pes + 4) atomicAdd(bad, 1u);
    }
    shmemx_barrier_all_block();
}

#ifndef MODULE
#include "linked.h"

int main(int argc, char **argv) {
    Memory memory = begin();
    if (argc > 1) {
        launch_module(argv[1], memory);
    } else {
        linked<<<1, 1024>>>(memory.inbox, memory.outbox, memory.words, memory.sig, memory.bad);
    }
    return end(memory, argc > 1 ? argv[1] : "the program's kernel");
}
#endif
