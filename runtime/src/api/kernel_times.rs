//! How long kernels take, for timelines. The driver says so only if it is asked before and after a launch, which
//! lengthens the launch. So of the launches of a stream only one in [`EACH`] is between two points in the stream, and
//! the time between them is looked up when somebody has waited for the stream. A job without a timeline does nothing of
//! this.
//!
//! The time between the points is not the kernel's alone. If the stream has passed the first point before the launch,
//! it includes the call, whose length the CPU knows, and the start of the kernel on the GPU. If the stream still had
//! work, kernels follow each other without the CPU, and the time includes only the change from one to the next. Both
//! are measured with an empty kernel when the GPU starts ([`Empty`]), and subtracted: what is recorded is by how much a
//! kernel takes longer than an empty one. A launch during which the stream becomes idle counts as one on a stream with
//! work, so its time may include a part of the call. The shortest of several is nearest to the kernel's own.

use crate::error::{Error, Result};
use crate::job::record;
use crate::sync::locked;
use crate::sync::pinned::PinnedWords;
use crate::transport::library::Library;
use cushmem_device::DevPtr;
use cushmem_gpu::{Event, Gpu, GpuError, Grid, LaunchKind, Stream};
use cushmem_kernels::stream_exchange;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// A prime, so that all launches of an iteration have their turn unless it has so many.
const EACH: u64 = 17;
/// The most times of a stream that are not looked up yet: the latest, because launches of earlier ones may have left
/// the record.
const MOST: usize = 64;
/// How long a launch on an idle stream waits until that has passed the first point: longer than it takes.
const IDLE: Duration = Duration::from_micros(100);
/// How many empty kernels are timed in each way.
const EMPTY: u64 = 24;
/// How long one of them may take. Another process may keep the GPU busy.
const LIMIT: Duration = Duration::from_millis(100);

/// What an empty kernel takes between two points of a stream, in nanoseconds: the quarter of several.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Empty {
    /// On an idle stream, without the call that launches it.
    idle: u64,
    /// On a stream with work.
    busy: u64,
}

/// None of this process if it could not be measured.
static EMPTY_KERNEL: OnceLock<Option<Empty>> = OnceLock::new();

/// The points before and after a kernel.
struct Between {
    before: Arc<dyn Event>,
    after: Arc<dyn Event>,
    /// Nanoseconds of the launch, if the stream had nothing else to do.
    call: Option<u64>,
}

impl Between {
    /// Makes a launch between two points, on an idle stream when that has passed the first one, for which it waits for
    /// so long at most. A kernel whose time cannot be known is launched all the same.
    fn of<T, E>(
        stream: &dyn Stream,
        limit: Duration,
        launch: impl FnOnce() -> std::result::Result<T, E>,
    ) -> (std::result::Result<T, E>, Option<Self>) {
        let has_work = !stream.is_idle().unwrap_or(false);
        let before = stream.record();
        let is_idle = !has_work && before.as_ref().is_ok_and(|before| is_found(limit, || before.is_passed()));
        // The stream has just passed the first point.
        let from = record::now();
        let launched = launch();
        let call = is_idle.then(|| record::now() - from);
        let both = launched.is_ok().then(|| before.ok().zip(stream.record().ok())).flatten();
        (launched, both.map(|(before, after)| Self { before, after, call }))
    }

    /// Nanoseconds between them, without the call. Both were passed.
    fn ns(&self) -> Option<u64> {
        let ns = (f64::from(self.after.elapsed_ms(&*self.before).ok()?) * 1e6) as u64;
        Some(ns.saturating_sub(self.call.unwrap_or(0)))
    }

    /// By how much the kernel took longer than an empty one, or the whole time if that is not known.
    fn kernel_ns(&self, empty: Option<Empty>) -> Option<u64> {
        match empty {
            Some(Empty { idle, busy }) => {
                Some(self.ns()?.saturating_sub(if self.call.is_some() { idle } else { busy }))
            }
            None => Self { call: None, before: self.before.clone(), after: self.after.clone() }.ns(),
        }
    }
}

/// Looks for so long at most, and says whether it was found. A failure is none.
fn is_found(limit: Duration, look: impl Fn() -> cushmem_gpu::Result<bool>) -> bool {
    let start = Instant::now();
    loop {
        match look() {
            // The worker of an emulated stream needs a core too.
            Ok(false) if start.elapsed() < limit => std::thread::yield_now(),
            found => return found.unwrap_or(false),
        }
    }
}

/// Times empty kernels, if this process has a timeline and has not timed any. No kernel of the program runs yet. Says
/// what they take.
pub(super) fn time_empty_kernel(gpu: &Arc<dyn Gpu>, library: &Library) -> Option<String> {
    if !record::active()?.keeps_events() || EMPTY_KERNEL.get().is_some() {
        return None;
    }
    let empty = Empty::measure(gpu, library);
    let _ = EMPTY_KERNEL.set(empty.as_ref().ok().copied());
    Some(match empty {
        Ok(Empty { idle, busy }) => format!(
            "recorded times of kernels are those beyond an empty one's, {idle} ns and its launch on an idle stream, \
             {busy} ns on a stream with work"
        ),
        Err(why) => format!("recorded times of kernels include their launches: {why}"),
    })
}

