//! Ordering and barriers (OpenSHMEM 1.6, sections 9.10 and 9.11).

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

    /// Returns when all PEs have called it, their operations complete (`shmem_barrier_all`, 9.10.1).
    pub fn barrier_all(&self) -> Result<()> {
        self.quiet()?;
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
        // SYNC(host-barrier) release fence before the relaxed store in `signal`: pairs with the acquire in `wait`.
        fence(Ordering::Release);
    }

    fn signal(&self, pe: u32, step: u32, j: u32) {
        // Relaxed: ordered by the fence in `release`.
        self.shmem.host.arrival(pe, barrier::word(step, j)).store(self.number, Ordering::Relaxed);
    }

    fn wait(&self, step: u32, signals: u32, distance: u32) {
        let Shmem { patience, wait_limit, .. } = *self.shmem;
        let my_pe = self.shmem.my_pe();
        for j in 1..=signals {
            let word = self.shmem.host.arrival(my_pe, barrier::word(step, j));
            // SYNC(host-barrier) acquire: pairs with the fence in `release` on the peer.
            let look = || (word.load(Ordering::Acquire) >= self.number).then_some(());
            // A PE may come late for good reason, so the wait goes on; but somebody who looks should learn for whom.
            let mut waited = wait_limit;
            while patience.wait(Some(wait_limit), look).is_none() {
                let (number, seconds) = (self.number, waited.as_secs());
                let from = barrier::sender(my_pe, self.shmem.n_pes(), distance, j);
                eprintln!("cushmem: PE {my_pe}: barrier {number}: waiting for PE {from} since {seconds} s");
                waited += wait_limit;
            }
        }
    }
}
