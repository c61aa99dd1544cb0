//! The GPU agent, from the CPU: a small kernel of the library that carries out short commands on memory that this GPU
//! reaches, and leaves when there are none. [`cushmem_protocol::agent`] has the protocol, and says whose a command is.
//!
//! *Who launches*: the thread that has a command, in the context of the program, as kernels of two contexts take turns.
//! *Two ways*: atomic operations need the kernel, so they are posted whether it is here or not, and launch it. Puts and
//! gets have another way, the copy engine, so they are posted only to a kernel that is here; if there is none, they let
//! one come as soon as they follow each other quickly. *Memory that is not pinned* goes through chunks of the agent's
//! own: one is taken again when the command that used it is complete. *A command with an answer* has the lock until the
//! answer is there; puts that find the lock taken go their other way. *A tired kernel* is followed by a rest, in which
//! none is launched: a kernel that needs the whole GPU starts then. *Where PEs share a GPU* their kernels take turns,
//! so a kernel that has no command leaves at once, and is launched for atomic operations alone.

use super::library::Library;
use super::{AmoOp, WordOp, mapped, streaming};
use crate::sync::locked;
use crate::sync::pinned::PinnedWords;
use crate::sync::spin::WaitPolicy;
use cushmem_abi::{AGENT_SLOTS, AgentArea, CommandHead, CommandKind, SLOT_BYTES};
use cushmem_bootstrap::joined_here;
use cushmem_bootstrap::waits::Wait;
use cushmem_device::DevPtr;
use cushmem_gpu::{Gpu, GpuError, Grid, LaunchKind, Stream};
use cushmem_protocol::agent::{GaveUp, Kernel, Owner, Poster, Posting};
use cushmem_protocol::ring::{Command, WORDS};
use std::cell::Cell;
use std::fmt;
use std::mem::offset_of;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::atomic::{AtomicU64, Ordering, fence};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A kernel without a command leaves after this.
const IDLE: Duration = Duration::from_micros(50);
/// One that always has commands leaves after this.
const LONGEST: Duration = Duration::from_millis(2);
/// And for so long none follows it.
const REST: Duration = Duration::from_micros(30);
/// Puts and gets that come after each other in less than this let a kernel come, which is here still for the next one.
const QUICK: Duration = Duration::from_micros(40);
/// How long they wait for it where the user asks for this path.
const PATIENCE: Duration = Duration::from_secs(1);
/// Between two looks at the health of the GPU.
const LOOKS: u32 = 1 << 10;
/// Bytes that a command or an answer carries at most.
pub(crate) const SHORT_BYTES: usize = SLOT_BYTES;
/// Bytes that a command copies at most: a kernel that is to leave does not take much longer.
pub(crate) const MOST_BYTES: usize = 1 << 20;
/// Chunks for memory that is not pinned, and the bytes of one.
const CHUNKS: usize = 4;
pub(crate) const CHUNK_BYTES: usize = 64 << 10;
/// What a lane moves at once.
const VECTOR: usize = 16;
/// Lanes of the kernel; one where each costs time of the CPU.
const LANES: u32 = 512;
/// What a kernel of a warp copies as quickly as the engine.
const WARPS_BYTES: usize = 4 << 10;
/// Lanes of a kernel that comes for an atomic operation: that finds room beside many kernels that stay.
const WARP: u32 = 32;

type Result<T> = std::result::Result<T, GpuError>;

/// The agent.
pub(crate) struct Agent {
    words: PinnedWords,
    chunks: PinnedWords,
    stream: Arc<dyn Stream>,
    lanes: u32,
    /// Other PEs use this GPU too.
    is_shared: bool,
    line: Mutex<Line>,
    /// The last command whose answer is here. Written with the lock held.
    answered: AtomicU64,
    /// Written with the lock held.
    last_put: AtomicU64,
    counts: Counts,
}

/// Of the thread that posts.
#[derive(Default)]
struct Line {
    poster: Poster,
    /// When a command last found no kernel.
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

/// Of what it has done, for people.
#[derive(Default)]
struct Counts {
    kernels: AtomicU64,
    words: AtomicU64,
    puts: AtomicU64,
    gets: AtomicU64,
    missed: AtomicU64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Relaxed: only for people.
        let [kernels, words, puts, gets, missed] = [&self.kernels, &self.words, &self.puts, &self.gets, &self.missed]
            .map(|count| count.load(Ordering::Relaxed));
        write!(f, "{words} atomic operations, {puts} puts and {gets} gets in {kernels} kernels, {missed} found none")
    }
}

