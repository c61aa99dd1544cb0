// Rows of different numbers go from every PE to every other one, as tokens go to experts: a block for each receiver puts
// the rows and their number, and counts them with a signal. It is written with NVSHMEM's names, and compiles against
// NVSHMEM and against cushmem:
//
//   nvcc -rdc=true -arch=sm_90 -O3 -I$NVSHMEM_HOME/include -o alltoall alltoall.cu \
//       -L$NVSHMEM_HOME/lib -lnvshmem_host -lnvshmem_device -lcuda
//   LD_LIBRARY_PATH=$NVSHMEM_HOME/lib ./alltoall PES [ROWS [ROUNDS]]
//
// It runs on one machine; PE i uses GPU i. Every row is checked.

#include <nvshmem.h>
#include <nvshmemx.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

#define CHECK(call)                                                                        \
    do {                                                                                   \
        cudaError_t error = (call);                                                        \
        if (error != cudaSuccess) {                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                       \
        }                                                                                  \
    } while (0)

constexpr int LANES = 512;
constexpr size_t ROW = 1024;  // words

// How many rows a PE sends to another one in a round.
__host__ __device__ size_t rows_of(int from, int to, int round, size_t most) { return (from * 7 + to * 3 + round * 5) % (most + 1); }
__host__ __device__ uint32_t word_of(int from, int to, int round, size_t number) {
    return (uint32_t)(((from * 31 + to) * 31 + round) * 1000003 + number);
}

// A place for `most` rows from each PE, the number of rows that came from each, and signals: one from each PE that its
// rows have come, and one that it has read those that it got.
struct Inbox {
    uint32_t *rows;
    uint64_t *counts, *arrived, *read;
};

// Block i sends to PE i, and receives from PE i. Rounds count from 1.
__global__ void exchange(Inbox inbox, uint32_t *outbox, uint64_t *sizes, uint64_t *wrong, size_t most, int round) {
    int me = nvshmem_my_pe(), peer = blockIdx.x;
    uint32_t *own = outbox + peer * most * ROW;
    size_t rows = rows_of(me, peer, round, most);
    for (size_t i = threadIdx.x; i < rows * ROW; i += blockDim.x) own[i] = word_of(me, peer, round, i);
    if (threadIdx.x == 0) {
        sizes[peer] = rows;
        // The peer must have read what it got in the last round.
        nvshmem_signal_wait_until(inbox.read + peer, NVSHMEM_CMP_GE, round - 1);
    }
    __syncthreads();
    nvshmemx_uint64_put_nbi_block(inbox.counts + me, sizes + peer, 1, peer);
    if (threadIdx.x == 0) nvshmem_fence();
    __syncthreads();
    nvshmemx_putmem_signal_nbi_block(inbox.rows + me * most * ROW, own, rows * ROW * sizeof(uint32_t), inbox.arrived + me, 1,
                                     NVSHMEM_SIGNAL_ADD, peer);
    if (threadIdx.x == 0) nvshmem_signal_wait_until(inbox.arrived + peer, NVSHMEM_CMP_GE, round);
    __syncthreads();
    size_t got = inbox.counts[peer];
    unsigned long long differ = threadIdx.x == 0 && got != rows_of(peer, me, round, most);
    const uint32_t *from = inbox.rows + peer * most * ROW;
    for (size_t i = threadIdx.x; i < got * ROW; i += blockDim.x) differ += from[i] != word_of(peer, me, round, i);
    if (differ) atomicAdd((unsigned long long *)wrong, differ);
    __syncthreads();
    if (threadIdx.x == 0) nvshmemx_signal_op(inbox.read + me, 1, NVSHMEM_SIGNAL_ADD, peer);
    // The outbox is written again in the next round.
    nvshmem_quiet();
}

struct Shared {
    std::atomic<int> is_ready;
    nvshmemx_uniqueid_t id;
};

static int pe(Shared *shared, int me, int pes, size_t most, int rounds) {
    nvshmemx_init_attr_t attr = NVSHMEMX_INIT_ATTR_INITIALIZER;
    if (me == 0) {
        shared->id = NVSHMEMX_UNIQUEID_INITIALIZER;
        if (nvshmemx_get_uniqueid(&shared->id) != 0) return 1;
        shared->is_ready = 1;
    }
    while (!shared->is_ready) sched_yield();
    CHECK(cudaSetDevice(me));
    nvshmemx_set_attr_uniqueid_args(me, pes, &shared->id, &attr);
    if (nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attr) != 0) return 1;

    size_t room = pes * most * ROW * sizeof(uint32_t);
    Inbox inbox = {(uint32_t *)nvshmem_malloc(room), (uint64_t *)nvshmem_calloc(pes, sizeof(uint64_t)),
                   (uint64_t *)nvshmem_calloc(pes, sizeof(uint64_t)), (uint64_t *)nvshmem_calloc(pes, sizeof(uint64_t))};
    uint32_t *outbox = (uint32_t *)nvshmem_malloc(room);
    uint64_t *sizes = (uint64_t *)nvshmem_calloc(pes, sizeof(uint64_t)), *wrong, differ;
    CHECK(cudaMalloc(&wrong, sizeof *wrong));
    CHECK(cudaMemset(wrong, 0, sizeof *wrong));
    cudaStream_t stream;
    cudaEvent_t start, end;
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&end));
    nvshmemx_barrier_all_on_stream(stream);
    CHECK(cudaEventRecord(start, stream));
    for (int round = 1; round <= rounds; round++) {
        void *args[] = {&inbox, &outbox, &sizes, &wrong, &most, &round};
        if (nvshmemx_collective_launch((const void *)exchange, pes, LANES, args, 0, stream) != 0) return 1;
    }
    CHECK(cudaEventRecord(end, stream));
    CHECK(cudaStreamSynchronize(stream));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, start, end));
    CHECK(cudaMemcpy(&differ, wrong, sizeof differ, cudaMemcpyDeviceToHost));
    if (me == 0) printf("%s: %d PEs, %d rounds, %.1f us each\n", NVSHMEM_VENDOR_STRING, pes, rounds, 1000 * ms / rounds);
    if (differ) fprintf(stderr, "PE %d: %lu words are wrong\n", me, (unsigned long)differ);
    nvshmem_barrier_all();
    for (void *object : {(void *)inbox.rows, (void *)inbox.counts, (void *)inbox.arrived, (void *)inbox.read, (void *)outbox, (void *)sizes})
        nvshmem_free(object);
    nvshmem_finalize();
    return differ != 0;
}

int main(int argc, char **argv) {
    int pes = argc > 1 ? atoi(argv[1]) : 2, rounds = argc > 3 ? atoi(argv[3]) : 100, failed = 0, status;
    size_t most = argc > 2 ? strtoul(argv[2], NULL, 10) : 64;
    void *memory = mmap(NULL, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return 1;
    Shared *shared = new (memory) Shared{};
    for (int me = 0; me < pes; me++) {
        if (fork() == 0) exit(pe(shared, me, pes, most, rounds));
    }
    while (wait(&status) > 0) failed |= !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    return failed;
}
