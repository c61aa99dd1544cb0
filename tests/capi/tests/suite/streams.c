/* Operations on the default stream, or with the argument `own` on one of the library's: every kind of memory, types,
 * signals, synchronisation of all PEs, and a stream that is held while the calls return. */
#define _POSIX_C_SOURCE 199309L
#include "check.h"
#include <shmemx.h>
#include <time.h>

enum { N = 3000 };

/* The stream under test. */
static shmemx_stream_t stream;

static long box_of_all[N];

/* This PE's `done` advances to the next number when everything before that on the stream has finished. */
static uint64_t *done;

static void finish_stream(void)
{
    static uint64_t number;
    number++;
    shmemx_quiet_on_stream(stream);
    shmemx_signal_op_on_stream(done, number, SHMEM_SIGNAL_SET, me, stream);
    shmem_signal_wait_until(done, SHMEM_CMP_GE, number);
}

/* Gives a stream that should wait the time to go on. */
static void pause_a_moment(void)
{
    const struct timespec time = {0, 20000000};
    nanosleep(&time, NULL);
}

static void fill(long *source, int kind, const long *values)
{
    if (kind < 2)
        shmem_long_put(source, values, N, me);
    else
        memcpy(source, values, sizeof box_of_all);
    shmem_quiet();
}

static void read_back(long *found, const long *source, int kind)
{
    if (kind < 2)
        shmem_long_get(found, source, N, me);
    else
        memcpy(found, source, sizeof box_of_all);
}

static void every_kind(long *box, uint64_t *sig)
{
    static const long zeros[N] = {0};
    long *sources[] = {(long *)shmem_malloc(sizeof box_of_all), (long *)shmemx_malloc_gpu(sizeof box_of_all),
                       (long *)malloc(sizeof box_of_all)};
    long *values = (long *)malloc(sizeof box_of_all), *found = (long *)malloc(sizeof box_of_all);
    int next = (me + 1) % npes, previous = (me + npes - 1) % npes;
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < N; i++)
            values[i] = 1000000L * (kind + 1) + 10000L * me + i;
        fill(sources[kind], kind, values);
        shmem_barrier_all();
        routine = "shmemx_long_put_on_stream";
        shmemx_long_put_on_stream(box, sources[kind], N, next, stream);
        shmemx_barrier_all_on_stream(stream);
        finish_stream();
        shmem_long_get(found, box, N, me);
        for (int i = 0; i < N; i++)
            SAME(found[i], 1000000L * (kind + 1) + 10000L * previous + i);
        routine = "shmemx_getmem_nbi_on_stream";
        fill(sources[kind], kind, zeros);
        shmemx_getmem_nbi_on_stream(sources[kind], box, sizeof box_of_all, next, stream);
        finish_stream();
        read_back(found, sources[kind], kind);
        for (int i = 0; i < N; i++)
            SAME(found[i], values[i]);
        shmem_barrier_all();
        routine = "shmemx_long_iput_on_stream";
        shmemx_long_iput_on_stream(box + 1, sources[kind], 3, 2, N / 3, next, stream);
        shmemx_barrier_all_on_stream(stream);
        finish_stream();
        shmem_long_get(found, box, N, me);
        for (int i = 0; i < N; i++)
            SAME(found[i], 1000000L * (kind + 1) + 10000L * previous + (i % 3 == 1 ? i / 3 * 2 : i));
        routine = "shmemx_iget64_on_stream";
        fill(sources[kind], kind, zeros);
        shmemx_iget64_on_stream(sources[kind], box + 1, 2, 3, N / 3, next, stream);
        shmemx_barrier_all_on_stream(stream);
        finish_stream();
        read_back(found, sources[kind], kind);
        for (int i = 0; i < N; i++)
            SAME(found[i], i % 2 == 0 && i / 2 < N / 3 ? values[i] : 0);
        fill(sources[kind], kind, values);
        routine = "shmemx_put64_signal_on_stream";
        shmemx_put64_signal_on_stream(box, sources[kind], N, sig, kind + 1, SHMEM_SIGNAL_SET, next, stream);
        shmem_signal_wait_until(sig, SHMEM_CMP_EQ, kind + 1);
        shmem_long_get(found, box, N, me);
        for (int i = 0; i < N; i++)
            SAME(found[i], 1000000L * (kind + 1) + 10000L * previous + i);
        finish_stream();
        shmem_barrier_all();
    }
    shmem_signal_set(sig, 0, me);
    shmem_free(sources[0]);
    shmem_free(sources[1]);
    free(sources[2]);
    free(values);
    free(found);
}

static void barrier_all(void) { shmemx_barrier_all_on_stream(stream); }
static void barrier(void) { SAME(shmemx_barrier_on_stream(SHMEM_TEAM_WORLD, stream), 0); }
static void sync_all(void) { shmemx_sync_all_on_stream(stream); }
static void team_sync(void) { shmemx_team_sync_on_stream(SHMEM_TEAM_WORLD, stream); }

