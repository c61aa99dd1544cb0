//! Tests and waits for one or several words, without a promise of which comes first.

use crate::cmp::Cmp;
use crate::recorded::{Begun, NO_PE};
use crate::wait::{LOOKS_PER_REPORT, LOOKS_WITHOUT_CLOCK};
use crate::{DevPtr, Word, arch, report};
use cushmem_abi::KernelOperation;

/// Several words of this PE that a lane looks at, in a row (`ivars`, `nelems` and `status` of OpenSHMEM 1.6, 9.11).
/// Words whose status is not 0 are left out; the status array is never written. [`wait_until_any`] has an example.
#[derive(Clone, Copy)]
pub struct Ivars<T> {
    first: DevPtr<T>,
    count: usize,
    /// Null if there is none.
    status: DevPtr<i32>,
}

impl<T: Word> Ivars<T> {
    /// `count` words from `first`.
    #[inline(always)]
    pub fn new(first: DevPtr<T>, count: usize) -> Self {
        Self { first, count, status: DevPtr::from_address(0) }
    }

    /// The same words, without those whose element of this array is not 0.
    #[inline(always)]
    pub fn with_status(self, status: DevPtr<i32>) -> Self {
        Self { status, ..self }
    }

    /// # Safety
    /// As for the functions below; `at` is below the count.
    #[inline(always)]
    unsafe fn is_left_out(&self, at: usize) -> bool {
        // SAFETY: the caller guarantees that the array has an element for each word.
        self.status.address() != 0 && unsafe { self.status.add(at).read() } != 0
    }
}

/// What words are compared with: one value for all, or, if it is a pointer, an element for each (the `_vector`
/// functions of OpenSHMEM 1.6). [`wait_until_all`] has an example.
pub trait Values<T>: Copy {
    /// The value for a word.
    ///
    /// # Safety
    /// If it is a pointer, it points to an element for each word.
    #[doc(hidden)]
    unsafe fn of(self, at: usize) -> T;
}

impl<T: Word> Values<T> for T {
    #[inline(always)]
    unsafe fn of(self, _: usize) -> T {
        self
    }
}

impl<T: Word> Values<T> for DevPtr<T> {
    #[inline(always)]
    unsafe fn of(self, at: usize) -> T {
        // SAFETY: the caller guarantees that it has an element for each word.
        unsafe { self.add(at).read() }
    }
}

/// One value for all words, or an element for each if the pointer is not null.
#[derive(Clone, Copy, Debug)]
pub struct Either<T> {
    /// The value.
    pub value: T,
    /// The elements.
    pub each: DevPtr<T>,
}

impl<T: Word> Values<T> for Either<T> {
    #[inline(always)]
    unsafe fn of(self, at: usize) -> T {
        // SAFETY: the caller guarantees that it has an element for each word.
        if self.each.address() == 0 { self.value } else { unsafe { self.each.add(at).read() } }
    }
}

/// What a function wants to know of its words.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs)] // as OpenSHMEM calls them
pub enum Want {
    All,
    Any,
    Some,
}

/// What one pass over the words has seen.
#[derive(Clone, Copy)]
struct Seen {
    /// Words that are not left out.
    counted: usize,
    /// How many of them compare.
    found: usize,
    /// The place of the first that compares, and of the first that does not.
    holds: usize,
    lacks: usize,
}

impl Want {
    #[inline(always)]
    fn is_met(self, seen: Seen) -> bool {
        match self {
            Want::All => seen.found == seen.counted,
            Want::Any | Want::Some => seen.found > 0 || seen.counted == 0,
        }
    }

    /// What the functions return, as a word: 1 or 0, a place or [`NOWHERE`], how many.
    #[inline(always)]
    fn answer(self, seen: Seen) -> u64 {
        match self {
            Want::All => u64::from(self.is_met(seen)),
            Want::Any if seen.found > 0 => seen.holds as u64,
            Want::Any => NOWHERE,
            Want::Some => seen.found as u64,
        }
    }
}

/// The answer to a question for any word if there is none.
const NOWHERE: u64 = u64::MAX;

#[inline(always)]
fn place(answer: u64) -> Option<usize> {
    if answer == NOWHERE { None } else { Some(answer as usize) }
}

