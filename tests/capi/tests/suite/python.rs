//! The package for Python: the wheel in an empty environment, and jobs of Python programs that were started in every
//! way, with NumPy and, where it is installed, torch.

use cushmem_capi_tests::{Finished, Rig};
use std::ffi::OsString;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::left_out::record;
use xtask::machine::{has_python_module, has_python_package, python, visible_gpus};
use xtask::wheel::pack;

const LIMIT_S: &str = "120";
/// Of a program that found no GPU.
const NOT_RUN: &str = "not run: ";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder `tools` in the target folder.
fn tools() -> PathBuf {
    let exe = std::env::current_exe().expect("a test knows its own path");
    exe.ancestors().nth(3).expect("tests live in target/<profile>/deps").join("tools")
}

/// The package, installed where there is nothing else.
struct Installed {
    rig: Rig,
    /// What only tests need.
    tools: PathBuf,
}

impl Installed {
    fn new(test: &str) -> Option<Self> {
        Self::with_back_ends(test, &[])
    }

    /// The package with back ends for these versions of torch.
    fn with_back_ends(test: &str, torch: &[PathBuf]) -> Option<Self> {
        let name = format!("capi::{test}");
        if !root().join("python").exists() {
            record(&name, "the sources are not here");
            return None;
        }
        let rig = Rig::find(&name)?;
        let tools = tools();
        if !has_python_package("pip", &tools) {
            record(&name, "python3 has no pip");
            return None;
        }
        let wheel = pack(&root(), &rig.tool(""), torch, &rig.path("wheel")).expect("a wheel");
        let installed = Self { rig, tools };
        succeeds(python(&installed.tools).args(["-m", "venv", "--without-pip"]).arg(installed.path("")));
        let mut install = python(&installed.tools);
        install.args(["-m", "pip", "--python"]).arg(installed.path("bin/python")).arg("install");
        succeeds(install.args(["--quiet", "--no-index", "--no-deps"]).arg(&wheel));
        Some(installed)
    }

    /// A path below the environment.
    fn path(&self, name: &str) -> PathBuf {
        self.rig.path("environment").join(name)
    }

    /// With which a program sees the package and what is installed on this machine.
    fn environment(&self, gpu: &str) -> [(&'static str, OsString); 4] {
        let versions =
            std::fs::read_dir(self.path("lib")).expect("an environment").map(|entry| entry.expect("a folder").path());
        let mut path: Vec<PathBuf> = versions.map(|version| version.join("site-packages")).collect();
        path.push(self.tools.join("python"));
        // What torch compiles outlives the environment.
        let compiled = self.rig.tool("torch-extensions").into_os_string();
        let path = std::env::join_paths(path).expect("no colons");
        let stores = self.path("").into_os_string();
        let gpu = ("CUSHMEM_GPU", gpu.into());
        [("PYTHONPATH", path), gpu, ("TORCH_EXTENSIONS_DIR", compiled), ("STORES", stores)]
    }

    /// A command in that environment, which ends in time.
    fn limited(&self, program: &Path, gpu: &str) -> Command {
        let mut command = Command::new("timeout");
        // With that variable, Python would skip what the programs assert.
        command.arg(LIMIT_S).arg(program).envs(self.environment(gpu)).env_remove("PYTHONOPTIMIZE");
        command
    }

    /// Compiles the back ends for torch, so that what follows finds them. Returns why that cannot be here.
    fn lacks_back_ends(&self) -> Option<String> {
        let import = "import cushmem.torch; print('compiled' if cushmem.torch._extension else 'not compiled')";
        let mut compiles = Command::new("timeout");
        let compiles = Rig::finish(compiles.args(["600", "python3", "-c", import]).envs(self.environment("none")));
        let found = compiles.lines.iter().find_map(|line| line.split_once("no back ends for symmetric memory: "));
        let why = found.map(|(_, why)| why.to_owned());
        match why {
            Some(why) if why.starts_with("there is no C++ compiler") || why.starts_with("this is torch") => Some(why),
            _ => {
                assert!(compiles.lines.contains(&"compiled".to_owned()), "{compiles:#?}");
                None
            }
        }
    }

    /// Runs a program of Python on `n` PEs that `shmemrun` starts.
    fn run(&self, n: u32, program: &Path, gpu: &str) -> Finished {
        self.run_with(n, program, &[], gpu)
    }

    fn run_with(&self, n: u32, program: &Path, arguments: &[&str], gpu: &str) -> Finished {
        let mut job = self.limited(&self.path("bin/shmemrun"), gpu);
        Rig::finish(job.args(["-n", &n.to_string(), "python3"]).arg(program).args(arguments))
    }

    /// Runs a program of Python by the launcher of torch.
    fn by_torchrun(&self, n: u32, program: &Path, arguments: &[&str], gpu: &str) -> Finished {
        Rig::finish(&mut self.torchrun(n, program, arguments, gpu))
    }

    fn torchrun(&self, n: u32, program: &Path, arguments: &[&str], gpu: &str) -> Command {
        let mut job = self.limited(Path::new("python3"), gpu);
        job.args(["-m", "torch.distributed.run", "--nproc-per-node", &n.to_string(), "--master-port", &free_port()]);
        job.env("OMP_NUM_THREADS", "1").arg(program).args(arguments);
        job
    }
}

/// A port that nobody listened at a moment ago.
fn free_port() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    listener.local_addr().expect("it has a port").port().to_string()
}

