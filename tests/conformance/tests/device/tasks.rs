//! Puts with a task, by the CPU and by each scope of kernels: on mapped PEs, on PEs that are not mapped, and between
//! nodes; by executors that stay, and by those that are launched.

use crate::rig::{LIMIT_NS, Rig};
use cushmem::{Cmp, Grid, Shmem, SignalOp, SymSlice, TaskExecutor, TaskFunction, TaskOptions, TaskQueue};
use cushmem_conformance::{conformance, on_nodes};
use cushmem_conformance_kernels::{self as kernels, tasks::TASKS};

const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
const SOFT: &[(&str, &str)] = &[("CUSHMEM_GPU", "soft")];
pub(crate) const LAUNCHED: &[(&str, &str)] = &[("TEST_EXECUTOR", "launched")];
const LAUNCHED_APART: &[(&str, &str)] = &[("TEST_EXECUTOR", "launched"), ("CUSHMEM_P2P", "0")];
const LAUNCHED_SOFT: &[(&str, &str)] = &[("TEST_EXECUTOR", "launched"), ("CUSHMEM_GPU", "soft")];

conformance! { soft, cuda => {
    by_the_cpu: 1, 2, 4;
    by_threads: 1, 2, 3;
    by_warps: 2;
    by_blocks: 2, 3;
    by_streams: 1, 2, 3;
    without_data: 2;
    by_all_lanes_of_a_warp: 1, 2;
    little_data: 1, 2;
    laps_that_come_round: 1;
    odd_bytes: 1;
    into_host_memory: 2;
    by_several_blocks_of_the_executor: 2;
    answers_come_before_the_signal: 1, 2, 3;
    arguments: 2;
    on_and_on: 1, 2, 4;
    none_is_left_behind: 2;
    two_queues: 2;
    beside_calls_that_wait_for_the_gpu: 2;
    a_queue_that_nobody_frees: 2;
    room_for_the_executor: 2;
    freed_pieces_beside_a_queue: 2;
} }

mod apart {
    use super::*;
    conformance! { with APART: soft, cuda => {
        by_the_cpu: 2, 3;
        by_threads: 2;
        by_warps: 2;
        by_blocks: 2, 3;
        by_streams: 2, 3;
        without_data: 2;
        by_all_lanes_of_a_warp: 2;
        into_host_memory: 2;
        answers_come_before_the_signal: 2, 3;
        on_and_on: 3;
        none_is_left_behind: 2;
    } }
}

on_nodes! { with SOFT: {
    by_the_cpu: 2 on 2, 4 on 2;
    by_threads: 2 on 2;
    by_blocks: 2 on 2, 3 on 2;
    by_streams: 2 on 2, 3 on 2;
    without_data: 2 on 2;
    into_host_memory: 2 on 2;
    answers_come_before_the_signal: 2 on 2, 4 on 2 by "cyclic";
    on_and_on: 3 on 3;
    none_is_left_behind: 2 on 2;
} }

mod launched {
    use super::*;
    conformance! { with LAUNCHED: soft, cuda => {
        by_the_cpu: 1, 2, 4;
        by_threads: 1, 3;
        by_warps: 2;
        by_blocks: 2;
        by_streams: 1, 2;
        without_data: 2;
        by_all_lanes_of_a_warp: 2;
        into_host_memory: 2;
        by_several_blocks_of_the_executor: 2;
        answers_come_before_the_signal: 1, 3;
        arguments: 2;
        on_and_on: 1, 4;
        none_is_left_behind: 2;
        two_queues: 2;
        beside_calls_that_wait_for_the_gpu: 2;
        a_queue_that_nobody_frees: 2;
        all_blocks_are_the_program_s: 2;
        what_a_launch_leaves: 2;
        freed_pieces_beside_a_queue: 2;
    } }

    mod apart {
        use super::*;
        conformance! { with LAUNCHED_APART: soft, cuda => {
            by_the_cpu: 2;
            by_threads: 2;
            by_blocks: 2, 3;
            by_streams: 2, 3;
            without_data: 2;
            into_host_memory: 2;
            answers_come_before_the_signal: 2;
            none_is_left_behind: 2;
        } }
    }

