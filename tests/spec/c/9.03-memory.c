/* 9.3 Memory management: what each call returns, and that memory is symmetric, keeps what was written, and is freed
 * again. */
#include "check.h"

enum { SLOTS = 12, STEPS = 300 };

/* Fills memory with bytes that differ by PE, object and place. */
static void paint(void *memory, size_t bytes, int pe, int object)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)memory)[i] = VALUE(unsigned char, pe, object, i);
}

static void painted(const void *memory, size_t bytes, int pe, int object)
{
    unsigned char *wanted = (unsigned char *)malloc(bytes + 1);
    paint(wanted, bytes, pe, object);
    SAME_BYTES(memory, wanted, bytes);
    free(wanted);
}

/* Each PE can write to every PE's new object as soon as it has its own, up to the last byte. */
static void symmetric(unsigned char *memory, size_t bytes, size_t alignment)
{
    CHECK(memory != NULL && (uintptr_t)memory % alignment == 0); /* 3-2 */
    int next = (me + 1) % npes, previous = (me + npes - 1) % npes;
    unsigned char first = VALUE(unsigned char, me, next, bytes), last = VALUE(unsigned char, next, me, bytes);
    if (bytes == 1)
        shmem_uchar_p(memory, first, next);
    else {
        shmem_uchar_p(memory, first, next);
        shmem_uchar_p(memory + bytes - 1, last, next); /* 3.1-1 */
    }
    shmem_barrier_all();
    SAME(memory[0], VALUE(unsigned char, previous, me, bytes)); /* 9.3.1-2 */
    if (bytes > 1)
        SAME(memory[bytes - 1], VALUE(unsigned char, me, previous, bytes));
    shmem_barrier_all();
}

static void malloc_and_align(void)
{
    static const size_t sizes[] = {1, 2, 15, 16, 17, 100, 255, 256, 257, 4095, 4097, 100000, 5000000};
    enum { N = sizeof sizes / sizeof *sizes };
    unsigned char *plain[N], *zeroed[N];
    for (int i = 0; i < (int)N; i++) {
        routine = "shmem_malloc";
        plain[i] = (unsigned char *)shmem_malloc(sizes[i]);
        symmetric(plain[i], sizes[i], 16);
        paint(plain[i], sizes[i], me, i);
    }
    for (size_t alignment = sizeof(void *); alignment <= 4096; alignment *= 2)
        for (int i = 0; i < 4; i++) {
            routine = "shmem_align";
            unsigned char *aligned = (unsigned char *)shmem_align(alignment, sizes[3 * i]);
            symmetric(aligned, sizes[3 * i], alignment); /* 9.3.4-1 */
            if (i % 2)
                shmem_free(aligned);
            else
                paint(aligned, sizes[3 * i], me, 99);
        }
    routine = "objects do not overlap";
    for (int i = 0; i < (int)N; i++)
        painted(plain[i], sizes[i], me, i); /* 9.3.1-1 */
    for (int i = 0; i < (int)N; i++)
        shmem_free(plain[i]);
    routine = "shmem_calloc";
    for (int i = 0; i < (int)N; i++) {
        /* Where other objects have just left their bytes. */
        zeroed[i] = (unsigned char *)shmem_calloc(i % 2 ? 1 : sizes[i], i % 2 ? sizes[i] : 1);
        CHECK(zeroed[i] != NULL && (uintptr_t)zeroed[i] % 16 == 0);
        int dirty = 0;
        for (size_t b = 0; b < sizes[i]; b++)
            dirty += zeroed[i][b] != 0;
        SAME(dirty, 0); /* 9.3.6-1 */
        shmem_barrier_all();
        symmetric(zeroed[i], sizes[i], 16);
    }
    for (int i = N - 1; i >= 0; i--)
        shmem_free(zeroed[i]);
}

/* Any power of two is allowed. If the library cannot provide the alignment, it says so on all PEs. */
static void aligned_more(void)
{
    routine = "shmem_align to much";
    for (int power = 13; power < (int)(8 * sizeof(size_t)); power++) {
        long got = 0, all = 0, *words = (long *)shmem_calloc(2, sizeof *words);
        unsigned char *aligned = (unsigned char *)shmem_align((size_t)1 << power, 100);
        if (aligned != NULL) {
            symmetric(aligned, 100, (size_t)1 << power);
            shmem_free(aligned);
            got = 1;
        }
        for (int pe = 0; pe < npes; pe++)
            shmem_long_atomic_add(words, got, pe);
        shmem_barrier_all();
        all = shmem_long_g(words, me);
        CHECK(all == 0 || all == npes); /* 9.3.4-2 */
        CHECK(power > 31 || got); /* half of the heap */
        shmem_free(words);
    }
}

