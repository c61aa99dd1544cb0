//! Host memory that two processes share as a file and register piece by piece, on the emulated GPU and, if there is
//! one, on a CUDA GPU.

mod rig;
mod shared;

use cushmem_gpu::Gpu;
use cushmem_gpu::cuda::{self, CudaGpu};
use cushmem_gpu::soft::SoftGpu;
use rig::{LIMIT, Watchdog, child, finish};
use shared::{Shared, pattern};
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};
use std::thread;
use std::time::Instant;

/// Bytes of a piece.
const SOFT_PIECE: u64 = 1 << 20;
const CUDA_PIECE: u64 = 32 << 20;

fn soft(ordinal: u32) -> Arc<dyn Gpu> {
    SoftGpu::open(ordinal).expect("the emulated GPU opens")
}

/// Returns `None`, after recording why, if there is no such GPU.
fn cuda() -> Option<Arc<dyn Gpu>> {
    let leave_out = |why: String| xtask::left_out::record("host memory shared by processes and GPUs, on CUDA", &why);
    cuda::device_count().map_err(leave_out).ok()?;
    Some(CudaGpu::open(0).expect("the GPU opens"))
}

fn all_but_processes(shared: &Shared) {
    copies_inside_pieces(shared);
    copies_between_pieces(shared);
    copies_across_borders(shared);
    kernels_reach_it(shared);
    device_memory_is_told_apart(shared);
    pieces_come_and_go(shared);
}

#[test]
fn soft_memory_is_registered() {
    let _watchdog = Watchdog::start();
    all_but_processes(&Shared::create(&soft(0), SOFT_PIECE));
}

#[test]
fn cuda_memory_is_registered() {
    let _watchdog = Watchdog::start();
    cuda().iter().for_each(|gpu| all_but_processes(&Shared::create(gpu, CUDA_PIECE)));
}

#[test]
fn soft_processes_share_it() {
    let _watchdog = Watchdog::start();
    processes_share_it(&Shared::create(&soft(0), SOFT_PIECE), child("child_on_the_emulation"));
}

#[test]
fn cuda_processes_share_it() {
    let _watchdog = Watchdog::start();
    if let Some(gpu) = cuda() {
        processes_share_it(&Shared::create(&gpu, CUDA_PIECE), child("child_on_cuda"));
    }
}

#[test]
#[ignore = "started by soft_processes_share_it"]
fn child_on_the_emulation() {
    other_process(&soft(1));
}

/// On a different GPU from the parent's, if there is one.
#[test]
#[ignore = "started by cuda_processes_share_it"]
fn child_on_cuda() {
    let last = cuda::device_count().expect("the parent found GPUs") - 1;
    let gpu: Arc<dyn Gpu> = CudaGpu::open(last.min(1)).expect("the GPU opens");
    other_process(&gpu);
}

/// Copies a range to the device and back. Catches bytes that are lost, misplaced, or written beside the range.
fn there_and_back(shared: &Shared, device: u64, at: u64, bytes: u64, seed: u64) {
    let beside = [at - 8, at + bytes].map(|address| shared.word(address));
    beside.iter().for_each(|word| word.store(seed, Relaxed));
    shared.fill(at, bytes, seed);
    shared.copy(device, at, bytes);
    shared.fill(at, bytes, 0xdead);
    shared.copy(at, device, bytes);
    shared.expect(at, bytes, seed, "to the device and back");
    beside.iter().for_each(|word| assert_eq!(word.load(Relaxed), seed, "beside {bytes} bytes"));
}

/// Any range inside a piece is copied in one operation, up to the ends of the piece.
fn copies_inside_pieces(shared: &Shared) {
    let device = shared.gpu.alloc(shared.piece).expect("allocate device memory");
    let mut seed = 0;
    for number in [1, 2] {
        for bytes in [8, 24, 4104, shared.piece / 2 + 8, shared.piece - 8, shared.piece] {
            let spare = shared.piece - bytes;
            for at in [0, spare / 16 * 8, spare] {
                seed += 1;
                // The words before the first and after the last piece are in the file too.
                there_and_back(shared, device, shared.at(number) + at, bytes, seed);
            }
        }
    }
    shared.gpu.free(device).expect("free device memory");
}

