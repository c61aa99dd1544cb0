//! Barriers of the CPUs.

use cushmem::Shmem;
use cushmem_conformance::{conformance, seeded};
use std::time::Duration;

conformance! { host, soft => {
    nobody_runs_ahead: 1, 2, 3, 4, 5, 8;
    more_pes_than_meet_in_one_step: 17, 20;
} }

/// Catches a PE that leaves before all have entered, or a store that is not visible afterwards. Every PE counts in its
/// own memory and checks all other counters, which may be ahead by at most one.
fn rounds(shmem: &Shmem, rounds: u64) {
    let counter = shmem.malloc::<u64>(1).expect("malloc").at(0);
    let told = shmem.malloc::<u64>(2 * shmem.n_pes() as usize).expect("malloc");
    let n = shmem.n_pes();
    let mut random = seeded().split(shmem.my_pe().into());
    for round in 1..=rounds {
        shmem.p(counter, round, shmem.my_pe()).expect("p");
        let half = (round % 2) as usize * n as usize;
        let to = random.below(n as usize) as u32;
        shmem.p(told.at(half + shmem.my_pe() as usize), round, to).expect("p");
        match random.below(200) {
            0 => std::thread::sleep(Duration::from_micros(random.below(300) as u64)),
            1..5 => std::thread::yield_now(),
            5..40 => (0..random.below(500)).for_each(|_| std::hint::spin_loop()),
            _ => {}
        }
        if round % 2 == 0 { shmem.barrier_all() } else { shmem.sync_all() }.expect("barrier");
        for pe in 0..n {
            let seen = shmem.g(counter, pe).expect("g");
            assert!(seen == round || seen == round + 1, "after barrier {round} the counter of PE {pe} is {seen}");
        }
        let told = shmem.g(told.at(half + shmem.my_pe() as usize), to).expect("g");
        assert!(told == round || told == round + 2, "after barrier {round} PE {to} has {told}");
    }
    shmem.barrier_all().expect("barrier");
}

fn nobody_runs_ahead(shmem: &Shmem) {
    rounds(shmem, if shmem.n_pes() <= 2 { 20_000 } else { 3000 });
}

/// The barrier in several steps that is used for more than 16 PEs.
fn more_pes_than_meet_in_one_step(shmem: &Shmem) {
    rounds(shmem, 300);
}
