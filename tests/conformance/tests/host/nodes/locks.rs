//! Locks between nodes.

use cushmem::Shmem;
use cushmem_conformance::{on_nodes, seeded};

on_nodes! {
    one_holder_at_a_time: 3 on 2, 4 on 2, 3 on 3;
    a_held_lock_is_refused: 3 on 2;
}

/// Catches two holders at once, because each reads two words and writes them back in two steps, and a lock that is free
/// before what its holder put has arrived. Some PEs try repeatedly instead of waiting.
fn one_holder_at_a_time(shmem: &Shmem) {
    const LOCKS: usize = 2;
    const ROUNDS: u64 = 30;
    let n = shmem.n_pes();
    let locks = shmem.malloc::<i64>(LOCKS).expect("malloc");
    let guarded = shmem.malloc::<u64>(2 * LOCKS).expect("malloc");
    locks.copy_from(&[0; LOCKS]).expect("clear");
    guarded.copy_from(&[0; 2 * LOCKS]).expect("clear");
    shmem.barrier_all().expect("barrier");
    let mut random = seeded().split(shmem.my_pe().into());
    for _ in 0..ROUNDS {
        let which = random.below(LOCKS);
        let lock = locks.at(which);
        if random.below(3) == 0 {
            while !shmem.test_lock(lock).expect("test_lock") {
                std::thread::yield_now();
            }
        } else {
            shmem.set_lock(lock).expect("set_lock");
        }
        // Words of the first PE and of the last one.
        let ends = [(guarded.at(which), 0), (guarded.at(LOCKS + which), n - 1)];
        let [first, last] = ends.map(|(word, home)| shmem.g(word, home).expect("g"));
        assert_eq!(first, last, "two holders, or one that has not seen all of the one before");
        ends.into_iter().for_each(|(word, home)| shmem.p(word, first + 1, home).expect("p"));
        shmem.clear_lock(lock).expect("clear_lock");
    }
    shmem.barrier_all().expect("barrier");
    let sum: u64 = (0..LOCKS).map(|which| shmem.g(guarded.at(which), 0).expect("g")).sum();
    assert_eq!(sum, ROUNDS * u64::from(n));
    assert_eq!(locks.to_vec().expect("read"), [0; LOCKS], "nothing stays in a lock that is free");
    shmem.barrier_all().expect("barrier");
}

/// Catches a test_lock that takes a lock that a PE on another node holds, or that does not take a free one. Each PE
/// holds each of the locks, which have different owners.
fn a_held_lock_is_refused(shmem: &Shmem) {
    const LOCKS: usize = 4;
    let locks = shmem.malloc::<i64>(LOCKS).expect("malloc");
    locks.copy_from(&[0; LOCKS]).expect("clear");
    shmem.barrier_all().expect("barrier");
    for holder in 0..shmem.n_pes() {
        for lock in (0..LOCKS).map(|which| locks.at(which)) {
            let holds = shmem.my_pe() == holder;
            if holds {
                assert!(shmem.test_lock(lock).expect("test_lock"), "it is free");
            }
            shmem.barrier_all().expect("barrier");
            if !holds {
                assert!(!shmem.test_lock(lock).expect("test_lock"), "PE {holder} holds it");
            }
            shmem.barrier_all().expect("barrier");
            if holds {
                shmem.clear_lock(lock).expect("clear_lock");
            }
            shmem.barrier_all().expect("barrier");
        }
    }
}
