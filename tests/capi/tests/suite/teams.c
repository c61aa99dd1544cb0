/* Teams, contexts and the collectives of active sets, with every unusual way of calling them that the specification
 * allows. */
#include <complex.h>
#include <shmem.h>
#include <stdio.h>

#define SETS 3

static int me, n, wrong = 0;
static long sync_words[SHMEM_SYNC_SIZE];
static double work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 8];
static uint64_t source[64], dest[64];
static int counts[8], sums[8];
static long double long_doubles[2];
static double _Complex complexes[2];

#define CHECK(condition) \
    do { \
        if (!(condition)) { \
            wrong++; \
            printf("PE %d: line %d: %s\n", me, __LINE__, #condition); \
        } \
    } while (0)

static void handles(void) {
    shmem_team_config_t config = {7}, found = {0};
    shmem_team_t team = SHMEM_TEAM_WORLD, row, column, of;
    shmem_ctx_t ctx;
    CHECK(shmem_team_my_pe(SHMEM_TEAM_INVALID) == -1 && shmem_team_n_pes(SHMEM_TEAM_INVALID) == -1);
    CHECK(shmem_team_my_pe(SHMEM_TEAM_WORLD) == me && shmem_team_n_pes(SHMEM_TEAM_WORLD) == n);
    int near = 0;
    for (int pe = 0; pe < n; pe++) {
        int there = shmem_ptr(source, pe) != NULL;
        CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) == (there ? near : -1));
        CHECK(pe != me || shmem_team_my_pe(SHMEM_TEAM_SHARED) == near);
        near += there;
    }
    CHECK(shmem_team_n_pes(SHMEM_TEAM_SHARED) == near);
    CHECK(shmem_team_translate_pe(SHMEM_TEAM_INVALID, 0, team) == -1 && shmem_team_translate_pe(team, n, team) == -1);
    CHECK(shmem_team_get_config(SHMEM_TEAM_INVALID, SHMEM_TEAM_NUM_CONTEXTS, &found) != 0);
    CHECK(shmem_team_split_strided(SHMEM_TEAM_INVALID, 0, 1, 1, NULL, 0, &team) != 0 && team == SHMEM_TEAM_INVALID);
    shmem_team_destroy(SHMEM_TEAM_INVALID);
    shmem_ctx_destroy(SHMEM_CTX_INVALID);

    CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, &config, SHMEM_TEAM_NUM_CONTEXTS, &team) == 0);
    CHECK((team != SHMEM_TEAM_INVALID) == (me % 2 == 0));
    if (team != SHMEM_TEAM_INVALID) {
        CHECK(shmem_team_my_pe(team) == me / 2 && shmem_team_n_pes(team) == (n + 1) / 2);
        CHECK(shmem_team_get_config(team, SHMEM_TEAM_NUM_CONTEXTS, &found) == 0 && found.num_contexts == 7);
        CHECK(shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD) == 0);
        CHECK(shmem_team_translate_pe(SHMEM_TEAM_WORLD, 1, team) == -1);
        CHECK(shmem_team_sync(team) == 0);
        CHECK(shmem_team_create_ctx(team, SHMEM_CTX_SERIALIZED | SHMEM_CTX_NOSTORE, &ctx) == 0);
        CHECK(shmem_ctx_get_team(ctx, &of) == 0 && of == team);
        CHECK(shmem_team_ptr(team, source, me / 2) == source);
        /* PE 0 of the team is PE 0 of the job; its last PE has an even number. */
        shmem_ctx_uint64_p(ctx, &dest[0], 40, shmem_team_n_pes(team) - 1);
        shmem_ctx_quiet(ctx);
        shmem_team_sync(team);
        CHECK(me / 2 != shmem_team_n_pes(team) - 1 || dest[0] == 40);
        /* The context is destroyed with its team. */
        shmem_team_destroy(team);
    }
    CHECK(shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0 && shmem_ctx_get_team(ctx, &of) == 0 && of == SHMEM_TEAM_WORLD);
    shmem_ctx_session_config_t session = {100};
    shmem_ctx_session_start(ctx, SHMEM_CTX_SESSION_BATCH, &session, SHMEM_CTX_SESSION_TOTAL_OPS);
    shmem_ctx_session_stop(ctx);
    shmem_ctx_destroy(ctx);
    CHECK(shmem_ctx_get_team(SHMEM_CTX_DEFAULT, &of) == 0 && of == SHMEM_TEAM_WORLD);
    CHECK(shmem_ctx_get_team(SHMEM_CTX_INVALID, &of) != 0 && of == SHMEM_TEAM_INVALID);
    CHECK(shmem_team_create_ctx(SHMEM_TEAM_INVALID, 0, &ctx) != 0 && ctx == SHMEM_CTX_INVALID);

    CHECK(shmem_team_split_2d(SHMEM_TEAM_WORLD, 2, NULL, 0, &row, NULL, 0, &column) == 0);
    CHECK(shmem_team_my_pe(row) == me % 2 && shmem_team_my_pe(column) == me / 2);
    shmem_team_destroy(row);
    shmem_team_destroy(column);
    /* Without complete cleanup, this many rounds of creating and destroying would run out of something. */
    for (int i = 0; i < 300; i++) {
        CHECK(shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team) == 0);
        CHECK(shmem_team_create_ctx(team, 0, &ctx) == 0);
        shmem_team_destroy(team);
    }
    for (int i = 0; i < 3000; i++) {
        CHECK(shmem_ctx_create(0, &ctx) == 0);
        shmem_ctx_destroy(ctx);
    }
}

