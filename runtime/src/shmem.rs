use crate::address::Windows;
use crate::config::{Config, GpuChoice};
use crate::globals::{Globals, Language};
use crate::gpu_heap::GpuHeap;
use crate::heap::Heap;
use crate::host_heap::{HostArea, HostHeap};
use crate::spin::Patience;
use crate::sym::Kind;
use crate::team::Teams;
use crate::{Error, Result};
use cushmem_abi::{DeviceContext, SyncArea};
use cushmem_bootstrap::{Bootstrap, joined_here};
use cushmem_gpu::cuda::{self, CudaGpu};
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Gpu, Properties, Stream};
use std::io::Write;
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

/// A PE's part in the job: its heaps, its GPU and its way to the other PEs.
///
/// Dropping it finalizes: it waits until all PEs have done the same. A program that may fail half-way uses [`crate::run`], so
/// that an error of one PE ends the job instead of leaving the others waiting.
///
/// Any number of threads may use it at once. Collective calls are made by one thread of a PE at a time, in the same order on all
/// PEs: allocation and freeing ([`Shmem::malloc`], [`Shmem::free`] and their kin), [`Shmem::barrier_all`] and [`Shmem::sync_all`]. They may
/// run while other threads put, get and wait. `quiet` and `fence` are about what all threads of this PE have issued before.
pub struct Shmem {
    pub(crate) bootstrap: Bootstrap,
    // The GPU goes before the host memory that its copies may use.
    pub(crate) gpu: Option<GpuSide>,
    pub(crate) host: HostHeap,
    pub(crate) globals: Globals,
    pub(crate) stride: u64,
    pub(crate) heaps: Mutex<Heaps>,
    pub(crate) patience: Patience,
    /// Host barriers entered; only this PE's.
    pub(crate) barriers: AtomicU64,
    /// Copies that were enqueued without waiting for them.
    pub(crate) copies_enqueued: AtomicU64,
    /// Of these, so many of the first are complete.
    pub(crate) copies_completed: AtomicU64,
    /// Ends of the parts of every host slice that are pinned, in order; one copy does not cross them.
    pub(crate) host_pinned: RwLock<Vec<u64>>,
    /// Held during a collective call that changes the heaps.
    pub(crate) changing: Mutex<()>,
    /// `CUSHMEM_CHECK` of any PE.
    pub(crate) check: bool,
    /// How many PEs there are if arguments need no more than a compare, 0 in check mode.
    pub(crate) pes_at_once: u32,
    pub(crate) windows: Windows,
    pub(crate) teams: Teams,
    pes_on_my_gpu: u32,
    /// Whether this PE is a part of the job: all have come through [`init`], and so will come to the end.
    joined: AtomicBool,
}

const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Shmem>();
};

/// What exists only with a GPU.
pub(crate) struct GpuSide {
    pub(crate) heap: GpuHeap,
    /// The library's own copies, one after the other.
    pub(crate) copies: Arc<dyn Stream>,
    pub(crate) context: DeviceContext,
}

/// The allocation state, the same on all PEs.
pub(crate) struct Heaps {
    pub(crate) host: Heap,
    pub(crate) gpu: Heap,
    /// Ends of the chunks of every slice of GPU memory, in order.
    pub(crate) gpu_chunks: Vec<u64>,
    /// Allocations so far, of both heaps.
    pub(crate) allocations: u64,
}

impl Heaps {
    pub(crate) fn of(&self, kind: Kind) -> &Heap {
        if kind == Kind::Host { &self.host } else { &self.gpu }
    }

    pub(crate) fn of_mut(&mut self, kind: Kind) -> &mut Heap {
        if kind == Kind::Host { &mut self.host } else { &mut self.gpu }
    }
}

/// Longest wait inside a device collective before the kernel gives up.
const DEVICE_WAIT_LIMIT: Duration = Duration::from_secs(300);

/// Joins the job that `shmemrun` started, or makes a job of one PE (`shmem_init`, OpenSHMEM 1.6, 9.1.1). Collective; once a
/// process.
pub fn init() -> Result<Shmem> {
    Shmem::join(&Config::from_env()?, Language::Rust)
}

/// Initialises, runs `program`, and finalizes. If it returns an error, that is printed and ends the job with status 1.
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
        Err(error) => shmem.bootstrap.abort(1, &format!("{error:#}")),
    }
}

