//! Barrier between PEs: dissemination with a radix, so that few PEs meet in one step and many in a logarithm of steps.
//!
//! In step `k` with distance `d = radix^k`, PE `i` signals the PEs `i + j*d` and waits for the PEs `i - j*d`, for `j`
//! in `1..radix`, modulo the number of PEs. After the last step every PE has heard, directly or through others, of all.
//!
//! A signal adds 1 to the receiver's counter of the step, which only grows, so one that comes before its receiver
//! enters the barrier is not lost, and nothing is ever reset. The receiver waits until the counter has grown by the
//! number of senders for each barrier so far. So the sender need not load the barrier's number before its fence, and
//! the receiver looks at one word.
//!
//! *Why a counter does not mix up barriers*: let barrier `e` be one that nobody has left. Then nobody has added more
//! than `e` times to any counter of step `k`, so a counter that has reached `e` times its senders has had all their
//! additions. Once a PE has left `e`, all PEs have entered it, and an addition of barrier `e + 1` that a receiver still
//! in `e` counts comes from a PE that has left `e`: it tells even more than the one it stands in for, and through it
//! (its acquires, then its release) the receiver sees what all PEs wrote before they entered.
//!
//! *Why the barrier orders memory*: before its signals every lane executes [`Memory::release`], and each wait ends with
//! an acquire of what the signals wrote; the steps chain these pairs from every PE to every other.
//!
//! *When a peer dies* the wait ends by the limit of [`Memory::wait`], which does not return.

/// Where the signals are kept, and which participants this PE has.
pub trait Memory {
    /// This participant's number among those that run the protocol together for this PE.
    fn lane(&self) -> u32;
    /// How many run it together.
    fn lanes(&self) -> u32;
    /// Orders the participants of this PE: what any did before, all see after.
    fn sync_lanes(&self);
    /// Makes all that this PE wrote before visible to whoever sees a later [`Memory::signal`] of this lane.
    fn release(&self);
    /// Tells PE `pe` that this PE has come to `step`.
    fn signal(&self, pe: u32, step: u32);
    /// Returns once `signals` PEs have told this PE that they have come to `step`, as an acquire. Number `j` of them is
    /// [`sender`]`(…, distance, j)`. Called by lane 0.
    fn wait(&self, step: u32, signals: u32, distance: u32);
}

/// PEs up to this number meet in one step.
const FLAT_PES: u32 = 16;
const RADIX: u32 = 4;

/// Most PEs of a job: distances times radix stay below 2^32.
pub const MAX_PES: u32 = 1 << 27;
/// Most steps of a barrier.
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
/// The caller completes its own outstanding operations first where it needs more than the order of its stores.
#[inline]
pub fn enter<M: Memory>(memory: &M, my_pe: u32, n_pes: u32) {
    memory.sync_lanes();
    let radix = radix(n_pes);
    let (mut step, mut distance) = (0, 1);
    while distance < n_pes {
        // In the last step, if the number of PEs is not a power of the radix, some distances would reach around.
        let mut j = memory.lane() + 1;
        if j < radix && j * distance < n_pes {
            memory.release();
        }
        while j < radix && j * distance < n_pes {
            // Sum and difference modulo `n_pes`; a division would take longer than the signal.
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
