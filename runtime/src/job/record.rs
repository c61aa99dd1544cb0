//! What this PE records about itself, if somebody asks for it: [`cushmem_record`] says what, and where it goes.
//!
//! `shmemrun` hands down a file in memory, of which each PE maps its part. With `CUSHMEM_STATS` and another launcher,
//! or none, the record is memory of this process. Otherwise there is no record, and [`active`] is one load and a
//! comparison. An operation that is finished inline cannot be recorded without making it slower. So a PE that records
//! empties the tables of the inline fast path, as check mode does, and every operation takes the common path.
//!
//! *Ranges.* Whoever records something says so before it begins ([`begun`]), and a profiler sees a range until it is
//! recorded, or dropped. For a profiler alone, a process has a record too, which nobody reads ([`counting`]), and its
//! inline fast path.
//!
//! A process has one record, for all jobs that it joins.

use crate::error::{Cause as Why, Error, Result};
pub(crate) use crate::job::ranges::Of;
use crate::job::ranges::{self, Range, name_thread};
use cushmem_bootstrap::connection_retries;
use cushmem_bootstrap::env::RECORD;
use cushmem_bootstrap::socket::inherit_descriptor;
use cushmem_environment::Explain;
use cushmem_path::Path;
use cushmem_record::{Cause, Extra, Layout, Operation, Recorder, Subject, Way};
use nix::sys::mman::{MapFlags, ProtFlags, mmap, mmap_anonymous};
use nix::sys::prctl;
use std::cell::Cell;
use std::num::NonZeroUsize;
use std::os::unix::fs::MetadataExt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

static RECORDER: OnceLock<Recorder<'static>> = OnceLock::new();
/// Whether the record is there for a profiler alone.
static FOR_RANGES: AtomicBool = AtomicBool::new(false);
/// The process that has joined.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// The first of the words that a wait is for, and the bytes of all, or 0 if it is one.
pub(crate) type Words = (Subject, u64);

/// Stands for a thread that has no track yet.
const NO_TRACK: u8 = u8::MAX;

/// The track of a thread, which another one with the same name takes over when it has ended.
struct Track(Cell<u8>);

impl Drop for Track {
    fn drop(&mut self) {
        if self.0.get() != NO_TRACK {
            left().push((self.0.get(), name()));
        }
    }
}

thread_local! {
    static TRACK: Track = const { Track(Cell::new(NO_TRACK)) };
}

/// Tracks of threads that have ended, and the names of those.
static LEFT: Mutex<Vec<(u8, String)>> = Mutex::new(Vec::new());

fn left() -> MutexGuard<'static, Vec<(u8, String)>> {
    // A panic elsewhere leaves it consistent.
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether there can be a record. Only `cargo xtask perf recording` builds a library without, to see what the test in
/// [`active`] costs. It is a variable of the build, and no `cfg`, because symbols have the same names whatever it is,
/// so the compiler divides both programs in the same way and inlines the same.
const CAN_RECORD: bool = option_env!("CUSHMEM_WITHOUT_RECORDING").is_none();

/// The record, if this PE has one.
#[inline(always)]
pub(crate) fn active() -> Option<&'static Recorder<'static>> {
    if CAN_RECORD { RECORDER.get() } else { None }
}

/// The record, if it counts everything: one that is there for a profiler does not.
pub(crate) fn counting() -> Option<&'static Recorder<'static>> {
    // Relaxed: as in `begin`.
    active().filter(|_| !FOR_RANGES.load(Ordering::Relaxed))
}

/// Makes the record of this process, unless it has one, if somebody has asked for it. `is_launched` says whether it is
/// a PE of the launcher's job, and not of one with an id, which has no part of the launcher's file. PE 0 also counts to
/// explain what it did.
pub(super) fn begin((my_pe, n_pes): (u32, u32), is_launched: bool) -> Result<()> {
    if !CAN_RECORD {
        return Ok(());
    }
    let recorder = match RECORDER.get() {
        Some(recorder) => recorder,
        None => {
            let explains = my_pe == 0 && cushmem_environment::explain()? == Explain::Done;
            let is_profiled = ranges::start();
            let (words, layout) = match memory(n_pes, is_launched, explains)? {
                Some(found) => found,
                None if is_profiled => {
                    // Relaxed: other threads of this process begin to record after this one has returned.
                    FOR_RANGES.store(true, Ordering::Relaxed);
                    own_memory(n_pes)?
                }
                None => return Ok(()),
            };
            let recorder = Recorder::new(words, layout).ok_or_else(|| bad("the memory is not what it says".into()))?;
            // Only one thread joins.
            RECORDER.get_or_init(|| recorder)
        }
    };
    // Relaxed: other threads of this process begin to record after this one has returned.
    PROCESS.store(std::process::id(), Ordering::Relaxed);
    recorder.begin(std::process::id(), now());
    recorder.set(Extra::Connections, connection_retries());
    Ok(())
}

