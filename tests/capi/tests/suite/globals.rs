//! Globals of C and C++ programs as symmetric objects: in shared memory, and copied between processes if they are not.

use cushmem_capi_tests::{Finished, Library, Rig};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::launch::word;
use xtask::left_out::record;

const GLOBALS: &str = include_str!("globals.c");
const FORK: &str = include_str!("globals-fork.c");
const OLD: &str = include_str!("globals-old.c");
const SPARSE: &str = include_str!("globals-sparse.c");
const CONSTRUCTORS: &str = include_str!("globals.cpp");
/// The option that turns off `shmemcc`'s default.
const PRIVATE: &str = "-cushmem-private-globals";
const NO_GPU: [(&str, &str); 1] = [("CUSHMEM_GPU", "none")];

fn all_right(job: &Finished, n: u32) {
    let mut lines: Vec<_> = (0..n).map(|me| format!("PE {me} of {n}: 0 wrong")).collect();
    lines.sort();
    assert_eq!((job.status, &job.lines), (Some(0), &lines), "{job:#?}");
}

/// Links the program without the wrapper, so it does not have the wrapper's mark.
fn plain(rig: &Rig, source: &str) -> PathBuf {
    let program = rig.compile("plain.c", source, Library::Shared, &[PRIVATE]);
    let (lib, source) = (rig.tool("c/lib"), program.with_file_name("plain.c"));
    let output = program.with_file_name("plain");
    let mut compile = Command::new("cc");
    compile.arg("-I").arg(rig.tool("c/include")).arg(source).arg("-o").arg(&output).arg("-L").arg(&lib);
    let job = Rig::finish(compile.arg(format!("-Wl,-rpath,{}", lib.display())).arg("-lcushmem"));
    assert_eq!((job.status, job.lines.len()), (Some(0), 0), "{job:#?}");
    output
}

#[test]
fn globals_are_symmetric() {
    let Some(rig) = Rig::find("capi::globals_are_symmetric") else { return };
    for (library, option) in [
        (Library::Shared, "-pie"),
        (Library::Shared, "-no-pie"),
        (Library::Static, "-pie"),
        (Library::Static, "-no-pie"),
    ] {
        let program = rig.compile("globals.c", GLOBALS, library, &["-O2", option]);
        for (n, gpu) in [(1, "none"), (2, "none"), (4, "none"), (2, "soft")] {
            all_right(&rig.run(&program, n, &["all"], &[("CUSHMEM_GPU", gpu)]), n);
        }
        all_right(&rig.run(&program, 2, &["all"], &[("CUSHMEM_GPU", "none"), ("CUSHMEM_CHECK", "1")]), 2);
        all_right(&Rig::finish(Command::new(&program).arg("all").envs(NO_GPU)), 1);
    }
}

/// Programs in the old style have all symmetric objects among their globals.
#[test]
fn collectives_on_globals() {
    let Some(rig) = Rig::find("capi::collectives_on_globals") else { return };
    for (library, options) in [(Library::Shared, "-O2"), (Library::Static, "-no-pie")] {
        let program = rig.compile("old.c", OLD, library, &[options]);
        for n in [1, 2, 3, 5] {
            all_right(&rig.run(&program, n, &[], &NO_GPU), n);
        }
        all_right(&rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "soft"), ("SHMEM_SYMMETRIC_SIZE", "2M")]), 2);
        all_right(&rig.run(&program, 2, &[], &[("CUSHMEM_GPU", "none"), ("CUSHMEM_CHECK", "1")]), 2);
    }
    let program = rig.compile("old-private.c", OLD, Library::Shared, &[PRIVATE]);
    // No peer maps these globals, so collectives within a node move their data with transfers.
    all_right(&rig.run_on_nodes(1, &program, 3, &["barriers"], &NO_GPU), 3);
    for n in [1, 2, 3, 5] {
        all_right(&rig.run_on_nodes(1, &program, n, &[], &NO_GPU), n);
    }
    all_right(&rig.run_on_nodes(1, &program, 2, &[], &[("CUSHMEM_GPU", "none"), ("CUSHMEM_CHECK", "1")]), 2);
}

