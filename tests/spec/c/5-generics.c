/* 5 Language bindings: the generic form of each routine, with and without a context, for every type that it accepts. */
#include "teams.h"

enum { N = 4 };

static unsigned char *symmetric;
static uint64_t *sig;
static shmem_ctx_t ctx;

/* What the left neighbour sends arrives, and what the right one has is fetched. */
#define ARRIVES(TYPE, CALL)                                                                                            \
    {                                                                                                                  \
        routine = #CALL;                                                                                               \
        memset(there, 0, N * sizeof(TYPE));                                                                            \
        for (int i = 0; i < N; i++)                                                                                    \
            here[i] = VALUE(TYPE, me, 1, i);                                                                           \
        shmem_barrier_all();                                                                                           \
        CALL;                                                                                                          \
        shmem_ctx_quiet(ctx);                                                                                          \
        shmem_barrier_all();                                                                                           \
        for (int i = 0; i < N; i++)                                                                                    \
            SAME(there[i], VALUE(TYPE, left, 1, i));                                                                   \
        shmem_barrier_all();                                                                                           \
    }
#define FETCHES(TYPE, CALL)                                                                                            \
    {                                                                                                                  \
        routine = #CALL;                                                                                               \
        memset(here, 0, sizeof here);                                                                                  \
        for (int i = 0; i < N; i++)                                                                                    \
            there[i] = VALUE(TYPE, me, 2, i);                                                                          \
        shmem_barrier_all();                                                                                           \
        CALL;                                                                                                          \
        shmem_quiet();                                                                                                 \
        shmem_ctx_quiet(ctx);                                                                                          \
        for (int i = 0; i < N; i++)                                                                                    \
            SAME(here[i], VALUE(TYPE, right, 2, i));                                                                   \
        shmem_barrier_all();                                                                                           \
    }
#define EACH(STATEMENT)                                                                                                \
    for (int e = 0; e < N; e++)                                                                                        \
    STATEMENT

#define RMA(NAME, TYPE)                                                                                                \
    static void rma_##NAME(void)                                                                                       \
    {                                                                                                                  \
        int right = (me + 1) % npes, left = (me + npes - 1) % npes;                                                    \
        TYPE here[N], *there = (TYPE *)(void *)symmetric;                                                              \
        const uint64_t one = 1;                                                                                        \
        ARRIVES(TYPE, shmem_put(there, here, N, right))                                                                \
        ARRIVES(TYPE, shmem_put(ctx, there, here, N, right))                                                           \
        ARRIVES(TYPE, shmem_put_nbi(there, here, N, right))                                                            \
        ARRIVES(TYPE, shmem_put_nbi(ctx, there, here, N, right))                                                       \
        ARRIVES(TYPE, EACH(shmem_p(there + e, here[e], right)))                                                        \
        ARRIVES(TYPE, EACH(shmem_p(ctx, there + e, here[e], right)))                                                   \
        ARRIVES(TYPE, shmem_iput(there, here, 1, 1, N, right))                                                         \
        ARRIVES(TYPE, shmem_iput(ctx, there, here, 1, 1, N, right))                                                    \
        ARRIVES(TYPE, shmem_ibput(there, here, 2, 2, 2, N / 2, right))                                                 \
        ARRIVES(TYPE, shmem_ibput(ctx, there, here, 2, 2, 2, N / 2, right))                                            \
        ARRIVES(TYPE, shmem_put_signal(there, here, N, sig, one, SHMEM_SIGNAL_ADD, right))                             \
        ARRIVES(TYPE, shmem_put_signal(ctx, there, here, N, sig, one, SHMEM_SIGNAL_ADD, right))                        \
        ARRIVES(TYPE, shmem_put_signal_nbi(there, here, N, sig, one, SHMEM_SIGNAL_ADD, right))                         \
        ARRIVES(TYPE, shmem_put_signal_nbi(ctx, there, here, N, sig, one, SHMEM_SIGNAL_ADD, right))                    \
        FETCHES(TYPE, shmem_get(here, there, N, right))                                                                \
        FETCHES(TYPE, shmem_get(ctx, here, there, N, right))                                                           \
        FETCHES(TYPE, shmem_get_nbi(here, there, N, right))                                                            \
        FETCHES(TYPE, shmem_get_nbi(ctx, here, there, N, right))                                                       \
        FETCHES(TYPE, EACH(here[e] = shmem_g(there + e, right)))                                                       \
        FETCHES(TYPE, EACH(here[e] = shmem_g(ctx, there + e, right)))                                                  \
        FETCHES(TYPE, shmem_iget(here, there, 1, 1, N, right))                                                         \
        FETCHES(TYPE, shmem_iget(ctx, here, there, 1, 1, N, right))                                                    \
        FETCHES(TYPE, shmem_ibget(here, there, 2, 2, 2, N / 2, right))                                                 \
        FETCHES(TYPE, shmem_ibget(ctx, here, there, 2, 2, 2, N / 2, right)) /* 5-4 */                                  \
    }
