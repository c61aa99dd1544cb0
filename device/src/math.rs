//! Mathematical functions, with the same bits on a GPU and on the emulated one, except of NaNs.
//!
//! Both use one source. It consists of operations that round correctly on both: additions, multiplications, divisions,
//! square roots and fused multiply-adds. PTX's own instructions for the other functions (`ex2.approx` and its like)
//! differ from every CPU's, and their errors are larger. The price: an `exp` takes some 25 instructions in `f64`. Those
//! for `f32` compute in `f64` and round the result, so on GPUs that are slow with `f64` they are slow, too.
//!
//! The largest errors that tests have seen, in units in the last place (ulp), are in the functions' documentation; the
//! tests compare with a reference of twice the precision.

use crate::{Word, arch};

/// `f32` or `f64`. [`exp`] has an example.
pub trait Real: Word {
    #[doc(hidden)]
    fn wide(self) -> f64;
    #[doc(hidden)]
    fn of_wide(wide: f64) -> Self;
    #[doc(hidden)]
    fn sqrt_here(self) -> Self;
    #[doc(hidden)]
    fn fma_here(self, y: Self, z: Self) -> Self;
    #[doc(hidden)]
    fn abs_here(self) -> Self;
    #[doc(hidden)]
    fn min_here(self, y: Self) -> Self;
    #[doc(hidden)]
    fn max_here(self, y: Self) -> Self;
    #[doc(hidden)]
    fn floor_here(self) -> Self;
    #[doc(hidden)]
    fn ceil_here(self) -> Self;
}

macro_rules! reals { ($($t:ident: $sqrt:ident $fma:ident $abs:ident $min:ident $max:ident $floor:ident $ceil:ident;)*) => {$(
    impl Real for $t {
        #[inline(always)]
        fn wide(self) -> f64 {
            self.into()
        }
        #[inline(always)]
        fn of_wide(wide: f64) -> Self {
            wide as $t
        }
        #[inline(always)]
        fn sqrt_here(self) -> Self {
            arch::$sqrt(self)
        }
        #[inline(always)]
        fn fma_here(self, y: Self, z: Self) -> Self {
            arch::$fma(self, y, z)
        }
        #[inline(always)]
        fn abs_here(self) -> Self {
            arch::$abs(self)
        }
        #[inline(always)]
        fn min_here(self, y: Self) -> Self {
            arch::$min(self, y)
        }
        #[inline(always)]
        fn max_here(self, y: Self) -> Self {
            arch::$max(self, y)
        }
        #[inline(always)]
        fn floor_here(self) -> Self {
            arch::$floor(self)
        }
        #[inline(always)]
        fn ceil_here(self) -> Self {
            arch::$ceil(self)
        }
    }
)*} }
reals! {
    f32: sqrt_f32 fma_f32 abs_f32 min_f32 max_f32 floor_f32 ceil_f32;
    f64: sqrt_f64 fma_f64 abs_f64 min_f64 max_f64 floor_f64 ceil_f64;
}

/// Returns the square root, correctly rounded. [`exp`] has an example of such a function.
#[inline(always)]
pub fn sqrt<T: Real>(x: T) -> T {
    x.sqrt_here()
}

/// Returns `x * y + z`, rounded once. [`exp`] has an example of such a function.
#[inline(always)]
pub fn fma<T: Real>(x: T, y: T, z: T) -> T {
    x.fma_here(y, z)
}

/// Returns the absolute value. [`exp`] has an example of such a function.
#[inline(always)]
pub fn abs<T: Real>(x: T) -> T {
    x.abs_here()
}

/// Returns the smaller number, -0 rather than 0, and a number rather than a NaN. [`exp`] has an example of such a
/// function.
#[inline(always)]
pub fn min<T: Real>(x: T, y: T) -> T {
    x.min_here(y)
}

/// Returns the larger number, 0 rather than -0, and a number rather than a NaN. [`exp`] has an example of such a
/// function.
#[inline(always)]
pub fn max<T: Real>(x: T, y: T) -> T {
    x.max_here(y)
}

/// Returns the largest integer that is not above `x`. [`exp`] has an example of such a function.
#[inline(always)]
pub fn floor<T: Real>(x: T) -> T {
    x.floor_here()
}

