//! The PE's side of the rendezvous.

use std::io::Write;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::connection::{Connection, join, operation, system};
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

/// What a PE contributed to an allgather.
#[derive(Debug)]
pub struct Contribution {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Its file descriptor, if it passed one. It is a copy that this process owns, closed on exec.
    pub fd: Option<OwnedFd>,
}

/// What happens after the wait limit if other PEs have not arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitLimit {
    /// The call fails and names them. For steps that all PEs take together, without the program's own code in between.
    Limited,
    /// The call names them on stderr and goes on waiting. For calls that a PE may have good reason to reach much later than another.
    Unlimited,
}

/// A PE's connection to its job.
#[derive(Debug)]
pub struct Bootstrap {
    job: Job,
    /// Absent without a launcher.
    connection: Option<Connection>,
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
            return Ok(Bootstrap { job, connection: None });
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
        Ok(Bootstrap { job, connection: Some(connection) })
    }

    /// What this PE knows of its job.
    #[inline]
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Gives every PE's bytes, and descriptor if it passed one, to every PE; the result is indexed by PE.
    ///
    /// All PEs call it in the same order with the same `what` (up to 128 bytes); `bytes` has up to 64 KiB. Waits up to
    /// the wait limit; the error names the PEs that have not arrived. After an error every later call fails.
    pub fn allgather(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
    ) -> Result<Vec<Contribution>, BootstrapError> {
        self.allgather_with(what, bytes, fd, WaitLimit::Limited)
    }

    /// Like [`Self::allgather`], with a choice of what happens after the wait limit.
    pub fn allgather_with(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        limit: WaitLimit,
    ) -> Result<Vec<Contribution>, BootstrapError> {
        let mut all = Vec::with_capacity(self.job.n_pes as usize);
        self.gather(what, bytes, fd, limit, &mut |_, contribution| all.push(contribution))?;
        Ok(all)
    }

    /// Like [`Self::allgather`], but passes each PE's contribution to `each` as it comes, in the order of the PEs: if every PE passes a
    /// descriptor, there may be more of them than a process can have open.
    pub fn allgather_each(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        mut each: impl FnMut(u32, Contribution),
    ) -> Result<(), BootstrapError> {
        self.gather(what, bytes, fd, WaitLimit::Limited, &mut each)
    }

    fn gather(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        limit: WaitLimit,
        each: &mut dyn FnMut(u32, Contribution),
    ) -> Result<(), BootstrapError> {
        let operation = operation(MessageKind::Gather, what);
        check_lengths(what, bytes).map_err(|cause| BootstrapError::Argument { operation: operation.clone(), cause })?;
        match &self.connection {
            Some(connection) => connection.round(self.job.n_pes, MessageKind::Gather, what, bytes, fd, limit, each),
            None => {
                let fd = fd.map(|fd| fd.try_clone_to_owned()).transpose();
                let fd = fd.map_err(|error| system(&operation, error))?;
                each(0, Contribution { bytes: bytes.to_vec(), fd });
                Ok(())
            }
        }
    }

    /// Waits until all PEs have called it with the same `what`, up to the wait limit.
    pub fn fence(&self, what: &str) -> Result<(), BootstrapError> {
        self.fence_with(what, WaitLimit::Limited)
    }

    /// Like [`Self::fence`], with a choice of what happens after the wait limit.
    pub fn fence_with(&self, what: &str, limit: WaitLimit) -> Result<(), BootstrapError> {
        self.without_data(MessageKind::Fence, what, limit)
    }

    /// Waits until all PEs have called it. A PE that exits with status 0 before it has returned counts as failed.
    ///
    /// Some PEs may have much more left to do than others, so the wait has no limit; late PEs are named on stderr.
    pub fn finalize(&self) -> Result<(), BootstrapError> {
        self.without_data(MessageKind::Finalize, "", WaitLimit::Unlimited)
    }

    /// Ends the whole job with exit status `code` and a message. This process ends at once, without running exit handlers. Any thread may
    /// call it, even while another waits in a collective call.
    ///
    /// As with `exit`, the status is the low byte of `code`; a code other than 0 whose low byte is 0 becomes 1.
    pub fn abort(&self, code: i32, message: &str) -> ! {
        let status = if code != 0 && code & 0xff == 0 { 1 } else { code & 0xff };
        let told = self.connection.as_ref().is_some_and(|connection| connection.send_abort(status, message));
        if !told && !message.is_empty() {
            // A closed stderr must not turn an abort into a panic.
            let _ = writeln!(std::io::stderr(), "cushmem: PE {}: {message}", self.job.my_pe);
        }
        // SAFETY: `_exit` ends the process; no destructor or handler runs, so no state is seen half-done.
        unsafe { libc::_exit(status) }
    }

    fn without_data(&self, kind: MessageKind, what: &str, limit: WaitLimit) -> Result<(), BootstrapError> {
        check_lengths(what, &[])
            .map_err(|cause| BootstrapError::Argument { operation: operation(kind, what), cause })?;
        match &self.connection {
            Some(connection) => connection.round(self.job.n_pes, kind, what, &[], None, limit, &mut |_, _| {}),
            None => Ok(()),
        }
    }
}
