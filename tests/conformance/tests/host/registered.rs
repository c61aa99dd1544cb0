//! Memory that the program allocated itself, in the host and on GPUs, registered for one PE and for all PEs.

use crate::place::partner;
use cushmem::raw::{AmoOp, AnyStream, Completion};
use cushmem::{ArgumentError, Blocks, Cmp, Operation, Shmem, SignalOp, SymSlice, WordUpdate};
use cushmem_conformance::conformance;
use cushmem_conformance_kernels::mix;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{with_exposed_provenance as source, with_exposed_provenance_mut as target};

conformance! { host, soft, cuda => {
    host_memory: 1, 2, 3;
    wrong_ranges: 1, 2;
    memory_that_starts_anywhere: 2;
} }
mod of_gpus {
    use super::{for_one_pe, gpu_memory, ranges_of_one_allocation};
    cushmem_conformance::conformance! { soft, cuda => {
        gpu_memory: 1, 2;
        ranges_of_one_allocation: 2;
        for_one_pe: 1, 2;
    } }
}
/// Memory that no other process can map, which a driver program makes below.
mod unshared {
    use super::of_two_allocations;
    cushmem_conformance::conformance! { soft => { of_two_allocations: 1, 2, 3; } }
}
/// GPUs that do not reach each other's memory, on one node and on several.
mod staged {
    use super::{gpu_memory, host_memory, ranges_of_one_allocation, words_for_the_proxy};
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
    cushmem_conformance::conformance! { with APART: soft, cuda => {
        gpu_memory: 2, 3;
        ranges_of_one_allocation: 2;
        host_memory: 2;
        words_for_the_proxy: 2;
    } }
    cushmem_conformance::on_nodes! { with SOFT: {
        gpu_memory: 2 on 2, 3 on 2;
        ranges_of_one_allocation: 2 on 2;
        host_memory: 2 on 2, 3 on 2;
        words_for_the_proxy: 2 on 2;
    } }
}
mod without_gpus {
    use super::{host_memory, memory_that_starts_anywhere};
    cushmem_conformance::on_nodes! {
        host_memory: 2 on 2, 4 on 2 by "cyclic";
        memory_that_starts_anywhere: 2 on 2, 3 on 2;
    }
}

const N: usize = 10_000;

fn numbers(key: u64, n: usize) -> Vec<u64> {
    (0..n as u64).map(|at| mix(key, at)).collect()
}

/// Puts into the partner's range and gets it back: by name, by address, in blocks and nonblocking.
fn use_range(shmem: &Shmem, range: SymSlice<'_, u64>, own: usize) {
    let (raw, me, pe) = (shmem.raw(), shmem.my_pe(), partner(shmem));
    let (data, mut back) = (numbers(me.into(), range.len()), vec![0; range.len()]);
    let bytes = size_of_val(&data[..]);
    shmem.put(range, &data[..], pe).expect("put");
    shmem.quiet().expect("quiet");
    shmem.get(&mut back[..], range, pe).expect("get");
    assert!(back == data, "by name");
    back.fill(0);
    // SAFETY: both ends have this many bytes, and stay valid until the quiet.
    unsafe {
        raw.put(target(own + 8), data.as_ptr().cast(), bytes - 8, pe, Completion::Nbi).expect("put");
        raw.quiet().expect("quiet");
        raw.get(back.as_mut_ptr().cast(), source(own + 8), bytes - 8, pe, Completion::Nbi).expect("get");
        raw.quiet().expect("quiet");
        assert!(back[..back.len() - 1] == data[..data.len() - 1], "by address");
        let past = raw.put(target(own + 8), data.as_ptr().cast(), bytes, pe, Completion::Blocking);
        assert_eq!(past, Err(ArgumentError::PastObject(bytes as u64 - 8)));
        let blocks = Blocks { count: 50, elements: 2, size: 8, dst: 3, sst: 2 };
        raw.put_blocks(target(own), data.as_ptr().cast(), blocks, pe).expect("put of blocks");
        raw.quiet().expect("quiet");
    }
    shmem.get(&mut back[..], range, pe).expect("get");
    for (at, number) in back[..150].iter().enumerate().filter(|(at, _)| at % 3 != 2) {
        assert_eq!(*number, data[at / 3 * 2 + at % 3], "blocks, {at}");
    }
    raw.p(target::<u64>(own), 77, pe).expect("p");
    raw.quiet().expect("quiet");
    assert_eq!(raw.g(source::<u64>(own), pe).expect("g"), 77);
    let panics = catch_unwind(AssertUnwindSafe(|| range.device_ptr()));
    assert!(panics.is_err(), "kernels would compute wrong addresses from this one");
    shmem.barrier_all().expect("barrier");
}

