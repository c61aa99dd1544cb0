/* Copies by the CUDA driver between the program's GPU memory and symmetric host memory: of any part of one object, and
 * of any part of all the objects that existed when the GPUs started. The driver's functions are looked up at run time,
 * so that no toolkit is needed. */
#include <dlfcn.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MIB ((size_t)1 << 20)

typedef unsigned long long device_t;

/* CUDA_MEMCPY2D from cuda.h. */
struct copy_2d {
    size_t src_x, src_y;
    unsigned src_type;
    const void *src_host;
    device_t src_device;
    void *src_array;
    size_t src_pitch, dst_x, dst_y;
    unsigned dst_type;
    void *dst_host;
    device_t dst_device;
    void *dst_array;
    size_t dst_pitch, width, height;
};

enum { HOST = 1, DEVICE = 2 };

static int (*mem_alloc)(device_t *, size_t);
static int (*to_device)(device_t, const void *, size_t);
static int (*to_host)(void *, device_t, size_t);
static int (*to_device_async)(device_t, const void *, size_t, void *);
static int (*to_host_async)(void *, device_t, size_t, void *);
static int (*any)(device_t, device_t, size_t);
static int (*copy_2d)(const struct copy_2d *);
static int (*synchronize)(void *);

static long wrong;

static void check(int status, const char *what, size_t from, size_t bytes)
{
    if (status == 0)
        return;
    printf("%s of %zu bytes at %zu: CUresult %d\n", what, bytes, from, status);
    wrong++;
}

static void *find(void *driver, const char *name)
{
    void *found = dlsym(driver, name);
    if (!found) {
        fprintf(stderr, "no %s in libcuda.so.1\n", name);
        shmem_global_exit(1);
    }
    return found;
}

static void find_all(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (!driver) {
        fprintf(stderr, "%s\n", dlerror());
        shmem_global_exit(1);
    }
    *(void **)&mem_alloc = find(driver, "cuMemAlloc_v2");
    *(void **)&to_device = find(driver, "cuMemcpyHtoD_v2");
    *(void **)&to_host = find(driver, "cuMemcpyDtoH_v2");
    *(void **)&to_device_async = find(driver, "cuMemcpyHtoDAsync_v2");
    *(void **)&to_host_async = find(driver, "cuMemcpyDtoHAsync_v2");
    *(void **)&any = find(driver, "cuMemcpy");
    *(void **)&copy_2d = find(driver, "cuMemcpy2D_v2");
    *(void **)&synchronize = find(driver, "cuStreamSynchronize");
}

static uint64_t random_state;

static size_t below(size_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (random_state >> 33) % limit;
}

static void compare(const char *what, const char *seen, const char *expected, size_t from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (seen[i] != expected[i]) {
            printf("%s of %zu bytes at %zu: byte %zu is wrong\n", what, bytes, from, i);
            wrong++;
            return;
        }
}

/* Copies part of the host memory to the GPU with one call, and back to private memory with another. */
static void one(int way, device_t device, char *heap, char *scratch, size_t from, size_t bytes)
{
    static const char *const names[] = {"cuMemcpyHtoD, DtoH", "cuMemcpyHtoDAsync, DtoHAsync", "cuMemcpy", "cuMemcpy2D"};
    char *part = heap + from;
    const char *what = names[way];
    size_t height = 1 + below(7), width = bytes / height, used = bytes;
    for (size_t i = 0; i < bytes; i += 1 + below(5000))
        part[i] = (char)below(256);
    for (size_t i = 0; i < bytes; i++)
        scratch[i] = part[i];
    switch (way) {
    case 0: check(to_device(device, part, bytes), what, from, bytes); break;
    case 1:
        check(to_device_async(device, part, bytes, NULL), what, from, bytes);
        check(synchronize(NULL), what, from, bytes);
        break;
    case 2: check(any(device, (device_t)(uintptr_t)part, bytes), what, from, bytes); break;
    default:
        used = width * height;
        check(copy_2d(&(struct copy_2d){.src_type = HOST, .src_host = part, .src_pitch = width, .dst_type = DEVICE,
                                        .dst_device = device, .dst_pitch = width, .width = width, .height = height}),
              what, from, used);
    }
    for (size_t i = 0; i < used; i++)
        part[i] = 0;
    switch (way) {
    case 0: check(to_host(part, device, used), what, from, used); break;
    case 1:
        check(to_host_async(part, device, used, NULL), what, from, used);
        check(synchronize(NULL), what, from, used);
        break;
    case 2: check(any((device_t)(uintptr_t)part, device, used), what, from, used); break;
    default:
        check(copy_2d(&(struct copy_2d){.src_type = DEVICE, .src_device = device, .src_pitch = width, .dst_type = HOST,
                                        .dst_host = part, .dst_pitch = width, .width = width, .height = height}),
              what, from, used);
    }
    compare(what, part, scratch, from, used);
}

