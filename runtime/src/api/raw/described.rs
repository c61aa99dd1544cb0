//! Operations that run later, described by addresses.

use super::{Raw, Result};
use crate::error::ArgumentError;
use crate::memory::{At, Segment};
use crate::transfer::operation::{Ends, PreparedKind};
use crate::{Operation, Prepared, SignalOp, WordUpdate};

impl<'a> Raw<'a> {
    /// Describes a copy like [`Operation::put`] or, with the address, value and kind of a signal,
    /// [`Operation::put_signal`].
    ///
    /// # Safety
    /// `src` stays readable for `bytes` bytes as long as a prepared operation or trigger made from the result exists.
    pub unsafe fn describe_put(
        self,
        dst: *mut u8,
        src: *const u8,
        bytes: usize,
        signal: Option<(*mut u64, u64, SignalOp)>,
        pe: u32,
    ) -> Result<Operation<'a>> {
        let of_signal = |error| ArgumentError::Signal(Box::new(error));
        let signal = match signal {
            Some((word, value, op)) => Some((self.word_at(word.cast(), 8).map_err(of_signal)?, value, op)),
            None => None,
        };
        let ends = self.ends(dst.addr(), src.expose_provenance(), bytes, pe)?;
        Ok(Operation::new(self.shmem, PreparedKind::Put(ends, signal), pe)?)
    }

    /// Describes a copy like [`Operation::get`].
    ///
    /// # Safety
    /// `dst` stays writable for `bytes` bytes as long as a prepared operation or trigger made from the result exists.
    pub unsafe fn describe_get(self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32) -> Result<Operation<'a>> {
        let ends = self.ends(src.addr(), dst.expose_provenance(), bytes, pe)?;
        Ok(Operation::new(self.shmem, PreparedKind::Get(ends), pe)?)
    }

    /// Describes an atomic change like [`Operation::atomic`], on a word of 4 or 8 bytes.
    pub fn describe_atomic(
        self,
        target: *mut u8,
        width: usize,
        update: WordUpdate,
        value: u64,
        pe: u32,
    ) -> Result<Operation<'a>> {
        self.shmem.transfers().pe(pe)?;
        let word = self.word_at(target, width)?;
        Ok(Operation::new(self.shmem, PreparedKind::Amo { word, op: update.word_op(), width, operand: value }, pe)?)
    }

    fn ends(self, symmetric: usize, private: usize, bytes: usize, pe: u32) -> Result<Option<Ends>> {
        let found = self.shmem.transfers().ends_of_addresses(symmetric, private, bytes, pe)?;
        Ok(found.map(|(remote, local, _)| Ends { remote, local, bytes }))
    }

    fn word_at(self, word: *mut u8, width: usize) -> Result<At> {
        let at = self.shmem.memory().locate(word.addr(), width)?;
        let aligned = word.addr().is_multiple_of(width) || at.segment == Segment::Network;
        if aligned { Ok(at) } else { Err(ArgumentError::Misaligned(width)) }
    }

    /// Posts a prepared operation like [`crate::Stream::post`], on a stream that the program created.
    ///
    /// # Safety
    /// `stream` is the handle (`CUstream`) of a stream in [`Raw::gpu_context`], and that stream reaches this point
    /// before `prepared` is dropped.
    pub unsafe fn post(self, prepared: &Prepared<'_>, stream: usize) -> crate::Result<()> {
        // SAFETY: the caller guarantees that the handle is valid.
        let adopted = unsafe { self.shmem.own_gpu("post")?.adopt_stream(stream)? };
        self.shmem.services().post_from_stream(prepared.entry(), stream, |address, posts| {
            // SAFETY: a word of the library's own pinned memory, which lives as long as the operation.
            let written = unsafe { adopted.write_word(address, posts) };
            written.map_err(|error| self.shmem.transfers().device_error("post", error))
        })
    }
}
