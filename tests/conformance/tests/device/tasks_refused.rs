//! Tasks that are refused, that cannot run, or that end their kernel.

use crate::rig::{LIMIT_NS, Rig};
use crate::tasks::{LAUNCHED, executor};
use cushmem::{DevPtr, Grid, Shmem, SignalOp, TaskCall, TaskExecutor, TaskFunction, TaskOptions, TaskQueue};
use cushmem_abi::TASK_BUFFERS;
use cushmem_conformance::{Backend, Variables, conformance, expect_status, on_nodes, run_to_failure};
use cushmem_conformance_kernels::{self as kernels, tasks, tasks::TASKS};
use std::time::{Duration, Instant};

const LIMIT: &[(&str, &str)] = &[("CUSHMEM_KERNEL_LIMIT_S", "0.25")];
const LAUNCHED_LIMIT: &[(&str, &str)] = &[("CUSHMEM_KERNEL_LIMIT_S", "0.25"), LAUNCHED[0]];
const APART: &[(&str, &str)] = &[("CUSHMEM_P2P", "0")];
const APART_LIMIT: &[(&str, &str)] = &[("CUSHMEM_KERNEL_LIMIT_S", "0.25"), APART[0]];
const LIMIT_SOFT: &[(&str, &str)] = &[("CUSHMEM_KERNEL_LIMIT_S", "0.25"), ("CUSHMEM_GPU", "soft")];
const LONG: Duration = Duration::from_secs(20);

conformance! { soft, cuda => {
    by_the_cpu: 2;
    options: 1;
    more_buffers_than_there_are: 1;
    a_buffer_in_registered_memory: 2;
    a_task_that_runs: 2;
    a_kernel_that_waits_for_room: 2;
    a_task_that_free_waits_for: 2;
    a_kernel_that_fails_beside_a_task: 1;
    an_operation_that_is_none_in_cxx: 1;
    no_operation_at_all_in_cxx: 1;
} }

mod limited {
    use super::*;
    conformance! { with LIMIT: soft, cuda => {
        a_full_queue_of_the_cpu: 2;
        a_row_that_is_never_empty: 2;
        a_full_queue_of_kernels: 2;
        a_number_in_a_kernel: 2;
        a_buffer_in_a_kernel: 2;
        a_range_in_a_kernel: 2;
        data_without_a_buffer_in_a_kernel: 2;
        a_pe_in_a_kernel: 2;
        an_uneven_signal_in_a_kernel: 2;
        an_aside_signal_in_a_kernel: 2;
    } }
}

mod apart {
    use super::*;
    conformance! { with APART_LIMIT: soft, cuda => {
        a_full_queue_of_kernels: 2;
        a_number_in_a_kernel: 2;
        a_range_in_a_kernel: 2;
        an_uneven_signal_in_a_kernel: 2;
    } }

    mod waits {
        use super::*;
        conformance! { with APART: soft, cuda => {
            a_kernel_that_waits_for_room: 2;
        } }
    }
}

on_nodes! { with LIMIT_SOFT: {
    by_the_cpu: 2 on 2;
    a_full_queue_of_the_cpu: 2 on 2;
    a_full_queue_of_kernels: 2 on 2;
    a_buffer_in_a_kernel: 2 on 2;
    an_aside_signal_in_a_kernel: 2 on 2;
} }

mod launched {
    use super::*;
    conformance! { with LAUNCHED_LIMIT: soft, cuda => {
        a_full_queue_of_the_cpu: 2;
        a_row_that_is_never_empty: 2;
        a_full_queue_of_kernels: 2;
        a_number_in_a_kernel: 2;
        a_task_that_runs: 2;
        a_task_that_free_waits_for: 2;
    } }
}

fn queue<'a>(rig: &'a Rig<'_>, slots: usize) -> TaskQueue<'a> {
    let options = TaskOptions { slots, threads: 32, executor: executor(), ..TaskOptions::default() };
    rig.shmem.task_queue(&rig.module, &TASKS, options).expect("task_queue")
}

