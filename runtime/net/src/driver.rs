//! The provider and what it has under way. One thread at a time has them, with a lock.
//!
//! ```text
//!   poster:   ring[ticket] := work ── lock free? gives it to the provider ── otherwise wakes the engine if it sleeps
//!   waiter:   done >= ticket? ── lock free? a turn ── done >= ticket? ── …
//!   engine:   nobody takes turns? a turn ── …            somebody does? stands by
//! ```
//!
//! *Who drives it.* A waiting thread takes turns ([`Shared::poll`]): in a turn, it gives the provider what was posted
//! on all lanes, and lets it work. The engine's thread takes turns when nobody waits. A thread that calls the
//! [`Nic`](crate::Nic) has the provider during the call. So calls and turns come one after another: a thread that
//! introduces memory and then posts to it posts before the turn that takes the operation, and that turn finds the
//! memory.
//!
//! *Every operation is taken once.* A ring is emptied only with the lock held, in the order of tickets, and what was
//! taken is noted there too. So each tag reaches the provider once, and completes once, whichever threads take turns.
//!
//! *No wake-up is lost.* A post is seen by the first turn after it; the question is who takes one.
//!
//! * If somebody waits, for this operation or for another, that thread takes turns until its wait is over. It never
//!   waits for the lock and never sleeps for the network without the engine: when it goes to sleep, its turns end, and
//!   the engine takes over.
//! * If nobody waits, the engine takes a turn. It is awake, or the poster wakes it: its thread says that it sleeps and
//!   then looks at the tickets, and the poster takes its ticket and then looks whether it sleeps (`net-bell`).
//! * A turn of another thread may take what was posted before the engine looks, and leave a part that is due later. So
//!   the engine asks what is due, with the lock held, only after it has said that it sleeps. What is posted later wakes
//!   it, whoever takes it.
//! * The poster does not wake it if it has given the operation to the provider itself. Posters do this only where
//!   processes have to poll for their peers anyway ([`Promises::target_polls`](crate::Promises::target_polls)). There
//!   the engine sleeps no longer than [`NAP`](crate::engine::NAP) while something is under way, be it at the network.
//!   Its sleep delays a completion that nobody waits for, and the second part of an operation that has several, but
//!   nothing that a thread waits for.
//!
//! *Sleeping at the network.* Some providers have a descriptor that becomes readable when there is something to do. An
//! idle engine sleeps there, so a peer's operation wakes it. So does an engine that has waited for a while on a shared
//! core for what is under way, and a thread that has waited for a while ([`Shared::sleep`]). Each asks the provider
//! first, with the lock held, whether it may; if not, an engine with something that is due polls on, and yields. Where
//! nobody has to poll for peers, such as over InfiniBand, an engine without anything under way sleeps until somebody
//! posts, and one that shares its cores naps as above while another thread takes turns; who posts then wakes it. A
//! thread then looks once more for what it waits for, because its turn may have stored it. Another thread's turn may do
//! so later, and nothing becomes readable; so these sleeps have a limit: 10 ms for an idle engine, and at most a
//! millisecond for others. If the descriptor stays readable although there is nothing to do, these sleeps end at once:
//! that costs a core, but holds nobody up.
//!
//! *Who waits for whom.* Only the engine and calls of the NIC wait for the lock. Its holder waits for nothing, because
//! no call of a provider waits. A thread that is descheduled with the lock delays the network of its process until it
//! runs again, as a descheduled engine would. With the lock held, no other lock is taken but that of the list of news,
//! which nobody holds while waiting for anything. No code of the runtime or the program is called but that of a
//! [`Watch`](crate::Watch), which notes a time and waits for nothing. The service ([`Shared::serve`]) has a lock of its
//! own, for which nobody waits but a thread that ends it. It is called without the provider's lock, so it may post, but
//! it waits for nothing: whoever polls would wait with it.
//!
//! *No thread starves.* The system's lock favours the thread that has just released it, and turns follow each other
//! without a pause. So a thread that calls the NIC counts itself first ([`Shared::lock`]), and nobody takes a turn
//! while the count is not zero. Calls are short and few, so turns go on. The count only decides who goes first; the
//! lock orders the accesses to memory.
//!
//! *Panics.* A thread that panics with the lock held ends the process: others would wait for ever.
//!
//! *Memory.* The NIC drops the provider when the engine's thread has ended. Later turns do nothing. A forked child has
//! no engine, and drops no provider.

