use cushmem_abi::soft::resolve;
use std::ptr;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// The C library copies so few bytes by vectors, which hold whole words. For more, it uses an instruction that may copy
/// byte by byte.
const BY_VECTORS: u64 = 2 << 10;

/// Copies between any two of host memory and device memory. Like the driver, it promises no order. But if the ranges do
/// not overlap, a word of 1, 2, 4 or 8 bytes that is naturally aligned on both sides is copied in one piece, whatever
/// else is copied with it: a thread or kernel may poll it.
///
/// # Safety
/// Both ranges are valid for `bytes` bytes once resolved. They may overlap, and others may access them during the copy.
pub(super) unsafe fn copy(dst: u64, src: u64, bytes: u64) {
    let (dst, src) = (resolve(dst), resolve(src));
    if dst.abs_diff(src) < bytes {
        // The C library may copy words in parts.
        // SAFETY: both are valid by this function's contract; `copy` allows overlap.
        return unsafe { ptr::copy(src as *const u8, dst as *mut u8, bytes as usize) };
    }
    // From the last piece to the first, so that whoever relies on an order fails here too.
    let mut left = bytes;
    while left > 0 {
        let (to, from) = (dst + left, src + left);
        // SAFETY: each piece lies in both ranges, before what has been copied.
        left -= unsafe { copy_last(to, from, left) };
    }
}

/// Copies the last piece of a range of `bytes` bytes, given by the ends of both sides. Returns the length of the piece.
///
/// # Safety
/// The conditions of [`copy`], and the ranges do not overlap.
unsafe fn copy_last(dst_end: u64, src_end: u64, bytes: u64) -> u64 {
    macro_rules! word {
        ($atomic:ident, $bits:ident) => {{
            let width = size_of::<$bits>() as u64;
            let (dst, src) = ((dst_end - width) as *mut $bits, (src_end - width) as *const $bits);
            // SAFETY: both are valid by this function's contract, and the match below has checked the alignment.
            // Relaxed: operations of one stream are ordered by the program order of its worker. Other threads and
            // processes are ordered by the queue's lock, by x86 or by the caller's own fences.
            unsafe {
                let value = if src.is_aligned() {
                    $atomic::from_ptr(src.cast_mut()).load(Ordering::Relaxed)
                } else {
                    src.read_unaligned()
                };
                $atomic::from_ptr(dst).store(value, Ordering::Relaxed);
            }
            width
        }};
    }
    match bytes {
        16.. if (dst_end | src_end).is_multiple_of(8) => {
            let piece = (bytes & !7).min(BY_VECTORS);
            let (dst, src) = ((dst_end - piece) as *mut u8, (src_end - piece) as *const u8);
            // SAFETY: the piece lies in both ranges, which are valid and do not overlap.
            unsafe { ptr::copy_nonoverlapping(src, dst, piece as usize) };
            piece
        }
        8.. if dst_end.is_multiple_of(8) => word!(AtomicU64, u64),
        4.. if dst_end.is_multiple_of(4) => word!(AtomicU32, u32),
        2.. if dst_end.is_multiple_of(2) => word!(AtomicU16, u16),
        _ => word!(AtomicU8, u8),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    const PAGE: usize = 4096;
    const WORDS: usize = 5 * PAGE / 8;
    const LIMIT: Duration = Duration::from_secs(60);

    fn words() -> Vec<AtomicU64> {
        (0..WORDS).map(|_| AtomicU64::new(0)).collect()
    }

    /// The address of the first page in these words.
    fn page(words: &[AtomicU64]) -> u64 {
        (words.as_ptr().expose_provenance() as u64).next_multiple_of(PAGE as u64)
    }

    #[test]
    fn every_byte_is_copied() {
        let (source, target) = (words(), words());
        for (at, word) in source.iter().enumerate() {
            // Relaxed: only one thread uses it.
            word.store((at as u64).wrapping_mul(0x0123_4567_89ab_cdef), Ordering::Relaxed);
        }
        let (from, to) = (page(&source), page(&target));
        // SAFETY: the ranges lie in the words, which only this thread uses.
        let bytes_at =
            |start: u64, n: u64| unsafe { std::slice::from_raw_parts(start as *const u8, n as usize).to_vec() };
        for n in (0..40).chain([2047, 2048, 2049, 4100, 6000]) {
            for (src, dst) in (0..9).flat_map(|src| (0..9).map(move |dst| (from + src, to + dst))) {
                let before = bytes_at(to, 8192);
                // SAFETY: both ranges lie in the words, which only this thread uses.
                unsafe { copy(dst, src, n) };
                let (after, at) = (bytes_at(to, 8192), (dst - to) as usize);
                let wanted = [&before[..at], &bytes_at(src, n), &before[at + n as usize..]].concat();
                assert!(after == wanted, "{n} bytes to {at} from {}", src - from);
            }
        }
    }

    /// Catches a long copy that stores a word in parts. Processors copy byte by byte where the target seems to be
    /// shortly ahead of the source.
    #[test]
    fn a_long_copy_stores_whole_words() {
        let (shared, source, is_over) = (words(), words(), AtomicBool::new(false));
        let changes = AtomicU64::new(0);
        let same = |round: u64| u64::from_ne_bytes([round as u8; 8]);
        let start = Instant::now();
        std::thread::scope(|scope| {
            let looking = scope.spawn(|| {
                let mut last = 0;
                // Relaxed: only the values and the number matter.
                while !is_over.load(Ordering::Relaxed) {
                    for word in &shared {
                        let seen = word.load(Ordering::Relaxed);
                        assert_eq!(seen, same(seen), "a word in parts");
                        changes.fetch_add(u64::from(seen != last), Ordering::Relaxed);
                        last = seen;
                    }
                }
            });
            for (ahead, bytes) in (0..64).step_by(8).flat_map(|ahead| [2400, 4096, 12000].map(|n| (ahead, n))) {
                // Relaxed: only the number matters.
                let before = changes.load(Ordering::Relaxed);
                let is_seen = || changes.load(Ordering::Relaxed) > before;
                for round in (1u64..).take_while(|round| *round < 2000 || !is_seen()) {
                    if looking.is_finished() || start.elapsed() > LIMIT {
                        break;
                    }
                    for word in &source {
                        // Relaxed: only this thread uses it.
                        word.store(same(round), Ordering::Relaxed);
                    }
                    // SAFETY: both ranges lie in the words, which are only accessed atomically, and by this copy.
                    unsafe { copy(page(&shared) + ahead, page(&source), bytes) };
                }
            }
            // Relaxed: nothing else depends on it.
            is_over.store(true, Ordering::Relaxed);
            looking.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        });
        assert!(changes.into_inner() > 0, "nobody looked while words changed");
    }
}
