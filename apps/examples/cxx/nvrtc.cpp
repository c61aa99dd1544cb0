// A kernel in CUDA C++ that the program compiles with NVRTC. The arguments are its file and the folder of shmem.h.
//
//     g++ -I$CUDA_HOME/include -I$PREFIX/include nvrtc.cpp -L$PREFIX/lib -lcushmem -lnvrtc -lcuda -o nvrtc
//     shmemrun -n 2 ./nvrtc kernel.cu $PREFIX/include
#include "ring.h"
#include <fstream>
#include <iterator>
#include <nvrtc.h>
#include <string>

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: nvrtc KERNEL INCLUDE\n");
        return 2;
    }
    begin();
    std::ifstream file(argv[1]);
    std::string text((std::istreambuf_iterator<char>(file)), {}), include = std::string("-I") + argv[2];
    CUdevice device;
    int major, minor;
    check(cuCtxGetDevice(&device), "cuCtxGetDevice");
    check(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device), "cuDeviceGetAttribute");
    check(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device), "cuDeviceGetAttribute");
    std::string gpu = "-arch=sm_" + std::to_string(10 * major + minor);
    const char *options[] = {include.c_str(), gpu.c_str()};

    nvrtcProgram program;
    size_t bytes = 0;
    nvrtcCreateProgram(&program, text.c_str(), argv[1], 0, nullptr, nullptr);
    nvrtcResult compiled = nvrtcCompileProgram(program, 2, options);
    if (compiled != NVRTC_SUCCESS) {
        nvrtcGetProgramLogSize(program, &bytes);
        std::string log(bytes, 0);
        nvrtcGetProgramLog(program, &log[0]);
        fprintf(stderr, "%s\n%s\n", nvrtcGetErrorString(compiled), log.c_str());
        shmem_global_exit(1);
    }
    nvrtcGetCUBINSize(program, &bytes);
    std::vector<char> cubin(bytes);
    nvrtcGetCUBIN(program, cubin.data());
    nvrtcDestroyProgram(&program);

    CUmodule module;
    check(cuModuleLoadData(&module, cubin.data()), "cuModuleLoadData");
    bool is_right = run(module);
    check(cuModuleUnload(module), "cuModuleUnload");
    shmem_finalize();
    return !is_right;
}
