/* 9.10 Broadcast, collect, fcollect, alltoall, alltoalls: every type, over teams of every shape, in direct
 * succession. */
#include "teams.h"

/* Elements; results, which nobody touches until all of them have been checked; bytes of the arrays. */
enum { N = 5, RESULTS = 8, ROOM = 2 * N * MAX_PES + 2, LARGE = 70001, BYTES = 16 * RESULTS * ROOM };

static unsigned char *symmetric, *from;

#define SOURCE(TYPE) ((TYPE *)(void *)from)
#define RESULT(TYPE, r) ((TYPE *)(void *)symmetric + (r) * ROOM + 1)

/* Element e of result r is WANTED wherever HAS is true, and untouched elsewhere. `w` is the world number of e's
 * sender. */
#define VERIFY(TYPE, r, HAS, WANTED)                                                                                   \
    for (int e = -1; e < ROOM - 1; e++) {                                                                              \
        TYPE *got = RESULT(TYPE, r) + e;                                                                               \
        if (e >= 0 && (HAS))                                                                                           \
            SAME(*got, WANTED);                                                                                        \
        else                                                                                                           \
            UNTOUCHED(got, got + 1); /* 9.10.6-2 */                                                                    \
    }

/* How many elements PE i of a team contributes to a collect: different numbers, including none. */
static int given(int i)
{
    return (i * 2 + 1) % (N + 1);
}

/* Returns which PE contributed element e of a collect, and which of its elements that is. */
static int giver(const struct team *team, int e, int *index)
{
    for (int i = 0; i < team->n; i++) {
        if (e < given(i)) {
            *index = e;
            return team->members[i];
        }
        e -= given(i);
    }
    return -1;
}

