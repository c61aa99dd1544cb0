//! What a lane (one GPU thread) can ask of the emulated GPU.
//!
//! The emulation runs each lane as a coroutine on an OS thread of its choice, and calls [`set_current`] before it
//! resumes a lane. The host half of the device library reads [`current`] for the indices, and calls [`Lane::suspend`]
//! for everything that involves other lanes.

use crate::DeviceContext;
use core::cell::Cell;

/// Three-dimensional index or extent, in x, y, z order.
pub type Dim3 = [u32; 3];

/// Why a lane gives up the processor, and until when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The lane is polling memory; run others first.
    Yield,
    /// `barrier.cta.sync id, count`: until `count` lanes of the block have arrived. `count` 0 means all of its lanes.
    Barrier {
        /// Barrier number, 0 to 15.
        id: u32,
        /// Lanes that take part, a multiple of 32, or 0 for all.
        count: u32,
    },
    /// Barrier 0 of all lanes, which returns the OR of the bits that they pass.
    BarrierOr {
        /// This lane's contribution.
        bits: u64,
    },
    /// `activemask`: until no other lane of the block can go on. Returns the lanes of the warp that are asking
    /// for it at the same place then.
    Together {
        /// The place in the program: lanes at different ones do not execute the instruction together.
        place: u64,
    },
    /// Returns the address of a piece of the block's shared memory. The first lane that asks for it makes it.
    Shared {
        /// Which piece: 0 is the one that the launch asked for.
        id: u64,
        /// Its size.
        bytes: u32,
    },
    /// `isspacep.global`: returns 0 if the address is on a lane's stack or in shared memory, which only lanes reach, and
    /// 1 otherwise. It does not wait.
    IsGlobal {
        /// The address.
        address: u64,
    },
    /// An operation of all lanes of the warp that are in `mask`.
    Warp {
        /// The lanes of the warp that take part, including the caller.
        mask: u32,
        /// What to do.
        op: WarpOp,
        /// This lane's contribution.
        value: u64,
    },
}

/// Warp operations. The result is what [`Lane::suspend`] returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarpOp {
    /// `bar.warp.sync`; returns 0.
    Sync,
    /// `shfl.sync.idx`: the value of lane `.0 & 31`; the lane's own value if that lane does not take part.
    ShuffleIdx(u32),
    /// `shfl.sync.down`: the value of the lane `.0` higher; the lane's own value if there is no such lane.
    ShuffleDown(u32),
    /// `shfl.sync.up`: the value of the lane `.0` lower; the lane's own value if there is no such lane.
    ShuffleUp(u32),
    /// `shfl.sync.bfly`: the value of the lane whose number differs in the bits `.0`; the lane's own value if that lane
    /// does not take part.
    ShuffleXor(u32),
    /// `vote.ballot.sync`: a bit for each lane whose value is not 0.
    Ballot,
    /// `match.any.sync`: a bit for each lane that passed the same value.
    MatchAny,
}

/// The running lane.
#[derive(Clone, Copy)]
pub struct Lane {
    /// Index in the block.
    pub thread_idx: Dim3,
    /// Index of the block in the grid.
    pub block_idx: Dim3,
    /// Lanes per block.
    pub block_dim: Dim3,
    /// Blocks of the grid.
    pub grid_dim: Dim3,
    /// Bytes of shared memory that the launch asked for.
    pub shared_bytes: u32,
    /// The kernel's name.
    pub kernel: &'static str,
    /// The module's context; `None` if the module was loaded without one.
    pub context: Option<&'static DeviceContext>,
    /// Gives up the processor until the event has happened.
    pub suspend: fn(Event) -> u64,
    /// Ends the kernel with an error, as the PTX instruction `trap` does.
    pub trap: fn() -> !,
}

std::thread_local! {
    static CURRENT: Cell<Option<Lane>> = const { Cell::new(None) };
}

/// Makes `lane` the running one of this OS thread; `None` after a kernel.
#[inline]
pub fn set_current(lane: Option<Lane>) {
    CURRENT.with(|c| c.set(lane));
}

/// The running lane.
///
/// # Panics
/// Outside a kernel.
#[inline]
pub fn current() -> Lane {
    running().expect("a device function was called outside a kernel")
}

/// The running lane, if this OS thread runs one. A signal handler may call this.
#[inline]
pub fn running() -> Option<Lane> {
    CURRENT.with(Cell::get)
}
