//! Copies by a GPU's copy engine, on copy lanes.
//!
//! ```text
//!   thread:  lock ── enqueue copy ── ticket := posted + 1 ── unlock …  flush: enqueue "done := ticket"
//!   GPU:     copy, copy, …, done := ticket
//!   waiter:  loads done until it is at least the ticket
//! ```
//!
//! A *lane* here is a copy lane, not a GPU thread: a stream and a word of host memory, `done`. Each context has one,
//! and up to [`SIDES`] more for long copies that are left to a quiet, so that copies in one direction do not wait for
//! those in another. There is no order between lanes. Each copy has a ticket, its number on the lane.
//!
//! * *Who writes*: only the lane's stream writes `done`, behind the copies that it counts.
//! * *Who reads*: any thread of this PE, with an acquire; the stream's write comes after its copies at system scope.
//! * *Tickets follow the order of the stream*, because a copy is enqueued and numbered with the lane's lock held.
//! * *Reuse*: `done` is never reset; a lane that takes over the word counts on from its value.
//! * *When the GPU fails*, `done` stops; the waiter asks the stream now and then and gets the error.
//! * *A short wait* asks the stream first, because enqueueing a report takes longer than a short copy.

use super::Posted;
use crate::sync::control::{Control, MOST_LANES, SIDE_LANES};
use crate::sync::locked;
use cushmem_bootstrap::joined_here;
use cushmem_gpu::{Gpu, GpuError, Stream};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// The most copies that a lane has under way. A driver's queue holds about as many before a call blocks.
const MOST_UNDER_WAY: u64 = 512;
/// A lane that is never flushed reports progress after this many copies.
const REPORTED: u64 = 64;

/// A waiter asks the stream itself this many times, because most copies are short, and then has the stream report.
pub(crate) const STREAM_QUERIES: u32 = 64;
/// From then on it polls the lane's word, and asks the stream for errors once in this many polls.
const LOOKS: u32 = 256;

/// The most lanes that a context has in addition to its first.
pub(crate) const SIDES: usize = 3;

/// What lanes are made from.
pub(crate) struct CopyEngine {
    gpu: Arc<dyn Gpu>,
}

/// The words of lanes. Each context takes one.
#[derive(Clone)]
pub(crate) struct Words(Arc<Mutex<[bool; MOST_LANES + SIDE_LANES]>>);

/// A word that is taken until this is dropped.
pub(crate) struct LaneWord {
    number: usize,
    words: Words,
}

impl Words {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new([false; MOST_LANES + SIDE_LANES])))
    }

    /// A free word; `None` if all are taken.
    pub(crate) fn take(&self) -> Option<LaneWord> {
        self.take_of(0..MOST_LANES)
    }

    /// A free word for an additional lane of a context.
    pub(crate) fn take_side(&self) -> Option<LaneWord> {
        self.take_of(MOST_LANES..MOST_LANES + SIDE_LANES)
    }

    fn take_of(&self, mut range: Range<usize>) -> Option<LaneWord> {
        let mut taken = locked(&self.0);
        let number = range.find(|number| !taken[*number])?;
        taken[number] = true;
        Some(LaneWord { number, words: self.clone() })
    }
}

impl Drop for LaneWord {
    fn drop(&mut self) {
        locked(&self.words.0)[self.number] = false;
    }
}

/// A sequence of copies, ordered among themselves only.
pub(crate) struct Lane {
    stream: Arc<dyn Stream>,
    word: Arc<LaneWord>,
    /// Tickets given out. Written with the lock held.
    posted: AtomicU64,
    /// The last ticket that its caller left to a quiet. Written with the lock held.
    pending: AtomicU64,
    /// All copies up to this ticket are complete, as a waiter has found.
    acked: AtomicU64,
    /// The last ticket that the stream is to report.
    flushed: Mutex<u64>,
}

impl CopyEngine {
    /// Pins this PE's words that streams write.
    pub(crate) fn create(gpu: &Arc<dyn Gpu>, control: &Control) -> Result<Self, GpuError> {
        let (address, bytes) = control.gpu_words();
        gpu.register_host(address, bytes)?;
        Ok(Self { gpu: gpu.clone() })
    }