    on_nodes! { with LAUNCHED_SOFT: {
        by_the_cpu: 4 on 2;
        by_threads: 2 on 2;
        by_blocks: 3 on 2;
        by_streams: 3 on 2;
        answers_come_before_the_signal: 4 on 2 by "cyclic";
        on_and_on: 3 on 3;
        none_is_left_behind: 2 on 2;
    } }
}

/// Whether this job's executors are launched.
pub(crate) fn executor() -> TaskExecutor {
    let is_launched = std::env::var("TEST_EXECUTOR").is_ok_and(|value| value == "launched");
    if is_launched { TaskExecutor::Launched } else { TaskExecutor::Resident }
}

/// An executor as small as the emulation likes, and few slots, so that rows are full again and again.
fn options() -> TaskOptions {
    TaskOptions { slots: 4, threads: 32, executor: executor(), ..TaskOptions::default() }
}

fn queue<'a>(rig: &'a Rig<'_>, options: TaskOptions) -> TaskQueue<'a> {
    rig.shmem.task_queue(&rig.module, &TASKS, options).expect("task_queue")
}

fn until_done(shmem: &Shmem, done: SymSlice<'_, u64>, value: u64) {
    shmem.signal_wait_until(done.at(0), Cmp::Ge, value).expect("wait");
}

/// Catches data that come after their task, are lost or are added twice, and a signal before the sum. The signal is in
/// host memory in odd rounds, and in GPU memory in even ones.
pub(crate) fn by_the_cpu(shmem: &Shmem) {
    const WORDS: usize = 100;
    let rig = Rig::new(shmem);
    let (n, me, next) = (shmem.n_pes() as usize, shmem.my_pe(), rig.next());
    let (inbox, sums) = (rig.symmetric(&vec![0u64; WORDS * n]), rig.symmetric(&[0u64; WORDS]));
    let done = [rig.symmetric(&[0u64]), rig.on_host(&[0u64])];
    let queue = queue(&rig, options());
    let (inbox, total) = (queue.buffer(inbox).expect("a buffer"), queue.buffer(sums).expect("a buffer"));
    assert_eq!((inbox, total), (0, 1));
    let place = (8 * WORDS * me as usize) as u64;
    let rounds = rig.times(12, 1000);
    for round in 1..=rounds {
        let words: Vec<u64> = (0..WORDS as u64).map(|i| round * i).collect();
        let done = done[round as usize % 2];
        let call = kernels::tasks::add.call((total, 0)).at(inbox, place).then(done.device_ptr(), round, SignalOp::Set);
        // SAFETY: each PE has a part of the inbox, and waits before it uses it again.
        unsafe { queue.put_task(call, &words, next) }.expect("put_task");
        until_done(shmem, done, round);
        if round == rounds / 2 {
            // The signal says that the sum is there: its PE has no part in it.
            let mut seen = vec![0; WORDS];
            shmem.get(&mut seen, sums, next).expect("get");
            let all: u64 = (1..=round).sum();
            assert_eq!(seen, (0..WORDS as u64).map(|i| all * i).collect::<Vec<_>>(), "after {round} rounds");
        }
    }
    queue.free().expect("free");
    let all: u64 = (1..=rounds).sum();
    assert_eq!(sums.to_vec().expect("read"), (0..WORDS as u64).map(|i| all * i).collect::<Vec<_>>());
}

