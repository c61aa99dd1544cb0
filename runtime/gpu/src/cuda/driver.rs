//! The CUDA driver's functions that the library calls, and their types, as `cuda.h` has them. The driver is opened at
//! run time, all functions at once; every symbol has the name that its ABI has, so `cuMemAlloc_v2` where the header
//! says `cuMemAlloc`.
//!
//! A program may call them too, after [`open`]. They are as unsafe as in C, and act on the context that is current in
//! the thread.
#![allow(non_camel_case_types, non_snake_case, clippy::missing_safety_doc, clippy::too_many_arguments)]

use libloading::Library;
use libloading::os::unix;
use std::ffi::{CStr, c_char, c_int, c_uint, c_ulonglong, c_void};
use std::mem::offset_of;
use std::sync::OnceLock;

/// The file of the driver, which the loader looks for.
const LIBRARY: &str = "libcuda.so.1";

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
    /// What a stream recorded.
    CUgraph;
    /// What can be launched of it.
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

/// A call's status. Drivers know more of them than any header does.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CUresult(pub c_uint);

impl CUresult {
    /// The call succeeded.
    pub const CUDA_SUCCESS: Self = Self(0);
    /// The driver is not there.
    pub const CUDA_ERROR_NOT_INITIALIZED: Self = Self(3);
    /// There is no such name.
    pub const CUDA_ERROR_NOT_FOUND: Self = Self(500);
    /// What was asked about has not finished.
    pub const CUDA_ERROR_NOT_READY: Self = Self(600);
    /// A cooperative launch has more blocks than fit.
    pub const CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE: Self = Self(720);
}

// What is only passed to the driver is an enumeration. What the driver returns is a number, as it may be a new one.
macro_rules! enumerations { ($($(#[$doc:meta])* $name:ident { $($value:ident = $number:literal,)* })*) => {$(
    $(#[$doc])*
    #[repr(u32)]
    #[allow(missing_docs)]
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum $name { $($value = $number,)* }
)*} }

enumerations! {
    /// What can be asked of a device.
    CUdevice_attribute {
        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76,
        CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 91,
        CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED = 102,
        CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 103,
        CU_DEVICE_ATTRIBUTE_GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED = 110,
    }
    /// What can be asked of two devices.
    CUdevice_P2PAttribute {
        CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK = 1,
        CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED = 3,
    }
    /// What can be asked of a kernel.
    CUfunction_attribute {
        CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    }
    /// What can be asked of an address.
    CUpointer_attribute {
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2,
        CU_POINTER_ATTRIBUTE_IS_MANAGED = 8,
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR = 11,
        CU_POINTER_ATTRIBUTE_RANGE_SIZE = 12,
        CU_POINTER_ATTRIBUTE_MAPPING_SIZE = 18,
        CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR = 19,
    }
    /// Options of the compiler for PTX.
    CUjit_option {
        CU_JIT_ERROR_LOG_BUFFER = 5,
        CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    }
    /// How memory is shared.
    CUmemAllocationHandleType {
        CU_MEM_HANDLE_TYPE_NONE = 0,
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
    }
    /// Kinds of physical memory.
    CUmemAllocationType {
        CU_MEM_ALLOCATION_TYPE_INVALID = 0,
        CU_MEM_ALLOCATION_TYPE_PINNED = 1,
    }
    /// Which granularity.
    CUmemAllocationGranularity_flags {
        CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0,
    }
    /// Who may do what.
    CUmemAccess_flags {
        CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3,
    }
}

/// `CU_MEMHOSTREGISTER_PORTABLE`: for all contexts.
pub const CU_MEMHOSTREGISTER_PORTABLE: c_uint = 1;
/// `CU_MEMHOSTREGISTER_DEVICEMAP`: for kernels too.
pub const CU_MEMHOSTREGISTER_DEVICEMAP: c_uint = 2;
/// `CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS`: where the memory is another GPU's.
pub const CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS: c_uint = 1;
/// `CU_MEMORYTYPE_DEVICE`, a value of `CU_POINTER_ATTRIBUTE_MEMORY_TYPE`.
pub const CU_MEMORYTYPE_DEVICE: c_uint = 2;
/// `CU_MODULE_LAZY_LOADING`, a value of `CUmoduleLoadingMode`: a kernel is loaded when it is first used.
pub const CU_MODULE_LAZY_LOADING: c_uint = 2;
/// `CU_EVENT_DISABLE_TIMING`: only the order counts.
pub const CU_EVENT_DISABLE_TIMING: c_uint = 2;
/// For `cuGraphInstantiateWithFlags`: nodes have priorities of their own. Since CUDA 11.7.
pub const CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY: c_ulonglong = 8;
/// `CU_STREAM_CAPTURE_STATUS_NONE`: what is enqueued runs.
pub const CU_STREAM_CAPTURE_STATUS_NONE: c_uint = 0;
/// `CU_STREAM_CAPTURE_MODE_RELAXED`: what the thread calls breaks no capture of a stream.
pub const CU_STREAM_CAPTURE_MODE_RELAXED: c_uint = 2;
/// `CU_STREAM_NON_BLOCKING`: does not wait for the default stream.
pub const CU_STREAM_NON_BLOCKING: c_uint = 1;
/// `CU_STREAM_WAIT_VALUE_GEQ`: until the word is at least the value.
pub const CU_STREAM_WAIT_VALUE_GEQ: c_uint = 0;
/// `CU_MEMORYTYPE_UNIFIED`: the address tells.
pub const CU_MEMORYTYPE_UNIFIED: c_uint = 4;
/// `CU_STREAM_WRITE_VALUE_DEFAULT`: behind a fence.
pub const CU_STREAM_WRITE_VALUE_DEFAULT: c_uint = 0;

/// Where memory lies: a value of `CUmemLocationType`, and the device or NUMA node.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CUmemLocation {
    /// Kind, one of the constants.
    pub type_: c_uint,
    /// Number.
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

/// What physical memory is asked for. Enumerations are numbers, as the driver fills it in too.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUmemAllocationProp {
    /// A `CUmemAllocationType`.
    pub type_: c_uint,
    /// `CUmemAllocationHandleType`s.
    pub requestedHandleTypes: c_uint,
    /// Where.
    pub location: CUmemLocation,
    /// For Windows.
    pub win32HandleMetaData: *mut c_void,
    /// More.
    pub allocFlags: CUmemAllocationFlags,
}

/// The last part of [`CUmemAllocationProp`].
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct CUmemAllocationFlags {
    /// Whether memory is compressed.
    pub compressionType: u8,
    /// Whether a NIC can reach it.
    pub gpuDirectRDMACapable: u8,
    /// Other uses.
    pub usage: u16,
    /// Zero.
    pub reserved: [u8; 4],
}

/// Who may access memory.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUmemAccessDesc {
    /// Whose accesses.
    pub location: CUmemLocation,
    /// What they may do.
    pub flags: CUmemAccess_flags,
}

