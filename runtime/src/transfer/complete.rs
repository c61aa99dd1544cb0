//! Completion: the tickets of a context's lane, fence and quiet (OpenSHMEM 1.6, section 9.12).

use super::Transfers;
use super::context::Context;
use crate::error::{Cause, Error, Result};
use crate::job::Job;
use crate::memory::GpuHeap;
use crate::sync::child::refuse_children;
use crate::sync::locked;
use crate::sync::meetings::Meetings;
use crate::sync::network::Network;
use crate::transport::copy_engine::{Lane, STREAM_QUERIES};
use crate::transport::stage::Staged;
use cushmem_abi::{ArrayMode, ErrorCode, ErrorRecord, Segment};
use cushmem_bootstrap::PeList;
use cushmem_bootstrap::waits::Wait;
use cushmem_gpu::GpuError;
use std::borrow::Cow;
use std::sync::atomic::{Ordering, fence};
use std::sync::{OnceLock, Weak};
use std::time::Duration;

/// What transfers leave to the proxy, and have to wait for.
pub(crate) trait Pending: Send + Sync {
    /// Waits for what kernels and streams had asked for before this call, which is usually nothing. If the GPU has
    /// failed, nobody asks any more.
    fn finish_commands(&self, transfers: &Transfers);

    /// Has something copied through host memory, or a word changed by its owner.
    fn stage(&self, staged: Staged);

    /// The PEs with which such copies are under way, for messages.
    fn partners(&self) -> Vec<u32>;

    /// Describes the kernels and tasks that may be running.
    fn kernels(&self) -> String;
}

impl Transfers {
    /// Orders what was issued on the context, for each PE. Copies by an engine are waited for, because the next
    /// operation on that PE may take another path. The same holds between nodes if GPU memory is staged, because the
    /// proxy has its own lane. Otherwise only atomic operations take another path between nodes: those before the fence
    /// are waited for, and those behind it wait for earlier operations themselves ([`Self::far_word`]).
    #[inline]
    pub(crate) fn fence(&self, context: &Context) -> Result<()> {
        debug_assert!(!context.is_internal(), "the library's own operations need no fence");
        self.finish_commands(context);
        self.finish_staged(context);
        self.drain_copies(context)?;
        if let Some(net) = self.store_context(context).net() {
            if self.stages() {
                net.drain()?
            } else {
                net.order()?
            }
            net.note_fence();
        }
        if let Some(atomics) = &self.atomics {
            atomics.fences().add();
            atomics.drain(self.sync.control())?;
        }
        // SYNC(host-signal) release fence: orders puts before the stores that announce them, which peers load with
        // acquire.
        fence(Ordering::Release);
        Ok(())
    }

    /// Completes what was issued on the context. What this PE reads afterwards is not older.
    #[inline]
    pub(crate) fn quiet(&self, context: &Context) -> Result<()> {
        self.drain(context)?;
        // SYNC(host-signal) full fence: a later get does not overtake a put.
        fence(Ordering::SeqCst);
        Ok(())
    }

    /// Waits for what is pending on the context, which is usually nothing. If that fails it stays pending, and each
    /// quiet returns the error.
    #[inline]
    pub(crate) fn drain(&self, context: &Context) -> Result<()> {
        self.finish_commands(context);
        self.finish_staged(context);
        self.drain_network(context)?;
        self.drain_copies(context)
    }

    /// Waits for the atomic operations that were posted to other nodes, on any context.
    #[inline]
    fn drain_atomics(&self) -> Result<()> {
        self.atomics.as_ref().map_or(Ok(()), |atomics| atomics.drain(self.sync.control()))
    }

    /// Waits only for what is pending on the context's lanes of the network, and for the atomic operations that were
    /// posted to other nodes. The library's own threads post none, and do not wait for those of the program.
    #[inline]
    pub(crate) fn drain_network(&self, context: &Context) -> Result<()> {
        let drain = |context: &Context| context.net().map_or(Ok(()), |net| net.drain());
        let drained = drain(context).and_then(|()| drain(self.store_context(context)));
        // The library's own threads get nothing that would have to be flushed.
        if context.is_internal() {
            return drained;
        }
        let drained = drained.and_then(|()| self.flush_gets());
        // After a failure too: no result is stored when the caller has returned.
        drained.and(self.drain_atomics())
    }

