use super::check;
use super::device::{Context, attribute};
use super::driver::{
    self, CUdevice, CUdevice_attribute, CUmemAllocationFlags, CUmemAllocationHandleType, CUmemAllocationProp,
    CUmemAllocationType, CUmemGenericAllocationHandle, CUmemLocation,
};
use crate::{Chunk, GpuError, MemoryLocation, Result};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::Arc;

const SHARED_AS: CUmemAllocationHandleType = CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

/// Which GPU or NUMA node memory lies on, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Location {
    kind: MemoryLocation,
    id: i32,
}

impl Location {
    pub(super) fn device(device: CUdevice) -> Self {
        Self { kind: MemoryLocation::Device, id: device }
    }

    pub(super) fn host(numa_node: i32) -> Self {
        Self { kind: MemoryLocation::Host, id: numa_node }
    }

    fn raw(self) -> CUmemLocation {
        let type_ = match self.kind {
            MemoryLocation::Device => CUmemLocation::DEVICE,
            MemoryLocation::Host => CUmemLocation::HOST_NUMA,
        };
        CUmemLocation { type_, id: self.id }
    }

    /// Where the memory of this handle lies.
    fn of(handle: CUmemGenericAllocationHandle) -> Result<Self> {
        let operation = || "ask where shared memory lies".to_owned();
        let mut properties = NO_MEMORY;
        // SAFETY: the pointer is valid; the driver refuses a handle that it does not know.
        let status = unsafe { driver::cuMemGetAllocationPropertiesFromHandle(&mut properties, handle) };
        check(status, operation)?;
        let id = properties.location.id;
        match properties.location.type_ {
            CUmemLocation::DEVICE => Ok(Self::device(id)),
            CUmemLocation::HOST | CUmemLocation::HOST_NUMA => Ok(Self::host(id)),
            kind => Err(GpuError::new(operation(), format!("the driver calls its kind of location {kind}"))),
        }
    }
}

/// All zero.
const NO_MEMORY: CUmemAllocationProp = CUmemAllocationProp {
    type_: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_INVALID as u32,
    requestedHandleTypes: CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_NONE as u32,
    location: CUmemLocation { type_: 0, id: 0 },
    win32HandleMetaData: std::ptr::null_mut(),
    allocFlags: CUmemAllocationFlags { compressionType: 0, gpuDirectRDMACapable: 0, usage: 0, reserved: [0; 4] },
};

/// Memory that can be shared as a file descriptor and, where the GPU can, be registered with a NIC.
fn allocation(location: Location) -> Result<CUmemAllocationProp> {
    let mut properties = CUmemAllocationProp {
        type_: CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED as u32,
        requestedHandleTypes: SHARED_AS as u32,
        location: location.raw(),
        ..NO_MEMORY
    };
    if location.kind == MemoryLocation::Device {
        let rdma = CUdevice_attribute::CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED;
        properties.allocFlags.gpuDirectRDMACapable = u8::from(attribute(location.id, rdma)? != 0);
    }
    Ok(properties)
}

/// Smallest unit in which shareable memory is allocated at this location, bytes.
pub(super) fn granularity(location: Location) -> Result<u64> {
    let mut bytes = 0;
    let least = driver::CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
    // SAFETY: the pointers are valid.
    check(unsafe { driver::cuMemGetAllocationGranularity(&mut bytes, &allocation(location)?, least) }, || {
        format!("read the allocation granularity of {}", location.kind)
    })?;
    Ok(bytes as u64)
}

/// Physical memory, made here or by a peer.
pub(super) struct CudaChunk {
    context: Arc<Context>,
    handle: CUmemGenericAllocationHandle,
    location: Location,
    bytes: u64,
}

impl CudaChunk {
    pub(super) fn create(context: &Arc<Context>, location: Location, bytes: u64) -> Result<Self> {
        let (mut handle, properties) = (0, allocation(location)?);
        // SAFETY: the pointers are valid; the handle is released in `drop`.
        let status = unsafe { driver::cuMemCreate(&mut handle, bytes as usize, &properties, 0) };
        check(status, || match location.kind {
            MemoryLocation::Device => format!("allocate {bytes} bytes of shareable device memory"),
            MemoryLocation::Host => {
                format!("allocate {bytes} bytes of shareable host memory in NUMA node {}", location.id)
            }
        })?;
        Ok(Self { context: context.clone(), handle, location, bytes })
    }

    pub(super) fn import(
        context: &Arc<Context>,
        location: MemoryLocation,
        fd: BorrowedFd<'_>,
        bytes: u64,
    ) -> Result<Self> {
        let operation = || format!("import {bytes} bytes of a peer's {location}");
        let mut handle = 0;
        let descriptor = std::ptr::without_provenance_mut(fd.as_raw_fd() as usize);
        // SAFETY: the driver reads the descriptor out of the pointer and keeps a reference of its own.
        check(unsafe { driver::cuMemImportFromShareableHandle(&mut handle, descriptor, SHARED_AS) }, operation)?;
        let mut chunk = Self { context: context.clone(), handle, location: Location { kind: location, id: 0 }, bytes };
        // Device memory is used without it: its id would be the peer's number of the GPU.
        if location == MemoryLocation::Host {
            chunk.location = Location::of(handle)?;
        }
        if chunk.location.kind != location {
            return Err(GpuError::new(operation(), format!("the descriptor is of {}", chunk.location.kind)));
        }
        Ok(chunk)
    }
}

