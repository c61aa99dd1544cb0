//! Exact ends: a range that ends with the last byte of its heap or, in check mode, of its object is accepted; a range
//! that is one byte longer or starts one byte elsewhere is refused.

use crate::place::partner;
use cushmem::raw::{AmoOp, Completion, Memory, Wanted};
use cushmem::{ArgumentError, Blocks, Shmem, SignalOp, Word};
use cushmem_abi::SyncArea;
use cushmem_conformance::{conformance, gpus_reach_each_other, seeded};
use cushmem_numbers::Random;
use std::fmt::Debug;
use std::ptr::{with_exposed_provenance as source, with_exposed_provenance_mut as target};

conformance! { with PLAIN: host, soft, cuda => { ranges: 1, 2; words: 1, 2; blocks: 1, 2; } }

mod checked {
    use super::{CHECK, blocks, private_ends, ranges, words};
    cushmem_conformance::conformance! { with CHECK: host, soft, cuda => {
        ranges: 1, 2;
        words: 1, 2;
        blocks: 1, 2;
        private_ends: 1, 2;
    } }
}

const PLAIN: &[(&str, &str)] = &[("SHMEM_SYMMETRIC_SIZE", "2M"), ("CUSHMEM_GPU_HEAP_SIZE", "32M")];
const CHECK: &[(&str, &str)] =
    &[("SHMEM_SYMMETRIC_SIZE", "2M"), ("CUSHMEM_GPU_HEAP_SIZE", "32M"), ("CUSHMEM_CHECK", "1")];
/// What check mode keeps free after an object.
const GAP: usize = 256;

/// What operations may use: a whole heap or, in check mode, an object between two gaps.
#[derive(Debug)]
struct Room {
    start: usize,
    bytes: usize,
    on_gpu: bool,
    checked: bool,
}

impl Room {
    /// Returns one in each heap.
    fn all(shmem: &Shmem) -> Vec<Room> {
        let gpu = shmem.gpu().is_some().then_some((Memory::Gpu, (32 << 20) - SyncArea::BYTES as usize));
        let heaps = [Some((Memory::Host, 2 << 20)), gpu];
        heaps.into_iter().flatten().map(|(memory, bytes)| Room::new(shmem, memory, bytes)).collect()
    }

    fn new(shmem: &Shmem, memory: Memory, heap_bytes: usize) -> Room {
        let checked = shmem.raw().checks();
        let bytes = if checked {
            allocate(shmem, memory, GAP);
            heap_bytes - 3 * GAP
        } else {
            heap_bytes
        };
        Room { start: allocate(shmem, memory, bytes), bytes, on_gpu: memory == Memory::Gpu, checked }
    }

    fn end(&self) -> usize {
        self.start + self.bytes
    }

    /// The error for a range that is too long where this many bytes are left.
    fn past(&self, left: usize) -> ArgumentError {
        if left == 0 {
            self.outside()
        } else if self.checked {
            ArgumentError::PastObject(left as u64)
        } else {
            ArgumentError::PastEnd(left as u64)
        }
    }

    /// The error for a range that starts before it or after it.
    fn outside(&self) -> ArgumentError {
        if self.checked { ArgumentError::NoObject } else { ArgumentError::NotSymmetric }
    }

    /// The error for blocks that reach this far below the first one.
    fn below(&self, bytes: usize) -> ArgumentError {
        let whole = if self.checked { "its object" } else { "the symmetric heap" };
        ArgumentError::BelowStart(bytes as u64, whole)
    }
}

fn allocate(shmem: &Shmem, memory: Memory, bytes: usize) -> usize {
    let wanted = Wanted { routine: "test", arguments: [("", 0); 2], memory, bytes, alignment: 1, cleared: false };
    shmem.raw().malloc(&wanted).expect("malloc").expect("bytes are wanted").expose_provenance()
}

/// Returns some bytes, different each time.
fn bytes(random: &mut Random, n: usize) -> Vec<u8> {
    (0..n).map(|_| random.bits() as u8).collect()
}

