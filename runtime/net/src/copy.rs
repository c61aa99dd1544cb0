//! Copies in whole words, where others use the memory at one end or at both at the same time.
//!
//! A range is cut into naturally aligned words on the shared side: words of 1, 2 and 4 bytes up to a multiple of 8,
//! then words of 8 bytes, then the rest. Every naturally aligned word within the range therefore lies in one word of
//! the cut, and is never torn. At the other end, the same holds for the words that are aligned there, too; the rest may
//! be torn.

use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// The end whose words are kept whole, however the other one is aligned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shared {
    Target,
    Source,
}

/// Longer transfers travel in pieces.
const ONE_PIECE: usize = 4096;
const LONGEST_PIECE: usize = 64 * 1024;
/// Cuts between pieces lie at multiples of this.
const CUT: usize = 64;

/// The C library copies so few bytes by vectors. For more, it uses an instruction that may copy byte by byte.
const BY_VECTORS: usize = 2 << 10;

/// The maximum length of a piece, for a transfer of `bytes` bytes.
pub(crate) fn piece_of(bytes: usize) -> usize {
    (bytes / 4 / CUT * CUT).clamp(ONE_PIECE, LONGEST_PIECE)
}

/// The distance from `address` to the last piece of the range that starts there and has `left` bytes.
pub(crate) fn last_piece(address: usize, left: usize, piece: usize) -> usize {
    if left <= piece { 0 } else { (address + left - piece).next_multiple_of(CUT) - address }
}

/// Copies to shared memory.
///
/// # Safety
/// `from` is readable and `to` writable for `bytes` bytes; they do not overlap.
pub(crate) unsafe fn to_shared(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: the caller guarantees both ranges.
    unsafe { copy(to, from, bytes, Shared::Target) }
}

/// Copies from shared memory.
///
/// # Safety
/// `from` is readable and `to` writable for `bytes` bytes; they do not overlap.
pub(crate) unsafe fn from_shared(to: *mut u8, from: *const u8, bytes: usize) {
    let words = if (to.addr() | from.addr()).is_multiple_of(8) { bytes / 8 * 8 } else { 0 };
    // SAFETY: the parts lie in the caller's ranges.
    unsafe {
        // Between such ends, vectors hold whole words.
        for at in (0..words).step_by(BY_VECTORS) {
            from.add(at).copy_to_nonoverlapping(to.add(at), BY_VECTORS.min(words - at));
        }
        copy(to.add(words), from.add(words), bytes - words, Shared::Source);
    }
}

/// Does what [`from_shared`] does, without a call for a word of 8 bytes.
///
/// # Safety
/// The conditions of [`from_shared`].
#[inline(always)]
pub(crate) unsafe fn few_from_shared(to: *mut u8, from: *const u8, bytes: usize) {
    // One comparison tests the length and the alignment. SAFETY: the caller guarantees both ranges.
    unsafe {
        if ((to.addr() | from.addr()) & 7) | bytes == 8 {
            word(to, from, 8, true, Shared::Source);
        } else {
            from_shared(to, from, bytes);
        }
    }
}

/// # Safety
/// The conditions of [`to_shared`].
#[inline(always)]
unsafe fn copy(mut to: *mut u8, mut from: *const u8, mut bytes: usize, shared: Shared) {
    while bytes > 0 {
        let address = if shared == Shared::Target { to.addr() } else { from.addr() };
        let width = width_at(address, bytes);
        let run = if width == 8 { bytes / 8 } else { 1 };
        // The same for all words of the run.
        let both = (to.addr() | from.addr()).is_multiple_of(width);
        for _ in 0..run {
            // SAFETY: the word lies in both ranges, and is naturally aligned on the shared side, and on both if `both`.
            unsafe { word(to, from, width, both, shared) };
            (to, from) = (to.wrapping_add(width), from.wrapping_add(width));
        }
        bytes -= run * width;
    }
}

/// The size of the first word of a range of `bytes` bytes at `address`.
pub(crate) fn width_at(address: usize, bytes: usize) -> usize {
    let fits = bytes.min(8).ilog2();
    1 << address.trailing_zeros().min(fits)
}

/// Copies one word.
///
/// # Safety
/// Both addresses are valid for `width` bytes (1, 2, 4 or 8), and the shared one is aligned to `width`, or both are.
#[inline(always)]
unsafe fn word(to: *mut u8, from: *const u8, width: usize, both: bool, shared: Shared) {
    macro_rules! by_width {
        ($atomic:ty, $bits:ty) => {
            // SAFETY: the caller guarantees both addresses, and the alignment wherever an atomic is used. Relaxed: the
            // fences of the flow order operations.
            unsafe {
                let bits = if both || shared == Shared::Source {
                    <$atomic>::from_ptr(from.cast::<$bits>().cast_mut()).load(Ordering::Relaxed)
                } else {
                    from.cast::<$bits>().read_unaligned()
                };
                if both || shared == Shared::Target {
                    <$atomic>::from_ptr(to.cast::<$bits>()).store(bits, Ordering::Relaxed);
                } else {
                    to.cast::<$bits>().write_unaligned(bits);
                }
            }
        };
    }
    match width {
        1 => by_width!(AtomicU8, u8),
        2 => by_width!(AtomicU16, u16),
        4 => by_width!(AtomicU32, u32),
        _ => by_width!(AtomicU64, u64),
    }
}
