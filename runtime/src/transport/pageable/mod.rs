//! Copies between GPUs and pageable memory, which a copy engine cannot access, through a ring of pinned memory.
//!
//! ```text
//!   to the GPU:    pageable memory ── CPUs ── slot of a piece ── engine ── GPU
//!   from the GPU:  GPU ── engine ── slot of a piece ── CPUs ── pageable memory
//! ```
//!
//! The driver copies pageable memory with one thread, at a third of the engine's bandwidth or less. Here only the
//! caller talks to the GPU. It and some *helpers* move pieces of up to 64 KiB between pageable memory and their slots
//! (`pieces` has the protocol), and the caller posts each *run* of pieces whose slots are ready to an idle stream.
//!
//! * *Completion* is that of the stream: a stream has one run at a time, and asking it takes 1 µs, whereas a report
//!   would occupy the stream for 7.
//! * *One copy at a time*: a caller that finds the ring in use leaves its copy to the driver.
//! * *After an error* the streams are settled and the helpers have left before the call returns, so nobody touches the
//!   program's memory any more.

mod helpers;
mod pieces;

use crate::error::{Error, Result};
use crate::sync::pinned::PinnedWords;
use cushmem_gpu::{Gpu, GpuError, Stream};
use helpers::{Helpers, Open, PIECE, Task};
use nix::sched::CpuSet;
use pieces::Taken;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::Duration;

/// Slots of the ring.
const SLOTS: usize = 128;
/// Streams. Each has one run under way.
const STREAMS: usize = 4;
/// The most pieces of a run.
const LONGEST: usize = 16;
/// Threads that move pieces, including the caller. More do not make it faster, because the link to the GPU is the
/// limit.
pub(crate) const MOST_THREADS: usize = 8;
/// How long threads poll for the next copy.
const AWAKE: Duration = Duration::from_millis(1);
/// There is one helper for this many bytes, because waking one takes as long as copying part of them.
const BYTES_A_HELPER: usize = 512 << 10;
/// The driver copies fewer bytes to a GPU just as fast: it sends up to 16 KiB with its command.
pub(crate) const LEAST_TO_GPU: usize = 48 << 10;
/// Fewer bytes from a GPU are left to the driver too, so that a thread that polls with short gets does not keep the
/// ring busy.
pub(crate) const LEAST_FROM_GPU: usize = 16 << 10;

/// The ring, and the threads and streams that work with it.
pub(crate) struct Pump {
    streams: Vec<Arc<dyn Stream>>,
    helpers: Helpers,
    // Declared after the streams, which may still copy, so that it is dropped after them.
    ring: PinnedWords,
}

impl Pump {
    /// A ring for a GPU, without threads yet. Up to `threads` may move pieces, on these cores; `sharing` says that
    /// other PEs need the cores too.
    pub(crate) fn create(gpu: &Arc<dyn Gpu>, (threads, cores): (usize, Option<CpuSet>), sharing: bool) -> Result<Self> {
        let streams: std::result::Result<Vec<_>, _> = (0..STREAMS).map(|_| gpu.create_stream()).collect();
        let streams = streams.map_err(Error::of("prepare copies of pageable memory"))?;
        streams.iter().for_each(|stream| crate::job::record::name_stream(&**stream, "cushmem: pageable memory"));
        let awake = if sharing { Duration::ZERO } else { AWAKE };
        let ring = PinnedWords::create(gpu, SLOTS * PIECE / 8)?;
        let helpers = Helpers::new(threads.clamp(1, MOST_THREADS) - 1, cores, awake);
        Ok(Self { streams, helpers, ring })
    }

    /// Starts a copy, which advances with each call of [`Pass::step`].
    ///
    /// # Safety
    /// `host` is pageable memory, `gpu` memory that this GPU reaches, and both are valid until the result is dropped.
    pub(crate) unsafe fn begin(&mut self, gpu: u64, host: usize, bytes: usize, to_gpu: bool) -> Pass<'_> {
        let task = Task { host, ring: self.ring.address(0) as usize, bytes, to_gpu };
        let open = self.helpers.open(&task, bytes / BYTES_A_HELPER);
        Pass {
            open,
            streams: &self.streams,
            runs: [None; STREAMS],
            task,
            gpu,
            moved: 0,
            posted: 0,
            through: 0,
            allowed: 0,
        }
    }
}

