/* Makes one mistake, named by the first argument, on PE 1. The other PEs wait. */
#define SHMEM_NO_DEPRECATED
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <string.h>

/* Kernels in CUDA C++ that were compiled with an old header say this of themselves. */
static const struct {
    uint32_t abi_version, context_bytes;
    int (*find)(void **context);
    const char *file;
} image = {0, 0, NULL, "old.cu"};
void shmemx_impl_add_image(const void *image);

/* An object that has been freed. */
static long *gone;
static long global;

/* The last four bytes of this PE's heap, found by trial. */
static void *last_bytes(long *words)
{
    char *end = (char *)words;
    for (long step = 1L << 40; step; step /= 2)
        if (shmem_addr_accessible(end + step - 1, 0))
            end += step;
    return end - 4;
}

static shmem_ctx_t context(void)
{
    shmem_ctx_t ctx;
    shmem_ctx_create(0, &ctx);
    return ctx;
}

static void mistake(const char *name, long *words, uint64_t *sig)
{
    long private_words[8] = {0};
    void *odd = (char *)words + 1;
    if (!strcmp(name, "pe"))
        shmem_putmem(words, private_words, 8, 7);
    else if (!strcmp(name, "negative-pe"))
        printf("%ld\n", shmem_long_g(words, -1));
    else if (!strcmp(name, "pe-of-atomic"))
        shmem_long_atomic_inc(words, 2);
    else if (!strcmp(name, "pe-of-ptr"))
        printf("%p\n", shmem_ptr(words, 2));
    else if (!strcmp(name, "private-dest"))
        shmem_long_put(private_words, private_words, 1, 0);
    else if (!strcmp(name, "private-source"))
        shmem_getmem(words, private_words, 8, 0);
    else if (!strcmp(name, "null-dest"))
        shmem_long_p(NULL, 1, 0);
    else if (!strcmp(name, "null-source"))
        shmem_putmem(words, NULL, 8, 0);
    else if (!strcmp(name, "past-end"))
        shmem_long_put(words, private_words, (size_t)1 << 20, 0);
    else if (!strcmp(name, "overflow"))
        shmem_put64(words, private_words, (size_t)1 << 61, 0);
    else if (!strcmp(name, "misaligned"))
        shmem_int_atomic_add(odd, 1, 0);
    else if (!strcmp(name, "private-signal"))
        shmem_putmem_signal(words, private_words, 8, (uint64_t *)private_words, 1, SHMEM_SIGNAL_SET, 0);
    else if (!strcmp(name, "signal-operation"))
        shmem_putmem_signal(words, private_words, 8, sig, 1, 3, 0);
    else if (!strcmp(name, "comparison"))
        shmem_long_wait_until(words, 6, 0);
    else if (!strcmp(name, "private-wait"))
        shmem_long_wait_until(private_words, SHMEM_CMP_EQ, 0);
    else if (!strcmp(name, "strided-past-end"))
        shmem_long_iput(words, private_words, 1L << 20, 1, 2, 0);
    else if (!strcmp(name, "stride-zero"))
        shmem_long_iput(words, private_words, 0, 1, 2, 0);
    else if (!strcmp(name, "stride-zero-at-source"))
        shmem_iget32(private_words, words, 1, 0, 2, 0);
    else if (!strcmp(name, "stride-below"))
        shmem_ctx_long_iget(SHMEM_CTX_DEFAULT, private_words, words, 1, PTRDIFF_MIN, 2, 0);
    else if (!strcmp(name, "stride-in-block"))
        shmem_ibput64(words, private_words, 3, 4, 4, 2, 0);
    else if (!strcmp(name, "stride-in-block-at-source"))
        shmem_long_ibget(private_words, words, 4, 3, 4, 1, 0);
    else if (!strcmp(name, "stride-on-stream"))
        shmemx_long_iput_on_stream(words, words + 4, 0, 1, 1, 0, NULL);
    else if (!strcmp(name, "globals-overflow"))
        shmem_iput64(&global, private_words, PTRDIFF_MAX / 8, 1, 3, 0);
    else if (!strcmp(name, "strided-private"))
        shmem_ibput32(private_words, words, 2, 2, 2, 2, 0);
    else if (!strcmp(name, "strided-overflow"))
        shmem_ibget64(private_words, words, PTRDIFF_MAX, PTRDIFF_MAX, 1, SIZE_MAX, 0);
    else if (!strcmp(name, "strided-source-overflow"))
        shmem_long_iput(words, private_words, 1, PTRDIFF_MAX, 3, 0);
    else if (!strcmp(name, "strided-target-overflow"))
        shmem_ibget32(private_words, words, PTRDIFF_MAX / 4 + 3, 2, 2, 3, 0);
    else if (!strcmp(name, "blocks-past-end"))
        shmem_ibput32(words, private_words, 1L << 20, 1, 1, 3, 0);
    else if (!strcmp(name, "word-past-end"))
        shmem_long_p(last_bytes(words), 1, 0);
    else if (!strcmp(name, "atomic-past-end"))
        shmem_long_atomic_inc(last_bytes(words), 0);
    else if (!strcmp(name, "wait-past-end"))
        shmem_long_test(last_bytes(words), SHMEM_CMP_EQ, 0);
    else if (!strcmp(name, "strided-null"))
        shmem_iput64(words, NULL, 1, 1, 2, 0);
    else if (!strcmp(name, "invalid-context"))
        shmem_ctx_long_p(SHMEM_CTX_INVALID, words, 1, 0);
    else if (!strcmp(name, "no-context"))
        shmem_ctx_quiet((shmem_ctx_t)77);
    else if (!strcmp(name, "pe-of-context"))
        shmem_ctx_long_p(SHMEM_CTX_DEFAULT, words, 1, 2);
    else if (!strcmp(name, "invalid-team"))
        shmem_long_sum_reduce(SHMEM_TEAM_INVALID, words, words, 1);
    else if (!strcmp(name, "no-team"))
        shmem_team_sync((shmem_team_t)60);
    else if (!strcmp(name, "reduce-past-end"))
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, words, words, (size_t)1 << 20);
    else if (!strcmp(name, "to-all-past-end"))
        shmem_long_sum_to_all(words, words, 1 << 20, 1, 0, 1, words, words);
    else if (!strcmp(name, "scan-past-end"))
        shmem_long_sum_inscan(SHMEM_TEAM_WORLD, words, words, (size_t)1 << 20);
    else if (!strcmp(name, "root-of-set"))
        shmem_broadcast64(words, words, 1, -1, 1, 0, 1, words);
    else if (!strcmp(name, "root-of-all"))
        shmem_broadcast64(words, words, 1, 2, 0, 0, 2, words);
    else if (!strcmp(name, "root"))
        shmem_long_broadcast(SHMEM_TEAM_WORLD, words, words, 1, 2);
    else if (!strcmp(name, "collective-private"))
        shmem_long_fcollect(SHMEM_TEAM_WORLD, private_words, words, 1);
    else if (!strcmp(name, "collective-past-end"))
        shmem_long_alltoall(SHMEM_TEAM_WORLD, words, words, (size_t)1 << 20);
    else if (!strcmp(name, "collective-stride"))
        shmem_long_alltoalls(SHMEM_TEAM_WORLD, words, words, 1, 0, 1);
    else if (!strcmp(name, "world-destroyed"))
        shmem_team_destroy(SHMEM_TEAM_WORLD);
    else if (!strcmp(name, "config-mask"))
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, SHMEM_TEAM_NUM_CONTEXTS, (shmem_team_t *)words);
    else if (!strcmp(name, "context-options"))
        shmem_ctx_create(64, (shmem_ctx_t *)words);
    else if (!strcmp(name, "active-set")) {
        long sync[SHMEM_SYNC_SIZE] = {0};
        shmem_barrier(0, 1, 2, sync);
    }
    else if (!strcmp(name, "outside-set")) {
        /* Only PE 0. */
        long *at = words, sync[SHMEM_SYNC_SIZE] = {0};
        shmem_barrier(0, 0, 1, sync);
        shmem_sync(0, 0, 1, sync);
        shmem_broadcast32(at, at + 1, 1, 0, 0, 0, 1, sync);
        shmem_broadcast64(at, at + 1, 1, 0, 0, 0, 1, sync);
        shmem_collect32(at, at + 1, 1, 0, 0, 1, sync);
        shmem_collect64(at, at + 1, 1, 0, 0, 1, sync);
        shmem_fcollect32(at, at + 1, 1, 0, 0, 1, sync);
        shmem_fcollect64(at, at + 1, 1, 0, 0, 1, sync);
        shmem_alltoall32(at, at + 1, 1, 0, 0, 1, sync);
        shmem_alltoall64(at, at + 1, 1, 0, 0, 1, sync);
        shmem_alltoalls32(at, at + 1, 1, 1, 1, 0, 0, 1, sync);
        shmem_alltoalls64(at, at + 1, 1, 1, 1, 0, 0, 1, sync);
        shmem_long_sum_to_all(at, at + 1, 1, 0, 0, 1, words + 2, sync);
        shmem_int_and_to_all((int *)at, (int *)(at + 1), 1, 0, 0, 1, (int *)(words + 2), sync);
        printf("PE 1: returned\n");
    }
    else if (!strcmp(name, "pe-of-team"))
        shmem_ctx_long_p(context(), words, 1, 2);
    else if (!strcmp(name, "negative-pe-of-team"))
        printf("%ld\n", shmem_ctx_long_g(context(), words, -1));
    else if (!strcmp(name, "destroyed-context")) {
        shmem_ctx_t ctx = context();
        shmem_ctx_destroy(ctx);
        shmem_ctx_long_p(ctx, words, 1, 0);
    } else if (!strcmp(name, "fetch-null"))
        shmem_long_atomic_fetch_inc_nbi(NULL, words, 0);
    else if (!strcmp(name, "pe-quiet"))
        shmem_pe_quiet((const int[]){0, 5}, 2);
    else if (!strcmp(name, "exchange-pes"))
        shmemx_signal_exchange_on_stream((uint64_t *)words, (const int[]){0, 1, -3}, 3, NULL, 0, NULL);
    else if (!strcmp(name, "exchange-null"))
        shmemx_signal_exchange_on_stream((uint64_t *)words, NULL, 0, NULL, 1, NULL);
    else if (!strcmp(name, "indices-null"))
        shmem_long_test_some(words, 2, NULL, NULL, SHMEM_CMP_EQ, 0);
    else if (!strcmp(name, "values-null"))
        shmem_long_wait_until_all_vector(words, 2, NULL, SHMEM_CMP_EQ, NULL);
    else if (!strcmp(name, "array-past-end"))
        shmem_long_test_any(words, (size_t)1 << 20, NULL, SHMEM_CMP_EQ, 0);
    else if (!strcmp(name, "array-overflow"))
        shmem_long_test_any(words, (size_t)1 << 61, NULL, SHMEM_CMP_EQ, 0);
    else if (!strcmp(name, "alignment"))
        shmem_align(3, 8);
    else if (!strcmp(name, "realloc-private"))
        shmem_realloc(private_words, 8);
    else if (!strcmp(name, "realloc-inside"))
        shmem_realloc(words + 1, 8);
    else if (!strcmp(name, "freed-dest"))
        shmem_putmem(gone, private_words, 8, 0);
    else if (!strcmp(name, "freed-source"))
        shmem_getmem(private_words, gone + 1, 8, 0);
    else if (!strcmp(name, "freed-private-end"))
        shmem_putmem(words, gone, 8, 0);
    else if (!strcmp(name, "freed-peer"))
        shmem_getmem(gone, words, 8, 0);
    else if (!strcmp(name, "freed-p"))
        shmem_long_p(gone, 1, 0);
    else if (!strcmp(name, "freed-g"))
        printf("%ld\n", shmem_long_g(gone, 0));
    else if (!strcmp(name, "freed-atomic"))
        shmem_long_atomic_inc(gone, 0);
    else if (!strcmp(name, "freed-wait"))
        shmem_long_wait_until(gone, SHMEM_CMP_NE, 77);
    else if (!strcmp(name, "freed-signal"))
        shmem_putmem_signal(words, private_words, 8, (uint64_t *)gone, 1, SHMEM_SIGNAL_SET, 0);
    else if (!strcmp(name, "past-object"))
        shmem_long_put(words, private_words, 129, 0);
    else if (!strcmp(name, "past-object-by-one"))
        shmem_char_p((char *)(words + 128), 1, 0);
    else if (!strcmp(name, "past-private-object"))
        shmem_getmem(sig, words, 16, 0);
    else if (!strcmp(name, "between-objects"))
        shmem_long_p((long *)sig + 2, 1, 0);
    else if (!strcmp(name, "overlap"))
        shmem_putmem(words + 1, words, 16, 1);
    else if (!strcmp(name, "overlap-of-get"))
        shmem_getmem(words, words + 1, 16, 1);
    else if (!strcmp(name, "double-free"))
        shmem_free(gone);
    else if (!strcmp(name, "free-private"))
        shmem_free(private_words);
    else if (!strcmp(name, "lock-not-held"))
        shmem_clear_lock(words);
    else if (!strcmp(name, "lock-held")) {
        shmem_set_lock(words);
        shmem_set_lock(words);
    } else if (!strcmp(name, "private-lock"))
        shmem_test_lock(private_words);
    else if (!strcmp(name, "lock-damaged")) {
        for (int pe = 0; pe < shmem_n_pes(); pe++)
            shmem_long_p(words, 77, pe);
        shmem_set_lock(words);
    } else if (!strcmp(name, "module"))
        shmemx_module_init(NULL);
    else if (!strcmp(name, "no-module"))
        shmem_global_exit(shmemx_module_init(words) == 1 ? 134 : 0);
    else if (!strcmp(name, "no-library"))
        shmem_global_exit(shmemx_library_init(words) == 1 ? 134 : 0);
    else if (!strcmp(name, "no-module-to-forget"))
        shmem_global_exit(shmemx_module_finalize(words) == 1 ? 134 : 0);
    else if (!strcmp(name, "stream-null"))
        shmemx_stream_create(NULL);
    else if (!strcmp(name, "stream-default"))
        shmemx_stream_destroy(NULL);
    else if (!strcmp(name, "stream-unknown"))
        shmemx_stream_synchronize(words);
    else if (!strncmp(name, "stream-", 7)) {
        shmemx_stream_t stream;
        printf("PE 1: %d\n", shmemx_stream_create(&stream));
        if (!stream)
            return;
        shmemx_stream_destroy(stream);
        if (!strcmp(name, "stream-destroyed-twice"))
            shmemx_stream_destroy(stream);
        else if (!strcmp(name, "stream-synchronized-later"))
            shmemx_stream_synchronize(stream);
        else
            shmemx_putmem_on_stream(words, words + 1, 8, 0, stream);
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (!strcmp(name, "before-init"))
        shmem_barrier_all();
    shmem_init();
    if (!strncmp(name, "no-", 3) || !strncmp(name, "stream-", 7))
        shmemx_malloc_gpu(8);
    int me = shmem_my_pe();
    if (!strcmp(name, "after-finalize")) {
        shmem_finalize();
        if (me == 1)
            shmem_quiet();
        return 0;
    }
    if (!strcmp(name, "no-finalize"))
        return 0;
    if (!strcmp(name, "realloc-exhausted")) {
        char *object = shmem_malloc(1000);
        memset(object, me + 1, 1000);
        int kept = !shmem_realloc(object, 16 << 20);
        for (int i = 0; i < 1000; i++)
            kept = kept && object[i] == me + 1;
        printf("PE %d: %s\n", me, kept ? "kept" : "lost");
    } else if (!strcmp(name, "pinned-sizes-differ")) {
        shmem_malloc(me == 1 ? 16 << 20 : 64);
    } else if (!strcmp(name, "gpu-sizes-differ")) {
        shmemx_malloc_gpu(me == 1 ? 48 << 20 : 64);
    } else if (!strcmp(name, "fitting-differs")) {
        shmem_malloc(me == 1 ? 16 << 20 : 64);
    } else if (!strcmp(name, "zero-differs")) {
        shmem_malloc(me == 1 ? 0 : 64);
    } else if (!strcmp(name, "null-differs")) {
        void *object = shmem_malloc(64);
        shmem_free(me == 1 ? NULL : object);
    } else if (!strcmp(name, "one-allocates")) {
        if (me == 1)
            shmem_malloc(64);
        else
            shmem_barrier_all();
    } else if (!strcmp(name, "routines-differ")) {
        if (me == 1)
            shmem_calloc(1, 64);
        else
            shmem_malloc(64);
    } else if (!strcmp(name, "free-differs")) {
        void *objects[2] = {shmem_malloc(64), shmem_malloc(64)};
        shmem_free(objects[me]);
    } else if (!strcmp(name, "failing-copy")) {
        char *object = shmemx_malloc_gpu(64);
        if (me == 1)
            shmem_putmem_nbi(object, object + ((size_t)1 << 30), 8, 0);
        shmem_barrier_all();
    } else if (!strncmp(name, "team-", 5)) {
        long *source = shmem_calloc(64, sizeof *source), *dest = shmem_calloc(64, sizeof *dest);
        shmem_team_t team;
        if (!strcmp(name, "team-root"))
            shmem_broadcastmem(SHMEM_TEAM_WORLD, dest, source, 8, me);
        else if (!strcmp(name, "team-nelems"))
            shmem_long_sum_reduce(SHMEM_TEAM_WORLD, dest, source, me ? 0 : 4);
        else if (!strcmp(name, "team-dest"))
            shmem_long_fcollect(SHMEM_TEAM_WORLD, dest + me, source, 4);
        else if (!strcmp(name, "team-stride"))
            shmem_long_alltoalls(SHMEM_TEAM_WORLD, dest, source, 1 + me, 1, 4);
        else if (!strcmp(name, "team-routine") && me == 0)
            shmem_team_sync(SHMEM_TEAM_WORLD);
        else if (!strcmp(name, "team-routine"))
            shmem_long_collect(SHMEM_TEAM_WORLD, dest, source, 4);
        else if (!strcmp(name, "team-split"))
            shmem_team_split_strided(SHMEM_TEAM_WORLD, -me, 1, 1, NULL, 0, &team);
        else if (!strcmp(name, "team-overlap"))
            shmem_long_sum_reduce(SHMEM_TEAM_WORLD, source + 1, source, 4);
    } else if (!strncmp(name, "set-", 4)) {
        /* All PEs except the last one. */
        int size = shmem_n_pes() - 1, differs = me == 1;
        long *source = shmem_calloc(64, sizeof *source), *dest = shmem_calloc(64, sizeof *dest);
        long *sync = shmem_calloc(SHMEM_SYNC_SIZE, sizeof *sync);
        if (me == size)
            shmem_barrier_all();
        else if (!strcmp(name, "set-nelems"))
            shmem_broadcast64(dest, source, 4 + differs, 0, 0, 0, size, sync);
        else if (!strcmp(name, "set-root"))
            shmem_broadcast64(dest, source, 4, differs, 0, 0, size, sync);
        else if (!strcmp(name, "set-dest"))
            shmem_fcollect64(dest + differs, source, 4, 0, 0, size, sync);
        else if (!strcmp(name, "set-stride"))
            shmem_alltoalls64(dest, source, 1 + differs, 1, 4, 0, 0, size, sync);
        else if (differs)
            shmem_alltoall64(dest, source, 4, 0, 0, size, sync);
        else
            shmem_fcollect64(dest, source, 4, 0, 0, size, sync);
    } else if (!strcmp(name, "leaks")) {
        shmem_free(shmem_malloc(8));
        shmem_malloc(24);
        for (int i = 1; i < 12; i++)
            shmem_calloc(i, 8);
    } else if (!strcmp(name, "exhausted")) {
        void *object = shmem_malloc(16 << 20);
        printf("PE %d: %s\n", me, object ? "memory" : "NULL");
    } else if (!strcmp(name, "gpu-exhausted")) {
        void *object = shmemx_malloc_gpu(64 << 20);
        printf("PE %d: %s\n", me, object ? "memory" : "NULL");
    } else if (!strcmp(name, "image-version")) {
        if (me == 1)
            shmemx_impl_add_image(&image);
        shmemx_malloc_gpu(64);
    } else if (!strcmp(name, "large-alignment")) {
        shmem_malloc(8); /* at the only multiple in a small heap */
        void *object = shmem_align((size_t)4 << 20, 8);
        printf("PE %d: %s\n", me, object ? "memory" : "NULL");
    } else if (!strcmp(name, "nothing")) {
        printf("PE %d: %s\n", me, shmem_malloc(0) ? "memory" : "NULL");
    } else if (!strcmp(name, "sizes-differ")) {
        shmem_malloc(me == 1 ? 128 : 64);
    } else if (!strcmp(name, "free-inside")) {
        char *object = shmem_malloc(1024);
        shmem_free(object + 8);
    } else {
        long *words = shmem_malloc(1024);
        uint64_t *sig = shmem_calloc(1, 8);
        gone = shmem_malloc(2000);
        shmem_free(gone);
        if (me == 1)
            mistake(name, words, sig);
        shmem_barrier_all();
    }
    shmem_finalize();
    return 0;
}
