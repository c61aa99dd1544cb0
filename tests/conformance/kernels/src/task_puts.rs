//! Kernels that put tasks.

use crate::tasks::{Beyond, add, answer, datum, give_up, verify, wait_for};
use core::mem::offset_of;
use cushmem_device::reexport::cushmem_abi::{TaskArea, TaskCounter, TaskSender, TaskSlot};
use cushmem_device::{
    Block, Cmp, DevPtr, DeviceTaskQueue, Scope, SignalOp, TaskFunction, Thread, Warp, atomic_add, block_idx_x,
    cxx_tasks, fence, kernels_of_module, my_pe, signal_wait_until_for,
};

/// Puts `rounds` tasks of `n` words with a scope whose number is `scope_number`, and waits for each of them, or for all
/// at the end if they have no data. With `varies`, there are up to `n` words.
#[inline(always)]
unsafe fn put_rounds<S: Scope>(
    scope: S,
    (queue, source): (DeviceTaskQueue, DevPtr<u64>),
    scope_number: u64,
    done: DevPtr<u64>,
    (n, rounds, varies): (usize, u64, bool),
    (pe, limit_ns): (u32, u64),
) -> u64 {
    let who = u64::from(my_pe()) << 16 | scope_number;
    let source = source.add(scope_number as usize * n);
    let place = (u64::from(my_pe()) << 8 | scope_number) * 8 * n as u64;
    let (mut round, mut late) = (0, 0);
    while round < rounds {
        round += 1;
        let mut i = scope.lane();
        while i < n {
            // SAFETY: the launch passes `n` words for each scope.
            unsafe { source.add(i).write(datum(who, round, i as u64)) };
            i += scope.lanes();
        }
        scope.sync();
        let len = if varies { 1 + round as usize * 5 % n } else { n };
        let call = verify.call((1, who, round)).at(0, place).then(done.add(scope_number as usize), 1, SignalOp::Add);
        // SAFETY: each scope has a part of the buffer, which the task before has read, and a signal.
        unsafe { scope.put_task(queue, call, source, len, pe) };
        if n > 0 || round == rounds {
            // SAFETY: as above.
            let came = unsafe { signal_wait_until_for(done.add(scope_number as usize), Cmp::Ge, round, limit_ns) };
            late += u64::from(came.is_none());
        }
        scope.sync();
    }
    late
}

