//! A straight line through the times of several sizes.

use cushmem_numbers::{median, quantile};

/// The times of one size, one per round.
#[derive(Debug)]
pub struct Sample {
    pub bytes: u64,
    pub ns: Vec<f64>,
}

impl Sample {
    pub fn median(&self) -> f64 {
        median(&mut self.ns.clone()).unwrap_or(f64::NAN)
    }

    fn interquartile_range(&self) -> f64 {
        let mut ns = self.ns.clone();
        ns.sort_unstable_by(f64::total_cmp);
        let at = |part| quantile(&ns, part).unwrap_or(f64::NAN);
        at(0.75) - at(0.25)
    }
}

/// A line, and how well it fits.
#[derive(Debug, PartialEq)]
pub struct Fit {
    /// Time without any bytes.
    pub start_ns: f64,
    pub gb_s: f64,
    /// The interquartile range of the rounds as a fraction of their median, at the worst size.
    pub spread: f64,
    /// The largest factor by which the line misses a size, minus 1.
    pub off: f64,
}

/// The line through the smallest and the largest size, which decide where one path overtakes another. It uses medians,
/// because a round that was disturbed takes much longer than the others.
pub fn fit(samples: &[Sample]) -> Option<Fit> {
    let (first, last) = (samples.first()?, samples.last()?);
    let (least, most) = (first.median(), last.median());
    let more = (last.bytes - first.bytes) as f64;
    // On a noisy machine more bytes may seem to take less time.
    let gb_s = if most > least && more > 0.0 { more / (most - least) } else { last.bytes as f64 / most };
    let start_ns = (least - first.bytes as f64 / gb_s).max(0.0);
    let spread = |s: &Sample| s.interquartile_range() / s.median();
    let off = |s: &Sample| {
        let ratio = (start_ns + s.bytes as f64 / gb_s) / s.median();
        ratio.max(1.0 / ratio) - 1.0
    };
    let worst = |of: &dyn Fn(&Sample) -> f64| samples.iter().map(of).fold(0.0, f64::max);
    let fit = Fit { start_ns, gb_s, spread: worst(&spread), off: worst(&off) };
    (fit.gb_s.is_finite() && fit.gb_s > 0.0 && fit.start_ns.is_finite()).then_some(fit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(bytes: u64, ns: &[f64]) -> Sample {
        Sample { bytes, ns: ns.to_vec() }
    }

    /// Catches a bandwidth that includes the start, and disturbed rounds that affect the result.
    #[test]
    fn a_line_is_found_again() {
        let at = |bytes: u64| 1_000.0 + bytes as f64 / 8.0;
        let samples = [8, 4096, 1 << 20].map(|bytes| sample(bytes, &[at(bytes), at(bytes), at(bytes), 1e9]));
        let fit = fit(&samples).expect("a line");
        assert!((fit.start_ns - 1_000.0).abs() < 1e-6 && (fit.gb_s - 8.0).abs() < 1e-9, "{fit:?}");
        assert!(fit.off < 1e-9, "{fit:?}");
    }

    #[test]
    fn a_line_says_how_good_it_is() {
        let bent = [sample(0, &[100.0]), sample(1000, &[300.0]), sample(2000, &[300.0])];
        let fit_of_bent = fit(&bent).expect("a line");
        // The line says 200 at 1000 bytes, where 300 were measured.
        assert!((fit_of_bent.off - 0.5).abs() < 1e-9 && fit_of_bent.spread == 0.0, "{fit_of_bent:?}");
        let shaky = [sample(0, &[80.0, 90.0, 100.0, 110.0, 120.0]), sample(100, &[200.0])];
        assert!((fit(&shaky).expect("a line").spread - 0.2).abs() < 1e-9);
    }

    /// Catches a bandwidth that is negative or infinite.
    #[test]
    fn noise_is_no_bandwidth() {
        let fit_of = |ns: [f64; 2]| fit(&[sample(8, &[ns[0]]), sample(4096, &[ns[1]])]);
        assert!(fit_of([500.0, 400.0]).is_some_and(|f| f.gb_s > 0.0 && f.start_ns >= 0.0));
        assert_eq!(fit_of([f64::NAN, f64::NAN]), None);
        assert_eq!(fit(&[]), None);
    }
}
