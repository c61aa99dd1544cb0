//! Short puts and gets, and atomic operations on words of GPU memory, through the GPU agent
//! ([`crate::transport::agent`]).

use super::context::Context;
use super::copy_plan::CopyPlan;
use super::{Completion, Local, Operation, Shape, Transfer, Transfers, unfit};
use crate::error::{ArgumentError, Cause, Error, Result};
use crate::job::Pe;
use crate::memory::{At, Remote};
use crate::sync::child::{is_child, refuse_children};
use crate::sync::tracker::Tracker;
use crate::transport::agent::{Agent, CHUNK_BYTES, MOST_BYTES, SHORT_BYTES, Word};
use crate::transport::stage::{self, Done};
use crate::transport::{atomics, mapped};
use cushmem_abi::WordOp;
use cushmem_bootstrap::waits::{Published, note};
use cushmem_path::{LocalKind, Path};
use std::ptr::{with_exposed_provenance, with_exposed_provenance_mut};
use std::sync::Arc;

impl Transfers {
    /// Prepares the agent when the GPUs are started. Later would be too late, because a kernel of the program may spin.
    pub(crate) fn start_agent(&self) -> Result<()> {
        if self.agent.get().is_none() {
            let gpu = self.memory.gpu().ok_or_else(|| unfit(Path::GpuAgent))?;
            let agent = Agent::create(gpu.gpu(), gpu.pes_on_my_gpu() > 1, self.sync.wait_policy().clone())?;
            // Only one thread of a PE starts the GPUs.
            let _ = self.agent.set(Arc::new(agent));
        }
        Ok(())
    }

    /// Lets the launcher ask what the agent has done, as long as the result is kept.
    pub(crate) fn report_agent(&self) -> Option<Published> {
        let agent = self.agent.get()?.clone();
        Some(note(move || Some(format!("GPU agent: {}", agent.counts()))))
    }

    /// A copy between memory here and memory that this GPU reaches, one command at a time. If no kernel is running, the
    /// copy engine carries out the rest. Returns who copied, or began to.
    ///
    /// # Safety
    /// The conditions of [`Transfers::issue`].
    pub(super) unsafe fn by_agent(
        &self,
        context: &Context,
        transfer: &Transfer,
        ((local, kind, shape), (there, there_on_gpu)): ((Local, LocalKind, Shape), (u64, bool)),
        is_asked_for: bool,
    ) -> std::result::Result<Path, ArgumentError> {
        let to_peer = matches!(transfer.operation, Operation::Put(..));
        let by_engine = |done: usize, shape| {
            let plan = CopyPlan::new(Local { address: local.address + done, ..local }, shape, to_peer);
            // SAFETY: the caller guarantees that both ends are valid, and this is a part of them.
            unsafe { self.by_engine(context, &plan, (there + done as u64, there_on_gpu), transfer.when) }
        };
        let (Shape::Bytes(bytes), Some(agent), Some(library)) = (shape, self.agent.get(), self.library.get()) else {
            return by_engine(0, shape).map(|()| Path::CopyEngine);
        };
        // Only the engine carries out several gets at the same time, so non-blocking gets are left to it; and so are
        // puts between GPUs while the agent has another one to do, so that a burst of puts keeps both busy.
        let is_busy = || local.on_gpu && there_on_gpu && !agent.is_complete(context.agent());
        let is_left = transfer.when == Completion::Nbi && !is_asked_for && (!to_peer || is_busy());
        // A thread of the library neither waits for threads of the program nor launches kernels. For a forked child,
        // which would post commands over those of its parent, the engine copies nothing either.
        if is_left || context.is_internal() || is_child() {
            return by_engine(0, shape).map(|()| Path::CopyEngine);
        }
        // For a kernel, other pinned memory may be at a different address, or only partly accessible.
        let is_reached = kind == LocalKind::Gpu || self.memory.is_pinned_heap(local.address as u64);
        let most = if is_reached && bytes > SHORT_BYTES { MOST_BYTES } else { CHUNK_BYTES };
        for done in (0..bytes).step_by(most) {
            let (part, here, there) = ((bytes - done).min(most), local.address + done, there + done as u64);
            let mut words = [0; SHORT_BYTES / 8];
            let buffer = words.as_mut_ptr().cast::<u8>();
            let ends = if to_peer { (there, here as u64) } else { (here as u64, there) };
            // SAFETY: the caller guarantees that both ends are valid until the command is complete; the words have room
            // for a short part.
            let served = unsafe {
                if local.on_gpu || (is_reached && part > SHORT_BYTES) {
                    note_put(context, agent.copy(library, ends, (part, !to_peer), is_asked_for))
                } else if to_peer && part <= SHORT_BYTES {
                    mapped::copy(buffer, with_exposed_provenance(here), part);
                    note_put(context, agent.put(library, there, (words, part), is_asked_for))
                } else if to_peer {
                    note_put(context, agent.put_chunk(library, there, (here, part), is_asked_for))
                } else if part > SHORT_BYTES {
                    agent.get_chunk(library, there, (here, part), is_asked_for)
                } else {
                    let got = agent.get(library, there, (&mut words, part), is_asked_for);
                    if let Ok(true) = got {
                        mapped::copy(with_exposed_provenance_mut(here), words.as_ptr().cast(), part);
                    }
                    got
                }
            };
            if !served.map_err(|error| self.device_error("copy", error))? {
                by_engine(done, Shape::Bytes(bytes - done))?;
                if transfer.when == Completion::Blocking {
                    self.drain_agent(context)?;
                }
                return Ok(if done > 0 { Path::GpuAgent } else { Path::CopyEngine });
            }
        }
        // As with the engine, what this PE copies or launches next finds the bytes.
        if transfer.when == Completion::Blocking {
            self.drain_agent(context)?;
        }
        Ok(Path::GpuAgent)
    }

