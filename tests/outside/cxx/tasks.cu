// Puts with a task, whose functions are in CUDA C++: the CPU, streams and kernels put them, and each effect is checked.
// `tasks MODULE` takes functions from this program and from MODULE, a cubin made of this file with -DSHMEMX_MODULE.
// `tasks times` measures round trips. With the name of a mistake, a kernel is expected to end with a message.
#include <cstdint>
#include <shmem.h>
#include <shmemx.h>

typedef unsigned long long ull;
enum { ADD, NOTE, ANSWER, PASS_ON, STRAY };

// Adds the data to a buffer. Several blocks may do so at a time.
__device__ void add(const shmemx_device_task_t &task) {
    ull *sums = task.buffer<ull>(task.argument<int>(0)) + task.argument<size_t>(1), *numbers = task.data<ull>();
    for (size_t i = threadIdx.x; i < task.count<ull>(); i += blockDim.x) atomicAdd(sums + i, numbers[i]);
}
// Stores what it knows into a buffer.
__device__ void note(const shmemx_device_task_t &task) {
    uint64_t *notes = task.buffer<uint64_t>(task.argument<uint8_t>(0));
    double half = task.argument<double>(3);
    float quarter = task.argument<float>(5);
    if (threadIdx.x) return;
    notes[0] = task.argument<uint16_t>(1), notes[1] = task.argument<int>(2), notes[2] = *(uint64_t *)&half;
    notes[3] = task.argument<int64_t>(4), notes[4] = *(uint32_t *)&quarter, notes[5] = task.pe();
    notes[6] = task.bytes(), notes[7] = task.bytes() ? *task.data<uint64_t>() : 0;
}
// Puts each word plus 1 back.
__device__ void answer(const shmemx_device_task_t &task) {
    uint64_t *answers = task.buffer<uint64_t>(task.argument<int>(0)), *words = task.data<uint64_t>();
    for (size_t i = threadIdx.x; i < task.count<uint64_t>(); i += blockDim.x) words[i]++;
    __syncthreads();
    shmemx_uint64_put_block(answers, words, task.count<uint64_t>(), task.pe());
}
// Goes on to the next PE so many times, and counts in the last one.
__device__ void pass_on(const shmemx_device_task_t &task) {
    int counts = task.argument<int>(0);
    uint64_t hops = task.argument<uint64_t>(1);
    shmemx_task_t next = {PASS_ON, -1, 0, {(uint64_t)counts, hops - 1}};
    if (hops) shmemx_put_task_block(task.queue(), &next, NULL, 0, (shmem_my_pe() + 1) % shmem_n_pes());
    else if (threadIdx.x == 0) atomicAdd(task.buffer<ull>(counts), 1ull);
}
// There is no such buffer.
namespace nested {
template <class T, int NUMBER> __device__ void stray(const shmemx_device_task_t &task) { task.buffer<T>(NUMBER); }
}
SHMEMX_TASKS(add, note, answer, pass_on, nested::stray<int, 1000>)

#ifndef SHMEMX_MODULE
#include "rig.cuh"
#include <ctime>
#include <dlfcn.h>

enum { MOST = 3000, ROUNDS = 24, LANES = 64 };
enum { INBOX, SUMS, NOTES, ANSWERS, BUFFERS };

struct Memory {
    ull *inbox, *sums; // for each PE and round MOST words, and MOST words
    uint64_t *notes, *answers, *done;
    ull *source; // of this PE alone
};
__host__ __device__ ull datum(int pe, int round, size_t i) { return (ull)pe * 1000003 + (ull)round * 4001 + i; }
__host__ __device__ size_t place(int pe, int round) { return ((size_t)pe * ROUNDS + round) * MOST; }

