//! What this PE has counted.

use crate::Shmem;
use crate::job::record;
use cushmem_record::Recorder;
pub use cushmem_record::{Cause, Count, Extra, Operation, Waited, Way};

/// What this PE has done so far, in all jobs that the process has joined.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// use cushmem::counters::{Operation, Way};
///
/// shmem.barrier_all()?;
/// // With `shmemrun --stats`.
/// if let Some(counters) = shmem.counters() {
///     assert!(counters.of(Operation::Barrier, None).operations >= 1);
///     println!("{} bytes over the network", counters.of(Operation::Put, Some(Way::Nic)).bytes);
/// }
/// # Ok(()) }) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Counters(&'static Recorder<'static>);

impl Counters {
    /// The operations of one kind, on one path or on all.
    pub fn of(&self, operation: Operation, path: Option<Way>) -> Count {
        self.0.counts(operation, path)
    }

    /// The operations of one kind on a PE, on one path or on all. Collectives, and what else is not on one PE, are not
    /// among them.
    pub fn on(&self, pe: u32, operation: Operation, path: Option<Way>) -> Count {
        self.0.counts_on(pe, operation, path)
    }

    /// Another count, such as how often the proxy slept.
    pub fn other(&self, what: Extra) -> u64 {
        self.0.extra(what)
    }

    /// The waits for one cause that were not over at once.
    pub fn waited(&self, cause: Cause) -> Waited {
        self.0.waited(cause)
    }
}

/// # What it has done
impl Shmem {
    /// Returns the counts of this PE (`shmemx_counters_get`). `None` unless it counts: `shmemrun --stats` or `--trace`
    /// has started it, or `CUSHMEM_STATS` is 1.
    /// [`Counters`](crate::counters::Counters) has an example.
    pub fn counters(&self) -> Option<Counters> {
        record::counting().map(Counters)
    }
}
