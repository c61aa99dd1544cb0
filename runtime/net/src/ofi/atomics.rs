//! The functions of an endpoint for atomic operations.

use crate::ofi::sys::*;
use std::ffi::{c_int, c_void};
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
        const CHANGES: [(c_int, &str); 5] = [
            (FI_SUM, "FI_SUM"),
            (FI_BAND, "FI_BAND"),
            (FI_BOR, "FI_BOR"),
            (FI_BXOR, "FI_BXOR"),
            (FI_ATOMIC_WRITE, "FI_ATOMIC_WRITE"),
        ];
        let claims = |why: &str| format!("libfabric's provider {provider} announces atomic operations, but {why}");
        // SAFETY: the caller guarantees the endpoint; the functions only answer.
        unsafe {
            let table = (*ep).atomic;
            let absent = |_| claims("has no functions for them");
            let fetches = entry!(table, fi_ops_atomic, readwritevalid).map_err(absent)?;
            let compares = entry!(table, fi_ops_atomic, compwritevalid).map_err(absent)?;
            for (datatype, width) in [(FI_UINT32, 4), (FI_UINT64, 8)] {
                let lacks = |op: &str| claims(&format!("lacks {op} on words of {width} bytes"));
                let has = |valid: unsafe extern "C" fn(_, _, _, *mut usize) -> c_int, op: c_int| {
                    let mut count = 0;
                    valid(ep, datatype, op, &mut count) == 0 && count > 0
                };
                for (op, name) in CHANGES {
                    if !has(fetches, op) {
                        return Err(lacks(name));
                    }
                }
                if !has(fetches, FI_ATOMIC_READ) {
                    return Err(lacks("FI_ATOMIC_READ"));
                }
                if !has(compares, FI_CSWAP) {
                    return Err(lacks("FI_CSWAP"));
                }
            }
            let mut count = 0;
            if fetches(ep, FI_UINT16, FI_ATOMIC_WRITE, &mut count) != 0 || count == 0 {
                return Err(claims("lacks FI_ATOMIC_WRITE on words of 2 bytes"));
            }
            Ok(Self {
                fetch: entry!(table, fi_ops_atomic, readwritemsg)?,
                compare: entry!(table, fi_ops_atomic, compwritemsg)?,
            })
        }
    }
}
