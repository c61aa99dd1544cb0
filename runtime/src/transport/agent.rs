//! The CPU's side of the GPU agent: a small kernel of the library that carries out short commands on memory that this
//! GPU reaches, and exits when there are none. [`cushmem_protocol::agent`] has the protocol, which decides whether the
//! kernel or the CPU carries out a command.
//!
//! * *Who launches it*: the thread that has a command, in the program's GPU context, because kernels of two contexts
//!   take turns.
//! * *Two kinds of commands*: atomic operations need the kernel, so they are posted whether or not it is running, and
//!   launch it if necessary. Puts and gets can use the copy engine instead, so they are posted only to a running
//!   kernel. If none is running, they launch one only once they follow each other quickly.
//! * *Puts and gets that ask for the agent* are posted like atomic operations. How late a launch returns does not
//!   matter: the kernel has their command when it starts, and does not leave before it has carried that out. But the
//!   GPU may have no room for the kernel, and the program's kernel that takes the room may wait for this very put. So
//!   they wait a while for the kernel to start, take their command back, and use the copy engine. From then on, until
//!   that kernel has started, no other put or get waits for it, nor for the lock, whose owner may be waiting for it.
//!   A launch itself that does not return (`CUDA_LAUNCH_BLOCKING=1` beside a full GPU) is waited for without a limit.
//! * *Memory that is not pinned* goes through chunks of the agent's own. A chunk is reused when the command that used
//!   it is complete.
//! * *A command with an answer* holds the lock until the answer arrives; puts that find the lock taken use the copy
//!   engine.
//! * *After a kernel has run for its full time*, none is launched for a while, so that a kernel that needs the whole
//!   GPU can start.
//! * *Where PEs share a GPU*, their kernels take turns, so a kernel without a command exits at once, and only atomic
//!   operations, and puts and gets that ask for the agent, launch one.
//! * *A forked child* shares the commands with its parent, but counts them on its own, so it posts none.

pub(crate) use super::agent_commands::Word;
use super::agent_commands::{copy_of, get_of, head};
use super::agent_counts::{Counts, count};
use super::library::Library;
use super::{mapped, streaming};
use crate::sync::locked;
use crate::sync::pinned::PinnedWords;
use crate::sync::spin::{Pauses, WaitPolicy};
use cushmem_abi::{AGENT_SLOTS, AgentArea, CommandKind, SLOT_BYTES};
use cushmem_bootstrap::joined_here;
use cushmem_bootstrap::waits::Wait;
use cushmem_device::DevPtr;
use cushmem_gpu::{Gpu, GpuError, Grid, LaunchKind, Stream};
use cushmem_protocol::agent::{GaveUp, Kernel, Owner, Poster, Posting, State};
use cushmem_protocol::ring::{Command, WORDS};
use std::cell::RefCell;
use std::mem::offset_of;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::time::{Duration, Instant};

/// A kernel that has had no command for this long exits.
const IDLE: Duration = Duration::from_micros(50);
/// A kernel that always has commands exits after this time.
const LONGEST: Duration = Duration::from_millis(2);
/// After that, no kernel is launched for this long.
const REST: Duration = Duration::from_micros(30);
/// Puts and gets that follow each other within this time launch a kernel, which then still runs for the next one.
const QUICK: Duration = Duration::from_micros(40);
/// For how many sleeps they wait for a kernel to start if the user asks for this path. A sleep takes up to 1 ms, and
/// longer where threads wait for cores, as the start of an emulated kernel then does.
const PATIENCE: u32 = 1000;
/// They wait no longer than this in any case.
const MOST_PATIENCE: Duration = Duration::from_secs(10);
/// Polls between two checks of the GPU's health.
const LOOKS: u32 = 1 << 10;
/// The most bytes that a command or an answer carries.
pub(crate) const SHORT_BYTES: usize = SLOT_BYTES;
/// The most bytes that a command copies. A kernel that is to exit is not delayed much longer than this copy takes.
pub(crate) const MOST_BYTES: usize = 1 << 20;
/// Chunks for memory that is not pinned, and the size of one.
const CHUNKS: usize = 4;
pub(crate) const CHUNK_BYTES: usize = 64 << 10;
/// What a lane moves at a time.
const VECTOR: usize = 16;
/// Lanes of the kernel. On the emulated GPU there is one, because each lane costs CPU time.
const LANES: u32 = 512;
/// Up to this size, a kernel of one warp copies as quickly as the engine.
const WARPS_BYTES: usize = 4 << 10;
/// Lanes of a kernel that is launched for an atomic operation. Such a kernel fits beside many resident kernels.
const WARP: u32 = 32;

