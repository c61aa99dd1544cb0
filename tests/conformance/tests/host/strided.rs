//! Blocks at equal distances, of every kind of memory: against the definition.

use crate::place::partner;
use cushmem::{Blocks, Shmem};
use cushmem_conformance::{Random, conformance};

conformance! { soft, cuda => { blocks_of_any_shape: 1, 2; } }

const BYTES: usize = 40_000;

/// What blocks make of a target, both as seen from the first block on.
fn by_definition(to: &mut [u8], from: &[u8], (to_first, from_first): (usize, usize), blocks: &Blocks) {
    let length = blocks.elements * blocks.size;
    for block in 0..blocks.count as isize {
        let at = |first: usize, stride: isize| first.wrapping_add_signed(block * stride * blocks.size as isize);
        let (there, here) = (at(to_first, blocks.dst), at(from_first, blocks.sst));
        to[there..there + length].copy_from_slice(&from[here..here + length]);
    }
}

/// A shape whose blocks do not overlap at the target.
fn shape(random: &mut Random) -> Blocks {
    let (count, elements) = (1 + random.below(40), 1 + random.below(12));
    let mut stride = |least: usize| {
        let far = (least + random.below(10)) as isize;
        if random.below(3) == 0 { -far } else { far }
    };
    Blocks {
        count,
        elements,
        size: [1, 2, 4, 8, 16][stride(0).unsigned_abs() % 5],
        dst: stride(elements),
        sst: stride(0),
    }
}

/// Where the first block may be so that all are inside.
fn first(blocks: &Blocks, stride: isize) -> usize {
    if stride < 0 { (blocks.count - 1) * stride.unsigned_abs() * blocks.size } else { 0 }
}

/// Catches blocks that are lost, too long or in the wrong place: strides of either sign, dense and wide, and bytes between blocks that change.
fn blocks_of_any_shape(shmem: &Shmem) {
    let (raw, pe, mut random) = (shmem.raw(), partner(shmem), Random::shared().split(shmem.my_pe().into()));
    let object = shmem.malloc_gpu::<u8>(BYTES).expect("malloc_gpu");
    let (own_gpu, heap) =
        (shmem.device_alloc::<u8>(BYTES).expect("device_alloc"), shmem.malloc::<u8>(BYTES).expect("malloc"));
    let there = object.device_ptr().address() as usize;
    let noise = |random: &mut Random| (0..BYTES).map(|_| random.bits() as u8).collect::<Vec<u8>>();
    for round in 0..60 {
        let (blocks, before, data) = (shape(&mut random), noise(&mut random), noise(&mut random));
        let (to, from) = (first(&blocks, blocks.dst), first(&blocks, blocks.sst));
        shmem.put(object, &before[..], pe).expect("put");
        shmem.quiet().expect("quiet");
        own_gpu.copy_from(&data).expect("write");
        heap.copy_from(&data).expect("write");
        let sources =
            [data.as_ptr().addr(), own_gpu.device_ptr().address() as usize, heap.device_ptr().address() as usize];
        let source = std::ptr::with_exposed_provenance::<u8>(sources[round % 3] + from);
        let _ = data.as_ptr().expose_provenance();
        // SAFETY: all blocks lie inside of both ends.
        unsafe { raw.put_blocks(std::ptr::with_exposed_provenance_mut(there + to), source, blocks, pe) }.expect("put");
        raw.quiet().expect("quiet");
        let (mut expected, mut back) = (before, vec![0; BYTES]);
        by_definition(&mut expected, &data, (to, from), &blocks);
        shmem.get(&mut back, object, pe).expect("get");
        assert!(back == expected, "put, round {round}, {blocks:?}");
        let mut target = noise(&mut random);
        let mut wanted = target.clone();
        by_definition(&mut wanted, &expected, (to, from), &blocks);
        let here = target[to..].as_mut_ptr();
        // SAFETY: as above.
        unsafe { raw.get_blocks(here, std::ptr::with_exposed_provenance(there + from), blocks, pe) }.expect("get");
        assert!(target == wanted, "get, round {round}, {blocks:?}");
    }
    shmem.barrier_all().expect("barrier");
}
