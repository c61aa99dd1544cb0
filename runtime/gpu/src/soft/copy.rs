use cushmem_abi::soft::resolve;
use std::ptr;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// Copies between any two of host memory and device memory. A word of 1, 2, 4 or 8 bytes that is naturally aligned on
/// both sides is copied in one piece, so that a flag can be copied while a thread or kernel polls it.
///
/// # Safety
/// Both ranges are valid for `bytes` bytes once resolved. They may overlap, and others may access them during the copy.
pub(super) unsafe fn copy(dst: u64, src: u64, bytes: u64) {
    let (dst, src) = (resolve(dst), resolve(src));
    macro_rules! word {
        ($atomic:ident) => {{
            // SAFETY: both are valid by this function's contract, and the match below has checked the alignment.
            let (dst, src) = unsafe { ($atomic::from_ptr(dst as *mut _), $atomic::from_ptr(src as *mut _)) };
            // Relaxed: operations of one stream are ordered by the program order of its worker. Other threads and
            // processes are ordered by the queue's lock, by x86 or by the caller's own fences.
            dst.store(src.load(Ordering::Relaxed), Ordering::Relaxed);
        }};
    }
    match bytes {
        8 if (dst | src).is_multiple_of(8) => word!(AtomicU64),
        4 if (dst | src).is_multiple_of(4) => word!(AtomicU32),
        2 if (dst | src).is_multiple_of(2) => word!(AtomicU16),
        1 => word!(AtomicU8),
        // SAFETY: both are valid by this function's contract; `copy` allows overlap.
        _ => unsafe { ptr::copy(src as *const u8, dst as *mut u8, bytes as usize) },
    }
}
