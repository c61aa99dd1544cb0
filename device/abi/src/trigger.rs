/// The record of a trigger, in GPU memory, where lanes bump it. The CPU writes the first 128 bytes before any kernel
/// knows the trigger, and only `armed` afterwards. Lanes write the others. `cushmem-protocol` says who changes which
/// word when.
#[repr(C, align(128))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TriggerRecord {
    /// What runs: a [`TriggeredKind`].
    pub kind: u32,
    /// Bits: [`TriggerRecord::LINKED`], [`TriggerRecord::HALF`].
    pub flags: u32,
    /// Value of the signal, or operand of the atomic operation.
    pub value: u64,
    /// Where lanes store what is put, or the word of an atomic operation; of [`TriggeredKind::Trigger`] the next
    /// trigger, as kernels name it.
    pub dst: u64,
    /// What is put.
    pub src: u64,
    /// Bytes of it.
    pub bytes: u64,
    /// Where lanes update the signal behind it.
    pub signal: u64,
    /// Bumps an epoch, at least 1.
    pub threshold: u64,
    /// Which operation the CPU knows this as.
    pub name: DevicePrepared,
    /// The epoch that may run, 0 if none, with a bit if it is firm; the CPU changes it by copies.
    pub armed: u64,
    /// 0.
    pub reserved: [u64; 7],
    /// The sum of all bumps.
    pub count: u64,
    /// Blocks of a grid that have come.
    pub arrived: u64,
    /// The last epoch that a lane ran, or has run.
    pub ran: u64,
    /// The last epoch that a lane left to the CPU.
    pub left: u64,
    /// The last epoch whose operation lanes have completed.
    pub completed: u64,
}

const _: () = assert!(size_of::<TriggerRecord>() == 256 && core::mem::offset_of!(TriggerRecord, count) == 128);

impl TriggerRecord {
    /// Only the trigger before this one in a chain bumps it.
    pub const LINKED: u32 = 1;
    /// The word of an atomic operation has 4 bytes, and not 8.
    pub const HALF: u32 = 2;
    /// Bit of the number by which kernels name a trigger, which is otherwise the address of its record: the threshold
    /// is 1. A lane knows so before it has loaded anything; and so of the next one.
    pub const EACH: u64 = 1;
    /// Bit of that number: the CPU carries the operation out, and `dst` and `signal` mean nothing.
    pub const BY_CPU: u64 = 2;
    /// Bit of that number: every epoch is armed.
    pub const ALWAYS: u64 = 4;
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

/// The name by which kernels know an operation that the CPU described. They take it as a parameter.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DevicePrepared {
    /// The operation's number.
    pub index: u32,
    /// How many earlier operations have had the same number.
    pub generation: u32,
}