/// Changes words of a GPU range on all PEs, and puts with a signal there.
fn use_words(shmem: &Shmem, range: SymSlice<'_, u64>) {
    let (me, n, pe) = (shmem.my_pe(), shmem.n_pes(), partner(shmem));
    let (sum, bits, swapped, signal) = (range.at(0), range.at(1), range.at(2), range.at(3));
    shmem.put(range, &vec![0; range.len()][..], me).expect("clear");
    shmem.barrier_all().expect("barrier");
    let before: u64 = (0..20).map(|_| shmem.fetch_add(sum, 3, 0).expect("fetch_add")).max().expect("some");
    assert!(before.is_multiple_of(3) && before < 60 * u64::from(n), "{before}");
    shmem.fetch_or(bits, 1 << me, 0).expect("fetch_or");
    assert_eq!(shmem.compare_swap(swapped, 0, u64::from(me) + 1, pe).expect("compare_swap"), 0);
    assert_eq!(shmem.compare_swap(swapped, 0, 99, pe).expect("compare_swap"), u64::from(me) + 1);
    assert_eq!(shmem.atomic_fetch(swapped, pe).expect("atomic_fetch"), u64::from(me) + 1);
    for (round, op) in [(1, SignalOp::Set), (2, SignalOp::Add)] {
        let data = numbers(round, 1000);
        shmem.put_signal(range.slice(8..1008), &data[..], signal, 1, op, pe).expect("put_signal");
        assert_eq!(shmem.wait_until(signal, Cmp::Ge, round).expect("wait_until"), round);
        let mut got = vec![0; 1000];
        shmem.get(&mut got[..], range.slice(8..1008), me).expect("get");
        assert!(got == data, "the data of round {round} come before the signal");
        shmem.barrier_all().expect("barrier");
    }
    let all = [sum, bits].map(|word| shmem.g(word, 0).expect("g"));
    assert_eq!(all, [60 * u64::from(n), (1 << n) - 1], "what all added and set on PE 0");
    shmem.barrier_all().expect("barrier");
}

/// Catches a put of one word that the network sets, although the word is not aligned where it is: the range starts at
/// another distance from an aligned address on each PE.
fn memory_that_starts_anywhere(shmem: &Shmem) {
    const LEN: usize = 256;
    let (me, pe) = (shmem.my_pe(), partner(shmem));
    let mut memory = vec![0u64; LEN / 8 + 8];
    let start = memory.as_mut_ptr().cast::<u8>().wrapping_add(1 + me as usize);
    // SAFETY: the bytes are in the vector, which lives until they are unregistered, and until then are used only by
    // address.
    let range = unsafe { shmem.register(start, LEN).expect("register") };
    for width in [1, 2, 4, 8, 16] {
        let data: Vec<u8> = numbers(width as u64 + u64::from(me), LEN).iter().map(|number| *number as u8).collect();
        for (at, part) in data.chunks(width).enumerate() {
            shmem.put(range.slice(at * width..(at + 1) * width), part, pe).expect("put");
        }
        shmem.quiet().expect("quiet");
        let mut back = vec![0; LEN];
        shmem.get(&mut back[..], range, pe).expect("get");
        assert!(back == data, "words of {width} bytes");
        // An aligned offset of the range, whose address is not.
        let (to, value) = (target(start.addr() + 8), 0x1122_3344_5566_7788u64.to_ne_bytes());
        // SAFETY: the source has eight bytes.
        unsafe { shmem.raw().put(to, value.as_ptr(), 8, pe, Completion::Blocking).expect("put") };
        shmem.quiet().expect("quiet");
        shmem.get(&mut back[..8], range.slice(8..16), pe).expect("get");
        assert_eq!(back[..8], value);
        shmem.barrier_all().expect("barrier");
    }
    shmem.unregister(range).expect("unregister");
}

