//! What all PEs tell PE 0, and how they end together.

use crate::command_line::STATUS_WRONG_USE;
use anyhow::{Result, bail};
use cushmem::Shmem;
use serde::Serialize;

/// The words of all PEs, on PE 0; nothing elsewhere. Collective.
pub fn gather<const N: usize>(shmem: &Shmem, own: [f64; N]) -> Result<Vec<[f64; N]>> {
    let all = shmem.malloc::<f64>(N * shmem.n_pes() as usize)?;
    let start = N * shmem.my_pe() as usize;
    shmem.put(all.slice(start..start + N), &own, 0)?;
    shmem.barrier_all()?;
    let mut rows = vec![];
    if shmem.my_pe() == 0 {
        let words = all.to_vec()?;
        rows.extend(words.chunks_exact(N).map(|row| std::array::from_fn(|i| row[i])));
    }
    shmem.free(all)?;
    Ok(rows)
}

/// The largest number of PEs that use the same GPU. Collective.
pub fn most_on_one_gpu(shmem: &Shmem) -> Result<u32> {
    let all = shmem.malloc::<u32>(shmem.n_pes() as usize)?;
    for pe in 0..shmem.n_pes() {
        shmem.p(all.at(shmem.my_pe() as usize), shmem.pes_on_my_gpu().unwrap_or(1), pe)?;
    }
    shmem.barrier_all()?;
    let most = all.to_vec()?.into_iter().max().unwrap_or(1);
    shmem.free(all)?;
    Ok(most)
}

/// Ends the job because of a wrong command line. All PEs call it; PE 0 says why.
pub fn refuse<R>(shmem: &Shmem, program: &str, why: &str) -> Result<R> {
    if shmem.my_pe() == 0 {
        eprintln!("{program}: {why}");
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

/// What runs the kernels: `soft`, the emulation, or `cuda`.
pub fn backend(shmem: &Shmem) -> &'static str {
    if shmem.gpu().is_some_and(|gpu| gpu.emulated) { "soft" } else { "cuda" }
}

/// Name of this PE's GPU.
pub fn gpu_name(shmem: &Shmem) -> &str {
    shmem.gpu().map_or("none", |gpu| &gpu.name)
}

/// As a line of JSON.
pub fn json_line(line: &impl Serialize) -> String {
    serde_json::to_string(line).expect("numbers and strings have a form in JSON")
}
