//! The ring of a lane: posters fill in its slots, and one thread at a time, which has the provider, empties them.

use crate::copy::few_from_shared;
use crate::sync::{AtomicBool, AtomicU64, OnceLock, Ordering, UnsafeCell};
use crate::{Failure, MOST_INLINE, Operation, Watch, Work};
use std::mem::MaybeUninit;
use std::sync::Arc;

/// The maximum number of incomplete operations on a lane.
pub const MOST_UNDER_WAY: u64 = if cfg!(loom) { 2 } else { 256 };

/// See the module's documentation.
pub(crate) struct Ring {
    /// Its number among the lanes of its NIC.
    pub(crate) number: u32,
    slots: Box<[Slot]>,
    /// Written by posters.
    given: Given,
    /// Written by whoever has the provider.
    done: Padded,
    failure: OnceLock<Failure>,
    abandoned: AtomicBool,
    watched: Option<Watched>,
}

/// What a ring needs for somebody who watches it.
struct Watched {
    watch: Arc<dyn Watch>,
    /// When the operation in each slot was posted. Written like the slot, before its mark.
    times: Box<[AtomicU64]>,
}

/// Alone in a pair of cache lines, because some processors fetch lines in pairs.
#[repr(align(128))]
struct Padded(AtomicU64);

/// Aligned for the same reason.
#[repr(align(128))]
struct Given {
    /// The last ticket.
    posted: AtomicU64,
    /// The latest `done` that a poster saw. The cache line of `done` is written with each operation.
    seen: AtomicU64,
}

/// Aligned for the same reason: a poster fills in one slot while another thread reads the one before. The first cache
/// line holds everything but the bytes of an inline put.
#[repr(C, align(128))]
struct Slot {
    /// The ticket whose work is in the slot.
    full: AtomicU64,
    work: UnsafeCell<MaybeUninit<Work>>,
    /// A copy of the source of an inline put.
    few: UnsafeCell<[u8; MOST_INLINE]>,
}

// loom's cells are larger.
const _: () = assert!(cfg!(loom) || size_of::<Slot>() == 128);

// SAFETY: a slot belongs to one thread at a time: to the poster that took its ticket until it is marked as full, then
// to whoever has the provider until the ticket is complete.
unsafe impl Sync for Slot {}

impl Ring {
    pub(crate) fn new(number: u32, watch: Option<Arc<dyn Watch>>) -> Self {
        let times = || (0..MOST_UNDER_WAY).map(|_| AtomicU64::new(0)).collect();
        let slot = |_| Slot {
            full: AtomicU64::new(0),
            work: UnsafeCell::new(MaybeUninit::uninit()),
            few: UnsafeCell::new([0; MOST_INLINE]),
        };
        Self {
            number,
            slots: (0..MOST_UNDER_WAY).map(slot).collect(),
            given: Given { posted: AtomicU64::new(0), seen: AtomicU64::new(0) },
            done: Padded(AtomicU64::new(0)),
            failure: OnceLock::new(),
            abandoned: AtomicBool::new(false),
            watched: watch.map(|watch| Watched { watch, times: times() }),
        }
    }

    fn slot(&self, ticket: u64) -> &Slot {
        &self.slots[(ticket % MOST_UNDER_WAY) as usize]
    }

    /// # Safety
    /// The source of an inline put is readable.
    #[inline]
    pub(crate) unsafe fn post(&self, mut work: Work) -> Option<u64> {
        // Relaxed: if the number is out of date, the exchange fails.
        let mut last = self.given.posted.load(Ordering::Relaxed);
        loop {
            if !self.has_room_behind(last) {
                return None;
            }
            // SYNC(net-bell) SeqCst: comes before this thread looks whether the engine sleeps. Likewise, the engine
            // says that it sleeps before it looks at the tickets in `has_posts`. Relaxed: the loop tests the number
            // again.
            match self.given.posted.compare_exchange_weak(last, last + 1, Ordering::SeqCst, Ordering::Relaxed) {
                Ok(_) => break,
                Err(newer) => last = newer,
            }
        }
        let slot = self.slot(last + 1);
        // SAFETY: the ticket belongs to this thread alone, and the slot's previous operation is complete. The caller
        // guarantees the source. If it is too long, the engine does not read the copy.
        unsafe {
            if let Operation::Inline { from, bytes, .. } = &mut work.operation {
                let (few, source) = (slot.few.get().cast::<u8>(), std::ptr::with_exposed_provenance::<u8>(*from));
                few_from_shared(few, source, (*bytes).min(MOST_INLINE));
                *from = few.expose_provenance();
            }
            (*slot.work.get()).write(work);
        }
        if let Some(Watched { watch, times }) = &self.watched {
            // Relaxed: the mark orders it, as it orders the work.
            times[((last + 1) % MOST_UNDER_WAY) as usize].store(watch.now(), Ordering::Relaxed);
        }
        // SYNC(net-post) release: pairs with the acquire in `take`; orders the work and the source before the mark.
        slot.full.store(last + 1, Ordering::Release);
        Some(last + 1)
    }

