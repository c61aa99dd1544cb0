// Arrays larger than a GPU: kernels in CUDA C++ read, write and add elements, which are in GPU memory, host memory or the
// file that the first argument names, and every element is checked. With the name of a mistake as second argument, a
// kernel is expected to end with a message, or the launch to be refused.
#include <cuda_fp16.h>
#include <shmem.h>
#include <shmemx.h>

// An array in a module: what the host passes is what `shmemx_array_device` returns.
extern "C" __global__ void sum(shmemx_device_array<uint64_t> array, unsigned long long *result) {
    unsigned long long sum = 0;
    for (uint64_t i = threadIdx.x; i < array.len(); i += blockDim.x) sum += array.read(i);
    atomicAdd(result, sum);
}

#ifndef SHMEMX_MODULE
#include "rig.cuh"
#include <unistd.h>

enum { LINE_BYTES = 512, LINES = 50, SLOTS = 256, BLOCKS = 4 };

// Element `index` as PE `who` writes it; half numbers are exact up to 2,048.
template <class T> __host__ __device__ T element(uint64_t index, int who) { return (T)(int)((index * 31 + (uint64_t)who * 7 + 1) % 2039 % (sizeof(T) == 1 ? 127 : 2039)); }

// Lanes of all blocks read all elements, whole lines together or one in each line.
template <class T> __global__ void read_all(Area area, shmemx_device_array<T> array, uint64_t each, int n_pes, int shift, bool scattered) {
    uint64_t n = array.len();
    for (uint64_t i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
        uint64_t at = scattered ? i * 1009 % n : i;
        // Who wrote it: the PE before that with the element, if any has.
        int who = shift ? 1 + (int)((at / each + n_pes - 1) % n_pes) : 0;
        expect(area, (float)array.read(at) == (float)element<T>(at, who));
    }
    expect(area, array.line_len() == LINE_BYTES / sizeof(T) && array.line_of(array.line_len() + 1) == array.line_len());
}
template <class T> __global__ void write_next(shmemx_device_array<T> array, uint64_t first, uint64_t end, int who, Scope scope) {
    for (uint64_t i = first + threadIdx.x; i < end; i += blockDim.x) array.write(i, element<T>(i, who));
    __syncthreads();
    if (scope == BLOCK) array.flush_block();
    else if (scope == WARP && threadIdx.x < 32) array.flush_warp();
    else if (scope == THREAD && threadIdx.x == 0) array.flush();
    shmemx_barrier_all_block();
    if (scope == BLOCK) array.invalidate_block();
    else if (scope == WARP && threadIdx.x < 32) array.invalidate_warp();
    else if (scope == THREAD && threadIdx.x == 0) array.invalidate();
}
// With more threads in a block, the functions of a miss keep numbers in memory.
static __global__ void __launch_bounds__(1024) read_by_many(Area area, shmemx_device_array<uint64_t> array) {
    for (uint64_t i = threadIdx.x; i < array.len(); i += blockDim.x) expect(area, array.read(i) == element<uint64_t>(i, 0));
}
template <class T> __global__ void add_all(shmemx_device_array<T> array, int me) {
    for (uint64_t i = threadIdx.x; i < array.len(); i += blockDim.x) array.add(i, (T)(int)(i % 100 + me));
    __syncthreads();
    shmemx_quiet_block();
}
static __global__ void check_sums(Area area, shmemx_device_array<int> array, int n_pes) {
    for (uint64_t i = threadIdx.x; i < array.len(); i += blockDim.x)
        expect(area, array.read(i) == (int)(i % 100 * n_pes + n_pes * (n_pes - 1) / 2));
}
static __global__ void misuse(shmemx_device_array<uint64_t> array, uint64_t index, int what) {
    if (what == 0) array.read(index);
    if (what == 1) array.write(index, 1);
    if (what == 2) array.add(index, 1);
}

static void *bytes_of(size_t n) { return calloc(n, 1); }
template <class T> static void fill(T *to, size_t n, size_t first, int who) {
    for (size_t i = 0; i < n; i++) to[i] = element<T>(first + i, who);
}

template <class T> static void reads_and_writes(const char *type, const Area &area, const char *place, const char *file, int on_host, int in_place) {
    int me = shmem_my_pe(), n_pes = shmem_n_pes(), next = (me + 1) % n_pes;
    size_t each = LINES * LINE_BYTES / sizeof(T), n = each * n_pes - 3;
    T *own = (T *)bytes_of(n * sizeof(T));
    if (file && me == 0) {
        FILE *to = fopen(file, "w");
        fill(own, n, 0, 0);
        if (!to || fwrite(own, sizeof(T), n, to) != n || fclose(to)) abort();
    }
    shmem_barrier_all();
    const shmemx_array_options_t options = {file, on_host, SHMEMX_ARRAY_READ_WRITE, LINE_BYTES, (size_t)(in_place ? 0 : SLOTS), in_place};
    shmemx_array_t array = shmemx_array_create(n, sizeof(T), &options);
    // Only where GPUs reach each other.
    if (!array && in_place) return free(own);
    if (!array) shmem_global_exit(1);
    size_t first, there = shmemx_array_range(array, me, &first);
    if (!file) {
        fill(own, there, first, 0);
        shmem_putmem(shmemx_array_part(array), own, there * sizeof(T), me);
    }
    shmem_barrier_all();
    char what[64];
    for (int scattered = 0; scattered < 2; scattered++) {
        read_all<T><<<BLOCKS, 96>>>(area, shmemx_array_device(array), each, n_pes, 0, scattered);
        snprintf(what, sizeof(what), "reads of %s%s", type, scattered ? ", scattered" : ""), check(what, place, area);
    }
    size_t from = each * next, to = next == n_pes - 1 ? n : from + each;
    write_next<T><<<1, 128>>>(shmemx_array_device(array), from, to, 1 + me, BLOCK);
    check("writes, flush by a block", place, area);
    read_all<T><<<BLOCKS, 96>>>(area, shmemx_array_device(array), each, n_pes, 1, 0);
    check("what others wrote", place, area);
    write_next<T><<<1, 64>>>(shmemx_array_device(array), from, to, 0, WARP);
    check("writes, flush by a warp", place, area);
    read_all<T><<<BLOCKS, 96>>>(area, shmemx_array_device(array), each, n_pes, 0, 0);
    check("what others wrote", place, area);
    write_next<T><<<1, 32>>>(shmemx_array_device(array), from, to, 1 + me, THREAD);
    check("writes, flush by a thread", place, area);
    read_all<T><<<BLOCKS, 96>>>(area, shmemx_array_device(array), each, n_pes, 1, 1);
    check("what others wrote", place, area);
    if (shmemx_array_free(array)) abort();
    free(own);
    shmem_barrier_all();
}

