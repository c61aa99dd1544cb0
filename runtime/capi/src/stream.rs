//! Operations on streams.

use crate::own_stream::on;
use crate::report::{self, Call, end_argument};
use crate::rma::LongDouble;
use crate::state::job;
use crate::strided::check_strides;
use crate::team::{Handle, team};
use crate::wait::comparison;
use cushmem::{ArgumentError, Blocks, SignalOp, Word};
use cushmem_capi_table::{amo_types, word_types};
use std::ffi::{c_int, c_void};

type Result = std::result::Result<(), ArgumentError>;

/// The direction in which bytes travel.
#[derive(Clone, Copy)]
enum Way {
    Put,
    Get,
}

/// # Safety
/// `stream` is a valid stream, and the private end is valid for `nelems` elements of `size` bytes until the stream has
/// passed the operation.
unsafe fn copy(
    (routine, way): (&'static str, Way),
    dest: *mut c_void,
    source: *const c_void,
    (nelems, size): (usize, usize),
    pe: c_int,
    stream: *mut c_void,
) {
    let (raw, bytes, number) = (job(routine).raw(), nelems.saturating_mul(size), pe.cast_unsigned());
    // SAFETY: the caller guarantees the private end and the stream.
    let done = unsafe {
        match way {
            Way::Put => raw.on_stream(on(stream).any()).put(dest.cast(), source.cast(), bytes, number),
            Way::Get => raw.on_stream(on(stream).any()).get(dest.cast(), source.cast(), bytes, number),
        }
    };
    if let Err(error) = done {
        end_copy((routine, way), (dest, source), nelems, pe, &error)
    }
}

/// # Safety
/// `stream` is a valid stream, and all elements of the private end are valid until the stream has passed the operation.
unsafe fn strided(
    (routine, way): (&'static str, Way),
    dest: *mut c_void,
    source: *const c_void,
    blocks: Blocks,
    pe: c_int,
    stream: *mut c_void,
) {
    check_strides(routine, &blocks);
    let (raw, number) = (job(routine).raw(), pe.cast_unsigned());
    // SAFETY: the caller guarantees the private end and the stream.
    let done = unsafe {
        match way {
            Way::Put => raw.on_stream(on(stream).any()).put_blocks(dest.cast(), source.cast(), blocks, number),
            Way::Get => raw.on_stream(on(stream).any()).get_blocks(dest.cast(), source.cast(), blocks, number),
        }
    };
    if let Err(error) = done {
        end_copy((routine, way), (dest, source), blocks.count, pe, &error)
    }
}

fn end_copy(
    (routine, way): (&'static str, Way),
    (dest, source): (*mut c_void, *const c_void),
    nelems: usize,
    pe: c_int,
    error: &ArgumentError,
) -> ! {
    let (dest, source) = (("dest", dest.addr()), ("source", source.addr()));
    let (symmetric, private) = if matches!(way, Way::Put) { (dest, source) } else { (source, dest) };
    end_argument(&Call { routine, symmetric, private, nelems, pe, ..Call::default() }, error)
}

/// The signal in the arguments of a call.
struct Signal {
    address: *mut u64,
    value: u64,
    op: c_int,
}

fn signal_op(routine: &'static str, op: c_int) -> SignalOp {
    match op {
        9 => SignalOp::Set,
        10 => SignalOp::Add,
        other => {
            let valid = "SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)";
            report::end(routine, &format!("argument sig_op: {other} is not {valid}"))
        }
    }
}

/// # Safety
/// The conditions of [`copy`].
unsafe fn put_signal(
    routine: &'static str,
    dest: *mut c_void,
    source: *const c_void,
    (nelems, size): (usize, usize),
    Signal { address, value, op }: Signal,
    pe: c_int,
    stream: *mut c_void,
) {
    let (raw, bytes, number) = (job(routine).raw(), nelems.saturating_mul(size), pe.cast_unsigned());
    let op = signal_op(routine, op);
    // SAFETY: the caller guarantees the source and the stream.
    let done = unsafe {
        raw.on_stream(on(stream).any()).put_signal(dest.cast(), source.cast(), bytes, address, value, op, number)
    };
    if let Err(error) = done {
        let (symmetric, private) = (("dest", dest.addr()), ("source", source.addr()));
        let signal = address.addr();
        end_argument(&Call { routine, symmetric, private, nelems, pe, signal, ..Call::default() }, &error)
    }
}

/// Exports `shmemx_NAME_on_stream`; `NAME` is made of the pieces in parentheses. The body uses `$routine` for the whole
/// name.
macro_rules! on_stream {
    (($($name:expr),+) $routine:ident: ($($argument:ident: $t:ty),*) $(-> $r:ty)? $body:block) => {
        const _: () = {
            /// # Safety
            /// As described in `shmemx.h`.
            #[unsafe(export_name = concat!("shmemx_", $($name,)+ "_on_stream"))]
            unsafe extern "C" fn exported($($argument: $t),*) $(-> $r)? {
                const $routine: &str = concat!("shmemx_", $($name,)+ "_on_stream");
                $body
            }
        };
    };
}
pub(crate) use on_stream;

/// Put, get, put with signal, and strided put and get, for elements of a type. `$before` and `$after` make the names.
macro_rules! copies {
    ($element:ty, $before:expr, $after:literal) => {
        copies!(@ $element, $before, $after,);
        copies!(@ $element, $before, $after, "_nbi");
        strided!($element, Put, $before, "iput", $after);
        strided!($element, Get, $before, "iget", $after);
    };
    (@ $element:ty, $before:expr, $after:literal, $($nbi:literal)?) => {
        copies!(@ $element, Put, $before, "put", $after, $($nbi)?);
        copies!(@ $element, Get, $before, "get", $after, $($nbi)?);
        on_stream! { ($before, "put", $after, "_signal" $(, $nbi)?) ROUTINE: (dest: *mut $element, source: *const $element, nelems: usize,
            sig_addr: *mut u64, value: u64, sig_op: c_int, pe: c_int, stream: *mut c_void) {
            let signal = Signal { address: sig_addr, value, op: sig_op };
            // SAFETY: the caller guarantees the source and the stream.
            unsafe { put_signal(ROUTINE, dest.cast(), source.cast(), (nelems, size_of::<$element>()), signal, pe, stream) }
        } }
    };
    (@ $element:ty, $way:ident, $before:expr, $name:literal, $after:literal, $($nbi:literal)?) => {
        on_stream! { ($before, $name, $after $(, $nbi)?) ROUTINE:
            (dest: *mut $element, source: *const $element, nelems: usize, pe: c_int, stream: *mut c_void) {
            let elements = (nelems, size_of::<$element>());
            // SAFETY: the caller guarantees the private end and the stream.
            unsafe { copy((ROUTINE, Way::$way), dest.cast(), source.cast(), elements, pe, stream) }
        } }
    };
}

macro_rules! strided {
    ($element:ty, $way:ident, $before:expr, $name:literal, $after:literal) => {
        on_stream! { ($before, $name, $after) ROUTINE: (dest: *mut $element, source: *const $element, dst: isize, sst: isize, nelems: usize,
            pe: c_int, stream: *mut c_void) {
            let blocks = Blocks { count: nelems, elements: 1, size: size_of::<$element>(), dst, sst };
            // SAFETY: the caller guarantees the private end and the stream.
            unsafe { strided((ROUTINE, Way::$way), dest.cast(), source.cast(), blocks, pe, stream) }
        } }
    };
}

copies!(@ u8, "", "mem",);
copies!(@ u8, "", "mem", "_nbi");
copies!(u8, "", "8");
copies!(u16, "", "16");
copies!(u32, "", "32");
copies!(u64, "", "64");
copies!(u128, "", "128");
copies!(LongDouble, "longdouble_", "");

fn p<T: Word>(routine: &'static str, dest: *mut T, value: T, pe: c_int, stream: *mut c_void) {
    // SAFETY: the caller guarantees the stream.
    let done = unsafe { job(routine).raw().on_stream(on(stream).any()).p(dest, value, pe.cast_unsigned()) };
    if let Err(error) = done {
        end_argument(&Call { routine, symmetric: ("dest", dest.addr()), pe, ..Call::default() }, &error)
    }
}

macro_rules! typed {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        copies!($t, concat!(stringify!($name), "_"), "");
        on_stream! { (stringify!($name), "_p") ROUTINE: (dest: *mut $t, value: $t, pe: c_int, stream: *mut c_void) {
            p(ROUTINE, dest, value, pe, stream);
        } }
    )*};
}
word_types!(typed);

macro_rules! waits {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        on_stream! { (stringify!($name), "_wait_until") ROUTINE: (ivar: *mut $t, cmp: c_int, cmp_value: $t, stream: *mut c_void) {
            let (raw, cmp) = (job(ROUTINE).raw(), comparison(ROUTINE, cmp));
            // SAFETY: the caller guarantees the stream.
            if let Err(error) = unsafe { raw.on_stream(on(stream).any()).wait_until(ivar, cmp, cmp_value) } {
                end_argument(&Call { routine: ROUTINE, symmetric: ("ivar", ivar.addr()), ..Call::default() }, &error)
            }
        } }
    )*};
}
amo_types!(waits);
waits! {
    short i16 "short";
    ushort u16 "unsigned short";
}

