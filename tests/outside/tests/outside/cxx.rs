//! Kernels in CUDA C++ are compiled and linked in the ways in which people build. On machines with two GPUs,
//! `routines.cu`, `collectives.cu`, `arrays.cu` and `grid.cu` in `tests/outside/cxx` check what routines of each kind do,
//! the first and the last one in each kind of job, and `litmus.cu` counts forbidden orders of memory accesses.

use cushmem_abi::RECORDED_SYMBOL;
use cushmem_capi_table::{device_calls, device_grid_calls};
use cushmem_outside::{clean, scratch, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use xtask::cxx::nvcc::Nvcc;
use xtask::left_out::record;
use xtask::machine::c_toolchain;
use xtask::process::{output_of, run_limited};
use xtask::ptx::ptxas::parse_report;

pub(crate) const LIMIT: Duration = Duration::from_secs(600);
const TEST: &str = "outside::compiles_kernels_in_cxx";

/// The most registers of kernels with one call each, which have 14 without it, and with `-rdc=true` after linking.
const REGISTERS: [(&str, u32, u32); 25] = [
    ("nothing", 14, 14),
    ("my_pe", 16, 16),
    ("p", 32, 48),
    ("g", 32, 48),
    ("signal_set", 32, 48),
    ("signal_wait", 26, 30),
    ("inc", 38, 48),
    ("fetch_add", 34, 48),
    ("quiet", 32, 44),
    ("put_thread", 56, 64),
    ("put_block", 48, 64),
    ("put_signal_block", 54, 64),
    ("get_nbi_block", 68, 64),
    ("barrier_block", 40, 50),
    ("wait_all", 28, 32),
    ("iput_block", 40, 62),
    ("team_sync_block", 48, 66),
    ("broadcast_block", 64, 96),
    ("alltoall_block", 64, 81),
    ("sum_block", 64, 74),
    ("put_task_block", 78, 82),
    ("array_read", 96, 119),
    ("array_write", 96, 122),
    ("array_add", 38, 44),
    ("array_flush_block", 94, 98),
];

/// Kernels that, with `-rdc=true`, keep what they need after a call in memory.
const SPILLING: [&str; 9] = [
    "put_thread",
    "put_block",
    "put_signal_block",
    "get_nbi_block",
    "iput_block",
    "put_task_block",
    "array_read",
    "array_write",
    "array_add",
];

/// Has the assembler say how many registers each kernel has.
pub(crate) const REPORT: &str = "-Xptxas=-v";
/// For machine code that nobody runs and whose registers nobody counts. Without this, the assembler makes a copy of
/// each function for each kernel that calls it, which takes most of the time of a file with many kernels.
const UNOPTIMISED: &str = "--Ofast-compile=mid";

pub(crate) struct Rig {
    pub(crate) nvcc: Nvcc,
    /// Whether the assembler knows [`UNOPTIMISED`]; that of CUDA 13.0 does.
    knows_unoptimised: bool,
    pub(crate) root: PathBuf,
    pub(crate) work: PathBuf,
    pub(crate) library: PathBuf,
    pub(crate) shmemrun: PathBuf,
}

impl Rig {
    /// Finds what is needed, with a working folder of this name.
    pub(crate) fn find(folder: &str) -> Result<Self, String> {
        let root = sources().ok_or("the sources are not here")?;
        let work = scratch(folder);
        let target = work.ancestors().nth(2).expect("in the target folder");
        let exe = std::env::current_exe().expect("a test knows its own path");
        let built = exe.ancestors().nth(2).expect("tests live in target/<profile>/deps");
        let (library, shmemrun) = (built.join("c/lib"), built.join("shmemrun"));
        let nvcc = Nvcc::find(&target.join("tools"))?;
        if !c_toolchain() {
            return Err("there is no C++ compiler".into());
        }
        assert!(library.join("libcushmem.so").exists(), "`cargo xtask library` has not linked the library");
        fs::create_dir_all(&work).expect("room in the target folder");
        let (name, _) = UNOPTIMISED.split_once('=').expect("an option with a value");
        let knows_unoptimised = output_of(nvcc.command().arg("--help")).is_ok_and(|help| help.contains(name));
        Ok(Self { nvcc, knows_unoptimised, root, work, library, shmemrun })
    }

    /// Compiles a file with more options; the result is in the working folder. Machine code is optimised if it is for
    /// this machine's GPUs, or if the assembler is to say what is in it.
    pub(crate) fn compile(&self, file: &str, options: &[&str], output: &str) -> String {
        let mut command = self.nvcc.command();
        let names_standard = options.iter().any(|option| option.starts_with("-std"));
        let is_optimised = ["-arch=native", REPORT].iter().any(|option| options.contains(option));
        command
            .args((!names_standard).then_some("-std=c++14"))
            .args((self.knows_unoptimised && !is_optimised).then_some(format!("-Xptxas={UNOPTIMISED}")))
            .args(options)
            .arg("-I")
            .arg(self.root.join("include"))
            .arg(self.root.join(file));
        self.run(command.arg("-o").arg(self.work.join(output)))
    }

    pub(crate) fn run(&self, command: &mut Command) -> String {
        let (ended, said) = run_limited(command.current_dir(&self.work), LIMIT).expect("there is such a program");
        assert!(ended.failure().is_none(), "{command:?}: {ended:?}\n{said}");
        assert!(!said.contains("warning"), "{command:?}\n{said}");
        said
    }

    /// Compiles files for the GPUs here and links them with the library; the result is in the working folder.
    pub(crate) fn build(&self, files: &[&str], options: &[&str], output: &str) {
        println!("{output} with {options:?}");
        let mut command = self.nvcc.command();
        command.args(["-arch=native", "-cudart", "static", "-I"]).arg(self.root.join("include")).args(options);
        command.args(files.iter().map(|file| self.root.join(file))).arg("-L").arg(&self.library).arg("-lcushmem");
        self.run(command.arg("-L").arg(&self.nvcc.libraries).args(["-o", output]));
    }

    /// A job of two PEs: options of `shmemrun`, and a program with its words.
    pub(crate) fn two_pes(&self, words: &[&str]) -> Command {
        let mut job = Command::new(&self.shmemrun);
        job.env("LD_LIBRARY_PATH", &self.library).args(["-n", "2"]).args(words).current_dir(&self.work);
        job
    }

    /// Runs a program with two PEs, each of which checks all values itself.
    pub(crate) fn run_checked(&self, options: &[&str], program: &[&str]) -> String {
        let said = self.run(&mut self.two_pes(&[options, program].concat()));
        assert_eq!(said.matches(": 0 rows failed").count(), 2, "{options:?} {program:?}: {said}");
        said
    }

    /// Has a program do wrong what it is told to: the job ends with the message for that.
    pub(crate) fn run_mistakes(&self, program: &[&str], mistakes: &[(&str, &str)]) {
        for (mistake, message) in mistakes {
            let mut job = self.two_pes(&[&["--timeout", "30"], program, &[mistake]].concat());
            let (ended, said) = run_limited(&mut job, LIMIT).expect("there is such a program");
            assert!(ended.failure().is_some() && said.contains(message), "{program:?} {mistake}: {ended:?}\n{said}");
        }
    }

    /// The registers of the kernels in `registers.o` when they are linked with what they call.
    fn linked_registers(&self, gpu: &str) -> BTreeMap<String, u32> {
        let mut link = self.nvcc.command();
        let said =
            self.run(link.args([gpu, "-dlink", "-Xnvlink=--verbose", "registers.o", "-o", "registers-linked.o"]));
        let found = registers_in(&said);
        assert!(found.contains_key("nothing"), "no registers: {said}");
        found
    }

    /// Links objects with the compiler of C++ of the host.
    pub(crate) fn link(&self, options: &[&str], objects: &[String], output: &str) {
        let mut command = clean("g++");
        command.args(options).args(objects);
        command.arg("-L").arg(&self.library).arg("-lcushmem").arg("-L").arg(&self.nvcc.libraries);
        self.run(command.args(["-lcudart_static", "-lpthread", "-ldl", "-lrt", "-o", output]));
    }
}

/// The registers of kernels in what the linker says.
pub(crate) fn registers_in(said: &str) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    let mut kernel = None;
    for line in said.lines() {
        if let Some((_, name)) = line.split_once("Function properties for ") {
            kernel = Some(name.trim_matches(|c| c == '\'' || c == ':').to_owned());
        } else if let Some((count, _)) = line.split_once(" registers")
            && let Some(name) = kernel.take()
        {
            let count = count.rsplit(' ').next().and_then(|count| count.parse().ok());
            found.insert(name, count.unwrap_or_else(|| panic!("{line}")));
        }
    }
    found
}

