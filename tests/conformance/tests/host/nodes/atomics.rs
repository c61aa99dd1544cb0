//! Atomic operations between nodes: all PEs, near and far, operate on the same word.

use cushmem::{Amo, Shmem, SymPtr};
use cushmem_conformance::{Sample, on_nodes, seeded};

on_nodes! {
    numbers_are_given_once: 3 on 2, 4 on 2, 3 on 3;
    compare_swap_lets_one_in: 3 on 2, 4 on 4;
    bits_and_swaps_are_not_lost: 4 on 2;
    operations_keep_to_their_word: 4 on 2;
}

/// Returns a word of each PE that is 0.
fn word<T: Sample>(shmem: &Shmem) -> SymPtr<'_, T> {
    let word = shmem.malloc::<T>(1).expect("malloc").at(0);
    word.as_slice().copy_from(&[T::sample(0)]).expect("clear");
    shmem.barrier_all().expect("barrier");
    word
}

/// Catches an addition that is lost or carried out twice, by one PE of the word's node or by two of them, and an answer
/// to another request.
fn numbers_are_given_once(shmem: &Shmem) {
    fn of_type<T: Amo + Sample>(shmem: &Shmem) {
        const TIMES: usize = 200;
        let (me, n) = (shmem.my_pe() as usize, shmem.n_pes() as usize);
        let counter = word::<T>(shmem);
        let all = shmem.malloc::<u64>(n * TIMES).expect("malloc");
        // Also a PE other than PE 0, whose node's areas hold the requests.
        for home in [0, 1] {
            let numbers: Vec<u64> =
                (0..TIMES).map(|_| shmem.fetch_add(counter, T::sample(1), home).expect("fetch_add").bits()).collect();
            assert!(numbers.is_sorted_by(|a, b| a < b), "a number after a later one: {numbers:?}");
            shmem.put(all.slice(me * TIMES..(me + 1) * TIMES), &numbers, 0).expect("put");
            shmem.barrier_all().expect("barrier");
            if me == 0 {
                let mut all = all.to_vec().expect("read");
                all.sort_unstable();
                let wrong = (0..n * TIMES).find(|&i| all[i] != i as u64);
                assert_eq!(wrong, None, "of the numbers in order, on PE {home}: {all:?}");
            }
            assert_eq!(shmem.atomic_fetch(counter, home).expect("atomic_fetch").bits(), (n * TIMES) as u64);
            shmem.barrier_all().expect("barrier");
        }
    }
    of_type::<u32>(shmem);
    of_type::<u64>(shmem);
}

/// Catches a compare_swap that compares and stores in two steps, or that returns something other than what it found,
/// for words of 4 and 8 bytes.
fn compare_swap_lets_one_in(shmem: &Shmem) {
    fn of_type<T: Amo + Sample>(shmem: &Shmem) {
        const TIMES: u64 = 30;
        let (n, home) = (shmem.n_pes(), shmem.n_pes() - 1);
        let counter = word::<T>(shmem);
        for _ in 0..TIMES {
            let mut expected = T::sample(0);
            loop {
                let next = T::sample(expected.bits() + 1);
                let found = shmem.compare_swap(counter, expected, next, home).expect("compare_swap");
                if found.bits() == expected.bits() {
                    break;
                }
                expected = found;
            }
        }
        shmem.barrier_all().expect("barrier");
        let sum = shmem.atomic_fetch(counter, home).expect("atomic_fetch").bits();
        assert_eq!(sum, TIMES * u64::from(n));
        shmem.barrier_all().expect("barrier");
    }
    of_type::<i32>(shmem);
    of_type::<i64>(shmem);
}

/// Catches a bit that another PE's operation undoes, and a swapped value that is lost or given to two PEs.
fn bits_and_swaps_are_not_lost(shmem: &Shmem) {
    let (me, n) = (shmem.my_pe(), u64::from(shmem.n_pes()));
    let (bits, swapped, sum) = (word::<u32>(shmem), word::<u64>(shmem), word::<u64>(shmem));
    let own = 0b111 << (3 * me);
    let place = |bits: u32| bits << (3 * me) & own;
    for _ in 0..40 {
        assert_eq!(shmem.fetch_or(bits, place(0b011), 0).expect("fetch_or") & own, 0);
        assert_eq!(shmem.fetch_xor(bits, place(0b110), 0).expect("fetch_xor") & own, place(0b011));
        assert_eq!(shmem.fetch_and(bits, !own, 0).expect("fetch_and") & own, place(0b101));
    }
    const TIMES: u64 = 60;
    let mine = (1..=TIMES).map(|i| u64::from(me) * TIMES + i);
    let got: u64 = mine.map(|value| shmem.swap(swapped, value, 0).expect("swap")).sum();
    shmem.fetch_add(sum, got, 0).expect("fetch_add");
    shmem.barrier_all().expect("barrier");
    let left = shmem.atomic_fetch(swapped, 0).expect("atomic_fetch");
    let all = n * TIMES;
    assert_eq!(shmem.atomic_fetch(sum, 0).expect("atomic_fetch") + left, all * (all + 1) / 2);
    assert_eq!(shmem.atomic_fetch(bits, 0).expect("atomic_fetch"), 0);
    shmem.barrier_all().expect("barrier");
}

/// Catches an operation on the wrong word, on the wrong PE, or of the wrong width: words side by side, each with its
/// own sum on each PE.
fn operations_keep_to_their_word(shmem: &Shmem) {
    fn of_type<T: Amo + Sample>(shmem: &Shmem) {
        const WORDS: usize = 5;
        const TIMES: u64 = 150;
        let (me, n) = (shmem.my_pe(), shmem.n_pes());
        let words = shmem.malloc::<T>(WORDS).expect("malloc");
        words.copy_from(&[T::sample(0); WORDS]).expect("clear");
        shmem.barrier_all().expect("barrier");
        let draw = |of: u32| {
            let mut random = seeded().split(u64::from(of) + 1);
            // Such numbers wrap around, and would carry into the next word.
            (0..TIMES).map(move |_| (random.below(n as usize) as u32, random.below(WORDS), random.bits()))
        };
        for (pe, word, value) in draw(me) {
            shmem.fetch_add(words.at(word), T::sample(value), pe).expect("fetch_add");
        }
        shmem.barrier_all().expect("barrier");
        let mut sums = [0u64; WORDS];
        for (_, word, value) in (0..n).flat_map(draw).filter(|(pe, ..)| *pe == me) {
            sums[word] = sums[word].wrapping_add(value);
        }
        let found = words.to_vec().expect("read");
        for word in 0..WORDS {
            assert_eq!(found[word].bits(), T::sample(sums[word]).bits(), "word {word} on PE {me}");
        }
        shmem.barrier_all().expect("barrier");
    }
    of_type::<u32>(shmem);
    of_type::<i64>(shmem);
}
