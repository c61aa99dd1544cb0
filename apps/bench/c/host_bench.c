/* The host part of shmem-bench in plain C. It uses only names of OpenSHMEM itself, so that it builds with any library.
 *
 *   oshcc -O3 -o host_bench host_bench.c && oshrun -n 2 ./host_bench --impl NAME [--rounds N] [--smoke]
 *
 * Prints one JSON object per line on standard output, with the metric names, units and loops of `shmem-bench host`. PE 0 works with
 * PE 1. Several ways to do the same work take turns, and medians are reported. "limit" is the same work done by hand, where shmem_ptr
 * gives an address; shmem-bench measures it too, so it is printed only with --limit. */
#include "bench.h"

enum { SLOTS = 8, LINE = 8, CALLS = 20000, PINGPONGS = 2000, BARRIERS = 1000 };

static int limits = 0;
static volatile uint64_t sink;

static double median_difference(const double *a, const double *b) {
    static double difference[MAX_ROUNDS];
    for (int r = 0; r < rounds; r++) difference[r] = a[r] - b[r];
    return median(difference);
}

static void limit_row(const char *metric, const char *keys, double value, const char *unit) {
    if (limits) row_by("limit", metric, keys, value, unit);
}

/* Symmetric words, each in a cache line of its own, and the addresses of those on PE 1; null if the library does not map them. */
static uint64_t *slot[SLOTS], *sig, *flag;
static uint64_t *volatile mapped[SLOTS];

static double t_put[MAX_ROUNDS], t_p[MAX_ROUNDS], t_store[MAX_ROUNDS], t_rate[MAX_ROUNDS], t_get[MAX_ROUNDS],
    t_add[MAX_ROUNDS], t_signal[MAX_ROUNDS];

/* What programs do without OpenSHMEM 1.5: the signal is put after a fence. */
static void put_signal(uint64_t *to, const uint64_t *from, uint64_t value, int peer) {
#ifdef SHMEM_SIGNAL_SET
    shmem_putmem_signal(to, from, sizeof *from, sig, value, SHMEM_SIGNAL_SET, peer);
#else
    shmem_putmem(to, from, sizeof *from, peer);
    shmem_fence();
    shmem_uint64_p(sig, value, peer);
#endif
}

static void latencies(int peer) {
    const char *bytes = ",\"bytes\":8";
    const int n = steps(CALLS);
    shmem_barrier_all();
    if (me == 0) {
        for (int r = 0; r < rounds; r++) {
            double t = now_ns();
            for (int i = 0; i < n; i++) { uint64_t v = (uint64_t)i; shmem_put64(slot[i % SLOTS], &v, 1, peer); }
            t_put[r] = (now_ns() - t) / n;
            t = now_ns();
            for (int i = 0; i < n; i++) shmem_uint64_p(slot[i % SLOTS], (uint64_t)i, peer);
            t_p[r] = (now_ns() - t) / n;
            t = now_ns();
            for (int i = 0; mapped[0] && i < n; i++) *(volatile uint64_t *)mapped[i % SLOTS] = (uint64_t)i;
            t_store[r] = (now_ns() - t) / n;
            t = now_ns();
            for (int i = 0; i < n; i++) shmem_uint64_p(slot[i % SLOTS], (uint64_t)i, peer);
            shmem_quiet();
            t_rate[r] = (now_ns() - t) / n;
            t = now_ns();
            for (int i = 0; i < n; i++) { uint64_t v; shmem_get64(&v, slot[i % SLOTS], 1, peer); sink = v; }
            t_get[r] = (now_ns() - t) / n;
            t = now_ns();
            for (int i = 0; i < n; i++) sink = (uint64_t)shmem_long_atomic_fetch_add((long *)slot[i % SLOTS], 1, peer);
            t_add[r] = (now_ns() - t) / n;
            t = now_ns();
            for (int i = 0; i < n; i++) {
                uint64_t v = (uint64_t)i;
                put_signal(slot[i % SLOTS], &v, v, peer);
            }
            t_signal[r] = (now_ns() - t) / n;
        }
        if (mapped[0]) {
            row("host_put_store", bytes, median_difference(t_put, t_store), "ns");
            row("host_put_store", ",\"call\":\"p\",\"bytes\":8", median_difference(t_p, t_store), "ns");
            limit_row("host_put_hh", bytes, median(t_store), "ns");
        }
        row("host_put_hh", bytes, median(t_put), "ns");
        row("host_put_hh", ",\"call\":\"p\",\"bytes\":8", median(t_p), "ns");
        row("host_put_rate_hh", bytes, 1e3 / median(t_rate), "Mop/s");
        row("host_get_hh", bytes, median(t_get), "ns");
        row("host_fetch_add_hh", bytes, median(t_add), "ns");
        row("host_put_signal_hh", bytes, median(t_signal), "ns");
    }
    shmem_barrier_all();
}

