//! What kernels compute on the emulated GPU: barriers, warps, grids, shapes, the order of launches.

use crate::rig::{Rig, arg, barrier, place, suspend, warp, word};
use cushmem_abi::lane::{self, Event, WarpOp};
use cushmem_gpu::{Gpu, Grid, LaunchKind};
use std::ffi::c_void;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

const ALL: u32 = u32::MAX;

/// Sums `words[0..block]` into `words[block]`: with shuffles inside warps, then a barrier, then the rest in the first
/// warp. It does so twice, so that lanes come back to barrier 0 while others are still in it.
unsafe fn reduce(args: *const *const c_void) {
    // SAFETY: the test passes two words.
    let (data, partial) = unsafe { (arg(args, 0), arg(args, 1)) };
    let (lane, _) = place();
    let lanes = lane::current().block_dim[0] as usize;
    for round in 1..=2 {
        let mut sum = word(data, lane).load(Relaxed) * round;
        for delta in [16, 8, 4, 2, 1] {
            sum += warp(ALL, WarpOp::ShuffleDown(delta), sum);
        }
        if lane.is_multiple_of(32) {
            word(partial, lane / 32).store(sum, Relaxed);
        }
        barrier(0, 0);
        if lane < 32 {
            let mut sum = if lane < lanes / 32 { word(partial, lane).load(Relaxed) } else { 0 };
            for delta in [16, 8, 4, 2, 1] {
                sum += warp(ALL, WarpOp::ShuffleDown(delta), sum);
            }
            if lane == 0 {
                word(data, lanes + round as usize - 1).store(sum, Relaxed);
            }
        }
        barrier(0, 0);
    }
}

/// Catches barriers that let a lane through early, and shuffles that deliver an old or another lane's value.
#[test]
fn block_reduction_matches_a_serial_sum() {
    let rig = Rig::new();
    let values: Vec<u64> = (0..1024).map(|i| i * i + 7).collect();
    let data = rig.alloc_words(&[values.clone(), vec![0; 2]].concat());
    let partial = rig.alloc_words(&[0; 32]);
    rig.run(reduce, Grid::linear(1, 1024), LaunchKind::Plain, &[data, partial]).unwrap();
    let serial: u64 = values.iter().sum();
    assert_eq!(rig.read(data + 1024 * 8, 2), [serial, 2 * serial]);
}

/// Lanes 0..64 pass a token back and forth over barrier 1, the others use barrier 2, and at the end all of them meet.
unsafe fn partial_barriers(args: *const *const c_void) {
    // SAFETY: the test passes one word.
    let data = unsafe { arg(args, 0) };
    let (lane, _) = place();
    let (id, count) = if lane < 64 { (1, 64) } else { (2, 96) };
    for round in 0..10 {
        word(data, lane).store(round, Relaxed);
        barrier(id, count);
        let first = if lane < 64 { 0 } else { 64 };
        for other in first..first + count as usize {
            assert_eq!(word(data, other).load(Relaxed), round, "lane {lane} saw lane {other} late");
        }
        barrier(id, count);
    }
    barrier(0, 0);
    word(data, 160).fetch_add(1, Relaxed);
}

/// Catches numbered barriers that mix up their lanes, or that count lanes of another barrier.
#[test]
fn partial_barriers_are_independent() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[0; 161]);
    rig.run(partial_barriers, Grid::linear(1, 160), LaunchKind::Plain, &[data]).unwrap();
    assert_eq!(rig.read(data + 160 * 8, 1), [160]);
}

/// The last two warps of a block of 72 lanes meet at a barrier; the last warp has 8 lanes.
unsafe fn short_warp(args: *const *const c_void) {
    // SAFETY: the test passes one word.
    let data = unsafe { arg(args, 0) };
    if place().0 >= 32 {
        for round in 0..2 {
            word(data, round).fetch_add(1, Relaxed);
            barrier(1, 64);
            assert_eq!(word(data, round).load(Relaxed), 40);
        }
    }
}

/// Catches a barrier that waits for the lanes that the last warp of a block lacks.
#[test]
fn a_warp_counts_whole() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[0; 2]);
    rig.run(short_warp, Grid::linear(1, 72), LaunchKind::Plain, &[data]).unwrap();
    assert_eq!(rig.read(data, 2), [40; 2]);
}

unsafe fn leave_early(args: *const *const c_void) {
    // SAFETY: the test passes one word.
    let data = unsafe { arg(args, 0) };
    let (lane, _) = place();
    if lane % 3 == 0 {
        return;
    }
    barrier(0, 0);
    if lane % 3 == 1 {
        return;
    }
    barrier(0, 0);
    word(data, 0).fetch_add(1, Relaxed);
}

