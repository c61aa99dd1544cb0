//! Transfers that the proxy stages ([`crate::transport::stage`]), and how threads wait for them.

use super::context::Context;
use super::copy_plan::CopyPlan;
use super::{Completion, Local, Operation, Transfer, Transfers};
use crate::error::{ArgumentError, Result};
use crate::job::Pe;
use crate::memory::{At, SymOffset};
use crate::sync::child::refuse_children;
use crate::sync::locked;
use crate::sync::tracker::Tracker;
use crate::transport::stage::{Done, Span, StageOp, Staged};
use cushmem_gpu::Rows;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

impl Transfers {
    /// Whether this PE stages.
    pub(super) fn stages(&self) -> bool {
        self.pending.get().is_some() && self.memory.stage().is_some()
    }

    /// Has a copy staged, each block for itself or all as rows (`in_rows`, if the PE's proxy copies them), and waits
    /// for them if the caller waits. The local end is valid until then, as [`Transfers::issue`] requires.
    pub(super) fn stage_all(
        &self,
        context: &Context,
        transfer: &Transfer,
        local: &Local,
        plan: &CopyPlan,
        in_rows: bool,
    ) -> std::result::Result<(), ArgumentError> {
        let to_peer = matches!(transfer.operation, Operation::Put(..));
        let there = transfer.remote.offset.0;
        let mut last = 0;
        let mut stage = |here: usize, there: u64, span: Span| {
            let at = At { offset: SymOffset(there), ..transfer.remote };
            let here = Local { address: here, ..*local };
            let what = if to_peer { StageOp::Put(here, at, span) } else { StageOp::Get(here, at, span) };
            last = self.stage(context, transfer.pe, what)?;
            Ok::<(), ArgumentError>(())
        };
        let rows = plan.rows(there).filter(|rows| in_rows && rows.width as usize <= Span::MOST_WIDTH);
        let all = match rows {
            Some(Rows { dst, src, dst_step, src_step, width, count }) => {
                let [here, there] =
                    if to_peer { [(src, src_step), (dst, dst_step)] } else { [(dst, dst_step), (src, src_step)] };
                let (width, steps) = (width as usize, [here.1 as usize, there.1 as usize]);
                stage(here.0 as usize, there.0, Span { bytes: width * count as usize, width, steps })
            }
            None => plan.each(there as usize, |here, there, bytes| stage(here, there as u64, Span::whole(bytes))),
        };
        if transfer.when == Completion::Blocking
            && let Some(tracker) = context.staged()
        {
            self.wait_for_staged(tracker, last);
        }
        all
    }

    /// Has the owner of a word change it, and returns the old value.
    pub(super) fn change_staged(&self, context: &Context, pe: Pe, word: StageOp) -> Result<u64> {
        let found = Arc::new(AtomicU64::new(0));
        let number = self.stage_for(context, pe, word, |tracker, number| Done::Word(tracker, number, found.clone()))?;
        if let Some(tracker) = context.staged() {
            self.wait_for_staged(tracker, number);
        }
        // Relaxed: the tracker's number was finished after the store, and is complete.
        Ok(found.load(Ordering::Relaxed))
    }

    /// Has something staged. Returns its number among the context's operations.
    pub(crate) fn stage(&self, context: &Context, pe: Pe, what: StageOp) -> Result<u64> {
        self.stage_for(context, pe, what, Done::Number)
    }

    fn stage_for(
        &self,
        context: &Context,
        pe: Pe,
        what: StageOp,
        done: impl FnOnce(Arc<Tracker>, u64) -> Done,
    ) -> Result<u64> {
        refuse_children(self.job.my_pe(), "put or get");
        let tracker = context.begin_staged(|| self.new_tracker());
        let number = tracker.begin();
        self.stage_as(tracker, pe, what, done(tracker.clone(), number));
        Ok(number)
    }

    /// Has something staged as an operation that the tracker of its context has begun.
    pub(super) fn stage_as(&self, tracker: &Arc<Tracker>, pe: Pe, what: StageOp, done: Done) {
        // The tracker outlives its operations, so its address identifies the context. Contexts of kernels have small
        // numbers instead.
        let key = Arc::as_ptr(tracker).addr() as u64;
        self.pending.get().expect("it stages").stage(Staged { key, pe, what, done });
    }

    pub(super) fn new_tracker(&self) -> Arc<Tracker> {
        let tracker = Arc::new(Tracker::new(self.sync.wait_policy().clone()));
        let mut trackers = locked(&self.trackers);
        trackers.retain(|tracker| tracker.strong_count() > 0);
        trackers.push(Arc::downgrade(&tracker));
        tracker
    }

    /// Waits for what was staged on a context, which is usually nothing.
    #[inline]
    pub(super) fn finish_staged(&self, context: &Context) {
        if let Some(tracker) = context.staged().filter(|tracker| !tracker.is_complete(tracker.begun())) {
            self.wait_for_staged(tracker, tracker.begun());
        }
    }

    /// Waits for all operations of a context up to this number.
    #[cold]
    pub(super) fn wait_for_staged(&self, tracker: &Tracker, number: u64) {
        tracker.wait(number, || self.pending.get().map(|pending| pending.partners()).unwrap_or_default());
    }
}
