//! `shmemcc`: calls the C compiler with the arguments needed to compile and link a program that uses cushmem.
#![forbid(unsafe_code)]

mod wrapper;

use cushmem_environment as environment;
use std::process::ExitCode;

fn main() -> ExitCode {
    wrapper::main("shmemcc", "C", &environment::CC)
}
