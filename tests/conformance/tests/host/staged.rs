//! GPU memory that PEs of one node do not reach; `nodes::gpu` tests that of other nodes.

use crate::contexts::threads_share_the_default;
use crate::get::every_kind;
use crate::order::fence;
use crate::pending::a_context_that_ends_completes_copies;
use crate::place::partner;
use crate::put::{every_type, non_blocking, single_words};
use crate::signal::data_before_signal;
use cushmem::raw::Completion;
use cushmem::{ContextOptions, PeSet, Shmem, SignalOp, SymSlice};
use cushmem_conformance::{conformance, expect_words};
use cushmem_conformance_kernels::mix;
use std::ptr::with_exposed_provenance_mut;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];

conformance! { with APART: soft, cuda => {
    every_type: 2;
    every_kind: 2, 4;
    non_blocking: 2;
    single_words: 2;
    data_before_signal: 2;
    long_data_before_signal: 2;
    fence: 2;
    threads_share_the_default: 2;
    a_context_that_ends_completes_copies: 2;
    many_at_once: 2, 4;
    short_ones_pass_long_ones: 2;
    a_computing_target: 2;
    grown_memory_at_once: 2, 4;
} }

/// Catches a signal in GPU memory that overtakes a long chunk, which another stream copies: the target waits for the
/// signal, and then checks the last words of the chunk.
pub fn long_data_before_signal(shmem: &Shmem) {
    const LEN: usize = 4 << 17;
    let (data, signal) =
        (shmem.malloc_gpu::<u64>(LEN).expect("malloc_gpu"), shmem.malloc_gpu::<u64>(1).expect("malloc_gpu"));
    data.copy_from(&[0; LEN]).expect("clear");
    signal.copy_from(&[0]).expect("clear");
    shmem.barrier_all().expect("barrier");
    // A copy would look too late, so the word is read directly where the emulated GPU's memory allows it.
    let look = |word: SymSlice<'_, u64>| match shmem.gpu() {
        Some(gpu) if gpu.emulated => {
            let at = cushmem_abi::soft::resolve(word.device_ptr().address());
            // SAFETY: the emulated GPU has the word at this address, and copies of a stream change it in one piece.
            unsafe { AtomicU64::from_ptr(with_exposed_provenance_mut(at as usize)) }.load(Ordering::Acquire)
        }
        _ => word.slice(..1).to_vec().expect("read")[0],
    };
    for round in 1..=200u64 {
        if shmem.my_pe() == 0 {
            let words = vec![round; LEN];
            shmem.put_signal(data, &words, signal.at(0), round, SignalOp::Set, 1).expect("put_signal");
        } else {
            let deadline = Instant::now() + Duration::from_secs(30);
            while look(signal) != round {
                assert!(Instant::now() < deadline, "no signal {round}");
            }
            assert_eq!(look(data.slice(LEN - 1..)), round, "behind the signal");
        }
        shmem.barrier_all().expect("barrier");
    }
}

mod at_the_end {
    use crate::ends::ranges;
    const APART: &[(&str, &str)] = &[super::APART[0], ("SHMEM_SYMMETRIC_SIZE", "2M"), ("CUSHMEM_GPU_HEAP_SIZE", "32M")];
    cushmem_conformance::conformance! { with APART: soft, cuda => { ranges: 2; } }
}

/// Catches an owner that does not recognise memory that the asking PE already has: either of two PEs may be the first
/// to learn that the heap has grown.
fn grown_memory_at_once(shmem: &Shmem) {
    const WORDS: usize = 33 << 17;
    for round in 0..24u64 {
        let grown = shmem.malloc_gpu::<u64>(WORDS).expect("malloc_gpu");
        let last = grown.at(WORDS - 1);
        shmem.p(last, round, partner(shmem)).expect("p");
        shmem.barrier_all().expect("barrier");
        assert_eq!(shmem.g(last, shmem.my_pe()).expect("g"), round);
        // It is kept, so that the next one does not fit into the existing chunks.
    }
}

