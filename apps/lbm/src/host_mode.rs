//! `--mode host` and `--mode staged`: kernels run on two streams, and the CPU sends the messages.
//!
//! ```text
//!   main stream    inner cells, phase 0                        | inner cells, phase 1                       |
//!   other stream              unpack, shell, pack              |            unpack, shell, pack             |
//!   CPU            wait for       wait for it, put, signal     | wait for         wait for it, put, signal  |
//!                  populations n                     φ n       | φ n                        populations n+1 |
//! ```
//!
//! [`lbm_kernels::persistent`] defines the phases, and its arguments about inboxes, signals and arrays hold here too,
//! because no two phases mix: the other stream starts a phase only after the main stream has updated the inner cells of
//! the previous phase, and the CPU enqueues the inner cells of the next phase only when the other stream has finished.
//! Within a phase, the shell's kernels may run beside the inner cells' kernel, which neither reads ghosts nor writes
//! cells of the shell. The other stream has the highest priority, so its blocks run before any block of inner cells
//! that has not started yet.
//!
//! In *host* mode the CPU puts from the GPU's outbox straight to the neighbour's GPU. In *staged* mode the other stream
//! copies the outbox to host memory, the CPU puts it into the neighbour's host memory, and the neighbour copies it to
//! its GPU. Programs have to do that when their communication library does not support GPU memory.
//!
//! The outbox is free when a message is packed: the CPU waited for all puts from it (`quiet`) before it sent their
//! signals. In staged mode, the copy from the host's inbox has finished before the PE sends its next signal, because
//! the CPU waits for the stream first.

use crate::element::Element;
use crate::field::{Field, Job};
use crate::solver::Solver;
use anyhow::Result;
use cushmem::{Cmp, Stream, SymPtr, SymSlice};
use lbm_kernels::cell::Params;
use lbm_kernels::layout::kinds;
use std::time::{Duration, Instant};

/// The field, and what is needed to exchange its messages.
pub struct HostMode<'a, T: Element> {
    field: Field<'a, T>,
    other: Stream<'a>,
    /// One word per kind and parcel, in host memory.
    signals: SymSlice<'a, u64>,
    /// Outbox and inbox in host memory, in staged mode.
    staging: Option<[SymSlice<'a, T>; 2]>,
    /// The number of the last message of populations sent.
    sent: Option<u64>,
}

impl<'a, T: Element> HostMode<'a, T> {
    /// Allocates the field and everything else the mode needs. Collective.
    pub fn new(job: Job<'a>, is_staged: bool) -> Result<Self> {
        let field = Field::new(job)?;
        let room = field.plan.box_elements;
        let boxes = || -> Result<_> { Ok([job.shmem.malloc(room)?, job.shmem.malloc(room)?]) };
        let staging = if is_staged { Some(boxes()?) } else { None };
        let signals = job.shmem.malloc((2 * field.plan.parcels[0].len()).max(1))?;
        signals.copy_from(&vec![0; signals.len()])?;
        Ok(Self { other: job.shmem.urgent_stream()?, signals, staging, sent: None, field })
    }

