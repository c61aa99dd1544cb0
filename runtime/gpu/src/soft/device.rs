use super::queue::Queue;
use super::registered::Registered;
use crate::{GpuError, Result};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// What the streams of one emulated GPU share.
#[derive(Default)]
pub(super) struct Device {
    failure: OnceLock<String>,
    queues: Mutex<Vec<Weak<Queue>>>,
    pub registered: Registered,
}

impl Device {
    /// Errors of kernels and copies are sticky, as CUDA's are: once there was one, every call reports it.
    pub fn check(&self, operation: impl FnOnce() -> String) -> Result<()> {
        match self.failure.get() {
            None => Ok(()),
            Some(cause) => Err(GpuError::new(operation(), cause.as_str())),
        }
    }

    pub fn has_failed(&self) -> bool {
        self.failure.get().is_some()
    }

    /// Keeps the first cause.
    pub fn fail(&self, cause: String) {
        let _ = self.failure.set(cause);
    }

    pub fn add_queue(&self, queue: &Arc<Queue>) {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|q| q.strong_count() > 0);
        queues.push(Arc::downgrade(queue));
    }

    /// Waits until all streams have done what was enqueued so far.
    pub fn wait_for_all(&self) {
        let queues: Vec<_> =
            self.queues.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect();
        for queue in queues {
            queue.wait_for(queue.submitted());
        }
    }
}