int main(int argc, char **argv)
{
    static const size_t mib[] = {2, 3, 9, 1, 300, 1, 2, 5};
    enum { N = sizeof mib / sizeof *mib };
    char *objects[N], *scratch = malloc(16 * MIB);
    size_t borders[N + 1] = {0};
    device_t device, all;

    shmem_init();
    find_all();
    random_state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    for (int i = 0; i < N; i++) {
        objects[i] = shmem_malloc(mib[i] * MIB);
        if (objects[i] != objects[0] + borders[i]) {
            printf("object %d does not lie beside the one before\n", i);
            wrong++;
        }
        borders[i + 1] = borders[i] + mib[i] * MIB;
    }
    shmemx_malloc_gpu(8);
    char *late = shmem_malloc(30 * MIB);
    check(mem_alloc(&device, 16 * MIB), "cuMemAlloc", 0, 16 * MIB);
    check(mem_alloc(&all, borders[N]), "cuMemAlloc", 0, borders[N]);
    for (int round = 0; wrong == 0 && round < 120; round++) {
        /* Around the borders of objects, and of the pieces that may be mapped or pinned together. */
        size_t middle = round % 3 ? borders[below(N + 1)] : 2 * MIB * below(borders[N] / (2 * MIB));
        size_t before = below(round % 2 ? 3 * MIB : 3000), bytes = 8 + below(round % 4 ? 12 * MIB : 9000);
        size_t from = middle > before ? middle - before : 0;
        if (from + bytes > borders[N])
            from = borders[N] - bytes;
        one(round / 2 % 4, device, objects[0], scratch, from, bytes);
        /* From the first byte, up to the last, or in between. */
        from = round % 3 == 0 ? 0 : round % 3 == 1 ? 30 * MIB - bytes : below(30 * MIB - bytes);
        one(round / 2 % 4, device, late, scratch, from, bytes);
    }
    /* The whole range, and memory of another PE. */
    check(to_device(all, objects[0], borders[N]), "cuMemcpyHtoD", 0, borders[N]);
    check(to_host(objects[0], all, borders[N]), "cuMemcpyDtoH", 0, borders[N]);
    shmem_barrier_all();
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    char *there = shmem_ptr(objects[0], next);
    /* A PE of another node has no address here. */
    if (there != NULL || shmem_team_translate_pe(SHMEM_TEAM_WORLD, next, SHMEM_TEAM_SHARED) != -1) {
        check(to_device(all, there, borders[N]), "cuMemcpyHtoD from the next PE", 0, borders[N]);
        check(to_host(scratch, all + borders[3] - MIB, 2 * MIB), "cuMemcpyDtoH", 0, 2 * MIB);
        compare("the next PE's memory", scratch, there + borders[3] - MIB, borders[3] - MIB, 2 * MIB);
    }
    shmem_barrier_all();
    printf("PE %d: %ld wrong\n", shmem_my_pe(), wrong);
    shmem_finalize();
    return 0;
}
