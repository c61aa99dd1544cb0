// Long because it lists every function of the driver that is called, with its types.
//! The functions of the CUDA driver that the library calls, and their types, as `cuda.h` declares them. All are looked
//! up at once, at run time. A symbol has the name that the ABI uses: `cuMemAlloc_v2` for the header's `cuMemAlloc`.
//!
//! A program may call these functions too, after [`open`]. They are as unsafe as in C, and act on the context that is
//! current in the thread.
#![allow(non_camel_case_types, non_snake_case, clippy::missing_safety_doc, clippy::too_many_arguments)]

use libloading::Library;
use libloading::os::unix;
use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};
use std::mem::offset_of;
use std::sync::OnceLock;

/// The driver's file name, which the loader looks for.
pub(super) const LIBRARY: &str = "libcuda.so.1";

macro_rules! handles { ($($(#[$doc:meta])* $name:ident;)*) => {$(
    $(#[$doc])*
    pub type $name = *mut c_void;
)*} }

handles! {
    /// A context.
    CUcontext;
    /// An event.
    CUevent;
    /// A kernel.
    CUfunction;
    /// A recorded graph.
    CUgraph;
    /// A graph that can be launched.
    CUgraphExec;
    /// A loaded module.
    CUmodule;
    /// A stream.
    CUstream;
}

/// A device.
pub type CUdevice = c_int;
/// An address in device memory.
pub type CUdeviceptr = c_ulonglong;
/// Physical memory.
pub type CUmemGenericAllocationHandle = c_ulonglong;

/// A call's status. Drivers return more values than any header lists.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CUresult(pub c_uint);

impl CUresult {
    /// The call succeeded.
    pub const CUDA_SUCCESS: Self = Self(0);
    /// The driver is not initialised.
    pub const CUDA_ERROR_NOT_INITIALIZED: Self = Self(3);
    /// `CUDA_ERROR_INVALID_VALUE`: an argument is not acceptable; nothing was done.
    pub const CUDA_ERROR_INVALID_VALUE: Self = Self(1);
    /// The current context is not the operation's.
    pub const CUDA_ERROR_INVALID_CONTEXT: Self = Self(201);
    /// The device or the system does not have this operation.
    pub const CUDA_ERROR_NOT_SUPPORTED: Self = Self(801);
    /// The name was not found.
    pub const CUDA_ERROR_NOT_FOUND: Self = Self(500);
    /// The operation that was asked about has not finished.
    pub const CUDA_ERROR_NOT_READY: Self = Self(600);
    /// A kernel has ended itself, or done something that the device does not forgive.
    pub const CUDA_ERROR_LAUNCH_FAILED: Self = Self(719);
    /// A cooperative launch has more blocks than fit.
    pub const CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: Self = Self(720);

    /// Whether the driver did not take an operation as it is: nothing was done, and another one may do the same.
    pub(super) fn is_refusal(self) -> bool {
        matches!(
            self,
            Self::CUDA_ERROR_INVALID_VALUE | Self::CUDA_ERROR_INVALID_CONTEXT | Self::CUDA_ERROR_NOT_SUPPORTED
        )
    }
}

// Values that are only passed to the driver are enumerations. Values that the driver returns are numbers, because they
// may be new ones.
macro_rules! enumerations { ($($(#[$doc:meta])* $name:ident { $($value:ident = $number:literal,)* })*) => {$(
    $(#[$doc])*
    #[repr(u32)]
    #[allow(missing_docs)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum $name { $($value = $number,)* }
)*} }

enumerations! {
    /// Attributes of a device.
    CUdevice_attribute {
        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
        CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91,
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97,
        CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
        CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
        CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110,
        CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_SUPPORTED = 116,
        CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS = 117,
        CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WRITES_ORDERING = 118,
        CU_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED = 124,
    }
    /// Attributes of a pair of devices.
    CUdevice_P2PAttribute {
        CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 1,
        CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 3,
    }
    /// Attributes of a kernel.
    CUfunction_attribute {
        CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
        CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
        CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8,
    }
    /// Attributes of an address.
    CUpointer_attribute {
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
        CU_POINTER_ATTRIBUTE_SYNC_MEMOPS = 6,
        CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9,
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
        CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
        CU_POINTER_ATTRIBUTE_MAPPING_SIZE = 18,
        CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR = 19,
    }
    /// Options of the PTX compiler.
    CUjit_option {
        CU_JIT_ERROR_LOG_BUFFER = 5,
        CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    }
    /// The kind of handle by which memory is shared.
    CUmemAllocationHandleType {
        CU_MEM_HANDLE_TYPE_NONE = 0,
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
    }
    /// The kind of handle of a range of addresses.
    CUmemRangeHandleType {
        CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD = 1,
    }
    /// Whose writes of network devices are flushed.
    CUflushGPUDirectRDMAWritesTarget {
        CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX = 0,
    }
    /// Who sees them then.
    CUflushGPUDirectRDMAWritesScope {
        CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES = 200,
    }
    /// Kinds of physical memory.
    CUmemAllocationType {
        CU_MEM_ALLOCATION_TYPE_INVALID = 0,
        CU_MEM_ALLOCATION_TYPE_PINNED = 1,
    }
    /// Which granularity is asked for.
    CUmemAllocationGranularity_flags {
        CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
    }
    /// Kinds of access.
    CUmemAccess_flags {
        CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3,
    }
}

/// `CU_MEMHOSTREGISTER_PORTABLE`: pinned for all contexts.
pub const CU_MEMHOSTREGISTER_PORTABLE: c_uint = 1;
/// `CU_MEMHOSTREGISTER_DEVICEMAP`: mapped for kernels too.
pub const CU_MEMHOSTREGISTER_DEVICEMAP: c_uint = 2;
/// `CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS`: enables peer access if the memory belongs to another GPU.
pub const CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS: c_uint = 1;
/// `CU_MEMORYTYPE_DEVICE`, a value of `CU_POINTER_ATTRIBUTE_MEMORY_TYPE`.
pub const CU_MEMORYTYPE_DEVICE: c_uint = 2;
/// `CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST`, a bit: there is `cuFlushGPUDirectRDMAWrites`.
pub const CU_FLUSH_GPU_DIRECT_RDMA_WRITES_OPTION_HOST: c_int = 1;
/// `CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES`: every GPU sees writes of other devices in their order.
pub const CU_GPU_DIRECT_RDMA_WRITES_ORDERING_ALL_DEVICES: c_int = 200;
/// `CU_MODULE_LAZY_LOADING`, a value of `CUmoduleLoadingMode`: a kernel is loaded when it is first used.
pub const CU_MODULE_LAZY_LOADING: c_uint = 2;
/// `CU_EVENT_DISABLE_TIMING`: the event is used for ordering only.
pub const CU_EVENT_DISABLE_TIMING: c_uint = 2;
/// For `cuGraphInstantiateWithFlags`: nodes keep their own priorities. Since CUDA 11.7.
pub const CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY: c_ulonglong = 8;
/// `CU_STREAM_CAPTURE_STATUS_NONE`: the stream is not being captured.
pub const CU_STREAM_CAPTURE_STATUS_NONE: c_uint = 0;
/// `CU_STREAM_CAPTURE_MODE_RELAXED`: no call of this thread breaks the capture of a stream.
pub const CU_STREAM_CAPTURE_MODE_RELAXED: c_uint = 2;
/// `CU_STREAM_NON_BLOCKING`: the stream does not wait for the default stream.
pub const CU_STREAM_NON_BLOCKING: c_uint = 1;
/// `CU_STREAM_WAIT_VALUE_GEQ`: wait until the word is at least the value.
pub const CU_STREAM_WAIT_VALUE_GEQ: c_uint = 0;
/// `CU_MEMORYTYPE_UNIFIED`: the driver finds out the kind of memory from the address.
pub const CU_MEMORYTYPE_UNIFIED: c_uint = 4;
/// `CU_STREAM_WRITE_VALUE_DEFAULT`: a fence precedes the write.
pub const CU_STREAM_WRITE_VALUE_DEFAULT: c_uint = 0;

/// Where memory lies: a value of `CUmemLocationType`, and the number of the device or NUMA node.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CUmemLocation {
    /// The kind: one of the constants below.
    pub type_: c_uint,
    /// The number of the device or NUMA node.
    pub id: c_int,
}

impl CUmemLocation {
    /// `CU_MEM_LOCATION_TYPE_DEVICE`.
    pub const DEVICE: c_uint = 1;
    /// `CU_MEM_LOCATION_TYPE_HOST`.
    pub const HOST: c_uint = 2;
    /// `CU_MEM_LOCATION_TYPE_HOST_NUMA`.
    pub const HOST_NUMA: c_uint = 3;
}

/// The properties of physical memory. Enumerations are numbers here, because the driver fills this structure in too.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUmemAllocationProp {
    /// A `CUmemAllocationType`.
    pub type_: c_uint,
    /// `CUmemAllocationHandleType`s.
    pub requestedHandleTypes: c_uint,
    /// Where the memory lies.
    pub location: CUmemLocation,
    /// For Windows.
    pub win32HandleMetaData: *mut c_void,
    /// Further properties.
    pub allocFlags: CUmemAllocationFlags,
}

/// The last part of [`CUmemAllocationProp`].
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct CUmemAllocationFlags {
    /// The kind of compression.
    pub compressionType: u8,
    /// Whether a NIC can access the memory.
    pub gpuDirectRDMACapable: u8,
    /// Other uses.
    pub usage: u16,
    /// Zero.
    pub reserved: [u8; 4],
}

/// Who may access memory, and how.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUmemAccessDesc {
    /// Who accesses the memory.
    pub location: CUmemLocation,
    /// The kind of access.
    pub flags: CUmemAccess_flags,
}

/// `CU_STREAM_MEM_OP_WRITE_VALUE_32`: a member of a batch writes a word of 4 bytes.
pub const CU_STREAM_MEM_OP_WRITE_VALUE_32: c_uint = 2;
/// `CU_STREAM_MEM_OP_WRITE_VALUE_64`: the same for 8 bytes.
pub const CU_STREAM_MEM_OP_WRITE_VALUE_64: c_uint = 5;

/// A member of a batch: a write, `CUstreamMemOpWriteValueParams` of this union.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct CUstreamBatchMemOpParams {
    /// One of the constants.
    pub operation: c_uint,
    /// The word.
    pub address: CUdeviceptr,
    /// Its value; for 4 bytes, the lower half.
    pub value: u64,
    /// The flags of `cuStreamWriteValue64`.
    pub flags: c_uint,
    /// For remote memory.
    pub alias: CUdeviceptr,
    /// The rest of the union.
    pub pad: u64,
}

