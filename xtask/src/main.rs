//! `cargo xtask`: see `cargo xtask --help`.
#![forbid(unsafe_code)]

use anyhow::Result;
use clap::{Parser, Subcommand};
use cushmem_command_line::printable_lines;
use std::process::ExitCode;
use xtask::build::Profile;
use xtask::demo::Size;
use xtask::ptx::Outcome;

/// Build, test and measure cushmem
#[derive(Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Compile the kernel crates to PTX, as `cargo shmem-ptx` does, and check it
    Ptx(xtask::ptx::Options),
    /// Count the registers that calls of the device API cost, and write device/registers.toml
    Registers(xtask::registers::Options),
    /// Check rules that the compiler does not enforce: dependencies, file sizes, SAFETY and SYNC comments
    Tidy(xtask::tidy::Options),
    /// Run all tests that this machine can run, then list what was left out and why
    Test(xtask::test::Options),
    /// Print what tests left out, and fail if this machine has what they need
    LeftOut(xtask::left_out::Options),
    /// Build everything and run stencil2d on 4 PEs, verified, with a picture
    Demo,
    /// Run every operation on every pair of kinds of memory listed in tests/matrix/matrix.toml, in real jobs
    Matrix(xtask::matrix::Options),
    /// Run stencil2d in every combination of backend, mode, type, PEs and grid, each verified
    StencilMatrix(xtask::stencil_matrix::Options),
    /// Time stencil2d and lbm in all modes, and compare each mode with copies through host memory
    Compare(xtask::compare::Options),
    /// Make a folder with everything needed to test and measure on a machine without Rust
    Bundle(xtask::bundle::Options),
    /// Write the tables of docs/environment.md
    Environment,
    /// Write docs/specification.md, the table of OpenSHMEM's clauses and the checks that cover them
    Specification,
    /// Write docs/kernel-matrix.md, the table of operations of kernels and the tests that cover them
    KernelMatrix,
    /// Write docs/messages.md, the page on which messages are reviewed
    Messages,
    /// Measure performance, compare it with the targets in docs/perf, and write the page there
    #[command(subcommand)]
    Perf(xtask::perf::Perf),
    /// Link libcushmem.so and libcushmem.a with the C compiler, in the folder `c` of the target folder
    Library(xtask::library::Options),
    /// Build in release mode and install programs, libraries, headers and documents
    Install(xtask::install::Options),
    /// Remove what `install` installed
    Uninstall(xtask::install::UninstallOptions),
    /// Make a Debian package of what `install` installs
    Deb(xtask::deb::Options),
    /// Make a wheel, the package for Python that pip installs
    Wheel(xtask::wheel::Options),
    /// Write the headers of the C API, and its signatures for Python
    Headers,
    /// Write the header of kernels in CUDA C++
    Cxx(xtask::cxx::Options),
    /// Make libcushmem_device, the routines of kernels that are linked
    DeviceLibrary(xtask::cxx::library::Options),
    /// Make hosts of namespaces on this machine, each with an sshd, and run a command where they can be reached
    Hosts(xtask::hosts::Options),
    /// Run the tests of networks over verbs in a virtual machine with soft-RoCE, or a program
    Vm(xtask::vm::Options),
    /// Run tests under ThreadSanitizer, AddressSanitizer and Miri, with the pinned nightly compiler
    Sanitize(xtask::sanitize::Options),
    /// Make small changes to the pure crates, and report which ones no test notices
    Mutants(xtask::mutants::Options),
    /// Run suites on virtual nodes, with every kind of network and many seeds
    Soak(xtask::soak::Options),
    /// Run parts of all suites in turn, kill jobs in between, and look for anything left behind
    Endure(xtask::endure::Options),
    /// Run every check that a change must pass before it is merged
    Ci(xtask::ci::Options),
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {}", printable_lines(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

fn run(chore: Chore) -> Result<()> {
    match chore {
        Chore::Ptx(options) => left_out(xtask::ptx::ptx(&options)?),
        Chore::Registers(options) => left_out(xtask::registers::registers(&options)?),
        Chore::Tidy(options) => xtask::tidy::tidy(&options)?,
        Chore::Test(options) => xtask::test::test(&options)?,
        Chore::LeftOut(options) => xtask::left_out::left_out(&options)?,
        Chore::Demo => xtask::demo::demo(Profile::Release, &Size::FULL)?,
        Chore::Matrix(options) => xtask::matrix::matrix(&options)?,
        Chore::StencilMatrix(options) => xtask::stencil_matrix::stencil_matrix(&options)?,
        Chore::Compare(options) => xtask::compare::compare(&options)?,
        Chore::Bundle(options) => xtask::bundle::bundle(&options)?,
        Chore::Environment => xtask::environment::environment()?,
        Chore::Specification => xtask::specification::specification()?,
        Chore::KernelMatrix => xtask::kernel_matrix::kernel_matrix()?,
        Chore::Messages => xtask::messages::messages()?,
        Chore::Perf(chore) => xtask::perf::perf(&chore)?,
        Chore::Library(options) => left_out(xtask::library::library(options.profile())?),
        Chore::Install(options) => xtask::install::install(&options)?,
        Chore::Uninstall(options) => xtask::install::uninstall(&options)?,
        Chore::Deb(options) => left_out(xtask::deb::deb(&options)?),
        Chore::Wheel(options) => left_out(xtask::wheel::wheel(&options)?),
        Chore::Headers => xtask::headers::headers()?,
        Chore::Cxx(options) => left_out(xtask::cxx::cxx(&options)?),
        Chore::DeviceLibrary(options) => left_out(xtask::cxx::library::device_library(&options)?),
        Chore::Hosts(options) => xtask::hosts::hosts(&options)?,
        Chore::Vm(options) => left_out(xtask::vm::vm(&options)?),
        Chore::Sanitize(options) => xtask::sanitize::sanitize(&options)?,
        Chore::Mutants(options) => xtask::mutants::mutants(&options)?,
        Chore::Soak(options) => xtask::soak::soak(&options)?,
        Chore::Endure(options) => xtask::endure::endure(&options)?,
        Chore::Ci(options) => xtask::ci::ci(&options)?,
    }
    Ok(())
}

fn left_out(outcome: Outcome) {
    if let Outcome::LeftOut(reason) = outcome {
        println!("left out: {}", printable_lines(&reason));
    }
}
