//! The units of CUDA C++ in this process, each with kernels of its own, and what these know about the job.
//!
//! A unit adds itself when its program or library is loaded, which may be before the job begins and at any time later,
//! and removes itself when that is unloaded. The header `shmemx_device.cuh` contains the code.

use crate::error::{Cause, Error, Result};
use crate::sync::locked;
use cushmem_abi::{ABI_VERSION, DeviceContext};
use cushmem_gpu::Gpu;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a unit says of itself: `struct shmem_impl_image` of the header.
#[repr(C)]
#[derive(Debug)]
pub struct CxxImage {
    /// The version of the device ABI for which it was compiled.
    pub abi_version: u32,
    /// The size of its context.
    pub context_bytes: u32,
    /// Finds the device address of its context for the current CUDA context. Returns a `cudaError_t`.
    pub find: unsafe extern "C" fn(*mut *mut c_void) -> c_int,
    /// The source file.
    pub file: *const c_char,
}

/// A unit, by the address of its [`CxxImage`].
struct Unit {
    image: usize,
    is_told: bool,
}

static UNITS: Mutex<Vec<Unit>> = Mutex::new(vec![]);
/// Whether there may be units that do not know the job.
static ANY_UNTOLD: AtomicBool = AtomicBool::new(false);

/// Adds a unit.
///
/// # Safety
/// The image is valid until it is removed.
pub unsafe fn add(image: *const CxxImage) {
    locked(&UNITS).push(Unit { image: image.expose_provenance(), is_told: false });
    // Relaxed: only a hint; the list has a lock.
    ANY_UNTOLD.store(true, Ordering::Relaxed);
}

/// Removes a unit. Returns whether it knew the job.
pub fn remove(image: *const CxxImage) -> bool {
    let mut units = locked(&UNITS);
    let found = units.iter().position(|unit| unit.image == image.addr());
    found.is_some_and(|at| units.swap_remove(at).is_told)
}

/// Whether there are units that know the job.
pub(crate) fn any_told() -> bool {
    locked(&UNITS).iter().any(|unit| unit.is_told)
}

/// Whether there may be units that do not know the job.
#[inline]
pub(crate) fn any_untold() -> bool {
    // Relaxed: only a hint; the list has a lock.
    ANY_UNTOLD.load(Ordering::Relaxed)
}

/// Tells all units about the job that do not know it yet. A unit whose kernels CUDA does not know yet is told the next
/// time. Returns how many there are that know the job.
pub(crate) fn tell(operation: &'static str, gpu: &dyn Gpu, context: &DeviceContext) -> Result<usize> {
    let mut units = locked(&UNITS);
    for unit in units.iter_mut().filter(|unit| !unit.is_told) {
        // SAFETY: whoever added the image keeps it until it is removed, which needs the lock.
        let image = unsafe { &*std::ptr::with_exposed_provenance::<CxxImage>(unit.image) };
        if image.abi_version != ABI_VERSION || image.context_bytes as usize != size_of::<DeviceContext>() {
            // SAFETY: the file's name is a string of the unit.
            let file = unsafe { CStr::from_ptr(image.file) }.to_string_lossy();
            let version = image.abi_version;
            let why = format!(
                "kernels of {file} were compiled with headers for version {version} of the device ABI, the library has \
                 {ABI_VERSION}"
            );
            return Err(Error::new(operation, Cause::System(why)));
        }
        let find = || {
            let mut at = std::ptr::null_mut();
            // SAFETY: it is the unit's function, and the pointer is valid.
            match unsafe { (image.find)(&mut at) } {
                0 => Some(at.addr() as u64),
                _ => None,
            }
        };
        unit.is_told = gpu.tell_image(&find, context).map_err(Error::of(operation))?;
    }
    // Relaxed: only a hint; the list has a lock.
    ANY_UNTOLD.store(units.iter().any(|unit| !unit.is_told), Ordering::Relaxed);
    Ok(units.iter().filter(|unit| unit.is_told).count())
}

/// The job ends: what the units know is of no use for the next one.
pub(crate) fn forget() {
    let mut units = locked(&UNITS);
    units.iter_mut().for_each(|unit| unit.is_told = false);
    // Relaxed: only a hint; the list has a lock.
    ANY_UNTOLD.store(!units.is_empty(), Ordering::Relaxed);
}
