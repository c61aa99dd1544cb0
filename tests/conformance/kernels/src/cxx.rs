//! Parts of operations of kernels in CUDA C++, as the header calls them.

use cushmem_device::any::{self, Any};
use cushmem_device::{Block, DevPtr, Scope, SignalOp, arch, cxx, kernels_of_module};

/// What [`record_by_scopes`](kernel@record_by_scopes) says that it did, by a thread, a warp and a block.
pub const RECORDED: [u32; 3] = [3, 4, 6];

kernels_of_module! {
    /// Notes what happens to a signal by this number: 1 if it is set, 2 if it is added to. Ends itself if nothing does.
    pub unsafe fn signal_op_by_number(number: u32, to: DevPtr<u32>) {
        match cxx::signal_op(number) {
            Some(SignalOp::Set) => to.write(1),
            Some(SignalOp::Add) => to.write(2),
            None => cxx::refuse_signal_op(number),
        }
    }

    /// All lanes record something by themselves, with their warp and with their block, on PE 2 with 64 bytes, as the
    /// header does. Counts the lanes that record.
    pub unsafe fn record_by_scopes(word: DevPtr<u64>, recording: DevPtr<u64>) {
        let mut i = 0;
        // Other builds have no trace of a record.
        while arch::HAS_RECORD && i < 3 {
            let (scope, operation) = match i {
                0 => (any::thread(), RECORDED[0]),
                1 => (any::warp(), RECORDED[1]),
                _ => (any::block(), RECORDED[2]),
            };
            let from = cxx::record_begin(Any::of_bits(scope));
            Block.sync();
            if from != 0 {
                cushmem_device::atomic_inc(recording, cushmem_device::my_pe());
                cxx::record_end(from, operation, 2, 64, word.address());
            }
            i += 1;
        }
    }

    /// One lane. Records one operation, and `n` others while it goes on.
    pub unsafe fn record_around(n: u32) {
        if arch::HAS_RECORD {
            let outer = cxx::record_begin(Any::of_bits(any::thread()));
            let mut i = 0;
            while i < n {
                cxx::record_end(cxx::record_begin(Any::of_bits(any::thread())), RECORDED[0], 2, 8, 0);
                i += 1;
            }
            cxx::record_end(outer, RECORDED[1], 2, 64, 0);
        }
    }
}
