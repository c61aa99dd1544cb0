//! The symmetric GPU heap: device address space for every PE's slice at a fixed stride, filled chunk by chunk as allocations
//! need it. Each PE makes its own chunk, shares it as a file descriptor, and maps those of the peers that its GPU
//! reaches; growth ends in an agreement, so that it has happened on all PEs or on none.

use crate::{Error, Result};
use cushmem_abi::MAPPED_WORDS;
use cushmem_bootstrap::{Bootstrap, Patience};
use cushmem_gpu::{Gpu, Properties, Reach};
use std::os::fd::AsFd;
use std::sync::Arc;

/// The heap grows by at least this much, so that small allocations seldom involve all PEs.
const LEAST_GROWTH: u64 = 32 << 20;

/// This PE's GPU and the window through which it sees all slices.
pub(crate) struct GpuHeap {
    pub(crate) gpu: Arc<dyn Gpu>,
    base: u64,
    stride: u64,
    /// How each PE's slice is reached, or why it is not mapped here.
    reach: Vec<std::result::Result<Reach, String>>,
}

impl GpuHeap {
    /// Reserves the window. `peers` are the identities of all PEs' GPUs.
    pub(crate) fn reserve(gpu: Arc<dyn Gpu>, stride: u64, peers: &[[u8; 16]]) -> Result<Self> {
        let n_pes = peers.len() as u64;
        let base = gpu.reserve(stride * n_pes, gpu.properties().granularity).map_err(|e| {
            let remedy = "lower CUSHMEM_GPU_HEAP_SIZE or SHMEM_SYMMETRIC_SIZE";
            Error::new(
                "create the GPU heap",
                format!("{e}; {n_pes} PEs take {stride} bytes of addresses each: {remedy}"),
            )
        })?;
        let reach = peers.iter().map(|uuid| gpu.can_reach(uuid)).collect();
        Ok(Self { gpu, base, stride, reach })
    }

    pub(crate) fn properties(&self) -> &Properties {
        self.gpu.properties()
    }

    /// Device address of `offset` in PE `pe`'s slice.
    #[inline]
    pub(crate) fn address(&self, pe: u32, offset: u64) -> u64 {
        self.base + u64::from(pe) * self.stride + offset
    }

    /// Why PE `pe`'s slice cannot be accessed from here, if it cannot.
    pub(crate) fn unreachable(&self, pe: u32) -> Option<&str> {
        self.reach[pe as usize].as_ref().err().map(String::as_str)
    }

    /// Why kernels here may not access PE `pe`'s slice, if they may not: they add to words of the peer, in barriers for a
    /// start, so loads and stores alone do not do.
    pub(crate) fn closed_to_kernels(&self, pe: u32) -> Option<&str> {
        match self.reach.get(pe as usize) {
            Some(Ok(Reach { native_atomics: true })) => None,
            Some(Ok(_)) => Some("the link between the GPUs has no native atomics"),
            Some(Err(why)) => Some(why),
            None => Some("there is no such PE"),
        }
    }

    /// How many PEs, from 0, are all open to kernels, and a bit for each that is.
    pub(crate) fn mapped(&self) -> (u32, [u64; MAPPED_WORDS]) {
        let n_pes = self.reach.len() as u32;
        let closed = |pe: &u32| self.closed_to_kernels(*pe).is_some();
        let mut bits = [0; MAPPED_WORDS];
        for pe in (0..n_pes.min(64 * MAPPED_WORDS as u32)).filter(|pe| !closed(pe)) {
            bits[pe as usize / 64] |= 1 << (pe % 64);
        }
        ((0..n_pes).find(closed).unwrap_or(n_pes), bits)
    }

    /// How far a slice of `mapped` bytes must grow so that `needed` bytes are there.
    pub(crate) fn growth(&self, mapped: u64, needed: u64, limit: u64) -> u64 {
        let granularity = self.properties().granularity;
        let wanted = (needed - mapped).next_multiple_of(granularity).max(LEAST_GROWTH.next_multiple_of(granularity));
        wanted.min((limit - mapped) / granularity * granularity)
    }

    /// Collective: adds `bytes` at `offset` to every PE's slice. On an error nothing has changed, on any PE.
    pub(crate) fn grow(&self, bootstrap: &Bootstrap, offset: u64, bytes: u64) -> Result<()> {
        let operation = || format!("grow the GPU heap by {bytes} bytes");
        let own = self.gpu.create_chunk(bytes).and_then(|chunk| Ok((chunk.share()?, chunk)));
        let mut problem = own.as_ref().err().map(|e| e.to_string());
        let fd = own.as_ref().ok().map(|(fd, _)| fd.as_fd());
        let parts = bootstrap.allgather_with("GPU heap chunk", &bytes.to_ne_bytes(), fd, Patience::Unlimited)?;
        let mut done = vec![];
        for (pe, part) in parts.iter().enumerate() {
            if part.bytes != bytes.to_ne_bytes() {
                problem.get_or_insert_with(|| format!("PE {pe} asks for another size; all PEs allocate the same"));
            }
            if problem.is_some() || self.reach[pe].is_err() {
                continue;
            }
            let address = self.address(pe as u32, offset);
            let chunk = match (&own, &part.fd) {
                (Ok((_, chunk)), _) if pe as u32 == bootstrap.job().my_pe => Ok(chunk.clone()),
                (_, Some(fd)) => self.gpu.import_chunk(fd.as_fd(), bytes),
                _ => continue, // that PE has a problem, and reports it below
            };
            match chunk.and_then(|chunk| self.gpu.map_chunk(address, &chunk)) {
                Ok(()) => done.push(address),
                Err(e) => problem = Some(format!("memory of PE {pe}: {e}")),
            }
        }
        let own = problem.as_deref().unwrap_or("").as_bytes();
        // If it fails here, others may go on with a heap that is larger than this PE's: the job cannot be mended.
        let verdict = bootstrap
            .allgather("GPU heap agreement", own, None)
            .unwrap_or_else(|error| bootstrap.abort(1, &format!("{}: {error}", operation())));
        let Some((pe, why)) = verdict.iter().enumerate().find(|(_, part)| !part.bytes.is_empty()) else {
            return Ok(());
        };
        for address in done {
            // The error that matters is the one above.
            let _ = self.gpu.unmap(address, bytes);
        }
        Err(Error::new(operation(), format!("PE {pe}: {}", String::from_utf8_lossy(&why.bytes))))
    }

    /// Unmaps the chunks with these ends from all slices.
    pub(crate) fn unmap(&self, chunks: &[u64]) {
        for (start, end) in std::iter::once(0).chain(chunks.iter().copied()).zip(chunks) {
            for pe in (0..self.reach.len()).filter(|&pe| self.reach[pe].is_ok()) {
                let _ = self.gpu.unmap(self.address(pe as u32, start), end - start);
            }
        }
    }
}
