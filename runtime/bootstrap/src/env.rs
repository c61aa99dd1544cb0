//! The environment variables that pass between `shmemrun`, the library and the program. [`cushmem_environment::TABLE`]
//! lists all variables.
//!
//! The library takes its PE number, its place and the number of PEs from the launcher's welcome message. The variables
//! with these numbers are for scripts and for programs that do not use the library.

use std::time::Duration;

use crate::error::BootstrapError;
use cushmem_environment as environment;

/// Number of the inherited `SOCK_SEQPACKET` socket to the launcher.
pub const BOOTSTRAP_FD: &str = environment::BOOTSTRAP_FD.name;
/// Number of the inherited end of the lifeline, a `SOCK_SEQPACKET` socket. When the other end closes, the launcher has
/// ended.
pub const LIFELINE_FD: &str = environment::LIFELINE_FD.name;
/// The pipe through which the launcher collects this PE's standard error, if there is one.
pub const STDERR: &str = environment::STDERR.name;
/// The job's identifier.
pub const JOB: &str = environment::JOB.name;
/// This PE's number.
pub const PE: &str = environment::PE.name;
/// This PE's place, its index among the PEs of its machine; GPU `CUSHMEM_LOCAL_PE mod gpus` is its default GPU.
pub const LOCAL_PE: &str = environment::LOCAL_PE.name;
/// The number of PEs.
pub const N_PES: &str = environment::N_PES.name;
/// The number of virtual nodes, if there are several.
pub const NODES: &str = environment::NODES.name;
/// `1` if the machine has fewer hardware threads than PEs.
pub const OVERSUBSCRIBED: &str = environment::OVERSUBSCRIBED.name;
/// The CPUs that the PE was bound to.
pub const CPUS: &str = environment::CPUS.name;
/// `1`: PE 0 explains its paths.
pub const EXPLAIN: &str = environment::EXPLAIN.name;
/// Limit of the library's own waits, in seconds.
pub const WAIT_LIMIT_S: &str = environment::WAIT_LIMIT_S.name;
/// Limit of waits in barriers and collectives of kernels, in seconds.
pub const KERNEL_LIMIT_S: &str = environment::KERNEL_LIMIT_S.name;
/// Where this PE records what it does, if it should.
pub const RECORD: &str = environment::RECORD.name;
/// `1`: a PE counts its operations.
pub const STATS: &str = environment::STATS.name;
/// Number of the pipe to the `shmemrun` that the user started. If it is set, this `shmemrun` is the supervisor of a
/// job.
pub const SUPERVISOR_FD: &str = environment::SUPERVISOR_FD.name;
/// Which part of a job on several hosts this `shmemrun` runs.
pub const HOST_PART: &str = environment::HOST_PART.name;
/// `1` if PE 0 of such a job gets standard input.
pub const HOST_INPUT: &str = environment::HOST_INPUT.name;
/// The variables that have come with such a job.
pub const HOST_VARIABLES: &str = environment::HOST_VARIABLES.name;
/// CUDA's variable that chooses between lazy and eager loading of kernels.
pub const CUDA_MODULE_LOADING: &str = environment::CUDA_MODULE_LOADING.name;

const DEFAULT_WAIT_LIMIT: &str = environment::WAIT_LIMIT_S.default_value().expect("it has a default");
const DEFAULT_KERNEL_LIMIT: &str = environment::KERNEL_LIMIT_S.default_value().expect("it has a default");
/// The largest value of [`WAIT_LIMIT_S`] and of [`KERNEL_LIMIT_S`].
pub const LONGEST_WAIT_LIMIT_S: &str = "86400";
const WAIT_LIMIT_RANGE_S: std::ops::RangeInclusive<f64> = 0.01..=86_400.0;

/// The limit of the library's own waits. An empty variable counts as unset.
pub fn wait_limit() -> Result<Duration, BootstrapError> {
    limit(WAIT_LIMIT_S, DEFAULT_WAIT_LIMIT)
}

/// The limit of waits in barriers and collectives of kernels. An empty variable counts as unset.
pub fn kernel_limit() -> Result<Duration, BootstrapError> {
    limit(KERNEL_LIMIT_S, DEFAULT_KERNEL_LIMIT)
}

fn limit(variable: &'static str, default: &str) -> Result<Duration, BootstrapError> {
    let given = text(variable)?.filter(|text| !text.is_empty());
    parse_limit(variable, given.as_deref().unwrap_or(default))
}

fn parse_limit(variable: &'static str, value: &str) -> Result<Duration, BootstrapError> {
    match value.trim().parse::<f64>() {
        Ok(seconds) if WAIT_LIMIT_RANGE_S.contains(&seconds) => Ok(Duration::from_secs_f64(seconds)),
        _ => Err(BootstrapError::Environment {
            variable,
            cause: format!("'{}' is not a number of seconds from 0.01 to 86400", value.escape_debug()),
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
        _ => Err(BootstrapError::Environment {
            variable,
            cause: format!("'{}' is not a file descriptor number", value.escape_debug()),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_take_fractions_and_refuse_nonsense() {
        for (variable, default, seconds) in
            [(WAIT_LIMIT_S, DEFAULT_WAIT_LIMIT, 30), (KERNEL_LIMIT_S, DEFAULT_KERNEL_LIMIT, 300)]
        {
            let parse = |text| parse_limit(variable, text);
            assert_eq!(parse(default).unwrap(), Duration::from_secs(seconds));
            assert_eq!(parse("0.5").unwrap(), Duration::from_millis(500));
            for bad in ["", "0", "-1", "nan", "inf", "1e9", "ten"] {
                let message = parse(bad).unwrap_err().to_string();
                assert!(message.contains(variable) && message.contains("0.01 to 86400"), "{message}");
            }
        }
    }
}