/// Catches ranges at different addresses that are taken for one another, and ranges that are found after they are
/// unregistered.
fn host_memory(shmem: &Shmem) {
    let (me, pe) = (shmem.my_pe(), partner(shmem));
    // At a different address on each PE.
    let _spacer = vec![1u8; 4096 * (1 + me as usize)];
    let mut first = vec![0u64; N];
    let mut second = vec![0u64; 500 + me as usize];
    // SAFETY: the vectors live until they are unregistered, and until then are used only by address.
    let (a, b) = unsafe {
        (
            shmem.register(first.as_mut_ptr(), N).expect("register"),
            shmem.register(second.as_mut_ptr().add(me as usize), 500).expect("register"),
        )
    };
    use_range(shmem, a, first.as_ptr().addr());
    use_range(shmem, b, second.as_ptr().addr() + 8 * me as usize);
    let word = target::<u64>(first.as_ptr().addr());
    let added = shmem.raw().update(word, 1, AmoOp::Add, pe);
    let refused = format!("is memory that PE {pe} registered: only put and get reach it");
    let refused = || if pe == me { Ok(()) } else { Err(ArgumentError::Global(refused.clone())) };
    assert_eq!(
        [added.map(drop), shmem.raw().set(word, 77, pe), shmem.raw().fetch(word, pe).map(drop)],
        [(); 3].map(|()| refused())
    );
    for op in [SignalOp::Set, SignalOp::Add] {
        // SAFETY: no byte is copied.
        let signalled =
            unsafe { shmem.raw().put_signal(word.cast(), word.cast(), 0, word, 0, op, pe, Completion::Blocking) };
        assert_eq!(signalled, refused().map_err(|error| ArgumentError::Signal(Box::new(error))));
    }
    let heap = shmem.malloc::<u64>(N).expect("malloc");
    heap.copy_from(&numbers(9, N)).expect("write");
    shmem.put(a, heap, pe).expect("put from the heap");
    if shmem.gpu().is_some() {
        let buffer = shmem.device_alloc::<u64>(N).expect("device_alloc");
        buffer.copy_from(&numbers(9, N)).expect("write");
        shmem.put(a.slice(10..), buffer.slice(10..), pe).expect("put from GPU memory");
        shmem.quiet().expect("quiet");
        shmem.get(&buffer, a, pe).expect("get into GPU memory");
        assert!(buffer.to_vec().expect("read") == numbers(9, N));
    }
    shmem.barrier_all().expect("barrier");
    shmem.unregister(a).expect("unregister");
    assert!(first == numbers(9, N), "what was put is in the program's own memory");
    let gone = shmem.raw().p(word, 1, pe);
    assert_eq!(gone, Err(ArgumentError::NotSymmetric));
    assert!(shmem.put(a, &numbers(1, N)[..], pe).is_err(), "by a name that is gone");
    // SAFETY: the vector lives until it is unregistered, and is used only by address.
    let again = unsafe { shmem.register(first.as_mut_ptr(), N).expect("register") };
    use_range(shmem, again, first.as_ptr().addr());
    shmem.unregister(b).expect("unregister");
    shmem.unregister(again).expect("unregister");
}

/// Checks that what `describe` describes is accepted neither as a prepared operation nor for a trigger.
fn refuse<'a>(shmem: &'a Shmem, said: &str, describe: impl Fn() -> cushmem::Result<Operation<'a>>) {
    let prepared = shmem.prepare(describe().expect("describe")).map(drop);
    let by_trigger = shmem.trigger(describe().expect("describe").by_proxy(), 1).map(drop);
    for answer in [prepared, by_trigger] {
        let text = answer.expect_err("it was taken").to_string();
        assert!(text.contains(said), "{text}");
    }
}