    /// Whether the slot of the ticket after `last` may be filled in.
    #[inline]
    fn has_room_behind(&self, last: u64) -> bool {
        let has_room = |done: u64| last.saturating_sub(done) < MOST_UNDER_WAY;
        // SYNC(net-done) acquire: pairs with the release below, in the poster that saw the number.
        if has_room(self.given.seen.load(Ordering::Acquire)) {
            return true;
        }
        // SYNC(net-done) acquire: pairs with the release in `complete`, so the engine has taken the slot's previous
        // work.
        let done = self.done.0.load(Ordering::Acquire);
        // SYNC(net-done) release: pairs with the acquire above; passes on what this thread saw. Overwriting a larger
        // number that another poster stored does no harm.
        self.given.seen.store(done, Ordering::Release);
        has_room(done)
    }

    /// Whether more was posted than taken, even if the slot is not full yet. The engine asks this before it sleeps.
    pub(crate) fn has_posts(&self, taken: u64) -> bool {
        // SYNC(net-bell) SeqCst: pairs with the exchange in `post`.
        self.given.posted.load(Ordering::SeqCst) > taken
    }

    /// The work of `ticket`, if its slot is full. The source of an inline put is in the slot. Called by whoever has the
    /// provider.
    pub(crate) fn take(&self, ticket: u64) -> Option<Work> {
        let slot = self.slot(ticket);
        // SYNC(net-post) acquire: pairs with the release in `post`.
        if slot.full.load(Ordering::Acquire) != ticket {
            return None;
        }
        // SAFETY: the slot holds the work of this ticket, and nobody writes it before the ticket is complete.
        Some(unsafe { (*slot.work.get()).assume_init() })
    }

    /// Tells who watches that this operation has come to its end. Called by whoever has the provider, before the ticket
    /// is complete.
    pub(crate) fn tell(&self, ticket: u64) {
        let Some(Watched { watch, times }) = &self.watched else { return };
        if let Some(Work { peer, operation, .. }) = self.take(ticket) {
            // Relaxed: `take` has found the mark.
            watch.ended(peer, &operation, times[(ticket % MOST_UNDER_WAY) as usize].load(Ordering::Relaxed));
        }
    }

    /// Reports that all operations up to `ticket` are complete. Called by whoever has the provider.
    pub(crate) fn complete(&self, ticket: u64) {
        // SYNC(net-done) release: pairs with the acquires in `done` and `post`; orders everything that the engine did
        // before.
        self.done.0.store(ticket, Ordering::Release);
    }

    /// Records a failure, before the ticket of the failed operation is complete.
    pub(crate) fn fail(&self, failure: Failure) {
        let _ = self.failure.set(failure);
    }

    /// The last ticket that was issued.
    #[inline]
    pub(crate) fn posted(&self) -> u64 {
        // Relaxed: a thread that learned of a post from its poster sees its ticket.
        self.given.posted.load(Ordering::Relaxed)
    }

    /// The ticket up to which all operations are complete.
    #[inline]
    pub(crate) fn done(&self) -> u64 {
        // SYNC(net-done) acquire: pairs with the release in `complete`.
        self.done.0.load(Ordering::Acquire)
    }

    /// The first failure.
    #[inline]
    pub(crate) fn failure(&self) -> Option<&Failure> {
        self.failure.get()
    }

    /// Records that nothing will be posted any more.
    pub(crate) fn abandon(&self) {
        // SYNC(net-over) release: pairs with the acquire in `is_finished`; orders the last post before it.
        self.abandoned.store(true, Ordering::Release);
    }

    /// Whether the lane was dropped and everything posted to it has been taken.
    pub(crate) fn is_finished(&self, taken: u64) -> bool {
        // SYNC(net-over) acquire: pairs with the release in `abandon`, after which nobody posts.
        self.abandoned.load(Ordering::Acquire) && self.given.posted.load(Ordering::Relaxed) == taken
    }
}
