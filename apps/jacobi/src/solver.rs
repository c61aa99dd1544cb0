//! The memory of a solver, and the loop of each mode.
//!
//! Iteration `k` reads grid `k mod 2` and writes the other. [`jacobi_kernels::solve`] explains why no halo is
//! overwritten while it is still read; the other modes keep the same order, with kernels in place of blocks.

use crate::args::Mode;
use crate::problem::Problem;
use anyhow::{Context, Result};
use cushmem::{Cmp, DevPtr, DeviceBuffer, Grid, Module, Reduction, Shmem, SignalOp, Stream, SymSlice};
use cushmem_program::{ensure_resident, gave_up, lanes, most_blocks, to_all};
use jacobi_kernels::{self as kernels, Edge, Part, Run};
use std::time::{Duration, Instant};

/// What all modes need.
pub struct Solver<'a> {
    shmem: &'a Shmem,
    module: &'a Module<'a>,
    stream: Stream<'a>,
    part: Part,
    run: Run,
    start: Vec<f32>,
    /// Both grids, one after the other.
    grids: SymSlice<'a, f32>,
    /// The bits of the norms: a word for each, which is zero until then.
    norms: SymSlice<'a, u32>,
    /// Two words that count halos: in GPU memory, and in host memory for the CPU.
    signals: SymSlice<'a, u64>,
    host_signals: SymSlice<'a, u64>,
    /// The iterations in which the kernel that stays gave up waiting for its neighbours; 0 if it did not.
    late: DeviceBuffer<'a, u32>,
    /// How long that kernel waits for a neighbour.
    limit: Duration,
    /// Blocks of the kernel that stays, the same number on all PEs.
    resident: u32,
}

/// How a run ended.
pub struct Ended {
    pub time: Duration,
    /// Iterations up to the norm that ends the run.
    pub iterations: u32,
    /// Iterations that were made in that time. A stream that nobody looks at makes all of them.
    pub made: u32,
    pub norms: Vec<f32>,
}

impl<'a> Solver<'a> {
    /// Allocates the memory. Collective.
    pub fn new(shmem: &'a Shmem, module: &'a Module<'a>, problem: Problem, run: Run, limit: Duration) -> Result<Self> {
        let part = problem.part(shmem.my_pe());
        // First, because this may be too much.
        let grids = shmem.malloc_gpu(2 * part.elements())?;
        let fits = module.max_resident_blocks(kernels::solve, lanes(shmem))?.min(most_blocks(shmem));
        let fits = to_all(shmem, [fits])?.into_iter().map(|[fits]| fits).min().unwrap_or(0);
        // Two for the edges, and one at least for the rows between.
        ensure_resident(fits, lanes(shmem), 3)?;
        Ok(Self {
            shmem,
            module,
            stream: shmem.stream()?,
            part,
            run,
            start: problem.start(shmem.my_pe()),
            grids,
            norms: shmem.malloc_gpu(run.norms().max(1))?,
            signals: shmem.malloc_gpu(2)?,
            host_signals: shmem.malloc(2)?,
            late: shmem.device_alloc(2)?,
            limit,
            resident: fits.min(2 + useful_blocks(part, lanes(shmem))),
        })
    }

    /// Runs from the start values. Collective.
    pub fn run(&self, mode: Mode) -> Result<Ended> {
        for k in 0..2 {
            self.grid(k).copy_from(&self.start)?;
        }
        self.norms.copy_from(&vec![0; self.norms.len()])?;
        self.signals.copy_from(&[0; 2])?;
        self.host_signals.copy_from(&[0; 2])?;
        self.late.copy_from(&[0; 2])?;
        // No halo comes before everything is at its start.
        self.shmem.barrier_all()?;
        let begin = Instant::now();
        let made = match mode {
            Mode::Host => Some(self.by_host()?),
            Mode::Stream => Some(self.by_stream()?),
            Mode::Device => {
                self.by_one_kernel()?;
                None
            }
        };
        let time = begin.elapsed();
        self.check()?;
        // No PE starts the next run while a neighbour is still in this one.
        self.shmem.barrier_all()?;
        let norms: Vec<f32> = self.norms.to_vec()?.into_iter().map(f32::from_bits).collect();
        let (iterations, norms) = self.run.ended(&norms[..self.run.norms()]);
        Ok(Ended { time, iterations, made: made.unwrap_or(iterations), norms: norms.to_vec() })
    }

    /// This PE's rows after so many iterations, without the border.
    pub fn rows(&self, iterations: u32) -> Result<Vec<f32>> {
        let (part, grid) = (self.part, self.grid(iterations).to_vec()?);
        Ok((1..=part.rows).flat_map(|row| &grid[part.at(row, 1)..=part.at(row, part.cols)]).copied().collect())
    }

    /// Frees the memory. Collective.
    pub fn free(self) -> Result<()> {
        self.shmem.free(self.grids)?;
        self.shmem.free(self.norms)?;
        self.shmem.free(self.signals)?;
        Ok(self.shmem.free(self.host_signals)?)
    }

