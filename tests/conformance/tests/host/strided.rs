//! Blocks at equal distances, in every kind of memory, compared with the definition.

use crate::place::partner;
use cushmem::raw::AnyStream;
use cushmem::{Blocks, Shmem};
use cushmem_conformance::{conformance, on_nodes, seeded};
use cushmem_numbers::Random;
use std::ptr::{with_exposed_provenance as from_address, with_exposed_provenance_mut as to_address};

conformance! { soft, cuda => { blocks_of_any_shape: 1, 2; many_blocks: 2; blocks_in_several_pieces: 1, 2; blocks_on_a_stream: 1, 2; } }

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

mod apart {
    use super::*;
    conformance! { with APART: soft, cuda => { blocks_of_any_shape: 2; many_blocks: 2; blocks_on_a_stream: 2; } }
}

on_nodes! { with SOFT: { blocks_of_any_shape: 2 on 2; many_blocks: 2 on 2; blocks_on_a_stream: 2 on 2; } }

const BYTES: usize = 40_000;

/// Copies blocks into a target. `to_first` and `from_first` are where the first block starts at either end.
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

/// Returns a position for the first block at which all blocks are inside.
fn first(blocks: &Blocks, stride: isize) -> usize {
    if stride < 0 { (blocks.count - 1) * stride.unsigned_abs() * blocks.size } else { 0 }
}

