//! Atomic operations without a result, which are posted to other nodes as puts are: many are under way at once, and
//! quiet, fence and signals treat them as they treat puts.

use super::stopped::{Stopped, idle_until_set, process_of};
use crate::one_sided::state;
use cushmem::raw::AmoOp;
use cushmem::{Cmp, Shmem, SignalOp, SymPtr, SymSlice, Word};
use cushmem_conformance::{Sample, expect_status, expect_words, on_nodes, seeded};
use std::sync::atomic::{AtomicU64, Ordering};

on_nodes! {
    additions_of_all_are_not_lost: 4 on 2;
    every_operation_and_width: 3 on 2;
    an_addition_comes_behind_the_puts_before_a_fence: 3 on 2;
    a_put_comes_behind_the_additions_before_a_fence: 3 on 2, 4 on 2;
    a_quiet_completes_additions: 3 on 2, 3 on 3;
    a_signal_that_is_added_to_announces_its_data: 3 on 2;
    results_and_additions_of_threads: 3 on 2;
    threads_fill_the_queue: 3 on 2;
    results_come_with_a_quiet: 3 on 2, 5 on 2;
    results_of_threads_come_with_a_quiet: 3 on 2;
    every_thread_that_waits_for_a_result_is_listed: 3 on 2;
    operations_of_one_pe_keep_their_order: 3 on 2, 5 on 2;
    a_full_queue_waits_and_says_for_whom: 3 on 2;
}

/// On these networks a target takes no part.
mod one_sided_only {
    use super::{NOTHING, a_burst_waits_for_no_answer};
    cushmem_conformance::on_nodes! { with NOTHING: verbs { a_burst_waits_for_no_answer: 3 on 2; } }
    cushmem_conformance::on_nodes! { with NOTHING: efa { a_burst_waits_for_no_answer: 3 on 2; } }
}

const NOTHING: &[(&str, &str)] = &[];

mod quick {
    use super::{QUICK, a_hundred_thousand_additions_are_not_lost};
    cushmem_conformance::on_nodes! { with QUICK: tcp { a_hundred_thousand_additions_are_not_lost: 4 on 2; } }
}

/// No delays.
const QUICK: &[(&str, &str)] = &[("CUSHMEM_NET", "loopback:tcp")];

/// Returns words of each PE that are 0.
fn words(shmem: &Shmem, count: usize) -> SymSlice<'_, u64> {
    let words = shmem.malloc::<u64>(count).expect("malloc");
    words.copy_from(&vec![0; count]).expect("clear");
    shmem.barrier_all().expect("barrier");
    words
}

/// Returns where this PE has a word.
fn own<T: Word>(shmem: &Shmem, word: SymPtr<'_, T>) -> *mut T {
    word.as_slice().ptr(shmem.my_pe())
}

fn add(shmem: &Shmem, word: SymPtr<'_, u64>, value: u64, pe: u32) {
    shmem.raw().change(own(shmem, word), value, AmoOp::Add, pe).expect("change");
}

fn sum(shmem: &Shmem, times: u64) {
    let counter = words(shmem, 1).at(0);
    for _ in 0..times {
        add(shmem, counter, 1, 1);
    }
    shmem.barrier_all().expect("barrier");
    assert_eq!(shmem.g(counter, 1).expect("g"), times * u64::from(shmem.n_pes()));
    shmem.barrier_all().expect("barrier");
}

/// Catches an addition that is lost, carried out twice, or overwritten in its slot, and a barrier that does not wait.
fn additions_of_all_are_not_lost(shmem: &Shmem) {
    sum(shmem, 3000);
}

/// Catches an addition that is lost in many rounds of the queues.
fn a_hundred_thousand_additions_are_not_lost(shmem: &Shmem) {
    sum(shmem, 100_000 / 4);
}