impl Shmem {
    pub(crate) fn join(config: &Config, language: Language) -> Result<Self> {
        let bootstrap = Bootstrap::from_env()?;
        let job = bootstrap.job().clone();
        if job.my_pe == 0 {
            crate::config::warn_of_unknown();
            crate::config::announce();
        }
        let gpu = open_gpu(config.gpu, job.local_pe)?;
        let peers = exchange(&bootstrap, config, gpu.as_deref())?;
        let largest = peers.iter().map(|p| p.heap_bytes).max().unwrap_or(0);
        let stride = cushmem_abi::stride(largest)
            .ok_or_else(|| Error::new("reserve addresses", format!("a heap of {largest} bytes is too large")))?;
        let host = HostHeap::create(&bootstrap, stride)?;
        let check = peers.iter().any(|p| p.check);
        let host_bytes = peers.iter().map(|p| p.host_bytes).min().unwrap_or(0);
        let globals = Globals::exchange(&bootstrap, language, check)?;
        let heaps = Heaps {
            host: Heap::new(HostArea::BYTES, HostArea::BYTES + host_bytes, check),
            gpu: Heap::new(SyncArea::BYTES, peers.iter().map(|p| p.gpu_bytes).min().unwrap_or(0), check),
            gpu_chunks: vec![],
            allocations: 0,
        };
        let own_uuid = gpu.as_ref().map(|g| g.properties().uuid);
        let pes_on_my_gpu = peers.iter().filter(|p| Some(p.gpu) == own_uuid).count() as u32;
        let gpu = match gpu {
            Some(gpu) => {
                let uuids: Vec<_> = peers.iter().map(|p| p.gpu).collect();
                Some(GpuSide::create(&bootstrap, gpu, stride, &uuids, &host)?)
            }
            None => None,
        };
        let shmem = Self {
            windows: Windows::new(&job, &host, host_bytes, stride, gpu.as_ref().map(|g| &g.heap), check),
            patience: Patience::new(job.my_pe, job.oversubscribed, cushmem_bootstrap::env::wait_limit()?),
            bootstrap,
            host,
            globals,
            gpu,
            stride,
            heaps: Mutex::new(heaps),
            barriers: AtomicU64::new(0),
            copies_enqueued: AtomicU64::new(0),
            copies_completed: AtomicU64::new(0),
            host_pinned: RwLock::default(),
            changing: Mutex::default(),
            check,
            pes_at_once: if check { 0 } else { job.n_pes },
            pes_on_my_gpu,
            joined: AtomicBool::new(false),
            teams: Teams::new(job.my_pe, job.n_pes),
        };
        shmem.create_first_memory()?;
        shmem.bootstrap.fence("initialised")?;
        // Relaxed: only [`Shmem::finalize`] asks, and whoever calls it has this handle.
        shmem.joined.store(true, Ordering::Relaxed);
        shmem.debug(|| {
            let gpu = shmem.gpu().map_or("no GPU".to_owned(), |gpu| gpu.name.clone());
            let cores = if shmem.is_oversubscribed() { "shares cores" } else { "has cores of its own" };
            let host = shmem.host.at(shmem.my_pe(), HostArea::BYTES);
            format!("process {}, {host_bytes} bytes of host memory at {host:p}, {gpu}, {cores}", std::process::id())
        });
        Ok(shmem)
    }

    /// With `SHMEM_DEBUG`: one line.
    fn debug(&self, what: impl FnOnce() -> String) {
        if cushmem_environment::debugs() {
            eprintln!("cushmem: PE {} of {}: {}", self.my_pe(), self.n_pes(), what());
        }
    }

    /// The library's own words: pinned for kernels, cleared before any peer may use them.
    fn create_first_memory(&self) -> Result<()> {
        let Some(gpu) = &self.gpu else { return Ok(()) };
        self.grow_gpu(SyncArea::BYTES)?;
        self.pin_host(HostArea::BYTES)?;
        let zeros = vec![0u8; SyncArea::BYTES as usize];
        let address = gpu.heap.address(self.my_pe(), 0);
        // SAFETY: the area was just mapped, and the zeros live until the copy is done.
        unsafe { gpu.copies.copy(address, zeros.as_ptr().expose_provenance() as u64, SyncArea::BYTES)? };
        gpu.copies.synchronize()?;
        Ok(())
    }

    /// This PE's number (`shmem_my_pe`).
    #[inline]
    pub fn my_pe(&self) -> u32 {
        self.bootstrap.job().my_pe
    }

    /// PEs in the job (`shmem_n_pes`).
    #[inline]
    pub fn n_pes(&self) -> u32 {
        self.bootstrap.job().n_pes
    }

