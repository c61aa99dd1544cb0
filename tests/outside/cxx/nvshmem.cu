// A program with NVSHMEM's names, for two PEs or more. It checks every value. Started by shmemrun, or as
// `nvshmem FILE RANK PES`, where rank 0 passes a unique id on in the file.

#include "nvshmem_rig.cuh"
#include <nvshmem.h>
#include <nvshmemx.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int ELEMENTS = 5000;

// The right neighbour's inbox gets the outbox; then this PE waits for the left one's.
__global__ void ring(int *inbox, const int *outbox, uint64_t *arrived, int *words, half *halves) {
    int pes = nvshmem_n_pes(), own = nvshmem_my_pe(), right = (own + 1) % pes;
    nvshmemx_int_put_signal_nbi_block(inbox, outbox, ELEMENTS, arrived, 1, NVSHMEM_SIGNAL_ADD, right);
    if (threadIdx.x == 0) {
        nvshmem_signal_wait_until(arrived, NVSHMEM_CMP_GE, 1);
        nvshmem_int_p(words, 100 + own, right);
        nvshmem_int_atomic_fetch_add(words + 1, own + 1, 0);
        nvshmem_half_p(halves, __float2half(own + 0.5f), right);
        nvshmemx_signal_op(arrived + 1, 7, NVSHMEM_SIGNAL_SET, right);
        nvshmem_signal_wait_until(arrived + 1, NVSHMEM_CMP_EQ, 7);
        words[3] = nvshmem_ptr(words, right) != NULL && nvshmemx_mc_ptr(NVSHMEM_TEAM_WORLD, words) == NULL;
    }
    nvshmemx_barrier_all_block();
    if (threadIdx.x == 0) {
        words[2] = nvshmem_int_g(words + 1, 0);
        halves[1] = nvshmem_half_g(halves, right);
    }
}

// The PEs with this PE's place on their nodes.
__global__ void places(long *to, const long *from, long expected, int *wrong) {
    const nvshmem_team_t across = NVSHMEMX_TEAM_SAME_MYPE_NODE;
    int on_node = nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE), members = nvshmem_n_pes() / on_node;
    nvshmemx_long_sum_reduce_block(across, to, from, 1);
    if (threadIdx.x > 0) return;
    *wrong += nvshmem_team_n_pes(across) != members || nvshmem_team_my_pe(across) != nvshmem_my_pe() / on_node;
    for (int i = 0; i < members; i++)
        *wrong += nvshmem_team_translate_pe(across, i, NVSHMEM_TEAM_WORLD) != i * on_node + nvshmem_my_pe() % on_node;
    *wrong += *(volatile long *)to != expected;
}

// What programs do with memory that is not symmetric, on this PE, and what kernels are told about the library.
__global__ void alone(int *words, half *halves, char *name) {
    int own = nvshmem_my_pe(), major = 0, minor = 0, patch = 0;
    nvshmem_int_p(words, 50 + own, own);
    words[1] = nvshmem_int_g(words, own) + 1;
    __shared__ int shared;
    int stack;
    nvshmem_int_p(&shared, 60 + own, own);
    nvshmem_int_p(&stack, 70 + own, own);
    words[6] = nvshmem_int_g(&shared, own) == 60 + own && nvshmem_int_g(&stack, own) == 70 + own;
    nvshmem_half_p(halves, __float2half(own + 0.25f), own);
    halves[1] = nvshmem_half_g(halves, own);
    nvshmem_info_get_version(&major, &minor);
    words[2] = major == NVSHMEM_MAJOR_VERSION && minor == NVSHMEM_MINOR_VERSION;
    nvshmemx_vendor_get_version_info(&major, &minor, &patch);
    words[3] = major == NVSHMEM_VENDOR_MAJOR_VERSION && minor == NVSHMEM_VENDOR_MINOR_VERSION && patch == NVSHMEM_VENDOR_PATCH_VERSION;
    nvshmem_info_get_name(name);
    words[4] = nvshmemx_ask_smem(NVSHMEMX_SMEM_RECOMMENDED);
    words[5] = nvshmem_ptr(words, own) == NULL;
    // Names of other headers, which programs use without including these.
    cg::this_thread_block().sync();
    cuda::atomic_ref<int, cuda::thread_scope_system>(words[5]).store(words[5], cuda::memory_order_relaxed);
    assert(words[5] == 1);
}

// All blocks of all PEs meet: the grid must be resident as a whole.
__global__ void meet(unsigned *count, int *words) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        // Limited, in case the grid is not resident.
        for (long i = 0; i < 1L << 24 && *(volatile unsigned *)count < gridDim.x; i++) __nanosleep(100);
        if (blockIdx.x == 0) {
            words[4] = *(volatile unsigned *)count == gridDim.x;
            nvshmem_barrier_all();
        }
    }
}

