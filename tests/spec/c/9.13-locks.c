/* 9.13 Locks: one holder at a time, the next holder sees what the previous one did, and a test does not wait. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <sched.h>

enum { TIMES = OFTEN(600), LOCKS = 5 };

/* In the heap and among the globals; each lock starts as 0. */
static long global_lock;
static long *locks, *counters, *holders;

/* Counters on one PE that only the lock protects. No quiet is needed, because releasing the lock includes it. */
static void counting(long *lock, int home)
{
    counters[0] = counters[1] = counters[2] = holders[0] = 0;
    shmem_barrier_all();
    for (int i = 0; i < TIMES; i++) {
        shmem_set_lock(lock);
        SAME(shmem_long_atomic_fetch_inc(holders, home), 0); /* 9.13.1-1 */
        long a = shmem_long_g(counters, home), b;
        shmem_long_get(&b, counters + 1, 1, (home + 1) % npes);
        CHECK(a == b); /* 9.13.1-2 */
        SAME(shmem_long_g(counters + 2, home), a); /* 9.13.1-6 */
        a++;
        /* Time for another PE to intrude. */
        if (i % 8 == 0)
            sched_yield();
        shmem_long_p(counters, a, home);
        shmem_long_put_nbi(counters + 1, &a, 1, (home + 1) % npes);
        shmem_quiet();
        if (i % 7 == 0)
            SAME(shmem_long_g(counters, home), a);
        shmem_long_p(counters, a, home);
        shmem_long_put_nbi(counters + 2, &a, 1, home);
        shmem_long_atomic_add(holders, -1, home);
        shmem_clear_lock(lock);
    }
    shmem_barrier_all();
    SAME(shmem_long_g(counters, home), (long)TIMES * npes);
    SAME(shmem_long_g(counters + 1, (home + 1) % npes), (long)TIMES * npes);
    SAME(shmem_long_g(holders, home), 0);
    shmem_barrier_all();
}

/* A test does not get a lock that another PE holds; it gets a free one. */
static void testing(long *lock)
{
    for (int turn = 0; turn < npes; turn++) {
        if (turn == me) {
            SAME(shmem_test_lock(lock), 0);
            shmem_quiet();
        }
        shmem_barrier_all();
        if (turn != me)
            CHECK(shmem_test_lock(lock) != 0); /* 9.13.1-3 */
        shmem_barrier_all();
        if (turn == me)
            shmem_clear_lock(lock);
        shmem_barrier_all();
    }
    /* All PEs try for the lock until each has had it; no two hold it simultaneously. */
    counters[0] = 0;
    shmem_barrier_all();
    for (int i = 0; i < 20; i++) {
        while (shmem_test_lock(lock) != 0)
            ;
        long seen = shmem_long_g(counters, 0);
        sched_yield();
        shmem_long_p(counters, seen + 1, 0);
        shmem_clear_lock(lock);
    }
    shmem_barrier_all();
    SAME(shmem_long_g(counters, 0), 20 * npes);
    shmem_barrier_all();
}

/* Several locks at once: a PE that holds one waits for another, always in the same order. */
static void several(void)
{
    memset(counters, 0, LOCKS * sizeof *counters);
    shmem_barrier_all();
    for (int i = 0; i < TIMES / 3; i++) {
        int a = (me + i) % (LOCKS - 1), b = a + 1;
        shmem_set_lock(locks + a);
        shmem_set_lock(locks + b);
        shmem_long_p(counters + a, shmem_long_g(counters + a, a % npes) + 1, a % npes);
        shmem_long_p(counters + b, shmem_long_g(counters + b, b % npes) + 1, b % npes);
        shmem_clear_lock(locks + a);
        shmem_clear_lock(locks + b);
    }
    shmem_barrier_all();
    long sum = 0;
    for (int l = 0; l < LOCKS; l++)
        sum += shmem_long_g(counters + l, l % npes);
    SAME(sum, (long)TIMES / 3 * 2 * npes); /* 9.13.1-5 */
    shmem_barrier_all();
}

int main(void)
{
    begin();
    locks = (long *)shmem_calloc(LOCKS, sizeof *locks);
    counters = (long *)shmem_calloc(LOCKS, sizeof *counters);
    holders = (long *)shmem_calloc(1, sizeof *holders);
    routine = "a lock in the heap";
    counting(locks, 0);
    testing(locks);
    routine = "a lock in a global";
    counting(&global_lock, npes - 1); /* 9.13.1-4 */
    testing(&global_lock);
    routine = "several locks";
    several();
    shmem_free(holders);
    shmem_free(counters);
    shmem_free(locks);
    return finish();
}