impl Chunk for CudaChunk {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn location(&self) -> MemoryLocation {
        self.location.kind
    }

    fn share(&self) -> Result<OwnedFd> {
        let _entered = self.context.enter()?;
        let mut fd: i32 = -1;
        // SAFETY: for this handle type the driver writes a descriptor, which is ours.
        unsafe {
            check(driver::cuMemExportToShareableHandle((&raw mut fd).cast(), self.handle, SHARED_AS, 0), || {
                format!("share {} bytes of {}", self.bytes, self.location.kind)
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

/// Reserves addresses. The driver has one kind for all locations.
pub(super) fn reserve(location: MemoryLocation, bytes: u64, alignment: u64) -> Result<u64> {
    let mut address = 0;
    // SAFETY: reserves addresses only; the pointer is valid.
    check(unsafe { driver::cuMemAddressReserve(&mut address, bytes as usize, alignment as usize, 0, 0) }, || {
        format!("reserve {bytes} bytes of address space for {location}")
    })?;
    Ok(address)
}

/// Maps a whole chunk for reading and writing by `device` and, if it is host memory, by the CPU.
pub(super) fn map(device: CUdevice, address: u64, chunk: &Arc<dyn Chunk>) -> Result<()> {
    let operation = || format!("map {} bytes of {} at {address:#x}", chunk.bytes(), chunk.location());
    let own = chunk.as_any().downcast_ref::<CudaChunk>();
    let own = own.ok_or_else(|| GpuError::new(operation(), "the memory belongs to another kind of GPU"))?;
    let bytes = own.bytes as usize;
    // SAFETY: the driver refuses ranges that are not reserved or already mapped, and handles that are not alive.
    check(unsafe { driver::cuMemMap(address, bytes, 0, own.handle, 0) }, operation)?;
    let cpu = (own.location.kind == MemoryLocation::Host).then_some(own.location);
    for location in [Some(Location::device(device)), cpu].into_iter().flatten() {
        let flags = driver::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        let access = driver::CUmemAccessDesc { location: location.raw(), flags };
        // SAFETY: the pointer is valid; the range was mapped just now.
        check(unsafe { driver::cuMemSetAccess(address, bytes, &access, 1) }, operation).inspect_err(|_| {
            // SAFETY: nobody else knows of the mapping yet.
            let _ = unsafe { driver::cuMemUnmap(address, bytes) };
        })?;
    }
    Ok(())
}

/// Takes back what [`map`] did.
pub(super) fn unmap(address: u64, bytes: u64) -> Result<()> {
    // SAFETY: the driver refuses what is not mapped by cuMemMap; later accesses to the range fault.
    check(unsafe { driver::cuMemUnmap(address, bytes as usize) }, || format!("unmap {bytes} bytes at {address:#x}"))
}

/// Whether the driver knows this as memory that only GPUs access. Neither managed memory is, nor host memory that the driver
/// mapped: the CPU accesses both too.
pub(super) fn is_device_address(address: u64) -> bool {
    use driver::CUpointer_attribute as A;
    let read = |which| {
        let mut value = 0u32;
        // SAFETY: both attributes fit into four bytes (a managed flag has fewer); the driver only looks the address up.
        let status = unsafe { driver::cuPointerGetAttribute((&raw mut value).cast(), which, address) };
        (status == driver::CUresult::CUDA_SUCCESS).then_some(value)
    };
    read(A::CU_POINTER_ATTRIBUTE_MEMORY_TYPE) == Some(driver::CU_MEMORYTYPE_DEVICE)
        && read(A::CU_POINTER_ATTRIBUTE_IS_MANAGED).is_none_or(|managed| managed == 0)
        && !is_mapped_host_chunk(address)
}

/// Whether a host chunk is mapped there, whichever program made it. Drivers need not report such memory as the host's.
fn is_mapped_host_chunk(address: u64) -> bool {
    let mut handle = 0;
    let pointer = std::ptr::without_provenance_mut(address as usize);
    // SAFETY: the pointer to the handle is valid; the driver only looks the address up.
    if unsafe { driver::cuMemRetainAllocationHandle(&mut handle, pointer) } != driver::CUresult::CUDA_SUCCESS {
        return false;
    }
    let location = Location::of(handle);
    // SAFETY: pairs with the retain above. A failure would only keep memory alive.
    let _ = unsafe { driver::cuMemRelease(handle) };
    location.is_ok_and(|location| location.kind == MemoryLocation::Host)
}
