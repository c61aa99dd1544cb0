//! What host memory of a GPU must do, for any back end: a heap of neighbouring chunks that CPUs, copy engines and kernels of
//! several processes share.
#![allow(dead_code)]

pub mod sharing;

use crate::rig::{arg, place, word};
use cushmem_abi::{ABI_VERSION, HostKernel, ModuleImage};
use cushmem_gpu::{Chunk, Gpu, Grid, LaunchKind, MemoryLocation, Stream};
use std::ffi::c_void;
use std::fs::File;
use std::os::fd::AsFd;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// What a run covers, bytes.
pub struct Sizes {
    pub chunks: Vec<u64>,
    /// Copies of these sizes are laid across every border of two chunks.
    pub ranges: Vec<u64>,
}

impl Sizes {
    /// For the emulation: a few granules.
    pub fn small(granularity: u64) -> Self {
        let ranges = vec![8, 24, granularity, 3 * granularity + 8, 12 * granularity - 16];
        Self { chunks: [1, 4, 2, 8].map(|n| n * granularity).to_vec(), ranges }
    }

    /// For a GPU.
    pub fn large() -> Self {
        let ranges = vec![8, 24, 4104, 2 << 20, 3 << 20, 9 << 20, 300 << 20];
        Self { chunks: [2, 64, 32, 64, 64, 64, 64].map(|n| n << 20).to_vec(), ranges }
    }
}

/// Chunks side by side.
pub struct Heap {
    pub gpu: Arc<dyn Gpu>,
    pub stream: Arc<dyn Stream>,
    pub base: u64,
    pub chunks: Vec<Arc<dyn Chunk>>,
}

impl Heap {
    pub fn create(gpu: &Arc<dyn Gpu>, sizes: &[u64]) -> Self {
        let make = |&bytes: &u64| gpu.create_chunk(MemoryLocation::Host, bytes).expect("create a host chunk");
        Self::map(gpu, sizes.iter().map(make).collect())
    }

    pub fn map(gpu: &Arc<dyn Gpu>, chunks: Vec<Arc<dyn Chunk>>) -> Self {
        let bytes: u64 = chunks.iter().map(|c| c.bytes()).sum();
        let granularity = gpu.host_granularity().expect("the GPU has host chunks");
        let alignment = granularity.max(2 << 20);
        let base = gpu.reserve(MemoryLocation::Host, bytes, alignment).expect("reserve host addresses");
        assert!(base.is_multiple_of(alignment), "{base:#x}");
        let heap = Self { gpu: gpu.clone(), stream: gpu.create_stream().expect("create a stream"), base, chunks };
        for (chunk, at) in heap.chunks.iter().zip(heap.starts()) {
            assert_eq!(chunk.location(), MemoryLocation::Host);
            gpu.map_chunk(at, chunk).expect("map a host chunk");
        }
        heap
    }

    pub fn bytes(&self) -> u64 {
        self.chunks.iter().map(|c| c.bytes()).sum()
    }

    /// Address of each chunk.
    pub fn starts(&self) -> Vec<u64> {
        let next = |at: &mut u64, chunk: &Arc<dyn Chunk>| Some(std::mem::replace(at, *at + chunk.bytes()));
        self.chunks.iter().scan(self.base, next).collect()
    }

    /// Where two chunks meet.
    pub fn borders(&self) -> Vec<u64> {
        self.starts().split_off(1)
    }

    /// The CPU's view of the word at this offset.
    pub fn word(&self, offset: u64) -> &AtomicU64 {
        assert!(offset.is_multiple_of(8) && offset < self.bytes());
        // SAFETY: an aligned word of mapped memory, which nobody uses but as an atomic.
        unsafe { AtomicU64::from_ptr((self.base + offset) as *mut u64) }
    }

    /// The CPU writes what [`Self::expect`] looks for.
    pub fn fill(&self, offset: u64, bytes: u64, seed: u64) {
        (offset..offset + bytes).step_by(8).for_each(|at| self.word(at).store(pattern(seed, at - offset), Relaxed));
    }

    pub fn expect(&self, offset: u64, bytes: u64, seed: u64, what: &str) {
        for at in (offset..offset + bytes).step_by(8) {
            let (found, wanted) = (self.word(at).load(Relaxed), pattern(seed, at - offset));
            assert!(
                found == wanted,
                "{what}: {found:#x} instead of {wanted:#x} at offset {at} of {bytes} from {offset}"
            );
        }
    }

    pub fn copy(&self, dst: u64, src: u64, bytes: u64) {
        // SAFETY: the callers name memory of the heap, of the device or of their own, which they keep until this returns.
        unsafe { self.stream.copy(dst, src, bytes) }.unwrap_or_else(|e| panic!("{e}"));
        self.stream.synchronize().unwrap_or_else(|e| panic!("{e}"));
    }

