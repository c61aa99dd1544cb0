// The ways in which programs for NVSHMEM start CUDA, choose a device, and launch their first kernels. For two PEs or
// more, started by shmemrun as `nvshmem_starts WAY`. It checks every value.

#include <dlfcn.h>
#include "nvshmem_rig.cuh"
#include <nvshmem.h>
#include <nvshmemx.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Before the program has allocated symmetric memory: p and g of this PE's own memory.
__global__ void alone(int *words, int pe) {
    nvshmem_int_p(words, 50 + pe, pe);
    words[1] = nvshmem_int_g(words, pe);
    words[2] = nvshmem_my_pe();
    words[3] = nvshmem_n_pes();
    nvshmem_fence();
    nvshmem_quiet();
}

// What is produced in shared memory goes to the right neighbour.
__global__ void from_shared(int *inbox, uint64_t *arrived, int elements) {
    extern __shared__ int lent[];
    int own = nvshmem_my_pe(), pes = nvshmem_n_pes(), right = (own + 1) % pes;
    int *tile = lent + nvshmemx_ask_smem(NVSHMEMX_SMEM_BARRIERS_ONLY) / sizeof(int);
    nvshmemx_give_smem(lent, nvshmemx_ask_smem(NVSHMEMX_SMEM_RECOMMENDED));
    __syncthreads();
    for (int i = threadIdx.x; i < elements; i += blockDim.x) tile[i] = 1000 * own + i;
    __syncthreads();
    nvshmemx_putmem_signal_block(inbox, tile, elements * sizeof(int), arrived, 1, NVSHMEM_SIGNAL_ADD, right);
    if (threadIdx.x == 0) nvshmem_signal_wait_until(arrived, NVSHMEM_CMP_GE, 1);
    nvshmemx_barrier_all_block();
    nvshmemx_release_smem();
}

__global__ void to_shared(int *sum, const int *inbox, int elements) {
    extern __shared__ int lent[];
    int left = (nvshmem_my_pe() + nvshmem_n_pes() - 1) % nvshmem_n_pes();
    nvshmemx_getmem_block(lent, inbox, elements * sizeof(int), left);
    __syncthreads();
    for (int i = threadIdx.x; i < elements; i += blockDim.x) atomicAdd(sum, lent[i]);
}

static void first_kernel() {
    int *words, got[4];
    CUDA(cudaMalloc(&words, sizeof got));
    alone<<<1, 1>>>(words, me);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(got, words, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(got[0] == 50 + me && got[1] == 50 + me && got[2] == me && got[3] == n);
    CUDA(cudaFree(words));
}

// With so many elements and bytes of shared memory.
static void ring(int elements, int amount) {
    int device, left = (me + n - 1) % n, second = (me + n - 2) % n;
    cudaPointerAttributes where;
    int *inbox = (int *)nvshmem_calloc(elements, sizeof(int)), *sum = (int *)nvshmem_calloc(1, sizeof(int));
    uint64_t *arrived = (uint64_t *)nvshmem_calloc(1, sizeof(uint64_t));
    CHECK(inbox && sum && arrived);
    // It is on the device that the program uses.
    CUDA(cudaGetDevice(&device));
    CUDA(cudaPointerGetAttributes(&where, inbox));
    CHECK(where.type == cudaMemoryTypeDevice && where.device == device);
    CUDA(cudaFuncSetAttribute(from_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, amount));
    CUDA(cudaFuncSetAttribute(to_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, amount));
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    void *args[] = {&inbox, &arrived, &elements};
    CHECK(nvshmemx_collective_launch((const void *)from_shared, 1, 256, args, amount, stream) == 0);
    nvshmemx_barrier_all_on_stream(stream);
    to_shared<<<1, 256, amount, stream>>>(sum, inbox, elements);
    nvshmemx_barrier_all_on_stream(stream);
    CUDA(cudaStreamSynchronize(stream));
    std::vector<int> got(elements);
    int total, wrong = 0;
    CUDA(cudaMemcpy(got.data(), inbox, elements * sizeof(int), cudaMemcpyDeviceToHost));
    CUDA(cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost));
    for (int i = 0; i < elements; i++) wrong += got[i] != 1000 * left + i;
    CHECK(wrong == 0);
    CHECK(total == 1000 * second * elements + elements * (elements - 1) / 2);
    // All have read their inboxes.
    nvshmem_barrier_all();
    nvshmemx_putmem_on_stream(inbox, sum, sizeof(int), (me + 1) % n, stream);
    nvshmemx_barrier_all_on_stream(stream);
    CUDA(cudaStreamSynchronize(stream));
    CHECK(nvshmem_int_g(inbox, me) == 1000 * ((left + n - 2) % n) * elements + elements * (elements - 1) / 2);
    CUDA(cudaStreamDestroy(stream));
    nvshmem_free(inbox);
    nvshmem_free(sum);
    nvshmem_free(arrived);
}

