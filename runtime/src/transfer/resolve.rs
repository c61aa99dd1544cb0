//! Finds the two ends of a transfer from what the caller named, or reports what is wrong with the arguments. In check
//! mode, for Rust and C alike, it also detects freed memory, accesses beyond the end of an object, and overlapping
//! copies.

use super::{Local, Transfers};
use crate::error::ArgumentError;
use crate::job::Pe;
use crate::memory::{At, Attached, Memory, Remote, Segment};

type Result<T> = std::result::Result<T, ArgumentError>;

/// Where words of this PE are.
#[derive(Clone, Copy)]
pub(crate) enum OwnPlace {
    /// In host memory, at this address.
    Near(usize),
    /// In GPU memory.
    Gpu(At),
}

impl Transfers {
    /// The PE with this number.
    pub(crate) fn pe(&self, number: u32) -> Result<Pe> {
        self.job.pe(number).ok_or(ArgumentError::Pe { pe: number, n_pes: self.job.n_pes() })
    }

    /// The ends of a copy of `bytes` bytes, from two addresses of this PE; `None` if there is nothing to copy.
    pub(crate) fn ends_of_addresses(
        &self,
        symmetric: usize,
        private: usize,
        bytes: usize,
        pe: u32,
    ) -> Result<Option<(At, Local, Pe)>> {
        let pe = self.pe(pe)?;
        if bytes == 0 {
            return Ok(None);
        }
        let at = self.memory.locate(symmetric, bytes)?;
        if private == 0 {
            return Err(ArgumentError::NullPrivate);
        }
        check_ends(&self.memory, at, private, bytes, pe)?;
        Ok(Some((at, Local { address: private, on_gpu: self.memory.is_device(private) }, pe)))
    }

    /// The ends of a copy of `bytes` bytes between an object and a local end, both from the typed interface.
    pub(crate) fn ends_of_objects(
        &self,
        at: At,
        local: Local,
        bytes: usize,
        pe: u32,
    ) -> Result<Option<(At, Local, Pe)>> {
        let pe = self.pe(pe)?;
        self.memory.check_object(at, bytes)?;
        if bytes == 0 {
            return Ok(None);
        }
        check_ends(&self.memory, at, local.address, bytes, pe)?;
        Ok(Some((at, local, pe)))
    }

    /// Where `n` words of `size` bytes of this PE are, which its CPU watches.
    pub(crate) fn own_words(&self, first: usize, n: usize, size: usize) -> Result<OwnPlace> {
        let at = self.memory.locate(first, n.saturating_mul(size))?;
        match self.memory.remote(at, self.job.me()) {
            Remote::Near(found) if found.is_multiple_of(size) => Ok(OwnPlace::Near(found)),
            Remote::Device(found) if found.is_multiple_of(size as u64) => Ok(OwnPlace::Gpu(at)),
            _ => Err(ArgumentError::Misaligned(size)),
        }
    }

    /// Refuses a word that signals and atomic operations cannot reach on `pe`, or that is not aligned there. It is
    /// called before data move and before an operation is handed over, because later there is nobody to get the error.
    pub(crate) fn reaches_word(&self, at: At, width: usize, pe: Pe) -> Result<()> {
        match self.memory.remote(at, pe) {
            // On one machine the network is emulated by the operating system's copy, which may tear a word.
            Remote::Net(_) if at.segment == Segment::RegisteredHost => Err(Attached::only_registered(pe.number())),
            place @ (Remote::Attached(..) | Remote::Unreachable(_)) => self.word(&place, at, width, pe).map(drop),
            _ if self.memory.is_aligned(at, pe, width) => Ok(()),
            _ => Err(ArgumentError::Misaligned(width)),
        }
    }

    /// Like [`Self::reaches_word`], for a word that atomic operations change.
    pub(crate) fn has_word(&self, at: At, width: usize, pe: Pe) -> Result<()> {
        self.reaches_word(at, width, pe)?;
        match self.memory.remote(at, pe) {
            Remote::Device(_) | Remote::Staged(_) => Ok(self.can_change(pe)?),
            _ => Ok(()),
        }
    }
}

/// In check mode: checks that the private end is memory and does not overlap the other.
pub(super) fn check_ends(memory: &Memory, at: At, private: usize, bytes: usize, pe: Pe) -> Result<()> {
    if !memory.checks() {
        return Ok(());
    }
    memory.check_private(private, bytes)?;
    match memory.remote(at, pe) {
        Remote::Near(there) => memory.check_overlap(there as u64, private, bytes),
        Remote::Device(there) => memory.check_overlap(there, private, bytes),
        Remote::Attached(..) | Remote::Net(_) | Remote::Staged(_) | Remote::Unreachable(_) => Ok(()),
    }
}
