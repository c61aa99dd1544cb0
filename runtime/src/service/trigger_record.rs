//! What lanes, and streams, have to know about the operation of a trigger, and whether they can carry it out.

use super::Services;
use crate::job::Pe;
use crate::memory::{At, Remote, Segment};
use crate::transfer::Local;
use crate::transfer::operation::{PreparedKind, PreparedOp};
use cushmem_abi::{TriggerRecord, TriggeredKind, WordOp};
use cushmem_device::SignalOp;
use std::mem::offset_of;

/// The two ends of a copy, and its length in bytes.
pub(super) type Copy = (u64, u64, u64);

impl Services {
    /// An operation as copies by an engine, the data before the signal; `None` if it cannot be expressed so. Values
    /// come from the record.
    pub(super) fn copies(&self, operation: &PreparedOp, record: u64) -> Option<[Copy; 2]> {
        let there = |at: At| match self.memory().remote(at, operation.pe) {
            Remote::Near(address) if at.segment == Segment::Host => Some(address as u64),
            Remote::Device(address) => Some(address),
            _ => None,
        };
        let value = record + offset_of!(TriggerRecord, value) as u64;
        match operation.what {
            PreparedKind::Put(data, signal) => {
                let data = match data {
                    // From other host memory, the driver copies at the time of the call, and not when the stream gets
                    // there.
                    Some(ends) if !self.is_for_gpus(ends.local) => return None,
                    Some(ends) => (there(ends.remote)?, ends.local.address as u64, ends.bytes as u64),
                    None => (0, 0, 0),
                };
                let signal = match signal {
                    Some((at, _, SignalOp::Set)) => (there(at)?, value, size_of::<u64>() as u64),
                    Some((_, _, SignalOp::Add)) => return None,
                    None => (0, 0, 0),
                };
                Some([data, signal])
            }
            PreparedKind::Amo { word, op: WordOp::Set, width, .. } => {
                Some([(there(word)?, value, width as u64), (0, 0, 0)])
            }
            PreparedKind::Get(_) | PreparedKind::Blocks { .. } | PreparedKind::Amo { .. } => None,
        }
    }

    /// Whether this PE's GPU is certain to reach private memory.
    fn is_for_gpus(&self, local: Local) -> bool {
        local.on_gpu || self.memory().is_heap(local.address)
    }

    /// The address at which lanes of this PE's GPU reach an object on a PE, with loads and stores, or with `atomics`
    /// also by atomic operations.
    fn by_lanes(&self, at: At, pe: Pe, atomics: bool) -> Option<u64> {
        match (at.segment, self.memory().remote(at, pe)) {
            // The CPU changes words of the host heap.
            (Segment::Host, Remote::Near(address)) => (!atomics).then_some(address as u64),
            (Segment::Gpu, Remote::Device(address)) => {
                (!atomics || self.memory().has_native_atomics(pe)).then_some(address)
            }
            _ => None,
        }
    }

    /// Fills in what lanes have to know about an operation. Returns whether they can carry it out.
    pub(super) fn fill_in(&self, record: &mut TriggerRecord, operation: &PreparedOp) -> bool {
        let mut direct = true;
        let mut reached = |at, atomics| {
            let address = self.by_lanes(at, operation.pe, atomics);
            direct &= address.is_some();
            address.unwrap_or_default()
        };
        let kind = match operation.what {
            PreparedKind::Put(data, signal) => {
                if let Some(ends) = data {
                    (record.dst, record.src, record.bytes) =
                        (reached(ends.remote, false), ends.local.address as u64, ends.bytes as u64);
                }
                if let Some((at, value, op)) = signal {
                    (record.signal, record.value) = (reached(at, op == SignalOp::Add), value);
                }
                direct &= data.is_none_or(|ends| self.is_for_gpus(ends.local));
                match signal {
                    None => TriggeredKind::Put,
                    Some((_, _, SignalOp::Set)) => TriggeredKind::PutThenSet,
                    Some((_, _, SignalOp::Add)) => TriggeredKind::PutThenAdd,
                }
            }
            PreparedKind::Get(_) | PreparedKind::Blocks { .. } => {
                direct = false;
                TriggeredKind::Put
            }
            PreparedKind::Amo { word, op, width, operand } => {
                (record.dst, record.value) = (reached(word, op != WordOp::Set), operand);
                direct &= matches!(width, 4 | 8);
                record.flags = if width == 4 { TriggerRecord::HALF } else { 0 };
                match op {
                    WordOp::Set => TriggeredKind::Set,
                    WordOp::Add => TriggeredKind::Add,
                    WordOp::And => TriggeredKind::And,
                    WordOp::Or => TriggeredKind::Or,
                    WordOp::Xor => TriggeredKind::Xor,
                    WordOp::Swap
                    | WordOp::CompareSwap
                    | WordOp::Fetch
                    | WordOp::AddFloat
                    | WordOp::MinUnsigned
                    | WordOp::MaxUnsigned
                    | WordOp::MinSigned
                    | WordOp::MaxSigned => {
                        direct = false;
                        TriggeredKind::Set
                    }
                }
            }
        };
        record.kind = kind as u32;
        direct
    }
}
