//! Reading files of the operating system, and what can be wrong with them.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why the machine's topology cannot be determined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TopologyError {
    /// A file that every Linux system has cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// The operating system's error message.
        cause: String,
    },
    /// A file contains something unexpected.
    Parse {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        cause: String,
    },
}

impl fmt::Display for TopologyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read { path, cause } => write!(f, "discover topology: read {}: {cause}", path.display()),
            Self::Parse { path, cause } => write!(f, "discover topology: {}: {cause}", path.display()),
        }
    }
}

impl std::error::Error for TopologyError {}

/// Reads and parses a file that may be missing (containers hide much of sysfs).
pub(crate) fn optional<T: std::str::FromStr>(path: &Path) -> Result<Option<T>, TopologyError>
where
    T::Err: fmt::Display,
{
    let Ok(text) = std::fs::read_to_string(path) else { return Ok(None) };
    let value = text.trim().parse::<T>();
    value.map(Some).map_err(|error| TopologyError::Parse { path: path.into(), cause: error.to_string() })
}
