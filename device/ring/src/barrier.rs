//! Barrier between PEs: dissemination with a radix, so that few PEs meet in one step and many in a logarithm of steps.
//!
//! ```text
//! every PE:  arrivals[0 .. slots]   word s is written by exactly one peer, read by the owner
//!            epoch                  barriers entered; local
//! ```
//!
//! In step `k` with distance `d = radix^k`, PE `i` signals the PEs `i + j*d` and waits for the PEs `i - j*d`, for
//! `j` in `1..radix`, modulo the number of PEs. A signal stores the epoch into the receiver's word `(k, j)`. Words only
//! grow, so a signal that arrives before its receiver enters the barrier is not lost, and none is ever reset.
//!
//! *Why a word is never overwritten too early*: the sender stores epoch `e + 1` only after it has left barrier `e`, which
//! needs every PE to have entered `e`; a receiver that still waits for `e` accepts any value of at least `e`.
//!
//! *Why the barrier orders memory*: before each step's stores every signalling lane executes
//! [`Memory::release`], and each wait ends with an acquire of the stored epoch; the steps chain these pairs from every
//! PE to every other.
//!
//! *When a peer dies* the wait ends by the limit of [`Memory::wait`], which does not return.

use cushmem_abi::BARRIER_SLOTS;

/// Where the flags live, and who takes part on this PE.
pub trait Memory {
    /// This participant's number among those that run the protocol together for this PE.
    fn lane(&self) -> u32;
    /// How many run it together.
    fn lanes(&self) -> u32;
    /// Orders the participants of this PE: what any did before, all see after.
    fn sync_lanes(&self);
    /// Makes all that this PE wrote before visible to whoever sees a later [`Memory::signal`] of this lane.
    fn release(&self);
    /// Stores `epoch` into word `slot` of PE `pe`.
    fn signal(&self, pe: u32, slot: u32, epoch: u64);
    /// Returns once the own word `slot`, which PE `from` writes, is at least `epoch`, as an acquire.
    fn wait(&self, from: u32, slot: u32, epoch: u64);
}

/// PEs up to this number meet in one step.
const FLAT_PES: u32 = 16;
const RADIX: u32 = 4;

/// The radix used for `n_pes` PEs.
#[inline]
pub const fn radix(n_pes: u32) -> u32 {
    if n_pes <= FLAT_PES { n_pes } else { RADIX }
}

/// Most PEs of a job: distances times radix stay below 2^32.
pub const MAX_PES: u32 = 1 << 27;

/// Words that a job of `n_pes` PEs uses, at most [`BARRIER_SLOTS`].
pub const fn slots(n_pes: u32) -> u32 {
    if n_pes <= 1 {
        return 0;
    }
    let radix = radix(n_pes);
    let (mut used, mut distance) = (0, 1);
    while distance < n_pes {
        used += radix - 1;
        distance *= radix;
    }
    used
}

const _: () = assert!(slots(MAX_PES) as usize <= BARRIER_SLOTS && slots(FLAT_PES) as usize <= BARRIER_SLOTS);

/// Returns when all PEs have entered barrier `epoch`. Epochs are 1, 2, 3…, the same on every PE; `n_pes` is at most [`MAX_PES`].
///
/// The caller completes its own outstanding operations first where it needs more than the order of its stores.
#[inline]
pub fn enter<M: Memory>(memory: &M, my_pe: u32, n_pes: u32, epoch: u64) {
    memory.sync_lanes();
    let radix = radix(n_pes);
    let (mut base, mut distance) = (0, 1);
    while distance < n_pes {
        // In the last step of a job that is no power of the radix, some distances would reach around.
        let mut j = memory.lane() + 1;
        if j < radix && j * distance < n_pes {
            memory.release();
        }
        while j < radix && j * distance < n_pes {
            // Sum and difference modulo `n_pes`; a division would take longer than the signal.
            let ahead = my_pe + j * distance;
            memory.signal(if ahead < n_pes { ahead } else { ahead - n_pes }, base + j - 1, epoch);
            j += memory.lanes();
        }
        j = memory.lane() + 1;
        while j < radix && j * distance < n_pes {
            let reach = j * distance;
            memory.wait(if my_pe >= reach { my_pe - reach } else { my_pe + n_pes - reach }, base + j - 1, epoch);
            j += memory.lanes();
        }
        memory.sync_lanes();
        base += radix - 1;
        distance *= radix;
    }
}
