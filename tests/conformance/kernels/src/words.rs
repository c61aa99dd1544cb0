//! Single words: p, g, signals, waits with a limit, pointers.

use crate::place;
use cushmem_device::{
    Block, Cmp, DevPtr, Need, Route, Scope, SignalOp, Thread, Warp, Word, block_dim_x, g, globaltimer, lane_id, my_pe,
    p, ptr, quiet, route, shfl_down, shfl_idx, signal_op, syncthreads, thread_idx_x, wait_until_for,
};

/// Bytes between the parts of different types.
pub const PART_BYTES: usize = 512;
/// The number of types of words, and so of parts.
pub const PARTS: usize = 11;

macro_rules! each_word_type {
    ($action:ident($($arg:expr),*)) => {
        $action::<u8>(0, $($arg),*);
        $action::<i8>(1, $($arg),*);
        $action::<u16>(2, $($arg),*);
        $action::<i16>(3, $($arg),*);
        $action::<u32>(4, $($arg),*);
        $action::<i32>(5, $($arg),*);
        $action::<f32>(6, $($arg),*);
        $action::<u64>(7, $($arg),*);
        $action::<i64>(8, $($arg),*);
        $action::<f64>(9, $($arg),*);
        $action::<usize>(10, $($arg),*);
    };
}

/// # Safety
/// Both ranges have [`PARTS`] parts, and the block at most 64 lanes.
#[inline(always)]
pub(crate) unsafe fn put_all(dst: DevPtr<u8>, src: DevPtr<u8>, pe: u32) {
    #[inline(always)]
    unsafe fn one<T: Word>(part: usize, dst: DevPtr<u8>, src: DevPtr<u8>, pe: u32) {
        let (at, i) = (part * PART_BYTES, thread_idx_x() as usize);
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { p(dst.add(at).cast::<T>().add(i), src.add(at).cast::<T>().add(i).read(), pe) }
    }
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        each_word_type!(one(dst, src, pe));
    }
}

/// # Safety
/// The conditions of [`put_all`].
#[inline(always)]
pub(crate) unsafe fn get_all(dst: DevPtr<u8>, src: DevPtr<u8>, pe: u32) {
    #[inline(always)]
    unsafe fn one<T: Word>(part: usize, dst: DevPtr<u8>, src: DevPtr<u8>, pe: u32) {
        let (at, i) = (part * PART_BYTES, thread_idx_x() as usize);
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { dst.add(at).cast::<T>().add(i).write(g(src.add(at).cast::<T>().add(i), pe)) }
    }
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        each_word_type!(one(dst, src, pe));
    }
}

/// # Safety
/// `sig` is a symmetric word.
#[inline(always)]
pub(crate) unsafe fn add(sig: DevPtr<u64>, times: u64, pe: u32) {
    let mut i = 0;
    while i < times {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { signal_op(sig, place::lane() as u64 + 1, SignalOp::Add, pe) };
        i += 1;
    }
}

/// # Safety
/// `values` and `sources` have as many words as the launch has lanes, whole warps; `out` has three times as many.
#[inline(always)]
pub(crate) unsafe fn shuffle(values: DevPtr<u32>, sources: DevPtr<u32>, delta: u32, out: DevPtr<u32>) {
    let lane = place::lane();
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        let (value, source, out) = (values.add(lane).read(), sources.add(lane).read(), out.add(3 * lane));
        out.write(shfl_idx(u32::MAX, value, source));
        out.add(1).write(shfl_down(u32::MAX, value, delta));
        if lane_id() < 16 {
            out.add(2).write(shfl_idx(0xffff, value, source % 16));
        }
    }
}

/// A word whose bytes are all equal.
pub trait Pattern: Word {
    /// The pattern of a round.
    fn of_round(round: u32) -> Self;
    /// Whether all bytes are equal.
    fn is_whole(self) -> bool;
}

macro_rules! patterns {
    ($($t:ident)*) => {$(
        impl Pattern for $t {
            #[inline(always)]
            fn of_round(round: u32) -> Self {
                (round & 0xff) as $t * ($t::MAX / 0xff)
            }

            #[inline(always)]
            fn is_whole(self) -> bool {
                self == Self::of_round(self as u32)
            }
        }
    )*};
}
patterns!(u16 u32 u64);

/// The longest time for which [`watch`] looks, so that it ends in any case: longer than the other PE puts words.
const WATCH_LIMIT_NS: u64 = 90_000_000_000;

