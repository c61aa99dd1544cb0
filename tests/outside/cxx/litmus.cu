// Litmus tests of kernels in CUDA C++: they count orders of memory accesses that docs/memory-model.md forbids. The shapes
// are those of tests/litmus, which has them for kernels in Rust. `shmemrun -n 2 ./litmus [TRIES]` prints a line for each
// shape and placement of the words, and fails if a forbidden outcome was found or a wait was in vain. Shapes that end in
// `_unordered` lack an order on purpose: they show whether the machine and the test can produce the outcome.
//
// A wait has a limit, which the API's has not, so a lane looks in a loop. In every second pair of rounds it looks by
// gets, which acquire nothing, until the value is there, and then calls the API's wait, which must acquire.
#include "rig.cuh"

typedef unsigned long long ull;

// Words from one lane's to the next one's, words of the unit in which the L1 cache is filled, and words that a lane
// sends in a test of ranges.
enum { STRIDE = 16, SECTOR = 4, PART = 4 };
enum { TRIES_OF, FORBIDDEN, LATE, OVERLAPPED, REPORT };
enum Order { NO_ORDER, FENCE, QUIET };
enum Flag { BY_P, BY_SET, BY_ADD, BY_INC, BY_ATOMIC_SET };

// What a launch works on. All symmetric words are 0 at the start.
struct Run {
    uint64_t *data, *flag, *told; // symmetric
    uint64_t *source;             // PART words per lane, and one more per lane
    ull *report;
    uint64_t rounds, limit_ns;
    int peer, way;
};

struct Found {
    ull forbidden, late, overlapped;
};

static __device__ size_t lane_of_grid() { return blockIdx.x * (size_t)blockDim.x + threadIdx.x; }
static __device__ uint64_t now_ns() {
    uint64_t ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
    return ns;
}

static __device__ void report(const Run &run, const Found &found) {
    atomicAdd(run.report + TRIES_OF, (ull)run.rounds);
    atomicAdd(run.report + FORBIDDEN, found.forbidden);
    atomicAdd(run.report + LATE, (ull)(found.late != 0));
    atomicAdd(run.report + OVERLAPPED, found.overlapped);
}

// Waits until a word of this PE is at least `value`; whether it came in time.
static __device__ bool wait(const Run &run, uint64_t *word, uint64_t value, bool is_polled) {
    const uint64_t start = now_ns();
    const int me = shmem_my_pe();
    for (unsigned looks = 1;; looks++) {
        if (is_polled ? shmem_uint64_g(word, me) >= value : shmem_uint64_test(word, SHMEM_CMP_GE, value)) break;
        if (looks % 64 == 0 && now_ns() - start > run.limit_ns) return false;
    }
    if (is_polled) shmem_uint64_wait_until(word, SHMEM_CMP_GE, value);
    return true;
}
static __device__ bool is_polled(uint64_t round) { return round / 2 % 2 == 1; }

template <Order O> static __device__ void order() {
    if (O == FENCE) shmem_fence();
    if (O == QUIET) shmem_quiet();
}

template <Flag F> static __device__ void raise(uint64_t *flag, uint64_t round, int pe) {
    if (F == BY_P) shmem_uint64_p(flag, round, pe);
    if (F == BY_SET) shmem_signal_set(flag, round, pe);
    if (F == BY_ADD) shmem_signal_add(flag, 1, pe);
    if (F == BY_INC) shmem_uint64_atomic_inc(flag, pe);
    if (F == BY_ATOMIC_SET) shmem_uint64_atomic_set(flag, round, pe);
}

// ---- Words: each lane has some of its own, and one lane of the peer with which it exchanges them.

