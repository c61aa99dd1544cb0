//! The rim of a PE's cells: updated and sent by the same block, so that no other block stands between a cell's new value and
//! its way to the neighbour.

use crate::cell::Real;
use crate::layout::{Job, Shape};
use crate::step;
use cushmem_device::{DevPtr, SignalOp, block_dim_x, fence, globaltimer, p, signal_op, syncthreads, thread_idx_x};

/// Updates the cells of `job` and, if `send` is set, stores them in the neighbour's halo in its buffer `to` and sets its signal to
/// `value`. Returns the time from the last cell to the signal, in nanoseconds. All lanes of the block call it.
///
/// Each lane puts the cell that it has just computed: a row's cells leave in full lines, a column's one by one, and neither
/// has to be read again.
///
/// # Safety
/// As for `persistent::iterate`, which orders everything.
#[inline(always)]
pub unsafe fn run<T: Real>(
    job: Job,
    from: DevPtr<T>,
    to: DevPtr<T>,
    shape: Shape,
    signals: DevPtr<u64>,
    value: u64,
    send: bool,
) -> u64 {
    let mut i = thread_idx_x();
    while i < job.cells {
        let distance = u64::from(i) * u64::from(job.step);
        let cell = (job.from + distance) as usize;
        // SAFETY: the cell is one of this PE's; no other job stores it here, and the neighbour's halo cell is this job's.
        unsafe {
            let next = step::one(from.add(cell), shape.pitch as usize);
            if i >= job.own_from && i < job.own_to {
                to.add(cell).write(next);
            }
            if send {
                p(to.add((job.to + distance) as usize), next, job.pe);
            }
        }
        i += block_dim_x();
    }
    if !send {
        return 0;
    }
    let start = globaltimer();
    syncthreads();
    if thread_idx_x() == 0 {
        // The fence covers the other lanes' puts too, as the block's barrier is before it.
        fence();
        // SAFETY: the signal is symmetric, and this job's.
        unsafe { signal_op(signals.add(job.signal as usize), value, SignalOp::Set, job.pe) };
    }
    globaltimer() - start
}
