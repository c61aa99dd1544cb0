//! The command processor: puts and gets of single lanes, which another block of the GPU carries out, beside the same
//! ones in jobs without it.

use crate::rig::{LIMIT_NS, Rig};
use crate::routes::{ALL, Alone, Job, WORD};
use cushmem::{Cmp, Grid, Shmem, SignalOp, SymSlice, TaskFunction, TaskOptions};
use cushmem_abi::{ErrorCode, PROCESSOR_SLOTS, ProcessorRing};
use cushmem_conformance::{conformance, on_nodes, seeded};
use cushmem_conformance_kernels::{self as kernels, COPY_WORDS, tasks, tasks::TASKS};
use cushmem_path::ThreadCopy;
use std::mem::offset_of;

const ON: &[(&str, &str)] = &[("CUSHMEM_COMMAND_PROCESSOR", "1")];
const APART: &[(&str, &str)] = &[("CUSHMEM_COMMAND_PROCESSOR", "1"), ("CUSHMEM_P2P", "0")];
const ON_SOFT: &[(&str, &str)] = &[("CUSHMEM_COMMAND_PROCESSOR", "1"), ("CUSHMEM_GPU", "soft")];

conformance! { with ON: soft, cuda => {
    copies_at_random: 1, 2, 3;
    of_all_sizes: 1, 2;
    signals_come_after_the_data: 1, 2, 4;
    fences_come_after_the_data: 2;
    many_blocks: 2;
    the_cpu_completes_them: 2;
    the_cpu_completes_those_of_tasks: 1, 2;
    none_is_left_behind: 1, 2;
    room_beside_it: 2;
    beside_calls_that_wait_for_the_gpu: 2;
} }

mod off {
    use super::*;
    const OFF: &[(&str, &str)] = &[("CUSHMEM_COMMAND_PROCESSOR", "0")];
    conformance! { with OFF: soft, cuda => {
        copies_at_random: 2;
        of_all_sizes: 2;
        signals_come_after_the_data: 2;
        fences_come_after_the_data: 2;
        the_cpu_completes_them: 2;
    } }
}

mod apart {
    use super::*;
    conformance! { with APART: soft, cuda => {
        copies_at_random: 2;
        signals_come_after_the_data: 2;
        fences_come_after_the_data: 2;
    } }
}

on_nodes! { with ON_SOFT: {
    copies_at_random: 3 on 2;
    signals_come_after_the_data: 3 on 2;
} }

/// How many commands the processor was left and has completed; `None` if there is no processor.
fn counts(rig: &Rig<'_>) -> Option<[u64; 2]> {
    let words = rig.private(&[0u64; 3]);
    let at = [offset_of!(ProcessorRing, tickets), offset_of!(ProcessorRing, done)].map(|at| at as u64);
    rig.run(kernels::look_at_ring, Grid::linear(1, 1), (at[0], at[1], words.device_ptr()));
    let [posted, done, ring] = words.to_vec().expect("read").try_into().expect("three words");
    (ring != 0).then_some([posted, done])
}

/// Fails unless the processor has carried out so many commands, or, in a job with PEs that are not mapped, some.
fn check_counts(rig: &Rig<'_>, expected: u64) {
    let is_on = std::env::var("CUSHMEM_COMMAND_PROCESSOR").is_ok_and(|value| value == "1");
    let found = counts(rig);
    assert_eq!(found.is_some(), is_on, "whether there is a processor");
    if let Some([posted, done]) = found {
        assert_eq!(posted, done, "commands that are not complete after a quiet");
        if rig.reaches_all() {
            assert_eq!(posted, expected, "commands that were left to the processor");
        }
    }
}

/// As many bytes go there whether they are put or got.
const LONG: u64 = 2 << 10;

/// The least bytes of a put and of a get that go there, by the job's table of paths.
fn least(shmem: &Shmem) -> [u64; 2] {
    let policy = shmem.policy();
    [ThreadCopy::Put, ThreadCopy::Get].map(|copy| policy.machine().costs.least_for_processor(copy).into())
}

/// What blocks do, and what their PE and the one to which they put have afterwards.
struct Plan {
    blocks: usize,
    ops: Vec<[u64; COPY_WORDS]>,
    /// Bytes of each block's area.
    area: usize,
}

