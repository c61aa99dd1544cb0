/* Three jobs one after the other with a sum over all PEs in each, started by any process manager. With MPI, the first
 * argument says when that is initialised: 0 before the library and 1 within the first job, finalised after the last
 * one; 2 after the last one; 3 before the library, finalised before it. The second argument is the status with which
 * PE 1 ends the last job. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static long sum, own, arrived;

int main(int argc, char **argv)
{
    int order = argc > 1 ? atoi(argv[1]) : 0, status = argc > 2 ? atoi(argv[2]) : 0;
#ifdef WITH_MPI
    if (order == 0 || order == 3)
        MPI_Init(&argc, &argv);
#else
    (void)order;
#endif
    for (int job = 0; job < 3; job++) {
        shmem_init();
        int me = shmem_my_pe(), n = shmem_n_pes();
        own = me + 1;
        arrived = 0;
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &own, 1);
        shmem_long_atomic_inc(&arrived, 0);
        shmem_barrier_all();
        if (me == 0)
            printf("job %d: %ld of %d PEs arrived, sum %ld\n", job, arrived, n, sum);
#ifdef WITH_MPI
        if (job == 0 && order == 1)
            MPI_Init(&argc, &argv);
        if (order != 2) {
            int rank;
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
            MPI_Barrier(MPI_COMM_WORLD);
            if (rank != me)
                printf("PE %d has rank %d\n", me, rank);
        }
        if (job == 2 && order == 3)
            MPI_Finalize();
#endif
        if (job == 2 && me == 1 && status)
            shmem_global_exit(status);
        shmem_finalize();
    }
#ifdef WITH_MPI
    if (order == 2)
        MPI_Init(&argc, &argv);
    if (order != 3)
        MPI_Finalize();
#endif
    return 0;
}
