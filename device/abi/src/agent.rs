/// The most commands of the GPU agent that are under way; a power of two. `cushmem-protocol` has the protocol.
pub const AGENT_SLOTS: usize = 64;
/// Words of an answer. Each holds 4 bytes, next to the number of the command.
pub const AGENT_ANSWER_WORDS: usize = 12;

/// What the CPU and the GPU agent share, in pinned host memory. All zero at the start. The words that the kernel writes
/// and that most commands poll are in one cache line.
#[repr(C, align(128))]
pub struct AgentArea {
    /// The state that the kernel announces.
    pub state: u64,
    /// The number up to which all puts are complete.
    pub done: u64,
    /// The result of a command.
    pub answer: [u64; AGENT_ANSWER_WORDS],
    /// Zero.
    pub reserved: [u64; 2],
    /// Commands.
    pub slots: [[u64; crate::SLOT_WORDS]; AGENT_SLOTS],
}

const _: () = assert!(core::mem::offset_of!(AgentArea, answer) == 16);
const _: () = assert!(core::mem::offset_of!(AgentArea, slots).is_multiple_of(128));
