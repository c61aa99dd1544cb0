//! Prepared operations and triggers.

use crate::handles::{Handle, Table};
use crate::report::{self, Call, end_argument};
use crate::state::job;
use cushmem::{ArgumentError, DevicePrepared, Operation, Prepared, SignalOp, Trigger, WordUpdate};
use std::ffi::{c_int, c_void};
use std::sync::Arc;

/// `shmemx_op_t`.
#[repr(C)]
struct Op {
    kind: c_int,
    pe: c_int,
    dest: *mut c_void,
    source: *mut c_void,
    nbytes: usize,
    sig_addr: *mut u64,
    value: u64,
    sig_op: c_int,
    by_proxy: c_int,
    next: Handle,
}

/// `shmemx_device_trigger_t`.
#[repr(C)]
struct DeviceTrigger {
    record: u64,
}

static TRIGGERS: Table<Trigger<'static>> = Table::new("trigger", "a trigger");
static PREPARED: Table<Prepared<'static>> = Table::new("prepared", "a prepared operation");

/// Removes what the program has not destroyed when it leaves its job.
pub(crate) fn remove_all() {
    TRIGGERS.remove_all();
    PREPARED.remove_all();
}

fn trigger(routine: &'static str, handle: Handle) -> Arc<Trigger<'static>> {
    TRIGGERS.find(routine, handle)
}

fn succeed<T>(routine: &'static str, done: cushmem::Result<T>) -> T {
    done.unwrap_or_else(|error| report::end(routine, &error.cause().to_string()))
}

/// # Safety
/// `op` points to an operation whose memory stays valid as long as what is made from it.
unsafe fn describe(routine: &'static str, op: *const Op) -> Operation<'static> {
    let raw = job(routine).raw();
    // SAFETY: the caller guarantees that `op` points to an operation, or is NULL.
    let Some(op) = (unsafe { op.as_ref() }) else { report::end(routine, "argument op: NULL is not an operation") };
    let Op { dest, source, nbytes, pe, .. } = *op;
    let number = pe.cast_unsigned();
    let signal = || match op.sig_op {
        9 => (op.sig_addr, op.value, SignalOp::Set),
        10 => (op.sig_addr, op.value, SignalOp::Add),
        other => {
            let valid = "SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)";
            report::end(routine, &format!("argument op->sig_op: {other} is not {valid}"))
        }
    };
    let change = |update| match nbytes {
        4 | 8 => raw.describe_atomic(dest.cast(), nbytes, update, op.value, number),
        other => report::end(routine, &format!("argument op->nbytes: {other} is not 4 or 8, the bytes of a word")),
    };
    // SAFETY: the caller guarantees that the private end is valid for `nbytes` bytes as long as what is made from the
    // operation.
    let described: Result<_, ArgumentError> = unsafe {
        match op.kind {
            1 => raw.describe_put(dest.cast(), source.cast(), nbytes, None, number),
            2 => raw.describe_put(dest.cast(), source.cast(), nbytes, Some(signal()), number),
            3 => raw.describe_put(std::ptr::null_mut(), std::ptr::null(), 0, Some(signal()), number),
            4 => raw.describe_get(dest.cast(), source.cast(), nbytes, number),
            5 => change(WordUpdate::Set),
            6 => change(WordUpdate::Add),
            7 => change(WordUpdate::And),
            8 => change(WordUpdate::Or),
            9 => change(WordUpdate::Xor),
            10 => Ok(Operation::trigger(&trigger(routine, op.next))),
            other => report::end(routine, &format!("argument op->kind: {other} is not a SHMEMX_OP_ value, 1 to 10")),
        }
    };
    let described = described.unwrap_or_else(|error| {
        let (dest, source) = (("op->dest", dest.addr()), ("op->source", source.addr()));
        let (symmetric, private) = if op.kind == 4 { (source, dest) } else { (dest, source) };
        let signal = op.sig_addr.addr();
        end_argument(&Call { routine, symmetric, private, pe, signal, ..Call::default() }, &error)
    });
    if op.by_proxy == 0 { described } else { described.by_proxy() }
}

/// # Safety
/// As described in `shmemx.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_prepare(op: *const Op) -> Handle {
    let routine = "shmemx_prepare";
    // SAFETY: the program guarantees that `op` points to an operation whose memory stays valid.
    let described = unsafe { describe(routine, op) };
    PREPARED.add(succeed(routine, job(routine).prepare(described)))
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_prepared_device(prepared: Handle) -> DevicePrepared {
    PREPARED.find("shmemx_prepared_device", prepared).device()
}

/// # Safety
/// `stream` is a stream of the driver.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_prepared_post(prepared: Handle, stream: *mut c_void) {
    let routine = "shmemx_prepared_post";
    let prepared = PREPARED.find(routine, prepared);
    // SAFETY: the program guarantees that `stream` is a stream of the driver.
    succeed(routine, unsafe { job(routine).raw().post(&prepared, stream.addr()) });
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_prepared_destroy(prepared: Handle) {
    drop(PREPARED.remove("shmemx_prepared_destroy", prepared));
}

/// # Safety
/// As described in `shmemx.h`.
#[unsafe(no_mangle)]
unsafe extern "C" fn shmemx_trigger_create(op: *const Op, threshold: u64) -> Handle {
    let routine = "shmemx_trigger_create";
    // SAFETY: the program guarantees that `op` points to an operation whose memory stays valid.
    let described = unsafe { describe(routine, op) };
    TRIGGERS.add(succeed(routine, job(routine).trigger(described, threshold)))
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_trigger_device(handle: Handle) -> DeviceTrigger {
    DeviceTrigger { record: trigger("shmemx_trigger_device", handle).device().number() }
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_trigger_firm(handle: Handle) {
    let routine = "shmemx_trigger_firm";
    trigger(routine, handle).make_firm();
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_trigger_arm(handle: Handle) {
    let routine = "shmemx_trigger_arm";
    succeed(routine, trigger(routine, handle).arm());
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_trigger_arm_always(handle: Handle) {
    let routine = "shmemx_trigger_arm_always";
    succeed(routine, trigger(routine, handle).arm_always());
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_trigger_arm_on_stream(handle: Handle) {
    let routine = "shmemx_trigger_arm_on_stream";
    succeed(routine, trigger(routine, handle).arm_on_stream());
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_trigger_rearm(handle: Handle) {
    let routine = "shmemx_trigger_rearm";
    succeed(routine, trigger(routine, handle).rearm());
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_trigger_cancel(handle: Handle) -> c_int {
    let routine = "shmemx_trigger_cancel";
    succeed(routine, trigger(routine, handle).cancel()).into()
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_trigger_wait(handle: Handle) {
    let routine = "shmemx_trigger_wait";
    succeed(routine, trigger(routine, handle).wait());
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_trigger_destroy(handle: Handle) {
    drop(TRIGGERS.remove("shmemx_trigger_destroy", handle));
}
