//! Put with signal, and signals.

use crate::context::{self, Ctx};
use crate::report::{self, Call, end_argument};
use crate::rma::LongDouble;
use crate::state::job;
use cushmem::SignalOp;
use cushmem::raw::AmoOp;
use cushmem::raw::Completion::{self, Blocking, Nbi};
use cushmem_capi_table::word_types;
use std::ffi::{c_int, c_void};

/// The signal in the arguments of a call.
struct Signal {
    address: *mut u64,
    value: u64,
    op: c_int,
}

/// # Safety
/// As specified: `source` is valid for `nelems` elements of `size` bytes.
unsafe fn put_signal(
    routine: &'static str,
    dest: *mut c_void,
    source: *const c_void,
    (nelems, size): (usize, usize),
    signal: Signal,
    (pe, ctx): (u32, Ctx),
    when: Completion,
) {
    let Signal { address, value, op } = signal;
    let op = match op {
        9 => SignalOp::Set,
        10 => SignalOp::Add,
        other => {
            let valid = "SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)";
            report::end(routine, &format!("argument sig_op: {other} is not {valid}"))
        }
    };
    let (bytes, raw) = (nelems.saturating_mul(size), context::on(routine, ctx));
    // SAFETY: the caller guarantees the source.
    let done = unsafe { raw.put_signal(dest.cast(), source.cast(), bytes, address, value, op, pe, when) };
    if let Err(error) = done {
        let (symmetric, private) = (("dest", dest.addr()), ("source", source.addr()));
        let signal = address.addr();
        end_argument(
            &Call { routine, symmetric, private, nelems, pe: pe.cast_signed(), signal, ..Call::default() },
            &error,
        )
    }
}

/// Put with signal for elements of a type. `$before` and `$after` make the name.
macro_rules! put_signals {
    ($element:ty, $size:expr, $before:expr, $after:literal) => {
        put_signals!(@ $element, $size, Blocking, $before, $after);
        put_signals!(@ $element, $size, Nbi, $before, $after, "_nbi");
    };
    (@ $element:ty, $size:expr, $when:expr, $before:expr, $after:literal $(, $nbi:literal)?) => {
        both_forms! { ($before, "put", $after, "_signal" $(, $nbi)?) ROUTINE, pe, ctx:
            (dest: *mut $element, source: *const $element, nelems: usize, sig_addr: *mut u64, value: u64, sig_op: c_int) {
            let signal = Signal { address: sig_addr, value, op: sig_op };
            // SAFETY: the caller guarantees the source.
            unsafe { put_signal(ROUTINE, dest.cast(), source.cast(), (nelems, $size), signal, (pe, ctx), $when) }
        } }
    };
}

put_signals!(c_void, 1, "", "mem");
put_signals!(c_void, 1, "", "8");
put_signals!(c_void, 2, "", "16");
put_signals!(c_void, 4, "", "32");
put_signals!(c_void, 8, "", "64");
put_signals!(c_void, 16, "", "128");
put_signals!(LongDouble, size_of::<LongDouble>(), "longdouble_", "");

macro_rules! typed {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        put_signals!($t, size_of::<$t>(), concat!(stringify!($name), "_"), "");
    )*};
}
word_types!(typed);

both_forms! { ("signal_set") ROUTINE, pe: (sig_addr: *mut u64, signal: u64) {
    update(ROUTINE, sig_addr, signal, AmoOp::Swap, pe);
} }

both_forms! { ("signal_add") ROUTINE, pe: (sig_addr: *mut u64, signal: u64) {
    update(ROUTINE, sig_addr, signal, AmoOp::Add, pe);
} }

#[inline(always)]
fn update(routine: &'static str, sig_addr: *mut u64, signal: u64, update: AmoOp, pe: u32) {
    if let Err(error) = job(routine).raw().update(sig_addr, signal, update, pe) {
        let symmetric = ("sig_addr", sig_addr.addr());
        end_argument(&Call { routine, symmetric, pe: pe.cast_signed(), ..Call::default() }, &error)
    }
}

one_form! { ("signal_fetch") ROUTINE: (sig_addr: *const u64) -> u64 {
    match job(ROUTINE).raw().load_acquire(sig_addr) {
        Ok(now) => now,
        Err(error) => {
            let symmetric = ("sig_addr", sig_addr.addr());
            end_argument(&Call { routine: ROUTINE, symmetric, ..Call::default() }, &error)
        }
    }
} }
