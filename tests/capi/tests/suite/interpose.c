/* A program that defines some routines itself, as a profiling library would, and calls the library's through their
 * twins. */
#include <pshmem.h>
#include <stdio.h>
#include <string.h>

static int puts_seen, barriers_seen, long_doubles_seen, levels_seen;

void shmem_putmem(void *dest, const void *source, size_t nelems, int pe)
{
    puts_seen++;
    pshmem_putmem(dest, source, nelems, pe);
}

void shmem_barrier_all(void)
{
    barriers_seen++;
    pshmem_barrier_all();
}

/* The library uses this routine itself, and the program must not notice. */
void shmem_longdouble_put(long double *dest, const long double *source, size_t nelems, int pe)
{
    long_doubles_seen++;
    pshmem_longdouble_put(dest, source, nelems, pe);
}

void shmem_pcontrol(int level, ...)
{
    levels_seen += level;
}

int main(void)
{
    shmem_init();
    char *text = shmem_calloc(1, 16);
    long double *number = shmem_calloc(1, sizeof *number);
    int me = shmem_my_pe(), other = (me + 1) % shmem_n_pes();
    shmem_putmem(text, "through", 8, other);
    pshmem_putmem(text + 8, "beside", 7, other);
    shmem_longdouble_p(number, 1.5L, other);
    shmem_pcontrol(2);
    pshmem_pcontrol(4);
    shmem_barrier_all();
    printf("PE %d: %s %s %.1Lf; %d put, %d barrier, %d long double, level %d\n", me, text, text + 8, *number, puts_seen, barriers_seen,
           long_doubles_seen, levels_seen);
    shmem_free(number);
    shmem_free(text);
    shmem_finalize();
    return 0;
}
