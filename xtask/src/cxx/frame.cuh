/* Kernels in CUDA C++. `shmem.h` includes this file under a CUDA compiler; `cargo xtask cxx` writes it.

   The routines of OpenSHMEM that shmem.h declares for host and device are the library's on the host and the ones below
   in kernels. `shmemx_..._warp` and `shmemx_..._block` are called by all threads of a warp or block together. The
   bodies in PTX are those of the library's device API for Rust. */
#ifndef SHMEMX_DEVICE_CUH
#define SHMEMX_DEVICE_CUH

#ifndef __CUDACC_RTC__
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#endif
/* Kernels that the program loads itself: shmemx_module_init tells them. */
#if defined __CUDACC_RTC__ || defined SHMEMX_MODULE
#define SHMEM_IMPL_MODULE
#endif

/* For programs that include shmem.h in `extern "C"`. */
extern "C++" {
namespace shmem_impl_device {
typedef unsigned int u32;
typedef unsigned long long u64;

/* What kernels know about the job. The library fills it in. Until then every object is out of reach, without a look at
   the tables, and a kernel ends at the first operation that needs the job. Fence, quiet, and looks at words of this PE
   do not. */
struct alignas(16) context_t {
@FIELDS@
};
static_assert(sizeof(context_t) == @BYTES@, "the library's size");
#ifndef __CUDACC_RTC__
@OFFSETS@
#endif
} // namespace shmem_impl_device
#define SHMEM_IMPL_UNTOLD {0, 0, 0, 0, 0xffffffffu, 0xffffffffu}

#if defined SHMEM_IMPL_MODULE || defined SHMEM_IMPL_LIBRARY
/* shmemx_module_init looks for these names. Modules that are linked have those of libcushmem_device. */
extern "C" {
#if defined __CUDACC_RDC__ && !defined SHMEM_IMPL_LIBRARY
extern __constant__ shmem_impl_device::context_t cushmem_context;
#else
__constant__ shmem_impl_device::context_t cushmem_context = SHMEM_IMPL_UNTOLD;
__device__ unsigned int cushmem_abi_version = @VERSION@;
#endif
}
#ifdef SHMEMX_RECORDED
/* Kernels record what they do. The linker takes one of those of several units, as it does of templates. */
template <class> __device__ unsigned int cushmem_recorded = 1;
template __device__ unsigned int cushmem_recorded<int>;
#endif
namespace shmem_impl_device {
using ::cushmem_context;
}
#define context cushmem_context
#else
/* Each unit has one. */
namespace shmem_impl_device {
static __constant__ context_t context = SHMEM_IMPL_UNTOLD;
}
#endif

#ifndef SHMEM_IMPL_MODULE
/* Tells the library of this unit's context. Units in C++ and those of other compilers have none. */
extern "C" {
struct shmem_impl_image {
    uint32_t abi_version;
    uint32_t context_bytes;
    int (*find)(void **context);
    const char *file;
};
#ifdef SHMEMX_RECORDED
void shmemx_impl_add_recorded_image(const struct shmem_impl_image *image);
#else
void shmemx_impl_add_image(const struct shmem_impl_image *image);
#endif
void shmemx_impl_remove_image(const struct shmem_impl_image *image, int cuda_error);
}
/* All of it is static, so that units do not share it by mistake, not even two libraries made of one file. */
namespace shmem_impl_device {
/* A failure is none of the program, which may ask CUDA for the last error. */
static int find_context(void **at) {
    bool had_none = cudaPeekAtLastError() == cudaSuccess;
    cudaError_t status = cudaGetSymbolAddress(at, context);
    if (status != cudaSuccess && had_none) cudaGetLastError();
    return (int)status;
}
static const shmem_impl_image image = {@VERSION@, @BYTES@, find_context, __BASE_FILE__};
static void remove_image() { shmemx_impl_remove_image(&image, (int)cudaPeekAtLastError()); }
static int add_image() {
#ifdef SHMEMX_RECORDED
    shmemx_impl_add_recorded_image(&image);
#else
    shmemx_impl_add_image(&image);
#endif
    return atexit(remove_image);
}
static const int added __attribute__((__unused__)) = add_image();
} // namespace shmem_impl_device
#endif
#undef SHMEM_IMPL_UNTOLD

extern "C" {
@DECLARATIONS@
}

/* One element of CUDA's types, or its bits. These are templates because CUDA's headers need not be included before. */
template <class SHMEM_IMPL_T> struct shmem_impl_same { typedef SHMEM_IMPL_T type; };
#define SHMEM_IMPL_HALF(name) \
    template <class SHMEM_IMPL_T> __device__ __forceinline__ void shmemx_##name##_p(SHMEM_IMPL_T *dest, typename shmem_impl_same<SHMEM_IMPL_T>::type value, int pe); \
    template <class SHMEM_IMPL_T> __device__ __forceinline__ SHMEM_IMPL_T shmemx_##name##_g(const SHMEM_IMPL_T *source, int pe);
SHMEM_IMPL_HALF(half)
SHMEM_IMPL_HALF(bfloat16)
#undef SHMEM_IMPL_HALF

#ifdef __CUDA_ARCH__
namespace shmem_impl_device {
#define SHMEM_IMPL_INLINE static __device__ __forceinline__
/* With -rdc=true, the linker gives a kernel the registers of the hungriest function that it calls. */
#ifdef __CUDACC_RDC__
#define SHMEM_IMPL_CALLED SHMEM_IMPL_INLINE
#else
#define SHMEM_IMPL_CALLED static __device__ __noinline__ __attribute__((__unused__))
#endif
#define SHMEM_IMPL_END __attribute__((__noreturn__)) SHMEM_IMPL_CALLED
/* Too long to be in a kernel in any case. By the usual conventions, a function that is linked keeps 16 registers of its
   caller in the middle of those that it may use, so that it takes others with higher numbers, which count. With this
   pragma it keeps 12. With fewer, kernels would store their own numbers in memory, also where they make no call. The
   pragma is lost on functions that are static or in a namespace. So all units of a program that is linked share one,
   whose context is that of one unit. GPUs before compute capability 8.0 do not have it. */
#if defined(__CUDACC_RDC__) && __CUDACC_VER_MAJOR__ >= 13 && __CUDA_ARCH__ >= 800
#define SHMEM_IMPL_FAR _Pragma("nv_abi preserve_n_data(12)") inline __device__ __noinline__
#else
#define SHMEM_IMPL_FAR static __device__ __noinline__ __attribute__((__unused__))
#endif
enum { @OPERATIONS@ };
enum { SHMEM_IMPL_GET = 1, SHMEM_IMPL_NBI = 2, SHMEM_IMPL_CHUNK = @CHUNK@, SHMEM_IMPL_CTX_BITS = @CTX_BITS@ };
enum { @TASKS@ };
enum { @ARRAYS@ };
struct looked { u64 word, found; };

/* Ends the kernel. The unit's destructor says why: a message from here would cost every kernel registers. */
SHMEM_IMPL_END void untold() {
    asm volatile("trap;");
    __builtin_unreachable();
}
SHMEM_IMPL_INLINE void told() {
    if (context.abi_version != @VERSION@) untold();
}

@BODIES@
} // namespace shmem_impl_device

@FAR_BODIES@

namespace shmem_impl_device {
@USES@
#ifdef SHMEMX_RECORDED
@RECORDED@
#define SHMEM_IMPL_CALLS shmem_impl_recorded
#else
#define SHMEM_IMPL_CALLS shmem_impl_device
#define SHMEM_IMPL_SIGNAL_SET put_word
#define SHMEM_IMPL_SIGNAL_ADD atomic_add
#endif
#undef SHMEM_IMPL_INLINE
#undef SHMEM_IMPL_CALLED
#undef SHMEM_IMPL_END
#undef SHMEM_IMPL_FAR
} // namespace shmem_impl_device

extern "C" {
#define SHMEM_IMPL_KERNEL __device__ inline __attribute__((__always_inline__))
#ifdef __CUDACC_RTC__
#define SHMEM_IMPL_BOTH SHMEM_IMPL_KERNEL
#else
#define SHMEM_IMPL_BOTH __host__ SHMEM_IMPL_KERNEL
#endif
@DEFINITIONS@
#undef SHMEM_IMPL_KERNEL
#undef SHMEM_IMPL_BOTH
}
#define SHMEM_IMPL_HALF(name) \
    template <class SHMEM_IMPL_T> __device__ __forceinline__ void shmemx_##name##_p(SHMEM_IMPL_T *dest, typename shmem_impl_same<SHMEM_IMPL_T>::type value, int pe) { \
        static_assert(sizeof(SHMEM_IMPL_T) == 2, "a number of 16 bits"); \
        SHMEM_IMPL_CALLS::put_word((unsigned short *)dest, *reinterpret_cast<const unsigned short *>(&value), pe); \
    } \
    template <class SHMEM_IMPL_T> __device__ __forceinline__ SHMEM_IMPL_T shmemx_##name##_g(const SHMEM_IMPL_T *source, int pe) { \
        static_assert(sizeof(SHMEM_IMPL_T) == 2, "a number of 16 bits"); \
        unsigned short bits = shmem_impl_device::get_word((const unsigned short *)source, pe); \
        return *reinterpret_cast<const SHMEM_IMPL_T *>(&bits); \
    }
SHMEM_IMPL_HALF(half)
SHMEM_IMPL_HALF(bfloat16)
#undef SHMEM_IMPL_HALF
#define SHMEM_IMPL_OF_GRID(...) return SHMEM_IMPL_CALLS::__VA_ARGS__
#else
#define SHMEM_IMPL_OF_GRID(...) __builtin_unreachable()
#endif
/* By all blocks of a cooperative launch. `grid` is cooperative_groups::this_grid(). */
@GRID_FORMS@
#undef SHMEM_IMPL_OF_GRID

#ifdef __CUDACC_RTC__
/* The same without the type in the name. Elsewhere shmem.h has them. */
@GENERICS@
#endif
#undef context
#undef SHMEM_IMPL_MODULE
} // extern "C++"
#endif