    /// Undoes [`CopyEngine::create`]. If it fails, the pages merely stay pinned until the process ends.
    pub(crate) fn give_back(&self, control: &Control) {
        let _ = self.gpu.unregister_host(control.gpu_words().0);
    }

    /// A new lane that counts in this word.
    pub(crate) fn lane(&self, control: &Control, word: &Arc<LaneWord>) -> Result<Lane, GpuError> {
        self.lane_of(&*self.gpu, control, word)
    }

    /// A new lane with a stream of another handle of this GPU.
    pub(crate) fn lane_of(&self, gpu: &dyn Gpu, control: &Control, word: &Arc<LaneWord>) -> Result<Lane, GpuError> {
        let stream = gpu.create_stream()?;
        crate::job::record::name_stream(&*stream, "cushmem: copies");
        // SYNC(copies-done) acquire: pairs with the stream's last write for the lane that had the word before.
        let base = control.done(word.number).load(Ordering::Acquire);
        let count = || AtomicU64::new(base);
        let word = word.clone();
        Ok(Lane { stream, word, posted: count(), pending: count(), acked: count(), flushed: Mutex::new(base) })
    }
}

impl Lane {
    /// The ticket that a quiet has to wait for, if there is one. A blocking copy is waited for by its caller.
    #[inline]
    pub(crate) fn pending(&self) -> Option<u64> {
        // SYNC(copies) acquire: pairs with the release in `give_out`, so that these copies are in the stream. The other
        // count only shows that a wait has ended, which acquired what it waited for.
        let pending = self.pending.load(Ordering::Acquire);
        // SYNC(copies) acquire: pairs with the release in `acknowledge`.
        (self.acked.load(Ordering::Acquire) < pending).then_some(pending)
    }

    /// The last ticket given out.
    pub(crate) fn posted(&self) -> u64 {
        // SYNC(copies) acquire: pairs with the release in `give_out`, so that the copy is in the stream when the stream
        // is asked.
        self.posted.load(Ordering::Acquire)
    }

    /// Enqueues a copy, or anything else that is complete when the next operation of the stream runs, and gives it a
    /// ticket. If it is `left` to a quiet, a quiet waits for it.
    pub(crate) fn enqueue(
        &self,
        control: &Control,
        left: bool,
        operation: impl FnOnce(&dyn Stream) -> Result<(), GpuError>,
    ) -> Result<Posted, GpuError> {
        let mut flushed = locked(&self.flushed);
        let Some(ticket) = self.give_out(control, |_| operation(&*self.stream))? else { return Ok(Posted::Again) };
        if left {
            // SYNC(copies) release: pairs with the acquire in `pending`.
            self.pending.store(ticket, Ordering::Release);
        }
        // Relaxed: only decides when to report.
        if ticket - flushed.max(self.acked.load(Ordering::Relaxed)) >= REPORTED {
            // The copy is under way, so its caller needs the ticket. Whoever waits for it reports again, and gets the
            // error.
            let _ = self.report(control, &mut flushed, ticket);
        }
        Ok(Posted::Ticket(ticket))
    }

    /// Enqueues a word, given by address, value and length, and the report of it, in one call of the driver.
    ///
    /// # Safety
    /// The word is aligned and stays valid until it is written.
    pub(crate) unsafe fn enqueue_reported_word(
        &self,
        control: &Control,
        word: (u64, u64, u64),
    ) -> Result<Posted, GpuError> {
        let mut flushed = locked(&self.flushed);
        // SAFETY: the caller guarantees that the word is valid; the report is as in `report`.
        let write = |ticket| unsafe { self.stream.set_and_write(word, self.done_address(control), ticket) };
        let Some(ticket) = self.give_out(control, write)? else { return Ok(Posted::Again) };
        *flushed = ticket;
        Ok(Posted::Ticket(ticket))
    }

