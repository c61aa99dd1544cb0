//! Which operations of a lane to one peer may be under way at the same time.

use super::{ATOMIC, MAIN};
use crate::Operation;
use crate::ofi::sys::{FI_ORDER_RAW, FI_ORDER_WAR, FI_ORDER_WAW, fi_info};

/// The orders that the provider keeps at one endpoint, each for operations that are both smaller than this number of
/// bytes, or of any size if it is the largest number (fi_endpoint(3)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// A write behind a write.
    pub(super) waw: usize,
    /// A read behind a write.
    pub(super) raw: usize,
    /// A write behind a read.
    pub(super) war: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Write,
    /// A write behind everything.
    OrderedWrite,
    Read,
    Atomic,
    /// A word that is set behind everything.
    Set,
    /// A word that is set, and may overtake anything.
    Word,
}

/// The operations under way of a lane to one peer.
#[derive(Clone, Copy, Default)]
pub(super) struct Flow {
    writes: Count,
    reads: Count,
    atomics: Count,
    /// Those with parts that were not posted yet.
    pub(super) unposted: usize,
}

/// How many operations of a kind are under way.
#[derive(Clone, Copy, Default)]
struct Count {
    number: usize,
    /// The size of the largest since there were none, in bytes.
    largest: usize,
}

impl Order {
    pub(super) fn of(info: &fi_info) -> Self {
        // SAFETY: the offer has all its parts.
        let (tx, rx, ep) = unsafe { (&*info.tx_attr, &*info.rx_attr, &*info.ep_attr) };
        let kept = |order: u64, size: usize| if tx.msg_order & rx.msg_order & order != 0 { size } else { 0 };
        Self {
            waw: kept(FI_ORDER_WAW, ep.max_order_waw_size),
            raw: kept(FI_ORDER_RAW, ep.max_order_raw_size),
            war: kept(FI_ORDER_WAR, ep.max_order_war_size),
        }
    }

    /// Whether the order of writes is kept well enough to promise it: for all sizes, because a put that does not report
    /// its arrival counts for nothing here when it is complete, so that no limit could be observed for it.
    pub(super) fn keeps_order(&self) -> bool {
        self.waw == usize::MAX
    }

    /// Whether an operation may be posted while those of its flow are under way.
    pub(super) fn may_start(&self, flow: &Flow, kind: Kind, bytes: usize) -> bool {
        match kind {
            Kind::Set => return flow.is_empty(),
            Kind::OrderedWrite if !self.keeps_order() => return flow.is_empty(),
            Kind::Word => return true,
            _ if self.waw == 0 => return true,
            _ => {}
        }
        let Flow { writes, reads, atomics, unposted } = flow;
        let behind = |others: &Count, kept: usize| {
            others.number == 0 || kept == usize::MAX || (bytes < kept && others.largest < kept)
        };
        *unposted == 0
            && match kind {
                Kind::Write | Kind::OrderedWrite => {
                    behind(writes, self.waw) && behind(reads, self.war) && atomics.number == 0
                }
                Kind::Read => behind(writes, self.raw) && atomics.number == 0,
                Kind::Atomic | Kind::Set | Kind::Word => flow.is_empty(),
            }
    }
}

impl Kind {
    pub(super) fn of(operation: &Operation) -> Self {
        match operation {
            Operation::Put { ordered: true, .. } | Operation::Inline { ordered: true, .. } => Self::OrderedWrite,
            Operation::Put { .. } | Operation::Inline { .. } => Self::Write,
            Operation::Get { .. } => Self::Read,
            Operation::Amo { .. } => Self::Atomic,
            Operation::Set { ordered: true, .. } => Self::Set,
            Operation::Set { ordered: false, .. } => Self::Word,
        }
    }

    /// The endpoint for it.
    pub(super) fn endpoint(self) -> usize {
        match self {
            Self::Write | Self::OrderedWrite | Self::Read => MAIN,
            Self::Atomic | Self::Set | Self::Word => ATOMIC,
        }
    }
}

impl Flow {
    /// Counts an operation that was posted.
    pub(super) fn begin(&mut self, kind: Kind, bytes: usize) {
        let count = self.count(kind);
        count.number += 1;
        count.largest = count.largest.max(bytes);
    }

    /// Counts an operation that is over.
    pub(super) fn end(&mut self, kind: Kind) {
        let count = self.count(kind);
        count.number -= 1;
        if count.number == 0 {
            count.largest = 0;
        }
    }

    /// Whether nothing is under way.
    pub(super) fn is_empty(&self) -> bool {
        self.writes.number + self.reads.number + self.atomics.number == 0
    }

