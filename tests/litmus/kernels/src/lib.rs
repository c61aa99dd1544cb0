//! Kernels of the litmus tests. Each of them is a shape with one way of ordering it, so that a fence that is taken out
//! of its PTX can be told from those of the others. `_unordered` and `_polled` lack an order on purpose: they show
//! whether the machine and the test can produce the forbidden outcome.
#![cfg_attr(target_arch = "nvptx64", no_std, feature(abi_ptx, asm_experimental_arch))]

mod ranges;
mod run;
mod several;
mod words;

pub use run::{PART, REPORT, Run, SECTOR, STRIDE};

use cushmem_device::{
    Block, Ctx, Scope, SignalOp, Thread, Warp, atomic_add, atomic_fetch, fence, g, kernels, my_pe, p, quiet, signal_op,
};
use ranges::{Range, ranges, store_buffering_by};
use run::lane;
use several::{barrier, chain, grid, independent_writes};
use words::{additions, coherence, message, poll, store_buffering, wait};

/// Puts a range and its signal.
#[inline(always)]
fn put_signal<S: Scope>(scope: S, run: Run, range: Range, op: SignalOp) {
    let Range { to, from, words, flag, round, .. } = range;
    let value = match op {
        SignalOp::Set => round,
        SignalOp::Add => 1,
    };
    // SAFETY: the range is one of the launch's.
    unsafe { scope.put_signal(to, from, words, flag, value, op, run.peer) }
}

/// Puts a range, fences with the scope, and leaves the flag to one lane.
#[inline(always)]
fn put_fence_signal<S: Scope>(scope: S, run: Run, range: Range) {
    // SAFETY: the range is one of the launch's.
    unsafe {
        scope.put(range.to, range.from, range.words, run.peer);
        scope.fence();
        if range.announces {
            signal_op(range.flag, range.round, SignalOp::Set, run.peer);
        }
    }
}

/// Puts a range, and leaves the flag to one lane.
#[inline(always)]
fn put_and_signal<S: Scope>(scope: S, run: Run, range: Range) {
    // SAFETY: the range is one of the launch's.
    unsafe {
        scope.put(range.to, range.from, range.words, run.peer);
        if range.announces {
            signal_op(range.flag, range.round, SignalOp::Set, run.peer);
        }
    }
}

/// Puts a range, fences, and puts the flag.
#[inline(always)]
fn two_puts<S: Scope>(scope: S, run: Run, range: Range) {
    // SAFETY: the range is one of the launch's.
    unsafe {
        scope.put(range.to, range.from, range.words, run.peer);
        scope.fence();
        scope.put(range.flag, range.value, 1, run.peer);
    }
}

