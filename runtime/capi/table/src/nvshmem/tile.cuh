/* Collectives of tiles, for C++17. There is no multicast memory: tiles are summed and copied element by element.
   `cargo xtask headers` writes this file; nvshmem.h includes it. */
#ifndef NVSHMEM_IMPL_TILE_CUH
#define NVSHMEM_IMPL_TILE_CUH
#if defined __cplusplus && __cplusplus >= 201703L

#include <type_traits>
#include <utility>

extern "C++" {
#ifdef __CUDACC__
#define NVSHMEM_IMPL_HD __host__ __device__ constexpr
#else
#define NVSHMEM_IMPL_HD constexpr
#endif

/* A number that is known when the program is compiled. */
template <int N> struct ConstInt {
    static constexpr int value = N;
    NVSHMEM_IMPL_HD operator int() const { return N; }
};

namespace nvshmem_impl {
template <class... T> struct list {};
template <class First, class... Rest> struct list<First, Rest...> {
    First first;
    list<Rest...> rest;
};
template <size_t I, class First, class... Rest> NVSHMEM_IMPL_HD auto item(const list<First, Rest...> &of) {
    if constexpr (I == 0) return of.first;
    else return item<I - 1>(of.rest);
}
NVSHMEM_IMPL_HD list<> listed() { return {}; }
template <class First, class... Rest> NVSHMEM_IMPL_HD list<First, Rest...> listed(First first, Rest... rest) {
    return {first, listed(rest...)};
}
} // namespace nvshmem_impl

namespace nvshmemx {
template <class... T> struct shape { nvshmem_impl::list<T...> items; };
template <class... T> struct stride { nvshmem_impl::list<T...> items; };
template <size_t I, class... T> NVSHMEM_IMPL_HD auto get(const shape<T...> &of) { return nvshmem_impl::item<I>(of.items); }
template <size_t I, class... T> NVSHMEM_IMPL_HD auto get(const stride<T...> &of) { return nvshmem_impl::item<I>(of.items); }
template <class... T> NVSHMEM_IMPL_HD shape<T...> make_shape(T... extents) { return {nvshmem_impl::listed(extents...)}; }
template <class... T> NVSHMEM_IMPL_HD stride<T...> make_stride(T... steps) { return {nvshmem_impl::listed(steps...)}; }

template <class Shape, class Stride> struct layout {
    Shape extents;
    Stride steps;
    NVSHMEM_IMPL_HD Shape shape() const { return extents; }
    NVSHMEM_IMPL_HD Stride stride() const { return steps; }
};
template <class Shape, class Stride> NVSHMEM_IMPL_HD layout<Shape, Stride> make_layout(Shape extents, Stride steps) {
    return {extents, steps};
}

/* Elements in memory. The first dimension varies fastest where elements are counted. */
template <class T, class Layout> struct Tensor {
    using value_type = T;
    using layout_type = Layout;
    T *elements;
    Layout how;
    NVSHMEM_IMPL_HD Tensor(T *elements, Layout how) : elements(elements), how(how) {}
    NVSHMEM_IMPL_HD T *data() const { return elements; }
    NVSHMEM_IMPL_HD Layout layout() const { return how; }
    NVSHMEM_IMPL_HD auto shape() const { return how.shape(); }
    NVSHMEM_IMPL_HD auto stride() const { return how.stride(); }
};

/* One-shot and pull: only the root gets a sum if there is one. Otherwise all algorithms are the same here. */
enum tile_coll_algo_t {
    NVLS_ONE_SHOT_PUSH_NBI = 0,
    NVLS_ONE_SHOT_PULL_NBI = 1,
    NVLS_TWO_SHOT_PUSH_NBI = 2,
    NVLS_TWO_SHOT_PULL_NBI = 3
};
} // namespace nvshmemx

namespace std {
template <class... T> struct tuple_size<nvshmemx::shape<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class... T> struct tuple_size<nvshmemx::stride<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <size_t I, class... T> struct tuple_element<I, nvshmemx::shape<T...>> {
    using type = decltype(nvshmemx::get<I>(declval<nvshmemx::shape<T...>>()));
};
template <size_t I, class... T> struct tuple_element<I, nvshmemx::stride<T...>> {
    using type = decltype(nvshmemx::get<I>(declval<nvshmemx::stride<T...>>()));
};
} // namespace std

@KERNELS@
#undef NVSHMEM_IMPL_HD
} // extern "C++"
#endif
#endif
