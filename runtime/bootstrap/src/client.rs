//! The PE's side of the rendezvous.

use std::io::Write;
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::channel::{Alone, Contribution, JobChannel, NodeChannel, WaitLimit};
use crate::connection::{join, operation, system};
use crate::env;
use crate::error::BootstrapError;
use crate::lifeline;
use crate::socket::SeqPacket;
use crate::wire::{MessageKind, check_lengths};

/// What a PE knows of its job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// This PE's number, from 0.
    pub my_pe: u32,
    /// The number of PEs.
    pub n_pes: u32,
    /// This PE's place: its index among the PEs of its machine, from 0. It decides the PE's cores, its GPU and its slot in the windows of
    /// memory. `shmemrun --map` chooses which PE has which place.
    pub local_pe: u32,
    /// Whether the machine has fewer hardware threads than the job has PEs; if so, a thread that waits should yield early.
    pub oversubscribed: bool,
    /// The job's identifier, unique among jobs; empty without a launcher.
    pub id: String,
}

/// A PE's connection to its job.
#[derive(Debug)]
pub struct Bootstrap {
    job: Job,
    all: Arc<dyn JobChannel>,
    node: Arc<dyn NodeChannel>,
}

/// The process that joined, or 0. It makes sure that a process joins only once: inherited descriptors that are taken twice would be
/// closed twice. The rule also holds without a launcher, so that a wrong program fails there too.
static JOINED: AtomicU32 = AtomicU32::new(0);

/// Whether this process is the one that joined: a forked child has a copy of its parent's memory, but it is not a PE.
pub fn joined_here() -> bool {
    // Relaxed: the process that joined stored its own number; every other process compares with a number that is not its own.
    JOINED.load(Ordering::Relaxed) == std::process::id()
}

impl Bootstrap {
    /// Joins the job that the environment names. Without a launcher this is a job of one PE.
    ///
    /// A process can join once, whether it succeeds or not. Fails if the inherited socket is not there, or the launcher does not answer.
    pub fn from_env() -> Result<Bootstrap, BootstrapError> {
        let wait_limit = env::wait_limit()?;
        // Relaxed: only one caller finds 0, and the exchange publishes nothing else.
        if JOINED.compare_exchange(0, std::process::id(), Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return Err(BootstrapError::AlreadyJoined);
        }
        let Some(socket_number) = env::descriptor(env::BOOTSTRAP_FD)? else {
            let job = Job { my_pe: 0, n_pes: 1, local_pe: 0, oversubscribed: false, id: String::new() };
            return Ok(Bootstrap { job, all: Arc::new(Alone), node: Arc::new(Alone) });
        };
        let absent = |variable| BootstrapError::Environment { variable, cause: "it is not set".into() };
        let lifeline_number = env::descriptor(env::LIFELINE_FD)?.ok_or_else(|| absent(env::LIFELINE_FD))?;
        let id = env::text(env::JOB)?.ok_or_else(|| absent(env::JOB))?;
        check_lengths("", id.as_bytes()).map_err(|cause| BootstrapError::Environment { variable: env::JOB, cause })?;
        let socket = SeqPacket::inherit(socket_number)
            .map_err(|cause| BootstrapError::Environment { variable: env::BOOTSTRAP_FD, cause })?;
        let lifeline = SeqPacket::inherit(lifeline_number)
            .map_err(|cause| BootstrapError::Environment { variable: env::LIFELINE_FD, cause })?;
        lifeline::watch(lifeline).map_err(|error| system("start the lifeline's watcher", error))?;
        let (mut job, connection) = join(socket, wait_limit, &id)?;
        job.id = id;
        let connection = Arc::new(connection);
        Ok(Bootstrap { job, all: connection.clone(), node: connection })
    }

    /// What this PE knows of its job.
    #[inline]
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Gives every PE's bytes to every PE; the result is indexed by PE.
    ///
    /// All PEs call it in the same order with the same `what` (up to 128 bytes); `bytes` has up to 64 KiB. Waits up to
    /// the wait limit; the error names the PEs that have not arrived. After an error every later call fails.
    pub fn allgather(&self, what: &str, bytes: &[u8]) -> Result<Vec<Vec<u8>>, BootstrapError> {
        check(MessageKind::Gather, what, bytes)?;
        let mut all = Vec::with_capacity(self.job.n_pes as usize);
        self.all.allgather(what, bytes, WaitLimit::Limited, &mut |_, contribution| all.push(contribution.bytes))?;
        Ok(all)
    }

    /// Gives the bytes of every PE of this node, and its descriptor if it passed one, to each of them; the result is in the order of
    /// their numbers. Otherwise like [`Self::allgather`], with a choice of what happens after the wait limit.
    pub fn share(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        limit: WaitLimit,
    ) -> Result<Vec<Contribution>, BootstrapError> {
        let mut all = Vec::with_capacity(self.job.n_pes as usize);
        self.share_each(what, bytes, fd, limit, |_, contribution| all.push(contribution))?;
        Ok(all)
    }

    /// Like [`Self::share`], but passes each PE's number and contribution to `each` as it comes: if every PE passes a descriptor, there
    /// may be more of them than a process can have open.
    pub fn share_each(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        limit: WaitLimit,
        mut each: impl FnMut(u32, Contribution),
    ) -> Result<(), BootstrapError> {
        check(MessageKind::Gather, what, bytes)?;
        self.node.share(what, bytes, fd, limit, &mut each)
    }

    /// Waits until all PEs have called it with the same `what`, up to the wait limit.
    pub fn fence(&self, what: &str) -> Result<(), BootstrapError> {
        self.fence_with(what, WaitLimit::Limited)
    }

    /// Like [`Self::fence`], with a choice of what happens after the wait limit.
    pub fn fence_with(&self, what: &str, limit: WaitLimit) -> Result<(), BootstrapError> {
        check(MessageKind::Fence, what, &[])?;
        self.all.fence(what, limit)
    }

    /// Waits until all PEs have called it. A PE that exits with status 0 before it has returned counts as failed.
    ///
    /// Some PEs may have much more left to do than others, so the wait has no limit; late PEs are named on stderr.
    pub fn finalize(&self) -> Result<(), BootstrapError> {
        self.all.finalize()
    }

    /// Ends the whole job with exit status `code` and a message. This process ends at once, without running exit handlers. Any thread may
    /// call it, even while another waits in a collective call.
    ///
    /// As with `exit`, the status is the low byte of `code`; a code other than 0 whose low byte is 0 becomes 1.
    pub fn abort(&self, code: i32, message: &str) -> ! {
        let status = if code != 0 && code & 0xff == 0 { 1 } else { code & 0xff };
        if !self.all.abort(status, message) && !message.is_empty() {
            // A closed stderr must not turn an abort into a panic.
            let _ = writeln!(std::io::stderr(), "cushmem: PE {}: {message}", self.job.my_pe);
        }
        // SAFETY: `_exit` ends the process; no destructor or handler runs, so no state is seen half-done.
        unsafe { libc::_exit(status) }
    }
}

/// Checks the lengths of what a PE contributes.
fn check(kind: MessageKind, what: &str, bytes: &[u8]) -> Result<(), BootstrapError> {
    check_lengths(what, bytes).map_err(|cause| BootstrapError::Argument { operation: operation(kind, what), cause })
}
