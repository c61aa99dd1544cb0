/* Teams of every shape that the number of PEs allows. */
#ifndef TEAMS_H
#define TEAMS_H

#include "check.h"

enum { MAX_TEAMS = 10 };

struct team {
    const char *shape;
    shmem_team_t handle;
    /* The number of its PEs, this PE's number in it, and the members' numbers in the world. */
    int n, my, members[MAX_PES];
};

/* Records the team if this PE is in it: PEs start, start + stride, …. */
static inline int note(struct team *team, const char *shape, shmem_team_t handle, int start, int stride, int n)
{
    routine = shape;
    team->shape = shape;
    team->handle = handle;
    team->n = n;
    team->my = -1;
    for (int i = 0; i < n; i++) {
        team->members[i] = start + i * stride;
        if (team->members[i] == me)
            team->my = i;
    }
    CHECK((handle != SHMEM_TEAM_INVALID) == (team->my >= 0)); /* 9.4-3 */
    routine = "";
    return team->my >= 0;
}

/* A strided split of the world. */
static inline int split(struct team *team, const char *shape, int start, int stride, int n)
{
    shmem_team_config_t config;
    shmem_team_t handle = SHMEM_TEAM_INVALID;
    config.num_contexts = 2;
    /* 9.4.6-2 */
    SAME(shmem_team_split_strided(SHMEM_TEAM_WORLD, start, stride, n, &config, SHMEM_TEAM_NUM_CONTEXTS, &handle), 0);
    return note(team, shape, handle, start, stride, n);
}

/* Makes the teams and returns how many of them contain this PE; collective. The first is the world. */
static inline int make_teams(struct team *teams)
{
    int n = 0, half = (npes + 1) / 2, xrange = npes > 3 ? 3 : 2;
    n += note(teams + n, "the world", SHMEM_TEAM_WORLD, 0, 1, npes);
    n += split(teams + n, "even PEs", 0, 2, half);
    n += split(teams + n, "all in reverse", npes - 1, -1, npes); /* 9.4.6-3 */
    n += split(teams + n, "the upper half", npes - half, 1, half);
    for (int pe = 0; pe < npes; pe++)
        n += split(teams + n, "one PE", pe, 1, 1);
    if (npes > 2)
        n += split(teams + n, "every third in reverse", (npes - 1) / 3 * 3, -3, (npes + 2) / 3);
    shmem_team_t x = SHMEM_TEAM_INVALID, y = SHMEM_TEAM_INVALID;
    shmem_team_config_t config;
    config.num_contexts = 2;
    SAME(shmem_team_split_2d(SHMEM_TEAM_WORLD, xrange, &config, SHMEM_TEAM_NUM_CONTEXTS, &x, &config,
                             SHMEM_TEAM_NUM_CONTEXTS, &y), 0);
    int column = me % xrange, row = me / xrange, first = row * xrange;
    n += note(teams + n, "a row", x, first, 1, npes - first < xrange ? npes - first : xrange);
    n += note(teams + n, "a column", y, column, xrange, (npes - column + xrange - 1) / xrange);
    return n;
}

/* Frees the teams, in the same order on all PEs. */
static inline void free_teams(struct team *teams, int n)
{
    for (int t = 1; t < n; t++)
        shmem_team_destroy(teams[t].handle);
    shmem_barrier_all();
}

#endif
