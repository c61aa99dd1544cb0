use super::*;
use crate::driver::Shared;

/// Catches an engine that takes the lock again before a thread that waits for it has it: the system's lock favours the
/// thread that has just released it.
#[test]
fn a_call_goes_before_the_next_turn() {
    let loopback = Loopback::new("tcp".parse().expect("settings"), 0);
    let shared = Shared::new(Provider::Loopback(loopback));
    let called = AtomicU64::new(0);
    for round in 1..=100 {
        std::thread::scope(|scope| {
            let turn = shared.lock_behind_others();
            scope.spawn(|| {
                let _call = shared.lock();
                called.store(round, Ordering::SeqCst);
            });
            until("the call", || shared.has_callers());
            drop(turn);
            let _next = shared.lock_behind_others();
            assert_eq!(called.load(Ordering::SeqCst), round);
        });
    }
}

/// What a call introduces is there for everything that is posted after it, without a word to the engine.
#[test]
fn what_is_learned_is_there_for_the_next_post() {
    let rig = Rig::new("tcp", 1, 4096);
    for region in 10..1000 {
        rig.nic.learn(1, region, 0, &rig.peers[0].memory.card()).expect("a card");
        rig.run(Work { region, ..inline(1, 0, &u64::from(region)) });
        rig.nic.forget(region, 0);
    }
    assert_eq!(rig.peers[0].load(0), 999);
}