/// Catches an operation on a word that nobody may change that is nevertheless accepted as a prepared operation or for a
/// trigger. Once it is posted, nobody can be told, and the job ends.
fn words_for_the_proxy(shmem: &Shmem) {
    let pe = partner(shmem);
    let mut memory = vec![0u64; 3];
    // SAFETY: the vector lives until it is unregistered, and is not used in between.
    let range = unsafe { shmem.register(memory.as_mut_ptr(), 3).expect("register") };
    let (host, gpu) = (shmem.malloc::<u64>(9).expect("malloc"), shmem.malloc_gpu::<u64>(9).expect("malloc_gpu"));
    let said = format!("the operation's word is memory that PE {pe} registered: only put and get reach it");
    for op in [SignalOp::Set, SignalOp::Add] {
        refuse(shmem, &said, || Operation::signal(range.at(0), 5, op, pe));
        for data in [host, gpu] {
            refuse(shmem, &said, || Operation::put_signal(host, data, range.at(2), 7, op, pe));
        }
    }
    for update in [WordUpdate::Set, WordUpdate::Add, WordUpdate::Xor] {
        refuse(shmem, &said, || Operation::atomic(range.at(1), update, 6u64, pe));
    }
    // This starts with a barrier.
    shmem.unregister(range).expect("unregister");
    assert_eq!(memory, [0; 3]);
}

/// Catches a refusal that only some PEs get, and a range that is registered twice.
fn wrong_ranges(shmem: &Shmem) {
    let mut memory = vec![0u64; 100];
    let (start, last) = (memory.as_mut_ptr(), shmem.n_pes() - 1);
    let heap = shmem.malloc::<u64>(100).expect("malloc");
    // SAFETY: the vector lives until it is unregistered, and what is wrong is refused.
    unsafe {
        let range = shmem.register(start, 60).expect("register");
        // Only on the last PE does it overlap.
        let other = if shmem.my_pe() == last { start.add(59) } else { start.add(60) };
        let error = shmem.register(other, 40).map(drop).expect_err("one PE has it already").to_string();
        assert!(error.contains("are registered already"), "{error}");
        let rest = shmem.register(start.add(60), 40).expect("nothing is left of the attempt");
        let error = shmem.register(heap.ptr(shmem.my_pe()), 40).map(drop).expect_err("the heap").to_string();
        assert!(error.contains("is already symmetric memory"), "{error}");
        assert!(shmem.register(std::ptr::null_mut::<u64>(), 40).is_err() && shmem.register(start, 0).is_err());
        shmem.unregister(range).expect("unregister");
        shmem.unregister(rest).expect("unregister");
        assert!(shmem.unregister(range).is_err() && shmem.unregister(heap).is_err());
    }
    shmem.barrier_all().expect("barrier");
}

/// Catches a GPU range that is reached at the wrong address: it starts inside its allocation.
pub(crate) fn gpu_memory(shmem: &Shmem) {
    let me = shmem.my_pe() as usize;
    let buffer = shmem.device_alloc::<u64>(N + 1000).expect("device_alloc");
    let before = numbers(3, N + 1000);
    buffer.copy_from(&before).expect("write");
    let start = buffer.device_ptr().address() as usize + 8 * (13 + 100 * me);
    // SAFETY: the buffer lives until the range is unregistered.
    let range = unsafe { shmem.register(target::<u64>(start), N).expect("register") };
    assert!(range.is_gpu());
    let mut all = buffer.to_vec().expect("read");
    assert!(all == before, "to register changes nothing");
    // Before the partner puts.
    shmem.barrier_all().expect("barrier");
    use_range(shmem, range, start);
    use_words(shmem, range);
    let heap = shmem.malloc_gpu::<u64>(N).expect("malloc_gpu");
    heap.copy_from(&numbers(4, N)).expect("write");
    shmem.put(range, heap, partner(shmem)).expect("put from GPU memory");
    shmem.barrier_all().expect("barrier");
    buffer.copy_to(&mut all).expect("read");
    let (from, to) = (13 + 100 * me, 13 + 100 * me + N);
    assert!(all[from..to] == numbers(4, N), "it lies where the program put it");
    assert!(all[..from] == before[..from] && all[to..] == before[to..], "beside it nothing has changed");
    shmem.unregister(range).expect("unregister");
    buffer.copy_to(&mut all).expect("it is the program's still");
}

