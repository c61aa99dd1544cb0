//! What the provider for InfiniBand and RoCE does with a device that can be stopped, refuses, or takes its liberties.

use super::*;
use crate::bell::Sleep;
use crate::driver::Shared;
use crate::engine::Engine;
use crate::fabric::{Fabric, Post, Tag};
use crate::ring::Ring;
use crate::verbs::mock::Machine;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use std::os::fd::AsFd;

const BYTES: usize = 1 << 20;

/// One process that posts, two others, and memory that these have.
struct Rig {
    machine: Machine,
    here: Verbs,
    others: Vec<Verbs>,
    memory: Peer,
    over: Vec<(Tag, Result<(), String>)>,
    ticket: u64,
}

impl Rig {
    fn new() -> Self {
        Self::with(|_| {}, 0, BYTES)
    }

    /// `at` is where the memory of the others begins in the view, and `bytes` how long it is.
    fn with(prepare: impl FnOnce(&Machine), at: usize, bytes: usize) -> Self {
        let machine = Machine::here();
        prepare(&machine);
        let mut all: Vec<Verbs> = (0..3).map(|_| Verbs::open(&mock()).expect("open")).collect();
        let names: Vec<_> = all.iter().map(Verbs::name).collect();
        all.iter_mut().for_each(|side| side.peers(&names).expect("names"));
        let memory = Peer::new("cushmem-test", BYTES);
        let mut here = all.remove(0);
        for (number, other) in (1..).zip(&mut all) {
            let local = Local { at: 0, address: memory.view.expose_provenance() + at, bytes, file: None };
            // SAFETY: the view is mapped until the process ends.
            let card = unsafe { other.register(REGION, 0, local) }.expect("register");
            here.learn(number, REGION, 0, &card).expect("learn");
        }
        let mut rig = Self { machine, here, others: all, memory, over: Vec::new(), ticket: 0 };
        for peer in [1, 2] {
            let tag = rig.post(0, inline(peer, 0, &0));
            assert_eq!(rig.end_of(tag), Ok(()));
        }
        rig.machine.lock().posted.clear();
        rig
    }

    /// Posts what can be posted now or soon.
    fn post(&mut self, lane: u32, work: Work) -> Tag {
        self.try_post(lane, work).expect("it is possible")
    }

    fn try_post(&mut self, lane: u32, work: Work) -> Result<Tag, String> {
        self.ticket += 1;
        let (tag, start) = (Tag { lane, ticket: self.ticket }, Instant::now());
        loop {
            // SAFETY: the buffers of tests outlive the rig's operations.
            match unsafe { self.here.post(&work, tag) } {
                Post::Taken => return Ok(tag),
                Post::Later => self.poll(),
                Post::Refused(why) => return Err(why),
            }
            assert!(start.elapsed() < LIMIT, "{work:?}");
        }
    }

    fn poll(&mut self) {
        let over = &mut self.over;
        self.here.poll(&mut |tag, outcome| over.push((tag, outcome.map_err(|failure| failure.why))));
    }

    fn outcome(&self, tag: Tag) -> Option<Result<(), String>> {
        let mut found = self.over.iter().filter(|(other, _)| *other == tag);
        let outcome = found.next().map(|(_, outcome)| outcome.clone());
        assert!(found.next().is_none(), "{tag:?} is reported once");
        outcome
    }

    fn end_of(&mut self, tag: Tag) -> Result<(), String> {
        let start = Instant::now();
        while self.outcome(tag).is_none() {
            self.poll();
            assert!(start.elapsed() < LIMIT, "{tag:?}");
        }
        self.outcome(tag).expect("it is over")
    }
}

