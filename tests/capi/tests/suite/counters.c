/* Makes a known number of operations, and prints what the library has counted of them. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 8 };

static void print(const char *operation, const char *path)
{
    uint64_t counts[3] = { 0 };
    if (shmemx_counters_get(operation, path, counts) != 0)
        printf("PE %d: %s by %s: nothing\n", shmem_my_pe(), operation, path ? path : "all");
    else
        printf("PE %d: %s by %s: %" PRIu64 ", %" PRIu64 " bytes%s\n", shmem_my_pe(), operation, path ? path : "all",
               counts[0], counts[1], counts[0] > 0 && counts[2] == 0 ? ", no time" : "");
}

int main(void)
{
    shmem_init();
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    long *grown = shmem_malloc(8);
    long *box = shmem_calloc(WORDS, sizeof *box), *all = shmem_calloc(WORDS, sizeof *all);
    uint64_t *signal = shmem_calloc(1, sizeof *signal), *splits = shmem_calloc(WORDS, sizeof *splits);
    long words[WORDS] = { 0 }, old;
    for (int i = 0; i < 10; i++)
        shmem_long_put(box, words, WORDS, next);
    for (int i = 0; i < 5; i++)
        shmem_long_p(box, i, next);
    for (int i = 0; i < 3; i++)
        shmem_long_put_nbi(box, words, 2, next);
    shmem_long_iput(box, words, 2, 1, 3, next);
    for (int i = 0; i < 4; i++)
        shmem_long_get(words, box, WORDS, next);
    words[0] = shmem_long_g(box, next);
    for (int i = 0; i < 7; i++)
        shmem_long_atomic_add(box, 1, next);
    for (int i = 0; i < 2; i++)
        words[1] = shmem_long_atomic_fetch_add(box, 1, next);
    shmem_long_atomic_fetch_nbi(&old, box, next);
    for (int i = 0; i < 6; i++)
        shmem_long_put_signal(box, words, WORDS, signal, 1, SHMEM_SIGNAL_ADD, next);
    shmem_signal_wait_until(signal, SHMEM_CMP_EQ, 6);
    shmem_fence();
    shmem_quiet();
    shmem_quiet();
    for (int i = 0; i < 3; i++)
        shmem_barrier_all();
    shmem_long_broadcast(SHMEM_TEAM_WORLD, all, box, WORDS, 0);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, all, box, WORDS);
    shmemx_alltoallmemv(SHMEM_TEAM_WORLD, all, box, splits + WORDS / 2, splits, 1, sizeof *box);
    for (int i = 0; i < 2; i++)
        shmem_sync_all();
    /* The object behind it is in the way, so it moves. */
    if (shmem_realloc(grown, 4096) == grown)
        printf("it did not move\n");
    /* What a child does is not counted. */
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        shmem_long_p(box, 1, shmem_my_pe());
        _exit(0);
    }
    waitpid(child, NULL, 0);
    static const char *const operations[] = { "put", "get", "atomic", "put-signal", "fence", "quiet",
                                              "barrier", "sync", "broadcast", "alltoall", "reduce", "allocate" };
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        print(operations[i], NULL);
    print("put", "mapped");
    print("put", "nic");
    print("puts", NULL);
    print("put", "pigeon");
    shmem_finalize();
    return 0;
}
