//! Rounds in which several ways to do the same work take turns, so that a disturbance of the machine affects all of
//! them.

use anyhow::Result;
use cushmem::Shmem;
use std::time::Instant;

/// One way to do the work: runs a loop and returns the time of one step.
pub type Way<'w> = &'w mut dyn FnMut() -> Result<f64>;

pub struct Rounds<'a> {
    pub shmem: &'a Shmem,
    pub rounds: usize,
    pub smoke: bool,
}

impl Rounds<'_> {
    /// PE 0 works while the others wait in a barrier. Returns the times of each way, in the order of the rounds.
    pub fn alone<const N: usize>(&self, mut ways: [Way<'_>; N]) -> Result<[Vec<f64>; N]> {
        let mut times = [const { Vec::new() }; N];
        self.shmem.barrier_all()?;
        if self.shmem.my_pe() == 0 {
            for _ in 0..self.rounds {
                for (way, times) in ways.iter_mut().zip(&mut times) {
                    times.push(way()?);
                }
            }
        }
        self.shmem.barrier_all()?;
        Ok(times)
    }

    /// All PEs work together; each way starts after a barrier.
    pub fn together<const N: usize>(&self, mut ways: [Way<'_>; N]) -> Result<[Vec<f64>; N]> {
        let mut times = [const { Vec::new() }; N];
        for _ in 0..self.rounds {
            for (way, times) in ways.iter_mut().zip(&mut times) {
                self.shmem.barrier_all()?;
                times.push(way()?);
            }
        }
        self.shmem.barrier_all()?;
        Ok(times)
    }

    /// Nanoseconds per step.
    pub fn ns(&self, steps: usize, mut body: impl FnMut(usize) -> cushmem::Result<()>) -> Result<f64> {
        let steps = if self.smoke { steps.min(3) } else { steps };
        let start = Instant::now();
        for i in 0..steps {
            body(i)?;
        }
        Ok(start.elapsed().as_nanos() as f64 / steps as f64)
    }
}

/// What a row reports: the median of the rounds, and the range of all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Figure {
    /// Of the times of the rounds, each converted to the unit of the row.
    pub fn of(times: &[f64], convert: impl Fn(f64) -> f64) -> Self {
        let value = convert(median(times));
        let all = times.iter().map(|time| convert(*time));
        let (low, high) = all.fold((value, value), |(low, high), v| (low.min(v), high.max(v)));
        Self { value, low, high }
    }

    /// Microseconds, of nanoseconds.
    pub fn us(times: &[f64]) -> Self {
        Self::of(times, |ns| ns / 1e3)
    }

    /// Nanoseconds.
    pub fn ns(times: &[f64]) -> Self {
        Self::of(times, |ns| ns)
    }
}

/// A figure without rounds.
impl From<f64> for Figure {
    fn from(value: f64) -> Self {
        Self { value, low: value, high: value }
    }
}

/// The median; 0 if there are no values, as on PEs that did not measure.
pub fn median(times: &[f64]) -> f64 {
    cushmem_numbers::median(&mut times.to_vec()).unwrap_or(0.0)
}

/// The median of the differences between the two values of each round.
pub fn median_difference(a: &[f64], b: &[f64]) -> f64 {
    median(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disturbed_round_does_not_count() {
        assert_eq!(median(&[1.0, 900.0, 2.0]), 2.0);
        assert_eq!(median(&[]), 0.0);
        let figure = Figure::of(&[1.0, 4.0, 2.0], |ns| 8.0 / ns);
        assert_eq!(figure, Figure { value: 4.0, low: 2.0, high: 8.0 });
        assert_eq!(median_difference(&[5.0, 905.0, 6.0], &[2.0, 3.0, 900.0]), 3.0);
    }
}