pub(crate) const GPUS: [&str; 4] = ["-gencode", "arch=compute_80,code=sm_80", "-gencode", "arch=compute_90,code=sm_90"];

#[test]
fn compiles_kernels_in_cxx() {
    let rig = match Rig::find("cxx") {
        Ok(rig) => rig,
        Err(reason) => return record(TEST, &reason),
    };
    let mut host = clean("g++");
    host.args(["-std=c++14", "-Wall", "-Wextra", "-Werror", "-fPIC", "-c", "-I"]).arg(rig.root.join("include"));
    rig.run(host.arg(rig.root.join("tests/outside/cxx/host.cpp")).args(["-o", "host.o"]));
    registers(&rig);
    crate::nvshmem::compiles(&rig);
    crate::cxx_tasks::compiles(&rig);
    crate::cxx_arrays::compiles(&rig);
    for mode in ["whole", "rdc"] {
        let more: &[&str] = if mode == "rdc" { &["-rdc=true"] } else { &[] };
        let object = |file: &str, options: &[&str], name: &str| {
            let name = format!("{name}-{mode}.o");
            rig.compile(file, &[&GPUS[..], &["-c", "-Xcompiler", "-fPIC"], options, more].concat(), &name);
            name
        };
        // One unit, and two with kernels beside one without; each as a program and in a library.
        let ring = object("apps/examples/cxx/ring.cu", &[], "ring");
        let other = object("tests/outside/cxx/other.cu", &[], "other");
        let recording = object("tests/outside/cxx/other.cu", &["-DSHMEMX_RECORDED"], "recording");
        let in_library = object("tests/outside/cxx/other.cu", &["-DLIBRARY"], "library");
        let sets = [
            (vec![ring.clone()], false),
            (vec![ring.clone(), other.clone(), "host.o".into()], false),
            (vec![ring, recording, "host.o".into()], false),
            (vec![in_library.clone()], true),
            (vec![in_library, other, "host.o".into()], true),
        ];
        for (number, (mut objects, is_library)) in sets.into_iter().enumerate() {
            if mode == "rdc" {
                // Device code that is linked needs one more object, whoever links the host's.
                let linked = format!("linked-{number}.o");
                let mut link = rig.nvcc.command();
                link.args(GPUS).args(["-dlink", "-Xcompiler", "-fPIC"]).args(&objects).args(["-o", &linked]);
                rig.run(&mut link);
                objects.push(linked);
            }
            let options: &[&str] = if is_library { &["-shared"] } else { &[] };
            rig.link(options, &objects, &format!("linked-{mode}-{number}"));
        }
    }
    rig.compile("tests/outside/cxx/routines.cu", &["-arch=sm_90", "-c"], "routines.o");
    rig.compile("tests/outside/cxx/images.cu", &["-arch=sm_90", "-c"], "images.o");
    let apart = ["-arch=sm_90", "-c", "-DLIBRARY", "-DSHMEMX_MODULE"];
    rig.compile("tests/outside/cxx/other.cu", &apart, "apart.o");
    // To assemble these takes minutes too.
    rig.compile("tests/outside/cxx/collectives.cu", &["-arch=sm_90", "-ptx"], "collectives.ptx");
    rig.compile("tests/outside/cxx/arrays.cu", &["-arch=sm_90", "-ptx"], "arrays.ptx");
    rig.compile("tests/outside/cxx/grid.cu", &["-std=c++17", "-arch=sm_90", "-ptx"], "grid.ptx");
    signal_ops(&rig);
    recorded(&rig);
    measuring(&rig);
    macros(&rig);
    // Every name is called. To assemble 3,564 kernels takes minutes; the assembler sees all operations above.
    let all = rig.work.join("all.cu");
    let headers = "#define SHMEM_NO_DEPRECATED\n#include <shmem.h>\n#include <shmemx.h>\n";
    let groups = device_grid_calls("cooperative_groups::grid_group");
    let text = format!("#include <cooperative_groups.h>\n{headers}{}{groups}", device_calls());
    fs::write(&all, text).expect("room in the target folder");
    // The header of cooperative groups wants C++17.
    for more in [&[][..], &["-DSHMEMX_RECORDED"]] {
        let options = [&["-std=c++17", "-arch=sm_90", "-ptx"], more].concat();
        rig.compile(all.to_str().expect("a path in UTF-8"), &options, "all.ptx");
    }
    // The library names a unit by its own file, not by the header.
    let object = fs::read(rig.work.join("other-whole.o")).expect("it was compiled");
    assert!(object.windows(9).any(|bytes| bytes == b"/other.cu"), "the unit does not name its file");
    if has_two_gpus() {
        run_routines(&rig);
        run_grids(&rig);
    }
}

