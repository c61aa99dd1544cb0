/// The host code of one kernel. `args` points to one pointer per parameter, as for `cuLaunchKernel`.
pub type KernelEntry = unsafe fn(args: *const *const core::ffi::c_void);

/// A kernel compiled for the host.
#[derive(Clone, Copy, Debug)]
pub struct HostKernel {
    /// The kernel's name, which is the same as that of its entry in the PTX.
    pub name: &'static str,
    /// Runs it as one lane.
    pub entry: KernelEntry,
    /// The size of each parameter in bytes; none is aligned to more than 16 bytes.
    pub parameter_bytes: &'static [usize],
}

/// A crate's kernels in the two forms in which they run: PTX for a GPU, functions for the emulated one.
#[derive(Debug)]
pub struct ModuleImage {
    /// Name of the crate that holds the kernels.
    pub name: &'static str,
    /// The crate's PTX; empty if it was not built, or was built from other sources.
    pub ptx: &'static str,
    /// The crate's PTX for GPUs from sm_90 on and jobs in which all PEs are mapped; empty if it was not built, or was
    /// built from other sources. Such GPUs can also run [`ModuleImage::ptx`].
    pub sm_90_ptx: &'static str,
    /// The crate's PTX for jobs with PEs that are not mapped ([`DeviceContext::far`](crate::DeviceContext::far)): these
    /// kernels ask the CPU for what they cannot reach.
    pub far_ptx: &'static str,
    /// The crate's PTX for jobs in which all PEs are mapped, with kernels that record what they do
    /// ([`DeviceContext::record`](crate::DeviceContext::record)); empty if it was not built, or was built from other
    /// sources.
    pub recorded_ptx: &'static str,
    /// The number of the crate's sources, which the PTX contains too.
    pub source: u64,
    /// The kernels, compiled for the host.
    pub kernels: &'static [HostKernel],
}
