/* With SHMEMX_RECORDED, kernels call these instead of what has the same name in shmem_impl_device, and what they do is in
   the timeline. What an operation consists of is not recorded, nor are atomic operations and g. */
} // namespace shmem_impl_device
namespace shmem_impl_recorded {
using namespace shmem_impl_device;
enum { @NUMBERS@ };
/* An operation begins: where it is recorded, or 0 if this thread does not. */
SHMEM_IMPL_INLINE u64 begun(u32 scope) { return context.record ? shmem_impl_record_begin(scope) : 0; }
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE u64 begun(const all_blocks<SHMEM_IMPL_GRID> &) { return begun(scope_block()); }
/* What the CPU carries out has its word in the record of the CPU. */
SHMEM_IMPL_INLINE u64 near_word(const volatile void *word, int pe) { return reach(address(word), (u32)pe) ? address(word) : 0; }
#define SHMEM_IMPL_AROUND(scope, call, operation, pe, bytes, word) \
    u64 slot = begun(scope); \
    call; \
    if (slot) shmem_impl_record_end(slot, operation, pe, bytes, word)

/* By a thread. Of routines that have another name here, shmem_signal_set and shmem_signal_add call these two. */
#define SHMEM_IMPL_SIGNAL_SET set_signal
#define SHMEM_IMPL_SIGNAL_ADD add_to_signal
SHMEM_IMPL_INLINE void set_signal(uint64_t *sig, uint64_t value, int pe) { SHMEM_IMPL_AROUND(scope_thread(), shmem_impl_device::put_word(sig, value, pe), recorded_signal, (u32)pe, 8, near_word(sig, pe)); }
SHMEM_IMPL_INLINE void add_to_signal(uint64_t *sig, uint64_t value, int pe) { SHMEM_IMPL_AROUND(scope_thread(), shmem_impl_device::atomic_add(sig, value, pe), recorded_signal, (u32)pe, 8, near_word(sig, pe)); }
template <bool SHMEM_IMPL_OWN = false, class SHMEM_IMPL_T> SHMEM_IMPL_INLINE void put_word(SHMEM_IMPL_T *dest, SHMEM_IMPL_T value, int pe) { SHMEM_IMPL_AROUND(scope_thread(), shmem_impl_device::put_word<SHMEM_IMPL_OWN>(dest, value, pe), recorded_put, (u32)pe, sizeof(SHMEM_IMPL_T), near_word(dest, pe)); }
template <class SHMEM_IMPL_T> SHMEM_IMPL_INLINE SHMEM_IMPL_T wait_until(const SHMEM_IMPL_T *ivar, int cmp, SHMEM_IMPL_T value) { SHMEM_IMPL_AROUND(scope_thread(), SHMEM_IMPL_T found = shmem_impl_device::wait_until(ivar, cmp, value), recorded_wait, recorded_no_pe, 0, address(ivar)); return found; }
#define SHMEM_IMPL_WAIT(name, width) \
    SHMEM_IMPL_INLINE u64 wait_many_##name(u64 ivars, u64 count, u64 status, u32 cmp, u64 value, u64 each, u32 want, u64 places) { \
        SHMEM_IMPL_AROUND(scope_thread(), u64 found = shmem_impl_device::wait_many_##name(ivars, count, status, cmp, value, each, want, places), recorded_wait, recorded_no_pe, count * width, ivars); \
        return found; \
    }
@WAITS@
#undef SHMEM_IMPL_WAIT

#define SHMEM_IMPL_SCOPE(scope) \
    SHMEM_IMPL_INLINE void put_##scope(void *dest, const void *source, size_t bytes, int pe) { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::put_##scope(dest, source, bytes, pe), recorded_put, (u32)pe, bytes, 0); \
    } \
    SHMEM_IMPL_INLINE void get_##scope(void *dest, const void *source, size_t bytes, int pe) { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::get_##scope(dest, source, bytes, pe), recorded_get, (u32)pe, bytes, 0); \
    } \
    SHMEM_IMPL_INLINE void put_nbi_##scope(void *dest, const void *source, size_t bytes, int pe) { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::put_nbi_##scope(dest, source, bytes, pe), recorded_put, (u32)pe, bytes, 0); \
    } \
    SHMEM_IMPL_INLINE void get_nbi_##scope(void *dest, const void *source, size_t bytes, int pe) { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::get_nbi_##scope(dest, source, bytes, pe), recorded_get, (u32)pe, bytes, 0); \
    } \
    SHMEM_IMPL_INLINE void put_signal_##scope(void *dest, const void *source, size_t bytes, uint64_t *sig, uint64_t value, int op, int pe) { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::put_signal_##scope(dest, source, bytes, sig, value, op, pe), recorded_put_signal, (u32)pe, bytes, near_word(sig, pe)); \
    } \
    SHMEM_IMPL_INLINE void put_signal_nbi_##scope(void *dest, const void *source, size_t bytes, uint64_t *sig, uint64_t value, int op, int pe) { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::put_signal_nbi_##scope(dest, source, bytes, sig, value, op, pe), recorded_put_signal, (u32)pe, bytes, near_word(sig, pe)); \
    } \
    SHMEM_IMPL_INLINE void context_put_nbi_##scope(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe) { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::context_put_nbi_##scope(ctx, dest, source, bytes, pe), recorded_put, (u32)pe, bytes, 0); \
    } \
    SHMEM_IMPL_INLINE void context_get_nbi_##scope(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe) { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::context_get_nbi_##scope(ctx, dest, source, bytes, pe), recorded_get, (u32)pe, bytes, 0); \
    } \
    SHMEM_IMPL_INLINE void context_put_signal_nbi_##scope(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, uint64_t *sig, uint64_t value, int op, int pe) { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::context_put_signal_nbi_##scope(ctx, dest, source, bytes, sig, value, op, pe), recorded_put_signal, (u32)pe, bytes, near_word(sig, pe)); \
    } \
    SHMEM_IMPL_INLINE void quiet_##scope() { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::quiet_##scope(), recorded_quiet, recorded_no_pe, 0, 0); \
    } \
    SHMEM_IMPL_INLINE void context_quiet_##scope(shmem_ctx_t ctx) { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::context_quiet_##scope(ctx), recorded_quiet, recorded_no_pe, 0, 0); \
    } \
    SHMEM_IMPL_INLINE void barrier_all_##scope() { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::barrier_all_##scope(), recorded_barrier, recorded_no_pe, 0, 0); \
    } \
    SHMEM_IMPL_INLINE void sync_all_##scope() { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::sync_all_##scope(), recorded_sync, recorded_no_pe, 0, 0); \
    } \
    SHMEM_IMPL_INLINE void put_task_##scope(u64 queue, u32 function, u32 buffer, u64 offset, const uint64_t *arguments, uint64_t *done, uint64_t value, int op, const void *source, size_t bytes, int pe) { \
        SHMEM_IMPL_AROUND(scope_##scope(), shmem_impl_device::put_task_##scope(queue, function, buffer, offset, arguments, done, value, op, source, bytes, pe), recorded_put_task, (u32)pe, bytes, 0); \
    }
