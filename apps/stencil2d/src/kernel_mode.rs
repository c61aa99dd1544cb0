//! `--mode device` and `--mode fused`: one kernel runs all iterations and exchanges the halos itself; see
//! [`stencil2d_kernels::persistent`] and [`stencil2d_kernels::fused`] for the protocols.

use crate::cells::Cell;
use crate::field::{Field, Job, LANES, Times, tile_width};
use crate::plan::Plan;
use crate::progress::Progress;
use crate::solver::Solver;
use anyhow::{Result, bail};
use cushmem::{DeviceBuffer, Grid, RolePlan, SymSlice};
use std::time::{Duration, Instant};
use stencil2d_kernels::fused::gates;
use stencil2d_kernels::layout::{Run, Tiling};
use stencil2d_kernels::persistent::{BUFFERS, outcome};

/// How often the progress line is updated.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// About how many times the kernel reports its progress in a run.
const REPORTS: u64 = 200;

/// What the blocks of the kernel do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// All do the same, and meet after each iteration.
    Device,
    /// They have roles, and wait for what they need.
    Fused,
}

/// The field, and what the kernel needs.
pub struct KernelMode<'a, T: Cell> {
    field: Field<'a, T>,
    how: How,
    plan: Plan,
    launch: Launch,
    jobs: DeviceBuffer<'a, u64>,
    /// A word for each piece of each neighbour's rim, in GPU memory.
    signals: SymSlice<'a, u64>,
    signalled: u64,
    /// Where jobs pack what they send.
    outbox: DeviceBuffer<'a, T>,
    /// How the run ended, and by what roles wait for each other.
    words: DeviceBuffer<'a, u64>,
    /// The number of finished iterations, in host memory.
    progress: SymSlice<'a, u64>,
    limit: Duration,
}

impl<'a, T: Cell> KernelMode<'a, T> {
    /// Allocates the field and what the kernel needs. Collective.
    pub fn new(job: Job<'a>, how: How, limit: Duration) -> Result<Self> {
        let field = Field::<T>::new(job, BUFFERS)?;
        let plan = |pe| Plan::new(&job.grid, pe, size_of::<T>());
        let own = plan(job.shmem.my_pe());
        let resident = match how {
            How::Device => job.module.max_resident_blocks(T::PERSISTENT, LANES)?,
            How::Fused => job.module.max_resident_blocks(T::FUSED, LANES)?,
        };
        if resident == 0 {
            bail!("no block of {LANES} lanes of the kernel fits this GPU");
        }
        let launch = Launch::new(&own, how, tile_width::<T>(), resident.min(job.blocks()));
        let jobs_of_pe: Vec<u64> = own.jobs.iter().flat_map(|j| j.to_words()).collect();
        let jobs = job.shmem.device_alloc(jobs_of_pe.len().max(1))?;
        if !jobs_of_pe.is_empty() {
            jobs.copy_from(&jobs_of_pe)?;
        }
        let most = (0..job.grid.n_pes()).map(|pe| plan(pe).signals.len()).max().unwrap_or(0).max(1);
        let signals = job.shmem.malloc_gpu(most)?;
        signals.copy_from(&vec![0; most])?;
        let progress = job.shmem.malloc(1)?;
        let words = job.shmem.device_alloc(gates::BANDS + launch.tiling.down() as usize)?;
        let outbox = job.shmem.device_alloc((own.outbox as usize).max(1))?;
        Ok(Self { field, how, plan: own, launch, jobs, signals, signalled: 0, outbox, words, progress, limit })
    }

    /// Starts the kernel.
    fn start(&self, run: Run) -> Result<()> {
        let (field, job) = (&self.field, &self.field.job);
        let (fields, shape, tiling) = (field.buffers().device_ptr(), field.shape, self.launch.tiling);
        let (jobs, signals, outbox) =
            (self.jobs.device_ptr().cast(), self.signals.device_ptr(), self.outbox.device_ptr());
        let (words, progress) = (self.words.device_ptr(), self.progress.device_ptr());
        let grid = Grid::linear(self.launch.blocks, LANES);
        // SAFETY: all memory is as the kernels require: three filled buffers of this shape, a part of the outbox for each job, and plans of all PEs that store
        // each cell and each halo cell once, as the plan's tests show. All PEs launch it, so that their blocks are resident, on streams of their own.
        unsafe {
            match self.how {
                How::Device => {
                    let counter = job.stream.grid_counter();
                    let args = (fields, shape, tiling, run, jobs, signals, outbox, counter, words, progress);
                    job.stream.launch_cooperative(job.module, T::PERSISTENT, grid, args)?;
                }
                How::Fused => {
                    let plan = self.launch.roles(run.iterations);
                    let args = |roles| (fields, shape, tiling, run, jobs, signals, outbox, roles, words, progress);
                    job.stream.launch_roles(job.module, T::FUSED, grid, plan, args)?;
                }
            }
        }
        Ok(())
    }

