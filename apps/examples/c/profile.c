/* A profile by call site, as tools for OpenSHMEM make it: it defines routines itself, and calls the library's by their
 * names in the profiling interface (OpenSHMEM 1.6, section 10). At the end, each PE prints where in the program the
 * calls were, how many, and the time that they took.
 *
 *   shmemcc -shared -fPIC -o profile.so profile.c
 *   shmemrun -n 2 -x LD_PRELOAD=./profile.so ./program
 *
 * addr2line -e PROGRAM OFFSET names the line of a call. Calls of threads that run at the same time may be lost. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pshmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 1024 };

static struct site {
    void *from;
    const char *routine;
    unsigned long calls, bytes, ns;
} sites[MOST];

static unsigned long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000ul + time.tv_nsec;
}

static void note(void *from, const char *routine, unsigned long bytes, unsigned long begun)
{
    unsigned long ns = now() - begun;
    struct site *site = sites;
    while (site < sites + MOST - 1 && site->from && site->from != from)
        site++;
    site->from = from, site->routine = routine;
    site->calls++, site->bytes += bytes, site->ns += ns;
}

/* A routine without a result; BYTES may use its arguments. */
#define ROUTINE(NAME, PARAMETERS, ARGUMENTS, BYTES)                                                                    \
    void shmem_##NAME PARAMETERS                                                                                       \
    {                                                                                                                  \
        unsigned long begun = now();                                                                                   \
        pshmem_##NAME ARGUMENTS;                                                                                       \
        note(__builtin_return_address(0), "shmem_" #NAME, BYTES, begun);                                               \
    }
#define PUT_AND_GET(TYPE, T)                                                                                           \
    ROUTINE(TYPE##_put, (T * dest, const T *source, size_t n, int pe), (dest, source, n, pe), n * sizeof(T))           \
    ROUTINE(TYPE##_get, (T * dest, const T *source, size_t n, int pe), (dest, source, n, pe), n * sizeof(T))           \
    ROUTINE(TYPE##_p, (T * dest, T value, int pe), (dest, value, pe), sizeof(T))

ROUTINE(putmem, (void *dest, const void *source, size_t n, int pe), (dest, source, n, pe), n)
ROUTINE(getmem, (void *dest, const void *source, size_t n, int pe), (dest, source, n, pe), n)
PUT_AND_GET(int, int)
PUT_AND_GET(long, long)
PUT_AND_GET(double, double)
ROUTINE(quiet, (void), (), 0)
ROUTINE(barrier_all, (void), (), 0)

static int by_time(const void *a, const void *b)
{
    const struct site *first = a, *second = b;
    return (first->ns < second->ns) - (first->ns > second->ns);
}

void shmem_finalize(void)
{
    int pe = pshmem_my_pe();
    qsort(sites, MOST, sizeof *sites, by_time);
    for (const struct site *site = sites; site < sites + MOST && site->from; site++) {
        Dl_info in = { 0 };
        dladdr(site->from, &in);
        printf("PE %d: %s at %s+%#lx: %lu calls, %lu bytes, %lu us\n", pe, site->routine,
               in.dli_fname ? in.dli_fname : "?", (unsigned long)((char *)site->from - (char *)in.dli_fbase), site->calls,
               site->bytes, site->ns / 1000);
    }
    pshmem_finalize();
}
