//! The regions of memory that a PE registers with the network, and places in them.

use crate::job::Pe;

/// Memory of a PE that is registered with the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    /// The PE's control area.
    Control,
    /// The PE's segment of the host heap.
    Host,
    /// The PE's globals.
    Globals,
    /// The words of transfers that are staged with the PE.
    Stage,
    /// If the PE is the first of its node: the atomic operations that PEs of other nodes request from this node.
    Requests,
    /// The PE's replicas, which are a part of its control area, if it leads teams with members on several nodes. Places
    /// in it are offsets in the control area. Each piece has the number of the team's slot.
    Replicas,
    /// Memory of the program that was registered with this number.
    Registered(u32),
    /// GPU memory of the program that was registered for this PE alone. Peers do not use it.
    Local,
    /// The PE's segment of the GPU heap, if the network reaches it.
    Gpu,
    /// The chunks that the PE keeps for transfers that are staged with this other one.
    Pair(Pe),
}

/// The number of the first region of chunks.
const PAIRS: u32 = 1 << 31;
/// No registration has this number.
const GPU: u32 = PAIRS - 1;
const LOCAL: u32 = PAIRS - 2;

impl Region {
    /// The number of the region, which is the same on all PEs.
    pub(crate) fn number(self) -> u32 {
        match self {
            Self::Control => 0,
            Self::Host => 1,
            Self::Globals => 2,
            Self::Stage => 3,
            Self::Requests => 4,
            Self::Replicas => 5,
            Self::Registered(number) => 6 + number,
            Self::Gpu => GPU,
            Self::Local => LOCAL,
            Self::Pair(other) => PAIRS + other.number(),
        }
    }

    /// What an error calls the region with this number.
    pub(super) fn name(number: u32) -> &'static str {
        match number {
            0 | 4 | 5 => "control memory",
            1 => "host memory",
            2 => "the globals",
            GPU => "GPU memory",
            3 | PAIRS.. => "staging memory",
            _ => "registered memory",
        }
    }
}

/// A location in the memory of a PE of another node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RemoteAddr {
    pub(crate) pe: Pe,
    pub(crate) region: Region,
    pub(crate) at: u64,
}
