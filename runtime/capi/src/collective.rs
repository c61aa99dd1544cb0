//! Collectives of teams and of active sets.

use crate::reduction::{Complex, complex, longdouble};
use crate::report::{self, Call, end_argument};
use crate::rma::LongDouble;
use crate::state::job;
use crate::team::{Handle, team};
use cushmem::raw::{BadArgument, Buffers, NoActiveSet, Participants, Splits};
use cushmem::{Arithmetic, Bitwise, Reducer, Reduction};
use cushmem_capi_table::{bitwise_reduce_types, to_all_types, word_types};
use std::ffi::{c_int, c_long, c_void};

/// The arguments that most collectives share.
#[derive(Clone, Copy)]
struct Ends {
    dest: *mut c_void,
    source: *const c_void,
    nelems: usize,
    size: usize,
}

impl Ends {
    fn buffers(self) -> Buffers {
        Buffers { dest: self.dest.cast(), source: self.source.cast() }
    }

    fn bytes(self) -> usize {
        self.nelems.saturating_mul(self.size)
    }
}

#[inline(always)]
fn done(routine: &'static str, nelems: usize, result: Result<(), BadArgument>) -> c_int {
    done_counting(routine, "nelems", nelems, result)
}

/// Like [`done`], for a routine whose argument for the number of elements is called `counted`.
#[inline(always)]
fn done_counting(
    routine: &'static str,
    counted: &'static str,
    nelems: usize,
    result: Result<(), BadArgument>,
) -> c_int {
    match result {
        Ok(()) => 0,
        Err(bad) => refused(routine, counted, nelems, &bad),
    }
}

#[cold]
fn refused(routine: &'static str, counted: &'static str, nelems: usize, bad: &BadArgument) -> ! {
    let BadArgument { argument, value, error } = bad;
    let symmetric = (*argument, *value);
    end_argument(&Call { routine, symmetric, nelems, counted: Some(counted), ..Call::default() }, error)
}

// Not inlined, so that each schedule exists once and not once per type.

#[inline(never)]
fn broadcast(routine: &'static str, who: Participants<'_>, ends: Ends, root: c_int, root_too: bool) -> c_int {
    let result = job(routine).raw().broadcast(who, ends.buffers(), ends.bytes(), root.cast_unsigned(), root_too);
    if let Err(BadArgument { argument: "PE_root", error, .. }) = &result {
        let whole = if root_too { "team" } else { "active set" };
        report::end(routine, &format!("argument PE_root: {root} {error} in the {whole}"));
    }
    done(routine, ends.nelems, result)
}

#[inline(never)]
fn collect(routine: &'static str, who: Participants<'_>, ends: Ends) -> c_int {
    done(routine, ends.nelems, job(routine).raw().collect(who, ends.buffers(), ends.bytes(), usize::MAX))
}

#[inline(never)]
fn fcollect(routine: &'static str, who: Participants<'_>, ends: Ends) -> c_int {
    done(routine, ends.nelems, job(routine).raw().fcollect(who, ends.buffers(), ends.bytes()))
}

#[inline(never)]
fn alltoall(routine: &'static str, who: Participants<'_>, ends: Ends) -> c_int {
    done(routine, ends.nelems, job(routine).raw().alltoall(who, ends.buffers(), ends.bytes()))
}

#[inline(never)]
fn alltoalls(routine: &'static str, who: Participants<'_>, ends: Ends, dst: isize, sst: isize) -> c_int {
    for (name, stride) in [("dst", dst), ("sst", sst)] {
        if stride < 1 {
            report::end(routine, &format!("argument {name}: {stride} is not at least 1"));
        }
    }
    let strides = (dst.cast_unsigned(), sst.cast_unsigned());
    let result = job(routine).raw().alltoalls(who, ends.buffers(), ends.size, ends.nelems, strides);
    done(routine, ends.nelems, result)
}

