//! What libfabric calls the operations on words.

use crate::WordOp;
use crate::ofi::sys::*;
use std::ffi::c_int;

/// An operation on a word of this many bytes: the kind of number that the word is, and what happens to it.
pub(super) fn of_libfabric(op: WordOp, width: u32) -> (c_int, c_int) {
    let [unsigned, signed, float] = match width {
        // Words of 2 bytes are only set.
        2 => [FI_UINT16; 3],
        4 => [FI_UINT32, FI_INT32, FI_FLOAT],
        _ => [FI_UINT64, FI_INT64, FI_DOUBLE],
    };
    match op {
        WordOp::Add => (unsigned, FI_SUM),
        WordOp::Swap | WordOp::Set => (unsigned, FI_ATOMIC_WRITE),
        WordOp::CompareSwap => (unsigned, FI_CSWAP),
        WordOp::And => (unsigned, FI_BAND),
        WordOp::Or => (unsigned, FI_BOR),
        WordOp::Xor => (unsigned, FI_BXOR),
        WordOp::Fetch => (unsigned, FI_ATOMIC_READ),
        WordOp::AddFloat => (float, FI_SUM),
        WordOp::MinUnsigned => (unsigned, FI_MIN),
        WordOp::MaxUnsigned => (unsigned, FI_MAX),
        WordOp::MinSigned => (signed, FI_MIN),
        WordOp::MaxSigned => (signed, FI_MAX),
    }
}
