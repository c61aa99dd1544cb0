use crate::launch::too_much_shared;
use crate::{Function, GpuError, Grid, LaunchKind, Module, Result};
use cushmem_abi::{ABI_VERSION, DeviceContext, HostKernel, ModuleImage};
use std::any::Any;
use std::sync::Arc;

/// The largest number of lanes in a cooperative grid.
pub(super) const MAX_RESIDENT_LANES: u32 = 8192;
const MAX_THREADS: u32 = 1024;
/// The most shared memory of a block, as on an H100.
pub(super) const MAX_SHARED_BYTES: u32 = 227 << 10;
/// CUDA's limits for every GPU since compute capability 3.0.
const MAX_THREADS_XYZ: [u32; 3] = [1024, 1024, 64];
const MAX_BLOCKS_XYZ: [u32; 3] = [i32::MAX as u32, 65_535, 65_535];

pub(super) struct SoftModule {
    image: &'static ModuleImage,
    context: Option<&'static DeviceContext>,
}

impl SoftModule {
    pub fn load(image: &'static ModuleImage, context: Option<&DeviceContext>) -> Result<Self> {
        if let Some(context) = context
            && context.abi_version != ABI_VERSION
        {
            let cause =
                format!("the context has layout version {}, the emulated GPU {ABI_VERSION}", context.abi_version);
            return Err(GpuError::new(format!("load module {}", image.name), cause));
        }
        // Leaked, like a module that is never unloaded, because kernels hold a reference to it for ever.
        let context = context.map(|c| &*Box::leak(Box::new(*c)));
        Ok(Self { image, context })
    }
}

impl Module for SoftModule {
    fn function(&self, name: &str) -> Result<Arc<dyn Function>> {
        match self.image.kernels.iter().find(|kernel| kernel.name == name) {
            Some(kernel) => Ok(Arc::new(SoftFunction { kernel, context: self.context })),
            None => Err(GpuError::new(
                format!("find kernel {name}"),
                format!("module {} has no kernel of this name", self.image.name),
            )),
        }
    }
}

#[derive(Clone)]
pub(super) struct SoftFunction {
    pub kernel: &'static HostKernel,
    pub context: Option<&'static DeviceContext>,
}

impl SoftFunction {
    /// Refuses the launch shapes that CUDA refuses.
    pub fn check_shape(&self, grid: &Grid, kind: LaunchKind) -> std::result::Result<(), String> {
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            let (blocks, threads) = (grid.blocks[axis], grid.threads[axis]);
            if blocks == 0 || blocks > MAX_BLOCKS_XYZ[axis] {
                return Err(format!("{blocks} blocks in {name}: 1 to {} are allowed", MAX_BLOCKS_XYZ[axis]));
            }
            if threads == 0 || threads > MAX_THREADS_XYZ[axis] {
                return Err(format!("{threads} threads in {name}: 1 to {} are allowed", MAX_THREADS_XYZ[axis]));
            }
        }
        let threads = grid.threads_per_block();
        if threads > MAX_THREADS.into() {
            return Err(format!("{threads} threads in a block: at most {MAX_THREADS} are allowed"));
        }
        if grid.shared_bytes > MAX_SHARED_BYTES {
            let why = too_much_shared(MAX_SHARED_BYTES, 0);
            return Err(format!("{} bytes of shared memory for a block: {why}", grid.shared_bytes));
        }
        let resident = resident_blocks(threads as u32);
        if kind == LaunchKind::Cooperative && grid.block_count() > resident.into() {
            return Err(format!(
                "cooperative grid of {} blocks of {threads} threads: only {resident} such blocks are resident together",
                grid.block_count()
            ));
        }
        Ok(())
    }
}

/// Lanes are counted in whole warps, as on a GPU.
fn resident_blocks(threads: u32) -> u32 {
    MAX_RESIDENT_LANES / threads.next_multiple_of(32)
}

impl Function for SoftFunction {
    fn max_resident_blocks(&self, threads: u32, _shared_bytes: u32) -> Result<u32> {
        if threads == 0 || threads > MAX_THREADS {
            let cause = format!("{threads} threads in a block: 1 to {MAX_THREADS} are allowed");
            return Err(GpuError::new(format!("count resident blocks of kernel {}", self.kernel.name), cause));
        }
        Ok(resident_blocks(threads))
    }

    fn max_threads(&self) -> u32 {
        MAX_THREADS
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
