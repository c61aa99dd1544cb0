/* 9.6 Remote memory access: puts and gets of every type and size, their strided and nonblocking forms, and their forms
 * with a context. */
#include "check.h"

/* Elements in a block; in a block with a guard at each end; bytes of everything that one PE receives. */
enum { N = 13, ROOM = N + 2, BYTES = 16 * ROOM * MAX_PES };

static unsigned char *symmetric, *local;
static shmem_ctx_t ctx;

/* Each PE exchanges a block with every PE, including itself. The block of PE p lies after p others. */
#define BLOCK(TYPE, pe) ((TYPE *)(void *)symmetric + (pe) * ROOM + 1)
#define LOCAL(TYPE, pe) ((TYPE *)(void *)local + (pe) * N)

static void quiet(void)
{
    shmem_quiet();
    shmem_ctx_quiet(ctx);
}

/* CALL sends `source` to `dest` on PE `pe`. A blocking form has read its source when it returns. */
#define PUTS(TYPE, COUNT, BLOCKING, CALL)                                                                              \
    routine = #CALL;                                                                                                   \
    guard(symmetric, BYTES);                                                                                           \
    shmem_barrier_all();                                                                                               \
    for (int k = 0; k < npes; k++) {                                                                                   \
        int pe = (me + k) % npes; /* 4.2-1 */                                                                          \
        TYPE *source = LOCAL(TYPE, pe), *dest = BLOCK(TYPE, me);                                                       \
        for (int i = 0; i < N; i++)                                                                                    \
            source[i] = VALUE(TYPE, me, pe, i);                                                                        \
        CALL;                                                                                                          \
        if (BLOCKING)                                                                                                  \
            guard(source, sizeof(TYPE) * N); /* 9.6.1.1-2 */                                                           \
    }                                                                                                                  \
    quiet(); /* 9.6.2.1-2 */                                                                                           \
    guard(local, BYTES);                                                                                               \
    shmem_barrier_all();                                                                                               \
    for (int pe = 0; pe < npes; pe++) {                                                                                \
        TYPE *got = BLOCK(TYPE, pe);                                                                                   \
        for (int i = 0; i < (COUNT); i++)                                                                              \
            SAME(got[i], VALUE(TYPE, pe, me, i));                                                                      \
        UNTOUCHED(got - 1, got); /* 9.6-2 */                                                                           \
        UNTOUCHED(got + (COUNT), got + N + 1);                                                                         \
    }                                                                                                                  \
    UNTOUCHED(BLOCK(TYPE, npes), symmetric + BYTES);                                                                   \
    shmem_barrier_all();

/* CALL fetches the block `source` of PE `pe` into `dest`. */
#define GETS(TYPE, COUNT, BLOCKING, CALL)                                                                              \
    routine = #CALL;                                                                                                   \
    guard(local, BYTES);                                                                                               \
    for (int pe = 0; pe < npes; pe++)                                                                                  \
        for (int i = 0; i < N; i++)                                                                                    \
            BLOCK(TYPE, pe)[i] = VALUE(TYPE, me, pe, i);                                                               \
    shmem_barrier_all();                                                                                               \
    for (int k = 0; k < npes; k++) {                                                                                   \
        int pe = (me + k) % npes;                                                                                      \
        TYPE *dest = LOCAL(TYPE, pe), *source = BLOCK(TYPE, me);                                                       \
        CALL;                                                                                                          \
        for (int i = 0; (BLOCKING) && i < (COUNT); i++)                                                                \
            SAME(dest[i], VALUE(TYPE, pe, me, i)); /* 9.6.1.5-1 */                                                     \
    }                                                                                                                  \
    quiet();                                                                                                           \
    for (int pe = 0; pe < npes; pe++) {                                                                                \
        for (int i = 0; i < (COUNT); i++)                                                                              \
            SAME(LOCAL(TYPE, pe)[i], VALUE(TYPE, pe, me, i));                                                          \
        UNTOUCHED(LOCAL(TYPE, pe) + (COUNT), LOCAL(TYPE, pe + 1)); /* 9.6.1.5-2 */                                     \
    }                                                                                                                  \
    UNTOUCHED(LOCAL(TYPE, npes), local + BYTES);                                                                       \
    shmem_barrier_all();