/// Bindings, other linkers and link-time optimisation arrange segments differently.
#[test]
fn globals_of_other_linkers() {
    let Some(rig) = Rig::find("capi::globals_of_other_linkers") else { return };
    let mut options = vec![
        vec!["-Wl,-z,norelro"],
        vec!["-Wl,-z,now"],
        vec!["-Wl,-z,lazy"],
        vec!["-O2", "-flto"],
        vec!["-Wl,--gc-sections"],
        vec!["-Wl,--hash-style=sysv"],
        vec!["-Wl,--hash-style=gnu"],
    ];
    for linker in ["gold", "lld", "mold"] {
        let found = std::env::var_os("PATH").is_some_and(|path| {
            std::env::split_paths(&path).any(|folder| folder.join(format!("ld.{linker}")).exists())
        });
        match (found, linker) {
            (true, "gold") => options.push(vec!["-fuse-ld=gold"]),
            (true, "lld") => options.push(vec!["-fuse-ld=lld"]),
            (true, _) => options.push(vec!["-fuse-ld=mold"]),
            (false, _) => record(&format!("capi::globals_of_other_linkers with {linker}"), "it is not here"),
        }
    }
    for (options, library) in options.iter().flat_map(|o| [(o, Library::Shared), (o, Library::Static)]) {
        let program = rig.compile("linkers.c", GLOBALS, library, options);
        all_right(&rig.run(&program, 2, &["all"], &NO_GPU), 2);
    }
}

#[test]
fn constructors_of_cpp_write_globals() {
    let Some(rig) = Rig::find("capi::constructors_of_cpp_write_globals") else { return };
    for library in [Library::Shared, Library::Static] {
        let program = rig.compile("globals.cpp", CONSTRUCTORS, library, &["-std=c++11"]);
        for n in [1, 3] {
            all_right(&rig.run(&program, n, &[], &NO_GPU), n);
        }
    }
}

#[test]
fn large_globals_take_no_memory() {
    let Some(rig) = Rig::find("capi::large_globals_take_no_memory") else { return };
    if !cfg!(target_arch = "x86_64") {
        return record("capi::large_globals_take_no_memory", "the compiler's option is of x86-64");
    }
    for library in [Library::Shared, Library::Static] {
        let program = rig.compile("sparse.c", SPARSE, library, &["-mcmodel=medium"]);
        let job = rig.run(&program, 2, &[], &NO_GPU);
        let lines: Vec<_> = (0..2).map(|me| format!("PE {me} of 2: right, small")).collect();
        assert_eq!((job.status, &job.lines), (Some(0), &lines), "{job:#?}");
    }
}

#[test]
fn forked_children_have_their_own() {
    let Some(rig) = Rig::find("capi::forked_children_have_their_own") else { return };
    for (library, option, ring) in [
        (Library::Shared, "-pthread", None),
        (Library::Static, "-pthread", None),
        (Library::Shared, PRIVATE, Some("node")),
    ] {
        let program = rig.compile("fork.c", FORK, library, &[option]);
        for n in [1, 2] {
            all_right(&rig.run(&program, n, ring.as_slice(), &NO_GPU), n);
        }
    }
}

/// An executable without the mark: put and get work between PEs of a node, with copies between processes.
#[test]
fn globals_without_the_mark() {
    let Some(rig) = Rig::find("capi::globals_without_the_mark") else { return };
    let marked_not = rig.compile("unmarked.c", GLOBALS, Library::Static, &[PRIVATE]);
    for program in [plain(&rig, GLOBALS), marked_not] {
        let reason = "is a global that PE 0 does not share, and this system does not copy between processes (Operation not \
                      permitted (os error 1)); link the program with shmemcc";
        let job = rig.run_on_nodes(1, &program, 2, &["refused"], &NO_GPU);
        told(&job, "cushmem: PE 1: shmem_long_put: argument dest: 0x", reason);
        for (n, gpu) in [(1, "none"), (2, "none"), (4, "none"), (2, "soft")] {
            all_right(&rig.run_on_nodes(1, &program, n, &["copies", "node"], &[("CUSHMEM_GPU", gpu)]), n);
        }
        all_right(&rig.run_on_nodes(1, &program, 1, &["all"], &NO_GPU), 1);
        for (mistake, call) in
            [("atomic", "shmem_long_atomic_inc: argument dest"), ("signal", "shmem_long_put_signal: argument sig_addr")]
        {
            let reason =
                "is a global that PE 0 does not share: only put and get reach it; link the program with shmemcc";
            told(&rig.run_on_nodes(1, &program, 2, &[mistake], &NO_GPU), &format!("cushmem: PE 1: {call}: 0x"), reason);
        }
    }
}

fn told(job: &Finished, start: &str, end: &str) {
    let found = job.lines.iter().any(|line| line.starts_with(start) && line.ends_with(end));
    assert!(job.status == Some(134) && found, "{start}…{end}: {job:#?}");
}