    /// Commands of this PE's kernels count for the default context, because kernels name no context of the CPU. After a
    /// failure of the GPU, a lane may have died before it stored its command. Then nothing is waited for, and whoever
    /// checks the stream gets the error.
    #[inline]
    pub(crate) fn finish_commands(&self, context: &Context) {
        if let Some(pending) = self.pending.get().filter(|_| std::ptr::eq(context, self.default_context())) {
            pending.finish_commands(self);
        }
    }

    /// The context on which puts to other nodes are pending. If a context's fence and quiet need not cover stores, that
    /// is the default context, whose fence and quiet cover them instead.
    #[inline]
    pub(super) fn store_context<'a>(&'a self, context: &'a Context) -> &'a Context {
        if context.options().nostore { self.default_context() } else { context }
    }

    /// Waits only for copies by the engine and the GPU agent.
    #[inline]
    pub(super) fn drain_copies(&self, context: &Context) -> Result<()> {
        self.drain_agent(context)?;
        match context.lane() {
            Some(lane) => self.drain_lane(lane).and_then(|()| self.drain_sides(context)),
            None => Ok(()),
        }
    }

    /// Waits for a context's additional lanes.
    pub(super) fn drain_sides(&self, context: &Context) -> Result<()> {
        context.sides().iter().filter_map(OnceLock::get).try_for_each(|lane| self.drain_lane(lane))
    }

    /// Waits for what is pending on all contexts. Returns the first error.
    pub(crate) fn drain_all(&self) -> Result<()> {
        let drained = self.lanes.all().iter().map(|lane| self.drain_lane(lane)).fold(Ok(()), Result::and);
        let trackers = locked(&self.trackers);
        let trackers: Vec<_> = { trackers }.iter().filter_map(Weak::upgrade).collect();
        trackers.iter().for_each(|tracker| self.wait_for_staged(tracker, tracker.begun()));
        let by_agent = self.agent.get().map_or(Ok(()), |agent| self.await_agent(agent, agent.last_put()));
        let by_network = self.sync.network().map_or(Ok(()), Network::drain_all);
        drained.and(by_agent).and(by_network).and_then(|()| self.flush_gets()).and(self.drain_atomics())
    }

    /// Completes all operations of this PE, on all contexts. Returns the first error.
    pub(crate) fn complete_all(&self) -> Result<()> {
        self.drain_all().and_then(|()| self.quiet(self.default_context()))
    }

    /// Makes what gets of the network have written to this PE's GPU visible.
    #[inline]
    fn flush_gets(&self) -> Result<()> {
        self.memory.gpu().map_or(Ok(()), |gpu| gpu.flush_gets(true))
    }

    #[inline]
    fn drain_lane(&self, lane: &Lane) -> Result<()> {
        match lane.pending() {
            Some(ticket) => self.wait_for(lane, ticket),
            None => Ok(()),
        }
    }

    /// Waits until a lane has reached a ticket. When this returns an error, nothing of the lane runs any more.
    #[cold]
    pub(super) fn wait_for(&self, lane: &Lane, ticket: u64) -> Result<()> {
        let control = self.sync.control();
        let mut looks = if lane.reports(ticket) { STREAM_QUERIES } else { 0 };
        let look = || {
            looks = looks.wrapping_add(1);
            match lane.look(control, ticket, looks) {
                Ok(true) => Some(Ok(())),
                Ok(false) => None,
                Err(error) => Some(Err(error)),
            }
        };
        let what = || Wait { what: "copies by the GPU's engine".into(), late: vec![] };
        let waited = self.sync.wait_policy().wait_for_gpu(look, what);
        if waited.is_ok() {
            lane.acknowledge(ticket);
        } else {
            // Another stream may have failed while this one still copies. The error that matters is the first.
            let _ = lane.settle();
        }
        waited.map_err(|error| self.device_error("copy", error))
    }