/// Has `blocks` blocks of 64 lanes put tasks to the next PE, in `rounds` rounds, and checks that each ran once and
/// found its data.
fn by_kernels(shmem: &Shmem, (by, on_host): (u32, bool), n: usize, options: TaskOptions) {
    let rig = Rig::new(shmem);
    // The buffer has 256 places for each PE.
    let (blocks, rounds) = (rig.times(2, if by == 3 { 4 } else { 32 }), rig.times(10, if by == 3 { 50 } else { 500 }));
    let scopes = blocks * [2, 2, 1, 64, 2][by as usize];
    let inbox = vec![0u64; (n << 8) * shmem.n_pes() as usize + 1];
    let inbox = if on_host { rig.on_host(&inbox) } else { rig.symmetric(&inbox) };
    let counts = rig.symmetric(&[0u64; 2]);
    let done = rig.symmetric(&vec![0u64; scopes as usize]);
    let (source, late) = (rig.private(&vec![0u64; n * scopes as usize + 1]), rig.symmetric(&[0u64]));
    let queue = queue(&rig, options);
    queue.buffer(inbox).expect("a buffer");
    queue.buffer(counts).expect("a buffer");
    let pointers = (source.device_ptr(), done.device_ptr(), late.device_ptr());
    let args = (queue.device(), pointers.0, pointers.1, pointers.2, n, rounds, rig.next(), by, LIMIT_NS);
    rig.run(kernels::put_tasks, Grid::linear(blocks, 64), args);
    queue.free().expect("free");
    assert_eq!(late.to_vec().expect("read"), [0], "tasks that were not done in time");
    let [wrong, ran] = counts.to_vec().expect("read")[..] else { unreachable!("two words") };
    assert_eq!((wrong, ran), (0, rounds * u64::from(scopes)), "wrong words, and tasks that ran");
    assert!(done.to_vec().expect("read").iter().all(|done| *done == rounds), "a signal too few or too many");
}

pub(crate) fn by_threads(shmem: &Shmem) {
    by_kernels(shmem, (0, false), 5, options());
}

fn by_warps(shmem: &Shmem) {
    by_kernels(shmem, (1, false), 70, options());
}

pub(crate) fn by_blocks(shmem: &Shmem) {
    by_kernels(shmem, (2, false), 700, options());
}

/// Catches a task that comes before its data or before what the stream did earlier, data that are not those of the
/// moment at which the stream reaches the task, and a row that kernels and streams do not share. The words are few for
/// one kernel, and then too many; they are in GPU memory, in pinned memory, and in a buffer in host memory.
fn by_streams(shmem: &Shmem) {
    const LARGE: usize = 5_000;
    let rig = Rig::new(shmem);
    let (n, me, next) = (shmem.n_pes() as usize, shmem.my_pe(), rig.next());
    let inboxes = [rig.symmetric(&vec![0u64; LARGE * n]), rig.on_host(&vec![0u64; LARGE * n])];
    let (sums, gate) = (rig.symmetric(&vec![0u64; LARGE]), rig.on_host(&[0u64]));
    let done = [rig.symmetric(&[0u64]), rig.on_host(&[0u64])];
    let (source, pinned) = (rig.private(&vec![0u64; LARGE]), rig.on_host(&vec![0u64; LARGE]));
    let queue = queue(&rig, options());
    let inboxes = inboxes.map(|inbox| queue.buffer(inbox).expect("a buffer"));
    let total = queue.buffer(sums).expect("a buffer");
    let stream = &rig.stream;
    let (place, rounds) = ((8 * LARGE * me as usize) as u64, rig.times(8, 400));
    let mut expected = vec![0; LARGE];
    for round in 1..=rounds {
        let words: Vec<u64> = (0..LARGE as u64).map(|i| round * (i + 1)).collect();
        let length = [1, 100, LARGE][round as usize % 3];
        let (inbox, done) = (inboxes[round as usize % 2], done[round as usize / 2 % 2]);
        let call = kernels::tasks::add.call((total, 0)).at(inbox, place).then(done.device_ptr(), round, SignalOp::Set);
        stream.signal_wait_until(gate.at(0), Cmp::Eq, round).expect("wait");
        // SAFETY: each PE has a part of the inboxes, and waits before it uses it again.
        let put = unsafe {
            if round % 4 < 2 {
                stream.put_task(&queue, call, source.slice(..length), next)
            } else {
                stream.put_task(&queue, call, pinned.slice(..length), next)
            }
        };
        put.expect("put_task");
        stream.signal_wait_until(done.at(0), Cmp::Eq, round).expect("wait");
        // Behind the call: the stream has yet to read them.
        if round % 4 < 2 { source.copy_from(&words) } else { pinned.copy_from(&words) }.expect("write");
        shmem.put(gate, &[round], me).expect("put");
        rig.wait();
        expected.iter_mut().zip(&words).take(length).for_each(|(sum, word)| *sum += word);
    }
    // Tasks of two streams that nobody waits for, more than fit, and tasks without data.
    let (other, call) = (shmem.stream().expect("a stream"), kernels::tasks::add.call((total, 0)).at(inboxes[0], place));
    source.copy_from(&[1; LARGE]).expect("write");
    for _ in 0..10 {
        for stream in [stream, &other] {
            // SAFETY: all bring the same numbers.
            unsafe { stream.put_task(&queue, call, source.slice(..3), next) }.expect("put_task");
        }
    }
    other.synchronize().expect("synchronize");
    rig.wait();
    queue.free().expect("free");
    expected.iter_mut().take(3).for_each(|sum| *sum += 20);
    assert_eq!(sums.to_vec().expect("read"), expected);
}

