//! Reports what happened before the process dies, when the CPU touches a device address or a lane of a kernel touches
//! an address that it may not access. A SIGSEGV that was sent rather than caused by a fault goes to the previous
//! handler without a report.

use super::exec::stack_area;
use crate::{GpuError, Result};
use cushmem_abi::lane::{Dim3, Lane, running};
use cushmem_abi::soft::{ALIAS_DISTANCE, is_device_address};
use std::ffi::{c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

/// The previous handler of the signal, stored before ours can run.
static PREVIOUS: OnceLock<libc::sigaction> = OnceLock::new();

/// Installs our handler in front of the present one, once in a process.
pub(super) fn install() -> Result<()> {
    static INSTALLED: OnceLock<Result<()>> = OnceLock::new();
    INSTALLED.get_or_init(|| install_once().map_err(|e| GpuError::new("handle SIGSEGV", e.to_string()))).clone()
}

fn install_once() -> io::Result<()> {
    let mut previous = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action, this only writes the present one to a place that has room for it.
    if unsafe { libc::sigaction(libc::SIGSEGV, ptr::null(), previous.as_mut_ptr()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call succeeded and initialised the value.
    PREVIOUS.get_or_init(|| unsafe { previous.assume_init() });
    // SAFETY: zeros are a valid `sigaction`: no handler, no flags, an empty mask.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handle as *const () as usize;
    // On the alternate stack, because the fault may be an overflow of a lane's stack.
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
    // SAFETY: `handle` has the signature that SA_SIGINFO asks for, and calls only async-signal-safe functions.
    if unsafe { libc::sigaction(libc::SIGSEGV, &action, ptr::null_mut()) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

extern "C" fn handle(signal: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the operating system passes a valid siginfo to a SA_SIGINFO handler.
    let (code, address) = unsafe { ((*info).si_code, (*info).si_addr() as u64) };
    // A positive code means a fault. A signal that was sent comes without an address.
    let was_sent = code <= 0;
    if !was_sent {
        report(address);
    }
    let Some(previous) = PREVIOUS.get() else { return die_by_default(was_sent) };
    match previous.sa_sigaction {
        libc::SIG_IGN if was_sent => {}
        libc::SIG_DFL | libc::SIG_IGN => return die_by_default(was_sent),
        handler if previous.sa_flags & libc::SA_SIGINFO != 0 => {
            // SAFETY: the process had installed this handler with SA_SIGINFO, so it has this type.
            let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) =
                unsafe { std::mem::transmute(handler) };
            handler(signal, info, context);
        }
        handler => {
            // SAFETY: the process had installed this handler without SA_SIGINFO, so it has this type.
            let handler: extern "C" fn(c_int) = unsafe { std::mem::transmute(handler) };
            handler(signal);
        }
    }
    // A handler made for faults only restores the default action and returns, and the fault then happens again. A
    // signal that was sent does not repeat itself.
    if was_sent && is_default() {
        die_by_default(was_sent);
    }
}

fn is_default() -> bool {
    let mut present = MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action, this only writes the present one to a place that has room for it. The place is read
    // only after a success.
    unsafe {
        libc::sigaction(libc::SIGSEGV, ptr::null(), present.as_mut_ptr()) == 0
            && present.assume_init().sa_sigaction == libc::SIG_DFL
    }
}

/// Sets the default action, so that the process dies when the handler returns: either the faulting instruction runs
/// again, or the signal is raised once more.
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
    // The fault was caused by the lane that runs on this thread, if there is one.
    let lane = running();
    let mut line = Line::default();
    line.text(b"cushmem: ");
    if is_device_address(address) {
        line.text(b"CPU access to device address ").hex(address);
        line.text(b": device memory is reached by kernels, copies and streams only");
    } else if is_device_address(address.wrapping_sub(ALIAS_DISTANCE)) {
        line.kernel(lane.as_ref()).text(b" accessed device address ").hex(address - ALIAS_DISTANCE);
        line.text(b", where no memory is mapped");
    } else if stack_area().contains(&address) {
        line.kernel(lane.as_ref()).text(b" overflowed its stack of 64 KiB on the emulated GPU");
    } else if lane.is_some() {
        line.kernel(lane.as_ref()).text(b" accessed address ").hex(address);
        line.text(b", which is not mapped or which it may not access");
    } else {
        return;
    }
    line.write();
}

/// A line of text, used because `format!` would allocate. Text that does not fit is dropped.
struct Line {
    bytes: [u8; 320],
    length: usize,
}

impl Default for Line {
    fn default() -> Self {
        Self { bytes: [0; 320], length: 0 }
    }
}

impl Line {
    fn text(&mut self, text: &[u8]) -> &mut Self {
        for byte in text {
            // The last byte is reserved for the line feed.
            if self.length + 1 < self.bytes.len() {
                self.bytes[self.length] = *byte;
                self.length += 1;
            }
        }
        self
    }

    /// Appends `0x` and sixteen digits.
    fn hex(&mut self, value: u64) -> &mut Self {
        self.text(b"0x");
        for i in 0..16 {
            self.text(&[b"0123456789abcdef"[(value >> (60 - 4 * i)) as usize & 15]]);
        }
        self
    }

    fn decimal(&mut self, value: u64) -> &mut Self {
        if value >= 10 {
            self.decimal(value / 10);
        }
        self.text(&[b'0' + (value % 10) as u8])
    }

    /// Appends the kernel's name and the lane.
    fn kernel(&mut self, lane: Option<&Lane>) -> &mut Self {
        let Some(lane) = lane else { return self.text(b"a kernel") };
        let number = |[x, y, z]: Dim3, [width, height, _]: Dim3| {
            u64::from(x) + u64::from(width) * (u64::from(y) + u64::from(height) * u64::from(z))
        };
        let name = lane.kernel.as_bytes();
        self.text(b"kernel ").text(&name[..name.len().min(128)]);
        self.text(b" (block ").decimal(number(lane.block_idx, lane.grid_dim));
        self.text(b", thread ").decimal(number(lane.thread_idx, lane.block_dim)).text(b")")
    }

    fn write(&mut self) {
        self.bytes[self.length] = b'\n';
        // SAFETY: the buffer has `length` bytes and one more, and `write` is async-signal-safe. Nothing can be done if
        // it fails.
        unsafe { libc::write(2, self.bytes.as_ptr().cast(), self.length + 1) };
    }
}
