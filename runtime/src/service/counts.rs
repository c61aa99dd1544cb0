//! Statistics of the proxy.

use crate::job::record;
use cushmem_record::Extra;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// All counts.
#[derive(Default)]
pub(super) struct Counts {
    pub(super) commands: AtomicU64,
    pub(super) batches: AtomicU64,
    /// Staged copies that this PE initiated.
    pub(super) staged: AtomicU64,
    /// The pairs whose chunks they, or those of other PEs, have used.
    pub(super) pairs: AtomicU64,
    /// How often it began to take no commands because too much was staged.
    pub(super) stalls: AtomicU64,
    pub(super) naps: AtomicU64,
    /// How often there was a command in every slot of the ring. Counted only for a record.
    pub(super) full: AtomicU64,
}

impl Counts {
    /// Copies them to the record, if this PE has one.
    #[inline]
    pub(super) fn record(&self) {
        let Some(recorder) = record::active() else { return };
        for (extra, count) in [
            (Extra::Batches, &self.batches),
            (Extra::Stalls, &self.stalls),
            (Extra::Naps, &self.naps),
            (Extra::Staged, &self.staged),
            (Extra::Pairs, &self.pairs),
            (Extra::FullRings, &self.full),
        ] {
            // Relaxed: statistics.
            recorder.set(extra, count.load(Ordering::Relaxed));
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Relaxed: statistics.
        let [commands, batches, staged, pairs, stalls, naps] =
            [&self.commands, &self.batches, &self.staged, &self.pairs, &self.stalls, &self.naps]
                .map(|count| count.load(Ordering::Relaxed));
        write!(
            f,
            "{commands} commands of its kernels in {batches} batches, {staged} staged copies, {pairs} pairs for staging, \
             {stalls} stalls, {naps} naps"
        )
    }
}
