//! CPU access to symmetric host memory, of this PE and of peers whose segments are mapped.
//!
//! Peers read and write the memory at the same time, so it is accessed only through raw pointers: words by atomic
//! instructions, ranges by memory copies. There are never references to it.

use cushmem_abi::WordOp;
use cushmem_device::{SignalOp, Word};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

macro_rules! by_size {
    ($t:ty, $p:expr, $atomic:ident, $bits:ident => $body:expr) => {
        match size_of::<$t>() {
            1 => {
                type $bits = u8;
                // SAFETY: the caller guarantees that the address is valid and aligned.
                let $atomic = unsafe { AtomicU8::from_ptr($p.cast::<$bits>()) };
                $body
            }
            2 => {
                type $bits = u16;
                // SAFETY: the caller guarantees that the address is valid and aligned.
                let $atomic = unsafe { AtomicU16::from_ptr($p.cast::<$bits>()) };
                $body
            }
            4 => {
                type $bits = u32;
                // SAFETY: the caller guarantees that the address is valid and aligned.
                let $atomic = unsafe { AtomicU32::from_ptr($p.cast::<$bits>()) };
                $body
            }
            _ => {
                type $bits = u64;
                // SAFETY: the caller guarantees that the address is valid and aligned.
                let $atomic = unsafe { AtomicU64::from_ptr($p.cast::<$bits>()) };
                $body
            }
        }
    };
}

/// Converts between a number and the unsigned integer with the same bits.
///
/// # Safety
/// Both types have the same size and no invalid values.
unsafe fn same_bits<A: Copy, B: Copy>(a: A) -> B {
    const { assert!(size_of::<A>() <= 8 && size_of::<B>() <= 8) };
    // SAFETY: the caller guarantees equal sizes and no invalid values; `by_size` picks the integer of the word's size.
    unsafe { std::mem::transmute_copy(&a) }
}

/// The bits of a number, in the low bytes.
pub(crate) fn to_bits<T: Word>(value: T) -> u64 {
    let mut bytes = [0; 8];
    // SAFETY: words have at most 8 bytes, all of them initialised.
    unsafe { bytes.as_mut_ptr().cast::<T>().write_unaligned(value) };
    u64::from_ne_bytes(bytes)
}

/// The number whose bits are in the low bytes.
pub(crate) fn of_bits<T: Word>(bits: u64) -> T {
    let bytes = bits.to_ne_bytes();
    // SAFETY: words have at most 8 bytes, and any bits are a number.
    unsafe { bytes.as_ptr().cast::<T>().read_unaligned() }
}

/// Updates a signal. Whoever sees the update sees what this PE stored before.
///
/// # Safety
/// `word` is valid and aligned symmetric host memory.
#[inline(always)]
pub(crate) unsafe fn signal(word: *mut u64, value: u64, op: SignalOp) {
    // SAFETY: the caller guarantees that the word is valid and aligned.
    unsafe {
        match op {
            // SYNC(host-signal) release: pairs with the acquire in `wait_until` and `signal_fetch`.
            SignalOp::Set => store(word, value, Ordering::Release),
            SignalOp::Add => {
                // SYNC(host-signal) release: pairs with the acquire in `wait_until` and `signal_fetch`.
                fetch_add(word, value, Ordering::Release);
            }
        }
    }
}

/// Stores a word by a single store.
///
/// # Safety
/// `to` is valid and aligned symmetric host memory.
#[inline]
pub(crate) unsafe fn store<T: Word>(to: *mut T, value: T, order: Ordering) {
    // SAFETY: words have 1, 2, 4 or 8 bytes, and the integer has the same size.
    by_size!(T, to, atomic, Bits => atomic.store(unsafe { same_bits::<T, Bits>(value) }, order));
}

/// Loads a word by a single load.
///
/// # Safety
/// `from` is valid and aligned symmetric host memory.
#[inline]
pub(crate) unsafe fn load<T: Word>(from: *const T, order: Ordering) -> T {
    // SAFETY: words have 1, 2, 4 or 8 bytes, and the integer has the same size.
    by_size!(T, from.cast_mut(), atomic, Bits => unsafe { same_bits::<Bits, T>(atomic.load(order)) })
}

