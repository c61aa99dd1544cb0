//! How the engine sleeps and who wakes it.

use crate::sync::{AtomicBool, OnceLock, Ordering, Thread, current, park, park_timeout, yield_now};
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

    /// Wakes the engine if it sleeps. What it is to find the caller has announced by a sequentially consistent store.
    #[inline]
    pub(crate) fn ring(&self) {
        // SYNC(net-bell) SeqCst: pairs with the store in `sleep`. Either this sees that the engine sleeps, or
        // `anything` sees the announcement.
        if self.asleep.load(Ordering::SeqCst) {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        // Relaxed: the first of several posters wakes the engine, once. Who that is `ring` has seen with the sleep.
        if self.asleep.swap(false, Ordering::Relaxed)
            && let Some(engine) = self.engine.get()
        {
            engine.unpark();
        }
    }

    /// Sleeps until [`ring`](Self::ring), or for `limit`, unless `anything` was announced, which it finds by
    /// sequentially consistent loads. May return early.
    pub(crate) fn sleep(&self, limit: Option<Duration>, anything: impl FnOnce() -> bool) {
        // SYNC(net-bell) SeqCst: pairs with the load in `ring`; orders who the engine is, too.
        self.asleep.store(true, Ordering::SeqCst);
        if anything() {
            // What was announced may still be on its way, from a thread that needs this core.
            yield_now();
        } else {
            limit.map_or_else(park, park_timeout);
        }
        // Relaxed: a poster that still sees it unparks in vain.
        self.asleep.store(false, Ordering::Relaxed);
    }
}
