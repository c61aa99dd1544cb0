//! Operations that a stream carries out when everything before them on the stream has finished. The calls here do not
//! wait.
//!
//! | what | by |
//! |---|---|
//! | copies with an end in GPU memory, where this GPU reaches both ends | its copy engine |
//! | words of 4 and 8 bytes and signals that are set, if all PEs are mapped and the stream is not captured | the stream itself |
//! | copies between pinned host memories; strided data; other words and signals, waits, exchanges of signals ([`super::exchange`]), order, barriers; short puts with a signal | a kernel of the library ([`Library`](crate::transport::library::Library)) |
//! | copies where a PE is not mapped | a kernel, which asks the proxy as any kernel does |
//! | pageable memory, globals | the proxy, to which the stream hands the operation over ([`super::stream_ops`]) |
//!
//! The table of paths, which has rows for streams, decides who copies.
//!
//! * *Order*: for its stream, an operation has finished when its source may change and a get has its data. A signal
//!   comes behind everything before it on the stream, because a stream fences before it stores, and the kernel of a
//!   signal starts with a fence.
//! * *Captured streams*: a kernel or a copy engine does the same at each replay, because whatever changes between
//!   replays is in GPU memory: the number of barriers is in the PEs' counters, and tickets of commands are taken when a
//!   kernel runs. An operation that is handed over has a number that can be used only once, so capturing it is refused.

use super::Services;
use super::launches::StreamLaunches;
use crate::error::{ArgumentError, Cause, Error};
use crate::job::Pe;
use crate::job::record::Timed;
use crate::memory::{At, Remote, Segment};
use crate::transfer::operation::{Ends, PreparedKind, PreparedOp};
use crate::transfer::paths::class;
use crate::transfer::strided::Blocks;
use crate::transfer::{Shape, unfit};
use crate::transport::mapped::to_bits;
use cushmem_abi::{BarrierStep, DeviceTaskQueue, SyncArea, TaskWords, TeamSync, WordKind, WordOp};
use cushmem_device::{Cmp, DevPtr, DeviceTeam, Kernel, SignalOp, Word};
use cushmem_gpu::{Grid, LaunchKind};
use cushmem_kernels as kernels;
use cushmem_path::{Initiator, LocalKind, Operation, Path, RemoteKind, Request};
use cushmem_record::Operation as Recorded;
use std::mem::offset_of;

type Result<T> = std::result::Result<T, ArgumentError>;

/// A stream, and how its kernels are counted. Those of C programs are not.
pub(crate) struct Queue<'a> {
    pub(crate) stream: &'a dyn cushmem_gpu::Stream,
    pub(crate) launches: Option<&'a StreamLaunches>,
}

/// A copy. Its ends were found.
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

/// A put with signal of at most this many bytes is one kernel: a block copies them in the time that a copy engine takes
/// to start.
const SHORT: usize = 32 << 10;
/// Up to this many bytes, each lane copies a word.
const WORDS: usize = 8 << 10;
/// Lanes of a block that copies.
const LANES: usize = 512;
/// Bytes for each block of a kernel that copies between host memories, and the most blocks of such a kernel.
const BLOCK_BYTES: usize = 64 << 10;
const MOST_BLOCKS: usize = 16;

/// As many lanes as there are vectors: one, or whole warps.
fn lanes(bytes: usize) -> u32 {
    if bytes <= 16 {
        return 1;
    }
    bytes.div_ceil(16).next_multiple_of(32).clamp(32, LANES) as u32
}

impl Services {
    /// Enqueues a copy.
    ///
    /// # Safety
    /// The local end is valid for all bytes until the stream has passed the copy.
    pub(crate) unsafe fn copy_on_stream(&self, queue: &Queue<'_>, copy: &Copy) -> Result<()> {
        let _timed = Timed::on_stream_with(Recorded::StreamCopy, copy.ends.bytes, copy.pe.number(), queue.stream);
        // SAFETY: this function has the same requirements.
        unsafe { self.copy_by(&self.engine_of(copy), queue, copy) }
    }

