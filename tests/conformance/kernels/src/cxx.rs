//! Parts of operations of kernels in CUDA C++, as the header calls them.

use cushmem_device::{DevPtr, SignalOp, cxx, kernels_of_module};

kernels_of_module! {
    /// Notes what happens to a signal by this number: 1 if it is set, 2 if it is added to. Ends itself if nothing does.
    pub unsafe fn signal_op_by_number(number: u32, to: DevPtr<u32>) {
        match cxx::signal_op(number) {
            Some(SignalOp::Set) => to.write(1),
            Some(SignalOp::Add) => to.write(2),
            None => cxx::refuse_signal_op(number),
        }
    }
}
