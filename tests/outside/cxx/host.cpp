// A unit without kernels, for any compiler of C++, which has the names of the host alone.
#include <shmem.h>
#include <shmemx.h>

int host_unit(long *word) {
    shmem_long_p(word, 1, shmem_my_pe());
    shmem_p(word, 2L, shmem_my_pe());
    shmem_barrier_all();
    return shmem_n_pes();
}
