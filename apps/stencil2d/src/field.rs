//! The field of one run: its buffers in symmetric GPU memory, and the geometry of this PE's part.

use crate::cells::Cell;
use crate::decomposition::{Decomposition, Part};
use crate::reference::Problem;
use anyhow::Result;
use cushmem::{DeviceBuffer, Grid, Module, Shmem, Stream, SymSlice};
use cushmem_program::{lanes, most_blocks};
use std::time::Duration;
use stencil2d_kernels::layout::{Sampling, Shape, Whole};

/// The job and its arguments, which everything here needs.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    pub shmem: &'a Shmem,
    pub module: &'a Module<'a>,
    pub stream: &'a Stream<'a>,
    pub grid: Decomposition,
    pub problem: Problem,
}

impl Job<'_> {
    /// The number of lanes in a block, for all kernels.
    pub fn lanes(&self) -> u32 {
        lanes(self.shmem)
    }

    /// The number of columns in a tile.
    pub fn tile_width<T: Cell>(&self) -> u32 {
        self.lanes() * T::COLUMNS
    }
}

/// Where the time of a run went.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    pub total: Duration,
    /// The time spent on nothing but the exchange; `None` if it cannot be measured separately.
    pub exchange: Option<Duration>,
}

/// The buffers of the field.
pub struct Field<'a, T> {
    pub job: Job<'a>,
    pub shape: Shape,
    pub whole: Whole,
    pub part: Part,
    buffers: SymSlice<'a, T>,
    count: u32,
}

impl<'a, T: Cell> Field<'a, T> {
    /// Allocates the buffers. Collective.
    pub fn new(job: Job<'a>, count: u32) -> Result<Self> {
        let pe = job.shmem.my_pe();
        let shape = job.grid.shape(pe, size_of::<T>());
        let buffers = job.shmem.malloc_gpu(shape.buffer as usize * count as usize)?;
        Ok(Self { job, shape, whole: job.grid.whole(pe), part: job.grid.part(pe), buffers, count })
    }

    /// Frees the buffers. Collective.
    pub fn free(self) -> Result<()> {
        Ok(self.job.shmem.free(self.buffers)?)
    }

    /// One of the buffers.
    pub fn buffer(&self, index: u32) -> SymSlice<'a, T> {
        let start = self.shape.buffer as usize * (index % self.count) as usize;
        self.buffers.slice(start..start + self.shape.buffer as usize)
    }

    /// All buffers.
    pub fn buffers(&self) -> SymSlice<'a, T> {
        self.buffers
    }

    /// Sets all buffers of all PEs to their start values. Collective.
    pub fn fill(&self) -> Result<()> {
        let blocks = (self.shape.rows + 2).min(most_blocks(self.job.shmem));
        let args = (self.buffers.device_ptr(), self.count, self.shape, self.whole, self.job.problem.seed);
        // SAFETY: the buffers have this shape; no peer stores to them before the barrier.
        unsafe { self.job.stream.launch(self.job.module, T::FILL, Grid::linear(blocks, self.job.lanes()), args)? };
        self.job.stream.synchronize()?;
        Ok(self.job.shmem.barrier_all()?)
    }

    /// Reads the cells of some rows of this PE's part. `rows` are rows of the grid.
    pub fn read(&self, buffer: u32, rows: Part) -> Result<Vec<T>> {
        let first = rows.first_row - self.part.first_row + 1;
        let cols = self.shape.cols as usize;
        let start = self.shape.at(first, 1) as usize;
        let end = self.shape.at(first + rows.rows - 1, self.shape.cols) as usize + 1;
        let lines = self.buffer(buffer).slice(start..end).to_vec()?;
        Ok(lines.chunks(self.shape.pitch as usize).flat_map(|line| line[..cols].iter().copied()).collect())
    }

    /// Reads the values of this PE's pixels, row by row.
    pub fn sample(&self, buffer: u32, pixels: Sampling) -> Result<Vec<f64>> {
        let count = (pixels.bottom - pixels.top) as usize * (pixels.right - pixels.left) as usize;
        if count == 0 {
            return Ok(vec![]);
        }
        let out: DeviceBuffer<'_, f64> = self.job.shmem.device_alloc(count)?;
        let blocks = (count as u32).div_ceil(self.job.lanes()).min(most_blocks(self.job.shmem));
        let args = (self.buffer(buffer).device_ptr(), self.shape, self.whole, pixels, out.device_ptr());
        // SAFETY: the pixels lie in this PE's part, `out` has an element for each, and the iterations are over.
        unsafe { self.job.stream.launch(self.job.module, T::SAMPLE, Grid::linear(blocks, self.job.lanes()), args)? };
        self.job.stream.synchronize()?;
        Ok(out.to_vec()?)
    }
}
