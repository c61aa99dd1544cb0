/* 9.7 Nonblocking atomics: what they fetch has arrived after quiet. All PEs share the words, and each has a part that
 * only it changes. */
#include "check.h"

enum { TIMES = 20 };

static unsigned char *symmetric;
static shmem_ctx_t ctx;

#define WORD(TYPE) ((TYPE *)(void *)(symmetric + 64))

#define PREPARE(TYPE, VALUE_)                                                                                          \
    TYPE got[MAX_PES + 1];                                                                                             \
    shmem_barrier_all();                                                                                               \
    guard(symmetric, 128);                                                                                             \
    *WORD(TYPE) = (VALUE_);                                                                                            \
    guard(got, sizeof got);                                                                                            \
    shmem_barrier_all();

#define QUIET /* 9.12.2-5 */                                                                                           \
    shmem_quiet();                                                                                                     \
    shmem_ctx_quiet(ctx);

/* CALL fetches into `fetch` from PE `pe`; HOLDS is true of every value that may be fetched. */
#define ALL(TYPE, CALL, HOLDS)                                                                                         \
    routine = #CALL;                                                                                                   \
    for (int pe = 0; pe < npes; pe++) {                                                                                \
        TYPE *fetch = got + pe;                                                                                        \
        CALL;                                                                                                          \
    }                                                                                                                  \
    QUIET                                                                                                              \
    for (int pe = 0; pe < npes; pe++) {                                                                                \
        TYPE was = got[pe];                                                                                            \
        CHECK(HOLDS);                                                                                                  \
    }                                                                                                                  \
    UNTOUCHED(got + npes, got + MAX_PES + 1);

#define LEFT(TYPE, VALUE_)                                                                                             \
    shmem_barrier_all();                                                                                               \
    SAME(*WORD(TYPE), VALUE_);                                                                                         \
    UNTOUCHED(symmetric, WORD(TYPE));                                                                                  \
    UNTOUCHED(WORD(TYPE) + 1, symmetric + 128);

