//! Shuffles, votes, matches, reductions and scans give what a program on the CPU computes.

use crate::rig::Rig;
use cushmem::{DevPtr, Grid, Kernel, Shmem, Word};
use cushmem_conformance::{conformance, seeded};
use cushmem_conformance_kernels as kernels;
use kernels::{FOLDED, SHUFFLED, VOTED};
use std::fmt::Debug;
use std::iter::repeat_with;

conformance! { soft, cuda => {
    shuffles: 1;
    votes_and_matches: 1;
    reductions_and_scans: 1;
} }

/// Catches a shuffle that cuts a value, takes that of another lane, or mixes up two halves of a warp.
fn shuffles(shmem: &Shmem) {
    fn check<T: Word + Debug, K: Kernel<Args = (DevPtr<T>, DevPtr<T>, u32)>>(
        rig: &Rig<'_>,
        kernel: K,
        of: impl Fn(u64) -> T,
    ) {
        const LANES: usize = 64;
        let mut random = seeded();
        for by in [0, 1, 2, 5, 15, 16, 31] {
            let values: Vec<T> = (0..LANES).map(|_| of(random.bits())).collect();
            let (there, out) = (rig.private(&values), rig.private(&[of(0); LANES * SHUFFLED]));
            rig.run(kernel, Grid::linear(1, LANES as u32), (there.device_ptr(), out.device_ptr(), by as u32));
            let seen = out.to_vec().expect("read");
            for (lane, seen) in seen.chunks(SHUFFLED).enumerate() {
                let (warp, l) = (lane / 32 * 32, lane % 32);
                let of_lane = |l: usize| values[warp + l];
                let expected = [
                    of_lane((l + by) % 32),
                    of_lane(l.checked_sub(by).unwrap_or(l)),
                    of_lane(if l + by < 32 { l + by } else { l }),
                    of_lane(l ^ by),
                    of_lane(l / 16 * 16 + by % 16),
                    of_lane(l ^ (by % 16)),
                ];
                assert_eq!(seen, expected, "{} of lane {lane} by {by}", K::NAME);
            }
        }
    }
    let rig = Rig::new(shmem);
    check(&rig, kernels::shuffle_u32, |v| v as u32);
    check(&rig, kernels::shuffle_i32, |v| v as i32);
    check(&rig, kernels::shuffle_u64, |v| v);
    check(&rig, kernels::shuffle_i64, |v| v as i64);
    check(&rig, kernels::shuffle_f32, |v| (v >> 40) as f32);
    check(&rig, kernels::shuffle_f64, |v| (v >> 11) as f64);
}

/// Catches votes of lanes that do not take part, and keys that are compared in part.
fn votes_and_matches(shmem: &Shmem) {
    let rig = Rig::new(shmem);
    let mut random = seeded();
    for lanes in [1_usize, 20, 32, 70] {
        for keys in [1, 2, 3, 40] {
            // Keys that differ in their high halves only.
            let keys: Vec<u64> = (0..lanes).map(|_| random.bits() % keys * ((1 << 32) + u64::from(keys > 2))).collect();
            let (there, out) = (rig.private(&keys), rig.private(&vec![0u32; lanes * VOTED]));
            rig.run(kernels::votes, Grid::linear(1, lanes as u32), (there.device_ptr(), out.device_ptr()));
            for (lane, seen) in out.to_vec().expect("read").chunks(VOTED).enumerate() {
                let warp = &keys[lane / 32 * 32..lanes.min(lane / 32 * 32 + 32)];
                let bits = |takes_part: &dyn Fn(usize) -> bool, holds: &dyn Fn(u64) -> bool| {
                    let those = warp.iter().enumerate().filter(|(l, key)| takes_part(*l) && holds(**key));
                    those.fold(0u32, |bits, (l, _)| bits | 1 << l)
                };
                let (own, all, half) = (keys[lane], |_| true, |l| l % 2 == lane % 2);
                let is_own = |key| key == own;
                let expected = [
                    bits(&all, &|key| key > 1),
                    warp.iter().all(|key| *key > 1).into(),
                    warp.iter().any(|key| *key > 1).into(),
                    bits(&all, &is_own),
                    warp.iter().all(|key| *key == own).into(),
                    bits(&half, &|key| key as i16 == own as i16),
                    (bits(&half, &is_own) == bits(&half, &|_| true)).into(),
                    (bits(&half, &|key| key > 1) == bits(&half, &|_| true)).into(),
                ];
                assert_eq!(seen, expected, "lane {lane} of {lanes} with keys {keys:?}");
            }
        }
    }
}

