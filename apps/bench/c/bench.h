/* What the C benchmarks share: the clock, medians, and rows of JSON. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
#define TEAMS 1
#else
#define TEAMS 0
#endif

enum { MAX_ROUNDS = 1001 };

static int me, pes, rounds = 31, smoke = 0;
static const char *impl = "openshmem";

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double median(const double *times) {
    static double sorted[MAX_ROUNDS];
    memcpy(sorted, times, (size_t)rounds * sizeof *sorted);
    qsort(sorted, (size_t)rounds, sizeof *sorted, by_value);
    return sorted[rounds / 2];
}

static void row_by(const char *who, const char *metric, const char *keys, double value, const char *unit) {
    if (me == 0)
        printf("{\"impl\":\"%s\",\"pes\":%d,\"metric\":\"%s\"%s,\"value\":%.5f,\"unit\":\"%s\"}\n", who, pes, metric, keys,
               value, unit);
}

static void row(const char *metric, const char *keys, double value, const char *unit) {
    row_by(impl, metric, keys, value, unit);
}

static inline int steps(int n) { return smoke && n > 3 ? 3 : n; }

/* Reads `--impl NAME`, `--rounds N` or `--smoke`; 0 for anything else. */
static int option(int argc, char **argv, int *i) {
    if (!strcmp(argv[*i], "--smoke")) smoke = 1, rounds = 1;
    else if (!strcmp(argv[*i], "--impl") && *i + 1 < argc) impl = argv[++*i];
    else if (!strcmp(argv[*i], "--rounds") && *i + 1 < argc) rounds = atoi(argv[++*i]);
    else return 0;
    if (rounds < 1 || rounds > MAX_ROUNDS) rounds = 31;
    return 1;
}
