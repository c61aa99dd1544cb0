/* The routines of kernels, by those of cushmem. `cargo xtask headers` writes this file; nvshmem.h includes it. */
#ifndef NVSHMEM_IMPL_DEVICE_CUH
#define NVSHMEM_IMPL_DEVICE_CUH

/* Units that include this file need no -lcushmem. */
@RENAMED@
#include <shmem.h>
@NAMED@

static_assert(SHMEM_SIGNAL_SET == (int)NVSHMEM_SIGNAL_SET && SHMEM_SIGNAL_ADD == (int)NVSHMEM_SIGNAL_ADD, "passed on");
static_assert(SHMEM_CMP_EQ == (int)NVSHMEM_CMP_EQ && SHMEM_CMP_NE == (int)NVSHMEM_CMP_NE && SHMEM_CMP_GT == (int)NVSHMEM_CMP_GT, "passed on");
static_assert(SHMEM_CMP_LE == (int)NVSHMEM_CMP_LE && SHMEM_CMP_LT == (int)NVSHMEM_CMP_LT && SHMEM_CMP_GE == (int)NVSHMEM_CMP_GE, "passed on");

extern "C++" {
extern "C" {
@DECLARATIONS@
}

#ifdef __CUDA_ARCH__
#define NVSHMEM_IMPL_INLINE inline __attribute__((always_inline))
namespace nvshmem_impl {
static __device__ __forceinline__ shmem_team_t team_of(nvshmem_team_t team) {
    return (shmem_team_t)(long)(team == NVSHMEMX_TEAM_SAME_MYPE_NODE ? NVSHMEM_IMPL_ACROSS_NODES : team + (team < 2) - (team > 2));
}
template <class T> static __device__ __forceinline__ unsigned short bits_16(T value) {
    return *reinterpret_cast<const unsigned short *>(&value);
}
template <class T> static __device__ __forceinline__ T of_16(unsigned short bits) {
    return *reinterpret_cast<const T *>(&bits);
}
/* Programs use these on memory of their own PE that is not symmetric, too. */
template <class T> static __device__ __forceinline__ void p(T *dest, T value, int pe) {
    SHMEM_IMPL_CALLS::shmem_impl_put_word<true>(dest, value, pe);
}
template <class T> static __device__ __forceinline__ T g(const T *source, int pe) {
    return shmem_impl_device::shmem_impl_get_word<true>(source, pe);
}
} // namespace nvshmem_impl

extern "C" {
/* OpenSHMEM has deprecated waits for 16 bits. */
#pragma nv_diagnostic push
#pragma nv_diag_suppress 1215, 1444
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void *nvshmem_ptr(const void *ptr, int pe) { return shmem_ptr(ptr, pe); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void *nvshmemx_mc_ptr(nvshmem_team_t, const void *) { return NULL; }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_info_get_version(int *major, int *minor) {
    *major = NVSHMEM_MAJOR_VERSION;
    *minor = NVSHMEM_MINOR_VERSION;
}
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmem_info_get_name(char *name) {
    const char text[] = NVSHMEM_VENDOR_STRING;
    for (int i = 0; i < (int)sizeof text; i++) name[i] = text[i];
}
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmemx_vendor_get_version_info(int *major, int *minor, int *patch) {
    *major = NVSHMEM_VENDOR_MAJOR_VERSION;
    *minor = NVSHMEM_VENDOR_MINOR_VERSION;
    *patch = NVSHMEM_VENDOR_PATCH_VERSION;
}
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE int nvshmemx_ask_smem(nvshmemx_smem_amount_t amount) { return NVSHMEM_IMPL_SMEM(amount); }
NVSHMEM_IMPL_BOTH NVSHMEM_IMPL_INLINE void nvshmemx_signal_op(uint64_t *sig_addr, uint64_t signal, int sig_op, int pe) {
    shmem_impl_device::shmem_impl_check_signal_op(sig_op);
    if (sig_op == NVSHMEM_SIGNAL_SET) shmem_signal_set(sig_addr, signal, pe);
    else shmem_signal_add(sig_addr, signal, pe);
}
@DEFINITIONS@
#pragma nv_diagnostic pop
}
#undef NVSHMEM_IMPL_INLINE
#endif

extern "C" {
static __device__ inline void nvshmemx_give_smem(void *, size_t) {}
static __device__ inline void nvshmemx_release_smem() {}
}

@TEAMS@
} // extern "C++"
#endif
