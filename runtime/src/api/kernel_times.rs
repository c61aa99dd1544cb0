//! How long kernels take, for timelines. The driver says so only if it is asked before and after a launch, which
//! lengthens the launch. So of the launches of a stream only a few are between two points in the stream ([`is_timed`]),
//! and the time between them is looked up when somebody has waited for the stream. A job without a timeline does
//! nothing of this.
//!
//! The time between the points is the kernel's alone only if the GPU never waits for the CPU in it. So the stream is
//! given a pause first ([`stream_pause`]), in which the CPU enqueues both points and the kernel. It ends by itself, so
//! a launch for which the driver has to wait until the GPU is idle takes no harm: its time then has a part of the call
//! in it, and the shortest of several is nearest to the kernel's own. What is left is the change from one operation of
//! a stream to the next, which an empty kernel takes as well ([`Empty`]): what is recorded is by how much a kernel
//! takes longer than an empty one.

use crate::error::{Error, Result};
use crate::job::record;
use crate::sync::locked;
use crate::transport::library::Library;
use cushmem_device::DevPtr;
use cushmem_gpu::{Event, Gpu, GpuError, Grid, LaunchKind, Stream};
use cushmem_kernels::{stream_exchange, stream_pause};
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Of the first launches of a stream, every how many are timed, and of the later ones. Primes, so that all launches of
/// an iteration have their turn unless it has so many.
const EACH: (u64, u64) = (17, 101);
/// How many are the first ones. Programs repeat what they do, and each time costs more than a pause.
const FIRST: u64 = 1_000;
/// The most times of a stream that are not looked up yet: the latest, because launches of earlier ones may have left
/// the record.
const MOST: usize = 64;
/// How long a stream pauses: longer than the CPU takes to enqueue two points and a launch.
const PAUSE_NS: u64 = 10_000;
/// How many empty kernels are timed.
const EMPTY: usize = 32;
/// How long one of them may take. Another process may keep the GPU busy.
const LIMIT: Duration = Duration::from_millis(100);

/// What an empty kernel takes between two points of a stream, in nanoseconds: the median of several. None of this
/// process if it could not be measured.
static EMPTY_NS: OnceLock<Option<u64>> = OnceLock::new();

/// The points before and after a kernel.
struct Between {
    before: Arc<dyn Event>,
    after: Arc<dyn Event>,
}

impl Between {
    /// Makes a launch between two points, behind a pause of the stream. A kernel whose time cannot be known is launched
    /// all the same.
    fn of<T, E>(
        stream: &dyn Stream,
        pause: impl FnOnce() -> cushmem_gpu::Result<()>,
        launch: impl FnOnce() -> std::result::Result<T, E>,
    ) -> (std::result::Result<T, E>, Option<Self>) {
        let before = pause().and_then(|()| stream.record()).ok();
        let launched = launch();
        let both = before.filter(|_| launched.is_ok()).zip(stream.record().ok());
        (launched, both.map(|(before, after)| Self { before, after }))
    }

    /// Nanoseconds between them. Both were passed.
    fn ns(&self) -> Option<u64> {
        Some((f64::from(self.after.elapsed_ms(&*self.before).ok()?) * 1e6) as u64)
    }
}

/// Has a stream pause.
fn pause(stream: &dyn Stream, library: &Library) -> cushmem_gpu::Result<()> {
    // SAFETY: the kernel uses no memory.
    unsafe { library.launch(stream, stream_pause, Grid::linear(1, 1), LaunchKind::Plain, (PAUSE_NS,)) }
}

/// Times empty kernels, if this process has a timeline and has not timed any. No kernel of the program runs yet. Says
/// what they take.
pub(super) fn time_empty_kernel(gpu: &Arc<dyn Gpu>, library: &Library) -> Option<String> {
    if !record::active()?.keeps_events() || EMPTY_NS.get().is_some() {
        return None;
    }
    let empty = measure_empty(gpu, library);
    let _ = EMPTY_NS.set(empty.as_ref().ok().copied());
    Some(match empty {
        Ok(ns) => format!("recorded times of kernels are those beyond an empty one's, {ns} ns"),
        Err(why) => format!("recorded times of kernels include that of an empty one: {why}"),
    })
}

fn measure_empty(gpu: &Arc<dyn Gpu>, library: &Library) -> Result<u64> {
    let failed = || Error::of("time an empty kernel");
    let late = || failed()(GpuError::new("an empty kernel", "it has not ended"));
    let stream = gpu.create_stream().map_err(failed())?;
    let empty = || {
        let nobody = (DevPtr::from_address(0), 0, 0, 0);
        // SAFETY: it exchanges signals with nobody, so it uses no word.
        unsafe { library.launch(&*stream, stream_exchange, Grid::linear(1, 1), LaunchKind::Plain, nobody) }
    };
    let mut times = vec![];
    for _ in 0..EMPTY {
        let (launched, between) = Between::of(&*stream, || pause(&*stream, library), empty);
        launched.map_err(failed())?;
        let start = Instant::now();
        while !stream.is_idle().map_err(failed())? {
            if start.elapsed() > LIMIT {
                return Err(late());
            }
            // The worker of an emulated stream needs a core too.
            std::thread::yield_now();
        }
        times.extend(between.and_then(|between| between.ns()));
    }
    // The first ones warm up.
    let mut times = times.split_off(times.len() / 4);
    times.sort_unstable();
    times.get(times.len() / 2).copied().ok_or_else(late)
}

