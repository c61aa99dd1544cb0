//! The CPU's half of triggers. [`cushmem_protocol::trigger`] has the protocol, and says why an operation runs exactly
//! once.
//!
//! * *Who runs it*, once its epoch is due and armed: the lanes of the scope whose bump makes the epoch due, if their
//!   GPU reaches what the operation changes; otherwise they ask the proxy. If that scope does not find the epoch armed,
//!   it leaves the epoch (`left`), and the thread that arms it later runs the operation ([`Trigger::run_here`]).
//! * *Streams*: [`Trigger::arm_on_stream`] parks a stream until lanes have left the epoch; then the stream runs the
//!   operation. To lanes the epoch is never armed. Normally the stream is parked before the epoch is due.
//! * *Chains*: a trigger that is bumped by another one is bumped by nothing else. So while the CPU runs an epoch of the
//!   first trigger in place of its lanes, nobody else changes the count of the second, and the CPU can change it
//!   ([`Trigger::bump_here`]). It could not otherwise, because the GPU executes atomic operations on its memory, and
//!   the CPU changes records only by copies.
//! * *Copies of records* have a copy lane of their own, so that arming a trigger, or waiting for it, takes no longer
//!   while the program copies much.

use super::Services;
use super::prepared::Entry;
use crate::error::{Cause, Error, Result};
use crate::sync::locked;
use crate::transfer::operation::PreparedOp;
use cushmem_abi::{TriggerRecord, TriggeredKind};
use cushmem_bootstrap::waits::Wait;
use cushmem_environment::log;
use cushmem_gpu::Stream;
use cushmem_protocol::trigger::{Cpu, Outcome, Word, arm, arm_always, bump_next, cancel};
use cushmem_record::Cause as Recorded;
use std::mem::offset_of;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// How long the CPU waits for the decision of a lane that has crossed a threshold.
const DECISION_LIMIT: Duration = Duration::from_secs(60);

/// What a trigger runs.
pub(crate) enum Triggered {
    Operation(PreparedOp),
    /// It bumps this trigger by 1.
    Next(Arc<Trigger>),
}

/// A trigger of this PE.
pub(crate) struct Trigger {
    services: Arc<Services>,
    /// The address of its record in GPU memory.
    record: u64,
    threshold: u64,
    next: Option<Arc<Trigger>>,
    /// The record's flags without [`TriggerRecord::LINKED`].
    flags: u32,
    /// Whether the CPU carries the operation out, rather than lanes.
    by_cpu: bool,
    /// Whether another trigger bumps it, and nothing else does.
    linked: AtomicBool,
    entry: Arc<Entry>,
    /// Whether it is never cancelled, except when it is dropped, because then no lane knows it.
    firm: AtomicBool,
    state: Mutex<State>,
}

struct State {
    /// Counted from 1.
    epoch: u64,
    is_armed: bool,
    /// The stream on which an epoch was armed, and the last such epoch.
    stream: Option<(Arc<dyn Stream>, u64)>,
}

impl State {
    /// Whether the current epoch is in a stream.
    fn is_parked(&self) -> bool {
        self.is_armed && self.stream.as_ref().is_some_and(|(_, epoch)| *epoch == self.epoch)
    }
}

impl Trigger {
    /// Creates a trigger whose operation runs after `threshold` bumps, by the proxy if `by_proxy`.
    pub(crate) fn create(
        services: &Arc<Services>,
        operation: &'static str,
        triggered: Triggered,
        threshold: u64,
        by_proxy: bool,
    ) -> Result<Arc<Self>> {
        let wrong = |text: &str| Error::new(operation, Cause::Mismatch(text.into()));
        if threshold == 0 {
            return Err(wrong("the threshold is 0"));
        }
        let (runs, next) = match triggered {
            Triggered::Operation(runs) => (Some(runs), None),
            Triggered::Next(next) => (None, Some(next)),
        };
        let mut record = TriggerRecord { threshold, ..TriggerRecord::default() };
        let mut by_cpu = false;
        if let Some(runs) = &runs {
            by_cpu = by_proxy | !services.fill_in(&mut record, runs);
            if by_cpu {
                let possible = services.proxy_can(runs);
                possible.map_err(|error| Error::argument(operation, "the operation's word", error))?;
            }
        }
        if let Some(next) = &next {
            (record.kind, record.dst) = (TriggeredKind::Trigger as u32, next.number());
        }
        let entry = services.name(operation, runs, true)?;
        record.name = entry.name();
        let gpu = services.memory().own_gpu(operation)?;
        let address = gpu.alloc(size_of::<TriggerRecord>() as u64).map_err(Error::of(operation));
        let address = address.inspect_err(|_| services.prepared.remove(&entry))?;
        let state = Mutex::new(State { epoch: 1, is_armed: false, stream: None });
        // From here on dropping it releases everything.
        let mut trigger = Self {
            services: services.clone(),
            record: address,
            threshold,
            next: None,
            flags: record.flags,
            by_cpu,
            linked: AtomicBool::new(false),
            entry,
            firm: AtomicBool::new(false),
            state,
        };
        let bytes = size_of::<TriggerRecord>();
        // SAFETY: the record was just allocated, and the source lives until the copy is complete.
        unsafe { services.transfers.copy_aside(address, (&raw const record).expose_provenance() as u64, bytes)? };
        if let Some(next) = next {
            next.link(operation)?;
            trigger.next = Some(next);
        }
        Ok(Arc::new(trigger))
    }

