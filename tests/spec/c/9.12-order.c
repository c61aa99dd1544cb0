/* 9.12 Memory ordering: what fence orders and quiet completes, in programs that fail if either does not. */
#include "check.h"

enum { ROUNDS = OFTEN(3000), WORDS = 64 };

static long *x, *y, *data, *flag;
static shmem_ctx_t ctx;

/* Message passing: data, fence, flag. A PE that sees the flag sees the data. Each way of storing is used for both. */
static void message_passing(void)
{
    int right = (me + 1) % npes;
    long local[WORDS], kept[WORDS];
    routine = "data, fence, flag";
    memset(data, 0, WORDS * sizeof *data);
    flag[0] = flag[1] = 0;
    shmem_barrier_all();
    for (long i = 1; i <= ROUNDS; i++) {
        long words = i % WORDS + 1;
        for (int w = 0; w < words; w++)
            local[w] = kept[w] = i + w;
        switch (i % 4) {
        case 0: shmem_long_put(data, local, words, right); break;
        case 1: shmem_long_put_nbi(data, kept, words, right); break;
        case 2:
            for (int w = 0; w < words; w++)
                shmem_long_p(data + w, local[w], right);
            break;
        case 3:
            for (int w = 0; w < words; w++)
                shmem_long_atomic_set(data + w, local[w], right);
            break;
        }
        shmem_fence(); /* 9.12.1-1 */
        switch (i / 4 % 3) {
        case 0: shmem_long_p(flag, i, right); break;
        case 1: shmem_long_atomic_inc(flag, right); break;
        case 2: shmem_long_put(flag, &i, 1, right); break;
        }
        shmem_long_wait_until(flag, SHMEM_CMP_GE, i);
        int wrong = 0;
        for (int w = 0; w < words; w++)
            wrong += data[w] != i + w; /* 9.11-2 */
        SAME(wrong, 0);
        /* Lets the sender go on. */
        shmem_long_p(flag + 1, i, (me + npes - 1) % npes);
        shmem_long_wait_until(flag + 1, SHMEM_CMP_GE, i);
        shmem_quiet();
    }
    shmem_barrier_all();
}

/* Store buffering: of two PEs that put, quiet and get, at least one sees what the other put. */
static void store_buffering(void)
{
    int partner = me ^ 1, first = me & ~1;
    long *saw = flag, rounds = npes == 2 ? 10 * ROUNDS : ROUNDS;
    routine = "put, quiet, get";
    x[0] = y[0] = saw[0] = 0;
    shmem_barrier_all();
    for (long i = 1; partner < npes && i <= rounds; i++) {
        /* x and y belong to the first PE of the two, so both PEs access the same PE, or each the other's. */
        int home = i % 2 ? first : first + 1;
        long *mine = me == first ? x : y, *other = me == first ? y : x, got;
        shmem_long_p(mine, i, home);
        switch (i % 3) {
        case 0: shmem_quiet(); break;
        case 1: shmem_pe_quiet(&home, 1); break;
        case 2: shmem_ctx_quiet(SHMEM_CTX_DEFAULT); break;
        }
        switch (i % 4 / 2) {
        case 0: got = shmem_long_g(other, home); break;
        default: shmem_long_get(&got, other, 1, home); break;
        }
        /* The PEs exchange what they saw, which also keeps either from running ahead. */
        shmem_long_p(saw + 1, got, partner);
        shmem_fence();
        shmem_long_p(saw, i, partner);
        shmem_long_wait_until(saw, SHMEM_CMP_EQ, i);
        CHECK(got == i || saw[1] == i); /* 9.12.2-2 */
        shmem_long_p(saw + 2, i, partner);
        shmem_long_wait_until(saw + 2, SHMEM_CMP_EQ, i);
    }
    shmem_barrier_all();
}

/* After a PE's quiet, a third PE may look at the data as soon as it is told to. */
static void quiet_is_for_all(void)
{
    int third = (me + 2) % npes, next = (me + 1) % npes, from = (me + npes - 1) % npes;
    long source[WORDS];
    routine = "what quiet completed is there for all";
    memset(data, 0, WORDS * sizeof *data);
    flag[0] = 0;
    shmem_barrier_all();
    for (long i = 1; i <= ROUNDS / 10; i++) {
        for (int w = 0; w < WORDS; w++)
            source[w] = i * 1000 + me + w;
        shmem_long_put_nbi(data, source, WORDS, third);
        if (i % 2)
            shmem_quiet();
        else
            shmem_pe_quiet(&third, 1); /* 9.12.3-1 */
        shmem_long_p(flag, i, next);
        shmem_long_wait_until(flag, SHMEM_CMP_EQ, i);
        /* `from` has put to the PE after this one. */
        long got[WORDS];
        shmem_long_get(got, data, WORDS, next);
        for (int w = 0; w < WORDS; w++)
            SAME(got[w], i * 1000 + from + w); /* 9.12.2-1 */
        shmem_barrier_all();
    }
}

