//! Many threads of a PE at the same time.

use cushmem::{Cmp, Shmem, SignalOp};
use cushmem_conformance::{conformance, seeded};
use cushmem_conformance_kernels::mix;

conformance! { host, soft, cuda => { threads_do_not_disturb_each_other: 1, 2; } }

const CHECK: &[(&str, &str)] = &[("CUSHMEM_CHECK", "1")];

mod checked {
    use super::{CHECK, threads_do_not_disturb_each_other};
    cushmem_conformance::conformance! { with CHECK: host, soft => { threads_do_not_disturb_each_other: 2; } }
}

const THREADS: usize = 4;
const ROUNDS: u64 = 150;
const LEN: usize = 48;

/// Catches updates that are lost, data that arrives after its signal or after a quiet, and a thread that waits for
/// another one's allocation: some threads exchange data with the same threads of the next PE, while one thread
/// allocates, resizes and frees.
pub fn threads_do_not_disturb_each_other(shmem: &Shmem) {
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let (next, previous) = ((me + 1) % n, (me + n - 1) % n);
    let data = shmem.malloc::<u64>(THREADS * LEN).expect("malloc");
    let mirror = match shmem.gpu() {
        Some(_) => shmem.malloc_gpu::<u64>(THREADS * LEN).expect("malloc_gpu"),
        None => shmem.malloc(THREADS * LEN).expect("malloc"),
    };
    let (sig, ack) = (shmem.malloc::<u64>(THREADS).expect("malloc"), shmem.malloc::<u64>(THREADS).expect("malloc"));
    let counter = shmem.malloc::<u64>(2).expect("malloc");
    for words in [sig, ack, counter] {
        words.copy_from(&vec![0; words.len()]).expect("clear");
    }
    shmem.barrier_all().expect("barrier");
    let exchange = |t: usize| {
        let mine = t * LEN..(t + 1) * LEN;
        let (sig, ack) = (sig.at(t), ack.at(t));
        let datum = |from: u32, round: u64, i: usize| mix(round, (u64::from(from) << 32) + (t * LEN + i) as u64);
        for round in 1..=ROUNDS {
            shmem.wait_until(ack, Cmp::Ge, round - 1).expect("wait_until");
            let words: Vec<u64> = (0..LEN).map(|i| datum(me, round, i)).collect();
            let data = data.slice(mine.clone());
            shmem.put_signal(data, &words, sig, round, SignalOp::Set, next).expect("put_signal");
            shmem.wait_until(sig, Cmp::Ge, round).expect("wait_until");
            let seen = data.to_vec().expect("read");
            let wrong = (0..LEN).find(|&i| seen[i] != datum(previous, round, i));
            assert!(wrong.is_none(), "thread {t}, round {round}: word {wrong:?} after the signal");
            // Nobody else writes this part of the next PE's memory, whatever its kind.
            let mirror = mirror.slice(mine.clone());
            shmem.put_nbi(mirror, data, next).expect("put_nbi");
            shmem.quiet().expect("quiet");
            let mut back = vec![0; LEN];
            shmem.get(&mut back, mirror, next).expect("get");
            assert_eq!(back, seen, "thread {t}, round {round}: what was put before quiet");
            // The data may be overwritten.
            shmem.p(ack, round, previous).expect("p");
            shmem.fetch_add(counter.at(0), 1, round as u32 % n).expect("fetch_add");
            while shmem.compare_swap(counter.at(1), 0, 1, 0).expect("compare_swap") != 0 {
                std::thread::yield_now();
            }
            shmem.p(counter.at(1), 0, 0).expect("p");
        }
    };
    std::thread::scope(|scope| {
        for t in 0..THREADS {
            scope.spawn(move || exchange(t));
        }
        let mut random = seeded();
        for round in 0..ROUNDS {
            let object = shmem.malloc::<u64>(1 + random.below(5000)).expect("malloc");
            shmem.p(object.at(object.len() - 1), round ^ u64::from(me), next).expect("p");
            shmem.barrier_all().expect("barrier");
            let word = object.at(object.len() - 1);
            assert_eq!(shmem.g(word, me).expect("g"), round ^ u64::from(previous), "round {round}");
            shmem.free(object).expect("free");
        }
    });
    shmem.barrier_all().expect("barrier");
    let counts: Vec<u64> = (0..n).map(|pe| shmem.g(counter.at(0), pe).expect("g")).collect();
    assert_eq!(counts.iter().sum::<u64>(), u64::from(n) * THREADS as u64 * ROUNDS, "{counts:?}");
    shmem.barrier_all().expect("barrier");
}
