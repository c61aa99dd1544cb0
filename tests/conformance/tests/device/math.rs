//! Mathematical functions of kernels. How precise they are is tested in `device/src/math_tests.rs`, on the CPU.

use crate::rig::Rig;
use cushmem::{Grid, Shmem};
use cushmem_conformance::{conformance, seeded};
use cushmem_conformance_kernels as kernels;
use kernels::{FUNCTIONS, function};

conformance! { cuda => {
    same_bits_as_the_cpu: 1;
} }

// The emulated GPU runs the same functions of the CPU, so nothing but the start and the numbers can be wrong.
conformance! { soft => {
    each_number_gets_its_results: 1;
} }

/// Catches a kernel that leaves out a number or a function.
fn each_number_gets_its_results(shmem: &Shmem) {
    same_bits_as_the_cpu(shmem);
}

/// Catches a function that gives other bits on a GPU than on the CPU, for numbers of all sizes and for special ones.
fn same_bits_as_the_cpu(shmem: &Shmem) {
    macro_rules! check {
        ($rig:ident, $kernel:ident: $t:ty as $bits:ty;) => {{
            let mut random = seeded();
            let special = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                0.5,
                1e-30,
                <$t>::MIN_POSITIVE,
                <$t>::MIN_POSITIVE / 4.0,
                <$t>::MAX,
                <$t>::INFINITY,
                <$t>::NEG_INFINITY,
                <$t>::NAN,
                88.8,
                -104.0,
                709.9,
                -745.2,
            ];
            let mut x: Vec<$t> = special.iter().flat_map(|x| vec![*x; special.len()]).collect();
            let mut y: Vec<$t> = special.iter().cycle().copied().take(x.len()).collect();
            for i in 0..$rig.times(2_000, 1_000_000) {
                let moderate = (random.bits() >> 40) as $t / 65536.0 - 128.0;
                x.push(if i % 2 == 0 { <$t>::from_bits(random.bits() as $bits) } else { moderate });
                y.push(<$t>::from_bits(random.bits() as $bits));
            }
            let n = x.len();
            let (x_there, y_there, results) =
                ($rig.private(&x), $rig.private(&y), $rig.private(&vec![0.0; n * FUNCTIONS]));
            let args = (x_there.device_ptr(), y_there.device_ptr(), results.device_ptr(), n);
            $rig.run(kernels::$kernel, Grid::linear(1, 256), args);
            for (i, seen) in results.to_vec().expect("read").chunks(FUNCTIONS).enumerate() {
                for (which, seen) in seen.iter().enumerate() {
                    let expected = function(which, x[i], y[i]);
                    let same = seen.to_bits() == expected.to_bits() || seen.is_nan() && expected.is_nan();
                    assert!(same, "function {which} of {:e} and {:e}: {seen:e} instead of {expected:e}", x[i], y[i]);
                }
            }
        }};
    }
    let rig = Rig::new(shmem);
    check! { rig, math_f32: f32 as u32; }
    check! { rig, math_f64: f64 as u64; }
}
