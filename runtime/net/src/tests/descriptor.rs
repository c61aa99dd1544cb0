//! Sleeps at a network's descriptor, without a network: a provider whose descriptor is an eventfd, and which does what
//! a test says between the last look and the sleep. The sleeps here have limits longer than a test may take, so a
//! wake-up that is lost fails the test.

use super::*;
use crate::fabric::{Fabric, Post, Tag};
use nix::sys::eventfd::{EfdFlags, EventFd};
use std::ops::Deref;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is done once, at a point that the provider comes to.
type Once = Mutex<Option<Box<dyn FnOnce(&Wire) + Send>>>;

/// What a test and its provider share.
pub(crate) struct Wire {
    readable: EventFd,
    /// What was posted and is under way.
    under_way: Mutex<Vec<Tag>>,
    /// What is complete and was not reported.
    arrived: Mutex<Vec<Tag>>,
    /// How many operations of peers on this process's memory there were, and how many were carried out.
    asked: AtomicU64,
    served: AtomicU64,
    /// Whether the engine may sleep and has not polled since.
    engine_sleeps: AtomicBool,
    /// Whether the provider says that there is always something to do.
    refuses: AtomicBool,
    /// Whether what is under way is to be looked for all the time.
    is_due: AtomicBool,
    /// Whether the descriptor stays readable, whatever the provider does.
    stays_readable: AtomicBool,
    /// Done in a poll of a thread that is not the engine, with the provider's lock held.
    in_poll: Once,
    /// Done when the provider has just said that the engine, or another thread, may sleep.
    before_engine_sleeps: Once,
    before_thread_sleeps: Once,
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_engine() -> bool {
    std::thread::current().name() == Some("cushmem-net")
}

impl Wire {
    fn new() -> Arc<Self> {
        let flags = EfdFlags::EFD_CLOEXEC | EfdFlags::EFD_NONBLOCK;
        Arc::new(Self {
            readable: EventFd::from_flags(flags).expect("make an eventfd"),
            under_way: Mutex::default(),
            arrived: Mutex::default(),
            asked: AtomicU64::new(0),
            served: AtomicU64::new(0),
            engine_sleeps: AtomicBool::new(false),
            refuses: AtomicBool::new(false),
            is_due: AtomicBool::new(false),
            stays_readable: AtomicBool::new(false),
            in_poll: Once::default(),
            before_engine_sleeps: Once::default(),
            before_thread_sleeps: Once::default(),
        })
    }

    fn nic(self: &Arc<Self>) -> Ends {
        Ends(Some(Nic::over(Provider::Scripted(Scripted(self.clone())), Duration::ZERO).expect("start a NIC")))
    }

    /// Completes everything that is under way.
    fn complete(&self) {
        lock(&self.arrived).append(&mut lock(&self.under_way));
        self.readable.write(1).expect("there is room");
    }

    /// A peer uses this process's memory.
    fn ask(&self) {
        self.asked.fetch_add(1, Ordering::SeqCst);
        self.readable.write(1).expect("there is room");
    }

    fn is_served(&self) -> bool {
        self.served.load(Ordering::SeqCst) == self.asked.load(Ordering::SeqCst)
    }

    /// Has this done once.
    fn plan(&self, when: &Once, what: impl FnOnce(&Self) + Send + 'static) {
        *lock(when) = Some(Box::new(what));
    }

    /// Comes to a point at which something may be planned.
    fn come_to(&self, when: &Once) {
        // Locked until it is done, so that a test that finds nothing planned finds its effect.
        let mut planned = lock(when);
        if let Some(run) = planned.take() {
            run(self);
        }
    }

    /// Waits until the engine sleeps, or is about to and will, with nothing to do.
    fn until_engine_sleeps(&self, nic: &Nic) {
        until("the engine's sleep", || self.is_served() && self.engine_sleeps.load(Ordering::SeqCst));
        // The engine says so while it has the lock, for which this call waits.
        let _ = nic.under_way();
    }
}

/// A NIC whose end is waited for no longer than anything else: its engine might sleep.
struct Ends(Option<Nic>);

impl Deref for Ends {
    type Target = Nic;

    fn deref(&self) -> &Nic {
        self.0.as_ref().expect("it was not dropped")
    }
}

impl Drop for Ends {
    fn drop(&mut self) {
        let nic = self.0.take();
        let end = std::thread::spawn(move || drop(nic));
        if !std::thread::panicking() {
            until("the end of the NIC", || end.is_finished());
        }
    }
}

/// The provider.
pub struct Scripted(Arc<Wire>);

impl Scripted {
    pub(crate) fn description(&self) -> String {
        "scripted".to_owned()
    }
}

impl Fabric for Scripted {
    fn promises(&self) -> Promises {
        let (ordered, delivery) = (true, Delivery::Always);
        Promises { ordered, delivery, whole_words: true, atomics: false, target_polls: true }
    }

