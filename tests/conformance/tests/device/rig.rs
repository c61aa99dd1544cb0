//! Launches the tests' kernels.

use cushmem::{DeviceBuffer, Grid, Kernel, Module, Shmem, Stream, SymSlice, Word};
use cushmem_abi::ModuleImage;
use cushmem_conformance::gpus_reach_each_other;
use cushmem_conformance_kernels::IMAGE;
use xtask::launch::shares_gpus;

/// The limit of each wait in a kernel. A longer wait is an error.
pub const LIMIT_NS: u64 = 60_000_000_000;

/// A PE's kernels and a stream for them.
pub struct Rig<'a> {
    pub shmem: &'a Shmem,
    pub module: Module<'a>,
    pub stream: Stream<'a>,
}

impl<'a> Rig<'a> {
    pub fn new(shmem: &'a Shmem) -> Self {
        Self::of(shmem, &IMAGE)
    }

    /// A PE's kernels of another crate.
    pub fn of(shmem: &'a Shmem, image: &'static ModuleImage) -> Self {
        Self { shmem, module: shmem.load(image).expect("load"), stream: shmem.stream().expect("stream") }
    }

    /// How often to repeat something. The emulation is slower, and shows fewer orders of memory accesses; commands are
    /// slower too.
    pub fn times<T>(&self, few: T, many: T) -> T {
        if self.shmem.gpu().is_some_and(|g| g.emulated) || !self.reaches_all() { few } else { many }
    }

    /// As [`Rig::times`], for slow operations: a tenth as often where PEs may share a GPU.
    pub fn many(&self, emulated: usize, gpu: usize) -> usize {
        self.times(emulated, if shares_gpus() { gpu / 10 } else { gpu })
    }

    /// Starts a kernel whose arguments are valid until [`Rig::wait`].
    pub fn start<K: Kernel>(&self, kernel: K, grid: Grid, args: K::Args) {
        // SAFETY: the tests pass memory of the sizes that the kernels require, and keep it until they have waited.
        unsafe { self.stream.launch(&self.module, kernel, grid, args) }.expect("launch");
    }

    /// As [`Rig::start`], with all blocks resident.
    pub fn start_cooperative<K: Kernel>(&self, kernel: K, grid: Grid, args: K::Args) {
        // SAFETY: the tests pass memory of the sizes that the kernels require, and keep it until they have waited.
        unsafe { self.stream.launch_cooperative(&self.module, kernel, grid, args) }.expect("cooperative launch");
    }

    pub fn wait(&self) {
        self.stream.synchronize().expect("the kernels finish");
    }

    /// Runs a kernel to its end.
    pub fn run<K: Kernel>(&self, kernel: K, grid: Grid, args: K::Args) {
        self.start(kernel, grid, args);
        self.wait();
    }

    /// A barrier of all PEs' CPUs.
    pub fn barrier(&self) {
        self.shmem.barrier_all().expect("barrier");
    }

    /// Returns symmetric GPU memory with these words on this PE.
    pub fn symmetric<T: Word>(&self, words: &[T]) -> SymSlice<'a, T> {
        let object = self.shmem.malloc_gpu(words.len()).expect("malloc_gpu");
        object.copy_from(words).expect("write");
        object
    }

    /// Returns private GPU memory with these words.
    pub fn private<T: Word>(&self, words: &[T]) -> DeviceBuffer<'a, T> {
        let buffer = self.shmem.device_alloc(words.len()).expect("device_alloc");
        buffer.copy_from(words).expect("write");
        buffer
    }

    /// Whether this GPU reaches the memory of all others.
    pub fn reaches_all(&self) -> bool {
        gpus_reach_each_other() && self.shmem.team_shared().n_pes() == self.shmem.n_pes()
    }

    /// Returns words that kernels of all PEs change atomically: in GPU memory if each GPU reaches it, otherwise in host
    /// memory.
    pub fn counters(&self, words: &[u64]) -> SymSlice<'a, u64> {
        if self.reaches_all() { self.symmetric(words) } else { self.on_host(words) }
    }

    /// Returns symmetric host memory with these words on this PE.
    pub fn on_host<T: Word>(&self, words: &[T]) -> SymSlice<'a, T> {
        let object = self.shmem.malloc(words.len()).expect("malloc");
        object.copy_from(words).expect("write");
        object
    }

    /// The PE after this one.
    pub fn next(&self) -> u32 {
        (self.shmem.my_pe() + 1) % self.shmem.n_pes()
    }

    /// The PE before this one.
    pub fn previous(&self) -> u32 {
        (self.shmem.my_pe() + self.shmem.n_pes() - 1) % self.shmem.n_pes()
    }

    /// The PE with which this one exchanges data. The last of an odd number of PEs is its own partner.
    pub fn partner(&self) -> u32 {
        let other = self.shmem.my_pe() ^ 1;
        if other < self.shmem.n_pes() { other } else { self.shmem.my_pe() }
    }
}

/// Fails if a lane saw an old word, or did not see a flag.
pub fn check_lanes(report: &[u64]) {
    for (lane, words) in report.chunks(2).enumerate() {
        assert_eq!(words[1], 0, "lane {lane}: no flag came in this round");
        assert_eq!(words[0], 0, "lane {lane}: rounds in which the flag came before the word");
    }
}