/// `places` is null, or gets the places of the words that compare.
///
/// # Safety
/// The words, their status array and their values are valid and aligned; so is the array of places, with room for all.
#[inline(always)]
unsafe fn look<T: Word, V: Values<T>>(words: Ivars<T>, cmp: Cmp, values: V, want: Want, places: DevPtr<u64>) -> Seen {
    let mut seen = Seen { counted: 0, found: 0, holds: words.count, lacks: words.count };
    let mut at = 0;
    while at < words.count && !(want == Want::Any && seen.found > 0) {
        // SAFETY: the caller guarantees all of this.
        // SYNC(signal) acquire.sys: pairs with the release of the signal or fence before the peer's store.
        unsafe {
            if !words.is_left_out(at) {
                seen.counted += 1;
                if cmp.holds(T::load_acquire_sys(words.first.add(at)), values.of(at)) {
                    if want == Want::Some {
                        places.add(seen.found).write(at as u64);
                    }
                    seen.found += 1;
                    seen.holds = seen.holds.min(at);
                } else {
                    seen.lacks = seen.lacks.min(at);
                }
            }
        }
        at += 1;
    }
    seen
}

/// Looks until the words are as wanted, or until the limit has passed, and returns the answer of the last look. The
/// host can read which word a lane waits for: the first one that is missing. It is a call with scalar arguments,
/// because kernels would otherwise keep a structure in local memory for it.
///
/// # Safety
/// As for [`look`].
#[inline(never)]
#[expect(clippy::too_many_arguments, reason = "each is in a register")]
unsafe fn wait<T: Word, V: Values<T>>(
    first: DevPtr<T>,
    count: usize,
    status: DevPtr<i32>,
    cmp: Cmp,
    values: V,
    want: Want,
    places: DevPtr<u64>,
    limit_ns: u64,
) -> u64 {
    // SAFETY: the caller guarantees it.
    unsafe { wait_for(Ivars { first, count, status }, cmp, values, want, places, limit_ns) }
}

/// # Safety
/// As for [`look`].
#[inline(always)]
unsafe fn wait_for<T: Word, V: Values<T>>(
    words: Ivars<T>,
    cmp: Cmp,
    values: V,
    want: Want,
    places: DevPtr<u64>,
    limit_ns: u64,
) -> u64 {
    let from = Begun::alone();
    // SAFETY: the caller guarantees the same.
    let result = unsafe { wait_for_plain(words, cmp, values, want, places, limit_ns) };
    from.end(KernelOperation::Wait, NO_PE, words.count * size_of::<T>(), words.first.address());
    result
}

/// # Safety
/// The conditions of [`wait_for`].
#[inline(always)]
unsafe fn wait_for_plain<T: Word, V: Values<T>>(
    words: Ivars<T>,
    cmp: Cmp,
    values: V,
    want: Want,
    places: DevPtr<u64>,
    limit_ns: u64,
) -> u64 {
    // Without a limit, the clock is not read.
    let end = if limit_ns == u64::MAX { u64::MAX } else { arch::globaltimer().saturating_add(limit_ns) };
    let (mut looks, mut late, mut reported, mut reported_at) = (0u32, false, false, 0);
    let answer = loop {
        // SAFETY: the caller guarantees it.
        let seen = unsafe { look(words, cmp, values, want, places) };
        if late || want.is_met(seen) {
            break want.answer(seen);
        }
        if looks >= LOOKS_WITHOUT_CLOCK && looks.is_multiple_of(LOOKS_PER_REPORT) {
            // A record is of one word.
            if reported && seen.lacks != reported_at {
                report::withdraw();
                reported = false;
            }
            reported_at = seen.lacks;
            let word = words.first.add(reported_at);
            // SAFETY: there is one that does not compare, and the caller guarantees that it is valid.
            unsafe { reported = report::write(reported, word, cmp, values.of(reported_at), T::load_relaxed_sys(word)) };
        }
        arch::pause();
        looks = looks.wrapping_add(1);
        late = end != u64::MAX && looks.is_multiple_of(16) && arch::globaltimer() > end;
    };
    if reported {
        report::withdraw();
    }
    answer
}

/// Waits until words are as wanted, without a limit. Returns what the functions below do, as a word: 1, a place or the
/// largest number, how many.
///
/// # Safety
/// The words, their status array and their values are valid and aligned; so is the array of places, with room for all.
#[inline(always)]
pub unsafe fn wait_many<T: Word>(words: Ivars<T>, cmp: Cmp, values: Either<T>, want: Want, places: DevPtr<u64>) -> u64 {
    // SAFETY: the caller guarantees it.
    unsafe { wait_for(words, cmp, values, want, places, u64::MAX) }
}

