//! What reductions and scans compute, element by element (OpenSHMEM 1.6, table 12).

use cushmem_abi as kernels;
use cushmem_device::{Bf16, F16, Word};

/// The operation by which a reduction combines elements.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// use cushmem::Reduction;
///
/// let slowest = shmem.malloc::<f64>(1)?;
/// slowest.copy_from(&[0.5])?;
/// shmem.reduce(shmem.team_world(), Reduction::Max, slowest, slowest)?;
/// assert_eq!(slowest.to_vec()?, [0.5]);
/// # Ok(()) }) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reduction {
    /// Bitwise AND.
    And,
    /// Bitwise OR.
    Or,
    /// Bitwise XOR.
    Xor,
    /// The minimum; NaN if any element is NaN.
    Min,
    /// The maximum; NaN if any element is NaN.
    Max,
    /// The sum; integers wrap around.
    Sum,
    /// The product; integers wrap around.
    Prod,
}

/// A function that combines elements of a type.
///
/// ```
/// # fn main() -> std::process::ExitCode { cushmem::run(|shmem| -> cushmem::Result<()> {
/// use cushmem::Reducer;
/// use cushmem::raw::{Buffers, Participants};
///
/// /// Adds complex numbers, of two `f64` each.
/// unsafe extern "C" fn add(sums: *mut u8, more: *const u8, n: usize) {
///     let (sums, more) = (sums.cast::<f64>(), more.cast::<f64>());
///     for i in 0..2 * n {
///         // SAFETY: both hold `n` complex numbers, and the sums are aligned.
///         unsafe { *sums.add(i) += more.add(i).read_unaligned() };
///     }
/// }
///
/// // SAFETY: `add` touches 16 bytes of each element, and zero is all bits zero.
/// let sum = unsafe { Reducer::new(16, add) };
/// let number = shmem.malloc::<f64>(2)?;
/// number.copy_from(&[1.0, -1.0])?;
/// let here = number.ptr(shmem.my_pe()).cast();
/// let (world, buffers) = (Participants::Team(shmem.team_world()), Buffers { dest: here, source: here });
/// shmem.raw().reduce(world, buffers, 1, sum).expect("it is symmetric");
/// assert_eq!(number.to_vec()?[0], f64::from(shmem.n_pes()));
/// # Ok(()) }) }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Reducer {
    pub(crate) element: usize,
    pub(crate) combine: Combine,
    /// The code by which kernels of the library know it, if they do.
    pub(crate) code: Option<u32>,
}

/// A function that combines arrays of elements in place: each element at the first address with the corresponding one
/// at the second, which need not be aligned. The third argument is the number of elements.
/// [`Reducer`] has an example.
pub type Combine = unsafe extern "C" fn(*mut u8, *const u8, usize);

impl Reducer {
    /// Creates a reducer for elements of `element` bytes.
    ///
    /// # Safety
    /// `combine` reads and writes as many elements of this size as its third argument says, and nothing else. It may
    /// rely on the first array being aligned to 64 bytes. All bits zero represent the type's zero.
    pub const unsafe fn new(element: usize, combine: Combine) -> Self {
        assert!(element > 0 && element <= 64);
        Self { element, combine, code: None }
    }
}

/// A number type whose values can be compared, added and multiplied.
///
/// ```
/// use cushmem::{Arithmetic, Reduction, Result, Shmem, SymSlice};
///
/// /// Replaces the elements by their sums over all PEs.
/// fn sum<T: Arithmetic>(shmem: &Shmem, values: SymSlice<'_, T>) -> Result<()> {
///     shmem.reduce(shmem.team_world(), Reduction::Sum, values, values)
/// }
/// ```
pub trait Arithmetic: Word {
    /// Returns the reducer for `reduction`, or `None` if it is bitwise and the type is not an integer.
    fn reducer(reduction: Reduction) -> Option<Reducer>;
}

/// The reducer that kernels know by this code ([`kernels::Combine::code`]), for elements of this many bytes.
pub(crate) fn reducer_of_code(code: u32, bytes: usize) -> Option<Reducer> {
    use Reduction::{And, Max, Min, Or, Prod, Sum, Xor};
    let reductions = [And, Or, Xor, Min, Max, Sum, Prod];
    let of_types = [
        <u8 as Arithmetic>::reducer,
        <i8 as Arithmetic>::reducer,
        <u16 as Arithmetic>::reducer,
        <i16 as Arithmetic>::reducer,
        <u32 as Arithmetic>::reducer,
        <i32 as Arithmetic>::reducer,
        <u64 as Arithmetic>::reducer,
        <i64 as Arithmetic>::reducer,
        <f32 as Arithmetic>::reducer,
        <f64 as Arithmetic>::reducer,
        <F16 as Arithmetic>::reducer,
        <Bf16 as Arithmetic>::reducer,
    ];
    let all = reductions.into_iter().flat_map(|reduction| of_types.map(|of_type| of_type(reduction)));
    all.flatten().find(|reducer| reducer.code == Some(code) && reducer.element == bytes)
}

/// An integer type.
///
/// ```
/// use cushmem::raw::{BadArgument, Buffers, Participants};
/// use cushmem::{Bitwise, Reduction, Shmem};
///
/// /// Replaces `n` elements at an address of symmetric memory by what is common to all PEs.
/// fn common<T: Bitwise>(shmem: &Shmem, here: *mut T, n: usize) -> Result<(), BadArgument> {
///     let (world, buffers) = (Participants::Team(shmem.team_world()), Buffers { dest: here.cast(), source: here.cast() });
///     shmem.raw().reduce(world, buffers, n, <T as Bitwise>::reducer(Reduction::And))
/// }
/// ```
pub trait Bitwise: Arithmetic {
    /// Returns the reducer for `reduction`.
    fn reducer(reduction: Reduction) -> Reducer;
}