/// Catches bounds of puts, gets and puts with signal, of any length, that are off by one.
pub fn ranges(shmem: &Shmem) {
    let (raw, pe, rooms) = (shmem.raw(), partner(shmem), Room::all(shmem));
    let mut random = seeded().split(shmem.my_pe().into());
    let signal = target::<u64>(rooms[0].start);
    for room in &rooms {
        let put = |at: usize, from: &[u8], when| {
            // SAFETY: the source has this many bytes, and lives until the quiet below.
            unsafe { raw.put(target(at), from.as_ptr(), from.len(), pe, when) }
        };
        let get = |to: &mut [u8], at: usize| {
            // The put may still be in progress.
            raw.quiet().expect("quiet");
            // SAFETY: the target has this many bytes.
            unsafe { raw.get(to.as_mut_ptr(), source(at), to.len(), pe, Completion::Blocking) }
        };
        let announce = |at: usize, from: &[u8]| {
            let (op, when) = (SignalOp::Set, Completion::Blocking);
            // SAFETY: the source has this many bytes.
            unsafe { raw.put_signal(target(at), from.as_ptr(), from.len(), signal, 1, op, pe, when) }
        };
        for n in [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097] {
            let words = bytes(&mut random, n + 1);
            let (mut back, last) = (vec![0; n + 1], room.end() - n);
            for when in [Completion::Blocking, Completion::Nbi] {
                assert_eq!(put(last, &words, when), Err(room.past(n)), "put of {n} + 1 bytes, {room:x?}");
                assert_eq!(put(last, &words[..n], when), Ok(()), "put of {n} bytes, {room:x?}");
            }
            shmem.quiet().expect("quiet");
            assert_eq!(get(&mut back, last), Err(room.past(n)), "get of {n} + 1 bytes, {room:x?}");
            assert_eq!(get(&mut back[..n], last), Ok(()), "get of {n} bytes, {room:x?}");
            assert!(back[..n] == words[..n], "the last {n} bytes of {room:x?}");
            assert_eq!(announce(last, &words), Err(room.past(n)), "put_signal of {n} + 1 bytes, {room:x?}");
            assert_eq!(announce(last, &words[..n]), Ok(()), "put_signal of {n} bytes, {room:x?}");
            // The next puts go to the same place, and might overtake this one.
            shmem.quiet().expect("quiet");
        }
        let whole = vec![random.bits() as u8; room.bytes + 1];
        assert_eq!(put(room.start, &whole, Completion::Blocking), Err(room.past(room.bytes)), "{room:x?}");
        assert_eq!(put(room.start, &whole[1..], Completion::Blocking), Ok(()), "{room:x?}");
        let mut back = vec![0; room.bytes];
        assert_eq!(get(&mut back, room.start), Ok(()), "{room:x?}");
        assert!(back == whole[1..], "the whole of {room:x?}");
        for at in [room.start - 1, room.end()] {
            assert_eq!(put(at, &[1], Completion::Blocking), Err(room.outside()), "{at:x}, {room:x?}");
            assert_eq!(get(&mut [1], at), Err(room.outside()), "{at:x}, {room:x?}");
            assert_eq!(put(at, &[], Completion::Blocking), Ok(()), "no bytes at {at:x}, {room:x?}");
            assert_eq!(raw.ptr(source(at), pe), Ok(None), "{at:x}, {room:x?}");
            assert!(!raw.accessible(source(at), pe), "{at:x}, {room:x?}");
        }
        let place = |at: usize| raw.ptr(source(at), pe).expect("a PE");
        let length = place(room.end() - 1).zip(place(room.start)).map(|(last, first)| last - first + 1);
        let is_mapped = !room.on_gpu || pe == shmem.my_pe() || gpus_reach_each_other();
        let is_near = is_mapped && shmem.team_shared().pes().number_of(pe).is_some();
        assert_eq!(length, is_near.then_some(room.bytes as u64), "{room:x?}");
        assert!(raw.accessible(source(room.end() - 1), pe) && raw.accessible(source(room.start), pe), "{room:x?}");
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches bounds of operations on one element that are off by one.
fn words(shmem: &Shmem) {
    for room in &Room::all(shmem) {
        elements::<u8>(shmem, room, &[0xa5, 0x5a]);
        elements::<u16>(shmem, room, &[0xa5a6, 0x5a5b]);
        elements::<u32>(shmem, room, &[0xa5a6_a7a8, 0x5a5b_5c5d]);
        elements::<u64>(shmem, room, &[0xa5a6_a7a8_a9aa_abac, 0x5a5b_5c5d_5e5f_6061]);
        let (raw, pe, words) = (shmem.raw(), partner(shmem), room.bytes / 8);
        let last = room.end() - 8;
        raw.set(target::<u64>(last), 5, pe).expect("the last word");
        assert_eq!(raw.update(target::<u64>(last), 2, AmoOp::Add, pe), Ok(5), "{room:x?}");
        assert_eq!(raw.update(target::<u32>(last + 4), 1, AmoOp::Add, pe), Ok(0), "{room:x?}");
        assert_eq!(raw.compare_swap(target::<u64>(last), 7 | 1 << 32, 9, pe), Ok(7 | 1 << 32), "{room:x?}");
        assert_eq!(raw.fetch(source::<u64>(last), pe), Ok(9), "{room:x?}");
        assert!(raw.load_acquire(source::<u64>(last)).is_ok(), "{room:x?}");
        let n = raw.own_words(source::<u64>(room.start), words).map(|words| words.len());
        assert_eq!(n, Ok(words), "{room:x?}");
        assert_eq!(raw.update(target::<u64>(last + 4), 1, AmoOp::Add, pe), Err(room.past(4)), "{room:x?}");
        assert_eq!(raw.load_acquire(source::<u64>(last + 4)), Err(room.past(4)), "{room:x?}");
        assert_eq!(raw.update(target::<u64>(room.end()), 1, AmoOp::Add, pe), Err(room.outside()), "{room:x?}");
        assert_eq!(raw.load_acquire(source::<u64>(room.end())), Err(room.outside()), "{room:x?}");
        assert_eq!(raw.update(target::<u64>(last + 1), 1, AmoOp::Add, pe), Err(room.past(7)), "{room:x?}");
        let odd = Err(ArgumentError::Misaligned(8));
        assert_eq!(raw.update(target::<u64>(last - 1), 1, AmoOp::Add, pe).map(drop), odd, "{room:x?}");
        let many = raw.own_words(source::<u64>(room.start), words + 1).map(drop);
        assert_eq!(many, Err(room.past(room.bytes)), "{room:x?}");
        shmem.barrier_all().expect("barrier");
    }
}

fn elements<T: Word + PartialEq + Debug>(shmem: &Shmem, room: &Room, values: &[T]) {
    let (raw, pe, size) = (shmem.raw(), partner(shmem), size_of::<T>());
    for at in [room.start, room.end() - size] {
        for value in values {
            assert_eq!(raw.p(target(at), *value, pe), Ok(()), "{at:x}, {room:x?}");
            raw.quiet().expect("quiet");
            assert_eq!(raw.g(source::<T>(at), pe), Ok(*value), "{at:x}, {room:x?}");
        }
    }
    for left in 1..size {
        assert_eq!(raw.p(target(room.end() - left), values[0], pe), Err(room.past(left)), "{room:x?}");
        assert_eq!(raw.g(source::<T>(room.end() - left), pe), Err(room.past(left)), "{room:x?}");
    }
    for at in [room.start - 1, room.end()] {
        assert_eq!(raw.p(target(at), values[0], pe), Err(room.outside()), "{at:x}, {room:x?}");
        assert_eq!(raw.g(source::<T>(at), pe), Err(room.outside()), "{at:x}, {room:x?}");
    }
    assert_eq!(raw.g(source::<T>(room.end() - size), pe), Ok(values[1]), "a refused p has written to {room:x?}");
}

/// Catches bounds of blocks at equal distances that are off by one, upwards and downwards: the first, the last, and the
/// lowest or highest one.
fn blocks(shmem: &Shmem) {
    let (raw, pe) = (shmem.raw(), partner(shmem));
    let mut random = seeded().split(shmem.my_pe().into());
    for room in &Room::all(shmem) {
        for _ in 0..150 {
            let (size, elements) = ([1, 2, 4, 8, 16][random.below(5)], 1 + random.below(4));
            let (count, block) = (1 + random.below(7), elements * size);
            let apart = elements + random.below(9);
            let span = (count - 1) * apart * size;
            let private: Vec<u8> = bytes(&mut random, count * block);
            let (packed, stride) = (elements.cast_signed(), apart.cast_signed());
            let put = |first: usize, stride: isize| {
                let shape = Blocks { count, elements, size, dst: stride, sst: packed };
                // SAFETY: the source has all blocks.
                unsafe { raw.put_blocks(target(first), private.as_ptr(), shape, pe) }
            };
            let get = |first: usize, stride: isize| {
                let (shape, mut back) =
                    (Blocks { count, elements, size, dst: packed, sst: stride }, vec![0; count * block]);
                // The put may still be in progress.
                raw.quiet().expect("quiet");
                // SAFETY: the target has room for all blocks.
                unsafe { raw.get_blocks(back.as_mut_ptr(), source(first), shape, pe) }.map(|()| back)
            };
            let what = || format!("{count} blocks of {elements} elements of {size} bytes, {apart} apart, {room:x?}");
            for (first, stride) in [
                (room.start, stride),
                (room.end() - span - block, stride),
                (room.start + span, -stride),
                (room.end() - block, -stride),
            ] {
                assert_eq!(put(first, stride), Ok(()), "{}", what());
                assert_eq!(get(first, stride), Ok(private.clone()), "{}", what());
            }
            let (low, high) = (room.start + span - 1, room.end() - block + 1);
            let mut wrong = vec![
                (high - span, stride, room.past(span + block - 1)),
                (high, -stride, room.past(block - 1)),
                (room.start - 1, stride, room.outside()),
                (room.end(), -stride, room.outside()),
            ];
            if count > 1 {
                wrong.push((low, -stride, room.below(span)));
            }
            for (first, stride, error) in wrong {
                assert_eq!(put(first, stride), Err(error.clone()), "put from {first:x}: {}", what());
                assert_eq!(get(first, stride), Err(error), "get from {first:x}: {}", what());
            }
        }
        let null = std::ptr::null_mut();
        for (count, elements, at, private) in [
            (0, 5, 0, Ok(())),
            (5, 0, 0, Ok(())),
            (usize::MAX, 0, 0, Ok(())),
            (1, 1, room.start, Err(ArgumentError::NullPrivate)),
        ] {
            let shape = Blocks { count, elements, size: 8, dst: 1, sst: 1 };
            // SAFETY: nothing is copied.
            let found =
                unsafe { (raw.put_blocks(target(at), null, shape, pe), raw.get_blocks(null, source(at), shape, pe)) };
            assert_eq!(found, (private.clone(), private), "{count} blocks of {elements} elements");
        }
        // No memory is this large, upwards or downwards.
        for (count, stride) in [(3, isize::MAX), (3, isize::MIN), (usize::MAX, 1), (usize::MAX, -1)] {
            let shape = Blocks { count, elements: 1, size: 8, dst: stride, sst: 1 };
            // SAFETY: the call is refused.
            let found = unsafe { raw.put_blocks(target(room.start), [0u8; 8].as_ptr(), shape, pe) };
            let expected = if stride < 0 {
                let elements = stride.unsigned_abs().saturating_mul(count - 1);
                ArgumentError::BelowStart(elements.saturating_mul(8) as u64, "the symmetric heap")
            } else {
                let gap = if room.checked { GAP } else { 0 };
                ArgumentError::PastEnd((room.bytes + gap) as u64)
            };
            assert_eq!(found, Err(expected), "{count} blocks, {stride} apart, {room:x?}");
        }
        shmem.barrier_all().expect("barrier");
    }
}

/// In check mode, the private end is checked too if it is symmetric memory of any PE: its last byte, its last block,
/// and whether it overlaps the other end.
fn private_ends(shmem: &Shmem) {
    let (raw, me, pe) = (shmem.raw(), shmem.my_pe(), partner(shmem));
    for room in &Room::all(shmem) {
        let there = raw.ptr(source(room.start), pe).expect("a PE").map(|there| there as usize);
        let middle = room.start + room.bytes / 2;
        let private = |error| ArgumentError::Private(Box::new(error));
        // A PE of another node has it at an address at which this one sees nothing.
        for (start, whose) in [Some((room.start, me)), there.map(|there| (there, pe))].into_iter().flatten() {
            let end = start + room.bytes;
            for n in [1, 8, 100] {
                // SAFETY: the private end is memory of this many bytes, or refused.
                let copy = |at: usize, bytes| unsafe {
                    let when = Completion::Blocking;
                    (
                        raw.put(target(middle), source(at), bytes, me, when),
                        raw.get(target(at), source(middle), bytes, me, when),
                    )
                };
                let what = || format!("{n} bytes of PE {whose}, {room:x?}");
                assert_eq!(copy(end - n, n), (Ok(()), Ok(())), "{}", what());
                let past = Err(private(room.past(n)));
                assert_eq!(copy(end - n, n + 1), (past.clone(), past), "{}", what());
                let outside = Err(private(room.outside()));
                assert_eq!(copy(start - 1, n), (outside.clone(), outside.clone()), "{}", what());
                assert_eq!(copy(end, n), (outside.clone(), outside), "{}", what());
            }
        }
        // The strides differ, so a mix-up is noticed.
        for (private_stride, stride) in [(2, 5), (5, 2), (-5, 2)] {
            let (count, size) = (4, 8);
            let span = 3 * 8 * isize::unsigned_abs(private_stride);
            let copy = |at: usize| {
                let shape = |dst, sst| Blocks { count, elements: 1, size, dst, sst };
                // SAFETY: all blocks of the private end are valid memory, or refused.
                unsafe {
                    (
                        raw.put_blocks(target(middle), source(at), shape(stride, private_stride), me),
                        raw.get_blocks(target(at), source(middle), shape(private_stride, stride), me),
                    )
                }
            };
            let (lowest, highest) = if private_stride < 0 { (span, 0) } else { (0, span) };
            let last = room.end() - 8 - highest;
            let past = Err(private(room.past(7)));
            assert_eq!(copy(last), (Ok(()), Ok(())), "{private_stride}, {room:x?}");
            assert_eq!(copy(last + 1), (past.clone(), past), "{private_stride}, {room:x?}");
            assert_eq!(copy(room.start + lowest), (Ok(()), Ok(())), "{private_stride}, {room:x?}");
            let outside = Err(private(room.outside()));
            assert_eq!(copy(room.start + lowest - 1), (outside.clone(), outside), "{private_stride}, {room:x?}");
        }
        // Blocks that overlap in part: the first ones, or only the third ones.
        for (stride, private_stride, at) in [(3, 3, middle + 4), (3, 3, middle - 7), (3, 1, middle + 33)] {
            let shape = Blocks { count: 3, elements: 1, size: 8, dst: stride, sst: private_stride };
            // SAFETY: all blocks of both ends lie in the object.
            let found = unsafe { raw.put_blocks(target(middle), source(at), shape, me) };
            assert_eq!(found, Err(ArgumentError::Overlap), "{stride} {private_stride}, {room:x?}");
        }
        for (n, at) in [(8, middle + 7), (8, middle - 7), (2, middle + 1)] {
            // SAFETY: both ends lie in the object.
            let found = unsafe { raw.put(target(middle), source(at), n, me, Completion::Blocking) };
            assert_eq!(found, Err(ArgumentError::Overlap), "{n} bytes, {room:x?}");
        }
        for (n, at) in [(8, middle + 8), (8, middle - 8), (8, middle)] {
            // SAFETY: both ends lie in the object.
            let found = unsafe { raw.put(target(middle), source(at), n, me, Completion::Blocking) };
            assert_eq!(found, Ok(()), "{n} bytes, {room:x?}");
        }
        shmem.barrier_all().expect("barrier");
    }
}
