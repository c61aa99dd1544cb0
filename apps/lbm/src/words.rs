//! Some words of each PE, for all.

use anyhow::Result;
use cushmem::Shmem;

/// The words of all PEs, in the order of their numbers. Collective.
pub fn to_all<const N: usize>(shmem: &Shmem, own: [u64; N]) -> Result<Vec<[u64; N]>> {
    let all = shmem.malloc::<u64>(N * shmem.n_pes() as usize)?;
    let start = N * shmem.my_pe() as usize;
    for pe in 0..shmem.n_pes() {
        shmem.put(all.slice(start..start + N), &own, pe)?;
    }
    shmem.barrier_all()?;
    let words = all.to_vec()?;
    shmem.free(all)?;
    Ok(words.chunks_exact(N).map(|row| std::array::from_fn(|i| row[i])).collect())
}
