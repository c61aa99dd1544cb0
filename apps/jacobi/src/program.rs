//! One run, from the arguments to the report.

use crate::args::{Args, Mode};
use crate::problem::{Problem, QUICK_UPDATES};
use crate::report::{Heading, Row, checksum};
use crate::solver::Solver;
use crate::{NAME, picture};
use anyhow::{Result, ensure};
use cushmem::Shmem;
use cushmem_program::{backend, gpu_name, is_emulated, most_on_one_gpu, refuse, say, to_all, try_file};
use jacobi_kernels::Run;

/// Runs and reports. Collective.
pub fn run(shmem: &Shmem, args: &Args) -> Result<()> {
    let problem = Problem::new(args.size, shmem.n_pes()).or_else(|why| refuse(shmem, NAME, &why))?;
    if shmem.my_pe() == 0
        && let Some(file) = &args.png
        && let Err(why) = try_file("--png", file)
    {
        return refuse(shmem, NAME, &format!("{why:#}"));
    }
    let modes = modes(shmem, args)?;
    let iterations = args.iters.unwrap_or(if is_emulated(shmem) { 100 } else { 1000 });
    let run = Run { iterations, every: args.every, tolerance: args.tolerance };
    let module = shmem.load(&jacobi_kernels::IMAGE)?;
    let solver = Solver::new(shmem, &module, problem, run, args.limit())?;
    let reference = args.verifies(iterations, QUICK_UPDATES).then(|| problem.solve(run));
    let heading =
        Heading { problem, run, backend: backend(shmem), gpu: gpu_name(shmem), module_load_ms: module.load_ms() };
    let speaks = shmem.my_pe() == 0;
    if speaks && !args.json {
        say(&heading.text())?;
    }
    let mut wrong = 0;
    for &mode in &modes {
        if !is_emulated(shmem) {
            // This run loads everything, and lets the GPU raise its clocks.
            solver.run(mode)?;
        }
        let ended = solver.run(mode)?;
        let cells = solver.rows(ended.iterations)?;
        let own_wrong = reference.as_ref().map_or(0, |(grid, norms)| {
            let (whole, rows) = (Problem { pes: 1, ..problem }.part(0), problem.rows(shmem.my_pe()));
            let right = rows.flat_map(|row| &grid[whole.at(row, 1)..=whole.at(row, whole.cols)]);
            let cells = cells.iter().zip(right).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
            cells as u64 + u64::from(*norms != ended.norms)
        });
        let own = [ended.time.as_nanos() as u64, checksum(problem.rows(shmem.my_pe()), args.size, &cells), own_wrong];
        let all = to_all(shmem, own)?;
        let row = Row {
            mode,
            seconds: all.iter().map(|own| own[0]).max().unwrap_or(0) as f64 / 1e9,
            iterations: ended.iterations,
            made: ended.made,
            // Each PE has the same norms.
            checksum: all
                .iter()
                .fold(checksum(0..1, ended.norms.len() as u32, &ended.norms), |sum, own| sum.wrapping_add(own[1])),
            norm: ended.norms.last().copied(),
            wrong: reference.as_ref().map(|_| all.iter().map(|own| own[2]).sum()),
        };
        if speaks {
            say(&if args.json { heading.json(&row) } else { row.text(problem.size) })?;
        }
        wrong += row.wrong.unwrap_or(0);
        if let Some(file) = &args.png
            && mode == modes[modes.len() - 1]
        {
            picture::draw(shmem, problem, &cells, file)?;
        }
    }
    solver.free()?;
    ensure!(wrong == 0, "the result is wrong");
    Ok(())
}

/// The modes to run. Collective.
fn modes(shmem: &Shmem, args: &Args) -> Result<Vec<Mode>> {
    let sharing = most_on_one_gpu(shmem)?;
    let modes = match args.mode {
        _ if args.compare => Mode::ALL.to_vec(),
        Some(mode) => vec![mode],
        None if sharing > 1 => vec![Mode::Host],
        None => vec![Mode::Device],
    };
    if shmem.my_pe() == 0 && sharing > 1 && modes != [Mode::Host] {
        eprintln!("{NAME}: warning: up to {sharing} PEs share a GPU: each wait for a neighbour may last a time slice");
    }
    Ok(modes)
}
