use super::check;
use super::device::{Context, attribute};
use super::driver::{
    self, CUdevice, CUdevice_attribute, CUmemAllocationFlags, CUmemAllocationHandleType, CUmemAllocationProp,
    CUmemAllocationType, CUmemGenericAllocationHandle, CUmemLocation, CUpointer_attribute as A,
};
use crate::{Chunk, GpuError, IPC_BYTES, Mapped, Result};
use std::ops::Range;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::Arc;

const SHARED_AS: CUmemAllocationHandleType = CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

/// All fields zero.
const NO_MEMORY: CUmemAllocationProp = CUmemAllocationProp {
    type_: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_INVALID as u32,
    requestedHandleTypes: CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE as u32,
    location: CUmemLocation { type_: 0, id: 0 },
    win32HandleMetaData: std::ptr::null_mut(),
    allocFlags: CUmemAllocationFlags { compressionType: 0, gpuDirectRDMACapable: 0, usage: 0, reserved: [0; 4] },
};

fn location(device: CUdevice) -> CUmemLocation {
    CUmemLocation { type_: CUmemLocation::DEVICE, id: device }
}

/// Properties of memory that can be shared as a file descriptor and, if the GPU supports it, registered with a NIC.
fn allocation(device: CUdevice) -> Result<CUmemAllocationProp> {
    let rdma = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED;
    let mut properties = CUmemAllocationProp {
        type_: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED as u32,
        requestedHandleTypes: SHARED_AS as u32,
        location: location(device),
        ..NO_MEMORY
    };
    properties.allocFlags.gpuDirectRDMACapable = u8::from(attribute(device, rdma)? != 0);
    Ok(properties)
}

/// The smallest unit in which shareable memory of this GPU is allocated, in bytes.
pub(super) fn granularity(device: CUdevice) -> Result<u64> {
    let mut bytes = 0;
    let least = driver::CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
    // SAFETY: the pointers are valid.
    check(unsafe { driver::cuMemGetAllocationGranularity(&mut bytes, &allocation(device)?, least) }, || {
        "read the allocation granularity of device memory".into()
    })?;
    Ok(bytes as u64)
}

/// Physical memory, made here or by a peer.
pub(super) struct CudaChunk {
    context: Arc<Context>,
    handle: CUmemGenericAllocationHandle,
    bytes: u64,
}

impl CudaChunk {
    pub(super) fn create(context: &Arc<Context>, bytes: u64) -> Result<Self> {
        let (mut handle, properties) = (0, allocation(context.device)?);
        // SAFETY: the pointers are valid; the handle is released in `drop`.
        let status = unsafe { driver::cuMemCreate(&mut handle, bytes as usize, &properties, 0) };
        check(status, || format!("allocate {bytes} bytes of shareable device memory"))?;
        Ok(Self { context: context.clone(), handle, bytes })
    }

