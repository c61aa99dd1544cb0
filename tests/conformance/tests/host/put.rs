//! Puts: every pair of kinds, every type, lengths around all sizes of words and pages. Each PE has a slot of its own in
//! every target, between guards, and every byte of the target is checked.

use crate::place::{LocalMemory, Ranges, objects};
use cushmem::{Shmem, SymSlice};
use cushmem_conformance::{Sample, conformance, expect_words, seeded};
use cushmem_conformance_kernels::mix;
use cushmem_numbers::Random;

conformance! { host, soft, cuda => {
    every_type: 1, 2, 3;
    long_ranges: 2;
    across_pinned_parts: 2;
    non_blocking: 1, 2, 4;
    single_words: 1, 2, 4;
} }

const GUARD: usize = 24;

/// A word of the target that no put touches.
fn poison<T: Sample>(i: usize) -> T {
    T::sample(!mix(0, i as u64))
}

/// Word `i` of what PE `from` puts to PE `to` in a round.
fn datum<T: Sample>(round: u64, from: u32, to: u32, i: usize) -> T {
    T::sample(mix(round, (u64::from(from) << 48 ^ u64::from(to) << 40).wrapping_add(i as u64)))
}

/// A target in which each PE has a slot.
struct Target<'a, T> {
    all: SymSlice<'a, T>,
    slot: usize,
}

impl<'a, T: Sample> Target<'a, T> {
    fn slot(&self, pe: u32, len: usize) -> SymSlice<'a, T> {
        let start = pe as usize * self.slot + GUARD;
        self.all.slice(start..start + len)
    }

    fn clear(&self) {
        let words: Vec<T> = (0..self.all.len()).map(poison).collect();
        self.all.copy_from(&words).expect("poison the target");
    }

    /// Checks that every PE has put `len` words into its slot here.
    fn check(&self, shmem: &Shmem, what: &str, round: u64, len: usize) {
        let words = self.all.to_vec().expect("read the target");
        expect_words(
            || format!("{what}, {len} words"),
            &words,
            |i| {
                let (from, at) = ((i / self.slot) as u32, (i % self.slot).wrapping_sub(GUARD));
                if at < len { datum(round, from, shmem.my_pe(), at) } else { poison(i) }
            },
        );
    }
}

/// Puts with the source in each kind of memory. The blocking put has finished with its source, which is overwritten for
/// the next PE.
fn rounds<T: Sample>(shmem: &Shmem, random: &mut Random, lengths: &[usize]) {
    let longest = lengths.iter().copied().max().expect("a length");
    let (slot, me) = (longest + 2 * GUARD, shmem.my_pe());
    let mut source = Ranges::<T>::new(shmem, longest + GUARD);
    let targets = objects::<T>(shmem, slot * shmem.n_pes() as usize);
    let mut round = random.bits() >> 8;
    for target in targets.iter().map(|&all| Target { all, slot }) {
        for kind in LocalMemory::all(shmem) {
            for &len in lengths {
                round += 1;
                target.clear();
                shmem.barrier_all().expect("barrier");
                for to in 0..shmem.n_pes() {
                    let at = random.below(GUARD);
                    let words: Vec<T> =
                        (0..source.rust.len()).map(|i| datum(round, me, to, i.wrapping_sub(at))).collect();
                    source.fill(kind, &words);
                    let (dst, range) = (target.slot(me, len), at..at + len);
                    let put = match (kind, &source.gpu) {
                        (LocalMemory::HostHeap, _) => shmem.put(dst, source.host.slice(range), to),
                        (LocalMemory::GpuHeap, Some((heap, _))) => shmem.put(dst, heap.slice(range), to),
                        (LocalMemory::GpuPrivate, Some((_, private))) => shmem.put(dst, private.slice(range), to),
                        _ => shmem.put(dst, &source.rust[range], to),
                    };
                    put.expect("put");
                }
                shmem.barrier_all().expect("barrier");
                let heap = if target.all.is_gpu() { "GPU heap" } else { "host heap" };
                target.check(shmem, &format!("put from {kind:?} to the {heap}"), round, len);
                shmem.barrier_all().expect("barrier");
            }
        }
    }
    source.free(shmem);
    targets.into_iter().for_each(|target| shmem.free(target).expect("free"));
}

/// Catches a type of the wrong size, a length counted in bytes instead of elements, a head or tail that is not copied,
/// and the slot of the wrong PE.
pub fn every_type(shmem: &Shmem) {
    let mut random = seeded();
    let few = [0, 1, 3, 8, 2 + random.below(90)];
    let many = [
        0,
        1,
        2,
        3,
        4,
        5,
        7,
        8,
        9,
        15,
        16,
        17,
        31,
        33,
        63,
        64,
        65,
        100,
        255,
        256,
        1000 + random.below(100),
        4096,
        4099,
    ];
    rounds::<u8>(shmem, &mut random, &many);
    rounds::<i8>(shmem, &mut random, &few);
    rounds::<u16>(shmem, &mut random, &few);
    rounds::<i16>(shmem, &mut random, &few);
    rounds::<u32>(shmem, &mut random, &few);
    rounds::<i32>(shmem, &mut random, &few);
    rounds::<f32>(shmem, &mut random, &few);
    rounds::<u64>(shmem, &mut random, &few);
    rounds::<i64>(shmem, &mut random, &few);
    rounds::<f64>(shmem, &mut random, &few);
    rounds::<usize>(shmem, &mut random, &few);
}