FOR_RMA(RMA)

/* Each PE uses one word alone: the one on its right neighbour. */
#define WORD(TYPE) TYPE got = 0, *word = (TYPE *)(void *)symmetric; int right = (me + 1) % npes; *word = 0; shmem_barrier_all();

#define EXTENDED(NAME, TYPE)                                                                                           \
    static void extended_##NAME(void)                                                                                  \
    {                                                                                                                  \
        WORD(TYPE)                                                                                                     \
        shmem_atomic_set(word, (TYPE)1, right);                                                                        \
        SAME(shmem_atomic_fetch(word, right), 1);                                                                      \
        shmem_atomic_set(ctx, word, (TYPE)2, right);                                                                   \
        SAME(shmem_atomic_fetch(ctx, word, right), 2);                                                                 \
        SAME(shmem_atomic_swap(word, (TYPE)3, right), 2);                                                              \
        SAME(shmem_atomic_swap(ctx, word, (TYPE)4, right), 3);                                                         \
        shmem_atomic_fetch_nbi(&got, word, right);                                                                     \
        shmem_quiet();                                                                                                 \
        SAME(got, 4);                                                                                                  \
        shmem_atomic_swap_nbi(ctx, &got, word, (TYPE)5, right);                                                        \
        shmem_ctx_quiet(ctx);                                                                                          \
        SAME(got, 4);                                                                                                  \
        shmem_atomic_swap_nbi(&got, word, (TYPE)6, right);                                                             \
        shmem_quiet();                                                                                                 \
        SAME(got, 5);                                                                                                  \
        shmem_atomic_fetch_nbi(ctx, &got, word, right);                                                                \
        shmem_ctx_quiet(ctx);                                                                                          \
        SAME(got, 6);                                                                                                  \
        shmem_barrier_all();                                                                                           \
    }
FOR_EXTENDED(EXTENDED)

#define NBI(CALL, CTX, BEFORE)                                                                                         \
    CALL;                                                                                                              \
    shmem_ctx_quiet(CTX);                                                                                              \
    SAME(got, BEFORE);

