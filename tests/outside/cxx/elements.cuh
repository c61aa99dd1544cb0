// What tests of collectives in kernels compare with: the elements of each PE's source, and what combines them.
#pragma once
#include "rig.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// Elements of a PE's source: small numbers, so that sums and products of all types are exact or wrap around alike.
template <class T> __device__ T value(int pe, size_t i) { return (T)(1 + (pe * 3 + i) % 5); }
template <> __device__ __half value<__half>(int pe, size_t i) { return __float2half(1 + (pe * 3 + i) % 5); }
template <> __device__ __nv_bfloat16 value<__nv_bfloat16>(int pe, size_t i) { return __float2bfloat16(1 + (pe * 3 + i) % 5); }
template <class T> __device__ bool equal(T a, T b) { return a == b; }
template <> __device__ bool equal<__half>(__half a, __half b) { return __half2float(a) == __half2float(b); }
template <> __device__ bool equal<__nv_bfloat16>(__nv_bfloat16 a, __nv_bfloat16 b) { return __bfloat162float(a) == __bfloat162float(b); }

struct Sum { template <class T> static __device__ T of(T a, T b) { return (T)(a + b); } };
struct Prod { template <class T> static __device__ T of(T a, T b) { return (T)(a * b); } };
struct Min { template <class T> static __device__ T of(T a, T b) { return b < a ? b : a; } };
struct Max { template <class T> static __device__ T of(T a, T b) { return a < b ? b : a; } };
struct And { template <class T> static __device__ T of(T a, T b) { return (T)(a & b); } };
struct Or { template <class T> static __device__ T of(T a, T b) { return (T)(a | b); } };
struct Xor { template <class T> static __device__ T of(T a, T b) { return (T)(a ^ b); } };

// A team and the PEs that are its members.
struct Members {
    shmem_team_t team;
    int me, n, start, stride;
    __device__ explicit Members(shmem_team_t team) : team(team), me(shmem_team_my_pe(team)), n(shmem_team_n_pes(team)) {
        start = shmem_team_translate_pe(team, 0, SHMEM_TEAM_WORLD);
        stride = n > 1 ? shmem_team_translate_pe(team, 1, SHMEM_TEAM_WORLD) - start : 1;
    }
    __device__ int pe(int member) const { return start + member * stride; }
    // The combination of element `i` of the members from 0 to before `end`.
    template <class O, class T> __device__ T fold(size_t i, int end) const {
        T all = value<T>(pe(0), i);
        for (int j = 1; j < end; j++) all = O::of(all, value<T>(pe(j), i));
        return all;
    }
};
