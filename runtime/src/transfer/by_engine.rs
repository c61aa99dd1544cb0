//! Copies by this GPU's engine, and by the pump where that is faster.

use super::context::Context;
use super::copy_plan::CopyPlan;
use super::{Completion, Transfers};
use crate::error::{ArgumentError, Error};
use crate::job::record;
use crate::sync::child::refuse_children;
use crate::transport::Posted;
use crate::transport::copy_engine::Lane;
use cushmem_gpu::{GpuError, Rows, Stream};
use cushmem_record::Extra;
use std::sync::OnceLock;

type Result<T> = std::result::Result<T, ArgumentError>;

/// Size of the buffer between a GPU and memory that it does not reach.
const BUFFER: usize = 1 << 20;

/// A copy of at least this many bytes that is left to a quiet uses the lane of its direction. Shorter ones finish too
/// soon for that to pay off.
const LONG: usize = 256 << 10;

impl Transfers {
    /// Posts each block to the context's lane, and waits for the last one if the caller waits. `there_on_gpu` says
    /// whether `there` is GPU memory.
    ///
    /// # Safety
    /// The conditions of [`Transfers::issue`].
    pub(super) unsafe fn by_engine(
        &self,
        context: &Context,
        plan: &CopyPlan,
        (there, there_on_gpu): (u64, bool),
        when: Completion,
    ) -> Result<()> {
        // SAFETY: the caller guarantees that both ends are valid.
        if unsafe { self.by_pump(context, plan, there, there_on_gpu)? } {
            return Ok(());
        }
        let nbi = when == Completion::Nbi;
        // SAFETY: the caller guarantees that both ends are valid; the word there is aligned.
        unsafe {
            if let Some((value, bytes)) = plan.word(there, there_on_gpu)
                && self.put_word(context, (there, value, bytes), nbi)?
            {
                return Ok(());
            }
        }
        let lane = match plan.direction(there_on_gpu).filter(|_| nbi && plan.shape.bytes() >= LONG) {
            Some(direction) => self.side(context, direction)?,
            None => self.lane(context)?,
        };
        let mut last = None;
        // SAFETY: the caller guarantees that all rows are valid.
        let rows = |rows: Rows| self.post(lane, nbi, |stream| unsafe { stream.copy_rows(&rows) });
        // The driver may refuse rows that span several registrations or chunks, though it accepts each row by itself.
        let posted = match plan.rows(there).and_then(|all| rows(all).ok()) {
            Some(ticket) => {
                last = Some(ticket);
                Ok(())
            }
            None => plan.each(there as usize, |here, there, bytes| {
                let (dst, src) = if plan.to_peer { (there, here) } else { (here, there) };
                self.memory.in_parts([dst, src], bytes, |from, bytes| {
                    let ends = ((dst + from) as u64, (src + from) as u64);
                    // SAFETY: the caller guarantees that both ranges are valid, and these are parts of them.
                    let copy = |stream: &dyn Stream| unsafe { stream.copy(ends.0, ends.1, bytes as u64) };
                    last = Some(self.post(lane, nbi, copy)?);
                    Ok::<(), Error>(())
                })
            }),
        };
        match (posted, last) {
            // Some blocks may be under way.
            (Err(error), _) => {
                let _ = lane.settle();
                Err(error.into())
            }
            (Ok(()), Some(ticket)) if !nbi => Ok(self.wait_for(lane, ticket)?),
            (Ok(()), _) => Ok(()),
        }
    }

    /// Puts a word to GPU memory by the context's lane, and waits for it unless it is `nbi`. Returns whether it did.
    /// The driver refuses such writes in this library's own context to memory that another process allocated with
    /// `cudaMalloc` and that was opened in the program's context, and some devices do not have them for words of eight
    /// bytes; it copies there instead.
    ///
    /// # Safety
    /// The word, an address with its value and length, is valid and aligned.
    pub(super) unsafe fn put_word(&self, context: &Context, word: (u64, u64, u64), nbi: bool) -> crate::Result<bool> {
        let (lane, control) = (self.lane(context)?, self.sync.control());
        let (address, value, bytes) = word;
        // SAFETY: the caller guarantees that the word is valid.
        let posted = self.post_by(lane, || unsafe {
            if nbi {
                lane.enqueue(control, nbi, |stream| stream.set_word(address, value, bytes))
            } else {
                lane.enqueue_reported_word(control, word)
            }
        })?;
        match posted {
            Ok(ticket) if !nbi => self.wait_for(lane, ticket).map(|()| true),
            Ok(_) => Ok(true),
            Err(error) if error.is_refusal() => Ok(false),
            Err(error) => Err(self.device_error("copy", error)),
        }
    }

