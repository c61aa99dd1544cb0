//! Puts with a task in CUDA C++: how programs and modules declare functions is compiled, and what they do is run on
//! machines with two GPUs.

use crate::cxx::{GPUS, JOBS, LIMIT, REPORT, Rig, has_two_gpus, registers_in};
use std::fs;
use std::process::Command;
use xtask::process::run_limited;
use xtask::ptx::ptxas::parse_report;

const EXECUTOR: &str = "cushmem_run_tasks";
const FILE: &str = "tests/outside/cxx/tasks.cu";

/// Programs and libraries with functions of tasks can be linked, modules have the kernel that the library looks for,
/// and what cannot work is refused.
pub(crate) fn compiles(rig: &Rig) {
    for mode in ["whole", "rdc"] {
        let more: &[&str] = if mode == "rdc" { &["-rdc=true"] } else { &[] };
        let mut objects = vec![format!("tasks-{mode}.o")];
        rig.compile(FILE, &[&GPUS[..], &["-c", "-Xcompiler", "-fPIC"], more].concat(), &objects[0]);
        if mode == "rdc" {
            let mut link = rig.nvcc.command();
            link.args(GPUS).args(["-dlink", "-Xcompiler", "-fPIC"]).args(&objects).args(["-o", "tasks-linked.o"]);
            rig.run(&mut link);
            objects.push("tasks-linked.o".into());
        }
        rig.link(&[], &objects, &format!("tasks-{mode}"));
        // A library has functions of its own beside those of the program.
        rig.link(&["-shared"], &objects, &format!("libtasks-{mode}.so"));
        let mut names = Command::new("nm");
        let listed = rig.run(names.args(["-D", "--defined-only"]).arg(format!("libtasks-{mode}.so")));
        assert!(!listed.contains("run_tasks"), "another library would take this one's executor: {listed}");
    }
    for (kind, options) in [("cubin", &["-cubin"][..]), ("ptx", &["-ptx"])] {
        let output = format!("tasks.{kind}");
        rig.compile(FILE, &[&["-arch=sm_90", "-DSHMEMX_MODULE"], options].concat(), &output);
        let module = fs::read(rig.work.join(&output)).expect("it was written");
        for name in [EXECUTOR, "cushmem_context", "cushmem_abi_version"] {
            assert!(module.windows(name.len()).any(|bytes| bytes == name.as_bytes()), "{output} has no {name}");
        }
    }
    registers(rig);
    refused(rig);
    on_the_emulated_gpu(rig);
    if has_two_gpus() {
        for more in [&[][..], &["-rdc=true"]] {
            run(rig, more);
        }
    }
}

/// Catches an executor that costs more registers than it did, around a function that needs few. What its lanes know of
/// the queue and of the task is in memory; without `-rdc=true`, nothing else is.
fn registers(rig: &Rig) {
    let function = "__device__ void f(const shmemx_device_task_t &task) { ++*task.buffer<uint64_t>(0); }";
    fs::write(rig.work.join("executor.cu"), format!("#include <shmemx.h>\n{function}\nSHMEMX_TASKS(f)\n"))
        .expect("room");
    let file = rig.work.join("executor.cu").display().to_string();
    for gpu in ["-arch=sm_80", "-arch=sm_90"] {
        let said = rig.compile(&file, &[gpu, REPORT, "-c"], "executor.o");
        let kernels = parse_report(&said);
        let executor = kernels.iter().find(|kernel| kernel.name == EXECUTOR).expect(EXECUTOR);
        assert!(
            executor.registers <= 84 && executor.spill_bytes == 0 && executor.stack_bytes <= 224,
            "{gpu}: {executor:?}"
        );
        rig.compile(&file, &[gpu, "-rdc=true", REPORT, "-c"], "executor.o");
        let mut link = rig.nvcc.command();
        let said = rig.run(link.args([gpu, "-dlink", "-Xnvlink=--verbose", "executor.o", "-o", "executor-linked.o"]));
        assert!(
            registers_in(&said).get(EXECUTOR).is_some_and(|registers| *registers <= 113),
            "{gpu} -rdc=true: {said}"
        );
    }
}

