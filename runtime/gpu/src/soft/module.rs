use crate::launch::too_much_shared;
use crate::{Function, GpuError, Grid, LaunchKind, Module, Result};
use cushmem_abi::{ABI_VERSION, DeviceContext, HostKernel, ModuleImage};
use std::any::Any;
use std::sync::Arc;

/// The largest number of lanes in a cooperative grid: as many as this number of an H100's multiprocessors can have.
pub(super) const MAX_RESIDENT_LANES: u32 = MULTIPROCESSORS * 2048;
const MULTIPROCESSORS: u32 = 4;
const MAX_THREADS: u32 = 1024;
/// The most shared memory of a block, as on an H100.
pub(super) const MAX_SHARED_BYTES: u32 = 227 << 10;
/// The shared memory of a multiprocessor, and what of it each block takes for CUDA itself, as on an H100.
const SHARED_BYTES_OF_ALL: u32 = 228 << 10;
const SHARED_BYTES_OF_CUDA: u32 = 1 << 10;
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
        let resident = resident_blocks(threads as u32, grid.shared_bytes);
        if kind == LaunchKind::Cooperative && grid.block_count() > resident.into() {
            return Err(format!(
                "cooperative grid of {} blocks of {threads} threads and {} bytes of shared memory: only {resident} such \
                 blocks are resident together",
                grid.block_count(),
                grid.shared_bytes
            ));
        }
        Ok(())
    }
}

/// How many blocks with so much dynamic shared memory are resident together. Lanes are counted in whole warps, as on a
/// GPU. What a kernel declares is known only when it runs.
fn resident_blocks(threads: u32, shared_bytes: u32) -> u32 {
    let by_memory = MULTIPROCESSORS * (SHARED_BYTES_OF_ALL / shared_bytes.saturating_add(SHARED_BYTES_OF_CUDA));
    by_memory.min(MAX_RESIDENT_LANES / threads.next_multiple_of(32))
}

impl Function for SoftFunction {
    fn max_resident_blocks(&self, threads: u32, shared_bytes: u32) -> Result<u32> {
        if threads == 0 || threads > MAX_THREADS {
            let cause = format!("{threads} threads in a block: 1 to {MAX_THREADS} are allowed");
            return Err(GpuError::new(format!("count resident blocks of kernel {}", self.kernel.name), cause));
        }
        Ok(resident_blocks(threads, shared_bytes))
    }

    fn max_threads(&self) -> u32 {
        MAX_THREADS
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a grid that waits for blocks for which a GPU has no shared memory, and is launched.
    #[test]
    fn shared_memory_bounds_a_cooperative_grid() {
        unsafe fn entry(_: *const *const std::ffi::c_void) {}
        static KERNEL: HostKernel = HostKernel { name: "meets", entry, parameter_bytes: &[] };
        let function = SoftFunction { kernel: &KERNEL, context: None };
        for (bytes, most) in [(0, 256), (2 << 10, 256), (48 << 10, 16), (100 << 10, 8), (MAX_SHARED_BYTES, 4)] {
            assert_eq!(function.max_resident_blocks(32, bytes).expect("a count"), most, "{bytes} bytes");
            let grid = |blocks| Grid::linear(blocks, 32).with_shared(bytes);
            assert_eq!(function.check_shape(&grid(most), LaunchKind::Cooperative), Ok(()));
            let refused = function.check_shape(&grid(most + 1), LaunchKind::Cooperative).expect_err("too many blocks");
            assert!(refused.contains(&format!("only {most} such blocks")), "{refused}");
            assert_eq!(function.check_shape(&grid(most + 1), LaunchKind::Plain), Ok(()));
        }
        assert_eq!(function.max_resident_blocks(32, MAX_SHARED_BYTES + 1024).expect("a count"), 0);
    }
}