static uint64_t *sigs;
static void exchange(void)
{
    int *others = (int *)malloc(npes * sizeof *others), n = 0;
    for (int pe = 0; pe < npes; pe++)
        if (pe != me)
            others[n++] = pe;
    shmemx_signal_exchange_on_stream(sigs, others, n, others, n, stream);
    free(others);
}

/* While the stream of PE 0 waits, the streams of the others do not pass the operation in which all meet. */
static void meetings(void)
{
    void (*const meet[])(void) = {barrier_all, barrier, sync_all, team_sync, exchange};
    uint64_t *passed = (uint64_t *)shmem_calloc(1, sizeof *passed);
    int *gate = (int *)shmem_calloc(1, sizeof *gate);
    uint64_t *zeros = (uint64_t *)calloc(npes, sizeof *zeros);
    sigs = (uint64_t *)shmemx_malloc_gpu(npes * sizeof *sigs);
    shmem_put64(sigs, zeros, npes, me);
    free(zeros);
    routine = "streams that meet";
    shmem_barrier_all();
    for (int kind = 0; kind < 5; kind++) {
        if (me == 0)
            shmemx_int_wait_until_on_stream(gate, SHMEM_CMP_GT, kind, stream);
        meet[kind]();
        shmemx_signal_op_on_stream(passed, kind + 1, SHMEM_SIGNAL_SET, me, stream);
        shmem_barrier_all();
        pause_a_moment();
        SAME(shmem_signal_fetch(passed), kind);
        shmem_barrier_all();
        if (me == 0)
            shmem_int_p(gate, kind + 1, 0);
        shmem_signal_wait_until(passed, SHMEM_CMP_EQ, kind + 1);
    }
    shmem_barrier_all();
    shmem_free(sigs);
    shmem_free(gate);
    shmem_free(passed);
}

int main(int argc, char **argv)
{
    begin();
    if (argc > 1 && !strcmp(argv[1], "own"))
        SAME(shmemx_stream_create(&stream), 0);
    int next = (me + 1) % npes;
    uint64_t *sig = (uint64_t *)shmem_calloc(2, sizeof *sig), *gate = (uint64_t *)shmem_calloc(1, sizeof *gate);
    done = (uint64_t *)shmem_calloc(1, sizeof *done);
    shmemx_sync_all_on_stream(stream);
    long *boxes[] = {(long *)shmem_malloc(sizeof box_of_all), (long *)shmemx_malloc_gpu(sizeof box_of_all), box_of_all};
    for (int kind = 0; kind < 3; kind++)
        every_kind(boxes[kind], sig);

    routine = "shmemx_NAME_p_on_stream";
    float *x = (float *)shmem_calloc(2, sizeof *x);
    signed char *c = (signed char *)shmem_calloc(2, sizeof *c);
    shmem_barrier_all();
    shmemx_int_wait_until_on_stream((int *)done + 1, SHMEM_CMP_LE, 0, stream);
    shmemx_float_p_on_stream(x + 1, 1.5f, next, stream);
    shmemx_schar_p_on_stream(c + 1, -3, next, stream);
    shmemx_long_p_on_stream(box_of_all + 5, 77 + me, next, stream);
    finish_stream();
    shmem_barrier_all();
    SAME(x[0] == 0.0f && x[1] == 1.5f, 1);
    SAME(c[0], 0);
    SAME(c[1], -3);
    SAME(box_of_all[5], 77 + (me + npes - 1) % npes);

    shmem_barrier_all();
    routine = "calls on a stream that is held";
    shmemx_signal_wait_until_on_stream(gate, SHMEM_CMP_EQ, 1, stream);
    shmemx_signal_op_on_stream(sig + 1, 2, SHMEM_SIGNAL_ADD, 0, stream);
    shmemx_put32_on_stream(x, x + 1, 1, next, stream);
    shmemx_team_sync_on_stream(SHMEM_TEAM_WORLD, stream);
    routine = "shmemx_barrier_on_stream";
    SAME(shmemx_barrier_on_stream(SHMEM_TEAM_WORLD, stream), 0);
    shmemx_barrier_all_on_stream(stream);
    shmemx_putmem_signal_nbi_on_stream(x, x + 1, sizeof *x, sig, 9, SHMEM_SIGNAL_SET, next, stream);
    shmem_barrier_all();
    pause_a_moment();
    SAME(shmem_signal_fetch(sig), 0);
    shmem_signal_set(gate, 1, me);
    shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 9);
    finish_stream();
    shmem_barrier_all();
    SAME(x[0] == 1.5f, 1);
    if (me == 0)
        SAME(shmem_signal_fetch(sig + 1), 2 * npes);
    shmem_barrier_all();
    meetings();
    return finish();
}