#[test]
fn mistakes_with_globals() {
    let Some(rig) = Rig::find("capi::mistakes_with_globals") else { return };
    let program = rig.compile("mistakes.c", GLOBALS, Library::Shared, &[]);
    for (mistake, start, end) in [
        ("past-end", "shmem_long_put: argument nelems: 1099511627776 from dest 0x", " bytes are left"),
        ("misaligned", "shmem_int_atomic_inc: argument dest: 0x", " is not aligned to 4 bytes"),
        ("pe", "shmem_long_put: argument pe: ", "7 is out of range (0 to 1)"),
        ("null", "shmem_long_put: argument source: ", "NULL is not a valid address"),
        (
            "thread-local",
            "shmem_long_p: argument dest: 0x",
            " (memory from shmem_malloc and the program's non-const globals are)",
        ),
        ("free", "shmem_free: argument ptr: 0x", " is not the start of an object of the symmetric heap"),
    ] {
        told(&rig.run(&program, 2, &[mistake], &NO_GPU), &format!("cushmem: PE 1: {start}"), end);
    }
}

/// Catches bounds of the globals that are off by one, for shared and for copied globals, with check mode on and off.
#[test]
fn globals_end_exactly() {
    let Some(rig) = Rig::find("capi::globals_end_exactly") else { return };
    let left = |bytes: u32| format!("reaches past the end of the globals, where {bytes} bytes are left");
    let private = " (memory from shmem_malloc and the program's non-const globals are)".to_owned();
    for (options, arguments) in [(&[][..], &["ends"][..]), (&[PRIVATE], &["ends", "node"])] {
        let program = rig.compile("ends.c", GLOBALS, Library::Shared, options);
        for check in ["0", "1"] {
            let variables = [("CUSHMEM_GPU", "none"), ("CUSHMEM_CHECK", check)];
            for n in [1, 2, 3] {
                all_right(&rig.run(&program, n, arguments, &variables), n);
            }
            for (mistake, start, end) in [
                ("byte-past-end", "shmem_putmem: argument nelems: 6 from dest 0x", left(5)),
                ("get-past-end", "shmem_getmem: argument nelems: 6 from source 0x", left(5)),
                ("word-past-end", "shmem_long_p: argument dest: 0x", left(7)),
                ("blocks-past-end", "shmem_iput32: argument nelems: 2 from dest 0x", left(11)),
                ("at-end", "shmem_char_p: argument dest: 0x", private.clone()),
            ] {
                let job = rig.run(&program, 2, &[mistake], &variables);
                told(&job, &format!("cushmem: PE 1: {start}"), &end);
            }
        }
    }
}

/// Two programs in one job, which have different variables at the same address.
#[test]
fn globals_of_another_executable() {
    let Some(rig) = Rig::find("capi::globals_of_another_executable") else { return };
    let one = rig.compile("one.c", GLOBALS, Library::Shared, &[]);
    let other = rig.compile("other.c", &format!("{GLOBALS}\nlong one_more = 1;\n"), Library::Shared, &[]);
    let script = format!("if [ $CUSHMEM_PE = 0 ]; then exec {} put; else exec {} put; fi", word(&one), word(&other));
    let job = rig.run(Path::new("/bin/sh"), 2, &["-c", &script], &NO_GPU);
    let end = "is a global, but PE 0 runs another executable, which has its own";
    told(&job, "cushmem: PE 1: shmem_long_put: argument dest: 0x", end);
    // The same program under two paths.
    let copy = one.with_file_name("copy");
    xtask::executable::copy(&one, &copy).expect("a program can be copied");
    let script = format!("if [ $CUSHMEM_PE = 0 ]; then exec {} all; else exec {} all; fi", word(&one), word(&copy));
    all_right(&rig.run(Path::new("/bin/sh"), 2, &["-c", &script], &NO_GPU), 2);
}

#[test]
fn a_killed_pe_leaves_nothing() {
    let Some(rig) = Rig::find("capi::a_killed_pe_leaves_nothing") else { return };
    let program = rig.compile("killed.c", GLOBALS, Library::Shared, &[]);
    let before = in_shared_memory();
    let job = rig.run(&program, 3, &["killed"], &NO_GPU);
    assert_eq!(job.status, Some(128 + 9), "{job:#?}");
    assert_eq!(in_shared_memory(), before);
    let processes = fs::read_dir("/proc").expect("Linux has it").filter_map(|entry| Some(entry.ok()?.path()));
    let left: Vec<_> = processes.filter(|p| fs::read_link(p.join("exe")).is_ok_and(|exe| exe == program)).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Returns the names that the library leaves in shared memory.
fn in_shared_memory() -> Vec<OsString> {
    let entries = fs::read_dir("/dev/shm").into_iter().flatten();
    let mut names: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.file_name())).collect();
    names.retain(|name| name.to_string_lossy().contains("cushmem"));
    names.sort();
    names
}
