/* 9.5, 9.9 Communication contexts and sessions: all options, contexts of teams with the numbers of the team, and what
 * ends with a context. */
#include "teams.h"

enum { N = 100 };

static long *box, *words;
static uint64_t *sig;

/* Uses every operation on the context with each PE, by the numbers of its team. */
static void use(shmem_ctx_t ctx, const struct team *team)
{
    long source[N], got[N];
    shmem_team_t of_ctx = SHMEM_TEAM_INVALID;
    SAME(shmem_ctx_get_team(ctx, &of_ctx), 0);
    SAME(shmem_team_n_pes(of_ctx), team->n); /* 9.5.4-1 */
    SAME(shmem_team_my_pe(of_ctx), team->my);
    memset(words, 0, 2 * sizeof *words);
    sig[0] = sig[1] = 0;
    SAME(shmem_team_sync(team->handle), 0);
    for (int i = 0; i < team->n; i++) {
        for (int e = 0; e < N; e++)
            source[e] = VALUE(long, me, team->members[i], e);
        shmem_ctx_long_put(ctx, box + team->my * N, source, N / 2, i);
        shmem_ctx_long_put_nbi(ctx, box + team->my * N + N / 2, source + N / 2, N / 2, i);
        shmem_ctx_quiet(ctx);
        shmem_ctx_long_get(ctx, got, box + team->my * N, N / 4, i);
        shmem_ctx_long_get_nbi(ctx, got + N / 4, box + team->my * N + N / 4, N - N / 4, i);
        shmem_ctx_quiet(ctx);
        SAME_BYTES(got, source, sizeof got);
        SAME(shmem_ctx_long_g(ctx, box + team->my * N + 1, i), source[1]);
        shmem_ctx_long_atomic_add(ctx, words, team->my + 1, i);
        shmem_ctx_long_atomic_fetch_inc(ctx, words + 1, i);
        shmem_ctx_signal_add(ctx, sig, 2, i);
        shmem_ctx_long_put_signal(ctx, box + team->my * N, source, 1, sig + 1, 3, SHMEM_SIGNAL_ADD, i);
        shmem_ctx_fence(ctx);
    }
    shmem_ctx_quiet(ctx);
    SAME(shmem_team_sync(team->handle), 0);
    for (int i = 0; i < team->n; i++)
        for (int e = 0; e < N; e++)
            SAME(box[i * N + e], VALUE(long, team->members[i], me, e)); /* 9.5-2 */
    SAME(words[0], team->n * (team->n + 1) / 2);
    SAME(words[1], team->n);
    SAME(shmem_signal_fetch(sig), 2 * team->n);
    SAME(shmem_signal_fetch(sig + 1), 3 * team->n);
    SAME(shmem_team_sync(team->handle), 0);
}

static const long options[] = {0, SHMEM_CTX_SERIALIZED, SHMEM_CTX_PRIVATE, SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE};

static void of_the_world(const struct team *world)
{
    routine = "contexts of the world";
    for (int i = 0; i < 4; i++) {
        shmem_ctx_t ctx = SHMEM_CTX_INVALID;
        shmem_team_t team = SHMEM_TEAM_INVALID;
        SAME(shmem_ctx_create(options[i], &ctx), 0); /* 9.5.1-1 */
        CHECK(ctx != SHMEM_CTX_INVALID && ctx != SHMEM_CTX_DEFAULT);
        SAME(shmem_ctx_get_team(ctx, &team), 0);
        CHECK(team == SHMEM_TEAM_WORLD);
        use(ctx, world);
        shmem_ctx_destroy(ctx);
    }
    routine = "the default context"; /* 7-3 */
    use(SHMEM_CTX_DEFAULT, world);
}

