//! Long nonblocking copies: those in one direction do not wait for those in another, and order holds where it was
//! promised.

use crate::place::partner;
use cushmem::{ContextOptions, PeSet, Shmem, SignalOp};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels::mix;

conformance! { soft, cuda => {
    every_direction_at_once: 1, 2;
    fence_between_directions: 2;
    signal_in_gpu_memory: 2;
    more_contexts_than_lanes: 1;
} }

/// The number of words in a long copy.
const N: usize = (512 << 10) / 8;

fn numbers(key: u64) -> Vec<u64> {
    (0..N as u64).map(|at| mix(key, at)).collect()
}

/// Catches a quiet that waits for only some lanes, and copies that take each other's place.
fn every_direction_at_once(shmem: &Shmem) {
    let pe = partner(shmem);
    let gpu = [0, 1, 2].map(|_| shmem.malloc_gpu::<u64>(N).expect("malloc_gpu"));
    let host = [0, 1, 2, 3].map(|_| shmem.malloc::<u64>(N).expect("malloc"));
    for round in 0..8 {
        let me = u64::from(shmem.my_pe());
        let of = |pe: u64, what: u64| numbers(100 * round + 10 * pe + what);
        gpu[0].copy_from(&of(me, 0)).expect("write");
        host[0].copy_from(&of(me, 1)).expect("write");
        shmem.barrier_all().expect("barrier");
        // GPU to GPU, host to GPU, GPU to host, and a get for each.
        shmem.put_nbi(gpu[1], gpu[0], pe).expect("put_nbi");
        shmem.put_nbi(gpu[2], host[0], pe).expect("put_nbi");
        shmem.put_nbi(host[1], gpu[0], pe).expect("put_nbi");
        let raw = shmem.raw();
        let (to, from) = (host[2].ptr(shmem.my_pe()), gpu[0].device_ptr().address() as *const u8);
        // SAFETY: both ends have this many bytes, and stay valid.
        unsafe { raw.get(to.cast(), from, 8 * N, pe, cushmem::raw::Completion::Nbi) }.expect("get_nbi");
        shmem.quiet().expect("quiet");
        let partners = u64::from(pe);
        assert!(host[2].to_vec().expect("read") == of(partners, 0), "get, round {round}");
        shmem.barrier_all().expect("barrier");
        let from = (0..shmem.n_pes()).find(|p| (p + 1) % shmem.n_pes() == shmem.my_pe()).map_or(0, u64::from);
        assert!(gpu[1].to_vec().expect("read") == of(from, 0), "GPU to GPU, round {round}");
        assert!(gpu[2].to_vec().expect("read") == of(from, 1), "host to GPU, round {round}");
        assert!(host[1].to_vec().expect("read") == of(from, 0), "GPU to host, round {round}");
        shmem.barrier_all().expect("barrier");
    }
}

/// Catches a fence that waits for only one lane: the second put takes another path than the first, to the same place.
fn fence_between_directions(shmem: &Shmem) {
    let pe = partner(shmem);
    let object = shmem.malloc_gpu::<u64>(N).expect("malloc_gpu");
    let (heap, source) = (shmem.malloc::<u64>(N).expect("malloc"), shmem.malloc_gpu::<u64>(N).expect("malloc_gpu"));
    for round in 0..10 {
        heap.copy_from(&numbers(2 * round)).expect("write");
        source.copy_from(&numbers(2 * round + 1)).expect("write");
        shmem.put_nbi(object, heap, pe).expect("put_nbi");
        shmem.fence().expect("fence");
        shmem.put_nbi(object, source, pe).expect("put_nbi");
        shmem.barrier_all().expect("barrier");
        assert!(object.to_vec().expect("read") == numbers(2 * round + 1), "the last counts, round {round}");
        shmem.barrier_all().expect("barrier");
    }
}

/// Catches a signal in GPU memory that overtakes data of another lane.
fn signal_in_gpu_memory(shmem: &Shmem) {
    let pe = partner(shmem);
    let object = shmem.malloc_gpu::<u64>(N).expect("malloc_gpu");
    let (heap, signal) = (shmem.malloc::<u64>(N).expect("malloc"), shmem.malloc_gpu::<u64>(1).expect("malloc_gpu"));
    signal.copy_from(&[0]).expect("write");
    shmem.barrier_all().expect("barrier");
    for round in 1..10 {
        heap.copy_from(&numbers(round)).expect("write");
        let raw = shmem.raw();
        let (to, word) = (object.device_ptr().address() as *mut u8, signal.device_ptr().address() as *mut u64);
        let (from, nbi) = (heap.ptr(shmem.my_pe()).cast(), cushmem::raw::Completion::Nbi);
        // SAFETY: both ends have this many bytes, and stay valid.
        unsafe { raw.put_signal(to, from, 8 * N, word, round, SignalOp::Set, pe, nbi) }.expect("put_signal_nbi");
        let mut seen = [0];
        while seen[0] != round {
            shmem.get(&mut seen, signal, shmem.my_pe()).expect("get");
        }
        assert!(object.to_vec().expect("read") == numbers(round), "round {round}");
        shmem.barrier_all().expect("barrier");
    }
}

/// Catches contexts that fail when no more lanes are available: they have to use their first lane.
fn more_contexts_than_lanes(shmem: &Shmem) {
    let object = shmem.malloc_gpu::<u64>(N).expect("malloc_gpu");
    let (heap, back) = (shmem.malloc::<u64>(N).expect("malloc"), shmem.malloc::<u64>(N).expect("malloc"));
    let new = || shmem.context(PeSet::all(1), ContextOptions::default()).expect("a context");
    let contexts: Vec<_> = (0..60).map(|_| new()).collect();
    for (number, context) in contexts.iter().enumerate() {
        heap.copy_from(&numbers(number as u64)).expect("write");
        let raw = shmem.raw().on(context);
        let there = object.device_ptr().address() as *mut u8;
        let nbi = cushmem::raw::Completion::Nbi;
        // SAFETY: all ends have this many bytes, and stay valid.
        unsafe {
            raw.put(there, heap.ptr(0).cast(), 8 * N, 0, nbi).expect("put_nbi");
            raw.quiet().expect("quiet");
            raw.get(back.ptr(0).cast(), there, 8 * N, 0, nbi).expect("get_nbi");
            raw.quiet().expect("quiet");
        }
        assert!(back.to_vec().expect("read") == numbers(number as u64), "context {number}");
    }
}
