//! Put and get, by type, by size and in bytes.

use crate::report::{Call, misused};
use crate::state::{job, job_if_any};
use cushmem::raw::Completion::{self, Later, Now};
use cushmem::{Misuse, Word};
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

// The common case of each routine is inlined. The others get their arguments where the routine got them and one more, for what the
// routine is, so that getting there is a jump: they are `extern "C"`, as nothing may be left to do for who does not unwind, and the
// common case then needs no frame on the stack. They also tell who calls outside of `shmem_init` and `shmem_finalize`.

/// # Safety
/// As the specification has it: the private end is valid for `nelems` elements.
#[inline(always)]
unsafe fn put(routine: &'static Routine, dest: *mut c_void, source: *const c_void, nelems: usize, pe: u32) {
    // SAFETY: passed on.
    unsafe {
        if let (Some(job), Some(bytes)) = (job_if_any(), nelems.checked_mul(routine.size))
            && job.raw().put_at_once(dest.cast(), source.cast(), bytes, pe)
        {
            return;
        }
        put_otherwise(dest, source, nelems, pe, routine);
    }
}

/// # Safety
/// As for [`put`].
#[cold]
#[inline(never)]
unsafe extern "C" fn put_otherwise(
    dest: *mut c_void,
    source: *const c_void,
    nelems: usize,
    pe: u32,
    routine: &'static Routine,
) {
    let bytes = nelems.saturating_mul(routine.size);
    // SAFETY: passed on.
    let done = unsafe { job(routine.name).raw().put(dest.cast(), source.cast(), bytes, pe, routine.when) };
    if let Err(misuse) = done {
        let (symmetric, private) = (("dest", dest.addr()), ("source", source.addr()));
        wrong(routine, symmetric, private, nelems, pe, &misuse)
    }
}

/// # Safety
/// As for [`put`].
#[inline(always)]
unsafe fn get(routine: &'static Routine, dest: *mut c_void, source: *const c_void, nelems: usize, pe: u32) {
    // SAFETY: passed on.
    unsafe {
        if let (Some(job), Some(bytes)) = (job_if_any(), nelems.checked_mul(routine.size))
            && job.raw().get_at_once(dest.cast(), source.cast(), bytes, pe)
        {
            return;
        }
        get_otherwise(dest, source, nelems, pe, routine);
    }
}

/// # Safety
/// As for [`put`].
#[cold]
#[inline(never)]
unsafe extern "C" fn get_otherwise(
    dest: *mut c_void,
    source: *const c_void,
    nelems: usize,
    pe: u32,
    routine: &'static Routine,
) {
    let bytes = nelems.saturating_mul(routine.size);
    // SAFETY: passed on.
    let done = unsafe { job(routine.name).raw().get(dest.cast(), source.cast(), bytes, pe, routine.when) };
    if let Err(misuse) = done {
        let (symmetric, private) = (("source", source.addr()), ("dest", dest.addr()));
        wrong(routine, symmetric, private, nelems, pe, &misuse)
    }
}

#[inline(always)]
fn p<T: Word>(routine: &'static Routine, dest: *mut T, value: T, pe: u32) {
    if let Some(job) = job_if_any()
        && job.raw().p_at_once(dest, value, pe)
    {
        return;
    }
    p_otherwise(dest, value, pe, routine);
}

#[cold]
#[inline(never)]
extern "C" fn p_otherwise<T: Word>(dest: *mut T, value: T, pe: u32, routine: &'static Routine) {
    if let Err(misuse) = job(routine.name).raw().p(dest, value, pe) {
        wrong(routine, ("dest", dest.addr()), ("", 0), 0, pe, &misuse)
    }
}

#[inline(always)]
fn g<T: Word>(routine: &'static Routine, source: *const T, pe: u32) -> T {
    match job_if_any().and_then(|job| job.raw().g_at_once(source, pe)) {
        Some(value) => value,
        None => g_otherwise(source, pe, routine),
    }
}

#[cold]
#[inline(never)]
extern "C" fn g_otherwise<T: Word>(source: *const T, pe: u32, routine: &'static Routine) -> T {
    match job(routine.name).raw().g(source, pe) {
        Ok(value) => value,
        Err(misuse) => wrong(routine, ("source", source.addr()), ("", 0), 0, pe, &misuse),
    }
}

fn wrong(
    routine: &Routine,
    symmetric: (&'static str, usize),
    private: (&'static str, usize),
    nelems: usize,
    pe: u32,
    misuse: &Misuse,
) -> ! {
    let pe = pe.cast_signed();
    misused(&Call { routine: routine.name, symmetric, private, nelems, pe, ..Call::default() }, misuse)
}

/// The routines that only move bytes, for elements of a type; `$before` and `$after` make the name.
macro_rules! copies {
    ($element:ty, $size:expr, $before:expr, $after:literal) => {
        copies!(@ put, Now, $element, $size, $before, "put", $after);
        copies!(@ put, Later, $element, $size, $before, "put", $after, "_nbi");
        copies!(@ get, Now, $element, $size, $before, "get", $after);
        copies!(@ get, Later, $element, $size, $before, "get", $after, "_nbi");
    };
    (@ $way:ident, $when:expr, $element:ty, $size:expr, $($name:expr),+) => {
        both_forms! { ($($name),+) name, pe: (dest: *mut $element, source: *const $element, nelems: usize) {
            let routine = const { &Routine { name, size: $size, when: $when } };
            // SAFETY: passed on; if it is completed later, until quiet.
            unsafe { $way(routine, dest.cast(), source.cast(), nelems, pe) }
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

        both_forms! { (stringify!($name), "_p") name, pe: (dest: *mut $t, value: $t) {
            p(const { &Routine { name, size: size_of::<$t>(), when: Now } }, dest, value, pe);
        } }

        both_forms! { (stringify!($name), "_g") name, pe: (source: *const $t) -> $t {
            g(const { &Routine { name, size: size_of::<$t>(), when: Now } }, source, pe)
        } }
    )*};
}
word_types!(typed);