/// Describes a copy of rows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUDA_MEMCPY2D {
    /// Offset of the source in its row, in bytes.
    pub srcXInBytes: usize,
    /// The first row of the source.
    pub srcY: usize,
    /// The memory type of the source: one of the constants.
    pub srcMemoryType: c_uint,
    /// Address of the source in host memory.
    pub srcHost: *const c_void,
    /// Address of the source in device or unified memory.
    pub srcDevice: CUdeviceptr,
    /// For arrays.
    pub srcArray: *mut c_void,
    /// Bytes from one row to the next.
    pub srcPitch: usize,
    /// Offset of the target in its row, in bytes.
    pub dstXInBytes: usize,
    /// The first row of the target.
    pub dstY: usize,
    /// The memory type of the target: one of the constants.
    pub dstMemoryType: c_uint,
    /// Address of the target in host memory.
    pub dstHost: *mut c_void,
    /// Address of the target in device or unified memory.
    pub dstDevice: CUdeviceptr,
    /// For arrays.
    pub dstArray: *mut c_void,
    /// Bytes from one row to the next.
    pub dstPitch: usize,
    /// Bytes in a row.
    pub WidthInBytes: usize,
    /// The number of rows.
    pub Height: usize,
}

impl CUDA_MEMCPY2D {
    /// Describes a copy of rows between any two addresses.
    pub fn of(rows: &crate::Rows) -> Self {
        Self {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: CU_MEMORYTYPE_UNIFIED,
            srcHost: std::ptr::null(),
            srcDevice: rows.src,
            srcArray: std::ptr::null_mut(),
            srcPitch: rows.src_step as usize,
            dstXInBytes: 0,
            dstY: 0,
            dstMemoryType: CU_MEMORYTYPE_UNIFIED,
            dstHost: std::ptr::null_mut(),
            dstDevice: rows.dst,
            dstArray: std::ptr::null_mut(),
            dstPitch: rows.dst_step as usize,
            WidthInBytes: rows.width as usize,
            Height: rows.count as usize,
        }
    }
}

