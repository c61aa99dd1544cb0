//! Copies by a GPU's copy engine, on lanes.
//!
//! ```text
//!   thread:  lock ── enqueue copy ── ticket := posted + 1 ── unlock …  flush: enqueue "done := ticket"
//!   GPU:     copy, copy, …, done := ticket
//!   waiter:  loads done until it is at least the ticket
//! ```
//!
//! A *lane* of copies, not one of a GPU's threads, is a stream and a word of host memory, `done`. Each context has one. Each copy has a ticket: its number on the lane. *Who writes*: only the lane's
//! stream writes `done`, behind the copies that it counts. *Who reads*: any thread of this PE, with an acquire; the stream's write comes
//! after its copies at system scope. *A ticket and its place in the stream agree*, as both are taken with the lane's lock held. *Reuse*:
//! `done` is never reset, and a lane that takes over the word counts from where it is. *When the GPU fails* `done` stops; the waiter asks
//! the stream now and then and gets the error. *A short wait* asks the stream first: to enqueue a report takes longer than a short copy.

//! *In a context of its own* a stream reports by a copy too: a write of a word would wait until that context has its turn on the multiprocessors, which is
//! milliseconds while a kernel of another context runs. The copy is of the ticket's lower bits, from a table in GPU memory.

use super::Posted;
use crate::sync::control::{Control, MOST_LANES};
use cushmem_bootstrap::joined_here;
use cushmem_gpu::{Gpu, GpuError, Stream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Copies that a lane has under way at most. A driver's queue holds about as many before a call blocks.
const MOST_UNDER_WAY: u64 = 512;
/// A lane that is never flushed reports progress after so many copies.
const REPORTED: u64 = 64;

/// What lanes are made from.
pub(crate) struct CopyEngine {
    gpu: Arc<dyn Gpu>,
}

/// The words of lanes, of which each context takes one.
#[derive(Clone)]
pub(crate) struct Words(Arc<Mutex<[bool; MOST_LANES]>>);

/// A word that is taken, until this is dropped.
pub(crate) struct LaneWord {
    number: usize,
    words: Words,
}

impl Words {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Mutex::new([false; MOST_LANES])))
    }

    /// One that is free; `None` if all are taken.
    pub(crate) fn take(&self) -> Option<LaneWord> {
        let mut taken = locked(&self.0);
        let number = taken.iter().position(|taken| !taken)?;
        taken[number] = true;
        Some(LaneWord { number, words: self.clone() })
    }
}

impl Drop for LaneWord {
    fn drop(&mut self) {
        locked(&self.words.0)[self.number] = false;
    }
}

/// The numbers below [`NUMBERS`] in a GPU's memory.
struct Numbers {
    gpu: Arc<dyn Gpu>,
    address: u64,
}

/// More than twice what is under way, so that the lower bits tell the ticket.
const NUMBERS: u64 = 2048;

impl Numbers {
    fn create(gpu: &Arc<dyn Gpu>) -> Result<Self, GpuError> {
        let numbers: Vec<u64> = (0..NUMBERS).collect();
        let numbers = numbers.as_slice();
        let own = Self { address: gpu.alloc(8 * NUMBERS)?, gpu: gpu.clone() };
        let stream = gpu.create_stream()?;
        let from = numbers.as_ptr().expose_provenance() as u64;
        // SAFETY: both have as many bytes, and stay until the copy has ended.
        unsafe { stream.copy(own.address, from, 8 * NUMBERS)? };
        stream.synchronize()?;
        Ok(own)
    }
}

impl Drop for Numbers {
    fn drop(&mut self) {
        if joined_here() && !std::thread::panicking() {
            // A failure has no consequence but that the memory goes with the process.
            let _ = self.gpu.free(self.address);
        }
    }
}

/// Copies in an order of their own.
pub(crate) struct Lane {
    stream: Arc<dyn Stream>,
    /// What it reports with, if by copies.
    numbers: Option<Numbers>,
    word: Arc<LaneWord>,
    /// Tickets given out. Written with the lock held.
    posted: AtomicU64,
    /// The last ticket that its caller leaves to a quiet. Written with the lock held.
    pending: AtomicU64,
    /// Up to this ticket all copies are complete, as a waiter has found.
    acked: AtomicU64,
    /// Tickets of which the stream is to report.
    flushed: Mutex<u64>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CopyEngine {
    /// Pins this PE's own words, which streams write.
    pub(crate) fn create(gpu: &Arc<dyn Gpu>, control: &Control) -> Result<Self, GpuError> {
        let (address, bytes) = control.gpu_words();
        gpu.register_host(address, bytes)?;
        Ok(Self { gpu: gpu.clone() })
    }

    /// Undoes [`CopyEngine::create`]. A failure has no consequence but that the pages stay pinned until the process ends.
    pub(crate) fn give_back(&self, control: &Control) {
        let _ = self.gpu.unregister_host(control.gpu_words().0);
    }

    /// A new lane, which counts in this word.
    pub(crate) fn lane(&self, control: &Control, word: &Arc<LaneWord>) -> Result<Lane, GpuError> {
        let stream = self.gpu.create_stream()?;
        // SYNC(copies-done) acquire: pairs with the stream's write, the last of the lane that had the word before.
        let base = control.done(word.number).load(Ordering::Acquire);
        let count = || AtomicU64::new(base);
        let word = word.clone();
        Ok(Lane {
            stream,
            numbers: None,
            word,
            posted: count(),
            pending: count(),
            acked: count(),
            flushed: Mutex::new(base),
        })
    }
}

/// A new lane in a context of its own, for one thread, which counts in this word.
pub(crate) fn lane_apart(gpu: &Arc<dyn Gpu>, control: &Control, word: &Arc<LaneWord>) -> Result<Lane, GpuError> {
    let (stream, numbers) = (gpu.create_stream()?, Some(Numbers::create(gpu)?));
    // SYNC(copies-done) release: pairs with the acquires of whoever looks; the last report of the lane that had the word before has come.
    control.done(word.number).store(0, Ordering::Release);
    let (count, word) = (|| AtomicU64::new(0), word.clone());
    Ok(Lane { stream, numbers, word, posted: count(), pending: count(), acked: count(), flushed: Mutex::new(0) })
}

impl Lane {
    /// The ticket that a quiet has to wait for, if there is one. A blocking copy is its caller's affair.
    #[inline]
    pub(crate) fn pending(&self) -> Option<u64> {
        // SYNC(copies) acquire: pairs with the release in `post`, so that these copies are in the stream. The other count only tells
        // that a wait has ended, which acquired what it waited for.
        let pending = self.pending.load(Ordering::Acquire);
        // SYNC(copies) acquire: pairs with the release in `acknowledge`.
        (self.acked.load(Ordering::Acquire) < pending).then_some(pending)
    }