/// Catches an operand, a width or an operation that is not sent as it was given, and a neighbour that changes too.
fn every_operation_and_width(shmem: &Shmem) {
    let (raw, target) = (shmem.raw(), 2);
    let (long, short) = (shmem.malloc::<u64>(5).expect("malloc"), shmem.malloc::<u32>(5).expect("malloc"));
    let (first, second) = (0xfedc_ba98_7654_3210_u64, 0x0f1e_2d3c_4b5a_6978_u64);
    long.copy_from(&[first; 5]).expect("write");
    short.copy_from(&[first as u32; 5]).expect("write");
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 0 {
        for (at, op) in [AmoOp::Add, AmoOp::And, AmoOp::Or, AmoOp::Xor].into_iter().enumerate() {
            raw.change(own(shmem, long.at(at)), second, op, target).expect("change");
            raw.change(own(shmem, short.at(at)), second as u32, op, target).expect("change");
        }
        shmem.atomic_set(long.at(4), second, target).expect("atomic_set");
        shmem.atomic_set(short.at(4), second as u32, target).expect("atomic_set");
    }
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == target {
        let all = [first.wrapping_add(second), first & second, first | second, first ^ second, second];
        assert_eq!(long.to_vec().expect("read"), all);
        let (first, second) = (first as u32, second as u32);
        let all = [first.wrapping_add(second), first & second, first | second, first ^ second, second];
        assert_eq!(short.to_vec().expect("read"), all);
    }
    shmem.barrier_all().expect("barrier");
    swaps::<u8>(shmem);
    swaps::<i8>(shmem);
    swaps::<u16>(shmem);
    swaps::<i16>(shmem);
    swaps::<f32>(shmem);
    swaps::<f64>(shmem);
}

