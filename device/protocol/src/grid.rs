//! Barrier between the blocks of a cooperative kernel: one counter, usable again and again without a reset.
//!
//! Bit 31 of the counter is the phase. Each block's leader adds 1, except block 0's, which adds what is missing to flip
//! the phase: `2^31 - (blocks - 1)`. So exactly the last arrival flips it, in whatever order they come, and everybody
//! waits until the phase differs from the one it saw on arrival. The low bits return to zero with each flip (modulo
//! 2^31), which is why the counter needs no reset.
//!
//! *Order*: the addition is acquire-release and the wait acquires, so what a block's lanes did before (ordered before
//! its leader by the block's own barrier) is seen by every block after.

/// The counter and the block around it.
pub trait Counter {
    /// Adds `n` and returns the value before; acquire-release among the GPU's blocks.
    fn add(&self, n: u32) -> u32;
    /// Returns once bit 31 of the counter differs from that of `before`, as an acquire.
    fn wait_phase_change(&self, before: u32);
}

/// The bit that flips.
pub const PHASE: u32 = 1 << 31;

/// To be called by one leader of each block; returns when all have called it.
#[inline]
pub fn enter<C: Counter>(counter: &C, block: u64, blocks: u64) {
    let step = if block == 0 { PHASE - (blocks as u32 - 1) } else { 1 };
    let before = counter.add(step);
    counter.wait_phase_change(before);
}

/// Whether the phase changed between the two values.
#[inline]
pub const fn phase_changed(before: u32, now: u32) -> bool {
    (before ^ now) & PHASE != 0
}