/// Catches a wrong argument that reaches the target.
fn by_the_cpu(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (words, private) = (rig.symmetric(&[0u64; 4]), rig.private(&[0u64]));
    let queue = queue(&rig, 4);
    queue.buffer(words).expect("a buffer");
    let last = TASKS.names.len() - 1;
    let add = tasks::add.call((0, 0));
    let signal = words.device_ptr();
    let uneven = add.then(signal.byte_offset(4), 1, SignalOp::Set);
    let aside = add.then(private.device_ptr(), 1, SignalOp::Set);
    for (call, pe, why) in [
        (tasks::Beyond.call(()), 0, format!("put_task: function 1000 is out of range (0 to {last})")),
        (add.at(1, 0), 0, "put_task: the queue has no buffer 1".into()),
        (add.at(0, 25), 0, "put_task: the data end at byte 33 of the buffer, which has 32 bytes".into()),
        (add.at(0, u64::MAX), 0, format!("put_task: the data end at byte {} of the buffer", u64::MAX)),
        (add, 0, "put_task: 8 bytes of data for PE 0, but no buffer for them".into()),
        (aside.at(0, 0), 0, "put_task: the signal is not symmetric".into()),
        (uneven.at(0, 0), 0, "put_task: the signal is not aligned".into()),
        (add.at(0, 0), 7, "put_task: PE 7 is out of range (0 to 1)".into()),
    ] {
        // SAFETY: it is refused.
        let error = unsafe { queue.put_task(call, &[1u64], pe) }.expect_err(&why).to_string();
        assert!(error.starts_with(&why), "{error}, not {why}");
    }
    queue.free().expect("free");
    assert_eq!(words.to_vec().expect("read"), [0; 4], "a refused task ran");
}

fn options(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let good = TaskOptions::default();
    for (options, why) in [
        (TaskOptions { slots: 0, ..good }, "task_queue: 0 slots: there must be 1 to 1048576"),
        (TaskOptions { blocks: 65, ..good }, "task_queue: 65 blocks: there must be 1 to 64"),
        (TaskOptions { threads: 40, ..good }, "task_queue: 40 threads: there must be a multiple of 32, up to 1024"),
    ] {
        let error = shmem.task_queue(&rig.module, &TASKS, options).err().expect(why).to_string();
        assert_eq!(error, why);
    }
}

/// Catches a number that no kernel finds.
fn more_buffers_than_there_are(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (words, queue) = (rig.symmetric(&[0u64; 2]), queue(&rig, 2));
    for number in 0..TASK_BUFFERS as u32 {
        assert_eq!(queue.buffer(words.slice(1..)).expect("a buffer"), number);
    }
    let error = queue.buffer(words).expect_err("the last one").to_string();
    assert_eq!(error, "task_buffer: the queue has 256 buffers already");
    let call = tasks::add.call((TASK_BUFFERS as u32 - 1, 0)).at(TASK_BUFFERS as u32 - 1, 0);
    // SAFETY: the buffer has this word.
    unsafe { queue.put_task(call, &[5u64], 0) }.expect("put_task");
    queue.free().expect("free");
    assert_eq!(words.to_vec().expect("read"), [0, 10], "the data, added to themselves");
}

/// Catches a buffer where executors have no place to store data.
fn a_buffer_in_registered_memory(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (mut memory, queue) = (vec![0u64; 1024], queue(&rig, 2));
    // SAFETY: the memory outlives the registration, and nothing else uses it.
    let registered = unsafe { shmem.register(memory.as_mut_ptr(), memory.len()) }.expect("register");
    let error = queue.buffer(registered).expect_err("registered").to_string();
    assert_eq!(error, "task_buffer: the memory must be a part of a heap, of at least one element");
    shmem.unregister(registered).expect("unregister");
    queue.free().expect("free");
}

