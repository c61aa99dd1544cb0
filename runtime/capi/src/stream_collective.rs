//! Collectives on streams.

use crate::collective::splits;
use crate::own_stream::on;
use crate::report::{self, Call, end_argument};
use crate::state::job;
use crate::stream::on_stream;
use crate::team::{Handle, team};
use cushmem::raw::{BadArgument, Buffers};
use cushmem::{Arithmetic, Bf16, Bitwise, F16, Reducer, Reduction};
use cushmem_capi_table::{bitwise_reduce_types, word_types};
use std::ffi::{c_int, c_void};

/// The operation of a routine.
#[derive(Clone, Copy)]
enum Collective {
    Broadcast(c_int),
    Fcollect,
    Alltoall,
    Reduce(Reducer),
    ReduceScatter(Reducer),
}

/// # Safety
/// `stream` is a valid stream.
unsafe fn enqueue(
    routine: &'static str,
    what: Collective,
    handle: Handle,
    (dest, source): (*mut c_void, *const c_void),
    (nelems, size): (usize, usize),
    stream: *mut c_void,
) -> c_int {
    let (raw, team, given) = (job(routine).raw(), team(routine, handle), on(stream));
    let stream = given.any();
    let (buffers, bytes) = (Buffers { dest: dest.cast(), source: source.cast() }, nelems.saturating_mul(size));
    // SAFETY: the caller guarantees the stream.
    let done = unsafe {
        match what {
            Collective::Broadcast(root) => raw.on_stream(stream).broadcast(team, buffers, bytes, root.cast_unsigned()),
            Collective::Fcollect => raw.on_stream(stream).fcollect(team, buffers, bytes),
            Collective::Alltoall => raw.on_stream(stream).alltoall(team, buffers, bytes),
            Collective::Reduce(reducer) => raw.on_stream(stream).reduce(team, buffers, nelems, reducer),
            Collective::ReduceScatter(reducer) => raw.on_stream(stream).reducescatter(team, buffers, nelems, reducer),
        }
    };
    let Err(BadArgument { argument, value, error }) = done else { return 0 };
    if let Collective::Broadcast(root) = what
        && argument == "PE_root"
    {
        report::end(routine, &format!("argument PE_root: {root} {error} in the team"));
    }
    let counted =
        Some(if matches!(what, Collective::Reduce(_) | Collective::ReduceScatter(_)) { "nreduce" } else { "nelems" });
    end_argument(&Call { routine, symmetric: (argument, value), nelems, counted, ..Call::default() }, &error)
}

/// Routines for elements of a type whose size is `$size` bytes; `$what` is the operation of each routine.
macro_rules! collectives {
    ($t:ty, $size:expr, $before:expr, $after:literal; $(($($name:expr),+) $what:expr;)*) => {$(
        on_stream! { ($before, $($name,)+ $after) ROUTINE:
            (handle: Handle, dest: *mut $t, source: *const $t, nelems: usize, stream: *mut c_void) -> c_int {
            // SAFETY: the caller guarantees the stream.
            unsafe { enqueue(ROUTINE, $what, handle, (dest.cast(), source.cast()), (nelems, $size), stream) }
        } }
    )*};
}

/// Collectives that only move data. `$before` and `$after` make the name.
macro_rules! moves {
    ($t:ty, $size:expr, $before:expr, $after:literal) => {
        on_stream! { ($before, "broadcast", $after) ROUTINE:
            (handle: Handle, dest: *mut $t, source: *const $t, nelems: usize, root: c_int, stream: *mut c_void) -> c_int {
            let ends = (dest.cast(), source.cast());
            // SAFETY: the caller guarantees the stream.
            unsafe { enqueue(ROUTINE, Collective::Broadcast(root), handle, ends, (nelems, $size), stream) }
        } }
        collectives! { $t, $size, $before, $after; ("fcollect") Collective::Fcollect; ("alltoall") Collective::Alltoall; }
    };
}

macro_rules! reductions {
    ($t:ty, $number:ty, $name:expr; $($operation:literal $reducer:expr),*) => {
        collectives! { $t, size_of::<$number>(), $name, "";
            $(("_", $operation, "_reduce") Collective::Reduce($reducer); ("_", $operation, "_reducescatter") Collective::ReduceScatter($reducer);)* }
    };
}

fn arithmetic<T: Arithmetic>(reduction: Reduction) -> Reducer {
    match <T as Arithmetic>::reducer(reduction) {
        Some(reducer) => reducer,
        None => unreachable!("only bitwise operations are for some numbers only"),
    }
}

macro_rules! numbers {
    ($($name:ident $t:ty, $number:ty;)*) => {$(
        moves!($t, size_of::<$number>(), concat!(stringify!($name), "_"), "");
        reductions! { $t, $number, stringify!($name);
            "min" arithmetic::<$number>(Reduction::Min), "max" arithmetic::<$number>(Reduction::Max),
            "sum" arithmetic::<$number>(Reduction::Sum), "prod" arithmetic::<$number>(Reduction::Prod)
        }
    )*};
}

macro_rules! words {
    ($($name:ident $t:ident $c:literal;)*) => { numbers! { $($name $t, $t;)* } };
}

macro_rules! bitwise {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        reductions! { $t, $t, stringify!($name);
            "and" <$t as Bitwise>::reducer(Reduction::And), "or" <$t as Bitwise>::reducer(Reduction::Or),
            "xor" <$t as Bitwise>::reducer(Reduction::Xor)
        }
    )*};
}

moves!(c_void, 1, "", "mem");

on_stream! { ("alltoallmemv") ROUTINE: (handle: Handle, dest: *mut c_void, source: *const c_void, dest_splits: *mut u64,
    source_splits: *const u64, nrows: usize, size: usize, stream: *mut c_void) -> c_int {
    let (raw, team, given) = (job(ROUTINE).raw(), team(ROUTINE, handle), on(stream));
    let buffers = Buffers { dest: dest.cast(), source: source.cast() };
    let splits = splits(dest_splits, source_splits, (nrows, size));
    // SAFETY: the caller guarantees the stream, the team and the memory.
    let done = unsafe { raw.on_stream(given.any()).alltoallv(team, buffers, splits) };
    let Err(BadArgument { argument, value, error }) = done else { return 0 };
    let (symmetric, counted) = ((argument, value), Some("nrows"));
    end_argument(&Call { routine: ROUTINE, symmetric, nelems: nrows, counted, ..Call::default() }, &error)
} }

word_types!(words);
bitwise_reduce_types!(bitwise);
numbers! { half c_void, F16; bfloat16 c_void, Bf16; }
