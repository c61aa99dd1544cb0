//! Kernels of `shmem-bench device`. Every loop has the same shape as in NVSHMEM's own measurements, so that one run can
//! compare both: a ping-pong is one lane or block per PE, and a bandwidth kernel gives each block its own part.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

mod arrays;
mod collectives;
mod processor;
mod task_puts;
pub mod tasks;

pub use arrays::*;
pub use collectives::*;
pub use cushmem_device::SMEM_BYTES;
pub use processor::*;
pub use task_puts::*;

use cushmem_device::{
    Block, Cmp, Ctx, DevPtr, DeviceTrigger, GiveSmem, Scope, SignalOp, Thread, Warp, Wide, atomic_fetch_add,
    atomic_inc, block_dim_x, block_idx_x, dynamic_shared, dynamic_shared_bytes, g, globaltimer, grid_dim_x, kernels,
    my_pe, p, quiet, signal_op, signal_wait_until_for, syncthreads, syncwarp, thread_idx_x, wait_until_for,
};

/// No step of a measurement takes longer, so a lost peer ends the kernel.
const LIMIT_NS: u64 = 10_000_000_000;

kernels! {
    use arrays, collectives, processor, task_puts, tasks;

    /// One lane per PE: an 8-byte put there, one back, `n` times. `flag` is symmetric; `late` (private) is set on a
    /// time-out.
    pub unsafe fn p_pingpong(flag: DevPtr<u64>, n: u64, late: DevPtr<u64>) {
        let (first, peer) = (my_pe() == 0, 1 - my_pe());
        // After the first wait that times out, the lane waits no longer.
        let mut limit_ns = LIMIT_NS;
        let mut i = 1;
        while i <= n {
            if !first && wait_until_for(flag, Cmp::Eq, i, limit_ns).is_none() {
                late.write(i);
                limit_ns = 0;
            }
            p(flag, i, peer);
            if first && wait_until_for(flag, Cmp::Eq, i, limit_ns).is_none() {
                late.write(i);
                limit_ns = 0;
            }
            i += 1;
        }
    }

    /// Like `p_pingpong`, with signals.
    pub unsafe fn signal_pingpong(flag: DevPtr<u64>, n: u64, late: DevPtr<u64>) {
        let (first, peer) = (my_pe() == 0, 1 - my_pe());
        // After the first wait that times out, the lane waits no longer.
        let mut limit_ns = LIMIT_NS;
        let mut i = 1;
        while i <= n {
            if !first && signal_wait_until_for(flag, Cmp::Eq, i, limit_ns).is_none() {
                late.write(i);
                limit_ns = 0;
            }
            signal_op(flag, i, SignalOp::Set, peer);
            if first && signal_wait_until_for(flag, Cmp::Eq, i, limit_ns).is_none() {
                late.write(i);
                limit_ns = 0;
            }
            i += 1;
        }
    }

    /// One block of at most 512 lanes per PE: `bytes` with a signal there, and back, `n` times.
    pub unsafe fn put_signal_pingpong_wide(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, flag: DevPtr<u64>, n: u64, late: DevPtr<u64>) {
        put_signal_pingpong_by(Wide(Block), dst, src, bytes, flag, n, late);
    }

    /// One block per PE: like `put_signal_pingpong`, but each put with signal is the operation of one of `n` triggers,
    /// which this kernel bumps.
    pub unsafe fn trigger_pingpong(triggers: DevPtr<DeviceTrigger>, flag: DevPtr<u64>, n: u64, late: DevPtr<u64>) {
        let first = my_pe() == 0;
        let mut limit_ns = LIMIT_NS;
        let mut trigger = triggers.read();
        let mut i = 1;
        while i <= n {
            if first {
                Block.trigger(trigger, 1);
            }
            // The next trigger, as in a program that knows it in advance.
            let next = triggers.add(if i < n { i } else { 0 } as usize).read();
            if Block.lane() == 0 && signal_wait_until_for(flag, Cmp::Eq, i, limit_ns).is_none() {
                late.write(i);
                limit_ns = 0;
            }
            syncthreads();
            if !first {
                Block.trigger(trigger, 1);
            }
            trigger = next;
            i += 1;
        }
    }

    /// One lane: bumps `n` triggers whose operations the CPU carries out, and completes each before it bumps the next.
    pub unsafe fn trigger_proxy(triggers: DevPtr<DeviceTrigger>, n: u64) {
        let context = Ctx::new();
        let mut i = 0;
        while i < n {
            context.trigger(Thread, triggers.add(i as usize).read(), 1);
            context.quiet();
            i += 1;
        }
    }

    /// One lane: `n` times, when `go` has reached the round, bumps a trigger that sets `flag` of this PE to 1; adds up
    /// the nanoseconds until the lane sees that.
    pub unsafe fn trigger_stream(trigger: DeviceTrigger, go: DevPtr<u64>, flag: DevPtr<u64>, n: u64, ns: DevPtr<u64>, late: DevPtr<u64>) {
        let mut sum = 0;
        let mut i = 1;
        while i <= n {
            if wait_until_for(go, Cmp::Ge, i, LIMIT_NS).is_none() {
                late.write(i);
                return;
            }
            let start = globaltimer();
            Thread.trigger(trigger, 1);
            if wait_until_for(flag, Cmp::Eq, 1, LIMIT_NS).is_none() {
                late.write(i);
                return;
            }
            sum += globaltimer() - start;
            p(flag, 0, my_pe());
            i += 1;
        }
        ns.write(sum);
    }

    /// Like `put_signal_pingpong_wide`, for blocks of any size.
    pub unsafe fn put_signal_pingpong(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, flag: DevPtr<u64>, n: u64, late: DevPtr<u64>) {
        put_signal_pingpong_by(Block, dst, src, bytes, flag, n, late);
    }

    /// One lane: put and quiet, `n` times.
    pub unsafe fn put_quiet_thread(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, n: u64) {
        let mut i = 0;
        while i < n {
            Wide(Thread).put_nbi(dst, src, bytes, 1);
            quiet();
            i += 1;
        }
    }

    /// One warp: put and quiet, `n` times.
    pub unsafe fn put_quiet_warp(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, n: u64) {
        let mut i = 0;
        while i < n {
            Wide(Warp).put_nbi(dst, src, bytes, 1);
            syncwarp(u32::MAX);
            if thread_idx_x() == 0 {
                quiet();
            }
            syncwarp(u32::MAX);
            i += 1;
        }
    }

    /// One block: put and quiet, `n` times.
    pub unsafe fn put_quiet_block(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, n: u64) {
        let mut i = 0;
        while i < n {
            Block.put_nbi(dst, src, bytes, 1);
            syncthreads();
            if thread_idx_x() == 0 {
                quiet();
            }
            syncthreads();
            i += 1;
        }
    }

    /// One block: like `put_quiet_block`, from the shared memory that the launch asks for.
    pub unsafe fn put_quiet_shared(dst: DevPtr<u8>, bytes: usize, n: u64) {
        let src = dynamic_shared::<u8>();
        let mut at = Block.lane();
        while at < bytes {
            src.add(at).write(at as u8);
            at += Block.lanes();
        }
        syncthreads();
        let mut i = 0;
        while i < n {
            Block.put_nbi(dst, src.dev_ptr(), bytes, 1);
            syncthreads();
            if thread_idx_x() == 0 {
                quiet();
            }
            syncthreads();
            i += 1;
        }
    }

    /// One lane: `n` dependent additions of 0 to words of PE 1; each old value is the index of the next word.
    pub unsafe fn fetch_add_chain(words: DevPtr<u64>, n: u64, out: DevPtr<u64>) {
        let (mut index, mut i) = (0, 0);
        while i < n {
            index = atomic_fetch_add(words.add(index as usize), 0, 1);
            i += 1;
        }
        out.write(index);
    }

    /// Each lane puts `n` words, to places that no other lane uses, then completes them.
    pub unsafe fn p_rate(words: DevPtr<u64>, n: u64) {
        let (lane, lanes) = (lane_of_grid(), grid_dim_x() as usize * block_dim_x() as usize);
        let mut i = 0;
        while i < n {
            p(words.add(lane + lanes * (i as usize & 15)), i, 1);
            i += 1;
        }
        quiet();
    }

    /// Each lane adds 1 to its own word of PE 1, `n` times, then completes these additions.
    pub unsafe fn inc_rate(words: DevPtr<u64>, n: u64) {
        let word = words.add(lane_of_grid());
        let mut i = 0;
        while i < n {
            atomic_inc(word, 1);
            i += 1;
        }
        quiet();
    }

    /// Like `inc_rate`, with one word for all lanes.
    pub unsafe fn inc_one_rate(word: DevPtr<u64>, n: u64) {
        let mut i = 0;
        while i < n {
            atomic_inc(word, 1);
            i += 1;
        }
        quiet();
    }

    /// Like `put_quiet_thread`, with lent memory.
    pub unsafe fn put_quiet_lent_thread(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, n: u64) {
        put_quiet_lent(Thread, dst, src, bytes, n);
    }

    /// Like `put_quiet_warp`, with lent memory.
    pub unsafe fn put_quiet_lent_warp(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, n: u64) {
        put_quiet_lent(Warp, dst, src, bytes, n);
    }

    /// Like `put_quiet_block`, with lent memory.
    pub unsafe fn put_quiet_lent_block(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, n: u64) {
        put_quiet_lent(Block, dst, src, bytes, n);
    }

    /// One lane: `n` dependent gets; each value is the index of the next.
    pub unsafe fn g_chain(table: DevPtr<u64>, start: u64, n: u64, out: DevPtr<u64>) {
        let mut index = start;
        let mut i = 0;
        while i < n {
            index = g(table.add(index as usize), 1);
            i += 1;
        }
        out.write(index);
    }

    /// Each block puts `bytes` of its own, then completes them. For blocks of at most 512 lanes.
    pub unsafe fn put_bw_wide(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
        let offset = bytes * block_idx_x() as usize;
        Wide(Block).put_nbi(dst.add(offset), src.add(offset), bytes, 1);
        syncthreads();
        if thread_idx_x() == 0 {
            quiet();
        }
    }

    /// Like `put_bw_wide`, for blocks of any size.
    pub unsafe fn put_bw(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
        let offset = bytes * block_idx_x() as usize;
        Block.put_nbi(dst.add(offset), src.add(offset), bytes, 1);
        syncthreads();
        if thread_idx_x() == 0 {
            quiet();
        }
    }

    /// Each block gets `bytes` of its own. For blocks of at most 512 lanes.
    pub unsafe fn get_bw_wide(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
        let offset = bytes * block_idx_x() as usize;
        Wide(Block).get_nbi(dst.add(offset), src.add(offset), bytes, 1);
        syncthreads();
        if thread_idx_x() == 0 {
            quiet();
        }
    }

    /// Like `get_bw_wide`, for blocks of any size.
    pub unsafe fn get_bw(dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize) {
        let offset = bytes * block_idx_x() as usize;
        Block.get_nbi(dst.add(offset), src.add(offset), bytes, 1);
        syncthreads();
        if thread_idx_x() == 0 {
            quiet();
        }
    }

    /// Each lane adds `n` times to its block's word of PE 1, for which the CPU does the addition. The lane completes
    /// each addition before the next, or all at the end.
    pub unsafe fn proxy_add(words: DevPtr<u64>, n: u64, each: u32) {
        let context = Ctx::new();
        let word = words.add(block_idx_x() as usize);
        let mut i = 0;
        while i < n {
            context.atomic_add(word, 1, 1);
            if each != 0 {
                context.quiet();
            }
            i += 1;
        }
        syncthreads();
        if thread_idx_x() == 0 {
            context.quiet();
        }
    }

    /// The first lane of each block adds `n` times to the block's word of PE 1, for which the CPU does the addition,
    /// and completes each addition. The nanoseconds that each took go to `ns`: each block's `n` values follow those of
    /// the blocks before it.
    pub unsafe fn proxy_service(words: DevPtr<u64>, n: u64, ns: DevPtr<u64>) {
        if thread_idx_x() != 0 {
            return;
        }
        let context = Ctx::new();
        let block = block_idx_x() as usize;
        let mut i = 0;
        while i < n {
            let start = globaltimer();
            context.atomic_add(words.add(block), 1, 1);
            context.quiet();
            ns.add(block * n as usize + i as usize).write(globaltimer() - start);
            i += 1;
        }
    }

    /// One lane: fetches and adds to a word of PE 1 `n` times; the CPU does the additions.
    pub unsafe fn proxy_fetch_add(word: DevPtr<u64>, n: u64) {
        let mut i = 0;
        while i < n {
            atomic_fetch_add(word, 1, 1);
            i += 1;
        }
    }

    /// One lane per PE: `n` barriers.
    pub unsafe fn barrier_thread(n: u64) {
        let mut i = 0;
        while i < n {
            Thread.barrier_all();
            i += 1;
        }
    }

    /// One lane per PE: `n` synchronisations.
    pub unsafe fn sync_thread(n: u64) {
        let mut i = 0;
        while i < n {
            Thread.sync_all();
            i += 1;
        }
    }

    /// One block per PE: `n` synchronisations.
    pub unsafe fn sync_block(n: u64) {
        let mut i = 0;
        while i < n {
            Block.sync_all();
            i += 1;
        }
    }
}

