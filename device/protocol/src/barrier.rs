//! Barrier between PEs: a dissemination barrier with a radix. A few PEs meet in one step, many in a logarithmic number
//! of steps.
//!
//! In step `k` with distance `d = radix^k`, PE `i` signals the PEs `i + j*d` and waits for the PEs `i - j*d`, for `j`
//! in `1..radix`, modulo the number of PEs. After the last step every PE has heard from all others, directly or
//! indirectly.
//!
//! Each PE has one counter per step, and a signal adds 1 to the receiver's. Counters only grow and are never reset, so
//! a signal that arrives before its receiver enters the barrier is not lost. The receiver waits until the counter has
//! grown by the number of senders for each barrier so far. It therefore looks at a single word, and the sender need not
//! load the barrier's number before its fence.
//!
//! *Why a counter does not mix up barriers*: first, let barrier `e` be one that no PE has left. Then no PE has added
//! more than `e` times to any counter of step `k`, so a counter that has reached `e` times its number of senders has
//! received all their additions. Second, once a PE has left `e`, all PEs have entered it. A receiver that is still in
//! `e` may then count an addition of barrier `e + 1`. That addition comes from a PE that has left `e`, so it says even
//! more than the one that it replaces: through that PE's acquires and its later release, the receiver sees what all PEs
//! wrote before they entered.
//!
//! *Why the barrier orders memory*: every lane executes [`Memory::release`] before its signals, and each wait ends with
//! an acquire of what the signals wrote. The steps chain these pairs from every PE to every other.
//!
//! *When a peer dies*, the time limit of [`Memory::wait`] ends the wait, and `wait` does not return.

/// Where the signals are kept, and which lanes take part for this PE.
pub trait Memory {
    /// This lane's number among those that run the protocol together for this PE.
    fn lane(&self) -> u32;
    /// The number of lanes that run it together.
    fn lanes(&self) -> u32;
    /// Orders the lanes of this PE: what any lane did before the call, all lanes see after it.
    fn sync_lanes(&self);
    /// Makes everything that this PE wrote before visible to whoever sees a later [`Memory::signal`] of this lane.
    fn release(&self);
    /// Signals PE `pe` that this PE has reached `step`.
    fn signal(&self, pe: u32, step: u32);
    /// Returns, as an acquire, once `signals` PEs have signalled this PE that they have reached `step`. Number `j` of
    /// them is [`sender`]`(…, distance, j)`. Called by lane 0.
    fn wait(&self, step: u32, signals: u32, distance: u32);
}

/// Up to this many PEs meet in one step.
const FLAT_PES: u32 = 16;
const RADIX: u32 = 4;

/// The most PEs in a job: any distance times the radix stays below 2^32.
pub const MAX_PES: u32 = 1 << 27;
/// The most steps of a barrier.
pub const MAX_STEPS: u32 = 14;

const _: () =
    assert!((RADIX as u64).pow(MAX_STEPS) >= MAX_PES as u64 && MAX_PES as u64 * RADIX as u64 <= u32::MAX as u64);

/// The radix used for `n_pes` PEs.
#[inline]
pub const fn radix(n_pes: u32) -> u32 {
    if n_pes <= FLAT_PES { n_pes } else { RADIX }
}

/// The PE that signals PE `my_pe` as number `j` of a step with this distance.
#[inline]
pub const fn sender(my_pe: u32, n_pes: u32, distance: u32, j: u32) -> u32 {
    let reach = j * distance;
    if my_pe >= reach { my_pe - reach } else { my_pe + n_pes - reach }
}

/// Returns when all PEs have entered their barrier of the same number. `n_pes` is at most [`MAX_PES`].
///
/// If the caller needs more than the order of its stores, it completes its outstanding operations first.
#[inline]
pub fn enter<M: Memory>(memory: &M, my_pe: u32, n_pes: u32) {
    memory.sync_lanes();
    let radix = radix(n_pes);
    let (mut step, mut distance) = (0, 1);
    while distance < n_pes {
        // If the number of PEs is not a power of the radix, some distances of the last step would wrap around.
        let mut j = memory.lane() + 1;
        if j < radix && j * distance < n_pes {
            memory.release();
        }
        while j < radix && j * distance < n_pes {
            // Sum and difference modulo `n_pes`: a division would take longer than the signal.
            let ahead = my_pe + j * distance;
            memory.signal(if ahead < n_pes { ahead } else { ahead - n_pes }, step);
            j += memory.lanes();
        }
        if memory.lane() == 0 {
            let mut signals = 1;
            while signals + 1 < radix && (signals + 1) * distance < n_pes {
                signals += 1;
            }
            memory.wait(step, signals, distance);
        }
        memory.sync_lanes();
        step += 1;
        distance *= radix;
    }
}
