/* 9.1 Setup, exit and query: joining and leaving, the PE numbers, what can be reached. */
#include "check.h"
#include <time.h>

static int initialized(void)
{
    int answer = -1;
    shmem_query_initialized(&answer);
    return answer != 0;
}

static void who(void)
{
    routine = "numbers of PEs";
    CHECK(me >= 0 && me < npes && npes >= 1); /* 9.1.2-1 */
    long *here = (long *)shmem_calloc(MAX_PES, sizeof *here);
    for (int pe = 0; pe < npes; pe++)
        shmem_long_atomic_inc(here + me, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        SAME(here[pe], 1);
    SAME(shmem_my_pe(), me);
    SAME(shmem_n_pes(), npes); /* 9.1.3-1 */
    shmem_free(here);
}

static void accessible(void)
{
    enum { N = 1000 };
    long private_word = 0, *words = (long *)shmem_malloc(N * sizeof *words), *heap = (long *)malloc(sizeof *heap);
    routine = "accessibility";
    for (int pe = 0; pe < npes; pe++) {
        SAME(shmem_pe_accessible(pe), 1); /* 9.1.7-1 */
        SAME(shmem_addr_accessible(words, pe), 1);
        SAME(shmem_addr_accessible(words + N - 1, pe), 1); /* 9.1.8-1 */
        SAME(shmem_addr_accessible(&private_word, pe), 0); /* 3-4 */
        SAME(shmem_addr_accessible(heap, pe), 0); /* 9.1.8-2 */
        CHECK(shmem_ptr(&private_word, pe) == NULL && shmem_ptr(heap, pe) == NULL); /* 9.1.9-3 */
        CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, words, pe) == shmem_ptr(words, pe));
    }
    SAME(shmem_pe_accessible(npes), 0);
    SAME(shmem_pe_accessible(-1), 0); /* 9.1.7-2 */
    SAME(shmem_addr_accessible(words, npes), 0);
    SAME(shmem_addr_accessible(NULL, 0), 0); /* 9.1.8-3 */
    CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, words, 0) == NULL); /* 9.1.10-2 */

    routine = "shmem_ptr";
    for (int i = 0; i < N; i++)
        words[i] = VALUE(long, me, 0, i);
    shmem_barrier_all();
    for (int k = 0; k < npes; k++) {
        /* The library promises this, not the specification: PEs of one node reach each other with loads and stores. */
        long *theirs = (long *)shmem_ptr(words, k);
        if (shmem_team_translate_pe(SHMEM_TEAM_WORLD, k, SHMEM_TEAM_SHARED) < 0) {
            CHECK(theirs == NULL);
            shmem_barrier_all();
            shmem_long_p(words + me, VALUE(long, me, k, 7), k);
            shmem_barrier_all();
            continue;
        }
        CHECK(theirs != NULL && (k != me || theirs == words)); /* 9.1.9-2 */
        SAME(theirs[N - 1], VALUE(long, k, 0, N - 1)); /* 9.1.9-1 */
        CHECK(shmem_ptr(words + 10, k) == theirs + 10);
        shmem_barrier_all();
        theirs[me] = VALUE(long, me, k, 7); /* 3.1-2 */
        shmem_barrier_all();
    }
    for (int pe = 0; pe < npes; pe++)
        SAME(words[pe], VALUE(long, pe, me, 7));
    shmem_barrier_all();

    routine = "shmem_team_ptr";
    shmem_team_t reversed = SHMEM_TEAM_INVALID;
    SAME(shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, npes > 1 ? -1 : 1, npes, NULL, 0, &reversed), 0);
    for (int pe = 0; pe < npes; pe++)
        CHECK(shmem_team_ptr(reversed, words, pe) == shmem_ptr(words, npes - 1 - pe)); /* 9.1.10-1 */
    shmem_team_destroy(reversed);
    free(heap);
    shmem_free(words);
}

static void version(void)
{
    int major = -1, minor = -1;
    char name[SHMEM_MAX_NAME_LEN];
    routine = "version and name";
    memset(name, GUARD, sizeof name);
    shmem_info_get_version(&major, &minor);
    shmem_info_get_name(name);
    CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION && major == 1 && minor == 6); /* 6-3 9.1.11-1 */
    shmem_pcontrol(0);
    shmem_pcontrol(1);
    shmem_pcontrol(3, 4, "a profiler's", 5.0);
    /* 10.1.1-1 */
    CHECK(memchr(name, 0, sizeof name) != NULL && strcmp(name, SHMEM_VENDOR_STRING) == 0 && *name); /* 6-4 9.1.12-1 */
}

int main(void)
{
    CHECK(!initialized()); /* 9.1.5-1 */
    begin(); /* 9.1.5-2 */
    CHECK(initialized());
    who();
    accessible();
    version();

    /* Each call that joins is matched by one that leaves; the last of them leaves. */
    routine = "joining again";
    long *kept = (long *)shmem_calloc(1, sizeof *kept);
    int provided = -1;
    shmem_init();
    CHECK(initialized() && shmem_my_pe() == me); /* 9.1.1-1 */
    CHECK(shmem_init_thread(SHMEM_THREAD_SINGLE, &provided) == 0 && provided >= SHMEM_THREAD_SINGLE); /* 9.1.1-3 */
    shmem_finalize();
    if (me == 0)
        for (clock_t end = clock() + CLOCKS_PER_SEC / 20; clock() < end;)
            ;
    shmem_long_atomic_inc(kept, npes - 1);
    /* "All other calls to shmem_finalize perform an operation semantically equivalent to shmem_barrier_all." */
    shmem_finalize(); /* 9.1.4-2 */
    CHECK(initialized());
    if (me == npes - 1)
        SAME(*kept, npes); /* 9.1.4-1 */
    shmem_free(kept);

    /* What a PE sent arrives although it is in its last shmem_finalize, which waits for the others. */
    routine = "a put, then the last shmem_finalize";
    static long box, one = 1;
    if (me > 0)
        shmem_long_wait_until(&box, SHMEM_CMP_EQ, 1);
    SAME(box, me > 0); /* 4.1-1 9.1.4-4 */
    if (me + 1 < npes)
        shmem_long_put_nbi(&box, &one, 1, me + 1);
    shmem_finalize();
    CHECK(!initialized()); /* 9.1.4-3 */
    printf("%lu checks\n", checks);
    return 0;
}
