/* Annex F: deprecated names, which still work as before. */
#include <mpp/shmem.h>
#include <mpp/shmemx.h> /* F-3 */
#include "check.h"

static int *word;

/* Each PE uses the word on its right neighbour alone. */
#define OLD_AMO(NAME, TYPE)                                                                                            \
    {                                                                                                                  \
        TYPE *words = (TYPE *)(void *)symmetric;                                                                       \
        routine = "old atomics of " #NAME;                                                                             \
        *words = 1;                                                                                                    \
        shmem_barrier_all();                                                                                           \
        SAME(shmem_##NAME##_finc(words, right), 1);                                                                    \
        shmem_##NAME##_inc(words, right);                                                                              \
        SAME(shmem_##NAME##_fadd(words, 10, right), 3);                                                                \
        shmem_##NAME##_add(words, 20, right);                                                                          \
        SAME(shmem_##NAME##_cswap(words, 33, 40, right), 33); /* F-1 */                                                \
        SAME(shmem_##NAME##_cswap(words, 33, 50, right), 40);                                                          \
        SAME(shmem_##NAME##_fetch(words, right), 40);                                                                  \
        shmem_barrier_all();                                                                                           \
    }
#define OLD_SWAP(NAME, TYPE)                                                                                           \
    {                                                                                                                  \
        TYPE *words = (TYPE *)(void *)symmetric;                                                                       \
        routine = "old swaps of " #NAME;                                                                               \
        *words = 1;                                                                                                    \
        shmem_barrier_all();                                                                                           \
        SAME(shmem_##NAME##_swap(words, 5, right), 1);                                                                 \
        shmem_##NAME##_set(words, 6, right);                                                                           \
        SAME(shmem_##NAME##_fetch(words, right), 6);                                                                   \
        shmem_barrier_all();                                                                                           \
    }
/* Waits until the word differs from its old value. */
#define OLD_WAIT(NAME, TYPE)                                                                                           \
    {                                                                                                                  \
        TYPE *words = (TYPE *)(void *)symmetric;                                                                       \
        routine = "old waits of " #NAME;                                                                               \
        *words = 3;                                                                                                    \
        shmem_barrier_all();                                                                                           \
        shmem_##NAME##_p(words, 4, right);                                                                             \
        shmem_##NAME##_wait(words, 3);                                                                                 \
        SAME(*words, 4);                                                                                               \
        shmem_barrier_all();                                                                                           \
    }

int main(void)
{
    start_pes(0);
    /* The second call does nothing. */ /* 9.1.13-1 */
    start_pes(0);
    me = _my_pe();
    npes = _num_pes();
    SAME(shmem_my_pe(), me);
    SAME(shmem_n_pes(), npes);
    int right = (me + 1) % npes;

    routine = "old allocation";
    char *symmetric = (char *)shmalloc(100);
    CHECK(symmetric != NULL);
    memset(symmetric, me + 1, 100);
    symmetric = (char *)shrealloc(symmetric, 100000);
    CHECK(symmetric != NULL && symmetric[0] == me + 1 && symmetric[99] == me + 1);
    word = (int *)shmemalign(256, sizeof *word);
    CHECK(word != NULL && (uintptr_t)word % 256 == 0);
    shfree(word);

    OLD_AMO(int, int)
    OLD_AMO(long, long)
    OLD_AMO(longlong, long long)
    OLD_SWAP(int, int)
    OLD_SWAP(long, long)
    OLD_SWAP(longlong, long long)
    OLD_SWAP(float, float)
    OLD_SWAP(double, double)
    OLD_WAIT(short, short)
    OLD_WAIT(int, int)
    OLD_WAIT(long, long)
    OLD_WAIT(longlong, long long)

    routine = "shmem_wait and shmem_wait_until";
    long *longs = (long *)(void *)symmetric;
    longs[0] = longs[1] = 0;
    shmem_barrier_all();
    shmem_long_p(longs, 1, right);
    shmem_wait(longs, 0);
    SAME(*longs, 1);
    shmem_long_p(longs + 1, 9, right);
    shmem_wait_until(longs + 1, _SHMEM_CMP_GE, 9);
    SAME(longs[1], 9);
    shmem_barrier_all();

    routine = "old constants";
    CHECK(_SHMEM_SYNC_VALUE == SHMEM_SYNC_VALUE && _SHMEM_REDUCE_SYNC_SIZE == SHMEM_REDUCE_SYNC_SIZE); /* F-2 */
    CHECK(_SHMEM_BARRIER_SYNC_SIZE == SHMEM_BARRIER_SYNC_SIZE && _SHMEM_BCAST_SYNC_SIZE == SHMEM_BCAST_SYNC_SIZE);
    CHECK(_SHMEM_COLLECT_SYNC_SIZE == SHMEM_COLLECT_SYNC_SIZE);
    CHECK(_SHMEM_REDUCE_MIN_WRKDATA_SIZE == SHMEM_REDUCE_MIN_WRKDATA_SIZE);
    CHECK(_SHMEM_CMP_EQ == SHMEM_CMP_EQ && _SHMEM_CMP_NE == SHMEM_CMP_NE && _SHMEM_CMP_GT == SHMEM_CMP_GT);
    CHECK(_SHMEM_CMP_LE == SHMEM_CMP_LE && _SHMEM_CMP_LT == SHMEM_CMP_LT && _SHMEM_CMP_GE == SHMEM_CMP_GE);
    shfree(symmetric);
    /* Without a call that leaves the job: the end of `main` does. */
    routine = "";
    printf("%lu checks\n", checks); /* F-4 */
    return 0;
}
