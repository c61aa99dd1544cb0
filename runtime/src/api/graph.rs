//! What a stream recorded.

use crate::error::{Cause, Error, Result};
use crate::{Shmem, Stream};
use std::sync::Arc;

/// Kernels, copies and operations of the library that a stream recorded, to run again as often as one likes: on NVIDIA
/// GPUs a graph of CUDA's, which starts faster than its parts. [`Stream::capture`] has an example.
pub struct Graph<'a> {
    shmem: &'a Shmem,
    raw: Arc<dyn cushmem_gpu::Graph>,
}

/// # Graphs
impl<'a> Stream<'a> {
    /// Records what `record` launches and enqueues on this stream, without running any of it. Only memory of the heaps
    /// and of the GPU can be named: pageable memory is refused. Until it returns nothing may wait for the stream.
    ///
    /// ```no_run
    /// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
    /// let (inbox, outbox) = (shmem.malloc_gpu::<f32>(256)?, shmem.malloc_gpu::<f32>(256)?);
    /// let (next, stream) = ((shmem.my_pe() + 1) % shmem.n_pes(), shmem.stream()?);
    /// let step = stream.capture(|| {
    ///     // A kernel that fills `outbox` is launched here, and behind the barrier one that uses `inbox`.
    ///     stream.put(inbox, outbox, next)?;
    ///     stream.barrier_all()
    /// })?;
    /// for _ in 0..100 {
    ///     // SAFETY: the memory that the graph names stays.
    ///     unsafe { stream.replay(&step)? };
    /// }
    /// # stream.synchronize()
    /// # }) }
    /// ```
    pub fn capture(&self, record: impl FnOnce() -> Result<()>) -> Result<Graph<'a>> {
        self.raw().begin_capture()?;
        let recorded = record();
        let graph = self.raw().end_capture();
        recorded?;
        Ok(Graph { shmem: self.shmem(), raw: graph? })
    }

    /// Runs all that a stream recorded when all before it on this one has finished. Runs of one graph follow each
    /// other.
    ///
    /// # Safety
    /// What was promised of the kernels in it, and the memory that it names, stays so until the run has finished.
    pub unsafe fn replay(&self, graph: &Graph<'_>) -> Result<()> {
        let operation = "replay a graph";
        if !std::ptr::eq(self.shmem(), graph.shmem) {
            let cause = Cause::Mismatch("stream and graph belong to different job handles".into());
            return Err(Error::new(operation, cause));
        }
        // SAFETY: the caller vouches for what the graph does.
        let launch = || unsafe { graph.raw.launch(self.raw()) };
        self.launches().add("of a graph", launch).map_err(|e| self.shmem().transfers().device_error(operation, e))
    }
}
