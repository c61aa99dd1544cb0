//! Atomics, by type. Those without a result are complete after a quiet, and so are the non-blocking forms: their
//! results are there at once, unless the word is on another node.

use crate::report::{Call, end_argument};
use crate::state::job;
use cushmem::raw::{AmoOp, Later};
use cushmem::{ArgumentError, Word};
use cushmem_capi_table::{amo_types, bitwise_types, extended_types, old_amo_types};

#[inline(always)]
fn done<T>(
    routine: &'static str,
    argument: &'static str,
    address: usize,
    pe: u32,
    result: Result<T, ArgumentError>,
) -> T {
    match result {
        Ok(value) => value,
        Err(error) => failed(routine, argument, address, pe, &error),
    }
}

#[cold]
#[inline(never)]
fn failed(routine: &'static str, argument: &'static str, address: usize, pe: u32, error: &ArgumentError) -> ! {
    let symmetric = (argument, address);
    end_argument(&Call { routine, symmetric, pe: pe.cast_signed(), ..Call::default() }, error)
}

/// The operations of a non-blocking form, which store their result at `fetch`.
///
/// # Safety
/// `fetch` is NULL, or writable until a quiet.
#[inline(always)]
unsafe fn into<T: Word>(routine: &'static str, fetch: *mut T) -> Later<'static, T> {
    if fetch.is_null() {
        no_result(routine);
    }
    // SAFETY: the caller guarantees that `fetch` is writable if it is not NULL, which it is not here.
    unsafe { job(routine).raw().later(fetch) }
}

#[cold]
#[inline(never)]
fn no_result(routine: &'static str) -> ! {
    end_argument(&Call { routine, private: ("fetch", 0), ..Call::default() }, &ArgumentError::NullPrivate)
}

/// A routine that changes a word and returns nothing.
macro_rules! changing {
    ($name:ident, $suffix:literal, ($word:ident: $w:ty $(, $v:ident: $t:ty)*), |$routine:ident, $pe:ident| $change:expr) => {
        both_forms! { (stringify!($name), $suffix) $routine, $pe: ($word: $w $(, $v: $t)*) {
            done($routine, stringify!($word), $word.addr(), $pe, $change);
        } }
    };
}

/// A routine that returns the old value, and its non-blocking form.
macro_rules! fetching {
    ($name:ident -> $r:ty, $suffix:literal, ($word:ident: $w:ty $(, $v:ident: $t:ty)*), |$raw:ident, $pe:ident| $change:expr) => {
        both_forms! { (stringify!($name), $suffix) ROUTINE, $pe: ($word: $w $(, $v: $t)*) -> $r {
            let $raw = job(ROUTINE).raw();
            done(ROUTINE, stringify!($word), $word.addr(), $pe, $change)
        } }
        both_forms! { (stringify!($name), $suffix, "_nbi") ROUTINE, $pe: (fetch: *mut $r, $word: $w $(, $v: $t)*) {
            // SAFETY: the caller of the routine guarantees that `fetch` is NULL or writable.
            let $raw = unsafe { into(ROUTINE, fetch) };
            done(ROUTINE, stringify!($word), $word.addr(), $pe, $change)
        } }
    };
}

macro_rules! standard {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        fetching!($name -> $t, "_atomic_fetch_add", (dest: *mut $t, value: $t),
            |raw, pe| raw.update(dest, value, AmoOp::Add, pe));
        changing!($name, "_atomic_add", (dest: *mut $t, value: $t),
            |ROUTINE, pe| job(ROUTINE).raw().change(dest, value, AmoOp::Add, pe));
        fetching!($name -> $t, "_atomic_fetch_inc", (dest: *mut $t),
            |raw, pe| raw.update(dest, 1, AmoOp::Add, pe));
        changing!($name, "_atomic_inc", (dest: *mut $t),
            |ROUTINE, pe| job(ROUTINE).raw().change(dest, 1, AmoOp::Add, pe));
        fetching!($name -> $t, "_atomic_compare_swap", (dest: *mut $t, cond: $t, value: $t),
            |raw, pe| raw.compare_swap(dest, cond, value, pe));
    )*};
}
amo_types!(standard);

macro_rules! extended {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        fetching!($name -> $t, "_atomic_fetch", (source: *const $t),
            |raw, pe| raw.fetch(source, pe));
        changing!($name, "_atomic_set", (dest: *mut $t, value: $t),
            |ROUTINE, pe| job(ROUTINE).raw().set(dest, value, pe));
        fetching!($name -> $t, "_atomic_swap", (dest: *mut $t, value: $t),
            |raw, pe| raw.swap(dest, value, pe));
    )*};
}
amo_types!(extended);
extended_types!(extended);

macro_rules! bitwise {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        bitwise!(@ $name $t, "_atomic_fetch_and", "_atomic_and", AmoOp::And);
        bitwise!(@ $name $t, "_atomic_fetch_or", "_atomic_or", AmoOp::Or);
        bitwise!(@ $name $t, "_atomic_fetch_xor", "_atomic_xor", AmoOp::Xor);
    )*};
    (@ $name:ident $t:ident, $fetch:literal, $plain:literal, $update:expr) => {
        fetching!($name -> $t, $fetch, (dest: *mut $t, value: $t),
            |raw, pe| raw.update(dest, value, $update, pe));
        changing!($name, $plain, (dest: *mut $t, value: $t),
            |ROUTINE, pe| job(ROUTINE).raw().change(dest, value, $update, pe));
    };
}
bitwise_types!(bitwise);

/// A routine under its name from before 1.4.
macro_rules! old {
    ($name:ident, $suffix:literal, ($word:ident: $w:ty $(, $v:ident: $t:ty)*) -> $r:ty, |$routine:ident, $pe:ident| $change:expr) => {
        one_form! { (stringify!($name), $suffix) $routine: ($word: $w $(, $v: $t)*, pe: std::ffi::c_int) -> $r {
            let $pe = pe.cast_unsigned();
            done($routine, stringify!($word), $word.addr(), $pe, $change)
        } }
    };
}

macro_rules! old_standard {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        old!($name, "_fadd", (dest: *mut $t, value: $t) -> $t,
            |ROUTINE, pe| job(ROUTINE).raw().update(dest, value, AmoOp::Add, pe));
        old!($name, "_add", (dest: *mut $t, value: $t) -> (),
            |ROUTINE, pe| job(ROUTINE).raw().change(dest, value, AmoOp::Add, pe));
        old!($name, "_finc", (dest: *mut $t) -> $t,
            |ROUTINE, pe| job(ROUTINE).raw().update(dest, 1, AmoOp::Add, pe));
        old!($name, "_inc", (dest: *mut $t) -> (),
            |ROUTINE, pe| job(ROUTINE).raw().change(dest, 1, AmoOp::Add, pe));
        old!($name, "_cswap", (dest: *mut $t, cond: $t, value: $t) -> $t,
            |ROUTINE, pe| job(ROUTINE).raw().compare_swap(dest, cond, value, pe));
    )*};
}
old_amo_types!(old_standard);

macro_rules! old_extended {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        old!($name, "_fetch", (source: *const $t) -> $t, |ROUTINE, pe| job(ROUTINE).raw().fetch(source, pe));
        old!($name, "_set", (dest: *mut $t, value: $t) -> (), |ROUTINE, pe| job(ROUTINE).raw().set(dest, value, pe));
        old!($name, "_swap", (dest: *mut $t, value: $t) -> $t, |ROUTINE, pe| job(ROUTINE).raw().swap(dest, value, pe));
    )*};
}
old_amo_types!(old_extended);
extended_types!(old_extended);
