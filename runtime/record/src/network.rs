//! How much a PE's network had under way.

use crate::read::Event;

/// Only so many operations of a job are looked at: each PE has an equal share, and its first ones are taken.
const MOST: usize = 1 << 22;

/// What was under way from a time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    pub(crate) at: u64,
    pub(crate) operations: u64,
    pub(crate) bytes: u64,
}

/// The operations of a PE's network, as its events come one after the other.
pub(crate) struct Network {
    room: usize,
    /// When one was posted or has ended, whether it was posted, and its bytes.
    changes: Vec<(u64, bool, u64)>,
}

impl Network {
    /// That of one of so many PEs.
    pub(crate) fn new(pes: usize) -> Self {
        Self { room: MOST / pes.max(1), changes: vec![] }
    }

    /// Takes the next operation.
    pub(crate) fn take(&mut self, event: &Event) {
        if self.room > 0 {
            self.room -= 1;
            self.changes.extend([(event.from, true, event.bytes), (event.until(), false, event.bytes)]);
        }
    }

    /// What was under way, at each time at which that has changed.
    pub(crate) fn levels(mut self) -> Vec<Level> {
        // Of one that has ended at once, the beginning comes first.
        self.changes.sort_by_key(|(at, is_post, _)| (*at, !is_post));
        let (mut levels, mut operations, mut bytes): (Vec<Level>, u64, u64) = (vec![], 0, 0);
        for (at, is_post, of) in self.changes {
            let by = |number: u64, more| if is_post { number.wrapping_add(more) } else { number.wrapping_sub(more) };
            (operations, bytes) = (by(operations, 1), by(bytes, of));
            let level = Level { at, operations, bytes };
            match levels.last_mut().filter(|last| last.at == at) {
                Some(last) => *last = level,
                None => levels.push(level),
            }
        }
        levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Transfer;
    use crate::read::Of;

    /// Catches operations that stay under way for ever, and times that come twice.
    #[test]
    fn what_is_posted_is_under_way_until_it_ends() {
        let mut network = Network::new(1);
        for (from, ns, bytes) in [(10, 20, 8), (0, 10, 64), (5, 25, 1), (7, 0, 100)] {
            let of = Of::Network(Transfer::Put);
            network.take(&Event { of, track: 0, from, ns, bytes, pe: Some(1), kernel: 0, subject: None });
        }
        let levels = network.levels().into_iter().map(|level| (level.at, level.operations, level.bytes));
        assert!(levels.eq([(0, 1, 64), (5, 2, 65), (7, 2, 65), (10, 2, 9), (30, 0, 0)]));
        let mut full = Network::new(MOST * 2);
        full.take(&Event {
            of: Of::Network(Transfer::Get),
            track: 0,
            from: 1,
            ns: 1,
            bytes: 1,
            pe: None,
            kernel: 0,
            subject: None,
        });
        assert!(full.levels().is_empty(), "there is no room for any");
    }
}
