//! Kernels that end the job.

use cushmem_device::{Block, Cmp, DevPtr, Scope, Thread, block_idx_x, global_exit, thread_idx_x, wait_until_for};

/// One lane ends the job with a status. The other lanes wait for a word that nobody writes, except block number
/// `meets`, counted from 1, which is in a barrier of all PEs that no other PE enters.
///
/// # Safety
/// `word` is a word that is 0.
#[inline(always)]
pub(crate) unsafe fn among_waits(word: DevPtr<u64>, status: i32, meets: u32, limit_ns: u64) {
    if block_idx_x() == 0 && thread_idx_x() == 3 {
        global_exit(status);
    }
    if block_idx_x() + 1 == meets {
        if Block.lane() == 0 {
            Thread.barrier_all();
        }
    } else {
        // SAFETY: the caller guarantees the word.
        unsafe { wait_until_for(word, Cmp::Eq, 1, limit_ns) };
    }
}
