//! How precise the functions are: compared with sums of two doubles, which have twice the digits.

use super::*;
use std::println;
use std::vec::Vec;

/// A number as the sum of two doubles.
#[derive(Clone, Copy)]
struct Double(f64, f64);

impl Double {
    fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let back = high - a;
        Self(high, (a - (high - back)) + (b - back))
    }
    fn add(self, other: Self) -> Self {
        let (high, low) = (Self::sum(self.0, other.0), Self::sum(self.1, other.1));
        let high = Self::sum(high.0, high.1 + low.0);
        Self::sum(high.0, high.1 + low.1)
    }
    fn mul(self, other: Self) -> Self {
        let high = self.0 * other.0;
        let low = self.0.mul_add(other.0, -high) + (self.0 * other.1 + self.1 * other.0);
        Self::sum(high, low)
    }
    fn of(x: f64) -> Self {
        Self(x, 0.0)
    }
    fn over(self, divisor: f64) -> Self {
        let first = self.0 / divisor;
        let rest = first.mul_add(-divisor, self.0) + self.1;
        Self::sum(first, rest / divisor)
    }
    fn scaled(self, by: f64) -> Self {
        Self(self.0 * by, self.1 * by)
    }

    /// The sum of `first` and all terms that follow, each made from the one before.
    fn series(first: Self, next: impl Fn(Self, f64) -> Self) -> Self {
        let (mut sum, mut term, mut n) = (first, first, 1.0);
        while term.0.abs() > 1e-40 {
            term = next(term, n);
            sum = sum.add(term);
            n += 1.0;
        }
        sum
    }

    fn exp(self) -> Self {
        // e^x = (e^(x / 1024))^1024
        let small = self.scaled(1.0 / 1024.0);
        let mut result = Self::series(Self::of(1.0), |term, n| term.mul(small).over(n));
        for _ in 0..10 {
            result = result.mul(result);
        }
        result
    }

    /// One step of Newton's method from the logarithm of the standard library doubles its digits.
    fn log(x: f64) -> Self {
        let near = x.ln();
        // The exponent apart, so that nothing overflows.
        let e = (x.to_bits() >> 52) as i32 - 1023;
        let m = x / 2f64.powi(e);
        let ln_2 = Self(core::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
        let rest = Self::of(near).add(ln_2.mul(Self::of(f64::from(-e))));
        let correction = rest.scaled(-1.0).exp().mul(Self::of(m)).add(Self::of(-1.0));
        Self::of(near).add(correction)
    }

    /// The sine of x + `quarters` · π/2, for |x| up to some thousands.
    fn sin(x: f64, quarters: f64) -> Self {
        let n = (x / core::f64::consts::FRAC_PI_2).round();
        let mut angle = Self::of(x);
        for part in HALF_PI {
            let product = n * part;
            angle = angle.add(Self(-product, -n.mul_add(part, -product)));
        }
        let square = angle.mul(angle).scaled(-1.0);
        match (n + quarters).rem_euclid(4.0) as u32 {
            0 => Self::series(angle, |term, n| term.mul(square).over(2.0 * n * (2.0 * n + 1.0))),
            1 => Self::series(Self::of(1.0), |term, n| term.mul(square).over((2.0 * n - 1.0) * (2.0 * n))),
            _ => Self::sin(x, quarters + 2.0).scaled(-1.0),
        }
    }

    /// The error of `result` in units of its last place.
    fn error_of(self, result: f64) -> f64 {
        let ulp = result.abs().next_up() - result.abs();
        ((result - self.0) - self.1).abs() / ulp
    }
    fn error_of_f32(self, result: f32) -> f64 {
        let ulp = f64::from(result.abs().next_up()) - f64::from(result.abs());
        ((f64::from(result) - self.0) - self.1).abs() / ulp
    }
}

/// Random numbers, as in `cushmem-numbers`.
fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*seed ^ *seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// `n` numbers from `from` to `to`.
fn between(from: f64, to: f64, n: usize) -> Vec<f64> {
    let mut seed = 1;
    (0..n).map(|_| from + (to - from) * (random(&mut seed) >> 11) as f64 / (1u64 << 53) as f64).collect()
}

/// Positive numbers with exponents from `from` to `to`.
fn of_exponents(from: i64, to: i64, n: usize) -> Vec<f64> {
    let mut seed = 2;
    let mut exponent = || (1023 + from) as u64 + random(&mut seed) % (to - from) as u64;
    let exponents: Vec<u64> = (0..n).map(|_| exponent()).collect();
    exponents.into_iter().map(|exponent| f64::from_bits(exponent << 52 | random(&mut seed) >> 12)).collect()
}

const N: usize = 20_000;

/// Fails if an error is larger than the documentation says; prints the largest.
fn check(
    name: &str,
    numbers: Vec<f64>,
    f: impl Fn(f64) -> f64,
    f_f32: fn(f32) -> f32,
    reference: impl Fn(f64) -> Double,
) {
    let most = if name == "rsqrt" { 1.5 } else { 1.0 };
    let (mut worst, mut worst_f32) = (0f64, 0f64);
    for x in numbers {
        let error = reference(x).error_of(f(x));
        assert!(error < most, "{name} of {x:e}: {:e}, {error} ulp off", f(x));
        worst = worst.max(error);
        let narrow = x as f32;
        if narrow.is_normal() && f_f32(narrow).is_normal() {
            let error = reference(narrow.into()).error_of_f32(f_f32(narrow));
            assert!(error < 0.51, "{name} of {narrow:e}: {:e}, {error} ulp off", f_f32(narrow));
            worst_f32 = worst_f32.max(error);
        }
    }
    println!("{name}: {worst:.3} ulp, as f32 {worst_f32:.5}");
}

