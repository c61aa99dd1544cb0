/* The names that routines had as extensions before OpenSHMEM 1.6 made them standard, and the team of this machine. */
#include "check.h"
#include <shmemx.h>

enum { N = 6 };

static long *box;
static uint64_t *sig;

#define ARRIVED(CALL)                                                                                                  \
    {                                                                                                                  \
        routine = #CALL;                                                                                               \
        memset(box, 0, N * sizeof *box);                                                                               \
        shmem_barrier_all();                                                                                           \
        CALL;                                                                                                          \
        shmem_barrier_all();                                                                                           \
        for (int i = 0; i < N; i++)                                                                                    \
            SAME(box[i], i < 2 || i >= 4 ? source[i < 2 ? i : i - 2] : 0);                                             \
        shmem_barrier_all();                                                                                           \
    }
#define FETCHED(CALL)                                                                                                  \
    {                                                                                                                  \
        long got[N] = {0};                                                                                             \
        routine = #CALL;                                                                                               \
        memcpy(box, source, sizeof source);                                                                            \
        shmem_barrier_all();                                                                                           \
        CALL;                                                                                                          \
        for (int i = 0; i < N; i++)                                                                                    \
            SAME(got[i], i < 4 ? source[i < 2 ? i : i + 2] : 0);                                                       \
        shmem_barrier_all();                                                                                           \
    }
#define SCANNED(CALL, WANTED)                                                                                          \
    {                                                                                                                  \
        routine = #CALL;                                                                                               \
        box[1] = me + 1;                                                                                               \
        shmem_barrier_all();                                                                                           \
        CALL;                                                                                                          \
        SAME(box[0], WANTED);                                                                                          \
        shmem_barrier_all();                                                                                           \
    }

int main(void)
{
    const long source[N] = {11, 12, 13, 14, 15, 16};
    const uint64_t one = 1;
    begin();
    int pe = (me + 1) % npes;
    box = (long *)shmem_calloc(N, sizeof *box);
    sig = (uint64_t *)shmem_calloc(1, sizeof *sig);
    ARRIVED(shmemx_long_ibput(box, source, 4, 2, 2, 2, pe))
    ARRIVED(shmemx_ctx_long_ibput(SHMEM_CTX_DEFAULT, box, source, 4, 2, 2, 2, pe))
    ARRIVED(shmemx_ibput64(box, source, 4, 2, 2, 2, pe))
    ARRIVED(shmemx_ctx_ibput64(SHMEM_CTX_DEFAULT, box, source, 4, 2, 2, 2, pe))
    ARRIVED(shmemx_ibput(box, source, 4, 2, 2, 2, pe))
    ARRIVED(shmemx_ibput(SHMEM_CTX_DEFAULT, box, source, 4, 2, 2, 2, pe))
    FETCHED(shmemx_long_ibget(got, box, 2, 4, 2, 2, pe))
    FETCHED(shmemx_ibget64(got, box, 2, 4, 2, 2, pe))
    FETCHED(shmemx_ibget(got, box, 2, 4, 2, 2, pe))
    SCANNED(shmemx_long_sum_inscan(SHMEM_TEAM_WORLD, box, box + 1, 1), (me + 1) * (me + 2) / 2)
    SCANNED(shmemx_sum_inscan(SHMEM_TEAM_WORLD, box, box + 1, 1), (me + 1) * (me + 2) / 2)
    SCANNED(shmemx_long_sum_exscan(SHMEM_TEAM_WORLD, box, box + 1, 1), me * (me + 1) / 2)
    SCANNED(shmemx_sum_exscan(SHMEM_TEAM_WORLD, box, box + 1, 1), me * (me + 1) / 2)
    routine = "signals";
    shmemx_signal_set(sig, 10, pe);
    shmem_barrier_all();
    shmemx_signal_add(sig, 1, pe);
    shmemx_ctx_signal_add(SHMEM_CTX_DEFAULT, sig, 1, pe);
    shmemx_signal_add(SHMEM_CTX_DEFAULT, sig, one, pe);
    shmem_barrier_all();
    SAME(shmem_signal_fetch(sig), 13);
    routine = "SHMEMX_TEAM_NODE";
    int near = 0;
    for (int i = 0; i < npes; i++)
        near += shmem_ptr(box, i) != NULL;
    SAME(shmem_team_n_pes(SHMEMX_TEAM_NODE), near);
    SAME(shmem_team_sync(SHMEMX_TEAM_NODE), 0);
    shmem_barrier_all();
    shmem_free(sig);
    shmem_free(box);
    return finish();
}
