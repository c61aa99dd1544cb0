/* The operations. What is in the common case of one is in the kernel, and what is in no other case is a call. */

template <size_t> struct word_of;
template <> struct word_of<1> { typedef unsigned char type; };
template <> struct word_of<2> { typedef unsigned short type; };
template <> struct word_of<4> { typedef unsigned int type; };
template <> struct word_of<8> { typedef unsigned long long type; };

/* The bits of a value, and the value of bits. */
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE u64 bits(SHMEM_IMPL_T value) {
    union { SHMEM_IMPL_T value; typename word_of<sizeof(SHMEM_IMPL_T)>::type word; } both = { value };
    return both.word;
}
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE SHMEM_IMPL_T of_bits(u64 bits) {
    union { typename word_of<sizeof(SHMEM_IMPL_T)>::type word; SHMEM_IMPL_T value; } both = { (typename word_of<sizeof(SHMEM_IMPL_T)>::type)bits };
    return both.value;
}
SHMEM_IMPL_INLINE u64 address(const volatile void *object) { return (u64)object; }

SHMEM_IMPL_INLINE int my_pe() { told(); return (int)context.my_pe; }
SHMEM_IMPL_INLINE int n_pes() { told(); return (int)context.n_pes; }
SHMEM_IMPL_INLINE void *pointer(const void *object, int pe) {
    told();
    return (void *)reach(address(object), (u32)pe);
}

/* Has the CPU carry out an operation on a word that this GPU does not reach, and waits for it. */
SHMEM_IMPL_INLINE u64 ask_cpu(u32 what, u32 pe, u64 word, u64 operand, u64 condition) {
    u64 reply = shmem_impl_far_claim();
    shmem_impl_far_post(what, pe, word, operand, condition, reply);
    return shmem_impl_far_answer(reply);
}
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE SHMEM_IMPL_T ask(u32 op, const SHMEM_IMPL_T *word, u64 operand, u64 condition, int pe) {
    return of_bits<SHMEM_IMPL_T>(ask_cpu(op << 8 | (u32)sizeof(SHMEM_IMPL_T), (u32)pe, address(word), operand, condition));
}
/* Where all PEs are mapped, fence and quiet do not look for what the CPU does, so the lane waits. */
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE void post(u32 op, SHMEM_IMPL_T *word, u64 operand, int pe) {
    if (context.far) shmem_impl_far_post(op << 8 | (u32)sizeof(SHMEM_IMPL_T), (u32)pe, address(word), operand, 0, 0);
    else ask(op, word, operand, 0, pe);
}

/* Words of another PE. With SHMEM_IMPL_OWN, a word of this PE may be in any memory, also shared memory or a stack. */
template <bool SHMEM_IMPL_OWN = false, class SHMEM_IMPL_T> SHMEM_IMPL_INLINE void put_word(SHMEM_IMPL_T *dest, SHMEM_IMPL_T value, int pe) {
    u64 there = reach(address(dest), (u32)pe), word = bits(value);
    if (SHMEM_IMPL_OWN && there == 0 && my_pe() == pe) {
        *(volatile typename word_of<sizeof(SHMEM_IMPL_T)>::type *)dest = (typename word_of<sizeof(SHMEM_IMPL_T)>::type)word;
        return;
    }
    if (there == 0) return shmem_impl_far_post(SHMEM_IMPL_SET << 8 | (u32)sizeof(SHMEM_IMPL_T), (u32)pe, address(dest), word, 0, 0);
    if (sizeof(SHMEM_IMPL_T) == 1) store_8(there, (u32)word);
    if (sizeof(SHMEM_IMPL_T) == 2) store_16(there, (u32)word);
    if (sizeof(SHMEM_IMPL_T) == 4) store_32(there, (u32)word);
    if (sizeof(SHMEM_IMPL_T) == 8) store_64(there, word);
}
template <bool SHMEM_IMPL_OWN = false, class SHMEM_IMPL_T> SHMEM_IMPL_INLINE SHMEM_IMPL_T get_word(const SHMEM_IMPL_T *source, int pe) {
    u64 there = reach(address(source), (u32)pe);
    if (SHMEM_IMPL_OWN && there == 0 && my_pe() == pe) return of_bits<SHMEM_IMPL_T>(*(const volatile typename word_of<sizeof(SHMEM_IMPL_T)>::type *)source);
    if (there == 0) return ask(SHMEM_IMPL_FETCH, source, 0, 0, pe);
    return of_bits<SHMEM_IMPL_T>(sizeof(SHMEM_IMPL_T) == 1 ? load_8(there) : sizeof(SHMEM_IMPL_T) == 2 ? load_16(there) : sizeof(SHMEM_IMPL_T) == 4 ? load_32(there) : load_64(there));
}

