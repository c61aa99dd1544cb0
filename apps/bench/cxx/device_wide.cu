// The kernels of device_bench for few lanes.
#define SHMEMX_WIDE
#include "blocks.cuh"
