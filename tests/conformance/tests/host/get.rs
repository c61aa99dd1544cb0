//! Gets: every pair of kinds; every byte of the private range is checked.

use crate::place::{LocalMemory, Ranges, objects};
use cushmem::{Shmem, SymSlice};
use cushmem_conformance::{Sample, conformance, expect_words, seeded};
use cushmem_conformance_kernels::mix;
use cushmem_numbers::Random;

conformance! { host, soft, cuda => {
    every_kind: 1, 2, 3;
    long_ranges: 2;
} }

const GUARD: usize = 24;

fn datum<T: Sample>(owner: u32, i: usize) -> T {
    T::sample(mix(u64::from(owner) + 1, i as u64))
}

fn rounds<T: Sample>(shmem: &Shmem, random: &mut Random, lengths: &[usize]) {
    let longest = lengths.iter().copied().max().expect("a length");
    let (source_len, sink_len) = (longest + GUARD, longest + 2 * GUARD);
    let mut sink = Ranges::<T>::new(shmem, sink_len);
    let sources: Vec<SymSlice<'_, T>> = objects(shmem, source_len);
    for source in &sources {
        let words: Vec<T> = (0..source_len).map(|i| datum(shmem.my_pe(), i)).collect();
        source.copy_from(&words).expect("write the source");
        shmem.barrier_all().expect("barrier");
        for kind in LocalMemory::all(shmem) {
            for (&len, pe) in lengths.iter().flat_map(|len| (0..shmem.n_pes()).map(move |pe| (len, pe))) {
                let (from, to, poison) = (random.below(GUARD), 1 + random.below(2 * GUARD - 1), random.bits());
                sink.fill(kind, &(0..sink_len).map(|i| T::sample(mix(poison, i as u64))).collect::<Vec<T>>());
                let (src, range) = (source.slice(from..from + len), to..to + len);
                let get = match (kind, &sink.gpu) {
                    (LocalMemory::HostHeap, _) => shmem.get(sink.host.slice(range), src, pe),
                    (LocalMemory::GpuHeap, Some((heap, _))) => shmem.get(heap.slice(range), src, pe),
                    (LocalMemory::GpuPrivate, Some((_, private))) => shmem.get(private.slice(range), src, pe),
                    _ => shmem.get(&mut sink.rust[range], src, pe),
                };
                get.expect("get");
                let heap = if source.is_gpu() { "GPU heap" } else { "host heap" };
                let what = || format!("get of {len} words from the {heap} of PE {pe} to {kind:?}");
                expect_words(what, &sink.read(kind), |i| match i.wrapping_sub(to) {
                    at if at < len => datum(pe, from + at),
                    _ => T::sample(mix(poison, i as u64)),
                });
            }
        }
    }
    shmem.barrier_all().expect("barrier");
    sink.free(shmem);
    sources.into_iter().for_each(|source| shmem.free(source).expect("free"));
}

/// Catches a get that is not complete on return, or that uses the wrong PE or offset.
pub fn every_kind(shmem: &Shmem) {
    let mut random = seeded().split(shmem.my_pe().into());
    rounds::<u8>(shmem, &mut random, &[0, 1, 2, 3, 7, 8, 9, 16, 31, 64, 65, 100, 255, 1027, 4099]);
    rounds::<i16>(shmem, &mut random, &[0, 1, 3, 8, 100]);
    rounds::<f32>(shmem, &mut random, &[0, 1, 3, 8, 100]);
    rounds::<i64>(shmem, &mut random, &[0, 1, 3, 8, 100]);
}

/// Catches a copy that is cut at some internal size, or at the border of two pinned parts of the host heap.
fn long_ranges(shmem: &Shmem) {
    let mut random = seeded().split(shmem.my_pe().into());
    rounds::<u8>(shmem, &mut random, &[(1 << 20) + 5]);
    rounds::<u64>(shmem, &mut random, &[(5 << 17) + 1]);
}
