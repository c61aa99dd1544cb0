//! Locks: one holder at a time, first come, first served.

use cushmem::{Shmem, SymPtr, SymSlice};
use cushmem_conformance::{conformance, expect_status, gpus_reach_each_other, seeded};
use std::time::{Duration, Instant};

conformance! { host, soft => {
    one_holder_at_a_time: 1, 2, 3, 8;
    who_comes_first_is_served_first: 2, 5, 8;
    wrong_calls_are_errors: 2;
    who_holds_it_is_named: 3;
} }

/// Locks in GPU memory, where GPU agents change the words: each PE's agent those that it reaches, otherwise the
/// owner's.
mod on_gpu {
    use super::Kind::Gpu;
    use cushmem::Shmem;

    pub fn one_holder_at_a_time(shmem: &Shmem) {
        super::hold_in_turn(shmem, Gpu);
    }
    pub fn who_comes_first_is_served_first(shmem: &Shmem) {
        super::serve_in_order(shmem, Gpu);
    }
    pub fn wrong_calls_are_errors(shmem: &Shmem) {
        super::call_wrongly(shmem, Gpu);
    }
    pub fn who_holds_it_is_named(shmem: &Shmem) {
        super::name_the_holder(shmem, Gpu);
    }

    cushmem_conformance::conformance! { soft, cuda => {
        one_holder_at_a_time: 1, 2, 4;
        who_comes_first_is_served_first: 2, 4;
        wrong_calls_are_errors: 2;
        who_holds_it_is_named: 3;
    } }

    mod apart {
        use super::one_holder_at_a_time;
        const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
        cushmem_conformance::conformance! { with APART: soft, cuda => { one_holder_at_a_time: 2, 4; } }
    }

    mod on_nodes {
        use super::one_holder_at_a_time;
        const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
        cushmem_conformance::on_nodes! { with SOFT: { one_holder_at_a_time: 3 on 2; } }
    }
}

/// The kind of memory that holds the locks.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Host,
    Gpu,
}

fn one_holder_at_a_time(shmem: &Shmem) {
    hold_in_turn(shmem, Kind::Host);
}

fn who_comes_first_is_served_first(shmem: &Shmem) {
    serve_in_order(shmem, Kind::Host);
}

fn wrong_calls_are_errors(shmem: &Shmem) {
    call_wrongly(shmem, Kind::Host);
}

fn who_holds_it_is_named(shmem: &Shmem) {
    name_the_holder(shmem, Kind::Host);
}

/// Returns locks side by side, each with a different owner, all free.
fn locks(shmem: &Shmem, kind: Kind, n: usize) -> SymSlice<'_, i64> {
    let locks = if kind == Kind::Host { shmem.malloc(n) } else { shmem.malloc_gpu(n) }.expect("memory");
    locks.copy_from(&vec![0; n]).expect("clear");
    shmem.barrier_all().expect("barrier");
    locks
}

/// Catches two holders at once, because each reads a counter and writes it back in two steps, and a holder that does
/// not see what the previous one put, to either memory. Half of the PEs try repeatedly instead of waiting.
fn hold_in_turn(shmem: &Shmem, kind: Kind) {
    const LOCKS: usize = 3;
    // An operation on the emulated GPU takes much longer.
    let rounds = if kind == Kind::Host { 400 } else { 30 };
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let locks = locks(shmem, kind, LOCKS);
    let guarded = if kind == Kind::Host { shmem.malloc::<u64>(LOCKS) } else { shmem.malloc_gpu(LOCKS) };
    let guarded = guarded.expect("memory");
    guarded.copy_from(&[0; LOCKS]).expect("clear");
    let counters = shmem.malloc::<u64>(LOCKS).expect("malloc");
    counters.copy_from(&[0; LOCKS]).expect("clear");
    shmem.barrier_all().expect("barrier");
    let mut random = seeded().split(me.into());
    for _ in 0..rounds {
        let which = random.below(LOCKS);
        let (lock, counter) = (locks.at(which), counters.at(which));
        if random.below(2) == 0 {
            while !shmem.test_lock(lock).expect("test_lock") {
                std::thread::yield_now();
            }
        } else {
            shmem.set_lock(lock).expect("set_lock");
        }
        assert!(!shmem.test_lock(lock).expect("test_lock"), "it is held");
        // The counter is not on the PE where the lock's queue ends.
        let home = which as u32 % n;
        let before = shmem.g(counter, home).expect("g");
        assert_eq!(shmem.g(guarded.at(which), home).expect("g"), before, "the other word is of another turn");
        if random.below(50) == 0 {
            std::thread::sleep(Duration::from_micros(random.below(200) as u64));
        }
        shmem.p(counter, before + 1, home).expect("p");
        shmem.p(guarded.at(which), before + 1, home).expect("p");
        shmem.clear_lock(lock).expect("clear_lock");
    }
    shmem.barrier_all().expect("barrier");
    let sum: u64 = (0..LOCKS).map(|which| shmem.g(counters.at(which), which as u32 % n).expect("g")).sum();
    assert_eq!(sum, rounds * u64::from(n));
    assert_eq!(locks.to_vec().expect("read"), [0; LOCKS], "nothing stays in a lock that is free");
}

