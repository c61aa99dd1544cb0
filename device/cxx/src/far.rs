//! What the CPU does for kernels in CUDA C++: words and copies that this GPU does not reach, and what waits for them.
//! The header has these from the build for jobs with PEs that are not mapped, and calls them where it finds that it has
//! no way of its own. They are short, because the linker gives a kernel the registers of the hungriest one.

use cushmem_device::{Block, Scope, Thread, Warp, cxx};

exports! {
    /// Claims a reply.
    fn far_claim() -> u64 { cxx::claim_reply() }
    /// Has the CPU carry out an operation on a word.
    fn far_post(what: u32, pe: u32, word: u64, operand: u64, condition: u64, reply: u64) {
        cxx::post_op(what, pe, word, operand, condition, reply)
    }
    /// Waits for a reply.
    fn far_answer(reply: u64) -> u64 { cxx::answer(reply) }
    /// Has the CPU copy bytes. Returns the reply to wait for, or 0.
    fn far_copy(how: u32, pe: u32, there: u64, here: u64, bytes: u64) -> u64 {
        cxx::post_copy(how, pe, there, here, bytes)
    }
    /// Has the CPU copy elements at equal distances. Returns the reply to wait for, or 0.
    fn far_strided(how: u32, pe: u32, there: u64, here: u64, n: u64, dst: u64, src: u64, size: u64) -> u64 {
        cxx::post_strided(how, pe, there, here, n, dst, src, size)
    }
    /// Orders what this lane has done and what the CPU has done for it.
    fn far_fence() { Thread.fence() }
    /// Completes what this lane has done and what the CPU does for it.
    fn far_quiet() { cxx::quiet_plain() }
    /// The barrier of all PEs.
    fn far_meet() { cxx::meet() }
}

macro_rules! copies { ($($scope:ident: $put:ident $get:ident;)*) => { exports! {$(
    /// Leaves bytes for the CPU, which copies them to another PE.
    fn $put(pe: u32, there: u64, here: u64, bytes: u64) { cxx::put_chunk($scope, pe, there, here, bytes) }
    /// Takes bytes of another PE from the CPU.
    fn $get(pe: u32, there: u64, here: u64, bytes: u64) { cxx::get_chunk($scope, pe, there, here, bytes) }
)*} } }
copies! {
    Thread: far_put_chunk_thread far_get_chunk_thread;
    Warp: far_put_chunk_warp far_get_chunk_warp;
    Block: far_put_chunk_block far_get_chunk_block;
}
