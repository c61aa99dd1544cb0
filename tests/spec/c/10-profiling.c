/* 10 Profiling: a program that replaces routines, and calls the library's own through their other names. */
#include "check.h"
#include <pshmem.h>

static int puts_seen, barriers_seen, level_seen;

void shmem_long_put(long *dest, const long *source, size_t nelems, int pe)
{
    puts_seen++;
    pshmem_long_put(dest, source, nelems, pe);
}

void shmem_barrier_all(void)
{
    barriers_seen++;
    pshmem_barrier_all();
}

void shmem_pcontrol(int level, ...)
{
    level_seen = level;
}

int main(void)
{
    begin();
    long words[3] = {me, me + 1, me + 2}, *box = (long *)shmem_malloc(sizeof words);
    int next = (me + 1) % npes, previous = (me + npes - 1) % npes;
    /* This also holds while the library itself uses barriers. */
    int before = barriers_seen;
    shmem_long_put(box, words, 3, next);
    shmem_barrier_all();
    SAME(puts_seen, 1); /* 10-2 */
    SAME(barriers_seen, before + 1); /* 10-3 */
    CHECK(box[0] == previous && box[2] == previous + 2);
    pshmem_long_put(box, words, 1, me);
    pshmem_barrier_all();
    SAME(puts_seen, 1);
    SAME(barriers_seen, before + 1);
    CHECK(box[0] == me && box[1] == previous + 1);
    shmem_pcontrol(2);
    SAME(level_seen, 2); /* 10.1.1-2 */
    SAME(pshmem_my_pe(), me);
    shmem_free(box);
    return finish();
}
