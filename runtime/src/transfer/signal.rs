//! Puts with signal: data, followed by the signal that announces them (OpenSHMEM 1.6, section 9.8).
//!
//! A signal announces the data of its own operation on the same PE, and nothing else. Data that the CPU stored are
//! ordered before it by the CPU. Data that an engine copies are waited for, unless the signal is a copy on the same
//! lane, which comes after them. To another node, a signal that is set travels behind the data. A signal that is added
//! to is an atomic operation; it is posted when the data have arrived. If data are staged, the signal is staged too,
//! behind them. The proxy does not wait for an engine either: [`super::proxy_copies`] says how its signals come behind.
//! A word of GPU memory of another node that the network reaches is set behind the data too ([`super::direct`]).

use super::context::Context;
use super::copy_plan::CopyPlan;
use super::{Completion, Local, Operation, Shape, Transfer, Transfers};
use crate::error::ArgumentError;
use crate::job::{Pe, record};
use crate::memory::{At, Remote, Segment};
use crate::transport::atomics;
use crate::transport::stage::StageOp;
use cushmem_abi::WordOp;
use cushmem_device::SignalOp;
use cushmem_path::Path;
use cushmem_record::Operation as Recorded;

type Result<T> = std::result::Result<T, ArgumentError>;

impl Transfers {
    /// Transfers the data of a put with signal, if there are any, and then the signal.
    ///
    /// # Safety
    /// The local end of `data` is valid for all bytes, until `quiet` of the context if it is [`Completion::Nbi`]; the
    /// symmetric ends were found.
    pub(crate) unsafe fn data_then_signal(
        &self,
        context: &Context,
        data: Option<&Transfer>,
        signal: (At, u64, SignalOp),
        pe: Pe,
    ) -> Result<()> {
        let Some(recorder) = record::active().filter(|_| !context.is_internal()) else {
            // SAFETY: this function has the same requirements.
            return unsafe { self.put_and_signal(context, data, signal, pe) }.map(drop);
        };
        let operation = if data.is_some() { Recorded::PutSignal } else { Recorded::Signal };
        let from = record::begun(record::Of::Operation(operation));
        // SAFETY: this function has the same requirements.
        let path = unsafe { self.put_and_signal(context, data, signal, pe) }?;
        let bytes = data.map_or(0, |data| match data.operation {
            Operation::Put(_, shape) | Operation::Get(_, shape) => shape.bytes(),
            Operation::Amo { width, .. } => width,
        });
        let on = (Some(pe.number()), Some(signal.0.recorded()));
        record::note(recorder, (operation, record::way_of(path)), bytes, on, from);
        Ok(())
    }