#define STANDARD(NAME, TYPE)                                                                                           \
    static void standard_##NAME(void)                                                                                  \
    {                                                                                                                  \
        WORD(TYPE)                                                                                                     \
        SAME(shmem_atomic_compare_swap(word, (TYPE)0, (TYPE)10, right), 0);                                            \
        SAME(shmem_atomic_compare_swap(ctx, word, (TYPE)10, (TYPE)20, right), 10);                                     \
        SAME(shmem_atomic_fetch_add(word, (TYPE)1, right), 20);                                                        \
        SAME(shmem_atomic_fetch_add(ctx, word, (TYPE)2, right), 21);                                                   \
        SAME(shmem_atomic_fetch_inc(word, right), 23);                                                                 \
        SAME(shmem_atomic_fetch_inc(ctx, word, right), 24);                                                            \
        shmem_atomic_add(word, (TYPE)5, right);                                                                        \
        shmem_atomic_add(ctx, word, (TYPE)5, right);                                                                   \
        shmem_atomic_inc(word, right);                                                                                 \
        shmem_atomic_inc(ctx, word, right);                                                                            \
        NBI(shmem_atomic_fetch_add_nbi(&got, word, (TYPE)1, right), SHMEM_CTX_DEFAULT, 37)                             \
        NBI(shmem_atomic_fetch_add_nbi(ctx, &got, word, (TYPE)1, right), ctx, 38)                                      \
        NBI(shmem_atomic_fetch_inc_nbi(&got, word, right), SHMEM_CTX_DEFAULT, 39)                                      \
        NBI(shmem_atomic_fetch_inc_nbi(ctx, &got, word, right), ctx, 40)                                               \
        NBI(shmem_atomic_compare_swap_nbi(&got, word, (TYPE)41, (TYPE)50, right), SHMEM_CTX_DEFAULT, 41)               \
        NBI(shmem_atomic_compare_swap_nbi(ctx, &got, word, (TYPE)50, (TYPE)60, right), ctx, 50)                        \
        SAME(shmem_atomic_fetch(word, right), 60);                                                                     \
        shmem_barrier_all();                                                                                           \
        size_t indices[1];                                                                                             \
        const TYPE wanted[1] = {60};                                                                                   \
        shmem_wait_until(word, SHMEM_CMP_EQ, (TYPE)60);                                                                \
        shmem_wait_until_all(word, 1, NULL, SHMEM_CMP_EQ, (TYPE)60);                                                   \
        shmem_wait_until_all_vector(word, 1, NULL, SHMEM_CMP_EQ, wanted);                                              \
        SAME(shmem_wait_until_any(word, 1, NULL, SHMEM_CMP_EQ, (TYPE)60), 0);                                          \
        SAME(shmem_wait_until_any_vector(word, 1, NULL, SHMEM_CMP_EQ, wanted), 0);                                     \
        SAME(shmem_wait_until_some(word, 1, indices, NULL, SHMEM_CMP_EQ, (TYPE)60), 1);                                \
        SAME(shmem_wait_until_some_vector(word, 1, indices, NULL, SHMEM_CMP_EQ, wanted), 1);                           \
        SAME(shmem_test(word, SHMEM_CMP_NE, (TYPE)60), 0);                                                             \
        SAME(shmem_test_all(word, 1, NULL, SHMEM_CMP_EQ, (TYPE)60), 1);                                                \
        SAME(shmem_test_all_vector(word, 1, NULL, SHMEM_CMP_NE, wanted), 0);                                           \
        SAME(shmem_test_any(word, 1, NULL, SHMEM_CMP_EQ, (TYPE)60), 0);                                                \
        SAME(shmem_test_any_vector(word, 1, NULL, SHMEM_CMP_NE, wanted), SIZE_MAX);                                    \
        SAME(shmem_test_some(word, 1, indices, NULL, SHMEM_CMP_NE, (TYPE)60), 0);                                      \
        SAME(shmem_test_some_vector(word, 1, indices, NULL, SHMEM_CMP_EQ, wanted), 1);                                 \
        shmem_barrier_all();                                                                                           \
    }
FOR_AMO(STANDARD)