    /// # Safety
    /// The conditions of [`Services::copy_on_stream`].
    unsafe fn copy_by(&self, engine: &Engine, queue: &Queue<'_>, copy: &Copy) -> Result<()> {
        let Copy { ends: Ends { remote, local, bytes }, to_peer, pe } = *copy;
        match *engine {
            Engine::Copies(there) => {
                let (dst, src) = if to_peer { (there, local.address as u64) } else { (local.address as u64, there) };
                // SAFETY: the caller guarantees that the local end is valid, and the other was found.
                let posted = unsafe { queue.stream.copy(dst, src, bytes as u64) };
                Ok(posted.map_err(|error| self.transfers.device_error("copy on a stream", error))?)
            }
            Engine::Kernel => {
                let (there, here) = (self.own_pointer(remote), DevPtr::from_address(local.address as u64));
                // Where PEs are not mapped, one block makes the request for all.
                let blocks = if self.has_unmapped_pes() { 1 } else { bytes.div_ceil(BLOCK_BYTES).min(MOST_BLOCKS) };
                let grid = Grid::linear(blocks as u32, lanes(bytes));
                // SAFETY: the caller guarantees that the local end is valid, and the other was found.
                unsafe {
                    if to_peer {
                        self.launch(queue, kernels::stream_put, grid, (there, here, bytes, pe.number()))
                    } else {
                        self.launch(queue, kernels::stream_get, grid, (here, there, bytes, pe.number()))
                    }
                }
            }
            Engine::Proxy => {
                if let place @ Remote::Unreachable(_) = self.memory().remote(remote, pe) {
                    // Checked now, because when the stream has reached the operation there is nobody to get the error.
                    self.transfers.word(&place, remote, 1, pe)?;
                }
                let ends = Some(copy.ends);
                let what = if to_peer { PreparedKind::Put(ends, None) } else { PreparedKind::Get(ends) };
                self.hand_over(queue, PreparedOp { what, pe })
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
        let _timed = Timed::on_stream_with(Recorded::StreamCopy, Shape::Blocks(blocks).bytes(), pe, queue.stream);
        let Some((remote, local, pe)) = self.transfers.ends_of_blocks(symmetric, private, &blocks, pe, to_peer)? else {
            return Ok(());
        };
        let pinned = || blocks.private(private, to_peer).is_some_and(|(at, bytes)| self.memory().is_pinned(at, bytes));
        if !by_kernels(remote) || !(local.on_gpu || pinned()) {
            if let place @ Remote::Unreachable(_) = self.memory().remote(remote, pe) {
                // Checked now, because when the stream has reached the operation there is nobody to get the error.
                self.transfers.word(&place, remote, 1, pe)?;
            }
            return self
                .hand_over(queue, PreparedOp { what: PreparedKind::Blocks { remote, local, blocks, to_peer }, pe });
        }
        let (there, here) = (self.own_pointer::<u8>(remote), DevPtr::<u8>::from_address(local.address as u64));
        let (dst, src) = if to_peer { (there, here) } else { (here, there) };
        let (dst_step, src_step) = blocks.steps();
        // The widest words into which all blocks divide.
        let parts = [dst.address() as usize, src.address() as usize, blocks.bytes(), 8];
        let all =
            parts.into_iter().chain([dst_step, src_step].map(isize::unsigned_abs)).fold(0, std::ops::BitOr::bitor);
        let width = 1usize << all.trailing_zeros();
        let words = blocks.bytes() / width;
        let lanes = (words * blocks.count).next_multiple_of(32).min(LANES);
        let grid = Grid::linear((words * blocks.count).div_ceil(lanes).min(MOST_BLOCKS) as u32, lanes as u32);
        let args = (dst, src, width as u32, words, blocks.count, dst_step, src_step, pe.number(), u32::from(to_peer));
        // SAFETY: the caller guarantees that the blocks here are valid, and the others were found.
        unsafe { self.launch(queue, kernels::stream_blocks, grid, args) }
    }

    /// Enqueues a put, if there are data, followed by a signal.
    ///
    /// # Safety
    /// The conditions of [`Services::copy_on_stream`].
    pub(crate) unsafe fn put_signal_on_stream(
        &self,
        queue: &Queue<'_>,
        data: Option<&Copy>,
        signal: (At, u64, SignalOp),
        pe: Pe,
    ) -> Result<()> {
        let bytes = data.map_or(0, |copy| copy.ends.bytes);
        let _timed = Timed::on_stream_with(Recorded::StreamPutSignal, bytes, pe.number(), queue.stream);
        let (word, value, op) = signal;
        let of_signal = |error| match error {
            ArgumentError::Failed(_) => error,
            error => ArgumentError::Signal(Box::new(error)),
        };
        // An invalid signal is reported before the data move.
        self.transfers.reaches_word(word, 8, pe).map_err(of_signal)?;
        if !by_kernels(word) {
            self.may_hand_over(queue)?;
        }
        if let Some(copy) = data {
            let engine = self.engine_of(copy);
            let by_kernel = !matches!(engine, Engine::Proxy) && by_kernels(word);
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
                    // SAFETY: the caller guarantees that the local end is valid; the others were found.
                    return unsafe { self.launch(queue, kernels::stream_put_words, grid, args) };
                }
                let here = DevPtr::from_address(local.address as u64);
                let args =
                    (self.own_pointer(remote), here, bytes, self.own_pointer(word), value, op as u32, pe.number());
                self.note_requests(word, op);
                // SAFETY: the caller guarantees that the local end is valid; the others were found.
                return unsafe { self.launch(queue, kernels::stream_put_signal, Grid::linear(1, lanes(bytes)), args) };
            }
            // SAFETY: this function has the same requirements.
            unsafe { self.copy_by(&engine, queue, copy)? };
        }
        self.enqueue_signal(queue, signal, pe).map_err(of_signal)
    }