/// Catches a source that may change while the device still reads it.
#[test]
fn an_operation_of_a_lost_peer_is_over_when_the_device_is_done_with_it() {
    let mut rig = Rig::new();
    let source = vec![1; 100_000];
    rig.machine.lock().is_stopped = true;
    let tags = [rig.post(0, put(1, 64, &source)), rig.post(1, put(1, 64, &source)), rig.post(0, put(2, 64, &source))];
    rig.poll();
    rig.here.lost(1, "the cable is out");
    (0..100).for_each(|_| rig.poll());
    assert_eq!(tags.map(|tag| rig.outcome(tag)), [None, None, None]);
    assert!(!rig.here.is_idle(), "somebody has to poll");
    rig.machine.lock().is_stopped = false;
    let lost = Err("the cable is out".to_owned());
    assert_eq!(tags.map(|tag| rig.end_of(tag)), [lost.clone(), lost, Ok(())]);
    assert!(rig.here.is_idle());
}

/// The same for operations behind one that failed.
#[test]
fn what_is_behind_a_failure_is_over_when_the_device_is_done_with_it() {
    let mut rig = Rig::new();
    let source = vec![1; 100_000];
    let card = [0, 1 << 20, 4096, 77].map(u64::to_le_bytes).concat();
    rig.here.learn(1, 9, 0, &card).expect("learn");
    let wrong = Work { region: 9, ..put(1, 64, &source) };
    let tags = [rig.post(0, wrong), rig.post(1, put(1, 64, &source))];
    rig.machine.lock().gives_back = 1;
    let start = Instant::now();
    while rig.machine.lock().given_back == 0 {
        rig.poll();
        assert!(start.elapsed() < LIMIT);
    }
    rig.poll();
    assert_eq!(rig.outcome(tags[1]), None, "the device has it");
    rig.machine.lock().gives_back = usize::MAX;
    let why = rig.end_of(tags[0]).expect_err("the key is wrong");
    assert!(why.contains("remote access error"), "{why}");
    let why = rig.end_of(tags[1]).expect_err("it is behind it");
    assert!(why.starts_with("an earlier operation failed: "), "{why}");
}

/// A device that never gives back what it has loses its queue pair, and nothing hangs.
#[test]
fn a_device_that_gives_nothing_back_loses_its_queue_pair() {
    let mut rig = Rig::new();
    rig.here.patience = Duration::from_millis(50);
    let source = vec![1; 100_000];
    rig.machine.lock().is_stopped = true;
    let tag = rig.post(0, put(1, 64, &source));
    rig.poll();
    let calls = rig.machine.lock().calls.len();
    rig.here.lost(1, "the cable is out");
    assert_eq!(rig.end_of(tag), Err("the cable is out".to_owned()));
    let calls = rig.machine.lock().calls.split_off(calls);
    assert!(calls[0].starts_with("destroy_qp") && calls[1] == "dereg_mr", "{calls:?}");
    assert!(rig.here.is_idle());
}

/// A device that takes a few requests of each row; those that it has then and does not report are no obstacle.
#[test]
fn a_device_may_take_a_part_of_a_row() {
    let mut rig = Rig::new();
    rig.machine.lock().takes = 3;
    let source = vec![5; 1000];
    let tags: Vec<Tag> = (0..50).map(|at| rig.post(at % 4, put(1, 64 + 1000 * at as usize, &source))).collect();
    for tag in tags {
        assert_eq!(rig.end_of(tag), Ok(()));
    }
    rig.here.patience = Duration::from_millis(50);
    let tags = [0; 5].map(|_| rig.post(0, put(1, 64, &source)));
    rig.poll();
    rig.here.lost(1, "the cable is out");
    assert_eq!(tags.map(|tag| rig.end_of(tag)), [0; 5].map(|_| Err("the cable is out".to_owned())));
}

/// A queue of completions that fails ends everything, and is not asked again.
#[test]
fn a_device_that_fails_ends_everything() {
    let mut rig = Rig::new();
    let source = vec![1; 100_000];
    rig.machine.lock().is_stopped = true;
    let tags = [rig.post(0, put(1, 64, &source)), rig.post(0, put(2, 64, &source))];
    rig.poll();
    rig.machine.lock().is_broken = true;
    for tag in tags {
        let why = rig.end_of(tag).expect_err("the device failed");
        assert!(why.starts_with("the queue of completions of mock0 failed"), "{why}");
    }
    assert!(rig.here.is_idle());
    assert!(!rig.here.poll(&mut |_, _| {}), "there is nothing to do");
    assert!(rig.try_post(0, inline(1, 8, &7)).is_err());
}

