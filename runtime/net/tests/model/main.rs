//! Explores with loom how posting threads and the sleeping engine use lanes, bell and hub: `RUSTFLAGS="--cfg loom"
//! cargo test -p cushmem-net --test model --release`.
//!
//! The sources are those of the crate, on loom's atomics ([`sync`]). Only what the engine executes is replaced
//! ([`provider`]): an operation reads a cell, whose number the post copies. Its poster writes the cell before the
//! post and again when the operation is complete. loom fails the test if these accesses are not ordered, or if all
//! threads sleep, because no thread wakes by itself. A sleep with a time limit may end at any moment, so the model does
//! not notice if such a sleep misses a wake-up.
#![cfg(loom)]

#[path = "../../src/bell.rs"]
mod bell;
#[path = "../../src/copy.rs"]
#[allow(dead_code, reason = "the model's provider copies nothing")]
mod copy;
#[path = "../../src/descriptor.rs"]
#[allow(dead_code, reason = "the model's provider has none")]
mod descriptor;
#[path = "../../src/driver.rs"]
#[allow(dead_code, reason = "the model drops no NIC")]
mod driver;
#[path = "../../src/engine.rs"]
mod engine;
mod fabric {
    pub(crate) use cushmem_net::{Fabric, Post, Tag};
}
#[path = "../../src/hub.rs"]
#[allow(dead_code, reason = "the model loses nobody")]
mod hub;
#[path = "../../src/lane.rs"]
mod lane;
mod provider;
#[path = "../../src/ring.rs"]
mod ring;
mod sync;

use cushmem_net::{Failure, MOST_INLINE, Operation, Posted, Profile, UnderWay, Watch, Work};
use driver::Shared;
use engine::Engine;
use lane::Lane;
use loom::thread;
use provider::{Executed, FAILED, LATE, LATER, PEER, Provider, REFUSED, World};
use ring::{MOST_UNDER_WAY, Ring};
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The largest models are explored only for this long, not to their end; each prints that.
const LONGEST: Duration = Duration::from_secs(3);

/// A thread that posts.
struct Poster {
    world: Arc<World>,
    lane: Arc<Lane>,
    number: u32,
    again: Arc<AtomicUsize>,
}

impl Poster {
    /// Posts an operation on `region` that reads `cell`; returns its ticket. Tries again if there is no room.
    fn post(&self, cell: usize, region: u32) -> u64 {
        self.world.write(cell);
        let operation = Operation::Inline {
            from: (&raw const cell).expose_provenance(),
            bytes: size_of_val(&cell),
            ordered: false,
        };
        let work = Work { peer: PEER, region, at: 0, operation, delivery_complete: true };
        loop {
            // SAFETY: the address is that of the number, and the length is the number's.
            match unsafe { self.lane.post(work) } {
                Posted::Ticket(ticket) => {
                    let executed = self.world.executed_on(self.number).count() as u64;
                    assert!(ticket <= executed + MOST_UNDER_WAY, "ticket {ticket}, and {executed} were executed");
                    self.world.note_post(Executed { lane: self.number, ticket, cell });
                    return ticket;
                }
                Posted::Again => {
                    assert!(self.lane.posted() >= MOST_UNDER_WAY, "there was room");
                    self.again.fetch_add(1, Relaxed);
                    thread::yield_now();
                }
            }
        }
    }

    /// Posts an operation that will not be executed; returns its ticket.
    fn post_unexecuted(&self, cell: usize) -> u64 {
        let operation = Operation::Inline {
            from: (&raw const cell).expose_provenance(),
            bytes: size_of_val(&cell),
            ordered: false,
        };
        // SAFETY: the address is that of the number, and the length is the number's.
        match unsafe { self.lane.post(Work { peer: PEER, region: 0, at: 0, operation, delivery_complete: true }) } {
            Posted::Ticket(ticket) => ticket,
            Posted::Again => panic!("the ring has room for two"),
        }
    }

