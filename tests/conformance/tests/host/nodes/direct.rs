//! GPU memory of other nodes that the network reads and writes itself, as over InfiniBand and RoCE with GPUDirect RDMA.
//! Here it is that of emulated GPUs, and the network within the machine moves it.

use crate::get::every_kind;
use crate::gpu_words::{every_operation, signals_add_up};
use crate::order::{fence, fence_between_heaps};
use crate::place::partner;
use crate::put::{every_type, non_blocking, single_words};
use crate::registered::{gpu_memory, ranges_of_one_allocation};
use crate::signal::data_before_signal;
use crate::staged::{a_computing_target, long_data_before_signal, many_at_once};
use crate::threads::threads_do_not_disturb_each_other;
use cushmem::raw::Completion;
use cushmem::{Cmp, DeviceBuffer, Shmem, SignalOp, SymSlice};
use cushmem_conformance::{expect_status, on_nodes};
use cushmem_conformance_kernels::mix;
use std::ptr::with_exposed_provenance_mut;

const DIRECT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft"), ("CUSHMEM_PATH", "gdr")];

on_nodes! { with DIRECT: {
    every_type: 2 on 2;
    every_kind: 2 on 2, 4 on 2 by "cyclic";
    non_blocking: 3 on 2;
    single_words: 2 on 2;
    data_before_signal: 2 on 2;
    long_data_before_signal: 2 on 2;
    every_operation: 2 on 2;
    signals_add_up: 3 on 2;
    fence: 2 on 2;
    fence_between_heaps: 2 on 2;
    threads_do_not_disturb_each_other: 3 on 3;
    many_at_once: 2 on 2, 4 on 2;
    a_computing_target: 2 on 2;
    nothing_is_staged: 2 on 2;
    what_the_network_does_not_reach_is_staged: 2 on 2;
    memory_that_was_added: 2 on 2;
    gpu_memory: 2 on 2, 3 on 2;
    ranges_of_one_allocation: 2 on 2;
    registered_memory_is_not_staged: 2 on 2, 4 on 2 by "cyclic";
} }

/// The address of symmetric memory, for calls that take any.
fn address(words: SymSlice<'_, u64>) -> *mut u8 {
    with_exposed_provenance_mut(words.device_ptr().address() as usize)
}

