//! Copies between GPUs and memory that the driver does not know: in pieces, by several threads, through pinned memory.

use crate::place::partner;
use cushmem::raw::Completion;
use cushmem::{Shmem, SymSlice};
use cushmem_conformance::{all_gpus_are_mapped, conformance};
use cushmem_conformance_kernels::mix;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use std::fs::{read_dir, read_to_string};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

conformance! { with THREE: soft, cuda => {
    any_length_and_place: 1, 2;
    several_at_once: 2;
    threads_begin_with_the_first_long_copy: 1, 2;
} }

mod alone {
    use super::{ONE, any_length_and_place};
    cushmem_conformance::conformance! { with ONE: soft, cuda => { any_length_and_place: 2; } }
}

const THREE: &[(&str, &str)] = &[("CUSHMEM_COPY_THREADS", "3")];
const ONE: &[(&str, &str)] = &[("CUSHMEM_COPY_THREADS", "1")];

/// The size of a piece, and of the ring.
const PIECE: usize = 64 << 10;
const RING: usize = 128 * PIECE;

fn pattern(key: u64, bytes: usize) -> Vec<u8> {
    (0..bytes as u64).step_by(8).flat_map(|at| mix(key, at).to_ne_bytes()).take(bytes).collect()
}

/// Puts by address and gets back, at a given distance from the object's start and from the start of a page.
fn there_and_back(shmem: &Shmem, object: SymSlice<'_, u8>, (bytes, shift): (usize, usize), pe: u32, when: Completion) {
    let raw = shmem.raw();
    let data = pattern((bytes + shift) as u64, bytes + shift);
    let mut back = vec![0xee; bytes + 2 * shift];
    let there = object.device_ptr().address() as usize + shift;
    let there = std::ptr::with_exposed_provenance_mut::<u8>(there);
    // SAFETY: both ends have this many bytes, and stay valid until the quiet.
    unsafe {
        raw.put(there, data[shift..].as_ptr(), bytes, pe, when).expect("put");
        raw.quiet().expect("quiet");
        raw.get(back[shift..].as_mut_ptr(), there, bytes, pe, when).expect("get");
        raw.quiet().expect("quiet");
    }
    assert!(back[shift..shift + bytes] == data[shift..], "{bytes} bytes, {shift} from the start, {when:?}");
    let beside = back[..shift].iter().chain(&back[shift + bytes..]);
    assert!(beside.into_iter().all(|byte| *byte == 0xee), "beside {bytes} bytes, {shift} from the start, {when:?}");
}

/// Catches pieces that are lost, torn or in the wrong place: lengths around those of a piece, a run and the ring, which
/// is used repeatedly.
fn any_length_and_place(shmem: &Shmem) {
    let partner = partner(shmem);
    let object = shmem.malloc_gpu::<u8>(3 * RING + 100).expect("malloc_gpu");
    let lengths = [1, 7, 4096, 48 << 10, PIECE - 1, PIECE, PIECE + 1, 5 * PIECE, 16 * PIECE + 3, RING - 1, RING + 1];
    for bytes in lengths.into_iter().chain([3 * RING - 5]) {
        there_and_back(shmem, object, (bytes, 0), partner, Completion::Blocking);
        there_and_back(shmem, object, (bytes, 13), partner, Completion::Nbi);
    }
    shmem.barrier_all().expect("barrier");
    // From a Rust slice, with a signal after it in GPU memory.
    let signal = shmem.malloc_gpu::<u64>(1).expect("malloc_gpu");
    let (data, n) = (pattern(5, 2 * RING), 2 * RING);
    let op = cushmem::SignalOp::Set;
    shmem.put_signal(object.slice(..n), &data[..], signal.at(0), 77, op, partner).expect("put_signal");
    let mut seen = [0];
    while seen[0] != 77 {
        shmem.get(&mut seen, signal, partner).expect("get");
    }
    let mut back = vec![0; n];
    shmem.get(&mut back, object.slice(..n), partner).expect("get");
    assert!(back == data, "the data came before the signal");
    shmem.barrier_all().expect("barrier");
}

/// Catches threads that share the ring: a thread that finds it in use takes another path.
fn several_at_once(shmem: &Shmem) {
    const THREADS: usize = 4;
    let bytes = 40 * PIECE + 5;
    let object = shmem.malloc_gpu::<u8>(THREADS * bytes).expect("malloc_gpu");
    let partner = partner(shmem);
    std::thread::scope(|threads| {
        for thread in 0..THREADS {
            let part = object.slice(thread * bytes..(thread + 1) * bytes);
            threads.spawn(move || {
                for round in 0..6 {
                    let data = pattern((10 * thread + round) as u64, bytes);
                    shmem.put(part, &data[..], partner).expect("put");
                    shmem.quiet().expect("quiet");
                    let mut back = vec![0; bytes];
                    shmem.get(&mut back, part, partner).expect("get");
                    assert!(back == data, "thread {thread}, round {round}");
                }
            });
        }
    });
    shmem.barrier_all().expect("barrier");
}

/// Returns, for each thread of the library that copies for others, the cores that it may use.
fn helpers() -> Vec<String> {
    let threads = read_dir("/proc/self/task").expect("there are threads").flatten().map(|entry| entry.path());
    let read = |file: PathBuf| read_to_string(file).unwrap_or_default();
    threads
        .filter(|thread| read(thread.join("comm")).trim_end() == "cushmem-copy")
        .map(|thread| cores(&thread))
        .collect()
}

fn cores(thread: &Path) -> String {
    let status = read_to_string(thread.join("status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("Cpus_allowed:"));
    line.unwrap_or_default().to_owned()
}

/// Catches threads that nobody needs, that are started again for each copy, or that all run on the core of the thread
/// that copies, and pageable memory that takes another path.
fn threads_begin_with_the_first_long_copy(shmem: &Shmem) {
    let bytes = 4 << 20;
    let object = shmem.malloc_gpu::<u8>(bytes).expect("malloc_gpu");
    let (partner, data) = (partner(shmem), vec![3; bytes]);
    shmem.put(object.slice(..PIECE), &data[..PIECE], partner).expect("put");
    let near = shmem.malloc::<u8>(bytes).expect("malloc");
    shmem.put(object, near, partner).expect("put of pinned memory");
    assert!(helpers().is_empty());
    let (all, this) = (sched_getaffinity(Pid::from_raw(0)).expect("cores"), Path::new("/proc/thread-self"));
    let (allowed, mut one) = (cores(this), CpuSet::new());
    let first = (0..CpuSet::count()).find(|core| all.is_set(*core).is_ok_and(|is| is)).expect("a core");
    one.set(first).expect("it is one");
    sched_setaffinity(Pid::from_raw(0), &one).expect("a core of this thread's own");
    for _ in 0..3 {
        shmem.put(object, &data[..], partner).expect("put");
        let through_the_ring = partner == shmem.my_pe() || all_gpus_are_mapped(shmem);
        // A thread sets its name when it first runs.
        let (wanted, limit) = (if through_the_ring { 2 } else { 0 }, Instant::now() + Duration::from_secs(60));
        while helpers() != vec![allowed.clone(); wanted] {
            assert!(Instant::now() < limit, "not {wanted} threads on {allowed}: {:?}", helpers());
            std::thread::yield_now();
        }
    }
    sched_setaffinity(Pid::from_raw(0), &all).expect("all cores again");
    shmem.barrier_all().expect("barrier");
}