use crate::descriptor::Descriptor;
use crate::fabric::{Fabric, Post, Tag};
use crate::hub::{Hub, News};
use crate::provider::Provider;
use crate::ring::{MOST_UNDER_WAY, Ring};
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering, sleep, yield_now};
use crate::{Failure, UnderWay, Watch, Work};
use std::collections::VecDeque;
// The models have no service.
use std::sync::atomic::AtomicU64 as Count;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// What the NIC and its engine share.
pub(crate) struct Shared {
    pub(crate) hub: Hub,
    driver: Mutex<Driver>,
    /// How many threads that call the NIC wait for the lock.
    callers: AtomicU64,
    /// How many turns threads other than the engine's have taken.
    turns: AtomicU64,
    /// How many threads sleep at the network. Each takes a turn when it wakes.
    sleepers: AtomicU64,
    /// Whether this process has to poll for its peers.
    pub(crate) is_polled: bool,
    /// What is called behind each turn.
    service: Mutex<Option<Service>>,
    /// How many threads have wanted it to look since one has begun to. That one is the only one that calls it.
    serving: Count,
}

/// What a process does for peers that have put requests into its memory; returns whether it has found any. It may look
/// at peers that have asked for nothing so far a few at a time, unless it is told to be thorough.
pub type Service = Box<dyn FnMut(bool) -> bool + Send>;

/// How often a thread that waits for something else has the service look, as long as it finds something.
const SERVED_AT_ONCE: u32 = 16;

/// How long a thread sleeps that finds nothing to do, although the network cannot be left alone.
const NAP: Duration = Duration::from_micros(50);

/// What a thread that wants to sleep at the network learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slept<T> {
    /// What its look has found.
    Found(T),
    /// The network has had something to do, and may soon have more.
    Woken,
    /// The limit has passed, or the network could not be left alone.
    Again,
    /// One cannot sleep so: the network has no descriptor, or another thread drives it.
    NotHere,
}

/// The provider, and its side of all lanes.
pub(crate) struct Driver {
    /// Until the NIC is dropped.
    provider: Option<Provider>,
    /// In the order of the lanes' numbers.
    sides: Vec<Side>,
    watch: Option<Arc<dyn Watch>>,
    /// How many retries of the provider whoever watches has been told of.
    told: u64,
}

/// The provider's side of a lane.
struct Side {
    taken: u64,
    complete: Complete,
    /// By peer: operations that the provider could not start yet.
    waiting: Vec<(u32, VecDeque<(u64, Work)>)>,
    /// Peers for which the provider refused an operation. Those behind it are not executed.
    stopped: Vec<u32>,
}

/// Keeps track of which operations are complete, and reports them in the order of tickets.
struct Complete {
    ring: Arc<Ring>,
    reported: u64,
    ahead: [bool; MOST_UNDER_WAY as usize],
}

impl Complete {
    fn note(&mut self, ticket: u64, outcome: Result<(), Failure>) {
        if let Err(failure) = outcome {
            self.ring.fail(failure);
        }
        self.ring.tell(ticket);
        self.ahead[(ticket % MOST_UNDER_WAY) as usize] = true;
        let before = self.reported;
        while std::mem::take(&mut self.ahead[((self.reported + 1) % MOST_UNDER_WAY) as usize]) {
            self.reported += 1;
        }
        if self.reported > before {
            self.ring.complete(self.reported);
        }
    }
}

impl Side {
    fn new(ring: Arc<Ring>) -> Self {
        let complete = Complete { ring, reported: 0, ahead: [false; MOST_UNDER_WAY as usize] };
        Self { taken: 0, complete, waiting: Vec::new(), stopped: Vec::new() }
    }

    fn number(&self) -> u32 {
        self.complete.ring.number
    }

    fn has_posts(&self) -> bool {
        self.complete.ring.has_posts(self.taken)
    }

    /// Whether everything that was taken is complete.
    fn is_idle(&self) -> bool {
        self.complete.reported == self.taken
    }

