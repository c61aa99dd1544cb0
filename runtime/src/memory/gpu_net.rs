//! GPU memory that the network reads and writes itself (GPUDirect RDMA): which parts of the GPU heaps are registered.
//!
//! Each time the heap has grown, all PEs register what was added, as a piece, and exchange the cards. A PE whose GPU or
//! network refuses has none, and its memory is staged from there on; if it has none at all when the GPUs start, no PE
//! copies so. So all PEs know the same: of each PE's segment, the network reaches a part from the start on, which only
//! grows. An object is used only after the call that allocated it, so what is found of it stays.

use super::window::Window;
use crate::error::{Error, Result};
use crate::job::{Job, Pe};
use crate::sync::locked;
use crate::sync::network::Network;
use crate::sync::network_lane::Region;
use cushmem_gpu::Gpu;
use cushmem_net::{GpuMemory, Local};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

/// What the network reaches of the GPU heaps.
pub(crate) struct GpuNet {
    me: Pe,
    /// Where this PE's segment starts.
    start: u64,
    /// By PE, how many bytes from the start of its segment on.
    reached: Box<[AtomicU64]>,
    /// How many pieces were shared, and where the last one ends.
    shared: Mutex<(u32, u64)>,
    /// What is added to an address of this PE's GPU for the network. It wraps around.
    distance: AtomicU64,
    /// Whether the network may write to this GPU, and whether what it has written has to be flushed.
    may_write: AtomicBool,
    must_flush: AtomicBool,
    /// Whether the network was asked to write to this GPU, without a wait. Serves so.
    has_written: AtomicBool,
    /// Why this PE's memory is not registered, or that of another one.
    refused: OnceLock<String>,
}

impl GpuNet {
    pub(super) fn new(job: &Job, window: &Window) -> Self {
        let me = job.me();
        Self {
            me,
            start: window.at(me, 0).unwrap_or(0),
            reached: job.pes().map(|_| AtomicU64::new(0)).collect(),
            shared: Mutex::default(),
            distance: AtomicU64::new(0),
            may_write: AtomicBool::new(false),
            must_flush: AtomicBool::new(false),
            has_written: AtomicBool::new(false),
            refused: OnceLock::new(),
        }
    }

    /// Collective. Has the network reach what the heap has grown by, up to `end`, on those PEs where it can.
    pub(super) fn share(&self, job: &Job, network: &Network, gpu: &dyn Gpu, end: u64) -> Result<()> {
        let mut shared = locked(&self.shared);
        let (piece, start) = *shared;
        if start == end {
            return Ok(());
        }
        let (address, bytes) = (self.start + start, end - start);
        let own = self.own(gpu, start, (address, bytes)).map(|(memory, of_gpu)| {
            // Relaxed: whoever uses the memory learns of it after the exchange below.
            self.distance.store((memory.address as u64).wrapping_sub(address), Ordering::Relaxed);
            (memory, of_gpu)
        });
        let (have, why) = network.share_gpu(job, Region::Gpu, piece, own)?;
        *shared = (piece + 1, end);
        for (pe, has) in job.pes().zip(have) {
            let reached = &self.reached[pe.index()];
            // Relaxed: as above.
            if has && reached.load(Ordering::Relaxed) == start {
                reached.store(end, Ordering::Relaxed);
            } else if !has {
                let _ = self.refused.set(match &why {
                    Some(why) if pe == self.me => format!("the network does not reach GPU memory here: {why}"),
                    _ => format!("the network does not reach GPU memory of PE {}", pe.number()),
                });
            }
        }
        job.debug(|| match self.refused.get() {
            None => format!("has {bytes} bytes of GPU memory at {start} registered with the network"),
            Some(why) => format!("stages GPU memory from {start} on: {why}"),
        });
        Ok(())
    }

    /// What the network is told of GPU memory here, address and bytes, which starts at `at` in its region.
    pub(super) fn own(
        &self,
        gpu: &dyn Gpu,
        at: u64,
        (address, bytes): (u64, u64),
    ) -> std::result::Result<(Local, GpuMemory), String> {
        let found = gpu.for_network(address, bytes).map_err(|error| error.to_string())?;
        // Relaxed: whoever uses the memory learns of it later. They are the same for all memory of this GPU.
        self.may_write.store(found.keeps_order || found.can_flush, Ordering::Relaxed);
        self.must_flush.store(!found.keeps_order, Ordering::Relaxed);
        let memory = Local { at, address: found.address as usize, bytes: bytes as usize, file: None };
        Ok((memory, GpuMemory { dma_buf: found.dma_buf, keeps_order: found.keeps_order }))
    }

    /// Whether the network reaches all that exists of all PEs' segments; if not, why.
    pub(crate) fn is_complete(&self) -> std::result::Result<(), String> {
        self.refused.get().map_or(Ok(()), |why| Err(why.clone()))
    }

    /// Whether the network reaches these bytes of a PE's segment.
    pub(crate) fn reaches(&self, pe: Pe, offset: u64, bytes: usize) -> bool {
        // Relaxed: as in `share`.
        let reached = self.reached[pe.index()].load(Ordering::Relaxed);
        offset.checked_add(bytes as u64).is_some_and(|end| end <= reached)
    }

    /// What is added to addresses of this PE's segment for the network, if it reaches all these bytes.
    pub(crate) fn distance(&self, address: usize, bytes: usize) -> Option<usize> {
        let offset = (address as u64).checked_sub(self.start)?;
        // Relaxed: as in `share`.
        self.reaches(self.me, offset, bytes).then(|| self.distance.load(Ordering::Relaxed) as usize)
    }

    /// Whether a get of the network may write to this PE's segment.
    pub(crate) fn may_write(&self) -> bool {
        // Relaxed: as in `share`.
        self.may_write.load(Ordering::Relaxed)
    }

    /// Notes that a get is about to be posted that writes to this PE's segment, and that nobody waits for yet.
    pub(crate) fn note_get(&self) {
        // Relaxed: whoever completes the get has learned of it by other means.
        self.has_written.store(true, Ordering::Relaxed);
    }

    /// Makes what complete gets have written to this PE's segment visible. `all` says whether gets are meant that
    /// nobody has waited for; there may be none.
    pub(super) fn flush(&self, gpu: &dyn Gpu, all: bool) -> Result<()> {
        // Relaxed: as above.
        let has_some = !all || self.has_written.load(Ordering::Relaxed);
        if !has_some || !self.must_flush.load(Ordering::Relaxed) {
            return Ok(());
        }
        gpu.flush_remote_writes().map_err(Error::of("complete gets"))
    }
}
