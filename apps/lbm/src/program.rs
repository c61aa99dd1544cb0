//! One run, from the arguments to the report.

use crate::NAME;
use crate::args::Args;
use crate::course::Course;
use crate::decomposition::Decomposition;
use crate::element::Element;
use crate::field::{Field, Job};
use crate::host_mode::HostMode;
use crate::kernel_mode::KernelMode;
use crate::problem::{Model, Problem};
use crate::reference::Reference;
use crate::report::Report;
use crate::solver::Solver;
use crate::state::{self, Saved};
use crate::stream_mode::StreamMode;
use crate::sum::{Everybody, Sum};
use crate::{check, output, verify};
use anyhow::{Result, anyhow, bail};
use cushmem::Shmem;
use cushmem_program::{
    Mode, Progress, Type, Way, backend, copy_gb_s, gpu_name, is_emulated, is_watched, refuse, say, to_all,
};
use lbm_kernels::cell::{MOST_EXCESS, MOST_PHI, Params};
use lbm_kernels::layout::{VALUES_MOVED, arrays};
use std::time::Duration;

/// Updates of a cell that the reference makes in a few seconds.
const QUICK_UPDATES: u64 = 1 << 25;
/// The most steps for warming up, unless the user asks for more.
const MAX_WARMUP: u64 = 500;
/// The most cell updates, and the most steps, between checks that all cells are sound, on a GPU and on the emulated
/// GPU. The progress line moves as often.
const LOOK_EVERY: (u64, u64) = (1 << 32, 500);
const LOOK_EVERY_EMULATED: (u64, u64) = (1 << 20, 500);

/// Runs and reports. Collective.
pub fn run(shmem: &Shmem, args: &Args) -> Result<()> {
    if let Some(check) = args.check {
        return check::run(shmem, args, check);
    }
    let saved = args.restore.as_deref().map(|file| state::open(shmem, file)).transpose()?;
    let course = match &saved {
        Some(saved) => restored(shmem, args, saved)?,
        None => Course::of(args),
    };
    let grid = decompose(shmem, args, course.problem.size, course.element.bytes())?;
    if shmem.my_pe() == 0
        && let Err(why) = output::try_files(args)
    {
        return refuse(shmem, NAME, &format!("{why:#}"));
    }
    let module = shmem.load(&lbm_kernels::IMAGE)?;
    let stream = shmem.stream()?;
    let mode = args.options.choose_mode(shmem, NAME)?;
    let job = Job { shmem, module: &module, stream: &stream, grid, problem: course.problem };
    match course.element {
        Type::F32 => run_with::<f32>(job, args, mode, course, saved),
        Type::F64 => run_with::<f64>(job, args, mode, course, saved),
    }
}

/// The course of a saved run, with the number of steps that is wanted now.
fn restored(shmem: &Shmem, args: &Args, saved: &Saved<'_>) -> Result<Course> {
    let iters = args.iters.map_or(saved.course.iters, u64::from);
    let course = Course { iters, ..saved.course };
    if course.steps() < saved.done {
        let made = saved.done - course.relax;
        let why = format!(
            "--iters {iters}: the saved run has made {made} steps after relaxation, which count: use at least {made}"
        );
        return refuse(shmem, NAME, &why);
    }
    Ok(course)
}

/// Decides which PE has which cells, for values of `bytes` bytes.
pub fn decompose(shmem: &Shmem, args: &Args, size: [u32; 3], bytes: usize) -> Result<Decomposition> {
    let grid = match args.pe_grid {
        Some(pes) if pes.iter().map(|&n| u64::from(n)).product::<u64>() != u64::from(shmem.n_pes()) => {
            let [x, y, z] = pes;
            Err(format!("--pe-grid {x}x{y}x{z} does not fit the job: it has {} PEs", shmem.n_pes()))
        }
        Some(pes) => Decomposition::with_pe_grid(size, pes),
        None => Decomposition::choose(size, shmem.n_pes()),
    };
    let too_large = |grid: &Decomposition| {
        let [x, y, z] = grid.largest();
        format!("{x} × {y} × {z} cells are too many for a PE in all or on one side: use more PEs or another --pe-grid")
    };
    let grid = grid.and_then(|grid| if grid.fits(bytes) { Ok(grid) } else { Err(too_large(&grid)) });
    grid.or_else(|why| refuse(shmem, NAME, &why))
}