/// Builds the benchmark and the litmus tests. On two GPUs, the benchmark makes a few steps of everything, and the
/// litmus tests find no forbidden outcome.
fn measuring(rig: &Rig) {
    let programs = [
        (
            "device_bench",
            &["apps/bench/cxx/device_bench.cu", "apps/bench/cxx/device_wide.cu"][..],
            "--smoke",
            "dev_broadcast_f32",
        ),
        ("litmus", &["tests/outside/cxx/litmus.cu"][..], "1000000", "litmus: 0 shapes are wrong"),
    ];
    let gpu = if has_two_gpus() { "-arch=native" } else { "-arch=sm_90" };
    for (program, files, argument, expected) in programs {
        let objects: Vec<String> = (0..files.len()).map(|number| format!("{program}-{number}.o")).collect();
        for (file, object) in files.iter().zip(&objects) {
            rig.compile(file, &["-std=c++17", gpu, "-O3", "-c"], object);
        }
        rig.link(&[], &objects, program);
        if has_two_gpus() {
            let said = rig.run(&mut rig.two_pes(&[&format!("./{program}"), argument]));
            assert!(said.contains(expected), "{program}: {said}");
        }
    }
}

pub(crate) fn has_two_gpus() -> bool {
    let listed = clean("nvidia-smi").arg("-L").output();
    listed
        .is_ok_and(|listed| listed.status.success() && listed.stdout.iter().filter(|byte| **byte == b'\n').count() > 1)
}

