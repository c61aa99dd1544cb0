//! Prints what registered host memory costs, as JSON lines: `register_costs` on CUDA, `register_costs soft` on the
//! emulation.

use cushmem_gpu::cuda::{self, CudaGpu};
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Gpu, Stream};
use cushmem_numbers::median;
use nix::sys::memfd::{MFdFlags, memfd_create};
use std::ffi::c_void;
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::process::{Command, Stdio};
use std::ptr;
use std::sync::Arc;
use std::time::Instant;

const LARGEST_COPY: u64 = 64 << 20;
/// The argument of the second process, which gets the file as its standard input.
const SECOND: &str = "second";

fn main() {
    let is_given = |word: &str| std::env::args().skip(1).any(|argument| argument == word);
    let soft = is_given("soft");
    let gpus = match if soft { Ok(2) } else { cuda::device_count() } {
        Ok(gpus) => gpus,
        Err(why) => return println!("left out: {why}"),
    };
    let ordinal = if is_given(SECOND) { (gpus - 1).min(1) } else { 0 };
    let gpu: Arc<dyn Gpu> = match soft {
        true => SoftGpu::open(ordinal).expect("the emulated GPU opens"),
        false => CudaGpu::open(ordinal).expect("the GPU opens"),
    };
    // A driver's first registration may take longer.
    let first = Memory::map(fresh(2 << 20));
    first.register(&*gpu);
    first.unregister(&*gpu);
    if is_given(SECOND) {
        let file = std::io::stdin().as_fd().try_clone_to_owned().expect("the first process's file");
        let memory = Memory::map(file);
        report("register_present_ms", &*gpu, memory.bytes, memory.register(&*gpu));
        return;
    }
    for bytes in [2 << 20, LARGEST_COPY, 512 << 20] {
        let memory = Memory::map(fresh(bytes));
        report("register_fresh_ms", &*gpu, bytes, memory.register(&*gpu));
        second_process(&memory);
        if bytes == LARGEST_COPY {
            copies(&*gpu, &memory);
        }
        report("unregister_ms", &*gpu, bytes, memory.unregister(&*gpu));
    }
}

fn report(metric: &str, gpu: &dyn Gpu, bytes: u64, value: f64) {
    let gpu = gpu.properties();
    let (name, ordinal) = (&gpu.name, gpu.ordinal);
    println!(r#"{{"metric":"{metric}","gpu":"{name}","ordinal":{ordinal},"bytes":{bytes},"value":{value:.4}}}"#);
}

/// Returns how many milliseconds `run` takes.
fn ms(run: impl FnOnce()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64() * 1e3
}

/// Creates a file in memory that has no pages yet.
fn fresh(bytes: u64) -> OwnedFd {
    let file = memfd_create(c"register_costs", MFdFlags::MFD_CLOEXEC).expect("make a file in memory");
    nix::unistd::ftruncate(&file, bytes as i64).expect("give the file a size");
    file
}

/// A mapped file.
struct Memory {
    file: File,
    address: u64,
    bytes: u64,
}

impl Memory {
    fn map(file: OwnedFd) -> Self {
        let file = File::from(file);
        let bytes = file.metadata().expect("a file has a size").len();
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let raw = file.as_raw_fd();
        // SAFETY: this creates a new mapping where the operating system finds room.
        let address = unsafe { libc::mmap(ptr::null_mut(), bytes as usize, protection, libc::MAP_SHARED, raw, 0) };
        assert_ne!(address, libc::MAP_FAILED);
        Self { file, address: address as u64, bytes }
    }

    fn register(&self, gpu: &dyn Gpu) -> f64 {
        ms(|| gpu.register_host(self.address, self.bytes).expect("register the file"))
    }

    fn unregister(&self, gpu: &dyn Gpu) -> f64 {
        ms(|| gpu.unregister_host(self.address).expect("unregister the file"))
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping is ours, and nobody uses it any more.
        unsafe { libc::munmap(self.address as *mut c_void, self.bytes as usize) };
    }
}

/// Starts this program again with the same file, on another GPU if there is one.
fn second_process(memory: &Memory) {
    let mut command = Command::new(std::env::current_exe().expect("a program has a path"));
    let file: OwnedFd = memory.file.try_clone().expect("duplicate the file").into();
    command.args(std::env::args().skip(1)).arg(SECOND).stdin(Stdio::from(file));
    assert!(command.status().expect("start the second process").success());
}

fn copies(gpu: &dyn Gpu, memory: &Memory) {
    let stream = gpu.create_stream().expect("create a stream");
    let device = gpu.alloc(LARGEST_COPY).expect("allocate device memory");
    for (bytes, rounds) in [(8, 1000), (64 << 10, 1000), (LARGEST_COPY, 20)] {
        for (direction, dst, src) in [("to_device", device, memory.address), ("from_device", memory.address, device)] {
            let ms = median_ms(&*stream, dst, src, bytes, rounds);
            match bytes {
                LARGEST_COPY => report(&format!("{direction}_gb_s"), gpu, bytes, bytes as f64 / ms / 1e6),
                _ => report(&format!("{direction}_us"), gpu, bytes, ms * 1e3),
            }
        }
    }
    gpu.free(device).expect("free device memory");
}

/// The time from the call until the stream is done.
fn median_ms(stream: &dyn Stream, dst: u64, src: u64, bytes: u64, rounds: usize) -> f64 {
    let copy = || {
        // SAFETY: both ranges are mapped until after the synchronisation.
        unsafe { stream.copy(dst, src, bytes) }.expect("copy");
        stream.synchronize().expect("copy");
    };
    copy();
    let mut all: Vec<f64> = (0..rounds).map(|_| ms(copy)).collect();
    median(&mut all).expect("at least one round")
}