/// Copies between two pieces, and between them and memory that the GPU does not know.
fn copies_between_pieces(shared: &Shared) {
    let bytes = shared.piece;
    shared.fill(shared.at(1), bytes, 77);
    for (dst, src) in [(2, 1), (0, 2), (3, 0), (1, 3)] {
        shared.fill(shared.at(dst), bytes, 78);
        shared.copy(shared.at(dst), shared.at(src), bytes);
        shared.expect(shared.at(dst), bytes, 77, "from the file to the file");
    }
    let mut private = vec![0u64; (bytes / 8) as usize];
    shared.copy(private.as_mut_ptr() as u64, shared.at(2), bytes);
    assert!(private.iter().zip((0..).step_by(8)).all(|(&word, at)| word == pattern(77, at)), "into private memory");
}

/// Whether copies in both directions work. A refused copy leaves the stream usable.
fn is_copied(shared: &Shared, device: u64, at: u64, bytes: u64) -> [bool; 2] {
    [(device, at), (at, device)].map(|(dst, src)| {
        // SAFETY: both ranges are mapped until after the synchronisation.
        let copied = unsafe { shared.stream.copy(dst, src, bytes) };
        shared.stream.synchronize().expect("a refused copy leaves the stream usable");
        copied.is_ok()
    })
}

/// Catches an emulation that copies across the borders of registered memory, which CUDA refuses, and a GPU that reports
/// such a range as pinned.
fn copies_across_borders(shared: &Shared) {
    let device = shared.gpu.alloc(2 * shared.piece).expect("allocate device memory");
    for (at, bytes, works) in [
        (shared.at(0), shared.piece, true),
        (shared.at(1), shared.piece, true),
        (shared.at(3), shared.piece, true),
        (shared.at(2) - 8, 16, false),
        (shared.at(1), 2 * shared.piece, false),
        (shared.at(3) - 4096, 2 * 4096, false),
    ] {
        let copied = is_copied(shared, device, at, bytes);
        assert_eq!(copied, [works; 2], "{bytes} bytes at {:#x}", at - shared.base);
        let is_registered = works && at == shared.at(1);
        assert_eq!(shared.gpu.is_pinned(at, bytes), is_registered, "{bytes} bytes at {:#x}", at - shared.base);
    }
    // NVIDIA's driver treats a range that starts in unregistered memory as pageable. The emulation does not.
    let copied = is_copied(shared, device, shared.at(1) - 8, 16);
    assert!(copied == [false; 2] || !shared.gpu.properties().emulated);
    shared.gpu.free(device).expect("free device memory");
}

/// Catches kernels that see different bytes from the CPU, at the ends of pieces and across their border.
fn kernels_reach_it(shared: &Shared) {
    for at in [shared.at(1), shared.at(2) - 256, shared.at(3) - 512] {
        shared.fill(at, 512, 3);
        shared.kernel_adds(at, 5, 64);
        shared.expect_more(at, 512, 3, 5, "what a kernel added");
    }
}

/// Catches a GPU that takes all memory for host memory.
fn device_memory_is_told_apart(shared: &Shared) {
    let (gpu, granularity) = (&shared.gpu, shared.gpu.properties().granularity);
    let device = gpu.alloc(256).expect("allocate device memory");
    let window = gpu.reserve(granularity, 0).expect("reserve device addresses");
    let chunk = gpu.create_chunk(granularity).expect("create a chunk");
    gpu.map_chunk(window, &chunk).expect("map the chunk");
    assert!(gpu.is_device_address(device) && gpu.is_device_address(window));
    gpu.unmap(window, granularity).expect("unmap the chunk");
    gpu.free(device).expect("free device memory");
}

