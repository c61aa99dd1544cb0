/* A program that opens, while it is running, a shared library that uses the C API. With PLUGIN, the shared library
 * itself. */
#include <stdio.h>

#ifdef PLUGIN

#include <shmem.h>

void plugin(long *global);

void plugin(long *global)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long got = 0;
    shmem_barrier_all();
    shmem_long_get(&got, global, 1, (me + 1) % n);
    printf("PE %d: %s, %ld\n", me, shmem_ptr(global, (me + 1) % n) ? "shared" : "private", got);
    shmem_barrier_all();
    shmem_finalize();
}

#else

#include <dlfcn.h>

static long global = 7;

int main(int argc, char **argv)
{
    void *library = dlopen(argv[1], RTLD_NOW | (argc > 2 ? RTLD_GLOBAL : RTLD_LOCAL));
    void (*plugin)(long *) = library ? (void (*)(long *))dlsym(library, "plugin") : NULL;
    if (!plugin) {
        printf("%s\n", dlerror());
        return 1;
    }
    plugin(&global);
    return 0;
}

#endif
