/* 9.4 Teams: which PEs belong to them, with which numbers, and what the other PEs are told. */
#include "teams.h"

static long *box;

/* Checks numbers in the team and in the world, in both directions. The members then synchronise, and nobody goes on
 * before all have arrived. */
static void verify(const struct team *team)
{
    routine = team->shape;
    SAME(shmem_team_my_pe(team->handle), team->my); /* 9.4.1-1 */
    SAME(shmem_team_n_pes(team->handle), team->n); /* 9.4.2-1 */
    for (int pe = 0; pe < npes; pe++) {
        int number = -1;
        for (int i = 0; i < team->n; i++)
            number = team->members[i] == pe ? i : number;
        SAME(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, team->handle), number); /* 9.4.5-2 */
    }
    for (int i = 0; i < team->n; i++)
        SAME(shmem_team_translate_pe(team->handle, i, SHMEM_TEAM_WORLD), team->members[i]); /* 9.4.5-1 */
    SAME(shmem_team_translate_pe(team->handle, 0, SHMEM_TEAM_INVALID), -1);
    SAME(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, team->handle), -1); /* 9.4.5-3 */
    for (long i = 1; i <= 10; i++) {
        long *count = box + i % 3;
        shmem_long_atomic_add(count, 1, team->members[0]);
        shmem_quiet();
        SAME(shmem_team_sync(team->handle), 0);
        CHECK(shmem_long_atomic_fetch(count, team->members[0]) == team->n * ((i + 2) / 3));
        SAME(shmem_team_sync(team->handle), 0);
    }
    routine = "";
}

static void clear(void)
{
    shmem_barrier_all();
    box[0] = box[1] = box[2] = 0;
    shmem_barrier_all();
}

static void invalid(void)
{
    shmem_team_t team = SHMEM_TEAM_WORLD, other = SHMEM_TEAM_WORLD;
    shmem_team_config_t config;
    routine = "SHMEM_TEAM_INVALID";
    SAME(shmem_team_my_pe(SHMEM_TEAM_INVALID), -1); /* 9.4.1-2 */
    SAME(shmem_team_n_pes(SHMEM_TEAM_INVALID), -1); /* 9.4.2-2 */
    CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team) != 0); /* 9.4.6-6 */
    CHECK(team == SHMEM_TEAM_INVALID);
    team = SHMEM_TEAM_WORLD;
    CHECK(shmem_team_split_2d(SHMEM_TEAM_INVALID, 1, NULL, 0, &team, NULL, 0, &other) != 0);
    CHECK(team == SHMEM_TEAM_INVALID && other == SHMEM_TEAM_INVALID); /* 9.4.7-4 */
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &config) != 0); /* 9.4.4-2 */
    SAME(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, SHMEM_TEAM_INVALID), -1);
    shmem_team_destroy(SHMEM_TEAM_INVALID); /* 9.4.8-2 */
    SAME(shmem_team_translate_pe(SHMEM_TEAM_WORLD, npes, SHMEM_TEAM_WORLD), -1); /* 9.4.5-4 */
    SAME(shmem_team_translate_pe(SHMEM_TEAM_WORLD, -1, SHMEM_TEAM_WORLD), -1);
    routine = "";
}

static void predefined(void)
{
    routine = "the predefined teams";
    SAME(shmem_team_my_pe(SHMEM_TEAM_WORLD), me); /* 7-1 */
    SAME(shmem_team_n_pes(SHMEM_TEAM_WORLD), npes);
    int n = shmem_team_n_pes(SHMEM_TEAM_SHARED);
    CHECK(n >= 1 && n <= npes && shmem_team_my_pe(SHMEM_TEAM_SHARED) >= 0);
    for (int i = 0; i < n; i++)
        CHECK(shmem_team_ptr(SHMEM_TEAM_SHARED, box, i) != NULL); /* 7-2 */
    SAME(shmem_team_translate_pe(SHMEM_TEAM_SHARED, shmem_team_my_pe(SHMEM_TEAM_SHARED), SHMEM_TEAM_WORLD), me);
    SAME(shmem_team_sync(SHMEM_TEAM_SHARED), 0);
}

/* Every start, stride and size for which there is room. */
static void strided(void)
{
    struct team team;
    for (int stride = -3; stride <= 3; stride++)
        for (int start = 0; start < npes; start++) {
            /* 9.4.6-4 */
            int most = stride > 0 ? (npes - 1 - start) / stride + 1 : stride < 0 ? start / -stride + 1 : 1;
            for (int n = 1; n <= most; n += n < 2 ? 1 : 2) {
                clear();
                if (split(&team, "a strided split", start, stride, n)) { /* 9.4.6-1 */
                    verify(&team);
                    shmem_team_destroy(team.handle);
                } else
                    SAME(shmem_team_my_pe(team.handle), -1);
            }
        }
    static const int wrong[][3] = {{-1, 1, 1}, {0, 1, 0}, {0, 1, -1}, {0, 1, MAX_PES + 1}, {0, -1, 2}, {MAX_PES, 1, 1}};
    routine = "a triplet that leaves the parent";
    for (int i = 0; i < (int)(sizeof wrong / sizeof *wrong); i++) {
        team.handle = SHMEM_TEAM_WORLD;
        /* 9.4.6-5 */
        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, wrong[i][0], wrong[i][1], wrong[i][2], NULL, 0, &team.handle));
        CHECK(team.handle == SHMEM_TEAM_INVALID);
    }
    shmem_barrier_all();
}

