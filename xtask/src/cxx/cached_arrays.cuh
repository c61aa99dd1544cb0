
/* Arrays larger than a GPU. shmemx_arrays.cuh has what people call. An element is accessed in the kernel where it is, or in
   a line that is at hand; all else is a call. */
#define SHMEM_IMPL_OF_ARRAY u64 head, u64 data, u64 states, u64 own, u64 len, u64 per_pe, u64 first, u64 direct, u64 shape
#define SHMEM_IMPL_ARRAY head, data, states, own, len, per_pe, first, direct, shape
SHMEM_IMPL_INLINE u64 access_apart(u64 head, u64 data, u64 states, u64 shape, u64 index, u64 how, u64 value, u32 bytes_log) {
    if (context.far) return shmem_impl_far_array_apart(head, data, states, shape, index, how, value, bytes_log);
    return array_apart(head, data, states, shape, index, how, value, bytes_log);
}
template <size_t> struct elements_of;
#define SHMEM_IMPL_ELEMENTS(bytes, bytes_log, width) \
    template <> struct elements_of<bytes> { \
        typedef word_of<bytes>::type word; \
        SHMEM_IMPL_INLINE looked place(SHMEM_IMPL_OF_ARRAY, u64 index, u32 needed) { return array_place_##width(SHMEM_IMPL_ARRAY, index, needed); } \
        SHMEM_IMPL_INLINE u64 read(SHMEM_IMPL_OF_ARRAY, u64 index) { \
            looked here = array_read_##width(SHMEM_IMPL_ARRAY, index); \
            if (here.found) return here.word; \
            if (here.word != SHMEM_IMPL_ELSEWHERE) return access_apart(head, data, states, shape, index, here.word << 32, 0, bytes_log); \
            here = place(SHMEM_IMPL_ARRAY, index, SHMEM_IMPL_READS); \
            return get_word((const word *)here.word, (int)here.found); \
        } \
        SHMEM_IMPL_INLINE void write(SHMEM_IMPL_OF_ARRAY, u64 index, u64 value) { \
            looked here = array_write_##width(SHMEM_IMPL_ARRAY, index, value); \
            if (here.found) return; \
            if (here.word != SHMEM_IMPL_ELSEWHERE) { \
                access_apart(head, data, states, shape, index, here.word << 32 | 1, value, bytes_log); \
                return; \
            } \
            here = place(SHMEM_IMPL_ARRAY, index, SHMEM_IMPL_WRITES); \
            put_word((word *)here.word, (word)value, (int)here.found); \
        } \
    };
SHMEM_IMPL_ELEMENTS(1, 0, 8)
SHMEM_IMPL_ELEMENTS(2, 1, 16)
SHMEM_IMPL_ELEMENTS(4, 2, 32)
SHMEM_IMPL_ELEMENTS(8, 3, 64)
#undef SHMEM_IMPL_ELEMENTS
/* By an atomic operation where the element is. */
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE void add_to_element(SHMEM_IMPL_OF_ARRAY, u64 index, SHMEM_IMPL_T value) {
    looked place = elements_of<sizeof(SHMEM_IMPL_T)>::place(SHMEM_IMPL_ARRAY, index, SHMEM_IMPL_ADDS);
    SHMEM_IMPL_T *element = (SHMEM_IMPL_T *)place.word;
    if ((SHMEM_IMPL_T)0.5 == (SHMEM_IMPL_T)0) atomic_add(element, value, (int)place.found);
    else atomic_add_float(element, value, (int)place.found);
}
#undef SHMEM_IMPL_OF_ARRAY
#undef SHMEM_IMPL_ARRAY
#define SHMEM_IMPL_SCOPE(scope) \
    SHMEM_IMPL_INLINE void flush_array_##scope(u64 head) { \
        if (context.far) shmem_impl_far_array_flush(scope_##scope(), head); \
        else array_flush(scope_##scope(), head); \
    } \
    SHMEM_IMPL_INLINE void invalidate_array_##scope(u64 head) { array_invalidate(scope_##scope(), head); }
SHMEM_IMPL_SCOPE(thread)
SHMEM_IMPL_SCOPE(warp)
SHMEM_IMPL_SCOPE(block)
#undef SHMEM_IMPL_SCOPE
