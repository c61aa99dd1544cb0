//! NVSHMEM's names on the host. CUDA's headers are not needed here: what `nvshmem.h` takes from them is declared below.

use cushmem_capi_tests::{Finished, Library, Rig};
use std::path::PathBuf;
use std::process::Command;
use xtask::launch::{self, word};

const PROGRAM: &str = include_str!("nvshmem.c");
const CUDA: &str = "typedef struct CUmod_st *CUmodule;\ntypedef struct CUlib_st *CUlibrary;\n";
const CUDA_RUNTIME: &str = "#pragma once\n#define CUDART_VERSION 13000\n\
    typedef struct CUstream_st *cudaStream_t;\ntypedef struct { unsigned int x, y, z; } dim3;\n\
    enum { cudaSuccess, cudaDevAttrMultiProcessorCount };\n#include <stddef.h>\n\
    int cudaGetDevice(int *);\nint cudaDeviceGetAttribute(int *, int, int);\n\
    int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, const void *, int, size_t);\n\
    int cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t, cudaStream_t);\n\
    int cudaFuncGetName(const char **, const void *);\nint cudaGetLastError(void);\n";

fn compile(rig: &Rig, mpi: &'static str) -> PathBuf {
    let name: String = mpi.chars().filter(char::is_ascii_alphanumeric).collect();
    rig.file("cuda.h", CUDA);
    rig.file("cuda_runtime.h", CUDA_RUNTIME);
    let folder = rig.tool("c/nvshmem");
    let folder = folder.display();
    let own = rig.path("");
    let options = format!(
        "-std=gnu11 -rdynamic {mpi} \"-I{}\" -I{folder}/include -L{folder}/lib -Wl,-rpath,{folder}/lib -Wl,--no-as-needed -lnvshmem_host",
        own.display()
    );
    let list = rig.file(&format!("options{name}"), &options);
    rig.compile(&format!("nvshmem{name}.c"), PROGRAM, Library::Shared, &[&format!("@{}", list.display())])
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
            expect(&rig.run_on_nodes(2, &program, 4, &[], &[("CUSHMEM_GPU", "soft")]), 4);
            continue;
        }
        let file = rig.path(&format!("id-{how}{mpi}"));
        let (path, file) = (word(&program), word(&file));
        let script = format!("for pe in 0 1 2 3; do timeout 60 {path} {how} {file} $pe 4 & done; wait");
        expect(&Rig::finish(Command::new("sh").args(["-c", &script]).env("CUSHMEM_GPU", "soft")), 4);
    }
}

/// Catches a start by MPI in which a failure of one rank makes the others wait, and handles of MPI that are taken for
/// others.
#[test]
fn a_start_by_mpi_fails_for_all_ranks() {
    let Some(rig) = Rig::find("capi::a_start_by_mpi_fails_for_all_ranks") else { return };
    let no_id = "cushmem: nvshmemx_init_attr: rank 0 has no unique id";
    let abi = "cushmem: nvshmemx_init_attr: the handles of MPI's standard ABI are not known";
    for (how, why) in [
        ("-DNO_ID -DFAILS=NVSHMEMX_ERROR_INTERNAL", no_id),
        ("-DNO_ID -DFAILS=NVSHMEMX_ERROR_INTERNAL -DOPEN_MPI -DMPI_ABI=-1", no_id),
        ("-DMPI_ABI=1 -DFAILS=NVSHMEMX_ERROR_NOT_SUPPORTED", abi),
    ] {
        let program = word(&compile(&rig, how));
        let file = word(&rig.path("id"));
        let script = format!("rm -f {file}; for pe in 0 1 2; do timeout 60 {program} mpi {file} $pe 3 & done; wait");
        let job = Rig::finish(Command::new("sh").args(["-c", &script]).env("CUSHMEM_GPU", "soft"));
        assert_eq!((job.status, &job.lines), (Some(0), &vec![why.to_owned(); 3]), "{how}");
    }
}

/// Catches a barrier that ends the job when a PE comes late, because what it does about GPUs has a limit.
#[test]
fn a_pe_may_come_late_to_a_barrier() {
    let Some(rig) = Rig::find("capi::a_pe_may_come_late_to_a_barrier") else { return };
    let variables = [("CUSHMEM_GPU", "soft"), ("CUSHMEM_WAIT_LIMIT_S", "0.5")];
    let job = rig.run(&compile(&rig, ""), 2, &["late"], &variables);
    assert_eq!(job.status, Some(0), "{job:#?}");
}

/// Catches grids of PEs on one GPU that are not resident together, and a launch without a GPU that returns no error.
#[test]
fn a_collective_launch_fits_on_the_gpu() {
    let Some(rig) = Rig::find("capi::a_collective_launch_fits_on_the_gpu") else { return };
    for (pes, how) in [(3, "-DPES_ON_GPU=3"), (1, "")] {
        let job = rig.run(&compile(&rig, how), 2, &["launch"], &[("CUSHMEM_GPU", "soft")]);
        assert_eq!((job.status, &job.lines), (Some(0), &vec![format!("{pes} PEs on a GPU")]), "{job:#?}");
    }
    let program = compile(&rig, "");
    let job = rig.run(&program, 2, &["launch-without"], &[("CUSHMEM_GPU", "none")]);
    let is_said = |line: &String| line.starts_with("cushmem: ") && line.contains("nvshmemx_collective_launch: ");
    assert!(job.status == Some(0) && !job.lines.is_empty() && job.lines.iter().all(is_said), "{job:#?}");
}