/// This PE leaves the job.
pub(crate) fn end() {
    if let Some(recorder) = active() {
        recorder.end(now());
    }
}

/// When something began that is to be recorded, and its range.
pub(crate) struct Begun {
    at: u64,
    _range: Range,
}

/// Something begins now on this thread.
pub(crate) fn begun(of: Of) -> Begun {
    Begun { at: now(), _range: Range::new(of) }
}

/// Does something that may be recorded.
#[inline(always)]
pub(crate) fn timed<T>(operation: Operation, bytes: usize, work: impl FnOnce() -> T) -> T {
    match active() {
        None => work(),
        Some(recorder) => time(recorder, operation, bytes, work),
    }
}

#[cold]
#[inline(never)]
fn time<T>(recorder: &Recorder<'_>, operation: Operation, bytes: usize, work: impl FnOnce() -> T) -> T {
    let from = begun(Of::Operation(operation));
    let done = work();
    note(recorder, (operation, Way::None), bytes, (None, None), from);
    done
}

/// An operation of this thread that ends when this is dropped, if this PE records.
pub(crate) struct Timed(Option<(&'static Recorder<'static>, Call, Begun)>);

/// What is timed: the operation and its way, bytes, and PE and thing that it is on.
type Call = ((Operation, Way), usize, (Option<u32>, Option<Subject>));

impl Timed {
    #[inline(always)]
    pub(crate) fn new(operation: Operation, bytes: usize) -> Self {
        Self(
            active().map(|recorder| {
                (recorder, ((operation, Way::None), bytes, (None, None)), begun(Of::Operation(operation)))
            }),
        )
    }

    /// One of a stream.
    #[inline(always)]
    pub(crate) fn on_stream(operation: Operation, bytes: usize, stream: &dyn cushmem_gpu::Stream) -> Self {
        let subject = || Some(Subject::Stream(stream.raw() as u64));
        Self(active().map(|recorder| {
            (recorder, ((operation, Way::None), bytes, (None, subject())), begun(Of::Operation(operation)))
        }))
    }

    /// One of a stream, on the memory of a PE.
    #[inline(always)]
    pub(crate) fn on_stream_with(
        operation: Operation,
        bytes: usize,
        pe: u32,
        stream: &dyn cushmem_gpu::Stream,
    ) -> Self {
        let mut timed = Self::on_stream(operation, bytes, stream);
        if let Some((_, (_, _, (other, _)), _)) = &mut timed.0 {
            *other = Some(pe);
        }
        timed
    }

    /// A copy between host memory and memory of this PE's GPU.
    #[inline(always)]
    pub(crate) fn copy(operation: Operation, bytes: usize, me: u32) -> Self {
        Self(active().map(|recorder| {
            (recorder, ((operation, Way::CopyEngine), bytes, (Some(me), None)), begun(Of::Operation(operation)))
        }))
    }
}

impl Drop for Timed {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some((recorder, (what, bytes, on), from)) = self.0.take() {
            note(recorder, what, bytes, on, from);
        }
    }
}

/// Records an operation, on a PE and on a word or a stream if there are these, that began at this time and has ended
/// now.
#[cold]
#[inline(never)]
pub(crate) fn note(
    recorder: &Recorder<'_>,
    what: (Operation, Way),
    bytes: usize,
    on: (Option<u32>, Option<Subject>),
    from: Begun,
) {
    if is_own() {
        recorder.operation(what, bytes as u64, on, (from.at, now()), track(recorder));
    }
}

/// Whether this is the process that has joined. A child that it has forked has the memory of the record too.
fn is_own() -> bool {
    // Relaxed: a child has what its parent had stored before it forked.
    PROCESS.load(Ordering::Relaxed) == std::process::id()
}

/// Records a wait, for words of the program if it was, that began at this time and has ended now.
#[cold]
pub(crate) fn note_wait(recorder: &Recorder<'_>, cause: Cause, words: Option<Words>, from: Begun) {
    if is_own() {
        recorder.wait(cause, words, (from.at, now()), track(recorder));
    }
}

/// Counts something that is tried again.
#[cold]
pub(crate) fn note_retry(what: Extra) {
    if let Some(recorder) = active().filter(|_| is_own()) {
        recorder.count(what, 1);
    }
}

/// Makes a stream wait for another one, and records it.
pub(crate) fn ordered<T>(streams: [&dyn cushmem_gpu::Stream; 2], work: impl FnOnce() -> T) -> T {
    let Some(recorder) = active() else { return work() };
    let from = begun(Of::Operation(Operation::StreamWaitFor));
    let done = work();
    if is_own() {
        let [stream, other] = streams.map(|stream| stream.raw() as u64);
        recorder.wait_for((stream, other), (from.at, now()), track(recorder));
    }
    done
}

