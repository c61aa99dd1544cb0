//! Many commands at once, with every payload checked, and operations that follow copies carried out by the CPU. On one
//! node, GPUs do not reach each other here, so that each `p` to another GPU is a command. On several nodes, those to
//! host memory are commands too.

use crate::rig::{LIMIT_NS, Rig, check_lanes};
use cushmem::{Grid, Shmem, SymSlice};
use cushmem_conformance::{conformance, expect_words, on_nodes, seeded};
use cushmem_conformance_kernels::{self as kernels, COPIED, mix, named};

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

conformance! { with APART: soft, cuda => {
    words_from_1_block: 2;
    words_from_8_blocks: 2;
    words_from_64_blocks: 2;
    words_from_512_blocks: 2;
    words_from_4096_blocks: 2;
    words_to_one: 3, 4;
    ranges: 2, 3;
    sources_of_any_size_may_change: 2;
    sources_may_change: 2;
    fences_among_others: 2;
    copies_to_a_third_pe: 3;
} }

on_nodes! { with SOFT: efa {
    words_from_1_block: 2 on 2;
    words_from_8_blocks: 2 on 2;
    words_from_64_blocks: 2 on 2;
    words_from_512_blocks: 2 on 2;
    words_from_4096_blocks: 2 on 2;
    words_to_one: 4 on 2;
    ranges: 2 on 2, 3 on 2;
    sources_of_any_size_may_change: 2 on 2;
    sources_may_change: 2 on 2;
    fences_among_others: 2 on 2;
    copies_to_a_third_pe: 3 on 2, 3 on 2 by "cyclic", 3 on 3;
} }

/// Returns GPU memory and host memory.
fn both<'a>(rig: &Rig<'a>, words: usize) -> [SymSlice<'a, u64>; 2] {
    [rig.symmetric(&vec![0; words]), rig.on_host(&vec![0; words])]
}

/// Which PE sends to which. The target has `parts` parts on each PE.
struct Sending {
    parts: usize,
    /// The PE to which this PE sends, and the part.
    to: Option<(u32, usize)>,
    /// The PEs that send to the first parts on this PE.
    from: Vec<u32>,
}

/// Sends `each` words from this many blocks, to GPU memory and to host memory, and checks all of them.
fn send_words(rig: &Rig<'_>, Sending { parts, to, from }: &Sending, blocks: u32, each: usize) {
    // Lanes of a warp send one by one if they are few, and together if they are more.
    let lanes = if blocks == 1 || blocks == 64 { 4 } else { 8 };
    let at_once = (blocks * lanes) as usize;
    let rounds = (each / at_once).max(1);
    let words = rounds * at_once;
    for object in both(rig, parts * words) {
        rig.barrier();
        if let Some((pe, part)) = *to {
            let dst = object.at(part * words).device_ptr();
            rig.run(kernels::send_words, Grid::linear(blocks, lanes), (dst, rounds as u64, pe));
        }
        // The barrier completes what the kernel left.
        rig.barrier();
        let seen = object.to_vec().expect("read");
        for (pe, seen) in from.iter().zip(seen.chunks(words)) {
            let expected = |i| {
                let (round, lane) = (i / at_once + 1, (i % at_once) as u32);
                named(*pe, lane / lanes, lane % lanes, round as u64)
            };
            expect_words(|| format!("{blocks} blocks, from PE {pe}"), seen, expected);
        }
        rig.barrier();
    }
}

/// Catches a command that is lost, cut, or carried out with another command's words. Each PE sends to the next, all at
/// the same time. Two PEs of a node, whose host memory needs no commands, send ten million words to GPU memory in all
/// five tests; PEs on two nodes send half of that to each kind of memory.
fn words_from(blocks: u32, shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let sending = Sending { parts: 1, to: Some((rig.next(), 0)), from: vec![rig.previous()] };
    let is_one_node = shmem.team_shared().n_pes() == shmem.n_pes();
    send_words(&rig, &sending, blocks, rig.many(2000, if is_one_node { 1_000_000 } else { 500_000 }));
}