    /// The CPU waits for each kernel, puts, and reduces. Returns how many iterations it made.
    fn by_host(&self) -> Result<u32> {
        let Self { shmem, stream, host_signals: signals, .. } = self;
        for k in 1..=self.run.iterations {
            self.update(k)?;
            stream.synchronize()?;
            for edge in self.edges() {
                let (halo, row) = self.ends(k, edge);
                let signal = signals.at(edge.their_signal);
                shmem.put_signal(halo, row, signal, k.into(), SignalOp::Set, edge.neighbour)?;
            }
            for edge in self.edges() {
                shmem.signal_wait_until(signals.at(edge.own_signal), Cmp::Ge, k.into())?;
            }
            if let Some(norm) = self.norm_after(k) {
                shmem.reduce(shmem.team_world(), Reduction::Max, norm, norm)?;
                if self.is_last(norm)? {
                    return Ok(k);
                }
            }
        }
        Ok(self.run.iterations)
    }

    /// The stream does everything. The CPU waits for it only to compare a norm with a tolerance, so without one the
    /// stream does not stop at a norm of 0. Returns how many iterations it made.
    fn by_stream(&self) -> Result<u32> {
        let Self { shmem, stream, signals, .. } = self;
        for k in 1..=self.run.iterations {
            self.update(k)?;
            for edge in self.edges() {
                let (halo, row) = self.ends(k, edge);
                let signal = signals.at(edge.their_signal);
                stream.put_signal(halo, row, signal, k.into(), SignalOp::Set, edge.neighbour)?;
            }
            for edge in self.edges() {
                stream.signal_wait_until(signals.at(edge.own_signal), Cmp::Ge, k.into())?;
            }
            if let Some(norm) = self.norm_after(k) {
                stream.reduce(shmem.team_world(), Reduction::Max, norm, norm)?;
                if self.run.tolerance > 0.0 {
                    stream.synchronize()?;
                    if self.is_last(norm)? {
                        return Ok(k);
                    }
                }
            }
        }
        stream.synchronize()?;
        Ok(self.run.iterations)
    }

    /// The kernel does everything, and the CPU waits for its end.
    fn by_one_kernel(&self) -> Result<()> {
        let Self { module, stream, part, run, .. } = self;
        let (grids, signals, norms) = (self.grids.device_ptr(), self.signals.device_ptr(), self.norms.device_ptr());
        let grid = Grid::linear(self.resident, lanes(self.shmem));
        let (late, limit_ns) = (self.late.device_ptr(), self.limit.as_nanos() as u64);
        let arguments = (grids, *part, *run, signals, norms, stream.grid_counter(), late, limit_ns);
        // SAFETY: two grids of this part, two signals and a word for each norm, all symmetric, and two words of this
        // PE. All PEs launch as many blocks, at least three, with the same run.
        unsafe { stream.launch_cooperative(module, kernels::solve, grid, arguments)? };
        Ok(stream.synchronize()?)
    }

    /// Fails if the kernel that stays gave up waiting for a neighbour.
    fn check(&self) -> Result<()> {
        for edge in self.edges() {
            let k = self.late.to_vec()?[edge.own_signal];
            if k != 0 {
                let (step, from) = (format!("iteration {k}"), format!("PE {}", edge.neighbour));
                return Err(gave_up(self.shmem, &step, Some(&from), self.limit));
            }
        }
        Ok(())
    }

    /// Enqueues the kernel of an iteration; `k` iterations are then complete.
    fn update(&self, k: u32) -> Result<()> {
        let threads = lanes(self.shmem);
        let blocks = useful_blocks(self.part, threads).min(most_blocks(self.shmem));
        let norm = self.norm_after(k).map_or(DevPtr::from_address(0), |norm| norm.device_ptr());
        let arguments = (self.grid(k - 1).device_ptr(), self.grid(k).device_ptr(), self.part, norm);
        // SAFETY: both are grids of this part, and a neighbour writes to the halos of the second one only, which the
        // kernel leaves alone.
        unsafe { self.stream.launch(self.module, kernels::update, Grid::linear(blocks, threads), arguments)? };
        Ok(())
    }

    fn grid(&self, k: u32) -> SymSlice<'a, f32> {
        let (elements, number) = (self.part.elements(), k as usize % 2);
        self.grids.slice(number * elements..(number + 1) * elements)
    }

    /// The word of the norm that is due after `k` iterations.
    fn norm_after(&self, k: u32) -> Option<SymSlice<'a, u32>> {
        let number = self.run.norm_after(k)? as usize;
        Some(self.norms.slice(number..=number))
    }

    fn is_last(&self, norm: SymSlice<'_, u32>) -> Result<bool> {
        let bits = *norm.to_vec()?.first().context("a norm is one word")?;
        Ok(f32::from_bits(bits) <= self.run.tolerance)
    }

    /// The edges on whose other side is a PE.
    fn edges(&self) -> impl Iterator<Item = Edge> + use<> {
        [0, 1].map(|number| self.part.edge(number)).into_iter().filter(Edge::has_neighbour)
    }

    /// Where a row goes after `k` iterations, and the row.
    fn ends(&self, k: u32, edge: Edge) -> (SymSlice<'a, f32>, SymSlice<'a, f32>) {
        let row = |row: u32| self.grid(k).slice(self.part.at(row, 1)..=self.part.at(row, self.part.cols));
        (row(edge.halo), row(edge.row))
    }
}

/// Blocks that have something to update, on the PE with the most rows.
fn useful_blocks(part: Part, lanes: u32) -> u32 {
    kernels::tiles(part.most_rows, part.cols, lanes)
}
