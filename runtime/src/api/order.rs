//! Ordering and barriers (OpenSHMEM 1.6, sections 9.10 and 9.12), on the default context.

use crate::error::Result;
use crate::{Context, ContextOptions, PeSet, Shmem};

/// # Order, completion and barriers
impl Shmem {
    /// Orders this PE's puts to each PE before its later ones to the same PE (`shmem_fence`, 9.12).
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
        self.transfers().fence(self.transfers().default_context())
    }

    /// Completes this PE's operations: they are visible to all PEs, and what it reads afterwards is not older
    /// (`shmem_quiet`, 9.12). What kernels issued is complete after their own quiet, or their end.
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
        self.transfers().quiet(self.transfers().default_context())
    }

    /// A context of these PEs, whose operations are ordered and completed apart from others (`shmem_ctx_create`, 9.5).
    /// Where there is a GPU, copies of its engine that are issued on it have a stream of their own.
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

    /// Returns when all PEs have called it, their operations complete (`shmem_barrier_all`, 9.10). If this PE's cannot
    /// be completed, the job ends, as the others wait.
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
        self.quiet().unwrap_or_else(|error| self.job().end("barrier_all", &error));
        self.sync().meet("barrier_all");
        Ok(())
    }

    /// Returns when all PEs have called it; their stores are visible, their non-blocking operations not necessarily
    /// complete (`shmem_sync_all`, 9.10).
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
        self.sync().meet("sync_all");
        Ok(())
    }
}