/// Names an allocation in other processes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CUipcMemHandle {
    /// The name.
    pub reserved: [u8; 64],
}

/// Names a device.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CUuuid {
    /// The name.
    pub bytes: [u8; 16],
}

const _: () = {
    assert!(size_of::<CUmemLocation>() == 8 && size_of::<CUmemAccessDesc>() == 12 && size_of::<CUuuid>() == 16);
    assert!(size_of::<CUipcMemHandle>() == crate::IPC_BYTES);
    assert!(size_of::<CUmemAllocationProp>() == 32 && size_of::<CUDA_MEMCPY2D>() == 128);
    assert!(offset_of!(CUDA_MEMCPY2D, srcDevice) == 32 && offset_of!(CUDA_MEMCPY2D, dstDevice) == 88);
    assert!(offset_of!(CUDA_MEMCPY2D, Height) == 120);
    assert!(size_of::<CUstreamBatchMemOpParams>() == 48);
    assert!(offset_of!(CUstreamBatchMemOpParams, value) == 16);
    assert!(offset_of!(CUstreamBatchMemOpParams, flags) == 24);
    assert!(offset_of!(CUmemAllocationProp, type_) == 0 && offset_of!(CUmemAllocationProp, requestedHandleTypes) == 4);
    assert!(
        offset_of!(CUmemAllocationProp, location) == 8 && offset_of!(CUmemAllocationProp, win32HandleMetaData) == 16
    );
    assert!(offset_of!(CUmemAllocationProp, allocFlags) == 24 && offset_of!(CUmemAccessDesc, flags) == 8);
    assert!(offset_of!(CUmemLocation, type_) == 0 && offset_of!(CUmemAllocationFlags, gpuDirectRDMACapable) == 1);
};

