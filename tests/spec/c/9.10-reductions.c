/* 9.10 Reductions and scans: every type and operation, against values computed here; in place, of great length, in
 * direct succession. */
#include "teams.h"
#ifndef __cplusplus
#include <complex.h>
#endif

enum { N = 7, GUARDED = N + 2, LARGE = 20003 };

static unsigned char *symmetric, *from;

#define SOURCE(TYPE) ((TYPE *)(void *)from)
#define RESULT(TYPE, r) ((TYPE *)(void *)symmetric + (r) * GUARDED + 1)

/* Small numbers: their sums and products are exact in floats, and wrap in small integers as the language's do. */
#define SMALL(TYPE, pe, e) ((TYPE)(((pe) * 3 + (e) * 5) % 7 + 1))
/* Any numbers, including negative ones. */
#define ANY(TYPE, pe, e) ((TYPE)(5 * VALUE(unsigned long long, pe, 4, e)))

#define ADD(a, b) ((a) + (b))
#define MULTIPLY(a, b) ((a) * (b))
#define GREATER(a, b) ((a) > (b) ? (a) : (b))
#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))

/* The result for the elements of all members: OF makes an element, and FOLD combines two. */
#define WANTED(TYPE, OF, FOLD, FIRST, LAST)                                                                            \
    for (int p = (FIRST); p <= (LAST); p++)                                                                            \
        wanted = p == (FIRST) ? OF(TYPE, team->members[p], e) : (TYPE)FOLD(wanted, OF(TYPE, team->members[p], e));

#define UNCHANGED_BESIDE(TYPE, r)                                                                                      \
    UNTOUCHED(RESULT(TYPE, r) - 1, RESULT(TYPE, r));                                                                   \
    UNTOUCHED(RESULT(TYPE, r) + N, RESULT(TYPE, r) + N + 1);

