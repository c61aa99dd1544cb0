//! Ordering and barriers (OpenSHMEM 1.6, sections 9.10 and 9.12), on the default context.

use crate::error::Result;
use crate::{Context, ContextOptions, PeSet, Shmem};

impl Shmem {
    /// Orders this PE's puts to each PE before its later ones to the same PE (`shmem_fence`, 9.12).
    #[inline]
    pub fn fence(&self) -> Result<()> {
        self.transfers().fence(self.transfers().default_context())
    }

    /// Completes this PE's operations: they are visible to all PEs, and what it reads afterwards is not older
    /// (`shmem_quiet`, 9.12). What kernels issued is complete after their own quiet, or their end.
    #[inline]
    pub fn quiet(&self) -> Result<()> {
        self.transfers().quiet(self.transfers().default_context())
    }

    /// A context of these PEs, whose operations are ordered and completed apart from others (`shmem_ctx_create`, 9.5). Where there is
    /// a GPU, copies of its engine that are issued on it have a stream of their own.
    pub fn context(&self, pes: PeSet, options: ContextOptions) -> Result<Context> {
        self.transfers().context(pes, options)
    }

    /// Returns when all PEs have called it, their operations complete (`shmem_barrier_all`, 9.10). If this PE's cannot be
    /// completed, the job ends, as the others wait.
    pub fn barrier_all(&self) -> Result<()> {
        self.quiet().unwrap_or_else(|error| self.job().end("barrier_all", &error));
        self.sync().meet("barrier_all");
        Ok(())
    }

    /// Returns when all PEs have called it; their stores are visible, their non-blocking operations not necessarily complete
    /// (`shmem_sync_all`, 9.10).
    pub fn sync_all(&self) -> Result<()> {
        self.sync().meet("sync_all");
        Ok(())
    }
}