macro_rules! functions { ($(fn $name:ident($($arg:ident: $type:ty),* $(,)?);)*) => {
    struct Driver { $($name: unsafe extern "C" fn($($type),*) -> CUresult,)* }

    impl Driver {
        fn open() -> Result<Self, String> {
            // SAFETY: the library is the driver, which any program may open; its initialisers are the vendor's.
            let library = unsafe { Library::new(LIBRARY) }.map_err(|error| why_not_open(LIBRARY, &error))?;
            // The driver cannot be closed, because threads of its own run in it.
            let library: &'static Library = Box::leak(Box::new(library));
            Ok(Self { $($name: {
                let name = concat!(stringify!($name), "\0").as_bytes();
                // SAFETY: the type is that of `cuda.h` for the symbol of this name.
                let symbol = unsafe { library.get(name) };
                *symbol.map_err(|_| format!("{LIBRARY} lacks {}: it is older than CUDA 11.8", stringify!($name)))?
            },)* })
        }
    }

    /// The names of all functions.
    pub const NAMES: &[&str] = &[$(stringify!($name)),*];

    $(
        #[allow(missing_docs)]
        #[inline]
        pub unsafe fn $name($($arg: $type),*) -> CUresult {
            match driver() {
                // SAFETY: the caller follows the rules that `cuda.h` gives for the function.
                Ok(driver) => unsafe { (driver.$name)($($arg),*) },
                Err(_) => CUresult::CUDA_ERROR_NOT_INITIALIZED,
            }
        }
    )*
} }