fn succeeds(command: &mut Command) {
    let done = Rig::finish(command);
    assert!(done.status == Some(0), "{command:?}: {done:#?}");
}

fn program(name: &str) -> PathBuf {
    root().join("python/tests").join(name)
}

fn example(name: &str) -> PathBuf {
    root().join("apps/examples/python").join(name)
}

/// Each PE prints a line, beside what launchers and warnings say.
fn expect(job: &Finished, n: u32, line: impl Fn(u32) -> String) {
    let found = (0..n).filter(|pe| job.lines.contains(&line(*pe))).count();
    assert!(job.status == Some(0) && found == n as usize, "{job:#?}");
}

fn passed(job: &Finished, n: u32) {
    expect(job, n, |pe| format!("PE {pe} of {n}: ok"));
}

fn sent(job: &Finished, n: u32) {
    let numbers = |from: u32| (10 * from..10 * from + 4).map(|k| k.to_string()).collect::<Vec<_>>().join(", ");
    expect(job, n, |pe| {
        let from = (pe + n - 1) % n;
        format!("PE {pe} of {n}: PE {from} sent [{}]", numbers(from))
    });
}

/// Python with nothing but the wheel.
fn in_an_empty_environment(installed: &Installed) {
    let code = "import os, cushmem, cushmem.core as nvshmem\n\
        nvshmem.init()\n\
        of = nvshmem.buffer(8, host=True)\n\
        nvshmem.barrier_all()\n\
        assert os.path.exists(cushmem.include() + '/shmem.h')\n\
        print(f'PE {nvshmem.my_pe()} of {nvshmem.n_pes()}: ok\\n', end='')\n\
        nvshmem.free(of)\n\
        nvshmem.finalize()\n";
    let mut job = Command::new("timeout");
    job.arg(LIMIT_S).arg(installed.path("bin/shmemrun")).args(["-n", "2"]).arg(installed.path("bin/python"));
    passed(&Rig::finish(job.args(["-c", code]).env("CUSHMEM_GPU", "none")), 2);
    succeeds(Command::new(installed.path("bin/shmem-info")).env("CUSHMEM_GPU", "none"));
}

