//! Kernels that put tasks, and those of the way without tasks.

use crate::LIMIT_NS;
use crate::tasks::{add_one, count};
use cushmem_device::{
    Block, Cmp, DevPtr, DeviceTaskQueue, Scope, SignalOp, TaskFunction, Thread, atomic_add, block_idx_x, globaltimer,
    kernels_of_module, my_pe, n_pes, signal_op, signal_wait_until_for,
};

kernels_of_module! {
    /// One block. Puts `bytes` and a task to the last PE, and waits until it is done, `n` times. Adds up the
    /// nanoseconds of the puts in `spent`. `done` has `before` from earlier launches. Buffer 0 takes the data, buffer 1
    /// has the words.
    pub unsafe fn task_roundtrip(
        queue: DeviceTaskQueue, src: DevPtr<u8>, bytes: usize, done: DevPtr<u64>, before: u64, n: u64, spent: DevPtr<u64>, late: DevPtr<u64>,
    ) {
        let (mut i, mut ns, pe) = (before, 0, n_pes() - 1);
        while i < before + n {
            i += 1;
            let start = globaltimer();
            Block.put_task(queue, add_one.call((1,)).at(0, 0).then(done, i, SignalOp::Set), src, bytes, pe);
            ns += globaltimer().wrapping_sub(start);
            if signal_wait_until_for(done, Cmp::Ge, i, LIMIT_NS).is_none() {
                late.write(i);
                break;
            }
            Block.sync();
        }
        if Block.lane() == 0 {
            spent.write(ns);
        }
    }

    /// One block. Puts `bytes` to PE 1 and signals `come` there, and waits until PE 1 has signalled `done`, `n` times.
    pub unsafe fn launched_roundtrip(
        dst: DevPtr<u8>, src: DevPtr<u8>, bytes: usize, come: DevPtr<u64>, done: DevPtr<u64>, n: u64, late: DevPtr<u64>,
    ) {
        let mut i = 0;
        while i < n {
            i += 1;
            Block.put_signal(dst, src, bytes, come, i, SignalOp::Set, 1);
            if signal_wait_until_for(done, Cmp::Ge, i, LIMIT_NS).is_none() {
                late.write(i);
                break;
            }
            Block.sync();
        }
    }

    /// One lane. Adds 1 to a word, and tells PE 0 so.
    pub unsafe fn add_and_tell(word: DevPtr<u64>, done: DevPtr<u64>, round: u64) {
        atomic_add(word, 1, my_pe());
        signal_op(done, round, SignalOp::Set, 0);
    }

    /// Blocks of one lane. Each puts `n` tasks without data to the last PE, and waits until the last one is done.
    pub unsafe fn task_rate(queue: DeviceTaskQueue, done: DevPtr<u64>, round: u64, n: u64, late: DevPtr<u64>) {
        let done = done.add(block_idx_x() as usize);
        let mut i = 0;
        while i < n {
            i += 1;
            let call = count.call((1,));
            let call = if i == n { call.then(done, round, SignalOp::Set) } else { call };
            Thread.put_task(queue, call, DevPtr::<u8>::from_address(0), 0, n_pes() - 1);
        }
        if signal_wait_until_for(done, Cmp::Ge, round, LIMIT_NS).is_none() {
            late.write(round);
        }
    }
}
