/* Calls every typed collective once: on the world and on a team that counts PEs backwards, in the heap and among the
 * globals. The program that includes this file ends with `main`, which calls what the macros define. */
#include <complex.h>
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <string.h>

enum { N = 5, MOST = 16, ROOM = N * MOST * 3 };

static int me, n, wrong = 0;
static shmem_team_t teams[2];

#define CHECK(what, condition) \
    do { \
        if (!(condition)) { \
            wrong++; \
            printf("PE %d: %s: %s\n", me, what, #condition); \
        } \
    } while (0)

static void begin(void) {
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    teams[0] = SHMEM_TEAM_WORLD;
    CHECK("split", shmem_team_split_strided(SHMEM_TEAM_WORLD, n - 1, -1, n, NULL, 0, &teams[1]) == 0);
}

static int end(void) {
    shmem_team_destroy(teams[1]);
    printf("%d wrong\n", wrong);
    shmem_finalize();
    return 0;
}

/* A small number for member m and element i; sums and products of a few of them are exact in every type. */
static int datum(int m, int i) { return 1 + (m + i) % 2; }

/* Runs `loop` with `team`, its size `size` and this PE's number `my`; source and dest are globals or in the heap. */
#define ON_ALL(T, loop) \
    static T source_[ROOM], dest_[ROOM]; \
    T *heap = shmem_malloc(2 * ROOM * sizeof(T)); \
    for (int way = 0; way < 4; way++) { \
        shmem_team_t team = teams[way % 2]; \
        T *source = way < 2 ? heap : source_, *dest = way < 2 ? heap + ROOM : dest_; \
        const int my = shmem_team_my_pe(team), size = shmem_team_n_pes(team); \
        loop \
    } \
    shmem_free(heap);

/* Fills source, clears dest, and waits until all PEs have done so. */
#define FILL(T, count) \
    shmem_sync_all(); \
    for (int i = 0; i < ROOM; i++) { \
        source[i] = (T)(i < (count) ? datum(my, i) : 0); \
        dest[i] = (T)0; \
    } \
    shmem_sync_all();

#define MOVES(NAME, T) \
    static void moves_##NAME(void) { \
        ON_ALL(T, \
            FILL(T, N) \
            CHECK(#NAME " broadcast", shmem_##NAME##_broadcast(team, dest, source, N, size - 1) == 0); \
            for (int i = 0; i < N; i++) CHECK(#NAME " broadcast", dest[i] == (T)datum(size - 1, i)); \
            FILL(T, N) \
            CHECK(#NAME " fcollect", shmem_##NAME##_fcollect(team, dest, source, N) == 0); \
            for (int i = 0; i < N * size; i++) CHECK(#NAME " fcollect", dest[i] == (T)datum(i / N, i % N)); \
            FILL(T, N) \
            CHECK(#NAME " collect", shmem_##NAME##_collect(team, dest, source, (size_t)(my % 2)) == 0); \
            for (int i = 0; i < size / 2; i++) CHECK(#NAME " collect", dest[i] == (T)datum(2 * i + 1, 0)); \
            CHECK(#NAME " collect", dest[size / 2] == (T)0); \
            FILL(T, N * size) \
            CHECK(#NAME " alltoall", shmem_##NAME##_alltoall(team, dest, source, N) == 0); \
            for (int i = 0; i < N * size; i++) CHECK(#NAME " alltoall", dest[i] == (T)datum(i / N, my * N + i % N)); \
            FILL(T, ROOM) \
            CHECK(#NAME " alltoalls", shmem_##NAME##_alltoalls(team, dest, source, 2, 3, N) == 0); \
            for (int i = 0; i < N * size; i++) { \
                CHECK(#NAME " alltoalls", dest[2 * i] == (T)datum(i / N, (my * N + i % N) * 3)); \
                CHECK(#NAME " alltoalls", dest[2 * i + 1] == (T)0); \
            } \
        ) \
    }

/* `expected` is computed in long arithmetic from `all`, the elements of all members. */
#define REDUCED(NAME, T, operation, start, next) \
    FILL(T, N) \
    CHECK(#NAME " " #operation, shmem_##NAME##_##operation##_reduce(team, dest, source, N) == 0); \
    for (int i = 0; i < N; i++) { \
        long a = start; \
        for (int m = 0; m < size; m++) { long b = datum(m, i); a = next; } \
        CHECK(#NAME " " #operation, dest[i] == (T)a); \
    } \
    FILL(T, N) \
    CHECK(#NAME " " #operation, shmem_##NAME##_##operation##_reduce(team, source, source, N) == 0); \
    for (int i = 0; i < N; i++) { \
        long a = start; \
        for (int m = 0; m < size; m++) { long b = datum(m, i); a = next; } \
        CHECK(#NAME " " #operation " in place", source[i] == (T)a); \
    }

/* The largest number of an unsigned type is negative in other types. */
#define SIGNED(NAME, T) \
    FILL(T, 0) \
    source[0] = my == size - 1 ? (T)-1 : (T)1; \
    CHECK(#NAME " min", shmem_##NAME##_min_reduce(team, dest, source, 1) == 0); \
    CHECK(#NAME " max", shmem_##NAME##_max_reduce(team, dest + 1, source, 1) == 0); \
    CHECK(#NAME " signed min", dest[0] == (size == 1 || (T)-1 < (T)1 ? (T)-1 : (T)1)); \
    CHECK(#NAME " signed max", dest[1] == (size == 1 || (T)-1 > (T)1 ? (T)-1 : (T)1));

#define ORDERED(NAME, T) \
    static void ordered_##NAME(void) { \
        ON_ALL(T, REDUCED(NAME, T, min, 9, a < b ? a : b) REDUCED(NAME, T, max, 0, a > b ? a : b) SIGNED(NAME, T)) \
    }

#define BITWISE(NAME, T) \
    static void bitwise_##NAME(void) { \
        ON_ALL(T, REDUCED(NAME, T, and, 3, a & b) REDUCED(NAME, T, or, 0, a | b) REDUCED(NAME, T, xor, 0, a ^ b)) \
    }

#define ARITHMETIC(NAME, T) \
    static void arithmetic_##NAME(void) { \
        ON_ALL(T, \
            REDUCED(NAME, T, sum, 0, a + b) \
            REDUCED(NAME, T, prod, 1, a * b) \
            FILL(T, N) \
            CHECK(#NAME " inscan", shmem_##NAME##_sum_inscan(team, dest, source, N) == 0); \
            for (int i = 0; i < N; i++) { \
                long a = 0; \
                for (int m = 0; m <= my; m++) a += datum(m, i); \
                CHECK(#NAME " inscan", dest[i] == (T)a); \
            } \
            FILL(T, N) \
            CHECK(#NAME " exscan", shmem_##NAME##_sum_exscan(team, dest, source, N) == 0); \
            for (int i = 0; i < N; i++) { \
                long a = 0; \
                for (int m = 0; m < my; m++) a += datum(m, i); \
                CHECK(#NAME " exscan", dest[i] == (T)a); \
            } \
        ) \
    }

/* Where one member has NaN, the minimum and the maximum are NaN on all. */
#define NANS(NAME, T) \
    static void nans_##NAME(void) { \
        ON_ALL(T, \
            for (int most = 0; most < 2; most++) { \
                FILL(T, N) \
                for (int i = 0; i < N; i++) \
                    if (i % 2 == 0 && i / 2 % size == my) source[i] = (T)NAN; \
                CHECK(#NAME " of NaN", (most ? shmem_##NAME##_max_reduce(team, dest, source, N) \
                                             : shmem_##NAME##_min_reduce(team, dest, source, N)) == 0); \
                for (int i = 0; i < N; i++) \
                    CHECK(#NAME " of NaN", (dest[i] != dest[i]) == (i % 2 == 0)); \
            } \
        ) \
    }

/* Sums and products whose imaginary parts matter. The parts are small integers. */
#define COMPLEX(NAME, T) \
    static void complex_##NAME(void) { \
        ON_ALL(T, \
            FILL(T, 0) \
            source[0] = (T)(1 + my + 2 * I); \
            CHECK(#NAME " sum", shmem_##NAME##_sum_reduce(team, dest, source, 1) == 0); \
            CHECK(#NAME " prod", shmem_##NAME##_prod_reduce(team, dest + 1, source, 1) == 0); \
            CHECK(#NAME " inscan", shmem_##NAME##_sum_inscan(team, dest + 2, source, 1) == 0); \
            T sum = 0; T product = 1; \
            for (int m = 0; m < size; m++) { \
                sum += (T)(1 + m + 2 * I); \
                product *= (T)(1 + m + 2 * I); \
                if (m == my) CHECK(#NAME " complex inscan", dest[2] == sum); \
            } \
            CHECK(#NAME " complex sum", dest[0] == sum); \
            CHECK(#NAME " complex prod", dest[1] == product); \
        ) \
    }
