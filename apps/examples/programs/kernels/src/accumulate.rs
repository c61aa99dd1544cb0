//! `accumulate`: adding numbers to those of another PE, as a task and as a kernel that the target's CPU launches.

use cushmem_device::{Block, DevPtr, Scope, tasks};

tasks! {
    /// Adds the numbers that came to the sums, which are a buffer.
    pub unsafe fn accumulate(task: Task, sums: u32) {
        super::add(task.buffer(sums), task.data(), task.len::<u64>(), Block.lane(), Block.lanes());
    }
}

/// Adds `n` numbers to sums: of `lanes` lanes, this one takes each `lanes`th.
///
/// # Safety
/// `sums` and `numbers` have `n` elements.
#[inline(always)]
pub(crate) unsafe fn add(sums: DevPtr<u64>, numbers: DevPtr<u64>, n: usize, lane: usize, lanes: usize) {
    let mut i = lane;
    while i < n {
        // SAFETY: the caller guarantees the elements.
        unsafe { sums.add(i).write(sums.add(i).read().wrapping_add(numbers.add(i).read())) };
        i += lanes;
    }
}
