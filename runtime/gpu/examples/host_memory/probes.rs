//! Which system calls take memory that the driver mapped.

use crate::host::{Heap, sharing};
use cushmem_gpu::Gpu;
use cushmem_gpu::cuda::driver::{self, CUpointer_attribute, CUresult};
use std::ffi::c_void;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::os::fd::AsRawFd;
use std::process::{Child, Command};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

// Words that the probes use.
const FUTEX: u64 = 0;
const FORK: u64 = 64;
const READ: u64 = 128;
const OTHER: u64 = 4096;

fn report(probe: &str, result: impl std::fmt::Display) {
    println!(r#"{{"metric":"probe","probe":"{probe}","result":"{result}"}}"#);
}

/// `ok`, or the error of the last system call.
fn outcome(worked: bool) -> String {
    if worked { "ok".into() } else { io::Error::last_os_error().to_string() }
}

pub fn run(gpu: &Arc<dyn Gpu>, command: Command) {
    // 2 MiB and more, as the first chunk's end is a border that system calls may stumble over.
    let unit = gpu.host_granularity().expect("the GPU has host chunks");
    let heap = Heap::create(gpu, &[unit, 2 * unit]);
    if !gpu.properties().emulated {
        pointer_attributes(&heap);
        numa_nodes();
    }
    mapping(&heap);
    futex_of_threads(&heap);
    forked_child(&heap);
    files(&heap);
    let mut child = sharing::start(command, &heap);
    other_memory(&heap, &mut child);
    futex_of_processes(&heap, child);
    advice(&heap);
}

fn pointer_attributes(heap: &Heap) {
    use CUpointer_attribute as A;
    for which in [A::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, A::CU_POINTER_ATTRIBUTE_HOST_POINTER] {
        let mut value = 0u64;
        // SAFETY: both attributes fit into eight bytes; the driver only looks the address up. A context is current, as the heap
        // was made in this thread.
        let status = unsafe { driver::cuPointerGetAttribute((&raw mut value).cast(), which, heap.base + OTHER) };
        let expected = if which == A::CU_POINTER_ATTRIBUTE_HOST_POINTER { heap.base + OTHER } else { 1 };
        let said = if status == CUresult::CUDA_SUCCESS { format!("{value:#x}") } else { format!("{status:?}") };
        report(&format!("{which:?}, {expected:#x} is the host's"), said);
    }
}

fn numa_nodes() {
    let mut near_gpu = -1;
    let which = driver::CUdevice_attribute::CU_DEVICE_ATTRIBUTE_HOST_NUMA_ID;
    // SAFETY: the pointer is valid; the driver refuses what it does not know.
    let status = unsafe { driver::cuDeviceGetAttribute(&mut near_gpu, which, 0) };
    report("NUMA node near GPU 0, by the driver", format!("{near_gpu} ({status:?})"));
    let mut near_thread = u32::MAX;
    // SAFETY: the call writes the node only.
    unsafe { libc::syscall(libc::SYS_getcpu, ptr::null_mut::<u32>(), &raw mut near_thread, ptr::null_mut::<c_void>()) };
    report("NUMA node near this thread", near_thread);
    let online = std::fs::read_to_string("/sys/devices/system/node/online").unwrap_or_else(|e| e.to_string());
    report("NUMA nodes that are online", online.trim());
}

/// What the kernel says of the mapping.
fn mapping(heap: &Heap) {
    let smaps = std::fs::read_to_string("/proc/self/smaps").unwrap_or_default();
    let mut inside = false;
    for line in smaps.lines() {
        let range = line.split(' ').next().and_then(|r| r.split_once('-'));
        if let Some((start, end)) = range
            && let (Ok(start), Ok(end)) = (u64::from_str_radix(start, 16), u64::from_str_radix(end, 16))
        {
            inside = start < heap.base + heap.bytes() && end > heap.base;
            if inside {
                report("mapping", line.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        } else if inside && ["VmFlags", "Rss", "Pss:", "KernelPageSize"].iter().any(|k| line.starts_with(k)) {
            report("mapping", line.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
}

fn futex(heap: &Heap, offset: u64, operation: i32, value: u32, limit: Duration) -> i64 {
    let limit = libc::timespec { tv_sec: limit.as_secs() as i64, tv_nsec: 0 };
    // SAFETY: an aligned word of mapped memory and a valid time.
    unsafe { libc::syscall(libc::SYS_futex, heap.base + offset, operation, value, &raw const limit, 0usize, 0) }
}

/// Waits until woken; says what the system call returned.
fn futex_wait(heap: &Heap, offset: u64, operation: i32) -> String {
    match futex(heap, offset, operation, 0, Duration::from_secs(2)) {
        0 => "woken".into(),
        _ => io::Error::last_os_error().to_string(),
    }
}

/// Wakes until a waiter was woken, or none is left; says how many calls that took.
fn futex_wake(heap: &Heap, offset: u64, operation: i32, done: impl Fn() -> bool) -> String {
    let start = Instant::now();
    loop {
        match futex(heap, offset, operation, 1, Duration::ZERO) {
            0 if done() || start.elapsed() > Duration::from_secs(3) => return "no waiter woken".into(),
            0 => thread::sleep(Duration::from_millis(1)),
            1.. => return "one woken".into(),
            _ => return io::Error::last_os_error().to_string(),
        }
    }
}

fn futex_of_threads(heap: &Heap) {
    for (name, flag) in [("shared", 0), ("private", libc::FUTEX_PRIVATE_FLAG)] {
        heap.word(FUTEX).store(0, Relaxed);
        let ended = AtomicBool::new(false);
        thread::scope(|scope| {
            let waiter = scope.spawn(|| {
                let result = futex_wait(heap, FUTEX, libc::FUTEX_WAIT | flag);
                ended.store(true, Relaxed);
                result
            });
            let woken = futex_wake(heap, FUTEX, libc::FUTEX_WAKE | flag, || ended.load(Relaxed));
            let waited = waiter.join().unwrap_or_else(|_| "panicked".into());
            report(&format!("{name} futex between threads"), format!("wait: {waited}, wake: {woken}"));
        });
    }
}

/// The child reads and writes the heap, and ends; a signal means that it has no such memory.
fn forked_child(heap: &Heap) {
    heap.word(FORK).store(41, Relaxed);
    // SAFETY: the child makes no call but _exit, which is async-signal-safe.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let seen = heap.word(FORK).fetch_add(1, Relaxed);
        // SAFETY: ends the child, which has nothing to clean up.
        unsafe { libc::_exit(if seen == 41 { 0 } else { 1 }) };
    }
    let mut status = 0;
    // SAFETY: the child is ours; the pointer is valid.
    let waited = child > 0 && unsafe { libc::waitpid(child, &mut status, 0) } == child;
    let text = match waited {
        false => outcome(false),
        true if libc::WIFSIGNALED(status) => format!("the child died of signal {}", libc::WTERMSIG(status)),
        true if libc::WEXITSTATUS(status) != 0 => "the child saw other bytes".into(),
        true if heap.word(FORK).load(Relaxed) == 42 => "shared with the child".into(),
        true => "the child has a copy".into(),
    };
    report("fork", text);
}

fn files(heap: &Heap) {
    let bytes = (heap.bytes() / 2) as usize;
    let (from, to) = (heap.base as *mut c_void, (heap.base + heap.bytes() / 2) as *mut c_void);
    heap.fill(0, bytes as u64, 5);
    let path = std::env::temp_dir().join(format!("cushmem-host-memory-{}", std::process::id()));
    let opened = std::fs::File::options().read(true).write(true).create(true).truncate(true).open(&path);
    let Ok(mut file) = opened else { return report("write(2) from it", outcome(false)) };
    let _ = std::fs::remove_file(&path);
    // SAFETY: the first half of the heap; the file is open.
    let written = unsafe { libc::write(file.as_raw_fd(), from, bytes) };
    report("write(2) from it", if written < 0 { outcome(false) } else { format!("{written} of {bytes} bytes") });
    if written < 0 {
        return;
    }
    file.rewind().expect("a file can be rewound");
    // SAFETY: the second half of the heap; the file is open.
    let read = unsafe { libc::read(file.as_raw_fd(), to, bytes) };
    let right = || (0..read as u64 / 8 * 8).step_by(8).all(|at| same_as_filled(heap, at));
    let text = if read < 0 { outcome(false) } else { format!("{read} of {bytes} bytes, right: {}", right()) };
    report("read(2) into it", text);
}

fn same_as_filled(heap: &Heap, at: u64) -> bool {
    heap.word(heap.bytes() / 2 + at).load(Relaxed) == crate::host::pattern(5, at)
}

/// The child says where its mapping is, and waits.
fn other_memory(heap: &Heap, child: &mut Child) {
    heap.word(READ).store(0x1234, Relaxed);
    heap.word(OTHER).store(0, Relaxed);
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("the child says something");
    let base: u64 = line.trim().parse().expect("the child says its address");
    let local = AtomicU64::new(0);
    let mine = libc::iovec { iov_base: local.as_ptr().cast(), iov_len: 8 };
    let at = |offset| libc::iovec { iov_base: (base + offset) as *mut c_void, iov_len: 8 };
    // SAFETY: the local word is valid; the kernel checks the other process's.
    let read = unsafe { libc::process_vm_readv(child.id() as i32, &mine, 1, &at(READ), 1, 0) };
    let right = if local.load(Relaxed) == 0x1234 { "right bytes" } else { "wrong bytes" };
    report("process_vm_readv of another process", if read == 8 { right.into() } else { outcome(false) });
    local.store(99, Relaxed);
    // SAFETY: the local word is valid; the kernel checks the other process's.
    let written = unsafe { libc::process_vm_writev(child.id() as i32, &mine, 1, &at(OTHER), 1, 0) };
    let right = if heap.word(OTHER).load(Relaxed) == 99 { "right bytes" } else { "wrong bytes" };
    report("process_vm_writev of another process", if written == 8 { right.into() } else { outcome(false) });
    // Into the own heap from the other process's, which is the same memory: the driver's mapping as the local end.
    let own = libc::iovec { iov_base: (heap.base + OTHER + 8) as *mut c_void, iov_len: 8 };
    // SAFETY: a word of the own heap; the kernel checks the other process's.
    let read = unsafe { libc::process_vm_readv(child.id() as i32, &own, 1, &at(READ), 1, 0) };
    report("process_vm_readv into it", outcome(read == 8));
}

/// The child waits on the word until this process wakes it.
fn futex_of_processes(heap: &Heap, mut child: Child) {
    heap.word(FUTEX).store(0, Relaxed);
    child.stdin.take().expect("a pipe").write_all(b"go\n").expect("the child listens");
    thread::sleep(Duration::from_millis(200));
    let woken = futex_wake(heap, FUTEX, libc::FUTEX_WAKE, || heap.word(OTHER).load(Relaxed) == 7);
    let status = child.wait().expect("the child is ours");
    let waited = match status.code() {
        Some(0) => "woken",
        Some(3) => "failed or timed out",
        _ => "died",
    };
    report("shared futex between processes", format!("wait: {waited}, wake: {woken}"));
}

pub fn other_process(gpu: &Arc<dyn Gpu>) {
    let heap = sharing::parents_heap(gpu);
    println!("{}", heap.base);
    io::stdin().read_exact(&mut [0; 3]).expect("the parent says go");
    let waited = futex_wait(&heap, FUTEX, libc::FUTEX_WAIT);
    heap.word(OTHER).store(7, Relaxed);
    if waited != "woken" {
        eprintln!("the other process's FUTEX_WAIT: {waited}");
        std::process::exit(3);
    }
}

fn advice(heap: &Heap) {
    let (address, bytes) = (heap.base as *mut c_void, heap.bytes() as usize);
    for (name, advice) in [
        ("MADV_DONTDUMP", libc::MADV_DONTDUMP),
        ("MADV_DONTFORK", libc::MADV_DONTFORK),
        ("MADV_DOFORK", libc::MADV_DOFORK),
        ("MADV_POPULATE_WRITE", libc::MADV_POPULATE_WRITE),
    ] {
        // SAFETY: none of these takes the bytes away.
        let result = unsafe { libc::madvise(address, bytes, advice) };
        report(&format!("madvise {name}"), outcome(result == 0));
    }
    // SAFETY: pins pages of the heap, which takes nothing away.
    let locked = unsafe { libc::mlock(address, bytes) };
    report("mlock", outcome(locked == 0));
    let mut nodes = [-1i32];
    let pages = [address];
    // SAFETY: without new nodes the call only reports where the page is.
    let moved = unsafe { libc::syscall(libc::SYS_move_pages, 0, 1usize, &pages, ptr::null::<i32>(), &mut nodes, 0) };
    let node = nodes[0];
    report(
        "NUMA node of the first page (negative: an error number)",
        if moved == 0 { node.to_string() } else { outcome(false) },
    );
}