/* Fence orders puts to each PE on one context. Quiet for some PEs, or for none, returns. */
static void the_rest(void)
{
    int all[MAX_PES], n = 0;
    for (int pe = npes - 1; pe >= 0; pe--)
        all[n++] = pe;
    routine = "fence and pe_quiet with contexts";
    x[0] = y[0] = 0;
    shmem_barrier_all();
    for (long i = 1; i <= ROUNDS / 10; i++) {
        for (int pe = 0; pe < npes; pe++) {
            shmem_ctx_long_atomic_inc(ctx, x, pe);
            shmem_ctx_fence(ctx);
            shmem_ctx_long_atomic_inc(ctx, y, pe);
        }
        /* Every increment of y comes after one of x. */
        long after = shmem_long_atomic_fetch(y, me), before = shmem_long_atomic_fetch(x, me);
        CHECK(before >= after); /* 9.12.1-2 */
        if (i % 3 == 0)
            shmem_ctx_pe_quiet(ctx, all, n);
    }
    shmem_pe_quiet(all, 0); /* 9.12.3-4 */
    shmem_ctx_pe_quiet(ctx, all, n);
    shmem_ctx_quiet(ctx);
    shmem_barrier_all();
    CHECK(x[0] == ROUNDS / 10 * npes && y[0] == x[0]);
    shmem_barrier_all();
}

/* Quiet for one PE also completes what was fetched from it. Fence orders nonblocking atomics, and the PE's own stores
 * to its symmetric memory. */
static void fetches_and_stores(void)
{
    int right = (me + 1) % npes, left = (me + npes - 1) % npes;
    static uint64_t arrived;
    long got = -1, was = -1, sent;
    routine = "pe_quiet of gets, fence of atomics and stores";
    x[0] = 100 + me;
    y[0] = 7;
    data[0] = data[1] = flag[0] = flag[1] = 0;
    shmem_barrier_all();
    shmem_long_get_nbi(&got, x, 1, right);
    shmem_long_atomic_fetch_nbi(&was, y, right);
    shmem_pe_quiet(&right, 1);
    SAME(got, 100 + right); /* 9.12.3-2 */
    SAME(was, 7);           /* 9.12.3-3 */
    shmem_barrier_all();
    for (long i = 1; i <= ROUNDS / 10; i++) {
        sent = i;
        shmem_long_atomic_fetch_inc_nbi(&was, y, right);
        shmem_long_put_signal_nbi(data + 1, &sent, 1, &arrived, 1, SHMEM_SIGNAL_ADD, right);
        shmem_fence();
        shmem_long_p(flag, i, right);
        shmem_long_wait_until(flag, SHMEM_CMP_GE, i);
        CHECK(shmem_long_atomic_fetch(y, me) >= 7 + i); /* 9.12.1-4 */
        CHECK(shmem_signal_fetch(&arrived) >= (uint64_t)i && shmem_long_g(data + 1, me) >= i); /* 9.12.1-6 */
        data[0] = i;
        shmem_fence();
        shmem_long_p(flag + 1, i, right);
        shmem_long_wait_until(flag + 1, SHMEM_CMP_GE, i);
        CHECK(shmem_long_g(data, left) >= i); /* 9.12.1-5 */
        shmem_quiet();
    }
    shmem_barrier_all();
}

int main(void)
{
    begin();
    /* In separate cache lines. */
    x = (long *)shmem_align(128, 128);
    y = (long *)shmem_align(128, 128);
    data = (long *)shmem_align(128, WORDS * sizeof *data);
    flag = (long *)shmem_align(128, 128);
    SAME(shmem_ctx_create(0, &ctx), 0);
    message_passing();
    store_buffering();
    quiet_is_for_all();
    the_rest();
    fetches_and_stores();
    shmem_free(flag);
    shmem_free(data);
    shmem_free(y);
    shmem_free(x);
    shmem_ctx_destroy(ctx);
    return finish();
}
