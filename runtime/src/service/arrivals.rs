//! The slots of a queue of tasks whose executor is launched for what has come: they are in host memory, and the thread
//! that launches it looks at them.

use cushmem_abi::TaskSlot;
use cushmem_protocol::tasks::{Looking, watch};
use std::mem::offset_of;
use std::sync::atomic::{AtomicU64, Ordering};

/// What has come in each row.
pub(crate) struct Arrivals {
    /// The address of the slots.
    slots: usize,
    per_row: u64,
    /// For each row, the first ticket that has not come.
    next: Vec<u64>,
}

impl Arrivals {
    /// Nothing has come yet.
    ///
    /// # Safety
    /// At the address are `per_row` slots for each of `rows` rows, in host memory, as long as this value exists. Their
    /// words are zero, or change by atomic stores.
    pub(crate) unsafe fn new(slots: usize, per_row: u64, rows: usize) -> Self {
        Self { slots, per_row, next: vec![0; rows] }
    }

    /// Whether tasks have come since the last call.
    pub(super) fn look(&mut self) -> bool {
        let mut have_come = false;
        for (number, next) in self.next.iter_mut().enumerate() {
            let row = Row {
                slots: self.slots + number * self.per_row as usize * size_of::<TaskSlot>(),
                per_row: self.per_row,
            };
            have_come |= watch(&row, next);
        }
        have_come
    }
}

struct Row {
    slots: usize,
    per_row: u64,
}

impl Looking for Row {
    fn slots(&self) -> u64 {
        self.per_row
    }
    fn ready(&self, slot: u64) -> u64 {
        let at = self.slots + slot as usize * size_of::<TaskSlot>() + offset_of!(TaskSlot, ready);
        // SAFETY: `Arrivals::new` was promised the slots, and the word is aligned as all of them are.
        let ready = unsafe { AtomicU64::from_ptr(std::ptr::with_exposed_provenance_mut(at)) };
        // SYNC(task) acquire: pairs with the release by whoever put the task; the launch that follows hands it on.
        ready.load(Ordering::Acquire)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a row that is looked at in another's slots, and a task that counts twice or never.
    #[test]
    fn each_task_is_seen_once() {
        let slots: Vec<TaskSlot> = vec![TaskSlot::default(); 6];
        let at = |slot: usize| &raw const slots[slot].ready;
        let put = |slot: usize, ready: u64| {
            // SAFETY: the word is this test's, and all access to it is atomic.
            unsafe { AtomicU64::from_ptr(at(slot).cast_mut()) }.store(ready, Ordering::Release);
        };
        // SAFETY: there are two slots for each of three rows.
        let mut arrivals = unsafe { Arrivals::new(slots.as_ptr().expose_provenance(), 2, 3) };
        assert!(!arrivals.look());
        put(2, 1);
        assert!(arrivals.look() && !arrivals.look());
        // Behind a slot that is still empty.
        put(5, 2);
        assert!(!arrivals.look());
        put(4, 1);
        assert!(arrivals.look() && !arrivals.look());
        // Two laps in row 1, of which the first was taken.
        put(3, 2);
        put(2, 5);
        assert!(arrivals.look());
        put(3, 6);
        // A row's slots at most.
        assert!(arrivals.look() && arrivals.next[1] == 5 && arrivals.look() && !arrivals.look());
        assert_eq!(arrivals.next, [0, 6, 2]);
    }
}
