//! What a PE that records notes of its network: how often it tries something again and, for a timeline, each operation,
//! those of the library included, from the posting to the completion.

use crate::job::record;
use cushmem_net::{Operation, Watch};
use cushmem_record::{Extra, Recorder, Transfer};
use std::sync::Arc;

struct Watcher(&'static Recorder<'static>);

/// Who watches the network, if this PE records.
pub(super) fn watch() -> Option<Arc<dyn Watch>> {
    Some(Arc::new(Watcher(record::counting()?)))
}

impl Watch for Watcher {
    fn wants_times(&self) -> bool {
        self.0.keeps_events()
    }

    fn tries_again(&self, times: u64) {
        self.0.count(Extra::Network, times);
    }

    fn now(&self) -> u64 {
        record::now()
    }

    fn ended(&self, peer: u32, operation: &Operation, posted: u64) {
        let transfer = match operation {
            Operation::Put { .. } | Operation::Inline { .. } => Transfer::Put,
            Operation::Set { .. } => Transfer::Word,
            Operation::Get { .. } => Transfer::Get,
            Operation::Amo { .. } => Transfer::Atomic,
        };
        self.0.network(transfer, operation.bytes() as u64, peer, (posted, record::now()));
    }
}
