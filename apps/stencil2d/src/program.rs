//! One run, from the arguments to the report.

use crate::args::Args;
use crate::cells::Cell;
use crate::decomposition::Decomposition;
use crate::field::{Field, Job, Times};
use crate::reference::Problem;
use crate::report::Report;
use crate::start::{iterate, new_solver};
use crate::verify;
use crate::{NAME, picture, sweep};
use anyhow::{Result, bail};
use cushmem::Shmem;
use cushmem_program::{Type, backend, gpu_name, is_emulated, refuse, say, to_all, try_file};
use std::time::Duration;

/// Runs and reports. Collective.
pub fn run(shmem: &Shmem, args: &Args) -> Result<()> {
    let (rows, cols) = args.grid();
    let grid = match args.pe_grid {
        Some([r, c]) if u64::from(r) * u64::from(c) != u64::from(shmem.n_pes()) => {
            Err(format!("--pe-grid {r}x{c} does not fit the job: it has {} PEs", shmem.n_pes()))
        }
        Some([pe_rows, pe_cols]) => Decomposition::with_pe_grid(rows, cols, pe_rows, pe_cols),
        None if args.sweep.is_empty() => Decomposition::choose(rows, cols, shmem.n_pes()),
        None => Ok(Decomposition::of_squares(args.sweep[0], shmem.n_pes())),
    };
    // Each size of a sweep must have a cell for each PE.
    let fits = |grid: Decomposition| {
        let least = args.sweep.iter().min().filter(|_| args.whole);
        least
            .map_or(Ok(()), |&n| Decomposition::with_pe_grid(n, n, grid.pe_rows, grid.pe_cols).map(drop))
            .map(|()| grid)
    };
    let grid = grid.and_then(fits).or_else(|why| refuse(shmem, NAME, &why))?;
    if shmem.my_pe() == 0
        && let Some(file) = &args.png
        && let Err(why) = try_file("--png", file)
    {
        return refuse(shmem, NAME, &format!("{why:#}"));
    }
    let module = shmem.load(&stencil2d_kernels::IMAGE)?;
    // The rim, on this stream, has priority over the inside, on another.
    let stream = shmem.urgent_stream()?;
    let problem = Problem { rows, cols, seed: args.seed, iterations: args.iterations() };
    let job = Job { shmem, module: &module, stream: &stream, grid, problem };
    match (args.sweep.is_empty(), args.options.element) {
        (true, Type::F32) => run_with::<f32>(job, args),
        (true, Type::F64) => run_with::<f64>(job, args),
        (false, Type::F32) => sweep::run::<f32>(job, args),
        (false, Type::F64) => sweep::run::<f64>(job, args),
    }
}

fn run_with<T: Cell>(job: Job<'_>, args: &Args) -> Result<()> {
    let mode = args.options.choose_mode(job.shmem, NAME)?;
    let mut solver = new_solver::<T>(job, mode, args.options.limit())?;
    // The warm-up lets the GPU raise its clocks.
    let warmup = args.warmup.unwrap_or(if is_emulated(job.shmem) { 0 } else { args.iterations() });
    if warmup > 0 {
        iterate(solver.as_mut(), warmup, true)?;
    }
    let times = iterate(solver.as_mut(), args.iterations(), true)?;
    finish(solver.field(), solver.result(args.iterations()), args, mode.name(), times)
}

fn finish<T: Cell>(field: &Field<'_, T>, buffer: u32, args: &Args, mode: &'static str, own: Times) -> Result<()> {
    let Job { shmem, module, grid, problem, .. } = field.job;
    let (rows, cols) = grid.largest();
    let verifies = args.options.wants_verification().unwrap_or_else(|| verify::is_quick(rows, cols, args.iterations()));
    let findings = if verifies { verify::findings(&[(field, buffer)])?.pop() } else { None };
    let seconds = [own.total.as_secs_f64(), own.exchange.map_or(f64::NAN, |t| t.as_secs_f64())];
    let times = to_all(shmem, seconds)?.into_iter().map(|[total, exchange]| Times {
        total: Duration::from_secs_f64(total),
        exchange: Duration::try_from_secs_f64(exchange).ok(),
    });
    let times = times.collect();
    let report = Report {
        problem,
        grid,
        element: T::NAME,
        mode,
        backend: backend(shmem),
        gpu: gpu_name(shmem),
        module_load_ms: module.load_ms(),
        times,
        findings,
    };
    // If the report cannot be printed, the picture is still written, and vice versa.
    let drawn = args.png.as_deref().map_or(Ok(()), |file| picture::draw(field, buffer, file));
    if shmem.my_pe() != 0 {
        return drawn;
    }
    let printed = say(&if args.options.json { report.json() } else { report.text() });
    let complaints = report.complaints();
    if !complaints.is_empty() {
        bail!("the result differs from the serial reference: {}", complaints.join("; "));
    }
    drawn.and(printed)
}
