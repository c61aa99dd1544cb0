/* A kernel that puts into the memory of the next PE's GPU, loaded and launched by the program itself with the CUDA driver.

   The kernel is `ring` of apps/examples/kernels, as PTX, whose path is the argument. Compile with
       shmemcc -I$CUDA_HOME/include gpu-kernel.c -o gpu-kernel -lcuda */
#include <cuda.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

#define N 1000

static void check(CUresult status, const char *what)
{
    const char *name = "?";

    if (status == CUDA_SUCCESS)
        return;
    cuGetErrorName(status, &name);
    fprintf(stderr, "%s: %s\n", what, name);
    shmem_global_exit(1);
}

int main(int argc, char **argv)
{
    static float numbers[N];
    CUmodule module;
    CUfunction ring;
    CUdeviceptr outbox, copy;
    CUcontext context;

    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int previous = (me + n - 1) % n;
    if (argc != 2) {
        fprintf(stderr, "usage: gpu-kernel PTX\n");
        shmem_global_exit(2);
    }

    /* What kernels write into on other PEs is symmetric; the source may be any memory of the GPU. */
    float *inbox = shmemx_malloc_gpu(N * sizeof(float));
    uint64_t *arrived = shmem_calloc(1, sizeof(uint64_t));
    if (inbox == NULL)
        shmem_global_exit(1);

    /* The library has made this PE's GPU ready; a program that uses another context tells the library nothing. */
    check(cuCtxGetCurrent(&context), "cuCtxGetCurrent");
    check(cuMemAlloc(&outbox, N * sizeof(float)), "cuMemAlloc");
    check(cuMemAlloc(&copy, N * sizeof(float)), "cuMemAlloc");
    check(cuModuleLoad(&module, argv[1]), "cuModuleLoad");
    if (shmemx_module_init(module))
        shmem_global_exit(1);
    check(cuModuleGetFunction(&ring, module, "ring"), "cuModuleGetFunction");

    size_t count = N;
    void *arguments[] = {&inbox, &outbox, &count, &arrived};
    shmem_barrier_all();
    check(cuLaunchKernel(ring, 1, 1, 1, 256, 1, 1, 0, NULL, arguments, NULL), "cuLaunchKernel");
    check(cuCtxSynchronize(), "cuCtxSynchronize");
    shmem_barrier_all();

    /* From the CPU, between memory of the program's own on the GPU and symmetric memory: there and back. */
    shmem_float_get((float *) copy, inbox, N, me);
    shmem_barrier_all();
    shmem_float_put(inbox, (float *) copy, N, previous);
    shmem_barrier_all();
    shmem_float_get(numbers, inbox, N, me);

    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += numbers[i];
    /* What this PE's kernel had put into the next PE's GPU, doubled there, is back. */
    printf("PE %d of %d: sum %.0f\n", me, n, sum);

    cuMemFree(outbox);
    cuMemFree(copy);
    shmem_finalize();
    return 0;
}
