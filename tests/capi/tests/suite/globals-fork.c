/* A forked child has the globals as they were when it was forked, and what it writes is private to it. With an
 * argument, the PEs of each node form a ring; without, all PEs do. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long before = 11;
static long after[20000];
static long from_peer;
static long prepared;
static int wrong;

#define CHECK(condition)                                                                                                     \
    do {                                                                                                                     \
        if (!(condition)) {                                                                                                  \
            printf("line %d: %s\n", __LINE__, #condition);                                                                   \
            wrong++;                                                                                                         \
        }                                                                                                                    \
    } while (0)

static void prepare(void)
{
    prepared++;
}

static void in_child(void)
{
    prepared += 100;
}

static int status_of(pid_t child)
{
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Writes everywhere after the parent has done so, and forks again. */
static int child(int go)
{
    char byte;
    if (read(go, &byte, 1) != 1)
        return 2;
    int right = before == 11 && after[0] == 5 && after[19999] == 0 && prepared % 100 != 0 && prepared >= 100;
    before = -1;
    after[19999] = -1;
    after[10000] = -1;
    from_peer = -1;
    prepared = -1000;
    pid_t inner = fork();
    if (inner == 0) {
        int same = before == -1 && after[19999] == -1;
        before = -2;
        _exit(same ? 0 : 1);
    }
    int inside = status_of(inner);
    return right && inside == 0 && before == -1 ? 0 : 1;
}

static void *forks(void *unused)
{
    (void)unused;
    int go[2];
    if (pipe(go))
        abort();
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        _exit(child(go[0]));
    before = 12;
    after[0] = 6;
    CHECK(write(go[1], "", 1) == 1);
    CHECK(status_of(pid) == 0);
    CHECK(before == 12 && after[0] == 6 && after[19999] == 0 && after[10000] == 0 && from_peer != -1);
    before = 11;
    after[0] = 5;
    close(go[0]);
    close(go[1]);
    return NULL;
}

int main(int argc, char **argv)
{
    after[0] = 5;
    pthread_atfork(prepare, NULL, in_child);
    forks(NULL);
    shmem_init();
    shmem_team_t ring = argc > 1 ? SHMEM_TEAM_SHARED : SHMEM_TEAM_WORLD;
    int me = shmem_my_pe(), size = shmem_team_n_pes(ring), at = shmem_team_my_pe(ring);
    int next = shmem_team_translate_pe(ring, (at + 1) % size, SHMEM_TEAM_WORLD);
    int previous = shmem_team_translate_pe(ring, (at + size - 1) % size, SHMEM_TEAM_WORLD);
    (void)argv;
    forks(NULL);
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, forks, NULL);
    pthread_join(threads[0], NULL);
    CHECK(prepared == 3);
    CHECK(system("exit 3") >> 8 == 3);
    FILE *echo = popen("echo text", "r");
    char line[16] = "";
    CHECK(echo && fgets(line, sizeof line, echo) && !strcmp(line, "text\n"));
    if (echo)
        pclose(echo);
    CHECK(prepared == 3);
    /* Peers see the parent's globals and never the child's. */
    pid_t pid = fork();
    if (pid == 0) {
        from_peer = -7;
        _exit(0);
    }
    CHECK(status_of(pid) == 0);
    shmem_barrier_all();
    shmem_long_p(&from_peer, me + 1, next);
    shmem_barrier_all();
    CHECK(from_peer == previous + 1 && shmem_long_g(&from_peer, next) == me + 1);
    printf("PE %d of %d: %d wrong\n", me, shmem_n_pes(), wrong);
    shmem_finalize();
    return wrong != 0;
}
