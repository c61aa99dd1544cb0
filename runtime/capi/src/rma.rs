//! Put and get, by type, by size and in bytes; put with signal.

use crate::report::{Call, misused};
use crate::state::job;
use cushmem::raw::Completion::{self, Later, Now};
use cushmem::{SignalOp, Word};
use cushmem_capi_table::word_types;
use std::ffi::{c_int, c_void};

/// A `long double` in memory; it is never passed by value here.
#[repr(C, align(16))]
pub struct LongDouble([u8; 16]);

/// # Safety
/// As the specification has it: the private end is valid for `nelems` elements of `size` bytes.
#[inline(always)]
unsafe fn put(
    routine: &'static str,
    dest: *mut c_void,
    source: *const c_void,
    (nelems, size): (usize, usize),
    pe: c_int,
    when: Completion,
) {
    let bytes = nelems.saturating_mul(size);
    // SAFETY: passed on.
    unsafe {
        if !job(routine).raw().put_at_once(dest.cast(), source.cast(), bytes, pe.cast_unsigned()) {
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
    pe: c_int,
    when: Completion,
) {
    let bytes = nelems.saturating_mul(size);
    // SAFETY: passed on.
    let done = unsafe { job(routine).raw().put(dest.cast(), source.cast(), bytes, pe.cast_unsigned(), when) };
    if let Err(misuse) = done {
        let (symmetric, private) = (("dest", dest.addr()), ("source", source.addr()));
        misused(&Call { routine, symmetric, private, nelems, pe, signal: 0 }, &misuse)
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
    pe: c_int,
    when: Completion,
) {
    let bytes = nelems.saturating_mul(size);
    // SAFETY: passed on.
    unsafe {
        if !job(routine).raw().get_at_once(dest.cast(), source.cast(), bytes, pe.cast_unsigned()) {
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
    pe: c_int,
    when: Completion,
) {
    let bytes = nelems.saturating_mul(size);
    // SAFETY: passed on.
    let done = unsafe { job(routine).raw().get(dest.cast(), source.cast(), bytes, pe.cast_unsigned(), when) };
    if let Err(misuse) = done {
        let (symmetric, private) = (("source", source.addr()), ("dest", dest.addr()));
        misused(&Call { routine, symmetric, private, nelems, pe, signal: 0 }, &misuse)
    }
}

#[cold]
#[inline(never)]
fn p_otherwise<T: Word>(routine: &'static str, dest: *mut T, value: T, pe: c_int) {
    if let Err(misuse) = job(routine).raw().p(dest, value, pe.cast_unsigned()) {
        misused(&Call { routine, symmetric: ("dest", dest.addr()), nelems: 1, pe, ..Call::default() }, &misuse)
    }
}

#[cold]
#[inline(never)]
fn g_otherwise<T: Word>(routine: &'static str, source: *const T, pe: c_int) -> T {
    match job(routine).raw().g(source, pe.cast_unsigned()) {
        Ok(value) => value,
        Err(misuse) => {
            misused(&Call { routine, symmetric: ("source", source.addr()), nelems: 1, pe, ..Call::default() }, &misuse)
        }
    }
}

/// A signal's part of a call.
struct Signal {
    address: *mut u64,
    value: u64,
    op: c_int,
}

/// # Safety
/// As for [`put`].
unsafe fn put_signal(
    routine: &'static str,
    dest: *mut c_void,
    source: *const c_void,
    (nelems, size): (usize, usize),
    signal: Signal,
    pe: c_int,
    when: Completion,
) {
    let Signal { address, value, op } = signal;
    let op = match op {
        9 => SignalOp::Set,
        10 => SignalOp::Add,
        other => {
            let valid = "SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)";
            crate::report::end(routine, &format!("argument sig_op: {other} is not {valid}"))
        }
    };
    let (bytes, raw) = (nelems.saturating_mul(size), job(routine).raw());
    // SAFETY: passed on.
    let done =
        unsafe { raw.put_signal(dest.cast(), source.cast(), bytes, address, value, op, pe.cast_unsigned(), when) };
    if let Err(misuse) = done {
        let (symmetric, private) = (("dest", dest.addr()), ("source", source.addr()));
        misused(&Call { routine, symmetric, private, nelems, pe, signal: address.addr() }, &misuse)
    }
}

/// The routines that only move bytes, for elements of a type; `$before` and `$after` make the name.
macro_rules! copies {
    ($module:ident, $element:ty, $size:expr, $before:expr, $after:literal) => {
        pub mod $module {
            use super::*;
            const ELEMENT: usize = $size;

            /// # Safety
            /// `source` is valid for `nelems` elements.
            #[unsafe(export_name = concat!("shmem_", $before, "put", $after))]
            unsafe extern "C" fn put(dest: *mut $element, source: *const $element, nelems: usize, pe: c_int) {
                let routine = concat!("shmem_", $before, "put", $after);
                // SAFETY: passed on.
                unsafe { super::put(routine, dest.cast(), source.cast(), (nelems, ELEMENT), pe, Now) }
            }

            /// # Safety
            /// `source` is valid for `nelems` elements until quiet.
            #[unsafe(export_name = concat!("shmem_", $before, "put", $after, "_nbi"))]
            unsafe extern "C" fn put_nbi(dest: *mut $element, source: *const $element, nelems: usize, pe: c_int) {
                let routine = concat!("shmem_", $before, "put", $after, "_nbi");
                // SAFETY: passed on.
                unsafe { super::put(routine, dest.cast(), source.cast(), (nelems, ELEMENT), pe, Later) }
            }

            /// # Safety
            /// `dest` is valid for `nelems` elements.
            #[unsafe(export_name = concat!("shmem_", $before, "get", $after))]
            unsafe extern "C" fn get(dest: *mut $element, source: *const $element, nelems: usize, pe: c_int) {
                let routine = concat!("shmem_", $before, "get", $after);
                // SAFETY: passed on.
                unsafe { super::get(routine, dest.cast(), source.cast(), (nelems, ELEMENT), pe, Now) }
            }

            /// # Safety
            /// `dest` is valid for `nelems` elements until quiet.
            #[unsafe(export_name = concat!("shmem_", $before, "get", $after, "_nbi"))]
            unsafe extern "C" fn get_nbi(dest: *mut $element, source: *const $element, nelems: usize, pe: c_int) {
                let routine = concat!("shmem_", $before, "get", $after, "_nbi");
                // SAFETY: passed on.
                unsafe { super::get(routine, dest.cast(), source.cast(), (nelems, ELEMENT), pe, Later) }
            }

            /// # Safety
            /// `source` is valid for `nelems` elements.
            #[unsafe(export_name = concat!("shmem_", $before, "put", $after, "_signal"))]
            unsafe extern "C" fn put_signal(
                dest: *mut $element,
                source: *const $element,
                nelems: usize,
                sig_addr: *mut u64,
                value: u64,
                sig_op: c_int,
                pe: c_int,
            ) {
                let routine = concat!("shmem_", $before, "put", $after, "_signal");
                let signal = Signal { address: sig_addr, value, op: sig_op };
                // SAFETY: passed on.
                unsafe { super::put_signal(routine, dest.cast(), source.cast(), (nelems, ELEMENT), signal, pe, Now) }
            }

            /// # Safety
            /// `source` is valid for `nelems` elements until quiet.
            #[unsafe(export_name = concat!("shmem_", $before, "put", $after, "_signal_nbi"))]
            unsafe extern "C" fn put_signal_nbi(
                dest: *mut $element,
                source: *const $element,
                nelems: usize,
                sig_addr: *mut u64,
                value: u64,
                sig_op: c_int,
                pe: c_int,
            ) {
                let routine = concat!("shmem_", $before, "put", $after, "_signal_nbi");
                let signal = Signal { address: sig_addr, value, op: sig_op };
                // SAFETY: passed on.
                unsafe { super::put_signal(routine, dest.cast(), source.cast(), (nelems, ELEMENT), signal, pe, Later) }
            }
        }
    };
}

copies!(mem, c_void, 1, "", "mem");
copies!(bits8, c_void, 1, "", "8");
copies!(bits16, c_void, 2, "", "16");
copies!(bits32, c_void, 4, "", "32");
copies!(bits64, c_void, 8, "", "64");
copies!(bits128, c_void, 16, "", "128");
copies!(longdouble, LongDouble, size_of::<LongDouble>(), "longdouble_", "");

macro_rules! typed {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        pub mod $name {
            use super::*;
            copies!(copies, $t, size_of::<$t>(), concat!(stringify!($name), "_"), "");

            #[unsafe(export_name = concat!("shmem_", stringify!($name), "_p"))]
            extern "C" fn p(dest: *mut $t, value: $t, pe: c_int) {
                let routine = concat!("shmem_", stringify!($name), "_p");
                if !job(routine).raw().p_at_once(dest, value, pe.cast_unsigned()) {
                    p_otherwise(routine, dest, value, pe);
                }
            }

            #[unsafe(export_name = concat!("shmem_", stringify!($name), "_g"))]
            extern "C" fn g(source: *const $t, pe: c_int) -> $t {
                let routine = concat!("shmem_", stringify!($name), "_g");
                match job(routine).raw().g_at_once(source, pe.cast_unsigned()) {
                    Some(value) => value,
                    None => g_otherwise(routine, source, pe),
                }
            }
        }
    )*};
}
word_types!(typed);