// Message passing. Each side sends a word and then a flag, and looks at the word once the flag has come. Forbidden: an
// old word. The look is a plain one, which the L1 cache may serve, and the word's sector is in that cache.
template <Order O, Flag F> static __global__ void message(Run run) {
    uint64_t *const data = run.data + STRIDE * lane_of_grid(), *const flag = run.flag + STRIDE * lane_of_grid();
    Found found = {};
    for (uint64_t round = 1; round <= run.rounds; round++) {
        volatile uint64_t *const word = data + round % 2 * SECTOR;
        shmem_uint64_p((uint64_t *)word, round, run.peer);
        order<O>();
        raise<F>(flag, round, run.peer);
        const uint64_t beside = __ldca((ull *)word + 1);
        if (!wait(run, flag, round, is_polled(round))) {
            found.late = round;
            break;
        }
        // The peer stores the next value when it has heard that this lane has looked.
        found.forbidden += __ldca((ull *)word) != round || beside != 0;
    }
    report(run, found);
}

// Message passing by additions, which leave a number that is at least as high as the round's.
template <Order O> static __global__ void additions(Run run) {
    uint64_t *const data = run.data + STRIDE * lane_of_grid(), *const flag = run.flag + STRIDE * lane_of_grid();
    Found found = {};
    for (uint64_t round = 1; round <= run.rounds; round++) {
        shmem_uint64_atomic_add(data, 1, run.peer);
        order<O>();
        shmem_uint64_atomic_add(flag, 1, run.peer);
        if (!wait(run, flag, round, is_polled(round))) {
            found.late = round;
            break;
        }
        found.forbidden += shmem_uint64_atomic_fetch(data, shmem_my_pe()) < round;
    }
    report(run, found);
}

// Coherence. Each side adds to a word of the other, and loads its own word twice. Forbidden: the later load returns the
// older value. After the last round, each waits for all additions: none may be lost.
static __global__ void coherence(Run run) {
    uint64_t *const data = run.data + STRIDE * lane_of_grid();
    Found found = {};
    for (uint64_t round = 1; round <= run.rounds; round++) {
        shmem_uint64_atomic_fetch_add(data, 1, run.peer);
        const uint64_t first = shmem_uint64_atomic_fetch(data, shmem_my_pe());
        const uint64_t second = shmem_uint64_atomic_fetch(data, shmem_my_pe());
        found.forbidden += second < first;
        found.overlapped += second > first;
    }
    if (!wait(run, data, run.rounds, false)) found.late = run.rounds;
    found.forbidden += shmem_uint64_atomic_fetch(data, shmem_my_pe()) > run.rounds;
    report(run, found);
}

// Store buffering. Each side stores a word and then loads the other's. Forbidden: neither sees the other's word.
// Afterwards they tell each other what they saw. The words lie with who stores them (`way` 0) or who loads them (1).
template <Order O> static __global__ void buffering(Run run) {
    uint64_t *const word = run.data + STRIDE * lane_of_grid();
    const int to = run.way == 0 ? shmem_my_pe() : run.peer, from = run.way == 0 ? run.peer : shmem_my_pe();
    Found found = {};
    for (uint64_t round = 1; round <= run.rounds; round++) {
        shmem_uint64_p(word, round, to);
        order<O>();
        const uint64_t missed = shmem_uint64_g(word, from) < round;
        // The peer may be in the next round, which has another word to tell, but not in the one after that.
        uint64_t *const told = run.told + STRIDE * lane_of_grid() + round % 2;
        shmem_uint64_p(told, 2 * round + missed, run.peer);
        if (!wait(run, told, 2 * round, false)) {
            found.late = round;
            break;
        }
        const uint64_t both = missed + (shmem_signal_fetch(told) & 1);
        found.forbidden += both == 2;
        found.overlapped += both == 0;
    }
    report(run, found);
}