/// Looks once, and returns what [`wait_many`] does; 0 if not all words are as wanted.
///
/// # Safety
/// As for [`wait_many`].
#[inline(always)]
pub unsafe fn test_many<T: Word>(words: Ivars<T>, cmp: Cmp, values: Either<T>, want: Want, places: DevPtr<u64>) -> u64 {
    // SAFETY: the caller guarantees it.
    want.answer(unsafe { look(words, cmp, values, want, places) })
}

/// No array of places.
#[inline(always)]
fn none() -> DevPtr<u64> {
    DevPtr::from_address(0)
}

/// Returns whether the word `ivar` of this PE compares with `value` as `cmp` says (`shmem_test`, OpenSHMEM 1.6, 9.11).
/// If it does, everything that the writer stored before, as ordered by its fences, is visible to this lane.
///
/// ```
/// use cushmem_device::{Cmp, DevPtr, kernels, test};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Counts how often it looks until a number has come.
///     pub unsafe fn count(word: DevPtr<i64>, looks: DevPtr<u64>) {
///         let mut count = 1;
///         while !test(word, Cmp::Ne, 0) && count < 1_000_000 {
///             count += 1;
///         }
///         looks.write(count);
///     }
/// }
/// ```
///
/// # Safety
/// `ivar` is a valid, aligned word.
#[inline(always)]
pub unsafe fn test<T: Word>(ivar: DevPtr<T>, cmp: Cmp, value: T) -> bool {
    // SAFETY: the caller guarantees that the word is valid.
    // SYNC(signal) acquire.sys: pairs with the release of the signal or fence before the peer's store.
    cmp.holds(unsafe { T::load_acquire_sys(ivar) }, value)
}

/// Returns whether all words compare with the values as `cmp` says, or none is counted (`shmem_test_all`,
/// `shmem_test_all_vector`, OpenSHMEM 1.6, 9.11). What the writers of words that compare stored before, as ordered by
/// their fences, is then visible to this lane.
///
/// ```
/// use cushmem_device::{Cmp, DevPtr, Ivars, kernels, test_all};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Says whether all of 8 neighbours have arrived.
///     pub unsafe fn look(arrived: DevPtr<u64>, all: DevPtr<u32>) {
///         all.write(test_all(Ivars::new(arrived, 8), Cmp::Ge, 1).into());
///     }
/// }
/// ```
///
/// # Safety
/// The words are valid and aligned, and so are the elements of the status array and of the values, if these are arrays.
#[inline(always)]
pub unsafe fn test_all<T: Word, V: Values<T>>(words: Ivars<T>, cmp: Cmp, values: V) -> bool {
    // SAFETY: the caller guarantees it.
    Want::All.is_met(unsafe { look(words, cmp, values, Want::All, none()) })
}

/// Returns the place of the first word that compares as `cmp` says; `None` if there is none (`shmem_test_any`,
/// `shmem_test_any_vector`). Otherwise like [`test_all`], which has an example.
///
/// # Safety
/// The words are valid and aligned, and so are the elements of the status array and of the values, if these are arrays.
#[inline(always)]
pub unsafe fn test_any<T: Word, V: Values<T>>(words: Ivars<T>, cmp: Cmp, values: V) -> Option<usize> {
    // SAFETY: the caller guarantees it.
    place(Want::Any.answer(unsafe { look(words, cmp, values, Want::Any, none()) }))
}

/// Stores the places of all words that compare as `cmp` says, in ascending order, and returns how many they are
/// (`shmem_test_some`, `shmem_test_some_vector`). Otherwise like [`test_all`], which has an example.
///
/// # Safety
/// The words are valid and aligned, and so are the elements of the status array and of the values, if these are arrays;
/// the array of places has room for all of them.
#[inline(always)]
pub unsafe fn test_some<T: Word, V: Values<T>>(words: Ivars<T>, cmp: Cmp, values: V, places: DevPtr<u64>) -> usize {
    // SAFETY: the caller guarantees it.
    unsafe { look(words, cmp, values, Want::Some, places) }.found
}

/// Waits until [`test_all`] would return true (`shmem_wait_until_all`, `shmem_wait_until_all_vector`). The wait has no
/// limit; `shmemrun --status` shows the first word that a hanging lane waits for.
///
/// ```
/// use cushmem_device::{Cmp, DevPtr, Ivars, kernels, wait_until_all};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Waits for 8 neighbours, of which each has sent its own number.
///     pub unsafe fn meet(arrived: DevPtr<u64>, numbers: DevPtr<u64>) {
///         wait_until_all(Ivars::new(arrived, 8), Cmp::Eq, numbers);
///     }
/// }
/// ```
///
/// # Safety
/// The words are valid and aligned, and so are the elements of the status array and of the values, if these are arrays.
#[inline(always)]
pub unsafe fn wait_until_all<T: Word, V: Values<T>>(words: Ivars<T>, cmp: Cmp, values: V) {
    // SAFETY: the caller guarantees it.
    unsafe { wait(words.first, words.count, words.status, cmp, values, Want::All, none(), u64::MAX) };
}