/// Adds to a word, wrapping around, and returns the old value.
///
/// # Safety
/// `target` is valid and aligned symmetric host memory, `T` an integer.
#[inline]
pub(crate) unsafe fn fetch_add<T: Word>(target: *mut T, value: T, order: Ordering) -> T {
    // SAFETY: words have 1, 2, 4 or 8 bytes, and the integer has the same size.
    by_size!(T, target, atomic, Bits => unsafe { same_bits::<Bits, T>(atomic.fetch_add(same_bits::<T, Bits>(value), order)) })
}

/// An atomic operation on a word. Returns the old value, or the operand if the word is set.
///
/// # Safety
/// `target` is valid and aligned symmetric host memory, `T` a number of the kind for which the operation is.
#[inline(always)]
pub(crate) unsafe fn word_op_of<T: Word>(target: *mut T, op: WordOp, operand: T, condition: T) -> T {
    by_size!(T, target, atomic, Bits => {
        // SAFETY: words have 1, 2, 4 or 8 bytes, and the integer has the same size.
        let (operand, condition) = unsafe { (same_bits::<T, Bits>(operand), same_bits::<T, Bits>(condition)) };
        let before = match op {
            // SYNC(host-signal) acquire: pairs with the release of a peer's signal.
            WordOp::Fetch => atomic.load(Ordering::Acquire),
            WordOp::Set => {
                // SYNC(host-signal) release: pairs with the acquire in `wait_until` and `signal_fetch`.
                atomic.store(operand, Ordering::Release);
                operand
            }
            // SYNC(host-amo) acquire-release: pairs with itself on other PEs, so that a lock built on it orders what it
            // guards.
            WordOp::CompareSwap => {
                let before = atomic.compare_exchange(condition, operand, Ordering::AcqRel, Ordering::Acquire);
                before.unwrap_or_else(|other| other)
            }
            // SYNC(host-amo) acquire-release: pairs with itself on other PEs.
            WordOp::Swap => atomic.swap(operand, Ordering::AcqRel),
            WordOp::Add => atomic.fetch_add(operand, Ordering::AcqRel),
            // SYNC(host-amo) acquire-release: pairs with itself on other PEs.
            WordOp::And => atomic.fetch_and(operand, Ordering::AcqRel),
            WordOp::Or => atomic.fetch_or(operand, Ordering::AcqRel),
            // SYNC(host-amo) acquire-release: pairs with itself on other PEs.
            WordOp::Xor => atomic.fetch_xor(operand, Ordering::AcqRel),
            // The processor has no instruction for these, so this tries again when somebody else has changed the word.
            WordOp::AddFloat
            | WordOp::MinUnsigned
            | WordOp::MaxUnsigned
            | WordOp::MinSigned
            | WordOp::MaxSigned => {
                #[allow(clippy::unnecessary_cast, reason = "the bits may have fewer bytes")]
                let change = |old| op.changed(size_of::<T>(), old as u64, operand as u64, 0).map(|new| new as Bits);
                // SYNC(host-amo) acquire-release: pairs with itself on other PEs.
                let before = atomic.fetch_update(Ordering::AcqRel, Ordering::Acquire, change);
                before.unwrap_or_else(|same| same)
            }
        };
        // SAFETY: words have 1, 2, 4 or 8 bytes, and the integer has the same size.
        unsafe { same_bits::<Bits, T>(before) }
    })
}

/// An atomic operation on a word of `width` bytes (1, 2, 4 or 8) with untyped operands. Returns the old value.
///
/// # Safety
/// `target` is valid symmetric host memory, aligned to its width.
pub(crate) unsafe fn word_op(target: *mut u8, width: usize, op: WordOp, operand: u64, condition: u64) -> u64 {
    // SAFETY: the caller guarantees that the address is valid and aligned.
    unsafe {
        match width {
            1 => u64::from(word_op_of::<u8>(target.cast(), op, operand as u8, condition as u8)),
            2 => u64::from(word_op_of::<u16>(target.cast(), op, operand as u16, condition as u16)),
            4 => u64::from(word_op_of::<u32>(target.cast(), op, operand as u32, condition as u32)),
            _ => word_op_of::<u64>(target.cast(), op, operand, condition),
        }
    }
}

/// Stores an element of any type, by one instruction if there is one for its size and `to` is aligned.
///
/// # Safety
/// `to` is writable for a `T`.
#[inline(always)]
pub(crate) unsafe fn store_element<T: Word>(to: *mut T, value: T) {
    // SAFETY: the caller guarantees that `to` is writable, and its alignment is tested. Relaxed: `fence` and `quiet`
    // order the store.
    unsafe { if to.is_aligned() { store(to, value, Ordering::Relaxed) } else { to.write_unaligned(value) } }
}

