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

#if defined __CUDACC__ && !defined NVSHMEM_HOSTLIB_ONLY
namespace nvshmem_impl {
template <class Shape> constexpr int rank_of = (int)std::tuple_size<Shape>::value;

/* How many elements a tile has. */
template <int I = 0, class Shape> static __device__ size_t count(const Shape &extents) {
    if constexpr (I == rank_of<Shape>) return 1;
    else return (size_t)nvshmemx::get<I>(extents) * count<I + 1>(extents);
}
/* Where the element with this number is. */
template <int I = 0, class Shape, class Stride> static __device__ size_t place(const Shape &extents, const Stride &steps, size_t number) {
    if constexpr (I == rank_of<Shape>) return 0;
    else if constexpr (I == rank_of<Shape> - 1) return number * (size_t)nvshmemx::get<I>(steps);
    else {
        size_t extent = (size_t)nvshmemx::get<I>(extents);
        return number % extent * (size_t)nvshmemx::get<I>(steps) + place<I + 1>(extents, steps, number / extent);
    }
}
/* Whether it is inside the boundary. */
template <int I, class Shape, class... T> static __device__ bool is_inside(const Shape &extents, size_t number, const nvshmemx::shape<T...> &start, const nvshmemx::shape<T...> &boundary) {
    if constexpr (I == (int)sizeof...(T)) return true;
    else {
        size_t extent = (size_t)nvshmemx::get<I>(extents);
        size_t at = I == rank_of<Shape> - 1 ? number : number % extent;
        return (size_t)nvshmemx::get<I>(start) + at < (size_t)nvshmemx::get<I>(boundary) && is_inside<I + 1>(extents, number / extent, start, boundary);
    }
}
template <class Shape, class Tuple> static __device__ bool is_within(const Shape &extents, size_t number, const Tuple &start, const Tuple &boundary) {
    if constexpr (std::is_empty<Tuple>::value) return true;
    else return is_inside<0>(extents, number, start, boundary);
}

template <class T> static __device__ T load(const T *from, int pe) {
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "elements of tiles have 2, 4 or 8 bytes");
    if constexpr (sizeof(T) == 2) { auto word = shmem_ushort_g((const unsigned short *)from, pe); return *reinterpret_cast<T *>(&word); }
    else if constexpr (sizeof(T) == 4) { auto word = shmem_uint_g((const unsigned int *)from, pe); return *reinterpret_cast<T *>(&word); }
    else { auto word = shmem_ulong_g((const unsigned long *)from, pe); return *reinterpret_cast<T *>(&word); }
}
template <class T> static __device__ void store(T *to, T value, int pe) {
    if constexpr (sizeof(T) == 2) shmem_ushort_p((unsigned short *)to, *reinterpret_cast<unsigned short *>(&value), pe);
    else if constexpr (sizeof(T) == 4) shmem_uint_p((unsigned int *)to, *reinterpret_cast<unsigned int *>(&value), pe);
    else shmem_ulong_p((unsigned long *)to, *reinterpret_cast<unsigned long *>(&value), pe);
}

/* 16-bit elements are added as floats. */
template <class T> struct sum_of { typedef T type; };
template <> struct sum_of<__half> { typedef float type; };
template <> struct sum_of<__nv_bfloat16> { typedef float type; };
template <class T> static __device__ T summed(const T *each, nvshmem_team_t team, int members) {
    typename sum_of<T>::type sum = 0;
    for (int member = 0; member < members; member++)
        sum += (typename sum_of<T>::type)load(each, nvshmem_team_translate_pe(team, member, NVSHMEM_TEAM_WORLD));
    return (T)sum;
}

/* Each member adds a share and gives it to all, or the root adds everything. All sources are complete after the first
   barrier; after the second one all results are, and sources may change. */
template <class Group, class Src, class Dst, class Tuple> static __device__ int tile_sum(nvshmem_team_t team, const Src &src, const Dst &dst, const Tuple &start, const Tuple &boundary, int root) {
    auto extents = src.layout().shape();
    int me = nvshmem_team_my_pe(team), members = nvshmem_team_n_pes(team);
    size_t all = count(extents), share = (all + members - 1) / members;
    size_t first = root < 0 ? me * share : 0, end = root < 0 ? first + share : root == me ? all : 0;
    Group::barrier(team);
    for (size_t i = first + Group::rank(); i < (end < all ? end : all); i += Group::size()) {
        if (!is_within(extents, i, start, boundary)) continue;
        auto value = (typename Dst::value_type)summed(src.data() + place(extents, src.layout().stride(), i), team, members);
        auto *to = dst.data() + place(dst.layout().shape(), dst.layout().stride(), i);
        if (root >= 0) *to = value;
        else for (int member = 0; member < members; member++) store(to, value, nvshmem_team_translate_pe(team, member, NVSHMEM_TEAM_WORLD));
    }
    Group::barrier(team);
    return 0;
}

