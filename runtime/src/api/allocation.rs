//! Symmetric allocation.
//!
//! In each call all PEs meet once ([`agreement`](crate::sync::agreement)) and check that they make the same request. If
//! a heap has to grow, it then grows on all PEs, which ends in an agreement of its own. Therefore no PE waits in a
//! meeting while another waits for the growth, and no PE returns before the memory exists everywhere.
//!
//! | call | before the meeting | after it |
//! |---|---|---|
//! | allocate | chooses the place, clears it if asked | joins freed pieces if the object needs them, grows the heap if it must |
//! | free | | releases the place: no PE uses it any more |
//! | reallocate | | changes the object's length in place and grows the heap if it must; or allocates, copies, frees the old place, and meets once more |
//!
//! The lock of the allocator is held while a place is looked up or chosen, never while PEs wait for each other: in
//! check mode, other threads of this PE use the allocator to check their addresses.

use crate::error::{Cause, Error, Result};
use crate::job::record::Timed;
use crate::memory::{At, Layout, Segment};
use crate::sync::call::{Argument, Call, Object};
use crate::sync::locked;
use crate::transport::mapped;
use crate::{DeviceBuffer, Shmem, SymSlice, Word};
use cushmem_environment as environment;
use cushmem_record::Operation;

/// # Memory
impl Shmem {
    /// Allocates `n` elements of symmetric host memory (`shmem_malloc`, OpenSHMEM 1.6, 9.3). The memory is zero only if
    /// that part of the heap has not been used before.
    ///
    /// Collective: all PEs must ask for the same number of elements, otherwise the job ends with a message. The call
    /// succeeds on all PEs or fails on all, and no PE returns before all have called it.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let numbers = shmem.malloc::<f64>(1000)?;
    /// numbers.slice(..3).copy_from(&[1.0, 2.0, 3.0])?;
    /// assert_eq!(numbers.slice(..3).to_vec()?, [1.0, 2.0, 3.0]);
    /// shmem.free(numbers)?;
    /// # Ok(()) }) }
    /// ```
    pub fn malloc<T: Word>(&self, n: usize) -> Result<SymSlice<'_, T>> {
        self.allocate_elements("malloc", Segment::Host, n)
    }

    /// Allocates `n` elements of symmetric GPU memory, which is not cleared. Collective, like [`Shmem::malloc`]. The
    /// first call of a job starts the GPUs, which takes a third of a second for real ones.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let halo = shmem.malloc_gpu::<f32>(256)?;
    /// halo.copy_from(&[0.0; 256])?;
    /// // A kernel gets `halo.device_ptr()`, with which it reaches the same object of every PE.
    /// shmem.barrier_all()?;
    /// # Ok(()) }) }
    /// ```
    pub fn malloc_gpu<T: Word>(&self, n: usize) -> Result<SymSlice<'_, T>> {
        self.gpus("malloc_gpu")?;
        self.allocate_elements("malloc_gpu", Segment::Gpu, n)
    }

    /// Frees symmetric memory (`shmem_free`, OpenSHMEM 1.6, 9.3). Collective. The call begins with a barrier, so that
    /// no PE still uses the memory. If `slice` is not a whole object, it fails at once, without a barrier.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let scratch = shmem.malloc::<u8>(4096)?;
    /// shmem.free(scratch)?;
    /// # Ok(()) }) }
    /// ```
    pub fn free<T: Word>(&self, slice: SymSlice<'_, T>) -> Result<()> {
        if !slice.belongs_to(self) {
            return Err(Error::new("free", Cause::ForeignObject));
        }
        let at = slice.at_symmetric();
        self.free_in(&Call::new("free", &[Argument::Object("slice", object(at))]), at.segment, at.offset.0)
    }

    /// Collective: frees the object at this offset.
    pub(crate) fn free_in(&self, call: &Call, segment: Segment, offset: u64) -> Result<()> {
        let _timed = Timed::new(Operation::Allocate, 0);
        let _one = locked(self.changing());
        self.memory().known_bytes(call.routine, segment, offset)?;
        self.meet_in(call);
        self.memory().forget(segment, offset);
        Ok(())
    }

    fn allocate_elements<T: Word>(&self, routine: &'static str, segment: Segment, n: usize) -> Result<SymSlice<'_, T>> {
        let bytes = byte_count::<T>(routine, n)?;
        let call = Call::new(routine, &[Argument::Number("bytes", bytes)]);
        let offset = self.allocate(&call, segment, Layout { bytes, alignment: 1, cleared: false })?;
        Ok(SymSlice::new(self, segment, offset, n))
    }

    /// Collective: allocates an object and returns its offset.
    pub(crate) fn allocate(&self, call: &Call, segment: Segment, layout: Layout) -> Result<u64> {
        let _timed = Timed::new(Operation::Allocate, layout.bytes as usize);
        let _one = locked(self.changing());
        let (place, limit) = self.memory().choose(segment, layout);
        if let (Some(offset), Segment::Host, true) = (place, segment, layout.cleared) {
            // Memory by which the heap grows is zero already.
            self.memory().host().fill(offset, 0, layout.bytes);
        }
        self.meet_in(call);
        let place = self.join_freed(call, segment, layout, place);
        let offset = place.ok_or_else(|| does_not_fit(call.routine, segment, layout, limit))?;
        self.memory().grow_new(segment, offset, self.sync().network())?;
        Ok(offset)
    }

    /// Collective: changes the size of the object at this offset, and returns its new offset. If there is no room, the
    /// object is unchanged.
    pub(crate) fn reallocate(&self, call: &Call, segment: Segment, offset: u64, bytes: u64) -> Result<u64> {
        let _timed = Timed::new(Operation::Allocate, bytes as usize);
        let _one = locked(self.changing());
        let old_bytes = self.memory().known_bytes(call.routine, segment, offset)?;
        self.meet_in(call);
        let resized = self.memory().heaps().of_mut(segment).resize(offset, bytes);
        if resized {
            let grown = self.memory().grow(segment, offset, self.sync().network());
            return grown.map(|()| offset).inspect_err(|_| {
                self.memory().heaps().of_mut(segment).resize(offset, old_bytes);
            });
        }
        let layout = Layout { bytes, alignment: 1, cleared: false };
        let (place, limit) = self.memory().choose(segment, layout);
        let new = self
            .join_freed(call, segment, layout, place)
            .ok_or_else(|| does_not_fit(call.routine, segment, layout, limit))?;
        self.memory().grow_new(segment, new, self.sync().network())?;
        let own = |offset| self.memory().own(At::new(segment, offset));
        let (to, from, kept) = (own(new), own(offset), old_bytes.min(bytes) as usize);
        let copied = match segment {
            Segment::Gpu => {
                // SAFETY: both are this PE's parts of objects of at least as many bytes; the call waits for the copy.
                unsafe { self.transfers().copy_and_wait(to, from, kept) }
            }
            _ => {
                let (to, from) = (to as usize, from as usize);
                let (to, from) = (std::ptr::with_exposed_provenance_mut(to), std::ptr::with_exposed_provenance(from));
                // SAFETY: both are this PE's parts of objects of at least as many bytes.
                unsafe { mapped::copy(to, from, kept) };
                Ok(())
            }
        };
        // The other PEs go on to the barrier below.
        copied.unwrap_or_else(|error| self.job().end(call.routine, &error));
        self.memory().forget(segment, offset);
        self.quiet_and_meet();
        Ok(new)
    }

    /// Collective if freed pieces of the heap can be joined and the object would otherwise need a new piece at this
    /// place. Joins them, and returns the object's place afterwards. This is not done while a kernel may be running on
    /// any PE, because unpinning waits for the kernel, which may wait for a PE, or for a copy that the driver holds up
    /// until then. Nor is it done while a thread of the library may launch one at any moment; such threads begin in
    /// other collective calls only.
    fn join_freed(&self, call: &Call, segment: Segment, layout: Layout, place: Option<u64>) -> Option<u64> {
        let (memory, reach) = (self.memory(), self.memory().host().within_reach());
        let (pieces, number) = {
            let heaps = memory.heaps();
            let heap = heaps.of(segment);
            let fits = place.and_then(|offset| heap.get(offset)).is_some_and(|object| object.end() <= reach);
            // An object that is to be cleared and has a place has been cleared already.
            let wanted = segment == Segment::Host && !fits && (place.is_none() || !layout.cleared);
            (heap.joinable(layout.bytes, layout.alignment).filter(|_| wanted), heaps.allocations)
        };
        let Some(pieces) = pieces else { return place };
        let (counted, uncounted) = self.services().launches().may_run();
        // If there is no other room, kernels that the library does not count are waited for.
        let waits = counted || self.services().may_launch() || uncounted && place.is_some();
        let running = if waits { Err("a kernel may be running".to_owned()) } else { Ok(()) };
        if self.job().agree("merge freed pieces of the heap", running).is_err() {
            return place;
        }
        let place = {
            let mut heaps = memory.heaps();
            let heap = heaps.of_mut(segment);
            if let Some(offset) = place {
                heap.free(offset);
            }
            // Memory behind the last piece is pinned together with it when necessary.
            let end = if pieces.end < reach { pieces.end } else { heap.limit() };
            heap.join(pieces.start..end);
            heap.allocate(layout.bytes, layout.alignment, number)
        };
        let joined = memory.host().join(pieces).and_then(|()| match place {
            Some(offset) if layout.cleared => {
                memory.host().fill(offset, 0, layout.bytes);
                // No PE uses it before all PEs have cleared theirs.
                self.job().agree("clear memory", Ok(()))
            }
            _ => Ok(()),
        });
        joined.unwrap_or_else(|error| self.job().end(call.routine, &error));
        place
    }

    /// Allocates `n` elements of private GPU memory, which is not cleared. Dropping the buffer frees it.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let field = shmem.device_alloc::<f32>(256)?;
    /// field.copy_from(&[1.0; 256])?;
    /// # Ok(()) }) }
    /// ```
    pub fn device_alloc<T: Word>(&self, n: usize) -> Result<DeviceBuffer<'_, T>> {
        let gpu = self.own_gpu("device_alloc")?;
        let bytes = byte_count::<T>("device_alloc", n)?;
        let address = gpu.alloc(bytes.max(1)).map_err(Error::of("device_alloc"))?;
        Ok(DeviceBuffer::new(self, address, n))
    }

    /// Meets all PEs in a collective call, with this PE's operations completed, and ends the job unless all make the
    /// same call.
    pub(crate) fn meet_in(&self, call: &Call) {
        // On all contexts, because the call may free memory that their copies use.
        let quiet = || self.transfers().quiet(self.transfers().default_context());
        let completed = self.transfers().drain_all().and_then(|()| quiet());
        completed.unwrap_or_else(|error| self.job().end(call.routine, &error));
        self.sync().meet_in(call);
    }
}

