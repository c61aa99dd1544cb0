//! Memory that the program allocated itself and registers, for itself or with all PEs.

use crate::error::{Cause, Error, Result};
use crate::memory::{At, Remote};
use crate::raw::Raw;
use crate::sync::agreement::{Argument, Call};
use crate::sync::locked;
use crate::{Shmem, SymSlice, Word};

/// # Registered memory
impl Shmem {
    /// Makes memory of the program's own symmetric: put and get reach each PE's range, of the host or of a GPU, by the
    /// name that this returns, and by its own address in [`raw`](crate::raw).
    ///
    /// Collective: all PEs give ranges of the same length and kind, which may lie at different addresses. It succeeds
    /// on all or fails on all. The GPU memory may be of any allocator. That of `cudaMalloc`, in which a range may lie
    /// anywhere, so also of the allocators of frameworks above it, is mapped where GPUs reach each other, and that of
    /// `cuMemCreate` if it was asked for a handle that is a POSIX descriptor; all else its owner copies, in chunks
    /// through pinned memory. Host memory is reached by the system's copy between processes, and by the network. There
    /// are no atomic operations on host memory of others, no signals and no locks. A stream puts there, but does not
    /// store single words (`p`). Kernels do not reach it by PE: [`SymSlice::device_ptr`] panics.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let mut own = vec![0u32; 100];
    /// // SAFETY: the vector stays, and nobody uses it by a reference, until it is unregistered.
    /// let shared = unsafe { shmem.register(own.as_mut_ptr(), own.len())? };
    /// shmem.put(shared.slice(..2), &[5, 6], shmem.my_pe())?;
    /// shmem.unregister(shared)?;
    /// assert_eq!(own[..3], [5, 6, 0]);
    /// # Ok(()) }) }
    /// ```
    ///
    /// # Safety
    /// The range is memory of this PE for reading and writing, and stays so until [`Shmem::unregister`]; peers change
    /// it at any time until then. If it is memory of an emulated GPU, nothing uses it during this call.
    pub unsafe fn register<T: Word>(&self, first: *mut T, n: usize) -> Result<SymSlice<'_, T>> {
        let routine = "register";
        let bytes = n.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
        let bytes = bytes.ok_or_else(|| Error::new(routine, Cause::TooMany { elements: n, bytes: size_of::<T>() }))?;
        let at = self.register_range(routine, first.expose_provenance(), bytes)?;
        Ok(SymSlice::new(self, at.segment, at.offset.0, n))
    }

    /// Takes back [`Shmem::register`]: the memory is the program's alone again. Collective; begins with a barrier, so
    /// that no PE still uses it. [`Shmem::register`] has an example.
    pub fn unregister<T: Word>(&self, slice: SymSlice<'_, T>) -> Result<()> {
        let routine = "unregister";
        if !slice.belongs_to(self) {
            return Err(Error::new(routine, Cause::ForeignObject));
        }
        let start = match self.memory().remote(slice.at_symmetric(), self.job().me()) {
            Remote::Near(start) if slice.segment().is_registered() => start,
            Remote::Device(start) if slice.segment().is_registered() => start as usize,
            _ => 0,
        };
        self.unregister_range(routine, start)
    }

    fn register_range(&self, routine: &'static str, start: usize, bytes: usize) -> Result<At> {
        let on_gpu = self.memory().is_device(start);
        if on_gpu {
            self.gpus(routine)?;
        }
        let _one = locked(self.changing());
        let arguments = [Argument::Number("bytes", bytes as u64), Argument::Number("on a GPU", u64::from(on_gpu))];
        self.meet_in(&Call::new(routine, &arguments));
        self.memory().register_symmetric(start, bytes, self.sync().network(), || self.transfers().stage_late())
    }

    fn unregister_range(&self, routine: &'static str, start: usize) -> Result<()> {
        let _one = locked(self.changing());
        let none = || Error::new(routine, Cause::Mismatch(format!("no registered memory begins at {start:#x}")));
        let number = self.memory().registration_at(start).ok_or_else(none)?;
        self.meet_in(&Call::new(routine, &[Argument::Number("registration", number)]));
        self.memory().unregister_symmetric(number, self.sync().network());
        Ok(())
    }
}

/// # Registered memory
impl Raw<'_> {
    /// Registers memory for this PE alone: copies between host memory and GPUs need no thread then. On memory of GPUs
    /// it has no effect.
    ///
    /// # Safety
    /// The range is memory of this PE, and stays so until [`Raw::unregister_local`].
    pub unsafe fn register_local(self, start: *mut u8, bytes: usize) -> Result<()> {
        self.shmem().memory().register_local(start.expose_provenance(), bytes)
    }

    /// Takes back [`Raw::register_local`], once copies of this PE that use the memory are complete.
    pub fn unregister_local(self, start: *mut u8) -> Result<()> {
        self.shmem().transfers().drain_all()?;
        self.shmem().memory().unregister_local(start.addr())
    }

    /// As [`Shmem::register`], by address.
    ///
    /// # Safety
    /// As for [`Shmem::register`].
    pub unsafe fn register(self, routine: &'static str, start: *mut u8, bytes: usize) -> Result<()> {
        self.shmem().register_range(routine, start.expose_provenance(), bytes).map(drop)
    }

    /// As [`Shmem::unregister`], by the address at which the range begins.
    pub fn unregister(self, routine: &'static str, start: *mut u8) -> Result<()> {
        self.shmem().unregister_range(routine, start.addr())
    }
}
