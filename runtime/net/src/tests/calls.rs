use super::*;
use crate::driver::Shared;
use crate::engine::Engine;
use crate::ring::Ring;

/// Catches an engine that takes the lock again before a thread that waits for it has it: the system's lock favours the
/// thread that has just released it.
#[test]
fn a_call_goes_before_the_next_turn() {
    let loopback = Loopback::new("tcp".parse().expect("settings"), 0);
    let shared = Shared::new(Provider::Loopback(loopback), None);
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

/// Catches an engine that waits for ever for the lock when the NIC is dropped, because threads that take turns leave it
/// no moment: like a call, it goes before the next turn.
#[test]
fn the_end_goes_before_the_next_turn() {
    let shared = Arc::new(Shared::new(Provider::Loopback(Loopback::new("tcp".parse().expect("settings"), 0)), None));
    std::thread::scope(|scope| {
        let turn = shared.lock_behind_others();
        shared.hub.stop();
        scope.spawn(|| Engine::new(shared.clone(), Duration::ZERO).work());
        let start = Instant::now();
        let mut is_counted = false;
        while !is_counted && start.elapsed() < LIMIT / 4 {
            is_counted = shared.has_callers();
            std::thread::yield_now();
        }
        drop(turn);
        assert!(is_counted, "others can take turns for ever");
    });
}

/// What a call introduces is there for everything that is posted after it, without a word to the engine.
#[test]
fn what_is_learned_is_there_for_the_next_post() {
    let rig = Rig::new("tcp", 1, 4096);
    for region in 10..1000 {
        rig.nic.learn(1, region, 0, &rig.peers[0].memory.card()).expect("a card");
        rig.run(Work { region, delivery_complete: true, ..inline(1, 0, &u64::from(region)) });
        rig.nic.forget(region, 0);
    }
    assert_eq!(rig.peers[0].load(0), 999);
}

/// Catches a request that nobody finds: a turn stores it while another thread looks and has passed its place. The
/// thread of that turn does not look itself, so the other one looks again.
#[test]
fn who_looks_for_requests_looks_again_if_others_have_turned() {
    let shared = Shared::new(Provider::Loopback(Loopback::new("tcp".parse().expect("settings"), 0)), None);
    let [begun, goes_on, looks] = [0; 3].map(|_| Arc::new(AtomicU64::new(0)));
    let (has_begun, may_end, count) = (begun.clone(), goes_on.clone(), looks.clone());
    shared.set_service(Some(Box::new(move |_| {
        count.fetch_add(1, Ordering::SeqCst);
        has_begun.store(1, Ordering::SeqCst);
        until("another turn", || may_end.load(Ordering::SeqCst) == 1);
        false
    })));
    std::thread::scope(|scope| {
        scope.spawn(|| shared.serve(true));
        until("a look", || begun.load(Ordering::SeqCst) == 1);
        assert!(!shared.serve(true), "another thread looks");
        goes_on.store(1, Ordering::SeqCst);
    });
    assert_eq!(looks.load(Ordering::SeqCst), 2);
    shared.serve(true);
    assert_eq!(looks.load(Ordering::SeqCst), 3, "nobody looks any more");
}

/// Catches requests that are left when a thread has what it waits for: as long as it finds some, it looks again, and at
/// the end it wakes the engine.
#[test]
fn who_finds_requests_looks_again() {
    let shared = Shared::new(Provider::Loopback(Loopback::new("tcp".parse().expect("settings"), 0)), None);
    let left = Arc::new(AtomicU64::new(5));
    let found = left.clone();
    let take = move |_| found.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
    shared.set_service(Some(Box::new(take)));
    assert!(shared.serve(false));
    assert_eq!(left.load(Ordering::SeqCst), 0);
    assert!(!shared.serve(false));
    shared.set_service(None);
    assert!(!shared.serve(false), "there is no service");
}

/// Catches requests that wait for a thread that sleeps now and then, although another one waits and has nothing to do.
#[test]
fn who_waits_looks_for_requests() {
    for profile in ["tcp", "efa", "verbs"] {
        let shared = Shared::new(Provider::Loopback(Loopback::new(profile.parse().expect("settings"), 0)), None);
        let looks = Arc::new(AtomicU64::new(0));
        let count = looks.clone();
        shared.set_service(Some(Box::new(move |_| {
            count.fetch_add(1, Ordering::SeqCst);
            false
        })));
        shared.poll();
        assert_eq!(looks.load(Ordering::SeqCst), 1, "{profile}");
    }
}

/// Polls until an operation is complete.
fn take_turns(lane: &Lane, ticket: u64) {
    until("an operation", || {
        lane.poll();
        lane.done() >= ticket
    });
    assert_eq!(lane.failure(), None);
}

/// Catches a wait that depends on the engine's thread: here nobody starts it. Each value has a word of its own: without
/// an order, a put may arrive behind a later one.
#[test]
fn a_thread_that_waits_needs_no_engine() {
    for settings in ["verbs", "tcp", "efa", "efa:7"] {
        let peer = Peer::new("cushmem-test", 4096);
        let shared =
            Arc::new(Shared::new(Provider::Loopback(Loopback::new(settings.parse().expect("settings"), 0)), None));
        shared.lock().provider().learn(1, REGION, 0, &peer.memory.card()).expect("a card");
        let ring = Arc::new(Ring::new(0, None));
        shared.hub.add(ring.clone());
        let lane = Lane::new(ring, shared);
        for value in 1..=100 {
            take_turns(&lane, post(&lane, inline(1, 8 * value as usize, &value)));
            let mut found = u64::MAX;
            take_turns(&lane, post(&lane, amo(1, 0, WordOp::Add, 1, &mut found)));
            assert_eq!(found, value - 1, "{settings}");
        }
        until("the last bytes", || {
            lane.poll();
            (1..=100).all(|value| peer.load(8 * value) == value as u64)
        });
    }
}

/// Beside the engine, three threads take turns for their own operations and each other's.
#[test]
fn turns_of_several_threads_do_everything_once() {
    const ADDITIONS: u64 = 500;
    for settings in ["tcp", "efa:3"] {
        let rig = Rig::new(settings, 1, 4096);
        let mut all: Vec<u64> = std::thread::scope(|scope| {
            let add_many = |lane: Lane| {
                (0..ADDITIONS).map(move |_| {
                    let mut found = u64::MAX;
                    take_turns(&lane, post(&lane, amo(1, 0, WordOp::Add, 1, &mut found)));
                    found
                })
            };
            let threads: Vec<_> = (0..3)
                .map(|_| rig.nic.lane())
                .map(|lane| scope.spawn(move || add_many(lane).collect::<Vec<_>>()))
                .collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("a thread")).collect()
        });
        all.sort_unstable();
        assert_eq!(all, (0..3 * ADDITIONS).collect::<Vec<_>>(), "{settings}");
    }
}

/// A thread may still be waiting, or a lane may be kept, when the NIC goes.
#[test]
fn nothing_happens_behind_the_end_of_the_nic() {
    let rig = Rig::new("tcp", 1, 4096);
    let Rig { open, lane, nic, peers } = rig;
    let poller = nic.poller();
    drop(open);
    drop(nic);
    post(&lane, inline(1, 0, &7));
    lane.poll();
    poller.poll();
    assert_eq!((lane.done(), peers[0].load(0)), (0, 0));
}

/// Catches an engine that goes to sleep without an end because a thread that waits has taken what was posted, and
/// leaves bytes that arrive later. Each round begins at another moment of the engine's way to its sleep.
#[test]
fn what_a_turn_leaves_for_later_is_finished() {
    let rig = Rig::new("tcp", 1, 4096);
    for round in 1..=5000 {
        (0..round % 500).for_each(|_| std::hint::spin_loop());
        post(&rig.lane, inline(1, 0, &round));
        rig.lane.poll();
        until("the bytes", || rig.peers[0].load(0) == round);
    }
}
