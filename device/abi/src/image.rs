/// Host code of one kernel. `args` points to one pointer per parameter, as `cuLaunchKernel` takes them.
pub type KernelEntry = unsafe fn(args: *const *const core::ffi::c_void);

/// All that is needed to run a crate's kernels: PTX for a GPU, functions for the emulated one.
pub struct ModuleImage {
    /// Name of the crate that holds the kernels.
    pub name: &'static str,
    /// The crate's committed PTX.
    pub ptx: &'static str,
    /// Kernels by name, compiled for the host.
    pub kernels: &'static [(&'static str, KernelEntry)],
}