/// Catches a change that is made twice, because the slot of an operation that waits for room was given to another.
#[test]
fn a_change_is_made_once_in_a_slot_that_was_used_before() {
    let mut rig = Rig::with(|machine| machine.lock().longest = 4096, 0, BYTES);
    let source = vec![1; BYTES - 64];
    let (mut old, mut before) = (0, 0);
    // The first one reads its word, and then has no room to swap it, because the second one takes all.
    let swap = rig.post(0, amo(1, 8, WordOp::Swap, 5, &mut old));
    let long = rig.post(1, put(1, 64, &source));
    rig.poll();
    rig.machine.lock().is_stopped = true;
    assert_eq!(rig.outcome(swap), None);
    rig.here.lost(1, "gone");
    let add = rig.post(0, amo(2, 16, WordOp::Add, 3, &mut before));
    let there = rig.memory.load(16);
    rig.poll();
    rig.poll();
    rig.machine.lock().is_stopped = false;
    assert_eq!(rig.end_of(add), Ok(()));
    assert!(rig.end_of(swap).is_err() && rig.end_of(long).is_err());
    (0..3).for_each(|_| rig.poll());
    assert_eq!((before, rig.memory.load(16)), (there, there + 3));
}

/// Catches an atomic operation that rewrites 4 bytes beside its piece, which belong to somebody else: the device
/// changes 8 bytes at once.
#[test]
fn a_change_rewrites_nothing_beside_its_piece() {
    for (at, bytes, possible) in
        [(0, 12, [true, true, false]), (4, 8, [false, false, false]), (4, 12, [false, true, true])]
    {
        let mut rig = Rig::with(|_| {}, at, bytes);
        for (word, possible) in (0..bytes).step_by(4).zip(possible) {
            let (where_, mut old) = (format!("{bytes} bytes at {at}, word at {word}"), 0);
            let to = (&raw mut old).expose_provenance();
            let add = Operation::Amo { op: WordOp::Add, width: 4, operand: 7, condition: 0, to };
            match rig.try_post(0, work(1, word, add)) {
                Ok(tag) => assert!(possible && rig.end_of(tag) == Ok(()), "{where_}"),
                Err(why) => assert!(!possible && why.contains("do not all belong to a piece"), "{where_}: {why}"),
            }
            // To fetch a word changes nothing.
            let fetch = Operation::Amo { op: WordOp::Fetch, width: 4, operand: 0, condition: 0, to };
            let tag = rig.post(0, work(1, word, fetch));
            assert_eq!(rig.end_of(tag), Ok(()), "{where_}");
        }
    }
}

/// Catches a wait without end for a device that has no room although it has nothing to do.
#[test]
fn a_device_without_room_is_asked_again_and_then_given_up() {
    let mut rig = Rig::new();
    rig.here.patience = Duration::from_millis(300);
    rig.machine.lock().takes = 0;
    let tag = rig.post(0, inline(1, 8, &7));
    (0..10).for_each(|_| rig.poll());
    rig.machine.lock().takes = usize::MAX;
    assert_eq!(rig.end_of(tag), Ok(()), "it had room again");
    rig.machine.lock().takes = 0;
    let (tag, other) = (rig.post(0, inline(1, 8, &7)), rig.post(1, inline(1, 16, &7)));
    let (why, start) = (rig.end_of(tag).expect_err("it has no room"), Instant::now());
    assert!(why.starts_with("the device has had no room for 0.3 s, with nothing under way to the peer: "), "{why}");
    assert!(rig.end_of(other).is_err() && start.elapsed() < Duration::from_millis(300));
    rig.machine.lock().takes = usize::MAX;
    let tag = rig.post(0, inline(2, 8, &7));
    assert_eq!(rig.end_of(tag), Ok(()), "another peer is not concerned");
}

