//! Kernels of the library that stay on the GPU: executors, which run the tasks that puts bring
//! ([`cushmem_device::tasks`]), and the command processor, which carries out copies for lanes of kernels. A thread of
//! the library launches each.
//!
//! *None stays for ever.* Calls of the driver that wait for everything on the GPU, such as freeing memory or loading a
//! module, would otherwise never return. So a launch ends between two tasks once [`LONGEST`] has passed, however many
//! tasks wait. The next one is on the same stream by then, so it starts at once. The thread looks four times in that
//! time. All state is in memory, so nothing is lost between two launches.
//!
//! *An executor that is launched* for what has come does not stay: [`Arrivals`] says when tasks have come, and the
//! thread launches it then, once the launch before has ended. So there is one launch at a time, which takes all that
//! had come before it, and more as it finds them; each block ends when it finds none, so no block runs while there are
//! no tasks. It ends after [`LONGEST`] in any case, and says then that it may have left tasks, for which the thread
//! launches it again. The thread naps as the proxy does; only a task of this PE's own CPU wakes it.
//!
//! *It rests now and then*, for about [`REST`] after each [`RUN`] launches. A cooperative kernel that needs the whole
//! GPU would otherwise never start: the executor's blocks come first. At the end of the job, the processor rests after
//! each launch: whoever waits for everything on the GPU then finds it idle soon.
//!
//! *Who waits for whom*: nobody waits for the thread. While another thread is in a call of the driver that frees,
//! unregisters, loads or unloads, the launches on the stream end. The driver may hold up further ones until that call
//! has returned. It returns when all kernels have ended. So it must not be made while one of them waits, directly or
//! through kernels of other PEs, for a task of this PE or for its command processor:
//! [`Shmem::task_queue`](crate::Shmem::task_queue) forbids it, and so does docs/command-processor.md. A wait for a
//! stream or an event holds up nothing.
//!
//! *The end*: the thread launches nothing more, and ends. What is on the stream ends after up to twice [`LONGEST`].
//! Then, unless the GPU has failed, a last launch runs all tasks that have come, and ends when there are none.
//!
//! *When a task fails*, its kernel ends, and with it the GPU. Executors have noted in host memory what each block runs,
//! from before the function begins until the block has found no other task for a short time. So there may be notes of
//! several tasks, in several queues, also of some that have ended well. If the failure has left a record, it is of a
//! task that is noted for the record's block, or of none. If there is a note, and no kernel of the program may have
//! been running, the first thread that sees the failure ends the job, or [`Resident::end`] does. Otherwise a kernel of
//! the program may have failed, or a launch: also if the program has launched none that the library knows, but can
//! launch others, as all programs in C can. Whoever waits for that kernel has [`GRACE`] to say why. Then a thread ends
//! the job, because other PEs may wait for tasks. The message names whatever may have failed.

use super::Services;
use super::arrivals::Arrivals;
use super::idle::Idle;
use super::launches::{Serves, StreamLaunches};
use crate::error::{Cause, Error, Result};
use crate::sync::pinned::PinnedWords;
use crate::sync::{guard, locked};
use cushmem_abi::{TASK_BLOCKS, TaskArea, TaskHead, TaskReports};
use cushmem_bootstrap::waits::{Published, note};
use cushmem_device::{Kernel, KernelArgs};
use cushmem_gpu::{Function, GpuError, Grid, LaunchKind, Module, Stream};
use cushmem_kernels::processor_serve;
use std::collections::BTreeSet;
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// How long a launch of an executor runs at most, apart from its last task.
const LONGEST: Duration = Duration::from_millis(20);
/// How long one runs that is launched for what has come.
const UNTIL_NONE: u64 = LONGEST.as_nanos() as u64 | TaskArea::UNTIL_NONE;
/// How many launches are on the stream.
const AHEAD: u64 = 2;
/// Launches between two rests.
const RUN: u64 = 32;
const REST: Duration = Duration::from_millis(1);
/// How long the program has to end or to leave the job after an error that no task made.
const GRACE: Duration = Duration::from_secs(10);

/// The kernel that `tasks!` makes. Its queue is an address.
#[derive(Clone, Copy)]
pub(crate) struct RunTasks;

impl Kernel for RunTasks {
    type Args = (u64, u64, u64);
    const NAME: &'static str = "cushmem_run_tasks";
}

