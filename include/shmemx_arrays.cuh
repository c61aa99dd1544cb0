/* Arrays larger than a GPU, in kernels in CUDA C++. `shmemx.h` includes this file under a CUDA compiler; `cargo xtask
   headers` writes it.

   A kernel takes an array of elements of type T as a parameter, and the host passes shmemx_array_device:

       __global__ void sum(shmemx_device_array<double> array, uint64_t n, double *result) {
           double sum = 0;
           for (uint64_t i = threadIdx.x; i < n; i += blockDim.x) sum += array.read(i);
           atomicAdd(result, sum);
       }
       sum<<<1, 256>>>(shmemx_array_device(array), n, result);

   T is any type of 1, 2, 4 or 8 bytes, and the array was created for as many. */
#ifndef SHMEMX_ARRAYS_CUH
#define SHMEMX_ARRAYS_CUH

/* The host's compiler needs definitions too. */
#ifdef __CUDA_ARCH__
#define SHMEM_IMPL_OF_ARRAYS(...) shmem_impl_device::shmem_impl_##__VA_ARGS__
#define SHMEM_IMPL_RETURN(...) return __VA_ARGS__
#else
#define SHMEM_IMPL_OF_ARRAYS(...) (void)0
#define SHMEM_IMPL_RETURN(...) __builtin_unreachable()
#endif
#define SHMEM_IMPL_KERNEL __device__ __forceinline__
#define SHMEM_IMPL_WORDS \
    shmem_impl_array.words[0], shmem_impl_array.words[1], shmem_impl_array.words[2], shmem_impl_array.words[3], shmem_impl_array.words[4], \
    shmem_impl_array.words[5], shmem_impl_array.words[6], shmem_impl_array.words[7], shmem_impl_array.words[8]
#define SHMEM_IMPL_ELEMENTS(...) SHMEM_IMPL_OF_ARRAYS(elements_of<sizeof(SHMEM_IMPL_T)>::shmem_impl_##__VA_ARGS__)

/* For programs that include shmemx.h in `extern "C"`. */
extern "C++" {
#ifndef __CUDACC_RTC__
extern "C" void shmemx_impl_array_elements(const shmemx_device_array_t *array, size_t elem_bytes);
#endif

/* Types of which there are atomic additions. */
template <class> struct shmem_impl_adds { static const bool shmem_impl_are_there = false; };
#define SHMEM_IMPL_ADDS(type) template <> struct shmem_impl_adds<type> { static const bool shmem_impl_are_there = true; };
SHMEM_IMPL_ADDS(int)
SHMEM_IMPL_ADDS(unsigned)
SHMEM_IMPL_ADDS(long)
SHMEM_IMPL_ADDS(unsigned long)
SHMEM_IMPL_ADDS(long long)
SHMEM_IMPL_ADDS(unsigned long long)
SHMEM_IMPL_ADDS(float)
SHMEM_IMPL_ADDS(double)
#undef SHMEM_IMPL_ADDS

template <class SHMEM_IMPL_T> struct shmemx_device_array {
    static_assert(sizeof(SHMEM_IMPL_T) == 1 || sizeof(SHMEM_IMPL_T) == 2 || sizeof(SHMEM_IMPL_T) == 4 || sizeof(SHMEM_IMPL_T) == 8, "elements have 1, 2, 4 or 8 bytes");
    shmemx_device_array_t shmem_impl_array;

#ifndef __CUDACC_RTC__
    /* An array of elements of another size ends the job with a message. */
    shmemx_device_array(const shmemx_device_array_t &array) : shmem_impl_array(array) { shmemx_impl_array_elements(&array, sizeof(SHMEM_IMPL_T)); }
#endif

    /* How many elements the array has. */
    SHMEM_IMPL_KERNEL uint64_t len() const { SHMEM_IMPL_RETURN(SHMEM_IMPL_OF_ARRAYS(array_len(SHMEM_IMPL_WORDS))); }
    /* How many elements are in a line, and the index of the first one in the line of an element. */
    SHMEM_IMPL_KERNEL uint64_t line_len() const { SHMEM_IMPL_RETURN(SHMEM_IMPL_OF_ARRAYS(array_line_of(SHMEM_IMPL_WORDS, 0)).shmem_impl_found); }
    SHMEM_IMPL_KERNEL uint64_t line_of(uint64_t index) const { SHMEM_IMPL_RETURN(SHMEM_IMPL_OF_ARRAYS(array_line_of(SHMEM_IMPL_WORDS, index)).shmem_impl_word); }

    /* Reads or writes an element. Other PEs see what was written after `flush` here and `invalidate` there, with a
       barrier in between; only one PE at a time may write elements of a line. A mistake ends the kernel with a message. */
    SHMEM_IMPL_KERNEL SHMEM_IMPL_T read(uint64_t index) const {
        SHMEM_IMPL_RETURN(shmem_impl_device::shmem_impl_of_bits<SHMEM_IMPL_T>(SHMEM_IMPL_ELEMENTS(read(SHMEM_IMPL_WORDS, index))));
    }
    SHMEM_IMPL_KERNEL void write(uint64_t index, SHMEM_IMPL_T value) const {
        SHMEM_IMPL_ELEMENTS(write(SHMEM_IMPL_WORDS, index, shmem_impl_device::shmem_impl_bits(value)));
    }
    /* Adds to an element of an array for accumulation, atomically; that is complete after shmem_quiet. */
    SHMEM_IMPL_KERNEL void add(uint64_t index, SHMEM_IMPL_T value) const {
        static_assert(shmem_impl_adds<SHMEM_IMPL_T>::shmem_impl_are_there, "integers of 4 and 8 bytes, float and double can be added");
        SHMEM_IMPL_OF_ARRAYS(add_to_element(SHMEM_IMPL_WORDS, index, value));
    }

    /* `flush` writes back the lines to which this PE's threads have written: those of the scope, or threads that have
       synchronised with it. `invalidate` forgets all lines that were not written to since the last flush, so that they are
       fetched again. By a thread, or by all threads of a warp or block together. */
#define SHMEM_IMPL_SCOPE(end, scope) \
    SHMEM_IMPL_KERNEL void flush##end() const { SHMEM_IMPL_OF_ARRAYS(flush_array_##scope(shmem_impl_array.words[0])); } \
    SHMEM_IMPL_KERNEL void invalidate##end() const { SHMEM_IMPL_OF_ARRAYS(invalidate_array_##scope(shmem_impl_array.words[0])); }
    SHMEM_IMPL_SCOPE(, thread)
    SHMEM_IMPL_SCOPE(_warp, warp)
    SHMEM_IMPL_SCOPE(_block, block)
#undef SHMEM_IMPL_SCOPE
};
#ifdef __CUDA_ARCH__
static_assert(sizeof(shmemx_device_array_t) == 8 * shmem_impl_device::SHMEM_IMPL_ARRAY_WORDS + sizeof(size_t), "the library's size");
#endif
#undef SHMEM_IMPL_OF_ARRAYS
#undef SHMEM_IMPL_RETURN
#undef SHMEM_IMPL_KERNEL
#undef SHMEM_IMPL_WORDS
#undef SHMEM_IMPL_ELEMENTS
} // extern "C++"
#endif
