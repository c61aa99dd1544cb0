//! Mathematical functions.

use cushmem_device::{
    Block, DevPtr, Real, Scope, abs, ceil, cos, exp, floor, fma, kernels_of_module, log, max, min, rsqrt, sin, sqrt,
};

/// Results per number that [`math_f32`] and [`math_f64`] store.
pub const FUNCTIONS: usize = 12;

/// Result `function` for two numbers.
#[inline(always)]
pub fn function<T: Real>(function: usize, x: T, y: T) -> T {
    match function {
        0 => sqrt(x),
        1 => rsqrt(x),
        2 => exp(x),
        3 => log(x),
        4 => sin(x),
        5 => cos(x),
        6 => fma(x, y, x),
        7 => abs(x),
        8 => min(x, y),
        9 => max(x, y),
        10 => floor(x),
        _ => ceil(x),
    }
}

/// # Safety
/// One block. `x` and `y` have `n` elements, `results` has [`FUNCTIONS`] for each.
#[inline(always)]
unsafe fn all<T: Real>(x: DevPtr<T>, y: DevPtr<T>, results: DevPtr<T>, n: usize) {
    let mut i = Block.lane();
    while i < n {
        let mut which = 0;
        while which < FUNCTIONS {
            // SAFETY: the caller guarantees that there are as many elements.
            unsafe { results.add(i * FUNCTIONS + which).write(function(which, x.add(i).read(), y.add(i).read())) };
            which += 1;
        }
        i += Block.lanes();
    }
}

kernels_of_module! {
    /// Stores what all functions give.
    pub unsafe fn math_f32(x: DevPtr<f32>, y: DevPtr<f32>, results: DevPtr<f32>, n: usize) {
        all(x, y, results, n);
    }

    /// Stores what all functions give.
    pub unsafe fn math_f64(x: DevPtr<f64>, y: DevPtr<f64>, results: DevPtr<f64>, n: usize) {
        all(x, y, results, n);
    }
}
