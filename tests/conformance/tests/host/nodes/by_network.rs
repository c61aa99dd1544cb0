//! Host memory on which the network executes the atomic operations of all PEs, including those of the owner's node.

use cushmem::raw::{AmoOp, AnyStream, Completion, Memory, Wanted};
use cushmem::{ArgumentError, Cmp, Shmem, SignalOp, Word};
use cushmem_conformance::on_nodes;

on_nodes! {
    additions_are_not_lost: 4 on 2;
    swaps_and_signals: 4 on 2, 3 on 3;
    what_does_not_fit_is_host_memory: 2 on 2;
}
mod of_streams {
    use super::words_on_a_stream;
    const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
    cushmem_conformance::on_nodes! { with SOFT: verbs { words_on_a_stream: 2 on 2; } }
}

fn wanted(bytes: usize) -> Wanted {
    let (arguments, memory) = ([("bytes", bytes as u64), ("", 0)], Memory::ForNetwork);
    Wanted { routine: "malloc", arguments, memory, bytes, alignment: 8, cleared: false }
}

/// Returns a word that is 0 on all PEs.
fn word<T: Word>(shmem: &Shmem) -> *mut T {
    let word = shmem.raw().malloc(&wanted(size_of::<u64>())).expect("malloc").expect("bytes are wanted");
    shmem.raw().p(word.cast::<u64>(), 0, shmem.my_pe()).expect("clear");
    shmem.barrier_all().expect("barrier");
    word.cast()
}

/// Catches a PE whose CPU changes words that networks change: a network loads, pauses, and stores. The words have 4 and
/// 8 bytes, and the PEs are near and far.
fn additions_are_not_lost(shmem: &Shmem) {
    const TIMES: u64 = 300;
    let (raw, n) = (shmem.raw(), shmem.n_pes());
    let (long, short) = (word::<u64>(shmem), word::<u32>(shmem));
    for _ in 0..TIMES {
        for pe in 0..2 {
            raw.update(long, 1, AmoOp::Add, pe).expect("add");
            raw.update(short, 1, AmoOp::Add, pe).expect("add");
        }
    }
    shmem.barrier_all().expect("barrier");
    for pe in 0..2 {
        let found = (raw.fetch(long.cast_const(), pe), raw.fetch(short.cast_const(), pe));
        assert_eq!(found, (Ok(u64::from(n) * TIMES), Ok(n * TIMES as u32)), "on PE {pe}");
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches an operation that the CPU carries out beside those of the network, a signal that comes before its data, and
/// an atomic operation that does not find what the previous one left.
fn swaps_and_signals(shmem: &Shmem) {
    let (raw, me, n) = (shmem.raw(), shmem.my_pe(), shmem.n_pes());
    let (turn, signal) = (word::<u64>(shmem), word::<u64>(shmem));
    // Each PE takes its turn at PE 1's word.
    while raw.compare_swap(turn, u64::from(me), u64::MAX, 1).expect("compare_swap") != u64::from(me) {
        std::thread::yield_now();
    }
    assert_eq!(raw.update(turn, u64::from(me) + 1, AmoOp::Swap, 1), Ok(u64::MAX));
    let data = shmem.malloc::<u64>(1000).expect("malloc");
    let numbers: Vec<u64> = (0..1000).map(|i| i + u64::from(me)).collect();
    shmem.barrier_all().expect("barrier");
    if me == n - 1 {
        for pe in 0..n {
            let (bytes, when) = (size_of_val(&*numbers), Completion::Blocking);
            let (to, from) = (data.ptr(me).cast(), numbers.as_ptr().cast());
            // SAFETY: the source has this many bytes.
            unsafe { raw.put_signal(to, from, bytes, signal, 1, SignalOp::Set, pe, when) }.expect("put_signal");
            // SAFETY: the source has this many bytes.
            unsafe { raw.put_signal(to, from, 8, signal, 1, SignalOp::Add, pe, when) }.expect("put_signal");
        }
    }
    assert_eq!(raw.wait_until(signal.cast_const(), Cmp::Eq, 2), Ok(2));
    let expected: Vec<u64> = (0..1000).map(|i| i + u64::from(n) - 1).collect();
    assert_eq!(data.to_vec().expect("read"), expected);
    shmem.barrier_all().expect("barrier");
}

/// Catches a hint that is treated as a requirement: there is little memory of this kind.
fn what_does_not_fit_is_host_memory(shmem: &Shmem) {
    let large = shmem.raw().malloc(&wanted(2 << 20)).expect("malloc").expect("bytes are wanted");
    let last = large.wrapping_add((2 << 20) - 8).cast::<u64>();
    let pe = (shmem.my_pe() + 1) % shmem.n_pes();
    shmem.raw().p(last, 7, pe).expect("p");
    shmem.barrier_all().expect("barrier");
    assert_eq!(shmem.raw().g(last.cast_const(), shmem.my_pe()), Ok(7));
    shmem.raw().free("free", large).expect("free");
}

/// Catches a stream that accepts a store for which the network has no words, and the end of the job that follows.
fn words_on_a_stream(shmem: &Shmem) {
    let (raw, pe) = (shmem.raw(), shmem.my_pe() ^ 1);
    let word = word::<u64>(shmem);
    let _starts_the_gpus = shmem.malloc_gpu::<u8>(1).expect("malloc_gpu");
    let stream = shmem.stream().expect("stream");
    // SAFETY: the stream is this job's.
    let (short, long) = unsafe {
        (
            raw.on_stream(AnyStream::Ours(&stream)).p(word.cast::<u16>(), 1, pe),
            raw.on_stream(AnyStream::Ours(&stream)).p(word, 7, pe),
        )
    };
    assert_eq!((short, long), (Err(ArgumentError::NetworkWidth(2)), Ok(())));
    stream.synchronize().expect("synchronize");
    assert_eq!(raw.wait_until(word.cast_const(), Cmp::Eq, 7), Ok(7));
    shmem.barrier_all().expect("barrier");
}
