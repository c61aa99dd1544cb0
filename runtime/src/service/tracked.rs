//! Which commands of kernels are complete. Staged commands complete in any order.

use cushmem_abi::{RING_CONTEXTS, SLOT_BYTES};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Contexts are touched in groups of 64.
const GROUPS: usize = RING_CONTEXTS / 64;
const _: () = assert!(RING_CONTEXTS.is_multiple_of(64) && GROUPS <= 64);

/// The completion of kernels' commands, by context.
pub(super) struct Tracked {
    /// By context, the last ticket plus 1.
    next: Box<[u64; RING_CONTEXTS]>,
    /// A bit for each context that has to be told what is complete, and a bit for each of these words that is not 0.
    touched: [u64; GROUPS],
    groups: u64,
    /// Staged commands: their tickets, with what is kept until they are complete, and the tickets by context.
    open: BTreeMap<u64, Kept>,
    open_of: BTreeSet<(usize, u64)>,
}

/// Where a command has its bytes until it is complete.
pub(super) enum Kept {
    Nothing,
    Bytes(#[expect(dead_code, reason = "only its address is used")] Arc<[u64; SLOT_BYTES / 8]>),
    Chunk(usize),
    /// A chunk that lanes read when the command is complete.
    Lend(usize),
}

impl Default for Tracked {
    fn default() -> Self {
        Self {
            next: Box::new([0; RING_CONTEXTS]),
            touched: [0; GROUPS],
            groups: 0,
            open: BTreeMap::new(),
            open_of: BTreeSet::new(),
        }
    }
}

impl Tracked {
    /// Notes that a command was started.
    #[inline]
    pub(super) fn begun(&mut self, ticket: u64, context: usize) {
        self.next[context] = ticket + 1;
        self.touch(context);
    }

    #[inline]
    fn touch(&mut self, context: usize) {
        self.touched[context / 64] |= 1 << (context % 64);
        self.groups |= 1 << (context / 64);
    }

    /// Notes that a command is staged.
    pub(super) fn keep_open(&mut self, ticket: u64, context: usize, kept: Kept) {
        self.open.insert(ticket, kept);
        self.open_of.insert((context, ticket));
    }

    /// Notes that a staged command is complete. Returns what was kept for it.
    pub(super) fn close(&mut self, ticket: u64, context: usize) -> Option<Kept> {
        self.open_of.remove(&(context, ticket));
        self.touch(context);
        self.open.remove(&ticket)
    }

    /// Publishes, for each context that was touched since the last call, the ticket below which all of its commands are
    /// complete. Returns whether there were any.
    #[inline]
    pub(super) fn publish(&mut self, mut publish: impl FnMut(usize, u64)) -> bool {
        let groups = std::mem::take(&mut self.groups);
        for group in bits(groups) {
            for bit in bits(std::mem::take(&mut self.touched[group])) {
                let context = 64 * group + bit;
                publish(context, self.complete(context));
            }
        }
        groups != 0
    }

    /// The ticket below which all commands are complete, of those below `next`.
    pub(super) fn complete_of_all(&self, next: u64) -> u64 {
        self.open.first_key_value().map_or(next, |(ticket, _)| *ticket)
    }

    /// The ticket below which all commands of a context are complete.
    fn complete(&self, context: usize) -> u64 {
        let next = self.next[context];
        if self.open.is_empty() {
            return next;
        }
        self.open_of.range((context, 0)..(context + 1, 0)).next().map_or(next, |(_, ticket)| *ticket)
    }
}

/// The numbers of the bits that are set, in ascending order.
#[inline]
fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn published(tracked: &mut Tracked) -> Vec<(usize, u64)> {
        let mut all = vec![];
        assert_eq!(tracked.publish(|context, ticket| all.push((context, ticket))), !all.is_empty());
        all
    }

    /// Catches a context that is told of a command behind a staged one, or not told when the staged one ends, and a
    /// chunk that is lost.
    #[test]
    fn nothing_behind_a_staged_command_is_complete() {
        let mut tracked = Tracked::default();
        assert_eq!(published(&mut tracked), []);
        (0..4).for_each(|ticket| tracked.begun(ticket, [7, 1023, 7, 1023][ticket as usize]));
        tracked.keep_open(0, 7, Kept::Chunk(5));
        tracked.keep_open(1, 1023, Kept::Nothing);
        tracked.keep_open(2, 7, Kept::Nothing);
        assert_eq!((published(&mut tracked), tracked.complete_of_all(4)), (vec![(7, 0), (1023, 1)], 0));
        assert_eq!(published(&mut tracked), []);
        assert!(matches!(tracked.close(2, 7), Some(Kept::Nothing)));
        assert_eq!((published(&mut tracked), tracked.complete_of_all(4)), (vec![(7, 0)], 0));
        assert!(matches!(tracked.close(0, 7), Some(Kept::Chunk(5))));
        assert_eq!((published(&mut tracked), tracked.complete_of_all(4)), (vec![(7, 3)], 1));
        tracked.close(1, 1023);
        assert_eq!((published(&mut tracked), tracked.complete_of_all(4)), (vec![(1023, 4)], 4));
    }
}