impl Plan {
    fn words(&self) -> Vec<u64> {
        self.ops.iter().flatten().copied().collect()
    }
    fn per_block(&self) -> usize {
        self.ops.len() / self.blocks
    }
    /// How many operations the processor carries out.
    fn long_ones(&self, [put, get]: [u64; 2]) -> u64 {
        let is_long = |what, bytes| what < kernels::FENCE && bytes >= if what == 1 { get } else { put };
        self.ops.iter().filter(|[what, .., bytes]| is_long(*what, *bytes)).count() as u64
    }
    /// The inbox, the private area and the signals after these operations.
    fn outcome(&self, outbox: &[u8], theirs: &[u8]) -> (Vec<u8>, Vec<u8>, Vec<u64>) {
        let (mut inbox, mut private) = (vec![0; self.blocks * self.area], vec![0; self.blocks * self.area]);
        let mut signals = vec![0u64; self.blocks];
        for (at, [what, to, from, bytes]) in self.ops.iter().enumerate() {
            let (to, from, bytes) = (*to as usize, *from as usize, *bytes as usize);
            let (block, value) = (at / self.per_block(), (at % self.per_block()) as u64 + 1);
            match *what {
                0 | kernels::PUT_AND_SET | kernels::PUT_AND_ADD => {
                    inbox[to..to + bytes].copy_from_slice(&outbox[from..from + bytes]);
                }
                1 => private[to..to + bytes].copy_from_slice(&theirs[from..from + bytes]),
                _ => {}
            }
            match *what {
                kernels::PUT_AND_SET => signals[block] = value,
                kernels::PUT_AND_ADD => signals[block] += value,
                _ => {}
            }
        }
        (inbox, private, signals)
    }
}

/// The bytes that a PE has in its outbox.
fn outbox_of(pe: u32, len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + i / 251 + 31 * pe as usize + 1) as u8).collect()
}

/// Carries out the same plan on each PE, towards the next one, and compares with the outcome of a model.
fn compare(rig: &Rig<'_>, plan: &Plan, context: &str) {
    let (me, next, previous) = (rig.shmem.my_pe(), rig.next(), rig.previous());
    let len = plan.blocks * plan.area;
    let (inbox, outbox) = (rig.symmetric(&vec![0u8; len]), rig.symmetric(&outbox_of(me, len)));
    let (private, signals) = (rig.private(&vec![0u8; len]), rig.symmetric(&vec![0u64; plan.blocks]));
    let list = rig.private(&plan.words());
    rig.barrier();
    let before = counts(rig).map_or(0, |[posted, _]| posted);
    let pointers = (inbox.device_ptr(), private.device_ptr(), outbox.device_ptr(), signals.device_ptr());
    let args = (list.device_ptr(), plan.per_block(), pointers.0, pointers.1, pointers.2, pointers.3, next, 1);
    rig.run(kernels::carry_out, Grid::linear(plan.blocks as u32, 32), args);
    check_counts(rig, before + plan.long_ones(least(rig.shmem)));
    rig.barrier();
    let theirs = plan.outcome(&outbox_of(previous, len), &vec![0; len]).0;
    assert!(inbox.to_vec().expect("read") == theirs, "{context}: what PE {previous} has put");
    let (_, got, flags) = plan.outcome(&outbox_of(me, len), &outbox_of(next, len));
    assert!(private.to_vec().expect("read") == got, "{context}: what was got from PE {next}");
    assert_eq!(signals.to_vec().expect("read"), flags, "{context}: signals");
    rig.barrier();
    for result in [rig.shmem.free(inbox), rig.shmem.free(outbox), rig.shmem.free(signals)] {
        result.expect("free");
    }
}