    /// Each lane of one block adds `value` to a word.
    pub fn kernel_adds(&self, at: u64, value: u64, lanes: u32) {
        let function = self.gpu.load_module(&IMAGE, None).and_then(|m| m.function("add")).expect("load the kernel");
        let args: [*const c_void; 2] = [(&raw const at).cast(), (&raw const value).cast()];
        // SAFETY: the kernel takes two words; the caller names mapped words, which outlive the synchronisation.
        unsafe { self.stream.launch(&*function, &Grid::linear(1, lanes), LaunchKind::Plain, &args) }.expect("launch");
        self.stream.synchronize().expect("the kernel ends");
    }
}

pub fn pattern(seed: u64, at: u64) -> u64 {
    (seed << 48) ^ (at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

unsafe fn add(args: *const *const c_void) {
    // SAFETY: the launch passes two words.
    let (at, value) = unsafe { (arg(args, 0), arg(args, 1)) };
    let word = word(at, place().0);
    word.store(word.load(Relaxed).wrapping_add(value), Relaxed);
}

const _: () = assert!(ABI_VERSION == 3, "the number in the PTX below");

pub static IMAGE: ModuleImage = ModuleImage {
    name: "host_memory_test",
    ptx: r"
.version 7.0
.target sm_70
.address_size 64
.visible .const .align 4 .u32 cushmem_abi_version = 3;
.visible .const .align 8 .u64 cushmem_source = 7;
.visible .entry add(.param .u64 at, .param .u64 value) {
    .reg .u32 %r<2>;
    .reg .u64 %d<6>;
    ld.param.u64 %d1, [at];
    ld.param.u64 %d2, [value];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d3, %r1, 8;
    add.u64 %d4, %d1, %d3;
    ld.relaxed.sys.u64 %d5, [%d4];
    add.u64 %d5, %d5, %d2;
    st.relaxed.sys.u64 [%d4], %d5;
    ret;
}
",
    source: 7,
    kernels: &[HostKernel { name: "add", entry: add, parameter_bytes: &[8, 8] }],
};

/// Where a range of these bytes begins whose middle is the border, if it fits around there.
fn around(heap: &Heap, border: u64, bytes: u64) -> u64 {
    let wanted = (border - heap.base).saturating_sub(bytes / 2) / 8 * 8;
    wanted.min(heap.bytes() - bytes)
}

/// Catches copies that fail, or lose or misplace bytes, where chunks meet: to the device, back, and within the heap.
pub fn any_range_copies(heap: &Heap, ranges: &[u64]) {
    let most = *ranges.iter().max().expect("there are ranges");
    let device = heap.gpu.alloc(most).expect("allocate device memory");
    let mut seed = 0;
    for &bytes in ranges {
        for border in heap.borders() {
            seed += 1;
            let at = around(heap, border, bytes);
            let edges = [at.checked_sub(8), Some(at + bytes)].into_iter().flatten().filter(|&o| o < heap.bytes());
            edges.clone().for_each(|offset| heap.word(offset).store(seed, Relaxed));
            heap.fill(at, bytes, seed);
            heap.copy(device, heap.base + at, bytes);
            heap.fill(at, bytes, 0xdead);
            heap.copy(heap.base + at, device, bytes);
            heap.expect(at, bytes, seed, "to the device and back");
            edges.for_each(|offset| assert_eq!(heap.word(offset).load(Relaxed), seed, "beside {bytes} bytes at {at}"));
        }
        within_the_heap(heap, bytes);
    }
    heap.gpu.free(device).expect("free device memory");
}

/// From the heap's start to its end, and into memory that the GPU does not know.
fn within_the_heap(heap: &Heap, bytes: u64) {
    if 2 * bytes > heap.bytes() {
        return;
    }
    let end = heap.bytes() - bytes;
    heap.fill(0, bytes, 77);
    heap.fill(end, bytes, 78);
    heap.copy(heap.base + end, heap.base, bytes);
    heap.expect(end, bytes, 77, "from the heap to the heap");
    let mut private = vec![0u64; (bytes / 8) as usize];
    heap.copy(private.as_mut_ptr() as u64, heap.base + end, bytes);
    assert!(private.iter().zip((0..).step_by(8)).all(|(&word, at)| word == pattern(77, at)), "into private memory");
}

/// Catches kernels that see other bytes than the CPU.
pub fn kernels_reach_it(heap: &Heap) {
    for border in heap.borders() {
        let at = border - heap.base - 256;
        heap.fill(at, 512, 3);
        heap.kernel_adds(heap.base + at, 5, 64);
        for offset in (0..512).step_by(8) {
            assert_eq!(heap.word(at + offset).load(Relaxed), pattern(3, offset).wrapping_add(5));
        }
    }
}

/// Catches host memory that is taken for the GPU's, and the reverse.
pub fn it_is_no_device_memory(heap: &Heap) {
    let device = heap.gpu.alloc(256).expect("allocate device memory");
    let granularity = heap.gpu.properties().granularity;
    let window = heap.gpu.reserve(MemoryLocation::Device, granularity, 0).expect("reserve device addresses");
    let chunk = heap.gpu.create_chunk(MemoryLocation::Device, granularity).expect("create a device chunk");
    assert_eq!(chunk.location(), MemoryLocation::Device);
    heap.gpu.map_chunk(window, &chunk).expect("map a device chunk");
    let host = heap.starts().into_iter().flat_map(|at| [at, at + 4104]);
    for (address, expected) in host.map(|at| (at, false)).chain([(device, true), (window, true)]) {
        assert_eq!(heap.gpu.is_device_address(address), expected, "{address:#x}");
    }
    heap.gpu.unmap(window, granularity).expect("unmap a device chunk");
    heap.gpu.free(device).expect("free device memory");
}

/// Catches an unmapping that takes neighbours along, and a place that cannot be used again.
pub fn chunks_come_and_go(heap: &Heap) {
    let (starts, last) = (heap.starts(), heap.chunks.len() - 1);
    let (at, bytes) = (starts[1], heap.chunks[1].bytes());
    heap.word(0).store(10, Relaxed);
    heap.word(at - heap.base).store(20, Relaxed);
    heap.word(starts[last] - heap.base).store(30, Relaxed);
    heap.gpu.unmap(at, bytes).expect("unmap the second chunk");
    let other = heap.gpu.create_chunk(MemoryLocation::Host, bytes).expect("create a host chunk");
    heap.gpu.map_chunk(at, &other).expect("map another chunk there");
    assert_eq!(heap.word(at - heap.base).load(Relaxed), 0, "new memory is zero");
    assert_eq!(heap.word(0).load(Relaxed), 10);
    assert_eq!(heap.word(starts[last] - heap.base).load(Relaxed), 30);
    heap.gpu.unmap(at, bytes).expect("unmap the other chunk");
    heap.gpu.map_chunk(at, &heap.chunks[1]).expect("map the first one again");
    assert_eq!(heap.word(at - heap.base).load(Relaxed), 20, "the bytes outlive the mapping");
}

/// Catches sizes, descriptors and places that are accepted though they cannot be right.
pub fn refusals(heap: &Heap) {
    let gpu = &heap.gpu;
    let granularity = gpu.host_granularity().expect("the GPU has host chunks");
    assert!(gpu.create_chunk(MemoryLocation::Host, granularity + 1).is_err());
    assert!(gpu.create_chunk(MemoryLocation::Host, 0).is_err());
    assert!(gpu.map_chunk(heap.base, &heap.chunks[0]).is_err(), "a chunk is mapped there");
    let file = File::open("/proc/self/exe").expect("open the program");
    assert!(gpu.import_chunk(MemoryLocation::Host, file.as_fd(), granularity).is_err());
    let device = gpu.create_chunk(MemoryLocation::Device, gpu.properties().granularity).expect("create a device chunk");
    let shared = device.share().expect("share a device chunk");
    let error = gpu.import_chunk(MemoryLocation::Host, shared.as_fd(), device.bytes()).err().expect("device memory");
    assert!(error.to_string().contains("the descriptor is of"), "{error}");
}

/// What the heap is there to avoid. Catches an emulation that copies across the borders of registered memory, which CUDA
/// refuses.
pub fn registered_pieces_have_borders(heap: &Heap) {
    const PIECE: u64 = 1 << 20;
    let (protection, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping where the kernel finds room.
    let base = unsafe { libc::mmap(ptr::null_mut(), 4 * PIECE as usize, protection, flags, -1, 0) };
    assert_ne!(base, libc::MAP_FAILED);
    let base = base as u64;
    // The pieces are neighbours; in front of them and behind them is memory that is not registered.
    for at in [base + PIECE, base + 2 * PIECE] {
        heap.gpu.register_host(at, PIECE).expect("register a piece");
    }
    let device = heap.gpu.alloc(2 * PIECE).expect("allocate device memory");
    for (at, bytes, works) in [
        (base + PIECE, PIECE, Some(true)),
        (base + 2 * PIECE + 8, PIECE - 8, Some(true)),
        (base, PIECE, Some(true)),
        (base + 3 * PIECE, PIECE, Some(true)),
        (base + 2 * PIECE - 8, 16, Some(false)),
        (base + PIECE, 2 * PIECE, Some(false)),
        (base + 3 * PIECE - 4096, 2 * 4096, Some(false)),
        // NVIDIA's driver takes a range for pageable that begins in unregistered memory, the emulation does not.
        (base + PIECE - 8, 16, None),
    ] {
        for (dst, src) in [(device, at), (at, device)] {
            // SAFETY: both ranges are mapped until after the synchronisation.
            let copied = unsafe { heap.stream.copy(dst, src, bytes) };
            let as_expected = works.is_none_or(|works| copied.is_ok() == works);
            assert!(as_expected, "{bytes} bytes at {:#x}: {copied:?}", at - base);
            heap.stream.synchronize().expect("a refused copy leaves the stream usable");
        }
    }
    heap.gpu.free(device).expect("free device memory");
    for at in [base + PIECE, base + 2 * PIECE] {
        heap.gpu.unregister_host(at).expect("unregister a piece");
    }
    // SAFETY: the mapping above, which nobody uses any more.
    unsafe { libc::munmap(base as *mut c_void, 4 * PIECE as usize) };
}
