//! `--mode device`: one cooperative kernel runs all iterations and exchanges the halos itself; see
//! [`stencil2d_kernels::persistent`] for the protocol.

use crate::cells::Cell;
use crate::field::{Field, Job, LANES, Times, tile_width};
use crate::plan::Plan;
use crate::progress::Progress;
use anyhow::{Result, bail};
use cushmem::{DeviceBuffer, Grid, SymSlice};
use std::time::{Duration, Instant};
use stencil2d_kernels::layout::{Run, Tiling};
use stencil2d_kernels::persistent::{BUFFERS, outcome};

/// How often the progress line is updated.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// About how many times the kernel reports its progress in a run.
const REPORTS: u64 = 200;

/// The field, and what the kernel needs.
pub struct DeviceMode<'a, T: Cell> {
    pub field: Field<'a, T>,
    plan: Plan,
    tiling: Tiling,
    blocks: u32,
    jobs: DeviceBuffer<'a, u64>,
    /// A word for each piece of each neighbour's rim, in GPU memory.
    signals: SymSlice<'a, u64>,
    signalled: u64,
    outcome: DeviceBuffer<'a, u64>,
    /// The number of finished iterations, in host memory.
    progress: SymSlice<'a, u64>,
    limit: Duration,
}

impl<'a, T: Cell> DeviceMode<'a, T> {
    /// Allocates the field and what the kernel needs. Collective.
    pub fn new(job: Job<'a>, limit: Duration) -> Result<Self> {
        let field = Field::<T>::new(job, BUFFERS)?;
        let plan = |pe| Plan::new(&job.grid, pe, size_of::<T>());
        let own = plan(job.shmem.my_pe());
        let resident = job.module.max_resident_blocks(T::PERSISTENT, LANES)?;
        if resident == 0 {
            bail!("device mode: no block of {LANES} lanes of the persistent kernel fits this GPU");
        }
        let (tiling, blocks) = shape_of_launch(&own, tile_width::<T>(), resident.min(job.blocks()));
        let words: Vec<u64> = own.jobs.iter().flat_map(|j| j.to_words()).collect();
        let jobs = job.shmem.device_alloc(words.len().max(1))?;
        if !words.is_empty() {
            jobs.copy_from(&words)?;
        }
        let most = (0..job.grid.n_pes()).map(|pe| plan(pe).signals.len()).max().unwrap_or(0).max(1);
        let signals = job.shmem.malloc_gpu(most)?;
        signals.copy_from(&vec![0; most])?;
        let progress = job.shmem.malloc(1)?;
        let outcome = job.shmem.device_alloc(outcome::WORDS)?;
        Ok(Self { field, plan: own, tiling, blocks, jobs, signals, signalled: 0, outcome, progress, limit })
    }

    /// Runs `iterations` from a field that has just been filled; the result is in [`Self::result`]. Collective.
    pub fn run(&mut self, iterations: u32) -> Result<Times> {
        let (field, job) = (&self.field, &self.field.job);
        self.outcome.copy_from(&[0; outcome::WORDS])?;
        self.progress.copy_from(&[0])?;
        let watched = job.is_watched();
        let run = Run {
            iterations: iterations.into(),
            signalled: self.signalled,
            limit_ns: self.limit.as_nanos() as u64,
            progress_every: if watched { (u64::from(iterations) / REPORTS).max(1) } else { 0 },
            jobs: self.plan.jobs.len() as u32,
            signals: self.plan.signals.len() as u32,
        };
        let args = (
            field.buffers().device_ptr(),
            field.shape,
            self.tiling,
            run,
            self.jobs.device_ptr().cast(),
            self.signals.device_ptr(),
            job.stream.grid_counter(),
            self.outcome.device_ptr(),
            self.progress.device_ptr(),
        );
        let grid = Grid::linear(self.blocks, LANES);
        let start = Instant::now();
        // SAFETY: all memory is as the kernel requires: three filled buffers of this shape, and plans of all PEs that store each cell
        // and each halo cell once, as the plan's tests show. All PEs launch it, cooperatively, on streams of their own.
        unsafe { job.stream.launch_cooperative(job.module, T::PERSISTENT, grid, args)? };
        let mut line = Progress::new(watched, iterations.into());
        while watched && !job.stream.is_idle()? {
            std::thread::sleep(LOOK_EVERY);
            line.show(self.progress.to_vec()?[0]);
        }
        job.stream.synchronize()?;
        drop(line);
        let total = start.elapsed();
        self.signalled += u64::from(iterations) - 1;
        let words = self.outcome.to_vec()?;
        self.check(&words)?;
        let exchange = Duration::from_nanos(words[outcome::SENDING_NS] + words[outcome::WAITING_NS]);
        Ok(Times { total, exchange, compute: Duration::from_nanos(words[outcome::TOTAL_NS]).saturating_sub(exchange) })
    }

    /// Buffer that holds the result of `iterations`.
    pub fn result(iterations: u32) -> u32 {
        iterations % BUFFERS
    }

    fn check(&self, words: &[u64]) -> Result<()> {
        let Some(iteration) = words[outcome::LATE_ITERATION].checked_sub(1) else { return Ok(()) };
        let late = self.plan.signals.get(words[outcome::LATE_SIGNAL] as usize);
        let from = late.map_or("a neighbour".into(), |(side, pe)| format!("PE {pe} in the {}", side.name()));
        bail!(
            "PE {}: iteration {iteration}: nothing came from {from} within {} s (--limit)",
            self.field.job.shmem.my_pe(),
            self.limit.as_secs()
        )
    }
}

/// Tiles and number of blocks of the launch: no more blocks than have work.
fn shape_of_launch(plan: &Plan, width: u32, most: u32) -> (Tiling, u32) {
    let tiling = plan.inside.tiling(width, most);
    let tiles = tiling.across(width) * tiling.down();
    (tiling, most.min((plan.jobs.len() as u32).saturating_add(tiles)).max(1))
}
