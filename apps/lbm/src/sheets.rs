//! Gathers the whole field on PE 0, a few sheets at a time, and scatters it back. Files and pictures use this, so they
//! do not depend on the decomposition.
//!
//! A *sheet* is one value, such as φ, of all cells of a plane z. Sheets are ordered by plane, and within a plane by
//! value. PE 0 has room for a few of them in symmetric memory. To gather, all PEs put their parts there and PE 0 uses
//! them; to scatter, PE 0 fills them and all PEs get their parts. Barriers separate the two halves of each batch and
//! the batches, so nobody puts into a sheet before PE 0 has used its previous content, and nobody gets from one that is
//! not full.

use crate::decomposition::Region;
use anyhow::Result;
use cushmem::{Shmem, SymSlice, Word};
use std::ops::Range;

/// The memory of PE 0 for sheets, unless one alone needs more.
const BYTES: usize = 16 << 20;

/// The job, the grid, and this PE's part of it.
#[derive(Clone, Copy)]
pub struct Whole<'a> {
    pub shmem: &'a Shmem,
    pub extent: [u32; 3],
    pub region: Region,
}

/// Runs of cells that are contiguous both in the sheet of a region and in that of the whole grid: where each starts in
/// either, and its length.
fn runs(region: Region, extent: [u32; 3]) -> impl Iterator<Item = (usize, usize, usize)> {
    let ([x, y, _], [nx, ny, _]) = (region.first.map(|v| v as usize), region.size.map(|v| v as usize));
    let width = extent[0] as usize;
    let (count, length) = if nx == width { (1, nx * ny) } else { (ny, nx) };
    (0..count).map(move |row| (row * nx, (y + row) * width + x, length))
}

impl Whole<'_> {
    /// The number of cells in a sheet of the whole grid.
    fn sheet(&self) -> usize {
        self.extent[0] as usize * self.extent[1] as usize
    }

    /// Whether this PE holds the whole sheets.
    fn collects(&self) -> bool {
        self.shmem.my_pe() == 0
    }

    /// A plane, counted from this PE's first one, if the PE has a part of it.
    fn own_plane(&self, plane: u32) -> Option<u32> {
        plane.checked_sub(self.region.first[2]).filter(|own| *own < self.region.size[2])
    }

    /// Brings the sheets of `values` values in some planes to PE 0, which passes them to `take`. `own` returns this
    /// PE's part of a sheet, given the plane, counted from the PE's first one, and the value. Collective.
    pub fn gather<T: Word>(
        &self,
        planes: Range<u32>,
        values: u32,
        mut own: impl FnMut(u32, u32) -> Result<Vec<T>>,
        mut take: impl FnMut(&[T]) -> Result<()>,
    ) -> Result<()> {
        self.in_batches(planes, values, |room: SymSlice<'_, T>, batch| {
            for (place, &(plane, value)) in (0..).zip(batch) {
                let Some(plane) = self.own_plane(plane) else { continue };
                let cells = own(plane, value)?;
                for (from, to, length) in runs(self.region, self.extent) {
                    let to = place * self.sheet() + to;
                    self.shmem.put(room.slice(to..to + length), &cells[from..from + length], 0)?;
                }
            }
            self.shmem.barrier_all()?;
            if self.collects() {
                let sheets = room.slice(..batch.len() * self.sheet()).to_vec()?;
                sheets.chunks_exact(self.sheet()).try_for_each(&mut take)?;
            }
            Ok(self.shmem.barrier_all()?)
        })
    }

    /// The reverse: `give` fills the whole sheets on PE 0, in order, and each PE passes its parts to `own`. Collective.
    pub fn scatter<T: Word>(
        &self,
        planes: Range<u32>,
        values: u32,
        mut give: impl FnMut(&mut [T]) -> Result<()>,
        mut own: impl FnMut(u32, u32, &[T]) -> Result<()>,
    ) -> Result<()> {
        self.in_batches(planes, values, |room: SymSlice<'_, T>, batch| {
            if self.collects() {
                let mut sheets = room.slice(..batch.len() * self.sheet()).to_vec()?;
                sheets.chunks_exact_mut(self.sheet()).try_for_each(&mut give)?;
                room.slice(..sheets.len()).copy_from(&sheets)?;
            }
            self.shmem.barrier_all()?;
            let mut cells = room.slice(..self.region.size[0] as usize * self.region.size[1] as usize).to_vec()?;
            for (place, &(plane, value)) in (0..).zip(batch) {
                let Some(plane) = self.own_plane(plane) else { continue };
                for (to, from, length) in runs(self.region, self.extent) {
                    let from = place * self.sheet() + from;
                    self.shmem.get(&mut cells[to..to + length], room.slice(from..from + length), 0)?;
                }
                own(plane, value, &cells)?;
            }
            Ok(self.shmem.barrier_all()?)
        })
    }

    /// Calls `work` with room for some sheets and with their planes and values, until all sheets are done.
    fn in_batches<T: Word>(
        &self,
        planes: Range<u32>,
        values: u32,
        mut work: impl FnMut(SymSlice<'_, T>, &[(u32, u32)]) -> Result<()>,
    ) -> Result<()> {
        let sheets: Vec<_> = planes.flat_map(|plane| (0..values).map(move |value| (plane, value))).collect();
        let at_once = (BYTES / (self.sheet() * size_of::<T>())).clamp(1, sheets.len().max(1));
        let room = self.shmem.malloc::<T>(at_once * self.sheet())?;
        sheets.chunks(at_once).try_for_each(|batch| work(room, batch))?;
        Ok(self.shmem.free(room)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_cover_a_part_where_it_lies() {
        for (extent, region) in [
            ([7, 5, 3], Region { first: [2, 1, 0], size: [4, 3, 3] }),
            ([4, 6, 1], Region { first: [0, 2, 0], size: [4, 3, 1] }),
        ] {
            let ([x0, y0, _], [nx, ny, _]) = (region.first, region.size);
            let mut seen = vec![];
            for (from, to, length) in runs(region, extent) {
                for i in 0..length as u32 {
                    let (own, whole) = (from as u32 + i, to as u32 + i);
                    assert_eq!(whole, (y0 + own / nx) * extent[0] + x0 + own % nx);
                    seen.push(own);
                }
            }
            assert_eq!(seen, (0..nx * ny).collect::<Vec<_>>());
        }
    }
}