/// Random puts, gets and signals of blocks, with a fence or quiet wherever the order of two of them matters: catches
/// bytes that are lost, moved or old, ranges that are cut, and a fence or quiet that does not wait.
pub(crate) fn copies_at_random(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let mut random = seeded();
    for round in 0..rig.times(4, 40) {
        let (blocks, area) = (1 + random.below(rig.times(4, 60)), 16 << 10);
        let per_block = 1 + random.below(30);
        let mut ops = vec![];
        for block in 0..blocks {
            // What was written since the last fence or quiet, at the target and here, and the kind of the last signal.
            let [mut there, mut here]: [Vec<(u64, u64)>; 2] = Default::default();
            let mut signals = None;
            let start = (block * area) as u64;
            while ops.len() < (block + 1) * per_block {
                let left = (block + 1) * per_block - ops.len();
                let what = *random.one_of(&[0, 0, 1, 1, kernels::PUT_AND_SET, kernels::PUT_AND_ADD, kernels::QUIET]);
                let most = *random.one_of(&[64, 2048, 8192, area]);
                let mut bytes = 1 + random.below(most) as u64;
                if random.below(2) == 0 {
                    bytes = bytes.next_multiple_of(16).min(area as u64);
                }
                let unit = *random.one_of(&[1, 4, 8, 16]);
                let room = area as u64 - bytes;
                let mut place = || start + random.below(room as usize + 1) as u64 / unit * unit;
                let (to, from) = (place(), place());
                let overlaps = |list: &[(u64, u64)]| list.iter().any(|(at, end)| *at < to + bytes && to < *end);
                let is_get = what == 1;
                let clashes = if is_get { overlaps(&here) } else { overlaps(&there) };
                let is_signal = what == kernels::PUT_AND_SET || what == kernels::PUT_AND_ADD;
                if what == kernels::QUIET || clashes || is_signal && signals.is_some_and(|last| last != what) {
                    // A fence orders puts, but not gets.
                    let fence = what != kernels::QUIET && !is_get && left.is_multiple_of(2);
                    ops.push([if fence { kernels::FENCE } else { kernels::QUIET }, 0, 0, 0]);
                    there.clear();
                    if !fence {
                        here.clear();
                    }
                    signals = None;
                    continue;
                }
                if is_get {
                    here.push((to, to + bytes))
                } else {
                    there.push((to, to + bytes))
                }
                if is_signal {
                    // Two that set are in no order.
                    signals = Some(if what == kernels::PUT_AND_SET { u64::MAX } else { what });
                }
                ops.push([what, to, from, bytes]);
            }
        }
        let plan = Plan { blocks, ops, area };
        compare(&rig, &plan, &format!("round {round}, {blocks} blocks, {per_block} operations each"));
    }
}

/// One put, one get and one put with a signal of each of many lengths and alignments, also around the least lengths
/// that go to the processor.
pub(crate) fn of_all_sizes(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let around = least(shmem).into_iter().flat_map(|least| [least - 1, least, least + 1, least + 15]);
    let lengths = (0..20).chain(around).chain([4096, 4100, 65_535, 65_536, 100_003]);
    let area = 320 << 10;
    for bytes in lengths {
        let mut ops = vec![];
        for (to, from) in [(0, 0), (1, 1), (3, 8), (16, 4)] {
            let next = 110_000;
            let puts = [(0, to), (kernels::PUT_AND_ADD, next + to)];
            ops.extend(puts.map(|(what, to)| [what, to, from, bytes]));
            ops.extend([[1, to, from, bytes], [kernels::QUIET, 0, 0, 0]]);
        }
        compare(&rig, &Plan { blocks: 1, ops, area }, &format!("{bytes} bytes"));
    }
}

fn pass_on(shmem: &Shmem, by: u32, blocks: u32, words: usize, rounds: u64) {
    let rig = Rig::new(shmem);
    let n = blocks as usize;
    let (inbox, outbox) = (rig.symmetric(&vec![0u64; n * words]), rig.symmetric(&vec![0u64; n * words]));
    let (came, read) = (rig.symmetric(&vec![0u64; n]), rig.symmetric(&vec![0u64; n]));
    let (copy, report) = (rig.private(&vec![0u64; n * words]), rig.symmetric(&[0u64; 2]));
    let before = counts(&rig).map_or(0, |[posted, _]| posted);
    rig.barrier();
    let (boxes, words_of) = ((inbox.device_ptr(), outbox.device_ptr()), (came.device_ptr(), read.device_ptr()));
    let to = (rig.next(), rig.previous());
    let args = (boxes.0, boxes.1, copy.device_ptr(), words_of.0, words_of.1, report.device_ptr());
    let args = (args.0, args.1, args.2, args.3, args.4, args.5, words, rounds, to.0, to.1, by, LIMIT_NS);
    rig.start_cooperative(kernels::pass_on, Grid::linear(blocks, 32), args);
    rig.wait();
    assert_eq!(report.to_vec().expect("read"), [0, 0], "words that were wrong, and rounds that were late");
    check_counts(&rig, before + 2 * rounds * u64::from(blocks));
    rig.barrier();
}

