//! The operations by name that the proxy has started: for commands of kernels, for posts of streams, and those that
//! streams have handed over.

use super::Services;
use super::commands;
use super::described::{Entry, Posts};
use super::stream_ops::StreamOp;
use crate::error::Error;
use crate::transfer::Completion;
use crate::transfer::context::Context;
use crate::transfer::operation::PreparedOp;
use cushmem_abi::DevicePrepared;
use cushmem_protocol::trigger::EVERY;
use std::collections::VecDeque;
use std::sync::Arc;

/// The number of the last operation staged on a context.
fn staged(context: &Context) -> u64 {
    context.staged().map_or(0, |tracker| tracker.begun())
}

/// Operations by name that the proxy has started and not completed.
#[derive(Default)]
pub(super) struct Named {
    /// In the order in which they were started, each with the number of its last staged part on the proxy's context.
    begun: VecDeque<(Begun, u64)>,
}

enum Begun {
    Epoch(Arc<Entry>, u64),
    Posts(Arc<Entry>, u64),
    StreamOp(StreamOp),
}

impl Named {
    /// Starts the operation that a command names.
    pub(super) fn command(
        &mut self,
        services: &Services,
        context: &Context,
        asked: &commands::Named,
    ) -> std::result::Result<(), String> {
        let commands::Named { name, epoch, .. } = *asked;
        let DevicePrepared { index, generation } = name;
        let entry = services.described.find(name).filter(|entry| entry.is_trigger() == epoch.is_some());
        let what = if epoch.is_some() { "trigger" } else { "prepared operation" };
        let entry = entry.ok_or_else(|| {
            format!("there is no {what} {index} of generation {generation}: it was freed or never created")
        })?;
        let always = entry.is_always_armed();
        if let Some(epoch) = epoch.filter(|epoch| always != (*epoch == EVERY) || *epoch <= entry.completed()) {
            return Err(format!("{what} {index}: epoch {epoch}"));
        }
        let described = entry.described().ok_or("it is not carried out by the CPU")?;
        // This thread stages it and so cannot wait for it.
        // SAFETY: whoever described the operation, or posts it, guarantees that its memory is valid.
        unsafe { described.carry_out(&services.transfers, context, Completion::Nbi) }
            .map_err(|error| error.to_string())?;
        services.transfers.note_copies(context);
        // Nobody waits for an epoch if all are armed.
        let begun = epoch.filter(|_| !always).map(|epoch| (Begun::Epoch(entry, epoch), staged(context)));
        self.begun.extend(begun);
        Ok(())
    }

    /// Starts about `most` posts of streams, and what streams have handed over. Returns how many.
    pub(super) fn posts(&mut self, services: &Services, context: &Context, most: u64) -> usize {
        let mut count = 0;
        let begin = |described: &PreparedOp| {
            // SAFETY: whoever posts the operation, or hands it over, guarantees that its memory is valid.
            let begun = unsafe { described.carry_out(&services.transfers, context, Completion::Nbi) };
            begun.inspect(|()| services.transfers.note_copies(context))
        };
        for op in services.stream_ops.take() {
            if let Err(error) = begin(&op.described) {
                let error = Error::argument("an operation on a stream", "its memory", error);
                services.job().end("operations of streams", &error);
            }
            self.begun.push_back((Begun::StreamOp(op), staged(context)));
            count += 1;
        }
        for Posts { entry, first, last } in services.described.take_posts(most) {
            let described = entry.described().expect("streams post what was described");
            for _ in first..=last {
                if let Err(error) = begin(described) {
                    let error = Error::argument("post from a stream", "the prepared operation", error);
                    services.job().end("operations of streams", &error);
                }
                count += 1;
            }
            self.begun.push_back((Begun::Posts(entry, last), staged(context)));
        }
        count
    }

    /// Completes everything that was started, except operations with a later staged number than `complete`. Returns
    /// whether there were any.
    pub(super) fn finish(&mut self, services: &Services, complete: u64) -> bool {
        let before = self.begun.len();
        while let Some((begun, _)) = self.begun.pop_front_if(|(_, number)| *number <= complete) {
            match begun {
                Begun::Epoch(entry, epoch) => entry.complete(epoch),
                Begun::StreamOp(op) => services.stream_ops.finish(&op),
                Begun::Posts(entry, posts) => entry.finish_posts(posts),
            }
        }
        self.begun.len() < before
    }
}