/* If there is nothing to do, there is no barrier: a call does not wait for PEs that come later. */
static void nothing(void)
{
    long *turn = (long *)shmem_calloc(1, sizeof *turn);
    routine = "nothing to do";
    if (me > 0)
        shmem_long_wait_until(turn, SHMEM_CMP_EQ, 1);
    CHECK(shmem_malloc(0) == NULL); /* 9.3.1-3 */
    CHECK(shmem_align(64, 0) == NULL);     /* 9.3.4-4 */
    CHECK(shmem_realloc(NULL, 0) == NULL); /* 9.3.3-6 */
    shmem_free(NULL); /* 9.3.2-3 */
#ifdef SHMEM_MALLOC_ATOMICS_REMOTE
    CHECK(shmem_malloc_with_hints(0, SHMEM_MALLOC_ATOMICS_REMOTE) == NULL); /* 9.3.5-3 */
#endif
    CHECK(shmem_calloc(0, 8) == NULL && shmem_calloc(8, 0) == NULL && shmem_calloc(0, 0) == NULL); /* 9.3.6-2 */
    if (me + 1 < npes)
        shmem_long_p(turn, 1, me + 1);
    shmem_barrier_all();
    shmem_free(turn);
}

static void too_much(void)
{
    routine = "more than there is";
    unsigned char *kept = (unsigned char *)shmem_malloc(1000);
    paint(kept, 1000, me, 1);
    shmem_barrier_all();
    CHECK(shmem_malloc(SIZE_MAX / 2) == NULL); /* 9.3.1-4 */
    CHECK(shmem_calloc(SIZE_MAX / 4, 8) == NULL); /* 9.3.6-3 */
    CHECK(shmem_align(4096, SIZE_MAX / 2) == NULL);
    CHECK(shmem_realloc(kept, SIZE_MAX / 2) == NULL); /* 9.3.3-5 */
    painted(kept, 1000, me, 1);
    shmem_barrier_all();
    symmetric(kept, 1000, 16);
    shmem_free(kept);
}

static void realloc_keeps(void)
{
    static const size_t sizes[] = {100, 101, 256, 257, 5000, 300000, 299999, 1000, 100, 1};
    routine = "shmem_realloc";
    unsigned char *object = (unsigned char *)shmem_realloc(NULL, 64); /* 9.3.3-3 */
    symmetric(object, 64, 16);
    size_t before = 64;
    unsigned char *neighbour = (unsigned char *)shmem_malloc(64);
    paint(neighbour, 64, me, 77);
    for (int i = 0; i < (int)(sizeof sizes / sizeof *sizes); i++) {
        paint(object, before, me, i);
        object = (unsigned char *)shmem_realloc(object, sizes[i]);
        CHECK(object != NULL && (uintptr_t)object % 16 == 0);
        painted(object, sizes[i] < before ? sizes[i] : before, me, i); /* 9.3.3-1 */
        /* The object is symmetric at its new address. */
        unsigned char *theirs = (unsigned char *)malloc(sizes[i]);
        shmem_barrier_all();
        shmem_getmem(theirs, object, sizes[i] < before ? sizes[i] : before, npes - 1);
        painted(theirs, sizes[i] < before ? sizes[i] : before, npes - 1, i); /* 9.3.3-2 */
        shmem_barrier_all();
        free(theirs);
        symmetric(object, sizes[i], 16);
        before = sizes[i];
    }
    painted(neighbour, 64, me, 77);
    CHECK(shmem_realloc(object, 0) == NULL); /* 9.3.3-4 */
    shmem_free(neighbour);
}

/* A put that was issued before a collective call has arrived when the call returns, because the call completes the
 * default context. */
