//! What PEs share and know about the job, and how they end it together.

use crate::command_line::STATUS_WRONG_USE;
use anyhow::{Result, bail};
use cushmem::{Shmem, Word};
use serde::Serialize;

/// The words of all PEs, in the order of their numbers. Collective.
pub fn to_all<T: Word, const N: usize>(shmem: &Shmem, own: [T; N]) -> Result<Vec<[T; N]>> {
    let all = shmem.malloc::<T>(N * shmem.n_pes() as usize)?;
    let start = N * shmem.my_pe() as usize;
    for pe in 0..shmem.n_pes() {
        shmem.put(all.slice(start..start + N), &own, pe)?;
    }
    shmem.barrier_all()?;
    let words = all.to_vec()?;
    shmem.free(all)?;
    Ok(words.chunks_exact(N).map(|row| std::array::from_fn(|i| row[i])).collect())
}

/// Ends the job because of a wrong command line. All PEs call it; PE 0 says why.
pub fn refuse<R>(shmem: &Shmem, program: &str, why: &str) -> Result<R> {
    if shmem.my_pe() == 0 {
        eprintln!("{program}: {}", cushmem_command_line::printable(why));
        shmem.global_exit(STATUS_WRONG_USE.into());
    }
    // PE 0 never arrives here, because it ends the job.
    shmem.barrier_all()?;
    bail!("{why}")
}

/// Whether this PE shows its progress: PE 0 does if stdout is a terminal.
pub fn is_watched(shmem: &Shmem) -> bool {
    shmem.my_pe() == 0 && std::io::IsTerminal::is_terminal(&std::io::stdout())
}

/// Whether this PE's GPU is an emulated one.
pub fn is_emulated(shmem: &Shmem) -> bool {
    shmem.gpu().is_some_and(|gpu| gpu.emulated)
}

/// What runs the kernels: `soft`, the emulation, or `cuda`.
pub fn backend(shmem: &Shmem) -> &'static str {
    if is_emulated(shmem) { "soft" } else { "cuda" }
}

/// The name of this PE's GPU.
pub fn gpu_name(shmem: &Shmem) -> &str {
    shmem.gpu().map_or("none", |gpu| &gpu.name)
}

/// Formats a report as a line of JSON.
pub fn json_line(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("numbers and strings have a form in JSON")
}
