//! What the NIC and its engine share.

use crate::bell::Bell;
use crate::lane::Ring;
use crate::sync::{AtomicBool, Mutex, Ordering};
use std::sync::{Arc, PoisonError};

/// Shared by the NIC and its engine.
#[derive(Default)]
pub(crate) struct Hub {
    pub(crate) bell: Arc<Bell>,
    /// Lanes that the engine does not know yet.
    new: Mutex<Vec<Arc<Ring>>>,
    is_new: AtomicBool,
    stopping: AtomicBool,
}

impl Hub {
    /// Adds a lane. The engine can find it before anything is posted to it.
    pub(crate) fn add(&self, ring: Arc<Ring>) {
        let mut new = self.new.lock().unwrap_or_else(PoisonError::into_inner);
        new.push(ring);
        // SYNC(net-bell) SeqCst: pairs with the load in `has_arrivals`; the first post rings the bell. The lock orders
        // the list.
        self.is_new.store(true, Ordering::SeqCst);
    }

    /// Asks the engine to exit once everything is done.
    pub(crate) fn stop(&self) {
        // SYNC(net-stop) release: pairs with the acquire in `is_stopping`.
        // SYNC(net-bell) SeqCst: comes before the bell rings.
        self.stopping.store(true, Ordering::SeqCst);
        self.bell.ring();
    }

    pub(crate) fn is_stopping(&self) -> bool {
        // SYNC(net-stop) acquire: pairs with the release in `stop`, so that the turn that follows sees all posts.
        // SYNC(net-bell) SeqCst: pairs with the store in `stop`.
        self.stopping.load(Ordering::SeqCst)
    }

    /// Whether there are new lanes.
    pub(crate) fn has_arrivals(&self) -> bool {
        // SYNC(net-bell) SeqCst: pairs with the store in `add`; a lane that this load misses is found when it is first
        // posted to. The lock orders the list.
        self.is_new.load(Ordering::SeqCst)
    }

    /// Takes the new lanes.
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
