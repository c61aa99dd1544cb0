/* What cushmem has beyond OpenSHMEM. `cargo xtask headers` writes this file. */
#ifndef SHMEMX_H
#define SHMEMX_H

#include <shmem.h>

/* For shmem_malloc_with_hints: memory of the GPUs, as shmemx_malloc_gpu. */
#define SHMEMX_MALLOC_GPU (1L << 16)

/* What the processes of a job have in common when no launcher tells them: bytes without a meaning for programs. */
typedef struct { unsigned char bytes[128]; } shmemx_uniqueid_t;

#ifdef __cplusplus
extern "C" {
#endif

/* Joining without shmemrun. One process makes an id and gives its bytes to all others, which have to keep it secret; each then joins as PE
   `pe` of `n_pes`, instead of `shmem_init`. The process that made the id runs until the end of the job. Both return 0; what goes
   wrong ends the process with a line, as OpenSHMEM has no error returns. */
int shmemx_get_uniqueid(shmemx_uniqueid_t *id);
int shmemx_init_attr(int pe, int n_pes, const shmemx_uniqueid_t *id);

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