/* Where the CPU is asked for copies, fence and quiet wait for it. */
SHMEM_IMPL_INLINE void fence_thread() { if (context.far) shmem_impl_far_fence(); else fence(); }
SHMEM_IMPL_INLINE void quiet_thread() { if (context.far) shmem_impl_far_quiet(); else quiet(); }

/* Ends the kernel if nothing that happens to a signal has this number. Of a constant, nothing is left here. */
SHMEM_IMPL_INLINE void check_signal_op(int op) {
    if (op != SHMEM_SIGNAL_SET && op != SHMEM_SIGNAL_ADD) refuse_signal_op((u32)op);
}
/* Updates the signal of a put, by one lane. If the CPU copies the data, it also sets the signal, or adds to it unless a
   GPU does: otherwise that would overtake the data. */
SHMEM_IMPL_INLINE void signal_behind(uint64_t *sig, uint64_t value, int op, int pe, bool is_by_cpu) {
    if (op == SHMEM_SIGNAL_SET) {
        if (is_by_cpu || !signal_set(address(sig), value, (u32)pe)) post(SHMEM_IMPL_SET_BEHIND, sig, value, pe);
    } else {
        if (is_by_cpu && reach_atomics(address(sig), (u32)pe)) shmem_impl_far_fence();
        if (!signal_add(address(sig), value, (u32)pe)) post(SHMEM_IMPL_ADD_BEHIND, sig, value, pe);
    }
}

SHMEM_IMPL_INLINE u64 part_of_chunk(u64 bytes) { return bytes < SHMEM_IMPL_CHUNK ? bytes : SHMEM_IMPL_CHUNK; }

/* Copies by a thread, a warp or a block. The loops over chunks are written in the way that costs kernels the fewest
   registers: with 64, blocks of 1,024 threads can be launched. */
