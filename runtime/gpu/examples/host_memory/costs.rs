//! What host chunks cost, beside memory that is registered.

use crate::host::{Heap, sharing};
use cushmem_gpu::{Gpu, MemoryLocation, Stream};
use std::ffi::c_void;
use std::os::fd::AsFd;
use std::process::Command;
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering::AcqRel;
use std::time::Instant;

const CHUNK: u64 = 64 << 20;
const CHUNKS: usize = 4;

fn report(metric: &str, memory: &str, gpu: &Arc<dyn Gpu>, bytes: u64, value: f64) {
    let ordinal = gpu.properties().ordinal;
    println!(r#"{{"metric":"{metric}","memory":"{memory}","gpu":{ordinal},"bytes":{bytes},"value":{value:.4}}}"#);
}

/// Runs it and says how many milliseconds that took.
fn ms<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = run();
    (result, start.elapsed().as_secs_f64() * 1e3)
}

pub fn run(gpu: &Arc<dyn Gpu>, command: Command) {
    for bytes in [2 << 20, CHUNK, 512 << 20] {
        life_of_a_chunk(gpu, bytes);
        registered(gpu, bytes);
    }
    let heap = Heap::create(gpu, &[CHUNK; CHUNKS]);
    copies(&heap, "chunks");
    cpu(gpu, heap.base, heap.bytes(), "chunks");
    classification(gpu, &heap);
    // The same from another process, on another GPU if there is one.
    let output = sharing::start(command, &heap).wait_with_output().expect("the other process ends");
    print!("{}", String::from_utf8_lossy(&output.stdout));
}

pub fn other_process(gpu: &Arc<dyn Gpu>) {
    let heap = sharing::parents_heap(gpu);
    copies(&heap, "imported chunks");
}

fn life_of_a_chunk(gpu: &Arc<dyn Gpu>, bytes: u64) {
    let base = gpu.reserve(MemoryLocation::Host, 2 * bytes, 0).expect("reserve host addresses");
    let (chunk, create) = ms(|| gpu.create_chunk(MemoryLocation::Host, bytes).expect("create a chunk"));
    let (fd, share) = ms(|| chunk.share().expect("share a chunk"));
    let ((), map) = ms(|| gpu.map_chunk(base, &chunk).expect("map a chunk"));
    let (imported, import) = ms(|| gpu.import_chunk(MemoryLocation::Host, fd.as_fd(), bytes).expect("import a chunk"));
    let ((), map_imported) = ms(|| gpu.map_chunk(base + bytes, &imported).expect("map the imported chunk"));
    let touch = || ms(|| write_all(base, bytes)).1;
    let (first, second) = (touch(), touch());
    let ((), unmap) = ms(|| gpu.unmap(base, bytes).and_then(|()| gpu.unmap(base + bytes, bytes)).expect("unmap"));
    let ((), release) = ms(|| drop((chunk, imported, fd)));
    for (metric, value) in [
        ("create_ms", create),
        ("share_ms", share),
        ("map_ms", map),
        ("import_ms", import),
        ("map_imported_ms", map_imported),
        ("first_write_ms", first),
        ("second_write_ms", second),
        ("unmap_two_ms", unmap),
        ("release_ms", release),
    ] {
        report(metric, "chunks", gpu, bytes, value);
    }
}

/// The CPU writes every byte.
fn write_all(address: u64, bytes: u64) {
    // SAFETY: the callers name mapped memory that nobody else uses.
    unsafe { ptr::write_bytes(address as *mut u8, 1, bytes as usize) };
}

