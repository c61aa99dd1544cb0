//! The PE's side of the rendezvous.

use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::Duration;

use crate::channel::{Contribution, JobChannel, NodeChannel, WaitLimit, gather};
use crate::connection::operation;
use crate::env;
use crate::error::BootstrapError;
use crate::exit;
use crate::lifeline::Watched;
use crate::output::{self, FLUSH_LIMIT};
use crate::said::{Said, Words, ended_by, has_ended, print_pending};
use crate::server::{Server, TELL_LIMIT};
use crate::start::Membership;
use crate::wire::{MessageKind, check_lengths};

/// What a PE knows about its job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// This PE's number, from 0.
    pub my_pe: u32,
    /// The number of PEs.
    pub n_pes: u32,
    /// This PE's host, from 0. The PEs of a host can share memory.
    pub host: u32,
    /// This PE's place: its index among the PEs of its machine, from 0. It decides the PE's cores, its GPU and its slot
    /// in the windows of memory. `shmemrun --map` chooses which PE has which place.
    pub local_pe: u32,
    /// Whether the machine has fewer hardware threads than the job has PEs; if so, a thread that waits should yield
    /// early.
    pub oversubscribed: bool,
    /// The job's identifier, unique among jobs; empty in a job of one PE that no launcher started.
    pub id: String,
}

/// How long a lifeline may take to end this process, apart from flushing its output. The message or the end of
/// connection that it waits for is already on its way.
const EXPLAIN_LIMIT: Duration = Duration::from_secs(1);

/// A PE's connection to its job.
#[derive(Debug)]
pub struct Bootstrap {
    /// Dropped before the channels: once this process leaves the job, a closed channel no longer means that the job has
    /// failed.
    watched: Option<Watched>,
    job: Job,
    all: Arc<dyn JobChannel>,
    node: Arc<dyn NodeChannel>,
    keeper: Keeper,
    said: Arc<Said>,
    /// Dropped last: when the process may join again, nothing of this job is left.
    membership: Membership,
}

/// Who keeps the job together.
#[derive(Debug)]
pub(crate) enum Keeper {
    /// `shmemrun`, which also prints why a PE ends the job.
    Launcher,
    /// A thread of this process.
    Here(Server),
    /// A thread of another process, or nobody in a job of one PE.
    Elsewhere,
}

impl Bootstrap {
    /// A PE that has joined.
    pub(crate) fn new(
        membership: Membership,
        job: Job,
        all: Arc<dyn JobChannel>,
        node: Arc<dyn NodeChannel>,
        keeper: Keeper,
    ) -> Self {
        let collecting = if matches!(keeper, Keeper::Launcher) { env::text(env::STDERR).ok().flatten() } else { None };
        let said = Arc::new(Said::new(job.my_pe, collecting));
        Bootstrap { watched: None, job, all, node, keeper, said, membership }
    }

    /// This PE, with the lifeline that has watched it since it joined.
    pub(crate) fn watched(self, watched: Watched) -> Self {
        let said = watched.said().clone();
        Bootstrap { watched: Some(watched), said, ..self }
    }

    /// What this PE knows about its job.
    #[inline]
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Gives every PE's bytes to every PE; the result is indexed by PE.
    ///
    /// All PEs make the calls in the same order and with the same `what` (up to 128 bytes); `bytes` holds up to 64 KiB.
    /// The call waits up to the wait limit; the error names the PEs that have not arrived. After an error, every later
    /// call fails.
    pub fn allgather(&self, what: &str, bytes: &[u8]) -> Result<Vec<Vec<u8>>, BootstrapError> {
        check(MessageKind::Gather, what, bytes)?;
        self.explained(gather(&*self.all, what, bytes))
    }

    /// Gives every PE of this node the bytes of each of them, and the descriptor of each that passed one. The result is
    /// in the order of PE numbers. Otherwise like [`Self::allgather`], with a choice of what happens after the wait
    /// limit.
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

    /// Like [`Self::share`], but passes each PE's number and contribution to `each` as it arrives. If every PE passes a
    /// descriptor, there may be more of them than a process can have open.
    pub fn share_each(
        &self,
        what: &str,
        bytes: &[u8],
        fd: Option<BorrowedFd<'_>>,
        limit: WaitLimit,
        mut each: impl FnMut(u32, Contribution),
    ) -> Result<(), BootstrapError> {
        check(MessageKind::Gather, what, bytes)?;
        self.explained(self.node.share(what, bytes, fd, limit, &mut each))
    }

    /// Waits until all PEs have called it with the same `what`, up to the wait limit.
    pub fn fence(&self, what: &str) -> Result<(), BootstrapError> {
        self.fence_with(what, WaitLimit::Limited)
    }

    /// Like [`Self::fence`], with a choice of what happens after the wait limit.
    pub fn fence_with(&self, what: &str, limit: WaitLimit) -> Result<(), BootstrapError> {
        check(MessageKind::Fence, what, &[])?;
        self.explained(self.all.fence(what, limit))
    }

    /// Waits until all PEs have called it. A PE that exits with status 0 before this call has returned counts as
    /// failed.
    ///
    /// Some PEs may have much more work left than others, so the wait has no limit; late PEs are named on stderr.
    /// Once this value has been dropped after it, the process may join again.
    pub fn finalize(&self) -> Result<(), BootstrapError> {
        self.explained(self.all.finalize())?;
        if let Keeper::Here(server) = &self.keeper {
            server.wait_until_told(TELL_LIMIT);
        }
        self.membership.has_finalized();
        Ok(())
    }

