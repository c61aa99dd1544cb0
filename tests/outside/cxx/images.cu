// Kernels in a program, in a library that it is linked with, and in one that it opens when the GPUs and a first kernel
// have started; both libraries are other.cu with -DLIBRARY. `images LIBRARY TIMES APART` opens and closes the second one
// as often and calls its kernel now and then. APART is other.cu with -DLIBRARY -DSHMEMX_MODULE, of which this library does
// not learn: it asks CUDA for its constant, writes it, and launches a kernel that does nothing. What CUDA itself keeps of a
// library is what the process and the GPU lose by that one, and they must not lose more by the other. Nothing else may use
// the GPU.
#include "other.h"
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <shmem.h>
#include <shmemx.h>

typedef unsigned long long ull;
typedef void (*call_t)(ull *, unsigned *);
extern "C" void other_library(ull *words, unsigned *bad);

// Words that go round the ring with a signal, and the sum of a counter that everybody increments.
static __global__ void go(ull *words, uint64_t *sig, ull round, unsigned *bad) {
    int me = shmem_my_pe(), n_pes = shmem_n_pes(), next = (me + 1) % n_pes;
    shmemx_barrier_all_block();
    if (threadIdx.x == 0) {
        shmem_ulonglong_p(words, 100 * round + me, next);
        shmem_fence();
        shmem_signal_set(sig, round, next);
        shmem_signal_wait_until(sig, SHMEM_CMP_EQ, round);
        if (*(volatile ull *)words != 100 * round + (me + n_pes - 1) % n_pes) atomicAdd(bad, 1u);
        shmem_ulonglong_atomic_inc(words + 1, 0);
    }
    shmemx_barrier_all_block();
    if (threadIdx.x == 0 && shmem_ulonglong_g(words + 1, 0) != round * n_pes) atomicAdd(bad, 1u);
    shmemx_barrier_all_block();
}

static int failures;
static void check(const char *what, unsigned *bad) {
    unsigned found = 0;
    cudaError_t ended = cudaDeviceSynchronize();
    cudaMemcpy(&found, bad, sizeof(found), cudaMemcpyDeviceToHost);
    if (ended != cudaSuccess || found) {
        failures++;
        printf("PE %d: %s: %s, %u are wrong\n", shmem_my_pe(), what, cudaGetErrorString(ended), found);
        fflush(stdout);
    }
    cudaMemset(bad, 0, sizeof(found));
    shmem_barrier_all();
}

static long resident_pages() {
    long all = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &all, &resident) != 2) resident = 0;
    if (file) fclose(file);
    return resident;
}

// What opening and closing a library once costs for ever, in KiB.
struct Loss { double process, gpu; };
template <class Use> static Loss lost(const char *path, int times, Use use) {
    size_t free_before = 0, free_after = 0, total;
    long pages_before = 0;
    int first = times / 10;
    for (int i = 0; i < times; i++) {
        // The first ones fill caches of CUDA and of the loader.
        if (i == first) cudaMemGetInfo(&free_before, &total), pages_before = resident_pages();
        void *library = dlopen(path, RTLD_NOW);
        if (!library) {
            printf("PE %d: %s\n", shmem_my_pe(), dlerror());
            shmem_global_exit(1);
        }
        use(library, i);
        dlclose(library);
        if (dlopen(path, RTLD_NOW | RTLD_NOLOAD)) failures++, printf("PE %d: the library stays loaded\n", shmem_my_pe());
    }
    cudaMemGetInfo(&free_after, &total);
    double cycles = times - first;
    shmem_barrier_all();
    return {(resident_pages() - pages_before) * 4 / cycles, ((double)free_before - (double)free_after) / 1024 / cycles};
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "./libopened.so";
    int times = argc > 2 ? atoi(argv[2]) : 1000;
    shmem_init();
    ull *words = (ull *)shmemx_malloc_gpu(4096);
    uint64_t *sig = (uint64_t *)shmemx_malloc_gpu(sizeof(*sig));
    unsigned *bad;
    ull round = 0;
    cudaMalloc(&bad, sizeof(*bad));
    cudaMemset(bad, 0, sizeof(*bad));
    cudaMemset(words, 0, 4096);
    cudaMemset(sig, 0, sizeof(*sig));
    cudaDeviceSynchronize();
    shmem_barrier_all();

    go<<<1, 64>>>(words, sig, ++round, bad);
    check("the program's kernel", bad);
    other_library(words, bad);
    check("the library's kernel", bad);

    const char *apart = argc > 3 ? argv[3] : "./libapart.so";
    Loss by_cuda = lost(apart, times, [&](void *library, int i) {
        if (i % 50 && i + 1 < times) return;
        int (*ask)() = (int (*)())dlsym(library, "other_asks");
        if (!ask || ask() != cudaSuccess) failures++, printf("PE %d: %s does not find its constant\n", shmem_my_pe(), apart);
    });
    Loss in_all = lost(path, times, [&](void *library, int i) {
        if (i % 50 && i + 1 < times) return;
        call_t call = (call_t)dlsym(library, "other_library");
        if (!call) {
            printf("PE %d: %s has no other_library\n", shmem_my_pe(), path);
            shmem_global_exit(1);
        }
        call(words, bad);
        check("the opened library's kernel", bad);
    });
    if (in_all.process > by_cuda.process + 4 || in_all.gpu > by_cuda.gpu + 4) failures++;
    go<<<1, 64>>>(words, sig, ++round, bad);
    check("the program's kernel afterwards", bad);
    printf("PE %d: %d times opened and closed: each time %.1f KiB of the process and %.1f KiB of the GPU, by CUDA alone %.1f and %.1f; %d failures\n",
           shmem_my_pe(), times, in_all.process, in_all.gpu, by_cuda.process, by_cuda.gpu, failures);
    int all = failures;
    shmem_finalize();
    return all != 0;
}
