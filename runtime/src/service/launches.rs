//! Which kernels may be running, by name. The launcher needs this when it asks what a PE waits for, and so do errors of
//! the GPU.
//!
//! The driver does not say which kernel of a stream is running. So each stream counts its launches, and remembers how
//! many had been made when it was last seen idle. The running kernel is one of those launched since then.

use crate::sync::locked;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// Kernels of the library that carry out what others ask for. All but launched executors stay on the GPU: they are
/// launched all the time, whether anything happens or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Serves {
    Executor,
    LaunchedExecutor,
    Processor,
}

impl Serves {
    /// What messages call it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Executor => "the executor of tasks",
            Self::LaunchedExecutor => "the launched executor of tasks",
            Self::Processor => "the command processor",
        }
    }
}

#[derive(Default)]
struct Streams {
    next: u64,
    by_number: BTreeMap<u64, Counts>,
    /// [`Counts::changes`] of the streams that are gone.
    gone: u64,
}

impl Streams {
    /// A number that changes with each launch of these streams, with the end of each, and with each new stream.
    fn changes(&self, counts: impl Fn(&Counts) -> bool) -> u64 {
        let of_these = self.by_number.values().filter(|of| counts(of));
        of_these.map(Counts::changes).fold(self.next.wrapping_add(self.gone), u64::wrapping_add)
    }
}

#[derive(Default)]
struct Counts {
    /// What serves, if its launches are these.
    serves: Option<Serves>,
    last: &'static str,
    /// Launches in progress: the kernel may run before the call returns.
    starting: u64,
    launched: u64,
    finished: u64,
}

impl Counts {
    fn running(&self) -> u64 {
        self.launched + self.starting - self.finished
    }

    fn changes(&self) -> u64 {
        self.launched.wrapping_add(self.finished)
    }

    fn describe(&self) -> Option<String> {
        let Self { last, .. } = self;
        match self.running() {
            0 => None,
            1 => Some(format!("kernel {last}")),
            2 => Some(format!("kernel {last} or the one before it")),
            n => Some(format!("kernel {last} or one of the {} before it", n - 1)),
        }
    }
}

/// The launches of all streams.
#[derive(Clone, Default)]
pub(crate) struct Launches(Arc<All>);

#[derive(Default)]
struct All {
    streams: Mutex<Streams>,
    /// How many may be running: the sum of the streams' counts, written with their lock held. It exists because each
    /// fence and quiet of the default context reads it.
    running: AtomicU64,
    /// Whether the program can launch kernels that are not counted here.
    uncounted: AtomicBool,
    /// Whether there are kernels that know the job, and so may make requests to the CPU.
    kernels_know_job: AtomicBool,
    /// How many threads wait in the driver until kernels have ended.
    awaiting: AtomicU64,
}

/// A thread waits in the driver until kernels have ended.
pub(crate) struct InDriver(Launches);

