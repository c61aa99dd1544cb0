use super::queue::Queue;
use super::registered::Registered;
use crate::{GpuError, Result};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

/// How many more calls of this process find room; [`u32::MAX`] is no limit.
static ROOM: AtomicU32 = AtomicU32::new(u32::MAX);

/// For tests of a GPU that has no room where others have: so many more calls get memory or a stream, later ones fail until
/// this is called again. [`u32::MAX`] takes the limit away.
pub fn leave_room_for(calls: u32) {
    // Relaxed: the count alone says all.
    ROOM.store(calls, Relaxed);
}

/// What the streams of one context of an emulated GPU share.
#[derive(Default)]
pub(super) struct Device {
    failure: OnceLock<String>,
    queues: Mutex<Vec<Weak<Queue>>>,
    /// All contexts of the GPU have it in common.
    pub registered: Arc<Registered>,
}

impl Device {
    /// Another context of the same GPU.
    pub fn beside(&self) -> Self {
        Self { registered: self.registered.clone(), ..Self::default() }
    }

    /// Errors of kernels and copies are sticky, as CUDA's are: once there was one, every call reports it.
    pub fn check(&self, operation: impl FnOnce() -> String) -> Result<()> {
        match self.failure.get() {
            None => Ok(()),
            Some(cause) => Err(GpuError::new(operation(), cause.as_str())),
        }
    }

    /// The same for a call that needs room.
    pub fn check_room(&self, operation: impl Fn() -> String) -> Result<()> {
        self.check(&operation)?;
        let one_less = |calls: u32| if calls == u32::MAX { Some(calls) } else { calls.checked_sub(1) };
        // Relaxed: the count alone says all.
        let found = ROOM.fetch_update(Relaxed, Relaxed, one_less);
        found.map(drop).map_err(|_| GpuError::new(operation(), "a test leaves no room for it"))
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
