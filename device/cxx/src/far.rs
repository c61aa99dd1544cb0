//! What the CPU does for kernels in CUDA C++: words and copies that this GPU does not reach, and what waits for them. The
//! header has these from the build for jobs with PEs that are not mapped, and calls them where it finds that it has no
//! way of its own.

use cushmem_abi::SignalOp;
use cushmem_device::{Block, Scope, Thread, Warp, cxx};

exports! {
    /// Has the CPU carry out an operation on a word.
    fn far_word(what: u32, pe: u32, word: u64, operand: u64, condition: u64) -> u64 {
        cxx::word(what, pe, word, operand, condition)
    }
    /// Orders what this lane has done and what the CPU has done for it.
    fn far_fence() { Thread.fence() }
    /// Completes what this lane has done and what the CPU does for it.
    fn far_quiet() { Thread.quiet() }
    /// The barrier of all PEs.
    fn far_meet() { cxx::meet() }
}

macro_rules! copies { ($($scope:ident: $copy:ident $put_signal:ident;)*) => { exports! {$(
    /// Has the CPU copy bytes.
    fn $copy(how: u32, pe: u32, there: u64, here: u64, bytes: u64) {
        cxx::copy($scope, how, pe, there, here, bytes)
    }
    /// Copies bytes to another PE and updates a signal behind them, of which the CPU does at least one.
    fn $put_signal(how: u32, pe: u32, dst: u64, src: u64, bytes: u64, sig: u64, value: u64) {
        let op = if how & cxx::ADD == 0 { SignalOp::Set } else { SignalOp::Add };
        cxx::put_signal($scope, how, op, pe, dst, src, bytes, sig, value)
    }
)*} } }
copies! {
    Thread: far_copy_thread far_put_signal_thread;
    Warp: far_copy_warp far_put_signal_warp;
    Block: far_copy_block far_put_signal_block;
}