fn count(count: &AtomicU64) {
    // Relaxed: only for people.
    count.fetch_add(1, Ordering::Relaxed);
}

const fn word_at(offset: usize) -> usize {
    offset / size_of::<u64>()
}

const STATE: usize = word_at(offset_of!(AgentArea, state));
const DONE: usize = word_at(offset_of!(AgentArea, done));
const ANSWER: usize = word_at(offset_of!(AgentArea, answer));
const SLOTS: usize = word_at(offset_of!(AgentArea, slots));

impl Agent {
    /// Pins the words, and makes the stream. Launches nothing.
    pub(crate) fn create(gpu: &Arc<dyn Gpu>, is_shared: bool) -> crate::Result<Self> {
        let words = PinnedWords::create(gpu, word_at(size_of::<AgentArea>()))?;
        let chunks = PinnedWords::create(gpu, word_at(CHUNKS * (CHUNK_BYTES + VECTOR)))?;
        let stream = gpu.create_stream().map_err(crate::Error::of("prepare the GPU agent"))?;
        let lanes = if gpu.properties().emulated { 1 } else { LANES };
        let (line, counts) = (Mutex::default(), Counts::default());
        let (answered, last_put) = (AtomicU64::new(0), AtomicU64::new(0));
        Ok(Self { words, chunks, stream, lanes, is_shared, line, answered, last_put, counts })
    }

    fn side(&self) -> Side<'_> {
        Side { agent: self, looks: Cell::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, Line> {
        // A panic leaves a command that nobody waits for, and the counts as they should be.
        locked(&self.line)
    }

    /// Why a wait gave up.
    fn failure(&self) -> GpuError {
        self.stream.is_idle().err().unwrap_or_else(|| GpuError::new("wait for the GPU agent", "it does not answer"))
    }

    /// Changes a word, or loads it; what it was.
    ///
    /// # Safety
    /// `address` is a word of this GPU's or a mapped peer's, aligned, of so many bytes as the head says, or of so many
    /// bytes.
    pub(crate) unsafe fn change(
        &self,
        library: &Library,
        wait_policy: &WaitPolicy,
        word: Word,
        who: impl Fn() -> String,
    ) -> Result<u64> {
        let Word { kind, behind, address, width, operand, condition } = word;
        let mut line = self.lock();
        count(&self.counts.words);
        let head = CommandHead { kind: kind as u8, width: width as u8, context: behind.into(), pe: 0 }.bits();
        let command = Command { head, arguments: [address, operand, condition, 0, 0, 0, 0] };
        let owner = line.poster.post(&self.side(), &command).map_err(|GaveUp| self.failure())?;
        if owner == Owner::Cpu {
            // The last one may have been tired.
            self.note_tired(&mut line);
            while line.rest.is_some_and(|rest| Instant::now() < rest) {
                std::hint::spin_loop();
            }
            self.launch(&mut line, library, true, self.lanes.min(WARP))?;
        }
        let number = line.poster.posted();
        let mut looks = 0u32;
        let look = || {
            looks = looks.wrapping_add(1);
            let found = self.answer(number, 0).map(Ok);
            found.or_else(|| if looks.is_multiple_of(LOOKS) { self.stream.is_idle().err().map(Err) } else { None })
        };
        let what = || Wait {
            what: match line.poster.kernel(&self.side()) {
                Kernel::Coming => {
                    format!("atomic operation on GPU memory, by the GPU agent, which has no room beside {}", who())
                }
                _ => "atomic operation on GPU memory, by the GPU agent".into(),
            },
            late: vec![],
        };
        let found = wait_policy.wait_for_gpu(look, what)?;
        self.read(number);
        Ok(found)
    }

    /// Puts up to [`SHORT_BYTES`] bytes, those of the words; its number. `None` if no kernel is here: nothing was done.
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

    /// Copies bytes between memory that this GPU reaches, which is pinned if it is the CPU's; as [`Agent::put`].
    ///
    /// # Safety
    /// Both ends are memory that this GPU reaches, of as many bytes, until the copy is complete.
    pub(crate) unsafe fn copy(
        &self,
        library: &Library,
        (to, from): (u64, u64),
        bytes: usize,
        waits: bool,
    ) -> Result<Option<u64>> {
        self.post_put(library, &copy_of(to, from, bytes), bytes, waits)
    }

    /// Puts up to [`CHUNK_BYTES`] bytes of the CPU's, which may change then; as [`Agent::put`].
    ///
    /// # Safety
    /// As for [`Agent::put`]; so many bytes may be read at `from`.
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
        // SAFETY: the chunk is this thread's, and has room; the caller vouches for the source.
        unsafe { streaming::copy(with_exposed_provenance_mut(address as usize), with_exposed_provenance(from), bytes) };
        let posted = self.post_copy(line, library, &copy_of(to, address, bytes), waits)?;
        Ok(posted.map(|(number, mut line)| {
            count(&self.counts.puts);
            line.users[chunk] = number;
            number
        }))
    }

