//! The outputs of a run: figures of the drop, a picture, a VTK file.

use crate::args::Args;
use crate::cells::Cells;
use crate::element::Element;
use crate::field::Field;
use crate::measure::{Body, Figures, Measures, measure};
use crate::picture::{self, Show, Slice};
use crate::state::{all_planes, whole};
use crate::vtk;
use anyhow::{Context, Result};
use cushmem_program::{try_file, write_file};
use lbm_kernels::cell::{Observed, Params};
use std::path::Path;

/// Cells observed at a time.
const AT_ONCE: u64 = 1 << 20;

/// Fails if a file that the command line names cannot be written.
pub fn try_files(args: &Args) -> Result<()> {
    let files = [("--save", &args.save), ("--png", &args.png), ("--vtk", &args.vtk)];
    files.into_iter().try_for_each(|(option, file)| file.as_deref().map_or(Ok(()), |file| try_file(option, file)))
}

/// Measures the drop. Collective.
pub fn measures<T: Element>(field: &Field<'_, T>, params: &Params<T>) -> Result<Figures> {
    let [nx, ny, nz] = field.region.size;
    let planes = (AT_ONCE / (u64::from(nx) * u64::from(ny))).clamp(1, u64::from(nz)) as u32;
    let mut visit = |look: &mut dyn FnMut(&Cells)| {
        for z in (0..nz).step_by(planes as usize) {
            let end = (z + planes).min(nz);
            let [x0, y0, z0] = field.region.first;
            let shown = field.observe(params, z..end)?;
            look(&Cells { first: [x0, y0, z0 + z], size: [nx, ny, end - z], shown });
        }
        Ok(())
    };
    measure(&Body::of(&field.job.problem), &mut visit, field.job.shmem)
}

/// Draws the slice across y in the middle of the drop, or of the box if there is none. Collective; PE 0 writes.
pub fn png<T: Element>(
    field: &Field<'_, T>,
    params: &Params<T>,
    drop: Option<&Measures>,
    show: Show,
    file: &Path,
) -> Result<()> {
    let (shmem, grid, region) = (field.job.shmem, field.job.grid, field.region);
    let [_, ny, _] = grid.size;
    let y = drop.map_or(ny / 2, |drop| (drop.centre[1] as u32).min(ny - 1));
    let row = |z: u32| {
        let shown = field.observe(params, z..z + 1)?;
        let start = (y - region.first[1]) as usize * region.size[0] as usize;
        let cells = &shown[start..start + region.size[0] as usize];
        Ok([cells.iter().map(|cell| show.of(cell)).collect(), cells.iter().map(|cell| cell.phi).collect()])
    };
    let slice = Slice::gather(shmem, grid.size, region, y, row)?;
    if shmem.my_pe() == 0 {
        let all = (0..shmem.n_pes()).map(|pe| grid.region(pe));
        let cut: Vec<_> = all.filter(|r| (r.first[1]..r.first[1] + r.size[1]).contains(&y)).collect();
        let image = picture::compose(&slice, &cut, show.title());
        let png = image.png().and_then(|png| write_file(file, &png));
        png.with_context(|| format!("write picture {}", file.display()))?;
    }
    Ok(())
}

/// Writes φ, pressure and velocity of all cells. Collective; PE 0 writes.
pub fn vtk<T: Element>(field: &Field<'_, T>, params: &Params<T>, file: &Path) -> Result<()> {
    // An error on PE 0 alone is reported only after all PEs have done their part.
    let mut image = (field.job.shmem.my_pe() == 0).then(|| vtk::Image::create(file, field.job.grid.size)).transpose();
    let mut plane: (Option<u32>, Vec<Observed>) = (None, vec![]);
    let own = |z: u32, value: u32| {
        if plane.0 != Some(z) {
            plane = (Some(z), field.observe(params, z..z + 1)?);
        }
        let of = |cell: &Observed| match value {
            0 => cell.phi,
            1 => cell.pressure,
            _ => cell.velocity[value as usize - 2],
        };
        Ok(plane.1.iter().map(|cell| of(cell) as f32).collect())
    };
    let take = |sheet: &[f32]| {
        if let Ok(Some(begun)) = &mut image
            && let Err(why) = begun.take(sheet)
        {
            image = Err(why);
        }
        Ok(())
    };
    whole(field).gather(all_planes(field), vtk::VALUES, own, take)?;
    image?.map_or(Ok(()), vtk::Image::finish)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_is_named_whose_file_cannot_be_written() {
        for option in ["--save", "--png", "--vtk"] {
            let args = crate::program::parse(["lbm", option, "/no/such/folder/file"]).expect("a good line");
            let why = format!("{:#}", try_files(&args).unwrap_err());
            assert!(why.starts_with(option) && why.contains("No such file"), "{why}");
        }
    }
}
