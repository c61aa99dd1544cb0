//! Atomic memory operations (OpenSHMEM 1.6, section 9.7) on symmetric memory. On host memory that the CPU reaches, the
//! CPU performs them; everything else, including GPU memory, goes through
//! [`Transfers::issue`](crate::transfer::Transfers::issue).

use crate::api::sym::SymPtr;
use crate::error::{Error, Result};
use crate::transfer::{Completion, Operation, Transfer};
use crate::transport::mapped;
use crate::{Shmem, Word};
use cushmem_abi::WordOp;
use std::sync::atomic::Ordering;

/// An integer type that has atomic operations.
///
/// ```
/// use cushmem::{Amo, Result, Shmem, SymPtr};
///
/// /// The next number of a counter that PE 0 keeps.
/// fn next<T: Amo>(shmem: &Shmem, counter: SymPtr<'_, T>, step: T) -> Result<T> {
///     shmem.fetch_add(counter, step, 0)
/// }
/// ```
pub trait Amo: Word + sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! amo_types { ($($t:ty)*) => {$(
    impl sealed::Sealed for $t {}
    impl Amo for $t {}
)*} }
amo_types! { i32 i64 u32 u64 usize }

/// # Atomic operations
impl Shmem {
    /// Adds `value` to an element of PE `pe`, wrapping around, and returns the old value (`shmem_atomic_fetch_add`,
    /// 9.7).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let tickets = shmem.malloc::<u64>(1)?;
    /// let mine = shmem.fetch_add(tickets.at(0), 1, 0)?;
    /// assert!(mine < u64::from(shmem.n_pes()));
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn fetch_add<T: Amo>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<T> {
        self.update("fetch_add", target, value, WordOp::Add, pe)
    }

    /// Stores `value` to an element of PE `pe` if the element equals `condition`, and returns the old value
    /// (`shmem_atomic_compare_swap`, 9.7).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let owner = shmem.malloc::<u32>(1)?;
    /// let me = shmem.my_pe() + 1;
    /// // One PE finds 0 there and becomes the owner.
    /// let is_owner = shmem.compare_swap(owner.at(0), 0, me, 0)? == 0;
    /// # assert!(is_owner || shmem.n_pes() > 1);
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn compare_swap<T: Amo>(&self, target: SymPtr<'_, T>, condition: T, value: T, pe: u32) -> Result<T> {
        match self.near_element(target, pe) {
            // SAFETY: an element of symmetric host memory is valid and aligned.
            Some(word) => Ok(unsafe { mapped::word_op_of(word, WordOp::CompareSwap, value, condition) }),
            None => {
                let operands = [mapped::to_bits(value), mapped::to_bits(condition)];
                self.amo_slow("compare_swap", target, (WordOp::CompareSwap, operands), pe, Completion::Blocking)
            }
        }
    }

    /// Loads an element of PE `pe` atomically and returns it (`shmem_atomic_fetch`, 9.7).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let word = shmem.malloc::<u64>(1)?;
    /// shmem.atomic_set(word.at(0), 9, shmem.my_pe())?;
    /// assert_eq!(shmem.atomic_fetch(word.at(0), shmem.my_pe())?, 9);
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn atomic_fetch<T: Word>(&self, source: SymPtr<'_, T>, pe: u32) -> Result<T> {
        match self.near_element(source, pe) {
            // SAFETY: an element of symmetric host memory is valid and aligned. Relaxed: an atomic promises no order by
            // itself.
            Some(word) => Ok(unsafe { mapped::load(word, Ordering::Relaxed) }),
            None => self.amo_slow("atomic_fetch", source, (WordOp::Fetch, [0, 0]), pe, Completion::Blocking),
        }
    }

