//! Copies that the proxy starts and does not wait for, and what comes behind them.
//!
//! Kernels and streams have the proxy carry out prepared operations, some of which are long copies. Meanwhile the proxy
//! serves others: commands of other blocks, barriers, and requests of other PEs. So it leaves a copy to its copy lane,
//! and checks in each round whether the lane has come so far.
//!
//! * *When an operation is complete*: each of these copies has a number on the proxy's context, like what is staged,
//!   and is finished when the lane has passed it. Whoever waits for the operation waits for the number.
//! * *What order requires*: a signal announces the data of its own operation on the same PE, and nothing else. So it
//!   waits for the copy of these data, and only for that. Signals that are set in GPU memory are copies on the same
//!   lane, behind the data. For any other signal the proxy first sees that the lane has passed the data, which is an
//!   acquire of what the engine wrote; then it changes the word, or asks for the change, as a release. A fence or quiet
//!   of a kernel covers the signal too, because the operation's number is finished with the signal.
//! * *Words that come behind puts of the same kernel*: a put or get of bytes leaves no copy on the lane, because what
//!   kernels ask for by address is not copied by this GPU's engine. If one did, the proxy would wait for it at once. A
//!   strided copy may be left there, as a prepared operation that is carried out once. No word belongs to it, and a
//!   fence or quiet of the kernel covers it by its number.
//! * *On the lane* copies stay in their order, so a short one still comes after the long ones before it.

use super::Transfers;
use super::context::Context;
use crate::error::{ArgumentError, Result};
use crate::job::Pe;
use crate::memory::{At, Remote};
use crate::sync::locked;
use crate::sync::tracker::Tracker;
use crate::transport::copy_engine::Lane;
use crate::transport::stage::{Done, StageOp};
use cushmem_device::SignalOp;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// Copies of the proxy that are under way. Only the proxy's thread uses it.
#[derive(Default)]
pub(super) struct ProxyCopies(Mutex<State>);

#[derive(Default)]
struct State {
    /// In the order of their tickets.
    copies: VecDeque<Copy>,
    /// The last ticket of a copy that was noted.
    noted: u64,
    /// How often the proxy has looked for the first one.
    looks: u32,
}

struct Copy {
    ticket: u64,
    /// Its number on the proxy's context.
    number: u64,
    behind: Option<Signal>,
    /// The source of the copy, if it is a word that the stream's own queue does not write.
    _value: Option<Box<u64>>,
}

/// A signal and its PE.
struct Signal {
    signal: (At, u64, SignalOp),
    pe: Pe,
}

impl Transfers {
    /// The copies of a context that does not wait for them: that of the proxy.
    fn proxy_copies(&self, context: &Context) -> Option<&ProxyCopies> {
        context.is_proxy().then_some(&self.proxy_copies)
    }

    /// Gives a number to copies that were left on the lane of the proxy's context since the last call.
    pub(crate) fn note_copies(&self, context: &Context) {
        self.defer(context, None, None);
    }

    /// Has a signal wait for the copies that were left on the lane since the last call, if there are any and the
    /// context is the proxy's. Returns whether it does.
    pub(super) fn defer_signal(&self, context: &Context, signal: (At, u64, SignalOp), pe: Pe) -> bool {
        self.defer(context, Some(Signal { signal, pe }), None)
    }

    /// Sets a word of GPU memory, given by address, value and length, behind the copies on the proxy's lane, without
    /// waiting. Returns whether the context is the proxy's.
    ///
    /// # Safety
    /// The word is valid and aligned.
    pub(crate) unsafe fn defer_word(&self, context: &Context, word: (u64, u64, u64)) -> Result<bool> {
        if self.proxy_copies(context).is_none() {
            return Ok(false);
        }
        let (there, value, bytes) = word;
        // SAFETY: this function has the same requirements.
        if matches!(bytes, 4 | 8) && unsafe { self.put_word(context, word, true)? } {
            self.note_copies(context);
            return Ok(true);
        }
        // The stream's own queue does not write it, so it is copied, and its value kept until then.
        let (lane, value) = (self.lane(context)?, Box::new(value));
        let from = (&raw const *value).expose_provenance() as u64;
        // SAFETY: the caller guarantees that the word is valid, and the value is kept until the copy is complete.
        self.post(lane, true, |stream| unsafe { stream.copy(there, from, bytes) })?;
        self.defer(context, None, Some(value));
        Ok(true)
    }

