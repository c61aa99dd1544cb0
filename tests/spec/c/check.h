/* Checks, and counts the checks. The first failed check ends the job, with a line that says where, on which PE and in
 * which routine. */
#ifndef CHECK_H
#define CHECK_H

#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 0xA5, MAX_PES = 8 };

/* How often something is repeated that takes milliseconds on a slow machine. */
#ifdef SLOW
#define OFTEN(times) ((times) / 20)
#else
#define OFTEN(times) (times)
#endif

static int me, npes;
static unsigned long checks;
/* The routine under test, if the line does not show it, as in a macro for all types. */
static const char *routine = "";

#define CHECK(condition) check_(!!(condition), #condition, __FILE__, __LINE__)
/* For every arithmetic type. */
#define SAME(got, wanted) same_((long double)(got), (long double)(wanted), #got, __FILE__, __LINE__)
/* For bytes. */
#define SAME_BYTES(got, wanted, bytes) bytes_(got, wanted, bytes, #got, __FILE__, __LINE__)
/* The bytes from one address up to the other are as `guard` left them. */
#define UNTOUCHED(from, to) untouched_(from, to, __FILE__, __LINE__)
/* What PE `from` sends to PE `to` as element `i`: values for neighbours in each of the three differ, in every type and
 * in each byte. */
#define VALUE(TYPE, from, to, i) ((TYPE)value_((unsigned)(from), (unsigned)(to), (unsigned)(i)))

static inline void wrong_(const char *file, int line)
{
    fprintf(stderr, "%s:%d: PE %d of %d: %s%s", file, line, me, npes, routine, *routine ? ": " : "");
}

static inline void end_(void)
{
    fputc('\n', stderr);
    fflush(NULL);
    shmem_global_exit(1);
}

static inline void check_(int holds, const char *condition, const char *file, int line)
{
    checks++;
    if (!holds) {
        wrong_(file, line);
        fprintf(stderr, "does not hold: %s", condition);
        end_();
    }
}

static inline void same_(long double got, long double wanted, const char *what, const char *file, int line)
{
    checks++;
    if (got != wanted) {
        wrong_(file, line);
        fprintf(stderr, "%s: got %.20Lg, wanted %.20Lg", what, got, wanted);
        end_();
    }
}

static inline void bytes_(const void *got, const void *wanted, size_t bytes, const char *what, const char *file, int line)
{
    checks++;
    for (size_t i = 0; i < bytes; i++) {
        unsigned g = ((const unsigned char *)got)[i], w = ((const unsigned char *)wanted)[i];
        if (g != w) {
            wrong_(file, line);
            fprintf(stderr, "%s: byte %zu of %zu: got 0x%02x, wanted 0x%02x", what, i, bytes, g, w);
            end_();
        }
    }
}

static inline void untouched_(const void *from, const void *to, const char *file, int line)
{
    checks++;
    for (const unsigned char *p = (const unsigned char *)from; p < (const unsigned char *)to; p++) {
        if (*p != GUARD) {
            wrong_(file, line);
            fprintf(stderr, "byte %zu, which nobody should touch, is 0x%02x", (size_t)(p - (const unsigned char *)from), *p);
            end_();
        }
    }
}

static inline void guard(void *memory, size_t bytes)
{
    memset(memory, GUARD, bytes);
}

static inline unsigned long long value_(unsigned from, unsigned to, unsigned i)
{
    return ((from * 41 + to * 5 + i * 3) % 113 + 1) * 0x0F0D0B0907050301ULL;
}

static inline void begin(void)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
}

static inline int finish(void)
{
    routine = "";
    CHECK(checks > 0);
    printf("%lu checks\n", checks);
    fflush(stdout);
    shmem_finalize();
    return 0;
}

/* The tables of types: standard RMA; standard, extended and bitwise AMO. */
#define FOR_RMA(X)                                                                                                     \
    X(float, float)                                                                                                    \
    X(double, double)                                                                                                  \
    X(longdouble, long double)                                                                                         \
    X(char, char)                                                                                                      \
    X(schar, signed char)                                                                                              \
    X(short, short)                                                                                                    \
    X(uchar, unsigned char)                                                                                            \
    X(ushort, unsigned short)                                                                                          \
    X(int8, int8_t)                                                                                                    \
    X(int16, int16_t)                                                                                                  \
    X(uint8, uint8_t)                                                                                                  \
    X(uint16, uint16_t)                                                                                                \
    FOR_AMO(X)
#define FOR_AMO(X)                                                                                                     \
    X(int, int)                                                                                                        \
    X(long, long)                                                                                                      \
    X(longlong, long long)                                                                                             \
    X(size, size_t)                                                                                                    \
    X(ptrdiff, ptrdiff_t)                                                                                              \
    FOR_BITWISE(X)
#define FOR_EXTENDED(X)                                                                                                \
    X(float, float)                                                                                                    \
    X(double, double)                                                                                                  \
    FOR_AMO(X)
#define FOR_BITWISE(X)                                                                                                 \
    X(uint, unsigned int)                                                                                              \
    X(ulong, unsigned long)                                                                                            \
    X(ulonglong, unsigned long long)                                                                                   \
    X(int32, int32_t)                                                                                                  \
    X(int64, int64_t)                                                                                                  \
    X(uint32, uint32_t)                                                                                                \
    X(uint64, uint64_t)
#define FOR_SIZES(X) X(8) X(16) X(32) X(64) X(128)

#endif
