/* For old programs, which look here. `cargo xtask headers` writes this file. */
#include <shmem.h>
