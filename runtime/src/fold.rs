//! What reductions and scans compute, element by element (OpenSHMEM 1.6, table 12).

use cushmem_device::Word;

/// What a reduction combines with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The sum; integers wrap around.
    Sum,
    /// The product; integers wrap around.
    Prod,
}

/// How elements of a type are combined.
#[derive(Clone, Copy, Debug)]
pub struct Fold {
    pub(crate) element: usize,
    pub(crate) combine: Combine,
}

/// Combines each of so many elements at the first address with the one at the second, which need not be aligned.
pub type Combine = unsafe extern "C" fn(*mut u8, *const u8, usize);

impl Fold {
    /// Elements of `element` bytes.
    ///
    /// # Safety
    /// `combine` reads and writes so many elements of this size, the first range aligned to 64 bytes, and nothing else; all bits
    /// zero are the type's zero.
    pub const unsafe fn new(element: usize, combine: Combine) -> Self {
        assert!(element > 0 && element <= 64);
        Self { element, combine }
    }
}

/// Numbers that can be compared, added and multiplied.
pub trait Arithmetic: Word {
    /// How they are combined; none for the bitwise operations.
    fn fold(reduction: Reduction) -> Option<Fold>;
}

/// Integers.
pub trait Bitwise: Arithmetic {
    /// How they are combined.
    fn fold(reduction: Reduction) -> Fold;
}

/// # Safety
/// As [`Combine`].
#[inline(always)]
unsafe fn each<T: Copy>(acc: *mut u8, from: *const u8, n: usize, combine: impl Fn(T, T) -> T) {
    // SAFETY: the accumulator is memory of this process alone, aligned and initialised, and the caller vouches for its length.
    let acc = unsafe { std::slice::from_raw_parts_mut(acc.cast::<T>(), n) };
    let from = from.cast::<T>();
    for (i, a) in acc.iter_mut().enumerate() {
        // SAFETY: as many elements are readable; any bits are a number.
        *a = combine(*a, unsafe { from.add(i).read_unaligned() });
    }
}

macro_rules! fold {
    ($t:ty, $combine:expr) => {{
        unsafe extern "C" fn combine(acc: *mut u8, from: *const u8, n: usize) {
            // SAFETY: passed on.
            unsafe { each::<$t>(acc, from, n, $combine) }
        }
        // SAFETY: the function combines elements of this type.
        unsafe { Fold::new(size_of::<$t>(), combine) }
    }};
}

macro_rules! integers { ($($t:ty)*) => {$(
    impl Arithmetic for $t {
        fn fold(reduction: Reduction) -> Option<Fold> {
            Some(<$t as Bitwise>::fold(reduction))
        }
    }

    impl Bitwise for $t {
        fn fold(reduction: Reduction) -> Fold {
            match reduction {
                Reduction::And => fold!($t, |a, b| a & b),
                Reduction::Or => fold!($t, |a, b| a | b),
                Reduction::Xor => fold!($t, |a, b| a ^ b),
                Reduction::Min => fold!($t, |a, b| a.min(b)),
                Reduction::Max => fold!($t, |a, b| a.max(b)),
                Reduction::Sum => fold!($t, |a, b| a.wrapping_add(b)),
                Reduction::Prod => fold!($t, |a, b| a.wrapping_mul(b)),
            }
        }
    }
)*} }
integers! { i8 i16 i32 i64 u8 u16 u32 u64 usize }

macro_rules! reals { ($($t:ty)*) => {$(
    impl Arithmetic for $t {
        fn fold(reduction: Reduction) -> Option<Fold> {
            match reduction {
                Reduction::And | Reduction::Or | Reduction::Xor => None,
                // A comparison each, which vectors have; with a NaN, what comes out depends on the order.
                Reduction::Min => Some(fold!($t, |a, b| if b < a { b } else { a })),
                Reduction::Max => Some(fold!($t, |a, b| if b > a { b } else { a })),
                Reduction::Sum => Some(fold!($t, |a, b| a + b)),
                Reduction::Prod => Some(fold!($t, |a, b| a * b)),
            }
        }
    }
)*} }
reals! { f32 f64 }
