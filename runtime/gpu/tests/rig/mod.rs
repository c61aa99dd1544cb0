//! What the tests of the emulated GPU share. Each test binary uses part of it.
#![allow(dead_code)]

use cushmem_abi::lane::{self, Event, WarpOp};
use cushmem_abi::{HostKernel, KernelEntry, ModuleImage, soft};
use cushmem_gpu::soft::SoftGpu;
use cushmem_gpu::{Gpu, Grid, LaunchKind, Stream};
use std::ffi::c_void;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

pub const LIMIT: Duration = Duration::from_secs(60);

/// Ends the process if it still exists after [`LIMIT`], because a hang is a failure too.
pub struct Watchdog {
    done: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    pub fn start() -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let (seen, test) = (done.clone(), thread::current().name().unwrap_or("?").to_owned());
        let thread = thread::spawn(move || {
            let start = Instant::now();
            while !seen.load(Ordering::Relaxed) {
                if start.elapsed() > LIMIT {
                    eprintln!("test {test} still runs after {LIMIT:?}");
                    std::process::abort();
                }
                thread::park_timeout(LIMIT);
            }
        });
        Self { done, thread: Some(thread) }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _ = thread.join();
        }
    }
}

/// An opened GPU with one stream, and a limit on the test's time.
pub struct Rig {
    pub gpu: Arc<SoftGpu>,
    pub stream: Arc<dyn Stream>,
    _watchdog: Watchdog,
}

impl Rig {
    pub fn new() -> Self {
        let watchdog = Watchdog::start();
        let gpu = SoftGpu::open(0).expect("the emulated GPU opens");
        let stream = gpu.create_stream().expect("a stream starts");
        Self { gpu, stream, _watchdog: watchdog }
    }

    /// Launches `entry` on the rig's stream; each argument is a word.
    pub fn launch(&self, entry: KernelEntry, grid: Grid, kind: LaunchKind, args: &[u64]) -> cushmem_gpu::Result<()> {
        let parameter_bytes = Box::leak(vec![size_of::<u64>(); args.len()].into_boxed_slice());
        let kernels = Box::leak(Box::new([HostKernel { name: "kernel", entry, parameter_bytes }]));
        let image = Box::leak(Box::new(ModuleImage {
            name: "tests",
            ptx: "",
            sm_90_ptx: "",
            far_ptx: "",
            recorded_ptx: "",
            source: 0,
            kernels,
        }));
        let function = self.gpu.load_module(image, None)?.function("kernel")?;
        let pointers: Vec<*const c_void> = args.iter().map(|a| (a as *const u64).cast()).collect();
        // SAFETY: the kernels of the tests take as many words as their tests pass, which stay valid until the sync.
        unsafe { self.stream.launch(&*function, &grid, kind, &pointers) }
    }

    /// Launches a kernel and waits for it.
    pub fn run(&self, entry: KernelEntry, grid: Grid, kind: LaunchKind, args: &[u64]) -> cushmem_gpu::Result<()> {
        self.launch(entry, grid, kind, args)?;
        self.stream.synchronize()
    }

    pub fn alloc_words(&self, words: &[u64]) -> u64 {
        let address = self.gpu.alloc(words.len() as u64 * 8).expect("device memory is allocated");
        self.write(address, words);
        address
    }

    pub fn write(&self, address: u64, words: &[u64]) {
        // SAFETY: both ranges are valid until the synchronisation.
        unsafe { self.stream.copy(address, words.as_ptr() as u64, words.len() as u64 * 8) }.expect("copy in");
        self.stream.synchronize().expect("copy in");
    }

    pub fn read(&self, address: u64, count: usize) -> Vec<u64> {
        let mut words = vec![0u64; count];
        // SAFETY: both ranges are valid until the synchronisation.
        unsafe { self.stream.copy(words.as_mut_ptr() as u64, address, count as u64 * 8) }.expect("copy out");
        self.stream.synchronize().expect("copy out");
        words
    }
}

/// Returns argument `n` of a kernel whose parameters are words.
///
/// # Safety
/// `args` are the running kernel's arguments, and there are more than `n` of them.
pub unsafe fn arg(args: *const *const c_void, n: usize) -> u64 {
    // SAFETY: the caller guarantees that `args` are the running kernel's arguments, and that there are more than `n`.
    unsafe { *(*args.add(n)).cast::<u64>() }
}

/// Returns word number `index` of the device memory at `address`.
pub fn word(address: u64, index: usize) -> &'static AtomicU64 {
    // SAFETY: the tests' kernels name allocated and aligned device memory, which outlives them.
    unsafe { AtomicU64::from_ptr((soft::resolve(address) as *mut u64).add(index)) }
}

pub fn suspend(event: Event) -> u64 {
    (lane::current().suspend)(event)
}

pub fn barrier(id: u32, count: u32) {
    suspend(Event::Barrier { id, count });
}

pub fn warp(mask: u32, op: WarpOp, value: u64) -> u64 {
    suspend(Event::Warp { mask, op, value })
}

/// Returns the number of the running lane in its block, and of its block in the grid.
pub fn place() -> (usize, usize) {
    let l = lane::current();
    let linear = |[x, y, z]: [u32; 3], [nx, ny, _]: [u32; 3]| (x + nx * (y + ny * z)) as usize;
    (linear(l.thread_idx, l.block_dim), linear(l.block_idx, l.grid_dim))
}

/// Returns a command that runs only the ignored test `name` of this test binary, in a new process. A mere `fork` would
/// not do, because this process has threads.
pub fn child(name: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("a test binary has a path"));
    command.args(["--exact", name, "--ignored", "--nocapture", "--test-threads=1"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Waits for a child up to a limit, and then kills it.
pub fn finish(mut child: Child) -> Output {
    let start = Instant::now();
    let status: Option<ExitStatus> = loop {
        match child.try_wait().expect("the child is ours") {
            None if start.elapsed() < LIMIT => thread::sleep(Duration::from_millis(5)),
            status => break status,
        }
    };
    if status.is_none() {
        child.kill().expect("the child is ours");
    }
    let output = child.wait_with_output().expect("the child's output is readable");
    assert!(status.is_some(), "the child did not end: {}", String::from_utf8_lossy(&output.stderr));
    output
}
