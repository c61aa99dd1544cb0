// A kernel in CUDA C++ by the driver API: loads it from a file.
//
//     nvcc -arch=sm_90 -DSHMEMX_MODULE -cubin -I$PREFIX/include kernel.cu -o kernel.cubin
//     g++ -I$CUDA_HOME/include -I$PREFIX/include driver.cpp -L$PREFIX/lib -lcushmem -lcuda -o driver
//     shmemrun -n 2 ./driver kernel.cubin
#include "ring.h"

int main(int argc, char **argv) {
    begin();
    CUmodule module;
    check(cuModuleLoad(&module, argc == 2 ? argv[1] : "kernel.cubin"), "cuModuleLoad");
    bool is_right = run(module);
    check(cuModuleUnload(module), "cuModuleUnload");
    shmem_finalize();
    return !is_right;
}
