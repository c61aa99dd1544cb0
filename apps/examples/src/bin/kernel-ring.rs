//! Starts a kernel on each PE's GPU that writes into the memory of the next PE's GPU.

use cushmem::{Grid, Result, Shmem};
use cushmem_examples_kernels as kernels;
use std::process::ExitCode;

/// Elements that each PE sends.
const N: usize = 1000;

fn main() -> ExitCode {
    cushmem::run(ring)
}

fn ring(shmem: &Shmem) -> Result<()> {
    // Symmetric memory of the GPUs. It is not cleared. The outbox is private: only this PE's kernel reads it.
    let inbox = shmem.malloc_gpu::<f32>(N)?;
    let arrived = shmem.malloc_gpu::<u64>(1)?;
    let outbox = shmem.device_alloc::<f32>(N)?;
    arrived.copy_from(&[0])?;
    // Nobody's signal may come before that.
    shmem.barrier_all()?;

    let module = shmem.load(&kernels::IMAGE)?;
    let stream = shmem.stream()?;
    let arguments = (inbox.device_ptr(), outbox.device_ptr(), N, arrived.device_ptr());
    // SAFETY: both buffers have N elements, and inbox and arrived are symmetric, as the kernel asks.
    unsafe { stream.launch(&module, kernels::ring, Grid::linear(1, 256), arguments)? };
    stream.synchronize()?;

    let sum: f32 = inbox.to_vec()?.iter().sum();
    let gpu = shmem.gpu().map_or("no GPU", |gpu| &gpu.name);
    println!("PE {} of {} on {gpu}: sum {sum}", shmem.my_pe(), shmem.n_pes());
    Ok(())
}