/// A solver for a mode. Collective.
pub fn new_solver<'a, T: Element>(job: Job<'a>, mode: Mode, args: &Args) -> Result<Box<dyn Solver<'a, T> + 'a>> {
    Ok(match mode.way() {
        Way::Host { is_staged } => Box::new(HostMode::new(job, is_staged)?),
        Way::Stream => Box::new(StreamMode::new(job)?),
        Way::Kernel(how) => Box::new(KernelMode::new(job, how, args.options.limit())?),
    })
}

fn run_with<T: Element>(
    job: Job<'_>,
    args: &Args,
    mode: Mode,
    mut course: Course,
    saved: Option<Saved<'_>>,
) -> Result<()> {
    if args.options.wants_verification() == Some(true) && Reference::<T>::shape(job.problem.size).is_none() {
        return refuse(job.shmem, NAME, "--verify: the box is too large for the serial reference");
    }
    if job.shmem.my_pe() == 0 {
        warnings(&job.problem).iter().for_each(|warning| eprintln!("{NAME}: {warning}"));
    }
    let left = course.steps() - saved.as_ref().map_or(0, |saved| saved.done);
    let warmup = match args.warmup {
        _ if left == 0 => 0,
        None if is_emulated(job.shmem) => 0,
        warmup => warmup.unwrap_or(course.iters.min(MAX_WARMUP)),
    };
    let mut solver = new_solver::<T>(job, mode, args)?;
    let without_exchange = rehearse(solver.as_mut(), &course, warmup)?;
    match saved {
        Some(saved) => saved.load(solver.field_mut())?,
        None => course.mean = start(solver.as_mut(), &course)?,
    }
    let first = solver.field().done();
    solver.begin()?;
    let mut progress = Progress::new(is_watched(job.shmem), "step", course.steps());
    let [resting, falling] = phases(&course);
    let mut saved_at = None;
    let mut after = |field: &Field<'_, T>| {
        progress.show(field.done());
        match (&args.save, args.save_every) {
            (Some(file), Some(every)) if field.done().is_multiple_of(every) => {
                saved_at = Some(field.done());
                state::save(field, course, file)
            }
            _ => Ok(()),
        }
    };
    let every = args.save_every;
    advance(solver.as_mut(), &resting, course.relax, every, &mut after)?;
    job.shmem.barrier_all()?;
    let untimed = solver.field().done();
    let time = advance(solver.as_mut(), &falling, course.steps(), every, &mut after)?;
    drop(progress);
    if let Some(file) = &args.save
        && saved_at != Some(solver.field().done())
    {
        state::save(solver.field(), course, file)?;
    }
    let run = Run { first, untimed, time, without_exchange };
    let (mut report, outcome) = finish(solver.field(), args, mode, &course, run)?;
    solver.free()?;
    // By now the arrays have been freed, so there is memory for it. A run does not fail for lack of this figure.
    let copied = (warmup > 0).then(|| copy_gb_s(job.shmem, job.stream));
    if job.shmem.my_pe() != 0 {
        return outcome;
    }
    if let Some(Err(why)) = &copied {
        eprintln!("{NAME}: the bandwidth of a copy could not be measured: {why:#}");
    }
    report.copy_gb_s = copied.and_then(Result::ok);
    let printed = say(&if args.options.json { report.json() } else { report.text() });
    outcome.and(printed)
}

/// Warnings about a problem.
fn warnings(problem: &Problem) -> Vec<String> {
    let Model { mobility, width, .. } = problem.model;
    let most = problem.model.most_mobility();
    let is_mobile = (mobility > most).then(|| {
        format!("--mobility {mobility}: for --width {width} the scheme is stable up to about {most:.3}; the run may end with a cell that is not sound")
    });
    problem.misfit().into_iter().chain(is_mobile).collect()
}

