use super::check;
use super::device::Context;
use super::driver::{self, CUgraph, CUgraphExec};
use super::stream::CudaStream;
use crate::{GpuError, Graph, Result, Stream};
use std::sync::{Arc, Mutex, PoisonError};

/// What a stream recorded while it was captured.
pub(super) struct CudaGraph {
    context: Arc<Context>,
    raw: CUgraphExec,
    /// The driver allows only one thread at a time to launch a graph.
    launching: Mutex<()>,
}

// SAFETY: the handle may be used from any thread.
unsafe impl Send for CudaGraph {}
// SAFETY: launching happens under a lock, and everything else has exclusive access.
unsafe impl Sync for CudaGraph {}

impl CudaGraph {
    /// # Safety
    /// `recorded` is a graph. This function destroys it.
    pub(super) unsafe fn create(context: &Arc<Context>, recorded: CUgraph) -> Result<Self> {
        let mut raw: CUgraphExec = std::ptr::null_mut();
        // Without this flag, nodes lose the priority of the stream that recorded them.
        let flags = driver::CUDA_GRAPH_INSTANTIATE_FLAG_USE_NODE_PRIORITY;
        // SAFETY: the pointer is valid, and the caller guarantees that `recorded` is a graph. The result is destroyed
        // in `drop`.
        let made = unsafe { driver::cuGraphInstantiateWithFlags(&mut raw, recorded, flags) };
        // SAFETY: the caller leaves the graph to this function. A failure has no consequence.
        let _ = unsafe { driver::cuGraphDestroy(recorded) };
        check(made, || "instantiate a captured graph".into())?;
        Ok(Self { context: context.clone(), raw, launching: Mutex::default() })
    }
}

impl Graph for CudaGraph {
    unsafe fn launch(&self, stream: &dyn Stream) -> Result<()> {
        let stream = stream.as_any().downcast_ref::<CudaStream>();
        let stream = stream.ok_or_else(|| GpuError::new("launch a graph", "it was captured on another kind of GPU"))?;
        let _one = self.launching.lock().unwrap_or_else(PoisonError::into_inner);
        let _entered = self.context.enter()?;
        // SAFETY: graph and stream are alive; the caller guarantees that what the graph does is valid until the run has
        // finished.
        check(unsafe { driver::cuGraphLaunch(self.raw, stream.raw() as driver::CUstream) }, || "launch a graph".into())
    }
}

impl Drop for CudaGraph {
    fn drop(&mut self) {
        // SAFETY: the graph is ours; the driver keeps runs alive until they have finished.
        let _ = unsafe { driver::cuGraphExecDestroy(self.raw) };
    }
}
