/* A job whose PEs are started by anything: each process is told its number, how many there are, and a file for the job's unique id.

     dir=$(mktemp -d); for pe in 0 1 2; do ./by-id $pe 3 $dir/id & done; wait; rmdir $dir

   PE 0 makes the id. Whoever can read the file can join the job, so only this user can, in a folder that only this user can write to. A
   program that has MPI or torch.distributed broadcasts the id instead. */

#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(shmemx_uniqueid_t *id, const char *path) {
    char draft[4096];
    snprintf(draft, sizeof draft, "%s.draft", path);
    shmemx_get_uniqueid(id);
    umask(077);
    FILE *file = fopen(draft, "wbx");
    if (!file || fwrite(id, sizeof *id, 1, file) != 1 || fclose(file) || rename(draft, path)) {
        perror(path);
        exit(1);
    }
}

static void find(shmemx_uniqueid_t *id, const char *path) {
    for (int i = 0; i < 30000; i++) {
        FILE *file = fopen(path, "rb");
        if (file && fread(id, sizeof *id, 1, file) == 1) {
            fclose(file);
            return;
        }
        usleep(1000);
    }
    fprintf(stderr, "%s: no unique id after 30 s\n", path);
    exit(1);
}

int main(int argc, char **argv) {
    if (argc != 4) {
        fprintf(stderr, "usage: by-id PE N_PES FILE\n");
        return 2;
    }
    int pe = atoi(argv[1]), n_pes = atoi(argv[2]);
    shmemx_uniqueid_t id;
    if (pe == 0) make(&id, argv[3]);
    else find(&id, argv[3]);
    shmemx_init_attr(pe, n_pes, &id);

    int *inbox = shmem_calloc(1, sizeof *inbox);
    shmem_p(inbox, 10 * pe, (pe + 1) % n_pes);
    shmem_barrier_all();
    printf("PE %d of %d: PE %d sent %d\n", pe, n_pes, (pe + n_pes - 1) % n_pes, *inbox);
    shmem_free(inbox);
    shmem_finalize();
    if (pe == 0) remove(argv[3]);
    return 0;
}