/// Kinds of jobs of two PEs: mapped, on GPUs that do not reach each other, and on two nodes.
pub(crate) const JOBS: [(&str, &[&str]); 3] =
    [("mapped", &[]), ("no-p2p", &["-x", "CUSHMEM_P2P=0"]), ("nodes", &["--nodes", "2"])];

/// Catches a warp whose lanes come apart before a barrier of all blocks, which would then count it twice.
fn run_grids(rig: &Rig) {
    rig.compile("tests/outside/cxx/grid.cu", &["-std=c++17", "-arch=native", "-O3", "-c"], "grid.o");
    rig.link(&[], &["grid.o".into()], "grid");
    for (_, options) in JOBS {
        rig.run_checked(options, &["./grid"]);
    }
}

/// One program with two units, and a library that it opens, on PEs that are mapped, on GPUs that do not reach each
/// other, and on two nodes. Each checks every value, and fails if something is mapped that should not be.
fn run_routines(rig: &Rig) {
    for more in [&[][..], &["-rdc=true"]] {
        let [routines, other] = ["tests/outside/cxx/routines.cu", "tests/outside/cxx/other.cu"];
        rig.build(&[routines, other], more, "routines");
        rig.build(&[other], &[more, &["-DLIBRARY", "-shared", "-Xcompiler", "-fPIC"]].concat(), "libother.so");
        let served: (&str, &[&str]) = ("mapped", &["-x", "CUSHMEM_COMMAND_PROCESSOR=1"]);
        for (mode, options) in JOBS.into_iter().chain([served]) {
            rig.run_checked(options, &["./routines", mode, "./libother.so"]);
        }
        rig.run_mistakes(&["./routines"], &MISTAKES);
    }
}

