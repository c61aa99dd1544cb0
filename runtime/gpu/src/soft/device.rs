use super::queue::Queue;
use super::registered::Registered;
use crate::{GpuError, Result};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

/// How many more calls of this process find room; [`u32::MAX`] means no limit.
static ROOM: AtomicU32 = AtomicU32::new(u32::MAX);

/// For tests of a GPU that runs out of room while others do not: the next `calls` calls get memory or a stream, and
/// later ones fail until this function is called again. [`u32::MAX`] removes the limit.
pub fn leave_room_for(calls: u32) {
    // Relaxed: nothing else depends on the count.
    ROOM.store(calls, Relaxed);
}

/// Places for the kernels of this process, which are served in the order of arrival.
struct Places {
    most: u32,
    running: u32,
    /// How many kernels have arrived, and how many of them have got a place.
    come: u64,
    gone_in: u64,
}

static PLACES: Mutex<Places> = Mutex::new(Places { most: u32::MAX, running: 0, come: 0, gone_in: 0 });
static CHANGED: Condvar = Condvar::new();

fn places() -> MutexGuard<'static, Places> {
    // Each change only updates a few counts, and no panic can interrupt it.
    PLACES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// For tests of a GPU that is full: from now on at most `kernels` kernels of this process run at once. Others wait for
/// a place, while copies go on. [`u32::MAX`] removes the limit.
pub fn leave_places_for(kernels: u32) {
    places().most = kernels;
    CHANGED.notify_all();
}

/// The place of a running kernel.
pub(super) struct Place(());

impl Place {
    /// Waits for a place.
    pub fn take() -> Self {
        let mut all = places();
        let ticket = all.come;
        all.come += 1;
        let has_none = |all: &mut Places| all.gone_in < ticket || all.running >= all.most;
        let mut all = CHANGED.wait_while(all, has_none).unwrap_or_else(PoisonError::into_inner);
        (all.gone_in, all.running) = (ticket + 1, all.running + 1);
        // The next kernel may have a place too.
        CHANGED.notify_all();
        Self(())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        places().running -= 1;
        CHANGED.notify_all();
    }
}

/// The process that opened an emulated GPU, which has the threads of its streams.
static PROCESS: OnceLock<u32> = OnceLock::new();

/// Says that this process opens an emulated GPU.
pub(super) fn open_here() {
    PROCESS.get_or_init(std::process::id);
}

/// Whether this process was forked from one that had opened a GPU. As in CUDA, it can use none.
pub(super) fn is_forked() -> bool {
    PROCESS.get().is_some_and(|process| *process != std::process::id())
}

/// What the streams of one context of an emulated GPU share.
#[derive(Default)]
pub(super) struct Device {
    failure: OnceLock<String>,
    queues: Mutex<Vec<Weak<Queue>>>,
    /// Shared by all contexts of the GPU.
    pub registered: Arc<Registered>,
}

impl Device {
    /// Creates another context of the same GPU.
    pub fn beside(&self) -> Self {
        Self { registered: self.registered.clone(), ..Self::default() }
    }

    /// Fails in a forked child, and if a kernel or copy has failed before: as in CUDA, such errors are sticky, and
    /// every later call reports them.
    pub fn check(&self, operation: impl FnOnce() -> String) -> Result<()> {
        match self.failure.get() {
            _ if is_forked() => Err(GpuError::new(operation(), "a forked child has no GPU")),
            None => Ok(()),
            Some(cause) => Err(GpuError::new(operation(), cause.as_str())),
        }
    }

    /// Like [`Self::check`], for a call that needs room.
    pub fn check_room(&self, operation: impl Fn() -> String) -> Result<()> {
        self.check(&operation)?;
        let one_less = |calls: u32| if calls == u32::MAX { Some(calls) } else { calls.checked_sub(1) };
        // Relaxed: nothing else depends on the count.
        let found = ROOM.fetch_update(Relaxed, Relaxed, one_less);
        found.map(drop).map_err(|_| GpuError::new(operation(), "a limit set by a test is reached"))
    }

    pub fn has_failed(&self) -> bool {
        self.failure.get().is_some()
    }

    /// Records a failure. Only the first cause is kept.
    pub fn fail(&self, cause: String) {
        let _ = self.failure.set(cause);
    }

    pub fn add_queue(&self, queue: &Arc<Queue>) {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        queues.retain(|q| q.strong_count() > 0);
        queues.push(Arc::downgrade(queue));
    }

    /// Waits until all streams have done everything enqueued so far.
    pub fn wait_for_all(&self) {
        let queues: Vec<_> =
            self.queues.lock().unwrap_or_else(PoisonError::into_inner).iter().filter_map(Weak::upgrade).collect();
        for queue in queues {
            queue.wait_for(queue.submitted());
        }
    }
}