    fn name(&self) -> Vec<u8> {
        Vec::new()
    }

    fn peers(&mut self, _: &[Vec<u8>]) -> Result<(), String> {
        Ok(())
    }

    unsafe fn register(&mut self, _: u32, _: u32, _: Local) -> Result<Vec<u8>, String> {
        Ok(Vec::new())
    }

    fn learn(&mut self, _: u32, _: u32, _: u32, _: &[u8]) -> Result<(), String> {
        Ok(())
    }

    fn forget(&mut self, _: u32, _: u32) {}

    unsafe fn post(&mut self, _: &Work, tag: Tag) -> Post {
        lock(&self.0.under_way).push(tag);
        Post::Taken
    }

    fn poll(&mut self, done: &mut dyn FnMut(Tag, Result<(), Failure>)) -> bool {
        let wire = &self.0;
        if is_engine() {
            wire.engine_sleeps.store(false, Ordering::SeqCst);
        } else {
            wire.come_to(&wire.in_poll);
        }
        if !wire.stays_readable.load(Ordering::SeqCst) {
            // Before it looks, so that what comes later makes it readable again.
            let _ = wire.readable.read();
        }
        // What a peer does here completes nothing.
        wire.served.store(wire.asked.load(Ordering::SeqCst), Ordering::SeqCst);
        let arrived = std::mem::take(&mut *lock(&wire.arrived));
        let any = !arrived.is_empty();
        arrived.into_iter().for_each(|tag| done(tag, Ok(())));
        any
    }

    fn descriptor(&self) -> Option<OwnedFd> {
        Some(self.0.readable.as_fd().try_clone_to_owned().expect("another descriptor"))
    }

    fn may_sleep(&mut self) -> bool {
        let wire = &self.0;
        if wire.refuses.load(Ordering::SeqCst) || !wire.is_served() || !lock(&wire.arrived).is_empty() {
            return false;
        }
        wire.come_to(if is_engine() { &wire.before_engine_sleeps } else { &wire.before_thread_sleeps });
        wire.engine_sleeps.fetch_or(is_engine(), Ordering::SeqCst);
        true
    }

    fn next_due(&self) -> Option<Instant> {
        let is_due = self.0.is_due.load(Ordering::SeqCst) && !self.is_idle();
        Some(Instant::now() + if is_due { Duration::ZERO } else { LIMIT })
    }

    fn is_idle(&self) -> bool {
        lock(&self.0.under_way).is_empty() && lock(&self.0.arrived).is_empty()
    }

    fn forget_lane(&mut self, _: u32) {}

    fn hurry(&mut self) {}