/* In its turn, a PE uses all words alone. */
#define EXTENDED(NAME, TYPE)                                                                                           \
    static void extended_##NAME(void)                                                                                  \
    {                                                                                                                  \
        PREPARE(TYPE, VALUE(TYPE, me, me, 0))                                                                          \
        /* 9.7.2.1-1 */                                                                                                \
        ALL(TYPE, shmem_##NAME##_atomic_fetch_nbi(fetch, WORD(TYPE), pe), was == VALUE(TYPE, pe, pe, 0))               \
        ALL(TYPE, shmem_ctx_##NAME##_atomic_fetch_nbi(ctx, fetch, WORD(TYPE), pe), was == VALUE(TYPE, pe, pe, 0))      \
        shmem_barrier_all();                                                                                           \
        for (int turn = 0; turn < npes; turn++) {                                                                      \
            if (turn == me) {                                                                                          \
                /* 9.7.2.3-1 */                                                                                        \
                ALL(TYPE, shmem_##NAME##_atomic_swap_nbi(fetch, WORD(TYPE), VALUE(TYPE, me, pe, 1), pe),               \
                    was == (me ? VALUE(TYPE, me - 1, pe, 2) : VALUE(TYPE, pe, pe, 0)))                                 \
                ALL(TYPE, shmem_ctx_##NAME##_atomic_swap_nbi(ctx, fetch, WORD(TYPE), VALUE(TYPE, me, pe, 2), pe),      \
                    was == VALUE(TYPE, me, pe, 1))                                                                     \
            }                                                                                                          \
            shmem_barrier_all();                                                                                       \
        }                                                                                                              \
        LEFT(TYPE, VALUE(TYPE, npes - 1, me, 2))                                                                       \
    }
FOR_EXTENDED(EXTENDED)

#define STANDARD(NAME, TYPE)                                                                                           \
    static void standard_##NAME(void)                                                                                  \
    {                                                                                                                  \
        PREPARE(TYPE, 0)                                                                                               \
        for (int turn = 0; turn < npes; turn++) {                                                                      \
            TYPE a = (TYPE)(2 * turn), b = (TYPE)(2 * turn + 1), c = (TYPE)(2 * turn + 2);                             \
            if (turn == me) {                                                                                          \
                /* 9.7.2.2-1 */                                                                                        \
                ALL(TYPE, shmem_##NAME##_atomic_compare_swap_nbi(fetch, WORD(TYPE), a, b, pe), was == a)               \
                ALL(TYPE, shmem_##NAME##_atomic_compare_swap_nbi(fetch, WORD(TYPE), a, c, pe), was == b)               \
                ALL(TYPE, shmem_ctx_##NAME##_atomic_compare_swap_nbi(ctx, fetch, WORD(TYPE), b, c, pe), was == b)      \
            }                                                                                                          \
            shmem_barrier_all();                                                                                       \
        }                                                                                                              \
        const TYPE end = (TYPE)(2 * npes), all = (TYPE)(TIMES * npes * 8);                                             \
        for (int i = 0; i < TIMES; i++) {                                                                              \
            /* 9.7.2.5-1 */                                                                                            \
            ALL(TYPE, shmem_##NAME##_atomic_fetch_add_nbi(fetch, WORD(TYPE), 2, pe), was >= end && was < end + all)    \
            ALL(TYPE, shmem_ctx_##NAME##_atomic_fetch_add_nbi(ctx, fetch, WORD(TYPE), 4, pe),                          \
                was >= end + 2 && was < end + all)                                                                     \
            /* 9.7.2.4-1 */                                                                                            \
            ALL(TYPE, shmem_##NAME##_atomic_fetch_inc_nbi(fetch, WORD(TYPE), pe), was >= end + 6 && was < end + all)   \
            ALL(TYPE, shmem_ctx_##NAME##_atomic_fetch_inc_nbi(ctx, fetch, WORD(TYPE), pe),                             \
                was >= end + 7 && was < end + all)                                                                     \
        }                                                                                                              \
        LEFT(TYPE, end + all)                                                                                          \
    }
FOR_AMO(STANDARD)

/* In each byte, each PE has a bit of its own. */
#define BITWISE(NAME, TYPE)                                                                                            \
    static void bitwise_##NAME(void)                                                                                   \
    {                                                                                                                  \
        const TYPE ones = (TYPE)0x0101010101010101ULL, mine = (TYPE)(ones << me), low = mine & 0xFF;                   \
        PREPARE(TYPE, 0)                                                                                               \
        ALL(TYPE, shmem_##NAME##_atomic_fetch_or_nbi(fetch, WORD(TYPE), low, pe), (was & mine) == 0) /* 9.7.2.7-1 */   \
        ALL(TYPE, shmem_ctx_##NAME##_atomic_fetch_or_nbi(ctx, fetch, WORD(TYPE), mine, pe), (was & mine) == low)       \
        /* 9.7.2.6-1 */                                                                                                \
        ALL(TYPE, shmem_##NAME##_atomic_fetch_and_nbi(fetch, WORD(TYPE), (TYPE)~low, pe), (was & mine) == mine)        \
        ALL(TYPE, shmem_ctx_##NAME##_atomic_fetch_and_nbi(ctx, fetch, WORD(TYPE), (TYPE)~mine, pe),                    \
            (was & mine) == (mine ^ low))                                                                              \
        ALL(TYPE, shmem_##NAME##_atomic_fetch_xor_nbi(fetch, WORD(TYPE), mine, pe), (was & mine) == 0) /* 9.7.2.8-1 */ \
        ALL(TYPE, shmem_ctx_##NAME##_atomic_fetch_xor_nbi(ctx, fetch, WORD(TYPE), low, pe), (was & mine) == mine)      \
        LEFT(TYPE, (TYPE)(ones ^ 1) * (TYPE)((1u << npes) - 1))                                                        \
    }
FOR_BITWISE(BITWISE)

int main(void)
{
    begin();
    symmetric = (unsigned char *)shmem_align(64, 128);
    SAME(shmem_ctx_create(0, &ctx), 0);
#define RUN_EXTENDED(NAME, TYPE) extended_##NAME();
    FOR_EXTENDED(RUN_EXTENDED)
#define RUN_STANDARD(NAME, TYPE) standard_##NAME();
    FOR_AMO(RUN_STANDARD)
#define RUN_BITWISE(NAME, TYPE) bitwise_##NAME();
    FOR_BITWISE(RUN_BITWISE)
    shmem_free(symmetric);
    shmem_ctx_destroy(ctx);
    return finish();
}