functions! {
    fn cuInit(flags: c_uint);
    fn cuDriverGetVersion(version: *mut c_int);
    fn cuGetErrorName(error: CUresult, name: *mut *const c_char);
    fn cuGetErrorString(error: CUresult, text: *mut *const c_char);

    fn cuDeviceGetCount(count: *mut c_int);
    fn cuDeviceGet(device: *mut CUdevice, ordinal: c_int);
    fn cuDeviceGetUuid_v2(uuid: *mut CUuuid, device: CUdevice);
    fn cuDeviceGetName(name: *mut c_char, length: c_int, device: CUdevice);
    fn cuDeviceTotalMem_v2(bytes: *mut usize, device: CUdevice);
    fn cuDeviceGetPCIBusId(id: *mut c_char, length: c_int, device: CUdevice);
    fn cuDeviceGetAttribute(value: *mut c_int, attribute: CUdevice_attribute, device: CUdevice);
    fn cuDeviceCanAccessPeer(can: *mut c_int, device: CUdevice, peer: CUdevice);
    fn cuDeviceGetP2PAttribute(value: *mut c_int, attribute: CUdevice_P2PAttribute, from: CUdevice, to: CUdevice);
    fn cuDevicePrimaryCtxRetain(context: *mut CUcontext, device: CUdevice);
    fn cuDevicePrimaryCtxRelease_v2(device: CUdevice);
    fn cuDevicePrimaryCtxGetState(device: CUdevice, flags: *mut c_uint, active: *mut c_int);
    fn cuCtxCreate_v2(context: *mut CUcontext, flags: c_uint, device: CUdevice);
    fn cuCtxDestroy_v2(context: CUcontext);
    fn cuCtxPopCurrent_v2(context: *mut CUcontext);
    fn cuCtxGetCurrent(context: *mut CUcontext);
    fn cuCtxSetCurrent(context: CUcontext);
    fn cuCtxGetDevice(device: *mut CUdevice);
    fn cuCtxSynchronize();

    fn cuMemAlloc_v2(address: *mut CUdeviceptr, bytes: usize);
    fn cuMemFree_v2(address: CUdeviceptr);
    fn cuIpcGetMemHandle(handle: *mut CUipcMemHandle, address: CUdeviceptr);
    fn cuIpcOpenMemHandle_v2(address: *mut CUdeviceptr, handle: CUipcMemHandle, flags: c_uint);
    fn cuIpcCloseMemHandle(address: CUdeviceptr);
    fn cuMemHostRegister_v2(address: *mut c_void, bytes: usize, flags: c_uint);
    fn cuMemHostUnregister(address: *mut c_void);
    fn cuFlushGPUDirectRDMAWrites(target: CUflushGPUDirectRDMAWritesTarget, scope: CUflushGPUDirectRDMAWritesScope);
    fn cuPointerSetAttribute(value: *const c_void, attribute: CUpointer_attribute, address: CUdeviceptr);
    fn cuMemGetHandleForAddressRange(
        handle: *mut c_void,
        address: CUdeviceptr,
        bytes: usize,
        kind: CUmemRangeHandleType,
        flags: c_ulonglong,
    );
    fn cuPointerGetAttribute(value: *mut c_void, attribute: CUpointer_attribute, address: CUdeviceptr);
    fn cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, bytes: usize, stream: CUstream);

    fn cuMemAddressReserve(
        address: *mut CUdeviceptr,
        bytes: usize,
        alignment: usize,
        hint: CUdeviceptr,
        flags: c_ulonglong,
    );
    fn cuMemAddressFree(address: CUdeviceptr, bytes: usize);
    fn cuMemGetAllocationGranularity(
        bytes: *mut usize,
        properties: *const CUmemAllocationProp,
        option: CUmemAllocationGranularity_flags,
    );
    fn cuMemCreate(
        handle: *mut CUmemGenericAllocationHandle,
        bytes: usize,
        properties: *const CUmemAllocationProp,
        flags: c_ulonglong,
    );
    fn cuMemRelease(handle: CUmemGenericAllocationHandle);
    fn cuMemMap(
        address: CUdeviceptr,
        bytes: usize,
        offset: usize,
        handle: CUmemGenericAllocationHandle,
        flags: c_ulonglong,
    );
    fn cuMemUnmap(address: CUdeviceptr, bytes: usize);
    fn cuMemSetAccess(address: CUdeviceptr, bytes: usize, access: *const CUmemAccessDesc, count: usize);
    fn cuMemExportToShareableHandle(
        shared: *mut c_void,
        handle: CUmemGenericAllocationHandle,
        kind: CUmemAllocationHandleType,
        flags: c_ulonglong,
    );
    fn cuMemImportFromShareableHandle(
        handle: *mut CUmemGenericAllocationHandle,
        shared: *mut c_void,
        kind: CUmemAllocationHandleType,
    );
    fn cuMemGetAllocationPropertiesFromHandle(
        properties: *mut CUmemAllocationProp,
        handle: CUmemGenericAllocationHandle,
    );
    fn cuMemRetainAllocationHandle(handle: *mut CUmemGenericAllocationHandle, address: *mut c_void);

    fn cuStreamCreate(stream: *mut CUstream, flags: c_uint);
    fn cuStreamCreateWithPriority(stream: *mut CUstream, flags: c_uint, priority: c_int);
    fn cuCtxGetStreamPriorityRange(least: *mut c_int, greatest: *mut c_int);
    fn cuStreamDestroy_v2(stream: CUstream);
    fn cuStreamSynchronize(stream: CUstream);
    fn cuStreamQuery(stream: CUstream);
    fn cuStreamWaitEvent(stream: CUstream, event: CUevent, flags: c_uint);
    fn cuStreamWaitValue64_v2(stream: CUstream, address: CUdeviceptr, value: u64, flags: c_uint);
    fn cuMemcpy2DAsync_v2(copy: *const CUDA_MEMCPY2D, stream: CUstream);
    fn cuStreamBatchMemOp_v2(stream: CUstream, count: c_uint, all: *mut CUstreamBatchMemOpParams, flags: c_uint);
    fn cuStreamWriteValue32_v2(stream: CUstream, address: CUdeviceptr, value: u32, flags: c_uint);
    fn cuStreamWriteValue64_v2(stream: CUstream, address: CUdeviceptr, value: u64, flags: c_uint);
    fn cuStreamBeginCapture_v2(stream: CUstream, mode: c_uint);
    fn cuStreamEndCapture(stream: CUstream, graph: *mut CUgraph);
    fn cuStreamIsCapturing(stream: CUstream, status: *mut c_uint);
    fn cuThreadExchangeStreamCaptureMode(mode: *mut c_uint);
    fn cuGraphInstantiateWithFlags(exec: *mut CUgraphExec, graph: CUgraph, flags: c_ulonglong);
    fn cuGraphLaunch(exec: CUgraphExec, stream: CUstream);
    fn cuGraphExecDestroy(exec: CUgraphExec);
    fn cuGraphDestroy(graph: CUgraph);
    fn cuEventCreate(event: *mut CUevent, flags: c_uint);
    fn cuEventRecord(event: CUevent, stream: CUstream);
    fn cuEventSynchronize(event: CUevent);
    fn cuEventQuery(event: CUevent);
    fn cuEventElapsedTime(milliseconds: *mut f32, start: CUevent, end: CUevent);
    fn cuEventDestroy_v2(event: CUevent);

    fn cuModuleLoadDataEx(
        module: *mut CUmodule,
        image: *const c_void,
        count: c_uint,
        options: *mut CUjit_option,
        values: *mut *mut c_void,
    );
    fn cuModuleUnload(module: CUmodule);
    fn cuModuleGetLoadingMode(mode: *mut c_uint);
    fn cuModuleGetGlobal_v2(address: *mut CUdeviceptr, bytes: *mut usize, module: CUmodule, name: *const c_char);
    fn cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char);
    fn cuFuncGetAttribute(value: *mut c_int, attribute: CUfunction_attribute, function: CUfunction);
    fn cuFuncSetAttribute(function: CUfunction, attribute: CUfunction_attribute, value: c_int);
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: *mut c_int,
        function: CUfunction,
        lanes: c_int,
        shared_bytes: usize,
    );
    fn cuLaunchKernel(
        function: CUfunction,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared_bytes: c_uint,
        stream: CUstream,
        parameters: *mut *mut c_void,
        extra: *mut *mut c_void,
    );
    fn cuLaunchCooperativeKernel(
        function: CUfunction,
        grid_x: c_uint,
        grid_y: c_uint,
        grid_z: c_uint,
        block_x: c_uint,
        block_y: c_uint,
        block_z: c_uint,
        shared_bytes: c_uint,
        stream: CUstream,
        parameters: *mut *mut c_void,
    );
}