    /// Gets up to [`CHUNK_BYTES`] bytes to memory of the CPU's; whether it did.
    ///
    /// # Safety
    /// The source is memory that this GPU reaches, of as many bytes, which may be written at `to`.
    pub(crate) unsafe fn get_chunk(
        &self,
        library: &Library,
        wait_policy: &WaitPolicy,
        from: u64,
        (to, bytes): (usize, usize),
        waits: bool,
    ) -> Result<bool> {
        let Some(mut line) = self.line_with_kernel(library, bytes, waits)? else { return Ok(false) };
        let chunk = self.free_chunk(&mut line)?;
        let address = self.chunk(chunk, from);
        let posted = self.post_copy(line, library, &copy_of(address, from, bytes), waits)?;
        let Some((number, mut line)) = posted else { return Ok(false) };
        count(&self.counts.gets);
        line.users[chunk] = number;
        // With the lock held, so that the chunk stays this thread's.
        self.await_all(wait_policy, number)?;
        // SAFETY: the chunk is this thread's; the caller vouches for the target.
        unsafe { mapped::copy(with_exposed_provenance_mut(to), with_exposed_provenance(address as usize), bytes) };
        Ok(true)
    }

    /// Where the CPU and the GPU have a chunk: aligned like the other end, so that lanes move whole vectors.
    fn chunk(&self, chunk: usize, other: u64) -> u64 {
        self.chunks.address(word_at(chunk * (CHUNK_BYTES + VECTOR))) + other % VECTOR as u64
    }

    /// The next chunk, when the kernel has done with it.
    fn free_chunk(&self, line: &mut Line) -> Result<usize> {
        let chunk = line.turn;
        line.turn = (chunk + 1) % CHUNKS;
        let side = self.side();
        while !self.has_come_to(line.users[chunk]) {
            if !side.pause() {
                return Err(self.failure());
            }
        }
        Ok(chunk)
    }

    fn post_put(&self, library: &Library, command: &Command, bytes: usize, waits: bool) -> Result<Option<u64>> {
        let Some(line) = self.line_with_kernel(library, bytes, waits)? else { return Ok(None) };
        Ok(self.post_copy(line, library, command, waits)?.map(|(number, _)| {
            count(&self.counts.puts);
            number
        }))
    }