template <class T>
static std::vector<T> read(const T *from, size_t elements) {
    std::vector<T> to(elements);
    CUDA(cudaMemcpy(to.data(), from, elements * sizeof(T), cudaMemcpyDeviceToHost));
    return to;
}

template <class T>
static void write(T *to, const std::vector<T> &from) {
    CUDA(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
    // From pageable memory, the copy may return before it has arrived, and streams that do not block overtake it.
    CUDA(cudaDeviceSynchronize());
}

static void join(int argc, char **argv) {
    CHECK(nvshmemx_init_status() == NVSHMEM_STATUS_NOT_INITIALIZED);
    if (argc < 4) return nvshmem_init();
    // As programs do it: the attributes are not initialised.
    nvshmemx_init_attr_t attr;
    memset(&attr, 0xff, sizeof attr);
    nvshmemx_uniqueid_t id = NVSHMEMX_UNIQUEID_INITIALIZER;
    int rank = atoi(argv[2]), pes = atoi(argv[3]);
    char fresh[4096];
    snprintf(fresh, sizeof fresh, "%s.new", argv[1]);
    if (rank == 0) {
        CHECK(nvshmemx_get_uniqueid(&id) == 0);
        FILE *file = fopen(fresh, "w");
        if (file == NULL || fwrite(&id, sizeof id, 1, file) != 1 || fclose(file) != 0) exit(1);
        rename(fresh, argv[1]);
    } else {
        FILE *file = NULL;
        for (int i = 0; i < 1000 && file == NULL; i++, usleep(10000)) file = fopen(argv[1], "r");
        if (file == NULL || fread(&id, sizeof id, 1, file) != 1) exit(1);
        fclose(file);
    }
    CHECK(nvshmemx_set_attr_uniqueid_args(rank, pes, &id, &attr) == 0);
    CHECK(nvshmemx_init_attr(NVSHMEMX_INIT_WITH_UNIQUEID, &attr) == NVSHMEMX_SUCCESS);
}

static void kernels(cudaStream_t stream) {
    int left = (me + n - 1) % n;
    int *inbox = (int *)nvshmem_malloc(ELEMENTS * sizeof(int)), *outbox = (int *)nvshmem_malloc(ELEMENTS * sizeof(int));
    uint64_t *arrived = (uint64_t *)nvshmem_calloc(2, sizeof(uint64_t));
    int *words = (int *)nvshmem_calloc(8, sizeof(int));
    half *halves = (half *)nvshmem_align(4096, 2 * sizeof(half));
    CHECK(inbox && outbox && arrived && words && halves && (uintptr_t)halves % 4096 == 0);
    std::vector<int> own(ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) own[i] = me * 1000003 + i;
    write(outbox, own);
    nvshmem_barrier_all();
    void *args[] = {&inbox, &outbox, &arrived, &words, &halves};
    CHECK(nvshmemx_collective_launch((const void *)ring, 1, 256, args, 0, stream) == NVSHMEMX_SUCCESS);
    CUDA(cudaStreamSynchronize(stream));
    auto got = read(inbox, ELEMENTS);
    int wrong = 0;
    for (int i = 0; i < ELEMENTS; i++) wrong += got[i] != left * 1000003 + i;
    CHECK(wrong == 0);
    auto word = read(words, 4);
    CHECK(word[0] == 100 + left && word[2] == n * (n + 1) / 2);
    CHECK(word[3] == (nvshmem_ptr(words, (me + 1) % n) != NULL));
    CHECK(me != 0 || word[1] == n * (n + 1) / 2);
    auto value = read(halves, 2);
    CHECK(__half2float(value[0]) == left + 0.5f && __half2float(value[1]) == me + 0.5f);

    int *plain;
    half *plain_halves;
    char *name;
    CUDA(cudaMalloc(&plain, 7 * sizeof(int)));
    CUDA(cudaMalloc(&plain_halves, 2 * sizeof(half)));
    CUDA(cudaMalloc(&name, NVSHMEM_MAX_NAME_LEN));
    alone<<<1, 1, 0, stream>>>(plain, plain_halves, name);
    CUDA(cudaStreamSynchronize(stream));
    word = read(plain, 7);
    CHECK(word[0] == 50 + me && word[1] == 51 + me && word[2] == 1 && word[3] == 1 && word[4] == nvshmemx_ask_smem(NVSHMEMX_SMEM_RECOMMENDED) && word[5] == 1 && word[6] == 1);
    value = read(plain_halves, 2);
    CHECK(__half2float(value[0]) == me + 0.25f && __half2float(value[1]) == me + 0.25f);
    CHECK(strcmp(read(name, NVSHMEM_MAX_NAME_LEN).data(), NVSHMEM_VENDOR_STRING) == 0);
    for (void *object : {(void *)plain, (void *)plain_halves, (void *)name}) CUDA(cudaFree(object));

    // The largest grid meets; a larger one is refused.
    unsigned *count;
    int most = 0;
    CUDA(cudaMalloc(&count, sizeof *count));
    CUDA(cudaMemset(count, 0, sizeof *count));
    void *meeting[] = {&count, &words};
    CHECK(nvshmemx_collective_launch_query_gridsize((const void *)meet, 128, meeting, 0, &most) == 0 && most > 0);
    CHECK(nvshmemx_collective_launch((const void *)meet, most + 1, 128, meeting, 0, stream) != NVSHMEMX_SUCCESS);
    CHECK(nvshmemx_collective_launch((const void *)meet, 0, 128, meeting, 0, stream) == NVSHMEMX_SUCCESS);
    CUDA(cudaStreamSynchronize(stream));
    CHECK(read(words, 5)[4] == 1 && read(count, 1)[0] == (unsigned)most);
    CUDA(cudaFree(count));
    for (void *object : {(void *)inbox, (void *)outbox, (void *)arrived, (void *)words, (void *)halves, (void *)NULL}) nvshmem_free(object);
}

static void streams(cudaStream_t stream) {
    int left = (me + n - 1) % n, right = (me + 1) % n;
    int *from = (int *)nvshmem_malloc(n * sizeof(int)), *to = (int *)nvshmem_calloc(n, sizeof(int));
    uint64_t *arrived = (uint64_t *)nvshmem_calloc(1, sizeof(uint64_t));
    std::vector<int> own(n);
    for (int i = 0; i < n; i++) own[i] = 10 * me + i;
    write(from, own);
    nvshmemx_barrier_all_on_stream(stream);
    nvshmemx_putmem_signal_on_stream(to, from, n * sizeof(int), arrived, 3, NVSHMEM_SIGNAL_SET, right, stream);
    nvshmemx_signal_wait_until_on_stream(arrived, NVSHMEM_CMP_EQ, 3, stream);
    CUDA(cudaStreamSynchronize(stream));
    auto got = read(to, n);
    for (int i = 0; i < n; i++) CHECK(got[i] == 10 * left + i);
    nvshmemx_int_get_on_stream(to, from, n, right, stream);
    nvshmemx_quiet_on_stream(stream);
    CUDA(cudaStreamSynchronize(stream));
    CHECK(read(to, n)[0] == 10 * right);
    nvshmemx_barrier_all_on_stream(stream);
    CHECK(nvshmemx_int_sum_reduce_on_stream(NVSHMEM_TEAM_WORLD, to, from, n, stream) == 0);
    CUDA(cudaStreamSynchronize(stream));
    got = read(to, n);
    for (int i = 0; i < n; i++) CHECK(got[i] == 10 * n * (n - 1) / 2 + n * i);
    CHECK(nvshmemx_int_alltoall_on_stream(NVSHMEM_TEAM_WORLD, to, from, 1, stream) == 0);
    CUDA(cudaStreamSynchronize(stream));
    got = read(to, n);
    for (int i = 0; i < n; i++) CHECK(got[i] == 10 * i + me);
    CHECK(nvshmemx_int_max_reducescatter_on_stream(NVSHMEM_TEAM_WORLD, to, from, 1, stream) == 0);
    CUDA(cudaStreamSynchronize(stream));
    CHECK(read(to, 1)[0] == 10 * (n - 1) + me);
    // On the host.
    CHECK(nvshmem_int_sum_reducescatter(NVSHMEM_TEAM_WORLD, to, from, 1) == 0);
    CHECK(read(to, 1)[0] == 10 * n * (n - 1) / 2 + n * me);
    nvshmem_barrier_all();
    nvshmem_int_p(to, 42 + me, right);
    nvshmem_quiet();
    nvshmem_barrier_all();
    CHECK(nvshmem_int_g(to, me) == 42 + left && nvshmem_int_g(to, right) == 42 + me);
    nvshmem_barrier_all();
    nvshmemx_signal_op(arrived, 5, NVSHMEM_SIGNAL_ADD, right);
    nvshmemx_signal_wait_until_on_stream(arrived, NVSHMEM_CMP_EQ, 8, stream);
    CUDA(cudaStreamSynchronize(stream));

    half *half_from = (half *)nvshmem_malloc(4 * sizeof(half)), *half_to = (half *)nvshmem_malloc(4 * sizeof(half));
    write(half_from, std::vector<half>(4, __float2half(me + 1.0f)));
    nvshmem_barrier_all();
    CHECK(nvshmemx_half_sum_reduce_on_stream(NVSHMEM_TEAM_WORLD, half_to, half_from, 4, stream) == 0);
    CUDA(cudaStreamSynchronize(stream));
    CHECK(__half2float(read(half_to, 4)[3]) == n * (n + 1) / 2);
    CHECK(nvshmem_half_max_reduce(NVSHMEM_TEAM_WORLD, half_to, half_from, 4) == 0);
    CHECK(__half2float(read(half_to, 4)[3]) == n);
    for (void *object : {(void *)from, (void *)to, (void *)arrived, (void *)half_from, (void *)half_to}) nvshmem_free(object);
}

static void teams(cudaStream_t stream) {
    CHECK(nvshmem_team_my_pe(NVSHMEM_TEAM_WORLD) == me && nvshmem_team_n_pes(NVSHMEM_TEAM_WORLD) == n);
    CHECK(nvshmem_team_my_pe(NVSHMEM_TEAM_INVALID) == -1 && nvshmem_team_n_pes(NVSHMEM_TEAM_INVALID) == -1);
    CHECK(nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE) == nvshmem_team_n_pes(NVSHMEM_TEAM_SHARED));
    nvshmem_team_t all = NVSHMEM_TEAM_INVALID, first = 77;
    nvshmem_team_config_t config;
    memset(&config, 0xff, sizeof config);
    CHECK(nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, n, &config, 0, &all) == 0 && all > 3);
    nvshmem_team_split_strided(NVSHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &first);
    CHECK((first == NVSHMEM_TEAM_INVALID) == (me != 0));
    CHECK(nvshmem_team_translate_pe(all, n - 1, NVSHMEM_TEAM_WORLD) == n - 1);
    long *from = (long *)nvshmem_malloc(sizeof(long)), *to = (long *)nvshmem_malloc(sizeof(long));
    write(from, std::vector<long>(1, 1L << me));
    nvshmem_barrier(all);
    CHECK(nvshmemx_long_sum_reduce_on_stream(all, to, from, 1, stream) == 0);
    CUDA(cudaStreamSynchronize(stream));
    CHECK(read(to, 1)[0] == (1L << n) - 1);
    CHECK(nvshmem_team_sync(all) == 0 && nvshmem_sync(all) == 0);
    int on_node = nvshmem_team_n_pes(NVSHMEMX_TEAM_NODE);
    if (n % on_node == 0) {
        long expected = 0;
        for (int pe = me % on_node; pe < n; pe += on_node) expected += 1L << pe;
        int *wrong = (int *)nvshmem_calloc(1, sizeof(int));
        void *args[] = {&to, &from, &expected, &wrong};
        CHECK(nvshmemx_collective_launch((const void *)places, 1, 64, args, 0, stream) == NVSHMEMX_SUCCESS);
        CUDA(cudaStreamSynchronize(stream));
        CHECK(read(wrong, 1)[0] == 0);
        nvshmem_free(wrong);
    }
    short *number = (short *)nvshmem_calloc(1, sizeof(short));
    nvshmemx_short_p_on_stream(number, -7, (me + 1) % n, stream);
    nvshmemx_short_wait_until_on_stream(number, NVSHMEM_CMP_LT, -6, stream);
    CUDA(cudaStreamSynchronize(stream));
    CHECK(read(number, 1)[0] == -7);
    nvshmem_barrier_all();
    nvshmem_free(number);
    if (first != NVSHMEM_TEAM_INVALID) nvshmem_team_destroy(first);
    nvshmem_team_destroy(all);
    nvshmem_free(from);
    nvshmem_free(to);
}

