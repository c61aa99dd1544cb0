//! Operations that a stream carries out when all before them on it has finished. None waits here.
//!
//! | what | by |
//! |---|---|
//! | copies with an end in GPU memory, where this GPU reaches both | its copy engine |
//! | words of 4 and 8 bytes and signals that are set, if all PEs are mapped and the stream is not captured | the stream itself |
//! | copies between host memories that are pinned; strided data; other words and signals, waits, order, barriers; short puts with a signal | a kernel of the library ([`Library`](crate::transport::library::Library)) |
//! | copies where a PE is not mapped | a kernel, which asks the proxy as any kernel does |
//! | pageable memory, globals | the proxy, to which the stream hands the operation over ([`super::handed`]) |
//!
//! Who copies is the choice of the table of paths, which has rows for streams.
//!
//! *Order*: an operation has finished, for its stream, when its source may change and a get has its data. A signal
//! comes behind all that was before it on the stream, as a stream fences before it stores, and the kernel of a signal
//! begins with a fence. *Captured streams*: what a kernel or a copy engine does is the same at each replay, as what
//! changes from one to the next is in GPU memory: how often PEs have met is in their counters, tickets of commands are
//! taken when a kernel runs. An operation that is handed over has a number that is used once, so it is refused.

use super::described::{Described, Ends, What};
use super::launches::StreamLaunches;
use super::strided::Blocks;
use super::{Transfers, class, unfit};
use crate::error::{ArgumentError, Cause, Error};
use crate::job::Pe;
use crate::memory::{At, Remote, Segment};
use crate::transport::WordOp;
use crate::transport::mapped::to_bits;
use cushmem_abi::{BarrierStep, SyncArea, TeamSync, WordKind};
use cushmem_device::{Cmp, DevPtr, DeviceTeam, Kernel, SignalOp, Word};
use cushmem_gpu::{Grid, LaunchKind};
use cushmem_kernels as kernels;
use cushmem_path::{Initiator, LocalKind, Operation, Path, RemoteKind, Request};
use std::mem::offset_of;

type Result<T> = std::result::Result<T, ArgumentError>;

/// A stream, and how its kernels are counted; those of C programs are not.
pub(crate) struct Queue<'a> {
    pub(crate) stream: &'a dyn cushmem_gpu::Stream,
    pub(crate) launches: Option<&'a StreamLaunches>,
}

/// A copy, whose ends were found.
#[derive(Clone, Copy)]
pub(crate) struct Copy {
    pub(crate) ends: Ends,
    pub(crate) to_peer: bool,
    pub(crate) pe: Pe,
}

/// Who copies.
enum Engine {
    /// The copy engine, to or from this address.
    Copies(u64),
    Kernel,
    Proxy,
}

/// A put with signal of at most so many bytes is one kernel: what a block copies while a copy engine begins.
const SHORT: usize = 32 << 10;
/// Of at most so many, each lane copies a word.
const WORDS: usize = 8 << 10;
/// Lanes of a block that copies.
const LANES: usize = 512;
/// Bytes for each block of a kernel that copies between host memories, and its blocks at most.
const BLOCK_BYTES: usize = 64 << 10;
const MOST_BLOCKS: usize = 16;

/// As many lanes as have a vector each: one, or whole warps.
fn lanes(bytes: usize) -> u32 {
    if bytes <= 16 {
        return 1;
    }
    bytes.div_ceil(16).next_multiple_of(32).clamp(32, LANES) as u32
}

