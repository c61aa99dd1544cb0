//! Contexts of an emulated GPU: what they share, and for what one of them does not wait in the other.

use crate::rig::{LIMIT, Rig, arg, suspend};
use cushmem_gpu::{Gpu, Grid, LaunchKind};
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// A word of host memory that the test sets.
static GO: AtomicU64 = AtomicU64::new(0);

unsafe fn spin(args: *const *const c_void) {
    // SAFETY: the launch passes one word.
    let started = unsafe { AtomicU64::from_ptr(arg(args, 0) as *mut u64) };
    started.store(1, Ordering::Release);
    let start = Instant::now();
    while GO.load(Ordering::Acquire) == 0 && start.elapsed() < LIMIT {
        suspend(cushmem_abi::lane::Event::Yield);
    }
}

fn eventually(word: &AtomicU64, value: u64, what: &str) {
    let start = Instant::now();
    while word.load(Ordering::Acquire) != value {
        assert!(start.elapsed() < LIMIT, "{what} takes too long");
        std::thread::yield_now();
    }
}

/// Catches copies in another context that wait for a kernel of this one, and memory that the other context does not
/// reach.
#[test]
fn copies_pass_a_kernel_of_another_context() {
    let rig = Rig::new();
    let memory = rig.alloc_words(&[1, 2, 3, 4]);
    let (started, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let grid = Grid::linear(1, 1);
    rig.launch(spin, grid, LaunchKind::Plain, &[started.as_ptr() as u64]).expect("the kernel starts");
    eventually(&started, 1, "the kernel's start");

    let other = rig.gpu.in_own_context().expect("another context");
    let stream = other.create_stream().expect("a stream of its own");
    let (new, mut seen) = ([5u64, 6], [0u64; 4]);
    // SAFETY: all ranges and the word are valid until the synchronisation.
    unsafe {
        stream.copy(memory + 8, new.as_ptr() as u64, 16).expect("copy in");
        stream.copy(seen.as_mut_ptr() as u64, memory, 32).expect("copy out");
        stream.write_word(done.as_ptr() as u64, 1).expect("write a word");
    }
    eventually(&done, 1, "a copy");
    other.synchronize().expect("only the own context is waited for");
    assert_eq!(seen, [1, 5, 6, 4]);
    assert!(!rig.stream.is_idle().expect("the kernel goes on"), "the kernel must spin all the time");
    assert!(other.is_device_address(memory) && other.properties().uuid == rig.gpu.properties().uuid);

    GO.store(1, Ordering::Release);
    rig.gpu.synchronize().expect("the kernel ends");
    assert_eq!(rig.read(memory, 4), [1, 5, 6, 4]);
}

/// Catches a context that does not know what another context registered, and a registration that ends with its context.
#[test]
fn registered_memory_is_that_of_all_contexts() {
    const PAGE: usize = 4096;
    let rig = Rig::new();
    let mut memory = vec![0u8; 3 * PAGE];
    let page = (memory.as_mut_ptr() as u64).next_multiple_of(PAGE as u64);
    let device = rig.alloc_words(&[0; 2]);
    let crosses = |gpu: &dyn Gpu| {
        let stream = gpu.create_stream().expect("a stream");
        // SAFETY: both ranges are valid until the synchronisation.
        let outcome = unsafe { stream.copy(device, page + PAGE as u64 - 8, 16) };
        stream.synchronize().expect("the copy ends");
        outcome.is_err()
    };
    let other = rig.gpu.in_own_context().expect("another context");
    rig.gpu.register_host(page, PAGE as u64).expect("register a page");
    assert!(crosses(&*other) && crosses(&*rig.gpu));
    other.unregister_host(page).expect("it is registered");
    assert!(!crosses(&*other) && !crosses(&*rig.gpu));
    other.register_host(page, PAGE as u64).expect("register a page");
    drop(other);
    assert!(crosses(&*rig.gpu));
    rig.gpu.unregister_host(page).expect("it is registered");
}