/// A copy of rows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CUDA_MEMCPY2D {
    /// Where the source begins in its row, bytes.
    pub srcXInBytes: usize,
    /// Its first row.
    pub srcY: usize,
    /// One of the constants.
    pub srcMemoryType: c_uint,
    /// Address in host memory.
    pub srcHost: *const c_void,
    /// Address.
    pub srcDevice: CUdeviceptr,
    /// For arrays.
    pub srcArray: *mut c_void,
    /// Bytes from one row to the next.
    pub srcPitch: usize,
    /// The same of the target.
    pub dstXInBytes: usize,
    /// Its first row.
    pub dstY: usize,
    /// One of the constants.
    pub dstMemoryType: c_uint,
    /// Address in host memory.
    pub dstHost: *mut c_void,
    /// Address.
    pub dstDevice: CUdeviceptr,
    /// For arrays.
    pub dstArray: *mut c_void,
    /// Bytes from one row to the next.
    pub dstPitch: usize,
    /// Bytes of a row.
    pub WidthInBytes: usize,
    /// Rows.
    pub Height: usize,
}

impl CUDA_MEMCPY2D {
    /// Rows between any two addresses.
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
            // The driver cannot be closed: threads of its own run in it.
            let library: &'static Library = Box::leak(Box::new(library));
            Ok(Self { $($name: {
                let name = concat!(stringify!($name), "\0").as_bytes();
                // SAFETY: the type is that of `cuda.h` for the symbol of this name.
                let symbol = unsafe { library.get(name) };
                *symbol.map_err(|_| format!("{LIBRARY} lacks {}: it is older than CUDA 11.8", stringify!($name)))?
            },)* })
        }
    }

    /// The names of all of them.
    pub const NAMES: &[&str] = &[$(stringify!($name)),*];

    $(
        #[allow(missing_docs)]
        #[inline]
        pub unsafe fn $name($($arg: $type),*) -> CUresult {
            match driver() {
                // SAFETY: the caller keeps to what `cuda.h` says of the function.
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
    fn cuPointerGetAttribute(value: *mut c_void, attribute: CUpointer_attribute, address: CUdeviceptr);
    fn cuMemcpyDtoH_v2(dst: *mut c_void, src: CUdeviceptr, bytes: usize);
    fn cuMemcpyHtoD_v2(dst: CUdeviceptr, src: *const c_void, bytes: usize);
    fn cuMemcpyAsync(dst: CUdeviceptr, src: CUdeviceptr, bytes: usize, stream: CUstream);

    fn cuMemAddressReserve(
        address: *mut CUdeviceptr,
        bytes: usize,
        alignment: usize,
        hint: CUdeviceptr,
        flags: c_ulonglong,
    );
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

/// Opens the driver, if nobody did before; the error is the reason why it cannot be used.
pub fn open() -> Result<(), &'static str> {
    driver().map(drop)
}

/// Whether somebody has started the driver in this process. One that is not loaded stays so.
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
    // SAFETY: the library is open and the pointer valid. The function may be called before cuInit.
    found.is_ok_and(|current| unsafe { current(&mut context) } != CUresult::CUDA_ERROR_NOT_INITIALIZED)
}

/// Whether a library of the driver's name, of whatever version, is loaded. Asked to open only what is loaded, the
/// system's loader would first look for the file in all its folders: 30 us instead of 0.1.
fn is_loaded() -> bool {
    unsafe extern "C" fn is_driver(object: *mut libc::dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
        // SAFETY: the loader passes a loaded object, whose name is a string.
        let path = unsafe { CStr::from_ptr((*object).dlpi_name) }.to_bytes();
        let file = path.rsplit(|byte| *byte == b'/').next();
        c_int::from(file.is_some_and(|file| file.starts_with(b"libcuda.so")))
    }
    // SAFETY: the function calls nothing of the loader's, and uses no data.
    unsafe { libc::dl_iterate_phdr(Some(is_driver), std::ptr::null_mut()) != 0 }
}

fn why_not_open(library: &str, error: &libloading::Error) -> String {
    // What the loader says is the error's source.
    let error = std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string);
    // A library that it needs may be missing too.
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
            // SAFETY: there is no library of these names.
            let error = unsafe { Library::new(name) }.expect_err("it cannot be opened");
            why_not_open(name, &error)
        };
        assert_eq!(why("libcushmem-none.so.1"), "libcushmem-none.so.1 was not found");
        assert!(why("/proc/self/status").starts_with("/proc/self/status cannot be opened: /proc/self/status: "));
    }
}
