//! Ranges in every kind of memory that the local end of an operation can have.

use cushmem::{DeviceBuffer, Shmem, SymSlice};
use cushmem_conformance::Sample;

/// The kinds of memory that a local end can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalMemory {
    RustSlice,
    HostHeap,
    GpuHeap,
    GpuPrivate,
}

impl LocalMemory {
    /// Returns the kinds that this job has.
    pub fn all(shmem: &Shmem) -> Vec<LocalMemory> {
        let host = [LocalMemory::RustSlice, LocalMemory::HostHeap];
        let gpu = [LocalMemory::GpuHeap, LocalMemory::GpuPrivate];
        host.into_iter().chain(gpu.into_iter().filter(|_| shmem.gpu().is_some())).collect()
    }
}

/// A range in each kind of memory.
pub struct Ranges<'a, T> {
    pub rust: Vec<T>,
    pub host: SymSlice<'a, T>,
    pub gpu: Option<(SymSlice<'a, T>, DeviceBuffer<'a, T>)>,
}

impl<'a, T: Sample> Ranges<'a, T> {
    pub fn new(shmem: &'a Shmem, n: usize) -> Self {
        let gpu = shmem.gpu().is_some();
        let gpu = gpu.then(|| (shmem.malloc_gpu(n).expect("malloc_gpu"), shmem.device_alloc(n).expect("device_alloc")));
        Self { rust: vec![T::sample(0); n], host: shmem.malloc(n).expect("malloc"), gpu }
    }

    /// Writes the whole range.
    pub fn fill(&mut self, kind: LocalMemory, words: &[T]) {
        match (kind, &self.gpu) {
            (LocalMemory::HostHeap, _) => self.host.copy_from(words).expect("write"),
            (LocalMemory::GpuHeap, Some((heap, _))) => heap.copy_from(words).expect("write"),
            (LocalMemory::GpuPrivate, Some((_, private))) => private.copy_from(words).expect("write"),
            _ => self.rust.copy_from_slice(words),
        }
    }

    /// Reads the whole range.
    pub fn read(&self, kind: LocalMemory) -> Vec<T> {
        match (kind, &self.gpu) {
            (LocalMemory::HostHeap, _) => self.host.to_vec().expect("read"),
            (LocalMemory::GpuHeap, Some((heap, _))) => heap.to_vec().expect("read"),
            (LocalMemory::GpuPrivate, Some((_, private))) => private.to_vec().expect("read"),
            _ => self.rust.clone(),
        }
    }

    /// Frees the memory.
    pub fn free(self, shmem: &Shmem) {
        shmem.free(self.host).expect("free");
        if let Some((heap, _)) = self.gpu {
            shmem.free(heap).expect("free");
        }
    }
}

/// Returns a symmetric object in each heap that this job has.
pub fn objects<T: Sample>(shmem: &Shmem, n: usize) -> Vec<SymSlice<'_, T>> {
    let mut objects = vec![shmem.malloc(n).expect("malloc")];
    if shmem.gpu().is_some() {
        objects.push(shmem.malloc_gpu(n).expect("malloc_gpu"));
    }
    objects
}

/// The PE with which this one exchanges data. The last of an odd number of PEs is its own partner.
pub fn partner(shmem: &Shmem) -> u32 {
    let other = shmem.my_pe() ^ 1;
    if other < shmem.n_pes() { other } else { shmem.my_pe() }
}
