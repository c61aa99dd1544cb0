//! Puts and gets of blocks of elements at equal distances (OpenSHMEM 1.6, `shmem_iput` and its variants), by address.
//!
//! The whole span of the blocks at the symmetric end is checked before the first block is copied, so a call copies
//! either everything or nothing.

use super::context::Context;
use super::resolve::check_ends;
use super::{Completion, Local, Operation, Shape, Transfer, Transfers};
use crate::error::ArgumentError;
use crate::job::Pe;
use crate::memory::{At, Memory, Segment, SymOffset};
use crate::transport::mapped;
use cushmem_gpu::Rows;

type Result<T> = std::result::Result<T, ArgumentError>;

/// The layout of a strided copy.
/// [`Raw::put_blocks`](crate::raw::Raw::put_blocks) has an example.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// The number of blocks.
    pub count: usize,
    /// The number of elements in a block.
    pub elements: usize,
    /// The size of an element in bytes.
    pub size: usize,
    /// The distance from one block's start to the next one's at the target, in elements. It may be negative.
    pub dst: isize,
    /// The distance from one block's start to the next one's at the source, in elements. It may be negative.
    pub sst: isize,
}

impl Blocks {
    /// The distance from the first block's start to the lowest byte, and the number of bytes from there to the highest;
    /// `None` if that exceeds the address space.
    fn span(&self, stride: isize) -> Option<(isize, usize)> {
        let block = isize::try_from(self.elements.checked_mul(self.size)?).ok()?;
        // With a single block the distance does not matter, however large it is.
        let last = match isize::try_from(self.count.checked_sub(1)?).ok()? {
            0 => 0,
            others => stride.checked_mul(self.size.cast_signed())?.checked_mul(others)?,
        };
        Some((last.min(0), last.unsigned_abs().checked_add(block.unsigned_abs())?))
    }

    /// The error for a last block that lies too far below the first one, which is valid.
    fn below(&self, stride: isize, whole: &'static str) -> ArgumentError {
        let elements = stride.unsigned_abs().saturating_mul(self.count.saturating_sub(1));
        ArgumentError::BelowStart(elements.saturating_mul(self.size) as u64, whole)
    }

    /// Bytes of a block.
    pub(crate) fn bytes(&self) -> usize {
        self.elements * self.size
    }

    /// The private end as a whole, if it fits into the address space.
    pub(crate) fn private(&self, first: usize, to_peer: bool) -> Option<(u64, u64)> {
        let (lowest, bytes) = self.span(if to_peer { self.sst } else { self.dst })?;
        let start = first.checked_add_signed(lowest)?;
        start.checked_add(bytes).map(|_| (start as u64, bytes as u64))
    }

    pub(crate) fn operation(self, local: Local, to_peer: bool) -> Operation {
        let shape = Shape::Blocks(self);
        if to_peer { Operation::Put(local, shape) } else { Operation::Get(local, shape) }
    }

    /// Distances in bytes. They fit because the spans do.
    pub(crate) fn steps(&self) -> (isize, isize) {
        let size = self.size.cast_signed();
        (self.dst.wrapping_mul(size), self.sst.wrapping_mul(size))
    }

    /// The blocks as rows of a two-dimensional copy, counted from the first block, at the target and at the source.
    /// Returns `None` if the blocks of the two ends lie in different orders, overlap, or are too far apart, or if there
    /// is only one.
    pub(super) fn rows(&self, (dst, src): (u64, u64)) -> Option<Rows> {
        let (width, last) = (self.bytes() as u64, self.count as u64 - 1);
        let (to, from) = self.steps();
        let row = |step: isize| (width..=Rows::MOST_STEP).contains(&(step.unsigned_abs() as u64));
        if last == 0 || (to < 0) != (from < 0) || !row(to) || !row(from) {
            return None;
        }
        let (dst_step, src_step) = (to.unsigned_abs() as u64, from.unsigned_abs() as u64);
        // Descending blocks ascend when they are copied from the last one on.
        let back = if to < 0 { last } else { 0 };
        let (dst, src) = (dst - back * dst_step, src - back * src_step);
        Some(Rows { dst, src, dst_step, src_step, width, count: self.count as u64 })
    }

