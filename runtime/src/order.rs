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

    fn complete_copies(&self) -> Result<()> {
        // Relaxed: set by this thread, or by one that synchronised with it.
        if self.copies_pending.swap(false, Ordering::Relaxed) { self.wait_for_copies() } else { Ok(()) }
    }

    fn meet(&self) {
        // Relaxed: one thread of a PE is in a barrier at a time, and the word is this PE's own.
        let epoch = self.epoch.fetch_add(1, Ordering::Relaxed) + 1;
        barrier::enter(self, self.my_pe(), self.n_pes(), epoch);
    }
}

impl barrier::Memory for Shmem {
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

    fn signal(&self, pe: u32, slot: u32, epoch: u64) {
        // Relaxed: ordered by the fence in `release`.
        self.host.arrival(pe, slot).store(epoch, Ordering::Relaxed);
    }

    fn wait(&self, from: u32, slot: u32, epoch: u64) {
        let word = self.host.arrival(self.my_pe(), slot);
        // SYNC(host-barrier) acquire: pairs with the fence in `release` on PE `from`.
        let look = || (word.load(Ordering::Acquire) >= epoch).then_some(());
        // A PE may come late for good reason, so the wait goes on; but somebody who looks should learn for whom.
        let mut waited = self.wait_limit;
        while self.patience.wait(Some(self.wait_limit), look).is_none() {
            eprintln!("cushmem: PE {}: barrier {epoch}: waiting for PE {from} since {} s", self.my_pe(), waited.as_secs());
            waited += self.wait_limit;
        }
    }
}
