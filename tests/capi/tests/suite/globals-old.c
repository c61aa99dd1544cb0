/* A program in the old style: every symmetric object is a global. With the argument "barriers", it calls no collective
 * that moves data. */
#define SHMEM_NO_DEPRECATED
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#define MANY 5000

static long pSync[SHMEM_REDUCE_SYNC_SIZE], pSync2[SHMEM_BCAST_SYNC_SIZE], pSync3[SHMEM_COLLECT_SYNC_SIZE];
static long pWrk[MANY / 2 + 1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE];
static long source[MANY], dest[MANY], gathered[16 * 3];
static int wrong;

static void check(int condition, const char *what)
{
    if (!condition) {
        printf("wrong: %s\n", what);
        wrong++;
    }
}

int main(int argc, char **argv)
{
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        pSync[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_BCAST_SYNC_SIZE; i++)
        pSync2[i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_COLLECT_SYNC_SIZE; i++)
        pSync3[i] = SHMEM_SYNC_VALUE;
    start_pes(0);
    int me = _my_pe(), n = _num_pes();
    long sum = (long)n * (n - 1) / 2;
    shmem_barrier(0, 0, n, pSync);
    if (argc > 1 && !strcmp(argv[1], "barriers")) {
        printf("PE %d of %d: %d wrong\n", me, n, wrong);
        return 0;
    }
    for (int count = 1; count <= MANY; count += MANY - 1) {
        for (int i = 0; i < count; i++)
            source[i] = me + i;
        shmem_barrier_all();
        shmem_long_sum_to_all(dest, source, count, 0, 0, n, pWrk, pSync);
        int right = 1;
        for (int i = 0; i < count; i++)
            right &= dest[i] == sum + (long)n * i;
        check(right, "sum_to_all");
        shmem_barrier_all();
        shmem_broadcast64(dest, source, (size_t)count, n - 1, 0, 0, n, pSync2);
        right = 1;
        for (int i = 0; i < count && me != n - 1; i++)
            right &= dest[i] == n - 1 + i;
        check(right, "broadcast64");
        shmem_barrier_all();
        check(!shmem_long_sum_reduce(SHMEM_TEAM_WORLD, source, source, (size_t)count) && source[0] == sum, "sum_reduce in place");
        shmem_barrier_all();
    }
    source[0] = 10 * me;
    source[1] = source[2] = 10 * me + 1;
    shmem_barrier_all();
    shmem_fcollect64(gathered, source, 3, 0, 0, n, pSync3);
    for (int pe = 0; pe < n; pe++)
        check(gathered[3 * pe] == 10 * pe && gathered[3 * pe + 2] == 10 * pe + 1, "fcollect64");
    shmem_barrier_all();
    shmem_long_collect(SHMEM_TEAM_WORLD, gathered, source, me == 0 ? 2 : 1);
    check(gathered[0] == 0 && gathered[1] == 1 && (n == 1 || gathered[n] == 10 * (n - 1)), "collect");
    /* A global at one end and the heap at the other. */
    long *heap = shmem_malloc(sizeof dest);
    shmem_barrier_all();
    shmem_long_max_reduce(SHMEM_TEAM_WORLD, heap, source, 2);
    check(heap[0] == 10 * (n - 1), "max_reduce to the heap");
    shmem_barrier_all();
    shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, heap, 1, 0);
    check(dest[0] == 10 * (n - 1), "broadcast from the heap");
    shmem_free(heap);
    printf("PE %d of %d: %d wrong\n", me, n, wrong);
    shmem_finalize();
    return wrong != 0;
}
