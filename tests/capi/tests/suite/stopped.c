/* A PE that is stopped with requests for atomic operations under way: its node's other PE is served all the same. 4 PEs on 2 nodes. */
#define _DEFAULT_SOURCE
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 1000 };

static char state(long pid) {
    char name[64], line[512] = "", *end;
    snprintf(name, sizeof name, "/proc/%ld/stat", pid);
    FILE *file = fopen(name, "r");
    if (file && fgets(line, sizeof line, file)) {}
    if (file) fclose(file);
    end = strrchr(line, ')');
    return end ? end[2] : '?';
}

int main(void) {
    shmem_init();
    const int me = shmem_my_pe();
    int wrong = 0;
    long *words = shmem_calloc(7, sizeof *words), *pid = words, *go = words + 1, *served = words + 2, *over = words + 3;
    long *added = words + 4, *posted = words + 5, *sum = words + 6;
    if (me == 2) shmem_long_p(pid, getpid(), 1);
    shmem_barrier_all();
    if (me == 2) {
        long n = 0;
        for (; !shmem_long_test(over, SHMEM_CMP_EQ, 1); n++) shmem_long_atomic_add(added, 1, 0);
        shmem_long_p(posted, n, 0);
    } else if (me == 1) {
        while (shmem_long_g(added, 0) < MANY) usleep(1000);
        kill((pid_t)*pid, SIGSTOP);
        while (state(*pid) != 'T') usleep(1000);
        shmem_long_p(go, 1, 3);
        shmem_long_wait_until(served, SHMEM_CMP_EQ, 1);
        wrong += state(*pid) != 'T';
        kill((pid_t)*pid, SIGCONT);
        shmem_long_p(over, 1, 2);
    } else if (me == 3) {
        shmem_long_wait_until(go, SHMEM_CMP_EQ, 1);
        for (int i = 0; i < MANY; i++) wrong += shmem_long_atomic_fetch_add(sum, 1, 0) != i;
        shmem_long_p(served, 1, 1);
    }
    shmem_barrier_all();
    if (me == 0) wrong += (*added != *posted) + (*sum != MANY);
    printf("PE %d of %d: %d wrong\n", me, shmem_n_pes(), wrong);
    shmem_finalize();
    return 0;
}
