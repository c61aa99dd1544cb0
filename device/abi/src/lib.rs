//! Layouts on which host and GPU agree, and the interface between a kernel that runs on the emulated GPU and the
//! emulation. Nothing here has behaviour: host code fills in these values, and kernels read them.
//!
//! A layout changes only together with [`ABI_VERSION`]; the sizes are asserted below.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(not(target_arch = "nvptx64"))]
extern crate std;

mod agent;
mod array;
mod collective;
mod context;
mod error;
mod image;
#[cfg(not(target_arch = "nvptx64"))]
pub mod lane;
mod printed;
mod record;
mod reports;
mod ring;
mod signal_op;
pub mod soft;
mod sync_area;
mod tables;
mod tasks;
mod team;
mod trigger;
mod word_op;

pub use agent::{AGENT_ANSWER_WORDS, AGENT_SLOTS, AgentArea};
pub use array::{ARRAY_ELSEWHERE, ARRAY_WORDS, ArrayHead, ArrayMode, LEAST_LINE_BYTES, MOST_LINE_BYTES};
pub use collective::{
    COLLECTIVE_BLOCKS, CollectiveArea, CollectiveCommand, CollectiveKind, Combine, Folding, MoreTeam, Number, Rows,
    TEAM_BLOCKS,
};
pub use context::{DeviceContext, Units, WINDOW_UNIT, WINDOW_UNIT_BITS, stride};
pub use error::{ErrorCode, ErrorRecord};
pub use image::{HostKernel, KernelEntry, ModuleImage};
pub use printed::{PrintedPiece, PrintedType};
pub use record::{KernelEvent, KernelOperation, KernelRecord, KernelWork};
pub use reports::{Reports, WaitRecord, WordKind};
pub use ring::{
    CHUNK_BYTES, CommandHead, CommandKind, ContextDone, DeviceRing, HostRing, PROCESSOR_SLOTS, ProcessorRing,
    RING_CHUNKS, RING_CONTEXTS, RING_REPLIES, RING_SLOTS, RingChunk, RingContext, RingCounter, SLOT_BYTES, SLOT_WORDS,
};
pub use signal_op::SignalOp;
pub use sync_area::SyncArea;
pub use tables::{Agent, PeEntry, SEGMENTS, Segment, SegmentEntry, Tables, TeamEntry};
pub use tasks::{
    DeviceTaskQueue, GivenTask, TASK_ARGUMENTS, TASK_BLOCKS, TASK_BUFFERS, TASK_EXECUTOR_WORDS, TASK_INLINE_WORDS,
    TASK_SHARED_WORDS, TaskArea, TaskBuffer, TaskCounter, TaskHead, TaskInline, TaskReports, TaskSender, TaskSlot,
    TaskWords,
};
pub use team::{BarrierStep, DeviceTeam, TeamSync};
pub use trigger::{DevicePrepared, DeviceTrigger, TriggerRecord, TriggeredKind};
pub use word_op::WordOp;

/// Version of every layout in this crate; a kernel module built for another version is refused when it is loaded.
pub const ABI_VERSION: u32 = 18;

/// Name of the constant that holds the [`DeviceContext`] in every kernel module.
pub const CONTEXT_SYMBOL: &str = "cushmem_context";

/// The most steps of the barrier between PEs; see `cushmem-protocol`.
pub const BARRIER_STEPS: usize = 14;

/// The number of teams that a PE can have at a time unless the user asks for more.
pub const TEAM_SLOTS: usize = 64;
/// The slot of the team of the PEs on this node (`SHMEM_TEAM_SHARED`).
pub const SHARED_TEAM_SLOT: u32 = 2;

/// The bits of a context's number in its handle of C. Above them is the slot of its team.
pub const CTX_HANDLE_BITS: u32 = 16;
/// The most teams that a PE can have at a time. The words of those beyond [`TEAM_SLOTS`] are behind all others.
pub const MOST_TEAMS: usize = 1024;

/// Name of the word that holds the [`ABI_VERSION`] a kernel module was built for.
pub const VERSION_SYMBOL: &str = "cushmem_abi_version";

/// Name of a word that modules in CUDA C++ have whose kernels record what they do: `cushmem_recorded<int>`.
pub const RECORDED_SYMBOL: &str = "_Z16cushmem_recordedIiE";

/// Name of the number in each module that identifies the sources from which it was made.
pub const SOURCE_SYMBOL: &str = "cushmem_source";
