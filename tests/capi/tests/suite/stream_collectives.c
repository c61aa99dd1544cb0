/* Collectives on the default stream, or with the argument `own` on one of the library's. */
#include "check.h"
#include <shmemx.h>

enum { N = 3000 };

/* The stream under test. */
static shmemx_stream_t stream;

static uint64_t *done;

/* Waits until the stream has finished. */
static void finish_stream(void)
{
    static uint64_t number;
    number++;
    shmemx_signal_op_on_stream(done, number, SHMEM_SIGNAL_SET, me, stream);
    shmem_signal_wait_until(done, SHMEM_CMP_GE, number);
}

int main(int argc, char **argv)
{
    begin();
    if (argc > 1 && !strcmp(argv[1], "own"))
        SAME(shmemx_stream_create(&stream), 0);
    done = (uint64_t *)shmem_calloc(1, sizeof *done);
    size_t room = (size_t)N * npes;
    float *source = (float *)shmemx_malloc_gpu(room * sizeof *source), *dest = (float *)shmemx_malloc_gpu(room * sizeof *dest);
    float *values = (float *)malloc(room * sizeof *values), *found = (float *)malloc(room * sizeof *found);
    for (size_t i = 0; i < room; i++)
        values[i] = (float)(i % 100 + 10 * me);
    shmem_float_put(source, values, room, me);
    shmem_barrier_all();

    routine = "shmemx_float_sum_reduce_on_stream";
    SAME(shmemx_float_sum_reduce_on_stream(SHMEM_TEAM_WORLD, dest, source, N, stream), 0);
    finish_stream();
    shmem_float_get(found, dest, N, me);
    for (int i = 0; i < N; i++)
        SAME(found[i] == (float)(npes * (i % 100) + 5 * npes * (npes - 1)), 1);
    shmem_barrier_all();
    routine = "shmemx_float_fcollect_on_stream";
    SAME(shmemx_float_fcollect_on_stream(SHMEM_TEAM_WORLD, dest, source, N, stream), 0);
    finish_stream();
    shmem_float_get(found, dest, room, me);
    for (size_t i = 0; i < room; i++)
        SAME(found[i] == (float)(i % N % 100 + 10 * (i / N)), 1);
    shmem_barrier_all();
    routine = "shmemx_alltoallmem_on_stream";
    SAME(shmemx_alltoallmem_on_stream(SHMEM_TEAM_WORLD, dest, source, 5 * sizeof *dest, stream), 0);
    finish_stream();
    shmem_float_get(found, dest, 5 * npes, me);
    for (int i = 0; i < 5 * npes; i++)
        SAME(found[i] == (float)((5 * me + i % 5) % 100 + 10 * (i / 5)), 1);
    shmem_barrier_all();
    routine = "shmemx_float_max_reducescatter_on_stream";
    SAME(shmemx_float_max_reducescatter_on_stream(SHMEM_TEAM_WORLD, dest, source, 7, stream), 0);
    finish_stream();
    shmem_float_get(found, dest, 7, me);
    for (int i = 0; i < 7; i++)
        SAME(found[i] == (float)((7 * me + i) % 100 + 10 * (npes - 1)), 1);
    shmem_barrier_all();
    routine = "shmemx_uint64_broadcast_on_stream";
    SAME(shmemx_uint64_broadcast_on_stream(SHMEM_TEAM_WORLD, (uint64_t *)dest, (uint64_t *)source, N / 2, npes - 1, stream), 0);
    finish_stream();
    shmem_float_get(found, dest, N, me);
    for (int i = 0; i < N; i++)
        SAME(found[i] == (float)(i % 100 + 10 * (npes - 1)), 1);
    shmem_barrier_all();
    routine = "shmemx_alltoallmemv_on_stream";
    /* PE `me` sends me + pe rows of three floats to PE `pe`, from row pe * 2 * npes on. */
    uint64_t *splits = (uint64_t *)shmemx_malloc_gpu(4 * npes * sizeof *splits), numbers[4 * 4], sum = 0;
    for (int on_stream = 0; on_stream < 2; on_stream++) {
        for (int pe = 0; pe < npes; pe++) {
            numbers[pe] = (uint64_t)(me + pe);
            numbers[npes + pe] = (uint64_t)(pe * 2 * npes);
        }
        shmem_put64(splits, numbers, 2 * npes, me);
        shmem_barrier_all();
        if (on_stream) {
            SAME(shmemx_alltoallmemv_on_stream(SHMEM_TEAM_WORLD, dest, source, splits + 2 * npes, splits, N / 3, 3 * sizeof *dest, stream), 0);
            finish_stream();
        } else
            SAME(shmemx_alltoallmemv(SHMEM_TEAM_WORLD, dest, source, splits + 2 * npes, splits, N / 3, 3 * sizeof *dest), 0);
        shmem_get64(numbers, splits + 2 * npes, 2 * npes, me);
        shmem_float_get(found, dest, N, me);
        sum = 0;
        for (int pe = 0; pe < npes; pe++) {
            SAME(numbers[pe], (uint64_t)(me + pe));
            SAME(numbers[npes + pe], sum);
            for (int i = 0; i < 3 * (me + pe); i++)
                SAME(found[3 * sum + i] == (float)((3 * me * 2 * npes + i) % 100 + 10 * pe), 1);
            sum += numbers[pe];
        }
        shmem_barrier_all();
    }
    /* 1.0 in both formats; and the xor of all PE numbers. */
    uint16_t halves[2] = {0x3c00, 0x3f80}, sums[2] = {0, 0}, expected[] = {0x3c00, 0x4000, 0x4200, 0x4400};
    uint16_t bexpected[] = {0x3f80, 0x4000, 0x4040, 0x4080};
    routine = "shmemx_half_sum_reduce_on_stream";
    shmem_put16(source, halves, 2, me);
    shmem_barrier_all();
    SAME(shmemx_half_sum_reduce_on_stream(SHMEM_TEAM_WORLD, dest, source, 1, stream), 0);
    SAME(shmemx_bfloat16_sum_reduce_on_stream(SHMEM_TEAM_WORLD, (char *)dest + 2, (char *)source + 2, 1, stream), 0);
    finish_stream();
    shmem_get16(sums, dest, 2, me);
    SAME(sums[0], expected[npes - 1]);
    SAME(sums[1], bexpected[npes - 1]);
    shmem_barrier_all();
    routine = "shmemx_int32_xor_reduce_on_stream";
    int *number = (int *)source, *all = (int *)dest, x = 0;
    shmem_int_p(number, me, me);
    shmem_barrier_all();
    SAME(shmemx_int32_xor_reduce_on_stream(SHMEM_TEAM_WORLD, all, number, 1, stream), 0);
    finish_stream();
    for (int pe = 0; pe < npes; pe++)
        x ^= pe;
    SAME(shmem_int_g(all, me), x);
    shmem_barrier_all();
    return finish();
}