fn driver() -> Result<&'static Driver, &'static str> {
    static DRIVER: OnceLock<Result<Driver, String>> = OnceLock::new();
    DRIVER.get_or_init(Driver::open).as_ref().map_err(String::as_str)
}

/// Opens the driver, unless that has been done. The error says why it cannot be used.
pub fn open() -> Result<(), &'static str> {
    driver().map(drop)
}

/// Whether somebody has started the driver in this process. A driver that is not loaded does not get loaded by asking.
pub(super) fn is_started() -> bool {
    if !is_loaded() {
        return false;
    }
    let if_loaded = libc::RTLD_NOLOAD | unix::RTLD_LAZY;
    // SAFETY: no initialiser runs, as the flag opens only what is loaded.
    let Ok(library) = (unsafe { unix::Library::open(Some(LIBRARY), if_loaded) }) else { return false };
    // SAFETY: the type is that of `cuda.h` for the symbol of this name.
    let found = unsafe { library.get::<unsafe extern "C" fn(*mut CUcontext) -> CUresult>(b"cuCtxGetCurrent\0") };
    let mut context = std::ptr::null_mut();
    // SAFETY: the library is open and the pointer is valid. The function may be called before cuInit.
    found.is_ok_and(|current| unsafe { current(&mut context) } != CUresult::CUDA_ERROR_NOT_INITIALIZED)
}

