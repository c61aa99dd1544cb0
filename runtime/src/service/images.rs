//! The units of CUDA C++ in this process, each with kernels of its own, and what these know about the job.
//!
//! A unit adds itself when its program or library is loaded, which may be before the job begins and at any time later,
//! and removes itself when that is unloaded. The header `shmemx_device.cuh` contains the code.

use crate::error::{Cause, Error, Result};
use crate::sync::child::is_child;
use crate::sync::locked;
use cushmem_abi::{ABI_VERSION, DeviceContext, Units};
use cushmem_environment::log;
use std::borrow::Cow;
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// `cudaErrorInvalidSymbol`: the unit's kernels have not been registered yet, because this is the constructor of another
/// unit or precedes theirs.
const INVALID_SYMBOL: c_int = 13;

/// What kernels in CUDA C++ know before they are told, also those of a module that is about to be unloaded. Every
/// object is out of reach, without a look at the tables, and an operation that needs the job ends them. Fence, quiet,
/// and looks at words of this PE do not need it.
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
    put_to_processor: u32::MAX,
    processor: 0,
    tables: 0,
    sync_area: 0,
    reports: 0,
    ring: 0,
    wait_limit_ns: 0,
    get_to_processor: u32::MAX,
    record_every: 1,
    record: 0,
    record_slots: 1,
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
    /// Whether its kernels record what they do, if the job has a timeline.
    records: bool,
    /// The file of its library, if it is in one.
    library: Option<CString>,
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

/// Adds a unit, whose kernels may have been compiled so that they record what they do.
///
/// # Safety
/// The image is valid until it is removed.
pub unsafe fn add(image: *const CxxImage, records: bool) {
    if is_child() {
        return;
    }
    let library = library_of(image);
    let image = image.expose_provenance();
    locked(&UNITS).push(Unit { image, records, library, knows: Knows::Nothing, has_known: false, tellers: 0 });
    // Relaxed: only a hint; the list has a lock.
    ANY_UNTOLD.store(true, Ordering::Relaxed);
}

/// The file of the library in which an image is. The library is being loaded, so that its name stays valid here.
fn library_of(image: *const CxxImage) -> Option<CString> {
    let mut info = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: any address may be asked for, and the structure is writable.
    if unsafe { libc::dladdr(image.cast(), info.as_mut_ptr()) } == 0 {
        return None;
    }
    // SAFETY: all zeros are a value of the structure, and the loader has filled it in.
    let name = unsafe { info.assume_init() }.dli_fname;
    // SAFETY: the name is NULL or a string of the loader, which it keeps as long as the library is loaded.
    (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) }.to_owned())
}

/// A library that stays loaded as long as this exists.
struct Pin(*mut c_void);

impl Pin {
    /// Does nothing if no library with this name is loaded. That of the program finds none, and it is never unloaded.
    /// Waits for the lock of the loader, so for whoever is unloading the library.
    fn new(library: Option<&CStr>) -> Self {
        // SAFETY: it is a string. With this flag nothing is loaded, and no code of a library runs.
        Self(library.map_or(std::ptr::null_mut(), |name| unsafe {
            libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD)
        }))
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: `new` has opened it. If the program has closed it in the meantime, its destructors run here; this
            // thread uses nothing of it any more and holds no lock.
            unsafe { libc::dlclose(self.0) };
        }
    }
}

/// Removes a unit. Returns whether it has known the job, or one before. Waits while another thread is telling it,
/// because that thread runs the unit's code. The caller must not hold the lock of the loader then, which CUDA may need:
/// a library is not unloaded while it is told (see `Pin`), so only the end of the process waits, which has no such
/// lock. In a forked child of a PE, the list stays as it is: another thread may have held its lock during the fork.
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

/// Whether there are units that have never known a job. These say at the end of the process why a kernel has ended
/// itself.
pub(crate) fn any_that_never_knew() -> bool {
    locked(&UNITS).iter().any(|unit| !unit.has_known)
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
///
/// If there is a timeline, a line names each unit whose kernels are not in it.
pub(crate) fn tell(operation: &'static str, is_recorded: bool, write: &Write<'_>) -> Result<usize> {
    let untold = |units: &mut Vec<Unit>| {
        let untold = units.iter_mut().filter(|unit| unit.knows == Knows::Nothing);
        untold.map(|unit| (unit.image, unit.records, unit.library.clone())).collect::<Vec<_>>()
    };
    let images = untold(&mut locked(&UNITS));
    for (address, records, library) in images {
        let pin = Pin::new(library.as_deref());
        if !change(address, |unit| unit.tellers += 1) {
            continue;
        }
        // SAFETY: whoever added the image keeps it until it is removed. That waits for the tellers, and does not happen
        // while its library is pinned.
        let image = unsafe { &*std::ptr::with_exposed_provenance::<CxxImage>(address) };
        let told = tell_one(operation, image, write);
        if let Some(line) = not_in_timeline(image, (is_recorded, records), told.as_ref().ok()) {
            log!(Info, "{line}");
        }
        change(address, |unit| {
            unit.tellers -= 1;
            unit.knows = *told.as_ref().unwrap_or(&unit.knows);
            unit.has_known |= unit.knows == Knows::Job;
        });
        TOLD.notify_all();
        drop(pin);
        told?;
    }
    let mut units = locked(&UNITS);
    // Relaxed: only a hint; the list has a lock.
    ANY_UNTOLD.store(!untold(&mut units).is_empty(), Ordering::Relaxed);
    Ok(units.iter().filter(|unit| unit.knows == Knows::Job).count())
}

/// What to say if the job `is_recorded` and the kernels of a unit, which now knows this, are not in its timeline.
fn not_in_timeline(image: &CxxImage, (is_recorded, records): (bool, bool), knows: Option<&Knows>) -> Option<String> {
    let is_missing = is_recorded && !records && knows == Some(&Knows::Job);
    let file = is_missing.then(|| file_of(image))?;
    Some(format!("kernels of {file} are not in the timeline: it was compiled without -DSHMEMX_RECORDED"))
}

/// Changes a unit. Returns false if it has been removed.
fn change(image: usize, with: impl FnOnce(&mut Unit)) -> bool {
    locked(&UNITS).iter_mut().find(|unit| unit.image == image).map(with).is_some()
}

/// The source file of a unit.
fn file_of(image: &CxxImage) -> Cow<'_, str> {
    // SAFETY: the file's name is a string of the unit.
    unsafe { CStr::from_ptr(image.file) }.to_string_lossy()
}