/* Another context's quiet completes the stores on it; its own quiet completes its gets. */
static void nostore(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    routine = "SHMEM_CTX_NOSTORE";
    SAME(shmem_ctx_create(SHMEM_CTX_NOSTORE, &ctx), 0);
    for (int i = 0; i < 50; i++) {
        int pe = (me + i) % npes, from = (me - i % npes + npes) % npes;
        long value = VALUE(long, me, pe, i), got = 0;
        shmem_ctx_long_p(ctx, box, value, pe);
        shmem_quiet();
        shmem_barrier_all();
        SAME(*box, VALUE(long, from, me, i)); /* 9.5.1-2 */
        shmem_ctx_long_get_nbi(ctx, &got, box, 1, pe);
        shmem_ctx_quiet(ctx);
        SAME(got, value);
        shmem_barrier_all();
    }
    shmem_ctx_destroy(ctx);
}

static void of_teams(struct team *teams, int n)
{
    for (int t = 0; t < n; t++)
        for (int i = 0; i < 4; i++) {
            shmem_ctx_t ctx = SHMEM_CTX_INVALID, second = SHMEM_CTX_INVALID;
            routine = teams[t].shape;
            SAME(shmem_team_create_ctx(teams[t].handle, options[i], &ctx), 0); /* 9.5.2-1 */
            SAME(shmem_team_create_ctx(teams[t].handle, 0, &second), 0);
            CHECK(ctx != second && ctx != SHMEM_CTX_INVALID && second != SHMEM_CTX_INVALID); /* 9.4.3-1 */
            use(ctx, teams + t);
            use(second, teams + t);
            shmem_ctx_destroy(ctx);
            shmem_ctx_destroy(second);
        }
    shmem_barrier_all();
}

static void invalid(void)
{
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;
    shmem_team_t team = SHMEM_TEAM_WORLD;
    shmem_ctx_session_config_t config;
    routine = "SHMEM_CTX_INVALID";
    config.total_ops = 10;
    shmem_ctx_destroy(SHMEM_CTX_INVALID); /* 9.5.3-3 */
    CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &team) != 0 && team == SHMEM_TEAM_INVALID); /* 9.5.4-3 */
    CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0); /* 9.5.2-3 */
    CHECK(ctx == SHMEM_CTX_INVALID);                                /* 9.5.2-4 */
    SAME(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &team), 0);
    CHECK(team == SHMEM_TEAM_WORLD); /* 9.5.4-2 */
    /* 9.9.2-2 */
    shmem_ctx_session_start(SHMEM_CTX_INVALID, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS);
    shmem_ctx_session_stop(SHMEM_CTX_INVALID); /* 9.9.3-2 */
    const int pes[] = {0, npes - 1};
    shmem_ctx_fence(SHMEM_CTX_INVALID); /* 9.12.1-3 */
    shmem_ctx_quiet(SHMEM_CTX_INVALID); /* 9.12.2-3 */
    shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, pes, 2); /* 9.12.3-5 */
    shmem_ctx_pe_quiet(SHMEM_CTX_INVALID, NULL, 0);
    /* Operations that are pending elsewhere are not lost. */
    shmem_long_put_nbi(box, words, 1, me);
    shmem_ctx_quiet(SHMEM_CTX_INVALID);
    shmem_quiet();
    SAME(box[0], words[0]);
}

/* A session is a hint: operations in it have the same effect. */
static void sessions(const struct team *world)
{
    shmem_ctx_t ctx = SHMEM_CTX_INVALID;
    shmem_ctx_session_config_t config;
    routine = "sessions";
    config.total_ops = 1000; /* 9.9.1-1 */
    SAME(shmem_ctx_create(0, &ctx), 0);
    for (int i = 0; i < 2; i++) {
        shmem_ctx_t of = i ? ctx : SHMEM_CTX_DEFAULT;
        shmem_ctx_session_start(of, SHMEM_CTX_SESSION_BATCH, &config, SHMEM_CTX_SESSION_TOTAL_OPS); /* 9.9-1 */
        use(of, world);
        shmem_ctx_session_start(of, SHMEM_CTX_SESSION_SAME_AMO, NULL, 0); /* 9.9.2-1 */
        use(of, world);
        shmem_ctx_session_stop(of); /* 9.9.3-1 */
        use(of, world);
    }
    shmem_ctx_destroy(ctx);
}