/// What runs the tasks that come.
///
/// ```
/// use cushmem::{TaskExecutor, TaskOptions};
///
/// // While there are no tasks, no block of the GPU is lent.
/// let options = TaskOptions { executor: TaskExecutor::Launched, ..TaskOptions::default() };
/// assert_eq!(options.blocks, 1);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TaskExecutor {
    /// A kernel that stays on the GPU: tasks begin soonest, and its blocks are not the program's.
    #[default]
    Resident,
    /// A kernel that a thread of the library launches when tasks have come. It ends when it finds no more.
    Launched,
}

/// What the kernel is.
pub(crate) enum Runs {
    /// An executor of the functions with these names, which stays or is launched for what has come.
    Tasks(Vec<String>, TaskExecutor),
    /// The command processor.
    Processor,
}

impl Runs {
    /// The routine, and the kernel.
    fn names(&self) -> [&'static str; 2] {
        match self {
            Self::Tasks(..) => ["tasks", RunTasks::NAME],
            Self::Processor => ["command processor", processor_serve::NAME],
        }
    }

    fn serves(&self) -> Serves {
        match self {
            Self::Tasks(_, TaskExecutor::Resident) => Serves::Executor,
            Self::Tasks(_, TaskExecutor::Launched) => Serves::LaunchedExecutor,
            Self::Processor => Serves::Processor,
        }
    }
}

/// A kernel that stays, or an executor that is launched for what has come. Its arguments are an address, the number of
/// the launch, and how long it runs at most, in nanoseconds, with [`TaskArea::UNTIL_NONE`] or without.
pub(crate) struct Resident {
    services: Weak<Services>,
    stream: Arc<dyn Stream>,
    launches: StreamLaunches,
    function: Arc<dyn Function>,
    /// Loaded as long as the kernel may run; the library's own stays anyway.
    _module: Option<Arc<dyn Module>>,
    grid: Grid,
    runs: Arc<Runs>,
    reports: Arc<PinnedWords>,
    /// While it runs, the launcher can ask which task.
    published: Mutex<Option<Published>>,
    address: Mutex<Option<u64>>,
    launched: AtomicU64,
    /// Whether it rests after each launch.
    yields: AtomicBool,
    stop: AtomicBool,
    thread: Mutex<Option<JoinHandle<()>>>,
}

const fn word_index(offset: usize) -> usize {
    offset / size_of::<u64>()
}

impl Services {
    /// Prepares a kernel that stays, with blocks like those of `grid`. Launches nothing.
    pub(crate) fn make_resident(
        self: &Arc<Self>,
        operation: &'static str,
        (function, module): (Arc<dyn Function>, Option<Arc<dyn Module>>),
        grid: Grid,
        runs: Runs,
    ) -> Result<Arc<Resident>> {
        let gpu = self.memory().own_gpu(operation)?;
        let reports = PinnedWords::create(gpu, word_index(size_of::<TaskReports>()))?;
        // Its blocks start before waiting ones of the program.
        let stream = gpu.create_urgent_stream().map_err(Error::of(operation))?;
        let resident = Arc::new(Resident {
            services: Arc::downgrade(self),
            stream,
            launches: self.launches.of_resident(runs.serves()),
            function,
            _module: module,
            grid,
            runs: Arc::new(runs),
            reports: Arc::new(reports),
            published: Mutex::default(),
            address: Mutex::default(),
            launched: AtomicU64::new(0),
            yields: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            thread: Mutex::default(),
        });
        let mut all = locked(&self.residents);
        all.retain(|resident| resident.strong_count() > 0);
        all.push(Arc::downgrade(&resident));
        Ok(resident)
    }

    fn executors(&self) -> Vec<Arc<Resident>> {
        self.residents().into_iter().filter(|resident| matches!(*resident.runs, Runs::Tasks(..))).collect()
    }

    /// Whether the program has a queue of tasks. All PEs have the same queues.
    pub(super) fn are_executors(&self) -> bool {
        !self.executors().is_empty()
    }

    /// Has all executors rest after each launch from now on.
    pub(super) fn let_executors_yield(&self) {
        self.executors().iter().for_each(|executor| executor.begin_to_yield());
    }

    /// Ends all executors that still run, after they have run what has come.
    pub(super) fn stop_executors(&self) {
        // Of a failure that no task made, whoever waits for the kernel says why.
        self.executors().iter().for_each(|executor| drop(executor.end(true)));
    }

    fn residents(&self) -> Vec<Arc<Resident>> {
        locked(&self.residents).iter().filter_map(Weak::upgrade).collect()
    }