kernels! {
    /// A word, a fence and a flag.
    pub unsafe fn message_fence(run: Run) {
        let send = |data, flag, round| { p(data, round, run.peer); fence(); p(flag, round, run.peer); };
        message(run, send, |flag, round| wait(run, flag, round));
    }

    /// A word, a quiet and a flag.
    pub unsafe fn message_quiet(run: Run) {
        let send = |data, flag, round| { p(data, round, run.peer); quiet(); p(flag, round, run.peer); };
        message(run, send, |flag, round| wait(run, flag, round));
    }

    /// A word and a flag.
    pub unsafe fn message_unordered(run: Run) {
        let send = |data, flag, round| { p(data, round, run.peer); p(flag, round, run.peer); };
        message(run, send, |flag, round| wait(run, flag, round));
    }

    /// A word, a fence and a flag, for which the other side polls.
    pub unsafe fn message_polled(run: Run) {
        let send = |data, flag, round| { p(data, round, run.peer); fence(); p(flag, round, run.peer); };
        message(run, send, |flag, round| poll(run, flag, round));
    }

    /// An addition, a fence and another addition.
    pub unsafe fn atomics_fence(run: Run) {
        let send = |data, flag, _| { atomic_add(data, 1, run.peer); fence(); atomic_add(flag, 1, run.peer); };
        additions(run, send, |data| atomic_fetch(data, my_pe()));
    }

    /// An addition and another addition.
    pub unsafe fn atomics_unordered(run: Run) {
        let send = |data, flag, _| { atomic_add(data, 1, run.peer); atomic_add(flag, 1, run.peer); };
        additions(run, send, |data| atomic_fetch(data, my_pe()));
    }

    /// Additions that are looked at twice.
    pub unsafe fn atomics_coherence(run: Run) {
        coherence(run, |data| atomic_add(data, 1, run.peer), |data| atomic_fetch(data, my_pe()));
    }

    /// A word, and a signal by the CPU: after a fence, and as that of a put, in turn. The flag is in host memory.
    pub unsafe fn command_signal(run: Run) {
        let send = |data, flag, round| {
            if round % 2 == 0 {
                p(data, round, run.peer);
                fence();
                signal_op(flag, 1, SignalOp::Add, run.peer);
            } else {
                let source = run.source.add(lane());
                source.write(round);
                Ctx::new().put_signal(Thread, data, source, 1, flag, 1, SignalOp::Add, run.peer);
            }
        };
        message(run, send, |flag, round| wait(run, flag, round));
    }

    /// An addition by the CPU, asked for on the block's context, a fence and a flag. The data is in host memory.
    pub unsafe fn command_data(run: Run) {
        let context = Ctx::new();
        let send = |data, flag, round| { context.atomic_add(data, 1, run.peer); context.fence(); p(flag, round, run.peer); };
        additions(run, send, |data| g(data, my_pe()));
    }

    /// A store, a quiet and a load.
    pub unsafe fn buffering_quiet(run: Run) {
        store_buffering(run, quiet);
    }

    /// A store and a load.
    pub unsafe fn buffering_unordered(run: Run) {
        store_buffering(run, || {});
    }

    /// Stores by all lanes of a block, one quiet, and loads by all.
    pub unsafe fn buffering_block(run: Run) {
        store_buffering_by(Block, run, || Block.quiet());
    }

    /// A put with its signal, by each lane.
    pub unsafe fn signal_thread(run: Run) {
        ranges(Thread, run, |range| put_signal(Thread, run, range, SignalOp::Set));
    }

    /// A put with its signal, by each warp.
    pub unsafe fn signal_warp(run: Run) {
        ranges(Warp, run, |range| put_signal(Warp, run, range, SignalOp::Set));
    }

    /// A put with its signal, by each block.
    pub unsafe fn signal_block(run: Run) {
        ranges(Block, run, |range| put_signal(Block, run, range, SignalOp::Set));
    }

    /// A put with a signal that is added to, by each block.
    pub unsafe fn signal_add_block(run: Run) {
        ranges(Block, run, |range| put_signal(Block, run, range, SignalOp::Add));
    }

    /// A put by each warp, its fence, and a signal by one lane.
    pub unsafe fn fence_warp(run: Run) {
        ranges(Warp, run, |range| put_fence_signal(Warp, run, range));
    }

    /// A put by each block, its fence, and a signal by one lane: lane 0 (`way` 0) or each in turn (1).
    pub unsafe fn fence_block(run: Run) {
        ranges(Block, run, |range| put_fence_signal(Block, run, range));
    }

    /// A put by each block, and a signal by lane 0.
    pub unsafe fn fence_unordered(run: Run) {
        ranges(Block, run, |range| put_and_signal(Block, run, range));
    }

    /// Two puts by each lane, with a fence in between.
    pub unsafe fn puts_thread(run: Run) {
        ranges(Thread, run, |range| two_puts(Thread, run, range));
    }

    /// Two puts by each block, with a fence in between.
    pub unsafe fn puts_block(run: Run) {
        ranges(Block, run, |range| two_puts(Block, run, range));
    }

    /// A word about which a PE hears through a third one.
    pub unsafe fn chain_fence(run: Run) {
        chain(run, quiet, fence);
    }

    /// The same without the order of who passes the news on.
    pub unsafe fn chain_unordered(run: Run) {
        chain(run, || {}, || {});
    }

    /// Two writers, and two readers with a quiet between their loads.
    pub unsafe fn writes_quiet(run: Run) {
        independent_writes(run, quiet);
    }

    /// The same without the quiet.
    pub unsafe fn writes_unordered(run: Run) {
        independent_writes(run, || {});
    }

    /// A barrier of the PEs by a block.
    pub unsafe fn barrier_block(run: Run) {
        barrier(run);
    }

    /// A barrier of the blocks.
    pub unsafe fn grid_barrier(run: Run) {
        grid(run);
    }
}