kernels_of_module! {
    /// Blocks of 64 lanes. Each lane (`by` is 3), block (2), warp (1) or first lane of a warp (0) puts tasks to a PE,
    /// or each warp tasks of different lengths (4). Counts in `late` those that were not done in time.
    pub unsafe fn put_tasks(
        queue: DeviceTaskQueue,
        source: DevPtr<u64>,
        done: DevPtr<u64>,
        late: DevPtr<u64>,
        n: usize,
        rounds: u64,
        pe: u32,
        by: u32,
        limit_ns: u64,
    ) {
        let (with, size, to) = ((queue, source), (n, rounds, by == 4), (pe, limit_ns));
        let warp = u64::from(block_idx_x() * 2) + Block.lane() as u64 / 32;
        let lane = u64::from(block_idx_x()) * 64 + Block.lane() as u64;
        let is_late = match by {
            3 => put_rounds(Thread, with, lane, done, size, to),
            2 => put_rounds(Block, with, block_idx_x().into(), done, size, to),
            1 | 4 => put_rounds(Warp, with, warp, done, size, to),
            _ if Warp.lane() == 0 => put_rounds(Thread, with, warp, done, size, to),
            _ => 0,
        };
        if is_late != 0 {
            atomic_add(late, is_late, my_pe());
        }
    }

    /// One lane. Puts tasks to its own PE in some laps of its row, whose counters it sets, and waits for each. `laps`
    /// has the number of each lap and the words of its tasks, of which more than 8 do not fit into a slot. `wrong`
    /// notes slots that say otherwise, and signals that never came.
    pub unsafe fn put_in_laps(
        queue: DeviceTaskQueue,
        source: DevPtr<u64>,
        laps: DevPtr<u64>,
        n_laps: usize,
        done: DevPtr<u64>,
        wrong: DevPtr<u64>,
        limit_ns: u64,
    ) {
        let (pe, who) = (my_pe(), 7);
        let word = |at: u64| DevPtr::<u64>::from_address(queue.address() + at);
        let [slots, taken, per_row] =
            [offset_of!(TaskArea, slots), offset_of!(TaskArea, taken), offset_of!(TaskArea, per_row)]
                .map(|at| word(at as u64).read());
        let (row, sender) = (TaskArea::row(pe), TaskArea::sender(pe));
        let (mut round, mut at) = (0, 0);
        while at < n_laps {
            let (first, n) = ((laps.add(2 * at).read() - 1) * per_row, laps.add(2 * at + 1).read() as usize);
            DevPtr::<u64>::from_address(taken + row * size_of::<TaskCounter>() as u64).write(first);
            word(sender + offset_of!(TaskSender, tickets) as u64).write(first);
            word(sender + offset_of!(TaskSender, taken_seen) as u64).write(first);
            fence();
            let mut slot = 0;
            while slot < per_row {
                round += 1;
                let mut i = 0;
                while i < n {
                    source.add(i).write(datum(who, round, i as u64));
                    i += 1;
                }
                let call = verify.call((1, who, round)).at(0, 0).then(done, round, SignalOp::Set);
                Thread.put_task(queue, call, source, n, pe);
                if signal_wait_until_for(done, Cmp::Ge, round, limit_ns).is_none() {
                    wrong.add(1).write(round);
                    return;
                }
                let ready = slots + (row * per_row + slot) * size_of::<TaskSlot>() as u64;
                if (DevPtr::<u64>::from_address(ready).read() >> 63 != 0) != (n <= 8) {
                    wrong.write(round);
                }
                slot += 1;
            }
            at += 1;
        }
    }

    /// One lane. Puts a task with `n` bytes into buffer 0, from byte `to` on, and waits for it.
    pub unsafe fn put_bytes(queue: DeviceTaskQueue, source: DevPtr<u8>, n: usize, to: u64, done: DevPtr<u64>, round: u64, limit_ns: u64) {
        Thread.put_task(queue, wait_for.call((0,)).at(0, to).then(done, round, SignalOp::Set), source, n, my_pe());
        signal_wait_until_for(done, Cmp::Ge, round, limit_ns);
    }

    /// One block. Puts words, has them answered, and checks the answers as soon as the signal has come. The words, the
    /// answers and the signal are those of a PE; the buffers are 0 and 1.
    pub unsafe fn ask(
        queue: DeviceTaskQueue,
        words: DevPtr<u64>,
        answers: DevPtr<u64>,
        done: DevPtr<u64>,
        wrong: DevPtr<u64>,
        n: usize,
        rounds: u64,
        pe: u32,
        limit_ns: u64,
    ) {
        let first = u64::from(my_pe()) * n as u64;
        let mut round = 0;
        while round < rounds {
            round += 1;
            let mut i = Block.lane();
            while i < n {
                words.add(i).write(datum(first, round, i as u64) >> 1);
                i += Block.lanes();
            }
            Block.sync();
            let call = answer.call((1, first)).at(0, 8 * first).then(done, round, SignalOp::Set);
            Block.put_task(queue, call, words, n, pe);
            if signal_wait_until_for(done, Cmp::Ge, round, limit_ns).is_none() {
                atomic_add(wrong.add(1), 1, my_pe());
            }
            Block.sync();
            let mut i = Block.lane();
            while i < n {
                if answers.add(first as usize + i).read() != (datum(first, round, i as u64) >> 1) + 1 {
                    atomic_add(wrong, 1, my_pe());
                }
                i += Block.lanes();
            }
            Block.sync();
        }
    }

    /// One lane. Looks at a task without data and its signal as kernels in CUDA C++ do.
    pub unsafe fn check_as_in_cxx(queue: DeviceTaskQueue, done: DevPtr<u64>, sig_op: u32) {
        cxx_tasks::check(queue.address(), 0, [u32::MAX, sig_op, my_pe()], 0, 0, 0, done.address());
    }

    /// One lane. Puts a task without data that names a function, a buffer and an offset.
    pub unsafe fn put_one(queue: DeviceTaskQueue, function: u32, buffer: u32, offset: u64, source: DevPtr<u64>, n: usize, pe: u32) {
        let call = match function {
            0 => add.call((0, 0)),
            1 => wait_for.call((4_000_000_000,)),
            2 => give_up.call(()),
            _ => Beyond.call(()),
        };
        let call = if buffer == u32::MAX { call } else { call.at(buffer, offset) };
        Thread.put_task(queue, call, source, n, pe);
    }
}
