/* Types and constants of NVSHMEM's names. This file needs no CUDA. `cargo xtask headers` writes it. */
#ifndef NVSHMEM_IMPL_TYPES_H
#define NVSHMEM_IMPL_TYPES_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "../non_abi/nvshmem_version.h"

/* The version of the specification. */
#define NVSHMEM_MAJOR_VERSION 1
#define NVSHMEM_MINOR_VERSION 3
#define NVSHMEM_VENDOR_STRING "cushmem VERSION"
#define NVSHMEM_MAX_NAME_LEN 256
/* Programs recognise this library by it. */
#define NVSHMEM_OF_CUSHMEM 1

#define NVSHMEM_THREAD_SINGLE 0
#define NVSHMEM_THREAD_FUNNELED 1
#define NVSHMEM_THREAD_SERIALIZED 2
#define NVSHMEM_THREAD_MULTIPLE 3

/* The numbers are those of shmem.h. */
typedef enum {
    NVSHMEM_CMP_EQ = 0,
    NVSHMEM_CMP_NE = 1,
    NVSHMEM_CMP_GT = 2,
    NVSHMEM_CMP_LE = 3,
    NVSHMEM_CMP_LT = 4,
    NVSHMEM_CMP_GE = 5
} nvshmemx_cmp_type_t;
typedef enum {
    NVSHMEM_SIGNAL_SET = 9,
    NVSHMEM_SIGNAL_ADD = 10
} nvshmemx_signal_op_t;

typedef int32_t nvshmem_team_t;
typedef nvshmem_team_t nvshmemx_team_t;
enum {
    NVSHMEM_TEAM_INVALID = -1,
    NVSHMEM_TEAM_WORLD = 0,
    NVSHMEM_TEAM_SHARED = 1,
    NVSHMEMX_TEAM_NODE = 2,
    /* The PEs that have this PE's place on their nodes. */
    NVSHMEMX_TEAM_SAME_MYPE_NODE = 3
};
/* Its number in shmem.h: that of the first team that is made there. */
#define NVSHMEM_IMPL_ACROSS_NODES 4
/* The routines ignore configurations. */
typedef struct {
    int version;
    int num_contexts;
    uint64_t uniqueid;
    char padding[48];
} nvshmem_team_config_v1;
typedef nvshmem_team_config_v1 nvshmem_team_config_t;

typedef enum nvshmemx_status {
    NVSHMEMX_SUCCESS = 0,
    NVSHMEMX_ERROR_INVALID_VALUE,
    NVSHMEMX_ERROR_OUT_OF_MEMORY,
    NVSHMEMX_ERROR_NOT_SUPPORTED,
    NVSHMEMX_ERROR_SYMMETRY,
    NVSHMEMX_ERROR_GPU_NOT_SELECTED,
    NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED,
    NVSHMEMX_ERROR_INTERNAL,
    NVSHMEMX_ERROR_SENTINEL = INT_MAX
} nvshmemx_status;

/* What nvshmemx_init_status returns: 0 or 2 here. */
typedef enum {
    NVSHMEM_STATUS_NOT_INITIALIZED = 0,
    NVSHMEM_STATUS_IS_BOOTSTRAPPED,
    NVSHMEM_STATUS_IS_INITIALIZED,
    NVSHMEM_STATUS_LIMITED_MPG,
    NVSHMEM_STATUS_FULL_MPG,
    NVSHMEM_STATUS_INVALID = INT_MAX
} nvshmemx_init_status_t;

enum {
    NVSHMEMX_INIT_THREAD_PES = 1,
    NVSHMEMX_INIT_WITH_MPI_COMM = 1 << 1,
    NVSHMEMX_INIT_WITH_SHMEM = 1 << 2,
    NVSHMEMX_INIT_WITH_UNIQUEID = 1 << 3
};

/* Shared memory that kernels can lend, and how many bytes of it programs are told to have: as many as NVSHMEM says,
   because their own data lies there too. */
typedef enum {
    NVSHMEMX_SMEM_RECOMMENDED = 0,
    NVSHMEMX_SMEM_MINIMUM = 1,
    NVSHMEMX_SMEM_BARRIERS_ONLY = 2
} nvshmemx_smem_amount_t;
#define NVSHMEM_IMPL_SMEM(amount) ((amount) == NVSHMEMX_SMEM_RECOMMENDED ? 65536 : (amount) == NVSHMEMX_SMEM_MINIMUM ? 32768 : 256)

/* The library reads only what the flags name, and no version. */
typedef struct {
    int version;
    char internal[124];
} nvshmemx_uniqueid_v1;
typedef nvshmemx_uniqueid_v1 nvshmemx_uniqueid_t;
typedef struct {
    int version;
    nvshmemx_uniqueid_v1 *id;
    int myrank;
    int nranks;
} nvshmemx_uniqueid_args_v1;
typedef nvshmemx_uniqueid_args_v1 nvshmemx_uniqueid_args_t;
typedef struct {
    int version;
    nvshmemx_uniqueid_args_v1 uid_args;
    char padding[96];
} nvshmemx_init_args_v1;
typedef nvshmemx_init_args_v1 nvshmemx_init_args_t;
typedef struct {
    int version;
    void *mpi_comm;
    nvshmemx_init_args_v1 args;
} nvshmemx_init_attr_v1;
typedef nvshmemx_init_attr_v1 nvshmemx_init_attr_t;

#define NVSHMEM_IMPL_VERSION(type) ((1 << 16) + (int)sizeof(type))
#define NVSHMEMX_UNIQUEID_INITIALIZER {NVSHMEM_IMPL_VERSION(nvshmemx_uniqueid_t), {0}}
#define NVSHMEMX_UNIQUEID_ARGS_INITIALIZER {NVSHMEM_IMPL_VERSION(nvshmemx_uniqueid_args_t), NULL, 0, 0}
#define NVSHMEMX_INIT_ARGS_INITIALIZER {NVSHMEM_IMPL_VERSION(nvshmemx_init_args_t), NVSHMEMX_UNIQUEID_ARGS_INITIALIZER, {0}}
#define NVSHMEMX_INIT_ATTR_INITIALIZER {NVSHMEM_IMPL_VERSION(nvshmemx_init_attr_t), NULL, NVSHMEMX_INIT_ARGS_INITIALIZER}
#define NVSHMEM_TEAM_CONFIG_INITIALIZER {NVSHMEM_IMPL_VERSION(nvshmem_team_config_t), 0, 0, {0}}
#endif
