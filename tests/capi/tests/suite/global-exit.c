/* One PE ends the job while the others do what the first argument says, and have output that is not flushed.
   The second argument is the PE that ends it. With three more, the job meets with a unique id: its file, PE, number of
   PEs. */
#include <shmem.h>
#include <shmemx.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void meet(const char *file, int pe, int n)
{
    shmemx_uniqueid_t id;
    char draft[4096];
    FILE *stream;
    if (pe == 0) {
        shmemx_get_uniqueid(&id);
        snprintf(draft, sizeof draft, "%s.draft", file);
        stream = fopen(draft, "w");
        if (!stream || fwrite(&id, sizeof id, 1, stream) != 1 || fclose(stream) || rename(draft, file))
            exit(90);
    } else {
        while (!(stream = fopen(file, "r")))
            usleep(1000);
        if (fread(&id, sizeof id, 1, stream) != 1)
            exit(91);
        fclose(stream);
    }
    shmemx_init_attr(pe, n, &id);
}

int main(int argc, char **argv)
{
    const char *what = argv[1];
    int ends[2], last = atoi(argv[2]);
    if (argc > 5)
        meet(argv[3], atoi(argv[4]), atoi(argv[5]));
    else
        shmem_init();
    int me = shmem_my_pe();
    long *here = shmem_calloc(1, sizeof *here), *never = shmem_calloc(1, sizeof *never);
    long *go = shmem_calloc(1, sizeof *go);
    FILE *second = fdopen(dup(1), "w");
    /* Nobody writes to what is standard input now. */
    if (!here || !never || !go || !second || pipe(ends) || dup2(ends[0], 0))
        return 92;
    /* Nothing flushes this: no newline follows, and it is short. */
    setvbuf(stdout, NULL, _IOFBF, 4096);
    printf("\nresult of PE %d", me);
    fprintf(second, "\nnote of PE %d", me);
    if (me == last) {
        shmem_long_wait_until(here, SHMEM_CMP_EQ, shmem_n_pes() - 1);
        if (!strcmp(what, "stopped")) {
            for (int pe = 0; pe < shmem_n_pes(); pe++)
                if (pe != me)
                    shmem_long_p(go, 1, pe);
            shmem_quiet();
            usleep(100000);
        }
        shmem_global_exit(5);
    }
    if (!strcmp(what, "locked"))
        flockfile(stdout);
    shmem_long_atomic_inc(here, last);
    /* What a stopped PE has posted to another node stays here. */
    shmem_quiet();
    if (!strcmp(what, "barrier"))
        shmem_barrier_all();
    else if (!strcmp(what, "finalize"))
        shmem_finalize();
    else if (!strcmp(what, "wait"))
        shmem_long_wait_until(never, SHMEM_CMP_NE, 0);
    else if (!strcmp(what, "read"))
        return (int)read(ends[0], &last, 1);
    else if (!strcmp(what, "input"))
        return getchar(); /* holds the lock of standard input */
    else if (!strcmp(what, "stopped")) {
        /* One that is stopped does nothing for what those of other nodes do before. */
        shmem_long_wait_until(go, SHMEM_CMP_EQ, 1);
        raise(SIGSTOP);
    }
    for (volatile long steps = 0;;)
        steps = steps + 1;
}