SHMEM_IMPL_SCOPE(thread)
SHMEM_IMPL_SCOPE(warp)
SHMEM_IMPL_SCOPE(block)
#undef SHMEM_IMPL_SCOPE

/* By a scope or a grid. A scope is a number. */
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE void barrier_all_grid(SHMEM_IMPL_GRID grid) { SHMEM_IMPL_AROUND(scope_block(), shmem_impl_device::barrier_all_grid(grid), recorded_barrier, recorded_no_pe, 0, 0); }
template <class SHMEM_IMPL_GRID> SHMEM_IMPL_INLINE void sync_all_grid(SHMEM_IMPL_GRID grid) { SHMEM_IMPL_AROUND(scope_block(), shmem_impl_device::sync_all_grid(grid), recorded_sync, recorded_no_pe, 0, 0); }
template <class SHMEM_IMPL_S> SHMEM_IMPL_INLINE int team_barrier(SHMEM_IMPL_S scope, shmem_team_t team) { SHMEM_IMPL_AROUND(scope, shmem_impl_device::team_barrier(scope, team), recorded_barrier, recorded_no_pe, 0, 0); return 0; }
template <class SHMEM_IMPL_S> SHMEM_IMPL_INLINE int team_sync(SHMEM_IMPL_S scope, shmem_team_t team) { SHMEM_IMPL_AROUND(scope, shmem_impl_device::team_sync(scope, team), recorded_sync, recorded_no_pe, 0, 0); return 0; }
template <class SHMEM_IMPL_S> SHMEM_IMPL_INLINE int broadcast(SHMEM_IMPL_S scope, shmem_team_t team, void *dest, const void *source, size_t bytes, int root) { SHMEM_IMPL_AROUND(scope, shmem_impl_device::broadcast(scope, team, dest, source, bytes, root), recorded_collective, recorded_no_pe, bytes, 0); return 0; }
template <class SHMEM_IMPL_S> SHMEM_IMPL_INLINE int fcollect(SHMEM_IMPL_S scope, shmem_team_t team, void *dest, const void *source, size_t bytes) { SHMEM_IMPL_AROUND(scope, shmem_impl_device::fcollect(scope, team, dest, source, bytes), recorded_collective, recorded_no_pe, bytes, 0); return 0; }
template <class SHMEM_IMPL_S> SHMEM_IMPL_INLINE int alltoall(SHMEM_IMPL_S scope, shmem_team_t team, void *dest, const void *source, size_t bytes) { SHMEM_IMPL_AROUND(scope, shmem_impl_device::alltoall(scope, team, dest, source, bytes), recorded_collective, recorded_no_pe, bytes, 0); return 0; }
template <class SHMEM_IMPL_S> SHMEM_IMPL_INLINE int alltoalls(SHMEM_IMPL_S scope, shmem_team_t team, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, size_t size) { SHMEM_IMPL_AROUND(scope, shmem_impl_device::alltoalls(scope, team, dest, source, dst, sst, nelems, size), recorded_collective, recorded_no_pe, nelems * size, 0); return 0; }
template <class SHMEM_IMPL_S> SHMEM_IMPL_INLINE int alltoallv(SHMEM_IMPL_S scope, shmem_team_t team, void *dest, const void *source, uint64_t *dest_splits, const uint64_t *source_splits, size_t nrows, size_t size) { SHMEM_IMPL_AROUND(scope, shmem_impl_device::alltoallv(scope, team, dest, source, dest_splits, source_splits, nrows, size), recorded_collective, recorded_no_pe, 0, 0); return 0; }
#define SHMEM_IMPL_REDUCTION(name) \
    template <class SHMEM_IMPL_S> SHMEM_IMPL_INLINE int reduce_##name(SHMEM_IMPL_S scope, u32 kind, u32 op, size_t width, shmem_team_t team, void *dest, const void *source, size_t n) { \
        SHMEM_IMPL_AROUND(scope, shmem_impl_device::reduce_##name(scope, kind, op, width, team, dest, source, n), recorded_collective, recorded_no_pe, n * width, 0); \
        return 0; \
    }
@REDUCTIONS@
#undef SHMEM_IMPL_REDUCTION
template <size_t BYTES> SHMEM_IMPL_INLINE void iput(u32 scope, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { SHMEM_IMPL_AROUND(scope, shmem_impl_device::iput<BYTES>(scope, dest, source, dst, sst, nelems, pe), recorded_put, (u32)pe, nelems * BYTES, 0); }
template <size_t BYTES> SHMEM_IMPL_INLINE void iget(u32 scope, void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t nelems, int pe) { SHMEM_IMPL_AROUND(scope, shmem_impl_device::iget<BYTES>(scope, dest, source, dst, sst, nelems, pe), recorded_get, (u32)pe, nelems * BYTES, 0); }
#undef SHMEM_IMPL_AROUND
} // namespace shmem_impl_recorded
namespace shmem_impl_device {
