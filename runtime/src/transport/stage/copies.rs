//! This GPU's copies in one direction, for both sides of staged transfers: one copy lane for short copies and words,
//! and several that take turns with long copies. The proxy thread only enqueues a copy on a copy lane
//! ([`Copies::post`], [`Copies::set`]); the GPU's copy engine makes it.
//!
//! While a stream writes the completion word of its lane, it copies nothing: 7 µs on an H200, where a chunk of 1 MiB
//! takes 19. With several copy lanes, one long lane copies while the completion of another is written, and no short
//! copy waits behind long ones. *Order*: operations on the short lane are carried out in the order in which they were
//! posted. Where more order is needed, [`Marks`] are compared.

use crate::error::{Error, Result};
use crate::sync::control::Control;
use crate::transport::Posted;
use crate::transport::copy_engine::Lane;
use cushmem_gpu::{GpuError, Rows, Stream};

/// Lanes; the first is the short one.
pub(crate) const LANES: usize = 3;

/// A copy of at least this many bytes is reported by itself, so that the next step of its chunk starts while other
/// chunks are copied. Shorter ones are reported together, once a round.
pub(super) const LONG: usize = 64 << 10;

/// A copy's number on its lane.
#[derive(Clone, Copy)]
pub(super) struct Ticket {
    lane: usize,
    number: u64,
}

/// By lane, the last of a set of copies; 0 for none.
#[derive(Clone, Copy, Default)]
pub(super) struct Marks([u64; LANES]);

impl Marks {
    pub(super) fn note(&mut self, ticket: Ticket) {
        self.0[ticket.lane] = ticket.number;
    }
}

pub(super) struct Copies {
    lanes: [Reporting; LANES],
    /// The lane of the last long copy.
    last_long: usize,
    to_gpu: bool,
}

/// A lane, and up to which ticket its stream has been told to report.
struct Reporting {
    lane: Lane,
    /// The last ticket.
    posted: u64,
    flushed: u64,
}

impl Copies {
    pub(super) fn new(lanes: [Lane; LANES], to_gpu: bool) -> Self {
        let reporting = |lane: Lane| Reporting { posted: lane.posted(), flushed: lane.posted(), lane };
        Self { lanes: lanes.map(reporting), last_long: 0, to_gpu }
    }

    /// Posts a copy; `None` if there is no room at present.
    ///
    /// # Safety
    /// Both ranges stay valid until the copy is complete.
    pub(super) unsafe fn post(
        &mut self,
        control: &Control,
        dst: u64,
        src: u64,
        bytes: usize,
    ) -> Result<Option<Ticket>> {
        let (to_gpu, length) = (self.to_gpu, bytes as u64);
        // SAFETY: the caller keeps both ranges valid.
        self.post_by(control, bytes, |stream| unsafe {
            if to_gpu { stream.copy_in_rows(dst, src, length) } else { stream.copy(dst, src, length) }
        })
    }

    /// Posts a copy of two rows or more; `None` if there is no room at present.
    ///
    /// # Safety
    /// All rows stay valid until the copy is complete.
    pub(super) unsafe fn post_rows(&mut self, control: &Control, rows: &Rows) -> Result<Option<Ticket>> {
        // SAFETY: the caller keeps all rows valid.
        self.post_by(control, (rows.count * rows.width) as usize, |stream| unsafe { copy_rows(stream, rows) })
    }

    fn post_by(
        &mut self,
        control: &Control,
        bytes: usize,
        copy: impl FnOnce(&dyn Stream) -> std::result::Result<(), GpuError>,
    ) -> Result<Option<Ticket>> {
        if bytes < LONG {
            return self.enqueue(control, 0, copy);
        }
        let lane = 1 + self.last_long % (LANES - 1);
        let ticket = self.enqueue(control, lane, copy)?;
        self.last_long = lane;
        self.lanes[lane].flush(control)?;
        Ok(ticket)
    }