/// Loads each of this PE's words again and again until `stop` is not 0, and then once more. The second word of `stop`
/// gets 1 and the number of changes so far, for the PE that puts. `report` gets the numbers of words whose bytes were
/// not all equal, of changes, and of passes.
///
/// # Safety
/// `words` is symmetric and has `count` words; `stop` is symmetric and has two; `report` has three.
#[inline(always)]
pub(crate) unsafe fn watch<T: Pattern>(words: DevPtr<T>, count: usize, stop: DevPtr<u64>, report: DevPtr<u64>) {
    let (mut torn, mut changes, mut passes, mut last) = (0, 0, 0, T::of_round(0));
    let start = globaltimer();
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        p(stop.add(1), 1, my_pe());
        let mut goes_on = true;
        while goes_on {
            // Read before the pass, so that the last pass sees everything that was put.
            goes_on = g(stop, my_pe()) == 0 && globaltimer().wrapping_sub(start) < WATCH_LIMIT_NS;
            let mut i = 0;
            while i < count {
                let word = g(words.add(i), my_pe());
                torn += u64::from(!word.is_whole());
                if i == 0 && word != last {
                    (changes, last) = (changes + 1, word);
                    p(stop.add(1), 1 + changes, my_pe());
                }
                i += 1;
            }
            passes += 1;
        }
        report.write(torn);
        report.add(1).write(changes);
        report.add(2).write(passes);
    }
}

/// Neighbouring lanes put neighbouring words, which may travel together.
///
/// # Safety
/// `words` has a word for each lane.
#[inline(always)]
pub(crate) unsafe fn p_patterns<T: Pattern>(words: DevPtr<T>, rounds: u32, pe: u32) {
    let mut round = 1;
    while round <= rounds {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        unsafe { p(words.add(place::lane()), T::of_round(round), pe) };
        quiet();
        round += 1;
    }
}

/// The lanes of a block put all words as a range, again and again, from `source`, which they fill. One lane puts as a
/// thread, a warp of them as a warp, and more as a block.
///
/// # Safety
/// Both have `count` words. There is one block, of one lane or of whole warps.
#[inline(always)]
pub(crate) unsafe fn put_patterns<T: Pattern>(words: DevPtr<T>, source: DevPtr<T>, count: usize, rounds: u32, pe: u32) {
    let lanes = block_dim_x();
    let mut round = 1;
    while round <= rounds {
        let mut i = place::lane();
        // SAFETY: the caller guarantees what the functions ask of their arguments.
        unsafe {
            while i < count {
                source.add(i).write(T::of_round(round));
                i += lanes as usize;
            }
            syncthreads();
            match lanes {
                1 => Thread.put(words, source, count, pe),
                32 => Warp.put(words, source, count, pe),
                _ => Block.put(words, source, count, pe),
            }
        }
        quiet();
        // Nobody changes the source before all lanes have put.
        syncthreads();
        round += 1;
    }
}

/// Compares `word` with `value` in all ways, and returns a bit for each comparison.
///
/// # Safety
/// `word` is valid.
#[inline(always)]
pub(crate) unsafe fn compare<T: Word>(word: DevPtr<T>, value: T, limit_ns: u64) -> u64 {
    let all = [Cmp::Eq, Cmp::Ne, Cmp::Gt, Cmp::Le, Cmp::Lt, Cmp::Ge];
    let (mut bits, mut i) = (0, 0);
    while i < all.len() {
        // SAFETY: the caller guarantees what the function asks of its arguments.
        if unsafe { wait_until_for(word, all[i], value, limit_ns) }.is_some() {
            bits |= 1 << (all[i] as u32);
        }
        i += 1;
    }
    bits
}

/// # Safety
/// `pes` and `out` have as many words as the launch has lanes.
#[inline(always)]
pub(crate) unsafe fn pointers(object: DevPtr<u8>, pes: DevPtr<u32>, out: DevPtr<u64>) {
    let i = place::lane();
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe { out.add(i).write(ptr(object, pes.add(i).read()).map_or(0, DevPtr::address)) }
}

/// The address of `object` on each PE, or the number of the reason why a kernel cannot access it; 0 for a PE that does
/// not exist.
///
/// # Safety
/// The conditions of [`pointers`].
#[inline(always)]
pub(crate) unsafe fn routes(object: DevPtr<u8>, pes: DevPtr<u32>, need: Need, out: DevPtr<u64>) {
    let i = place::lane();
    // SAFETY: the caller guarantees what the function asks of its arguments.
    unsafe {
        out.add(i).write(match route(object, pes.add(i).read(), need) {
            Route::Direct(there) => there.address(),
            Route::Proxy(why) => why as u64,
            Route::NoSuchPe => 0,
        })
    }
}