/// Catches an unregistration that affects the neighbour or the bytes, a piece that cannot be registered again, and a
/// piece that cannot be added beside another.
fn pieces_come_and_go(shared: &Shared) {
    let (gpu, piece) = (&shared.gpu, shared.piece);
    let device = gpu.alloc(piece).expect("allocate device memory");
    shared.fill(shared.at(2), piece, 5);
    shared.unregister(2);
    assert!(gpu.unregister_host(shared.at(2)).is_err(), "it is not registered any more");
    shared.expect(shared.at(2), piece, 5, "the bytes outlive the registration");
    shared.kernel_adds(shared.at(2) - 512, 1, 64);
    shared.register(2);
    shared.register(3);
    assert!(!gpu.is_device_address(shared.at(3)));
    there_and_back(shared, device, shared.at(2), piece, 6);
    there_and_back(shared, device, shared.at(3), piece - 8, 7);
    assert_eq!(is_copied(shared, device, shared.at(3) - 8, 16), [false; 2], "a border as any other");
    shared.fill(shared.at(3) - 256, 512, 8);
    shared.kernel_adds(shared.at(3) - 256, 9, 64);
    shared.expect_more(shared.at(3) - 256, 512, 8, 9, "what a kernel added across the new border");
    shared.unregister(3);
    gpu.free(device).expect("free device memory");
}

/// How many additions each process makes at least.
const ADDITIONS: u64 = 100_000;

// The first words of the first registered piece.
/// Set when the other process has written everything.
const WRITTEN: u64 = 0;
/// The word to which both add.
const COUNTER: u64 = 64;
/// How much each of the two has added.
const ADDED: [u64; 2] = [72, 80];

/// What the processes copy of each piece: address and size. This leaves out the words above and those that kernels
/// change.
fn copied(shared: &Shared) -> [(u64, u64); 2] {
    [(shared.at(1) + 128, shared.piece - 4096), (shared.at(2) + 4096, shared.piece - 4096)]
}

/// The address at which the processes' kernels add: across the border between the pieces.
fn changed(shared: &Shared) -> u64 {
    shared.at(2) - 256
}

/// Returns a word near the start of the first registered piece.
fn common(shared: &Shared, offset: u64) -> &AtomicU64 {
    shared.word(shared.at(1) + offset)
}

/// One of the two adds until both have added enough, so that they add at the same time.
fn add_together(shared: &Shared, me: usize) {
    let (start, added) = (Instant::now(), ADDED.map(|offset| common(shared, offset)));
    while added.iter().any(|added| added.load(Acquire) < ADDITIONS) {
        assert!(start.elapsed() < LIMIT, "the other process does not add");
        common(shared, COUNTER).fetch_add(1, AcqRel);
        added[me].fetch_add(1, Release);
    }
}

/// Catches memory that is copied instead of shared, atomics that are not atomic between processes, and a GPU of another
/// process that does not reach the memory.
fn processes_share_it(shared: &Shared, mut other: Command) {
    copied(shared).iter().for_each(|(at, bytes)| shared.fill(*at, *bytes, 9));
    shared.fill(changed(shared), 512, 3);
    let file: OwnedFd = shared.file.try_clone().expect("duplicate the file").into();
    let mut other = other.stdin(Stdio::from(file)).spawn().expect("start the other process");
    let has_written = || common(shared, WRITTEN).load(Acquire) != 0;
    while !has_written() && other.try_wait().expect("the process is ours").is_none() {
        thread::yield_now();
    }
    if has_written() {
        shared.kernel_adds(changed(shared), 6, 64);
        add_together(shared, 0);
    }
    let output = finish(other);
    assert!(output.status.success(), "{:?}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    let added = ADDED.map(|offset| common(shared, offset).load(Acquire));
    assert_eq!(common(shared, COUNTER).load(Acquire), added.iter().sum::<u64>(), "{added:?}");
    shared.expect_more(changed(shared), 512, 3, 5 + 6, "what the kernels of both added");
    copied(shared).iter().for_each(|(at, bytes)| shared.expect(*at, *bytes, 10, "what the other process's GPU wrote"));
}

/// The other process's part, which gets the file as its standard input.
fn other_process(gpu: &Arc<dyn Gpu>) {
    let file = std::io::stdin().as_fd().try_clone_to_owned().expect("the parent's file");
    let shared = Shared::open(gpu, file);
    let device = gpu.alloc(shared.piece).expect("allocate device memory");
    for (at, bytes) in copied(&shared) {
        shared.expect(at, bytes, 9, "what the parent wrote");
        shared.fill(at, bytes, 10);
        shared.copy(device, at, bytes);
        shared.fill(at, bytes, 11);
        shared.copy(at, device, bytes);
    }
    shared.kernel_adds(changed(&shared), 5, 64);
    common(&shared, WRITTEN).store(1, Release);
    add_together(&shared, 1);
}
