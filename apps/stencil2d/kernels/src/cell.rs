//! The arithmetic of a cell. Kernels and the reference call the same functions, so their results agree to the last bit:
//! each product and sum is rounded on its own, in the order written here.

use core::ops::{Add, Mul};
use cushmem_device::Word;
use cushmem_numbers::mixed;

/// Type of a cell.
pub trait Real: Word + Add<Output = Self> + Mul<Output = Self> + Into<f64> {
    /// Weight of the cell itself.
    const CENTRE: Self;
    /// Weight of each of the four cells that share an edge with it.
    const CARDINAL: Self;
    /// Weight of each of the four cells at its corners.
    const DIAGONAL: Self;
    /// Not a number: marks cells to which nothing has been stored.
    const NAN: Self;
    /// Cells in 16 bytes.
    const COLUMNS: u32 = 16 / size_of::<Self>() as u32;
    /// Name on the command line.
    const NAME: &'static str;
    /// The most iterations that cannot overflow. The weights add up to 1.05, and the sums inside reach four times a
    /// value.
    const MAX_ITERATIONS: u32;
    /// The top bits of `bits` as a number from 0 up to, but not including, 1.
    fn from_bits_below_one(bits: u64) -> Self;
    /// Whether both have the same bits.
    fn same_bits(self, other: Self) -> bool;
}

impl Real for f32 {
    const CENTRE: Self = 0.25;
    const CARDINAL: Self = 0.15;
    const DIAGONAL: Self = 0.05;
    const NAN: Self = f32::NAN;
    const NAME: &'static str = "f32";
    const MAX_ITERATIONS: u32 = 1780;
    #[inline(always)]
    fn from_bits_below_one(bits: u64) -> Self {
        (bits >> 40) as u32 as f32 * (1.0 / (1u32 << 24) as f32)
    }
    #[inline(always)]
    fn same_bits(self, other: Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

impl Real for f64 {
    const CENTRE: Self = 0.25;
    const CARDINAL: Self = 0.15;
    const DIAGONAL: Self = 0.05;
    const NAN: Self = f64::NAN;
    const NAME: &'static str = "f64";
    const MAX_ITERATIONS: u32 = 14500;
    #[inline(always)]
    fn from_bits_below_one(bits: u64) -> Self {
        (bits >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }
    #[inline(always)]
    fn same_bits(self, other: Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

/// What a cell's update needs of one row of its neighbourhood. Three updates use a row, so its sum is kept.
#[derive(Clone, Copy, Debug)]
pub struct Row<T> {
    middle: T,
    sides: T,
}

impl<T: Real> Row<T> {
    /// From the three cells of the row, west to east.
    #[inline(always)]
    pub fn new(west: T, middle: T, east: T) -> Self {
        Self { middle, sides: west + east }
    }
}

/// The next value of the cell in the middle of three rows.
#[inline(always)]
pub fn updated<T: Real>(above: Row<T>, here: Row<T>, below: Row<T>) -> T {
    let cardinal = here.sides + (above.middle + below.middle);
    let diagonal = above.sides + below.sides;
    (here.middle * T::CENTRE + cardinal * T::CARDINAL) + diagonal * T::DIAGONAL
}

/// Start value of the cell at `row` and `col` of the whole grid, where row 0 and column 0 belong to the fixed border.
/// Any PE can compute any cell.
#[inline(always)]
pub fn start_value<T: Real>(seed: u64, row: u64, col: u64) -> T {
    T::from_bits_below_one(mixed(mixed(seed).wrapping_add(row << 32 | col)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_values_are_spread_over_the_unit_interval() {
        let values: Vec<f64> = (0..10_000).map(|i| start_value(7, i / 100, i % 100)).collect();
        assert!(values.iter().all(|v| (0.0..1.0).contains(v)));
        let mean = values.iter().sum::<f64>() / 1e4;
        assert!((0.49..0.51).contains(&mean), "{mean}");
        assert!((0..10_000).all(|i| (0.0..1.0).contains(&start_value::<f32>(7, i, 3))));
    }

    #[test]
    fn start_values_depend_on_seed_row_and_column() {
        let base: f64 = start_value(1, 2, 3);
        assert_eq!(base, start_value(1, 2, 3));
        assert!(
            ![start_value(2, 2, 3), start_value(1, 3, 3), start_value(1, 2, 4), start_value(1, 3, 2)].contains(&base)
        );
    }

    #[test]
    fn each_of_the_nine_cells_has_its_weight() {
        let with_one_at = |hot: usize| {
            let cell = |i| if i == hot { 1.0 } else { 0.0 };
            let row = |r: usize| Row::new(cell(3 * r), cell(3 * r + 1), cell(3 * r + 2));
            updated::<f64>(row(0), row(1), row(2))
        };
        let weights = [0.05, 0.15, 0.05, 0.15, 0.25, 0.15, 0.05, 0.15, 0.05];
        assert_eq!(std::array::from_fn::<f64, 9, _>(with_one_at), weights);
    }

    #[test]
    fn the_limit_of_iterations_keeps_clear_of_overflow() {
        fn limit<T: Real>(max: f64) -> f64 {
            (max / 4.0).ln() / 1.05f64.ln() - f64::from(T::MAX_ITERATIONS)
        }
        assert!((1.0..100.0).contains(&limit::<f32>(f32::MAX.into())));
        assert!((1.0..100.0).contains(&limit::<f64>(f64::MAX)));
    }

    #[test]
    fn the_largest_cells_survive_the_limit() {
        fn grow<T: Real>(mut value: T) -> f64 {
            for _ in 0..T::MAX_ITERATIONS {
                let row = Row::new(value, value, value);
                value = updated(row, row, row);
            }
            value.into()
        }
        assert!(grow(1.0f32) < f64::from(f32::MAX));
        assert!(grow(1.0f64).is_finite());
    }
}