impl Transfers {
    /// Enqueues a copy.
    ///
    /// # Safety
    /// The local end is valid for all bytes until the stream has passed the copy.
    pub(crate) unsafe fn copy_on_stream(&self, queue: &Queue<'_>, copy: &Copy) -> Result<()> {
        let Copy { ends: Ends { remote, local, bytes }, to_peer, pe } = *copy;
        match self.engine_of(copy) {
            Engine::Copies(there) => {
                let (dst, src) = if to_peer { (there, local.address as u64) } else { (local.address as u64, there) };
                // SAFETY: the caller vouches for the local end, and the other was found.
                let posted = unsafe { queue.stream.copy(dst, src, bytes as u64) };
                Ok(posted.map_err(|error| self.device_error("copy on a stream", error))?)
            }
            Engine::Kernel => {
                let (there, here) = (self.own_pointer(remote), DevPtr::from_address(local.address as u64));
                // Where PEs are not mapped one block asks for all.
                let blocks = if self.asks() { 1 } else { bytes.div_ceil(BLOCK_BYTES).min(MOST_BLOCKS) };
                let grid = Grid::linear(blocks as u32, lanes(bytes));
                // SAFETY: the caller vouches for the local end, and the other was found.
                unsafe {
                    if to_peer {
                        self.launch(queue, kernels::stream_put, grid, (there, here, bytes, pe.number()))
                    } else {
                        self.launch(queue, kernels::stream_get, grid, (here, there, bytes, pe.number()))
                    }
                }
            }
            Engine::Proxy => {
                if let place @ Remote::Far(_) = self.memory.remote(remote, pe) {
                    // Nobody could be told when the stream has come to it.
                    self.word(&place, remote, 1, pe)?;
                }
                let ends = Some(copy.ends);
                let what = if to_peer { What::Put(ends, None) } else { What::Get(ends) };
                self.hand_over(queue, Described { what, pe })
            }
        }
    }

    /// Enqueues copies of blocks.
    ///
    /// # Safety
    /// All blocks of the private end are valid until the stream has passed them.
    pub(crate) unsafe fn blocks_on_stream(
        &self,
        queue: &Queue<'_>,
        (symmetric, private): (usize, usize),
        blocks: Blocks,
        pe: u32,
        to_peer: bool,
    ) -> Result<()> {
        let Some((remote, local, pe)) = self.ends_of_blocks(symmetric, private, &blocks, pe, to_peer)? else {
            return Ok(());
        };
        let pinned = || blocks.private(private, to_peer).is_some_and(|(at, bytes)| self.memory.is_pinned(at, bytes));
        if !by_kernels(remote) || !(local.on_gpu || pinned()) {
            if let place @ Remote::Far(_) = self.memory.remote(remote, pe) {
                // Nobody could be told when the stream has come to it.
                self.word(&place, remote, 1, pe)?;
            }
            return self.hand_over(queue, Described { what: What::Blocks { remote, local, blocks, to_peer }, pe });
        }
        let (there, here) = (self.own_pointer::<u8>(remote), DevPtr::<u8>::from_address(local.address as u64));
        let (dst, src) = if to_peer { (there, here) } else { (here, there) };
        let (dst_step, src_step) = blocks.steps();
        // The widest words of which all blocks consist.
        let parts = [dst.address() as usize, src.address() as usize, blocks.bytes(), 8];
        let all =
            parts.into_iter().chain([dst_step, src_step].map(isize::unsigned_abs)).fold(0, std::ops::BitOr::bitor);
        let width = 1usize << all.trailing_zeros();
        let words = blocks.bytes() / width;
        let lanes = (words * blocks.count).next_multiple_of(32).min(LANES);
        let grid = Grid::linear((words * blocks.count).div_ceil(lanes).min(MOST_BLOCKS) as u32, lanes as u32);
        let args = (dst, src, width as u32, words, blocks.count, dst_step, src_step, pe.number(), u32::from(to_peer));
        // SAFETY: the caller vouches for the blocks here, and the others were found.
        unsafe { self.launch(queue, kernels::stream_blocks, grid, args) }
    }

