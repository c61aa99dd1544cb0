//! How the engine sleeps and who wakes it.

use crate::sync::{AtomicBool, OnceLock, Ordering, Thread, current, fence, park, park_timeout};
use std::time::Duration;

/// Wakes the engine.
#[derive(Default)]
pub(crate) struct Bell {
    asleep: AtomicBool,
    engine: OnceLock<Thread>,
}

impl Bell {
    /// Says that this thread is the engine.
    pub(crate) fn belongs_here(&self) {
        let _ = self.engine.set(current());
    }

    /// Wakes the engine if it sleeps. The caller has stored what it is to find.
    #[inline]
    pub(crate) fn ring(&self) {
        // SYNC(net-bell) full: pairs with the fence in `sleep`.
        fence(Ordering::SeqCst);
        // Relaxed: the fence orders it behind what the engine looks for.
        if self.asleep.load(Ordering::Relaxed) {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        // The first of several posters wakes the engine, once.
        // SYNC(net-asleep) acquire: pairs with the release in `sleep`, so that the engine is known.
        if self.asleep.swap(false, Ordering::Acquire)
            && let Some(engine) = self.engine.get()
        {
            engine.unpark();
        }
    }

    /// Sleeps until [`ring`](Self::ring), or for `limit`, unless `anything` has come. May return early.
    pub(crate) fn sleep(&self, limit: Option<Duration>, anything: impl FnOnce() -> bool) {
        // SYNC(net-asleep) release: pairs with the acquire in `wake`; orders who the engine is.
        self.asleep.store(true, Ordering::Release);
        // SYNC(net-bell) full: pairs with the fence in `ring`. Either the poster sees that the engine sleeps, or `anything` sees its post.
        fence(Ordering::SeqCst);
        if !anything() {
            limit.map_or_else(park, park_timeout);
        }
        // Relaxed: a poster that still sees it unparks in vain.
        self.asleep.store(false, Ordering::Relaxed);
    }
}