/// The blocks of a kernel, and how many like them fit on the GPU together.
type Blocks = Option<(u64, u32)>;

/// What is launched if it is one kernel: its name, and what says its blocks.
type Launched<'a> = Option<(&'static str, &'a dyn Fn() -> Blocks)>;

/// When the call began, the points, and of a kernel its name and its blocks.
type Timed = (u64, Between, Option<&'static str>, Blocks);

/// The launches of a stream that are timed.
#[derive(Default)]
pub(super) struct KernelTimes {
    launches: AtomicU64,
    pending: Mutex<VecDeque<Timed>>,
}

impl KernelTimes {
    /// Makes a launch on this stream, and times it if it is its turn.
    #[inline]
    pub(super) fn of<T, E>(
        &self,
        (stream, library): (&dyn Stream, Option<&Library>),
        kernel: Launched<'_>,
        launch: impl FnOnce() -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        match library.filter(|_| record::active().is_some_and(|recorder| recorder.keeps_events())) {
            Some(library) => self.of_recorded((stream, library), kernel, launch),
            None => launch(),
        }
    }

    #[cold]
    fn of_recorded<T, E>(
        &self,
        (stream, library): (&dyn Stream, &Library),
        kernel: Launched<'_>,
        launch: impl FnOnce() -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        // Relaxed: it is only a count.
        if !is_timed(self.launches.fetch_add(1, Ordering::Relaxed)) || stream.is_captured().unwrap_or(true) {
            return launch();
        }
        let from = record::now();
        let (launched, between) = Between::of(stream, || pause(stream, library), launch);
        if let Some(between) = between {
            let (name, blocks) = kernel.map_or((None, None), |(name, blocks)| (Some(name), blocks()));
            keep(&mut locked(&self.pending), (from, between, name, blocks));
        }
        launched
    }

    /// Looks the times up. Everything on the stream has finished.
    pub(super) fn look_up(&self, stream: &dyn Stream) {
        let Some(recorder) = record::active() else { return };
        let empty = EMPTY_NS.get().copied().flatten().unwrap_or(0);
        for (from, between, kernel, blocks) in locked(&self.pending).drain(..) {
            if let Some(ns) = between.ns() {
                record::note_kernel(recorder, (stream, kernel), (from, ns.saturating_sub(empty)), blocks);
            }
        }
    }
}

/// Whether a launch of a stream is timed, by how many there were before it.
const fn is_timed(before: u64) -> bool {
    let each = if before < FIRST { EACH.0 } else { EACH.1 };
    before % each == each - 1
}

/// Keeps the latest ones.
fn keep<T>(pending: &mut VecDeque<T>, new: T) {
    if pending.len() == MOST {
        pending.pop_front();
    }
    pending.push_back(new);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::pinned::PinnedWords;
    use cushmem_gpu::soft::SoftGpu;

    /// Catches a kernel in the iterations of a program that is never timed, and a job that is slow as long as it runs.
    #[test]
    fn each_launch_of_an_iteration_has_its_turn() {
        for launches in [1, 2, 8, 16, 18, 100] {
            for which in 0..launches {
                let timed = (0..).map(|i| i * launches + which).take_while(|before| *before < 40_000);
                let (first, later): (Vec<_>, Vec<_>) =
                    timed.filter(|before| is_timed(*before)).partition(|i| *i < FIRST);
                assert!(!later.is_empty() && (launches > 16 || !first.is_empty()), "{which} of {launches}");
            }
        }
        assert_eq!((FIRST..FIRST + 10_100).filter(|before| is_timed(*before)).count(), 100);
    }

    #[test]
    fn the_latest_are_kept() {
        let mut pending = VecDeque::new();
        (0..200).for_each(|number| keep(&mut pending, number));
        assert!(pending.iter().copied().eq(200 - MOST..200));
    }

    /// Catches a launch whose call counts as the kernel's time.
    #[test]
    fn the_call_does_not_count() {
        let gpu: Arc<dyn Gpu> = SoftGpu::open(0).expect("the emulated GPU opens");
        let (stream, gate) = (gpu.create_stream().expect("a stream"), PinnedWords::create(&gpu, 2).expect("words"));
        let call = Duration::from_millis(200);
        // SAFETY: the gate is pinned memory of this test, which ends when the stream has passed the wait.
        let pause = || unsafe { stream.wait_word(gate.address(0), 1) };
        let launch = || {
            std::thread::sleep(call);
            // SAFETY: the word lives until the stream has been synchronised.
            unsafe { stream.write_word(gate.address(1), 1) }
        };
        let (launched, between) = Between::of(&*stream, pause, launch);
        launched.expect("it is enqueued");
        gate.word(0).store(1, Ordering::Relaxed);
        stream.synchronize().expect("it ends");
        let ns = between.and_then(|between| between.ns()).expect("both points were passed");
        assert!(ns < call.as_nanos() as u64, "{ns}");
    }
}
