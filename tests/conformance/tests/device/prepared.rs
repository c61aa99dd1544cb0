//! Prepared operations that kernels and streams post.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::counters::{Extra, Operation as Recorded, Way};
use cushmem::raw::Completion;
use cushmem::{Cmp, ContextOptions, Grid, Operation, PeSet, Prepared, Shmem, SignalOp, SymSlice, WordUpdate};
use cushmem_abi::{CommandHead, CommandKind, DevicePrepared, HostRing, RING_REPLIES, RING_SLOTS, SLOT_WORDS, WordOp};
use cushmem_conformance::{Backend, conformance, run, run_to_failure};
use cushmem_conformance_kernels::{self as kernels, mix};
use cushmem_protocol::ring::{Command, lap};
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

conformance! { soft, cuda => {
    posted_by_blocks: 1, 2, 4;
    posted_by_a_stream: 1, 2, 4;
    words_of_gpu_memory: 1, 2, 4;
    names_are_used_again: 1;
} }

mod held_up {
    use super::a_long_copy_delays_only_what_is_behind_it;
    use cushmem_conformance::QUEUES;
    cushmem_conformance::conformance! { with QUEUES: soft, cuda => { a_long_copy_delays_only_what_is_behind_it: 1; } }
}

mod apart {
    use super::words_of_gpu_memory;
    const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
    cushmem_conformance::conformance! { with APART: soft, cuda => { words_of_gpu_memory: 2, 4; } }
}

mod counted {
    use super::{full_rings_are_counted, posts_are_counted};
    const COUNTED: &[(&str, &str)] = &[("CUSHMEM_STATS", "1")];
    cushmem_conformance::conformance! { with COUNTED: soft, cuda => { posts_are_counted: 1, 2; full_rings_are_counted: 1; } }
}

mod on_nodes {
    use super::words_of_gpu_memory;
    const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
    cushmem_conformance::on_nodes! { with SOFT: { words_of_gpu_memory: 3 on 2; } }
}

fn prepare<'a>(shmem: &'a Shmem, operation: cushmem::Result<Operation<'a>>) -> Prepared<'a> {
    shmem.prepare(operation.expect("describe")).expect("prepare")
}

/// Catches a proxy that carries out no command while a long copy is under way, and a signal that comes before the data
/// of its own put: set or added to, in host memory or in GPU memory. The copies wait until all that must not wait for
/// them is over.
fn a_long_copy_delays_only_what_is_behind_it(shmem: &Shmem) {
    const WORDS: usize = 2 << 20;
    let rig = Rig::new(shmem);
    let other = shmem.context(PeSet::all(1), ContextOptions::default()).expect("a context");
    let (from, to, few) =
        (rig.symmetric(&vec![0u64; WORDS]), rig.symmetric(&vec![0u64; WORDS]), rig.symmetric(&[0u64]));
    let [last, set, added] = [(); 3].map(|()| rig.symmetric(&[0u64]));
    let [go, counter, begun, set_here, added_here] = [(); 5].map(|()| on_host(&rig, &[0]));
    let puts = prepare(shmem, Operation::put(to, from, 0));
    let signals = [
        (set, 1, SignalOp::Set),
        (added, 1, SignalOp::Add),
        (set_here, 1, SignalOp::Set),
        (added_here, 1, SignalOp::Add),
    ];
    let signals =
        signals.map(|(word, value, op)| prepare(shmem, Operation::put_signal(last, few, word.at(0), value, op, 0)));
    let begins = prepare(shmem, Operation::atomic(begun.at(0), WordUpdate::Add, 1u64, 0));
    let now = |word: SymSlice<'_, u64>| {
        let mut seen = 0u64;
        let from = std::ptr::with_exposed_provenance::<u8>(word.device_ptr().address() as usize);
        let raw = shmem.raw().on(&other);
        // SAFETY: both ends have 8 bytes.
        unsafe { raw.get((&raw mut seen).cast(), from, 8, 0, Completion::Blocking) }.expect("get");
        seen
    };
    for round in 1..=3 {
        few.copy_from(&[round]).expect("write");
        for word in [set, added] {
            word.copy_from(&[0]).expect("write");
        }
        for word in [set_here, added_here] {
            shmem.p(word.at(0), 0, 0).expect("p");
        }
        // SAFETY: the word stays until this PE has waited for the copies.
        unsafe { shmem.raw().hold_up_proxy(go, round) }.expect("hold up");
        for operation in [&puts, &puts].into_iter().chain(&signals).chain([&begins]) {
            rig.stream.post(operation).expect("post");
        }
        shmem.wait_until(begun.at(0), Cmp::Eq, round).expect("wait_until");
        let adds = shmem.stream().expect("stream");
        let args = (counter.device_ptr(), 3, 0);
        // SAFETY: the counter is a word of the host heap.
        unsafe { adds.launch(&rig.module, kernels::add_signals, Grid::linear(1, 1), args) }.expect("launch");
        adds.synchronize().expect("the kernel ends");
        assert_ne!(now(last), round, "the copies do not wait");
        shmem.p(go.at(0), round, 0).expect("p");
        for word in [set, added, set_here, added_here] {
            let start = Instant::now();
            while now(word) == 0 {
                assert!(start.elapsed() < Duration::from_nanos(LIMIT_NS), "no signal");
                std::thread::yield_now();
            }
            assert_eq!(now(last), round, "the data come before their signal");
        }
        shmem.quiet().expect("quiet");
        assert_eq!(counter.to_vec().expect("read"), [3 * round]);
    }
}

