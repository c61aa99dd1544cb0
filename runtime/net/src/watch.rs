//! Who is told of the operations of a NIC.

use crate::Operation;

/// Learns of the operations on all lanes of a NIC.
pub trait Watch: Send + Sync {
    /// Whether the times of operations matter. If not, [`now`](Self::now) and [`ended`](Self::ended) are never called.
    fn wants_times(&self) -> bool {
        true
    }

    /// So many operations, or parts of them, could not be started at once and are tried again. Called like `ended`.
    fn tries_again(&self, _times: u64) {}

    /// The time, by the clock of whoever watches. Called by each post.
    fn now(&self) -> u64;

    /// An operation on a peer that was posted at this time is complete, or has failed. The network stands
    /// still during the call, which must not wait, allocate or use the NIC.
    fn ended(&self, peer: u32, operation: &Operation, posted: u64);
}
