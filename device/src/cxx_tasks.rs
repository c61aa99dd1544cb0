//! Puts with a task, and executors, for kernels in CUDA C++: what [`crate::Scope::put_task`] and [`crate::run_tasks`]
//! are made of. The header has the copy of the data and the loop over the tasks, which calls functions in C++.

use crate::cxx::{ADD, SET, refuse_signal_op};
use crate::executor::Executor;
use crate::tasks;
use crate::{Ctx, DevPtr, SharedPtr, TaskCall, my_pe};
use cushmem_abi::{DeviceTaskQueue, GivenTask, SignalOp, TASK_ARGUMENTS, TASK_EXECUTOR_WORDS};

/// The number of a buffer that means that there is none.
const NONE: u32 = u32::MAX;

/// `signal` is what happens to it, or anything else if there is none.
#[inline(always)]
fn call(function: u32, buffer: u32, offset: u64, done: u64, signal: u32) -> TaskCall {
    let call = TaskCall::of_function(function, [0; TASK_ARGUMENTS]);
    let call = if buffer == NONE { call } else { call.at(buffer, offset) };
    let op = match signal {
        SET => SignalOp::Set,
        ADD => SignalOp::Add,
        _ => return call,
    };
    call.then(DevPtr::from_address(done), 0, op)
}

/// Ends the kernel if nobody can carry out the task. Returns the address of its data, or 0 if it has no buffer, and
/// whether they travel in its slot.
#[inline(always)]
pub fn check(
    queue: u64,
    function: u32,
    [buffer, signal, pe]: [u32; 3],
    offset: u64,
    src: u64,
    bytes: u64,
    done: u64,
) -> (u64, bool) {
    if done != 0 && signal != SET && signal != ADD {
        refuse_signal_op(signal);
    }
    let queue = DeviceTaskQueue::of_address(queue);
    tasks::check(queue, &call(function, buffer, offset, done, signal), src, bytes, pe)
}

/// The first word of a task. `signal` is 0 if there is none.
#[inline(always)]
pub fn head(function: u32, signal: u32) -> u64 {
    call(function, NONE, 0, 0, signal).words(my_pe(), (0, 0), 0)[0]
}

/// The data or the signal of a task, as one of its words.
#[inline(always)]
pub fn place(address: u64) -> u64 {
    tasks::place_of(address)
}

/// Waits until there is a slot at a PE, and takes it. Returns it, and what its `ready` becomes.
#[inline(always)]
pub fn claim(queue: u64, pe: u32) -> (u64, u64) {
    let queue = DeviceTaskQueue::of_address(queue);
    let tasks::Place { slot, ready, .. } = tasks::claim(queue, pe, tasks::take_ticket(queue, pe));
    (slot, ready)
}

/// Stores the words of a task and then `ready`, from one lane with which all others of its scope have synchronised.
///
/// # Safety
/// `there` is the slot from [`claim`], on that PE, [`check`] has accepted the task, and its data have been put.
#[inline(always)]
pub unsafe fn store(
    there: u64,
    ready: u64,
    [head, data, bytes, done, value]: [u64; 5],
    [a, b, c, d, e, f]: [u64; TASK_ARGUMENTS],
) {
    let there = DevPtr::from_address(there);
    tasks::store_words(there, ready, head, data, bytes, done, value, a, b, c, d, e, f);
}

/// Puts a task whose data travel in its slot, from one lane with which all others of its scope have synchronised.
///
/// # Safety
/// [`check`] has accepted the task and returned that its data do, and `src` has them.
#[inline(always)]
pub unsafe fn send_inline(
    queue: u64,
    pe: u32,
    src: u64,
    [head, data, bytes, done, value]: [u64; 5],
    [a, b, c, d, e, f]: [u64; TASK_ARGUMENTS],
) {
    let queue = DeviceTaskQueue::of_address(queue);
    tasks::send_inline(queue, pe, src, head, data, bytes, done, value, a, b, c, d, e, f);
}

/// Has the CPU put the words of a task, all but `ready`.
///
/// # Safety
/// `slot` is that from [`claim`].
#[inline(always)]
pub unsafe fn put_words(
    slot: u64,
    [head, data, bytes, done, value]: [u64; 5],
    [a, b, c, d, e, f]: [u64; TASK_ARGUMENTS],
    pe: u32,
) {
    tasks::put_words(&Ctx::DEFAULT, slot, head, data, bytes, done, value, a, b, c, d, e, f, pe);
}

/// This PE's part of a buffer of the queue.
#[inline(always)]
pub fn buffer(queue: u64, buffer: u32) -> u64 {
    tasks::buffer_address(DeviceTaskQueue::of_address(queue), buffer)
}

const _: () = assert!(size_of::<Executor>() <= 8 * TASK_EXECUTOR_WORDS && align_of::<Executor>() <= 8);

/// Begins an executor. `executor` is the address of [`TASK_EXECUTOR_WORDS`] of this lane's own memory, and `shared`
/// that of [`cushmem_abi::TASK_SHARED_WORDS`] of the block's shared memory.
///
/// # Safety
/// The conditions of [`crate::run_tasks`], and `executor` is valid until the kernel ends.
#[inline(always)]
pub unsafe fn begin(executor: u64, queue: u64, launch: u64, longest_ns: u64, shared: u32) {
    let shared = SharedPtr::at(shared as _);
    // SAFETY: the caller guarantees all of it.
    unsafe {
        let begun = Executor::begin(DeviceTaskQueue::of_address(queue), launch, longest_ns, shared);
        state(executor).write(begun);
    }
}

/// Waits for the next task and writes it to the address of a [`GivenTask`]. Returns whether there is one; otherwise the
/// kernel ends.
///
/// # Safety
/// All lanes of the block call it, after [`begin`] or [`end`], and `task` is writable.
#[inline(always)]
pub unsafe fn find(executor: u64, task: u64) -> bool {
    // SAFETY: `begin` has written it.
    let Some((function, found, arguments)) = (unsafe { (*state(executor)).find() }) else { return false };
    let pe = found.pe();
    let given = GivenTask {
        queue: found.queue().address(),
        address: found.data::<u8>().address(),
        bytes: found.len::<u8>() as u64,
        arguments,
        function,
        pe,
    };
    // SAFETY: the caller guarantees that it is writable.
    unsafe { core::ptr::with_exposed_provenance_mut::<GivenTask>(task as usize).write(given) };
    true
}

/// Ends the task that [`find`] has returned.
///
/// # Safety
/// All lanes of the block call it, when the task's function has returned.
#[inline(always)]
pub unsafe fn end(executor: u64) {
    // SAFETY: `begin` has written it.
    unsafe { (*state(executor)).end::<false>() };
}

#[inline(always)]
fn state(executor: u64) -> *mut Executor {
    core::ptr::with_exposed_provenance_mut(executor as usize)
}