#[test]
fn exponentials_are_precise() {
    check("exp", between(-700.0, 700.0, N), exp, exp, |x| Double::of(x).exp());
    check("exp near 0", between(-1.0, 1.0, N), exp, exp, |x| Double::of(x).exp());
}

#[test]
fn logarithms_are_precise() {
    check("log", of_exponents(-1000, 1000, N), log, log, Double::log);
    check("log near 1", between(0.5, 2.0, N), log, log, Double::log);
}

#[test]
fn sines_are_precise() {
    for (range, name) in [(1.0, "near 0"), (10.0, "up to 10"), (100_000.0, "up to 100,000")] {
        check(&std::format!("sin {name}"), between(-range, range, N), sin, sin, |x| Double::sin(x, 0.0));
        check(&std::format!("cos {name}"), between(-range, range, N), cos, cos, |x| Double::sin(x, 1.0));
    }
    // Close to multiples of π/2, where all leading digits cancel.
    let close: Vec<f64> = (1..8_000).map(|n| f64::from(n) * core::f64::consts::FRAC_PI_2).collect();
    check("sin of multiples", close.clone(), sin, sin, |x| Double::sin(x, 0.0));
    check("cos of multiples", close, cos, cos, |x| Double::sin(x, 1.0));
}

/// The other method of reduction is for large numbers, but is right for smaller ones, for which there is a reference.
#[test]
fn the_method_for_large_numbers_is_precise() {
    let large = |x: f64| if x.abs() < 4.0 { sin(x) } else { Angle::of_large(x).sin() };
    check("sin by Payne and Hanek", between(-100_000.0, 100_000.0, N), large, sin, |x| Double::sin(x, 0.0));
    let close = (1..8_000).map(|n| f64::from(n) * core::f64::consts::FRAC_PI_2).collect();
    check("of multiples", close, large, sin, |x| Double::sin(x, 0.0));
}

/// Numbers that have no reference of twice the digits: compared with the standard library, whose error is below 1 ulp.
#[test]
fn large_angles_agree_with_the_standard_library() {
    for x in of_exponents(17, 1023, N) {
        for (own, there) in [(sin(x), x.sin()), (cos(-x), x.cos()), (sin(-x), -x.sin())] {
            let ulp = there.abs().next_up() - there.abs();
            assert!((own - there).abs() <= 1.5 * ulp, "{x:e}: {own:e}, and {there:e} by the standard library");
        }
    }
    // The double that comes closest to a multiple of π/2 (Muller, Elementary Functions, 11.3). glibc is 8 ulp off.
    let closest = cos(6_381_956_970_095_103.0 * 2f64.powi(797));
    assert!((closest + 4.687_165_924_254_628e-19).abs() < 1e-34, "{closest:e}");
}

#[test]
fn reciprocal_roots_are_precise() {
    let reference = |x: f64| {
        // One step of Newton's method doubles the digits.
        let near = 1.0 / x.sqrt();
        let rest = Double::of(near).mul(Double::of(near)).mul(Double::of(x)).add(Double::of(-1.0));
        Double::of(near).add(rest.scaled(-0.5 * near))
    };
    check("rsqrt", of_exponents(-900, 900, N), rsqrt, rsqrt, reference);
}

/// Catches a special number that gives a wrong one, and results that are too small to be normal.
#[test]
fn special_numbers() {
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    assert_eq!([exp(inf), exp(-inf), exp(0.0), exp(710.0), exp(-746.0)], [inf, 0.0, 1.0, inf, 0.0]);
    assert_eq!([log(inf), log(0.0), log(-0.0), log(1.0)], [inf, -inf, -inf, 0.0]);
    assert_eq!([sin(0.0f64), cos(0.0), rsqrt(inf), rsqrt(0.0)], [0.0, 1.0, 0.0, inf]);
    assert!(sin(-0.0f64).is_sign_negative() && sin(-0.0f32).is_sign_negative());
    for x in [exp(nan), log(nan), log(-1.0), log(-inf), sin(nan), sin(inf), cos(-inf), rsqrt(-1.0f64), sqrt(-1.0f64)] {
        assert!(x.is_nan(), "{x} is not a NaN");
    }
    assert_eq!([min(nan, 1.0), min(1.0, nan), max(nan, 1.0), max(1.0, nan)], [1.0; 4]);
    assert!(min(0.0, -0.0f32).is_sign_negative() && max(-0.0, 0.0f32).is_sign_positive());
    assert_eq!([min(2.0, 1.0), min(1.0, 2.0), max(2.0, 1.0), max(1.0, 2.0f32)], [1.0, 1.0, 2.0, 2.0]);
    for x in [-744.0f64, -740.5, -709.5] {
        let (tiny, there) = (exp(x), x.exp());
        assert!((tiny.to_bits() as i64 - there.to_bits() as i64).abs() <= 1, "exp {x}: {tiny:e}, {there:e}");
    }
    assert_eq!(log(f64::from_bits(1)), -744.440_071_921_381_2);
    assert_eq!([floor(-1.5f32), ceil(-1.5), floor(2.0), abs(-3.0)], [-2.0, -1.0, 2.0, 3.0]);
    assert_eq!(fma(3.0f64, 4.0, 5.0), 17.0);
}
