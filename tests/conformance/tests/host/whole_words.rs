//! Elements of 1, 2, 4 and 8 bytes are stored in one piece: a reader sees an old or a new value, never a mixture.

use cushmem::{Blocks, Shmem, SymSlice, Word};
use cushmem_conformance::{Sample, conformance};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

conformance! { host, soft, cuda => {
    never_a_mixture: 2;
} }

const LEN: usize = 64;
/// The number of rounds of the writer. The reader goes on until it sees the last one.
const ROUNDS: usize = 1500;

/// How elements are stored.
#[derive(Clone, Copy, Debug)]
enum By {
    /// One by one, typed.
    P,
    /// One by one, by address.
    RawP,
    /// Blocks of one element each, with these distances at the target and at the source.
    Blocks(isize, isize),
}

const WAYS: [By; 7] =
    [By::P, By::RawP, By::Blocks(1, 1), By::Blocks(2, 1), By::Blocks(-1, 1), By::Blocks(1, -1), By::Blocks(1, 0)];

/// An element whose bytes are all equal.
fn pattern<T: Sample>(round: usize) -> T {
    T::sample(u64::from_ne_bytes([round as u8; 8]))
}

/// Returns an element of this PE, read with one load.
fn load<T: Word>(words: SymSlice<'_, T>, at: usize, pe: u32) -> [u8; 8] {
    let word = words.at(at).as_slice().ptr(pe);
    let mut bytes = [0; 8];
    macro_rules! one {
        ($atomic:ident) => {{
            // SAFETY: this is an aligned element of symmetric host memory with this size, which is only read as an
            // atomic.
            let word = unsafe { $atomic::from_ptr(word.cast()) };
            bytes[..size_of::<T>()].copy_from_slice(&word.load(Ordering::Relaxed).to_ne_bytes())
        }};
    }
    match size_of::<T>() {
        1 => one!(AtomicU8),
        2 => one!(AtomicU16),
        4 => one!(AtomicU32),
        _ => one!(AtomicU64),
    }
    bytes
}

/// Catches an element that is stored byte by byte, or with a copy into which the compiler turned a loop of stores, or
/// twice.
fn never_a_mixture(shmem: &Shmem) {
    fn of_type<T: Sample>(shmem: &Shmem) {
        let (words, round_of_writer) =
            (shmem.malloc::<T>(2 * LEN).expect("malloc"), shmem.malloc::<u64>(1).expect("malloc"));
        round_of_writer.copy_from(&[0]).expect("write");
        words.copy_from(&[pattern(0); 2 * LEN]).expect("write");
        for (at, by) in WAYS.iter().enumerate() {
            shmem.barrier_all().expect("barrier");
            let last = ((at + 1) * ROUNDS) as u64;
            if shmem.my_pe() == 1 {
                (1..ROUNDS).for_each(|round| write(shmem, words, *by, at * ROUNDS + round));
                // The last round comes after the others, and the number after that.
                shmem.fence().expect("fence");
                write(shmem, words, *by, at * ROUNDS + ROUNDS);
                shmem.fence().expect("fence");
                shmem.p(round_of_writer.at(0), last, 0).expect("p");
            } else {
                let mut seen_last = false;
                while !seen_last {
                    seen_last = shmem.atomic_fetch(round_of_writer.at(0), 0).expect("atomic_fetch") == last;
                    for i in 0..2 * LEN {
                        let bytes = load(words, i, 0);
                        let (element, size) = (&bytes[..size_of::<T>()], size_of::<T>());
                        assert!(element.iter().all(|b| *b == element[0]), "{by:?}: {element:?}, {size} bytes at {i}");
                    }
                }
                let every = if matches!(by, By::Blocks(2, _)) { 2 } else { 1 };
                for i in (0..LEN * every).step_by(every) {
                    assert_eq!(load(words, i, 0)[0], (at * ROUNDS + ROUNDS) as u8, "{by:?}: element {i} at last");
                }
            }
        }
        shmem.barrier_all().expect("barrier");
        shmem.free(words).expect("free");
        shmem.free(round_of_writer).expect("free");
    }
    of_type::<u8>(shmem);
    of_type::<i16>(shmem);
    of_type::<u32>(shmem);
    of_type::<f32>(shmem);
    of_type::<i64>(shmem);
    of_type::<f64>(shmem);
}

fn write<T: Sample>(shmem: &Shmem, words: SymSlice<'_, T>, by: By, round: usize) {
    let value = pattern::<T>(round);
    let own = |at: usize| words.at(at).as_slice().ptr(1);
    match by {
        By::P => (0..LEN).for_each(|i| shmem.p(words.at(i), value, 0).expect("p")),
        By::RawP => (0..LEN).for_each(|i| shmem.raw().p(own(i), value, 0).expect("p")),
        By::Blocks(dst, sst) => {
            let source = [value; LEN];
            let (to, from) = (if dst < 0 { LEN - 1 } else { 0 }, if sst < 0 { LEN - 1 } else { 0 });
            let blocks = Blocks { count: LEN, elements: 1, size: size_of::<T>(), dst, sst };
            // SAFETY: all elements that the blocks name lie in the array.
            unsafe { shmem.raw().put_blocks(own(to).cast(), source.as_ptr().wrapping_add(from).cast(), blocks, 0) }
                .expect("put");
        }
    }
}
