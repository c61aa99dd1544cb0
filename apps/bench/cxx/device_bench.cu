// The rows of `shmem-bench device` that NVSHMEM has too, from kernels in CUDA C++ over shmem.h.
//
//     nvcc -arch=sm_90 -O3 -I$PREFIX/include -o device_bench device_bench.cu device_wide.cu -L$PREFIX/lib -lcushmem
//     shmemrun -n 2 ./device_bench [--impl NAME] [--smoke]
//
// Prints one JSON object per line on standard output, with the metric names, keys, units and loops of `shmem-bench
// device`: a ping-pong is one way and the best of sixteen places of its word, and everything else is a mean over some
// launches after one to warm up. Results of gets, additions and collectives are checked. PE 0 works with PE 1; all PEs
// take part in barriers and collectives.
#include "blocks.cuh"
#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

enum { PLACES = 16, PLACE = 1024, ROUNDS = 3, LINE_WORDS = 1024 };

static int me, pes;
static bool smoke;
static const char *impl = "cushmem-cxx";
static cudaStream_t stream;
// Symmetric: target and source of bulk data, and the word used in ping-pongs.
static char *dst, *src;
static uint64_t *flag;
static const size_t FLAG_BYTES = sizeof(uint64_t) * PLACES * PLACE;
// Private: results that keep loops from being optimised away.
static uint64_t *out;
static size_t bytes_of_bulk;

static std::string text(const char *format, ...) {
    char buffer[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer, sizeof buffer, format, arguments);
    va_end(arguments);
    return buffer;
}

static void fail(const std::string &why) {
    fprintf(stderr, "device_bench: PE %d: %s\n", me, why.c_str());
    shmem_global_exit(1);
}

#define CUDA(call) \
    do { \
        cudaError_t status_ = (call); \
        if (status_ != cudaSuccess) fail(text("line %d: %s", __LINE__, cudaGetErrorString(status_))); \
    } while (0)

static void row(const char *metric, const std::string &keys, double value, const char *unit) {
    if (me != 0) return;
    printf("{\"impl\":\"%s\",\"backend\":\"cuda\",\"pes\":%d,\"metric\":\"%s\"%s,\"value\":%.5f,\"unit\":\"%s\"}\n", impl,
           pes, metric, keys.c_str(), value, unit);
    fflush(stdout);
}

static int steps(int n) { return smoke && n > 3 ? 3 : n; }

// The routine for blocks of so many lanes.
#define BY(threads, name) (threads <= 512 ? few_lanes::name : any_lanes::name)

// ---- Kernels of words, and barriers

static __global__ void p_pingpong(uint64_t *word, uint64_t n) {
    const int pe = shmem_my_pe(), peer = 1 - pe;
    for (uint64_t i = 1; i <= n; i++) {
        if (pe != 0) shmem_uint64_wait_until(word, SHMEM_CMP_EQ, i);
        shmem_uint64_p(word, i, peer);
        if (pe == 0) shmem_uint64_wait_until(word, SHMEM_CMP_EQ, i);
    }
}

static __global__ void signal_pingpong(uint64_t *word, uint64_t n) {
    const int pe = shmem_my_pe(), peer = 1 - pe;
    for (uint64_t i = 1; i <= n; i++) {
        if (pe != 0) shmem_signal_wait_until(word, SHMEM_CMP_EQ, i);
        shmem_signal_set(word, i, peer);
        if (pe == 0) shmem_signal_wait_until(word, SHMEM_CMP_EQ, i);
    }
}

static __global__ void g_chain(const uint64_t *table, uint64_t start, int n, uint64_t *last) {
    uint64_t index = start;
    for (int i = 0; i < n; i++) index = shmem_uint64_g(table + index, 1);
    *last = index;
}

static __global__ void fetch_add_chain(uint64_t *words, int n, uint64_t *last) {
    uint64_t index = 0;
    for (int i = 0; i < n; i++) index = shmem_uint64_atomic_fetch_add(words + index, 0, 1);
    *last = index;
}

static __device__ size_t lane_of_grid() { return blockIdx.x * (size_t)blockDim.x + threadIdx.x; }

static __global__ void p_rate(uint64_t *words, int n) {
    const size_t lane = lane_of_grid(), lanes = (size_t)gridDim.x * blockDim.x;
    for (int i = 0; i < n; i++) shmem_uint64_p(words + lane + lanes * (i & 15), i, 1);
    shmem_quiet();
}

static __global__ void inc_rate(uint64_t *words, int n) {
    uint64_t *const word = words + lane_of_grid();
    for (int i = 0; i < n; i++) shmem_uint64_atomic_inc(word, 1);
    shmem_quiet();
}

static __global__ void inc_one_rate(uint64_t *word, int n) {
    for (int i = 0; i < n; i++) shmem_uint64_atomic_inc(word, 1);
    shmem_quiet();
}