/// Catches a barrier for all lanes that waits for lanes that returned before or while others waited.
#[test]
fn ended_lanes_are_not_waited_for() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[0]);
    rig.run(leave_early, Grid::linear(3, 96), LaunchKind::Plain, &[data]).unwrap();
    assert_eq!(rig.read(data, 1), [3 * 32]);
}

/// Lane 0 contributes a bit and waits, lane 1 arrives late, and lane 2 ends in between.
unsafe fn leave_others_waiting(args: *const *const c_void) {
    // SAFETY: the test passes one word.
    let data = unsafe { arg(args, 0) };
    let lane = place().0;
    if lane == 2 {
        return;
    }
    if lane == 1 {
        suspend(Event::Yield);
    }
    let bits = suspend(Event::BarrierOr { bits: 1 << lane });
    word(data, lane).store(bits, Relaxed);
}

/// Catches a lane whose end discards what others have contributed to a barrier that it does not complete.
#[test]
fn an_end_keeps_what_others_gave() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[0; 2]);
    rig.run(leave_others_waiting, Grid::linear(1, 3), LaunchKind::Plain, &[data]).unwrap();
    assert_eq!(rig.read(data, 2), [0b11; 2]);
}

/// A hand-written grid barrier, ten times, with a counter in device memory.
unsafe fn grid_barrier(args: *const *const c_void) {
    // SAFETY: the test passes two words.
    let (counter, marks) = unsafe { (arg(args, 0), arg(args, 1)) };
    let (lane, block) = place();
    let blocks = lane::current().grid_dim[0] as u64;
    for round in 1..=10 {
        if lane == 0 {
            word(marks, block).store(round, Relaxed);
            word(counter, 0).fetch_add(1, AcqRel);
            while word(counter, 0).load(Acquire) < round * blocks {
                suspend(Event::Yield);
            }
        }
        barrier(0, 0);
        for other in 0..blocks as usize {
            assert!(word(marks, other).load(Relaxed) >= round, "block {block} passed before block {other} came");
        }
    }
}

/// Catches blocks that are not all resident, and a polling lane that keeps the others from running.
#[test]
fn cooperative_blocks_meet() {
    let rig = Rig::new();
    let (counter, marks) = (rig.alloc_words(&[0]), rig.alloc_words(&[0; 128]));
    rig.run(grid_barrier, Grid::linear(128, 64), LaunchKind::Cooperative, &[counter, marks]).unwrap();
    assert_eq!(rig.read(counter, 1), [1280]);
}

unsafe fn write_indices(args: *const *const c_void) {
    // SAFETY: the test passes one word.
    let data = unsafe { arg(args, 0) };
    let l = lane::current();
    let packed = [l.thread_idx, l.block_idx].concat().iter().fold(0u64, |bits, &i| bits << 8 | u64::from(i));
    let (lane, block) = place();
    word(data, block * l.block_dim.iter().product::<u32>() as usize + lane).store(packed, Relaxed);
}

/// Catches indices in any order other than x fastest, and blocks that run twice or not at all.
#[test]
fn indices_of_many_dimensions() {
    let rig = Rig::new();
    let grid = Grid { blocks: [3, 2, 4], threads: [5, 4, 3], shared_bytes: 0 };
    let data = rig.alloc_words(&[u64::MAX; 24 * 60]);
    rig.run(write_indices, grid, LaunchKind::Plain, &[data]).unwrap();
    let mut expected = Vec::new();
    for (bz, by, bx) in (0..4).flat_map(|z| (0..2).flat_map(move |y| (0..3).map(move |x| (z, y, x)))) {
        for (tz, ty, tx) in (0..3).flat_map(|z| (0..4).flat_map(move |y| (0..5).map(move |x| (z, y, x)))) {
            expected.push([tx, ty, tz, bx, by, bz].into_iter().fold(0u64, |bits, i| bits << 8 | i));
        }
    }
    assert_eq!(rig.read(data, expected.len()), expected);
}

/// Catches a grid with more blocks than can be resident that loses or repeats some.
#[test]
fn a_large_grid_runs_each_block_once() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[u64::MAX; 1000 * 64]);
    rig.run(write_indices, Grid::linear(1000, 64), LaunchKind::Plain, &[data]).unwrap();
    assert!(rig.read(data, 64_000).iter().all(|&w| w != u64::MAX));
}

