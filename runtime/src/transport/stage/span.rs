//! How staged copies lie in memory.

use crate::transport::mapped;
use cushmem_gpu::Rows;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

/// The least bytes of a chunk that others follow.
pub(super) const LEAST: usize = 128 << 10;

/// How the bytes of a copy lie at both ends: in rows, whose distances are at least their width. In chunks, the rows
/// follow each other without gaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// All bytes of the rows.
    pub(crate) bytes: usize,
    /// The bytes of a row: all of them, or at most [`Span::MOST_WIDTH`].
    pub(crate) width: usize,
    /// From the start of a row to that of the next, at the local and at the remote end.
    pub(crate) steps: [usize; 2],
}

impl Span {
    /// The widest rows that share chunks: each chunk holds at least one.
    pub(crate) const MOST_WIDTH: usize = LEAST;

    /// A single row.
    pub(crate) fn whole(bytes: usize) -> Self {
        Self { bytes, width: bytes, steps: [bytes; 2] }
    }

    pub(super) fn has_gaps(&self) -> bool {
        self.width < self.bytes
    }

    /// How far what travels at this byte is from the first row, at the local and at the remote end. A single row may be
    /// cut anywhere.
    pub(super) fn at(&self, offset: usize) -> [usize; 2] {
        self.steps.map(|step| offset / self.width * step + offset % self.width)
    }

    /// The rows of `bytes` bytes of a chunk as a copy between the chunk and the local end.
    pub(super) fn rows(&self, bytes: usize, [dst, src]: [usize; 2], steps: [usize; 2]) -> Option<Rows> {
        let [dst, src, dst_step, src_step] = [dst, src, steps[0], steps[1]].map(|value| value as u64);
        let count = (bytes / self.width) as u64;
        (count > 1).then_some(Rows { dst, src, dst_step, src_step, width: self.width as u64, count })
    }
}

/// Copies rows by the CPU.
///
/// # Safety
/// All rows are valid at both ends.
pub(super) unsafe fn copy_rows(rows: &Rows) {
    let Rows { dst, src, dst_step, src_step, width, count } = *rows;
    for row in 0..count {
        let [to, from] = [dst + row * dst_step, src + row * src_step].map(|at| at as usize);
        // SAFETY: the caller guarantees that the row is valid.
        unsafe { mapped::copy(with_exposed_provenance_mut(to), with_exposed_provenance(from), width as usize) };
    }
}
