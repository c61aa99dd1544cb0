//! Lanes that bump triggers and post prepared operations.

use crate::mix::mix;
use cushmem_device::{
    Block, Cmp, Ctx, DevPtr, DevicePrepared, DeviceTrigger, Scope, Thread, Warp, block_dim_x, block_idx_x, grid_dim_x,
    grid_trigger, thread_idx_x, wait_until_for,
};

/// Which lanes bump together.
#[derive(Clone, Copy)]
pub(crate) enum By {
    Thread,
    Warp,
    Block,
    Grid,
}

/// The grid fills `n` words, each lane some of them. Then its lanes, warps or blocks each bump the trigger by 1, or the
/// grid does so once.
///
/// # Safety
/// The words are valid, and so is the trigger.
#[inline(always)]
pub(crate) unsafe fn produce(by: By, trigger: DeviceTrigger, src: DevPtr<u64>, n: usize, round: u64) {
    let lanes = (grid_dim_x() * block_dim_x()) as usize;
    let mut i = (block_idx_x() * block_dim_x() + thread_idx_x()) as usize;
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        while i < n {
            src.add(i).write(mix(round, i as u64));
            i += lanes;
        }
        match by {
            By::Thread => Thread.trigger(trigger, 1),
            By::Warp => Warp.trigger(trigger, 1),
            By::Block => Block.trigger(trigger, 1),
            By::Grid => grid_trigger(trigger, 1),
        }
    }
}

/// One block: whenever `go` reaches the next round, fills `n` words and bumps the trigger by 1. Stores into `late` the
/// round in which this did not happen.
///
/// # Safety
/// The words are valid, and so is the trigger.
#[inline(always)]
pub(crate) unsafe fn rounds(
    trigger: DeviceTrigger,
    src: DevPtr<u64>,
    n: usize,
    go: DevPtr<u64>,
    rounds: u64,
    late: DevPtr<u64>,
    limit_ns: u64,
) {
    let mut round = 1;
    while round <= rounds {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe {
            if Block.lane() == 0 && wait_until_for(go, Cmp::Ge, round, limit_ns).is_none() {
                late.write(round);
            }
            Block.sync();
            if late.read() != 0 {
                return;
            }
            let mut i = Block.lane();
            while i < n {
                src.add(i).write(mix(round, i as u64));
                i += Block.lanes();
            }
            Block.trigger(trigger, 1);
        }
        round += 1;
    }
}

/// The first lane of each block posts the operation `times` times, on the block's context or the default one, and
/// completes it.
///
/// # Safety
/// The operation is valid.
#[inline(always)]
pub(crate) unsafe fn post(prepared: DevicePrepared, times: u64, default: bool) {
    if thread_idx_x() > 0 {
        return;
    }
    let context = if default { Ctx::DEFAULT } else { Ctx::new() };
    let mut i = 0;
    while i < times {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { context.post(prepared) };
        i += 1;
    }
    context.quiet();
}