/// Catches launches that the timeline lacks or has without the kernel's name, and a name that is not known and fails a
/// launch or leaves an error for the program.
#[test]
fn a_collective_launch_is_in_the_timeline() {
    let Some(rig) = Rig::find("capi::a_collective_launch_is_in_the_timeline") else { return };
    let (program, trace) = (compile(&rig, ""), rig.path("trace.json"));
    let mut job = launch::on_nodes(&rig.tool("shmemrun"), 2, 1);
    job.args(["--timeout", "60", "--trace"]).arg(&trace).arg(&program).arg("launch").env("CUSHMEM_GPU", "soft");
    let job = Rig::finish(&mut job);
    assert_eq!(job.status, Some(0), "{job:#?}");
    let trace = std::fs::read_to_string(trace).expect("shmemrun has written the file");
    let launches = |pe: u32, kernel: &str| {
        let start = format!("{{\"ph\":\"X\",\"pid\":{pe},");
        let end = format!("\"name\":\"launch\",\"args\":{{\"path\":\"-\",\"stream\":0{kernel}}}}}");
        let lines = trace.lines().map(|line| line.trim_end_matches(','));
        lines.filter(|line| line.starts_with(&start) && line.ends_with(&end)).count()
    };
    let named = ",\"kernel\":\"_Z5solvePi\"";
    assert_eq!([0, 1].map(|pe| (launches(pe, named), launches(pe, ""))), [(1, 1); 2], "{trace}");
    assert_eq!(trace.matches("\"name\":\"may be busy: _Z5solvePi\"").count(), 2, "{trace}");
}

/// Catches a module that was not told about the job, of which the program does not learn.
#[test]
fn what_fails_for_modules_is_returned() {
    let Some(rig) = Rig::find("capi::what_fails_for_modules_is_returned") else { return };
    let job = rig.run(&compile(&rig, ""), 1, &["module"], &[("CUSHMEM_GPU", "soft")]);
    let said = ["module_init", "module_finalize", "library_init", "library_finalize"];
    let is_said = |name: &&str| job.lines.iter().any(|line| line.contains(&format!("shmemx_{name}: ")));
    assert!(job.status == Some(0) && said.iter().all(is_said), "{job:#?}");
}

/// Catches a number of NVSHMEM that means something else here and is taken for it.
#[test]
fn what_is_not_there_is_refused() {
    let Some(rig) = Rig::find("capi::what_is_not_there_is_refused") else { return };
    let program = compile(&rig, "");
    let why = "nvshmemx_signal_op: argument sig_op: neither NVSHMEM_SIGNAL_SET nor NVSHMEM_SIGNAL_ADD";
    let job = rig.run(&program, 1, &["signal"], &[("CUSHMEM_GPU", "soft")]);
    assert_eq!(job.status, Some(134), "{job:#?}");
    assert!(job.lines.iter().any(|line| line.contains(&format!("cushmem: PE 0: {why}"))), "{job:#?}");
    // A team has the number that the team across nodes would have. One PE says so, once.
    let job = rig.run(&program, 2, &["team"], &[("CUSHMEM_GPU", "soft")]);
    let why = "cushmem: nvshmem_init: there is no NVSHMEMX_TEAM_SAME_MYPE_NODE: the program has made a team before, or CUSHMEM_TEAMS is too small";
    assert_eq!((job.status, &*job.lines), (Some(0), &[why.to_owned()][..]), "{job:#?}");
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

/// Catches a binary that was built with NVIDIA's headers and runs with this library until it crashes, and one whose
/// names are bound at its start and of which the linker says no more than that one is missing.
#[test]
fn other_headers_are_refused() {
    let Some(rig) = Rig::find("capi::other_headers_are_refused") else { return };
    let folder = rig.tool("c/nvshmem/lib");
    let source = "int nvshmemid_hostlib_init_attr(int, void *);\nint nvshmemid_init_status(void);\n\
        void nvshmemid_hostlib_finalize(void *, void *);\n\
        int main(int count, char **all) {\n\
        if (count > 2) nvshmemid_hostlib_finalize(all, all);\n\
        return count > 1 ? nvshmemid_init_status() : nvshmemid_hostlib_init_attr(0, 0); }\n";
    let options = format!("-L{0} -Wl,-rpath,{0} -Wl,-z,now -Wl,--no-as-needed -lnvshmem_host", folder.display());
    let options = rig.file("other", &options);
    let program = rig.compile("other.c", source, Library::Shared, &[&format!("@{}", options.display())]);
    let said =
        "cushmem: this program was compiled with NVIDIA's headers of NVSHMEM: compile it with the headers of cushmem";
    for arguments in [&[][..], &["status"], &["status", "leave"]] {
        let job = Rig::finish(Command::new(&program).args(arguments));
        assert_eq!((job.status, job.lines), (Some(134), vec![said.to_owned()]));
    }
}
