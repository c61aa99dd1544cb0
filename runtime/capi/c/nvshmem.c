/* `libnvshmem_host.so`: NVSHMEM's names over the C API. What only forwards is generated, see `nvshmem_names.h`. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <nvshmem_impl/types.h>

_Static_assert(sizeof(nvshmemx_uniqueid_t) == sizeof(shmemx_uniqueid_t), "an id is passed on as it is");
_Static_assert(sizeof(nvshmemx_uniqueid_args_t) == 24 && sizeof(nvshmemx_init_attr_t) == 144, "as in NVSHMEM");

/* The value of a 16-bit floating-point type, which C++ passes like this structure. */
typedef struct { uint16_t bits; } half_t;

/* As the C API does with a wrong argument. */
static void end(const char *why) {
    fprintf(stderr, "cushmem: PE %d: %s\n", shmem_my_pe(), why);
    shmem_global_exit(134);
}

/* The team of the PEs that have this PE's place on their nodes. It is made when the job begins. */
shmem_team_t shmemx_impl_team_across_nodes(void);
static shmem_team_t across_nodes;

/* A team's handle. World and shared are 1 and 2 in shmem.h; the team of the node is the shared one. The program's own
   teams have numbers that are larger by 1 here. */
static shmem_team_t team_of(nvshmem_team_t team) {
    if (team == NVSHMEMX_TEAM_SAME_MYPE_NODE) return across_nodes;
    return (shmem_team_t)(intptr_t)(team + (team < 2) - (team > 2));
}
static nvshmem_team_t handle_of(shmem_team_t team) {
    intptr_t number = (intptr_t)team;
    return (nvshmem_team_t)(number > 2 ? number + 1 : number - 1);
}

/* Where NVSHMEM has a status, a wrong team or root is one. Without a status the C API ends the job with a message. */
static int is_team(nvshmem_team_t team) {
    return team >= NVSHMEM_TEAM_WORLD && shmem_team_get_config(team_of(team), 0, NULL) == 0;
}
static int is_root(int root, nvshmem_team_t team) { return root >= 0 && root < shmem_team_n_pes(team_of(team)); }

/* A collective that the C API has only on streams. */
#define ON_OWN_STREAM(call) \
    do { \
        shmemx_stream_t stream; \
        if (shmemx_stream_create(&stream) != 0) return NVSHMEMX_ERROR_INTERNAL; \
        int status = call; \
        shmemx_stream_synchronize(stream); \
        shmemx_stream_destroy(stream); \
        return status; \
    } while (0)

/* Programs may launch kernels before they allocate memory. If the programs of all PEs have chosen their GPUs, by CUDA
   contexts that are current, the library starts these and tells kernels about the job. Otherwise it does so in the
   first call that needs GPUs. */
void shmemx_impl_start_chosen_gpus(void);
static int is_initialized(void);
static void start_chosen(void) {
    if (is_initialized()) shmemx_impl_start_chosen_gpus();
}

#include "nvshmem_names.h"

static int is_initialized(void) {
    int is;
    shmem_query_initialized(&is);
    return is;
}

/* What a start of NVSHMEM brings beside that of the library: the team across nodes, GPUs if possible, and one line about
   the settings of NVSHMEM that the environment has. */
