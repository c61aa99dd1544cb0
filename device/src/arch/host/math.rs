//! Mathematical functions that are exact, or round correctly. Those of the GPU give the same bits, except of NaNs.

macro_rules! functions { ($($name:ident: $t:ty, $method:ident, $($more:ident),*;)*) => {$(
    #[doc = concat!("`", stringify!($method), "` of the standard library.")]
    #[inline]
    pub fn $name(x: $t, $($more: $t),*) -> $t {
        x.$method($($more),*)
    }
)*} }
functions! {
    sqrt_f32: f32, sqrt,;
    sqrt_f64: f64, sqrt,;
    floor_f32: f32, floor,;
    floor_f64: f64, floor,;
    ceil_f32: f32, ceil,;
    ceil_f64: f64, ceil,;
    abs_f32: f32, abs,;
    abs_f64: f64, abs,;
    fma_f32: f32, mul_add, y, z;
    fma_f64: f64, mul_add, y, z;
}

macro_rules! extremes { ($($name:ident: $t:ty, $is_first:ident;)*) => {$(
    /// A number rather than a NaN; of the zeros, the negative one is smaller.
    #[inline]
    pub fn $name(x: $t, y: $t) -> $t {
        if y.is_nan() || x.total_cmp(&y).$is_first() && !x.is_nan() { x } else { y }
    }
)*} }
extremes! {
    min_f32: f32, is_lt;
    min_f64: f64, is_lt;
    max_f32: f32, is_gt;
    max_f64: f64, is_gt;
}

/// Word `index` of 2/π.
#[inline]
pub fn two_over_pi(index: u32) -> u64 {
    TWO_OVER_PI[index as usize]
}

/// 64 zeros, and the bits of 2/π behind the point.
const TWO_OVER_PI: [u64; 21] = [
    0x0000000000000000,
    0xa2f9836e4e441529,
    0xfc2757d1f534ddc0,
    0xdb6295993c439041,
    0xfe5163abdebbc561,
    0xb7246e3a424dd2e0,
    0x06492eea09d1921c,
    0xfe1deb1cb129a73e,
    0xe88235f52ebb4484,
    0xe99c7026b45f7e41,
    0x3991d639835339f4,
    0x9c845f8bbdf9283b,
    0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f,
    0x6d367ecf27cb09b7,
    0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea,
    0x6bfb5fb11f8d5d08,
    0x56033046fc7b6bab,
    0xf0cfbc209af4361d,
];

/// Nanoseconds: the emulated GPU has no cycles.
pub fn clock() -> u64 {
    super::globaltimer()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Catches a wrong word: the product with π has to be 2, in every word that the two have.
    #[test]
    fn the_words_are_those_of_two_over_pi() {
        // The bits of π - 3 behind the point, by which π is known in hexadecimal: 3.243f6a88…
        const PI: [u64; 2] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344];
        let high = |a: u64, b: u64| (u128::from(a) * u128::from(b)) >> 64;
        let (a, b) = (two_over_pi(1), two_over_pi(2));
        let tail = 3 * u128::from(b) + high(a, PI[1]) + high(b, PI[0]);
        let whole = (3 * u128::from(a)).wrapping_mul(1 << 64);
        let product = whole.wrapping_add(u128::from(a) * u128::from(PI[0])).wrapping_add(tail);
        assert!(product.wrapping_neg() < 8, "2/π · π is 2 - {} · 2⁻¹²⁸", product.wrapping_neg());
        assert_eq!(two_over_pi(0), 0);
    }
}
