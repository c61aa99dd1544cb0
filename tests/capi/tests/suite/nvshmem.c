/* The host library with NVSHMEM's names, without CUDA: on the emulated GPU. Started by shmemrun, or as
   `nvshmem uid|mpi FILE RANK PES`. With `mpi`, this program is its own MPI, which passes bytes on in the file. */
#include <nvshmem.h>
#include <nvshmemx.h>
#include <non_abi/nvshmem_version.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The numbers of NVSHMEM 3.4.5. Programs in Python and other languages have them as literals. */
#define IS(what, number) _Static_assert((what) == (number), "NVSHMEM's number")
IS(NVSHMEM_VENDOR_VERSION, 30405);
IS(NVSHMEM_CMP_EQ, 0);
IS(NVSHMEM_CMP_NE, 1);
IS(NVSHMEM_CMP_GT, 2);
IS(NVSHMEM_CMP_LE, 3);
IS(NVSHMEM_CMP_LT, 4);
IS(NVSHMEM_CMP_GE, 5);
IS(NVSHMEM_SIGNAL_SET, 9);
IS(NVSHMEM_SIGNAL_ADD, 10);
IS(NVSHMEM_TEAM_INVALID, -1);
IS(NVSHMEM_TEAM_WORLD, 0);
IS(NVSHMEM_TEAM_SHARED, 1);
IS(NVSHMEMX_TEAM_NODE, 2);
IS(NVSHMEMX_TEAM_SAME_MYPE_NODE, 3);
IS(NVSHMEMX_SUCCESS, 0);
IS(NVSHMEMX_ERROR_INVALID_VALUE, 1);
IS(NVSHMEMX_ERROR_INTERNAL, 7);
IS(NVSHMEM_STATUS_NOT_INITIALIZED, 0);
IS(NVSHMEM_STATUS_IS_BOOTSTRAPPED, 1);
IS(NVSHMEM_STATUS_IS_INITIALIZED, 2);
IS(NVSHMEM_STATUS_LIMITED_MPG, 3);
IS(NVSHMEM_STATUS_FULL_MPG, 4);
IS(NVSHMEM_STATUS_INVALID, 2147483647);
IS(NVSHMEMX_INIT_THREAD_PES, 1);
IS(NVSHMEMX_INIT_WITH_MPI_COMM, 2);
IS(NVSHMEMX_INIT_WITH_SHMEM, 4);
IS(NVSHMEMX_INIT_WITH_UNIQUEID, 8);
IS(NVSHMEM_THREAD_SERIALIZED, 2);
IS(NVSHMEM_THREAD_MULTIPLE, 3);
IS(NVSHMEM_MAX_NAME_LEN, 256);
IS(sizeof(nvshmem_team_t), 4);
IS(sizeof(nvshmem_team_config_t), 64);
IS(offsetof(nvshmem_team_config_t, num_contexts), 4);
IS(offsetof(nvshmem_team_config_t, uniqueid), 8);
IS(sizeof(nvshmemx_uniqueid_t), 128);
IS(sizeof(nvshmemx_uniqueid_args_t), 24);
IS(offsetof(nvshmemx_uniqueid_args_t, id), 8);
IS(offsetof(nvshmemx_uniqueid_args_t, myrank), 16);
IS(offsetof(nvshmemx_uniqueid_args_t, nranks), 20);
IS(sizeof(nvshmemx_init_args_t), 128);
IS(offsetof(nvshmemx_init_args_t, uid_args), 8);
IS(sizeof(nvshmemx_init_attr_t), 144);
IS(offsetof(nvshmemx_init_attr_t, mpi_comm), 8);
IS(offsetof(nvshmemx_init_attr_t, args), 16);

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

/* Takes the library's place: there is no id, emulated GPUs are shared, or MPI has the handles of its own ABI. */
#ifdef PES_ON_GPU
int shmemx_impl_pes_on_my_gpu(void);
int shmemx_impl_pes_on_my_gpu(void) { return PES_ON_GPU; }
#endif
#ifdef NO_ID
int shmemx_get_uniqueid(shmemx_uniqueid_t *id) {
    memset(id, 0xff, sizeof *id);
    return 1;
}
#endif
#ifdef MPI_ABI
int MPI_Abi_get_version(int *major, int *minor);
int MPI_Abi_get_version(int *major, int *minor) {
    *major = MPI_ABI, *minor = 0;
    return 0;
}
#endif

