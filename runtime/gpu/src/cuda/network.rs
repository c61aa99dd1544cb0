//! What a network device has to know of GPU memory, so that it reads and writes it itself (GPUDirect RDMA).

use super::check;
use super::driver::{
    self, CUdevice, CUdevice_attribute as D, CUflushGPUDirectRDMAWritesScope, CUflushGPUDirectRDMAWritesTarget,
    CUmemRangeHandleType, CUpointer_attribute, CUresult,
};
use super::memory::device_of;
use crate::{ForNetwork, GpuError, Result};
use std::os::fd::{FromRawFd, OwnedFd};

/// What the driver says of the device; 0 if it does not know the attribute.
fn attribute(device: CUdevice, which: D) -> i32 {
    let mut value = 0;
    // SAFETY: the driver is initialised and the pointer valid.
    let status = unsafe { driver::cuDeviceGetAttribute(&mut value, which, device) };
    if status == CUresult::CUDA_SUCCESS { value } else { 0 }
}

/// Prepares device memory for a network device.
pub(super) fn prepare(device: CUdevice, address: u64, bytes: u64) -> Result<ForNetwork> {
    let operation = || format!("let a network device use {bytes} bytes of device memory at {address:#x}");
    let has = |which| attribute(device, which) != 0;
    let exports = has(D::CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED);
    if !exports && !has(D::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED) {
        return Err(GpuError::new(operation(), "the GPU has no GPUDirect RDMA"));
    }
    // What is known of order and of flushing holds for the memory of one device.
    if let Some(other) = device_of(address).filter(|other| *other != device as u64) {
        return Err(GpuError::new(operation(), format!("it belongs to GPU {other} of this process")));
    }
    // A copy that the program has waited for could otherwise still be under way when a device reads the memory. Memory
    // that is mapped chunk by chunk has no such attribute; what copies it there is waited for by its stream.
    let (on, which) = (1_u32, CUpointer_attribute::CU_POINTER_ATTRIBUTE_SYNC_MEMOPS);
    // SAFETY: the attribute has this type; the driver refuses memory that has none.
    let set = unsafe { driver::cuPointerSetAttribute((&raw const on).cast(), which, address) };
    if set != CUresult::CUDA_ERROR_NOT_SUPPORTED {
        check(set, operation)?;
    }
    let dma_buf = if exports {
        dma_buf(address, bytes).map_err(|error| error.to_string())
    } else {
        Err("the driver exports no dma-buf".to_owned())
    };
    // Other GPUs of the machine may read it too.
    let order = attribute(device, D::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING);
    let keeps_order = order >= driver::CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES;
    let options = attribute(device, D::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS);
    let can_flush = options & driver::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST != 0;
    Ok(ForNetwork { address, dma_buf, keeps_order, can_flush })
}

/// Waits until what devices have written is visible.
pub(super) fn flush() -> Result<()> {
    let target = CUflushGPUDirectRDMAWritesTarget::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX;
    let scope = CUflushGPUDirectRDMAWritesScope::CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES;
    // SAFETY: it only waits.
    check(unsafe { driver::cuFlushGPUDirectRDMAWrites(target, scope) }, || "flush the writes of the network".into())
}

/// A dma-buf of the pages that have the memory, and the offset at which it starts there.
fn dma_buf(address: u64, bytes: u64) -> Result<(OwnedFd, u64)> {
    // SAFETY: sysconf only reads its argument.
    let page = u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096);
    let start = address - address % page;
    let length = (address + bytes).next_multiple_of(page) - start;
    let (mut fd, kind) = (-1_i32, CUmemRangeHandleType::CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD);
    // SAFETY: for this kind the driver writes a file descriptor, which then belongs to us.
    unsafe {
        let asked = driver::cuMemGetHandleForAddressRange((&raw mut fd).cast(), start, length as usize, kind, 0);
        check(asked, || format!("export {length} bytes of device memory as a dma-buf"))?;
        Ok((OwnedFd::from_raw_fd(fd), address - start))
    }
}