    /// Waits for the puts of a context that were posted to the agent.
    #[inline]
    pub(super) fn drain_agent(&self, context: &Context) -> Result<()> {
        match (context.agent(), self.agent.get()) {
            (0, _) | (_, None) => Ok(()),
            (number, Some(agent)) => self.await_agent(agent, number),
        }
    }

    #[inline(never)]
    pub(super) fn await_agent(&self, agent: &Agent, number: u64) -> Result<()> {
        if agent.is_complete(number) {
            return Ok(());
        }
        let waited = agent.await_all(number);
        waited.map_err(|error| self.device_error("put", error))
    }

    /// An atomic operation on a word of GPU memory. If this GPU reaches the word, it is at `address`; otherwise its
    /// owner is asked. The operation may have to come `behind` what this thread stored and what it knows to be
    /// complete. A word that an owner changes always does, because the owner's CPU takes the request with an acquire,
    /// and its GPU agent starts with a fence. The proxy does not wait for the operation and does not get the old value.
    /// Also returns the path that it took.
    pub(super) fn gpu_word(
        &self,
        context: &Context,
        transfer: &Transfer,
        address: Option<u64>,
        (request, behind): (atomics::Request, bool),
    ) -> std::result::Result<(u64, Path), ArgumentError> {
        let atomics::Request { op, width, operand, condition } = request;
        if !self.memory.is_aligned(transfer.remote, transfer.pe, width) {
            return Err(ArgumentError::Misaligned(width));
        }
        let mut value = operand;
        let local = Local { address: (&raw mut value).expose_provenance(), on_gpu: false };
        let copy = |operation| Transfer { operation, when: Completion::Blocking, ..*transfer };
        let (shape, remote) = (Shape::Bytes(width), self.memory.remote(transfer.remote, transfer.pe));
        match op {
            // Any engine loads and stores a word as a unit.
            WordOp::Fetch => {
                value = 0;
                // SAFETY: the value is a variable that outlives the call.
                let path = unsafe {
                    self.move_bytes(context, &copy(Operation::Get(local, shape)), (local, shape, false), &remote)?
                };
                return Ok((value, path));
            }
            WordOp::Set => {
                // SAFETY: the value is a variable that outlives the call.
                let path = unsafe {
                    self.move_bytes(context, &copy(Operation::Put(local, shape)), (local, shape, true), &remote)?
                };
                self.drain_agent(context)?;
                return Ok((0, path));
            }
            _ => {}
        }
        if !matches!(width, 4 | 8) {
            return Err(ArgumentError::Misaligned(4));
        }
        self.can_change(transfer.pe)?;
        let waits = !context.is_proxy();
        match address.filter(|_| self.is_atomic_on(transfer.pe)) {
            Some(address) => {
                let word = Word::new(op, behind, address, width, [operand, condition]);
                if waits {
                    return Ok((self.change_on_gpu(word)?, Path::GpuAgent));
                }
                let tracker = context.begin_staged(|| self.new_tracker());
                let changes = context.changes().ok_or_else(|| unfit(Path::GpuAgent))?;
                changes.ask_for(tracker.clone(), tracker.begin(), word);
                Ok((0, Path::GpuAgent))
            }
            None => {
                let (to, value) = (transfer.remote, operand);
                let word = stage::StageOp::Word { to, bytes: width, op, value, condition, behind: false };
                if waits {
                    return Ok((self.change_staged(context, transfer.pe, word)?, Path::Staged));
                }
                self.stage(context, transfer.pe, word)?;
                Ok((0, Path::Staged))
            }
        }
    }

