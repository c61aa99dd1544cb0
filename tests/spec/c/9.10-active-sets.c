/* 9.10 The deprecated collectives over active sets, with work arrays in the heap and among the globals. The collectives
 * leave the arrays as they were. */
#include "check.h"
#ifndef __cplusplus
#include <complex.h>
#endif

enum { N = 6, ROOM = 2 * N * MAX_PES + 2, SYNCS = 2, SYNC_SIZE = 4096, WORK = 64 };

/* Large enough for each of the sizes that the header defines. */
static long global_sync[SYNCS * SYNC_SIZE];
static long *heap_sync, *sync_arrays;
static unsigned char *symmetric, *from, *work;

/* PEs start, start + 2^log, …; `my` is -1 in other PEs. */
static struct set {
    int start, log, n, my, members[MAX_PES];
} set;

#define SET set.start, set.log, set.n

/* Returns the next array. An array is used again only after a call that synchronizes with the other one. */
static long *next_sync(void)
{
    static int turn;
    turn = (turn + 1) % SYNCS;
    return sync_arrays + turn * SYNC_SIZE;
}

static void restored(void)
{
    int wrong = 0;
    for (int i = 0; i < SYNCS * SYNC_SIZE; i++)
        wrong += sync_arrays[i] != SHMEM_SYNC_VALUE; /* 9.10-4 */
    SAME(wrong, 0);
}

#define SOURCE(TYPE) ((TYPE *)(void *)from)
#define DEST(TYPE) ((TYPE *)(void *)symmetric + 1)

/* CALL runs over the set. Then element e of the result is WANTED wherever HAS is true, and the other elements are
 * untouched. */
#define MOVED(TYPE, CALL, HAS, WANTED)                                                                                 \
    {                                                                                                                  \
        TYPE *source = SOURCE(TYPE), *dest = DEST(TYPE);                                                               \
        routine = #CALL;                                                                                               \
        guard(symmetric, sizeof(TYPE) * ROOM);                                                                         \
        for (int e = 0; e < 2 * N * MAX_PES; e++)                                                                      \
            source[e] = VALUE(TYPE, me, 6, e);                                                                         \
        shmem_barrier(SET, next_sync());                                                                               \
        long *pSync = next_sync();                                                                                     \
        CALL;                                                                                                          \
        for (int e = -1; e < ROOM - 1; e++) {                                                                          \
            if (e >= 0 && (HAS))                                                                                       \
                SAME(dest[e], WANTED);                                                                                 \
            else                                                                                                       \
                UNTOUCHED(dest + e, dest + e + 1);                                                                     \
        }                                                                                                              \
    }

static int given(int i)
{
    return (i * 2 + 1) % (N + 1);
}

static int giver(int e, int *index)
{
    for (int i = 0; i < set.n; i++) {
        if (e < given(i)) {
            *index = e;
            return set.members[i];
        }
        e -= given(i);
    }
    return -1;
}

