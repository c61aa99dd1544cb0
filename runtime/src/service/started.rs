//! Operations that the proxy has started and not completed: prepared operations and operations of triggers for commands
//! of kernels ([`StartedOps::command`]), and what streams have posted or handed over ([`StartedOps::posts`]). Both run
//! in the proxy thread.

use super::Services;
use super::commands::PreparedCommand;
use super::prepared::{Entry, Posts};
use super::stream_ops::StreamOp;
use crate::error::Error;
use crate::transfer::Completion;
use crate::transfer::context::Context;
use crate::transfer::operation::PreparedOp;
use cushmem_abi::DevicePrepared;
use cushmem_protocol::trigger::EVERY;
use cushmem_record::Operation as Recorded;
use std::collections::VecDeque;
use std::sync::Arc;

/// The number of the last operation staged on a context.
fn staged(context: &Context) -> u64 {
    context.staged().map_or(0, |tracker| tracker.begun())
}

/// What the proxy has started and not completed.
#[derive(Default)]
pub(super) struct StartedOps {
    /// In the order in which they were started, each with the number of its last staged part on the proxy's context.
    started: VecDeque<(Started, u64)>,
}

enum Started {
    Epoch(Arc<Entry>, u64),
    Posts(Arc<Entry>, u64),
    StreamOp(StreamOp),
}

impl StartedOps {
    /// Starts the operation that a command names. Returns what it is in the record, its bytes and its PE.
    pub(super) fn command(
        &mut self,
        services: &Services,
        context: &Context,
        asked: &PreparedCommand,
    ) -> std::result::Result<(Recorded, usize, u32), String> {
        let PreparedCommand { name, epoch, .. } = *asked;
        let DevicePrepared { index, generation } = name;
        let entry = services.prepared.find(name).filter(|entry| entry.is_trigger() == epoch.is_some());
        let what = if epoch.is_some() { "trigger" } else { "prepared operation" };
        let entry = entry.ok_or_else(|| {
            format!("there is no {what} {index} of generation {generation}: it was freed or never created")
        })?;
        let always = entry.is_always_armed();
        if let Some(epoch) = epoch.filter(|epoch| always != (*epoch == EVERY) || *epoch <= entry.completed()) {
            return Err(format!("{what} {index}: epoch {epoch}"));
        }
        let operation = entry.operation().ok_or("it is not carried out by the CPU")?;
        // This thread stages it and so cannot wait for it.
        // SAFETY: whoever described the operation, or posts it, guarantees that its memory is valid.
        unsafe { operation.carry_out(&services.transfers, context, Completion::Nbi) }
            .map_err(|error| error.to_string())?;
        services.transfers.note_copies(context);
        let ((what, bytes), pe) = (operation.recorded(), operation.pe.number());
        // Nobody waits for an epoch if all are armed.
        let started = epoch.filter(|_| !always).map(|epoch| (Started::Epoch(entry, epoch), staged(context)));
        self.started.extend(started);
        Ok((what, bytes, pe))
    }

    /// Starts about `most` posts of streams, and what streams have handed over. Returns how many.
    pub(super) fn posts(&mut self, services: &Services, context: &Context, most: u64) -> usize {
        let mut count = 0;
        let begin = |operation: &PreparedOp| {
            // SAFETY: whoever posts the operation, or hands it over, guarantees that its memory is valid.
            let started = unsafe { operation.carry_out(&services.transfers, context, Completion::Nbi) };
            started.inspect(|()| services.transfers.note_copies(context))
        };
        for op in services.stream_ops.take() {
            if let Err(error) = begin(&op.runs) {
                let error = Error::argument("an operation on a stream", "its memory", error);
                services.job().end("operations of streams", &error);
            }
            self.started.push_back((Started::StreamOp(op), staged(context)));
            count += 1;
        }
        for Posts { entry, first, last } in services.prepared.take_posts(most) {
            let operation = entry.operation().expect("streams post what was prepared");
            for _ in first..=last {
                if let Err(error) = begin(operation) {
                    let error = Error::argument("post from a stream", "the prepared operation", error);
                    services.job().end("operations of streams", &error);
                }
                count += 1;
            }
            self.started.push_back((Started::Posts(entry, last), staged(context)));
        }
        count
    }

    /// Completes everything that was started, except operations with a later staged number than `complete`. Returns
    /// whether there were any.
    pub(super) fn finish(&mut self, services: &Services, complete: u64) -> bool {
        let before = self.started.len();
        while let Some((started, _)) = self.started.pop_front_if(|(_, number)| *number <= complete) {
            match started {
                Started::Epoch(entry, epoch) => entry.complete(epoch),
                Started::StreamOp(op) => services.stream_ops.finish(&op),
                Started::Posts(entry, posts) => entry.finish_posts(posts),
            }
        }
        self.started.len() < before
    }
}