/* The time from a put until the peer, which waits for the word, has seen it: half of a round trip. */
static void visible(int peer) {
    const int n = steps(PINGPONGS);
    uint64_t value = 0;
    *flag = 0;
    for (int r = 0; r < rounds; r++) {
        shmem_barrier_all();
        double t = now_ns();
        for (int i = 0; i < n; i++) {
            value++;
            if (me == 0) shmem_uint64_p(flag, value, peer);
            if (me == 0 || me == peer) shmem_uint64_wait_until(flag, SHMEM_CMP_EQ, value);
            if (me == peer) shmem_uint64_p(flag, value, 0);
        }
        t_put[r] = (now_ns() - t) / n / 2;
    }
    row("store_visible", ",\"bytes\":8", median(t_put), "ns");
}

static void sizes(int peer) {
    static const size_t all[] = {8, 64, 512, 4096, 32768, 262144, 1048576, 16777216};
    const size_t largest = all[sizeof all / sizeof *all - 1];
    char *heap = shmem_malloc(largest), *own = malloc(largest), keys[64];
    if (!heap || !own) { fprintf(stderr, "host_bench: no memory for %zu bytes\n", largest); shmem_global_exit(1); }
    memset(heap, 1, largest);
    memset(own, 1, largest);
    void *volatile by_hand = shmem_ptr(heap, peer);
    shmem_barrier_all();
    for (size_t k = 0; k < sizeof all / sizeof *all && me == 0; k++) {
        const size_t bytes = all[k];
        int n = (int)((4u << 20) / bytes);
        n = steps(n < 1 ? 1 : n > CALLS ? CALLS : n);
        for (int r = 0; r < rounds; r++) {
            double t = now_ns();
            for (int i = 0; i < n; i++) shmem_putmem(heap, own, bytes, peer);
            t_put[r] = (now_ns() - t) / n;
            t = now_ns();
            for (int i = 0; by_hand && i < n; i++) memcpy(by_hand, own, bytes);
            t_store[r] = (now_ns() - t) / n;
            t = now_ns();
            for (int i = 0; i < n; i++) shmem_getmem(own, heap, bytes, peer);
            t_get[r] = (now_ns() - t) / n;
        }
        snprintf(keys, sizeof keys, ",\"bytes\":%zu", bytes);
        row("host_put_bw_hh", keys, (double)bytes / median(t_put), "GB/s");
        if (by_hand) limit_row("host_put_bw_hh", keys, (double)bytes / median(t_store), "GB/s");
        if (bytes != 8) row("host_get_hh", keys, median(t_get), "ns");
    }
    shmem_barrier_all();
    free(own);
    shmem_free(heap);
}

static void barriers(void) {
    const int n = steps(BARRIERS);
    for (int r = 0; r < rounds; r++) {
        shmem_barrier_all();
        double t = now_ns();
        for (int i = 0; i < n; i++) shmem_barrier_all();
        t_put[r] = (now_ns() - t) / n;
    }
    row("host_barrier_all_hh", "", median(t_put) / 1e3, "us");
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--limit")) limits = 1;
        else if (!option(argc, argv, &i)) {
            fprintf(stderr, "usage: host_bench [--impl NAME] [--rounds N] [--limit] [--smoke]\n");
            return 2;
        }
    }
    double start = now_ns();
    shmem_init();
    double init = now_ns() - start;
    me = shmem_my_pe();
    pes = shmem_n_pes();
    row("init_ms", "", init / 1e6, "ms");
    if (pes < 2) {
        fprintf(stderr, "host_bench: needs at least 2 PEs\n");
        shmem_finalize();
        return 2;
    }
    uint64_t *words = shmem_malloc((SLOTS + 2) * LINE * sizeof *words);
    if (!words) { fprintf(stderr, "host_bench: no symmetric memory\n"); shmem_global_exit(1); }
    memset(words, 0, (SLOTS + 2) * LINE * sizeof *words);
    const int peer = 1;
    for (int i = 0; i < SLOTS; i++) {
        slot[i] = words + i * LINE;
        mapped[i] = shmem_ptr(slot[i], peer);
    }
    sig = words + SLOTS * LINE;
    flag = words + (SLOTS + 1) * LINE;
    shmem_barrier_all();
    for (start = now_ns(); !smoke && now_ns() - start < 200e6;) shmem_uint64_p(slot[0], 1, me == 0 ? peer : 0);
    latencies(peer);
    visible(peer);
    sizes(peer);
    barriers();
    shmem_free(words);
    shmem_finalize();
    return 0;
}