#[inline(never)]
fn reduce(routine: &'static str, who: Participants<'_>, ends: Ends, reducer: Reducer) -> c_int {
    let result = job(routine).raw().reduce(who, ends.buffers(), ends.nelems, reducer);
    done_counting(routine, "nreduce", ends.nelems, result)
}

#[inline(never)]
fn scan(routine: &'static str, who: Participants<'_>, ends: Ends, sum: Reducer, inclusive: bool) -> c_int {
    done(routine, ends.nelems, job(routine).raw().scan(who, ends.buffers(), ends.nelems, sum, inclusive))
}

/// The number of rows in an argument is that for which the dest has room.
pub(crate) fn splits(dest: *mut u64, source: *const u64, (room, row): (usize, usize)) -> Splits {
    Splits { dest, source, room, given: usize::MAX, row }
}

#[unsafe(no_mangle)]
extern "C" fn shmemx_alltoallmemv(
    handle: Handle,
    dest: *mut c_void,
    source: *const c_void,
    dest_splits: *mut u64,
    source_splits: *const u64,
    nrows: usize,
    size: usize,
) -> c_int {
    const ROUTINE: &str = "shmemx_alltoallmemv";
    let buffers = Buffers { dest: dest.cast(), source: source.cast() };
    let splits = splits(dest_splits, source_splits, (nrows, size));
    let result = job(ROUTINE).raw().alltoallv(team(ROUTINE, handle), buffers, splits);
    done_counting(ROUTINE, "nrows", nrows, result)
}

one_form! { ("team_sync") ROUTINE: (handle: Handle) -> c_int {
    done(ROUTINE, 0, job(ROUTINE).raw().sync(Participants::Team(team(ROUTINE, handle))))
} }

/// Collectives that only move data. `$before` and `$after` make the name.
macro_rules! moves {
    ($t:ty, $size:expr, $before:expr, $after:literal) => {
        one_form! { ($before, "broadcast", $after) ROUTINE:
            (handle: Handle, dest: *mut $t, source: *const $t, nelems: usize, root: c_int) -> c_int {
            let ends = Ends { dest: dest.cast(), source: source.cast(), nelems, size: $size };
            broadcast(ROUTINE, Participants::Team(team(ROUTINE, handle)), ends, root, true)
        } }
        moves!(@ collect, $t, $size, $before, $after);
        moves!(@ fcollect, $t, $size, $before, $after);
        moves!(@ alltoall, $t, $size, $before, $after);
        one_form! { ($before, "alltoalls", $after) ROUTINE:
            (handle: Handle, dest: *mut $t, source: *const $t, dst: isize, sst: isize, nelems: usize) -> c_int {
            let ends = Ends { dest: dest.cast(), source: source.cast(), nelems, size: $size };
            alltoalls(ROUTINE, Participants::Team(team(ROUTINE, handle)), ends, dst, sst)
        } }
    };
    (@ $move:ident, $t:ty, $size:expr, $before:expr, $after:literal) => {
        one_form! { ($before, stringify!($move), $after) ROUTINE:
            (handle: Handle, dest: *mut $t, source: *const $t, nelems: usize) -> c_int {
            let ends = Ends { dest: dest.cast(), source: source.cast(), nelems, size: $size };
            $move(ROUTINE, Participants::Team(team(ROUTINE, handle)), ends)
        } }
    };
}

/// Reductions of one type.
macro_rules! reductions {
    ($name:expr, $t:ty: $($operation:literal $reducer:expr),*) => {$(
        one_form! { ($name, "_", $operation, "_reduce") ROUTINE:
            (handle: Handle, dest: *mut $t, source: *const $t, nreduce: usize) -> c_int {
            let ends = Ends { dest: dest.cast(), source: source.cast(), nelems: nreduce, size: size_of::<$t>() };
            reduce(ROUTINE, Participants::Team(team(ROUTINE, handle)), ends, $reducer)
        } }
    )*};
}