/// The rival: a file in memory, mapped and registered as one piece.
fn registered(gpu: &Arc<dyn Gpu>, bytes: u64) {
    let flags = nix::sys::memfd::MFdFlags::MFD_CLOEXEC;
    let file = nix::sys::memfd::memfd_create("rival", flags).expect("make a file in memory");
    nix::unistd::ftruncate(&file, bytes as i64).expect("give the file a size");
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let raw = std::os::fd::AsRawFd::as_raw_fd(&file);
    // SAFETY: a new mapping where the kernel finds room.
    let base = unsafe { libc::mmap(ptr::null_mut(), bytes as usize, protection, libc::MAP_SHARED, raw, 0) };
    assert_ne!(base, libc::MAP_FAILED);
    let ((), register) = ms(|| gpu.register_host(base as u64, bytes).expect("register the file"));
    report("register_ms", "registered memfd", gpu, bytes, register);
    if bytes >= 4 * CHUNK {
        let stream = gpu.create_stream().expect("create a stream");
        copy_sizes(gpu, &*stream, base as u64, bytes, "registered memfd");
        cpu(gpu, base as u64, 4 * CHUNK, "registered memfd");
    }
    let ((), unregister) = ms(|| gpu.unregister_host(base as u64).expect("unregister the file"));
    report("unregister_ms", "registered memfd", gpu, bytes, unregister);
    // SAFETY: the mapping above, which nobody uses any more.
    unsafe { libc::munmap(base.cast::<c_void>(), bytes as usize) };
}

/// How long it takes to tell the kinds of memory apart.
fn classification(gpu: &Arc<dyn Gpu>, heap: &Heap) {
    const ROUNDS: u64 = 10_000;
    let device = gpu.alloc(4096).expect("allocate device memory");
    let private = vec![0u8; 4096];
    for (memory, address) in [("device", device), ("chunks", heap.base), ("pageable", private.as_ptr() as u64)] {
        let (found, all) = ms(|| (0..ROUNDS).filter(|_| gpu.is_device_address(address)).count() as u64);
        assert_eq!(found, if memory == "device" { ROUNDS } else { 0 }, "{memory}");
        report("is_device_address_ns", memory, gpu, 8, all * 1e6 / ROUNDS as f64);
    }
    gpu.free(device).expect("free device memory");
}

fn copies(heap: &Heap, memory: &str) {
    copy_sizes(&heap.gpu, &*heap.stream, heap.base, heap.bytes(), memory);
}

/// Copies whose middle is the middle of the memory, which is a border of two chunks.
fn copy_sizes(gpu: &Arc<dyn Gpu>, stream: &dyn Stream, base: u64, length: u64, memory: &str) {
    let most = (4 * CHUNK).min(length);
    let device = gpu.alloc(most).expect("allocate device memory");
    for bytes in [8, 4096, 64 << 10, 2 << 20, CHUNK, most] {
        let host = base + (length - bytes) / 2 / 8 * 8;
        for (metric, dst, src) in [("to_device", device, host), ("from_device", host, device)] {
            let rounds = ((1u64 << 30) / bytes).clamp(4, 2000);
            let copy_all = |rounds: u64| {
                for _ in 0..rounds {
                    // SAFETY: both ranges are mapped until after the synchronisation.
                    unsafe { stream.copy(dst, src, bytes) }.expect("copy");
                }
                stream.synchronize().expect("copy");
            };
            copy_all(rounds / 4 + 1);
            let ((), all) = ms(|| copy_all(rounds));
            let each = all / rounds as f64;
            report(&format!("{metric}_gb_s"), memory, gpu, bytes, bytes as f64 / each / 1e6);
            report(&format!("{metric}_us"), memory, gpu, bytes, each * 1e3);
        }
    }
    gpu.free(device).expect("free device memory");
}

fn cpu(gpu: &Arc<dyn Gpu>, base: u64, bytes: u64, memory: &str) {
    let half = bytes / 2;
    // SAFETY: the two halves are mapped memory that nobody else uses now.
    let copy = || unsafe { ptr::copy_nonoverlapping(base as *const u8, (base + half) as *mut u8, half as usize) };
    copy();
    let ((), all) = ms(|| (0..4).for_each(|_| copy()));
    report("cpu_copy_gb_s", memory, gpu, half, 4.0 * half as f64 / all / 1e6);
    // SAFETY: an aligned word of mapped memory.
    let word = unsafe { std::sync::atomic::AtomicU64::from_ptr(base as *mut u64) };
    let ((), all) = ms(|| (0..1_000_000).for_each(|_| _ = word.fetch_add(1, AcqRel)));
    report("cpu_atomic_add_ns", memory, gpu, 8, all);
}
