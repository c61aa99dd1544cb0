//! A PE's part in the job: the parts that it consists of, its start and its end.

use crate::error::{Cause, Error, Result};
use crate::job::config::GpuChoice;
use crate::job::{Job, Settings, Start, config};
use crate::memory::globals::Language;
use crate::memory::{self, At, GpuHeap, Memory, Segment};
use crate::sync::Sync as Synchronisation;
use crate::transfer::Transfers;
use cushmem_abi::{DeviceContext, SyncArea};
use cushmem_bootstrap::{UniqueId, joined_here};
use cushmem_gpu::cuda::{self, CudaGpu};
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Gpu, Properties};
use cushmem_path::Overrides;
use nix::sys::signal::SigSet;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A PE's part in the job: its heaps, its GPU and its way to the other PEs.
///
/// Dropping it finalizes: it waits until all PEs have done the same. A program that may fail half-way uses [`crate::run`], so
/// that an error of one PE ends the job instead of leaving the others waiting.
///
/// Any number of threads may use it at once. Collective calls are made by one thread of a PE at a time, in the same order on all
/// PEs: allocation and freeing ([`Shmem::malloc`], [`Shmem::free`] and their kin), [`Shmem::barrier_all`] and [`Shmem::sync_all`]. They may
/// run while other threads put, get and wait. `quiet` and `fence` are about what all threads of this PE have issued before on the default context.
pub struct Shmem {
    transfers: Transfers,
    job: Arc<Job>,
    /// What kernels know of the job.
    device_context: Option<DeviceContext>,
    /// Held during a collective call that changes the heaps.
    changing: Mutex<()>,
    pes_on_my_gpu: u32,
    /// Whether this PE is a part of the job: all have come through [`init`], and so will come to the end.
    joined: AtomicBool,
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Shmem>();
};

/// Longest wait inside a device collective before the kernel gives up.
const DEVICE_WAIT_LIMIT: Duration = Duration::from_secs(300);

/// Joins the job that `shmemrun` started, or torchrun on one host, or makes a job of one PE (`shmem_init`, OpenSHMEM 1.6, 9.1).
/// Collective; once a process.
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

/// Joins as PE `pe` of `n_pes` the job of a unique id, which one process makes with [`UniqueId::create`] and gives to the others
/// (`shmemx_init_attr`). For programs that another launcher starts. Collective; once a process.
///
/// The process that made the id runs until the end of the job: if it ends early, all PEs end. All PEs are on one machine.
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

