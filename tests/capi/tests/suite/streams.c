/* Operations on the default stream, or with the argument `own` on one of the library's: every kind of memory, types,
 * signals, synchronisation of all PEs, and a stream that is held while the calls return. */
#include "check.h"
#include <shmemx.h>

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

static void every_kind(long *box, uint64_t *sig)
{
    long *sources[] = {(long *)shmem_malloc(sizeof box_of_all), (long *)shmemx_malloc_gpu(sizeof box_of_all),
                       (long *)malloc(sizeof box_of_all)};
    long *values = (long *)malloc(sizeof box_of_all), *found = (long *)malloc(sizeof box_of_all);
    int next = (me + 1) % npes, previous = (me + npes - 1) % npes;
    for (int kind = 0; kind < 3; kind++) {
        for (int i = 0; i < N; i++)
            values[i] = 1000000L * (kind + 1) + 10000L * me + i;
        if (kind < 2)
            shmem_long_put(sources[kind], values, N, me);
        else
            memcpy(sources[kind], values, sizeof box_of_all);
        shmem_barrier_all();
        routine = "shmemx_long_put_on_stream";
        shmemx_long_put_on_stream(box, sources[kind], N, next, stream);
        shmemx_barrier_all_on_stream(stream);
        finish_stream();
        shmem_long_get(found, box, N, me);
        for (int i = 0; i < N; i++)
            SAME(found[i], 1000000L * (kind + 1) + 10000L * previous + i);
        routine = "shmemx_getmem_nbi_on_stream";
        shmemx_getmem_nbi_on_stream(sources[kind], box, sizeof box_of_all, next, stream);
        finish_stream();
        if (kind < 2)
            shmem_long_get(found, sources[kind], N, me);
        else
            memcpy(found, sources[kind], sizeof box_of_all);
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
        shmemx_iget64_on_stream(sources[kind], box + 1, 2, 3, N / 3, next, stream);
        shmemx_barrier_all_on_stream(stream);
        finish_stream();
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
    SAME(shmem_signal_fetch(sig), 0);
    shmem_signal_set(gate, 1, me);
    shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 9);
    finish_stream();
    shmem_barrier_all();
    SAME(x[0] == 1.5f, 1);
    if (me == 0)
        SAME(shmem_signal_fetch(sig + 1), 2 * npes);
    shmem_barrier_all();
    return finish();
}
