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
#define SHMEM_VENDOR_STRING "cushmem 0.1.0"

/* This library and its version. */
#define CUSHMEM_MAJOR_VERSION 0
#define CUSHMEM_MINOR_VERSION 1
#define CUSHMEM_PATCH_VERSION 0

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

#ifndef __CUDACC_RTC__
#if defined __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Initialisation and finalisation (9.1, 9.2). If the program exits with status 0 without calling `shmem_finalize`, the
   library calls it. After the last `shmem_finalize`, all PEs together may initialise the library again. */
void shmem_init(void);
int shmem_init_thread(int requested, int *provided);
void shmem_query_thread(int *provided);
void shmem_query_initialized(int *initialized);
void shmem_finalize(void);
SHMEM_IMPL_NORETURN SHMEM_IMPL_DEVICE void shmem_global_exit(int status);
SHMEM_IMPL_DEVICE int shmem_my_pe(void);
SHMEM_IMPL_DEVICE int shmem_n_pes(void);
int shmem_pe_accessible(int pe);
int shmem_addr_accessible(const void *addr, int pe);
SHMEM_IMPL_DEVICE void *shmem_ptr(const void *dest, int pe);
void shmem_info_get_version(int *major, int *minor);
void shmem_info_get_name(char *name);

/* For profiling libraries (10). It does nothing unless one of them defines it. Each routine has a twin in `pshmem.h` */
void shmem_pcontrol(int level, ...);

/* Symmetric memory (9.3) */
void *shmem_malloc(size_t size);
void *shmem_calloc(size_t count, size_t size);
void *shmem_align(size_t alignment, size_t size);
void *shmem_malloc_with_hints(size_t size, long hints);
void shmem_free(void *ptr);
void *shmem_realloc(void *ptr, size_t size);

/* Teams (9.4) */
SHMEM_IMPL_DEVICE int shmem_team_my_pe(shmem_team_t team);
SHMEM_IMPL_DEVICE int shmem_team_n_pes(shmem_team_t team);
int shmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config);
SHMEM_IMPL_DEVICE int shmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team);
int shmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size, const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team);
int shmem_team_split_2d(shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask, shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask, shmem_team_t *yaxis_team);
void shmem_team_destroy(shmem_team_t team);
void *shmem_team_ptr(shmem_team_t team, const void *dest, int pe);

/* Contexts (9.5) and sessions (9.9). Fence and quiet cover the operations of one context; shmem_fence and shmem_quiet
   cover those of the default context */
SHMEM_IMPL_DEVICE int shmem_ctx_create(long options, shmem_ctx_t *ctx);
int shmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx);
SHMEM_IMPL_DEVICE void shmem_ctx_destroy(shmem_ctx_t ctx);
int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team);
void shmem_ctx_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask);
void shmem_ctx_session_stop(shmem_ctx_t ctx);

