/* Each PE enqueues a put to the next PE's GPU, a wait for what the previous PE puts, and a sum over all PEs. The stream
   carries them out while the CPU may do something else. The program needs no CUDA, and no GPU: where there is none, the
   emulated one serves. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

#define N 1000

int main(void)
{
    static double numbers[N];

    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int next = (me + 1) % n;

    shmemx_stream_t stream;
    if (shmemx_stream_create(&stream) != 0)
        shmem_global_exit(1);
    double *outbox = shmemx_malloc_gpu(N * sizeof(double));
    double *inbox = shmemx_malloc_gpu(N * sizeof(double));
    double *sums = shmemx_malloc_gpu(N * sizeof(double));
    uint64_t *arrived = shmem_calloc(1, sizeof(uint64_t));
    if (outbox == NULL || inbox == NULL || sums == NULL || arrived == NULL)
        shmem_global_exit(1);
    for (int i = 0; i < N; i++)
        numbers[i] = me + i;
    shmem_double_put(outbox, numbers, N, me);

    /* None of these calls waits. */
    shmemx_double_put_signal_on_stream(inbox, outbox, N, arrived, 1, SHMEM_SIGNAL_SET, next, stream);
    shmemx_signal_wait_until_on_stream(arrived, SHMEM_CMP_EQ, 1, stream);
    shmemx_double_sum_reduce_on_stream(SHMEM_TEAM_WORLD, sums, inbox, N, stream);

    /* Barriers and quiet of the CPU do not wait for a stream; this does. */
    shmemx_stream_synchronize(stream);
    shmem_double_get(numbers, sums, N, me);
    printf("PE %d of %d: the sums are %.0f to %.0f\n", me, n, numbers[0], numbers[N - 1]);

    shmemx_stream_destroy(stream);
    shmem_finalize();
    return 0;
}
