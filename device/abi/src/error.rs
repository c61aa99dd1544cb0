/// Why a kernel gave up. Written by one lane, and read by the host after the kernel has ended.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErrorRecord {
    /// An [`ErrorCode`]; 0 as long as there was no error. Written last.
    pub code: u32,
    /// The PE that the operation named, or that is late.
    pub pe: u32,
    /// First argument; its meaning depends on the code.
    pub value: u64,
    /// Second argument.
    pub limit: u64,
    /// Block and thread that failed: `block << 32 | thread`.
    pub lane: u64,
}

const _: () = assert!(size_of::<ErrorRecord>() == 32);

/// Codes of [`ErrorRecord::code`].
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// An operation named a PE that is not in `0..n_pes`; `limit` is `n_pes`.
    PeOutOfRange = 1,
    /// An operation named memory of a PE that this GPU's loads and stores do not reach; `value` is the number of its
    /// [`Segment`](crate::Segment).
    PeNotMapped = 2,
    /// A collective waited `limit` nanoseconds for `pe`; `value` is the number of its barrier.
    BarrierTimeout = 3,
    /// An atomic operation on memory that is changed by the CPU's atomics.
    AtomicOnHostMemory = 4,
    /// An atomic operation on memory of a GPU that this GPU's loads and stores reach, but its atomics do not.
    NoNativeAtomics = 5,
    /// The tables do not match the kernel's version: `value` is their version, `limit` their size in bytes.
    WrongTables = 6,
    /// The CPU has not answered a command for `limit` nanoseconds.
    NoReply = 7,
    /// Not all PEs of the team with slot `value` have reached their barrier within `limit` nanoseconds.
    MeetingTimeout = 9,
    /// If `limit` is 0, a trigger was bumped that only the trigger before it in a chain may bump. Otherwise the lane
    /// that decides before this one has not done so within `limit` nanoseconds.
    Trigger = 10,
    /// A command was posted, but nobody takes commands.
    NoProxy = 11,
    /// A kernel named the slot `value`. The team there has `limit` PEs and cannot be used in kernels; 0 if there is no
    /// team.
    NoTeam = 12,
    /// An operation named PE `pe` of the team with slot `value`, which has `limit` PEs.
    PeOutOfTeam = 13,
    /// A strided copy with a distance below one element: `value` is that at the target, `limit` that at the source.
    Stride = 14,
    /// An operation named the address `value`, which is not in symmetric memory that kernels know.
    NotSymmetric = 15,
    /// A kernel lent `value` bytes of shared memory; at least `limit` are needed.
    SmemTooSmall = 16,
    /// In an exchange of unequal size, `pe` gets `value` rows, but its dest has room for `limit`.
    DestTooSmall = 17,
    /// In an exchange of unequal size, the rows for `pe` end at row `value` of the source, which has `limit`.
    RowsOutside = 18,
    /// An exchange of unequal size by a team of `value` PEs, of which a kernel allows `limit`.
    TeamTooLarge = 19,
    /// An exchange of rows that have no bytes.
    EmptyRows = 20,
    /// A task of a queue with `limit` functions names the function `value`.
    NoTask = 21,
    /// A task names the buffer `value`, which the queue does not have.
    NoTaskBuffer = 22,
    /// The data of a task end at byte `value` of its buffer, which has `limit` bytes.
    OutsideTaskBuffer = 23,
    /// None of the `value` slots that `pe` has for tasks of this PE's kernels was free for `limit` nanoseconds.
    TaskQueueFull = 24,
    /// The signal of a task is at the address `value`, which is not that of a word.
    TaskSignal = 25,
    /// An operation names `value` as what happens to its signal.
    SignalOp = 26,
    /// An access to element `value` of a cached array, which has `limit`.
    ArrayIndex = 28,
    /// An access that the array's mode does not allow: `value` is the number of its
    /// [`ArrayMode`](crate::ArrayMode).
    ArrayMode = 29,
    /// A lane waited `limit` nanoseconds for line `value` of a cached array.
    LineTimeout = 30,
    /// The GPU's command processor has not carried out a command, or not made room for one, for `limit` nanoseconds.
    ProcessorTimeout = 31,
}

impl ErrorCode {
    /// The code with this number, if there is one.
    pub fn from_u32(code: u32) -> Option<Self> {
        let all = [
            Self::PeOutOfRange,
            Self::PeNotMapped,
            Self::BarrierTimeout,
            Self::AtomicOnHostMemory,
            Self::NoNativeAtomics,
            Self::WrongTables,
            Self::NoReply,
            Self::MeetingTimeout,
            Self::Trigger,
            Self::NoProxy,
            Self::NoTeam,
            Self::PeOutOfTeam,
            Self::Stride,
            Self::NotSymmetric,
            Self::SmemTooSmall,
            Self::DestTooSmall,
            Self::RowsOutside,
            Self::TeamTooLarge,
            Self::EmptyRows,
            Self::NoTask,
            Self::NoTaskBuffer,
            Self::OutsideTaskBuffer,
            Self::TaskQueueFull,
            Self::TaskSignal,
            Self::SignalOp,
            Self::ArrayIndex,
            Self::ArrayMode,
            Self::LineTimeout,
            Self::ProcessorTimeout,
        ];
        all.into_iter().find(|c| *c as u32 == code)
    }
}
