//! Puts and gets of every scope, compared byte by byte, with guards around each range.

use crate::rig::Rig;
use cushmem::{DevPtr, Grid, Kernel, Shmem, SymSlice};
use cushmem_conformance::{conformance, expect_words, seeded};
use cushmem_conformance_kernels::{self as kernels, mix};
use cushmem_numbers::Random;

conformance! { soft, cuda => {
    every_alignment: 1, 2;
    long_ranges: 2, 3;
    host_memory: 1, 2;
    host_memory_from_before_the_start: 1, 2;
    elements: 1, 2;
} }

/// The least number of bytes before and after each range that must not change.
const GUARD: usize = 16;

/// Ranges to copy. Each has a place of its own in the target, while sources may overlap.
pub struct List {
    /// Offset in the target, offset in the source, number of bytes.
    words: Vec<u64>,
    target_bytes: usize,
    source_bytes: usize,
}

impl List {
    pub fn new() -> Self {
        Self { words: vec![], target_bytes: GUARD, source_bytes: 0 }
    }

    /// Adds a range that starts `target_skew` and `source_skew` bytes after a multiple of 16 in the target and in the
    /// source.
    pub fn add(&mut self, target_skew: usize, source_skew: usize, bytes: usize, random: &mut Random) {
        let target = self.target_bytes.next_multiple_of(16) + target_skew;
        let source = 16 * random.below(1000) + source_skew;
        self.words.extend([target as u64, source as u64, bytes as u64]);
        self.target_bytes = target + bytes + GUARD;
        self.source_bytes = self.source_bytes.max(source + bytes);
    }

    fn ranges(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        self.words.chunks(3).map(|w| (w[0] as usize, w[1] as usize, w[2] as usize))
    }

    /// Returns the expected target.
    fn expected(&self, from: u32) -> Vec<u8> {
        let mut bytes: Vec<u8> = (0..self.target_bytes).map(poison).collect();
        for (target, source, n) in self.ranges() {
            (0..n).for_each(|i| bytes[target + i] = datum(from, source + i));
        }
        bytes
    }
}

fn poison(i: usize) -> u8 {
    !mix(0, i as u64) as u8
}

fn datum(pe: u32, i: usize) -> u8 {
    mix(u64::from(pe) + 1, i as u64) as u8
}

pub type CopyArgs = (DevPtr<u8>, DevPtr<u8>, DevPtr<u64>, u64, u32);

/// The two ends. The remote one is on the next PE; gets write, and puts read, this PE's part.
pub struct Copies<'a> {
    pub rig: &'a Rig<'a>,
    list: List,
    words: cushmem::DeviceBuffer<'a, u64>,
    target: SymSlice<'a, u8>,
    source: SymSlice<'a, u8>,
}

impl<'a> Copies<'a> {
    pub fn new(rig: &'a Rig<'a>, list: List, target_on_host: bool, source_on_host: bool) -> Self {
        let shmem = rig.shmem;
        let object =
            |host: bool, bytes| if host { shmem.malloc(bytes) } else { shmem.malloc_gpu(bytes) }.expect("malloc");
        let target = object(target_on_host, list.target_bytes);
        let source: SymSlice<'_, u8> = object(source_on_host, list.source_bytes);
        source.copy_from(&(0..list.source_bytes).map(|i| datum(shmem.my_pe(), i)).collect::<Vec<_>>()).expect("write");
        Self { rig, words: rig.private(&list.words), list, target, source }
    }

    /// Runs the kernel and checks the whole target. `from` is the PE whose source arrives here.
    pub fn check<K: Kernel<Args = CopyArgs>>(&self, kernel: K, grid: Grid, from: u32) {
        let rig = self.rig;
        self.target.copy_from(&(0..self.list.target_bytes).map(poison).collect::<Vec<_>>()).expect("poison");
        rig.barrier();
        let (dst, src) = (self.target.device_ptr(), self.source.device_ptr());
        rig.run(kernel, grid, (dst, src, self.words.device_ptr(), self.list.words.len() as u64 / 3, rig.next()));
        rig.barrier();
        let (seen, expected) = (self.target.to_vec().expect("read"), self.list.expected(from));
        let broken = || {
            let copied = |&(t, _, n): &(usize, usize, usize)| (t..t + n).any(|i| seen[i] != expected[i]);
            let range = self.list.ranges().find(copied);
            format!("{} (target, source, bytes of the first wrong range: {range:?})", K::NAME)
        };
        expect_words(broken, &seen, |i| expected[i]);
        rig.barrier();
    }

    fn every_kernel(&self) {
        let (previous, next) = (self.rig.previous(), self.rig.next());
        self.check(kernels::put_thread, Grid::linear(4, 64), previous);
        self.check(kernels::put_warp, Grid::linear(3, 96), previous);
        self.check(kernels::put_block, Grid::linear(5, 48), previous);
        self.check(kernels::put_wide_thread, Grid::linear(4, 33), previous);
        self.check(kernels::put_wide_block, Grid::linear(3, 128), previous);
        self.check(kernels::get_thread, Grid::linear(4, 64), next);
        self.check(kernels::get_warp, Grid::linear(3, 96), next);
        self.check(kernels::get_block, Grid::linear(5, 48), next);
        self.check(kernels::get_wide_warp, Grid::linear(4, 64), next);
        self.check(kernels::get_wide_block, Grid::linear(3, 128), next);
    }
}

