// How programs with NVSHMEM's names check values and calls.
#include <cstdio>
#include <cstdlib>

static int me, n, failures;

#define CHECK(what)                                                                  \
    do {                                                                             \
        if (!(what)) {                                                               \
            failures++;                                                              \
            fprintf(stderr, "PE %d: %s:%d: not %s\n", me, __FILE__, __LINE__, #what); \
        }                                                                            \
    } while (0)
#define CUDA(call)                                                                                  \
    do {                                                                                            \
        cudaError_t error = (call);                                                                 \
        if (error != cudaSuccess) {                                                                 \
            fprintf(stderr, "PE %d: %s:%d: %s\n", me, __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                                \
        }                                                                                           \
    } while (0)
