//! Arrays larger than a GPU in CUDA C++: how kernels use them is compiled, and what they do is run on machines with two
//! GPUs.

use crate::cxx::{JOBS, LIMIT, REPORT, Rig, has_two_gpus};
use std::fs;
use std::process::Command;
use xtask::process::run_limited;
use xtask::ptx::ptxas::parse_report;

const FILE: &str = "tests/outside/cxx/cached_arrays.cu";
const EXAMPLE: &str = "apps/examples/cxx/edges.cu";

/// Programs and modules with kernels that take arrays can be linked, and what cannot work is refused.
pub(crate) fn compiles(rig: &Rig) {
    for mode in ["whole", "rdc"] {
        let more: &[&str] = if mode == "rdc" { &["-rdc=true"] } else { &[] };
        let mut objects = vec![format!("cached-arrays-{mode}.o")];
        rig.compile(FILE, &[&["-arch=sm_90", "-c"], more].concat(), &objects[0]);
        if mode == "rdc" {
            let mut link = rig.nvcc.command();
            rig.run(link.args(["-arch=sm_90", "-dlink"]).args(&objects).args(["-o", "cached-arrays-linked.o"]));
            objects.push("cached-arrays-linked.o".into());
        }
        rig.link(&[], &objects, &format!("cached-arrays-{mode}"));
    }
    rig.compile(FILE, &["-arch=sm_90", "-DSHMEMX_MODULE", "-cubin"], "cached-arrays.cubin");
    example(rig);
    in_large_blocks(rig);
    refused(rig);
    another_size(rig);
    if has_two_gpus() {
        for more in [&[][..], &["-rdc=true"]] {
            run(rig, more);
        }
    }
}

/// Catches an example that does not compile, and a page that prints another one. On GPUs, it adds up a file.
fn example(rig: &Rig) {
    let text = fs::read_to_string(rig.root.join(EXAMPLE)).expect("the example");
    let page = fs::read_to_string(rig.root.join("docs/arrays.md")).expect("the page");
    let block = format!("<!-- file: {EXAMPLE} -->\n\n```cpp\n{text}```\n");
    assert!(page.contains(&block), "docs/arrays.md differs from {EXAMPLE}: copy the file behind its marker");
    let gpu = if has_two_gpus() { "-arch=native" } else { "-arch=sm_90" };
    rig.compile(EXAMPLE, &[gpu, "-c"], "edges.o");
    rig.link(&[], &["edges.o".into()], "edges");
    if has_two_gpus() {
        let numbers: Vec<u8> = (0..5000u64).flat_map(u64::to_ne_bytes).collect();
        fs::write(rig.work.join("edges.bin"), numbers).expect("room in the target folder");
        let said = rig.run(&mut rig.two_pes(&["./edges", "edges.bin", "5000"]));
        assert!(said.contains("the sum is 12497500"), "{said}");
    }
}

/// Catches a kernel of 1,024 threads that cannot be launched, or that keeps more numbers in memory itself than the few
/// beside those of its functions.
fn in_large_blocks(rig: &Rig) {
    let kernel = "__global__ void __launch_bounds__(1024) k(double *x, shmemx_device_array<double> array) { x[threadIdx.x] += array.read(threadIdx.x); }";
    fs::write(rig.work.join("large.cu"), format!("#include <shmemx.h>\nextern \"C\" {kernel}\n")).expect("room");
    let file = rig.work.join("large.cu").display().to_string();
    for gpu in ["-arch=sm_80", "-arch=sm_90"] {
        let said = rig.compile(&file, &[gpu, REPORT, "-c"], "large.o");
        let kernels = parse_report(&said);
        let kernel = kernels.iter().find(|kernel| kernel.name == "k").expect("the kernel");
        assert!(kernel.registers <= 64 && kernel.spill_bytes <= 64, "{gpu}: {kernel:?}");
        // The linker refuses it if a function that it calls has more registers.
        rig.compile(&file, &[gpu, "-rdc=true", REPORT, "-c"], "large.o");
        rig.run(rig.nvcc.command().args([gpu, "-dlink", "large.o", "-o", "large-linked.o"]));
    }
}

/// Catches mistakes that the compiler lets pass, or for which it has no clear words.
fn refused(rig: &Rig) {
    for (name, text, says) in [
        (
            "size",
            "struct S { char c[3]; };\n__global__ void k(shmemx_device_array<S> a) { a.read(0); }",
            "elements have 1, 2, 4 or 8 bytes",
        ),
        (
            "add",
            "__global__ void k(shmemx_device_array<short> a) { a.add(0, 1); }",
            "integers of 4 and 8 bytes, float and double can be added",
        ),
        ("handle", "__global__ void k(shmemx_array_t a) { shmemx_array_flush(a); }", "calling a __host__ function"),
    ] {
        let file = format!("cached-arrays-{name}.cu");
        fs::write(rig.work.join(&file), format!("#include <shmemx.h>\n{text}\n")).expect("room in the target folder");
        let mut command = rig.nvcc.command();
        command.args(["-std=c++14", "-arch=sm_90", "-ptx", "-I"]).arg(rig.root.join("include"));
        command.current_dir(&rig.work).args([&file, "-o", "refused.ptx"]);
        let (ended, said) = run_limited(&mut command, LIMIT).expect("there is such a program");
        assert!(ended.failure().is_some() && said.contains(says), "{name}: {ended:?}\n{said}");
    }
}

/// The host sees that a kernel takes elements of another size. No GPU is needed for that.
fn another_size(rig: &Rig) {
    let mut command = Command::new(&rig.shmemrun);
    command.env("LD_LIBRARY_PATH", &rig.library).env("CUSHMEM_GPU", "soft");
    command.args(["-n", "1", "./cached-arrays-whole", "file", "wrong-size"]).current_dir(&rig.work);
    let (ended, said) = run_limited(&mut command, LIMIT).expect("there is such a program");
    let says = "shmemx_array_device: the kernel takes elements of 8 bytes, and those of the array have 4";
    assert!(ended.failure().is_some() && said.contains(says), "{ended:?}\n{said}");
}

/// What kernels do wrong when they are told to, and how they end.
const MISTAKES: [(&str, &str); 6] = [
    ("read-index", "array: element 1000 is out of range (0 to 999)"),
    ("write-index", "array: element 1000 is out of range (0 to 999)"),
    ("write-read-only", "array: it is read-only, but a kernel writes to it"),
    ("write-sums", "array: it is for accumulation, but a kernel writes to it"),
    ("add", "array: kernels add only to arrays for accumulation"),
    ("add-index", "array: element 1000 is out of range (0 to 999)"),
];

fn run(rig: &Rig, more: &[&str]) {
    rig.build(&[FILE], more, "cached-arrays");
    let program = ["./cached-arrays", "cached-arrays.bin"];
    for (mode, options) in JOBS {
        let said = rig.run_checked(options, &program);
        assert_eq!(said.contains("GPU, in place"), mode == "mapped", "{said}");
    }
    rig.run_mistakes(&program, &MISTAKES);
}