    fn check(&self, words: &[u64]) -> Result<()> {
        let Some(iteration) = words[outcome::LATE_ITERATION].checked_sub(1) else { return Ok(()) };
        let (pe, limit) = (self.field.job.shmem.my_pe(), self.limit.as_secs());
        let signal = words[outcome::LATE_SIGNAL];
        if signal == outcome::OWN_BLOCKS {
            bail!("PE {pe}: iteration {iteration}: blocks waited for others of this PE for more than {} s", 2 * limit);
        }
        let late = self.plan.signals.get(signal as usize);
        let from = late.map_or("a neighbour".into(), |(side, pe)| format!("PE {pe} in the {}", side.name()));
        bail!("PE {pe}: iteration {iteration}: nothing came from {from} within {limit} s (--limit)")
    }
}

impl<'a, T: Cell> Solver<'a, T> for KernelMode<'a, T> {
    fn field(&self) -> &Field<'a, T> {
        &self.field
    }

    fn run(&mut self, iterations: u32, exchange: bool) -> Result<Times> {
        let job = self.field.job;
        self.words.copy_from(&vec![0; self.words.len()])?;
        self.progress.copy_from(&[0])?;
        let watched = job.is_watched();
        let run = Run {
            iterations: iterations.into(),
            signalled: self.signalled,
            limit_ns: self.limit.as_nanos() as u64,
            progress_every: if watched { (u64::from(iterations) / REPORTS).max(1) } else { 0 },
            jobs: self.plan.jobs.len() as u32,
            signals: self.plan.signals.len() as u32,
            exchange: exchange.into(),
        };
        let start = Instant::now();
        self.start(run)?;
        let mut line = Progress::new(watched, iterations.into());
        while watched && !job.stream.is_idle()? {
            std::thread::sleep(LOOK_EVERY);
            line.show(self.progress.to_vec()?[0]);
        }
        job.stream.synchronize()?;
        drop(line);
        let total = start.elapsed();
        if exchange {
            self.signalled += u64::from(iterations) - 1;
        }
        let words = self.words.to_vec()?;
        self.check(&words)?;
        let exchange = Duration::from_nanos(words[outcome::SENDING_NS] + words[outcome::WAITING_NS]);
        Ok(Times { total, exchange, compute: total.saturating_sub(exchange) })
    }

    fn result(&self, iterations: u32) -> u32 {
        iterations % BUFFERS
    }

    fn free(self: Box<Self>) -> Result<()> {
        let shmem = self.field.job.shmem;
        shmem.free(self.signals)?;
        shmem.free(self.progress)?;
        self.field.free()
    }
}

/// How the kernel is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Launch {
    tiling: Tiling,
    /// Tiles of an iteration.
    tiles: u32,
    blocks: u32,
    /// Blocks that wait for the neighbours, and that send to them, if there are roles.
    receivers: u32,
    senders: u32,
}

impl Launch {
    /// Of `most` blocks, or fewer if they have nothing to do. Each job has a sender of its own unless these took more than half of the blocks.
    fn new(plan: &Plan, how: How, width: u32, most: u32) -> Self {
        let tiling = plan.inside.tiling(width, most);
        let tiles = tiling.across(width) * tiling.down();
        let jobs = plan.jobs.len() as u32;
        let receivers = u32::from(how == How::Fused && jobs > 0);
        let senders = if receivers == 0 { 0 } else { jobs.min((most / 2).saturating_sub(receivers).max(1)) };
        let useful = tiles.saturating_add(jobs + receivers).max(1);
        Self { tiling, tiles, blocks: most.min(useful), receivers, senders }
    }

    /// Roles of a run.
    fn roles(&self, iterations: u64) -> RolePlan {
        let Self { receivers, senders, .. } = *self;
        RolePlan { receivers, senders, computing: iterations * u64::from(self.tiles) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decomposition::Decomposition;

    /// Catches launches that are refused where the GPU has room, and senders that leave no block to compute.
    #[test]
    fn a_few_blocks_suffice_for_all_roles() {
        for (rows, cols, pe_rows, pe_cols) in
            [(1, 1, 1, 1), (64, 64, 3, 3), (3, 3, 3, 3), (40_000, 40_000, 3, 3), (9, 1, 9, 1)]
        {
            let d = Decomposition::with_pe_grid(rows, cols, pe_rows, pe_cols).expect("a cell for each PE");
            for pe in 0..d.n_pes() {
                let plan = Plan::new(&d, pe, 4);
                for most in 3..100 {
                    let launch = Launch::new(&plan, How::Fused, 1024, most);
                    let roles = launch.roles(5);
                    assert!(
                        roles.resident() <= launch.blocks.into() && launch.blocks <= most,
                        "{d:?} {pe}: {launch:?}"
                    );
                    let has_work = |jobs: u32, n: u32| (jobs == 0) == (n == 0);
                    assert!(has_work(plan.jobs.len() as u32, launch.senders), "{d:?} {pe}: {launch:?}");
                    assert!(launch.senders <= most / 2, "{d:?} {pe}: {launch:?}");
                }
            }
        }
    }
}