/* A team made from a team uses its parent's numbers: all PEs in reverse, every second one of these, and those in
 * reverse again. */
static void nested(void)
{
    struct team outer, inner, innermost;
    shmem_team_t handle = SHMEM_TEAM_INVALID;
    int half = (npes + 1) / 2;
    clear();
    CHECK(split(&outer, "all in reverse", npes - 1, -1, npes));
    SAME(shmem_team_split_strided(outer.handle, 0, 2, half, NULL, 0, &handle), 0);
    if (note(&inner, "every second of all in reverse", handle, npes - 1, -2, half)) { /* 9.4.6-7 */
        verify(&inner);
        routine = "from team to team";
        for (int i = 0; i < half; i++) {
            SAME(shmem_team_translate_pe(inner.handle, i, outer.handle), 2 * i);
            SAME(shmem_team_translate_pe(outer.handle, 2 * i, inner.handle), i);
            if (2 * i + 1 < npes)
                SAME(shmem_team_translate_pe(outer.handle, 2 * i + 1, inner.handle), -1);
        }
        SAME(shmem_team_split_strided(inner.handle, half - 1, -1, half, NULL, 0, &handle), 0);
        CHECK(note(&innermost, "those in reverse", handle, npes - 1 - 2 * (half - 1), 2, half));
        SAME(shmem_team_sync(innermost.handle), 0); /* 9.4-1 */
        SAME(shmem_team_my_pe(innermost.handle), half - 1 - inner.my);
        shmem_team_destroy(inner.handle);
        /* The team works without its parent. */
        SAME(shmem_team_sync(innermost.handle), 0);
        SAME(shmem_team_translate_pe(innermost.handle, innermost.my, SHMEM_TEAM_WORLD), me); /* 9.4-2 */
        shmem_team_destroy(innermost.handle);
    }
    shmem_team_destroy(outer.handle);
    shmem_barrier_all();
}

static void split_2d(void)
{
    for (int xrange = 1; xrange <= npes + 1; xrange++) { /* 9.4.7-3 */
        shmem_team_t x = SHMEM_TEAM_INVALID, y = SHMEM_TEAM_INVALID;
        struct team row, column;
        int first = me / xrange * xrange, in_row = npes - first < xrange ? npes - first : xrange;
        clear();
        SAME(shmem_team_split_2d(SHMEM_TEAM_WORLD, xrange, NULL, 0, &x, NULL, 0, &y), 0);
        CHECK(note(&row, "a row", x, first, 1, in_row)); /* 9.4.7-1 */
        /* 9.4.7-2 */
        CHECK(note(&column, "a column", y, me % xrange, xrange, (npes - me % xrange + xrange - 1) / xrange));
        verify(&row);
        clear();
        verify(&column);
        SAME(shmem_team_my_pe(x), me % xrange);
        SAME(shmem_team_my_pe(y), me / xrange);
        shmem_team_destroy(x);
        shmem_team_destroy(y);
    }
    shmem_barrier_all();
}

static void configurations(void)
{
    routine = "configurations";
    shmem_team_config_t kept;
    kept.num_contexts = -7;
    SAME(shmem_team_get_config(SHMEM_TEAM_WORLD, 0, NULL), 0); /* 9.4.4-3 */
    SAME(shmem_team_get_config(SHMEM_TEAM_WORLD, 0, &kept), 0);
    SAME(kept.num_contexts, -7); /* 9.4.4-4 */
    for (int n = 0; n < 5; n++) {
        shmem_team_config_t config, got;
        shmem_team_t team = SHMEM_TEAM_INVALID;
        config.num_contexts = n;
        got.num_contexts = -1;
        SAME(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, &config, SHMEM_TEAM_NUM_CONTEXTS, &team), 0);
        SAME(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got), 0);
        SAME(got.num_contexts, n); /* 9.4.4-1 */
        shmem_team_destroy(team);
        SAME(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, &config, 0, &team), 0);
        SAME(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &got), 0);
        SAME(got.num_contexts, 0); /* 9.4.3-2 */
        shmem_team_destroy(team);
    }
}

/* Everything that a team held is free again. */
static void many(void)
{
    routine = "teams that come and go";
    for (int i = 0; i < 300; i++) {
        shmem_team_t team = SHMEM_TEAM_INVALID, x = SHMEM_TEAM_INVALID, y = SHMEM_TEAM_INVALID;
        SAME(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, npes, NULL, 0, &team), 0);
        SAME(shmem_team_split_2d(team, 2, NULL, 0, &x, NULL, 0, &y), 0);
        CHECK(team != SHMEM_TEAM_INVALID && x != SHMEM_TEAM_INVALID && y != SHMEM_TEAM_INVALID); /* 9.4.8-1 */
        if (i % 10 == 0)
            SAME(shmem_team_sync(i % 20 ? x : y), 0);
        shmem_team_destroy(team);
        shmem_team_destroy(x);
        shmem_team_destroy(y);
    }
    shmem_barrier_all();
}

int main(void)
{
    struct team teams[MAX_TEAMS];
    begin();
    box = (long *)shmem_calloc(3, sizeof *box);
    invalid();
    predefined();
    strided();
    nested();
    split_2d();
    configurations();
    many();
    /* All shapes exist at the same time, and each is used in turn. */
    int n = make_teams(teams);
    for (int pe = 0; pe < npes; pe++)
        shmem_barrier_all();
    for (int t = 0; t < n; t++)
        SAME(shmem_team_sync(teams[t].handle), 0);
    free_teams(teams, n);
    shmem_free(box);
    return finish();
}