/// Has PE 1's executor wait, and then fills the row of PE 0's CPU there. Catches a task behind the refused one that
/// never runs.
fn a_full_queue_of_the_cpu(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (done, queue) = (rig.on_host(&[0u64]), queue(&rig, 2));
    if shmem.my_pe() == 0 {
        let put = |call| {
            // SAFETY: there are no data.
            unsafe { queue.put_task(call, &[] as &[u64], 1) }
        };
        put(tasks::wait_for.call((2_000_000_000,))).expect("put_task");
        let error = (0..5).find_map(|_| put(tasks::wait_for.call((0,))).err());
        // Two slots, and the executor may have taken the first tasks at once.
        let error = error.expect("there are two slots");
        assert_eq!(error.to_string(), "put_task: PE 1 has taken none of the 2 tasks in its queue for 0.25 s");
        let start = Instant::now();
        while let Err(error) = put(tasks::wait_for.call((0,)).then(done.device_ptr(), 1, SignalOp::Set)) {
            assert!(start.elapsed() < LONG, "{error}");
        }
        while rig.shmem.signal_fetch(done.at(0)).expect("read") != 1 {
            assert!(start.elapsed() < LONG, "a task behind the refused one has not run");
        }
    }
    rig.barrier();
}

/// Catches an executor whose launches do not end as long as there are tasks: PE 1 frees GPU memory and drops its queue
/// while PE 0 puts faster than the executor runs.
fn a_row_that_is_never_empty(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (passed, queue) = (rig.on_host(&[0u64]), queue(&rig, 64));
    let private = rig.private(&[0u64]);
    rig.barrier();
    if shmem.my_pe() == 1 {
        std::thread::sleep(Duration::from_millis(300));
        drop(private);
        shmem.p(passed.at(0), 1, 0).expect("put");
        drop(queue);
        shmem.p(passed.at(0), 2, 0).expect("put");
    } else {
        let (start, seen) = (Instant::now(), || rig.shmem.signal_fetch(passed.at(0)).expect("read"));
        while seen() < 2 {
            assert!(start.elapsed() < LONG, "PE 1 is in call {} of the two that wait for its executor", seen() + 1);
            // While PE 1 is in such a call, and when its executor has ended, the queue may become full.
            // SAFETY: there are no data.
            let _ = unsafe { queue.put_task(tasks::wait_for.call((2_000_000,)), &[] as &[u64], 1) };
        }
    }
    rig.barrier();
}

/// Catches an executor of which nobody is told what it runs.
fn a_task_that_runs(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (go, done, queue) = (rig.on_host(&[0u64]), rig.on_host(&[0u64]), queue(&rig, 2));
    queue.buffer(go).expect("a buffer");
    if shmem.my_pe() == 0 {
        let call = tasks::wait_for_word.call((0, LIMIT_NS)).then(done.device_ptr(), 1, SignalOp::Set);
        // SAFETY: there are no data.
        unsafe { queue.put_task(call, &[] as &[u64], 1) }.expect("put_task");
        expect_running();
        shmem.p(go.at(0), 1, 1).expect("put");
        shmem.signal_wait_until(done.at(0), cushmem::Cmp::Eq, 1).expect("wait");
    }
    rig.barrier();
    queue.free().expect("free");
}

/// The status says that PE 1 runs PE 0's task.
fn expect_running() {
    let which = if executor() == TaskExecutor::Launched { "launched executor" } else { "executor" };
    expect_status(&[&format!("PE 1: the {which} of tasks runs task wait_for_word, put by PE 0")]);
}

