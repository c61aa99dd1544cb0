//! The host heap as copy engines see it: all objects that existed when the GPUs were started form one piece.

use crate::place::partner;
use cushmem::raw::Completion;
use cushmem::{Shmem, SymSlice};
use cushmem_conformance::{conformance, expect_words, seeded};
use cushmem_conformance_kernels::mix;
use cushmem_numbers::mixed;

conformance! { with LARGE: soft, cuda => {
    any_range_in_one_copy: 1, 2;
} }

const LARGE: &[(&str, &str)] = &[("SHMEM_SYMMETRIC_SIZE", "1G")];
const MIB: usize = 1 << 20;
/// Words in a MiB.
const WORDS: usize = MIB / 8;
/// Objects that lie side by side, in MiB. Some end at the end of a large page, some do not.
const OBJECTS: [usize; 8] = [2, 3, 9, 1, 300, 1, 2, 5];

/// Catches a copy that a driver refuses or cuts short because its range leaves an object, a chunk, or what was pinned
/// together: copies between any part of all objects and the GPU, compared with a list of the words. Each PE uses its
/// partner's heap alone.
fn any_range_in_one_copy(shmem: &Shmem) {
    let objects: Vec<SymSlice<'_, u64>> =
        OBJECTS.iter().map(|mib| shmem.malloc(mib * WORDS).expect("malloc")).collect();
    let start = objects[0].device_ptr().address() as usize;
    let mut borders = vec![0];
    for (object, mib) in objects.iter().zip(OBJECTS) {
        let end = borders[borders.len() - 1];
        assert_eq!(object.device_ptr().address() as usize, start + 8 * end, "the objects lie side by side");
        borders.push(end + mib * WORDS);
    }
    let (all, partner) = (borders[OBJECTS.len()], partner(shmem));
    let mut model: Vec<u64> = (0..all as u64).map(mixed).collect();
    let _starts_the_gpus = shmem.malloc_gpu::<u8>(1).expect("malloc_gpu");
    let buffer = shmem.device_alloc::<u64>(all).expect("device_alloc");
    let device = buffer.device_ptr().address() as usize;
    let at = |word: usize| std::ptr::with_exposed_provenance_mut::<u8>(start + 8 * word);
    let on_gpu = |word: usize| std::ptr::with_exposed_provenance_mut::<u8>(device + 8 * word);
    shmem.barrier_all().expect("barrier");

    // All of it at once, there and back.
    buffer.copy_from(&model).expect("write");
    // SAFETY: both ends have this many bytes, and the buffer lives longer.
    unsafe { shmem.raw().put(at(0), on_gpu(0), 8 * all, partner, Completion::Blocking) }.expect("put of all objects");
    let mut random = seeded().split(shmem.my_pe().into());
    for round in 0..32 {
        // Mostly around a border.
        let middle = match random.below(4) {
            0 => random.below(all),
            1 => 2 * WORDS * random.below(all / (2 * WORDS)),
            _ => borders[random.below(borders.len())],
        };
        let (before, longest) = ([10, 10_000, 4 * WORDS][random.below(3)], [20, 20_000, 12 * WORDS][random.below(3)]);
        let from = middle.saturating_sub(random.below(before));
        let len = (1 + random.below(longest)).min(all - from);
        let what = || format!("round {round}: {len} words from word {from}");
        match round % 4 {
            0 => {
                let seed = random.bits();
                let words: Vec<u64> = (0..len).map(|i| mix(seed, i as u64)).collect();
                model[from..from + len].copy_from_slice(&words);
                let part = shmem.device_alloc::<u64>(len).expect("device_alloc");
                part.copy_from(&words).expect("write");
                let source = std::ptr::with_exposed_provenance(part.device_ptr().address() as usize);
                // SAFETY: both ends have this many bytes, and the source lives longer.
                let put = unsafe { shmem.raw().put(at(from), source, 8 * len, partner, Completion::Blocking) };
                put.unwrap_or_else(|error| panic!("{}: put: {error}", what()));
            }
            1 => {
                let part = shmem.device_alloc::<u64>(len).expect("device_alloc");
                let target = std::ptr::with_exposed_provenance_mut(part.device_ptr().address() as usize);
                // SAFETY: both have as many bytes, and the target lives longer.
                let get = unsafe { shmem.raw().get(target, at(from), 8 * len, partner, Completion::Blocking) };
                get.unwrap_or_else(|error| panic!("{}: get: {error}", what()));
                expect_words(what, &part.to_vec().expect("read"), |i| model[from + i]);
            }
            // The heap is the host's end of a copy that names no symmetric object.
            2 if partner == shmem.my_pe() => {
                // SAFETY: this is this PE's heap, which nobody writes before the next barrier.
                let part = unsafe { std::slice::from_raw_parts(at(from).cast::<u64>(), len) };
                let copy = shmem.device_alloc(len).expect("device_alloc");
                copy.copy_from(part).unwrap_or_else(|error| panic!("{}: {error}", what()));
                expect_words(what, &copy.to_vec().expect("read"), |i| model[from + i]);
            }
            _ => {
                // With loads and stores, what engines wrote.
                let mut seen = vec![0u64; len];
                let to = seen.as_mut_ptr().cast();
                // SAFETY: both ends have this many bytes.
                unsafe { shmem.raw().get(to, at(from), 8 * len, partner, Completion::Blocking) }.expect("get");
                expect_words(what, &seen, |i| model[from + i]);
            }
        }
    }
    // SAFETY: both ends have this many bytes.
    unsafe { shmem.raw().get(on_gpu(0), at(0), 8 * all, partner, Completion::Blocking) }.expect("get of all objects");
    expect_words(|| "all objects".into(), &buffer.to_vec().expect("read"), |i| model[i]);
    shmem.barrier_all().expect("barrier");
}