/// Where an object is, in the form in which calls are compared.
pub(crate) fn object(at: At) -> Object {
    match at.segment {
        Segment::Host => Object::Host(at.offset.0),
        Segment::Network => Object::Network(at.offset.0),
        Segment::Gpu => Object::Gpu(at.offset.0),
        Segment::Globals | Segment::RegisteredHost | Segment::RegisteredGpu => Object::Outside,
    }
}

#[cold]
fn does_not_fit(routine: &str, segment: Segment, Layout { bytes, alignment, .. }: Layout, limit: u64) -> Error {
    let heap = |variable: environment::Variable| Cause::HeapFull { bytes, alignment, limit, variable: variable.name };
    let cause = match segment {
        Segment::Gpu => heap(environment::GPU_HEAP_SIZE),
        Segment::Network => Cause::Exhausted(format!(
            "{bytes} bytes do not fit into the {limit} bytes for SHMEM_MALLOC_ATOMICS_REMOTE, whose size is fixed"
        )),
        Segment::Host | Segment::Globals | Segment::RegisteredHost | Segment::RegisteredGpu => {
            heap(environment::SYMMETRIC_SIZE)
        }
    };
    Error::new(routine.to_owned(), cause)
}

fn byte_count<T>(operation: &str, n: usize) -> Result<u64> {
    let bytes = n.checked_mul(size_of::<T>()).filter(|&b| b <= isize::MAX as usize);
    bytes
        .map(|b| b as u64)
        .ok_or_else(|| Error::new(operation.to_owned(), Cause::TooMany { elements: n, bytes: size_of::<T>() }))
}
