//! `--mode stream`: two streams carry out whole steps, messages included. The CPU waits for none of them: it records a
//! few steps in a graph once, and replays it.
//!
//! ```text
//!   main stream    inner cells, phase 0                           | inner cells, phase 1
//!   other stream   wait for signals, unpack, shell | pack, put φ  | wait for signals, unpack, shell | pack, put populations
//! ```
//!
//! [`lbm_kernels::persistent`] defines the phases, and its arguments about inboxes, signals and arrays hold here too.
//! Before each phase, the other stream waits for the inner cells of the previous phase, and the main stream waits for
//! the shell of the previous phase. The main stream does not wait for packing and puts: as in device mode, they overlap
//! with the next phase, which changes nothing that is being packed.
//!
//! Each kind's part of the outbox is free when it is packed again: by then a message of the other kind has arrived,
//! which the neighbour sent after it had received what was in that part.
//!
//! A graph sets signals to the same values each time it runs. The values of each kind alternate between 1 and 2, so a
//! graph has an even number of steps and starts at an even one. The number of the step, which is part of the note about
//! a cell whose values are not sound, comes from a counter in GPU memory.

use crate::element::Element;
use crate::field::{Field, Job};
use crate::solver::Solver;
use anyhow::Result;
use cushmem::{Cmp, Graph, Grid, SignalOp, Stream, SymSlice};
use lbm_kernels::cell::Params;
use lbm_kernels::layout::kinds;
use std::time::{Duration, Instant};

/// Steps in a graph: enough that its launch overhead hardly matters.
const RECORDED: u64 = 10;

/// The field, what is needed to exchange its messages, and the recorded graph.
pub struct StreamMode<'a, T: Element> {
    field: Field<'a, T>,
    other: Stream<'a>,
    /// One word per kind and parcel, in GPU memory.
    signals: SymSlice<'a, u64>,
    graph: Option<Recorded<'a, T>>,
    /// The number of the last message of populations sent.
    sent: Option<u64>,
}

struct Recorded<'a, T> {
    graph: Graph<'a>,
    params: Params<T>,
    exchange: bool,
}

impl<'a, T: Element> StreamMode<'a, T> {
    /// Allocates the field and the signals. Collective.
    pub fn new(job: Job<'a>) -> Result<Self> {
        let field = Field::new(job)?;
        let signals = job.shmem.malloc_gpu((2 * field.plan.parcels[0].len()).max(1))?;
        signals.copy_from(&vec![0; signals.len()])?;
        Ok(Self { other: job.shmem.urgent_stream()?, field, signals, graph: None, sent: None })
    }

    fn signal(&self, kind: u32, parcel: usize) -> cushmem::SymPtr<'a, u64> {
        self.signals.at(kind as usize * self.field.plan.parcels[0].len() + parcel)
    }

    /// Enqueues step `n`. On the GPU its number is the counter plus `ahead`.
    fn step(&self, params: &Params<T>, n: u64, ahead: u64, exchange: bool) -> Result<()> {
        let (field, main, other) = (&self.field, self.field.job.stream, &self.other);
        for phase in 0..2 {
            other.wait_for(main)?;
            // SAFETY: the module's text explains why the order is right.
            unsafe { field.update(main, params, phase, n, ahead, &field.inner)? };
            if exchange {
                for i in 0..field.plan.parcels[phase as usize].len() {
                    other.signal_wait_until(self.signal(phase, i), Cmp::Eq, kinds::signal(n))?;
                }
                // SAFETY: the message has arrived, and the inner cells' kernel uses no ghosts.
                unsafe { field.unpack(other, phase, n, field.inbox.device_ptr())? };
            }
            // SAFETY: the ghosts are filled on this stream, and the cells next to them are in no inner box.
            unsafe { field.update(other, params, phase, n, ahead, &field.shell)? };
            main.wait_for(other)?;
            if exchange {
                self.send(1 - phase, n + u64::from(phase))?;
            }
        }
        Ok(())
    }

    fn send(&self, kind: u32, n: u64) -> Result<()> {
        let field = &self.field;
        // SAFETY: the outbox is free, and the shell has been updated on the same stream.
        unsafe { field.pack(&self.other, kind, n, field.outbox.device_ptr())? };
        for (i, parcel) in field.plan.parcels[kind as usize].iter().enumerate() {
            let range = parcel.at..parcel.at + parcel.elements;
            let (to, from) = (field.inbox.slice(range.clone()), field.outbox.slice(range));
            self.other.put_signal(to, from, self.signal(kind, i), kinds::signal(n), SignalOp::Set, parcel.to)?;
        }
        Ok(())
    }

    /// Enqueues an increment of the step counter.
    fn count(&self, steps: u64) -> Result<()> {
        let (field, job) = (&self.field, &self.field.job);
        let args = (field.clock(), steps);
        // SAFETY: the word belongs to the field, and the kernels that read it precede this one on the stream or have
        // been waited for.
        unsafe { job.stream.launch(job.module, lbm_kernels::advance, Grid::linear(1, 1), args)? };
        Ok(())
    }

    /// Records steps, starting at an even one.
    fn record(&self, params: &Params<T>, exchange: bool) -> Result<Recorded<'a, T>> {
        let main = self.field.job.stream;
        let mut recorded = Ok(());
        let graph = main.capture(|| {
            // The other stream is recorded as soon as it waits for this one, and until this one waits for it.
            recorded = (0..RECORDED).try_for_each(|k| self.step(params, k, k, exchange)).and_then(|()| {
                main.wait_for(&self.other)?;
                self.count(RECORDED)
            });
            Ok(())
        });
        recorded?;
        Ok(Recorded { graph: graph?, params: *params, exchange })
    }
}

impl<'a, T: Element> Solver<'a, T> for StreamMode<'a, T> {
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
        self.sent = Some(field.set_signals(self.signals, field.plan.parcels[0].len())?);
        Ok(())
    }

    fn run(&mut self, params: &Params<T>, steps: u64, exchange: bool) -> Result<Duration> {
        let end = self.field.done() + steps;
        if !self.graph.as_ref().is_some_and(|g| g.params == *params && g.exchange == exchange) && steps > RECORDED {
            self.graph = Some(self.record(params, exchange)?);
        }
        let main = self.field.job.stream;
        let start = Instant::now();
        let mut n = self.field.done();
        while n < end {
            match &self.graph {
                Some(recorded) if n.is_multiple_of(2) && n + RECORDED <= end && steps > RECORDED => {
                    main.wait_for(&self.other)?;
                    if self.field.counted() != n {
                        self.count(n - self.field.counted())?;
                    }
                    // SAFETY: everything the graph refers to belongs to this solver, and lives until the streams have
                    // finished, below.
                    unsafe { main.replay(&recorded.graph)? };
                    n += RECORDED;
                    self.field.set_counted(n);
                    self.other.wait_for(main)?;
                }
                _ => {
                    self.step(params, n, n - self.field.counted(), exchange)?;
                    n += 1;
                }
            }
        }
        main.synchronize()?;
        self.other.synchronize()?;
        self.field.set_done(end);
        if exchange {
            self.sent = Some(end);
        }
        Ok(start.elapsed())
    }

    fn free(self: Box<Self>) -> Result<()> {
        let shmem = self.field.job.shmem;
        self.field.settle(self.signals, self.field.plan.parcels[0].len(), self.sent)?;
        drop(self.graph);
        shmem.free(self.signals)?;
        self.field.free()
    }
}