static void join(int argc, char **argv) {
    CHECK(nvshmemx_init_status() == NVSHMEM_STATUS_NOT_INITIALIZED);
    if (argc < 5) {
        nvshmem_init();
        return;
    }
    /* As in many programs, nothing but what the flag names is initialised. */
    nvshmemx_init_attr_t attr;
    memset(&attr, 0xff, sizeof attr);
    CHECK(nvshmemx_init_attr(1 << 4, &attr) == NVSHMEMX_ERROR_INVALID_VALUE);
    file = argv[2], me = atoi(argv[3]), n = atoi(argv[4]);
    if (strcmp(argv[1], "mpi") == 0) {
        attr.mpi_comm = &world;
#ifdef FAILS
        if (nvshmemx_init_attr(NVSHMEMX_INIT_WITH_MPI_COMM, &attr) != FAILS) printf("PE %d: another status\n", me);
        exit(0);
#endif
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
        CHECK(even > 3 && nvshmem_team_my_pe(even) == me / 2);
        CHECK(nvshmem_team_translate_pe(even, me / 2, NVSHMEM_TEAM_WORLD) == me);
        CHECK(nvshmem_barrier(even) == 0 && nvshmem_sync(even) == 0);
        nvshmem_team_destroy(even);
    }
    CHECK(nvshmem_team_split_2d(NVSHMEM_TEAM_WORLD, 2, config, 0, &row, config, 0, &column) == 0);
    CHECK(row > 3 && column > 3);
    CHECK(nvshmem_team_my_pe(row) == me % 2 && nvshmem_team_my_pe(column) == me / 2 && row != column);
    nvshmem_team_destroy(row);
    nvshmem_team_destroy(column);
}

/* The PEs that have this PE's place on their nodes, which have equally many. */
static void places(void) {
    const nvshmem_team_t across = NVSHMEMX_TEAM_SAME_MYPE_NODE;
    int on_node = nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE), place = nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE);
    CHECK(nvshmem_team_n_pes(across) == n / on_node && nvshmem_team_my_pe(across) == me / on_node);
    for (int i = 0; i < n / on_node; i++) CHECK(nvshmem_team_translate_pe(across, i, NVSHMEM_TEAM_WORLD) == i * on_node + place);
    long *from = nvshmem_malloc(sizeof *from), *to = nvshmem_malloc(sizeof *to), all = 0;
    for (int i = 0; i < n / on_node; i++) all += 1L << (i * on_node + place);
    nvshmem_long_p(from, 1L << me, me);
    CHECK(nvshmem_long_sum_reduce(across, to, from, 1) == 0 && nvshmem_long_g(to, me) == all);
    CHECK(nvshmem_barrier(across) == 0);
    nvshmem_team_t part = 77;
    CHECK(nvshmem_team_split_strided(across, 0, 1, 1, NULL, 0, &part) == 0);
    CHECK((part == NVSHMEM_TEAM_INVALID) == (me >= on_node));
    if (part != NVSHMEM_TEAM_INVALID) nvshmem_team_destroy(part);
    nvshmem_free(from);
    nvshmem_free(to);
}