#define BITWISE(NAME, TYPE)                                                                                            \
    static void bitwise_##NAME(void)                                                                                   \
    {                                                                                                                  \
        WORD(TYPE)                                                                                                     \
        shmem_atomic_or(word, (TYPE)0x0F, right);                                                                      \
        shmem_atomic_or(ctx, word, (TYPE)0xF0, right);                                                                 \
        SAME(shmem_atomic_fetch_or(word, (TYPE)0x100, right), 0xFF);                                                   \
        SAME(shmem_atomic_fetch_or(ctx, word, (TYPE)0x200, right), 0x1FF);                                             \
        shmem_atomic_and(word, (TYPE)0x3FE, right);                                                                    \
        shmem_atomic_and(ctx, word, (TYPE)0x3FD, right);                                                               \
        SAME(shmem_atomic_fetch_and(word, (TYPE)0x3F0, right), 0x3FC);                                                 \
        SAME(shmem_atomic_fetch_and(ctx, word, (TYPE)0x300, right), 0x3F0);                                            \
        shmem_atomic_xor(word, (TYPE)1, right);                                                                        \
        shmem_atomic_xor(ctx, word, (TYPE)2, right);                                                                   \
        SAME(shmem_atomic_fetch_xor(word, (TYPE)4, right), 0x303);                                                     \
        SAME(shmem_atomic_fetch_xor(ctx, word, (TYPE)8, right), 0x307);                                                \
        NBI(shmem_atomic_fetch_or_nbi(&got, word, (TYPE)0x10, right), SHMEM_CTX_DEFAULT, 0x30F)                        \
        NBI(shmem_atomic_fetch_or_nbi(ctx, &got, word, (TYPE)0x20, right), ctx, 0x31F)                                 \
        NBI(shmem_atomic_fetch_and_nbi(&got, word, (TYPE)0xFF, right), SHMEM_CTX_DEFAULT, 0x33F)                       \
        NBI(shmem_atomic_fetch_and_nbi(ctx, &got, word, (TYPE)0x0F, right), ctx, 0x3F)                                 \
        NBI(shmem_atomic_fetch_xor_nbi(&got, word, (TYPE)0xFF, right), SHMEM_CTX_DEFAULT, 0x0F)                        \
        NBI(shmem_atomic_fetch_xor_nbi(ctx, &got, word, (TYPE)0xFF, right), ctx, 0xF0)                                 \
        SAME(shmem_atomic_fetch(word, right), 0x0F);                                                                   \
        shmem_barrier_all();                                                                                           \
    }
FOR_BITWISE(BITWISE)

/* Each PE contributes its number plus one. */
#define COLLECTIVE(NAME, TYPE)                                                                                         \
    static void collective_##NAME(void)                                                                                \
    {                                                                                                                  \
        const shmem_team_t team = SHMEM_TEAM_WORLD;                                                                    \
        TYPE *source = (TYPE *)(void *)symmetric, *dest = source + MAX_PES;                                            \
        int sum = 0, product = 1;                                                                                      \
        routine = "generic collectives of " #NAME;                                                                     \
        for (int i = 0; i < MAX_PES; i++)                                                                              \
            source[i] = (TYPE)(me + 1);                                                                                \
        shmem_barrier_all();                                                                                           \
        SAME(shmem_broadcast(team, dest, source, 1, npes - 1), 0);                                                     \
        SAME(shmem_collect(team, dest + 1 * MAX_PES, source, 1), 0);                                                   \
        SAME(shmem_fcollect(team, dest + 2 * MAX_PES, source, 1), 0);                                                  \
        SAME(shmem_alltoall(team, dest + 3 * MAX_PES, source, 1), 0);                                                  \
        SAME(shmem_alltoalls(team, dest + 4 * MAX_PES, source, 1, 1, 1), 0);                                           \
        SAME(shmem_sum_reduce(team, dest + 1, source, 1), 0);                                                          \
        SAME(shmem_prod_reduce(team, dest + 2, source, 1), 0);                                                         \
        SAME(shmem_max_reduce(team, dest + 3, source, 1), 0);                                                          \
        SAME(shmem_min_reduce(team, dest + 4, source, 1), 0);                                                          \
        SAME(shmem_sum_inscan(team, dest + 5, source, 1), 0);                                                          \
        SAME(shmem_sum_exscan(team, dest + 6, source, 1), 0);                                                          \
        SAME(shmem_sync(team), 0);                                                                                     \
        for (int pe = 0; pe < npes; pe++) {                                                                            \
            for (int result = 1; result <= 4; result++)                                                                \
                SAME(dest[result * MAX_PES + pe], pe + 1);                                                             \
            sum += pe + 1;                                                                                             \
            product *= pe + 1;                                                                                         \
        }                                                                                                              \
        SAME(dest[0], npes);                                                                                           \
        SAME(dest[1], (TYPE)sum);                                                                                      \
        SAME(dest[2], (TYPE)product);                                                                                  \
        SAME(dest[3], npes);                                                                                           \
        SAME(dest[4], 1);                                                                                              \
        SAME(dest[5], (TYPE)((me + 1) * (me + 2) / 2));                                                                \
        SAME(dest[6], (TYPE)(me * (me + 1) / 2));                                                                      \
        shmem_barrier_all();                                                                                           \
    }