impl Empty {
    fn measure(gpu: &Arc<dyn Gpu>, library: &Library) -> Result<Self> {
        let failed = || Error::of("time an empty kernel");
        let late = || failed()(GpuError::new("an empty kernel", "it has not ended"));
        let stream = gpu.create_stream().map_err(failed())?;
        let words = PinnedWords::create(gpu, 1)?;
        let empty = || {
            let nobody = (DevPtr::from_address(0), 0, 0, 0);
            // SAFETY: it exchanges signals with nobody, so it uses no word.
            unsafe { library.launch(&*stream, stream_exchange, Grid::linear(1, 1), LaunchKind::Plain, nobody) }
        };
        let measure = |is_held: bool| {
            let mut times = vec![];
            for round in 1..=EMPTY {
                if is_held {
                    // SAFETY: the word lives until the stream has passed the end of the kernel, or for ever.
                    unsafe { stream.wait_word(words.address(0), round) }.map_err(failed())?;
                }
                let (launched, between) = Between::of(&*stream, IDLE, empty);
                if is_held {
                    // Relaxed: the stream only waits for it, and gets nothing else by it.
                    words.word(0).store(round, Ordering::Relaxed);
                }
                launched.map_err(failed())?;
                let between = between.ok_or_else(late)?;
                if !is_found(LIMIT, || stream.is_idle()) {
                    return Err(late());
                }
                times.extend(between.ns().filter(|_| between.call.is_some() != is_held));
            }
            if times.len() < EMPTY as usize / 2 {
                return Err(failed()(GpuError::new("an empty kernel", "its stream was not idle, or not busy")));
            }
            // The first ones warm up.
            let mut times = times.split_off(times.len() / 4);
            times.sort_unstable();
            Ok(times[times.len() / 4])
        };
        let measured = measure(false).and_then(|idle| Ok(Self { idle, busy: measure(true)? }));
        if measured.is_err() {
            // The stream may still look at the word.
            std::mem::forget(words);
        }
        measured
    }
}

/// When the call began, and the points.
type Timed = (u64, Between);

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
        stream: &dyn Stream,
        launch: impl FnOnce() -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        if record::active().is_none_or(|recorder| !recorder.keeps_events()) {
            return launch();
        }
        self.of_recorded(stream, launch)
    }

    #[cold]
    fn of_recorded<T, E>(
        &self,
        stream: &dyn Stream,
        launch: impl FnOnce() -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        // Relaxed: it is only a count.
        let is_turn = self.launches.fetch_add(1, Ordering::Relaxed) % EACH == EACH - 1;
        if !is_turn || stream.is_captured().unwrap_or(true) {
            return launch();
        }
        let from = record::now();
        let (launched, between) = Between::of(stream, IDLE, launch);
        if let Some(between) = between {
            keep(&mut locked(&self.pending), (from, between));
        }
        launched
    }

    /// Looks the times up. Everything on the stream has finished.
    pub(super) fn look_up(&self, stream: &dyn Stream) {
        let Some(recorder) = record::active() else { return };
        let empty = EMPTY_KERNEL.get().copied().flatten();
        for (from, between) in locked(&self.pending).drain(..) {
            if let Some(ns) = between.kernel_ns(empty) {
                record::note_kernel(recorder, stream, from, ns);
            }
        }
    }
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
    use cushmem_gpu::soft::SoftGpu;

    #[test]
    fn the_latest_are_kept() {
        let mut pending = VecDeque::new();
        (0..200).for_each(|number| keep(&mut pending, number));
        assert!(pending.iter().copied().eq(200 - MOST..200));
    }

    /// Catches a launch whose call counts as the kernel's time, and one on a stream with work from which the call is
    /// taken although it is not in the time.
    #[test]
    fn the_call_counts_only_on_a_stream_with_work() {
        let gpu: Arc<dyn Gpu> = SoftGpu::open(0).expect("the emulated GPU opens");
        let (stream, gate) = (gpu.create_stream().expect("a stream"), PinnedWords::create(&gpu, 2).expect("words"));
        let call = Duration::from_millis(200);
        // SAFETY: the word lives until the stream has been synchronised.
        let work = |value| unsafe { stream.write_word(gate.address(1), value) };
        let launch = || {
            std::thread::sleep(call);
            work(1)
        };
        // The stream's worker may be late.
        let late = Duration::from_secs(20);
        let (launched, idle) = Between::of(&*stream, late, launch);
        launched.expect("it is enqueued");
        stream.synchronize().expect("it ends");
        let idle = idle.expect("both points are there");
        assert!(idle.call.is_some_and(|ns| ns >= call.as_nanos() as u64));
        let (whole, own) = (idle.kernel_ns(None).expect("passed"), idle.ns().expect("passed"));
        assert!(whole >= own + call.as_nanos() as u64 - 1_000_000, "{whole} {own}");
        let empty = |idle, busy| Some(Empty { idle, busy });
        assert_eq!(idle.kernel_ns(empty(own, 0)), Some(0));
        assert_eq!(idle.kernel_ns(empty(0, whole)), Some(own));
        // SAFETY: the gate is pinned memory of this test, which ends when the stream has passed the wait.
        unsafe { stream.wait_word(gate.address(0), 1) }.expect("it is enqueued");
        let (launched, between) = Between::of(&*stream, late, || work(2));
        launched.expect("it is enqueued");
        std::thread::sleep(call);
        gate.word(0).store(1, Ordering::Relaxed);
        stream.synchronize().expect("it ends");
        let busy = between.expect("both points are there");
        assert_eq!((busy.call, busy.kernel_ns(None)), (None, busy.ns()));
        let whole = busy.ns().expect("passed");
        assert!(whole < call.as_nanos() as u64, "the time before the first point does not count: {whole}");
        assert_eq!(busy.kernel_ns(empty(0, whole)), Some(0));
    }
}