/// Catches words of another task where little data travel in the slots of tasks: as much as fits, a little more, and
/// lengths that change from task to task.
fn little_data(shmem: &Shmem) {
    for (by, n, slots, blocks, threads, on_host) in [
        (0, 1, 1, 1, 32, false),
        (1, 8, 4, 1, 64, false),
        (2, 9, 4, 1, 32, false),
        (3, 1, 1, 1, 32, false),
        (3, 8, 4, 1, 96, true),
        (3, 8, 64, 2, 32, false),
        (4, 12, 2, 1, 64, true),
        (4, 12, 16, 3, 64, false),
        (0, 8, 16, 3, 32, false),
    ] {
        by_kernels(shmem, (by, on_host), n, TaskOptions { slots, blocks, threads, ..options() });
    }
}

/// Catches words that are taken for those of a task because the marks have come round, and a task with little data that
/// does not bring them in its slot.
fn laps_that_come_round(shmem: &Shmem) {
    // Words of lap 5 would have the marks of the lap 2^32 later, had nobody renewed them.
    const LAPS: [(u64, u64); 5] = [(5, 8), (1 << 31, 9), (1 << 32, 9), ((1 << 32) + 5, 8), ((1 << 32) + 6, 1)];
    let rig = Rig::new(shmem);
    let (inbox, counts) = (rig.symmetric(&[0u64; 9]), rig.symmetric(&[0u64; 2]));
    let (done_words, wrong, source) = (rig.symmetric(&[0u64]), rig.symmetric(&[0u64; 2]), rig.private(&[0u64; 9]));
    let laps = rig.private(&LAPS.map(|(lap, n)| [lap, n]).concat());
    for blocks in [1, 2] {
        let queue = queue(&rig, TaskOptions { slots: 2, blocks, ..options() });
        queue.buffer(inbox).expect("a buffer");
        queue.buffer(counts).expect("a buffer");
        let (source, done, wrong_at) = (source.device_ptr(), done_words.device_ptr(), wrong.device_ptr());
        let args = (queue.device(), source, laps.device_ptr(), LAPS.len(), done, wrong_at, LIMIT_NS);
        rig.run(kernels::put_in_laps, Grid::linear(1, 1), args);
        queue.free().expect("free");
        let [wrong, ran] = [wrong, counts].map(|words| words.to_vec().expect("read"));
        assert_eq!((wrong, ran), (vec![0, 0], vec![0, 10]), "wrong slots and words, and what ran");
        counts.copy_from(&[0; 2]).expect("write");
        done_words.copy_from(&[0]).expect("write");
    }
}

/// Catches bytes that are lost, or stored elsewhere, if they are not whole words, or not aligned as words are.
fn odd_bytes(shmem: &Shmem) {
    const BYTES: usize = 96;
    let rig = Rig::new(shmem);
    let (inbox, source, done) = (rig.symmetric(&[0u8; BYTES]), rig.private(&[0u8; BYTES]), rig.symmetric(&[0u64]));
    let bytes: Vec<u8> = (1..=BYTES as u8).collect();
    source.copy_from(&bytes).expect("write");
    let queue = queue(&rig, options());
    queue.buffer(inbox).expect("a buffer");
    let cases = [(0, 0, 1), (0, 0, 4), (0, 0, 12), (0, 8, 63), (8, 8, 64), (4, 0, 8), (0, 4, 8), (4, 4, 64), (1, 3, 7)];
    for (round, (from, to, n)) in (1..).zip(cases) {
        inbox.copy_from(&[0; BYTES]).expect("write");
        let (source, done) = (source.device_ptr().add(from), done.device_ptr());
        let args = (queue.device(), source, n, to as u64, done, round, LIMIT_NS);
        rig.run(kernels::put_bytes, Grid::linear(1, 1), args);
        let mut expected = vec![0; BYTES];
        expected[to..to + n].copy_from_slice(&bytes[from..from + n]);
        assert_eq!(inbox.to_vec().expect("read"), expected, "{n} bytes from {from} to {to}");
    }
    queue.free().expect("free");
}