/// What `routines` does wrong when it is told to, and how its kernels end.
const MISTAKES: [(&str, &str); 4] = [
    ("wrong-pe", "a kernel stopped in block 0, thread 0: PE 2 is out of range (0 to 1)"),
    ("wrong-address", "is neither in the heap of host memory nor in that of GPU memory"),
    ("wrong-signal", "block 0, thread 0: sig_op 7 is not SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)"),
    ("wrong-member", "a kernel stopped in block 0, thread 0: PE 1 is out of range (0 to 0) in the team of slot"),
];

/// A program may have macros with the names that the headers have inside. Catches one without a prefix.
fn macros(rig: &Rig) {
    let names = macros_before(
        rig,
        "shmemx_device.cuh",
        &["shmem.h"],
        &[&["-std=c++14", "-arch=sm_80"], &["-std=c++17", "-arch=sm_100"], &["-std=c++20", "-rdc=true"]],
    );
    assert!(
        ["context", "image", "word", "bits", "address", "reach"].iter().all(|name| names.iter().any(|n| n == name))
    );
    let names = macros_before(rig, "shmemx_tasks.cuh", &["shmemx.h", "shmem.h"], &[&["-std=c++14", "-arch=sm_80"]]);
    assert!(["launch", "kernel", "run"].iter().all(|name| names.iter().any(|n| n == name)));
    let names = macros_before(rig, "shmemx_arrays.cuh", &["shmemx.h", "shmem.h"], &[&["-std=c++14", "-arch=sm_80"]]);
    assert!(["adds", "are_there", "found"].iter().all(|name| names.iter().any(|n| n == name)), "{names:?}");
}

/// Compiles a unit with macros before the first of the headers `public`, which includes `device`. Returns their names.
fn macros_before(rig: &Rig, device: &str, public: &[&str], options: &[&[&str]]) -> Vec<String> {
    let header = |name: &str| fs::read_to_string(rig.root.join("include").join(name)).expect("a header");
    let words = |text| BTreeSet::<&str>::from_iter(str::split(text, |c: char| !c.is_ascii_alphanumeric() && c != '_'));
    let (first, device, public) =
        (public[0], header(device), public.iter().map(|name| header(name)).collect::<String>());
    // The names of parameters in public headers tell people what they are. CUDA itself needs the last two.
    let code: String = public.split("/*").map(|text| text.split_once("*/").map_or(text, |(_, code)| code)).collect();
    let public: BTreeSet<&str> = words(&code).into_iter().chain(["device", "host"]).collect();
    let internal = words(&device).into_iter().filter_map(|word| word.strip_prefix("shmem_impl_"));
    let names: Vec<&str> = internal.filter(|name| !name.is_empty() && !public.contains(name)).collect();
    let all = |line: &str| names.iter().map(|name| line.replace("NAME", name)).collect::<String>();
    let text = format!(
        "{}extern \"C\" {{\n#include <{first}>\n}}\n#include <{first}>\n{}#include \"{}\"\n",
        all("#define NAME )NAME is a macro(\n"),
        all("#undef NAME\n"),
        rig.root.join("tests/outside/cxx/other.cu").display()
    );
    let path = rig.work.join("macros.cu");
    fs::write(&path, text).expect("room in the target folder");
    let file = path.to_str().expect("a path in UTF-8");
    options.iter().for_each(|options| drop(rig.compile(file, &[*options, &["-c"]].concat(), "macros.o")));
    names.into_iter().map(str::to_owned).collect()
}

