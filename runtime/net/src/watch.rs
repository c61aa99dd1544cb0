//! Who is told of the operations of a NIC.

use crate::Operation;

/// Learns of the operations on all lanes of a NIC.
pub trait Watch: Send + Sync {
    /// The time, by the clock of whoever watches. Called by each post.
    fn now(&self) -> u64;

    /// An operation on a peer that was posted at this time is complete, or has failed. Must not wait, allocate or use
    /// the NIC: the network stands still meanwhile.
    fn ended(&self, peer: u32, operation: &Operation, posted: u64);
}