/// Catches data in host memory that come after their task in GPU memory.
fn into_host_memory(shmem: &Shmem) {
    for (by, n) in [(0, 5), (1, 70), (2, 700)] {
        by_kernels(shmem, (by, true), n, options());
    }
}

/// Catches a slot that is overwritten before its task was taken: no scope waits before the last round, so the single
/// slot is always in use.
fn without_data(shmem: &Shmem) {
    by_kernels(shmem, (0, false), 0, TaskOptions { slots: 1, ..options() });
}

/// Catches a lane that cannot fill the slot of its ticket, because other lanes of its warp wait for theirs.
fn by_all_lanes_of_a_warp(shmem: &Shmem) {
    for slots in [1, 4] {
        by_kernels(shmem, (3, false), 0, TaskOptions { slots, ..options() });
    }
}

/// Catches a task that two blocks run, or none.
fn by_several_blocks_of_the_executor(shmem: &Shmem) {
    by_kernels(shmem, (1, false), 70, TaskOptions { blocks: 3, threads: 64, ..options() });
    by_kernels(shmem, (0, false), 0, TaskOptions { blocks: 3, slots: 16, ..options() });
}

/// Catches a signal that comes before what the task has put to the PE that waits for it.
fn answers_come_before_the_signal(shmem: &Shmem) {
    const WORDS: usize = 300;
    let rig = Rig::new(shmem);
    let all = WORDS * shmem.n_pes() as usize;
    let (inbox, answers) = (rig.symmetric(&vec![0u64; all]), rig.symmetric(&vec![0u64; all]));
    let (done, wrong) = (rig.symmetric(&[0u64]), rig.symmetric(&[0u64; 2]));
    let source = rig.private(&[0u64; WORDS]);
    let queue = queue(&rig, options());
    queue.buffer(inbox).expect("a buffer");
    queue.buffer(answers).expect("a buffer");
    let (rounds, next) = (rig.times(20, 2000), rig.next());
    let pointers = (source.device_ptr(), answers.device_ptr(), done.device_ptr(), wrong.device_ptr());
    let (words, answers, done, counts) = pointers;
    let args = (queue.device(), words, answers, done, counts, WORDS, rounds, next, LIMIT_NS);
    rig.run(kernels::ask, Grid::linear(1, 64), args);
    queue.free().expect("free");
    assert_eq!(wrong.to_vec().expect("read"), [0, 0], "answers that were not there, and signals that never came");
}

/// Catches arguments that are mixed up or cut, and data at a wrong place.
fn arguments(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (inbox, notes, done) = (rig.symmetric(&[0u64; 4]), rig.symmetric(&[0u64; 7]), rig.on_host(&[0u64]));
    let queue = queue(&rig, TaskOptions { executor: executor(), ..TaskOptions::default() });
    queue.buffer(inbox).expect("a buffer");
    let notes_number = queue.buffer(notes).expect("a buffer");
    let call = kernels::tasks::note.call((notes_number, 200, -7, -0.25, i64::MIN, u64::MAX));
    let me = u64::from(shmem.my_pe());
    // SAFETY: only the previous PE writes this PE's words.
    unsafe {
        let call = call.then(done.device_ptr(), 1, SignalOp::Add);
        queue.put_task(call, &[] as &[u64], rig.next()).expect("put_task");
        until_done(shmem, done, 1);
        rig.barrier();
        let from = u64::from(rig.previous());
        let expected = [200, (-7i64).cast_unsigned(), (-0.25f64).to_bits(), 1 << 63, u64::MAX, from, 0];
        assert_eq!(notes.to_vec().expect("read"), expected);
        rig.barrier();
        queue.put_task(call.at(0, 24), &[me + 5], rig.next()).expect("put_task");
        until_done(shmem, done, 2);
        rig.barrier();
        assert_eq!(notes.to_vec().expect("read")[6], from + 5);
        assert_eq!(inbox.to_vec().expect("read"), [0, 0, 0, from + 5]);
    }
    queue.free().expect("free");
}