/// Catches a head, tail or middle that is skipped, copied too far, or copied with misaligned words: every skew of both
/// ends against each other, with every length up to 100.
fn every_alignment(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let mut random = seeded();
    let mut list = List::new();
    for skews in 0..256 {
        (0..=100).for_each(|bytes| list.add(skews / 16, skews % 16, bytes, &mut random));
    }
    Copies::new(&rig, list, false, false).every_kernel();
}

/// Catches a loop over batches that ends too early or too late.
fn long_ranges(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let mut random = seeded();
    let mut list = List::new();
    for i in 0..60 {
        // Half of them agree modulo 16, so that vectors can be used.
        let (target, source) = (random.below(16), random.below(16));
        let longest = if i % 8 == 0 { 150_000 } else { 5000 };
        let bytes = 100 + random.below(longest);
        list.add(target, if i % 2 == 0 { target } else { source }, bytes, &mut random);
        // As many vectors as some full batches contain, and one more.
        let vectors = 16 * [32, 64, 128, 512, 1024, 4096][i % 6];
        list.add(0, 0, vectors + 16 * (i / 6 % 2), &mut random);
    }
    list.add(0, 0, 1 << 20, &mut random);
    list.add(3, 3, (1 << 20) + 5, &mut random);
    Copies::new(&rig, list, false, false).every_kernel();
}

/// Symmetric host memory of a peer, as target and as source. It lies at a different address from the peer's GPU memory,
/// at the same strides.
fn host_memory(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let mut random = seeded();
    for (target_on_host, source_on_host) in [(true, false), (false, true), (true, true)] {
        let mut list = List::new();
        for _ in 0..1500 {
            let bytes = random.below(150);
            list.add(random.below(16), random.below(16), bytes, &mut random);
        }
        list.add(5, 5, 300_003, &mut random);
        Copies::new(&rig, list, target_on_host, source_on_host).every_kernel();
    }
    // Beyond the first pinned part.
    let part = shmem.malloc::<u8>(3 << 20).expect("malloc");
    let mut list = List::new();
    list.add(7, 3, (5 << 20) + 1, &mut random);
    let copies = Copies::new(&rig, list, true, true);
    copies.check(kernels::put_wide_block, Grid::linear(1, 256), rig.previous());
    copies.check(kernels::get_wide_block, Grid::linear(1, 256), rig.next());
    shmem.free(part).expect("free");
}

/// Catches host memory that kernels do not reach, here or on a peer, because it was allocated before the job's GPUs
/// were started or lies in a piece that was added later.
fn host_memory_from_before_the_start(shmem: &Shmem) {
    const BYTES: usize = (9 << 20) + 8;
    let gone = shmem.malloc::<u8>(5000).expect("malloc");
    let early = shmem.malloc::<u8>(BYTES).expect("malloc");
    shmem.free(gone).expect("free");
    let rig = Rig::new(shmem);
    let late = shmem.malloc::<u8>(BYTES).expect("malloc");
    let list = rig.private(&[0u64, 0, BYTES as u64]);
    let words = |pe: u32| (0..BYTES).map(|i| datum(pe, i)).collect::<Vec<_>>();
    for (round, (target, source)) in (0..).zip([(early, late), (late, early)]) {
        source.copy_from(&words(shmem.my_pe() + 10 * round)).expect("write");
        rig.barrier();
        let args = (target.device_ptr(), source.device_ptr(), list.device_ptr(), 1, rig.next());
        rig.run(kernels::put_wide_block, Grid::linear(1, 256), args);
        rig.barrier();
        assert!(target.to_vec().expect("read") == words(rig.previous() + 10 * round), "a put of round {round}");
        let args = (source.device_ptr(), target.device_ptr(), list.device_ptr(), 1, rig.next());
        rig.run(kernels::get_wide_block, Grid::linear(1, 256), args);
        assert!(source.to_vec().expect("read") == words(shmem.my_pe() + 10 * round), "a get of round {round}");
        rig.barrier();
    }
}

/// Catches a length that counts bytes instead of elements.
fn elements(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for n in [1, 2, 31, 500] {
        let bytes = 24 * n;
        let source = rig.symmetric(&(0..bytes).map(|i| datum(shmem.my_pe(), i)).collect::<Vec<_>>());
        let target = rig.symmetric(&(0..bytes).map(poison).collect::<Vec<_>>());
        rig.barrier();
        let (dst, src) = (target.device_ptr().cast(), source.device_ptr().cast());
        rig.run(kernels::put_elements, Grid::linear(1, 64), (dst, src, n, rig.next()));
        rig.barrier();
        expect_words(
            || format!("{n} elements of each type"),
            &target.to_vec().expect("read"),
            |i| {
                let (part, at) = (i / (8 * n), i % (8 * n));
                let (size, from) = [(2, rig.previous()), (8, rig.previous()), (4, rig.next())][part];
                if at < size * n { datum(from, i) } else { poison(i) }
            },
        );
        rig.barrier();
        shmem.free(source).expect("free");
        shmem.free(target).expect("free");
    }
}
