/* Stable Rust has no long double, so functions that pass one by value are written in C. They call the twins, because a program may define
   routines of its own under the other names. */
#include "pshmem.h"

void shmem_longdouble_p(long double *dest, long double value, int pe)
{
    pshmem_longdouble_put(dest, &value, 1, pe);
}

void shmem_ctx_longdouble_p(shmem_ctx_t ctx, long double *dest, long double value, int pe)
{
    pshmem_ctx_longdouble_put(ctx, dest, &value, 1, pe);
}

long double shmem_longdouble_g(const long double *source, int pe)
{
    long double value;
    pshmem_longdouble_get(&value, source, 1, pe);
    return value;
}

long double shmem_ctx_longdouble_g(shmem_ctx_t ctx, const long double *source, int pe)
{
    long double value;
    pshmem_ctx_longdouble_get(ctx, &value, source, 1, pe);
    return value;
}

/* Reductions of collectives: each of the n numbers at acc is combined with the corresponding one at from. */
#define COMBINE(name, expression) \
    void cushmem_longdouble_##name(void *acc, const void *from, size_t n); \
    void cushmem_longdouble_##name(void *acc, const void *from, size_t n) \
    { \
        long double *a = acc; \
        const long double *b = from; \
        for (size_t i = 0; i < n; i++) \
            a[i] = expression; \
    }
/* The second comparison takes a NaN. */
COMBINE(min, b[i] < a[i] || b[i] != b[i] ? b[i] : a[i])
COMBINE(max, b[i] > a[i] || b[i] != b[i] ? b[i] : a[i])
COMBINE(sum, a[i] + b[i])
COMBINE(prod, a[i] * b[i])
