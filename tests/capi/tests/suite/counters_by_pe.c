/* Makes operations on all PEs, counts them by PE and operation itself, and compares this with what the library has
   counted by PE, operation and path. */
#include <inttypes.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>

enum { PUT, GET, ATOMIC, PUT_SIGNAL, KINDS, WORDS = 16, TIMES = 400 };

static const char *const names[KINDS] = { "put", "get", "atomic", "put-signal" };

static int counted(int pe, const char *operation, const char *path, uint64_t number, uint64_t bytes)
{
    uint64_t counts[3] = { 7, 7, 7 };
    int failed = shmemx_counters_get_pe(pe, operation, path, counts);
    if (failed == 0 && counts[0] == number && counts[1] == bytes && (counts[2] > 0) == (number > 0))
        return 1;
    printf("PE %d on PE %d: %s by %s: %d, %" PRIu64 ", %" PRIu64 " bytes, not %" PRIu64 ", %" PRIu64 "\n",
           shmem_my_pe(), pe, operation, path ? path : "all", failed, counts[0], counts[1], number, bytes);
    return 0;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), good = 1;
    long *box = shmem_calloc(WORDS, sizeof *box), words[WORDS] = { 0 };
    uint64_t *signal = shmem_calloc(1, sizeof *signal);
    uint64_t (*own)[KINDS][2] = calloc(n, sizeof *own);
    unsigned random = 12345 + me;
    for (int i = 0; i < TIMES; i++) {
        random = random * 1664525 + 1013904223;
        /* The last PE gets nothing. */
        int pe = (random >> 8) % (n - 1), kind = (random >> 16) % KINDS, length = 1 + (random >> 24) % WORDS;
        switch (kind) {
        case PUT:
            shmem_long_put(box, words, length, pe);
            break;
        case GET:
            shmem_long_get(words, box, length, pe);
            break;
        case ATOMIC:
            length = 1;
            shmem_long_atomic_inc(box, pe);
            break;
        default:
            shmem_long_put_signal(box, words, length, signal, 1, SHMEM_SIGNAL_ADD, pe);
        }
        own[pe][kind][0]++;
        own[pe][kind][1] += length * sizeof *words;
    }
    uint64_t nothing[3];
    for (int pe = 0; pe < n; pe++) {
        int is_near = shmem_ptr(box, pe) != NULL;
        for (int kind = 0; kind < KINDS; kind++) {
            uint64_t number = own[pe][kind][0], bytes = own[pe][kind][1];
            good &= counted(pe, names[kind], NULL, number, bytes);
            good &= counted(pe, names[kind], is_near ? "mapped" : "nic", number, bytes);
            good &= counted(pe, names[kind], is_near ? "nic" : "mapped", 0, 0);
            if (number > 0)
                printf("%d %d %s %s %" PRIu64 " %" PRIu64 "\n", me, pe, names[kind], is_near ? "mapped" : "nic", number,
                       bytes);
        }
        shmem_barrier_all();
        good &= counted(pe, "barrier", NULL, 0, 0);
    }
    /* What does not exist. */
    good &= shmemx_counters_get_pe(n, "put", NULL, nothing) == 1 && shmemx_counters_get_pe(-1, "put", NULL, nothing) == 1;
    good &= shmemx_counters_get_pe(0, "puts", NULL, nothing) == 1 && shmemx_counters_get_pe(0, NULL, NULL, nothing) == 1;
    good &= shmemx_counters_get_pe(0, "put", "pigeon", nothing) == 1 && shmemx_counters_get_pe(0, "put", NULL, NULL) == 1;
    good &= shmemx_counters_get("count", "naps of the proxy", nothing) == 0 && nothing[1] == 0 && nothing[2] == 0;
    good &= shmemx_counters_get("count", "naps", nothing) == 1 && shmemx_counters_get("count", NULL, nothing) == 1;
    printf("PE %d: %s\n", me, good ? "the same" : "others");
    free(own);
    shmem_finalize();
    return 0;
}
