/* 9.6 Blocks at equal distances: ibput and ibget. */
#include "check.h"

enum { ELEMENTS = 120, BYTES = 16 * ELEMENTS };

static unsigned char *there, *here;
static shmem_ctx_t ctx;

/* Block b starts at element b * stride; nothing changes between blocks. CALL moves `count` blocks of `size`
 * elements. */
#define MOVED(TYPE, DEST, SENDER, RECEIVER)                                                                            \
    for (int e = 0; e < ELEMENTS; e++) {                                                                               \
        int block = e / (int)dst, i = e % (int)dst;                                                                    \
        if (block < (int)count && i < (int)size)                                                                       \
            SAME(((TYPE *)(void *)DEST)[e], VALUE(TYPE, SENDER, RECEIVER, block * (int)sst + i)); /* 9.6.1.4-1 */      \
        else                                                                                                           \
            UNTOUCHED(DEST + e * sizeof(TYPE), DEST + (e + 1) * sizeof(TYPE)); /* 9.6.1.4-2 */                         \
    }

#define TYPED(TYPE, PUT, GET)                                                                                          \
    for (int k = 0; k < npes; k++) {                                                                                   \
        int pe = (me + k) % npes, sender = (me - k + npes) % npes;                                                     \
        guard(there, BYTES);                                                                                           \
        guard(here, BYTES);                                                                                            \
        for (int e = 0; e < ELEMENTS; e++)                                                                             \
            ((TYPE *)(void *)here)[e] = VALUE(TYPE, me, pe, e);                                                        \
        shmem_barrier_all();                                                                                           \
        routine = #PUT;                                                                                                \
        PUT;                                                                                                           \
        /* A barrier completes the default context only. */                                                            \
        shmem_ctx_quiet(ctx);                                                                                          \
        guard(here, BYTES); /* 9.6.1.4-4 */                                                                            \
        shmem_barrier_all();                                                                                           \
        MOVED(TYPE, there, sender, me)                                                                                 \
        shmem_barrier_all();                                                                                           \
        for (int e = 0; e < ELEMENTS; e++)                                                                             \
            ((TYPE *)(void *)there)[e] = VALUE(TYPE, me, 2, e);                                                        \
        shmem_barrier_all();                                                                                           \
        routine = #GET;                                                                                                \
        GET; /* 9.6.1.8-1 */                                                                                           \
        MOVED(TYPE, here, pe, 2)                                                                                       \
        shmem_barrier_all();                                                                                           \
    }

#define ARGUMENTS(TYPE, A, B) (TYPE *)(void *)A, (const TYPE *)(void *)B, dst, sst, size, count, pe

#define OF_TYPE(NAME, TYPE)                                                                                            \
    static void move_##NAME(ptrdiff_t dst, ptrdiff_t sst, size_t size, size_t count)                                   \
    {                                                                                                                  \
        TYPED(TYPE, shmem_##NAME##_ibput(ARGUMENTS(TYPE, there, here)),                                                \
              shmem_##NAME##_ibget(ARGUMENTS(TYPE, here, there)))                                                      \
        TYPED(TYPE, shmem_ctx_##NAME##_ibput(ctx, ARGUMENTS(TYPE, there, here)),                                       \
              shmem_ctx_##NAME##_ibget(ctx, ARGUMENTS(TYPE, here, there)))                                             \
    }
FOR_RMA(OF_TYPE)

#define OF_SIZE(BITS, TYPE)                                                                                            \
    static void move_##BITS(ptrdiff_t dst, ptrdiff_t sst, size_t size, size_t count)                                   \
    {                                                                                                                  \
        TYPED(TYPE, shmem_ibput##BITS(there, here, dst, sst, size, count, pe),                                         \
              shmem_ibget##BITS(here, there, dst, sst, size, count, pe))                                               \
        TYPED(TYPE, shmem_ctx_ibput##BITS(ctx, there, here, dst, sst, size, count, pe),                                \
              shmem_ctx_ibget##BITS(ctx, here, there, dst, sst, size, count, pe))                                      \
    }
#define SIZES(X) X(8, uint8_t) X(16, uint16_t) X(32, uint32_t) X(64, uint64_t) X(128, long double)
SIZES(OF_SIZE)

int main(void)
{
    begin();
    there = (unsigned char *)shmem_malloc(BYTES);
    here = (unsigned char *)malloc(BYTES);
    SAME(shmem_ctx_create(0, &ctx), 0);
    /* Strides, elements in a block, and blocks: single elements, adjacent blocks, gaps, one block, nothing. */
    static const struct {
        ptrdiff_t dst, sst;
        size_t size, count;
    /* 9.6.1.4-3 */
    } shapes[] = {{3, 2, 1, 9}, {4, 4, 4, 7}, {7, 5, 3, 8}, {5, 9, 5, 6}, {20, 30, 20, 1}, {2, 2, 2, 0}, {2, 2, 0, 4}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
#define RUN(NAME, TYPE) move_##NAME(shapes[s].dst, shapes[s].sst, shapes[s].size, shapes[s].count);
        FOR_RMA(RUN)
        SIZES(RUN)
    }
    free(here);
    shmem_free(there);
    shmem_ctx_destroy(ctx);
    return finish();
}
