/* Where old programs look for it. `cargo xtask headers` writes this file. */
#include <shmemx.h>