/// Records a launch on a stream, by its handle, that began at this time and has ended now: of a kernel with this name,
/// or of something that has none.
#[cold]
#[inline(never)]
pub(crate) fn note_launch(recorder: &Recorder<'_>, (stream, kernel): (u64, Option<&str>), from: u64) {
    if is_own() {
        recorder.launch((stream, kernel), (from, now()), track(recorder));
    }
}

/// A launch that ends when this is dropped, if this PE records.
pub(crate) struct Launching(Option<(&'static Recorder<'static>, u64, Option<&'static str>, Begun)>);

impl Launching {
    /// One on a stream: of a kernel with this name, or of a graph.
    #[inline(always)]
    pub(crate) fn new(stream: &dyn cushmem_gpu::Stream, kernel: Option<&'static str>) -> Self {
        let of = Of::Operation(Operation::Launch);
        Self(active().map(|recorder| (recorder, stream.raw() as u64, kernel, begun(of))))
    }
}

impl Drop for Launching {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some((recorder, stream, kernel, from)) = self.0.take() {
            note_launch(recorder, (stream, kernel), from.at);
        }
    }
}

/// Records how long a kernel took, whose launch began at this time, its name, its blocks, and how many like them fit on
/// the GPU.
#[cold]
pub(crate) fn note_kernel(
    recorder: &Recorder<'_>,
    (stream, kernel): (&dyn cushmem_gpu::Stream, Option<&str>),
    at: (u64, u64),
    blocks: Option<(u64, u32)>,
) {
    if is_own() {
        recorder.kernel((stream.raw() as u64, kernel), at, blocks, track(recorder));
    }
}

/// A new stream of the program, which a profiler shows under a number.
pub(crate) fn name_new_stream(stream: &dyn cushmem_gpu::Stream) {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    // Relaxed: only the number has to be unique.
    name_stream(stream, &format!("stream {}", NEXT.fetch_add(1, Ordering::Relaxed)));
}

/// A new stream, which a profiler shows under this name.
pub(crate) fn name_stream(stream: &dyn cushmem_gpu::Stream, name: &str) {
    ranges::name_stream(stream.raw(), name);
}

/// The name of a path in the record.
pub(crate) fn way_of(path: Path) -> Way {
    match path {
        Path::Mapped => Way::Mapped,
        Path::Nic => Way::Nic,
        Path::Gdr => Way::Gdr,
        Path::Staged => Way::Staged,
        Path::CopyEngine => Way::CopyEngine,
        Path::GpuAgent => Way::GpuAgent,
        Path::CrossMemory => Way::CrossMemory,
        Path::CrossMemoryStaged => Way::CrossMemoryStaged,
        Path::Proxy => Way::Proxy,
        _ => Way::None,
    }
}

/// Nanoseconds of the monotonic clock, which all processes of a machine share.
pub(crate) fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: there is room for the time. The call does not fail for this clock.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

/// The track of the calling thread.
fn track(recorder: &Recorder<'_>) -> u8 {
    let found = TRACK.try_with(|track| {
        if track.0.get() == NO_TRACK {
            let name = name();
            if let Some(name) = std::thread::current().name() {
                name_thread(name);
            }
            let mut left = left();
            let found = left.iter().position(|(_, of)| *of == name).map(|index| left.swap_remove(index).0);
            track.0.set(found.unwrap_or_else(|| recorder.track(&name)));
        }
        track.0.get()
    });
    // The thread is ending, and has left its own.
    found.unwrap_or_else(|_| recorder.last_track())
}

/// The name of the calling thread. One that the program has not started by Rust may have got it from
/// `pthread_setname_np`; otherwise it has that of the program.
fn name() -> String {
    if let Some(name) = std::thread::current().name() {
        return name.to_owned();
    }
    let own = prctl::get_name().map_or_else(|_| String::new(), |name| name.to_string_lossy().into_owned());
    let of_program = std::fs::read_to_string("/proc/self/comm").unwrap_or_default();
    if own.is_empty() || own == of_program.trim_end_matches('\n') { "a thread of the program".into() } else { own }
}

fn bad(why: String) -> Error {
    Error::new("record operations", Why::Environment(format!("{RECORD}: {why}")))
}

/// Memory of this process for counters. Pages in which nothing is counted stay out of it.
fn own_memory(n_pes: u32) -> Result<(&'static [AtomicU64], Layout)> {
    let layout = Layout::of_job(n_pes, 0);
    let bytes = NonZeroUsize::new(layout.bytes()).expect("its head has room");
    let (protection, flags) =
        (ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_PRIVATE | MapFlags::MAP_NORESERVE);
    // SAFETY: new memory at an address that the operating system chooses is not in use.
    let base = unsafe { mmap_anonymous(None, bytes, protection, flags) };
    let base = base.map_err(|error| {
        let why = format!("no memory for {bytes} bytes of counters: {}", error.desc());
        Error::new("count operations", Why::System(why))
    })?;
    // SAFETY: it is never unmapped, has that many aligned words, which are 0, and nobody else knows it.
    let words = unsafe { std::slice::from_raw_parts(base.cast::<AtomicU64>().as_ptr(), layout.words()) };
    Ok((words, layout))
}

/// The memory of the record, and what it is for; none if nobody has asked for one.
fn memory(n_pes: u32, is_launched: bool, explains: bool) -> Result<Option<(&'static [AtomicU64], Layout)>> {
    let Some(text) = std::env::var_os(RECORD).filter(|_| is_launched) else {
        if !cushmem_environment::stats()? && !explains {
            return Ok(None);
        }
        return own_memory(n_pes).map(Some);
    };
    let numbers: Vec<usize> = text.to_str().into_iter().flat_map(|t| t.split(':')).flat_map(str::parse).collect();
    let &[file, inode, offset, cells, slots] = &numbers[..] else {
        return Err(bad("it is not five numbers with colons between them".into()));
    };
    let layout = Layout::of_head(Layout { cells, slots }.head()).ok_or_else(|| bad("it names too many".into()))?;
    let number = i32::try_from(file).unwrap_or(-1);
    let found = std::fs::metadata(format!("/proc/self/fd/{number}"));
    let Some(found) = found.ok().filter(|found| found.ino() == inode as u64) else {
        return Err(bad(format!("file descriptor {number} is not the launcher's file")));
    };
    // SAFETY: the launcher left this file open for the library, and this is the only place that takes it, once.
    let file = unsafe { inherit_descriptor(number) }.map_err(bad)?;
    let (size, end) = (found.len(), offset.saturating_add(layout.bytes()));
    let bytes = NonZeroUsize::new(layout.bytes()).filter(|_| end as u64 <= size);
    let bytes = bytes.ok_or_else(|| bad("the file is too small".into()))?;
    let (protection, flags) =
        (ProtFlags::PROT_READ | ProtFlags::PROT_WRITE, MapFlags::MAP_SHARED | MapFlags::MAP_NORESERVE);
    // SAFETY: a new mapping at an address that the operating system chooses touches no memory in use.
    let base = unsafe { mmap(None, bytes, protection, flags, &file, offset as libc::off_t) };
    let base = base.map_err(|error| bad(error.to_string()))?;
    // SAFETY: the mapping is never unmapped, has that many aligned words, and other processes only read them.
    let words = unsafe { std::slice::from_raw_parts(base.cast::<AtomicU64>().as_ptr(), layout.words()) };
    Ok(Some((words, layout)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches threads that end and take tracks from those that follow.
    #[test]
    fn short_threads_follow_each_other_on_a_track() {
        let layout = Layout { cells: 1, slots: 0 };
        let words: &[AtomicU64] = (0..layout.words()).map(|_| AtomicU64::new(0)).collect::<Vec<_>>().leak();
        let recorder = Recorder::new(words, layout).expect("it has room");
        let of = |name: &str| {
            let thread = std::thread::Builder::new().name(name.into());
            std::thread::scope(|scope| {
                thread.spawn_scoped(scope, || track(&recorder)).expect("a thread").join().expect("it ends")
            })
        };
        let first = of("short");
        assert!((0..100).all(|_| of("short") == first), "each takes over the track");
        let other = of("other");
        assert!(other != first && of("short") == first, "names are told apart");
        let (barrier, recorder) = (&std::sync::Barrier::new(2), &recorder);
        std::thread::scope(|scope| {
            let long = || {
                let thread = std::thread::Builder::new().name("short".into());
                let work = move || {
                    let own = track(recorder);
                    barrier.wait();
                    own
                };
                thread.spawn_scoped(scope, work).expect("a thread")
            };
            let both = [long(), long()].map(|thread| thread.join().expect("it ends"));
            assert!(both[0] != both[1] && both.contains(&first), "{both:?}");
        });
    }

    /// Catches threads of C programs that all have the same name on the timeline, although they have their own.
    #[test]
    fn a_thread_has_the_name_that_it_was_given() {
        let of_program = std::fs::read_to_string("/proc/self/comm").expect("a process has a name");
        for (given, expected) in [(of_program.trim_end(), "a thread of the program"), ("solver 7", "solver 7")] {
            let given = std::ffi::CString::new(given).expect("a name");
            let named = std::thread::spawn(move || {
                prctl::set_name(&given).expect("a name");
                name()
            });
            assert_eq!(named.join().expect("it ends"), expected);
        }
        let named = std::thread::Builder::new().name("by Rust".into()).spawn(name).expect("a thread");
        assert_eq!(named.join().expect("it ends"), "by Rust");
    }
}
