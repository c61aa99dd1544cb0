//! Put, get and words on globals, for [`crate::raw`], which comes here when an address is in no heap.

use super::{Globals, Place};
use crate::address::Misuse;
use crate::{Shmem, mapped};
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

type Result<T> = std::result::Result<T, Misuse>;

/// Bytes on their way between a GPU and memory that only the kernel reaches.
const STAGED: usize = 1 << 20;

impl Shmem {
    /// Puts to a global if a few compares tell where it is; `false` if not, and nothing was done.
    ///
    /// # Safety
    /// `src` is readable for `bytes` bytes.
    #[inline(always)]
    pub(crate) unsafe fn put_global_at_once(&self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32) -> bool {
        match self.globals.at_once(dst.addr(), bytes, pe) {
            Some(to) if self.windows.surely_host(src.addr()) => {
                // SAFETY: the target is the peer's globals; the caller vouches for the source.
                unsafe { mapped::copy(with_exposed_provenance_mut(to), src, bytes) };
                true
            }
            _ => false,
        }
    }

    /// Gets from a global if a few compares tell where it is; `false` if not, and nothing was done.
    ///
    /// # Safety
    /// `dst` is writable for `bytes` bytes.
    #[inline(always)]
    pub(crate) unsafe fn get_global_at_once(&self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32) -> bool {
        match self.globals.at_once(src.addr(), bytes, pe) {
            Some(from) if self.windows.surely_host(dst.addr()) => {
                // SAFETY: the source is the peer's globals; the caller vouches for the target.
                unsafe { mapped::copy(dst, with_exposed_provenance(from), bytes) };
                true
            }
            _ => false,
        }
    }

    /// Puts to a global.
    ///
    /// # Safety
    /// As for [`Shmem::put_global_at_once`].
    pub(crate) unsafe fn put_global(&self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32) -> Result<()> {
        let place = self.global_place(dst.addr(), src.addr(), bytes, pe)?;
        let from = src.expose_provenance();
        // SAFETY: the place has as many bytes; the caller vouches for the source.
        unsafe {
            match place {
                Place::Here(to) if !self.is_device(from) => mapped::copy(with_exposed_provenance_mut(to), src, bytes),
                Place::Here(to) => self.copy_and_wait(to as u64, from as u64, bytes)?,
                Place::There(peer, offset) if !self.is_device(from) => peer.put(offset, src, bytes, pe)?,
                Place::There(peer, offset) => {
                    let mut buffer = vec![0u8; bytes.min(STAGED)];
                    let at = buffer.as_mut_ptr();
                    for done in (0..bytes).step_by(STAGED) {
                        let part = (bytes - done).min(STAGED);
                        self.copy_and_wait(at.expose_provenance() as u64, (from + done) as u64, part)?;
                        peer.put(offset + done, at, part, pe)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Gets from a global.
    ///
    /// # Safety
    /// As for [`Shmem::get_global_at_once`].
    pub(crate) unsafe fn get_global(&self, dst: *mut u8, src: *const u8, bytes: usize, pe: u32) -> Result<()> {
        let place = self.global_place(src.addr(), dst.addr(), bytes, pe)?;
        let to = dst.expose_provenance();
        // SAFETY: the place has as many bytes; the caller vouches for the target.
        unsafe {
            match place {
                Place::Here(from) if !self.is_device(to) => mapped::copy(dst, with_exposed_provenance(from), bytes),
                Place::Here(from) => self.copy_and_wait(to as u64, from as u64, bytes)?,
                Place::There(peer, offset) if !self.is_device(to) => peer.get(dst, offset, bytes, pe)?,
                Place::There(peer, offset) => {
                    let mut buffer = vec![0u8; bytes.min(STAGED)];
                    let at = buffer.as_mut_ptr();
                    for done in (0..bytes).step_by(STAGED) {
                        let part = (bytes - done).min(STAGED);
                        peer.get(at, offset + done, part, pe)?;
                        self.copy_and_wait((to + done) as u64, at.expose_provenance() as u64, part)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn global_place(&self, global: usize, private: usize, bytes: usize, pe: u32) -> Result<Place<'_>> {
        if pe >= self.n_pes() {
            return Err(Misuse::Pe(self.n_pes()));
        }
        if private == 0 && bytes > 0 {
            return Err(Misuse::NullPrivate);
        }
        let place = self.globals.place(global, bytes, pe).unwrap_or(Err(Misuse::NotSymmetric))?;
        self.check_private(private, bytes)?;
        if let Place::Here(here) = place {
            self.check_overlap(here as u64, private, bytes)?;
        }
        Ok(place)
    }
}

impl Globals {
    /// What is wrong with words, `bytes` in all, which should be aligned to `size` and such that they can be loaded, stored and
    /// changed atomically; `None` if they are no globals.
    pub(crate) fn bad_words(&self, address: usize, size: usize, bytes: usize, pe: u32) -> Option<Misuse> {
        Some(match self.place(address, bytes, pe)? {
            Ok(Place::Here(_)) => Misuse::Misaligned(size),
            Ok(Place::There(peer, _)) => peer.only_copied(pe),
            Err(misuse) => misuse,
        })
    }

    /// Whether put and get reach the global on PE `pe`.
    pub(crate) fn accessible(&self, address: usize, pe: u32) -> bool {
        match self.place(address, 1, pe) {
            Some(Ok(Place::Here(_))) => true,
            Some(Ok(Place::There(peer, offset))) => {
                let mut byte = 0u8;
                // SAFETY: room for a byte.
                unsafe { peer.get(&raw mut byte, offset, 1, pe) }.is_ok()
            }
            _ => false,
        }
    }
}
