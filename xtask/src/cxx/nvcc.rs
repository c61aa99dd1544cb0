//! NVIDIA's compiler of CUDA C++, if it is here. Only programs with kernels in CUDA C++ need it, and tests of them.

use crate::process::output_of;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiler that works, and the folder of the libraries of its runtime.
#[derive(Debug)]
pub struct Nvcc {
    program: PathBuf,
    /// Where `libcudart_static.a` is.
    pub libraries: PathBuf,
    /// `cuda.h` and the like.
    pub include: PathBuf,
}

/// The libraries of NVRTC and nvJitLink, with the versions for which `.ci/run` gets them.
const JIT: [&str; 2] = ["libnvrtc.so.13", "libnvJitLink.so.13"];

impl Nvcc {
    /// Looks for it in `$CUDA_HOME`, in CUDA's usual folder, and in `cuda` of the folder `tools`, where `.ci/run` puts
    /// the Python packages. The error says what is missing.
    pub fn find(tools: &Path) -> Result<Self, String> {
        let given = std::env::var_os("CUDA_HOME").map(PathBuf::from);
        let places = [given, Some("/usr/local/cuda".into()), Some(tools.join("cuda/nvidia/cu13"))];
        let complete = |home: PathBuf| {
            let libraries = ["lib64", "lib"].map(|name| home.join(name));
            let libraries = libraries.into_iter().find(|folder| folder.join("libcudart_static.a").exists())?;
            let nvcc = Self { program: home.join("bin/nvcc"), libraries, include: home.join("include") };
            let has_all = home.join("include/cuda_runtime.h").exists() && home.join("nvvm/bin/cicc").exists();
            (has_all && output_of(Command::new(&nvcc.program).arg("--version")).is_ok()).then_some(nvcc)
        };
        let found = places.into_iter().flatten().find_map(complete);
        found.ok_or_else(|| "no nvcc found ($CUDA_HOME, /usr/local/cuda, tools/cuda of the target folder)".into())
    }

    /// NVRTC and nvJitLink, if both are beside the compiler.
    pub fn jit(&self) -> Option<[PathBuf; 2]> {
        let found = JIT.map(|name| self.libraries.join(name));
        found.iter().all(|path| path.exists()).then_some(found)
    }

    /// NVIDIA's library of a compiler, if it is there: CUDA's own folder and that of Python's packages differ.
    pub fn nvvm(&self) -> Option<PathBuf> {
        let home = self.include.parent()?;
        ["nvvm/lib64/libnvvm.so", "lib/libnvvm.so.4"].map(|name| home.join(name)).into_iter().find(|path| path.exists())
    }

    /// The compiler.
    pub fn command(&self) -> Command {
        Command::new(&self.program)
    }

    /// The program beside it that makes fat binaries.
    pub fn fatbinary(&self) -> Command {
        Command::new(self.program.with_file_name("fatbinary"))
    }
}
