
/* What waits and tests of several words want. */
enum { ALL_OF, ANY_OF, SOME_OF };

/* Strided elements. Where this GPU does not reach the PE, the CPU gets one command for all elements. It does not reach
   shared memory and stacks of lanes: from and to these, the lanes have it store or fetch each word. This loop is that of
   `by_words` in device/src/strided.rs, whose body would give kernels that are linked 112 registers instead of 62. */
template <size_t BYTES> SHMEM_IMPL_CALLED void strided_by_cpu(u32 how, u32 scope, u64 dest, u64 source, u64 dst, u64 sst, u64 n, u32 pe) {
    typedef typename word_of<BYTES < 8 ? BYTES : 8>::type word;
    enum { WORDS = BYTES / sizeof(word) };
    u64 there = how == SHMEM_IMPL_GET ? source : dest, here = how == SHMEM_IMPL_GET ? dest : source;
    meet_scope(scope);
    if (in_chunks_thread(SHMEM_IMPL_GET, here, n)) {
        for (u64 i = lane_of(scope); i < n * WORDS; i += lane_count(scope)) {
            word *to = (word *)(dest + i / WORDS * dst * BYTES) + i % WORDS;
            const word *from = (const word *)(source + i / WORDS * sst * BYTES) + i % WORDS;
            if (how == SHMEM_IMPL_GET) *to = get_word(from, (int)pe); else put_word(to, *from, (int)pe);
        }
    } else if (lane_of(scope) == 0) {
        u64 reply = shmem_impl_far_strided(how, pe, there, here, n, dst, sst, BYTES);
        if (reply) shmem_impl_far_answer(reply);
    }
    meet_scope(scope);
}
#define SHMEM_IMPL_STRIDED(name, how) \
    template <size_t BYTES> SHMEM_IMPL_INLINE void i##name(u32 scope, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { \
        if (context.far && (nelems == 0 || (dst > 0 && sst > 0)) && !reach(address(how == SHMEM_IMPL_GET ? source : dest), (u32)pe)) \
            return strided_by_cpu<BYTES>(how, scope, address(dest), address(source), (u64)dst, (u64)sst, nelems, (u32)pe); \
        if (BYTES == 1) i##name##_8(scope, address(dest), address(source), (u64)dst, (u64)sst, nelems, (u32)pe); \
        if (BYTES == 2) i##name##_16(scope, address(dest), address(source), (u64)dst, (u64)sst, nelems, (u32)pe); \
        if (BYTES == 4) i##name##_32(scope, address(dest), address(source), (u64)dst, (u64)sst, nelems, (u32)pe); \
        if (BYTES == 8) i##name##_64(scope, address(dest), address(source), (u64)dst, (u64)sst, nelems, (u32)pe); \
        if (BYTES == 16) i##name##_128(scope, address(dest), address(source), (u64)dst, (u64)sst, nelems, (u32)pe); \
    }
SHMEM_IMPL_STRIDED(put, 0)
SHMEM_IMPL_STRIDED(get, SHMEM_IMPL_GET)
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