FOR_RMA(COLLECTIVE)

#define BITS(NAME, TYPE)                                                                                               \
    static void bits_##NAME(void)                                                                                      \
    {                                                                                                                  \
        TYPE *words = (TYPE *)(void *)symmetric;                                                                       \
        routine = "generic bits of " #NAME;                                                                            \
        words[0] = (TYPE)(me + 1);                                                                                     \
        shmem_barrier_all();                                                                                           \
        SAME(shmem_and_reduce(SHMEM_TEAM_WORLD, words + 1, words, 1), 0);                                              \
        SAME(shmem_or_reduce(SHMEM_TEAM_WORLD, words + 2, words, 1), 0);                                               \
        SAME(shmem_xor_reduce(SHMEM_TEAM_WORLD, words + 3, words, 1), 0);                                              \
        int all = 1, any = 0, odd = 0;                                                                                 \
        for (int pe = 0; pe < npes; pe++)                                                                              \
            all &= pe + 1, any |= pe + 1, odd ^= pe + 1;                                                               \
        CHECK(words[1] == (TYPE)all && words[2] == (TYPE)any && words[3] == (TYPE)odd);                                \
        shmem_barrier_all();                                                                                           \
    }
#define FOR_BITS(X) X(uchar, unsigned char) X(ushort, unsigned short) X(int8, int8_t) X(int16, int16_t) FOR_BITWISE(X)
FOR_BITS(BITS)

int main(void)
{
    begin();
    symmetric = (unsigned char *)shmem_malloc(16 * MAX_PES * 7);
    sig = (uint64_t *)shmem_calloc(2, sizeof *sig);
    SAME(shmem_ctx_create(0, &ctx), 0);
#define RUN(NAME, TYPE) rma_##NAME();
    FOR_RMA(RUN)
#define RUN_EXTENDED(NAME, TYPE)                                                                                       \
    routine = "generic atomics of " #NAME;                                                                             \
    extended_##NAME();
    FOR_EXTENDED(RUN_EXTENDED)
#define RUN_STANDARD(NAME, TYPE) standard_##NAME();
    FOR_AMO(RUN_STANDARD)
#define RUN_BITWISE(NAME, TYPE) bitwise_##NAME();
    FOR_BITWISE(RUN_BITWISE)
#define RUN_COLLECTIVE(NAME, TYPE) collective_##NAME();
    FOR_RMA(RUN_COLLECTIVE)
#define RUN_BITS(NAME, TYPE) bits_##NAME();
    FOR_BITS(RUN_BITS)
    routine = "generic signals";
    shmem_signal_set(ctx, sig + 1, 5, me);
    shmem_signal_add(ctx, sig + 1, 6, me);
    shmem_signal_add(sig + 1, 7, me);
    shmem_ctx_quiet(ctx);
    shmem_quiet();
    SAME(shmem_signal_fetch(sig + 1), 18);
    shmem_barrier_all();
    /* Four signals for each type. */
    SAME(shmem_signal_fetch(sig), 4 * 24);
    shmem_ctx_destroy(ctx);
    shmem_free(sig);
    shmem_free(symmetric);
    return finish();
}
