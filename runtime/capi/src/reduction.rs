//! Operations of collectives on types that Rust lacks.

use crate::rma::LongDouble;
use cushmem::{Reducer, Reduction};
use std::ops::{Add, Mul, Sub};

// Stable Rust has no long double, so these functions are written in C.
unsafe extern "C" {
    fn cushmem_longdouble_min(acc: *mut u8, from: *const u8, n: usize);
    fn cushmem_longdouble_max(acc: *mut u8, from: *const u8, n: usize);
    fn cushmem_longdouble_sum(acc: *mut u8, from: *const u8, n: usize);
    fn cushmem_longdouble_prod(acc: *mut u8, from: *const u8, n: usize);
}

/// `long double`.
pub(crate) fn longdouble(reduction: Reduction) -> Reducer {
    let combine = match reduction {
        Reduction::Min => cushmem_longdouble_min,
        Reduction::Max => cushmem_longdouble_max,
        Reduction::Sum => cushmem_longdouble_sum,
        Reduction::Prod => cushmem_longdouble_prod,
        bitwise => unreachable!("no table has {bitwise:?} for long double"),
    };
    // SAFETY: the functions combine elements of this type.
    unsafe { Reducer::new(size_of::<LongDouble>(), combine) }
}

/// A complex number of C.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct Complex<T> {
    re: T,
    im: T,
}

/// The types of the parts of complex numbers.
pub(crate) trait Real: Copy + Add<Output = Self> + Mul<Output = Self> + Sub<Output = Self> {}
impl Real for f32 {}
impl Real for f64 {}

/// Sum or product.
pub(crate) fn complex<T: Real>(reduction: Reduction) -> Reducer {
    let combine = match reduction {
        Reduction::Sum => sum::<T>,
        Reduction::Prod => product::<T>,
        other => unreachable!("no table has {other:?} for complex numbers"),
    };
    // SAFETY: the functions combine elements of this type.
    unsafe { Reducer::new(size_of::<Complex<T>>(), combine) }
}

unsafe extern "C" fn sum<T: Real>(acc: *mut u8, from: *const u8, n: usize) {
    // SAFETY: the caller guarantees that both ranges hold `n` elements and that `acc` is aligned.
    unsafe { each::<T>(acc, from, n, |a, b| Complex { re: a.re + b.re, im: a.im + b.im }) }
}

unsafe extern "C" fn product<T: Real>(acc: *mut u8, from: *const u8, n: usize) {
    let times = |a: Complex<T>, b: Complex<T>| Complex { re: a.re * b.re - a.im * b.im, im: a.re * b.im + a.im * b.re };
    // SAFETY: the caller guarantees that both ranges hold `n` elements and that `acc` is aligned.
    unsafe { each::<T>(acc, from, n, times) }
}

/// # Safety
/// `acc` is aligned, and `acc` and `from` hold `n` elements.
#[inline(always)]
unsafe fn each<T: Real>(
    acc: *mut u8,
    from: *const u8,
    n: usize,
    combine: impl Fn(Complex<T>, Complex<T>) -> Complex<T>,
) {
    for i in 0..n {
        // SAFETY: the caller guarantees `n` elements in both ranges; any bits are numbers.
        unsafe {
            let at = acc.cast::<Complex<T>>().add(i);
            at.write(combine(at.read(), from.cast::<Complex<T>>().add(i).read_unaligned()));
        }
    }
}
