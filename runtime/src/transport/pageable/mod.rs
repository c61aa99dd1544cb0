//! Copies between GPUs and pageable memory, which an engine does not reach, through a ring of pinned memory.
//!
//! ```text
//!   to the GPU:    pageable memory ── CPUs ── slot of a piece ── engine ── GPU
//!   from the GPU:  GPU ── engine ── slot of a piece ── CPUs ── pageable memory
//! ```
//!
//! The driver copies such memory by one thread, which is slower than the engine by three times and more. Here the
//! caller alone talks to the GPU; it and some *helpers* move pieces of 64 KiB between pageable memory and their slots
//! (`pieces` has the protocol), and it posts each *run* of pieces whose slots are ready to a stream that is idle.
//! *Completion* is that of the stream: a stream has one run at a time, and to ask it takes 1 µs, where a report of its
//! own would hold it for 7. *One at a time*: who finds the ring in use leaves the copy to the driver. *After an error*
//! the streams are settled and the helpers are out before the call returns, so nobody touches the program's memory any
//! more.

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
/// Streams, of which each has one run under way.
const STREAMS: usize = 4;
/// Pieces of a run at most.
const LONGEST: usize = 16;
/// Threads that move pieces, the caller among them. More do not make it faster: the link to the GPU is the limit.
pub(crate) const MOST_THREADS: usize = 8;
/// How long threads look for the next copy.
const AWAKE: Duration = Duration::from_millis(1);
/// For each so many bytes there is a helper: to wake one takes as long as to copy some of them.
const BYTES_A_HELPER: usize = 512 << 10;
/// Fewer bytes to a GPU the driver copies as fast: up to 16 KiB it sends them with its command.
pub(crate) const LEAST_TO_GPU: usize = 48 << 10;
/// Fewer bytes from a GPU are left to the driver too, so that a thread that polls by short gets does not keep the ring
/// from others.
pub(crate) const LEAST_FROM_GPU: usize = 16 << 10;

/// The ring, and who works with it.
pub(crate) struct Pump {
    streams: Vec<Arc<dyn Stream>>,
    helpers: Helpers,
    // Behind the streams, which may still copy.
    ring: PinnedWords,
}

impl Pump {
    /// A ring for a GPU, and no thread yet. So many `threads` may move pieces, on these cores; `sharing` says that
    /// other PEs need them.
    pub(crate) fn create(gpu: &Arc<dyn Gpu>, (threads, cores): (usize, Option<CpuSet>), sharing: bool) -> Result<Self> {
        let streams: std::result::Result<Vec<_>, _> = (0..STREAMS).map(|_| gpu.create_stream()).collect();
        let streams = streams.map_err(Error::of("prepare copies of pageable memory"))?;
        let awake = if sharing { Duration::ZERO } else { AWAKE };
        let ring = PinnedWords::create(gpu, SLOTS * PIECE / 8)?;
        let helpers = Helpers::new(threads.clamp(1, MOST_THREADS) - 1, cores, awake);
        Ok(Self { streams, helpers, ring })
    }

    /// Begins a copy, which goes on with each call of [`Pass::step`].
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
    /// By stream, up to which piece its run goes. Runs take streams in turn.
    runs: [Option<usize>; STREAMS],
    task: Task,
    gpu: u64,
    /// Pieces that CPUs have moved, from the first on without a gap; that streams have got; that streams are done with.
    moved: usize,
    posted: usize,
    through: usize,
    /// Below which pieces may be moved.
    allowed: usize,
}

impl Pass<'_> {
    pub(crate) fn is_complete(&self) -> bool {
        let last = if self.task.to_gpu { self.through } else { self.moved };
        last == self.task.pieces()
    }

    /// Does what there is to do at present; whether there was anything.
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
            // SAFETY: the caller of `begin` vouches for the memory; the piece was taken.
            unsafe { self.task.move_piece(piece) };
            self.open.pieces().moved(piece);
        }
        Ok(before != (self.moved, self.posted, self.through) || matches!(taken, Taken::Piece(_)))
    }

    /// Looks which runs are done, in their order.
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

    /// Gives a run to each stream that is idle.
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
            // SAFETY: the slots of these pieces are the engine's until the run is done; whoever began the copy vouches
            // for the GPU's memory.
            unsafe { self.streams[stream].copy(dst, src, (stop - start) as u64)? };
            self.runs[stream] = Some(end);
            self.posted = end;
        }
        Ok(())
    }

    /// How many pieces the next run has: those that are ready and whose slots lie one after the other. To the GPU it
    /// takes what there is; from the GPU the first and the last runs are short, so that CPUs begin early and have
    /// little to move at the end.
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
            // Only after an error, or in a panic. The error that matters is the one that led here.
            self.streams.iter().for_each(|stream| drop(stream.synchronize()));
        }
    }
}
