/* Each PE writes four numbers into its neighbour's memory, and all of them count themselves on PE 0. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int next = (me + 1) % n, previous = (me + n - 1) % n;

    /* Symmetric memory: all PEs allocate the same, together, and each can reach everybody's. */
    int *inbox = shmem_malloc(4 * sizeof(int));
    uint64_t *arrived = shmem_calloc(1, sizeof(uint64_t));
    int *count = shmem_calloc(1, sizeof(int));

    /* The neighbour takes no part in the put. When it sees the signal, it sees the numbers too. */
    int numbers[4] = {10 * me, 10 * me + 1, 10 * me + 2, 10 * me + 3};
    shmem_int_put_signal(inbox, numbers, 4, arrived, 1, SHMEM_SIGNAL_SET, next);
    shmem_signal_wait_until(arrived, SHMEM_CMP_EQ, 1);
    printf("PE %d of %d: PE %d sent %d %d %d %d\n", me, n, previous, inbox[0], inbox[1], inbox[2], inbox[3]);

    /* An atomic addition to PE 0's counter. After the barrier all of them have taken place. */
    shmem_int_atomic_add(count, 1, 0);
    shmem_barrier_all();
    if (me == 0)
        printf("PE 0 counted %d PEs\n", *count);

    shmem_free(count);
    shmem_free(arrived);
    shmem_free(inbox);
    shmem_finalize();
    return 0;
}
