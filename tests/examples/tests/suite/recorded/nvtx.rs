//! Ranges for profilers. The profiler of this test is a library of C, compiled against NVIDIA's headers of NVTX.

use super::folder;
use cushmem_examples_tests::built;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use xtask::left_out::record;
use xtask::process::run_limited;
use xtask::{launch, machine};

/// The library in this folder, if what it takes is here.
fn profiler(folder: &Path) -> Result<PathBuf, String> {
    let exe = std::env::current_exe().expect("a test knows its own path");
    let tools = exe.ancestors().nth(3).expect("tests live in target/<profile>/deps").join("tools");
    let headers = tools.join("nvtx/nvidia/nvtx/include");
    if !headers.join("nvtx3/nvToolsExt.h").exists() {
        return Err("there are no headers of NVTX in the folder nvtx of the tools".into());
    }
    if !machine::c_toolchain() {
        return Err("there is no C compiler".into());
    }
    let (source, library) = (concat!(env!("CARGO_MANIFEST_DIR"), "/tests/nvtx.c"), folder.join("profiler.so"));
    let mut compile = Command::new(std::env::var("CUSHMEM_CC").unwrap_or_else(|_| "cc".into()));
    compile.args(["-shared", "-fPIC", "-D_GNU_SOURCE", "-Wall", "-Werror", "-I"]).arg(headers);
    let (ended, said) =
        run_limited(compile.arg(source).arg("-o").arg(&library), Duration::from_secs(60)).expect("the compiler starts");
    assert!(ended.failure().is_none(), "{said}");
    Ok(library)
}

/// What the profiler was told by each thread of each PE, in order.
fn told(library: &Path, options: &[&str]) -> (BTreeMap<String, Vec<String>>, String) {
    told_by(library, options, &["host-ring"], "none")
}

/// The same for a program with its words, on GPUs of this kind.
fn told_by(library: &Path, options: &[&str], words: &[&str], gpu: &str) -> (BTreeMap<String, Vec<String>>, String) {
    let mut job = launch::on_nodes(&built("shmemrun"), 2, 2);
    job.args(["--timeout", "60"]).args(options).arg(built(words[0])).args(&words[1..]);
    job.env("CUSHMEM_GPU", gpu).env("NVTX_INJECTION64_PATH", library);
    let (ended, said) = run_limited(&mut job, Duration::from_secs(70)).expect("shmemrun starts");
    assert!(ended.failure().is_none(), "{said}");
    let mut told: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in said.lines().filter_map(|line| line.strip_prefix("profiler: ")) {
        let words: Vec<&str> = line.splitn(3, ' ').collect();
        let [process, thread, what] = words[..] else { panic!("{line}") };
        told.entry(format!("{process} {thread}")).or_default().push(what.to_owned());
    }
    (told, said)
}

/// Catches ranges that a profiler does not get, that do not end, or that do not lie inside each other, and a profiler
/// that makes a job count.
#[test]
fn a_profiler_sees_calls_as_ranges() {
    let folder = folder();
    let library = match profiler(&folder) {
        Ok(library) => library,
        Err(why) => return record("recorded::nvtx", &why),
    };
    for options in [&[][..], &["--stats"]] {
        let (told, said) = told(&library, options);
        assert_eq!(said.contains("operations of 2 PEs"), !options.is_empty(), "{said}");
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        for (thread, lines) in &told {
            let mut depth = 0_u32;
            for line in lines {
                if let Some(name) = line.strip_prefix("push cushmem: ") {
                    depth += 1;
                    *seen.entry(name).or_default() += 1;
                } else if line == "pop cushmem" {
                    depth = depth.checked_sub(1).unwrap_or_else(|| panic!("{thread}: {lines:?}"));
                } else {
                    assert!(line.starts_with("thread "), "{thread}: {line}");
                }
            }
            assert_eq!(depth, 0, "{thread}: all ranges have ended: {lines:?}");
        }
        // Each PE makes these calls. The atomic operation of PE 0 on its own memory is finished inline, unless it
        // counts.
        let atomics = 1 + u32::from(!options.is_empty());
        for (name, number) in [("put-signal", 2), ("atomic", atomics), ("barrier", 2)] {
            assert_eq!(seen.get(name), Some(&number), "{name}: {seen:?}");
        }
        assert!(seen.keys().any(|name| name.starts_with("wait: ")), "{seen:?}");
        let names = |lines: &Vec<String>| lines.iter().filter(|line| *line == "thread main").count();
        assert_eq!(told.values().map(names).sum::<usize>(), 2, "{told:?}");
    }
    // A library that is not there, or none of a profiler, changes nothing.
    for library in ["/nowhere/profiler.so", "libc.so.6"] {
        let (told, said) = told(Path::new(library), &[]);
        assert!(told.is_empty() && said.contains("PE 0 counted 2 PEs"), "{said}");
    }
}

/// Catches streams without names, and two of a PE with the same one.
#[test]
fn a_profiler_knows_the_streams() {
    let folder = folder();
    let library = match profiler(&folder) {
        Ok(library) => library,
        Err(why) => return record("recorded::nvtx", &why),
    };
    let words = ["stencil2d", "--size", "64", "--mode", "host", "--iters", "3"];
    let (told, said) = told_by(&library, &[], &words, "soft");
    let mut names: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (thread, lines) in &told {
        let streams = lines.iter().filter_map(|line| line.strip_prefix("stream ")?.split_once(" is "));
        let process = thread.split(' ').next().unwrap_or_default();
        names.entry(process).or_default().extend(streams.map(|(_, name)| name));
    }
    assert_eq!(names.len(), 2, "{said}");
    for names in names.values_mut() {
        names.sort_unstable();
        // The rim has one, and the inside.
        let own: Vec<&&str> = names.iter().filter(|name| name.starts_with("stream ")).collect();
        assert_eq!(own, [&"stream 0", &"stream 1"], "{names:?}");
        assert!(names.contains(&"cushmem: copies"), "{names:?}");
    }
}