/// # Safety
/// The conditions of the kernels that call it.
#[inline(always)]
unsafe fn put_signal_pingpong_by<S: Scope>(
    scope: S,
    dst: DevPtr<u8>,
    src: DevPtr<u8>,
    bytes: usize,
    flag: DevPtr<u64>,
    n: u64,
    late: DevPtr<u64>,
) {
    let first = my_pe() == 0;
    // After the first wait that times out, no lane waits any longer. The lanes do not agree on this, because that would
    // take time.
    let mut limit_ns = LIMIT_NS;
    let mut i = 1;
    while i <= n {
        // SAFETY: the kernel's caller guarantees that all pointers are valid.
        unsafe {
            if first {
                scope.put_signal(dst, src, bytes, flag, i, SignalOp::Set, 1);
            }
            if scope.lane() == 0 && signal_wait_until_for(flag, Cmp::Eq, i, limit_ns).is_none() {
                late.write(i);
                limit_ns = 0;
            }
            syncthreads();
            if !first {
                scope.put_signal(dst, src, bytes, flag, i, SignalOp::Set, 0);
            }
        }
        i += 1;
    }
}

#[inline(always)]
fn lane_of_grid() -> usize {
    block_idx_x() as usize * block_dim_x() as usize + thread_idx_x() as usize
}

/// Lends the block's shared memory, and puts and completes `n` times.
///
/// # Safety
/// Both ranges have `bytes` bytes.
#[inline(always)]
unsafe fn put_quiet_lent<S: Scope>(scope: S, dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, n: u64) {
    // SAFETY: the caller guarantees the ranges, and nobody else uses the memory.
    unsafe {
        let lent = scope.give_smem(dynamic_shared(), dynamic_shared_bytes());
        let mut i = 0;
        while i < n {
            lent.put_nbi(dst, src, bytes, 1);
            lent.quiet();
            i += 1;
        }
        lent.release_smem();
    }
}