    /// Whether there are more PEs than cores.
    pub fn is_oversubscribed(&self) -> bool {
        self.bootstrap.job().oversubscribed
    }

    /// This PE's GPU; `None` if GPUs were turned off with `CUSHMEM_GPU=none`.
    pub fn gpu(&self) -> Option<&Properties> {
        self.gpu.as_ref().map(|g| g.heap.properties())
    }

    /// How many PEs of the job, this one included, use the same GPU; 0 without one.
    pub fn pes_on_my_gpu(&self) -> u32 {
        self.pes_on_my_gpu
    }

    /// Ends the whole job with `status`, from any PE and thread, whatever the others do (`shmem_global_exit`, OpenSHMEM 1.6,
    /// 9.1.5). What was printed is written out; destructors and handlers of the process's exit do not run.
    pub fn global_exit(&self, status: i32) -> ! {
        crate::raw::write_out(|| drop(std::io::stdout().flush()));
        self.bootstrap.abort(status, "")
    }

    /// Ends the job because of an error that leaves the others waiting in a collective call.
    #[cold]
    pub(crate) fn end(&self, routine: &str, error: &Error) -> ! {
        self.bootstrap.abort(1, &format!("{routine}: {error}"))
    }

    /// Completes this PE's operations and waits until all PEs have called it, without a limit (`shmem_finalize`, OpenSHMEM 1.6,
    /// 9.1.4). Dropping does the same, and unmaps the heaps besides. The second call does nothing, nor does one in a forked child, which
    /// has its parent's connection.
    pub(crate) fn finalize(&self) {
        if !joined_here() {
            return;
        }
        // Relaxed: whoever else calls it may return at once. A PE that did not get through `init` has an error to report, and the
        // others do not come here.
        if !self.joined.swap(false, Ordering::Relaxed) {
            return;
        }
        self.report_leaks();
        self.debug(|| "leaves the job".to_owned());
        let finished = self.quiet().and_then(|()| Ok(self.bootstrap.finalize()?));
        if let Err(error) = finished {
            self.bootstrap.abort(1, &format!("finalize: {error}"));
        }
    }

    pub(crate) fn heaps(&self) -> MutexGuard<'_, Heaps> {
        // A panic elsewhere leaves the state as it was between two calls.
        self.heaps.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Unmaps the GPU heap and unpins the host heap, whose addresses the program may use again. A failure has no consequence but
    /// that the memory goes with the process.
    fn give_back(&self) {
        let Some(GpuSide { heap, .. }) = &self.gpu else { return };
        heap.unmap(&self.heaps().gpu_chunks);
        let pinned = self.host_pinned.read().unwrap_or_else(PoisonError::into_inner);
        for start in std::iter::once(0).chain(pinned.iter().copied()).take(pinned.len()) {
            for pe in 0..self.n_pes() {
                let _ = heap.gpu.unregister_host(self.host.at(pe, start).addr() as u64);
            }
        }
    }

    pub(crate) fn gpu_side(&self, operation: &str) -> Result<&GpuSide> {
        self.gpu.as_ref().ok_or_else(|| Error::new(operation, "this job runs without GPUs (CUSHMEM_GPU=none)"))
    }

    /// Fails if there is no such PE.
    #[inline]
    pub(crate) fn check_pe(&self, operation: &str, pe: u32) -> Result<()> {
        if pe < self.n_pes() { Ok(()) } else { Err(self.no_such_pe(operation, pe)) }
    }

    #[cold]
    fn no_such_pe(&self, operation: &str, pe: u32) -> Error {
        Error::new(operation, format!("PE {pe} is not in 0..{}", self.n_pes()))
    }
}

impl Drop for Shmem {
    fn drop(&mut self) {
        // A panicking PE ends with an error status, and the launcher ends the job. Kernels and copies may still run, perhaps for
        // ever: nothing is taken from them or waited for. A forked child has no GPU.
        if std::thread::panicking() || !joined_here() {
            std::mem::forget(self.gpu.take());
            return;
        }
        self.finalize();
        self.give_back();
    }
}