    /// Copies a word to the GPU as a unit, on the short lane.
    ///
    /// # Safety
    /// The conditions of [`Copies::post`].
    pub(super) unsafe fn post_word(
        &mut self,
        control: &Control,
        dst: u64,
        src: u64,
        bytes: usize,
    ) -> Result<Option<Ticket>> {
        // SAFETY: the caller keeps both ranges valid.
        self.enqueue(control, 0, |stream| unsafe { stream.copy(dst, src, bytes as u64) })
    }

    /// Stores a word into the GPU's memory, on the short lane.
    ///
    /// # Safety
    /// `address` is a valid word of `bytes` bytes.
    pub(super) unsafe fn set(
        &mut self,
        control: &Control,
        address: u64,
        value: u64,
        bytes: usize,
    ) -> Result<Option<Ticket>> {
        // SAFETY: the caller guarantees that the word is valid.
        self.enqueue(control, 0, |stream| unsafe { stream.set_word(address, value, bytes as u64) })
    }

    fn enqueue(
        &mut self,
        control: &Control,
        at: usize,
        operation: impl FnOnce(&dyn Stream) -> std::result::Result<(), GpuError>,
    ) -> Result<Option<Ticket>> {
        let reporting = &mut self.lanes[at];
        match reporting.lane.enqueue(control, false, operation).map_err(failed)? {
            Posted::Ticket(number) => {
                reporting.posted = number;
                Ok(Some(Ticket { lane: at, number }))
            }
            Posted::Again => Ok(None),
        }
    }

    /// Whether the copy with this ticket is complete.
    pub(super) fn is_complete(&self, control: &Control, ticket: Ticket) -> bool {
        self.lanes[ticket.lane].lane.is_reported(control, ticket.number)
    }

    /// Whether all these copies are complete.
    pub(super) fn are_complete(&self, control: &Control, marks: &Marks) -> bool {
        self.lanes.iter().zip(marks.0).all(|(lane, mark)| lane.lane.is_reported(control, mark))
    }

    /// Whether a copy that is posted to the short lane now comes after all these.
    pub(super) fn short_lane_is_behind(&self, control: &Control, marks: &Marks) -> bool {
        let long = self.lanes.iter().zip(marks.0).skip(1);
        long.into_iter().all(|(lane, mark)| lane.lane.is_reported(control, mark))
    }

    /// Has the streams report what they have not reported yet.
    pub(super) fn flush(&mut self, control: &Control) -> Result<()> {
        self.lanes.iter_mut().try_for_each(|lane| lane.flush(control))
    }

    /// Whether the GPU still works.
    pub(super) fn check(&self, control: &Control) -> Result<()> {
        for Reporting { lane, posted, .. } in &self.lanes {
            if !lane.is_reported(control, *posted) {
                lane.is_complete(control, *posted).map_err(failed)?;
            }
        }
        Ok(())
    }

    /// Waits until nothing is under way. That also holds after a failure of the GPU.
    pub(super) fn settle(&self) {
        for Reporting { lane, .. } in &self.lanes {
            let _ = lane.settle();
        }
    }
}

impl Reporting {
    fn flush(&mut self, control: &Control) -> Result<()> {
        if self.posted > self.flushed {
            self.flushed = self.lane.flush(control).map_err(failed)?;
        }
        Ok(())
    }
}

/// Copies rows. The driver may refuse rows that span several allocations, though it accepts each row by itself: then
/// the two halves are copied, in the same way.
///
/// # Safety
/// All rows stay valid until the copy is complete.
unsafe fn copy_rows(stream: &dyn Stream, rows: &Rows) -> std::result::Result<(), GpuError> {
    let &Rows { dst, src, dst_step, src_step, width, count } = rows;
    // SAFETY: the caller keeps all rows valid.
    unsafe {
        match stream.copy_rows(rows) {
            Err(error) if error.is_refusal() && count == 1 => stream.copy(dst, src, width),
            Err(error) if error.is_refusal() => {
                let half = count / 2;
                copy_rows(stream, &Rows { count: half, ..*rows })?;
                let (dst, src) = (dst + half * dst_step, src + half * src_step);
                copy_rows(stream, &Rows { dst, src, count: count - half, ..*rows })
            }
            done => done,
        }
    }
}

fn failed(error: GpuError) -> Error {
    Error::new("copy", error)
}
