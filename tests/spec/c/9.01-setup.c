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
    CHECK(me >= 0 && me < npes && npes >= 1);
    long *here = (long *)shmem_calloc(MAX_PES, sizeof *here);
    for (int pe = 0; pe < npes; pe++)
        shmem_long_atomic_inc(here + me, pe);
    shmem_barrier_all();
    for (int pe = 0; pe < npes; pe++)
        SAME(here[pe], 1);
    SAME(shmem_my_pe(), me);
    SAME(shmem_n_pes(), npes);
    shmem_free(here);
}

static void accessible(void)
{
    enum { N = 1000 };
    long private_word = 0, *words = (long *)shmem_malloc(N * sizeof *words), *heap = (long *)malloc(sizeof *heap);
    routine = "accessibility";
    for (int pe = 0; pe < npes; pe++) {
        SAME(shmem_pe_accessible(pe), 1);
        SAME(shmem_addr_accessible(words, pe), 1);
        SAME(shmem_addr_accessible(words + N - 1, pe), 1);
        SAME(shmem_addr_accessible(&private_word, pe), 0);
        SAME(shmem_addr_accessible(heap, pe), 0);
        CHECK(shmem_ptr(&private_word, pe) == NULL && shmem_ptr(heap, pe) == NULL);
        CHECK(shmem_team_ptr(SHMEM_TEAM_WORLD, words, pe) == shmem_ptr(words, pe));
    }
    SAME(shmem_pe_accessible(npes), 0);
    SAME(shmem_pe_accessible(-1), 0);
    CHECK(shmem_team_ptr(SHMEM_TEAM_INVALID, words, 0) == NULL);

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
        CHECK(theirs != NULL && (k != me || theirs == words));
        SAME(theirs[N - 1], VALUE(long, k, 0, N - 1));
        CHECK(shmem_ptr(words + 10, k) == theirs + 10);
        shmem_barrier_all();
        theirs[me] = VALUE(long, me, k, 7);
        shmem_barrier_all();
    }
    for (int pe = 0; pe < npes; pe++)
        SAME(words[pe], VALUE(long, pe, me, 7));
    shmem_barrier_all();

    routine = "shmem_team_ptr";
    shmem_team_t reversed = SHMEM_TEAM_INVALID;
    SAME(shmem_team_split_strided(SHMEM_TEAM_WORLD, npes - 1, npes > 1 ? -1 : 1, npes, NULL, 0, &reversed), 0);
    for (int pe = 0; pe < npes; pe++)
        CHECK(shmem_team_ptr(reversed, words, pe) == shmem_ptr(words, npes - 1 - pe));
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
    CHECK(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION && major == 1 && minor == 6);
    CHECK(memchr(name, 0, sizeof name) != NULL && strcmp(name, SHMEM_VENDOR_STRING) == 0 && *name);
}

int main(void)
{
    CHECK(!initialized());
    begin();
    CHECK(initialized());
    who();
    accessible();
    version();

    /* Each call that joins is matched by one that leaves; the last of them leaves. */
    routine = "joining again";
    long *kept = (long *)shmem_calloc(1, sizeof *kept);
    shmem_init();
    CHECK(initialized() && shmem_my_pe() == me);
    if (me == 0)
        for (clock_t end = clock() + CLOCKS_PER_SEC / 20; clock() < end;)
            ;
    shmem_long_atomic_inc(kept, npes - 1);
    /* "All other calls to shmem_finalize perform an operation semantically equivalent to shmem_barrier_all." */
    shmem_finalize();
    CHECK(initialized());
    if (me == npes - 1)
        SAME(*kept, npes);
    shmem_free(kept);
    shmem_finalize();
    CHECK(!initialized());
    printf("%lu checks\n", checks);
    return 0;
}
