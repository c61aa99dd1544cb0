//! Puts with a task.

use crate::handles::{Handle, Table};
use crate::own_stream::on;
use crate::report;
use crate::state::job;
use cushmem::raw::PutTask;
use cushmem::{DevPtr, SignalOp, TaskCall, TaskExecutor, TaskOptions, TaskQueue};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr::{null, null_mut};
use std::sync::Arc;

/// `shmemx_task_options_t`.
#[repr(C)]
struct Options {
    slots: usize,
    blocks: c_uint,
    threads: c_uint,
    launched: c_int,
}

/// `shmemx_task_t`.
#[repr(C)]
struct Task {
    function: c_int,
    buffer: c_int,
    offset: usize,
    arguments: [u64; 6],
    done: *mut u64,
    value: u64,
    sig_op: c_int,
}

/// `shmemx_device_task_queue_t`.
#[repr(C)]
struct DeviceQueue {
    address: u64,
}

static QUEUES: Table<TaskQueue<'static>> = Table::new("queue", "a queue of tasks");

/// Removes what the program has not destroyed when it leaves its job.
pub(crate) fn remove_all() {
    QUEUES.remove_all();
}

fn succeed<T>(routine: &'static str, done: cushmem::Result<T>) -> T {
    done.unwrap_or_else(|error| report::end(routine, &error.cause().to_string()))
}

/// # Safety
/// As described in `shmemx.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_task_queue_create(
    module: *mut c_void,
    functions: *const *const c_char,
    nfunctions: usize,
    options: *const Options,
) -> Handle {
    let routine = "shmemx_task_queue_create";
    let job = job(routine);
    if module.is_null() {
        report::end(routine, "argument module: NULL is not a module");
    }
    if functions.is_null() || nfunctions == 0 {
        report::end(routine, "argument functions: there must be at least one");
    }
    let name = |i: usize| {
        // SAFETY: the caller guarantees `nfunctions` names, each a string.
        let name = unsafe { functions.add(i).read() };
        if name.is_null() {
            report::end(routine, &format!("argument functions: name {i} is NULL"));
        }
        // SAFETY: the caller guarantees that each name is a string, and this one is not null.
        unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
    };
    let names = (0..nfunctions).map(name).collect();
    // SAFETY: the caller guarantees the options and the module.
    let made = unsafe { job.raw().task_queue(routine, module.expose_provenance(), names, options_of(options)) };
    made_or_null(routine, made)
}

/// Creates queues for the functions that `SHMEMX_TASKS` names in a unit of CUDA C++: the header `shmemx_tasks.cuh`
/// calls it. `find` finds the unit's executor for the current CUDA context, and returns a `cudaError_t`.
///
/// # Safety
/// `names` is a string, and `options` is NULL or points to options.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_impl_task_queue_create(
    find: unsafe extern "C" fn(*mut *mut c_void) -> c_int,
    names: *const c_char,
    options: *const Options,
) -> Handle {
    let routine = "shmemx_task_queue_create";
    // SAFETY: the caller guarantees a string.
    let names = unsafe { CStr::from_ptr(names) }.to_string_lossy();
    let names = listed(&names);
    let find = || {
        let mut kernel = null_mut();
        // SAFETY: the header's function takes any pointer that may be written.
        match unsafe { find(&raw mut kernel) } {
            0 => Ok(kernel.expose_provenance()),
            error => Err(error),
        }
    };
    // SAFETY: the caller guarantees the options; the kernel is the one that the header has for them.
    let made = unsafe { job(routine).raw().task_queue_of_unit(routine, &find, names, options_of(options)) };
    made_or_null(routine, made)
}

/// The names in a list, of which each may be that of an instance of a template: `scale<float, 2>`.
fn listed(names: &str) -> Vec<String> {
    let mut depth = 0;
    let ends_name = |c: char| {
        depth += i32::from("<(".contains(c)) - i32::from(">)".contains(c));
        c == ',' && depth == 0
    };
    names.split(ends_name).map(|name| name.trim().to_owned()).collect()
}

/// # Safety
/// `options` is NULL or points to options.
unsafe fn options_of(options: *const Options) -> TaskOptions {
    let usual = TaskOptions::default();
    // SAFETY: the caller guarantees that it is NULL or points to options.
    let given = unsafe { options.as_ref() };
    given.map_or(usual, |&Options { slots, blocks, threads, launched }| TaskOptions {
        slots: if slots == 0 { usual.slots } else { slots },
        blocks: if blocks == 0 { usual.blocks } else { blocks },
        threads: if threads == 0 { usual.threads } else { threads },
        executor: if launched == 0 { usual.executor } else { TaskExecutor::Launched },
    })
}