type Result<T> = std::result::Result<T, GpuError>;

/// The agent.
pub(crate) struct Agent {
    words: PinnedWords,
    chunks: PinnedWords,
    stream: Arc<dyn Stream>,
    wait_policy: WaitPolicy,
    lanes: u32,
    /// Whether other PEs use this GPU too.
    is_shared: bool,
    line: Mutex<Line>,
    /// The last command whose answer has arrived. Written with the lock held.
    answered: AtomicU64,
    /// Written with the lock held.
    last_put: AtomicU64,
    /// The kernel whose start was last waited for in vain.
    late: AtomicU32,
    counts: Counts,
}

/// State of the thread that posts.
#[derive(Default)]
struct Line {
    poster: Poster,
    /// When a command last found no kernel running.
    missed: Option<Instant>,
    /// No kernel is launched before this.
    rest: Option<Instant>,
    /// Lanes of the kernel that was launched last.
    lanes: u32,
    /// The last command that used each chunk.
    users: [u64; CHUNKS],
    /// The chunk whose turn is next.
    turn: usize,
}

const fn word_index(offset: usize) -> usize {
    offset / size_of::<u64>()
}

const STATE: usize = word_index(offset_of!(AgentArea, state));
const DONE: usize = word_index(offset_of!(AgentArea, done));
const ANSWER: usize = word_index(offset_of!(AgentArea, answer));
const SLOTS: usize = word_index(offset_of!(AgentArea, slots));