    /// The operations that were taken and are not complete.
    fn under_way(&self) -> impl Iterator<Item = UnderWay> {
        let Complete { ring, reported, ahead } = &self.complete;
        let is_complete = |ticket: u64| ahead[(ticket % MOST_UNDER_WAY) as usize];
        (reported + 1..=self.taken).filter(move |ticket| !is_complete(*ticket)).filter_map(|ticket| {
            // Its slot is not used again before the ticket is complete.
            let Work { peer, operation, .. } = ring.take(ticket)?;
            Some(UnderWay { peer, tag: Tag { lane: ring.number, ticket }, bytes: operation.bytes() })
        })
    }

    /// Gives the provider what waits and what was posted since; returns whether it took anything.
    fn give(&mut self, provider: &mut Provider, watch: Option<&dyn Watch>) -> bool {
        let mut any = false;
        for (peer, mut works) in std::mem::take(&mut self.waiting) {
            while let Some((ticket, work)) = works.front()
                && self.post(provider, *ticket, work)
            {
                works.pop_front();
                any = true;
            }
            if !works.is_empty() {
                self.waiting.push((peer, works));
            }
        }
        while let Some(work) = self.complete.ring.take(self.taken + 1) {
            self.taken += 1;
            let ticket = self.taken;
            any = true;
            if let Some((_, works)) = self.waiting.iter_mut().find(|(peer, _)| *peer == work.peer) {
                works.push_back((ticket, work));
            } else if !self.post(provider, ticket, &work) {
                watch.into_iter().for_each(|watch| watch.tries_again(1));
                self.waiting.push((work.peer, VecDeque::from([(ticket, work)])));
            }
        }
        any
    }

    /// Posts an operation; returns whether that is settled.
    fn post(&mut self, provider: &mut Provider, ticket: u64, work: &Work) -> bool {
        if self.stopped.contains(&work.peer) {
            self.complete.note(ticket, Ok(()));
            return true;
        }
        // SAFETY: the poster keeps the addresses valid until the ticket is complete. The source of an inline put is in
        // its slot, which stays as long.
        match unsafe { provider.post(work, Tag { lane: self.number(), ticket }) } {
            Post::Taken => true,
            Post::Later => false,
            Post::Refused(why) => {
                self.stopped.push(work.peer);
                self.complete.note(ticket, Err(work.failure(why)));
                true
            }
        }
    }
}

impl Shared {
    pub(crate) fn new(provider: Provider, watch: Option<Arc<dyn Watch>>) -> Self {
        let is_polled = provider.promises().target_polls;
        let hub = Hub::new(provider.descriptor().and_then(|network| Descriptor::new(network).ok()));
        let driver = Mutex::new(Driver { provider: Some(provider), sides: Vec::new(), watch, told: 0 });
        let [callers, turns, sleepers] = [0, 0, 0].map(AtomicU64::new);
        Self { hub, driver, callers, turns, sleepers, is_polled, service: Mutex::new(None), serving: Count::new(0) }
    }

    /// Called behind each post: gives the operation to the provider, or wakes the engine if it sleeps.
    #[inline]
    pub(crate) fn note_post(&self, lane: u32) {
        if !(self.is_polled && self.begin(lane)) {
            self.hub.bell.ring();
        }
    }

    /// Gives the provider what was posted on a lane, if nobody else has it; returns whether it took everything.
    fn begin(&self, lane: u32) -> bool {
        let Some(mut driver) = self.try_lock() else { return false };
        or_end_process(|| driver.begin(&self.hub, lane))
    }

    /// Takes a turn, for a thread that waits, if nobody else has the provider.
    pub(crate) fn poll(&self) {
        if let Some(mut driver) = self.try_lock() {
            // Relaxed: it only makes the engine stand by.
            self.turns.fetch_add(1, Ordering::Relaxed);
            let has_moved = or_end_process(|| driver.turn(&self.hub));
            drop(driver);
            // Elsewhere, requests come without a turn. A thread that finds nothing else to do looks for them.
            if self.is_polled || !has_moved {
                self.serve(false);
            }
        }
    }