fn on_host<'a>(rig: &Rig<'a>, words: &[u64]) -> SymSlice<'a, u64> {
    let object = rig.shmem.malloc(words.len()).expect("malloc");
    object.copy_from(words).expect("write");
    object
}

/// Catches a post that is lost, carried out twice, or not complete after quiet.
fn posted_by_blocks(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (counter, set) = (on_host(&rig, &[0]), on_host(&rig, &[0]));
    let words: Vec<_> = (0..100).map(|i| mix(u64::from(shmem.my_pe()), i)).collect();
    let (src, dst) = (rig.symmetric(&words), rig.symmetric(&vec![0u64; 100]));
    let (theirs, fetched) = (rig.symmetric(&words), rig.symmetric(&vec![0u64; 100]));
    rig.barrier();
    let add = Operation::atomic(counter.at(0), WordUpdate::Add, 3u64, rig.partner()).expect("describe");
    let add = shmem.prepare(add).expect("prepare");
    let mut all = 0;
    for (blocks, times, default) in [(1, 1, 0), (1, 50, 0), (8, 20, 0), (8, 20, 1), (rig.times(32, 512), 3, 0)] {
        rig.run(kernels::post_prepared, Grid::linear(blocks, 32), (add.device(), times, default));
        all += u64::from(blocks) * times;
        rig.barrier();
        assert_eq!(counter.to_vec().expect("read"), [3 * all], "{blocks} blocks, {times} times");
        rig.barrier();
    }
    let operations = [
        Operation::put(dst, src, rig.partner()),
        Operation::put_signal(dst.slice(..50), src.slice(..50), set.at(0), 9, SignalOp::Set, rig.partner()),
        Operation::get(fetched, theirs, rig.partner()),
        Operation::signal(set.at(0), 2, SignalOp::Add, rig.partner()),
    ];
    let operations = operations.map(|operation| shmem.prepare(operation.expect("describe")).expect("prepare"));
    for operation in &operations {
        rig.run(kernels::post_prepared, Grid::linear(1, 1), (operation.device(), 1, 0));
    }
    rig.barrier();
    let of_partner: Vec<_> = (0..100).map(|i| mix(u64::from(rig.partner()), i)).collect();
    assert_eq!(dst.to_vec().expect("read"), of_partner);
    assert_eq!(fetched.to_vec().expect("read"), of_partner);
    assert_eq!(set.to_vec().expect("read"), [11]);
    rig.barrier();
}

/// Catches commands that start prepared operations and count as something else, or without their bytes.
fn posts_are_counted(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let word = on_host(&rig, &[0]);
    let (src, dst) = (rig.symmetric(&[1u64; 100]), rig.symmetric(&[0u64; 100]));
    let operations = [
        (Recorded::CommandPut, 800, Operation::put(dst, src, rig.partner())),
        (
            Recorded::CommandPut,
            400,
            Operation::put_signal(dst.slice(..50), src.slice(..50), word.at(0), 9, SignalOp::Set, rig.partner()),
        ),
        (Recorded::CommandGet, 80, Operation::get(dst.slice(..10), src.slice(..10), rig.partner())),
        (Recorded::CommandWord, 8, Operation::signal(word.at(0), 2, SignalOp::Add, rig.partner())),
        (Recorded::CommandWord, 8, Operation::atomic(word.at(0), WordUpdate::Add, 3u64, rig.partner())),
    ];
    let counters = shmem.counters().expect("this PE counts");
    for (what, bytes, operation) in operations {
        let operation = prepare(shmem, operation);
        let before = counters.of(what, Some(Way::Proxy));
        rig.run(kernels::post_prepared, Grid::linear(1, 1), (operation.device(), 3, 0));
        shmem.quiet().expect("quiet");
        let after = counters.of(what, Some(Way::Proxy));
        let more = (after.operations - before.operations, after.bytes - before.bytes);
        assert_eq!(more, (3, 3 * bytes), "{what:?} of {bytes} bytes");
    }
    rig.barrier();
}

