//! Strided put and get, of elements and of blocks.

use crate::context::{self, Ctx};
use crate::report::{self, Call, end_argument};
use crate::rma::LongDouble;

use cushmem::Blocks;
use cushmem_capi_table::word_types;
use std::ffi::c_void;

/// Ends the job if a stride is shorter than a block, which is at least one element (1.6, 9.6.1).
#[inline]
pub(crate) fn check_strides(routine: &'static str, blocks: &Blocks) {
    let least = blocks.elements.max(1);
    if blocks.count == 0 {
        return;
    }
    for (name, stride) in [("dst", blocks.dst), ("sst", blocks.sst)] {
        if usize::try_from(stride).is_ok_and(|stride| stride >= least) {
            continue;
        }
        let block = if blocks.elements > 1 { ", the length of a block" } else { "" };
        report::end(routine, &format!("argument {name}: {stride} is not at least {least}{block}"));
    }
}

/// `counted` is the name of the argument that gives the number of blocks.
///
/// # Safety
/// As specified: `source` is valid for all blocks.
#[inline(never)]
unsafe fn put(
    routine: &'static str,
    dest: *mut c_void,
    source: *const c_void,
    blocks: Blocks,
    counted: &'static str,
    (pe, ctx): (u32, Ctx),
) {
    check_strides(routine, &blocks);
    // SAFETY: the caller guarantees all blocks of the private end.
    let done = unsafe { context::on(routine, ctx).put_blocks(dest.cast(), source.cast(), blocks, pe) };
    if let Err(error) = done {
        let (symmetric, private) = (("dest", dest.addr()), ("source", source.addr()));
        let (nelems, counted, pe) = (blocks.count, Some(counted), pe.cast_signed());
        end_argument(&Call { routine, symmetric, private, nelems, counted, pe, ..Call::default() }, &error)
    }
}

/// # Safety
/// As specified: `dest` is valid for all blocks.
#[inline(never)]
unsafe fn get(
    routine: &'static str,
    dest: *mut c_void,
    source: *const c_void,
    blocks: Blocks,
    counted: &'static str,
    (pe, ctx): (u32, Ctx),
) {
    check_strides(routine, &blocks);
    // SAFETY: the caller guarantees all blocks of the private end.
    let done = unsafe { context::on(routine, ctx).get_blocks(dest.cast(), source.cast(), blocks, pe) };
    if let Err(error) = done {
        let (symmetric, private) = (("source", source.addr()), ("dest", dest.addr()));
        let (nelems, counted, pe) = (blocks.count, Some(counted), pe.cast_signed());
        end_argument(&Call { routine, symmetric, private, nelems, counted, pe, ..Call::default() }, &error)
    }
}

/// Both directions, of elements and of blocks. `$before` and `$after` make the name.
macro_rules! strided {
    ($element:ty, $size:expr, $before:expr, $after:literal) => {
        strided!(@ put, $element, $size, $before, $after);
        strided!(@ get, $element, $size, $before, $after);
    };
    (@ $way:ident, $element:ty, $size:expr, $before:expr, $after:literal) => {
        both_forms! { ($before, "i", stringify!($way), $after) ROUTINE, pe, ctx:
            (dest: *mut $element, source: *const $element, dst: isize, sst: isize, nelems: usize) {
            let blocks = Blocks { count: nelems, elements: 1, size: $size, dst, sst };
            // SAFETY: the caller guarantees all blocks of the private end.
            unsafe { $way(ROUTINE, dest.cast(), source.cast(), blocks, "nelems", (pe, ctx)) }
        } }
        both_forms! { ($before, "ib", stringify!($way), $after) ROUTINE, pe, ctx:
            (dest: *mut $element, source: *const $element, dst: isize, sst: isize, bsize: usize, nblocks: usize) {
            let blocks = Blocks { count: nblocks, elements: bsize, size: $size, dst, sst };
            // SAFETY: the caller guarantees all blocks of the private end.
            unsafe { $way(ROUTINE, dest.cast(), source.cast(), blocks, "nblocks", (pe, ctx)) }
        } }
    };
}

strided!(c_void, 1, "", "8");
strided!(c_void, 2, "", "16");
strided!(c_void, 4, "", "32");
strided!(c_void, 8, "", "64");
strided!(c_void, 16, "", "128");
strided!(LongDouble, size_of::<LongDouble>(), "longdouble_", "");

macro_rules! typed {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        strided!($t, size_of::<$t>(), concat!(stringify!($name), "_"), "");
    )*};
}
word_types!(typed);
