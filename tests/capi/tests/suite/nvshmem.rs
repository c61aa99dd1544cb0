//! NVSHMEM's names on the host. CUDA's headers are not needed here: what `nvshmem.h` takes from them is declared below.

use cushmem_capi_tests::{Finished, Library, Rig};
use std::path::PathBuf;
use std::process::Command;
use xtask::launch::word;

const PROGRAM: &str = include_str!("nvshmem.c");
const CUDA: &str = "typedef struct CUmod_st *CUmodule;\ntypedef struct CUlib_st *CUlibrary;\n";
const CUDA_RUNTIME: &str = "#pragma once\n\
    typedef struct CUstream_st *cudaStream_t;\ntypedef struct { unsigned int x, y, z; } dim3;\n\
    enum { cudaSuccess, cudaDevAttrMultiProcessorCount };\n#include <stddef.h>\n\
    int cudaGetDevice(int *);\nint cudaDeviceGetAttribute(int *, int, int);\n\
    int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);\n\
    int cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);\n";

fn compile(rig: &Rig, mpi: &'static str) -> PathBuf {
    rig.file("cuda.h", CUDA);
    rig.file("cuda_runtime.h", CUDA_RUNTIME);
    let folder = rig.tool("c/nvshmem");
    let folder = folder.display();
    let own = rig.path("");
    let options = format!(
        "-std=gnu11 -rdynamic {mpi} \"-I{}\" -I{folder}/include -L{folder}/lib -Wl,-rpath,{folder}/lib -Wl,--no-as-needed -lnvshmem_host",
        own.display()
    );
    let name = format!("options{mpi}");
    let list = rig.file(&name, &options);
    rig.compile(&format!("nvshmem{mpi}.c"), PROGRAM, Library::Shared, &[&format!("@{}", list.display())])
}

fn expect(job: &Finished, n: u32) {
    let lines: Vec<String> = (0..n).map(|me| format!("PE {me} of {n}")).collect();
    assert_eq!((job.status, &job.lines), (Some(0), &lines), "{job:#?}");
}

/// Catches names that do not forward to the right routine, handles of teams that mean another team, and structures
/// of which more is read than the flag says.
#[test]
fn names_of_nvshmem_work_on_the_host() {
    let Some(rig) = Rig::find("capi::names_of_nvshmem_work_on_the_host") else { return };
    for (mpi, how) in [("", "run"), ("", "uid"), ("", "mpi"), ("-DOPEN_MPI", "mpi")] {
        let program = compile(&rig, mpi);
        if how == "run" {
            expect(&rig.run(&program, 4, &[], &[("CUSHMEM_GPU", "soft")]), 4);
            continue;
        }
        let file = rig.path(&format!("id-{how}{mpi}"));
        let (path, file) = (word(&program), word(&file));
        let script = format!("for pe in 0 1 2 3; do timeout 60 {path} {how} {file} $pe 4 & done; wait");
        expect(&Rig::finish(Command::new("sh").args(["-c", &script]).env("CUSHMEM_GPU", "soft")), 4);
    }
}

/// Catches a variable that has no effect and is not named, and one that is named although nothing is missed.
#[test]
fn settings_of_nvshmem_are_named_once() {
    let Some(rig) = Rig::find("capi::settings_of_nvshmem_are_named_once") else { return };
    let program = compile(&rig, "");
    let settings = [("CUSHMEM_GPU", "soft"), ("NVSHMEM_SYMMETRIC_SIZE", "1G"), ("NVSHMEM_QP_DEPTH", "7")];
    let job = rig.run(&program, 2, &[], &settings);
    let named = "cushmem: NVSHMEM_QP_DEPTH: no effect in this library, see docs/from-nvshmem.md";
    assert_eq!((job.status, job.lines), (Some(0), ["PE 0 of 2", "PE 1 of 2", named].map(str::to_owned).to_vec()));
}

/// Catches a binary that was built with NVIDIA's headers and runs with this library until it crashes.
#[test]
fn other_headers_are_refused() {
    let Some(rig) = Rig::find("capi::other_headers_are_refused") else { return };
    let folder = rig.tool("c/nvshmem/lib");
    let source =
        "int nvshmemid_hostlib_init_attr(int, void *);\nint main(void) { return nvshmemid_hostlib_init_attr(0, 0); }\n";
    let options =
        rig.file("other", &format!("-L{0} -Wl,-rpath,{0} -Wl,--no-as-needed -lnvshmem_host", folder.display()));
    let program = rig.compile("other.c", source, Library::Shared, &[&format!("@{}", options.display())]);
    let job = Rig::finish(&mut Command::new(program));
    let said =
        "cushmem: this program was compiled with NVIDIA's headers of NVSHMEM: compile it with the headers of cushmem";
    assert_eq!((job.status, job.lines), (Some(134), vec![said.to_owned()]));
}
