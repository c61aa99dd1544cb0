// Kernels that do the same work around one call each, as those of tests/registers do in Rust. Their registers are counted.
#include <shmem.h>
#include <shmemx.h>

#define PARAMETERS(...) __VA_ARGS__
#define WORK(name, parameters, call) \
    extern "C" __global__ void name(double *x, double *y, parameters) { \
        int i = threadIdx.x + blockIdx.x * blockDim.x; \
        double a = x[i], b = y[i]; \
        call; \
        x[i] = a + b; \
        y[i] = a - b; \
    }
WORK(nothing, int, )
WORK(my_pe, int, a += shmem_my_pe())
WORK(p, PARAMETERS(uint64_t *dest, uint64_t value, int pe), shmem_uint64_p(dest, value, pe))
WORK(g, PARAMETERS(uint64_t *source, uint64_t *out, int pe), *out = shmem_uint64_g(source, pe))
WORK(signal_set, PARAMETERS(uint64_t *sig, uint64_t value, int pe), shmem_signal_set(sig, value, pe))
WORK(signal_wait, PARAMETERS(uint64_t *sig, uint64_t value), shmem_signal_wait_until(sig, SHMEM_CMP_GE, value))
WORK(inc, PARAMETERS(uint64_t *dest, int pe), shmem_uint64_atomic_inc(dest, pe))
WORK(fetch_add, PARAMETERS(uint64_t *dest, uint64_t value, uint64_t *out, int pe), *out = shmem_uint64_atomic_fetch_add(dest, value, pe))
WORK(quiet, int, shmem_quiet())
WORK(put_thread, PARAMETERS(char *dest, char *source, size_t n, int pe), shmem_putmem(dest, source, n, pe))
WORK(put_block, PARAMETERS(char *dest, char *source, size_t n, int pe), shmemx_putmem_block(dest, source, n, pe))
WORK(put_signal_block, PARAMETERS(char *dest, char *source, size_t n, uint64_t *sig, int pe), shmemx_putmem_signal_block(dest, source, n, sig, 1, SHMEM_SIGNAL_SET, pe))
WORK(barrier_block, int, shmemx_barrier_all_block())
WORK(wait_all, PARAMETERS(uint64_t *ivars, size_t n), shmem_uint64_wait_until_all(ivars, n, NULL, SHMEM_CMP_GE, 1))
WORK(get_nbi_block, PARAMETERS(char *dest, char *source, size_t n, int pe), shmemx_getmem_nbi_block(dest, source, n, pe))
WORK(iput_block, PARAMETERS(float *dest, float *source, size_t n, int pe), shmemx_float_iput_block(dest, source, 3, 2, n, pe))
WORK(team_sync_block, shmem_team_t team, shmemx_team_sync_block(team))
WORK(broadcast_block, PARAMETERS(shmem_team_t team, float *dest, float *source, size_t n), shmemx_float_broadcast_block(team, dest, source, n, 0))
WORK(alltoall_block, PARAMETERS(shmem_team_t team, float *dest, float *source, size_t n), shmemx_float_alltoall_block(team, dest, source, n))
WORK(put_task_block, PARAMETERS(shmemx_device_task_queue_t queue, shmemx_task_t task, char *source, size_t n, int pe), shmemx_put_task_block(queue, &task, source, n, pe))
WORK(array_read, PARAMETERS(shmemx_device_array<double> array, uint64_t at), a += array.read(at + i))
WORK(array_write, PARAMETERS(shmemx_device_array<double> array, uint64_t at), array.write(at + i, b))
WORK(array_add, PARAMETERS(shmemx_device_array<double> array, uint64_t at), array.add(at + i, b))
WORK(array_flush_block, shmemx_device_array<double> array, array.flush_block())
WORK(sum_block, PARAMETERS(shmem_team_t team, float *dest, float *source, size_t n), shmemx_float_sum_reduce_block(team, dest, source, n))

// Compilers like to copy what follows a branch into both of its arms; a barrier must stay one.
extern "C" __global__ void branches(char *dest, char *source, size_t n, int pe, int *odd) {
    if (n & 1) odd[0]++;
    else odd[1] = 3;
    shmemx_putmem_block(dest, source, n, pe);
    if (odd[2]) odd[3] = 4;
    else odd[4] += 5;
    shmemx_fence_block();
    odd[5] = 6;
}
extern "C" __global__ void branches_reduce(shmem_team_t team, float *dest, float *source, size_t n, int *odd) {
    if (n & 1) odd[0]++;
    else odd[1] = 3;
    shmemx_float_sum_reduce_block(team, dest, source, n);
    if (odd[2]) odd[3] = 4;
    else odd[4] += 5;
    shmemx_float_sum_reduce_block(team, dest, source, n);
}
