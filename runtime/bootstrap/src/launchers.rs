//! The environment variables of other launchers.

use cushmem_environment as environment;
use cushmem_environment::Variable;

use crate::env;
use crate::error::BootstrapError;

/// The ways to join a job, for a process that has found none.
const WAYS: &str = "start the program with shmemrun -n N, or pass a unique id from one process to all \
    (shmemx_get_uniqueid, shmemx_init_attr; in Rust UniqueId::create, init_uid)";

/// Launchers that connect the processes which they start only if they are told to, the variable with the number of
/// processes, and how they are told.
const OTHERS: [(&str, &Variable, &str); 5] = [
    ("Open MPI's mpirun or oshrun", &environment::OMPI_COMM_WORLD_SIZE, "use a version of it with PMIx"),
    ("srun", &environment::SLURM_STEP_NUM_TASKS, "use srun --mpi=pmix or srun --mpi=pmi2"),
    ("flux", &environment::FLUX_JOB_SIZE, "use flux run with its PMI"),
    ("mpirun of MVAPICH", &environment::MV2_COMM_WORLD_SIZE, "use its mpiexec"),
    ("a launcher with PMI", &environment::PMI_SIZE, "use one that sets PMI_FD"),
];

/// Fails if another launcher has started several processes: each would silently be a job of its own.
pub(crate) fn refuse_unknown() -> Result<(), BootstrapError> {
    for (launcher, variable, remedy) in OTHERS {
        let size = env::text(variable.name)?.and_then(|text| text.trim().parse::<u64>().ok());
        if let Some(size) = size.filter(|size| *size > 1) {
            let cause = format!(
                "{launcher} has started {size} processes ({}={size}), but neither PMIx nor PMI connects them: {remedy}, {WAYS}",
                variable.name
            );
            return Err(BootstrapError::Meeting { cause });
        }
    }
    Ok(())
}