    /// Enqueues a put, if there are data, and a signal behind it.
    ///
    /// # Safety
    /// As for [`Transfers::copy_on_stream`].
    pub(crate) unsafe fn put_signal_on_stream(
        &self,
        queue: &Queue<'_>,
        data: Option<&Copy>,
        signal: (At, u64, SignalOp),
        pe: Pe,
    ) -> Result<()> {
        let (word, value, op) = signal;
        let of_signal = |error| match error {
            ArgumentError::Failed(_) => error,
            error => ArgumentError::Signal(Box::new(error)),
        };
        // What is wrong with the signal is said before the data move.
        self.reaches_word(word, 8, pe).map_err(of_signal)?;
        if !by_kernels(word) {
            self.may_hand_over(queue)?;
        }
        if let Some(copy) = data {
            let by_kernel = !matches!(self.engine_of(copy), Engine::Proxy) && by_kernels(word);
            if by_kernel && copy.ends.bytes <= SHORT {
                let Ends { remote, local, bytes } = copy.ends;
                let there =
                    if op == SignalOp::Set { self.reached(remote, pe).zip(self.reached(word, pe)) } else { None };
                if let Some((there, sig)) = there
                    && bytes <= WORDS
                    && (there | local.address as u64 | bytes as u64).is_multiple_of(8)
                {
                    let [there, src, sig] = [there, local.address as u64, sig].map(DevPtr::from_address);
                    let args = (there, src, (bytes / 8) as u32, sig, value);
                    let grid = Grid::linear(1, if bytes == 8 { 1 } else { (bytes / 8).next_multiple_of(32) as u32 });
                    // SAFETY: the caller vouches for the local end; the others were found.
                    return unsafe { self.launch(queue, kernels::stream_put_words, grid, args) };
                }
                let here = DevPtr::from_address(local.address as u64);
                let args =
                    (self.own_pointer(remote), here, bytes, self.own_pointer(word), value, op as u32, pe.number());
                self.tell_that_it_asks(word, op);
                // SAFETY: the caller vouches for the local end; the others were found.
                return unsafe { self.launch(queue, kernels::stream_put_signal, Grid::linear(1, lanes(bytes)), args) };
            }
            // SAFETY: as this function demands.
            unsafe { self.copy_on_stream(queue, copy)? };
        }
        self.signal_on_stream(queue, signal, pe).map_err(of_signal)
    }

    /// Enqueues the update of a signal, behind all that was before on the stream.
    pub(crate) fn signal_on_stream(&self, queue: &Queue<'_>, signal: (At, u64, SignalOp), pe: Pe) -> Result<()> {
        let (word, value, op) = signal;
        self.reaches_word(word, 8, pe)?;
        if !by_kernels(word) {
            return self.hand_over(queue, Described { what: What::Put(None, Some(signal)), pe });
        }
        if op == SignalOp::Set && self.store_on_stream(queue, word, (value, 8), pe)? {
            return Ok(());
        }
        self.tell_that_it_asks(word, op);
        let args = (self.own_pointer(word), value, op as u32, pe.number());
        // SAFETY: the word was found, and is aligned.
        unsafe { self.launch(queue, kernels::stream_signal, Grid::linear(1, 1), args) }
    }

    /// Enqueues the store of a word of `width` bytes, 1, 2, 4 or 8.
    pub(crate) fn p_on_stream(&self, queue: &Queue<'_>, word: At, (value, width): (u64, usize), pe: Pe) -> Result<()> {
        self.reaches_word(word, width, pe)?;
        if !by_kernels(word) {
            if word.segment == Segment::Network && !matches!(width, 4 | 8) {
                return Err(ArgumentError::Misaligned(4));
            }
            let what = What::Amo { word, op: WordOp::Set, width, operand: value };
            return self.hand_over(queue, Described { what, pe });
        }
        if width >= 4 && self.store_on_stream(queue, word, (value, width), pe)? {
            return Ok(());
        }
        let args = (self.own_pointer(word), value, width as u32, pe.number());
        // SAFETY: the word was found, and is aligned.
        unsafe { self.launch(queue, kernels::stream_p, Grid::linear(1, 1), args) }
    }

    /// Has the stream itself store a word, behind all that was before on it, if this GPU reaches the word; whether it
    /// did. A stream that is captured leaves that to a kernel, as not every driver records it.
    fn store_on_stream(
        &self,
        queue: &Queue<'_>,
        word: At,
        (value, width): (u64, usize),
        pe: Pe,
    ) -> std::result::Result<bool, Error> {
        let operation = "store a word on a stream";
        let Some(there) = self.reached(word, pe) else { return Ok(false) };
        if queue.stream.is_captured().map_err(|error| self.device_error(operation, error))? {
            return Ok(false);
        }
        // SAFETY: a word of symmetric memory, aligned, which stays as long as the job.
        let stored = unsafe { queue.stream.set_word(there, value, width as u64) };
        stored.map_err(|error| self.device_error(operation, error)).map(|()| true)
    }

