//! C programs that call the CUDA driver themselves. One loads and launches a kernel, and puts from and gets into its
//! own GPU memory; one copies between its GPU memory and symmetric host memory; one bumps triggers.

use cushmem_capi_tests::{Library, Rig};
use cushmem_examples_kernels::IMAGE as KERNELS;
use std::time::{SystemTime, UNIX_EPOCH};
use xtask::kernels::gpus_for;
use xtask::left_out::record;
use xtask::machine::{cuda_gpus, cuda_toolkit};

const TEST: &str = "capi::gpu_kernel_of_the_program";
const PROGRAM: &str = include_str!("../../../../apps/examples/c/gpu-kernel.c");

const BUMPS: &str = "capi::bumps_of_the_program";

const COPIES: &str = "capi::driver_copies_of_the_program";
const DRIVER_COPIES: &str = include_str!("driver-copies.c");

/// Catches host memory that the driver treats as several pieces: a copy must not leave a piece, so the program's own
/// copies would fail.
#[test]
fn driver_copies_of_the_program() {
    let Some(rig) = Rig::find(COPIES) else { return };
    let program =
        rig.compile("driver-copies.c", DRIVER_COPIES, Library::Shared, &["-std=c11", "-D_GNU_SOURCE", "-ldl"]);
    if let Err(reason) = cuda_gpus() {
        return record(COPIES, &reason);
    }
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64);
    let seed = std::env::var("CUSHMEM_TEST_SEED").unwrap_or_else(|_| clock.to_string());
    for n in [1, 2] {
        let job = rig.run(&program, n, &[&seed], &[("CUSHMEM_GPU", "cuda"), ("SHMEM_SYMMETRIC_SIZE", "1G")]);
        let lines: Vec<_> = (0..n).map(|me| format!("PE {me}: 0 wrong")).collect();
        assert_eq!((job.status, &job.lines), (Some(0), &lines), "CUSHMEM_TEST_SEED={seed} repeats it: {job:#?}");
    }
}

/// Catches a trigger that kernels do not find where C says it is, or whose operation runs early, twice or never.
#[test]
fn bumps_of_the_program() {
    let Some(rig) = Rig::find(BUMPS) else { return };
    rig.file("check.h", include_str!("../../../spec/c/check.h"));
    let program =
        rig.compile("bumps.c", include_str!("bumps.c"), Library::Shared, &["-std=c11", "-D_GNU_SOURCE", "-ldl"]);
    if let Err(reason) = gpus_for(&[KERNELS.name]) {
        return record(BUMPS, &reason);
    }
    let ptx = rig.file("kernels.ptx", KERNELS.ptx);
    for n in [1, 2] {
        let job = rig.run(&program, n, &[ptx.to_str().expect("a path in UTF-8")], &[("CUSHMEM_GPU", "cuda")]);
        let checked = job.lines.iter().filter(|l| l.ends_with(" checks")).count();
        assert!(job.status == Some(0) && checked == n as usize, "{job:#?}");
    }
}

/// On one node with the kernels' PTX for GPUs that reach each other, and on two with that for other jobs.
#[test]
fn gpu_kernel_of_the_program() {
    let Some(rig) = Rig::find(TEST) else { return };
    if let Err(reason) = gpus_for(&[KERNELS.name]) {
        return record(TEST, &reason);
    }
    let Some(toolkit) = cuda_toolkit() else {
        return record(TEST, "no cuda.h ($CUDA_HOME, /usr/local/cuda)");
    };
    let include = format!("-I{}", toolkit.join("include").display());
    let stubs = format!("-L{}", toolkit.join("lib64/stubs").display());
    let options = ["-std=c11", &include, &stubs, "-Wl,--no-as-needed", "-lcuda"];
    let program = rig.compile("gpu-kernel.c", PROGRAM, Library::Shared, &options);
    let (near, far) = (rig.file("kernels.ptx", KERNELS.ptx), rig.file("kernels.far.ptx", KERNELS.far_ptx));
    for (n, nodes, ptx) in [(1, 1, &near), (2, 1, &near), (4, 1, &near), (2, 2, &far), (4, 2, &far)] {
        let ptx = ptx.to_str().expect("a path in UTF-8");
        let variables = [("CUSHMEM_GPU", "cuda"), ("CUSHMEM_P2P", "1")];
        let job = rig.run_on_nodes(nodes, &program, n, &[ptx], &variables);
        let lines: Vec<_> = (0..n).map(|me| format!("PE {me} of {n}: sum {}", 999_000 + 2000 * me)).collect();
        assert_eq!((job.status, &job.lines), (Some(0), &lines), "{job:#?}");
    }
}
