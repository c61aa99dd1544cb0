//! A put by one thread that does not wait for it, which a command processor may carry out, beside a block's; and work
//! that computes at the same time.

use cushmem_device::{
    Block, Ctx, DevPtr, Scope, Thread, arch, block_dim_x, block_idx_x, globaltimer, kernels_of_module, n_pes,
    thread_idx_x,
};

kernels_of_module! {
    /// One block. Puts `bytes` to the last PE and completes them, `n` times: by its first lane, or by all lanes if
    /// `by_block`. Adds up in `spent` the nanoseconds until the put returns, and until it is complete; the third word
    /// is 1 if a command processor is there.
    pub unsafe fn put_nbi_times(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, n: u64, by_block: u32, spent: DevPtr<u64>) {
        let context = Ctx::new();
        let (mut i, mut returned, mut complete, pe) = (0, 0, 0, n_pes() - 1);
        while i < n {
            Block.sync();
            let start = globaltimer();
            if by_block != 0 {
                context.put_nbi(Block, dst, src, bytes, pe);
            } else if Block.lane() == 0 {
                context.put_nbi(Thread, dst, src, bytes, pe);
            }
            returned += globaltimer().wrapping_sub(start);
            if by_block != 0 {
                context.quiet_by(Block);
            } else if Block.lane() == 0 {
                context.quiet();
            }
            complete += globaltimer().wrapping_sub(start);
            i += 1;
        }
        if Block.lane() == 0 {
            spent.write(returned);
            spent.add(1).write(complete);
            spent.add(2).write((arch::context_processor() != 0).into());
        }
    }

    /// Blocks of any size. Each lane multiplies and adds `n` times. `out` has a number for each lane.
    pub unsafe fn compute(n: u64, out: DevPtr<f32>) {
        let lane = (block_idx_x() * block_dim_x() + thread_idx_x()) as usize;
        let (mut i, mut value) = (0, lane as f32);
        while i < n {
            value = value * 0.999_9 + 1.0;
            i += 1;
        }
        out.add(lane).write(value);
    }
}