/// Catches full rings that are not counted, and a ring that counts as full although it has room.
fn full_rings_are_counted(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (go, src, dst) = (on_host(&rig, &[0]), rig.symmetric(&[1u64; 8]), rig.symmetric(&[0u64; 8]));
    let put = prepare(shmem, Operation::put(dst, src, 0));
    let counters = shmem.counters().expect("this PE counts");
    let full = || counters.other(Extra::FullRings);
    rig.run(kernels::post_prepared, Grid::linear(1, 1), (put.device(), 100, 0));
    shmem.quiet().expect("quiet");
    assert_eq!(full(), 0, "there is room for a hundred commands");
    // Nobody can see when the ring is full, so this may take several rounds.
    let start = Instant::now();
    let mut round = 0;
    while full() == 0 {
        assert!(start.elapsed() < Duration::from_nanos(LIMIT_NS), "no batch from a full ring");
        round += 1;
        // SAFETY: the word stays until the copies have passed it, for which the quiet waits.
        unsafe { shmem.raw().hold_up_proxy(go, round) }.expect("hold up");
        // More than can be under way, and than the ring has slots.
        rig.start(kernels::post_prepared, Grid::linear(1, 1), (put.device(), 5 * RING_SLOTS as u64, 0));
        std::thread::sleep(Duration::from_millis(200));
        shmem.p(go.at(0), round, 0).expect("p");
        rig.wait();
        shmem.quiet().expect("quiet");
    }
    assert_eq!(dst.to_vec().expect("read"), [1; 8]);
    rig.barrier();
}

/// Catches a post that overtakes the kernel before it, that is lost, or for which quiet does not wait. Also uses a
/// second stream, which is not ordered with the first.
fn posted_by_a_stream(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (counter, value) = (on_host(&rig, &[0]), on_host(&rig, &[0]));
    let (src, dst) = (rig.symmetric(&[0u64]), rig.symmetric(&[0u64]));
    let add = Operation::atomic(counter.at(0), WordUpdate::Add, 1u64, rig.partner()).expect("describe");
    let add = shmem.prepare(add).expect("prepare");
    let put = shmem.prepare(Operation::put(dst, src, rig.partner()).expect("describe")).expect("prepare");
    let copied = shmem.prepare(Operation::put(value, src, rig.partner()).expect("describe")).expect("prepare");
    rig.barrier();
    for round in 1..=20u64 {
        rig.start(kernels::set_signal, Grid::linear(1, 1), (src.device_ptr(), round, shmem.my_pe()));
        for operation in [&add, &put, &add, &copied, &add] {
            rig.stream.post(operation).expect("post");
        }
        rig.wait();
        shmem.quiet().expect("quiet");
        rig.barrier();
        assert_eq!(counter.to_vec().expect("read"), [3 * round]);
        assert_eq!([dst, value].map(|object| object.to_vec().expect("read")), [[round], [round]]);
        rig.barrier();
    }
    let other = shmem.stream().expect("stream");
    let error = other.post(&add).expect_err("two streams").to_string();
    assert!(error.contains("another stream, which is not ordered with this one, posts it"), "{error}");
    // What is still in the stream is posted before the operation is destroyed.
    rig.stream.post(&add).expect("post");
    drop(add);
    rig.barrier();
    assert_eq!(counter.to_vec().expect("read"), [61]);
    rig.barrier();
}