/* The members' tiles follow each other in the last dimension of dst. */
template <class Group, class Src, class Dst, class Tuple> static __device__ int tile_gather(nvshmem_team_t team, const Src &src, const Dst &dst, const Tuple &start, const Tuple &boundary) {
    auto extents = src.layout().shape();
    int me = nvshmem_team_my_pe(team), members = nvshmem_team_n_pes(team);
    size_t all = count(extents);
    Group::barrier(team);
    for (size_t i = Group::rank(); i < all; i += Group::size()) {
        if (!is_within(extents, i, start, boundary)) continue;
        auto value = (typename Dst::value_type)src.data()[place(extents, src.layout().stride(), i)];
        auto *to = dst.data() + place(dst.layout().shape(), dst.layout().stride(), me * all + i);
        for (int member = 0; member < members; member++) store(to, value, nvshmem_team_translate_pe(team, member, NVSHMEM_TEAM_WORLD));
    }
    Group::barrier(team);
    return 0;
}

/* Before NVSHMEM 3.5, tile_sum_reduce had a root. Its callers pull in one shot. */
template <nvshmemx::tile_coll_algo_t Algo> static __device__ int root_of(int root) {
#ifdef NVSHMEM_TILE_SUM_REDUCE_TO_ALL
    return -1;
#else
    return Algo == nvshmemx::NVLS_ONE_SHOT_PULL_NBI ? root : -1;
#endif
}
} // namespace nvshmem_impl

namespace nvshmemx {
#define NVSHMEM_IMPL_TILE(scope, group) \
    template <class Src, class Dst, class Tuple, tile_coll_algo_t Algo> __device__ inline int tile_sum_reduce##scope(nvshmem_team_t team, Src src, Dst dst, Tuple start_coord, Tuple boundary, int root, uint64_t) { \
        return nvshmem_impl::tile_sum<nvshmem_impl::group>(team, src, dst, start_coord, boundary, nvshmem_impl::root_of<Algo>(root)); \
    } \
    template <class Src, class Dst, class Tuple, tile_coll_algo_t Algo> __device__ inline int tile_sum_rooted_reduce##scope(nvshmem_team_t team, Src src, Dst dst, Tuple start_coord, Tuple boundary, int root, uint64_t) { \
        return nvshmem_impl::tile_sum<nvshmem_impl::group>(team, src, dst, start_coord, boundary, root); \
    } \
    template <class Src, class Dst, class Tuple, tile_coll_algo_t Algo> __device__ inline int tile_sum_allreduce##scope(nvshmem_team_t team, Src src, Dst dst, Tuple start_coord, Tuple boundary, uint64_t) { \
        return nvshmem_impl::tile_sum<nvshmem_impl::group>(team, src, dst, start_coord, boundary, -1); \
    } \
    template <class Src, class Dst, class Tuple, tile_coll_algo_t Algo> __device__ inline int tile_allgather##scope(nvshmem_team_t team, Src src, Dst dst, Tuple start_coord, Tuple boundary, uint64_t) { \
        return nvshmem_impl::tile_gather<nvshmem_impl::group>(team, src, dst, start_coord, boundary); \
    } \
    /* The calls above are complete when they return. */ \
    template <tile_coll_algo_t Algo> __device__ inline int tile_collective_wait##scope(nvshmem_team_t, uint64_t) { return 0; }
NVSHMEM_IMPL_TILE(, by_thread)
NVSHMEM_IMPL_TILE(_warp, by_warp)
NVSHMEM_IMPL_TILE(_warpgroup, by_warpgroup)
NVSHMEM_IMPL_TILE(_block, by_block)
#undef NVSHMEM_IMPL_TILE
} // namespace nvshmemx
#endif
#undef NVSHMEM_IMPL_HD
} // extern "C++"
#endif
#endif