    fn is_empty(&self) -> bool {
        self.count == 0 || self.elements == 0
    }
}

impl Transfers {
    /// Copies blocks to or from the symmetric end on PE `pe`. The copy is complete on return.
    ///
    /// # Safety
    /// All blocks of the private end are valid.
    pub(crate) unsafe fn copy_blocks(
        &self,
        context: &Context,
        (symmetric, private): (usize, usize),
        blocks: Blocks,
        pe: u32,
        to_peer: bool,
    ) -> Result<()> {
        let Some((remote, local, pe)) = self.ends_of_blocks(symmetric, private, &blocks, pe, to_peer)? else {
            return Ok(());
        };
        let transfer = Transfer { operation: blocks.operation(local, to_peer), pe, remote, when: Completion::Blocking };
        // SAFETY: all blocks of the symmetric end were found; the caller guarantees that those of the other end are
        // valid.
        unsafe { self.issue(context, &transfer) }.map(drop)
    }

    /// Where the first block is at both ends, and the PE, after checks; `None` if there are no blocks.
    pub(crate) fn ends_of_blocks(
        &self,
        symmetric: usize,
        private: usize,
        blocks: &Blocks,
        pe: u32,
        to_peer: bool,
    ) -> Result<Option<(At, Local, Pe)>> {
        let pe = self.pe(pe)?;
        if blocks.is_empty() {
            return Ok(None);
        }
        let stride = if to_peer { blocks.dst } else { blocks.sst };
        let remote = locate_span(&self.memory, symmetric, blocks, stride)?;
        if private == 0 {
            return Err(ArgumentError::NullPrivate);
        }
        if blocks.private(private, to_peer).is_none() {
            return Err(ArgumentError::Private(Box::new(ArgumentError::PastAddresses)));
        }
        if self.memory.checks() {
            check_blocks(&self.memory, remote, private, blocks, stride, pe)?;
        }
        Ok(Some((remote, Local { address: private, on_gpu: self.memory.is_device(private) }, pe)))
    }
}

/// In check mode: checks that each block of the private end is memory and does not overlap its other end. `stride`
/// is that of the symmetric end.
fn check_blocks(memory: &Memory, remote: At, private: usize, blocks: &Blocks, stride: isize, pe: Pe) -> Result<()> {
    // If both strides are the same, it does not matter which end this is.
    let is_target = stride == blocks.dst;
    blocks.each(|dst, src| {
        let (there, here) = if is_target { (dst, src) } else { (src, dst) };
        let offset = SymOffset(remote.offset.0.wrapping_add_signed(there as i64));
        let at = At { offset, ..remote };
        check_ends(memory, at, private.wrapping_add_signed(here), blocks.bytes(), pe)
    })
}

/// Where the first block is; an error if not all blocks are symmetric.
fn locate_span(memory: &Memory, first: usize, blocks: &Blocks, stride: isize) -> Result<At> {
    let whole = || if memory.is_global(first) { "the globals" } else { "the symmetric heap" };
    let Some((lowest, bytes)) = blocks.span(stride) else {
        let error = memory.locate(first, usize::MAX).err();
        let is_below = stride < 0 && error != Some(ArgumentError::NotSymmetric);
        return Err(error.filter(|_| !is_below).unwrap_or_else(|| blocks.below(stride, whole())));
    };
    // If both are wrong, the first block gives a more helpful error than the lowest byte.
    let found = memory.locate(first, blocks.bytes());
    let start = first.wrapping_add_signed(lowest);
    match (found, memory.locate(start, bytes)) {
        (_, Ok(At { segment, offset })) => {
            Ok(At { segment, offset: SymOffset(offset.0.wrapping_add_signed(-(lowest as i64))) })
        }
        (Ok(At { segment: Segment::Globals, .. }), Err(_)) if lowest < 0 => Err(blocks.below(stride, whole())),
        (Ok(_), Err(ArgumentError::NotSymmetric | ArgumentError::PastEnd(_))) if lowest < 0 => {
            Err(blocks.below(stride, whole()))
        }
        (Ok(_), Err(_)) if lowest < 0 => Err(blocks.below(stride, "its object")),
        (Err(error), _) | (Ok(_), Err(error)) => Err(error),
    }
}