impl Drop for InDriver {
    fn drop(&mut self) {
        // Relaxed: nothing else is inferred from it.
        self.0.0.awaiting.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Launches {
    fn streams(&self) -> MutexGuard<'_, Streams> {
        // Each change is one call of the map or one change of a number, so a panic elsewhere leaves them consistent.
        locked(&self.0.streams)
    }

    /// The launches of a new stream.
    pub(crate) fn of_stream(&self) -> StreamLaunches {
        self.of(Counts::default())
    }

    /// The launches of the stream of a kernel that serves.
    pub(crate) fn of_resident(&self, serves: Serves) -> StreamLaunches {
        self.of(Counts { serves: Some(serves), ..Counts::default() })
    }

    fn of(&self, counts: Counts) -> StreamLaunches {
        let mut streams = self.streams();
        let number = streams.next;
        streams.next += 1;
        streams.by_number.insert(number, counts);
        StreamLaunches { all: self.clone(), number }
    }

    /// This thread waits in the driver until kernels have ended, as long as the result lives.
    pub(crate) fn in_driver(&self) -> InDriver {
        // Relaxed: nothing else is inferred from it.
        self.0.awaiting.fetch_add(1, Ordering::Relaxed);
        InDriver(self.clone())
    }

    /// Whether threads wait in the driver until kernels have ended.
    pub(super) fn are_awaited(&self) -> bool {
        // Relaxed: nothing else is inferred from it.
        self.0.awaiting.load(Ordering::Relaxed) > 0
    }

    /// Notes that the program now has what it needs to launch kernels by itself.
    pub(crate) fn note_uncounted(&self) {
        // SYNC(launches) release: pairs with the acquires in `may_make_requests` and `may_run`.
        self.0.uncounted.store(true, Ordering::Release);
    }

    /// Notes that there are now kernels that know the job.
    pub(crate) fn note_kernels_know_job(&self) {
        // SYNC(launches) release: pairs with the acquire in `kernels_know_job`.
        self.0.kernels_know_job.store(true, Ordering::Release);
    }

    /// Whether there are kernels that know the job.
    #[inline]
    pub(crate) fn kernels_know_job(&self) -> bool {
        // SYNC(launches) acquire: pairs with the release in `note_kernels_know_job`.
        self.0.kernels_know_job.load(Ordering::Acquire)
    }

    /// Whether a kernel may be running that makes requests to the CPU.
    #[inline]
    pub(crate) fn may_make_requests(&self) -> bool {
        self.kernels_know_job() && self.may_run() != (false, false)
    }

    /// Whether a kernel may be running, and whether one may be running that is not counted here.
    pub(crate) fn may_run(&self) -> (bool, bool) {
        // SYNC(launches) acquire: pairs with the releases in `note_uncounted` and `with`; whoever knows of a
        // launch, from what its kernel did or from the thread that made it, sees that it is counted.
        (self.0.running.load(Ordering::Acquire) > 0, self.0.uncounted.load(Ordering::Acquire))
    }

    /// Whether a kernel of the program that is counted here may be running.
    pub(super) fn program_may_run(&self) -> bool {
        self.streams_of_program() > 0
    }

    /// On how many streams kernels of the program that are counted here may be running.
    pub(super) fn streams_of_program(&self) -> usize {
        let may_run = |counts: &&Counts| counts.serves.is_none() && counts.running() > 0;
        self.streams().by_number.values().filter(may_run).count()
    }

    /// Whether a kernel of the program may have failed, when the GPU has: one may have been running, or the program can
    /// launch some that are not counted here.
    pub(super) fn program_may_have_failed(&self) -> bool {
        self.may_run().1 || self.program_may_run()
    }

    /// What stays on the GPU.
    pub(super) fn staying(&self) -> Vec<&'static str> {
        let all: BTreeSet<_> = self.streams().by_number.values().filter_map(|counts| counts.serves).collect();
        all.into_iter().filter(|serves| *serves != Serves::LaunchedExecutor).map(Serves::name).collect()
    }

    /// A number that changes when a kernel of the program is launched, and when one is known to have ended.
    pub(super) fn changes(&self) -> u64 {
        self.streams().changes(|counts| counts.serves.is_none())
    }

    /// A number that changes when a kernel is launched that may leave commands to the command processor; `None` if one
    /// may be running. Tasks may leave some too.
    pub(super) fn idle_since(&self) -> Option<u64> {
        // SYNC(launches) acquire: as in `may_run`.
        if self.0.uncounted.load(Ordering::Acquire) {
            return None;
        }
        let leaves = |counts: &Counts| counts.serves != Some(Serves::Processor);
        let streams = self.streams();
        let is_idle = streams.by_number.values().all(|counts| !leaves(counts) || counts.running() == 0);
        is_idle.then(|| streams.changes(leaves))
    }

    /// Describes the kernels of the program that may be running, also one that is not counted here.
    pub(crate) fn describe_kernels(&self) -> String {
        self.describe_with(false)
    }

    /// Describes who on the GPU may have asked the CPU for something, or may be waiting: kernels of the program, also
    /// one that is not counted here, and tasks. The processor waits for nobody.
    pub(crate) fn describe(&self) -> String {
        self.describe_with(true)
    }

    fn describe_with(&self, tasks: bool) -> String {
        let streams = self.streams();
        let of_program = streams.by_number.values().filter(|counts| counts.serves.is_none());
        let kernels: Vec<_> = of_program.filter_map(Counts::describe).collect();
        let is_executor = |serves| matches!(serves, Serves::Executor | Serves::LaunchedExecutor);
        let has_executor = streams.by_number.values().any(|counts| counts.serves.is_some_and(is_executor));
        // SYNC(launches) acquire: as in `may_run`.
        let another = match (kernels.is_empty(), self.0.uncounted.load(Ordering::Acquire)) {
            (true, _) => "a kernel",
            (false, true) => " or another kernel",
            (false, false) => "",
        };
        format!("{}{another}{}", kernels.join(", "), if tasks && has_executor { " or a task" } else { "" })
    }
}

