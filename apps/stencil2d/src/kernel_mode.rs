//! `--mode device`, `--mode fused` and `--mode triggered`: one kernel runs all iterations and exchanges the halos
//! itself. The protocols are described in [`stencil2d_kernels::persistent`], [`stencil2d_kernels::fused`] and
//! [`stencil2d_kernels::triggered`].

use crate::cells::Cell;
use crate::field::{Field, Job, Times};
use crate::plan::Plan;
use crate::solver::{Solver, report_every};
use anyhow::Result;
use cushmem::{DeviceBuffer, Grid, Operation, RolePlan, SignalOp, SymSlice, Trigger};
use cushmem_program::{How, Progress, ensure_resident, gave_up, is_watched, most_blocks, words_on_gpu};
use std::time::{Duration, Instant};
use stencil2d_kernels::fused::gates;
use stencil2d_kernels::layout::{self, Run, Tiling};
use stencil2d_kernels::persistent::{BUFFERS, outcome};
use stencil2d_kernels::triggered::SIDES;

/// The number of buffers that have their own outbox, jobs and signals.
fn outboxes(how: How) -> u32 {
    if how == How::Triggered { BUFFERS } else { 1 }
}

/// The field, and what the kernel needs.
pub struct KernelMode<'a, T: Cell> {
    triggers: Triggers<'a>,
    field: Field<'a, T>,
    how: How,
    plan: Plan,
    launch: Launch,
    jobs: DeviceBuffer<'a, u64>,
    /// In GPU memory: one word per piece of each neighbour's rim, or with triggers one per buffer and neighbour.
    signals: SymSlice<'a, u64>,
    signalled: u64,
    /// Where jobs pack what they send; with triggers, one part per buffer.
    outbox: SymSlice<'a, T>,
    /// How the run ended, and the words on which roles wait for each other.
    words: DeviceBuffer<'a, u64>,
    /// The number of finished iterations, in host memory.
    progress: SymSlice<'a, u64>,
    limit: Duration,
}

impl<'a, T: Cell> KernelMode<'a, T> {
    /// Allocates the field and what the kernel needs. Collective.
    pub fn new(job: Job<'a>, how: How, limit: Duration) -> Result<Self> {
        let field = Field::<T>::new(job, BUFFERS)?;
        let lanes = job.lanes();
        let plan = |pe| Plan::new(&job.grid, pe, size_of::<T>(), lanes);
        let mut own = plan(job.shmem.my_pe());
        let resident = match how {
            How::Device => job.module.max_resident_blocks(T::PERSISTENT, lanes)?,
            How::Fused => job.module.max_resident_blocks(T::FUSED, lanes)?,
            How::Triggered => job.module.max_resident_blocks(T::TRIGGERED, lanes)?,
        };
        let most = resident.min(most_blocks(job.shmem)).max(1);
        let launch = Launch::new(&own, how, job.tile_width::<T>(), most);
        ensure_resident(resident, lanes, launch.roles(1).resident().max(1))?;
        let in_outbox = |n| own.jobs.iter().map(move |j| layout::Job { packed: j.packed + n * own.outbox, ..*j });
        let words = (0..outboxes(how).into()).flat_map(in_outbox).flat_map(|j| j.to_words());
        let jobs = words_on_gpu(job.shmem, &words.collect::<Vec<_>>())?;
        let all: Vec<_> = (0..job.grid.n_pes()).map(plan).collect();
        let most = |of: fn(&Plan) -> usize| all.iter().map(of).max().unwrap_or(0).max(1);
        let words = if how == How::Triggered { BUFFERS as usize * SIDES } else { most(|plan| plan.signals.len()) };
        let signals = job.shmem.malloc_gpu(words)?;
        signals.copy_from(&vec![0; words])?;
        let outbox = job.shmem.malloc_gpu(most(|plan| plan.outbox as usize) * outboxes(how) as usize)?;
        let progress = job.shmem.malloc(1)?;
        let words = job.shmem.device_alloc(gates::BANDS + launch.tiling.down as usize)?;
        let triggers = match how {
            How::Triggered => Triggers::new(&field, &own, outbox, signals)?,
            How::Device | How::Fused => Triggers { addresses: words_on_gpu(job.shmem, &[])?, _all: vec![] },
        };
        if how == How::Triggered {
            // One signal for each side.
            own.signals.dedup();
        }
        Ok(Self {
            triggers,
            field,
            how,
            plan: own,
            launch,
            jobs,
            signals,
            signalled: 0,
            outbox,
            words,
            progress,
            limit,
        })
    }

