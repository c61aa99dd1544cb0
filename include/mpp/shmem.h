/* For old programs, which look for the header here. `cargo xtask headers` writes this file. */
#include <shmem.h>
