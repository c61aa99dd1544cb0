//! How the engine sleeps, and how posters wake it.

use crate::descriptor::Descriptor;
use crate::sync::{AtomicBool, OnceLock, Ordering, Thread, current, park, park_timeout, yield_now};
use std::time::Duration;

/// How long the engine may sleep.
pub(crate) enum Sleep {
    /// Not at all.
    No,
    /// Until the bell rings, but at most as long as this.
    For(Duration),
    /// Until the bell rings.
    UntilRung,
    /// Until the bell rings or the network has something to do, but at most as long as this. Only if there is a
    /// descriptor.
    AtNetwork(Duration),
}

/// Wakes the engine.
#[derive(Default)]
pub(crate) struct Bell {
    asleep: AtomicBool,
    engine: OnceLock<Thread>,
    /// Where the engine sleeps, if there is one.
    pub(crate) descriptor: Option<Descriptor>,
}

impl Bell {
    pub(crate) fn new(descriptor: Option<Descriptor>) -> Self {
        Self { descriptor, ..Self::default() }
    }

    /// Records that this thread is the engine.
    pub(crate) fn belongs_here(&self) {
        let _ = self.engine.set(current());
    }

    /// Wakes the engine if it sleeps. The caller has announced the work beforehand by a sequentially consistent store.
    #[inline]
    pub(crate) fn ring(&self) {
        // SYNC(net-bell) SeqCst: pairs with the store in `sleep`. Either this load sees that the engine sleeps, or
        // `may` sees the announcement.
        if self.asleep.load(Ordering::SeqCst) {
            self.wake();
        }
    }

    #[cold]
    fn wake(&self) {
        // Relaxed: of several posters, only the first wakes the engine. `ring` has seen `engine` together with
        // `asleep`.
        if self.asleep.swap(false, Ordering::Relaxed) {
            match (&self.descriptor, self.engine.get()) {
                (Some(descriptor), _) => descriptor.ring(),
                (None, Some(engine)) => engine.unpark(),
                (None, None) => {}
            }
        }
    }

    /// Sleeps until [`ring`](Self::ring), as long as `may` says. It is asked when the sleep has been announced, and
    /// uses sequentially consistent loads to find what was announced to the engine. May return early.
    pub(crate) fn sleep(&self, may: impl FnOnce() -> Sleep) {
        // SYNC(net-bell) SeqCst: pairs with the load in `ring`; also publishes `engine`.
        self.asleep.store(true, Ordering::SeqCst);
        match may() {
            // The work may not have been published yet, and its poster may need this core.
            Sleep::No => yield_now(),
            Sleep::For(limit) => self.rest(false, Some(limit)),
            Sleep::UntilRung => self.rest(false, None),
            Sleep::AtNetwork(limit) => self.rest(true, Some(limit)),
        }
        // Relaxed: a poster that still sees `true` ends the next sleep, which is harmless.
        self.asleep.store(false, Ordering::Relaxed);
    }

    fn rest(&self, at_network: bool, limit: Option<Duration>) {
        match (&self.descriptor, limit) {
            (Some(descriptor), _) => descriptor.sleep(at_network, limit),
            (None, Some(limit)) => park_timeout(limit),
            (None, None) => park(),
        }
    }
}
