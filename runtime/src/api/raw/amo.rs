//! Atomic operations by address.

use super::{Completion, Raw, Result};
use crate::Word;
use crate::api::amo::Amo;
use crate::transfer::{Operation, Transfer};
use crate::transport::atomics::Request;
use crate::transport::mapped;
use cushmem_abi::WordOp;
use std::sync::atomic::Ordering;

/// How an operation changes a word, with one operand. The operation returns the old value. [`Raw::update`] has an
/// example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmoOp {
    /// Stores the operand.
    Swap,
    /// Adds the operand, wrapping around.
    Add,
    /// Applies bitwise AND with the operand.
    And,
    /// Applies bitwise OR with the operand.
    Or,
    /// Applies bitwise XOR with the operand.
    Xor,
}

impl AmoOp {
    #[inline(always)]
    const fn word_op(self) -> WordOp {
        match self {
            Self::Swap => WordOp::Swap,
            Self::Add => WordOp::Add,
            Self::And => WordOp::And,
            Self::Or => WordOp::Or,
            Self::Xor => WordOp::Xor,
        }
    }
}

impl<'a> Raw<'a> {
    /// Returns the same operations with a result that may come later: it is stored at `to`, which may be GPU memory,
    /// when the next `quiet` returns. If that `quiet` returns an error, results that have not come are lost.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> Result<(), Box<dyn std::error::Error>> {
    /// use cushmem::raw::AmoOp;
    ///
    /// let (counters, me) = (shmem.malloc::<u64>(2)?, shmem.my_pe());
    /// let mut before = [u64::MAX; 2];
    /// let asked = before.iter_mut().enumerate().try_for_each(|(at, to)| {
    ///     // SAFETY: the array outlives the quiet, also after an error, and nothing else uses it until then.
    ///     let later = unsafe { shmem.raw().later(to) };
    ///     later.update(counters.at(at).as_slice().ptr(me), 1, AmoOp::Add, 0)
    /// });
    /// // Before the program returns an error: until the quiet, results may be stored in the array.
    /// shmem.quiet()?;
    /// asked?;
    /// assert!(before.iter().all(|before| *before < u64::from(shmem.n_pes())));
    /// # Ok(()) }) }
    /// ```
    ///
    /// # Safety
    /// `to` is writable for a `T` until a `quiet` has returned, and nobody else accesses it until then. That includes
    /// error paths: they call `quiet` too, or `to` outlives the [`Shmem`](crate::Shmem).
    #[inline]
    pub unsafe fn later<T: Word>(self, to: *mut T) -> Later<'a, T> {
        Later { raw: self, to }
    }

    /// Loads a word of PE `pe` atomically and returns it.
    #[inline]
    pub fn fetch<T: Word>(self, source: *const T, pe: u32) -> Result<T> {
        match self.near_word(source, pe) {
            // SAFETY: an aligned word of symmetric host memory. Relaxed: an atomic promises no order by itself.
            Some(word) => Ok(unsafe { mapped::load(word, Ordering::Relaxed) }),
            None => self.amo_slow(source, WordOp::Fetch, None, None, pe),
        }
    }

    /// Stores `value` to a word of PE `pe` atomically. For a PE of another node, the operation is complete after the
    /// next `quiet`.
    #[inline]
    pub fn set<T: Word>(self, target: *mut T, value: T, pe: u32) -> Result<()> {
        match self.near_word(target, pe) {
            // SAFETY: an aligned word of symmetric host memory. Relaxed: an atomic promises no order by itself.
            Some(word) => unsafe { mapped::store(word, value, Ordering::Relaxed) },
            None => self.change_slow(target, WordOp::Set, value, pe)?,
        }
        Ok(())
    }

    /// Stores `value` to a word of PE `pe` and returns the old value. The word need not be an integer.
    #[inline]
    pub fn swap<T: Word>(self, target: *mut T, value: T, pe: u32) -> Result<T> {
        match self.near_word(target, pe) {
            // SAFETY: an aligned word of symmetric host memory.
            Some(word) => Ok(unsafe { mapped::word_op_of(word, WordOp::Swap, value, value) }),
            None => self.amo_slow(target, WordOp::Swap, Some(value), None, pe),
        }
    }

    /// Changes a word of PE `pe` atomically and returns the old value.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> Result<(), Box<dyn std::error::Error>> {
    /// use cushmem::raw::AmoOp;
    ///
    /// let word = shmem.malloc::<u32>(1)?.ptr(shmem.my_pe());
    /// assert_eq!(shmem.raw().update(word, 0b100, AmoOp::Or, shmem.my_pe())?, 0);
    /// assert_eq!(shmem.raw().update(word, 0b001, AmoOp::Xor, shmem.my_pe())?, 0b100);
    /// # Ok(()) }) }
    /// ```
    #[inline(always)]
    pub fn update<T: Amo>(self, target: *mut T, value: T, op: AmoOp, pe: u32) -> Result<T> {
        match self.near_word(target, pe) {
            // SAFETY: an aligned word of symmetric host memory; the type is an integer.
            Some(word) => Ok(unsafe { mapped::word_op_of(word, op.word_op(), value, value) }),
            None => self.amo_slow(target, op.word_op(), Some(value), None, pe),
        }
    }

    /// Changes a word of PE `pe` atomically. For a PE of another node, the operation is complete after the next
    /// `quiet`, and need not wait for an answer as [`Raw::update`] does.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> Result<(), Box<dyn std::error::Error>> {
    /// use cushmem::raw::AmoOp;
    ///
    /// let counter = shmem.malloc::<u64>(1)?;
    /// shmem.raw().change(counter.ptr(shmem.my_pe()), 1, AmoOp::Add, 0)?;
    /// shmem.barrier_all()?;
    /// assert_eq!(shmem.g(counter.at(0), 0)?, u64::from(shmem.n_pes()));
    /// # Ok(()) }) }
    /// ```
    #[inline(always)]
    pub fn change<T: Amo>(self, target: *mut T, value: T, op: AmoOp, pe: u32) -> Result<()> {
        match self.near_word(target, pe) {
            // SAFETY: an aligned word of symmetric host memory; the type is an integer.
            Some(word) => drop(unsafe { mapped::word_op_of(word, op.word_op(), value, value) }),
            None => self.change_slow(target, op.word_op(), value, pe)?,
        }
        Ok(())
    }

    /// Stores `value` to a word of PE `pe` if the word equals `condition`, and returns the old value.
    #[inline]
    pub fn compare_swap<T: Amo>(self, target: *mut T, condition: T, value: T, pe: u32) -> Result<T> {
        match self.near_word(target, pe) {
            // SAFETY: an aligned word of symmetric host memory; the type is an integer.
            Some(word) => Ok(unsafe { mapped::word_op_of(word, WordOp::CompareSwap, value, condition) }),
            None => self.amo_slow(target, WordOp::CompareSwap, Some(value), Some(condition), pe),
        }
    }

    /// An atomic operation without a result, without the fast path.
    #[cold]
    #[inline(never)]
    fn change_slow<T: Word>(self, word: *const T, op: WordOp, value: T, pe: u32) -> Result<()> {
        let width = size_of::<T>();
        if let Some(at) = self.shmem.memory().near_host().offset_of(word.addr(), width) {
            let (operand, condition) = (mapped::to_bits(value), 0);
            if self.shmem.transfers().post_far(
                self.context,
                at as u64,
                Request { op, width, operand, condition },
                pe,
            )? {
                return Ok(());
            }
        }
        self.amo_of(word, op, [Some(value), None], pe, Completion::Nbi).map(drop)
    }

    /// An atomic operation with a result, without the fast path.
    #[cold]
    #[inline(never)]
    fn amo_slow<T: Word>(
        self,
        word: *const T,
        op: WordOp,
        operand: Option<T>,
        condition: Option<T>,
        pe: u32,
    ) -> Result<T> {
        self.amo_of(word, op, [operand, condition], pe, Completion::Blocking)
    }

    fn amo_of<T: Word>(
        self,
        word: *const T,
        op: WordOp,
        [operand, condition]: [Option<T>; 2],
        pe: u32,
        when: Completion,
    ) -> Result<T> {
        let width = size_of::<T>();
        let [operand, condition] = [operand, condition].map(|value| value.map_or(0, mapped::to_bits));
        if let Some(near) = self.look_up(word, width, pe).filter(|_| word.is_aligned()) {
            // SAFETY: an aligned word of symmetric host memory.
            return Ok(mapped::of_bits(unsafe { mapped::word_op(near.cast(), width, op, operand, condition) }));
        }
        let transfers = self.shmem.transfers();
        let number = transfers.pe(pe)?;
        let remote = self.shmem.memory().locate(word.addr(), width)?;
        let operation = Operation::Amo { op, width, operand, condition };
        let transfer = Transfer { operation, pe: number, remote, when };
        // SAFETY: the word was found; there is no local end.
        let before = unsafe { transfers.issue(self.context, &transfer)? };
        Ok(mapped::of_bits(before))
    }
}

