//! Kernels that are only compiled, never run: each does the same work around one call of the device API. The difference
//! to [`nothing`] is what the call costs in registers. `cargo xtask registers` writes the numbers to
//! `device/registers.toml`.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

use cushmem_device::{
    Block, Cmp, Collective, DevPtr, DeviceTeam, Scope, SignalOp, Sum, Thread, Warp, atomic_fetch_add, atomic_fetch_min,
    atomic_inc, block_dim_x, block_idx_x, g, kernels, p, quiet, signal_op, signal_wait_until, team, thread_idx_x,
};

/// Values that a kernel has before the call and needs after it.
struct Work {
    x: DevPtr<f64>,
    y: DevPtr<f64>,
    a: f64,
    b: f64,
}

impl Work {
    /// # Safety
    /// Both arrays have an element for each lane of the grid.
    #[inline(always)]
    unsafe fn before(x: DevPtr<f64>, y: DevPtr<f64>) -> Self {
        let i = (thread_idx_x() + block_idx_x() * block_dim_x()) as usize;
        let (x, y) = (x.add(i), y.add(i));
        // SAFETY: the caller guarantees that there are as many elements.
        unsafe { Self { x, y, a: x.read(), b: y.read() } }
    }

    /// # Safety
    /// As before.
    #[inline(always)]
    unsafe fn after(self) {
        // SAFETY: the caller of `before` guarantees that there are as many elements.
        unsafe {
            self.x.write(self.a + self.b);
            self.y.write(self.a - self.b);
        }
    }
}

macro_rules! with_work { ($($(#[$doc:meta])* $name:ident($($argument:ident: $t:ty),*) $call:block)*) => {
    kernels! {$(
        $(#[$doc])*
        pub unsafe fn $name(x: DevPtr<f64>, y: DevPtr<f64>, $($argument: $t),*) {
            let work = Work::before(x, y);
            $call
            work.after();
        }
    )*}
} }
with_work! {
    /// The work alone.
    nothing() {}
    /// `p`
    p_u64(dst: DevPtr<u64>, value: u64, pe: u32) { p(dst, value, pe); }
    /// `g`
    g_u64(src: DevPtr<u64>, out: DevPtr<u64>, pe: u32) { out.write(g(src, pe)); }
    /// `signal_op` that sets
    signal_set(sig: DevPtr<u64>, value: u64, pe: u32) { signal_op(sig, value, SignalOp::Set, pe); }
    /// `signal_wait_until`
    wait(sig: DevPtr<u64>, value: u64) { signal_wait_until(sig, Cmp::Ge, value); }
    /// `atomic_inc`
    inc_u64(word: DevPtr<u64>, pe: u32) { atomic_inc(word, pe); }
    /// `atomic_fetch_add`
    fetch_add_u64(word: DevPtr<u64>, value: u64, out: DevPtr<u64>, pe: u32) { out.write(atomic_fetch_add(word, value, pe)); }
    /// `quiet`
    quiet_thread() { quiet(); }
    /// `put` by a lane
    put_thread(dst: DevPtr<u8>, src: DevPtr<u8>, n: usize, pe: u32) { Thread.put(dst, src, n, pe); }
    /// `put` by a warp
    put_warp(dst: DevPtr<u8>, src: DevPtr<u8>, n: usize, pe: u32) { Warp.put(dst, src, n, pe); }
    /// `put` by a block
    put_block(dst: DevPtr<u8>, src: DevPtr<u8>, n: usize, pe: u32) { Block.put(dst, src, n, pe); }
    /// `get` by a block
    get_block(dst: DevPtr<u8>, src: DevPtr<u8>, n: usize, pe: u32) { Block.get(dst, src, n, pe); }
    /// `put_signal` by a warp
    put_signal_warp(dst: DevPtr<u8>, src: DevPtr<u8>, n: usize, sig: DevPtr<u64>, value: u64, pe: u32) {
        Warp.put_signal(dst, src, n, sig, value, SignalOp::Set, pe);
    }
    /// `put_signal` by a block
    put_signal_block(dst: DevPtr<u8>, src: DevPtr<u8>, n: usize, sig: DevPtr<u64>, value: u64, pe: u32) {
        Block.put_signal(dst, src, n, sig, value, SignalOp::Set, pe);
    }
    /// `barrier_all` by a lane
    barrier_thread() { Thread.barrier_all(); }
    /// `barrier_all` by a block
    barrier_block() { Block.barrier_all(); }
    /// `sync_all` by a block
    sync_block() { Block.sync_all(); }
    /// `iput` by a block
    iput_block(dst: DevPtr<u64>, src: DevPtr<u64>, n: usize, pe: u32) { Block.iput(dst, src, 2, 3, n, pe); }
    /// `atomic_fetch_min`
    fetch_min_i64(word: DevPtr<i64>, value: i64, out: DevPtr<i64>, pe: u32) { out.write(atomic_fetch_min(word, value, pe)); }
    /// `team_barrier` by a block
    team_barrier_block(slot: u32) { Block.team_barrier(team(slot)); }
    /// `reduce` by a warp
    reduce_warp(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, n: usize) { Warp.reduce(team, Sum, dst, src, n); }
    /// `reduce` by a block
    reduce_block(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, n: usize) { Block.reduce(team, Sum, dst, src, n); }
    /// `fcollect` by a block
    fcollect_block(team: DeviceTeam, dst: DevPtr<f32>, src: DevPtr<f32>, n: usize) { Block.fcollect(team, dst, src, n); }
    /// A sum of the lanes of a block
    sum_block(value: u64, out: DevPtr<u64>) { out.write(Block.fold(Sum, value)); }
}
