//! Put and get of blocks of elements at equal distances (OpenSHMEM 1.6, `shmem_iput` and its kin), by addresses.
//!
//! What the blocks span at the symmetric end is checked before the first one is copied, so a call does all or nothing.

use crate::address::Misuse;
use crate::mapped;
use crate::raw::{Completion, Raw, Result};

/// Which elements.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// How many blocks.
    pub count: usize,
    /// Elements of a block.
    pub elements: usize,
    /// Bytes of an element.
    pub size: usize,
    /// From one block's start to the next one's at the target, in elements; it may be negative.
    pub dst: isize,
    /// The same at the source.
    pub sst: isize,
}

impl Blocks {
    /// From the first block's start to the lowest byte of all, and how many bytes there are from that to the highest; `None` if no
    /// memory is so large.
    fn span(&self, stride: isize) -> Option<(isize, usize)> {
        let block = isize::try_from(self.elements.checked_mul(self.size)?).ok()?;
        // The distance of one block does not matter, however large.
        let last = match isize::try_from(self.count.checked_sub(1)?).ok()? {
            0 => 0,
            others => stride.checked_mul(self.size.cast_signed())?.checked_mul(others)?,
        };
        Some((last.min(0), last.unsigned_abs().checked_add(block.unsigned_abs())?))
    }

    /// What is said where the first block is right and the last one lies too far below it.
    fn below(&self, stride: isize, whole: &'static str) -> Misuse {
        let elements = stride.unsigned_abs().saturating_mul(self.count.saturating_sub(1));
        Misuse::BelowStart(elements.saturating_mul(self.size) as u64, whole)
    }

    fn bytes(&self) -> usize {
        self.elements * self.size
    }

    /// Distances in bytes; they fit, as the spans do.
    fn steps(&self) -> (isize, isize) {
        let size = self.size.cast_signed();
        (self.dst.wrapping_mul(size), self.sst.wrapping_mul(size))
    }

    fn is_empty(&self) -> bool {
        self.count == 0 || self.elements == 0
    }
}

impl Raw<'_> {
    /// Copies blocks from `src` to the symmetric `dst` on PE `pe`; the source may change afterwards.
    ///
    /// # Safety
    /// All blocks of `src` are readable.
    pub unsafe fn put_blocks(self, dst: *mut u8, src: *const u8, blocks: Blocks, pe: u32) -> Result<()> {
        self.check_pe(pe)?;
        if blocks.is_empty() {
            return Ok(());
        }
        let there = self.span_on(dst, &blocks, blocks.dst, pe)?;
        if src.is_null() {
            return Err(Misuse::NullPrivate);
        }
        if let Some(to) = there.filter(|_| !self.0.is_device(src.addr())) {
            // SAFETY: the span of the target is symmetric memory, and the caller vouches for the source.
            unsafe { copy_blocks(to, src, &blocks) };
            return Ok(());
        }
        // SAFETY: passed on; the copies are complete before the call returns.
        self.each(&blocks, |to, from| unsafe {
            let (dst, src) = (dst.wrapping_offset(to), src.wrapping_offset(from));
            self.put(dst, src, blocks.bytes(), pe, Completion::Later)
        })
    }

    /// Copies blocks from the symmetric `src` of PE `pe` to `dst`.
    ///
    /// # Safety
    /// All blocks of `dst` are writable.
    pub unsafe fn get_blocks(self, dst: *mut u8, src: *const u8, blocks: Blocks, pe: u32) -> Result<()> {
        self.check_pe(pe)?;
        if blocks.is_empty() {
            return Ok(());
        }
        let there = self.span_on(src.cast_mut(), &blocks, blocks.sst, pe)?;
        if dst.is_null() {
            return Err(Misuse::NullPrivate);
        }
        if let Some(from) = there.filter(|_| !self.0.is_device(dst.addr())) {
            // SAFETY: the span of the source is symmetric memory, and the caller vouches for the target.
            unsafe { copy_blocks(dst, from, &blocks) };
            return Ok(());
        }
        // SAFETY: passed on; the copies are complete before the call returns.
        self.each(&blocks, |to, from| unsafe {
            let (dst, src) = (dst.wrapping_offset(to), src.wrapping_offset(from));
            self.get(dst, src, blocks.bytes(), pe, Completion::Later)
        })
    }

    /// Where the first block of the symmetric end is on PE `pe`; `None` if no load or store reaches it. An error if not all of them are
    /// symmetric.
    fn span_on(self, first: *mut u8, blocks: &Blocks, stride: isize, pe: u32) -> Result<Option<*mut u8>> {
        let in_globals = || self.0.globals.has(first.addr());
        let whole = || if in_globals() { "the globals" } else { "the symmetric heap" };
        let Some((lowest, bytes)) = blocks.span(stride) else {
            let place = self.0.globals.place(first.addr(), usize::MAX, pe).map(Result::err);
            let misuse = place.unwrap_or_else(|| self.0.locate(first.addr(), usize::MAX).err());
            let is_below = stride < 0 && misuse != Some(Misuse::NotSymmetric);
            return Err(misuse.filter(|_| !is_below).unwrap_or_else(|| blocks.below(stride, whole())));
        };
        let start = first.wrapping_offset(lowest);
        if let Some(found) = self.0.windows.host(start, bytes, pe) {
            return Ok(Some(found.wrapping_offset(lowest.wrapping_neg())));
        }
        if let Some(found) = self.0.globals.mapped(start.addr(), bytes, pe) {
            let found: *mut u8 = std::ptr::with_exposed_provenance_mut(found);
            return Ok(Some(found.wrapping_offset(lowest.wrapping_neg())));
        }
        if let Some(place) = self.0.globals.place(start.addr(), bytes, pe) {
            return place.map(|_| None);
        }
        if in_globals() {
            return Err(blocks.below(stride, whole()));
        }
        // The first block tells more than the lowest byte, where both are wrong.
        self.0.locate(first.addr(), blocks.bytes())?;
        match self.0.locate(start.addr(), bytes) {
            Ok(_) => Ok(None),
            Err(Misuse::NotSymmetric | Misuse::PastEnd(_)) if lowest < 0 => Err(blocks.below(stride, whole())),
            Err(_) if lowest < 0 => Err(blocks.below(stride, "its object")),
            Err(misuse) => Err(misuse),
        }
    }

    /// Enqueues the copy of each block and waits for all.
    fn each(self, blocks: &Blocks, mut copy: impl FnMut(isize, isize) -> Result<()>) -> Result<()> {
        let (to, from) = blocks.steps();
        let mut copied = Ok(());
        for at in 0..blocks.count {
            let at = at.cast_signed();
            copied = copy(to.wrapping_mul(at), from.wrapping_mul(at));
            if copied.is_err() {
                break;
            }
        }
        // Also after an error: some may be under way.
        self.0.complete_copies()?;
        copied
    }
}

