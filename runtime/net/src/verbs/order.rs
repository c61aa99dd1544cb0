//! Which operations of a lane to one peer may be under way at the same time, and which of them the device has to fence.
//!
//! A reliable connection executes at the target what was posted to it in order, but for one case (InfiniBand
//! Architecture Specification, volume 1, section 10.8.3.3, "Ordering of work requests", whose table says of each pair
//! of kinds whether their order is kept always or only with a fence): what is behind a read or an atomic operation may
//! be executed before that has read its word, if it is itself a write or an atomic operation. A read behind a read or
//! an atomic operation is in order, and so is everything behind a write. A request with a fence waits until all reads
//! and atomic operations in front of it are complete. So a fence is asked for where the trait promises the order and
//! the connection does not:
//!
//! | behind | a put | an ordered put, or a word that is set in order | an atomic operation of the card | a get or a fetch |
//! |---|---|---|---|---|
//! | a put or a word | | | | |
//! | a get | may overtake it | fence | fence | |
//! | a fetch or another atomic operation | fence | fence | fence | |
//!
//! *A fetch* is a read of the card, so it needs no fence itself: an atomic operation in front of it has
//! changed the word when it reads. But for what is behind it, it is an atomic operation: a put may overtake a get and
//! must not overtake it, because the trait lets puts overtake gets alone.
//!
//! *A loop* starts with a read, which needs no fence either. Its comparisons are posted when the read is complete.
//! Requests complete in order, so all that was in front of the read is complete by then.
//!
//! *Adaptive routing* breaks this: a card that lets the packets of one connection take several ways may place the data
//! of a write behind those of the next request, a word that says they are there. Nothing here asks a card whether it
//! does; docs/networks.md says that it has to be off.
//!
//! What is behind a put or a get that is cut into parts, on its lane to its peer, is posted when its last part is. What
//! is behind an atomic operation that takes several requests, one after the other, is posted when that is complete.

use crate::{Operation, WordOp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Write,
    /// A write behind everything, also a word that is set so.
    OrderedWrite,
    /// A word that is set, and may overtake anything.
    Word,
    Read,
    /// An atomic operation that only reads.
    Fetch,
    /// An atomic operation that the device has.
    Atomic,
    /// One that it lacks: a read, and then as many comparisons as it takes.
    Loop,
}

/// The operations under way of a lane to one peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flow {
    all: usize,
    reads: usize,
    atomics: usize,
    /// Those of which requests are still to be posted. Nothing may be posted behind them.
    pub(super) unposted: usize,
}

impl Kind {
    pub(super) fn of(operation: &Operation) -> Self {
        match *operation {
            Operation::Put { ordered: false, .. } | Operation::Inline { ordered: false, .. } => Self::Write,
            Operation::Put { .. } | Operation::Inline { .. } | Operation::Set { ordered: true, .. } => {
                Self::OrderedWrite
            }
            Operation::Set { ordered: false, .. } => Self::Word,
            Operation::Get { .. } => Self::Read,
            // A word is fetched by a read, because the word may belong to the target's CPU: an atomic operation would
            // store the old value once more.
            Operation::Amo { op: WordOp::Fetch, .. } => Self::Fetch,
            Operation::Amo { op: WordOp::Add | WordOp::CompareSwap, width: 8, .. } => Self::Atomic,
            Operation::Amo { .. } => Self::Loop,
        }
    }
}

impl Flow {
    /// Whether an operation of this kind needs a fence behind what is under way.
    pub(super) fn needs_fence(&self, kind: Kind) -> bool {
        match kind {
            Kind::Write => self.atomics > 0,
            Kind::OrderedWrite | Kind::Atomic => self.reads + self.atomics > 0,
            // The first request of a loop is a read.
            Kind::Read | Kind::Fetch | Kind::Loop | Kind::Word => false,
        }
    }

    pub(super) fn begin(&mut self, kind: Kind) {
        self.count(kind, |count| count + 1);
    }

    pub(super) fn end(&mut self, kind: Kind) {
        self.count(kind, |count| count - 1);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all == 0
    }

    fn count(&mut self, kind: Kind, change: impl Fn(usize) -> usize) {
        self.all = change(self.all);
        match kind {
            Kind::Write | Kind::OrderedWrite | Kind::Word => {}
            Kind::Read => self.reads = change(self.reads),
            Kind::Fetch | Kind::Atomic | Kind::Loop => self.atomics = change(self.atomics),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Kind; 7] =
        [Kind::Write, Kind::OrderedWrite, Kind::Word, Kind::Read, Kind::Fetch, Kind::Atomic, Kind::Loop];

    /// The table at the head of this file. A row: what is under way; the kinds that need a fence behind it.
    #[test]
    fn what_a_connection_does_not_order_is_fenced() {
        let table: [(Kind, &[Kind]); 7] = [
            (Kind::Write, &[]),
            (Kind::OrderedWrite, &[]),
            (Kind::Word, &[]),
            (Kind::Read, &[Kind::OrderedWrite, Kind::Atomic]),
            (Kind::Fetch, &[Kind::Write, Kind::OrderedWrite, Kind::Atomic]),
            (Kind::Atomic, &[Kind::Write, Kind::OrderedWrite, Kind::Atomic]),
            (Kind::Loop, &[Kind::Write, Kind::OrderedWrite, Kind::Atomic]),
        ];
        for (first, fenced) in table {
            let mut flow = Flow::default();
            flow.begin(first);
            for second in KINDS {
                assert_eq!(flow.needs_fence(second), fenced.contains(&second), "{second:?} behind {first:?}");
            }
            flow.end(first);
            assert_eq!(flow, Flow::default());
        }
    }

    #[test]
    fn only_what_the_device_has_is_one_request() {
        let kind = |op, width| Kind::of(&Operation::Amo { op, width, operand: 0, condition: 0, to: 0 });
        for op in WordOp::ALL {
            let expected = match op {
                WordOp::Fetch => [Kind::Fetch; 2],
                WordOp::Add | WordOp::CompareSwap => [Kind::Loop, Kind::Atomic],
                _ => [Kind::Loop; 2],
            };
            assert_eq!([4, 8].map(|width| kind(op, width)), expected, "{op:?}");
        }
        let set = |ordered| Kind::of(&Operation::Set { width: 8, value: 0, ordered });
        assert_eq!([false, true].map(set), [Kind::Word, Kind::OrderedWrite]);
    }
}
