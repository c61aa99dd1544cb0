//! Atomics on host memory, with all PEs on the same words.

use cushmem::{Amo, Shmem};
use cushmem_conformance::{Sample, conformance, seeded};

conformance! { host, soft => {
    additions: 1, 2, 4, 8;
    tickets: 2, 4;
    lock: 1, 2, 4, 8;
    bits: 1, 2, 4, 8;
    swaps: 1, 2, 4;
} }

/// Catches an addition that is lost, has the wrong width, or carries into the next word.
fn additions(shmem: &Shmem) {
    fn of_type<T: Amo + Sample>(shmem: &Shmem) {
        const TIMES: u64 = 5000;
        let n = u64::from(shmem.n_pes());
        // The middle word wraps around; its neighbours must not change.
        let words = shmem.malloc::<T>(3).expect("malloc");
        words.copy_from(&[T::sample(u64::MAX), T::sample(u64::MAX), T::sample(0)]).expect("write");
        shmem.barrier_all().expect("barrier");
        let mut random = seeded().split(shmem.my_pe().into());
        for _ in 0..TIMES {
            let pe = random.below(n as usize) as u32;
            shmem.fetch_add(words.at(1), T::sample(u64::from(shmem.my_pe()) + 1), pe).expect("fetch_add");
        }
        shmem.barrier_all().expect("barrier");
        let mut sum = 0u64;
        for pe in 0..shmem.n_pes() {
            sum = sum.wrapping_add(shmem.g(words.at(1), pe).expect("g").bits()).wrapping_add(1);
        }
        let expected = T::sample(TIMES * n * (n + 1) / 2);
        assert_eq!(T::sample(sum).bits(), expected.bits(), "sum over all PEs");
        let around = [words.at(0), words.at(2)].map(|word| shmem.g(word, shmem.my_pe()).expect("g").bits());
        assert_eq!(around, [T::sample(u64::MAX).bits(), 0], "a neighbour has changed");
        shmem.barrier_all().expect("barrier");
        shmem.free(words).expect("free");
    }
    of_type::<u32>(shmem);
    of_type::<i32>(shmem);
    of_type::<u64>(shmem);
    of_type::<i64>(shmem);
    of_type::<usize>(shmem);
}

/// Catches two PEs that get the same value from one counter.
fn tickets(shmem: &Shmem) {
    const TIMES: usize = 5000;
    let total = TIMES * shmem.n_pes() as usize;
    let counter = shmem.malloc::<u64>(1).expect("malloc");
    let taken = shmem.malloc::<u32>(total).expect("malloc");
    counter.copy_from(&[0]).expect("write");
    taken.copy_from(&vec![0; total]).expect("write");
    shmem.barrier_all().expect("barrier");
    let mut last = None;
    for _ in 0..TIMES {
        let ticket = shmem.fetch_add(counter.at(0), 1, 0).expect("fetch_add");
        assert!(last.is_none_or(|last| last < ticket), "ticket {ticket} after {last:?}");
        last = Some(ticket);
        shmem.fetch_add(taken.at(ticket as usize), 1, 0).expect("fetch_add");
    }
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 0 {
        let taken = taken.to_vec().expect("read");
        assert!(taken.iter().all(|&t| t == 1), "ticket {:?} was not given once", taken.iter().position(|&t| t != 1));
    }
}