    /// Has an operation enqueued with the next ticket, unless too many are under way. The caller holds the lock.
    fn give_out(
        &self,
        control: &Control,
        enqueue: impl FnOnce(u64) -> Result<(), GpuError>,
    ) -> Result<Option<u64>, GpuError> {
        // Relaxed: written with the lock held.
        let ticket = self.posted.load(Ordering::Relaxed) + 1;
        if ticket - self.completed(control) > MOST_UNDER_WAY {
            return Ok(None);
        }
        enqueue(ticket)?;
        // SYNC(copies) release: pairs with the acquire in `posted`.
        self.posted.store(ticket, Ordering::Release);
        Ok(Some(ticket))
    }

    /// Whether the stream reports this ticket without being told to.
    pub(crate) fn reports(&self, ticket: u64) -> bool {
        *locked(&self.flushed) >= ticket
    }

    /// Has the stream report everything posted so far, and returns the last ticket.
    pub(crate) fn flush(&self, control: &Control) -> Result<u64, GpuError> {
        let mut flushed = locked(&self.flushed);
        // Relaxed: written with the lock held.
        let ticket = self.posted.load(Ordering::Relaxed);
        if ticket > *flushed {
            self.report(control, &mut flushed, ticket)?;
        }
        Ok(ticket)
    }

    fn report(&self, control: &Control, flushed: &mut u64, ticket: u64) -> Result<(), GpuError> {
        // SAFETY: a word of this PE's control area, which is pinned and which only this stream writes.
        unsafe { self.stream.write_word(self.done_address(control), ticket)? };
        *flushed = ticket;
        Ok(())
    }

    fn done_address(&self, control: &Control) -> u64 {
        std::ptr::from_ref(control.done(self.word.number)).expose_provenance() as u64
    }

    /// The ticket up to which all copies are known to be complete.
    #[inline]
    fn completed(&self, control: &Control) -> u64 {
        // SYNC(copies-done) acquire: pairs with the stream's write of the word, which comes after its copies. The other
        // count only shows that a wait has ended, which acquired what it waited for.
        control.done(self.word.number).load(Ordering::Acquire).max(self.acked.load(Ordering::Acquire))
    }

    /// Whether the stream has reported that all copies up to a ticket are complete.
    #[inline]
    pub(crate) fn is_reported(&self, control: &Control, ticket: u64) -> bool {
        self.completed(control) >= ticket
    }

    /// Whether all copies up to a ticket are complete, reported or not. This asks the stream, which costs a call of the
    /// driver. It fails if the GPU has failed.
    pub(crate) fn is_complete(&self, control: &Control, ticket: u64) -> Result<bool, GpuError> {
        // An idle stream has finished everything that was posted before the question.
        Ok(self.completed(control) >= ticket || self.stream.is_idle()?)
    }

    /// Look number `looks`, counted from 1, of somebody who waits until all copies up to a ticket are complete. Returns
    /// whether they are.
    pub(crate) fn look(&self, control: &Control, ticket: u64, looks: u32) -> Result<bool, GpuError> {
        match looks {
            ..STREAM_QUERIES => self.is_complete(control, ticket),
            STREAM_QUERIES => self.flush(control).map(|_| false),
            _ if looks.is_multiple_of(LOOKS) => self.is_complete(control, ticket),
            _ => Ok(self.is_reported(control, ticket)),
        }
    }

    /// Notes that all copies up to this ticket are complete.
    pub(crate) fn acknowledge(&self, ticket: u64) {
        // SYNC(copies) release: pairs with the acquire in `pending`. This comes only after the wait: another thread's
        // quiet must not consider complete what this thread still waits for.
        self.acked.fetch_max(ticket, Ordering::Release);
    }
}

impl Lane {
    /// Waits until nothing of the lane runs any more, whether it succeeded or not. From then on the memory of its
    /// copies is free.
    pub(crate) fn settle(&self) -> Result<(), GpuError> {
        self.stream.synchronize()
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // During unwinding a kernel may keep the stream waiting forever; the end of the process stops it. A forked
        // child has no GPU.
        if std::thread::panicking() || !joined_here() {
            std::mem::forget(self.stream.clone());
            return;
        }
        // The next lane with this word must not see a late report of this one.
        if self.settle().is_err() {
            std::mem::forget(self.word.clone());
        }
    }
}
