//! Kernels in CUDA C++ that a program loads itself, by NVRTC or from files, and kernels that are linked with
//! `libcushmem_device`. Nothing runs here: on machines with GPUs, `linked.cu`, `images.cu` and the examples do.

use crate::cxx::{Rig, registers_in};
use cushmem_capi_table::{device_calls, device_grid_calls};
use cushmem_outside::clean;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use xtask::cxx::library::{self, NAME};
use xtask::left_out::record;
use xtask::workspace::Workspace;

const TEST: &str = "outside::compiles_kernels_in_cxx_by_nvrtc";

#[test]
fn compiles_kernels_in_cxx_by_nvrtc() {
    let rig = match Rig::find("cxx-linked") {
        Ok(rig) => rig,
        Err(reason) => return record(TEST, &reason),
    };
    let Some([nvrtc, linker]) = rig.nvcc.jit() else {
        return record(TEST, "there are no libraries of NVRTC and nvJitLink beside nvcc");
    };
    let mut jit = clean("gcc");
    jit.args(["-Wall", "-Wextra", "-Werror", "-o", "jit"]).arg(rig.root.join("tests/outside/cxx/jit.c")).arg("-ldl");
    rig.run(&mut jit);
    by_nvrtc(&rig, &nvrtc);
    from_files(&rig);
    let workspace = Workspace::load().expect("the workspace");
    let left_out = library::make(&workspace, Ok(&rig.nvcc), &["90"], &rig.work).expect("the library is made");
    left_out.iter().for_each(|reason| record(TEST, reason));
    let is_there = rig.work.join(format!("{NAME}.a")).exists();
    assert!(is_there || !left_out.is_empty(), "the archive is left out without a reason");
    if is_there {
        linked(&rig, &linker);
        let tools = workspace.target.join("tools");
        by_each_triton(&rig, &tools);
        // The last one is that of the example.
        for (which, kernels) in [("numba", &["ring", "words", "relax"][..]), ("cute", &["ring", "words"])] {
            by_python(&rig, which, kernels, &tools.join("compilers"));
        }
    }
}