impl GpuSide {
    fn create(
        bootstrap: &Bootstrap,
        gpu: Arc<dyn Gpu>,
        stride: u64,
        uuids: &[[u8; 16]],
        host: &HostHeap,
    ) -> Result<Self> {
        let my_pe = bootstrap.job().my_pe;
        let copies = gpu.create_stream()?;
        let heap = GpuHeap::reserve(gpu, stride, uuids)?;
        let (mapped_pes, mapped) = heap.mapped();
        let context = DeviceContext {
            abi_version: cushmem_abi::ABI_VERSION,
            my_pe,
            n_pes: bootstrap.job().n_pes,
            mapped_pes,
            stride,
            sync_area: heap.address(my_pe, 0),
            error_record: host.at(my_pe, offset_of!(HostArea, error) as u64).addr() as u64,
            wait_limit_ns: DEVICE_WAIT_LIMIT.as_nanos() as u64,
            mapped,
        };
        Ok(Self { heap, copies, context })
    }
}

/// NVIDIA GPU `local_pe mod count`, unless the program has chosen one already; the emulation if there is none.
fn open_gpu(choice: GpuChoice, local_pe: u32) -> Result<Option<Arc<dyn Gpu>>> {
    let operation = "open this PE's GPU";
    let cuda = |count: u32| -> Result<Option<Arc<dyn Gpu>>> {
        let ordinal = cuda::current_device().unwrap_or(local_pe % count);
        Ok(Some(CudaGpu::open(ordinal).map_err(Error::of(operation))?))
    };
    let soft = || -> Result<Option<Arc<dyn Gpu>>> { Ok(Some(SoftGpu::open(local_pe).map_err(Error::of(operation))?)) };
    // Only who may use the driver starts it: that takes a third of a second.
    match choice {
        GpuChoice::None => Ok(None),
        GpuChoice::Soft => soft(),
        GpuChoice::Cuda | GpuChoice::Auto => match cuda::device_count() {
            Ok(count) => cuda(count),
            Err(why) if choice == GpuChoice::Cuda => Err(Error::new(operation, format!("CUSHMEM_GPU=cuda, but {why}"))),
            Err(_) => soft(),
        },
    }
}

/// What every PE tells the others at the start.
struct Peer {
    kind: u8,
    gpu: [u8; 16],
    heap_bytes: u64,
    host_bytes: u64,
    gpu_bytes: u64,
    check: bool,
}

const PEER_BYTES: usize = 42;

/// Collective: compares settings. All PEs use the same kind of GPU, or none does.
fn exchange(bootstrap: &Bootstrap, config: &Config, gpu: Option<&dyn Gpu>) -> Result<Vec<Peer>> {
    let kind = gpu.map_or(0, |g| if g.properties().emulated { 1 } else { 2 });
    let uuid = gpu.map_or([0; 16], |g| g.properties().uuid);
    let emulated = cushmem_environment::parse_bytes(cushmem_environment::EMULATED_GPU_HEAP_SIZE).unwrap_or(0);
    let default_bytes = gpu.map_or(0, |g| match g.properties() {
        p if p.emulated => emulated,
        p => p.memory_bytes,
    });
    let gpu_bytes = if gpu.is_some() { config.gpu_heap_bytes.unwrap_or(default_bytes) } else { 0 };
    let mut own = Vec::with_capacity(PEER_BYTES);
    own.push(kind);
    own.extend(uuid);
    own.extend(config.host_heap_bytes.max(gpu_bytes).to_ne_bytes());
    own.extend(config.host_heap_bytes.to_ne_bytes());
    own.extend(gpu_bytes.to_ne_bytes());
    own.push(u8::from(config.check));
    let mut peers = vec![];
    for (pe, part) in bootstrap.allgather("settings", &own, None)?.iter().enumerate() {
        let bytes: [u8; PEER_BYTES] = part.bytes.as_slice().try_into().map_err(|_| {
            Error::new("compare settings", format!("PE {pe} sent {} bytes instead of {PEER_BYTES}", part.bytes.len()))
        })?;
        let number = |at: usize| u64::from_ne_bytes(std::array::from_fn(|i| bytes[at + i]));
        let gpu = std::array::from_fn(|i| bytes[1 + i]);
        let (heap_bytes, host_bytes, gpu_bytes) = (number(17), number(25), number(33));
        peers.push(Peer { kind: bytes[0], gpu, heap_bytes, host_bytes, gpu_bytes, check: bytes[41] != 0 });
        if peers[pe].kind != kind {
            let name =
                |kind| ["no GPU", "an emulated GPU", "an NVIDIA GPU"].get(usize::from(kind)).copied().unwrap_or("?");
            let cause =
                format!("this PE uses {} and PE {pe} {}; set CUSHMEM_GPU for all", name(kind), name(peers[pe].kind));
            return Err(Error::new("compare settings", cause));
        }
    }
    Ok(peers)
}
