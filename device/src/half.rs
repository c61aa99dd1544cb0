//! 16-bit floating-point numbers, which Rust lacks: stored as bits, with conversions to and from `f32`.

use crate::arch;
use core::fmt;

/// A number in IEEE 754's binary16 format, CUDA's `half`. Collectives compute each step in `f32` and round the result.
///
/// ```
/// use cushmem_device::F16;
///
/// assert_eq!(F16::from_f32(1.5).to_f32(), 1.5);
/// assert_eq!(F16::from_f32(-2.0).bits(), 0xc000);
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, Default)]
pub struct F16(u16);

/// A number in the bfloat16 format, the upper half of an `f32`. Collectives combine such numbers as they do [`F16`].
///
/// ```
/// use cushmem_device::Bf16;
///
/// assert_eq!(Bf16::from_f32(1.5).to_f32(), 1.5);
/// assert_eq!(Bf16::from_f32(-2.0).bits(), 0xc000);
/// ```
#[repr(transparent)]
#[derive(Clone, Copy, Default)]
pub struct Bf16(u16);

macro_rules! halves { ($($t:ident: $to:path, $from:path;)*) => {$(
    impl $t {
        /// Creates the number with these bits.
        #[inline(always)]
        pub const fn from_bits(bits: u16) -> Self {
            Self(bits)
        }

        /// Returns the number's bits.
        #[inline(always)]
        pub const fn bits(self) -> u16 {
            self.0
        }

        #[inline(always)]
        pub(crate) const fn from_ne_bytes(bytes: [u8; 2]) -> Self {
            Self(u16::from_ne_bytes(bytes))
        }

        #[inline(always)]
        pub(crate) const fn to_ne_bytes(self) -> [u8; 2] {
            self.0.to_ne_bytes()
        }

        /// Converts the number to `f32`.
        #[inline(always)]
        pub fn to_f32(self) -> f32 {
            $to(self.0)
        }

        /// Whether this is not a number.
        #[inline(always)]
        pub fn is_nan(self) -> bool {
            self.to_f32().is_nan()
        }

        /// Converts `value` to the nearest number, with ties to even.
        #[inline(always)]
        pub fn from_f32(value: f32) -> Self {
            Self($from(value))
        }
    }

    impl PartialEq for $t {
        fn eq(&self, other: &Self) -> bool {
            self.to_f32() == other.to_f32()
        }
    }

    impl PartialOrd for $t {
        fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
            self.to_f32().partial_cmp(&other.to_f32())
        }
    }

    impl fmt::Debug for $t {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            fmt::Debug::fmt(&self.to_f32(), f)
        }
    }
)*} }
halves! {
    F16: arch::f32_of_f16, arch::f16_of_f32;
    Bf16: f32_of_bf16, bf16_of_f32;
}

#[inline(always)]
fn f32_of_bf16(bits: u16) -> f32 {
    f32::from_bits((bits as u32) << 16)
}

#[inline(always)]
fn bf16_of_f32(value: f32) -> u16 {
    let bits = value.to_bits();
    if value.is_nan() {
        // Keep a NaN with few bits from becoming an infinity.
        return (bits >> 16) as u16 | 0x40;
    }
    // Half a unit, minus the least bit where the number below is even.
    ((bits + 0x7fff + (bits >> 16 & 1)) >> 16) as u16
}

/// Exact: every binary16 number is also a binary32 number.
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) fn f32_of_f16(bits: u16) -> f32 {
    let sign = (bits as u32 & 0x8000) << 16;
    let rest = (bits as u32 & 0x7fff) << 13;
    // The exponents' biases differ by 112; a multiplication by 2^112 also converts subnormal numbers.
    let magnitude = match rest {
        0x0f80_0000.. => f32::from_bits(rest | 0x7f80_0000),
        _ => f32::from_bits(rest) * f32::from_bits((112 + 127) << 23),
    };
    f32::from_bits(magnitude.to_bits() | sign)
}

#[cfg(not(target_arch = "nvptx64"))]
pub(crate) fn f16_of_f32(value: f32) -> u16 {
    let (sign, bits) = ((value.to_bits() >> 16) as u16 & 0x8000, value.to_bits() & 0x7fff_ffff);
    let magnitude = match bits {
        // A NaN.
        0x7f80_0001.. => 0x7e00 | (bits >> 13 & 0x1ff) as u16,
        // Half a unit above the largest number, and everything above that.
        0x477f_f000.. => 0x7c00,
        // Below the smallest normal number the unit is 2^-24: adding 0.5 leaves these units, rounded, as the last bits.
        ..0x3880_0000 => (f32::from_bits(bits) + 0.5).to_bits().wrapping_sub(0.5f32.to_bits()) as u16,
        _ => ((bits - (112 << 23) + 0xfff + (bits >> 13 & 1)) >> 13) as u16,
    };
    magnitude | sign
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that every 16-bit number converts back to itself, in order, and that a value between two numbers rounds
    /// to the nearer one, or to the even one.
    fn check(largest: u16, to: fn(u16) -> f32, from: fn(f32) -> u16) {
        for bits in 0..=largest {
            let value = to(bits);
            assert_eq!(from(value), bits, "{value}");
            assert_eq!(from(-value), bits | 0x8000, "{value}");
            if bits == largest {
                break;
            }
            let next = to(bits + 1);
            assert!(value < next);
            let middle = ((f64::from(value) + f64::from(next)) / 2.0) as f32;
            let even = if bits & 1 == 0 { bits } else { bits + 1 };
            assert_eq!(from(middle), even, "between {value} and {next}");
            assert_eq!(from(f32::from_bits(middle.to_bits() - 1)), bits, "below the middle of {value} and {next}");
            assert_eq!(from(f32::from_bits(middle.to_bits() + 1)), bits + 1, "above the middle of {value} and {next}");
        }
        assert_eq!(from(f32::INFINITY), largest + 1);
        assert!(to(largest + 1).is_infinite() && to(from(f32::NAN)).is_nan());
        assert!(to(from(f32::from_bits(0x7f80_0001))).is_nan());
    }

    #[test]
    fn numbers_are_rounded_to_the_nearest() {
        check(0x7bff, f32_of_f16, f16_of_f32);
        assert_eq!((f16_of_f32(65519.0), f16_of_f32(65520.0)), (0x7bff, 0x7c00));
        check(0x7f7f, f32_of_bf16, bf16_of_f32);
    }
}
