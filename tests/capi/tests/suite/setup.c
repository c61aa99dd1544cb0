/* Ways to join and to leave a job; the first argument selects one. */
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long *word;

static int initialized(void)
{
    int answer;
    shmem_query_initialized(&answer);
    return answer;
}

static void *put_for_ever(void *unused)
{
    (void)unused;
    for (;;) {
        shmem_long_p(word, 1, 0);
        shmem_quiet();
    }
    return NULL;
}

static void wait_for_ever(void)
{
    for (;;)
        pause();
}

static void *end_the_job(void *unused)
{
    (void)unused;
    usleep(50000);
    printf("the end");
    shmem_global_exit(7);
    return NULL;
}

static pthread_t start(void *(*function)(void *))
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, function, NULL))
        abort();
    return thread;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int requested = argc > 2 ? atoi(argv[2]) : SHMEM_THREAD_MULTIPLE, provided = -1;
    if (!strcmp(name, "exit-before-init"))
        exit(shmem_n_pes() == 0);
    if (initialized())
        printf("initialized before shmem_init\n");
    if (!strcmp(name, "finalize-first"))
        shmem_finalize();
    int failed = shmem_init_thread(requested, &provided);
    int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    word = shmem_malloc(sizeof *word);
    *word = 0;
    shmem_barrier_all();

    if (!strcmp(name, "levels")) {
        int asked = -1;
        shmem_query_thread(&asked);
        printf("PE %d: %d %d %d\n", me, failed, provided, asked);
        /* The first call has decided the level. */
        shmem_init_thread(SHMEM_THREAD_SINGLE, &asked);
        printf("PE %d: %d\n", me, asked);
        shmem_finalize();
    } else if (!strcmp(name, "pairs")) {
        shmem_init();
        shmem_init();
        shmem_finalize();
        shmem_long_p(word, me + 1, next);
        shmem_finalize();
        shmem_barrier_all();
        printf("PE %d: %ld %d", me, *word, initialized());
        shmem_finalize();
        printf(" %d\n", initialized());
        return 0;
    } else if (!strcmp(name, "surplus")) {
        shmem_finalize();
        if (me == 1) {
            shmem_finalize();
            shmem_finalize();
            printf("PE 1: %d\n", initialized());
        }
        return 0;
    } else if (!strcmp(name, "exit")) {
        if (me == 1)
            exit(3);
        shmem_barrier_all();
    } else if (!strcmp(name, "exit-at-once")) {
        if (me == 1)
            _exit(0);
        shmem_barrier_all();
    } else if (!strcmp(name, "exit-well")) {
        /* Outside of any collective, but not before the others are done. */
        if (me == 1)
            exit(0);
        usleep(50000);
        shmem_long_p(word, 5, 1);
    } else if (!strcmp(name, "detached")) {
        pthread_detach(start(put_for_ever));
        usleep(20000);
        return 0;
    } else if (!strcmp(name, "global-exit")) {
        if (me == 1)
            start(end_the_job);
        shmem_barrier_all();
        if (me == 1)
            wait_for_ever();
        shmem_barrier_all();
    } else if (!strcmp(name, "global-exit-in-wait")) {
        if (me == 1)
            start(end_the_job);
        shmem_long_wait_until(word, SHMEM_CMP_NE, 0);
    } else if (!strcmp(name, "global-exit-in-finalize")) {
        if (me == 1)
            start(end_the_job);
        else
            wait_for_ever();
        shmem_finalize();
    } else if (!strcmp(name, "global-exit-of-locked-streams")) {
        if (me == 1) {
            flockfile(stdout);
            printf("never ");
            shmem_global_exit(7);
        }
        if (me == 0)
            start(end_the_job);
        shmem_barrier_all();
    } else if (!strcmp(name, "fork")) {
        for (int i = 0; i < 2; i++) {
            int status = -1;
            pid_t child = fork();
            if (!child) {
                if (i)
                    shmem_finalize();
                exit(0);
            }
            if (waitpid(child, &status, 0) != child || status)
                printf("PE %d: a child ended with %d\n", me, status);
        }
        shmem_long_p(word, me + 1, next);
        shmem_barrier_all();
        printf("PE %d: %ld\n", me, *word);
    } else if (!strcmp(name, "null")) {
        char text[SHMEM_MAX_NAME_LEN];
        int minor = -1;
        shmem_query_thread(NULL);
        shmem_query_initialized(NULL);
        shmem_info_get_name(NULL);
        shmem_info_get_version(NULL, NULL);
        shmem_info_get_version(NULL, &minor);
        shmem_info_get_name(text);
        printf("PE %d: %d %.7s\n", me, minor, text);
    } else if (!strcmp(name, "accessible")) {
        int mine = 0;
        long *peer = shmem_ptr(word, next);
        if (!peer != (shmem_team_translate_pe(SHMEM_TEAM_WORLD, next, SHMEM_TEAM_SHARED) < 0))
            printf("PE %d: %p\n", me, (void *)peer);
        if (peer)
            *peer = 10 + me;
        else
            shmem_long_p(word, 10 + me, next);
        shmem_barrier_all();
        printf("PE %d: %ld %d%d%d %d%d%d\n", me, *word, shmem_pe_accessible(next), shmem_pe_accessible(-1),
               shmem_pe_accessible(shmem_n_pes()), shmem_addr_accessible(word, next),
               shmem_addr_accessible(&mine, next), shmem_addr_accessible(word, shmem_n_pes()));
    }
    return 0;
}
