//! Lanes: where threads post and learn what is complete.

use crate::bell::Bell;
use crate::sync::{AtomicBool, AtomicU64, OnceLock, Ordering, UnsafeCell};
use crate::{Failure, Posted, Work};
use std::mem::MaybeUninit;
use std::sync::Arc;

/// Operations that a lane has under way at most.
pub const MOST_UNDER_WAY: u64 = if cfg!(loom) { 2 } else { 256 };

/// An order of its own, like a queue pair to each peer. Any thread posts. Once its [`Nic`](crate::Nic) was dropped, nothing that is
/// posted happens any more.
pub struct Lane {
    ring: Arc<Ring>,
    bell: Arc<Bell>,
}

/// What poster and engine share.
pub(crate) struct Ring {
    /// Among the lanes of its NIC.
    pub(crate) number: u32,
    slots: Box<[Slot]>,
    /// Written by posters.
    posted: Padded,
    /// Written by the engine.
    done: Padded,
    failure: OnceLock<Failure>,
    abandoned: AtomicBool,
}

/// Alone on its cache lines, two of which some processors fetch together.
#[repr(align(128))]
struct Padded(AtomicU64);

struct Slot {
    /// The ticket whose work is in the slot.
    full: AtomicU64,
    work: UnsafeCell<MaybeUninit<Work>>,
}

// SAFETY: a slot belongs to one thread at a time: to the poster that took its ticket until it is marked as full, then to the engine.
unsafe impl Sync for Slot {}

impl Ring {
    pub(crate) fn new(number: u32) -> Self {
        let slot = |_| Slot { full: AtomicU64::new(0), work: UnsafeCell::new(MaybeUninit::uninit()) };
        Self {
            number,
            slots: (0..MOST_UNDER_WAY).map(slot).collect(),
            posted: Padded(AtomicU64::new(0)),
            done: Padded(AtomicU64::new(0)),
            failure: OnceLock::new(),
            abandoned: AtomicBool::new(false),
        }
    }

    fn slot(&self, ticket: u64) -> &Slot {
        &self.slots[(ticket % MOST_UNDER_WAY) as usize]
    }

    fn post(&self, work: Work) -> Option<u64> {
        // Relaxed: tickets order nothing, and a number that is out of date is found by the exchange.
        let mut last = self.posted.0.load(Ordering::Relaxed);
        loop {
            // SYNC(net-done) acquire: pairs with the release in `complete`, so that the engine has taken what was in the slot.
            if last.saturating_sub(self.done.0.load(Ordering::Acquire)) >= MOST_UNDER_WAY {
                return None;
            }
            // Relaxed: as above.
            match self.posted.0.compare_exchange_weak(last, last + 1, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => break,
                Err(newer) => last = newer,
            }
        }
        let slot = self.slot(last + 1);
        // SAFETY: the ticket is this thread's alone, and the one that had the slot before is complete.
        unsafe { (*slot.work.get()).write(work) };
        // SYNC(net-post) release: pairs with the acquire in `take`; orders the work, and the source, before the mark.
        slot.full.store(last + 1, Ordering::Release);
        Some(last + 1)
    }

    /// Whether the work of this ticket is there. Looks only: `take` acquires.
    pub(crate) fn has(&self, ticket: u64) -> bool {
        // Relaxed: only tells whether to take.
        self.slot(ticket).full.load(Ordering::Relaxed) == ticket
    }

    /// The work of the next ticket, if it is there. For the engine.
    pub(crate) fn take(&self, ticket: u64) -> Option<Work> {
        let slot = self.slot(ticket);
        // SYNC(net-post) acquire: pairs with the release in `post`.
        if slot.full.load(Ordering::Acquire) != ticket {
            return None;
        }
        // SAFETY: the slot is full with the work of this ticket, and nobody writes it before the ticket is complete.
        Some(unsafe { (*slot.work.get()).assume_init() })
    }

    /// All operations up to `ticket` are complete. For the engine.
    pub(crate) fn complete(&self, ticket: u64) {
        // SYNC(net-done) release: pairs with the acquires in `done` and `post`; orders all that the engine did before.
        self.done.0.store(ticket, Ordering::Release);
    }

    /// Notes a failure, before the ticket of what failed is complete.
    pub(crate) fn fail(&self, failure: Failure) {
        let _ = self.failure.set(failure);
    }

    /// Whether the lane is gone and all that was posted complete.
    pub(crate) fn is_over(&self, taken: u64) -> bool {
        // SYNC(net-over) acquire: pairs with the release in `drop`, behind which nobody posts.
        self.abandoned.load(Ordering::Acquire) && self.posted.0.load(Ordering::Relaxed) == taken
    }
}

impl Lane {
    pub(crate) fn new(ring: Arc<Ring>, bell: Arc<Bell>) -> Self {
        Self { ring, bell }
    }

    /// Posts an operation and returns before it happens. Never waits.
    ///
    /// # Safety
    /// The addresses in the work are valid for as many bytes as it names until its ticket is complete, and nobody else uses memory
    /// that a get or an AMO writes.
    #[inline]
    pub unsafe fn post(&self, work: Work) -> Posted {
        let Some(ticket) = self.ring.post(work) else { return Posted::Again };
        self.bell.ring();
        Posted::Ticket(ticket)
    }

    /// The last ticket given.
    #[inline]
    pub fn posted(&self) -> u64 {
        // Relaxed: whoever learned of a post from its poster sees its ticket.
        self.ring.posted.0.load(Ordering::Relaxed)
    }

    /// The ticket up to which all operations are complete. Those that failed count as complete.
    #[inline]
    pub fn done(&self) -> u64 {
        // SYNC(net-done) acquire: pairs with the release in `complete`.
        self.ring.done.0.load(Ordering::Acquire)
    }

    /// The first failure of the lane. It is there when its operation is complete.
    pub fn failure(&self) -> Option<Failure> {
        self.ring.failure.get().cloned()
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // SYNC(net-over) release: pairs with the acquire in `is_over`; orders the last post.
        self.ring.abandoned.store(true, Ordering::Release);
    }
}
