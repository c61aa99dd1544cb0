/// A trigger, in the memory of the GPU whose lanes bump it. The CPU fills it in before kernels know of it; `cushmem-protocol` says who changes the rest.
#[repr(C, align(128))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TriggerRecord {
    /// Bumps an epoch, at least 1.
    pub threshold: u64,
    /// The epoch that may run, 0 if none. Of the words of this line the CPU changes this one, by copies.
    pub armed: u64,
    /// What runs: a [`TriggeredKind`].
    pub kind: u32,
    /// Target.
    pub pe: u32,
    /// Bits: [`TriggerRecord::LINKED`], [`TriggerRecord::BY_PROXY`].
    pub flags: u32,
    /// Bytes of the word of an atomic operation.
    pub width: u32,
    /// The symmetric end, at its address on this PE; of [`TriggeredKind::Trigger`] the next record.
    pub dst: u64,
    /// What is put.
    pub src: u64,
    /// Bytes of it.
    pub bytes: u64,
    /// The signal behind it, at its address on this PE.
    pub signal: u64,
    /// Value of the signal, or operand of the atomic operation.
    pub value: u64,
    /// Which operation the CPU knows this as.
    pub name: DevicePrepared,
    /// Device address of a word in host memory: the epoch whose operation is complete.
    pub completed: u64,
    /// 0.
    pub reserved: [u64; 5],
    /// The sum of all bumps.
    pub count: u64,
    /// Blocks of a grid that have come.
    pub arrived: u64,
    /// The last epoch that a lane ran.
    pub ran: u64,
    /// The last epoch that a lane decided on.
    pub decided: u64,
}

const _: () = assert!(size_of::<TriggerRecord>() == 256 && core::mem::offset_of!(TriggerRecord, count) == 128);

impl TriggerRecord {
    /// Only the trigger before this one in a chain bumps it.
    pub const LINKED: u32 = 1;
    /// The CPU carries the operation out, whatever the GPU reaches.
    pub const BY_PROXY: u32 = 2;
}

/// What a trigger runs.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggeredKind {
    /// Copies bytes.
    Put = 1,
    /// Copies bytes, if there are any, and sets a signal behind them.
    PutThenSet = 2,
    /// Copies bytes, if there are any, and adds to a signal behind them.
    PutThenAdd = 3,
    /// Stores a word.
    Set = 4,
    /// Adds to a word.
    Add = 5,
    /// Bitwise and with a word.
    And = 6,
    /// Bitwise or with a word.
    Or = 7,
    /// Bitwise exclusive or with a word.
    Xor = 8,
    /// Bumps the next trigger by 1.
    Trigger = 9,
}

/// An operation that was described on the CPU, as a kernel names it. A kernel gets it as a parameter.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DevicePrepared {
    /// Its number.
    pub index: u32,
    /// How often the number has been given to another one.
    pub generation: u32,
}