/// Catches mistakes that the compiler lets pass, or for which it has no clear words.
fn refused(rig: &Rig) {
    for (name, text, says) in [
        ("none", "SHMEMX_TASKS()", "SHMEMX_TASKS names at least one function"),
        ("parameters", "__device__ void f(int) {}\nSHMEMX_TASKS(f)", "no instance of function template"),
        ("host", "void f(const shmemx_device_task_t &) {}\nSHMEMX_TASKS(f)", "calling a __host__ function"),
        (
            "twice",
            "__device__ void f(const shmemx_device_task_t &) {}\nSHMEMX_TASKS(f)\nSHMEMX_TASKS(f)",
            "cushmem_run_tasks",
        ),
        (
            "queue",
            "__global__ void k(shmemx_task_queue_t q, shmemx_task_t *t) { shmemx_put_task(q, t, 0, 0, 0); }",
            "calling a __host__ function",
        ),
    ] {
        let file = format!("tasks-{name}.cu");
        fs::write(rig.work.join(&file), format!("#include <shmemx.h>\n{text}\n")).expect("room in the target folder");
        let mut command = rig.nvcc.command();
        command.args(["-std=c++14", "-arch=sm_90", "-ptx", "-I"]).arg(rig.root.join("include"));
        command.current_dir(&rig.work).args([&file, "-o", "refused.ptx"]);
        let (ended, said) = run_limited(&mut command, LIMIT).expect("there is such a program");
        assert!(ended.failure().is_some() && said.contains(says), "{name}: {ended:?}\n{said}");
    }
}

/// The emulated GPU cannot run the functions, and says so.
fn on_the_emulated_gpu(rig: &Rig) {
    let mut command = Command::new(&rig.shmemrun);
    command.env("LD_LIBRARY_PATH", &rig.library).env("CUSHMEM_GPU", "soft").args(["-n", "1", "./tasks-whole"]);
    let (ended, said) = run_limited(command.current_dir(&rig.work), LIMIT).expect("there is such a program");
    let why = "the emulated GPU runs kernels in Rust only, and this one is in CUDA C++";
    let says = format!("PE 0: shmemx_task_queue_create: PE 0: find kernel {EXECUTOR}: {why}");
    assert!(ended.failure().is_some() && said.contains(&says), "{ended:?}\n{said}");
}

/// What kernels and a task do wrong when they are told to, and how they end.
const MISTAKES: [(&str, &str); 10] = [
    ("wrong-function", "put_task: function 5 is out of range (0 to 4)"),
    ("wrong-buffer", "put_task: the queue has no buffer 1"),
    ("no-buffer", "put_task: 8 bytes of data for PE 0, but no buffer for them"),
    ("wrong-range", "put_task: the data end at byte 24 of the buffer, which has 16 bytes"),
    ("wrong-pe", "PE 2 is out of range (0 to 1)"),
    ("wrong-signal", "is neither in the heap of host memory nor in that of GPU memory"),
    ("uneven-signal", "put_task: the signal is not aligned"),
    ("wrong-sig-op", "sig_op 3 is not SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)"),
    ("no-sig-op", "sig_op 0 is not SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)"),
    ("in-a-task", "the queue has no buffer 1000"),
];

/// Functions of a program and of a module, in each kind of job.
fn run(rig: &Rig, more: &[&str]) {
    rig.compile(FILE, &["-arch=native", "-DSHMEMX_MODULE", "-cubin"], "module.cubin");
    rig.build(&[FILE], more, "tasks");
    for (_, options) in JOBS {
        rig.run_checked(options, &["./tasks", "./module.cubin"]);
    }
    rig.run_mistakes(&["./tasks"], &MISTAKES);
}
