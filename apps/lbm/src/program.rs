//! One run, from the arguments to the report.

use crate::STATUS_WRONG_USE;
use crate::args::{Args, Mode, Type};
use crate::decomposition::Decomposition;
use crate::element::Element;
use crate::field::{Field, Job, Times};
use crate::host_mode::HostMode;
use crate::problem::{Model, Problem, fixed, from_fixed};
use crate::reference::Reference;
use crate::solver::Solver;
use crate::verify;
use crate::words::to_all;
use anyhow::{Result, bail};
use cushmem::Shmem;
use lbm_kernels::cell::Params;
use lbm_kernels::layout::VALUES_MOVED;
use std::time::Duration;

/// Updates of a cell that the reference makes in a few seconds.
const QUICK_UPDATES: u64 = 1 << 25;
/// Steps between looks at whether all cells are sound.
const LOOK_EVERY: u64 = 500;

/// Runs and reports. Collective.
pub fn run(shmem: &Shmem, args: &Args) -> Result<()> {
    let size = args.grid();
    let grid = match args.pe_grid {
        Some(pes) if pes.iter().map(|&n| u64::from(n)).product::<u64>() != u64::from(shmem.n_pes()) => {
            let [x, y, z] = pes;
            Err(format!("--pe-grid {x}x{y}x{z} does not fit the job: it has {} PEs", shmem.n_pes()))
        }
        Some(pes) => Decomposition::with_pe_grid(size, pes),
        None => Decomposition::choose(size, shmem.n_pes()),
    };
    let grid = grid.or_else(|why| refuse(shmem, &why))?;
    let module = shmem.load(&lbm_kernels::IMAGE)?;
    let stream = shmem.stream()?;
    let shortest = size.into_iter().min().unwrap_or(1);
    let Args { sigma, mobility, width, tau_g, tau_phi, .. } = *args;
    let problem = Problem {
        size,
        model: Model { sigma, mobility, width, tau_g, tau_phi },
        radius: args.radius.unwrap_or(0.25 * f64::from(shortest)),
        is_bubble: args.bubble,
        eotvos: args.eo,
    };
    let mode = choose_mode(shmem, args)?;
    let job = Job { shmem, module: &module, stream: &stream, grid, problem };
    match args.element {
        Type::F32 => run_with::<f32>(job, args, mode),
        Type::F64 => run_with::<f64>(job, args, mode),
    }
}

/// A solver for a mode. Collective.
fn new_solver<'a, T: Element>(job: Job<'a>, mode: Mode) -> Result<Box<dyn Solver<'a, T> + 'a>> {
    Ok(match mode {
        Mode::Staged => Box::new(HostMode::new(job, true)?),
        Mode::Auto | Mode::Host => Box::new(HostMode::new(job, false)?),
    })
}

fn run_with<T: Element>(job: Job<'_>, args: &Args, mode: Mode) -> Result<()> {
    let mut solver = new_solver::<T>(job, mode)?;
    let problem = job.problem;
    let resting = problem.model.params::<T>(0.0, 0.0);
    solver.field_mut().fill(&resting)?;
    let falling = problem.model.params::<T>(problem.gravity(), mean(solver.field())?);
    solver.begin()?;
    advance(solver.as_mut(), &resting, args.relax.into())?;
    job.shmem.barrier_all()?;
    let times = advance(solver.as_mut(), &falling, args.iters.into())?;
    let phases = [(resting, u64::from(args.relax)), (falling, u64::from(args.iters))];
    report(solver.field(), args, mode, times, &phases)?;
    solver.free()
}

/// Makes steps, and looks now and then whether all cells are sound. Collective.
fn advance<T: Element>(solver: &mut dyn Solver<'_, T>, params: &Params<T>, steps: u64) -> Result<Times> {
    let mut times = Times::default();
    let mut left = steps;
    while left > 0 {
        let now = left.min(LOOK_EVERY);
        let own = solver.run(params, now, true)?;
        times.total += own.total;
        times.compute += own.compute;
        times.exchange += own.exchange;
        left -= now;
        if let Some((step, [x, y, z])) = solver.field().bad()? {
            bail!(
                "step {step}: cell {x}, {y}, {z} is not sound: not a number, or a density or an order parameter out of range"
            );
        }
    }
    Ok(times)
}