static void barriers(void)
{
    enum { WORDS = 5000 };
    routine = "allocation completes puts";
    long *box = (long *)shmem_malloc(WORDS * sizeof *box), *source = (long *)malloc(WORDS * sizeof *source);
    static long callers;
    void *other = NULL;
    for (int kind = 0; kind < 5; kind++) {
        int next = (me + 1) % npes, previous = (me + npes - 1) % npes, wrong = 0;
        for (int i = 0; i < WORDS; i++)
            source[i] = VALUE(long, me, kind, i);
        shmem_long_put_nbi(box, source, WORDS, next);
        for (int pe = 0; pe < npes; pe++)
            shmem_long_atomic_inc(&callers, pe);
        switch (kind) {
        case 0: other = shmem_malloc(10); break; /* 9.3.1-5 */
        case 1: shmem_free(other); break; /* 9.3.2-2 */
        case 2: other = shmem_align(64, 10); break; /* 9.3.4-3 */
        case 3: other = shmem_realloc(other, 100000); break; /* 9.3.3-7 */
        case 4: shmem_free(other), other = shmem_calloc(3, 3); break; /* 9.3.6-4 */
        }
        SAME(shmem_long_atomic_fetch(&callers, me), npes * (kind + 1)); /* 9.3.1-6 */
        for (int i = 0; i < WORDS; i++)
            wrong += box[i] != VALUE(long, previous, kind, i);
        SAME(wrong, 0);
        shmem_barrier_all();
    }
    shmem_free(other);
    free(source);
    shmem_free(box);
}

/* A sequence of allocations, the same on all PEs. Each object keeps its bytes, and neighbours find them. */
static void many(void)
{
    unsigned char *object[SLOTS] = {NULL};
    size_t bytes[SLOTS] = {0};
    unsigned random = 12345;
    routine = "many allocations";
    for (int step = 0; step < STEPS; step++) {
        random = random * 1103515245u + 12345u;
        int slot = (int)(random >> 16) % SLOTS;
        size_t size = (random >> 8) % 5000 + 1, kept = size < bytes[slot] ? size : bytes[slot];
        if (object[slot] == NULL) {
            object[slot] = (unsigned char *)shmem_malloc(size);
            CHECK(object[slot] != NULL);
        } else if (random >> 30 == 0) {
            object[slot] = (unsigned char *)shmem_realloc(object[slot], size);
            painted(object[slot], kept, me, slot);
        } else {
            painted(object[slot], bytes[slot], me, slot);
            shmem_free(object[slot]);
            object[slot] = NULL;
            continue;
        }
        bytes[slot] = size;
        paint(object[slot], size, me, slot);
        if (step % 10 == 0) {
            unsigned char theirs[5000];
            int pe = (me + step) % npes;
            shmem_barrier_all();
            shmem_getmem(theirs, object[slot], size, pe);
            painted(theirs, size, pe, slot);
            shmem_barrier_all();
        }
    }
    for (int slot = 0; slot < SLOTS; slot++)
        shmem_free(object[slot]);
    /* More in total than any heap holds at once. */
    for (int i = 0; i < 100; i++) {
        void *large = shmem_malloc((size_t)64 << 20);
        CHECK(large != NULL); /* 9.3.2-1 */
        shmem_free(large);
    }
}

#ifdef SHMEM_MALLOC_ATOMICS_REMOTE
static void hints(void)
{
    /* The last two have hints that this library does not know, which must not matter. */
    const long all[] = {0, SHMEM_MALLOC_ATOMICS_REMOTE, SHMEM_MALLOC_SIGNAL_REMOTE,
                        SHMEM_MALLOC_ATOMICS_REMOTE | SHMEM_MALLOC_SIGNAL_REMOTE, 1L << 20,
                        ~SHMEM_MALLOC_ATOMICS_REMOTE}; /* 9.3.5-4 */
    routine = "shmem_malloc_with_hints";
    for (int i = 0; i < 6; i++) {
        uint64_t *words = (uint64_t *)shmem_malloc_with_hints(1000, all[i]);
        symmetric((unsigned char *)words, 1000, 16); /* 9.3.5-1 */
        words[0] = words[1] = 0;
        shmem_barrier_all();
        for (int pe = 0; pe < npes; pe++) {
            shmem_uint64_atomic_add(words, me + 1, pe);
            shmem_signal_add(words + 1, me + 1, pe);
        }
        shmem_barrier_all();
        SAME(words[0], npes * (npes + 1) / 2);
        SAME(shmem_signal_fetch(words + 1), npes * (npes + 1) / 2); /* 9.3.5-2 */
        shmem_free(words);
    }
}
#endif

int main(void)
{
    begin();
    malloc_and_align();
    aligned_more();
    nothing();
    too_much();
    realloc_keeps();
    barriers();
    many();
#ifdef SHMEM_MALLOC_ATOMICS_REMOTE
    hints();
#endif
    return finish();
}