int main(int argc, char **argv) {
    join(argc, argv);
    me = nvshmem_my_pe();
    n = nvshmem_n_pes();
    CHECK(nvshmemx_init_status() == NVSHMEM_STATUS_IS_INITIALIZED);
    int major, minor, gpus = 0;
    nvshmem_info_get_version(&major, &minor);
    CHECK(major == NVSHMEM_MAJOR_VERSION && minor == NVSHMEM_MINOR_VERSION);
    char name[NVSHMEM_MAX_NAME_LEN];
    nvshmem_info_get_name(name);
    CHECK(strncmp(name, "cushmem", 7) == 0);
    CUDA(cudaGetDeviceCount(&gpus));
    CUDA(cudaSetDevice(nvshmem_team_my_pe(NVSHMEMX_TEAM_NODE) % gpus));
    CHECK(nvshmem_malloc(0) == NULL);
    // Counted: this one is undone by the first nvshmem_finalize.
    nvshmem_init();
    cudaStream_t stream;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    kernels(stream);
    streams(stream);
    teams(stream);
    nvshmem_barrier_all();
    CUDA(cudaStreamDestroy(stream));
    nvshmem_finalize();
    CHECK(nvshmem_my_pe() == me);
    nvshmem_finalize();
    CHECK(nvshmemx_init_status() == NVSHMEM_STATUS_NOT_INITIALIZED);
    if (failures == 0 && me == 0) printf("nvshmem: all values are right (%d PEs)\n", n);
    return failures != 0;
}