/// Catches a signal before the data, and data that are got before they were put.
pub(crate) fn signals_come_after_the_data(shmem: &Shmem) {
    for by in [kernels::BY_SET, kernels::BY_ADD] {
        // Between nodes, additions are for host memory.
        if by == kernels::BY_SET || Rig::new(shmem).reaches_all() {
            pass_on(shmem, by, 2, 300, Rig::new(shmem).times(20, 1000));
        }
    }
}

/// Catches a flag behind a fence or a quiet that comes before the data.
pub(crate) fn fences_come_after_the_data(shmem: &Shmem) {
    for by in [kernels::BY_FENCE, kernels::BY_QUIET] {
        pass_on(shmem, by, 3, 500, Rig::new(shmem).times(20, 1000));
    }
}

/// Catches blocks that complete each other's operations too early, and contexts that are mixed up.
pub(crate) fn many_blocks(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let blocks = rig.times(16, 64);
    drop(rig);
    pass_on(shmem, kernels::BY_QUIET, blocks, LONG as usize / 8 + 2, Rig::new(shmem).times(5, 200));
}

/// More puts than the ring has slots, by blocks that do not wait for them, so that it is full again and again.
fn left_behind(rig: &Rig<'_>) -> Plan {
    let (blocks, bytes) = (8, LONG as usize + 16);
    let per_block = rig.times(2, 8) * PROCESSOR_SLOTS / blocks;
    let area = 64 * bytes;
    let place =
        |i: usize| [0, (i / per_block * area + i % 64 * bytes) as u64, (i / per_block * area) as u64, bytes as u64];
    Plan { blocks, ops: (0..blocks * per_block).map(place).collect(), area }
}

/// Runs a kernel that leaves all this to the processor, `rounds` times, and calls `after` with the inbox behind each.
fn leave_behind(rig: &Rig<'_>, rounds: u64, after: impl Fn(&Plan, SymSlice<'_, u8>)) -> u64 {
    let plan = left_behind(rig);
    let len = plan.blocks * plan.area;
    let (inbox, outbox) = (rig.symmetric(&vec![0u8; len]), rig.symmetric(&outbox_of(rig.shmem.my_pe(), len)));
    let (list, signals) = (rig.private(&plan.words()), rig.symmetric(&[0u64]));
    rig.barrier();
    let pointers = (inbox.device_ptr(), outbox.device_ptr(), signals.device_ptr());
    for _ in 0..rounds {
        let args = (list.device_ptr(), plan.per_block(), pointers.0, pointers.1, pointers.1, pointers.2, rig.next(), 0);
        rig.run(kernels::carry_out, Grid::linear(plan.blocks as u32, 32), args);
        after(&plan, inbox);
    }
    rounds * plan.long_ones(least(rig.shmem))
}

/// Catches a barrier of the CPU that does not complete what a kernel has left.
pub(crate) fn the_cpu_completes_them(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    // Twice, because the number of launches has changed then.
    let left = leave_behind(&rig, 2, |plan, inbox| {
        let len = plan.blocks * plan.area;
        rig.barrier();
        let expected = plan.outcome(&outbox_of(rig.previous(), len), &[]).0;
        assert!(inbox.to_vec().expect("read") == expected, "what PE {} has put", rig.previous());
        inbox.copy_from(&vec![0; len]).expect("write");
        rig.barrier();
    });
    check_counts(&rig, left);
}

/// Catches a barrier of the CPU that does not complete what a task has left: no kernel of the program was launched.
pub(crate) fn the_cpu_completes_those_of_tasks(shmem: &Shmem) {
    const PIECES: usize = 64;
    let (rig, len) = (Rig::new(shmem), PIECES * LONG as usize);
    let (inbox, outbox) = (rig.symmetric(&vec![0u8; len]), rig.symmetric(&vec![0u8; len]));
    let done = rig.on_host(&[0u64]);
    let options = TaskOptions { threads: 32, ..TaskOptions::default() };
    let queue = shmem.task_queue(&rig.module, &TASKS, options).expect("task_queue");
    let (to, from) = (queue.buffer(inbox).expect("a buffer"), queue.buffer(outbox).expect("a buffer"));
    for round in 1..=rig.times(10, 200) {
        outbox.copy_from(&vec![round as u8; len]).expect("write");
        rig.barrier();
        let call = tasks::leave.call((to, from, PIECES as u64, LONG, rig.next()));
        let call = call.then(done.device_ptr(), round, SignalOp::Set);
        // SAFETY: each PE puts into the inbox of the next one, which reads it behind the barrier.
        unsafe { queue.put_task(call, &[0u8; 0], shmem.my_pe()) }.expect("put_task");
        shmem.signal_wait_until(done.at(0), Cmp::Eq, round).expect("wait");
        rig.barrier();
        assert!(inbox.to_vec().expect("read") == vec![round as u8; len], "round {round}");
    }
    queue.free().expect("free");
}