/// Catches chunks that go to a wrong place, into a slot that is in use, or that belong to another transfer: sixteen
/// threads put and get at once, each on a context of its own, with ranges that end anywhere in a chunk.
pub fn many_at_once(shmem: &Shmem) {
    const THREADS: usize = 16;
    const CHUNK: usize = 128 << 10;
    let lengths = [1, 7, 4096, CHUNK - 1, CHUNK, CHUNK + 1, 9 * CHUNK + 5, 100];
    let room = 10 * CHUNK;
    let target = shmem.malloc_gpu::<u8>(THREADS * room).expect("malloc_gpu");
    target.copy_from(&vec![0; THREADS * room]).expect("clear");
    shmem.barrier_all().expect("barrier");
    let (me, pe) = (shmem.my_pe(), partner(shmem));
    let datum = |from: u32, t: usize, round: usize, i: usize| {
        mix(u64::from(from) << 32 | (t << 16 | round) as u64, i as u64) as u8
    };
    let exchange = |t: usize| {
        let context = shmem.context(PeSet::all(shmem.n_pes()), ContextOptions::default()).expect("a context");
        let raw = shmem.raw().on(&context);
        for round in 0..3 {
            let len = lengths[(t + 3 * round) % lengths.len()];
            let words: Vec<u8> = (0..len).map(|i| datum(me, t, round, i)).collect();
            let there = target.slice(t * room..t * room + len).device_ptr().address() as usize;
            let to = std::ptr::with_exposed_provenance_mut(there);
            let mut back = vec![0u8; len];
            // SAFETY: both ends have this many bytes, and stay valid until the quiet.
            unsafe { raw.put(to, words.as_ptr(), len, pe, Completion::Nbi) }.expect("put");
            raw.quiet().expect("quiet");
            // SAFETY: both ends have this many bytes, and the get is complete on return.
            unsafe { raw.get(back.as_mut_ptr(), to.cast_const(), len, pe, Completion::Blocking) }.expect("get");
            assert!(back == words, "thread {t}, round {round}: {len} bytes come back");
        }
    };
    std::thread::scope(|scope| (0..THREADS).for_each(|t| drop(scope.spawn(move || exchange(t)))));
    shmem.barrier_all().expect("barrier");
    let all = target.to_vec().expect("read");
    for t in 0..THREADS {
        let len = lengths[(t + 6) % lengths.len()];
        let seen: Vec<u64> = all[t * room..t * room + len].iter().map(|byte| u64::from(*byte)).collect();
        expect_words(|| format!("what thread {t} put last"), &seen, |i| u64::from(datum(pe, t, 2, i)));
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a long transfer that keeps short ones waiting until it has ended: on each try, it is complete before a word
/// that was put later, on another context.
pub fn short_ones_pass_long_ones(shmem: &Shmem) {
    const LONG: usize = 4 << 20;
    let (long, short) =
        (shmem.malloc_gpu::<u64>(LONG).expect("malloc_gpu"), shmem.malloc_gpu::<u64>(2).expect("malloc_gpu"));
    let source = vec![7u64; LONG];
    let passed = shmem.malloc::<u64>(1).expect("malloc");
    passed.copy_from(&[0]).expect("clear");
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 0 {
        let contexts =
            [(); 2].map(|()| shmem.context(PeSet::all(shmem.n_pes()), ContextOptions::default()).expect("a context"));
        let [first, second] = [&contexts[0], &contexts[1]].map(|context| shmem.raw().on(context));
        let last = long.slice(LONG - 1..).device_ptr().address() as usize;
        for round in 1..=20u64 {
            let marked = [&source[1..], &[round]].concat();
            let to = |address: u64| std::ptr::with_exposed_provenance_mut(address as usize);
            let mut seen = 0u64;
            // SAFETY: all ends have this many bytes, and stay valid until the quiet.
            unsafe {
                first
                    .put(to(long.device_ptr().address()), marked.as_ptr().cast(), 8 * LONG, 1, Completion::Nbi)
                    .expect("put");
                second
                    .put(to(short.device_ptr().address()), (&raw const round).cast(), 8, 1, Completion::Nbi)
                    .expect("put");
                second.quiet().expect("quiet");
                second
                    .get((&raw mut seen).cast(), std::ptr::with_exposed_provenance(last), 8, 1, Completion::Blocking)
                    .expect("get");
            }
            first.quiet().expect("quiet");
            if seen != round {
                shmem.p(passed.at(0), 1, 0).expect("p");
            }
        }
        assert_eq!(passed.to_vec().expect("read"), [1], "no word has passed a long transfer");
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a transfer that waits until the target's program calls the library.
pub fn a_computing_target(shmem: &Shmem) {
    const LEN: usize = 300_000;
    let (data, done) = (shmem.malloc_gpu::<u64>(LEN).expect("malloc_gpu"), shmem.malloc::<u64>(1).expect("malloc"));
    done.copy_from(&[0]).expect("clear");
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 0 {
        let words: Vec<u64> = (0..LEN as u64).map(|i| mix(1, i)).collect();
        let mut back = vec![0; LEN];
        shmem.put(data, &words, 1).expect("put");
        shmem.quiet().expect("quiet");
        shmem.get(&mut back, data, 1).expect("get");
        assert!(back == words, "what was put to a computing PE");
        shmem.p(done.at(0), 1, 1).expect("p");
        shmem.quiet().expect("quiet");
    } else {
        let word = done.at(0).as_slice().ptr(shmem.my_pe());
        // SAFETY: this is an aligned word of symmetric host memory of this PE, which is only used as an atomic until
        // the end.
        let word = unsafe { AtomicU64::from_ptr(word) };
        let deadline = Instant::now() + Duration::from_secs(30);
        while word.load(Ordering::Acquire) == 0 {
            assert!(Instant::now() < deadline, "PE 0 does not finish");
            std::thread::yield_now();
        }
    }
    shmem.barrier_all().expect("barrier");
}
