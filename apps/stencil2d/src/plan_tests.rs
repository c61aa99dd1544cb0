use super::*;
use std::collections::HashMap;
use stencil2d_kernels::cell::{Row, start_value, updated};

fn decompositions() -> Vec<Decomposition> {
    let grids = [(64, 64), (9, 7), (1, 12), (12, 1), (3, 3), (2, 2), (1, 1), (5, 4100), (40_000, 3)];
    let mut all: Vec<_> = grids
        .into_iter()
        .flat_map(|(rows, cols)| (1..=9).filter_map(move |n| Decomposition::choose(rows, cols, n).ok()))
        .collect();
    let forced = [(3, 3, 3, 3), (4, 4, 1, 4), (4, 4, 4, 1), (5, 6, 3, 2), (2, 2500, 2, 2)];
    all.extend(forced.into_iter().filter_map(|(r, c, pr, pc)| Decomposition::with_pe_grid(r, c, pr, pc).ok()));
    assert!(all.len() > 40);
    all
}

/// Indices of the cells inside the rim.
fn inside(plan: &Plan, shape: Shape) -> Vec<u64> {
    let Rectangle { top, bottom, left, right } = plan.inside;
    (top..bottom).flat_map(|row| (left..right).map(move |col| shape.at(row, col))).collect()
}

#[test]
fn every_cell_is_stored_once() {
    for d in decompositions() {
        for pe in 0..d.n_pes() {
            let (plan, shape) = (Plan::new(&d, pe, 4, 256), d.shape(pe, 4));
            let mut stored = inside(&plan, shape);
            for job in &plan.jobs {
                stored.extend((job.own_from..job.own_to).map(|i| job.cell(i)));
            }
            stored.sort_unstable();
            let cells = (1..=shape.rows).flat_map(|row| (1..=shape.cols).map(move |col| shape.at(row, col)));
            assert!(cells.eq(stored), "{d:?} PE {pe}");
        }
    }
}

/// Catches a job that packs into another job's part, or past the end.
#[test]
fn jobs_pack_apart_and_on_lines() {
    for d in decompositions() {
        for pe in 0..d.n_pes() {
            let plan = Plan::new(&d, pe, 4, 256);
            let ends = plan.jobs.iter().map(|job| job.packed + u64::from(job.cells));
            let next = plan.jobs.iter().skip(1).map(|job| job.packed).chain([plan.outbox]);
            assert!(ends.zip(next).all(|(end, next)| end <= next), "{d:?} PE {pe}");
            assert!(plan.jobs.iter().all(|job| job.packed.is_multiple_of(LINE_CELLS.into())), "{d:?} PE {pe}");
        }
    }
}

#[test]
fn every_halo_cell_and_every_signal_comes_from_one_job() {
    for d in decompositions() {
        let mut halo = HashMap::new();
        let mut signals = HashMap::new();
        for pe in 0..d.n_pes() {
            for job in Plan::new(&d, pe, 4, 256).jobs {
                *signals.entry((job.pe, job.signal, pe)).or_insert(0) += 1;
                for i in 0..job.cells {
                    *halo.entry((job.pe, job.to + u64::from(i))).or_insert(0) += 1;
                }
            }
        }
        assert!(halo.values().all(|n| *n == 1) && signals.values().all(|n| *n == 1), "{d:?}");
        for pe in 0..d.n_pes() {
            let (shape, whole) = (d.shape(pe, 4), d.whole(pe));
            for row in 0..shape.rows + 2 {
                for col in 0..shape.cols + 2 {
                    let ring = row == 0 || row == shape.rows + 1 || col == 0 || col == shape.cols + 1;
                    let arrives = ring && !whole.is_border(whole.first_row + row, whole.first_col + col);
                    let seen = halo.contains_key(&(pe, shape.seen_by_rim(row, col)));
                    assert_eq!(seen, arrives, "{d:?} PE {pe} {row} {col}");
                }
            }
            let plan = Plan::new(&d, pe, 4, 256);
            assert!(
                (0..).zip(&plan.signals).all(|(i, (_, from))| signals.contains_key(&(pe, i, *from))),
                "{d:?} PE {pe}"
            );
            assert_eq!(signals.keys().filter(|(to, ..)| *to == pe).count(), plan.signals.len());
        }
    }
}

/// Runs the plans of all PEs one after the other, as kernels would concurrently, and compares the result with the whole
/// grid.
#[test]
fn plans_compute_what_the_whole_grid_does() {
    for d in decompositions().into_iter().filter(|d| d.rows * d.cols < 5000) {
        let one = Decomposition { pe_rows: 1, pe_cols: 1, ..d };
        let (whole, parts) = (run(one, 3), run(d, 3));
        for pe in 0..d.n_pes() {
            let (part, shape) = (d.part(pe), d.shape(pe, 8));
            for row in 1..=shape.rows {
                for col in 1..=shape.cols {
                    let all = one.shape(0, 8).at(part.first_row + row, part.first_col + col);
                    let (want, got) = (whole[0][all as usize], parts[pe as usize][shape.at(row, col) as usize]);
                    assert_eq!(got.to_bits(), want.to_bits(), "{d:?} PE {pe} row {row} column {col}");
                }
            }
        }
    }
}

