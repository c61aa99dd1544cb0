/* 9.10 Barriers and syncs: no PE leaves one before all have entered it; a barrier completes what was issued before
 * it. */
#include "teams.h"

enum { ROUNDS = 300 };

static long *entered, *box;

/* In each round, each PE announces its arrival to every PE, then synchronises, and then finds that all have arrived. */
static void all_have_come(const struct team *team, int kind)
{
    for (int i = 0; i < MAX_PES; i++)
        entered[i] = 0;
    shmem_team_sync(team->handle);
    for (long round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < team->n; i++)
            shmem_long_p(entered + team->my, round, team->members[i]);
        switch (kind) {
        case 0: shmem_barrier_all(); break;
        case 1: shmem_quiet(), shmem_sync_all(); break; /* 9.10.4-1 */
        case 2: shmem_quiet(), SAME(shmem_team_sync(team->handle), 0); break; /* 9.10.3-1 */
        }
        int late = 0;
        for (int i = 0; i < team->n; i++)
            late += entered[i] < round; /* 9.10.1-1 */
        SAME(late, 0);
    }
    shmem_team_sync(team->handle);
}

/* Also nonblocking puts to all PEs that are longer than one message. */
static void barrier_completes(void)
{
    enum { N = 3000 };
    long *large = (long *)shmem_malloc(N * MAX_PES * sizeof *large), *source = (long *)malloc(N * sizeof *source);
    routine = "shmem_barrier_all completes";
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < N; i++)
            source[i] = VALUE(long, me, round, i);
        for (int pe = 0; pe < npes; pe++) {
            shmem_long_put_nbi(large + me * N, source, N, pe);
            shmem_long_atomic_add(box + round % 2, 1, pe);
        }
        shmem_barrier_all();
        int wrong = 0;
        for (int pe = 0; pe < npes; pe++)
            for (int i = 0; i < N; i++)
                wrong += large[pe * N + i] != VALUE(long, pe, round, i); /* 9.10.1-2 */
        SAME(wrong, 0);
        SAME(box[round % 2], npes * (round / 2 + 1)); /* 9.10.1-3 */
        shmem_barrier_all();
    }
    free(source);
    shmem_free(large);
}

/* The stores of a PE are visible to the PEs that have synchronised with it. */
static void sync_publishes_stores(void)
{
    routine = "shmem_sync_all and local stores";
    for (long round = 1; round <= ROUNDS; round++) {
        box[2] = 1000 * round + me;
        shmem_sync_all();
        int pe = (me + (int)round) % npes;
        SAME(shmem_long_g(box + 2, pe), 1000 * round + pe); /* 9.10.4-2 */
        shmem_sync_all();
    }
}

/* Teams that share PEs synchronise in any order on which all PEs agree, in direct succession. */
static void one_after_the_other(const struct team *teams, int n)
{
    routine = "syncs of many teams in a row";
    for (int round = 0; round < 50; round++)
        for (int t = 0; t < n; t++)
            SAME(shmem_team_sync(teams[t].handle), 0); /* 9.10-3 */
}

int main(void)
{
    struct team teams[MAX_TEAMS];
    begin();
    entered = (long *)shmem_calloc(MAX_PES, sizeof *entered);
    box = (long *)shmem_calloc(3, sizeof *box);
    int n = make_teams(teams);
    for (int kind = 0; kind < 2; kind++) {
        routine = kind ? "shmem_sync_all" : "shmem_barrier_all";
        all_have_come(teams, kind);
    }
    for (int t = 0; t < n; t++) {
        routine = teams[t].shape;
        all_have_come(teams + t, 2);
    }
    shmem_barrier_all();
    barrier_completes();
    sync_publishes_stores();
    one_after_the_other(teams, n);
    free_teams(teams, n);
    shmem_free(box);
    shmem_free(entered);
    return finish();
}
