//! The symmetric GPU heap: a window of device addresses with a segment for each PE of the node, filled with chunks as
//! allocations need them. A PE maps the segments of those peers whose GPUs its own GPU reaches.

use super::chunks::{self, Chunks};
use super::gpu_net::GpuNet;
use super::window::{self, BASE_ALIGNMENT, Window};
use crate::job::{Job, Pe};
use crate::sync::locked;
use crate::sync::network::Network;
use crate::{Error, Result};
use cushmem_gpu::{Gpu, Properties, Reach};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// The heap grows by at least this much, so that small allocations seldom involve all PEs.
const LEAST_GROWTH: u64 = 32 << 20;

/// This PE's GPU and the window through which it sees all segments.
pub(crate) struct GpuHeap {
    job: Arc<Job>,
    gpu: Arc<dyn Gpu>,
    /// Start and length of the addresses in which the window lies.
    reserved: (u64, u64),
    window: Window,
    /// By PE, how its segment is reached, or why it is not mapped here.
    reach: Vec<std::result::Result<Reach, String>>,
    pes_on_my_gpu: u32,
    chunks: Mutex<Chunks>,
    /// The size of this PE's existing segment. While the heap grows, it is more than all PEs know of.
    here: AtomicU64,
    /// What the network reaches.
    net: GpuNet,
}

impl GpuHeap {
    /// Reserves the window, for heaps of up to `largest` bytes, with `more` bytes of words of teams before each.
    /// `uuids` identify the GPUs of all PEs. Without `p2p` this GPU does not reach the segments of other PEs.
    pub(crate) fn reserve(
        job: &Arc<Job>,
        gpu: Arc<dyn Gpu>,
        (largest, more): (u64, u64),
        uuids: &[[u8; 16]],
        p2p: bool,
    ) -> Result<Self> {
        let (n_pes, granularity) = (u64::from(job.node_pes()), gpu.properties().granularity);
        let stride = window::gpu_stride(largest, more, granularity)?;
        let (least, bytes) = (granularity.max(BASE_ALIGNMENT), stride * n_pes);
        let alignment = window::own_alignment(largest).max(least);
        let reserve = |bytes| gpu.reserve(bytes, least).map(|address| (address, bytes));
        // If there are not enough addresses, the alignment is smaller.
        let reserved = reserve(bytes + alignment - least).or_else(|_| reserve(bytes)).map_err(|e| {
            let remedy = "lower CUSHMEM_GPU_HEAP_SIZE";
            let operation =
                format!("create the GPU heap: {n_pes} PEs need {stride} bytes of addresses each ({remedy})");
            Error::new(operation, e)
        })?;
        let reach = |pe: Pe| match uuids[pe.index()] {
            _ if job.place(pe).is_none() => Err("it is on another node".to_owned()),
            _ if pe != job.me() && !p2p => Err(format!("{}=0", cushmem_environment::P2P.name)),
            uuid => gpu.can_reach(&uuid),
        };
        let reach = job.pes().map(reach).collect();
        let pes_on_my_gpu = uuids.iter().filter(|uuid| **uuid == gpu.properties().uuid).count() as u32;
        let own = u64::from(job.place(job.me()).unwrap_or(0)) * stride;
        let base = if reserved.1 > bytes { window::place(reserved.0, own, alignment) } else { reserved.0 };
        let window = Window::new(job, base, stride);
        let net = GpuNet::new(job, &window);
        Ok(Self {
            job: job.clone(),
            gpu,
            reserved,
            window,
            reach,
            pes_on_my_gpu,
            chunks: Mutex::default(),
            here: AtomicU64::new(0),
            net,
        })
    }

    /// The GPU.
    #[inline]
    pub(crate) fn gpu(&self) -> &Arc<dyn Gpu> {
        &self.gpu
    }

    /// The properties of the GPU.
    pub(crate) fn properties(&self) -> &Properties {
        self.gpu.properties()
    }

    /// The number of PEs that use this GPU.
    pub(crate) fn pes_on_my_gpu(&self) -> u32 {
        self.pes_on_my_gpu
    }

    /// Where the segments are.
    pub(crate) fn window(&self) -> &Window {
        &self.window
    }

    /// How this GPU reaches a PE's segment, or why it does not.
    pub(crate) fn reach(&self, pe: Pe) -> std::result::Result<Reach, &str> {
        self.reach[pe.index()].as_ref().copied().map_err(String::as_str)
    }

    /// The existing bytes of every segment.
    pub(crate) fn mapped(&self) -> u64 {
        self.chunks().bytes()
    }

    /// The existing bytes of this PE's segment, including everything that another PE knows to exist.
    pub(crate) fn bytes_here(&self) -> u64 {
        self.here.load(Ordering::Relaxed)
    }

    /// What the network reaches of the segments.
    pub(crate) fn net(&self) -> &GpuNet {
        &self.net
    }

    /// Collective. Has the network reach what the heap has grown by.
    pub(super) fn share(&self, network: &Network) -> Result<()> {
        self.net.share(&self.job, network, &*self.gpu, self.mapped())
    }

    /// Makes what complete gets of the network have written here visible; see [`GpuNet::flush`].
    pub(crate) fn flush_gets(&self, all: bool) -> Result<()> {
        self.net.flush(&*self.gpu, all)
    }

    fn chunks(&self) -> MutexGuard<'_, Chunks> {
        locked(&self.chunks)
    }

    fn is_mapped(&self, pe: Pe) -> bool {
        self.reach[pe.index()].is_ok()
    }

    /// Collective if something is missing. Ensures that `needed` bytes of every segment exist.
    pub(crate) fn grow(&self, needed: u64) -> Result<()> {
        let mapped = self.mapped();
        if needed <= mapped {
            return Ok(());
        }
        let granularity = self.properties().granularity;
        let bytes = chunks::growth(granularity, LEAST_GROWTH, mapped, needed, self.window.stride());
        let reaches = |pe| self.is_mapped(pe);
        chunks::grow(&self.job, &*self.gpu, &self.window, reaches, (mapped, bytes), &self.here)?;
        self.chunks().push(bytes);
        Ok(())
    }

    /// Unmaps everything. If it fails, the memory is released when the process ends.
    pub(crate) fn give_back(&self) {
        self.chunks().unmap(&self.job, &*self.gpu, &self.window, |pe| self.is_mapped(pe));
        let _ = self.gpu.unreserve(self.reserved.0, self.reserved.1);
    }
}