/// Every second word is set, swapped and fetched, with a result at once and with a quiet.
fn swaps<T: Sample>(shmem: &Shmem) {
    let (raw, target) = (shmem.raw(), 2);
    let words = shmem.malloc::<T>(7).expect("malloc");
    let old: Vec<T> = (0..7).map(|i| T::sample(0x0102_0304_0506_0708 * (i + 1))).collect();
    let [set, swapped, later] = [1, 2, 3].map(|i| T::sample(0x1112_1314_1516_1718 * i));
    words.copy_from(&old).expect("write");
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 0 {
        let mut results = [T::sample(0); 2];
        let [first, second] = &mut results;
        shmem.atomic_set(words.at(1), set, target).expect("atomic_set");
        assert_eq!(shmem.swap(words.at(3), swapped, target).expect("swap"), old[3]);
        assert_eq!(shmem.atomic_fetch(words.at(3), target).expect("atomic_fetch"), swapped);
        // SAFETY: the results are not touched before the quiet.
        unsafe {
            raw.later(first).swap(own(shmem, words.at(5)), later, target).expect("swap");
            raw.later(second).fetch(own(shmem, words.at(5)), target).expect("fetch");
        }
        shmem.quiet().expect("quiet");
        assert_eq!(results, [old[5], later]);
    }
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == target {
        assert_eq!(words.to_vec().expect("read"), [old[0], set, old[2], swapped, old[4], later, old[6]]);
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches an addition that overtakes data which a fence orders before it.
fn an_addition_comes_behind_the_puts_before_a_fence(shmem: &Shmem) {
    const LEN: usize = 700;
    const ROUNDS: u64 = 60;
    let (flag, data) = (words(shmem, 2), words(shmem, LEN));
    for round in 1..=ROUNDS {
        match shmem.my_pe() {
            0 => {
                let source = vec![round; LEN];
                shmem.put(data, &source, 2).expect("put");
                shmem.fence().expect("fence");
                add(shmem, flag.at(0), 1, 2);
                shmem.wait_until(flag.at(1), Cmp::Ge, round).expect("wait_until");
            }
            2 => {
                shmem.wait_until(flag.at(0), Cmp::Ge, round).expect("wait_until");
                expect_words(|| format!("round {round}"), &data.to_vec().expect("read"), |_| round);
                add(shmem, flag.at(1), 1, 0);
            }
            _ => {}
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a put, and a signal, that overtake an addition which a fence orders before them.
fn a_put_comes_behind_the_additions_before_a_fence(shmem: &Shmem) {
    const ROUNDS: u64 = 60;
    let all = words(shmem, 4);
    let (counter, flag, back) = (all.at(0), all.at(1), all.at(2));
    let (me, last) = (shmem.my_pe(), shmem.n_pes() - 1);
    for round in 1..=ROUNDS {
        if me == 0 {
            (0..5).for_each(|_| add(shmem, counter, 1, last));
            shmem.fence().expect("fence");
            if round % 2 == 0 {
                shmem.p(flag, round, last).expect("p");
            } else {
                shmem.put_signal(all.slice(3..4), &[round], flag, round, SignalOp::Set, last).expect("put_signal");
            }
            shmem.wait_until(back, Cmp::Ge, round).expect("wait_until");
        } else if me == last {
            shmem.wait_until(flag, Cmp::Ge, round).expect("wait_until");
            assert_eq!(shmem.signal_fetch(counter).expect("signal_fetch"), 5 * round);
            shmem.p(back, round, 0).expect("p");
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a quiet that does not wait for additions, and a load that overtakes them without one.
fn a_quiet_completes_additions(shmem: &Shmem) {
    let all = words(shmem, 2);
    if shmem.my_pe() == 0 {
        let (counter, other) = (all.at(0), all.at(1));
        let mut random = seeded();
        let mut expected = [0; 2];
        for _ in 0..60 {
            for _ in 0..random.below(9) {
                for pe in [1, 2] {
                    add(shmem, counter, 3, pe);
                    expected[pe as usize - 1] += 3;
                }
            }
            if random.below(2) == 0 {
                shmem.atomic_set(other, expected[1], 2).expect("atomic_set");
                assert_eq!(shmem.atomic_fetch(other, 2).expect("atomic_fetch"), expected[1]);
            }
            shmem.quiet().expect("quiet");
            assert_eq!([1, 2].map(|pe| shmem.g(counter, pe).expect("g")), expected);
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a signal that is added to before the data have arrived.
fn a_signal_that_is_added_to_announces_its_data(shmem: &Shmem) {
    const LEN: usize = 400;
    let (flag, data) = (words(shmem, 2), words(shmem, LEN));
    for round in 1..=60 {
        match shmem.my_pe() {
            0 => {
                shmem.put_signal(data, &vec![round; LEN], flag.at(0), 1, SignalOp::Add, 2).expect("put_signal");
                shmem.wait_until(flag.at(1), Cmp::Ge, round).expect("wait_until");
            }
            2 => {
                shmem.wait_until(flag.at(0), Cmp::Ge, round).expect("wait_until");
                expect_words(|| format!("round {round}"), &data.to_vec().expect("read"), |_| round);
                shmem.p(flag.at(1), round, 0).expect("p");
            }
            _ => {}
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a result that another thread gets: more threads than there are slots for results ask at once, and others
/// post between them.
fn results_and_additions_of_threads(shmem: &Shmem) {
    const THREADS: u64 = 12;
    const TIMES: u64 = 40;
    let all = words(shmem, 2);
    let (numbers, counter) = (all.at(0), all.at(1));
    if shmem.my_pe() == 0 {
        let got: Vec<u64> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS)
                .map(|_| {
                    scope.spawn(move || {
                        let one = || {
                            add(shmem, counter, 1, 2);
                            shmem.fetch_add(numbers, 1, 2).expect("fetch_add")
                        };
                        (0..TIMES).map(|_| one()).collect::<Vec<u64>>()
                    })
                })
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("it ends")).collect()
        });
        let mut sorted = got;
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..THREADS * TIMES), "each number once: {sorted:?}");
        shmem.quiet().expect("quiet");
        assert_eq!(shmem.g(counter, 2).expect("g"), THREADS * TIMES);
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches requests of threads that get the same slot of a full queue, and a quiet that does not cover what its thread
/// has posted, or another one that it has heard of. PE 2, alone on its node, is stopped until all four threads wait.
fn threads_fill_the_queue(shmem: &Shmem) {
    const THREADS: u64 = 4;
    const TIMES: u64 = 900;
    let process = process_of(shmem, 2, 0);
    let all = words(shmem, 3);
    let (counter, numbers, done) = (all.at(0), all.at(1), all.at(2));
    if shmem.my_pe() == 0 {
        let stopped = Stopped::now(process);
        let begun = AtomicU64::new(0);
        let one = |i: u64| {
            add(shmem, counter, 1, 2);
            // What a thread finds in the count was posted before.
            let posted = begun.fetch_add(1, Ordering::AcqRel) + 1;
            if i % 100 == 99 {
                shmem.quiet().expect("quiet");
                assert!(shmem.g(counter, 2).expect("g") >= posted, "a quiet missed some of {posted}");
            }
            (i % 100 >= 95).then(|| shmem.fetch_add(numbers, 1, 2).expect("fetch_add"))
        };
        let got: Vec<u64> = std::thread::scope(|scope| {
            let threads =
                [0; THREADS as usize].map(|_| scope.spawn(|| (0..TIMES).filter_map(one).collect::<Vec<u64>>()));
            expect_status(&[": waiting for PE 2 for "]);
            drop(stopped);
            threads.into_iter().flat_map(|thread| thread.join().expect("it ends")).collect()
        });
        let mut sorted = got;
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..sorted.len() as u64), "each number once: {sorted:?}");
        shmem.quiet().expect("quiet");
        assert_eq!(shmem.g(counter, 2).expect("g"), THREADS * TIMES);
        (1..3).for_each(|pe| shmem.p(done, 1, pe).expect("p"));
    } else {
        idle_until_set(shmem, done);
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches an operation that waits for its result although it may come later, a result that a quiet does not wait for,
/// and one that is lost when the queue is full. With 3 PEs the last one, alone on its node, is stopped at first.
fn results_come_with_a_quiet(shmem: &Shmem) {
    const BURST: usize = 200;
    const MANY: usize = 700;
    let (last, raw) = (shmem.n_pes() - 1, shmem.raw());
    let process = process_of(shmem, last, 0);
    let all = words(shmem, 2);
    let (counter, done) = (own(shmem, all.at(0)), all.at(1));
    if shmem.my_pe() == 0 {
        let mut results = vec![u64::MAX; MANY];
        let start = results.as_mut_ptr();
        let ask = |at: usize| {
            // SAFETY: the element is in the vector, which lives until the quiet.
            let later = unsafe { raw.later(start.add(at)) };
            later.update(counter, 1, AmoOp::Add, last).expect("update");
        };
        let stopped = (last == 2).then(|| Stopped::now(process));
        (0..BURST).for_each(ask);
        if let Some(stopped) = stopped {
            assert_eq!(state(process), Some('T'), "the PE ran meanwhile");
            drop(stopped);
        }
        (BURST..MANY).for_each(ask);
        shmem.quiet().expect("quiet");
        expect_words(|| "results".into(), &results, |at| at as u64);
        let mut condition = [u64::MAX; 2];
        let [first, second] = &mut condition;
        // SAFETY: the array is not touched before the quiet.
        unsafe {
            raw.later(first).compare_swap(counter, MANY as u64, 5, last).expect("compare_swap");
            raw.later(second).compare_swap(counter, MANY as u64, 6, last).expect("compare_swap");
        }
        shmem.quiet().expect("quiet");
        assert_eq!(condition, [MANY as u64, 5]);
        (1..=last).for_each(|pe| shmem.p(done, 1, pe).expect("p"));
    } else {
        idle_until_set(shmem, done);
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a result that is stored where another thread wants its own, also by a thread that only needs a slot.
fn results_of_threads_come_with_a_quiet(shmem: &Shmem) {
    const THREADS: usize = 4;
    const TIMES: usize = 400;
    let word = words(shmem, 1).at(0);
    if shmem.my_pe() == 0 {
        let mut results = vec![vec![u64::MAX; TIMES]; THREADS];
        std::thread::scope(|scope| {
            for results in &mut results {
                scope.spawn(move || {
                    let start = results.as_mut_ptr();
                    for at in 0..TIMES {
                        // SAFETY: the element is in the vector, which is not touched before the quiet.
                        let later = unsafe { shmem.raw().later(start.add(at)) };
                        later.update(own(shmem, word), 1, AmoOp::Add, 2).expect("update");
                        if at % 150 == 149 {
                            shmem.quiet().expect("quiet");
                            // SAFETY: as before; this element is complete.
                            let result = unsafe { start.add(at).read_volatile() };
                            assert_ne!(result, u64::MAX, "result {at}");
                        }
                    }
                    shmem.quiet().expect("quiet");
                });
            }
        });
        for results in &results {
            assert!(results.is_sorted(), "a thread's own operations keep their order: {results:?}");
        }
        let mut sorted = results.concat();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..(THREADS * TIMES) as u64), "each number once: {sorted:?}");
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a thread that waits for its turn to ask without saying so: 12 threads want results of PE 2, which is alone
/// on its node and stopped.
fn every_thread_that_waits_for_a_result_is_listed(shmem: &Shmem) {
    const THREADS: u64 = 12;
    let process = process_of(shmem, 2, 0);
    let all = words(shmem, 2);
    let (counter, done) = (all.at(0), all.at(1));
    if shmem.my_pe() == 0 {
        let stopped = Stopped::now(process);
        let ask = || shmem.fetch_add(counter, 1, 2).expect("fetch_add");
        let sum: u64 = std::thread::scope(|scope| {
            let threads = [0; THREADS as usize].map(|_| scope.spawn(ask));
            expect_status(&[
                "PE 0: atomic operation on PE 2, by a PE of node 1: waiting for PE 2 for ",
                "; 4 more threads",
            ]);
            drop(stopped);
            threads.into_iter().map(|thread| thread.join().expect("it ends")).sum()
        });
        assert_eq!(sum, (0..THREADS).sum::<u64>());
        (1..3).for_each(|pe| shmem.p(done, 1, pe).expect("p"));
    } else {
        idle_until_set(shmem, done);
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches operations of one PE on one node that change places, also where several PEs carry them out: each result
/// shows the operations before it.
fn operations_of_one_pe_keep_their_order(shmem: &Shmem) {
    let word = words(shmem, 1).at(0);
    if shmem.my_pe() == shmem.n_pes() - 1 {
        for round in 1..=100 {
            shmem.atomic_set(word, round, 0).expect("atomic_set");
            (0..round % 7).for_each(|_| add(shmem, word, 1000, 0));
            assert_eq!(shmem.swap(word, 0, 0).expect("swap"), round + 1000 * (round % 7));
        }
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches an addition that waits for its answer: the PE that would answer is stopped, and PE 0 posts a burst to it.
fn a_burst_waits_for_no_answer(shmem: &Shmem) {
    const BURST: u64 = 200;
    let process = process_of(shmem, 2, 0);
    let all = words(shmem, 2);
    let (counter, done) = (all.at(0), all.at(1));
    if shmem.my_pe() == 0 {
        let stopped = Stopped::now(process);
        (0..BURST).for_each(|_| add(shmem, counter, 2, 2));
        assert_eq!(state(process), Some('T'), "PE 2 ran meanwhile");
        assert_eq!(shmem.g(counter, 2).expect("g"), 0, "PE 2 is stopped");
        drop(stopped);
        shmem.quiet().expect("quiet");
        assert_eq!(shmem.g(counter, 2).expect("g"), 2 * BURST);
        (1..3).for_each(|pe| shmem.p(done, 1, pe).expect("p"));
    } else {
        idle_until_set(shmem, done);
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a queue that is overwritten when it is full, and a wait that does not say for whom. PE 2, alone on its node,
/// is stopped.
fn a_full_queue_waits_and_says_for_whom(shmem: &Shmem) {
    const BURST: u64 = 700;
    let process = process_of(shmem, 2, 0);
    let all = words(shmem, 2);
    let (counter, done) = (all.at(0), all.at(1));
    match shmem.my_pe() {
        0 => {
            let stopped = Stopped::now(process);
            shmem.p(done, 1, 1).expect("p");
            expect_status(&[
                "PE 1: ",
                // Where the target polls, it is the put of a request that waits.
                ": waiting for PE 2 for ",
                "PE 2: does not answer: its process is stopped\n",
            ]);
            drop(stopped);
        }
        1 => {
            idle_until_set(shmem, done);
            (0..BURST).for_each(|_| add(shmem, counter, 1, 2));
            shmem.quiet().expect("quiet");
            assert_eq!(shmem.g(counter, 2).expect("g"), BURST);
            shmem.p(done, 1, 2).expect("p");
        }
        _ => idle_until_set(shmem, done),
    }
    shmem.barrier_all().expect("barrier");
}
