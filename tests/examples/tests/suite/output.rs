//! What programs do if standard output is full or closed: one line and an error, or a quiet end; never a panic.

use cushmem_examples_tests::built;
use std::fs::{File, OpenOptions};
use std::process::{Command, Output};
use xtask::launch;

const PROGRAMS: [&str; 14] = [
    "shmemrun",
    "shmem-info",
    "shmem-tune",
    "shmem-advise",
    "shmem-bench",
    "stencil2d",
    "jacobi",
    "lbm",
    "accumulate",
    "allreduce",
    "bfs",
    "gups",
    "isort",
    "pagerank",
];

fn full() -> File {
    OpenOptions::new().write(true).open("/dev/full").expect("Linux has it")
}

fn run(command: &mut Command) -> (Output, String) {
    let output = command.env_remove("RUST_BACKTRACE").output().expect("it starts");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!errors.contains("panicked"), "{command:?}: {errors}");
    (output, errors)
}

#[test]
fn help_that_does_not_fit_is_an_error() {
    for program in PROGRAMS {
        for arguments in [&["--help"][..], &["--version"], &["--generate", "man"]] {
            let (output, errors) = run(Command::new(built(program)).args(arguments).stdout(full()));
            assert!(!output.status.success(), "{program} {arguments:?}");
            assert_eq!(errors.lines().count(), 1, "{program} {arguments:?}: {errors}");
            assert!(errors.contains("write to stdout: No space left"), "{program} {arguments:?}: {errors}");
        }
    }
}

#[test]
fn help_that_nobody_reads_is_no_error() {
    for program in PROGRAMS {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let (output, errors) = run(Command::new(built(program)).arg("--help").stdout(writer));
        assert!(output.status.success() && errors.is_empty(), "{program}: {:?} {errors}", output.status);
    }
}

#[test]
fn a_report_that_does_not_fit_is_an_error() {
    for (program, gpu, arguments) in [
        ("shmem-bench", "none", &["host", "--smoke"][..]),
        ("shmem-bench", "none", &["coll", "--smoke"]),
        ("stencil2d", "soft", &["--size", "32", "--iters", "2"]),
        ("jacobi", "soft", &["--size", "32", "--iters", "2"]),
        ("gups", "none", &[]),
    ] {
        let mut job = launch::shmemrun(&built("shmemrun"), 2);
        job.args(["--timeout", "60"]).arg(built(program)).args(arguments).env("CUSHMEM_GPU", gpu).stdout(full());
        let (output, errors) = run(&mut job);
        assert!(!matches!(output.status.code(), Some(0 | 101) | None), "{program}: {:?} {errors}", output.status);
        assert!(errors.contains("write to stdout: No space left"), "{program}: {errors}");
    }
}