static __global__ void fill(ull *source, size_t n, int pe, int round) {
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) source[i] = datum(pe, round, i);
}
// The source changes as soon as a put has returned. There are more rounds than slots.
template <Scope S> __global__ void __launch_bounds__(1024) put_rounds(shmemx_device_task_queue_t queue, Memory m, size_t n) {
    if (!takes_part<S>()) return;
    int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = S == THREAD ? 0 : threadIdx.x; i < n; i += lanes<S>()) m.source[i] = datum(me, round, i);
        shmemx_task_t task = {ADD, n ? INBOX : -1, 8 * place(me, round), {SUMS, 0}, m.done, 1, SHMEM_SIGNAL_ADD};
        if (S == THREAD) shmemx_put_task(queue, &task, m.source, 8 * n, next);
        if (S == WARP) shmemx_put_task_warp(queue, &task, m.source, 8 * n, next);
        if (S == BLOCK) shmemx_put_task_block(queue, &task, m.source, 8 * n, next);
    }
    if (threadIdx.x == 0) shmem_signal_wait_until(m.done, SHMEM_CMP_EQ, ROUNDS);
}
// Each lane puts a task of its own, from its stack.
static __global__ void put_by_all(shmemx_device_task_queue_t queue, Memory m) {
    int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
    ull own[3] = {datum(me, 0, 0), 1, threadIdx.x};
    shmemx_task_t task = {ADD, INBOX, 8 * (place(me, 0) + 3 * threadIdx.x), {SUMS, 0}, m.done, 1, SHMEM_SIGNAL_ADD};
    shmemx_put_task(queue, &task, own, sizeof(own), next);
    __syncthreads();
    if (threadIdx.x == 0) shmem_signal_wait_until(m.done, SHMEM_CMP_EQ, LANES);
}
static __global__ void verify(Area area, Memory m, size_t n, int rounds) {
    int before = (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes();
    for (size_t i = threadIdx.x; i < MOST; i += blockDim.x) {
        ull expected = 0;
        for (int round = 0; round < rounds && i < n; round++) expected += datum(before, round, i);
        if (rounds == 0 && i < 3) expected = i == 0 ? LANES * datum(before, 0, 0) : i == 1 ? LANES : LANES * (LANES - 1) / 2;
        expect(area, m.sums[i] == expected);
        m.sums[i] = 0;
    }
}
static __global__ void round_trips(shmemx_device_task_queue_t queue, Memory m, size_t n, int rounds) {
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    for (int round = 1; round <= rounds; round++) {
        shmemx_task_t task = {ADD, INBOX, 0, {SUMS, 0}, m.done, (uint64_t)round, SHMEM_SIGNAL_SET};
        shmemx_put_task_block(queue, &task, m.source, 8 * n, next);
        if (threadIdx.x == 0) shmem_signal_wait_until(m.done, SHMEM_CMP_EQ, round);
        __syncthreads();
    }
}
static __global__ void put_one(shmemx_device_task_queue_t queue, shmemx_task_t task, size_t nbytes, int pe) {
    __shared__ ull source[4];
    shmemx_put_task_block(queue, &task, source, nbytes, pe);
}

static void *allocate(bool gpu, size_t words) {
    void *at = gpu ? shmemx_malloc_gpu(8 * words) : shmem_malloc(8 * words);
    if (gpu) cudaMemset(at, 0, 8 * words);
    else memset(at, 0, 8 * words);
    cudaDeviceSynchronize();
    return at;
}
static void start(Memory &m) {
    shmem_barrier_all();
    shmem_signal_set(m.done, 0, shmem_my_pe());
    shmem_barrier_all();
}
// What was put to this PE, after all PEs have seen their signals.
static void sums(const char *what, const char *where, const Area &area, const Memory &m, size_t n, int rounds) {
    // Nobody waits for a whole GPU while a kernel waits for a task.
    cudaStreamSynchronize(NULL);
    shmem_barrier_all();
    verify<<<1, 256>>>(area, m, n, rounds);
    check(what, where, area);
}

static void all_puts(const char *where, shmemx_task_queue_t queue, const Area &area, Memory m) {
    int me = shmem_my_pe(), n_pes = shmem_n_pes(), next = (me + 1) % n_pes, before = (me + n_pes - 1) % n_pes;
    shmemx_device_task_queue_t device = shmemx_task_queue_device(queue);
    shmemx_task_buffer(queue, m.inbox, 8 * place(n_pes, 0)), shmemx_task_buffer(queue, m.sums, 8 * MOST);
    shmemx_task_buffer(queue, m.notes, 64), shmemx_task_buffer(queue, m.answers, 8 * MOST);
    const size_t sizes[] = {0, 1, 7, 513, MOST};
    for (size_t n : sizes) {
        start(m), put_rounds<THREAD><<<1, 1>>>(device, m, n > 513 ? 513 : n), sums("by a thread", where, area, m, n > 513 ? 513 : n, ROUNDS);
        start(m), put_rounds<WARP><<<1, 64>>>(device, m, n), sums("by a warp", where, area, m, n, ROUNDS);
        start(m), put_rounds<BLOCK><<<1, 96>>>(device, m, n), sums("by a block of 96", where, area, m, n, ROUNDS);
        start(m), put_rounds<BLOCK><<<1, 1024>>>(device, m, n), sums("by a block of 1,024", where, area, m, n, ROUNDS);
    }
    start(m), put_by_all<<<1, LANES>>>(device, m), sums("by each thread", where, area, m, 0, 0);

    static ull words[MOST];
    start(m);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < MOST; i++) words[i] = datum(me, round, i);
        shmemx_task_t task = {ADD, INBOX, 8 * place(me, round), {SUMS, 0}, m.done, 1, SHMEM_SIGNAL_ADD};
        shmemx_put_task(queue, &task, words, sizeof(words), next);
    }
    shmem_signal_wait_until(m.done, SHMEM_CMP_EQ, ROUNDS);
    sums("by the CPU", where, area, m, MOST, ROUNDS);

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    start(m);
    for (int round = 0; round < ROUNDS; round++) {
        fill<<<1, 256, 0, stream>>>(m.source, MOST, me, round);
        shmemx_task_t task = {ADD, INBOX, 8 * place(me, round), {SUMS, 0}, m.done, 1, SHMEM_SIGNAL_ADD};
        shmemx_put_task_on_stream(queue, &task, m.source, 8 * MOST, next, stream);
    }
    shmemx_signal_wait_until_on_stream(m.done, SHMEM_CMP_EQ, ROUNDS, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    sums("by a stream", where, area, m, MOST, ROUNDS);

    start(m);
    double half = 0.5;
    float quarter = -0.25f;
    shmemx_task_t noted = {NOTE, INBOX, 8 * place(me, 1), {NOTES, 60000, (uint64_t)-7, 0, (uint64_t)INT64_MIN, 0}, m.done, 5, SHMEM_SIGNAL_SET};
    memcpy(noted.arguments + 3, &half, 8), memcpy(noted.arguments + 5, &quarter, 4);
    shmemx_put_task(queue, &noted, words, 16, next);
    shmem_signal_wait_until(m.done, SHMEM_CMP_EQ, 5);
    shmem_barrier_all();
    uint64_t found[8], expected[8] = {60000, (uint64_t)-7, noted.arguments[3], (uint64_t)INT64_MIN, noted.arguments[5], (uint64_t)before, 16, datum(before, ROUNDS - 1, 0)};
    cudaMemcpy(found, m.notes, sizeof(found), cudaMemcpyDefault);
    if (memcmp(found, expected, sizeof(found))) cudaMemset(area.bad, 1, 1), cudaDeviceSynchronize();
    check("arguments", where, area);

    start(m);
    shmemx_task_t asked = {ANSWER, INBOX, 8 * place(me, 2), {ANSWERS}, m.done, 6, SHMEM_SIGNAL_SET};
    shmemx_put_task(queue, &asked, words, sizeof(words), next);
    shmem_signal_wait_until(m.done, SHMEM_CMP_EQ, 6);
    static uint64_t answers[MOST];
    cudaMemcpy(answers, m.answers, sizeof(answers), cudaMemcpyDefault);
    for (int i = 0; i < MOST; i++)
        if (answers[i] != words[i] + 1) cudaMemset(area.bad, 1, 1), cudaDeviceSynchronize();
    check("a put by a task", where, area);

    start(m);
    shmem_uint64_p(m.notes, 0, me);
    shmem_barrier_all();
    shmemx_task_t passed = {PASS_ON, -1, 0, {NOTES, 11}};
    // With more on their way than there are slots, executors could wait for each other.
    for (int i = 0; i < 2; i++) shmemx_put_task(queue, &passed, NULL, 0, next);
    uint64_t count = 0;
    for (time_t start = time(NULL); count < 2 && time(NULL) - start < 20;) count = shmem_uint64_g(m.notes, me);
    if (count != 2) cudaMemset(area.bad, 1, 1), cudaDeviceSynchronize();
    check("tasks put by tasks", where, area);
    shmem_barrier_all();
    shmemx_task_queue_destroy(queue);
}

