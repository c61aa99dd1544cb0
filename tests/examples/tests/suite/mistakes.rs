//! What users see after typical mistakes: one line that says what is wrong and where, whatever the values contain.

use cushmem_environment::{Audience, TABLE};
use cushmem_examples_tests::built;
use cushmem_scratch::Folder;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use xtask::launch;
use xtask::process::run_limited;

const LIMIT: Duration = Duration::from_secs(100);
/// A value that turns a terminal red and begins a line, if it is printed as it is.
const EVIL: &str = "\u{1b}[31m\nforged: line";

/// Runs a command and returns how it failed, if it did, and all lines that it printed.
fn run(command: &mut Command) -> (Option<String>, Vec<String>) {
    let (ended, said) = run_limited(command.env_remove("RUST_BACKTRACE"), LIMIT).expect("it starts");
    assert!(!said.contains("panicked"), "{command:?}: {said}");
    (ended.failure(), said.lines().map(str::to_owned).collect())
}

/// A job of `n` PEs without GPUs.
fn job(n: u32, words: &[&str]) -> Command {
    let mut job = launch::shmemrun(&built("shmemrun"), n);
    job.args(["--timeout", "60"]).arg(built(words[0])).args(&words[1..]).env("CUSHMEM_GPU", "none");
    job
}

/// The lines show the value, and nothing in them controls a terminal or is a line of its own.
fn is_harmless(what: &dyn std::fmt::Debug, lines: &[String]) {
    for line in lines {
        assert!(!line.contains(char::is_control) && !line.starts_with("forged"), "{what:?}: {lines:#?}");
    }
    assert!(lines.iter().any(|line| line.contains("[31m")), "{what:?}: {lines:#?}");
}

/// Catches a program that prints a value of its command line as it is.
#[test]
fn no_argument_controls_a_terminal() {
    let file = format!("{EVIL}/file.png");
    for words in [
        &["shmemrun", "-n", "1", EVIL][..],
        &["shmemrun", "-n", EVIL, "true"],
        &["shmemrun", "-n", "1", "--map", EVIL, "true"],
        &["shmemrun", "-n", "1", "--nodes", EVIL, "true"],
        &["shmemrun", "-n", "1", "--wdir", EVIL, "true"],
        &["shmemrun", "-n", "1", "-x", EVIL, "true"],
        &["shmemrun", "-n", "1", "--timeout", EVIL, "true"],
        &["shmemrun", "--status", EVIL],
        &["shmem-info", EVIL],
        &["shmem-info", "--paths", "-n", EVIL],
        &["shmem-tune", EVIL],
        &["shmem-advise", EVIL],
        &["shmem-tune", "-o", &file],
        &["shmem-bench", EVIL],
        &["accumulate", EVIL],
        &["allreduce", EVIL],
        &["bfs", EVIL],
        &["gups", EVIL],
        &["isort", EVIL],
        &["pagerank", EVIL],
        &["xtask", "perf", "check", EVIL],
        &["xtask", "compare", "--table", EVIL, "--figure", &file, "--bin-dir", "/", "--backend", "soft"],
    ] {
        is_harmless(&words, &run(Command::new(built(words[0])).args(&words[1..])).1);
    }
    for words in [
        &["stencil2d", "--size", EVIL][..],
        &["stencil2d", "--size", "32", "--iters", "2", "--png", &file],
        &["lbm", "--size", EVIL],
        &["lbm", "--restore", &file],
        &["lbm", "--size", "16", "--iters", "1", "--save", &file],
        &["lbm", "--size", "16", "--iters", "1", "--vtk", &file],
        &["shmem-bench", "host", "--smoke", "--json", &file],
        &["shmem-bench", "host", "--smoke", "--plot", &file],
    ] {
        is_harmless(&words, &run(job(1, words).env("CUSHMEM_GPU", "soft")).1);
    }
    let mut compiler = Command::new(built("shmemcc"));
    compiler.arg("x.c").env(cushmem_environment::CC.name, EVIL);
    is_harmless(&"CUSHMEM_CC", &run(&mut compiler).1);
}

/// Catches a library that prints a value of the environment, or of a file that a value names, as it is.
#[test]
fn no_variable_controls_a_terminal() {
    let folder = Folder::new("evil").expect("a folder");
    let costs = folder.join("evil.costs");
    std::fs::write(&costs, "cushmem costs 1\n\u{1b}[31m any any 1 1 1\n").expect("a file");
    let all = TABLE.iter().filter(|v| v.audience == Audience::User).map(|v| (v.name, EVIL));
    let more = [
        ("CUSHMEM_COSTS", costs.to_str().expect("UTF-8")),
        ("CUSHMEM_PATH", "put=\u{1b}[31m\nforged: line"),
        ("CUSHMEM_NET", "loopback:\u{1b}[31m\nforged: line"),
        ("SHMEM_SYMMETRIC_SIZE", "8M\u{1b}[31m\nforged: line"),
        ("CUSHMEM_\u{1b}[31m\nforged: line", "1"),
    ];
    for (name, value) in all.chain(more) {
        // With `SHMEM_INFO`, PE 0 prints the values that are no error.
        let mut job = job(2, &["host-ring"]);
        is_harmless(&name, &run(job.env("SHMEM_INFO", "1").env(name, value)).1);
    }
}

