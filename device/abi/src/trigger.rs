/// The record of a trigger, in GPU memory, where lanes bump it. The CPU writes the first 128 bytes before any kernel
/// knows the trigger, and afterwards only `armed`. Lanes write the other words. `cushmem-protocol` defines who changes
/// which word when.
#[repr(C, align(128))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TriggerRecord {
    /// What runs: a [`TriggeredKind`].
    pub kind: u32,
    /// Bits: [`TriggerRecord::LINKED`], [`TriggerRecord::HALF`].
    pub flags: u32,
    /// The value of the signal, or the operand of the atomic operation.
    pub value: u64,
    /// The target of a put, or the word of an atomic operation; for [`TriggeredKind::Trigger`] the next trigger, in the
    /// form in which kernels name it.
    pub dst: u64,
    /// The source of a put.
    pub src: u64,
    /// Bytes to put.
    pub bytes: u64,
    /// The signal that lanes update after the put.
    pub signal: u64,
    /// Bumps per epoch, at least 1.
    pub threshold: u64,
    /// The name by which the CPU knows the operation.
    pub name: DevicePrepared,
    /// The epoch that may run, or 0 if none, with a bit that says whether it is firmly armed. The CPU changes it by
    /// copies.
    pub armed: u64,
    /// 0.
    pub reserved: [u64; 7],
    /// The sum of all bumps.
    pub count: u64,
    /// Blocks of a grid that have arrived.
    pub arrived: u64,
    /// The last epoch that a lane ran, or handed over to be run.
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
    /// The word of an atomic operation has 4 bytes instead of 8.
    pub const HALF: u32 = 2;
    /// A bit of the number by which kernels name a trigger, which is otherwise the address of its record: the threshold
    /// is 1. A lane knows this, also about the next trigger, before it has loaded anything.
    pub const EACH: u64 = 1;
    /// A bit of that number: the CPU carries out the operation, and `dst` and `signal` have no meaning.
    pub const BY_CPU: u64 = 2;
    /// A bit of that number: every epoch is armed.
    pub const ALWAYS: u64 = 4;
}

/// What a trigger runs.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TriggeredKind {
    /// Copies bytes.
    Put = 1,
    /// Copies bytes, if there are any, and then sets a signal.
    PutThenSet = 2,
    /// Copies bytes, if there are any, and then adds to a signal.
    PutThenAdd = 3,
    /// Stores a word.
    Set = 4,
    /// Adds to a word.
    Add = 5,
    /// Bitwise AND with a word.
    And = 6,
    /// Bitwise OR with a word.
    Or = 7,
    /// Bitwise exclusive OR with a word.
    Xor = 8,
    /// Bumps the next trigger by 1.
    Trigger = 9,
}

/// A trigger that the CPU made (`shmemx_trigger_create`), as a parameter of kernels. Lanes bump it with
/// `Scope::trigger` of `cushmem-device`, which has an example.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceTrigger(u64);

impl DeviceTrigger {
    /// Creates a trigger from its number: the address of its record, combined with [`TriggerRecord::EACH`].
    #[doc(hidden)]
    #[inline(always)]
    pub const fn of_number(number: u64) -> Self {
        Self(number)
    }

    /// Returns the trigger as a number, for lists of triggers in GPU memory.
    #[inline(always)]
    pub const fn number(self) -> u64 {
        self.0
    }
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