// The functions of a module that the program loads with the driver.
static shmemx_task_queue_t of_module(const char *path) {
    static const char *const names[] = {"add", "note", "answer", "pass_on", "stray"};
    int (*load)(void **, const char *) = (int (*)(void **, const char *))dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuModuleLoad");
    void *module = NULL;
    if (load(&module, path)) return NULL;
    const shmemx_task_options_t options = {4, 1, 64, 0};
    return shmemx_task_queue_create(module, names, 5, &options);
}

static void make_mistake(const char *which, Memory &m) {
    shmemx_task_queue_t queue = shmemx_task_queue_create(NULL);
    shmemx_task_buffer(queue, m.inbox, 16);
    shmemx_task_t task = {ADD, INBOX, 0, {0, 0}, NULL, 0, 0};
    size_t nbytes = 8;
    int pe = 0;
    if (!strcmp(which, "wrong-function")) task.function = 5;
    if (!strcmp(which, "wrong-buffer")) task.buffer = 1;
    if (!strcmp(which, "no-buffer")) task.buffer = -1;
    if (!strcmp(which, "wrong-range")) nbytes = 24;
    if (!strcmp(which, "wrong-pe")) pe = shmem_n_pes();
    if (!strcmp(which, "wrong-signal")) task.done = (uint64_t *)m.source, task.sig_op = SHMEM_SIGNAL_SET;
    if (!strcmp(which, "uneven-signal")) task.done = (uint64_t *)((char *)m.done + 4), task.sig_op = SHMEM_SIGNAL_SET;
    if (!strcmp(which, "wrong-sig-op")) task.done = m.done, task.sig_op = 3;
    if (!strcmp(which, "no-sig-op")) task.done = m.done, task.sig_op = 0;
    if (!strcmp(which, "in-a-task")) task.function = STRAY;
    put_one<<<1, 32>>>(shmemx_task_queue_device(queue), task, nbytes, pe);
    cudaDeviceSynchronize();
    shmemx_task_queue_destroy(queue);
}

