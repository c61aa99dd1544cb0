//! Check mode (`CUSHMEM_CHECK=1`): what the allocator knows of an address, asked before each operation.
//!
//! Without it an operation compares addresses with the ends of the heap, nothing else. In check mode that compare always fails
//! ([`Windows`](crate::address::Windows) and `pes_at_once` of [`Shmem`] see to it), so each operation takes the way of the rare cases,
//! and these come here.

use crate::Shmem;
use crate::address::Misuse;
use crate::heap::Place;
use crate::sym::Kind;

/// So many of the first bytes of a freed object are overwritten, so that a program which still reads them notices.
pub(crate) const POISONED_BYTES: u64 = 64 << 10;
/// What they are overwritten with.
pub(crate) const POISON: u8 = 0xdb;
/// Leaked objects that are listed one by one.
const LISTED: usize = 10;

impl Shmem {
    /// In check mode: fails unless all `bytes` bytes from `offset` lie in one object.
    pub(crate) fn check_object(&self, kind: Kind, offset: u64, bytes: usize) -> Result<(), Misuse> {
        if !self.check || bytes == 0 {
            return Ok(());
        }
        let place = self.heaps().of(kind).place(offset);
        match place {
            Place::Object(left) if bytes as u64 <= left => Ok(()),
            Place::Object(left) => Err(Misuse::PastObject(left)),
            Place::Freed => Err(Misuse::Freed),
            Place::Nothing => Err(Misuse::NoObject),
        }
    }

    /// In check mode: fails if the private end lies in any PE's part of a heap, but not in an object.
    pub(crate) fn check_private(&self, address: usize, bytes: usize) -> Result<(), Misuse> {
        if !self.check || bytes == 0 {
            return Ok(());
        }
        let n_pes = u64::from(self.n_pes());
        let gpu_base = self.gpu.as_ref().map(|gpu| gpu.heap.address(0, 0));
        for (kind, base) in [(Kind::Host, Some(self.host.base())), (Kind::Gpu, gpu_base)] {
            let at = base.and_then(|base| (address as u64).checked_sub(base)).filter(|at| *at < n_pes * self.stride);
            if let Some(at) = at {
                return self.check_object(kind, at % self.stride, bytes).map_err(|m| Misuse::Private(Box::new(m)));
            }
        }
        Ok(())
    }

    /// In check mode: fails if two ranges of `bytes` bytes overlap without being the same.
    pub(crate) fn check_overlap(&self, symmetric: u64, private: usize, bytes: usize) -> Result<(), Misuse> {
        let distance = symmetric.abs_diff(private as u64);
        if self.check && distance != 0 && distance < bytes as u64 { Err(Misuse::Overlap) } else { Ok(()) }
    }

    /// In check mode: says what was not freed. All PEs have the same objects, so one of them does.
    pub(crate) fn report_leaks(&self) {
        if !self.check || self.my_pe() != 0 {
            return;
        }
        let heaps = self.heaps();
        let mut leaks = vec![];
        for (kind, name) in [(Kind::Host, ""), (Kind::Gpu, " of GPU memory")] {
            for (offset, object) in heaps.of(kind).objects() {
                let address = self.seen_at(kind, offset, 0);
                let text = format!("{} bytes{name} at {address:#x}, from allocation {}", object.bytes, object.number);
                leaks.push((object.number, text));
            }
        }
        leaks.sort();
        for (_, leak) in leaks.iter().take(LISTED) {
            eprintln!("cushmem: PE 0: finalize: not freed: {leak}");
        }
        if let Some(more) = leaks.len().checked_sub(LISTED).filter(|more| *more > 0) {
            eprintln!("cushmem: PE 0: finalize: not freed: {more} more objects");
        }
    }
}
