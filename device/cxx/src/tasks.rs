//! Puts with a task, and executors. The header `shmemx_tasks.cuh` has what people call.

use crate::Looked;
use cushmem_device::cxx_tasks;

exports! {
    /// Ends the kernel if nobody can carry out the task. Returns the address of its data, or 0, and whether they travel
    /// in its slot.
    fn task_check(
        queue: u64, function: u32, buffer: u32, offset: u64, src: u64, bytes: u64, done: u64, signal: u32, pe: u32,
    ) -> Looked {
        let (word, is_inline) = cxx_tasks::check(queue, function, [buffer, signal, pe], offset, src, bytes, done);
        Looked { word, found: is_inline.into() }
    }
    /// The first word of a task.
    fn task_head(function: u32, signal: u32) -> u64 { cxx_tasks::head(function, signal) }
    /// The data or the signal of a task, as one of its words.
    fn task_place(address: u64) -> u64 { cxx_tasks::place(address) }
    /// Takes a slot at a PE.
    fn task_claim(queue: u64, pe: u32) -> Looked {
        let (word, found) = cxx_tasks::claim(queue, pe);
        Looked { word, found }
    }
    /// The same in a job in which not all PEs are mapped.
    fn far_task_claim(queue: u64, pe: u32) -> Looked {
        let (word, found) = cxx_tasks::claim(queue, pe);
        Looked { word, found }
    }
    /// Stores the words of a task.
    fn task_store(
        there: u64, ready: u64, head: u64, data: u64, bytes: u64, done: u64, value: u64,
        a: u64, b: u64, c: u64, d: u64, e: u64, f: u64,
    ) {
        cxx_tasks::store(there, ready, [head, data, bytes, done, value], [a, b, c, d, e, f])
    }
    /// Puts a task whose data travel in its slot, from one lane with which all others of its scope have synchronised.
    fn task_send_inline(
        queue: u64, pe: u32, src: u64, head: u64, data: u64, bytes: u64, done: u64, value: u64,
        a: u64, b: u64, c: u64, d: u64, e: u64, f: u64,
    ) {
        cxx_tasks::send_inline(queue, pe, src, [head, data, bytes, done, value], [a, b, c, d, e, f])
    }
    /// Has the CPU put the words of a task.
    fn far_task_words(
        slot: u64, head: u64, data: u64, bytes: u64, done: u64, value: u64,
        a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, pe: u32,
    ) {
        cxx_tasks::put_words(slot, [head, data, bytes, done, value], [a, b, c, d, e, f], pe)
    }
    /// This PE's part of a buffer.
    fn task_buffer(queue: u64, buffer: u32) -> u64 { cxx_tasks::buffer(queue, buffer) }
    /// Begins an executor.
    fn task_begin(executor: u64, queue: u64, launch: u64, longest_ns: u64, shared: u32) {
        cxx_tasks::begin(executor, queue, launch, longest_ns, shared)
    }
    /// Waits for the next task.
    fn task_find(executor: u64, task: u64) -> bool { cxx_tasks::find(executor, task) }
    /// Ends it.
    fn task_end(executor: u64) { cxx_tasks::end(executor) }
    /// The same in a job in which not all PEs are mapped.
    fn far_task_end(executor: u64) { cxx_tasks::end(executor) }
}