    /// How many blocks the kernels have that stay.
    pub(crate) fn resident_blocks(&self) -> u32 {
        let all = self.residents().into_iter().filter(|resident| !resident.is_launched());
        let running = all.filter(|resident| locked(&resident.thread).is_some());
        running.map(|resident| resident.grid.block_count() as u32).sum()
    }

    /// Whether a thread may launch one of these kernels at any moment: not before [`Resident::begin`] or after
    /// [`Resident::end`].
    pub(crate) fn may_launch(&self) -> bool {
        // Another thread that holds the address waits for the kernel's end.
        let is_on = |resident: &Resident| resident.address.try_lock().map_or(true, |address| address.is_some());
        self.residents().iter().any(|resident| is_on(resident))
    }

    /// The tasks of which one may have ended its kernel, when the GPU has failed.
    fn suspected_tasks(&self) -> BTreeSet<String> {
        let record = self.sync().control().read_error_record();
        let block = record.map(|(_, record)| (record.lane >> 32) as usize);
        self.residents().iter().flat_map(|resident| noted(&resident.runs, &resident.reports, block)).collect()
    }

    /// What of the library's kernels may have ended, when the GPU has failed: tasks, and the command processor, which
    /// leaves no record.
    pub(crate) fn suspects(&self) -> Option<String> {
        let has_record = self.sync().control().read_error_record().is_some();
        let processor = self.processor.get().filter(|_| !has_record).map(|_| Serves::Processor.name().to_owned());
        let all: Vec<_> = self.suspected_tasks().into_iter().chain(processor).collect();
        (!all.is_empty()).then(|| all.join(", or "))
    }
}

impl Resident {
    /// The address of the [`TaskReports`].
    pub(crate) fn reports(&self) -> u64 {
        self.reports.address(0)
    }

    /// Whether it is launched for what has come.
    pub(crate) fn is_launched(&self) -> bool {
        matches!(*self.runs, Runs::Tasks(_, TaskExecutor::Launched))
    }

    /// How many functions it can run.
    pub(crate) fn functions(&self) -> usize {
        match &*self.runs {
            Runs::Tasks(names, _) => names.len(),
            Runs::Processor => 0,
        }
    }

    /// Starts it, and keeps it running, or launches it for what has come, until [`Resident::end`]. What is at the
    /// address lives until then, also if this fails. `arrivals` are those of an executor that is launched.
    pub(crate) fn begin(self: &Arc<Self>, address: u64, arrivals: Option<Arrivals>) -> Result<()> {
        *locked(&self.address) = Some(address);
        match arrivals {
            // It finds nothing, but later launches have no code to load.
            Some(_) => self.launch(address, UNTIL_NONE)?,
            None => self.fill(address)?,
        }
        if let Runs::Tasks(..) = &*self.runs {
            let (runs, reports) = (self.runs.clone(), self.reports.clone());
            let says = move || {
                let tasks = noted(&runs, &reports, None).into_iter().collect::<Vec<_>>();
                (!tasks.is_empty()).then(|| format!("{} runs {}", runs.serves().name(), tasks.join(", and ")))
            };
            *locked(&self.published) = Some(note(says));
        }
        let resident = self.clone();
        let thread = Builder::new().name("cushmem-launch".to_owned());
        let thread = cushmem_thread::start(thread, move || guard::or_abort(|| resident.keep(address, arrivals)));
        let thread = thread.map_err(|error| Error::new("start a thread", Cause::System(error.to_string())))?;
        *locked(&self.thread) = Some(thread);
        Ok(())
    }

    fn keep(&self, address: u64, arrivals: Option<Arrivals>) {
        let kept = match arrivals {
            Some(arrivals) => self.launch_for(address, arrivals),
            None => self.stay(address),
        };
        if let Err(error) = kept {
            self.fail(error);
        }
    }

    /// Keeps it on the GPU.
    fn stay(&self, address: u64) -> std::result::Result<(), GpuError> {
        loop {
            let stops = self.stops();
            if !stops {
                self.fill(address)?;
            }
            self.stream.is_idle()?;
            if stops {
                return Ok(());
            }
            std::thread::park_timeout(LONGEST / 4);
        }
    }