    fn count(&mut self, kind: Kind) -> &mut Count {
        match kind {
            Kind::Write | Kind::OrderedWrite => &mut self.writes,
            Kind::Read => &mut self.reads,
            Kind::Atomic | Kind::Set | Kind::Word => &mut self.atomics,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: usize = usize::MAX;

    /// A flow with one operation of this kind and size under way.
    fn one(kind: Kind, bytes: usize) -> Flow {
        let mut flow = Flow::default();
        flow.begin(kind, bytes);
        flow
    }

    #[test]
    fn what_the_provider_keeps_in_order_is_posted_at_once() {
        let order = Order { waw: ANY, raw: 0, war: 64 };
        let (writes, reads, atomics) = (one(Kind::Write, 1 << 30), one(Kind::Read, 8), one(Kind::Atomic, 8));
        let may = |flow: &Flow, kind, bytes| order.may_start(flow, kind, bytes);
        assert!(may(&writes, Kind::OrderedWrite, 64) && !may(&reads, Kind::OrderedWrite, 64));
        assert!(may(&writes, Kind::Write, 1 << 30) && !may(&writes, Kind::Read, 1));
        assert!(may(&reads, Kind::Write, 63) && !may(&reads, Kind::Write, 64) && may(&reads, Kind::Read, 1));
        for flow in [writes, reads, atomics] {
            assert!(!may(&flow, Kind::Atomic, 8));
        }
        assert!(!may(&atomics, Kind::Write, 1) && !may(&atomics, Kind::Read, 1));
        let parts = Flow { unposted: 1, ..one(Kind::Write, 8) };
        assert!(!may(&parts, Kind::Write, 1), "a later put would overtake the parts that are not posted");
        for kind in [Kind::Write, Kind::Read, Kind::Atomic] {
            assert!(may(&Flow::default(), kind, 1 << 30));
        }
    }

    /// Many words of a program are under way at once, but nothing overtakes them.
    #[test]
    fn a_word_without_an_order_overtakes_and_is_not_overtaken() {
        for order in [Order { waw: ANY, raw: ANY, war: ANY }, Order { waw: 0, raw: 0, war: 0 }] {
            for kind in [Kind::Write, Kind::Read, Kind::Atomic, Kind::Set, Kind::Word] {
                assert!(order.may_start(&one(kind, 8), Kind::Word, 8), "behind {kind:?}");
            }
            assert!(!order.may_start(&one(Kind::Word, 8), Kind::Set, 8));
        }
        let order = Order { waw: ANY, raw: ANY, war: ANY };
        for kind in [Kind::Write, Kind::Read, Kind::Atomic] {
            assert!(!order.may_start(&one(Kind::Word, 8), kind, 8), "{kind:?}");
        }
    }

    /// A provider may send a long write in another way, so a short one would overtake it.
    #[test]
    fn both_operations_are_smaller_than_what_is_kept_in_order() {
        let order = Order { waw: 64, raw: 64, war: 64 };
        let cases = [(Kind::Write, Kind::Write), (Kind::Write, Kind::Read), (Kind::Read, Kind::Write)];
        for (first, second) in cases {
            let may = |earlier, later| order.may_start(&one(first, earlier), second, later);
            assert!(may(63, 63) && !may(64, 1) && !may(1, 64), "{second:?} behind {first:?}");
        }
        let mut flow = one(Kind::Write, 64);
        flow.begin(Kind::Write, 8);
        flow.end(Kind::Write);
        assert!(!order.may_start(&flow, Kind::Write, 8), "the larger may be the one that is left");
        flow.end(Kind::Write);
        flow.begin(Kind::Write, 8);
        assert!(order.may_start(&flow, Kind::Write, 8), "the larger is over");
    }

    /// A put that does not report its arrival does not count until it has arrived, so a long one would overtake it.
    #[test]
    fn an_order_of_short_writes_is_not_promised() {
        for (waw, kept) in [(0, false), (1 << 20, false), (ANY, true)] {
            assert_eq!(Order { waw, raw: 0, war: 0 }.keeps_order(), kept, "{waw}");
        }
    }

    #[test]
    fn without_order_only_what_asks_for_it_is_posted_later() {
        let order = Order { waw: 0, raw: 0, war: 0 };
        let flow = Flow { unposted: 1, ..one(Kind::Write, 8) };
        for kind in [Kind::Write, Kind::Read, Kind::Atomic] {
            assert!(order.may_start(&flow, kind, 8));
        }
        for kind in [Kind::Set, Kind::OrderedWrite] {
            assert!(!order.may_start(&flow, kind, 8), "{kind:?}");
            assert!(order.may_start(&Flow::default(), kind, 8), "{kind:?}");
        }
    }
}
