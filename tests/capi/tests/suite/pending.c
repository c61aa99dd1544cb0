/* Checks that pending puts are complete after the routines for which the specification says so. PE 0 puts to PE 1's GPU
 * memory, as the last of a long queue of copies, and PE 1 looks at the result. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>

enum { FEW = 500, MANY = 2 << 20, TIMES = 12 };

static long *source, *large, *target, lock;
static int wrong;

/* Collective: PE 0 posts its copies. */
static void post(shmem_ctx_t ctx, long round)
{
    static long words[FEW];
    for (long i = 0; i < FEW; i++)
        words[i] = 1000 * round + i;
    shmem_long_put(source, words, FEW, shmem_my_pe());
    shmem_barrier_all();
    if (shmem_my_pe() != 0)
        return;
    for (int i = 0; i < TIMES; i++)
        shmem_ctx_long_put_nbi(ctx, large, source, MANY, 1);
    shmem_ctx_long_put_nbi(ctx, target, source, FEW, 1);
}

static void expect(const char *after, long round)
{
    static long words[FEW];
    if (shmem_my_pe() != 1)
        return;
    shmem_long_get(words, target, FEW, 1);
    for (long i = 0; i < FEW; i++)
        if (words[i] != 1000 * round + i) {
            printf("after %s word %ld is %ld\n", after, i, words[i]);
            wrong++;
            return;
        }
}

static void contexts(void)
{
    shmem_ctx_t ctx, of_team;
    shmem_team_t team;
    if (shmem_ctx_create(0, &ctx) || shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &team) ||
        shmem_team_create_ctx(team, 0, &of_team))
        abort();
    post(ctx, 1);
    shmem_ctx_destroy(ctx);
    shmem_sync_all();
    expect("shmem_ctx_destroy", 1);
    post(of_team, 2);
    shmem_team_destroy(team);
    shmem_sync_all();
    expect("shmem_team_destroy", 2);
}

static void allocation(void)
{
    post(SHMEM_CTX_DEFAULT, 3);
    char *object = shmem_malloc(8);
    expect("shmem_malloc", 3);
    post(SHMEM_CTX_DEFAULT, 4);
    object = shmem_realloc(object, 10000);
    expect("shmem_realloc", 4);
    post(SHMEM_CTX_DEFAULT, 5);
    shmem_free(object);
    expect("shmem_free", 5);
    post(SHMEM_CTX_DEFAULT, 6);
    object = shmem_calloc(1, 8);
    expect("shmem_calloc", 6);
    post(SHMEM_CTX_DEFAULT, 7);
    shmem_align(512, 8);
    expect("shmem_align", 7);
    post(SHMEM_CTX_DEFAULT, 8);
    shmemx_malloc_gpu(8);
    expect("shmemx_malloc_gpu", 8);
}

int main(void)
{
    shmem_init();
    source = shmemx_malloc_gpu(MANY * sizeof(long));
    large = shmemx_malloc_gpu(MANY * sizeof(long));
    target = shmemx_malloc_gpu(FEW * sizeof(long));
    contexts();
    allocation();
    post(SHMEM_CTX_DEFAULT, 9);
    shmem_barrier_all();
    expect("shmem_barrier_all", 9);
    if (shmem_my_pe() == 0)
        shmem_set_lock(&lock);
    post(SHMEM_CTX_DEFAULT, 10);
    if (shmem_my_pe() == 1)
        shmem_set_lock(&lock);
    expect("shmem_clear_lock", 10);
    shmem_clear_lock(&lock);
    post(SHMEM_CTX_DEFAULT, 11);
    shmem_quiet();
    shmem_sync_all();
    expect("shmem_quiet", 11);
    printf("PE %d: %d wrong\n", shmem_my_pe(), wrong);
    shmem_finalize();
    return wrong != 0;
}