    /// Launches it when tasks have come.
    fn launch_for(&self, address: u64, mut arrivals: Arrivals) -> std::result::Result<(), GpuError> {
        let shares = self.services.upgrade().is_none_or(|services| services.job().is_oversubscribed());
        let (mut idle, mut checked) = (Idle::new(shares), Instant::now());
        // The launch that `begin` has made.
        let mut batches = Batches { have_come: false, is_running: true };
        loop {
            let stops = self.stops();
            let have_come = arrivals.look();
            if have_come {
                idle = Idle::new(shares);
            }
            let mut ended = None;
            let has_ended = batches.is_running && self.reported(offset_of!(TaskReports, ended)) == self.launched();
            // Also without tasks now and then, as the GPU can fail.
            if has_ended || stops || checked.elapsed() > LONGEST / 4 {
                checked = Instant::now();
                // Of a launch whose first block has ended, others may still run.
                if self.stream.is_idle()? && has_ended {
                    self.launches.have_finished(self.launched());
                    ended = Some(self.reported(offset_of!(TaskReports, left)) == self.launched());
                }
            }
            if stops {
                return Ok(());
            }
            if batches.launches(have_come, ended) {
                self.launch(address, UNTIL_NONE)?;
            }
            idle.pause(batches.is_running);
        }
    }

    /// Has the thread look at once for tasks of this PE's CPU, if it launches the executor for them.
    pub(crate) fn wake(&self) {
        if self.is_launched()
            && let Some(thread) = &*locked(&self.thread)
        {
            thread.thread().unpark();
        }
    }

    /// A word of the reports. What the kernel says there is ordered by the end of its launch, or is this number only.
    fn reported(&self, at: usize) -> u64 {
        // Relaxed: the kernel has nothing to say but this number.
        self.reports.word(word_index(at)).load(Ordering::Relaxed)
    }

    /// Has it rest after each launch from now on.
    pub(super) fn begin_to_yield(&self) {
        // Relaxed: one flag, for the next launches.
        self.yields.store(true, Ordering::Relaxed);
    }

    /// Whether a task has failed, when the GPU has: a note may also be of a task that has just ended.
    fn task_has_failed(&self) -> bool {
        self.services.upgrade().is_some_and(|services| {
            !services.suspected_tasks().is_empty() && !services.launches().program_may_have_failed()
        })
    }

