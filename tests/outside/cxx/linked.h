// What linked.cu does on the host, where names of shmem.h are those of the library. It cannot include shmem.h, which
// has its own kernels.
#include <cuda.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

extern "C" {
void shmem_init(void);
void shmem_finalize(void);
void shmem_barrier_all(void);
void shmem_global_exit(int status);
void *shmemx_malloc_gpu(size_t size);
int shmemx_module_init(void *module);
}

struct Memory {
    float *inbox, *outbox;
    int32_t *words;
    uint64_t *sig;
    unsigned *bad;
};

template <class T> T *zeros(size_t count) {
    T *made = (T *)shmemx_malloc_gpu(count * sizeof(T));
    if (!made) shmem_global_exit(1);
    cudaMemset(made, 0, count * sizeof(T));
    return made;
}

static Memory begin() {
    shmem_init();
    Memory memory = {zeros<float>(2 * N), zeros<float>(2 * N), zeros<int32_t>(64), zeros<uint64_t>(1), zeros<unsigned>(1)};
    cudaDeviceSynchronize();
    shmem_barrier_all();
    return memory;
}

// The driver's functions are looked up, because the machine that builds this may have no driver.
static void launch_module(const char *path, Memory memory) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    auto load = (CUresult (*)(CUmodule *, const char *))dlsym(driver, "cuModuleLoad");
    auto get = (CUresult (*)(CUfunction *, CUmodule, const char *))dlsym(driver, "cuModuleGetFunction");
    auto launch = (decltype(&cuLaunchKernel))dlsym(driver, "cuLaunchKernel");
    CUmodule module;
    CUfunction kernel;
    void *arguments[] = {&memory.inbox, &memory.outbox, &memory.words, &memory.sig, &memory.bad};
    if (load(&module, path) || shmemx_module_init(module) || get(&kernel, module, "linked") ||
        launch(kernel, 1, 1, 1, 1024, 1, 1, 0, nullptr, arguments, nullptr)) {
        fprintf(stderr, "%s cannot be launched\n", path);
        shmem_global_exit(1);
    }
}

static int end(Memory memory, const char *what) {
    unsigned bad = 1;
    cudaError_t ended = cudaDeviceSynchronize();
    cudaMemcpy(&bad, memory.bad, sizeof(bad), cudaMemcpyDeviceToHost);
    printf("%s: %s, %u are wrong\n", what, cudaGetErrorString(ended), bad);
    shmem_barrier_all();
    shmem_finalize();
    return ended != cudaSuccess || bad;
}