/* Overlapping sets in direct succession: all PEs, the even ones, the upper ones, and the first two. All use the same
 * words, because each set has finished with them before its members reach another set. */
static void active(int round) {
    const int sets[4][3] = {{0, 0, n}, {0, 1, (n + 1) / 2}, {n / 2, 0, n - n / 2}, {0, 0, n < 2 ? 1 : 2}};
    for (int s = 0; s < 4; s++) {
        const int start = sets[s][0], stride = 1 << sets[s][1], size = sets[s][2], log = sets[s][1];
        const int my = (me - start) / stride;
        if (me < start || (me - start) % stride != 0 || my >= size) continue;
        const uint64_t base = (uint64_t)(1000 * round + 100 * s);
#define FRESH(count) \
        shmem_barrier(start, log, size, sync_words); \
        for (int i = 0; i < 64; i++) dest[i] = 99; \
        for (int i = 0; i < (count); i++) source[i] = base + (uint64_t)(10 * my + i); \
        shmem_sync(start, log, size, sync_words)
        FRESH(3);
        shmem_broadcast64(dest, source, 3, size - 1, start, log, size, sync_words);
        for (int i = 0; i < 3; i++)
            CHECK(dest[i] == (my == size - 1 ? 99 : base + (uint64_t)(10 * (size - 1) + i)));
        FRESH(2);
        shmem_fcollect64(dest, source, 2, start, log, size, sync_words);
        for (int i = 0; i < 2 * size; i++) CHECK(dest[i] == base + (uint64_t)(10 * (i / 2) + i % 2));
        CHECK(dest[2 * size] == 99);
        FRESH(2);
        shmem_collect64(dest, source, (size_t)(1 + my % 2), start, log, size, sync_words);
        for (int m = 0, i = 0; m < size; m++)
            for (int k = 0; k < 1 + m % 2; k++, i++) CHECK(dest[i] == base + (uint64_t)(10 * m + k));
        FRESH(size);
        shmem_alltoall64(dest, source, 1, start, log, size, sync_words);
        for (int m = 0; m < size; m++) CHECK(dest[m] == base + (uint64_t)(10 * m + my));
        FRESH(3 * size);
        shmem_alltoalls64(dest, source, 2, 3, 1, start, log, size, sync_words);
        for (int m = 0; m < size; m++) CHECK(dest[2 * m] == base + (uint64_t)(10 * m + 3 * my) && dest[2 * m + 1] == 99);
        FRESH(4);
        shmem_broadcast32(dest, source, 3, 0, start, log, size, sync_words);
        CHECK(my == 0 ? dest[0] == 99 : dest[0] == base && (dest[1] & 0xffffffff) == base + 1 && dest[1] >> 32 == 0);
        counts[0] = my + 1;
        long_doubles[0] = 0.5L * (my + 1);
        complexes[0] = my + 1;
        shmem_sync(start, log, size, sync_words);
        shmem_int_sum_to_all(sums, counts, 1, start, log, size, (int *)work, sync_words);
        CHECK(sums[0] == size * (size + 1) / 2);
        shmem_int_max_to_all(sums + 1, counts, 1, start, log, size, (int *)work, sync_words);
        shmem_int_xor_to_all(sums + 2, counts, 1, start, log, size, (int *)work, sync_words);
        CHECK(sums[1] == size);
        shmem_longdouble_min_to_all(long_doubles + 1, long_doubles, 1, start, log, size, (long double *)work, sync_words);
        CHECK(long_doubles[1] == 0.5L);
        shmem_complexd_sum_to_all(complexes + 1, complexes, 1, start, log, size, (double _Complex *)work, sync_words);
        CHECK(creal(complexes[1]) == size * (size + 1) / 2 && cimag(complexes[1]) == 0);
    }
}

int main(void) {
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    handles();
    for (int round = 0; round < 50; round++) active(round);
    shmem_barrier_all();
    printf("%d wrong\n", wrong);
    shmem_finalize();
    return 0;
}
