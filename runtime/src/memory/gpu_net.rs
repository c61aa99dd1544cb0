//! GPU memory that the network reads and writes itself (GPUDirect RDMA): which parts of the GPU heaps are registered.
//!
//! Each time the heap has grown, all PEs register what was added, as a piece, and exchange the cards. A PE whose GPU or
//! network refuses has none, and its memory is staged from there on. So all PEs know the same: of each PE's segment, the
//! network reaches a part from the start on, which only grows. An object is used only after the call that allocated it,
//! so what is found of it stays.

use super::GpuHeap;
use crate::error::{Error, Result};
use crate::job::{Job, Pe};
use crate::sync::locked;
use crate::sync::network::Network;
use cushmem_net::{GpuMemory, Local};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

/// What the network reaches of the GPU heaps.
pub(super) struct GpuNet {
    /// By PE, how many bytes from the start of its segment on.
    reached: Box<[AtomicU64]>,
    /// How many pieces were shared, and where the last one ends.
    shared: Mutex<(u32, u64)>,
    /// What is added to an address of this PE's GPU for the network. It wraps around.
    distance: AtomicU64,
    /// Whether the network may write to this GPU, and whether what it has written has to be flushed.
    may_write: AtomicBool,
    must_flush: AtomicBool,
    /// Whether the network was asked to write to this GPU, without a wait. Stays so.
    has_written: AtomicBool,
    /// Why this PE's memory is not registered, or that of another one.
    refused: OnceLock<String>,
}

impl GpuNet {
    pub(super) fn new(pes: usize) -> Self {
        Self {
            reached: (0..pes).map(|_| AtomicU64::new(0)).collect(),
            shared: Mutex::default(),
            distance: AtomicU64::new(0),
            may_write: AtomicBool::new(false),
            must_flush: AtomicBool::new(false),
            has_written: AtomicBool::new(false),
            refused: OnceLock::new(),
        }
    }
}

impl GpuHeap {
    /// Collective. Has the network reach what the heap has grown by, on those PEs where it can.
    pub(super) fn share(&self, job: &Job, network: &Network) -> Result<()> {
        let net = self.net();
        let mut shared = locked(&net.shared);
        let (piece, start, end) = (shared.0, shared.1, self.mapped());
        if start == end {
            return Ok(());
        }
        let (me, bytes) = (job.me(), end - start);
        let own = self.window().at(me, start).ok_or_else(|| "it has no address here".to_owned()).and_then(|address| {
            let found = self.gpu().for_network(address, bytes).map_err(|error| error.to_string())?;
            // Relaxed: whoever uses the memory learns of it after the exchange below.
            net.distance.store(found.address.wrapping_sub(address), Ordering::Relaxed);
            net.may_write.store(found.keeps_order || found.can_flush, Ordering::Relaxed);
            net.must_flush.store(!found.keeps_order, Ordering::Relaxed);
            let memory = Local { at: start, address: found.address as usize, bytes: bytes as usize, file: None };
            Ok((memory, GpuMemory { dma_buf: found.dma_buf, keeps_order: found.keeps_order }))
        });
        let (have, why) = network.share_gpu(job, piece, own)?;
        *shared = (piece + 1, end);
        for (pe, has) in job.pes().zip(have) {
            let reached = &net.reached[pe.index()];
            // Relaxed: as above.
            if has && reached.load(Ordering::Relaxed) == start {
                reached.store(end, Ordering::Relaxed);
            } else if !has {
                let of_other = || format!("the network does not reach GPU memory of PE {}", pe.number());
                let of_own = || why.clone().map(|why| format!("the network does not reach GPU memory here: {why}"));
                let _ = net.refused.set(if pe == me { of_own() } else { None }.unwrap_or_else(of_other));
            }
        }
        job.debug(|| match net.refused.get() {
            None => format!("has {bytes} bytes of GPU memory at {start} registered with the network"),
            Some(why) => format!("stages GPU memory from {start} on: {why}"),
        });
        Ok(())
    }

    /// Whether the network reaches some GPU memory of all PEs; if not, why.
    pub(crate) fn is_on_network(&self) -> std::result::Result<(), String> {
        let net = self.net();
        match net.refused.get() {
            Some(why) => Err(why.clone()),
            // Relaxed: as in `share`.
            None if net.reached.iter().any(|reached| reached.load(Ordering::Relaxed) == 0) => {
                Err("the network reaches no GPU memory".to_owned())
            }
            None => Ok(()),
        }
    }

    /// Whether the network reaches these bytes of a PE's segment.
    pub(crate) fn network_reaches(&self, pe: Pe, offset: u64, bytes: usize) -> bool {
        // Relaxed: as in `share`.
        let reached = self.net().reached[pe.index()].load(Ordering::Relaxed);
        offset.checked_add(bytes as u64).is_some_and(|end| end <= reached)
    }

    /// The address by which the network knows GPU memory of this PE's segment, if it reaches all these bytes.
    pub(crate) fn for_network(&self, me: Pe, address: usize, bytes: usize) -> Option<usize> {
        let offset = (address as u64).checked_sub(self.window().at(me, 0)?)?;
        let found = self.network_reaches(me, offset, bytes);
        // Relaxed: as in `share`.
        found.then(|| (address as u64).wrapping_add(self.net().distance.load(Ordering::Relaxed)) as usize)
    }

    /// Whether a get of the network may write to this PE's segment.
    pub(crate) fn network_may_write(&self) -> bool {
        // Relaxed: as in `share`.
        self.net().may_write.load(Ordering::Relaxed)
    }

    /// Notes that a get is about to be posted that writes to this PE's segment, and that nobody waits for yet.
    pub(crate) fn network_writes(&self) {
        // Relaxed: whoever completes the get has learned of it by other means.
        self.net().has_written.store(true, Ordering::Relaxed);
    }

    /// Makes what complete gets have written to this PE's segment visible. `all` says whether gets are meant that
    /// nobody has waited for; there may be none.
    pub(crate) fn flush_gets(&self, all: bool) -> Result<()> {
        let net = self.net();
        // Relaxed: as above.
        let has_some = !all || net.has_written.load(Ordering::Relaxed);
        if !has_some || !net.must_flush.load(Ordering::Relaxed) {
            return Ok(());
        }
        self.gpu().flush_remote_writes().map_err(Error::of("complete gets"))
    }
}
