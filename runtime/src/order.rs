//! Ordering and barriers (OpenSHMEM 1.6, sections 9.10 and 9.11).

use crate::flags::{Awaited, Meeting};
use crate::{Result, Shmem};
use cushmem_ring::barrier;
use std::sync::atomic::{Ordering, fence};

impl Shmem {
    /// Orders this PE's puts to each PE before its later ones to the same PE (`shmem_fence`, 9.11.1).
    #[inline]
    pub fn fence(&self) -> Result<()> {
        self.complete_copies()?;
        // SYNC(host-signal) release fence: orders puts before the stores that announce them, which peers load with acquire.
        fence(Ordering::Release);
        Ok(())
    }

    /// Completes this PE's operations: they are visible to all PEs, and what it reads afterwards is not older
    /// (`shmem_quiet`, 9.11.2). What kernels issued is complete after their own quiet, or their end.
    #[inline]
    pub fn quiet(&self) -> Result<()> {
        self.complete_copies()?;
        // SYNC(host-signal) full fence: a put is not overtaken by a later get.
        fence(Ordering::SeqCst);
        Ok(())
    }

    /// Returns when all PEs have called it, their operations complete (`shmem_barrier_all`, 9.10.1). If this PE's cannot be
    /// completed, the job ends, as the others wait.
    pub fn barrier_all(&self) -> Result<()> {
        self.quiet().unwrap_or_else(|error| self.end("barrier_all", &error));
        self.meet();
        Ok(())
    }

    /// Returns when all PEs have called it; their stores are visible, their non-blocking operations not necessarily complete
    /// (`shmem_sync_all`, 9.10.2).
    pub fn sync_all(&self) -> Result<()> {
        self.meet();
        Ok(())
    }

    /// Waits for the copies that were enqueued without waiting, by any thread.
    #[inline]
    pub(crate) fn complete_copies(&self) -> Result<()> {
        // SYNC(copies) acquire: pairs with the release in `note_copy`, so that these copies are in the stream.
        let enqueued = self.copies_enqueued.load(Ordering::Acquire);
        // SYNC(copies-done) acquire: pairs with the release in `complete_pending_copies`.
        if self.copies_completed.load(Ordering::Acquire) >= enqueued {
            return Ok(());
        }
        self.complete_pending_copies(enqueued)
    }

    #[cold]
    fn complete_pending_copies(&self, enqueued: u64) -> Result<()> {
        self.wait_for_copies()?;
        // SYNC(copies-done) release: pairs with the acquire in `complete_copies`. Only now: another thread's quiet must not take
        // for complete what this one still waits for.
        self.copies_completed.fetch_max(enqueued, Ordering::Release);
        Ok(())
    }

    /// Says that a copy is in the stream that nobody waits for.
    pub(crate) fn note_copy(&self) {
        // SYNC(copies) release: pairs with the acquire in `complete_copies`.
        self.copies_enqueued.fetch_add(1, Ordering::Release);
    }

    fn meet(&self) {
        // Relaxed: one thread of a PE is in a barrier at a time, and the word is this PE's own.
        let number = self.barriers.fetch_add(1, Ordering::Relaxed) + 1;
        barrier::enter(&Words { shmem: self, number }, self.my_pe(), self.n_pes());
    }
}

/// The words of [`barrier`] in symmetric host memory: one for each sender.
struct Words<'a> {
    shmem: &'a Shmem,
    number: u64,
}

impl barrier::Memory for Words<'_> {
    fn lane(&self) -> u32 {
        0
    }

    fn lanes(&self) -> u32 {
        1
    }

    fn sync_lanes(&self) {}

    fn release(&self) {
        // A post is a release by itself.
    }

    fn signal(&self, pe: u32, step: u32, j: u32) {
        self.shmem.post(pe, self.shmem.host.arrival(pe, barrier::word(step, j)), self.number);
    }

    fn wait(&self, step: u32, signals: u32, distance: u32) {
        let (my_pe, n_pes, number) = (self.shmem.my_pe(), self.shmem.n_pes(), self.number);
        for j in 1..=signals {
            let word = self.shmem.host.arrival(my_pe, barrier::word(step, j));
            let pe = || barrier::sender(my_pe, n_pes, distance, j);
            self.shmem.await_flag(word, number, || {
                let meeting = Meeting::Number(number);
                Awaited { operation: "barrier", meeting, pe: pe(), slice: my_pe }
            });
        }
    }
}
