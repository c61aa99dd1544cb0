//! The rim of a PE's cells: updated and sent by the same block, so that no other block stands between a cell's new value and
//! its way to the neighbour.

use crate::cell::Real;
use crate::layout::{Job, Shape};
use crate::step;
use cushmem_device::{Block, DevPtr, Scope, SignalOp, block_dim_x, fence, globaltimer, p, signal_op, syncthreads, thread_idx_x};

/// Updates the cells of `job` and, if `send` is set, stores them in the neighbour's halo in its buffer `to` and sets its signal to
/// `value`. Returns the time that sending took, in nanoseconds. All lanes of the block call it.
///
/// A row goes in one bulk put with a signal. A column has no two cells beside each other, here or there, so each lane puts
/// the cell that it has just computed.
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
    let bulk = job.bulk != 0;
    let mut i = thread_idx_x();
    while i < job.cells {
        let cell = (job.from + u64::from(i) * u64::from(job.step)) as usize;
        // SAFETY: the cell is one of this PE's; no other job stores it here, and the neighbour's halo cell is this job's.
        unsafe {
            let next = step::one(from.add(cell), shape.pitch as usize);
            if i >= job.own_from && i < job.own_to {
                to.add(cell).write(next);
            }
            if send && !bulk {
                p(to.add((job.to + u64::from(i) * u64::from(job.step)) as usize), next, job.pe);
            }
        }
        i += block_dim_x();
    }
    if !send {
        return 0;
    }
    syncthreads();
    let start = globaltimer();
    let signal = signals.add(job.signal as usize);
    // SAFETY: as above; the signal is symmetric, and this job's.
    unsafe {
        if bulk {
            let (halo, source) = (to.add(job.to as usize), to.add(job.from as usize));
            Block.put_signal(halo, source, job.cells as usize, signal, value, SignalOp::Set, job.pe);
        } else if thread_idx_x() == 0 {
            // The fence covers the other lanes' puts too, as the block's barrier is before it.
            fence();
            signal_op(signal, value, SignalOp::Set, job.pe);
        }
    }
    globaltimer() - start
}