impl Agent {
    /// Pins the words, and makes the stream. Launches nothing.
    pub(crate) fn create(gpu: &Arc<dyn Gpu>, is_shared: bool, wait_policy: WaitPolicy) -> crate::Result<Self> {
        let words = PinnedWords::create(gpu, word_index(size_of::<AgentArea>()))?;
        let chunks = PinnedWords::create(gpu, word_index(CHUNKS * (CHUNK_BYTES + VECTOR)))?;
        let stream = gpu.create_stream().map_err(crate::Error::of("prepare the GPU agent"))?;
        crate::job::record::name_stream(&*stream, "cushmem: GPU agent");
        let lanes = if gpu.properties().emulated { 1 } else { LANES };
        let (line, counts) = (Mutex::default(), Counts::default());
        let (answered, last_put, late) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU32::new(0));
        Ok(Self { words, chunks, stream, wait_policy, lanes, is_shared, line, answered, last_put, late, counts })
    }

    fn side(&self) -> Side<'_> {
        Side { agent: self, pauses: RefCell::new(Pauses::new(&self.wait_policy)) }
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        // A panic leaves behind a command that nobody waits for, and consistent counts.
        locked(&self.line)
    }

    /// The error for a wait that gave up.
    fn failure(&self) -> GpuError {
        self.stream.is_idle().err().unwrap_or_else(|| GpuError::new("wait for the GPU agent", "it does not answer"))
    }

    /// Changes or loads a word, and returns its old value.
    ///
    /// # Safety
    /// `address` is an aligned word of this GPU or of a mapped peer, as wide as `word.width` says.
    pub(crate) unsafe fn change(&self, library: &Library, word: Word, who: impl Fn() -> String) -> Result<u64> {
        let mut line = self.lock();
        self.forget_answers(line.poster.posted() + 1);
        count(&self.counts.words);
        let command = word.command();
        let no_room =
            || format!("atomic operation on GPU memory, by the GPU agent, which has no room beside {}", who());
        self.post_surely(&mut line, library, &command, self.lanes.min(WARP))?;
        self.await_start(&line, false, &no_room)?;
        let number = line.poster.posted();
        let mut looks = 0u32;
        let look = || {
            looks = looks.wrapping_add(1);
            let found = self.answer(number, 0).map(Ok);
            found.or_else(|| if looks.is_multiple_of(LOOKS) { self.stream.is_idle().err().map(Err) } else { None })
        };
        let what = || Wait { what: "atomic operation on GPU memory, by the GPU agent".into(), late: vec![] };
        let found = self.wait_policy.wait_for_gpu(look, what)?;
        self.read(number);
        Ok(found)
    }

    /// Puts up to [`SHORT_BYTES`] bytes, given in `words`, and returns the command's number. If no kernel is running,
    /// it does nothing and returns `None`.
    ///
    /// # Safety
    /// The target is memory that this GPU reaches, of as many bytes, until the put is complete.
    pub(crate) unsafe fn put(
        &self,
        library: &Library,
        to: u64,
        (words, bytes): ([u64; SHORT_BYTES / 8], usize),
        waits: bool,
    ) -> Result<Option<u64>> {
        let [a, b, c, d, e, f] = words;
        let command = Command { head: head(CommandKind::PutHere, bytes), arguments: [to, a, b, c, d, e, f] };
        self.post_put(library, &command, bytes, waits)
    }

    /// Copies bytes to the first of two ends that this GPU reaches; host memory is pinned. Returns the same as `put`.
    ///
    /// # Safety
    /// Both ends are memory that this GPU reaches, of as many bytes, until the copy is complete.
    pub(crate) unsafe fn copy(
        &self,
        library: &Library,
        ends: (u64, u64),
        (bytes, is_get): (usize, bool),
        waits: bool,
    ) -> Result<Option<u64>> {
        self.post_put(library, &copy_of(ends, bytes, is_get), bytes, waits)
    }

    /// Puts up to [`CHUNK_BYTES`] bytes of host memory, which may change after the call. Returns what `put` does.
    ///
    /// # Safety
    /// The conditions of [`Agent::put`]; `bytes` bytes are readable at `from`.
    pub(crate) unsafe fn put_chunk(
        &self,
        library: &Library,
        to: u64,
        (from, bytes): (usize, usize),
        waits: bool,
    ) -> Result<Option<u64>> {
        let Some(mut line) = self.line_with_kernel(library, bytes, waits)? else { return Ok(None) };
        let chunk = self.free_chunk(&mut line)?;
        let address = self.chunk(chunk, to);
        // SAFETY: this thread alone uses the chunk, which has room; the caller guarantees that the source is readable.
        unsafe { streaming::copy(with_exposed_provenance_mut(address as usize), with_exposed_provenance(from), bytes) };
        let posted = self.post_copy(line, library, &copy_of((to, address), bytes, false), waits)?;
        Ok(posted.map(|(number, mut line)| {
            count(&self.counts.puts);
            line.users[chunk] = number;
            number
        }))
    }

    /// Gets up to [`CHUNK_BYTES`] bytes into host memory. Returns whether it did.
    ///
    /// # Safety
    /// The source is memory that this GPU reaches, of as many bytes, and `to` is writable for them.
    pub(crate) unsafe fn get_chunk(
        &self,
        library: &Library,
        from: u64,
        (to, bytes): (usize, usize),
        waits: bool,
    ) -> Result<bool> {
        let Some(mut line) = self.line_with_kernel(library, bytes, waits)? else { return Ok(false) };
        let chunk = self.free_chunk(&mut line)?;
        let address = self.chunk(chunk, from);
        let posted = self.post_copy(line, library, &copy_of((address, from), bytes, true), waits)?;
        let Some((number, mut line)) = posted else { return Ok(false) };
        count(&self.counts.gets);
        line.users[chunk] = number;
        // With the lock held, so that no other thread takes the chunk.
        self.await_all(number)?;
        // SAFETY: this thread alone uses the chunk; the caller guarantees that the target is writable.
        unsafe { mapped::copy(with_exposed_provenance_mut(to), with_exposed_provenance(address as usize), bytes) };
        Ok(true)
    }

    /// The address of a chunk, the same for CPU and GPU. It is aligned like the other end, so that lanes move whole
    /// vectors.
    fn chunk(&self, chunk: usize, other: u64) -> u64 {
        self.chunks.address(word_index(chunk * (CHUNK_BYTES + VECTOR))) + other % VECTOR as u64
    }

    /// The next chunk, once the kernel has finished with it.
    fn free_chunk(&self, line: &mut Line) -> Result<usize> {
        let chunk = line.turn;
        line.turn = (chunk + 1) % CHUNKS;
        self.await_all(line.users[chunk])?;
        Ok(chunk)
    }

    fn post_put(&self, library: &Library, command: &Command, bytes: usize, waits: bool) -> Result<Option<u64>> {
        let Some(line) = self.line_with_kernel(library, bytes, waits)? else { return Ok(None) };
        Ok(self.post_copy(line, library, command, waits)?.map(|(number, _)| {
            count(&self.counts.puts);
            number
        }))
    }

    /// Posts a command whose completion the word `done` shows, and returns its number.
    fn post_copy<'a>(
        &'a self,
        line: MutexGuard<'a, Line>,
        library: &Library,
        command: &Command,
        waits: bool,
    ) -> Result<Option<(u64, MutexGuard<'a, Line>)>> {
        let Some(line) = self.post(line, library, command, waits)? else { return Ok(None) };
        let number = line.poster.posted();
        // Relaxed: whoever reads it has posted the put itself, or has synchronised with the thread that did.
        self.last_put.store(number, Ordering::Relaxed);
        Ok(Some((number, line)))
    }

    /// The number of the last put or copy.
    pub(crate) fn last_put(&self) -> u64 {
        // Relaxed: as for the store.
        self.last_put.load(Ordering::Relaxed)
    }

    /// Gets up to [`SHORT_BYTES`] bytes. Returns whether it did.
    ///
    /// # Safety
    /// The source is memory that this GPU reaches, of as many bytes.
    pub(crate) unsafe fn get(
        &self,
        library: &Library,
        from: u64,
        (words, bytes): (&mut [u64; SHORT_BYTES / 8], usize),
        waits: bool,
    ) -> Result<bool> {
        let Some(line) = self.line_with_kernel(library, bytes, waits)? else { return Ok(false) };
        self.forget_answers(line.poster.posted() + 1);
        let posted = self.post(line, library, &get_of(from, bytes), waits)?;
        let Some(line) = posted else { return Ok(false) };
        count(&self.counts.gets);
        let number = line.poster.posted();
        for (at, word) in words.iter_mut().enumerate().take(bytes.div_ceil(8)) {
            *word = self.await_answer(number, at)?;
        }
        self.read(number);
        Ok(true)
    }

    fn await_answer(&self, number: u64, word: usize) -> Result<u64> {
        let mut looks = 0u32;
        let look = || {
            looks = looks.wrapping_add(1);
            let found = self.answer(number, word).map(Ok);
            found.or_else(|| if looks.is_multiple_of(LOOKS) { self.stream.is_idle().err().map(Err) } else { None })
        };
        self.wait_policy.wait_for_gpu(look, || Wait { what: "get by the GPU agent".into(), late: vec![] })
    }

    /// Whether all commands up to this number are complete.
    #[inline]
    pub(crate) fn is_complete(&self, number: u64) -> bool {
        // SYNC(gpu-agent) acquire: pairs with the kernel's release of `done`.
        self.words.word(DONE).load(Ordering::Acquire) >= number
    }

    /// Waits until all commands up to this number are complete.
    pub(crate) fn await_all(&self, number: u64) -> Result<()> {
        let mut looks = 0u32;
        let look = || {
            looks = looks.wrapping_add(1);
            if self.is_complete(number) {
                return Some(Ok(()));
            }
            if looks.is_multiple_of(LOOKS) { self.stream.is_idle().err().map(Err) } else { None }
        };
        self.wait_policy.wait_for_gpu(look, || Wait { what: "puts by the GPU agent".into(), late: vec![] })
    }

    /// The right to post, if a kernel is running, or if the caller `waits` for one.
    fn line_with_kernel(&self, library: &Library, bytes: usize, waits: bool) -> Result<Option<MutexGuard<'_, Line>>> {
        if let Some(mut line) = self.line(waits)
            && (waits
                || (bytes <= WARPS_BYTES || line.lanes >= self.lanes)
                    && (line.poster.kernel(&self.side()) == Kernel::Running
                        || self.launch_if_worth(&mut line, library)?))
        {
            return Ok(Some(line));
        }
        count(&self.counts.missed);
        Ok(None)
    }

    /// The lock, if nobody has it. If the caller `waits`, it waits a while for the lock, unless a kernel is late.
    fn line(&self, waits: bool) -> Option<MutexGuard<'_, Line>> {
        let what = || Wait { what: "another command of the GPU agent".into(), late: vec![] };
        let (mut pauses, mut sleeps) = (Pauses::new(&self.wait_policy), 0);
        loop {
            match self.line.try_lock() {
                _ if waits && self.is_late() => return None,
                Ok(line) => return Some(line),
                Err(TryLockError::Poisoned(line)) => return Some(line.into_inner()),
                Err(TryLockError::WouldBlock) if !waits => return None,
                Err(TryLockError::WouldBlock) => {}
            }
            sleeps += u32::from(pauses.pause(&what));
            // Other threads may take it again and again.
            if sleeps == PATIENCE {
                return None;
            }
        }
    }

    /// Whether a kernel was waited for in vain, and has not started since. There is only one at a time that has not
    /// started, the one after that which has announced itself last.
    fn is_late(&self) -> bool {
        // Relaxed: a hint, after which the caller uses the copy engine.
        State::of_bits(self.side().state()).epoch + 1 == self.late.load(Ordering::Relaxed)
    }

    /// Posts a command to the kernel that was running. Returns `None` if it has exited. If the caller `waits`, it has
    /// another kernel carry the command out, and returns `None` if that does not start.
    fn post<'a>(
        &'a self,
        mut line: MutexGuard<'a, Line>,
        library: &Library,
        command: &Command,
        waits: bool,
    ) -> Result<Option<MutexGuard<'a, Line>>> {
        let owner = if waits {
            self.post_surely(&mut line, library, command, self.lanes)?;
            if self.await_start(&line, true, &|| "start of the GPU agent".into())? {
                Ok(Owner::Kernel)
            } else {
                line.poster.take_back(&self.side(), command)
            }
        } else {
            line.poster.post(&self.side(), command)
        };
        if owner.map_err(|GaveUp| self.failure())? == Owner::Kernel {
            return Ok(Some(line));
        }
        count(&self.counts.missed);
        Ok(None)
    }

    /// Posts a command. If no kernel is there to carry it out, launches one that starts with it.
    fn post_surely(&self, line: &mut Line, library: &Library, command: &Command, lanes: u32) -> Result<()> {
        let owner = line.poster.post(&self.side(), command).map_err(|GaveUp| self.failure())?;
        if owner == Owner::Cpu {
            // The last kernel may have run for its full time.
            self.note_tired(line);
            while line.rest.is_some_and(|rest| Instant::now() < rest) {
                std::hint::spin_loop();
            }
            self.launch(line, library, true, lanes)?;
        }
        Ok(())
    }

    /// Waits for the most recently launched kernel to start, and lets others know if that takes long. The caller may
    /// then want to give up. Returns whether the kernel has started.
    fn await_start(&self, line: &Line, gives_up: bool, what: &dyn Fn() -> String) -> Result<bool> {
        let (side, what) = (self.side(), || Wait { what: what(), late: vec![] });
        // The kernel's number, unless it has started.
        let next = State::of_bits(side.state()).epoch + 1;
        let (mut pauses, mut sleeps, start) = (Pauses::new(&self.wait_policy), 0, Instant::now());
        while line.poster.kernel(&side) == Kernel::Starting {
            if !pauses.pause(&what) {
                continue;
            }
            self.stream.is_idle()?;
            sleeps = PATIENCE.min(sleeps + 1);
            if sleeps == PATIENCE || start.elapsed() >= MOST_PATIENCE {
                // Relaxed: a hint.
                self.late.store(next, Ordering::Relaxed);
                if gives_up {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Launches a kernel, for the commands that follow, if they follow each other quickly. Returns `false`, because it
    /// does not wait for the kernel.
    #[cold]
    fn launch_if_worth(&self, line: &mut Line, library: &Library) -> Result<bool> {
        let now = Instant::now();
        let last = line.missed.replace(now);
        if self.is_shared {
            return Ok(false);
        }
        self.note_tired(line);
        let is_worth = last.is_some_and(|last| now - last < QUICK);
        let may = line.rest.is_none_or(|rest| rest <= now);
        if matches!(line.poster.kernel(&self.side()), Kernel::Exited { .. }) && is_worth && may {
            self.launch(line, library, false, self.lanes)?;
        }
        Ok(false)
    }

    /// Starts the pause if the kernel has run for its full time. The pause starts when somebody notices that.
    fn note_tired(&self, line: &mut Line) {
        if line.rest.is_none() && line.poster.kernel(&self.side()) == (Kernel::Exited { tired: true }) {
            line.rest = Some(Instant::now() + REST);
        }
    }

    fn launch(&self, line: &mut Line, library: &Library, waits: bool, lanes: u32) -> Result<()> {
        line.rest = None;
        line.lanes = lanes;
        // Relaxed: a hint. The kernel before this one has started.
        self.late.store(0, Ordering::Relaxed);
        let area = DevPtr::from_address(self.words.address(0));
        let idle = if self.is_shared { Duration::ZERO } else { IDLE };
        let [idle, longest] = [idle, LONGEST].map(|time| time.as_nanos() as u64);
        let grid = Grid::linear(1, lanes);
        count(&self.counts.kernels);
        line.poster.launch(waits, |epoch, first| {
            let args = (area, epoch, first, idle, longest);
            // SAFETY: the area lives as long as `self`, whose drop waits for the stream; one thread at a time launches,
            // on one stream.
            unsafe { library.launch(&*self.stream, cushmem_kernels::agent_serve, grid, LaunchKind::Plain, args) }
        })
    }

    /// Eight bytes of a command's answer, if they have arrived.
    #[inline]
    fn answer(&self, number: u64, word: usize) -> Option<u64> {
        // SYNC(gpu-agent) acquire: pairs with the kernel's store. Each word names its command, and nothing else is
        // inferred from it.
        let load = |i: usize| self.words.word(ANSWER + 2 * word + i).load(Ordering::Acquire);
        let [low, high] = [load(0), load(1)];
        let is_here = low >> 32 == number & 0xffff_ffff && high >> 32 == low >> 32;
        is_here.then_some(low & 0xffff_ffff | high << 32)
    }

    /// Called before a command with an answer is posted, with the lock held, so that no answer is under way. Tags are
    /// the lower halves of numbers, and a short answer leaves the other words as they are. So no word keeps the tag of
    /// a command from before the last multiple of 2^31: it gets one whose highest bit differs.
    fn forget_answers(&self, next: u64) {
        // Relaxed: written and read with the lock held.
        if (self.answered.load(Ordering::Relaxed) ^ next) >> 31 != 0 {
            for word in ANSWER..ANSWER + cushmem_abi::AGENT_ANSWER_WORDS {
                // Relaxed: the kernel does not read it, and stores an answer after it has loaded the command, before
                // which the lock's owner fences.
                self.words.word(word).store(!next << 32, Ordering::Relaxed);
            }
        }
    }

    /// Notes that the answer to a command was read.
    fn read(&self, number: u64) {
        // Relaxed: written and read with the lock held.
        self.answered.store(number, Ordering::Relaxed);
    }

    /// Waits until no kernel runs. Nobody posts any more.
    pub(crate) fn settle(&self) {
        let _ = self.stream.synchronize();
    }

    /// Statistics, for logs.
    pub(crate) fn counts(&self) -> String {
        self.counts.to_string()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // In a panic the process is about to end; a forked child has no GPU.
        if !std::thread::panicking() && joined_here() {
            self.settle();
        }
    }
}

/// The CPU's side of the protocol.
struct Side<'a> {
    agent: &'a Agent,
    pauses: RefCell<Pauses<'a>>,
}

impl Posting for Side<'_> {
    fn slots(&self) -> u64 {
        AGENT_SLOTS as u64
    }
    #[inline]
    fn store(&self, slot: u64, words: [u64; WORDS]) {
        // SYNC(gpu-agent) release fence: pairs with the kernel's fence before a signal; orders what this thread stored
        // and saw before.
        fence(Ordering::Release);
        for (i, word) in words.into_iter().enumerate() {
            // Relaxed: each word says which lap it belongs to, and the fence above is all that the protocol needs.
            self.agent.words.word(SLOTS + slot as usize * WORDS + i).store(word, Ordering::Relaxed);
        }
    }
    #[inline]
    fn fence(&self) {
        // SYNC(gpu-agent) full fence: pairs with the kernel's two, which lie between its announcement that it runs and
        // its first look, and between its announcement that it leaves and its last look.
        fence(Ordering::SeqCst);
    }
    #[inline]
    fn state(&self) -> u64 {
        // SYNC(gpu-agent) acquire: pairs with the kernel's release when it exits.
        self.agent.words.word(STATE).load(Ordering::Acquire)
    }
    #[inline]
    fn carried_out(&self) -> u64 {
        // SYNC(gpu-agent) acquire: pairs with the kernel's release of `done`. The other count is written with the lock
        // held, which this thread holds.
        let done = self.agent.words.word(DONE).load(Ordering::Acquire);
        done.max(self.agent.answered.load(Ordering::Relaxed))
    }
    fn pause(&self) -> bool {
        let what = || Wait { what: "room for a command of the GPU agent".into(), late: vec![] };
        !self.pauses.borrow_mut().pause(&what) || self.agent.stream.is_idle().is_ok()
    }
}

#[cfg(test)]
#[path = "agent_tests.rs"]
mod tests;
