//! Long waits: what they cost, and that they end.

use cushmem::{Cmp, Shmem};
use cushmem_conformance::{conformance, seeded};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;
use std::time::{Duration, Instant};

conformance! { host => {
    an_idle_wait_costs_little: 2, 3;
    who_sleeps_is_woken: 2, 3, 5;
    many_pes_on_few_cores: 16;
} }

/// Returns the calling thread's time on a core.
fn cpu_time() -> Duration {
    let usage = getrusage(UsageWho::RUSAGE_THREAD).expect("the system counts");
    Duration::from_micros((usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as u64)
}

/// Catches a wait that keeps a core busy. PE 0 comes late to a barrier, and is late with the word for which the others
/// wait.
fn an_idle_wait_costs_little(shmem: &Shmem) {
    const LATE: Duration = Duration::from_millis(1500);
    let word = shmem.malloc::<u64>(1).expect("malloc").at(0);
    shmem.p(word, 0, shmem.my_pe()).expect("p");
    shmem.barrier_all().expect("barrier");
    let cost = |what: &str, wait: &mut dyn FnMut()| {
        let (before, start) = (cpu_time(), Instant::now());
        wait();
        let (used, waited) = (cpu_time() - before, start.elapsed());
        assert!(used < waited / 20, "{what}: {used:?} on a core in a wait of {waited:?}");
    };
    cost("barrier", &mut || {
        if shmem.my_pe() == 0 {
            std::thread::sleep(LATE);
        }
        shmem.barrier_all().expect("barrier");
    });
    cost("wait_until", &mut || {
        if shmem.my_pe() == 0 {
            std::thread::sleep(LATE);
            (0..shmem.n_pes()).for_each(|pe| shmem.p(word, 1, pe).expect("p"));
        }
        shmem.wait_until(word, Cmp::Eq, 1).expect("wait_until");
    });
}

/// Catches a sleep from which no PE wakes the sleeper: in each round, one PE keeps the others waiting until they sleep.
fn who_sleeps_is_woken(shmem: &Shmem) {
    let word = shmem.malloc::<u64>(1).expect("malloc").at(0);
    shmem.p(word, 0, shmem.my_pe()).expect("p");
    let mut random = seeded();
    for round in 1..=60 {
        let late = random.below(shmem.n_pes() as usize) as u32;
        let time = Duration::from_micros(1500 + random.below(8000) as u64);
        if shmem.my_pe() == late {
            std::thread::sleep(time);
        }
        shmem.barrier_all().expect("barrier");
        if shmem.my_pe() == late {
            std::thread::sleep(time);
            (0..shmem.n_pes()).for_each(|pe| shmem.p(word, round, pe).expect("p"));
        }
        assert_eq!(shmem.wait_until(word, Cmp::Ge, round).expect("wait_until"), round);
        shmem.sync_all().expect("sync");
    }
}

/// Catches waiting PEs that keep the PEs for which they wait from running: the job's limit would end it.
fn many_pes_on_few_cores(shmem: &Shmem) {
    for _ in 0..1000 {
        shmem.barrier_all().expect("barrier");
    }
}