/// Initialises, runs `program`, and finalizes. If it returns an error, that is printed and ends the job with status 1.
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
            eprintln!("cushmem: init: {error}");
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
        let mut gpu = None;
        let (job, all, no_gpu) = Job::join(&start, |bootstrap| {
            let place = bootstrap.job().local_pe;
            let (opened, soft) = open_gpu(config.gpu, place)?;
            let chunks = opened.as_ref().is_none_or(|gpu| gpu.host_granularity().is_ok());
            let settings = Settings::new(&config, opened.as_deref(), place, chunks);
            // With this PE's sizes: it does not know the others'. Where one has larger heaps, a lack of addresses is an error later.
            if let Some(soft) = soft.filter(|_| settings.can_do_without())
                && let Err(why) = memory::try_out(&soft, &settings, bootstrap.job().n_pes)
            {
                return Ok((settings.missing_gpu(), why.to_string()));
            }
            gpu = opened;
            Ok((settings, String::new()))
        })?;
        let job = Arc::new(job);
        // Another PE may have none.
        let gpu = gpu.filter(|_| all.iter().all(Settings::has_gpu)).ok_or(no_gpu);
        let own_uuid = gpu.as_ref().ok().map(|gpu| gpu.properties().uuid);
        let pes_on_my_gpu = all.iter().filter(|settings| Some(settings.gpu_uuid) == own_uuid).count() as u32;
        let check = all.iter().any(Settings::check);
        let sync = Synchronisation::create(&job, check)?;
        let memory = Memory::create(&job, &all, gpu, language)?;
        let transfers = Transfers::create(&job, sync, memory, &overrides)?;
        let device_context = transfers.device_context(DEVICE_WAIT_LIMIT)?;
        let shmem = Self {
            transfers,
            job,
            device_context,
            changing: Mutex::default(),
            pes_on_my_gpu,
            joined: AtomicBool::new(false),
        };
        shmem.clear_sync_area()?;
        shmem.job.bootstrap().fence("initialised")?;
        // Relaxed: only [`Shmem::finalize`] reads it, and its caller has this handle.
        shmem.joined.store(true, Ordering::Relaxed);
        shmem.job.debug(|| {
            let gpu = shmem.gpu().map_or("no GPU".to_owned(), |gpu| gpu.name.clone());
            let cores = if shmem.is_oversubscribed() { "shares cores" } else { "has cores of its own" };
            let host = shmem.memory().host();
            let (bytes, at) = (host.bytes(), host.own(0));
            format!("process {}, {bytes} bytes of host memory at {at:p}, {gpu}, {cores}", std::process::id())
        });
        Ok(shmem)
    }

    /// The library's own words in GPU memory are zero before any peer may use them.
    fn clear_sync_area(&self) -> Result<()> {
        if self.memory().gpu().is_none() {
            return Ok(());
        }
        let zeros = vec![0u8; SyncArea::BYTES as usize];
        let address = self.memory().own(At::new(Segment::Gpu, 0));
        // SAFETY: the area was just mapped, and the zeros live until the copy is done.
        unsafe { self.transfers.copy_and_wait(address, zeros.as_ptr().expose_provenance() as u64, zeros.len()) }
    }

    /// This PE's number (`shmem_my_pe`).
    #[inline]
    pub fn my_pe(&self) -> u32 {
        self.job.my_pe()
    }

    /// PEs in the job (`shmem_n_pes`).
    #[inline]
    pub fn n_pes(&self) -> u32 {
        self.job.n_pes()
    }

    /// Whether there are more PEs than cores.
    pub fn is_oversubscribed(&self) -> bool {
        self.job.is_oversubscribed()
    }

    /// This PE's GPU; `None` if GPUs were turned off with `CUSHMEM_GPU=none`, or a PE can have neither a real nor the emulated one.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// match shmem.gpu() {
    ///     Some(gpu) => println!("PE {} uses {}", shmem.my_pe(), gpu.name),
    ///     None => println!("PE {} has no GPU", shmem.my_pe()),
    /// }
    /// # Ok(()) }) }
    /// ```
    pub fn gpu(&self) -> Option<&Properties> {
        self.memory().gpu().map(GpuHeap::properties)
    }

    /// How many PEs of the job, this one included, use the same GPU; 0 without one.
    pub fn pes_on_my_gpu(&self) -> u32 {
        self.pes_on_my_gpu
    }

    /// By which paths this PE's operations travel, with the reasons: a table for users to read.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// println!("{}", shmem.paths());
    /// # Ok(()) }) }
    /// ```
    pub fn paths(&self) -> String {
        self.transfers.policy().to_string()
    }

    /// Ends the whole job with `status`, from any PE and thread, whatever the others do (`shmem_global_exit`, OpenSHMEM 1.6,
    /// 9.1). What was printed is written out; destructors and handlers of the process's exit do not run.
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
        write_out(|| drop(std::io::stdout().flush()));
        self.job.bootstrap().abort(status, "")
    }

    /// Completes this PE's operations and waits until all PEs have called it, without a limit (`shmem_finalize`, OpenSHMEM 1.6,
    /// 9.1). Dropping does the same, and unmaps the heaps besides. The second call does nothing, nor does one in a forked child, which
    /// has its parent's connection.
    pub(crate) fn finalize(&self) {
        if !joined_here() {
            return;
        }
        // Relaxed: any other caller may return at once. A PE that did not get through `init` has an error to report, and the
        // others do not come here.
        if !self.joined.swap(false, Ordering::Relaxed) {
            return;
        }
        self.memory().report_leaks();
        self.job.debug(|| "leaves the job".to_owned());
        let completed = self.transfers.drain_all().and_then(|()| self.quiet());
        let finished = completed.and_then(|()| Ok(self.job.bootstrap().finalize()?));
        if let Err(error) = finished {
            self.job.bootstrap().abort(1, &format!("finalize: {error}"));
        }
    }

    #[inline(always)]
    pub(crate) fn transfers(&self) -> &Transfers {
        &self.transfers
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

    /// The GPU heap; an error without one.
    pub(crate) fn gpu_heap(&self, operation: &'static str) -> Result<&GpuHeap> {
        self.memory().gpu().ok_or_else(|| self.memory().no_gpu(operation))
    }

    /// What is needed to load kernels: the GPU, and the constants that tell them about the job.
    pub(crate) fn kernels(&self, operation: &'static str) -> Result<(&GpuHeap, &DeviceContext)> {
        let both = self.memory().gpu().zip(self.device_context.as_ref());
        both.ok_or_else(|| self.memory().no_gpu(operation))
    }
}

