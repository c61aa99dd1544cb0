/* The host library with NVSHMEM's names, without CUDA: on the emulated GPU. Started by shmemrun, or as
   `nvshmem uid|mpi FILE RANK PES`. With `mpi`, this program is its own MPI, which passes bytes on in the file. */
#include <nvshmem.h>
#include <nvshmemx.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me, n, failures;
static const char *file;

#define CHECK(what) \
    do { \
        if (!(what)) { \
            failures++; \
            printf("PE %d: line %d: not %s\n", me, __LINE__, #what); \
        } \
    } while (0)

static int hand_on(void *bytes, size_t size) {
    char fresh[4096];
    snprintf(fresh, sizeof fresh, "%s.new", file);
    FILE *open = NULL;
    if (me == 0) {
        open = fopen(fresh, "w");
        if (open == NULL || fwrite(bytes, size, 1, open) != 1 || fclose(open) != 0) return 1;
        return rename(fresh, file);
    }
    for (int i = 0; i < 6000 && open == NULL; i++, usleep(10000)) open = fopen(file, "r");
    if (open == NULL || fread(bytes, size, 1, open) != 1) return 1;
    return fclose(open);
}

/* As in Open MPI, or as in MPICH. */
#ifdef OPEN_MPI
typedef void *comm_t;
typedef void *type_t;
char ompi_mpi_byte[8];
#define BYTE ((type_t)ompi_mpi_byte)
static char world_itself[8];
static comm_t world = world_itself;
#else
typedef int comm_t;
typedef int type_t;
#define BYTE 0x4c00010d
static comm_t world = 0x44000000;
#endif
int MPI_Comm_rank(comm_t comm, int *rank);
int MPI_Comm_size(comm_t comm, int *size);
int MPI_Bcast(void *bytes, int count, type_t type, int root, comm_t comm);
int MPI_Comm_rank(comm_t comm, int *rank) {
    *rank = me;
    return comm != world;
}
int MPI_Comm_size(comm_t comm, int *size) {
    *size = n;
    return comm != world;
}
int MPI_Bcast(void *bytes, int count, type_t type, int root, comm_t comm) {
    if (type != BYTE || root != 0 || comm != world) return 1;
    return hand_on(bytes, (size_t)count);
}

static void join(int argc, char **argv) {
    CHECK(nvshmemx_init_status() == NVSHMEM_STATUS_NOT_INITIALIZED);
    if (argc < 5) {
        nvshmem_init();
        return;
    }
    /* As in many programs, nothing but what the flag names is initialised. */
    nvshmemx_init_attr_t attr;
    memset(&attr, 0xff, sizeof attr);
    file = argv[2], me = atoi(argv[3]), n = atoi(argv[4]);
    if (strcmp(argv[1], "mpi") == 0) {
        attr.mpi_comm = &world;
        CHECK(nvshmemx_init_attr(NVSHMEMX_INIT_WITH_MPI_COMM, &attr) == NVSHMEMX_SUCCESS);
        return;
    }
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    if (me == 0) CHECK(nvshmemx_get_uniqueid(&id) == 0);
    CHECK(hand_on(&id, sizeof id) == 0);
    CHECK(nvshmemx_set_attr_uniqueid_args(me, n, &id, &attr) == 0);
    CHECK(nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attr) == NVSHMEMX_SUCCESS);
}

static void memory(void) {
    CHECK(nvshmem_malloc(0) == NULL);
    nvshmem_free(NULL);
    int *words = nvshmem_calloc(300000, sizeof *words);
    int last = -1;
    nvshmem_getmem(&last, words + 299999, sizeof last, me);
    CHECK(last == 0);
    nvshmem_int_p(words, 100 + me, (me + 1) % n);
    nvshmem_barrier_all();
    CHECK(nvshmem_int_g(words, me) == 100 + (me + n - 1) % n);
    CHECK(nvshmem_ptr(words, -1) == NULL && nvshmem_ptr(words, n) == NULL && nvshmem_ptr(&last, me) == NULL);
    CHECK(nvshmemx_mc_ptr(NVSHMEM_TEAM_WORLD, words) == NULL);
    char *aligned = nvshmem_align(1 << 16, 100);
    CHECK(aligned != NULL && (uintptr_t)aligned % (1 << 16) == 0);
    nvshmem_free(aligned);
    nvshmem_free(words);
}

