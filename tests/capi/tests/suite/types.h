/* Checks each type of each table; P is the prefix of the form. PE 0 and PE 1 do the same to each other, and PE 0
 * changes the words that both count. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <string.h>

#define CTX_shmem_
#define CTX_shmem_ctx_ SHMEM_CTX_DEFAULT,

static int me, other, wrong;
static void *here, *gpu;
static uint64_t *sig;

static void expect(int holds, const char *what, int line)
{
    if (!holds) {
        printf("PE %d: line %d: %s\n", me, line, what);
        wrong++;
    }
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

static void begin(void)
{
    int provided = -1, major = 0, minor = 0, initialized = 0;
    char name[SHMEM_MAX_NAME_LEN] = "";
    EXPECT(shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) == 0 && provided == SHMEM_THREAD_MULTIPLE);
    shmem_query_thread(&provided);
    shmem_query_initialized(&initialized);
    shmem_info_get_version(&major, &minor);
    shmem_info_get_name(name);
    EXPECT(provided == SHMEM_THREAD_MULTIPLE && initialized);
    EXPECT(major == SHMEM_MAJOR_VERSION && minor == SHMEM_MINOR_VERSION && !strcmp(name, SHMEM_VENDOR_STRING));
    me = shmem_my_pe();
    other = 1 - me;
    here = shmem_align(4096, 4096);
    sig = shmem_calloc(2, sizeof(uint64_t));
    EXPECT((uintptr_t)here % 4096 == 0 && sig[0] == 0 && sig[1] == 0);
    gpu = shmemx_malloc_gpu(4096);
    EXPECT(shmem_pe_accessible(other) && !shmem_pe_accessible(2) && !shmem_pe_accessible(-1));
    EXPECT(shmem_addr_accessible(here, other) && !shmem_addr_accessible(&provided, other));
    EXPECT(shmem_ptr(here, me) == here && shmem_ptr(&provided, other) == NULL);
    EXPECT((shmem_ptr(here, other) != NULL) == (shmem_team_n_pes(SHMEM_TEAM_SHARED) == 2));
}

static int end(void)
{
    printf("%d wrong\n", wrong);
    shmem_free(gpu);
    shmem_free(sig);
    shmem_free(here);
    shmem_finalize();
    return 0;
}

/* memory: symmetric memory of either kind. */
#define RMA(NAME, TYPE, P, FORM)                                                                                       \
    static void rma_in_##FORM##_##NAME(TYPE *memory)                                                                   \
    {                                                                                                                  \
        TYPE source[5] = {(TYPE)(me + 1), (TYPE)2, (TYPE)3, (TYPE)4, (TYPE)5}, dest[5] = {0};                          \
        clear_words(sig);                                                                                              \
        P##NAME##_put(CTX_##P memory, source, 5, other);                                                               \
        shmem_barrier_all();                                                                                           \
        P##NAME##_get(CTX_##P dest, memory, 5, me);                                                                    \
        EXPECT(dest[0] == (TYPE)(other + 1) && dest[4] == (TYPE)5);                                                    \
        P##NAME##_get_nbi(CTX_##P dest, memory, 5, other);                                                             \
        shmem_quiet();                                                                                                 \
        EXPECT(dest[0] == (TYPE)(me + 1) && dest[3] == (TYPE)4);                                                       \
        EXPECT(P##NAME##_g(CTX_##P memory + 2, other) == (TYPE)3);                                                     \
        shmem_barrier_all();                                                                                           \
        P##NAME##_p(CTX_##P memory + 1, (TYPE)(me + 7), other);                                                        \
        P##NAME##_put_nbi(CTX_##P memory + 3, source, 1, other);                                                       \
        shmem_barrier_all();                                                                                           \
        EXPECT(P##NAME##_g(CTX_##P memory + 1, me) == (TYPE)(other + 7));                                              \
        EXPECT(P##NAME##_g(CTX_##P memory + 3, me) == (TYPE)(other + 1));                                              \
        EXPECT(P##NAME##_g(CTX_##P memory + 4, me) == (TYPE)5);                                                        \
        shmem_barrier_all();                                                                                           \
        P##NAME##_put_signal(CTX_##P memory, source + 1, 2, sig, 5, SHMEM_SIGNAL_SET, other);                          \
        EXPECT(shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 5) == 5);                                                    \
        EXPECT(P##NAME##_g(CTX_##P memory, me) == (TYPE)2 && P##NAME##_g(CTX_##P memory + 1, me) == (TYPE)3);          \
        P##NAME##_put_signal_nbi(CTX_##P memory + 2, source + 4, 1, sig + 1, 3, SHMEM_SIGNAL_ADD, other);              \
        EXPECT(shmem_signal_wait_until(sig + 1, SHMEM_CMP_GE, 3) == 3);                                                \
        EXPECT(P##NAME##_g(CTX_##P memory + 2, me) == (TYPE)5);                                                        \
        shmem_barrier_all();                                                                                           \
        P##NAME##_iput(CTX_##P memory, source, 2, 1, 3, other);                                                        \
        P##NAME##_ibput(CTX_##P memory + 5, source, 3, 2, 2, 2, other);                                                \
        shmem_barrier_all();                                                                                           \
        EXPECT(shmem_##NAME##_g(memory, me) == (TYPE)(other + 1) && shmem_##NAME##_g(memory + 2, me) == (TYPE)2);      \
        EXPECT(shmem_##NAME##_g(memory + 4, me) == (TYPE)3 && shmem_##NAME##_g(memory + 5, me) == (TYPE)(other + 1));  \
        EXPECT(shmem_##NAME##_g(memory + 6, me) == (TYPE)2 && shmem_##NAME##_g(memory + 8, me) == (TYPE)3);            \
        EXPECT(shmem_##NAME##_g(memory + 9, me) == (TYPE)4 && shmem_##NAME##_g(memory + 1, me) == (TYPE)3);            \
        P##NAME##_iget(CTX_##P dest, memory, 1, 2, 3, other);                                                          \
        EXPECT(dest[0] == (TYPE)(me + 1) && dest[1] == (TYPE)2 && dest[2] == (TYPE)3);                                 \
        P##NAME##_ibget(CTX_##P dest + 1, memory + 5, 2, 3, 2, 2, other);                                              \
        EXPECT(dest[1] == (TYPE)(me + 1) && dest[2] == (TYPE)2 && dest[3] == (TYPE)3 && dest[4] == (TYPE)4);           \
        shmem_barrier_all();                                                                                           \
    }                                                                                                                  \
    static void rma_##FORM##_##NAME(void)                                                                              \
    {                                                                                                                  \
        rma_in_##FORM##_##NAME(here);                                                                                  \
        if (gpu)                                                                                                       \
            rma_in_##FORM##_##NAME(gpu);                                                                               \
    }

static void clear_words(uint64_t *words)
{
    words[0] = words[1] = 0;
    shmem_sync_all();
}

/* PE 0 changes its own words and those of PE 1, which waits for the last one. */
#define AMO(NAME, TYPE, P, FORM)                                                                                       \
    static void amo_##FORM##_##NAME(void)                                                                              \
    {                                                                                                                  \
        TYPE *w = here;                                                                                                \
        w[0] = w[1] = w[2] = 0;                                                                                        \
        shmem_barrier_all();                                                                                           \
        P##NAME##_atomic_add(CTX_##P w, (TYPE)5, 0);                                                                   \
        P##NAME##_atomic_inc(CTX_##P w, 0);                                                                            \
        shmem_barrier_all();                                                                                           \
        EXPECT(P##NAME##_atomic_fetch(CTX_##P w, 0) == 12);                                                            \
        shmem_barrier_all();                                                                                           \
        if (me == 0) {                                                                                                 \
            EXPECT(P##NAME##_atomic_fetch_add(CTX_##P w, (TYPE)-1, 0) == 12);                                          \
            EXPECT(P##NAME##_atomic_fetch_inc(CTX_##P w, 0) == 11 && w[0] == 12);                                      \
            EXPECT(P##NAME##_atomic_compare_swap(CTX_##P w, 1, 2, 0) == 12 && w[0] == 12);                             \
            EXPECT(P##NAME##_atomic_compare_swap(CTX_##P w, 12, 2, 0) == 12 && w[0] == 2);                             \
            TYPE f[4] = {0};                                                                                           \
            P##NAME##_atomic_fetch_add_nbi(CTX_##P f, w, (TYPE)3, 0);                                                  \
            P##NAME##_atomic_fetch_inc_nbi(CTX_##P f + 1, w, 0);                                                       \
            P##NAME##_atomic_compare_swap_nbi(CTX_##P f + 2, w, (TYPE)6, (TYPE)9, 0);                                  \
            P##NAME##_atomic_compare_swap_nbi(CTX_##P f + 3, w, (TYPE)6, (TYPE)1, 0);                                  \
            shmem_quiet();                                                                                             \
            EXPECT(f[0] == 2 && f[1] == 5 && f[2] == 6 && f[3] == 9 && w[0] == 9);                                     \
            P##NAME##_p(CTX_##P w + 1, (TYPE)9, 1);                                                                    \
            shmem_fence();                                                                                             \
            P##NAME##_p(CTX_##P w + 2, (TYPE)1, 1);                                                                    \
        } else {                                                                                                       \
            shmem_##NAME##_wait_until(w + 2, SHMEM_CMP_GT, 0);                                                         \
            EXPECT(w[1] == 9 && shmem_##NAME##_test(w + 2, SHMEM_CMP_EQ, 1) && !shmem_##NAME##_test(w, SHMEM_CMP_NE, 0));\
            EXPECT(shmem_##NAME##_test(w + 1, SHMEM_CMP_LE, 9) && !shmem_##NAME##_test(w + 1, SHMEM_CMP_LT, 9));       \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
    }

#define EXTENDED(NAME, TYPE, P, FORM)                                                                                  \
    static void extended_##FORM##_##NAME(void)                                                                         \
    {                                                                                                                  \
        TYPE *w = here;                                                                                                \
        shmem_barrier_all();                                                                                           \
        P##NAME##_atomic_set(CTX_##P w, (TYPE)(me + 3), other);                                                        \
        shmem_barrier_all();                                                                                           \
        EXPECT(P##NAME##_atomic_fetch(CTX_##P w, me) == (TYPE)(other + 3));                                            \
        EXPECT(P##NAME##_atomic_swap(CTX_##P w, (TYPE)8, me) == (TYPE)(other + 3) && w[0] == (TYPE)8);                 \
        TYPE f[2] = {0};                                                                                               \
        P##NAME##_atomic_fetch_nbi(CTX_##P f, w, me);                                                                  \
        P##NAME##_atomic_swap_nbi(CTX_##P f + 1, w, (TYPE)4, me);                                                      \
        shmem_quiet();                                                                                                 \
        EXPECT(f[0] == (TYPE)8 && f[1] == (TYPE)8 && w[0] == (TYPE)4);                                                 \
        shmem_barrier_all();                                                                                           \
    }

#define BITWISE(NAME, TYPE, P, FORM)                                                                                   \
    static void bitwise_##FORM##_##NAME(void)                                                                          \
    {                                                                                                                  \
        TYPE *w = here;                                                                                                \
        w[0] = 0x0f;                                                                                                   \
        shmem_barrier_all();                                                                                           \
        EXPECT(P##NAME##_atomic_fetch_or(CTX_##P w, 0x30, other) == 0x0f);                                             \
        EXPECT(P##NAME##_atomic_fetch_and(CTX_##P w, 0x1f, other) == 0x3f);                                            \
        EXPECT(P##NAME##_atomic_fetch_xor(CTX_##P w, 0x11, other) == 0x1f);                                            \
        P##NAME##_atomic_or(CTX_##P w, 0x10, other);                                                                   \
        P##NAME##_atomic_and(CTX_##P w, 0x16, other);                                                                  \
        P##NAME##_atomic_xor(CTX_##P w, 0x02, other);                                                                  \
        shmem_barrier_all();                                                                                           \
        EXPECT(w[0] == 0x14);                                                                                          \
        shmem_barrier_all();                                                                                           \
        TYPE f[3] = {0};                                                                                               \
        P##NAME##_atomic_fetch_or_nbi(CTX_##P f, w, 0x03, other);                                                      \
        P##NAME##_atomic_fetch_and_nbi(CTX_##P f + 1, w, 0x13, other);                                                 \
        P##NAME##_atomic_fetch_xor_nbi(CTX_##P f + 2, w, 0x30, other);                                                 \
        shmem_barrier_all();                                                                                           \
        EXPECT(f[0] == 0x14 && f[1] == 0x17 && f[2] == 0x13 && w[0] == 0x23);                                          \
        shmem_barrier_all();                                                                                           \
    }

#define SIZE(BITS, P)                                                                                                  \
    clear_words(sig);                                                                                                  \
    memset(here, 0, 64);                                                                                               \
    shmem_barrier_all();                                                                                               \
    P##put##BITS(CTX_##P here, bytes, 1, other);                                                                       \
    P##put##BITS##_nbi(CTX_##P (char *)here + 16, bytes, 1, other);                                                    \
    P##put##BITS##_signal(CTX_##P (char *)here + 32, bytes, 1, sig, 1, SHMEM_SIGNAL_ADD, other);                       \
    P##put##BITS##_signal_nbi(CTX_##P (char *)here + 48, bytes, 1, sig, 1, SHMEM_SIGNAL_ADD, other);                   \
    shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 2);                                                                     \
    shmem_barrier_all();                                                                                               \
    for (int i = 0; i < 4; i++) {                                                                                      \
        EXPECT(!memcmp((char *)here + 16 * i, bytes, BITS / 8));                                                       \
        EXPECT(BITS == 128 || ((char *)here)[16 * i + BITS / 8] == 0);                                                 \
    }                                                                                                                  \
    memset(back, 0, 32);                                                                                               \
    P##get##BITS(CTX_##P back, here, 1, other);                                                                        \
    P##get##BITS##_nbi(CTX_##P back + 16, here, 1, other);                                                             \
    shmem_quiet();                                                                                                     \
    EXPECT(!memcmp(back, bytes, BITS / 8) && !memcmp(back + 16, bytes, BITS / 8));                                     \
    EXPECT(BITS == 128 || back[BITS / 8] == 0);                                                                        \
    shmem_barrier_all();

static void sizes(void)
{
    char bytes[] = "abcdefghijklmnop", back[32];
    SIZE(8, shmem_) SIZE(16, shmem_) SIZE(32, shmem_) SIZE(64, shmem_) SIZE(128, shmem_)
    SIZE(8, shmem_ctx_) SIZE(16, shmem_ctx_) SIZE(32, shmem_ctx_) SIZE(64, shmem_ctx_) SIZE(128, shmem_ctx_)
    clear_words(sig);
    shmem_putmem(here, bytes, 3, other);
    shmem_putmem_nbi((char *)here + 3, bytes + 3, 3, other);
    shmem_putmem_signal((char *)here + 6, bytes + 6, 3, sig, 1, SHMEM_SIGNAL_ADD, other);
    shmem_putmem_signal_nbi((char *)here + 9, bytes + 9, 4, sig, 1, SHMEM_SIGNAL_ADD, other);
    shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 2);
    shmem_barrier_all();
    shmem_getmem(back, here, 7, other);
    shmem_getmem_nbi(back + 7, (char *)here + 7, 6, other);
    shmem_quiet();
    EXPECT(!memcmp(back, bytes, 13) && !memcmp(here, bytes, 13));
    shmem_signal_set(sig + 1, 40, other);
    shmem_signal_add(sig + 1, 2, other);
    shmem_barrier_all();
    EXPECT(shmem_signal_fetch(sig + 1) == 42);
    shmem_putmem(NULL, NULL, 0, other);
    if (gpu) {
        ((long *)here)[0] = 40;
        shmem_long_atomic_fetch_add_nbi(gpu, here, 2, me);
        shmem_quiet();
        EXPECT(((long *)here)[0] == 42 && shmem_long_g(gpu, me) == 40);
    }
    EXPECT(shmem_malloc(0) == NULL);
}