fn words_from_1_block(shmem: &Shmem) {
    words_from(1, shmem);
}

pub(crate) fn words_from_8_blocks(shmem: &Shmem) {
    words_from(8, shmem);
}

fn words_from_64_blocks(shmem: &Shmem) {
    words_from(64, shmem);
}

fn words_from_512_blocks(shmem: &Shmem) {
    words_from(512, shmem);
}

fn words_from_4096_blocks(shmem: &Shmem) {
    words_from(4096, shmem);
}

/// Catches a sender whose commands are never carried out while others send to the same PE.
fn words_to_one(shmem: &Shmem) {
    let (rig, me, n) = (Rig::new(shmem), shmem.my_pe(), shmem.n_pes());
    let from = if me == 0 { (1..n).collect() } else { vec![] };
    let to = me.checked_sub(1).map(|part| (0, part as usize));
    let sending = Sending { parts: n as usize - 1, to, from };
    for blocks in [1, 64, 4096] {
        send_words(&rig, &sending, blocks, rig.many(2000, 150_000));
    }
}

/// Catches copies of many blocks that go to a wrong place, lose bytes at their ends, or have not arrived after the
/// block's quiet.
pub(crate) fn ranges(shmem: &Shmem) {
    const SOURCE: usize = 1 << 17;
    let rig = Rig::new(shmem);
    let mut random = seeded();
    let (mut list, mut end) = (vec![], 64);
    for _ in 0..rig.many(150, 4000) {
        let (to, bytes) = (end + random.below(64), 1 + random.below(40_000));
        list.extend([to as u64, random.below(SOURCE - bytes) as u64, bytes as u64]);
        end = to + bytes;
    }
    let datum = |pe: u32, i: usize| mix(u64::from(pe) + 1, i as u64) as u8;
    let source: Vec<u8> = (0..SOURCE).map(|i| datum(shmem.my_pe(), i)).collect();
    let mut expected = vec![0u8; end + 64];
    for entry in list.chunks(3) {
        let [to, from, bytes] = [entry[0] as usize, entry[1] as usize, entry[2] as usize];
        (0..bytes).for_each(|i| expected[to + i] = datum(rig.previous(), from + i));
    }
    let (source, entries) = (rig.private(&source), rig.private(&list));
    let dst = rig.symmetric(&vec![0u8; end + 64]);
    for blocks in [1, 8, 64, 512] {
        let wrong = rig.private(&vec![0u64; blocks as usize]);
        dst.copy_from(&vec![0; dst.len()]).expect("clear");
        rig.barrier();
        let ends = (dst.device_ptr(), source.device_ptr(), entries.device_ptr());
        let args = (ends.0, ends.1, ends.2, list.len() as u64 / 3, rig.next(), wrong.device_ptr());
        rig.run(kernels::put_ranges, Grid::linear(blocks, 32), args);
        let missing: u64 = wrong.to_vec().expect("read").iter().sum();
        assert_eq!(missing, 0, "{blocks} blocks: copies whose last byte was not there after a quiet");
        rig.barrier();
        expect_words(|| format!("{blocks} blocks"), &dst.to_vec().expect("read"), |i| expected[i]);
        rig.barrier();
    }
}