/// Copies blocks between places that the CPU reaches.
///
/// # Safety
/// All blocks are valid at both ends.
unsafe fn copy_blocks(to: *mut u8, from: *const u8, blocks: &Blocks) {
    // SAFETY: the caller vouches for all of them, whatever the size of an element.
    unsafe {
        match blocks.bytes() {
            1 => copy_words::<u8>(to, from, blocks),
            2 => copy_words::<u16>(to, from, blocks),
            4 => copy_words::<u32>(to, from, blocks),
            8 => copy_words::<u64>(to, from, blocks),
            bytes => for_each(to, from, blocks, |to, from| mapped::copy(to, from, bytes)),
        }
    }
}

/// Blocks of a word each: one load and one store.
///
/// # Safety
/// As for [`copy_blocks`].
unsafe fn copy_words<T: Copy>(to: *mut u8, from: *const u8, blocks: &Blocks) {
    // SAFETY: passed on.
    for_each(to, from, blocks, |to, from| unsafe {
        to.cast::<T>().write_unaligned(from.cast::<T>().read_unaligned());
    });
}

#[inline(always)]
fn for_each(mut to: *mut u8, mut from: *const u8, blocks: &Blocks, mut copy: impl FnMut(*mut u8, *const u8)) {
    let (dst, src) = blocks.steps();
    for _ in 0..blocks.count {
        copy(to, from);
        (to, from) = (to.wrapping_offset(dst), from.wrapping_offset(src));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(count: usize, elements: usize, stride: isize) -> Blocks {
        Blocks { count, elements, size: 4, dst: stride, sst: 1 }
    }

    #[test]
    fn spans() {
        let span = |b: Blocks| b.span(b.dst);
        assert_eq!(span(blocks(1, 3, 100)), Some((0, 12)));
        assert_eq!(span(blocks(1, 3, isize::MAX)), Some((0, 12)));
        assert_eq!(span(blocks(3, 2, 5)), Some((0, 48)));
        assert_eq!(span(blocks(3, 2, -5)), Some((-40, 48)));
        assert_eq!(span(blocks(4, 2, 0)), Some((0, 8)));
    }

    /// Spans that wrap around would pass for small ones.
    #[test]
    fn no_memory_is_so_large() {
        for (count, elements, stride) in [
            (usize::MAX, 1, isize::MAX),
            (usize::MAX, 1, isize::MIN),
            (3, usize::MAX, 1),
            (2, usize::MAX / 4, isize::MAX / 4),
            (usize::MAX / 4 + 2, 1, 1),
        ] {
            assert_eq!(blocks(count, elements, stride).span(stride), None, "{count} {elements} {stride}");
        }
    }
}