/// Catches an allocation that can be shared only once, because frameworks put many tensors into one.
pub(crate) fn ranges_of_one_allocation(shmem: &Shmem) {
    let buffer = shmem.device_alloc::<u64>(4 * N).expect("device_alloc");
    let start = |part: usize| buffer.device_ptr().address() as usize + 8 * N * part;
    // SAFETY: the buffer lives until the ranges are unregistered.
    let ranges = [2, 0, 3].map(|part| unsafe { shmem.register(target::<u64>(start(part)), N).expect("register") });
    for (range, part) in ranges.into_iter().zip([2, 0, 3]) {
        use_range(shmem, range, start(part));
    }
    shmem.unregister(ranges[0]).expect("unregister");
    use_range(shmem, ranges[1], start(0));
    use_range(shmem, ranges[2], start(3));
    shmem.unregister(ranges[1]).expect("unregister");
    shmem.unregister(ranges[2]).expect("unregister");
}

/// Catches memory that no other process can map, because it consists of two allocations, and that is refused or reached
/// at a wrong address. Memory beside it that can be mapped is not affected, and neither are the GPU heaps.
fn of_two_allocations(shmem: &Shmem) {
    const HALF: usize = 64 << 10;
    // So small that some of them lie side by side.
    let buffers = [(); 16].map(|()| shmem.device_alloc::<u8>(HALF).expect("device_alloc"));
    let starts = buffers.each_ref().map(|buffer| buffer.device_ptr().address() as usize);
    let pair = starts.into_iter().find(|start| starts.contains(&(start + HALF))).expect("two lie side by side");
    let (bytes, me) = (8 * N, shmem.my_pe() as usize);
    let start = pair + HALF - bytes / 2 - 8 * me;
    let mapped = shmem.device_alloc::<u64>(N).expect("device_alloc");
    let other = mapped.device_ptr().address() as usize;
    // SAFETY: the buffers live until the ranges are unregistered.
    let [range, beside] =
        [start, other].map(|start| unsafe { shmem.register(target::<u64>(start), N).expect("register") });
    for (range, start) in [(range, start), (beside, other)] {
        use_range(shmem, range, start);
        use_words(shmem, range);
    }
    shmem.unregister(range).expect("unregister");
    // SAFETY: the range belongs to this test until it is unregistered, and was unregistered before.
    let again = unsafe { shmem.register(target::<u64>(start), N).expect("register again") };
    use_range(shmem, again, start);
    // SAFETY: this is refused, because nothing lies behind the last buffer of the process.
    let past = unsafe { shmem.register(target::<u8>(starts[0]), 1 << 30) };
    assert!(past.is_err(), "not all of it is there");
    shmem.unregister(again).expect("unregister");
    shmem.unregister(beside).expect("unregister");
}

/// Catches copies of memory beside a registered range, whose first and last pages are pinned with it: engines refuse
/// ranges that lie partly in them.
fn for_one_pe(shmem: &Shmem) {
    const BYTES: usize = 40 * 4096;
    let object = shmem.malloc_gpu::<u8>(BYTES).expect("malloc_gpu");
    let mut memory = vec![0; BYTES + 2 * 4096];
    // Which pages the ranges share must not depend on where the allocator puts the vector.
    let page = memory.as_ptr().align_offset(4096);
    beside_one_range(shmem, object, &mut memory[page..page + BYTES], true);
    // Now a page ends in the middle of the second range.
    let page = page + 4096 - (SECOND + 25) % 4096;
    beside_one_range(shmem, object, &mut memory[page..page + BYTES], false);
}

