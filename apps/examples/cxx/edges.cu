// Kernels of all PEs add up the numbers in a file, through caches in their GPUs.
//
//     nvcc -arch=sm_90 -I$PREFIX/include edges.cu -L$PREFIX/lib -lcushmem -o edges
//     shmemrun -n 2 ./edges edges.bin 10000000000
#include <cstdio>
#include <cstdlib>
#include <shmem.h>
#include <shmemx.h>

__global__ void sum(shmemx_device_array<uint64_t> edges, uint64_t *result) {
    uint64_t own = 0, threads = blockDim.x * shmem_n_pes();
    for (uint64_t i = shmem_my_pe() * blockDim.x + threadIdx.x; i < edges.len(); i += threads) own += edges.read(i);
    shmem_uint64_atomic_add(result, own, 0);
}

int main(int argc, char **argv) {
    shmem_init();
    shmemx_array_options_t options = {}; // What is 0 or NULL has its default.
    options.file = argc > 1 ? argv[1] : "edges.bin";
    options.mode = SHMEMX_ARRAY_READ_ONLY;
    options.slots = 1 << 20; // lines of 4 KiB: 4 GiB of cache on each GPU
    size_t n = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
    shmemx_array_t edges = shmemx_array_create(n, sizeof(uint64_t), &options);
    if (!edges) shmem_global_exit(1);
    uint64_t *result = (uint64_t *)shmemx_malloc_gpu(sizeof(uint64_t)), total;
    cudaMemset(result, 0, sizeof(uint64_t));
    cudaDeviceSynchronize();
    shmem_barrier_all();

    sum<<<1, 256>>>(shmemx_array_device(edges), result);
    cudaDeviceSynchronize();
    shmem_barrier_all();

    cudaMemcpy(&total, result, sizeof(uint64_t), cudaMemcpyDeviceToHost);
    if (shmem_my_pe() == 0) printf("the sum is %llu\n", (unsigned long long)total);
    shmemx_array_free(edges);
    shmem_finalize();
}
