//! Memory that the program allocated itself and then registers, for one PE alone or together with all PEs.

use crate::error::{Cause, Error, Result};
use crate::memory::{At, Remote};
use crate::raw::Raw;
use crate::sync::call::{Argument, Call};
use crate::sync::locked;
use crate::{Shmem, SymSlice, Word};

/// # Registered memory
impl Shmem {
    /// Makes memory that the program allocated itself symmetric. Puts and gets then reach each PE's range, in host or
    /// GPU memory, through the returned name or, in [`raw`](crate::raw), through the address of this PE's own range.
    ///
    /// Collective: all PEs pass ranges of the same length and kind, which may lie at different addresses. The call
    /// succeeds on all PEs or fails on all.
    ///
    /// GPU memory may come from any allocator. Memory from `cudaMalloc` is mapped where GPUs reach each other; the
    /// range may lie anywhere in it, so this includes the allocators of frameworks that are built on `cudaMalloc`.
    /// Memory from `cuMemCreate` is mapped too if a POSIX file descriptor was requested as its handle. All other GPU
    /// memory is copied by its owner, in chunks through pinned memory. Host memory is reached by the operating system's
    /// copy between processes, and over the network.
    ///
    /// On registered host memory of other PEs there are no atomic operations, signals or locks. A stream can put there,
    /// but cannot store single words (`p`). Kernels cannot reach registered memory by PE: [`SymSlice::device_ptr`]
    /// panics.
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
    /// The range is memory that this PE may read and write, and remains so until [`Shmem::unregister`]. Peers may
    /// change it at any time until then. If it is memory of an emulated GPU, nothing uses it during this call.
    pub unsafe fn register<T: Word>(&self, first: *mut T, n: usize) -> Result<SymSlice<'_, T>> {
        let routine = "register";
        let bytes = n.checked_mul(size_of::<T>()).filter(|bytes| isize::try_from(*bytes).is_ok());
        let bytes = bytes.ok_or_else(|| Error::new(routine, Cause::TooMany { elements: n, bytes: size_of::<T>() }))?;
        let at = self.register_range(routine, first.expose_provenance(), bytes)?;
        Ok(SymSlice::new(self, at.segment, at.offset.0, n))
    }

    /// Undoes [`Shmem::register`]: the memory belongs to the program alone again. Collective. The call begins with a
    /// barrier, so that no PE still uses the memory.
    /// [`Shmem::register`] has an example.
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
        self.memory().register_symmetric(start, bytes, self.sync().network(), || self.services().enable_staging())
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
    /// Registers memory for this PE alone: host memory, so that copies between it and GPUs need no thread; GPU memory,
    /// once the GPUs are started, so that a network with GPUDirect RDMA reads and writes it itself.
    ///
    /// # Safety
    /// The range is memory of this PE, and remains so until [`Raw::unregister_local`].
    pub unsafe fn register_local(self, start: *mut u8, bytes: usize) -> Result<()> {
        let (memory, network) = (self.shmem().memory(), self.shmem().sync().network());
        memory.register_local(start.expose_provenance(), bytes, network)
    }

    /// Waits until all copies of this PE that use the memory are complete, and then undoes [`Raw::register_local`].
    pub fn unregister_local(self, start: *mut u8) -> Result<()> {
        self.shmem().transfers().drain_all()?;
        self.shmem().memory().unregister_local(start.addr(), self.shmem().sync().network())
    }

    /// Makes memory symmetric, like [`Shmem::register`], by address.
    ///
    /// # Safety
    /// The conditions of [`Shmem::register`].
    pub unsafe fn register(self, routine: &'static str, start: *mut u8, bytes: usize) -> Result<()> {
        self.shmem().register_range(routine, start.expose_provenance(), bytes).map(drop)
    }

    /// Undoes the registration of the range that begins at `start`, like [`Shmem::unregister`].
    pub fn unregister(self, routine: &'static str, start: *mut u8) -> Result<()> {
        self.shmem().unregister_range(routine, start.addr())
    }
}
