//! What the leader of a team on one node puts into the area of a leader on another: the flags and stages of
//! `cushmem_collective`, each flag with a seal (`sealed.rs`) and the data that it may bring behind it.

use cushmem_collective::{FAR_STAGE_BYTES, Flag, STAGES, STEPS};
use std::mem::offset_of;
use std::sync::atomic::AtomicU64;

/// The words of a leader for one team, which only that leader writes.
#[repr(C, align(64))]
pub(crate) struct Replica {
    steps: [FlagLine; STEPS as usize],
    done: FlagLine,
    stages: [Stage; STAGES as usize],
}

#[repr(C, align(64))]
struct FlagLine {
    head: AtomicU64,
    seal: AtomicU64,
}

#[repr(C, align(64))]
struct Stage {
    head: AtomicU64,
    seal: AtomicU64,
    data: [u64; FAR_STAGE_BYTES / 8],
}

/// The distance of a flag's seal from its head.
pub(super) const SEAL: usize = offset_of!(FlagLine, seal);
const _: () = assert!(offset_of!(FlagLine, head) == 0 && offset_of!(Stage, head) == 0);
// What a flag brings is stored behind its seal.
const _: () = assert!(offset_of!(Stage, seal) == SEAL && offset_of!(Stage, data) == SEAL + size_of::<u64>());

impl Replica {
    /// The offset of a flag.
    pub(crate) const fn flag(flag: Flag) -> usize {
        match flag {
            Flag::Step(turn) => offset_of!(Replica, steps) + turn * size_of::<FlagLine>(),
            Flag::Done => offset_of!(Replica, done),
            Flag::Stage(stage) => Self::stage(stage),
        }
    }

    /// The offset of a stage's data.
    pub(crate) const fn data(stage: usize) -> usize {
        Self::stage(stage) + offset_of!(Stage, data)
    }

    const fn stage(stage: usize) -> usize {
        assert!(stage < STAGES as usize);
        offset_of!(Replica, stages) + stage * size_of::<Stage>()
    }
}