/// Catches a wheel that lacks a file or the right to run one, or needs another package; memory, operations, streams and
/// starts that do not work; and mistakes that are not explained.
#[test]
fn python_jobs() {
    let Some(installed) = Installed::new("python_jobs") else { return };
    in_an_empty_environment(&installed);
    if !has_python_package("numpy", &installed.tools) {
        record("capi::python_jobs with numpy", "python3 has no numpy");
        return;
    }
    for n in [2, 4] {
        passed(&installed.run(n, &program("heap.py"), "none"), n);
        passed(&installed.run(n, &program("streams.py"), "soft"), n);
    }
    sent(&installed.run(3, &example("ring.py"), "none"), 3);
    let mut by_id = installed.limited(Path::new("python3"), "none");
    passed(&Rig::finish(by_id.arg(program("start.py")).args(["--id", "3"])), 3);
    // The variables of torchrun, without torch.
    let mut by_hand = installed.limited(Path::new("sh"), "none");
    by_hand.args(["-c", "for rank in 0 1; do RANK=$rank python3 \"$0\" & done; wait"]).arg(program("start.py"));
    by_hand.envs([("WORLD_SIZE", "2"), ("LOCAL_WORLD_SIZE", "2"), ("MASTER_PORT", &*free_port())]);
    by_hand.env("TORCHELASTIC_RUN_ID", format!("python-{}", std::process::id())).env("TORCHELASTIC_RESTART_COUNT", "0");
    passed(&Rig::finish(&mut by_hand), 2);
    let mut names = installed.limited(Path::new("python3"), "none");
    passed(&Rig::finish(names.arg(program("names.py")).arg(root().join("docs/from-nvshmem4py.md"))), 1);
    if visible_gpus() > 0 && has_python_module("numba_cuda") {
        let halos = installed.run(2, &example("halo_numba.py"), "auto");
        expect(&halos, 2, |pe| format!("PE {pe} of 2: 200 turns of 96 rows, as with NumPy"));
    } else {
        record("capi::python_jobs with numba-cuda", "python3 has no numba-cuda, or there is no GPU");
    }
    if has_python_package("torch", &installed.tools) {
        with_torch(&installed);
    } else {
        record("capi::python_jobs with torch", "python3 has no torch");
    }
}

fn with_torch(installed: &Installed) {
    // What imports cushmem.torch has it at once, or its warning.
    let _ = installed.lacks_back_ends();
    passed(&installed.run(2, &program("with_torch.py"), "none"), 2);
    for of in [&["--differs"][..], &["--differs", "1"]] {
        passed(&installed.run_with(2, &program("with_torch.py"), of, "none"), 2);
    }
    for way in [&[][..], &["--group"], &["--reverse"]] {
        passed(&installed.by_torchrun(3, &program("with_torch.py"), way, "none"), 3);
    }
    if has_python_package("triton", &installed.tools) {
        passed(&installed.run(1, &program("triton_in_compile.py"), "none"), 1);
    } else {
        record("capi::python_jobs with triton", "python3 has no triton");
    }
    sent(&installed.by_torchrun(2, &example("ring_torch.py"), &[], "auto"), 2);
    let on_gpus = installed.run(2, &program("torch_on_gpus.py"), "auto");
    match on_gpus.lines.iter().find_map(|line| line.strip_prefix(NOT_RUN)) {
        Some(why) => record("capi::python_on_gpus", why),
        None => {
            passed(&on_gpus, 2);
            passed(&installed.by_torchrun(2, &program("torch_on_gpus.py"), &["--group"], "auto"), 2);
            passed(&installed.by_torchrun(2, &program("symmetric_memory.py"), &["gpu"], "auto"), 2);
            if has_python_package("triton", &installed.tools) {
                let products = installed.run(2, &example("matmul_triton.py"), "auto");
                expect(&products, 2, |pe| format!("PE {pe} of 2: 5 products, as with torch"));
            } else {
                record("capi::python_on_gpus with triton", "python3 has no triton");
            }
        }
    }
}

