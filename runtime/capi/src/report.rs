//! What happens after a mistake of a C program: one line on stderr and the end of the job, because OpenSHMEM has no
//! error returns.

use crate::state;
use cushmem::ArgumentError;
use cushmem_environment as environment;
use cushmem_environment::log;
use std::ffi::c_int;

/// Exit status, that of `abort`.
pub(crate) const STATUS: c_int = 134;

/// What a message needs to know about a call.
#[derive(Clone, Copy, Default)]
pub(crate) struct Call {
    pub(crate) routine: &'static str,
    /// Name and value of the symmetric end.
    pub(crate) symmetric: (&'static str, usize),
    /// Name and value of the private end.
    pub(crate) private: (&'static str, usize),
    pub(crate) signal: usize,
    /// The number of elements; 0 for a routine without such an argument.
    pub(crate) nelems: usize,
    /// The name of that argument, if it is not `nelems`.
    pub(crate) counted: Option<&'static str>,
    pub(crate) pe: c_int,
}

/// Ends the job because of a wrong argument.
#[cold]
#[inline(never)]
pub(crate) fn end_argument(call: &Call, error: &ArgumentError) -> ! {
    let about = |(name, value): (&str, usize)| {
        if value == 0 { format!("argument {name}: NULL") } else { format!("argument {name}: {value:#x}") }
    };
    let allocated = "(memory from shmem_malloc and the program's non-const globals are)";
    let past = |(name, value): (&str, usize)| match (call.nelems, call.counted.unwrap_or("nelems")) {
        (0, _) => format!("argument {name}: {value:#x} {error}"),
        (nelems, counted) => format!("argument {counted}: {nelems} from {name} {value:#x} {error}"),
    };
    // The address that the error is about, and what is wrong with it.
    let (at, why) = match error {
        ArgumentError::Signal(why) => (("sig_addr", call.signal), &**why),
        ArgumentError::Private(why) => (call.private, &**why),
        why => (call.symmetric, why),
    };
    let text = match why {
        ArgumentError::Pe { .. } => format!("argument pe: {} {error}", call.pe),
        ArgumentError::NotSymmetric => format!("{} {error} {allocated}", about(at)),
        ArgumentError::PastEnd(_)
        | ArgumentError::PastGlobals(_)
        | ArgumentError::PastObject(_)
        | ArgumentError::PastAddresses
        | ArgumentError::BelowStart(..) => past(at),
        ArgumentError::NullPrivate => format!("argument {}: NULL is not a valid address", call.private.0),
        ArgumentError::Overlap if !call.private.0.is_empty() => {
            let (name, value) = call.symmetric;
            format!("{} overlaps {name} {value:#x}: they must be the same or not overlap", about(call.private))
        }
        ArgumentError::Lock(_) => format!("{}: {error}", about(call.symmetric)),
        ArgumentError::Failed(error) => error.cause().to_string(),
        _ => format!("{} {error}", about(at)),
    };
    end(call.routine, &text)
}

/// Ends the job with one line about this PE's call, or about that of another PE which has made the same mistake.
#[cold]
pub(crate) fn end(routine: &'static str, text: &str) -> ! {
    state::job(routine).raw().abort(STATUS, &format!("{routine}: {text}"))
}

/// Ends the process with one line about a call before this PE has joined or after it has left.
#[cold]
pub(crate) fn end_outside(routine: &str, text: &str) -> ! {
    environment::let_pe_0_speak();
    let pe = environment::PE.value().map_or_else(String::new, |pe| format!("PE {pe}: "));
    say(&format!("cushmem: {pe}{routine}: {text}"));
    // SAFETY: the call ends the process, and no handler of a program in an unexpected state runs.
    unsafe { libc::_exit(STATUS) }
}

/// Ends the process because joining failed.
#[cold]
pub(crate) fn end_without_job(routine: &str, text: &str) -> ! {
    environment::let_pe_0_speak();
    say(&format!("cushmem: {routine}: {text}"));
    // SAFETY: the call ends the process; this PE has not joined, and no handler runs.
    unsafe { libc::_exit(1) }
}

/// Prints one line; a closed stderr is ignored.
pub(crate) fn say(line: &str) {
    log::write_line(log::Level::Error, module_path!(), &format!("{}\n", environment::printable(line)));
}