// A context beside the runtime's own one, which is current in this thread. The program is not linked with the driver.
static void *other_context(int device) {
    void *context = NULL, *driver = dlopen("libcuda.so.1", RTLD_LAZY);
    if (driver == NULL) exit(1);
    int (*init)(unsigned) = (int (*)(unsigned))dlsym(driver, "cuInit");
    int (*create)(void **, unsigned, int) = (int (*)(void **, unsigned, int))dlsym(driver, "cuCtxCreate_v2");
    if (init(0) != 0 || create(&context, 0, device) != 0) exit(1);
    return context;
}
static void destroy(void *context) {
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY);
    CHECK(((int (*)(void *))dlsym(driver, "cuCtxDestroy_v2"))(context) == 0);
}

int main(int argc, char **argv) {
    const char *way = argc > 1 ? argv[1] : "", *place = getenv("CUSHMEM_LOCAL_PE");
    auto is = [way](const char *name) { return strcmp(way, name) == 0; };
    int gpus = 0, own = place ? atoi(place) : 0;
    void *context = NULL;
    if (is("chosen")) {
        // A kernel comes before any memory.
        CUDA(cudaGetDeviceCount(&gpus));
        CUDA(cudaSetDevice(own % gpus));
        CUDA(cudaFree(0));
        nvshmem_init();
    } else if (is("context")) {
        CUDA(cudaGetDeviceCount(&gpus));
        context = other_context(own % gpus);
        nvshmem_init();
    } else if (is("first")) {
        // CUDA starts on the first device, and the program chooses when it knows its place.
        CUDA(cudaFree(0));
        nvshmem_init();
    } else if (is("some")) {
        // Only PE 0 has used CUDA before.
        if (own == 0) CUDA(cudaFree(0));
        nvshmem_init();
    } else if (is("barrier") || is("late")) {
        nvshmem_init();
    } else {
        fprintf(stderr, "usage: nvshmem_starts chosen|context|first|some|barrier|late\n");
        return 2;
    }
    me = nvshmem_my_pe();
    n = nvshmem_n_pes();
    CUDA(cudaGetDeviceCount(&gpus));
    if (is("chosen") || is("context")) {
        first_kernel();
    } else {
        CUDA(cudaSetDevice(nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE) % gpus));
        CUDA(cudaFree(0));
    }
    if (is("barrier")) {
        nvshmem_barrier_all();
        first_kernel();
    }
    int amount = nvshmemx_ask_smem(NVSHMEMX_SMEM_RECOMMENDED), least = nvshmemx_ask_smem(NVSHMEMX_SMEM_MINIMUM);
    int barriers = nvshmemx_ask_smem(NVSHMEMX_SMEM_BARRIERS_ONLY);
    CHECK(amount >= least && least > barriers && barriers > 0 && barriers % 16 == 0);
    ring(1000, amount);
    // More than goes to another node at once.
    ring(20000, barriers + 20000 * (int)sizeof(int));
    first_kernel();
    nvshmem_barrier_all();
    nvshmem_finalize();
    // The program's context is still there.
    if (context != NULL) destroy(context);
    if (failures == 0) printf("nvshmem_starts %s: PE %d: all values are right\n", way, me);
    return failures != 0;
}
