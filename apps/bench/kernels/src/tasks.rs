//! The function of the rows for puts with a task.

use cushmem_device::{Block, Scope, atomic_add, globaltimer, my_pe, tasks};

tasks! {
    /// Adds 1 to word 0 of a buffer, and to word 1 the nanoseconds that this took.
    pub unsafe fn add_one(task: Task, words: u32) {
        if Block.lane() == 0 {
            let (words, start) = (task.buffer::<u64>(words), globaltimer());
            atomic_add(words, 1, my_pe());
            atomic_add(words.add(1), globaltimer().wrapping_sub(start), my_pe());
        }
    }

    /// Adds 1 to word 0 of a buffer.
    pub unsafe fn count(task: Task, words: u32) {
        if Block.lane() == 0 {
            atomic_add(task.buffer::<u64>(words), 1, my_pe());
        }
    }
}