static void many(const Area &area) {
    const shmemx_array_options_t options = {NULL, 1, SHMEMX_ARRAY_READ_ONLY, LINE_BYTES, 2 * SLOTS, 0};
    shmemx_array_t array = shmemx_array_create(20000, 8, &options);
    size_t first, there = shmemx_array_range(array, shmem_my_pe(), &first);
    uint64_t *part = (uint64_t *)shmemx_array_part(array);
    fill(part, there, first, 0);
    shmem_barrier_all();
    read_by_many<<<1, 1024>>>(area, shmemx_array_device(array));
    check("reads by 1,024 threads", "host", area);
    shmemx_array_free(array);
}

template <class T> static void accumulates(const char *type, const Area &area, int on_host) {
    const shmemx_array_options_t options = {NULL, on_host, SHMEMX_ARRAY_ACCUMULATE, LINE_BYTES, 0, 0};
    shmemx_array_t array = shmemx_array_create(1000, sizeof(T), &options);
    void *zeros = bytes_of(1000 * sizeof(T));
    shmem_putmem(shmemx_array_part(array), zeros, shmemx_array_range(array, shmem_my_pe(), NULL) * sizeof(T), shmem_my_pe());
    shmem_barrier_all();
    add_all<T><<<1, 96>>>(shmemx_array_device(array), shmem_my_pe());
    check(type, on_host ? "sums, host" : "sums, GPU", area);
    size_t first, there = shmemx_array_range(array, shmem_my_pe(), &first);
    T *sums = (T *)zeros;
    shmem_getmem(sums, shmemx_array_part(array), there * sizeof(T), shmem_my_pe());
    int n_pes = shmem_n_pes();
    for (size_t i = 0; i < there; i++)
        if (sums[i] != (T)(int)((first + i) % 100 * n_pes + n_pes * (n_pes - 1) / 2)) cudaMemset(area.bad, 1, 1), cudaDeviceSynchronize();
    if (T(0.5) == 0 && sizeof(T) == 4) check_sums<<<1, 96>>>(area, shmemx_array_device(array), n_pes);
    check(type, on_host ? "sums, host" : "sums, GPU", area);
    shmemx_array_free(array);
    free(zeros);
}

static int make_mistake(const char *which) {
    shmemx_array_options_t options = {NULL, 0, SHMEMX_ARRAY_READ_WRITE, 0, 0, 0};
    if (!strcmp(which, "write-read-only")) options.mode = SHMEMX_ARRAY_READ_ONLY;
    if (!strcmp(which, "write-sums")) options.mode = SHMEMX_ARRAY_ACCUMULATE;
    shmemx_array_t array = shmemx_array_create(1000, strcmp(which, "wrong-size") ? 8 : 4, &options);
    int what = !strncmp(which, "write", 5) ? 1 : !strncmp(which, "add", 3) ? 2 : 0;
    misuse<<<1, 32>>>(shmemx_array_device(array), strstr(which, "index") ? 1000 : 999, what);
    bool has_failed = cudaDeviceSynchronize() != cudaSuccess;
    shmem_finalize();
    return has_failed;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    shmem_init();
    if (argc > 2) return make_mistake(argv[2]);
    Area area = area_of(true);
    const struct { const char *name, *file; int on_host, in_place; } places[] = {
        {"GPU", NULL, 0, 0}, {"host", NULL, 1, 0}, {"file", argv[1], 0, 0}, {"GPU, in place", NULL, 0, 1}, {"host, in place", NULL, 1, 1},
    };
    for (auto &place : places) {
        reads_and_writes<uint64_t>("uint64_t", area, place.name, place.file, place.on_host, place.in_place);
        reads_and_writes<float>("float", area, place.name, place.file, place.on_host, place.in_place);
        reads_and_writes<__half>("half", area, place.name, place.file, place.on_host, place.in_place);
        reads_and_writes<signed char>("signed char", area, place.name, place.file, place.on_host, place.in_place);
    }
    many(area);
    for (int on_host = 0; on_host < 2; on_host++) {
        accumulates<int>("int", area, on_host), accumulates<unsigned long long>("unsigned long long", area, on_host);
        accumulates<float>("float", area, on_host), accumulates<double>("double", area, on_host);
    }
    if (shmem_my_pe() == 0) unlink(argv[1]);
    int all_failures = failures;
    printf("PE %d: %d rows failed\n", shmem_my_pe(), all_failures);
    shmem_finalize();
    return all_failures != 0;
}
#endif
