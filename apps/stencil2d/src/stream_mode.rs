//! `--mode stream`: a kernel for the rim and one for the inside in each iteration, as [`crate::rim_first`] has them,
//! and the stream of the rim puts what is packed and waits for the neighbours. The CPU waits for nothing: it records
//! some iterations once, in a graph, and has it run again and again.
//!
//! ```text
//!   stream of the rim      wait for the signals of buffer k   rim k, which sets them back   put with signal, one for each neighbour
//!   stream of the inside                                      inside k
//! ```
//!
//! Iteration 0 waits for nobody, as all halos have their start values, and the last one sends nothing. Both are
//! enqueued as they are, and so are those that fill no graph.
//!
//! **What a graph cannot change.** It always sets a signal to the same value. So there are signals for each of the two
//! buffers, which are set to 1, and the rim's kernel sets those back to 0 that its stream has seen.
//!
//! **Why no signal is lost.** A neighbour sets the one of buffer `k + 1` in its iteration `k`, and again in iteration
//! `k + 2`, when it has seen this PE's signal of iteration `k + 1`. That one follows, on the stream, the rim of
//! iteration `k + 1`, which has set the word back after it was seen.
//!
//! **Why no halo is overwritten while it is still read.** In iteration `k` a neighbour puts into halos of buffer
//! `k + 1`, which the rim of iteration `k - 1` read last. This PE's signal of iteration `k - 1` follows that rim on the
//! stream, and the neighbour has seen it before its own rim of iteration `k`.
//!
//! **Why nobody waits for ever.** A wait in iteration `k` is for puts of iteration `k - 1`, before which nothing on the
//! neighbour's stream waits for anything later. The wait is one lane, and leaves the GPU to the inside.

use crate::cells::Cell;
use crate::field::{Field, Job, Times};
use crate::rim_first::{BUFFERS, RimFirst};
use crate::solver::Solver;
use anyhow::Result;
use cushmem::{Cmp, Graph, SignalOp, SymSlice};
use std::time::Instant;
use stencil2d_kernels::triggered::SIDES;

/// Iterations of a graph: whole turns of the buffers, and so many that what the start of a graph takes counts little.
const RECORDED: u32 = 5 * BUFFERS;

/// The field, what moves its halos, and what was recorded.
pub struct StreamMode<'a, T: Cell> {
    kernels: RimFirst<'a, T>,
    /// For each buffer a word for each neighbour, in GPU memory.
    signals: SymSlice<'a, u64>,
    /// Iterations without exchange, and with it, that begin at an odd one.
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

    /// Records iterations from an odd one on.
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
        // The other stream is recorded as soon as it waits for this one, and until this one waits for it.
        self.kernels.fork()?;
        (1..=RECORDED).try_for_each(|k| self.iteration(k, exchange, exchange))?;
        self.kernels.join()
    }

    /// Enqueues all iterations, of which most are recorded, and waits for them.
    fn iterate(&self, iterations: u32, exchange: bool) -> Result<Times> {
        let last = iterations - 1;
        let start = Instant::now();
        self.iteration(0, false, exchange && last > 0)?;
        let mut k = 1;
        if let Some(graph) = &self.graphs[usize::from(exchange)] {
            self.kernels.join()?;
            while k + RECORDED <= last {
                // SAFETY: what the graph names is this solver's, and stays until the streams have finished, below.
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
        // What streams spend on the exchange only a comparison with a run without it shows.
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