/// Catches a copy that is cut at some internal size.
fn long_ranges(shmem: &Shmem) {
    let mut random = seeded();
    rounds::<u8>(shmem, &mut random, &[65_536, (1 << 20) + 5]);
    rounds::<f64>(shmem, &mut random, &[(1 << 17) + 1]);
}

/// Catches a single copy across two parts of the host heap that were pinned separately, which a copy engine refuses:
/// the parts end at 4 MiB and beyond.
fn across_pinned_parts(shmem: &Shmem) {
    let first = shmem.malloc::<u8>(3 << 20).expect("malloc");
    let mut random = seeded();
    rounds::<u8>(shmem, &mut random, &[(5 << 20) + 3]);
    shmem.free(first).expect("free");
}

/// Catches a nonblocking put that is not complete after quiet, and several puts that write to each other's place.
pub fn non_blocking(shmem: &Shmem) {
    const LEN: usize = 700;
    const SLOTS: usize = 16;
    let mut random = seeded().split(shmem.my_pe().into());
    let (n, me) = (shmem.n_pes() as usize, shmem.my_pe());
    let mut source = Ranges::<u32>::new(shmem, LEN * SLOTS);
    for object in objects::<u32>(shmem, LEN * SLOTS * n) {
        for kind in LocalMemory::all(shmem).into_iter().filter(|k| *k != LocalMemory::RustSlice) {
            for _ in 0..4 {
                let words: Vec<u32> = (0..LEN * SLOTS).map(|_| random.bits() as u32).collect();
                source.fill(kind, &words);
                let mine =
                    |k: usize| object.slice((me as usize * SLOTS + k) * LEN..(me as usize * SLOTS + k + 1) * LEN);
                for k in 0..SLOTS {
                    let range = k * LEN..(k + 1) * LEN;
                    let to = (me + k as u32) % shmem.n_pes();
                    let put = match (kind, &source.gpu) {
                        (LocalMemory::GpuHeap, Some((heap, _))) => shmem.put_nbi(mine(k), heap.slice(range), to),
                        (LocalMemory::GpuPrivate, Some((_, private))) => {
                            shmem.put_nbi(mine(k), private.slice(range), to)
                        }
                        _ => shmem.put_nbi(mine(k), source.host.slice(range), to),
                    };
                    put.expect("put_nbi");
                }
                shmem.quiet().expect("quiet");
                // Without another PE's help: what was put has arrived.
                for k in 0..SLOTS {
                    let mut seen = vec![0; LEN];
                    shmem.get(&mut seen, mine(k), (me + k as u32) % shmem.n_pes()).expect("get");
                    expect_words(|| format!("put_nbi {k} from {kind:?}"), &seen, |i| words[k * LEN + i]);
                }
                shmem.barrier_all().expect("barrier");
            }
        }
    }
}

/// Catches a p or g with the wrong width, or at the wrong element.
pub fn single_words(shmem: &Shmem) {
    fn one<T: Sample>(shmem: &Shmem, random: &mut Random) {
        let (n, me) = (shmem.n_pes() as usize, shmem.my_pe());
        let slot = 2 * GUARD + 1;
        for all in objects::<T>(shmem, slot * n) {
            let target = Target { all, slot };
            let round = random.bits() >> 8;
            target.clear();
            shmem.barrier_all().expect("barrier");
            for to in 0..shmem.n_pes() {
                shmem.p(target.slot(me, 1).at(0), datum(round, me, to, 0), to).expect("p");
            }
            shmem.barrier_all().expect("barrier");
            target.check(shmem, "p", round, 1);
            for from in 0..shmem.n_pes() {
                for writer in 0..shmem.n_pes() {
                    let seen: T = shmem.g(target.slot(writer, 1).at(0), from).expect("g");
                    expect_words(|| format!("g of PE {from}"), &[seen], |_| datum(round, writer, from, 0));
                }
            }
            shmem.free(all).expect("free");
        }
    }
    let mut random = seeded();
    one::<u8>(shmem, &mut random);
    one::<i8>(shmem, &mut random);
    one::<u16>(shmem, &mut random);
    one::<i16>(shmem, &mut random);
    one::<u32>(shmem, &mut random);
    one::<i32>(shmem, &mut random);
    one::<f32>(shmem, &mut random);
    one::<u64>(shmem, &mut random);
    one::<i64>(shmem, &mut random);
    one::<f64>(shmem, &mut random);
    one::<usize>(shmem, &mut random);
}