/// The launches of one stream.
pub(crate) struct StreamLaunches {
    all: Launches,
    number: u64,
}

impl StreamLaunches {
    /// See [`Launches::in_driver`].
    pub(crate) fn in_driver(&self) -> InDriver {
        self.all.in_driver()
    }

    fn with<T>(&self, change: impl FnOnce(&mut Counts) -> T) -> T {
        let mut streams = self.all.streams();
        let counts = streams.by_number.get_mut(&self.number).expect("it is there as long as its stream");
        let before = counts.running();
        let result = change(counts);
        let changed = counts.running().wrapping_sub(before);
        // SYNC(launches) release: pairs with the acquire in `may_run`. The addition wraps if the number has fallen.
        self.all.0.running.fetch_add(changed, Ordering::Release);
        result
    }

    /// Makes a launch, and counts it unless it fails.
    pub(crate) fn add<R, E>(
        &self,
        kernel: &'static str,
        launch: impl FnOnce() -> std::result::Result<R, E>,
    ) -> std::result::Result<R, E> {
        let before = self.with(|counts| {
            counts.starting += 1;
            std::mem::replace(&mut counts.last, kernel)
        });
        let launched = launch();
        self.with(|counts| {
            counts.starting -= 1;
            match launched {
                Ok(_) => counts.launched += 1,
                Err(_) => counts.last = before,
            }
        });
        launched
    }

    /// The number of launches so far, for [`StreamLaunches::have_finished`].
    pub(crate) fn so_far(&self) -> u64 {
        self.with(|counts| counts.launched)
    }

    /// Notes that the first `launches` have finished.
    pub(crate) fn have_finished(&self, launches: u64) {
        self.with(|counts| counts.finished = counts.finished.max(launches));
    }

    /// Describes the kernels that may be running.
    pub(crate) fn describe(&self) -> String {
        self.with(|counts| counts.describe()).unwrap_or_else(|| "a stream".into())
    }
}