fn run(d: Decomposition, iterations: u32) -> Vec<Vec<f64>> {
    let mut from: Vec<Vec<f64>> = (0..d.n_pes()).map(|pe| start(&d, pe)).collect();
    for _ in 0..iterations {
        let mut to = from.clone();
        for pe in 0..d.n_pes() {
            let (plan, shape) = (Plan::new(&d, pe, 8, 256), d.shape(pe, 8));
            let next = |cell: u64| next_value(&from[pe as usize], cell as usize, shape.pitch as usize);
            for job in &plan.jobs {
                for i in 0..job.cells {
                    let value = next_of_rim(&from[pe as usize], job, i);
                    if (job.own_from..job.own_to).contains(&i) {
                        to[pe as usize][job.cell(i) as usize] = value;
                    }
                    to[job.pe as usize][(job.to + u64::from(i)) as usize] = value;
                }
            }
            for cell in inside(&plan, shape) {
                to[pe as usize][cell as usize] = next(cell);
            }
        }
        from = to;
    }
    from
}

fn start(d: &Decomposition, pe: u32) -> Vec<f64> {
    let (shape, whole) = (d.shape(pe, 8), d.whole(pe));
    let mut field = vec![f64::NAN; shape.buffer as usize];
    for row in 0..shape.rows + 2 {
        for col in 0..shape.cols + 2 {
            let value = start_value(5, u64::from(whole.first_row + row), u64::from(whole.first_col + col));
            field[shape.at(row, col) as usize] = value;
            field[shape.seen_by_rim(row, col) as usize] = value;
        }
    }
    field
}

fn next_of_rim(field: &[f64], job: &Job, i: u32) -> f64 {
    let columns = job.columns(i);
    let line = |below: u32| {
        let [west, middle, east] = columns.map(|(first, step)| field[(first + u64::from(below * step)) as usize]);
        Row::new(west, middle, east)
    };
    updated(line(0), line(1), line(2))
}

fn next_value(field: &[f64], cell: usize, pitch: usize) -> f64 {
    let row = |middle: usize| Row::new(field[middle - 1], field[middle], field[middle + 1]);
    updated(row(cell - pitch), row(cell), row(cell + pitch))
}

#[test]
fn tiles_are_high_where_there_are_many_and_low_where_there_are_few() {
    let rectangle = |rows: u32, cols: u32| Rectangle { top: 1, bottom: rows + 1, left: 1, right: cols + 1 };
    assert_eq!(rectangle(8192, 8192).tiling(1024, 528, 16).tile_rows, 16);
    assert_eq!(rectangle(256, 256).tiling(1024, 528, 16).tile_rows, 1);
    assert_eq!(rectangle(8192, 8192).tiling(1024, 528, 8).tile_rows, 8);
    assert_eq!(rectangle(8192, 1024).tiling(1024, 512, 8).tile_rows, 16, "a block has one tile");
    let empty = Rectangle { top: 2, bottom: 1, left: 2, right: 1 }.tiling(256, 8, 16);
    assert_eq!((empty.across, empty.down), (0, 0));
}

/// Catches a side whose pieces cannot be put as one, and a signal that two neighbours set, or none. With such a plan, a
/// put of the whole side would send something that no job has packed, or store into another halo.
#[test]
fn parcels_hold_the_cells_of_their_jobs() {
    for d in decompositions() {
        let mut signals = HashMap::new();
        for pe in 0..d.n_pes() {
            let plan = Plan::new(&d, pe, 4, 256);
            let mut jobs = plan.jobs.iter();
            for parcel in plan.parcels(&d, pe) {
                let cells = jobs.by_ref().take(parcel.jobs).flat_map(|job| {
                    let target = |i: u32| (job.pe, job.packed + u64::from(i), job.to + u64::from(i));
                    (0..job.cells).map(target).collect::<Vec<_>>()
                });
                let parts = (0..parcel.cells).map(|i| (parcel.pe, (parcel.packed + i) as u64, (parcel.to + i) as u64));
                assert!(cells.eq(parts), "{d:?} PE {pe}: {parcel:?}");
                *signals.entry((parcel.pe, parcel.signal)).or_insert(0) += 1;
            }
            assert_eq!(jobs.next(), None, "{d:?} PE {pe}");
        }
        let each = (0..d.n_pes()).flat_map(|pe| (0..neighbours(&d, pe).count()).map(move |i| ((pe, i), 1)));
        assert_eq!(signals, each.collect(), "{d:?}");
    }
}