fn tell_one(operation: &'static str, image: &CxxImage, write: &Write<'_>) -> Result<Knows> {
    if image.abi_version != ABI_VERSION || image.context_bytes as usize != size_of::<DeviceContext>() {
        let (file, version) = (file_of(image), image.abi_version);
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
    use std::sync::atomic::AtomicPtr;
    use std::sync::mpsc;
    use std::thread::JoinHandle;
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
        unsafe { add(image, false) };
        for _ in 0..2 {
            tell("test", false, &write).expect("the version is right");
        }
        (asked.get(), remove(image))
    }

    /// Catches units that are missing from a timeline without a word, and a word where nothing is missing.
    #[test]
    fn a_unit_that_is_not_in_the_timeline_is_named() {
        let image = image(not_registered);
        let said = |recorded, records, knows| not_in_timeline(&image, (recorded, records), knows).is_some();
        let line = not_in_timeline(&image, (true, false), Some(&Knows::Job)).expect("it is missing");
        assert!(line.starts_with("kernels of a.cu are not in the timeline: ") && line.ends_with(" -DSHMEMX_RECORDED"));
        assert!(!said(false, false, Some(&Knows::Job)), "there is no timeline");
        assert!(!said(true, true, Some(&Knows::Job)), "it is in the timeline");
        // It will be told again, or has no kernels for this GPU, or the job fails.
        assert!([Some(&Knows::Nothing), Some(&Knows::Refused), None].iter().all(|knows| !said(true, false, *knows)));
    }

    extern "C" fn found(_: *mut *mut c_void) -> c_int {
        // While CUDA is asked, another thread loads and unloads a library. It may hold a lock that CUDA needs.
        let (done, is_done) = mpsc::channel();
        std::thread::spawn(move || {
            let other = image(not_registered);
            // SAFETY: it is removed at once.
            unsafe { add(&raw const other, false) };
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

    static BEING_TOLD: AtomicPtr<CxxImage> = AtomicPtr::new(std::ptr::null_mut());
    static IS_REMOVED: AtomicBool = AtomicBool::new(false);
    static REMOVER: Mutex<Option<JoinHandle<bool>>> = Mutex::new(None);

    extern "C" fn removed_meanwhile(_: *mut *mut c_void) -> c_int {
        let (begins, has_begun) = mpsc::channel();
        *locked(&REMOVER) = Some(std::thread::spawn(move || {
            let _ = begins.send(());
            let has_known = remove(BEING_TOLD.load(Ordering::SeqCst));
            IS_REMOVED.store(true, Ordering::SeqCst);
            has_known
        }));
        let has_begun = has_begun.recv_timeout(LIMIT).is_ok();
        c_int::from(!has_begun || IS_REMOVED.load(Ordering::SeqCst))
    }

    /// Catches a library that is unloaded while the thread that tells its unit runs its code.
    #[test]
    fn a_library_stays_loaded_while_it_is_pinned() {
        let name = c"libBrokenLocale.so.1";
        // SAFETY: it is a string, and the C library's own file does nothing when it is loaded.
        let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY) };
        assert!(!library.is_null(), "the C library has this file");
        // SAFETY: the library is loaded, and the name is a string.
        let inside = unsafe { libc::dlsym(library, c"__ctype_get_mb_cur_max".as_ptr()) };
        let file = library_of(inside.cast()).expect("its file");
        let pin = Pin::new(Some(&file));
        // SAFETY: it was opened above.
        unsafe { libc::dlclose(library) };
        let is_loaded = || !Pin::new(Some(&file)).0.is_null();
        assert!(is_loaded());
        drop(pin);
        assert!(!is_loaded());
    }

    /// One test, because the list is the process's. Catches a lock that is held while CUDA is asked, units that are
    /// told twice or too seldom, a failure of CUDA that is asked for again for ever, and a unit whose kernels have
    /// known a job but which says at the end of the process that it never did.
    #[test]
    fn units_are_told_once() {
        assert_eq!(told_twice(&image(found)), (1, true));
        assert_eq!(told_twice(&image(not_registered)), (2, false));
        assert_eq!(told_twice(&image(no_kernels_for_this_gpu)), (1, false));
        // A thread that removes the unit waits until it has been told, and is woken then.
        let mut removed = image(removed_meanwhile);
        BEING_TOLD.store(&raw mut removed, Ordering::SeqCst);
        // SAFETY: it is removed before this function returns.
        unsafe { add(&raw const removed, false) };
        tell("test", false, &|find| Ok(find().is_some())).expect("the version is right");
        let remover = locked(&REMOVER).take().expect("it was asked");
        assert!(remover.join().expect("no panic"), "the unit was removed before it was told");
        let image = image(found);
        // SAFETY: it is removed below.
        unsafe { add(&raw const image, false) };
        tell("test", false, &|find| Ok(find().is_some())).expect("the version is right");
        forget();
        assert!(!any_told() && any_untold() && !any_that_never_knew());
        assert!(remove(&raw const image));
    }
}
