//! `--mode host`: a kernel for each iteration, and between two kernels the CPU puts the halos.
//!
//! Iteration `k` goes from buffer `k mod 2` to the other, `to`:
//!
//! ```text
//!   stream   unpack (k > 0), step, pack; wait for the stream
//!   puts     rows and corners: buffer `to` here → halo of buffer `to` there
//!            columns: packed here → staging[to] there
//!   quiet, then signal k+1 to each neighbour; wait for signal k+1 from each
//! ```
//!
//! Writers: each halo row or corner, each half of a staging buffer and each signal is written by exactly one neighbour; halo columns are
//! written by this PE's own unpack.
//!
//! Why no cell is overwritten while it is still read: in iteration `k` a neighbour stores into halo and staging of buffer `k + 1 mod 2`. This PE
//! read them last in its iteration `k - 1`, before its stream was idle and it sent signals `k`; and the neighbour is in
//! iteration `k` because it has seen these. With one staging buffer instead of two, a neighbour in iteration `k` could store while
//! this PE, which has sent its signals `k` but not yet started iteration `k`, still has to unpack.
//!
//! A neighbour may be one iteration ahead and its signal with it, so a wait is for this value or a greater one.

use crate::cells::Cell;
use crate::decomposition::Side;
use crate::field::{Field, Job, LANES, Times, tile_width};
use crate::plan::{Rectangle, first_cell, first_halo, neighbours};
use crate::solver::Solver;
use anyhow::Result;
use cushmem::{Cmp, DeviceBuffer, Grid, SymSlice};
use cushmem_program::{Progress, is_watched};
use std::time::Instant;
use stencil2d_kernels::layout::Tiling;

const BUFFERS: u32 = 2;

/// The field, and what moves its halos.
pub struct HostMode<'a, T: Cell> {
    field: Field<'a, T>,
    /// The neighbours, and where they are.
    neighbours: Vec<(Side, u32)>,
    tiling: Tiling,
    /// Packed columns of this PE, west and east.
    packed: DeviceBuffer<'a, T>,
    /// For each buffer, packed columns from the neighbours in the west and in the east.
    staging: SymSlice<'a, T>,
    /// Elements of a packed column, the same on all PEs.
    column: usize,
    /// A word for each side, in host memory.
    signals: SymSlice<'a, u64>,
    /// Value of all signals.
    signalled: u64,
}

impl<'a, T: Cell> HostMode<'a, T> {
    /// Allocates the field and the staging buffers. Collective.
    pub fn new(job: Job<'a>) -> Result<Self> {
        let field = Field::new(job, BUFFERS)?;
        let column = job.grid.largest().0 as usize;
        let signals = job.shmem.malloc(Side::ALL.len())?;
        signals.copy_from(&[0; Side::ALL.len()])?;
        Ok(Self {
            neighbours: neighbours(&job.grid, job.shmem.my_pe()).collect(),
            tiling: Rectangle::all(field.shape).tiling(tile_width::<T>(), job.blocks()),
            packed: job.shmem.device_alloc(2 * column)?,
            staging: job.shmem.malloc_gpu(BUFFERS as usize * 2 * column)?,
            column,
            signals,
            signalled: 0,
            field,
        })
    }

    fn has(&self, side: Side) -> bool {
        self.neighbours.iter().any(|(s, _)| *s == side)
    }

