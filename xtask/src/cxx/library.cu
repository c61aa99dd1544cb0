// The context of the functions in libcushmem_device.a. It tells the library of itself, as each unit does.
#define SHMEM_IMPL_LIBRARY
#include <shmem.h>