static void collectives(void) {
    long *from = nvshmem_malloc((size_t)n * sizeof *from), *to = nvshmem_malloc((size_t)n * sizeof *to), got = -1;
    uint64_t *sig = nvshmem_calloc(1, sizeof *sig);
    for (int i = 0; i < n; i++) nvshmem_long_p(from + i, 10 * me + i, me);
    nvshmem_barrier_all();
    long all = 10L * n * (n - 1) / 2;
    CHECK(nvshmem_long_sum_reduce(NVSHMEM_TEAM_WORLD, to, from, (size_t)n) == 0);
    CHECK(nvshmem_long_g(to + n - 1, me) == all + (long)n * (n - 1));
    nvshmem_barrier_all();
    CHECK(nvshmem_long_sum_reducescatter(NVSHMEM_TEAM_WORLD, to, from, 1) == 0);
    CHECK(nvshmem_long_g(to, me) == all + (long)n * me);
    nvshmem_barrier_all();
    CHECK(nvshmemx_long_alltoall_on_stream(NVSHMEM_TEAM_WORLD, to, from, 1, NULL) == 0);
    nvshmemx_getmem_on_stream(&got, to, sizeof got, me, NULL);
    nvshmemx_signal_op_on_stream(sig, 5, NVSHMEM_SIGNAL_SET, (me + 1) % n, NULL);
    nvshmemx_signal_wait_until_on_stream(sig, NVSHMEM_CMP_GE, 5, NULL);
    shmemx_stream_synchronize(NULL);
    CHECK(got == me);
    nvshmemx_signal_op(sig, 2, NVSHMEM_SIGNAL_ADD, (me + 1) % n);
    nvshmem_uint64_wait_until(sig, NVSHMEM_CMP_EQ, 7);
    nvshmem_barrier_all();
    nvshmem_free(from);
    nvshmem_free(to);
    nvshmem_free(sig);
}

static void teams(void) {
    nvshmem_team_t even = 77, row = 77, column = 77;
    /* Not read, because the mask is 0. */
    nvshmem_team_config_t *config = (nvshmem_team_config_t *)16;
    CHECK(nvshmem_team_my_pe(NVSHMEM_TEAM_INVALID) == -1 && nvshmem_team_n_pes(NVSHMEM_TEAM_INVALID) == -1);
    CHECK(nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE) == nvshmem_team_n_pes(NVSHMEM_TEAM_SHARED));
    nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, config, 0, &even);
    CHECK((even == NVSHMEM_TEAM_INVALID) == (me % 2 != 0));
    if (even != NVSHMEM_TEAM_INVALID) {
        CHECK(even > NVSHMEMX_TEAM_NODE && nvshmem_team_my_pe(even) == me / 2);
        CHECK(nvshmem_team_translate_pe(even, me / 2, NVSHMEM_TEAM_WORLD) == me);
        CHECK(nvshmem_barrier(even) == 0 && nvshmem_sync(even) == 0);
        nvshmem_team_destroy(even);
    }
    CHECK(nvshmem_team_split_2d(NVSHMEM_TEAM_WORLD, 2, config, 0, &row, config, 0, &column) == 0);
    CHECK(nvshmem_team_my_pe(row) == me % 2 && nvshmem_team_my_pe(column) == me / 2 && row != column);
    nvshmem_team_destroy(row);
    nvshmem_team_destroy(column);
}

int main(int argc, char **argv) {
    join(argc, argv);
    me = nvshmem_my_pe();
    n = nvshmem_n_pes();
    CHECK(nvshmemx_init_status() == NVSHMEM_STATUS_IS_INITIALIZED);
    nvshmem_init();
    memory();
    collectives();
    teams();
    /* The library's own names mean the same job. */
    CHECK(shmem_my_pe() == me && shmem_n_pes() == n);
    nvshmem_finalize();
    CHECK(nvshmem_my_pe() == me);
    nvshmem_finalize();
    CHECK(nvshmemx_init_status() == NVSHMEM_STATUS_NOT_INITIALIZED);
    if (failures == 0) printf("PE %d of %d\n", me, n);
    return failures != 0;
}
