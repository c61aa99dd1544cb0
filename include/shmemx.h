/* What cushmem has beyond OpenSHMEM. `cargo xtask headers` writes this file. */
#ifndef SHMEMX_H
#define SHMEMX_H

#include <shmem.h>

/* For shmem_malloc_with_hints: memory of the GPUs, as shmemx_malloc_gpu. */
#define SHMEMX_MALLOC_GPU (1L << 16)

#ifdef __cplusplus
extern "C" {
#endif

/* Symmetric memory of the GPUs; collective, as `shmem_malloc`. The address is for kernels and for the routines of this
   library; the CPU cannot access it. NULL without a GPU. It is not cleared. */
void *shmemx_malloc_gpu(size_t size);

/* Tells the kernels of a module that the program itself loaded with the CUDA driver about the job. `module` is a CUmodule.
   Not collective; before the first launch. */
void shmemx_module_init(void *module);

#ifdef __cplusplus
}
#endif

#endif