/// Catches a lane, a warp or the last lanes of a block that are left out or counted twice, values of the call before,
/// and lanes that get different results.
fn reductions_and_scans(shmem: &Shmem) {
    const OPERATIONS: [&str; 6] = ["sum", "min", "max", "and", "or", "xor"];
    fn check<T: Word + Debug, K: Kernel<Args = (DevPtr<T>, DevPtr<T>, u32)>>(
        rig: &Rig<'_>,
        kernel: K,
        of: impl Fn(u64) -> T,
        fold: impl Fn(u32, T, T) -> T,
        identities: &[T],
    ) {
        let mut random = seeded();
        for lanes in [1, 7, 32, 33, 64, 100, 256, 1000, 1024] {
            for (operation, identity) in (0..).zip(identities) {
                let values: Vec<T> = (0..lanes).map(|_| of(random.bits())).collect();
                let whole =
                    |values: &[T]| values.iter().copied().reduce(|a, b| fold(operation, a, b)).unwrap_or(*identity);
                let expected = |lane: usize| {
                    let first = lane / 32 * 32;
                    let of_block = [whole(&values), whole(&values[..=lane]), whole(&values[..lane])];
                    let of_warp = (lanes % 32 == 0).then(|| {
                        let (all, upto) = (&values[first..first + 32], &values[first..=lane]);
                        [whole(all), whole(upto), whole(&values[first..lane])]
                    });
                    of_block.into_iter().chain(of_warp.into_iter().flatten()).collect::<Vec<T>>()
                };
                let expected: Vec<Vec<T>> = (0..lanes).map(expected).collect();
                // No lane has this result, so that one which stores nothing is noticed.
                let is_result = |value: &T| expected.iter().any(|results| results.contains(value));
                let unwritten = repeat_with(|| of(random.bits())).find(|value| !is_result(value)).expect("others");
                let (there, out) = (rig.private(&values), rig.private(&vec![unwritten; lanes * FOLDED]));
                let args = (there.device_ptr(), out.device_ptr(), operation);
                rig.run(kernel, Grid::linear(1, lanes as u32), args);
                let seen = out.to_vec().expect("read");
                for (lane, mut expected) in expected.into_iter().enumerate() {
                    expected.resize(FOLDED, unwritten);
                    let seen = &seen[lane * FOLDED..][..FOLDED];
                    assert_eq!(
                        seen,
                        expected,
                        "{} {} in lane {lane} of {lanes}",
                        K::NAME,
                        OPERATIONS[operation as usize]
                    );
                }
            }
        }
    }
    macro_rules! integers { ($rig:ident, $($kernel:ident: $t:ty;)*) => {$(
        let fold = |operation, a: $t, b: $t| match operation {
            0 => a.wrapping_add(b),
            1 => a.min(b),
            2 => a.max(b),
            3 => a & b,
            4 => a | b,
            _ => a ^ b,
        };
        check(&$rig, kernels::$kernel, |v| v as $t, fold, &[0, <$t>::MAX, <$t>::MIN, !0, 0, 0]);
    )*} }
    let rig = Rig::new(shmem);
    integers! { rig, fold_u32: u32; fold_i32: i32; fold_u64: u64; fold_i64: i64; }
    macro_rules! floats { ($rig:ident, $($kernel:ident: $t:ty;)*) => {$(
        let fold = |operation, a: $t, b: $t| match operation {
            0 => a + b,
            1 => a.min(b),
            _ => a.max(b),
        };
        // Sums of such numbers are exact, in any order.
        let of = |v: u64| (v >> 52) as $t / 8.0 - 250.0;
        check(&$rig, kernels::$kernel, of, fold, &[0.0, <$t>::INFINITY, <$t>::NEG_INFINITY]);
    )*} }
    floats! { rig, fold_f32: f32; fold_f64: f64; }
}
