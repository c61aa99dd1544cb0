//! Put and get, by type, by size and in bytes.

use crate::context::{self, Ctx};
use crate::report::{Call, end_argument};
use crate::state::{job, job_if_any};
use cushmem::raw::Completion::{self, Blocking, Nbi};
use cushmem::{ArgumentError, Word};
use cushmem_capi_table::word_types;
use std::ffi::c_void;

/// A `long double` in memory; it is never passed by value here.
#[repr(C, align(16))]
pub(crate) struct LongDouble([u8; 16]);

/// What is the same in all calls of a routine.
pub(crate) struct Routine {
    name: &'static str,
    /// Bytes of an element.
    size: usize,
    when: Completion,
}

// The common case of each routine is inlined. All other cases are handed to functions that take the routine's arguments
// in the same registers, and one more argument that describes the routine, so that reaching them takes only a jump.
// They are `extern "C"` because then they do not unwind, their caller has nothing left to do, and the common case needs
// no stack frame. They also report calls outside `shmem_init` and `shmem_finalize`.

/// # Safety
/// As specified: the private end is valid for `nelems` elements.
#[inline(always)]
unsafe fn put(routine: &'static Routine, dest: *mut c_void, source: *const c_void, nelems: usize, pe: u32, ctx: Ctx) {
    // SAFETY: the caller guarantees the private end.
    unsafe {
        if let (Some(job), Some(bytes)) = (job_if_any(), nelems.checked_mul(routine.size))
            && job.raw().put_fast(dest.cast(), source.cast(), bytes, pe)
        {
            return;
        }
        put_slow(dest, source, nelems, pe, routine, ctx);
    }
}

/// # Safety
/// The conditions of [`put`].
#[cold]
#[inline(never)]
unsafe extern "C" fn put_slow(
    dest: *mut c_void,
    source: *const c_void,
    nelems: usize,
    pe: u32,
    routine: &'static Routine,
    ctx: Ctx,
) {
    let bytes = nelems.saturating_mul(routine.size);
    // SAFETY: the caller guarantees the private end.
    let done = unsafe { context::on(routine.name, ctx).put(dest.cast(), source.cast(), bytes, pe, routine.when) };
    if let Err(error) = done {
        let (symmetric, private) = (("dest", dest.addr()), ("source", source.addr()));
        wrong(routine, symmetric, private, nelems, pe, &error)
    }
}

/// # Safety
/// The conditions of [`put`].
#[inline(always)]
unsafe fn get(routine: &'static Routine, dest: *mut c_void, source: *const c_void, nelems: usize, pe: u32, ctx: Ctx) {
    // SAFETY: the caller guarantees the private end.
    unsafe {
        if let (Some(job), Some(bytes)) = (job_if_any(), nelems.checked_mul(routine.size))
            && job.raw().get_fast(dest.cast(), source.cast(), bytes, pe)
        {
            return;
        }
        get_slow(dest, source, nelems, pe, routine, ctx);
    }
}

/// # Safety
/// The conditions of [`put`].
#[cold]
#[inline(never)]
unsafe extern "C" fn get_slow(
    dest: *mut c_void,
    source: *const c_void,
    nelems: usize,
    pe: u32,
    routine: &'static Routine,
    ctx: Ctx,
) {
    let bytes = nelems.saturating_mul(routine.size);
    // SAFETY: the caller guarantees the private end.
    let done = unsafe { context::on(routine.name, ctx).get(dest.cast(), source.cast(), bytes, pe, routine.when) };
    if let Err(error) = done {
        let (symmetric, private) = (("source", source.addr()), ("dest", dest.addr()));
        wrong(routine, symmetric, private, nelems, pe, &error)
    }
}

#[inline(always)]
fn p<T: Word>(routine: &'static Routine, dest: *mut T, value: T, pe: u32, ctx: Ctx) {
    if let Some(job) = job_if_any()
        && job.raw().p_fast(dest, value, pe)
    {
        return;
    }
    p_slow(dest, value, pe, routine, ctx);
}

#[cold]
#[inline(never)]
extern "C" fn p_slow<T: Word>(dest: *mut T, value: T, pe: u32, routine: &'static Routine, ctx: Ctx) {
    if let Err(error) = context::on(routine.name, ctx).p(dest, value, pe) {
        wrong(routine, ("dest", dest.addr()), ("", 0), 0, pe, &error)
    }
}

#[inline(always)]
fn g<T: Word>(routine: &'static Routine, source: *const T, pe: u32) -> T {
    match job_if_any().and_then(|job| job.raw().g_fast(source, pe)) {
        Some(value) => value,
        None => g_slow(source, pe, routine),
    }
}

#[cold]
#[inline(never)]
extern "C" fn g_slow<T: Word>(source: *const T, pe: u32, routine: &'static Routine) -> T {
    match job(routine.name).raw().g(source, pe) {
        Ok(value) => value,
        Err(error) => wrong(routine, ("source", source.addr()), ("", 0), 0, pe, &error),
    }
}

fn wrong(
    routine: &Routine,
    symmetric: (&'static str, usize),
    private: (&'static str, usize),
    nelems: usize,
    pe: u32,
    error: &ArgumentError,
) -> ! {
    let pe = pe.cast_signed();
    end_argument(&Call { routine: routine.name, symmetric, private, nelems, pe, ..Call::default() }, error)
}

/// The routines that only move bytes, for elements of a type. `$before` and `$after` make the name.
macro_rules! copies {
    ($element:ty, $size:expr, $before:expr, $after:literal) => {
        copies!(@ put, Blocking, $element, $size, $before, "put", $after);
        copies!(@ put, Nbi, $element, $size, $before, "put", $after, "_nbi");
        copies!(@ get, Blocking, $element, $size, $before, "get", $after);
        copies!(@ get, Nbi, $element, $size, $before, "get", $after, "_nbi");
    };
    (@ $way:ident, $when:expr, $element:ty, $size:expr, $($name:expr),+) => {
        both_forms! { ($($name),+) ROUTINE, pe, ctx: (dest: *mut $element, source: *const $element, nelems: usize) {
            let routine = const { &Routine { name: ROUTINE, size: $size, when: $when } };
            // SAFETY: the caller guarantees the private end, until quiet if the operation may complete later.
            unsafe { $way(routine, dest.cast(), source.cast(), nelems, pe, ctx) }
        } }
    };
}

copies!(c_void, 1, "", "mem");
copies!(c_void, 1, "", "8");
copies!(c_void, 2, "", "16");
copies!(c_void, 4, "", "32");
copies!(c_void, 8, "", "64");
copies!(c_void, 16, "", "128");
copies!(LongDouble, size_of::<LongDouble>(), "longdouble_", "");

macro_rules! typed {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        copies!($t, size_of::<$t>(), concat!(stringify!($name), "_"), "");

        both_forms! { (stringify!($name), "_p") ROUTINE, pe, ctx: (dest: *mut $t, value: $t) {
            p(const { &Routine { name: ROUTINE, size: size_of::<$t>(), when: Blocking } }, dest, value, pe, ctx);
        } }

        both_forms! { (stringify!($name), "_g") ROUTINE, pe: (source: *const $t) -> $t {
            g(const { &Routine { name: ROUTINE, size: size_of::<$t>(), when: Blocking } }, source, pe)
        } }
    )*};
}
word_types!(typed);