    /// The last ticket given out.
    pub(crate) fn posted(&self) -> u64 {
        // SYNC(copies) acquire: pairs with the release in `post`, so that the stream has the copy when it is asked.
        self.posted.load(Ordering::Acquire)
    }

    /// Enqueues a copy between any two places that the GPU reaches. If it is `left` to a quiet, that waits for it.
    ///
    /// # Safety
    /// Both ranges are valid for `bytes` bytes until the copy is complete.
    pub(crate) unsafe fn post(
        &self,
        control: &Control,
        (dst, src): (u64, u64),
        bytes: u64,
        left: bool,
    ) -> Result<Posted, GpuError> {
        let mut flushed = locked(&self.flushed);
        // Relaxed: written with the lock held.
        let ticket = self.posted.load(Ordering::Relaxed) + 1;
        if ticket - self.completed(control) > MOST_UNDER_WAY {
            return Ok(Posted::Again);
        }
        // SAFETY: the caller keeps both ranges valid until the copy is complete.
        unsafe { self.stream.copy(dst, src, bytes)? };
        // SYNC(copies) release: pairs with the acquire in `posted`.
        self.posted.store(ticket, Ordering::Release);
        if left {
            // SYNC(copies) release: pairs with the acquire in `pending`.
            self.pending.store(ticket, Ordering::Release);
        }
        // Relaxed: only decides when to report.
        if ticket - flushed.max(self.acked.load(Ordering::Relaxed)) >= REPORTED {
            self.report(control, &mut flushed, ticket)?;
        }
        Ok(Posted::Ticket(ticket))
    }

    /// Lets the stream report everything that was posted so far; returns the ticket of the last.
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
        let word = std::ptr::from_ref(control.done(self.word.number)).expose_provenance() as u64;
        // SAFETY: a word of this PE's control area, which is pinned and which only this stream writes; the table has as many numbers.
        unsafe {
            match &self.numbers {
                None => self.stream.write_word(word, ticket)?,
                Some(numbers) => self.stream.copy(word, numbers.address + 8 * (ticket % NUMBERS), 8)?,
            }
        }
        *flushed = ticket;
        Ok(())
    }

    /// The ticket up to which all copies are known to be complete.
    #[inline]
    fn completed(&self, control: &Control) -> u64 {
        // SYNC(copies-done) acquire: pairs with the stream's write of the word, which comes after its copies.
        let mut reported = control.done(self.word.number).load(Ordering::Acquire);
        if self.numbers.is_some() {
            // Relaxed: one thread posts and looks. What it has posted since is fewer than the numbers.
            let posted = self.posted.load(Ordering::Relaxed);
            reported = posted - (posted.wrapping_sub(reported) % NUMBERS);
        }
        // SYNC(copies) acquire: pairs with the release in `acknowledge`. This count only tells that a wait has ended, which acquired what it waited for.
        reported.max(self.acked.load(Ordering::Acquire))
    }

    /// Whether the lane has come to a ticket of which its stream reports.
    #[inline]
    pub(crate) fn has_reported(&self, control: &Control, ticket: u64) -> bool {
        self.completed(control) >= ticket
    }

    /// Whether the lane has come to a ticket, reported or not: asks the stream, which takes the driver's time. Fails if the GPU has.
    pub(crate) fn has_come_to(&self, control: &Control, ticket: u64) -> Result<bool, GpuError> {
        // A stream that is idle has done what was posted before it was asked.
        Ok(self.completed(control) >= ticket || self.stream.is_idle()?)
    }

    /// Notes that all copies up to this ticket are complete.
    pub(crate) fn acknowledge(&self, ticket: u64) {
        // SYNC(copies) release: pairs with the acquire in `pending`. Only after the wait: another thread's quiet must not take for
        // complete what this one still waits for.
        self.acked.fetch_max(ticket, Ordering::Release);
    }
}

impl Lane {
    /// Waits until nothing of the lane runs any more, whether it succeeded or not: from then on the memory of its copies is free.
    pub(crate) fn settle(&self) -> Result<(), GpuError> {
        self.stream.synchronize()
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        // In a panic a kernel may let the stream wait for ever; the process's end stops it. A forked child has no GPU.
        if std::thread::panicking() || !joined_here() {
            std::mem::forget(self.stream.clone());
            return;
        }
        // The next lane must not find that a report of this one is still to come.
        if self.settle().is_err() {
            std::mem::forget(self.word.clone());
        }
    }
}
