//! Check mode (`CUSHMEM_CHECK=1`): each operation first asks the allocator about its addresses.
//!
//! Without check mode, an operation only compares addresses with the bounds of the heap. In check mode the tables of
//! [`Near`](super::Near) are empty, so each operation takes the slow path, from Rust and from C, and gets here.

use super::allocator::Found;
use super::{At, Memory, Segment};
use crate::error::ArgumentError;
use cushmem_environment::log;

/// How many of the first bytes of a freed object are overwritten, so that a program that still reads them notices.
pub(crate) const POISONED_BYTES: u64 = 64 << 10;
/// The value with which they are overwritten.
pub(crate) const POISON: u8 = 0xdb;
/// Leaked objects that are listed one by one.
const LISTED: usize = 10;

impl Memory {
    /// In check mode: fails unless all `bytes` bytes lie in one object.
    pub(crate) fn check_object(&self, at: At, bytes: usize) -> Result<(), ArgumentError> {
        if !self.check || bytes == 0 || at.segment == Segment::Globals || at.segment.is_registered() {
            return Ok(());
        }
        let found = self.heaps().of(at.segment).find(at.offset.0);
        match found {
            Found::Object(left) if bytes as u64 <= left => Ok(()),
            Found::Object(left) => Err(ArgumentError::PastObject(left)),
            Found::Freed => Err(ArgumentError::Freed),
            Found::Nothing => Err(ArgumentError::NoObject),
        }
    }

    /// In check mode: fails if the private end lies in any PE's segment, but not in an object.
    pub(crate) fn check_private(&self, address: usize, bytes: usize) -> Result<(), ArgumentError> {
        if !self.check || bytes == 0 {
            return Ok(());
        }
        let Some(at) = self.heap_of_any(address) else { return Ok(()) };
        self.check_object(at, bytes).map_err(|error| ArgumentError::Private(Box::new(error)))
    }

    /// In check mode: fails if two ranges of `bytes` bytes overlap without being identical.
    pub(crate) fn check_overlap(&self, symmetric: u64, private: usize, bytes: usize) -> Result<(), ArgumentError> {
        let distance = symmetric.abs_diff(private as u64);
        if self.check && distance != 0 && distance < bytes as u64 { Err(ArgumentError::Overlap) } else { Ok(()) }
    }

    /// In check mode: reports what was not freed. All PEs have the same objects, so only one of them reports.
    pub(crate) fn report_leaks(&self) {
        if !self.check || self.job.my_pe() != 0 {
            return;
        }
        let heaps = self.heaps();
        let mut leaks = vec![];
        for (segment, name) in [(Segment::Host, ""), (Segment::Network, ""), (Segment::Gpu, " of GPU memory")] {
            for (offset, object) in heaps.of(segment).objects() {
                let address = self.own(At::new(segment, offset));
                let text = format!("{} bytes{name} at {address:#x}, from allocation {}", object.bytes, object.number);
                leaks.push((object.number, text));
            }
        }
        leaks.sort();
        for (_, leak) in leaks.iter().take(LISTED) {
            log!(Warn, "PE 0: finalize: not freed: {leak}");
        }
        if let Some(more) = leaks.len().checked_sub(LISTED).filter(|more| *more > 0) {
            log!(Warn, "PE 0: finalize: not freed: {more} more objects");
        }
    }
}