/// Catches blocks that are lost, too long or in the wrong place, with strides of either sign, dense and wide, and bytes
/// between blocks that change.
fn blocks_of_any_shape(shmem: &Shmem) {
    let (raw, pe, mut random) = (shmem.raw(), partner(shmem), seeded().split(shmem.my_pe().into()));
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
        // SAFETY: all blocks lie inside both ends.
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
        // SAFETY: all blocks lie inside the object and inside the rest of the target.
        unsafe { raw.get_blocks(here, std::ptr::with_exposed_provenance(there + from), blocks, pe) }.expect("get");
        assert!(target == wanted, "get, round {round}, {blocks:?}");
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a transfer for each of many short blocks, with which a copy takes minutes where GPUs are not mapped, and
/// blocks that are cut where a chunk ends.
fn many_blocks(shmem: &Shmem) {
    let (raw, pe, mut random) = (shmem.raw(), partner(shmem), seeded().split(shmem.my_pe().into()));
    let (wide, start) = (1 << 20, std::time::Instant::now());
    let object = shmem.malloc_gpu::<u8>(wide).expect("malloc_gpu");
    let (own_gpu, heap) =
        (shmem.device_alloc::<u8>(wide).expect("device_alloc"), shmem.malloc::<u8>(wide).expect("malloc"));
    let there = object.device_ptr().address() as usize;
    let mut noise = || (0..wide).map(|_| random.bits() as u8).collect::<Vec<u8>>();
    for (elements, size, count) in [(3, 1, 70_001), (1, 1, 150_000), (1, 8, 25_000), (5, 2, 20_000)] {
        let blocks = Blocks { count, elements, size, dst: elements as isize + 2, sst: elements as isize + 1 };
        for kind in 0..3 {
            let (before, data) = (noise(), noise());
            shmem.put(object, &before[..], pe).expect("put");
            shmem.quiet().expect("quiet");
            own_gpu.copy_from(&data).expect("write");
            heap.copy_from(&data).expect("write");
            let mut pageable = data.clone();
            let own = [own_gpu.device_ptr().address() as usize, heap.device_ptr().address() as usize];
            let private = [pageable.as_mut_ptr().expose_provenance(), own[0], own[1]][kind];
            // SAFETY: all blocks lie inside both ends.
            unsafe { raw.put_blocks(to_address(there), from_address(private), blocks, pe) }.expect("put");
            raw.quiet().expect("quiet");
            let (mut expected, mut back) = (before, vec![0; wide]);
            by_definition(&mut expected, &data, (0, 0), &blocks);
            shmem.get(&mut back, object, pe).expect("get");
            assert!(back == expected, "put, {blocks:?}");
            let mut wanted = data;
            by_definition(&mut wanted, &expected, (0, 0), &blocks);
            // SAFETY: all blocks lie inside both ends.
            unsafe { raw.get_blocks(to_address::<u8>(private), from_address(there), blocks, pe) }.expect("get");
            let found = match kind {
                0 => pageable,
                1 => own_gpu.to_vec().expect("read"),
                _ => heap.to_vec().expect("read"),
            };
            assert!(found == wanted, "get, {blocks:?}");
            shmem.barrier_all().expect("barrier");
        }
    }
    let taken = start.elapsed();
    assert!(taken < std::time::Duration::from_secs(30), "{taken:?}");
}

/// Blocks on a stream, which has earlier operations to carry out when the source is written. Catches blocks of bytes
/// that are copied as wider words.
fn blocks_on_a_stream(shmem: &Shmem) {
    let (raw, pe, mut random) = (shmem.raw(), partner(shmem), seeded().split(shmem.my_pe().into()));
    let objects = [shmem.malloc_gpu::<u8>(BYTES).expect("malloc_gpu"), shmem.malloc::<u8>(BYTES).expect("malloc")];
    let (own_gpu, heap) =
        (shmem.device_alloc::<u8>(BYTES).expect("device_alloc"), shmem.malloc::<u8>(BYTES).expect("malloc"));
    let mut pageable = vec![0u8; BYTES];
    let stream = shmem.stream().expect("stream");
    let noise = |random: &mut Random| (0..BYTES).map(|_| random.bits() as u8).collect::<Vec<u8>>();
    for round in 0..60 {
        let (blocks, before, data) = (shape(&mut random), noise(&mut random), noise(&mut random));
        let (to, from, by) = (first(&blocks, blocks.dst), first(&blocks, blocks.sst), random.below(3) % 2);
        let object = objects[round / 3 % 2];
        shmem.put(object, &before[..], pe).expect("put");
        shmem.quiet().expect("quiet");
        own_gpu.copy_from(&data).expect("write");
        heap.copy_from(&data).expect("write");
        pageable.copy_from_slice(&data);
        let there = object.device_ptr().address() as usize;
        let own = [own_gpu.device_ptr().address() as usize, heap.device_ptr().address() as usize];
        let private = [pageable.as_mut_ptr().expose_provenance(), own[0], own[1]][round % 3];
        let on = AnyStream::Ours(&stream);
        // SAFETY: all blocks lie inside both ends, which stay valid until the stream has been synchronised.
        let put = unsafe {
            raw.on_stream(on).put_blocks(to_address(there + to + by), from_address(private + from), blocks, pe)
        };
        put.expect("put");
        stream.quiet().expect("quiet");
        stream.synchronize().expect("synchronize");
        let (mut expected, mut back) = (before, vec![0; BYTES]);
        by_definition(&mut expected, &data, (to + by, from), &blocks);
        shmem.get(&mut back, object, pe).expect("get");
        assert!(back == expected, "put, round {round}, {blocks:?}");
        let mut wanted = data;
        by_definition(&mut wanted, &expected, (to, from + by), &blocks);
        // SAFETY: all blocks lie inside both ends, which stay valid until the stream has been synchronised.
        let get = unsafe {
            raw.on_stream(on).get_blocks(to_address(private + to), from_address(there + from + by), blocks, pe)
        };
        get.expect("get");
        stream.synchronize().expect("synchronize");
        let found = match round % 3 {
            0 => pageable.clone(),
            1 => own_gpu.to_vec().expect("read"),
            _ => heap.to_vec().expect("read"),
        };
        assert!(found == wanted, "get, round {round}, {blocks:?}");
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches blocks that may be copied one by one but not as rows: in memory of two registrations, and in an object in
/// several chunks.
fn blocks_in_several_pieces(shmem: &Shmem) {
    const PAGE: usize = 4096;
    let (raw, pe) = (shmem.raw(), partner(shmem));
    // The first one takes the rest of a chunk, and the second needs another chunk.
    let _filler = shmem.malloc_gpu::<u8>(20 << 20).expect("malloc_gpu");
    let object = shmem.malloc_gpu::<u8>(40 << 20).expect("malloc_gpu");
    let mut memory = vec![0u8; 10 * PAGE];
    let start = memory.as_mut_ptr().addr().next_multiple_of(PAGE) - memory.as_ptr().addr();
    memory[start..start + 8 * PAGE].iter_mut().enumerate().for_each(|(at, byte)| *byte = (at / PAGE + at % 251) as u8);
    let own = memory.as_mut_ptr().wrapping_add(start);
    // SAFETY: the vector lives until the end of the function.
    unsafe {
        raw.register_local(own, 3 * PAGE).expect("register");
        raw.register_local(own.wrapping_add(3 * PAGE), 5 * PAGE).expect("register");
    }
    let far = (5 << 20) as isize;
    let blocks = Blocks { count: 8, elements: PAGE, size: 1, dst: far, sst: PAGE as isize };
    let there = std::ptr::with_exposed_provenance_mut::<u8>(object.device_ptr().address() as usize);
    // SAFETY: all blocks lie inside both ends.
    unsafe { raw.put_blocks(there, own, blocks, pe) }.expect("put");
    raw.quiet().expect("quiet");
    let mut back = vec![0; 8 * PAGE];
    let blocks = Blocks { dst: PAGE as isize, sst: far, ..blocks };
    // SAFETY: all blocks lie inside `back` and the peer's memory.
    unsafe { raw.get_blocks(back.as_mut_ptr(), there, blocks, pe) }.expect("get");
    assert!(back == memory[start..start + 8 * PAGE]);
    raw.unregister_local(own).expect("unregister");
    raw.unregister_local(own.wrapping_add(3 * PAGE)).expect("unregister");
    shmem.barrier_all().expect("barrier");
}