/// Catches shapes that CUDA refuses but that the emulation accepts, so that a kernel's author would notice only on a
/// GPU.
#[test]
fn shapes_are_refused() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[0; 1024]);
    let refused = |blocks, threads, kind, cause: &str| {
        let error = rig
            .launch(write_indices, Grid { blocks, threads, shared_bytes: 0 }, kind, &[data])
            .unwrap_err()
            .to_string();
        assert!(error.contains("launch kernel kernel: ") && error.contains(cause), "{error}");
    };
    refused([0, 1, 1], [1, 1, 1], LaunchKind::Plain, "0 blocks in x");
    refused([1, 1, 1], [1, 0, 1], LaunchKind::Plain, "0 threads in y");
    refused([1, 1, 1], [1025, 1, 1], LaunchKind::Plain, "1025 threads in x");
    refused([1, 1, 1], [33, 32, 1], LaunchKind::Plain, "1056 threads in a block");
    refused([1, 1, 1], [1, 1, 65], LaunchKind::Plain, "65 threads in z");
    refused([1, 65_536, 1], [1, 1, 1], LaunchKind::Plain, "65536 blocks in y");
    refused([9, 1, 1], [1024, 1, 1], LaunchKind::Cooperative, "only 8 such blocks are resident together");
    rig.run(write_indices, Grid::linear(1, 1024), LaunchKind::Plain, &[data]).unwrap();
}

unsafe fn warp_operations(args: *const *const c_void) {
    // SAFETY: the test passes one word.
    let data = unsafe { arg(args, 0) };
    let (lane, _) = place();
    let l = lane as u64 % 32;
    // The halves of each warp diverge, then meet.
    let half = if l < 16 { 0xffff } else { 0xffff_0000 };
    let ballot = warp(half, WarpOp::Ballot, l & 1);
    let matched = warp(half, WarpOp::MatchAny, l % 4);
    let swapped = warp(ALL, WarpOp::ShuffleIdx(lane as u32 ^ 1), lane as u64);
    warp(ALL, WarpOp::Sync, 0);
    word(data, lane).store(ballot << 32 | matched, Relaxed);
    word(data, 40 + lane).store(swapped, Relaxed);
}

/// Catches warp operations that cross warps or halves, and a wrong result where the last warp lacks lanes (the block
/// has 40).
#[test]
fn warps_with_masks() {
    let rig = Rig::new();
    let data = rig.alloc_words(&[0; 80]);
    rig.run(warp_operations, Grid::linear(1, 40), LaunchKind::Plain, &[data]).unwrap();
    let words = rig.read(data, 80);
    assert_eq!(words[0], 0xaaaa << 32 | 0x1111);
    assert_eq!(words[17], 0xaaaa_0000 << 32 | 0x2222_0000);
    assert_eq!(words[32 + 7], 0xaa << 32 | 0x88);
    assert!((0..40).all(|lane| words[40 + lane] == lane as u64 ^ 1));
}

unsafe fn wait_for_flag(args: *const *const c_void) {
    // SAFETY: the test passes two words.
    let (flag, out) = unsafe { (arg(args, 0), arg(args, 1)) };
    while word(flag, 0).load(Acquire) == 0 {
        suspend(Event::Yield);
    }
    word(out, 0).store(word(flag, 0).load(Relaxed), Release);
}

/// Catches launches that block, arguments that are read after the launch has returned, and streams that wait for each
/// other.
#[test]
fn a_copy_on_another_stream_releases_a_waiting_kernel() {
    let rig = Rig::new();
    let (flag, out) = (rig.alloc_words(&[0]), rig.alloc_words(&[0]));
    {
        let mut args = [flag, out];
        rig.launch(wait_for_flag, Grid::linear(1, 1), LaunchKind::Plain, &args).unwrap();
        args.fill(0);
        std::hint::black_box(&args);
    }
    assert!(!rig.stream.is_idle().unwrap());
    let event = rig.stream.record().unwrap();
    assert!(!event.is_passed().unwrap());
    let other = rig.gpu.create_stream().unwrap();
    let before = other.record().unwrap();
    let value = 42u64;
    // SAFETY: both ranges are valid until the synchronisation.
    unsafe { other.copy(flag, &raw const value as u64, 8) }.unwrap();
    event.synchronize().unwrap();
    other.synchronize().unwrap();
    assert!(event.is_passed().unwrap());
    assert!(event.elapsed_ms(&*before).unwrap() >= 0.0);
    rig.gpu.synchronize().unwrap();
    assert!(rig.stream.is_idle().unwrap());
    assert_eq!(rig.read(out, 1), [42]);
}

/// As with CUDA, two captures are not merged. Catches a capture that nobody can end any more.
#[test]
fn captured_streams_do_not_wait_for_another_capture() {
    let rig = Rig::new();
    let other = rig.gpu.create_stream().unwrap();
    rig.stream.begin_capture().unwrap();
    other.begin_capture().unwrap();
    let refused = rig.stream.wait_for(&*other).unwrap_err().to_string();
    assert!(refused.contains("both are being captured, each into its own graph"), "{refused}");
    rig.stream.end_capture().expect("it is still captured");
    other.end_capture().expect("this one is too");
}