/// Catches a put that returns while its source is still being read, if the bytes fit into a command, into a chunk, and
/// into neither. Also catches chunks that are overwritten while they are read: there are more blocks that put than
/// chunks.
pub(crate) fn sources_of_any_size_may_change(shmem: &Shmem) {
    const MOST: [usize; 4] = [48, 200, 3000, 80_000];
    let rig = Rig::new(shmem);
    let mut random = seeded();
    let (mut list, mut end) = (vec![], 0);
    for i in 0..rig.many(400, 4000) {
        let (to, bytes) = (end + random.below(32), 1 + random.below(MOST[i / 3 % 4]));
        list.extend([to as u64, bytes as u64]);
        end = to + bytes;
    }
    let mut expected = vec![0u8; end];
    for (range, entry) in (0..).zip(list.chunks(2)) {
        let [to, bytes] = [entry[0] as usize, entry[1] as usize];
        (0..bytes).for_each(|i| expected[to + i] = kernels::spoiled(range, i));
    }
    let entries = rig.private(&list);
    for blocks in [1, 8, 200] {
        let source = rig.private(&vec![0u8; blocks * MOST[3]]);
        for object in [rig.symmetric(&vec![0u8; end]), rig.on_host(&vec![0u8; end])] {
            rig.barrier();
            let (dst, src) = (object.device_ptr(), source.device_ptr());
            let args = (dst, src, MOST[3], entries.device_ptr(), list.len() as u64 / 2, rig.next());
            rig.run(kernels::put_and_spoil, Grid::linear(blocks as u32, 64), args);
            // The barrier completes what the kernel left.
            rig.barrier();
            expect_words(|| format!("{blocks} blocks"), &object.to_vec().expect("read"), |i| expected[i]);
            rig.barrier();
        }
    }
}

/// Returns lanes and rounds of a litmus test for one of `kinds` kinds of memory: a million tries for all of them, in as
/// few turns as PEs that share a GPU need.
fn tries(rig: &Rig<'_>, kinds: u64) -> (u32, u64) {
    (rig.times(16, 512), rig.many(200, 2000) as u64 / kinds)
}

/// Catches a signal that overtakes data that the CPU copies, a copy that misses what the lane has just stored into the
/// source, and a copy that reads the source after the put has returned.
pub(crate) fn sources_may_change(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (lanes, rounds) = tries(&rig, 2);
    let n = lanes as usize;
    let [data, source] = [2, 1].map(|parts| rig.symmetric(&vec![0u64; parts * COPIED * n]));
    for flag in both(&rig, n) {
        let report = rig.private(&vec![0u64; 2 * n]);
        rig.barrier();
        let ends = (data.device_ptr(), source.device_ptr(), flag.device_ptr());
        let args = (ends.0, ends.1, ends.2, rounds, rig.partner(), report.device_ptr(), LIMIT_NS);
        rig.run(kernels::copy_and_signal, Grid::linear(lanes / 16, 16), args);
        check_lanes(&report.to_vec().expect("read"));
        rig.barrier();
    }
}

/// Catches a fence that does not wait for the copies of its own context, or that is satisfied by those of others: one
/// block puts, fences and stores a flag, while 63 others store.
pub(crate) fn fences_among_others(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (lanes, rounds) = tries(&rig, 2);
    let (n, others) = (lanes as usize, rig.times(2, 5));
    let [data, source, scratch] = [2 * COPIED, COPIED, 64].map(|words| rig.symmetric(&vec![0u64; words * n]));
    for flag in both(&rig, n) {
        let report = rig.private(&vec![0u64; 2 * n]);
        rig.barrier();
        let ends = (data.device_ptr(), source.device_ptr(), flag.device_ptr(), scratch.device_ptr());
        let args = (ends.0, ends.1, ends.2, ends.3, rounds, others, rig.partner(), report.device_ptr(), LIMIT_NS);
        rig.run(kernels::copy_among_others, Grid::linear(64, lanes), args);
        check_lanes(&report.to_vec().expect("read"));
        rig.barrier();
    }
}

/// Catches a quiet that returns before a copy has arrived: a third PE, which is told through host memory, gets the data
/// from the target.
pub(crate) fn copies_to_a_third_pe(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (lanes, rounds) = tries(&rig, 1);
    let n = lanes as usize;
    let [data, local] = [(); 2].map(|()| rig.symmetric(&vec![0u64; COPIED * n]));
    let (flag, report) = (rig.on_host(&vec![0; n]), rig.private(&vec![0u64; 2 * n]));
    rig.barrier();
    let ends = (data.device_ptr(), local.device_ptr(), flag.device_ptr(), report.device_ptr());
    rig.run(kernels::copy_to_a_third, Grid::linear(lanes / 16, 16), (ends.0, ends.1, ends.2, rounds, ends.3, LIMIT_NS));
    check_lanes(&report.to_vec().expect("read"));
    rig.barrier();
}
