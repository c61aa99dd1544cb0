//! What NIC and engine share.

use crate::bell::Bell;
use crate::lane::Ring;
use crate::sync::{AtomicBool, Mutex, Ordering};
use std::sync::{Arc, PoisonError};

/// Between NIC and engine.
#[derive(Default)]
pub(crate) struct Hub {
    pub(crate) bell: Arc<Bell>,
    /// Lanes that the engine does not know yet.
    new: Mutex<Vec<Arc<Ring>>>,
    is_new: AtomicBool,
    stopping: AtomicBool,
}

impl Hub {
    /// A new lane. It is known before anything is posted to it.
    pub(crate) fn add(&self, ring: Arc<Ring>) {
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.push(ring);
        // SYNC(net-bell) SeqCst: pairs with the load in `has_arrivals`; the bell rings with the first post. The lock
        // orders the list.
        self.is_new.store(true, Ordering::SeqCst);
    }

    /// Tells the engine to end when all is done.
    pub(crate) fn stop(&self) {
        // SYNC(net-stop) release: pairs with the acquire in `is_stopping`. SYNC(net-bell) SeqCst: the bell rings behind
        // it.
        self.stopping.store(true, Ordering::SeqCst);
        self.bell.ring();
    }

    pub(crate) fn is_stopping(&self) -> bool {
        // SYNC(net-stop) acquire: pairs with the release in `stop`, so that the turn behind it sees all posts.
        // SYNC(net-bell) SeqCst: as there.
        self.stopping.load(Ordering::SeqCst)
    }

    /// Whether there are new lanes.
    pub(crate) fn has_arrivals(&self) -> bool {
        // SYNC(net-bell) SeqCst: pairs with the store in `add`, so that one that is missed is found when it is posted
        // to. The lock orders the list.
        self.is_new.load(Ordering::SeqCst)
    }

    /// The new lanes.
    pub(crate) fn arrivals(&self) -> Vec<Arc<Ring>> {
        if !self.has_arrivals() {
            return Vec::new();
        }
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        // Relaxed: written with the lock held.
        self.is_new.store(false, Ordering::Relaxed);
        std::mem::take(&mut new)
    }
}