static __global__ void barrier_thread(int n) {
    for (int i = 0; i < n; i++) shmem_barrier_all();
}

static __global__ void sync_thread(int n) {
    for (int i = 0; i < n; i++) shmem_sync_all();
}

static __global__ void sync_block(int n) {
    for (int i = 0; i < n; i++) shmemx_sync_all_block();
}

// ---- How they are timed

static void synchronize() {
    CUDA(cudaGetLastError());
    CUDA(cudaStreamSynchronize(stream));
}

// Milliseconds that the launches of `work` take on the GPU.
template <class Work> static double time_of(Work work) {
    cudaEvent_t start, end;
    float ms = 0;
    CUDA(cudaEventCreate(&start));
    CUDA(cudaEventCreate(&end));
    CUDA(cudaEventRecord(start, stream));
    work();
    CUDA(cudaEventRecord(end, stream));
    synchronize();
    CUDA(cudaEventElapsedTime(&ms, start, end));
    CUDA(cudaEventDestroy(start));
    CUDA(cudaEventDestroy(end));
    return ms;
}

static void clear(void *memory, size_t bytes) {
    CUDA(cudaMemset(memory, 0, bytes));
    CUDA(cudaDeviceSynchronize());
}

// Runs the same kernel on PEs 0 and 1, with a word in each of the places in turn. Microseconds one way, the best.
template <class Work> static double pingpong(int n, Work work) {
    double best = 1e30;
    n = steps(n);
    for (int place = 0; place < PLACES; place++) {
        clear(flag, FLAG_BYTES);
        shmem_barrier_all();
        const double ms = me < 2 ? time_of([&] { work(n, flag + place * PLACE); }) : 0;
        const double us = ms * 1e3 / n / 2;
        if (us < best) best = us;
    }
    return best;
}

// PE 0 works while the others wait in the barrier. Microseconds per launch.
template <class Work> static double alone(int launches, Work work) {
    double us = 0;
    shmem_barrier_all();
    if (me == 0) {
        launches = steps(launches);
        work();
        synchronize();
        us = time_of([&] { for (int i = 0; i < launches; i++) work(); }) * 1e3 / launches;
    }
    shmem_barrier_all();
    return us;
}

// ---- The rows

static void warm_up() {
    typedef std::chrono::steady_clock Clock;
    const Clock::time_point start = Clock::now();
    while (!smoke && Clock::now() - start < std::chrono::milliseconds(200)) {
        few_lanes::put_bw({64, 256, stream}, dst, src, bytes_of_bulk / 64);
        synchronize();
    }
}

static void pingpongs() {
    row("dev_p_pingpong", ",\"bytes\":8", pingpong(5000, [](int n, uint64_t *word) { p_pingpong<<<1, 1, 0, stream>>>(word, n); }), "us");
    row("dev_signal_pingpong", "", pingpong(5000, [](int n, uint64_t *word) { signal_pingpong<<<1, 1, 0, stream>>>(word, n); }), "us");
    for (size_t bytes : {8, 1024, 16384, 131072, 1048576}) {
        for (int threads : {32, 256, 1024}) {
            const double us = pingpong(bytes > 65536 ? 300 : 2000, [&](int n, uint64_t *word) {
                BY(threads, put_signal_pingpong)({1, threads, stream}, dst, src, bytes, word, n);
            });
            row("dev_put_signal_pingpong", text(",\"threads\":%d,\"bytes\":%zu", threads, bytes), us, "us");
        }
    }
}

static void put_quiet() {
    for (size_t bytes : {8, 64, 1024, 8192, 65536, 1048576}) {
        const int n = steps(bytes > 8192 ? 30 : 500);
        double us = alone(3, [&] { few_lanes::put_quiet_thread({1, 1, stream}, dst, src, bytes, n); }) / n;
        row("dev_put_quiet", text(",\"scope\":\"thread\",\"bytes\":%zu", bytes), us, "us");
        us = alone(3, [&] { few_lanes::put_quiet_warp({1, 32, stream}, dst, src, bytes, n); }) / n;
        row("dev_put_quiet", text(",\"scope\":\"warp\",\"bytes\":%zu", bytes), us, "us");
        us = alone(3, [&] { any_lanes::put_quiet_block({1, 1024, stream}, dst, src, bytes, n); }) / n;
        row("dev_put_quiet", text(",\"scope\":\"block\",\"threads\":1024,\"bytes\":%zu", bytes), us, "us");
    }
}

