//! Who is told of the operations of a NIC.

use crate::Operation;

/// Learns of the operations on all lanes of a NIC.
pub trait Watch: Send + Sync {
    /// The time, by the clock of whoever watches. Called by each post.
    fn now(&self) -> u64;

    /// An operation on a peer that was posted at this time is complete, or has failed. The network stands
    /// still during the call, which must not wait, allocate or use the NIC.
    fn ended(&self, peer: u32, operation: &Operation, posted: u64);
}