/// Scans of one type.
macro_rules! scans {
    ($name:expr, $t:ty, $sum:expr) => {
        scans!(@ $name, $t, $sum, "_sum_inscan", true);
        scans!(@ $name, $t, $sum, "_sum_exscan", false);
    };
    (@ $name:expr, $t:ty, $sum:expr, $operation:literal, $inclusive:literal) => {
        one_form! { ($name, $operation) ROUTINE:
            (handle: Handle, dest: *mut $t, source: *const $t, nelems: usize) -> c_int {
            let ends = Ends { dest: dest.cast(), source: source.cast(), nelems, size: size_of::<$t>() };
            scan(ROUTINE, Participants::Team(team(ROUTINE, handle)), ends, $sum, $inclusive)
        } }
    };
}

/// Reductions of numbers by comparison, addition and multiplication.
fn arithmetic<T: Arithmetic>(reduction: Reduction) -> Reducer {
    match <T as Arithmetic>::reducer(reduction) {
        Some(reducer) => reducer,
        None => unreachable!("only bitwise operations are for some numbers only"),
    }
}

moves!(c_void, 1, "", "mem");
moves!(LongDouble, size_of::<LongDouble>(), "longdouble_", "");
reductions! { "longdouble", LongDouble:
    "min" longdouble(Reduction::Min), "max" longdouble(Reduction::Max),
    "sum" longdouble(Reduction::Sum), "prod" longdouble(Reduction::Prod)
}
scans!("longdouble", LongDouble, longdouble(Reduction::Sum));

macro_rules! complexes {
    ($($name:literal $t:ty;)*) => {$(
        reductions! { $name, Complex<$t>: "sum" complex::<$t>(Reduction::Sum), "prod" complex::<$t>(Reduction::Prod) }
        scans!($name, Complex<$t>, complex::<$t>(Reduction::Sum));
    )*};
}
complexes! { "complexf" f32; "complexd" f64; }

macro_rules! words {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        moves!($t, size_of::<$t>(), concat!(stringify!($name), "_"), "");
        reductions! { stringify!($name), $t:
            "min" arithmetic::<$t>(Reduction::Min), "max" arithmetic::<$t>(Reduction::Max),
            "sum" arithmetic::<$t>(Reduction::Sum), "prod" arithmetic::<$t>(Reduction::Prod)
        }
        scans!(stringify!($name), $t, arithmetic::<$t>(Reduction::Sum));
    )*};
}
word_types!(words);

macro_rules! bitwise {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        reductions! { stringify!($name), $t:
            "and" <$t as Bitwise>::reducer(Reduction::And), "or" <$t as Bitwise>::reducer(Reduction::Or),
            "xor" <$t as Bitwise>::reducer(Reduction::Xor)
        }
    )*};
}
bitwise_reduce_types!(bitwise);

