// A second unit with kernels, which has a context of its own.
#include "other.h"
// Programs have macros with such names, and some include the header of a library in C like this.
#define ADD 1
#define AND 2
#define OR 3
#define XOR 4
#define SWAP 5
#define COMPARE_SWAP 6
#define T 7
#define p 8
#define g 9
extern "C" {
#include <shmem.h>
}

static __global__ void go_round(unsigned long long *words, unsigned *bad) {
    int pe = (shmem_my_pe() + 1) % shmem_n_pes();
    if (threadIdx.x == 0) shmem_ulonglong_p(words + 300, 7 + shmem_my_pe(), pe);
    shmemx_barrier_all_block();
    unsigned long long expected = 7 + (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes();
    if (*(volatile unsigned long long *)(words + 300) != expected) atomicAdd(bad, 1u);
    shmemx_barrier_all_block();
}
#ifdef SHMEMX_MODULE
static __global__ void does_nothing() {}
extern "C" int other_asks() {
    void *at;
    const unsigned nothing = 0;
    cudaError_t found = cudaGetSymbolAddress(&at, cushmem_context);
    if (found == cudaSuccess) found = cudaMemcpy(at, &nothing, sizeof(nothing), cudaMemcpyHostToDevice);
    does_nothing<<<1, 64>>>();
    return found != cudaSuccess ? found : cudaDeviceSynchronize();
}
#endif
#ifdef LIBRARY
extern "C" void other_library(unsigned long long *words, unsigned *bad) { go_round<<<1, 64>>>(words, bad); }
#else
void other_unit(unsigned long long *words, unsigned *bad) { go_round<<<1, 64>>>(words, bad); }
#endif
