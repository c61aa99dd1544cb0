//! What a transfer copies, independently of the transport.

use super::{Local, Shape};
use crate::transport::mapped;
use cushmem_gpu::Rows;
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};

/// A copy between memory here and the peer's memory.
pub(super) struct CopyPlan {
    pub(super) local: usize,
    pub(super) local_on_gpu: bool,
    pub(super) shape: Shape,
    pub(super) to_peer: bool,
}

impl CopyPlan {
    pub(super) fn new(local: Local, shape: Shape, to_peer: bool) -> Self {
        Self { local: local.address, local_on_gpu: local.on_gpu, shape, to_peer }
    }

    /// Calls `copy` with both ends and the length of each block, until one fails.
    pub(super) fn each<E>(
        &self,
        there: usize,
        mut copy: impl FnMut(usize, usize, usize) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        match self.shape {
            Shape::Bytes(bytes) => copy(self.local, there, bytes),
            Shape::Blocks(blocks) => blocks.each(|dst, src| {
                let (here, there_by) = if self.to_peer { (src, dst) } else { (dst, src) };
                copy(self.local.wrapping_add_signed(here), there.wrapping_add_signed(there_by), blocks.bytes())
            }),
        }
    }

    /// The value and length of an aligned word of host memory that goes to GPU memory. A stream writes it from its own
    /// queue, without waking a copy engine.
    ///
    /// # Safety
    /// The local end is valid for all bytes.
    pub(super) unsafe fn word(&self, there: u64, there_on_gpu: bool) -> Option<(u64, u64)> {
        let Shape::Bytes(bytes @ (4 | 8)) = self.shape else { return None };
        let is_put = self.to_peer && there_on_gpu && !self.local_on_gpu;
        if !is_put || !there.is_multiple_of(bytes as u64) {
            return None;
        }
        let mut value = 0u64;
        // SAFETY: the caller guarantees that the local end is valid, and the value has room for it.
        unsafe { mapped::copy((&raw mut value).cast(), with_exposed_provenance(self.local), bytes) };
        Some((value, bytes as u64))
    }

    /// The additional lane for long copies in this direction; `None` for the first lane. Copies in these directions use
    /// their own engines or links.
    pub(super) fn direction(&self, there_on_gpu: bool) -> Option<usize> {
        match (self.local_on_gpu, there_on_gpu, self.to_peer) {
            (true, true, true) => None,
            (true, true, false) => Some(0),
            (_, _, to_peer) if there_on_gpu == to_peer => Some(1),
            _ => Some(2),
        }
    }

    /// The blocks as rows that a stream copies at once; `None` if they do not form rows, or for a single row.
    pub(super) fn rows(&self, there: u64) -> Option<Rows> {
        let Shape::Blocks(blocks) = self.shape else { return None };
        blocks.rows(if self.to_peer { (there, self.local as u64) } else { (self.local as u64, there) })
    }

    /// Copies with loads and stores.
    ///
    /// # Safety
    /// Both ends are valid for all bytes, for the CPU.
    pub(super) unsafe fn by_cpu(&self, there: usize) {
        let (dst, src) = if self.to_peer { (there, self.local) } else { (self.local, there) };
        let (dst, src) = (with_exposed_provenance_mut(dst), with_exposed_provenance(src));
        // SAFETY: the caller guarantees that both ends are valid.
        unsafe {
            match &self.shape {
                Shape::Bytes(bytes) => mapped::copy(dst, src, *bytes),
                Shape::Blocks(blocks) => blocks.copy(dst, src),
            }
        }
    }
}
