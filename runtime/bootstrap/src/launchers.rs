//! The environment variables of other launchers.

use cushmem_environment as environment;
use cushmem_environment::{MAX_PES, Variable};

use crate::env;
use crate::error::BootstrapError;

/// The ways to join a job, for a process that has found none.
const WAYS: &str = "start the program with shmemrun -n N, or pass a unique id from one process to all \
    (shmemx_get_uniqueid, shmemx_init_attr; in Rust UniqueId::create, init_uid)";

/// Launchers that start processes but give this library no way to connect them, and the variable with the number of
/// processes.
const OTHERS: [(&str, &Variable); 5] = [
    ("Open MPI's mpirun or oshrun", &environment::OMPI_COMM_WORLD_SIZE),
    ("srun", &environment::SLURM_STEP_NUM_TASKS),
    ("flux", &environment::FLUX_JOB_SIZE),
    ("mpirun of MVAPICH", &environment::MV2_COMM_WORLD_SIZE),
    ("a launcher with PMI", &environment::PMI_SIZE),
];

/// Fails if another launcher has started several processes: each would silently be a job of its own.
pub(crate) fn refuse_unknown() -> Result<(), BootstrapError> {
    for (launcher, variable) in OTHERS {
        let size = env::text(variable.name)?.and_then(|text| text.trim().parse::<u64>().ok());
        if let Some(size) = size.filter(|size| *size > 1) {
            let cause = format!(
                "{launcher} has started {size} processes ({}={size}), which cannot join by themselves: {WAYS}",
                variable.name
            );
            return Err(BootstrapError::Meeting { cause });
        }
    }
    // PMIx gives processes their numbers in the environment, but not how many there are. Process 0 may be the only one.
    let rank = env::text(environment::PMIX_RANK.name)?.and_then(|text| text.trim().parse::<u64>().ok());
    if let Some(rank) = rank.filter(|rank| *rank > 0) {
        let name = environment::PMIX_RANK.name;
        let cause = format!(
            "a launcher with PMIx has started several processes ({name}={rank}), which cannot join by themselves: {WAYS}"
        );
        return Err(BootstrapError::Meeting { cause });
    }
    Ok(())
}

/// What torchrun tells each process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Torchrun {
    /// This process's number.
    pub(crate) rank: u32,
    /// The number of processes.
    pub(crate) size: u32,
    port: u16,
    run_id: String,
    restarts: u32,
    /// How many jobs these processes have had before.
    pub(crate) jobs_before: u32,
}

impl Torchrun {
    /// Reads the environment. `None` if torchrun did not start this process.
    pub(crate) fn from_env() -> Result<Option<Torchrun>, BootstrapError> {
        Torchrun::read(env::text)
    }

    fn read(
        get: impl Fn(&'static str) -> Result<Option<String>, BootstrapError>,
    ) -> Result<Option<Torchrun>, BootstrapError> {
        let Some(run_id) = get(environment::TORCHELASTIC_RUN_ID.name)? else { return Ok(None) };
        let number = |variable: &'static Variable, valid: std::ops::RangeInclusive<u32>| {
            let (name, text) = (variable.name, get(variable.name)?);
            let text = text.or_else(|| variable.default_value().map(str::to_owned)).unwrap_or_default();
            text.trim().parse().ok().filter(|number| valid.contains(number)).ok_or_else(|| {
                BootstrapError::Environment {
                    variable: name,
                    cause: format!(
                        "torchrun started this process, and '{}' is not a number from {} to {}",
                        text.escape_debug(),
                        valid.start(),
                        valid.end()
                    ),
                }
            })
        };
        let size = number(&environment::WORLD_SIZE, 1..=MAX_PES)?;
        let rank = number(&environment::RANK, 0..=size - 1)?;
        let here = number(&environment::LOCAL_WORLD_SIZE, 1..=MAX_PES)?;
        let port = number(&environment::MASTER_PORT, 1..=u32::from(u16::MAX))? as u16;
        let restarts = number(&environment::TORCHELASTIC_RESTART_COUNT, 0..=u32::MAX)?;
        if here != size {
            let cause = format!(
                "torchrun has started {size} processes, {here} of them on this host, and this version joins the PEs of one machine only: start \
                them on one, or join those of each host with a unique id of their own (shmemx_get_uniqueid on one, broadcast it, \
                shmemx_init_attr on all)"
            );
            return Err(BootstrapError::Meeting { cause });
        }
        Ok(Some(Torchrun { rank, size, port, run_id, restarts, jobs_before: 0 }))
    }

