//! `cushmem-litmus`: the litmus tests as a program, for machines with GPUs. A job of it tries all shapes; with
//! `--mutants` it starts jobs, each with kernels from which some fences are taken out.

mod mutants;

use anyhow::{Result, ensure};
use clap::Parser;
use cushmem_litmus::{Rig, every_shape};
use std::path::PathBuf;
use std::process::ExitCode;

/// Count forbidden orders of memory accesses: `shmemrun -n 2 cushmem-litmus`
#[derive(Debug, Parser)]
#[command(name = "cushmem-litmus", version)]
struct Args {
    /// Try only these kernels
    #[arg(long, value_name = "KERNEL", value_delimiter = ',')]
    kernels: Option<Vec<String>>,
    /// Start jobs with the kernels in this folder, which `cargo xtask mutants --ptx` made, and print what they lack and
    /// whether a test sees it
    #[arg(long, value_name = "DIR", conflicts_with = "kernels")]
    mutants: Option<PathBuf>,
    /// The number of PEs of these jobs
    #[arg(long, default_value_t = 2, requires = "mutants")]
    pes: u32,
}

fn main() -> ExitCode {
    match run(Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cushmem-litmus: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(Args { kernels, mutants, pes }: Args) -> Result<()> {
    if let Some(folder) = mutants {
        return mutants::run(&folder, pes);
    }
    let shmem = cushmem::init()?;
    ensure!(shmem.n_pes() > 1, "litmus tests need several PEs: `shmemrun -n 2 cushmem-litmus`");
    let mut rig = Rig::new(&shmem, kernels);
    every_shape(&mut rig);
    rig.end();
    Ok(())
}