/// A word whose offset is aligned, but not its address there.
#[test]
fn a_word_that_is_not_aligned_there_is_refused() {
    let mut rig = Rig::with(|_| {}, 4, 64);
    let why = rig.try_post(0, amo(1, 8, WordOp::Add, 1, &mut 0)).expect_err("it is not aligned");
    assert!(why.contains("lies at an address that is not aligned"), "{why}");
    let tag = rig.post(0, work(1, 4, Operation::Set { width: 4, value: 1, ordered: true }));
    assert_eq!(rig.end_of(tag), Ok(()), "it is aligned there");
}

/// Catches a word that comes in two requests, because the source or the longest part ends in the middle of it.
#[test]
fn no_word_comes_in_two_requests() {
    for longest in [u32::MAX, 5001] {
        let mut rig = Rig::with(|machine| machine.lock().longest = longest, 0, BYTES);
        let source = vec![3_u8; 100_000];
        let start = source.as_ptr().expose_provenance();
        for (piece, (at, bytes)) in (0..).zip([(0, 20_001), (20_001, 3), (20_004, 30_000)]) {
            let local = Local { at: at as u64, address: start + at, bytes, file: None };
            // SAFETY: the source outlives the provider.
            unsafe { rig.here.register(77, piece, local) }.expect("register");
        }
        let tag = rig.post(0, put(1, 128, &source));
        assert_eq!(rig.end_of(tag), Ok(()));
        let posted = std::mem::take(&mut rig.machine.lock().posted);
        let total: usize = posted.iter().map(|request| request.bytes).sum();
        assert_eq!((total, rig.memory.load(128)), (100_000, 0x0303_0303_0303_0303));
        for request in &posted[..posted.len() - 1] {
            let end = request.there as usize + request.bytes;
            assert!(end.is_multiple_of(8), "{longest}: {request:?}");
        }
    }
}

/// Catches memory that is registered for one operation, or reached by the wrong key, although the device pages on
/// demand: a get may not write by the key of sources, which may be memory that only allows reading.
#[test]
fn memory_that_is_not_registered_is_paged_on_demand() {
    for on_demand in [false, true] {
        let mut rig = Rig::with(|machine| machine.lock().pages_on_demand = on_demand, 0, BYTES);
        let before = rig.machine.lock().calls.len();
        let (source, mut target) = (vec![3_u8; 100_000], vec![0_u8; 100_000]);
        let tag = rig.post(0, put(1, 128, &source));
        assert_eq!(rig.end_of(tag), Ok(()));
        let to = target.as_mut_ptr().expose_provenance();
        let tag = rig.post(0, work(1, 128, Operation::Get { to, bytes: 100_000 }));
        assert_eq!((rig.end_of(tag), &target), (Ok(()), &source));
        let state = rig.machine.lock();
        let registered: Vec<_> = state.calls[before..].iter().filter(|call| call.starts_with("reg_mr")).collect();
        assert_eq!(registered.len(), if on_demand { 0 } else { 2 }, "{registered:?}");
        if on_demand {
            let [first, .., last] = &state.posted[..] else { panic!("a put and a get: {:?}", state.posted) };
            assert_eq!([first, last].map(|request| state.may_write(request)), [false, true]);
        }
    }
}

/// What users read is what the provider does, with the numbers of the device.
#[test]
fn what_operations_do_is_explained() {
    let machine = Machine::here();
    machine.lock().longest = 1 << 20;
    let text = Provider::Verbs(Rails::new(vec![Verbs::open(&mock()).expect("open")])).explanation();
    let starts: Vec<&str> = text.lines().map(|line| line.split(':').next().expect("a start")).collect();
    let (amo, gpu) = ("add and compare-and-swap of 8 bytes", "GPU memory");
    assert_eq!(starts, ["put of up to 64 bytes", "longer put", "get", "signal", amo, "quiet", gpu]);
    assert!(text.contains("packets of up to 4096 bytes and parts of up to 1024 KiB"), "{text}");
    assert!(text.contains("at most 16 reads and atomic operations"), "{text}");
}

