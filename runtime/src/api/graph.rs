//! Recorded work of a stream.

use crate::error::{Cause, Error, Result};
use crate::job::record::Launching;
use crate::{Shmem, Stream};
use std::sync::Arc;

/// Kernels, copies and operations of the library that a stream has recorded, to be run any number of times. On NVIDIA
/// GPUs this is a CUDA graph, which has less launch overhead than its parts.
/// [`Stream::capture`] has an example.
pub struct Graph<'a> {
    shmem: &'a Shmem,
    raw: Arc<dyn cushmem_gpu::Graph>,
}

/// # Graphs
impl<'a> Stream<'a> {
    /// Records what `record` launches and enqueues on this stream, without running it. The recorded operations may use
    /// only memory of the heaps and of the GPU; pageable memory is refused. Nothing may wait for the stream until this
    /// call returns.
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

    /// Runs everything in `graph` once all earlier work on this stream has finished. Runs of the same graph follow one
    /// another.
    ///
    /// # Safety
    /// The arguments of the kernels in the graph remain as promised, and the memory that the graph names remains valid,
    /// until the run has finished.
    pub unsafe fn replay(&self, graph: &Graph<'_>) -> Result<()> {
        let operation = "replay a graph";
        if !std::ptr::eq(self.shmem(), graph.shmem) {
            let cause = Cause::Mismatch("stream and graph belong to different job handles".into());
            return Err(Error::new(operation, cause));
        }
        let _launching = Launching::new(self.raw(), None);
        // SAFETY: the caller guarantees that what the graph does is valid.
        let launch = || unsafe { graph.raw.launch(self.raw()) };
        // The time is that of all kernels in it.
        let launch = || self.launches().add("of a graph", launch);
        self.times()
            .of((self.raw(), self.shmem().transfers().library()), None, launch)
            .map_err(|e| self.shmem().transfers().device_error(operation, e))
    }
}
