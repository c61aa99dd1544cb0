/* The first thread leaves by pthread_exit. The others go on, and the process ends with the last of them. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>

static pthread_t first;

static void *rest(void *unused) {
    (void)unused;
    pthread_join(first, NULL);
    shmem_barrier_all();
    printf("PE %d of %d\n", shmem_my_pe(), shmem_n_pes());
    fflush(stdout);
    shmem_finalize();
    return NULL;
}

int main(void) {
    int provided;
    pthread_t other;
    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    first = pthread_self();
    pthread_create(&other, NULL, rest, NULL);
    pthread_exit(NULL);
}