/// Catches a mistake of the whole job that each PE reports, or that takes more than a line and that of the launcher.
#[test]
fn a_mistake_of_all_pes_is_reported_once() {
    let program = ["host-ring"];
    for (words, (name, value), wanted) in [
        (
            &program[..],
            ("SHMEM_SYMMETRIC_SIZE", "lots"),
            "cushmem: init: read SHMEM_SYMMETRIC_SIZE: `lots` is not a size",
        ),
        (&program, ("CUSHMEM_COSTS", "/"), "cushmem: init: read CUSHMEM_COSTS: read `/`: it is not a regular file"),
        (
            &program,
            ("CUSHMEM_PATH", "x"),
            "cushmem: init: choose paths: read CUSHMEM_PATH: `x` is not a path; paths are ",
        ),
        (&program, ("CUSHMEM_WAIT_LIMIT_S", "x"), "cushmem: init: "),
        (&["stencil2d", "--size", "x"], ("CUSHMEM_GPU", "soft"), "stencil2d: invalid value 'x' for '--size <N>'"),
        (
            &["stencil2d", "--size", "32"],
            ("CUSHMEM_GPU", "none"),
            "status 1: load kernels: this job runs without GPUs (CUSHMEM_GPU=none)",
        ),
        (&["lbm", "--restore", "/"], ("CUSHMEM_GPU", "soft"), "lbm: --restore /: it is not a regular file"),
        (
            &["shmem-bench", "host", "--plot", "x.pdf"],
            ("CUSHMEM_GPU", "none"),
            "shmem-bench: invalid value 'x.pdf' for ",
        ),
        (&["gups", "--bogus"], ("CUSHMEM_GPU", "none"), "gups: unexpected argument '--bogus' found"),
    ] {
        let (failure, lines) = run(job(3, words).env(name, value));
        assert!(failure.is_some(), "{words:?}, {name}={value}: {lines:#?}");
        let own = lines.iter().filter(|line| line.contains(wanted)).count();
        let of_launcher = lines.iter().filter(|line| line.starts_with("shmemrun: PE ")).count();
        assert_eq!(own, 1, "{words:?}, {name}={value}: {lines:#?}");
        assert_eq!(of_launcher, 1, "{words:?}, {name}={value}: {lines:#?}");
        assert!(lines.len() <= 2, "{words:?}, {name}={value}: {lines:#?}");
    }
}

/// Catches a file that is noticed after the work, a wait for the reader of a FIFO, a panic, and a line that does not
/// name the file.
#[test]
fn a_file_that_cannot_be_used_is_one_line() {
    let folder = Folder::new("mistakes").expect("a folder");
    let fifo = folder.join("fifo.png");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("coreutils").success());
    let [folder_png, odd] = ["folder.png", "odd\nname.png"].map(|name| folder.join(name));
    std::fs::create_dir(&folder_png).expect("a folder");
    let name = |path: &Path| path.to_str().expect("UTF-8").to_owned();
    let (nowhere, full) = (name(&folder.join("no/file.png")), "/dev/full".to_owned());
    let small = ["--size", "16", "--iters", "1"];
    // What is read must be a regular file; what is written may be a device.
    let read = [name(&folder), name(&fifo), nowhere.clone(), full.clone()];
    let written = [name(&folder_png), nowhere.clone()];
    let expect = |command: &mut Command, file: &str, work: &str| {
        let (failure, lines) = run(command);
        let named = lines.iter().filter(|line| line.contains(file)).count();
        let launcher = lines.iter().filter(|line| line.starts_with("shmemrun: PE 0 e")).count();
        assert!(failure.is_some() && named == 1 && lines.len() <= 1 + launcher, "{command:?}: {lines:#?}");
        assert!(!lines.iter().any(|line| line.contains(work)), "{command:?}: {lines:#?}");
    };
    for file in &written {
        for words in [
            &[&["stencil2d"][..], &small, &["--png", file]].concat()[..],
            &[&["lbm"][..], &small, &["--png", file]].concat(),
            &[&["lbm"][..], &small, &["--vtk", file]].concat(),
            &[&["lbm"][..], &small, &["--save", file]].concat(),
            &["shmem-bench", "host", "--smoke", "--json", file],
            &["shmem-bench", "host", "--smoke", "--plot", file],
        ] {
            expect(job(1, words).env("CUSHMEM_GPU", "soft"), file, "cells");
        }
        expect(Command::new(built("shmem-tune")).args(["-o", file]), file, "start");
        expect(Command::new(built("xtask")).args(["perf", "count", "--json", file]), file, "passed");
    }
    for file in &read {
        expect(job(1, &["lbm", "--restore", file]).env("CUSHMEM_GPU", "soft"), file, "cells");
        expect(job(1, &["host-ring"]).env("CUSHMEM_COSTS", file), file, "counted");
        expect(Command::new(built("xtask")).args(["perf", "check", file]), file, "passed");
    }
    // What does not fit is an error at the end, and a name with a line feed is a name.
    for (file, fails) in [(&full, true), (&name(&odd), false)] {
        let words = [&["stencil2d"][..], &small, &["--png", file]].concat();
        let (failure, lines) = run(job(2, &words).env("CUSHMEM_GPU", "soft"));
        assert_eq!(failure.is_some(), fails, "{lines:#?}");
        assert!(!fails || lines.iter().any(|line| line.contains("/dev/full: No space left")), "{lines:#?}");
    }
    assert!(std::fs::metadata(&odd).is_ok_and(|there| there.len() > 0), "the picture");
}
