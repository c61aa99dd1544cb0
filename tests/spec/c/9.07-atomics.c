/* 9.7 Atomic memory operations: what each one returns and stores, that words beside it do not change, and what all PEs
 * together add up to. */
#include "check.h"

enum { TIMES = OFTEN(300) };

static unsigned char *symmetric;
static shmem_ctx_t ctx;

/* A word between two guards, so that an operation of the wrong width is seen. */
#define WORD(TYPE) ((TYPE *)(void *)(symmetric + 64))

#define PREPARE(TYPE, VALUE_)                                                                                          \
    shmem_barrier_all();                                                                                               \
    guard(symmetric, 128);                                                                                             \
    *WORD(TYPE) = (VALUE_);                                                                                            \
    shmem_barrier_all();

/* Checks what lies on this PE when all have done their part. */
#define LEFT(TYPE, VALUE_)                                                                                             \
    shmem_quiet();                                                                                                     \
    shmem_ctx_quiet(ctx);                                                                                              \
    shmem_barrier_all();                                                                                               \
    SAME(*WORD(TYPE), VALUE_);                                                                                         \
    UNTOUCHED(symmetric, WORD(TYPE));                                                                                  \
    UNTOUCHED(WORD(TYPE) + 1, symmetric + 128); /* 3.2-3 */

