//! `--mode stream`: two streams carry out all of a step, and the CPU waits for nothing: it records some steps once, in
//! a graph, and has it run again and again.
//!
//! ```text
//!   main stream    inner cells, phase 0                           | inner cells, phase 1
//!   other stream   wait for signals, unpack, shell | pack, put φ  | wait for signals, unpack, shell | pack, put populations
//! ```
//!
//! Phases are those of [`lbm_kernels::persistent`], and what is said there of inboxes, signals and arrays holds here.
//! Before each phase the other stream waits for the inner cells of the phase before, and the main stream for the shell
//! of the phase before, not for its packing and puts: as in device mode, these go on beside the next phase, which
//! changes nothing that is packed.
//!
//! The outbox is packed again when a message of the other kind has come that a neighbour sent after it had received
//! what was in the outbox.
//!
//! A graph sets signals to the same values each time. Those of a kind are 1 and 2 in turns, so a graph has an even
//! number of steps and begins at an even one. The number of a step, which a note of a cell that is not sound has, is
//! counted by a word of the GPU's.

use crate::element::Element;
use crate::field::{Field, Job};
use crate::solver::Solver;
use anyhow::Result;
use cushmem::{Cmp, Graph, Grid, SignalOp, Stream, SymSlice};
use lbm_kernels::cell::Params;
use lbm_kernels::layout::kinds;
use std::time::{Duration, Instant};

/// Steps of a graph: so many that what its start takes counts little.
const RECORDED: u64 = 10;

/// The field, what moves its messages, and what was recorded.
pub struct StreamMode<'a, T: Element> {
    field: Field<'a, T>,
    other: Stream<'a>,
    /// For each kind a word for each parcel, in GPU memory.
    signals: SymSlice<'a, u64>,
    graph: Option<Recorded<'a, T>>,
    /// The number of the message of populations that was sent last.
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

    /// Enqueues a step, number `ahead` behind the count of the GPU.
    fn step(&self, params: &Params<T>, n: u64, ahead: u64, exchange: bool) -> Result<()> {
        let (field, main, other) = (&self.field, self.field.job.stream, &self.other);
        for phase in 0..2 {
            other.wait_for(main)?;
            // SAFETY: the order is argued in the module's text.
            unsafe { field.update(main, params, phase, n, ahead, &field.inner)? };
            if exchange {
                for i in 0..field.plan.parcels[phase as usize].len() {
                    other.signal_wait_until(self.signal(phase, i), Cmp::Eq, kinds::signal(n))?;
                }
                // SAFETY: the message has come, and the inner cells' kernel uses no ghost.
                unsafe { field.unpack(other, phase, n, field.inbox.device_ptr())? };
            }
            // SAFETY: the ghosts are filled on this stream, and cells beside them are in no inner box.
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

    /// Enqueues an addition to the count of steps.
    fn count(&self, steps: u64) -> Result<()> {
        let (field, job) = (&self.field, &self.field.job);
        let args = (field.clock(), steps);
        // SAFETY: the word is the field's, and kernels that read it are before it on the stream, or waited for.
        unsafe { job.stream.launch(job.module, lbm_kernels::advance, Grid::linear(1, 1), args)? };
        Ok(())
    }

    /// Records steps from an even one on.
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
                    // SAFETY: what the graph names is this solver's, and stays until the streams have finished, below.
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
