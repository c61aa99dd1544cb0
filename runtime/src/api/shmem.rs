//! A PE's handle on its job: its parts, initialisation and finalisation.

use crate::error::{Cause, Error, Result};
use crate::job::config::GpuChoice;
use crate::job::{Job, Settings, Start, config, record};
use crate::memory::globals::Language;
use crate::memory::{self, Memory, OwnGpu};
use crate::service::{Services, images};
use crate::sync::Sync as Synchronisation;
use crate::transfer::Transfers;
use crate::transfer::paths::Paths;
use cushmem_abi::DeviceContext;
use cushmem_bootstrap::{UniqueId, joined_here};
use cushmem_environment::Explain;
use cushmem_environment::log;
use cushmem_gpu::cuda;
use cushmem_path::{Measured, Overrides};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

/// This PE's handle on the job: its heaps, its GPU and its connections to the other PEs.
///
/// Dropping the handle finalises the library: the drop waits until all PEs have done the same. If your program can fail
/// part-way, use [`crate::run`], so that an error on one PE ends the job instead of leaving the other PEs waiting.
///
/// Any number of threads may use the handle at once. Collective calls must be made by one thread of a PE at a time, in
/// the same order on all PEs. They are allocation and freeing ([`Shmem::malloc`], [`Shmem::free`] and their variants),
/// [`Shmem::barrier_all`] and [`Shmem::sync_all`], and the first [`Shmem::load`] of a job. Other threads may put, get
/// and wait while a collective call runs. `quiet` and `fence` apply to everything that any thread of this PE has issued
/// before on the default context.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// let counts = shmem.malloc::<u64>(1)?;
/// std::thread::scope(|threads| {
///     let all = 0..shmem.n_pes();
///     let threads: Vec<_> = all.map(|pe| threads.spawn(move || shmem.fetch_add(counts.at(0), 1, pe))).collect();
///     threads.into_iter().try_for_each(|thread| thread.join().expect("it does not panic").map(drop))
/// })?;
/// shmem.barrier_all()?;
/// assert_eq!(counts.to_vec()?, [u64::from(shmem.n_pes())]);
/// # Ok(()) }) }
/// ```
pub struct Shmem {
    services: Arc<Services>,
    /// Those of `services`.
    transfers: Arc<Transfers>,
    job: Arc<Job>,
    /// What kernels know about the job, once the GPUs are started.
    pub(super) device_context: OnceLock<DeviceContext>,
    /// Held during a collective call that changes the heaps.
    changing: Mutex<()>,
    /// `CUSHMEM_EXPLAIN`.
    explains: Explain,
    /// Whether host barriers flush standard output.
    flushes: bool,
    /// Whether this PE is a part of the job: all have come through [`init`], and so will come to the end.
    joined: AtomicBool,
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Shmem>();
};

/// Joins the job that `shmemrun`, or torchrun on one host, has started, or creates a job of one PE (`shmem_init`,
/// OpenSHMEM 1.6, 9.1). Collective. A process has one handle at a time. After it was dropped, the process may join
/// again, if all PEs do; what belonged to the old handle means nothing to the new one.
///
/// ```
/// let shmem = cushmem::init()?;
/// println!("PE {} of {}", shmem.my_pe(), shmem.n_pes());
/// // Dropping it waits for all other PEs.
/// # cushmem::Result::Ok(())
/// ```
pub fn init() -> Result<Shmem> {
    Shmem::join(Start::Launched, Language::Rust)
}

/// Joins a job, identified by a unique id, as PE `pe` of `n_pes` (`shmemx_init_attr`). One process creates the id with
/// [`UniqueId::create`] and distributes it to the others. Use this function in programs that another launcher starts.
/// Collective. A process has one handle at a time; later jobs may have other ids and other numbers of PEs.
///
/// The process that created the id must run until the job ends: if it exits early, all PEs end. All PEs must be on one
/// machine.
///
/// ```no_run
/// # fn broadcast(id: Option<String>) -> String { id.unwrap() }
/// # let (rank, size) = (0, 1);
/// let id = if rank == 0 { Some(cushmem::UniqueId::create()?.to_string()) } else { None };
/// let id: cushmem::UniqueId = broadcast(id).parse()?;
/// let shmem = cushmem::init_uid(rank, size, &id)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn init_uid(pe: u32, n_pes: u32, id: &UniqueId) -> Result<Shmem> {
    Shmem::join(Start::WithId { pe, n_pes, id: *id }, Language::Rust)
}