#define SHMEM_IMPL_SCOPE(scope) \
    SHMEM_IMPL_INLINE u64 begin_put_##scope(u32 how, u32 pe, u64 dest, u64 source, u64 bytes) { \
        meet_##scope(); \
        if (!in_chunks_##scope(how, source, bytes)) return lane_##scope() == 0 ? shmem_impl_far_copy(how, pe, dest, source, bytes) : 0; \
        for (u64 at = 0; at < bytes; at += SHMEM_IMPL_CHUNK) shmem_impl_far_put_chunk_##scope(pe, dest + at, source + at, part_of_chunk(bytes - at)); \
        return 0; \
    } \
    SHMEM_IMPL_INLINE void end_copy_##scope(u32 how, u64 reply) { \
        if (reply) shmem_impl_far_answer(reply); \
        if (!(how & SHMEM_IMPL_NBI)) meet_##scope(); \
    } \
    SHMEM_IMPL_INLINE void far_put_##scope(u32 how, u32 pe, u64 dest, u64 source, u64 bytes) { \
        end_copy_##scope(how, begin_put_##scope(how, pe, dest, source, bytes)); \
    } \
    SHMEM_IMPL_INLINE void far_get_##scope(u32 how, u32 pe, u64 dest, u64 source, u64 bytes) { \
        u64 reply = 0; \
        meet_##scope(); \
        if (!in_chunks_##scope(how, dest, bytes)) { \
            if (lane_##scope() == 0) reply = shmem_impl_far_copy(how, pe, source, dest, bytes); \
        } else while (bytes) { \
            u64 part = part_of_chunk(bytes); \
            shmem_impl_far_get_chunk_##scope(pe, source, dest, part); \
            dest += part, source += part, bytes -= part; \
        } \
        end_copy_##scope(how, reply); \
    } \
    SHMEM_IMPL_INLINE void put_##scope(void *dest, const void *source, size_t bytes, int pe) { \
        if (!copy_to_##scope(address(dest), address(source), bytes, (u32)pe)) far_put_##scope(0, (u32)pe, address(dest), address(source), bytes); \
    } \
    SHMEM_IMPL_INLINE void get_##scope(void *dest, const void *source, size_t bytes, int pe) { \
        if (!copy_from_##scope(address(dest), address(source), bytes, (u32)pe)) far_get_##scope(SHMEM_IMPL_GET, (u32)pe, address(dest), address(source), bytes); \
    } \
    SHMEM_IMPL_INLINE void put_nbi_##scope(void *dest, const void *source, size_t bytes, int pe) { \
        if (!copy_to_nbi_##scope(address(dest), address(source), bytes, (u32)pe)) far_put_##scope(SHMEM_IMPL_NBI, (u32)pe, address(dest), address(source), bytes); \
    } \
    SHMEM_IMPL_INLINE void get_nbi_##scope(void *dest, const void *source, size_t bytes, int pe) { \
        if (!copy_from_nbi_##scope(address(dest), address(source), bytes, (u32)pe)) far_get_##scope(SHMEM_IMPL_GET | SHMEM_IMPL_NBI, (u32)pe, address(dest), address(source), bytes); \
    } \
    SHMEM_IMPL_INLINE void put_signal_how_##scope(void *dest, const void *source, size_t bytes, uint64_t *sig, uint64_t value, int op, int pe, u32 how) { \
        check_signal_op(op); \
        if (copy_to_##scope(address(dest), address(source), bytes, (u32)pe)) { \
            if (lane_##scope() == 0) signal_behind(sig, value, op, pe, false); \
        } else { \
            u64 reply = begin_put_##scope(how, (u32)pe, address(dest), address(source), bytes); \
            if (lane_##scope() == 0) signal_behind(sig, value, op, pe, true); \
            end_copy_##scope(how, reply); \
        } \
    } \
    SHMEM_IMPL_INLINE void put_signal_##scope(void *dest, const void *source, size_t bytes, uint64_t *sig, uint64_t value, int op, int pe) { \
        put_signal_how_##scope(dest, source, bytes, sig, value, op, pe, 0); \
    } \
    SHMEM_IMPL_INLINE void put_signal_nbi_##scope(void *dest, const void *source, size_t bytes, uint64_t *sig, uint64_t value, int op, int pe) { \
        put_signal_how_##scope(dest, source, bytes, sig, value, op, pe, SHMEM_IMPL_NBI); \
    } \
    SHMEM_IMPL_INLINE void meet_by_cpu_##scope() { meet_##scope(); if (lane_##scope() == 0) shmem_impl_far_meet(); meet_##scope(); } \
    SHMEM_IMPL_INLINE void barrier_all_##scope() { told(); if (context.far) meet_by_cpu_##scope(); else barrier_##scope(); } \
    SHMEM_IMPL_INLINE void sync_all_##scope() { told(); if (context.far) meet_by_cpu_##scope(); else sync_##scope(); }
SHMEM_IMPL_SCOPE(thread)
SHMEM_IMPL_SCOPE(warp)
SHMEM_IMPL_SCOPE(block)
#undef SHMEM_IMPL_SCOPE

/* One lane executes the fence for all. */
#define SHMEM_IMPL_SCOPE(scope) \
    SHMEM_IMPL_INLINE void fence_##scope() { meet_##scope(); if (lane_##scope() == 0) fence_thread(); meet_##scope(); } \
    SHMEM_IMPL_INLINE void quiet_##scope() { meet_##scope(); if (lane_##scope() == 0) quiet_thread(); meet_##scope(); }
SHMEM_IMPL_SCOPE(warp)
SHMEM_IMPL_SCOPE(block)
#undef SHMEM_IMPL_SCOPE

/* Atomics: by this GPU, or by the CPU that is asked. */
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE SHMEM_IMPL_T atomic_fetch(const SHMEM_IMPL_T *source, int pe) { return get_word(source, pe); }
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE void atomic_set(SHMEM_IMPL_T *dest, SHMEM_IMPL_T value, int pe) { put_word(dest, value, pe); }
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE SHMEM_IMPL_T atomic_compare_swap(SHMEM_IMPL_T *dest, SHMEM_IMPL_T cond, SHMEM_IMPL_T value, int pe) {
    u64 there = reach_atomics(address(dest), (u32)pe);
    if (there == 0) return ask(SHMEM_IMPL_COMPARE_SWAP, dest, bits(value), bits(cond), pe);
    if (sizeof(SHMEM_IMPL_T) == 4) return of_bits<SHMEM_IMPL_T>(compare_swap_32(there, (u32)bits(cond), (u32)bits(value)));
    return of_bits<SHMEM_IMPL_T>(compare_swap_64(there, bits(cond), bits(value)));
}
#define SHMEM_IMPL_FETCHING(name, op) \
    template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE SHMEM_IMPL_T atomic_##name(SHMEM_IMPL_T *dest, SHMEM_IMPL_T value, int pe) { \
        u64 there = reach_atomics(address(dest), (u32)pe); \
        if (there == 0) return ask(op, dest, bits(value), 0, pe); \
        return of_bits<SHMEM_IMPL_T>(sizeof(SHMEM_IMPL_T) == 4 ? name##_32(there, (u32)bits(value)) : name##_64(there, bits(value))); \
    }