/// Catches a task that cannot put another one.
fn on_and_on(shmem: &Shmem) {
    const HOPS: u64 = 20;
    let rig = Rig::new(shmem);
    let (inbox, counts) = (rig.symmetric(&[0u64]), rig.symmetric(&[0u64; 2]));
    let queue = queue(&rig, options());
    queue.buffer(inbox).expect("a buffer");
    let number = queue.buffer(counts).expect("a buffer");
    // SAFETY: there are no data.
    unsafe { queue.put_task(kernels::tasks::pass_on.call((number, HOPS)), &[] as &[u64], rig.next()) }
        .expect("put_task");
    shmem.wait_until(counts.at(1), Cmp::Ge, 1).expect("wait");
    queue.free().expect("free");
    assert_eq!(counts.to_vec().expect("read"), [0, 1]);
}

/// Catches tasks without a signal that the end of the queue forgets.
fn none_is_left_behind(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (inbox, sums) = (rig.symmetric(&[0u64; 8]), rig.symmetric(&[0u64; 8]));
    let queue = queue(&rig, TaskOptions { slots: 128, ..options() });
    queue.buffer(inbox).expect("a buffer");
    let sums_number = queue.buffer(sums).expect("a buffer");
    for i in 0..100 {
        let call = kernels::tasks::add.call((sums_number, i % 8)).at(0, 8 * (i % 8));
        // SAFETY: all tasks of a word bring the same number.
        unsafe { queue.put_task(call, &[1 + i % 8], rig.next()) }.expect("put_task");
    }
    queue.free().expect("free");
    let expected = |i: u64| if i < 4 { 13 * (i + 1) } else { 12 * (i + 1) };
    assert_eq!(sums.to_vec().expect("read"), (0..8).map(expected).collect::<Vec<_>>());
}

/// Catches executors that keep each other from running.
fn two_queues(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let counts = rig.symmetric(&[0u64; 2]);
    let queues = [queue(&rig, options()), queue(&rig, options())];
    for queue in &queues {
        queue.buffer(counts).expect("a buffer");
        for round in 0..5 {
            let call = kernels::tasks::verify.call((0, 0, round));
            // SAFETY: there are no data.
            unsafe { queue.put_task(call, &[] as &[u64], rig.next()) }.expect("put_task");
        }
    }
    for queue in queues {
        queue.free().expect("free");
    }
    assert_eq!(counts.to_vec().expect("read"), [0, 10]);
}

/// Catches an executor that stays for ever: each of these calls of the driver waits until the GPU is idle.
fn beside_calls_that_wait_for_the_gpu(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (counts, done) = (rig.symmetric(&[0u64; 2]), rig.on_host(&[0u64]));
    let queue = queue(&rig, options());
    queue.buffer(counts).expect("a buffer");
    for round in 1..=5 {
        let call = kernels::tasks::verify.call((0, 0, round)).then(done.device_ptr(), 1, SignalOp::Add);
        // SAFETY: there are no data.
        unsafe { queue.put_task(call, &[] as &[u64], rig.next()) }.expect("put_task");
        drop(rig.private(&[round]));
        drop(Rig::new(shmem));
        let object = rig.symmetric(&[round]);
        shmem.free(object).expect("free");
        until_done(shmem, done, round);
    }
    queue.free().expect("free");
    assert_eq!(counts.to_vec().expect("read"), [0, 5]);
}

/// Catches an executor that outlives the job and holds up its end.
fn a_queue_that_nobody_frees(shmem: &Shmem) {
    let rig = &Rig::new(shmem);
    let counts = rig.symmetric(&[0u64; 2]);
    let (dropped, forgotten) = (queue(rig, options()), queue(rig, options()));
    dropped.buffer(counts).expect("a buffer");
    // SAFETY: there are no data.
    unsafe { dropped.put_task(kernels::tasks::verify.call((0, 0, 0)), &[] as &[u64], rig.next()) }.expect("put_task");
    shmem.wait_until(counts.at(1), Cmp::Ge, 1).expect("wait");
    rig.barrier();
    drop(dropped);
    std::mem::forget(forgotten);
}

