//! What the subcommands need to know about this machine.

use crate::process::{output_of, without_build_settings};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The number of NVIDIA GPUs that programs started from here may use, whether their driver works or not.
pub fn visible_gpus() -> usize {
    let present = gpus_present();
    std::env::var("CUDA_VISIBLE_DEVICES").map_or(present, |list| visible(&list).min(present))
}

/// The number of CUDA GPUs that a program started from here sees; the error says why there are none.
pub fn cuda_gpus() -> Result<usize, String> {
    let present = gpus_present();
    if present == 0 {
        return Err("no NVIDIA GPU here (no /dev/nvidia0, nothing in /proc/driver/nvidia/gpus)".into());
    }
    if !has_library("libcuda.so.1") {
        return Err(
            "there is an NVIDIA GPU, but libcuda.so.1 is not found: install the driver's user-space part".into()
        );
    }
    match visible_gpus() {
        0 => Err("CUDA_VISIBLE_DEVICES hides all GPUs".into()),
        n => Ok(n),
    }
}

/// The folder of the CUDA toolkit, if it has the driver's header.
pub fn cuda_toolkit() -> Option<PathBuf> {
    let named = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    named.chain([PathBuf::from("/usr/local/cuda")]).find(|p| p.join("include/cuda.h").exists())
}

/// Whether a folder of the `PATH` has this program.
pub fn on_path(program: &str) -> bool {
    std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(program).exists()))
}

/// Whether `python3` has this module.
pub fn has_python_module(name: &str) -> bool {
    let mut python: Command = without_build_settings("python3");
    let found = python.args(["-c", &format!("import {name}")]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    found.is_ok_and(|status| status.success())
}

/// Python, which also sees what was installed in the folder `python` of `tools`, for tests.
pub fn python(tools: &Path) -> Command {
    let mut python = without_build_settings("python3");
    python.env("PYTHONPATH", tools.join("python"));
    python
}

/// Whether Python has this module.
pub fn has_python_package(name: &str, tools: &Path) -> bool {
    let mut python = python(tools);
    python.args(["-c", &format!("import {name}")]).stdout(Stdio::null()).stderr(Stdio::null());
    python.status().is_ok_and(|status| status.success())
}

/// Whether C and C++ programs can be compiled and the library can be linked for them: this takes compilers, `ar` and
/// `objcopy`.
pub fn c_toolchain() -> bool {
    [c_compiler("CUSHMEM_CC", "cc"), c_compiler("CUSHMEM_CXX", "c++"), "ar".into(), "objcopy".into()]
        .iter()
        .all(|program| runs(program))
}

fn c_compiler(variable: &str, usual: &str) -> String {
    let named = std::env::var(variable).ok();
    named.as_deref().and_then(|words| words.split_whitespace().next()).unwrap_or(usual).to_owned()
}

/// Whether this program runs and prints its version.
pub fn runs(program: &str) -> bool {
    let mut command: Command = without_build_settings(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|s| s.success())
}

/// Whether programs can be linked without any shared library.
pub fn static_libc() -> bool {
    // If there is no such archive, the compiler prints the bare name.
    output_of(without_build_settings("cc").arg("-print-file-name=libc.a")).is_ok_and(|said| said.starts_with('/'))
}

/// Whether the C compiler finds this header.
pub fn has_header(name: &str) -> bool {
    let mut compiler = without_build_settings("cc");
    compiler.args(["-E", "-xc", "/dev/null", "-include", name]).stdout(Stdio::null()).stderr(Stdio::null());
    compiler.status().is_ok_and(|s| s.success())
}

/// Whether the C compiler makes programs that run under ThreadSanitizer; the error says why not. ThreadSanitizer needs
/// address ranges that some machines use for other purposes.
pub fn thread_sanitizer() -> Result<(), String> {
    let folder = cushmem_scratch::Folder::new("tsan").map_err(|e| e.to_string())?;
    let [program, source] = ["program", "program.c"].map(|name| folder.join(name));
    let write = std::fs::write(&source, "int main(void) { return 0; }\n").map_err(|e| e.to_string());
    let compile = |()| {
        let mut compiler = without_build_settings("cc");
        output_of(compiler.arg("-fsanitize=thread").arg(&source).arg("-o").arg(&program)).map_err(|e| e.to_string())
    };
    write.and_then(compile).and_then(|_| output_of(&mut Command::new(&program)).map_err(|e| e.to_string())).map(drop)
}

/// Whether this process may act as any user.
pub fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// Whether control groups of version 1 are mounted.
pub fn has_control_groups() -> bool {
    Path::new("/sys/fs/cgroup/cpu").exists()
}

/// Whether the system has a device of InfiniBand or RoCE.
pub fn has_rdma_device() -> bool {
    !entries("/sys/class/infiniband").is_empty()
}

/// Whether as many huge pages of 2 MiB are reserved and free as a test of three PEs takes.
pub fn has_huge_pages() -> bool {
    let free = std::fs::read_to_string("/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages");
    free.ok().and_then(|text| text.trim().parse().ok()).is_some_and(|free: u64| free >= 12)
}

fn gpus_present() -> usize {
    entries("/proc/driver/nvidia/gpus").len().max(device_files())
}

fn visible(list: &str) -> usize {
    list.split(',').map(str::trim).take_while(|d| !d.is_empty() && *d != "-1" && *d != "NoDevFiles").count()
}

fn entries(folder: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect()
}

fn device_files() -> usize {
    let number = |name: &String| name.strip_prefix("nvidia").is_some_and(|n| n.parse::<u32>().is_ok());
    entries("/dev").iter().filter(|n| number(n)).count()
}

/// Whether programs find this library at run time.
pub fn has_library(file: &str) -> bool {
    let listed = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
    let usual = [
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/nvidia/lib64",
    ];
    let folders = std::env::split_paths(&listed).chain(usual.iter().map(PathBuf::from));
    let cached = || ["ldconfig", "/sbin/ldconfig"].iter().any(|p| ldconfig_knows(p, file));
    folders.map(|f| f.join(file)).any(|f| Path::new(&f).exists()) || cached()
}

fn ldconfig_knows(program: &str, file: &str) -> bool {
    output_of(without_build_settings(program).arg("-p")).is_ok_and(|said| said.contains(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_visible_devices_as_cuda_does() {
        assert_eq!(visible("0,1, 3"), 3);
        assert_eq!(visible(""), 0);
        assert_eq!(visible("0,-1,2"), 1);
        assert_eq!(visible("GPU-1234"), 1);
    }
}