/// Returns the number of the last PE in a lock's queue, plus 1. It is in the lower half of the word on one of the PEs.
fn last(shmem: &Shmem, lock: SymPtr<'_, i64>) -> u32 {
    (0..shmem.n_pes())
        .map(|pe| shmem.fetch_add(lock, 0, pe).expect("fetch") as u32)
        .find(|tail| *tail != 0)
        .unwrap_or(0)
}

/// Waits until this PE is the last one in the queue.
fn await_last(shmem: &Shmem, lock: SymPtr<'_, i64>, pe: u32) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while last(shmem, lock) != pe + 1 {
        assert!(Instant::now() < deadline, "PE {pe} did not come");
        std::thread::yield_now();
    }
}

/// Catches a PE that overtakes another. Each PE asks once it has seen the previous one in the queue, in a different
/// order each round.
fn serve_in_order(shmem: &Shmem, kind: Kind) {
    let (me, n) = (shmem.my_pe(), shmem.n_pes());
    let mut random = seeded();
    let locks = locks(shmem, kind, 10);
    let order = shmem.malloc::<u32>(1 + n as usize).expect("malloc");
    for round in 0..10 {
        let lock = locks.at(round);
        let mut expected: Vec<u32> = (0..n).collect();
        for i in (1..expected.len()).rev() {
            expected.swap(i, random.below(i + 1));
        }
        order.copy_from(&vec![0; 1 + n as usize]).expect("clear");
        shmem.barrier_all().expect("barrier");
        let my_turn = expected.iter().position(|pe| *pe == me).expect("every PE has a turn");
        if my_turn > 0 {
            await_last(shmem, lock, expected[my_turn - 1]);
        }
        shmem.set_lock(lock).expect("set_lock");
        if my_turn == 0 {
            // The first PE holds the lock until all are in the queue.
            while last(shmem, lock) != expected[n as usize - 1] + 1 {
                std::thread::yield_now();
            }
        }
        let place = shmem.fetch_add(order.at(0), 1, 0).expect("fetch_add");
        shmem.p(order.at(1 + place as usize), me, 0).expect("p");
        shmem.clear_lock(lock).expect("clear_lock");
        shmem.barrier_all().expect("barrier");
        if me == 0 {
            assert_eq!(order.to_vec().expect("read")[1..], expected, "round {round}");
        }
        shmem.barrier_all().expect("barrier");
    }
}

/// Wrong calls that a PE recognises without asking others.
fn call_wrongly(shmem: &Shmem, kind: Kind) {
    let locks = locks(shmem, kind, 3);
    if shmem.my_pe() == 1 {
        let text = |result: cushmem::Result<()>| result.expect_err("a mistake").to_string();
        let (lock, other) = (locks.at(0), locks.at(1));
        assert_eq!(text(shmem.clear_lock(lock)), "clear_lock: this PE does not hold the lock");
        shmem.set_lock(lock).expect("it is free");
        assert!(text(shmem.set_lock(lock)).starts_with("set_lock: this PE already holds the lock"));
        shmem.clear_lock(lock).expect("it is held");
        assert_eq!(text(shmem.clear_lock(lock)), "clear_lock: this PE does not hold the lock");
        for pe in 0..2 {
            shmem.p(other, 77, pe).expect("p");
        }
        let damaged = text(shmem.set_lock(other));
        assert!(damaged.contains("a word of the lock is 0x4d: it was not 0 on all PEs"), "{damaged}");
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a wait for a lock that does not name the holder.
fn name_the_holder(shmem: &Shmem, kind: Kind) {
    let me = shmem.my_pe();
    let lock = locks(shmem, kind, 1).at(0);
    if me == 1 {
        shmem.set_lock(lock).expect("set_lock");
    }
    shmem.barrier_all().expect("barrier");
    if me == 2 {
        await_last(shmem, lock, 0);
    }
    if me == 1 {
        // On hosts, nothing is asked below, so this alone keeps the lock until both others stand in line.
        await_last(shmem, lock, 2);
        // A PE that does not reach the others' memory, such as one of another node, cannot see who holds it.
        let is_mapped = kind == Kind::Host || gpus_reach_each_other();
        let near = |pe| is_mapped && shmem.team_shared().pes().number_of(pe).is_some();
        let held = |pe| if near(pe) { "held by PE 1" } else { "behind PE" };
        expect_status(&[
            "PE 0: set_lock of the lock at 0x",
            held(0),
            "PE 1: computing\n",
            "PE 2: set_lock of the lock at 0x",
            held(2),
        ]);
    } else {
        shmem.set_lock(lock).expect("set_lock");
    }
    shmem.clear_lock(lock).expect("clear_lock");
    shmem.barrier_all().expect("barrier");
}
