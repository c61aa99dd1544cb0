//! The numbers that collectives combine, and how. Elements are combined in words of 8 bytes, which hold one or more of
//! them.

use crate::{Bf16, F16, Word};

mod sealed {
    pub trait Sealed {}
}

/// A number that collectives combine: an integer of any size, [`F16`], [`Bf16`], `f32` or `f64`.
/// [`Collective`](crate::Collective) has an example.
pub trait Number: Word + sealed::Sealed {
    #[doc(hidden)]
    const BITS: u32;
    #[doc(hidden)]
    const NUMBER: cushmem_abi::Number;
    /// The element in the lowest bits of a word.
    #[doc(hidden)]
    fn of(word: u64) -> Self;
    /// The element in the lowest bits of a word whose other bits are 0.
    #[doc(hidden)]
    fn word(self) -> u64;
}

macro_rules! numbers { ($($t:ty: $number:ident $bits:ty, |$word:ident| $of:expr, |$value:ident| $to:expr;)*) => {$(
    impl sealed::Sealed for $t {}
    impl Number for $t {
        const BITS: u32 = <$bits>::BITS;
        const NUMBER: cushmem_abi::Number = cushmem_abi::Number::$number;
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
numbers! {
    u8: U8 u8, |w| w as u8, |v| v;
    i8: I8 u8, |w| w as i8, |v| v;
    u16: U16 u16, |w| w as u16, |v| v;
    i16: I16 u16, |w| w as i16, |v| v;
    u32: U32 u32, |w| w as u32, |v| v;
    i32: I32 u32, |w| w as i32, |v| v;
    u64: U64 u64, |w| w, |v| v;
    i64: I64 u64, |w| w as i64, |v| v;
    usize: U64 u64, |w| w as usize, |v| v;
    f32: F32 u32, |w| f32::from_bits(w as u32), |v| v.to_bits();
    f64: F64 u64, |w| f64::from_bits(w), |v| v.to_bits();
    F16: F16 u16, |w| F16::from_bits(w as u16), |v| v.bits();
    Bf16: Bf16 u16, |w| Bf16::from_bits(w as u16), |v| v.bits();
}

/// How a reduction combines two elements (OpenSHMEM 1.6, table 13): [`Sum`], [`Prod`], [`Min`], [`Max`], and for
/// integers [`And`], [`Or`] and [`Xor`]. Members are combined in the order of their numbers, so that all get the same
/// bits, which are those of the same reduction by the CPU. [`Collective`](crate::Collective) has an example.
pub trait Operation<T>: Copy {
    #[doc(hidden)]
    const COMBINE: cushmem_abi::Combine;
    #[doc(hidden)]
    fn apply(a: T, b: T) -> T;
}

macro_rules! operations { ($($(#[$meta:meta])* $name:ident: |$a:ident, $b:ident| { $($($t:ident)+ => $result:expr;)+ })*) => {$(
    $(#[$meta])*
    /// [`Collective`](crate::Collective) has an example.
    #[derive(Clone, Copy, Debug)]
    pub struct $name;
    $($(
        impl Operation<$t> for $name {
            const COMBINE: cushmem_abi::Combine = cushmem_abi::Combine::$name;
            #[inline(always)]
            fn apply($a: $t, $b: $t) -> $t {
                $result
            }
        }
    )+)+
)*} }
operations! {
    /// The sum; integers wrap around. Sums of 16-bit numbers are computed in `f32` and rounded.
    Sum: |a, b| {
        u8 i8 u16 i16 u32 i32 u64 i64 usize => a.wrapping_add(b);
        f32 f64 => a + b;
        F16 => F16::from_f32(a.to_f32() + b.to_f32());
        Bf16 => Bf16::from_f32(a.to_f32() + b.to_f32());
    }
    /// The product; integers wrap around. Products of 16-bit numbers are computed in `f32` and rounded.
    Prod: |a, b| {
        u8 i8 u16 i16 u32 i32 u64 i64 usize => a.wrapping_mul(b);
        f32 f64 => a * b;
        F16 => F16::from_f32(a.to_f32() * b.to_f32());
        Bf16 => Bf16::from_f32(a.to_f32() * b.to_f32());
    }
    /// The minimum, or a NaN if any element is one.
    Min: |a, b| {
        u8 i8 u16 i16 u32 i32 u64 i64 usize => if b < a { b } else { a };
        f32 f64 F16 Bf16 => if b < a || b.is_nan() { b } else { a };
    }
    /// The maximum, or a NaN if any element is one.
    Max: |a, b| {
        u8 i8 u16 i16 u32 i32 u64 i64 usize => if b > a { b } else { a };
        f32 f64 F16 Bf16 => if b > a || b.is_nan() { b } else { a };
    }
    /// Bitwise AND.
    And: |a, b| { u8 i8 u16 i16 u32 i32 u64 i64 usize => a & b; }
    /// Bitwise OR.
    Or: |a, b| { u8 i8 u16 i16 u32 i32 u64 i64 usize => a | b; }
    /// Bitwise exclusive OR.
    Xor: |a, b| { u8 i8 u16 i16 u32 i32 u64 i64 usize => a ^ b; }
}

/// Combines each element of a word with that of another word.
#[doc(hidden)]
#[inline(always)]
pub fn word<T: Number, O: Operation<T>>(a: u64, b: u64) -> u64 {
    let (mut out, mut at) = (0, 0);
    while at < u64::BITS {
        out |= O::apply(T::of(a >> at), T::of(b >> at)).word() << at;
        at += T::BITS;
    }
    out
}

/// How words of elements are combined.
#[doc(hidden)]
pub trait Combiner: Copy {
    /// Combines words with others, in place.
    fn combine<const K: usize>(self, all: &mut [u64; K], more: [u64; K]);
}

/// The operation `O` on elements of type `T`, known when the kernel is compiled.
struct Typed<T, O>(core::marker::PhantomData<(T, O)>);

/// The operation `O` on elements of type `T`.
#[inline(always)]
pub(crate) fn typed<T: Number, O: Operation<T>>() -> impl Combiner {
    Typed::<T, O>(core::marker::PhantomData)
}

impl<T, O> Clone for Typed<T, O> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, O> Copy for Typed<T, O> {}

impl<T: Number, O: Operation<T>> Combiner for Typed<T, O> {
    #[inline(always)]
    fn combine<const K: usize>(self, all: &mut [u64; K], more: [u64; K]) {
        each_word(all, more, word::<T, O>);
    }
}

/// Combines words one by one. Written out, because a variable index would put them into local memory.
#[doc(hidden)]
#[inline(always)]
pub fn each_word<const K: usize>(all: &mut [u64; K], more: [u64; K], combine: impl Fn(u64, u64) -> u64) {
    const { assert!(K <= 16, "words that are not combined") };
    macro_rules! each {
        ($($k:literal)*) => {$(
            if $k < K {
                all[$k] = combine(all[$k], more[$k]);
            }
        )*};
    }
    each! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 }
}