/// The job ends while the processor has much to do. Catches one that does not end, that leaves something behind, or
/// whose memory is gone too early.
pub(crate) fn none_is_left_behind(shmem: &Shmem) {
    leave_behind(&Rig::new(shmem), 1, |_, _| ());
}

/// Catches a cooperative kernel that is counted to fit, but never starts beside the processor.
pub(crate) fn room_beside_it(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let wrong = rig.symmetric(&[0u64]);
    let fit = rig.module.max_resident_blocks(kernels::grid_rounds, 256).expect("a number");
    let words = rig.private(&vec![0u64; 2 * fit as usize]);
    let args = (rig.stream.grid_counter(), words.device_ptr(), 7, wrong.device_ptr());
    rig.start_cooperative(kernels::grid_rounds, Grid::linear(fit, 256), args);
    rig.wait();
    assert_eq!(wrong.to_vec().expect("read"), [0]);
}

/// Catches memory that is never freed, because the driver waits for a kernel that does not end.
pub(crate) fn beside_calls_that_wait_for_the_gpu(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    for _ in 0..rig.times(5, 50) {
        drop(rig.private(&vec![1u64; 100_000]));
        drop(shmem.load(&kernels::IMAGE).expect("load"));
    }
    let word = rig.symmetric(&[0u64]);
    // The other PE has set its word to 0.
    rig.barrier();
    shmem.put(word, &[5u64], rig.next()).expect("put");
    rig.barrier();
    shmem.wait_until(word.at(0), Cmp::Eq, 5).expect("wait");
}

/// The least bytes where the processor is not there.
const PUT: u64 = 2048;
const GET: u64 = 512;

/// A PE whose processor is not there: kernels leave commands that nobody takes.
fn unserved() -> Alone {
    let mut job = Job::of_four([ALL; 4]);
    job.wait_limit_ns = 100_000_000;
    let mut alone = Alone::new(job);
    alone.give_processor(size_of::<ProcessorRing>() as u64, [PUT as u32, GET as u32]);
    alone
}

/// Runs `n` puts (0) or gets (1) of one lane, and a quiet if `completes`.
fn unanswered(what: u64, n: usize, bytes: u64, completes: u32) -> Option<(Option<ErrorCode>, u64)> {
    let alone = unserved();
    let (list, _) = alone.objects::<u64>(WORD);
    let (inbox, _) = alone.objects::<u8>(WORD + 48 * 1024);
    alone.write(0, WORD, &[what, 0, 0, bytes].repeat(n));
    let args = (list, n, inbox, inbox, inbox, list, 1, completes);
    let record = alone.run(kernels::carry_out, Grid::linear(1, 1), args)?;
    Some((ErrorCode::from_u32(record.code), record.limit))
}

/// Catches a kernel that waits for ever for a processor that does nothing, and one that waits for it without need.
#[test]
fn waits_for_it_have_a_limit() {
    let late = Some((Some(ErrorCode::ProcessorTimeout), 100_000_000));
    for (what, least) in [(0, PUT), (1, GET)] {
        assert_eq!(unanswered(what, 1, least, 0), None, "a copy returns at once");
        assert_eq!(unanswered(what, 1, least, 1), late, "a quiet waits for it");
        assert_eq!(unanswered(what, 1, least - 1, 1), None, "the lane itself makes short copies");
    }
    assert_eq!(unanswered(0, PROCESSOR_SLOTS, PUT, 0), None, "the ring has room");
    assert_eq!(unanswered(0, PROCESSOR_SLOTS + 1, PUT, 0), late, "the ring is full");
}
