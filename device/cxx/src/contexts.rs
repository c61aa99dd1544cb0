//! What a single lane leaves to the command processor of its GPU, on contexts other than the default one.

use cushmem_device::cxx;

exports! {
    /// The context of this block.
    fn context_of_block() -> u32 { cxx::context_of_block() }
    /// Leaves a put to the command processor. Returns false if it does not take it.
    fn leave_put(context: u32, dst: u64, src: u64, bytes: u64, pe: u32) -> bool {
        cxx::leave_put(context, dst, src, bytes, pe)
    }
    /// Leaves a get to the command processor. Returns false if it does not take it.
    fn leave_get(context: u32, dst: u64, src: u64, bytes: u64, pe: u32) -> bool {
        cxx::leave_get(context, dst, src, bytes, pe)
    }
    /// Leaves a put and its signal to the command processor. Returns false if it does not take them.
    fn leave_put_signal(context: u32, dst: u64, src: u64, bytes: u64, sig: u64, value: u64, adds: u32, pe: u32) -> bool {
        cxx::leave_put_signal(context, dst, src, bytes, sig, value, adds != 0, pe)
    }
    /// Waits for what was left on a context.
    fn leave_finish(context: u32) { cxx::finish_left(context) }
}
