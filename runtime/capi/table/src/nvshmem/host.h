/* The routines of the host. `cargo xtask headers` writes this file; nvshmem.h includes it. */
#ifndef NVSHMEM_IMPL_HOST_H
#define NVSHMEM_IMPL_HOST_H

#ifdef __cplusplus
extern "C" {
#endif

/* Joining and leaving. Calls are counted; the last nvshmem_finalize leaves. */
void nvshmem_init(void);
int nvshmem_init_thread(int requested, int *provided);
void nvshmem_query_thread(int *provided);
void nvshmem_finalize(void);
void nvshmem_global_exit(int status);
int nvshmemx_init_attr(unsigned int flags, nvshmemx_init_attr_t *attributes);
int nvshmemx_hostlib_init_attr(unsigned int flags, nvshmemx_init_attr_t *attributes);
void nvshmemx_hostlib_finalize(void);
int nvshmemx_init_status(void);
int nvshmemx_get_uniqueid(nvshmemx_uniqueid_t *uniqueid);
int nvshmemx_set_attr_uniqueid_args(int myrank, int nranks, const nvshmemx_uniqueid_t *uniqueid, nvshmemx_init_attr_t *attr);
NVSHMEM_IMPL_BOTH void nvshmem_info_get_version(int *major, int *minor);
NVSHMEM_IMPL_BOTH void nvshmem_info_get_name(char *name);
NVSHMEM_IMPL_BOTH void nvshmemx_vendor_get_version_info(int *major, int *minor, int *patch);

/* Symmetric memory, on the GPU that is current when the first of these is called. */
void *nvshmem_malloc(size_t size);
void *nvshmem_calloc(size_t count, size_t size);
void *nvshmem_align(size_t alignment, size_t size);
void nvshmem_free(void *ptr);
NVSHMEM_IMPL_BOTH void *nvshmem_ptr(const void *ptr, int pe);
/* NULL: there is no multicast memory. */
NVSHMEM_IMPL_BOTH void *nvshmemx_mc_ptr(nvshmem_team_t team, const void *ptr);
int nvshmemx_buffer_register(void *addr, size_t length);
int nvshmemx_buffer_unregister(void *addr);
void *nvshmemx_buffer_register_symmetric(void *buf_ptr, size_t size, int flags);
int nvshmemx_buffer_unregister_symmetric(void *mmap_ptr, size_t size);

/* Teams. Configurations are ignored. */
int nvshmem_team_split_strided(nvshmem_team_t parent_team, int PE_start, int PE_stride, int PE_size, const nvshmem_team_config_t *config, long config_mask, nvshmem_team_t *new_team);
int nvshmem_team_split_2d(nvshmem_team_t parent_team, int xrange, const nvshmem_team_config_t *xaxis_config, long xaxis_mask, nvshmem_team_t *xaxis_team, const nvshmem_team_config_t *yaxis_config, long yaxis_mask, nvshmem_team_t *yaxis_team);
void nvshmem_team_destroy(nvshmem_team_t team);
void nvshmem_team_get_config(nvshmem_team_t team, nvshmem_team_config_t *config);

NVSHMEM_IMPL_BOTH void nvshmemx_signal_op(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe);

/* What programs expect: they keep data of their own in this shared memory. Copies have no use for it. */
NVSHMEM_IMPL_BOTH int nvshmemx_ask_smem(nvshmemx_smem_amount_t amount);

/* Modules and libraries that the program loads with CUDA's driver: before the first launch of one of their kernels. */
int nvshmemx_cumodule_init(CUmodule module);
int nvshmemx_cumodule_finalize(CUmodule module);
int nvshmemx_culibrary_init(CUlibrary library);
int nvshmemx_culibrary_finalize(CUlibrary library);

@NAMES@
#ifdef __cplusplus
@HALVES@
}
#endif
#endif
