//! Copies into pinned memory that a GPU reads next, bypassing the caches of the CPU.
//!
//! What a core has stored is in its own cache, and when the GPU reads it over the bus, every line has to be fetched
//! from there. A non-temporal store leaves it in memory. One multiprocessor took 8.9 µs to read 64 KiB after ordinary
//! stores and 6.6 µs after these; the CPU took 1.4 µs longer to copy (plain CUDA, H200).

use super::mapped;

/// Fewer bytes arrive as quickly through the cache.
const LEAST: usize = 2 << 10;

/// Copies a range to memory that a GPU reads next. After the call, other threads see it, and so does a GPU that is
/// notified by a later store.
///
/// # Safety
/// The conditions of [`mapped::copy`], and the two do not overlap.
pub(crate) unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: the caller guarantees that both ranges are valid.
    unsafe { if bytes < LEAST { mapped::copy(to, from, bytes) } else { copy_past_caches(to, from, bytes) } }
}

#[cfg(not(target_arch = "x86_64"))]
use mapped::copy as copy_past_caches;

/// # Safety
/// The conditions of [`copy`].
#[cfg(target_arch = "x86_64")]
unsafe fn copy_past_caches(to: *mut u8, from: *const u8, bytes: usize) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_sfence, _mm_stream_si128};
    const VECTOR: usize = size_of::<__m128i>();
    const LINE: usize = 4;
    let head = to.align_offset(VECTOR).min(bytes);
    let lines = (bytes - head) / (LINE * VECTOR);
    let tail = head + lines * LINE * VECTOR;
    // SAFETY: the parts lie in the caller's ranges, and vectors are stored to multiples of their size.
    unsafe {
        mapped::copy(to, from, head);
        for line in 0..lines {
            let at = head + line * LINE * VECTOR;
            let source = from.add(at).cast::<__m128i>();
            let vectors: [__m128i; LINE] = std::array::from_fn(|i| _mm_loadu_si128(source.add(i)));
            for (i, vector) in vectors.into_iter().enumerate() {
                _mm_stream_si128(to.add(at).cast::<__m128i>().add(i), vector);
            }
        }
        mapped::copy(to.add(tail), from.add(tail), bytes - tail);
        // These stores are not ordered with later ones, such as the one that notifies the GPU.
        _mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches bytes that are skipped, or stored outside the target, for any alignment of both ends.
    #[test]
    fn every_byte_arrives_and_no_other_changes() {
        let source: Vec<u8> = (0..LEAST + 300).map(|i| (i * 7 % 251) as u8).collect();
        for (to, from) in (0..17).flat_map(|to| [0, 1, 8, 15].map(|from| (to, from))) {
            for bytes in [0, 1, 15, LEAST - 1, LEAST, LEAST + 1, LEAST + 63, LEAST + 200] {
                let mut target = vec![0xee; LEAST + 300];
                // SAFETY: both vectors are longer.
                unsafe { copy(target.as_mut_ptr().add(to), source.as_ptr().add(from), bytes) };
                assert_eq!(target[to..to + bytes], source[from..from + bytes], "{to} {from} {bytes}");
                let others = target[..to].iter().chain(&target[to + bytes..]);
                assert!(others.into_iter().all(|byte| *byte == 0xee), "{to} {from} {bytes}");
            }
        }
    }
}
