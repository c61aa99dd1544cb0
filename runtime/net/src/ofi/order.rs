//! Which operations of a lane to one peer may be under way at the same time.

use crate::What;
use crate::ofi::sys::{FI_ORDER_RAW, FI_ORDER_WAR, FI_ORDER_WAW, fi_info};

/// The orders that the provider keeps at one endpoint, as the largest number of bytes of the later operation.
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
    Read,
    Atomic,
}

/// The operations under way of a lane to one peer.
#[derive(Clone, Copy, Default)]
pub(super) struct Flow {
    pub(super) writes: usize,
    pub(super) reads: usize,
    pub(super) atomics: usize,
    /// Those with parts that were not posted yet.
    pub(super) unposted: usize,
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

    /// Whether an operation may be posted while those of its flow are under way.
    pub(super) fn may_start(&self, flow: &Flow, kind: Kind, bytes: usize) -> bool {
        if self.waw == 0 {
            return true;
        }
        let behind = |others: usize, kept: usize| others == 0 || bytes <= kept;
        flow.unposted == 0
            && match kind {
                Kind::Write => behind(flow.writes, self.waw) && behind(flow.reads, self.war) && flow.atomics == 0,
                Kind::Read => behind(flow.writes, self.raw) && flow.atomics == 0,
                Kind::Atomic => flow.writes + flow.reads + flow.atomics == 0,
            }
    }
}

impl Kind {
    pub(super) fn of(what: &What) -> Self {
        match what {
            What::Put { .. } | What::Inline { .. } => Self::Write,
            What::Get { .. } => Self::Read,
            What::Amo { .. } => Self::Atomic,
        }
    }
}

impl Flow {
    pub(super) fn count(&mut self, kind: Kind) -> &mut usize {
        match kind {
            Kind::Write => &mut self.writes,
            Kind::Read => &mut self.reads,
            Kind::Atomic => &mut self.atomics,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANY: usize = usize::MAX;

    #[test]
    fn what_the_provider_keeps_in_order_is_posted_at_once() {
        let order = Order { waw: ANY, raw: 0, war: 64 };
        let writes = Flow { writes: 3, ..Flow::default() };
        let reads = Flow { reads: 3, ..Flow::default() };
        let atomics = Flow { atomics: 1, ..Flow::default() };
        let may = |flow: &Flow, kind, bytes| order.may_start(flow, kind, bytes);
        assert!(may(&writes, Kind::Write, 1 << 30) && !may(&writes, Kind::Read, 1));
        assert!(may(&reads, Kind::Write, 64) && !may(&reads, Kind::Write, 65) && may(&reads, Kind::Read, 1));
        for flow in [writes, reads, atomics] {
            assert!(!may(&flow, Kind::Atomic, 8));
        }
        assert!(!may(&atomics, Kind::Write, 1) && !may(&atomics, Kind::Read, 1));
        let parts = Flow { writes: 1, unposted: 1, ..Flow::default() };
        assert!(!may(&parts, Kind::Write, 1), "a later put would overtake the parts that are not posted");
        for kind in [Kind::Write, Kind::Read, Kind::Atomic] {
            assert!(may(&Flow::default(), kind, 1 << 30));
        }
    }

    #[test]
    fn without_order_everything_is_posted_at_once() {
        let order = Order { waw: 0, raw: 0, war: 0 };
        let flow = Flow { writes: 1, reads: 1, atomics: 1, unposted: 1 };
        for kind in [Kind::Write, Kind::Read, Kind::Atomic] {
            assert!(order.may_start(&flow, kind, 8));
        }
    }
}
