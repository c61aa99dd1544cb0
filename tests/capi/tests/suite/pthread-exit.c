/* The first thread leaves with pthread_exit. The others go on, and the process ends with the last of them. */
#include <pthread.h>
#include <shmem.h>
#include <shmemx.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_t first;
static const char *how = "";

static void say(const char *text)
{
    printf("PE %d of %d%s\n", shmem_my_pe(), shmem_n_pes(), text);
    fflush(stdout);
}

static void leave(void)
{
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    say(sigismember(&blocked, SIGTERM) ? ", deaf" : ", at its end");
}

static void *rest(void *unused)
{
    (void)unused;
    if (!strcmp(how, "odd-name"))
        pthread_setname_np(pthread_self(), "\xff");
    pthread_join(first, NULL);
    /* Time for a library that ends the process too early to do so. */
    usleep(200000);
    shmem_barrier_all();
    if (strcmp(how, "no-finalize")) {
        say("");
        shmem_finalize();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t other;
    how = argc > 1 ? argv[1] : "";
    if (argc > 2) {
        shmemx_uniqueid_t id;
        shmemx_get_uniqueid(&id);
        shmemx_init_attr(0, 1, &id);
    } else {
        shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    }
    if (!strcmp(how, "no-finalize"))
        atexit(leave);
    first = pthread_self();
    pthread_create(&other, NULL, rest, NULL);
    pthread_exit(NULL);
}