    fn lost(&mut self, _: u32, _: &str) {
        self.0.complete();
    }
}

/// Runs something that may never end, in a thread.
fn ends(what: &str, run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::spawn(run);
    until(what, || thread.is_finished());
    thread.join().expect("it does not panic");
}

/// Catches an engine that sleeps although a peer's operation has come between the question whether it may and the
/// sleep, or while it sleeps.
#[test]
fn an_operation_of_a_peer_wakes_the_engine() {
    let wire = Wire::new();
    let nic = wire.nic();
    for _ in 0..200 {
        wire.until_engine_sleeps(&nic);
        wire.plan(&wire.before_engine_sleeps, Wire::ask);
        wire.ask();
        until("a sleep", || lock(&wire.before_engine_sleeps).is_none());
        until("the operation of a peer", || wire.is_served());
    }
}

/// Catches a completion that nobody sees: its poster gave the operation to the provider and did not wake the engine,
/// which sleeps at the network.
#[test]
fn a_completion_wakes_the_engine() {
    let wire = Wire::new();
    let nic = wire.nic();
    let lane = nic.lane();
    for _ in 0..200 {
        wire.until_engine_sleeps(&nic);
        let ticket = post(&lane, inline(1, 0, &7));
        assert!(!lock(&wire.under_way).is_empty(), "its poster gives it to the provider");
        wire.complete();
        until("an operation", || lane.done() >= ticket);
    }
}

/// Catches an engine that keeps a shared core while it waits for a peer, which may need that core to answer.
#[test]
fn the_engine_of_a_process_that_shares_cores_sleeps_while_operations_are_under_way() {
    let wire = Wire::new();
    wire.is_due.store(true, Ordering::SeqCst);
    let nic = wire.nic();
    let lane = nic.lane();
    for _ in 0..20 {
        let ticket = post(&lane, inline(1, 0, &7));
        wire.plan(&wire.before_engine_sleeps, |_| {});
        // The engine may have gone to sleep before the post, and before it could come to what is planned.
        wire.ask();
        until("a look of the engine", || wire.is_served());
        until("a sleep", || lock(&wire.before_engine_sleeps).is_none());
        assert!(!lock(&wire.under_way).is_empty(), "it is under way");
        wire.complete();
        until("an operation", || lane.done() >= ticket);
    }
}

/// Catches a post that nobody takes: another thread has the provider and has looked for posts already, and the engine
/// sleeps at the network.
#[test]
fn a_post_that_finds_the_provider_taken_wakes_the_engine() {
    let wire = Wire::new();
    let nic = wire.nic();
    let (lane, poller) = (nic.lane(), nic.poller());
    let [holds, goes_on] = [false; 2].map(|_| Arc::new(AtomicBool::new(false)));
    wire.until_engine_sleeps(&nic);
    let (held, posted) = (holds.clone(), goes_on.clone());
    wire.plan(&wire.in_poll, move |_| {
        held.store(true, Ordering::SeqCst);
        until("the post", || posted.load(Ordering::SeqCst));
    });
    let turn = std::thread::spawn(move || poller.poll());
    until("a turn", || holds.load(Ordering::SeqCst));
    let ticket = post(&lane, inline(1, 0, &7));
    assert!(lock(&wire.under_way).is_empty(), "its poster cannot have the provider");
    goes_on.store(true, Ordering::SeqCst);
    turn.join().expect("the turn ends");
    until("the engine's turn", || !lock(&wire.under_way).is_empty());
    wire.complete();
    until("an operation", || lane.done() >= ticket);
}

/// Catches a thread that sleeps although something has come between the question whether it may and the sleep.
#[test]
fn what_comes_before_the_sleep_of_a_thread_ends_it() {
    let wire = Wire::new();
    let nic = wire.nic();
    for _ in 0..50 {
        // The engine wakes too, and must not take what is to end the sleep: in earnest, the sleep's limit covers that.
        wire.plan(&wire.before_thread_sleeps, |wire| {
            wire.stays_readable.store(true, Ordering::SeqCst);
            wire.ask();
        });
        let (own, poller) = (wire.clone(), nic.poller());
        ends("a sleep", move || {
            while lock(&own.before_thread_sleeps).is_some() {
                poller.sleep(10 * LIMIT, || None::<()>);
            }
        });
        wire.stays_readable.store(false, Ordering::SeqCst);
    }
}

/// Catches a sleep that the provider has refused, because what is left to do does not make its descriptor readable.
#[test]
fn nobody_sleeps_at_the_network_if_the_provider_refuses() {
    let wire = Wire::new();
    wire.refuses.store(true, Ordering::SeqCst);
    let nic = wire.nic();
    for _ in 0..20 {
        // Nothing becomes readable. The engine looks again after a nap.
        wire.asked.fetch_add(1, Ordering::SeqCst);
        until("the operation of a peer", || wire.is_served());
    }
    let poller = nic.poller();
    // The engine may have the provider for a moment.
    ends("a turn", move || until("a turn", || poller.sleep(10 * LIMIT, || None::<()>) == Slept::Again));
}

/// Catches threads that only yield for as long as the provider refuses a sleep. On Linux 6.18, twenty such threads on
/// two cores kept others from a core for up to 40 s, PEs that should have answered among them.
#[test]
fn threads_rest_if_the_provider_refuses_a_sleep() {
    const NAPS: u32 = 200;
    let wire = Wire::new();
    wire.refuses.store(true, Ordering::SeqCst);
    let nic = wire.nic();
    let poller = nic.poller();
    let mut again = 0;
    let start = Instant::now();
    until("naps", || {
        again += u32::from(poller.sleep(10 * LIMIT, || None::<()>) == Slept::Again);
        again == NAPS
    });
    assert!(start.elapsed() >= NAPS * Duration::from_micros(50), "{:?}", start.elapsed());
}

/// Catches threads that look for nothing but the network any more, because its descriptor stays readable. That costs
/// their cores, but no operation, and no end.
#[test]
fn a_descriptor_that_stays_readable_holds_nobody_up() {
    let wire = Wire::new();
    wire.stays_readable.store(true, Ordering::SeqCst);
    wire.ask();
    let nic = wire.nic();
    let lane = nic.lane();
    for _ in 0..200 {
        let ticket = post(&lane, inline(1, 0, &7));
        until("a post", || !lock(&wire.under_way).is_empty());
        wire.complete();
        until("an operation", || lane.done() >= ticket);
    }
    let poller = nic.poller();
    ends("a turn", move || until("a turn", || poller.sleep(10 * LIMIT, || None::<()>) == Slept::Woken));
}
