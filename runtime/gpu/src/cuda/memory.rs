use super::check;
use super::device::{Context, attribute};
use crate::{Chunk, GpuError, Result};
use cudarc::driver::sys::{self, CUdevice, CUdevice_attribute, CUmemGenericAllocationHandle};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::Arc;

const SHARED_AS: sys::CUmemAllocationHandleType =
    sys::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

fn location(device: CUdevice) -> sys::CUmemLocation {
    sys::CUmemLocation { type_: sys::CUmemLocationType::CU_MEM_LOCATION_TYPE_DEVICE, id: device }
}

/// Memory of `device` that can be shared as a file descriptor and, where the GPU can, be registered with a NIC.
fn allocation(device: CUdevice) -> Result<sys::CUmemAllocationProp> {
    // SAFETY: a plain structure of numbers and a pointer that is unused here.
    let mut properties: sys::CUmemAllocationProp = unsafe { std::mem::zeroed() };
    properties.type_ = sys::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.requestedHandleTypes = SHARED_AS;
    properties.location = location(device);
    let rdma = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED;
    properties.allocFlags.gpuDirectRDMACapable = u8::from(attribute(device, rdma)? != 0);
    Ok(properties)
}

/// Smallest unit in which `device` allocates shareable memory.
pub(super) fn granularity(device: CUdevice) -> Result<u64> {
    let mut bytes = 0;
    let least = sys::CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
    // SAFETY: the pointers are valid.
    check(unsafe { sys::cuMemGetAllocationGranularity(&mut bytes, &allocation(device)?, least) }, || {
        "read the allocation granularity".into()
    })?;
    Ok(bytes as u64)
}

/// Physical device memory, made here or by a peer.
pub(super) struct CudaChunk {
    context: Arc<Context>,
    handle: CUmemGenericAllocationHandle,
    bytes: u64,
}

impl CudaChunk {
    pub(super) fn create(context: &Arc<Context>, bytes: u64) -> Result<Self> {
        let mut handle = 0;
        // SAFETY: the pointers are valid; the handle is released in `drop`.
        check(unsafe { sys::cuMemCreate(&mut handle, bytes as usize, &allocation(context.device)?, 0) }, || {
            format!("allocate {bytes} bytes of shareable device memory")
        })?;
        Ok(Self { context: context.clone(), handle, bytes })
    }

    pub(super) fn import(context: &Arc<Context>, fd: BorrowedFd<'_>, bytes: u64) -> Result<Self> {
        let mut handle = 0;
        let descriptor = std::ptr::without_provenance_mut(fd.as_raw_fd() as usize);
        // SAFETY: the driver reads the descriptor out of the pointer and keeps a reference of its own.
        let status = unsafe { sys::cuMemImportFromShareableHandle(&mut handle, descriptor, SHARED_AS) };
        check(status, || format!("import {bytes} bytes of a peer's device memory"))?;
        Ok(Self { context: context.clone(), handle, bytes })
    }
}

impl Chunk for CudaChunk {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn share(&self) -> Result<OwnedFd> {
        let _entered = self.context.enter()?;
        let mut fd: i32 = -1;
        // SAFETY: for this handle type the driver writes a descriptor, which is ours.
        unsafe {
            check(sys::cuMemExportToShareableHandle((&raw mut fd).cast(), self.handle, SHARED_AS, 0), || {
                format!("share {} bytes of device memory", self.bytes)
            })?;
            Ok(OwnedFd::from_raw_fd(fd))
        }
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }
}

impl Drop for CudaChunk {
    fn drop(&mut self) {
        // SAFETY: the handle is ours; mappings keep the memory alive on their own.
        let _ = unsafe { sys::cuMemRelease(self.handle) };
    }
}

/// Maps a whole chunk for reading and writing by `device`.
pub(super) fn map(device: CUdevice, address: u64, chunk: &Arc<dyn Chunk>) -> Result<()> {
    let operation = || format!("map {} bytes of device memory at {address:#x}", chunk.bytes());
    let own = chunk.as_any().downcast_ref::<CudaChunk>();
    let own = own.ok_or_else(|| GpuError::new(operation(), "the memory belongs to another kind of GPU"))?;
    let access = sys::CUmemAccessDesc {
        location: location(device),
        flags: sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
    };
    // SAFETY: the driver refuses ranges that are not reserved or already mapped; the pointers are valid.
    unsafe {
        check(sys::cuMemMap(address, own.bytes as usize, 0, own.handle, 0), operation)?;
        check(sys::cuMemSetAccess(address, own.bytes as usize, &access, 1), operation).inspect_err(|_| {
            let _ = sys::cuMemUnmap(address, own.bytes as usize);
        })
    }
}

/// Whether the driver knows this as memory that only GPUs access. Managed memory is not: the CPU accesses it too.
pub(super) fn is_device_address(address: u64) -> bool {
    use sys::CUpointer_attribute as A;
    let read = |which| {
        let mut value = 0u32;
        // SAFETY: both attributes fit into four bytes (a managed flag has fewer); the driver only looks the address up.
        let status = unsafe { sys::cuPointerGetAttribute((&raw mut value).cast(), which, address) };
        (status == sys::CUresult::CUDA_SUCCESS).then_some(value)
    };
    read(A::CU_POINTER_ATTRIBUTE_MEMORY_TYPE) == Some(sys::CUmemorytype::CU_MEMORYTYPE_DEVICE as u32)
        && read(A::CU_POINTER_ATTRIBUTE_IS_MANAGED).is_none_or(|managed| managed == 0)
}
