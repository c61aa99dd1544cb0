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
pub struct Reducer {
    pub(crate) element: usize,
    pub(crate) combine: Combine,
}

/// Combines elements in place: each element at the first address with the one at the second, which need not be aligned. The third
/// argument is the number of elements.
pub type Combine = unsafe extern "C" fn(*mut u8, *const u8, usize);

impl Reducer {
    /// Elements of `element` bytes.
    ///
    /// # Safety
    /// `combine` reads and writes as many elements of this size as its third argument says, and nothing else; it may rely on the first
    /// range being aligned to 64 bytes. All bits zero are the type's zero.
    pub const unsafe fn new(element: usize, combine: Combine) -> Self {
        assert!(element > 0 && element <= 64);
        Self { element, combine }
    }
}

/// Numbers that can be compared, added and multiplied.
pub trait Arithmetic: Word {
    /// How they are combined; none for the bitwise operations.
    fn reducer(reduction: Reduction) -> Option<Reducer>;
}

/// Integers.
pub trait Bitwise: Arithmetic {
    /// How they are combined.
    fn reducer(reduction: Reduction) -> Reducer;
}

/// # Safety
/// `acc` is aligned, `acc` and `from` hold `n` elements, and only this process uses `acc`.
#[inline(always)]
unsafe fn each<T: Copy>(acc: *mut u8, from: *const u8, n: usize, combine: impl Fn(T, T) -> T) {
    // SAFETY: the caller guarantees that the accumulator is memory of this process alone, aligned, initialised and long enough.
    let acc = unsafe { std::slice::from_raw_parts_mut(acc.cast::<T>(), n) };
    let from = from.cast::<T>();
    for (i, a) in acc.iter_mut().enumerate() {
        // SAFETY: the caller guarantees `n` readable elements; any bits are a number.
        *a = combine(*a, unsafe { from.add(i).read_unaligned() });
    }
}

macro_rules! reducer {
    ($t:ty, $combine:expr) => {{
        unsafe extern "C" fn combine(acc: *mut u8, from: *const u8, n: usize) {
            // SAFETY: the caller guarantees that both ranges hold `n` elements and that `acc` is aligned.
            unsafe { each::<$t>(acc, from, n, $combine) }
        }
        // SAFETY: the function combines elements of this type.
        unsafe { Reducer::new(size_of::<$t>(), combine) }
    }};
}

macro_rules! integers { ($($t:ty)*) => {$(
    impl Arithmetic for $t {
        fn reducer(reduction: Reduction) -> Option<Reducer> {
            Some(<$t as Bitwise>::reducer(reduction))
        }
    }

    impl Bitwise for $t {
        fn reducer(reduction: Reduction) -> Reducer {
            match reduction {
                Reduction::And => reducer!($t, |a, b| a & b),
                Reduction::Or => reducer!($t, |a, b| a | b),
                Reduction::Xor => reducer!($t, |a, b| a ^ b),
                Reduction::Min => reducer!($t, |a, b| a.min(b)),
                Reduction::Max => reducer!($t, |a, b| a.max(b)),
                Reduction::Sum => reducer!($t, |a, b| a.wrapping_add(b)),
                Reduction::Prod => reducer!($t, |a, b| a.wrapping_mul(b)),
            }
        }
    }
)*} }
integers! { i8 i16 i32 i64 u8 u16 u32 u64 usize }

macro_rules! reals { ($($t:ty)*) => {$(
    impl Arithmetic for $t {
        fn reducer(reduction: Reduction) -> Option<Reducer> {
            match reduction {
                Reduction::And | Reduction::Or | Reduction::Xor => None,
                // A comparison each, which vectors have; with a NaN, what comes out depends on the order.
                Reduction::Min => Some(reducer!($t, |a, b| if b < a { b } else { a })),
                Reduction::Max => Some(reducer!($t, |a, b| if b > a { b } else { a })),
                Reduction::Sum => Some(reducer!($t, |a, b| a + b)),
                Reduction::Prod => Some(reducer!($t, |a, b| a * b)),
            }
        }
    }
)*} }
reals! { f32 f64 }
