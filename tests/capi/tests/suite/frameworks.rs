//! Memory that frameworks allocate and a Python program registers through the C API. This needs Python, the framework
//! and a GPU, but no compiler.

use std::path::Path;
use std::process::Command;
use std::time::Duration;
use xtask::left_out::record;
use xtask::process::run_limited;

const PROGRAM: &str = include_str!("frameworks.py");
/// What the program prints if the framework, or a GPU for it, is missing.
const NOT_RUN: &str = "not run: ";
/// The time limit for all of its jobs.
const LIMIT: Duration = Duration::from_secs(280);

/// Catches memory of PyTorch's allocators that is refused or reached at a wrong address.
#[test]
fn memory_of_pytorch() {
    run("torch", "capi::memory_of_pytorch");
}

/// Catches memory of CuPy's allocators that is refused or reached at a wrong address.
#[test]
fn memory_of_cupy() {
    run("cupy", "capi::memory_of_cupy");
}

fn run(framework: &str, name: &str) {
    let test = std::env::current_exe().expect("a test knows its own path");
    let bin = test.parent().and_then(Path::parent).expect("tests live in target/<profile>/deps");
    let [launcher, library] = ["shmemrun", "c/lib/libcushmem.so"].map(|file| bin.join(file));
    if !library.exists() {
        return record(name, "`cargo xtask library` has not linked the library");
    }
    if !xtask::machine::on_path("python3") {
        return record(name, "there is no python3 here");
    }
    let folder = cushmem_scratch::Folder::new(framework).expect("a folder");
    let program = folder.join("program.py");
    std::fs::write(&program, PROGRAM).expect("room for the program");
    let mut python = Command::new("python3");
    let ended = run_limited(python.arg(&program).arg(framework).args([launcher, library]), LIMIT);
    let (ended, said) = ended.expect("python3 starts");
    if let Some(why) = said.trim().strip_prefix(NOT_RUN) {
        return record(name, why);
    }
    assert!(ended.failure().is_none(), "{ended:?}\n{said}");
    println!("{said}");
}