    /// Waits until the operation is complete. The engine wakes all posters whenever it completes one.
    fn wait(&self, ticket: u64) {
        while self.lane.done() < ticket {
            sync::park();
        }
    }

    /// Waits like [`Poster::wait`], but takes turns itself.
    fn take_turns(&self, ticket: u64) {
        while self.lane.done() < ticket {
            self.lane.poll();
            thread::yield_now();
        }
    }

    fn post_and_wait(&self, cells: &[usize], region: u32) {
        let tickets: Vec<u64> = cells.iter().map(|&cell| self.post(cell, region)).collect();
        for (&cell, ticket) in cells.iter().zip(tickets) {
            self.wait(ticket);
            // The source may be written again.
            self.world.write(cell);
        }
    }
}

/// A NIC without a network.
struct Rig {
    world: Arc<World>,
    shared: Arc<Shared>,
    lanes: u32,
    again: Arc<AtomicUsize>,
}

impl Rig {
    fn lane(&mut self) -> Poster {
        let ring = Arc::new(Ring::new(self.lanes, None));
        self.shared.hub.add(ring.clone());
        self.lanes += 1;
        let lane = Arc::new(Lane::new(ring, self.shared.clone()));
        Poster { world: self.world.clone(), lane, number: self.lanes - 1, again: self.again.clone() }
    }

    /// Starts a posting thread, which the engine wakes.
    fn spawn(&self, name: usize, poster: Poster, run: impl FnOnce(Poster) + 'static) -> thread::JoinHandle<()> {
        let world = self.world.clone();
        thread::spawn(move || {
            world.belongs_to(name);
            run(poster)
        })
    }
}

/// Explores `run` beside an engine, which is stopped afterwards. Then checks that every operation was executed once,
/// with the ticket of its post, and in the order of tickets if the profile is ordered. Returns how often there was no
/// room.
fn explore(profile: Profile, preemptions: usize, run: impl Fn(&mut Rig) + Send + Sync + 'static) -> usize {
    explore_polled(false, profile, preemptions, run)
}

/// Like [`explore`], with processes that have to poll for their peers, if `polled`.
fn explore_polled(
    polled: bool,
    profile: Profile,
    preemptions: usize,
    run: impl Fn(&mut Rig) + Send + Sync + 'static,
) -> usize {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.max_duration = Some(LONGEST);
    model.checkpoint_interval = 500;
    let again = Arc::new(AtomicUsize::new(0));
    let count = again.clone();
    let start = Instant::now();
    model.check(move || {
        let world = Arc::<World>::default();
        let shared = Arc::new(Shared::new(Provider::new(profile, polled, world.clone()), None));
        let engine = Engine::new(shared.clone(), Duration::ZERO);
        let engine = thread::spawn(move || engine.work());
        let mut rig = Rig { world, shared, lanes: 0, again: again.clone() };
        rig.world.belongs_to(0);
        run(&mut rig);
        rig.shared.hub.stop();
        engine.join().unwrap();
        rig.world.check(profile.ordered());
    });
    if start.elapsed() >= LONGEST {
        // Not `eprintln`, whose output is hidden if the test passes.
        let test = std::thread::current();
        let _ = writeln!(
            std::io::stderr(),
            "{}: explored for {LONGEST:?}, not to its end",
            test.name().unwrap_or("a model")
        );
    }
    count.load(Relaxed)
}

/// The ring wraps around twice.
#[test]
fn one_thread_fills_the_ring() {
    let again = explore(Profile::Verbs, 3, |rig| rig.lane().post_and_wait(&[0, 1, 2, 3], 0));
    assert!(again > 0, "there was always room");
}

#[test]
fn two_threads_share_a_lane() {
    let again = explore(Profile::Verbs, 2, |rig| {
        let mine = rig.lane();
        let theirs = Poster { world: mine.world.clone(), lane: mine.lane.clone(), again: mine.again.clone(), ..mine };
        let other = rig.spawn(1, theirs, |poster| poster.post_and_wait(&[2, 3], 0));
        mine.post_and_wait(&[0, 1], 0);
        other.join().unwrap();
    });
    assert!(again > 0, "there was always room");
}

