/* Each PE puts numbers from its GPU's memory into that of the next PE's GPU. No kernel takes part, and no GPU is needed: where
   there is none, the emulated one serves. */
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

    /* Symmetric memory of the GPUs, which this program does not access itself. */
    double *outbox = shmemx_malloc_gpu(N * sizeof(double));
    double *inbox = shmem_malloc_with_hints(N * sizeof(double), SHMEMX_MALLOC_GPU);
    uint64_t *arrived = shmem_calloc(1, sizeof(uint64_t));
    if (outbox == NULL || inbox == NULL) {
        fprintf(stderr, "no GPU memory\n");
        shmem_global_exit(1);
    }

    /* The library finds from the addresses what lies where: this one goes from the host to this PE's own GPU, … */
    for (int i = 0; i < N; i++)
        numbers[i] = me + i;
    shmem_double_put(outbox, numbers, N, me);

    /* … this one from GPU to GPU, and the last one back to the host. */
    shmem_double_put_signal(inbox, outbox, N, arrived, 1, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(arrived, SHMEM_CMP_EQ, 1);
    shmem_double_get(numbers, inbox, N, me);

    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += numbers[i];
    printf("PE %d of %d: sum %.0f\n", me, n, sum);

    shmem_finalize();
    return 0;
}