    /// Enqueues a put, if there are data, followed by a task with these words, both of which were checked.
    ///
    /// # Safety
    /// The conditions of [`Services::copy_on_stream`], and of [`crate::TaskQueue::put_task`].
    pub(crate) unsafe fn put_task_on_stream(
        &self,
        queue: &Queue<'_>,
        data: Option<&Copy>,
        (tasks, words): (DeviceTaskQueue, TaskWords),
        pe: Pe,
    ) -> Result<()> {
        let _timed = Timed::on_stream_with(Recorded::StreamPutSignal, words.bytes as usize, pe.number(), queue.stream);
        let (mut src, mut width) = (None, 1);
        if let Some(copy) = data {
            let engine = self.engine_of(copy);
            if matches!(engine, Engine::Proxy) || copy.ends.bytes > SHORT {
                // SAFETY: this function has the same requirements.
                unsafe { self.copy_by(&engine, queue, copy)? };
            } else {
                (src, width) = (Some(copy.ends.local.address as u64), lanes(copy.ends.bytes));
            }
        }
        let carries = u32::from(src.is_some());
        let args = (tasks, words, DevPtr::from_address(src.unwrap_or(0)), carries, pe.number());
        // SAFETY: the caller guarantees that the source is valid; queue and words were checked.
        unsafe { self.launch(queue, kernels::stream_put_task, Grid::linear(1, width), args) }
    }

    /// Enqueues the update of a signal, behind everything before it on the stream.
    pub(crate) fn signal_on_stream(&self, queue: &Queue<'_>, signal: (At, u64, SignalOp), pe: Pe) -> Result<()> {
        let _timed = Timed::on_stream(Recorded::StreamWord, size_of::<u64>(), queue.stream);
        self.enqueue_signal(queue, signal, pe)
    }

