/* Operations between two PEs of different nodes in plain C. It uses only names of OpenSHMEM itself, so that it builds with any library.
 *
 *   oshcc -O3 -o nodes_bench nodes_bench.c && oshrun -n 2 ./nodes_bench --impl NAME [--net NAME] [--rounds N] [--smoke]
 *
 * Prints one JSON object per line on standard output: the microseconds within which a tenth of the calls have returned, so that it says
 * something where other programs compete for the cores, too. It refuses PEs that share memory. While PE 0 puts, gets and adds, PE 1 waits
 * in a barrier, so it also serves libraries whose targets must call them. All results are checked. */
#include "bench.h"

/* Calls in a round. */
enum { CALLS = 16, LONG_CALLS = 4, LONG = 262144, LARGEST = 1 << 20, WORDS = LARGEST / 8 };

static const size_t sizes[] = {8, 4096, 65536, LARGEST};
static const char *net = "tcp";

/* Symmetric: what is put and gotten, the sources and destinations of reductions, and a word to count in. Private: the other end. */
static uint64_t *data, *own;
static long *source, *sums, *counter;
/* What each call took. */
static double times[MAX_ROUNDS * CALLS];

static void nodes_row(const char *metric, size_t bytes, int calls) {
    char keys[96] = "";
    int length = bytes ? snprintf(keys, sizeof keys, ",\"bytes\":%zu", bytes) : 0;
    snprintf(keys + length, sizeof keys - (size_t)length, ",\"net\":\"%s\"", net);
    if (me) return;
    qsort(times, (size_t)calls, sizeof *times, by_value);
    row(metric, keys, times[calls / 10] / 1e3, "us");
}

static void wrong(const char *what, size_t bytes) {
    fprintf(stderr, "nodes_bench: %s of %zu bytes: PE %d found a wrong word\n", what, bytes, me);
    shmem_global_exit(1);
}

static void check(const char *what, const uint64_t *words, size_t bytes, uint64_t first) {
    for (size_t k = 0; k < bytes / 8; k++)
        if (words[k] != first + k) wrong(what, bytes);
}

static void fill(uint64_t first) {
    for (size_t k = 0; k < WORDS; k++) own[k] = first + k;
}

static int calls(size_t bytes) { return smoke ? 4 : rounds * (bytes < LONG ? CALLS : LONG_CALLS); }

/* A put that has arrived when its time is up. */
static void put(size_t bytes) {
    const int n = calls(bytes);
    fill(bytes);
    shmem_barrier_all();
    for (int i = 0; me == 0 && i < n; i++) {
        double t = now_ns();
        shmem_putmem(data, own, bytes, 1);
        shmem_quiet();
        times[i] = now_ns() - t;
    }
    shmem_barrier_all();
    if (me == 1) check("a put", data, bytes, bytes);
    nodes_row("nodes_put_quiet", bytes, n);
}

/* Gets what the put of this size has left there. */
static void get(size_t bytes) {
    const int n = calls(bytes);
    fill(0);
    shmem_barrier_all();
    for (int i = 0; me == 0 && i < n; i++) {
        double t = now_ns();
        shmem_getmem(own, data, bytes, 1);
        times[i] = now_ns() - t;
    }
    if (me == 0) check("a get", own, bytes, bytes);
    shmem_barrier_all();
    nodes_row("nodes_get", bytes, n);
}

static void fetch_add(void) {
    const int n = calls(8);
    *counter = 0;
    shmem_barrier_all();
    for (int i = 0; me == 0 && i < n; i++) {
        double t = now_ns();
        long before = shmem_long_atomic_fetch_add(counter, 1, 1);
        times[i] = now_ns() - t;
        if (before != i) wrong("a fetch-add", 8);
    }
    shmem_barrier_all();
    if (me == 1 && *counter != n) wrong("a fetch-add", 8);
    nodes_row("nodes_fetch_add", 8, n);
}

static void barrier(void) {
    const int n = calls(8);
    shmem_barrier_all();
    for (int i = 0; i < n; i++) {
        double t = now_ns();
        shmem_barrier_all();
        times[i] = now_ns() - t;
    }
    nodes_row("nodes_barrier_all", 0, n);
}

#if !TEAMS
/* Two of each: a call may begin while another PE is still in the one before. */
static long *sync_words, *work;
#endif

/* No PE returns before both have called, so two destinations in turn are enough. */
static void sum(int i, size_t elements) {
    long *to = sums + (size_t)(i % 2) * WORDS;
#if TEAMS
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, source, elements);
#else
    shmem_long_sum_to_all(to, source, (int)elements, 0, 0, pes, work + (size_t)(i % 2) * WORDS,
                          sync_words + (size_t)(i % 2) * SHMEM_REDUCE_SYNC_SIZE);
#endif
}

static void reduce(size_t bytes) {
    const int n = calls(bytes);
    memset(sums, 0, 2 * LARGEST);
    shmem_barrier_all();
    for (int i = 0; i < n; i++) {
        double t = now_ns();
        sum(i, bytes / 8);
        times[i] = now_ns() - t;
    }
    for (size_t k = 0; k < bytes / 8; k++)
        if (sums[k] != (long)(2 * k + 1) || sums[WORDS + k] != (long)(2 * k + 1)) wrong("a sum", bytes);
    shmem_barrier_all();
    nodes_row("nodes_sum_reduce", bytes, n);
}

static void *symmetric(size_t bytes) {
    void *memory = shmem_malloc(bytes);
    if (!memory) { fprintf(stderr, "nodes_bench: no symmetric memory\n"); shmem_global_exit(1); }
    memset(memory, 0, bytes);
    return memory;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "--net") && i + 1 < argc) net = argv[++i];
        else if (!option(argc, argv, &i)) {
            fprintf(stderr, "usage: nodes_bench [--impl NAME] [--net NAME] [--rounds N] [--smoke]\n");
            return 2;
        }
    shmem_init();
    me = shmem_my_pe();
    pes = shmem_n_pes();
    data = symmetric(LARGEST);
    counter = symmetric(64);
    source = symmetric(LARGEST);
    sums = symmetric(2 * LARGEST);
    own = malloc(LARGEST);
    if (!own) { fprintf(stderr, "nodes_bench: no memory\n"); shmem_global_exit(1); }
    if (pes != 2 || shmem_ptr(data, 1 - me)) {
        if (me == 0) fprintf(stderr, "nodes_bench: needs two PEs that share no memory\n");
        shmem_global_exit(2);
    }
#if !TEAMS
    work = symmetric(2 * LARGEST);
    sync_words = symmetric(2 * SHMEM_REDUCE_SYNC_SIZE * sizeof *sync_words);
    for (int i = 0; i < 2 * SHMEM_REDUCE_SYNC_SIZE; i++) sync_words[i] = SHMEM_SYNC_VALUE;
#endif
    for (size_t k = 0; k < WORDS; k++) source[k] = me + (long)k;
    shmem_barrier_all();
    /* Makes the connections, and wakes the cores. */
    for (double start = now_ns(); me == 0 && !smoke && now_ns() - start < 200e6;) {
        shmem_putmem(data, own, 8, 1);
        shmem_quiet();
    }
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        put(sizes[k]);
        get(sizes[k]);
    }
    fetch_add();
    barrier();
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) reduce(sizes[k]);
    shmem_finalize();
    return 0;
}