static void started(int is_first) {
    static int is_said, has_no_team;
    extern char **environ;
    char line[512] = "";
    size_t length = 0;
    /* Kernels know only this number. It is another team's if the program had made one before, and nobody's if this PE
       cannot have as many teams. */
    across_nodes = shmemx_impl_team_across_nodes();
    if (across_nodes != (shmem_team_t)NVSHMEM_IMPL_ACROSS_NODES) {
        across_nodes = SHMEM_TEAM_INVALID;
        if (!has_no_team && shmem_my_pe() == 0)
            fprintf(stderr, "cushmem: nvshmem_init: there is no NVSHMEMX_TEAM_SAME_MYPE_NODE: the program has made a team before, or CUSHMEM_TEAMS is too small\n");
        has_no_team = 1;
    }
    /* Only the first call is collective. */
    if (is_first) start_chosen();
    if (is_said || shmem_my_pe() != 0) return;
    is_said = 1;
    for (char **each = environ; *each != NULL; each++) {
        /* What these ask for is so anyway. */
        static const char *const met[] = {"HOME=", "PREFIX=", "DIR=", "SYMMETRIC_SIZE=", "CUMEM_GRANULARITY=", "MAX_TEAMS=", "DISABLE_NVLS=", "DISABLE_NCCL=", "DISABLE_MNNVL=", "DISABLE_CUDA_VMM="};
        int is_needed = strncmp(*each, "NVSHMEM_", 8) == 0;
        for (size_t i = 0; i < sizeof met / sizeof *met && is_needed; i++)
            is_needed = strncmp(*each + 8, met[i], strlen(met[i])) != 0;
        size_t name = strcspn(*each, "=");
        if (!is_needed || length + name + 3 > sizeof line) continue;
        length += (size_t)sprintf(line + length, "%s%.*s", length ? ", " : "", (int)name, *each);
    }
    if (length) fprintf(stderr, "cushmem: %s: no effect in this library, see docs/from-nvshmem.md\n", line);
}

void nvshmem_init(void) {
    int is_first = !is_initialized();
    shmem_init();
    started(is_first);
}

