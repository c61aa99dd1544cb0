/* Makes the same call many times and does nothing else, for tools that count instructions: `shmem-bench count` in plain C.
 *
 *   count_bench put|p|get|g|fetch_add CALLS */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 8 };

static uint64_t *slot[SLOTS];

/* PE 0 calls with itself as the target, which takes the same path as any mapped peer. Each operation has a loop of
 * its own, so that the loop holds nothing but the call. */
static int count(const char *operation, long calls, int pe) {
    volatile uint64_t sink;
    uint64_t v = 0;
    if (!strcmp(operation, "put"))
        for (long i = 0; i < calls; i++) { v = (uint64_t)i; shmem_put64(slot[i % SLOTS], &v, 1, pe); }
    else if (!strcmp(operation, "p"))
        for (long i = 0; i < calls; i++) shmem_uint64_p(slot[i % SLOTS], (uint64_t)i, pe);
    else if (!strcmp(operation, "get"))
        for (long i = 0; i < calls; i++) shmem_get64(&v, slot[i % SLOTS], 1, pe);
    else if (!strcmp(operation, "g"))
        for (long i = 0; i < calls; i++) sink = shmem_uint64_g(slot[i % SLOTS], pe);
    else if (!strcmp(operation, "fetch_add"))
        for (long i = 0; i < calls; i++) sink = shmem_uint64_atomic_fetch_add(slot[i % SLOTS], 1, pe);
    else
        return 0;
    sink = v;
    (void)sink;
    return 1;
}

int main(int argc, char **argv) {
    shmem_init();
    uint64_t *words = shmem_calloc(SLOTS, sizeof *words);
    for (int i = 0; words && i < SLOTS; i++) slot[i] = words + i;
    int done = words && argc == 3 && count(argv[1], atol(argv[2]), 0);
    if (!done) fprintf(stderr, "usage: count_bench put|p|get|g|fetch_add CALLS\n");
    shmem_free(words);
    shmem_finalize();
    return done ? 0 : 2;
}