/* Where NVSHMEM has a status, what is wrong is one, and the job goes on. */
static void statuses(void) {
    long *words = nvshmem_malloc(2 * sizeof *words);
    nvshmem_team_t x = 77, y = 77;
    const int wrong = NVSHMEMX_ERROR_INVALID_VALUE;
    for (nvshmem_team_t team = -2; team < 60; team++) {
        if (team == -1 || team > 20) CHECK(nvshmem_long_sum_reduce(team, words, words + 1, 1) == wrong);
        if (team < 0 || team > 20) {
            CHECK(nvshmem_team_my_pe(team) == -1 && nvshmem_team_n_pes(team) == -1);
            CHECK(nvshmem_team_translate_pe(team, 0, NVSHMEM_TEAM_WORLD) == -1);
            CHECK(nvshmem_team_translate_pe(NVSHMEM_TEAM_WORLD, 0, team) == -1);
            CHECK(nvshmem_barrier(team) == wrong && nvshmem_team_sync(team) == wrong);
            CHECK(nvshmemx_long_sum_reduce_on_stream(team, words, words + 1, 1, NULL) == wrong);
            CHECK(nvshmem_long_sum_reducescatter(team, words, words + 1, 1) == wrong);
            CHECK(nvshmem_team_split_strided(team, 0, 1, 1, NULL, 0, &x) == wrong && x == NVSHMEM_TEAM_INVALID);
            x = 77;
            CHECK(nvshmem_team_split_2d(team, 1, NULL, 0, &x, NULL, 0, &y) == wrong && x == NVSHMEM_TEAM_INVALID && y == x);
        }
    }
    CHECK(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, NULL) == wrong);
    CHECK(nvshmem_long_broadcast(NVSHMEM_TEAM_WORLD, words, words + 1, 1, -1) == wrong);
    CHECK(nvshmem_long_broadcast(NVSHMEM_TEAM_WORLD, words, words + 1, 1, n) == wrong);
    CHECK(nvshmemx_long_broadcast_on_stream(NVSHMEM_TEAM_WORLD, words, words + 1, 1, n, NULL) == wrong);
    CHECK(nvshmemx_cumodule_init(NULL) == wrong && nvshmemx_cumodule_finalize(NULL) == wrong);
    CHECK(nvshmemx_culibrary_init(NULL) == wrong && nvshmemx_culibrary_finalize(NULL) == wrong);
    int least = nvshmemx_ask_smem(NVSHMEMX_SMEM_MINIMUM), barriers = nvshmemx_ask_smem(NVSHMEMX_SMEM_BARRIERS_ONLY);
    CHECK(nvshmemx_ask_smem(NVSHMEMX_SMEM_RECOMMENDED) >= least && least > barriers && barriers > 0);
    CHECK(nvshmem_init_thread(17, &failures) == wrong && nvshmem_init_thread(0, NULL) == wrong);
    nvshmem_free(words);
}

/* Waits for words of 16 bits, also negative ones. */
static void shorts(void) {
    short *word = nvshmem_calloc(2, sizeof *word);
    unsigned short *other = (unsigned short *)(word + 1);
    int next = (me + 1) % n, left = (me + n - 1) % n;
    nvshmemx_short_p_on_stream(word, (short)(-5 - me), next, NULL);
    nvshmemx_short_wait_until_on_stream(word, NVSHMEM_CMP_LT, -4, NULL);
    nvshmemx_ushort_p_on_stream(other, (unsigned short)(65000 + me), next, NULL);
    nvshmemx_ushort_wait_until_on_stream(other, NVSHMEM_CMP_GE, 65000, NULL);
    shmemx_stream_synchronize(NULL);
    CHECK(nvshmem_short_g(word, me) == -5 - left && nvshmem_ushort_g(other, me) == 65000 + left);
    nvshmem_barrier_all();
    nvshmem_free(word);
}

/* CUDA's runtime, with a GPU on which 40 blocks are resident together. */
static unsigned int launched;
int cudaGetDevice(int *device) { return *device = 0; }
int cudaDeviceGetAttribute(int *value, int attribute, int device) {
    *value = 20;
    return attribute != cudaDevAttrMultiProcessorCount || device != 0;
}
int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel, int lanes, size_t shared) {
    *blocks = 2;
    return kernel == NULL || lanes != 64 || shared != 8;
}
int cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream) {
    launched = grid.x * grid.y * grid.z;
    return kernel == NULL || block.x != 64 || args != NULL || shared != 8 || stream != NULL;
}

