//! Lanes: where threads post and learn what is complete.

use crate::bell::Bell;
use crate::sync::{AtomicBool, AtomicU64, OnceLock, Ordering, UnsafeCell};
use crate::{Failure, MOST_INLINE, Posted, What, Work};
use std::mem::MaybeUninit;
use std::sync::Arc;

/// Operations that a lane has under way at most.
pub const MOST_UNDER_WAY: u64 = if cfg!(loom) { 2 } else { 256 };

/// An order of its own, like a queue pair to each peer. Any thread posts. Once its [`Nic`](crate::Nic) was dropped,
/// nothing that is posted happens any more.
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
    given: Given,
    /// Written by the engine.
    done: Padded,
    failure: OnceLock<Failure>,
    abandoned: AtomicBool,
}

/// Alone on its cache lines, two of which some processors fetch together.
#[repr(align(128))]
struct Padded(AtomicU64);

/// Also alone.
#[repr(align(128))]
struct Given {
    /// The last ticket.
    posted: AtomicU64,
    /// What a poster saw of `done`, whose line the engine writes to with each operation.
    seen: AtomicU64,
}

/// Also alone: while the engine reads one, a poster fills in the next. The first line has all but the bytes of an
/// inline put.
#[repr(C, align(128))]
struct Slot {
    /// The ticket whose work is in the slot.
    full: AtomicU64,
    work: UnsafeCell<MaybeUninit<Work>>,
    /// What was copied of the source of an inline put.
    few: UnsafeCell<[u8; MOST_INLINE]>,
}

// The cells of the model are larger.
const _: () = assert!(cfg!(loom) || size_of::<Slot>() == 128);

// SAFETY: a slot belongs to one thread at a time: to the poster that took its ticket until it is marked as full, then
// to the engine until the ticket is complete.
unsafe impl Sync for Slot {}

impl Ring {
    pub(crate) fn new(number: u32) -> Self {
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
        }
    }

    fn slot(&self, ticket: u64) -> &Slot {
        &self.slots[(ticket % MOST_UNDER_WAY) as usize]
    }

    /// # Safety
    /// The source of an inline put is readable.
    #[inline]
    unsafe fn post(&self, mut work: Work) -> Option<u64> {
        // Relaxed: a number that is out of date is found by the exchange.
        let mut last = self.given.posted.load(Ordering::Relaxed);
        loop {
            if !self.has_room_behind(last) {
                return None;
            }
            // SYNC(net-bell) SeqCst: comes before the look at the bell, as in `has_posts` the look at tickets behind
            // the word that the engine sleeps. Relaxed: as above.
            match self.given.posted.compare_exchange_weak(last, last + 1, Ordering::SeqCst, Ordering::Relaxed) {
                Ok(_) => break,
                Err(newer) => last = newer,
            }
        }
        let slot = self.slot(last + 1);
        // SAFETY: the ticket is this thread's alone, and the one that had the slot before is complete. The caller
        // vouches for the source. Of one that is too long the engine reads nothing.
        unsafe {
            if let What::Inline { from, bytes } = &mut work.what {
                let (few, source) = (slot.few.get().cast::<u8>(), std::ptr::with_exposed_provenance::<u8>(*from));
                match *bytes {
                    // Mostly, and without a call.
                    8 => few.cast::<u64>().write_unaligned(source.cast::<u64>().read_unaligned()),
                    bytes => source.copy_to_nonoverlapping(few, bytes.min(MOST_INLINE)),
                }
                *from = few.expose_provenance();
            }
            (*slot.work.get()).write(work);
        }
        // SYNC(net-post) release: pairs with the acquire in `take`; orders the work, and the source, before the mark.
        slot.full.store(last + 1, Ordering::Release);
        Some(last + 1)
    }

    /// Whether the slot of the ticket behind this one may be filled in.
    #[inline]
    fn has_room_behind(&self, last: u64) -> bool {
        let has_room = |done: u64| last.saturating_sub(done) < MOST_UNDER_WAY;
        // SYNC(net-done) acquire: pairs with the release below, of the poster that saw the number.
        if has_room(self.given.seen.load(Ordering::Acquire)) {
            return true;
        }
        // SYNC(net-done) acquire: pairs with the release in `complete`, so that the engine has taken what was in the
        // slot.
        let done = self.done.0.load(Ordering::Acquire);
        // SYNC(net-done) release: pairs with the acquire above; passes on what this thread saw. A smaller number than
        // another poster's does no harm.
        self.given.seen.store(done, Ordering::Release);
        has_room(done)
    }

    /// Whether more was posted than taken; the slot may not be full yet. For the engine, before it sleeps.
    pub(crate) fn has_posts(&self, taken: u64) -> bool {
        // SYNC(net-bell) SeqCst: pairs with the exchange in `post`.
        self.given.posted.load(Ordering::SeqCst) > taken
    }

    /// The work of the next ticket, if it is there; the source of an inline put is in the slot. For the engine.
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
        self.abandoned.load(Ordering::Acquire) && self.given.posted.load(Ordering::Relaxed) == taken
    }
}

impl Lane {
    pub(crate) fn new(ring: Arc<Ring>, bell: Arc<Bell>) -> Self {
        Self { ring, bell }
    }

    /// Posts an operation and returns before it happens. Never waits.
    ///
    /// # Safety
    /// The addresses in the work are valid for as many bytes as it names, that of an inline put now and all others
    /// until its ticket is complete, and nobody else uses memory that a get or an AMO writes.
    #[inline]
    pub unsafe fn post(&self, work: Work) -> Posted {
        // SAFETY: the caller vouches for the source.
        let Some(ticket) = (unsafe { self.ring.post(work) }) else { return Posted::Again };
        self.bell.ring();
        Posted::Ticket(ticket)
    }

    /// The last ticket given.
    #[inline]
    pub fn posted(&self) -> u64 {
        // Relaxed: whoever learned of a post from its poster sees its ticket.
        self.ring.given.posted.load(Ordering::Relaxed)
    }

    /// The ticket up to which all operations are complete. Those that failed count as complete.
    #[inline]
    pub fn done(&self) -> u64 {
        // SYNC(net-done) acquire: pairs with the release in `complete`.
        self.ring.done.0.load(Ordering::Acquire)
    }

    /// The first failure of the lane. It is there when its operation is complete.
    #[inline]
    pub fn failure(&self) -> Option<&Failure> {
        self.ring.failure.get()
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // SYNC(net-over) release: pairs with the acquire in `is_over`; orders the last post.
        self.ring.abandoned.store(true, Ordering::Release);
    }
}