    /// Adds to a word of GPU memory, which this GPU has at `address`, behind what is known to be complete, as the end
    /// of an operation of the proxy's context.
    pub(super) fn add_as(
        &self,
        context: &Context,
        (tracker, number): (&Arc<Tracker>, u64),
        (to, address): (At, u64),
        value: u64,
        pe: Pe,
    ) -> Result<()> {
        self.can_change(pe)?;
        let (op, bytes) = (WordOp::Add, size_of::<u64>());
        if self.is_atomic_on(pe) {
            let word = Word::new(op, true, address, bytes, [value, 0]);
            let changes = context.changes().ok_or_else(|| unfit(Path::GpuAgent))?;
            changes.ask_for(tracker.clone(), number, word);
        } else {
            let what = stage::StageOp::Word { to, bytes, op, value, condition: 0, behind: false };
            self.stage_as(tracker, pe, what, Done::Number(tracker.clone(), number));
        }
        Ok(())
    }

    /// An atomic operation on a word, behind everything that this PE has stored and completed.
    pub(crate) fn change_behind(
        &self,
        context: &Context,
        transfer: &Transfer,
    ) -> std::result::Result<u64, ArgumentError> {
        match (&transfer.operation, self.memory.remote(transfer.remote, transfer.pe)) {
            (&Operation::Amo { op, width, operand, condition }, Remote::Device(word)) => {
                let request = atomics::Request { op, width, operand, condition };
                self.gpu_word(context, transfer, Some(word), (request, true)).map(|(found, _)| found)
            }
            // SAFETY: an atomic operation has no local end, and the caller has found the word.
            _ => unsafe { self.issue_part(context, transfer) }.map(|(found, _)| found),
        }
    }

    /// Whether this PE can have words of a PE's GPU memory changed.
    pub(crate) fn can_change(&self, pe: Pe) -> Result<()> {
        if self.is_atomic_on(pe) || self.stages() {
            return Ok(());
        }
        let why = "this GPU's atomic operations are not atomic with its owner's".to_owned();
        Err(Error::new("atomic operation", Cause::Unreachable { memory: "GPU memory", pe: pe.number(), why }))
    }

    /// Loads a word of `bytes` bytes of a PE's GPU memory. What was stored before the word is visible too. No copy of
    /// the program delays it.
    pub(crate) fn load(&self, at: At, bytes: usize, pe: Pe) -> Result<u64> {
        let mut value = 0u64;
        let local = Local { address: (&raw mut value).expose_provenance(), on_gpu: false };
        let operation = Operation::Get(local, Shape::Bytes(bytes));
        let transfer = Transfer { operation, pe, remote: at, when: Completion::Blocking };
        // SAFETY: the value is a variable that outlives the call; the word was found.
        match unsafe { self.issue_part(self.polling_context(), &transfer) } {
            Ok(_) => Ok(value),
            Err(ArgumentError::Failed(error)) => Err(error),
            Err(error) => Err(Error::argument("load a word", "the word", error)),
        }
    }

    /// Has the agent change a word.
    pub(crate) fn change_on_gpu(&self, word: Word) -> Result<u64> {
        refuse_children(self.job.my_pe(), "atomic operation");
        let (Some(agent), Some(library)) = (self.agent.get(), self.library.get()) else {
            return Err(unfit(Path::GpuAgent));
        };
        let kernels = || self.pending.get().map_or_else(|| "a kernel".into(), |pending| pending.kernels());
        // SAFETY: an aligned word of symmetric GPU memory that this GPU reaches, as was checked.
        let found = unsafe { agent.change(library, word, kernels) };
        found.map_err(|error| self.device_error("atomic operation", error))
    }

    /// Whether this GPU's atomic operations on a PE's memory are atomic with those of the memory's owner.
    fn is_atomic_on(&self, pe: Pe) -> bool {
        pe == self.job.me() || self.memory.has_native_atomics(pe)
    }
}

/// Notes a put that was posted to a kernel. Returns whether it was posted.
fn note_put(context: &Context, posted: cushmem_gpu::Result<Option<u64>>) -> cushmem_gpu::Result<bool> {
    let number = posted?;
    number.into_iter().for_each(|number| context.note_agent(number));
    Ok(number.is_some())
}