impl Drop for StreamLaunches {
    fn drop(&mut self) {
        let mut streams = self.all.streams();
        if let Some(counts) = streams.by_number.remove(&self.number) {
            streams.gone = streams.gone.wrapping_add(counts.changes());
            // SYNC(launches) release: pairs with the acquire in `may_run`.
            self.all.0.running.fetch_sub(counts.running(), Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn add(stream: &StreamLaunches, kernel: &'static str) {
        let Ok(()) = stream.add(kernel, || Ok::<(), Infallible>(()));
    }

    /// Catches a kernel that fails before its launch has returned, and then has no name. Catches a quiet that looks at
    /// all slots though no kernel can make requests, which is slow, or that does not when one may.
    #[test]
    fn kernels_may_ask_once_they_know_the_job() {
        let (launches, of_c) = (Launches::default(), Launches::default());
        let stream = launches.of_stream();
        of_c.note_uncounted();
        assert!(!launches.may_make_requests() && !of_c.may_make_requests());
        launches.note_kernels_know_job();
        of_c.note_kernels_know_job();
        assert!(!launches.may_make_requests() && of_c.may_make_requests());
        add(&stream, "fill");
        assert!(launches.may_make_requests());
        stream.have_finished(1);
        assert!(!launches.may_make_requests());
    }

    /// Catches a failure of which a kernel that the library does not know is never suspected.
    #[test]
    fn whoever_may_run_may_have_failed() {
        let launches = Launches::default();
        let (stream, executor) = (launches.of_stream(), launches.of_resident(Serves::Executor));
        add(&executor, "tasks");
        assert!(!launches.program_may_have_failed());
        add(&stream, "fill");
        assert!(launches.program_may_have_failed());
        stream.have_finished(1);
        assert!(!launches.program_may_have_failed());
        launches.note_uncounted();
        assert!(launches.program_may_have_failed() && !launches.program_may_run());
    }

    /// Catches an executor that makes stuck kernels look as if they progressed.
    #[test]
    fn an_executor_is_no_progress() {
        let launches = Launches::default();
        let (stream, executor) = (launches.of_stream(), launches.of_resident(Serves::Executor));
        add(&stream, "fill");
        let before = launches.changes();
        add(&executor, "tasks");
        executor.have_finished(1);
        assert_eq!(launches.changes(), before);
        stream.have_finished(1);
        assert_ne!(launches.changes(), before);
    }

    /// Catches a quiet that does not look at the command processor because it takes another number for the one at which
    /// it looked last, or because it does not know that tasks leave commands too; and one that always looks.
    #[test]
    fn whoever_may_leave_commands_changes_the_number() {
        let launches = Launches::default();
        let stream = launches.of_stream();
        let run = |stream: &StreamLaunches, n: u64| {
            (0..n).for_each(|_| add(stream, "fill"));
            assert_eq!(launches.idle_since(), None);
            stream.have_finished(stream.so_far());
        };
        run(&stream, 5);
        let before = launches.idle_since().expect("nothing runs");
        assert_eq!(launches.idle_since(), Some(before));
        drop(stream);
        // What is created and launched now makes up for the stream that is gone.
        let streams = [launches.of_stream(), launches.of_stream()];
        run(&streams[0], 4);
        assert!(launches.idle_since().is_some_and(|now| now != before));
        let processor = launches.of_resident(Serves::Processor);
        let before = launches.idle_since();
        add(&processor, "processor");
        assert_eq!(launches.idle_since(), before, "the processor leaves no commands");
        let executor = launches.of_resident(Serves::Executor);
        let before = launches.idle_since();
        run(&executor, 1);
        assert!(launches.idle_since().is_some() && launches.idle_since() != before, "a task may have left some");
    }

    /// Catches what stays and is taken for a kernel of the program.
    #[test]
    fn what_stays_is_named_apart() {
        let launches = Launches::default();
        let (stream, processor) = (launches.of_stream(), launches.of_resident(Serves::Processor));
        let executors = [0, 1].map(|_| launches.of_resident(Serves::Executor));
        assert_eq!(launches.describe(), "a kernel or a task");
        add(&processor, "processor");
        executors.iter().for_each(|executor| add(executor, "tasks"));
        assert_eq!((launches.program_may_run(), launches.may_run()), (false, (true, false)));
        assert_eq!(launches.staying(), ["the executor of tasks", "the command processor"]);
        add(&stream, "fill");
        assert!(launches.program_may_run());
        assert_eq!(launches.describe(), "kernel fill or a task");
        drop((executors, processor));
        assert_eq!(launches.describe(), "kernel fill");
        assert!(launches.staying().is_empty());
    }

    /// Catches a kernel of the library that is blamed for what one that the program has launched by itself did.
    #[test]
    fn a_kernel_that_is_not_counted_may_have_been_it() {
        let launches = Launches::default();
        launches.note_uncounted();
        assert_eq!(launches.describe(), "a kernel");
        let stream = launches.of_stream();
        add(&stream, "fill");
        assert_eq!(launches.describe(), "kernel fill or another kernel");
        let _executor = launches.of_resident(Serves::LaunchedExecutor);
        assert_eq!(launches.describe(), "kernel fill or another kernel or a task");
        assert_eq!(stream.describe(), "kernel fill");
    }

    #[test]
    fn a_kernel_is_named_while_it_is_launched() {
        let launches = Launches::default();
        let stream = launches.of_stream();
        add(&stream, "fill");
        stream.have_finished(stream.so_far());
        let failed = stream.add("step", || {
            assert_eq!((launches.describe(), launches.may_run()), ("kernel step".into(), (true, false)));
            // Another thread sees that the earlier launches have finished.
            stream.have_finished(stream.so_far());
            assert_eq!(stream.describe(), "kernel step");
            Err::<(), ()>(())
        });
        assert_eq!((failed, launches.describe(), launches.may_run()), (Err(()), "a kernel".into(), (false, false)));
        add(&stream, "ring");
        assert_eq!(launches.describe(), "kernel ring");
    }

    #[test]
    fn a_kernel_is_named_until_its_stream_was_seen_idle() {
        let launches = Launches::default();
        let (one, other) = (launches.of_stream(), launches.of_stream());
        assert_eq!((launches.describe(), one.describe()), ("a kernel".into(), "a stream".into()));
        add(&one, "fill");
        assert_eq!((launches.describe(), one.describe()), ("kernel fill".into(), "kernel fill".into()));
        let fill = one.so_far();
        add(&one, "step");
        assert_eq!(one.describe(), "kernel step or the one before it");
        one.have_finished(fill);
        assert_eq!(one.describe(), "kernel step");
        for _ in 0..3 {
            add(&other, "ring");
        }
        assert_eq!(launches.describe(), "kernel step, kernel ring or one of the 2 before it");
        one.have_finished(one.so_far());
        assert_eq!(launches.may_run(), (true, false));
        drop(other);
        assert_eq!((launches.describe(), one.describe()), ("a kernel".into(), "a stream".into()));
        assert_eq!(launches.may_run(), (false, false));
    }
}