    /// Where this GPU has a PE's memory of a heap, in a job in which it reaches all: in others a signal may have to
    /// wait for what the proxy was asked for, which kernels know.
    fn reached(&self, at: At, pe: Pe) -> Option<u64> {
        match self.memory.remote(at, pe) {
            _ if self.asks() => None,
            Remote::Device(there) => Some(there),
            Remote::Near(there) => Some(there as u64),
            _ => None,
        }
    }

    /// Enqueues a wait for a word of this PE, an integer of 4 or 8 bytes.
    pub(crate) fn wait_on_stream<T: Word>(&self, queue: &Queue<'_>, word: At, cmp: Cmp, value: T) -> Result<()> {
        if !by_kernels(word) {
            let why = "is neither in the host heap nor in the GPU heap, where a stream can wait for it";
            return Err(ArgumentError::Global(why.into()));
        }
        let width = size_of::<T>();
        self.reaches_word(word, width, self.job.me())?;
        let signed = u32::from(T::KIND == WordKind::Signed);
        let args = (self.own_pointer(word), width as u32, signed, cmp as u32, to_bits(value));
        // SAFETY: the word was found, and is aligned.
        unsafe { self.launch(queue, kernels::stream_wait, Grid::linear(1, 1), args) }
    }

    /// Enqueues the completion of what was before on the stream.
    pub(crate) fn quiet_on_stream(&self, queue: &Queue<'_>) -> Result<()> {
        // SAFETY: the kernel has no arguments.
        unsafe { self.launch(queue, kernels::stream_quiet, Grid::linear(1, 1), ()) }
    }

    /// Enqueues the barrier of all PEs.
    pub(crate) fn barrier_on_stream(&self, queue: &Queue<'_>) -> Result<()> {
        let (n_pes, my_pe) = (self.job.n_pes(), self.job.my_pe());
        if let Some(args) = self.meeting_of_two(DeviceTeam { start: 0, stride: 1, n_pes, my_pe, slot: 0 }) {
            // SAFETY: the words were looked up.
            return unsafe { self.launch(queue, kernels::stream_meet_two, Grid::linear(1, 1), args) };
        }
        // SAFETY: the kernel has no arguments.
        unsafe { self.launch(queue, kernels::stream_barrier_all, meeting(self.job.n_pes()), ()) }
    }

    /// Enqueues the meeting of a team.
    ///
    /// # Safety
    /// The team exists until the stream has passed it.
    pub(crate) unsafe fn team_sync_on_stream(&self, queue: &Queue<'_>, team: DeviceTeam) -> Result<()> {
        if let Some(args) = self.meeting_of_two(team) {
            // SAFETY: the words were looked up, and the caller vouches for the team.
            return unsafe { self.launch(queue, kernels::stream_meet_two, Grid::linear(1, 1), args) };
        }
        // SAFETY: the caller vouches for the team.
        unsafe { self.launch(queue, kernels::stream_team_sync, meeting(team.n_pes), (team,)) }
    }

    /// Where two PEs have the words by which they meet, and who the other one is, if these are all and reach each
    /// other.
    fn meeting_of_two(&self, team: DeviceTeam) -> Option<(DevPtr<BarrierStep>, DevPtr<BarrierStep>, u32)> {
        let gpu = self.memory.gpu().filter(|_| team.n_pes == 2 && !self.asks())?;
        let other = self.job.pe(team.pe(1 - team.my_pe))?;
        gpu.reach(other).ok().filter(|reach| reach.native_atomics)?;
        let words =
            offset_of!(SyncArea, teams) + team.slot as usize * size_of::<TeamSync>() + offset_of!(TeamSync, barrier);
        let at = At::new(Segment::Gpu, words as u64);
        let there = self.reached(at, other)?;
        Some((self.own_pointer(at), DevPtr::from_address(there), other.number()))
    }

