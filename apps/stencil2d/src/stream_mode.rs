//! `--mode stream`: each iteration has one kernel for the rim and one for the inside ([`crate::rim_first`]). The stream
//! of the rim puts what is packed and waits for the neighbours. The CPU does not wait between iterations: it records a
//! few iterations in a graph once, and replays it.
//!
//! ```text
//!   stream of the rim      wait for the signals of buffer k   rim k, which sets them back   put with signal, one for each neighbour
//!   stream of the inside                                      inside k
//! ```
//!
//! Iteration 0 waits for nobody, because all halos have their start values, and the last iteration sends nothing. Both
//! are enqueued without the graph, and so are iterations too few to fill one.
//!
//! **Why signals are 0 or 1.** A graph sets a signal to the same value each time it runs. Therefore each of the two
//! buffers has its own signals. A neighbour sets a signal to 1, and the rim's kernel sets it back to 0 after its stream
//! has seen it.
//!
//! **Why no signal is lost.** A neighbour sets its signal of buffer `k + 1` in its iteration `k`, and next in its
//! iteration `k + 2`, after it has seen this PE's signal of iteration `k + 1`. On this PE's stream, that signal follows
//! the rim of iteration `k + 1`, which has already set the neighbour's signal back.
//!
//! **Why no halo is overwritten while it is still read.** In iteration `k` a neighbour puts into halos of buffer
//! `k + 1`, which the rim of iteration `k - 1` read last. This PE's signal of iteration `k - 1` follows that rim on the
//! stream, and the neighbour has seen it before its own rim of iteration `k`.
//!
//! **Why nobody waits forever.** A wait in iteration `k` is for puts of iteration `k - 1`, and nothing that precedes
//! these on the neighbour's stream waits for anything later than iteration `k - 2`. A wait occupies a single lane, so
//! the inside has the rest of the GPU.

use crate::cells::Cell;
use crate::field::{Field, Job, Times};
use crate::rim_first::{BUFFERS, RimFirst};
use crate::solver::Solver;
use anyhow::Result;
use cushmem::{Cmp, Graph, SignalOp, SymSlice};
use std::time::Instant;
use stencil2d_kernels::triggered::SIDES;

/// Iterations in a graph: a multiple of the number of buffers, and enough that the launch overhead of a graph hardly
/// matters.
const RECORDED: u32 = 5 * BUFFERS;

/// The field, what is needed to exchange its halos, and the recorded graphs.
pub struct StreamMode<'a, T: Cell> {
    kernels: RimFirst<'a, T>,
    /// One word per buffer and neighbour, in GPU memory.
    signals: SymSlice<'a, u64>,
    /// Iterations without exchange, and with it, starting at an odd one.
    graphs: [Option<Graph<'a>>; 2],
}

impl<'a, T: Cell> StreamMode<'a, T> {
    /// Allocates the field and the signals. Collective.
    pub fn new(job: Job<'a>) -> Result<Self> {
        let kernels = RimFirst::new(job)?;
        let words = BUFFERS as usize * SIDES;
        let signals = job.shmem.malloc_gpu(words)?;
        signals.copy_from(&vec![0; words])?;
        Ok(Self { kernels, signals, graphs: [None, None] })
    }

    fn signals(&self, buffer: u32) -> SymSlice<'a, u64> {
        let start = (buffer % BUFFERS) as usize * SIDES;
        self.signals.slice(start..start + SIDES)
    }

    /// Enqueues iteration `k`.
    fn iteration(&self, k: u32, receives: bool, sends: bool) -> Result<()> {
        let Self { kernels, .. } = self;
        let stream = kernels.field.job.stream;
        let seen = self.signals(k).slice(..if receives { kernels.arrivals.len() } else { 0 });
        for i in 0..seen.len() {
            stream.signal_wait_until(seen.at(i), Cmp::Ge, 1)?;
        }
        kernels.enqueue(k, Some(seen))?;
        kernels.fork()?;
        for parcel in kernels.parcels.iter().filter(|_| sends) {
            let (to, signal) = (kernels.halo(k + 1, parcel), self.signals(k + 1).at(parcel.signal));
            stream.put_signal(to, kernels.source(parcel), signal, 1, SignalOp::Set, parcel.pe)?;
        }
        Ok(())
    }

    /// Records iterations, starting at an odd one.
    fn record(&self, exchange: bool) -> Result<Graph<'a>> {
        let mut recorded = Ok(());
        let graph = self.kernels.field.job.stream.capture(|| {
            recorded = self.recorded(exchange);
            Ok(())
        });
        recorded?;
        Ok(graph?)
    }

    fn recorded(&self, exchange: bool) -> Result<()> {
        // The capture includes the other stream from when it waits for this one until this one waits for it.
        self.kernels.fork()?;
        (1..=RECORDED).try_for_each(|k| self.iteration(k, exchange, exchange))?;
        self.kernels.join()
    }

    /// Enqueues all iterations, most of them by replaying the graph, and waits for them.
    fn iterate(&self, iterations: u32, exchange: bool) -> Result<Times> {
        let last = iterations - 1;
        let start = Instant::now();
        self.iteration(0, false, exchange && last > 0)?;
        let mut k = 1;
        if let Some(graph) = &self.graphs[usize::from(exchange)] {
            self.kernels.join()?;
            while k + RECORDED <= last {
                // SAFETY: everything the graph refers to belongs to this solver, and lives until the streams have
                // finished, below.
                unsafe { self.kernels.field.job.stream.replay(graph)? };
                self.kernels.report(k, k + RECORDED, iterations)?;
                k += RECORDED;
            }
            self.kernels.fork()?;
        }
        while k <= last {
            self.iteration(k, exchange, exchange && k < last)?;
            self.kernels.report(k, k + 1, iterations)?;
            k += 1;
        }
        self.kernels.finish()?;
        // Only a comparison with a run without exchange shows what the exchange costs.
        Ok(Times { total: start.elapsed(), exchange: None })
    }
}

impl<'a, T: Cell> Solver<'a, T> for StreamMode<'a, T> {
    fn field(&self) -> &Field<'a, T> {
        &self.kernels.field
    }

    fn run(&mut self, iterations: u32, exchange: bool) -> Result<Times> {
        if self.graphs[usize::from(exchange)].is_none() {
            self.graphs[usize::from(exchange)] = Some(self.record(exchange)?);
        }
        let (line, done) = self.kernels.progress(iterations)?;
        line.during(done, || self.iterate(iterations, exchange))
    }

    fn result(&self, iterations: u32) -> u32 {
        iterations % BUFFERS
    }

    fn free(self: Box<Self>) -> Result<()> {
        self.kernels.field.job.shmem.free(self.signals)?;
        self.kernels.free()
    }
}
