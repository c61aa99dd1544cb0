/* 9.1 shmem_global_exit: one PE ends the job, whatever the others do, and what was printed is not lost. */
#include "check.h"

int main(int argc, char **argv)
{
    begin();
    int status = argc > 1 ? atoi(argv[1]) : 0;
    printf("PE %d was here\n", me);
    /* All PEs have printed, and none flushes. */
    shmem_barrier_all();
    if (me == npes - 1)
        shmem_global_exit(status); /* 9.1.6-1 */
    for (;;)
        shmem_barrier_all();
}