    /// Who copies, as the table of paths says.
    fn engine_of(&self, copy: &Copy) -> Engine {
        let Ends { remote: at, local, bytes } = copy.ends;
        let pinned = local.on_gpu || self.memory.is_pinned(local.address as u64, bytes as u64);
        if !by_kernels(at) || !pinned {
            return Engine::Proxy;
        }
        let remote = self.memory.remote(at, copy.pe);
        let (there, kind) = match remote {
            Remote::Device(there) => (there, RemoteKind::Gpu),
            Remote::Near(there) => (there as u64, RemoteKind::Host),
            // It asks the proxy.
            _ => return Engine::Kernel,
        };
        let request = Request {
            operation: if copy.to_peer { Operation::Put } else { Operation::Get },
            initiator: Initiator::Stream,
            local: if local.on_gpu { LocalKind::Gpu } else { LocalKind::Pinned },
            remote: kind,
            class: class(&self.job, &self.memory, &remote, copy.pe),
        };
        match self.policy().choose(request, bytes as u64) {
            Ok(Path::CopyEngine) => Engine::Copies(there),
            Ok(Path::Proxy) => Engine::Proxy,
            _ => Engine::Kernel,
        }
    }

    /// Where kernels of this PE have a word, or the first of many.
    fn own_pointer<T>(&self, at: At) -> DevPtr<T> {
        DevPtr::from_address(self.memory.own(at))
    }

    /// Whether kernels ask the proxy for what PEs are not mapped for.
    fn asks(&self) -> bool {
        self.memory.is_far()
    }

    /// A kernel that adds to host memory asks the proxy, and a quiet of the CPU then has to look for commands.
    fn tell_that_it_asks(&self, word: At, op: SignalOp) {
        if op == SignalOp::Add && word.segment == Segment::Host {
            self.launches.are_of_the_job();
        }
    }

    /// Refuses a stream that is captured: what is handed over has a number that is used once.
    fn may_hand_over(&self, queue: &Queue<'_>) -> Result<()> {
        let operation = "an operation on a stream";
        let captured = queue.stream.is_captured().map_err(|error| self.device_error(operation, error))?;
        if captured {
            let text = "the stream is captured, and the CPU copies pageable memory and globals only once: use pinned memory, or memory of the heaps or of the GPU";
            return Err(Error::new(operation, Cause::Mismatch(text.into())).into());
        }
        Ok(())
    }

    fn hand_over(&self, queue: &Queue<'_>, described: Described) -> Result<()> {
        let operation = "an operation on a stream";
        self.may_hand_over(queue)?;
        let gpu = self.memory.own_gpu(operation)?;
        self.let_proxy_copy(operation)?;
        Ok(self.handed.hand_over(gpu, queue.stream, described)?)
    }

    /// # Safety
    /// The arguments satisfy what the kernel asks of them until it has finished.
    pub(super) unsafe fn launch<K: Kernel>(
        &self,
        queue: &Queue<'_>,
        kernel: K,
        grid: Grid,
        args: K::Args,
    ) -> Result<()> {
        let library = self.library().ok_or_else(|| unfit(Path::GpuDirect))?;
        if self.asks() {
            self.launches.are_of_the_job();
        }
        // SAFETY: the caller vouches for the arguments.
        let launch = || unsafe { library.launch(queue.stream, kernel, grid, LaunchKind::Plain, args) };
        let launched = match queue.launches {
            Some(launches) => launches.add(K::NAME, launch),
            None => launch(),
        };
        Ok(launched.map_err(|error| self.device_error(K::NAME, error))?)
    }
}

/// Whether kernels reach memory of this segment, or ask for it: it is pinned, or in GPU memory.
fn by_kernels(at: At) -> bool {
    matches!(at.segment, Segment::Host | Segment::Gpu)
}

/// A lane for each PE that one hears from, up to a warp.
fn meeting(n_pes: u32) -> Grid {
    Grid::linear(1, n_pes.saturating_sub(1).clamp(1, 32))
}