/* Into another array, in place, and of no elements at all, in direct succession. */
#define REDUCED(NAME, TYPE, OPERATION, OF, FOLD, EQUAL)                                                                \
    {                                                                                                                  \
        routine = #NAME " " #OPERATION;                                                                                \
        TYPE *source = SOURCE(TYPE);                                                                                   \
        guard(symmetric, 3 * GUARDED * sizeof(TYPE));                                                                  \
        for (int e = 0; e < N; e++)                                                                                    \
            source[e] = RESULT(TYPE, 1)[e] = OF(TYPE, me, e);                                                          \
        shmem_team_sync(team->handle);                                                                                 \
        SAME(shmem_##NAME##_##OPERATION##_reduce(team->handle, RESULT(TYPE, 0), source, N), 0);                        \
        SAME(shmem_##NAME##_##OPERATION##_reduce(team->handle, RESULT(TYPE, 1), RESULT(TYPE, 1), N), 0);               \
        SAME(shmem_##NAME##_##OPERATION##_reduce(team->handle, RESULT(TYPE, 2), source, 0), 0); /* 9.10.9-4 */         \
        for (int e = 0; e < N; e++) {                                                                                  \
            TYPE wanted = 0;                                                                                           \
            WANTED(TYPE, OF, FOLD, 0, team->n - 1)                                                                     \
            EQUAL(RESULT(TYPE, 0)[e], wanted); /* 9.10.9-1 */                                                          \
            EQUAL(RESULT(TYPE, 1)[e], wanted); /* 9.10.9-2 */                                                          \
            EQUAL(source[e], OF(TYPE, me, e)); /* 9.10.9-3 */                                                          \
        }                                                                                                              \
        UNCHANGED_BESIDE(TYPE, 0)                                                                                      \
        UNCHANGED_BESIDE(TYPE, 1)                                                                                      \
        UNTOUCHED(RESULT(TYPE, 2) - 1, RESULT(TYPE, 3) - 1);                                                           \
        shmem_team_sync(team->handle);                                                                                 \
    }

/* A PE's own element counts only in an inscan. */
#define SCANNED(NAME, TYPE, EQUAL)                                                                                     \
    {                                                                                                                  \
        routine = #NAME " scans";                                                                                      \
        TYPE *source = SOURCE(TYPE);                                                                                   \
        guard(symmetric, 5 * GUARDED * sizeof(TYPE));                                                                  \
        for (int e = 0; e < N; e++)                                                                                    \
            source[e] = RESULT(TYPE, 2)[e] = RESULT(TYPE, 3)[e] = SMALL(TYPE, me, e);                                  \
        shmem_team_sync(team->handle);                                                                                 \
        SAME(shmem_##NAME##_sum_inscan(team->handle, RESULT(TYPE, 0), source, N), 0);                                  \
        SAME(shmem_##NAME##_sum_exscan(team->handle, RESULT(TYPE, 1), source, N), 0);                                  \
        SAME(shmem_##NAME##_sum_inscan(team->handle, RESULT(TYPE, 2), RESULT(TYPE, 2), N), 0);                         \
        SAME(shmem_##NAME##_sum_exscan(team->handle, RESULT(TYPE, 3), RESULT(TYPE, 3), N), 0);                         \
        SAME(shmem_##NAME##_sum_inscan(team->handle, RESULT(TYPE, 4), source, 0), 0);                                  \
        SAME(shmem_##NAME##_sum_exscan(team->handle, RESULT(TYPE, 4), source, 0), 0);                                  \
        UNTOUCHED(RESULT(TYPE, 4) - 1, RESULT(TYPE, 5) - 1); /* 9.10.10-4 */                                           \
        for (int e = 0; e < N; e++) {                                                                                  \
            TYPE wanted = 0;                                                                                           \
            WANTED(TYPE, SMALL, ADD, 0, team->my - 1)                                                                  \
            EQUAL(RESULT(TYPE, 1)[e], wanted); /* 9.10.10-2 */                                                         \
            EQUAL(RESULT(TYPE, 3)[e], wanted); /* 9.10.10-3 */                                                         \
            WANTED(TYPE, SMALL, ADD, 0, team->my)                                                                      \
            EQUAL(RESULT(TYPE, 0)[e], wanted); /* 9.10.10-1 */                                                         \
            EQUAL(RESULT(TYPE, 2)[e], wanted);                                                                         \
        }                                                                                                              \
        for (int r = 0; r < 4; r++) {                                                                                  \
            UNCHANGED_BESIDE(TYPE, r)                                                                                  \
        }                                                                                                              \
        shmem_team_sync(team->handle);                                                                                 \
    }

#define ARITHMETIC(NAME, TYPE)                                                                                         \
    static void arithmetic_##NAME(const struct team *team)                                                             \
    {                                                                                                                  \
        REDUCED(NAME, TYPE, sum, SMALL, ADD, SAME)                                                                     \
        REDUCED(NAME, TYPE, prod, SMALL, MULTIPLY, SAME)                                                               \
        REDUCED(NAME, TYPE, max, ANY, GREATER, SAME)                                                                   \
        REDUCED(NAME, TYPE, min, ANY, LESS, SAME)                                                                      \
        SCANNED(NAME, TYPE, SAME)                                                                                      \
    }
FOR_RMA(ARITHMETIC)

#define BITS(NAME, TYPE)                                                                                               \
    static void bits_##NAME(const struct team *team)                                                                   \
    {                                                                                                                  \
        REDUCED(NAME, TYPE, and, ANY, AND, SAME)                                                                       \
        REDUCED(NAME, TYPE, or, ANY, OR, SAME)                                                                         \
        REDUCED(NAME, TYPE, xor, ANY, XOR, SAME)                                                                       \
    }
#define FOR_BITS(X)                                                                                                    \
    X(uchar, unsigned char)                                                                                            \
    X(ushort, unsigned short)                                                                                          \
    X(int8, int8_t)                                                                                                    \
    X(int16, int16_t)                                                                                                  \
    X(uint8, uint8_t)                                                                                                  \
    X(uint16, uint16_t)                                                                                                \
    X(size, size_t)                                                                                                    \
    FOR_BITWISE(X)
FOR_BITS(BITS)

#ifdef __cplusplus
#define FOR_COMPLEX(X)
#else
#define FOR_COMPLEX(X) X(complexf, float _Complex) X(complexd, double _Complex)
#define TURNED(TYPE, pe, e) ((TYPE)(((pe) + (e)) % 3 + (((pe) * 2 + (e)) % 5 - 2) * I))
#define COMPLEX(NAME, TYPE)                                                                                            \
    static void complex_##NAME(const struct team *team)                                                                \
    {                                                                                                                  \
        REDUCED(NAME, TYPE, sum, TURNED, ADD, SAME_COMPLEX)                                                            \
        REDUCED(NAME, TYPE, prod, TURNED, MULTIPLY, SAME_COMPLEX) /* 9.10.9-5 */                                       \
        SCANNED(NAME, TYPE, SAME_COMPLEX)                                                                              \
    }
#define SAME_COMPLEX(got, wanted)                                                                                      \
    SAME(creal(got), creal(wanted));                                                                                   \
    SAME(cimag(got), cimag(wanted))
FOR_COMPLEX(COMPLEX)
#endif

/* Lengths at which a library may change its algorithm. All PEs get the same bits of a sum of floats, in whatever order
 * it is computed. */
static void lengths(const struct team *team)
{
    static const int of[] = {1, 2, 31, 512, 1025, LARGE};
    long *source = (long *)(void *)from, *dest = (long *)(void *)symmetric;
    double *floats = (double *)(void *)from, *sums = (double *)(void *)symmetric;
    for (int k = 0; k < (int)(sizeof of / sizeof *of); k++) {
        int count = of[k], wrong = 0;
        routine = "long reductions and scans";
        for (int e = 0; e < count; e++)
            source[e] = ANY(long, me, e) / 16;
        guard(dest, (count + 1) * sizeof *dest);
        shmem_team_sync(team->handle);
        SAME(shmem_long_sum_reduce(team->handle, dest, source, count), 0);
        for (int e = 0; e < count; e++) {
            long wanted = 0;
            for (int p = 0; p < team->n; p++)
                wanted += ANY(long, team->members[p], e) / 16;
            wrong += dest[e] != wanted;
        }
        SAME(wrong, 0);
        UNTOUCHED(dest + count, dest + count + 1);
        shmem_team_sync(team->handle);
        SAME(shmem_long_max_reduce(team->handle, source, source, count), 0);
        SAME(shmem_long_sum_exscan(team->handle, dest, source, count), 0);
        for (int e = 0; e < count; e++) {
            long wanted = ANY(long, team->members[0], e) / 16;
            for (int p = 1; p < team->n; p++)
                wanted = GREATER(wanted, ANY(long, team->members[p], e) / 16);
            wrong += source[e] != wanted || dest[e] != wanted * team->my;
        }
        SAME(wrong, 0);
        shmem_team_sync(team->handle);
        routine = "sums of floats";
        for (int e = 0; e < count; e++)
            floats[e] = 1.0 / (1 + me + e);
        shmem_team_sync(team->handle);
        SAME(shmem_double_sum_reduce(team->handle, sums, floats, count), 0);
        for (int e = 0; e < count; e++) {
            double wanted = 0;
            for (int p = 0; p < team->n; p++)
                wanted += 1.0 / (1 + team->members[p] + e);
            wrong += !(sums[e] > wanted * (1 - 1e-14) && sums[e] < wanted * (1 + 1e-14));
        }
        SAME(wrong, 0);
        double *theirs = (double *)malloc(count * sizeof *theirs);
        shmem_team_sync(team->handle);
        shmem_double_get(theirs, sums, count, team->members[0]);
        SAME_BYTES(sums, theirs, count * sizeof *theirs);
        free(theirs);
        shmem_team_sync(team->handle);
    }
}

/* Many in a row, each on the result of the previous one. */
static void in_a_row(const struct team *team)
{
    enum { TIMES = 100 };
    uint64_t *dest = (uint64_t *)(void *)symmetric, *source = (uint64_t *)(void *)from, wanted = team->n;
    routine = "one after the other";
    *source = 1;
    shmem_team_sync(team->handle);
    for (int i = 0; i < TIMES; i++) {
        shmem_uint64_sum_reduce(team->handle, dest + 2 * i, i ? dest + 2 * i - 1 : source, 1);
        shmem_uint64_max_reduce(team->handle, dest + 2 * i + 1, dest + 2 * i, 1);
    }
    for (int i = 0; i < TIMES; i++, wanted *= team->n)
        CHECK(dest[2 * i] == wanted && dest[2 * i + 1] == wanted);
    shmem_team_sync(team->handle);
}

int main(void)
{
    struct team teams[MAX_TEAMS];
    begin();
    symmetric = (unsigned char *)shmem_align(64, (LARGE + 1) * 8);
    from = (unsigned char *)shmem_align(64, (LARGE + 1) * 8);
    int n = make_teams(teams);
    for (int t = 0; t < n; t++) {
#define RUN_ARITHMETIC(NAME, TYPE) arithmetic_##NAME(teams + t);
        FOR_RMA(RUN_ARITHMETIC)
#define RUN_BITS(NAME, TYPE) bits_##NAME(teams + t);
        FOR_BITS(RUN_BITS)
#define RUN_COMPLEX(NAME, TYPE) complex_##NAME(teams + t);
        FOR_COMPLEX(RUN_COMPLEX)
        lengths(teams + t);
        in_a_row(teams + t);
    }
    free_teams(teams, n);
    shmem_free(from);
    shmem_free(symmetric);
    return finish();
}
