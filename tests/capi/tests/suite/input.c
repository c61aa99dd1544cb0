/* Joins, waits until its standard input ends, and then uses the library once more. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    shmem_barrier_all();
    if (me == 0) {
        printf("joined\n");
        fflush(stdout);
        while (getchar() != EOF)
            ;
    }
    shmem_barrier_all();
    if (me == 0)
        printf("left\n");
    shmem_finalize();
    return 0;
}