/// How many copies all PEs have staged, while the others are in the next barrier.
fn expect_staged(shmem: &Shmem, copies: u64) {
    shmem.barrier_all().expect("barrier");
    if shmem.my_pe() == 0 {
        let line = |pe| format!("PE {pe}: proxy: 0 commands of its kernels in 0 batches, {copies} staged copies, ");
        let lines: Vec<String> = (0..shmem.n_pes()).map(line).collect();
        expect_status(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    }
    shmem.barrier_all().expect("barrier");
}

const LEN: usize = 20_000;

/// Catches a transfer that is staged although the network reaches both ends, and one that goes elsewhere: puts from
/// host memory and from the GPU, gets to host memory, blocks, and signals in host memory.
fn nothing_is_staged(shmem: &Shmem) {
    let (me, pe) = (shmem.my_pe(), partner(shmem));
    let raw = shmem.raw();
    let gpu = shmem.malloc_gpu::<u64>(4 * LEN).expect("malloc_gpu");
    let (host, signal) = (shmem.malloc::<u64>(LEN).expect("malloc"), shmem.malloc::<u64>(1).expect("malloc"));
    assert!(shmem.paths().contains("gdr"), "{}", shmem.paths());
    let datum = |from: u32, i: usize| mix(u64::from(from), i as u64);
    let own: Vec<u64> = (0..LEN).map(|i| datum(me, i)).collect();
    gpu.copy_from(&vec![0; 4 * LEN]).expect("clear");
    gpu.slice(..LEN).copy_from(&own).expect("fill");
    signal.copy_from(&[0]).expect("clear");
    shmem.barrier_all().expect("barrier");
    for (at, len) in [(0, 1), (1, 7), (8, 100), (108, LEN - 108)] {
        let (from, to) = (gpu.slice(at..at + len), gpu.slice(LEN + at..LEN + at + len));
        for to in [to, host.slice(at..at + len)] {
            // SAFETY: both ends have this many words, and stay until the quiet.
            unsafe { raw.put(address(to), address(from), 8 * len, pe, Completion::Nbi) }.expect("put");
        }
    }
    shmem.put_signal(gpu.slice(2 * LEN..3 * LEN), &own, signal.at(0), 1, SignalOp::Set, pe).expect("put_signal");
    shmem.signal_wait_until(signal.at(0), Cmp::Ge, 1).expect("wait");
    let theirs: Vec<u64> = (0..LEN).map(|i| datum(pe, i)).collect();
    assert!(gpu.slice(2 * LEN..3 * LEN).to_vec().expect("read") == theirs, "the data are behind the signal");
    shmem.barrier_all().expect("barrier");
    assert!(gpu.slice(LEN..2 * LEN).to_vec().expect("read") == theirs, "from GPU to GPU memory");
    assert!(host.to_vec().expect("read") == theirs, "from GPU to host memory");
    let mut back = vec![0; LEN];
    shmem.get(&mut back, gpu.slice(..LEN), pe).expect("get");
    assert!(back == theirs, "from GPU memory");
    expect_staged(shmem, 0);
}

/// Catches gets into GPU memory that are not there, or staged, and private GPU memory that is given to the network.
fn what_the_network_does_not_reach_is_staged(shmem: &Shmem) {
    let (me, pe) = (shmem.my_pe(), partner(shmem));
    let raw = shmem.raw();
    let gpu = shmem.malloc_gpu::<u64>(5).expect("malloc_gpu");
    let host = shmem.malloc::<u64>(1).expect("malloc");
    let private = shmem.device_alloc::<u64>(1).expect("device_alloc");
    gpu.copy_from(&[u64::from(me) + 5, 0, 0, 0, 0]).expect("fill");
    host.copy_from(&[u64::from(me) + 30]).expect("fill");
    shmem.barrier_all().expect("barrier");
    for (to, from, when) in [
        (1, gpu.slice(..1), Completion::Blocking),
        (2, gpu.slice(..1), Completion::Nbi),
        (3, host.slice(..), Completion::Blocking),
    ] {
        // SAFETY: both ends have a word, and stay until the quiet.
        unsafe { raw.get(address(gpu.slice(to..to + 1)), address(from), 8, pe, when) }.expect("get");
    }
    raw.quiet().expect("quiet");
    let (of_gpu, of_host) = (u64::from(pe) + 5, u64::from(pe) + 30);
    assert_eq!(gpu.slice(1..4).to_vec().expect("read"), [of_gpu, of_gpu, of_host]);
    expect_staged(shmem, 0);
    private.copy_from(&[u64::from(me) + 70]).expect("fill");
    let from = with_exposed_provenance_mut::<u8>(private.device_ptr().address() as usize);
    // SAFETY: both ends have a word.
    unsafe { raw.put(address(gpu.slice(4..)), from, 8, pe, Completion::Blocking) }.expect("put");
    expect_staged(shmem, 1);
    assert_eq!(gpu.slice(4..).to_vec().expect("read"), [u64::from(pe) + 70]);
    shmem.barrier_all().expect("barrier");
}

/// Catches registered memory that is staged although the network reaches it, at either end, and at both: symmetric GPU
/// and host memory, and GPU memory that was registered for this PE alone. Once it is not registered any more, the
/// network does not have it.
fn registered_memory_is_not_staged(shmem: &Shmem) {
    const N: usize = 3000;
    let (me, pe, raw) = (shmem.my_pe(), partner(shmem), shmem.raw());
    let words = |of: u32| -> Vec<u64> { (0..N as u64).map(|i| mix(of.into(), i)).collect() };
    let start = |buffer: &DeviceBuffer<'_, u64>| -> *mut u64 {
        with_exposed_provenance_mut(buffer.device_ptr().address() as usize)
    };
    let (heap, more) =
        (shmem.malloc_gpu::<u64>(N).expect("malloc_gpu"), shmem.malloc_gpu::<u64>(N).expect("malloc_gpu"));
    let private = shmem.device_alloc::<u64>(N).expect("device_alloc");
    let [first, second] = [(); 2].map(|()| shmem.device_alloc::<u64>(2 * N).expect("device_alloc"));
    let mut on_host = vec![0u64; N];
    // They start at another distance from their allocations on each PE.
    let [from, to] = [&first, &second].map(|buffer| start(buffer).wrapping_add(3 + me as usize));
    // SAFETY: the memory lives until it is unregistered, and until then the vector is used by its address alone.
    let [source, range, host] =
        [from, to, on_host.as_mut_ptr()].map(|at| unsafe { shmem.register(at, N) }.expect("register"));
    let at_host = on_host.as_mut_ptr();
    // SAFETY: as above.
    unsafe { raw.register_local(start(&private).cast(), 8 * N) }.expect("register for this PE");
    private.copy_from(&words(me)).expect("fill");
    heap.copy_from(&words(me)).expect("fill");
    shmem.put(source, &words(me), me).expect("fill");
    let ends = [(range, to.cast::<u8>()), (more, address(more.slice(..))), (host, at_host.cast())];
    let put = |from: *mut u8, when| {
        for (object, to) in ends {
            shmem.put(object, &vec![0; N], me).expect("clear");
            shmem.barrier_all().expect("barrier");
            // SAFETY: both ends have this many words, and stay until the quiet.
            unsafe { raw.put(to, from, 8 * N, pe, when) }.expect("put");
            shmem.barrier_all().expect("barrier");
            let mut found = vec![0; N];
            shmem.get(&mut found, object, me).expect("read");
            assert!(found == words(pe), "from {from:p} to {to:p}");
        }
    };
    for when in [Completion::Blocking, Completion::Nbi] {
        for from in [start(&private).cast(), from.cast(), address(heap.slice(..))] {
            put(from, when);
        }
        for (there, to) in
            [(from.cast(), to.cast()), (from.cast(), address(more.slice(..))), (address(heap.slice(..)), to.cast())]
        {
            shmem.put(range, &vec![0; N], me).expect("clear");
            more.copy_from(&vec![0; N]).expect("clear");
            // SAFETY: as above.
            unsafe { raw.get(to, there, 8 * N, pe, when) }.expect("get");
            raw.quiet().expect("quiet");
            let mut found = vec![0; N];
            shmem.get(&mut found, if to == address(more.slice(..)) { more } else { range }, me).expect("read");
            assert!(found == words(pe), "from {there:p} to {to:p}");
        }
    }
    expect_staged(shmem, 0);
    raw.unregister_local(start(&private).cast()).expect("unregister");
    put(start(&private).cast(), Completion::Blocking);
    expect_staged(shmem, 3);
    for range in [source, range, host] {
        shmem.unregister(range).expect("unregister");
    }
}

/// Catches memory by which the heap has grown and that the network does not know, or knows at another place: objects of
/// more than a chunk, and transfers across the border of two chunks.
fn memory_that_was_added(shmem: &Shmem) {
    const WORDS: usize = 33 << 17;
    let (pe, mut objects) = (partner(shmem), Vec::new());
    for round in 0..3u64 {
        objects.push(shmem.malloc_gpu::<u64>(WORDS).expect("malloc_gpu"));
        // By whom they are written, and to which object.
        let words = |writer: u32, object: usize| -> Vec<u64> {
            let mark = round << 40 ^ (object as u64) << 44 ^ u64::from(writer) << 48;
            (0..WORDS as u64).map(|i| i ^ mark).collect()
        };
        for (number, object) in objects.iter().enumerate() {
            shmem.put(*object, &words(shmem.my_pe(), number), pe).expect("put");
        }
        shmem.barrier_all().expect("barrier");
        for (number, object) in objects.iter().enumerate() {
            assert!(object.to_vec().expect("read") == words(pe, number), "{round} {number}");
        }
        shmem.barrier_all().expect("barrier");
    }
    expect_staged(shmem, 0);
}