/* Only the first name is known. */
static int named, last_error;
int cudaFuncGetName(const char **name, const void *kernel) {
    *name = kernel == NULL || named++ > 0 ? "nonsense" : "_Z5solvePi";
    return last_error = named > 1;
}
int cudaGetLastError(void) {
    int error = last_error;
    last_error = 0;
    return error;
}

/* PEs that share a GPU share what is resident. */
static void launches(int has_gpu) {
    int blocks = -1, more = 0;
    dim3 block = {64, 1, 1}, whole = {0, 1, 1};
    if (!has_gpu) {
        CHECK(nvshmemx_collective_launch(&more, whole, block, NULL, 8, NULL) == NVSHMEMX_ERROR_INTERNAL && launched == 0);
        return;
    }
    CHECK(nvshmemx_collective_launch(&more, whole, block, NULL, 8, NULL) == NVSHMEMX_SUCCESS);
    int pes = nvshmemx_impl_pes_on_my_gpu();
    CHECK(pes >= 1 && launched == 40 / (unsigned int)pes);
    CHECK(nvshmemx_collective_launch_query_gridsize(&more, block, NULL, 8, &blocks) == 0 && blocks == 40 / pes);
    dim3 grid = {(unsigned int)blocks, 1, 1};
    launched = 0;
    CHECK(nvshmemx_collective_launch(&more, grid, block, NULL, 8, NULL) == NVSHMEMX_SUCCESS && launched == grid.x);
    grid.x++;
    launched = 0;
    CHECK(nvshmemx_collective_launch(&more, grid, block, NULL, 8, NULL) == NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED);
    CHECK(launched == 0 && last_error == 0);
    if (me == 0) printf("%d PEs on a GPU\n", pes);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "team") == 0) {
        /* Has the number that kernels expect for the team across nodes. */
        shmem_team_t before;
        shmem_init();
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &before);
        nvshmem_init();
        CHECK(nvshmem_team_n_pes(NVSHMEMX_TEAM_SAME_MYPE_NODE) == -1);
        nvshmem_barrier_all();
        nvshmem_finalize();
        shmem_finalize();
        return failures != 0;
    }
    join(argc, argv);
    me = nvshmem_my_pe();
    n = nvshmem_n_pes();
    CHECK(nvshmemx_init_status() == NVSHMEM_STATUS_IS_INITIALIZED);
    if (argc == 2 && strcmp(argv[1], "signal") == 0) nvshmemx_signal_op(NULL, 0, 0, me);
    if (argc == 2 && strcmp(argv[1], "late") == 0) {
        if (me == 1) sleep(2);
        nvshmem_barrier_all();
        if (me == 1) sleep(2);
        nvshmem_sync_all();
        nvshmem_finalize();
        return failures != 0;
    }
    if (argc == 2 && strncmp(argv[1], "launch", 6) == 0) {
        launches(strcmp(argv[1], "launch") == 0);
        nvshmem_finalize();
        return failures != 0;
    }
    if (argc == 2 && strcmp(argv[1], "module") == 0) {
        /* The emulated GPU has neither. */
        CHECK(nvshmemx_cumodule_init((CUmodule)&me) == NVSHMEMX_ERROR_INTERNAL);
        CHECK(nvshmemx_cumodule_finalize((CUmodule)&me) == NVSHMEMX_ERROR_INTERNAL);
        CHECK(nvshmemx_culibrary_init((CUlibrary)&me) == NVSHMEMX_ERROR_INTERNAL);
        CHECK(nvshmemx_culibrary_finalize((CUlibrary)&me) == NVSHMEMX_ERROR_INTERNAL);
        nvshmem_finalize();
        return failures != 0;
    }
    nvshmem_init();
    memory();
    collectives();
    teams();
    places();
    statuses();
    shorts();
    /* The library's own names mean the same job. */
    CHECK(shmem_my_pe() == me && shmem_n_pes() == n);
    nvshmem_finalize();
    CHECK(nvshmem_my_pe() == me);
    nvshmem_finalize();
    CHECK(nvshmemx_init_status() == NVSHMEM_STATUS_NOT_INITIALIZED);
    if (failures == 0) printf("PE %d of %d\n", me, n);
    return failures != 0;
}
