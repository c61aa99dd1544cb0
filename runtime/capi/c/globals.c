/* Runs before the executable's own code, in both libraries. shmemcc marks executables with this name; Rust has no weak ones. */

extern const char cushmem_symmetric_globals[] __attribute__((weak));
void cushmem_share_globals(void);

static void before_main(void)
{
    if (cushmem_symmetric_globals)
        cushmem_share_globals();
}

/* Priorities of users begin at 101. */
__attribute__((section(".init_array.00001"), used)) static void (*const entry)(void) = before_main;