    /// Starts the kernel.
    fn start(&self, run: Run) -> Result<()> {
        let (field, job) = (&self.field, &self.field.job);
        let (fields, shape, tiling) = (field.buffers().device_ptr(), field.shape, self.launch.tiling);
        let (jobs, signals, outbox) =
            (self.jobs.device_ptr().cast(), self.signals.device_ptr(), self.outbox.device_ptr());
        let (words, progress) = (self.words.device_ptr(), self.progress.device_ptr());
        let grid = Grid::linear(self.launch.blocks, job.lanes());
        // SAFETY: all memory is as the kernels require: three filled buffers of this shape and a part of the outbox for
        // each job. Together, the plans of all PEs store each cell and each halo cell once, as the plan's tests show.
        // All PEs launch the kernel on streams of their own, with all of its blocks resident.
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
                How::Triggered => {
                    let (plan, triggers) =
                        (self.launch.roles(run.iterations), self.triggers.addresses.device_ptr().cast());
                    let args =
                        |roles| (fields, shape, tiling, run, jobs, triggers, signals, outbox, roles, words, progress);
                    job.stream.launch_roles(job.module, T::TRIGGERED, grid, plan, args)?;
                }
            }
        }
        Ok(())
    }

    fn check(&self, words: &[u64]) -> Result<()> {
        let Some((iteration, signal)) = outcome::was_late(words[outcome::LATE]) else { return Ok(()) };
        let late = self.plan.signals.get(signal as usize);
        let from = late.map_or("a neighbour".into(), |(side, pe)| format!("PE {pe} in the {}", side.name()));
        let from = (signal != outcome::OWN_BLOCKS).then_some(from.as_str());
        Err(gave_up(self.field.job.shmem, &format!("iteration {iteration}"), from, self.limit))
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
        let watched = is_watched(job.shmem);
        let run = Run {
            iterations: iterations.into(),
            signalled: self.signalled,
            limit_ns: self.limit.as_nanos() as u64,
            progress_every: if watched { report_every(iterations).into() } else { 0 },
            jobs: self.plan.jobs.len() as u32,
            signals: self.plan.signals.len() as u32,
            exchange: exchange.into(),
        };
        let (line, reported) = (Progress::new(watched, "iteration", iterations.into()), self.progress);
        let done = || reported.to_vec().map_or(0, |words| words[0]);
        let total = line.during(done, || {
            // As in the other modes, the launch of the kernel counts. Events on the stream would not include it.
            let start = Instant::now();
            self.start(run)?;
            job.stream.synchronize()?;
            anyhow::Ok(start.elapsed())
        })?;
        if exchange {
            self.signalled += u64::from(iterations) - 1;
        }
        let words = self.words.to_vec()?;
        self.check(&words)?;
        // With roles, senders wait while other blocks compute, so their waiting is not the cost of the exchange.
        let exchange = Duration::from_nanos(words[outcome::SENDING_NS] + words[outcome::WAITING_NS]);
        Ok(Times { total, exchange: (self.how == How::Device).then_some(exchange) })
    }

    fn result(&self, iterations: u32) -> u32 {
        iterations % BUFFERS
    }

    fn free(self: Box<Self>) -> Result<()> {
        let shmem = self.field.job.shmem;
        drop(self.triggers);
        shmem.free(self.signals)?;
        shmem.free(self.outbox)?;
        shmem.free(self.progress)?;
        self.field.free()
    }
}

/// The triggers that a kernel bumps to have halos put.
struct Triggers<'a> {
    _all: Vec<Trigger<'a>>,
    /// For the kernel: per buffer and job, the trigger of the job's side.
    addresses: DeviceBuffer<'a, u64>,
}