#define OF_BITS(BITS)                                                                                                  \
    static void move_##BITS(void)                                                                                      \
    {                                                                                                                  \
        typedef uint##BITS##_t word;                                                                                   \
        const int n = set.n, my = set.my, last = n - 1, *pe = set.members;                                             \
        int index = 0;                                                                                                 \
        /* The root's own dest does not change. */                                                                     \
        MOVED(word, shmem_broadcast##BITS(dest, source, N, last, SET, pSync), my != last && e < N, /* 9.10.7-4 */      \
              VALUE(word, pe[last], 6, e))                                                                             \
        MOVED(word, shmem_broadcast##BITS(dest, source, 1, 0, SET, pSync), my != 0 && e < 1, VALUE(word, pe[0], 6, e)) \
        MOVED(word, shmem_fcollect##BITS(dest, source, N, SET, pSync), e < n * N, VALUE(word, pe[e / N], 6, e % N))    \
        MOVED(word, shmem_collect##BITS(dest, source, given(my), SET, pSync), giver(e, &index) >= 0, /* 9.10.8-3 */    \
              VALUE(word, giver(e, &index), 6, index))                                                                 \
        MOVED(word, shmem_alltoall##BITS(dest, source, N, SET, pSync), e < n * N, /* 9.10.5-3 */                       \
              VALUE(word, pe[e / N], 6, my * N + e % N))                                                               \
        /* 9.10.6-3 */                                                                                                 \
        MOVED(word, shmem_alltoalls##BITS(dest, source, 2, 1, N, SET, pSync), e % 2 == 0 && e / 2 < n * N,             \
              VALUE(word, pe[e / 2 / N], 6, my * N + e / 2 % N))                                                       \
        MOVED(word, shmem_alltoalls##BITS(dest, source, 1, 2, N, SET, pSync), e < n * N,                               \
              VALUE(word, pe[e / N], 6, 2 * (my * N + e % N)))                                                         \
    }
OF_BITS(32)
OF_BITS(64)

#define SMALL(TYPE, pe, e) ((TYPE)(((pe) * 3 + (e) * 5) % 7 + 1))
#define ANY(TYPE, pe, e) ((TYPE)(5 * VALUE(unsigned long long, pe, 4, e)))
#define ADD(a, b) ((a) + (b))
#define MULTIPLY(a, b) ((a) * (b))
#define GREATER(a, b) ((a) > (b) ? (a) : (b))
#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))

/* Into another array and in place, with the work arrays that the specification asks for. */
#define REDUCED(NAME, TYPE, OPERATION, OF, FOLD, EQUAL)                                                                \
    for (int in_place = 0; in_place < 2; in_place++) {                                                                 \
        TYPE *dest = DEST(TYPE), *source = in_place ? dest : SOURCE(TYPE);                                             \
        routine = #NAME " " #OPERATION;                                                                                \
        guard(symmetric, sizeof(TYPE) * ROOM);                                                                         \
        for (int e = 0; e < N; e++)                                                                                    \
            source[e] = OF(TYPE, me, e);                                                                               \
        shmem_barrier(SET, next_sync());                                                                               \
        shmem_##NAME##_##OPERATION##_to_all(dest, source, N, SET, (TYPE *)(void *)work, next_sync());                  \
        for (int e = 0; e < N; e++) {                                                                                  \
            TYPE wanted = OF(TYPE, set.members[0], e);                                                                 \
            for (int p = 1; p < set.n; p++)                                                                            \
                wanted = (TYPE)FOLD(wanted, OF(TYPE, set.members[p], e));                                              \
            EQUAL(dest[e], wanted); /* 9.10.9-6 */                                                                     \
        }                                                                                                              \
        UNTOUCHED(symmetric, dest);                                                                                    \
        UNTOUCHED(dest + N, dest + ROOM - 1);                                                                          \
    }

#define FLOATING(NAME, TYPE)                                                                                           \
    static void reduce_##NAME(void)                                                                                    \
    {                                                                                                                  \
        REDUCED(NAME, TYPE, sum, SMALL, ADD, SAME)                                                                     \
        REDUCED(NAME, TYPE, prod, SMALL, MULTIPLY, SAME)                                                               \
        REDUCED(NAME, TYPE, max, ANY, GREATER, SAME)                                                                   \
        REDUCED(NAME, TYPE, min, ANY, LESS, SAME)                                                                      \
    }
#define INTEGER(NAME, TYPE)                                                                                            \
    FLOATING(NAME, TYPE)                                                                                               \
    static void bits_##NAME(void)                                                                                      \
    {                                                                                                                  \
        REDUCED(NAME, TYPE, and, ANY, AND, SAME)                                                                       \
        REDUCED(NAME, TYPE, or, ANY, OR, SAME)                                                                         \
        REDUCED(NAME, TYPE, xor, ANY, XOR, SAME)                                                                       \
    }
#define FOR_FLOATING(X) X(float, float) X(double, double) X(longdouble, long double)
#define FOR_INTEGER(X) X(short, short) X(int, int) X(long, long) X(longlong, long long)
FOR_FLOATING(FLOATING)
FOR_INTEGER(INTEGER)

#ifdef __cplusplus
#define FOR_COMPLEX(X)
#else
#define FOR_COMPLEX(X) X(complexf, float _Complex) X(complexd, double _Complex)
#define TURNED(TYPE, pe, e) ((TYPE)(((pe) + (e)) % 3 + (((pe) * 2 + (e)) % 5 - 2) * I))
#define SAME_COMPLEX(got, wanted)                                                                                      \
    SAME(creal(got), creal(wanted));                                                                                   \
    SAME(cimag(got), cimag(wanted))
#define COMPLEX(NAME, TYPE)                                                                                            \
    static void reduce_##NAME(void)                                                                                    \
    {                                                                                                                  \
        REDUCED(NAME, TYPE, sum, TURNED, ADD, SAME_COMPLEX)                                                            \
        REDUCED(NAME, TYPE, prod, TURNED, MULTIPLY, SAME_COMPLEX)                                                      \
    }
FOR_COMPLEX(COMPLEX)
#endif

/* Barrier and sync may reuse the same array at once. A barrier completes puts, a sync only synchronizes. */
static void meet(void)
{
    long *count = (long *)(void *)symmetric;
    memset(count, 0, 8 * sizeof *count);
    shmem_barrier(SET, sync_arrays);
    for (long i = 1; i <= 30; i++) {
        routine = "shmem_barrier"; /* 9.10.2-2 */
        shmem_long_atomic_add(count + i % 3, 1, set.members[set.n - 1]);
        shmem_barrier(SET, sync_arrays);
        CHECK(shmem_long_atomic_fetch(count + i % 3, set.members[set.n - 1]) == set.n * ((i + 2) / 3)); /* 9.10.2-1 */
        routine = "shmem_sync";
        shmem_long_atomic_add(count + 3 + i % 3, 1, set.members[0]);
        shmem_quiet();
        shmem_sync(SET, sync_arrays + SYNC_SIZE); /* 9.10.3-2 */
        CHECK(shmem_long_atomic_fetch(count + 3 + i % 3, set.members[0]) == set.n * ((i + 2) / 3));
    }
    shmem_barrier(SET, sync_arrays);
}

int main(void)
{
    begin();
    CHECK(SHMEM_BCAST_SYNC_SIZE <= SYNC_SIZE && SHMEM_BARRIER_SYNC_SIZE <= SYNC_SIZE);
    CHECK(SHMEM_COLLECT_SYNC_SIZE <= SYNC_SIZE && SHMEM_REDUCE_SYNC_SIZE <= SYNC_SIZE);
    CHECK(SHMEM_ALLTOALL_SYNC_SIZE <= SYNC_SIZE && SHMEM_ALLTOALLS_SYNC_SIZE <= SYNC_SIZE);
    CHECK(SHMEM_REDUCE_MIN_WRKDATA_SIZE <= WORK && N / 2 + 1 <= WORK);
    symmetric = (unsigned char *)shmem_align(64, 16 * ROOM);
    from = (unsigned char *)shmem_align(64, 16 * ROOM);
    work = (unsigned char *)shmem_malloc(16 * WORK);
    heap_sync = (long *)shmem_malloc(sizeof global_sync);
    for (int i = 0; i < SYNCS * SYNC_SIZE; i++)
        heap_sync[i] = global_sync[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    /* All PEs, all but the first, the even ones, every fourth from the second on, one. */
    const int shapes[][3] = {
        {0, 0, npes}, {1, 0, npes - 1}, {0, 1, (npes + 1) / 2}, {1, 2, (npes + 2) / 4}, {npes - 1, 3, 1},
    };
    for (int s = 0; s < (int)(sizeof shapes / sizeof *shapes); s++) {
        sync_arrays = s % 2 ? heap_sync : global_sync; /* 9.10-5 */
        set.start = shapes[s][0], set.log = shapes[s][1], set.n = shapes[s][2], set.my = -1;
        for (int i = 0; i < set.n; i++) {
            set.members[i] = set.start + (i << set.log);
            if (set.members[i] == me)
                set.my = i;
        }
        if (set.my >= 0) {
            meet();
            move_32();
            move_64();
#define RUN(NAME, TYPE) reduce_##NAME();
            FOR_FLOATING(RUN)
            FOR_INTEGER(RUN)
            FOR_COMPLEX(RUN)
#define RUN_BITS(NAME, TYPE) bits_##NAME();
            FOR_INTEGER(RUN_BITS)
        }
        routine = "the work arrays";
        shmem_barrier_all();
        restored();
        shmem_barrier_all();
    }
    shmem_free(heap_sync);
    shmem_free(work);
    shmem_free(from);
    shmem_free(symmetric);
    return finish();
}