    fn signal(&self, kind: u32, parcel: usize) -> SymPtr<'a, u64> {
        self.signals.at(kind as usize * self.field.plan.parcels[0].len() + parcel)
    }

    /// Waits for the signals of a message, and enqueues its copy to the ghosts on the other stream.
    fn receive(&self, kind: u32, n: u64) -> Result<()> {
        let (field, shmem) = (&self.field, self.field.job.shmem);
        for (i, parcel) in field.plan.parcels[kind as usize].iter().enumerate() {
            shmem.signal_wait_until(self.signal(kind, i), Cmp::Eq, kinds::signal(n))?;
            if let Some([_, inbox]) = self.staging {
                let range = parcel.at..parcel.at + parcel.elements;
                self.other.put(field.inbox.slice(range.clone()), inbox.slice(range), shmem.my_pe())?;
            }
        }
        // SAFETY: the message has arrived, and the inner cells' kernel uses no ghosts.
        unsafe { field.unpack(&self.other, kind, n, field.inbox.device_ptr())? };
        Ok(())
    }

    /// Enqueues the packing of a message on the other stream.
    fn pack(&self, kind: u32, n: u64) -> Result<()> {
        let (field, shmem) = (&self.field, self.field.job.shmem);
        // SAFETY: the outbox is free, and the shell has been updated on the same stream.
        unsafe { field.pack(&self.other, kind, n, field.outbox.device_ptr())? };
        let parcels = &field.plan.parcels[kind as usize];
        if let (Some([outbox, _]), [first, .., last] | [first @ last]) = (self.staging, &parcels[..]) {
            // A kind's parcels are consecutive, so one copy suffices.
            let range = first.at..last.at + last.elements;
            self.other.put(outbox.slice(range.clone()), field.outbox.slice(range), shmem.my_pe())?;
        }
        Ok(())
    }

    /// Sends a packed message.
    fn send(&self, kind: u32, n: u64) -> Result<()> {
        let (field, shmem) = (&self.field, self.field.job.shmem);
        let [outbox, inbox] = self.staging.unwrap_or([field.outbox, field.inbox]);
        let parcels = &field.plan.parcels[kind as usize];
        for parcel in parcels {
            let range = parcel.at..parcel.at + parcel.elements;
            shmem.put_nbi(inbox.slice(range.clone()), outbox.slice(range), parcel.to)?;
        }
        shmem.quiet()?;
        for (i, parcel) in parcels.iter().enumerate() {
            shmem.p(self.signal(kind, i), kinds::signal(n), parcel.to)?;
        }
        Ok(())
    }
}

impl<'a, T: Element> Solver<'a, T> for HostMode<'a, T> {
    fn field(&self) -> &Field<'a, T> {
        &self.field
    }

    fn field_mut(&mut self) -> &mut Field<'a, T> {
        &mut self.field
    }

    fn begin(&mut self) -> Result<()> {
        self.field.settle(self.signals, self.field.plan.parcels[0].len(), self.sent)?;
        let field = &self.field;
        field.send_first()?;
        if let Some([_, inbox]) = self.staging {
            inbox.copy_from(&field.inbox.to_vec()?)?;
        }
        self.sent = Some(field.set_signals(self.signals, field.plan.parcels[0].len())?);
        Ok(())
    }

    fn run(&mut self, params: &Params<T>, steps: u64, exchange: bool) -> Result<Duration> {
        let (field, main) = (&self.field, self.field.job.stream);
        let sends = exchange && field.pieces_of_list() > 0;
        let start = Instant::now();
        for n in field.done()..field.done() + steps {
            for phase in 0..2 {
                self.other.wait_for(main)?;
                // SAFETY: the module's text explains why the order is right.
                unsafe { field.update(main, params, phase, n, n, &field.inner)? };
                if sends {
                    self.receive(phase, n)?;
                }
                // SAFETY: the ghosts are filled on this stream, and the cells next to them are in no inner box.
                unsafe { field.update(&self.other, params, phase, n, n, &field.shell)? };
                let message = n + u64::from(phase);
                if sends {
                    self.pack(1 - phase, message)?;
                }
                self.other.synchronize()?;
                if sends {
                    self.send(1 - phase, message)?;
                }
            }
        }
        main.synchronize()?;
        let total = start.elapsed();
        self.field.set_done(self.field.done() + steps);
        if exchange {
            self.sent = Some(self.field.done());
        }
        Ok(total)
    }

    fn free(self: Box<Self>) -> Result<()> {
        let shmem = self.field.job.shmem;
        self.field.settle(self.signals, self.field.plan.parcels[0].len(), self.sent)?;
        shmem.free(self.signals)?;
        for staging in self.staging.into_iter().flatten() {
            shmem.free(staging)?;
        }
        self.field.free()
    }
}