/// Initialises the library, runs `program`, and finalises. If `program` returns an error, prints it and ends the job
/// with status 1.
///
/// ```
/// use cushmem::{Result, Shmem};
/// use std::process::ExitCode;
///
/// fn main() -> ExitCode {
///     cushmem::run(hello)
/// }
///
/// fn hello(shmem: &Shmem) -> Result<()> {
///     println!("PE {} of {}", shmem.my_pe(), shmem.n_pes());
///     Ok(())
/// }
/// ```
pub fn run<E: std::fmt::Display>(program: impl FnOnce(&Shmem) -> std::result::Result<(), E>) -> std::process::ExitCode {
    let shmem = match init() {
        Ok(shmem) => shmem,
        Err(error) => {
            cushmem_environment::let_pe_0_speak();
            log!(Error, "init: {}", cushmem_environment::printable(&error.to_string()));
            return std::process::ExitCode::FAILURE;
        }
    };
    match program(&shmem) {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => shmem.job.bootstrap().abort(1, &format!("{error:#}")),
    }
}

/// # The job and this PE
impl Shmem {
    pub(crate) fn join(start: Start, language: Language) -> Result<Self> {
        let config = config()?;
        let overrides = Overrides::parse(&cushmem_environment::path()?.unwrap_or_default())
            .map_err(|error| Error::new("choose paths", Cause::Environment(error.to_string())))?;
        let measured = cushmem_environment::costs()?;
        let measured = measured.map_or(Ok(Measured::default()), |(file, text)| Measured::parse(&file, &text));
        let measured = measured.map_err(|error| Error::new("choose paths", Cause::Environment(error.to_string())))?;
        let explains = cushmem_environment::explain()?;
        let flushes = cushmem_environment::flushes_at_barriers()?;
        if config.gpu == GpuChoice::Cuda {
            // This does not initialise the driver, which takes a third of a second.
            cuda::driver::open().map_err(memory::no_driver)?;
        }
        if matches!(config.gpu, GpuChoice::Auto | GpuChoice::Cuda) {
            cuda::choose_eager_loading();
        }
        let (job, all) = Job::join(&start, &config)?;
        let job = Arc::new(job);
        let own_gpu = OwnGpu::new(&config, job.bootstrap().job().local_pe, job.n_pes());
        let sync = Synchronisation::create(&job, all.iter().any(Settings::check))?;
        let memory = Memory::create(&job, sync.network(), &all, own_gpu, config.huge_pages, language)?;
        let paths = Paths::new(&job, &sync, &memory, overrides, measured)?;
        let transfers = Arc::new(Transfers::create(&job, sync, memory, paths)?);
        let services = Arc::new(Services::new(&transfers, config.command_processor));
        if matches!(language, Language::C) {
            // The C API has no launches, so the program launches its kernels itself.
            services.launches().note_uncounted();
        }
        let shmem = Self {
            services,
            transfers,
            job,
            device_context: OnceLock::new(),
            changing: Mutex::default(),
            explains,
            flushes,
            joined: AtomicBool::new(false),
        };
        shmem.job.bootstrap().fence("initialised")?;
        // Relaxed: only [`Shmem::finalize`] reads it, and its caller has this handle.
        shmem.joined.store(true, Ordering::Relaxed);
        shmem.job.debug(|| {
            let cores = if shmem.is_oversubscribed() { "shares cores" } else { "has cores of its own" };
            let host = shmem.memory().host();
            let (bytes, at) = (host.bytes(), host.own(0));
            format!("process {}, {bytes} bytes of host memory at {at:p}, {cores}", std::process::id())
        });
        Ok(shmem)
    }

    /// Returns this PE's number (`shmem_my_pe`).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// // The PEs share out 100 pieces of work.
    /// let mine = (shmem.my_pe()..100).step_by(shmem.n_pes() as usize);
    /// # assert!(mine.count() >= 100 / shmem.n_pes() as usize);
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn my_pe(&self) -> u32 {
        self.job.my_pe()
    }

    /// Returns the number of PEs in the job (`shmem_n_pes`).
    /// [`Shmem::my_pe`] has an example.
    #[inline]
    pub fn n_pes(&self) -> u32 {
        self.job.n_pes()
    }

    /// Describes the network between nodes in one line, for people: its provider, its device or address, and what it
    /// promises. `None` if the job has one node.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// println!("{}", shmem.network().unwrap_or("one node".into()));
    /// # Ok(()) }) }
    /// ```
    pub fn network(&self) -> Option<String> {
        self.transfers.sync().network().map(|network| network.description())
    }

    /// Returns whether the job has more PEs than there are cores.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// // More threads would take time from the other PEs.
    /// let threads = if shmem.is_oversubscribed() { 1 } else { 4 };
    /// # Ok(()) }) }
    /// ```
    pub fn is_oversubscribed(&self) -> bool {
        self.job.is_oversubscribed()
    }