// The same by a block, of which each lane loads a word that another lane of the peer has stored. Forbidden: on both
// sides there is a lane that misses a word.
static __global__ void buffering_block(Run run) {
    const size_t lane = lane_of_grid(), first = lane - threadIdx.x;
    uint64_t *const word = run.data + STRIDE * lane;
    uint64_t *const next = run.data + STRIDE * (first + (threadIdx.x + 1) % blockDim.x);
    const int to = run.way == 0 ? shmem_my_pe() : run.peer, from = run.way == 0 ? run.peer : shmem_my_pe();
    Found found = {};
    for (uint64_t round = 1; round <= run.rounds; round++) {
        shmem_uint64_p(word, round, to);
        shmemx_quiet_block();
        const int missed = __syncthreads_or(shmem_uint64_g(next, from) < round);
        uint64_t *const told = run.told + STRIDE * first + round % 2;
        bool came = true, theirs = false;
        if (threadIdx.x == 0) {
            shmem_uint64_p(told, 2 * round + (missed != 0), run.peer);
            came = wait(run, told, 2 * round, false);
            theirs = shmem_signal_fetch(told) & 1;
        }
        if (__syncthreads_or(!came)) {
            found.late = round;
            break;
        }
        found.forbidden += threadIdx.x == 0 && missed && theirs;
        found.overlapped += threadIdx.x == 0 && !missed && !theirs;
    }
    report(run, found);
}

// ---- Ranges: the lanes of a scope send a range together, and one of them announces it. Forbidden: a word that is not of
// this round. Each lane looks at words that another lane has sent. Rounds alternate between two halves of the data: the
// peer sends to a half again when it has the flag of the round between, and so when this scope has looked.

enum Ranges { PUT_SIGNAL_SET, PUT_SIGNAL_ADD, PUT_FENCE_SIGNAL, PUT_FENCE_PUT, PUT_SIGNAL_UNORDERED };

template <Scope S> static __device__ bool any(bool holds) {
    if (S == THREAD) return holds;
    if (S == BLOCK) return __syncthreads_or(holds);
    __syncwarp();
    return __any_sync(0xffffffffu, holds);
}

template <Scope S, Ranges R> static __global__ void ranges(Run run) {
    const size_t lane = lane_of_grid(), mine = S == THREAD ? 0 : S == WARP ? threadIdx.x % 32 : threadIdx.x;
    const size_t first = lane - mine, size = lanes<S>(), words = PART * size, neighbour = (mine + 1) % size;
    uint64_t *const flag = run.flag + STRIDE * first, *const from = run.source + PART * first;
    // Behind the parts of all lanes comes a word of each.
    uint64_t *const value = run.source + PART * (size_t)gridDim.x * blockDim.x + first;
    Found found = {};
    for (uint64_t round = 1; round <= run.rounds; round++) {
        uint64_t *const to = run.data + 2 * PART * first + round % 2 * words;
        // Lane 0 announces the range, where that is left to any lane, or each in turn.
        const bool announces = mine == (run.way == 0 ? 0 : round % size);
        // The source may change: the last put of the scope has returned.
        for (int i = 0; i < PART; i++) from[PART * mine + i] = round;
        if (mine == 0) *value = round;
        any<S>(false);
        if (R == PUT_SIGNAL_SET) CALL(S, uint64_put_signal, to, from, words, flag, round, SHMEM_SIGNAL_SET, run.peer);
        if (R == PUT_SIGNAL_ADD) CALL(S, uint64_put_signal, to, from, words, flag, 1, SHMEM_SIGNAL_ADD, run.peer);
        if (R == PUT_FENCE_SIGNAL || R == PUT_FENCE_PUT || R == PUT_SIGNAL_UNORDERED) CALL(S, uint64_put, to, from, words, run.peer);
        if (R == PUT_FENCE_SIGNAL || R == PUT_FENCE_PUT) CALL(S, fence, );
        if (R == PUT_FENCE_PUT) CALL(S, uint64_put, flag, value, 1, run.peer);
        if ((R == PUT_FENCE_SIGNAL || R == PUT_SIGNAL_UNORDERED) && announces) shmem_signal_set(flag, round, run.peer);
        const bool came = mine != 0 || wait(run, flag, round, is_polled(round));
        // All lanes of a scope leave together, and see what the one that waited sees.
        if (any<S>(!came)) {
            found.late = round;
            break;
        }
        bool wrong = false;
        for (int i = 0; i < PART; i++) wrong |= __ldca((ull *)to + PART * neighbour + i) != round;
        found.forbidden += wrong;
        // Nobody announces the next round before all have looked.
        any<S>(false);
    }
    report(run, found);
}