/// Atomic operations whose results may come later; see [`Raw::later`].
pub struct Later<'a, T> {
    raw: Raw<'a>,
    to: *mut T,
}

impl<T: Word> Later<'_, T> {
    /// Like [`Raw::fetch`].
    #[inline]
    pub fn fetch(self, source: *const T, pe: u32) -> Result<()> {
        self.run(source, WordOp::Fetch, [None; 2], pe, |raw| raw.fetch(source, pe))
    }

    /// Like [`Raw::swap`].
    #[inline]
    pub fn swap(self, target: *mut T, value: T, pe: u32) -> Result<()> {
        self.run(target, WordOp::Swap, [Some(value), None], pe, |raw| raw.swap(target, value, pe))
    }

    /// Like [`Raw::update`].
    #[inline]
    pub fn update(self, target: *mut T, value: T, op: AmoOp, pe: u32) -> Result<()>
    where
        T: Amo,
    {
        self.run(target, op.word_op(), [Some(value), None], pe, |raw| raw.update(target, value, op, pe))
    }

    /// Like [`Raw::compare_swap`].
    #[inline]
    pub fn compare_swap(self, target: *mut T, condition: T, value: T, pe: u32) -> Result<()>
    where
        T: Amo,
    {
        let operands = [Some(value), Some(condition)];
        self.run(target, WordOp::CompareSwap, operands, pe, |raw| raw.compare_swap(target, condition, value, pe))
    }

    #[inline(always)]
    fn run(
        self,
        word: *const T,
        op: WordOp,
        operands: [Option<T>; 2],
        pe: u32,
        now: impl FnOnce(Raw<'_>) -> Result<T>,
    ) -> Result<()> {
        if self.raw.near_word(word, pe).is_none() && self.post(word, op, operands, pe)? {
            return Ok(());
        }
        // SAFETY: the caller of `later` guarantees that the target is writable.
        unsafe { self.raw.give(self.to, now(self.raw)?) }
    }

    /// Leaves the operation to a quiet, if it is one on another node with a result in host memory. Returns whether it
    /// did.
    #[cold]
    #[inline(never)]
    fn post(&self, word: *const T, op: WordOp, operands: [Option<T>; 2], pe: u32) -> Result<bool> {
        let shmem = self.raw.shmem;
        let (memory, transfers, width) = (shmem.memory(), shmem.transfers(), size_of::<T>());
        if memory.is_device(self.to.addr()) {
            return Ok(false);
        }
        let (number, at) = (transfers.pe(pe)?, memory.locate(word.addr(), width)?);
        let [operand, condition] = operands.map(|value| value.map_or(0, mapped::to_bits));
        let request = Request { op, width, operand, condition };
        // SAFETY: the caller of `later` guarantees that the target, host memory, is writable until a quiet.
        unsafe { transfers.fetch_far(self.raw.context, at, request, number, self.to.expose_provenance()) }
    }
}
