//! Joining, leaving, and information about the job.

use crate::report::{self, Call};
use crate::state::{self, job, job_if_any};
use cushmem::counters::{Cause, Count, Extra, Operation, Way};
use cushmem::raw::{CxxImage, add_image, is_first_reason, joined_here, remove_image};
use cushmem::{UNIQUE_ID_BYTES, UniqueId};
use std::ffi::{CStr, c_char, c_int, c_void};

/// `SHMEM_THREAD_MULTIPLE`: any thread at any time. The library provides this if it is asked for.
const THREAD_MULTIPLE: c_int = 3;
const NAME: &str = concat!("cushmem ", env!("CARGO_PKG_VERSION"), "\0");

/// Called by `c/globals.c` before `main` if the executable is marked.
#[unsafe(no_mangle)]
extern "C" fn cushmem_share_globals() {
    // SAFETY: constructors run before the program's own code, on the process's first thread.
    unsafe { cushmem::raw::share_globals() };
}

#[unsafe(no_mangle)]
extern "C" fn shmem_init() {
    state::join("shmem_init", 0, cushmem::raw::init);
}

/// # Safety
/// `provided` is NULL or writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmem_init_thread(requested: c_int, provided: *mut c_int) -> c_int {
    let routine = "shmem_init_thread";
    if !(0..=THREAD_MULTIPLE).contains(&requested) {
        let valid = "SHMEM_THREAD_SINGLE (0) to SHMEM_THREAD_MULTIPLE (3)";
        report::end_outside(routine, &format!("argument requested: {requested} is not {valid}"));
    }
    state::join(routine, requested, cushmem::raw::init);
    // SAFETY: the caller guarantees that `provided` is NULL or writable.
    unsafe { give(provided, state::threads()) };
    0
}

/// # Safety
/// `provided` is NULL or writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmem_query_thread(provided: *mut c_int) {
    job("shmem_query_thread");
    // SAFETY: the caller guarantees that `provided` is NULL or writable.
    unsafe { give(provided, state::threads()) };
}

/// # Safety
/// `initialized` is NULL or writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmem_query_initialized(initialized: *mut c_int) {
    // SAFETY: the caller guarantees that `initialized` is NULL or writable.
    unsafe { give(initialized, c_int::from(state::job_if_any().is_some())) };
}

#[unsafe(no_mangle)]
extern "C" fn shmem_finalize() {
    state::leave("shmem_finalize");
}

#[unsafe(no_mangle)]
extern "C" fn shmem_global_exit(status: c_int) {
    job("shmem_global_exit").global_exit(status);
}

#[unsafe(no_mangle)]
extern "C" fn shmem_my_pe() -> c_int {
    job("shmem_my_pe").my_pe() as c_int
}

#[unsafe(no_mangle)]
extern "C" fn shmem_n_pes() -> c_int {
    job("shmem_n_pes").n_pes() as c_int
}

#[unsafe(no_mangle)]
extern "C" fn shmem_pe_accessible(pe: c_int) -> c_int {
    let n_pes = job("shmem_pe_accessible").n_pes();
    c_int::from(u32::try_from(pe).is_ok_and(|pe| pe < n_pes))
}

#[unsafe(no_mangle)]
extern "C" fn shmem_addr_accessible(addr: *const c_void, pe: c_int) -> c_int {
    c_int::from(job("shmem_addr_accessible").raw().accessible(addr.cast(), pe.cast_unsigned()))
}

#[unsafe(no_mangle)]
extern "C" fn shmem_ptr(dest: *const c_void, pe: c_int) -> *mut c_void {
    match job("shmem_ptr").raw().ptr(dest.cast(), pe.cast_unsigned()) {
        Ok(found) => std::ptr::with_exposed_provenance_mut(found.unwrap_or(0) as usize),
        Err(error) => report::end_argument(&Call { routine: "shmem_ptr", pe, ..Call::default() }, &error),
    }
}

/// # Safety
/// Both are NULL or writable.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmem_info_get_version(major: *mut c_int, minor: *mut c_int) {
    // SAFETY: the caller guarantees that both are NULL or writable.
    unsafe {
        give(major, 1);
        give(minor, 6);
    }
}

