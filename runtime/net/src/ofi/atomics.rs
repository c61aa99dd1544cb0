//! The functions of an endpoint for atomic operations.

use crate::WordOp;
use crate::ofi::sys::*;
use crate::ofi::word_op::of_libfabric;
use std::ffi::c_void;
use std::mem::offset_of;

type Fetch =
    unsafe extern "C" fn(*mut fid_ep, *const fi_msg_atomic, *mut fi_ioc, *mut *mut c_void, usize, u64) -> isize;
type Compare = unsafe extern "C" fn(
    *mut fid_ep,
    *const fi_msg_atomic,
    *const fi_ioc,
    *mut *mut c_void,
    usize,
    *mut fi_ioc,
    *mut *mut c_void,
    usize,
    u64,
) -> isize;

/// The functions that start atomic operations. Each fetches the old value, whether it is wanted or not: an operation
/// without a result that reports its arrival damages the list of free buffers of `shm` (libfabric 1.17), so that
/// operations under way write into each other's buffers.
pub(crate) struct Atomics {
    pub(crate) fetch: Fetch,
    pub(crate) compare: Compare,
}

impl Atomics {
    /// Finds the functions for atomic operations, and makes sure that the provider has every operation that it may be
    /// asked for, since some providers announce atomic operations and have none.
    ///
    /// # Safety
    /// The endpoint is there.
    pub(crate) unsafe fn find(ep: *mut fid_ep, provider: &str) -> Result<Self, String> {
        let claims = |why: &str| format!("libfabric's provider {provider} announces atomic operations, but {why}");
        // SAFETY: the caller guarantees the endpoint; the functions only answer.
        unsafe {
            let table = (*ep).atomic;
            let absent = |_| claims("has no functions for them");
            let fetches = entry!(table, fi_ops_atomic, readwritevalid).map_err(absent)?;
            let compares = entry!(table, fi_ops_atomic, compwritevalid).map_err(absent)?;
            let changes = [4, 8].into_iter().flat_map(|width| WordOp::ALL.map(|op| (op, width)));
            for (op, width) in changes.chain([(WordOp::Set, 2)]) {
                let (datatype, code) = of_libfabric(op, width);
                let valid = if op == WordOp::CompareSwap { compares } else { fetches };
                let mut count = 0;
                if valid(ep, datatype, code, &mut count) != 0 || count == 0 {
                    return Err(claims(&format!("lacks {op:?} on words of {width} bytes")));
                }
            }
            Ok(Self {
                fetch: entry!(table, fi_ops_atomic, readwritemsg)?,
                compare: entry!(table, fi_ops_atomic, compwritemsg)?,
            })
        }
    }
}
