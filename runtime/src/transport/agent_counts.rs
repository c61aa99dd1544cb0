//! What the GPU agent has done.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Statistics, for logs.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) kernels: AtomicU64,
    pub(super) words: AtomicU64,
    pub(super) puts: AtomicU64,
    pub(super) gets: AtomicU64,
    pub(super) missed: AtomicU64,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Relaxed: a statistic.
        let [kernels, words, puts, gets, missed] = [&self.kernels, &self.words, &self.puts, &self.gets, &self.missed]
            .map(|count| count.load(Ordering::Relaxed));
        write!(f, "{words} atomic operations, {puts} puts and {gets} gets in {kernels} kernels, {missed} found none")
    }
}

pub(super) fn count(count: &AtomicU64) {
    // Relaxed: a statistic.
    count.fetch_add(1, Ordering::Relaxed);
}