/// # Safety
/// `operation` and `path` are NULL or strings; `counts` is NULL or has room for three numbers.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_counters_get(operation: *const c_char, path: *const c_char, counts: *mut u64) -> c_int {
    // SAFETY: the caller guarantees that both are NULL or strings.
    let names = unsafe { [text(operation), text(path)] };
    let counters = job("shmemx_counters_get").counters();
    let found = counters.zip(names[0]).and_then(|(counters, operation)| match (operation, names[1]) {
        ("wait", cause) => cause.and_then(Cause::of_name).map(|cause| {
            let waited = counters.waited(cause);
            Count { operations: waited.waits, bytes: 0, ns: waited.ns }
        }),
        ("count", what) => {
            what.and_then(Extra::of_name).map(|what| Count { operations: counters.other(what), ..Count::default() })
        }
        (operation, path) => of_operation(operation, path, |operation, path| counters.of(operation, path)),
    });
    // SAFETY: the caller guarantees that there is room unless it is NULL.
    unsafe { give_count(found, counts) }
}

/// # Safety
/// As for `shmemx_counters_get`.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_counters_get_pe(
    pe: c_int,
    operation: *const c_char,
    path: *const c_char,
    counts: *mut u64,
) -> c_int {
    // SAFETY: as the caller guarantees for the routine without a PE.
    let names = unsafe { [text(operation), text(path)] };
    let shmem = job("shmemx_counters_get_pe");
    let pe = u32::try_from(pe).ok().filter(|pe| *pe < shmem.n_pes());
    let found = shmem.counters().zip(pe).zip(names[0]).and_then(|((counters, pe), operation)| {
        of_operation(operation, names[1], |operation, path| counters.on(pe, operation, path))
    });
    // SAFETY: it is NULL or there is room, by the contract of this routine.
    unsafe { give_count(found, counts) }
}

/// What was counted of the operation with this name, on the path with this name or on all.
fn of_operation(
    operation: &str,
    path: Option<&str>,
    count: impl FnOnce(Operation, Option<Way>) -> Count,
) -> Option<Count> {
    let path = match path {
        Some(path) => Some(Way::of_name(path)?),
        None => None,
    };
    Operation::of_name(operation).map(|operation| count(operation, path))
}

/// The text of a string, if there is one; none of one that is no UTF-8 is a name.
///
/// # Safety
/// It is NULL, or a string that stays.
unsafe fn text<'a>(text: *const c_char) -> Option<&'a str> {
    // SAFETY: the caller guarantees that it is a string unless it is NULL.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_str().unwrap_or_default())
}

/// Stores a count for the program. Returns what its routine does.
///
/// # Safety
/// `counts` is NULL or has room for three numbers.
unsafe fn give_count(found: Option<Count>, counts: *mut u64) -> c_int {
    let Some(Count { operations, bytes, ns }) = found.filter(|_| !counts.is_null()) else { return 1 };
    // SAFETY: it is not NULL, and then the caller guarantees that there is room.
    unsafe { counts.cast::<[u64; 3]>().write_unaligned([operations, bytes, ns]) };
    0
}

/// # Safety
/// `name` is NULL or has room for `SHMEM_MAX_NAME_LEN` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmem_info_get_name(name: *mut c_char) {
    const { assert!(NAME.len() <= 64) };
    if name.is_null() {
        return;
    }
    // SAFETY: the name, with its terminating zero, is shorter than the caller's room.
    unsafe { NAME.as_ptr().copy_to_nonoverlapping(name.cast(), NAME.len()) };
}

/// # Safety
/// `id` is NULL or has room for a unique id.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_get_uniqueid(id: *mut [u8; UNIQUE_ID_BYTES]) -> c_int {
    let routine = "shmemx_get_uniqueid";
    if id.is_null() {
        report::end_outside(routine, "argument id: NULL is not a valid address");
    }
    match UniqueId::create() {
        // SAFETY: it is not NULL, so the caller guarantees the room.
        Ok(made) => unsafe { id.write(made.to_bytes()) },
        Err(error) => report::end_outside(routine, &format!("listen for the other processes: {error}")),
    }
    0
}

/// # Safety
/// `id` is NULL or points to a unique id.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_init_attr(pe: c_int, n_pes: c_int, id: *const [u8; UNIQUE_ID_BYTES]) -> c_int {
    let routine = "shmemx_init_attr";
    let number = |name: &str, value: c_int| {
        let wrong = || report::end_outside(routine, &format!("argument {name}: {value} is negative"));
        u32::try_from(value).unwrap_or_else(|_| wrong())
    };
    let (pe, n_pes) = (number("pe", pe), number("n_pes", n_pes));
    // SAFETY: the caller guarantees that it is NULL or points to an id.
    let Some(bytes) = (unsafe { id.as_ref() }) else {
        report::end_outside(routine, "argument id: NULL is not a valid address");
    };
    let id =
        UniqueId::from_bytes(*bytes).unwrap_or_else(|why| report::end_outside(routine, &format!("argument id: {why}")));
    state::join(routine, 0, || cushmem::raw::init_uid(pe, n_pes, &id));
    0
}

