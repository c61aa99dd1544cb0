//! This PE's GPU, which is opened when the program first needs it: to make a context takes a third of a second, more the more processes do.

use super::window;
use crate::error::{Cause, Error, Result};
use crate::job::config::{Config, GpuChoice};
use cushmem_gpu::cuda::{self, CudaGpu};
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Gpu, GpuError};
use std::sync::{Arc, OnceLock};

/// The GPU, opened or not.
pub(crate) struct OwnGpu {
    choice: GpuChoice,
    /// Of the PE on its node, which tells the GPU.
    place: u32,
    node_pes: u32,
    /// `CUSHMEM_GPU_HEAP_SIZE`.
    heap_bytes: Option<u64>,
    opened: OnceLock<std::result::Result<Arc<dyn Gpu>, String>>,
}

impl OwnGpu {
    /// Opens nothing.
    pub(crate) fn new(config: &Config, place: u32, node_pes: u32) -> Self {
        Self { choice: config.gpu, place, node_pes, heap_bytes: config.gpu_heap_bytes, opened: OnceLock::new() }
    }

    /// The GPU, which is opened now if it was not before; the error says why there is none, and stays.
    pub(crate) fn get(&self) -> std::result::Result<&Arc<dyn Gpu>, &str> {
        self.opened.get_or_init(|| self.open().map_err(|error| error.to_string())).as_ref().map_err(String::as_str)
    }

    /// The GPU, if it was opened.
    #[inline]
    pub(crate) fn opened(&self) -> Option<&Arc<dyn Gpu>> {
        self.opened.get()?.as_ref().ok()
    }

    /// The GPU, if it was opened; from now on this PE has none.
    pub(super) fn take(&mut self) -> Option<Arc<dyn Gpu>> {
        std::mem::replace(&mut self.opened, OnceLock::from(Err("it was left as it was".to_owned()))).into_inner()?.ok()
    }

    /// Most bytes of symmetric GPU memory: what the GPU has, unless the user chose.
    pub(super) fn heap_bytes(&self, gpu: &dyn Gpu) -> u64 {
        let properties = gpu.properties();
        let emulated = || cushmem_environment::parse_bytes(cushmem_environment::EMULATED_GPU_HEAP_SIZE).unwrap_or(0);
        let default = || if properties.emulated { emulated() } else { properties.memory_bytes };
        self.heap_bytes.unwrap_or_else(default)
    }

    /// NVIDIA GPU `place mod count`, unless the program has chosen one already; the emulation if there is none.
    fn open(&self) -> Result<Arc<dyn Gpu>> {
        let failed = |error: GpuError| Error::new(OPEN, error);
        match self.choice {
            GpuChoice::Soft => return self.emulated(),
            GpuChoice::None | GpuChoice::Cuda | GpuChoice::Auto => {}
        }
        match cuda::device_count() {
            Ok(count) => Ok(CudaGpu::open(cuda::current_device().unwrap_or(self.place % count)).map_err(failed)?),
            Err(why) if self.choice == GpuChoice::Cuda => Err(no_driver(&why)),
            Err(_) => self.emulated(),
        }
    }

    /// The emulated GPU, if its heap finds room: where it does not, it is better to have none than one without symmetric memory.
    fn emulated(&self) -> Result<Arc<dyn Gpu>> {
        let gpu = SoftGpu::open(self.place).map_err(Error::of(OPEN))?;
        let stride = window::stride(self.heap_bytes(&*gpu), gpu.properties().granularity)?;
        gpu.try_out(stride.saturating_mul(self.node_pes.into())).map_err(Error::of("open the emulated GPU"))?;
        Ok(gpu)
    }
}

const OPEN: &str = "open this PE's GPU";

/// The user asked for an NVIDIA GPU, and there is none.
pub(crate) fn no_driver(why: &str) -> Error {
    Error::new(OPEN, Cause::System(format!("CUSHMEM_GPU=cuda, but {why}")))
}
