//! Two processes that share a heap of host chunks.

use super::Heap;
use crate::rig::{LIMIT, finish};
use cushmem_gpu::{Gpu, MemoryLocation};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};
use std::thread;
use std::time::Instant;

/// Above what a process has open, even with a driver.
const FIRST_FD: i32 = 700;
const SIZES: &str = "CUSHMEM_TEST_CHUNKS";
const ADDITIONS: u64 = 100_000;

// The first words of the heap.
const COUNTER: u64 = 0;
const STAGE: u64 = 64;
// What the stage word says.
const CHILD_HAS_READ: u64 = 1;
const PARENT_HAS_SEEN: u64 = 2;

/// Starts a command that finds the heap's descriptors from [`FIRST_FD`] on.
pub fn start(mut command: Command, heap: &Heap) -> Child {
    let shared: Vec<OwnedFd> = heap.chunks.iter().map(|c| c.share().expect("share a chunk")).collect();
    let raw: Vec<i32> = shared.iter().map(AsRawFd::as_raw_fd).collect();
    let sizes: Vec<String> = heap.chunks.iter().map(|c| c.bytes().to_string()).collect();
    command.env(SIZES, sizes.join(","));
    // SAFETY: dup2 is async-signal-safe; the copies are inherited, as they have no close-on-exec flag.
    unsafe {
        command.pre_exec(move || {
            for (&from, to) in raw.iter().zip(FIRST_FD..) {
                if libc::dup2(from, to) == -1 {
                    return Err(std::io::Error::last_os_error());
                }
            }
            Ok(())
        });
    }
    command.spawn().expect("start the other process")
}

/// In the other process: maps the parent's chunks.
pub fn parents_heap(gpu: &Arc<dyn Gpu>) -> Heap {
    let sizes = std::env::var(SIZES).expect("the parent says how large the chunks are");
    let import = |(bytes, fd): (&str, i32)| {
        // SAFETY: the parent left this descriptor open for us.
        let fd = unsafe { BorrowedFd::borrow_raw(fd) };
        gpu.import_chunk(MemoryLocation::Host, fd, bytes.parse().expect("a size")).expect("import a chunk")
    };
    Heap::map(gpu, sizes.split(',').zip(FIRST_FD..).map(import).collect())
}

fn await_stage(heap: &Heap, stage: u64) {
    let start = Instant::now();
    while heap.word(STAGE).load(Acquire) < stage {
        assert!(start.elapsed() < LIMIT, "the other process does not come to stage {stage}");
        thread::yield_now();
    }
}

fn add_many(heap: &Heap) {
    (0..ADDITIONS).for_each(|_| _ = heap.word(COUNTER).fetch_add(1, AcqRel));
}

/// Catches memory that is copied instead of shared, chunks in another order, atomics that are not atomic between processes, and
/// a GPU of another process that does not reach the memory.
pub fn processes_share_it(heap: &Heap, command: Command) {
    heap.fill(128, heap.bytes() - 128, 9);
    heap.word(COUNTER).store(0, Release);
    heap.word(STAGE).store(0, Release);
    let child = start(command, heap);
    await_stage(heap, CHILD_HAS_READ);
    heap.word(STAGE).store(PARENT_HAS_SEEN, Release);
    add_many(heap);
    let output = finish(child);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{:?}: {said}", output.status);
    assert_eq!(heap.word(COUNTER).load(Acquire), 2 * ADDITIONS);
    heap.expect(128, heap.bytes() - 128, 10, "what the other process's GPU wrote");
}

/// The other process's part.
pub fn other_process(heap: &Heap) {
    let bytes = heap.bytes() - 128;
    heap.expect(128, bytes, 9, "what the parent wrote");
    let device = heap.gpu.alloc(bytes).expect("allocate device memory");
    heap.fill(128, bytes, 10);
    heap.copy(device, heap.base + 128, bytes);
    heap.fill(128, bytes, 11);
    heap.copy(heap.base + 128, device, bytes);
    heap.word(STAGE).store(CHILD_HAS_READ, Release);
    await_stage(heap, PARENT_HAS_SEEN);
    add_many(heap);
}
