
/* Contexts. The command processor may carry out long copies of single threads on any context but the default one; fence
   and quiet of the context wait for it. A context that a kernel creates is that of its block. */
enum { OF_KERNEL = 0x8000, @CONTEXTS@ };
SHMEM_IMPL_INLINE u32 number_of(shmem_ctx_t ctx) {
    u32 number = (u32)(u64)ctx & ((1u << SHMEM_IMPL_CTX_BITS) - 1);
    if (number & OF_KERNEL) return number % OF_KERNEL <= OTHER_CONTEXTS ? number % OF_KERNEL : 0;
    return ctx == SHMEM_CTX_DEFAULT || ctx == SHMEM_CTX_INVALID ? 0 : 1 + number % OTHER_CONTEXTS;
}
SHMEM_IMPL_INLINE int context_create(long options, shmem_ctx_t *ctx) {
    (void)options;
    *ctx = (shmem_ctx_t)(u64)(OF_KERNEL + context_of_block());
    return 0;
}
SHMEM_IMPL_INLINE void context_put_nbi_thread(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe) {
    u32 number = number_of(ctx);
    if (number && bytes >= context.put_to_processor && leave_put(number, address(dest), address(source), bytes, (u32)pe)) return;
    put_nbi_thread(dest, source, bytes, pe);
}
SHMEM_IMPL_INLINE void context_get_nbi_thread(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, int pe) {
    u32 number = number_of(ctx);
    if (number && bytes >= context.get_to_processor && leave_get(number, address(dest), address(source), bytes, (u32)pe)) return;
    get_nbi_thread(dest, source, bytes, pe);
}
SHMEM_IMPL_INLINE void context_put_signal_nbi_thread(shmem_ctx_t ctx, void *dest, const void *source, size_t bytes, uint64_t *sig, uint64_t value, int op, int pe) {
    u32 number = number_of(ctx);
    check_signal_op(op);
    if (number && bytes >= context.put_to_processor && leave_put_signal(number, address(dest), address(source), bytes, address(sig), value, op != SHMEM_SIGNAL_SET, (u32)pe)) return;
    put_signal_nbi_thread(dest, source, bytes, sig, value, op, pe);
}
SHMEM_IMPL_INLINE void finish_left(shmem_ctx_t ctx) {
    u32 number = number_of(ctx);
    if (number && context.processor) leave_finish(number);
}
SHMEM_IMPL_INLINE void context_fence_thread(shmem_ctx_t ctx) { fence_thread(); finish_left(ctx); }
SHMEM_IMPL_INLINE void context_quiet_thread(shmem_ctx_t ctx) { quiet_thread(); finish_left(ctx); }
SHMEM_IMPL_INLINE void context_quiet_pes(shmem_ctx_t ctx, const int *target_pes, size_t npes) {
    quiet_pes(target_pes, npes);
    if (npes > 0) finish_left(ctx);
}
/* Warps and blocks copy themselves. */
#define SHMEM_IMPL_SCOPE(scope) \
    SHMEM_IMPL_INLINE void context_put_nbi_##scope(shmem_ctx_t, void *dest, const void *source, size_t bytes, int pe) { put_nbi_##scope(dest, source, bytes, pe); } \
    SHMEM_IMPL_INLINE void context_get_nbi_##scope(shmem_ctx_t, void *dest, const void *source, size_t bytes, int pe) { get_nbi_##scope(dest, source, bytes, pe); } \
    SHMEM_IMPL_INLINE void context_put_signal_nbi_##scope(shmem_ctx_t, void *dest, const void *source, size_t bytes, uint64_t *sig, uint64_t value, int op, int pe) { put_signal_nbi_##scope(dest, source, bytes, sig, value, op, pe); } \
    SHMEM_IMPL_INLINE void context_fence_##scope(shmem_ctx_t ctx) { meet_##scope(); if (lane_##scope() == 0) context_fence_thread(ctx); meet_##scope(); } \
    SHMEM_IMPL_INLINE void context_quiet_##scope(shmem_ctx_t ctx) { meet_##scope(); if (lane_##scope() == 0) context_quiet_thread(ctx); meet_##scope(); }
SHMEM_IMPL_SCOPE(warp)
SHMEM_IMPL_SCOPE(block)
#undef SHMEM_IMPL_SCOPE
