//! How the engine sleeps and who wakes it.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Thread};
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
        let _ = self.engine.set(thread::current());
    }

    /// Wakes the engine if it sleeps. What it is to find the caller has announced by a sequentially consistent store.
    #[inline]
    pub(crate) fn ring(&self) {
        // SYNC(net-bell) SeqCst: pairs with the store in `sleep`. Either this sees that the engine sleeps, or `anything` sees the announcement.
        if self.asleep.load(Ordering::SeqCst) {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        // Relaxed: the first of several posters wakes the engine, once.
        if self.asleep.swap(false, Ordering::Relaxed)
            && let Some(engine) = self.engine.get()
        {
            engine.unpark();
        }
    }

    /// Sleeps until [`ring`](Self::ring), or for `limit`, unless `anything` was announced, which it finds by sequentially consistent loads.
    /// May return early.
    pub(crate) fn sleep(&self, limit: Option<Duration>, anything: impl FnOnce() -> bool) {
        // SYNC(net-bell) SeqCst: pairs with the load in `ring`.
        self.asleep.store(true, Ordering::SeqCst);
        if anything() {
            // What was announced may still be on its way, from a thread that needs this core.
            thread::yield_now();
        } else {
            limit.map_or_else(thread::park, thread::park_timeout);
        }
        // Relaxed: a poster that still sees it unparks in vain.
        self.asleep.store(false, Ordering::Relaxed);
    }
}
