// The solver of apps/jacobi written with NVSHMEM, for comparison: the same grid, start values, kernels, order of halos
// and norms, and the same checksum. It runs on one machine; PE i uses GPU i.
//
//   nvcc -rdc=true -arch=sm_90 -O3 -I$NVSHMEM/include -o jacobi-nvshmem jacobi.cu \
//       -L$NVSHMEM/lib -lnvshmem_host -lnvshmem_device -lcuda
//   LD_LIBRARY_PATH=$NVSHMEM/lib NVSHMEM_DISABLE_NVLS=1 ./jacobi-nvshmem PES [SIZE [ITERATIONS [EVERY]]]
//
// NVSHMEM has no reduction by a grid, so in mode `device` block 0 reduces while the others wait in grid.sync(), and the
// CPU has no put with signal, so in mode `host` it calls barrier_all.

#include <cooperative_groups.h>
#include <nvshmem.h>
#include <nvshmemx.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                          \
    do {                                                                                     \
        cudaError_t error = (call);                                                          \
        if (error != cudaSuccess) {                                                          \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));   \
            exit(1);                                                                         \
        }                                                                                    \
    } while (0)

constexpr int LANES = 256, WIDE = 4, TALL = 4, LINE = 32, NOBODY = -1, ABOVE = 0, BELOW = 1;

// A PE's part: rows 1 to `rows`, with halos or the border around them. Column 1 starts a line of the cache.
struct Part {
    int rows, cols, above, below, rows_above, most_rows;

    __host__ __device__ size_t pitch() const { return (size_t)(LINE + cols + 1 + LINE - 1) / LINE * LINE; }
    __host__ __device__ size_t at(int row, int col) const { return row * pitch() + LINE - 1 + col; }
    __host__ __device__ size_t elements() const { return (most_rows + 2) * pitch(); }
};

// The row beside a neighbour, the neighbour's halo for it, and the signals that count halos.
struct Edge {
    int row, neighbour, halo, own_signal, their_signal;
};

__host__ __device__ Edge edge_of(const Part &part, int number) {
    if (number == 0) return {1, part.above, part.rows_above + 1, ABOVE, BELOW};
    if (number == 1) return {part.rows, part.below, 0, BELOW, ABOVE};
    return {0, NOBODY, 0, 0, 0};
}

__host__ __device__ float updated(float west, float east, float north, float south) {
    return 0.25f * ((west + east) + (north + south));
}

__host__ __device__ int tiles_of(int rows, int cols) {
    return (rows + TALL - 1) / TALL * ((cols + WIDE * LANES - 1) / (WIDE * LANES));
}

template <int N>
__device__ float many(const float *from, float *to, size_t pitch) {
    auto cells = [](const float *first) { return *reinterpret_cast<const float4 *>(first); };
    float4 north = cells(from - pitch), here = cells(from), south[N];
    float west[N], east[N], change = 0;
#pragma unroll
    for (int i = 0; i < N; i++) south[i] = cells(from + (i + 1) * pitch);
#pragma unroll
    for (int i = 0; i < N; i++) west[i] = from[i * pitch - 1], east[i] = from[i * pitch + WIDE];
#pragma unroll
    for (int i = 0; i < N; i++) {
        float4 next = {updated(west[i], here.y, north.x, south[i].x), updated(here.x, here.z, north.y, south[i].y),
                       updated(here.y, here.w, north.z, south[i].z), updated(here.z, east[i], north.w, south[i].w)};
        *reinterpret_cast<float4 *>(to + i * pitch) = next;
        change = fmaxf(change, fmaxf(fmaxf(fabsf(next.x - here.x), fabsf(next.y - here.y)),
                                     fmaxf(fabsf(next.z - here.z), fabsf(next.w - here.w))));
        north = here, here = south[i];
    }
    return change;
}

// Updates rows first to end - 1: the tiles with number share, share + shares and so on.
__device__ float update_rows(const float *from, float *to, const Part &part, int first, int end, int share, int shares) {
    const size_t pitch = part.pitch();
    const int across = (part.cols + WIDE * LANES - 1) / (WIDE * LANES), tiles = tiles_of(end - first, part.cols);
    float change = 0;
    for (int tile = share; tile < tiles; tile += shares) {
        const int col = 1 + (tile % across * LANES + (int)threadIdx.x) * WIDE, left = part.cols + 1 - col;
        int row = first + tile / across * TALL;
        for (const int below = min(end, row + TALL); row < below;) {
            const float *in = from + part.at(row, col);
            float *out = to + part.at(row, col);
            if (left >= WIDE && below - row == TALL) {
                change = fmaxf(change, many<TALL>(in, out, pitch));
                row += TALL;
            } else if (left >= WIDE) {
                change = fmaxf(change, many<1>(in, out, pitch));
                row++;
            } else {
                for (int i = 0; i < left; i++) {
                    const float next = updated(in[i - 1], in[i + 1], *(in + i - pitch), in[i + pitch]);
                    out[i] = next;
                    change = fmaxf(change, fabsf(next - in[i]));
                }
                row++;
            }
        }
    }
    return change;
}