    fn enqueue_signal(&self, queue: &Queue<'_>, signal: (At, u64, SignalOp), pe: Pe) -> Result<()> {
        let (word, value, op) = signal;
        self.transfers.reaches_word(word, 8, pe)?;
        if !by_kernels(word) {
            return self.hand_over(queue, PreparedOp { what: PreparedKind::Put(None, Some(signal)), pe });
        }
        if op == SignalOp::Set && self.store_on_stream(queue, word, (value, 8), pe)? {
            return Ok(());
        }
        self.note_requests(word, op);
        let args = (self.own_pointer(word), value, op as u32, pe.number());
        // SAFETY: the word was found, and is aligned.
        unsafe { self.launch(queue, kernels::stream_signal, Grid::linear(1, 1), args) }
    }

    /// Enqueues the store of a word of `width` bytes (1, 2, 4 or 8).
    pub(crate) fn p_on_stream(&self, queue: &Queue<'_>, word: At, (value, width): (u64, usize), pe: Pe) -> Result<()> {
        let _timed = Timed::on_stream(Recorded::StreamWord, width, queue.stream);
        self.transfers.reaches_word(word, width, pe)?;
        if !by_kernels(word) {
            if word.segment == Segment::Network && !matches!(width, 4 | 8) {
                return Err(ArgumentError::NetworkWidth(width));
            }
            let what = PreparedKind::Amo { word, op: WordOp::Set, width, operand: value };
            return self.hand_over(queue, PreparedOp { what, pe });
        }
        if width >= 4 && self.store_on_stream(queue, word, (value, width), pe)? {
            return Ok(());
        }
        let args = (self.own_pointer(word), value, width as u32, pe.number());
        // SAFETY: the word was found, and is aligned.
        unsafe { self.launch(queue, kernels::stream_p, Grid::linear(1, 1), args) }
    }

    /// Has the stream itself store a word, behind everything before it, if this GPU reaches the word. Returns whether
    /// it did. A captured stream leaves the store to a kernel, because not every driver can record it.
    fn store_on_stream(
        &self,
        queue: &Queue<'_>,
        word: At,
        (value, width): (u64, usize),
        pe: Pe,
    ) -> std::result::Result<bool, Error> {
        let operation = "store a word on a stream";
        let Some(there) = self.reached(word, pe) else { return Ok(false) };
        if queue.stream.is_captured().map_err(|error| self.transfers.device_error(operation, error))? {
            return Ok(false);
        }
        // SAFETY: an aligned word of symmetric memory, which stays as long as the job.
        let stored = unsafe { queue.stream.set_word(there, value, width as u64) };
        stored.map_err(|error| self.transfers.device_error(operation, error)).map(|()| true)
    }

    /// The address at which this GPU reaches a PE's heap memory, in a job in which it reaches all heaps. In other jobs
    /// a signal may have to wait for requests to the proxy, which only kernels know about.
    fn reached(&self, at: At, pe: Pe) -> Option<u64> {
        match self.memory().remote(at, pe) {
            _ if self.has_unmapped_pes() => None,
            Remote::Device(there) => Some(there),
            Remote::Near(there) => Some(there as u64),
            _ => None,
        }
    }

    /// Enqueues a wait for a word of this PE, an integer of 2, 4 or 8 bytes.
    pub(crate) fn wait_on_stream<T: Word>(&self, queue: &Queue<'_>, word: At, cmp: Cmp, value: T) -> Result<()> {
        let _timed = Timed::on_stream(Recorded::StreamWait, 0, queue.stream);
        if !by_kernels(word) {
            let why = "is neither in the host heap nor in the GPU heap, where a stream can wait for it";
            return Err(ArgumentError::Global(why.into()));
        }
        let width = size_of::<T>();
        self.transfers.reaches_word(word, width, self.job().me())?;
        let signed = u32::from(T::KIND == WordKind::Signed);
        let args = (self.own_pointer(word), width as u32, signed, cmp as u32, to_bits(value));
        // SAFETY: the word was found, and is aligned.
        unsafe { self.launch(queue, kernels::stream_wait, Grid::linear(1, 1), args) }
    }

