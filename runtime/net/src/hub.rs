//! How the NIC tells the engine of new lanes, of dead peers and of its end.

use crate::bell::Bell;
use crate::descriptor::Descriptor;
use crate::ring::Ring;
use crate::sync::{AtomicBool, Mutex, Ordering};
use std::sync::{Arc, PoisonError};

/// Shared by the NIC and its engine.
#[derive(Default)]
pub(crate) struct Hub {
    pub(crate) bell: Arc<Bell>,
    news: Mutex<News>,
    is_news: AtomicBool,
    stopping: AtomicBool,
}

/// What the engine does not know yet.
#[derive(Default)]
pub(crate) struct News {
    /// Lanes.
    pub(crate) lanes: Vec<Arc<Ring>>,
    /// Peers that are dead, and why.
    pub(crate) lost: Vec<(u32, String)>,
}

impl Hub {
    pub(crate) fn new(descriptor: Option<Descriptor>) -> Self {
        Self { bell: Bell::new(descriptor).into(), ..Self::default() }
    }

    /// Adds a lane. The engine can find it before anything is posted to it.
    pub(crate) fn add(&self, ring: Arc<Ring>) {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        news.lanes.push(ring);
        // SYNC(net-bell) SeqCst: pairs with the load in `has_news`; the first post rings the bell. The lock orders the
        // list.
        self.is_news.store(true, Ordering::SeqCst);
    }

    /// Tells the engine that a peer is dead.
    pub(crate) fn lose(&self, peer: u32, why: &str) {
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        news.lost.push((peer, why.to_owned()));
        // SYNC(net-bell) SeqCst: pairs with the load in `has_news`; comes before the bell rings. The lock orders the
        // list.
        self.is_news.store(true, Ordering::SeqCst);
        drop(news);
        self.bell.ring();
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

    /// Whether there is something that the engine does not know.
    pub(crate) fn has_news(&self) -> bool {
        // SYNC(net-bell) SeqCst: pairs with the stores in `add` and `lose`; a lane that this load misses is found when
        // it is first posted to. The lock orders the lists.
        self.is_news.load(Ordering::SeqCst)
    }

    /// Takes what the engine does not know.
    pub(crate) fn news(&self) -> News {
        if !self.has_news() {
            return News::default();
        }
        let mut news = self.news.lock().unwrap_or_else(PoisonError::into_inner);
        // Relaxed: written with the lock held.
        self.is_news.store(false, Ordering::Relaxed);
        std::mem::take(&mut news)
    }
}
