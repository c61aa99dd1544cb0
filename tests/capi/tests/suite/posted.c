/* Atomic operations without a result, and non-blocking ones, between nodes: sums, orders and, with the argument
   "burst", operations on a PE that is stopped. */
#define _GNU_SOURCE
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LEN = 700, ROUNDS = 40, TIMES = 2000, BURST = 200, FETCHED = 40 };

static long counter, all, back, data[LEN], source[LEN];
static uint64_t announced;
static unsigned bits;
static int process;
static int wrong;

static void expect(int right, const char *what, long round) {
    if (!right && ++wrong < 10)
        fprintf(stderr, "%s, round %ld\n", what, round);
}

static void send(long value) {
    for (int i = 0; i < LEN; i++)
        source[i] = value;
}

static void expect_data(long value, const char *what) {
    int right = 1;
    for (int i = 0; i < LEN; i++)
        right &= data[i] == value;
    expect(right, what, value);
}

/* Additions of all PEs to one word, and to a word of each PE. */
static void sums(int n) {
    for (long i = 0; i < TIMES; i++) {
        shmem_long_atomic_add(&all, 1, i % n);
        shmem_long_atomic_inc(&counter, n - 1);
    }
    shmem_barrier_all();
    long sum = 0;
    for (int pe = 0; pe < n; pe++)
        sum += shmem_long_g(&all, pe);
    expect(sum == (long)n * TIMES, "sum of all", sum);
    sum = shmem_long_g(&counter, n - 1);
    expect(sum == (long)n * TIMES, "sum of one", sum);
    shmem_barrier_all();
    counter = 0;
    shmem_barrier_all();
}

/* Put, fence, add; put with a signal that is added to. */
static void announcements(int me, int last) {
    for (long round = 1; round <= ROUNDS; round++) {
        if (me == 0) {
            send(round);
            shmem_long_put_nbi(data, source, LEN, last);
            shmem_fence();
            shmem_long_atomic_add(&counter, 1, last);
            shmem_long_wait_until(&back, SHMEM_CMP_GE, 2 * round - 1);
            send(-round);
            shmem_long_put_signal(data, source, LEN, &announced, 1, SHMEM_SIGNAL_ADD, last);
            shmem_long_wait_until(&back, SHMEM_CMP_GE, 2 * round);
        } else if (me == last) {
            shmem_long_wait_until(&counter, SHMEM_CMP_GE, round);
            expect_data(round, "behind a fence");
            shmem_long_atomic_add(&back, 1, 0);
            shmem_signal_wait_until(&announced, SHMEM_CMP_GE, round);
            expect_data(-round, "before a signal");
            shmem_long_atomic_set(&back, 2 * round, 0);
        }
    }
    shmem_barrier_all();
}

/* Results show the operations before them; a quiet completes them. */
static void results(int last) {
    for (unsigned round = 0; round < 100; round++) {
        shmem_uint_atomic_xor(&bits, 1u << round % 32, last);
        for (unsigned i = 0; i < round % 5; i++)
            shmem_uint_atomic_add(&bits, 0, last);
        expect(shmem_uint_atomic_swap(&bits, 0, last) == 1u << round % 32, "swap", round);
        shmem_uint_atomic_or(&bits, 7, last);
        expect(shmem_uint_atomic_fetch(&bits, last) == 7, "fetch", round);
        shmem_uint_atomic_and(&bits, 0, last);
        shmem_quiet();
        expect(shmem_uint_g(&bits, last) == 0, "after a quiet", round);
    }
}

/* PE 0 posts additions to PE 1, which is stopped until they are posted; some of them want the old value. */
static void burst(int me) {
    process = getpid();
    shmem_barrier_all();
    if (me == 0) {
        long before[FETCHED], found = -1, value = -1;
        int other = shmem_int_g(&process, 1);
        kill(other, SIGSTOP);
        for (int i = 0; i < BURST; i++)
            shmem_long_atomic_add(&counter, 1, 1);
        for (int i = 0; i < FETCHED; i++)
            shmem_long_atomic_fetch_add_nbi(before + i, &counter, 1, 1);
        shmem_long_atomic_compare_swap_nbi(&found, &counter, BURST + FETCHED, 7, 1);
        shmem_ctx_long_atomic_fetch_nbi(SHMEM_CTX_DEFAULT, &value, &counter, 1);
        kill(other, SIGCONT);
        shmem_quiet();
        for (int i = 0; i < FETCHED; i++)
            expect(before[i] == BURST + i, "fetched", i);
        expect(found == BURST + FETCHED, "compared", found);
        expect(value == 7, "fetched at last", value);
        expect(shmem_long_g(&counter, 1) == 7, "after the burst", BURST);
    }
    shmem_barrier_all();
}

int main(int argc, char **argv) {
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    if (argc > 1 && strcmp(argv[1], "burst") == 0) {
        burst(me);
    } else {
        sums(n);
        announcements(me, n - 1);
        if (me == 0)
            results(n - 1);
        shmem_barrier_all();
    }
    printf("PE %d of %d: %d wrong\n", me, n, wrong);
    shmem_finalize();
    return 0;
}