/// Returns the smallest integer that is not below `x`. [`exp`] has an example of such a function.
#[inline(always)]
pub fn ceil<T: Real>(x: T) -> T {
    x.ceil_here()
}

/// Returns 1 over the square root, within 1.5 ulp in `f64` and 0.51 ulp in `f32`. [`exp`] has an example of such a
/// function.
#[inline(always)]
pub fn rsqrt<T: Real>(x: T) -> T {
    T::of_wide(1.0 / arch::sqrt_f64(x.wide()))
}

/// Returns e to the power of `x`, within 1 ulp in `f64` and 0.51 ulp in `f32`.
///
/// ```
/// use cushmem_device::{Block, DevPtr, Scope, exp, kernels};
/// # macro_rules! kernels { ($($kernel:item)*) => { $($kernel)* } }
///
/// kernels! {
///     /// One block. Lets `n` amounts decay for the time `t`.
///     pub unsafe fn decay(amounts: DevPtr<f32>, n: usize, rate: f32, t: f32) {
///         let (mut i, left) = (Block.lane(), exp(-rate * t));
///         while i < n {
///             amounts.add(i).write(amounts.add(i).read() * left);
///             i += Block.lanes();
///         }
///     }
/// }
/// ```
#[inline(always)]
pub fn exp<T: Real>(x: T) -> T {
    T::of_wide(exp_f64(x.wide()))
}

/// Returns the natural logarithm, within 1 ulp in `f64` and 0.51 ulp in `f32`: -∞ of zeros, a NaN of numbers below 0.
/// [`exp`] has an example of such a function.
#[inline(always)]
pub fn log<T: Real>(x: T) -> T {
    T::of_wide(log_f64(x.wide()))
}

/// Returns the sine of an angle in radians, within 1 ulp in `f64` and 0.51 ulp in `f32`, of all numbers.
/// [`exp`] has an example of such a function.
#[inline(always)]
pub fn sin<T: Real>(x: T) -> T {
    // Up to here x³/6 is less than half an ulp of x, and 0 keeps its sign.
    const OWN: f64 = 1.0 / 134_217_728.0;
    let wide = x.wide();
    if arch::abs_f64(wide) < OWN { x } else { T::of_wide(Angle::of(wide).sin()) }
}

/// Returns the cosine of an angle in radians, within 1 ulp in `f64` and 0.51 ulp in `f32`, of all numbers. [`exp`] has
/// an example of such a function.
#[inline(always)]
pub fn cos<T: Real>(x: T) -> T {
    T::of_wide(Angle::of(x.wide()).cos())
}

/// Evaluates a polynomial in `$x`, given its coefficients from that of the highest power.
macro_rules! polynomial {
    ($x:expr, $highest:expr $(, $coefficient:expr)*) => {{
        let sum = $highest;
        $(let sum = arch::fma_f64(sum, $x, $coefficient);)*
        sum
    }};
}

/// ln 2: the first part has trailing zeros, so that its products with exponents are exact.
const LN_2: [f64; 2] = [f64::from_bits(0x3fe6_2e42_fee0_0000), f64::from_bits(0x3dea_39ef_3579_3c76)];
/// Adding it to a number below 2⁵¹ rounds that to an integer, which is then in the low bits.
const ROUNDS: f64 = 6_755_399_441_055_744.0;

