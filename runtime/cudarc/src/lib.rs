//! cudarc's contexts, streams and memory for cushmem, and the other way round. Both call the same driver and use the
//! primary context of the GPU, so nothing is copied or made anew. Which CUDA cudarc is for, and whether it opens or
//! links the driver, is the program's choice of cudarc's features.
#![warn(missing_docs)]

use cudarc::driver::{CudaContext, CudaSlice, CudaStream, DevicePtr, DriverError};
use cushmem::{DeviceSlice, Shmem, Word};
use std::sync::Arc;

/// The context that cushmem uses; `None` if this PE has no NVIDIA GPU.
pub fn context(shmem: &Shmem) -> Result<Option<Arc<CudaContext>>, DriverError> {
    let gpu = shmem.gpu().filter(|gpu| !gpu.emulated);
    gpu.map(|gpu| CudaContext::new(gpu.ordinal as usize)).transpose()
}

/// cushmem's stream as one of cudarc's, for operations of cudarc between its kernels.
///
/// # Safety
/// `context` is that of [`context()`], and `stream` outlives the result.
pub unsafe fn stream(context: &Arc<CudaContext>, stream: &cushmem::Stream<'_>) -> Arc<CudaStream> {
    // SAFETY: the caller guarantees that the stream belongs to the context and stays.
    unsafe { context.wrap_borrowed_stream(stream.handle() as _) }
}

/// A stream of cudarc's, on which cushmem then launches kernels.
///
/// # Safety
/// `stream` belongs to [`context()`], and outlives the result.
pub unsafe fn adopt<'a>(shmem: &'a Shmem, stream: &CudaStream) -> cushmem::Result<cushmem::Stream<'a>> {
    // SAFETY: the caller guarantees that the stream belongs to the context and stays.
    unsafe { shmem.raw().stream(stream.cu_stream() as usize) }
}

/// Memory of cudarc's as the private end of puts and gets. Waits for what its stream was given before.
///
/// # Safety
/// `memory` belongs to [`context()`] and outlives the result, and nobody else uses it while an operation does.
pub unsafe fn slice<'a, T: Word>(shmem: &'a Shmem, memory: &CudaSlice<T>) -> Result<DeviceSlice<'a, T>, DriverError> {
    memory.stream().synchronize()?;
    let (address, _in_use) = memory.device_ptr(memory.stream());
    // SAFETY: the caller guarantees that the memory is of this GPU, stays, and is used by nobody else.
    Ok(unsafe { shmem.raw().device_slice(address, memory.len()) })
}