    /// Has the service look for requests, which a turn may have stored, until it finds none; returns whether it has
    /// found any. If another thread has it look, that one looks again. `thorough` is for a thread that may sleep next.
    pub(crate) fn serve(&self, thorough: bool) -> bool {
        // SYNC(net-service) release: what this thread's turn has stored. If another thread serves, it cannot stop
        // before it has seen this and has looked once more. Acquire: the other side, when this thread serves.
        if self.serving.fetch_add(1, AcqRel) > 0 {
            return false;
        }
        let (mut any, mut rounds) = (false, 0);
        loop {
            // SYNC(net-service) acquire: pairs with the release above, in threads that did not serve.
            let callers = self.serving.load(Acquire);
            let mut service = self.service.lock().unwrap_or_else(PoisonError::into_inner);
            let found = service.as_mut().is_some_and(|service| or_end_process(|| service(thorough)));
            drop(service);
            any |= found;
            rounds += 1;
            // The engine goes on, so that this thread comes to what it waits for.
            let leaves_rest = found && rounds >= SERVED_AT_ONCE;
            // SYNC(net-service) acquire and release: as above. It fails if a thread has turned since, and then looks.
            if (!found || leaves_rest) && self.serving.compare_exchange(callers, 0, AcqRel, Relaxed).is_ok() {
                if leaves_rest {
                    self.hub.bell.ring();
                }
                return any;
            }
        }
    }

    /// Has another service from now on, or none. Waits until the one before has returned.
    pub(crate) fn set_service(&self, service: Option<Service>) {
        let before = {
            let mut place = self.service.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *place, service)
        };
        drop(before);
    }

    /// Takes a turn, for a thread that has waited for a while, and calls `look`. If both find nothing, sleeps until the
    /// network has something to do, but at most as long as this.
    pub(crate) fn sleep<T>(&self, limit: Duration, look: impl FnOnce() -> Option<T>) -> Slept<T> {
        let Some(descriptor) = &self.hub.bell.descriptor else { return Slept::NotHere };
        let Some(mut driver) = self.try_lock() else { return Slept::NotHere };
        // Relaxed: as above.
        self.turns.fetch_add(1, Ordering::Relaxed);
        let may_sleep = or_end_process(|| !driver.turn(&self.hub) && driver.may_sleep());
        drop(driver);
        let served = self.serve(true);
        // What a peer has put here completes nothing, so only a look finds what the turn has stored.
        if let Some(found) = look() {
            return Slept::Found(found);
        }
        if served {
            yield_now();
            return Slept::Again;
        }
        // There may be something to do at any moment, and nothing would wake this thread. It waits for long already, so
        // it may sleep for a moment: threads that only yield can keep those that work from a core for seconds.
        if !may_sleep {
            sleep(NAP);
            return Slept::Again;
        }
        // Relaxed: as above.
        self.sleepers.fetch_add(1, Ordering::Relaxed);
        let has_come = descriptor.wait(limit);
        if has_come {
            self.poll();
        }
        // Relaxed: as above.
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
        if has_come { Slept::Woken } else { Slept::Again }
    }

    /// How many turns threads other than the engine's have taken.
    pub(crate) fn turns(&self) -> u64 {
        // Relaxed: as above.
        self.turns.load(Ordering::Relaxed)
    }

    /// Whether a thread sleeps at the network, and will take a turn when there is something to do.
    pub(crate) fn has_sleepers(&self) -> bool {
        // Relaxed: as above.
        self.sleepers.load(Ordering::Relaxed) > 0
    }

    /// Takes the lock if it is free and no thread that calls the NIC waits for it.
    fn try_lock(&self) -> Option<MutexGuard<'_, Driver>> {
        // A lock that is poisoned counts as taken; but whoever panics with it ends the process.
        if self.has_callers() { None } else { self.driver.try_lock().ok() }
    }

    /// Drops the provider.
    pub(crate) fn close(&self) {
        let provider = self.lock().provider.take();
        drop(provider);
    }

    /// Has the provider do something, before the next turn.
    pub(crate) fn call<T>(&self, run: impl FnOnce(&mut Provider) -> T) -> T {
        let mut driver = self.lock();
        or_end_process(|| run(driver.provider()))
    }

    /// Takes the lock, before the next turn.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Driver> {
        // Relaxed: it only makes threads wait.
        self.callers.fetch_add(1, Ordering::Relaxed);
        let driver = self.driver.lock().unwrap_or_else(PoisonError::into_inner);
        // Relaxed: as above.
        self.callers.fetch_sub(1, Ordering::Relaxed);
        driver
    }

    /// Takes the lock for the engine, behind the threads that wait for it.
    pub(crate) fn lock_behind_others(&self) -> MutexGuard<'_, Driver> {
        while self.has_callers() {
            yield_now();
        }
        self.driver.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether threads that call the NIC wait for the lock.
    pub(crate) fn has_callers(&self) -> bool {
        // Relaxed: it only makes threads wait.
        self.callers.load(Ordering::Relaxed) > 0
    }
}