/// Whether a library with the driver's name, of any version, is loaded. The loader could be asked to open the library
/// only if it is loaded, but it would first look for the file in all its folders, which takes 30 us instead of 0.1.
fn is_loaded() -> bool {
    unsafe extern "C" fn is_driver(object: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
        // SAFETY: the loader passes a loaded object, whose name is a C string.
        let path = unsafe { CStr::from_ptr((*object).dlpi_name) }.to_bytes();
        let file = path.rsplit(|byte| *byte == b'/').next();
        c_int::from(file.is_some_and(|file| file.starts_with(b"libcuda.so")))
    }
    // SAFETY: the callback calls no function of the loader and uses no data.
    unsafe { libc::dl_iterate_phdr(Some(is_driver), std::ptr::null_mut()) != 0 }
}

fn why_not_open(library: &str, error: &libloading::Error) -> String {
    // The loader's message is the source of the error.
    let error = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    // The message may also be about a library that this one needs.
    match error.starts_with(library) && error.contains("No such file") {
        true => format!("{library} was not found"),
        false => format!("{library} cannot be opened: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_that_is_not_there_is_told_from_one_that_is_broken() {
        let why = |name: &str| {
            // SAFETY: libraries with these names do not exist.
            why_not_open(name, &unsafe { Library::new(name) }.expect_err("it cannot be opened"))
        };
        assert_eq!(why("libcushmem-none.so.1"), "libcushmem-none.so.1 was not found");
        assert!(why("/proc/self/status").starts_with("/proc/self/status cannot be opened: /proc/self/status: "));
    }
}