/// Loads an element of any type, in the way in which [`store_element`] stores it.
///
/// # Safety
/// `from` is readable for a `T`.
#[inline(always)]
pub(crate) unsafe fn load_element<T: Word>(from: *const T) -> T {
    // SAFETY: the caller guarantees that `from` is readable, and its alignment is tested. Relaxed: a get promises no
    // order.
    unsafe { if from.is_aligned() { load(from, Ordering::Relaxed) } else { from.read_unaligned() } }
}

/// Copies an element, with one load and one store where it is aligned.
///
/// # Safety
/// `from` is readable and `to` writable for a `T`.
#[inline(always)]
pub(crate) unsafe fn copy_element<T: Word>(to: *mut u8, from: *const u8) {
    // SAFETY: the caller guarantees both.
    unsafe { store_element(to.cast::<T>(), load_element(from.cast::<T>())) }
}

/// Copies a range; the two may overlap.
///
/// A word is copied by one load and one store, so that a concurrent reader sees all of it or nothing. For so few bytes,
/// calling the C library's copy would also take several times as long as copying.
///
/// # Safety
/// `from` is readable and `to` writable for `bytes` bytes.
#[inline(always)]
pub(crate) unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) {
    // One comparison per size, not a jump table, with the most common size first. It also tests the alignment: the
    // length has no other bit, so none is in the addresses. A second branch, with a second call behind it, would cost
    // an eighth of a put (docs/perf/notes.md, "A word of host memory").
    let ends = to.addr() | from.addr();
    // SAFETY: each arm reads all of its bytes before it writes, and copies `bytes` bytes; the caller guarantees that
    // the ranges are valid. Relaxed: `fence` and `quiet` order the stores, and a get promises no order.
    unsafe {
        if (ends & 7) | bytes == 8 {
            store(to.cast::<u64>(), load(from.cast::<u64>(), Ordering::Relaxed), Ordering::Relaxed);
        } else if (ends & 3) | bytes == 4 {
            store(to.cast::<u32>(), load(from.cast::<u32>(), Ordering::Relaxed), Ordering::Relaxed);
        } else {
            copy_many(to, from, bytes);
        }
    }
}

/// Other lengths and unaligned words: up to two words directly, the rest by the C library, whose vectors hold whole
/// words. Callers jump here directly, because an `extern "C"` function does not unwind.
///
/// # Safety
/// The conditions of [`copy`].
#[inline(never)]
unsafe extern "C" fn copy_many(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: as in `copy`.
    unsafe {
        match bytes {
            2 => copy_element::<u16>(to, from),
            1 => copy_element::<u8>(to, from),
            16 if (to.addr() | from.addr()).is_multiple_of(8) => {
                let words = [load_element(from.cast::<u64>()), load_element(from.cast::<u64>().add(1))];
                store_element(to.cast::<u64>(), words[0]);
                store_element(to.cast::<u64>().add(1), words[1]);
            }
            8 => copy_element::<u64>(to, from),
            4 => copy_element::<u32>(to, from),
            ..=BY_VECTORS => std::ptr::copy(from, to, bytes),
            _ => copy_long(to, from, bytes),
        }
    }
}

/// The C library copies so few bytes by vectors. For more, it leaves the copy to an instruction (`rep movsb`).
const BY_VECTORS: usize = 2 << 10;

