/* Stable Rust has no long double, so what passes one by value is C. */
#include "shmem.h"

void shmem_longdouble_p(long double *dest, long double value, int pe)
{
    shmem_longdouble_put(dest, &value, 1, pe);
}

long double shmem_longdouble_g(const long double *source, int pe)
{
    long double value;
    shmem_longdouble_get(&value, source, 1, pe);
    return value;
}