// A chain of dependent gets, each in its own cache line; no line is visited twice.
static void gets() {
    const uint64_t n = steps(1000);
    const size_t lines = std::min<size_t>(bytes_of_bulk / 8 / LINE_WORDS - 1, 4001);
    std::vector<uint64_t> table(lines * LINE_WORDS);
    for (size_t line = 0; line < lines; line++) table[line * LINE_WORDS] = (line + 1) * LINE_WORDS;
    CUDA(cudaMemcpy(src, table.data(), table.size() * 8, cudaMemcpyHostToDevice));
    shmem_barrier_all();
    double best = 1e30;
    for (uint64_t round = 0; me == 0 && round < ROUNDS; round++) {
        const uint64_t start = round * n * LINE_WORDS;
        const double us = time_of([&] { g_chain<<<1, 1, 0, stream>>>((uint64_t *)src, start, (int)n, out); }) * 1e3 / n;
        uint64_t reached = 0;
        CUDA(cudaMemcpy(&reached, out, sizeof reached, cudaMemcpyDeviceToHost));
        if (reached != start + n * LINE_WORDS) fail("the chain of gets ended at a wrong word");
        if (us < best) best = us;
    }
    shmem_barrier_all();
    row("dev_g", ",\"bytes\":8", best, "us");
}

// Words of PE 1: a chain of dependent fetch-adds, and how many puts and additions all lanes issue in a second.
static void words() {
    uint64_t *const word = (uint64_t *)dst;
    clear(dst, bytes_of_bulk);
    int n = steps(1000);
    double us = alone(3, [&] { fetch_add_chain<<<1, 1, 0, stream>>>(word, n, out); }) / n;
    row("dev_fetch_add", ",\"bytes\":8", us, "us");
    const int blocks = smoke ? 2 : 128, lanes = blocks * 1024;
    n = smoke ? 2 : 100;
    us = alone(3, [&] { p_rate<<<blocks, 1024, 0, stream>>>(word, n); });
    row("dev_p_rate", text(",\"ctas\":%d,\"threads\":1024", blocks), (double)lanes * n / us, "Mop/s");
    shmem_barrier_all();
    clear(dst, bytes_of_bulk);
    n = steps(20);
    us = alone(3, [&] { inc_rate<<<blocks, 1024, 0, stream>>>(word, n); });
    row("dev_atomic_inc_rate", text(",\"ctas\":%d,\"threads\":1024,\"addresses\":\"distinct\"", blocks), (double)lanes * n / us, "Mop/s");
    std::vector<uint64_t> found(lanes);
    CUDA(cudaMemcpy(found.data(), dst, lanes * 8, cudaMemcpyDeviceToHost));
    const uint64_t expected = me == 1 ? (1 + steps(3)) * n : 0;
    for (uint64_t one : found) {
        if (one != expected) fail(text("a word has %llu additions", (unsigned long long)one));
    }
    us = alone(3, [&] { inc_one_rate<<<blocks, 256, 0, stream>>>(word, n); });
    row("dev_atomic_inc_rate", text(",\"ctas\":%d,\"threads\":256,\"addresses\":\"one\"", blocks), (double)lanes / 4 * n / us, "Mop/s");
    shmem_barrier_all();
}

static void bandwidths() {
    for (int blocks : {1, 2, 4, 8, 16, 32, 64, 128}) {
        for (int threads : {256, 1024}) {
            const size_t part = bytes_of_bulk / blocks;
            const std::string keys = text(",\"ctas\":%d,\"threads\":%d", blocks, threads);
            double us = alone(4, [&] { BY(threads, put_bw)({blocks, threads, stream}, dst, src, part); });
            row("dev_put_bw", keys, bytes_of_bulk / us / 1e3, "GB/s");
            us = alone(4, [&] { BY(threads, get_bw)({blocks, threads, stream}, dst, src, part); });
            row("dev_get_bw", keys, bytes_of_bulk / us / 1e3, "GB/s");
        }
    }
}

// Every PE takes part. Microseconds per barrier, after one launch to warm up.
static void barriers() {
    const int n = steps(300);
    auto together = [&](void (*kernel)(int), int threads) {
        kernel<<<1, threads, 0, stream>>>(n);
        synchronize();
        shmem_barrier_all();
        return time_of([&] { for (int i = 0; i < 3; i++) kernel<<<1, threads, 0, stream>>>(n); }) * 1e3 / 3 / n;
    };
    row("dev_barrier_all", ",\"scope\":\"thread\"", together(barrier_thread, 1), "us");
    row("dev_sync_all", ",\"scope\":\"thread\"", together(sync_thread, 1), "us");
    row("dev_sync_all", ",\"scope\":\"block\"", together(sync_block, 64), "us");
}

// ---- Collectives by one block, and by all blocks

// Element `i` of a PE's source: a whole number small enough that sums are exact.
static float number(int pe, size_t i) { return (float)((i * 31 + pe * 7) % 1000); }