    /// Whether a kernel has written an error record.
    pub(crate) fn a_kernel_gave_up(&self) -> bool {
        self.sync.control().read_error_record().is_some()
    }

    /// An error of the GPU, together with the error record that a kernel wrote before it gave up.
    pub(crate) fn device_error(&self, operation: impl Into<Cow<'static, str>>, error: GpuError) -> Error {
        let operation = operation.into();
        refuse_children(self.job.my_pe(), &operation);
        let Some((code, record)) = self.sync.control().read_error_record() else { return Error::new(operation, error) };
        let (block, lane) = ((record.lane >> 32) as u32, record.lane as u32);
        let why = match code {
            ErrorCode::MeetingTimeout => unfinished_meeting(self.sync.meetings(), &record),
            _ => reason(code, &record, self.memory.gpu(), &self.job),
        };
        Error::new(operation, Cause::Kernel { pe: self.job.my_pe(), block, lane, why, error })
    }
}

/// Describes a barrier or collective by the CPU that a kernel's error record mentions.
fn unfinished_meeting(meetings: &Meetings, record: &ErrorRecord) -> String {
    let (slot, limit) = (record.value, Duration::from_nanos(record.limit).as_secs_f64());
    let late = |pes: &[u32]| match pes {
        [] => "not all of its PEs have".to_owned(),
        [pe] => format!("PE {pe}, or a PE that it waits for, has not"),
        pes => format!("one of {}, or a PE that it waits for, has not", PeList(pes)),
    };
    let of_barrier = meetings.late(slot as usize);
    match meetings.late_in_collective(slot as usize).filter(|_| of_barrier.is_none()) {
        Some(Wait { what, late: pes }) => {
            format!("collective of team slot {slot} ({what}): {} arrived after {limit} s", late(&pes))
        }
        None => {
            // A collective says what it waits for only some time after it has begun.
            let what = if of_barrier.is_some() { "barrier" } else { "barrier or collective" };
            format!("{what} of team slot {slot}: {} arrived after {limit} s", late(of_barrier.as_slice()))
        }
    }
}

