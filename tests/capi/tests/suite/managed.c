/* Three jobs one after the other with a sum over all PEs in each, started by any process manager. With MPI, the first
 * argument says when that is initialised: 0 before the library and 1 within the first job, finalised after the last
 * one; 2 after the last one; 3 before the library, finalised within the first job. Without MPI, 4 says that PE 0 goes on
 * until PE 1 has ended. The second argument is the status with which PE 1 ends the last job. */
#define _POSIX_C_SOURCE 200809L
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

static long sum, own, arrived, second;

/* Waits, 20 s at most, until a process of this host has ended, and for half a second more, in which a manager that takes
 * its end for a failure would end this process. Nobody may have asked how it ended: then it is still there, as a
 * zombie. */
static void outlive(long process)
{
    char name[64], line[512];
    struct timespec pause = {0, 10000000}, longer = {0, 500000000};
    snprintf(name, sizeof name, "/proc/%ld/stat", process);
    for (int looks = 0; looks < 2000; looks++) {
        FILE *file = fopen(name, "r");
        char *state = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
        if (file)
            fclose(file);
        if (!state || state[2] == 'Z') {
            nanosleep(&longer, NULL);
            printf("PE 0 is left\n");
            return;
        }
        nanosleep(&pause, NULL);
    }
}

int main(int argc, char **argv)
{
    int order = argc > 1 ? atoi(argv[1]) : 0, status = argc > 2 ? atoi(argv[2]) : 0;
#ifdef WITH_MPI
    if (order == 0 || order == 3)
        MPI_Init(&argc, &argv);
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
        if (order < 2 || (order == 3 && job == 0)) {
            int rank;
            MPI_Comm_rank(MPI_COMM_WORLD, &rank);
            MPI_Barrier(MPI_COMM_WORLD);
            if (rank != me)
                printf("PE %d has rank %d\n", me, rank);
        }
        if (job == 0 && order == 3)
            MPI_Finalize();
#endif
        if (me == 1)
            shmem_long_p(&second, (long)getpid(), 0);
        if (job == 2 && me == 1 && status)
            shmem_global_exit(status);
        shmem_finalize();
        if (job == 2 && order == 4 && me == 0)
            outlive(second);
    }
#ifdef WITH_MPI
    if (order == 2)
        MPI_Init(&argc, &argv);
    if (order != 3)
        MPI_Finalize();
#endif
    return 0;
}
