//! The units of CUDA C++ in this process, each with kernels of its own, and what these know about the job.
//!
//! A unit adds itself when its program or library is loaded, which may be before the job begins and at any time later,
//! and removes itself when that is unloaded. The header `shmemx_device.cuh` contains the code.

use crate::error::{Cause, Error, Result};
use crate::sync::child::is_child;
use crate::sync::locked;
use cushmem_abi::{ABI_VERSION, DeviceContext, Units};
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// `cudaErrorInvalidSymbol`: the unit's kernels have not been registered yet, because this is the constructor of another
/// unit or precedes theirs.
const INVALID_SYMBOL: c_int = 13;

/// What kernels in CUDA C++ know before they are told, also those of a module that is about to be unloaded: their first
/// operation ends them, and every object is out of reach, without a look at the tables.
pub(crate) const UNTOLD: DeviceContext = DeviceContext {
    abi_version: 0,
    my_pe: 0,
    n_pes: 0,
    my_place: 0,
    direct_pes: u32::MAX,
    atomic_pes: u32::MAX,
    far: 0,
    host: NO_WINDOW,
    gpu: NO_WINDOW,
    reserved: [0; 3],
    tables: 0,
    sync_area: 0,
    reports: 0,
    ring: 0,
    wait_limit_ns: 0,
};
const NO_WINDOW: Units = Units { first: 0, count: 0, stride: 0 };

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

/// What a unit knows of the job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Knows {
    /// Nothing yet.
    Nothing,
    /// Nothing, because CUDA cannot tell where its context is, for instance because it has no kernels for this GPU. It
    /// is not asked again.
    Refused,
    Job,
}

/// A unit, by the address of its [`CxxImage`].
struct Unit {
    image: usize,
    knows: Knows,
    /// Whether it has known a job, perhaps one that has ended.
    has_known: bool,
    /// How many threads are telling it.
    tellers: u32,
}

/// The lock is not held while CUDA is asked for a context: CUDA may need the lock of the loader, which a thread in
/// `dlopen` or `dlclose` holds when it adds or removes a unit.
static UNITS: Mutex<Vec<Unit>> = Mutex::new(vec![]);
/// A unit is no longer being told.
static TOLD: Condvar = Condvar::new();
/// Whether there may be units that do not know the job.
static ANY_UNTOLD: AtomicBool = AtomicBool::new(false);
/// Whether a module of the program knows the job.
static ANY_MODULE: AtomicBool = AtomicBool::new(false);

/// Adds a unit.
///
/// # Safety
/// The image is valid until it is removed.
pub unsafe fn add(image: *const CxxImage) {
    if is_child() {
        return;
    }
    let unit = Unit { image: image.expose_provenance(), knows: Knows::Nothing, has_known: false, tellers: 0 };
    locked(&UNITS).push(unit);
    // Relaxed: only a hint; the list has a lock.
    ANY_UNTOLD.store(true, Ordering::Relaxed);
}