/// Catches a cooperative kernel of as many blocks as fit that never starts, because the executor has the room of one.
fn room_for_the_executor(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let wrong = rig.symmetric(&[0u64]);
    let fit = || rig.module.max_resident_blocks(kernels::grid_rounds, 256).expect("a number");
    let all = fit();
    let queue = queue(&rig, options());
    let beside = fit();
    assert!(beside < all, "{beside} of {all} blocks fit beside the executor");
    let words = rig.private(&vec![0u64; 2 * beside as usize]);
    let args = (rig.stream.grid_counter(), words.device_ptr(), 7, wrong.device_ptr());
    rig.start_cooperative(kernels::grid_rounds, Grid::linear(beside, 256), args);
    rig.wait();
    queue.free().expect("free");
    assert_eq!((fit(), wrong.to_vec().expect("read")), (all, vec![0]));
}

/// Catches a launched executor of which blocks stay, and a cooperative kernel of all blocks after which no task runs.
fn all_blocks_are_the_program_s(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (wrong, counts, done) = (rig.symmetric(&[0u64]), rig.symmetric(&[0u64; 2]), rig.on_host(&[0u64]));
    let fit = || rig.module.max_resident_blocks(kernels::grid_rounds, 256).expect("a number");
    let all = fit();
    let queue = queue(&rig, options());
    queue.buffer(counts).expect("a buffer");
    assert_eq!(fit(), all, "blocks that fit beside a queue");
    let words = rig.private(&vec![0u64; 2 * all as usize]);
    for round in 1..=rig.times(3, 100) {
        let args = (rig.stream.grid_counter(), words.device_ptr(), 7, wrong.device_ptr());
        rig.start_cooperative(kernels::grid_rounds, Grid::linear(all, 256), args);
        let call = kernels::tasks::verify.call((0, 0, round)).then(done.device_ptr(), round, SignalOp::Set);
        // SAFETY: there are no data.
        unsafe { queue.put_task(call, &[] as &[u64], rig.next()) }.expect("put_task");
        until_done(shmem, done, round);
        rig.wait();
    }
    queue.free().expect("free");
    assert_eq!((wrong.to_vec().expect("read"), counts.to_vec().expect("read")[0]), (vec![0], 0));
}

/// Catches tasks that nobody runs because the launch that should have taken them has ended before: its time is over
/// behind the first.
fn what_a_launch_leaves(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (counts, done) = (rig.symmetric(&[0u64; 2]), rig.on_host(&[0u64]));
    let queue = queue(&rig, TaskOptions { slots: 16, ..options() });
    queue.buffer(counts).expect("a buffer");
    for round in 1..=3 {
        let put = |call| {
            // SAFETY: there are no data.
            unsafe { queue.put_task(call, &[] as &[u64], rig.next()) }.expect("put_task");
        };
        // More than one launch takes at once.
        (0..12).for_each(|_| put(kernels::tasks::wait_for.call((30_000_000,))));
        put(kernels::tasks::verify.call((0, 0, round)).then(done.device_ptr(), round, SignalOp::Set));
        until_done(shmem, done, round);
    }
    queue.free().expect("free");
    assert_eq!(counts.to_vec().expect("read"), [0, 3]);
}

/// Catches pieces of the heap that are unpinned though an executor may begin to run at any moment: the driver would
/// wait for it, and it for the proxy's copies, which the driver holds up until then.
fn freed_pieces_beside_a_queue(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let malloc = |megabytes: usize| shmem.malloc::<u8>(megabytes << 20).expect("malloc");
    let free = |object| shmem.free(object).expect("free");
    // Two pieces, and what lies behind them in use.
    let (parts, behind) = ([9, 10].map(malloc), malloc(11));
    let start = parts[0].ptr(shmem.my_pe());
    parts.into_iter().for_each(free);
    let queue = queue(&rig, options());
    // A launched executor has come to rest.
    std::thread::sleep(std::time::Duration::from_millis(100));
    rig.barrier();
    let beside = malloc(15);
    assert_ne!(beside.ptr(shmem.my_pe()), start, "pieces were joined beside a queue");
    free(beside);
    queue.free().expect("free");
    let joined = malloc(18);
    assert_eq!(joined.ptr(shmem.my_pe()), start, "pieces were not joined without a queue");
    free(joined);
    free(behind);
}