/// Catches a change to a word of GPU memory, posted by a kernel or by a stream, that is lost, carried out twice or not
/// complete after quiet, and a signal there that arrives before its data.
pub(crate) fn words_of_gpu_memory(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let start = 0xff00_ff00_1234_5678u64;
    let value = 0x0ff0_0ff0_0f0f_0f0fu64;
    let updates = [WordUpdate::Add, WordUpdate::And, WordUpdate::Or, WordUpdate::Xor, WordUpdate::Set];
    let (words, half, added) = (rig.symmetric(&[start; 5]), rig.symmetric(&[u32::MAX, 5]), rig.symmetric(&[0u64; 2]));
    let (src, dst) = (rig.symmetric(&[0u64; 300]), rig.symmetric(&[0u64; 300]));
    let describe = |(at, update)| Operation::atomic(words.at(at), update, value, rig.partner());
    let changes = updates.into_iter().enumerate().map(describe);
    let changes = changes.map(|operation| shmem.prepare(operation.expect("describe")).expect("prepare"));
    let changes: Vec<_> = changes.collect();
    let three = Operation::atomic(half.at(0), WordUpdate::Add, 3u32, rig.partner()).expect("describe");
    let three = shmem.prepare(three).expect("prepare");
    let put = Operation::put_signal(dst, src, added.at(0), 1, SignalOp::Add, rig.partner()).expect("describe");
    let put = shmem.prepare(put).expect("prepare");
    let signal = Operation::signal(added.at(1), 2, SignalOp::Add, rig.partner()).expect("describe");
    let signal = shmem.prepare(signal).expect("prepare");
    rig.barrier();
    let by_kernel = |operation: &cushmem::Prepared<'_>, times: u64| {
        rig.run(kernels::post_prepared, Grid::linear(1, 1), (operation.device(), times, 0));
    };
    changes.iter().for_each(|change| by_kernel(change, 1));
    by_kernel(&three, 1);
    rig.barrier();
    let wanted = [start.wrapping_add(value), start & value, start | value, start ^ value, value];
    assert_eq!(words.to_vec().expect("read"), wanted);
    assert_eq!(half.to_vec().expect("read"), [2, 5], "32 bits wrap around, and what is beside them stays");
    rig.barrier();
    // The kernel's own blocks, and streams, one of which posts several operations.
    let (blocks, times) = (3, rig.times(4, 100));
    rig.run(kernels::post_prepared, Grid::linear(blocks, 32), (changes[0].device(), times, 0));
    for _ in 0..times {
        rig.stream.post(&changes[0]).expect("post");
        rig.stream.post(&signal).expect("post");
    }
    rig.wait();
    shmem.quiet().expect("quiet");
    rig.barrier();
    let all = 1 + (u64::from(blocks) + 1) * times;
    assert_eq!(words.at(0).as_slice().to_vec().expect("read"), [start.wrapping_add(value.wrapping_mul(all))]);
    assert_eq!(added.to_vec().expect("read"), [0, 2 * times]);
    rig.barrier();
    for round in 1..=20 {
        src.copy_from(&(0..300).map(|i| mix(round, i)).collect::<Vec<_>>()).expect("write");
        if round % 2 == 0 {
            by_kernel(&put, 1)
        } else {
            rig.stream.post(&put).expect("post")
        }
        assert_eq!(shmem.signal_wait_until(added.at(0), cushmem::Cmp::Ge, round).expect("wait"), round);
        let seen = dst.to_vec().expect("read");
        let wrong = (0..300).find(|i| seen[*i as usize] != mix(round, *i));
        assert_eq!(wrong, None, "round {round}: data after their signal");
        rig.wait();
        shmem.quiet().expect("quiet");
        rig.barrier();
    }
}

/// Catches a name that leads to a different operation after its own is destroyed, and a table that fills up with
/// destroyed ones.
fn names_are_used_again(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let counter = on_host(&rig, &[0]);
    let add = || shmem.prepare(Operation::atomic(counter.at(0), WordUpdate::Add, 1u64, 0).expect("describe"));
    let old = add().expect("prepare").device();
    let new = add().expect("prepare");
    assert_eq!((new.device().index, new.device().generation), (old.index, old.generation + 1));
    let many: Vec<_> = (1..4096).map(|_| add().expect("prepare")).collect();
    let error = add().err().expect("there is no room").to_string();
    assert!(error.contains("the limit of 4096 prepared operations and triggers"), "{error}");
    drop(many);
    rig.run(kernels::post_prepared, Grid::linear(1, 1), (add().expect("prepare").device(), 1, 0));
    rig.run(kernels::post_prepared, Grid::linear(1, 1), (new.device(), 2, 0));
    assert_eq!(counter.to_vec().expect("read"), [3]);
}

