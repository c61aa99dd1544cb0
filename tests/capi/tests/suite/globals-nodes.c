/* Globals in a job of several nodes. The first argument is a use of PE 0's globals by PE 1, or by all PEs, that may be
 * refused; or "teams": the PEs of each node form a team; or "pairs": PEs 0 and 2 run one executable, PEs 1 and 3
 * another. */
#define SHMEM_NO_DEPRECATED
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#define MANY 3000

static long source[MANY], dest[MANY], all[8 * MANY], counter, lock;
static long sync_words[SHMEM_SYNC_SIZE];
static uint64_t sig;
static int wrong;

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("PE %d: line %d: %s\n", shmem_my_pe(), __LINE__, #condition);                                       \
            wrong++;                                                                                                   \
        }                                                                                                              \
    } while (0)

static void collectives(shmem_team_t team)
{
    int size = shmem_team_n_pes(team), me = shmem_team_my_pe(team);
    for (size_t count = 1; count <= MANY; count += MANY - 1) {
        for (size_t i = 0; i < count; i++)
            source[i] = 10000 * me + (long)i;
        shmem_team_sync(team);
        CHECK(!shmem_long_sum_reduce(team, dest, source, count));
        CHECK(dest[count - 1] == 5000L * size * (size - 1) + size * ((long)count - 1));
        shmem_team_sync(team);
        CHECK(!shmem_long_broadcast(team, dest, source, count, size - 1));
        CHECK(dest[0] == 10000 * (size - 1) && dest[count - 1] == dest[0] + (long)count - 1);
        CHECK(!shmem_long_fcollect(team, all, source, count));
        for (int pe = 0; pe < size; pe++)
            CHECK(all[(size_t)pe * count] == 10000 * pe && all[((size_t)pe + 1) * count - 1] == 10000 * pe + (long)count - 1);
        shmem_team_sync(team);
    }
}

/* Works with the PE of another node that has the same globals. */
static void pairs(int me)
{
    int peer = me ^ 2, stranger = me ^ 3;
    shmem_team_t teams[2];
    for (int first = 0; first < 2; first++)
        shmem_team_split_strided(SHMEM_TEAM_WORLD, first, 2, 2, NULL, 0, &teams[first]);
    CHECK(shmem_addr_accessible(dest, peer) && !shmem_addr_accessible(dest, stranger));
    for (int i = 0; i < MANY; i++)
        source[i] = 10000 * me + i;
    shmem_long_put(dest, source, MANY, peer);
    for (int i = 0; i < 200; i++)
        CHECK(shmem_long_atomic_fetch_inc(&counter, peer) == i);
    shmem_long_put_signal(all, source, MANY, &sig, 1, SHMEM_SIGNAL_ADD, peer);
    CHECK(shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1) == 1 && all[MANY - 1] == 10000 * peer + MANY - 1);
    shmem_barrier_all();
    CHECK(counter == 200 && dest[0] == 10000 * peer && dest[MANY - 1] == 10000 * peer + MANY - 1);
    shmem_long_get(all, source, MANY, peer);
    CHECK(all[0] == 10000 * peer && all[MANY - 1] == 10000 * peer + MANY - 1);
    shmem_barrier_all();
    collectives(teams[me % 2]);
}

static void by_all(const char *name, long *heap)
{
    if (!strcmp(name, "reduce"))
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, heap, source, 1);
    else if (!strcmp(name, "broadcast"))
        shmem_long_broadcast(SHMEM_TEAM_WORLD, dest, heap, 1, 0);
    else if (!strcmp(name, "collect"))
        shmem_long_collect(SHMEM_TEAM_WORLD, heap, source, 1);
    else if (!strcmp(name, "fcollect"))
        shmem_long_fcollect(SHMEM_TEAM_WORLD, dest, heap, 1);
    else if (!strcmp(name, "alltoall"))
        shmem_long_alltoall(SHMEM_TEAM_WORLD, dest, heap, 1);
    else if (!strcmp(name, "active-set"))
        shmem_broadcast64(dest, heap, 1, 0, 0, 0, 2, sync_words);
}

static void by_one(const char *name, long *heap)
{
    long value[8] = {1};
    if (!strcmp(name, "put"))
        shmem_long_put(dest, source, MANY, 0);
    else if (!strcmp(name, "put-nbi"))
        shmem_long_put_nbi(dest, source, MANY, 0);
    else if (!strcmp(name, "get"))
        shmem_long_get(value, dest, 1, 0);
    else if (!strcmp(name, "get-nbi"))
        shmem_long_get_nbi(source, dest, MANY, 0);
    else if (!strcmp(name, "p"))
        shmem_long_p(dest, 1, 0);
    else if (!strcmp(name, "g"))
        shmem_long_g(dest, 0);
    else if (!strcmp(name, "iput"))
        shmem_long_iput(dest, value, 2, 1, 4, 0);
    else if (!strcmp(name, "iget"))
        shmem_long_iget(value, dest, 1, 2, 4, 0);
    else if (!strcmp(name, "ibput"))
        shmem_long_ibput(dest, value, 4, 2, 2, 2, 0);
    else if (!strcmp(name, "inc"))
        shmem_long_atomic_inc(&counter, 0);
    else if (!strcmp(name, "fetch"))
        shmem_long_atomic_fetch(&counter, 0);
    else if (!strcmp(name, "set"))
        shmem_long_atomic_set(&counter, 1, 0);
    else if (!strcmp(name, "fetch-add-nbi"))
        shmem_long_atomic_fetch_add_nbi(value, &counter, 1, 0);
    else if (!strcmp(name, "put-signal"))
        shmem_long_put_signal(dest, value, 1, (uint64_t *)heap, 1, SHMEM_SIGNAL_SET, 0);
    else if (!strcmp(name, "signal"))
        shmem_long_put_signal(heap, value, 1, &sig, 1, SHMEM_SIGNAL_SET, 0);
    else if (!strcmp(name, "signal-add"))
        shmem_signal_add(&sig, 1, 0);
    else if (!strcmp(name, "lock"))
        shmem_set_lock(&lock);
}

int main(int argc, char **argv)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long *heap = shmem_calloc(8, sizeof(long));
    (void)argc;
    if (!strcmp(argv[1], "teams"))
        collectives(SHMEM_TEAM_SHARED);
    else if (!strcmp(argv[1], "pairs"))
        pairs(me);
    else {
        by_all(argv[1], heap);
        if (me == 1)
            by_one(argv[1], heap);
    }
    shmem_barrier_all();
    printf("PE %d of %d: %d wrong\n", me, n, wrong);
    shmem_free(heap);
    shmem_finalize();
    return wrong != 0;
}