    /// The trigger's number, for kernels.
    pub(crate) fn number(&self) -> u64 {
        let each = if self.threshold == 1 { TriggerRecord::EACH } else { 0 };
        let by_cpu = if self.by_cpu { TriggerRecord::BY_CPU } else { 0 };
        let always = if self.entry.is_always_armed() { TriggerRecord::ALWAYS } else { 0 };
        self.record | each | by_cpu | always
    }

    /// Lets only another trigger bump it from now on.
    fn link(&self, operation: &'static str) -> Result<()> {
        // Relaxed: it only refuses a second caller.
        if self.entry.is_always_armed() || self.linked.swap(true, Ordering::Relaxed) {
            let text = "another trigger already bumps that one, or it is always armed";
            return Err(Error::new(operation, Cause::Mismatch(text.into())));
        }
        self.set_flags(self.flags | TriggerRecord::LINKED).inspect_err(|_| self.linked.store(false, Ordering::Relaxed))
    }

    /// Undoes `link`, when the trigger that bumped it is gone.
    fn unlink(&self) {
        // After a failure of the GPU no kernel bumps it any more.
        let _ = self.set_flags(self.flags);
        // Relaxed: as in `link`.
        self.linked.store(false, Ordering::Relaxed);
    }

    /// Called while no kernel bumps it.
    fn set_flags(&self, flags: u32) -> Result<()> {
        let at = self.record + offset_of!(TriggerRecord, flags) as u64;
        // SAFETY: half a word of the record; the source lives until the copy is complete.
        unsafe {
            self.services.transfers.copy_aside(at, (&raw const flags).expose_provenance() as u64, size_of::<u32>())
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Each change leaves the state consistent.
        locked(&self.state)
    }

    /// Arms it firmly from now on.
    pub(crate) fn make_firm(&self) {
        // Relaxed: whoever arms it has its handle.
        self.firm.store(true, Ordering::Relaxed);
    }

    /// Arms it for the first time, or after it was cancelled. If the operation is already due, this call runs it.
    pub(crate) fn arm(&self) -> Result<()> {
        let mut state = self.state();
        if state.is_armed {
            return Err(refused("arm", "it is armed, or its operation has run, after which only rearm works"));
        }
        self.arm_epoch(&mut state, "arm")
    }

    /// Arms it again after its operation was complete.
    pub(crate) fn rearm(&self) -> Result<()> {
        let mut state = self.state();
        self.next_epoch(&mut state, "rearm")?;
        self.arm_epoch(&mut state, "rearm")
    }

    fn next_epoch(&self, state: &mut State, operation: &'static str) -> Result<()> {
        if !state.is_armed || !self.is_complete(state.epoch)? {
            return Err(refused(operation, "its operation is not complete: arm it first, and wait"));
        }
        (state.epoch, state.is_armed) = (state.epoch + 1, false);
        Ok(())
    }

    /// Arms the current epoch, or the next one if that is complete, with a stream of its own, which is held until the
    /// epoch is due. Lanes find the trigger not armed, and leave the epoch to the stream.
    pub(crate) fn arm_on_stream(&self) -> Result<()> {
        let operation = "arm on a stream";
        let mut state = self.state();
        if state.is_armed {
            self.next_epoch(&mut state, operation)?;
        }
        self.due(state.epoch, operation)?;
        let copies = self.entry.operation().and_then(|operation| self.services.copies(operation, self.record));
        let copies =
            copies.ok_or_else(|| refused(operation, "a stream can only copy and set words that its GPU reaches"))?;
        let gpu = self.services.memory().own_gpu(operation)?;
        let stream = match state.stream.take() {
            Some((stream, _)) => stream,
            None => gpu.create_stream().map_err(Error::of(operation))?,
        };
        let enqueued = (|| {
            // It does not wait for `count`, which orders nothing except what this GPU's lanes see.
            // SAFETY: a word of the record, which lives until the stream has passed.
            unsafe { stream.wait_word(self.record + offset_of!(TriggerRecord, left) as u64, state.epoch)? };
            for (to, from, bytes) in copies.into_iter().filter(|(.., bytes)| *bytes > 0) {
                // SAFETY: whoever created the trigger guarantees that its memory is valid until the operation is
                // complete.
                unsafe { stream.copy(to, from, bytes)? };
            }
            // SAFETY: a word of the library's own pinned memory, which lives as long as the trigger.
            unsafe { stream.write_word(self.entry.completed_address(), state.epoch) }
        })();
        // The stream has what was enqueued, even after an error.
        let epoch = state.epoch;
        (state.stream, state.is_armed) = (Some((stream, epoch)), true);
        enqueued.map_err(|error| self.services.transfers.device_error(operation, error))
    }

    /// The count at which an epoch is due.
    fn due(&self, epoch: u64, operation: &'static str) -> Result<u64> {
        let due = epoch.checked_mul(self.threshold);
        due.ok_or_else(|| refused(operation, "its counter has reached its limit"))
    }

    fn arm_epoch(&self, state: &mut State, operation: &'static str) -> Result<()> {
        self.due(state.epoch, operation)?;
        // Relaxed: as in `make_firm`.
        let firm = self.firm.load(Ordering::Relaxed);
        let outcome = arm(&Words::of(self, operation), self.threshold, state.epoch, firm)?;
        state.is_armed = true;
        if outcome == Outcome::Left {
            self.run_here(state.epoch).inspect_err(|_| state.is_armed = false)?;
        }
        Ok(())
    }

    /// Arms all its epochs, permanently.
    pub(crate) fn arm_always(&self) -> Result<()> {
        let mut state = self.state();
        // Relaxed: as in `link`.
        if state.is_armed || self.linked.load(Ordering::Relaxed) {
            return Err(refused("always arm", "it is armed, or another trigger bumps it"));
        }
        self.entry.fires_always();
        state.is_armed = true;
        match arm_always(&Words::of(self, "always arm"))? {
            true => Ok(()),
            false => Err(refused("always arm", "it has been bumped before")),
        }
    }

    /// Cancels it. Returns whether its operation will not run.
    pub(crate) fn cancel(&self) -> Result<bool> {
        // Relaxed: as in `make_firm`.
        if self.firm.load(Ordering::Relaxed) || self.entry.is_always_armed() {
            return Err(refused("cancel", "it is firmly armed"));
        }
        self.disarm()
    }

    fn disarm(&self) -> Result<bool> {
        let mut state = self.state();
        if state.is_armed {
            if self.is_complete(state.epoch)? {
                return Ok(false);
            }
            if state.is_parked() {
                return Err(refused("cancel", "a stream waits for it, and work in a stream cannot be cancelled"));
            }
            state.is_armed = cancel(&Words::of(self, "cancel"), self.threshold, state.epoch)? == Outcome::Ran;
        }
        Ok(!state.is_armed)
    }

    /// Whether the operation of an epoch is complete. CPU and streams report that in host memory, lanes in the record.
    fn is_complete(&self, epoch: u64) -> Result<bool> {
        if self.entry.completed() >= epoch || self.by_cpu {
            return Ok(self.entry.completed() >= epoch);
        }
        // SYNC(trigger-completed) acquire: the copy pairs with the lane's release.
        Ok(Words::of(self, "look at").get(offset_of!(TriggerRecord, completed))? >= epoch)
    }

    /// Waits until the operation is complete.
    pub(crate) fn wait(&self, limit: Duration) -> Result<()> {
        let (epoch, is_armed) = {
            let state = self.state();
            (state.epoch, state.is_armed)
        };
        if !is_armed || self.entry.is_always_armed() {
            return Err(refused("wait for", "it is not armed, or it is always armed"));
        }
        let start = Instant::now();
        let look = || {
            // Before the look, so that one follows after the limit: the thread may have been stopped for a while.
            let is_late = start.elapsed() > limit;
            match self.is_complete(epoch) {
                Ok(false) => is_late.then_some(Ok(false)),
                found => Some(found),
            }
        };
        let what = || Wait { what: "the operation of a trigger".into(), late: vec![] };
        if self.services.sync().wait_policy().wait_unwoken(look, (Recorded::Proxy, false), what)? {
            return Ok(());
        }
        let count = Words::of(self, "wait for").count()?;
        let text =
            format!("after {limit:?}, its counter is {count}, and the operation runs at {}", epoch * self.threshold);
        Err(Error::new("wait for a trigger", Cause::Mismatch(text)))
    }

    /// Runs an epoch in place of the lanes that left it.
    fn run_here(&self, epoch: u64) -> Result<()> {
        match (&self.next, self.entry.operation()) {
            (Some(next), _) => next.bump_here()?,
            (None, Some(operation)) => {
                // SAFETY: whoever created the trigger guarantees that its memory is valid.
                let done = unsafe { self.services.carry_out_here(operation) };
                done.map_err(|error| Error::argument("arm", "the operation of the trigger", error))?;
            }
            (None, None) => unreachable!("a trigger runs something"),
        }
        self.entry.complete(epoch);
        Ok(())
    }

    /// Bumps it by 1 in place of the lanes of the preceding trigger, which alone bump it.
    fn bump_here(&self) -> Result<()> {
        let state = self.state();
        let armed = (state.is_armed && !state.is_parked()).then_some(state.epoch);
        let epoch = bump_next(&Words::of(self, "bump the next trigger"), self.threshold, armed)?;
        epoch.map_or(Ok(()), |epoch| self.run_here(epoch))
    }
}

impl Drop for Trigger {
    fn drop(&mut self) {
        // During unwinding a kernel may wait for this PE forever.
        if std::thread::panicking() {
            std::mem::forget(self.state().stream.take());
            return;
        }
        self.release_stream();
        if self.entry.is_always_armed() {
            let transfers = &self.services.transfers;
            transfers.finish_commands(transfers.default_context());
        } else if self.disarm().is_ok_and(|cancelled| !cancelled)
            && let Err(error) = self.wait(DECISION_LIMIT)
        {
            // Whoever runs it may still write into the memory kept for it, which nobody else may get then.
            log!(
                Warn,
                "PE {}: drop a trigger: {}; its memory is not freed",
                self.services.job().my_pe(),
                error.cause()
            );
            return;
        }
        if let Some(next) = &self.next {
            next.unlink();
        }
        self.services.prepared.remove(&self.entry);
        if let Some(gpu) = self.services.memory().opened_gpu() {
            // The GPU may have failed with an error that was reported already. Then the end of the process frees the
            // memory.
            let _ = gpu.free(self.record);
        }
    }
}

impl Trigger {
    /// Releases a stream that is held for an epoch which never became due: its operation runs. No lane bumps the
    /// trigger any more.
    fn release_stream(&self) {
        let state = self.state();
        if state.is_parked() && self.entry.completed() < state.epoch {
            // After a failure of the GPU the stream is not held any more.
            let _ = Words::of(self, "release a stream").set(Word::Left, state.epoch);
        }
        if let Some((stream, _)) = &state.stream {
            let _ = stream.synchronize();
        }
    }
}

fn refused(operation: &'static str, why: &str) -> Error {
    Error::new(format!("{operation} a trigger"), Cause::Mismatch(why.into()))
}

/// The words of a trigger, accessed by copies.
struct Words<'a> {
    trigger: &'a Trigger,
    operation: &'static str,
    start: Instant,
}

