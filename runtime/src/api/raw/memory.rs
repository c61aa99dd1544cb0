//! Symmetric memory by address: new, resized, given back.

use super::{Memory, Raw, Result};
use crate::api::allocation::{Layout, object};
use crate::error::{ArgumentError, Cause, Error};
use crate::memory::{At, BASE_ALIGNMENT, Segment};
use crate::sync::agreement::{Argument, Call, Object};

/// A collective allocation.
/// The [module](crate::raw) has an example.
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
    /// At a multiple of this power of two.
    pub alignment: u64,
    /// Whether it is all zero; host memory only.
    pub cleared: bool,
}

/// The largest alignment of an object: what segments begin at. Strides are not multiples of more.
/// It is the most that
/// [`Wanted::alignment`] may be.
pub const MAX_ALIGNMENT: u64 = BASE_ALIGNMENT;

impl Raw<'_> {
    /// Collective: new symmetric memory. `None` if no bytes are wanted; then the others are met only where the
    /// specification has a barrier in any case: if the memory is to be cleared (`shmem_calloc`).
    pub fn malloc(self, wanted: &Wanted) -> crate::Result<Option<*mut u8>> {
        let segment = match wanted.memory {
            Memory::Host => Segment::Host,
            Memory::Gpu => Segment::Gpu,
            Memory::ForNetwork if self.shmem().memory().has(Segment::Network) => Segment::Network,
            Memory::ForNetwork => Segment::Host,
        };
        if segment == Segment::Gpu && wanted.bytes != 0 {
            self.shmem().gpus(wanted.routine)?;
        }
        let arguments = wanted.arguments.map(|(name, value)| Argument::Number(name, value));
        let call = Call::new(wanted.routine, &arguments);
        let Wanted { bytes, alignment, cleared, .. } = *wanted;
        if bytes == 0 {
            if cleared {
                self.shmem().meet_in(&call);
            } else {
                self.meet_if_checked(&call);
            }
            return Ok(None);
        }
        if alignment > MAX_ALIGNMENT {
            // All PEs fail, and as in every other allocation they find out first whether all ask for the same.
            self.shmem().meet_in(&call);
            return Err(Error::new(wanted.routine, Cause::Alignment { alignment, most: MAX_ALIGNMENT }));
        }
        let layout = Layout { bytes: bytes as u64, alignment, cleared };
        let (segment, place) = match self.shmem().allocate(&call, segment, layout) {
            // It is a hint.
            Err(_) if segment == Segment::Network => {
                (Segment::Host, self.shmem().allocate(&call, Segment::Host, layout))
            }
            place => (segment, place),
        };
        Ok(Some(self.own(segment, place?)))
    }

    /// Collective: changes the size of what [`Raw::malloc`] returned, and returns where it is then; what fits of its
    /// contents stays. Without `ptr` it allocates, without `bytes` it frees. On an error the object is as it was.
    pub fn realloc(self, routine: &'static str, ptr: *mut u8, bytes: usize) -> Result<Option<*mut u8>> {
        let size = Argument::Number("size", bytes as u64);
        if ptr.is_null() {
            let call = Call::new(routine, &[Argument::Object("ptr", Object::Null), size]);
            if bytes == 0 {
                self.meet_if_checked(&call);
                return Ok(None);
            }
            let layout = Layout { bytes: bytes as u64, alignment: 1, cleared: false };
            let offset = self.shmem().allocate(&call, Segment::Host, layout)?;
            return Ok(Some(self.own(Segment::Host, offset)));
        }
        let start = self.start_of(ptr)?;
        let (segment, offset) = (start.segment, start.offset.0);
        let call = Call::new(routine, &[Argument::Object("ptr", object(start)), size]);
        if bytes == 0 {
            self.shmem().free_in(&call, segment, offset)?;
            return Ok(None);
        }
        Ok(Some(self.own(segment, self.shmem().reallocate(&call, segment, offset, bytes as u64)?)))
    }

    /// Collective: gives back what [`Raw::malloc`] returned; nothing to be done, and nobody to be met, for null.
    pub fn free(self, routine: &'static str, ptr: *mut u8) -> Result<()> {
        if ptr.is_null() {
            self.meet_if_checked(&Call::new(routine, &[Argument::Object("ptr", Object::Null)]));
            return Ok(());
        }
        let start = self.start_of(ptr)?;
        let call = Call::new(routine, &[Argument::Object("ptr", object(start))]);
        Ok(self.shmem().free_in(&call, start.segment, start.offset.0)?)
    }

    /// In check mode a call that does nothing meets the others too, for one of them may do something.
    fn meet_if_checked(self, call: &Call) {
        if self.shmem().memory().checks() {
            self.shmem().meet_in(call);
        }
    }

    /// Where the object is that starts at an address.
    fn start_of(self, ptr: *mut u8) -> Result<At> {
        let memory = self.shmem().memory();
        if memory.is_global(ptr.addr()) {
            return Err(ArgumentError::NotAStart);
        }
        let at = memory.locate(ptr.addr(), 1)?;
        if memory.heaps().of(at.segment).get(at.offset.0).is_none() {
            return Err(ArgumentError::NotAStart);
        }
        Ok(at)
    }

    fn own(self, segment: Segment, offset: u64) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.shmem().memory().own(At::new(segment, offset)) as usize)
    }
}