    /// Does what [`Transfers::data_then_signal`] does. Returns the path that the data took, or else the signal.
    ///
    /// # Safety
    /// The conditions of [`Transfers::data_then_signal`].
    unsafe fn put_and_signal(
        &self,
        context: &Context,
        data: Option<&Transfer>,
        (signal, value, op): (At, u64, SignalOp),
        pe: Pe,
    ) -> Result<Path> {
        let mut path = None;
        let in_gpu = signal.segment.is_gpu();
        // If the signal is refused, the data are not touched.
        self.reaches_word(signal, size_of::<u64>(), pe).map_err(of_signal)?;
        let to_stage = matches!(self.memory.remote(signal, pe), Remote::Staged(_));
        let by_network = signal.segment == Segment::Network;
        let stages_data = data.is_some_and(|data| self.is_staged(context, data));
        let width = size_of::<u64>();
        if !stages_data
            && op == SignalOp::Set
            && let Some(word) = self.direct_word(context, signal, width, pe)
        {
            // SAFETY: this function has the same requirements.
            let taken = data.map(|data| unsafe { self.issue_part(context, data) }).transpose()?;
            self.set_direct_word(context, word, value, width)?;
            return Ok(taken.map_or(Path::Gdr, |(_, path)| path));
        }
        if to_stage || stages_data {
            // SAFETY: this function has the same requirements.
            unsafe { self.data_then_staged_signal(context, data, (signal, value, op), pe)? };
            return Ok(Path::Staged);
        }
        if let Some(data) = data {
            // SAFETY: the caller guarantees that both ends are valid.
            let (_, taken) = unsafe { self.issue_part(context, data)? };
            path = Some(taken);
            let in_order = matches!(self.memory.remote(data.remote, pe), Remote::Net(_));
            let sets_on_gpu = in_gpu && op == SignalOp::Set;
            if !sets_on_gpu && self.defer_signal(context, (signal, value, op), pe) {
                return Ok(taken);
            }
            // A copied signal comes behind the copies on the first lane.
            if let (true, Remote::Device(word)) = (sets_on_gpu, self.memory.remote(signal, pe))
                && context.lane().is_some_and(|lane| lane.pending().is_some())
            {
                // SAFETY: the signal's place was found, and is aligned.
                if unsafe { self.defer_word(context, (word, value, size_of::<u64>() as u64))? } {
                    return Ok(taken);
                }
                self.drain_sides(context)?;
                self.drain_agent(context)?;
                let local = Local { address: (&raw const value).expose_provenance(), on_gpu: false };
                let plan = CopyPlan::new(local, Shape::Bytes(size_of::<u64>()), true);
                // SAFETY: the signal's place was found, and its value is a variable that outlives the call.
                unsafe { self.by_engine(context, &plan, (word, true), Completion::Blocking)? };
                return Ok(taken);
            }
            if !in_order {
                self.await_copies(context)?;
            }
        }
        if let (Remote::Net(word), false) = (self.memory.remote(signal, pe), by_network) {
            let posted = match op {
                SignalOp::Set => self.set_word_far(context, word, value, size_of::<u64>()),
                SignalOp::Add => self.add_far(context, word, value, data.is_some()),
            };
            return posted.map(|()| path.unwrap_or(Path::Nic)).map_err(of_signal);
        }
        let operation = if in_gpu && op == SignalOp::Set {
            if let Remote::Device(word) = self.memory.remote(signal, pe)
                // SAFETY: the signal's place was found, and is aligned.
                && unsafe { self.defer_word(context, (word, value, size_of::<u64>() as u64))? }
            {
                return Ok(path.unwrap_or(Path::CopyEngine));
            }
            let local = Local { address: (&raw const value).expose_provenance(), on_gpu: false };
            Operation::Put(local, Shape::Bytes(size_of::<u64>()))
        } else {
            let op = WordOp::from(op);
            Operation::Amo { op, width: size_of::<u64>(), operand: value, condition: 0 }
        };
        // Blocking, because the value of a copied signal lives in this function.
        let transfer = Transfer { operation, pe, remote: signal, when: Completion::Blocking };
        let done = match (operation, self.memory.remote(signal, pe)) {
            (Operation::Amo { op, width, operand, condition }, Remote::Device(word)) => {
                let request = atomics::Request { op, width, operand, condition };
                self.gpu_word(context, &transfer, Some(word), (request, true))
            }
            // SAFETY: the signal's place was found, and its value is a variable that outlives the call.
            _ => unsafe { self.issue_part(context, &transfer) },
        };
        done.map(|(_, taken)| path.unwrap_or(taken)).map_err(of_signal)
    }

    /// Like [`Transfers::data_then_signal`], if data or signal are staged.
    ///
    /// # Safety
    /// The conditions of [`Transfers::data_then_signal`].
    unsafe fn data_then_staged_signal(
        &self,
        context: &Context,
        data: Option<&Transfer>,
        (signal, value, op): (At, u64, SignalOp),
        pe: Pe,
    ) -> Result<()> {
        let mut last = None;
        if let Some(data) = data {
            let nbi = Transfer { when: Completion::Nbi, ..*data };
            // SAFETY: the caller guarantees that both ends are valid; blocking copies are waited for below.
            unsafe { self.issue_part(context, &nbi)? };
            if self.is_staged(context, data) {
                last = context.staged().map(|tracker| (tracker, tracker.begun()));
            } else if self.defer_signal(context, (signal, value, op), pe) {
                return Ok(());
            } else {
                self.await_copies(context)?;
                self.store_context(context).net().map_or(Ok(()), |net| net.drain())?;
            }
        }
        let op = WordOp::from(op);
        self.stage(
            context,
            pe,
            StageOp::Word { to: signal, bytes: size_of::<u64>(), op, value, condition: 0, behind: true },
        )?;
        if let Some((tracker, number)) = last
            && data.is_some_and(|data| data.when == Completion::Blocking)
        {
            self.wait_for_staged(tracker, number);
        }
        Ok(())
    }

    /// Whether data travel through host memory.
    fn is_staged(&self, context: &Context, data: &Transfer) -> bool {
        let (Operation::Put(local, _) | Operation::Get(local, _)) = data.operation else { return false };
        let remote = self.memory.remote(data.remote, data.pe);
        let has_no_other = match remote {
            Remote::Staged(_) => true,
            Remote::Net(_) => local.on_gpu && self.stages(),
            _ => false,
        };
        has_no_other && !self.is_direct(context, data, &remote)
    }
}

/// Makes an error say that it concerns the signal, unless the operation itself failed.
fn of_signal(error: ArgumentError) -> ArgumentError {
    match error {
        ArgumentError::Failed(_) => error,
        error => ArgumentError::Signal(Box::new(error)),
    }
}
