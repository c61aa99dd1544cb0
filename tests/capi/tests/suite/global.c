/* Adds atomically to a global of the other PE, which is possible only if globals are in shared memory. */
#include <shmem.h>
#include <stdio.h>

static long count;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_long_atomic_add(&count, me + 1, (me + 1) % n);
    shmem_barrier_all();
    printf("PE %d: %ld\n", me, count);
    shmem_finalize();
    return 0;
}
