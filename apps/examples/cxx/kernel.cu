// The kernel of driver.cpp and nvrtc.cpp. Each PE sends a block of numbers to the next one, waits for that of the
// previous one, and counts it.
#include <shmem.h>

extern "C" __global__ void ring(float *inbox, const float *outbox, size_t n, uint64_t *arrived, int *count) {
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    shmemx_float_put_signal_block(inbox, outbox, n, arrived, 1, SHMEM_SIGNAL_SET, next);
    if (threadIdx.x == 0) {
        shmem_signal_wait_until(arrived, SHMEM_CMP_EQ, 1);
        shmem_int_atomic_inc(count, 0);
    }
}
