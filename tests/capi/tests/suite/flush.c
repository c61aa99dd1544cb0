/* The PEs print one after the other, with a barrier after each line. Each round has another kind of barrier. */
#include <shmem.h>
#include <stdio.h>

static long psync[SHMEM_BARRIER_SYNC_SIZE];

int main(void) {
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    for (int kind = 0; kind < 5; kind++) {
        for (int pe = 0; pe < n; pe++) {
            if (pe == me) {
                printf("round %d, PE %d\n", kind, pe);
            }
            switch (kind) {
                case 0: shmem_barrier_all(); break;
                case 1: shmem_sync_all(); break;
                case 2: shmem_team_sync(SHMEM_TEAM_WORLD); break;
                case 3: shmem_barrier(0, 0, n, psync); break;
                case 4: shmem_sync(0, 0, n, psync); break;
            }
        }
    }
    shmem_finalize();
    return 0;
}