/// # Safety
/// `acc` is aligned, `acc` and `from` hold `n` elements, and only this process uses `acc`.
#[inline(always)]
unsafe fn each<T: Copy>(acc: *mut u8, from: *const u8, n: usize, combine: impl Fn(T, T) -> T) {
    // SAFETY: the caller guarantees that the accumulator is memory of this process alone, aligned, initialised and long
    // enough.
    let acc = unsafe { std::slice::from_raw_parts_mut(acc.cast::<T>(), n) };
    let from = from.cast::<T>();
    for (i, a) in acc.iter_mut().enumerate() {
        // SAFETY: the caller guarantees `n` readable elements; any bits are a number.
        *a = combine(*a, unsafe { from.add(i).read_unaligned() });
    }
}

macro_rules! reducer {
    ($t:ident, $reduction:expr, $combine:expr) => {{
        unsafe extern "C" fn combine(acc: *mut u8, from: *const u8, n: usize) {
            // SAFETY: the caller guarantees that both ranges hold `n` elements and that `acc` is aligned.
            unsafe { each::<$t>(acc, from, n, $combine) }
        }
        // SAFETY: the function combines elements of this type.
        let new = unsafe { Reducer::new(size_of::<$t>(), combine) };
        Reducer { code: Some($reduction.to_kernels().code(numbers::$t)), ..new }
    }};
}

impl Reduction {
    /// The operation as kernels of the library know it.
    const fn to_kernels(self) -> kernels::Combine {
        match self {
            Self::And => kernels::Combine::And,
            Self::Or => kernels::Combine::Or,
            Self::Xor => kernels::Combine::Xor,
            Self::Min => kernels::Combine::Min,
            Self::Max => kernels::Combine::Max,
            Self::Sum => kernels::Combine::Sum,
            Self::Prod => kernels::Combine::Prod,
        }
    }
}

/// Named after their types.
#[expect(non_upper_case_globals, reason = "named after types")]
mod numbers {
    use super::kernels::Number;

    pub(super) const u8: Number = Number::U8;
    pub(super) const i8: Number = Number::I8;
    pub(super) const u16: Number = Number::U16;
    pub(super) const i16: Number = Number::I16;
    pub(super) const u32: Number = Number::U32;
    pub(super) const i32: Number = Number::I32;
    pub(super) const u64: Number = Number::U64;
    pub(super) const i64: Number = Number::I64;
    pub(super) const usize: Number = Number::U64;
    pub(super) const f32: Number = Number::F32;
    pub(super) const f64: Number = Number::F64;
    pub(super) const F16: Number = Number::F16;
    pub(super) const Bf16: Number = Number::Bf16;
}

macro_rules! integers { ($($t:ident)*) => {$(
    impl Arithmetic for $t {
        fn reducer(reduction: Reduction) -> Option<Reducer> {
            Some(<$t as Bitwise>::reducer(reduction))
        }
    }

    impl Bitwise for $t {
        fn reducer(reduction: Reduction) -> Reducer {
            match reduction {
                Reduction::And => reducer!($t, reduction, |a, b| a & b),
                Reduction::Or => reducer!($t, reduction, |a, b| a | b),
                Reduction::Xor => reducer!($t, reduction, |a, b| a ^ b),
                Reduction::Min => reducer!($t, reduction, |a, b| a.min(b)),
                Reduction::Max => reducer!($t, reduction, |a, b| a.max(b)),
                Reduction::Sum => reducer!($t, reduction, |a, b| a.wrapping_add(b)),
                Reduction::Prod => reducer!($t, reduction, |a, b| a.wrapping_mul(b)),
            }
        }
    }
)*} }
integers! { i8 i16 i32 i64 u8 u16 u32 u64 usize }

macro_rules! reals { ($($t:ident)*) => {$(
    impl Arithmetic for $t {
        fn reducer(reduction: Reduction) -> Option<Reducer> {
            match reduction {
                Reduction::And | Reduction::Or | Reduction::Xor => None,
                // Comparisons that vector instructions have. The second one takes a NaN.
                Reduction::Min => Some(reducer!($t, reduction, |a, b| if b < a || b.is_nan() { b } else { a })),
                Reduction::Max => Some(reducer!($t, reduction, |a, b| if b > a || b.is_nan() { b } else { a })),
                Reduction::Sum => Some(reducer!($t, reduction, |a, b| a + b)),
                Reduction::Prod => Some(reducer!($t, reduction, |a, b| a * b)),
            }
        }
    }
)*} }
reals! { f32 f64 }

macro_rules! halves { ($($t:ident)*) => {$(
    impl Arithmetic for $t {
        fn reducer(reduction: Reduction) -> Option<Reducer> {
            match reduction {
                Reduction::And | Reduction::Or | Reduction::Xor => None,
                Reduction::Min => Some(reducer!($t, reduction, |a, b| if b < a || b.is_nan() { b } else { a })),
                Reduction::Max => Some(reducer!($t, reduction, |a, b| if b > a || b.is_nan() { b } else { a })),
                Reduction::Sum => Some(reducer!($t, reduction, |a, b| $t::from_f32(a.to_f32() + b.to_f32()))),
                Reduction::Prod => Some(reducer!($t, reduction, |a, b| $t::from_f32(a.to_f32() * b.to_f32()))),
            }
        }
    }
)*} }
halves! { F16 Bf16 }
