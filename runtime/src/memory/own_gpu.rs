//! This PE's GPU. It is opened when the program first needs it, because creating a context takes a third of a second,
//! and longer the more processes do so at once.

use super::window;
use crate::error::{Cause, Error, Result};
use crate::job::config::{Config, GpuChoice};
use crate::job::record;
use crate::sync::locked;
use cushmem_abi::SyncArea;
use cushmem_gpu::cuda::{self, CudaGpu};
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Gpu, GpuError};
use cushmem_record::Recorder;
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use std::sync::{Arc, Mutex, OnceLock};

/// The GPU, which may not be open yet.
pub(crate) struct OwnGpu {
    choice: GpuChoice,
    /// The PE's place on its machine, which decides the GPU.
    place: u32,
    node_pes: u32,
    /// `CUSHMEM_GPU_HEAP_SIZE`.
    heap_bytes: Option<u64>,
    /// Bytes of the words of more teams than usual (`CUSHMEM_TEAMS`), which lie before the heap.
    pub(super) more: u64,
    /// `CUSHMEM_P2P`.
    pub(super) p2p: bool,
    /// `CUSHMEM_COPY_THREADS`.
    copy_threads: Option<usize>,
    /// The cores of the process when it joined, and how many it may keep busy. Later each thread may be bound to a core
    /// of its own.
    cores: (Option<CpuSet>, usize),
    /// The device of the context that was current when the program joined.
    chosen: Option<u32>,
    opened: OnceLock<Arc<dyn Gpu>>,
    /// Held by the thread that opens the GPU.
    opening: Mutex<()>,
}

impl OwnGpu {
    /// Opens nothing.
    pub(crate) fn new(config: &Config, place: u32, node_pes: u32) -> Self {
        let chosen = current(config.gpu).map(|chosen| chosen.device);
        let (choice, heap_bytes, opened) = (config.gpu, config.gpu_heap_bytes, OnceLock::new());
        let (p2p, copy_threads) = (config.p2p, config.copy_threads);
        let more = SyncArea::bytes(config.teams.into()) - SyncArea::BYTES;
        // Considers the affinity and the quota.
        let many = std::thread::available_parallelism().map_or(1, usize::from);
        let (cores, opening) = ((sched_getaffinity(Pid::this()).ok(), many), Mutex::default());
        Self { choice, place, node_pes, heap_bytes, more, p2p, copy_threads, cores, chosen, opened, opening }
    }

    /// The GPU, which is opened if it was not, and whether this call opened it. After an error it may be tried again.
    pub(super) fn open(&self) -> Result<(&Arc<dyn Gpu>, bool)> {
        if let Some(gpu) = self.opened() {
            return Ok((gpu, false));
        }
        let _one = locked(&self.opening);
        // Another thread may have been faster.
        if let Some(gpu) = self.opened() {
            return Ok((gpu, false));
        }
        let gpu = self.find()?;
        Ok((self.opened.get_or_init(|| gpu), true))
    }

    /// The GPU, if it was opened.
    #[inline]
    pub(crate) fn opened(&self) -> Option<&Arc<dyn Gpu>> {
        self.opened.get()
    }

    /// The most bytes of symmetric GPU memory: all that the GPU has, unless the user chose.
    pub(super) fn heap_bytes(&self, gpu: &dyn Gpu) -> u64 {
        let properties = gpu.properties();
        let emulated = || cushmem_environment::parse_bytes(cushmem_environment::EMULATED_GPU_HEAP_SIZE).unwrap_or(0);
        let default = || if properties.emulated { emulated() } else { properties.memory_bytes };
        self.heap_bytes.unwrap_or_else(default)
    }

    /// How many threads may copy pageable memory, and on which cores: as many as this PE has cores, unless the user
    /// chose.
    pub(super) fn copy_threads(&self) -> (usize, Option<CpuSet>) {
        let (cores, many) = self.cores;
        let is_bound = std::env::var_os(cushmem_environment::CPUS.name).is_some();
        let share = || if is_bound { many } else { many / self.node_pes.max(1) as usize };
        (self.copy_threads.unwrap_or_else(share), cores)
    }

    /// The UUIDs of the GPU that the program has chosen by a context that is current in this thread, and of those that
    /// it may use. Nothing if it has chosen none.
    pub(super) fn chosen_now(&self) -> Vec<[u8; 16]> {
        let all = current(self.choice).map(|chosen| (chosen, cuda::uuids()));
        let chosen = all.and_then(|(chosen, all)| Some((*all.get(chosen.device as usize)?, all)));
        chosen.map_or_else(Vec::new, |(chosen, all)| [vec![chosen], all].concat())
    }

    /// The NVIDIA GPU that the program has chosen by a context that is current in this thread, or else was when it
    /// joined, otherwise number `place mod count`; the emulated GPU if there is none.
    fn find(&self) -> Result<Arc<dyn Gpu>> {
        let failed = |error: GpuError| Error::new(OPEN, error);
        match self.choice {
            GpuChoice::Soft => return self.emulated(),
            GpuChoice::None | GpuChoice::Cuda | GpuChoice::Auto => {}
        }
        match cuda::device_count() {
            Ok(count) => {
                // The context that was current when the PE joined may be gone by now.
                let other = || CudaGpu::open(self.chosen.unwrap_or(self.place % count));
                let gpu = cuda::current().map_or_else(other, CudaGpu::open_chosen);
                Ok(gpu.map_err(failed)?)
            }
            Err(why) if self.choice == GpuChoice::Cuda => Err(no_driver(&why)),
            Err(_) => self.emulated(),
        }
    }

    /// The emulated GPU, if there is room for its heap. If there is not, having no GPU is better than having one
    /// without symmetric memory.
    fn emulated(&self) -> Result<Arc<dyn Gpu>> {
        let gpu = SoftGpu::open(self.place).map_err(Error::of(OPEN))?;
        let stride = window::gpu_stride(self.heap_bytes(&*gpu), self.more, gpu.properties().granularity)?;
        gpu.try_out(stride.saturating_mul(self.node_pes.into())).map_err(Error::of("open the emulated GPU"))?;
        record::active().into_iter().for_each(Recorder::note_emulated);
        Ok(gpu)
    }
}

/// The context that is current in this thread. CUDA is not started for the question.
fn current(choice: GpuChoice) -> Option<cuda::Current> {
    let may_be_real = matches!(choice, GpuChoice::Auto | GpuChoice::Cuda);
    if may_be_real && cuda::is_in_use() { cuda::current() } else { None }
}

const OPEN: &str = "open this PE's GPU";

/// The error if the user asked for an NVIDIA GPU and there is none.
pub(crate) fn no_driver(why: &str) -> Error {
    Error::new(OPEN, Cause::System(format!("CUSHMEM_GPU=cuda, but {why}")))
}