    /// Stores `value` to an element of PE `pe` atomically (`shmem_atomic_set`, 9.7). For a PE of another node, the
    /// operation is complete after the next [`Shmem::quiet`].
    /// [`Shmem::atomic_fetch`] has an example.
    #[inline]
    pub fn atomic_set<T: Word>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<()> {
        match self.near_element(target, pe) {
            // SAFETY: an element of symmetric host memory is valid and aligned. Relaxed: an atomic promises no order by
            // itself.
            Some(word) => unsafe { mapped::store(word, value, Ordering::Relaxed) },
            None => {
                let request = (WordOp::Set, [mapped::to_bits(value), 0]);
                self.amo_slow("atomic_set", target, request, pe, Completion::Nbi)?;
            }
        }
        Ok(())
    }

    /// Stores `value` to an element of PE `pe` and returns the old value (`shmem_atomic_swap`, 9.7).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let word = shmem.malloc::<i64>(1)?;
    /// assert_eq!(shmem.swap(word.at(0), 7, shmem.my_pe())?, 0);
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn swap<T: Word>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<T> {
        self.update("swap", target, value, WordOp::Swap, pe)
    }

    /// Combines an element of PE `pe` with `value` by bitwise AND, and returns the old value (`shmem_atomic_fetch_and`,
    /// 9.7).
    /// [`Shmem::fetch_or`] has an example.
    #[inline]
    pub fn fetch_and<T: Amo>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<T> {
        self.update("fetch_and", target, value, WordOp::And, pe)
    }

    /// Combines an element of PE `pe` with `value` by bitwise OR, and returns the old value (`shmem_atomic_fetch_or`,
    /// 9.7).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let present = shmem.malloc::<u64>(1)?;
    /// shmem.fetch_or(present.at(0), 1 << (shmem.my_pe() % 64), 0)?;
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn fetch_or<T: Amo>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<T> {
        self.update("fetch_or", target, value, WordOp::Or, pe)
    }

    /// Combines an element of PE `pe` with `value` by bitwise XOR, and returns the old value (`shmem_atomic_fetch_xor`,
    /// 9.7).
    /// [`Shmem::fetch_or`] has an example.
    #[inline]
    pub fn fetch_xor<T: Amo>(&self, target: SymPtr<'_, T>, value: T, pe: u32) -> Result<T> {
        self.update("fetch_xor", target, value, WordOp::Xor, pe)
    }

    #[inline(always)]
    fn update<T: Word>(
        &self,
        operation: &'static str,
        target: SymPtr<'_, T>,
        value: T,
        op: WordOp,
        pe: u32,
    ) -> Result<T> {
        match self.near_element(target, pe) {
            // SAFETY: an element of symmetric host memory is valid and aligned; the type is an integer unless it is
            // swapped.
            Some(word) => Ok(unsafe { mapped::word_op_of(word, op, value, value) }),
            None => self.amo_slow(operation, target, (op, [mapped::to_bits(value), 0]), pe, Completion::Blocking),
        }
    }

    #[cold]
    #[inline(never)]
    fn amo_slow<T: Word>(
        &self,
        operation: &'static str,
        target: SymPtr<'_, T>,
        (op, [operand, condition]): (WordOp, [u64; 2]),
        pe: u32,
        when: Completion,
    ) -> Result<T> {
        let name = |error| Error::argument(operation, "the word", error);
        let target = target.as_slice();
        self.check(operation, target, 1)?;
        let (transfers, width) = (self.transfers(), size_of::<T>());
        let pe = transfers.pe(pe).map_err(name)?;
        self.memory()
            .check_object(target.at_symmetric(), width)
            .map_err(|error| Error::argument(operation, "the symmetric object", error))?;
        let operation = Operation::Amo { op, width, operand, condition };
        let transfer = Transfer { operation, pe, remote: target.at_symmetric(), when };
        // SAFETY: the word was found; there is no local end.
        let before = unsafe { transfers.issue(transfers.default_context(), &transfer) }.map_err(name)?;
        Ok(mapped::of_bits(before))
    }
}