/// Runs `jit`, which finds NVRTC's other library beside it.
fn jit(rig: &Rig, arguments: &[&str]) -> String {
    let mut command = clean("./jit");
    rig.run(command.args(arguments).env("LD_LIBRARY_PATH", &rig.nvcc.libraries))
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// Catches anything that NVRTC does not have: headers, names of the host, and types.
fn by_nvrtc(rig: &Rig, nvrtc: &Path) {
    let include = format!("-I{}", rig.root.join("include").display());
    let all = rig.work.join("all.cu");
    // Also the names without a type, which are in another place than for nvcc.
    let more = "__global__ void generic(long *a, uint64_t *b, size_t n, int pe) { shmem_p(a, 1L, pe); shmem_put(b, b, n, pe); }";
    let tasks = "__device__ void task(const shmemx_device_task_t &task) { ++*task.buffer<long>(task.argument<int>(0)); }\nSHMEMX_TASKS(task)";
    // Without CUDA's headers there is no grid of cooperative groups; anything else that meets takes its place.
    let group = "struct Group { __device__ void sync() const { __syncthreads(); } };";
    let calls = device_calls() + &device_grid_calls("Group");
    let array = "__global__ void array(shmemx_device_array<float> array) { array.write(0, array.read(1)), array.flush_warp(); }";
    fs::write(&all, format!("#include <shmem.h>\n#include <shmemx.h>\n{group}\n{calls}{more}\n{tasks}\n{array}\n"))
        .expect("room");
    let kernel = rig.root.join("apps/examples/cxx/kernel.cu");
    let some = ["-arch=compute_80", "-std=c++14"];
    let recorded = ["-arch=compute_80", "-std=c++14", "-DSHMEMX_RECORDED"];
    for options in [&some[..], &recorded, &["-arch=sm_90", recorded[2]], &["-arch=sm_100", "-std=c++20"]] {
        let file = if options[0].contains("compute") { &all } else { &kernel };
        let fixed = ["compile", text(nvrtc), "by-nvrtc.cubin", text(file), &include];
        jit(rig, &[&fixed[..], options].concat());
    }
    let cubin = fs::read(rig.work.join("by-nvrtc.cubin")).expect("it was written");
    assert!(
        names(&cubin, "cushmem_context") && names(&cubin, "cushmem_abi_version"),
        "shmemx_module_init finds nothing"
    );
}

/// What `cuModuleLoad` loads has the names that `shmemx_module_init` looks for, and the example's host part compiles.
fn from_files(rig: &Rig) {
    for kind in ["cubin", "ptx"] {
        let (output, option) = (format!("kernel.{kind}"), format!("-{kind}"));
        rig.compile("apps/examples/cxx/kernel.cu", &["-arch=sm_90", "-DSHMEMX_MODULE", &option], &output);
        let module = fs::read(rig.work.join(&output)).expect("it was written");
        assert!(names(&module, "cushmem_context") && names(&module, "cushmem_abi_version"), "{output}");
    }
    for example in ["driver", "nvrtc"] {
        let mut host = clean("g++");
        host.args(["-Wall", "-Wextra", "-Werror", "-c", "-I"]).arg(&rig.nvcc.include);
        host.arg("-I").arg(rig.root.join("include")).arg(rig.root.join(format!("apps/examples/cxx/{example}.cpp")));
        rig.run(host.args(["-o", "example.o"]));
    }
    rig.compile("tests/outside/cxx/images.cu", &["-arch=sm_90", "-c"], "images.o");
}

fn names(module: &[u8], symbol: &str) -> bool {
    module.windows(symbol.len()).any(|bytes| bytes == symbol.as_bytes())
}

/// Catches functions that read the context from elsewhere, cannot be linked or cost a kernel more than 32 registers,
/// contexts of which there are two or none, and names that differ from those of the table.
fn linked(rig: &Rig, linker: &Path) {
    let ptx = fs::read_to_string(rig.work.join(format!("{NAME}.ptx"))).expect("it was written");
    assert!(!ptx.contains("%envreg"), "something reads the context from registers that CUDA does not have");
    let functions: BTreeSet<&str> =
        ptx.lines().filter(|line| line.starts_with(".visible .func")).map(name_of).collect();
    let calls = device_calls();
    let table: BTreeSet<&str> = calls.lines().filter_map(|line| line.strip_prefix("__global__ void call_")).collect();
    let table: BTreeSet<&str> = table.into_iter().filter_map(|line| line.split('(').next()).collect();
    let strangers: Vec<_> = functions.difference(&table).filter(|name| !is_alone(name)).collect();
    assert!(strangers.is_empty(), "{strangers:?}");
    let missing: Vec<_> = table.difference(&functions).filter(|name| !is_left_out(name)).collect();
    let excused: Vec<_> = functions.iter().filter(|name| is_left_out(name)).collect();
    assert!(missing.is_empty() && excused.is_empty(), "missing: {missing:?}; there, but left out: {excused:?}");

    let file = "tests/outside/cxx/linked.cu";
    let archive = format!("{NAME}.a");
    rig.compile(file, &["-arch=sm_90", "-rdc=true", "-Xcompiler", "-fPIC", "-c"], "linked.o");
    rig.compile("tests/outside/cxx/other.cu", &["-arch=sm_90", "-rdc=true", "-Xcompiler", "-fPIC", "-c"], "other.o");
    let objects = ["linked.o", "other.o"].map(str::to_owned);
    let mut link = rig.nvcc.command();
    link.args(["-arch=sm_90", "-dlink", "-Xcompiler", "-fPIC"]).args(&objects).args([&archive, "-o", "device.o"]);
    rig.run(&mut link);
    let all = [&objects[..], &["device.o".to_owned(), archive.clone()]].concat();
    rig.link(&[], &all, "linked");
    rig.link(&["-shared"], &all, "liblinked.so");

    rig.compile(file, &["-arch=sm_90", "-rdc=true", "-DMODULE", "-ptx"], "module.ptx");
    for form in ["fatbin", "a", "ptx"] {
        let library = format!("{NAME}.{form}");
        let bound: &[&str] = if form == "ptx" { &["-maxrregcount=32"] } else { &[] };
        let fixed = ["link", text(linker), "linked.cubin", "module.ptx", &library, "-arch=sm_90", "-verbose"];
        let said = jit(rig, &[&fixed[..], bound].concat());
        let registers = registers_in(&said).get("linked").copied();
        assert!(registers.is_some_and(|registers| registers <= 32), "{form}: {registers:?} registers: {said}");
        let cubin = fs::read(rig.work.join("linked.cubin")).expect("it was written");
        assert!(names(&cubin, "cushmem_context") && names(&cubin, "cushmem_abi_version"), "{form}");
    }
}

/// All versions of Triton that tests/triton.toml lists.
fn by_each_triton(rig: &Rig, tools: &Path) {
    let listed = fs::read_to_string(rig.root.join("tests/triton.toml")).expect("a list of versions");
    let versions: Vec<&str> = listed.lines().filter_map(|line| line.strip_prefix('"')?.split('"').next()).collect();
    let (newest, others) = versions.split_last().expect("a version");
    let (one, more) = (tools.join("triton"), tools.join("triton-others"));
    std::thread::scope(|scope| {
        if one.exists() {
            scope.spawn(|| {
                let said = by_triton(rig, newest, &one);
                assert!(said.contains("triton-registers.toml: up to date"), "it is of another version: {said}");
            });
        } else {
            record(&format!("{TEST} by Triton"), "there is no Triton in tools/triton");
        }
        if !more.exists() {
            return record(&format!("{TEST} by other versions of Triton"), "there is none in tools/triton-others");
        }
        for version in others {
            let folder = more.join(version);
            scope.spawn(move || by_triton(rig, version, &folder));
        }
    });
}

/// Triton compiles kernels in Python that use the library's text, for each kind of GPU.
fn by_triton(rig: &Rig, version: &str, triton: &Path) -> String {
    let (script, library) = (rig.root.join("python/tests/triton_compiles.py"), rig.work.join(format!("{NAME}.ll")));
    let registers = rig.root.join("device/triton-registers.toml");
    let mut python = clean("python3");
    python.args(["-W", "ignore", text(&script), text(&library), text(&registers)]);
    python.env("PYTHONPATH", triton).env("TRITON_CACHE_DIR", rig.work.join(format!("triton-{version}")));
    let said = rig.run(&mut python);
    // Four kernels for three kinds of GPU, and five routines beside none.
    assert_eq!(said.matches(&format!("Triton {version}: ")).count(), 18, "{said}");
    said
}

/// Another compiler of Python makes machine code of kernels: all that they call is in it, and what a job fills in.
fn by_python(rig: &Rig, which: &str, kernels: &[&str], packages: &Path) {
    let test = format!("outside::compiles_kernels_in_cxx_by_nvrtc by {which}");
    if !packages.exists() {
        return record(&test, "there are no packages in tools/compilers");
    }
    let (script, out) = (rig.root.join("python/tests/kernels_of_compilers.py"), rig.work.join(which));
    // CuTe DSL warns that its data layout is another one. It differs for pointers that no routine has.
    let filtered = "python3 \"$@\" 2>&1 | sed '/^warning: Linking two modules of different data layouts/d'";
    let mut python = clean("bash");
    python.args(["-o", "pipefail", "-c", filtered, "bash", "-W", "ignore", text(&script), which]);
    python.args([text(&out), text(&rig.work), text(packages)]);
    python.env("LD_LIBRARY_PATH", &rig.nvcc.libraries);
    if let Some(home) = rig.nvcc.include.parent() {
        python.env("CUDA_HOME", home);
    }
    let said = rig.run(&mut python);
    // Numba's kernels and the routines are optimised together, for GPUs of which it can.
    let is_one = said.lines().filter(|line| line.ends_with(" is one with its routines for sm_100")).count();
    assert_eq!(is_one, if which == "numba" { kernels.len() } else { 0 }, "{said}");
    for kernel in kernels {
        assert!(said.contains(&format!("{which}: {kernel}, ")), "{said}");
        let cubin = fs::read(out.join(format!("{which}.{kernel}.cubin"))).expect("it was written");
        assert!(names(&cubin, "cushmem_context") && names(&cubin, "cushmem_abi_version"), "{which}: {kernel}");
    }
}

/// Parts of the names that kernels which include `shmem.h` have, and the library has not: docs/cxx.md lists them.
const LEFT_OUT: [&str; 5] = ["_ctx_", "alltoalls", "alltoallmemv", "_reduce", "scan"];

/// Whether it is a routine of single threads that all threads of a block call, which C++ has no need of.
fn is_alone(name: &str) -> bool {
    let routine = name.strip_suffix("_block").unwrap_or_default();
    ["_p", "signal_op", "_wait_until", "_atomic_add", "_atomic_set"].iter().any(|end| routine.ends_with(end))
}

fn is_left_out(name: &str) -> bool {
    LEFT_OUT.iter().any(|part| name.contains(part))
}

/// The name in the head of a function.
fn name_of(head: &str) -> &str {
    let rest = head.trim_start_matches(".visible .func").trim_start();
    let rest = rest.strip_prefix('(').map_or(rest, |rest| rest.split_once(')').map_or(rest, |(_, rest)| rest));
    rest.trim_start().split('(').next().unwrap_or_default()
}
