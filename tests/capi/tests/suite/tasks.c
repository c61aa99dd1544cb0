/* Puts with a task, by the CPU and on streams: the functions `add`, `verify` and `note` of the kernels with which this is
 * linked. An argument names a mistake to make instead. */
#include "check.h"
#include <shmemx.h>
#include <unistd.h>

/* The kernels. */
void *test_module(void);

/* What libcushmem has in C, and this program never calls. */
#define NEVER(name)                                                                                                    \
    void name(void);                                                                                                   \
    void name(void) { abort(); }
NEVER(cushmem_longdouble_min)
NEVER(cushmem_longdouble_max)
NEVER(cushmem_longdouble_sum)
NEVER(cushmem_longdouble_prod)

enum { WORDS = 100, LARGE = 6000 };

static const char *const functions[] = {"add", "verify", "note"};

static shmemx_task_queue_t create(int launched)
{
    const shmemx_task_options_t options = {.slots = 4, .threads = 32, .launched = launched};
    shmemx_task_queue_t queue = shmemx_task_queue_create(test_module(), functions, 3, &options);
    CHECK(queue != NULL);
    return queue;
}

static void mistake(const char *which)
{
    uint64_t *word = (uint64_t *)shmemx_malloc_gpu(sizeof *word), local = 5;
    if (!strcmp(which, "module"))
        shmemx_task_queue_create(NULL, functions, 3, NULL);
    if (!strcmp(which, "functions"))
        shmemx_task_queue_create(test_module(), functions, 0, NULL);
    if (!strcmp(which, "options")) {
        shmemx_task_options_t options = {.threads = 33};
        CHECK(shmemx_task_queue_create(test_module(), functions, 3, &options) == NULL);
        shmem_global_exit(1);
    }
    shmemx_task_queue_t queue = create(0);
    if (!strcmp(which, "memory"))
        shmemx_task_buffer(queue, &local, sizeof local);
    int buffer = shmemx_task_buffer(queue, word, sizeof *word), pe = 0;
    shmemx_task_t task = {.function = 0, .buffer = buffer, .arguments = {(uint64_t)buffer, 0}, .value = 1, .sig_op = SHMEM_SIGNAL_SET};
    if (!strcmp(which, "function"))
        task.function = 3;
    if (!strcmp(which, "buffer"))
        task.buffer = 7;
    if (!strcmp(which, "no-buffer"))
        task.buffer = -1;
    if (!strcmp(which, "done"))
        task.done = &local;
    if (!strcmp(which, "sig_op")) {
        task.done = word;
        task.sig_op = 3;
    }
    if (!strcmp(which, "pe"))
        pe = 1;
    if (!strcmp(which, "pe-below"))
        pe = -1;
    if (!strcmp(which, "range")) {
        task.offset = 8;
        shmemx_put_task_on_stream(queue, &task, word, sizeof *word, 0, NULL);
    }
    if (!strcmp(which, "twice"))
        for (int i = 0; i < 2; i++)
            shmemx_task_queue_destroy(queue);
    if (!strcmp(which, "source-on-stream"))
        shmemx_put_task_on_stream(queue, &task, NULL, sizeof local, 0, NULL);
    if (!strncmp(which, "in-a-task", strlen("in-a-task"))) {
        uint64_t *never = (uint64_t *)shmem_calloc(1, sizeof *never);
        task = (shmemx_task_t){.function = 2, .buffer = -1, .arguments = {1000}, .done = never, .value = 1, .sig_op = SHMEM_SIGNAL_SET};
        shmemx_put_task(queue, &task, NULL, 0, 0);
        if (strcmp(which, "in-a-task"))
            sleep(1);
        else
            shmem_signal_wait_until(never, SHMEM_CMP_NE, 0);
        shmemx_task_queue_destroy(queue);
    }
    uint64_t *source = strcmp(which, "source") ? &local : NULL;
    shmemx_put_task(queue, strcmp(which, "task") ? &task : NULL, source, sizeof local, pe);
}

static void by_the_cpu(shmemx_task_queue_t queue, const int *buffers, uint64_t *sums, uint64_t *done)
{
    int next = (me + 1) % npes;
    uint64_t words[WORDS], found[WORDS], total = 0;
    routine = "shmemx_put_task";
    for (uint64_t round = 1; round <= 10; round++) {
        for (int i = 0; i < WORDS; i++)
            words[i] = round * (uint64_t)i;
        total += round;
        shmemx_task_t task = {.function = 0, .buffer = buffers[0], .offset = (size_t)me * sizeof words,
                              .arguments = {(uint64_t)buffers[1], 0}, .done = done, .value = round, .sig_op = SHMEM_SIGNAL_SET};
        shmemx_put_task(queue, &task, words, sizeof words, next);
        shmem_signal_wait_until(done, SHMEM_CMP_EQ, round);
        shmem_uint64_get(found, sums, WORDS, next);
        for (int i = 0; i < WORDS; i++)
            SAME(found[i], total * (uint64_t)i);
    }
    shmem_barrier_all();
}

