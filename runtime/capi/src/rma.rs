//! Put and get, by type, by size and in bytes.

use crate::report::{Call, misused};
use crate::state::job;
use cushmem::Word;
use cushmem::raw::Completion::{self, Later, Now};
use cushmem_capi_table::word_types;
use std::ffi::c_void;

/// A `long double` in memory; it is never passed by value here.
#[repr(C, align(16))]
pub(crate) struct LongDouble([u8; 16]);

/// # Safety
/// As the specification has it: the private end is valid for `nelems` elements of `size` bytes.
#[inline(always)]
unsafe fn put(
    routine: &'static str,
    dest: *mut c_void,
    source: *const c_void,
    (nelems, size): (usize, usize),
    pe: u32,
    when: Completion,
) {
    let bytes = nelems.saturating_mul(size);
    // SAFETY: passed on.
    unsafe {
        if !job(routine).raw().put_at_once(dest.cast(), source.cast(), bytes, pe) {
            put_otherwise(routine, dest, source, (nelems, size), pe, when);
        }
    }
}

/// # Safety
/// As for [`put`].
#[cold]
#[inline(never)]
unsafe fn put_otherwise(
    routine: &'static str,
    dest: *mut c_void,
    source: *const c_void,
    (nelems, size): (usize, usize),
    pe: u32,
    when: Completion,
) {
    let bytes = nelems.saturating_mul(size);
    // SAFETY: passed on.
    let done = unsafe { job(routine).raw().put_otherwise(dest.cast(), source.cast(), bytes, pe, when) };
    if let Err(misuse) = done {
        let (symmetric, private) = (("dest", dest.addr()), ("source", source.addr()));
        misused(&Call { routine, symmetric, private, nelems, pe: pe.cast_signed(), signal: 0 }, &misuse)
    }
}

/// # Safety
/// As for [`put`].
#[inline(always)]
unsafe fn get(
    routine: &'static str,
    dest: *mut c_void,
    source: *const c_void,
    (nelems, size): (usize, usize),
    pe: u32,
    when: Completion,
) {
    let bytes = nelems.saturating_mul(size);
    // SAFETY: passed on.
    unsafe {
        if !job(routine).raw().get_at_once(dest.cast(), source.cast(), bytes, pe) {
            get_otherwise(routine, dest, source, (nelems, size), pe, when);
        }
    }
}

/// # Safety
/// As for [`put`].
#[cold]
#[inline(never)]
unsafe fn get_otherwise(
    routine: &'static str,
    dest: *mut c_void,
    source: *const c_void,
    (nelems, size): (usize, usize),
    pe: u32,
    when: Completion,
) {
    let bytes = nelems.saturating_mul(size);
    // SAFETY: passed on.
    let done = unsafe { job(routine).raw().get_otherwise(dest.cast(), source.cast(), bytes, pe, when) };
    if let Err(misuse) = done {
        let (symmetric, private) = (("source", source.addr()), ("dest", dest.addr()));
        misused(&Call { routine, symmetric, private, nelems, pe: pe.cast_signed(), signal: 0 }, &misuse)
    }
}

#[cold]
#[inline(never)]
fn p_otherwise<T: Word>(routine: &'static str, dest: *mut T, value: T, pe: u32) {
    if let Err(misuse) = job(routine).raw().p(dest, value, pe) {
        let symmetric = ("dest", dest.addr());
        misused(&Call { routine, symmetric, nelems: 1, pe: pe.cast_signed(), ..Call::default() }, &misuse)
    }
}

#[cold]
#[inline(never)]
fn g_otherwise<T: Word>(routine: &'static str, source: *const T, pe: u32) -> T {
    match job(routine).raw().g(source, pe) {
        Ok(value) => value,
        Err(misuse) => {
            let symmetric = ("source", source.addr());
            misused(&Call { routine, symmetric, nelems: 1, pe: pe.cast_signed(), ..Call::default() }, &misuse)
        }
    }
}

/// The routines that only move bytes, for elements of a type; `$before` and `$after` make the name.
macro_rules! copies {
    ($element:ty, $size:expr, $before:expr, $after:literal) => {
        both_forms! { ($before, "put", $after) routine, pe: (dest: *mut $element, source: *const $element, nelems: usize) {
            // SAFETY: passed on.
            unsafe { put(routine, dest.cast(), source.cast(), (nelems, $size), pe, Now) }
        } }
        both_forms! { ($before, "put", $after, "_nbi") routine, pe: (dest: *mut $element, source: *const $element, nelems: usize) {
            // SAFETY: passed on; until quiet.
            unsafe { put(routine, dest.cast(), source.cast(), (nelems, $size), pe, Later) }
        } }
        both_forms! { ($before, "get", $after) routine, pe: (dest: *mut $element, source: *const $element, nelems: usize) {
            // SAFETY: passed on.
            unsafe { get(routine, dest.cast(), source.cast(), (nelems, $size), pe, Now) }
        } }
        both_forms! { ($before, "get", $after, "_nbi") routine, pe: (dest: *mut $element, source: *const $element, nelems: usize) {
            // SAFETY: passed on; until quiet.
            unsafe { get(routine, dest.cast(), source.cast(), (nelems, $size), pe, Later) }
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

        both_forms! { (stringify!($name), "_p") routine, pe: (dest: *mut $t, value: $t) {
            if !job(routine).raw().p_at_once(dest, value, pe) {
                p_otherwise(routine, dest, value, pe);
            }
        } }

        both_forms! { (stringify!($name), "_g") routine, pe: (source: *const $t) -> $t {
            match job(routine).raw().g_at_once(source, pe) {
                Some(value) => value,
                None => g_otherwise(routine, source, pe),
            }
        } }
    )*};
}
word_types!(typed);
