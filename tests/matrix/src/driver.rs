//! Memory that a program allocates with CUDA itself.

use libloading::Library;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::{null_mut, with_exposed_provenance_mut};

type Status = c_int;

/// Functions of the driver, called in the context that the library uses.
pub struct Driver {
    alloc_host: unsafe extern "C" fn(*mut *mut c_void, usize) -> Status,
    alloc_managed: unsafe extern "C" fn(*mut u64, usize, c_uint) -> Status,
    alloc_async: unsafe extern "C" fn(*mut u64, usize, *mut c_void) -> Status,
    alloc: unsafe extern "C" fn(*mut u64, usize) -> Status,
    memcpy: unsafe extern "C" fn(u64, u64, usize) -> Status,
    synchronize: unsafe extern "C" fn() -> Status,
    stream_synchronize: unsafe extern "C" fn(*mut c_void) -> Status,
}

/// `CU_MEM_ATTACH_GLOBAL`: any GPU may use it.
const GLOBAL: c_uint = 1;

fn done(what: &str, status: Status) {
    assert_eq!(status, 0, "{what}: the driver says {status}");
}

impl Driver {
    /// Makes the context (`CUcontext`) current in this thread.
    pub fn open(context: usize) -> Self {
        // SAFETY: the library has opened the driver, and it stays open.
        let library: &'static Library = Box::leak(Box::new(unsafe { Library::new("libcuda.so.1") }.expect("libcuda")));
        // SAFETY: the types are those of `cuda.h` for these names.
        unsafe {
            let set: unsafe extern "C" fn(*mut c_void) -> Status =
                *library.get(b"cuCtxSetCurrent\0").expect("a function");
            done("cuCtxSetCurrent", set(with_exposed_provenance_mut(context)));
            Self {
                alloc_host: *library.get(b"cuMemAllocHost_v2\0").expect("a function"),
                alloc_managed: *library.get(b"cuMemAllocManaged\0").expect("a function"),
                alloc_async: *library.get(b"cuMemAllocAsync\0").expect("a function"),
                alloc: *library.get(b"cuMemAlloc_v2\0").expect("a function"),
                memcpy: *library.get(b"cuMemcpy\0").expect("a function"),
                stream_synchronize: *library.get(b"cuStreamSynchronize\0").expect("a function"),
                synchronize: *library.get(b"cuCtxSynchronize\0").expect("a function"),
            }
        }
    }

    pub fn pinned(&self, bytes: usize) -> usize {
        let mut address = null_mut();
        // SAFETY: the pointer is valid.
        done("cuMemAllocHost", unsafe { (self.alloc_host)(&mut address, bytes) });
        address.expose_provenance()
    }

    pub fn managed(&self, bytes: usize) -> usize {
        // SAFETY: the pointer is valid.
        device("cuMemAllocManaged", |address| unsafe { (self.alloc_managed)(address, bytes, GLOBAL) })
    }

    pub fn pool(&self, bytes: usize) -> usize {
        // SAFETY: the pointer is valid; NULL is the default stream.
        let address = device("cuMemAllocAsync", |address| unsafe { (self.alloc_async)(address, bytes, null_mut()) });
        // SAFETY: a context is current.
        done("cuCtxSynchronize", unsafe { (self.synchronize)() });
        address
    }

    pub fn gpu(&self, bytes: usize) -> usize {
        // SAFETY: the pointer is valid.
        device("cuMemAlloc", |address| unsafe { (self.alloc)(address, bytes) })
    }

    /// Copies between any two places of this process.
    pub fn copy(&self, to: usize, from: usize, bytes: usize) {
        // SAFETY: both ranges belong to the program.
        done("cuMemcpy", unsafe { (self.memcpy)(to as u64, from as u64, bytes) });
        // A copy from pageable memory may still be in progress.
        // SAFETY: NULL is the default stream.
        done("cuStreamSynchronize", unsafe { (self.stream_synchronize)(null_mut()) });
    }
}

fn device(what: &str, allocate: impl FnOnce(*mut u64) -> Status) -> usize {
    let mut address = 0;
    done(what, allocate(&mut address));
    address as usize
}
