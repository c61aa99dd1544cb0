//! `shmemcc`: the C compiler, with what it takes to compile and link a program that uses cushmem.
#![forbid(unsafe_code)]

mod wrapper;

use cushmem_environment as environment;
use std::process::ExitCode;

fn main() -> ExitCode {
    wrapper::main("shmemcc", "C", &environment::CC)
}