/// One thread looks at what is complete, and another, which has not looked, reuses a slot. The engine does nothing else
/// here, so the model is explored to its end.
#[test]
fn a_thread_has_room_that_another_saw() {
    let theirs = Arc::new(AtomicUsize::new(0));
    let count = theirs.clone();
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(2);
    model.check(move || {
        let ring = Arc::new(Ring::new(0, None));
        let operation = Operation::Put { from: 0, bytes: 0, ordered: false };
        let work = Work { peer: PEER, region: 0, at: 0, operation, delivery_complete: true };
        // SAFETY: nobody executes the work.
        let post = move |ring: &Ring| unsafe { ring.post(work) };
        let (other, mine, count) = (ring.clone(), ring.clone(), theirs.clone());
        let other = thread::spawn(move || {
            if post(&other) == Some(3) {
                count.fetch_add(1, Relaxed);
            }
        });
        let _ = [post(&mine), post(&mine)];
        let engine =
            thread::spawn(move || (1..=2).take_while(|&n| ring.take(n).is_some()).for_each(|n| ring.complete(n)));
        post(&mine);
        other.join().unwrap();
        engine.join().unwrap();
    });
    assert!(count.load(Relaxed) > 0, "the other thread never filled a slot again");
}

/// Newer operations are executed first, and tickets are complete in their order.
#[test]
fn tickets_are_complete_in_order() {
    explore(Profile::Efa, 3, |rig| rig.lane().post_and_wait(&[0, 1, 2], 0));
}

/// The second lane may be created while the engine takes over the first.
#[test]
fn lanes_begin_at_the_same_time() {
    explore(Profile::Verbs, 2, |rig| {
        let _first = rig.lane();
        rig.lane().post_and_wait(&[0], 0);
    });
}

/// A lane that is created while the engine sleeps, and one that is dropped after a post.
#[test]
fn lanes_come_and_go() {
    explore(Profile::Verbs, 2, |rig| {
        let (first, second) = (rig.lane(), rig.lane());
        let other = rig.spawn(1, second, |poster| poster.post_and_wait(&[1], 0));
        first.post(0, 0);
        drop(first);
        other.join().unwrap();
        rig.lane().post_and_wait(&[2], 0);
    });
}

/// The thread that drops the lane has posted nothing; it has learned of the last post from the other thread.
#[test]
fn a_lane_that_another_thread_ends() {
    explore(Profile::Verbs, 2, |rig| {
        let mine = rig.lane();
        let theirs = Poster { world: mine.world.clone(), lane: mine.lane.clone(), again: mine.again.clone(), ..mine };
        rig.spawn(1, theirs, |poster| assert_eq!(poster.post(0, 0), 1)).join().unwrap();
        drop(mine);
    });
}

/// What was posted before the stop is executed, even if nobody waits for it.
#[test]
fn a_stop_comes_behind_all_posts() {
    explore(Profile::Verbs, 2, |rig| {
        let poster = rig.lane();
        let _ = [0, 1].map(|cell| poster.post(cell, 0));
    });
}

/// While an operation is delayed, the engine sleeps with a limit. It is woken, or wakes by itself, for the next
/// operation.
#[test]
fn a_post_behind_one_that_is_held_up() {
    explore(Profile::Verbs, 2, |rig| {
        let poster = rig.lane();
        let held_up = poster.post(0, LATE);
        poster.post_and_wait(&[1], 0);
        poster.wait(held_up);
        poster.post_and_wait(&[2], 0);
    });
}

/// Neither the end of its lane nor the stop affects a delayed operation.
#[test]
fn a_stop_waits_for_one_that_is_held_up() {
    explore(Profile::Verbs, 2, |rig| assert_eq!(rig.lane().post(0, LATE), 1));
}

