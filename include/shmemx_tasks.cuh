/* Puts with a task by kernels in CUDA C++, and functions of tasks. `shmemx.h` includes this file under a CUDA compiler;
   `cargo xtask headers` writes it.

   A function of a task is a `__device__` function that all threads of a block call. It gets the task:

       __device__ void add(const shmemx_device_task_t &task) {
           int64_t *sums = task.buffer<int64_t>(task.argument<int>(0)), *numbers = task.data<int64_t>();
           for (size_t i = threadIdx.x; i < task.count<int64_t>(); i += blockDim.x) sums[i] += numbers[i];
       }
       SHMEMX_TASKS(add)

   `SHMEMX_TASKS` names all of them, outside of functions and once in a program, a shared library, or a module that the
   program loads: it makes the kernel that takes tasks. On the host, `shmemx_task_queue_create(options)` then makes queues
   of these functions, in this unit; a module is passed to `shmemx_task_queue_create` of shmemx.h, with the functions'
   names. A function's number is its place in the list, from 0 on. A function must not wait for other tasks of the same
   queue. It completes what it puts on contexts other than the default one. */
#ifndef SHMEMX_TASKS_CUH
#define SHMEMX_TASKS_CUH

/* The host's compiler needs definitions too. */
#ifdef __CUDA_ARCH__
#define SHMEM_IMPL_OF_TASKS(...) SHMEM_IMPL_CALLS::shmem_impl_##__VA_ARGS__
#define SHMEM_IMPL_RETURN(...) return __VA_ARGS__
#else
#define SHMEM_IMPL_OF_TASKS(...) (void)0
#define SHMEM_IMPL_RETURN(...) __builtin_unreachable()
#endif
#define SHMEM_IMPL_KERNEL __device__ __forceinline__

/* For programs that include shmemx.h in `extern "C"`. */
extern "C++" {
struct shmemx_device_task_t {
    uint64_t shmem_impl_queue, shmem_impl_address, shmem_impl_bytes, shmem_impl_arguments[6];
    uint32_t shmem_impl_function, shmem_impl_pe;

    /* The data, in this PE's part of the buffer, or NULL without data, their bytes, and how many elements these are. */
    template <class SHMEM_IMPL_T> SHMEM_IMPL_KERNEL SHMEM_IMPL_T *data() const { return (SHMEM_IMPL_T *)shmem_impl_address; }
    SHMEM_IMPL_KERNEL size_t bytes() const { return shmem_impl_bytes; }
    template <class SHMEM_IMPL_T> SHMEM_IMPL_KERNEL size_t count() const { return shmem_impl_bytes / sizeof(SHMEM_IMPL_T); }
    /* Argument `number`, from 0 to 5. */
    template <class SHMEM_IMPL_T> SHMEM_IMPL_KERNEL SHMEM_IMPL_T argument(int number) const {
        SHMEM_IMPL_RETURN(shmem_impl_device::shmem_impl_of_bits<SHMEM_IMPL_T>(shmem_impl_arguments[number]));
    }
    /* This PE's part of a buffer of the queue. A number without a buffer ends the kernel with a message. */
    template <class SHMEM_IMPL_T> SHMEM_IMPL_KERNEL SHMEM_IMPL_T *buffer(int number) const {
        SHMEM_IMPL_RETURN((SHMEM_IMPL_T *)shmem_impl_device::shmem_impl_task_buffer(shmem_impl_queue, (uint32_t)number));
    }
    /* The PE that put the task. */
    SHMEM_IMPL_KERNEL int pe() const { return (int)shmem_impl_pe; }
    /* The queue, to put tasks from this one. */
    SHMEM_IMPL_KERNEL shmemx_device_task_queue_t queue() const {
        shmemx_device_task_queue_t queue = {shmem_impl_queue};
        return queue;
    }
};

/* Copies `nbytes` bytes to a buffer of PE `pe` and has a function run on them there, like the routines of shmemx.h: by a
   thread, or by all threads of a warp or block together. They return when `source` may be reused, and wait if all slots
   of this PE's kernels are in use. A mistake ends the kernel with a message. `queue` is the result of
   shmemx_task_queue_device, and all threads pass the same. */
#define SHMEM_IMPL_PUT(name, scope) \
    SHMEM_IMPL_KERNEL void name(shmemx_device_task_queue_t queue, const shmemx_task_t *task, const void *source, size_t nbytes, int pe) { \
        SHMEM_IMPL_OF_TASKS(put_task_##scope(queue.address, (uint32_t)task->function, (uint32_t)task->buffer, task->offset, task->arguments, \
                                             task->done, task->value, task->sig_op, source, nbytes, pe)); \
    }
SHMEM_IMPL_PUT(shmemx_put_task, thread)
SHMEM_IMPL_PUT(shmemx_put_task_warp, warp)
SHMEM_IMPL_PUT(shmemx_put_task_block, block)
#undef SHMEM_IMPL_PUT

