//! Memory of every kind.

use cushmem::{DeviceBuffer, Shmem, SymSlice};
use cushmem_conformance::Sample;

/// Where private data can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    RustSlice,
    HostHeap,
    GpuHeap,
    GpuPrivate,
}

impl Kind {
    /// Those that this job has.
    pub fn all(shmem: &Shmem) -> Vec<Kind> {
        let host = [Kind::RustSlice, Kind::HostHeap];
        let gpu = [Kind::GpuHeap, Kind::GpuPrivate];
        host.into_iter().chain(gpu.into_iter().filter(|_| shmem.gpu().is_some())).collect()
    }
}

/// A range of each kind.
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
    pub fn fill(&mut self, kind: Kind, words: &[T]) {
        match (kind, &self.gpu) {
            (Kind::HostHeap, _) => self.host.copy_from(words).expect("write"),
            (Kind::GpuHeap, Some((heap, _))) => heap.copy_from(words).expect("write"),
            (Kind::GpuPrivate, Some((_, private))) => private.copy_from(words).expect("write"),
            _ => self.rust.copy_from_slice(words),
        }
    }

    /// Reads the whole range.
    pub fn read(&self, kind: Kind) -> Vec<T> {
        match (kind, &self.gpu) {
            (Kind::HostHeap, _) => self.host.to_vec().expect("read"),
            (Kind::GpuHeap, Some((heap, _))) => heap.to_vec().expect("read"),
            (Kind::GpuPrivate, Some((_, private))) => private.to_vec().expect("read"),
            _ => self.rust.clone(),
        }
    }

    /// Gives the memory back.
    pub fn free(self, shmem: &Shmem) {
        shmem.free(self.host).expect("free");
        if let Some((heap, _)) = self.gpu {
            shmem.free(heap).expect("free");
        }
    }
}

/// A symmetric object of each heap that this job has.
pub fn objects<T: Sample>(shmem: &Shmem, n: usize) -> Vec<SymSlice<'_, T>> {
    let mut objects = vec![shmem.malloc(n).expect("malloc")];
    if shmem.gpu().is_some() {
        objects.push(shmem.malloc_gpu(n).expect("malloc_gpu"));
    }
    objects
}

/// The PE that this one exchanges data with; the last of an odd number talks to itself.
pub fn partner(shmem: &Shmem) -> u32 {
    let other = shmem.my_pe() ^ 1;
    if other < shmem.n_pes() { other } else { shmem.my_pe() }
}