/* Remote memory access in bytes (9.6) */
SHMEM_IMPL_DEVICE void shmem_putmem(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_putmem(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_getmem(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_getmem(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_putmem_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_putmem_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_getmem_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_getmem_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);

/* The same for elements of a given number of bits, including strided elements (i) and strided blocks (ib) */
SHMEM_IMPL_DEVICE void shmem_put8(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put8(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_get8(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_get8(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_put8_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put8_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_get8_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_get8_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_iput8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_iput8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_iget8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_iget8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ibput8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibput8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ibget8(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibget8(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_put16(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put16(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_get16(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_get16(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_put16_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put16_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_get16_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_get16_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_iput16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_iput16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_iget16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_iget16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ibput16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibput16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ibget16(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibget16(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_put32(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put32(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_get32(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_get32(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_put32_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put32_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_get32_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_get32_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_iput32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_iput32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_iget32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_iget32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ibput32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibput32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ibget32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibget32(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_put64(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put64(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_get64(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_get64(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_put64_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put64_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_get64_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_get64_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_iput64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_iput64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_iget64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_iget64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ibput64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibput64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ibget64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibget64(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_put128(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put128(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_get128(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_get128(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_put128_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put128_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_get128_nbi(void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_get128_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_iput128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_iput128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_iget128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_iget128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ibput128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibput128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ibget128(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ibget128(shmem_ctx_t ctx, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);

/* The same for elements of a type */
SHMEM_IMPL_DEVICE void shmem_float_put(float *dest, const float *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_put(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_float_get(float *dest, const float *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_get(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_float_put_nbi(float *dest, const float *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_put_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_float_get_nbi(float *dest, const float *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_get_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_float_iput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_iput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_float_iget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_iget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_float_ibput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_float_ibput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_float_ibget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_float_ibget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_float_p(float *dest, float value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_p(shmem_ctx_t ctx, float *dest, float value, int pe);
SHMEM_IMPL_DEVICE float shmem_float_g(const float *source, int pe);
SHMEM_IMPL_DEVICE float shmem_ctx_float_g(shmem_ctx_t ctx, const float *source, int pe);
SHMEM_IMPL_DEVICE void shmem_double_put(double *dest, const double *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_put(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_double_get(double *dest, const double *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_get(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_double_put_nbi(double *dest, const double *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_put_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_double_get_nbi(double *dest, const double *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_get_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_double_iput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_iput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_double_iget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_iget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_double_ibput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_double_ibput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_double_ibget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_double_ibget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_double_p(double *dest, double value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_p(shmem_ctx_t ctx, double *dest, double value, int pe);
SHMEM_IMPL_DEVICE double shmem_double_g(const double *source, int pe);
SHMEM_IMPL_DEVICE double shmem_ctx_double_g(shmem_ctx_t ctx, const double *source, int pe);
SHMEM_IMPL_DEVICE void shmem_char_put(char *dest, const char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_char_put(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_char_get(char *dest, const char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_char_get(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_char_put_nbi(char *dest, const char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_char_put_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_char_get_nbi(char *dest, const char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_char_get_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_char_iput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_char_iput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_char_iget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_char_iget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_char_ibput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_char_ibput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_char_ibget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_char_ibget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_char_p(char *dest, char value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_char_p(shmem_ctx_t ctx, char *dest, char value, int pe);
SHMEM_IMPL_DEVICE char shmem_char_g(const char *source, int pe);
SHMEM_IMPL_DEVICE char shmem_ctx_char_g(shmem_ctx_t ctx, const char *source, int pe);
SHMEM_IMPL_DEVICE void shmem_schar_put(signed char *dest, const signed char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_schar_put(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_schar_get(signed char *dest, const signed char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_schar_get(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_schar_put_nbi(signed char *dest, const signed char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_schar_put_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_schar_get_nbi(signed char *dest, const signed char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_schar_get_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_schar_iput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_schar_iput(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_schar_iget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_schar_iget(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_schar_ibput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_schar_ibput(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_schar_ibget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_schar_ibget(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_schar_p(signed char *dest, signed char value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_schar_p(shmem_ctx_t ctx, signed char *dest, signed char value, int pe);
SHMEM_IMPL_DEVICE signed char shmem_schar_g(const signed char *source, int pe);
SHMEM_IMPL_DEVICE signed char shmem_ctx_schar_g(shmem_ctx_t ctx, const signed char *source, int pe);
SHMEM_IMPL_DEVICE void shmem_short_put(short *dest, const short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_short_put(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_short_get(short *dest, const short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_short_get(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_short_put_nbi(short *dest, const short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_short_put_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_short_get_nbi(short *dest, const short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_short_get_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_short_iput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_short_iput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_short_iget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_short_iget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_short_ibput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_short_ibput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_short_ibget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_short_ibget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_short_p(short *dest, short value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_short_p(shmem_ctx_t ctx, short *dest, short value, int pe);
SHMEM_IMPL_DEVICE short shmem_short_g(const short *source, int pe);
SHMEM_IMPL_DEVICE short shmem_ctx_short_g(shmem_ctx_t ctx, const short *source, int pe);
SHMEM_IMPL_DEVICE void shmem_int_put(int *dest, const int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_put(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int_get(int *dest, const int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_get(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int_put_nbi(int *dest, const int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_put_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int_get_nbi(int *dest, const int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_get_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int_iput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_iput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int_iget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_iget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_int_ibput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int_ibput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_int_ibget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int_ibget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_int_p(int *dest, int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_p(shmem_ctx_t ctx, int *dest, int value, int pe);
SHMEM_IMPL_DEVICE int shmem_int_g(const int *source, int pe);
SHMEM_IMPL_DEVICE int shmem_ctx_int_g(shmem_ctx_t ctx, const int *source, int pe);
SHMEM_IMPL_DEVICE void shmem_long_put(long *dest, const long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_put(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_long_get(long *dest, const long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_get(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_long_put_nbi(long *dest, const long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_put_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_long_get_nbi(long *dest, const long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_get_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_long_iput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_iput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_long_iget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_iget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_long_ibput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_long_ibput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_long_ibget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_long_ibget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_long_p(long *dest, long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_p(shmem_ctx_t ctx, long *dest, long value, int pe);
SHMEM_IMPL_DEVICE long shmem_long_g(const long *source, int pe);
SHMEM_IMPL_DEVICE long shmem_ctx_long_g(shmem_ctx_t ctx, const long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_put(long long *dest, const long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_put(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_get(long long *dest, const long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_get(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_put_nbi(long long *dest, const long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_put_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_get_nbi(long long *dest, const long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_get_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_iput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_iput(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_iget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_iget(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_longlong_ibput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_longlong_ibput(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_longlong_ibget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_longlong_ibget(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_p(long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_p(shmem_ctx_t ctx, long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE long long shmem_longlong_g(const long long *source, int pe);
SHMEM_IMPL_DEVICE long long shmem_ctx_longlong_g(shmem_ctx_t ctx, const long long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uchar_put(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uchar_put(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uchar_get(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uchar_get(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uchar_put_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uchar_put_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uchar_get_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uchar_get_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uchar_iput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uchar_iput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uchar_iget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uchar_iget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_uchar_ibput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uchar_ibput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_uchar_ibget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uchar_ibget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_uchar_p(unsigned char *dest, unsigned char value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uchar_p(shmem_ctx_t ctx, unsigned char *dest, unsigned char value, int pe);
SHMEM_IMPL_DEVICE unsigned char shmem_uchar_g(const unsigned char *source, int pe);
SHMEM_IMPL_DEVICE unsigned char shmem_ctx_uchar_g(shmem_ctx_t ctx, const unsigned char *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ushort_put(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ushort_put(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ushort_get(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ushort_get(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ushort_put_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ushort_put_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ushort_get_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ushort_get_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ushort_iput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ushort_iput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ushort_iget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ushort_iget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ushort_ibput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ushort_ibput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ushort_ibget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ushort_ibget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_ushort_p(unsigned short *dest, unsigned short value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ushort_p(shmem_ctx_t ctx, unsigned short *dest, unsigned short value, int pe);
SHMEM_IMPL_DEVICE unsigned short shmem_ushort_g(const unsigned short *source, int pe);
SHMEM_IMPL_DEVICE unsigned short shmem_ctx_ushort_g(shmem_ctx_t ctx, const unsigned short *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_put(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_put(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_get(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_get(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_put_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_put_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_get_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_get_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_iput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_iput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_iget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_iget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_uint_ibput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint_ibput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_uint_ibget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint_ibget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_p(unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_p(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_uint_g(const unsigned int *source, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_ctx_uint_g(shmem_ctx_t ctx, const unsigned int *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_put(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_put(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_get(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_get(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_put_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_put_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_get_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_get_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_iput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_iput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_iget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_iget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ulong_ibput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ulong_ibput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ulong_ibget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ulong_ibget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_p(unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_p(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ulong_g(const unsigned long *source, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ctx_ulong_g(shmem_ctx_t ctx, const unsigned long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_put(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_put(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_get(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_get(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_put_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_put_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_get_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_get_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_iput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_iput(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_iget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_iget(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ulonglong_ibput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ulonglong_ibput(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ulonglong_ibget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ulonglong_ibget(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_p(unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_p(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ulonglong_g(const unsigned long long *source, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ctx_ulonglong_g(shmem_ctx_t ctx, const unsigned long long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_int8_put(int8_t *dest, const int8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int8_put(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int8_get(int8_t *dest, const int8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int8_get(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int8_put_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int8_put_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int8_get_nbi(int8_t *dest, const int8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int8_get_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int8_iput(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int8_iput(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int8_iget(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int8_iget(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_int8_ibput(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int8_ibput(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_int8_ibget(int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int8_ibget(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_int8_p(int8_t *dest, int8_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int8_p(shmem_ctx_t ctx, int8_t *dest, int8_t value, int pe);
SHMEM_IMPL_DEVICE int8_t shmem_int8_g(const int8_t *source, int pe);
SHMEM_IMPL_DEVICE int8_t shmem_ctx_int8_g(shmem_ctx_t ctx, const int8_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_int16_put(int16_t *dest, const int16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int16_put(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int16_get(int16_t *dest, const int16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int16_get(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int16_put_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int16_put_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int16_get_nbi(int16_t *dest, const int16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int16_get_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int16_iput(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int16_iput(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int16_iget(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int16_iget(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_int16_ibput(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int16_ibput(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_int16_ibget(int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int16_ibget(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_int16_p(int16_t *dest, int16_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int16_p(shmem_ctx_t ctx, int16_t *dest, int16_t value, int pe);
SHMEM_IMPL_DEVICE int16_t shmem_int16_g(const int16_t *source, int pe);
SHMEM_IMPL_DEVICE int16_t shmem_ctx_int16_g(shmem_ctx_t ctx, const int16_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_put(int32_t *dest, const int32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_put(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_get(int32_t *dest, const int32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_get(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_put_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_put_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_get_nbi(int32_t *dest, const int32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_get_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_iput(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_iput(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_iget(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_iget(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_int32_ibput(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int32_ibput(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_int32_ibget(int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int32_ibget(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_p(int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_p(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_int32_g(const int32_t *source, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_ctx_int32_g(shmem_ctx_t ctx, const int32_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_put(int64_t *dest, const int64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_put(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_get(int64_t *dest, const int64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_get(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_put_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_put_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_get_nbi(int64_t *dest, const int64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_get_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_iput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_iput(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_iget(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_iget(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_int64_ibput(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int64_ibput(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_int64_ibget(int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_int64_ibget(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_p(int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_p(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_int64_g(const int64_t *source, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_ctx_int64_g(shmem_ctx_t ctx, const int64_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uint8_put(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint8_put(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint8_get(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint8_get(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint8_put_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint8_put_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint8_get_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint8_get_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint8_iput(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint8_iput(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint8_iget(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint8_iget(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_uint8_ibput(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint8_ibput(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_uint8_ibget(uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint8_ibget(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_uint8_p(uint8_t *dest, uint8_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint8_p(shmem_ctx_t ctx, uint8_t *dest, uint8_t value, int pe);
SHMEM_IMPL_DEVICE uint8_t shmem_uint8_g(const uint8_t *source, int pe);
SHMEM_IMPL_DEVICE uint8_t shmem_ctx_uint8_g(shmem_ctx_t ctx, const uint8_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uint16_put(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint16_put(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint16_get(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint16_get(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint16_put_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint16_put_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint16_get_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint16_get_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint16_iput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint16_iput(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint16_iget(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint16_iget(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_uint16_ibput(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint16_ibput(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_uint16_ibget(uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint16_ibget(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_uint16_p(uint16_t *dest, uint16_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint16_p(shmem_ctx_t ctx, uint16_t *dest, uint16_t value, int pe);
SHMEM_IMPL_DEVICE uint16_t shmem_uint16_g(const uint16_t *source, int pe);
SHMEM_IMPL_DEVICE uint16_t shmem_ctx_uint16_g(shmem_ctx_t ctx, const uint16_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_put(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_put(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_get(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_get(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_put_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_put_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_get_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_get_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_iput(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_iput(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_iget(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_iget(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_uint32_ibput(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint32_ibput(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_uint32_ibget(uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint32_ibget(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_p(uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_p(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_uint32_g(const uint32_t *source, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_ctx_uint32_g(shmem_ctx_t ctx, const uint32_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_put(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_put(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_get(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_get(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_put_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_put_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_get_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_get_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_iput(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_iput(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_iget(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_iget(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_uint64_ibput(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint64_ibput(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_uint64_ibget(uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_uint64_ibget(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_p(uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_p(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_uint64_g(const uint64_t *source, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_ctx_uint64_g(shmem_ctx_t ctx, const uint64_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_size_put(size_t *dest, const size_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_put(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_size_get(size_t *dest, const size_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_get(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_size_put_nbi(size_t *dest, const size_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_put_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_size_get_nbi(size_t *dest, const size_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_get_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_size_iput(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_iput(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_size_iget(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_iget(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_size_ibput(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_size_ibput(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_size_ibget(size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_size_ibget(shmem_ctx_t ctx, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_size_p(size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_p(shmem_ctx_t ctx, size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE size_t shmem_size_g(const size_t *source, int pe);
SHMEM_IMPL_DEVICE size_t shmem_ctx_size_g(shmem_ctx_t ctx, const size_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_put(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_put(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_get(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_get(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_put_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_put_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_get_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_get_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_iput(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_iput(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_iget(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_iget(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ptrdiff_ibput(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ptrdiff_ibput(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ptrdiff_ibget(ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_ptrdiff_ibget(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_p(ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_p(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ptrdiff_g(const ptrdiff_t *source, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ctx_ptrdiff_g(shmem_ctx_t ctx, const ptrdiff_t *source, int pe);
void shmem_longdouble_put(long double *dest, const long double *source, size_t nelems, int pe);
void shmem_ctx_longdouble_put(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe);
void shmem_longdouble_get(long double *dest, const long double *source, size_t nelems, int pe);
void shmem_ctx_longdouble_get(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe);
void shmem_longdouble_put_nbi(long double *dest, const long double *source, size_t nelems, int pe);
void shmem_ctx_longdouble_put_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe);
void shmem_longdouble_get_nbi(long double *dest, const long double *source, size_t nelems, int pe);
void shmem_ctx_longdouble_get_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe);
void shmem_longdouble_iput(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_longdouble_iput(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_longdouble_iget(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_ctx_longdouble_iget(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe);
void shmem_longdouble_ibput(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_longdouble_ibput(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_longdouble_ibget(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_ctx_longdouble_ibget(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe);
void shmem_longdouble_p(long double *dest, long double value, int pe);
void shmem_ctx_longdouble_p(shmem_ctx_t ctx, long double *dest, long double value, int pe);
long double shmem_longdouble_g(const long double *source, int pe);
long double shmem_ctx_longdouble_g(shmem_ctx_t ctx, const long double *source, int pe);

/* Standard atomics (9.7). All atomics work on host and GPU memory */
SHMEM_IMPL_DEVICE int shmem_int_atomic_compare_swap(int *dest, int cond, int value, int pe);
SHMEM_IMPL_DEVICE int shmem_ctx_int_atomic_compare_swap(shmem_ctx_t ctx, int *dest, int cond, int value, int pe);
SHMEM_IMPL_DEVICE void shmem_int_atomic_compare_swap_nbi(int *fetch, int *dest, int cond, int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_atomic_compare_swap_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int cond, int value, int pe);
SHMEM_IMPL_DEVICE int shmem_int_atomic_fetch_add(int *dest, int value, int pe);
SHMEM_IMPL_DEVICE int shmem_ctx_int_atomic_fetch_add(shmem_ctx_t ctx, int *dest, int value, int pe);
SHMEM_IMPL_DEVICE void shmem_int_atomic_fetch_add_nbi(int *fetch, int *dest, int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_atomic_fetch_add_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe);
SHMEM_IMPL_DEVICE void shmem_int_atomic_add(int *dest, int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_atomic_add(shmem_ctx_t ctx, int *dest, int value, int pe);
SHMEM_IMPL_DEVICE int shmem_int_atomic_fetch_inc(int *dest, int pe);
SHMEM_IMPL_DEVICE int shmem_ctx_int_atomic_fetch_inc(shmem_ctx_t ctx, int *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_int_atomic_fetch_inc_nbi(int *fetch, int *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_int_atomic_inc(int *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_atomic_inc(shmem_ctx_t ctx, int *dest, int pe);
SHMEM_IMPL_DEVICE long shmem_long_atomic_compare_swap(long *dest, long cond, long value, int pe);
SHMEM_IMPL_DEVICE long shmem_ctx_long_atomic_compare_swap(shmem_ctx_t ctx, long *dest, long cond, long value, int pe);
SHMEM_IMPL_DEVICE void shmem_long_atomic_compare_swap_nbi(long *fetch, long *dest, long cond, long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_atomic_compare_swap_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long cond, long value, int pe);
SHMEM_IMPL_DEVICE long shmem_long_atomic_fetch_add(long *dest, long value, int pe);
SHMEM_IMPL_DEVICE long shmem_ctx_long_atomic_fetch_add(shmem_ctx_t ctx, long *dest, long value, int pe);
SHMEM_IMPL_DEVICE void shmem_long_atomic_fetch_add_nbi(long *fetch, long *dest, long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_atomic_fetch_add_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe);
SHMEM_IMPL_DEVICE void shmem_long_atomic_add(long *dest, long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_atomic_add(shmem_ctx_t ctx, long *dest, long value, int pe);
SHMEM_IMPL_DEVICE long shmem_long_atomic_fetch_inc(long *dest, int pe);
SHMEM_IMPL_DEVICE long shmem_ctx_long_atomic_fetch_inc(shmem_ctx_t ctx, long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_long_atomic_fetch_inc_nbi(long *fetch, long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long *fetch, long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_long_atomic_inc(long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_atomic_inc(shmem_ctx_t ctx, long *dest, int pe);
SHMEM_IMPL_DEVICE long long shmem_longlong_atomic_compare_swap(long long *dest, long long cond, long long value, int pe);
SHMEM_IMPL_DEVICE long long shmem_ctx_longlong_atomic_compare_swap(shmem_ctx_t ctx, long long *dest, long long cond, long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_atomic_compare_swap_nbi(long long *fetch, long long *dest, long long cond, long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_atomic_compare_swap_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long cond, long long value, int pe);
SHMEM_IMPL_DEVICE long long shmem_longlong_atomic_fetch_add(long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE long long shmem_ctx_longlong_atomic_fetch_add(shmem_ctx_t ctx, long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_atomic_fetch_add_nbi(long long *fetch, long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_atomic_fetch_add_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_atomic_add(long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_atomic_add(shmem_ctx_t ctx, long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE long long shmem_longlong_atomic_fetch_inc(long long *dest, int pe);
SHMEM_IMPL_DEVICE long long shmem_ctx_longlong_atomic_fetch_inc(shmem_ctx_t ctx, long long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_atomic_fetch_inc_nbi(long long *fetch, long long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_atomic_inc(long long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_atomic_inc(shmem_ctx_t ctx, long long *dest, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_uint_atomic_compare_swap(unsigned int *dest, unsigned int cond, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_ctx_uint_atomic_compare_swap(shmem_ctx_t ctx, unsigned int *dest, unsigned int cond, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_compare_swap_nbi(unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_uint_atomic_fetch_add(unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_ctx_uint_atomic_fetch_add(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_fetch_add_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_add(unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_add(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_uint_atomic_fetch_inc(unsigned int *dest, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_ctx_uint_atomic_fetch_inc(shmem_ctx_t ctx, unsigned int *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_fetch_inc_nbi(unsigned int *fetch, unsigned int *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_inc(unsigned int *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_inc(shmem_ctx_t ctx, unsigned int *dest, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ulong_atomic_compare_swap(unsigned long *dest, unsigned long cond, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ctx_ulong_atomic_compare_swap(shmem_ctx_t ctx, unsigned long *dest, unsigned long cond, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_compare_swap_nbi(unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ulong_atomic_fetch_add(unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ctx_ulong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_fetch_add_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_add(unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_add(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ulong_atomic_fetch_inc(unsigned long *dest, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ctx_ulong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_fetch_inc_nbi(unsigned long *fetch, unsigned long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_inc(unsigned long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_inc(shmem_ctx_t ctx, unsigned long *dest, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ulonglong_atomic_compare_swap(unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ctx_ulonglong_atomic_compare_swap(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_compare_swap_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ulonglong_atomic_fetch_add(unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ctx_ulonglong_atomic_fetch_add(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_fetch_add_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_add(unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_add(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ulonglong_atomic_fetch_inc(unsigned long long *dest, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ctx_ulonglong_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_fetch_inc_nbi(unsigned long long *fetch, unsigned long long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_inc(unsigned long long *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_inc(shmem_ctx_t ctx, unsigned long long *dest, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_int32_atomic_compare_swap(int32_t *dest, int32_t cond, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_ctx_int32_atomic_compare_swap(shmem_ctx_t ctx, int32_t *dest, int32_t cond, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_compare_swap_nbi(int32_t *fetch, int32_t *dest, int32_t cond, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_compare_swap_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t cond, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_int32_atomic_fetch_add(int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_ctx_int32_atomic_fetch_add(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_fetch_add_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_fetch_add_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_add(int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_add(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_int32_atomic_fetch_inc(int32_t *dest, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_ctx_int32_atomic_fetch_inc(shmem_ctx_t ctx, int32_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_fetch_inc_nbi(int32_t *fetch, int32_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_inc(int32_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_inc(shmem_ctx_t ctx, int32_t *dest, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_int64_atomic_compare_swap(int64_t *dest, int64_t cond, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_ctx_int64_atomic_compare_swap(shmem_ctx_t ctx, int64_t *dest, int64_t cond, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_compare_swap_nbi(int64_t *fetch, int64_t *dest, int64_t cond, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_compare_swap_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t cond, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_int64_atomic_fetch_add(int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_ctx_int64_atomic_fetch_add(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_fetch_add_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_fetch_add_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_add(int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_add(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_int64_atomic_fetch_inc(int64_t *dest, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_ctx_int64_atomic_fetch_inc(shmem_ctx_t ctx, int64_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_fetch_inc_nbi(int64_t *fetch, int64_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_inc(int64_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_inc(shmem_ctx_t ctx, int64_t *dest, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_uint32_atomic_compare_swap(uint32_t *dest, uint32_t cond, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_ctx_uint32_atomic_compare_swap(shmem_ctx_t ctx, uint32_t *dest, uint32_t cond, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_compare_swap_nbi(uint32_t *fetch, uint32_t *dest, uint32_t cond, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t cond, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_uint32_atomic_fetch_add(uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_ctx_uint32_atomic_fetch_add(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_fetch_add_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_add(uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_add(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_uint32_atomic_fetch_inc(uint32_t *dest, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_ctx_uint32_atomic_fetch_inc(shmem_ctx_t ctx, uint32_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_fetch_inc_nbi(uint32_t *fetch, uint32_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_inc(uint32_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_inc(shmem_ctx_t ctx, uint32_t *dest, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_uint64_atomic_compare_swap(uint64_t *dest, uint64_t cond, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_ctx_uint64_atomic_compare_swap(shmem_ctx_t ctx, uint64_t *dest, uint64_t cond, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_compare_swap_nbi(uint64_t *fetch, uint64_t *dest, uint64_t cond, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_compare_swap_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t cond, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_uint64_atomic_fetch_add(uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_ctx_uint64_atomic_fetch_add(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_fetch_add_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_fetch_add_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_add(uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_add(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_uint64_atomic_fetch_inc(uint64_t *dest, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_ctx_uint64_atomic_fetch_inc(shmem_ctx_t ctx, uint64_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_fetch_inc_nbi(uint64_t *fetch, uint64_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_fetch_inc_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_inc(uint64_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_inc(shmem_ctx_t ctx, uint64_t *dest, int pe);
SHMEM_IMPL_DEVICE size_t shmem_size_atomic_compare_swap(size_t *dest, size_t cond, size_t value, int pe);
SHMEM_IMPL_DEVICE size_t shmem_ctx_size_atomic_compare_swap(shmem_ctx_t ctx, size_t *dest, size_t cond, size_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_size_atomic_compare_swap_nbi(size_t *fetch, size_t *dest, size_t cond, size_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_atomic_compare_swap_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t cond, size_t value, int pe);
SHMEM_IMPL_DEVICE size_t shmem_size_atomic_fetch_add(size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE size_t shmem_ctx_size_atomic_fetch_add(shmem_ctx_t ctx, size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_size_atomic_fetch_add_nbi(size_t *fetch, size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_atomic_fetch_add_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_size_atomic_add(size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_atomic_add(shmem_ctx_t ctx, size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE size_t shmem_size_atomic_fetch_inc(size_t *dest, int pe);
SHMEM_IMPL_DEVICE size_t shmem_ctx_size_atomic_fetch_inc(shmem_ctx_t ctx, size_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_size_atomic_fetch_inc_nbi(size_t *fetch, size_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_atomic_fetch_inc_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_size_atomic_inc(size_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_atomic_inc(shmem_ctx_t ctx, size_t *dest, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ptrdiff_atomic_compare_swap(ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ctx_ptrdiff_atomic_compare_swap(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_atomic_compare_swap_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_atomic_compare_swap_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t cond, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ptrdiff_atomic_fetch_add(ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch_add(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_atomic_fetch_add_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_atomic_fetch_add_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_atomic_add(ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_atomic_add(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ptrdiff_atomic_fetch_inc(ptrdiff_t *dest, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch_inc(shmem_ctx_t ctx, ptrdiff_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_atomic_fetch_inc_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_atomic_fetch_inc_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_atomic_inc(ptrdiff_t *dest, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_atomic_inc(shmem_ctx_t ctx, ptrdiff_t *dest, int pe);

/* Extended atomics */
SHMEM_IMPL_DEVICE int shmem_int_atomic_fetch(const int *source, int pe);
SHMEM_IMPL_DEVICE int shmem_ctx_int_atomic_fetch(shmem_ctx_t ctx, const int *source, int pe);
SHMEM_IMPL_DEVICE void shmem_int_atomic_fetch_nbi(int *fetch, const int *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_atomic_fetch_nbi(shmem_ctx_t ctx, int *fetch, const int *source, int pe);
SHMEM_IMPL_DEVICE void shmem_int_atomic_set(int *dest, int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_atomic_set(shmem_ctx_t ctx, int *dest, int value, int pe);
SHMEM_IMPL_DEVICE int shmem_int_atomic_swap(int *dest, int value, int pe);
SHMEM_IMPL_DEVICE int shmem_ctx_int_atomic_swap(shmem_ctx_t ctx, int *dest, int value, int pe);
SHMEM_IMPL_DEVICE void shmem_int_atomic_swap_nbi(int *fetch, int *dest, int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_atomic_swap_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe);
SHMEM_IMPL_DEVICE long shmem_long_atomic_fetch(const long *source, int pe);
SHMEM_IMPL_DEVICE long shmem_ctx_long_atomic_fetch(shmem_ctx_t ctx, const long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_long_atomic_fetch_nbi(long *fetch, const long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_atomic_fetch_nbi(shmem_ctx_t ctx, long *fetch, const long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_long_atomic_set(long *dest, long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_atomic_set(shmem_ctx_t ctx, long *dest, long value, int pe);
SHMEM_IMPL_DEVICE long shmem_long_atomic_swap(long *dest, long value, int pe);
SHMEM_IMPL_DEVICE long shmem_ctx_long_atomic_swap(shmem_ctx_t ctx, long *dest, long value, int pe);
SHMEM_IMPL_DEVICE void shmem_long_atomic_swap_nbi(long *fetch, long *dest, long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_atomic_swap_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe);
SHMEM_IMPL_DEVICE long long shmem_longlong_atomic_fetch(const long long *source, int pe);
SHMEM_IMPL_DEVICE long long shmem_ctx_longlong_atomic_fetch(shmem_ctx_t ctx, const long long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_atomic_fetch_nbi(long long *fetch, const long long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_atomic_fetch_nbi(shmem_ctx_t ctx, long long *fetch, const long long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_atomic_set(long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_atomic_set(shmem_ctx_t ctx, long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE long long shmem_longlong_atomic_swap(long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE long long shmem_ctx_longlong_atomic_swap(shmem_ctx_t ctx, long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_atomic_swap_nbi(long long *fetch, long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_atomic_swap_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_uint_atomic_fetch(const unsigned int *source, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_ctx_uint_atomic_fetch(shmem_ctx_t ctx, const unsigned int *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_fetch_nbi(unsigned int *fetch, const unsigned int *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned int *fetch, const unsigned int *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_set(unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_set(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_uint_atomic_swap(unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_ctx_uint_atomic_swap(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_swap_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_swap_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ulong_atomic_fetch(const unsigned long *source, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ctx_ulong_atomic_fetch(shmem_ctx_t ctx, const unsigned long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_fetch_nbi(unsigned long *fetch, const unsigned long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long *fetch, const unsigned long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_set(unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_set(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ulong_atomic_swap(unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ctx_ulong_atomic_swap(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_swap_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ulonglong_atomic_fetch(const unsigned long long *source, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ctx_ulonglong_atomic_fetch(shmem_ctx_t ctx, const unsigned long long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_fetch_nbi(unsigned long long *fetch, const unsigned long long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long long *fetch, const unsigned long long *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_set(unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_set(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ulonglong_atomic_swap(unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ctx_ulonglong_atomic_swap(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_swap_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_int32_atomic_fetch(const int32_t *source, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_ctx_int32_atomic_fetch(shmem_ctx_t ctx, const int32_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_fetch_nbi(int32_t *fetch, const int32_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_fetch_nbi(shmem_ctx_t ctx, int32_t *fetch, const int32_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_set(int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_set(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_int32_atomic_swap(int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_ctx_int32_atomic_swap(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_swap_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_swap_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_int64_atomic_fetch(const int64_t *source, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_ctx_int64_atomic_fetch(shmem_ctx_t ctx, const int64_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_fetch_nbi(int64_t *fetch, const int64_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_fetch_nbi(shmem_ctx_t ctx, int64_t *fetch, const int64_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_set(int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_set(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_int64_atomic_swap(int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_ctx_int64_atomic_swap(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_swap_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_swap_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_uint32_atomic_fetch(const uint32_t *source, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_ctx_uint32_atomic_fetch(shmem_ctx_t ctx, const uint32_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_fetch_nbi(uint32_t *fetch, const uint32_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_fetch_nbi(shmem_ctx_t ctx, uint32_t *fetch, const uint32_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_set(uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_set(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_uint32_atomic_swap(uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_ctx_uint32_atomic_swap(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_swap_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_swap_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_uint64_atomic_fetch(const uint64_t *source, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_ctx_uint64_atomic_fetch(shmem_ctx_t ctx, const uint64_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_fetch_nbi(uint64_t *fetch, const uint64_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_fetch_nbi(shmem_ctx_t ctx, uint64_t *fetch, const uint64_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_set(uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_set(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_uint64_atomic_swap(uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_ctx_uint64_atomic_swap(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_swap_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_swap_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE size_t shmem_size_atomic_fetch(const size_t *source, int pe);
SHMEM_IMPL_DEVICE size_t shmem_ctx_size_atomic_fetch(shmem_ctx_t ctx, const size_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_size_atomic_fetch_nbi(size_t *fetch, const size_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_atomic_fetch_nbi(shmem_ctx_t ctx, size_t *fetch, const size_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_size_atomic_set(size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_atomic_set(shmem_ctx_t ctx, size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE size_t shmem_size_atomic_swap(size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE size_t shmem_ctx_size_atomic_swap(shmem_ctx_t ctx, size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_size_atomic_swap_nbi(size_t *fetch, size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_atomic_swap_nbi(shmem_ctx_t ctx, size_t *fetch, size_t *dest, size_t value, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ptrdiff_atomic_fetch(const ptrdiff_t *source, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ctx_ptrdiff_atomic_fetch(shmem_ctx_t ctx, const ptrdiff_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_atomic_fetch_nbi(ptrdiff_t *fetch, const ptrdiff_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_atomic_fetch_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, const ptrdiff_t *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_atomic_set(ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_atomic_set(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ptrdiff_atomic_swap(ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE ptrdiff_t shmem_ctx_ptrdiff_atomic_swap(shmem_ctx_t ctx, ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_atomic_swap_nbi(ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_atomic_swap_nbi(shmem_ctx_t ctx, ptrdiff_t *fetch, ptrdiff_t *dest, ptrdiff_t value, int pe);
SHMEM_IMPL_DEVICE float shmem_float_atomic_fetch(const float *source, int pe);
SHMEM_IMPL_DEVICE float shmem_ctx_float_atomic_fetch(shmem_ctx_t ctx, const float *source, int pe);
SHMEM_IMPL_DEVICE void shmem_float_atomic_fetch_nbi(float *fetch, const float *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_atomic_fetch_nbi(shmem_ctx_t ctx, float *fetch, const float *source, int pe);
SHMEM_IMPL_DEVICE void shmem_float_atomic_set(float *dest, float value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_atomic_set(shmem_ctx_t ctx, float *dest, float value, int pe);
SHMEM_IMPL_DEVICE float shmem_float_atomic_swap(float *dest, float value, int pe);
SHMEM_IMPL_DEVICE float shmem_ctx_float_atomic_swap(shmem_ctx_t ctx, float *dest, float value, int pe);
SHMEM_IMPL_DEVICE void shmem_float_atomic_swap_nbi(float *fetch, float *dest, float value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_atomic_swap_nbi(shmem_ctx_t ctx, float *fetch, float *dest, float value, int pe);
SHMEM_IMPL_DEVICE double shmem_double_atomic_fetch(const double *source, int pe);
SHMEM_IMPL_DEVICE double shmem_ctx_double_atomic_fetch(shmem_ctx_t ctx, const double *source, int pe);
SHMEM_IMPL_DEVICE void shmem_double_atomic_fetch_nbi(double *fetch, const double *source, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_atomic_fetch_nbi(shmem_ctx_t ctx, double *fetch, const double *source, int pe);
SHMEM_IMPL_DEVICE void shmem_double_atomic_set(double *dest, double value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_atomic_set(shmem_ctx_t ctx, double *dest, double value, int pe);
SHMEM_IMPL_DEVICE double shmem_double_atomic_swap(double *dest, double value, int pe);
SHMEM_IMPL_DEVICE double shmem_ctx_double_atomic_swap(shmem_ctx_t ctx, double *dest, double value, int pe);
SHMEM_IMPL_DEVICE void shmem_double_atomic_swap_nbi(double *fetch, double *dest, double value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_atomic_swap_nbi(shmem_ctx_t ctx, double *fetch, double *dest, double value, int pe);

/* Bitwise atomics */
SHMEM_IMPL_DEVICE unsigned int shmem_uint_atomic_fetch_and(unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_ctx_uint_atomic_fetch_and(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_fetch_and_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_and(unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_and(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_uint_atomic_fetch_or(unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_ctx_uint_atomic_fetch_or(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_fetch_or_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_or(unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_or(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_uint_atomic_fetch_xor(unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned int shmem_ctx_uint_atomic_fetch_xor(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_fetch_xor_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_atomic_xor(unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_atomic_xor(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ulong_atomic_fetch_and(unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ctx_ulong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_fetch_and_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_and(unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_and(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ulong_atomic_fetch_or(unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ctx_ulong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_fetch_or_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_or(unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_or(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ulong_atomic_fetch_xor(unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long shmem_ctx_ulong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_fetch_xor_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_atomic_xor(unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_atomic_xor(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ulonglong_atomic_fetch_and(unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ctx_ulonglong_atomic_fetch_and(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_fetch_and_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_and(unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_and(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ulonglong_atomic_fetch_or(unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ctx_ulonglong_atomic_fetch_or(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_fetch_or_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_or(unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_or(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ulonglong_atomic_fetch_xor(unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE unsigned long long shmem_ctx_ulonglong_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_fetch_xor_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_atomic_xor(unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_atomic_xor(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_int32_atomic_fetch_and(int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_ctx_int32_atomic_fetch_and(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_fetch_and_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_fetch_and_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_and(int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_and(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_int32_atomic_fetch_or(int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_ctx_int32_atomic_fetch_or(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_fetch_or_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_fetch_or_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_or(int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_or(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_int32_atomic_fetch_xor(int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int32_t shmem_ctx_int32_atomic_fetch_xor(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_fetch_xor_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_atomic_xor(int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_atomic_xor(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_int64_atomic_fetch_and(int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_ctx_int64_atomic_fetch_and(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_fetch_and_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_fetch_and_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_and(int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_and(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_int64_atomic_fetch_or(int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_ctx_int64_atomic_fetch_or(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_fetch_or_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_fetch_or_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_or(int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_or(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_int64_atomic_fetch_xor(int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE int64_t shmem_ctx_int64_atomic_fetch_xor(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_fetch_xor_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_atomic_xor(int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_atomic_xor(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_uint32_atomic_fetch_and(uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_ctx_uint32_atomic_fetch_and(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_fetch_and_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_and(uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_and(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_uint32_atomic_fetch_or(uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_ctx_uint32_atomic_fetch_or(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_fetch_or_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_or(uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_or(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_uint32_atomic_fetch_xor(uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint32_t shmem_ctx_uint32_atomic_fetch_xor(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_fetch_xor_nbi(uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint32_t *fetch, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_atomic_xor(uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_atomic_xor(shmem_ctx_t ctx, uint32_t *dest, uint32_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_uint64_atomic_fetch_and(uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_ctx_uint64_atomic_fetch_and(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_fetch_and_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_fetch_and_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_and(uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_and(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_uint64_atomic_fetch_or(uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_ctx_uint64_atomic_fetch_or(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_fetch_or_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_fetch_or_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_or(uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_or(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_uint64_atomic_fetch_xor(uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_ctx_uint64_atomic_fetch_xor(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_fetch_xor_nbi(uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_fetch_xor_nbi(shmem_ctx_t ctx, uint64_t *fetch, uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_atomic_xor(uint64_t *dest, uint64_t value, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_atomic_xor(shmem_ctx_t ctx, uint64_t *dest, uint64_t value, int pe);

/* Signals (9.8) */
SHMEM_IMPL_DEVICE void shmem_signal_set(uint64_t *sig_addr, uint64_t signal, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe);
SHMEM_IMPL_DEVICE void shmem_signal_add(uint64_t *sig_addr, uint64_t signal, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe);
SHMEM_IMPL_DEVICE uint64_t shmem_signal_fetch(const uint64_t *sig_addr);
SHMEM_IMPL_DEVICE uint64_t shmem_signal_wait_until(uint64_t *sig_addr, int cmp, uint64_t cmp_value);

/* Put with signal, in bytes */
SHMEM_IMPL_DEVICE void shmem_putmem_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_putmem_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_putmem_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_putmem_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);

/* The same for elements of a given number of bits */
SHMEM_IMPL_DEVICE void shmem_put8_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put8_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_put8_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put8_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_put16_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put16_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_put16_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put16_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_put32_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put32_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_put32_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put32_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_put64_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put64_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_put64_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put64_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_put128_signal(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put128_signal(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_put128_signal_nbi(void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_put128_signal_nbi(shmem_ctx_t ctx, void *dest, const void *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);

/* The same for elements of a type */
SHMEM_IMPL_DEVICE void shmem_float_put_signal(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_put_signal(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_float_put_signal_nbi(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_float_put_signal_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_double_put_signal(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_put_signal(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_double_put_signal_nbi(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_double_put_signal_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_char_put_signal(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_char_put_signal(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_char_put_signal_nbi(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_char_put_signal_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_schar_put_signal(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_schar_put_signal(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_schar_put_signal_nbi(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_schar_put_signal_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_short_put_signal(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_short_put_signal(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_short_put_signal_nbi(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_short_put_signal_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_int_put_signal(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_put_signal(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_int_put_signal_nbi(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int_put_signal_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_long_put_signal(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_put_signal(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_long_put_signal_nbi(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_long_put_signal_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_put_signal(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_put_signal(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_longlong_put_signal_nbi(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_longlong_put_signal_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uchar_put_signal(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uchar_put_signal(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uchar_put_signal_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uchar_put_signal_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ushort_put_signal(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ushort_put_signal(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ushort_put_signal_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ushort_put_signal_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_put_signal(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_put_signal(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uint_put_signal_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint_put_signal_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_put_signal(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_put_signal(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ulong_put_signal_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulong_put_signal_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_put_signal(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_put_signal(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ulonglong_put_signal_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ulonglong_put_signal_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_int8_put_signal(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int8_put_signal(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_int8_put_signal_nbi(int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int8_put_signal_nbi(shmem_ctx_t ctx, int8_t *dest, const int8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_int16_put_signal(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int16_put_signal(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_int16_put_signal_nbi(int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int16_put_signal_nbi(shmem_ctx_t ctx, int16_t *dest, const int16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_put_signal(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_put_signal(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_int32_put_signal_nbi(int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int32_put_signal_nbi(shmem_ctx_t ctx, int32_t *dest, const int32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_put_signal(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_put_signal(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_int64_put_signal_nbi(int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_int64_put_signal_nbi(shmem_ctx_t ctx, int64_t *dest, const int64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uint8_put_signal(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint8_put_signal(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uint8_put_signal_nbi(uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint8_put_signal_nbi(shmem_ctx_t ctx, uint8_t *dest, const uint8_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uint16_put_signal(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint16_put_signal(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uint16_put_signal_nbi(uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint16_put_signal_nbi(shmem_ctx_t ctx, uint16_t *dest, const uint16_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_put_signal(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_put_signal(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uint32_put_signal_nbi(uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint32_put_signal_nbi(shmem_ctx_t ctx, uint32_t *dest, const uint32_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_put_signal(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_put_signal(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_uint64_put_signal_nbi(uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_uint64_put_signal_nbi(shmem_ctx_t ctx, uint64_t *dest, const uint64_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_size_put_signal(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_put_signal(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_size_put_signal_nbi(size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_size_put_signal_nbi(shmem_ctx_t ctx, size_t *dest, const size_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_put_signal(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_put_signal(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_put_signal_nbi(ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
SHMEM_IMPL_DEVICE void shmem_ctx_ptrdiff_put_signal_nbi(shmem_ctx_t ctx, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_longdouble_put_signal(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_longdouble_put_signal(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_longdouble_put_signal_nbi(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);
void shmem_ctx_longdouble_put_signal_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);

/* Waiting for a word of this PE (9.11), in host or GPU memory */
SHMEM_IMPL_DEVICE void shmem_int_wait_until(int *ivar, int cmp, int cmp_value);
SHMEM_IMPL_DEVICE int shmem_int_test(int *ivar, int cmp, int cmp_value);
SHMEM_IMPL_DEVICE void shmem_long_wait_until(long *ivar, int cmp, long cmp_value);
SHMEM_IMPL_DEVICE int shmem_long_test(long *ivar, int cmp, long cmp_value);
SHMEM_IMPL_DEVICE void shmem_longlong_wait_until(long long *ivar, int cmp, long long cmp_value);
SHMEM_IMPL_DEVICE int shmem_longlong_test(long long *ivar, int cmp, long long cmp_value);
SHMEM_IMPL_DEVICE void shmem_uint_wait_until(unsigned int *ivar, int cmp, unsigned int cmp_value);
SHMEM_IMPL_DEVICE int shmem_uint_test(unsigned int *ivar, int cmp, unsigned int cmp_value);
SHMEM_IMPL_DEVICE void shmem_ulong_wait_until(unsigned long *ivar, int cmp, unsigned long cmp_value);
SHMEM_IMPL_DEVICE int shmem_ulong_test(unsigned long *ivar, int cmp, unsigned long cmp_value);
SHMEM_IMPL_DEVICE void shmem_ulonglong_wait_until(unsigned long long *ivar, int cmp, unsigned long long cmp_value);
SHMEM_IMPL_DEVICE int shmem_ulonglong_test(unsigned long long *ivar, int cmp, unsigned long long cmp_value);
SHMEM_IMPL_DEVICE void shmem_int32_wait_until(int32_t *ivar, int cmp, int32_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_int32_test(int32_t *ivar, int cmp, int32_t cmp_value);
SHMEM_IMPL_DEVICE void shmem_int64_wait_until(int64_t *ivar, int cmp, int64_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_int64_test(int64_t *ivar, int cmp, int64_t cmp_value);
SHMEM_IMPL_DEVICE void shmem_uint32_wait_until(uint32_t *ivar, int cmp, uint32_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_uint32_test(uint32_t *ivar, int cmp, uint32_t cmp_value);
SHMEM_IMPL_DEVICE void shmem_uint64_wait_until(uint64_t *ivar, int cmp, uint64_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_uint64_test(uint64_t *ivar, int cmp, uint64_t cmp_value);
SHMEM_IMPL_DEVICE void shmem_size_wait_until(size_t *ivar, int cmp, size_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_size_test(size_t *ivar, int cmp, size_t cmp_value);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_wait_until(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_test(ptrdiff_t *ivar, int cmp, ptrdiff_t cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE void shmem_short_wait_until(short *ivar, int cmp, short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE int shmem_short_test(short *ivar, int cmp, short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE void shmem_ushort_wait_until(unsigned short *ivar, int cmp, unsigned short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE int shmem_ushort_test(unsigned short *ivar, int cmp, unsigned short cmp_value);

/* Waiting for elements of an array. Elements whose status is not 0 are ignored; status may be NULL */
SHMEM_IMPL_DEVICE void shmem_int_wait_until_all(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int_wait_until_any(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int_wait_until_some(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value);
SHMEM_IMPL_DEVICE int shmem_int_test_all(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int_test_any(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int_test_some(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value);
SHMEM_IMPL_DEVICE void shmem_int_wait_until_all_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int_wait_until_any_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int_wait_until_some_vector(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values);
SHMEM_IMPL_DEVICE int shmem_int_test_all_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int_test_any_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int_test_some_vector(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values);
SHMEM_IMPL_DEVICE void shmem_long_wait_until_all(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_long_wait_until_any(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_long_wait_until_some(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value);
SHMEM_IMPL_DEVICE int shmem_long_test_all(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_long_test_any(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_long_test_some(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value);
SHMEM_IMPL_DEVICE void shmem_long_wait_until_all_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_long_wait_until_any_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_long_wait_until_some_vector(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values);
SHMEM_IMPL_DEVICE int shmem_long_test_all_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_long_test_any_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_long_test_some_vector(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values);
SHMEM_IMPL_DEVICE void shmem_longlong_wait_until_all(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_longlong_wait_until_any(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_longlong_wait_until_some(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value);
SHMEM_IMPL_DEVICE int shmem_longlong_test_all(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_longlong_test_any(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_longlong_test_some(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value);
SHMEM_IMPL_DEVICE void shmem_longlong_wait_until_all_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_longlong_wait_until_any_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_longlong_wait_until_some_vector(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values);
SHMEM_IMPL_DEVICE int shmem_longlong_test_all_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_longlong_test_any_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_longlong_test_some_vector(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values);
SHMEM_IMPL_DEVICE void shmem_uint_wait_until_all(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint_wait_until_any(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint_wait_until_some(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value);
SHMEM_IMPL_DEVICE int shmem_uint_test_all(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint_test_any(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint_test_some(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value);
SHMEM_IMPL_DEVICE void shmem_uint_wait_until_all_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint_wait_until_any_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint_wait_until_some_vector(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values);
SHMEM_IMPL_DEVICE int shmem_uint_test_all_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint_test_any_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint_test_some_vector(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values);
SHMEM_IMPL_DEVICE void shmem_ulong_wait_until_all(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ulong_wait_until_any(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ulong_wait_until_some(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value);
SHMEM_IMPL_DEVICE int shmem_ulong_test_all(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ulong_test_any(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ulong_test_some(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value);
SHMEM_IMPL_DEVICE void shmem_ulong_wait_until_all_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ulong_wait_until_any_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ulong_wait_until_some_vector(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values);
SHMEM_IMPL_DEVICE int shmem_ulong_test_all_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ulong_test_any_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ulong_test_some_vector(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values);
SHMEM_IMPL_DEVICE void shmem_ulonglong_wait_until_all(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ulonglong_wait_until_any(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ulonglong_wait_until_some(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value);
SHMEM_IMPL_DEVICE int shmem_ulonglong_test_all(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ulonglong_test_any(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ulonglong_test_some(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value);
SHMEM_IMPL_DEVICE void shmem_ulonglong_wait_until_all_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ulonglong_wait_until_any_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ulonglong_wait_until_some_vector(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values);
SHMEM_IMPL_DEVICE int shmem_ulonglong_test_all_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ulonglong_test_any_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ulonglong_test_some_vector(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values);
SHMEM_IMPL_DEVICE void shmem_int32_wait_until_all(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int32_wait_until_any(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int32_wait_until_some(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_int32_test_all(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int32_test_any(int32_t *ivars, size_t nelems, const int *status, int cmp, int32_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int32_test_some(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int32_t cmp_value);
SHMEM_IMPL_DEVICE void shmem_int32_wait_until_all_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int32_wait_until_any_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int32_wait_until_some_vector(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int32_t *cmp_values);
SHMEM_IMPL_DEVICE int shmem_int32_test_all_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int32_test_any_vector(int32_t *ivars, size_t nelems, const int *status, int cmp, const int32_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int32_test_some_vector(int32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int32_t *cmp_values);
SHMEM_IMPL_DEVICE void shmem_int64_wait_until_all(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int64_wait_until_any(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int64_wait_until_some(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_int64_test_all(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int64_test_any(int64_t *ivars, size_t nelems, const int *status, int cmp, int64_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_int64_test_some(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int64_t cmp_value);
SHMEM_IMPL_DEVICE void shmem_int64_wait_until_all_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int64_wait_until_any_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int64_wait_until_some_vector(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int64_t *cmp_values);
SHMEM_IMPL_DEVICE int shmem_int64_test_all_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int64_test_any_vector(int64_t *ivars, size_t nelems, const int *status, int cmp, const int64_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_int64_test_some_vector(int64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int64_t *cmp_values);
SHMEM_IMPL_DEVICE void shmem_uint32_wait_until_all(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint32_wait_until_any(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint32_wait_until_some(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_uint32_test_all(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint32_test_any(uint32_t *ivars, size_t nelems, const int *status, int cmp, uint32_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint32_test_some(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint32_t cmp_value);
SHMEM_IMPL_DEVICE void shmem_uint32_wait_until_all_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint32_wait_until_any_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint32_wait_until_some_vector(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint32_t *cmp_values);
SHMEM_IMPL_DEVICE int shmem_uint32_test_all_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint32_test_any_vector(uint32_t *ivars, size_t nelems, const int *status, int cmp, const uint32_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint32_test_some_vector(uint32_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint32_t *cmp_values);
SHMEM_IMPL_DEVICE void shmem_uint64_wait_until_all(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint64_wait_until_any(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint64_wait_until_some(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_uint64_test_all(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint64_test_any(uint64_t *ivars, size_t nelems, const int *status, int cmp, uint64_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_uint64_test_some(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, uint64_t cmp_value);
SHMEM_IMPL_DEVICE void shmem_uint64_wait_until_all_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint64_wait_until_any_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint64_wait_until_some_vector(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint64_t *cmp_values);
SHMEM_IMPL_DEVICE int shmem_uint64_test_all_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint64_test_any_vector(uint64_t *ivars, size_t nelems, const int *status, int cmp, const uint64_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_uint64_test_some_vector(uint64_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const uint64_t *cmp_values);
SHMEM_IMPL_DEVICE void shmem_size_wait_until_all(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_size_wait_until_any(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_size_wait_until_some(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, size_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_size_test_all(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_size_test_any(size_t *ivars, size_t nelems, const int *status, int cmp, size_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_size_test_some(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, size_t cmp_value);
SHMEM_IMPL_DEVICE void shmem_size_wait_until_all_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_size_wait_until_any_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_size_wait_until_some_vector(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const size_t *cmp_values);
SHMEM_IMPL_DEVICE int shmem_size_test_all_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_size_test_any_vector(size_t *ivars, size_t nelems, const int *status, int cmp, const size_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_size_test_some_vector(size_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const size_t *cmp_values);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_wait_until_all(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ptrdiff_wait_until_any(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ptrdiff_wait_until_some(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, ptrdiff_t cmp_value);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_test_all(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ptrdiff_test_any(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, ptrdiff_t cmp_value);
SHMEM_IMPL_DEVICE size_t shmem_ptrdiff_test_some(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, ptrdiff_t cmp_value);
SHMEM_IMPL_DEVICE void shmem_ptrdiff_wait_until_all_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ptrdiff_wait_until_any_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ptrdiff_wait_until_some_vector(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const ptrdiff_t *cmp_values);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_test_all_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ptrdiff_test_any_vector(ptrdiff_t *ivars, size_t nelems, const int *status, int cmp, const ptrdiff_t *cmp_values);
SHMEM_IMPL_DEVICE size_t shmem_ptrdiff_test_some_vector(ptrdiff_t *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const ptrdiff_t *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE void shmem_short_wait_until_all(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_short_wait_until_any(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_short_wait_until_some(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE int shmem_short_test_all(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_short_test_any(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_short_test_some(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE void shmem_short_wait_until_all_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_short_wait_until_any_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_short_wait_until_some_vector(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE int shmem_short_test_all_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_short_test_any_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_short_test_some_vector(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE void shmem_ushort_wait_until_all(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_ushort_wait_until_any(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_ushort_wait_until_some(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE int shmem_ushort_test_all(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_ushort_test_any(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_ushort_test_some(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE void shmem_ushort_wait_until_all_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_ushort_wait_until_any_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_ushort_wait_until_some_vector(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE int shmem_ushort_test_all_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_ushort_test_any_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values);
SHMEM_IMPL_DEPRECATED SHMEM_IMPL_DEVICE size_t shmem_ushort_test_some_vector(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values);

/* Waiting until a word no longer has the value */
SHMEM_IMPL_DEPRECATED void shmem_short_wait(short *ivar, short cmp_value);
SHMEM_IMPL_DEPRECATED void shmem_int_wait(int *ivar, int cmp_value);
SHMEM_IMPL_DEPRECATED void shmem_long_wait(long *ivar, long cmp_value);
SHMEM_IMPL_DEPRECATED void shmem_longlong_wait(long long *ivar, long long cmp_value);

/* Waiting for a word of type long */
SHMEM_IMPL_DEPRECATED void shmem_wait(long *ivar, long cmp_value);
SHMEM_IMPL_DEPRECATED void shmem_wait_until(long *ivar, int cmp, long cmp_value);

/* Memory ordering (9.12) */
SHMEM_IMPL_DEVICE void shmem_fence(void);
SHMEM_IMPL_DEVICE void shmem_ctx_fence(shmem_ctx_t ctx);
SHMEM_IMPL_DEVICE void shmem_quiet(void);
SHMEM_IMPL_DEVICE void shmem_ctx_quiet(shmem_ctx_t ctx);
SHMEM_IMPL_DEVICE void shmem_pe_quiet(const int *target_pes, size_t npes);
SHMEM_IMPL_DEVICE void shmem_ctx_pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes);

/* Barriers and collectives (9.10), on host or GPU memory. All members pass the same arguments */
SHMEM_IMPL_DEVICE void shmem_barrier_all(void);
SHMEM_IMPL_DEVICE void shmem_sync_all(void);
SHMEM_IMPL_DEVICE int shmem_team_sync(shmem_team_t team);
SHMEM_IMPL_DEVICE int shmem_broadcastmem(shmem_team_t team, void *dest, const void *source, size_t nelems, int PE_root);
int shmem_collectmem(shmem_team_t team, void *dest, const void *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_fcollectmem(shmem_team_t team, void *dest, const void *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_alltoallmem(shmem_team_t team, void *dest, const void *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_alltoallsmem(shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);

/* The same by type */
SHMEM_IMPL_DEVICE int shmem_float_broadcast(shmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root);
int shmem_float_collect(shmem_team_t team, float *dest, const float *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_float_fcollect(shmem_team_t team, float *dest, const float *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_float_alltoall(shmem_team_t team, float *dest, const float *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_float_alltoalls(shmem_team_t team, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_float_min_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_float_max_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_double_broadcast(shmem_team_t team, double *dest, const double *source, size_t nelems, int PE_root);
int shmem_double_collect(shmem_team_t team, double *dest, const double *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_double_fcollect(shmem_team_t team, double *dest, const double *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_double_alltoall(shmem_team_t team, double *dest, const double *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_double_alltoalls(shmem_team_t team, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_double_min_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_double_max_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_char_broadcast(shmem_team_t team, char *dest, const char *source, size_t nelems, int PE_root);
int shmem_char_collect(shmem_team_t team, char *dest, const char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_char_fcollect(shmem_team_t team, char *dest, const char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_char_alltoall(shmem_team_t team, char *dest, const char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_char_alltoalls(shmem_team_t team, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_char_min_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_char_max_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_schar_broadcast(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems, int PE_root);
int shmem_schar_collect(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_schar_fcollect(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_schar_alltoall(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_schar_alltoalls(shmem_team_t team, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_schar_min_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_schar_max_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_short_broadcast(shmem_team_t team, short *dest, const short *source, size_t nelems, int PE_root);
int shmem_short_collect(shmem_team_t team, short *dest, const short *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_short_fcollect(shmem_team_t team, short *dest, const short *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_short_alltoall(shmem_team_t team, short *dest, const short *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_short_alltoalls(shmem_team_t team, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_short_min_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_short_max_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int_broadcast(shmem_team_t team, int *dest, const int *source, size_t nelems, int PE_root);
int shmem_int_collect(shmem_team_t team, int *dest, const int *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int_fcollect(shmem_team_t team, int *dest, const int *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int_alltoall(shmem_team_t team, int *dest, const int *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int_alltoalls(shmem_team_t team, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int_min_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int_max_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_long_broadcast(shmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root);
int shmem_long_collect(shmem_team_t team, long *dest, const long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_long_fcollect(shmem_team_t team, long *dest, const long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_long_alltoall(shmem_team_t team, long *dest, const long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_long_alltoalls(shmem_team_t team, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_long_min_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_long_max_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_longlong_broadcast(shmem_team_t team, long long *dest, const long long *source, size_t nelems, int PE_root);
int shmem_longlong_collect(shmem_team_t team, long long *dest, const long long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_longlong_fcollect(shmem_team_t team, long long *dest, const long long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_longlong_alltoall(shmem_team_t team, long long *dest, const long long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_longlong_alltoalls(shmem_team_t team, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_longlong_min_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_longlong_max_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uchar_broadcast(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, int PE_root);
int shmem_uchar_collect(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uchar_fcollect(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uchar_alltoall(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uchar_alltoalls(shmem_team_t team, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uchar_min_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uchar_max_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ushort_broadcast(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, int PE_root);
int shmem_ushort_collect(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ushort_fcollect(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ushort_alltoall(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ushort_alltoalls(shmem_team_t team, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ushort_min_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ushort_max_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint_broadcast(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, int PE_root);
int shmem_uint_collect(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint_fcollect(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint_alltoall(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint_alltoalls(shmem_team_t team, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint_min_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint_max_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulong_broadcast(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, int PE_root);
int shmem_ulong_collect(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulong_fcollect(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulong_alltoall(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulong_alltoalls(shmem_team_t team, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulong_min_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulong_max_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulonglong_broadcast(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, int PE_root);
int shmem_ulonglong_collect(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulonglong_fcollect(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulonglong_alltoall(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulonglong_alltoalls(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulonglong_min_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulonglong_max_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int8_broadcast(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems, int PE_root);
int shmem_int8_collect(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int8_fcollect(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int8_alltoall(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int8_alltoalls(shmem_team_t team, int8_t *dest, const int8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int8_min_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int8_max_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int16_broadcast(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems, int PE_root);
int shmem_int16_collect(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int16_fcollect(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int16_alltoall(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int16_alltoalls(shmem_team_t team, int16_t *dest, const int16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int16_min_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int16_max_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int32_broadcast(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems, int PE_root);
int shmem_int32_collect(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int32_fcollect(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int32_alltoall(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int32_alltoalls(shmem_team_t team, int32_t *dest, const int32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int32_min_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int32_max_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int64_broadcast(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems, int PE_root);
int shmem_int64_collect(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int64_fcollect(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int64_alltoall(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int64_alltoalls(shmem_team_t team, int64_t *dest, const int64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int64_min_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int64_max_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint8_broadcast(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems, int PE_root);
int shmem_uint8_collect(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint8_fcollect(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint8_alltoall(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint8_alltoalls(shmem_team_t team, uint8_t *dest, const uint8_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint8_min_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint8_max_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint16_broadcast(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems, int PE_root);
int shmem_uint16_collect(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint16_fcollect(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint16_alltoall(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint16_alltoalls(shmem_team_t team, uint16_t *dest, const uint16_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint16_min_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint16_max_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint32_broadcast(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems, int PE_root);
int shmem_uint32_collect(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint32_fcollect(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint32_alltoall(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint32_alltoalls(shmem_team_t team, uint32_t *dest, const uint32_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint32_min_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint32_max_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint64_broadcast(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems, int PE_root);
int shmem_uint64_collect(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint64_fcollect(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint64_alltoall(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint64_alltoalls(shmem_team_t team, uint64_t *dest, const uint64_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint64_min_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint64_max_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_size_broadcast(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems, int PE_root);
int shmem_size_collect(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_size_fcollect(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_size_alltoall(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_size_alltoalls(shmem_team_t team, size_t *dest, const size_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_size_min_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_size_max_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_broadcast(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems, int PE_root);
int shmem_ptrdiff_collect(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_fcollect(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_alltoall(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_alltoalls(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_min_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_max_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
int shmem_longdouble_broadcast(shmem_team_t team, long double *dest, const long double *source, size_t nelems, int PE_root);
int shmem_longdouble_collect(shmem_team_t team, long double *dest, const long double *source, size_t nelems);
int shmem_longdouble_fcollect(shmem_team_t team, long double *dest, const long double *source, size_t nelems);
int shmem_longdouble_alltoall(shmem_team_t team, long double *dest, const long double *source, size_t nelems);
int shmem_longdouble_alltoalls(shmem_team_t team, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems);
int shmem_longdouble_min_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce);
int shmem_longdouble_max_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce);

/* Bitwise reductions */
SHMEM_IMPL_DEVICE int shmem_uchar_and_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uchar_or_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uchar_xor_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ushort_and_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ushort_or_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ushort_xor_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint_and_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint_or_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint_xor_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulong_and_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulong_or_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulong_xor_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulonglong_and_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulonglong_or_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulonglong_xor_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int8_and_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int8_or_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int8_xor_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int16_and_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int16_or_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int16_xor_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int32_and_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int32_or_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int32_xor_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int64_and_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int64_or_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int64_xor_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint8_and_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint8_or_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint8_xor_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint16_and_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint16_or_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint16_xor_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint32_and_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint32_or_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint32_xor_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint64_and_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint64_or_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint64_xor_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_size_and_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_size_or_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_size_xor_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);

/* Sums, products and scans */
SHMEM_IMPL_DEVICE int shmem_float_sum_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_float_prod_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_float_sum_inscan(shmem_team_t team, float *dest, const float *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_float_sum_exscan(shmem_team_t team, float *dest, const float *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_double_sum_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_double_prod_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_double_sum_inscan(shmem_team_t team, double *dest, const double *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_double_sum_exscan(shmem_team_t team, double *dest, const double *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_char_sum_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_char_prod_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_char_sum_inscan(shmem_team_t team, char *dest, const char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_char_sum_exscan(shmem_team_t team, char *dest, const char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_schar_sum_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_schar_prod_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_schar_sum_inscan(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_schar_sum_exscan(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_short_sum_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_short_prod_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_short_sum_inscan(shmem_team_t team, short *dest, const short *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_short_sum_exscan(shmem_team_t team, short *dest, const short *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int_sum_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int_prod_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int_sum_inscan(shmem_team_t team, int *dest, const int *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int_sum_exscan(shmem_team_t team, int *dest, const int *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_long_sum_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_long_prod_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_long_sum_inscan(shmem_team_t team, long *dest, const long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_long_sum_exscan(shmem_team_t team, long *dest, const long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_longlong_sum_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_longlong_prod_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_longlong_sum_inscan(shmem_team_t team, long long *dest, const long long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_longlong_sum_exscan(shmem_team_t team, long long *dest, const long long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uchar_sum_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uchar_prod_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uchar_sum_inscan(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uchar_sum_exscan(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ushort_sum_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ushort_prod_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ushort_sum_inscan(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ushort_sum_exscan(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint_sum_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint_prod_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint_sum_inscan(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint_sum_exscan(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulong_sum_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulong_prod_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulong_sum_inscan(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulong_sum_exscan(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulonglong_sum_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulonglong_prod_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ulonglong_sum_inscan(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ulonglong_sum_exscan(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int8_sum_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int8_prod_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int8_sum_inscan(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int8_sum_exscan(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int16_sum_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int16_prod_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int16_sum_inscan(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int16_sum_exscan(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int32_sum_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int32_prod_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int32_sum_inscan(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int32_sum_exscan(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int64_sum_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int64_prod_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_int64_sum_inscan(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_int64_sum_exscan(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint8_sum_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint8_prod_reduce(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint8_sum_inscan(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint8_sum_exscan(shmem_team_t team, uint8_t *dest, const uint8_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint16_sum_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint16_prod_reduce(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint16_sum_inscan(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint16_sum_exscan(shmem_team_t team, uint16_t *dest, const uint16_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint32_sum_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint32_prod_reduce(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint32_sum_inscan(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint32_sum_exscan(shmem_team_t team, uint32_t *dest, const uint32_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint64_sum_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint64_prod_reduce(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_uint64_sum_inscan(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_uint64_sum_exscan(shmem_team_t team, uint64_t *dest, const uint64_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_size_sum_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_size_prod_reduce(shmem_team_t team, size_t *dest, const size_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_size_sum_inscan(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_size_sum_exscan(shmem_team_t team, size_t *dest, const size_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_sum_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_prod_reduce(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nreduce);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_sum_inscan(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems);
SHMEM_IMPL_DEVICE int shmem_ptrdiff_sum_exscan(shmem_team_t team, ptrdiff_t *dest, const ptrdiff_t *source, size_t nelems);
int shmem_longdouble_sum_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce);
int shmem_longdouble_prod_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce);
int shmem_longdouble_sum_inscan(shmem_team_t team, long double *dest, const long double *source, size_t nelems);
int shmem_longdouble_sum_exscan(shmem_team_t team, long double *dest, const long double *source, size_t nelems);
int shmem_complexf_sum_reduce(shmem_team_t team, shmem_impl_complexf *dest, const shmem_impl_complexf *source, size_t nreduce);
int shmem_complexf_prod_reduce(shmem_team_t team, shmem_impl_complexf *dest, const shmem_impl_complexf *source, size_t nreduce);
int shmem_complexf_sum_inscan(shmem_team_t team, shmem_impl_complexf *dest, const shmem_impl_complexf *source, size_t nelems);
int shmem_complexf_sum_exscan(shmem_team_t team, shmem_impl_complexf *dest, const shmem_impl_complexf *source, size_t nelems);
int shmem_complexd_sum_reduce(shmem_team_t team, shmem_impl_complexd *dest, const shmem_impl_complexd *source, size_t nreduce);
int shmem_complexd_prod_reduce(shmem_team_t team, shmem_impl_complexd *dest, const shmem_impl_complexd *source, size_t nreduce);
int shmem_complexd_sum_inscan(shmem_team_t team, shmem_impl_complexd *dest, const shmem_impl_complexd *source, size_t nelems);
int shmem_complexd_sum_exscan(shmem_team_t team, shmem_impl_complexd *dest, const shmem_impl_complexd *source, size_t nelems);

/* Collectives of active sets. `pSync` and `pWrk` are not used */
SHMEM_IMPL_DEPRECATED void shmem_barrier(int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_sync(int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_broadcast32(void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_broadcast64(void *dest, const void *source, size_t nelems, int PE_root, int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_collect32(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_collect64(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_fcollect32(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_fcollect64(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_alltoall32(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_alltoall64(void *dest, const void *source, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_alltoalls32(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_alltoalls64(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int PE_start, int logPE_stride, int PE_size, long *pSync);

/* Bitwise reductions of active sets */
SHMEM_IMPL_DEPRECATED void shmem_short_and_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_short_or_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_short_xor_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_int_and_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_int_or_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_int_xor_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_long_and_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_long_or_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_long_xor_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_longlong_and_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_longlong_or_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_longlong_xor_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync);

/* Minima and maxima of active sets */
SHMEM_IMPL_DEPRECATED void shmem_short_min_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_short_max_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_int_min_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_int_max_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_long_min_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_long_max_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_longlong_min_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_longlong_max_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_float_min_to_all(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_float_max_to_all(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_double_min_to_all(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_double_max_to_all(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_longdouble_min_to_all(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_longdouble_max_to_all(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync);

/* Sums and products of active sets */
SHMEM_IMPL_DEPRECATED void shmem_short_sum_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_short_prod_to_all(short *dest, const short *source, int nreduce, int PE_start, int logPE_stride, int PE_size, short *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_int_sum_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_int_prod_to_all(int *dest, const int *source, int nreduce, int PE_start, int logPE_stride, int PE_size, int *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_long_sum_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_long_prod_to_all(long *dest, const long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_longlong_sum_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_longlong_prod_to_all(long long *dest, const long long *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long long *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_float_sum_to_all(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_float_prod_to_all(float *dest, const float *source, int nreduce, int PE_start, int logPE_stride, int PE_size, float *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_double_sum_to_all(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_double_prod_to_all(double *dest, const double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, double *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_longdouble_sum_to_all(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_longdouble_prod_to_all(long double *dest, const long double *source, int nreduce, int PE_start, int logPE_stride, int PE_size, long double *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_complexf_sum_to_all(shmem_impl_complexf *dest, const shmem_impl_complexf *source, int nreduce, int PE_start, int logPE_stride, int PE_size, shmem_impl_complexf *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_complexf_prod_to_all(shmem_impl_complexf *dest, const shmem_impl_complexf *source, int nreduce, int PE_start, int logPE_stride, int PE_size, shmem_impl_complexf *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_complexd_sum_to_all(shmem_impl_complexd *dest, const shmem_impl_complexd *source, int nreduce, int PE_start, int logPE_stride, int PE_size, shmem_impl_complexd *pWrk, long *pSync);
SHMEM_IMPL_DEPRECATED void shmem_complexd_prod_to_all(shmem_impl_complexd *dest, const shmem_impl_complexd *source, int nreduce, int PE_start, int logPE_stride, int PE_size, shmem_impl_complexd *pWrk, long *pSync);

/* Locks (9.13). A lock must be 0 on all PEs before its first use. PEs acquire it in the order in which they asked for
   it. A PE holds the lock, not a thread */
void shmem_set_lock(long *lock);
void shmem_clear_lock(long *lock);
int shmem_test_lock(long *lock);

/* Initialisation before 1.2 */
SHMEM_IMPL_DEPRECATED void start_pes(int npes);

/* Standard atomics before 1.4 */
SHMEM_IMPL_DEPRECATED int shmem_int_cswap(int *dest, int cond, int value, int pe);
SHMEM_IMPL_DEPRECATED int shmem_int_fadd(int *dest, int value, int pe);
SHMEM_IMPL_DEPRECATED void shmem_int_add(int *dest, int value, int pe);
SHMEM_IMPL_DEPRECATED int shmem_int_finc(int *dest, int pe);
SHMEM_IMPL_DEPRECATED void shmem_int_inc(int *dest, int pe);
SHMEM_IMPL_DEPRECATED long shmem_long_cswap(long *dest, long cond, long value, int pe);
SHMEM_IMPL_DEPRECATED long shmem_long_fadd(long *dest, long value, int pe);
SHMEM_IMPL_DEPRECATED void shmem_long_add(long *dest, long value, int pe);
SHMEM_IMPL_DEPRECATED long shmem_long_finc(long *dest, int pe);
SHMEM_IMPL_DEPRECATED void shmem_long_inc(long *dest, int pe);
SHMEM_IMPL_DEPRECATED long long shmem_longlong_cswap(long long *dest, long long cond, long long value, int pe);
SHMEM_IMPL_DEPRECATED long long shmem_longlong_fadd(long long *dest, long long value, int pe);
SHMEM_IMPL_DEPRECATED void shmem_longlong_add(long long *dest, long long value, int pe);
SHMEM_IMPL_DEPRECATED long long shmem_longlong_finc(long long *dest, int pe);
SHMEM_IMPL_DEPRECATED void shmem_longlong_inc(long long *dest, int pe);

/* Extended atomics before 1.4 */
SHMEM_IMPL_DEPRECATED int shmem_int_fetch(const int *source, int pe);
SHMEM_IMPL_DEPRECATED void shmem_int_set(int *dest, int value, int pe);
SHMEM_IMPL_DEPRECATED int shmem_int_swap(int *dest, int value, int pe);
SHMEM_IMPL_DEPRECATED long shmem_long_fetch(const long *source, int pe);
SHMEM_IMPL_DEPRECATED void shmem_long_set(long *dest, long value, int pe);
SHMEM_IMPL_DEPRECATED long shmem_long_swap(long *dest, long value, int pe);
SHMEM_IMPL_DEPRECATED long long shmem_longlong_fetch(const long long *source, int pe);
SHMEM_IMPL_DEPRECATED void shmem_longlong_set(long long *dest, long long value, int pe);
SHMEM_IMPL_DEPRECATED long long shmem_longlong_swap(long long *dest, long long value, int pe);
SHMEM_IMPL_DEPRECATED float shmem_float_fetch(const float *source, int pe);
SHMEM_IMPL_DEPRECATED void shmem_float_set(float *dest, float value, int pe);
SHMEM_IMPL_DEPRECATED float shmem_float_swap(float *dest, float value, int pe);
SHMEM_IMPL_DEPRECATED double shmem_double_fetch(const double *source, int pe);
SHMEM_IMPL_DEPRECATED void shmem_double_set(double *dest, double value, int pe);
SHMEM_IMPL_DEPRECATED double shmem_double_swap(double *dest, double value, int pe);

/* Names from before 1.2 */
SHMEM_IMPL_DEPRECATED int _my_pe(void);
SHMEM_IMPL_DEPRECATED int _num_pes(void);
SHMEM_IMPL_DEPRECATED void *shmalloc(size_t size);
SHMEM_IMPL_DEPRECATED void shfree(void *ptr);
SHMEM_IMPL_DEPRECATED void *shrealloc(void *ptr, size_t size);
SHMEM_IMPL_DEPRECATED void *shmemalign(size_t alignment, size_t size);

#ifdef __cplusplus
}
#endif

/* The same without the type in the name. An argument with a comma of its own needs parentheses. */
#if !defined __cplusplus && defined __STDC_VERSION__ && __STDC_VERSION__ >= 201112L
#define SHMEM_IMPL_1ST_OF(first, ...) first
#define SHMEM_IMPL_2ND_OF(first, second, ...) second
#define SHMEM_IMPL_1ST(...) SHMEM_IMPL_1ST_OF(__VA_ARGS__, 0)
#define SHMEM_IMPL_2ND(...) SHMEM_IMPL_2ND_OF(__VA_ARGS__, 0, 0)
#define SHMEM_IMPL_BY_CTX(with, without, ...) \
    _Generic((SHMEM_IMPL_1ST(__VA_ARGS__)), shmem_ctx_t: with, default: without)
#define SHMEM_IMPL_POINTER(...) *SHMEM_IMPL_BY_CTX((SHMEM_IMPL_2ND(__VA_ARGS__)), (SHMEM_IMPL_1ST(__VA_ARGS__)), __VA_ARGS__)
#define SHMEM_IMPL_RMA(before, after, value) _Generic(value, \
    float: before##float##after, \
    double: before##double##after, \
    char: before##char##after, \
    signed char: before##schar##after, \
    short: before##short##after, \
    int: before##int##after, \
    long: before##long##after, \
    long long: before##longlong##after, \
    unsigned char: before##uchar##after, \
    unsigned short: before##ushort##after, \
    unsigned int: before##uint##after, \
    unsigned long: before##ulong##after, \
    unsigned long long: before##ulonglong##after, \
    long double: before##longdouble##after)
#define SHMEM_IMPL_AMO(before, after, value) _Generic(value, \
    int: before##int##after, \
    long: before##long##after, \
    long long: before##longlong##after, \
    unsigned int: before##uint##after, \
    unsigned long: before##ulong##after, \
    unsigned long long: before##ulonglong##after)
#define SHMEM_IMPL_EXTENDED(before, after, value) _Generic(value, \
    int: before##int##after, \
    long: before##long##after, \
    long long: before##longlong##after, \
    unsigned int: before##uint##after, \
    unsigned long: before##ulong##after, \
    unsigned long long: before##ulonglong##after, \
    float: before##float##after, \
    double: before##double##after)
#define SHMEM_IMPL_BITWISE(before, after, value) _Generic(value, \
    unsigned int: before##uint##after, \
    unsigned long: before##ulong##after, \
    unsigned long long: before##ulonglong##after, \
    int32_t: before##int32##after, \
    int64_t: before##int64##after)
#define SHMEM_IMPL_WAIT(before, after, value) _Generic(value, \
    int: before##int##after, \
    long: before##long##after, \
    long long: before##longlong##after, \
    unsigned int: before##uint##after, \
    unsigned long: before##ulong##after, \
    unsigned long long: before##ulonglong##after, \
    short: before##impl_short##after, \
    unsigned short: before##impl_ushort##after)
#define SHMEM_IMPL_REDUCE_BITWISE(before, after, value) _Generic(value, \
    unsigned char: before##uchar##after, \
    unsigned short: before##ushort##after, \
    unsigned int: before##uint##after, \
    unsigned long: before##ulong##after, \
    unsigned long long: before##ulonglong##after, \
    int8_t: before##int8##after, \
    int16_t: before##int16##after, \
    int32_t: before##int32##after, \
    int64_t: before##int64##after)
#define SHMEM_IMPL_REDUCE_ARITHMETIC(before, after, value) _Generic(value, \
    float: before##float##after, \
    double: before##double##after, \
    char: before##char##after, \
    signed char: before##schar##after, \
    short: before##short##after, \
    int: before##int##after, \
    long: before##long##after, \
    long long: before##longlong##after, \
    unsigned char: before##uchar##after, \
    unsigned short: before##ushort##after, \
    unsigned int: before##uint##after, \
    unsigned long: before##ulong##after, \
    unsigned long long: before##ulonglong##after, \
    long double: before##longdouble##after, \
    shmem_impl_complexf: before##complexf##after, \
    shmem_impl_complexd: before##complexd##after)
#define SHMEM_IMPL_OLD_STANDARD(before, after, value) _Generic(value, \
    int: before##int##after, \
    long: before##long##after, \
    long long: before##longlong##after)
#define SHMEM_IMPL_OLD_EXTENDED(before, after, value) _Generic(value, \
    int: before##int##after, \
    long: before##long##after, \
    long long: before##longlong##after, \
    float: before##float##after, \
    double: before##double##after)

#if defined __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
#if defined __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1215, 1444
#endif
static inline void shmem_impl_short_wait_until(short *ivar, int cmp, short cmp_value) { shmem_short_wait_until(ivar, cmp, cmp_value); }
static inline void shmem_impl_ushort_wait_until(unsigned short *ivar, int cmp, unsigned short cmp_value) { shmem_ushort_wait_until(ivar, cmp, cmp_value); }
static inline int shmem_impl_short_test(short *ivar, int cmp, short cmp_value) { return shmem_short_test(ivar, cmp, cmp_value); }
static inline int shmem_impl_ushort_test(unsigned short *ivar, int cmp, unsigned short cmp_value) { return shmem_ushort_test(ivar, cmp, cmp_value); }
static inline void shmem_impl_short_wait_until_all(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { shmem_short_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
static inline void shmem_impl_ushort_wait_until_all(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { shmem_ushort_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
static inline size_t shmem_impl_short_wait_until_any(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { return shmem_short_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
static inline size_t shmem_impl_ushort_wait_until_any(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
static inline size_t shmem_impl_short_wait_until_some(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value) { return shmem_short_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
static inline size_t shmem_impl_ushort_wait_until_some(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
static inline int shmem_impl_short_test_all(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { return shmem_short_test_all(ivars, nelems, status, cmp, cmp_value); }
static inline int shmem_impl_ushort_test_all(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_all(ivars, nelems, status, cmp, cmp_value); }
static inline size_t shmem_impl_short_test_any(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { return shmem_short_test_any(ivars, nelems, status, cmp, cmp_value); }
static inline size_t shmem_impl_ushort_test_any(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_any(ivars, nelems, status, cmp, cmp_value); }
static inline size_t shmem_impl_short_test_some(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value) { return shmem_short_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
static inline size_t shmem_impl_ushort_test_some(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
static inline void shmem_impl_short_wait_until_all_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { shmem_short_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
static inline void shmem_impl_ushort_wait_until_all_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { shmem_ushort_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
static inline size_t shmem_impl_short_wait_until_any_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { return shmem_short_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
static inline size_t shmem_impl_ushort_wait_until_any_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
static inline size_t shmem_impl_short_wait_until_some_vector(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values) { return shmem_short_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
static inline size_t shmem_impl_ushort_wait_until_some_vector(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
static inline int shmem_impl_short_test_all_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { return shmem_short_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
static inline int shmem_impl_ushort_test_all_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
static inline size_t shmem_impl_short_test_any_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { return shmem_short_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
static inline size_t shmem_impl_ushort_test_any_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
static inline size_t shmem_impl_short_test_some_vector(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values) { return shmem_short_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
static inline size_t shmem_impl_ushort_test_some_vector(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
static inline void shmem_impl_sync(int PE_start, int logPE_stride, int PE_size, long *pSync) { shmem_sync(PE_start, logPE_stride, PE_size, pSync); }

#if defined __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diagnostic pop
#endif
#if defined __GNUC__
#pragma GCC diagnostic pop
#endif
#define shmem_put(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _put, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _put, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_get(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _get, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _get, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_put_nbi(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _put_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _put_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_get_nbi(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _get_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _get_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_iput(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _iput, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _iput, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_iget(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _iget, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _iget, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_ibput(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _ibput, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _ibput, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_ibget(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _ibget, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _ibget, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_p(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _p, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _p, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_g(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _g, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _g, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_compare_swap(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_AMO(shmem_ctx_, _atomic_compare_swap, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_AMO(shmem_, _atomic_compare_swap, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_AMO(shmem_ctx_, _atomic_compare_swap_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_AMO(shmem_, _atomic_compare_swap_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch_add(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_AMO(shmem_ctx_, _atomic_fetch_add, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_AMO(shmem_, _atomic_fetch_add, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_AMO(shmem_ctx_, _atomic_fetch_add_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_AMO(shmem_, _atomic_fetch_add_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_add(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_AMO(shmem_ctx_, _atomic_add, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_AMO(shmem_, _atomic_add, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch_inc(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_AMO(shmem_ctx_, _atomic_fetch_inc, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_AMO(shmem_, _atomic_fetch_inc, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_AMO(shmem_ctx_, _atomic_fetch_inc_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_AMO(shmem_, _atomic_fetch_inc_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_inc(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_AMO(shmem_ctx_, _atomic_inc, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_AMO(shmem_, _atomic_inc, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_EXTENDED(shmem_ctx_, _atomic_fetch, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_EXTENDED(shmem_, _atomic_fetch, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_EXTENDED(shmem_ctx_, _atomic_fetch_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_EXTENDED(shmem_, _atomic_fetch_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_set(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_EXTENDED(shmem_ctx_, _atomic_set, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_EXTENDED(shmem_, _atomic_set, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_swap(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_EXTENDED(shmem_ctx_, _atomic_swap, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_EXTENDED(shmem_, _atomic_swap, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_swap_nbi(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_EXTENDED(shmem_ctx_, _atomic_swap_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_EXTENDED(shmem_, _atomic_swap_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch_and(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_BITWISE(shmem_ctx_, _atomic_fetch_and, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_BITWISE(shmem_, _atomic_fetch_and, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_BITWISE(shmem_ctx_, _atomic_fetch_and_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_BITWISE(shmem_, _atomic_fetch_and_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_and(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_BITWISE(shmem_ctx_, _atomic_and, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_BITWISE(shmem_, _atomic_and, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch_or(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_BITWISE(shmem_ctx_, _atomic_fetch_or, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_BITWISE(shmem_, _atomic_fetch_or, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_BITWISE(shmem_ctx_, _atomic_fetch_or_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_BITWISE(shmem_, _atomic_fetch_or_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_or(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_BITWISE(shmem_ctx_, _atomic_or, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_BITWISE(shmem_, _atomic_or, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch_xor(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_BITWISE(shmem_ctx_, _atomic_fetch_xor, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_BITWISE(shmem_, _atomic_fetch_xor, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_BITWISE(shmem_ctx_, _atomic_fetch_xor_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_BITWISE(shmem_, _atomic_fetch_xor_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_atomic_xor(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_BITWISE(shmem_ctx_, _atomic_xor, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_BITWISE(shmem_, _atomic_xor, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_put_signal(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _put_signal, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _put_signal, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_put_signal_nbi(...) \
    SHMEM_IMPL_BY_CTX( \
    SHMEM_IMPL_RMA(shmem_ctx_, _put_signal_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), \
    SHMEM_IMPL_RMA(shmem_, _put_signal_nbi, SHMEM_IMPL_POINTER(__VA_ARGS__)), __VA_ARGS__)(__VA_ARGS__)
#define shmem_wait_until(...) \
    SHMEM_IMPL_WAIT(shmem_, _wait_until, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_test(...) \
    SHMEM_IMPL_WAIT(shmem_, _test, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_wait_until_all(...) \
    SHMEM_IMPL_WAIT(shmem_, _wait_until_all, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_wait_until_any(...) \
    SHMEM_IMPL_WAIT(shmem_, _wait_until_any, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_wait_until_some(...) \
    SHMEM_IMPL_WAIT(shmem_, _wait_until_some, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_test_all(...) \
    SHMEM_IMPL_WAIT(shmem_, _test_all, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_test_any(...) \
    SHMEM_IMPL_WAIT(shmem_, _test_any, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_test_some(...) \
    SHMEM_IMPL_WAIT(shmem_, _test_some, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_wait_until_all_vector(...) \
    SHMEM_IMPL_WAIT(shmem_, _wait_until_all_vector, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_wait_until_any_vector(...) \
    SHMEM_IMPL_WAIT(shmem_, _wait_until_any_vector, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_wait_until_some_vector(...) \
    SHMEM_IMPL_WAIT(shmem_, _wait_until_some_vector, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_test_all_vector(...) \
    SHMEM_IMPL_WAIT(shmem_, _test_all_vector, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_test_any_vector(...) \
    SHMEM_IMPL_WAIT(shmem_, _test_any_vector, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_test_some_vector(...) \
    SHMEM_IMPL_WAIT(shmem_, _test_some_vector, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_broadcast(...) \
    SHMEM_IMPL_RMA(shmem_, _broadcast, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_collect(...) \
    SHMEM_IMPL_RMA(shmem_, _collect, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_fcollect(...) \
    SHMEM_IMPL_RMA(shmem_, _fcollect, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_alltoall(...) \
    SHMEM_IMPL_RMA(shmem_, _alltoall, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_alltoalls(...) \
    SHMEM_IMPL_RMA(shmem_, _alltoalls, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_min_reduce(...) \
    SHMEM_IMPL_RMA(shmem_, _min_reduce, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_max_reduce(...) \
    SHMEM_IMPL_RMA(shmem_, _max_reduce, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_and_reduce(...) \
    SHMEM_IMPL_REDUCE_BITWISE(shmem_, _and_reduce, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_or_reduce(...) \
    SHMEM_IMPL_REDUCE_BITWISE(shmem_, _or_reduce, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_xor_reduce(...) \
    SHMEM_IMPL_REDUCE_BITWISE(shmem_, _xor_reduce, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_sum_reduce(...) \
    SHMEM_IMPL_REDUCE_ARITHMETIC(shmem_, _sum_reduce, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_prod_reduce(...) \
    SHMEM_IMPL_REDUCE_ARITHMETIC(shmem_, _prod_reduce, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_sum_inscan(...) \
    SHMEM_IMPL_REDUCE_ARITHMETIC(shmem_, _sum_inscan, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_sum_exscan(...) \
    SHMEM_IMPL_REDUCE_ARITHMETIC(shmem_, _sum_exscan, *(SHMEM_IMPL_2ND(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_cswap(...) \
    SHMEM_IMPL_OLD_STANDARD(shmem_, _cswap, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_fadd(...) \
    SHMEM_IMPL_OLD_STANDARD(shmem_, _fadd, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_add(...) \
    SHMEM_IMPL_OLD_STANDARD(shmem_, _add, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_finc(...) \
    SHMEM_IMPL_OLD_STANDARD(shmem_, _finc, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_inc(...) \
    SHMEM_IMPL_OLD_STANDARD(shmem_, _inc, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_fetch(...) \
    SHMEM_IMPL_OLD_EXTENDED(shmem_, _fetch, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_set(...) \
    SHMEM_IMPL_OLD_EXTENDED(shmem_, _set, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_swap(...) \
    SHMEM_IMPL_OLD_EXTENDED(shmem_, _swap, *(SHMEM_IMPL_1ST(__VA_ARGS__)))(__VA_ARGS__)
#define shmem_signal_set(...) \
    SHMEM_IMPL_BY_CTX(shmem_ctx_signal_set, shmem_signal_set, __VA_ARGS__)(__VA_ARGS__)
#define shmem_signal_add(...) \
    SHMEM_IMPL_BY_CTX(shmem_ctx_signal_add, shmem_signal_add, __VA_ARGS__)(__VA_ARGS__)
#define shmem_sync(...) \
    _Generic((SHMEM_IMPL_1ST(__VA_ARGS__)), shmem_team_t: shmem_team_sync, default: shmem_impl_sync)(__VA_ARGS__)
#elif defined __cplusplus
#if defined __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#endif
#if defined __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1215, 1444
#endif
extern "C++" {
SHMEM_IMPL_DEVICE inline void shmem_put(float *dest, const float *source, size_t nelems, int pe) { shmem_float_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) { shmem_ctx_float_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(double *dest, const double *source, size_t nelems, int pe) { shmem_double_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) { shmem_ctx_double_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(char *dest, const char *source, size_t nelems, int pe) { shmem_char_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) { shmem_ctx_char_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_ctx_schar_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(short *dest, const short *source, size_t nelems, int pe) { shmem_short_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) { shmem_ctx_short_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(int *dest, const int *source, size_t nelems, int pe) { shmem_int_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) { shmem_ctx_int_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(long *dest, const long *source, size_t nelems, int pe) { shmem_long_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) { shmem_ctx_long_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) { shmem_ctx_longlong_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_ctx_uchar_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ctx_ushort_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_ctx_uint_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ctx_ulong_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_put(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ctx_ulonglong_put(ctx, dest, source, nelems, pe); }
inline void shmem_put(long double *dest, const long double *source, size_t nelems, int pe) { shmem_longdouble_put(dest, source, nelems, pe); }
inline void shmem_put(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) { shmem_ctx_longdouble_put(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(float *dest, const float *source, size_t nelems, int pe) { shmem_float_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) { shmem_ctx_float_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(double *dest, const double *source, size_t nelems, int pe) { shmem_double_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) { shmem_ctx_double_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(char *dest, const char *source, size_t nelems, int pe) { shmem_char_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) { shmem_ctx_char_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_ctx_schar_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(short *dest, const short *source, size_t nelems, int pe) { shmem_short_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) { shmem_ctx_short_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(int *dest, const int *source, size_t nelems, int pe) { shmem_int_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) { shmem_ctx_int_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(long *dest, const long *source, size_t nelems, int pe) { shmem_long_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) { shmem_ctx_long_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) { shmem_ctx_longlong_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_ctx_uchar_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ctx_ushort_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_ctx_uint_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ctx_ulong_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_get(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ctx_ulonglong_get(ctx, dest, source, nelems, pe); }
inline void shmem_get(long double *dest, const long double *source, size_t nelems, int pe) { shmem_longdouble_get(dest, source, nelems, pe); }
inline void shmem_get(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) { shmem_ctx_longdouble_get(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(float *dest, const float *source, size_t nelems, int pe) { shmem_float_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) { shmem_ctx_float_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(double *dest, const double *source, size_t nelems, int pe) { shmem_double_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) { shmem_ctx_double_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(char *dest, const char *source, size_t nelems, int pe) { shmem_char_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) { shmem_ctx_char_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_ctx_schar_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(short *dest, const short *source, size_t nelems, int pe) { shmem_short_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) { shmem_ctx_short_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(int *dest, const int *source, size_t nelems, int pe) { shmem_int_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) { shmem_ctx_int_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(long *dest, const long *source, size_t nelems, int pe) { shmem_long_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) { shmem_ctx_long_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) { shmem_ctx_longlong_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_ctx_uchar_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ctx_ushort_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_ctx_uint_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ctx_ulong_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_put_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ctx_ulonglong_put_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_put_nbi(long double *dest, const long double *source, size_t nelems, int pe) { shmem_longdouble_put_nbi(dest, source, nelems, pe); }
inline void shmem_put_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) { shmem_ctx_longdouble_put_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(float *dest, const float *source, size_t nelems, int pe) { shmem_float_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, int pe) { shmem_ctx_float_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(double *dest, const double *source, size_t nelems, int pe) { shmem_double_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, int pe) { shmem_ctx_double_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(char *dest, const char *source, size_t nelems, int pe) { shmem_char_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, int pe) { shmem_ctx_char_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_schar_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, int pe) { shmem_ctx_schar_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(short *dest, const short *source, size_t nelems, int pe) { shmem_short_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, int pe) { shmem_ctx_short_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(int *dest, const int *source, size_t nelems, int pe) { shmem_int_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, int pe) { shmem_ctx_int_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(long *dest, const long *source, size_t nelems, int pe) { shmem_long_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, int pe) { shmem_ctx_long_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(long long *dest, const long long *source, size_t nelems, int pe) { shmem_longlong_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, int pe) { shmem_ctx_longlong_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_uchar_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, int pe) { shmem_ctx_uchar_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ushort_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, int pe) { shmem_ctx_ushort_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_uint_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, int pe) { shmem_ctx_uint_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ulong_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, int pe) { shmem_ctx_ulong_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ulonglong_get_nbi(dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_get_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, int pe) { shmem_ctx_ulonglong_get_nbi(ctx, dest, source, nelems, pe); }
inline void shmem_get_nbi(long double *dest, const long double *source, size_t nelems, int pe) { shmem_longdouble_get_nbi(dest, source, nelems, pe); }
inline void shmem_get_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, int pe) { shmem_ctx_longdouble_get_nbi(ctx, dest, source, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_float_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_float_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_double_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_double_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_char_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_char_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_schar_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_schar_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_short_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_short_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_int_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_long_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_long_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_longlong_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_longlong_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uchar_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_uchar_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ushort_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_ushort_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_uint_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ulong_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_ulong_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ulonglong_iput(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iput(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_ulonglong_iput(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_longdouble_iput(dest, source, dst, sst, nelems, pe); }
inline void shmem_iput(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_longdouble_iput(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_float_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_float_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_double_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_double_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_char_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_char_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_schar_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_schar_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_short_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_short_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_int_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_int_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_long_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_long_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_longlong_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_longlong_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uchar_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_uchar_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ushort_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_ushort_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_uint_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_uint_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ulong_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_ulong_iget(ctx, dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ulonglong_iget(dest, source, dst, sst, nelems, pe); }
SHMEM_IMPL_DEVICE inline void shmem_iget(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_ulonglong_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_longdouble_iget(dest, source, dst, sst, nelems, pe); }
inline void shmem_iget(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { shmem_ctx_longdouble_iget(ctx, dest, source, dst, sst, nelems, pe); }
inline void shmem_ibput(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_float_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_float_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_double_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_double_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_char_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_char_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_schar_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_schar_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_short_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_short_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_int_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_int_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_long_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_long_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_longlong_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_longlong_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_uchar_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_uchar_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ushort_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_ushort_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_uint_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_uint_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ulong_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_ulong_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ulonglong_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_ulonglong_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_longdouble_ibput(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibput(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_longdouble_ibput(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_float_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_float_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_double_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_double_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_char_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_char_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_schar_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_schar_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_short_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_short_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_int_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_int_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_long_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_long_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_longlong_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_longlong_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_uchar_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_uchar_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ushort_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_ushort_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_uint_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_uint_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ulong_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_ulong_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ulonglong_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_ulonglong_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_longdouble_ibget(dest, source, dst, sst, bsize, nblocks, pe); }
inline void shmem_ibget(shmem_ctx_t ctx, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks, int pe) { shmem_ctx_longdouble_ibget(ctx, dest, source, dst, sst, bsize, nblocks, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(float *dest, float value, int pe) { shmem_float_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, float *dest, float value, int pe) { shmem_ctx_float_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(double *dest, double value, int pe) { shmem_double_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, double *dest, double value, int pe) { shmem_ctx_double_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(char *dest, char value, int pe) { shmem_char_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, char *dest, char value, int pe) { shmem_ctx_char_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(signed char *dest, signed char value, int pe) { shmem_schar_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, signed char *dest, signed char value, int pe) { shmem_ctx_schar_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(short *dest, short value, int pe) { shmem_short_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, short *dest, short value, int pe) { shmem_ctx_short_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(int *dest, int value, int pe) { shmem_int_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, int *dest, int value, int pe) { shmem_ctx_int_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(long *dest, long value, int pe) { shmem_long_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, long *dest, long value, int pe) { shmem_ctx_long_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(long long *dest, long long value, int pe) { shmem_longlong_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, long long *dest, long long value, int pe) { shmem_ctx_longlong_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(unsigned char *dest, unsigned char value, int pe) { shmem_uchar_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, unsigned char *dest, unsigned char value, int pe) { shmem_ctx_uchar_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(unsigned short *dest, unsigned short value, int pe) { shmem_ushort_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, unsigned short *dest, unsigned short value, int pe) { shmem_ctx_ushort_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(unsigned int *dest, unsigned int value, int pe) { shmem_uint_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) { shmem_ctx_uint_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) { shmem_ctx_ulong_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_p(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_p(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) { shmem_ctx_ulonglong_p(ctx, dest, value, pe); }
inline void shmem_p(long double *dest, long double value, int pe) { shmem_longdouble_p(dest, value, pe); }
inline void shmem_p(shmem_ctx_t ctx, long double *dest, long double value, int pe) { shmem_ctx_longdouble_p(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline float shmem_g(const float *source, int pe) { return shmem_float_g(source, pe); }
SHMEM_IMPL_DEVICE inline float shmem_g(shmem_ctx_t ctx, const float *source, int pe) { return shmem_ctx_float_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline double shmem_g(const double *source, int pe) { return shmem_double_g(source, pe); }
SHMEM_IMPL_DEVICE inline double shmem_g(shmem_ctx_t ctx, const double *source, int pe) { return shmem_ctx_double_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline char shmem_g(const char *source, int pe) { return shmem_char_g(source, pe); }
SHMEM_IMPL_DEVICE inline char shmem_g(shmem_ctx_t ctx, const char *source, int pe) { return shmem_ctx_char_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline signed char shmem_g(const signed char *source, int pe) { return shmem_schar_g(source, pe); }
SHMEM_IMPL_DEVICE inline signed char shmem_g(shmem_ctx_t ctx, const signed char *source, int pe) { return shmem_ctx_schar_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline short shmem_g(const short *source, int pe) { return shmem_short_g(source, pe); }
SHMEM_IMPL_DEVICE inline short shmem_g(shmem_ctx_t ctx, const short *source, int pe) { return shmem_ctx_short_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline int shmem_g(const int *source, int pe) { return shmem_int_g(source, pe); }
SHMEM_IMPL_DEVICE inline int shmem_g(shmem_ctx_t ctx, const int *source, int pe) { return shmem_ctx_int_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline long shmem_g(const long *source, int pe) { return shmem_long_g(source, pe); }
SHMEM_IMPL_DEVICE inline long shmem_g(shmem_ctx_t ctx, const long *source, int pe) { return shmem_ctx_long_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_g(const long long *source, int pe) { return shmem_longlong_g(source, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_g(shmem_ctx_t ctx, const long long *source, int pe) { return shmem_ctx_longlong_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline unsigned char shmem_g(const unsigned char *source, int pe) { return shmem_uchar_g(source, pe); }
SHMEM_IMPL_DEVICE inline unsigned char shmem_g(shmem_ctx_t ctx, const unsigned char *source, int pe) { return shmem_ctx_uchar_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline unsigned short shmem_g(const unsigned short *source, int pe) { return shmem_ushort_g(source, pe); }
SHMEM_IMPL_DEVICE inline unsigned short shmem_g(shmem_ctx_t ctx, const unsigned short *source, int pe) { return shmem_ctx_ushort_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_g(const unsigned int *source, int pe) { return shmem_uint_g(source, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_g(shmem_ctx_t ctx, const unsigned int *source, int pe) { return shmem_ctx_uint_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_g(const unsigned long *source, int pe) { return shmem_ulong_g(source, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_g(shmem_ctx_t ctx, const unsigned long *source, int pe) { return shmem_ctx_ulong_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_g(const unsigned long long *source, int pe) { return shmem_ulonglong_g(source, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_g(shmem_ctx_t ctx, const unsigned long long *source, int pe) { return shmem_ctx_ulonglong_g(ctx, source, pe); }
inline long double shmem_g(const long double *source, int pe) { return shmem_longdouble_g(source, pe); }
inline long double shmem_g(shmem_ctx_t ctx, const long double *source, int pe) { return shmem_ctx_longdouble_g(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline int shmem_atomic_compare_swap(int *dest, int cond, int value, int pe) { return shmem_int_atomic_compare_swap(dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline int shmem_atomic_compare_swap(shmem_ctx_t ctx, int *dest, int cond, int value, int pe) { return shmem_ctx_int_atomic_compare_swap(ctx, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline long shmem_atomic_compare_swap(long *dest, long cond, long value, int pe) { return shmem_long_atomic_compare_swap(dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline long shmem_atomic_compare_swap(shmem_ctx_t ctx, long *dest, long cond, long value, int pe) { return shmem_ctx_long_atomic_compare_swap(ctx, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_atomic_compare_swap(long long *dest, long long cond, long long value, int pe) { return shmem_longlong_atomic_compare_swap(dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_atomic_compare_swap(shmem_ctx_t ctx, long long *dest, long long cond, long long value, int pe) { return shmem_ctx_longlong_atomic_compare_swap(ctx, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_compare_swap(unsigned int *dest, unsigned int cond, unsigned int value, int pe) { return shmem_uint_atomic_compare_swap(dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_compare_swap(shmem_ctx_t ctx, unsigned int *dest, unsigned int cond, unsigned int value, int pe) { return shmem_ctx_uint_atomic_compare_swap(ctx, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_compare_swap(unsigned long *dest, unsigned long cond, unsigned long value, int pe) { return shmem_ulong_atomic_compare_swap(dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_compare_swap(shmem_ctx_t ctx, unsigned long *dest, unsigned long cond, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_compare_swap(ctx, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_compare_swap(unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) { return shmem_ulonglong_atomic_compare_swap(dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_compare_swap(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_compare_swap(ctx, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(int *fetch, int *dest, int cond, int value, int pe) { shmem_int_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int cond, int value, int pe) { shmem_ctx_int_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(long *fetch, long *dest, long cond, long value, int pe) { shmem_long_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long cond, long value, int pe) { shmem_ctx_long_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(long long *fetch, long long *dest, long long cond, long long value, int pe) { shmem_longlong_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long cond, long long value, int pe) { shmem_ctx_longlong_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe) { shmem_uint_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int cond, unsigned int value, int pe) { shmem_ctx_uint_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe) { shmem_ulong_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long cond, unsigned long value, int pe) { shmem_ctx_ulong_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) { shmem_ulonglong_atomic_compare_swap_nbi(fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_compare_swap_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long cond, unsigned long long value, int pe) { shmem_ctx_ulonglong_atomic_compare_swap_nbi(ctx, fetch, dest, cond, value, pe); }
SHMEM_IMPL_DEVICE inline int shmem_atomic_fetch_add(int *dest, int value, int pe) { return shmem_int_atomic_fetch_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline int shmem_atomic_fetch_add(shmem_ctx_t ctx, int *dest, int value, int pe) { return shmem_ctx_int_atomic_fetch_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline long shmem_atomic_fetch_add(long *dest, long value, int pe) { return shmem_long_atomic_fetch_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline long shmem_atomic_fetch_add(shmem_ctx_t ctx, long *dest, long value, int pe) { return shmem_ctx_long_atomic_fetch_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_atomic_fetch_add(long long *dest, long long value, int pe) { return shmem_longlong_atomic_fetch_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_atomic_fetch_add(shmem_ctx_t ctx, long long *dest, long long value, int pe) { return shmem_ctx_longlong_atomic_fetch_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch_add(unsigned int *dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch_add(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch_add(unsigned long *dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch_add(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch_add(unsigned long long *dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch_add(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(int *fetch, int *dest, int value, int pe) { shmem_int_atomic_fetch_add_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe) { shmem_ctx_int_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(long *fetch, long *dest, long value, int pe) { shmem_long_atomic_fetch_add_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe) { shmem_ctx_long_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(long long *fetch, long long *dest, long long value, int pe) { shmem_longlong_atomic_fetch_add_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe) { shmem_ctx_longlong_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_fetch_add_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) { shmem_ctx_uint_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_fetch_add_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) { shmem_ctx_ulong_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_fetch_add_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_add_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) { shmem_ctx_ulonglong_atomic_fetch_add_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(int *dest, int value, int pe) { shmem_int_atomic_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(shmem_ctx_t ctx, int *dest, int value, int pe) { shmem_ctx_int_atomic_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(long *dest, long value, int pe) { shmem_long_atomic_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(shmem_ctx_t ctx, long *dest, long value, int pe) { shmem_ctx_long_atomic_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(long long *dest, long long value, int pe) { shmem_longlong_atomic_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(shmem_ctx_t ctx, long long *dest, long long value, int pe) { shmem_ctx_longlong_atomic_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) { shmem_ctx_uint_atomic_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) { shmem_ctx_ulong_atomic_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_add(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_add(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) { shmem_ctx_ulonglong_atomic_add(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline int shmem_atomic_fetch_inc(int *dest, int pe) { return shmem_int_atomic_fetch_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline int shmem_atomic_fetch_inc(shmem_ctx_t ctx, int *dest, int pe) { return shmem_ctx_int_atomic_fetch_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline long shmem_atomic_fetch_inc(long *dest, int pe) { return shmem_long_atomic_fetch_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline long shmem_atomic_fetch_inc(shmem_ctx_t ctx, long *dest, int pe) { return shmem_ctx_long_atomic_fetch_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_atomic_fetch_inc(long long *dest, int pe) { return shmem_longlong_atomic_fetch_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_atomic_fetch_inc(shmem_ctx_t ctx, long long *dest, int pe) { return shmem_ctx_longlong_atomic_fetch_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch_inc(unsigned int *dest, int pe) { return shmem_uint_atomic_fetch_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch_inc(shmem_ctx_t ctx, unsigned int *dest, int pe) { return shmem_ctx_uint_atomic_fetch_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch_inc(unsigned long *dest, int pe) { return shmem_ulong_atomic_fetch_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long *dest, int pe) { return shmem_ctx_ulong_atomic_fetch_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch_inc(unsigned long long *dest, int pe) { return shmem_ulonglong_atomic_fetch_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch_inc(shmem_ctx_t ctx, unsigned long long *dest, int pe) { return shmem_ctx_ulonglong_atomic_fetch_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(int *fetch, int *dest, int pe) { shmem_int_atomic_fetch_inc_nbi(fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int pe) { shmem_ctx_int_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(long *fetch, long *dest, int pe) { shmem_long_atomic_fetch_inc_nbi(fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long *fetch, long *dest, int pe) { shmem_ctx_long_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(long long *fetch, long long *dest, int pe) { shmem_longlong_atomic_fetch_inc_nbi(fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, int pe) { shmem_ctx_longlong_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(unsigned int *fetch, unsigned int *dest, int pe) { shmem_uint_atomic_fetch_inc_nbi(fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, int pe) { shmem_ctx_uint_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(unsigned long *fetch, unsigned long *dest, int pe) { shmem_ulong_atomic_fetch_inc_nbi(fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, int pe) { shmem_ctx_ulong_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(unsigned long long *fetch, unsigned long long *dest, int pe) { shmem_ulonglong_atomic_fetch_inc_nbi(fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_inc_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, int pe) { shmem_ctx_ulonglong_atomic_fetch_inc_nbi(ctx, fetch, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(int *dest, int pe) { shmem_int_atomic_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(shmem_ctx_t ctx, int *dest, int pe) { shmem_ctx_int_atomic_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(long *dest, int pe) { shmem_long_atomic_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(shmem_ctx_t ctx, long *dest, int pe) { shmem_ctx_long_atomic_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(long long *dest, int pe) { shmem_longlong_atomic_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(shmem_ctx_t ctx, long long *dest, int pe) { shmem_ctx_longlong_atomic_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(unsigned int *dest, int pe) { shmem_uint_atomic_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(shmem_ctx_t ctx, unsigned int *dest, int pe) { shmem_ctx_uint_atomic_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(unsigned long *dest, int pe) { shmem_ulong_atomic_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(shmem_ctx_t ctx, unsigned long *dest, int pe) { shmem_ctx_ulong_atomic_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(unsigned long long *dest, int pe) { shmem_ulonglong_atomic_inc(dest, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_inc(shmem_ctx_t ctx, unsigned long long *dest, int pe) { shmem_ctx_ulonglong_atomic_inc(ctx, dest, pe); }
SHMEM_IMPL_DEVICE inline int shmem_atomic_fetch(const int *source, int pe) { return shmem_int_atomic_fetch(source, pe); }
SHMEM_IMPL_DEVICE inline int shmem_atomic_fetch(shmem_ctx_t ctx, const int *source, int pe) { return shmem_ctx_int_atomic_fetch(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline long shmem_atomic_fetch(const long *source, int pe) { return shmem_long_atomic_fetch(source, pe); }
SHMEM_IMPL_DEVICE inline long shmem_atomic_fetch(shmem_ctx_t ctx, const long *source, int pe) { return shmem_ctx_long_atomic_fetch(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_atomic_fetch(const long long *source, int pe) { return shmem_longlong_atomic_fetch(source, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_atomic_fetch(shmem_ctx_t ctx, const long long *source, int pe) { return shmem_ctx_longlong_atomic_fetch(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch(const unsigned int *source, int pe) { return shmem_uint_atomic_fetch(source, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch(shmem_ctx_t ctx, const unsigned int *source, int pe) { return shmem_ctx_uint_atomic_fetch(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch(const unsigned long *source, int pe) { return shmem_ulong_atomic_fetch(source, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch(shmem_ctx_t ctx, const unsigned long *source, int pe) { return shmem_ctx_ulong_atomic_fetch(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch(const unsigned long long *source, int pe) { return shmem_ulonglong_atomic_fetch(source, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch(shmem_ctx_t ctx, const unsigned long long *source, int pe) { return shmem_ctx_ulonglong_atomic_fetch(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline float shmem_atomic_fetch(const float *source, int pe) { return shmem_float_atomic_fetch(source, pe); }
SHMEM_IMPL_DEVICE inline float shmem_atomic_fetch(shmem_ctx_t ctx, const float *source, int pe) { return shmem_ctx_float_atomic_fetch(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline double shmem_atomic_fetch(const double *source, int pe) { return shmem_double_atomic_fetch(source, pe); }
SHMEM_IMPL_DEVICE inline double shmem_atomic_fetch(shmem_ctx_t ctx, const double *source, int pe) { return shmem_ctx_double_atomic_fetch(ctx, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(int *fetch, const int *source, int pe) { shmem_int_atomic_fetch_nbi(fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, int *fetch, const int *source, int pe) { shmem_ctx_int_atomic_fetch_nbi(ctx, fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(long *fetch, const long *source, int pe) { shmem_long_atomic_fetch_nbi(fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, long *fetch, const long *source, int pe) { shmem_ctx_long_atomic_fetch_nbi(ctx, fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(long long *fetch, const long long *source, int pe) { shmem_longlong_atomic_fetch_nbi(fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, long long *fetch, const long long *source, int pe) { shmem_ctx_longlong_atomic_fetch_nbi(ctx, fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(unsigned int *fetch, const unsigned int *source, int pe) { shmem_uint_atomic_fetch_nbi(fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned int *fetch, const unsigned int *source, int pe) { shmem_ctx_uint_atomic_fetch_nbi(ctx, fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(unsigned long *fetch, const unsigned long *source, int pe) { shmem_ulong_atomic_fetch_nbi(fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long *fetch, const unsigned long *source, int pe) { shmem_ctx_ulong_atomic_fetch_nbi(ctx, fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(unsigned long long *fetch, const unsigned long long *source, int pe) { shmem_ulonglong_atomic_fetch_nbi(fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, unsigned long long *fetch, const unsigned long long *source, int pe) { shmem_ctx_ulonglong_atomic_fetch_nbi(ctx, fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(float *fetch, const float *source, int pe) { shmem_float_atomic_fetch_nbi(fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, float *fetch, const float *source, int pe) { shmem_ctx_float_atomic_fetch_nbi(ctx, fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(double *fetch, const double *source, int pe) { shmem_double_atomic_fetch_nbi(fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_nbi(shmem_ctx_t ctx, double *fetch, const double *source, int pe) { shmem_ctx_double_atomic_fetch_nbi(ctx, fetch, source, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(int *dest, int value, int pe) { shmem_int_atomic_set(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(shmem_ctx_t ctx, int *dest, int value, int pe) { shmem_ctx_int_atomic_set(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(long *dest, long value, int pe) { shmem_long_atomic_set(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(shmem_ctx_t ctx, long *dest, long value, int pe) { shmem_ctx_long_atomic_set(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(long long *dest, long long value, int pe) { shmem_longlong_atomic_set(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(shmem_ctx_t ctx, long long *dest, long long value, int pe) { shmem_ctx_longlong_atomic_set(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_set(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) { shmem_ctx_uint_atomic_set(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_set(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) { shmem_ctx_ulong_atomic_set(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_set(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) { shmem_ctx_ulonglong_atomic_set(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(float *dest, float value, int pe) { shmem_float_atomic_set(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(shmem_ctx_t ctx, float *dest, float value, int pe) { shmem_ctx_float_atomic_set(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(double *dest, double value, int pe) { shmem_double_atomic_set(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_set(shmem_ctx_t ctx, double *dest, double value, int pe) { shmem_ctx_double_atomic_set(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline int shmem_atomic_swap(int *dest, int value, int pe) { return shmem_int_atomic_swap(dest, value, pe); }
SHMEM_IMPL_DEVICE inline int shmem_atomic_swap(shmem_ctx_t ctx, int *dest, int value, int pe) { return shmem_ctx_int_atomic_swap(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline long shmem_atomic_swap(long *dest, long value, int pe) { return shmem_long_atomic_swap(dest, value, pe); }
SHMEM_IMPL_DEVICE inline long shmem_atomic_swap(shmem_ctx_t ctx, long *dest, long value, int pe) { return shmem_ctx_long_atomic_swap(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_atomic_swap(long long *dest, long long value, int pe) { return shmem_longlong_atomic_swap(dest, value, pe); }
SHMEM_IMPL_DEVICE inline long long shmem_atomic_swap(shmem_ctx_t ctx, long long *dest, long long value, int pe) { return shmem_ctx_longlong_atomic_swap(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_swap(unsigned int *dest, unsigned int value, int pe) { return shmem_uint_atomic_swap(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_swap(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_swap(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_swap(unsigned long *dest, unsigned long value, int pe) { return shmem_ulong_atomic_swap(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_swap(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_swap(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_swap(unsigned long long *dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_swap(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_swap(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_swap(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline float shmem_atomic_swap(float *dest, float value, int pe) { return shmem_float_atomic_swap(dest, value, pe); }
SHMEM_IMPL_DEVICE inline float shmem_atomic_swap(shmem_ctx_t ctx, float *dest, float value, int pe) { return shmem_ctx_float_atomic_swap(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline double shmem_atomic_swap(double *dest, double value, int pe) { return shmem_double_atomic_swap(dest, value, pe); }
SHMEM_IMPL_DEVICE inline double shmem_atomic_swap(shmem_ctx_t ctx, double *dest, double value, int pe) { return shmem_ctx_double_atomic_swap(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(int *fetch, int *dest, int value, int pe) { shmem_int_atomic_swap_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, int *fetch, int *dest, int value, int pe) { shmem_ctx_int_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(long *fetch, long *dest, long value, int pe) { shmem_long_atomic_swap_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, long *fetch, long *dest, long value, int pe) { shmem_ctx_long_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(long long *fetch, long long *dest, long long value, int pe) { shmem_longlong_atomic_swap_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, long long *fetch, long long *dest, long long value, int pe) { shmem_ctx_longlong_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_swap_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) { shmem_ctx_uint_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_swap_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) { shmem_ctx_ulong_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_swap_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) { shmem_ctx_ulonglong_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(float *fetch, float *dest, float value, int pe) { shmem_float_atomic_swap_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, float *fetch, float *dest, float value, int pe) { shmem_ctx_float_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(double *fetch, double *dest, double value, int pe) { shmem_double_atomic_swap_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_swap_nbi(shmem_ctx_t ctx, double *fetch, double *dest, double value, int pe) { shmem_ctx_double_atomic_swap_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch_and(unsigned int *dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_and(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch_and(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_and(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch_and(unsigned long *dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_and(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch_and(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_and(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch_and(unsigned long long *dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_and(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch_and(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_and(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline int32_t shmem_atomic_fetch_and(int32_t *dest, int32_t value, int pe) { return shmem_int32_atomic_fetch_and(dest, value, pe); }
SHMEM_IMPL_DEVICE inline int32_t shmem_atomic_fetch_and(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) { return shmem_ctx_int32_atomic_fetch_and(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline int64_t shmem_atomic_fetch_and(int64_t *dest, int64_t value, int pe) { return shmem_int64_atomic_fetch_and(dest, value, pe); }
SHMEM_IMPL_DEVICE inline int64_t shmem_atomic_fetch_and(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) { return shmem_ctx_int64_atomic_fetch_and(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_and_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_fetch_and_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) { shmem_ctx_uint_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_and_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_fetch_and_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) { shmem_ctx_ulong_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_and_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_fetch_and_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) { shmem_ctx_ulonglong_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_and_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe) { shmem_int32_atomic_fetch_and_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) { shmem_ctx_int32_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_and_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe) { shmem_int64_atomic_fetch_and_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_and_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) { shmem_ctx_int64_atomic_fetch_and_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_and(unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_and(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_and(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) { shmem_ctx_uint_atomic_and(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_and(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_and(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_and(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) { shmem_ctx_ulong_atomic_and(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_and(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_and(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_and(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) { shmem_ctx_ulonglong_atomic_and(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_and(int32_t *dest, int32_t value, int pe) { shmem_int32_atomic_and(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_and(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) { shmem_ctx_int32_atomic_and(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_and(int64_t *dest, int64_t value, int pe) { shmem_int64_atomic_and(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_and(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) { shmem_ctx_int64_atomic_and(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch_or(unsigned int *dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_or(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch_or(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_or(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch_or(unsigned long *dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_or(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch_or(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_or(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch_or(unsigned long long *dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_or(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch_or(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_or(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline int32_t shmem_atomic_fetch_or(int32_t *dest, int32_t value, int pe) { return shmem_int32_atomic_fetch_or(dest, value, pe); }
SHMEM_IMPL_DEVICE inline int32_t shmem_atomic_fetch_or(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) { return shmem_ctx_int32_atomic_fetch_or(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline int64_t shmem_atomic_fetch_or(int64_t *dest, int64_t value, int pe) { return shmem_int64_atomic_fetch_or(dest, value, pe); }
SHMEM_IMPL_DEVICE inline int64_t shmem_atomic_fetch_or(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) { return shmem_ctx_int64_atomic_fetch_or(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_or_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_fetch_or_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) { shmem_ctx_uint_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_or_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_fetch_or_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) { shmem_ctx_ulong_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_or_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_fetch_or_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) { shmem_ctx_ulonglong_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_or_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe) { shmem_int32_atomic_fetch_or_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) { shmem_ctx_int32_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_or_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe) { shmem_int64_atomic_fetch_or_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_or_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) { shmem_ctx_int64_atomic_fetch_or_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_or(unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_or(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_or(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) { shmem_ctx_uint_atomic_or(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_or(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_or(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_or(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) { shmem_ctx_ulong_atomic_or(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_or(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_or(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_or(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) { shmem_ctx_ulonglong_atomic_or(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_or(int32_t *dest, int32_t value, int pe) { shmem_int32_atomic_or(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_or(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) { shmem_ctx_int32_atomic_or(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_or(int64_t *dest, int64_t value, int pe) { shmem_int64_atomic_or(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_or(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) { shmem_ctx_int64_atomic_or(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch_xor(unsigned int *dest, unsigned int value, int pe) { return shmem_uint_atomic_fetch_xor(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned int shmem_atomic_fetch_xor(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) { return shmem_ctx_uint_atomic_fetch_xor(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch_xor(unsigned long *dest, unsigned long value, int pe) { return shmem_ulong_atomic_fetch_xor(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long shmem_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) { return shmem_ctx_ulong_atomic_fetch_xor(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch_xor(unsigned long long *dest, unsigned long long value, int pe) { return shmem_ulonglong_atomic_fetch_xor(dest, value, pe); }
SHMEM_IMPL_DEVICE inline unsigned long long shmem_atomic_fetch_xor(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) { return shmem_ctx_ulonglong_atomic_fetch_xor(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline int32_t shmem_atomic_fetch_xor(int32_t *dest, int32_t value, int pe) { return shmem_int32_atomic_fetch_xor(dest, value, pe); }
SHMEM_IMPL_DEVICE inline int32_t shmem_atomic_fetch_xor(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) { return shmem_ctx_int32_atomic_fetch_xor(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline int64_t shmem_atomic_fetch_xor(int64_t *dest, int64_t value, int pe) { return shmem_int64_atomic_fetch_xor(dest, value, pe); }
SHMEM_IMPL_DEVICE inline int64_t shmem_atomic_fetch_xor(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) { return shmem_ctx_int64_atomic_fetch_xor(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_xor_nbi(unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_fetch_xor_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned int *fetch, unsigned int *dest, unsigned int value, int pe) { shmem_ctx_uint_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_xor_nbi(unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_fetch_xor_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long *fetch, unsigned long *dest, unsigned long value, int pe) { shmem_ctx_ulong_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_xor_nbi(unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_fetch_xor_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, unsigned long long *fetch, unsigned long long *dest, unsigned long long value, int pe) { shmem_ctx_ulonglong_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_xor_nbi(int32_t *fetch, int32_t *dest, int32_t value, int pe) { shmem_int32_atomic_fetch_xor_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int32_t *fetch, int32_t *dest, int32_t value, int pe) { shmem_ctx_int32_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_xor_nbi(int64_t *fetch, int64_t *dest, int64_t value, int pe) { shmem_int64_atomic_fetch_xor_nbi(fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_fetch_xor_nbi(shmem_ctx_t ctx, int64_t *fetch, int64_t *dest, int64_t value, int pe) { shmem_ctx_int64_atomic_fetch_xor_nbi(ctx, fetch, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_xor(unsigned int *dest, unsigned int value, int pe) { shmem_uint_atomic_xor(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_xor(shmem_ctx_t ctx, unsigned int *dest, unsigned int value, int pe) { shmem_ctx_uint_atomic_xor(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_xor(unsigned long *dest, unsigned long value, int pe) { shmem_ulong_atomic_xor(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_xor(shmem_ctx_t ctx, unsigned long *dest, unsigned long value, int pe) { shmem_ctx_ulong_atomic_xor(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_xor(unsigned long long *dest, unsigned long long value, int pe) { shmem_ulonglong_atomic_xor(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_xor(shmem_ctx_t ctx, unsigned long long *dest, unsigned long long value, int pe) { shmem_ctx_ulonglong_atomic_xor(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_xor(int32_t *dest, int32_t value, int pe) { shmem_int32_atomic_xor(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_xor(shmem_ctx_t ctx, int32_t *dest, int32_t value, int pe) { shmem_ctx_int32_atomic_xor(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_xor(int64_t *dest, int64_t value, int pe) { shmem_int64_atomic_xor(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_atomic_xor(shmem_ctx_t ctx, int64_t *dest, int64_t value, int pe) { shmem_ctx_int64_atomic_xor(ctx, dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_float_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_float_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_double_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_double_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_char_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_char_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_schar_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_schar_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_short_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_short_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_int_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_long_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_long_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_longlong_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_longlong_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uchar_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_uchar_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ushort_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_ushort_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_uint_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ulong_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_ulong_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ulonglong_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_ulonglong_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_longdouble_put_signal(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_longdouble_put_signal(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_float_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, float *dest, const float *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_float_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_double_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, double *dest, const double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_double_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_char_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, char *dest, const char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_char_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_schar_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, signed char *dest, const signed char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_schar_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_short_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, short *dest, const short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_short_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_int_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, int *dest, const int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_int_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_long_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, long *dest, const long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_long_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_longlong_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, long long *dest, const long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_longlong_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uchar_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, unsigned char *dest, const unsigned char *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_uchar_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ushort_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, unsigned short *dest, const unsigned short *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_ushort_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_uint_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, unsigned int *dest, const unsigned int *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_uint_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ulong_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, unsigned long *dest, const unsigned long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_ulong_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ulonglong_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_put_signal_nbi(shmem_ctx_t ctx, unsigned long long *dest, const unsigned long long *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_ulonglong_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_longdouble_put_signal_nbi(dest, source, nelems, sig_addr, signal, sig_op, pe); }
inline void shmem_put_signal_nbi(shmem_ctx_t ctx, long double *dest, const long double *source, size_t nelems, uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) { shmem_ctx_longdouble_put_signal_nbi(ctx, dest, source, nelems, sig_addr, signal, sig_op, pe); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until(int *ivar, int cmp, int cmp_value) { shmem_int_wait_until(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until(long long *ivar, int cmp, long long cmp_value) { shmem_longlong_wait_until(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until(unsigned int *ivar, int cmp, unsigned int cmp_value) { shmem_uint_wait_until(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until(unsigned long *ivar, int cmp, unsigned long cmp_value) { shmem_ulong_wait_until(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until(unsigned long long *ivar, int cmp, unsigned long long cmp_value) { shmem_ulonglong_wait_until(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until(short *ivar, int cmp, short cmp_value) { shmem_short_wait_until(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until(unsigned short *ivar, int cmp, unsigned short cmp_value) { shmem_ushort_wait_until(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test(int *ivar, int cmp, int cmp_value) { return shmem_int_test(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test(long *ivar, int cmp, long cmp_value) { return shmem_long_test(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test(long long *ivar, int cmp, long long cmp_value) { return shmem_longlong_test(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test(unsigned int *ivar, int cmp, unsigned int cmp_value) { return shmem_uint_test(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test(unsigned long *ivar, int cmp, unsigned long cmp_value) { return shmem_ulong_test(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test(unsigned long long *ivar, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test(short *ivar, int cmp, short cmp_value) { return shmem_short_test(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test(unsigned short *ivar, int cmp, unsigned short cmp_value) { return shmem_ushort_test(ivar, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) { shmem_int_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) { shmem_long_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) { shmem_longlong_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) { shmem_uint_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) { shmem_ulong_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) { shmem_ulonglong_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { shmem_short_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { shmem_ushort_wait_until_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) { return shmem_int_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) { return shmem_long_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) { return shmem_longlong_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) { return shmem_uint_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) { return shmem_ulong_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { return shmem_short_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_wait_until_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value) { return shmem_int_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value) { return shmem_long_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value) { return shmem_longlong_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value) { return shmem_uint_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value) { return shmem_ulong_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value) { return shmem_short_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_wait_until_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test_all(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) { return shmem_int_test_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test_all(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) { return shmem_long_test_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test_all(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) { return shmem_longlong_test_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test_all(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) { return shmem_uint_test_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test_all(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) { return shmem_ulong_test_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test_all(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test_all(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { return shmem_short_test_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline int shmem_test_all(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_all(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any(int *ivars, size_t nelems, const int *status, int cmp, int cmp_value) { return shmem_int_test_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any(long *ivars, size_t nelems, const int *status, int cmp, long cmp_value) { return shmem_long_test_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any(long long *ivars, size_t nelems, const int *status, int cmp, long long cmp_value) { return shmem_longlong_test_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any(unsigned int *ivars, size_t nelems, const int *status, int cmp, unsigned int cmp_value) { return shmem_uint_test_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any(unsigned long *ivars, size_t nelems, const int *status, int cmp, unsigned long cmp_value) { return shmem_ulong_test_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any(unsigned long long *ivars, size_t nelems, const int *status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any(short *ivars, size_t nelems, const int *status, int cmp, short cmp_value) { return shmem_short_test_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any(unsigned short *ivars, size_t nelems, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_any(ivars, nelems, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, int cmp_value) { return shmem_int_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long cmp_value) { return shmem_long_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, long long cmp_value) { return shmem_longlong_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned int cmp_value) { return shmem_uint_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long cmp_value) { return shmem_ulong_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned long long cmp_value) { return shmem_ulonglong_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, short cmp_value) { return shmem_short_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, unsigned short cmp_value) { return shmem_ushort_test_some(ivars, nelems, indices, status, cmp, cmp_value); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) { shmem_int_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) { shmem_long_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) { shmem_longlong_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) { shmem_uint_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) { shmem_ulong_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) { shmem_ulonglong_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { shmem_short_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline void shmem_wait_until_all_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { shmem_ushort_wait_until_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) { return shmem_int_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) { return shmem_long_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) { return shmem_longlong_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) { return shmem_uint_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) { return shmem_ulong_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) { return shmem_ulonglong_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { return shmem_short_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_any_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_wait_until_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some_vector(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values) { return shmem_int_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some_vector(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values) { return shmem_long_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some_vector(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values) { return shmem_longlong_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some_vector(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values) { return shmem_uint_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some_vector(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values) { return shmem_ulong_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some_vector(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values) { return shmem_ulonglong_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some_vector(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values) { return shmem_short_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_wait_until_some_vector(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_wait_until_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline int shmem_test_all_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) { return shmem_int_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline int shmem_test_all_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) { return shmem_long_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline int shmem_test_all_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) { return shmem_longlong_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline int shmem_test_all_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) { return shmem_uint_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline int shmem_test_all_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) { return shmem_ulong_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline int shmem_test_all_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) { return shmem_ulonglong_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline int shmem_test_all_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { return shmem_short_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline int shmem_test_all_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_test_all_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any_vector(int *ivars, size_t nelems, const int *status, int cmp, const int *cmp_values) { return shmem_int_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any_vector(long *ivars, size_t nelems, const int *status, int cmp, const long *cmp_values) { return shmem_long_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any_vector(long long *ivars, size_t nelems, const int *status, int cmp, const long long *cmp_values) { return shmem_longlong_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any_vector(unsigned int *ivars, size_t nelems, const int *status, int cmp, const unsigned int *cmp_values) { return shmem_uint_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any_vector(unsigned long *ivars, size_t nelems, const int *status, int cmp, const unsigned long *cmp_values) { return shmem_ulong_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any_vector(unsigned long long *ivars, size_t nelems, const int *status, int cmp, const unsigned long long *cmp_values) { return shmem_ulonglong_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any_vector(short *ivars, size_t nelems, const int *status, int cmp, const short *cmp_values) { return shmem_short_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_any_vector(unsigned short *ivars, size_t nelems, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_test_any_vector(ivars, nelems, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some_vector(int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const int *cmp_values) { return shmem_int_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some_vector(long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long *cmp_values) { return shmem_long_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some_vector(long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const long long *cmp_values) { return shmem_longlong_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some_vector(unsigned int *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned int *cmp_values) { return shmem_uint_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some_vector(unsigned long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long *cmp_values) { return shmem_ulong_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some_vector(unsigned long long *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned long long *cmp_values) { return shmem_ulonglong_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some_vector(short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const short *cmp_values) { return shmem_short_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline size_t shmem_test_some_vector(unsigned short *ivars, size_t nelems, size_t *indices, const int *status, int cmp, const unsigned short *cmp_values) { return shmem_ushort_test_some_vector(ivars, nelems, indices, status, cmp, cmp_values); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, float *dest, const float *source, size_t nelems, int PE_root) { return shmem_float_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, double *dest, const double *source, size_t nelems, int PE_root) { return shmem_double_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, char *dest, const char *source, size_t nelems, int PE_root) { return shmem_char_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems, int PE_root) { return shmem_schar_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, short *dest, const short *source, size_t nelems, int PE_root) { return shmem_short_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, int *dest, const int *source, size_t nelems, int PE_root) { return shmem_int_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, long *dest, const long *source, size_t nelems, int PE_root) { return shmem_long_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, long long *dest, const long long *source, size_t nelems, int PE_root) { return shmem_longlong_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems, int PE_root) { return shmem_uchar_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems, int PE_root) { return shmem_ushort_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems, int PE_root) { return shmem_uint_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems, int PE_root) { return shmem_ulong_broadcast(team, dest, source, nelems, PE_root); }
SHMEM_IMPL_DEVICE inline int shmem_broadcast(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems, int PE_root) { return shmem_ulonglong_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_broadcast(shmem_team_t team, long double *dest, const long double *source, size_t nelems, int PE_root) { return shmem_longdouble_broadcast(team, dest, source, nelems, PE_root); }
inline int shmem_collect(shmem_team_t team, float *dest, const float *source, size_t nelems) { return shmem_float_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, double *dest, const double *source, size_t nelems) { return shmem_double_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, char *dest, const char *source, size_t nelems) { return shmem_char_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmem_schar_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, short *dest, const short *source, size_t nelems) { return shmem_short_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, int *dest, const int *source, size_t nelems) { return shmem_int_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, long *dest, const long *source, size_t nelems) { return shmem_long_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmem_longlong_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmem_uchar_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmem_ushort_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmem_uint_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmem_ulong_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmem_ulonglong_collect(team, dest, source, nelems); }
inline int shmem_collect(shmem_team_t team, long double *dest, const long double *source, size_t nelems) { return shmem_longdouble_collect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, float *dest, const float *source, size_t nelems) { return shmem_float_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, double *dest, const double *source, size_t nelems) { return shmem_double_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, char *dest, const char *source, size_t nelems) { return shmem_char_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmem_schar_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, short *dest, const short *source, size_t nelems) { return shmem_short_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, int *dest, const int *source, size_t nelems) { return shmem_int_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, long *dest, const long *source, size_t nelems) { return shmem_long_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmem_longlong_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmem_uchar_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmem_ushort_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmem_uint_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmem_ulong_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_fcollect(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmem_ulonglong_fcollect(team, dest, source, nelems); }
inline int shmem_fcollect(shmem_team_t team, long double *dest, const long double *source, size_t nelems) { return shmem_longdouble_fcollect(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, float *dest, const float *source, size_t nelems) { return shmem_float_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, double *dest, const double *source, size_t nelems) { return shmem_double_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, char *dest, const char *source, size_t nelems) { return shmem_char_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmem_schar_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, short *dest, const short *source, size_t nelems) { return shmem_short_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, int *dest, const int *source, size_t nelems) { return shmem_int_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, long *dest, const long *source, size_t nelems) { return shmem_long_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmem_longlong_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmem_uchar_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmem_ushort_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmem_uint_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmem_ulong_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoall(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmem_ulonglong_alltoall(team, dest, source, nelems); }
inline int shmem_alltoall(shmem_team_t team, long double *dest, const long double *source, size_t nelems) { return shmem_longdouble_alltoall(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, float *dest, const float *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_float_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, double *dest, const double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_double_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, char *dest, const char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_char_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, signed char *dest, const signed char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_schar_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, short *dest, const short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_short_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, int *dest, const int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_int_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, long *dest, const long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_long_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, long long *dest, const long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_longlong_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, unsigned char *dest, const unsigned char *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_uchar_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, unsigned short *dest, const unsigned short *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_ushort_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, unsigned int *dest, const unsigned int *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_uint_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, unsigned long *dest, const unsigned long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_ulong_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_alltoalls(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_ulonglong_alltoalls(team, dest, source, dst, sst, nelems); }
inline int shmem_alltoalls(shmem_team_t team, long double *dest, const long double *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems) { return shmem_longdouble_alltoalls(team, dest, source, dst, sst, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmem_float_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmem_double_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmem_char_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmem_schar_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmem_short_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmem_int_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmem_long_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmem_longlong_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_min_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_min_reduce(team, dest, source, nreduce); }
inline int shmem_min_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) { return shmem_longdouble_min_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmem_float_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmem_double_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmem_char_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmem_schar_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmem_short_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmem_int_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmem_long_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmem_longlong_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_max_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_max_reduce(team, dest, source, nreduce); }
inline int shmem_max_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) { return shmem_longdouble_max_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_and_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_and_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_and_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_and_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_and_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_and_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_and_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_and_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_and_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_and_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_and_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmem_int8_and_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_and_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmem_int16_and_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_and_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmem_int32_and_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_and_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmem_int64_and_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_or_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_or_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_or_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_or_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_or_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_or_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_or_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_or_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_or_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_or_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_or_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmem_int8_or_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_or_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmem_int16_or_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_or_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmem_int32_or_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_or_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmem_int64_or_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_xor_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_xor_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_xor_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_xor_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_xor_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_xor_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_xor_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_xor_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_xor_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_xor_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_xor_reduce(shmem_team_t team, int8_t *dest, const int8_t *source, size_t nreduce) { return shmem_int8_xor_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_xor_reduce(shmem_team_t team, int16_t *dest, const int16_t *source, size_t nreduce) { return shmem_int16_xor_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_xor_reduce(shmem_team_t team, int32_t *dest, const int32_t *source, size_t nreduce) { return shmem_int32_xor_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_xor_reduce(shmem_team_t team, int64_t *dest, const int64_t *source, size_t nreduce) { return shmem_int64_xor_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmem_float_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmem_double_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmem_char_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmem_schar_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmem_short_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmem_int_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmem_long_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmem_longlong_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) { return shmem_longdouble_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, shmem_impl_complexf *dest, const shmem_impl_complexf *source, size_t nreduce) { return shmem_complexf_sum_reduce(team, dest, source, nreduce); }
inline int shmem_sum_reduce(shmem_team_t team, shmem_impl_complexd *dest, const shmem_impl_complexd *source, size_t nreduce) { return shmem_complexd_sum_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, float *dest, const float *source, size_t nreduce) { return shmem_float_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, double *dest, const double *source, size_t nreduce) { return shmem_double_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, char *dest, const char *source, size_t nreduce) { return shmem_char_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, signed char *dest, const signed char *source, size_t nreduce) { return shmem_schar_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, short *dest, const short *source, size_t nreduce) { return shmem_short_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, int *dest, const int *source, size_t nreduce) { return shmem_int_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, long *dest, const long *source, size_t nreduce) { return shmem_long_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, long long *dest, const long long *source, size_t nreduce) { return shmem_longlong_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nreduce) { return shmem_uchar_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nreduce) { return shmem_ushort_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nreduce) { return shmem_uint_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nreduce) { return shmem_ulong_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_prod_reduce(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nreduce) { return shmem_ulonglong_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, long double *dest, const long double *source, size_t nreduce) { return shmem_longdouble_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, shmem_impl_complexf *dest, const shmem_impl_complexf *source, size_t nreduce) { return shmem_complexf_prod_reduce(team, dest, source, nreduce); }
inline int shmem_prod_reduce(shmem_team_t team, shmem_impl_complexd *dest, const shmem_impl_complexd *source, size_t nreduce) { return shmem_complexd_prod_reduce(team, dest, source, nreduce); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, float *dest, const float *source, size_t nelems) { return shmem_float_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, double *dest, const double *source, size_t nelems) { return shmem_double_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, char *dest, const char *source, size_t nelems) { return shmem_char_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmem_schar_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, short *dest, const short *source, size_t nelems) { return shmem_short_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, int *dest, const int *source, size_t nelems) { return shmem_int_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, long *dest, const long *source, size_t nelems) { return shmem_long_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmem_longlong_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmem_uchar_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmem_ushort_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmem_uint_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmem_ulong_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_inscan(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmem_ulonglong_sum_inscan(team, dest, source, nelems); }
inline int shmem_sum_inscan(shmem_team_t team, long double *dest, const long double *source, size_t nelems) { return shmem_longdouble_sum_inscan(team, dest, source, nelems); }
inline int shmem_sum_inscan(shmem_team_t team, shmem_impl_complexf *dest, const shmem_impl_complexf *source, size_t nelems) { return shmem_complexf_sum_inscan(team, dest, source, nelems); }
inline int shmem_sum_inscan(shmem_team_t team, shmem_impl_complexd *dest, const shmem_impl_complexd *source, size_t nelems) { return shmem_complexd_sum_inscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, float *dest, const float *source, size_t nelems) { return shmem_float_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, double *dest, const double *source, size_t nelems) { return shmem_double_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, char *dest, const char *source, size_t nelems) { return shmem_char_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, signed char *dest, const signed char *source, size_t nelems) { return shmem_schar_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, short *dest, const short *source, size_t nelems) { return shmem_short_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, int *dest, const int *source, size_t nelems) { return shmem_int_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, long *dest, const long *source, size_t nelems) { return shmem_long_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, long long *dest, const long long *source, size_t nelems) { return shmem_longlong_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, unsigned char *dest, const unsigned char *source, size_t nelems) { return shmem_uchar_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, unsigned short *dest, const unsigned short *source, size_t nelems) { return shmem_ushort_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, unsigned int *dest, const unsigned int *source, size_t nelems) { return shmem_uint_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, unsigned long *dest, const unsigned long *source, size_t nelems) { return shmem_ulong_sum_exscan(team, dest, source, nelems); }
SHMEM_IMPL_DEVICE inline int shmem_sum_exscan(shmem_team_t team, unsigned long long *dest, const unsigned long long *source, size_t nelems) { return shmem_ulonglong_sum_exscan(team, dest, source, nelems); }
inline int shmem_sum_exscan(shmem_team_t team, long double *dest, const long double *source, size_t nelems) { return shmem_longdouble_sum_exscan(team, dest, source, nelems); }
inline int shmem_sum_exscan(shmem_team_t team, shmem_impl_complexf *dest, const shmem_impl_complexf *source, size_t nelems) { return shmem_complexf_sum_exscan(team, dest, source, nelems); }
inline int shmem_sum_exscan(shmem_team_t team, shmem_impl_complexd *dest, const shmem_impl_complexd *source, size_t nelems) { return shmem_complexd_sum_exscan(team, dest, source, nelems); }
inline int shmem_cswap(int *dest, int cond, int value, int pe) { return shmem_int_cswap(dest, cond, value, pe); }
inline long shmem_cswap(long *dest, long cond, long value, int pe) { return shmem_long_cswap(dest, cond, value, pe); }
inline long long shmem_cswap(long long *dest, long long cond, long long value, int pe) { return shmem_longlong_cswap(dest, cond, value, pe); }
inline int shmem_fadd(int *dest, int value, int pe) { return shmem_int_fadd(dest, value, pe); }
inline long shmem_fadd(long *dest, long value, int pe) { return shmem_long_fadd(dest, value, pe); }
inline long long shmem_fadd(long long *dest, long long value, int pe) { return shmem_longlong_fadd(dest, value, pe); }
inline void shmem_add(int *dest, int value, int pe) { shmem_int_add(dest, value, pe); }
inline void shmem_add(long *dest, long value, int pe) { shmem_long_add(dest, value, pe); }
inline void shmem_add(long long *dest, long long value, int pe) { shmem_longlong_add(dest, value, pe); }
inline int shmem_finc(int *dest, int pe) { return shmem_int_finc(dest, pe); }
inline long shmem_finc(long *dest, int pe) { return shmem_long_finc(dest, pe); }
inline long long shmem_finc(long long *dest, int pe) { return shmem_longlong_finc(dest, pe); }
inline void shmem_inc(int *dest, int pe) { shmem_int_inc(dest, pe); }
inline void shmem_inc(long *dest, int pe) { shmem_long_inc(dest, pe); }
inline void shmem_inc(long long *dest, int pe) { shmem_longlong_inc(dest, pe); }
inline int shmem_fetch(const int *source, int pe) { return shmem_int_fetch(source, pe); }
inline long shmem_fetch(const long *source, int pe) { return shmem_long_fetch(source, pe); }
inline long long shmem_fetch(const long long *source, int pe) { return shmem_longlong_fetch(source, pe); }
inline float shmem_fetch(const float *source, int pe) { return shmem_float_fetch(source, pe); }
inline double shmem_fetch(const double *source, int pe) { return shmem_double_fetch(source, pe); }
inline void shmem_set(int *dest, int value, int pe) { shmem_int_set(dest, value, pe); }
inline void shmem_set(long *dest, long value, int pe) { shmem_long_set(dest, value, pe); }
inline void shmem_set(long long *dest, long long value, int pe) { shmem_longlong_set(dest, value, pe); }
inline void shmem_set(float *dest, float value, int pe) { shmem_float_set(dest, value, pe); }
inline void shmem_set(double *dest, double value, int pe) { shmem_double_set(dest, value, pe); }
inline int shmem_swap(int *dest, int value, int pe) { return shmem_int_swap(dest, value, pe); }
inline long shmem_swap(long *dest, long value, int pe) { return shmem_long_swap(dest, value, pe); }
inline long long shmem_swap(long long *dest, long long value, int pe) { return shmem_longlong_swap(dest, value, pe); }
inline float shmem_swap(float *dest, float value, int pe) { return shmem_float_swap(dest, value, pe); }
inline double shmem_swap(double *dest, double value, int pe) { return shmem_double_swap(dest, value, pe); }
SHMEM_IMPL_DEVICE inline void shmem_signal_set(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) { shmem_ctx_signal_set(ctx, sig_addr, signal, pe); }
SHMEM_IMPL_DEVICE inline void shmem_signal_add(shmem_ctx_t ctx, uint64_t *sig_addr, uint64_t signal, int pe) { shmem_ctx_signal_add(ctx, sig_addr, signal, pe); }
SHMEM_IMPL_DEVICE inline int shmem_sync(shmem_team_t team) { return shmem_team_sync(team); }
}
#if defined __NVCC_DIAG_PRAGMA_SUPPORT__
#pragma nv_diagnostic pop
#endif
#if defined __GNUC__
#pragma GCC diagnostic pop
#endif
#endif

#if defined __GNUC__
#pragma GCC diagnostic pop
#endif
#endif

#ifdef __CUDACC__
#include <shmemx_device.cuh>
#endif

#endif
