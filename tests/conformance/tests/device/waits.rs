//! Waits of a kernel for several words.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{Cmp, DevPtr, Grid, Kernel, Shmem, SymSlice, Word};
use cushmem_conformance::{conformance, expect_status};
use cushmem_conformance_kernels::{self as kernels, mix};
use std::time::Duration;

conformance! { soft, cuda => {
    words_are_taken_as_they_come: 2, 4;
    words_that_do_not_change: 1;
    words_and_signals_are_answered: 2, 3;
    the_first_missing_word_is_named: 2;
} }

/// Catches a wait that returns early, returns a word twice or leaves one out, and numbers that are not visible although
/// their word is: the previous PE's CPU stores each number, then its word, in an order that changes.
fn words_are_taken_as_they_come(shmem: &Shmem) {
    type Taken<T> = (DevPtr<T>, DevPtr<u64>, DevPtr<T>, DevPtr<i32>, usize, u64, u32, DevPtr<u64>, u64, DevPtr<u64>);
    fn of_type<T: Word>(rig: &Rig<'_>, take: impl Kernel<Args = Taken<T>>, value: impl Fn(u64, usize) -> T) {
        const N: usize = 7;
        let zeros = [value(0, 0); N];
        for on_gpu in [true, false] {
            let words: SymSlice<'_, T> = if on_gpu { rig.symmetric(&zeros) } else { rig.on_host(&zeros) };
            let numbers = if on_gpu { rig.symmetric(&[0u64; N]) } else { rig.on_host(&[0u64; N]) };
            let (values, taken) = (rig.private(&zeros), rig.private(&[0i32; N]));
            let (places, right) = (rig.private(&[0u64; N]), rig.private(&[0u64]));
            for (round, by) in (1..=rig.times(15, 300u64)).zip((0..5).cycle()) {
                let wanted: Vec<T> = (0..N).map(|at| value(round, at)).collect();
                values.copy_from(&wanted).expect("write");
                taken.copy_from(&[0; N]).expect("write");
                rig.barrier();
                let ends = (words.device_ptr(), numbers.device_ptr(), values.device_ptr(), taken.device_ptr());
                let args =
                    (ends.0, ends.1, ends.2, ends.3, N, round, by, places.device_ptr(), LIMIT_NS, right.device_ptr());
                rig.start(take, Grid::linear(1, 1), args);
                for i in 0..N {
                    let at = (i * 3 + round as usize) % N;
                    rig.shmem.p(numbers.at(at), mix(round, at as u64), rig.next()).expect("p");
                    rig.shmem.fence().expect("fence");
                    rig.shmem.p(words.at(at), wanted[at], rig.next()).expect("p");
                }
                rig.wait();
                assert_eq!(right.to_vec().expect("read"), [N as u64], "round {round}, by {by}, on the GPU: {on_gpu}");
                assert_eq!(taken.to_vec().expect("read"), [1; N]);
            }
        }
    }
    let rig = Rig::new(shmem);
    of_type(&rig, kernels::take_i32, |round, at| round as i32 * 16 + at as i32);
    of_type(&rig, kernels::take_u64, |round, at| mix(round, at as u64) | 1);
    rig.barrier();
}

/// Catches a wait for a word or a signal that returns early, another value or an old number, and a signal that is
/// fetched wrongly: the previous PE's CPU stores and announces two numbers, the second one later now and then.
fn words_and_signals_are_answered(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for on_gpu in [true, false] {
        let numbers = if on_gpu { rig.symmetric(&[0u64; 2]) } else { rig.on_host(&[0u64; 2]) };
        let word = if on_gpu { rig.symmetric(&[0i64]) } else { rig.on_host(&[0i64]) };
        let signal = if on_gpu { rig.symmetric(&[0u64]) } else { rig.on_host(&[0u64]) };
        let (answer, wrong) = (rig.on_host(&[0u64]), rig.private(&[9u64]));
        let rounds = rig.times(50, 1000);
        rig.barrier();
        let ends = (numbers.device_ptr(), word.device_ptr(), signal.device_ptr(), answer.device_ptr());
        let args = (ends.0, ends.1, ends.2, ends.3, rounds, rig.previous(), wrong.device_ptr());
        rig.start(kernels::answer_words, Grid::linear(1, 1), args);
        for round in 1..=rounds {
            shmem.p(numbers.at(0), mix(round, 0), rig.next()).expect("p");
            shmem.fence().expect("fence");
            shmem.p(word.at(0), round as i64, rig.next()).expect("p");
            if round % 10 == 0 {
                // The kernel has time to wait for the signal.
                std::thread::sleep(Duration::from_millis(1));
            }
            shmem.p(numbers.at(1), mix(round, 1), rig.next()).expect("p");
            shmem.fence().expect("fence");
            shmem.p(signal.at(0), round, rig.next()).expect("p");
            shmem.signal_wait_until(answer.at(0), Cmp::Ge, round).expect("signal_wait_until");
            assert_eq!(answer.to_vec().expect("read"), [round], "an answer that is ahead");
        }
        rig.wait();
        assert_eq!(wrong.to_vec().expect("read"), [0], "words of another round, on the GPU: {on_gpu}");
        rig.barrier();
    }
}

