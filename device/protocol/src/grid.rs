//! Barrier between the blocks of a cooperative kernel: a single counter, which can be reused without a reset.
//!
//! Bit 31 of the counter is the phase. Each block's leader adds 1, except the leader of block 0, which adds the amount
//! that completes a flip of the phase: `2^31 - (blocks - 1)`. So exactly the last arrival flips the phase, whatever the
//! order of arrival, and every leader waits until the phase differs from the one that it saw on arrival. The low bits
//! return to zero with each flip (modulo 2^31), which is why the counter needs no reset.
//!
//! If something is to be done between the arrival of the last block and the departure of the first ([`arrive`]), each
//! leader adds 1, and the one that finds all others there flips the phase when that is done. A phase is of one kind or
//! the other, and both leave the low bits at zero, so a kernel may use both in turn.
//!
//! *Order*: the addition is acquire-release and the wait is an acquire. What a block's lanes did before the barrier is
//! ordered before their leader's addition by the block's own barrier, so every block sees it afterwards.

/// The counter and the block around it.
pub trait Counter {
    /// Adds `n` and returns the previous value; acquire-release among the GPU's blocks.
    fn add(&self, n: u32) -> u32;
    /// Returns once bit 31 of the counter differs from that of `before`, as an acquire.
    fn wait_phase_change(&self, before: u32);
}

/// The bit that flips.
pub const PHASE: u32 = 1 << 31;

/// Called by one leader of each block; returns when all leaders have called it.
#[inline]
pub fn enter<C: Counter>(counter: &C, block: u64, blocks: u64) {
    let step = if block == 0 { PHASE - (blocks as u32 - 1) } else { 1 };
    let before = counter.add(step);
    counter.wait_phase_change(before);
}

/// Called by one leader of each block, instead of [`enter`], if the last one to arrive does something before the
/// others go on. Returns `true` to that leader, which then calls [`let_go`]. It returns `false` to the others, when it
/// has done so.
#[inline]
pub fn arrive<C: Counter>(counter: &C, blocks: u64) -> bool {
    let before = counter.add(1);
    let is_last = before & (PHASE - 1) == blocks as u32 - 1;
    if !is_last {
        counter.wait_phase_change(before);
    }
    is_last
}

/// Flips the phase for the others. The low bits, which are the number of blocks, return to zero.
#[inline]
pub fn let_go<C: Counter>(counter: &C, blocks: u64) {
    counter.add(PHASE - blocks as u32);
}

/// Whether the phase changed between the two values.
#[inline]
pub const fn phase_changed(before: u32, now: u32) -> bool {
    (before ^ now) & PHASE != 0
}