/* More words than one kernel puts, from memory that the driver knows and from memory that it does not. */
static void on_streams(shmemx_task_queue_t queue, const int *buffers, uint64_t *sums, uint64_t *done)
{
    shmemx_stream_t stream;
    int next = (me + 1) % npes;
    uint64_t *gate = (uint64_t *)shmem_calloc(1, sizeof *gate);
    uint64_t *sources[] = {(uint64_t *)shmem_malloc(LARGE * 8), (uint64_t *)malloc(LARGE * 8)};
    uint64_t *found = (uint64_t *)malloc(LARGE * 8), *zeros = (uint64_t *)calloc(LARGE, 8);
    routine = "shmemx_put_task_on_stream";
    SAME(shmemx_stream_create(&stream), 0);
    for (uint64_t round = 1; round <= 8; round++) {
        uint64_t *source = sources[round % 2];
        size_t n = round % 4 < 2 ? 3 : LARGE;
        shmem_put64(sums, zeros, LARGE, me);
        shmem_barrier_all();
        shmemx_task_t task = {.function = 0, .buffer = buffers[2], .offset = (size_t)me * LARGE * 8,
                              .arguments = {(uint64_t)buffers[1], 0}, .done = done, .value = 1, .sig_op = SHMEM_SIGNAL_ADD};
        shmem_signal_set(done, 0, me);
        shmemx_signal_wait_until_on_stream(gate, SHMEM_CMP_EQ, round, stream);
        shmemx_put_task_on_stream(queue, &task, source, n * 8, next, stream);
        shmemx_signal_wait_until_on_stream(done, SHMEM_CMP_EQ, 1, stream);
        /* The stream has yet to read them. */
        for (size_t i = 0; i < LARGE; i++)
            source[i] = 1000 * round + i;
        SAME(shmem_signal_fetch(done), 0);
        shmem_signal_set(gate, round, me);
        shmemx_stream_synchronize(stream);
        SAME(shmem_signal_fetch(done), 1);
        shmem_uint64_get(found, sums, LARGE, next);
        for (size_t i = 0; i < LARGE; i++)
            SAME(found[i], i < n ? 1000 * round + i : 0);
        shmem_barrier_all();
    }
    shmemx_stream_destroy(stream);
}

static void arguments(shmemx_task_queue_t queue, const int *buffers, uint64_t *notes, uint64_t *done)
{
    uint64_t found[7], half;
    double quarter = -0.25;
    memcpy(&half, &quarter, sizeof half);
    shmem_signal_set(done, 0, me);
    shmem_barrier_all();
    routine = "arguments of shmemx_put_task";
    shmemx_task_t task = {.function = 2, .buffer = -1, .done = done, .value = 5, .sig_op = SHMEM_SIGNAL_ADD,
                          .arguments = {(uint64_t)buffers[3], 200, (uint64_t)-7, half, (uint64_t)INT64_MIN, UINT64_MAX}};
    shmemx_put_task(queue, &task, NULL, 0, (me + 1) % npes);
    shmem_signal_wait_until(done, SHMEM_CMP_EQ, 5);
    shmem_barrier_all();
    shmem_uint64_get(found, notes, 7, me);
    const uint64_t wanted[7] = {200, (uint64_t)-7, half, (uint64_t)INT64_MIN, UINT64_MAX, (uint64_t)((me + npes - 1) % npes), 0};
    SAME_BYTES(found, wanted, sizeof found);
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    begin();
    if (argc > 1) {
        mistake(argv[1]);
        shmem_global_exit(0);
    }
    size_t all = (size_t)npes;
    uint64_t *inbox = (uint64_t *)shmemx_malloc_gpu(all * WORDS * 8), *large = (uint64_t *)shmem_malloc(all * LARGE * 8);
    uint64_t *sums = (uint64_t *)shmemx_malloc_gpu(LARGE * 8), *notes = (uint64_t *)shmemx_malloc_gpu(7 * 8);
    uint64_t *done = (uint64_t *)shmem_calloc(1, sizeof *done), *zeros = (uint64_t *)calloc(LARGE, 8);
    shmem_put64(sums, zeros, LARGE, me);
    shmem_barrier_all();
    for (int round = 0; round < 2; round++) {
        shmemx_task_queue_t queue = create(round);
        CHECK(shmemx_task_queue_device(queue).address != 0);
        int buffers[] = {shmemx_task_buffer(queue, inbox, all * WORDS * 8), shmemx_task_buffer(queue, sums, LARGE * 8),
                         shmemx_task_buffer(queue, large, all * LARGE * 8), shmemx_task_buffer(queue, notes, 7 * 8)};
        for (int i = 0; i < 4; i++)
            SAME(buffers[i], i);
        by_the_cpu(queue, buffers, sums, done);
        on_streams(queue, buffers, sums, done);
        arguments(queue, buffers, notes, done);
        shmem_signal_set(done, 0, me);
        shmem_put64(sums, zeros, LARGE, me);
        /* The second one, whose executor is launched, is left to shmem_finalize. */
        if (round == 0)
            shmemx_task_queue_destroy(queue);
    }
    return finish();
}
