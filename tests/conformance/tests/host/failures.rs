//! One PE's GPU runs out of room while the others do not: every step of a collective call fails in turn, on the last
//! PE. All PEs get the error, nothing of the attempt is left behind, and the next attempt succeeds.

use crate::place::partner;
use cushmem::{Shmem, SymSlice};
use cushmem_conformance::{conformance, expect_words, gpus_reach_each_other, seeded};
use cushmem_conformance_kernels::mix;
use cushmem_gpu::soft::leave_room_for;

conformance! { with SMALL: soft => {
    gpus_start_on_all_or_on_none: 1, 3;
    a_start_fails_anywhere: 1, 2, 3, 3, 3, 3, 3, 3;
    heaps_grow_on_all_or_on_none: 1, 3;
    an_object_that_cannot_grow_stays: 1, 3;
} }

/// Each heap has room for one large object.
const SMALL: &[(&str, &str)] = &[("SHMEM_SYMMETRIC_SIZE", "32M"), ("CUSHMEM_GPU_HEAP_SIZE", "96M")];
const LARGE: usize = 20 << 20;
const LARGE_GPU: usize = 64 << 20;

/// Repeats the call with room for one more step each time, until it succeeds; `after` runs after each failure, still
/// without room. There must be at least `least` failures. The first time, there is room for `first` steps.
fn sweep<T>(
    shmem: &Shmem,
    what: &str,
    (first, least): (u32, u32),
    mut call: impl FnMut() -> cushmem::Result<T>,
    mut after: impl FnMut(),
) -> T {
    let (me, last) = (shmem.my_pe(), shmem.n_pes() - 1);
    let verdicts = shmem.malloc::<u32>(last as usize + 1).expect("malloc");
    for room in first.. {
        if me == last {
            leave_room_for(room);
        }
        let result = call();
        (0..=last).for_each(|pe| shmem.p(verdicts.at(me as usize), result.is_ok().into(), pe).expect("p"));
        shmem.barrier_all().expect("barrier");
        let all = verdicts.to_vec().expect("read");
        assert!(all.iter().all(|verdict| *verdict == all[0]), "{what}, room for {room}: {all:?}");
        match result {
            Ok(found) => {
                leave_room_for(u32::MAX);
                assert!(room >= first + least, "{what}: {} failures", room - first);
                return found;
            }
            Err(error) => {
                let (text, culprit) = (error.to_string(), format!(": PE {last}: "));
                let named = text.contains(&culprit) && text.ends_with("a limit set by a test is reached");
                assert!(named, "{what}, room for {room}: {text}");
            }
        }
        after();
        shmem.barrier_all().expect("barrier");
    }
    unreachable!("some attempt succeeds")
}

/// Returns a lower bound for the number of PEs on the last one's node.
fn on_one_node(shmem: &Shmem) -> u32 {
    let here = shmem.team_shared().n_pes();
    if here == shmem.n_pes() { here } else { 1 }
}

/// At least so many PEs' GPU memory is mapped.
fn mapped_gpus(shmem: &Shmem) -> u32 {
    if gpus_reach_each_other() { on_one_node(shmem) } else { 1 }
}

/// Every PE writes all of the object on the next one from its own GPU memory, and reads it back.
fn works(shmem: &Shmem, object: SymSlice<'_, u64>, round: u64) {
    let (me, n) = (u64::from(shmem.my_pe()), shmem.n_pes());
    let datum = |pe: u64, i: usize| mix(round, (pe << 40) + i as u64);
    let buffer = shmem.device_alloc::<u64>(object.len()).expect("device_alloc");
    buffer.copy_from(&(0..object.len()).map(|i| datum(me, i)).collect::<Vec<_>>()).expect("write");
    shmem.put(object, &buffer, (shmem.my_pe() + 1) % n).expect("put");
    shmem.barrier_all().expect("barrier");
    let before = u64::from((shmem.my_pe() + n - 1) % n);
    expect_words(|| "own part".into(), &object.to_vec().expect("read"), |i| datum(before, i));
    shmem.get(&buffer, object, partner(shmem)).expect("get");
    let before = u64::from((partner(shmem) + n - 1) % n);
    expect_words(|| "the partner's part".into(), &buffer.to_vec().expect("read"), |i| datum(before, i));
    shmem.barrier_all().expect("barrier");
}