// Raises the word to the largest change of the block. Numbers that are not negative have the order of their bits.
__device__ void raise(uint32_t *norm, float change) {
    __shared__ uint32_t largest;
    if (threadIdx.x == 0) largest = 0;
    __syncthreads();
    const uint32_t of_warp = __reduce_max_sync(~0u, __float_as_uint(change));
    if (threadIdx.x % 32 == 0) atomicMax(&largest, of_warp);
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(norm, largest);
}

__global__ void __launch_bounds__(LANES) update(const float *from, float *to, Part part, uint32_t *norm) {
    const float change = update_rows(from, to, part, 1, part.rows + 1, blockIdx.x, gridDim.x);
    if (norm) raise(norm, change);
}

// All iterations. Blocks 0 and 1 update and put the first and the last row, the others update the rows between.
__global__ void __launch_bounds__(LANES)
    solve(float *grids, Part part, int iterations, int every, uint64_t *signals, uint32_t *norms) {
    cg::grid_group grid = cg::this_grid();
    const int block = blockIdx.x;
    const Edge edge = edge_of(part, block);
    for (int k = 0; k < iterations;) {
        const float *from = grids + k % 2 * part.elements();
        float *to = grids + (k + 1) % 2 * part.elements();
        if (edge.neighbour != NOBODY) {
            if (threadIdx.x == 0) nvshmem_signal_wait_until(signals + edge.own_signal, NVSHMEM_CMP_GE, k);
            __syncthreads();
        }
        const float change = block < 2 ? update_rows(from, to, part, edge.row, edge.row + 1, 0, 1)
                                       : update_rows(from, to, part, 2, part.rows, block - 2, gridDim.x - 2);
        k++;
        if (edge.neighbour != NOBODY) {
            __syncthreads();
            nvshmemx_putmem_signal_block(to + part.at(edge.halo, 1), to + part.at(edge.row, 1),
                                         part.cols * sizeof(float), signals + edge.their_signal, k, NVSHMEM_SIGNAL_SET,
                                         edge.neighbour);
        }
        if (k % every == 0) {
            uint32_t *norm = norms + k / every - 1;
            raise(norm, change);
            grid.sync();
            if (block == 0) nvshmemx_uint32_max_reduce_block(NVSHMEM_TEAM_WORLD, norm, norm, 1);
            grid.sync();
            // A norm of 0 ends the run: no cell has changed.
            if (*(volatile uint32_t *)norm == 0) break;
        } else {
            grid.sync();
        }
    }
}

