use std::fmt;

/// A GPU operation that failed: which operation, on what, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuError {
    operation: String,
    cause: String,
}

impl GpuError {
    /// Creates an error. `operation` says what was attempted, and on what (`map chunk at 0x…`); `cause` says why it
    /// failed.
    pub fn new(operation: impl Into<String>, cause: impl Into<String>) -> Self {
        Self { operation: operation.into(), cause: cause.into() }
    }
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operation, self.cause)
    }
}

impl std::error::Error for GpuError {}