/// Catches a kernel of which nobody is told that it waits for room, at which PE.
fn a_kernel_that_waits_for_room(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (go, source, queue) = (rig.on_host(&[0u64]), rig.private(&[0u64]), queue(&rig, 2));
    queue.buffer(go).expect("a buffer");
    if shmem.my_pe() == 0 {
        // SAFETY: there are no data.
        unsafe { queue.put_task(tasks::wait_for_word.call((0, LIMIT_NS)), &[] as &[u64], 1) }.expect("put_task");
        // The executor may have taken two.
        for _ in 0..5 {
            rig.start(kernels::put_one, Grid::linear(1, 1), (queue.device(), 0, NONE, 0, source.device_ptr(), 0, 1));
        }
        expect_status(&["PE 0: kernel put_one", "block 0, thread 0 waits for room in PE 1's queue of tasks"]);
        shmem.p(go.at(0), 1, 1).expect("put");
        rig.stream.synchronize().expect("there is room");
    }
    rig.barrier();
    queue.free().expect("free");
}

/// Catches a task of which nobody is told once its queue is being freed.
fn a_task_that_free_waits_for(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (go, queue) = (rig.on_host(&[0u64]), queue(&rig, 2));
    queue.buffer(go).expect("a buffer");
    std::thread::scope(|scope| {
        if shmem.my_pe() == 0 {
            let call = tasks::wait_for_word.call((0, LIMIT_NS));
            // SAFETY: there are no data.
            unsafe { queue.put_task(call, &[] as &[u64], 1) }.expect("put_task");
            scope.spawn(|| {
                // Both PEs are in `free` then.
                std::thread::sleep(Duration::from_millis(300));
                expect_running();
                shmem.p(go.at(0), 1, 1).expect("put");
            });
        }
        queue.free().expect("free");
    });
}

/// Puts tasks by kernels of PE 0, of which the last one must end with this reason.
fn refused(shmem: &Shmem, calls: &[(u32, u32, u64, usize, u32)], why: &str) {
    let rig = Rig::new(shmem);
    let (words, source) = (rig.symmetric(&[0u64; 4]), rig.private(&[0u64; 8]));
    let queue = queue(&rig, 2);
    queue.buffer(words).expect("a buffer");
    if shmem.my_pe() == 0 {
        for &(function, buffer, offset, n, pe) in calls {
            let args = (queue.device(), function, buffer, offset, source.device_ptr(), n, pe);
            rig.start(kernels::put_one, Grid::linear(1, 1), args);
        }
        let error = rig.stream.synchronize().expect_err(why).to_string();
        assert!(error.contains(why) && error.contains("put_one"), "'{why}' is not in '{error}'");
    }
    rig.barrier();
}

const NONE: u32 = u32::MAX;

/// Catches a kernel that waits for ever for an executor that takes nothing, and a message without its PE.
fn a_full_queue_of_kernels(shmem: &Shmem) {
    let put = (1, NONE, 0, 0, 1);
    // The executor may take two tasks at once, and there are two slots.
    refused(shmem, &[put; 5], "put_task: PE 1 has taken none of the 2 tasks in its queue for 0.25 s");
}

/// Catches a job that ends because of the task that was running when a kernel of the program failed: the program hears
/// of it first.
fn a_kernel_that_fails_beside_a_task(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let (words, source) = (rig.symmetric(&[0u64; 4]), rig.private(&[0u64; 8]));
    let queue = queue(&rig, 2);
    queue.buffer(words).expect("a buffer");
    // A task of seconds on this PE, and a task for a PE that does not exist.
    for (function, pe) in [(1, 0), (0, 1)] {
        let args = (queue.device(), function, NONE, 0, source.device_ptr(), 0, pe);
        rig.start(kernels::put_one, Grid::linear(1, 1), args);
    }
    std::thread::sleep(Duration::from_secs(1));
    let error = rig.stream.synchronize().expect_err("there is no PE 1").to_string();
    assert!(error.contains("PE 1 is out of range") && error.contains("put_one"), "{error}");
}

fn a_number_in_a_kernel(shmem: &Shmem) {
    let last = TASKS.names.len() - 1;
    refused(shmem, &[(9, NONE, 0, 0, 1)], &format!("put_task: function 1000 is out of range (0 to {last})"));
}

fn a_buffer_in_a_kernel(shmem: &Shmem) {
    refused(shmem, &[(0, 1, 0, 1, 1)], "put_task: the queue has no buffer 1");
}

