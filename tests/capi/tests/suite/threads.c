/* Several threads of each PE exchange data with the same threads of the next PE, while main allocates and resizes. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 500, LEN = 40 };

static int me, next, previous, wrong;
static long *data, *counter;
static uint64_t *sig, *ack;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define EXPECT(condition)                                                  \
    do {                                                                   \
        if (!(condition)) {                                                \
            pthread_mutex_lock(&lock);                                     \
            printf("PE %d: line %d: %s\n", me, __LINE__, #condition);      \
            wrong++;                                                       \
            pthread_mutex_unlock(&lock);                                   \
        }                                                                  \
    } while (0)

static void *exchange(void *argument)
{
    int t = *(int *)argument;
    long *mine = data + t * LEN, words[LEN], back[LEN];
    for (uint64_t round = 1; round <= ROUNDS; round++) {
        shmem_signal_wait_until(ack + t, SHMEM_CMP_GE, round - 1);
        for (int i = 0; i < LEN; i++)
            words[i] = (long)round * 1000 + t * 100 + i;
        shmem_long_put_signal(mine, words, LEN, sig + t, round, SHMEM_SIGNAL_SET, next);
        shmem_uint64_wait_until(sig + t, SHMEM_CMP_GE, round);
        EXPECT(!memcmp(mine, words, sizeof words));
        shmem_long_put_nbi(mine, words, LEN, next);
        shmem_quiet();
        shmem_long_get(back, mine, LEN, next);
        EXPECT(!memcmp(back, words, sizeof words));
        shmem_long_atomic_inc(counter, (int)round % 2 ? next : me);
        EXPECT(shmem_long_atomic_fetch_add(counter + 1, 1, next) >= 0);
        shmem_uint64_p(ack + t, round, previous);
        shmem_fence();
    }
    return NULL;
}

int main(void)
{
    int provided, numbers[THREADS];
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    me = shmem_my_pe();
    next = (me + 1) % shmem_n_pes();
    previous = (me + shmem_n_pes() - 1) % shmem_n_pes();
    EXPECT(provided == SHMEM_THREAD_MULTIPLE);
    data = shmem_calloc(THREADS * LEN, sizeof *data);
    counter = shmem_calloc(2, sizeof *counter);
    sig = shmem_calloc(THREADS, sizeof *sig);
    ack = shmem_calloc(THREADS, sizeof *ack);
    pthread_t threads[THREADS];
    for (int t = 0; t < THREADS; t++) {
        numbers[t] = t;
        if (pthread_create(threads + t, NULL, exchange, numbers + t))
            abort();
    }
    for (long round = 0; round < ROUNDS; round++) {
        long *object = shmem_malloc((1 + round % 70) * sizeof *object);
        shmem_long_p(object, 1000 * me + round, next);
        object = shmem_realloc(object, (1 + round * 7 % 300) * sizeof *object);
        EXPECT(*object == 1000 * previous + round);
        shmem_barrier_all();
        shmem_free(object);
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(threads[t], NULL);
    shmem_barrier_all();
    EXPECT(counter[0] == THREADS * ROUNDS && counter[1] == THREADS * ROUNDS);
    shmem_barrier_all();
    shmem_free(data);
    shmem_free(counter);
    shmem_free(sig);
    shmem_free(ack);
    printf("PE %d: %d wrong\n", me, wrong);
    shmem_finalize();
    return 0;
}
