//! The rim of a PE's cells. The same block updates and sends a cell, so that its new value goes to the neighbour
//! without involving another block.

use crate::cell::{Real, Row, updated};
use crate::layout::Job;
use cushmem_device::{
    DevPtr, Lanes, Scope, SignalOp, Word, block_dim_x, block_idx_x, globaltimer, grid_dim_x, syncthreads, thread_idx_x,
};

/// Updates the cells of `job`. If `job` `sends` them, also packs them into the outbox and calls `send`. Lane 0 adds the
/// time since the last cell to `sending_ns`, if it is given. All lanes of the block call it.
///
/// Whether they are a row or a column, the cells are packed and sent as one contiguous block, followed by the signal.
///
/// # Safety
/// The conditions of `persistent::iterate`, which orders everything.
#[inline(always)]
pub unsafe fn run<T: Real>(
    job: DevPtr<Job>,
    from: DevPtr<T>,
    to: DevPtr<T>,
    outbox: DevPtr<T>,
    sends: bool,
    sending_ns: Option<DevPtr<u64>>,
    send: impl FnOnce(),
) {
    // The job's fields are loaded again from the cache where they are needed: its numbers would otherwise take
    // registers from the update of tiles. SAFETY: a job of the launch, which nobody changes.
    let read = || unsafe { job.read() };
    let mut i = thread_idx_x();
    while i < read().cells {
        let job = read();
        // SAFETY: the cell is one of this PE's; no other job stores it here, and the part of the outbox belongs to this
        // job.
        unsafe {
            let next = next(from, &job, i);
            if i >= job.own_from && i < job.own_to {
                to.add(job.cell(i) as usize).write(next);
            }
            if sends {
                outbox.add((job.packed + u64::from(i)) as usize).write(next);
            }
        }
        i += block_dim_x();
    }
    if !sends {
        return;
    }
    // SAFETY: the caller passes a word that only lane 0 of this block uses.
    unsafe { begin(sending_ns) };
    // Each lane sends what others have packed.
    syncthreads();
    send();
    // SAFETY: it is the word with which `begin` was called.
    unsafe { end(sending_ns) };
}

/// Updates and packs all jobs of the rim, and resets signals to 0 that were seen before the launch.
///
/// # Safety
/// `from` and `to` are buffers of the shape for which the `count` jobs were made, and `outbox` has a part for each;
/// `seen` are `signals` words. Nobody else stores to what jobs read or store, or to the signals, at the same time.
#[inline(always)]
pub unsafe fn all<T: Real>(
    from: DevPtr<T>,
    to: DevPtr<T>,
    jobs: DevPtr<Job>,
    count: u32,
    outbox: DevPtr<T>,
    seen: DevPtr<u64>,
    signals: u32,
) {
    let mut number = block_idx_x();
    if number == 0 && thread_idx_x() < signals {
        // SAFETY: one of the signals.
        unsafe { u64::store_relaxed_sys(seen.add(thread_idx_x() as usize), 0) };
    }
    while number < count {
        // SAFETY: the caller guarantees what this requires of buffers and jobs.
        unsafe { run(jobs.add(number as usize), from, to, outbox, true, None, || {}) };
        number += grid_dim_x();
    }
}

/// Puts what `job` has packed into the neighbour's halo in its buffer `to`, and sets its signal to `value`. All lanes
/// of the block call it.
///
/// # Safety
/// The conditions of `persistent::iterate`; the lanes have synchronised since they packed.
#[inline(always)]
pub unsafe fn put<T: Real>(job: DevPtr<Job>, to: DevPtr<T>, outbox: DevPtr<T>, signals: DevPtr<u64>, value: u64) {
    // SAFETY: a job of the launch, which nobody changes.
    let job = unsafe { job.read() };
    let (to, packed) = (to.add(job.to as usize), outbox.add(job.packed as usize));
    let signal = signals.add(job.signal as usize);
    // SAFETY: the neighbour's halo cells and the signal are symmetric, and belong to this job.
    unsafe { Lanes(job.lanes).put_signal(to, packed, job.cells as usize, signal, value, SignalOp::Set, job.pe) };
}

/// Starts a measurement: [`end`] adds the time that has passed. The time is kept in memory because registers are
/// scarce.
///
/// # Safety
/// The word is valid, and only lane 0 of this block uses it.
#[inline(always)]
pub unsafe fn begin(ns: Option<DevPtr<u64>>) {
    if let Some(word) = ns
        && thread_idx_x() == 0
    {
        // SAFETY: the caller guarantees that the word is valid.
        unsafe { word.write(word.read().wrapping_sub(globaltimer())) };
    }
}

/// Ends the measurement that [`begin`] started.
///
/// # Safety
/// The conditions of [`begin`].
#[inline(always)]
pub unsafe fn end(ns: Option<DevPtr<u64>>) {
    if let Some(word) = ns
        && thread_idx_x() == 0
    {
        // SAFETY: the caller guarantees that the word is valid.
        unsafe { word.write(word.read().wrapping_add(globaltimer())) };
    }
}

/// The next value of a cell of the job.
///
/// # Safety
/// The cell is one of this PE's, and nobody writes those around it at the same time.
#[inline(always)]
unsafe fn next<T: Real>(from: DevPtr<T>, job: &Job, i: u32) -> T {
    let [west, middle, east] = job.columns(i);
    let cell = |(first, step): (u64, u32), below: u32| {
        // SAFETY: a cell of the ring, or one of this PE's.
        unsafe { from.add((first + u64::from(below * step)) as usize).read() }
    };
    let line = |below| Row::new(cell(west, below), cell(middle, below), cell(east, below));
    updated(line(0), line(1), line(2))
}