/// A copy under way.
pub(crate) struct Pass<'a> {
    open: Open,
    streams: &'a [Arc<dyn Stream>],
    /// By stream: the piece at which its run ends. Streams take runs in turn.
    runs: [Option<usize>; STREAMS],
    task: Task,
    gpu: u64,
    /// Three counts of pieces: those that CPUs have moved, counted from the first one without a gap; those given to
    /// streams; those that streams have finished.
    moved: usize,
    posted: usize,
    through: usize,
    /// Pieces below this one may be moved.
    allowed: usize,
}

impl Pass<'_> {
    pub(crate) fn is_complete(&self) -> bool {
        let last = if self.task.to_gpu { self.through } else { self.moved };
        last == self.task.pieces()
    }

    /// Does whatever can be done now. Returns whether there was anything.
    pub(crate) fn step(&mut self) -> std::result::Result<bool, GpuError> {
        let before = (self.moved, self.posted, self.through);
        while self.moved < self.task.pieces() && self.open.pieces().is_moved(self.moved) {
            self.moved += 1;
        }
        self.retire()?;
        self.post()?;
        let ready = if self.task.to_gpu { self.through + SLOTS } else { self.through };
        if ready > self.allowed {
            self.allowed = ready;
            self.open.pieces().allow(ready);
        }
        let taken = self.open.pieces().take();
        if let Taken::Piece(piece) = taken {
            // SAFETY: the caller of `begin` guarantees that the memory is valid; the piece was taken.
            unsafe { self.task.move_piece(piece) };
            self.open.pieces().moved(piece);
        }
        Ok(before != (self.moved, self.posted, self.through) || matches!(taken, Taken::Piece(_)))
    }

    /// Checks which runs are complete, in order.
    fn retire(&mut self) -> std::result::Result<(), GpuError> {
        while let Some(stream) = self.oldest() {
            if !self.streams[stream].is_idle()? {
                return Ok(());
            }
            if let Some(end) = self.runs[stream].take() {
                self.through = end;
            }
        }
        Ok(())
    }

    /// The stream of the oldest run.
    fn oldest(&self) -> Option<usize> {
        let runs = self.runs.iter().enumerate().filter_map(|(stream, run)| run.map(|end| (end, stream)));
        runs.min().map(|(_, stream)| stream)
    }

    /// Gives a run to each idle stream.
    fn post(&mut self) -> std::result::Result<(), GpuError> {
        for stream in 0..STREAMS {
            if self.runs[stream].is_some() {
                continue;
            }
            let first = self.posted;
            let end = first + self.run();
            if end == first {
                return Ok(());
            }
            let piece = self.task.piece();
            let (start, stop) = (first * piece, (end * piece).min(self.task.bytes));
            let slot = (self.task.ring + start % (SLOTS * piece)) as u64;
            let there = self.gpu + start as u64;
            let (dst, src) = if self.task.to_gpu { (there, slot) } else { (slot, there) };
            // SAFETY: the slots of these pieces belong to the engine until the run is complete; the caller of `begin`
            // guarantees that the GPU memory is valid.
            unsafe { self.streams[stream].copy(dst, src, (stop - start) as u64)? };
            self.runs[stream] = Some(end);
            self.posted = end;
        }
        Ok(())
    }

    /// The number of pieces of the next run: those that are ready and whose slots are adjacent. To the GPU, a run takes
    /// all of them. From the GPU, the first and the last runs are short, so that CPUs start early and have little left
    /// to move at the end.
    fn run(&self) -> usize {
        let (ready, most) = if self.task.to_gpu {
            (self.moved, LONGEST)
        } else {
            let left = self.task.pieces() - self.posted;
            let ready = self.task.pieces().min(self.moved + SLOTS);
            (ready, left.div_ceil(8).min(self.posted.max(1)).min(LONGEST))
        };
        (ready - self.posted).min(most).min(SLOTS - self.posted % SLOTS)
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        if self.oldest().is_some() {
            // This runs only after an error or in a panic. The error that matters is the one that led here.
            self.streams.iter().for_each(|stream| drop(stream.synchronize()));
        }
    }
}
