//! Every environment variable that passes between `shmemrun`, the library and the program.
//!
//! | variable | set by | read by | meaning |
//! |---|---|---|---|
//! | `CUSHMEM_BOOTSTRAP_FD` | shmemrun | library | number of the inherited socket to the launcher |
//! | `CUSHMEM_LIFELINE_FD` | shmemrun | library | number of the inherited read end of the lifeline pipe |
//! | `CUSHMEM_JOB` | shmemrun | library, people | the job's identifier, 32 hexadecimal digits |
//! | `CUSHMEM_PE` | shmemrun | program | this PE's number |
//! | `CUSHMEM_LOCAL_PE` | shmemrun | program | this PE's number among those of its machine |
//! | `CUSHMEM_N_PES` | shmemrun | program | the number of PEs |
//! | `CUSHMEM_OVERSUBSCRIBED` | shmemrun | program | `1` if there are more PEs than hardware threads, else `0` |
//! | `CUSHMEM_CPUS` | shmemrun | program | the CPUs this PE was bound to, as a list (`0-3,8`); absent if it was not |
//! | `CUSHMEM_WAIT_LIMIT_S` | user | library | limit of the library's own waits in seconds, 30 if absent |
//! | `CUSHMEM_SUPERVISOR_FD` | shmemrun | its second process | number of the inherited read end of the pipe between the two; PEs do not see it |
//! | `CUDA_MODULE_LOADING` | shmemrun, unless set | CUDA | `EAGER`: a kernel loaded while another spins would wait for it |
//!
//! The library takes its PE number and the number of PEs from the launcher's welcome message; the variables with
//! these numbers serve scripts and programs that do not use the library.

use std::time::Duration;

use crate::error::BootstrapError;

/// Number of the inherited `SOCK_SEQPACKET` socket to the launcher.
pub const BOOTSTRAP_FD: &str = "CUSHMEM_BOOTSTRAP_FD";
/// Number of the inherited read end of the lifeline pipe; its end of file means that the launcher is gone.
pub const LIFELINE_FD: &str = "CUSHMEM_LIFELINE_FD";
/// The job's identifier.
pub const JOB: &str = "CUSHMEM_JOB";
/// This PE's number.
pub const PE: &str = "CUSHMEM_PE";
/// This PE's number among those of its machine; GPU `CUSHMEM_LOCAL_PE mod gpus` is its default GPU.
pub const LOCAL_PE: &str = "CUSHMEM_LOCAL_PE";
/// The number of PEs.
pub const N_PES: &str = "CUSHMEM_N_PES";
/// `1` if the machine has fewer hardware threads than PEs.
pub const OVERSUBSCRIBED: &str = "CUSHMEM_OVERSUBSCRIBED";
/// The CPUs that the PE was bound to.
pub const CPUS: &str = "CUSHMEM_CPUS";
/// Limit of the library's own waits in seconds.
pub const WAIT_LIMIT_S: &str = "CUSHMEM_WAIT_LIMIT_S";
/// Tells a `shmemrun` that it is the second process of a job; number of its end of the pipe to the first.
pub const SUPERVISOR_FD: &str = "CUSHMEM_SUPERVISOR_FD";
/// CUDA's variable that chooses between lazy and eager loading of kernels.
pub const CUDA_MODULE_LOADING: &str = "CUDA_MODULE_LOADING";

const DEFAULT_WAIT_LIMIT: Duration = Duration::from_secs(30);
const WAIT_LIMIT_RANGE_S: std::ops::RangeInclusive<f64> = 0.01..=86_400.0;

/// The limit of the library's own waits.
pub fn wait_limit() -> Result<Duration, BootstrapError> {
    match text(WAIT_LIMIT_S)? {
        None => Ok(DEFAULT_WAIT_LIMIT),
        Some(value) => parse_wait_limit(&value),
    }
}

fn parse_wait_limit(value: &str) -> Result<Duration, BootstrapError> {
    match value.trim().parse::<f64>() {
        Ok(seconds) if WAIT_LIMIT_RANGE_S.contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(BootstrapError::Environment {
            variable: WAIT_LIMIT_S,
            cause: format!("'{value}' is not a number of seconds from 0.01 to 86400"),
        }),
    }
}

/// The variable's value, if it is set; an error if it is not UTF-8.
pub(crate) fn text(variable: &'static str) -> Result<Option<String>, BootstrapError> {
    match std::env::var(variable) {
        Ok(value) => Ok(Some(value)),
        Err(std::env::VarError::NotPresent) => Ok(None),
        Err(std::env::VarError::NotUnicode(_)) => {
            Err(BootstrapError::Environment { variable, cause: "its value is not UTF-8".into() })
        }
    }
}

/// The file descriptor number that the variable names, if it is set.
pub(crate) fn descriptor(variable: &'static str) -> Result<Option<i32>, BootstrapError> {
    let Some(value) = text(variable)? else { return Ok(None) };
    match value.parse::<i32>() {
        Ok(number) if number >= 0 => Ok(Some(number)),
        _ => Err(BootstrapError::Environment { variable, cause: format!("'{value}' is not a file descriptor number") }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wait_limit_takes_fractions_and_refuses_nonsense() {
        assert_eq!(parse_wait_limit("0.5").unwrap(), Duration::from_millis(500));
        for bad in ["", "0", "-1", "nan", "inf", "1e9", "ten"] {
            let message = parse_wait_limit(bad).unwrap_err().to_string();
            assert!(message.contains(WAIT_LIMIT_S) && message.contains("0.01 to 86400"), "{message}");
        }
    }
}
