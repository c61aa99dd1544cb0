//! Growth of the GPU heap by chunks of physical memory. Each PE makes a chunk for its own segment, shares it as a file
//! descriptor, and maps the chunks of the peers that it reaches. A mapped chunk never moves. Growth ends with an
//! agreement, so that it has happened on all PEs or on none.

use super::window::Window;
use crate::Result;
use crate::job::{Job, Pe};
use cushmem_bootstrap::{Contribution, WaitLimit};
use cushmem_gpu::Gpu;
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicU64, Ordering};

/// Collective: adds `bytes` bytes at `offset` to every PE's segment. If it fails, nothing has changed on any PE. `here`
/// is the size of this PE's existing segment. It grows before the agreement, because a PE that has completed the
/// agreement may at once ask for a copy to the new memory.
pub(super) fn grow(
    job: &Job,
    gpu: &dyn Gpu,
    window: &Window,
    reaches: impl Fn(Pe) -> bool,
    (offset, bytes): (u64, u64),
    here: &AtomicU64,
) -> Result<()> {
    let operation = || format!("grow the GPU heap by {bytes} bytes");
    let bootstrap = job.bootstrap();
    let own = gpu.create_chunk(bytes).and_then(|chunk| Ok((chunk.share()?, chunk)));
    let mut problem = own.as_ref().err().map(|e| e.to_string());
    let fd = own.as_ref().ok().map(|(fd, _)| fd.as_fd());
    let mut done = vec![];
    // Maps the chunk of a PE.
    let mut map = |pe: Pe, part: &Contribution| {
        if part.bytes != bytes.to_ne_bytes() {
            return Err("it asks for another size, but all PEs must allocate the same".to_owned());
        }
        let Some(address) = window.at(pe, offset).filter(|_| reaches(pe)) else { return Ok(()) };
        let chunk = match (&own, part.descriptor()) {
            (Ok((_, chunk)), _) if pe == job.me() => chunk.clone(),
            (_, Ok(fd)) => gpu.import_chunk(fd, bytes).map_err(|e| e.to_string())?,
            (_, Err(why)) if part.lost => return Err(why.to_owned()),
            (_, Err(_)) => return Ok(()), // that PE has a problem, and reports it below
        };
        gpu.map_chunk(address, &chunk).map_err(|e| e.to_string())?;
        done.push(address);
        Ok(())
    };
    let shared = bootstrap.share_each("heap chunk", &bytes.to_ne_bytes(), fd, WaitLimit::Unlimited, |number, part| {
        if let (Some(pe), None) = (job.pe(number), &problem) {
            problem = map(pe, &part).err().map(|why| format!("memory of PE {number}: {why}"));
        }
    });
    let take_back = |done: &[u64]| {
        here.store(offset, Ordering::Relaxed);
        for address in done {
            // The error that matters is the one that led here.
            let _ = gpu.unmap(*address, bytes);
        }
    };
    shared.inspect_err(|_| take_back(&done))?;
    // Relaxed: the agreement orders it for those who learn of it.
    here.store(offset + bytes, Ordering::Relaxed);
    job.agree(&operation(), problem.map_or(Ok(()), Err)).inspect_err(|_| take_back(&done))
}

/// The number of bytes by which a segment of `mapped` bytes must grow to have `needed` bytes: whole granules, at least
/// `least`, and at most up to `limit`.
pub(super) fn growth(granularity: u64, least: u64, mapped: u64, needed: u64, limit: u64) -> u64 {
    let wanted = (needed - mapped).next_multiple_of(granularity).max(least.next_multiple_of(granularity));
    wanted.min((limit - mapped) / granularity * granularity)
}

/// The chunks of a heap. In every PE's segment, each starts where the previous one ends.
#[derive(Debug, Default)]
pub(super) struct Chunks {
    ends: Vec<u64>,
}

impl Chunks {
    /// The total size of the chunks in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Adds a chunk of `bytes` bytes.
    pub(super) fn push(&mut self, bytes: u64) {
        self.ends.push(self.bytes() + bytes);
    }

    /// Unmaps all chunks from the segments that `reaches` selects. If it fails, the memory is released when the process
    /// ends.
    pub(super) fn unmap(&self, job: &Job, gpu: &dyn Gpu, window: &Window, reaches: impl Fn(Pe) -> bool) {
        for (start, end) in std::iter::once(&0).chain(&self.ends).zip(&self.ends) {
            for pe in job.pes().filter(|pe| reaches(*pe)) {
                if let Some(address) = window.at(pe, *start) {
                    let _ = gpu.unmap(address, end - start);
                }
            }
        }
    }
}
