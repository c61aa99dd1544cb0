//! Kernels of the library that stay on the GPU: executors, which run the tasks that puts bring
//! ([`cushmem_device::tasks`]), and the command processor, which carries out copies for lanes of kernels. A thread of
//! the library launches each.
//!
//! *None stays for ever.* Calls of the driver that wait for everything on the GPU, such as freeing memory or loading a
//! module, would otherwise never return. So a launch ends between two tasks once [`LONGEST`] has passed, however many
//! tasks wait. The next one is on the same stream by then, so it starts at once. The thread looks four times in that
//! time. All state is in memory, so nothing is lost between two launches.
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
//! *When a task fails*, its kernel ends, and with it the GPU. The executor has noted in host memory what each block
//! runs, from before the function begins until the signal is updated. If there is a note, the thread ends the job, or
//! [`Resident::end`] does. If there is none, a kernel of the program has failed, or a launch. Whoever waits for that
//! kernel has [`GRACE`] to say why. Then the thread ends the job, because other PEs may wait for tasks.

use super::Services;
use super::launches::{Stays, StreamLaunches};
use crate::error::{Cause, Error, Result};
use crate::sync::pinned::PinnedWords;
use crate::sync::{guard, locked};
use cushmem_abi::{TASK_BLOCKS, TaskHead, TaskReports};
use cushmem_device::{Kernel, KernelArgs};
use cushmem_gpu::{Function, GpuError, Grid, LaunchKind, Module, Stream};
use cushmem_kernels::processor_serve;
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

/// How long a launch of an executor runs at most, apart from its last task.
const LONGEST: Duration = Duration::from_millis(20);
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

/// What the kernel is.
pub(crate) enum Runs {
    /// An executor of the functions with these names.
    Tasks(Vec<String>),
    /// The command processor.
    Processor,
}

impl Runs {
    /// The routine, and the kernel.
    fn names(&self) -> [&'static str; 2] {
        match self {
            Self::Tasks(_) => ["tasks", RunTasks::NAME],
            Self::Processor => ["command processor", processor_serve::NAME],
        }
    }

    fn stays(&self) -> Stays {
        match self {
            Self::Tasks(_) => Stays::Executor,
            Self::Processor => Stays::Processor,
        }
    }
}

/// A kernel that stays. Its arguments are an address, the number of the launch, and how long it runs at most, in
/// nanoseconds.
pub(crate) struct Resident {
    services: Weak<Services>,
    stream: Arc<dyn Stream>,
    launches: StreamLaunches,
    function: Arc<dyn Function>,
    /// Loaded as long as the kernel may run; the library's own stays anyway.
    _module: Option<Arc<dyn Module>>,
    grid: Grid,
    runs: Runs,
    reports: PinnedWords,
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
            launches: self.launches.of_resident(runs.stays()),
            function,
            _module: module,
            grid,
            runs,
            reports,
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

    /// Ends all executors that still run.
    pub(super) fn stop_executors(&self) {
        let all = self.residents();
        // Of a failure that no task made, whoever waits for the kernel says why.
        let executors = all.iter().filter(|resident| matches!(resident.runs, Runs::Tasks(_)));
        executors.for_each(|executor| drop(executor.end(false)));
    }

    fn residents(&self) -> Vec<Arc<Resident>> {
        locked(&self.residents).iter().filter_map(Weak::upgrade).collect()
    }

    /// How many blocks the kernels have that stay.
    pub(crate) fn resident_blocks(&self) -> u32 {
        let running = self.residents().into_iter().filter(|resident| locked(&resident.thread).is_some());
        running.map(|resident| resident.grid.block_count() as u32).sum()
    }

    /// What executors run at the moment, or ran when the GPU failed.
    pub(crate) fn running_task(&self) -> Option<String> {
        self.residents().iter().find_map(|resident| resident.running())
    }
}