/* The result of iput and iget: every DST-th element comes from every SST-th, and nothing else changes. */
#define STRIDED(TYPE, DST, SST, COUNT, IPUT, IGET)                                                                     \
    for (int k = 0; k < npes; k++) {                                                                                   \
        int pe = (me + k) % npes, sender = (me - k + npes) % npes;                                                     \
        TYPE *there = BLOCK(TYPE, 0), *here = LOCAL(TYPE, 0);                                                          \
        routine = #IPUT;                                                                                               \
        guard(symmetric, BYTES);                                                                                       \
        for (int i = 0; i < ROOM * MAX_PES; i++)                                                                       \
            here[i] = VALUE(TYPE, me, pe, i);                                                                          \
        shmem_barrier_all();                                                                                           \
        IPUT; /* 9.6.1.3-4 */                                                                                          \
        guard(local, BYTES);                                                                                           \
        quiet();                                                                                                       \
        shmem_barrier_all();                                                                                           \
        for (int i = 0; i < (COUNT); i++) {                                                                            \
            SAME(there[i * (DST)], VALUE(TYPE, sender, me, i * (SST)));                                                \
            UNTOUCHED(there + i * (DST) + 1, there + (i + 1) * (DST)); /* 9.6.1.3-2 */                                 \
        }                                                                                                              \
        UNTOUCHED(symmetric, there);                                                                                   \
        UNTOUCHED(there + (COUNT) * (DST), symmetric + BYTES);                                                         \
        shmem_barrier_all();                                                                                           \
        routine = #IGET;                                                                                               \
        for (int i = 0; i < ROOM * MAX_PES - 1; i++)                                                                   \
            there[i] = VALUE(TYPE, me, 0, i);                                                                          \
        shmem_barrier_all();                                                                                           \
        IGET;                                                                                                          \
        for (int i = 0; i < (COUNT); i++) {                                                                            \
            SAME(here[i * (DST)], VALUE(TYPE, pe, 0, i * (SST))); /* 9.6.1.7-1 */                                      \
            UNTOUCHED(here + i * (DST) + 1, here + (i + 1) * (DST)); /* 9.6.1.7-2 */                                   \
        }                                                                                                              \
        UNTOUCHED(here + (COUNT) * (DST), local + BYTES);                                                              \
        shmem_barrier_all();                                                                                           \
    }

#define EACH(STATEMENT)                                                                                                \
    for (int e = 0; e < N; e++)                                                                                        \
    STATEMENT

