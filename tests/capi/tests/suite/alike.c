/* All PEs make the same mistake. It is named by the last argument; before it may stand, for a job that no launcher
 * started, the number of this PE, that of all PEs and a file for the unique id. */
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long word;

static void join(int pe, int n, const char *path)
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
    shmemx_init_attr(pe, n, &id);
}

int main(int argc, char **argv)
{
    const char *mistake = argv[argc - 1];
    long private_word = 0;
    if (argc == 5) join(atoi(argv[1]), atoi(argv[2]), argv[3]);
    else if (!strcmp(mistake, "early")) shmem_barrier_all();
    else shmem_init();
    shmem_barrier_all();
    if (!strcmp(mistake, "pe"))
        shmem_long_p(&word, 1, -1);
    else if (!strcmp(mistake, "private"))
        shmem_long_put(&private_word, &private_word, 1, 0);
    else if (!strcmp(mistake, "contexts")) {
        shmem_ctx_t ctx;
        /* The last two fail. */
        for (int i = 0; i < 1026; i++)
            shmem_ctx_create(0, &ctx);
    } else if (!strcmp(mistake, "heap")) {
        if (shmem_malloc((size_t)1 << 50))
            exit(6);
    }
    shmem_finalize();
    if (!strcmp(mistake, "late"))
        shmem_quiet();
    return 0;
}