/// Warms the GPU up with this many steps from the start. Then makes as many steps that send nothing and wait for
/// nobody, and returns the time of one of them, if there are any. Collective.
fn rehearse<T: Element>(solver: &mut dyn Solver<'_, T>, course: &Course, steps: u64) -> Result<Option<Duration>> {
    if steps == 0 {
        return Ok(None);
    }
    let shmem = solver.field().job.shmem;
    let [resting, _] = phases(course);
    let mut time = Duration::ZERO;
    for exchange in [true, false] {
        start(solver, course)?;
        solver.begin()?;
        shmem.barrier_all()?;
        time = solver.run(&resting, steps, exchange)?;
        shmem.barrier_all()?;
    }
    // This discards notes about steps that lacked messages.
    start(solver, course)?;
    Ok(Some(time.div_f64(steps as f64)))
}

/// Sets the start of a problem, and returns the mean of φ. Collective.
pub fn start<T: Element>(solver: &mut dyn Solver<'_, T>, course: &Course) -> Result<f64> {
    solver.field_mut().fill(&course.problem.model.params(0.0, 0.0))?;
    mean(solver.field())
}

/// The model before and after gravity acts.
pub fn phases<T: Element>(course: &Course) -> [Params<T>; 2] {
    let Course { problem, mean, .. } = *course;
    [problem.model.params(0.0, 0.0), problem.model.params(problem.gravity(), mean)]
}

