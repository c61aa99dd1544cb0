//! Waiting for words of this PE, and testing them: a single word, or all, any or some words of an array.
//!
//! Only elements of an array whose `status` is 0 count; without `status`, all count. If none counts, there is no wait:
//! `all` holds, `any` is `SIZE_MAX`, and `some` finds 0.

use crate::report::{self, Call, end_argument};
use crate::state::job;
use cushmem::raw::OwnWords;
use cushmem::{ArgumentError, Cmp, Word};
use cushmem_capi_table::{amo_types, to_all_types};
use cushmem_numbers::Random;
use std::cell::Cell;
use std::ffi::{c_int, c_long};

pub(crate) fn comparison(routine: &'static str, cmp: c_int) -> Cmp {
    match cmp {
        0 => Cmp::Eq,
        1 => Cmp::Ne,
        2 => Cmp::Gt,
        3 => Cmp::Le,
        4 => Cmp::Lt,
        5 => Cmp::Ge,
        other => report::end(routine, &format!("argument cmp: {other} is not SHMEM_CMP_EQ (0) to SHMEM_CMP_GE (5)")),
    }
}

#[cold]
fn bad_words(routine: &'static str, argument: &'static str, address: usize, nelems: usize, error: &ArgumentError) -> ! {
    end_argument(&Call { routine, symmetric: (argument, address), nelems, ..Call::default() }, error)
}

fn wait_until<T: Word>(routine: &'static str, argument: &'static str, ivar: *const T, cmp: Cmp, value: T) -> T {
    match job(routine).raw().wait_until(ivar, cmp, value) {
        Ok(now) => now,
        Err(error) => bad_words(routine, argument, ivar.addr(), 0, &error),
    }
}

fn test<T: Word>(routine: &'static str, ivar: *const T, cmp: Cmp, value: T) -> c_int {
    match job(routine).raw().load_acquire(ivar) {
        Ok(now) => c_int::from(cmp.holds(now, value)),
        Err(error) => bad_words(routine, "ivar", ivar.addr(), 0, &error),
    }
}

/// The values with which the elements are compared.
trait Values<T>: Copy {
    /// The value for element `at`, which exists.
    fn of(self, at: usize) -> T;
    fn is_null(self) -> bool;
}

/// One value for all elements.
#[derive(Clone, Copy)]
struct Same<T>(T);

impl<T: Word> Values<T> for Same<T> {
    fn of(self, _: usize) -> T {
        self.0
    }

    fn is_null(self) -> bool {
        false
    }
}

/// One value per element. The pointer is valid for as many values as there are elements.
#[derive(Clone, Copy)]
struct Each<T>(*const T);

impl<T: Word> Values<T> for Each<T> {
    fn of(self, at: usize) -> T {
        // SAFETY: the caller of the routine guarantees as many values as elements.
        unsafe { self.0.add(at).read() }
    }

    fn is_null(self) -> bool {
        self.0.is_null()
    }
}

