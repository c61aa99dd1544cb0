//! What kernels in CUDA C++ record: the functions that their header calls around an operation, on the emulated GPU.

use crate::routes::{ALL, Alone, Job, WORD};
use cushmem_abi::{KernelEvent, KernelOperation, KernelRecord, KernelWork};
use cushmem_conformance_kernels::{RECORDED, record_by_scopes};
use cushmem_gpu::Grid;
use std::mem::offset_of;

const SLOTS: usize = 64;

/// Catches lanes that record what their scope does once more, blocks that are not asked, and words in the wrong place.
#[test]
fn the_first_lane_of_a_scope_records() {
    let mut alone = Alone::new(Job::of_four([ALL; 4]));
    alone.give_record(SLOTS, 2);
    let (word, count) = (alone.objects(WORD + 8).0, alone.objects(WORD + 16).0);
    assert_eq!(alone.run(record_by_scopes, Grid::linear(3, 70), (word, count)), None);
    let words = alone.record(SLOTS);
    let taken = words[offset_of!(KernelRecord, taken) / 8];
    let events = words[size_of::<KernelRecord>() / 8..].chunks(size_of::<KernelEvent>() / 8).take(taken as usize);
    let mut found = vec![];
    for (number, event) in (1..).zip(events) {
        let [from, until, what, bytes, at, last] = *event else { panic!("six words") };
        assert!(0 < from && from <= until && (bytes, at, last) == (64, word.address(), number), "{event:?}");
        let KernelWork { operation, warp, block, pe } = KernelWork::of_bits(what);
        assert_eq!(pe, 2, "{event:?}");
        found.push((KernelOperation::of_number(operation).expect("an operation"), block, warp));
    }
    found.sort_by_key(|(operation, block, warp)| (*operation as u8, *block, *warp));
    // Blocks 0 and 2, with three warps each.
    let [by_thread, by_warp, by_block] = RECORDED.map(|number| KernelOperation::ALL[number as usize]);
    let alone_in = |operation| [(operation, 0, 0), (operation, 2, 0)];
    let warps = [(0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)].map(|(block, warp)| (by_warp, block, warp));
    assert_eq!(found, [&alone_in(by_thread)[..], &warps, &alone_in(by_block)].concat());
    assert_eq!((taken, alone.read(0, WORD + 16)), (10, 10));
}