/// The library is told of forks before anything else.
#[test]
fn forks_are_made_known_first() {
    let machine = Machine::here();
    let side = Verbs::open(&mock()).expect("open");
    assert_eq!(machine.lock().calls[..2], ["fork_init", "get_device_list"]);
    drop(side);
}

/// Catches memory that is given back while queue pairs may use it.
#[test]
fn memory_is_given_back_behind_all_queue_pairs() {
    let mut rig = Rig::new();
    let calls = rig.machine.lock().calls.len();
    drop(rig.others.remove(0));
    let calls = rig.machine.lock().calls.split_off(calls);
    let pair = calls.iter().rposition(|call| call.starts_with("destroy_qp")).expect("a pair");
    let memory = calls.iter().position(|call| call == "dereg_mr").expect("memory");
    assert!(pair < memory, "{calls:?}");
}

/// Whether a descriptor is readable now.
fn is_readable(descriptor: &impl AsFd) -> bool {
    let mut places = [PollFd::new(descriptor.as_fd(), PollFlags::POLLIN)];
    poll(&mut places, PollTimeout::ZERO).expect("poll") == 1
}

/// Catches a descriptor that stays readable without a completion, and one that a completion does not make readable.
#[test]
fn a_completion_makes_the_descriptor_readable() {
    let mut rig = Rig::new();
    let descriptor = rig.here.descriptor().expect("it has one");
    for round in 0..3 {
        rig.machine.lock().is_stopped = true;
        let tag = rig.post(0, inline(1, 8, &round));
        assert!(!rig.here.may_sleep(), "it is to be given to the device");
        rig.poll();
        assert!(rig.here.may_sleep() && !is_readable(&descriptor), "it is under way");
        assert!(rig.here.may_sleep() && !is_readable(&descriptor), "two may sleep");
        rig.machine.lock().start();
        assert!(is_readable(&descriptor));
        assert_eq!(rig.outcome(tag), None);
        assert_eq!(rig.end_of(tag), Ok(()));
        assert!(rig.here.may_sleep() && !is_readable(&descriptor), "its event was taken");
    }
}

/// Catches a sleep although a completion has come between the last poll and the request to report the next one.
#[test]
fn a_completion_that_comes_before_the_descriptor_watches_is_found() {
    let mut rig = Rig::new();
    let descriptor = rig.here.descriptor().expect("it has one");
    rig.machine.lock().is_stopped = true;
    let tag = rig.post(0, inline(1, 8, &7));
    rig.poll();
    rig.machine.lock().works_before_arming = true;
    assert!(!rig.here.may_sleep() && !is_readable(&descriptor));
    rig.poll();
    assert_eq!(rig.outcome(tag), Some(Ok(())));
}

/// Catches a sleep while something waits for no completion: a device without room, and one that is late.
#[test]
fn nobody_sleeps_while_the_device_is_to_be_asked_again() {
    let mut rig = Rig::new();
    rig.here.patience = Duration::from_millis(50);
    rig.machine.lock().takes = 0;
    let tag = rig.post(0, inline(1, 8, &7));
    rig.poll();
    assert!(!rig.here.may_sleep(), "the device had no room");
    rig.machine.lock().takes = usize::MAX;
    assert_eq!(rig.end_of(tag), Ok(()));
    rig.machine.lock().is_stopped = true;
    let tag = rig.post(0, inline(1, 8, &7));
    rig.poll();
    assert!(rig.here.may_sleep());
    rig.here.lost(1, "gone");
    assert!(!rig.here.may_sleep(), "the device may give back nothing");
    assert_eq!(rig.end_of(tag), Err("gone".to_owned()));
    assert!(rig.here.may_sleep());
}