impl Resident {
    /// The address of the [`TaskReports`].
    pub(crate) fn reports(&self) -> u64 {
        self.reports.address(0)
    }

    /// How many functions it can run.
    pub(crate) fn functions(&self) -> usize {
        match &self.runs {
            Runs::Tasks(names) => names.len(),
            Runs::Processor => 0,
        }
    }

    /// Starts it, and keeps it running until [`Resident::end`]. What is at the address lives until then, also if this
    /// fails.
    pub(crate) fn begin(self: &Arc<Self>, address: u64) -> Result<()> {
        *locked(&self.address) = Some(address);
        self.fill(address)?;
        let resident = self.clone();
        let thread = Builder::new().name("cushmem-stays".to_owned());
        let thread = cushmem_thread::start(thread, move || guard::or_abort(|| resident.keep(address)));
        let thread = thread.map_err(|error| Error::new("start a thread", Cause::System(error.to_string())))?;
        *locked(&self.thread) = Some(thread);
        Ok(())
    }

    fn keep(&self, address: u64) {
        loop {
            let stops = self.stops();
            let filled = if stops { Ok(()) } else { self.fill(address) };
            if let Err(error) = filled.and_then(|()| self.stream.is_idle().map(drop)) {
                return self.fail(error);
            }
            if stops {
                return;
            }
            std::thread::park_timeout(LONGEST / 4);
        }
    }

    /// Has it rest after each launch from now on.
    pub(super) fn begin_to_yield(&self) {
        // Relaxed: one flag, for the next launches.
        self.yields.store(true, Ordering::Relaxed);
    }

    fn stops(&self) -> bool {
        // Relaxed: the join orders it.
        self.stop.load(Ordering::Relaxed)
    }

    /// Ends the job, unless the program ends the executor first after an error that no task made.
    fn fail(&self, error: GpuError) {
        let start = Instant::now();
        while self.running().is_none() && start.elapsed() < GRACE {
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
        services.transfers.device_error(self.running().unwrap_or_else(|| self.runs.stays().name().into()), error)
    }

    /// Launches it until there are enough launches on the stream.
    fn fill(&self, address: u64) -> std::result::Result<(), GpuError> {
        // Relaxed: the kernel has nothing to say but this number.
        let ended = self.reports.word(word_index(offset_of!(TaskReports, ended))).load(Ordering::Relaxed);
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
            self.launch(address, LONGEST)?;
        }
        Ok(())
    }

    fn launched(&self) -> u64 {
        // Relaxed: one thread at a time launches, and the next one has synchronised with it.
        self.launched.load(Ordering::Relaxed)
    }

    fn launch(&self, address: u64, longest: Duration) -> std::result::Result<(), GpuError> {
        let number = self.launched() + 1;
        let args = (address, number, longest.as_nanos() as u64);
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
        let ran = if all { self.launch(address, Duration::ZERO) } else { Ok(()) };
        let error = match ran.and(self.stream.synchronize()) {
            Ok(()) => {
                self.launches.have_finished(self.launches.so_far());
                return Ok(());
            }
            Err(error) => error,
        };
        let Some(services) = self.services.upgrade() else { return Ok(()) };
        let says = self.error(&services, error);
        if self.running().is_some() {
            services.job().end("tasks", &says);
        }
        Err(says)
    }

    /// The task that a block runs.
    fn running(&self) -> Option<String> {
        let Runs::Tasks(names) = &self.runs else { return None };
        (0..TASK_BLOCKS).find_map(|block| {
            let word = word_index(offset_of!(TaskReports, running)) + block;
            // Relaxed: one number, for a message.
            let head = TaskHead::of_bits(self.reports.word(word).load(Ordering::Relaxed));
            let name = names.get(usize::from(head.function)).map_or("?", String::as_str);
            (head.signal == TaskReports::RUNS).then(|| format!("task {name}, put by PE {}", head.pe))
        })
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        // As in `stop_executors`.
        let _ = self.end(false);
    }
}