impl Drop for Shmem {
    fn drop(&mut self) {
        // A panicking PE ends with an error status, and the launcher ends the job. Kernels and copies may still run, perhaps for
        // ever: nothing is taken from them or waited for. A forked child has no GPU.
        if std::thread::panicking() || !joined_here() {
            self.transfers.abandon_gpu();
            return;
        }
        self.finalize();
        if let (Some(gpu), Some(context)) = (self.memory().gpu(), &self.device_context) {
            // After a failure the memory stays until the process ends.
            let _ = gpu.gpu().free(context.tables);
        }
        self.transfers.give_back();
    }
}

/// Calls `flush`, which writes out what was printed, but not longer than a second: another thread may hold the stream's lock for
/// ever.
pub fn write_out(flush: impl FnOnce() + Send + 'static) {
    let (done, wait) = std::sync::mpsc::channel();
    let started = std::thread::Builder::new().spawn(move || {
        // Signals belong to the program's own threads. If this fails, a handler may run on this one.
        let _ = SigSet::all().thread_block();
        flush();
        let _ = done.send(());
    });
    if started.is_ok() {
        let _ = wait.recv_timeout(Duration::from_secs(1));
    }
}

/// A GPU, and once more if it is emulated.
type Opened = (Option<Arc<dyn Gpu>>, Option<Arc<SoftGpu>>);

/// NVIDIA GPU `place mod count`, unless the program has chosen one already; the emulation if there is none.
fn open_gpu(choice: GpuChoice, place: u32) -> Result<Opened> {
    let operation = "open this PE's GPU";
    let cuda = |count: u32| -> Result<Opened> {
        let ordinal = cuda::current_device().unwrap_or(place % count);
        Ok((Some(CudaGpu::open(ordinal).map_err(Error::of(operation))?), None))
    };
    let soft = || -> Result<Opened> {
        let gpu = SoftGpu::open(place).map_err(Error::of(operation))?;
        Ok((Some(gpu.clone()), Some(gpu)))
    };
    // Only a job that may use the driver starts it: that takes a third of a second.
    match choice {
        GpuChoice::None => Ok((None, None)),
        GpuChoice::Soft => soft(),
        GpuChoice::Cuda | GpuChoice::Auto => match cuda::device_count() {
            Ok(count) => cuda(count),
            Err(why) if choice == GpuChoice::Cuda => {
                Err(Error::new(operation, Cause::System(format!("CUSHMEM_GPU=cuda, but {why}"))))
            }
            Err(_) => soft(),
        },
    }
}