/// Mean of the order parameter over all cells, from the start values. Collective.
fn mean<T: Element>(field: &Field<'_, T>) -> Result<f64> {
    let values = field.read(lbm_kernels::layout::arrays::PHI, 0..field.region.size[2])?;
    let own: i64 = values.into_iter().map(|v| fixed(v.into())).sum();
    let sum = to_all(field.job.shmem, [own as u64])?.into_iter().map(|[sum]| sum as i64).sum();
    Ok(from_fixed(sum) / field.job.problem.cells() as f64)
}

fn report<T: Element>(
    field: &Field<'_, T>,
    args: &Args,
    mode: Mode,
    own: Times,
    phases: &[(Params<T>, u64)],
) -> Result<()> {
    let Job { shmem, problem, grid, .. } = field.job;
    let steps: u64 = phases.iter().map(|phase| phase.1).sum();
    let verifies = args.wants_verification().unwrap_or(problem.cells() * steps <= QUICK_UPDATES);
    let hash = if args.hash { Some(verify::hash(field)?) } else { None };
    let findings = if verifies {
        let mut reference = Reference::new(&problem, &phases[0].0);
        phases.iter().for_each(|(params, steps)| reference.run(params, *steps));
        Some(verify::compare(field, &reference)?)
    } else {
        None
    };
    let nanoseconds = [own.total, own.compute, own.exchange].map(|t| t.as_nanos() as u64);
    let slowest = to_all(shmem, nanoseconds)?.into_iter().max().unwrap_or(nanoseconds);
    if shmem.my_pe() != 0 {
        return Ok(());
    }
    let [total, _, exchange] = slowest.map(Duration::from_nanos);
    let step = total.as_secs_f64() / f64::from(args.iters);
    let updates = problem.cells() as f64 / step;
    let bytes = f64::from(VALUES_MOVED) * size_of::<T>() as f64 * updates / f64::from(shmem.n_pes());
    let share = exchange.as_secs_f64() / total.as_secs_f64();
    let gpu = shmem.gpu();
    let line = serde_json::json!({
        "program": "lbm",
        "size": problem.size,
        "pe_grid": grid.pes,
        "n_pes": shmem.n_pes(),
        "type": T::NAME,
        "mode": mode.name(),
        "backend": if gpu.is_some_and(|g| g.emulated) { "soft" } else { "cuda" },
        "gpu": gpu.map_or("none", |g| &g.name),
        "iterations": args.iters,
        "relaxation": args.relax,
        "iteration_us": step * 1e6,
        "mlups": updates / 1e6,
        "bytes_per_cell": VALUES_MOVED as usize * size_of::<T>(),
        "memory_gb_s_per_pe": bytes / 1e9,
        "exchange_share": share,
        "hash": hash.map(|hash| format!("{hash:016x}")),
        "verified": findings.map(|f| f.wrong == 0),
    });
    if args.json {
        println!("{line}");
    } else {
        for (name, value) in line.as_object().into_iter().flatten() {
            println!("{name:>20}  {value}");
        }
    }
    match findings {
        Some(verify::Findings { wrong, first: Some((array, [x, y, z])) }) => {
            bail!("{wrong} values differ from the serial reference, the first in array {array} at cell {x}, {y}, {z}")
        }
        _ => Ok(()),
    }
}

/// The mode, which is the same on all PEs: kernels that wait for each other need a GPU each.
fn choose_mode(shmem: &Shmem, args: &Args) -> Result<Mode> {
    let _ = (shmem, args.share_gpu, args.limit);
    Ok(if args.mode == Mode::Auto { Mode::Host } else { args.mode })
}

/// Ends the job because of a wrong command line. All PEs call it; PE 0 says why.
fn refuse<R>(shmem: &Shmem, why: &str) -> Result<R> {
    if shmem.my_pe() == 0 {
        eprintln!("lbm: {why}");
        shmem.global_exit(STATUS_WRONG_USE);
    }
    // PE 0 never arrives here, because it ends the job.
    shmem.barrier_all()?;
    bail!("{why}")
}