on_stream! { ("signal_op") ROUTINE: (sig_addr: *mut u64, signal: u64, sig_op: c_int, pe: c_int, stream: *mut c_void) {
    let (raw, op) = (job(ROUTINE).raw(), signal_op(ROUTINE, sig_op));
    // SAFETY: the caller guarantees the stream.
    let done = unsafe { raw.on_stream(on(stream).any()).signal_op(sig_addr, signal, op, pe.cast_unsigned()) };
    of_signal(ROUTINE, sig_addr, pe, done);
} }

on_stream! { ("signal_wait_until") ROUTINE: (sig_addr: *mut u64, cmp: c_int, cmp_value: u64, stream: *mut c_void) {
    let (raw, cmp) = (job(ROUTINE).raw(), comparison(ROUTINE, cmp));
    // SAFETY: the caller guarantees the stream.
    let done = unsafe { raw.on_stream(on(stream).any()).wait_until(sig_addr, cmp, cmp_value) };
    of_signal(ROUTINE, sig_addr, 0, done);
} }

/// The PEs of a list.
///
/// # Safety
/// `list` is valid for `n` elements.
unsafe fn pes(routine: &'static str, name: &str, list: *const c_int, n: usize) -> Vec<u32> {
    if n > 0 && list.is_null() {
        report::end(routine, &format!("argument {name}: NULL is not a valid address"));
    }
    let last = job(routine).n_pes() - 1;
    let element = |at: usize| {
        // SAFETY: the caller guarantees the list.
        let pe = unsafe { list.add(at).read() };
        match u32::try_from(pe) {
            Ok(number) if number <= last => number,
            _ => report::end(routine, &format!("argument {name}: element {at} is {pe}, out of range (0 to {last})")),
        }
    };
    (0..n).map(element).collect()
}