    /// Enqueues the completion of everything before it on the stream.
    pub(crate) fn quiet_on_stream(&self, queue: &Queue<'_>) -> Result<()> {
        let _timed = Timed::on_stream(Recorded::StreamSync, 0, queue.stream);
        // SAFETY: the kernel has no arguments.
        unsafe { self.launch(queue, kernels::stream_quiet, Grid::linear(1, 1), ()) }
    }

    /// Enqueues copies by a single lane, for measurements: see the kernel.
    ///
    /// # Safety
    /// The arguments satisfy the kernel's requirements until the stream has passed it.
    pub(crate) unsafe fn thread_copies_on_stream(
        &self,
        queue: &Queue<'_>,
        args: <kernels::thread_copies as Kernel>::Args,
    ) -> Result<()> {
        // SAFETY: the caller guarantees what the kernel requires.
        unsafe { self.launch(queue, kernels::thread_copies, Grid::linear(1, 1), args) }
    }

    /// Enqueues the barrier of all PEs.
    pub(crate) fn barrier_on_stream(&self, queue: &Queue<'_>) -> Result<()> {
        let _timed = Timed::on_stream(Recorded::StreamSync, 0, queue.stream);
        let (n_pes, my_pe) = (self.job().n_pes(), self.job().my_pe());
        if let Some(args) = self.meeting_of_two(DeviceTeam { start: 0, stride: 1, n_pes, my_pe, slot: 0 }) {
            // SAFETY: the words were looked up.
            return unsafe { self.launch(queue, kernels::stream_meet_two, Grid::linear(1, 1), args) };
        }
        // SAFETY: the kernel has no arguments.
        unsafe { self.launch(queue, kernels::stream_barrier_all, meeting(self.job().n_pes()), ()) }
    }

    /// Enqueues the barrier of a team.
    ///
    /// # Safety
    /// The team exists until the stream has passed it.
    pub(crate) unsafe fn team_sync_on_stream(&self, queue: &Queue<'_>, team: DeviceTeam) -> Result<()> {
        let _timed = Timed::on_stream(Recorded::StreamSync, 0, queue.stream);
        if let Some(args) = self.meeting_of_two(team) {
            // SAFETY: the words were looked up, and the caller guarantees that the team exists.
            return unsafe { self.launch(queue, kernels::stream_meet_two, Grid::linear(1, 1), args) };
        }
        // SAFETY: the caller guarantees that the team exists.
        unsafe { self.launch(queue, kernels::stream_team_sync, meeting(team.n_pes), (team,)) }
    }

    /// The addresses of the words by which two PEs meet, and the other PE's number, if the team consists of two PEs
    /// that reach each other.
    fn meeting_of_two(&self, team: DeviceTeam) -> Option<(DevPtr<BarrierStep>, DevPtr<BarrierStep>, u32)> {
        let gpu = self.memory().gpu().filter(|_| team.n_pes == 2 && !self.has_unmapped_pes())?;
        let other = self.job().pe(team.pe(1 - team.my_pe))?;
        gpu.reach(other).ok().filter(|reach| reach.native_atomics)?;
        let words = SyncArea::team(team.slot) + offset_of!(TeamSync, barrier);
        let at = At::new(Segment::Gpu, words as u64);
        let there = self.reached(at, other)?;
        Some((self.own_pointer(at), DevPtr::from_address(there), other.number()))
    }