fn a_range_in_a_kernel(shmem: &Shmem) {
    let why = "put_task: the data end at byte 40 of the buffer, which has 32 bytes";
    refused(shmem, &[(0, 0, 16, 3, 1)], why);
}

fn data_without_a_buffer_in_a_kernel(shmem: &Shmem) {
    refused(shmem, &[(0, NONE, 0, 2, 1)], "put_task: 16 bytes of data for PE 1, but no buffer for them");
}

/// A signal that is refused: that many bytes behind a word of symmetric memory, or of private memory.
fn a_signal_in_a_kernel(shmem: &Shmem, is_symmetric: bool, offset: isize, why: &str) {
    let rig = Rig::new(shmem);
    let (words, private) = (rig.symmetric(&[0u64; 4]), rig.private(&[0u64; 4]));
    let queue = queue(&rig, 2);
    queue.buffer(words).expect("a buffer");
    let done = if is_symmetric { words.at(2).device_ptr() } else { private.device_ptr() };
    let args = (queue.device(), private.device_ptr().cast(), 8, 0, done.byte_offset(offset), 1, 0);
    rig.start(kernels::put_bytes, Grid::linear(1, 1), args);
    let error = rig.stream.synchronize().expect_err(why).to_string();
    assert!(error.contains(why) && error.contains("put_bytes"), "'{why}' is not in '{error}'");
    rig.barrier();
}

/// Catches a signal that the target would update where no word is.
fn an_uneven_signal_in_a_kernel(shmem: &Shmem) {
    a_signal_in_a_kernel(shmem, true, 4, "put_task: the signal is not aligned");
}

/// Catches an operation that becomes another one.
fn an_operation_that_is_none_in_cxx(shmem: &Shmem) {
    no_operation_in_cxx(shmem, 3);
}

fn no_operation_at_all_in_cxx(shmem: &Shmem) {
    no_operation_in_cxx(shmem, 0);
}

fn no_operation_in_cxx(shmem: &Shmem, sig_op: u32) {
    let rig = Rig::new(shmem);
    let (done, queue) = (rig.symmetric(&[0u64]).device_ptr(), queue(&rig, 2));
    let check = |done, sig_op| rig.start(kernels::check_as_in_cxx, Grid::linear(1, 1), (queue.device(), done, sig_op));
    // SHMEM_SIGNAL_SET and SHMEM_SIGNAL_ADD, and no signal.
    [(done, 9), (done, 10), (DevPtr::from_address(0), sig_op)].into_iter().for_each(|(done, op)| check(done, op));
    rig.stream.synchronize().expect("nothing is wrong");
    check(done, sig_op);
    let error = rig.stream.synchronize().expect_err("no such operation").to_string();
    let why = format!("sig_op {sig_op} is not SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)");
    assert!(error.contains(&why), "{error}");
}

fn an_aside_signal_in_a_kernel(shmem: &Shmem) {
    a_signal_in_a_kernel(shmem, false, 0, "is neither in the heap of host memory nor in that of GPU memory");
}

fn a_pe_in_a_kernel(shmem: &Shmem) {
    refused(shmem, &[(0, NONE, 0, 0, 2)], "PE 2 is out of range (0 to 1)");
}

/// Catches a task that ends its kernel without a message, or with one that does not say which task it was and who put
/// it, and a job that does not end then.
#[test]
fn a_task_that_traps_soft() {
    a_task_that_traps(Backend::Soft, &[], concat!(module_path!(), "::a_task_that_traps_soft"));
}

#[test]
fn a_task_that_traps_cuda() {
    a_task_that_traps(Backend::Cuda, &[], concat!(module_path!(), "::a_task_that_traps_cuda"));
}

#[test]
fn a_task_that_traps_launched_soft() {
    a_task_that_traps(Backend::Soft, LAUNCHED, concat!(module_path!(), "::a_task_that_traps_launched_soft"));
}

