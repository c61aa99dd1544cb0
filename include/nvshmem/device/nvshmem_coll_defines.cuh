/* All names are in nvshmem.h. `cargo xtask headers` writes this file. */
#include "../nvshmem.h"
