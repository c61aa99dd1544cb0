//! Waiting for a word that somebody else will change.

use std::time::{Duration, Instant};

/// How a PE waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    /// Looks at the word between two yields: few when PEs share cores, as the one that is waited for may need this one.
    looks_per_yield: u32,
}

impl Patience {
    pub(crate) fn new(oversubscribed: bool) -> Self {
        Self { looks_per_yield: if oversubscribed { 16 } else { 4096 } }
    }

    /// Calls `look` until it returns something; `None` after `limit`.
    #[inline]
    pub(crate) fn wait<T>(self, limit: Option<Duration>, mut look: impl FnMut() -> Option<T>) -> Option<T> {
        for _ in 0..64 {
            if let Some(found) = look() {
                return Some(found);
            }
            std::hint::spin_loop();
        }
        self.wait_long(limit, look)
    }

    #[cold]
    fn wait_long<T>(self, limit: Option<Duration>, mut look: impl FnMut() -> Option<T>) -> Option<T> {
        let start = Instant::now();
        loop {
            for _ in 0..self.looks_per_yield {
                if let Some(found) = look() {
                    return Some(found);
                }
                std::hint::spin_loop();
            }
            if limit.is_some_and(|limit| start.elapsed() > limit) {
                return None;
            }
            std::thread::yield_now();
        }
    }
}