#define TYPED(NAME, TYPE)                                                                                              \
    static void move_##NAME(void)                                                                                      \
    {                                                                                                                  \
        PUTS(TYPE, N, 1, shmem_##NAME##_put(dest, source, N, pe)) /* 9.6.1.1-1 */                                      \
        PUTS(TYPE, N - 1, 1, shmem_ctx_##NAME##_put(ctx, dest, source, N - 1, pe)) /* 9.6-1 */                         \
        PUTS(TYPE, 1, 1, shmem_##NAME##_put(dest, source, 1, pe))                                                      \
        PUTS(TYPE, 0, 1, shmem_##NAME##_put(dest, source, 0, pe)) /* 9.6.1.1-6 */                                      \
        PUTS(TYPE, N, 0, shmem_##NAME##_put_nbi(dest, source, N, pe)) /* 9.6.2.1-1 */                                  \
        PUTS(TYPE, N - 2, 0, shmem_ctx_##NAME##_put_nbi(ctx, dest, source, N - 2, pe))                                 \
        PUTS(TYPE, N, 1, EACH(shmem_##NAME##_p(dest + e, source[e], pe))) /* 9.6.1.2-1 */                              \
        PUTS(TYPE, N, 1, EACH(shmem_ctx_##NAME##_p(ctx, dest + e, source[e], pe)))                                     \
        GETS(TYPE, N, 1, shmem_##NAME##_get(dest, source, N, pe))                                                      \
        GETS(TYPE, N - 1, 1, shmem_ctx_##NAME##_get(ctx, dest, source, N - 1, pe))                                     \
        GETS(TYPE, 1, 1, shmem_##NAME##_get(dest, source, 1, pe))                                                      \
        GETS(TYPE, 0, 1, shmem_##NAME##_get(dest, source, 0, pe))                                                      \
        GETS(TYPE, N, 0, shmem_##NAME##_get_nbi(dest, source, N, pe)) /* 9.6.2.2-1 */                                  \
        GETS(TYPE, N - 2, 0, shmem_ctx_##NAME##_get_nbi(ctx, dest, source, N - 2, pe))                                 \
        GETS(TYPE, N, 1, EACH(dest[e] = shmem_##NAME##_g(source + e, pe))) /* 9.6.1.6-1 */                             \
        GETS(TYPE, N, 1, EACH(dest[e] = shmem_ctx_##NAME##_g(ctx, source + e, pe)))                                    \
        STRIDED(TYPE, 1, 1, N, shmem_##NAME##_iput(there, here, 1, 1, N, pe),                                          \
                shmem_##NAME##_iget(here, there, 1, 1, N, pe))                                                         \
        STRIDED(TYPE, 3, 2, N, shmem_##NAME##_iput(there, here, 3, 2, N, pe), /* 9.6.1.3-1 */                          \
                shmem_##NAME##_iget(here, there, 3, 2, N, pe))                                                         \
        STRIDED(TYPE, 1, 4, N - 1, shmem_ctx_##NAME##_iput(ctx, there, here, 1, 4, N - 1, pe),                         \
                shmem_ctx_##NAME##_iget(ctx, here, there, 1, 4, N - 1, pe))                                            \
        STRIDED(TYPE, 2, 1, 0, shmem_##NAME##_iput(there, here, 2, 1, 0, pe),                                          \
                shmem_##NAME##_iget(here, there, 2, 1, 0, pe))                                                         \
        STRIDED(TYPE, 1, 1, 1, shmem_##NAME##_iput(there, here, 1, 1, 1, pe),                                          \
                shmem_##NAME##_iget(here, there, 1, 1, 1, pe))                                                         \
        STRIDED(TYPE, 2, 3, N, shmem_ctx_##NAME##_iput(ctx, there, here, 2, 3, N, pe),                                 \
                shmem_ctx_##NAME##_iget(ctx, here, there, 2, 3, N, pe))                                                \
    }
FOR_RMA(TYPED) /* 9.6-3 */

/* The forms for elements of a number of bits: the bytes of an element stay together. */
#define SIZED(BITS)                                                                                                    \
    static void move_##BITS(void)                                                                                      \
    {                                                                                                                  \
        typedef unsigned char byte;                                                                                    \
        enum { W = BITS / 8, BLOCKS = 6, ALL = 16 * BLOCKS * 3 };                                                      \
        byte wanted[ALL], *there = symmetric + 16, *here = local;                                                      \
        for (int form = 0; form < 10; form++) {                                                                        \
            for (int k = 0; k < npes; k++) {                                                                           \
                int pe = (me + k) % npes, sender = (me - k + npes) % npes, puts = form % 2 == 0;                       \
                ptrdiff_t dst = form >= 8 ? 2 : 1, sst = form >= 8 ? 3 : 1;                                            \
                guard(symmetric, BYTES);                                                                               \
                guard(local, BYTES);                                                                                   \
                guard(wanted, sizeof wanted);                                                                          \
                for (int i = 0; i < ALL; i++)                                                                          \
                    (puts ? here : there)[i] = VALUE(byte, me, puts ? pe : 0, i);                                      \
                for (int i = 0; i < BLOCKS; i++)                                                                       \
                    for (int b = 0; b < W; b++) {                                                                      \
                        int from = i * sst * W + b;                                                                    \
                        wanted[i * dst * W + b] = VALUE(byte, puts ? sender : pe, puts ? me : 0, from);                \
                    }                                                                                                  \
                shmem_barrier_all();                                                                                   \
                switch (form) {                                                                                        \
                case 0: routine = "put" #BITS; shmem_put##BITS(there, here, BLOCKS, pe); break; /* 9.6.1.1-4 */        \
                case 1: routine = "get" #BITS; shmem_get##BITS(here, there, BLOCKS, pe); break; /* 9.6.1.5-3 */        \
                case 2: routine = "ctx_put" #BITS; shmem_ctx_put##BITS(ctx, there, here, BLOCKS, pe); break;           \
                case 3: routine = "ctx_get" #BITS; shmem_ctx_get##BITS(ctx, here, there, BLOCKS, pe); break;           \
                case 4: routine = "put nbi " #BITS; shmem_put##BITS##_nbi(there, here, BLOCKS, pe); break;             \
                case 5: routine = "get nbi " #BITS; shmem_get##BITS##_nbi(here, there, BLOCKS, pe); break;             \
                case 6: routine = "ctx nbi " #BITS; shmem_ctx_put##BITS##_nbi(ctx, there, here, BLOCKS, pe); break;    \
                case 7: routine = "ctx nbi " #BITS; shmem_ctx_get##BITS##_nbi(ctx, here, there, BLOCKS, pe); break;    \
                case 8:                                                                                                \
                    routine = "iput" #BITS;                                                                            \
                    shmem_iput##BITS(there, here, dst, sst, BLOCKS - 2, pe); /* 9.6.1.3-3 */                           \
                    shmem_ctx_iput##BITS(ctx, there + (BLOCKS - 2) * dst * W, here + (BLOCKS - 2) * sst * W, dst, sst, \
                                         2, pe);                                                                       \
                    break;                                                                                             \
                case 9:                                                                                                \
                    routine = "iget" #BITS;                                                                            \
                    shmem_iget##BITS(here, there, dst, sst, BLOCKS - 2, pe);                                           \
                    shmem_ctx_iget##BITS(ctx, here + (BLOCKS - 2) * dst * W, there + (BLOCKS - 2) * sst * W, dst, sst, \
                                         2, pe);                                                                       \
                    break;                                                                                             \
                }                                                                                                      \
                quiet();                                                                                               \
                shmem_barrier_all();                                                                                   \
                SAME_BYTES(puts ? there : here, wanted, sizeof wanted);                                                \
                UNTOUCHED(symmetric, there);                                                                           \
                UNTOUCHED((puts ? there : here) + ALL, (puts ? symmetric : local) + BYTES);                            \
                shmem_barrier_all();                                                                                   \
            }                                                                                                          \
        }                                                                                                              \
    }
FOR_SIZES(SIZED)

/* Any length from any alignment to any other, including lengths far beyond a cache. */
static void any_length(void)
{
    static const size_t of[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 255, 257, 1000};
    const int lengths = sizeof of / sizeof *of;
    const size_t large = 3000001, margin = 128;
    int next = (me + 1) % npes, previous = (me + npes - 1) % npes;
    unsigned char *there = (unsigned char *)shmem_malloc(large + margin);
    unsigned char *here = (unsigned char *)malloc(large + margin), *wanted = (unsigned char *)malloc(large);
    for (int k = 0; k <= lengths; k++) {
        size_t bytes = k < lengths ? of[k] : large;
        for (int shift = 0; shift < (k < lengths ? 9 : 1); shift++) {
            unsigned char *dest = there + 32 + shift, *source = here + 32 + (shift * 5 + k) % 11;
            guard(there, bytes + margin);
            for (size_t i = 0; i < bytes; i++) {
                source[i] = VALUE(unsigned char, me, 3, i);
                wanted[i] = VALUE(unsigned char, previous, 3, i);
            }
            shmem_barrier_all();
            routine = "shmem_putmem";
            if (shift % 2)
                shmem_putmem(dest, source, bytes, next); /* 9.6.1.1-5 */
            else
                shmem_ctx_putmem(ctx, dest, source, bytes, next);
            quiet();
            shmem_barrier_all();
            SAME_BYTES(dest, wanted, bytes);
            UNTOUCHED(there, dest);
            UNTOUCHED(dest + bytes, there + bytes + margin);
            /* What this PE sent comes back. */
            routine = "shmem_getmem";
            guard(here, bytes + margin);
            if (shift % 2)
                shmem_getmem(source, dest, bytes, next); /* 9.6.1.5-4 */
            else
                shmem_ctx_getmem(ctx, source, dest, bytes, next);
            for (size_t i = 0; i < bytes; i++)
                wanted[i] = VALUE(unsigned char, me, 3, i);
            SAME_BYTES(source, wanted, bytes);
            UNTOUCHED(here, source);
            UNTOUCHED(source + bytes, here + bytes + margin);
            guard(here, bytes + margin);
            if (shift % 2)
                shmem_getmem_nbi(source, dest, bytes, next);
            else
                shmem_ctx_getmem_nbi(ctx, source, dest, bytes, next);
            quiet();
            SAME_BYTES(source, wanted, bytes);
            UNTOUCHED(here, source);
            UNTOUCHED(source + bytes, here + bytes + margin);
            shmem_barrier_all();
            routine = "shmem_putmem_nbi";
            guard(there, bytes + margin);
            shmem_barrier_all();
            if (shift % 2)
                shmem_putmem_nbi(dest, source, bytes, next);
            else
                shmem_ctx_putmem_nbi(ctx, dest, source, bytes, next);
            quiet();
            shmem_barrier_all();
            for (size_t i = 0; i < bytes; i++)
                wanted[i] = VALUE(unsigned char, previous, 3, i);
            SAME_BYTES(dest, wanted, bytes);
            UNTOUCHED(there, dest);
            UNTOUCHED(dest + bytes, there + bytes + margin);
            shmem_barrier_all();
        }
    }
    free(here);
    free(wanted);
    shmem_free(there);
}

int main(void)
{
    begin();
    symmetric = (unsigned char *)shmem_align(64, BYTES);
    local = (unsigned char *)malloc(BYTES);
    SAME(shmem_ctx_create(0, &ctx), 0);
#define RUN(NAME, TYPE) move_##NAME();
    FOR_RMA(RUN)
#define RUN_SIZE(BITS) move_##BITS();
    FOR_SIZES(RUN_SIZE)
    any_length();
    free(local);
    shmem_free(symmetric);
    shmem_ctx_destroy(ctx);
    return finish();
}