fn made_or_null(routine: &'static str, made: cushmem::Result<TaskQueue<'static>>) -> Handle {
    match made {
        Ok(queue) => QUEUES.add(queue),
        Err(error) => {
            job(routine).raw().say(&format!("{routine}: {}", error.cause()));
            null()
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_task_queue_device(queue: Handle) -> DeviceQueue {
    DeviceQueue { address: QUEUES.find("shmemx_task_queue_device", queue).device().address() }
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_task_queue_destroy(queue: Handle) {
    let routine = "shmemx_task_queue_destroy";
    let Ok(queue) = Arc::try_unwrap(QUEUES.remove(routine, queue)) else {
        report::end(routine, "argument queue: another thread is using it")
    };
    // The error names the tasks of which one may have ended the executor.
    queue.free().unwrap_or_else(|error| report::end(routine, &error.to_string()));
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_task_buffer(queue: Handle, addr: *mut c_void, bytes: usize) -> c_int {
    let routine = "shmemx_task_buffer";
    let queue = QUEUES.find(routine, queue);
    let number = job(routine).raw().task_buffer(&queue, addr.cast(), bytes);
    number.unwrap_or_else(|error| {
        let symmetric = ("addr", addr.addr());
        report::end_argument(&report::Call { routine, symmetric, ..report::Call::default() }, &error)
    }) as c_int
}

/// # Safety
/// `task` is NULL or points to a task.
unsafe fn call(routine: &'static str, task: *const Task) -> TaskCall {
    // SAFETY: the caller guarantees it.
    let Some(task) = (unsafe { task.as_ref() }) else { report::end(routine, "argument task: NULL is not a task") };
    let Ok(function) = u32::try_from(task.function) else {
        report::end(routine, &format!("argument task->function: {} is below 0", task.function))
    };
    let call = TaskCall::of_function(function, task.arguments);
    let call = match u32::try_from(task.buffer) {
        Ok(buffer) => call.at(buffer, task.offset as u64),
        Err(_) if task.buffer == -1 => call,
        Err(_) => report::end(routine, &format!("argument task->buffer: {} is neither a buffer nor -1", task.buffer)),
    };
    let done = |op| call.then(DevPtr::from_address(task.done.addr() as u64), task.value, op);
    match task.sig_op {
        _ if task.done.is_null() => call,
        9 => done(SignalOp::Set),
        10 => done(SignalOp::Add),
        other => {
            let valid = "SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)";
            report::end(routine, &format!("argument task->sig_op: {other} is not {valid}"))
        }
    }
}

/// # Safety
/// `task` is NULL or points to a task.
unsafe fn put<'q>(
    routine: &'static str,
    queue: &'q TaskQueue<'static>,
    task: *const Task,
    (source, bytes): (*const c_void, usize),
    pe: c_int,
) -> PutTask<'q, 'static> {
    // SAFETY: the caller guarantees the same.
    let call = unsafe { call(routine, task) };
    if source.is_null() && bytes > 0 {
        report::end(routine, "argument source: NULL is not a valid address");
    }
    let Ok(pe) = u32::try_from(pe) else { report::end(routine, &format!("argument pe: {pe} is below 0")) };
    PutTask { queue, call, src: source.cast(), bytes, pe }
}

/// # Safety
/// As described in `shmemx.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_put_task(
    queue: Handle,
    task: *const Task,
    source: *const c_void,
    nbytes: usize,
    pe: c_int,
) {
    let routine = "shmemx_put_task";
    let queue = QUEUES.find(routine, queue);
    // SAFETY: the program guarantees the task and the source.
    let done = unsafe {
        let put = put(routine, &queue, task, (source, nbytes), pe);
        job(routine).raw().put_task(&put)
    };
    succeed(routine, done);
}

/// # Safety
/// As described in `shmemx.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_put_task_on_stream(
    queue: Handle,
    task: *const Task,
    source: *const c_void,
    nbytes: usize,
    pe: c_int,
    stream: *mut c_void,
) {
    let routine = "shmemx_put_task_on_stream";
    let queue = QUEUES.find(routine, queue);
    // SAFETY: the program guarantees the task, the source and the stream.
    let done = unsafe {
        let put = put(routine, &queue, task, (source, nbytes), pe);
        job(routine).raw().on_stream(on(stream).any()).put_task(&put)
    };
    succeed(routine, done);
}
