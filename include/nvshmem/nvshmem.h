/* NVSHMEM's names over cushmem: programs that were written for NVSHMEM compile with this header instead of NVIDIA's.
   See docs/from-nvshmem.md. `cargo xtask headers` writes this file.

   Define NVSHMEM_HOSTLIB_ONLY before it to have the host's routines alone. Compilers other than nvcc see these anyway. */
#ifndef NVSHMEM_H
#define NVSHMEM_H

#include "impl/types.h"

#include <cuda_runtime.h>
#if defined __cplusplus
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif

#if defined __CUDACC__ && !defined NVSHMEM_HOSTLIB_ONLY
#define NVSHMEM_IMPL_KERNEL __device__
#define NVSHMEM_IMPL_BOTH __host__ __device__
#else
#define NVSHMEM_IMPL_BOTH
#endif

#include "impl/host.h"
#include "impl/launch.h"
#if defined __CUDACC__ && !defined NVSHMEM_HOSTLIB_ONLY
#include "impl/device.cuh"
#endif
#include "impl/tile.cuh"
#endif
