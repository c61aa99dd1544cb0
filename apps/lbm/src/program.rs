//! One run, from the arguments to the report.

use crate::NAME;
use crate::args::Args;
use crate::course::Course;
use crate::element::Element;
use crate::field::{Field, Job};
use crate::problem::{Model, Problem};
use crate::reference::Reference;
use crate::report::Report;
use crate::solver::Solver;
use crate::state::{self, Saved};
use crate::steps::{advance, decompose, new_solver, phases, start};
use crate::{check, output, verify};
use anyhow::{Result, anyhow};
use cushmem::Shmem;
use cushmem_program::{
    Mode, Progress, Refusal, Type, backend, copy_gb_s, gpu_name, is_emulated, is_watched, refuse, say, to_all,
};
use lbm_kernels::layout::VALUES_MOVED;
use std::ffi::OsString;
use std::time::Duration;

/// Updates of a cell that the reference makes in a few seconds.
const QUICK_UPDATES: u64 = 1 << 25;
/// The most steps for warming up, unless the user asks for more.
const MAX_WARMUP: u64 = 500;
/// Parses the words of a command line, starting with the program's name.
pub fn parse(words: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Args, Refusal> {
    let args: Args = cushmem_program::parse(words)?;
    let misfit = args.radius.and_then(|_| Course::of(&args).problem.misfit());
    misfit.map_or(Ok(args), |why| Err(Refusal::Wrong(why)))
}

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