// A barrier of the PEs by a block. Forbidden: a lane misses what a lane of the peer has stored before it. Barriers have a
// limit of their own.
static __global__ void barrier(Run run) {
    const size_t next = (threadIdx.x + 1) % blockDim.x;
    Found found = {};
    for (uint64_t round = 1; round <= run.rounds; round++) {
        // Nobody stores to this half again before the next barrier, which comes after the look.
        uint64_t *const half = run.data + round % 2 * SECTOR;
        const uint64_t beside = __ldca((ull *)half + STRIDE * next + 1);
        shmem_uint64_p(half + STRIDE * threadIdx.x, round, run.peer);
        shmemx_barrier_all_block();
        found.forbidden += __ldca((ull *)half + STRIDE * next) != round || beside != 0;
    }
    report(run, found);
}

// ---- The host

enum Heap { GPU, HOST };
static const char *const HEAPS[] = {"gpu", "host"};
enum { SIZE = 128 };
static int blocks_of_all = 4;
static ull tries = 10000000;
static int wrong;

static void *memory(Heap heap, size_t bytes) {
    void *at = heap == GPU ? shmemx_malloc_gpu(bytes) : shmem_malloc(bytes);
    if (!at) {
        printf("PE %d: no memory\n", shmem_my_pe());
        shmem_global_exit(1);
    }
    if (heap == GPU) cudaMemset(at, 0, bytes);
    else memset(at, 0, bytes);
    return at;
}

// `part` is the part of the tries that a slow shape makes; `blocks` is 0 for the usual number.
static void trial(const char *name, void (*kernel)(Run), Heap data, Heap flag, int way = 0, int part = 1, int blocks = 0) {
    const int me = shmem_my_pe();
    const bool is_unordered = strstr(name, "_unordered") != nullptr;
    blocks = blocks ? blocks : blocks_of_all;
    const size_t lanes = (size_t)blocks * SIZE;
    Run run = {};
    run.data = (uint64_t *)memory(data, STRIDE * lanes * sizeof(uint64_t));
    run.flag = (uint64_t *)memory(flag, STRIDE * lanes * sizeof(uint64_t));
    run.told = (uint64_t *)memory(flag, STRIDE * lanes * sizeof(uint64_t));
    cudaMalloc(&run.source, (PART + 1) * lanes * sizeof(uint64_t));
    cudaMalloc(&run.report, REPORT * sizeof(ull));
    cudaMemset(run.report, 0, REPORT * sizeof(ull));
    cudaDeviceSynchronize();
    run.rounds = tries / part / (2 * lanes);
    if (run.rounds < 4) run.rounds = 4;
    run.limit_ns = 10000000000;
    run.peer = 1 - me;
    run.way = way;
    shmem_barrier_all();
    kernel<<<blocks, SIZE>>>(run);
    cudaError_t launched = cudaGetLastError(), ended = cudaDeviceSynchronize();
    if (launched != cudaSuccess) ended = launched;
    static ull *mine, *sums;
    if (!mine) mine = (ull *)shmem_malloc(REPORT * sizeof(ull)), sums = (ull *)shmem_malloc(REPORT * sizeof(ull));
    cudaMemcpy(mine, run.report, REPORT * sizeof(ull), cudaMemcpyDeviceToHost);
    if (ended != cudaSuccess) {
        printf("PE %d: %s: %s\n", me, name, cudaGetErrorString(ended));
        shmem_global_exit(1);
    }
    shmem_barrier_all();
    shmem_ulonglong_sum_reduce(SHMEM_TEAM_WORLD, sums, mine, REPORT);
    shmem_barrier_all();
    const bool bad = sums[LATE] || (sums[FORBIDDEN] && !is_unordered);
    wrong += bad;
    if (me == 0) {
        printf("litmus: %s, data %s, flag %s, way %d: %llu tries, %llu forbidden, %llu overlapped%s%s\n", name, HEAPS[data],
               HEAPS[flag], way, sums[TRIES_OF], sums[FORBIDDEN], sums[OVERLAPPED], sums[LATE] ? ", LATE" : "",
               bad ? " WRONG" : is_unordered ? " (unordered)" : "");
        fflush(stdout);
    }
    cudaFree(run.report);
    cudaFree(run.source);
    shmem_free(run.told);
    shmem_free(run.flag);
    shmem_free(run.data);
}
#define TRIAL(name, kernel, ...) trial(name, kernel, data, flag, ##__VA_ARGS__)