/// Catches a command for which the proxy waits although the proxy itself has to carry it out. It comes from kernels
/// that were compiled for jobs in which all PEs are mapped, and that wait for a reply.
#[test]
fn a_reply_to_what_is_staged() {
    let name = concat!(module_path!(), "::a_reply_to_what_is_staged");
    run(name, Backend::Soft, &[2], &[("CUSHMEM_P2P", "0")], |shmem| {
        let rig = Rig::new(shmem);
        let words: Vec<_> = (0..100).map(|i| mix(u64::from(shmem.my_pe()), i)).collect();
        let (src, dst) = (rig.symmetric(&words), rig.symmetric(&vec![0u64; 100]));
        let (signal, remote) = (rig.on_host(&[0]), shmem.my_pe() ^ 1);
        let put = Operation::put_signal(dst, src, signal.at(0), 5, SignalOp::Set, remote).expect("describe");
        let put = shmem.prepare(put).expect("prepare");
        let DevicePrepared { index, generation } = put.device();
        let head = CommandHead { kind: CommandKind::Prepared.number(), width: 0, context: 0, pe: 0 }.bits();
        // The last reply, which no lane of a kernel has claimed.
        let arguments = [index.into(), generation.into(), 0, RING_REPLIES as u64, 0, 0, 0];
        let words = rig.private(&Command { head, arguments }.encode(lap(0, RING_SLOTS as u64)));
        rig.barrier();
        let at = offset_of!(HostRing, slots) as u64;
        rig.run(kernels::store_into_ring, Grid::linear(1, 1), (words.device_ptr(), SLOT_WORDS, at, 1000));
        shmem.quiet().expect("quiet");
        rig.barrier();
        let expected: Vec<_> = (0..100).map(|i| mix(u64::from(remote), i)).collect();
        assert_eq!((dst.to_vec().expect("read"), signal.to_vec().expect("read")), (expected, vec![5]));
        rig.barrier();
    });
}

/// Catches a quiet that misses the command of a kernel that has ended, because a lane of another kernel has claimed the
/// slot before it and has not stored its own command.
#[test]
fn a_command_behind_a_gap() {
    let name = concat!(module_path!(), "::a_command_behind_a_gap");
    run(name, Backend::Soft, &[1], &[], |shmem| {
        let [runs, ends, fills] = [(); 3].map(|()| Rig::new(shmem));
        let counter = runs.on_host(&[0]);
        let head = CommandHead { kind: WordOp::Add as u8, width: 8, context: 0, pe: 0 }.bits();
        let add = Command { head, arguments: [counter.device_ptr().address(), 1, 0, 0, 0, 0, 0] };
        let words = runs.private(&add.encode(lap(0, RING_SLOTS as u64)));
        let go_on = runs.private(&[0u64]);
        let store = |at: usize, n: usize| (words.device_ptr(), n, (offset_of!(HostRing, slots) + 64 * at) as u64, 1000);
        let one = Grid::linear(1, 1);
        runs.start(kernels::store_into_ring, one, (go_on.device_ptr(), 0, 0, LIMIT_NS));
        ends.run(kernels::store_into_ring, one, store(1, SLOT_WORDS));
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let quiet = scope.spawn(|| {
                shmem.quiet().expect("quiet");
                let found = counter.to_vec().expect("read");
                is_over.store(true, Ordering::Release);
                found
            });
            // A quiet that waits sees nothing before the gap is filled; one that does not wait returns long before.
            let start = Instant::now();
            while !is_over.load(Ordering::Acquire) && start.elapsed() < Duration::from_millis(200) {
                std::thread::yield_now();
            }
            fills.run(kernels::store_into_ring, one, store(0, SLOT_WORDS));
            assert_eq!(quiet.join().expect("it ends"), [2]);
        });
        go_on.copy_from(&[1]).expect("write");
        runs.wait();
    });
}

/// Catches the name of a destroyed operation that leads to another one, and a message that does not say what is wrong.
fn stale(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let counter = on_host(&rig, &[0]);
    let add = || shmem.prepare(Operation::atomic(counter.at(0), WordUpdate::Add, 1u64, 0).expect("describe"));
    let old = add().expect("prepare").device();
    let _new = add().expect("prepare");
    rig.start(kernels::post_prepared, Grid::linear(1, 1), (old, 1, 0));
    rig.wait();
    shmem.quiet().expect("quiet");
    panic!("the counter is {:?}", counter.to_vec());
}

const STALE: &str = "kernel post_prepared: command 0 (slot 0, Prepared, width 0, context 1): there is no prepared operation 0 of \
                     generation 0: it was freed or never created";

#[test]
fn a_stale_name_ends_the_job_on_soft() {
    run_to_failure(
        concat!(module_path!(), "::a_stale_name_ends_the_job_on_soft"),
        Backend::Soft,
        &[],
        &[STALE],
        &[],
        |shmem| stale(&shmem),
    );
}

#[test]
fn a_stale_name_ends_the_job_on_cuda() {
    run_to_failure(
        concat!(module_path!(), "::a_stale_name_ends_the_job_on_cuda"),
        Backend::Cuda,
        &[],
        &[STALE],
        &[],
        |shmem| stale(&shmem),
    );
}
