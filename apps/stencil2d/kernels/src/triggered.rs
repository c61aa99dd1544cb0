//! All iterations in one kernel, whose halos are sent by triggers that the CPU has described and armed permanently.
//!
//! Blocks have roles as in [`crate::fused`], and what its text says about cells, bands and the rim holds here. But
//! senders put nothing themselves. All jobs of one side pack into one part of the outbox, and each bumps the side's
//! trigger, whose threshold is the number of these jobs. The last bump runs the operation: one put of the whole side,
//! followed by a signal. If this GPU cannot reach the neighbour, the proxy does the put, and no block waits for it.
//!
//! ```text
//!   job 0 of a side   update, pack, bump ┐
//!   job 1             update, pack, bump ┼▶ trigger (side, buffer) ──▶ put into the halo, then set the signal to 1
//!   job 2             update, pack, bump ┘
//! ```
//!
//! **What a trigger cannot change.** It always puts from the same place to the same place, and sets the same value. So
//! there are triggers, parts of the outbox and signals for each of the three buffers into which halos are put, and the
//! receiver resets a signal to 0 when it has seen it.
//!
//! **Why no signal is lost.** The signal of iteration `k` is reused in iteration `k + 3`. By then the neighbour has
//! seen all signals of this PE's iteration `k + 2`. This PE's senders sent those after its receiver had reported that
//! the halos of iteration `k` have arrived, which it does after it has reset the signal. The same waits order the two
//! stores.
//!
//! **Why nobody packs over data that is still to be put.** A job packs into this part of the outbox again in iteration
//! `k + 3`, when all signals of the neighbours' iteration `k + 2` have arrived. A neighbour sent those after it had
//! received what this PE sent in iteration `k`: the signals, and so the data before them.
//!
//! **A trigger that is not armed, or is not bumped often enough,** puts nothing, and the neighbour gives up after
//! [`Run::limit_ns`].

use crate::cell::Real;
use crate::fused::{Exchange, iterate};
use crate::layout::{Job, Run, Shape, Tiling};
use crate::persistent::{BUFFERS, wait_for_all};
use cushmem_device::{Block, DevPtr, DeviceTrigger, Roles, Scope, Word, block_dim_x, syncthreads, thread_idx_x};

/// Signals per buffer, one for each side.
pub const SIDES: usize = 8;

/// Sending by triggers.
#[derive(Clone, Copy)]
struct Triggers {
    /// For each buffer and each job.
    triggers: DevPtr<DeviceTrigger>,
    /// [`SIDES`] for each buffer.
    signals: DevPtr<u64>,
}

impl Exchange for Triggers {
    const OUTBOXES: u64 = BUFFERS as u64;
    #[inline(always)]
    unsafe fn send<T: Real>(self, _: DevPtr<Job>, index: usize, _: DevPtr<T>, _: DevPtr<T>, _: u64) {
        // SAFETY: the trigger of this job's side, whose part of the outbox nobody changes until the neighbour has it.
        unsafe { Block.trigger(self.triggers.add(index).read(), 1) };
    }
    #[inline(always)]
    unsafe fn receive(self, run: &Run, k: u64, _: u64, limit_ns: u64, outcome: DevPtr<u64>) -> u64 {
        let signals = self.signals.add(((k + 1) % Self::OUTBOXES) as usize * SIDES);
        // SAFETY: the words belong to the launch, and only this block waits for them.
        let limit_ns = unsafe { wait_for_all(signals, run.signals, 1, limit_ns, outcome, k) };
        let mut i = thread_idx_x();
        while i < run.signals {
            // SAFETY: a word of the launch, which no neighbour sets before this PE has reported that it is reset.
            unsafe { u64::store_relaxed_sys(signals.add(i as usize), 0) };
            i += block_dim_x();
        }
        // One lane reports for all that the halos have arrived.
        syncthreads();
        limit_ns
    }
}

/// Runs all iterations; see the module's text.
///
/// # Safety
/// The conditions of `fused::iterate`. The triggers of all PEs, for each buffer and job, put each halo cell once; they
/// are armed permanently, and `signals` are 0.
#[inline(always)]
#[allow(clippy::too_many_arguments)] // a kernel's
pub unsafe fn with_triggers<T: Real, const N: usize, const BATCH: usize>(
    fields: DevPtr<T>,
    shape: Shape,
    tiling: Tiling,
    run: Run,
    jobs: DevPtr<Job>,
    triggers: DevPtr<DeviceTrigger>,
    signals: DevPtr<u64>,
    outbox: DevPtr<T>,
    roles: Roles,
    words: DevPtr<u64>,
    progress: DevPtr<u64>,
) {
    let exchange = Triggers { triggers, signals };
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        iterate::<T, Triggers, N, BATCH>(fields, shape, tiling, run, jobs, exchange, outbox, roles, words, progress)
    };
}
