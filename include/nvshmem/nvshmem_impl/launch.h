/* Launches of kernels that meet those of other PEs. They call the CUDA runtime with which the program is linked.
   `cargo xtask headers` writes this file; nvshmem.h includes it. */
#ifndef NVSHMEM_IMPL_LAUNCH_H
#define NVSHMEM_IMPL_LAUNCH_H

#ifdef __cplusplus
extern "C" {
#endif
int nvshmemx_impl_ready(void);
int nvshmemx_impl_pes_on_my_gpu(void);
unsigned long long nvshmemx_impl_launch_begins(void);
void nvshmemx_impl_launched(const char *kernel, void *stream, unsigned long long begun);

/* The most blocks that are resident together. PEs that use the same GPU have equal shares, as soon as the job's GPUs have
   been started. */
static inline int nvshmemx_collective_launch_query_gridsize(const void *func, dim3 blockDims, void **args, size_t sharedMem, int *gridsize) {
    int device, processors, blocks, lanes = (int)(blockDims.x * blockDims.y * blockDims.z);
    (void)args;
    if (gridsize == NULL) return NVSHMEMX_ERROR_INVALID_VALUE;
    *gridsize = 0;
    if (cudaGetDevice(&device) != cudaSuccess
        || cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess
        || cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, func, lanes, sharedMem) != cudaSuccess)
        return NVSHMEMX_ERROR_INTERNAL;
    *gridsize = processors * blocks / nvshmemx_impl_pes_on_my_gpu();
    return NVSHMEMX_SUCCESS;
}

/* Collective. Grids without blocks stand for the largest possible. A grid that is not resident as a whole is refused. */
static inline int nvshmemx_collective_launch(const void *func, dim3 gridDims, dim3 blockDims, void **args, size_t sharedMem, cudaStream_t stream) {
    int most;
    unsigned long long begun;
    /* First of all, because it is collective until the GPUs have been started. */
    int status = nvshmemx_impl_ready();
    if (status != NVSHMEMX_SUCCESS) return status;
    status = nvshmemx_collective_launch_query_gridsize(func, blockDims, args, sharedMem, &most);
    if (status != NVSHMEMX_SUCCESS) return status;
    if (gridDims.x == 0 || gridDims.y == 0 || gridDims.z == 0) {
        gridDims.x = (unsigned int)most;
        gridDims.y = gridDims.z = 1;
    }
    if (most == 0 || (unsigned long long)gridDims.x * gridDims.y * gridDims.z > (unsigned long long)most)
        return NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED;
    begun = nvshmemx_impl_launch_begins();
    if (cudaLaunchCooperativeKernel(func, gridDims, blockDims, args, sharedMem, stream) != cudaSuccess)
        return NVSHMEMX_ERROR_COLLECTIVE_LAUNCH_FAILED;
    if (begun != 0) {
        const char *kernel = NULL;
#if defined(CUDART_VERSION) && CUDART_VERSION >= 12030
        /* An older driver does not know names; the program does not see this error. */
        if (cudaFuncGetName(&kernel, func) != cudaSuccess) {
            kernel = NULL;
            (void)cudaGetLastError();
        }
#endif
        nvshmemx_impl_launched(kernel, (void *)stream, begun);
    }
    return NVSHMEMX_SUCCESS;
}
#ifdef __cplusplus
}
#endif
#endif
