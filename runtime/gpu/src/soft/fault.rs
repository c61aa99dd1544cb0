//! Says what happened when the CPU touches a device address, before the process dies of it. A SIGSEGV that was sent, not caused, is
//! passed on.

use super::exec::stack_area;
use crate::{GpuError, Result};
use cushmem_abi::soft::{ALIAS_DISTANCE, is_device_address};
use std::ffi::{c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

/// What handled the signal before; set before our handler can run.
static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// Puts the handler in front of the present one, once in a process.
pub(super) fn install() -> Result<()> {
    static INSTALLED: OnceLock<Result<()>> = OnceLock::new();
    INSTALLED.get_or_init(|| install_once().map_err(|e| GpuError::new("handle SIGSEGV", e.to_string()))).clone()
}

fn install_once() -> io::Result<()> {
    let mut previous = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: with no new action this only writes the present one to a place that has room for it.
    if unsafe { libc::sigaction(libc::SIGSEGV, ptr::null(), previous.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call succeeded and filled it in.
    PREVIOUS.get_or_init(|| unsafe { previous.assume_init() });
    // SAFETY: zeros are a valid `sigaction`: no handler, no flags, an empty mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handle as *const () as usize;
    // On the alternate stack, because the fault may be the overflow of a lane's stack.
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: `handle` has the signature that SA_SIGINFO asks for and calls async-signal-safe functions only.
    if unsafe { libc::sigaction(libc::SIGSEGV, &action, ptr::null_mut()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the kernel passes a valid siginfo to a SA_SIGINFO handler.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as u64) };
    // A positive code means a fault; who sends the signal gives no address.
    let was_sent = code <= 0;
    if !was_sent {
        report(address);
    }
    let Some(previous) = PREVIOUS.get() else { return die_by_default(was_sent) };
    match previous.sa_sigaction {
        libc::SIG_IGN if was_sent => {}
        libc::SIG_DFL | libc::SIG_IGN => return die_by_default(was_sent),
        handler if previous.sa_flags & libc::SA_SIGINFO != 0 => {
            // SAFETY: this is the handler that the process had installed with SA_SIGINFO, so it has this type.
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                unsafe { std::mem::transmute(handler) };
            handler(signal, info, context);
        }
        handler => {
            // SAFETY: this is the handler that the process had installed without SA_SIGINFO, so it has this type.
            let handler: extern "C" fn(c_int) = unsafe { std::mem::transmute(handler) };
            handler(signal);
        }
    }
    // A handler that knows of faults only restores the default action and returns, for the fault to come again. What was sent does not.
    if was_sent && is_default() {
        die_by_default(was_sent);
    }
}

fn is_default() -> bool {
    let mut present = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: with no new action this only writes the present one to a place that has room for it; it is read after a success only.
    unsafe {
        libc::sigaction(libc::SIGSEGV, ptr::null(), present.as_mut_ptr()) == 0
            && present.assume_init().sa_sigaction == libc::SIG_DFL
    }
}

/// The return ends the process: the faulting instruction runs again, or the signal comes once more.
fn die_by_default(was_sent: bool) {
    // SAFETY: `signal` and `raise` are async-signal-safe, and the default action is always valid.
    unsafe {
        libc::signal(libc::SIGSEGV, libc::SIG_DFL);
        if was_sent {
            libc::raise(libc::SIGSEGV);
        }
    }
}

fn report(address: u64) {
    if is_device_address(address) {
        write_line(&[
            b"cushmem: CPU access to device address ",
            &hex(address),
            b": device memory is reached by kernels, copies and streams only\n",
        ]);
    } else if is_device_address(address.wrapping_sub(ALIAS_DISTANCE)) {
        let device_address = hex(address - ALIAS_DISTANCE);
        write_line(&[b"cushmem: a kernel accessed device address ", &device_address, b", where no memory is mapped\n"]);
    } else if stack_area().contains(&address) {
        write_line(&[b"cushmem: a lane of a kernel overflowed its stack of 64 KiB on the emulated GPU\n"]);
    }
}

/// `0x` and sixteen digits; `format!` would allocate.
fn hex(value: u64) -> [u8; 18] {
    let mut text = *b"0x0000000000000000";
    for (i, byte) in text[2..].iter_mut().enumerate() {
        *byte = b"0123456789abcdef"[(value >> (60 - 4 * i)) as usize & 15];
    }
    text
}

fn write_line(parts: &[&[u8]]) {
    let mut line = [0u8; 160];
    let mut length = 0;
    for byte in parts.iter().copied().flatten().take(line.len()) {
        line[length] = *byte;
        length += 1;
    }
    // SAFETY: the buffer has `length` bytes; `write` is async-signal-safe. Nothing can be done if it fails.
    unsafe { libc::write(2, line.as_ptr().cast(), length) };
}