/// The text of a kernel in PTX.
fn kernel_of<'a>(ptx: &'a str, name: &str) -> &'a str {
    let start = ptx.find(&format!(".entry {name}(")).unwrap_or_else(|| panic!("no {name}"));
    let text = &ptx[start..];
    &text[..text.find("\n}").expect("its end")]
}

/// Catches a put with a signal that takes an unknown number for an addition, and one that tests a known number.
fn signal_ops(rig: &Rig) {
    let file = "tests/outside/cxx/signal_ops.cu";
    rig.compile(file, &["-arch=sm_90", "-ptx"], "signal_ops.ptx");
    let ptx = fs::read_to_string(rig.work.join("signal_ops.ptx")).expect("it was written");
    let source = fs::read_to_string(rig.root.join(file)).expect("the source");
    let forms = source.lines().filter_map(|line| line.strip_prefix("FORM(")?.split_once(',').map(|(form, _)| form));
    let forms: Vec<&str> = forms.collect();
    assert!(forms.len() > 10, "{forms:?}");
    for form in forms {
        let refuses = |kind: &str| kernel_of(&ptx, &format!("{kind}_{form}")).contains("refuse_signal_op");
        assert_eq!((refuses("given"), refuses("known")), (true, false), "{form}");
    }
}

/// Kernels in which nothing is recorded.
const UNRECORDED: [&str; 9] =
    ["nothing", "my_pe", "g", "inc", "fetch_add", "array_read", "array_write", "array_add", "array_flush_block"];
/// The most registers that a record costs.
const OF_RECORD: u32 = 10;

/// Catches operations that a unit with `SHMEMX_RECORDED` does not record, or in which it records a part once more, and
/// anything of it in other units.
fn recorded(rig: &Rig) {
    let file = "tests/outside/cxx/registers.cu";
    let on = ["-arch=sm_90", "-DSHMEMX_RECORDED"];
    for more in [&[][..], &["-rdc=true"], &["-DSHMEMX_MODULE"], &["-DSHMEMX_MODULE", "-rdc=true"]] {
        rig.compile(file, &[&on, more, &["-ptx"]].concat(), "recorded.ptx");
        let ptx = fs::read_to_string(rig.work.join("recorded.ptx")).expect("it was written");
        for (name, ..) in REGISTERS {
            let count = usize::from(!UNRECORDED.contains(&name));
            let calls = ["record_begin", "record_end"].map(|part| kernel_of(&ptx, name).matches(part).count());
            assert_eq!(calls, [count; 2], "{more:?}: {name}");
        }
        assert_eq!(ptx.contains(RECORDED_SYMBOL), more.contains(&"-DSHMEMX_MODULE"), "{more:?}");
        rig.compile(file, &[&on[..1], more, &["-ptx"]].concat(), "recorded.ptx");
        let ptx = fs::read_to_string(rig.work.join("recorded.ptx")).expect("it was written");
        assert!(!ptx.contains("record_") && !ptx.contains("recorded"), "{more:?}: a unit that does not record");
        let is_rdc = more.contains(&"-rdc=true");
        if more.contains(&"-DSHMEMX_MODULE") {
            continue;
        }
        let said = rig.compile(file, &[&on, more, &[REPORT, "-c"]].concat(), "registers.o");
        let linked = if is_rdc { rig.linked_registers(on[0]) } else { BTreeMap::new() };
        for kernel in parse_report(&said) {
            let Some(most) = REGISTERS.iter().find(|(name, ..)| *name == kernel.name) else { continue };
            let (most, name) = (OF_RECORD + if is_rdc { most.2 } else { most.1 }, most.0);
            let registers = linked.get(name).map_or(kernel.registers, |registers| kernel.registers.max(*registers));
            assert!(registers <= most, "{more:?}: {name} has {registers} registers with a record");
            let spilled = (kernel.spill_bytes, kernel.stack_bytes);
            assert!(spilled == (0, 0) || is_rdc && SPILLING.contains(&name), "{more:?}: {name}: {spilled:?}");
        }
    }
}

