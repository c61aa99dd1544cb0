/* Posts more puts than a lane of the network holds or, with an argument, than one of a copy engine, and prints what was
   tried again. */
#include <inttypes.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>

enum { TIMES = 5000, WORDS = 1024, GPU_WORDS = 64 * 1024 };

int main(int argc, char **argv)
{
    (void)argv;
    static const char *const names[] = { "network operations", "posts to full network lanes", "posts to full copy lanes" };
    shmem_init();
    int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    long *box = shmem_calloc(WORDS, sizeof *box);
    static long words[WORDS];
    for (int i = 0; i < TIMES; i++)
        shmem_long_put_nbi(box, words, WORDS, next);
    if (argc > 1) {
        long *of_gpu = shmemx_malloc_gpu(2 * GPU_WORDS * sizeof *of_gpu);
        for (int i = 0; i < TIMES; i++)
            shmem_long_put_nbi(of_gpu, of_gpu + GPU_WORDS, GPU_WORDS, me);
    }
    shmem_quiet();
    for (int i = 0; i < 3; i++) {
        uint64_t counts[3] = { 0 };
        if (shmemx_counters_get("count", names[i], counts) != 0)
            return 1;
        printf("PE %d: %s: %s\n", me, names[i], counts[0] > 0 ? "some" : "none");
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
