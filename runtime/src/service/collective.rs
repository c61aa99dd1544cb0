//! Runs the library's kernels that carry out collectives. The CPU waits for them, on one stream per team, so that
//! collectives of different teams do not wait for each other.

use super::Services;
use super::launches::StreamLaunches;
use super::team_table::is_lost;
use crate::error::{Error, Result};
use crate::memory::{At, Segment};
use cushmem_abi::{CollectiveArea, SyncArea};
use cushmem_bootstrap::waits::{Wait, publish};
use cushmem_gpu::Stream;
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

/// By slot of the team.
pub(super) struct Collectives {
    streams: Box<[OnceLock<TeamStream>]>,
    /// Whether kernels of the library have used the words of the slot.
    used: Box<[AtomicBool]>,
}

struct TeamStream {
    raw: Arc<dyn Stream>,
    launches: StreamLaunches,
}

impl Collectives {
    /// For so many slots.
    pub(super) fn new(slots: usize) -> Self {
        let used = (0..slots).map(|_| AtomicBool::new(false)).collect();
        Self { streams: (0..slots).map(|_| OnceLock::new()).collect(), used }
    }
}

impl Services {
    /// Runs a kernel of the library for a collective of the team with this slot, and waits for it. One thread at a time
    /// is in a collective of a team.
    pub(crate) fn run_collective(
        &self,
        slot: usize,
        kernel: &'static str,
        launch: impl FnOnce(&dyn Stream) -> cushmem_gpu::Result<()>,
    ) -> Result<()> {
        let stream = self.stream_of_team(slot)?;
        let TeamStream { raw, launches } = stream;
        self.collectives_use(slot);
        let failed = |error| self.transfers.device_error(kernel, error);
        launches.add(kernel, || launch(&**raw)).map_err(failed)?;
        let launched = launches.so_far();
        let _published = publish(Instant::now(), Wait { what: launches.describe(), late: vec![] });
        let _in_driver = launches.in_driver();
        raw.synchronize().map_err(|error| self.lost(launches.describe(), error))?;
        launches.have_finished(launched);
        Ok(())
    }

    fn stream_of_team(&self, slot: usize) -> Result<&TeamStream> {
        let stream = &self.collectives.streams[slot];
        if stream.get().is_none() {
            let raw =
                self.memory().own_gpu("create a stream")?.create_stream().map_err(Error::of("create a stream"))?;
            crate::job::record::name_stream(&*raw, "cushmem: collectives");
            let _ = stream.set(TeamStream { raw, launches: self.launches.of_stream() });
        }
        Ok(stream.get().expect("it was set above, if not before"))
    }

    /// Notes that kernels of the library use the words of this slot.
    pub(crate) fn collectives_use(&self, slot: usize) {
        // Relaxed: whoever destroys the team has synchronised with the thread that used it.
        self.collectives.used[slot].store(true, Ordering::Relaxed);
    }

    /// Called when the team of this slot is destroyed: no kernel uses its words any more. Clears them, so that the next
    /// team finds zeros, whose members may be others and have counted otherwise.
    pub(crate) fn clear_collectives(&self, slot: usize) {
        // Relaxed: as for the store.
        let used = self.collectives.used[slot].swap(false, Ordering::Relaxed);
        // Nobody notes what kernels of the program have used: they find teams by themselves.
        if !used && !self.launches.kernels_know_job() {
            return;
        }
        let area = self.memory().own(At::new(Segment::Gpu, 0)) + offset_of!(SyncArea, collective) as u64;
        let slot = slot as u32;
        for (at, bytes) in [(CollectiveArea::passed(slot), size_of::<u64>()), CollectiveArea::inbox(slot)] {
            let zeros = vec![0u8; bytes];
            let from = zeros.as_ptr().expose_provenance() as u64;
            // SAFETY: the library's own words, which no kernel uses, and as many zeros, which live until the copy is
            // complete.
            let cleared = unsafe { self.transfers.copy_aside(area + at as u64, from, bytes) };
            match cleared {
                // No kernel runs any more, so nobody counts on the words.
                Err(error) if is_lost(&error) => return,
                cleared => cleared.unwrap_or_else(|error| self.job().end("team_destroy", &error)),
            }
        }
    }
}