/// Describes a kernel's error record.
fn reason(code: ErrorCode, record: &ErrorRecord, gpu: Option<&GpuHeap>, job: &Job) -> String {
    let ErrorRecord { pe, value, limit, .. } = *record;
    match code {
        ErrorCode::PeOutOfRange => format!("PE {pe} is out of range (0 to {})", limit.saturating_sub(1)),
        ErrorCode::PeNotMapped => {
            let in_gpu = value == Segment::Gpu as u64;
            let reach = job.pe(pe).zip(gpu).filter(|_| in_gpu).and_then(|(pe, gpu)| gpu.reach(pe).err());
            let why = reach.unwrap_or("loads and stores of this GPU do not reach it");
            let other = if job.nodes() > 1 { "; kernels that ask the CPU instead are in <crate>.far.ptx" } else { "" };
            format!("PE {pe}'s {} memory is not mapped here: {why}{other}", if in_gpu { "GPU" } else { "host" })
        }
        ErrorCode::AtomicOnHostMemory => format!(
            "atomic operation on host memory of PE {pe}: the CPU executes those, but this kernel's module has no proxy to ask"
        ),
        ErrorCode::NoNativeAtomics => format!(
            "atomic operation on GPU memory of PE {pe}: the link between the GPUs has no native atomics; set signals instead of adding to \
             them, and meet on the host"
        ),
        ErrorCode::NoReply | ErrorCode::MeetingTimeout => {
            let limit = Duration::from_nanos(limit).as_secs_f64();
            format!("the proxy has not answered a command after {limit} s")
        }
        ErrorCode::NotSymmetric => format!(
            "{value:#x}, which it names on PE {pe}, is neither in the heap of host memory nor in that of GPU memory: kernels reach no \
             other memory of PEs, such as private or registered memory"
        ),
        ErrorCode::SmemTooSmall => {
            format!("it lends {value} bytes of shared memory for copies: at least {limit} are needed")
        }
        ErrorCode::NoProxy => "it asks the CPU for an operation, but its module has no proxy to carry it out".into(),
        ErrorCode::Stride => {
            let [dst, src] = [value, limit].map(u64::cast_signed);
            format!("strided copy with distances of {dst} and {src} elements: both must be at least 1")
        }
        ErrorCode::Trigger if limit == 0 => {
            "a trigger of a chain was bumped: only the trigger before it may bump it".into()
        }
        ErrorCode::Trigger => {
            let limit = Duration::from_nanos(limit).as_secs_f64();
            format!("the thread that reached a trigger's threshold has not decided after {limit} s")
        }
        ErrorCode::NoTeam if limit == 0 => {
            format!("this PE has no team in slot {value}: none was created there, or it is destroyed")
        }
        ErrorCode::NoTeam => {
            format!("the numbers of the {limit} PEs of the team in slot {value} are not evenly spaced, as kernels need")
        }
        ErrorCode::PeOutOfTeam => {
            format!("PE {pe} is out of range (0 to {}) in the team of slot {value}", limit.saturating_sub(1))
        }
        ErrorCode::DestTooSmall => {
            format!("alltoallv: PE {pe} gets {value} rows, but its dest has room for {limit}")
        }
        ErrorCode::RowsOutside => {
            format!("alltoallv: the rows for PE {pe} end at row {value}, but the source has {limit}")
        }
        ErrorCode::EmptyRows => "alltoallv: a row has 0 bytes".into(),
        ErrorCode::ArrayIndex => {
            format!("array: element {value} is out of range (0 to {})", limit.saturating_sub(1))
        }
        ErrorCode::ArrayMode => match value {
            _ if value == ArrayMode::ReadOnly as u64 => "array: it is read-only, but a kernel writes to it".into(),
            _ if value == ArrayMode::ReadWrite as u64 => "array: kernels add only to arrays for accumulation".into(),
            _ => "array: it is for accumulation, but a kernel writes to it".into(),
        },
        ErrorCode::LineTimeout => {
            let limit = Duration::from_nanos(limit).as_secs_f64();
            format!("array: line {value} is not there after {limit} s, or all slots of the cache are in use")
        }
        ErrorCode::ProcessorTimeout => {
            let limit = Duration::from_nanos(limit).as_secs_f64();
            format!(
                "the GPU's command processor has not carried out a command after {limit} s: calls that wait for the whole \
                 GPU, such as one that frees its memory or loads a module, hold it up"
            )
        }
        ErrorCode::TeamTooLarge => {
            format!(
                "alltoallv: the team has {value} PEs, but a kernel can carry it out for {limit}; a stream or the CPU can"
            )
        }
        ErrorCode::NoTask => format!("put_task: function {value} is out of range (0 to {})", limit.saturating_sub(1)),
        ErrorCode::NoTaskBuffer if value == u64::MAX => {
            format!("put_task: {limit} bytes of data for PE {pe}, but no buffer for them")
        }
        ErrorCode::NoTaskBuffer => format!("put_task: the queue has no buffer {value}"),
        ErrorCode::OutsideTaskBuffer => {
            format!("put_task: the data end at byte {value} of the buffer, which has {limit} bytes")
        }
        ErrorCode::TaskQueueFull => {
            let limit = Duration::from_nanos(limit).as_secs_f64();
            format!("put_task: PE {pe} has taken none of the {value} tasks in its queue for {limit} s")
        }
        ErrorCode::TaskSignal => "put_task: the signal is not aligned".into(),
        ErrorCode::SignalOp => {
            let value = (value as u32).cast_signed();
            format!("sig_op {value} is not SHMEM_SIGNAL_SET (9) or SHMEM_SIGNAL_ADD (10)")
        }
        ErrorCode::WrongTables => {
            format!("the device tables have version {value} and {limit} bytes: they are damaged, or not this library's")
        }
        ErrorCode::BarrierTimeout => {
            let limit = Duration::from_nanos(limit).as_secs_f64();
            format!("barrier {value}: PE {pe} has not arrived after {limit} s")
        }
    }
}