impl Blocks {
    /// Calls `copy` for each block with its distance in bytes from the first one, at the target and at the source,
    /// until a call fails.
    pub(super) fn each<E>(
        &self,
        mut copy: impl FnMut(isize, isize) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let (dst, src) = self.steps();
        (0..self.count).map(usize::cast_signed).try_for_each(|at| copy(dst.wrapping_mul(at), src.wrapping_mul(at)))
    }

    /// Copies all blocks between addresses that the CPU reaches. A block of 1, 2, 4 or 8 bytes is a single store.
    ///
    /// # Safety
    /// All blocks are valid at both ends.
    pub(super) unsafe fn copy(&self, to: *mut u8, from: *const u8) {
        // SAFETY: the caller guarantees that all blocks are valid.
        unsafe { copy_blocks(to, from, self) }
    }
}

/// Copies blocks between addresses that the CPU reaches.
///
/// # Safety
/// All blocks are valid at both ends.
unsafe fn copy_blocks(to: *mut u8, from: *const u8, blocks: &Blocks) {
    // SAFETY: the caller guarantees that all blocks are valid, whatever the size of an element.
    unsafe {
        match blocks.bytes() {
            // A loop for each, without a branch on the size of an element.
            1 => for_each(to, from, blocks, |to, from| mapped::copy_element::<u8>(to, from)),
            2 => for_each(to, from, blocks, |to, from| mapped::copy_element::<u16>(to, from)),
            4 => for_each(to, from, blocks, |to, from| mapped::copy_element::<u32>(to, from)),
            8 => for_each(to, from, blocks, |to, from| mapped::copy_element::<u64>(to, from)),
            bytes => for_each(to, from, blocks, |to, from| mapped::copy(to, from, bytes)),
        }
    }
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
        // The largest possible spans, from the size of a block, from the distance, and from both.
        let most = isize::MAX.unsigned_abs();
        assert_eq!(span(blocks(1, most / 4, 1)), Some((0, most - 3)));
        assert_eq!(span(blocks(2, 1, isize::MAX / 4)), Some((0, most + 1)));
        assert_eq!(span(blocks(2, 1, isize::MIN / 4)), Some((isize::MIN, most + 5)));
        assert_eq!(span(blocks(1, most / 4 + 1, 1)), None);
        assert_eq!(span(blocks(2, 1, isize::MAX / 4 + 1)), None);
        assert_eq!(span(blocks(2, 1, isize::MIN / 4 - 1)), None);
    }

    /// Catches rows in another order, or at another distance, than the blocks.
    #[test]
    fn rows_are_the_blocks() {
        for (dst, sst) in [(2, 3), (1, 1), (3, -3), (-2, -5), (0, 2), (1, 0), (4, 1)] {
            let blocks = Blocks { count: 5, elements: 1, size: 4, dst, sst };
            let mut expected = vec![];
            let note = |to, from| {
                expected.push((1000 + to as i64, 2000 + from as i64));
                Ok::<(), ()>(())
            };
            assert_eq!(blocks.each(note), Ok(()));
            expected.sort_unstable();
            let ordered = dst * sst > 0;
            let rows = blocks.rows((1000, 2000));
            assert_eq!(rows.is_some(), ordered, "{blocks:?}");
            let Some(rows) = rows else { continue };
            let place = |row| ((rows.dst + row * rows.dst_step) as i64, (rows.src + row * rows.src_step) as i64);
            assert_eq!((0..rows.count).map(place).collect::<Vec<_>>(), expected, "{blocks:?}");
        }
        let blocks = |count, elements, dst| Blocks { count, elements, size: 4, dst, sst: 1 << 29 };
        assert!(blocks(1, 1, 2).rows((0, 0)).is_none() && blocks(2, 1, 2).rows((0, 0)).is_none());
    }

    /// Catches spans that wrap around and so pass for small ones.
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
