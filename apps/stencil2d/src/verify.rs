//! Compares the result with the serial reference; each PE compares its own part.

use crate::cells::Cell;
use crate::field::Field;
use anyhow::Result;
use cushmem_program::to_all;

/// The findings for one PE's part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Findings {
    /// Cells whose bits differ from the reference, or that are not finite.
    pub wrong: u64,
    /// The largest difference; infinite if a cell is not finite.
    pub largest: f64,
    /// Row, column, value and reference of the first wrong cell.
    pub first: (u32, u32, f64, f64),
}

/// The number of cell updates that the reference makes in a few seconds.
const QUICK_UPDATES: u64 = 1 << 31;

/// Whether the reference of a part of this size takes only a few seconds.
pub fn is_quick(rows: u32, cols: u32, iterations: u32) -> bool {
    iterations <= quick_iterations(rows, cols)
}

/// The most iterations of a part of this size whose reference takes only a few seconds.
pub fn quick_iterations(rows: u32, cols: u32) -> u32 {
    (QUICK_UPDATES / (u64::from(rows) * u64::from(cols)).max(1)) as u32
}

/// Returns what all PEs find in each of these buffers, which belong to fields of one job. Collective.
pub fn findings<T: Cell>(buffers: &[(&Field<'_, T>, u32)]) -> Result<Vec<Vec<Findings>>> {
    let own = compare(buffers)?;
    let all_pes = |(own, (field, _)): (Findings, &(&Field<'_, T>, u32))| {
        let all = to_all(field.job.shmem, own.to_words())?;
        Ok(all.iter().map(|words| Findings::from_words(words)).collect())
    };
    own.into_iter().zip(buffers).map(all_pes).collect()
}

/// What each PE with wrong cells has to report.
pub fn complaints(findings: &[Findings]) -> Vec<String> {
    (0..).zip(findings).filter_map(|(pe, f)| f.complaint(pe)).collect()
}

/// Compares this PE's part of each buffer with the reference, which is computed only once.
fn compare<T: Cell>(buffers: &[(&Field<'_, T>, u32)]) -> Result<Vec<Findings>> {
    let mut all = vec![Findings::default(); buffers.len()];
    let Some((Field { job, part, .. }, _)) = buffers.first() else { return Ok(all) };
    for band in job.problem.bands::<T>(*part) {
        let want = job.problem.solve::<T>(band);
        for (findings, (field, buffer)) in all.iter_mut().zip(buffers) {
            for (i, (got, want)) in (0u32..).zip(field.read(*buffer, band)?.into_iter().zip(&want)) {
                findings.add(band.first_row + i / band.cols, band.first_col + i % band.cols, got, *want);
            }
        }
    }
    Ok(all)
}

impl Findings {
    /// The largest difference that any PE found.
    pub fn largest(all: &[Self]) -> f64 {
        all.iter().map(|f| f.largest).fold(0.0, f64::max)
    }

    /// The number of words in which PEs share their findings.
    const WORDS: usize = 6;

    #[inline]
    fn add<T: Cell>(&mut self, row: u32, col: u32, got: T, want: T) {
        let (value, reference): (f64, f64) = (got.into(), want.into());
        if got.same_bits(want) && value.is_finite() {
            return;
        }
        if self.wrong == 0 {
            self.first = (row, col, value, reference);
        }
        self.wrong += 1;
        let difference = (value - reference).abs();
        self.largest = if difference.is_finite() { self.largest.max(difference) } else { f64::INFINITY };
    }

    /// Converts findings to words. No value is rounded.
    fn to_words(self) -> [f64; Self::WORDS] {
        let (row, col, value, reference) = self.first;
        [self.wrong as f64, self.largest, row.into(), col.into(), value, reference]
    }

    /// The reverse of [`Self::to_words`].
    fn from_words(words: &[f64]) -> Self {
        Self {
            wrong: words[0] as u64,
            largest: words[1],
            first: (words[2] as u32, words[3] as u32, words[4], words[5]),
        }
    }

    /// PE `pe`'s message about wrong cells.
    fn complaint(&self, pe: u32) -> Option<String> {
        let (row, col, value, reference) = self.first;
        (self.wrong > 0).then(|| {
            let cells =
                if self.wrong == 1 { "1 cell is wrong".into() } else { format!("{} cells are wrong", self.wrong) };
            format!("PE {pe}: {cells}, the first at row {row}, column {col}: {value:e} instead of {reference:e}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_cells_are_fine_and_others_are_counted() {
        let mut f = Findings::default();
        f.add(1, 2, 1.5f32, 1.5);
        assert_eq!((f, f.complaint(0)), (Findings::default(), None));
        f.add(3, 4, 1.5f32, 1.25);
        f.add(5, 6, 1.5f32, 1.0);
        assert_eq!((f.wrong, f.largest, f.first), (2, 0.5, (3, 4, 1.5, 1.25)));
        assert_eq!(Findings::from_words(&f.to_words()), f);
        let text = f.complaint(7).unwrap();
        assert_eq!(text, "PE 7: 2 cells are wrong, the first at row 3, column 4: 1.5e0 instead of 1.25e0");
    }

    #[test]
    fn zeros_of_different_sign_differ() {
        let mut f = Findings::default();
        f.add(0, 0, 0.0f64, -0.0);
        assert_eq!((f.wrong, f.largest), (1, 0.0));
    }

    #[test]
    fn what_is_not_finite_is_wrong_even_if_the_reference_agrees() {
        for bad in [f64::NAN, f64::INFINITY] {
            let mut f = Findings::default();
            f.add(0, 0, bad, bad);
            assert_eq!((f.wrong, f.largest), (1, f64::INFINITY));
        }
    }

    #[test]
    fn a_gpus_share_of_the_big_grid_is_quick() {
        assert!(is_quick(8192, 8192, 20));
        assert!(!is_quick(8192, 8192, 200));
    }
}