#define SHMEM_IMPL_CHANGING(name, op) \
    template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE void atomic_##name(SHMEM_IMPL_T *dest, SHMEM_IMPL_T value, int pe) { \
        u64 there = reach_atomics(address(dest), (u32)pe); \
        if (there == 0) return post(op, dest, bits(value), pe); \
        if (sizeof(SHMEM_IMPL_T) == 4) name##_32(there, (u32)bits(value)); else name##_64(there, bits(value)); \
    }
SHMEM_IMPL_FETCHING(swap, SHMEM_IMPL_SWAP)
SHMEM_IMPL_FETCHING(fetch_add, SHMEM_IMPL_ADD)
SHMEM_IMPL_FETCHING(fetch_and, SHMEM_IMPL_AND)
SHMEM_IMPL_FETCHING(fetch_or, SHMEM_IMPL_OR)
SHMEM_IMPL_FETCHING(fetch_xor, SHMEM_IMPL_XOR)
SHMEM_IMPL_CHANGING(add, SHMEM_IMPL_ADD)
SHMEM_IMPL_CHANGING(and, SHMEM_IMPL_AND)
SHMEM_IMPL_CHANGING(or, SHMEM_IMPL_OR)
SHMEM_IMPL_CHANGING(xor, SHMEM_IMPL_XOR)
#undef SHMEM_IMPL_FETCHING
#undef SHMEM_IMPL_CHANGING

SHMEM_IMPL_INLINE uint64_t signal_fetch(const uint64_t *sig) { return acquire_64(address(sig)); }

/* Waits for a word of this PE; whether it has come already. */
template <class SHMEM_IMPL_T> struct is_signed { static const bool value = (SHMEM_IMPL_T)-1 < (SHMEM_IMPL_T)0; };
#define SHMEM_IMPL_WAIT(size, is, kind) \
    if (sizeof(SHMEM_IMPL_T) == size && is_signed<SHMEM_IMPL_T>::value == is) { \
        looked now = look_##kind(address(ivar), (u32)cmp, (word)bits(value)); \
        return of_bits<SHMEM_IMPL_T>(now.found ? now.word : wait_##kind(address(ivar), (u32)cmp, (word)bits(value))); \
    }
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE SHMEM_IMPL_T wait_until(const SHMEM_IMPL_T *ivar, int cmp, SHMEM_IMPL_T value) {
    typedef typename word_of<sizeof(SHMEM_IMPL_T) < 4 ? 4 : sizeof(SHMEM_IMPL_T)>::type word;
    SHMEM_IMPL_WAIT(2, true, i16)
    SHMEM_IMPL_WAIT(2, false, u16)
    SHMEM_IMPL_WAIT(4, true, i32)
    SHMEM_IMPL_WAIT(4, false, u32)
    SHMEM_IMPL_WAIT(8, true, i64)
    SHMEM_IMPL_WAIT(8, false, u64)
    return 0;
}
#undef SHMEM_IMPL_WAIT
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE int test(const SHMEM_IMPL_T *ivar, int cmp, SHMEM_IMPL_T value) {
    SHMEM_IMPL_T now = of_bits<SHMEM_IMPL_T>(sizeof(SHMEM_IMPL_T) == 2 ? acquire_16(address(ivar)) : sizeof(SHMEM_IMPL_T) == 4 ? acquire_32(address(ivar)) : acquire_64(address(ivar)));
    switch (cmp) {
    case SHMEM_CMP_EQ: return now == value;
    case SHMEM_CMP_NE: return now != value;
    case SHMEM_CMP_GT: return now > value;
    case SHMEM_CMP_LE: return now <= value;
    case SHMEM_CMP_LT: return now < value;
    default: return now >= value;
    }
}
