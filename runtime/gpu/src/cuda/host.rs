//! Host memory that the driver makes: on which NUMA node, and whether this GPU and this system support it.

use super::check;
use super::device::{Context, attribute};
use super::driver::{self, CUdevice, CUdevice_attribute};
use super::memory::{self, CudaChunk, Location};
use crate::{Chunk, MemoryLocation};
use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

/// The NUMA node of the CPU that the calling thread runs on.
pub(super) fn near_this_thread() -> Location {
    let mut node = 0u32;
    // SAFETY: the call writes the node only; a null pointer for the CPU and the unused cache is allowed.
    let status =
        unsafe { libc::syscall(libc::SYS_getcpu, ptr::null_mut::<u32>(), &raw mut node, ptr::null_mut::<c_void>()) };
    Location::host(if status == 0 { node as i32 } else { 0 })
}

/// Goes through the life of a small chunk, up to its mapping. Asking the driver is not enough: where a container forbids the
/// system calls for NUMA policy, creating the memory fails though the GPU supports it.
pub(super) fn try_out(context: &Arc<Context>) -> Result<u64, String> {
    if supported(context.device) == Some(false) {
        return Err("the GPU or its driver has no virtual memory management of host memory".into());
    }
    let attempt = || {
        let _entered = context.enter()?;
        let location = near_this_thread();
        let bytes = memory::granularity(location)?;
        let chunk = CudaChunk::create(context, location, bytes)?;
        chunk.share()?;
        let address = memory::reserve(MemoryLocation::Host, bytes, bytes)?;
        let chunk: Arc<dyn Chunk> = Arc::new(chunk);
        let mapped = memory::map(context.device, address, &chunk).and_then(|()| memory::unmap(address, bytes));
        // SAFETY: the reservation was made above, and nothing is mapped in it any more.
        let freed = check(unsafe { driver::cuMemAddressFree(address, bytes as usize) }, || {
            format!("give {bytes} bytes of address space back")
        });
        mapped.and(freed).map(|()| bytes)
    };
    attempt().map_err(|error: crate::GpuError| error.to_string())
}

/// What the driver says; `None` if it does not know the question. The headers have it since CUDA 12.9, the drivers had the feature
/// before, so one that does not know the attribute may still have it.
fn supported(device: CUdevice) -> Option<bool> {
    let which = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_HOST_NUMA_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED;
    attribute(device, which).ok().map(|value| value != 0)
}