    /// Returns a table, for people to read, of the paths that this PE's operations take and the reasons for them. It
    /// has rows for GPU memory once the job has some.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// println!("{}", shmem.paths());
    /// # Ok(()) }) }
    /// ```
    pub fn paths(&self) -> String {
        format!("{}\n{}", self.transfers.paths().costs(self.memory()), self.transfers.paths().policy())
    }

    /// Returns the table itself, for `shmem-tune`.
    #[doc(hidden)]
    pub fn policy(&self) -> cushmem_path::Policy {
        self.transfers.paths().policy().clone()
    }

    /// Ends the whole job with `status`. Any thread of any PE may call it, whatever the others are doing
    /// (`shmem_global_exit`, OpenSHMEM 1.6, 9.1). All PEs flush standard output and the streams of C. A stream whose
    /// lock another thread holds for more than a second is not waited for. Destructors and exit handlers do not run.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// if std::env::args().len() > 3 {
    ///     eprintln!("too many arguments");
    ///     shmem.global_exit(2);
    /// }
    /// # Ok(()) }) }
    /// ```
    pub fn global_exit(&self, status: i32) -> ! {
        self.job.bootstrap().abort(status, "")
    }

    /// Completes this PE's operations and waits, without a limit, until all PEs have called it (`shmem_finalize`,
    /// OpenSHMEM 1.6, 9.1). Dropping the handle does the same, and also unmaps the heaps. A second call does nothing,
    /// and neither does a call in a forked child, which shares its parent's connection.
    ///
    /// `last` is done when no kernel and no task of this PE runs any more, and operations still work.
    pub(crate) fn finalize(&self, last: Option<&dyn Fn()>) {
        if !joined_here() {
            return;
        }
        // Relaxed: any other caller may return at once. A PE whose `init` failed has an error to report, and the others
        // do not get here.
        if !self.joined.swap(false, Ordering::Relaxed) {
            return;
        }
        self.memory().report_leaks();
        if self.explains != Explain::Nothing && self.my_pe() == 0 {
            self.explain(self.explains);
        }
        self.job.debug(|| "leaves the job".to_owned());
        let tasks_ended = self.services.await_tasks();
        self.services.await_kernels(last.is_some());
        let is_said = images::any_told() && self.say_why_kernels_ended();
        if !is_said && !images::any_that_never_knew() {
            self.say_that_a_kernel_ended();
        }
        if let Some(last) = last {
            last();
        }
        let completed = tasks_ended.and_then(|()| self.transfers.complete_all());
        self.services.end_kernel_record();
        let completed = completed.and_then(|()| self.transfers.end_service());
        if let Some(counts) = self.services.proxy_counts() {
            self.job.debug(|| format!("carried out {counts}"));
        }
        let finished = completed.and_then(|()| Ok(self.job.bootstrap().finalize()?));
        if finished.is_ok() {
            record::end();
        }
        if let Err(error) = finished {
            self.job.bootstrap().abort(1, &format!("finalize: {error}"));
        }
    }

    /// To be called before a host barrier: flushes standard output if `CUSHMEM_FLUSH` asks for it.
    #[inline(always)]
    pub(crate) fn flush_for_barrier(&self) {
        if self.flushes {
            cushmem_bootstrap::flush_stdout();
        }
    }

    #[inline(always)]
    pub(crate) fn transfers(&self) -> &Arc<Transfers> {
        &self.transfers
    }

    /// What works for kernels and streams.
    pub(crate) fn services(&self) -> &Arc<Services> {
        &self.services
    }

    #[inline(always)]
    pub(crate) fn memory(&self) -> &Memory {
        self.transfers.memory()
    }

    #[inline(always)]
    pub(crate) fn sync(&self) -> &Synchronisation {
        self.transfers.sync()
    }

    #[inline(always)]
    pub(crate) fn job(&self) -> &Job {
        &self.job
    }

    pub(crate) fn changing(&self) -> &Mutex<()> {
        &self.changing
    }
}

impl Drop for Shmem {
    fn drop(&mut self) {
        // A panicking PE ends with an error status, and the launcher ends the job. Kernels and copies may still run,
        // perhaps for ever, so nothing is released or waited for. A forked child has no GPU.
        if std::thread::panicking() || !joined_here() {
            std::mem::forget(self.services.clone());
            return;
        }
        self.finalize(None);
        if let (Some(gpu), Some(context)) = (self.memory().gpu(), self.device_context.get()) {
            images::forget();
            // After a failure the memory stays until the process ends.
            let _ = gpu.gpu().free(context.tables);
            if context.record != 0 {
                let _ = gpu.gpu().free(context.record);
            }
        }
        self.services.give_back();
    }
}