    /// Columns from the neighbours for one of the buffers.
    fn staging(&self, buffer: u32) -> SymSlice<'a, T> {
        let start = 2 * self.column * (buffer % BUFFERS) as usize;
        self.staging.slice(start..start + 2 * self.column)
    }

    /// Iteration `k`. The first one has its halos from the start, and the last one `sends` nothing.
    fn compute(&self, k: u32, exchanges: bool, sends: bool) -> Result<()> {
        let (field, job) = (&self.field, &self.field.job);
        let (from, to) = (field.buffer(k).device_ptr(), field.buffer(k + 1).device_ptr());
        let (west, east) = (self.has(Side::West), self.has(Side::East));
        let column = Grid::linear(field.shape.rows.div_ceil(LANES).min(job.blocks()), LANES);
        let tiles = self.tiling.across(tile_width::<T>()) * self.tiling.down();
        let tiles = Grid::linear(tiles.min(job.blocks()), LANES);
        let staged = self.staging(k).device_ptr();
        // SAFETY: buffers, staging and packed columns have the shape that the kernels are told. The stream runs the
        // kernels one after the other, and what peers do at the same time is argued in the module's text.
        unsafe {
            if k > 0 && exchanges && (west || east) {
                let args = (from, field.shape, staged, self.column as u64, west.into(), east.into());
                job.stream.launch(job.module, T::UNPACK, column, args)?;
            }
            job.stream.launch(job.module, T::STEP, tiles, (from, to, field.shape, self.tiling))?;
            if sends && (west || east) {
                let args = (to, field.shape, self.packed.device_ptr(), self.column as u64);
                job.stream.launch(job.module, T::PACK, column, args)?;
            }
        }
        Ok(job.stream.synchronize()?)
    }

    /// Sends the rim of buffer `buffer` to the neighbours and waits for theirs.
    fn exchange(&mut self, buffer: u32) -> Result<()> {
        let shmem = self.field.job.shmem;
        for &(side, peer) in &self.neighbours {
            self.put_side(side, peer, buffer)?;
        }
        shmem.quiet()?;
        self.signalled += 1;
        for &(side, peer) in &self.neighbours {
            shmem.p(self.signals.at(side.opposite() as usize), self.signalled, peer)?;
        }
        for &(side, _) in &self.neighbours {
            shmem.signal_wait_until(self.signals.at(side as usize), Cmp::Ge, self.signalled)?;
        }
        Ok(())
    }

    fn put_side(&self, side: Side, peer: u32, buffer: u32) -> Result<()> {
        let (field, shmem) = (&self.field, self.field.job.shmem);
        let (rows, cols) = (field.shape.rows as usize, field.shape.cols as usize);
        let columns = self.staging(buffer);
        match side {
            // What leaves in the west arrives from the east.
            Side::West => {
                shmem.put_nbi(columns.slice(self.column..self.column + rows), self.packed.slice(..rows), peer)?
            }
            Side::East => {
                shmem.put_nbi(columns.slice(..rows), self.packed.slice(self.column..self.column + rows), peer)?
            }
            _ => {
                let cells = if side.offset().1 == 0 { cols } else { 1 };
                let there = self.field.job.grid.shape(peer, size_of::<T>());
                let (from, to) = (first_cell(side, field.shape), first_halo(side, there));
                let (from, to) = (field.shape.at(from.0, from.1) as usize, there.at(to.0, to.1) as usize);
                let field = field.buffer(buffer);
                shmem.put_nbi(field.slice(to..to + cells), field.slice(from..from + cells), peer)?;
            }
        }
        Ok(())
    }
}

impl<'a, T: Cell> Solver<'a, T> for HostMode<'a, T> {
    fn field(&self) -> &Field<'a, T> {
        &self.field
    }

    fn run(&mut self, iterations: u32, exchange: bool) -> Result<Times> {
        let mut times = Times::default();
        let mut progress = Progress::new(is_watched(self.field.job.shmem), "iteration", iterations.into());
        let start = Instant::now();
        for k in 0..iterations {
            let before = Instant::now();
            let sends = exchange && k + 1 < iterations;
            self.compute(k, exchange, sends)?;
            let between = Instant::now();
            if sends {
                self.exchange(k + 1)?;
            }
            times.compute += between - before;
            times.exchange += between.elapsed();
            progress.show(u64::from(k) + 1);
        }
        times.total = start.elapsed();
        Ok(times)
    }

    fn result(&self, iterations: u32) -> u32 {
        iterations % BUFFERS
    }

    fn free(self: Box<Self>) -> Result<()> {
        let shmem = self.field.job.shmem;
        shmem.free(self.signals)?;
        shmem.free(self.staging)?;
        self.field.free()
    }
}