/* Calls the function with a number. */
typedef void (*shmem_impl_task_function)(const shmemx_device_task_t &);
template <shmem_impl_task_function...> struct shmem_impl_task_functions {
    static SHMEM_IMPL_KERNEL void shmem_impl_run(uint32_t, const shmemx_device_task_t &) {}
};
template <shmem_impl_task_function SHMEM_IMPL_F, shmem_impl_task_function... SHMEM_IMPL_MORE>
struct shmem_impl_task_functions<SHMEM_IMPL_F, SHMEM_IMPL_MORE...> {
    static SHMEM_IMPL_KERNEL void shmem_impl_run(uint32_t number, const shmemx_device_task_t &task) {
        if (number == 0) SHMEM_IMPL_F(task);
        else shmem_impl_task_functions<SHMEM_IMPL_MORE...>::shmem_impl_run(number - 1, task);
    }
};

template <shmem_impl_task_function... SHMEM_IMPL_F> SHMEM_IMPL_KERNEL void shmem_impl_run_tasks(uint64_t queue, uint64_t shmem_impl_launch, uint64_t shmem_impl_longest_ns) {
    static_assert(sizeof...(SHMEM_IMPL_F) > 0, "SHMEMX_TASKS names at least one function");
#ifdef __CUDA_ARCH__
    static_assert(sizeof(shmemx_device_task_t) == shmem_impl_device::SHMEM_IMPL_TASK_BYTES, "the library's size");
    __shared__ uint64_t shmem_impl_shared[shmem_impl_device::SHMEM_IMPL_TASK_SHARED];
    uint64_t shmem_impl_own[shmem_impl_device::SHMEM_IMPL_TASK_OWN];
    shmemx_device_task_t task;
    SHMEM_IMPL_OF_TASKS(task_begin((uint64_t)shmem_impl_own, queue, shmem_impl_launch, shmem_impl_longest_ns, (uint32_t)__cvta_generic_to_shared(shmem_impl_shared)));
    while (SHMEM_IMPL_OF_TASKS(task_find((uint64_t)shmem_impl_own, (uint64_t)&task))) {
        shmem_impl_task_functions<SHMEM_IMPL_F...>::shmem_impl_run(task.shmem_impl_function, task);
        SHMEM_IMPL_OF_TASKS(end_task((uint64_t)shmem_impl_own));
    }
#endif
}
#undef SHMEM_IMPL_OF_TASKS
#undef SHMEM_IMPL_RETURN
#undef SHMEM_IMPL_KERNEL

#if defined __CUDACC_RTC__ || defined SHMEMX_MODULE
#define SHMEM_IMPL_QUEUE_OF_TASKS(names)
#define SHMEM_IMPL_OWN_TASKS
#else
/* A program and its libraries each have an executor. */
#define SHMEM_IMPL_OWN_TASKS __attribute__((__visibility__("hidden")))
extern "C" shmemx_task_queue_t shmemx_impl_task_queue_create(int (*shmem_impl_find)(void **shmem_impl_kernel), const char *shmem_impl_names, const shmemx_task_options_t *options);
/* A failure is none of the program, which may ask CUDA for the last error. */
static inline int shmem_impl_find_kernel(void **shmem_impl_at, const void *shmem_impl_kernel) {
    bool shmem_impl_had_none = cudaPeekAtLastError() == cudaSuccess;
    cudaFunction_t shmem_impl_found = 0;
    cudaError_t shmem_impl_status = cudaGetFuncBySymbol(&shmem_impl_found, shmem_impl_kernel);
    if (shmem_impl_status != cudaSuccess && shmem_impl_had_none) cudaGetLastError();
    *shmem_impl_at = (void *)shmem_impl_found;
    return (int)shmem_impl_status;
}
#define SHMEM_IMPL_QUEUE_OF_TASKS(names) \
    static int shmem_impl_find_executor(void **shmem_impl_at) { return shmem_impl_find_kernel(shmem_impl_at, (const void *)cushmem_run_tasks); } \
    __attribute__((__unused__)) static shmemx_task_queue_t shmemx_task_queue_create(const shmemx_task_options_t *options) { \
        return shmemx_impl_task_queue_create(shmem_impl_find_executor, names, options); \
    }
#endif
#define SHMEMX_TASKS(...) \
    extern "C" __global__ void SHMEM_IMPL_OWN_TASKS cushmem_run_tasks( \
        uint64_t shmem_impl_queue, uint64_t shmem_impl_launch, uint64_t shmem_impl_longest_ns) { \
        shmem_impl_run_tasks<__VA_ARGS__>(shmem_impl_queue, shmem_impl_launch, shmem_impl_longest_ns); \
    } \
    SHMEM_IMPL_QUEUE_OF_TASKS(#__VA_ARGS__)
} // extern "C++"
#endif