#[test]
fn a_task_that_traps_launched_cuda() {
    a_task_that_traps(Backend::Cuda, LAUNCHED, concat!(module_path!(), "::a_task_that_traps_launched_cuda"));
}

fn a_task_that_traps(backend: Backend, variables: Variables<'_>, name: &str) {
    run_to_failure(name, backend, variables, &["task give_up, put by PE 0"], &[], |shmem: Shmem| {
        let rig = Rig::new(&shmem);
        let (never, queue) = (rig.on_host(&[0u64]), queue(&rig, 2));
        if shmem.my_pe() == 0 {
            // SAFETY: there are no data.
            unsafe { queue.put_task(tasks::give_up.call(()), &[] as &[u64], 1) }.expect("put_task");
        }
        shmem.wait_until(never.at(0), cushmem::Cmp::Ne, 0).expect("wait");
    });
}

/// Catches a message that names a task that runs well, or ran well, in another block: the failed one left a record.
#[test]
fn a_task_that_fails_beside_others_soft() {
    a_task_that_fails_beside_others(Backend::Soft, concat!(module_path!(), "::a_task_that_fails_beside_others_soft"));
}

#[test]
fn a_task_that_fails_beside_others_cuda() {
    a_task_that_fails_beside_others(Backend::Cuda, concat!(module_path!(), "::a_task_that_fails_beside_others_cuda"));
}

fn a_task_that_fails_beside_others(backend: Backend, name: &str) {
    let says = ["tasks: task wait_for_word, put by PE 0: PE 1: ", "put_task: the queue has no buffer 1000"];
    // No buffer has this number.
    let fails = tasks::wait_for_word.call((1000, 0));
    one_of_several_tasks(name, backend, (1, fails), &says, &["task wait_for,"]);
}

/// Catches a message that names one task though others may have failed as well, as nothing says which one has.
#[test]
fn a_task_that_traps_beside_others_soft() {
    a_task_that_traps_beside_others(Backend::Soft, concat!(module_path!(), "::a_task_that_traps_beside_others_soft"));
}

#[test]
fn a_task_that_traps_beside_others_cuda() {
    a_task_that_traps_beside_others(Backend::Cuda, concat!(module_path!(), "::a_task_that_traps_beside_others_cuda"));
}

fn a_task_that_traps_beside_others(backend: Backend, name: &str) {
    one_of_several_tasks(name, backend, (1, tasks::give_up.call(())), EITHER, &[]);
}

/// Catches the same if the other task is of another queue, whose thread may look first.
#[test]
fn a_task_that_traps_beside_another_queue_soft() {
    let name = concat!(module_path!(), "::a_task_that_traps_beside_another_queue_soft");
    one_of_several_tasks(name, Backend::Soft, (2, tasks::give_up.call(())), EITHER, &[]);
}

#[test]
fn a_task_that_traps_beside_another_queue_cuda() {
    let name = concat!(module_path!(), "::a_task_that_traps_beside_another_queue_cuda");
    one_of_several_tasks(name, Backend::Cuda, (2, tasks::give_up.call(())), EITHER, &[]);
}

const EITHER: &[&str] = &["task give_up, put by PE 0, or task wait_for, put by PE 0: "];

/// Has PE 1 run two tasks of seconds and then one that fails, in an executor of three blocks or in two queues.
fn one_of_several_tasks(
    name: &str,
    backend: Backend,
    (queues, fails): (usize, TaskCall),
    says: &[&str],
    silent: &[&str],
) {
    run_to_failure(name, backend, &[], says, silent, |shmem: Shmem| {
        let rig = Rig::new(&shmem);
        let options =
            TaskOptions { slots: 4, threads: 32, blocks: if queues == 1 { 3 } else { 1 }, ..TaskOptions::default() };
        let make = |_| rig.shmem.task_queue(&rig.module, &TASKS, options).expect("task_queue");
        let (never, queues) = (rig.on_host(&[0u64]), (0..queues).map(make).collect::<Vec<_>>());
        if shmem.my_pe() == 0 {
            let (first, last) = (&queues[0], &queues[queues.len() - 1]);
            let long = tasks::wait_for.call((20_000_000_000,));
            for (queue, call) in [(first, long), (first, long), (last, fails)] {
                // SAFETY: there are no data.
                unsafe { queue.put_task(call, &[] as &[u64], 1) }.expect("put_task");
                // It runs before the next one is put.
                std::thread::sleep(Duration::from_millis(200));
            }
        }
        shmem.wait_until(never.at(0), cushmem::Cmp::Ne, 0).expect("wait");
    });
}