/// Catches a status array that is ignored, written or taken the other way round, a limit that is not kept, and what is
/// said of no words at all.
fn words_that_do_not_change(shmem: &Shmem) {
    type Looked<T> = (DevPtr<T>, DevPtr<i32>, DevPtr<T>, usize, DevPtr<u64>, DevPtr<u64>);
    fn of_type<T: Word>(rig: &Rig<'_>, looks: impl Kernel<Args = Looked<T>>, number: impl Fn(u32) -> T) {
        const N: usize = 5;
        let values: Vec<T> = (1..=N as u32).map(&number).collect();
        // Which words compare, and which are left out: masks.
        for compare in 0..1u64 << N {
            for left_out in [0, 0b1, 0b10110, 0b11111] {
                for n in [0, N] {
                    let word = |at: usize| if compare >> at & 1 == 1 { values[at] } else { number(100) };
                    let words = rig.private(&(0..N).map(word).collect::<Vec<T>>());
                    let status: Vec<i32> = (0..N).map(|at| -i32::from(left_out >> at & 1 == 1)).collect();
                    let (places, out) = (rig.private(&[0u64; N]), rig.private(&[9u64; 8]));
                    let (values, before) = (rig.private(&values), rig.private(&status));
                    let args = (
                        words.device_ptr(),
                        before.device_ptr(),
                        values.device_ptr(),
                        n,
                        places.device_ptr(),
                        out.device_ptr(),
                    );
                    rig.run(looks, Grid::linear(1, 1), args);
                    let all = (1u64 << n) - 1;
                    let (counted, found) = (all & !left_out, all & !left_out & compare);
                    let any = if found == 0 { u64::MAX } else { found.trailing_zeros().into() };
                    let is_all = u64::from(found == counted);
                    let differs = u64::from(n == 0 || compare & 1 == 0);
                    let expected = [compare & all, is_all, any, found, is_all, any, found, differs];
                    assert_eq!(out.to_vec().expect("read"), expected, "{compare:b} without {left_out:b} of {n}");
                    assert_eq!(before.to_vec().expect("read"), status);
                }
            }
        }
    }
    let rig = Rig::new(shmem);
    of_type(&rig, kernels::looks_f64, f64::from);
    of_type(&rig, kernels::looks_u32, |number| number << 27 | number);
}

/// Catches a hanging wait for several words that names none of them, or one that has come.
fn the_first_missing_word_is_named(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (words, address) = (rig.symmetric(&[0i64; 3]), rig.on_host(&[0u64]));
    rig.barrier();
    if shmem.my_pe() == 0 {
        shmem.p(address.at(0), words.device_ptr().address(), 1).expect("p");
    }
    rig.barrier();
    if shmem.my_pe() == 0 {
        rig.run(kernels::wait_for_all, Grid::linear(1, 1), (words.device_ptr(), 3, 6));
    } else {
        let first = address.to_vec().expect("read")[0];
        let lane = "kernel wait_for_all: block 0, thread 0 is in wait_until of the word at ";
        for at in 0..3 {
            let word = format!("{:#x} (now 0, wanted == 6)", first + 8 * at as u64);
            expect_status(&["PE 0: kernel wait_for_all for ", lane, &word, "PE 1: computing\n"]);
            shmem.p(words.at(at), 6, 0).expect("p");
        }
    }
    rig.barrier();
}
