/* Streams that the library creates: several at once, what a barrier of the CPU does not wait for, and streams that are
 * destroyed with work on them. With the argument `cuda`, the driver has to know them too. */
#include "check.h"
#include <dlfcn.h>
#include <shmemx.h>

enum { N = 3000, MANY = 40, PUTS = 16 };

static shmemx_stream_t create(void)
{
    shmemx_stream_t stream = NULL;
    SAME(shmemx_stream_create(&stream), 0);
    CHECK(stream != NULL);
    return stream;
}

/* The driver finds nothing wrong with the handle, and nothing left on the stream. */
static void ask_driver(shmemx_stream_t stream)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    CHECK(driver != NULL);
    int (*query)(void *);
    *(void **)&query = dlsym(driver, "cuStreamQuery");
    CHECK(query != NULL);
    SAME(query(stream), 0);
}

int main(int argc, char **argv)
{
    begin();
    int next = (me + 1) % npes, previous = (me + npes - 1) % npes;
    long *box = (long *)shmem_calloc(3 * N, sizeof *box), *source = (long *)shmem_malloc(N * sizeof *source);
    uint64_t *gate = (uint64_t *)shmem_calloc(1, sizeof *gate);
    for (int i = 0; i < N; i++)
        source[i] = 10000L * me + i;

    routine = "two streams";
    shmemx_stream_t held = create(), free_one = create();
    CHECK(held != free_one);
    shmemx_signal_wait_until_on_stream(gate, SHMEM_CMP_EQ, 1, held);
    shmemx_long_put_on_stream(box, source, N, next, held);
    shmemx_long_put_on_stream(box + N, source, N, next, free_one);
    shmemx_quiet_on_stream(free_one);
    shmemx_stream_synchronize(free_one);
    /* The barrier returns although one stream is held. */
    shmem_barrier_all();
    for (int i = 0; i < N; i++) {
        SAME(box[i], 0);
        SAME(box[N + i], 10000L * previous + i);
    }
    shmem_barrier_all();
    shmem_signal_set(gate, 1, me);
    shmemx_quiet_on_stream(held);
    shmemx_stream_synchronize(held);
    shmem_barrier_all();
    for (int i = 0; i < N; i++)
        SAME(box[i], 10000L * previous + i);
    if (argc > 1 && !strcmp(argv[1], "cuda"))
        ask_driver(held);

    routine = "shmemx_prepared_post";
    shmemx_op_t put = {SHMEMX_OP_PUT, next, box + 2 * N, source, N * sizeof *source, NULL, 0, 0, 1, NULL};
    shmemx_prepared_t prepared = shmemx_prepare(&put);
    shmemx_prepared_post(prepared, held);
    shmemx_stream_synchronize(held);
    shmem_quiet();
    shmem_barrier_all();
    for (int i = 0; i < N; i++)
        SAME(box[2 * N + i], 10000L * previous + i);
    shmemx_prepared_destroy(prepared);
    shmemx_stream_destroy(held);

    routine = "shmemx_stream_destroy";
    shmem_barrier_all();
    memset(box, 0, N * sizeof *box);
    shmem_barrier_all();
    for (int part = 0; part < PUTS; part++)
        shmemx_long_put_on_stream(box + part, source + part, 1, next, free_one);
    shmemx_quiet_on_stream(free_one);
    shmemx_stream_destroy(free_one);
    shmem_barrier_all();
    for (int part = 0; part < PUTS; part++)
        SAME(box[part], 10000L * previous + part);
    shmem_barrier_all();

    routine = "many streams";
    shmemx_stream_t streams[MANY];
    for (int i = 0; i < MANY; i++) {
        streams[i] = create();
        for (int j = 0; j < i; j++)
            CHECK(streams[i] != streams[j]);
    }
    for (int i = 0; i < MANY; i++) {
        shmemx_long_p_on_stream(box + i, -i - 1, next, streams[i]);
        shmemx_barrier_all_on_stream(streams[i]);
        shmemx_stream_destroy(streams[i]);
        SAME(box[i], -i - 1);
    }
    shmemx_stream_synchronize(NULL);
    shmem_barrier_all();

    /* One is left to shmem_finalize, with work on it. */
    routine = "shmem_finalize";
    shmemx_stream_t left = create();
    shmemx_long_put_on_stream(box, source, N, next, left);
    shmemx_barrier_all_on_stream(left);
    return finish();
}