/// A unit of CUDA C++ was loaded: a constructor of the header `shmemx_device.cuh` calls it.
///
/// # Safety
/// `image` is valid until `shmemx_impl_remove_image`.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_impl_add_image(image: *const CxxImage) {
    // SAFETY: the caller guarantees that it stays valid.
    unsafe { add(image, false) };
}

/// The same for a unit whose kernels record what they do.
///
/// # Safety
/// `image` is valid until `shmemx_impl_remove_image`.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_impl_add_recorded_image(image: *const CxxImage) {
    // SAFETY: the caller guarantees that it stays valid.
    unsafe { add(image, true) };
}

/// # Safety
/// `image` is valid until `shmemx_impl_remove_image`.
unsafe fn add(image: *const CxxImage, records: bool) {
    // SAFETY: the caller guarantees that it stays valid.
    unsafe { add_image(image, records) };
    if let Some(job) = job_if_any() {
        job.raw().tell_images();
    }
}

/// Before a launch that is collective: kernels of all units know the job afterwards. The library with NVSHMEM's names
/// calls it. Returns 0, or 1 with a message.
#[unsafe(no_mangle)]
extern "C" fn shmemx_impl_ready_kernels() -> c_int {
    let routine = "nvshmemx_collective_launch";
    match job(routine).raw().ready_kernels() {
        Ok(()) => 0,
        Err(error) => {
            report::say(&format!("cushmem: {routine}: {error}"));
            1
        }
    }
}

/// When a launch begins, if it is to be recorded, otherwise 0. The library with NVSHMEM's names calls it.
#[unsafe(no_mangle)]
extern "C" fn shmemx_impl_launch_begins() -> u64 {
    job_if_any().and_then(|job| job.raw().launch_begins()).unwrap_or(0)
}

/// Records a launch that began at this time. The library with NVSHMEM's names calls it.
///
/// # Safety
/// `kernel` is the kernel's name, or NULL if that is not known.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_impl_launched(kernel: *const c_char, stream: *mut c_void, begun: u64) {
    // SAFETY: the caller guarantees that a name that is not NULL is a string.
    let kernel = (!kernel.is_null()).then(|| unsafe { CStr::from_ptr(kernel) }.to_string_lossy());
    if let Some(job) = job_if_any() {
        job.raw().launched(stream.addr(), kernel.as_deref(), begun);
    }
}

/// Starts the GPUs if all PEs have chosen them. The library with NVSHMEM's names calls it, in the first call of
/// `nvshmem_init` and behind barriers of all PEs: afterwards, programs may launch kernels. If a GPU cannot be started, the
/// first call that needs it says why.
#[unsafe(no_mangle)]
extern "C" fn shmemx_impl_start_chosen_gpus() {
    let routine = "nvshmem_init";
    let _ = job(routine).raw().start_chosen_gpus(routine);
}

/// The number of PEs that use this PE's GPU; 1 before the GPUs have been started. The library with NVSHMEM's names
/// calls it, because grids that are resident together share the GPU.
#[unsafe(no_mangle)]
extern "C" fn shmemx_impl_pes_on_my_gpu() -> c_int {
    job_if_any().and_then(|job| job.pes_on_my_gpu()).map_or(1, |pes| pes.max(1) as c_int)
}

/// `cudaErrorLaunchFailure`: a kernel has ended itself.
const LAUNCH_FAILURE: c_int = 719;

/// A unit of CUDA C++ is unloaded, or the process ends. `cuda_error` is CUDA's last error in this thread. It does not
/// say why a kernel has ended itself; and there may be none, because the program may have taken it or used another
/// thread.
///
/// # Safety
/// `image` was added.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_impl_remove_image(image: *const CxxImage, cuda_error: c_int) {
    let has_known_job = remove_image(image);
    let job = job_if_any().filter(|_| joined_here());
    let is_said = job.is_some_and(|job| job.raw().say_why_kernels_ended());
    if !is_said && !has_known_job && cuda_error == LAUNCH_FAILURE && is_first_reason() {
        // SAFETY: the image is valid, and so is the name of its file.
        let file = unsafe { CStr::from_ptr((*image).file) }.to_string_lossy();
        let how = "the library tells kernels about the job in the first shmemx_malloc_gpu or nvshmem_malloc, before they \
                   may be launched";
        report::say(&format!("cushmem: a kernel has ended itself, perhaps one of {file}: {how}"));
    }
}

/// # Safety
/// `to` is NULL or writable.
unsafe fn give(to: *mut c_int, value: c_int) {
    // SAFETY: the caller guarantees that `to` is NULL or writable.
    if let Some(to) = unsafe { to.as_mut() } {
        *to = value;
    }
}