/// Catches calls that cost a kernel more registers than they did, and barriers that the compiler has copied.
fn registers(rig: &Rig) {
    let file = "tests/outside/cxx/registers.cu";
    for (gpu, is_rdc) in [("-arch=sm_80", false), ("-arch=sm_90", false), ("-arch=sm_80", true), ("-arch=sm_90", true)]
    {
        let more: &[&str] = if is_rdc { &["-rdc=true"] } else { &[] };
        let said = rig.compile(file, &[&[gpu, REPORT, "-c"], more].concat(), "registers.o");
        let kernels = parse_report(&said);
        let linked = if is_rdc { rig.linked_registers(gpu) } else { BTreeMap::new() };
        for (name, most, most_rdc) in REGISTERS {
            let most = if is_rdc { most_rdc } else { most };
            let kernel =
                kernels.iter().find(|kernel| kernel.name == name).unwrap_or_else(|| panic!("no {name}: {said}"));
            let registers = linked.get(name).map_or(kernel.registers, |registers| kernel.registers.max(*registers));
            assert!(registers <= most, "{gpu} {more:?}: {name} has {registers} registers, and {most} are the most");
            let spilled = (kernel.spill_bytes, kernel.stack_bytes);
            assert!(spilled == (0, 0) || is_rdc && SPILLING.contains(&name), "{gpu} {more:?}: {name}: {spilled:?}");
        }
    }
    // With more bytes in flight, blocks of 256 lanes can be launched, and nothing is spilled.
    let said = rig.compile(file, &["-arch=sm_90", "-DSHMEMX_WIDE", REPORT, "-c"], "registers.o");
    let kernels = parse_report(&said);
    for (name, ..) in REGISTERS {
        let kernel = kernels.iter().find(|kernel| kernel.name == name).unwrap_or_else(|| panic!("no {name}: {said}"));
        assert!(kernel.registers <= 176 && kernel.spill_bytes == 0, "SHMEMX_WIDE: {kernel:?}");
    }
    // The barriers of a put and of the fence, and two reductions, without copies of what is behind a branch. They are
    // counted in PTX, because nvcc comes without a disassembler. Its assembler was looked at by hand: it copied none.
    for (name, options) in [("registers.ptx", &[][..]), ("registers-rdc.ptx", &["-rdc=true"])] {
        rig.compile(file, &[&["-arch=sm_90", "-ptx"], options].concat(), name);
        let ptx = fs::read_to_string(rig.work.join(name)).expect("it was written");
        let of = |kernel: &str| {
            let text = kernel_of(&ptx, kernel);
            // A reduction is a call, or is in the kernel.
            text.matches("bar.sync").count() + text.matches("reduce_f32E").count()
        };
        let (put, fence, reduction) = (of("put_block"), 2, of("sum_block"));
        assert!(put > 0 && reduction > 0, "{name}: {put} and {reduction} barriers");
        assert_eq!((of("branches"), of("branches_reduce")), (put + fence, 2 * reduction), "{name}");
    }
}