/* Destroying a context completes what was issued on it, and what it held is free again. */
static void ends(void)
{
    routine = "the end of a context";
    long source[N];
    for (int i = 0; i < 300; i++) {
        shmem_ctx_t ctx = SHMEM_CTX_INVALID;
        int pe = (me + 1) % npes, from = (me + npes - 1) % npes;
        SAME(shmem_ctx_create(options[i % 4], &ctx), 0);
        for (int e = 0; e < N; e++)
            source[e] = VALUE(long, me, i, e);
        shmem_ctx_long_put_nbi(ctx, box, source, N, pe);
        shmem_ctx_destroy(ctx);
        memset(source, 0, sizeof source);
        if (i % 10 == 0) {
            shmem_sync_all();
            SAME(box[0], VALUE(long, from, i, 0));
            SAME(box[N - 1], VALUE(long, from, i, N - 1)); /* 9.5.3-1 */
            shmem_sync_all();
        }
    }
    shmem_barrier_all();
    /* Several contexts at once, each with its own options. */
    shmem_ctx_t many[16];
    for (int i = 0; i < 16; i++) {
        SAME(shmem_ctx_create(0, many + i), 0);
        for (int k = 0; k < i; k++)
            CHECK(many[i] != many[k]); /* 9.5-3 */
        shmem_ctx_long_p(many[i], box + i, 100 * me + i, (me + 1) % npes);
    }
    for (int i = 0; i < 16; i++)
        shmem_ctx_quiet(many[i]);
    shmem_sync_all();
    for (int i = 0; i < 16; i++) {
        SAME(box[i], 100 * ((me + npes - 1) % npes) + i); /* 9.5-1 */
        shmem_ctx_destroy(many[i]);
    }
    shmem_barrier_all();
}

/* A PE may have as many contexts as the library provides. When it gets no more, it still has the others. */
static void too_many(void)
{
    enum { MOST = 5000 };
    routine = "more contexts than there are";
    for (int round = 0, most = 0; me == 0 && round < 2; round++) {
        int n = 0;
        shmem_ctx_t *all = (shmem_ctx_t *)malloc(MOST * sizeof *all);
        /* Cleared memory would look like SHMEM_CTX_INVALID. */
        guard(all, MOST * sizeof *all);
        while (n < MOST && shmem_ctx_create(0, all + n) == 0)
            n++;
        CHECK(n == MOST || all[n] == SHMEM_CTX_INVALID); /* 9.5.1-3 */
        CHECK(round == 0 || n == most);                  /* 9.5.3-2 */
        most = n;
        shmem_ctx_long_p(all[n - 1], box, 7, npes - 1);
        shmem_ctx_quiet(all[n - 1]);
        SAME(shmem_ctx_long_g(all[0], box, npes - 1), 7);
        for (int i = 0; i < n; i++)
            shmem_ctx_destroy(all[i]);
        free(all);
    }
    shmem_barrier_all();
}

int main(void)
{
    struct team teams[MAX_TEAMS];
    begin();
    box = (long *)shmem_malloc(N * MAX_PES * sizeof *box);
    words = (long *)shmem_calloc(2, sizeof *words);
    sig = (uint64_t *)shmem_calloc(2, sizeof *sig);
    int n = make_teams(teams);
    invalid();
    of_the_world(teams);
    nostore();
    of_teams(teams + 1, n - 1);
    sessions(teams);
    ends();
    too_many();
    /* A team's contexts are destroyed with it. */ /* 9.4.8-3 */
    shmem_ctx_t left = SHMEM_CTX_INVALID;
    SAME(shmem_team_create_ctx(teams[n - 1].handle, 0, &left), 0); /* 9.5.2-2 */
    free_teams(teams, n);
    shmem_free(sig);
    shmem_free(words);
    shmem_free(box);
    return finish();
}
