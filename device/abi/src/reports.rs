use crate::ErrorRecord;

/// What kernels of a PE tell its host, in host memory, where it outlives them.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reports {
    /// Why a kernel gave up.
    pub error: ErrorRecord,
    /// What a kernel waits for.
    pub wait: WaitRecord,
}

/// A word for which a lane has waited long. Written by one lane at a time, which withdraws it when its wait ends, and
/// read by the host while the kernel runs.
#[repr(C, align(16))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WaitRecord {
    /// 0 while no lane waits long, else 1 and the number of the comparison that is waited for (`Cmp` of
    /// `cushmem-device`). Written last.
    pub comparison: u32,
    /// A [`WordKind`].
    pub kind: u32,
    /// Block and thread that wait: `block << 32 | thread`.
    pub lane: u64,
    /// The word's device address.
    pub address: u64,
    /// What it is compared with, as its kind says.
    pub wanted: u64,
    /// What it was when the lane last wrote that down.
    pub seen: u64,
}

const _: () = assert!(size_of::<WaitRecord>() == 48 && size_of::<Reports>() == 80);

/// How a word's value is written down in 64 bits.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// With zeros in front.
    Unsigned = 0,
    /// With its sign in front.
    Signed = 1,
    /// As an `f64`.
    Float = 2,
}
