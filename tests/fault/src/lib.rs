//! Starting `shmemrun` from a test, and looking for what a job has left behind.
//!
//! Every job carries a mark of its own among its arguments, which the launcher's processes, the PEs and their children all show in their
//! command lines. Every job has a watchdog: the tests end it, and fail, if it takes far longer than it should.

mod job;
mod leftovers;
mod seed;

pub use job::{Finished, Job, Running, fault_pe};
pub use leftovers::{Before, pids_with_mark};
pub use seed::Random;