#define TYPED(NAME, TYPE)                                                                                              \
    static void move_##NAME(const struct team *team)                                                                   \
    {                                                                                                                  \
        shmem_team_t handle = team->handle;                                                                            \
        const int n = team->n, my = team->my, *pe = team->members, last = n - 1, middle = n / 2;                       \
        TYPE *source = SOURCE(TYPE);                                                                                   \
        int index = 0;                                                                                                 \
        guard(symmetric, BYTES);                                                                                       \
        for (int e = 0; e < 2 * N * MAX_PES; e++)                                                                      \
            source[e] = VALUE(TYPE, me, 1, e);                                                                         \
        shmem_team_sync(handle);                                                                                       \
        SAME(shmem_##NAME##_broadcast(handle, RESULT(TYPE, 0), source, N, 0), 0); /* 9.10-2 */                         \
        SAME(shmem_##NAME##_fcollect(handle, RESULT(TYPE, 1), source, N), 0);                                          \
        SAME(shmem_##NAME##_collect(handle, RESULT(TYPE, 2), source, given(my)), 0);                                   \
        SAME(shmem_##NAME##_alltoall(handle, RESULT(TYPE, 3), source, N), 0);                                          \
        SAME(shmem_##NAME##_alltoalls(handle, RESULT(TYPE, 4), source, 2, 1, N), 0);                                   \
        SAME(shmem_##NAME##_broadcast(handle, RESULT(TYPE, 5), source, N - 1, last), 0);                               \
        SAME(shmem_##NAME##_alltoalls(handle, RESULT(TYPE, 6), source, 1, 2, N), 0);                                   \
        SAME(shmem_##NAME##_broadcast(handle, RESULT(TYPE, 7), source, 1, middle), 0);                                 \
        SAME(shmem_##NAME##_fcollect(handle, RESULT(TYPE, 7) + 1, source, 0), 0);                                      \
        SAME(shmem_##NAME##_alltoall(handle, RESULT(TYPE, 7) + 1, source, 0), 0); /* 9.10.5-2 */                       \
        VERIFY(TYPE, 0, e < N, VALUE(TYPE, pe[0], 1, e)) /* 9.10.7-1 */                                                \
        VERIFY(TYPE, 1, e < n * N, VALUE(TYPE, pe[e / N], 1, e % N)) /* 9.10.8-1 */                                    \
        VERIFY(TYPE, 2, giver(team, e, &index) >= 0, VALUE(TYPE, giver(team, e, &index), 1, index)) /* 9.10.8-2 */     \
        VERIFY(TYPE, 3, e < n * N, VALUE(TYPE, pe[e / N], 1, my * N + e % N)) /* 9.10.5-1 */                           \
        VERIFY(TYPE, 4, e % 2 == 0 && e / 2 < n * N, VALUE(TYPE, pe[e / 2 / N], 1, my * N + e / 2 % N)) /* 9.10.6-1 */ \
        VERIFY(TYPE, 5, e < N - 1, VALUE(TYPE, pe[last], 1, e))                                                        \
        VERIFY(TYPE, 6, e < n * N, VALUE(TYPE, pe[e / N], 1, 2 * (my * N + e % N)))                                    \
        VERIFY(TYPE, 7, e < 1, VALUE(TYPE, pe[middle], 1, e))                                                          \
        /* The source is unchanged, and may change from now on. */                                                     \
        for (int e = 0; e < 2 * N * MAX_PES; e++)                                                                      \
            SAME(source[e], VALUE(TYPE, me, 1, e)); /* 9.10.7-3 */                                                     \
        shmem_team_sync(handle);                                                                                       \
    }
FOR_RMA(TYPED)

/* The forms for bytes have different names. */
#define shmem_mem_broadcast shmem_broadcastmem
#define shmem_mem_fcollect shmem_fcollectmem
#define shmem_mem_collect shmem_collectmem
#define shmem_mem_alltoall shmem_alltoallmem
#define shmem_mem_alltoalls shmem_alltoallsmem
TYPED(mem, unsigned char)

/* Lengths at which a library may change its algorithm. What each PE contributes and receives differs. */
static void lengths(const struct team *team)
{
    static const size_t of[] = {1, 63, 64, 65, 511, 1024, 4097, 16384, LARGE};
    const int n = team->n, my = team->my;
    unsigned char *source = from, *dest = symmetric;
    for (int k = 0; k < (int)(sizeof of / sizeof *of); k++) {
        size_t bytes = of[k];
        int wrong = 0, root = k % n;
        routine = "long broadcasts";
        for (size_t i = 0; i < bytes * n; i++)
            source[i] = VALUE(unsigned char, me, k, i);
        guard(dest, (bytes + 1) * n);
        shmem_team_sync(team->handle);
        SAME(shmem_broadcastmem(team->handle, dest, source, bytes, root), 0);
        for (size_t i = 0; i < bytes; i++)
            wrong += dest[i] != VALUE(unsigned char, team->members[root], k, i);
        SAME(wrong, 0);
        UNTOUCHED(dest + bytes, dest + (bytes + 1) * n);
        shmem_team_sync(team->handle);
        routine = "long fcollects";
        SAME(shmem_fcollectmem(team->handle, dest, source, bytes), 0);
        for (size_t i = 0; i < bytes * n; i++)
            wrong += dest[i] != VALUE(unsigned char, team->members[i / bytes], k, i % bytes);
        SAME(wrong, 0);
        shmem_team_sync(team->handle);
        routine = "long collects";
        SAME(shmem_collectmem(team->handle, dest, source, my % 2 ? bytes : bytes / 2), 0);
        const unsigned char *at = dest;
        for (int i = 0; i < n; i++)
            for (size_t b = 0; b < (i % 2 ? bytes : bytes / 2); b++)
                wrong += *at++ != VALUE(unsigned char, team->members[i], k, b);
        SAME(wrong, 0);
        shmem_team_sync(team->handle);
        routine = "long alltoalls";
        SAME(shmem_alltoallmem(team->handle, dest, source, bytes), 0);
        for (size_t i = 0; i < bytes * n; i++)
            wrong += dest[i] != VALUE(unsigned char, team->members[i / bytes], k, my * bytes + i % bytes);
        SAME(wrong, 0);
        UNTOUCHED(dest + bytes * n, dest + (bytes + 1) * n);
        shmem_team_sync(team->handle);
    }
}

/* Many small collectives in a row, of two kinds and with every root. The results are checked when all are done. */
static void in_a_row(const struct team *team)
{
    enum { TIMES = 200, SLOTS = 2 * TIMES };
    long *source = (long *)(void *)from, *dest = (long *)(void *)symmetric;
    routine = "one after the other";
    for (int i = 0; i < TIMES; i++)
        source[i] = VALUE(long, me, 2, i);
    memset(dest, 0, SLOTS * MAX_PES * sizeof *dest);
    shmem_team_sync(team->handle);
    for (int i = 0; i < TIMES; i++) {
        shmem_long_broadcast(team->handle, dest + i, source + i, 1, i % team->n);
        shmem_long_fcollect(team->handle, dest + TIMES + i * MAX_PES, source + i, 1);
    }
    for (int i = 0; i < TIMES; i++) {
        SAME(dest[i], VALUE(long, team->members[i % team->n], 2, i)); /* 9.10.7-2 */
        for (int p = 0; p < team->n; p++)
            SAME(dest[TIMES + i * MAX_PES + p], VALUE(long, team->members[p], 2, i)); /* 9.10-1 */
    }
    shmem_team_sync(team->handle);
}

int main(void)
{
    struct team teams[MAX_TEAMS];
    begin();
    symmetric = (unsigned char *)shmem_align(64, (LARGE + 1) * MAX_PES);
    from = (unsigned char *)shmem_align(64, (LARGE + 1) * MAX_PES);
    int n = make_teams(teams);
    for (int t = 0; t < n; t++) {
#define RUN(NAME, TYPE)                                                                                                \
    routine = #NAME;                                                                                                   \
    move_##NAME(teams + t);
        FOR_RMA(RUN)
        RUN(mem, unsigned char)
        lengths(teams + t);
        in_a_row(teams + t);
    }
    free_teams(teams, n);
    shmem_free(from);
    shmem_free(symmetric);
    return finish();
}