/// Copies by the C library such that no word is loaded or stored in parts. The instruction copies byte by byte where
/// the target seems to be less than a cache line ahead of the source. An AMD EPYC compares only addresses within a page
/// for that, so it also affects ends that are far apart.
///
/// # Safety
/// The conditions of [`copy`].
unsafe fn copy_long(to: *mut u8, from: *const u8, bytes: usize) {
    const PAGE: usize = 4096;
    const LINE: usize = 64;
    let ahead = to.addr().wrapping_sub(from.addr());
    if !(1..LINE).contains(&(ahead % PAGE)) {
        // SAFETY: the caller guarantees that both ranges are valid.
        return unsafe { std::ptr::copy(from, to, bytes) };
    }
    // SAFETY: the pieces lie inside the caller's ranges.
    let piece = |at| unsafe { std::ptr::copy(from.add(at), to.add(at), BY_VECTORS.min(bytes - at)) };
    let pieces = (0..bytes).step_by(BY_VECTORS);
    // If the target begins inside the source, the last piece goes first.
    if ahead < bytes { pieces.rev().for_each(piece) } else { pieces.for_each(piece) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::{Duration, Instant};

    const PAGE: usize = 4096;
    const WORDS: usize = 5 * PAGE / 8;
    const LIMIT: Duration = Duration::from_secs(60);
    /// So many changes of a word have to be seen.
    const CHANGES: u64 = 200;

    /// A word whose bytes are all equal.
    fn of_round(round: usize) -> u64 {
        u64::from_ne_bytes([round as u8; 8])
    }

    fn words() -> Vec<AtomicU64> {
        (0..WORDS).map(|_| AtomicU64::new(0)).collect()
    }

    /// The first page in these words.
    fn page(words: &[AtomicU64]) -> *mut u8 {
        let start = words.as_ptr().cast::<u8>().cast_mut();
        start.wrapping_add(start.align_offset(PAGE))
    }

    /// Calls `copy` with a round, how far the target is ahead of the source modulo the length of a page, and a length,
    /// while `other` runs again and again in another thread, at least once with each distance and length. Processors
    /// copy differently if that distance is short.
    fn beside(other: impl Fn() + Send + Sync, mut copy: impl FnMut(usize, usize, usize)) {
        /// Ends the other thread, after a panic too.
        struct Over<'a>(&'a AtomicBool);
        impl Drop for Over<'_> {
            fn drop(&mut self) {
                // Relaxed: nothing else depends on it.
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let (is_over, turns) = (AtomicBool::new(false), AtomicU64::new(0));
        // Relaxed, here and below: only the number matters.
        let turn = || turns.load(Ordering::Relaxed);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _over = Over(&is_over);
                // Relaxed: nothing else depends on it.
                while !is_over.load(Ordering::Relaxed) {
                    other();
                    turns.fetch_add(1, Ordering::Relaxed);
                }
            });
            let (_over, start) = (Over(&is_over), Instant::now());
            for (ahead, bytes) in (0..64).step_by(4).flat_map(|ahead| [2400, 4096, 12000].map(|n| (ahead, n))) {
                let before = turn();
                // One turn may have begun before.
                for round in (1..).take_while(|round| *round < 4000 || turn() < before + 2) {
                    // Relaxed: nothing else depends on it.
                    if is_over.load(Ordering::Relaxed) || start.elapsed() > LIMIT {
                        break;
                    }
                    copy(round, ahead, bytes);
                }
            }
        });
    }

    /// Catches a put, or the end of a get, that stores a word of 2, 4 or 8 bytes in parts, alone and in twos.
    #[test]
    fn a_word_is_copied_whole() {
        fn of_type<T: Word + PartialEq + std::fmt::Debug>(value: impl Fn(u8) -> T + Sync) {
            for (count, start) in [(1, 1), (2, 1), (2, 2)] {
                let (target, changes, stop) =
                    ([const { AtomicU64::new(0) }; 4], AtomicU64::new(0), AtomicBool::new(false));
                let first = target.as_ptr().cast::<T>().cast_mut().wrapping_add(start);
                let words: [&AtomicU8; 2] = [0, count - 1].map(|at| {
                    // SAFETY: it is in the array, which is only used atomically or by the copy that is tested.
                    unsafe { AtomicU8::from_ptr(first.wrapping_add(at).cast()) }
                });
                std::thread::scope(|scope| {
                    let looking = scope.spawn(|| {
                        let mut last = [value(0); 2];
                        // Relaxed: nothing else depends on it.
                        while !stop.load(Ordering::Relaxed) {
                            for (last, word) in last.iter_mut().zip(words) {
                                // SAFETY: an aligned word in the array. Relaxed: only the value matters.
                                let seen = unsafe { load(word.as_ptr().cast::<T>(), Ordering::Relaxed) };
                                assert_eq!(seen, value(to_bits(seen) as u8), "{count} from {start}");
                                // Relaxed: only the number matters.
                                changes.fetch_add(u64::from(seen != *last), Ordering::Relaxed);
                                *last = seen;
                            }
                        }
                    });
                    let begin = Instant::now();
                    // Relaxed: only the number matters.
                    while changes.load(Ordering::Relaxed) < CHANGES && !looking.is_finished() && begin.elapsed() < LIMIT
                    {
                        for round in 0..=u8::MAX {
                            let source = [value(round); 2];
                            let bytes = std::hint::black_box(count * size_of::<T>());
                            // SAFETY: both arrays have as many words.
                            unsafe { copy(first.cast(), source.as_ptr().cast(), bytes) };
                        }
                    }
                    // Relaxed: nothing else depends on it.
                    stop.store(true, Ordering::Relaxed);
                });
                assert!(changes.into_inner() >= CHANGES, "nobody looked while words changed");
            }
        }
        of_type(|byte| u16::from_ne_bytes([byte; 2]));
        of_type(|byte| u32::from_ne_bytes([byte; 4]));
        of_type(|byte| u64::from_ne_bytes([byte; 8]));
    }

    /// Catches a long put that stores a word in parts: another PE sees an old or a new one, never a mixture.
    #[test]
    fn a_put_stores_whole_words() {
        let (shared, source, changes) = (words(), words(), AtomicU64::new(0));
        let look = || {
            let (mut last, mut different) = (0, 0);
            for (at, word) in shared.iter().enumerate() {
                // Relaxed: only the value matters.
                let seen = word.load(Ordering::Relaxed);
                assert_eq!(seen, of_round(seen as usize), "word {at}");
                different += u64::from(seen != last);
                last = seen;
            }
            // Relaxed: as above.
            changes.fetch_add(different, Ordering::Relaxed);
        };
        beside(look, |round, ahead, bytes| {
            // Relaxed: nobody else uses the source.
            source.iter().for_each(|word| word.store(of_round(round), Ordering::Relaxed));
            // SAFETY: four pages follow at both ends. Nobody else stores to the target.
            unsafe { copy(page(&shared).add(64), page(&source).add(64 - ahead), bytes) };
        });
        assert!(changes.into_inner() > 0, "nobody looked while words changed");
    }

    /// Catches a long get that loads a word in parts.
    #[test]
    fn a_get_loads_whole_words() {
        let (shared, target, round) = (words(), words(), AtomicU64::new(0));
        let change = || {
            // Relaxed: only the values matter.
            let value = of_round(round.fetch_add(1, Ordering::Relaxed) as usize);
            shared.iter().for_each(|word| word.store(value, Ordering::Relaxed));
        };
        let mut changes = 0;
        beside(change, |_, ahead, bytes| {
            // Otherwise no word of the target is one of the source.
            let ahead = ahead / 8 * 8;
            // SAFETY: four pages follow at both ends. Nobody else uses the target.
            unsafe { copy(page(&target).add(64), page(&shared).add(64 - ahead), bytes) };
            let mut last = 0;
            for (at, word) in target.iter().enumerate() {
                // Relaxed: only this thread uses it.
                let seen = word.load(Ordering::Relaxed);
                assert_eq!(seen, of_round(seen as usize), "word {at}");
                changes += usize::from(seen != last);
                last = seen;
            }
        });
        assert!(changes > 0, "no word changed during a get");
    }

    /// Catches bytes that are left out, copied twice to different places, or stored beside the target, and a copy
    /// between ranges that overlap.
    #[test]
    fn every_byte_arrives_and_no_other_changes() {
        const BYTES: usize = 9000;
        let source: Vec<u8> = (0..BYTES + 100).map(|i| (i * 7 % 251) as u8).collect();
        let lengths = (0..40).chain([100, 2047, 2048, 2049, 2080, 2111, 2112, 2175, 2176, 4096, BYTES - 1, BYTES]);
        for (bytes, to, from) in lengths.flat_map(|n| [0, 1, 4, 31, 33].map(|to| (n, to, (n * 13 + to) % 64))) {
            let mut target = vec![0xee; BYTES + 100];
            // SAFETY: both are longer.
            unsafe { copy(target[to..].as_mut_ptr(), source[from..].as_ptr(), bytes) };
            assert_eq!(target[to..to + bytes], source[from..from + bytes], "{bytes} {to} {from}");
            let others = target[..to].iter().chain(&target[to + bytes..]);
            assert!(others.into_iter().all(|byte| *byte == 0xee), "{bytes} {to} {from}");
            let mut one = source.clone();
            for (to, from) in [(to, 40), (40, to)] {
                let bytes = bytes.min(BYTES);
                // SAFETY: both ends lie in the vector.
                unsafe { copy(one[to..].as_mut_ptr(), one[from..].as_ptr(), bytes) };
                assert_eq!(one[to..to + bytes], source[from..from + bytes], "{bytes} {to} {from}, overlapping");
                one.copy_from_slice(&source);
            }
        }
    }
}