    /// Posts an operation of a stream and returns its ticket. If there is no room, it waits for progress first.
    pub(super) fn post(
        &self,
        lane: &Lane,
        nbi: bool,
        operation: impl Fn(&dyn Stream) -> std::result::Result<(), GpuError>,
    ) -> crate::Result<u64> {
        let control = self.sync.control();
        let posted = self.post_by(lane, || lane.enqueue(control, nbi, &operation))?;
        posted.map_err(|error| self.device_error("copy", error))
    }

    /// Posts as soon as the lane has room, and returns the ticket, or why the driver did not take it.
    fn post_by(
        &self,
        lane: &Lane,
        enqueue: impl Fn() -> std::result::Result<Posted, GpuError>,
    ) -> crate::Result<std::result::Result<u64, GpuError>> {
        refuse_children(self.job.my_pe(), "copy by the GPU");
        loop {
            match enqueue() {
                Ok(Posted::Ticket(ticket)) => return Ok(Ok(ticket)),
                Ok(Posted::Again) => {
                    record::note_retry(Extra::CopyLanes);
                    self.wait_for(lane, lane.posted())?;
                }
                Err(error) => return Ok(Err(error)),
            }
        }
    }

    /// Has what is posted next to the lanes that a context has wait until a word, given by its address, is at least
    /// `value`. Creates no lane but the first.
    ///
    /// # Safety
    /// Streams reach the word, which stays until then.
    pub(crate) unsafe fn hold_up(&self, context: &Context, word: u64, value: u64) -> crate::Result<()> {
        let sides = context.sides().iter().filter_map(OnceLock::get);
        for lane in std::iter::once(self.lane(context)?).chain(sides) {
            // SAFETY: the caller guarantees that the word is valid.
            self.post(lane, false, |stream| unsafe { stream.wait_word(word, value) })?;
        }
        Ok(())
    }

    /// Copies any two ranges that this GPU reaches, after all copies before it on the default context, and waits.
    ///
    /// # Safety
    /// Both ranges are valid for `bytes` bytes.
    pub(crate) unsafe fn copy_and_wait(&self, dst: u64, src: u64, bytes: usize) -> crate::Result<()> {
        // SAFETY: the caller guarantees that both ranges are valid.
        unsafe { self.copy_on(self.default_context(), dst, src, bytes) }
    }

    /// Like [`Transfers::copy_and_wait`], on any context.
    ///
    /// # Safety
    /// Both ranges are valid for `bytes` bytes.
    pub(super) unsafe fn copy_on(&self, context: &Context, dst: u64, src: u64, bytes: usize) -> crate::Result<()> {
        let lane = self.lane(context)?;
        let mut last = None;
        let posted = self.memory.in_parts([dst as usize, src as usize], bytes, |from, bytes| {
            let (dst, src) = (dst + from as u64, src + from as u64);
            // SAFETY: the caller guarantees that both ranges are valid, and they stay so during this call.
            last = Some(self.post(lane, false, |stream| unsafe { stream.copy(dst, src, bytes as u64) })?);
            Ok(())
        });
        if let Err(error) = posted {
            // Some parts may be under way.
            let _ = lane.settle();
            return Err(error);
        }
        last.map_or(Ok(()), |ticket| self.wait_for(lane, ticket))
    }

    /// Copies words that kernels may look at or change, and waits. No copy of the program delays it.
    ///
    /// # Safety
    /// Both ranges are valid for `bytes` bytes.
    pub(crate) unsafe fn copy_aside(&self, dst: u64, src: u64, bytes: usize) -> crate::Result<()> {
        // SAFETY: the caller guarantees that both ranges are valid.
        unsafe { self.copy_on(self.polling_context(), dst, src, bytes) }
    }

    /// Copies, part by part through a buffer, between GPU memory here and memory that only `other` reaches. The
    /// arguments of `other` are an address in this process, the bytes copied so far, and a length.
    ///
    /// # Safety
    /// The conditions of [`Transfers::issue`].
    pub(super) unsafe fn through_buffer(
        &self,
        context: &Context,
        here: usize,
        bytes: usize,
        to_peer: bool,
        mut other: impl FnMut(usize, usize, usize) -> Result<()>,
    ) -> Result<()> {
        let mut buffer = vec![0u8; bytes.min(BUFFER)];
        let stage = buffer.as_mut_ptr().expose_provenance();
        for done in (0..bytes).step_by(BUFFER) {
            let part = (bytes - done).min(BUFFER);
            let here = (here + done) as u64;
            // SAFETY: the caller guarantees that the local end is valid; the buffer has room for a part, and each step
            // is complete before the next.
            unsafe {
                if to_peer {
                    self.copy_on(context, stage as u64, here, part)?;
                    other(stage, done, part)?;
                } else {
                    other(stage, done, part)?;
                    self.copy_on(context, here, stage as u64, part)?;
                }
            }
        }
        Ok(())
    }
}
