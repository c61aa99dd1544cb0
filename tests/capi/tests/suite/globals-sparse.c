/* Globals that are mostly untouched take no memory, on any PE. */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

#define LARGE ((size_t)4 << 30)

static char large[LARGE];
static long last = 9;

static long resident_kib(void)
{
    char line[256];
    long kib = -1;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (!strncmp(line, "VmRSS:", 6))
            sscanf(line + 6, "%ld", &kib);
    if (status)
        fclose(status);
    return kib;
}

int main(void)
{
    large[LARGE / 3] = 1;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;
    shmem_char_p(&large[LARGE - 1], 7, next);
    shmem_long_p(&last, 8, next);
    shmem_barrier_all();
    int right = large[LARGE - 1] == 7 && large[LARGE / 3] == 1 && shmem_char_g(&large[LARGE / 3], next) == 1 && last == 8;
    long kib = resident_kib();
    printf("PE %d of %d: %s, %s\n", me, n, right ? "right" : "wrong", kib > 0 && kib < 65536 ? "small" : "large");
    shmem_finalize();
    return 0;
}