int nvshmem_init_thread(int requested, int *provided) {
    if (requested < NVSHMEM_THREAD_SINGLE || requested > NVSHMEM_THREAD_MULTIPLE || provided == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    int is_first = !is_initialized(), status = shmem_init_thread(requested, provided);
    started(is_first);
    return status;
}

void nvshmem_query_thread(int *provided) { shmem_query_thread(provided); }
void nvshmem_finalize(void) { shmem_finalize(); }
void nvshmem_global_exit(int status) { shmem_global_exit(status); }

int nvshmemx_init_status(void) { return is_initialized() ? NVSHMEM_STATUS_IS_INITIALIZED : NVSHMEM_STATUS_NOT_INITIALIZED; }

int nvshmemx_get_uniqueid(nvshmemx_uniqueid_t *uniqueid) {
    return uniqueid == NULL ? NVSHMEMX_ERROR_INVALID_VALUE : shmemx_get_uniqueid((shmemx_uniqueid_t *)uniqueid);
}

int nvshmemx_set_attr_uniqueid_args(int myrank, int nranks, const nvshmemx_uniqueid_t *uniqueid, nvshmemx_init_attr_t *attr) {
    if (attr == NULL || uniqueid == NULL || myrank < 0 || myrank >= nranks) return NVSHMEMX_ERROR_INVALID_VALUE;
    attr->args.uid_args.id = (nvshmemx_uniqueid_t *)uniqueid;
    attr->args.uid_args.myrank = myrank;
    attr->args.uid_args.nranks = nranks;
    return NVSHMEMX_SUCCESS;
}

/* MPI's routines are the program's. This library is linked with no MPI. */
static void *of_mpi(const char *name) {
    static const char *const libraries[] = {"libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi.so"};
    void *found = dlsym(RTLD_DEFAULT, name);
    /* Python loads libraries without making their names global. */
    for (size_t i = 0; found == NULL && i < sizeof libraries / sizeof *libraries; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
        if (library != NULL) found = dlsym(library, name);
    }
    return found;
}

static int refuse(const char *routine, const char *why, int status) {
    fprintf(stderr, "cushmem: %s: %s\n", routine, why);
    return status;
}

/* Open MPI's handles are pointers, those of MPICH and its relatives numbers. A rank 0 without an id hands on zeros, so
   that all fail and nobody waits. */
static int init_with_mpi(const void *comm) {
    const char *routine = "nvshmemx_init_attr";
    if (comm == NULL) return refuse(routine, "mpi_comm: NULL is not the address of a communicator", NVSHMEMX_ERROR_INVALID_VALUE);
    void *rank_of = of_mpi("MPI_Comm_rank"), *size_of = of_mpi("MPI_Comm_size"), *bcast = of_mpi("MPI_Bcast");
    if (rank_of == NULL || size_of == NULL || bcast == NULL)
        return refuse(routine, "the program has no shared library of MPI (MPI_Comm_rank, MPI_Comm_size, MPI_Bcast)", NVSHMEMX_ERROR_NOT_SUPPORTED);
    /* A library with the handles of MPI's own ABI says which version; others do not have the routine, or say -1. */
    void *abi = of_mpi("MPI_Abi_get_version");
    int major = -1, minor = -1;
    if (abi != NULL && ((int (*)(int *, int *))abi)(&major, &minor) == 0 && major > 0)
        return refuse(routine, "the handles of MPI's standard ABI are not known", NVSHMEMX_ERROR_NOT_SUPPORTED);
    void *ompi_byte = of_mpi("ompi_mpi_byte");
    static const shmemx_uniqueid_t none;
    shmemx_uniqueid_t id = none;
    int rank = -1, size = 0, failed;
    if (ompi_byte != NULL) {
        void *handle = *(void *const *)comm;
        failed = ((int (*)(void *, int *))rank_of)(handle, &rank) || ((int (*)(void *, int *))size_of)(handle, &size);
        if (!failed && rank == 0 && shmemx_get_uniqueid(&id) != 0) id = none;
        failed = failed || ((int (*)(void *, int, void *, int, void *))bcast)(&id, (int)sizeof id, ompi_byte, 0, handle);
    } else {
        const int byte = 0x4c00010d;
        int handle = *(const int *)comm;
        failed = ((int (*)(int, int *))rank_of)(handle, &rank) || ((int (*)(int, int *))size_of)(handle, &size);
        if (!failed && rank == 0 && shmemx_get_uniqueid(&id) != 0) id = none;
        failed = failed || ((int (*)(void *, int, int, int, int))bcast)(&id, (int)sizeof id, byte, 0, handle);
    }
    if (failed) return refuse(routine, "MPI reports an error", NVSHMEMX_ERROR_INTERNAL);
    if (memcmp(&id, &none, sizeof id) == 0) return refuse(routine, "rank 0 has no unique id", NVSHMEMX_ERROR_INTERNAL);
    return shmemx_init_attr(rank, size, &id);
}

int nvshmemx_init_attr(unsigned int flags, nvshmemx_init_attr_t *attr) {
    int status = NVSHMEMX_SUCCESS, is_first = !is_initialized();
    const unsigned int with = flags & (NVSHMEMX_INIT_WITH_MPI_COMM | NVSHMEMX_INIT_WITH_UNIQUEID);
    const unsigned int known = with | NVSHMEMX_INIT_THREAD_PES | NVSHMEMX_INIT_WITH_SHMEM;
    if ((flags & ~known) != 0) return NVSHMEMX_ERROR_INVALID_VALUE;
    if (with != 0 && attr == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    /* Further calls are counted. */
    if (with == 0 || !is_first) {
        shmem_init();
    } else if (with == NVSHMEMX_INIT_WITH_MPI_COMM) {
        status = init_with_mpi(attr->mpi_comm);
    } else if (with == NVSHMEMX_INIT_WITH_UNIQUEID) {
        const nvshmemx_uniqueid_args_t *args = &attr->args.uid_args;
        if (args->id == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
        status = shmemx_init_attr(args->myrank, args->nranks, (const shmemx_uniqueid_t *)args->id);
    } else {
        return NVSHMEMX_ERROR_INVALID_VALUE;
    }
    if (status == NVSHMEMX_SUCCESS) started(is_first);
    return status;
}

int nvshmemx_hostlib_init_attr(unsigned int flags, nvshmemx_init_attr_t *attr) { return nvshmemx_init_attr(flags, attr); }
void nvshmemx_hostlib_finalize(void) { shmem_finalize(); }

void nvshmem_info_get_version(int *major, int *minor) {
    *major = NVSHMEM_MAJOR_VERSION;
    *minor = NVSHMEM_MINOR_VERSION;
}
void nvshmem_info_get_name(char *name) { strcpy(name, NVSHMEM_VENDOR_STRING); }
void nvshmemx_vendor_get_version_info(int *major, int *minor, int *patch) {
    *major = NVSHMEM_VENDOR_MAJOR_VERSION;
    *minor = NVSHMEM_VENDOR_MINOR_VERSION;
    *patch = NVSHMEM_VENDOR_PATCH_VERSION;
}

/* Symmetric memory is that of the GPU. */
void *nvshmem_malloc(size_t size) { return shmemx_malloc_gpu(size); }
void *nvshmem_align(size_t alignment, size_t size) { return shmemx_align_gpu(alignment, size); }
void nvshmem_free(void *ptr) {
    if (ptr != NULL) shmem_free(ptr);
}

void *nvshmem_calloc(size_t count, size_t size) {
    enum { PIECE = 1 << 20 };
    size_t bytes = size != 0 && count > SIZE_MAX / size ? SIZE_MAX : count * size;
    char *object = shmemx_malloc_gpu(bytes);
    if (object == NULL) return NULL;
    void *zeros = calloc(1, PIECE);
    if (zeros == NULL) abort();
    for (size_t done = 0; done < bytes; done += PIECE)
        shmem_putmem(object + done, zeros, bytes - done < PIECE ? bytes - done : PIECE, shmem_my_pe());
    free(zeros);
    shmem_barrier_all();
    return object;
}

void *nvshmem_ptr(const void *ptr, int pe) { return pe < 0 || pe >= shmem_n_pes() ? NULL : shmem_ptr(ptr, pe); }
/* There is no multicast memory. */
void *nvshmemx_mc_ptr(nvshmem_team_t team, const void *ptr) {
    (void)team, (void)ptr;
    return NULL;
}

int nvshmemx_buffer_register(void *addr, size_t length) { return shmemx_buffer_register(addr, length); }
int nvshmemx_buffer_unregister(void *addr) { return shmemx_buffer_unregister(addr); }
void *nvshmemx_buffer_register_symmetric(void *buf_ptr, size_t size, int flags) { return shmemx_buffer_register_symmetric(buf_ptr, size, flags); }
int nvshmemx_buffer_unregister_symmetric(void *mmap_ptr, size_t size) { return shmemx_buffer_unregister_symmetric(mmap_ptr, size); }

/* Configurations are not read: the routines have no use for them, and programs leave them uninitialised. */
int nvshmem_team_split_strided(nvshmem_team_t parent_team, int PE_start, int PE_stride, int PE_size, const nvshmem_team_config_t *config, long config_mask, nvshmem_team_t *new_team) {
    (void)config, (void)config_mask;
    if (new_team == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    *new_team = NVSHMEM_TEAM_INVALID;
    if (!is_team(parent_team)) return NVSHMEMX_ERROR_INVALID_VALUE;
    shmem_team_t made = SHMEM_TEAM_INVALID;
    int status = shmem_team_split_strided(team_of(parent_team), PE_start, PE_stride, PE_size, NULL, 0, &made);
    *new_team = handle_of(made);
    return status;
}
int nvshmem_team_split_2d(nvshmem_team_t parent_team, int xrange, const nvshmem_team_config_t *xaxis_config, long xaxis_mask, nvshmem_team_t *xaxis_team, const nvshmem_team_config_t *yaxis_config, long yaxis_mask, nvshmem_team_t *yaxis_team) {
    (void)xaxis_config, (void)xaxis_mask, (void)yaxis_config, (void)yaxis_mask;
    if (xaxis_team == NULL || yaxis_team == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    *xaxis_team = *yaxis_team = NVSHMEM_TEAM_INVALID;
    if (!is_team(parent_team)) return NVSHMEMX_ERROR_INVALID_VALUE;
    shmem_team_t x = SHMEM_TEAM_INVALID, y = SHMEM_TEAM_INVALID;
    int status = shmem_team_split_2d(team_of(parent_team), xrange, NULL, 0, &x, NULL, 0, &y);
    *xaxis_team = handle_of(x);
    *yaxis_team = handle_of(y);
    return status;
}
void nvshmem_team_destroy(nvshmem_team_t team) { shmem_team_destroy(team_of(team)); }
void nvshmem_team_get_config(nvshmem_team_t team, nvshmem_team_config_t *config) {
    (void)team;
    memset(config, 0, sizeof *config);
    config->version = NVSHMEM_IMPL_VERSION(nvshmem_team_config_t);
}

void nvshmemx_signal_op(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) {
    if (sig_op == NVSHMEM_SIGNAL_SET) shmem_signal_set(sig_addr, signal, pe);
    else if (sig_op == NVSHMEM_SIGNAL_ADD) shmem_signal_add(sig_addr, signal, pe);
    else end("nvshmemx_signal_op: argument sig_op: neither NVSHMEM_SIGNAL_SET nor NVSHMEM_SIGNAL_ADD");
}

int nvshmemx_ask_smem(nvshmemx_smem_amount_t amount) { return NVSHMEM_IMPL_SMEM(amount); }

/* Modules and libraries of the driver API. The routines print what is wrong. */
static int status_of(int failed) { return failed ? NVSHMEMX_ERROR_INTERNAL : NVSHMEMX_SUCCESS; }
#define EACH(routine, handle) (handle == NULL ? NVSHMEMX_ERROR_INVALID_VALUE : status_of(routine(handle)))
int nvshmemx_cumodule_init(void *module) { return EACH(shmemx_module_init, module); }
int nvshmemx_cumodule_finalize(void *module) { return EACH(shmemx_module_finalize, module); }
int nvshmemx_culibrary_init(void *library) { return EACH(shmemx_library_init, library); }
int nvshmemx_culibrary_finalize(void *library) { return EACH(shmemx_library_finalize, library); }

/* Kernels of all units know the job afterwards. nvshmemx_collective_launch calls it, which is collective. */
int shmemx_impl_ready_kernels(void);
int shmemx_impl_pes_on_my_gpu(void);
int nvshmemx_impl_ready(void) { return shmemx_impl_ready_kernels() == 0 ? NVSHMEMX_SUCCESS : NVSHMEMX_ERROR_INTERNAL; }

int nvshmemx_impl_pes_on_my_gpu(void) { return shmemx_impl_pes_on_my_gpu(); }

/* Launches in a table or a timeline. */
uint64_t shmemx_impl_launch_begins(void);
void shmemx_impl_launched(const char *kernel, void *stream, uint64_t begun);
unsigned long long nvshmemx_impl_launch_begins(void) { return shmemx_impl_launch_begins(); }
void nvshmemx_impl_launched(const char *kernel, void *stream, unsigned long long begun) { shmemx_impl_launched(kernel, stream, begun); }

/* What binaries that were compiled with NVIDIA's headers call first. They also rely on its tables, which are not here.
   All of them are defined, so that such a binary comes as far as the message if its names are bound when it starts. */
static int refuse_binary(void) {
    fputs("cushmem: this program was compiled with NVIDIA's headers of NVSHMEM: compile it with the headers of cushmem\n", stderr);
    _exit(134);
}
int nvshmemid_hostlib_init_attr(void) { return refuse_binary(); }
int nvshmemid_hostlib_finalize(void) { return refuse_binary(); }
int nvshmemid_init_status(void) { return refuse_binary(); }
