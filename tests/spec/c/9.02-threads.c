/* 9.2 Thread support: levels, and several threads of each PE at work simultaneously. */
#define _POSIX_C_SOURCE 200809L
#include "check.h"
#include <pthread.h>

enum { THREADS = 4, TIMES = 200, WORDS = 37 };

static long *counters, *boxes;
static uint64_t *signals;
static int failed[THREADS];

/* What each thread does with all PEs: it counts, sends and fetches blocks, calls quiet, and waits for its counterpart
 * on the left. */
static void *work(void *argument)
{
    int t = *(int *)argument, right = (me + 1) % npes, left = (me + npes - 1) % npes;
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    if (t % 2 && shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) != 0)
        failed[t]++;
    int initialized = 0;
    shmem_query_initialized(&initialized);
    failed[t] += !initialized; /* 9.1.5-3 */
    long source[WORDS], back[WORDS], *box = boxes + t * WORDS;
    for (long i = 1; i <= TIMES; i++) {
        for (int pe = 0; pe < npes; pe++) {
            shmem_ctx_long_atomic_add(ctx, counters, t + 1, pe);
            shmem_ctx_long_atomic_fetch_inc(ctx, counters + 1, pe);
        }
        for (int w = 0; w < WORDS; w++)
            source[w] = VALUE(long, me * THREADS + t, i, w);
        shmem_ctx_long_put_nbi(ctx, box, source, WORDS, right);
        shmem_ctx_quiet(ctx);
        shmem_ctx_long_get(ctx, back, box, WORDS, right);
        failed[t] += memcmp(source, back, sizeof back) != 0; /* 9.2-1 */
        shmem_ctx_signal_set(ctx, signals + 2 * t, i, right);
        shmem_signal_wait_until(signals + 2 * t, SHMEM_CMP_GE, i); /* 9.2-2 */
        for (int w = 0; w < WORDS; w++)
            failed[t] += box[w] != VALUE(long, left * THREADS + t, i, w);
        shmem_ctx_signal_set(ctx, signals + 2 * t + 1, i, left);
        shmem_signal_wait_until(signals + 2 * t + 1, SHMEM_CMP_GE, i);
    }
    if (ctx != SHMEM_CTX_DEFAULT)
        shmem_ctx_destroy(ctx);
    return NULL;
}

/* Sends without waiting; another thread calls quiet. */
static void *send(void *source)
{
    shmem_long_put_nbi(boxes, (long *)source, WORDS, (me + 1) % npes);
    return NULL;
}

int main(void)
{
    int provided = -1, queried = -1, number[THREADS];
    long sent[WORDS];
    pthread_t threads[THREADS];
    CHECK(SHMEM_THREAD_SINGLE < SHMEM_THREAD_FUNNELED && SHMEM_THREAD_FUNNELED < SHMEM_THREAD_SERIALIZED); /* 6-2 */
    CHECK(SHMEM_THREAD_SERIALIZED < SHMEM_THREAD_MULTIPLE);
    CHECK(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0); /* 9.2.1-1 */
    me = shmem_my_pe();
    npes = shmem_n_pes();
    SAME(provided, SHMEM_THREAD_MULTIPLE);
    shmem_query_thread(&queried);
    SAME(queried, provided); /* 9.2.2-1 */

    counters = (long *)shmem_calloc(2, sizeof *counters);
    boxes = (long *)shmem_malloc(THREADS * WORDS * sizeof *boxes);
    signals = (uint64_t *)shmem_calloc(2 * THREADS, sizeof *signals);
    for (int t = 0; t < THREADS; t++) {
        number[t] = t;
        CHECK(pthread_create(threads + t, NULL, work, number + t) == 0);
    }
    for (int t = 0; t < THREADS; t++) {
        CHECK(pthread_join(threads[t], NULL) == 0);
        SAME(failed[t], 0);
    }
    shmem_barrier_all();
    SAME(counters[0], npes * TIMES * (THREADS * (THREADS + 1) / 2));
    SAME(counters[1], npes * TIMES * THREADS);
    for (int w = 0; w < WORDS; w++)
        sent[w] = VALUE(long, me, 0, w);
    CHECK(pthread_create(threads, NULL, send, sent) == 0 && pthread_join(threads[0], NULL) == 0);
    shmem_quiet();
    shmem_sync_all();
    for (int w = 0; w < WORDS; w++)
        SAME(boxes[w], VALUE(long, (me + npes - 1) % npes, 0, w)); /* 9.2-3 */
    shmem_free(signals);
    shmem_free(boxes);
    shmem_free(counters);
    return finish();
}