/// 2 to the power of an exponent of normal numbers.
#[inline(always)]
fn power(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// e^x = 2^k · e^r with |r| ≤ ln 2 / 2, of which the power series needs 13 terms.
#[inline]
fn exp_f64(x: f64) -> f64 {
    // Beyond these bounds the result is the same. A NaN passes both.
    let bounded = if x > 710.0 { 710.0 } else { x };
    let bounded = if bounded < -746.0 { -746.0 } else { bounded };
    let shifted = arch::fma_f64(bounded, core::f64::consts::LOG2_E, ROUNDS);
    let (k, exponent) = (shifted - ROUNDS, shifted.to_bits() as i32);
    let first = arch::fma_f64(-k, LN_2[0], bounded);
    let r = arch::fma_f64(-k, LN_2[1], first);
    let lost = arch::fma_f64(-k, LN_2[1], first - r);
    let series = polynomial!(
        r,
        1.0 / 6_227_020_800.0,
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        1.0 / 2.0
    );
    let power_of_r = 1.0 + (r + arch::fma_f64(r * r, series, lost));
    // Two factors, because 2^k may be too large or too small to be normal. The second one rounds.
    let half = exponent / 2;
    power_of_r * power(half) * power(exponent - half)
}

/// log x = k · ln 2 + log (1 + f) with 1 + f between √½ and √2. With s = f / (2 + f), log (1 + f) is
/// 2 (s + s³/3 + s⁵/5 + …), which is written as f - f²/2 + s (f²/2 + 2s²/3 + 2s⁴/5 + …), because s is rounded.
#[inline]
fn log_f64(x: f64) -> f64 {
    const TINY: f64 = f64::MIN_POSITIVE;
    /// The high half of √½.
    const ROOT_HALF: u64 = 0x3fe6_a09e;
    let (scaled, less) = if x < TINY { (x * power(54), 54) } else { (x, 0) };
    let bits = scaled.to_bits();
    let high = (bits >> 32) + (0x3ff0_0000 - ROOT_HALF);
    let k = f64::from((high >> 20) as i32 - 1023 - less);
    let f = f64::from_bits(((high & 0xf_ffff) + ROOT_HALF) << 32 | bits & 0xffff_ffff) - 1.0;
    let s = f / (2.0 + f);
    let (z, half_square) = (s * s, 0.5 * f * f);
    let series = z * polynomial!(
        z,
        2.0 / 23.0,
        2.0 / 21.0,
        2.0 / 19.0,
        2.0 / 17.0,
        2.0 / 15.0,
        2.0 / 13.0,
        2.0 / 11.0,
        2.0 / 9.0,
        2.0 / 7.0,
        2.0 / 5.0,
        2.0 / 3.0
    );
    let small = arch::fma_f64(s, half_square + series, k * LN_2[1]);
    let result = arch::fma_f64(k, LN_2[0], f - (half_square - small));
    match x {
        x if x > 0.0 && x < f64::INFINITY => result,
        0.0 => f64::NEG_INFINITY,
        x if x < 0.0 => f64::NAN,
        x => x,
    }
}

/// An angle, less a multiple of π/2: between -π/4 and π/4, in two parts.
#[derive(Clone, Copy)]
struct Angle {
    /// The multiple, of which only the last two bits count.
    quarters: u32,
    high: f64,
    low: f64,
}

/// π/2 in three parts.
const HALF_PI: [f64; 3] = [
    f64::from_bits(0x3ff9_21fb_5444_2d18),
    f64::from_bits(0x3c91_a626_3314_5c07),
    f64::from_bits(0xb91f_1976_b7ed_8fbc),
];

impl Angle {
    #[inline]
    fn of(x: f64) -> Self {
        // Up to here the multiple has 17 bits, and what is left of the three parts' products is small enough.
        if arch::abs_f64(x) < 131_072.0 { Self::of_small(x) } else { Self::of_large(x) }
    }

    #[inline(always)]
    fn of_small(x: f64) -> Self {
        let shifted = arch::fma_f64(x, core::f64::consts::FRAC_2_PI, ROUNDS);
        let n = shifted - ROUNDS;
        let first = arch::fma_f64(-n, HALF_PI[0], x);
        // The second product and its rounding error, subtracted without losing what the difference rounds away.
        let second = n * HALF_PI[1];
        let error = arch::fma_f64(n, HALF_PI[1], -second);
        let high = first - second;
        let back = first - high;
        let low = (first - (high + back)) + (back - second) - error;
        let low = arch::fma_f64(-n, HALF_PI[2], low);
        Self { quarters: shifted.to_bits() as u32, high: high + low, low: low - ((high + low) - high) }
    }

    /// The method of Payne and Hanek. |x| = m · 2^e, with an integer m, is multiplied by those 192 bits of 2/π that
    /// decide the result: higher ones only add multiples of 4 quarters.
    #[inline(always)]
    fn of_large(x: f64) -> Self {
        if !x.is_finite() {
            return Self { quarters: 0, high: f64::NAN, low: f64::NAN };
        }
        let bits = x.to_bits();
        let m = bits & 0xf_ffff_ffff_ffff | 1 << 52;
        // e is the exponent less 1075. The first bit has the weight 2 / 2^e; the table has 64 zeros before the point.
        let at = (bits >> 52 & 0x7ff) as u32 - 1013;
        let (index, shift) = (at / 64, at % 64);
        let word = |i: u32| {
            let (high, low) = (arch::two_over_pi(index + i), arch::two_over_pi(index + i + 1));
            high << shift | low >> 1 >> (63 - shift)
        };
        // The low 192 bits of the product, from the highest word. The two highest bits count quarters.
        let product = |a: u64, b: u64| u128::from(a) * u128::from(b);
        let third = product(m, word(2));
        let second = product(m, word(1)) + (third >> 64);
        let first = m.wrapping_mul(word(0)).wrapping_add((second >> 64) as u64);
        let (second, third) = (second as u64, third as u64);
        let fraction = [first << 2 | second >> 62, second << 2 | third >> 62];
        // To the nearest quarter: from there, half a quarter up or down.
        let down = fraction[0] >> 63 != 0;
        let flip = |word: u64| if down { !word } else { word };
        let [a, b] = fraction.map(flip);
        let zeros = a.leading_zeros();
        // No double is closer than 2⁻⁶² quarters to a multiple, so there is a bit that is 1.
        let (a, b, zeros) =
            if zeros == 64 { (b, 0, 64) } else { (a << zeros | b >> 1 >> (63 - zeros), b << zeros, zeros) };
        let unit = power(-64 - zeros as i32);
        // Two numbers of 53 bits each.
        let high = (a >> 11) as f64 * (2048.0 * unit);
        let low = ((a & 0x7ff) << 42 | b >> 22) as f64 * (power(-42) * unit);
        let negative = down != x.is_sign_negative();
        let (high, low) = if negative { (-high, -low) } else { (high, low) };
        let angle = high * HALF_PI[0];
        let error = arch::fma_f64(high, HALF_PI[0], -angle);
        let rest = arch::fma_f64(high, HALF_PI[1], arch::fma_f64(low, HALF_PI[0], error));
        let quarters = (first >> 62) as u32 + u32::from(down);
        let quarters = if x.is_sign_negative() { quarters.wrapping_neg() } else { quarters };
        Self { quarters, high: angle + rest, low: rest - ((angle + rest) - angle) }
    }

    /// The power series of the sine of the rest, and of its cosine.
    #[inline(always)]
    fn series(self) -> [f64; 2] {
        let (x, y) = (self.high, self.low);
        let z = x * x;
        let odd = polynomial!(
            z,
            1.0 / 355_687_428_096_000.0,
            -1.0 / 1_307_674_368_000.0,
            1.0 / 6_227_020_800.0,
            -1.0 / 39_916_800.0,
            1.0 / 362_880.0,
            -1.0 / 5_040.0,
            1.0 / 120.0,
            -1.0 / 6.0
        );
        // sin (x + y) ≈ sin x + y (1 - x²/2)
        let sine = x + arch::fma_f64(z * x, odd, arch::fma_f64(y, -0.5 * z, y));
        let even = polynomial!(
            z,
            1.0 / 20_922_789_888_000.0,
            -1.0 / 87_178_291_200.0,
            1.0 / 479_001_600.0,
            -1.0 / 3_628_800.0,
            1.0 / 40_320.0,
            -1.0 / 720.0,
            1.0 / 24.0
        );
        // cos (x + y) ≈ cos x - x y. The difference of 1 and x²/2 is rounded; `lost` is what that loses.
        let half = 0.5 * z;
        let near = 1.0 - half;
        let lost = (1.0 - near) - half;
        let cosine = near + arch::fma_f64(z * z, even, arch::fma_f64(-x, y, lost));
        [sine, cosine]
    }

    #[inline]
    fn sin(self) -> f64 {
        let [sine, cosine] = self.series();
        let value = if self.quarters & 1 == 0 { sine } else { cosine };
        if self.quarters & 2 == 0 { value } else { -value }
    }

    #[inline]
    fn cos(self) -> f64 {
        Self { quarters: self.quarters.wrapping_add(1), ..self }.sin()
    }
}

#[cfg(test)]
#[path = "math_tests.rs"]
mod tests;