/// The second range of [`beside_one_range`] starts at this byte.
const SECOND: usize = 5000 + 3 * 4096 + 77 + 10;

/// Registers three ranges of `memory`, of which the second lies `in_one_page`.
fn beside_one_range(shmem: &Shmem, object: SymSlice<'_, u8>, memory: &mut [u8], in_one_page: bool) {
    let (pe, raw) = (partner(shmem), shmem.raw());
    // The same on all PEs.
    memory.iter_mut().enumerate().for_each(|(at, byte)| *byte = mix(1, at as u64) as u8);
    let (start, bytes) = (memory.as_mut_ptr().wrapping_add(5000), 3 * 4096 + 77);
    // SAFETY: the vector lives until it is unregistered.
    unsafe { raw.register_local(start, bytes) }.expect("register");
    // SAFETY: the vector would live as long; but this is refused.
    let twice = unsafe { raw.register_local(start.wrapping_add(1), 10) };
    assert!(twice.is_err_and(|error| error.to_string().contains("registered already")));
    let copy = |memory: &mut [u8]| {
        for (from, length) in [
            (5000, bytes),
            (5000, 100),
            (4000, 3000),
            (0, memory.len()),
            (12000, 12000),
            (5000 + bytes, 9000),
            (3, 20000),
        ] {
            let mut back = vec![0; length];
            shmem.put(object.slice(..length), &memory[from..from + length], pe).expect("put");
            shmem.quiet().expect("quiet");
            shmem.get(&mut back[..], object.slice(..length), pe).expect("get");
            assert!(back == memory[from..from + length], "{length} bytes from {from}");
            shmem.get(&mut memory[from..from + length], object.slice(..length), pe).expect("get");
            assert!(back == memory[from..from + length], "{length} bytes to {from}");
            let private = shmem.device_alloc::<u8>(length).expect("device_alloc");
            private.copy_from(&memory[from..from + length]).expect("write");
            memory[from..from + length].fill(0);
            private.copy_to(&mut memory[from..from + length]).expect("read");
            assert!(back == memory[from..from + length], "{length} bytes of private memory at {from}");
        }
    };
    copy(memory);
    // One range in the page in which that one ends, and one from that page on: the page is pinned once.
    let (inside, next) = (memory.as_mut_ptr().wrapping_add(SECOND), start.wrapping_add(bytes + 100));
    // SAFETY: the vector lives until both are unregistered.
    unsafe {
        raw.register_local(inside, 50).expect("register");
        raw.register_local(next, 9000).expect("register");
    }
    copy(memory);
    on_a_stream(shmem, object.slice(..9000), next);
    raw.unregister_local(start).expect("unregister");
    assert!(raw.unregister_local(start).is_err());
    copy(memory);
    // A page can be pinned only once, so the third range pins the page that both need.
    if in_one_page {
        on_a_captured_stream(shmem, object.slice(..50), inside);
    }
    raw.unregister_local(inside).expect("unregister");
    raw.unregister_local(next).expect("unregister");
    shmem.put(object, &*memory, pe).expect("put");
    shmem.barrier_all().expect("barrier");
}

/// Catches an operation that a stream leaves to the CPU, and whose copy crosses the border of pinned memory, which an
/// engine refuses.
fn on_a_stream(shmem: &Shmem, object: SymSlice<'_, u8>, memory: *mut u8) {
    let (pe, raw, bytes) = (partner(shmem), shmem.raw(), object.len());
    let stream = shmem.stream().expect("stream");
    let mut back = vec![0u8; bytes];
    let there = target::<u8>(object.device_ptr().address() as usize);
    // SAFETY: all of it stays valid until the stream has finished.
    unsafe {
        raw.on_stream(AnyStream::Ours(&stream)).put(there, memory, bytes, pe).expect("put");
        stream.quiet().expect("quiet");
        raw.on_stream(AnyStream::Ours(&stream)).get(back.as_mut_ptr(), there, bytes, pe).expect("get");
    }
    stream.synchronize().expect("synchronize");
    // SAFETY: nobody writes it now.
    assert!(back == unsafe { std::slice::from_raw_parts(memory, bytes) }, "{bytes} bytes by a stream");
}