static void measure(const char *kind, int launched, Memory m) {
    const shmemx_task_options_t options = {64, 1, 128, launched};
    shmemx_task_queue_t queue = shmemx_task_queue_create(&options);
    shmemx_device_task_queue_t device = shmemx_task_queue_device(queue);
    shmemx_task_buffer(queue, m.inbox, 8 * place(shmem_n_pes(), 0)), shmemx_task_buffer(queue, m.sums, 8 * MOST);
    cudaEvent_t from, to;
    cudaEventCreate(&from), cudaEventCreate(&to);
    for (size_t n : {8, 512}) {
        for (int rounds : {1000, 10000}) {
            start(m);
            // One PE measures, and the other one runs the tasks.
            if (shmem_my_pe()) continue;
            cudaEventRecord(from);
            round_trips<<<1, 128>>>(device, m, n, rounds);
            cudaEventRecord(to);
            cudaEventSynchronize(to);
            float ms = 0;
            cudaEventElapsedTime(&ms, from, to);
            if (rounds == 10000) printf("round trip, %s, %zu bytes: %.2f us\n", kind, 8 * n, 1000 * ms / rounds);
            fflush(stdout);
        }
    }
    shmem_barrier_all();
    shmemx_task_queue_destroy(queue);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    shmem_init();
    Area area = area_of(true);
    Memory memories[2];
    for (int gpu = 0; gpu < 2; gpu++) {
        Memory &m = memories[gpu];
        m.inbox = (ull *)allocate(gpu, place(shmem_n_pes(), 0)), m.sums = (ull *)allocate(gpu, MOST);
        m.notes = (uint64_t *)allocate(gpu, 8), m.answers = (uint64_t *)allocate(gpu, MOST), m.done = (uint64_t *)allocate(gpu, 1);
        cudaMalloc(&m.source, 8 * MOST);
    }
    shmem_barrier_all();
    if (!strcmp(mode, "times")) {
        measure("resident", 0, memories[1]);
        measure("launched", 1, memories[1]);
        shmem_finalize();
        return 0;
    }
    if (strchr(mode, '-') && !strchr(mode, '.')) {
        make_mistake(mode, memories[1]);
        shmem_finalize();
        return 0;
    }
    struct { const char *name; shmemx_task_options_t options; int gpu; } runs[] = {
        {"resident, GPU", {4, 1, 64, 0}, 1}, {"resident, host", {4, 1, 128, 0}, 0},
        {"4 blocks, GPU", {16, 4, 32, 0}, 1}, {"launched, GPU", {4, 1, 128, 1}, 1}, {"launched, host", {4, 2, 64, 1}, 0},
    };
    for (auto &run : runs) {
        shmemx_task_queue_t queue = shmemx_task_queue_create(&run.options);
        if (!queue) shmem_global_exit(1);
        all_puts(run.name, queue, area, memories[run.gpu]);
    }
    if (*mode) {
        shmemx_task_queue_t queue = of_module(mode);
        if (!queue) shmem_global_exit(1);
        all_puts("module, GPU", queue, area, memories[1]);
    }
    int all_failures = failures;
    printf("PE %d: %d rows failed\n", shmem_my_pe(), all_failures);
    shmem_finalize();
    return all_failures != 0;
}
#endif