    /// Posts what `done` tells of, and returns its number.
    fn post_copy<'a>(
        &'a self,
        line: MutexGuard<'a, Line>,
        library: &Library,
        command: &Command,
        waits: bool,
    ) -> Result<Option<(u64, MutexGuard<'a, Line>)>> {
        let Some(line) = self.post(line, library, command, waits)? else { return Ok(None) };
        let number = line.poster.posted();
        // Relaxed: whoever asks for it has posted the put, or has met a thread that did.
        self.last_put.store(number, Ordering::Relaxed);
        Ok(Some((number, line)))
    }

    /// The last put of all.
    pub(crate) fn last_put(&self) -> u64 {
        // Relaxed: as where it is stored.
        self.last_put.load(Ordering::Relaxed)
    }

    /// Gets up to [`SHORT_BYTES`] bytes; whether it did.
    ///
    /// # Safety
    /// The source is memory that this GPU reaches, of as many bytes.
    pub(crate) unsafe fn get(
        &self,
        library: &Library,
        wait_policy: &WaitPolicy,
        from: u64,
        (words, bytes): (&mut [u64; SHORT_BYTES / 8], usize),
        waits: bool,
    ) -> Result<bool> {
        let Some(line) = self.line_with_kernel(library, bytes, waits)? else { return Ok(false) };
        let posted = self.post(line, library, &command(CommandKind::Get, bytes, [from, 0, 0]), waits)?;
        let Some(line) = posted else { return Ok(false) };
        count(&self.counts.gets);
        let number = line.poster.posted();
        for (at, word) in words.iter_mut().enumerate().take(bytes.div_ceil(8)) {
            *word = self.await_answer(wait_policy, number, at)?;
        }
        self.read(number);
        Ok(true)
    }

    fn await_answer(&self, wait_policy: &WaitPolicy, number: u64, word: usize) -> Result<u64> {
        let mut looks = 0u32;
        let look = || {
            looks = looks.wrapping_add(1);
            let found = self.answer(number, word).map(Ok);
            found.or_else(|| if looks.is_multiple_of(LOOKS) { self.stream.is_idle().err().map(Err) } else { None })
        };
        wait_policy.wait_for_gpu(look, || Wait { what: "get by the GPU agent".into(), late: vec![] })
    }

    /// Whether all up to this number are complete.
    #[inline]
    pub(crate) fn has_come_to(&self, number: u64) -> bool {
        // SYNC(gpu-agent) acquire: pairs with the kernel's release of `done`.
        self.words.word(DONE).load(Ordering::Acquire) >= number
    }

    /// Waits until all up to this number are complete.
    pub(crate) fn await_all(&self, wait_policy: &WaitPolicy, number: u64) -> Result<()> {
        let mut looks = 0u32;
        let look = || {
            looks = looks.wrapping_add(1);
            if self.has_come_to(number) {
                return Some(Ok(()));
            }
            if looks.is_multiple_of(LOOKS) { self.stream.is_idle().err().map(Err) } else { None }
        };
        wait_policy.wait_for_gpu(look, || Wait { what: "puts by the GPU agent".into(), late: vec![] })
    }

    /// The right to post, if a kernel is here; if the caller `waits`, it lets one come first.
    fn line_with_kernel(&self, library: &Library, bytes: usize, waits: bool) -> Result<Option<MutexGuard<'_, Line>>> {
        let line = match self.line.try_lock() {
            Ok(line) => Some(line),
            Err(_) if waits => Some(self.lock()),
            Err(_) => None,
        };
        if let Some(mut line) = line
            && (waits || bytes <= WARPS_BYTES || line.lanes >= self.lanes)
            && (line.poster.kernel(&self.side()) == Kernel::Here || self.let_come(&mut line, library, waits)?)
        {
            return Ok(Some(line));
        }
        count(&self.counts.missed);
        Ok(None)
    }

    /// Posts a command to the kernel that was here. `None` if it has left; if the caller `waits`, it lets another one
    /// come.
    fn post<'a>(
        &'a self,
        mut line: MutexGuard<'a, Line>,
        library: &Library,
        command: &Command,
        waits: bool,
    ) -> Result<Option<MutexGuard<'a, Line>>> {
        loop {
            match line.poster.post(&self.side(), command) {
                Ok(Owner::Kernel) => return Ok(Some(line)),
                Ok(Owner::Cpu) if waits && self.let_come(&mut line, library, waits)? => {}
                Ok(Owner::Cpu) => {
                    count(&self.counts.missed);
                    return Ok(None);
                }
                Err(GaveUp) => return Err(self.failure()),
            }
        }
    }

    /// Lets a kernel come if it is worth it; whether one is here.
    #[cold]
    fn let_come(&self, line: &mut Line, library: &Library, waits: bool) -> Result<bool> {
        let now = Instant::now();
        let last = line.missed.replace(now);
        if self.is_shared && !waits {
            return Ok(false);
        }
        self.note_tired(line);
        let is_worth = waits || last.is_some_and(|last| now - last < QUICK);
        let may = line.rest.is_none_or(|rest| rest <= now || waits);
        if matches!(line.poster.kernel(&self.side()), Kernel::Gone { .. }) && is_worth && may {
            self.launch(line, library, false, self.lanes)?;
        }
        while waits && line.poster.kernel(&self.side()) != Kernel::Here && now.elapsed() < PATIENCE {
            if let Kernel::Gone { .. } = line.poster.kernel(&self.side()) {
                self.launch(line, library, false, self.lanes)?;
            }
            std::thread::yield_now();
        }
        Ok(waits && line.poster.kernel(&self.side()) == Kernel::Here)
    }

    /// The rest begins when somebody sees that the kernel was tired.
    fn note_tired(&self, line: &mut Line) {
        if line.rest.is_none() && line.poster.kernel(&self.side()) == (Kernel::Gone { tired: true }) {
            line.rest = Some(Instant::now() + REST);
        }
    }

    fn launch(&self, line: &mut Line, library: &Library, waits: bool, lanes: u32) -> Result<()> {
        line.rest = None;
        line.lanes = lanes;
        let area = DevPtr::from_address(self.words.address(0));
        let idle = if self.is_shared { Duration::ZERO } else { IDLE };
        let [idle, longest] = [idle, LONGEST].map(|time| time.as_nanos() as u64);
        let grid = Grid::linear(1, lanes);
        count(&self.counts.kernels);
        line.poster.launch(waits, |epoch, first| {
            let args = (area, epoch, first, idle, longest);
            // SAFETY: the area lives as long as `self`, whose end waits for the stream; one thread at a time launches,
            // on one stream.
            unsafe { library.launch(&*self.stream, cushmem_kernels::agent_serve, grid, LaunchKind::Plain, args) }
        })
    }

    /// What a command found, if it is here: eight bytes of it.
    #[inline]
    fn answer(&self, number: u64, word: usize) -> Option<u64> {
        // SYNC(gpu-agent) acquire: pairs with the kernel's store, of which each word names the command; nothing else is
        // learnt from it.
        let load = |i: usize| self.words.word(ANSWER + 2 * word + i).load(Ordering::Acquire);
        let [low, high] = [load(0), load(1)];
        let is_here = low >> 32 == number & 0xffff_ffff && high >> 32 == low >> 32;
        is_here.then_some(low & 0xffff_ffff | high << 32)
    }

    /// The answer to a command was read.
    fn read(&self, number: u64) {
        // Relaxed: written and read with the lock held.
        self.answered.store(number, Ordering::Relaxed);
    }

    /// Waits until no kernel runs. Nobody posts any more.
    pub(crate) fn settle(&self) {
        let _ = self.stream.synchronize();
    }

    /// What it has done, for people.
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