    /// Waits for copies of data before their signal. Those of the proxy's context have come here without a copy on the
    /// lane.
    pub(super) fn await_copies(&self, context: &Context) -> Result<()> {
        if self.proxy_copies(context).is_some() { Ok(()) } else { self.drain_copies(context) }
    }

    /// Waits for copies that a put or get of bytes left on the lane: there are none, as said above.
    pub(crate) fn await_proxy_copies(&self, context: &Context) -> Result<()> {
        if self.defer(context, None, None) { self.drain_copies(context) } else { Ok(()) }
    }

    fn defer(&self, context: &Context, behind: Option<Signal>, value: Option<Box<u64>>) -> bool {
        let (Some(started), Some(lane)) = (self.proxy_copies(context), context.lane()) else { return false };
        let mut state = locked(&started.0);
        let Some(ticket) = lane.pending().filter(|ticket| *ticket > state.noted) else { return false };
        state.noted = ticket;
        let number = context.begin_staged(|| self.new_tracker()).begin();
        state.copies.push_back(Copy { ticket, number, behind, _value: value });
        true
    }

    /// Whether copies of the proxy are under way.
    pub(crate) fn has_copies(&self, context: &Context) -> bool {
        self.proxy_copies(context).is_some_and(|started| !locked(&started.0).copies.is_empty())
    }

    /// Looks which copies are complete, and carries out what comes behind them. Returns whether there were any.
    pub(crate) fn finish_copies(&self, context: &Context) -> Result<bool> {
        let (Some(started), Some(lane), Some(tracker)) = (self.proxy_copies(context), context.lane(), context.staged())
        else {
            return Ok(false);
        };
        if tracker.is_complete(tracker.begun()) {
            return Ok(false);
        }
        let mut moved = false;
        while let Some(copy) = self.next_complete(started, lane)? {
            moved = true;
            let Copy { number, behind, .. } = copy;
            match behind {
                None => tracker.finish(number),
                Some(Signal { signal, pe }) => {
                    let sent = self.send_signal(context, (tracker, number), signal, pe);
                    sent.map_err(|error| crate::Error::argument("a put with signal", "its signal", error))?;
                }
            }
        }
        Ok(moved)
    }

    /// Waits for the copies when the proxy ends, and forgets what comes behind them. Nobody waits for that any more.
    pub(crate) fn forget_copies(&self, context: &Context) {
        let (Some(started), Some(lane), Some(tracker)) = (self.proxy_copies(context), context.lane(), context.staged())
        else {
            return;
        };
        let _ = lane.settle();
        locked(&started.0).copies.drain(..).for_each(|copy| tracker.finish(copy.number));
    }

    /// Takes the first copy from the list if it is complete.
    fn next_complete(&self, started: &ProxyCopies, lane: &Lane) -> Result<Option<Copy>> {
        let mut state = locked(&started.0);
        let Some(&Copy { ticket, .. }) = state.copies.front() else { return Ok(None) };
        state.looks = state.looks.wrapping_add(1);
        let (control, posted) = (self.sync.control(), lane.posted());
        let come = lane.look(control, ticket, state.looks);
        if !come.map_err(|error| self.device_error("copy", error))? {
            return Ok(None);
        }
        // If the stream has not reported it, the stream was idle, and had finished everything posted before the
        // question.
        lane.acknowledge(if lane.is_reported(control, ticket) { ticket } else { posted });
        state.looks = 0;
        Ok(state.copies.pop_front())
    }

    /// Sends a signal whose data have arrived, and finishes the number when the word has changed.
    fn send_signal(
        &self,
        context: &Context,
        (tracker, number): (&Arc<Tracker>, u64),
        (signal, value, op): (At, u64, SignalOp),
        pe: Pe,
    ) -> std::result::Result<(), ArgumentError> {
        let bytes = size_of::<u64>();
        match self.memory.remote(signal, pe) {
            Remote::Staged(_) => {
                let what = StageOp::Word { to: signal, bytes, op: op.into(), value, condition: 0, behind: true };
                self.stage_as(tracker, pe, what, Done::Number(tracker.clone(), number));
            }
            Remote::Device(word) if op == SignalOp::Add => {
                self.add_as(context, (tracker, number), (signal, word), value, pe)?;
            }
            _ => {
                // SAFETY: there are no data.
                unsafe { self.data_then_signal(context, None, (signal, value, op), pe)? };
                tracker.finish(number);
            }
        }
        Ok(())
    }
}
