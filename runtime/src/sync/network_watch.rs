//! What a PE that keeps a timeline notes of its network: each operation, those of the library included, from the
//! posting to the completion.

use crate::job::record;
use cushmem_net::{Operation, Watch};
use cushmem_record::{Recorder, Transfer};
use std::sync::Arc;

struct Watcher(&'static Recorder);

/// Who watches the network, if this PE keeps a timeline.
pub(super) fn watch() -> Option<Arc<dyn Watch>> {
    let recorder = record::active().filter(|recorder| recorder.keeps_events())?;
    Some(Arc::new(Watcher(recorder)))
}

impl Watch for Watcher {
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