    /// Passes on the result of a call. If the job is ending, this process's lifeline prints why and ends the process.
    /// The caller knows less than the lifeline does, so it waits for that.
    fn explained<T>(&self, result: Result<T, BootstrapError>) -> Result<T, BootstrapError> {
        let may_be_ending = matches!(result, Err(BootstrapError::Refused { .. } | BootstrapError::LauncherGone { .. }));
        if may_be_ending && self.watched.is_some() {
            std::thread::sleep(EXPLAIN_LIMIT + FLUSH_LIMIT);
        }
        result
    }

    /// Uses these words, which the PEs of this node share, to print a line about the end of the job once that several
    /// of them would print.
    pub fn share_words(&self, words: Arc<dyn Words>) {
        self.said.share(words);
    }

    /// Prints the line `cushmem: PE n: text`.
    pub fn say(&self, text: &str) {
        self.said.say(text);
    }

    /// Ends the whole job with exit status `code` and a message. All PEs flush their output ([`FLUSH_LIMIT`]) and end
    /// without running exit handlers. Any thread may call it, even while another thread waits in a collective call.
    ///
    /// As with `exit`, the status is the low byte of `code`; a code other than 0 whose low byte is 0 becomes 1.
    pub fn abort(&self, code: i32, message: &str) -> ! {
        let status = low_byte(code);
        let by_launcher = matches!(self.keeper, Keeper::Launcher);
        let told = self.end(status, if by_launcher { "" } else { message }, message);
        if by_launcher && !told && !message.is_empty() {
            self.said.say_end(message);
        }
        self.exit(status, told)
    }

    /// Like [`Self::abort`], but this PE prints the message before, under `shmemrun` too, unless another PE of this
    /// node has printed the same. Waits for a second at most.
    pub fn abort_with_line(&self, code: i32, message: &str) -> ! {
        let status = low_byte(code);
        let told = self.end(status, message, "");
        self.exit(status, told)
    }

    /// Asks for the end of the job. Returns true if the others will be told, with the message. If there is a line, this
    /// PE prints it before, and then others need not print that this PE has ended the job. In this order, so that the
    /// reason is not lost if this PE is killed or stopped on the way.
    fn end(&self, status: i32, line: &str, message: &str) -> bool {
        self.leave();
        if !line.is_empty() && self.said.say_end(line) {
            self.said.note(&has_ended(&ended_by(self.job.my_pe, status, message)));
        }
        self.all.abort(status, message)
    }

    /// From now on this process ends by itself. The process that keeps the job together may be gone before this one has
    /// flushed its output.
    fn leave(&self) {
        if let Some(watched) = &self.watched {
            watched.leave();
        }
    }

    /// Ends this process.
    fn exit(&self, status: i32, told: bool) -> ! {
        print_pending();
        output::flush();
        if let (Keeper::Here(server), true) = (&self.keeper, told) {
            server.wait_until_told(TELL_LIMIT);
        }
        exit::run_within_limit();
        // SAFETY: `_exit` ends the process; no destructor or handler runs, so none can see state that is half updated.
        unsafe { libc::_exit(status) }
    }
}

/// The exit status for a code.
fn low_byte(code: i32) -> i32 {
    if code != 0 && code & 0xff == 0 { 1 } else { code & 0xff }
}

/// Checks the lengths of a PE's contribution.
fn check(kind: MessageKind, what: &str, bytes: &[u8]) -> Result<(), BootstrapError> {
    check_lengths(what, bytes).map_err(|cause| BootstrapError::Argument { operation: operation(kind, what), cause })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::{Alone, Each};
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[derive(Debug, Default)]
    struct Table([AtomicU64; 2]);

    impl Words for Table {
        fn words(&self) -> &[AtomicU64] {
            &self.0
        }
    }

    /// Keeps what had been printed when the job's end was asked for.
    #[derive(Debug)]
    struct Channel {
        table: Arc<Table>,
        before: Mutex<Option<Vec<u64>>>,
    }

    impl JobChannel for Channel {
        fn allgather(&self, what: &str, bytes: &[u8], limit: WaitLimit, each: Each<'_>) -> Result<(), BootstrapError> {
            JobChannel::allgather(&Alone, what, bytes, limit, each)
        }

        fn fence(&self, _: &str, _: WaitLimit) -> Result<(), BootstrapError> {
            Ok(())
        }

        fn finalize(&self) -> Result<(), BootstrapError> {
            Ok(())
        }

        fn abort(&self, _: i32, _: &str) -> bool {
            // Relaxed: one thread.
            let words = self.table.0.iter().map(|word| word.load(Ordering::Relaxed)).collect();
            *self.before.lock().unwrap() = Some(words);
            true
        }
    }

    /// Catches a PE that says that the reason has been printed, or ends the others, before it has printed the reason:
    /// if it was killed or stopped in between, nobody printed it.
    #[test]
    fn the_reason_is_printed_before_others_are_told() {
        let (table, other) = (Arc::new(Table::default()), Arc::new(Table::default()));
        let channel = Arc::new(Channel { table: table.clone(), before: Mutex::default() });
        let job = Job { my_pe: 3, n_pes: 4, host: 0, local_pe: 3, oversubscribed: false, id: "job".into() };
        let pe = Bootstrap::new(Membership::of_a_test(), job, channel.clone(), Arc::new(Alone), Keeper::Elsewhere);
        pe.share_words(table);
        assert!(pe.end(7, "as the test wants", "as the test wants"));
        let said = Said::new(3, None);
        said.share(other.clone());
        said.note("as the test wants");
        said.note("the job has ended: PE 3 ended it with status 7: as the test wants");
        let in_order: Vec<u64> = other.0.iter().map(|word| word.load(Ordering::Relaxed)).collect();
        assert_eq!(channel.before.lock().unwrap().take(), Some(in_order), "first the reason, then the note");
    }
}
