use cushmem::{Bf16, F16, Word};
use std::fmt::Debug;

/// A word made from random bits. Numbers are compared by their bits, because a NaN is as valid as other data.
pub trait Sample: Word + Debug + Send + Sync {
    /// The number with these low bits.
    fn sample(bits: u64) -> Self;
    /// Its bits.
    fn bits(self) -> u64;
}

macro_rules! samples { ($($t:ty as $bits:ty;)*) => {$(
    impl Sample for $t {
        fn sample(bits: u64) -> Self {
            <$t>::from_ne_bytes((bits as $bits).to_ne_bytes())
        }
        fn bits(self) -> u64 {
            <$bits>::from_ne_bytes(self.to_ne_bytes()).into()
        }
    }
)*} }
samples! {
    u8 as u8; i8 as u8; u16 as u16; i16 as u16; u32 as u32; i32 as u32; f32 as u32; u64 as u64; i64 as u64; f64 as u64; usize as u64;
}

macro_rules! halves { ($($t:ty)*) => {$(
    impl Sample for $t {
        fn sample(bits: u64) -> Self {
            Self::from_bits(bits as u16)
        }
        fn bits(self) -> u64 {
            <$t>::bits(self).into()
        }
    }
)*} }
halves! { F16 Bf16 }

/// Fails unless every word has the bits that `expected` gives for its index.
///
/// # Panics
/// With the first wrong word and the number of wrong ones.
pub fn expect_words<T: Sample>(what: impl FnOnce() -> String, actual: &[T], expected: impl Fn(usize) -> T) {
    let is_wrong = |i: &usize| actual[*i].bits() != expected(*i).bits();
    let wrong: Vec<usize> = (0..actual.len()).filter(is_wrong).collect();
    if let (Some(&first), Some(&last)) = (wrong.first(), wrong.last()) {
        panic!(
            "{}: {} of {} words are wrong, {first} to {last}: word {first} is {:#x} instead of {:#x}",
            what(),
            wrong.len(),
            actual.len(),
            actual[first].bits(),
            expected(first).bits(),
        );
    }
}
