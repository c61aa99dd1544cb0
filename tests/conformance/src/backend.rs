use cushmem_conformance_kernels::IMAGE as KERNELS;
use std::sync::OnceLock;
use xtask::launch::shares_gpus;

/// What the PEs of a test use as GPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    /// None: host memory only.
    Host,
    /// The emulation.
    Soft,
    /// NVIDIA GPUs, one for each PE unless PEs may share them.
    Cuda,
}

impl Backend {
    /// Returns the backend with the name of a test module.
    ///
    /// # Panics
    /// If there is no kind of GPU with this name.
    pub fn named(name: &str) -> Self {
        match name {
            "host" => Self::Host,
            "soft" => Self::Soft,
            "cuda" => Self::Cuda,
            _ => panic!("no kind of GPU is called {name}"),
        }
    }

    /// The value of `CUSHMEM_GPU`.
    pub(crate) fn setting(self) -> &'static str {
        match self {
            Self::Host => "none",
            Self::Soft => "soft",
            Self::Cuda => "cuda",
        }
    }

    /// Checks whether a job of `n` PEs runs here. The error says what is left out, and why.
    pub(crate) fn check(self, n: u32) -> Result<(), (String, String)> {
        static GPUS: OnceLock<Result<u32, String>> = OnceLock::new();
        if self != Self::Cuda {
            return Ok(());
        }
        match GPUS.get_or_init(|| cushmem_gpu::cuda::device_count().map_err(|e| e.to_string())) {
            Err(why) => Err(("conformance tests on CUDA".into(), why.clone())),
            Ok(gpus) if *gpus == 0 || n > *gpus && !shares_gpus() => Err((
                format!("conformance tests with {n} PEs on CUDA"),
                format!("there are {gpus} GPUs, a PE needs its own"),
            )),
            Ok(_) if KERNELS.ptx.is_empty() || KERNELS.far_ptx.is_empty() => Err((
                "conformance tests on CUDA, for want of PTX".into(),
                format!("built without it: `cargo shmem-ptx -p {}`", KERNELS.name),
            )),
            Ok(_) => Ok(()),
        }
    }
}