/// An active set, or `None` if this PE is not in it, which check mode reports. Ends the job if the set is not valid.
fn active(routine: &'static str, start: c_int, log_stride: c_int, size: c_int) -> Option<Participants<'static>> {
    let raw = job(routine).raw();
    match raw.active_set(start, log_stride, size) {
        Ok(who) => Some(who),
        Err(NoActiveSet::NotMember) if !raw.checks() => None,
        Err(why) => {
            let text = format!("arguments PE_start, logPE_stride, PE_size: {start}, {log_stride}, {size} {why}");
            report::end(routine, &text)
        }
    }
}

one_form! { ("sync") ROUTINE: (start: c_int, log_stride: c_int, size: c_int, _p_sync: *mut c_long) {
    let Some(who) = active(ROUTINE, start, log_stride, size) else { return };
    done(ROUTINE, 0, job(ROUTINE).raw().sync(who));
} }

one_form! { ("barrier") ROUTINE: (start: c_int, log_stride: c_int, size: c_int, _p_sync: *mut c_long) {
    let Some(who) = active(ROUTINE, start, log_stride, size) else { return };
    let job = job(ROUTINE);
    if let Err(error) = job.quiet() {
        report::end(ROUTINE, &error.to_string());
    }
    done(ROUTINE, 0, job.raw().sync(who));
} }

macro_rules! active_moves {
    ($bits:literal, $size:literal) => {
        one_form! { ("broadcast", $bits) ROUTINE: (
            dest: *mut c_void, source: *const c_void, nelems: usize, root: c_int,
            start: c_int, log_stride: c_int, size: c_int, _p_sync: *mut c_long
        ) {
            let Some(who) = active(ROUTINE, start, log_stride, size) else { return };
            broadcast(ROUTINE, who, Ends { dest, source, nelems, size: $size }, root, false);
        } }
        active_moves!(@ collect, $bits, $size);
        active_moves!(@ fcollect, $bits, $size);
        active_moves!(@ alltoall, $bits, $size);
        one_form! { ("alltoalls", $bits) ROUTINE: (
            dest: *mut c_void, source: *const c_void, dst: isize, sst: isize, nelems: usize,
            start: c_int, log_stride: c_int, size: c_int, _p_sync: *mut c_long
        ) {
            let Some(who) = active(ROUTINE, start, log_stride, size) else { return };
            alltoalls(ROUTINE, who, Ends { dest, source, nelems, size: $size }, dst, sst);
        } }
    };
    (@ $move:ident, $bits:literal, $size:literal) => {
        one_form! { (stringify!($move), $bits) ROUTINE: (
            dest: *mut c_void, source: *const c_void, nelems: usize,
            start: c_int, log_stride: c_int, size: c_int, _p_sync: *mut c_long
        ) {
            let Some(who) = active(ROUTINE, start, log_stride, size) else { return };
            $move(ROUTINE, who, Ends { dest, source, nelems, size: $size });
        } }
    };
}
active_moves!("32", 4);
active_moves!("64", 8);

macro_rules! to_all {
    ($name:expr, $t:ty: $($operation:literal $reducer:expr),*) => {$(
        one_form! { ($name, "_", $operation, "_to_all") ROUTINE: (
            dest: *mut $t, source: *const $t, nreduce: c_int,
            start: c_int, log_stride: c_int, size: c_int, _p_wrk: *mut $t, _p_sync: *mut c_long
        ) {
            let Ok(nelems) = usize::try_from(nreduce) else {
                report::end(ROUTINE, &format!("argument nreduce: {nreduce} is negative"));
            };
            let Some(who) = active(ROUTINE, start, log_stride, size) else { return };
            reduce(ROUTINE, who, Ends { dest: dest.cast(), source: source.cast(), nelems, size: size_of::<$t>() }, $reducer);
        } }
    )*};
}

macro_rules! to_all_arithmetic {
    ($($name:ident $t:ident;)*) => {$(
        to_all! { stringify!($name), $t:
            "min" arithmetic::<$t>(Reduction::Min), "max" arithmetic::<$t>(Reduction::Max),
            "sum" arithmetic::<$t>(Reduction::Sum), "prod" arithmetic::<$t>(Reduction::Prod)
        }
    )*};
}

macro_rules! to_all_words {
    ($($name:ident $t:ident $c:literal;)*) => {
        to_all_arithmetic! { $($name $t;)* }
        $(to_all! { stringify!($name), $t:
            "and" <$t as Bitwise>::reducer(Reduction::And), "or" <$t as Bitwise>::reducer(Reduction::Or),
            "xor" <$t as Bitwise>::reducer(Reduction::Xor)
        })*
    };
}
to_all_types!(to_all_words);
to_all_arithmetic! { float f32; double f64; }
to_all! { "longdouble", LongDouble:
    "min" longdouble(Reduction::Min), "max" longdouble(Reduction::Max),
    "sum" longdouble(Reduction::Sum), "prod" longdouble(Reduction::Prod)
}
to_all! { "complexf", Complex<f32>: "sum" complex::<f32>(Reduction::Sum), "prod" complex::<f32>(Reduction::Prod) }
to_all! { "complexd", Complex<f64>: "sum" complex::<f64>(Reduction::Sum), "prod" complex::<f64>(Reduction::Prod) }
