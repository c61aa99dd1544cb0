/* NVSHMEM's names over cushmem: programs that were written for NVSHMEM compile with this header instead of NVIDIA's.
   See docs/from-nvshmem.md. `cargo xtask headers` writes this file.

   Define NVSHMEM_HOSTLIB_ONLY before it to have the host's routines alone. Compilers other than nvcc see these anyway. */
#ifndef NVSHMEM_H
#define NVSHMEM_H

#include "nvshmem_impl/types.h"

/* Programs for NVSHMEM rely on what its headers include, and on the name cg. Cooperative groups and <cuda/atomic> cost
   half of the time that a short unit takes: define NVSHMEM_WITHOUT_CUDA_ATOMIC if the program has no need of them. */
#include <assert.h>
#include <cuda.h>
#include <cuda_runtime.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined __cplusplus
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
#if defined __CUDACC__ && __cplusplus >= 201703L && !defined NVSHMEM_HOSTLIB_ONLY && !defined NVSHMEM_WITHOUT_CUDA_ATOMIC
#if __has_include(<cuda/atomic>)
#include <cuda/atomic>
#endif
#if __has_include(<cooperative_groups.h>)
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
#endif
#endif

#if defined __CUDACC__ && !defined NVSHMEM_HOSTLIB_ONLY
#define NVSHMEM_IMPL_KERNEL __device__
#define NVSHMEM_IMPL_BOTH __host__ __device__
#else
#define NVSHMEM_IMPL_BOTH
#endif

#include "nvshmem_impl/host.h"
#include "nvshmem_impl/launch.h"
#if defined __CUDACC__ && !defined NVSHMEM_HOSTLIB_ONLY
#include "nvshmem_impl/device.cuh"
#endif
#include "nvshmem_impl/tile.cuh"
#endif