    /// Distinguishes this job from others; the same in all of its processes.
    pub(crate) fn job_id(&self) -> String {
        let run_id: String = self.run_id.chars().filter(char::is_ascii_alphanumeric).take(36).collect();
        format!("torchrun-{}-{run_id}-{}-{}-{}", self.port, self.restarts, self.size, self.jobs_before)
    }

    /// The name of the local socket at which the processes of this job meet.
    pub(crate) fn socket_name(&self, user: u32) -> String {
        format!("cushmem-{user}-{}", self.job_id())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(change: &[(&str, &str)]) -> Result<Option<Torchrun>, BootstrapError> {
        let usual = [
            ("TORCHELASTIC_RUN_ID", "none"),
            ("TORCHELASTIC_RESTART_COUNT", "0"),
            ("RANK", "1"),
            ("WORLD_SIZE", "4"),
            ("LOCAL_WORLD_SIZE", "4"),
            ("MASTER_PORT", "29500"),
        ];
        Torchrun::read(|name| {
            let found = change.iter().chain(&usual).find(|(variable, _)| *variable == name);
            Ok(found.map(|(_, value)| value.to_string()).filter(|value| !value.is_empty()))
        })
    }

    #[test]
    fn processes_of_one_run_have_one_name() {
        let one = read(&[]).unwrap().unwrap();
        let other = read(&[("RANK", "3")]).unwrap().unwrap();
        assert_eq!((one.rank, one.size, other.rank), (1, 4, 3));
        assert_eq!(one.socket_name(7), other.socket_name(7));
        for change in [("MASTER_PORT", "29501"), ("TORCHELASTIC_RESTART_COUNT", "1"), ("TORCHELASTIC_RUN_ID", "x/y")] {
            assert_ne!(read(&[change]).unwrap().unwrap().socket_name(7), one.socket_name(7));
        }
        assert_ne!(Torchrun { jobs_before: 1, ..other }.socket_name(7), one.socket_name(7));
        let long = read(&[("TORCHELASTIC_RUN_ID", &"x".repeat(200))]).unwrap().unwrap();
        let long = Torchrun { port: u16::MAX, restarts: u32::MAX, size: MAX_PES, jobs_before: u32::MAX, ..long };
        // The name of an abstract socket can have 107 bytes.
        assert!(long.socket_name(u32::MAX).len() < 107);
    }

    #[test]
    fn without_torchrun_there_is_nothing() {
        assert_eq!(read(&[("TORCHELASTIC_RUN_ID", "")]), Ok(None));
    }

    #[test]
    fn wrong_values_are_named_with_their_range() {
        for (name, value, range) in [
            ("RANK", "4", "0 to 3"),
            ("RANK", "x", "0 to 3"),
            ("WORLD_SIZE", "", "1 to 65536"),
            ("MASTER_PORT", "70000", "1 to 65535"),
        ] {
            let text = read(&[(name, value)]).unwrap_err().to_string();
            assert!(text.contains(name) && text.contains(range), "{text}");
        }
        let text = read(&[("LOCAL_WORLD_SIZE", "2")]).unwrap_err().to_string();
        assert!(text.contains("2 of them on this host") && text.contains("shmemx_init_attr"), "{text}");
    }
}
