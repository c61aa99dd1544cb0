/* Uses globals as counters, locks and signals in a job that is started by shmemrun or torchrun (no arguments), by a loop
 * (arguments: PE, number of PEs, a file for the unique id), or by a process that forks its PEs (argument: their
 * number). */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static long counter, lock, guarded;
static uint64_t sig;

static void by_file(int pe, int n, const char *path)
{
    shmemx_uniqueid_t id;
    char draft[4096];
    if (pe == 0) {
        shmemx_get_uniqueid(&id);
        snprintf(draft, sizeof draft, "%s.draft", path);
        FILE *file = fopen(draft, "wb");
        if (!file || fwrite(&id, sizeof id, 1, file) != 1 || fclose(file) || rename(draft, path))
            exit(3);
    } else {
        for (int tries = 0;; tries++) {
            FILE *file = fopen(path, "rb");
            if (file && fread(&id, sizeof id, 1, file) == 1) {
                fclose(file);
                break;
            }
            if (tries == 30000)
                exit(4);
            usleep(1000);
        }
    }
    if (shmemx_init_attr(pe, n, &id))
        exit(5);
}

static void by_fork(int n)
{
    shmemx_uniqueid_t id;
    int pe = 0;
    shmemx_get_uniqueid(&id);
    for (int child = 1; child < n && pe == 0; child++)
        if (fork() == 0)
            pe = child;
    if (shmemx_init_attr(pe, n, &id))
        exit(5);
}

int main(int argc, char **argv)
{
    if (argc == 4) by_file(atoi(argv[1]), atoi(argv[2]), argv[3]);
    else if (argc == 2) by_fork(atoi(argv[1]));
    else shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    for (int round = 0; round < 100; round++)
        shmem_long_atomic_inc(&counter, 0);
    /* All PEs want the lock at once, and each lets the others run between its load and its store: without the lock,
     * updates would be lost. */
    shmem_barrier_all();
    for (int round = 0; round < 20; round++) {
        shmem_set_lock(&lock);
        long before = shmem_long_g(&guarded, 0);
        usleep(100);
        shmem_long_p(&guarded, before + 1, 0);
        shmem_quiet();
        shmem_clear_lock(&lock);
    }
    shmem_signal_add(&sig, 1, (me + 1) % n);
    shmem_signal_wait_until(&sig, SHMEM_CMP_EQ, 1);
    shmem_barrier_all();
    printf("PE %d of %d: counted %ld, guarded %ld\n", me, n, shmem_long_g(&counter, 0), shmem_long_g(&guarded, 0));
    fflush(stdout);
    shmem_finalize();
    if (argc == 2 && me == 0)
        while (wait(NULL) > 0)
            ;
    return 0;
}
