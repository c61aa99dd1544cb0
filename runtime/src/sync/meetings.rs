//! How far this PE's kernels have counted their barriers that the CPU carries out, and whom these and collectives wait
//! for. The proxy advances barriers (`service::device_sync`), and deputies carry out collectives (`service::deputy`);
//! teams look when they are made, and whoever describes what this PE waits for.

use cushmem_bootstrap::waits::{self, Wait};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::thread::ThreadId;

/// The barriers of this PE's kernels, as seen by its other threads.
pub(crate) struct Meetings {
    /// By slot: the number of the last barrier.
    counts: Box<[AtomicU64]>,
    /// By slot: the PE that the barrier waits for, plus 1; 0 if there is none.
    late: Box<[AtomicU32]>,
    /// By slot: the thread that carries out the team's collectives for kernels.
    deputies: Box<[OnceLock<ThreadId>]>,
}

impl Meetings {
    /// For so many slots.
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            counts: (0..slots).map(|_| AtomicU64::default()).collect(),
            late: (0..slots).map(|_| AtomicU32::default()).collect(),
            deputies: (0..slots).map(|_| OnceLock::new()).collect(),
        }
    }

    /// A number that no word of a slot without a team exceeds.
    pub(super) fn highest(&self) -> u64 {
        // Relaxed: the kernels of the slot's last team have ended, and learned of their last meeting after it was
        // counted.
        self.counts.iter().map(|count| count.load(Ordering::Relaxed)).max().unwrap_or(0)
    }

    /// Called when a slot has a new team, before any kernel of it is in a barrier.
    pub(super) fn count_from(&self, slot: usize, number: u64) {
        // Relaxed: kernels of the team are launched afterwards.
        self.counts[slot].store(number, Ordering::Relaxed);
    }

    /// The number of the last barrier on a slot, of which only the proxy counts more.
    pub(crate) fn last(&self, slot: usize) -> u64 {
        // Relaxed: the thread that created the team did so before its kernels were launched.
        self.counts[slot].load(Ordering::Relaxed)
    }

    /// Notes that a barrier is complete. Called by the proxy, before it replies to the kernel.
    pub(crate) fn complete(&self, slot: usize, number: u64) {
        // Relaxed: the reply comes after this store.
        self.counts[slot].store(number, Ordering::Relaxed);
    }

    /// Notes the PE that the barrier on a slot waits for.
    pub(crate) fn wait_for(&self, slot: usize, pe: Option<u32>) {
        // Relaxed: only shown to users.
        self.late[slot].store(pe.map_or(0, |pe| pe + 1), Ordering::Relaxed);
    }

    /// The PE that a barrier of the team with this slot waits for.
    pub(crate) fn late(&self, slot: usize) -> Option<u32> {
        // Relaxed: only shown to users.
        self.late.get(slot)?.load(Ordering::Relaxed).checked_sub(1)
    }

    /// Notes the thread that carries out the collectives of the team with this slot, and of later ones with the slot.
    pub(crate) fn appoint(&self, slot: usize, deputy: ThreadId) {
        self.deputies[slot].get_or_init(|| deputy);
    }

    /// What a collective of the team with this slot waits for, if that takes long.
    pub(crate) fn late_in_collective(&self, slot: usize) -> Option<Wait> {
        waits::of_thread(*self.deputies.get(slot)?.get()?)
    }

    /// Describes the barriers that wait for a PE.
    pub(crate) fn describe(&self) -> Option<String> {
        let line = |slot| Some(format!("barrier of team slot {slot}: waits for PE {}", self.late(slot)?));
        let lines: Vec<_> = (0..self.late.len()).filter_map(line).collect();
        (!lines.is_empty()).then(|| lines.join("; "))
    }
}
