//! What reductions compute, selected by number. They work on words of 8 bytes that hold one or more elements each, so
//! that one copy of a kernel serves all types. All lanes pass the same number, so the branch costs little.

use cushmem_abi::{Combine, Number};
use cushmem_device::{Bf16, F16};

/// An element within a word.
trait Element: Copy {
    const BITS: u32;
    fn of(word: u64) -> Self;
    fn word(self) -> u64;
}

macro_rules! elements { ($($t:ty: $bits:ty, |$word:ident| $of:expr, |$value:ident| $to:expr;)*) => {$(
    impl Element for $t {
        const BITS: u32 = <$bits>::BITS;
        #[inline(always)]
        fn of($word: u64) -> Self {
            $of
        }
        #[inline(always)]
        fn word(self) -> u64 {
            let $value = self;
            ($to) as $bits as u64
        }
    }
)*} }
elements! {
    u8: u8, |w| w as u8, |v| v;
    i8: u8, |w| w as i8, |v| v;
    u16: u16, |w| w as u16, |v| v;
    i16: u16, |w| w as i16, |v| v;
    u32: u32, |w| w as u32, |v| v;
    i32: u32, |w| w as i32, |v| v;
    u64: u64, |w| w, |v| v;
    i64: u64, |w| w as i64, |v| v;
    f32: u32, |w| f32::from_bits(w as u32), |v| v.to_bits();
    f64: u64, |w| f64::from_bits(w), |v| v.to_bits();
    F16: u16, |w| F16::from_bits(w as u16), |v| v.bits();
    Bf16: u16, |w| Bf16::from_bits(w as u16), |v| v.bits();
}

/// Combines each element of a word with that of another word.
#[inline(always)]
fn word<T: Element>(a: u64, b: u64, combine: impl Fn(T, T) -> T) -> u64 {
    let (mut out, mut at) = (0, 0);
    while at < u64::BITS {
        out |= combine(T::of(a >> at), T::of(b >> at)).word() << at;
        at += T::BITS;
    }
    out
}

#[inline(always)]
fn half(a: F16, b: F16, combine: impl Fn(f32, f32) -> f32) -> F16 {
    F16::from_f32(combine(a.to_f32(), b.to_f32()))
}

#[inline(always)]
fn bhalf(a: Bf16, b: Bf16, combine: impl Fn(f32, f32) -> f32) -> Bf16 {
    Bf16::from_f32(combine(a.to_f32(), b.to_f32()))
}

/// Calls `$each` with the operation that has this number; every case gives it as a closure on two words.
macro_rules! by_code {
    ($code:expr, $each:ident, $otherwise:expr; $($operation:ident($a:ident, $b:ident) $($number:ident $t:ty => $result:expr),+;)*) => {
        match $code {
            $($(
                found if found == const { Combine::$operation.code(Number::$number) } => $each!(|a, b| word::<$t>(a, b, |$a, $b| $result)),
            )+)*
            _ => $otherwise,
        }
    };
}

/// Operations that few programs use, word by word. They are in a function of their own because it is long.
#[inline(never)]
fn seldom(code: u32, a: u64, b: u64) -> u64 {
    macro_rules! once {
        (|$a:ident, $b:ident| $result:expr) => {{
            let ($a, $b) = (a, b);
            $result
        }};
    }
    by_code! { code, once, a;
        Min(a, b)
            U8 u8 => a.min(b), I8 i8 => a.min(b), U16 u16 => a.min(b), I16 i16 => a.min(b), U32 u32 => a.min(b), I32 i32 => a.min(b),
            U64 u64 => a.min(b), I64 i64 => a.min(b), F32 f32 => if b < a || b.is_nan() { b } else { a },
            F64 f64 => if b < a || b.is_nan() { b } else { a }, F16 F16 => if b < a || b.is_nan() { b } else { a },
            Bf16 Bf16 => if b < a || b.is_nan() { b } else { a };
        Max(a, b)
            U8 u8 => a.max(b), I8 i8 => a.max(b), U16 u16 => a.max(b), I16 i16 => a.max(b), U32 u32 => a.max(b), I32 i32 => a.max(b),
            U64 u64 => a.max(b), I64 i64 => a.max(b), F32 f32 => if b > a || b.is_nan() { b } else { a },
            F64 f64 => if b > a || b.is_nan() { b } else { a }, F16 F16 => if b > a || b.is_nan() { b } else { a },
            Bf16 Bf16 => if b > a || b.is_nan() { b } else { a };
        Sum(a, b) U8 u8 => a.wrapping_add(b), U16 u16 => a.wrapping_add(b);
        Prod(a, b)
            U8 u8 => a.wrapping_mul(b), U16 u16 => a.wrapping_mul(b), U32 u32 => a.wrapping_mul(b), U64 u64 => a.wrapping_mul(b),
            F32 f32 => a * b, F64 f64 => a * b, F16 F16 => half(a, b, |a, b| a * b), Bf16 Bf16 => bhalf(a, b, |a, b| a * b);
    }
}

/// Combines words with others, in place.
#[inline(always)]
pub(crate) fn combine<const K: usize>(code: u32, all: &mut [u64; K], more: [u64; K]) {
    // Written out, because a variable index would put the words into local memory.
    macro_rules! each {
        (|$a:ident, $b:ident| $result:expr) => { each!(@ $a, $b, $result; 0 1 2 3 4 5 6 7) };
        (@ $a:ident, $b:ident, $result:expr; $($k:literal)*) => {{
            $(if $k < K {
                let ($a, $b) = (all[$k], more[$k]);
                all[$k] = $result;
            })*
        }};
    }
    by_code! { code, each, each!(|a, b| seldom(code, a, b));
        And(a, b) U64 u64 => a & b;
        Or(a, b) U64 u64 => a | b;
        Xor(a, b) U64 u64 => a ^ b;
        Sum(a, b)
            U32 u32 => a.wrapping_add(b), U64 u64 => a.wrapping_add(b), F32 f32 => a + b, F64 f64 => a + b,
            F16 F16 => half(a, b, |a, b| a + b), Bf16 Bf16 => bhalf(a, b, |a, b| a + b);
    }
}