/// Removes a unit. Returns whether it has known the job, or one before. Waits while another thread is telling it. In a
/// forked child of a PE, the list stays as it is: another thread may have held its lock during the fork.
pub fn remove(image: *const CxxImage) -> bool {
    if is_child() {
        return true;
    }
    let mut units = locked(&UNITS);
    loop {
        let Some(at) = units.iter().position(|unit| unit.image == image.addr()) else { return false };
        if units[at].tellers == 0 {
            return units.swap_remove(at).has_known;
        }
        units = TOLD.wait(units).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Whether nobody has said yet why a kernel has ended itself. It is said once, because no kernel runs afterwards.
pub fn is_first_reason() -> bool {
    static IS_SAID: AtomicBool = AtomicBool::new(false);
    // Relaxed: only one caller finds false, and nothing else is published.
    !IS_SAID.swap(true, Ordering::Relaxed)
}

/// Notes that a module of the program knows the job. A module is no unit: the program tells it.
pub(crate) fn note_module() {
    // Relaxed: whoever asks has been told otherwise that kernels were launched.
    ANY_MODULE.store(true, Ordering::Relaxed);
}

/// Whether there are units or modules of the program that know the job.
pub(crate) fn any_told() -> bool {
    // Relaxed: see `note_module`.
    ANY_MODULE.load(Ordering::Relaxed) || locked(&UNITS).iter().any(|unit| unit.knows == Knows::Job)
}

/// Whether there are units, which say at the end of the process why a kernel has ended itself.
pub(crate) fn any() -> bool {
    !locked(&UNITS).is_empty()
}

/// Whether there may be units that do not know the job.
#[inline]
pub(crate) fn any_untold() -> bool {
    // Relaxed: only a hint; the list has a lock.
    ANY_UNTOLD.load(Ordering::Relaxed)
}

/// Writes the job's context to where the function finds that of a unit, see [`cushmem_gpu::Gpu::tell_image`].
type Write<'a> = dyn Fn(&dyn Fn() -> Option<u64>) -> cushmem_gpu::Result<bool> + 'a;

/// Tells all units about the job that do not know it yet. A unit whose kernels CUDA does not know yet is told the next
/// time. Returns how many there are that know the job. Two threads may tell one unit at the same time: they write the
/// same bytes.
pub(crate) fn tell(operation: &'static str, write: &Write<'_>) -> Result<usize> {
    let untold = |units: &mut Vec<Unit>| {
        let untold = units.iter_mut().filter(|unit| unit.knows == Knows::Nothing);
        untold.map(|unit| unit.image).collect::<Vec<_>>()
    };
    let images = untold(&mut locked(&UNITS));
    for address in images {
        if !change(address, |unit| unit.tellers += 1) {
            continue;
        }
        // SAFETY: whoever added the image keeps it until it is removed, which waits for the tellers.
        let image = unsafe { &*std::ptr::with_exposed_provenance::<CxxImage>(address) };
        let told = tell_one(operation, image, write);
        change(address, |unit| {
            unit.tellers -= 1;
            unit.knows = *told.as_ref().unwrap_or(&unit.knows);
            unit.has_known |= unit.knows == Knows::Job;
        });
        TOLD.notify_all();
        told?;
    }
    let mut units = locked(&UNITS);
    // Relaxed: only a hint; the list has a lock.
    ANY_UNTOLD.store(!untold(&mut units).is_empty(), Ordering::Relaxed);
    Ok(units.iter().filter(|unit| unit.knows == Knows::Job).count())
}

/// Changes a unit. Returns false if it has been removed.
fn change(image: usize, with: impl FnOnce(&mut Unit)) -> bool {
    locked(&UNITS).iter_mut().find(|unit| unit.image == image).map(with).is_some()
}

fn tell_one(operation: &'static str, image: &CxxImage, write: &Write<'_>) -> Result<Knows> {
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
    let status = Cell::new(0);
    let find = || {
        let mut at = std::ptr::null_mut();
        // SAFETY: it is the unit's function, and the pointer is valid.
        status.set(unsafe { (image.find)(&mut at) });
        (status.get() == 0).then_some(at.addr() as u64)
    };
    let is_told = write(&find).map_err(Error::of(operation))?;
    Ok(match status.get() {
        _ if is_told => Knows::Job,
        INVALID_SYMBOL => Knows::Nothing,
        _ => Knows::Refused,
    })
}

/// The job ends: what the units know is of no use for the next one.
pub(crate) fn forget() {
    let mut units = locked(&UNITS);
    units.iter_mut().for_each(|unit| unit.knows = Knows::Nothing);
    // Relaxed: only a hint; the list has a lock.
    ANY_UNTOLD.store(!units.is_empty(), Ordering::Relaxed);
    // Relaxed: no kernel of the job is left.
    ANY_MODULE.store(false, Ordering::Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    const LIMIT: Duration = Duration::from_secs(60);

    fn image(find: unsafe extern "C" fn(*mut *mut c_void) -> c_int) -> CxxImage {
        let context_bytes = size_of::<DeviceContext>() as u32;
        CxxImage { abi_version: ABI_VERSION, context_bytes, find, file: c"a.cu".as_ptr() }
    }

    /// Adds the image, tells it twice, and removes it. Returns how often CUDA was asked and whether it knew the job.
    fn told_twice(image: &CxxImage) -> (u32, bool) {
        let asked = Cell::new(0);
        let write = |find: &dyn Fn() -> Option<u64>| {
            asked.set(asked.get() + 1);
            Ok(find().is_some())
        };
        // SAFETY: it is removed below.
        unsafe { add(image) };
        for _ in 0..2 {
            tell("test", &write).expect("the version is right");
        }
        (asked.get(), remove(image))
    }

    extern "C" fn found(_: *mut *mut c_void) -> c_int {
        // While CUDA is asked, another thread loads and unloads a library. It may hold a lock that CUDA needs.
        let (done, is_done) = mpsc::channel();
        std::thread::spawn(move || {
            let other = image(not_registered);
            // SAFETY: it is removed at once.
            unsafe { add(&raw const other) };
            let _ = done.send(remove(&raw const other));
        });
        c_int::from(is_done.recv_timeout(LIMIT) != Ok(false))
    }
    extern "C" fn not_registered(_: *mut *mut c_void) -> c_int {
        INVALID_SYMBOL
    }
    extern "C" fn no_kernels_for_this_gpu(_: *mut *mut c_void) -> c_int {
        209
    }

    /// One test, because the list is the process's. Catches a lock that is held while CUDA is asked, units that are
    /// told twice or too seldom, a failure of CUDA that is asked for again for ever, and a unit whose kernels have
    /// known a job but which says at the end of the process that it never did.
    #[test]
    fn units_are_told_once() {
        assert_eq!(told_twice(&image(found)), (1, true));
        assert_eq!(told_twice(&image(not_registered)), (2, false));
        assert_eq!(told_twice(&image(no_kernels_for_this_gpu)), (1, false));
        let image = image(found);
        // SAFETY: it is removed below.
        unsafe { add(&raw const image) };
        tell("test", &|find| Ok(find().is_some())).expect("the version is right");
        forget();
        assert!(!any_told() && any_untold());
        assert!(remove(&raw const image));
    }
}
