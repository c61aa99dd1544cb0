use crate::WordOp;

/// How a signal operation changes its word.
///
/// ```
/// # use cushmem_abi::{SignalOp, WordOp};
/// assert_eq!(WordOp::from(SignalOp::Add), WordOp::Add);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum SignalOp {
    /// Stores the value.
    Set = 9,
    /// Adds the value, atomically with respect to other signal operations. To a word in host memory the CPU adds, at
    /// the kernel's request.
    Add = 10,
}

impl From<SignalOp> for WordOp {
    fn from(op: SignalOp) -> Self {
        match op {
            SignalOp::Set => Self::Set,
            SignalOp::Add => Self::Add,
        }
    }
}
