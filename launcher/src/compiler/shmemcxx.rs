//! `shmemcxx`: `shmemcc` for C++.
#![forbid(unsafe_code)]

mod wrapper;

use cushmem_environment as environment;
use std::process::ExitCode;

fn main() -> ExitCode {
    wrapper::main("shmemcxx", "C++", &environment::CXX)
}
