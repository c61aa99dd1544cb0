/// Commands of the GPU agent that are under way at most; a power of two. `cushmem-protocol` has the protocol.
pub const AGENT_SLOTS: usize = 64;
/// Words of an answer: 4 bytes each, beside the number of the command.
pub const AGENT_ANSWER_WORDS: usize = 12;

/// What the CPU and the GPU agent share, in pinned host memory. All zero at the start. What the kernel writes and most
/// commands look at lies in one line.
#[repr(C, align(128))]
pub struct AgentArea {
    /// What the kernel says of itself.
    pub state: u64,
    /// Up to which number all puts are complete.
    pub done: u64,
    /// What a command found.
    pub answer: [u64; AGENT_ANSWER_WORDS],
    /// Zero.
    pub reserved: [u64; 2],
    /// Commands.
    pub slots: [[u64; crate::SLOT_WORDS]; AGENT_SLOTS],
}

const _: () = assert!(core::mem::offset_of!(AgentArea, answer) == 16);
const _: () = assert!(core::mem::offset_of!(AgentArea, slots).is_multiple_of(128));