on_stream! { ("signal_exchange") ROUTINE: (sigs: *mut u64, to_pes: *const c_int, nto: usize, from_pes: *const c_int,
    nfrom: usize, stream: *mut c_void) {
    // SAFETY: the caller guarantees the lists and the stream.
    let done = unsafe {
        let (to, from) = (pes(ROUTINE, "to_pes", to_pes, nto), pes(ROUTINE, "from_pes", from_pes, nfrom));
        job(ROUTINE).raw().on_stream(on(stream).any()).exchange_signals(sigs, &to, &from)
    };
    if let Err(error) = done {
        end_argument(&Call { routine: ROUTINE, symmetric: ("sigs", sigs.addr()), ..Call::default() }, &error)
    }
} }

fn of_signal(routine: &'static str, sig_addr: *const u64, pe: c_int, done: Result) {
    if let Err(error) = done {
        end_argument(&Call { routine, symmetric: ("sig_addr", sig_addr.addr()), pe, ..Call::default() }, &error)
    }
}

fn of_stream(routine: &'static str, done: Result) {
    if let Err(error) = done {
        end_argument(&Call { routine, symmetric: ("stream", 0), ..Call::default() }, &error)
    }
}

on_stream! { ("quiet") ROUTINE: (stream: *mut c_void) {
    // SAFETY: the caller guarantees the stream.
    of_stream(ROUTINE, unsafe { job(ROUTINE).raw().on_stream(on(stream).any()).quiet() });
} }

on_stream! { ("barrier_all") ROUTINE: (stream: *mut c_void) {
    // SAFETY: the caller guarantees the stream.
    of_stream(ROUTINE, unsafe { job(ROUTINE).raw().on_stream(on(stream).any()).barrier_all() });
} }

on_stream! { ("sync_all") ROUTINE: (stream: *mut c_void) {
    let job = job(ROUTINE);
    // SAFETY: the caller guarantees the stream; the team of all PEs is never destroyed.
    of_stream(ROUTINE, unsafe { job.raw().on_stream(on(stream).any()).team_sync(job.team_world()) });
} }

on_stream! { ("team_sync") ROUTINE: (handle: Handle, stream: *mut c_void) -> c_int {
    let team = team(ROUTINE, handle);
    // SAFETY: the caller guarantees the stream, and destroys the team only later.
    of_stream(ROUTINE, unsafe { job(ROUTINE).raw().on_stream(on(stream).any()).team_sync(team) });
    0
} }

on_stream! { ("barrier") ROUTINE: (handle: Handle, stream: *mut c_void) -> c_int {
    let team = team(ROUTINE, handle);
    // SAFETY: the caller guarantees the stream, and keeps the team until the stream has passed the barrier.
    of_stream(ROUTINE, unsafe { job(ROUTINE).raw().on_stream(on(stream).any()).barrier(team) });
    0
} }
