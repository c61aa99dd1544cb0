//! Ordering and barriers (OpenSHMEM 1.6, sections 9.10 and 9.11).

use crate::{Result, Shmem};
use cushmem_collective::sync;
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
        self.meet("barrier_all");
        Ok(())
    }

    /// Returns when all PEs have called it; their stores are visible, their non-blocking operations not necessarily complete
    /// (`shmem_sync_all`, 9.10.2).
    pub fn sync_all(&self) -> Result<()> {
        self.meet("sync_all");
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

    fn meet(&self, operation: &'static str) {
        // Relaxed: one thread of a PE is in a barrier at a time, and the word is this PE's own.
        self.barriers.store(self.barriers.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        sync(&mut self.members(operation, self.team_world()));
    }
}
