/* Host memory that the program allocated itself, registered for one PE and for all PEs. */
#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WANT(WHAT)                                                                                                     \
    if (!(WHAT)) {                                                                                                     \
        fprintf(stderr, "line %d: %s\n", __LINE__, #WHAT);                                                             \
        shmem_global_exit(1);                                                                                          \
    }

int main(void)
{
    enum { N = 5000 };
    shmem_init();
    int me = shmem_my_pe(), pe = (me + 1) % shmem_n_pes();
    /* At a different address on each PE. */
    long *all = malloc((N + 100) * sizeof *all), *mine = all + me;
    WANT(shmemx_buffer_register_symmetric(mine, N * sizeof *mine, 0) == mine)
    for (int i = 0; i < N; i++)
        mine[i] = -1;
    shmem_barrier_all();
    for (int i = 0; i < N; i += 100) {
        long values[100];
        for (int j = 0; j < 100; j++)
            values[j] = 10000L * me + i + j;
        shmem_long_put(mine + i, values, 100, pe);
    }
    shmem_barrier_all();
    long back[N];
    shmem_getmem(back, mine, sizeof back, me);
    for (int i = 0; i < N; i++)
        WANT(back[i] == 10000L * ((me + shmem_n_pes() - 1) % shmem_n_pes()) + i)
    WANT(shmem_long_g(mine + 7, pe) == 10000L * me + 7)
    shmem_barrier_all();
    WANT(shmemx_buffer_unregister_symmetric(mine, N * sizeof *mine) == 0)
    WANT(shmemx_buffer_unregister_symmetric(mine, N * sizeof *mine) == 1)

    WANT(shmemx_buffer_register(mine, N * sizeof *mine) == 0)
    WANT(shmemx_buffer_register(mine + 1, 8) == 1)
    long *object = shmem_malloc(N * sizeof *object);
    shmem_putmem(object, mine, N * sizeof *mine, pe);
    shmem_barrier_all();
    WANT(object[7] == 10000L * ((me + 2 * shmem_n_pes() - 2) % shmem_n_pes()) + 7)
    WANT(shmemx_buffer_unregister(mine) == 0)
    WANT(shmemx_buffer_unregister(mine) == 1)
    /* Its last page has no end. The GPU is what would pin it. */
    shmem_free(shmemx_malloc_gpu(8));
    WANT(shmemx_buffer_register((void *)(UINTPTR_MAX - 4000), 100) == 1)
    free(all);
    printf("PE %d of %d: right\n", me, shmem_n_pes());
    shmem_finalize();
}
