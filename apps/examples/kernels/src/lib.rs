//! A kernel that writes into the memory of the next PE's GPU, and waits for the previous PE's kernel to do the same;
//! and one that leaves that to a trigger.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

use cushmem_device::{
    Block, Cmp, DevPtr, DeviceTrigger, Scope, SignalOp, block_idx_x, kernels, my_pe, n_pes, signal_wait_until,
};

kernels! {
    /// One block. Fills `outbox` with `n` numbers, puts them into `inbox` on the next PE, and doubles what arrives
    /// here. `inbox`, of `n` elements, and `arrived`, which is 0, are symmetric.
    pub unsafe fn ring(inbox: DevPtr<f32>, outbox: DevPtr<f32>, n: usize, arrived: DevPtr<u64>) {
        // Lane 0 of the block takes elements 0, 256, 512 …, lane 1 takes 1, 257, 513 …, if the block has 256 lanes.
        let (lane, lanes) = (Block.lane(), Block.lanes());
        let mut i = lane;
        while i < n {
            outbox.add(i).write(my_pe() as f32 + i as f32);
            i += lanes;
        }
        Block.sync();

        // All lanes of the block copy together, then one sets the signal. No CPU takes part, here or there.
        let next = (my_pe() + 1) % n_pes();
        Block.put_signal(inbox, outbox, n, arrived, 1, SignalOp::Set, next);

        // A lane that has seen the signal sees the numbers, and so does any that synchronises with it.
        if lane == 0 {
            signal_wait_until(arrived, Cmp::Eq, 1);
        }
        Block.sync();

        let mut i = lane;
        while i < n {
            inbox.add(i).write(2.0 * inbox.add(i).read());
            i += lanes;
        }
    }
    /// Blocks of any size. Each fills its part of `outbox`, `n` words from `value` on, and bumps a trigger, whose
    /// threshold is the number of blocks: it puts them all.
    pub unsafe fn produce(outbox: DevPtr<u64>, n: usize, value: u64, trigger: DeviceTrigger) {
        let first = n * block_idx_x() as usize;
        let mut i = first + Block.lane();
        while i < first + n {
            outbox.add(i).write(value + i as u64);
            i += Block.lanes();
        }
        Block.trigger(trigger, 1);
    }
}