static void check(Kind kind, const float *to, size_t elems) {
    const size_t blocks = kind == FCOLLECT || kind == ALLTOALL ? pes : 1;
    std::vector<float> found(elems * blocks);
    CUDA(cudaMemcpy(found.data(), to, found.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < found.size(); i++) {
        const size_t member = i / elems, of_block = i % elems;
        float expected = number(0, i);
        if (kind == REDUCE) for (int pe = 1; pe < pes; pe++) expected += number(pe, i);
        if (kind == FCOLLECT) expected = number((int)member, of_block);
        if (kind == ALLTOALL) expected = number((int)member, me * elems + of_block);
        if (found[i] != expected) fail(text("collective %d of %zu elements: element %zu is wrong", kind, elems, i));
    }
}

static void collective_row(const char *metric, Kind kind, const std::string &keys, int blocks, int threads, float *to, const float *from, size_t elems) {
    auto launch = [&](int n) {
        if (blocks == 1) BY(threads, collective)({1, threads, stream}, kind, to, from, elems, n);
        else BY(threads, collective_of_grid)({blocks, threads, stream}, kind, to, from, elems, n);
    };
    const int n = smoke ? 2 : blocks == 1 && elems > 4096 ? 3 : 20;
    launch(1);
    synchronize();
    check(kind, to, elems);
    shmem_barrier_all();
    // While this one runs, all PEs enqueue the next ones, so that none of those waits for another PE's CPU.
    launch(n);
    const double ms = time_of([&] { for (int i = 0; i < 3; i++) launch(n); });
    shmem_barrier_all();
    row(metric, keys, ms * 1e3 / 3 / n, "us");
}

static void collectives() {
    // Elements in all blocks of the dest, in collectives of a grid: 64 MiB.
    const size_t of_grid = (smoke ? 8192 : 1 << 24) / pes * pes;
    const size_t most = smoke ? 4096 : 1 << 20, room = std::max(most * pes, of_grid);
    float *to = (float *)shmemx_malloc_gpu(room * sizeof(float)), *from = (float *)shmemx_malloc_gpu(room * sizeof(float));
    if (!to || !from) fail("no memory for collectives");
    std::vector<float> numbers(room);
    for (size_t i = 0; i < room; i++) numbers[i] = number(me, i);
    CUDA(cudaMemcpy(from, numbers.data(), room * sizeof(float), cudaMemcpyHostToDevice));
    shmem_barrier_all();
    for (size_t elems : {1, 256, 4096, 65536, 1 << 20}) {
        for (int threads : {128, 512, 1024}) {
            if (elems > most) continue;
            const std::string keys = text(",\"scope\":\"block\",\"threads\":%d,\"elems\":%zu", threads, elems);
            collective_row("dev_reduce_sum_f32", REDUCE, keys, 1, threads, to, from, elems);
            collective_row("dev_fcollect_f32", FCOLLECT, keys, 1, threads, to, from, elems);
            collective_row("dev_alltoall_f32", ALLTOALL, keys, 1, threads, to, from, elems);
            collective_row("dev_broadcast_f32", BROADCAST, keys, 1, threads, to, from, elems);
        }
    }
    for (int blocks : {32, 64, 128}) {
        const std::string keys = text(",\"scope\":\"grid\",\"ctas\":%d,\"threads\":512,\"total_elems\":%zu", blocks, of_grid);
        collective_row("dev_reduce_sum_f32", REDUCE, keys, blocks, 512, to, from, of_grid);
        collective_row("dev_fcollect_f32", FCOLLECT, keys, blocks, 512, to, from, of_grid / pes);
        collective_row("dev_alltoall_f32", ALLTOALL, keys, blocks, 512, to, from, of_grid / pes);
    }
    shmem_free(from);
    shmem_free(to);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--smoke")) smoke = true;
        else if (!strcmp(argv[i], "--impl") && i + 1 < argc) impl = argv[++i];
        else return fprintf(stderr, "usage: device_bench [--impl NAME] [--smoke]\n"), 2;
    }
    // No kernel is loaded while a measurement runs.
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    shmem_init();
    me = shmem_my_pe(), pes = shmem_n_pes();
    bytes_of_bulk = smoke ? 1 << 22 : 1 << 28;
    dst = (char *)shmemx_malloc_gpu(bytes_of_bulk), src = (char *)shmemx_malloc_gpu(bytes_of_bulk);
    flag = (uint64_t *)shmemx_malloc_gpu(FLAG_BYTES);
    if (!dst || !src || !flag) fail("no GPU memory");
    CUDA(cudaMalloc(&out, sizeof(uint64_t)));
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    clear(dst, bytes_of_bulk);
    clear(src, bytes_of_bulk);
    shmem_barrier_all();
    if (pes >= 2) {
        warm_up();
        pingpongs();
        put_quiet();
        gets();
        words();
        bandwidths();
    }
    barriers();
    collectives();
    CUDA(cudaStreamDestroy(stream));
    CUDA(cudaFree(out));
    shmem_finalize();
    return 0;
}
