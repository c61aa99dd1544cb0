/* A quiet on a stream waits until another PE has the data. Without access between GPUs, that PE's CPU copies the last
 * part, so while its process is stopped, the stream of PE 0 must not pass the quiet. */
#define _GNU_SOURCE
#include "check.h"
#include <shmemx.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { N = 1000 };

/* Whether the process is stopped. */
static int is_stopped(long pid)
{
    char path[64], state = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    SAME(fscanf(file, "%*d (%*[^)]) %c", &state), 1);
    fclose(file);
    return state == 'T';
}

int main(void)
{
    begin();
    long *box = (long *)shmemx_malloc_gpu(N * sizeof *box), *source = (long *)shmemx_malloc_gpu(N * sizeof *source);
    long *values = (long *)malloc(N * sizeof *values), *found = (long *)malloc(N * sizeof *found);
    long *pids = (long *)shmem_calloc(2, sizeof *pids);
    uint64_t *passed = (uint64_t *)shmem_calloc(1, sizeof *passed), *one = (uint64_t *)shmem_malloc(sizeof *one);
    *one = 1;
    for (int i = 0; i < N; i++)
        values[i] = 10000L * (me + 1) + i;
    shmem_long_put(source, values, N, me);
    shmem_long_p(pids + me, (long)getpid(), 0);
    shmem_barrier_all();
    if (me == 0) {
        shmemx_stream_t stream;
        SAME(shmemx_stream_create(&stream), 0);
        /* What the first put has to set up is ready after it. */
        shmemx_long_put_on_stream(box, source, N, 1, stream);
        shmemx_quiet_on_stream(stream);
        shmemx_stream_synchronize(stream);
        SAME(kill((pid_t)pids[1], SIGSTOP), 0);
        const struct timespec moment = {0, 1000000};
        for (int i = 0; i < 60000 && !is_stopped(pids[1]); i++)
            nanosleep(&moment, NULL);
        CHECK(is_stopped(pids[1]));
        shmemx_long_put_on_stream(box, source, N, 1, stream);
        shmemx_quiet_on_stream(stream);
        /* A signal would itself wait for what comes before it. */
        shmemx_uint64_put_on_stream(passed, one, 1, 0, stream);
        /* The stream has the time to pass the quiet, if that does not hold it. */
        for (int i = 0; i < 300; i++) {
            nanosleep(&moment, NULL);
            SAME(shmem_signal_fetch(passed), 0);
        }
        SAME(kill((pid_t)pids[1], SIGCONT), 0);
        shmem_signal_wait_until(passed, SHMEM_CMP_EQ, 1);
        shmemx_stream_destroy(stream);
    }
    shmem_barrier_all();
    if (me == 1) {
        shmem_long_get(found, box, N, me);
        for (int i = 0; i < N; i++)
            SAME(found[i], 10000L + i);
    }
    return finish();
}
