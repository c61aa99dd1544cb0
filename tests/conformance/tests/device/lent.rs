//! Copies by lanes that have lent shared memory: they do what copies without it do, and nobody else's memory changes.

use crate::copies::{Copies, List};
use crate::exchange::exchange_by;
use crate::rig::Rig;
use cushmem::{Grid, Shmem};
use cushmem_conformance::{conformance, seeded};
use cushmem_lent_kernels::{self as kernels, IMAGE, SMEM_BYTES, SMEM_MIN_BYTES};
use cushmem_numbers::Random;

conformance! { soft, cuda => {
    every_alignment: 1, 2;
    every_length: 1, 2;
    host_memory: 1, 2;
    put_signal: 1, 2;
    too_small: 1, 2;
} }

/// GPUs that do not reach each other, so that the CPU is asked.
mod apart {
    use super::*;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    conformance! { with APART: soft, cuda => { by_the_cpu: 2; } }
}

/// Pieces that do not divide into whole stages, the least piece, and the largest useful one.
const PIECES: [u32; 3] = [SMEM_MIN_BYTES, 20_000, SMEM_BYTES];

/// Puts and gets of every scope, each group with so many bytes of shared memory.
fn every_kernel(copies: &Copies<'_>, piece: u32) {
    let (previous, next) = (copies.rig.previous(), copies.rig.next());
    let groups =
        |blocks, lanes, in_block: u32| Grid::linear(blocks, lanes).with_shared(in_block * (piece + 15) / 16 * 16);
    copies.check(kernels::put_lent_thread, groups(3, 2, 2), previous);
    copies.check(kernels::put_lent_warp, groups(2, 64, 2), previous);
    copies.check(kernels::put_lent_block, groups(2, 48, 1), previous);
    copies.check(kernels::get_lent_thread, groups(3, 2, 2), next);
    copies.check(kernels::get_lent_warp, groups(2, 64, 2), next);
    copies.check(kernels::get_lent_block, groups(2, 48, 1), next);
    // So many lanes are faster than the engine.
    copies.check(kernels::put_lent_block, groups(1, 256, 1), previous);
    copies.check(kernels::get_lent_block, groups(1, 256, 1), next);
}

/// Adds a range of which both ends agree modulo 16, or not.
fn add(list: &mut List, bytes: usize, agree: bool, random: &mut Random) {
    let (target, source) = (random.below(16), random.below(16));
    list.add(target, if agree { target } else { source }, bytes, random);
}

/// Catches ends of a long range that are lost or copied twice, and one whose ends do not agree modulo 16 and which is
/// copied in bulk all the same.
fn every_alignment(shmem: &Shmem) {
    let (rig, mut random) = (Rig::of(shmem, &IMAGE), seeded());
    let mut list = List::new();
    for skews in 0..256 {
        let bytes = 1024 + random.below(1024);
        list.add(skews / 16, skews % 16, bytes, &mut random);
    }
    every_kernel(&Copies::new(&rig, list, false, false), 8 << 10);
}

/// Catches chunks that are lost, cut, or stored from the stage of another one, stages that are filled again too early,
/// and memory that the engine still uses when it has been taken back.
fn every_length(shmem: &Shmem) {
    let (rig, mut random) = (Rig::of(shmem, &IMAGE), seeded());
    for piece in PIECES {
        let mut list = List::new();
        (0..=100).for_each(|bytes| add(&mut list, bytes, true, &mut random));
        // Around the lengths from which on the engine copies, and whole numbers of chunks.
        for bytes in [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536] {
            for bytes in [bytes - 16, bytes, bytes + 16, bytes + random.below(1000)] {
                add(&mut list, bytes, true, &mut random);
                list.add(0, 0, bytes, &mut random);
            }
        }
        (0..20).for_each(|i| add(&mut list, 100 + random_length(&mut random), i % 4 > 0, &mut random));
        list.add(0, 0, 1 << 20, &mut random);
        list.add(3, 3, (1 << 20) + 5, &mut random);
        every_kernel(&Copies::new(&rig, list, false, false), piece);
    }
}

/// Lent memory changes nothing where the CPU copies.
fn by_the_cpu(shmem: &Shmem) {
    let (rig, mut random) = (Rig::of(shmem, &IMAGE), seeded());
    let mut list = List::new();
    (0..30).for_each(|i| add(&mut list, random_length(&mut random), i % 4 > 0, &mut random));
    every_kernel(&Copies::new(&rig, list, false, false), 20_000);
    let grid = Grid::linear(1, 32).with_shared(20_000);
    exchange_by(&rig, &[5000], kernels::exchange_lent_warp, grid, 0);
}

fn random_length(random: &mut Random) -> usize {
    let longest = [5000, 150_000][random.below(2)];
    random.below(longest)
}

/// Host memory at either end, which the engine reaches too.
fn host_memory(shmem: &Shmem) {
    let (rig, mut random) = (Rig::of(shmem, &IMAGE), seeded());
    for (target_on_host, source_on_host) in [(true, false), (false, true), (true, true)] {
        let mut list = List::new();
        (0..30).for_each(|_| add(&mut list, random_length(&mut random), true, &mut random));
        list.add(5, 5, 300_003, &mut random);
        every_kernel(&Copies::new(&rig, list, target_on_host, source_on_host), SMEM_BYTES);
    }
}

/// Catches a signal that overtakes data that the engine writes, a source that is read before the lanes have written it,
/// and data that is read from a stale line of a cache.
fn put_signal(shmem: &Shmem) {
    let rig = Rig::of(shmem, &IMAGE);
    let lanes = |lanes| Grid::linear(1, lanes).with_shared(20_000);
    for add in [0, 1] {
        exchange_by(&rig, &[1, 128, 257, 5000], kernels::exchange_lent_thread, lanes(1), add);
        exchange_by(&rig, &[1, 2048, 2051, 10_000], kernels::exchange_lent_warp, lanes(32), add);
        exchange_by(&rig, &[1, 2048, 2051, 10_000], kernels::exchange_lent_block, lanes(64), add);
    }
}

/// Catches stages that lie beyond the memory, and an error that does not say what is wrong.
fn too_small(shmem: &Shmem) {
    let rig = Rig::of(shmem, &IMAGE);
    let grid = Grid::linear(1, 32).with_shared(SMEM_MIN_BYTES);
    rig.run(kernels::lend, grid, (SMEM_MIN_BYTES,));
    rig.start(kernels::lend, grid, (SMEM_MIN_BYTES - 1,));
    let error = rig.stream.synchronize().expect_err("the kernel succeeded").to_string();
    let part =
        format!("lends {} bytes of shared memory for copies: at least {SMEM_MIN_BYTES} are needed", SMEM_MIN_BYTES - 1);
    assert!(error.contains(&part), "'{part}' is not in '{error}'");
    rig.barrier();
}
