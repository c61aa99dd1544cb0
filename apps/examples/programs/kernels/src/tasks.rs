//! The tasks of all programs.

use crate::{accumulate, allreduce};
use cushmem_device::{Block, Scope, tasks};

tasks! {
    /// Adds the numbers that came to the sums from the first one on, which are a buffer.
    pub unsafe fn accumulate_task(task: Task, sums: u32, first: u64) {
        accumulate::add(task.buffer(sums).add(first as usize), task.data(), task.len::<u64>(), Block.lane(), Block.lanes());
    }

    /// See [`allreduce::add_part`]. The arguments are buffers, and where the part begins in `dest`.
    pub unsafe fn allreduce_task(task: Task, sums: u32, count: u32, dest: u32, come: u32, first: u64) {
        let (sums, count, dest, come) = (task.buffer(sums), task.buffer(count), task.buffer(dest), task.buffer(come));
        allreduce::add_part(task.data(), task.len::<f32>(), sums, count, dest.add(first as usize), come);
    }
}