/// Catches a job that ends because of a task though a kernel of the program may have failed that the library does not
/// know: the program hears of it first.
#[test]
fn a_task_that_traps_beside_unknown_kernels_soft() {
    let name = concat!(module_path!(), "::a_task_that_traps_beside_unknown_kernels_soft");
    let says = ["the program says so first"];
    run_to_failure(name, Backend::Soft, &[], &says, &["task give_up"], |shmem: Shmem| {
        let rig = Rig::new(&shmem);
        let queue = queue(&rig, 2);
        // For kernels that the program launches by itself.
        rig.stream.handle();
        if shmem.my_pe() == 0 {
            // SAFETY: there are no data.
            unsafe { queue.put_task(tasks::give_up.call(()), &[] as &[u64], 1) }.expect("put_task");
        }
        std::thread::sleep(Duration::from_secs(3));
        assert!(shmem.my_pe() == 0, "the program says so first");
        std::thread::sleep(LONG);
    });
}

/// Catches a task that fails when nobody looks any more.
#[test]
fn the_last_task_traps_soft() {
    the_last_task_traps(Backend::Soft, &[], concat!(module_path!(), "::the_last_task_traps_soft"));
}

#[test]
fn the_last_task_traps_cuda() {
    the_last_task_traps(Backend::Cuda, &[], concat!(module_path!(), "::the_last_task_traps_cuda"));
}

#[test]
fn the_last_task_traps_launched_soft() {
    the_last_task_traps(Backend::Soft, LAUNCHED, concat!(module_path!(), "::the_last_task_traps_launched_soft"));
}

#[test]
fn the_last_task_traps_launched_cuda() {
    the_last_task_traps(Backend::Cuda, LAUNCHED, concat!(module_path!(), "::the_last_task_traps_launched_cuda"));
}

fn the_last_task_traps(backend: Backend, variables: Variables<'_>, name: &str) {
    run_to_failure(name, backend, variables, &["task give_up, put by PE 0"], &[], |shmem: Shmem| {
        let rig = Rig::new(&shmem);
        let queue = queue(&rig, 4);
        if shmem.my_pe() == 0 {
            // SAFETY: there are no data.
            unsafe {
                queue.put_task(tasks::wait_for.call((100_000_000,)), &[] as &[u64], 1).expect("put_task");
                queue.put_task(tasks::give_up.call(()), &[] as &[u64], 1).expect("put_task");
            }
        }
        let _ = queue.free();
    });
}

/// Catches PEs whose numbers mean different things.
#[test]
fn other_options_soft() {
    let says = ["task_queue:", "slots"];
    run_to_failure(concat!(module_path!(), "::other_options_soft"), Backend::Soft, &[], &says, &[], |shmem: Shmem| {
        let rig = Rig::new(&shmem);
        queue(&rig, 2 + shmem.my_pe() as usize);
    });
}

#[test]
fn other_buffers_soft() {
    let says = ["task_buffer:", "bytes"];
    run_to_failure(concat!(module_path!(), "::other_buffers_soft"), Backend::Soft, &[], &says, &[], |shmem: Shmem| {
        let rig = Rig::new(&shmem);
        let (words, queue) = (rig.symmetric(&[0u64; 4]), queue(&rig, 2));
        let _ = queue.buffer(words.slice(..1 + shmem.my_pe() as usize));
    });
}
