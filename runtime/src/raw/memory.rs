//! Symmetric memory by address: new, resized, given back.

use super::{Memory, Raw, Result};
use crate::address::Misuse;
use crate::agreement::{Argument, Call};
use crate::memory::Layout;
use crate::sym::Kind;

/// A collective allocation.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// What the user called.
    pub routine: &'static str,
    /// With which arguments; they are compared.
    pub arguments: [(&'static str, u64); 2],
    /// Where.
    pub memory: Memory,
    /// How much.
    pub bytes: usize,
    /// At a multiple of this power of two, at most [`MAX_ALIGNMENT`].
    pub alignment: u64,
    /// Whether it is all zero; host memory only.
    pub cleared: bool,
}

/// The largest alignment of an object: what slices begin at.
pub const MAX_ALIGNMENT: u64 = crate::host_heap::BASE_ALIGNMENT;

impl Raw<'_> {
    /// Collective: new symmetric memory. `None` if no bytes are wanted; then the others are met only where the specification has a
    /// barrier in any case: if the memory is to be cleared (`shmem_calloc`).
    pub fn malloc(self, wanted: &Wanted) -> crate::Result<Option<*mut u8>> {
        let kind = match wanted.memory {
            Memory::Host => Kind::Host,
            Memory::Gpu => Kind::Gpu,
        };
        if kind == Kind::Gpu {
            self.0.gpu_side(wanted.routine)?;
        }
        let arguments = wanted.arguments.map(|(name, value)| Argument::Number(name, value));
        let call = Call::new(wanted.routine, &arguments);
        let Wanted { bytes, alignment, cleared, .. } = *wanted;
        if bytes == 0 {
            if cleared {
                self.0.meet_in(&call)?
            } else {
                self.meet_if_checked(&call)?
            }
            return Ok(None);
        }
        let offset = self.0.allocate(&call, kind, Layout { bytes: bytes as u64, alignment, cleared })?;
        Ok(Some(self.own(kind, offset)))
    }

    /// Collective: changes the size of what [`Raw::malloc`] returned, and returns where it is then; what fits of its contents stays.
    /// Without `object` it allocates, without `bytes` it frees. On an error the object is as it was.
    pub fn realloc(self, routine: &'static str, object: *mut u8, bytes: usize) -> Result<Option<*mut u8>> {
        let size = Argument::Number("size", bytes as u64);
        if object.is_null() {
            let call = Call::new(routine, &[Argument::Object("ptr", None), size]);
            if bytes == 0 {
                self.meet_if_checked(&call)?;
                return Ok(None);
            }
            let offset =
                self.0.allocate(&call, Kind::Host, Layout { bytes: bytes as u64, alignment: 1, cleared: false })?;
            return Ok(Some(self.own(Kind::Host, offset)));
        }
        let (kind, offset) = self.start_of(object)?;
        let call = Call::new(routine, &[Argument::Object("ptr", Some((kind, offset))), size]);
        if bytes == 0 {
            self.0.free_in(&call, kind, offset)?;
            return Ok(None);
        }
        Ok(Some(self.own(kind, self.0.reallocate(&call, kind, offset, bytes as u64)?)))
    }

    /// Collective: gives back what [`Raw::malloc`] returned; nothing to be done, and nobody to be met, for null.
    pub fn free(self, routine: &'static str, object: *mut u8) -> Result<()> {
        if object.is_null() {
            return Ok(self.meet_if_checked(&Call::new(routine, &[Argument::Object("ptr", None)]))?);
        }
        let (kind, offset) = self.start_of(object)?;
        Ok(self.0.free_in(&Call::new(routine, &[Argument::Object("ptr", Some((kind, offset)))]), kind, offset)?)
    }

    /// In check mode a call that does nothing meets the others too, for one of them may do something.
    fn meet_if_checked(self, call: &Call) -> crate::Result<()> {
        if self.0.check { self.0.meet_in(call) } else { Ok(()) }
    }

    /// Heap and offset of the object that starts at an address.
    fn start_of(self, object: *mut u8) -> Result<(Kind, u64)> {
        if self.0.globals.has(object.addr()) {
            return Err(Misuse::NotAStart);
        }
        let (kind, offset) = self.0.locate(object.addr(), 1)?;
        if self.0.heaps().of(kind).get(offset).is_none() {
            return Err(Misuse::NotAStart);
        }
        Ok((kind, offset))
    }

    fn own(self, kind: Kind, offset: u64) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.0.seen_at(kind, offset, self.0.my_pe()) as usize)
    }
}
