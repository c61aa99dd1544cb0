/* Puts with a task, and what an executor does around the functions of tasks. shmemx_tasks.cuh has what people call. */
SHMEM_IMPL_INLINE looked claim_task(u64 queue, u32 pe) {
    return context.far ? shmem_impl_far_task_claim(queue, pe) : task_claim(queue, pe);
}
/* If the CPU carries the data or the slot, it also carries the other and `ready`, which comes behind them. */
SHMEM_IMPL_INLINE void send_task(u64 queue, u32 pe, bool is_by_cpu, u64 inline_source, u64 head, u64 data, u64 bytes, u64 done, u64 value, u64 a, u64 b, u64 c, u64 d, u64 e, u64 f) {
    if (inline_source) return task_send_inline(queue, pe, inline_source, head, data, bytes, done, value, a, b, c, d, e, f);
    looked place = claim_task(queue, pe);
    u64 slot = place.word, ready = place.found, there = reach(slot, pe);
    if (there && !is_by_cpu) return task_store(there, ready, head, data, bytes, done, value, a, b, c, d, e, f);
    shmem_impl_far_task_words(slot, head, data, bytes, done, value, a, b, c, d, e, f, pe);
    post(SHMEM_IMPL_SET_BEHIND, (u64 *)slot, ready, (int)pe);
}
#define SHMEM_IMPL_SCOPE(scope) \
    SHMEM_IMPL_INLINE void put_task_##scope(u64 queue, u32 function, u32 buffer, u64 offset, const uint64_t *arguments, uint64_t *done, uint64_t value, int op, const void *source, size_t bytes, int pe) { \
        u32 signal = done == 0 ? 0 : (u32)op; \
        looked checked = task_check(queue, function, buffer, offset, address(source), bytes, address(done), signal, (u32)pe); \
        u64 dest = checked.word; \
        bool is_by_cpu = false, is_inline = checked.found && !context.far; \
        if (bytes == 0 || is_inline) meet_##scope(); \
        else if (!copy_to_##scope(dest, address(source), bytes, (u32)pe)) { \
            is_by_cpu = true; \
            far_put_##scope(0, (u32)pe, dest, address(source), bytes); \
        } \
        if (lane_##scope() == 0) \
            send_task(queue, (u32)pe, is_by_cpu, is_inline ? address(source) : 0, task_head(function, signal), task_place(dest), bytes, signal ? task_place(address(done)) : 0, value, \
                      arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]); \
        meet_##scope(); \
    }
SHMEM_IMPL_SCOPE(thread)
SHMEM_IMPL_SCOPE(warp)
SHMEM_IMPL_SCOPE(block)
#undef SHMEM_IMPL_SCOPE
SHMEM_IMPL_INLINE void end_task(u64 executor) {
    if (context.far) shmem_impl_far_task_end(executor);
    else task_end(executor);
}