/// A word, and what becomes of it.
pub(crate) struct Word {
    kind: CommandKind,
    behind: bool,
    address: u64,
    width: usize,
    operand: u64,
    condition: u64,
}

impl Word {
    /// How an operation changes a word, perhaps `behind` what came before.
    pub(crate) fn new(op: WordOp, behind: bool, address: u64, width: usize, [operand, condition]: [u64; 2]) -> Self {
        let kind = match op {
            WordOp::Fetch => CommandKind::Fetch,
            WordOp::Set => CommandKind::Set,
            WordOp::CompareSwap => CommandKind::CompareSwap,
            WordOp::Update(AmoOp::Add) => CommandKind::Add,
            WordOp::Update(AmoOp::Swap) => CommandKind::Swap,
            WordOp::Update(AmoOp::And) => CommandKind::And,
            WordOp::Update(AmoOp::Or) => CommandKind::Or,
            WordOp::Update(AmoOp::Xor) => CommandKind::Xor,
        };
        Self { kind, behind, address, width, operand, condition }
    }
}

fn head(kind: CommandKind, bytes: usize) -> u64 {
    CommandHead { kind: kind as u8, width: bytes as u8, context: 0, pe: 0 }.bits()
}

fn copy_of(to: u64, from: u64, bytes: usize) -> Command {
    command(CommandKind::Put, 0, [to, from, bytes as u64])
}

fn command(kind: CommandKind, bytes: usize, [a, b, c]: [u64; 3]) -> Command {
    Command { head: head(kind, bytes), arguments: [a, b, c, 0, 0, 0, 0] }
}

/// The CPU's side of the protocol.
struct Side<'a> {
    agent: &'a Agent,
    looks: Cell<u32>,
}

impl Posting for Side<'_> {
    fn slots(&self) -> u64 {
        AGENT_SLOTS as u64
    }
    #[inline]
    fn store(&self, slot: u64, words: [u64; WORDS]) {
        // SYNC(gpu-agent) release fence: pairs with the kernel's fence before a signal; what this thread stored and saw
        // comes first.
        fence(Ordering::Release);
        for (i, word) in words.into_iter().enumerate() {
            // Relaxed: each word says which lap it is of, and the fence behind is what the protocol needs.
            self.agent.words.word(SLOTS + slot as usize * WORDS + i).store(word, Ordering::Relaxed);
        }
    }
    #[inline]
    fn fence(&self) {
        // SYNC(gpu-agent) full fence: pairs with the kernel's, between what it says of itself and its last look.
        fence(Ordering::SeqCst);
    }
    #[inline]
    fn state(&self) -> u64 {
        // SYNC(gpu-agent) acquire: pairs with the kernel's release when it leaves.
        self.agent.words.word(STATE).load(Ordering::Acquire)
    }
    #[inline]
    fn carried_out(&self) -> u64 {
        // SYNC(gpu-agent) acquire: pairs with the kernel's release of `done`. The other count is written with the lock
        // held, which this thread has.
        let done = self.agent.words.word(DONE).load(Ordering::Acquire);
        done.max(self.agent.answered.load(Ordering::Relaxed))
    }
    fn pause(&self) -> bool {
        self.looks.set(self.looks.get().wrapping_add(1));
        std::hint::spin_loop();
        if !self.looks.get().is_multiple_of(64) {
            return true;
        }
        std::thread::yield_now();
        !self.looks.get().is_multiple_of(LOOKS) || self.agent.stream.is_idle().is_ok()
    }
}