/// Catches memory that is registered, but no longer pinned, because the range that had pinned its page is gone. A
/// stream refuses to record a put of such memory.
fn on_a_captured_stream(shmem: &Shmem, object: SymSlice<'_, u8>, memory: *mut u8) {
    let (pe, raw, bytes) = (partner(shmem), shmem.raw(), object.len());
    let stream = shmem.stream().expect("stream");
    let there = target::<u8>(object.device_ptr().address() as usize);
    // SAFETY: both ends have this many bytes and stay valid until the stream has finished.
    let put = || unsafe { raw.on_stream(AnyStream::Ours(&stream)).put(there, memory, bytes, pe) };
    let record = || {
        put().expect("a put of pinned memory");
        Ok(())
    };
    let graph = stream.capture(record).expect("capture");
    // SAFETY: the graph names memory that stays valid until the stream has finished.
    unsafe { stream.replay(&graph) }.expect("replay");
    stream.synchronize().expect("synchronize");
    shmem.barrier_all().expect("barrier");
    let seen = object.to_vec().expect("read");
    // SAFETY: nobody writes it now; the partner has put the same bytes.
    assert!(seen == unsafe { std::slice::from_raw_parts(memory, bytes) }, "{bytes} bytes by a graph");
    shmem.barrier_all().expect("barrier");
}

/// Memory that a program allocates with the driver itself.
mod by_the_driver {
    use super::{N, use_range, use_words};
    use crate::place::partner;
    use cushmem::Shmem;
    use cushmem_conformance::conformance;
    use cushmem_gpu::cuda::driver::{self, CUmemLocation, CUresult};
    use libloading::Library;
    use std::ffi::c_void;
    use std::ptr::{null_mut, with_exposed_provenance_mut as target};

    conformance! { cuda => { chunks_of_the_program: 1, 2; memory_of_a_pool: 1, 2; managed_memory: 1, 2; } }

    type AllocAsync = unsafe extern "C" fn(*mut u64, usize, *mut c_void) -> CUresult;

    fn done(what: &str, status: CUresult) {
        assert_eq!(status, CUresult::CUDA_SUCCESS, "{what}");
    }

    /// Makes two chunks side by side, of which the second is longer; other processes can map them if they are `shared`.
    /// Returns their address and the size of the first.
    fn two_chunks(device: i32, shared: bool) -> (u64, usize) {
        let kind = driver::CUmemAllocationHandleType::CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR as u32;
        let location = CUmemLocation { type_: CUmemLocation::DEVICE, id: device };
        let properties = driver::CUmemAllocationProp {
            type_: driver::CUmemAllocationType::CU_MEM_ALLOCATION_TYPE_PINNED as u32,
            requestedHandleTypes: if shared { kind } else { 0 },
            location,
            win32HandleMetaData: null_mut(),
            allocFlags: driver::CUmemAllocationFlags::default(),
        };
        let least = driver::CUmemAllocationGranularity_flags::CU_MEM_ALLOC_GRANULARITY_MINIMUM;
        let flags = driver::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
        let (mut unit, mut base) = (0, 0);
        // SAFETY: all pointers are valid, and the driver reports errors.
        unsafe {
            done("granularity", driver::cuMemGetAllocationGranularity(&mut unit, &properties, least));
            done("reserve", driver::cuMemAddressReserve(&mut base, 3 * unit, 0, 0, 0));
            for (at, bytes) in [(0, unit), (unit, 2 * unit)] {
                let mut handle = 0;
                done("create", driver::cuMemCreate(&mut handle, bytes, &properties, 0));
                done("map", driver::cuMemMap(base + at as u64, bytes, 0, handle, 0));
                done("release", driver::cuMemRelease(handle));
            }
            let access = driver::CUmemAccessDesc { location, flags };
            done("access", driver::cuMemSetAccess(base, 3 * unit, &access, 1));
        }
        (base, unit)
    }