/// Waits like [`wait_until_all`], but gives up after `limit_ns` nanoseconds, and returns whether the words are as
/// wanted. [`wait_until_all`] has an example.
///
/// # Safety
/// The words are valid and aligned, and so are the elements of the status array and of the values, if these are arrays.
#[inline(always)]
pub unsafe fn wait_until_all_for<T: Word, V: Values<T>>(words: Ivars<T>, cmp: Cmp, values: V, limit_ns: u64) -> bool {
    // SAFETY: the caller guarantees it.
    unsafe { wait(words.first, words.count, words.status, cmp, values, Want::All, none(), limit_ns) != 0 }
}

/// Waits until a word compares as `cmp` says, and returns its place; `None` at once if no word is counted
/// (`shmem_wait_until_any`, `shmem_wait_until_any_vector`). The wait has no limit, as that of [`wait_until_all`].
///
/// ```
/// use cushmem_device::{Cmp, DevPtr, Ivars, kernels, wait_until_any};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One lane. Takes what comes from 8 neighbours as it comes.
///     pub unsafe fn take(arrived: DevPtr<u64>, taken: DevPtr<i32>, order: DevPtr<u64>) {
///         let words = Ivars::new(arrived, 8).with_status(taken);
///         let mut n = 0;
///         while let Some(at) = wait_until_any(words, Cmp::Ne, 0) {
///             order.add(n).write(at as u64);
///             taken.add(at).write(1);
///             n += 1;
///         }
///     }
/// }
/// ```
///
/// # Safety
/// The words are valid and aligned, and so are the elements of the status array and of the values, if these are arrays.
#[inline(always)]
pub unsafe fn wait_until_any<T: Word, V: Values<T>>(words: Ivars<T>, cmp: Cmp, values: V) -> Option<usize> {
    // SAFETY: the caller guarantees it.
    place(unsafe { wait(words.first, words.count, words.status, cmp, values, Want::Any, none(), u64::MAX) })
}

/// Waits like [`wait_until_any`], but gives up after `limit_ns` nanoseconds and returns `None`.
/// [`wait_until_any`] has an example.
///
/// # Safety
/// The words are valid and aligned, and so are the elements of the status array and of the values, if these are arrays.
#[inline(always)]
pub unsafe fn wait_until_any_for<T: Word, V: Values<T>>(
    words: Ivars<T>,
    cmp: Cmp,
    values: V,
    limit_ns: u64,
) -> Option<usize> {
    // SAFETY: the caller guarantees it.
    place(unsafe { wait(words.first, words.count, words.status, cmp, values, Want::Any, none(), limit_ns) })
}

/// Waits until words compare as `cmp` says, stores their places in ascending order, and returns how many they are; 0 at
/// once if no word is counted (`shmem_wait_until_some`, `shmem_wait_until_some_vector`). The wait has no limit, as that
/// of [`wait_until_all`], which has an example.
///
/// # Safety
/// The words are valid and aligned, and so are the elements of the status array and of the values, if these are arrays;
/// the array of places has room for all of them.
#[inline(always)]
pub unsafe fn wait_until_some<T: Word, V: Values<T>>(
    words: Ivars<T>,
    cmp: Cmp,
    values: V,
    places: DevPtr<u64>,
) -> usize {
    // SAFETY: the caller guarantees it.
    unsafe { wait(words.first, words.count, words.status, cmp, values, Want::Some, places, u64::MAX) as usize }
}

/// Waits like [`wait_until_some`], but gives up after `limit_ns` nanoseconds and returns 0.
/// [`wait_until_all`] has an example.
///
/// # Safety
/// The words are valid and aligned, and so are the elements of the status array and of the values, if these are arrays;
/// the array of places has room for all of them.
#[inline(always)]
pub unsafe fn wait_until_some_for<T: Word, V: Values<T>>(
    words: Ivars<T>,
    cmp: Cmp,
    values: V,
    places: DevPtr<u64>,
    limit_ns: u64,
) -> usize {
    // SAFETY: the caller guarantees it.
    unsafe { wait(words.first, words.count, words.status, cmp, values, Want::Some, places, limit_ns) as usize }
}
