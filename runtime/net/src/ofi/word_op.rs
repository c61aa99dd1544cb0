//! What libfabric calls the operations on words.

use crate::WordOp;
use crate::ofi::sys::*;
use std::ffi::c_int;

pub(super) fn of_libfabric(op: WordOp) -> c_int {
    match op {
        WordOp::Add => FI_SUM,
        WordOp::Swap | WordOp::Set => FI_ATOMIC_WRITE,
        WordOp::CompareSwap => FI_CSWAP,
        WordOp::And => FI_BAND,
        WordOp::Or => FI_BOR,
        WordOp::Xor => FI_BXOR,
        WordOp::Fetch => FI_ATOMIC_READ,
    }
}