    pub(super) fn import(context: &Arc<Context>, fd: BorrowedFd<'_>, bytes: u64) -> Result<Self> {
        let mut handle = 0;
        let descriptor = std::ptr::without_provenance_mut(fd.as_raw_fd() as usize);
        // SAFETY: the driver takes the descriptor from the pointer's value and keeps a reference of its own.
        let status = unsafe { driver::cuMemImportFromShareableHandle(&mut handle, descriptor, SHARED_AS) };
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
        // SAFETY: for this handle type, the driver writes a file descriptor, which then belongs to us.
        unsafe {
            check(driver::cuMemExportToShareableHandle((&raw mut fd).cast(), self.handle, SHARED_AS, 0), || {
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
        let _ = unsafe { driver::cuMemRelease(self.handle) };
    }
}

pub(super) fn reserve(bytes: u64, alignment: u64) -> Result<u64> {
    let mut address = 0;
    // SAFETY: reserves addresses only; the pointer is valid.
    check(unsafe { driver::cuMemAddressReserve(&mut address, bytes as usize, alignment as usize, 0, 0) }, || {
        format!("reserve {bytes} bytes of device addresses")
    })?;
    Ok(address)
}

/// Gives back what [`reserve`] returned.
pub(super) fn unreserve(address: u64, bytes: u64) -> Result<()> {
    // SAFETY: the caller has unmapped everything from this reservation.
    check(unsafe { driver::cuMemAddressFree(address, bytes as usize) }, || {
        format!("release {bytes} bytes of device addresses at {address:#x}")
    })
}

/// Maps a whole chunk so that `device` can read and write it.
pub(super) fn map(device: CUdevice, address: u64, chunk: &Arc<dyn Chunk>) -> Result<()> {
    let operation = || format!("map {} bytes of device memory at {address:#x}", chunk.bytes());
    let own = chunk.as_any().downcast_ref::<CudaChunk>();
    let own = own.ok_or_else(|| GpuError::new(operation(), "the memory belongs to another kind of GPU"))?;
    let bytes = own.bytes as usize;
    // SAFETY: the driver refuses ranges that are not reserved or already mapped, and handles that are not alive.
    check(unsafe { driver::cuMemMap(address, bytes, 0, own.handle, 0) }, operation)?;
    let flags = driver::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    let access = driver::CUmemAccessDesc { location: location(device), flags };
    // SAFETY: the pointer is valid; the range was mapped just now.
    check(unsafe { driver::cuMemSetAccess(address, bytes, &access, 1) }, operation).inspect_err(|_| {
        // SAFETY: nobody else knows of the mapping yet.
        let _ = unsafe { driver::cuMemUnmap(address, bytes) };
    })
}

/// Undoes [`map`].
pub(super) fn unmap(address: u64, bytes: u64) -> Result<()> {
    // SAFETY: the driver refuses a range that cuMemMap has not mapped; later accesses to the range fault.
    check(unsafe { driver::cuMemUnmap(address, bytes as usize) }, || format!("unmap {bytes} bytes at {address:#x}"))
}

/// Whether the driver knows this address as memory that only GPUs access. Managed memory and host memory that the
/// driver mapped do not count, because the CPU accesses both too.
pub(super) fn is_device_address(address: u64) -> bool {
    read(A::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) == Some(driver::CU_MEMORYTYPE_DEVICE.into())
        && read(A::CU_POINTER_ATTRIBUTE_IS_MANAGED, address).is_none_or(|managed| managed == 0)
        && !is_mapped_host_chunk(address)
}

/// Whether these bytes start and end in the same allocation or registration, of any kind, that the driver knows. The
/// driver does not know pageable memory.
pub(super) fn is_known(address: u64, bytes: u64) -> bool {
    let start = |at| read(A::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, at);
    let last = address.saturating_add(bytes.saturating_sub(1));
    start(address).is_some_and(|first| start(last) == Some(first))
}

/// Returns the range of consecutive allocations that contain all of these bytes, if only GPUs access them.
pub(super) fn device_range(address: u64, bytes: u64) -> Option<Range<u64>> {
    let (mut range, end) = (address..address, address.checked_add(bytes)?);
    while range.end < end {
        let here = range.end;
        if !is_device_address(here) {
            return None;
        }
        let [start, length] = [A::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, A::CU_POINTER_ATTRIBUTE_RANGE_SIZE]
            .map(|which| read(which, here).unwrap_or(0));
        let found = start..start.saturating_add(length);
        // If the driver does not give the range, take a part that is certain to be of one kind.
        let found = if found.contains(&here) { found } else { here..(here | (KIND_BYTES - 1)).saturating_add(1) };
        range = range.start.min(found.start)..found.end;
    }
    Some(range)
}

/// Returns the chunks in which memory from `cuMemCreate` lies, and `None` for other memory. A mapping starts with the
/// first byte of its chunk: `cuMemMap` supports no other.
pub(super) fn chunks_of(context: &Arc<Context>, address: u64, bytes: u64) -> Result<Option<Mapped>> {
    let operation = || format!("find the memory of {bytes} bytes at {address:#x}");
    let (mut chunks, mut first, mut here) = (Vec::<Arc<dyn Chunk>>::new(), address, address);
    let end = address.checked_add(bytes).ok_or_else(|| GpuError::new(operation(), "it wraps around"))?;
    while here < end {
        let mut handle = 0;
        let pointer = std::ptr::without_provenance_mut(here as usize);
        // SAFETY: the pointer to the handle is valid; the driver only looks the address up.
        if unsafe { driver::cuMemRetainAllocationHandle(&mut handle, pointer) } != driver::CUresult::CUDA_SUCCESS {
            match chunks.is_empty() {
                true => return Ok(None),
                false => {
                    return Err(GpuError::new(operation(), format!("at {here:#x} there is memory of another kind")));
                }
            }
        }
        // The chunk releases the handle.
        let chunk = |bytes| CudaChunk { context: context.clone(), handle, bytes };
        let asked = [A::CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR, A::CU_POINTER_ATTRIBUTE_MAPPING_SIZE];
        let [start, length] = asked.map(|which| read(which, here).unwrap_or(0));
        let chunk = chunk(length);
        if !(start..start.saturating_add(length)).contains(&here) || (!chunks.is_empty() && start != here) {
            return Err(GpuError::new(operation(), format!("the driver does not tell what is mapped at {here:#x}")));
        }
        if chunks.is_empty() {
            first = start;
        }
        here = start + length;
        chunks.push(Arc::new(chunk));
    }
    Ok(Some(Mapped { first, chunks }))
}

/// Returns a handle by which other processes can open memory from `cudaMalloc`, and the address at which the allocation
/// starts.
pub(super) fn handle_of(address: u64, bytes: u64) -> Result<([u8; IPC_BYTES], u64)> {
    let operation = || format!("share {bytes} bytes of device memory at {address:#x}");
    let asked = [A::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, A::CU_POINTER_ATTRIBUTE_RANGE_SIZE];
    let [start, length] = asked.map(|which| read(which, address).unwrap_or(0));
    if start > address || address - start > length || length - (address - start) < bytes {
        return Err(GpuError::new(operation(), "no single allocation has all of it"));
    }
    let mut handle = driver::CUipcMemHandle { reserved: [0; IPC_BYTES] };
    // SAFETY: the pointer is valid; the driver refuses memory that it does not share.
    let status = unsafe { driver::cuIpcGetMemHandle(&mut handle, start) };
    check(status, operation).map_err(|error| {
        let why = "memory of a pool, or managed, is not shared between processes; use cudaMalloc or cuMemCreate";
        GpuError::new(operation(), format!("{error}: {why}"))
    })?;
    Ok((handle.reserved, start))
}

/// Drivers map device memory in units of at least this size.
const KIND_BYTES: u64 = 64 << 10;

/// The number of the device that has the memory at an address, if the driver says.
pub(super) fn device_of(address: u64) -> Option<u64> {
    read(A::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address)
}

/// Asks the driver for an attribute of an address.
fn read(which: A, address: u64) -> Option<u64> {
    let mut value = 0u64;
    // SAFETY: none of the attributes in use has more than eight bytes; the driver only looks the address up.
    let status = unsafe { driver::cuPointerGetAttribute((&raw mut value).cast(), which, address) };
    (status == driver::CUresult::CUDA_SUCCESS).then_some(value)
}

/// Whether a chunk of host memory that the program created is mapped there. Drivers need not report such memory as host
/// memory.
fn is_mapped_host_chunk(address: u64) -> bool {
    let (mut handle, mut properties) = (0, NO_MEMORY);
    let pointer = std::ptr::without_provenance_mut(address as usize);
    // SAFETY: the pointer to the handle is valid; the driver only looks the address up.
    if unsafe { driver::cuMemRetainAllocationHandle(&mut handle, pointer) } != driver::CUresult::CUDA_SUCCESS {
        return false;
    }
    // SAFETY: the pointer is valid, and the handle was retained above.
    let asked = unsafe { driver::cuMemGetAllocationPropertiesFromHandle(&mut properties, handle) };
    // SAFETY: pairs with the retain above. A failure would only keep memory alive.
    let _ = unsafe { driver::cuMemRelease(handle) };
    asked == driver::CUresult::CUDA_SUCCESS
        && [CUmemLocation::HOST, CUmemLocation::HOST_NUMA].contains(&properties.location.type_)
}