    fn stops(&self) -> bool {
        // Relaxed: the join orders it.
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends the job, unless the program ends the executor first after an error that no task made.
    fn fail(&self, error: GpuError) {
        let start = Instant::now();
        while !self.task_has_failed() && start.elapsed() < GRACE {
            if self.stops() {
                return;
            }
            std::thread::park_timeout(GRACE / 100);
        }
        if let Some(services) = self.services.upgrade() {
            let [routine, ..] = self.runs.names();
            services.job().end(routine, &self.error(&services, error));
        }
    }

    fn error(&self, services: &Services, error: GpuError) -> Error {
        let of_library = services.suspects().unwrap_or_else(|| self.runs.serves().name().into());
        let what = if services.launches().program_may_have_failed() {
            format!("{}, or {of_library}", services.launches().describe_kernels())
        } else {
            of_library
        };
        services.transfers.device_error(what, error)
    }

    /// Launches it until there are enough launches on the stream.
    fn fill(&self, address: u64) -> std::result::Result<(), GpuError> {
        let ended = self.reported(offset_of!(TaskReports, ended));
        // Of the last launch that says so, other blocks than the first may still run. The one before has ended.
        let is_idle = ended == self.launched() && self.stream.is_idle()?;
        self.launches.have_finished(if is_idle { ended } else { ended.saturating_sub(1) });
        // Relaxed: one flag, for the next launches.
        let run = if self.yields.load(Ordering::Relaxed) { 1 } else { RUN };
        while self.launched() < ended + AHEAD {
            if self.launched() > 0 && self.launched().is_multiple_of(run) {
                if !is_idle {
                    return Ok(());
                }
                std::thread::sleep(REST);
            }
            self.launch(address, LONGEST.as_nanos() as u64)?;
        }
        Ok(())
    }

    fn launched(&self) -> u64 {
        // Relaxed: one thread at a time launches, and the next one has synchronised with it.
        self.launched.load(Ordering::Relaxed)
    }

    fn launch(&self, address: u64, longest: u64) -> std::result::Result<(), GpuError> {
        let number = self.launched() + 1;
        let args = (address, number, longest);
        let [_, kernel] = self.runs.names();
        self.launches.add(kernel, || {
            // SAFETY: the tuple's types are the kernel's parameters; what is there lives until the stream has ended.
            args.with_pointers(|pointers| unsafe {
                self.stream.launch(self.function.as_ref(), &self.grid, LaunchKind::Plain, pointers)
            })
        })?;
        // Relaxed: as in `launched`.
        self.launched.store(number, Ordering::Relaxed);
        Ok(())
    }

    /// Ends it, if it runs; with `all`, after it has carried out everything that has come. If a task has failed, this
    /// ends the job. Any other error is returned: the GPU has failed then.
    pub(crate) fn end(&self, all: bool) -> Result<()> {
        // In a panic the process is about to end, and with it the kernel. A child after fork has neither the thread nor
        // the kernel.
        if std::thread::panicking() || !cushmem_bootstrap::joined_here() {
            return Ok(());
        }
        // Relaxed: the join orders it.
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = locked(&self.thread).take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
        // Without a thread, `begin` has failed, but may have launched something.
        // Held until the kernel has ended, so that nobody else takes it to be over before.
        let mut address = locked(&self.address);
        let Some(address) = address.take() else { return Ok(()) };
        let ran = if all { self.launch(address, 0) } else { Ok(()) };
        let ended = ran.and(self.stream.synchronize());
        // Tasks may have run until now.
        locked(&self.published).take();
        let error = match ended {
            Ok(()) => {
                self.launches.have_finished(self.launches.so_far());
                return Ok(());
            }
            Err(error) => error,
        };
        let Some(services) = self.services.upgrade() else { return Ok(()) };
        let says = self.error(&services, error);
        if self.task_has_failed() {
            services.job().end("tasks", &says);
        }
        Err(says)
    }
}

/// What the thread knows that launches an executor for what has come.
struct Batches {
    /// Whether tasks have come for which there was no launch yet.
    have_come: bool,
    /// Whether a launch may be running.
    is_running: bool,
}

impl Batches {
    /// Whether to launch it now. `have_come` says that tasks were seen since the last call, and `ended` that the launch
    /// has ended, and whether it may have left tasks.
    fn launches(&mut self, have_come: bool, ended: Option<bool>) -> bool {
        self.have_come |= have_come || ended == Some(true);
        self.is_running &= ended.is_none();
        let launches = self.have_come && !self.is_running;
        if launches {
            *self = Self { have_come: false, is_running: true };
        }
        launches
    }
}

/// The tasks that blocks run, or ran last: of all blocks, or of one.
fn noted(runs: &Runs, reports: &PinnedWords, block: Option<usize>) -> BTreeSet<String> {
    let Runs::Tasks(names, _) = runs else { return BTreeSet::new() };
    let of_block = |block| {
        let word = word_index(offset_of!(TaskReports, running)) + block;
        // Relaxed: one number, for a message.
        let head = TaskHead::of_bits(reports.word(word).load(Ordering::Relaxed));
        let name = names.get(usize::from(head.function)).map_or("?", String::as_str);
        (head.signal == TaskReports::RUNS).then(|| format!("task {name}, put by PE {}", head.pe))
    };
    (0..TASK_BLOCKS).filter(|of| block.is_none_or(|block| *of == block)).filter_map(of_block).collect()
}

impl Drop for Resident {
    fn drop(&mut self) {
        // As in `stop_executors`.
        let _ = self.end(false);
    }
}

#[cfg(test)]
mod tests {
    use super::Batches;

    /// What a round of the thread finds: whether tasks have come, and whether the launch has ended, maybe with tasks
    /// left. Catches two launches at a time, and tasks for which there is none: those seen while one runs, which may
    /// not take them, and those that it has left.
    #[test]
    fn each_batch_has_a_launch_behind_it() {
        const ROUNDS: u32 = 7;
        let found = [(false, None), (true, None), (false, Some(false)), (false, Some(true)), (true, Some(false))];
        for mut which in 0..found.len().pow(ROUNDS) {
            let mut batches = Batches { have_come: false, is_running: true };
            let (mut waits, mut runs) = (false, true);
            for _ in 0..ROUNDS {
                let (come, ended) = found[which % found.len()];
                which /= found.len();
                let ended = ended.filter(|_| runs);
                waits |= come || ended == Some(true);
                runs &= ended.is_none();
                assert_eq!(batches.launches(come, ended), waits && !runs);
                (waits, runs) = (waits && runs, runs || waits);
                assert_eq!(batches.is_running, runs);
            }
        }
    }
}