/// Catches a compare_swap that lets two PEs in, or that does not order what the lock protects: words that are not
/// atomic themselves.
fn lock(shmem: &Shmem) {
    const TIMES: u64 = 2000;
    let lock = shmem.malloc::<i64>(1).expect("malloc").at(0);
    let guarded = shmem.malloc::<u64>(2).expect("malloc");
    guarded.copy_from(&[0; 2]).expect("write");
    lock.as_slice().copy_from(&[-1]).expect("write");
    shmem.barrier_all().expect("barrier");
    let (home, me) = (shmem.n_pes() - 1, i64::from(shmem.my_pe()));
    for _ in 0..TIMES {
        loop {
            let before = shmem.compare_swap(lock, -1, me, home).expect("compare_swap");
            assert_ne!(before, me, "the lock was held by who asks for it");
            if before == -1 {
                break;
            }
            std::thread::yield_now();
        }
        let count = shmem.g(guarded.at(0), home).expect("g");
        shmem.p(guarded.at(0), count + 1, home).expect("p");
        assert_eq!(shmem.g(guarded.at(1), home).expect("g"), count, "the second word is of another time");
        shmem.p(guarded.at(1), count + 1, home).expect("p");
        // An atomic operation is not ordered behind puts.
        shmem.quiet().expect("quiet");
        assert_eq!(shmem.compare_swap(lock, me, -1, home).expect("compare_swap"), me, "somebody else took the lock");
    }
    shmem.barrier_all().expect("barrier");
    let total = TIMES * u64::from(shmem.n_pes());
    assert_eq!(shmem.g(guarded.at(0), home).expect("g"), total);
}

/// Catches a bit that is lost, or that is not the intended one: each PE has its own bit in the words of all PEs.
pub fn bits(shmem: &Shmem) {
    fn of_type<T: Amo + Sample>(shmem: &Shmem) {
        let (me, n) = (shmem.my_pe(), shmem.n_pes());
        let own = |bits: u64| T::sample(bits << (3 * me));
        let word = shmem.malloc::<T>(1).expect("malloc").at(0);
        shmem.atomic_set(word, T::sample(0), me).expect("atomic_set");
        shmem.barrier_all().expect("barrier");
        for pe in 0..n {
            for _ in 0..500 {
                let before = shmem.fetch_or(word, own(0b011), pe).expect("fetch_or").bits() >> (3 * me) & 7;
                assert_eq!(before, 0, "before or");
                let before = shmem.fetch_xor(word, own(0b110), pe).expect("fetch_xor").bits() >> (3 * me) & 7;
                assert_eq!(before, 0b011, "before xor");
                let before = shmem.fetch_and(word, T::sample(!(7 << (3 * me))), pe).expect("fetch_and");
                assert_eq!(before.bits() >> (3 * me) & 7, 0b101, "before and");
            }
            shmem.fetch_or(word, own(0b100), pe).expect("fetch_or");
        }
        shmem.barrier_all().expect("barrier");
        let expected = (0..n).fold(0, |all, pe| all | 0b100 << (3 * pe));
        for pe in 0..n {
            assert_eq!(shmem.atomic_fetch(word, pe).expect("atomic_fetch").bits(), expected, "on PE {pe}");
        }
        shmem.barrier_all().expect("barrier");
    }
    of_type::<u32>(shmem);
    of_type::<i32>(shmem);
    of_type::<u64>(shmem);
    of_type::<i64>(shmem);
}

/// Catches a value that is lost, or given to two PEs: the values put in are those taken out and the one that is left.
fn swaps(shmem: &Shmem) {
    const TIMES: u64 = 5000;
    let (me, n) = (u64::from(shmem.my_pe()), u64::from(shmem.n_pes()));
    let word = shmem.malloc::<f64>(1).expect("malloc").at(0);
    let out = shmem.malloc::<u64>(1).expect("malloc").at(0);
    shmem.barrier_all().expect("barrier");
    let got: f64 = (0..TIMES).map(|i| shmem.swap(word, (me * TIMES + i) as f64, 0).expect("swap")).sum();
    shmem.fetch_add(out, got as u64, 0).expect("fetch_add");
    shmem.barrier_all().expect("barrier");
    let left = shmem.atomic_fetch(word, 0).expect("atomic_fetch");
    let all = n * TIMES;
    assert_eq!(shmem.g(out, 0).expect("g") + left as u64, all * (all - 1) / 2);
    shmem.barrier_all().expect("barrier");
}