/// Catches a PE that goes on with GPUs that another PE does not have, and a start that cannot be repeated.
fn gpus_start_on_all_or_on_none(shmem: &Shmem) {
    let host = shmem.malloc::<u64>(1000).expect("malloc");
    // The window, the first chunk, the host heap, and the kernels' context.
    let object = sweep(shmem, "start", (0, 4), || shmem.malloc_gpu::<u64>(1000), || {});
    works(shmem, object, 1);
    works(shmem, host, 2);
}

/// Catches a start that cannot be repeated after an attempt that got far: nothing of it may obstruct the next one.
fn a_start_fails_anywhere(shmem: &Shmem) {
    let host = shmem.malloc::<u64>(1000).expect("malloc");
    // The window, a chunk, each PE's mapping and pinned piece, tables, a stream and its words.
    let steps = 5 + 2 * shmem.n_pes() as usize;
    let first = seeded().below(steps) as u32;
    let object = sweep(shmem, "start", (first, 1), || shmem.malloc_gpu::<u64>(1000), || {});
    works(shmem, object, 1);
    works(shmem, host, 2);
}

/// Catches growth of one heap that considers only its own PE, loses the place, or leaves part of it mapped or pinned.
fn heaps_grow_on_all_or_on_none(shmem: &Shmem) {
    let (on_node, small) = (on_one_node(shmem), shmem.malloc_gpu::<u64>(1000).expect("malloc_gpu"));
    // A chunk, and each mapping.
    let gpu = sweep(shmem, "malloc_gpu", (0, 1 + mapped_gpus(shmem)), || shmem.malloc_gpu::<u64>(LARGE_GPU / 8), || {});
    works(shmem, gpu, 1);
    let host = sweep(shmem, "malloc", (0, on_node), || shmem.malloc::<u64>(LARGE / 8), || {});
    works(shmem, host, 2);
    works(shmem, small, 3);
    shmem.free(gpu).expect("free");
    shmem.free(host).expect("free");
    works(shmem, shmem.malloc_gpu(LARGE_GPU / 8).expect("the place of the one before"), 4);
    works(shmem, shmem.malloc(LARGE / 8).expect("the place of the one before"), 5);
}

/// Catches a realloc that fails but still takes the memory that it asked for, or that loses the old contents.
fn an_object_that_cannot_grow_stays(shmem: &Shmem) {
    let gpu = shmem.malloc_gpu::<u64>(1000).expect("malloc_gpu");
    let host = shmem.malloc::<u64>(1000).expect("malloc");
    for (object, bytes, on_gpu) in [(gpu, LARGE_GPU, true), (host, LARGE, false)] {
        let words: Vec<u64> = (0..1000).map(|i| mix(bytes as u64, i)).collect();
        object.copy_from(&words).expect("write");
        let address = object.device_ptr().address() as usize;
        let grow = || {
            let grown = shmem.raw().realloc("test", std::ptr::with_exposed_provenance_mut(address), bytes);
            grown.map_err(|error| match error {
                cushmem::ArgumentError::Failed(error) => error,
                other => panic!("{other}"),
            })
        };
        let unchanged = || {
            assert_eq!(object.to_vec().expect("read"), words);
            // There is room for this as long as the large object does not exist.
            let other = if on_gpu { shmem.malloc_gpu::<u8>(1 << 20) } else { shmem.malloc::<u8>(1 << 20) };
            shmem.free(other.expect("malloc")).expect("free");
        };
        let least = if on_gpu { 1 + mapped_gpus(shmem) } else { on_one_node(shmem) };
        let grown = sweep(shmem, "realloc", (0, least), grow, unchanged).expect("an address");
        let mut back = vec![0u64; 1000];
        // SAFETY: the target has this many bytes.
        let got = unsafe {
            let when = cushmem::raw::Completion::Blocking;
            shmem.raw().get(back.as_mut_ptr().cast(), grown, 8000, shmem.my_pe(), when)
        };
        assert!(got.is_ok() && back == words, "{got:?}");
        shmem.barrier_all().expect("barrier");
    }
}
