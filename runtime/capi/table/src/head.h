/* All names of OpenSHMEM 1.6. Numbers in comments are sections of the specification.
   `cargo xtask headers` writes this file.

   An invalid argument, or a call before shmem_init or after shmem_finalize, ends the job with exit status 134 and one
   line on stderr that names the PE, the routine, the argument, its value, and what is valid.

   Symmetric memory is what shmem_malloc and its variants allocate, in host or GPU memory, and the executable's global
   and static variables, if all PEs run the same executable. Variables of shared libraries and thread-local variables
   are not symmetric. If shmemcc linked the executable, its globals are in shared memory; otherwise only put and get
   reach them. The other end of a put or get may be any memory of the host or the GPU.

   Define SHMEM_NO_DEPRECATED before this header to suppress the compiler's warnings about deprecated routines. */
#ifndef SHMEM_H
#define SHMEM_H

#ifdef __CUDACC_RTC__
/* NVRTC has no headers of its own. These are the types of CUDA's <cuda/std/cstdint> there. */
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
#else
#include <stddef.h>
#include <stdint.h>
#endif

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 6
#define SHMEM_MAX_NAME_LEN 64
#define SHMEM_VENDOR_STRING "cushmem VERSION"

/* This library and its version. */
#define CUSHMEM_MAJOR_VERSION MAJOR
#define CUSHMEM_MINOR_VERSION MINOR
#define CUSHMEM_PATCH_VERSION PATCH

/* Programs that adapt to a library recognise it by its macros. These two are Sandia OpenSHMEM's, which needs no
   adaptation: there, as here, all routines of OpenSHMEM 1.5 are functions. */
#define SHMEM_DEF_H
#define SHMEM_FUNCTION_ATTRIBUTES

#define SHMEM_THREAD_SINGLE 0
#define SHMEM_THREAD_FUNNELED 1
#define SHMEM_THREAD_SERIALIZED 2
#define SHMEM_THREAD_MULTIPLE 3

typedef struct shmem_impl_team *shmem_team_t;
typedef struct {
    int num_contexts;
} shmem_team_config_t;

#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_TEAM_WORLD ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2)
#define SHMEM_TEAM_NUM_CONTEXTS (1L << 0)

typedef struct shmem_impl_ctx *shmem_ctx_t;
typedef struct {
    size_t total_ops;
} shmem_ctx_session_config_t;

#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)
#define SHMEM_CTX_SERIALIZED (1L << 0)
#define SHMEM_CTX_PRIVATE (1L << 1)
#define SHMEM_CTX_NOSTORE (1L << 2)
#define SHMEM_CTX_SESSION_BATCH (1L << 0)
#define SHMEM_CTX_SESSION_SAME_AMO (1L << 1)
#define SHMEM_CTX_SESSION_TOTAL_OPS (1L << 0)

#define SHMEM_MALLOC_ATOMICS_REMOTE (1L << 0)
#define SHMEM_MALLOC_SIGNAL_REMOTE (1L << 1)

#define SHMEM_SIGNAL_SET 9
#define SHMEM_SIGNAL_ADD 10

#define SHMEM_CMP_EQ 0
#define SHMEM_CMP_NE 1
#define SHMEM_CMP_GT 2
#define SHMEM_CMP_LE 3
#define SHMEM_CMP_LT 4
#define SHMEM_CMP_GE 5

/* The arrays that active-set collectives take: their initial value and sizes in elements. */
#define SHMEM_SYNC_VALUE 0
#define SHMEM_SYNC_SIZE 16
#define SHMEM_BARRIER_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_BCAST_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_COLLECT_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALL_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_SYNC_SIZE
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

/* Names from before 1.2. */
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_SYNC_SIZE SHMEM_SYNC_SIZE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_ALLTOALL_SYNC_SIZE SHMEM_ALLTOALL_SYNC_SIZE
#define _SHMEM_ALLTOALLS_SYNC_SIZE SHMEM_ALLTOALLS_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE

/* For use in this header only. */
#if defined __GNUC__ && !defined SHMEM_NO_DEPRECATED
#define SHMEM_IMPL_DEPRECATED __attribute__((deprecated))
#else
#define SHMEM_IMPL_DEPRECATED
#endif
#if defined __cplusplus && __cplusplus >= 201103L
#define SHMEM_IMPL_NORETURN [[noreturn]]
#elif defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define SHMEM_IMPL_NORETURN _Noreturn
#elif defined __GNUC__
#define SHMEM_IMPL_NORETURN __attribute__((noreturn))
#else
#define SHMEM_IMPL_NORETURN
#endif
#ifdef __CUDACC__
#define SHMEM_IMPL_DEVICE __host__ __device__
#else
#define SHMEM_IMPL_DEVICE
#endif
#if defined __CUDACC_RTC__
#elif defined __GNUC__
__extension__ typedef float _Complex shmem_impl_complexf;
__extension__ typedef double _Complex shmem_impl_complexd;
#else
typedef float _Complex shmem_impl_complexf;
typedef double _Complex shmem_impl_complexd;
#endif
