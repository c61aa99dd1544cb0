// Each PE sends a block of numbers to the next one from a kernel, waits for that of the previous one, and counts it.
//
//     nvcc -arch=sm_90 -I$PREFIX/include ring.cu -L$PREFIX/lib -lcushmem -o ring && shmemrun -n 2 ./ring
#include <cstdio>
#include <shmem.h>
#include <shmemx.h>

const int N = 1024;

__global__ void ring(float *inbox, const float *outbox, uint64_t *arrived, int *count) {
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    shmemx_float_put_signal_block(inbox, outbox, N, arrived, 1, SHMEM_SIGNAL_SET, next);
    if (threadIdx.x == 0) {
        shmem_signal_wait_until(arrived, SHMEM_CMP_EQ, 1);
        shmem_int_atomic_inc(count, 0);
    }
}

int main() {
    shmem_init();
    float *inbox = (float *)shmemx_malloc_gpu(N * sizeof(float)), *outbox = (float *)shmemx_malloc_gpu(N * sizeof(float));
    uint64_t *arrived = (uint64_t *)shmemx_malloc_gpu(sizeof(uint64_t));
    int *count = (int *)shmemx_malloc_gpu(sizeof(int));
    float numbers[N];
    for (int i = 0; i < N; i++) numbers[i] = shmem_my_pe() + i / 1024.0f;
    cudaMemset(arrived, 0, sizeof(uint64_t));
    cudaMemset(count, 0, sizeof(int));
    cudaMemcpy(outbox, numbers, sizeof(numbers), cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    shmem_barrier_all();

    ring<<<1, 256>>>(inbox, outbox, arrived, count);
    cudaError_t ended = cudaDeviceSynchronize();
    shmem_barrier_all();

    int arrivals = 0;
    cudaMemcpy(numbers, inbox, sizeof(numbers), cudaMemcpyDeviceToHost);
    if (shmem_my_pe() == 0) cudaMemcpy(&arrivals, count, sizeof(int), cudaMemcpyDeviceToHost);
    printf("PE %d: %s, first number %.1f\n", shmem_my_pe(), cudaGetErrorString(ended), numbers[0]);
    if (shmem_my_pe() == 0) printf("%d blocks have arrived\n", arrivals);
    shmem_finalize();
    return ended != cudaSuccess;
}
