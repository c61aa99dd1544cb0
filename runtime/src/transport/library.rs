//! The library's own kernels. They are loaded when the GPUs start, so that no launch has to load anything while a
//! kernel of the program spins.

use crate::error::Result;
use cushmem_abi::{DeviceContext, KernelRecord};
use cushmem_device::{Kernel, KernelArgs};
use cushmem_gpu::{Function, Gpu, Grid, LaunchKind, Stream};
use cushmem_kernels::{agent_serve, processor_serve};
use std::collections::HashMap;
use std::sync::Arc;

/// All kernels, by name.
#[derive(Clone)]
pub(crate) struct Library(HashMap<&'static str, Arc<dyn Function>>);

impl Library {
    /// Loads the kernels and gives them the device context.
    pub(crate) fn load(gpu: &dyn Gpu, context: &DeviceContext) -> Result<Self> {
        let image = &cushmem_kernels::IMAGE;
        // A timeline has the program's kernels.
        let module = gpu.load_module(image, Some(&DeviceContext { record: 0, ..*context }))?;
        let functions = image.kernels.iter().map(|kernel| Ok((kernel.name, module.function(kernel.name)?)));
        let mut library = functions.collect::<Result<HashMap<_, _>>>()?;
        if context.record != 0 {
            // It also has what these carry out. All that they reach is mapped.
            let mut load = |name, record| -> Result<()> {
                let module = gpu.load_module(image, Some(&DeviceContext { far: 0, record, ..*context }))?;
                library.insert(name, module.function(name)?);
                Ok(())
            };
            load(agent_serve::NAME, KernelRecord::of_agent(context.record, context.record_slots))?;
            if context.processor != 0 {
                load(processor_serve::NAME, context.record)?;
            }
        }
        Ok(Self(library))
    }

    /// A kernel.
    pub(crate) fn function<K: Kernel>(&self, _kernel: K) -> &Arc<dyn Function> {
        &self.0[K::NAME]
    }

    /// Launches a kernel on a stream.
    ///
    /// # Safety
    /// The arguments satisfy the kernel's requirements until it has finished.
    pub(crate) unsafe fn launch<K: Kernel>(
        &self,
        stream: &dyn Stream,
        _kernel: K,
        grid: Grid,
        kind: LaunchKind,
        args: K::Args,
    ) -> cushmem_gpu::Result<()> {
        let function = &self.0[K::NAME];
        // SAFETY: the tuple's types are the kernel's parameters; the caller guarantees that their values are valid.
        args.with_pointers(|pointers| unsafe { stream.launch(function.as_ref(), &grid, kind, pointers) })
    }
}