/// A thread takes one turn, which leaves its operation for later, and then sleeps. The engine finishes the operation,
/// although the thread took it in front of it. Catches an engine that asks what is due before it says that it sleeps.
#[test]
fn the_engine_finishes_what_a_turn_leaves() {
    for polled in [false, true] {
        explore_polled(polled, Profile::Verbs, 3, |rig| {
            let poster = rig.lane();
            let late = poster.post(0, LATE);
            poster.lane.poll();
            poster.wait(late);
            // The source may be written again.
            poster.world.write(0);
        });
    }
}

#[test]
fn a_failure_is_there_when_its_operation_is_complete() {
    for how in [FAILED, REFUSED] {
        explore(Profile::Verbs, 2, move |rig| {
            let poster = rig.lane();
            let ticket = poster.post(0, how);
            poster.wait(ticket);
            assert_eq!(poster.lane.failure().map(|failure| failure.peer), Some(PEER));
        });
    }
}

/// An operation that the provider cannot start at once keeps its turn: what is posted behind it, before or after the
/// provider says so, is executed behind it.
#[test]
fn an_operation_that_starts_later_keeps_its_turn() {
    explore(Profile::Verbs, 2, |rig| {
        let poster = rig.lane();
        let tickets = [(0, LATER), (1, 0)].map(|(cell, region)| poster.post(cell, region));
        poster.wait(tickets[1]);
        assert_eq!(poster.lane.done(), 2);
    });
}

/// Once an operation is refused, those behind it are complete without having been executed.
#[test]
fn nothing_behind_a_refused_operation_is_executed() {
    explore(Profile::Verbs, 2, |rig| {
        let poster = rig.lane();
        poster.post(0, REFUSED);
        let behind = poster.post_unexecuted(1);
        poster.wait(behind);
        assert_eq!(poster.lane.failure().map(|failure| failure.peer), Some(PEER));
    });
}

/// The threads of two lanes take turns, beside the engine, until each has what it waits for.
#[test]
fn threads_that_wait_take_turns() {
    for polled in [false, true] {
        explore_polled(polled, Profile::Verbs, 2, |rig| {
            let (first, second) = (rig.lane(), rig.lane());
            let other = rig.spawn(1, second, |poster| poster.take_turns(poster.post(1, 0)));
            let ticket = first.post(0, 0);
            first.take_turns(ticket);
            // The source may be written again.
            first.world.write(0);
            other.join().unwrap();
        });
    }
}

/// A thread that takes turns ends them when it has what it waits for. Another, which sleeps, relies on the engine.
#[test]
fn the_engine_takes_over_when_turns_end() {
    for polled in [false, true] {
        explore_polled(polled, Profile::Verbs, 2, |rig| {
            let (first, second) = (rig.lane(), rig.lane());
            let other = rig.spawn(1, second, |poster| poster.post_and_wait(&[1], 0));
            let ticket = first.post(0, 0);
            first.take_turns(ticket);
            other.join().unwrap();
        });
    }
}

/// Nobody waits for what a poster gave to the provider itself, or could not.
#[test]
fn what_a_poster_begins_is_finished() {
    for region in [0, LATER] {
        explore_polled(true, Profile::Verbs, 2, move |rig| {
            let poster = rig.lane();
            let _ = [0, 1].map(|cell| poster.post(cell, region));
        });
    }
}

/// A failure that a turn of the poster itself finds.
#[test]
fn a_turn_reports_failures() {
    for how in [FAILED, REFUSED] {
        explore_polled(true, Profile::Verbs, 2, move |rig| {
            let poster = rig.lane();
            poster.take_turns(poster.post(0, how));
            assert_eq!(poster.lane.failure().map(|failure| failure.peer), Some(PEER));
        });
    }
}

/// A thread that has the provider to itself for a moment takes no wake-up from the engine, and the engine goes on.
#[test]
fn a_call_takes_its_turn() {
    explore(Profile::Verbs, 2, |rig| {
        let (poster, shared) = (rig.lane(), rig.shared.clone());
        let caller = thread::spawn(move || drop(shared.lock()));
        poster.post_and_wait(&[0], 0);
        caller.join().unwrap();
    });
}