    /// Catches a range that starts inside a chunk or ends in another one, and that is reached at a wrong address, and
    /// memory that cannot be shared, which its owner copies. Frameworks whose segments grow allocate memory in this
    /// way.
    fn chunks_of_the_program(shmem: &Shmem) {
        let device = enter(shmem);
        let (base, unit) = two_chunks(device, true);
        let start = base as usize + unit - 8 * (N / 2 + 100 * shmem.my_pe() as usize);
        use_and_read(shmem, start);
        // Only on the last PE.
        let (other, _) = two_chunks(device, shmem.my_pe() + 1 != shmem.n_pes());
        use_and_read(shmem, other as usize + unit - 8 * N / 2);
        use_and_read(shmem, start);
    }

    /// Catches memory from a pool, which only its owner reaches, that is refused or reached at a wrong address.
    fn memory_of_a_pool(shmem: &Shmem) {
        enter(shmem);
        let (mut first, bytes) = (0, 8 * (N + 100));
        // SAFETY: the driver is open already, and the type is that of `cuda.h`. The pointer is valid, and the default
        // stream is the context's.
        unsafe {
            let library = Library::new("libcuda.so.1").expect("the driver");
            let allocate = library.get::<AllocAsync>(b"cuMemAllocAsync\0").expect("a function of CUDA 11.2");
            done("allocate", allocate(&mut first, bytes, null_mut()));
            done("synchronise", driver::cuCtxSynchronize());
        }
        use_and_read(shmem, first as usize + 8 * shmem.my_pe() as usize);
    }

    /// Catches errors with memory that the driver moves between CPU and GPU, whose pages the operating system does not
    /// copy.
    fn managed_memory(shmem: &Shmem) {
        type AllocManaged = unsafe extern "C" fn(*mut u64, usize, u32) -> CUresult;
        enter(shmem);
        let mut first = 0;
        // SAFETY: the driver is open already, and the type is that of `cuda.h`. The pointer is valid, and 1 lets any
        // GPU use the memory.
        unsafe {
            let library = Library::new("libcuda.so.1").expect("the driver");
            let allocate = library.get::<AllocManaged>(b"cuMemAllocManaged\0").expect("a function");
            done("allocate", allocate(&mut first, 8 * N, 1));
        }
        let start = first as usize;
        // SAFETY: the memory stays until the process ends.
        let range = unsafe { shmem.register(target::<u64>(start), N).expect("register") };
        use_range(shmem, range, start);
        shmem.unregister(range).expect("unregister");
    }

    /// Makes the GPU's context current, and returns its device.
    fn enter(shmem: &Shmem) -> i32 {
        let context = shmem.raw().gpu_context().expect("a context");
        // SAFETY: the context stays alive.
        done("set", unsafe { driver::cuCtxSetCurrent(target(context)) });
        shmem.gpu().expect("a GPU").ordinal as i32
    }

    /// Registers a range, uses it, and reads it with the driver.
    fn use_and_read(shmem: &Shmem, start: usize) {
        // SAFETY: the memory stays allocated until it is unregistered.
        let range = unsafe { shmem.register(target::<u64>(start), N).expect("register") };
        use_range(shmem, range, start);
        use_words(shmem, range);
        let heap = shmem.malloc_gpu::<u64>(N).expect("malloc_gpu");
        heap.copy_from(&super::numbers(4, N)).expect("write");
        shmem.put(range, heap, partner(shmem)).expect("put");
        shmem.barrier_all().expect("barrier");
        let mut own = vec![0u64; N];
        let (to, from, default) = (own.as_mut_ptr().expose_provenance() as u64, start as u64, std::ptr::null_mut());
        // SAFETY: both ends have this many bytes.
        done("read", unsafe { driver::cuMemcpyAsync(to, from, 8 * N, default) });
        // SAFETY: the default stream is always there.
        done("wait", unsafe { driver::cuStreamSynchronize(default) });
        assert!(own == super::numbers(4, N), "it lies where the program put it");
        shmem.barrier_all().expect("barrier");
        shmem.free(heap).expect("free");
        shmem.unregister(range).expect("unregister");
    }
}
