// Runs the kernel of kernel.cu once it has been loaded as a module of the CUDA driver.
#include <cstdio>
#include <cuda.h>
#include <shmem.h>
#include <shmemx.h>
#include <vector>

static void check(CUresult status, const char *call) {
    const char *name = "an unknown error";
    if (status == CUDA_SUCCESS) return;
    cuGetErrorName(status, &name);
    fprintf(stderr, "%s: %s\n", call, name);
    shmem_global_exit(1);
}

// Returns whether the numbers of the previous PE have come.
static bool run(CUmodule module) {
    int me = shmem_my_pe(), n_pes = shmem_n_pes();
    CUfunction ring;
    if (shmemx_module_init(module)) shmem_global_exit(1);
    check(cuModuleGetFunction(&ring, module, "ring"), "cuModuleGetFunction");

    size_t n = 1024;
    std::vector<float> numbers(n, me);
    CUdeviceptr inbox = (CUdeviceptr)shmemx_malloc_gpu(n * sizeof(float)), outbox;
    CUdeviceptr arrived = (CUdeviceptr)shmemx_malloc_gpu(sizeof(uint64_t)), count = (CUdeviceptr)shmemx_malloc_gpu(sizeof(int));
    check(cuMemAlloc(&outbox, n * sizeof(float)), "cuMemAlloc");
    check(cuMemsetD32(arrived, 0, 2), "cuMemsetD32");
    check(cuMemsetD32(count, 0, 1), "cuMemsetD32");
    check(cuMemcpyHtoD(outbox, numbers.data(), n * sizeof(float)), "cuMemcpyHtoD");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
    shmem_barrier_all();

    void *arguments[] = {&inbox, &outbox, &n, &arrived, &count};
    check(cuLaunchKernel(ring, 1, 1, 1, 256, 1, 1, 0, nullptr, arguments, nullptr), "cuLaunchKernel");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
    shmem_barrier_all();

    int arrivals = 0;
    check(cuMemcpyDtoH(numbers.data(), inbox, n * sizeof(float)), "cuMemcpyDtoH");
    if (me == 0) check(cuMemcpyDtoH(&arrivals, count, sizeof(int)), "cuMemcpyDtoH");
    bool is_right = me != 0 || arrivals == n_pes;
    for (float number : numbers) is_right &= number == (me + n_pes - 1) % n_pes;
    printf("PE %d: the numbers of PE %.0f have come\n", me, numbers[0]);
    if (me == 0) printf("%d blocks have arrived\n", arrivals);
    check(cuMemFree(outbox), "cuMemFree");
    shmemx_module_finalize(module);
    return is_right;
}

// Makes the GPU that the library uses, which is the one of `cudaSetDevice` or the first, current in this thread.
static void begin() {
    shmem_init();
    void *first = shmemx_malloc_gpu(8);
    if (!first) shmem_global_exit(1);
    shmem_free(first);
}