/// The engine of a process that shares its cores sleeps until the device has completed what is under way. In tests such
/// a sleep has no other end.
#[test]
fn a_completion_wakes_the_engine() {
    let Rig { machine, here, others, memory, .. } = Rig::new();
    let nic = Nic::over(Provider::Verbs(Rails::new(vec![here])), Duration::ZERO).expect("start a NIC");
    let lane = nic.lane();
    for value in 1..=20 {
        machine.lock().is_stopped = true;
        let ticket = post(&lane, inline(1, 8, &value));
        until("a request", || machine.lock().posted.len() == value as usize);
        until("a sleep", || machine.lock().armed() > 0);
        // Behind the question whether the engine may sleep, for which it has the lock.
        let _ = nic.under_way();
        machine.lock().start();
        until("the end of it", || lane.done() >= ticket);
    }
    assert_eq!(memory.load(8), 20);
    drop((nic, others));
}

/// Two processes of which the first knows memory of the second one, and has not connected to it.
fn unconnected() -> (Verbs, Verbs, Peer) {
    let mut sides = [(); 2].map(|()| Verbs::open(&mock()).expect("open"));
    let names = sides.each_ref().map(Fabric::name);
    sides.iter_mut().for_each(|side| side.peers(&names).expect("names"));
    let memory = Peer::new("cushmem-test", BYTES);
    let [mut here, mut there] = sides;
    let local = Local { at: 0, address: memory.view.expose_provenance(), bytes: BYTES, file: None };
    // SAFETY: the view is mapped until the process ends.
    let card = unsafe { there.register(REGION, 0, local) }.expect("register");
    here.learn(1, REGION, 0, &card).expect("learn");
    (here, there, memory)
}

/// Catches an engine that sleeps until somebody posts although an operation waits that the provider could not start:
/// the last turn, of another thread, has made its connection, after which nothing is under way or due. Engines of
/// processes that share their cores and of those that do not ask in ways of their own.
#[test]
fn the_engine_does_not_sleep_while_an_operation_is_to_be_posted_again() {
    for spin in [Duration::ZERO, Duration::from_micros(1)] {
        let machine = Machine::here();
        let (here, _there, memory) = unconnected();
        let shared = Arc::new(Shared::new(Provider::Verbs(Rails::new(vec![here])), None));
        let engine = Engine::new(shared.clone(), spin);
        let ring = Arc::new(Ring::new(0, None));
        shared.hub.add(ring.clone());
        let lane = Lane::new(ring, shared.clone());
        let ticket = post(&lane, inline(1, 8, &7));
        until("the connection", || {
            shared.poll();
            machine.lock().connected() > 0
        });
        assert_eq!((lane.done(), memory.load(8)), (0, 0), "it is still to be posted");
        assert!(!matches!(engine.may_sleep(), Sleep::UntilRung), "spins {spin:?}");
        until("the operation", || {
            shared.poll();
            lane.done() >= ticket
        });
        assert!(matches!(engine.may_sleep(), Sleep::UntilRung), "spins {spin:?}, with nothing to do");
        shared.close();
    }
}

/// Catches an operation that nobody posts: a thread's turn has made the connection for which it waited, that thread
/// takes no more turns, and the engine, which stood by, sleeps because nothing is under way.
#[test]
fn an_operation_that_waits_for_its_connection_is_posted_by_the_engine() {
    for _ in 0..30 {
        let machine = Machine::here();
        let (here, there, memory) = unconnected();
        let nic = Nic::over(Provider::Verbs(Rails::new(vec![here])), Duration::ZERO).expect("start a NIC");
        let (lane, poller) = (nic.lane(), nic.poller());
        let ticket = post(&lane, inline(1, 8, &7));
        until("the connection", || {
            poller.poll();
            machine.lock().connected() > 0
        });
        until("the operation", || lane.done() >= ticket);
        assert_eq!(memory.load(8), 7);
        drop((nic, there));
    }
}