int main(int argc, char **argv) {
    // A kernel that is loaded while another one waits for it would be late.
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    shmem_init();
    if (shmem_n_pes() != 2) {
        if (shmem_my_pe() == 0) printf("usage: shmemrun -n 2 ./litmus [TRIES]\n");
        shmem_finalize();
        return 2;
    }
    if (argc > 1) tries = strtoull(argv[1], nullptr, 10);
    for (Heap data : {GPU, HOST}) {
        for (Heap flag : {GPU, HOST}) {
            // The CPU carries out atomic operations on host memory, which takes long.
            const int by_cpu = flag == HOST ? 100 : 1, any_by_cpu = data == HOST || flag == HOST ? 100 : 1;
            TRIAL("message_fence", (message<FENCE, BY_P>));
            TRIAL("message_quiet", (message<QUIET, BY_P>));
            TRIAL("message_fence_signal_set", (message<FENCE, BY_SET>));
            TRIAL("message_fence_signal_add", (message<FENCE, BY_ADD>), 0, by_cpu);
            TRIAL("message_fence_atomic_inc", (message<FENCE, BY_INC>), 0, by_cpu);
            TRIAL("message_fence_atomic_set", (message<FENCE, BY_ATOMIC_SET>));
            TRIAL("message_unordered", (message<NO_ORDER, BY_P>));
            TRIAL("atomics_fence", additions<FENCE>, 0, any_by_cpu);
            TRIAL("atomics_unordered", additions<NO_ORDER>, 0, any_by_cpu);
            TRIAL("put_signal_thread", (ranges<THREAD, PUT_SIGNAL_SET>));
            TRIAL("put_signal_warp", (ranges<WARP, PUT_SIGNAL_SET>));
            TRIAL("put_signal_block", (ranges<BLOCK, PUT_SIGNAL_SET>));
            TRIAL("put_signal_add_block", (ranges<BLOCK, PUT_SIGNAL_ADD>), 0, by_cpu);
            TRIAL("put_fence_signal_warp", (ranges<WARP, PUT_FENCE_SIGNAL>), 0);
            TRIAL("put_fence_signal_warp", (ranges<WARP, PUT_FENCE_SIGNAL>), 1);
            TRIAL("put_fence_signal_block", (ranges<BLOCK, PUT_FENCE_SIGNAL>), 0);
            TRIAL("put_fence_signal_block", (ranges<BLOCK, PUT_FENCE_SIGNAL>), 1);
            TRIAL("put_fence_put_thread", (ranges<THREAD, PUT_FENCE_PUT>));
            TRIAL("put_fence_put_block", (ranges<BLOCK, PUT_FENCE_PUT>));
            TRIAL("put_signal_unordered", (ranges<BLOCK, PUT_SIGNAL_UNORDERED>));
        }
        const Heap flag = data;
        const int by_cpu = data == HOST ? 100 : 1;
        TRIAL("atomics_coherence", coherence, 0, by_cpu);
        for (int way : {0, 1}) {
            TRIAL("buffering_quiet", buffering<QUIET>, way);
            TRIAL("buffering_quiet_block", buffering_block, way);
            TRIAL("buffering_unordered", buffering<NO_ORDER>, way);
        }
        TRIAL("barrier_block", barrier, 0, 1, 1);
    }
    if (shmem_my_pe() == 0) printf("litmus: %d shapes are wrong\n", wrong);
    shmem_finalize();
    return wrong != 0;
}
