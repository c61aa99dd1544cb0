//! GPU memory of other nodes.

use crate::get::every_kind;
use crate::order::{fence, fence_between_heaps};
use crate::put::{every_type, non_blocking, single_words};
use crate::signal::data_before_signal;
use crate::staged::{a_computing_target, many_at_once, short_ones_pass_long_ones};
use crate::threads::threads_do_not_disturb_each_other;
use cushmem::Shmem;
use cushmem_conformance::{expect_status, on_nodes};
use std::sync::Barrier;

const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];

on_nodes! { with SOFT: {
    every_type: 2 on 2;
    every_kind: 2 on 2, 4 on 2 by "cyclic";
    non_blocking: 3 on 2;
    single_words: 2 on 2;
    data_before_signal: 2 on 2;
    fence: 2 on 2;
    fence_between_heaps: 2 on 2;
    threads_do_not_disturb_each_other: 3 on 3;
    many_at_once: 2 on 2, 4 on 2;
    short_ones_pass_long_ones: 2 on 2;
    a_computing_target: 2 on 2;
    pairs_are_made_on_first_use: 4 on 2;
    threads_make_pairs_at_once: 2 on 2, 4 on 2, 8 on 4;
} }

/// Waits until PEs have counted this many staged copies and pairs, while the other PEs are in the next barrier.
fn expect_pairs(shmem: &Shmem, copies_and_pairs: &[(u64, u64)]) {
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 1 {
        let count = |(pe, (copies, pairs)): (usize, &(u64, u64))| {
            let work = "0 commands of its kernels in 0 batches";
            format!("PE {pe}: proxy: {work}, {copies} staged copies, {pairs} pairs for staging, ")
        };
        let counts: Vec<String> = copies_and_pairs.iter().enumerate().map(count).collect();
        expect_status(&counts.iter().map(String::as_str).collect::<Vec<_>>());
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a pair whose chunks are mapped and registered before the two PEs stage with each other, and one that is made
/// for PEs that do not. The chunks of the counted pairs are the only ones that are registered.
fn pairs_are_made_on_first_use(shmem: &Shmem) {
    let words = shmem.malloc_gpu::<u64>(4).expect("malloc_gpu");
    words.copy_from(&[0; 4]).expect("clear");
    expect_pairs(shmem, &[(0, 0); 4]);
    if shmem.my_pe() == 0 {
        shmem.put(words, &[1, 2, 3, 4], 3).expect("put");
        shmem.quiet().expect("quiet");
    }
    expect_pairs(shmem, &[(1, 1), (0, 0), (0, 0), (0, 1)]);
    let found = words.to_vec().expect("read");
    assert_eq!(found, if shmem.my_pe() == 3 { [1, 2, 3, 4] } else { [0; 4] });
    // PE 0 has looked before PE 3 writes there.
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 3 {
        // Answers use the pair that is there.
        shmem.put(words, &[5, 6, 7, 8], 0).expect("put");
        let mut back = [0; 4];
        shmem.get(&mut back, words, 0).expect("get");
        assert_eq!(back, [5, 6, 7, 8]);
    }
    expect_pairs(shmem, &[(1, 1), (0, 0), (0, 0), (2, 1)]);
    shmem.free(words).expect("free");
}

/// Catches a first request that overtakes the cards of the two PEs, or is lost between them: several threads of all PEs
/// start with each other at the same time, some with puts, some with gets, and some with atomic operations.
fn threads_make_pairs_at_once(shmem: &Shmem) {
    const THREADS: usize = 6;
    let (me, n) = (shmem.my_pe(), shmem.n_pes() as usize);
    let put = shmem.malloc_gpu::<u64>(n * THREADS).expect("malloc_gpu");
    let got = shmem.malloc_gpu::<u64>(1).expect("malloc_gpu");
    let sum = shmem.malloc_gpu::<u64>(1).expect("malloc_gpu");
    put.copy_from(&vec![0; n * THREADS]).expect("clear");
    got.copy_from(&[u64::from(me) + 7]).expect("write");
    sum.copy_from(&[0]).expect("clear");
    shmem.barrier_all().expect("barrier");
    let start = Barrier::new(THREADS);
    let start = &start;
    let thread = move |t: usize| {
        start.wait();
        // From the farthest PE to the nearest, or the other way.
        let pes = (0..n as u32).map(|i| (if t < THREADS / 2 { me + i } else { me + n as u32 - i }) % n as u32);
        for pe in pes {
            match t % 3 {
                0 => shmem.p(put.at(me as usize * THREADS + t), 1 + u64::from(me), pe).expect("p"),
                1 => assert_eq!(shmem.g(got.at(0), pe).expect("g"), u64::from(pe) + 7),
                _ => drop(shmem.fetch_add(sum.at(0), 1 << (8 * me), pe).expect("fetch_add")),
            }
        }
    };
    std::thread::scope(|scope| {
        for t in 0..THREADS {
            scope.spawn(move || thread(t));
        }
    });
    shmem.barrier_all().expect("barrier");
    let words = put.to_vec().expect("read");
    let wanted = |at: usize| if (at % THREADS).is_multiple_of(3) { 1 + (at / THREADS) as u64 } else { 0 };
    assert!((0..n * THREADS).all(|at| words[at] == wanted(at)), "{words:?}");
    assert_eq!(sum.to_vec().expect("read"), [(0..n).map(|pe| 2 << (8 * pe)).sum::<u64>()]);
    shmem.barrier_all().expect("barrier");
    shmem.free(sum).expect("free");
    shmem.free(got).expect("free");
    shmem.free(put).expect("free");
}
