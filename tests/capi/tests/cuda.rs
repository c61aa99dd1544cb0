//! A C program that loads and launches a kernel itself, with the CUDA driver, and puts from and gets into GPU memory of its own.

use cushmem_capi_tests::{Link, Rig};
use std::env;
use std::path::PathBuf;
use xtask::left_out::record;
use xtask::machine::cuda_gpus;

const TEST: &str = "capi::gpu_kernel_of_the_program";
const PROGRAM: &str = include_str!("../../../apps/examples/c/gpu-kernel.c");
const PTX: &str = include_str!("../../../apps/examples/kernels/prebuilt/cushmem-examples-kernels.ptx");

/// Where the CUDA toolkit is, if it has the driver's header.
fn toolkit() -> Option<PathBuf> {
    let named = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    named.chain([PathBuf::from("/usr/local/cuda")]).find(|p| p.join("include/cuda.h").exists())
}

#[test]
fn gpu_kernel_of_the_program() {
    let Some(rig) = Rig::find(TEST) else { return };
    if let Err(reason) = cuda_gpus() {
        return record(TEST, &reason);
    }
    let Some(toolkit) = toolkit() else {
        return record(TEST, "no cuda.h ($CUDA_HOME, /usr/local/cuda)");
    };
    let include = format!("-I{}", toolkit.join("include").display());
    let stubs = format!("-L{}", toolkit.join("lib64/stubs").display());
    let options = ["-std=c11", &include, &stubs, "-Wl,--no-as-needed", "-lcuda"];
    let program = rig.compile("gpu-kernel.c", PROGRAM, Link::Shared, &options);
    let ptx = rig.file("kernels.ptx", PTX);
    for n in [1, 2, 4] {
        let job = rig.run(&program, n, &[ptx.to_str().expect("a path in UTF-8")], &[("CUSHMEM_GPU", "cuda")]);
        let lines: Vec<_> = (0..n).map(|me| format!("PE {me} of {n}: sum {}", 999_000 + 2000 * me)).collect();
        assert_eq!((job.status, &job.lines), (Some(0), &lines), "{job:#?}");
    }
}
