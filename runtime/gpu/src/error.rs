use std::fmt;

/// A GPU operation that failed: which operation, on what, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuError {
    operation: String,
    cause: String,
    /// Whether the driver did not take the operation, because of its arguments or because it does not have it.
    refused: bool,
}

impl GpuError {
    /// Creates an error. `operation` says what was attempted, and on what (`map chunk at 0x…`); `cause` says why it
    /// failed.
    pub fn new(operation: impl Into<String>, cause: impl Into<String>) -> Self {
        Self { operation: operation.into(), cause: cause.into(), refused: false }
    }

    /// The error of an operation that the driver did not take, because of its arguments or because it does not have it.
    pub(crate) fn refusal(operation: impl Into<String>, cause: impl Into<String>) -> Self {
        Self { refused: true, ..Self::new(operation, cause) }
    }

    /// Returns whether the driver did not take the operation, because of its arguments or because it does not have it:
    /// nothing has happened, and another operation may do the same.
    pub fn is_refusal(&self) -> bool {
        self.refused
    }
}

impl fmt::Display for GpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operation, self.cause)
    }
}

impl std::error::Error for GpuError {}
