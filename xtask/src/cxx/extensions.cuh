
/* What waits and tests of several words want. */
enum { ALL_OF, ANY_OF, SOME_OF };

/* Strided elements. They end the kernel at a PE that is not mapped: a body that asks the CPU is long. */
#define SHMEM_IMPL_STRIDED(name) \
    template <size_t BYTES> SHMEM_IMPL_INLINE void i##name(u32 scope, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { \
        if (BYTES == 1) i##name##_8(scope, address(dest), address(source), (u64)dst, (u64)sst, nelems, (u32)pe); \
        if (BYTES == 2) i##name##_16(scope, address(dest), address(source), (u64)dst, (u64)sst, nelems, (u32)pe); \
        if (BYTES == 4) i##name##_32(scope, address(dest), address(source), (u64)dst, (u64)sst, nelems, (u32)pe); \
        if (BYTES == 8) i##name##_64(scope, address(dest), address(source), (u64)dst, (u64)sst, nelems, (u32)pe); \
        if (BYTES == 16) i##name##_128(scope, address(dest), address(source), (u64)dst, (u64)sst, nelems, (u32)pe); \
    }
SHMEM_IMPL_STRIDED(put)
SHMEM_IMPL_STRIDED(get)
#undef SHMEM_IMPL_STRIDED

/* Atomics beyond those of OpenSHMEM. */
#define SHMEM_IMPL_ORDERED(name) \
    template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE void atomic_##name(SHMEM_IMPL_T *dest, SHMEM_IMPL_T value, int pe) { \
        u64 there = reach_atomics(address(dest), (u32)pe); \
        const bool is = is_signed<SHMEM_IMPL_T>::value; \
        if (there == 0) post(is ? word_##name##_signed : word_##name##_unsigned, dest, bits(value), pe); \
        else if (sizeof(SHMEM_IMPL_T) == 4 && is) name##_i32(there, (u32)bits(value)); \
        else if (sizeof(SHMEM_IMPL_T) == 4) name##_u32(there, (u32)bits(value)); \
        else if (is) name##_i64(there, bits(value)); \
        else name##_u64(there, bits(value)); \
    } \
    template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE SHMEM_IMPL_T atomic_fetch_##name(SHMEM_IMPL_T *dest, SHMEM_IMPL_T value, int pe) { \
        u64 there = reach_atomics(address(dest), (u32)pe); \
        const bool is = is_signed<SHMEM_IMPL_T>::value; \
        if (there == 0) return ask(is ? word_##name##_signed : word_##name##_unsigned, dest, bits(value), 0, pe); \
        if (sizeof(SHMEM_IMPL_T) == 4) return of_bits<SHMEM_IMPL_T>(is ? fetch_##name##_i32(there, (u32)bits(value)) : fetch_##name##_u32(there, (u32)bits(value))); \
        return of_bits<SHMEM_IMPL_T>(is ? fetch_##name##_i64(there, bits(value)) : fetch_##name##_u64(there, bits(value))); \
    }
SHMEM_IMPL_ORDERED(min)
SHMEM_IMPL_ORDERED(max)
#undef SHMEM_IMPL_ORDERED
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE void atomic_add_float(SHMEM_IMPL_T *dest, SHMEM_IMPL_T value, int pe) {
    u64 there = reach_atomics(address(dest), (u32)pe);
    if (there == 0) post(word_add_float, dest, bits(value), pe);
    else if (sizeof(SHMEM_IMPL_T) == 4) add_f32(there, (u32)bits(value));
    else add_f64(there, bits(value));
}
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE SHMEM_IMPL_T atomic_fetch_add_float(SHMEM_IMPL_T *dest, SHMEM_IMPL_T value, int pe) {
    u64 there = reach_atomics(address(dest), (u32)pe);
    if (there == 0) return ask(word_add_float, dest, bits(value), 0, pe);
    return of_bits<SHMEM_IMPL_T>(sizeof(SHMEM_IMPL_T) == 4 ? fetch_add_f32(there, (u32)bits(value)) : fetch_add_f64(there, bits(value)));
}

SHMEM_IMPL_INLINE void quiet_pes(const int *target_pes, size_t npes) {
    told();
    pe_quiet(address(target_pes), npes);
    if (context.far && npes > 0) far_quiet();
}