impl<'a> Triggers<'a> {
    /// Creates one trigger per buffer and side. It puts what the side's jobs have packed and then sets a signal to 1.
    fn new<T: Cell>(
        field: &Field<'a, T>,
        plan: &Plan,
        outbox: SymSlice<'a, T>,
        signals: SymSlice<'a, u64>,
    ) -> Result<Self> {
        let (mut all, mut addresses) = (vec![], vec![]);
        for n in 0..BUFFERS {
            for parcel in plan.parcels(&field.job.grid, field.job.shmem.my_pe()) {
                let packed = n as usize * plan.outbox as usize + parcel.packed;
                let from = outbox.slice(packed..packed + parcel.cells);
                let to = field.buffer(n).slice(parcel.to..parcel.to + parcel.cells);
                let signal = signals.at(n as usize * SIDES + parcel.signal);
                let put = Operation::put_signal(to, from, signal, 1, SignalOp::Set, parcel.pe)?;
                let trigger = field.job.shmem.trigger(put, parcel.jobs as u64)?;
                trigger.arm_always()?;
                addresses.extend(std::iter::repeat_n(trigger.device().number(), parcel.jobs));
                all.push(trigger);
            }
        }
        Ok(Self { _all: all, addresses: words_on_gpu(field.job.shmem, &addresses)? })
    }
}

/// The most rows in a tile when blocks meet after each iteration. On an H200, an iteration over 16384 × 16384 cells of
/// f32 took 520 µs, but 564 µs with tiles of 8 rows and 535 µs with tiles of 24.
const ROWS_OF_ITERATIONS: u32 = 16;
/// The most rows in a tile of blocks with roles. The same iteration took 525 µs, but 538 µs with tiles of 16 rows,
/// 536 µs with 32 and 554 µs with 48.
const ROWS_OF_ROLES: u32 = 24;

/// How the kernel is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Launch {
    tiling: Tiling,
    blocks: u32,
    /// With roles, the numbers of blocks that wait for the neighbours and that send to them.
    receivers: u32,
    senders: u32,
}

impl Launch {
    /// A launch of `most` blocks, or of fewer if some would have nothing to do. Each job has a sender of its own,
    /// unless senders would take more than half of the blocks.
    fn new(plan: &Plan, how: How, width: u32, most: u32) -> Self {
        let jobs = plan.jobs.len() as u32;
        let receivers = u32::from(how != How::Device && jobs > 0);
        let senders = if receivers == 0 { 0 } else { jobs.min((most / 2).saturating_sub(receivers).max(1)) };
        let computing = most.saturating_sub(receivers + senders).max(1);
        let highest = if how == How::Device { ROWS_OF_ITERATIONS } else { ROWS_OF_ROLES };
        let tiling = plan.inside.tiling(width, computing, highest);
        let useful = tiling.tiles().saturating_add(jobs + receivers).max(1);
        let blocks = most.min(useful);
        Self { tiling, blocks, receivers, senders }
    }

    /// The roles of a run.
    fn roles(&self, iterations: u64) -> RolePlan {
        let Self { receivers, senders, .. } = *self;
        RolePlan { receivers, senders, computing: iterations * u64::from(self.tiling.tiles()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decomposition::Decomposition;

    /// Catches a late neighbour that goes unnoticed or is mistaken for another.
    #[test]
    fn what_was_late_is_one_word() {
        assert_eq!(outcome::was_late(0), None);
        for (iteration, signal) in [(0, 0), (0, 7), (14_499, 0), (14_499, outcome::OWN_BLOCKS)] {
            assert_eq!(outcome::was_late(outcome::late(iteration, signal)), Some((iteration, signal)));
        }
    }

    /// Catches launches that are refused although the GPU has room, and senders that leave no blocks to compute.
    #[test]
    fn a_few_blocks_suffice_for_all_roles() {
        for (rows, cols, pe_rows, pe_cols) in
            [(1, 1, 1, 1), (64, 64, 3, 3), (3, 3, 3, 3), (40_000, 40_000, 3, 3), (9, 1, 9, 1)]
        {
            let d = Decomposition::with_pe_grid(rows, cols, pe_rows, pe_cols).expect("a cell for each PE");
            for pe in 0..d.n_pes() {
                let plan = Plan::new(&d, pe, 4, 256);
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
