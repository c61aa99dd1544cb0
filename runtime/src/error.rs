use cushmem_bootstrap::BootstrapError;
use cushmem_gpu::GpuError;
use std::fmt;

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// An operation that failed: which, on what, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    operation: String,
    cause: String,
}

impl Error {
    pub(crate) fn new(operation: impl Into<String>, cause: impl Into<String>) -> Self {
        Self { operation: operation.into(), cause: cause.into() }
    }

    /// Why, without the operation.
    pub fn cause(&self) -> &str {
        &self.cause
    }

    /// Wraps what failed below in the operation that wanted it.
    pub(crate) fn of(operation: impl Into<String>) -> impl FnOnce(GpuError) -> Self {
        move |cause| Self::new(operation, cause.to_string())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operation, self.cause)
    }
}

impl std::error::Error for Error {}

impl From<GpuError> for Error {
    fn from(error: GpuError) -> Self {
        Self::new("GPU", error.to_string())
    }
}

impl From<BootstrapError> for Error {
    fn from(error: BootstrapError) -> Self {
        Self::new("job", error.to_string())
    }
}

impl From<cushmem_environment::BadValue> for Error {
    fn from(error: cushmem_environment::BadValue) -> Self {
        Self::new(format!("read {}", error.variable), error.cause)
    }
}
