//! What the GPU agent does for the CPU ([`crate::transport::agent`]): atomic operations on words of GPU memory.

use super::context::Context;
use super::{Completion, Local, Operation, Shape, Transfer, Transfers, unfit};
use crate::error::{ArgumentError, Cause, Error, Result};
use crate::job::Pe;
use crate::memory::At;
use crate::sync::child::refuse_children;
use crate::transport::agent::{Agent, Word};
use crate::transport::{AmoOp, WordOp, atomics};
use cushmem_abi::CommandKind;
use cushmem_bootstrap::waits::{Published, note};
use cushmem_path::Path;
use std::sync::Arc;

impl Transfers {
    /// Prepares the agent, once the GPUs are started: later a kernel of the program may spin.
    pub(super) fn start_agent(&self) -> Result<()> {
        if self.agent.get().is_none() {
            let gpu = self.memory.gpu().ok_or_else(|| unfit(Path::GpuAgent))?;
            let agent = Agent::create(gpu.gpu(), gpu.pes_on_my_gpu() > 1)?;
            // One thread of a PE starts the GPUs.
            let _ = self.agent.set(Arc::new(agent));
        }
        Ok(())
    }

    /// Lets the launcher know what the agent has done, as long as the result is kept.
    pub(super) fn report_agent(&self) -> Option<Published> {
        let agent = self.agent.get()?.clone();
        Some(note(move || Some(format!("GPU agent: {}", agent.counts()))))
    }

    /// An atomic operation on a word of GPU memory that this GPU reaches, `behind` what came before on any context, which is complete.
    pub(super) fn gpu_word(
        &self,
        context: &Context,
        transfer: &Transfer,
        address: u64,
        request: atomics::Request,
        behind: bool,
    ) -> std::result::Result<u64, ArgumentError> {
        let atomics::Request { op, width, operand, condition } = request;
        if !address.is_multiple_of(width as u64) {
            return Err(ArgumentError::Misaligned(width));
        }
        let mut value = operand;
        let local = Local { address: (&raw mut value).expose_provenance(), on_gpu: false };
        let copy = |operation| Transfer { operation, when: Completion::Blocking, ..*transfer };
        match op {
            // Loads and stores of a word are whole, whoever copies it.
            WordOp::Fetch => {
                value = 0;
                // SAFETY: the value is a variable that outlives the call.
                unsafe { self.issue(context, &copy(Operation::Get(local, Shape::Bytes(width))))? };
                return Ok(value);
            }
            WordOp::Set => {
                // SAFETY: the value is a variable that outlives the call.
                return unsafe { self.issue(context, &copy(Operation::Put(local, Shape::Bytes(width)))) };
            }
            WordOp::CompareSwap | WordOp::Update(_) => {}
        }
        if !matches!(width, 4 | 8) {
            return Err(ArgumentError::Misaligned(4));
        }
        self.check_atomics(transfer.pe)?;
        let word = Word { kind: kind_of(op, behind), address, width, operand, condition };
        Ok(self.change_on_gpu(word)?)
    }

    /// A word of this PE's GPU memory of so many bytes, and what was stored before it is visible too.
    pub(crate) fn load_own(&self, at: At, bytes: usize) -> Result<u64> {
        let mut value = 0u64;
        let local = Local { address: (&raw mut value).expose_provenance(), on_gpu: false };
        let operation = Operation::Get(local, Shape::Bytes(bytes));
        let transfer = Transfer { operation, pe: self.job.me(), remote: at, when: Completion::Blocking };
        // SAFETY: the value is a variable that outlives the call; the word was found.
        match unsafe { self.issue(self.default_context(), &transfer) } {
            Ok(_) => Ok(value),
            Err(ArgumentError::Failed(error)) => Err(error),
            Err(error) => Err(Error::argument("load a word", "the word", error)),
        }
    }

    /// Lets the agent change a word.
    fn change_on_gpu(&self, word: Word) -> Result<u64> {
        refuse_children(self.job.my_pe(), "atomic operation");
        let (Some(agent), Some(library)) = (self.agent.get(), self.library.get()) else {
            return Err(unfit(Path::GpuAgent));
        };
        // SAFETY: a word of symmetric GPU memory that this GPU reaches, aligned, as was checked.
        let found = unsafe { agent.change(library, self.sync.wait_policy(), word, || self.launches.describe()) };
        found.map_err(|error| self.device_error("atomic operation", error))
    }

    /// Whether this GPU's atomic operations on a PE's memory are atomic with those of its owner.
    fn check_atomics(&self, pe: Pe) -> Result<()> {
        let reach = self.memory.gpu().and_then(|gpu| gpu.reach(pe).ok());
        if pe == self.job.me() || reach.is_some_and(|reach| reach.native_atomics) {
            return Ok(());
        }
        let why = "the link between the GPUs has no native atomics".to_owned();
        Err(Error::new("atomic operation", Cause::Unreachable { memory: "GPU memory", pe: pe.number(), why }))
    }
}

/// The command for an operation.
fn kind_of(op: WordOp, behind: bool) -> CommandKind {
    match op {
        WordOp::Fetch => CommandKind::Fetch,
        WordOp::Set if behind => CommandKind::SetBehind,
        WordOp::Set => CommandKind::Set,
        WordOp::CompareSwap => CommandKind::CompareSwap,
        WordOp::Update(AmoOp::Add) if behind => CommandKind::AddBehind,
        WordOp::Update(AmoOp::Add) => CommandKind::Add,
        WordOp::Update(AmoOp::Swap) => CommandKind::Swap,
        WordOp::Update(AmoOp::And) => CommandKind::And,
        WordOp::Update(AmoOp::Or) => CommandKind::Or,
        WordOp::Update(AmoOp::Xor) => CommandKind::Xor,
    }
}
