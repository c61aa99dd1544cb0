use crate::ErrorRecord;

/// What kernels of a PE report to its host, in host memory, where the reports outlive the kernels.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reports {
    /// Why a kernel gave up.
    pub error: ErrorRecord,
    /// What a kernel waits for.
    pub wait: WaitRecord,
}

/// A word for which a lane has been waiting for long. One lane at a time writes the record and withdraws it when its
/// wait ends; the host reads it while the kernel runs.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitRecord {
    /// 0 as long as no lane has waited for long. Otherwise 1 plus the number of the comparison that must hold (`Cmp` of
    /// `cushmem-device`). Written last.
    pub comparison: u32,
    /// A [`WordKind`].
    pub kind: u32,
    /// Block and thread that wait: `block << 32 | thread`.
    pub lane: u64,
    /// The word's device address.
    pub address: u64,
    /// The value with which the word is compared, encoded as `kind` says.
    pub wanted: u64,
    /// The word's value when the lane last wrote the record.
    pub seen: u64,
}

const _: () = assert!(size_of::<WaitRecord>() == 48 && size_of::<Reports>() == 80);

/// How a word's value is encoded in 64 bits.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// Zero-extended.
    Unsigned = 0,
    /// Sign-extended.
    Signed = 1,
    /// As an `f64`.
    Float = 2,
    /// No value: the lane waits for a line of a cached array, or for a slot for it. `wanted` is the line's number.
    Line = 3,
    /// No value: the lane waits for room in the queue of tasks of a PE, whose number is `wanted`.
    TaskRoom = 4,
}
