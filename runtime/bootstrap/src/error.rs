//! What can go wrong in the rendezvous.

use std::fmt;
use std::time::Duration;

/// An error of the rendezvous. Its text names the operation first, then the cause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BootstrapError {
    /// An environment variable has a value that cannot be used.
    Environment {
        /// The variable's name.
        variable: &'static str,
        /// What is wrong with it.
        cause: String,
    },
    /// The process has already joined the job.
    AlreadyJoined,
    /// A system call failed.
    System {
        /// What was being done.
        operation: String,
        /// The operating system's description.
        cause: String,
    },
    /// The processes of the job cannot meet.
    Meeting {
        /// Why, and what the user can do.
        cause: String,
    },
    /// The launcher has closed its end.
    LauncherGone {
        /// What was being done.
        operation: String,
    },
    /// The launcher did not answer within the wait limit.
    LauncherSilent {
        /// What was being done.
        operation: String,
        /// How long this PE waited.
        waited: Duration,
    },
    /// Some PEs did not arrive within the wait limit.
    Late {
        /// What was being done.
        operation: String,
        /// The PEs that have not arrived.
        pes: Vec<u32>,
        /// How long this PE waited.
        waited: Duration,
    },
    /// The launcher refused the call. Its reason names the PEs concerned.
    Refused {
        /// What was being done.
        operation: String,
        /// The launcher's reason.
        reason: String,
    },
    /// The call's own arguments are out of range.
    Argument {
        /// What was being done.
        operation: String,
        /// What is wrong.
        cause: String,
    },
    /// A message did not follow the protocol.
    Malformed {
        /// What was being done.
        operation: String,
        /// What is wrong with it.
        cause: String,
    },
    /// An earlier call failed, so the PEs no longer agree on what comes next.
    Broken {
        /// What was being done.
        operation: String,
        /// The earlier error.
        earlier: String,
    },
}

/// Refers to the party that keeps a job together: `shmemrun`, or a thread of a PE.
pub(crate) const SILENT: &str = "the job's server has not answered";

impl fmt::Display for BootstrapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Environment { variable, cause } => write!(f, "bootstrap: environment variable {variable}: {cause}"),
            Self::AlreadyJoined => {
                write!(
                    f,
                    "bootstrap: this process has already joined its job; it can join again only after finalize, and a forked child never"
                )
            }
            Self::System { operation, cause } => write!(f, "{operation}: {cause}"),
            Self::Meeting { cause } => write!(f, "join the job: {cause}"),
            Self::LauncherGone { operation } => write!(f, "{operation}: the job's server has closed the connection"),
            Self::LauncherSilent { operation, waited } => {
                write!(f, "{operation}: {SILENT} after {}", Seconds(*waited))
            }
            Self::Late { operation, pes, waited } => {
                let have = if pes.len() == 1 { "has" } else { "have" };
                write!(f, "{operation}: {} {have} not arrived after {}", PeList(pes), Seconds(*waited))
            }
            Self::Refused { operation, reason } => write!(f, "{operation}: {reason}"),
            Self::Argument { operation, cause } => write!(f, "{operation}: {cause}"),
            Self::Malformed { operation, cause } => write!(f, "{operation}: malformed message: {cause}"),
            Self::Broken { operation, earlier } => {
                write!(f, "{operation}: not possible after an earlier error: {earlier}")
            }
        }
    }
}

impl std::error::Error for BootstrapError {}

/// Writes `PE 3`, `PEs 1, 3`, or for a long list the first eight and the number of the others.
pub struct PeList<'a>(pub &'a [u32]);

impl fmt::Display for PeList<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        f.write_str(if self.0.len() == 1 { "PE " } else { "PEs " })?;
        for (index, pe) in self.0.iter().take(SHOWN).enumerate() {
            write!(f, "{}{pe}", if index == 0 { "" } else { ", " })?;
        }
        match self.0.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Writes a duration as `30 s` or `0.5 s`.
pub struct Seconds(pub Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", (self.0.as_secs_f64() * 100.0).round() / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn late_error_names_operation_pe_and_limit() {
        let late = |pes: Vec<u32>| BootstrapError::Late {
            operation: "allgather gpu-heap".into(),
            pes,
            waited: Duration::from_secs(30),
        };
        assert_eq!(late(vec![3]).to_string(), "allgather gpu-heap: PE 3 has not arrived after 30 s");
        assert_eq!(late(vec![1, 3]).to_string(), "allgather gpu-heap: PEs 1, 3 have not arrived after 30 s");
        assert!(late((0..20).collect()).to_string().contains("PEs 0, 1, 2, 3, 4, 5, 6, 7 and 12 more have"));
    }
}
