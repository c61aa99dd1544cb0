//! Starts `shmemrun` from a test, and looks for what a job has left behind.
//!
//! Every job has a mark of its own among its arguments, so the launcher's processes, the PEs and their children all
//! have it in their command lines. Every job has a watchdog: if the job takes far too long, the watchdog ends it, and
//! the test fails.

mod job;
mod leftovers;
mod limits;
mod seed;
mod threads;

pub use job::{
    Finished, Job, Running, built, children, eventually, expect_at_time_limit, expect_status_of,
    expect_within_wait_limit, fault_pe,
};
pub use leftovers::{Before, is_pending, pids_with_mark, state};
pub use limits::{leave_no_descriptor, limit_open_files};
pub use seed::seeded;
pub use threads::{let_go, other_threads, stop_thread, thread};
