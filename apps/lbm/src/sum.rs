//! Sums that are the same for every decomposition. They use fixed point, so that no addition rounds.

use anyhow::Result;
use cushmem::{Reduction, Shmem};

/// A sum of numbers below 2³², each truncated to a multiple of 2⁻⁶⁰. There is room for 2³⁵ of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum {
    fixed: i128,
    /// How many numbers were not finite, or too large.
    bad: u64,
}

const ONE: f64 = (1u64 << 60) as f64;
const TOO_LARGE: f64 = (1u64 << 32) as f64;
/// The number of words that represent a sum while it is added to those of other PEs.
const LIMBS: usize = 5;

impl Sum {
    /// Adds a number.
    #[inline]
    pub fn add(&mut self, value: f64) {
        if value.abs() < TOO_LARGE {
            // Exact except for bits below 2⁻⁶⁰, because the factor is a power of two.
            self.fixed += (value * ONE) as i128;
        } else {
            self.bad += 1;
        }
    }

    /// The sum; NaN if a number was added that is not finite or too large.
    pub fn value(self) -> f64 {
        if self.bad == 0 { self.fixed as f64 / ONE } else { f64::NAN }
    }

    /// Splits the sum into words of 32 bits, the last with the sign, so that the words of many PEs can be added.
    fn limbs(self) -> [i64; LIMBS] {
        let part = |i: u32| (self.fixed >> (32 * i)) as u32 as i64;
        [part(0), part(1), part(2), (self.fixed >> 96) as i64, self.bad as i64]
    }

    fn of_limbs(limbs: &[i64]) -> Self {
        let fixed = limbs[..4].iter().rev().fold(0i128, |high, limb| (high << 32) + i128::from(*limb));
        Self { fixed, bad: limbs[4] as u64 }
    }
}

/// The PEs of a run: a single one, or those of a job.
pub trait Everybody {
    /// Adds up the sums of all PEs. Each PE gets the totals. Collective.
    fn add(&self, sums: &mut [Sum]) -> Result<()>;
    /// Replaces values with the largest of all PEs. Collective.
    fn largest(&self, values: &mut [f64]) -> Result<()>;
}

/// A run of one PE.
#[cfg(test)]
pub struct Alone;

#[cfg(test)]
impl Everybody for Alone {
    fn add(&self, _: &mut [Sum]) -> Result<()> {
        Ok(())
    }

    fn largest(&self, _: &mut [f64]) -> Result<()> {
        Ok(())
    }
}

impl Everybody for Shmem {
    fn add(&self, sums: &mut [Sum]) -> Result<()> {
        let own: Vec<i64> = sums.iter().flat_map(|sum| sum.limbs()).collect();
        let words = self.malloc::<i64>(own.len())?;
        words.copy_from(&own)?;
        self.reduce(self.team_world(), Reduction::Sum, words, words)?;
        for (sum, limbs) in sums.iter_mut().zip(words.to_vec()?.chunks_exact(LIMBS)) {
            *sum = Sum::of_limbs(limbs);
        }
        Ok(self.free(words)?)
    }

    fn largest(&self, values: &mut [f64]) -> Result<()> {
        let words = self.malloc::<f64>(values.len())?;
        words.copy_from(values)?;
        self.reduce(self.team_world(), Reduction::Max, words, words)?;
        words.copy_to(values)?;
        Ok(self.free(words)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(values: impl IntoIterator<Item = f64>) -> Sum {
        let mut sum = Sum::default();
        values.into_iter().for_each(|value| sum.add(value));
        sum
    }

    #[test]
    fn the_order_does_not_matter_and_nothing_is_lost() {
        let values: Vec<f64> = (0..10_000).map(|i| (f64::from(i) * 0.7).sin() * 10f64.powi(i % 7 - 3)).collect();
        assert_eq!(sum(values.iter().copied()), sum(values.iter().rev().copied()));
        assert_eq!(sum((0..1 << 16).map(|_| 0.1)).value(), 0.1 * 65536.0);
        assert_eq!(sum([1e9, 2f64.powi(-60), -1e9]).value(), 2f64.powi(-60));
    }

    #[test]
    fn limbs_of_several_pes_add_up() {
        let parts = [sum([-3.75, 1e-3]), sum([2.5e9, -0.1]), sum([-1e-18]), sum([])];
        let added = parts.iter().fold([0; LIMBS], |all, part| {
            let limbs = part.limbs();
            std::array::from_fn(|i| all[i] + limbs[i])
        });
        assert_eq!(Sum::of_limbs(&added), sum([-3.75, 1e-3, 2.5e9, -0.1, -1e-18]));
        assert!(parts.iter().all(|part| Sum::of_limbs(&part.limbs()) == *part));
    }

    #[test]
    fn what_is_no_number_is_not_hidden() {
        for bad in [f64::NAN, f64::INFINITY, 1e300] {
            assert!(sum([1.0, bad, 2.0]).value().is_nan());
            assert!(Sum::of_limbs(&sum([bad]).limbs()).value().is_nan());
        }
    }
}
