/* Checks for each type of each table. PE 0 and PE 1 do the same to each other, and PE 0 changes what both count. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <string.h>

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
    EXPECT(shmem_addr_accessible(here, other) && !shmem_addr_accessible(&me, other));
    EXPECT(shmem_ptr(here, me) == here && shmem_ptr(here, other) != NULL && shmem_ptr(&me, other) == NULL);
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
#define RMA(NAME, TYPE)                                                                                                \
    static void rma_in_##NAME(TYPE *memory)                                                                            \
    {                                                                                                                  \
        TYPE source[5] = {(TYPE)(me + 1), (TYPE)2, (TYPE)3, (TYPE)4, (TYPE)5}, dest[5] = {0};                          \
        clear_words(sig);                                                                                         \
        shmem_##NAME##_put(memory, source, 5, other);                                                                  \
        shmem_barrier_all();                                                                                           \
        shmem_##NAME##_get(dest, memory, 5, me);                                                                       \
        EXPECT(dest[0] == (TYPE)(other + 1) && dest[4] == (TYPE)5);                                                    \
        shmem_##NAME##_get_nbi(dest, memory, 5, other);                                                                \
        shmem_quiet();                                                                                                 \
        EXPECT(dest[0] == (TYPE)(me + 1) && dest[3] == (TYPE)4);                                                       \
        EXPECT(shmem_##NAME##_g(memory + 2, other) == (TYPE)3);                                                        \
        shmem_barrier_all();                                                                                           \
        shmem_##NAME##_p(memory + 1, (TYPE)(me + 7), other);                                                           \
        shmem_##NAME##_put_nbi(memory + 3, source, 1, other);                                                          \
        shmem_barrier_all();                                                                                           \
        EXPECT(shmem_##NAME##_g(memory + 1, me) == (TYPE)(other + 7));                                                 \
        EXPECT(shmem_##NAME##_g(memory + 3, me) == (TYPE)(other + 1));                                                 \
        EXPECT(shmem_##NAME##_g(memory + 4, me) == (TYPE)5);                                                           \
        shmem_barrier_all();                                                                                           \
        shmem_##NAME##_put_signal(memory, source + 1, 2, sig, 5, SHMEM_SIGNAL_SET, other);                             \
        EXPECT(shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 5) == 5);                                                    \
        EXPECT(shmem_##NAME##_g(memory, me) == (TYPE)2 && shmem_##NAME##_g(memory + 1, me) == (TYPE)3);                \
        shmem_##NAME##_put_signal_nbi(memory + 2, source + 4, 1, sig + 1, 3, SHMEM_SIGNAL_ADD, other);                 \
        EXPECT(shmem_signal_wait_until(sig + 1, SHMEM_CMP_GE, 3) == 3);                                                \
        EXPECT(shmem_##NAME##_g(memory + 2, me) == (TYPE)5);                                                           \
        shmem_barrier_all();                                                                                           \
    }                                                                                                                  \
    static void rma_##NAME(void)                                                                                       \
    {                                                                                                                  \
        rma_in_##NAME(here);                                                                                           \
        if (gpu)                                                                                                       \
            rma_in_##NAME(gpu);                                                                                        \
    }

static void clear_words(uint64_t *words)
{
    words[0] = words[1] = 0;
    shmem_sync_all();
}

/* PE 0 changes its own words and those of PE 1, which waits for the last one. */
#define AMO(NAME, TYPE)                                                                                                \
    static void amo_##NAME(void)                                                                                       \
    {                                                                                                                  \
        TYPE *w = here;                                                                                                \
        w[0] = w[1] = w[2] = 0;                                                                                        \
        shmem_barrier_all();                                                                                           \
        shmem_##NAME##_atomic_add(w, (TYPE)5, 0);                                                                      \
        shmem_##NAME##_atomic_inc(w, 0);                                                                               \
        shmem_barrier_all();                                                                                           \
        EXPECT(shmem_##NAME##_atomic_fetch(w, 0) == 12);                                                               \
        shmem_barrier_all();                                                                                           \
        if (me == 0) {                                                                                                 \
            EXPECT(shmem_##NAME##_atomic_fetch_add(w, (TYPE)-1, 0) == 12);                                             \
            EXPECT(shmem_##NAME##_atomic_fetch_inc(w, 0) == 11 && w[0] == 12);                                         \
            EXPECT(shmem_##NAME##_atomic_compare_swap(w, 1, 2, 0) == 12 && w[0] == 12);                                \
            EXPECT(shmem_##NAME##_atomic_compare_swap(w, 12, 2, 0) == 12 && w[0] == 2);                                \
            shmem_##NAME##_p(w + 1, (TYPE)9, 1);                                                                       \
            shmem_fence();                                                                                             \
            shmem_##NAME##_p(w + 2, (TYPE)1, 1);                                                                       \
        } else {                                                                                                       \
            shmem_##NAME##_wait_until(w + 2, SHMEM_CMP_GT, 0);                                                         \
            EXPECT(w[1] == 9 && shmem_##NAME##_test(w + 2, SHMEM_CMP_EQ, 1) && !shmem_##NAME##_test(w, SHMEM_CMP_NE, 0)); \
            EXPECT(shmem_##NAME##_test(w + 1, SHMEM_CMP_LE, 9) && !shmem_##NAME##_test(w + 1, SHMEM_CMP_LT, 9));       \
        }                                                                                                              \
        shmem_barrier_all();                                                                                           \
    }

#define EXTENDED(NAME, TYPE)                                                                                           \
    static void extended_##NAME(void)                                                                                  \
    {                                                                                                                  \
        TYPE *w = here;                                                                                                \
        shmem_barrier_all();                                                                                           \
        shmem_##NAME##_atomic_set(w, (TYPE)(me + 3), other);                                                           \
        shmem_barrier_all();                                                                                           \
        EXPECT(shmem_##NAME##_atomic_fetch(w, me) == (TYPE)(other + 3));                                               \
        EXPECT(shmem_##NAME##_atomic_swap(w, (TYPE)8, me) == (TYPE)(other + 3) && w[0] == (TYPE)8);                    \
        shmem_barrier_all();                                                                                           \
    }

#define BITWISE(NAME, TYPE)                                                                                            \
    static void bitwise_##NAME(void)                                                                                   \
    {                                                                                                                  \
        TYPE *w = here;                                                                                                \
        w[0] = 0x0f;                                                                                                   \
        shmem_barrier_all();                                                                                           \
        EXPECT(shmem_##NAME##_atomic_fetch_or(w, 0x30, other) == 0x0f);                                                \
        EXPECT(shmem_##NAME##_atomic_fetch_and(w, 0x1f, other) == 0x3f);                                               \
        EXPECT(shmem_##NAME##_atomic_fetch_xor(w, 0x11, other) == 0x1f);                                               \
        shmem_##NAME##_atomic_or(w, 0x10, other);                                                                      \
        shmem_##NAME##_atomic_and(w, 0x16, other);                                                                     \
        shmem_##NAME##_atomic_xor(w, 0x02, other);                                                                     \
        shmem_barrier_all();                                                                                           \
        EXPECT(w[0] == 0x14);                                                                                          \
        shmem_barrier_all();                                                                                           \
    }

#define SIZE(BITS)                                                                                                     \
    clear_words(sig);                                                                                             \
    memset(here, 0, 64);                                                                                               \
    shmem_barrier_all();                                                                                               \
    shmem_put##BITS(here, bytes, 1, other);                                                                            \
    shmem_put##BITS##_nbi((char *)here + 16, bytes, 1, other);                                                         \
    shmem_put##BITS##_signal((char *)here + 32, bytes, 1, sig, 1, SHMEM_SIGNAL_ADD, other);                            \
    shmem_put##BITS##_signal_nbi((char *)here + 48, bytes, 1, sig, 1, SHMEM_SIGNAL_ADD, other);                        \
    shmem_signal_wait_until(sig, SHMEM_CMP_EQ, 2);                                                                     \
    shmem_barrier_all();                                                                                               \
    for (int i = 0; i < 4; i++) {                                                                                      \
        EXPECT(!memcmp((char *)here + 16 * i, bytes, BITS / 8));                                                       \
        EXPECT(BITS == 128 || ((char *)here)[16 * i + BITS / 8] == 0);                                                 \
    }                                                                                                                  \
    memset(back, 0, 32);                                                                                               \
    shmem_get##BITS(back, here, 1, other);                                                                             \
    shmem_get##BITS##_nbi(back + 16, here, 1, other);                                                                  \
    shmem_quiet();                                                                                                     \
    EXPECT(!memcmp(back, bytes, BITS / 8) && !memcmp(back + 16, bytes, BITS / 8));                                     \
    EXPECT(BITS == 128 || back[BITS / 8] == 0);                                                                        \
    shmem_barrier_all();

static void sizes(void)
{
    char bytes[] = "abcdefghijklmnop", back[32];
    SIZE(8) SIZE(16) SIZE(32) SIZE(64) SIZE(128)
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
    EXPECT(shmem_malloc(0) == NULL);
}
