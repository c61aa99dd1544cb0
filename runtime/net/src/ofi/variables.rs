//! Settings of libfabric that it takes from the environment alone.

use cushmem_environment::{
    FI_OFI_RXM_BUFFER_SIZE, FI_OFI_RXM_CM_PROGRESS_INTERVAL, FI_OFI_RXM_DEF_TCP_WAIT_OBJ, Variable,
};

/// The settings that are not libfabric's own, unless the user has chosen others.
pub(super) const OURS: [&Variable; 3] =
    [&FI_OFI_RXM_BUFFER_SIZE, &FI_OFI_RXM_CM_PROGRESS_INTERVAL, &FI_OFI_RXM_DEF_TCP_WAIT_OBJ];

/// Chooses them. libfabric reads them when it is first used, so they have no effect if the program has used it before.
pub(super) fn choose() {
    for variable in OURS.into_iter().filter(|variable| std::env::var_os(variable.name).is_none()) {
        let value = variable.default_value().expect("it has one");
        // SAFETY: Rust's own functions exclude each other. A C program must not join a job while another thread reads
        // or changes the environment, as the documentation of `CUDA_MODULE_LOADING` says.
        unsafe { std::env::set_var(variable.name, value) };
    }
}
