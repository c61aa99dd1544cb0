//! Allocation, resizing and freeing of symmetric memory by address.

use super::{Memory, Raw, Result};
use crate::ArrayBuilder;
use crate::api::allocation::object;
use crate::error::{ArgumentError, Cause, Error};
use crate::memory::{At, BASE_ALIGNMENT, Layout, Segment, own_alignment};
use crate::sync::call::{Argument, Call, Object};

/// The description of a collective allocation.
/// The [module](crate::raw) has an example.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The routine that the user called.
    pub routine: &'static str,
    /// The arguments of that routine, which the PEs compare.
    pub arguments: [(&'static str, u64); 2],
    /// The kind of memory.
    pub memory: Memory,
    /// The size in bytes.
    pub bytes: usize,
    /// The alignment of the returned address, a power of two.
    pub alignment: u64,
    /// Whether the memory is cleared; for host memory only.
    pub cleared: bool,
}

/// An object with an alignment up to this has it as seen from every PE. With a larger one, it has it on its own PE.
pub const SEGMENT_ALIGNMENT: u64 = BASE_ALIGNMENT;

impl Raw<'_> {
    /// Allocates symmetric memory. Collective. Returns `None` if `bytes` is 0; the PEs then meet only in check mode,
    /// because each of these routines "returns without performing a barrier" (1.6, 9.3).
    pub fn malloc(self, wanted: &Wanted) -> crate::Result<Option<*mut u8>> {
        let has_network = wanted.alignment <= SEGMENT_ALIGNMENT && self.shmem().memory().has(Segment::Network);
        let segment = match wanted.memory {
            Memory::Host => Segment::Host,
            Memory::Gpu => Segment::Gpu,
            Memory::ForNetwork if has_network => Segment::Network,
            Memory::ForNetwork => Segment::Host,
        };
        if segment == Segment::Gpu && wanted.bytes != 0 {
            self.shmem().gpus(wanted.routine)?;
        }
        let arguments = wanted.arguments.map(|(name, value)| Argument::Number(name, value));
        let call = Call::new(wanted.routine, &arguments);
        let Wanted { bytes, alignment, cleared, .. } = *wanted;
        if bytes == 0 {
            self.meet_if_checked(&call);
            return Ok(None);
        }
        if alignment > SEGMENT_ALIGNMENT {
            // As in every other allocation, the PEs first check that all make the same request.
            self.shmem().meet_in(&call);
            self.agree_on_alignment(wanted.routine, segment, alignment)?;
        }
        let layout = Layout { bytes: bytes as u64, alignment, cleared };
        let (segment, place) = match self.shmem().allocate(&call, segment, layout) {
            // The network's memory is only a hint.
            Err(_) if segment == Segment::Network => {
                (Segment::Host, self.shmem().allocate(&call, Segment::Host, layout))
            }
            place => (segment, place),
        };
        Ok(Some(self.own(segment, place?)))
    }

    /// Collective. Whether an object of every PE can have such an alignment.
    fn agree_on_alignment(self, routine: &'static str, segment: Segment, alignment: u64) -> crate::Result<()> {
        let memory = self.shmem().memory();
        let most = own_alignment(memory.heaps().of(segment).limit());
        if alignment > most {
            return Err(Error::new(routine, Cause::Alignment { alignment, most }));
        }
        let own = memory.own(At::new(segment, 0)).is_multiple_of(alignment);
        let why = || "its heap does not start at a multiple of that, for lack of addresses (ulimit -v)".to_owned();
        self.shmem().job().agree(routine, own.then_some(()).ok_or_else(why))
    }

    /// Changes the size of an object from [`Raw::malloc`], and returns its new address. Collective. The contents are
    /// kept up to the smaller of both sizes. If `ptr` is null, it allocates; if `bytes` is 0, it frees. On an error the
    /// object is unchanged.
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

    /// Frees an object from [`Raw::malloc`]. Collective. If `ptr` is null, it does nothing and, except in check mode,
    /// waits for nobody.
    pub fn free(self, routine: &'static str, ptr: *mut u8) -> Result<()> {
        if ptr.is_null() {
            self.meet_if_checked(&Call::new(routine, &[Argument::Object("ptr", Object::Null)]));
            return Ok(());
        }
        let start = self.start_of(ptr)?;
        let call = Call::new(routine, &[Argument::Object("ptr", object(start))]);
        Ok(self.shmem().free_in(&call, start.segment, start.offset.0)?)
    }

    /// In check mode a call that does nothing also meets the others, because one of them may not do nothing.
    fn meet_if_checked(self, call: &Call) {
        if self.shmem().memory().checks() {
            self.shmem().meet_in(call);
        }
    }

    /// The object that starts at an address.
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

impl<'a> Raw<'a> {
    /// Describes an array that may be larger than a GPU, like [`crate::Shmem::array`], for a caller of `routine`.
    pub fn array(self, routine: &'static str, n: usize) -> ArrayBuilder<'a> {
        self.shmem.array_by(routine, n)
    }
}
