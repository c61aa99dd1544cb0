/* A process that joins a job again and again.

     rejoin rounds N            N rounds, each begun by another routine; then prints what the process holds
     rejoin ids PE N_PES FILE   six rounds with unique ids, which PE 0 writes to FILE and a number
     rejoin between             a call between two jobs
     rejoin alone               PE 1 begins a second round, and the others exit */
#include <dirent.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of rounds after which nothing may grow. */
#define SETTLED 50

static long counter = 7;

static void check(int is_right, const char *what, int round)
{
    if (!is_right) {
        fprintf(stderr, "round %d: wrong %s\n", round, what);
        exit(9);
    }
}

static int initialized(void)
{
    int answer = -1;
    shmem_query_initialized(&answer);
    return answer;
}

/* What a job can do. Nothing is freed or destroyed. */
static void use(int round)
{
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, last = (me + n - 1) % n;
    int *word = shmem_calloc(2, sizeof *word);
    shmem_int_p(word, 100 * round + me, next);
    shmem_int_atomic_inc(word + 1, 0);
    shmem_barrier_all();
    check(*word == 100 * round + last, "word", round);
    check(me || word[1] == n, "count", round);

    check(counter == 7 + round, "global before", round);
    shmem_barrier_all();
    shmem_long_p(&counter, 8 + round, next);
    shmem_barrier_all();
    check(counter == 8 + round, "global", round);

    shmem_ctx_t ctx;
    check(!shmem_ctx_create(0, &ctx), "context", round);
    shmem_ctx_int_put_nbi(ctx, word, &(int){round}, 1, next);
    shmem_team_t team;
    check(!shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &team), "team", round);
    int sum = -1;
    int *terms = shmem_malloc(2 * sizeof *terms);
    terms[0] = me;
    shmem_int_sum_reduce(team, terms + 1, terms, 1);
    sum = terms[1];
    check(sum == n * (n - 1) / 2, "sum", round);

    const char *gpu = getenv("CUSHMEM_GPU");
    if (gpu && strcmp(gpu, "none")) {
        long value = 1000 + round, back = 0;
        long *on_gpu = shmemx_malloc_gpu(4096);
        check(on_gpu != NULL, "GPU memory", round);
        shmem_putmem(on_gpu, &value, sizeof value, next);
        shmem_barrier_all();
        shmem_getmem(&back, on_gpu, sizeof back, me);
        check(back == value, "word of a GPU", round);
    }
}

static void init_by(int way)
{
    int provided = -1;
    check(initialized() == 0, "answer before", way);
    if (way % 3 == 0)
        shmem_init();
    else if (way % 3 == 1)
        check(!shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) && provided == SHMEM_THREAD_MULTIPLE, "level", way);
    else
        start_pes(0);
    check(initialized() == 1, "answer", way);
}

struct held {
    long fds, threads, mappings, kib;
};

static long entries(const char *folder)
{
    long n = 0;
    DIR *all = opendir(folder);
    while (all && readdir(all))
        n++;
    closedir(all);
    return n;
}

/* What this process holds. Threads that have been told to end may take a while. */
static struct held held(long threads)
{
    struct held now = {entries("/proc/self/fd"), entries("/proc/self/task"), 0, 0};
    for (int i = 0; i < 1000 && now.threads > threads; i++) {
        usleep(10000);
        now.threads = entries("/proc/self/task");
    }
    now.fds = entries("/proc/self/fd");
    char line[4096];
    FILE *maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps))
        now.mappings++;
    fclose(maps);
    FILE *status = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, status))
        if (sscanf(line, "VmRSS: %ld", &now.kib) == 1)
            break;
    fclose(status);
    return now;
}

static void rounds(int n)
{
    struct held before = {0, 0, 0, 0};
    for (int round = 0; round < n; round++) {
        init_by(round);
        use(round);
        shmem_finalize();
        if (round + 1 == SETTLED)
            before = held(entries("/proc/self/task"));
    }
    if (n <= SETTLED)
        return;
    struct held after = held(before.threads);
    int grew = after.fds > before.fds || after.threads > before.threads || after.mappings > before.mappings + 8
        || after.kib > before.kib + 2048;
    if (grew)
        fprintf(stderr, "fds %ld to %ld, threads %ld to %ld, mappings %ld to %ld, KiB %ld to %ld\n", before.fds, after.fds,
            before.threads, after.threads, before.mappings, after.mappings, before.kib, after.kib);
    check(!grew, "growth", n);
}

static void make(shmemx_uniqueid_t *id, const char *path)
{
    char draft[4200];
    snprintf(draft, sizeof draft, "%s.draft", path);
    shmemx_get_uniqueid(id);
    FILE *file = fopen(draft, "wb");
    if (!file || fwrite(id, sizeof *id, 1, file) != 1 || fclose(file) || rename(draft, path))
        exit(8);
}

static void find(shmemx_uniqueid_t *id, const char *path)
{
    for (int i = 0; i < 30000; i++) {
        FILE *file = fopen(path, "rb");
        if (file && fread(id, sizeof *id, 1, file) == 1) {
            fclose(file);
            return;
        }
        usleep(1000);
    }
    exit(7);
}

/* In rounds 1 and 4, the same PEs use the id a second time. In rounds 2 and 5, the last PE is left out. */
static void ids(int pe, int n_pes, const char *file)
{
    shmemx_uniqueid_t id;
    for (int round = 0; round < 6; round++) {
        char path[4100];
        int n = round % 3 == 2 ? n_pes - 1 : n_pes;
        if (pe >= n) {
            counter++;
            continue;
        }
        snprintf(path, sizeof path, "%s.%d", file, round);
        if (round % 3 == 1)
            ;
        else if (pe == 0)
            make(&id, path);
        else
            find(&id, path);
        shmemx_init_attr(pe, n, &id);
        check(shmem_my_pe() == pe && shmem_n_pes() == n, "job", round);
        use(round);
        shmem_finalize();
        if (pe == 0)
            remove(path);
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    if (!strcmp(name, "rounds") && argc > 2) {
        rounds(atoi(argv[2]));
    } else if (!strcmp(name, "ids") && argc > 4) {
        ids(atoi(argv[2]), atoi(argv[3]), argv[4]);
    } else if (!strcmp(name, "between")) {
        shmem_init();
        shmem_finalize();
        shmem_init();
        shmem_finalize();
        shmem_n_pes();
    } else if (!strcmp(name, "alone")) {
        shmem_init();
        int me = shmem_my_pe();
        shmem_finalize();
        if (me == 1) {
            shmem_init();
            shmem_finalize();
        }
    } else if (!strcmp(name, "without")) {
        shmem_init();
        int me = shmem_my_pe();
        shmem_finalize();
        shmem_init();
        if (me == 1)
            _exit(0);
        shmem_finalize();
    }
    return 0;
}