thread_local! {
    /// The calls of [`anywhere`] by this thread.
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// A random position among `n` elements at which `any` starts to look. Each call therefore finds each element that
/// satisfies the condition with a probability of at least `1 / n`, whatever arrays and masks the program tests in
/// between.
fn anywhere(n: usize) -> usize {
    Random::new(CALLS.replace(CALLS.get().wrapping_add(1))).below(n)
}

/// The elements, which of them count, and the condition.
struct Wanted<T, V> {
    routine: &'static str,
    words: OwnWords<'static, T>,
    status: *const c_int,
    cmp: Cmp,
    values: V,
}

impl<T: Word, V: Values<T>> Wanted<T, V> {
    /// # Safety
    /// `status` and the values are each NULL or valid for `nelems` elements.
    unsafe fn new(
        routine: &'static str,
        (ivars, nelems): (*const T, usize),
        status: *const c_int,
        cmp: c_int,
        values: V,
    ) -> Self {
        let cmp = comparison(routine, cmp);
        if nelems > 0 && values.is_null() {
            report::end(routine, "argument cmp_values: NULL is not a valid address");
        }
        match job(routine).raw().own_words(ivars, nelems) {
            Ok(words) => Self { routine, words, status, cmp, values },
            Err(error) => bad_words(routine, "ivars", ivars.addr(), nelems, &error),
        }
    }

    /// The positions of the elements that count.
    fn places(&self) -> impl Iterator<Item = usize> {
        (0..self.words.len()).filter(|&at| self.counts(at))
    }

    fn counts(&self, at: usize) -> bool {
        // SAFETY: the caller of `new` guarantees as many elements as there are words.
        self.status.is_null() || unsafe { self.status.add(at).read() } == 0
    }

    fn holds(&self, at: usize) -> bool {
        self.cmp.holds(self.words.load_acquire(at), self.values.of(at))
    }

    fn all(&self) -> bool {
        self.places().all(|at| self.holds(at))
    }

    /// An element that satisfies the condition. A series of calls finds each such element eventually.
    fn any(&self) -> Option<usize> {
        let n = self.words.len();
        let first = anywhere(n);
        (first..n).chain(0..first).find(|&at| self.counts(at) && self.holds(at))
    }

    /// Writes the positions of the elements that satisfy the condition to `indices`; returns how many there are.
    ///
    /// # Safety
    /// `indices` has room for as many positions as there are words.
    unsafe fn some(&self, indices: *mut usize) -> usize {
        if self.words.len() > 0 && indices.is_null() {
            report::end(self.routine, "argument indices: NULL is not a valid address");
        }
        let mut found = 0;
        for at in self.places().filter(|&at| self.holds(at)) {
            // SAFETY: there are no more than there are words.
            unsafe { indices.add(found).write(at) };
            found += 1;
        }
        found
    }

    fn wait_all(&self) {
        // An element that was seen to satisfy the condition counts even if it changes again: each is waited for in its
        // turn.
        for at in self.places() {
            self.until(|| self.holds(at).then_some(()));
        }
    }

    fn wait_any(&self) -> usize {
        if self.places().next().is_none() {
            return usize::MAX;
        }
        self.until(|| self.any())
    }

    /// # Safety
    /// The conditions of [`Self::some`].
    unsafe fn wait_some(&self, indices: *mut usize) -> usize {
        if self.places().next().is_none() {
            return 0;
        }
        // SAFETY: the caller guarantees that `indices` has room for as many as there are words.
        self.until(|| Some(unsafe { self.some(indices) }).filter(|&found| found > 0))
    }

    fn until<R>(&self, look: impl FnMut() -> Option<R>) -> R {
        job(self.routine).raw().wait_for(self.routine, &self.words, look)
    }
}

/// The routines for arrays of one type, compared with one value or with one value per element.
macro_rules! arrays {
    ($name:ident $t:ident, $value:ty, $values:ident, $after:literal) => {
        arrays!(@ $name $t, "_wait_until_all", $after, $value, $values, () -> (), |wanted| wanted.wait_all());
        arrays!(@ $name $t, "_wait_until_any", $after, $value, $values, () -> usize, |wanted| wanted.wait_any());
        arrays!(@ $name $t, "_wait_until_some", $after, $value, $values, (indices: *mut usize,) -> usize,
            // SAFETY: the caller of the routine guarantees that `indices` has room for `nelems` elements.
            |wanted| unsafe { wanted.wait_some(indices) });
        arrays!(@ $name $t, "_test_all", $after, $value, $values, () -> c_int, |wanted| c_int::from(wanted.all()));
        arrays!(@ $name $t, "_test_any", $after, $value, $values, () -> usize, |wanted| wanted.any().unwrap_or(usize::MAX));
        arrays!(@ $name $t, "_test_some", $after, $value, $values, (indices: *mut usize,) -> usize,
            // SAFETY: the caller of the routine guarantees that `indices` has room for `nelems` elements.
            |wanted| unsafe { wanted.some(indices) });
    };
    (@ $name:ident $t:ident, $suffix:literal, $after:literal, $value:ty, $values:ident,
        ($($indices:ident: $it:ty,)?) -> $r:ty, |$wanted:ident| $body:expr) => {
        one_form! { (stringify!($name), $suffix, $after) ROUTINE:
            (ivars: *mut $t, nelems: usize, $($indices: $it,)? status: *const c_int, cmp: c_int, value: $value) -> $r {
            // SAFETY: the caller of the routine guarantees that `status` and the values are each NULL or valid for
            // `nelems` elements.
            let $wanted = unsafe { Wanted::new(ROUTINE, (ivars, nelems), status, cmp, $values(value)) };
            $body
        } }
    };
}

/// The routines for a single word.
macro_rules! single {
    ($name:ident $t:ident) => {
        one_form! { (stringify!($name), "_wait_until") ROUTINE: (ivar: *mut $t, cmp: c_int, cmp_value: $t) {
            wait_until(ROUTINE, "ivar", ivar, comparison(ROUTINE, cmp), cmp_value);
        } }
        one_form! { (stringify!($name), "_test") ROUTINE: (ivar: *mut $t, cmp: c_int, cmp_value: $t) -> c_int {
            test(ROUTINE, ivar, comparison(ROUTINE, cmp), cmp_value)
        } }
    };
}

macro_rules! waits {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        single!($name $t);
        arrays!($name $t, $t, Same, "");
        arrays!($name $t, *const $t, Each, "_vector");
    )*};
}
amo_types!(waits);
waits! { short i16 "short"; ushort u16 "unsigned short"; }

macro_rules! old {
    ($($name:ident $t:ident $c:literal;)*) => {$(
        one_form! { (stringify!($name), "_wait") ROUTINE: (ivar: *mut $t, cmp_value: $t) {
            wait_until(ROUTINE, "ivar", ivar, Cmp::Ne, cmp_value);
        } }
    )*};
}
to_all_types!(old);

one_form! { ("wait") ROUTINE: (ivar: *mut c_long, cmp_value: c_long) {
    wait_until(ROUTINE, "ivar", ivar, Cmp::Ne, cmp_value);
} }

one_form! { ("wait_until") ROUTINE: (ivar: *mut c_long, cmp: c_int, cmp_value: c_long) {
    wait_until(ROUTINE, "ivar", ivar, comparison(ROUTINE, cmp), cmp_value);
} }

one_form! { ("signal_wait_until") ROUTINE: (sig_addr: *mut u64, cmp: c_int, cmp_value: u64) -> u64 {
    wait_until(ROUTINE, "sig_addr", sig_addr, comparison(ROUTINE, cmp), cmp_value)
} }
