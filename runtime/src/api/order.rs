//! Ordering and barriers (OpenSHMEM 1.6, sections 9.10 and 9.12), on the default context.

use crate::error::Result;
use crate::job::record;
use crate::{Context, ContextOptions, PeSet, Shmem};
use cushmem_record::Operation;

/// # Order, completion and barriers
impl Shmem {
    /// Orders this PE's earlier puts to each PE before its later ones to the same PE (`shmem_fence`, 9.12).
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (data, ready) = (shmem.malloc::<u32>(4)?, shmem.malloc::<u64>(1)?);
    /// let next = (shmem.my_pe() + 1) % shmem.n_pes();
    /// shmem.put(data, &[1, 2, 3, 4], next)?;
    /// shmem.fence()?;
    /// // The PE that sees this number sees the four others.
    /// shmem.p(ready.at(0), 1, next)?;
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn fence(&self) -> Result<()> {
        record::timed(Operation::Fence, 0, || self.transfers().fence(self.transfers().default_context()))
    }

    /// Completes this PE's operations (`shmem_quiet`, 9.12): they are visible to all PEs, and later reads do not return
    /// older values. Operations that kernels issued are complete after the kernel's own quiet or at its end.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let number = shmem.malloc::<u32>(1)?;
    /// shmem.p(number.at(0), 3, shmem.my_pe())?;
    /// shmem.quiet()?;
    /// assert_eq!(shmem.g(number.at(0), shmem.my_pe())?, 3);
    /// # Ok(()) }) }
    /// ```
    #[inline]
    pub fn quiet(&self) -> Result<()> {
        record::timed(Operation::Quiet, 0, || self.transfers().quiet(self.transfers().default_context()))
    }

    /// Creates a context for the PEs of `pes`, whose operations are ordered and completed separately from all others
    /// (`shmem_ctx_create`, 9.5). If the PE has a GPU, the copy engine's work for this context has a stream of its own.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// use cushmem::{ContextOptions, PeSet};
    ///
    /// let context = shmem.context(PeSet::all(shmem.n_pes()), ContextOptions::default())?;
    /// // Completes what was issued on the context, and nothing else.
    /// shmem.raw().on(&context).quiet()?;
    /// # Ok(()) }) }
    /// ```
    pub fn context(&self, pes: PeSet, options: ContextOptions) -> Result<Context> {
        self.transfers().context(pes, options)
    }

    /// Completes this PE's operations and waits until all PEs have called it (`shmem_barrier_all`, 9.10). Collective.
    /// If this PE's operations cannot be completed, the job ends, because the other PEs are waiting.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let number = shmem.malloc::<u32>(1)?;
    /// if shmem.my_pe() == 0 {
    ///     for pe in 0..shmem.n_pes() {
    ///         shmem.p(number.at(0), 42, pe)?;
    ///     }
    /// }
    /// shmem.barrier_all()?;
    /// assert_eq!(number.to_vec()?, [42]);
    /// # Ok(()) }) }
    /// ```
    pub fn barrier_all(&self) -> Result<()> {
        record::timed(Operation::Barrier, 0, || self.quiet_and_meet());
        Ok(())
    }

    /// The barrier, for calls of which it is a part.
    pub(super) fn quiet_and_meet(&self) {
        let completed = self.transfers().quiet(self.transfers().default_context());
        completed.unwrap_or_else(|error| self.job().end("barrier_all", &error));
        self.flush_for_barrier();
        self.sync().meet("barrier_all");
    }

    /// Waits until all PEs have called it (`shmem_sync_all`, 9.10). Collective. Their stores are then visible, but
    /// their non-blocking operations are not necessarily complete.
    ///
    /// ```
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let inbox = shmem.malloc::<u32>(1)?;
    /// inbox.copy_from(&[0])?;
    /// // Nobody puts before all have cleared theirs.
    /// shmem.sync_all()?;
    /// # Ok(()) }) }
    /// ```
    pub fn sync_all(&self) -> Result<()> {
        record::timed(Operation::Sync, 0, || {
            self.flush_for_barrier();
            self.sync().meet("sync_all");
        });
        Ok(())
    }
}
