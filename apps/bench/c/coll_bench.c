/* Collectives in plain C. It uses only names of OpenSHMEM itself, so that it builds with any library.
 *
 *   oshcc -O3 -o coll_bench coll_bench.c && oshrun -n 2 ./coll_bench --impl NAME [--rounds N] [--smoke]
 *
 * Prints one JSON object per line on standard output: microseconds per call, for calls one after the other without barriers in between.
 * Libraries of OpenSHMEM 1.5 and later are called with the world's team, older ones with the active set of all PEs.
 *
 * A destination must be ready on all PEs before any PE calls. In every collective but broadcast, no PE returns before all PEs have
 * called, so two destinations in turn are enough. The root of broadcast number i is PE i modulo n. So each call waits for the one
 * before, and n destinations in turn are enough: when a PE is root again, each other PE has been root since, and so has returned from
 * the earlier call. */
#include "bench.h"

enum { LEAVES_ROOT = !TEAMS }; /* Whether a broadcast leaves the root's destination as it is. */

enum { CALLS = 1000, LARGEST = 1 << 20 };

static uint64_t *source, *dest;
static double times[MAX_ROUNDS];

#if !TEAMS
/* One call at a time uses each of them, as with the destinations. */
enum { SYNC_WORDS = 1024 };
static long *sync_words;
static long *work;
static long *sync_of(int i) { return sync_words + (size_t)i * SYNC_WORDS; }
#endif

typedef void call(int i, size_t elements);

/* Destination number `i` of `bytes` bytes; destinations are a cache line apart. */
static void *to(int i, size_t bytes) { return (char *)dest + (size_t)i * (bytes + 64); }

static void broadcast(int i, size_t elements) {
    const int root = i % pes;
#if TEAMS
    shmem_uint64_broadcast(SHMEM_TEAM_WORLD, to(root, elements * 8), source, elements, root);
#else
    shmem_broadcast64(to(root, elements * 8), source, elements, root, 0, 0, pes, sync_of(root));
#endif
}

static void sum(int i, size_t elements) {
#if TEAMS
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to(i % 2, elements * 8), (long *)source, elements);
#else
    long *scratch = work + (size_t)(i % 2) * (LARGEST / 8);
    shmem_long_sum_to_all(to(i % 2, elements * 8), (long *)source, (int)elements, 0, 0, pes, scratch, sync_of(i % 2));
#endif
}

static void alltoall(int i, size_t elements) {
    void *there = to(i % 2, elements * 8 * (size_t)pes);
#if TEAMS
    shmem_uint64_alltoall(SHMEM_TEAM_WORLD, there, source, elements);
#else
    shmem_alltoall64(there, source, elements, 0, 0, pes, sync_of(i % 2));
#endif
}

static void fcollect(int i, size_t elements) {
    void *there = to(i % 2, elements * 8 * (size_t)pes);
#if TEAMS
    shmem_uint64_fcollect(SHMEM_TEAM_WORLD, there, source, elements);
#else
    shmem_fcollect64(there, source, elements, 0, 0, pes, sync_of(i % 2));
#endif
}

static void barrier(int i, size_t elements) {
    (void)i;
    (void)elements;
    shmem_barrier_all();
}

/* What element `k` of block `j` of the last call's destination must be; a block is the contribution of one PE. */
static uint64_t expected(call *one, uint64_t j, uint64_t k, uint64_t elements) {
    const uint64_t n = (uint64_t)pes;
    if (one == broadcast) return n - 1 + k;
    if (one == sum) return n * k + n * (n - 1) / 2;
    if (one == alltoall) return j + (uint64_t)me * elements + k;
    return j + k;
}

static void check(const char *metric, call *one, int last, uint64_t elements) {
    const int all = one == alltoall || one == fcollect, place = one == broadcast ? last % pes : last % 2;
    const uint64_t blocks = all ? (uint64_t)pes : 1, *found = to(place, elements * 8 * blocks);
    if (one == broadcast && LEAVES_ROOT && place == me) return;
    for (uint64_t j = 0; j < blocks; j++)
        for (uint64_t k = 0; k < elements; k++)
            if (found[j * elements + k] != expected(one, j, k, elements)) {
                fprintf(stderr, "coll_bench: %s: PE %d: block %d, element %d is wrong\n", metric, me, (int)j, (int)k);
                shmem_global_exit(1);
            }
}

static void measure(const char *metric, call *one, size_t bytes) {
    char keys[64] = "";
    const size_t n = bytes > 4096 ? (size_t)CALLS * 4096 / bytes : CALLS;
    /* A multiple of the number of roots and of both destinations. */
    const int count = (smoke ? 1 : 1 + (int)n / (2 * pes)) * 2 * pes;
    for (int r = 0; r < rounds; r++) {
        shmem_barrier_all();
        double t = now_ns();
        for (int i = 0; i < count; i++) one(i, bytes / 8);
        times[r] = (now_ns() - t) / count;
        shmem_barrier_all();
    }
    if (bytes) check(metric, one, count - 1, bytes / 8);
    if (bytes) snprintf(keys, sizeof keys, ",\"bytes\":%zu", bytes);
    row(metric, keys, median(times) / 1e3, "us");
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!option(argc, argv, &i)) {
            fprintf(stderr, "usage: coll_bench [--impl NAME] [--rounds N] [--smoke]\n");
            return 2;
        }
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    const size_t room = (size_t)(pes + 1) * (LARGEST + 64);
    source = shmem_malloc(LARGEST * 2);
    dest = shmem_malloc(room > 2 * (LARGEST + 64) ? room : 2 * (LARGEST + 64));
    if (!source || !dest) { fprintf(stderr, "coll_bench: no symmetric memory\n"); shmem_global_exit(1); }
    for (int i = 0; i < LARGEST / 8; i++) source[i] = (uint64_t)(me + i);
    memset(dest, 0, room);
#if !TEAMS
    sync_words = shmem_malloc((size_t)(pes + 1) * SYNC_WORDS * sizeof *sync_words);
    work = shmem_malloc(LARGEST * 2);
    if (!sync_words || !work) { fprintf(stderr, "coll_bench: no symmetric memory\n"); shmem_global_exit(1); }
    for (int i = 0; i < (pes + 1) * SYNC_WORDS; i++) sync_words[i] = SHMEM_SYNC_VALUE;
#endif
    shmem_barrier_all();
    for (double start = now_ns(); !smoke && now_ns() - start < 200e6;) continue;
    measure("host_barrier_all_hh", barrier, 0);
    measure("host_broadcast_hh", broadcast, 8);
    measure("host_broadcast_hh", broadcast, 65536);
    measure("host_sum_reduce_hh", sum, 8);
    measure("host_sum_reduce_hh", sum, 65536);
    measure("host_sum_reduce_hh", sum, 1048576);
    measure("host_alltoall_hh", alltoall, 8);
    measure("host_alltoall_hh", alltoall, 16384);
    measure("host_fcollect_hh", fcollect, 8);
    measure("host_fcollect_hh", fcollect, 65536);
    shmem_finalize();
    return 0;
}