/// Catches back ends of torch's symmetric memory that do not compile, or whose memory, signals, groups or operations do
/// not work; a disagreement, a PE that is late or one that fails on which the others hang; and a lack of them that is
/// not explained.
#[test]
fn python_symmetric_memory() {
    let name = "capi::python_symmetric_memory";
    let Some(installed) = Installed::new("python_symmetric_memory") else { return };
    if !has_python_package("torch", &installed.tools) || !has_python_package("numpy", &installed.tools) {
        return record(name, "python3 has no torch or no numpy");
    }
    let mut alone = installed.limited(Path::new("python3"), "none");
    passed(&Rig::finish(alone.arg(program("back_ends_missing.py"))), 1);
    if let Some(why) = installed.lacks_back_ends() {
        return record(name, &why);
    }
    for n in [2, 4] {
        passed(&installed.by_torchrun(n, &program("symmetric_memory.py"), &[], "none"), n);
        passed(&installed.run(n, &program("symmetric_memory.py"), "none"), n);
    }
    passed(&installed.by_torchrun(2, &program("symmetric_memory.py"), &["checked"], "none"), 2);
    for job in [
        installed.by_torchrun(2, &program("symmetric_memory.py"), &["fails"], "none"),
        installed.by_torchrun(2, &program("symmetric_memory.py"), &["exits"], "none"),
        installed.run_with(2, &program("symmetric_memory.py"), &["fails"], "none"),
    ] {
        let says = job.lines.iter().any(|line| line.contains("this one fails"));
        assert!(says && !matches!(job.status, Some(0 | 124)), "{job:#?}");
    }
    let sums = installed.by_torchrun(3, &example("all_reduce.py"), &[], "auto");
    expect(&sums, 3, |pe| format!("PE {pe} of 3: the sum is [3.0, 6.0, 9.0, 12.0]"));
}

/// Catches back ends in the wheel that are not loaded, are compiled again or do not work; those for another version of
/// torch; and a lack of them that is not explained.
#[test]
fn python_back_ends_in_the_wheel() {
    let name = "capi::python_back_ends_in_the_wheel";
    let tools = tools();
    // Folders with the package `torch`, which are called like its versions.
    let mut versions: Vec<PathBuf> = std::fs::read_dir(tools.join("torch"))
        .map(|found| found.map(|entry| entry.expect("a folder").path()).collect())
        .unwrap_or_default();
    versions.sort();
    if versions.is_empty() {
        return record(name, "there is no version of torch in tools/torch");
    }
    let Some(installed) = Installed::with_back_ends("python_back_ends_in_the_wheel", &versions) else { return };
    let names: Vec<_> = versions.iter().filter_map(|path| path.file_name()).collect();
    let cache = installed.rig.path("nothing-compiled");
    for version in &versions {
        let with_torch = |command: &mut Command| {
            let mut path = vec![version.clone()];
            let others = installed.environment("none").into_iter().find(|(name, _)| *name == "PYTHONPATH");
            path.extend(std::env::split_paths(&others.expect("it is there").1));
            command.env("PYTHONPATH", std::env::join_paths(path).expect("no colons"));
            command.env("TORCH_EXTENSIONS_DIR", &cache).env("CXX", "/nowhere/g++");
            Rig::finish(command)
        };
        let mut alone = installed.limited(Path::new("python3"), "none");
        passed(&with_torch(alone.arg(program("back_ends_ready.py")).args(&names)), 1);
        let mut job = installed.limited(&installed.path("bin/shmemrun"), "none");
        passed(&with_torch(job.args(["-n", "2", "python3"]).arg(program("symmetric_memory.py"))), 2);
    }
    assert!(!cache.exists(), "something was compiled");
}

/// Catches a page on which the example differs from the one that runs.
#[test]
fn the_page_prints_the_example() {
    let page = include_str!("../../../../docs/python.md");
    let example = include_str!("../../../../apps/examples/python/ring.py");
    let block = format!("<!-- file: apps/examples/python/ring.py -->\n\n```python\n{example}```\n");
    assert!(page.contains(&block), "docs/python.md differs from ring.py: copy the file behind its marker");
}

/// Catches Python that its linter and formatter object to.
#[test]
fn python_is_clean() {
    if !root().join("python").exists() {
        return record("capi::python_is_clean", "the sources are not here");
    }
    let tools = tools();
    if !has_python_package("ruff", &tools) {
        return record("capi::python_is_clean", "python3 has no ruff");
    }
    for task in [&["check"][..], &["format", "--check"]] {
        let mut ruff = python(&tools);
        ruff.current_dir(root().join("python")).args(["-m", "ruff"]).args(task);
        succeeds(ruff.args(["--no-cache", "--config", "pyproject.toml", ".", "../apps/examples/python"]));
    }
}