/// Makes steps until `until`, and checks now and then that all cells are sound. Calls `after` after each check, and
/// whenever the number of steps is a multiple of `every`. Collective.
pub fn advance<T: Element>(
    solver: &mut dyn Solver<'_, T>,
    params: &Params<T>,
    until: u64,
    every: Option<u64>,
    after: &mut dyn FnMut(&Field<'_, T>) -> Result<()>,
) -> Result<Duration> {
    let Job { shmem, problem, grid, .. } = solver.field().job;
    let (updates, most) = if is_emulated(shmem) { LOOK_EVERY_EMULATED } else { LOOK_EVERY };
    let chunk = (updates * u64::from(grid.n_pes()) / problem.cells()).clamp(1, most);
    let mut time = Duration::ZERO;
    while solver.field().done() < until {
        let done = solver.field().done();
        let stop = every.map_or(until, |every| (done / every + 1) * every).min(done + chunk).min(until);
        time += solver.run(params, stop - done, true)?;
        if let Some((step, cell)) = solver.field().bad()? {
            let ([x, y, z], [density, phi]) = (cell, solver.field().values(cell)?);
            bail!(
                "step {step}: cell {x}, {y}, {z} is not sound: its density is not between {} and {}, or φ not between {} \
                 and {}; at the end of step {} they are {density} and {phi}",
                1.0 - MOST_EXCESS,
                1.0 + MOST_EXCESS,
                -MOST_PHI,
                MOST_PHI,
                solver.field().done(),
            );
        }
        after(solver.field())?;
    }
    Ok(time)
}

/// The mean of the order parameter over all cells, from the start values. Collective.
fn mean<T: Element>(field: &Field<'_, T>) -> Result<f64> {
    let values = field.read(arrays::PHI, 0..field.region.size[2])?;
    let mut sum = [rounded_sum(values.into_iter().map(Into::into))];
    Everybody::add(field.job.shmem, &mut sum)?;
    Ok(sum[0].value() / field.job.problem.cells() as f64)
}

/// The sum of values, each rounded to a multiple of 2⁻³⁰. The bits of a run's results depend on this rounding.
fn rounded_sum(values: impl Iterator<Item = f64>) -> Sum {
    const UNITS: f64 = (1 << 30) as f64;
    let mut sum = Sum::default();
    values.for_each(|value| sum.add((value * UNITS).round_ties_even() / UNITS));
    sum
}

/// Steps before this run, steps before the timing started, and the time of this run.
struct Run {
    first: u64,
    untimed: u64,
    time: Duration,
    /// The time of a step that sends nothing and waits for nobody.
    without_exchange: Option<Duration>,
}

/// Writes files and compares the result. Returns the report, still without a copy's bandwidth, and separately whether
/// the run succeeded on this PE, so that a file that cannot be written does not suppress the report. Collective.
fn finish<'a, T: Element>(
    field: &Field<'a, T>,
    args: &Args,
    mode: Mode,
    course: &Course,
    run: Run,
) -> Result<(Report<'a>, Result<()>)> {
    let Job { shmem, module, problem, grid, .. } = field.job;
    let [_, falling] = phases::<T>(course);
    let hash = if args.hash { Some(verify::hash(field)?) } else { None };
    // A picture is a slice through the drop.
    let figures = if args.measure || args.png.is_some() { Some(output::measures(field, &falling)?) } else { None };
    let drop = figures.as_ref().and_then(|figures| figures.as_ref().ok());
    let no_drop = figures.as_ref().and_then(|figures| figures.as_ref().err()).filter(|_| args.measure);
    let shown = args.vtk.as_deref().map_or(Ok(()), |file| output::vtk(field, &falling, file));
    let drawn = args.png.as_deref().map_or(Ok(()), |file| output::png(field, &falling, drop, args.show, file));
    let updates = problem.cells().saturating_mul(course.steps());
    let is_quick = || updates <= QUICK_UPDATES && Reference::<T>::shape(problem.size).is_some();
    let verifies = args.options.wants_verification().unwrap_or_else(is_quick);
    let findings = if verifies { Some(verify::compare(field, course)?) } else { None };
    let nanoseconds = [run.time, run.without_exchange.unwrap_or_default()].map(|t| t.as_nanos() as u64);
    let all = to_all(shmem, nanoseconds)?;
    let slowest =
        |time: usize| Duration::from_nanos(all.iter().map(|pe| pe[time]).max().unwrap_or_default()).as_secs_f64();
    let report = Report {
        size: problem.size,
        cells: problem.cells(),
        element: T::NAME,
        mode: mode.name(),
        backend: backend(shmem),
        gpu: gpu_name(shmem),
        load_ms: module.load_ms(),
        pes: shmem.n_pes(),
        pe_grid: grid.pes,
        restored: run.first,
        steps: field.done(),
        iterations: field.done() - run.untimed,
        bytes_per_cell: u64::from(VALUES_MOVED) * size_of::<T>() as u64,
        hash: hash.map(|hash| format!("{hash:016x}")),
        drop: drop.filter(|_| args.measure).copied(),
        no_drop: no_drop.cloned(),
        verified: findings.map(|f| f.wrong == 0),
        ..Report::default()
    };
    let report = report.timed(slowest(0), run.without_exchange.map(|_| slowest(1)));
    let verdict = match findings {
        _ if shmem.my_pe() != 0 => Ok(()),
        Some(verify::Findings { wrong, first: Some((array, [x, y, z])) }) => Err(anyhow!(
            "{wrong} values differ from the serial reference, the first in array {array} at cell {x}, {y}, {z}"
        )),
        _ => no_drop.map_or(Ok(()), |why| Err(anyhow!("measure the drop: {why}"))),
    };
    Ok((report, verdict.and(shown).and(drawn)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches sums that overflow with many cells, and a mean whose bits differ from those of earlier versions.
    #[test]
    fn a_mean_has_room_and_keeps_its_bits() {
        assert_eq!(rounded_sum([2f64.powi(31); 8].into_iter()).value(), 2f64.powi(34));
        let units = [0.1, -0.7, 1.0 / 3.0].map(|value| (value * 2f64.powi(30)).round_ties_even() as i64);
        let sum = rounded_sum([0.1, -0.7, 1.0 / 3.0].into_iter());
        assert_eq!(sum.value(), units.into_iter().sum::<i64>() as f64 / 2f64.powi(30));
    }

    #[test]
    fn a_mobility_beyond_what_is_stable_is_told() {
        let model = Model { sigma: 0.001, mobility: 0.02, width: 4.0, tau_g: 1.0, tau_phi: 1.0 };
        let problem = Problem { size: [16; 3], model, radius: 4.0, is_bubble: false, eotvos: 0.0, shift: 1.0 };
        assert_eq!(warnings(&problem), [""; 0]);
        let told = warnings(&Problem { model: Model { mobility: 0.3, ..model }, ..problem });
        assert!(
            told[0].starts_with("--mobility 0.3: for --width 4 the scheme is stable up to about 0.042;"),
            "{told:?}"
        );
        let told = warnings(&Problem { radius: 8.0, ..problem });
        assert!(told[0].starts_with("a radius of 8 cells"), "{told:?}");
    }
}
