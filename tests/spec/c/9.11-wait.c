/* 9.11 Point-to-point synchronization: wait and test on one word and on many, with a mask and with a value for each
 * word. */
#include "check.h"
#include <limits.h>

/* Words that PEs 0 to npes-1 set in turn. */
enum { N = 24 };

static unsigned char *symmetric;
/* Any number but 0 excludes an element. */
static const int excluding[] = {1, -1, 256, INT_MIN};
#define EXCLUDED(i) excluding[(i) % 4]

/* What each comparison gives for 1, 2 and 3 compared with 2. */
static const struct {
    int cmp, less, equal, greater;
} comparisons[] = {
    {SHMEM_CMP_EQ, 0, 1, 0}, {SHMEM_CMP_NE, 1, 0, 1}, {SHMEM_CMP_GT, 0, 0, 1},
    {SHMEM_CMP_LE, 1, 1, 0}, {SHMEM_CMP_LT, 1, 0, 0}, {SHMEM_CMP_GE, 0, 1, 1},
};

/* A call does not wait for a condition that already holds, and does not find one that does not hold. */
#define AT_ONCE(NAME, TYPE)                                                                                            \
    static void at_once_##NAME(void)                                                                                   \
    {                                                                                                                  \
        TYPE *ivars = (TYPE *)(void *)symmetric, twos[N];                                                              \
        size_t indices[N];                                                                                             \
        int status[N] = {0}, nobody[N];                                                                                \
        for (int i = 0; i < N; i++) {                                                                                  \
            twos[i] = 2;                                                                                               \
            nobody[i] = EXCLUDED(i);                                                                                   \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
        for (int c = 0; c < 6; c++)                                                                                    \
            for (int v = 1; v <= 3; v++) {                                                                             \
                int cmp = comparisons[c].cmp;                                                                          \
                /* 9.11-1 */                                                                                           \
                int holds = v == 1 ? comparisons[c].less : v == 2 ? comparisons[c].equal : comparisons[c].greater;     \
                routine = "test of " #NAME;                                                                            \
                for (int i = 0; i < N; i++)                                                                            \
                    ivars[i] = (TYPE)v;                                                                                \
                SAME(shmem_##NAME##_test(ivars, cmp, 2), holds); /* 9.11.8-1 */                                        \
                SAME(shmem_##NAME##_test_all(ivars, N, NULL, cmp, 2), holds); /* 9.11.9-1 */                           \
                SAME(shmem_##NAME##_test_all_vector(ivars, N, NULL, cmp, twos), holds); /* 9.11.12-1 */                \
                size_t any = shmem_##NAME##_test_any(ivars, N, NULL, cmp, 2); /* 9.11.10-1 */                          \
                CHECK(holds ? any < N : any == SIZE_MAX);                                                              \
                any = shmem_##NAME##_test_any_vector(ivars, N, NULL, cmp, twos);                                       \
                CHECK(holds ? any < N : any == SIZE_MAX);                                                              \
                size_t some = shmem_##NAME##_test_some(ivars, N, indices, NULL, cmp, 2); /* 9.11.11-1 */               \
                CHECK(holds ? some >= 1 && some <= N : some == 0);                                                     \
                some = shmem_##NAME##_test_some_vector(ivars, N, indices, NULL, cmp, twos); /* 9.11.14-1 */            \
                CHECK(holds ? some >= 1 && some <= N : some == 0);                                                     \
                if (!holds)                                                                                            \
                    continue;                                                                                          \
                routine = "wait_until of " #NAME;                                                                      \
                shmem_##NAME##_wait_until(ivars, cmp, 2); /* 9.11.1-1 */                                               \
                shmem_##NAME##_wait_until_all(ivars, N, NULL, cmp, 2);                                                 \
                shmem_##NAME##_wait_until_all_vector(ivars, N, NULL, cmp, twos);                                       \
                CHECK(shmem_##NAME##_wait_until_any(ivars, N, NULL, cmp, 2) < N);                                      \
                CHECK(shmem_##NAME##_wait_until_any_vector(ivars, N, NULL, cmp, twos) < N);                            \
                CHECK(shmem_##NAME##_wait_until_some(ivars, N, indices, NULL, cmp, 2) - 1 < N);                        \
                CHECK(shmem_##NAME##_wait_until_some_vector(ivars, N, indices, NULL, cmp, twos) - 1 < N);              \
            }                                                                                                          \
        routine = "empty sets of " #NAME;                                                                              \
        for (int k = 0; k < 2; k++) {                                                                                  \
            size_t n = k ? N : 0;                                                                                      \
            const int *mask = k ? nobody : NULL;                                                                       \
            shmem_##NAME##_wait_until_all(ivars, n, mask, SHMEM_CMP_EQ, 99); /* 9.11.2-2 */                            \
            shmem_##NAME##_wait_until_all_vector(ivars, n, mask, SHMEM_CMP_EQ, twos); /* 9.11.5-2 */                   \
            CHECK(shmem_##NAME##_wait_until_any(ivars, n, mask, SHMEM_CMP_EQ, 99) == SIZE_MAX); /* 9.11.3-2 */         \
            /* 9.11.6-2 */                                                                                             \
            CHECK(shmem_##NAME##_wait_until_any_vector(ivars, n, mask, SHMEM_CMP_EQ, twos) == SIZE_MAX);               \
            CHECK(shmem_##NAME##_wait_until_some(ivars, n, indices, mask, SHMEM_CMP_EQ, 99) == 0); /* 9.11.4-2 */      \
            /* 9.11.7-2 */                                                                                             \
            CHECK(shmem_##NAME##_wait_until_some_vector(ivars, n, indices, mask, SHMEM_CMP_EQ, twos) == 0);            \
            CHECK(shmem_##NAME##_test_any(ivars, n, mask, SHMEM_CMP_EQ, 99) == SIZE_MAX); /* 9.11.10-2 */              \
            CHECK(shmem_##NAME##_test_any_vector(ivars, n, mask, SHMEM_CMP_EQ, twos) == SIZE_MAX); /* 9.11.13-2 */     \
            CHECK(shmem_##NAME##_test_some(ivars, n, indices, mask, SHMEM_CMP_EQ, 99) == 0); /* 9.11.11-2 */           \
            CHECK(shmem_##NAME##_test_some_vector(ivars, n, indices, mask, SHMEM_CMP_EQ, twos) == 0); /* 9.11.14-2 */  \
            CHECK(shmem_##NAME##_test_all(ivars, n, mask, SHMEM_CMP_EQ, 99) == 1);                 /* 9.11.9-3 */  \
            CHECK(shmem_##NAME##_test_all_vector(ivars, n, mask, SHMEM_CMP_EQ, twos) == 1);        /* 9.11.12-2 */ \
        }                                                                                                              \
        routine = "masks of " #NAME;                                                                                   \
        for (int i = 0; i < N; i++) {                                                                                  \
            ivars[i] = i % 3 == 0 ? 7 : 5;                                                                             \
            status[i] = i % 3 == 0 ? EXCLUDED(i) : 0;                                                                  \
            twos[i] = (TYPE)i;                                                                                         \
        }                                                                                                              \
        CHECK(shmem_##NAME##_test_all(ivars, N, status, SHMEM_CMP_EQ, 5) == 1); /* 9.11.9-2 */                         \
        CHECK(shmem_##NAME##_test_all(ivars, N, NULL, SHMEM_CMP_EQ, 5) == 0);                                          \
        CHECK(shmem_##NAME##_test_any(ivars, N, status, SHMEM_CMP_EQ, 7) == SIZE_MAX);                                 \
        CHECK(shmem_##NAME##_test_some(ivars, N, indices, status, SHMEM_CMP_GT, 5) == 0);                              \
        CHECK(shmem_##NAME##_wait_until_any(ivars, N, NULL, SHMEM_CMP_EQ, 7) % 3 == 0);                                \
        CHECK(shmem_##NAME##_test_any_vector(ivars, N, NULL, SHMEM_CMP_EQ, twos) == 5); /* 9.11.13-1 */                \
        CHECK(shmem_##NAME##_wait_until_any_vector(ivars, N, status, SHMEM_CMP_EQ, twos) == 5); /* 9.11.6-1 */         \
        /* 9.11.7-1 */                                                                                                 \
        CHECK(shmem_##NAME##_wait_until_some_vector(ivars, N, indices, status, SHMEM_CMP_EQ, twos) == 1);              \
        CHECK(indices[0] == 5);                                                                                        \
    }
FOR_AMO(AT_ONCE)

/* Every PE signals every other one, element by element, in an order of its own. The receiver finds each element
 * once. */
#define ARRIVALS(NAME, TYPE)                                                                                           \
    static void arrivals_##NAME(void)                                                                                  \
    {                                                                                                                  \
        TYPE *ivars = (TYPE *)(void *)symmetric, wanted[N];                                                            \
        for (int form = 0; form < 8; form++) {                                                                         \
            size_t indices[N], found = 0, mine = 0;                                                                    \
            int status[N];                                                                                             \
            memset(ivars, 0, N * sizeof(TYPE));                                                                        \
            for (int i = 0; i < N; i++) {                                                                              \
                status[i] = i % 5 == 4 ? EXCLUDED(i) : 0;                                                              \
                mine += !status[i];                                                                                    \
                wanted[i] = (TYPE)(i + 1);                                                                             \
            }                                                                                                          \
            shmem_barrier_all();                                                                                       \
            for (int k = 0; k < N; k++) {                                                                              \
                int i = (k * 5 + me) % N;                                                                              \
                for (int pe = 0; i % npes == me && pe < npes; pe++)                                                    \
                    shmem_##NAME##_p(ivars + i, (TYPE)(i + 1), pe);                                                    \
            }                                                                                                          \
            while (found < mine) {                                                                                     \
                size_t n = 1;                                                                                          \
                switch (form) {                                                                                        \
                /* 9.11.3-1 */                                                                                         \
                case 0: indices[0] = shmem_##NAME##_wait_until_any(ivars, N, status, SHMEM_CMP_NE, 0); break;          \
                case 1: indices[0] = shmem_##NAME##_wait_until_any_vector(ivars, N, status, SHMEM_CMP_EQ, wanted); break;\
                /* 9.11.4-1 */                                                                                         \
                case 2: n = shmem_##NAME##_wait_until_some(ivars, N, indices, status, SHMEM_CMP_GT, 0); break;         \
                case 3: n = shmem_##NAME##_wait_until_some_vector(ivars, N, indices, status, SHMEM_CMP_GE, wanted); break;\
                case 4: n = shmem_##NAME##_test_some(ivars, N, indices, status, SHMEM_CMP_NE, 0); break;               \
                case 5: n = (indices[0] = shmem_##NAME##_test_any(ivars, N, status, SHMEM_CMP_NE, 0)) != SIZE_MAX; break;\
                case 6:                                                                                                \
                    shmem_##NAME##_wait_until_all_vector(ivars, N, status, SHMEM_CMP_EQ, wanted); /* 9.11.5-1 */       \
                    CHECK(shmem_##NAME##_test_all_vector(ivars, N, status, SHMEM_CMP_EQ, wanted) == 1);                \
                    CHECK(shmem_##NAME##_test_some(ivars, N, indices, status, SHMEM_CMP_EQ, 0) == 0);                  \
                    found = mine;                                                                                      \
                    continue;                                                                                          \
                case 7:                                                                                                \
                    shmem_##NAME##_wait_until_all(ivars, N, status, SHMEM_CMP_NE, 0); /* 9.11.2-1 */                   \
                    CHECK(shmem_##NAME##_test_all(ivars, N, status, SHMEM_CMP_NE, 0) == 1);                            \
                    found = mine;                                                                                      \
                    continue;                                                                                          \
                }                                                                                                      \
                for (size_t k = 0; k < n; k++) {                                                                       \
                    /* 9.11-3 */                                                                                       \
                    CHECK(indices[k] < N && status[indices[k]] == 0 && ivars[indices[k]] == wanted[indices[k]]);       \
                    status[indices[k]] = EXCLUDED(indices[k]);                                                         \
                }                                                                                                      \
                found += n;                                                                                            \
            }                                                                                                          \
            SAME(found, mine);                                                                                         \
            shmem_barrier_all();                                                                                       \
        }                                                                                                              \
        routine = "a ring of waits and tests of " #NAME;                                                               \
        memset(ivars, 0, N * sizeof(TYPE));                                                                            \
        shmem_barrier_all();                                                                                           \
        for (int i = 1; i <= 20; i++) {                                                                                \
            /* After the previous number. */                                                                           \
            shmem_fence();                                                                                             \
            if (me > 0 || npes == 1)                                                                                   \
                shmem_##NAME##_p(ivars, (TYPE)i, (me + 1) % npes);                                                     \
            if (i % 2)                                                                                                 \
                shmem_##NAME##_wait_until(ivars, SHMEM_CMP_GE, (TYPE)i);                                               \
            else                                                                                                       \
                while (!shmem_##NAME##_test(ivars, SHMEM_CMP_GE, (TYPE)i))                                             \
                    ;                                                                                                  \
            CHECK(*ivars >= (TYPE)i); /* 9.11.1-2 */                                                                   \
            if (me == 0 && npes > 1)                                                                                   \
                shmem_##NAME##_p(ivars, (TYPE)i, 1);                                                                   \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
    }
FOR_AMO(ARRIVALS)

/* Each element that fulfils the condition is returned some time, even if the program alternates between two sets of
 * words and never looks at all elements. In one case, the sets are two arrays: the first and the second half. In the
 * other, they are two masks of one array: the three elements that are not excluded, and the last one. */
#define TURNS(NAME, TYPE)                                                                                              \
    static void turns_##NAME(void)                                                                                     \
    {                                                                                                                  \
        enum { HALF = N / 2, MANY = 100000 };                                                                          \
        TYPE *ivars = (TYPE *)(void *)symmetric, ones[N];                                                              \
        const struct {                                                                                                 \
            int parts, n;                                                                                              \
            size_t second;                                                                                             \
        } ways[] = {{1, HALF, 0}, {2, HALF, HALF}, {2, N, 0}};                                                         \
        for (int i = 0; i < N; i++)                                                                                    \
            ivars[i] = ones[i] = 1;                                                                                    \
        for (int way = 0; way < 3; way++)                                                                              \
            for (int form = 0; form < 4; form++) {                                                                     \
                int n = ways[way].n, left = 0, seen[N] = {0}, status[2][N];                                            \
                for (int i = 0; i < N; i++) {                                                                          \
                    status[0][i] = way == 2 ? (i < 3 ? 0 : EXCLUDED(i)) : i % 4 == 1 ? EXCLUDED(i / 4) : 0;            \
                    status[1][i] = way == 2 ? (i == N - 1 ? 0 : EXCLUDED(i)) : status[0][i];                           \
                }                                                                                                      \
                for (int part = 0; part < ways[way].parts; part++)                                                     \
                    for (int i = 0; i < n; i++)                                                                        \
                        left += !status[part][i];                                                                      \
                for (int call = 0; call < MANY && left > 0; call++) {                                                  \
                    int part = call % ways[way].parts, *but = status[part];                                            \
                    size_t first = part * ways[way].second, at = SIZE_MAX;                                             \
                    TYPE *array = ivars + first;                                                                       \
                    switch (form) {                                                                                    \
                    case 0: at = shmem_##NAME##_test_any(array, n, but, SHMEM_CMP_EQ, 1); break;                       \
                    case 1: at = shmem_##NAME##_test_any_vector(array, n, but, SHMEM_CMP_EQ, ones); break;             \
                    case 2: at = shmem_##NAME##_wait_until_any(array, n, but, SHMEM_CMP_EQ, 1); break;                 \
                    case 3: at = shmem_##NAME##_wait_until_any_vector(array, n, but, SHMEM_CMP_EQ, ones); break;       \
                    }                                                                                                  \
                    CHECK(at < (size_t)n && !but[at]);                                                                 \
                    left -= !seen[first + at]++;                                                                       \
                }                                                                                                      \
                SAME(left, 0); /* 9.11.3-3 */                                                                          \
            }                                                                                                          \
        shmem_barrier_all();                                                                                           \
    }
FOR_AMO(TURNS)

/* A wait sees what atomics of all PEs add up to, and never a part of an update. */
#define COUNTED(NAME, TYPE)                                                                                            \
    static void counted_##NAME(void)                                                                                   \
    {                                                                                                                  \
        TYPE *word = (TYPE *)(void *)symmetric;                                                                        \
        *word = 0;                                                                                                     \
        shmem_barrier_all();                                                                                           \
        for (int pe = 0; pe < npes; pe++)                                                                              \
            for (int i = 0; i < 5; i++) {                                                                              \
                shmem_##NAME##_atomic_inc(word, pe);                                                                   \
                shmem_##NAME##_atomic_fetch_add(word, 2, pe);                                                          \
            }                                                                                                          \
        shmem_##NAME##_wait_until(word, SHMEM_CMP_EQ, (TYPE)(15 * npes)); /* 3.2-2 */                                  \
        SAME(*word, 15 * npes);                                                                                        \
        shmem_barrier_all();                                                                                           \
        *word = 0;                                                                                                     \
        shmem_barrier_all();                                                                                           \
        shmem_##NAME##_atomic_set(word, VALUE(TYPE, me, 0, 9), (me + 1) % npes);                                       \
        shmem_##NAME##_wait_until(word, SHMEM_CMP_NE, 0);                                                              \
        SAME(*word, VALUE(TYPE, (me + npes - 1) % npes, 0, 9)); /* 3.2-4 */                                            \
        shmem_barrier_all();                                                                                           \
    }
FOR_AMO(COUNTED)

int main(void)
{
    begin();
    symmetric = (unsigned char *)shmem_calloc(N, 8);
#define RUN(NAME, TYPE)                                                                                                \
    at_once_##NAME();                                                                                                  \
    routine = "turns of " #NAME;                                                                                       \
    turns_##NAME();                                                                                                    \
    routine = "arrivals of " #NAME;                                                                                    \
    arrivals_##NAME();                                                                                                 \
    routine = "counts of " #NAME;                                                                                      \
    counted_##NAME();
    FOR_AMO(RUN)
    shmem_free(symmetric);
    return finish();
}