impl<'a> Words<'a> {
    fn of(trigger: &'a Trigger, operation: &'static str) -> Self {
        Self { trigger, operation, start: Instant::now() }
    }

    fn store(&self, offset: usize, value: u64) -> Result<()> {
        let (to, from) = (self.trigger.record + offset as u64, (&raw const value).expose_provenance() as u64);
        // SAFETY: a word of the record; the source lives until the copy is complete.
        unsafe { self.trigger.services.transfers.copy_aside(to, from, size_of::<u64>()) }
    }

    fn get(&self, offset: usize) -> Result<u64> {
        let mut value = 0u64;
        let (to, from) = ((&raw mut value).expose_provenance() as u64, self.trigger.record + offset as u64);
        // SAFETY: a word of the record; the target lives until the copy is complete.
        unsafe { self.trigger.services.transfers.copy_aside(to, from, size_of::<u64>())? };
        // SAFETY: it is a variable that an engine has changed.
        Ok(unsafe { (&raw const value).read_volatile() })
    }
}

/// A copy is complete when the call returns.
impl Cpu for Words<'_> {
    type Error = Error;

    fn set_armed(&self, epoch: u64) -> Result<()> {
        self.store(offset_of!(TriggerRecord, armed), epoch)
    }

    fn count(&self) -> Result<u64> {
        self.get(offset_of!(TriggerRecord, count))
    }

    fn left(&self) -> Result<u64> {
        self.get(offset_of!(TriggerRecord, left))
    }

    fn ran(&self) -> Result<u64> {
        self.get(offset_of!(TriggerRecord, ran))
    }

    fn set(&self, word: Word, value: u64) -> Result<()> {
        self.store(
            match word {
                Word::Count => offset_of!(TriggerRecord, count),
                Word::Ran => offset_of!(TriggerRecord, ran),
                Word::Left => offset_of!(TriggerRecord, left),
            },
            value,
        )
    }

    fn pause(&self) -> Result<()> {
        if self.start.elapsed() > DECISION_LIMIT {
            let why = format!("the thread that reached the threshold has not decided after {DECISION_LIMIT:?}");
            return Err(refused(self.operation, &why));
        }
        std::thread::yield_now();
        Ok(())
    }
}