    /// Who copies, according to the table of paths.
    fn engine_of(&self, copy: &Copy) -> Engine {
        let Ends { remote: at, local, bytes } = copy.ends;
        let pinned = local.on_gpu || self.memory().is_pinned(local.address as u64, bytes as u64);
        if !by_kernels(at) || !pinned {
            return Engine::Proxy;
        }
        let remote = self.memory().remote(at, copy.pe);
        let (there, kind) = match remote {
            Remote::Device(there) => (there, RemoteKind::Gpu),
            Remote::Near(there) => (there as u64, RemoteKind::Host),
            // The kernel asks the proxy.
            _ => return Engine::Kernel,
        };
        let request = Request {
            operation: if copy.to_peer { Operation::Put } else { Operation::Get },
            initiator: Initiator::Stream,
            local: if local.on_gpu { LocalKind::Gpu } else { LocalKind::Pinned },
            remote: kind,
            class: class(self.job(), self.memory(), &remote, copy.pe),
        };
        match self.transfers.paths().policy().choose(request, bytes as u64) {
            Ok(Path::CopyEngine) => Engine::Copies(there),
            Ok(Path::Proxy) => Engine::Proxy,
            _ => Engine::Kernel,
        }
    }

    /// The address of a word, or of the first of many, for kernels of this PE.
    pub(super) fn own_pointer<T>(&self, at: At) -> DevPtr<T> {
        DevPtr::from_address(self.memory().own(at))
    }

    /// Whether there are PEs that are not mapped. Kernels ask the proxy for operations on these.
    fn has_unmapped_pes(&self) -> bool {
        self.memory().is_far()
    }

    /// A kernel that adds to host memory asks the proxy. From then on a quiet of the CPU has to look for commands.
    fn note_requests(&self, word: At, op: SignalOp) {
        if op == SignalOp::Add && word.segment == Segment::Host {
            self.launches.note_kernels_know_job();
        }
    }

    /// Refuses a captured stream, because what is handed over has a number that can be used only once.
    fn may_hand_over(&self, queue: &Queue<'_>) -> Result<()> {
        let operation = "an operation on a stream";
        let captured = queue.stream.is_captured().map_err(|error| self.transfers.device_error(operation, error))?;
        if captured {
            let text = "the stream is being captured, and a replay could not repeat the CPU's copies of pageable memory and globals: use pinned memory, or memory of the heaps or of the GPU";
            return Err(Error::new(operation, Cause::Mismatch(text.into())).into());
        }
        Ok(())
    }

    fn hand_over(&self, queue: &Queue<'_>, runs: PreparedOp) -> Result<()> {
        let operation = "an operation on a stream";
        self.may_hand_over(queue)?;
        let gpu = self.memory().own_gpu(operation)?;
        self.begin_proxy_lane(operation)?;
        Ok(self.stream_ops.hand_over(self.sync().wait_policy(), gpu, queue.stream, runs)?)
    }

    /// # Safety
    /// The arguments satisfy the kernel's requirements until it has finished.
    pub(super) unsafe fn launch<K: Kernel>(
        &self,
        queue: &Queue<'_>,
        kernel: K,
        grid: Grid,
        args: K::Args,
    ) -> Result<()> {
        let library = self.transfers.library().ok_or_else(|| unfit(Path::GpuDirect))?;
        if self.has_unmapped_pes() {
            self.launches.note_kernels_know_job();
        }
        // SAFETY: the caller guarantees that the arguments are valid.
        let launch = || unsafe { library.launch(queue.stream, kernel, grid, LaunchKind::Plain, args) };
        let launched = match queue.launches {
            Some(launches) => launches.add(K::NAME, launch),
            None => launch(),
        };
        Ok(launched.map_err(|error| self.transfers.device_error(K::NAME, error))?)
    }
}

/// Whether kernels reach memory of this segment or request it from the proxy, because it is pinned or in GPU memory.
fn by_kernels(at: At) -> bool {
    matches!(at.segment, Segment::Host | Segment::Gpu)
}

/// One lane for each PE from which a PE hears, up to a warp.
fn meeting(n_pes: u32) -> Grid {
    Grid::linear(1, n_pes.saturating_sub(1).clamp(1, 32))
}