static uint64_t mixed(uint64_t number) {
    uint64_t x = number + 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

static float start_value(int size, uint64_t row, uint64_t col) {
    const bool is_inside = row >= 1 && row <= (uint64_t)size && col >= 1 && col <= (uint64_t)size;
    if (is_inside) return (float)(mixed(row << 32 | col) >> 40) / (1 << 24);
    return row == 0 ? 1.0f : 0.0f;
}

static uint64_t term(uint64_t row, uint64_t col, float cell) {
    uint32_t bits;
    memcpy(&bits, &cell, sizeof bits);
    return mixed(mixed(row << 32 | col) ^ bits);
}

// The processes that a machine may have here, and how long they wait for PE 0.
constexpr int MOST_PES = 64, LIMIT_S = 60;

// The number of GPUs, or -1. A child counts them, because a process that has started CUDA must not fork.
static int gpus_of_machine() {
    const pid_t child = fork();
    if (child == 0) {
        int gpus = 0;
        _exit(cudaGetDeviceCount(&gpus) == cudaSuccess ? std::min(gpus, MOST_PES) : 0);
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

int main(int count, char **words) {
    auto word = [&](int i, int otherwise) { return count > i ? atoi(words[i]) : otherwise; };
    const int pes = word(1, 2), size = word(2, 1024), iterations = word(3, 1000), every = word(4, 1);
    if (pes < 1 || size < 2 * pes || iterations < 1 || every < 1) {
        fprintf(stderr, "usage: jacobi-nvshmem PES [SIZE [ITERATIONS [EVERY]]], with two rows for each PE\n");
        return 2;
    }
    const int gpus = gpus_of_machine();
    if (pes > gpus) {
        fprintf(stderr, "%d PEs need a GPU each, and this machine has %d that can be used here\n", pes, std::max(gpus, 0));
        return 2;
    }
    // What the processes share: the unique id, times and checksums.
    struct Shared {
        std::atomic<int> ready;
        nvshmemx_uniqueid_t id;
        double us[MOST_PES];
        uint64_t sums[MOST_PES];
    };
    auto *shared = (Shared *)mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    // A process that fails ends the others: PE 0 by the signal that it gets when a child ends, and its children with it.
    const pid_t parent = getpid();
    struct sigaction ended = {};
    ended.sa_sigaction = [](int, siginfo_t *child, void *) {
        if (child->si_code != CLD_EXITED || child->si_status != 0) {
            const char text[] = "a PE has failed\n";
            (void)!write(2, text, sizeof text - 1);
            _exit(1);
        }
    };
    ended.sa_flags = SA_SIGINFO | SA_RESTART | SA_NOCLDSTOP;
    if (sigaction(SIGCHLD, &ended, nullptr) != 0) {
        perror("sigaction");
        return 1;
    }
    int me = 0;
    for (int pe = 1; pe < pes && me == 0; pe++) {
        const pid_t child = fork();
        if (child < 0) {
            perror("fork");
            return 1;
        }
        if (child == 0) {
            me = pe;
            signal(SIGCHLD, SIG_DFL);
            // If PE 0 has ended before this call, nobody sends the signal.
            if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) return 1;
        }
    }
    CHECK(cudaSetDevice(me));
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    if (me == 0) {
        nvshmemx_get_uniqueid(&id);
        memcpy(&shared->id, &id, sizeof id);
        shared->ready = 1;
    } else {
        const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(LIMIT_S);
        while (!shared->ready) {
            if (std::chrono::steady_clock::now() > end) {
                fprintf(stderr, "PE %d: PE 0 has not started NVSHMEM within %d s\n", me, LIMIT_S);
                return 1;
            }
            usleep(100);
        }
        memcpy(&id, &shared->id, sizeof id);
    }
    nvshmemx_init_attr_t attributes = NVSHMEMX_INIT_ATTR_INITIALIZER;
    nvshmemx_set_attr_uniqueid_args(me, pes, &id, &attributes);
    if (nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attributes) != 0) return 1;

    auto first_row = [&](int pe) { return (int)((int64_t)size * pe / pes) + 1; };
    auto rows_of = [&](int pe) { return first_row(pe + 1) - first_row(pe); };
    const Part part = {rows_of(me),
                       size,
                       me == 0 ? NOBODY : me - 1,
                       me + 1 == pes ? NOBODY : me + 1,
                       me == 0 ? 0 : rows_of(me - 1),
                       (size + pes - 1) / pes};
    const size_t elements = part.elements(), words_of_norms = std::max(iterations / every, 1);
    auto *grids = (float *)nvshmem_malloc(2 * elements * sizeof(float));
    auto *norms = (uint32_t *)nvshmem_malloc(words_of_norms * sizeof(uint32_t));
    auto *signals = (uint64_t *)nvshmem_malloc(2 * sizeof(uint64_t));
    std::vector<float> start(elements), cells(elements);
    for (int row = 0; row < part.rows + 2; row++)
        for (int col = 0; col < size + 2; col++)
            start[part.at(row, col)] = start_value(size, first_row(me) - 1 + row, col);
    cudaStream_t stream;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    auto grid = [&](int k) { return grids + k % 2 * elements; };
    auto norm_after = [&](int k) { return k % every == 0 ? norms + k / every - 1 : nullptr; };
    const int update_blocks = tiles_of(part.most_rows, size);
    // As many blocks as fit, the same number on all PEs.
    int resident = 0;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, solve, LANES, 0));
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, me));
    const int solve_blocks = std::min(resident * properties.multiProcessorCount, 2 + update_blocks);

    auto by_host = [&] {
        for (int k = 1; k <= iterations; k++) {
            update<<<update_blocks, LANES, 0, stream>>>(grid(k - 1), grid(k), part, norm_after(k));
            CHECK(cudaStreamSynchronize(stream));
            for (int number = 0; number < 2; number++) {
                const Edge edge = edge_of(part, number);
                if (edge.neighbour == NOBODY) continue;
                nvshmem_float_put_nbi(grid(k) + part.at(edge.halo, 1), grid(k) + part.at(edge.row, 1), size,
                                      edge.neighbour);
            }
            nvshmem_barrier_all();
            if (uint32_t *norm = norm_after(k)) {
                nvshmem_uint32_max_reduce(NVSHMEM_TEAM_WORLD, norm, norm, 1);
                uint32_t bits;
                CHECK(cudaMemcpy(&bits, norm, sizeof bits, cudaMemcpyDeviceToHost));
                if (bits == 0) break;
            }
        }
    };
    auto by_stream = [&] {
        for (int k = 1; k <= iterations; k++) {
            update<<<update_blocks, LANES, 0, stream>>>(grid(k - 1), grid(k), part, norm_after(k));
            for (int number = 0; number < 2; number++) {
                const Edge edge = edge_of(part, number);
                if (edge.neighbour == NOBODY) continue;
                nvshmemx_putmem_signal_on_stream(grid(k) + part.at(edge.halo, 1), grid(k) + part.at(edge.row, 1),
                                                 size * sizeof(float), signals + edge.their_signal, k,
                                                 NVSHMEM_SIGNAL_SET, edge.neighbour, stream);
            }
            for (int number = 0; number < 2; number++) {
                const Edge edge = edge_of(part, number);
                if (edge.neighbour == NOBODY) continue;
                nvshmemx_signal_wait_until_on_stream(signals + edge.own_signal, NVSHMEM_CMP_GE, k, stream);
            }
            if (uint32_t *norm = norm_after(k))
                nvshmemx_uint32_max_reduce_on_stream(NVSHMEM_TEAM_WORLD, norm, norm, 1, stream);
        }
        CHECK(cudaStreamSynchronize(stream));
    };
    auto by_one_kernel = [&] {
        void *arguments[] = {(void *)&grids, (void *)&part, (void *)&iterations, (void *)&every, (void *)&signals,
                             (void *)&norms};
        if (nvshmemx_collective_launch((const void *)solve, solve_blocks, LANES, arguments, 0, stream) != 0) {
            fprintf(stderr, "PE %d: the kernel does not start\n", me);
            exit(1);
        }
        CHECK(cudaStreamSynchronize(stream));
    };

    if (me == 0) printf("NVSHMEM %s, %d PEs, %s\nmode      µs/iteration      GB/s  checksum\n", NVSHMEM_VENDOR_STRING,
                        pes, properties.name);
    auto measure = [&](const char *mode, auto run) {
        // The first run loads everything, and lets the GPU raise its clocks.
        for (int timed = 0; timed < 2; timed++) {
            for (int k = 0; k < 2; k++)
                CHECK(cudaMemcpy(grid(k), start.data(), elements * sizeof(float), cudaMemcpyHostToDevice));
            CHECK(cudaMemset(norms, 0, words_of_norms * sizeof(uint32_t)));
            CHECK(cudaMemset(signals, 0, 2 * sizeof(uint64_t)));
            CHECK(cudaDeviceSynchronize());
            nvshmem_barrier_all();
            const auto begin = std::chrono::steady_clock::now();
            run();
            const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
            nvshmem_barrier_all();
            shared->us[me] = time.count() / iterations;
        }
        CHECK(cudaMemcpy(cells.data(), grid(iterations), elements * sizeof(float), cudaMemcpyDeviceToHost));
        uint64_t sum = 0;
        for (int row = 1; row <= part.rows; row++)
            for (int col = 1; col <= size; col++)
                sum += term(first_row(me) - 1 + row, col - 1, cells[part.at(row, col)]);
        if (me == 0) {
            std::vector<float> all(words_of_norms);
            CHECK(cudaMemcpy(all.data(), norms, words_of_norms * sizeof(float), cudaMemcpyDeviceToHost));
            for (int i = 0; i < iterations / every; i++) sum += term(0, i, all[i]);
        }
        shared->sums[me] = sum;
        nvshmem_barrier_all();
        if (me == 0) {
            const double us = *std::max_element(shared->us, shared->us + pes);
            uint64_t whole = 0;
            for (int pe = 0; pe < pes; pe++) whole += shared->sums[pe];
            printf("%-8s%14.2f%10.1f  %016llx\n", mode, us, 8.0 * size * size / us / 1e3, (unsigned long long)whole);
            fflush(stdout);
        }
        nvshmem_barrier_all();
    };
    measure("host", by_host);
    measure("stream", by_stream);
    measure("device", by_one_kernel);
    nvshmem_free(grids);
    nvshmem_free(norms);
    nvshmem_free(signals);
    nvshmem_finalize();
    if (me != 0) return 0;
    int failed = 0, status;
    while (wait(&status) > 0) failed += !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return failed == 0 ? 0 : 1;
}