/* One PE after the other uses each word alone. */
#define IN_TURN(STATEMENTS)                                                                                            \
    for (int turn = 0; turn < npes; turn++) {                                                                          \
        for (int pe = 0; turn == me && pe < npes; pe++) {                                                              \
            STATEMENTS                                                                                                 \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
    }

#define EXTENDED(NAME, TYPE)                                                                                           \
    static void extended_##NAME(void)                                                                                  \
    {                                                                                                                  \
        routine = "fetch, set and swap of " #NAME;                                                                     \
        PREPARE(TYPE, VALUE(TYPE, me, me, 0))                                                                          \
        for (int pe = 0; pe < npes; pe++) {                                                                            \
            SAME(shmem_##NAME##_atomic_fetch(WORD(TYPE), pe), VALUE(TYPE, pe, pe, 0)); /* 9.7.1.1-1 */                 \
            SAME(shmem_ctx_##NAME##_atomic_fetch(ctx, WORD(TYPE), pe), VALUE(TYPE, pe, pe, 0));                        \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
        IN_TURN(TYPE before = me ? VALUE(TYPE, me - 1, pe, 3) : VALUE(TYPE, pe, pe, 0);                                \
                SAME(shmem_##NAME##_atomic_swap(WORD(TYPE), VALUE(TYPE, me, pe, 1), pe), before); /* 9.7.1.4-1 */      \
                SAME(shmem_ctx_##NAME##_atomic_swap(ctx, WORD(TYPE), VALUE(TYPE, me, pe, 2), pe),                      \
                     VALUE(TYPE, me, pe, 1));                                                                          \
                shmem_##NAME##_atomic_set(WORD(TYPE), VALUE(TYPE, me, pe, 4), pe); /* 9.7.1.2-1 */                     \
                SAME(shmem_##NAME##_atomic_fetch(WORD(TYPE), pe), VALUE(TYPE, me, pe, 4));                             \
                shmem_ctx_##NAME##_atomic_set(ctx, WORD(TYPE), VALUE(TYPE, me, pe, 3), pe); shmem_ctx_quiet(ctx);)     \
        LEFT(TYPE, VALUE(TYPE, npes - 1, me, 3))                                                                       \
    }
FOR_EXTENDED(EXTENDED)

/* A conditional swap succeeds, and fails. The PEs draw different tickets from one counter, and none is lost. */
#define STANDARD(NAME, TYPE)                                                                                           \
    static void standard_##NAME(void)                                                                                  \
    {                                                                                                                  \
        routine = "compare_swap of " #NAME;                                                                            \
        PREPARE(TYPE, 0)                                                                                               \
        IN_TURN(TYPE a = me ? VALUE(TYPE, me - 1, pe, 2) : (TYPE)0; TYPE b = VALUE(TYPE, me, pe, 1);                   \
                TYPE c = VALUE(TYPE, me, pe, 2);                                                                       \
                SAME(shmem_##NAME##_atomic_compare_swap(WORD(TYPE), (TYPE)(a + 1), b, pe), a); /* 9.7.1.3-2 */         \
                SAME(shmem_##NAME##_atomic_fetch(WORD(TYPE), pe), a);                                                  \
                SAME(shmem_##NAME##_atomic_compare_swap(WORD(TYPE), a, b, pe), a); /* 9.7.1.3-1 */                     \
                SAME(shmem_ctx_##NAME##_atomic_compare_swap(ctx, WORD(TYPE), a, c, pe), b);                            \
                SAME(shmem_ctx_##NAME##_atomic_compare_swap(ctx, WORD(TYPE), b, c, pe), b);)                           \
        LEFT(TYPE, VALUE(TYPE, npes - 1, me, 2))                                                                       \
                                                                                                                       \
        routine = "fetch_add and fetch_inc of " #NAME;                                                                 \
        PREPARE(TYPE, 1000)                                                                                            \
        int total = npes * TIMES * 10;                                                                                 \
        for (int pe = 0; pe < npes; pe++) {                                                                            \
            TYPE last = 999;                                                                                           \
            for (int i = 0; i < TIMES; i++) {                                                                          \
                TYPE a = shmem_##NAME##_atomic_fetch_add(WORD(TYPE), 3, pe); /* 9.7.1.7-1 */                           \
                TYPE b = shmem_##NAME##_atomic_fetch_inc(WORD(TYPE), pe); /* 9.7.1.5-1 */                              \
                TYPE c = shmem_ctx_##NAME##_atomic_fetch_add(ctx, WORD(TYPE), 5, pe);                                  \
                TYPE d = shmem_ctx_##NAME##_atomic_fetch_inc(ctx, WORD(TYPE), pe);                                     \
                CHECK(last < a && a + 3 <= b && b < c && c + 5 <= d && d < (TYPE)(1000 + total)); /* 9.7-1 */          \
                last = d;                                                                                              \
            }                                                                                                          \
        }                                                                                                              \
        LEFT(TYPE, 1000 + total) /* 3.2-1 */                                                                           \
                                                                                                                       \
        routine = "add and inc of " #NAME;                                                                             \
        PREPARE(TYPE, 7)                                                                                               \
        for (int i = 0; i < TIMES; i++)                                                                                \
            for (int pe = 0; pe < npes; pe++) {                                                                        \
                shmem_##NAME##_atomic_add(WORD(TYPE), (TYPE)(2 * me + pe), pe); /* 9.7.1.8-1 */                        \
                shmem_##NAME##_atomic_inc(WORD(TYPE), pe); /* 9.7.1.6-1 */                                             \
                shmem_ctx_##NAME##_atomic_add(ctx, WORD(TYPE), (TYPE)-1, pe);                                          \
                shmem_ctx_##NAME##_atomic_inc(ctx, WORD(TYPE), pe);                                                    \
            }                                                                                                          \
        LEFT(TYPE, 7 + TIMES * (npes * (npes - 1) + me * npes + npes)) /* 9.7-2 */                                     \
                                                                                                                       \
        routine = "compare_swap loops of " #NAME;                                                                      \
        PREPARE(TYPE, 0)                                                                                               \
        for (int i = 0; i < TIMES; i++) {                                                                              \
            TYPE seen = 0, found;                                                                                      \
            while ((found = shmem_##NAME##_atomic_compare_swap(WORD(TYPE), seen, (TYPE)(seen + 2), npes - 1)) != seen) \
                seen = found;                                                                                          \
        }                                                                                                              \
        LEFT(TYPE, me == npes - 1 ? 2 * TIMES * npes : 0) /* 9.7.1.3-3 */                                              \
    }
FOR_AMO(STANDARD) /* 9.7-3 */

/* In each byte, each PE has a bit of its own. */
#define BITWISE(NAME, TYPE)                                                                                            \
    static void bitwise_##NAME(void)                                                                                   \
    {                                                                                                                  \
        const TYPE ones = (TYPE)0x0101010101010101ULL, mine = (TYPE)(ones << me), all = (TYPE)~(TYPE)0;                \
        const TYPE members = (TYPE)(ones * (TYPE)((1u << npes) - 1));                                                  \
        routine = "or of " #NAME;                                                                                      \
        PREPARE(TYPE, 0)                                                                                               \
        for (int pe = 0; pe < npes; pe++) {                                                                            \
            TYPE low = mine & (TYPE)0xFF;                                                                              \
            CHECK((shmem_##NAME##_atomic_fetch_or(WORD(TYPE), low, pe) & mine) == 0); /* 9.7.1.11-1 */                 \
            CHECK((shmem_ctx_##NAME##_atomic_fetch_or(ctx, WORD(TYPE), low << 8, pe) & mine) == low);                  \
            shmem_##NAME##_atomic_or(WORD(TYPE), low << 16, pe);                                                       \
            shmem_ctx_##NAME##_atomic_or(ctx, WORD(TYPE), mine, pe);                                                   \
        }                                                                                                              \
        LEFT(TYPE, members) /* 9.7.1.12-1 */                                                                           \
                                                                                                                       \
        routine = "and of " #NAME;                                                                                     \
        PREPARE(TYPE, all)                                                                                             \
        for (int pe = 0; pe < npes; pe++) {                                                                            \
            TYPE low = mine & (TYPE)0xFF;                                                                              \
            CHECK((shmem_##NAME##_atomic_fetch_and(WORD(TYPE), (TYPE)~low, pe) & mine) == mine); /* 9.7.1.9-1 */       \
            CHECK((shmem_ctx_##NAME##_atomic_fetch_and(ctx, WORD(TYPE), (TYPE)~(low << 8), pe) & mine) ==              \
                  (mine & (TYPE)~low));                                                                                \
            shmem_##NAME##_atomic_and(WORD(TYPE), (TYPE)~(low << 16), pe);                                             \
            shmem_ctx_##NAME##_atomic_and(ctx, WORD(TYPE), (TYPE)~mine, pe);                                           \
        }                                                                                                              \
        LEFT(TYPE, (TYPE)~members) /* 9.7.1.10-1 */                                                                    \
                                                                                                                       \
        routine = "xor of " #NAME;                                                                                     \
        PREPARE(TYPE, ones)                                                                                            \
        for (int i = 0; i < 3; i++)                                                                                    \
            for (int pe = 0; pe < npes; pe++) {                                                                        \
                TYPE before = (ones ^ (TYPE)(i % 2 ? mine : 0)) & mine;                                                \
                CHECK((shmem_##NAME##_atomic_fetch_xor(WORD(TYPE), mine, pe) & mine) == before); /* 9.7.1.13-1 */      \
                CHECK((shmem_ctx_##NAME##_atomic_fetch_xor(ctx, WORD(TYPE), mine, pe) & mine) == (before ^ mine));     \
                shmem_##NAME##_atomic_xor(WORD(TYPE), mine, pe);                                                       \
                shmem_ctx_##NAME##_atomic_xor(ctx, WORD(TYPE), mine, pe);                                              \
                shmem_##NAME##_atomic_xor(WORD(TYPE), mine, pe);                                                       \
            }                                                                                                          \
        LEFT(TYPE, (TYPE)(ones ^ members)) /* 9.7.1.14-1 */                                                            \
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
