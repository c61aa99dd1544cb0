//! Conversions between cudarc's contexts, streams and memory and cushmem's. Both libraries call the same driver and use
//! the GPU's primary context, so nothing is copied or created twice. Your program's choice of cudarc features decides
//! which CUDA version cudarc targets, and whether it opens the driver or links to it.
#![warn(missing_docs)]

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtr, DriverError};
use cushmem::{DeviceSlice, Shmem, Word};
use std::sync::Arc;

/// Returns the context that cushmem uses, or `None` if this PE has no NVIDIA GPU.
pub fn context(shmem: &Shmem) -> Result<Option<Arc<CudaContext>>, DriverError> {
    let gpu = shmem.gpu().filter(|gpu| !gpu.emulated);
    gpu.map(|gpu| CudaContext::new(gpu.ordinal as usize)).transpose()
}

/// Wraps a cushmem stream for cudarc, to run cudarc's operations between cushmem's kernels.
///
/// # Safety
/// `context` is the one that [`context()`] returned, and `stream` outlives the result.
pub unsafe fn stream(context: &Arc<CudaContext>, stream: &cushmem::Stream<'_>) -> Arc<CudaStream> {
    // SAFETY: the caller guarantees that the stream belongs to the context and stays.
    unsafe { context.wrap_borrowed_stream(stream.handle() as _) }
}

/// Wraps a cudarc stream, so that cushmem can launch kernels on it.
///
/// # Safety
/// `stream` belongs to [`context()`] and outlives the result.
pub unsafe fn adopt<'a>(shmem: &'a Shmem, stream: &CudaStream) -> cushmem::Result<cushmem::Stream<'a>> {
    // SAFETY: the caller guarantees that the stream belongs to the context and stays.
    unsafe { shmem.raw().stream(stream.cu_stream() as usize) }
}

/// Wraps cudarc's memory, for use as the private end of puts and gets. Waits for the work that the memory's stream was
/// given before.
///
/// # Safety
/// `memory` belongs to [`context()`] and outlives the result, and nobody else uses it during an operation on it.
pub unsafe fn slice<'a, T: Word>(shmem: &'a Shmem, memory: &CudaSlice<T>) -> Result<DeviceSlice<'a, T>, DriverError> {
    memory.stream().synchronize()?;
    let (address, _in_use) = memory.device_ptr(memory.stream());
    // SAFETY: the caller guarantees that the memory is of this GPU, stays, and is used by nobody else.
    Ok(unsafe { shmem.raw().device_slice(address, memory.len()) })
}