/// Ends the process if the thread panics.
#[inline]
fn or_end_process<T>(run: impl FnOnce() -> T) -> T {
    struct Ends;
    impl Drop for Ends {
        fn drop(&mut self) {
            std::process::abort();
        }
    }
    let ends = Ends;
    let result = run();
    std::mem::forget(ends);
    result
}

impl Driver {
    /// The provider. Not to be called when the NIC was dropped.
    pub(crate) fn provider(&mut self) -> &mut Provider {
        self.provider.as_mut().expect("the NIC was not dropped")
    }

    /// Learns of new lanes and of dead peers.
    fn read_news(&mut self, hub: &Hub) {
        let News { lanes, lost } = hub.news();
        if !lanes.is_empty() {
            self.forget_lanes();
            self.sides.extend(lanes.into_iter().map(Side::new));
            self.sides.sort_by_key(Side::number);
        }
        for (peer, why) in lost {
            self.provider().lost(peer, &why);
        }
    }

    /// Gives the provider what was posted on a lane; returns whether it took everything.
    fn begin(&mut self, hub: &Hub, lane: u32) -> bool {
        if self.provider.is_none() {
            return false;
        }
        self.read_news(hub);
        let Self { provider: Some(provider), watch, .. } = self else { return false };
        let Ok(index) = self.sides.binary_search_by_key(&lane, Side::number) else { return false };
        let side = &mut self.sides[index];
        side.give(provider, watch.as_deref());
        side.waiting.is_empty()
    }

    /// Gives the provider what there is, and lets it work; returns whether anything was done.
    pub(crate) fn turn(&mut self, hub: &Hub) -> bool {
        if self.provider.is_none() {
            return false;
        }
        self.read_news(hub);
        let Self { provider: Some(provider), sides, watch, told } = self else { return false };
        let mut any = false;
        for side in sides.iter_mut().rev() {
            any |= side.give(provider, watch.as_deref());
        }
        let mut done = |tag: Tag, outcome| {
            if let Ok(index) = sides.binary_search_by_key(&tag.lane, Side::number) {
                sides[index].complete.note(tag.ticket, outcome);
            }
        };
        any |= provider.poll(&mut done);
        if let Some(watch) = watch {
            let retries = provider.retries();
            if retries > *told {
                watch.tries_again(retries - std::mem::replace(told, retries));
            }
        }
        any
    }

    /// Whether everything that was taken is complete, and nothing is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.sides.iter().all(Side::is_idle) && self.provider.as_ref().is_none_or(Fabric::is_idle)
    }

    /// Whether nothing is left to do before the network's descriptor becomes readable.
    pub(crate) fn may_sleep(&mut self) -> bool {
        self.provider.as_mut().is_some_and(Fabric::may_sleep)
    }

    /// Whether something was posted that was not taken.
    pub(crate) fn has_posts(&self) -> bool {
        self.sides.iter().any(Side::has_posts)
    }

    /// Whether an operation was taken that the provider could not start.
    pub(crate) fn has_waiting(&self) -> bool {
        self.sides.iter().any(|side| !side.waiting.is_empty())
    }

    /// Ends the operations that are not complete.
    pub(crate) fn lose_all(&mut self, why: &str) {
        let Some(provider) = &mut self.provider else { return };
        for UnderWay { peer, .. } in self.sides.iter().flat_map(Side::under_way) {
            provider.lost(peer, why);
        }
    }

    /// The operations that were taken and are not complete.
    pub(crate) fn under_way(&self) -> Vec<UnderWay> {
        self.sides.iter().flat_map(Side::under_way).collect()
    }

    /// Forgets lanes that were dropped and have nothing left to do.
    pub(crate) fn forget_lanes(&mut self) {
        let Some(provider) = &mut self.provider else { return };
        self.sides.retain(|side| {
            let is_finished = side.is_idle() && side.complete.ring.is_finished(side.taken);
            if is_finished {
                provider.forget_lane(side.number());
            }
            !is_finished
        });
    }
}
