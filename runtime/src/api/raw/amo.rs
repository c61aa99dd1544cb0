//! Atomic operations by address.

use super::{AmoOp, Completion, Raw, Result};
use crate::Word;
use crate::api::amo::Amo;
use crate::transfer::{Operation, Transfer};
use crate::transport::atomics::Request;
use crate::transport::{WordOp, mapped};
use std::sync::atomic::Ordering;

impl Raw<'_> {
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
            Some(word) => Ok(unsafe { mapped::update(word, value, AmoOp::Swap) }),
            None => self.amo_slow(target, WordOp::Update(AmoOp::Swap), Some(value), None, pe),
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
            Some(word) => Ok(unsafe { mapped::update(word, value, op) }),
            None => self.amo_slow(target, WordOp::Update(op), Some(value), None, pe),
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
            Some(word) => drop(unsafe { mapped::update(word, value, op) }),
            None => self.change_slow(target, WordOp::Update(op), value, pe)?,
        }
        Ok(())
    }

    /// Stores `value` to a word of PE `pe` if the word equals `condition`, and returns the old value.
    #[inline]
    pub fn compare_swap<T: Amo>(self, target: *mut T, condition: T, value: T, pe: u32) -> Result<T> {
        match self.near_word(target, pe) {
            // SAFETY: an aligned word of symmetric host memory; the type is an integer.
            Some(word) => Ok(unsafe { mapped::compare_swap(word, condition, value) }),
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
            if self.shmem.transfers().post_far(at as u64, Request { op, width, operand, condition }, pe)? {
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
